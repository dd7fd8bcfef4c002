#!/usr/bin/env bash
# What devices do, beside the CPU: answers and times, as a record. Needs the built program and a shell.
#   benches/gpu.sh [RECORD.md] [MECH:FUEL ...]
# KINLANE is the program (else target/release/kinlane, else the one on the PATH), CELLS the batch (else 1 million on a
# card, 20160 on a CPU). Ends with 1 where a device gave other answers than the CPU.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kinlane=${KINLANE:-$root/target/release/kinlane}
[ -x "$kinlane" ] || kinlane=$(command -v kinlane) || { echo "no kinlane: build it, or set KINLANE" >&2; exit 2; }
record=${1:-$(date +%F)-gpu.md}
[ $# -gt 0 ] && shift
cases=("$@")
[ ${#cases[@]} -gt 0 ] || cases=(h2:H2 gri30:CH4)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

devices=$("$kinlane" devices)
mapfile -t ids < <(grep -oE '^(cuda|opencl):[0-9]+' <<<"$devices")
[ ${#ids[@]} -gt 0 ] || { echo "$devices"; echo "no device to measure" >&2; exit 2; }
wrong=0
{
    echo "# Devices beside the CPU"
    echo
    echo "- date: $(date +%F)"
    commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)
    git -C "$root" diff --quiet HEAD 2>/dev/null || commit+=+
    echo "- commit: $commit"
    echo "- machine: $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2- | sed 's/^ //'), $(nproc) cores seen, load $(cut -d' ' -f1 /proc/loadavg) at the start"
    command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader | sed 's/^/- card: /'
    echo "- command: \`${CELLS:+CELLS=$CELLS }benches/gpu.sh $record ${cases[*]}\`"
    grep -qE 'a GPU' <<<"$devices" || echo "- no GPU was measured: the devices are CPUs"
    echo
    echo '```'
    echo "$devices"
    echo '```'
    for id in "${ids[@]}"; do
        default=1000000
        grep -A0 "^$id " <<<"$devices" | grep -q 'a CPU' && default=20160
        echo
        echo "## $id"
        echo
        timeout 500 "$kinlane" bench gpu "${cases[@]}" --device "$id" --cells "${CELLS:-$default}" --quiet --out "$scratch/table.md" 2>"$scratch/errors"
        code=$?
        [ $code -le 1 ] && cat "$scratch/table.md" || { echo "ended with $code:"; cat "$scratch/errors"; }
        [ $code -eq 0 ] || wrong=1
        # A sweep of ignition delays: the CPU's table, and the time of both.
        echo
        for case in "${cases[@]}"; do
            for place in cpu "$id"; do
                timeout 200 "$kinlane" ignite "${case%%:*}" --fuel "${case##*:}" --oxidizer O2:1,N2:3.76 --T "1100:1900:${DELAYS:-200}" \
                    --end-time 0.05 --delay dT/dt --delay 'max OH' --device "$place" --csv "$scratch/$place.csv" >"$scratch/said" 2>&1 ||
                    wrong=1
                echo "delays of $case: $(tail -n 1 "$scratch/said")"
            done
            cmp -s "$scratch/cpu.csv" "$scratch/$id.csv" || { echo "other delays than the CPU's"; wrong=1; }
        done
        # Reads and writes outside their memory, and races, on a few cells.
        if [[ $id == cuda:* ]] && command -v compute-sanitizer >/dev/null; then
            for tool in memcheck racecheck; do
                timeout 200 compute-sanitizer --tool "$tool" --error-exitcode 9 "$kinlane" bench gpu h2:H2 --device "$id" --cells 64 --quiet >"$scratch/$tool" 2>&1
                code=$?
                echo "$tool: $([ $code -eq 0 ] && echo clean || { echo "ended with $code"; tail -n 5 "$scratch/$tool"; })"
                [ $code -eq 0 ] || wrong=1
            done
        fi
    done
} >"$record"
cat "$record"
exit $wrong
