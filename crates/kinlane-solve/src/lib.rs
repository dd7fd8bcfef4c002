//! The numerics of kinlane, each law and each method written once over `Machine`.
#![forbid(unsafe_code)]

pub mod dense;
pub mod gas;
pub mod history;
pub mod methods;
pub mod options;
pub mod record;
pub mod rescue;
pub mod scheme;
mod screening;
pub mod watch;

pub use history::{History, HistoryFault};
pub use options::{Cost, OptionError, Options, Outcome, Reactor, SUM_TOLERANCE, Status};

/// Lower bound on numbers before they are divided by, or before their logarithm is taken.
const LEAST: f64 = 1e-300;
