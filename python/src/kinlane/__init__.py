"""kinlane: advances very many small, independent, stiff reaction networks at once.

>>> import kinlane
>>> gas = kinlane.Mechanism("h2")
>>> y = gas.mass_fractions({"H2": 2, "O2": 1, "N2": 3.76})
>>> after = gas.solver(threads=1).advance([1200.0, 1300.0], 101325.0, y, dt=1e-3)
>>> after.failed
0
>>> bool((after.T > 2500).all())
True

Gases: `Mechanism`, `Solver`, and `Follower` for time series and ignition delays. Atmospheres and stars: `Scheme`,
`SchemeSolver`, and `Zones` for stars that heat themselves. Arrays are of float64, one row per cell, in SI units (schemes: in those of their files). Errors are `Error` and its kinds, with kinlane's own words.

Threads may share everything here. A solver does one call at a time, and a second thread waits for it; plan several
solvers to work side by side. Calls release Python's lock, and Ctrl-C ends those that advance cells. Processes: after a fork, solvers give the
same answers on one thread, so plan after the fork; everything can be pickled, and is read or planned anew from the same
file.
"""

from ._errors import (
    ArgumentError,
    BatchError,
    BusyError,
    DeviceError,
    Error,
    InternalError,
    MechanismError,
    PlanError,
)
from ._library import bundled, methods
from ._library import version as _version
from .mechanism import Mechanism
from .results import (
    Advanced,
    Equilibrium,
    Followed,
    Properties,
    Report,
    SchemeAdvanced,
    SpeciesProperties,
    Status,
    ZonesAdvanced,
)
from .scheme import Scheme, SchemeDetail, SchemeRates, SchemeSolver, Zones
from .solver import Continuation, Follower, Solver

__all__ = [
    "Advanced",
    "ArgumentError",
    "BatchError",
    "BusyError",
    "Continuation",
    "DeviceError",
    "Equilibrium",
    "Error",
    "Followed",
    "Follower",
    "InternalError",
    "Mechanism",
    "MechanismError",
    "PlanError",
    "Properties",
    "Report",
    "Scheme",
    "SchemeAdvanced",
    "SchemeDetail",
    "SchemeRates",
    "SchemeSolver",
    "Solver",
    "SpeciesProperties",
    "Status",
    "Zones",
    "ZonesAdvanced",
    "bundled",
    "methods",
]

__version__ = _version()
