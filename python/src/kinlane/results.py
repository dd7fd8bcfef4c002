"""What calls return."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._arrays import at
from ._library import CReport, Extras, lib

if TYPE_CHECKING:
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
    """Summary of a call; counts are sums over the cells."""

    cells: int
    #: Cells that keep the state they came with.
    failed: int
    #: Cells that a device could not finish, and the CPU did.
    rescued: int
    #: Wall time of the integration, s.
    seconds: float
    #: CPU time of all threads, s.
    cpu_seconds: float
    #: Accepted steps.
    steps: int
    #: Rejected attempts.
    rejected: int
    #: Evaluations of the right-hand side.
    rhs: int
    #: Evaluations of the Jacobian.
    jac: int
    #: Factorisations.
    factor: int
    #: Everything that the program's JSON report says: device, threads, lanes, method, quantiles of steps and more.
    details: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Outcome:
    """How the cells of a call ended."""

    #: `Status` of each cell [n]; 0 is done.
    status: NDArray[np.int32]
    #: Accepted steps of each cell [n].
    steps: NDArray[np.uint32]
    #: Rejected attempts of each cell [n].
    rejected: NDArray[np.uint32]
    #: Cost of each cell [n], about in evaluations of the right-hand side: to balance loads.
    work: Floats
    #: Time that each cell has reached [n], s: its interval, less if it failed.
    reached: Floats
    #: Summary.
    report: Report

    @property
    def failed(self) -> int:
        """Number of cells that failed."""
        return self.report.failed

    @property
    def done(self) -> NDArray[np.bool_]:
        """Which cells are done [n]."""
        return np.equal(self.status, Status.DONE)


@dataclass(frozen=True)
class Advanced(Outcome):
    """Cells of gas at the end of an interval. A cell that failed has the state it came with."""

    #: Temperatures [n], K.
    T: Floats
    #: Pressures [n], Pa.
    P: Floats
    #: Mass fractions [n, k], in the order of the mechanism's species.
    Y: Floats


@dataclass(frozen=True)
class Followed(Advanced):
    """Cells of gas at the end of an interval, and what was noted on the way."""

    #: Times of the series [t], s.
    times: Floats
    #: Temperatures at these times [n, t], K; NaN where a cell did not arrive, as for the two below.
    T_series: Floats
    #: Pressures [n, t], Pa.
    P_series: Floats
    #: Mass fractions [n, t, k].
    Y_series: Floats
    #: When each event happened [n, events], s; NaN where it did not.
    found: Floats


@dataclass(frozen=True)
class SchemeAdvanced(Outcome):
    """Cells of a scheme at the end of an interval. A cell that failed has the amounts it came with."""

    #: Amounts [n, k], in the order of the scheme's species.
    amounts: Floats


class Properties(NamedTuple):
    """Properties of gas."""

    #: [n] kg/m3
    density: Floats
    #: Mean molar mass [n], kg/mol.
    molar_mass: Floats
    #: Heat capacity at constant pressure [n], J/(kg K).
    cp: Floats
    #: Specific enthalpy [n], J/kg, with enthalpies of formation.
    enthalpy: Floats
    #: Heat release [n], W/m3.
    heat_release: Floats


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
