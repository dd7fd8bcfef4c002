"""Writes cvode.json: what CVODE needs for the stiff test set.

    python cvode.py PATH/TO/golden/stiff_test_set.json > cvode.json

Made with the SUNDIALS 7.9.0 inside scikit-sundae 1.2.0, called directly: the Python class reports no factorisations. BDF of
order 1 to 5, the default Newton iteration, a dense Jacobian by difference quotients, one call from the start to the end.
`rhs` leaves out what the quotients took. `error` is the largest at the end in units of atol + rtol |y|. OREGO at rtol
1e-4 is missing since CVODE gives it up.
"""

import ctypes
import json
import pathlib
import sys

import numpy as np
import sksundae

from equations import system

# Problem, end, atol over rtol. POLLU, the chemistry of air in minutes, also over five days.
INTEGRATIONS = [
    ("ROBER", 1e11, 1e-6),
    ("HIRES", 321.8122, 1e-4),
    ("OREGO", 360.0, 1e-4),
    ("E5", 1e7, 1e-18),
    ("POLLU", 60.0, 1e-6),
    ("POLLU", 7200.0, 1e-6),
    ("VDPOL", 2.0, 1e-2),
    ("BRUSS", 20.0, 1e-2),
]
COUNTERS = {"steps": "Steps", "refused": "ErrTestFails", "lost": "NonlinSolvConvFails", "rhs": "RhsEvals", "jac": "JacEvals", "factor": "LinSolvSetups"}
BDF, NORMAL = 2, 1  # CV_BDF, CV_NORMAL

Real, Pointer, Long = ctypes.c_double, ctypes.c_void_p, ctypes.c_long
Rhs = ctypes.CFUNCTYPE(ctypes.c_int, Real, Pointer, Pointer, Pointer)

folder = pathlib.Path(sksundae.__file__).parent.parent / "scikit_sundae.libs"
# In the order in which they need each other.
for part in ("quadmath", "gfortran", "openblas", "core", "nvecserial", "sunmatrixdense", "sunmatrixband", "sunmatrixsparse",
             "sunlinsoldense", "sunlinsolband", "cvode"):
    for path in folder.glob(f"*{part}*"):
        ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)
library = ctypes.CDLL(None)


def make(name, *arguments):
    """An object of the library's."""
    function = getattr(library, name)
    function.restype = Pointer
    return Pointer(function(*arguments))


def call(name, *arguments):
    """A function that returns a negative number where it fails."""
    code = getattr(library, name)(*arguments)
    if code < 0:
        raise RuntimeError(f"{name} returned {code}")


def view(vector, n):
    data = make("N_VGetArrayPointer", Pointer(vector))
    return np.ctypeslib.as_array(ctypes.cast(data, ctypes.POINTER(Real)), (n,))


def cvode(f, y0, end, rtol, atol):
    """The state at the end, and the counters."""
    n, size = len(y0), ctypes.c_int64(len(y0))

    @Rhs
    def rhs(_t, y, out, _data):
        view(out, n)[:] = f(view(y, n))
        return 0

    context = Pointer()
    call("SUNContext_Create", 0, ctypes.byref(context))
    y = make("N_VNew_Serial", size, context)
    view(y.value, n)[:] = y0
    memory = make("CVodeCreate", BDF, context)
    call("CVodeInit", memory, rhs, Real(0.0), y)
    call("CVodeSStolerances", memory, Real(rtol), Real(atol))
    call("CVodeSetMaxNumSteps", memory, Long(1_000_000))
    matrix = make("SUNDenseMatrix", size, size, context)
    call("CVodeSetLinearSolver", memory, make("SUNLinSol_Dense", y, matrix, context), matrix)
    call("CVode", memory, Real(end), y, ctypes.byref(Real()), NORMAL)

    counts = {}
    for key, what in COUNTERS.items():
        number = Long()
        call(f"CVodeGetNum{what}", memory, ctypes.byref(number))
        counts[key] = number.value
    return view(y.value, n).copy(), counts


def main():
    problems = json.loads(pathlib.Path(sys.argv[1]).read_text())["problems"]
    runs = []
    for name, end, atol in INTEGRATIONS:
        f, y0 = system(problems[name]["equations"]), problems[name]["y0"]
        known = [row["y"] for row in problems[name]["rows"] if row["t"] == end]
        exact = np.array(known[0] if known else cvode(f, y0, end, 1e-13, 1e-13 * atol)[0])
        for rtol in (1e-4, 1e-6, 1e-8):
            try:
                y, counts = cvode(f, y0, end, rtol, rtol * atol)
            except RuntimeError as e:
                print(f"{name} at rtol {rtol}: {e}", file=sys.stderr)
                continue
            error = np.max(np.abs(y - exact) / (rtol * (np.abs(exact) + atol)))
            runs.append({"problem": name, "end": end, "rtol": rtol, "atol": rtol * atol, **counts, "error": float(f"{error:.2e}"), "exact": exact.tolist()})
    print("[\n" + ",\n".join(map(json.dumps, runs)) + "\n]")


main()
