"""What the tests share: a mixture, and the program, whose answers are those of the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from pathlib import Path
from typing import Any

import numpy as np

import kinlane

CHAPMAN = """
#DEFVAR
O = O;  O3 = 3O;
#DEFFIX
O2 = 2O;  M = IGNORE;
#EQUATIONS
<light>  O2 + hv = 2O     : 5e-11*SUN;
<ozone>  O + O2 + M = O3 + M : 6e-34*(TEMP/300)**(-2.4);
<photo>  O3 + hv = O + O2 : 1.5e-3*SUN;
<loss>   O + O3 = 2O2     : 8e-12*EXP(-2060/TEMP);
"""


def hydrogen(n: int = 37) -> tuple[kinlane.Mechanism, np.ndarray, np.ndarray, np.ndarray]:
    """Hydrogen and air, from cold to burning."""
    gas = kinlane.Mechanism("h2")
    y = gas.mass_fractions({"H2": 2, "O2": 1, "N2": 3.76})
    return gas, np.linspace(300.0, 2000.0, n), np.full(n, 101325.0), np.tile(y, (n, 1))


def same(test: unittest.TestCase, a: Any, b: Any) -> None:
    """The same bits."""
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    test.assertEqual((a.shape, a.dtype, a.tobytes()), (b.shape, b.dtype, b.tobytes()))


def program(folder: Path, *arguments: str) -> None:
    """Runs the program. Where there is none the test is skipped, except where `CI` is set."""
    path = os.environ.get("KINLANE") or shutil.which("kinlane")
    if path is None:
        if os.environ.get("CI"):
            raise AssertionError("no program: KINLANE has to name it")
        raise unittest.SkipTest("no program: name it in KINLANE")
    done = subprocess.run([path, *arguments, "--quiet"], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stderr)
