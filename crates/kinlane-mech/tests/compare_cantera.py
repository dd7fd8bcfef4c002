#!/usr/bin/env python3
"""Compares what the YAML reader makes of every mechanism in the data folder with the installed Cantera.

    cargo build --release -p kinlane-mech --example dump
    python3 compare_cantera.py DUMP [DATA_FOLDER]

Every phase of every YAML file is read by both. Where Cantera accepts an ideal gas, species, molar masses,
thermodynamics and rate parameters have to agree to 1e-12; where it refuses, the reader has to refuse. Deliberate
differences are listed in EXPECTED.
"""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import cantera as ct

R = 8.31446261815324
TOLERANCE = 1e-12

# (file name, phase): why the two differ, on purpose. None so far.
EXPECTED = {}

warnings.filterwarnings("ignore")
ct.suppress_thermo_warnings()


class Differs(Exception):
    pass


def same(a, b, what):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        if a == b or abs(a - b) <= TOLERANCE * max(abs(a), abs(b)):
            return
    elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            same(x, y, f"{what}[{i}]")
        return
    elif isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for k in a:
            same(a[k], b[k], f"{what}[{k}]")
        return
    elif a == b:
        return
    raise Differs(f"{what}: {a} here, {b} in Cantera")


def cp_h_s(thermo, t):
    """cp/R, h/(R T), s/R of a dumped thermo entry."""
    ranges = thermo.get("ranges")
    if ranges:
        r = next((r for r in ranges if t <= r["high"]), ranges[-1])
        a = r["a"]
    from math import log
    if thermo["form"] == "NASA7":
        cp = a[0] + t * (a[1] + t * (a[2] + t * (a[3] + t * a[4])))
        h = a[0] + t * (a[1] / 2 + t * (a[2] / 3 + t * (a[3] / 4 + t * a[4] / 5))) + a[5] / t
        s = a[0] * log(t) + t * (a[1] + t * (a[2] / 2 + t * (a[3] / 3 + t * a[4] / 4))) + a[6]
    elif thermo["form"] == "NASA9":
        cp = a[0] / t**2 + a[1] / t + a[2] + a[3] * t + a[4] * t**2 + a[5] * t**3 + a[6] * t**4
        h = (-a[0] / t**2 + a[1] * log(t) / t + a[2] + a[3] * t / 2 + a[4] * t**2 / 3 + a[5] * t**3 / 4
             + a[6] * t**4 / 5 + a[7] / t)
        s = (-a[0] / t**2 / 2 - a[1] / t + a[2] * log(t) + a[3] * t + a[4] * t**2 / 2 + a[5] * t**3 / 3
             + a[6] * t**4 / 4 + a[8])
    elif thermo["form"] == "Shomate":
        x = t / 1000
        cp = (a[0] + a[1] * x + a[2] * x**2 + a[3] * x**3 + a[4] / x**2) / R
        h = 1000 * (a[0] * x + a[1] * x**2 / 2 + a[2] * x**3 / 3 + a[3] * x**4 / 4 - a[4] / x + a[5]) / R / t
        s = (a[0] * log(x) + a[1] * x + a[2] * x**2 / 2 + a[3] * x**3 / 3 - a[4] / x**2 / 2 + a[6]) / R
    else:
        t0, h0, s0, cp0 = thermo["values"]
        cp, h, s = cp0 / R, (h0 + cp0 * (t - t0)) / R / t, (s0 + cp0 * log(t / t0)) / R
    return cp, h, s


def compare_species(ours, theirs):
    same(ours["name"], theirs.name, "name")
    same({e: a for e, a in ours["composition"]}, {e: a for e, a in theirs.composition.items() if a}, "composition")
    t = theirs.thermo
    same(ours["reference_pressure"], t.reference_pressure, "reference pressure")
    thermo = ours["thermo"]
    low = thermo["range"][0] if "range" in thermo else thermo["ranges"][0]["low"]
    high = thermo["range"][1] if "range" in thermo else thermo["ranges"][-1]["high"]
    same([low, high], [t.min_temp, t.max_temp], "temperature range")
    if thermo["form"] == "NASA7":
        upper, lower = list(t.coeffs[1:8]), list(t.coeffs[8:15])
        rows = [r["a"] for r in thermo["ranges"]]
        same(rows, [lower, upper] if len(rows) == 2 else [lower], "NASA7 coefficients")
    if thermo["form"] == "NASA9":
        same([r["a"] for r in thermo["ranges"]],
             [list(t.coeffs[1 + 11 * i + 2:1 + 11 * i + 11]) for i in range(int(t.coeffs[0]))], "NASA9 coefficients")
    for temperature in (300.0, 777.0, 1500.0, 2900.0):
        temperature = min(max(temperature, low), high)
        cp, h, s = cp_h_s(thermo, temperature)
        for name, a, b in (("cp", cp, t.cp(temperature)), ("h", h * temperature, t.h(temperature)), ("s", s, t.s(temperature))):
            b /= R * 1000
            if abs(a - b) > 1e-9 * max(abs(a), abs(b), 1e-3):
                raise Differs(f"{name} at {temperature} K: {a} here, {b} in Cantera")


def si(a, order):
    """A rate constant in (kmol/m3)^(1-order)/s to mol."""
    return a * 1000.0 ** (1 - order)


def arrhenius(k, order):
    return [si(k.pre_exponential_factor, order), k.temperature_exponent, k.activation_energy / 1000 / R]


def falloff(ours, rate, order):
    activated = ours["type"] == "chemically-activated"
    same(activated, "chemically-activated" in rate.type, "activation")
    low, high = (order, order - 1) if activated else (order + 1, order)
    same(ours["low"], arrhenius(rate.low_rate, low), "low")
    same(ours["high"], arrhenius(rate.high_rate, high), "high")
    kind = rate.sub_type
    same(ours["blend"], kind, "blending")
    theirs = list(rate.falloff_coeffs)
    if kind == "SRI" and len(theirs) == 3:
        theirs += [1.0, 0.0]
    if kind == "Tsang" and len(theirs) == 1:
        theirs += [0.0]
    if kind == "Troe" and len(theirs) == 4 and theirs[3] == 0.0:
        theirs = theirs[:3]
    same(ours["blend_values"], theirs, "blending parameters")


def plog(ours, rate, order):
    levels = {}
    for p, k in rate.rates:
        levels.setdefault(p, []).append(arrhenius(k, order))
    theirs = sorted(levels.items())
    same([l[0] for l in ours["levels"]], [l[0] for l in theirs], "pressures")
    for (p, mine), (_, terms) in zip(ours["levels"], theirs):
        same(sorted(mine), sorted(terms), f"terms at {p}")


def chebyshev(ours, rate, order):
    from math import log10
    same(ours["t"], list(rate.temperature_range), "temperature range")
    same(ours["p"], list(rate.pressure_range), "pressure range")
    data = [list(map(float, row)) for row in rate.data]
    data[0][0] += log10(1000.0 ** (1 - order))
    same(ours["alpha"], data, "coefficients")


def compare_reaction(ours, theirs, gas):
    rate = theirs.rate
    reactants, products = dict(map(tuple, ours["reactants"])), dict(map(tuple, ours["products"]))

    def by_index(terms):
        sums = {}
        for name, nu in terms.items():
            k = gas.species_name(gas.species_index(name))
            sums[k] = sums.get(k, 0) + nu
        return sums

    same(reactants, by_index(theirs.reactants), "reactants")
    same(products, by_index(theirs.products), "products")
    same(ours["reverse"] == "equilibrium", theirs.reversible, "reversible")
    same(ours["duplicate"], theirs.duplicate, "duplicate")
    orders = dict(reactants)
    orders.update(by_index(theirs.orders))
    same(dict(map(tuple, ours["orders"])) if ours["orders"] is not None else reactants, orders, "orders")
    law = ours["rate"]
    body = ours["third_body"]
    if body is not None and not theirs.third_body.mass_action:
        raise Differs("third body is a factor only here")
    order = sum(orders.values()) + (body is not None)
    if law["type"] in ("falloff", "chemically-activated"):
        body = law["body"]
        falloff(law, rate, order)
    if body is not None:
        third = theirs.third_body
        for name in gas.species_names:
            mine = dict(map(tuple, body["efficiencies"])).get(name, body["default"])
            same(mine, third.efficiency(name), f"efficiency of {name}")
    elif theirs.third_body is not None and theirs.third_body.mass_action:
        raise Differs("third body only in Cantera")
    if law["type"] in ("falloff", "chemically-activated"):
        pass
    elif law["type"] == "Arrhenius":
        same(law["k"], arrhenius(rate, order), "rate constant")
    elif law["type"] == "pressure-dependent-Arrhenius":
        plog(law, rate, order)
    elif law["type"] == "Chebyshev":
        chebyshev(law, rate, order)
    elif law["type"] == "Blowers-Masel":
        # `activation_energy` is rounded by a detour over the reaction enthalpy; the input is in units of the file.
        same(law["k"][:2], [si(rate.pre_exponential_factor, order), rate.temperature_exponent], "rate constant")
        if abs(law["k"][2] - rate.activation_energy / 1000 / R) > 1e-9 * abs(law["k"][2]):
            raise Differs(f"intrinsic barrier: {law['k'][2]} here, {rate.activation_energy / 1000 / R} in Cantera")
        same(law["w"], rate.bond_energy / 1000 / R, "bond energy")
    elif law["type"] == "two-temperature-plasma":
        same(law["k"], arrhenius(rate, order), "rate constant")
        same(law["e_electron"], rate.activation_electron_energy / 1000 / R, "electron energy")
    elif law["type"] == "linear-Burke":
        # Cannot be asked for its parts, but writes them, in its own units (m, kmol, J).
        same(rate.type, "linear-Burke", "type")
        entries = theirs.input_data["colliders"]
        same(len(law["colliders"]), sum(e["name"] == "M" or e["name"] in gas.species_names for e in entries), "colliders")
        for mine, entry in zip(law["colliders"], [e for e in entries if e["name"] == "M" or e["name"] in gas.species_names]):
            same(mine["species"] or "M", entry["name"], "collider")
            e = entry.get("efficiency")
            if e:
                same(mine["efficiency"], [e["A"], e["b"], e.get("Ea", 0.0) / 1000 / R], "efficiency")
            same(mine["law"]["type"] if mine["law"] else None, entry.get("type"), "type of collider")
            if mine["law"] and "rate-constants" in entry:
                for level, k in zip(mine["law"]["levels"], entry["rate-constants"]):
                    same(level[1][0], [si(k["A"], order), k["b"], k["Ea"] / 1000 / R], "PLOG of collider")
    else:
        raise Differs(f"type {law['type']}")


def phases(path):
    from ruamel.yaml import YAML
    with open(path, encoding="utf-8") as f:
        root = YAML(typ="safe").load(f)
    return [p["name"] for p in root.get("phases", [])]


def main():
    dump = sys.argv[1]
    data = Path(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("KINLANE_DATA", "../shared/data")) / "combustion"
    library = Path(ct.__file__).parent / "data"
    own = data / "rate_types" / "cantera"
    ct.add_directory(str(own))
    counts = {"agree": 0, "both refuse": 0, "expected": 0}
    bad = 0
    for path in sorted(data.rglob("*.yaml")):
        for phase in phases(path):
            run = subprocess.run([dump, str(path), "--phase", phase, "--search", str(own), "--search", str(library)],
                                 capture_output=True, text=True)
            try:
                gas = ct.Solution(str(path), phase)
                refusal = None
            except Exception as e:  # Cantera's own error types vary
                refusal = [l for l in str(e).splitlines() if l.strip() and not l.startswith("*")][1:4]
            outcome = None
            if refusal and run.returncode == 0:
                outcome = f"only Cantera refuses: {refusal}"
            elif refusal is None and run.returncode != 0:
                if gas.thermo_model != "ideal-gas":
                    counts["both refuse"] += 1
                    continue
                outcome = "only here refused: " + run.stderr[:700]
            elif refusal:
                if " --> " not in run.stderr:
                    outcome = "refused without a place: " + run.stderr
                else:
                    counts["both refuse"] += 1
            else:
                ours = json.loads(run.stdout)
                try:
                    same([s["name"] for s in ours["species"]], gas.species_names, "species")
                    for s, w, t in zip(ours["species"], gas.molecular_weights, gas.species()):
                        try:
                            same(s["molar_mass"], float(w) / 1000, "molar mass")
                            compare_species(s, t)
                        except Differs as e:
                            raise Differs(f"species {s['name']}: {e}") from None
                    same(len(ours["reactions"]), gas.n_reactions, "number of reactions")
                    for r, t in zip(ours["reactions"], gas.reactions()):
                        try:
                            compare_reaction(r, t, gas)
                        except Differs as e:
                            raise Differs(f"reaction {r['equation']}: {e}") from None
                    counts["agree"] += 1
                except Differs as e:
                    outcome = str(e)
            if outcome:
                if (path.name, phase) in EXPECTED:
                    counts["expected"] += 1
                else:
                    bad += 1
                    print(f"{path.relative_to(data)} [{phase}]: {outcome}")
    print(", ".join(f"{n} {k}" for k, n in counts.items()), f"{bad} differ", sep=", ")
    sys.exit(bad > 0)


main()
