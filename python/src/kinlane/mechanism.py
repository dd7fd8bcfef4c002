"""Mechanisms of gases."""

from __future__ import annotations

import os
from typing import Any, Literal, Mapping, Optional, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays
from ._errors import ArgumentError, BatchError
from ._handles import Handle, Option, PathLike, arguments_of, names, options, path, text
from ._library import ELEMENTS, REACTIONS, SPECIES, WARNINGS, call, lib
from .results import Equilibrium, Properties, SpeciesProperties
from .solver import Follower, Solver

Floats = NDArray[np.float64]


# Cells whose equilibria take some tenths of a second.
_SOON = 1000

Moles = Union[Mapping[str, float], "ArrayLike"]


class Mechanism:
    """A reaction mechanism of k species, read once. It does not change.

    >>> gas = Mechanism("h2")
    >>> gas.species[:3]
    ('H', 'H2', 'O')

    Args:
        name: A file, Cantera YAML or CHEMKIN, else the name of a bundled mechanism: "h2" or "gri30".
        phase: The phase of a Cantera file (default: the first).
        thermo: The file with the thermodynamics of a CHEMKIN mechanism, if that is apart.
        format: "cantera" or "chemkin" (default: recognised by content).

    Raises:
        MechanismError: It was not found, or refused: the text has every problem of the file, with its place.
    """

    def __init__(
        self,
        name: PathLike,
        *,
        phase: Optional[str] = None,
        thermo: Optional[PathLike] = None,
        format: Optional[str] = None,
    ) -> None:
        name = os.fspath(name)
        given = arguments_of(phase=phase, thermo=thermo, format=format)
        pointer = call(lib.kinlane_mechanism_open, path("name", name), options(given))
        # Elsewhere, and later, the folder may be another. A bundled mechanism has no place, whatever folder has its name.
        place = os.path.abspath(name) if os.path.isfile(name) else name
        self._fill(pointer, (_open, (place, {**given, **_places(thermo=thermo)})))

    @classmethod
    def from_text(
        cls,
        mechanism: str,
        *,
        name: str = "mechanism",
        thermo: Optional[str] = None,
        phase: Optional[str] = None,
        format: Optional[str] = None,
    ) -> Mechanism:
        """Reads a mechanism from text, as where one process has read the file for all.

        Args:
            mechanism: The text.
            name: Stands for the file in messages.
            thermo: The text of the thermodynamics of a CHEMKIN mechanism, if that is apart.
        """
        self = cls.__new__(cls)
        given = arguments_of(phase=phase, format=format)
        thermal = None if thermo is None else text("thermo", thermo)
        texts = path("name", name), text("mechanism", mechanism), thermal
        pointer = call(lib.kinlane_mechanism_read, *texts, options(given))
        self._fill(pointer, (_from_text, (mechanism, dict(given, name=name, thermo=thermo))))
        return self

    def _fill(self, pointer: int, again: Any) -> None:
        handle = self._handle = Handle(pointer, lib.kinlane_mechanism_free)
        self._again = again
        self._own: Optional[Solver] = None

        def listed(which: int) -> tuple[str, ...]:
            return names(lib.kinlane_mechanism_count, lib.kinlane_mechanism_item, handle, which)

        #: Name of the phase, or the file's.
        self.name: str = lib.kinlane_mechanism_name(handle).decode()
        #: Names of the species [k], in the order of every array.
        self.species = listed(SPECIES)
        #: Equations of the reactions, in file order.
        self.reactions = listed(REACTIONS)
        #: Symbols of the elements [e].
        self.elements = listed(ELEMENTS)
        #: Molar masses [k], kg/mol.
        self.molar_masses: Floats = np.zeros(len(self.species))
        call(lib.kinlane_mechanism_molar_masses, handle, _arrays.at(self.molar_masses))
        #: Numbers of atoms [k, e].
        self.atoms: Floats = np.zeros((len(self.species), len(self.elements)))
        call(lib.kinlane_mechanism_atoms, handle, _arrays.at(self.atoms))
        self.molar_masses.setflags(write=False)
        self.atoms.setflags(write=False)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What `kinlane check` warns of, except what only Cantera's converter minds (codes M0309, M0312, M0315, M0330)."""
        return names(lib.kinlane_mechanism_count, lib.kinlane_mechanism_item, self._handle, WARNINGS)

    def __reduce__(self) -> Any:
        return self._again

    def __repr__(self) -> str:
        return f"<kinlane.Mechanism {self.name}: {len(self.species)} species, {len(self.reactions)} reactions>"

    def index(self, species: str) -> int:
        """The place of a species.

        Raises:
            ArgumentError: There is none of that name; the text suggests the nearest.
        """
        found: int = call(lib.kinlane_mechanism_index, self._handle, SPECIES, text("species", species))
        return found

    def stoichiometry(self) -> tuple[Floats, Floats]:
        """Stoichiometric coefficients of reactants and of products, each [r, k], as the equations are written.

        >>> gas = Mechanism("h2")
        >>> left, right = gas.stoichiometry()
        >>> bool(np.allclose((right - left) @ gas.atoms, 0.0))
        True
        """
        shape = len(self.reactions), len(self.species)
        sides = np.zeros(shape), np.zeros(shape)
        call(lib.kinlane_mechanism_stoichiometry, self._handle, *(_arrays.at(side) for side in sides))
        return sides

    def _moles(self, name: str, moles: Moles) -> Floats:
        k = len(self.species)
        if not isinstance(moles, Mapping):
            array = _arrays.numbers(name, moles)
            if array.shape != (k,):
                raise ArgumentError(f"{name} has shape {array.shape}, it must have ({k},), or give moles by name")
            return _arrays.in_line(array)
        array = np.zeros(k)
        for species, amount in moles.items():
            array[self.index(species)] += _arrays.number(f"the amount of {species}", amount)
        return array

    def mass_fractions(self, moles: Moles) -> Floats:
        """Mass fractions [k] of a mixture given by moles, of any sum: by name, or [k].

        >>> float(Mechanism("h2").mass_fractions({"H2": 1.0})[1])
        1.0
        """
        amounts, y = self._moles("moles", moles), np.zeros(len(self.species))
        call(lib.kinlane_mechanism_mass_fractions, self._handle, _arrays.at(amounts), _arrays.at(y))
        return y

    def mixture(self, fuel: Moles, oxidizer: Moles, phi: float) -> Floats:
        """Mass fractions [k] of fuel and oxidizer, each in moles of any sum, mixed to the equivalence ratio phi."""
        first, second = self._moles("fuel", fuel), self._moles("oxidizer", oxidizer)
        y = np.zeros(len(self.species))
        pointers = [_arrays.at(a) for a in (first, second)]
        call(lib.kinlane_mechanism_mixture, self._handle, *pointers, _arrays.number("phi", phi), _arrays.at(y))
        return y

    def equilibrate(
        self, T: ArrayLike, P: ArrayLike, Y: ArrayLike, *, held: str = "HP", threads: int = 0
    ) -> Equilibrium:
        """Chemical equilibrium of gas at T [n] K and P [n] Pa with the mass fractions Y [n, k]; what holds for all cells may have a
        dimension less.

        >>> gas = Mechanism("h2")
        >>> flame = gas.equilibrate(300.0, 101325.0, gas.mixture({"H2": 1}, {"O2": 1, "N2": 3.76}, phi=1.0))
        >>> round(float(flame.T[0]), -1)
        2390.0

        Args:
            held: The two quantities that stay as they are: "TP", "TV", "HP" (the adiabatic flame), "SP", "UV" (the adiabatic bomb)
                or "SV".
            threads: Number of threads; 0 is as many as the machine runs at once.

        Mass fractions sum to one, to 1e-6; those that are below zero by no more than that count as zero.

        Raises:
            BatchError: A value that no gas has.
        """
        t, p, y = (_arrays.numbers(*named) for named in (("T", T), ("P", P), ("Y", Y)))
        n = _arrays.length(("T", t, 1), ("P", p, 1), ("Y", y, 2))
        table, layout = _arrays.table("Y", y, n, len(self.species))
        found = t, p, y = [_arrays.own(a) for a in (_arrays.column("T", t, n), _arrays.column("P", p, n), table)]
        status = np.zeros(n, dtype=np.int32)
        arrays: list[NDArray[Any]] = [*found, status]
        what, threads = text("held", held), _arrays.count("threads", threads)

        def work(lo: int, hi: int) -> None:
            *where, to = (_arrays.at(a[lo:hi]) for a in arrays)
            call(lib.kinlane_mechanism_equilibrate, self._handle, hi - lo, what, *where, layout, threads, to)

        # Some at a time, so that Ctrl-C ends it soon.
        for lo in range(0, max(n, 1), _SOON):
            try:
                work(lo, min(lo + _SOON, n))
            except BatchError:
                # All at once are refused before anything is computed, with the cell's own number.
                work(0, n)
                raise
        return Equilibrium(t, p, y, np.equal(status, 0))

    def solver(self, **settings: Option) -> Solver:
        """Plans a solver: see `Solver` for the options."""
        return Solver(self, **settings)

    def follower(self, **settings: Option) -> Follower:
        """Plans a solver that notes time series and the times of events: see `Follower`."""
        return Follower(self, **settings)

    def _evaluator(self) -> Solver:
        if self._own is None:
            # With another object for the same handle: a cycle would keep the solver's threads until the garbage is collected.
            alias = Mechanism.__new__(Mechanism)
            alias.__dict__.update(self.__dict__)
            self._own = Solver(alias)
        return self._own

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
        """As `Solver.rates`, by a solver of the mechanism's own."""
        return self._evaluator().rates(T, P, Y, Te=Te, jacobian=jacobian)

    def rates_of_progress(self, T: ArrayLike, P: ArrayLike, Y: ArrayLike, *, Te: Optional[ArrayLike] = None) -> Floats:
        """As `Solver.rates_of_progress`, by a solver of the mechanism's own."""
        return self._evaluator().rates_of_progress(T, P, Y, Te=Te)

    def properties(self, T: ArrayLike, P: ArrayLike, Y: ArrayLike, *, heat_release: bool = True) -> Properties:
        """As `Solver.properties`, by a solver of the mechanism's own."""
        return self._evaluator().properties(T, P, Y, heat_release=heat_release)

    def species_properties(self, T: ArrayLike) -> SpeciesProperties:
        """As `Solver.species_properties`, by a solver of the mechanism's own."""
        return self._evaluator().species_properties(T)

    def temperatures(
        self, enthalpy: ArrayLike, P: Optional[ArrayLike], Y: ArrayLike, *, guess: ArrayLike = 1000.0
    ) -> Floats:
        """Temperatures [n] K at which the gas has the specific enthalpy [n] J/kg; NaN where none has. P may be None.

        For internal energies ask a solver of constant volume.
        """
        return self._evaluator().temperatures(enthalpy, P, Y, guess=guess)


def _places(**files: Optional[PathLike]) -> dict[str, str]:
    """Absolute paths of those that are given."""
    return {option: os.path.abspath(file) for option, file in files.items() if file is not None}


def _open(name: str, given: dict[str, Any]) -> Mechanism:
    return Mechanism(name, **given)


def _from_text(mechanism: str, given: dict[str, Any]) -> Mechanism:
    return Mechanism.from_text(mechanism, **given)
