"""Makes demo_reference.json: constant-pressure ignition of methane and air, computed with Cantera to near full precision.

usage: python demo_reference.py        (needs: pip install cantera)
"""
import json
import pathlib

import cantera as ct

HERE = pathlib.Path(__file__).parent
PRESSURE, INTERVAL, STEPS, EVERY = 101325.0, 1e-5, 150, 5
gas = ct.Solution(str(HERE / "../../../mechanisms/gri30.yaml"))
ct.suppress_thermo_warnings()


def digits(x):
    return float(f"{x:.9g}")


cells = []
for phi in (1.0, 0.5, 2.0):
    for T0 in (1500.0, 1600.0, 1700.0, 1800.0):
        gas.TPX = T0, PRESSURE, {"CH4": phi, "O2": 2.0, "N2": 7.52}
        reactor = ct.IdealGasConstPressureReactor(gas)
        net = ct.ReactorNet([reactor])
        net.rtol, net.atol, net.max_steps = 1e-11, 1e-20, 1_000_000
        cell = {"T0": T0, "phi": phi, "T": [], "OH": [], "H": [], "O": []}
        for step in range(EVERY, STEPS + 1, EVERY):
            net.advance(step * INTERVAL)
            cell["T"].append(digits(reactor.T))
            for name in ("OH", "H", "O"):
                cell[name].append(digits(gas[name].Y[0]))
        cells.append(cell)
result = {"pressure": PRESSURE, "interval": INTERVAL, "steps": STEPS, "every": EVERY, "cells": cells}
(HERE / "demo_reference.json").write_text(json.dumps(result, separators=(",", ":")) + "\n")
