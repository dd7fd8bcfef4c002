"""Solvers of gas cells."""

from __future__ import annotations

import ctypes
import operator
import os
import threading
from typing import TYPE_CHECKING, Any, Callable, ContextManager, Literal, Optional, Sequence, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays
from ._arrays import at
from ._errors import ArgumentError
from ._handles import Handle, Option, info, solving, text
from ._library import SPECIES_MAJOR, CHistory, CProperties, Notes, States, call, interruptible, lib
from .results import Advanced, Followed, Properties, Record, SpeciesProperties

if TYPE_CHECKING:
    from .mechanism import Mechanism

Floats = NDArray[np.float64]


class Planned:
    """What solvers of gases and of schemes have in common: one call at a time, and its end by a signal."""

    _handle: Handle
    #: The library's function that plans one.
    _new: Callable[..., Any]

    def __init__(self, source: Any, kind: type[Any], settings: dict[str, Option]) -> None:
        if not isinstance(source, kind):
            given, wanted = type(source).__name__, kind.__name__
            has_solver = callable(getattr(type(source), "solver", None))
            remedy = f"{given}.solver plans its solver" if has_solver else f"{wanted}(...) reads one"
            raise ArgumentError(f"{type(self).__name__} takes a {wanted}, {source!r} is a {given}; {remedy}")
        pointer = call(self._new, source._handle, solving(settings))
        self._handle = Handle(pointer, lib.kinlane_solver_free)
        self._source, self._settings = source, settings
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._stopped = False

    def __reduce__(self) -> Any:
        return _plan, (type(self), self._source, self._settings)

    def __repr__(self) -> str:
        return f"<kinlane.{type(self).__name__} of {self._source.name}: {self._settings or 'defaults'}>"

    def _alone(self) -> ContextManager[Any]:
        """Held by the thread whose turn it is. What a handler of signals asks for in the middle of a call, the library refuses."""
        if self._process != os.getpid():
            # The child of a fork: a thread that it lacks may hold the lock.
            self._lock, self._process = threading.RLock(), os.getpid()
        return self._lock

    def _run(
        self, function: Callable[..., Any], *arguments: Any, alive: Any = None, record: Optional[Record] = None
    ) -> dict[str, Any]:
        """One call of the library, while other threads wait; what a record holds then.

        `alive` has the arrays that the arguments point to: they last as long as the call, whatever a signal's handler raises.
        """
        handle = self._handle

        def work() -> Any:
            call(function, handle, *arguments)
            return alive, record

        def wish(on: bool) -> None:
            lib.kinlane_solver_stop(handle, on)
            if self._stopped:
                # What Ctrl-C has asked for is over; `stop`, perhaps called meanwhile, is not.
                lib.kinlane_solver_stop(handle, 1)

        with self._alone():
            interruptible(work, wish)
            return {} if record is None else record.outcome(info(handle, "report"))

    def _told(self, what: str) -> str:
        with self._alone():
            return info(self._handle, what)

    def stop(self) -> None:
        """Ends the running call early, from any thread: unfinished cells keep their state, with `Status.CANCELLED`.

        Further calls end at once, until `resume`.
        """
        self._stopped = True
        lib.kinlane_solver_stop(self._handle, 1)

    def resume(self) -> None:
        """Takes `stop` back."""
        self._stopped = False
        lib.kinlane_solver_stop(self._handle, 0)

    def prepare(self, cells: int) -> None:
        """Compiles for the device and takes its memory, for batches of so many cells; else the first call does."""
        self._run(lib.kinlane_solver_prepare, _arrays.count("cells", cells))

    @property
    def progress(self) -> int:
        """Number of cells that the running call has finished."""
        finished: int = lib.kinlane_solver_progress(self._handle)
        return finished

    @property
    def method(self) -> str:
        """The method in use."""
        # This may be asked while the solver works.
        return info(self._handle, "method")

    @property
    def fallback(self) -> Optional[str]:
        """Why the CPU does the work although a device was asked for."""
        return self._told("fallback") or None


class OfGas(Planned):
    """What solvers of gas cells have in common."""

    def __init__(self, mechanism: Mechanism, **settings: Option) -> None:
        # It imports this module.
        from .mechanism import Mechanism

        super().__init__(mechanism, Mechanism, settings)
        #: The mechanism.
        self.mechanism = mechanism


class Solver(OfGas):
    """A solver of gas cells, planned once and used for as many calls as there are.

    Args:
        mechanism: The mechanism.
        **settings: Options by their names on the command line, with `_` for `-`:

            - method: as `kinlane methods` lists them (default "auto")
            - reactor: "const-p" (default), "const-v" or "fixed-t"
            - rtol, atol: tolerances (1e-6; 1e-12 on mass fractions)
            - atol_of: absolute tolerances of single species, as {"OH": 1e-16} (none)
            - first_step: s (each cell chooses its own)
            - max_steps: attempts after which a cell fails (100 000)
            - factors: True if the rates of reactions may have factors in every cell (False); a little slower, CPU only
            - threads: counting the caller's (one per core)
            - lanes: instruction set, such as "avx2" (the best)
            - device: "cpu" (default), "opencl", "cuda", "auto", "opencl:1", "cpu+opencl"
            - device_memory: MiB; mapping, precision: as `kinlane advance --help` says

    Raises:
        ArgumentError: There is no such option.
        PlanError: No solver can be planned so.
    """

    _new = staticmethod(lib.kinlane_solver_new)

    def advance(
        self,
        T: ArrayLike,
        P: ArrayLike,
        Y: ArrayLike,
        dt: ArrayLike,
        *,
        dYdt: Optional[ArrayLike] = None,
        heating: Optional[ArrayLike] = None,
        Te: Optional[ArrayLike] = None,
        factors: Optional[ArrayLike] = None,
        continuation: Optional[Continuation] = None,
        inplace: bool = False,
    ) -> Advanced:
        """Advances n cells of k species by dt.

        A cell's answer depends on nothing but the cell, to the last bit. A cell that fails keeps its state and has a
        nonzero status; the others are advanced. Ctrl-C raises KeyboardInterrupt soon.

        Args:
            T: Temperatures [n], or one for all, K.
            P: Pressures [n], or one for all, Pa. They change at constant volume.
            Y: Mass fractions [n, k], or [k] for all, in the order of `mechanism.species`; neither checked further nor
                scaled. An array in Fortran's order, such as the transpose of one with a row per species, is taken as
                it lies.
            dt: The interval, s, or that of each cell [n]: local time steps.
            dYdt: Source of mass fractions, as Y, 1/s: constant over the call, of sum zero in each cell.
            heating: Source of enthalpy (at constant volume: energy) [n], W/kg.
            Te: Electron temperatures [n], K, for two-temperature rates.
            factors: On the rates of reactions, in both directions [n, r], or [r] for all cells: how answers depend on rate
                constants. 0 switches a reaction off. The solver is planned with factors=True.
            continuation: Of the same cells in the call before: they go on as if it had not ended.
            inplace: Whether T, P and Y themselves are advanced: writable arrays of float64 of shapes [n], [n], [n, k].
                Else they are left alone, and the new ones returned.

        Raises:
            ArgumentError, BatchError: Nothing has been touched; `cell` of a BatchError is the one to blame.
        """
        cells = _Cells(self.mechanism, T, P, Y, dt, dYdt, heating, Te, factors, inplace)
        record = cells.record
        if continuation is not None:
            if not isinstance(continuation, Continuation):
                raise ArgumentError(f"continuation is {continuation!r}; `Solver.continuation` makes one")
            record.extras.continuation = continuation._handle._as_parameter_
        extras, report = ctypes.byref(record.extras), ctypes.byref(record.report)
        outcome = self._run(lib.kinlane_advance, *cells.where, cells.dt, extras, report, alive=(cells, continuation), record=record)
        return Advanced(T=cells.T, P=cells.P, Y=cells.Y, **outcome)

    def continuation(self, cells: int) -> Continuation:
        """A continuation for so many cells that have not begun.

        Two calls of dt/2 with it give the bits of one call of dt with another; further on they do as long as the ends of
        the calls, dt added up, are the same numbers. With a continuation all cells have one method
        (for `auto` that is `rodas5p`), so the bits differ from those of a call without. After a call with a source, electron
        temperatures or factors, and in it, cells begin anew.
        """
        return Continuation(self, cells)

    def _states(self, T: ArrayLike, P: ArrayLike, Y: ArrayLike, Te: Optional[ArrayLike]) -> tuple[States, list[Any]]:
        """States for the library, and the arrays that have to live as long."""
        k = len(self.mechanism.species)
        temperature, pressure, y = (_arrays.numbers(*named) for named in (("T", T), ("P", P), ("Y", Y)))
        n = _arrays.length(("T", temperature, 1), ("P", pressure, 1), ("Y", y, 2))
        temperature, pressure = _arrays.column("T", temperature, n), _arrays.column("P", pressure, n)
        y, layout = _arrays.table("Y", y, n, k, None)
        electrons = None if Te is None else _arrays.column("Te", Te, n)
        states = States(n, at(temperature), at(pressure), at(y), layout, at(electrons))
        return states, [temperature, pressure, y, electrons]

    @overload
    def rates(
        self, T: ArrayLike, P: ArrayLike, Y: ArrayLike, *, Te: Optional[ArrayLike] = None, jacobian: Literal[False] = False
    ) -> Floats: ...

    @overload
    def rates(
        self, T: ArrayLike, P: ArrayLike, Y: ArrayLike, *, Te: Optional[ArrayLike] = None, jacobian: Literal[True]
    ) -> tuple[Floats, Floats]: ...

    @overload
    def rates(
        self, T: ArrayLike, P: ArrayLike, Y: ArrayLike, *, Te: Optional[ArrayLike] = None, jacobian: bool
    ) -> Union[Floats, tuple[Floats, Floats]]: ...

    def rates(
        self, T: ArrayLike, P: ArrayLike, Y: ArrayLike, *, Te: Optional[ArrayLike] = None, jacobian: bool = False
    ) -> Union[Floats, tuple[Floats, Floats]]:
        """Net production rates [n, k], mol/(m3 s), of states as for `advance`.

        With `jacobian=True` also the derivatives of (dY/dt, dT/dt) with respect to (Y, T) [n, k + 1, k + 1], of gas
        that reacts as the solver's reactor says: a pair.
        """
        states, alive = self._states(T, P, Y, Te)
        n, k = states.cells, len(self.mechanism.species)
        wdot = np.zeros((n, k), order="F" if states.layout == SPECIES_MAJOR else "C")
        jac = np.zeros((n, k + 1, k + 1)) if jacobian else None
        self._run(lib.kinlane_rates, ctypes.byref(states), at(wdot), at(jac), alive=(alive, wdot, jac))
        return wdot if jac is None else (wdot, jac)

    def rates_of_progress(self, T: ArrayLike, P: ArrayLike, Y: ArrayLike, *, Te: Optional[ArrayLike] = None) -> Floats:
        """Forward and reverse rate of progress of every reaction [n, r, 2], mol/(m3 s)."""
        states, alive = self._states(T, P, Y, Te)
        progress = np.zeros((states.cells, len(self.mechanism.reactions), 2))
        self._run(lib.kinlane_rates_of_progress, ctypes.byref(states), at(progress), alive=(alive, progress))
        return progress

    def properties(self, T: ArrayLike, P: ArrayLike, Y: ArrayLike, *, heat_release: bool = True) -> Properties:
        """Density, mean molar mass, heat capacity, enthalpy and heat release of states as for `advance`.

        With `heat_release=False` no reaction is evaluated, which takes most of the time, and the heat release is NaN.
        """
        states, alive = self._states(T, P, Y, None)
        found = Properties(*(np.full(states.cells, np.nan) for _ in Properties._fields))
        places = CProperties(*(at(array) for array in found))
        if not heat_release:
            places.heat_release = None
        self._run(lib.kinlane_gas_properties, ctypes.byref(states), ctypes.byref(places), alive=(alive, found))
        return found

    def species_properties(self, T: ArrayLike) -> SpeciesProperties:
        """Enthalpies and heat capacities [n, k] of every species at temperatures [n] K: for fluxes of enthalpy."""
        k = len(self.mechanism.species)
        states, alive = self._states(T, 1e5, np.zeros(k), None)
        found = SpeciesProperties(np.zeros((states.cells, k)), np.zeros((states.cells, k)))
        where = ctypes.byref(states), at(found.enthalpy), at(found.cp)
        self._run(lib.kinlane_species_properties, *where, alive=(alive, found))
        return found

    def temperatures(
        self, energy: ArrayLike, P: Optional[ArrayLike], Y: ArrayLike, *, guess: ArrayLike = 1000.0
    ) -> Floats:
        """Temperatures [n] K at which the gas has the specific enthalpy `energy` [n] J/kg; NaN where none has.

        At constant volume `energy` is the internal energy. `guess` is where to begin, K. The pressure does not matter: P may be
        None.
        """
        P = 1e5 if P is None else P
        wanted, first, pressure, y = (
            _arrays.numbers(*named) for named in (("energy", energy), ("guess", guess), ("P", P), ("Y", Y))
        )
        n = _arrays.length(("energy", wanted, 1), ("guess", first, 1), ("P", pressure, 1), ("Y", y, 2))
        states, alive = self._states(_arrays.column("guess", first, n), pressure, y, None)
        wanted, found = _arrays.column("energy", wanted, states.cells), np.zeros(states.cells)
        self._run(lib.kinlane_temperatures, ctypes.byref(states), at(wanted), at(found), alive=(alive, wanted, found))
        return found


class _Cells:
    """Cells as the library takes them, with their sources, and where it writes how they ended."""

    def __init__(
        self,
        mechanism: Mechanism,
        T: ArrayLike,
        P: ArrayLike,
        Y: ArrayLike,
        dt: ArrayLike,
        dYdt: Optional[ArrayLike],
        heating: Optional[ArrayLike],
        Te: Optional[ArrayLike],
        factors: Optional[ArrayLike],
        inplace: bool,
    ) -> None:
        k = len(mechanism.species)
        further = ("dt", dt, 1), ("dYdt", dYdt, 2), ("heating", heating, 1), ("Te", Te, 1), ("factors", factors, 2)
        sized = [("T", T, 1), ("P", P, 1), ("Y", Y, 2), *((name, values, n) for name, values, n in further if values is not None)]
        arrays = [(name, _arrays.numbers(name, values), dimensions) for name, values, dimensions in sized]
        temperature, pressure, y = (array for _, array, _ in arrays[:3])
        n = _arrays.length(*arrays)
        if inplace:
            self.T = _arrays.writable("T", T, (n,))
            self.P = _arrays.writable("P", P, (n,))
            self.Y = _arrays.writable("Y", Y, (n, k))
            layout = _arrays.table("Y", self.Y, n, k, None)[1]
        else:
            self.T = _arrays.own(_arrays.column("T", temperature, n))
            self.P = _arrays.own(_arrays.column("P", pressure, n))
            y, layout = _arrays.table("Y", y, n, k, None)
            self.Y = _arrays.own(y)
        source = None if dYdt is None else _arrays.table("dYdt", dYdt, n, k, layout)[0]
        heat = None if heating is None else _arrays.column("heating", heating, n)
        electrons = None if Te is None else _arrays.column("Te", Te, n)
        rates = None if factors is None else _arrays.table("factors", factors, n, len(mechanism.reactions))[0]
        self.dt, own = _arrays.intervals(dt, n)
        self._alive = source, heat, electrons, rates, own
        self.record = Record(n)
        self.record.extras.dydt, self.record.extras.heating = at(source), at(heat)
        self.record.extras.electron_temperature, self.record.extras.intervals = at(electrons), at(own)
        self.record.extras.factors = at(rates)
        #: The first arguments of a call.
        self.where = n, at(self.T), at(self.P), at(self.Y), layout


class Follower(OfGas):
    """A solver that notes states in between and when events happen: for time series and ignition delays.

    >>> from kinlane import Mechanism
    >>> gas = Mechanism("h2")
    >>> y = gas.mass_fractions({"H2": 2, "O2": 1, "N2": 3.76})
    >>> noted = gas.follower(threads=1).advance(1200.0, 101325.0, y, 1e-3, times=[1e-4, 1e-3], events=["dT/dt", "max OH"])
    >>> bool(0 < noted.found[0, 0] < 1e-4 and noted.T_series[0, 1] > 2500)
    True

    Args:
        mechanism: The mechanism.
        **settings: As of `Solver`.
    """

    _new = staticmethod(lib.kinlane_follower_new)

    def advance(
        self,
        T: ArrayLike,
        P: ArrayLike,
        Y: ArrayLike,
        dt: ArrayLike,
        *,
        times: ArrayLike = (),
        events: Union[str, Sequence[str]] = (),
        dYdt: Optional[ArrayLike] = None,
        heating: Optional[ArrayLike] = None,
        Te: Optional[ArrayLike] = None,
        factors: Optional[ArrayLike] = None,
        history: Optional[tuple[ArrayLike, ArrayLike]] = None,
    ) -> Followed:
        """Advances cells by dt, as `Solver.advance`, and notes what happens to them.

        Args:
            times: At which states are noted [t], s: ascending, from 0 to dt; NaN where a cell of a shorter interval does not
                arrive.
            events: In the words of `kinlane ignite --delay`: "dT/dt", "dOH/dt" (steepest rise), "max OH" (largest mole
                fraction), "T=1500", "P=2bar", "OH=1e-4" (first crossing), "T+400" (first rise by 400 K). A largest value or a
                steepest rise counts if it is over before dt.
            history: What is imposed on the cells: times [m] from 0 on, s, and the pressure at them, or with `reactor="const-v"` the
                volume, in any unit, [m] or [n, m]. Cells begin with their own P, and then follow the ratio to the first value.
                For followers with `history=True`, as `gas.follower(history=True)`.

        Raises:
            ArgumentError, BatchError: As `Solver.advance`; the times do not ascend, or an event cannot be understood.
        """
        cells = _Cells(self.mechanism, T, P, Y, dt, dYdt, heating, Te, factors, inplace=False)
        n, k, record = cells.where[0], len(self.mechanism.species), cells.record
        when = _arrays.in_line(_arrays.numbers("times", times).ravel())
        named = [events] if isinstance(events, str) else list(events)
        for event in named:
            if not isinstance(event, str) or not event.strip() or len(event.splitlines()) != 1:
                raise ArgumentError(f"{event!r} is no event: write dT/dt, max OH, T=1500 or T+400")
        series, found = np.full((n, when.size, k + 2), np.nan), np.full((n, len(named)), np.nan)
        lines = text("events", "\n".join(named)) if named else None
        notes = Notes(when.size, at(when), at(series), lines, at(found))
        places = ctypes.byref(notes), ctypes.byref(record.extras), ctypes.byref(record.report)
        alive: tuple[Any, ...] = cells, when, series, found
        if history is None:
            outcome = self._run(lib.kinlane_follow, *cells.where, cells.dt, *places, alive=alive, record=record)
        else:
            imposed, arrays = _imposed(history, n)
            along = ctypes.byref(imposed), *places
            outcome = self._run(lib.kinlane_follow_along, *cells.where, cells.dt, *along, alive=(*alive, arrays), record=record)
        parts: dict[str, Any] = {"T_series": series[..., 0], "P_series": series[..., 1], "Y_series": series[..., 2:]}
        return Followed(T=cells.T, P=cells.P, Y=cells.Y, times=when, found=found, **parts, **outcome)


def _imposed(history: tuple[ArrayLike, ArrayLike], n: int) -> tuple[CHistory, Any]:
    """A history as the library takes it, and the arrays that must stay alive with it."""
    if not isinstance(history, (tuple, list)) or len(history) != 2:
        raise ArgumentError("history is a pair: the times, and what is imposed at them")
    time = _arrays.in_line(_arrays.numbers("the times of history", history[0]).ravel())
    values = _arrays.numbers("the values of history", history[1])
    rows = 1 if values.ndim < 2 else values.shape[0]
    if values.shape not in ((time.size,), (n, time.size)):
        shapes = f"({time.size},) or ({n}, {time.size})"
        raise ArgumentError(f"history has {time.size} times and values of shape {values.shape}; it must be {shapes}")
    values = _arrays.in_line(values)
    return CHistory(time.size, at(time), rows, at(values)), (time, values)


class Continuation:
    """What cells keep from call to call, of one solver: `Solver.continuation` makes it.

    It can be pickled and copied, with its numbers; a copy goes on with this solver, and with all that are planned alike.
    """

    def __init__(self, solver: Solver, cells: int) -> None:
        if not isinstance(solver, Solver):
            raise ArgumentError(f"{solver!r} is no Solver; `Solver.continuation` makes a continuation")
        # While a call of another thread works, it waits.
        with solver._alone():
            pointer = call(lib.kinlane_continuation_new, solver._handle, _arrays.count("cells", cells))
        self._handle = Handle(pointer, lib.kinlane_continuation_free)
        self._planned = solver, cells

    def __reduce__(self) -> Any:
        return _continue, (*self._planned, self.save(), self.solver)

    @property
    def solver(self) -> int:
        """Tells which solvers may go on with it: to be stored with the numbers."""
        number: int = lib.kinlane_continuation_solver(self._handle)
        return number

    def save(self) -> Floats:
        """Its numbers, for a restart file."""
        numbers = np.zeros(lib.kinlane_continuation_size(self._handle))
        with self._planned[0]._alone():
            call(lib.kinlane_continuation_save, self._handle, at(numbers))
        return numbers

    def load(self, numbers: ArrayLike, solver: int) -> None:
        """Takes numbers back that `save` gave, where `solver` was what it is here."""
        try:
            known = 0 <= operator.index(solver) < 1 << 64
        except TypeError:
            known = False
        if not known:
            raise ArgumentError(f"solver is {solver!r}, it must be the whole number that `solver` of a continuation is")
        size: int = lib.kinlane_continuation_size(self._handle)
        array = _arrays.numbers("numbers", numbers)
        if array.size != size or array.ndim == 0:
            raise ArgumentError(f"numbers has shape {array.shape}, it must have ({size},)")
        array = _arrays.in_line(array)
        with self._planned[0]._alone():
            call(lib.kinlane_continuation_load, self._handle, at(array), solver)


def _continue(planned: Solver, cells: int, numbers: Floats, solver: int) -> Continuation:
    continuation = Continuation(planned, cells)
    continuation.load(numbers, solver)
    return continuation


def _plan(kind: Callable[..., Planned], source: Any, settings: dict[str, Option]) -> Planned:
    return kind(source, **settings)
