//! What `ignite` alone can be asked for in vain.

/// Why what was asked for cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum IgniteFault {
    /// A gas cannot be compressed as far as its pressure is to rise.
    #[error("--dpdt: the pressure would rise to {ratio:.3e} times its initial value; shorten --end-time")]
    Rise {
        /// The last pressure over the first.
        ratio: f64,
    },
    /// Measured points need a picture over temperature.
    #[error("--measured draws over a sweep of temperatures: give several --T, and --picture")]
    NothingToDrawOver,
    /// An instant was requested relative to a delay that was not found.
    #[error("--at: there is no delay: {why}; or give a time in seconds")]
    NoDelay {
        /// Why not, and what to do.
        why: String,
        /// Whether it is the cell that failed.
        failed: bool,
    },
    /// Two tables were requested on standard output.
    #[error("--csv -: with --sensitivity there are two tables; give --csv the name of a file")]
    TwoTables,
    /// A delay that was not found has no sensitivity.
    #[error("--sensitivity: {why}, or leave it out")]
    NothingToPerturb {
        /// Which delay was not found, and what to do.
        why: String,
        /// Whether it is the cell that failed.
        failed: bool,
    },
    /// The cell does not reach the requested instant.
    #[error("--at: the cell does not come to {time:e} s: {why} at {reached:e} s; try another --method or tolerance")]
    NotThere {
        /// When [s].
        time: f64,
        /// How far it came [s].
        reached: f64,
        /// What stopped it.
        why: kinlane::Status,
    },
    /// An element is asked for that the mechanism does not have.
    #[error("--path: the mechanism has no element `{name}`; it has {known}")]
    Element {
        /// The name asked for.
        name: String,
        /// Those it has.
        known: String,
    },
    /// A factor of a sensitivity that delays do not show.
    #[error(
        "--sensitivity {factor}: delays that differ so little drown in their errors at this --rtol; take a factor above {least}, as 1.05"
    )]
    SmallFactor {
        /// The factor.
        factor: f64,
        /// The least.
        least: f64,
    },
}

impl IgniteFault {
    /// Whether a cell that failed is to blame, not the command.
    pub fn is_of_cell(&self) -> bool {
        matches!(
            self,
            Self::NotThere { .. } | Self::NoDelay { failed: true, .. } | Self::NothingToPerturb { failed: true, .. }
        )
    }
}
