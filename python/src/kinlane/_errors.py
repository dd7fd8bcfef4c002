"""Errors, with kinlane's own words."""

from __future__ import annotations

from typing import Optional


class Error(Exception):
    """Anything that kinlane refuses. `cell` is the cell that is to blame, if one is."""

    cell: Optional[int] = None


class ArgumentError(Error, ValueError):
    """An argument cannot be used: a shape, a name, an option, the interval."""


class MechanismError(Error):
    """A mechanism or a scheme was not found, or refused; the text has every problem, with its place."""


class PlanError(Error, ValueError):
    """No solver can be planned with these options."""


class BatchError(Error, ValueError):
    """An array holds a value that cannot be; no cell has been touched."""


class DeviceError(Error):
    """A device failed in the middle of a call."""


class BusyError(Error):
    """Something else is using the solver: a thread outside this package, or one that was in a call when the process forked."""


class InternalError(Error):
    """A fault of kinlane itself; please report it."""


_KINDS = {
    1: ArgumentError,
    2: MechanismError,
    3: PlanError,
    4: BatchError,
    5: DeviceError,
    6: BusyError,
    7: InternalError,
}


def of(code: int, text: str, cell: Optional[int]) -> Error:
    """The error that a call reports."""
    error = _KINDS.get(code, InternalError)(text)
    error.cell = cell
    return error
