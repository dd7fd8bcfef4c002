"""Reaction schemes: the chemistry of an atmosphere, the burning of a star."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays
from ._arrays import at
from ._errors import ArgumentError
from ._handles import Handle, Option, PathLike, arguments_of, names, options, path, text
from ._library import CELL_MAJOR, FIXED, INPUTS, PHOTOLYSIS, REACTIONS, SPECIES, WARNINGS, Conditions, call, lib
from .results import Record, SchemeAdvanced, ZonesAdvanced
from .solver import Planned

Floats = NDArray[np.float64]

#: Numbers by name, each one for all cells or [n]; or an array [n, names], or [names] for all cells.
Columns = Union[Mapping[str, ArrayLike], ArrayLike, None]


class Scheme:
    """A reaction scheme, read once. It does not change.

    Amounts are those of its file: number densities, molecules/cm3, in an atmosphere; abundances, mol/g, in a star.

    Args:
        name: A KPP file, a MUSICA configuration (a file or its folder), a FERN network, or a REACLIB library.
        format: "kpp", "musica", "fern" or "reaclib" (default: recognised by content).
        rates: The file with the rates of a FERN network (default: the one beside it).
        nuclides: Those to take of a library, with all reactions among them: their names, or a file that lists them
            (default: all).
        partition: Files of partition functions for the reverse rates of a library.
        screening: "chugunov2007" enhances reactions between charged nuclei (default: no screening). It follows the
            electrons at the beginning of each call.

    Raises:
        MechanismError: It was not found, or refused: the text has every problem of the file, with its place.
    """

    def __init__(
        self,
        name: PathLike,
        *,
        format: Optional[str] = None,
        rates: Optional[PathLike] = None,
        nuclides: Union[PathLike, Sequence[str], None] = None,
        partition: Union[PathLike, Sequence[PathLike]] = (),
        screening: Optional[str] = None,
    ) -> None:
        name = os.fspath(name)
        if nuclides is not None and not isinstance(nuclides, (str, os.PathLike)):
            nuclides = ",".join(nuclides)
        if isinstance(partition, (str, os.PathLike)):
            partition = [partition]
        tables = [os.fspath(table) for table in partition]
        known = arguments_of(format=format, rates=rates, nuclides=nuclides, screening=screening)
        places = {**known, **arguments_of(partition=[os.path.abspath(table) for table in tables])}
        for option in ("rates", "nuclides"):
            if option in places and os.path.exists(places[option]):
                places[option] = os.path.abspath(places[option])
        # Elsewhere, and later, the folder may be another.
        self._again: Any = (_open, (os.path.abspath(name), places))
        given = {**known, **arguments_of(partition=os.pathsep.join(tables) or None)}
        self._fill(call(lib.kinlane_scheme_open, path("name", name), options(given)))

    @classmethod
    def from_text(
        cls, scheme: str, *, name: str = "scheme", format: Optional[str] = None, screening: Optional[str] = None
    ) -> Scheme:
        """Reads a scheme that is in one file from text, as where one process has read the file for all.

        Args:
            scheme: The text.
            name: Stands for the file in messages, and tells the format by its end where the text does not.
        """
        self = cls.__new__(cls)
        given = arguments_of(format=format, screening=screening)
        self._again = (_from_text, (scheme, dict(given, name=name)))
        self._fill(call(lib.kinlane_scheme_read, path("name", name), text("scheme", scheme), options(given)))
        return self

    def _fill(self, pointer: int) -> None:
        handle = self._handle = Handle(pointer, lib.kinlane_scheme_free)

        def listed(which: int) -> tuple[str, ...]:
            return names(lib.kinlane_scheme_count, lib.kinlane_scheme_item, handle, which)

        #: The file's stem.
        self.name: str = lib.kinlane_scheme_name(handle).decode()
        #: Whether it is the burning of a star; else the chemistry of an atmosphere.
        self.is_star = bool(lib.kinlane_scheme_is_star(handle))
        #: Species that evolve [k], in the order of every array.
        self.species = listed(SPECIES)
        #: Species that enter rates but do not change [f].
        self.fixed = listed(FIXED)
        #: Photolysis frequencies that rate constants use [j].
        self.photolysis = listed(PHOTOLYSIS)
        #: Further names that rate constants use [i].
        self.inputs = listed(INPUTS)
        #: Labels of the reactions [r], in file order.
        self.reactions = listed(REACTIONS)
        #: Mass numbers of nuclides [k], else 1.
        self.weights: Floats = np.zeros(len(self.species))
        call(lib.kinlane_scheme_weights, handle, at(self.weights))
        self.weights.setflags(write=False)
        #: Mass excesses of the atoms of a star's nuclides [k], MeV; NaN where one is not known. Reactions that change amounts
        #: by dY release ``-9.648533212331002e17 * (dY @ mass_excesses)`` erg/g.
        self.mass_excesses: Floats = np.zeros(len(self.species))
        call(lib.kinlane_scheme_mass_excesses, handle, at(self.mass_excesses))
        self.mass_excesses.setflags(write=False)
        usual = np.zeros(len(self.inputs))
        call(lib.kinlane_scheme_usual_inputs, handle, at(usual))
        #: The values that the file itself gives its inputs.
        self.usual_inputs = {name: float(x) for name, x in zip(self.inputs, usual) if not np.isnan(x)}

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of `kinlane check`."""
        return names(lib.kinlane_scheme_count, lib.kinlane_scheme_item, self._handle, WARNINGS)

    def __reduce__(self) -> Any:
        return self._again

    def __repr__(self) -> str:
        return f"<kinlane.Scheme {self.name}: {len(self.species)} species, {len(self.reactions)} reactions>"

    def index(self, species: str) -> int:
        """The place of a species that evolves."""
        found: int = call(lib.kinlane_scheme_index, self._handle, SPECIES, text("species", species))
        return found

    def solver(self, **settings: Option) -> SchemeSolver:
        """Plans a solver, with the options of `Solver` but for `reactor`, `precision` and `factors`."""
        return SchemeSolver(self, **settings)

    def zones(self, **settings: Option) -> Zones:
        """Plans a solver of zones of a star that are heated by what burns in them."""
        return Zones(self, **settings)


class SchemeRates(NamedTuple):
    """Rates of a scheme."""

    #: Rate constants [n, r], as the file defines them.
    constants: Floats
    #: d(amount)/dt [n, k], per second.
    tendencies: Floats


class SchemeDetail(NamedTuple):
    """What each reaction does, and how tendencies depend on amounts."""

    #: Rates of progress [n, r], in amounts per second.
    progress: Floats
    #: d(tendency)/d(amount) [n, k, k], with rate constants that stay.
    jacobian: Floats


class OfScheme(Planned):
    """What solvers of a scheme have in common."""

    def __init__(self, scheme: Scheme, **settings: Option) -> None:
        super().__init__(scheme, Scheme, settings)
        #: The scheme.
        self.scheme = scheme


class SchemeSolver(OfScheme):
    """A solver of cells of a scheme: `Scheme.solver` plans it.

    Both calls take the surroundings of the cells so:

    - T: temperatures [n], or one for all: K, in a star GK.
    - amounts: of the species that evolve [n, k], or [k] for all cells.
    - fixed: amounts of the fixed species; inputs: the further inputs (those that the file gives a value may be left
      out); photolysis: frequencies, 1/s. Each by name (in any case, where one alone is meant), a number or [n]; or as
      an array [n, names], or [names].
    - density: [n], or one for all, g/cm3, in a star.
    """

    _new = staticmethod(lib.kinlane_scheme_solver_new)

    def advance(
        self,
        T: ArrayLike,
        amounts: ArrayLike,
        dt: ArrayLike,
        *,
        fixed: Columns = None,
        inputs: Columns = None,
        photolysis: Columns = None,
        density: Optional[ArrayLike] = None,
        source: Optional[ArrayLike] = None,
    ) -> SchemeAdvanced:
        """Advances n cells by dt, s, or each by its own [n]; the arrays are left alone, and new amounts returned.

        `source` is d(amount)/dt from outside, such as emissions [n, k], per second. Rate constants are computed once,
        for the beginning. A cell that fails keeps its amounts and has a nonzero status.
        """
        further = [("dt", dt, 1)] if source is None else [("dt", dt, 1), ("source", source, 2)]
        conditions, given, alive = self._conditions(T, amounts, fixed, inputs, photolysis, density, further)
        n, k = given.shape
        if source is not None:
            alive.append(_arrays.table("source", source, n, k)[0])
            conditions.source = at(alive[-1])
        record, new = Record(n), _arrays.own(given)
        whole, own = _arrays.intervals(dt, n)
        record.extras.intervals = at(own)
        extras, report = ctypes.byref(record.extras), ctypes.byref(record.report)
        where, alive = (ctypes.byref(conditions), at(new)), [*alive, new, own]
        outcome = self._run(lib.kinlane_scheme_advance, *where, whole, extras, report, alive=alive, record=record)
        return SchemeAdvanced(amounts=new, **outcome)

    def rates(
        self,
        T: ArrayLike,
        amounts: ArrayLike,
        *,
        fixed: Columns = None,
        inputs: Columns = None,
        photolysis: Columns = None,
        density: Optional[ArrayLike] = None,
    ) -> SchemeRates:
        """Rate constants [n, r] and tendencies [n, k]."""
        conditions, given, alive = self._conditions(T, amounts, fixed, inputs, photolysis, density)
        n, k = given.shape
        rates = SchemeRates(np.zeros((n, len(self.scheme.reactions))), np.zeros((n, k)))
        self._run(lib.kinlane_scheme_rates, ctypes.byref(conditions), at(given), *(at(array) for array in rates), alive=(alive, given, rates))
        return rates

    def detail(
        self,
        T: ArrayLike,
        amounts: ArrayLike,
        *,
        fixed: Columns = None,
        inputs: Columns = None,
        photolysis: Columns = None,
        density: Optional[ArrayLike] = None,
    ) -> SchemeDetail:
        """Rates of progress [n, r] and Jacobians [n, k, k]."""
        conditions, given, alive = self._conditions(T, amounts, fixed, inputs, photolysis, density)
        n, k = given.shape
        detail = SchemeDetail(np.zeros((n, len(self.scheme.reactions))), np.zeros((n, k, k)))
        self._run(lib.kinlane_scheme_detail, ctypes.byref(conditions), at(given), *(at(array) for array in detail), alive=(alive, given, detail))
        return detail

    @property
    def not_finite(self) -> Optional[str]:
        """The reaction whose rate constant was not finite in a cell of the last call."""
        return self._told("not-finite") or None

    def _conditions(
        self,
        T: ArrayLike,
        amounts: ArrayLike,
        fixed: Columns,
        inputs: Columns,
        photolysis: Columns,
        density: Any,
        further: Sequence[tuple[str, ArrayLike, int]] = (),
    ) -> tuple[Conditions, Floats, list[Any]]:
        """Conditions for the library, amounts, and the arrays that have to live as long."""
        scheme = self.scheme
        temperature, amount = _arrays.numbers("T", T), _arrays.numbers("amounts", amounts)
        sized = [("T", temperature, 1), ("amounts", amount, 2)]
        sized += [(name, _arrays.numbers(name, values), dimensions) for name, values, dimensions in further]
        if density is not None:
            sized.append(("density", _arrays.numbers("density", density), 1))
        for what, columns in (("fixed", fixed), ("inputs", inputs), ("photolysis", photolysis)):
            if isinstance(columns, Mapping):
                sized += [(name, _arrays.numbers(name, values), 1) for name, values in columns.items()]
            elif columns is not None:
                sized.append((what, _arrays.numbers(what, columns), 2))
        n = _arrays.length(*sized)
        if scheme.is_star != (density is not None):
            said = "needs density" if scheme.is_star else "has no density"
            raise ArgumentError(f"{scheme.name} {said}: it is the scheme of {'a star' if scheme.is_star else 'an atmosphere'}")
        alive = [
            _arrays.column("T", temperature, n),
            _arrays.column("density", density, n) if scheme.is_star else np.zeros(0),
            _columns("photolysis", photolysis, scheme.photolysis, {}, n),
            _columns("inputs", inputs, scheme.inputs, scheme.usual_inputs, n),
            _columns("fixed", fixed, scheme.fixed, {}, n),
        ]
        conditions = Conditions(n, *(at(array) if array.size else None for array in alive))
        return conditions, _arrays.table("amounts", amount, n, len(scheme.species))[0], alive


class Zones(OfScheme):
    """A solver of zones of a star that are heated by what burns in them: `Scheme.zones` plans it.

    Args:
        scheme: A network of nuclides whose masses are known.
        **settings: reactor ("const-p", the default, or "const-v"), method ("bdf" or "ndf"), rtol, atol, atol_of, first_step,
            max_steps and threads, as of `Solver`.
    """

    _new = staticmethod(lib.kinlane_zones_new)

    def advance(self, T: ArrayLike, amounts: ArrayLike, dt: ArrayLike, *, density: ArrayLike) -> ZonesAdvanced:
        """Advances n zones by dt, s, or each by its own [n]; the arrays are left alone.

        A zone that fails keeps what it came with and has a nonzero status.

        Args:
            T: Temperatures [n], or one for all, GK.
            amounts: Abundances [n, k], or [k] for all zones, mol/g.
            density: [n], or one for all, g/cm3. It changes at constant pressure.
        """
        names = ("T", T, 1), ("amounts", amounts, 2), ("density", density, 1), ("dt", dt, 1)
        sized = [(name, _arrays.numbers(name, values), dimensions) for name, values, dimensions in names]
        n = _arrays.length(*sized)
        new = [_arrays.own(_arrays.column(name, array, n)) for name, array, _ in (sized[0], sized[2])]
        new.append(_arrays.own(_arrays.table("amounts", sized[1][1], n, len(self.scheme.species))[0]))
        record, (whole, own) = Record(n), _arrays.intervals(dt, n)
        record.extras.intervals = at(own)
        extras, report = ctypes.byref(record.extras), ctypes.byref(record.report)
        where = (n, *(at(array) for array in new), CELL_MAJOR)
        outcome = self._run(lib.kinlane_zones_advance, *where, whole, extras, report, alive=(new, own), record=record)
        return ZonesAdvanced(T=new[0], density=new[1], amounts=new[2], **outcome)


def _columns(what: str, given: Columns, known: tuple[str, ...], usual: Mapping[str, float], n: int) -> Floats:
    """[n, names] of what was given by name or as an array."""
    if given is not None and not isinstance(given, Mapping):
        return _arrays.table(what, given, n, len(known))[0]
    values: dict[str, Any] = {**usual, **_spelt(what, given or {}, known)}
    unknown, missing = set(values) - set(known), [name for name in known if name not in values]
    if unknown:
        raise ArgumentError(f"{what}: there is no {', '.join(sorted(unknown))}; there is {', '.join(known) or 'none'}")
    if missing:
        raise ArgumentError(f"{what} lacks {', '.join(missing)}")
    array = np.zeros((n, len(known)))
    for i, name in enumerate(known):
        array[:, i] = _arrays.column(name, values[name], n)
    return array


def _spelt(what: str, given: Mapping[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    """The same with names as the scheme writes them, where just one is meant but for upper and lower case."""
    values: dict[str, Any] = {}
    for name, value in given.items():
        near = [own for own in known if own.casefold() == name.casefold()]
        meant = near[0] if len(near) == 1 else name
        if meant in values:
            raise ArgumentError(f"{what}: {meant} is given twice, once as {name}")
        values[meant] = value
    return values


def _open(name: str, given: dict[str, Any]) -> Scheme:
    return Scheme(name, **given)


def _from_text(scheme: str, given: dict[str, Any]) -> Scheme:
    return Scheme.from_text(scheme, **given)
