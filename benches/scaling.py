"""The cost of one cell and one attempted step over the size of the mechanism, from 13 to 874 species.

usage: python benches/scaling.py [MECH ...] [--cells 256] [--dt 1e-5] [--rtol 1e-6] [--atol 1e-14] [--args "..."]

The states are hot and burning: a stoichiometric mixture of a fuel of the mechanism and air, each cell at its own
temperature, brought some way into ignition by Cantera. What counts is the time per attempted step, which hardly
depends on how stiff the states happen to be. Fits seconds, reactions and the multiply-adds of LU as powers of the number
of species, and seconds as a power of the number of reactions.
"""

import argparse
import json

from record import Record, mechanism

import numpy as np
from common import cantera_advance, cell_errors, kinlane, scratch, solution
from run import advance

MECHANISMS = ["h2co_burke", "gri30", "usc_mech_ii", "aramco13", "jetsurf2", "llnl_nc7_v31", "llnl_ic8_v3"]
FUELS = ["CH4", "H2", "ch4", "h2"]
CHECKED = 8  # cells whose answer is compared with Cantera: the time of a wrong answer is no measurement


def burning(gas, n):
    """n states: entry temperatures from 1300 to 2200 K, burning for 1 us to 1 ms."""
    fuel = next(f for f in FUELS if f in gas.species_names)
    o2, n2 = ("o2", "n2") if fuel.islower() else ("O2", "N2")
    gas.set_equivalence_ratio(1.0, fuel, f"{o2}:1, {n2}:3.76")
    T, P, Y = np.linspace(1300.0, 2200.0, CHECKED), np.full(CHECKED, 101325.0), np.tile(gas.Y, (CHECKED, 1))
    for i, age in enumerate(np.geomspace(1e-6, 1e-3, CHECKED)):
        To, Yo, _ = cantera_advance(gas, T[i : i + 1], P[:1], Y[i : i + 1], age, 1e-8, 1e-15)
        T[i], Y[i] = To[0], np.clip(Yo[0], 0.0, None) / np.clip(Yo[0], 0.0, None).sum()
    some = np.arange(n) % CHECKED
    return T[some], P[some], Y[some]


a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
a.add_argument("mechanisms", nargs="*", default=MECHANISMS)
a.add_argument("--cells", type=int, default=256)
a.add_argument("--dt", type=float, default=1e-5)
a.add_argument("--rtol", type=float, default=1e-6)
a.add_argument("--atol", type=float, default=1e-14)
a.add_argument("--args", default="")
o = a.parse_args()

record = Record("scaling", "Cost of a cell and step over the size of the mechanism")
record.say(f"- {o.cells} burning cells, one thread, dt {o.dt:g} s, rtol {o.rtol:g}, atol {o.atol:g}, best CPU time of three runs")
record.say(f"- error: largest of {CHECKED} cells against Cantera at rtol 1e-11, atol 1e-20")
record.table("mechanism", "species", "reactions", "attempts per cell", "us per attempt", "ns per attempt and species", "and reaction", "error")
d, sizes = scratch(), []
for name in o.mechanisms:
    gas = solution(mechanism(name))
    T, P, Y = burning(gas, o.cells)
    runs = [advance(d, name, gas, (T, P, Y), o.dt, o.rtol, o.atol, *o.args.split()) for _ in range(3)]
    gotT, gotY, best, *_ = min(runs, key=lambda run: run[2]["cpu_seconds"])
    Tr, Yr, _ = cantera_advance(gas, T[:CHECKED], P[:CHECKED], Y[:CHECKED], o.dt, 1e-11, 1e-20)
    error = cell_errors(gotT[:CHECKED], gotY[:CHECKED], Tr, Yr, floor=1e-10).max()
    attempts = best["steps"] + best["rejected"]
    seconds = best["cpu_seconds"] / attempts
    kinlane("check", mechanism(name), "--json", d / "c.json", "--quiet")
    sizes.append((gas.n_species, gas.n_reactions, json.loads((d / "c.json").read_text())["sizes"]["lu_multiply_adds"], seconds))
    record.row(name, gas.n_species, gas.n_reactions, f"{attempts / o.cells:.1f}", f"{seconds * 1e6:.2f}",
               f"{seconds * 1e9 / gas.n_species:.1f}", f"{seconds * 1e9 / gas.n_reactions:.1f}", f"{error:.1e}")
if len(sizes) > 1:
    species, reactions, lu, seconds = np.log(np.array(sizes, float)).T

    def power(x, y):
        return np.polyfit(x, y, 1)[0]

    record.say(f"\nFits over all: seconds per attempt grow as species^{power(species, seconds):.2f}, that is as "
               f"reactions^{power(reactions, seconds):.2f}; reactions as species^{power(species, reactions):.2f}, "
               f"multiply-adds of LU as species^{power(species, lu):.2f}.")
record.write()
