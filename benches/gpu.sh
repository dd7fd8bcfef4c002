#!/usr/bin/env bash
# What devices do, beside the CPU: answers and times, as a record. Needs the built program and a shell.
#   benches/gpu.sh [RECORD.md] [MECH:FUEL ...]
# KINLANE is the program (else target/release/kinlane, else the one on the PATH), CELLS the batch (else by the mechanism and
# the device), BATCHES the sizes of the sweep of GRI-3.0, DEVICES the devices (else all), KINLANE_DATA the folder with
# USC II and JetSurF 2.0 (else ../shared/data). Ends within LIMIT seconds (else 570) with what it has measured by then: every
# mechanism has its share of the time, a page is written after each measurement, and the record grows as pages are done.
# Ends with 1 where a device gave other answers than the CPU.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kinlane=${KINLANE:-$root/target/release/kinlane}
[ -x "$kinlane" ] || kinlane=$(command -v kinlane) || { echo "no kinlane: build it, or set KINLANE" >&2; exit 2; }
record=${1:-$(date +%F)-gpu.md}
[ $# -gt 0 ] && shift
cases=("$@")
data=${KINLANE_DATA:-$root/../shared/data}
if [ ${#cases[@]} -eq 0 ]; then
    cases=(gri30:CH4 h2:H2)
    for large in "$data/combustion/usc_mech_ii/usc_mech_ii.yaml:C2H4" "$data/combustion/jetsurf2/jetsurf2.yaml:NC12H26"; do
        [ -f "${large%:*}" ] && cases+=("$large")
    done
fi
# Beside the record, so that a page is not lost with the machine's own scratch.
pages=$record.pages
mkdir -p "$pages" || exit 2
running=
page=
declare -A compiling
# What is under way ends with this script, and its page is kept.
end() {
    kill ${running:+"$running"} "${compiling[@]}" 2>/dev/null
    [ -n "$running" ] && wait "$running" 2>/dev/null && running=
    [ -n "$page" ] && cat "$page" 2>/dev/null
    exit "$1"
}
trap 'end 143' TERM
trap 'end 130' INT

limit=${LIMIT:-570}
# Seconds that are left, less some that what comes after wants.
left() { echo $((limit - SECONDS - ${1:-0})); }
# Runs a program for so many seconds at most. In the background, so that this script can be stopped meanwhile.
within() {
    local seconds=$1
    shift
    [ "$seconds" -ge 1 ] || return 124
    timeout -k 3 "$seconds" "$@" &
    running=$!
    wait "$running"
    local code=$?
    running=
    return $code
}

devices=$("$kinlane" devices)
mapfile -t ids < <(grep -oE '^(cuda|opencl):[0-9]+' <<<"$devices")
[ -n "${DEVICES:-}" ] && read -ra ids <<<"$DEVICES"
[ ${#ids[@]} -gt 0 ] || { echo "$devices"; echo "no device to measure" >&2; exit 2; }

# Cells of a batch, on a card and on a CPU; how much of the time a mechanism should have.
cells() {
    case $1 in
    *jetsurf*) echo 20000 64 ;;
    *usc*) echo 100000 504 ;;
    *gri*) echo 200000 2016 ;;
    h2:*) echo 1000000 10080 ;;
    *) echo 50000 504 ;;
    esac
}
weight() { case $1 in h2:*) echo 2 ;; *gri*) echo 4 ;; *) echo 3 ;; esac }

wrong=0
exec 3>&1 >"$record"
echo "# Devices beside the CPU"
echo
echo "- date: $(date +%F)"
commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)
git -C "$root" diff --quiet HEAD 2>/dev/null || commit+=+
echo "- commit: $commit"
echo "- machine: $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2- | sed 's/^ //'), $(nproc) cores seen, load $(cut -d' ' -f1 /proc/loadavg) at the start"
command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader | sed 's/^/- card: /'
echo "- command: \`${CELLS:+CELLS=$CELLS }benches/gpu.sh ${record##*/} ${cases[*]##*/}\`, $limit s at most"
grep -qE 'a GPU' <<<"$devices" || echo "- no GPU was measured: the devices are CPUs"
echo
echo '```'
echo "$devices"
echo '```'
# What comes after the mechanisms, for every device.
after=60
weights=0
for case in "${cases[@]}"; do weights=$((weights + ${#ids[@]} * $(weight "$case"))); done
devices_left=${#ids[@]}
for id in "${ids[@]}"; do
    card=1
    grep -A0 "^$id " <<<"$devices" | grep -q 'a CPU' && card=0
    echo
    echo "## $id"
    # Kernels of large mechanisms take long to compile: beside what is measured of the small ones.
    for case in "${cases[@]}"; do
        [ $card -eq 1 ] && [[ $case == */* ]] && [ "$(left)" -ge 1 ] || continue
        timeout "$(left)" "$kinlane" bench gpu "$case" --device "$id" --compile >/dev/null 2>&1 &
        compiling["$id $case"]=$!
    done
    for case in "${cases[@]}"; do
        # Time that others have not used is shared by those to come.
        share=$(($(left $((after * devices_left))) * $(weight "$case") / weights))
        weights=$((weights - $(weight "$case")))
        read -r many few <<<"$(cells "$case")"
        number=${CELLS:-$([ $card -eq 1 ] && echo "$many" || echo "$few")}
        batches=()
        [[ $case == *gri* ]] && batches=(--batches "${BATCHES:-$([ $card -eq 1 ] && echo 1000,5000,20000,50000,200000,1000000 || echo 504,1008,2016)}")
        page=$pages/$id-$(basename "${case%:*}" .yaml).md
        rm -f "$page"
        echo
        echo "### $(basename "${case%:*}" .yaml):${case##*:}"
        echo
        begin=$SECONDS
        if [ -n "${compiling["$id $case"]:-}" ]; then
            while kill -0 "${compiling["$id $case"]}" 2>/dev/null && [ $((SECONDS - begin)) -lt $((share / 2)) ]; do sleep 1; done
            share=$((share - SECONDS + begin))
            [ $SECONDS -gt "$begin" ] && echo "Waited $((SECONDS - begin)) s for the compiler." && echo
        fi
        within "$share" "$kinlane" bench gpu "$case" --device "$id" --cells "$number" "${batches[@]}" --quiet --out "$page" 2>"$pages/errors"
        code=$?
        cat "$page" 2>/dev/null
        page=
        case $code in
        0) ;;
        1) wrong=1 ;;
        124 | 137) echo && echo "Ended after its share of $share s: what is missing was not measured." ;;
        *) wrong=1 && echo "Ended with $code:" && cat "$pages/errors" ;;
        esac
        echo
        echo "($((SECONDS - begin)) s)"
    done
    # A sweep of ignition delays: the CPU's table, and the time of both.
    echo
    for case in "${cases[@]}"; do
        [[ $case == */* ]] && continue
        rm -f "$pages"/*.csv
        for place in cpu "$id"; do
            share=$(($(left $((after * (devices_left - 1)))) / 3))
            within "$share" "$kinlane" ignite "${case%%:*}" --fuel "${case##*:}" --oxidizer O2:1,N2:3.76 --T "1100:1900:${DELAYS:-200}" \
                --end-time 0.05 --delay dT/dt --delay 'max OH' --device "$place" --csv "$pages/$place.csv" >"$pages/said" 2>&1
            code=$?
            [ $code -eq 124 ] && echo "delays of $case on $place: not done in $share s" && continue 2
            [ $code -eq 0 ] || wrong=1
            echo "delays of $case: $(tail -n 1 "$pages/said")"
        done
        cmp -s "$pages/cpu.csv" "$pages/$id.csv" || { echo "other delays than the CPU's"; wrong=1; }
    done
    # On a few cells and steps, since each takes a hundred times as long: reads and writes outside their memory, races in the memory of a
    # group (racecheck sees no other), barriers that some threads do not come to, reads of what nobody wrote. Parts of a warp go separate ways.
    if [[ $id == cuda:* ]] && command -v compute-sanitizer >/dev/null; then
        runs=('memcheck group' 'racecheck group' 'synccheck group' 'initcheck group' 'memcheck part' 'racecheck part' 'synccheck part')
        for i in "${!runs[@]}"; do
            read -r tool mapping <<<"${runs[i]}"
            within $(($(left $((after * (devices_left - 1)))) / (${#runs[@]} - i))) compute-sanitizer --tool "$tool" --error-exitcode 9 \
                "$kinlane" ignite h2 --fuel H2 --oxidizer O2:1,N2:3.76 --T 1200:1800:64 --end-time 1e-6 --device "$id" \
                --mapping "$mapping" --csv "$pages/sane.csv" >"$pages/$tool" 2>&1
            code=$?
            case $code in
            0) echo "$tool, $mapping: clean" ;;
            124) echo "$tool, $mapping: not done in its time" ;;
            *) echo "$tool, $mapping: ended with $code"; tail -n 5 "$pages/$tool"; wrong=1 ;;
            esac
        done
    fi
    devices_left=$((devices_left - 1))
done
kill "${compiling[@]}" 2>/dev/null
echo
echo "$SECONDS s in all."
exec >&3
rm -rf "$pages"
cat "$record"
exit $wrong
