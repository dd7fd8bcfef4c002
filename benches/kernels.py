"""Instructions of every kernel on GRI-3.0, counted under valgrind, against the stored counts.

    python benches/kernels.py            fails where a kernel takes 2 % more or fewer instructions than stored
    python benches/kernels.py --bless    stores what was counted

Counts do not depend on how busy the machine is, so they find a slower kernel where a clock cannot. They are of the AVX2
code, since valgrind knows no AVX-512; both come from one source. Every kernel runs at two numbers of repetitions: the
difference holds nothing of reading, planning and loading, but for the little by which hash tables with random seeds vary.
`call` is a whole call of `auto` for 1024 cells over 1e-9 s: some three attempts a cell, and all that it costs beside them.
Another compiler makes other code: beside the one that the counts were stored with, 10 % are allowed.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PROGRAM = TARGET / "release/examples/kernels"
STORED = pathlib.Path(__file__).parent / "records/kernels.counts"
LANES = "avx2 x 8"
# As in the example.
CELLS = {"call": 1024}
LANES_WIDE = 8
ALLOWED = 0.02
ALLOWED_OTHER_COMPILER = 0.10
# Repetitions beyond the first run's, so that every kernel executes some ten million instructions.
TIMES = {"rates": 1000, "jacobian": 300, "factor": 300, "solve": 2000, "exp": 5000, "attempt": 80, "call": 1}


def instructions(kernel, times):
    with tempfile.NamedTemporaryFile() as out:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}"]
        command += [PROGRAM, "--lanes", LANES, "--kernel", kernel, "--times", str(times)]
        done = subprocess.run(command, capture_output=True, text=True)
        found = re.search(r"^(?:summary|totals): (\d+)$", pathlib.Path(out.name).read_text(), re.MULTILINE)
    if done.returncode or not found:
        sys.exit(f"{kernel} did not run under valgrind:\n{done.stderr}")
    return int(found[1])


def per_cell(kernel):
    more = TIMES[kernel]
    return (instructions(kernel, 1 + more) - instructions(kernel, 1)) / (more * CELLS.get(kernel, LANES_WIDE))


def head():
    compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return f"# Instructions per cell, {LANES}, GRI-3.0, {compiler}; written by benches/kernels.py --bless"


def stored():
    lines = STORED.read_text().splitlines() if STORED.exists() else []
    counts = {kernel: float(count) for kernel, count in (line.split() for line in lines if line and line[0] != "#")}
    return counts, ALLOWED if lines and lines[0] == head() else ALLOWED_OTHER_COMPILER


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bless", action="store_true", help="store what was counted")
    bless = parser.parse_args().bless
    # Not `-p kinlane-lanes`: with the features of the whole workspace it is what `cargo test` has built already.
    subprocess.run(["cargo", "build", "--release", "--quiet", "--example", "kernels"], cwd=ROOT, check=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counted = dict(zip(TIMES, pool.map(per_cell, TIMES)))
    (before, allowed), off = stored(), []
    print(f"{'kernel':10} {'stored':>9} {'counted':>9}   instructions per cell, {LANES}")
    for kernel, count in counted.items():
        was = before.get(kernel)
        change = count / was - 1 if was else float("inf")
        print(f"{kernel:10} {was or 0:9.0f} {count:9.0f}   {change:+.2%}")
        if abs(change) > allowed:
            off.append(kernel)
    if bless:
        lines = [head(), *(f"{kernel:10} {count:9.0f}" for kernel, count in counted.items())]
        STORED.write_text("\n".join(lines) + "\n")
        print(f"written: {STORED.relative_to(ROOT)}")
    elif off:
        sys.exit(
            f"{', '.join(off)}: more than {allowed:.0%} off. More: find out why. Fewer, or more for a reason: store "
            "the new counts with `python benches/kernels.py --bless` and say why in the commit."
        )


if __name__ == "__main__":
    main()
