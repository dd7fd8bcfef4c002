"""Speed beside Cantera at equal achieved error, for several mechanisms and intervals, as a dated record.

usage: python benches/compare.py [MECH:FUEL:DT ...] [--n 126] [--repeat 16] [--p99 1e-3] [--args "..."]

MECH is a folder of data/combustion. Each case is one run of acceptance/advance.py: one core each, CPU seconds of the
integration alone, the fastest of a ladder of tolerances whose 99th-percentile error meets the target.
"""

import argparse
import re
import subprocess

from record import ACCEPTANCE, Record, mechanism

CASES = [
    "h2co_burke:H2:1e-6", "h2co_burke:H2:1e-4",
    "gri30:CH4:1e-6", "gri30:CH4:1e-4",
    "usc_mech_ii:C2H4:1e-6", "usc_mech_ii:C2H4:1e-4",
    "aramco13:CH4:1e-6",
]
# A line of advance.py about one run.
RUN = re.compile(r"^(?P<who>\S.*?) +rtol (?P<rtol>\S+) atol (?P<atol>\S+?): +(?P<speed>\d+) cells/s +error median (?P<median>\S+) p99 (?P<p99>\S+)")


def fastest(lines, who, p99):
    runs = [m.groupdict() for m in map(RUN.match, lines) if m and m["who"].split()[0] == who and float(m["p99"]) <= p99]
    return max(runs, key=lambda r: float(r["speed"]), default=None)


a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
a.add_argument("cases", nargs="*", default=CASES)
a.add_argument("--n", type=int, default=126)
a.add_argument("--repeat", type=int, default=16)
a.add_argument("--p99", type=float, default=1e-3)
a.add_argument("--args", default="")
o = a.parse_args()

record = Record("compare", "kinlane beside Cantera")
record.say(f"- states: {o.n} per case along constant-pressure ignition at 1 atm, {o.repeat} copies for kinlane; one core each")
record.say(f"- error: against Cantera at rtol 1e-12, atol 1e-20; the fastest run of each with p99 at most {o.p99:g}")
record.table("mechanism", "fuel", "dt (s)", "kinlane cells/s", "at rtol, atol", "error median, p99", "Cantera cells/s", "how, at rtol, atol", "error median, p99", "ratio")
for case in o.cases:
    name, fuel, dt = case.split(":")
    command = ["python3", ACCEPTANCE / "advance.py", mechanism(name), "--fuel", fuel, "--dt", dt, "--n", str(o.n),
               "--repeat", str(o.repeat), "--p99", str(o.p99), f"--args={o.args}"]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    ours, theirs = fastest(lines, "kinlane", o.p99), fastest(lines, "cantera", o.p99)
    failed = re.search(r"failed cells (\d+)", done.stdout)
    if not failed:
        record.row(name, fuel, dt, "no result: " + (done.stderr.strip().splitlines() or lines or ["?"])[-1][:120], *[""] * 6)
        continue
    left = [f"{ours['speed']}", f"{ours['rtol']}, {ours['atol']}", f"{ours['median']}, {ours['p99']}"] if ours else ["target missed", "", ""]
    right = [f"{theirs['speed']}", f"{theirs['who'].split()[1]}, {theirs['rtol']}, {theirs['atol']}", f"{theirs['median']}, {theirs['p99']}"] if theirs else ["target missed", "", ""]
    ratio = f"{float(ours['speed']) / float(theirs['speed']):.1f}" if ours and theirs else ""
    record.row(name, fuel, dt, *left, *right, ratio + ("" if failed[1] == "0" else f" ({failed[1]} cells failed)"))
record.write()
