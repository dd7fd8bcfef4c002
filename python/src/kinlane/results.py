"""What calls return."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._arrays import at
from ._library import CReport, Extras, lib

Floats = NDArray[np.float64]


class Status(enum.IntEnum):
    """How a cell ended; numbers as in the output of the program."""

    DONE = 0
    STEP_TOO_SMALL = 1
    TOO_MANY_STEPS = 2
    NOT_FINITE = 3
    CANCELLED = 4

    @property
    def text(self) -> str:
        """The same in words."""
        words: bytes = lib.kinlane_status_text(int(self))
        return words.decode()


@dataclass(frozen=True)
class Report:
    """Summary of a call; counts are sums over the cells.

    Attributes:
        failed: Cells that keep the state they came with.
        rescued: Cells that an upper rung of the failure ladder finished, or for a device the CPU.
        seconds: Wall time of the integration, s.
        cpu_seconds: CPU time of all threads, s.
        steps: Accepted steps.
        rejected: Rejected attempts.
        rhs: Evaluations of the right-hand side.
        jac: Evaluations of the Jacobian.
        factor: Factorisations.
        details: What the program's JSON report says of the work: device, threads, lanes, method, quantiles of steps and more.
    """

    cells: int
    failed: int
    rescued: int
    seconds: float
    cpu_seconds: float
    steps: int
    rejected: int
    rhs: int
    jac: int
    factor: int
    details: dict[str, Any] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Outcome:
    """How the cells of a call ended.

    Attributes:
        status: `Status` of each cell [n]; 0 is done.
        steps: Accepted steps of each cell [n].
        rejected: Rejected attempts of each cell [n].
        work: Cost of each cell [n], about in evaluations of the right-hand side: to balance loads.
        reached: Time that each cell has reached [n], s: its interval, less if it failed on the way.
        report: Summary.
    """

    status: NDArray[np.int32]
    steps: NDArray[np.uint32]
    rejected: NDArray[np.uint32]
    work: Floats
    reached: Floats
    report: Report

    @property
    def failed(self) -> int:
        """Number of cells that failed."""
        return self.report.failed

    @property
    def done(self) -> NDArray[np.bool_]:
        """Which cells are done [n]."""
        return np.equal(self.status, Status.DONE)


@dataclass(frozen=True, eq=False)
class Advanced(Outcome):
    """Cells of gas at the end of an interval. A cell that failed has the state it came with.

    Attributes:
        T: Temperatures [n], K.
        P: Pressures [n], Pa.
        Y: Mass fractions [n, k], in the order of the mechanism's species.
    """

    T: Floats
    P: Floats
    Y: Floats


@dataclass(frozen=True, eq=False)
class Followed(Advanced):
    """Cells of gas at the end of an interval, and what was noted on the way.

    Attributes:
        times: Times of the series [t], s.
        T_series: Temperatures at these times [n, t], K; NaN where a cell did not arrive, as for the two below.
        P_series: Pressures [n, t], Pa.
        Y_series: Mass fractions [n, t, k].
        found: When each event happened [n, events], s; NaN where it did not.
    """

    times: Floats
    T_series: Floats
    P_series: Floats
    Y_series: Floats
    found: Floats


@dataclass(frozen=True, eq=False)
class SchemeAdvanced(Outcome):
    """Cells of a scheme at the end of an interval. A cell that failed has the amounts it came with.

    Attributes:
        amounts: Amounts [n, k], in the order of the scheme's species.
    """

    amounts: Floats


@dataclass(frozen=True, eq=False)
class ZonesAdvanced(SchemeAdvanced):
    """Zones that are heated, at the end of an interval. A zone that failed has what it came with.

    Attributes:
        T: Temperatures [n], GK.
        density: Densities [n], g/cm3.
    """

    T: Floats
    density: Floats


class Properties(NamedTuple):
    """Properties of gas.

    Attributes:
        density: Density [n], kg/m3.
        molar_mass: Mean molar mass [n], kg/mol.
        cp: Heat capacity at constant pressure [n], J/(kg K).
        enthalpy: Specific enthalpy [n], J/kg, with enthalpies of formation.
        heat_release: Heat release [n], W/m3.
    """

    density: Floats
    molar_mass: Floats
    cp: Floats
    enthalpy: Floats
    heat_release: Floats


class Equilibrium(NamedTuple):
    """Gas at chemical equilibrium.

    Attributes:
        T: Temperature [n], K.
        P: Pressure [n], Pa.
        Y: Mass fractions [n, k].
        found: Whether there is an equilibrium [n]; one whose temperature is not held is sought between 50 and 20 000 K. Without one
            the state is that which was given.
    """

    T: Floats
    P: Floats
    Y: Floats
    found: NDArray[np.bool_]


class SpeciesProperties(NamedTuple):
    """Properties of every species.

    Attributes:
        enthalpy: Specific enthalpies [n, k], J/kg, with enthalpies of formation.
        cp: Heat capacities at constant pressure [n, k], J/(kg K).
    """

    enthalpy: Floats
    cp: Floats


class Record:
    """Where the library writes how cells ended."""

    def __init__(self, n: int) -> None:
        self.status = np.zeros(n, np.int32)
        self.steps, self.rejected = np.zeros(n, np.uint32), np.zeros(n, np.uint32)
        self.work, self.reached = np.zeros(n), np.zeros(n)
        self.report = CReport()
        self.extras = Extras(
            status=at(self.status),
            steps=at(self.steps),
            rejected=at(self.rejected),
            work=at(self.work),
            reached=at(self.reached),
        )

    def outcome(self, report: str) -> dict[str, Any]:
        """The fields of an `Outcome`, after the call, with its report in JSON."""
        numbers = {f[0]: getattr(self.report, f[0]) for f in CReport._fields_}
        return {
            "status": self.status,
            "steps": self.steps,
            "rejected": self.rejected,
            "work": self.work,
            "reached": self.reached,
            "report": Report(details=json.loads(report) if report else {}, **numbers),
        }
