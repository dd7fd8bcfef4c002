"""What the package says of the C library is what its header says."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from kinlane import _library

HEADER = Path(__file__).parents[2] / "crates/kinlane-capi/include/kinlane.h"

PLAIN = {
    "void": None,
    "int": ctypes.c_int,
    "double": ctypes.c_double,
    "size_t": ctypes.c_size_t,
    "uint64_t": ctypes.c_uint64,
    "kinlane_code": ctypes.c_int,
    "kinlane_list": ctypes.c_int,
    "kinlane_layout": ctypes.c_int,
    "char *": ctypes.c_char_p,
    "kinlane_extras *": ctypes.POINTER(_library.Extras),
    "kinlane_report *": ctypes.POINTER(_library.CReport),
    "kinlane_states *": ctypes.POINTER(_library.States),
    "kinlane_properties *": ctypes.POINTER(_library.CProperties),
    "kinlane_conditions *": ctypes.POINTER(_library.Conditions),
    "kinlane_notes *": ctypes.POINTER(_library.Notes),
    "kinlane_history *": ctypes.POINTER(_library.CHistory),
}
STRUCTS = {
    "kinlane_extras": _library.Extras,
    "kinlane_report": _library.CReport,
    "kinlane_states": _library.States,
    "kinlane_properties": _library.CProperties,
    "kinlane_conditions": _library.Conditions,
    "kinlane_notes": _library.Notes,
    "kinlane_history": _library.CHistory,
}

#: What typed programs may write.
USE = """
import numpy as np
import kinlane

gas = kinlane.Mechanism("h2")
with_jacobian: bool = len(gas.species) > 3
y = gas.mass_fractions({"H2": 2, "O2": 1})
gas.rates(1000.0, 1e5, y, jacobian=with_jacobian)
wdot, jacobian = gas.rates(1000.0, 1e5, y, jacobian=True)
gas.solver(rtol=np.float32(1e-4), max_steps=np.int64(9), factors=np.True_, atol_of={"OH": np.float32(1e-16)}).prepare(3)
"""


def python_type(c: str) -> object:
    words = " ".join(c.replace("const", "").replace("*", " * ").split())
    return PLAIN.get(words, ctypes.c_void_p if "*" in words else words)


def split(declaration: str) -> tuple[str, object]:
    kind, name = re.fullmatch(r"(.*?)(\w+)", declaration.strip(), re.S).groups()
    return name, python_type(kind)


class OfTheLibrary(unittest.TestCase):
    def setUp(self):
        text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
        self.text = re.sub(r"^#.*$", "", text, flags=re.M)

    def test_functions(self):
        found = {}
        for head, arguments in re.findall(r"^([^\s{}][^;{}()]*)\(([^;]*)\);", self.text, re.M):
            name, result = split(head)
            given = [] if arguments == "void" else [split(a)[1] for a in arguments.split(",")]
            found[name[len("kinlane_") :]] = (result, given)
        self.assertGreater(len(found), 40)
        self.assertEqual(found, _library._FUNCTIONS)

    def test_structs(self):
        found = {}
        for name, fields in re.findall(r"typedef struct (\w+) \{(.*?)\}", self.text, re.S):
            kinds = [(f, split(f)) for f in fields.split(";") if f.strip()]
            found[name] = [(name, ctypes.c_void_p if "*" in f and kind is not ctypes.c_char_p else kind) for f, (name, kind) in kinds]
        self.assertEqual(found, {name: struct._fields_ for name, struct in STRUCTS.items()})

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy")
    def test_types(self):
        folder = Path(__file__).parents[1]
        with tempfile.TemporaryDirectory() as other:
            use = Path(other) / "use.py"
            use.write_text(USE)
            command = [sys.executable, "-m", "mypy", "--cache-dir", other, "src/kinlane", str(use)]
            environment = dict(os.environ, MYPYPATH="src")
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_library_that_is_none_is_named(self):
        for path in ("nowhere.so", sys.executable):
            environment = dict(os.environ, KINLANE_LIBRARY=path)
            done = subprocess.run([sys.executable, "-c", "import kinlane"], env=environment, capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"ImportError: {path} is not kinlane's library", done.stderr)


if __name__ == "__main__":
    unittest.main()
