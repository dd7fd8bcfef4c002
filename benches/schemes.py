#!/usr/bin/env python3
"""Speed and error of every method on two reaction schemes, as a table: WRF-Chem's RADM2 over 240 s from where the air
has settled, and FERN's network of 150 nuclides at 7 GK and 1e8 g/cm3 over 5e-8 s.

    python benches/schemes.py KINLANE SHARED_FOLDER [METHOD ...]

KINLANE is the program; SHARED_FOLDER holds `data/` and `golden/`. One thread; cpu_seconds, rate constants included. Errors are the largest of any
species above a floor, relative, of each cell; for RADM2 against rtol 1e-10, for FERN against the golden answer.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

METHODS = ["auto", "rodas3", "ros3", "rodas4", "rodas5p", "bdf", "radau5", "sdirk4"]
TOLERANCES = [1e-3, 1e-4, 1e-6]


def advance(program, scheme, states, out, dt, *more):
    report = out.with_suffix(".json")
    command = [program, "advance", scheme, "--states", states, "--dt", dt, "--out", out, "--json", report]
    command += ["--threads", 1, "--quiet", *more]
    done = subprocess.run([str(x) for x in command], capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(done.stderr)
    return json.loads(report.read_text())


def radm2_cells(golden, n):
    """The golden states, in random order, with amounts multiplied by random numbers about one."""
    names = [*golden["variable_species"], *golden["fixed_species"]]
    random = np.random.default_rng(1)
    which = random.integers(0, len(golden["states"]), n)
    cells = [golden["states"][i] for i in which]
    amounts = [{**c["C0"], "H2O": c["H2O"], "M": c["C_M"]} for c in cells]
    C = np.array([[a.get(s, 0.0) for s in names] for a in amounts])
    evolving = len(golden["variable_species"])
    C[:, :evolving] *= np.exp(random.normal(0.0, 0.3, (n, evolving)))
    J = np.array([[c["J"][p] for p in golden["photolysis_names"]] for c in cells])
    columns = {name: np.array([c[name] for c in cells], float) for name in ("T", "C_M", "rc_n2o5")}
    return dict(C=C, species=names, J=J, photolysis=golden["photolysis_names"], **columns), evolving


def table(title, rows):
    print(f"\n## {title}\n\n| method | rtol | cells/s | steps | rejected | error: median | 99 % | failed |")
    print("|---|---|---|---|---|---|---|---|")
    for method, rtol, r, error in rows:
        n = r["cells"]
        print(
            f"| `{method}` | {rtol:g} | {n / r['cpu_seconds']:.0f} | {r['steps'] / n:.1f} | {r['rejected'] / n:.1f} "
            f"| {np.median(error):.1e} | {np.quantile(error, 0.99):.1e} | {r['failed']} |"
        )


def main():
    program, shared = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    methods = sys.argv[3:] or METHODS
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)

        golden = json.loads((shared / "golden/atmospheric/radm2.json").read_text())
        scheme = shared / "data/atmospheric/wrf-chem/radm2/radm2.kpp"
        cells, evolving = radm2_cells(golden, 4096)
        np.savez(folder / "cold.npz", **cells)
        advance(program, scheme, folder / "cold.npz", folder / "warm.npz", 240, "--rtol", 1e-6)
        advance(program, scheme, folder / "warm.npz", folder / "ref.npz", 240, "--rtol", 1e-10, "--atol", 1e-6)
        want = np.load(folder / "ref.npz")["C"][:, :evolving]
        rows = []
        for method in methods:
            for rtol in TOLERANCES:
                more = ["--method", method, "--rtol", rtol, "--atol", 1.0 if rtol > 1e-4 else 1e-3]
                r = advance(program, scheme, folder / "warm.npz", folder / "o.npz", 240, *more)
                got = np.load(folder / "o.npz")["C"][:, :evolving]
                rows.append((method, rtol, r, np.max(np.abs(got - want) / (np.abs(want) + 1e3), axis=1)))
        table("RADM2, 4096 cells, 240 s", rows)

        golden = json.loads((shared / "golden/nuclear/fern_150.json").read_text())
        scheme = shared / "data/nuclear/fern/CUDAnet_150.inp"
        n, row = 64, golden["trajectory"]["rows"][-1]
        species = dict(species=golden["species"], Y=np.tile(golden["Y0"], (n, 1)))
        np.savez(folder / "star.npz", T9=np.full(n, 7.0), rho=np.full(n, 1e8), **species)
        want = np.array(row["Y"])
        here = want > 1e-10
        rows = []
        for method in methods:
            for rtol in TOLERANCES:
                more = ["--method", method, "--rtol", rtol, "--atol", rtol * 1e-6]
                r = advance(program, scheme, folder / "star.npz", folder / "o.npz", row["t_s"], *more)
                got = np.load(folder / "o.npz")["Y"][:, here]
                rows.append((method, rtol, r, np.max(np.abs(got / want[here] - 1.0), axis=1)))
        table("FERN, 150 nuclides, 64 cells, 5e-8 s", rows)


main()
