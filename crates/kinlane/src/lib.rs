//! kinlane advances very many small, independent, stiff reaction networks at once: the cells of a flame, the boxes
//! of an atmosphere, the zones of a star. Each cell takes its own steps; cells run side by side in SIMD registers and on all cores.
//!
//! ```
//! use kinlane::{Advance, Mechanism, States};
//!
//! // A mechanism is read at run time: from a file (`Mechanism::load`) or, here, from the bundled ones.
//! let mechanism = Mechanism::bundled("h2")?;
//!
//! // 100 cells of stoichiometric hydrogen and air at 1200 K and one atmosphere.
//! let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)])?;
//! let mut cells = States::new(&mechanism, vec![1200.0; 100], vec![101_325.0; 100], y.repeat(100))?;
//!
//! // Planned once; used for as many intervals as there are.
//! let mut solver = Advance::builder(&mechanism).rtol(1e-6).atol(1e-12).threads(2).plan()?;
//! for _ in 0..3 {
//!     let report = solver.advance_states(&mut cells, 1e-5)?;
//!     assert_eq!(report.failed, 0);
//! }
//! println!("T = {:.1} K", cells.temperature()[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A host with arrays of its own lends them through [`Cells`], cell-major or species-major; see
//! `examples/operator_splitting.rs`.
//!
//! One bad cell does not stop a batch: it keeps its entry state and says why in its [`Outcome`]. (A state
//! that is impossible for a gas, such as T below zero or NaN, is refused before any cell is touched.) A
//! cell's answer does not depend on its neighbours, on the order of the batch or on the number of threads, to
//! the last bit.
//!
//! | to | there is |
//! |---|---|
//! | read a gas, or the chemistry of an atmosphere or of a star | [`Mechanism`], [`Scheme`] |
//! | advance many cells | [`Advance`], [`SchemeSolver`], and [`Zones`], which heat themselves |
//! | note states and events (delays) on the way | [`Follow`], with an [`Event`] or a [`Delay`] |
//! | follow one cell whose surroundings change, or one zone of a star | [`Parcel`], [`Zone`] |
//! | find equilibria, steady stirred reactors, partially stirred ones, flames | [`Equilibrium`], [`StirredReactor`], [`PartiallyStirredReactor`], [`Flamelet`] |
//! | look into a state, and check a mechanism | [`inspect`](inspect()), [`element_fluxes`], [`lint`](lint()) |
#![forbid(unsafe_code)]

mod advance;
mod backend;
#[cfg(doctest)]
mod book;
mod builder;
mod bundled;
mod delay;
pub mod device;
mod equilibrium;
mod error;
mod flamelet;
mod follow;
mod inspect;
mod lint;
mod mechanism;
mod methods;
mod mixture;
mod options;
mod oracle;
mod pasr;
mod paths;
mod peaks;
mod place;
mod psr;
mod report;
mod runner;
mod scheme;
mod single;
mod standard;
mod states;
mod tolerances;
pub mod units;
mod zone;

/// Instruction sets, with numbers of cells side by side, that this processor supports, the widest first;
/// [`AdvanceBuilder::lanes`] takes these names.
pub fn lanes() -> Vec<String> {
    kinlane_lanes::available().iter().map(ToString::to_string).collect()
}

pub use advance::Advance;
pub use builder::{AdvanceBuilder, Builder, SchemeBuilder};
pub use bundled::{BUNDLED, Bundled};
pub use delay::{Delay, DelayError};
pub use device::DeviceError;
pub use equilibrium::{Equilibrated, Equilibrium, EquilibriumError, Pair, equilibrate};
pub use error::{BatchError, MechanismError, PlanError};
pub use flamelet::{Flamelet, FlameletError, FlameletSetup, Kindling, Unrest};
pub use follow::{Follow, Followed, Peaks};
pub use inspect::{Inspection, ReactionRate, SpeciesRate, TRACED, TraceError, inspect, trace, trace_continuing};
pub use kinlane_lanes::{
    Cells, Continuation, EngineError, Event, Factor, Happening, History, HistoryFault, Layout, Points, Properties,
    Quantity, Source, UsualArithmetic,
};
/// The readers, with the networks and findings that they return.
pub use kinlane_mech as mech;
pub use kinlane_mech::read::{Format, ReadOptions};
pub use kinlane_mech::screening::Screening;
pub use kinlane_plan::Precision;
pub use kinlane_solve::gas::problem::TEMPERATURES;
pub use kinlane_solve::{Cost, OptionError, Outcome, Reactor, SUM_TOLERANCE, Status};
pub use lint::lint;
pub use mechanism::{Mechanism, Sizes};
pub use methods::{Method, methods};
pub use mixture::MixtureError;
pub use options::{Options, USUAL_ATOL};
pub use oracle::TracePoint;
pub use pasr::{PartiallyStirredReactor, PasrError, PasrSetup, Stream};
pub use paths::{ElementFlux, element_fluxes};
pub use place::{Place, cores};
pub use psr::{Branch, Curve, CurvePoint, PsrError, StirredReactor, StirredState, Turn};
pub use report::{Chosen, Quantiles, Report};
pub use scheme::{Conditions, Parcel, ParcelError, Scheme, SchemeSolver, SchemeStates};
pub use states::States;
pub use tolerances::{Tolerances, TolerancesError};
pub use zone::{Matter, Plasma, Property, Zone, ZoneError, Zones};
