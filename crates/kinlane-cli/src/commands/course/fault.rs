//! What cannot be set of a cell that is followed.

use kinlane::SUM_TOLERANCE;
use kinlane::mech::words::few;

/// What is wrong with `--set`, `--X` and their kind.
#[derive(Debug, thiserror::Error)]
pub enum SettingFault {
    /// A name that the scheme does not have.
    #[error("the scheme has no `{name}`{}", .nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    Unknown {
        /// The name.
        name: String,
        /// The closest that it has.
        nearest: Option<String>,
    },
    /// A name of what has an option of its own.
    #[error("`{name}` is no setting: give the temperature with {option}")]
    OwnOption {
        /// The name.
        name: String,
        /// The option.
        option: &'static str,
    },
    /// A name that a frequency has, and but for the case something else.
    #[error("`{name}` may be `{part}` or a photolysis frequency: say `{part}`, or `J.{name}`")]
    Ambiguous {
        /// The name.
        name: String,
        /// What else it may be.
        part: String,
    },
    /// A name that has two values.
    #[error("`{name}` is given twice; give it one value")]
    Twice {
        /// The name.
        name: String,
    },
    /// A part of air of which nothing is known.
    #[error(
        "the file has amounts that are parts of the air, and no pressure: add `ENV.pressure.Pa` to it, or give PRESSURE or the amounts with --set"
    )]
    NoAir,
    /// An interval that is nothing beside the time at which a history begins.
    #[error("--end-time is nothing beside the time at which the history begins, {begin} s: take a longer one")]
    NoTime {
        /// That time \[s\].
        begin: f64,
    },
    /// A cell that cannot be.
    #[error("the cell at the beginning: {0}")]
    Cell(#[source] kinlane::BatchError),
    /// What follows the sun and is no photolysis frequency.
    #[error("`{name}` cannot follow SUN: photolysis frequencies alone do, J.NAME=NUMBER*SUN; give `{name}` a number")]
    NotInTheSun {
        /// The name.
        name: String,
    },
    /// A sun, or a frequency that follows it, below zero.
    #[error("{name}={value}: light is not negative")]
    NegativeLight {
        /// The name that was set.
        name: String,
        /// What was given.
        value: f64,
    },
    /// A mass fraction or abundance below zero.
    #[error("{name}={value}: there cannot be less of a nuclide than nothing; give what there is, or leave it out")]
    BelowZero {
        /// The nuclide.
        name: String,
        /// What was given.
        value: f64,
    },
    /// Mass fractions of the command line that do not sum to one.
    #[error(
        "--X: the mass fractions sum to {sum}, those of --set included, which is further than {SUM_TOLERANCE:e} from 1; name every \
         nuclide of the zone, and scale the fractions"
    )]
    FractionSum {
        /// Their sum.
        sum: f64,
    },
    /// Inputs without a value.
    #[error("rate constants need a value of {}: give it with --set NAME=VALUE", few(.names))]
    NotSet {
        /// Their names.
        names: Vec<String>,
    },
}
