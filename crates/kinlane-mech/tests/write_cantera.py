#!/usr/bin/env python3
"""Checks that the installed Cantera reads what kinlane writes, and finds the same rates in it.

    cargo build --release -p kinlane-cli
    python3 write_cantera.py KINLANE [DATA_FOLDER]

KINLANE is the program, whose `convert` is run on mechanisms of the data folder. Forward and reverse rate constants of
every reaction and the net production rates have to agree with those of the original YAML to 1e-12. Where there is
CHEMKIN text as well, that is converted too; its net production rates have to agree. Every YAML is converted to CHEMKIN
text as well, where that has forms for it, and this by Cantera to YAML again: the same rates once more.
"""

import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import cantera as ct
from cantera import ck2yaml
import numpy as np

TOLERANCE = 1e-12
CASES = [
    ("gri30/gri30.yaml", "gas", "chem.inp"),
    ("h2co_burke/h2co_burke.yaml", "gas", "chem.inp"),
    ("usc_mech_ii/usc_mech_ii.yaml", "gas", "chem.inp"),
    ("aramco13/aramco13.yaml", "gas", "chem.inp"),
    ("ic5h11oh_sarathy/ic5h11oh_sarathy.yaml", "gas", "chem.inp"),
    ("h2_oconaire_v1b_rev/h2_oconaire_v1b_rev.yaml", "gas", "chem.inp"),
    ("ffcm1/ffcm1.yaml", "gas", "chem.inp"),
    ("nh3_alzueta_lmrr/nh3_alzueta_lmrr.yaml", "baseline", None),
    ("nh3_alzueta_lmrr/nh3_alzueta_lmrr.yaml", "linear-Burke", None),
    ("rate_types/cantera/kineticsfromscratch.yaml", "ohmech", None),
    ("rate_types/cantera/float-stoich.yaml", "gas", None),
    ("rate_types/cantera/reaction-orders.yaml", None, None),
    ("rate_types/cantera/negative-order.yaml", "gas", None),
    ("rate_types/cantera/nonreactant-order.yaml", "gas", None),
    ("rate_types/cantera/negative-rate.yaml", "gas", None),
    ("rate_types/cantera/explicit-third-bodies.yaml", "gas", None),
    ("rate_types/cantera/chemically-activated-reaction.yaml", "gas", None),
    ("rate_types/cantera/sri-falloff.yaml", "gas", None),
    ("rate_types/cantera/tsang-falloff.yaml", None, None),
    ("rate_types/cantera/pdep-test.yaml", "gas", None),
    ("rate_types/cantera/linearBurke-test.yaml", "linear-Burke-complex", None),
    ("rate_types/cantera/gasNASA9.yaml", None, None),
    ("rate_types/cantera/blowers-masel.yaml", "gas", None),
]

warnings.filterwarnings("ignore")
ct.suppress_thermo_warnings()


def states(gas):
    """Temperatures and pressures with a random composition that has a little of everything."""
    random = np.random.default_rng(1)
    for t, p in [(700.0, 2e4), (1200.0, 1e5), (1900.0, 3e6)]:
        x = random.random(gas.n_species) ** 4 + 1e-6
        yield t, p, x / x.sum()


def worst(a, b, scale=None):
    """The largest relative difference; with `scale`, relative to that, where sums may cancel."""
    scale = np.maximum(np.abs(a), np.abs(b)) if scale is None else scale
    return float(np.max(np.where(a == b, 0.0, np.abs(a - b) / np.where(scale > 0, scale, 1e-300)), initial=0.0))


def compare(ours, theirs, each):
    assert ours.species_names == theirs.species_names
    assert ours.n_reactions == theirs.n_reactions, (ours.n_reactions, theirs.n_reactions)
    found = 0.0
    for t, p, x in states(theirs):
        ours.TPX = theirs.TPX = t, p, x
        if theirs.n_reactions == 0:
            found = max(found, worst(ours.partial_molar_cp, theirs.partial_molar_cp))
            continue
        if each:
            found = max(found, worst(ours.forward_rate_constants, theirs.forward_rate_constants))
            found = max(found, worst(ours.reverse_rate_constants, theirs.reverse_rate_constants))
        gross = theirs.creation_rates + theirs.destruction_rates
        found = max(found, worst(ours.net_production_rates, theirs.net_production_rates, gross))
    return found


def main():
    program = Path(sys.argv[1]).resolve()
    data = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parents[4] / "shared/data") / "combustion"
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        # Some small files name gri30.yaml, which Cantera has among its own: all of them go to one folder.
        small = Path(folder) / "small"
        shutil.copytree(data / "rate_types/cantera", small)
        shutil.copy(data / "gri30/gri30.yaml", small)
        out = str(Path(folder) / "out.yaml")
        chemkin = str(Path(folder) / "out.inp")
        for name, phase, text in CASES:
            original = small / Path(name).name if name.startswith("rate_types") else data / name
            theirs = ct.Solution(str(original), phase) if phase else ct.Solution(str(original))
            runs = [(original, ["--phase", phase] if phase else [], True)]
            runs += [(original.with_name(text), [], False)] if text else []
            for source, options, each in runs:
                what = f"{source.parent.name}/{source.name} {phase or ''}"
                try:
                    subprocess.run([program, "convert", source, out, *options], check=True, stdout=subprocess.DEVNULL)
                    found = compare(ct.Solution(out), theirs, each)
                except (ct.CanteraError, AssertionError, subprocess.CalledProcessError) as error:
                    print(f"FAILED {what}: {error}")
                    failed += 1
                    continue
                good = found <= TOLERANCE
                failed += not good
                print(f"{'ok' if good else 'FAILED':6} {found:8.1e} {what}")
            options = ["--phase", phase] if phase else []
            done = subprocess.run([program, "convert", original, chemkin, *options], capture_output=True, text=True)
            what = f"{original.parent.name}/{original.name} {phase or ''} as CHEMKIN"
            if done.returncode != 0 and "cannot be written in CHEMKIN" in done.stderr:
                print(f"refused         {what}")
                continue
            try:
                ck2yaml.convert(chemkin, out_name=out, quiet=True)
                found = compare(ct.Solution(out), theirs, False)
            except Exception as error:
                print(f"FAILED {what}: {error} {done.stderr}")
                failed += 1
                continue
            # Coefficients of more digits than the columns hold are rounded, and that is told.
            good = found <= (1e-6 if "M0906" in done.stderr else TOLERANCE)
            failed += not good
            print(f"{'ok' if good else 'FAILED':6} {found:8.1e} {what}{' (rounded)' if 'M0906' in done.stderr else ''}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
