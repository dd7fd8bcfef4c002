"""A sweep of ignition delays (GRI-3.0, methane and air, constant volume) with kinlane and with Cantera, both on all cores,
in one run, at tolerances that give the same accuracy of the delays.

usage: python benches/ignite.py [--points 1008] [--every 24] [--accuracy 2e-3]
Each runs a ladder of tolerances; the fastest run whose largest error of a delay (steepest dT/dt) is below the accuracy
counts. Cantera is given every N-th point, in as many processes as there are cores, and its time is scaled. The reference is
Cantera at rtol 1e-10, atol 1e-20 at these points. Wall seconds of the integration alone, without set-up.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import subprocess
import tempfile
import time

import cantera
import numpy as np
from record import BIN, Record

LADDER = [(1e-3, 1e-10), (1e-4, 1e-12), (1e-5, 1e-13), (1e-6, 1e-15), (1e-7, 1e-16), (1e-8, 1e-17)]
END = 1000.0  # s: the slowest of these cells ignites well before
FUEL, OXIDIZER, PHIS = "CH4", "O2:1,N2:3.76", (0.5, 1.0, 2.0)
gas = None


def grid(points):
    pressures = np.geomspace(1.0, 40.0, 8)
    temperatures = np.linspace(800.0, 2000.0, max(2, round(points / (8 * len(PHIS)))))
    return temperatures, pressures


def delay(job):
    """Time of the steepest dT/dt: steps of CVODE itself, a parabola through the three rates around the largest."""
    global gas
    gas = gas or cantera.Solution("gri30.yaml")
    (t0, p, phi), (rtol, atol) = job
    gas.set_equivalence_ratio(phi, FUEL, OXIDIZER.replace(",", ", "))
    gas.TP = t0, p * cantera.one_atm
    reactor = cantera.IdealGasReactor(gas)
    net = cantera.ReactorNet([reactor])
    net.rtol, net.atol, net.max_steps = rtol, atol, 1_000_000
    start = time.perf_counter()
    times, temperatures = [0.0], [t0]
    while net.time < END:
        net.step()
        times.append(net.time)
        temperatures.append(reactor.T)
        if temperatures[-1] > t0 + 800 and len(times) > 12 and temperatures[-1] - temperatures[-10] < 1e-3 * (temperatures[-1] - t0):
            break  # burnt: nothing steeper can come
    seconds = time.perf_counter() - start
    t, y = np.array(times), np.array(temperatures)
    mid, rate = (t[1:] + t[:-1]) / 2, np.diff(y) / np.diff(t)
    i = int(np.clip(np.argmax(rate), 1, len(rate) - 2))
    a, b, _ = np.polyfit(mid[i - 1:i + 2] - mid[i], rate[i - 1:i + 2], 2)
    return mid[i] - b / (2 * a) if a < 0 else mid[i], seconds


def run_cantera(pool, cells, tolerances):
    start = time.perf_counter()
    found = pool.map(delay, [(c, tolerances) for c in cells], chunksize=1)
    return np.array([f[0] for f in found]), time.perf_counter() - start


def run_kinlane(folder, temperatures, pressures, tolerances, method):
    out = folder / "ignite.json"
    subprocess.run(
        [BIN, "ignite", "gri30", "--fuel", FUEL, "--oxidizer", OXIDIZER, "--phi", ",".join(map(str, PHIS)),
         "--T", ",".join(map(repr, map(float, temperatures))), "--P", ",".join(repr(float(p * cantera.one_atm)) for p in pressures),
         "--end-time", str(END), "--rtol", str(tolerances[0]), "--atol", str(tolerances[1]), "--method", method,
         "--json", str(out), "--quiet"], check=True)
    report = json.loads(out.read_text())
    delays = {(p["T"], round(p["P"] / cantera.one_atm, 9), p["phi"]): p["delay"][0] for p in report["points"]}
    return delays, report


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--points", type=int, default=1008)
    a.add_argument("--every", type=int, default=24)
    a.add_argument("--accuracy", type=float, default=2e-3)
    o = a.parse_args()
    temperatures, pressures = grid(o.points)
    cells = [(float(t), float(p), phi) for p in pressures for t in temperatures for phi in PHIS]
    some = cells[:: o.every]
    record = Record("ignite", "A sweep of ignition delays, kinlane beside Cantera")
    record.say(f"- {len(cells)} points of GRI-3.0, {os.cpu_count()} cores; Cantera {cantera.__version__} on {len(some)} of them, its time scaled")
    record.table("program", "rtol, atol", "largest error of a delay", "seconds for all points")
    best = {}
    with multiprocessing.Pool(os.cpu_count()) as pool, tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        pool.map(delay, [(some[-1], (1e-4, 1e-10))] * 4)  # set-up
        reference, _ = run_cantera(pool, some, (1e-10, 1e-20))
        for tolerances in LADDER:
            found, seconds = run_cantera(pool, some, tolerances)
            error, seconds = np.max(np.abs(found / reference - 1)), seconds * len(cells) / len(some)
            record.row("Cantera", f"{tolerances[0]:.0e}, {tolerances[1]:.0e}", f"{error:.1e}", f"{seconds:.2f}")
            if error < o.accuracy:
                best["cantera"] = seconds
                break
        for method in ("rodas5p", "bdf"):
            for tolerances in LADDER:
                found, report = run_kinlane(folder, temperatures, pressures, tolerances, method)
                mine = np.array([found.get((t, round(p, 9), phi)) or np.nan for t, p, phi in some])
                error = np.max(np.abs(mine / reference - 1))
                record.row(f"kinlane, {method}", f"{tolerances[0]:.0e}, {tolerances[1]:.0e}", f"{error:.1e}", f"{report['seconds']:.2f}")
                if error < o.accuracy:
                    best[method] = report["seconds"]
                    break
    record.say()
    for method in ("rodas5p", "bdf"):
        if method in best and "cantera" in best:
            record.say(f"{method}: {best['cantera'] / best[method]:.1f} times as fast as Cantera.")
    record.write()


if __name__ == "__main__":
    main()
