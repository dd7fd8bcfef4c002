"""Poles and residues of the rational functions in `poles.rs`: python poles.py > poles.rs (numpy, mpmath).

The poles are those of the best rational approximant of type (10, 10) of exp on the negative real axis, by the method
of Caratheodory and Fejer (Trefethen, Weideman & Schmelzer 2006), moved by one to the right, for a cell that ignites
has eigenvalues somewhat above zero. The residues are fitted for each phi function on its own, by least squares on
points of (-inf, 1] where a Chebyshev map makes them dense: to reuse those of exp loses three to five digits near zero.
"""

import mpmath
import numpy as np

HALF, MAP, TERMS, POINTS, SHIFT = 5, 9.0, 75, 1024, 1.0


def cf_poles(n):
    w = np.exp(2j * np.pi * np.arange(POINTS) / POINTS)
    f = np.exp(MAP * (w.real - 1) / (w.real + 1 + 1e-16))
    c = np.fft.fft(f).real / POINTS
    hankel = np.array([[c[i + j + 1] if i + j < TERMS else 0.0 for j in range(TERMS)] for i in range(TERMS)])
    v = np.linalg.svd(hankel)[2][n]
    q = np.roots(v)
    q = q[np.abs(q) > 1]
    t = (q + 1 / q) / 2
    z = MAP * (t - 1) / (t + 1)
    return sorted((x for x in z if x.imag > 0), key=lambda x: x.imag)


def phi(k, x):
    with mpmath.workdps(40):
        x = mpmath.mpf(float(x))
        if abs(x) < 1:
            return float(mpmath.fsum(x**j / mpmath.factorial(j + k) for j in range(40)))
        value = mpmath.exp(x)
        for j in range(k):
            value = (value - 1 / mpmath.factorial(j)) / x
        return float(value)


def number(x):
    """The shortest digits that give the number, in groups of three."""
    mantissa, _, exponent = repr(float(x)).partition("e")
    whole, _, digits = mantissa.partition(".")
    groups = "_".join(digits[i : i + 3] for i in range(0, len(digits), 3))
    return f"{whole}.{groups}" + (f"e{int(exponent)}" if exponent else "")


poles = [z + SHIFT for z in cf_poles(2 * HALF)]
assert len(poles) == HALF
t = np.cos(np.pi * (np.arange(2000) + 0.5) / 2000)
x = MAP * (t - 1) / (t + 1) + SHIFT
basis = np.column_stack([part for z in poles for part in ((2 / (x - z)).real, -(2 / (x - z)).imag)])
print("//! Made by `poles.py`: one of each conjugate pair, its real and its imaginary part.\n")
print(f"/// Poles that all functions share.\npub const POLES: [[f64; 2]; {HALF}] = [")
print("".join(f"    [{number(z.real)}, {number(z.imag)}],\n" for z in poles) + "];")
for k in (1, 3, 4):
    y = np.array([phi(k, v) for v in x])
    r = np.linalg.lstsq(basis, y, rcond=None)[0]
    error = np.abs(basis @ r - y).max()
    print(f"\n/// Residues of φ{k}; off by {error:.1e} at most on (−∞, 1].\npub const PHI{k}: [[f64; 2]; {HALF}] = [")
    print("".join(f"    [{number(r[2 * i])}, {number(r[2 * i + 1])}],\n" for i in range(HALF)) + "];")
