"""Writes cvode.json: what CVODE needs for the stiff test set.

    python cvode.py PATH/TO/golden/stiff_test_set.json > cvode.json

Made with the SUNDIALS 7.9.0 of scikit-sundae 1.2.0, called directly since its class reports no factorisations. BDF of
order 1 to 5, the default Newton iteration with a dense difference-quotient Jacobian, one interval from the start to the
end. `rhs` leaves out what the quotients took.
"""

import ctypes
import json
import math
import pathlib
import re
import sys

import numpy as np
import sksundae

# Problem, end, atol over rtol. POLLU, an air chemistry in minutes, also over five days.
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
Real, Pointer, Long = ctypes.c_double, ctypes.c_void_p, ctypes.c_long
Rhs = ctypes.CFUNCTYPE(ctypes.c_int, Real, Pointer, Pointer, Pointer)
folder = pathlib.Path(sksundae.__file__).parent.parent / "scikit_sundae.libs"
# What the later ones need comes first.
for part in ("libquadmath", "libgfortran", "libopenblas", "core", "nvecserial", "sunmatrixdense", "sunmatrixband", "sunmatrixsparse", "sunlinsoldense", "sunlinsolband", "cvode"):
    for path in folder.glob(f"*{part}-*"):
        sundials = ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)
whole = ctypes.CDLL(None)


def call(name, *arguments, result=ctypes.c_int):
    function = getattr(whole, name)
    function.restype = result
    answer = function(*arguments)
    if result is ctypes.c_int and answer < 0:
        raise RuntimeError(f"{name} returned {answer}")
    return Pointer(answer) if result is Pointer else answer


def cvode(f, y0, end, rtol, atol):
    """The state at the end, and the counters of one integration."""
    context, n = Pointer(), len(y0)
    call("SUNContext_Create", ctypes.c_int(0), ctypes.byref(context))
    y = np.array(y0, float)
    address = lambda a: a.ctypes.data_as(ctypes.POINTER(Real))
    vector = call("N_VMake_Serial", ctypes.c_int64(n), address(y), context, result=Pointer)
    view = lambda v: np.ctypeslib.as_array(ctypes.cast(call("N_VGetArrayPointer", Pointer(v), result=Pointer), ctypes.POINTER(Real)), (n,))

    @Rhs
    def rhs(_, y, out, __):
        view(out)[:] = f(view(y))
        return 0

    memory = call("CVodeCreate", ctypes.c_int(2), context, result=Pointer)
    call("CVodeInit", memory, rhs, Real(0.0), vector)
    call("CVodeSStolerances", memory, Real(rtol), Real(atol))
    call("CVodeSetMaxNumSteps", memory, Long(1_000_000))
    matrix = call("SUNDenseMatrix", ctypes.c_int64(n), ctypes.c_int64(n), context, result=Pointer)
    solver = call("SUNLinSol_Dense", vector, matrix, context, result=Pointer)
    call("CVodeSetLinearSolver", memory, solver, matrix)
    call("CVode", memory, Real(end), vector, ctypes.byref(Real()), ctypes.c_int(1))

    def number(what):
        x = Long()
        call(f"CVodeGetNum{what}", memory, ctypes.byref(x))
        return x.value

    counters = {"steps": "Steps", "refused": "ErrTestFails", "lost": "NonlinSolvConvFails", "rhs": "RhsEvals", "jac": "JacEvals", "factor": "LinSolvSetups"}
    return y, {key: number(what) for key, what in counters.items()}


def system(equations):
    """f from equations as text, such as y1' = -0.04*y1 + 1e4*y2*y3."""
    body = []
    for line in equations:
        left, right = line.split(" = ", 1)
        # A line of several constants has them in one.
        text = [line.replace(", ", "; ")] if "'" not in left and "," in line else [f"{left} = {right}"]
        body += text
    source = "\n".join(body)
    n = len(re.findall(r"^y\d+' =", source, re.M))
    source = re.sub(r"\by(\d+)'", lambda m: f"out[{int(m[1]) - 1}]", source)
    source = re.sub(r"\by(\d+)\b", lambda m: f"y[{int(m[1]) - 1}]", source).replace("^", "**")
    lines = sorted(source.splitlines(), key=lambda line: line.startswith("out"))
    lines = [re.sub(r"\s*\(mu.*", "", line) for line in lines]
    code = compile("\n".join(lines), "equations", "exec")

    def f(y):
        names = {"y": y.tolist(), "out": [0.0] * n}
        exec(code, names)
        return names["out"]

    return f


def main():
    problems = json.loads(pathlib.Path(sys.argv[1]).read_text())["problems"]
    runs = []
    for name, end, atol in INTEGRATIONS:
        f, y0 = system(problems[name]["equations"]), problems[name]["y0"]
        exact = [row["y"] for row in problems[name]["rows"] if row["t"] == end]
        exact = np.array(exact[0] if exact else cvode(f, y0, end, 1e-13, 1e-13 * atol)[0])
        for rtol in (1e-4, 1e-6, 1e-8):
            try:
                y, counters = cvode(f, y0, end, rtol, rtol * atol)
            except RuntimeError as e:
                print(f"{name} at {rtol}: {e}", file=sys.stderr)
                continue
            error = np.max(np.abs(y - exact) / (rtol * (np.abs(exact) + atol)))
            runs.append({"problem": name, "end": end, "rtol": rtol, "atol": rtol * atol, **counters, "error": float(f"{error:.2e}"), "exact": exact.tolist()})
    print("[\n" + ",\n".join(map(json.dumps, runs)) + "\n]")


main()
