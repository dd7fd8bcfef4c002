"""Arrays on their way to the library."""

from __future__ import annotations

from numbers import Real
from typing import Any, Literal, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import ArgumentError
from ._library import CELL_MAJOR, SPECIES_MAJOR

Floats = NDArray[np.float64]


def numbers(name: str, values: ArrayLike) -> Floats:
    """An array of float64, the very same where it is one."""
    if np.ma.is_masked(values):
        raise ArgumentError(f"{name} has masked numbers: fill them, or leave their cells out")
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "fiu" and array.size:
            raise TypeError(f"of {array.dtype}")
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError) as why:
        raise ArgumentError(f"{name} is not an array of numbers: {why}") from why


def count(name: str, number: int) -> int:
    """A number of things."""
    whole = isinstance(number, Real) and number == number and 0 <= number < 2**63 and int(number) == number
    if not whole:
        raise ArgumentError(f"{name} is {number!r}, it must be a whole number and not below zero")
    return int(number)


def number(name: str, value: Any, must: str = "a number") -> float:
    """A single number."""
    array = numbers(name, value)
    if array.ndim:
        raise ArgumentError(f"{name} is {value!r}, it must be {must}")
    return float(array)


def interval(dt: float) -> float:
    """The interval of a call, s."""
    return number("dt", dt, "a number, s, or one for each cell")


def intervals(dt: ArrayLike, n: int) -> tuple[float, Optional[Floats]]:
    """The interval of a call, s, or those of n cells."""
    if numbers("dt", dt).ndim == 0:
        return interval(dt), None  # type: ignore[arg-type]
    return float("nan"), column("dt", dt, n)


def length(*named: tuple[str, Floats, int]) -> int:
    """The number of cells of arrays of so many dimensions, those with one dimension less holding for all cells."""
    sizes = {}
    for name, array, dimensions in named:
        if array.ndim == dimensions:
            sizes[name] = array.shape[0]
        elif array.ndim != dimensions - 1:
            raise ArgumentError(f"{name} has {array.ndim} dimensions, it must have {dimensions - 1} or {dimensions}")
    if len(set(sizes.values())) > 1:
        said = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        raise ArgumentError(f"the arrays differ in their number of cells: {said}")
    return next(iter(sizes.values()), 1)


def column(name: str, values: ArrayLike, n: int) -> Floats:
    """[n], in memory one after the other."""
    array = numbers(name, values)
    if array.shape not in ((), (n,)):
        raise ArgumentError(f"{name} has shape {array.shape}, it must have ({n},) or be one number")
    return in_line(np.broadcast_to(array, (n,)))


def table(name: str, values: ArrayLike, n: int, k: int, layout: Optional[int] = CELL_MAJOR) -> tuple[Floats, int]:
    """[n, k] and its order in memory: that which is wished, or with None that which it has."""
    array = numbers(name, values)
    if array.shape not in ((k,), (n, k)):
        raise ArgumentError(f"{name} has shape {array.shape}, it must have ({n}, {k}) or ({k},)")
    array = np.broadcast_to(array, (n, k))
    if layout is None:
        layout = SPECIES_MAJOR if array.flags.f_contiguous and not array.flags.c_contiguous else CELL_MAJOR
    return in_line(array, "F" if layout == SPECIES_MAJOR else "C"), layout


def in_line(array: Floats, order: Literal["C", "F"] = "C") -> Floats:
    """The array, or a copy of it that is in memory one after the other, each number where numbers may be."""
    return np.require(array, requirements=[order, "A"])


def own(array: Floats) -> Floats:
    """A copy in the same order, to be written."""
    return np.array(array, order="F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C")


def writable(name: str, array: Any, shape: tuple[int, ...]) -> Floats:
    """The array itself, to be advanced in place."""
    wanted = f"to be advanced in place it must be a writable array of float64 of shape {shape}, without gaps"
    if not isinstance(array, np.ndarray):
        raise ArgumentError(f"{name} is a {type(array).__name__}; {wanted}")
    flags = array.flags
    whole = flags.c_contiguous or (flags.f_contiguous and len(shape) == 2)
    if array.dtype != np.float64 or array.shape != shape:
        raise ArgumentError(f"{name} is of {array.dtype} and shape {array.shape}; {wanted}")
    if not (flags.writeable and flags.aligned and whole):
        what = "has gaps" if flags.writeable else "is read-only"
        raise ArgumentError(f"{name} {what}; {wanted}")
    return array


def at(array: Optional[NDArray[Any]]) -> Optional[int]:
    """Where an array begins."""
    return None if array is None else array.ctypes.data
