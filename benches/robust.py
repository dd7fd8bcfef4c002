"""States drawn at random over the whole range, advanced by short and long steps: nothing may fail.

usage: python benches/robust.py [MECH ...] [--n 100000] [--skip 0] [--dt 1e-6 1e-3] [--seed 1] [--threads 2] [--args "..."]

MECH is a folder of data/combustion. Temperatures are uniform in 300 to 3500 K, pressures log-uniform in 0.01 to 100 atm,
compositions random with a third of the species absent. Passes when no cell fails, no mass fraction ends below -1e-12
and no element's mass changes by more than 1e-10 of the whole.
"""

import argparse
import os
import sys

import numpy as np
from record import Record, mechanism

from common import random_states, scratch, solution
from run import advance

a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
a.add_argument("mechanisms", nargs="*", default=["gri30", "usc_mech_ii"])
a.add_argument("--n", type=int, default=100_000)
a.add_argument("--skip", type=int, default=0, help="states that an earlier run has advanced")
a.add_argument("--dt", type=float, nargs="*", default=[1e-6, 1e-3])
a.add_argument("--seed", type=int, default=1)
a.add_argument("--rtol", type=float, default=1e-6)
a.add_argument("--atol", type=float, default=1e-12)
a.add_argument("--threads", type=int, default=os.cpu_count())
a.add_argument("--args", default="")
o = a.parse_args()

PART = 5000  # cells at a time: a run that is cut off has said how far it came

record = Record("robust", "States drawn at random")
record.say(f"- {o.n} states: 300 to 3500 K, 0.01 to 100 atm, a third of the species absent; rtol {o.rtol:g}, atol {o.atol:g}")
record.table("", "mechanism", "dt (s)", "cells", "failed", "steps per cell", "rejections per cell", "lowest Y", "drift of elements", "CPU (s)")
wrong = 0
for name in o.mechanisms:
    gas = solution(mechanism(name))
    T, P, Y = random_states(gas, o.n, o.seed, T=(300.0, 3500.0), P=(1013.25, 1.01325e7))
    share = np.array([[gas.n_atoms(s, e) * gas.atomic_weight(e) for e in gas.element_names] for s in gas.species_names])
    share /= gas.molecular_weights[:, None]
    d = scratch()
    for dt in o.dt:
        total, complaints = {k: 0 for k in ("cells", "failed", "steps", "rejected", "cpu_seconds")}, ""
        drift = lowest = 0.0
        for lo in range(o.skip, o.n, PART):
            part = slice(lo, min(lo + PART, o.n))
            cells = T[part], P[part], Y[part]
            _, Y1, r, status, said = advance(d, name, gas, cells, dt, o.rtol, o.atol, *o.args.split(), threads=o.threads, check=False)
            done = status == 0
            drift = max(drift, np.abs((Y1 - Y[part]) @ share)[done].max(initial=0.0))
            lowest = min(lowest, Y1[done].min(initial=0.0))
            complaints += said
            for k in total:
                total[k] += r[k]
            print(f"      {name} dt {dt:g}: {total['cells']} cells, {total['failed']} failed so far", file=sys.stderr, flush=True)
        good = total["failed"] == 0 and lowest >= -1e-12 and drift <= 1e-10
        wrong += not good
        record.row("ok" if good else "WRONG", name, f"{dt:g}", total["cells"], total["failed"], f"{total['steps'] / total['cells']:.1f}",
                   f"{total['rejected'] / total['cells']:.1f}", f"{lowest:.1e}", f"{drift:.1e}", f"{total['cpu_seconds']:.1f}")
        if complaints and not good:
            print(complaints[-1500:])
record.write()
print("PASS" if not wrong else f"FAIL: {wrong}")
raise SystemExit(wrong > 0)
