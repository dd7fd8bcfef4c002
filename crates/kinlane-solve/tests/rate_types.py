"""Writes rate_types.json: Cantera's net production rates for every phase of the rate-type collection.

    python rate_types.py PATH/TO/data > rate_types.json

Made with Cantera 3.2.0. Per phase three states: T [K], P [Pa], Y, wdot and gross (sum of |nu| (forward + reverse) over
both sides, what rounding is measured by) [mol/m3/s].
"""

import json
import pathlib
import sys
import warnings

import cantera as ct
import numpy as np

warnings.simplefilter("ignore")
ct.suppress_thermo_warnings()
folder = pathlib.Path(sys.argv[1]) / "combustion/rate_types"
for extra in (folder / "cantera", folder.parent / "gri30"):
    ct.add_directory(str(extra))
rng = np.random.default_rng(2024)
out = []
for path in sorted(folder.rglob("*.yaml")):
    if "rejects" in str(path):
        continue
    text = path.read_text(errors="replace").splitlines()
    start = next((i for i, l in enumerate(text) if l.startswith("phases:")), None)
    names = []
    for line in text[start + 1 :] if start is not None else []:
        if line and not line.startswith((" ", "-", "#")):
            break
        if line.startswith("- name: "):
            names.append(line.split(":", 1)[1].strip())
    for name in names:
        try:
            gas = ct.Solution(str(path), name)
        except Exception:
            continue
        if gas.thermo_model != "ideal-gas" or gas.n_reactions == 0 or gas.n_species > 60:
            continue
        entry = {"file": str(path.relative_to(folder)), "phase": name, "species": gas.species_names, "states": []}
        nu = gas.reactant_stoich_coeffs + gas.product_stoich_coeffs
        for _ in range(3):
            y = np.exp(rng.uniform(np.log(1e-4), 0, gas.n_species))
            T, P = rng.uniform(400, 2800), np.exp(rng.uniform(np.log(2e4), np.log(5e6)))
            gas.TPY = float(f"{T:.4f}"), float(f"{P:.6g}"), [float(f"{v:.4g}") for v in y]
            wdot = gas.net_production_rates * 1e3
            gross = nu @ (np.abs(gas.forward_rates_of_progress) + np.abs(gas.reverse_rates_of_progress)) * 1e3
            if not (np.isfinite(wdot).all() and np.isfinite(gross).all()):
                continue
            entry["states"].append(
                {"T": gas.T, "P": gas.P, "Y": list(gas.Y), "wdot": list(wdot), "gross": [float(f"{g:.3g}") for g in gross]}
            )
        out.append(entry)
print("[\n" + ",\n".join(json.dumps(e) for e in out) + "\n]")
