#!/usr/bin/env python3
"""Error and time of the methods without linear algebra beside those with it, as tables: FERN's networks of 16 and 150
nuclides at 7 GK and 1e8 g/cm3, and WRF-Chem's RADM2 over 240 s from where the air has settled.

    python benches/explicit.py KINLANE SHARED_FOLDER [METHOD ...]

KINLANE is the program; SHARED_FOLDER holds `data/` and `golden/`. One thread; cpu_seconds, rate constants included. Errors
are the largest of any species, relative: of nuclides above 1e-10 against the golden answers, of RADM2 against rtol 1e-10
with a floor of 1e3 molecules/cm3.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

METHODS = ["auto", "radau5", "chemeq2", "asymptotic"]
TOLERANCES = {"auto": [1e-3, 1e-5], "radau5": [1e-3, 1e-5], "chemeq2": [1e-2, 1e-3, 1e-4], "asymptotic": [1e-2, 1e-3, 1e-4]}
BUDGET = 1_000_000


def advance(program, scheme, states, out, dt, *more):
    report = out.with_suffix(".json")
    command = [program, "advance", scheme, "--states", states, "--dt", dt, "--out", out, "--json", report]
    command += ["--threads", 1, "--quiet", "--max-steps", BUDGET, *more]
    done = subprocess.run([str(x) for x in command], capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(done.stderr)
    return json.loads(report.read_text())


def table(title, methods, run):
    """`run(method, rtol)` gives a report and the errors of all cells."""
    print(f"\n## {title}\n\n| method | rtol | ms a cell | of auto | steps | rejected | error | failed |")
    print("|---|---|---|---|---|---|---|---|")
    first = None
    for method in methods:
        for rtol in TOLERANCES.get(method, [1e-3]):
            r, error = run(method, rtol)
            n = r["cells"]
            each = r["cpu_seconds"] / n * 1e3
            first = first or each
            print(
                f"| `{method}` | {rtol:g} | {each:.3g} | {each / first:.3g} | {r['steps'] / n:.0f} | {r['rejected'] / n:.0f} "
                f"| {np.quantile(error, 0.99):.1e} | {r['failed']} |",
                flush=True,
            )


def star(folder, program, shared, name, cells):
    golden = json.loads((shared / f"golden/nuclear/fern_{name}.json").read_text())
    scheme = shared / "golden/.." / golden["data"]["species"]
    rates = shared / "golden/.." / golden["data"]["reactions"]
    row = golden["trajectory"]["rows"][-1]
    states = dict(T9=np.full(cells, golden["trajectory"]["T9"]), rho=np.full(cells, golden["trajectory"]["rho"]))
    np.savez(folder / "star.npz", species=golden["species"], Y=np.tile(golden["Y0"], (cells, 1)), **states)
    want = np.array(row["Y"])
    here = want > 1e-10

    def run(method, rtol):
        more = ["--rates", rates, "--method", method, "--rtol", rtol, "--atol", rtol * 1e-6]
        r = advance(program, scheme, folder / "star.npz", folder / "o.npz", row["t_s"], *more)
        got = np.load(folder / "o.npz")["Y"][:, here]
        return r, np.max(np.abs(got / want[here] - 1.0), axis=1)

    return run


def radm2(folder, program, shared, n):
    golden = json.loads((shared / "golden/atmospheric/radm2.json").read_text())
    scheme = shared / "data/atmospheric/wrf-chem/radm2/radm2.kpp"
    names, evolving = [*golden["variable_species"], *golden["fixed_species"]], len(golden["variable_species"])
    random = np.random.default_rng(1)
    cells = [golden["states"][i] for i in random.integers(0, len(golden["states"]), n)]
    amounts = [{**c["C0"], "H2O": c["H2O"], "M": c["C_M"]} for c in cells]
    C = np.array([[a.get(s, 0.0) for s in names] for a in amounts])
    C[:, :evolving] *= np.exp(random.normal(0.0, 0.3, (n, evolving)))
    J = np.array([[c["J"][p] for p in golden["photolysis_names"]] for c in cells])
    columns = {name: np.array([c[name] for c in cells], float) for name in ("T", "C_M", "rc_n2o5")}
    np.savez(folder / "cold.npz", C=C, species=names, J=J, photolysis=golden["photolysis_names"], **columns)
    advance(program, scheme, folder / "cold.npz", folder / "warm.npz", 240, "--rtol", 1e-6)
    advance(program, scheme, folder / "warm.npz", folder / "ref.npz", 240, "--rtol", 1e-10, "--atol", 1e-6)
    want = np.load(folder / "ref.npz")["C"][:, :evolving]

    def run(method, rtol):
        more = ["--method", method, "--rtol", rtol, "--atol", 1.0 if rtol > 1e-4 else 1e-3]
        r = advance(program, scheme, folder / "warm.npz", folder / "o.npz", 240, *more)
        got = np.load(folder / "o.npz")["C"][:, :evolving]
        return r, np.max(np.abs(got - want) / (np.abs(want) + 1e3), axis=1)

    return run


def main():
    program, shared = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    methods = sys.argv[3:] or METHODS
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        table("RADM2, 1024 cells, 240 s", methods, radm2(folder, program, shared, 1024))
        table("FERN, 16 nuclides, 16 cells, 1e-3 s", methods, star(folder, program, shared, "alpha", 16))
        table("FERN, 150 nuclides, 16 cells, 5e-8 s", methods, star(folder, program, shared, "150", 16))


main()
