//! Everything that can go wrong in the library, as data.

use crate::units::plain;
use kinlane_device::DeviceError;
use kinlane_lanes::EngineError;
use kinlane_mech::read::Refusal;
use kinlane_solve::{OptionError, SUM_TOLERANCE};
use std::path::PathBuf;

/// Why a mechanism could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MechanismError {
    /// The reader refused the text; it says where and why for every problem found.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Neither a file nor a bundled mechanism has this name.
    #[error(
        "no mechanism `{}`: there is no such file, and the bundled ones are {}; {}", .path.display(), .bundled.join(", "),
        .nearest.map_or_else(|| "give the path of a mechanism file".to_owned(), |name| format!("did you mean `{name}`?"))
    )]
    NotFound {
        /// What was asked for.
        path: PathBuf,
        /// The names that would have worked.
        bundled: Vec<&'static str>,
        /// The closest of them, if one is close.
        nearest: Option<&'static str>,
    },
}

/// The absolute tolerance that is proposed for amounts in a unit of their own, as a part of them.
const TRACE: f64 = 1e-13;

/// The method of this library that is nearest to one known elsewhere under another name.
fn akin(name: &str) -> String {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let ours = match plain.to_ascii_lowercase().as_str() {
        "cvode" | "cvodes" | "vode" | "dvode" | "lsode" | "dlsode" | "lsoda" | "gear" => "bdf",
        "ode15s" => "ndf",
        "radau" | "radauiia" | "radauiia5" => "radau5",
        _ => return String::new(),
    };
    format!("; the one nearest to {name} is {ours}")
}

/// Why a solver could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No method has this name.
    #[error("no method `{name}`; known are {}{}", .known.join(", "), akin(.name))]
    UnknownMethod {
        /// The name asked for.
        name: String,
        /// Every name that would have worked.
        known: Vec<&'static str>,
    },
    /// The step length was not given for a method with steps of one length.
    #[error(
        "{method} takes steps of one length and does not know its errors: say which length (option first-step), or take \
         another method"
    )]
    NoStep {
        /// Name of the method.
        method: &'static str,
    },
    /// The processor has no such lanes.
    #[error("no lanes `{name}`; this processor has {}", .known.join(", "))]
    UnknownLanes {
        /// What was asked for.
        name: String,
        /// The widths that would have worked.
        known: Vec<String>,
    },
    /// An option is outside its range.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// An option is for a species that there is not.
    #[error("{option}: {cause}")]
    Species {
        /// Which option.
        option: &'static str,
        /// Which species.
        #[source]
        cause: Box<BatchError>,
    },
    /// The device asked for cannot be used.
    #[error(transparent)]
    Device(DeviceError),
    /// Reduced precision is for devices alone.
    #[error(
        "precision {precision} is for devices: the CPU computes in f64; take a device alone, as opencl or cuda, or f64"
    )]
    Precision {
        /// What was asked for.
        precision: &'static str,
    },
    /// The tolerance is smaller than the precision can meet.
    #[error("rtol {rtol:e} is finer than precision {precision} can hold, which is {finest:e}; raise it, or take f64")]
    TooFine {
        /// The precision asked for.
        precision: &'static str,
        /// The tolerance.
        rtol: f64,
        /// The smallest tolerance that it can meet.
        finest: f64,
    },
    /// The engine refused for a reason of its own.
    #[error("the solver cannot be planned: {0}")]
    Engine(#[source] EngineError),
}

impl From<EngineError> for PlanError {
    fn from(e: EngineError) -> Self {
        match e {
            EngineError::UnknownMethod { name } => {
                Self::UnknownMethod { name, known: crate::methods().map(|m| m.name).collect() }
            }
            EngineError::NoStep { method } => Self::NoStep { method },
            EngineError::UnknownWidth { name } => Self::UnknownLanes { name, known: crate::lanes() },
            EngineError::Option(fault) => Self::Option(fault),
            other => Self::Engine(other),
        }
    }
}

impl From<DeviceError> for PlanError {
    fn from(e: DeviceError) -> Self {
        match e {
            DeviceError::Engine(e) => e.into(),
            other => Self::Device(other),
        }
    }
}

/// Why a batch was refused. No cell has been touched, except with [`BatchError::Device`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A solver for times of peaks could not be planned.
    #[error("times of peaks need a solver of their own: {0}")]
    Planning(Box<PlanError>),
    /// A buffer has the wrong length.
    #[error("{what} has {got} values, {want} are needed")]
    Length {
        /// Which buffer.
        what: String,
        /// Its length.
        got: usize,
        /// The length it must have.
        want: usize,
    },
    /// A value cannot be used.
    #[error("cell {cell}, {column}: {} {fault}", plain(*.value))]
    Value {
        /// The cell, counted from 0.
        cell: usize,
        /// `T`, `P`, or a species: as `Y of OH` in [`States`](crate::States), by index as `Y[3]` in borrowed
        /// cells.
        column: String,
        /// The value found.
        value: f64,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// Mass fractions of a cell do not sum to one.
    #[error(
        "cell {cell}: the mass fractions sum to {sum}, which is further than {SUM_TOLERANCE:e} from 1; normalise them, and check \
         that every species has its own column"
    )]
    Sum {
        /// The cell, counted from 0.
        cell: usize,
        /// The sum found.
        sum: f64,
    },
    /// Sources of a cell's mass fractions do not sum to zero.
    #[error(
        "cell {cell}: the sources dYdt sum to {} 1/s, which over the interval would change the sum of the mass fractions \
         by {}; sources must sum to zero (as diffusion fluxes do with a correction velocity)",
        plain(*.sum), plain(sum * dt)
    )]
    Unbalanced {
        /// The cell, counted from 0.
        cell: usize,
        /// Their sum \[1/s\].
        sum: f64,
        /// The interval \[s\].
        dt: f64,
    },
    /// Amounts that are smaller than the absolute tolerance, which nobody has chosen.
    #[error(
        "the usual absolute tolerance, {atol:e}, is more than any cell has of all species together (at most {all:.3e}, in cell {cell}): \
         nothing would be computed; if amounts have another unit, give an atol that suits it, such as {:.0e}",
        TRACE * .all
    )]
    Coarse {
        /// The cell that has most, counted from 0.
        cell: usize,
        /// The sum of their absolute values.
        all: f64,
        /// The tolerance.
        atol: f64,
    },
    /// The mechanism, or the scheme, has no species of this name.
    #[error("there is no species `{name}`{}", .nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    UnknownSpecies {
        /// The name asked for.
        name: String,
        /// The closest name that there is.
        nearest: Option<String>,
    },
    /// An amount in a mixture is not a valid number.
    #[error("{} of `{species}` in a mixture: amounts must be finite and not below zero", plain(*.amount))]
    Amount {
        /// Which species.
        species: String,
        /// What was given.
        amount: f64,
    },
    /// A mixture has no amount of anything.
    #[error("the amounts of a mixture are all zero, or there are none")]
    Nothing,
    /// A continuation was made by another solver.
    #[error(
        "the continuation was made by a solver of another mechanism, method or reactor, of other tolerances, or one that differs in taking factors; ask this one for its own"
    )]
    ForeignContinuation,
    /// Numbers of a continuation are not those that were saved.
    #[error(
        "the continuation of cell {cell} is not what was saved: a file was damaged, or cells were mixed up; begin with a new one"
    )]
    DamagedContinuation {
        /// The cell, counted from 0.
        cell: usize,
    },
    /// The interval cannot be integrated over.
    #[error("the interval dt is {} s, it must be a positive number", plain(*.dt))]
    Interval {
        /// The interval \[s\].
        dt: f64,
    },
    /// Factors on rate constants were given to a solver that does not support them.
    #[error(
        "factors on rate constants need a mechanism made by `Mechanism::perturbable`, for the states and the solver, and \
         run on the CPU only"
    )]
    Factors,
    /// Histories were given to a solver that does not support them.
    #[error("histories of pressure or volume need a solver made by `AdvanceBuilder::follow_driven`")]
    History,
    /// A factor is for a reaction that does not exist.
    #[error("cell {cell} has a factor on reaction {wanted} (counted from 0); there are {reactions}")]
    Reaction {
        /// The cell, counted from 0.
        cell: usize,
        /// The reaction, counted from 0.
        wanted: usize,
        /// How many there are.
        reactions: usize,
    },
    /// Times at which states are wanted do not ascend from 0 to the end of the interval.
    #[error("time {index} (counted from 0) is {} s, it must be between {} and {} s", plain(*.value), plain(*.before), plain(*.dt))]
    Time {
        /// Index of the time.
        index: usize,
        /// Its value \[s\].
        value: f64,
        /// The time before it \[s\].
        before: f64,
        /// The interval \[s\].
        dt: f64,
    },
    /// An event is about a species that does not exist.
    #[error("event {event} is about species {wanted} (both counted from 0); there are {species}")]
    Species {
        /// Which event.
        event: usize,
        /// The species, counted from 0.
        wanted: usize,
        /// How many there are.
        species: usize,
    },
    /// An event waits for a level, a rise or a part that no quantity can reach.
    #[error(
        "event {event} cannot wait for {}: a level is finite, a rise above zero, the part that a rise slows to between zero \
         and one", plain(*.value)
    )]
    Level {
        /// Which event, counted from 0.
        event: usize,
        /// The level, the rise, or the part of it.
        value: f64,
    },
    /// A device failed. Cells whose outcome is `Done` have been advanced, the others are as they were.
    #[error(transparent)]
    Device(DeviceError),
    /// The engine refused for a reason of its own.
    #[error("the batch was refused: {0}")]
    Engine(#[source] EngineError),
}

impl BatchError {
    /// The error of a part of a batch that begins with cell `first`, with its cell counted from the start of the batch.
    #[must_use]
    pub fn shifted(mut self, first: usize) -> Self {
        match &mut self {
            Self::Value { cell, .. }
            | Self::Sum { cell, .. }
            | Self::Unbalanced { cell, .. }
            | Self::Coarse { cell, .. }
            | Self::DamagedContinuation { cell }
            | Self::Reaction { cell, .. } => *cell += first,
            _ => {}
        }
        self
    }
}

/// Of a solver that is made on the way, from options that another was made from.
impl From<PlanError> for BatchError {
    fn from(e: PlanError) -> Self {
        match e {
            PlanError::Device(e) => Self::Device(e),
            other => Self::Planning(Box::new(other)),
        }
    }
}

impl From<EngineError> for BatchError {
    fn from(e: EngineError) -> Self {
        match e {
            EngineError::Length { what, got, want } => Self::Length { what: what.to_owned(), got, want },
            EngineError::Value { cell, column, value } => {
                let fault = "cannot be used: T, P, Te and dt must be above zero, and all values finite";
                Self::Value { cell, column, value, fault }
            }
            EngineError::Factor { cell, reaction, factor: value } => {
                let column = format!("factor of reaction {reaction}");
                Self::Value { cell, column, value, fault: "cannot be used: factors are finite, and not below zero" }
            }
            EngineError::Interval { dt } => Self::Interval { dt },
            EngineError::Unbalanced { cell, sum, dt } => Self::Unbalanced { cell, sum, dt },
            EngineError::NoFactors => Self::Factors,
            EngineError::ForeignContinuation => Self::ForeignContinuation,
            EngineError::DamagedContinuation { cell } => Self::DamagedContinuation { cell },
            EngineError::NoHistory => Self::History,
            EngineError::Reaction { cell, wanted, reactions } => Self::Reaction { cell, wanted, reactions },
            EngineError::Time { index, value, before, dt } => Self::Time { index, value, before, dt },
            EngineError::Species { event, wanted, species } => Self::Species { event, wanted, species },
            EngineError::Level { event, value } => Self::Level { event, value },
            other => Self::Engine(other),
        }
    }
}

impl From<DeviceError> for BatchError {
    fn from(e: DeviceError) -> Self {
        match e {
            DeviceError::Engine(e) => e.into(),
            other => Self::Device(other),
        }
    }
}
