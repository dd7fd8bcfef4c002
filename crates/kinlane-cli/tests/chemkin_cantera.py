#!/usr/bin/env python3
"""Net production rates of the small CHEMKIN files of the collection against Cantera's, by way of its ck2yaml.

    python3 chemkin_cantera.py KINLANE [DATA_FOLDER]

What ck2yaml refuses is counted and named. States have 1e-4 of everything at least: see ABSENT below.
"""

import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import cantera as ct
import numpy as np
from cantera import ck2yaml

TOLERANCE = 1e-10
# Fewer than this many that both read would mean that something else is wrong.
LEAST = 20

warnings.filterwarnings("ignore")
ct.suppress_thermo_warnings()


def thermo_of(path):
    """As the README of the data says; a file with its own thermodynamics needs none."""
    own = path.with_suffix(".therm")
    if path.suffix == ".mech":
        return own if own.is_file() else path.with_name("const_specific_heat.therm")
    return path.with_name({"nasa9-test": "nasa9-test-therm.dat", "soot": "soot-therm.dat"}.get(path.stem, "dummy-thermo.dat"))


def states(gas):
    # Deliberate: where a species of order zero is absent kinlane gives no rate, Cantera one that makes it negative
    # (docs/formats.md; tested in kinlane-solve/tests/rates.rs).
    random = np.random.default_rng(3)
    for t, p in [(400.0, 1e4), (900.0, 1e5), (1600.0, 1e6), (2600.0, 5e6)]:
        y = random.random(gas.n_species) ** 3 + 1e-4
        yield t, p, y / y.sum()


def off(program, path, thermo, folder):
    """The largest difference, in parts of the gross rates."""
    gas = ct.Solution(str(folder / "c.yaml"))
    t, p, y = (np.array(column) for column in zip(*states(gas)))
    np.savez(folder / "s.npz", T=t, P=p, Y=y, species=gas.species_names)
    command = [program, "rates", path, "--thermo", thermo, "--states", folder / "s.npz", "--out", folder / "r.npz"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.splitlines()[0]
    got = np.load(folder / "r.npz")
    order = [list(got["species"]).index(name) for name in gas.species_names]
    worst = 0.0
    for i in range(t.size):
        gas.TPY = t[i], p[i], y[i]
        want = gas.net_production_rates * 1e3
        most = np.abs(gas.forward_rates_of_progress).max() + np.abs(gas.reverse_rates_of_progress).max()
        gross = (gas.creation_rates + gas.destruction_rates + 1e-14 * most) * 1e3 + 1e-300
        worst = max(worst, float((np.abs(got["wdot"][i, order] - want) / gross).max()))
    return worst


def main():
    program = Path(sys.argv[1]).resolve()
    data = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parents[4] / "shared/data")
    rate_types = data / "combustion/rate_types"
    paths = sorted((rate_types / "cantera").glob("*.inp")) + sorted((rate_types / "zerork").glob("*.mech"))
    good, wrong, refused = 0, 0, []
    for path in paths:
        thermo = thermo_of(path)
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            try:
                ck2yaml.convert(str(path), thermo_file=str(thermo), out_name=str(folder / "c.yaml"), permissive=True, quiet=True)
                if ct.Solution(str(folder / "c.yaml")).n_reactions == 0:
                    raise ValueError("no reactions")
            except Exception:  # ck2yaml's own errors vary
                refused.append(path.name)
                continue
            found = off(program, path, thermo, folder)
            if isinstance(found, float) and found <= TOLERANCE:
                good += 1
            else:
                wrong += 1
                print(f"WRONG {path.name}: {found}")
    print(f"{good} files agree, {wrong} do not; Cantera does not read {', '.join(refused)}")
    sys.exit(wrong > 0 or good < LEAST)


main()
