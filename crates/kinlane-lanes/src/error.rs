//! What can be wrong with options and batches.

use kinlane_plan::plan::MOST_OPERATIONS;
use kinlane_solve::OptionError;

/// Why an engine cannot be made, or a batch is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// No such method.
    #[error("no method `{name}`")]
    UnknownMethod {
        /// The name asked for.
        name: String,
    },
    /// So many species react with so many others that the Jacobian cannot be factored.
    #[error(
        "a factorisation of the Jacobian takes {multiply_adds:.1e} multiply-adds, of which {:.0e} are the most: too many species \
         react with too many others",
        MOST_OPERATIONS as f64
    )]
    TooDense {
        /// Multiply-adds of a factorisation.
        multiply_adds: f64,
    },
    /// The step length was not given for a method with steps of one length.
    #[error("{method} takes steps of one length, which must be given: set the first step")]
    NoStep {
        /// The method.
        method: &'static str,
    },
    /// No such lane width on this processor.
    #[error("no lanes `{name}` here")]
    UnknownWidth {
        /// The width asked for.
        name: String,
    },
    /// An option is outside its range.
    #[error(transparent)]
    Option(OptionError),
    /// The interval cannot be integrated over.
    #[error("the interval dt is {dt:e} s, it must be a positive number")]
    Interval {
        /// The interval \[s\].
        dt: f64,
    },
    /// Cells can only be watched by an engine that was made for it.
    #[error("cells are watched by an engine whose options say so")]
    NotWatched,
    /// The cells have factors on rate constants, and this engine's plan or its devices take none.
    #[error("factors on rate constants need a plan made for them, and run on the CPU only")]
    NoFactors,
    /// Times of a watch do not ascend from 0 to the end of the interval.
    #[error("time {index} of the watch is {value:e} s, it must be between {before:e} and {dt:e} s")]
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
    #[error("event {event} of the watch is about species {wanted}, there are {species}")]
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
        "event {event} of the watch cannot wait for {value:e}: a level is finite, a rise above zero, the part that a rise slows to \
         between zero and one"
    )]
    Level {
        /// Which event.
        event: usize,
        /// The level, the rise, or the part of it.
        value: f64,
    },
    /// A continuation was made by an engine of another plan, method, reactor or other tolerances.
    #[error(
        "the continuation was made by a solver of another mechanism, method or reactor, of other tolerances, or one that differs in taking factors"
    )]
    ForeignContinuation,
    /// Numbers of a continuation are not those that were saved.
    #[error("the continuation of cell {cell} is not what was saved")]
    DamagedContinuation {
        /// The cell, counted from 0.
        cell: usize,
    },
    /// Histories are for watched cells of a plan with [`Features::history`](kinlane_plan::plan::Features::history).
    #[error("histories need a plan made for them")]
    NoHistory,
    /// Rate constants come with each cell, and there is no thermodynamics.
    #[error("a reaction scheme has no thermodynamics, hence no such property")]
    NoThermodynamics,
    /// There is no program for rate constants.
    #[error("the engine has no program for rate constants")]
    NoProgram,
    /// A slice has the wrong length.
    #[error("{what} has {got} values, {want} are needed")]
    Length {
        /// Which slice.
        what: &'static str,
        /// Its length.
        got: usize,
        /// The length it must have.
        want: usize,
    },
    /// Sources of a cell's mass fractions do not sum to zero.
    #[error(
        "cell {cell}: the sources dYdt sum to {sum:e} 1/s, which in {dt:e} s would change the sum of the mass fractions by \
         {:e}; sources must sum to zero (as diffusion fluxes do with a correction velocity)",
        sum * dt
    )]
    Unbalanced {
        /// Cell index.
        cell: usize,
        /// Their sum \[1/s\].
        sum: f64,
        /// The interval \[s\].
        dt: f64,
    },
    /// A factor is for a reaction that does not exist.
    #[error("cell {cell} has a factor on reaction {wanted} (counted from 0); there are {reactions}")]
    Reaction {
        /// Cell index.
        cell: usize,
        /// The reaction, counted from 0.
        wanted: usize,
        /// How many there are.
        reactions: usize,
    },
    /// A factor on a reaction that no reaction can have.
    #[error(
        "cell {cell}, factor of reaction {reaction}: {factor:e} cannot be used: factors are finite, and not below zero"
    )]
    Factor {
        /// Cell index.
        cell: usize,
        /// The reaction, counted from 0.
        reaction: usize,
        /// The factor.
        factor: f64,
    },
    /// An input value cannot be used.
    #[error(
        "cell {cell}, {column}: {value:e} cannot be used: T, P, Te and dt must be above zero, and all values finite"
    )]
    Value {
        /// Cell index.
        cell: usize,
        /// Which column, such as `T` or a species.
        column: String,
        /// The value.
        value: f64,
    },
}
