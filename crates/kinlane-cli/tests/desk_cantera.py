#!/usr/bin/env python3
"""Checks `kinlane equilibrate`, `kinlane psr`, and properties and reactions of `kinlane rates` against the installed Cantera.

    cargo build --release -p kinlane-cli
    python3 desk_cantera.py KINLANE [DATA_FOLDER]

Equilibria of random mixtures: with Cantera's chemical potentials there must be element potentials that fit all abundant
species to 1e-9, what is held must be held, and where one of Cantera's solvers comes to the same state, T and mass fractions
must agree to 1e-9 (its solvers do not find every state; how many they do is told). Every point of
a curve of stirred reactors: the balances of species, with Cantera's rates, to 1e-9 of the gross rates, and the enthalpy.
Density, heat capacity and enthalpy to 1e-12, heat release to 1e-12 of what the species take up and give, and rates of
progress to 1e-10 of themselves, or to 1e-18 of the fastest.
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
MECHANISMS = ["gri30", "h2co_burke", "usc_mech_ii", "ffcm1", "nh3_alzueta_lmrr", "aramco13"]
STATES = 40


def mixtures(gas, random):
    """Temperatures, pressures and mass fractions: of everything, of five species, and of fuel-like pairs."""
    for i in range(STATES):
        x = np.zeros(gas.n_species)
        if i % 3 == 0:
            x = random.random(gas.n_species) ** 4
        else:
            x[random.integers(0, gas.n_species, 5 if i % 3 == 1 else 2)] = random.random() + 0.1
        gas.TPX = random.uniform(300, 3000), 10 ** random.uniform(4, 7), x
        yield gas.T, gas.P, gas.Y


def equilibria(program, path, folder):
    gas = ct.Solution(str(path))
    t, p, y = (np.array(a) for a in zip(*mixtures(gas, np.random.default_rng(1))))
    np.savez(folder / "s.npz", T=t, P=p, Y=y, species=gas.species_names)
    worst, compared, total, certificate = [0.0, 0.0], 0, 0, 0.0
    for pair in ["TP", "HP", "UV", "SP"]:
        done = subprocess.run(
            [program, "equilibrate", path, "--states", "s.npz", "--pair", pair, "--out", "o.npz", "--quiet"], cwd=folder
        )
        assert done.returncode in (0, 1), done
        out = np.load(folder / "o.npz")
        for i in np.flatnonzero(out["status"] == 0):
            if not 250 < out["T"][i] < 5000:
                continue
            total += 1
            certificate = max(certificate, unbalance(gas, pair, (t[i], p[i], y[i]), [out[k][i] for k in "TPY"]))
            for solver in ["element_potential", "vcs", "gibbs"]:
                gas.TPY = t[i], p[i], y[i]
                try:
                    gas.equilibrate(pair, solver=solver, rtol=1e-12, max_steps=5000)
                except ct.CanteraError:
                    continue
                dt = abs(out["T"][i] / gas.T - 1)
                dy = np.max(np.abs(out["Y"][i] - gas.Y))
                if dt < 1e-9 and dy < 1e-9:
                    break
            else:
                continue
            worst = [max(worst[0], dt), max(worst[1], dy)]
            compared += 1
    return worst, compared, total, certificate


def unbalance(gas, pair, entry, found):
    """How far a state is from equilibrium, and from what the entry state held."""
    gas.TPY = entry
    held = {"T": gas.T, "P": gas.P, "H": gas.enthalpy_mass, "U": gas.int_energy_mass, "S": gas.entropy_mass, "V": gas.volume_mass}
    gas.TPY = found
    now = {"T": gas.T, "P": gas.P, "H": gas.enthalpy_mass, "U": gas.int_energy_mass, "S": gas.entropy_mass, "V": gas.volume_mass}
    unit = {"T": gas.T, "P": gas.P, "H": gas.cp_mass * gas.T, "U": gas.cp_mass * gas.T, "S": gas.cp_mass, "V": gas.volume_mass}
    worst = max(abs(held[k] - now[k]) / unit[k] for k in pair)
    there = gas.X > 1e-12
    atoms = np.array([[gas.n_atoms(int(k), e) for e in range(gas.n_elements)] for k in np.flatnonzero(there)])
    mu = gas.chemical_potentials[there] / (ct.gas_constant * gas.T)
    # Weighted, so that abundant species set the potentials and the others show what is wrong.
    weight = np.sqrt(gas.X[there])
    lam = np.linalg.lstsq(atoms * weight[:, None], mu * weight, rcond=None)[0]
    return max(worst, np.max(np.abs(mu - atoms @ lam) * np.minimum(1.0, gas.X[there] / 1e-6)))


def reactor(program, path, fuel, t, folder):
    args = ["psr", path, "--fuel", fuel, "--oxidizer", "O2:1,N2:3.76", "--T", str(t), "--tau", "1e-6:1:9log"]
    subprocess.run([program, *args, "--csv", "s.csv", "--quiet"], cwd=folder, check=True)
    gas = ct.Solution(str(path))
    gas.set_equivalence_ratio(1.0, fuel, "O2:1,N2:3.76")
    gas.TP = t, 101325.0
    entry, h, worst, n = gas.Y, gas.enthalpy_mass, 0.0, 0
    with open(folder / "s.csv") as file:
        for row in csv.DictReader(file):
            x = [float(row["X_" + name]) for name in gas.species_names]
            gas.TPX = float(row["T_K"]), 101325.0, x
            tau, unit = float(row["tau_s"]), gas.molecular_weights / gas.density
            net = (entry - gas.Y) / tau + gas.net_production_rates * unit
            gross = (entry + gas.Y) / tau + (gas.creation_rates + gas.destruction_rates) * unit
            worst = max(worst, np.max(np.abs(net) / (gross + 1e-12 * np.max(gross))))
            worst = max(worst, abs(gas.enthalpy_mass - h) / (gas.cp_mass * gas.T))
            n += 1
    return worst, n


def properties(program, path, folder):
    """The largest difference of a property, and of a rate of progress."""
    gas = ct.Solution(str(path))
    t, p, y = (np.array(a) for a in zip(*mixtures(gas, np.random.default_rng(2))))
    np.savez(folder / "s.npz", T=t, P=p, Y=y, species=gas.species_names)
    command = [program, "rates", path, "--states", "s.npz", "--out", "r.npz", "--reactions", "--quiet"]
    subprocess.run(command, cwd=folder, check=True)
    out = np.load(folder / "r.npz")
    worst = [0.0, 0.0]
    for i in range(len(t)):
        gas.TPY = t[i], p[i], y[i]
        heats = gas.standard_enthalpies_RT * ct.gas_constant * gas.T * gas.net_production_rates
        wanted = [gas.density, gas.mean_molecular_weight / 1e3, gas.cp_mass, gas.enthalpy_mass, gas.heat_release_rate]
        scales = [gas.density, gas.mean_molecular_weight / 1e3, gas.cp_mass, gas.cp_mass * gas.T, np.abs(heats).sum() + 1e-30]
        for name, want, scale in zip(["rho", "W", "cp", "h", "hrr"], wanted, scales):
            worst[0] = max(worst[0], abs(out[name][i] - want) / scale)
        for name, want in [("forward", gas.forward_rates_of_progress), ("reverse", gas.reverse_rates_of_progress)]:
            want = 1e3 * want
            scale = 1e10 * (1e-10 * np.abs(want) + 1e-18 * np.abs(want).max() + 1e-300)
            worst[1] = max(worst[1], np.max(np.abs(out[name][i] - want) / scale))
    return worst


def main():
    program = Path(sys.argv[1]).resolve()
    data = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parents[4] / "shared/data").resolve() / "combustion"
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name in MECHANISMS:
            (dt, dy), n, total, off = equilibria(program, data / name / f"{name}.yaml", folder)
            good = dt < 1e-9 and dy < 1e-9 and n > 0.75 * total and off < 1e-9
            failed += not good
            print(
                f"{'ok' if good else 'FAILED':6} {name}: {total} equilibria, off by {off:.1e}; Cantera finds {n}, "
                f"T {dt:.1e}, Y {dy:.1e}"
            )
            of_gas, of_reactions = properties(program, data / name / f"{name}.yaml", folder)
            good = of_gas < 1e-12 and of_reactions < 1e-10
            failed += not good
            print(f"{'ok' if good else 'FAILED':6} {name}: properties {of_gas:.1e}, rates of progress {of_reactions:.1e}")
        for name, fuel, t in [("gri30", "CH4", 300), ("h2co_burke", "H2", 900), ("nc12h26_lu_53", "NC12H26", 600)]:
            worst, n = reactor(program, data / name / f"{name}.yaml", fuel, t, folder)
            good = worst < 1e-9 and n > 50
            failed += not good
            print(f"{'ok' if good else 'FAILED':6} {name}: {n} stirred reactors, balances {worst:.1e}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
