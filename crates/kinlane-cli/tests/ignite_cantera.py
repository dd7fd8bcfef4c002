#!/usr/bin/env python3
"""Checks sensitivities, rates and imposed histories of `kinlane ignite` against the installed Cantera.

    cargo build --release -p kinlane-cli
    python3 ignite_cantera.py KINLANE [DATA_FOLDER]

The program's 25 largest sensitivities are computed again with Cantera's `set_multiplier`, as central differences with
the same factor. Each must agree to 1e-3, and Cantera's 20 largest must come in the program's order, but for those that
differ by less than that. What lies behind the 25 is taken from the program. Forward and reverse rates of progress
halfway to ignition must agree to 1e-4 of the reaction's gross rate, or of the fastest reaction's 1e-6.

A volume over time is a moving wall in Cantera, a pressure over time a reactor with a right-hand side of its own, the
rise of pressure behind a shock a wall that moves by the isentrope of the unburnt gas. T, P and the mole fraction of OH
must agree to 1e-5 (OH: or to 1e-8 of all) at ten times through ignition.
"""

import csv
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import cantera as ct
import numpy as np

warnings.filterwarnings("ignore")
ct.suppress_thermo_warnings()
FACTOR, TRIED, RANKED, CLOSE = 1.05, 25, 20, 1e-3
CASES = [("gri30", "CH4:1,O2:2,N2:7.52", 1500, 1), ("h2co_burke", "H2:2,O2:1,N2:3.76", 1000, 10)]


def delay(gas, t, p, mixture, guess):
    """The time of the steepest rise of T at constant volume, by the parabola through the three steepest points."""
    gas.TPX = t, p * ct.one_atm, mixture
    reactor = ct.IdealGasReactor(gas)
    net = ct.ReactorNet([reactor])
    net.rtol, net.atol = 1e-9, 1e-18
    times, slopes = [], []
    while net.time < 1.5 * guess:
        net.step()
        gas.TPY = reactor.T, reactor.thermo.P, reactor.Y
        heat = -np.dot(gas.net_production_rates, gas.partial_molar_int_energies)
        times.append(net.time)
        slopes.append(heat / (gas.density * gas.cv_mass))
    top = int(np.argmax(slopes))
    x, y = np.array(times[top - 1 : top + 2]), np.array(slopes[top - 1 : top + 2])
    a, b, _ = np.polyfit((x - x[1]) / guess, y / y[1], 2)
    return x[1] - guess * b / (2 * a)


def sensitivities(gas, case, reactions, guess):
    _, mixture, t, p = case
    answers = {}
    for i in reactions:
        tau = []
        for factor in (FACTOR, 1 / FACTOR):
            gas.set_multiplier(factor, i - 1)
            tau.append(delay(gas, t, p, mixture, guess))
        gas.set_multiplier(1.0, i - 1)
        answers[i] = np.log(tau[0] / tau[1]) / (2 * np.log(FACTOR))
    return answers


def rates(program, gas, path, case, tau, folder):
    """The largest difference of a rate of progress halfway to ignition, beside what is allowed."""
    _, mixture, t, p = case
    args = ["ignite", path, "--mixture", mixture, "--T", str(t), "--P", f"{p}atm", "--at", str(tau / 2)]
    args += ["--rtol", "1e-9", "--atol", "1e-18"]
    subprocess.run([program, *args, "--rates", "r.csv", "--quiet"], cwd=folder, check=True)
    gas.TPX = t, p * ct.one_atm, mixture
    reactor = ct.IdealGasReactor(gas)
    net = ct.ReactorNet([reactor])
    net.rtol, net.atol = 1e-10, 1e-20
    net.advance(tau / 2)
    gas.TPY = reactor.T, reactor.thermo.P, reactor.Y
    theirs = 1e3 * np.array([gas.forward_rates_of_progress, gas.reverse_rates_of_progress])
    with open(folder / "r.csv") as file:
        rows = list(csv.DictReader(file))
    ours = np.array([[float(r[f"{way}_mol_m3_s"]) for r in rows] for way in ("forward", "reverse")])
    gross = theirs.sum(axis=0)
    return np.max(np.abs(ours - theirs) / np.maximum(gross, 1e-6 * gross.max()))


class Pressed(ct.ExtensibleIdealGasConstPressureReactor):
    """A reactor whose pressure is `course(t)`: the value and its rate."""

    def replace_eval(self, t, left, right):
        gas = self.thermo
        p, rate = self.course(t)
        gas.TP = gas.T, p
        wdot = gas.net_production_rates
        right[0] = 0.0
        right[1] = (rate - np.dot(gas.partial_molar_enthalpies, wdot)) / (gas.density * gas.cp_mass)
        for k, w in enumerate(gas.molecular_weights):
            right[2 + k] = wdot[k] * w / gas.density


def followed(gas, case):
    """T, P and the mole fraction of OH at ten times in Cantera."""
    option, start, times, values = case
    gas.TPX = start
    piece = 0

    def course(t):
        slope = (values[piece + 1] - values[piece]) / (times[piece + 1] - times[piece])
        return values[piece] + slope * (t - times[piece]), slope

    unburnt = gas.entropy_mass, gas.X, gas.v

    def isentrope(t):
        gamma_gas.SPX = unburnt[0], start[1] * (1 + values * t), unburnt[1]
        gamma = gamma_gas.cp_mass / gamma_gas.cv_mass
        return -gamma_gas.v / unburnt[2] * values / ((1 + values * t) * gamma)

    gamma_gas = ct.Solution(thermo=gas.thermo_model, kinetics="none", species=gas.species())
    if option == "--pressure-history":
        reactor = Pressed(gas)
        reactor.course = course
    else:
        reactor = ct.IdealGasReactor(gas, volume=1.0 if option == "--dpdt" else values[0])
        speed = isentrope if option == "--dpdt" else lambda t: course(t)[1]
        wall = ct.Wall(reactor, ct.Reservoir(gamma_gas), A=1.0, velocity=speed)
    net = ct.ReactorNet([reactor])
    net.rtol, net.atol = 1e-11, 1e-20
    net.max_steps = 1000000
    answers = []
    for piece in range(10):
        if piece:
            net.reinitialize()
        net.advance(times[piece + 1])
        p = course(times[piece + 1])[0] if option == "--pressure-history" else reactor.thermo.P
        answers.append([reactor.T, p, reactor.thermo["OH"].X[0]])
    return np.array(answers)


def history(program, path, case, folder):
    """The largest difference from Cantera, beside what is allowed."""
    option, (t, p, mixture), times, values = case
    args = ["ignite", path, "--mixture", mixture, "--T", str(t), "--rtol", "1e-10", "--atol", "1e-20", "--quiet"]
    args += ["--end-time", str(times[-1]), "--delay", "T=1e6", "--series", "s.csv", "--show", "OH"]
    if option == "--dpdt":
        args += ["--P", str(p), option, f"{values}/s"]
    else:
        column = "V" if option == "--volume-history" else "P (Pa)"
        lines = [f"{float(t)!r},{float(v)!r}\n" for t, v in zip(times, values)]
        (folder / "history.csv").write_text(f"t (s),{column}\n" + "".join(lines))
        args += [option, "history.csv"]
    subprocess.run([program, *args], cwd=folder, check=True)
    ours = np.loadtxt(folder / "s.csv", delimiter=",", skiprows=1)
    # The rows at the tenths of the time; around what happens there are more.
    tenths = np.linspace(0, times[-1], 11)[1:]
    rows = np.abs(ours[:, :1] - tenths).argmin(axis=0)
    assert np.allclose(ours[rows, 0], tenths, rtol=1e-12)
    ours = ours[rows, 1:]
    theirs = followed(ct.Solution(str(path)), case)
    burnt = theirs[-1, 0] > 2 * theirs[0, 0] or theirs[-1, 0] > 2000
    off = np.abs(ours - theirs) / np.maximum(theirs, [0, 0, 1e-3])
    return off.max() if burnt else np.inf


def histories(program, data, folder):
    path = data / "h2co_burke/h2co_burke.yaml"
    gas = "H2:2,O2:1,N2:3.76"
    stroke = np.linspace(0, 0.02, 11)
    volume = 1e-3 * (0.55 + 0.45 * np.cos(np.pi * stroke / 0.02))
    ramp = np.linspace(0, 2e-3, 11)
    pressure = 1e5 * np.array([1, 1.1, 1.3, 1.5, 1.8, 2.0, 2.2, 2.3, 2.2, 2.1, 2.0])
    cases = [
        ("--volume-history", (440, ct.one_atm, gas), stroke, volume),
        ("--pressure-history", (950, 1e5, gas), ramp, pressure),
        ("--dpdt", (950, ct.one_atm, gas), ramp, 300.0),
    ]
    failed = 0
    for case in cases:
        off = history(program, path, case, folder)
        failed += not off < 1e-5
        print(f"{'ok' if off < 1e-5 else 'FAILED':6} {case[0]}: off by {off:.1e}")
    return failed


def main():
    program = Path(sys.argv[1]).resolve()
    data = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parents[4] / "shared/data").resolve() / "combustion"
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for case in CASES:
            name, mixture, t, p = case
            path = data / name / f"{name}.yaml"
            args = ["ignite", path, "--mixture", mixture, "--T", str(t), "--P", f"{p}atm", "--sensitivity", str(FACTOR)]
            subprocess.run([program, *args, "--csv", "d.csv", "--quiet"], cwd=folder, check=True)
            with open(folder / "d.csv") as file:
                ours = float(next(csv.DictReader(file))["dT/dt (s)"])
            with open(folder / "d-sensitivity.csv") as file:
                answers = {int(r["reaction"]): float(r["dln(dT/dt)/dlnA"]) for r in csv.DictReader(file)}
            gas = ct.Solution(str(path))
            theirs = delay(gas, t, p, mixture, ours)
            ranked = list(answers)
            checked = sensitivities(gas, case, ranked[:TRIED], ours)
            off = max(abs(checked[i] - answers[i]) for i in checked)
            sizes = sorted((abs(x) for x in checked.values()), reverse=True)[:RANKED]
            order = max(abs(size - abs(checked[i])) for size, i in zip(sizes, ranked))
            rate = rates(program, gas, path, case, theirs, folder)
            good = abs(ours / theirs - 1) < 1e-4 and off < CLOSE and order < CLOSE and rate < 1e-4
            good = good and len(answers) == gas.n_reactions
            failed += not good
            print(
                f"{'ok' if good else 'FAILED':6} {name}: delay {ours:.5e} s, off by {abs(ours / theirs - 1):.1e}; "
                f"{len(checked)} sensitivities off by {off:.1e}, the largest {RANKED} in order to {order:.1e}; "
                f"rates off by {rate:.1e}"
            )
        failed += histories(program, data, folder)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
