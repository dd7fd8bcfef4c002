"""A batch of cold, igniting and burnt cells, a third each in random order, by `auto` and by single methods: CPU time over the
error, one core.

usage: python benches/mixed.py [--mechanism gri30:CH4] [--cells 600] [--dt 1e-7 1e-6 1e-5] [--methods rodas5p,rodas4,radau5,bdf,dopri5]
Cold: fresh gas, 300 to 900 K. Igniting: somewhere in the first 800 K of a rise from 1100 to 1600 K. Burnt: mixtures of two
equilibria that differ by 2 % in phi. All at 1 to 20 bar, phi 0.5 to 2. The error of a cell is its largest relative one, of T
or of any mass fraction with a floor of 1e-10, beside radau5 at rtol 1e-11; times at equal error are interpolated between runs.
"""
import argparse
import pathlib
import tempfile

import cantera
import numpy as np
from record import Record, mechanism

from run import advance

TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6]
OXIDIZER = "O2:1, N2:3.76"


def states(gas, fuel, count, random):
    """T, P, Y of the cells, in random order."""
    rows = []

    def add():
        rows.append((gas.T, gas.P, gas.Y.copy()))

    for kind in range(3):
        for _ in range(count // 3):
            phi, P = random.uniform(0.5, 2.0), 1e5 * 10 ** random.uniform(0.0, 1.3)
            gas.set_equivalence_ratio(phi, fuel, OXIDIZER)
            gas.TP = random.uniform(300.0, 900.0), P
            if kind == 1:
                gas.TP = random.uniform(1100.0, 1600.0), P
                reactor = cantera.IdealGasConstPressureReactor(gas)
                net, goal = cantera.ReactorNet([reactor]), gas.T + random.uniform(5.0, 800.0)
                while reactor.T < goal and net.time < 1.0:
                    net.step()
            if kind == 2:
                start, ends = gas.T, []
                for richer in (1.0, 1.02):
                    gas.set_equivalence_ratio(phi * richer, fuel, OXIDIZER)
                    gas.TP = start, P
                    gas.equilibrate("HP")
                    ends.append((gas.h, gas.Y.copy()))
                share = random.uniform()
                h, mixed = (share * one + (1 - share) * other for one, other in zip(*ends))
                gas.HPY = h, P, mixed
            add()
    order = random.permutation(len(rows))
    return [np.array(column)[order] for column in zip(*rows)]


def run(folder, name, gas, cells, dt, method, rtol, atol, times):
    """The fastest of so many runs: CPU microseconds per cell, T and Y, how many cells `auto` gave to whom."""
    runs = [advance(folder, name, gas, cells, dt, rtol, atol, "--method", method, check=False) for _ in range(times)]
    T, Y, told, *_ = min(runs, key=lambda run: run[2]["cpu_seconds"])
    chosen = ", ".join(f"{c['method']} {c['cells']}" for c in told.get("chosen", []))
    return told["cpu_seconds"] / len(T) * 1e6, np.column_stack([T, Y]), chosen, told["failed"]


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--mechanism", default="gri30:CH4")
    a.add_argument("--cells", type=int, default=600)
    a.add_argument("--dt", type=float, nargs="*", default=[1e-7, 1e-6, 1e-5])
    a.add_argument("--methods", default="rodas5p,rodas4,radau5,bdf")
    a.add_argument("--runs", type=int, default=3)
    o = a.parse_args()
    name, fuel = o.mechanism.split(":")
    mech = mechanism(name)
    gas = cantera.Solution(str(mech))
    cells = states(gas, fuel, o.cells, np.random.default_rng(1))
    record = Record("mixed", "A mixed batch: a method for each cell beside one for all")
    record.say(f"- {name}, {len(cells[0])} cells: cold, igniting and burnt, a third each; the fastest of {o.runs} runs, one thread")
    record.say("- error: 99th percentile over the cells, beside radau5 at rtol 1e-11; atol = 1e-8 rtol")
    with tempfile.TemporaryDirectory() as where:
        folder = pathlib.Path(where)
        for dt in o.dt:
            _, want, _, failed = run(folder, name, gas, cells, dt, "radau5", 1e-11, 1e-18, 1)
            assert not failed, "no reference"
            curves = {}
            record.table("dt (s)", "method", "rtol", "CPU us per cell", "error", "failed", "cells by method")
            for method in ["auto", *o.methods.split(",")]:
                for rtol in TOLERANCES:
                    us, got, chosen, failed = run(folder, name, gas, cells, dt, method, rtol, rtol * 1e-8, o.runs)
                    error = np.quantile((np.abs(got - want) / (np.abs(want) + 1e-10)).max(axis=1), 0.99)
                    curves.setdefault(method, []).append((np.log(error), np.log(us)))
                    record.row(f"{dt:g}", method, f"{rtol:g}", f"{us:.1f}", f"{error:.1e}", failed, chosen)
            record.say()
            for goal in (1e-3, 1e-4, 1e-5):
                times = {}
                for method, curve in curves.items():
                    x, y = np.array(sorted(curve)).T
                    if x[0] <= np.log(goal) <= x[-1]:
                        times[method] = np.exp(np.interp(np.log(goal), x, y))
                if "auto" in times and len(times) > 1:
                    rest = ", ".join(f"{m} {t / times['auto']:.2f}" for m, t in times.items() if m != "auto")
                    record.say(f"- dt {dt:g} s, error {goal:g}: auto {times['auto']:.1f} us; times as long: {rest}")
    record.write()


main()
