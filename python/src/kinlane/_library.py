"""The C library, by ctypes: `kinlane.h` function by function, and how it is called."""

from __future__ import annotations

import _thread
import ctypes
import os
import signal
import sys
import threading
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable, Optional

from . import _errors

#: `KINLANE_ABI` of the header that this file follows.
ABI = 2
NONE = c_size_t(-1).value

SPECIES, REACTIONS, ELEMENTS, FIXED, PHOTOLYSIS, INPUTS, WARNINGS = range(7)
CELL_MAJOR, SPECIES_MAJOR = range(2)


class Extras(ctypes.Structure):
    _fields_ = [
        (name, c_void_p)
        for name in (
            "electron_temperature",
            "dydt",
            "heating",
            "intervals",
            "factors",
            "continuation",
            "status",
            "steps",
            "rejected",
            "work",
            "reached",
        )
    ]


class CReport(ctypes.Structure):
    _fields_ = [
        ("cells", c_size_t),
        ("failed", c_size_t),
        ("rescued", c_size_t),
        ("seconds", c_double),
        ("cpu_seconds", c_double),
        ("steps", c_uint64),
        ("rejected", c_uint64),
        ("rhs", c_uint64),
        ("jac", c_uint64),
        ("factor", c_uint64),
    ]


class States(ctypes.Structure):
    _fields_ = [
        ("cells", c_size_t),
        ("temperature", c_void_p),
        ("pressure", c_void_p),
        ("y", c_void_p),
        ("layout", c_int),
        ("electron_temperature", c_void_p),
    ]


class Notes(ctypes.Structure):
    _fields_ = [
        ("times", c_size_t),
        ("time", c_void_p),
        ("series", c_void_p),
        ("events", c_char_p),
        ("found", c_void_p),
    ]


class CHistory(ctypes.Structure):
    _fields_ = [("knots", c_size_t), ("time", c_void_p), ("rows", c_size_t), ("value", c_void_p)]


class CProperties(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("density", "molar_mass", "cp", "enthalpy", "heat_release")]


class Conditions(ctypes.Structure):
    _fields_ = [("cells", c_size_t)] + [
        (name, c_void_p) for name in ("temperature", "density", "photolysis", "inputs", "fixed", "source")
    ] + [("layout", c_int)]


_handle, _code, _array = c_void_p, c_int, c_void_p
#: Arguments of calls that advance cells: the solver, the number of cells, their arrays, the layout, dt; and what ends them.
_cells: list[Any] = [_handle, c_size_t, _array, _array, _array, c_int, c_double]
_summary: list[Any] = [POINTER(Extras), POINTER(CReport), _handle]
#: Results and arguments. The place for errors, which ends most of them, is a handle, too.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "abi": (c_int, []),
    "version": (c_char_p, []),
    "methods": (c_char_p, []),
    "bundled": (c_char_p, []),
    "error_new": (_handle, []),
    "error_free": (None, [_handle]),
    "error_code": (_code, [_handle]),
    "error_text": (c_char_p, [_handle]),
    "error_cell": (c_size_t, [_handle]),
    "options_new": (_handle, []),
    "options_free": (None, [_handle]),
    "options_set": (_code, [_handle, c_char_p, c_char_p, _handle]),
    "options_set_number": (_code, [_handle, c_char_p, c_double, _handle]),
    "mechanism_open": (_handle, [c_char_p, _handle, _handle]),
    "mechanism_read": (_handle, [c_char_p, c_char_p, c_char_p, _handle, _handle]),
    "mechanism_free": (None, [_handle]),
    "mechanism_name": (c_char_p, [_handle]),
    "mechanism_count": (c_size_t, [_handle, c_int]),
    "mechanism_item": (c_char_p, [_handle, c_int, c_size_t]),
    "mechanism_index": (c_size_t, [_handle, c_int, c_char_p, _handle]),
    "mechanism_molar_masses": (_code, [_handle, _array, _handle]),
    "mechanism_atoms": (_code, [_handle, _array, _handle]),
    "mechanism_stoichiometry": (_code, [_handle, _array, _array, _handle]),
    "mechanism_mass_fractions": (_code, [_handle, _array, _array, _handle]),
    "mechanism_mixture": (_code, [_handle, _array, _array, c_double, _array, _handle]),
    "mechanism_equilibrate": (
        _code,
        [_handle, c_size_t, c_char_p, _array, _array, _array, c_int, c_size_t, _array, _handle],
    ),
    "solver_new": (_handle, [_handle, _handle, _handle]),
    "solver_free": (None, [_handle]),
    "solver_prepare": (_code, [_handle, c_size_t, _handle]),
    "solver_info": (c_size_t, [_handle, c_char_p, c_char_p, c_size_t, _handle]),
    "solver_stop": (None, [_handle, c_int]),
    "solver_progress": (c_size_t, [_handle]),
    "status_text": (c_char_p, [c_int]),
    "advance": (_code, [*_cells, *_summary]),
    "follower_new": (_handle, [_handle, _handle, _handle]),
    "follow": (_code, [*_cells, POINTER(Notes), *_summary]),
    "follow_along": (_code, [*_cells, POINTER(CHistory), POINTER(Notes), *_summary]),
    "continuation_new": (_handle, [_handle, c_size_t, _handle]),
    "continuation_free": (None, [_handle]),
    "continuation_size": (c_size_t, [_handle]),
    "continuation_solver": (c_uint64, [_handle]),
    "continuation_save": (_code, [_handle, _array, _handle]),
    "continuation_load": (_code, [_handle, _array, c_uint64, _handle]),
    "rates": (_code, [_handle, POINTER(States), _array, _array, _handle]),
    "rates_of_progress": (_code, [_handle, POINTER(States), _array, _handle]),
    "gas_properties": (_code, [_handle, POINTER(States), POINTER(CProperties), _handle]),
    "species_properties": (_code, [_handle, POINTER(States), _array, _array, _handle]),
    "temperatures": (_code, [_handle, POINTER(States), _array, _array, _handle]),
    "scheme_open": (_handle, [c_char_p, _handle, _handle]),
    "scheme_read": (_handle, [c_char_p, c_char_p, _handle, _handle]),
    "scheme_free": (None, [_handle]),
    "scheme_name": (c_char_p, [_handle]),
    "scheme_is_star": (c_int, [_handle]),
    "scheme_count": (c_size_t, [_handle, c_int]),
    "scheme_item": (c_char_p, [_handle, c_int, c_size_t]),
    "scheme_index": (c_size_t, [_handle, c_int, c_char_p, _handle]),
    "scheme_weights": (_code, [_handle, _array, _handle]),
    "scheme_mass_excesses": (_code, [_handle, _array, _handle]),
    "scheme_usual_inputs": (_code, [_handle, _array, _handle]),
    "scheme_solver_new": (_handle, [_handle, _handle, _handle]),
    "scheme_advance": (_code, [_handle, POINTER(Conditions), _array, c_double, *_summary]),
    "zones_new": (_handle, [_handle, _handle, _handle]),
    "zones_advance": (_code, [*_cells, *_summary]),
    "scheme_rates": (_code, [_handle, POINTER(Conditions), _array, _array, _array, _handle]),
    "scheme_detail": (_code, [_handle, POINTER(Conditions), _array, _array, _array, _handle]),
}


def _path() -> str:
    """The library: that of `KINLANE_LIBRARY`, else the one in this package."""
    named = os.environ.get("KINLANE_LIBRARY")
    if named:
        return named
    name = {"win32": "kinlane.dll", "darwin": "libkinlane.dylib"}.get(sys.platform, "libkinlane.so")
    path = Path(__file__).parent / name
    if not path.is_file():
        raise ImportError(
            f"{path} is missing: install the package with `pip install ./python` in kinlane's repository, or name a "
            "library in the variable KINLANE_LIBRARY, such as target/release/libkinlane.so after `cargo build --release`"
        )
    return str(path)


def _load() -> ctypes.CDLL:
    path = _path()
    both = "build both from the same version"
    try:
        library = ctypes.CDLL(path)
        abi = library.kinlane_abi()
    except (OSError, AttributeError) as why:
        raise ImportError(f"{path} is not kinlane's library: {why}") from why
    if abi != ABI:
        raise ImportError(f"{path} has interface {abi}, this package needs {ABI}: {both}")
    for name, (result, arguments) in _FUNCTIONS.items():
        try:
            function = getattr(library, f"kinlane_{name}")
        except AttributeError as why:
            raise ImportError(f"{path} is older or younger than this package: {why}; {both}") from why
        function.restype, function.argtypes = result, arguments
    return library


lib = _load()


def version() -> str:
    """The version of the library."""
    text: bytes = lib.kinlane_version()
    return text.decode()


def methods() -> tuple[str, ...]:
    """The names of all methods that a solver can be planned with."""
    text: bytes = lib.kinlane_methods()
    return tuple(text.decode().split())


def bundled() -> tuple[str, ...]:
    """The names of the mechanisms that are built in."""
    text: bytes = lib.kinlane_bundled()
    return tuple(text.decode().split())


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function whose last argument is a place for errors; raises what it reports."""
    error = lib.kinlane_error_new()
    try:
        result = function(*arguments, error)
        code: int = lib.kinlane_error_code(error)
        if code:
            cell: Optional[int] = lib.kinlane_error_cell(error)
            raise _errors.of(code, lib.kinlane_error_text(error).decode(), None if cell == NONE else cell)
        return result
    finally:
        lib.kinlane_error_free(error)


def interruptible(work: Callable[[], Any], stop: Callable[[bool], None]) -> Any:
    """Does `work`, so that Ctrl-C ends it: `stop(True)` asks it to end, and the KeyboardInterrupt is raised when it has.

    Signals reach Python between two of its own instructions, and only in the main thread: so that one waits, and another
    works. Elsewhere nothing is to be heard, and the work is done where it is asked for. What the handler of Ctrl-C raises is
    kept until the work has ended: raised at once it could, twice in a row, leave this function while the work goes on.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    answer: list[Any] = []
    failure: list[BaseException] = []
    raised: list[BaseException] = []
    state = {"begun": False, "given up": False, "ended": False}
    # Held while it is settled whether the work begins.
    gate = threading.Lock()
    running = threading.Lock()
    running.acquire()
    previous = signal.getsignal(signal.SIGINT)

    def interrupt(number: int, frame: Any) -> None:
        if state["ended"] or not state["begun"]:
            # Nothing goes on: this may be raised at once. What another handler has raised may have left this one behind.
            signal.signal(signal.SIGINT, previous)
            previous(number, frame)  # type: ignore[operator, misc]
            return
        try:
            previous(number, frame)  # type: ignore[operator, misc]
        except BaseException as why:
            raised.append(why)
            stop(True)

    def worker() -> None:
        with gate:
            if state["given up"]:
                return
            state["begun"] = True
        try:
            answer.append(work())
        except BaseException as why:
            failure.append(why)
        finally:
            state["ended"] = True
            running.release()

    deferred = callable(previous)
    try:
        if deferred:
            signal.signal(signal.SIGINT, interrupt)
        try:
            # Not a threading.Thread, which takes twice as long to begin.
            _thread.start_new_thread(worker, ())
        except RuntimeError:
            # There is none to be had, as when the interpreter ends.
            worker()
        _wait(running, state)
        if raised:
            stop(False)
    except BaseException:
        # Of another signal. Whatever further ones raise, this is not left while the work goes on, or is still asked to end.
        settled = False
        while not settled:
            try:
                with gate:
                    state["given up"] = not state["begun"]
                if state["begun"]:
                    stop(True)
                    _wait(running, state)
                stop(False)
                settled = True
            except BaseException:
                continue
        raise
    finally:
        if deferred:
            signal.signal(signal.SIGINT, previous)
    if raised:
        raise raised[0]
    if failure:
        raise failure[0]
    return answer[0]


def _wait(running: threading.Lock, state: dict[str, bool]) -> None:
    """Waits until the work has ended; not without a limit, for on Windows such a wait hears no signal."""
    while not state["ended"]:
        running.acquire(timeout=0.2)
