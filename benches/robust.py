"""States drawn at random over the whole range, advanced by short and long steps: nothing may fail.

usage: python benches/robust.py [MECH ...] [--n 100000] [--dt 1e-6 1e-3] [--seed 1] [--args "..."]

MECH is a folder of data/combustion. Temperatures are uniform in 300 to 3500 K, pressures log-uniform in 0.01 to 100 atm,
compositions random with a third of the species absent. Passes when no cell fails, no mass fraction ends below -1e-12
and no element's mass changes by more than 1e-10 of the whole.
"""

import argparse
import sys

import numpy as np

from record import ACCEPTANCE, mechanism

sys.path.insert(0, str(ACCEPTANCE))
from common import kinlane, random_states, report, save_states, scratch, solution  # noqa: E402

a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
a.add_argument("mechanisms", nargs="*", default=["gri30", "usc_mech_ii"])
a.add_argument("--n", type=int, default=100_000)
a.add_argument("--dt", type=float, nargs="*", default=[1e-6, 1e-3])
a.add_argument("--seed", type=int, default=1)
a.add_argument("--args", default="")
o = a.parse_args()

PART = 5000  # cells at a time: a run that is cut off has said how far it came

wrong = 0
for name in o.mechanisms:
    gas = solution(mechanism(name))
    T, P, Y = random_states(gas, o.n, o.seed, T=(300.0, 3500.0), P=(1013.25, 1.01325e7))
    share = np.array([[gas.n_atoms(s, e) * gas.atomic_weight(e) for e in gas.element_names] for s in gas.species_names])
    share /= gas.molecular_weights[:, None]
    order_in = gas.species_names
    d = scratch()
    for dt in o.dt:
        total, complaints = {k: 0 for k in ("cells", "failed", "steps", "rejected", "cpu_seconds")}, ""
        drift = lowest = 0.0
        for lo in range(0, o.n, PART):
            part = slice(lo, min(lo + PART, o.n))
            save_states(d / "s.npz", T[part], P[part], Y[part], order_in)
            p = kinlane("advance", mechanism(name), "--states", d / "s.npz", "--dt", dt, "--out", d / "o.npz", "--json", d / "o.json", "--quiet", *o.args.split(), check=False)
            r, got = report(d / "o.json"), np.load(d / "o.npz")
            done = got["status"] == 0
            Y1 = got["Y"][:, [list(got["species"]).index(s) for s in order_in]]
            drift = max(drift, np.abs((Y1 - Y[part]) @ share)[done].max())
            lowest = min(lowest, Y1[done].min())
            complaints += p.stderr
            for k in total:
                total[k] += r[k]
            print(f"      {name} dt {dt:g}: {total['cells']} cells, {total['failed']} failed so far", file=sys.stderr, flush=True)
        good = total["failed"] == 0 and lowest >= -1e-12 and drift <= 1e-10
        wrong += not good
        print(f"{'ok   ' if good else 'WRONG'} {name} dt {dt:g}: {total['cells']} cells, {total['failed']} failed, "
              f"{total['steps'] / o.n:.1f} steps and {total['rejected'] / o.n:.1f} rejections per cell, "
              f"lowest Y {lowest:.1e}, elements drift {drift:.1e}, {total['cpu_seconds']:.1f} s CPU", flush=True)
        if complaints and not good:
            print(complaints[-1500:])
print("PASS" if not wrong else f"FAIL: {wrong}")
raise SystemExit(wrong > 0)
