"""What holds something of the library's: handles that are given back, options, and lists of names."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np

from ._arrays import number
from ._errors import ArgumentError
from ._library import call, lib

Number = Union[float, "np.floating[Any]", "np.integer[Any]"]
Option = Union[str, bool, np.bool_, Number, Mapping[str, Number], None]
PathLike = Union[str, "os.PathLike[str]"]


class Handle:
    """Owns a handle, and gives it back when it is no longer needed.

    It is itself what calls of the library are passed: so it lives as long as they last.
    """

    def __init__(self, pointer: int, free: Callable[[int], None]) -> None:
        self._as_parameter_ = pointer
        # Not at exit, where another thread may still use it.
        weakref.finalize(self, free, pointer).atexit = False

    def __reduce__(self) -> Any:
        raise TypeError("a handle of the library belongs to its process, and to one object")


def options(settings: Mapping[str, Option]) -> Handle:
    """Options of the library, by the names of the command line."""
    handle = Handle(lib.kinlane_options_new(), lib.kinlane_options_free)
    for name, value in settings.items():
        if value is None:
            continue
        if isinstance(value, (bool, np.bool_)):
            value = "yes" if value else "no"
        if isinstance(value, Mapping):
            value = ",".join(f"{species}:{number(f'{name} of {species}', tolerance)!r}" for species, tolerance in value.items())
        if isinstance(value, str):
            call(lib.kinlane_options_set, handle, name.encode(), text(name, value))
        elif isinstance(value, os.PathLike):
            call(lib.kinlane_options_set, handle, name.encode(), path(name, os.fspath(value)))
        else:
            call(lib.kinlane_options_set_number, handle, name.encode(), number(name, value))
    return handle


#: Options of reading, which the library takes from the same list as those of solving.
READING = ("format", "phase", "thermo", "rates", "nuclides", "partition", "screening")


def solving(settings: Mapping[str, Option]) -> Handle:
    """Options of a solver."""
    for name in settings:
        if name in READING:
            raise ArgumentError(f"{name} is an option of Mechanism or Scheme, which read files; a solver has what they have read")
    return options(settings)


def text(what: str, value: Union[str, bytes]) -> bytes:
    """Text for the library, which ends at a zero. A string may be the name of a file, which need not be Unicode."""
    if not isinstance(value, (str, bytes)):
        raise ArgumentError(f"{what} is {value!r}, it must be text")
    encoded = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    if b"\0" in encoded:
        raise ArgumentError(f"{what} has a zero byte in it")
    return encoded


def path(what: str, value: Union[str, bytes]) -> bytes:
    """As text, for what is the name of a file, in the encoding of this system."""
    return text(what, os.fsencode(value) if isinstance(value, str) else value)


def names(count: Callable[..., int], item: Callable[..., Optional[bytes]], owner: Handle, which: int) -> tuple[str, ...]:
    """A list of names."""
    found = (item(owner, which, i) for i in range(count(owner, which)))
    return tuple(name.decode() for name in found if name is not None)


def info(solver: Handle, what: str) -> str:
    """What a solver tells of itself."""
    length: int = call(lib.kinlane_solver_info, solver, what.encode(), None, 0)
    buffer = ctypes.create_string_buffer(length + 1)
    call(lib.kinlane_solver_info, solver, what.encode(), buffer, len(buffer))
    return buffer.value.decode()


def arguments_of(**given: Any) -> dict[str, Any]:
    """Those that are not None."""
    return {name: value for name, value in given.items() if value is not None}
