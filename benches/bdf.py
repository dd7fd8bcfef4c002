"""What BDF needs beside CVODE: steps, right-hand sides, Jacobians and factorisations, at equal tolerances and at equal error.

usage: python benches/bdf.py [MECH:FUEL ...] [--methods bdf,ndf] [--host 63]

MECH is a folder of data/combustion. CVODE is Cantera's: ReactorNet of a constant-pressure reactor, a dense Jacobian by
difference quotients whose right-hand sides are not counted here. Both start from the same states at 1 atm, with atol a
1e-8th of rtol, and count means per cell:

- whole ignitions: fuel and air at three equivalence ratios and four temperatures, over 0.1 s;
- host steps: states along ignitions, over 1e-4 s.

The error of a cell is the largest of |Y - Yref|/(|Yref| + 1e-10) over the species and of |T - Tref|/Tref, against Cantera
at rtol 1e-12. A whole ignition ends in equilibrium whatever happened on the way, so its error is taken when T has risen
by 400 K and after twice that time. Counts at equal error are read off the ladder of tolerances, logarithmically between its
rungs, for the geometric mean of the cells' errors and for their 95th percentile.
"""

import argparse
import warnings

import cantera
import numpy as np

from record import Record, mechanism

from common import cell_errors, ignition_states, scratch, solution
from run import advance

LADDER = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9]
SHOWN = [1e-4, 1e-6, 1e-8]
WHOLE, HOST = 0.1, 1e-4
COUNTED = ["steps", "rhs", "Jacobians", "factorisations"]
STATISTICS = ["steps", "rhs_evals", "jac_evals", "lin_solve_setups", "err_test_fails", "nonlinear_conv_fails", "nonlinear_iters"]
HOT = {"h2co_burke": (1000.0, 1200.0, 1500.0, 1800.0)}
WARM = (1350.0, 1500.0, 1650.0, 1800.0)


def network(gas, T, P, Y, rtol, atol):
    gas.TPY = T, P, Y
    net = cantera.ReactorNet([cantera.IdealGasConstPressureReactor(gas, clone=False)])
    net.rtol, net.atol, net.max_steps = rtol, atol, 1_000_000
    return net


def run_cvode(gas, cells, times, rtol, atol):
    """T and Y of every cell at its times; CVODE's statistics when it has come to the last."""
    temperatures, fractions, counts = [], [], []
    for T, P, Y, stops in zip(*cells, times):
        net = network(gas, T, P, Y, rtol, atol)
        for t in stops:
            net.advance(t)
            temperatures.append(gas.T)
            fractions.append(gas.Y)
        counts.append([net.solver_stats[key] for key in STATISTICS])
    return np.array(temperatures), np.array(fractions), np.mean(counts, axis=0)


def run_kinlane(gas, name, cells, dt, rtol, atol, method, folder):
    T, Y, told, *_ = advance(folder, name, gas, cells, dt, rtol, atol, "--method", method)
    return T, Y, np.array([told[key] / told["cells"] for key in ("steps", "rhs", "jac", "factor", "rejected")])


def ladder_kinlane(gas, name, cells, times, method, folder):
    """As CVODE stops at the times, but each time is a run from the start; the last, the same for all, is counted."""
    runs = {}
    for rtol in LADDER:
        T, Y, counts = run_kinlane(gas, name, cells, times[0][-1], rtol, 1e-8 * rtol, method, folder)
        stops = len(times[0])
        temperatures, fractions = np.repeat(T, stops), np.repeat(Y, stops, axis=0)
        for at in range(stops * len(T)):
            i, j = divmod(at, stops)
            if j < stops - 1:
                one = [x[i : i + 1] for x in cells]
                T1, Y1, _ = run_kinlane(gas, name, one, times[i][j], rtol, 1e-8 * rtol, method, folder)
                temperatures[at], fractions[at] = T1[0], Y1[0]
        runs[rtol] = temperatures, fractions, counts
    return runs


def ignitions(gas, name, fuel):
    """Mixtures, and the times when T has risen by 400 K, twice that, and the end."""
    T, Y, times = [], [], []
    for phi in (0.5, 1.0, 2.0):
        for T0 in HOT.get(name, WARM):
            gas.set_equivalence_ratio(phi, fuel, "O2:1,N2:3.76")
            T.append(T0)
            Y.append(gas.Y)
            net = network(gas, T0, cantera.one_atm, Y[-1], 1e-9, 1e-17)
            while gas.T < T0 + 400:
                net.step()
            times.append([net.time, 2 * net.time, WHOLE])
            if times[-1][1] > WHOLE:
                raise SystemExit(f"{name} at {T0} K, phi {phi} does not ignite in time")
    return (np.array(T), np.full(len(T), cantera.one_atm), np.array(Y)), times


def errors(run, reference, stops):
    e = cell_errors(*run[:2], *reference[:2], floor=1e-10).reshape(-1, stops)
    return e[:, : max(stops - 1, 1)].max(axis=1) + 1e-16


def mean(e):
    return np.exp(np.log(e).mean())


def high(e):
    return np.quantile(e, 0.95)


def at_error(runs, measure, wanted):
    """Counts where the error is as wanted; None outside the ladder."""
    x = np.log([measure(e) for e, _ in runs.values()])
    if not x.min() < np.log(wanted) < x.max():
        return None
    order = np.argsort(x)
    return np.exp([np.interp(np.log(wanted), x[order], np.log([c[k] for _, c in runs.values()])[order]) for k in range(len(COUNTED))])


def compare(record, gas, name, what, cells, times, methods, folder, worst):
    stops = len(times[0])
    reference = run_cvode(gas, cells, times, 1e-12, 1e-20)
    runs = {"CVODE": {rtol: run_cvode(gas, cells, times, rtol, 1e-8 * rtol) for rtol in LADDER}}
    runs |= {method: ladder_kinlane(gas, name, cells, times, method, folder) for method in methods}
    runs = {who: {rtol: (errors(r, reference, stops), r[2]) for rtol, r in ladder.items()} for who, ladder in runs.items()}
    record.say(f"\n## {name}, {what}: {len(times)} cells")
    record.table("rtol", "code", "error mean, p95", *COUNTED, "rejected (error, iteration)", "iterations")
    for rtol in SHOWN:
        for who, ladder in runs.items():
            e, c = ladder[rtol]
            rejected = f"{c[4] + c[5]:.1f} ({c[4]:.1f}, {c[5]:.1f})" if who == "CVODE" else f"{c[4]:.1f}"
            record.row(f"{rtol:.0e}", who, f"{mean(e):.1e}, {high(e):.1e}", *(f"{x:.1f}" for x in c[:4]), rejected, f"{c[6] if who == 'CVODE' else c[1]:.1f}")
    record.table("at equal error", "code", *(f"{x} / CVODE's" for x in COUNTED))
    for label, measure in (("mean", mean), ("p95", high)):
        for method in methods:
            for wanted in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
                mine, theirs = (at_error(runs[who], measure, wanted) for who in (method, "CVODE"))
                if mine is not None and theirs is not None:
                    record.row(f"{label} {wanted:.0e}", method, *(f"{x:.2f}" for x in mine / theirs))
                    worst.setdefault(method, []).append(mine / theirs)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("cases", nargs="*", default=["h2co_burke:H2", "gri30:CH4", "usc_mech_ii:C2H4"])
    a.add_argument("--methods", default="bdf,ndf")
    a.add_argument("--host", type=int, default=63)
    o = a.parse_args()
    warnings.simplefilter("ignore")
    methods, folder, ratios = o.methods.split(","), scratch(), {}
    record = Record("bdf", "What BDF needs beside CVODE")
    record.say(f"- CVODE of Cantera {cantera.__version__}; counts are means per cell; errors and ratios as the script's head says")
    for case in o.cases:
        name, fuel = case.split(":")
        gas = solution(mechanism(name))
        compare(record, gas, name, f"whole ignitions, {WHOLE:g} s", *ignitions(gas, name, fuel), methods, folder, ratios)
        states = ignition_states(gas, fuel, o.host)
        compare(record, gas, name, f"host steps, {HOST:g} s", states, [[HOST]] * len(states[0]), methods, folder, ratios)
    record.say("\n## All at equal error")
    record.table("code", "ratio to CVODE's", *COUNTED)
    for method, found in ratios.items():
        record.row(method, "geometric mean", *(f"{x:.2f}" for x in np.exp(np.log(found).mean(axis=0))))
        record.row(method, "largest", *(f"{x:.2f}" for x in np.max(found, axis=0)))
    record.write()


if __name__ == "__main__":
    main()
