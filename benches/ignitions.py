"""Whole ignitions (methane and air, GRI-Mech 3.0, constant volume, 20 atm, 0.1 s) with kinlane and with Cantera in one run, one
core each: CPU time and the error of the delay, which is the first rise of T by 400 K.

usage: python benches/ignitions.py [--cells 64] [--points 4] [--methods bdf,ndf,radau5]
kinlane ignites all cells in one batch, Cantera every N-th; each at a ladder of tolerances. The reference is radau5 at rtol
1e-11. The last lines compare times at equal error: each of Cantera's dense runs, which are its faster ones, with the fastest run of the
default method whose error is not larger.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import tempfile
import time

import cantera
import numpy as np
from record import BIN, Record, mechanism

PRESSURE, END, RISE = 20 * cantera.one_atm, 0.1, 400.0
FUEL, OXIDIZER = "CH4", "O2:1, N2:3.76"
OURS = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9]
THEIRS = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8]


def run_kinlane(folder, temperatures, method, rtol):
    """CPU ms per cell, the method's name, the delays [s]."""
    report, table = folder / "x.json", folder / "x.csv"
    subprocess.run(
        [BIN, "ignite", mechanism("gri30"), "--fuel", FUEL, "--oxidizer", OXIDIZER, "--P", repr(PRESSURE),
         "--T", ",".join(map(repr, map(float, temperatures))), "--end-time", str(END), "--delay", f"T+{RISE:g}", "--threads", "1",
         "--rtol", str(rtol), "--atol", str(rtol * 1e-9), "--json", report, "--csv", table, "--quiet",
         *(["--method", method] if method else [])], check=True)
    rows = list(csv.reader(line for line in table.open() if not line.startswith("#")))
    told = json.loads(report.read_text())
    return told["cpu_seconds"] / len(temperatures) * 1e3, told["method"], np.array([float(r[-1]) for r in rows[1:]])


def run_cantera(gas, temperatures, rtol, preconditioned):
    """CPU ms per cell, the delays [s], linear between two steps."""
    delays, seconds = [], 0.0
    for T0 in temperatures:
        gas.set_equivalence_ratio(1.0, FUEL, OXIDIZER)
        gas.TP = T0, PRESSURE
        reactor = cantera.IdealGasMoleReactor(gas) if preconditioned else cantera.IdealGasReactor(gas)
        net = cantera.ReactorNet([reactor])
        net.rtol, net.atol, net.max_steps = rtol, rtol * 1e-9, 1_000_000
        if preconditioned:
            net.preconditioner = cantera.AdaptivePreconditioner()
        start, last, found = time.process_time(), (0.0, T0), None
        while net.time < END:
            net.step()
            now = net.time, reactor.T
            if found is None and now[1] >= T0 + RISE:
                found = last[0] + (now[0] - last[0]) * (T0 + RISE - last[1]) / (now[1] - last[1])
            last = now
        seconds += time.process_time() - start
        delays.append(found)
    return seconds / len(temperatures) * 1e3, np.array(delays)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--cells", type=int, default=64)
    a.add_argument("--points", type=int, default=4)
    a.add_argument("--methods", default="bdf,ndf,radau5")
    o = a.parse_args()
    temperatures = np.linspace(980.0, 1020.0, o.cells)
    some = np.linspace(0, o.cells - 1, o.points).astype(int)
    record = Record("ignitions", "Whole ignitions beside Cantera, by tolerance")
    record.say(f"- {o.cells} ignitions from 980 to 1020 K, 20 atm, 0.1 s, constant volume; Cantera: {o.points} of them; one core each")
    record.say("- error: largest relative difference of a delay (T0 + 400 K) from radau5 at rtol 1e-11")
    record.table("who", "rtol", "CPU ms per ignition", "error of the delay")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        _, _, want = run_kinlane(folder, temperatures, "radau5", 1e-11)
        default = []
        for method in [None, *o.methods.split(",")]:
            for rtol in OURS:
                ms, used, delays = run_kinlane(folder, temperatures, method, rtol)
                error = np.abs(delays / want - 1).max()
                if method is None:
                    default.append((error, ms))
                record.row(f"kinlane, {used}" + (" (default)" if method is None else ""), f"{rtol:g}", f"{ms:.2f}", f"{error:.1e}")
    gas, theirs = cantera.Solution(str(mechanism("gri30"))), []
    for preconditioned in (False, True):
        for rtol in THEIRS:
            ms, delays = run_cantera(gas, temperatures[some], rtol, preconditioned)
            error = np.abs(delays / want[some] - 1).max()
            if not preconditioned:
                theirs.append((error, rtol, ms))
            record.row("Cantera, " + ("preconditioned" if preconditioned else "dense"), f"{rtol:g}", f"{ms:.1f}", f"{error:.1e}")
    record.say()
    for error, rtol, ms in theirs:
        best = min((ms for ours, ms in default if ours <= error), default=None)
        if best is not None:
            record.say(f"- at Cantera's error at rtol {rtol:g}, {error:.1e}, or less: kinlane's default {best:.2f} ms, Cantera {ms:.1f} ms, ratio {ms / best:.1f}")
    record.write()


main()
