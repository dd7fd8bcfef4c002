//! The kernels that a batch goes through, and what they leave for each other: counters, lists and records of cells.

use kinlane_solve::methods::Method;
use kinlane_solve::methods::auto::{Choice, Late, RANKS};
use kinlane_solve::methods::control::Clock;

/// Numbers that a cell takes along to another method, beside phi: T, sigma, and the kept variables of its
/// clock.
pub const KEPT: usize = 2 + Clock::KEPT;

/// One more than the most kernels that a batch goes through.
const STAGES: usize = 4;

/// Doubles that hold what is counted in a launch: for every stage the workers that have paused, and last the cells that
/// have arrived.
pub const COUNTED: usize = STAGES / 2;

/// Bytes of all counters of a queue: these, and for every stage the cells that were taken.
pub const COUNTERS: usize = 8 * STAGES;

/// Bytes behind them for every worker: the cell that it holds in each stage.
pub const HELD: usize = 4 * STAGES;

/// Numbers that kernels note behind the record of a cell that goes on from call to call.
pub const COURSE: usize = 7;

/// Number of lists of cells that one kernel leaves for the next; each is in ranks, by the attempts that are
/// expected.
const LISTS: usize = 2;

/// Bytes before the lists: the number of cells in each rank of each list.
pub const LIST_HEAD: usize = 4 * LISTS * RANKS;

/// Bytes per cell in one list, which has room for every cell in every rank.
pub const LISTED: usize = 4 * RANKS;

/// Which cells a kernel handles, and how.
#[derive(Debug, Clone, Copy)]
pub enum Role {
    /// Advances all cells.
    All,
    /// Advances all cells and logs the ends of their steps; pauses after so many rows.
    Logged(usize),
    /// Advances all cells, which go on from an earlier call.
    Continuing,
    /// Finishes the cells for which one step is enough.
    Once,
    /// Advances those that are not calm, and hands over those that take many steps.
    Stiff(Option<Late>),
    /// Advances those that were handed over.
    Late(Late),
}

impl Role {
    /// The kernels of a batch, in order, where cells choose their methods.
    pub fn relay(choice: &Choice) -> Vec<(&'static Method, Self)> {
        let late = choice.late.map(|late| (late.method, Self::Late(late)));
        let once = choice.once.map(|[_, mild]| (mild, Self::Once));
        once.into_iter().chain([(choice.stiff, Self::Stiff(choice.late))]).chain(late).collect()
    }

    /// Rows of a worker's log.
    pub fn rows(self) -> usize {
        if let Self::Logged(rows) = self { rows } else { 0 }
    }

    /// The position of this kernel among those of a batch.
    fn stage(self) -> usize {
        match self {
            Self::All | Self::Logged(_) | Self::Continuing | Self::Once => 0,
            Self::Stiff(_) => 1,
            Self::Late(_) => 2,
        }
    }

    /// Definitions for the kernel, see `around/advance.c`. `clock` are the names of the clock variables that
    /// are kept.
    pub(crate) fn head(self, clock: &[&str]) -> String {
        let stage = self.stage();
        let (leaves, rank) = match self {
            Self::Once => ("AT(at_leaves) != 0.0", "(unsigned)AT(at_rank)"),
            Self::Stiff(Some(_)) => ("AT(at_leaves) != 0.0", "0"),
            _ => ("0", "0"),
        };
        let ended_by = if let Self::Once = self { "AT(at_class)".to_owned() } else { (stage + 1).to_string() };
        let copied = |to: &dyn Fn(usize, &str) -> String| -> String {
            clock.iter().enumerate().map(|(i, name)| to(i, name)).collect()
        };
        let saved = copied(&|i, name| format!(" clock[{i}] = AT(at_{name});"));
        let restored = copied(&|i, name| format!(" AT(at_{name}) = clock[{i}];"));
        let record = match self {
            Self::Continuing => include_str!("around/record.c"),
            _ => "#define FORGET\n#define APPROACH\n#define REMEMBER\n#define BEFORE(i) 0.0\n",
        };
        let keep = if let Self::Stiff(Some(_)) = self { "KEEP_STATE" } else { "" };
        let go_on = match self {
            Self::Late(_) => "TAKE_UP",
            Self::Continuing => "RECALL",
            _ => "",
        };
        let relay = include_str!("around/relay.c");
        let log = match self {
            Self::Logged(rows) => format!("#define ROWS {rows}\n{}", include_str!("around/log.c")),
            _ => "#define OPEN_LOG\n#define LOG_HAS_ROOM 1\n#define BEGIN_LOG\n#define LOG\n#define CLOSE_LOG\n"
                .to_owned(),
        };
        [
            format!("#define STAGE {stage}\n#define STAGES {STAGES}\n#define RANKS {RANKS}\n#define LISTS {LISTS}\n"),
            format!("#define HANDS_OVER ({leaves})\n#define RANK {rank}\n#define ENDED_BY {ended_by}\n"),
            format!("#define KEEP {keep}\n#define GO_ON {go_on}\n"),
            format!("#define SAVE_CLOCK{saved}\n#define RESTORE_CLOCK{restored}\n"),
            format!("{relay}{log}{record}"),
        ]
        .concat()
    }
}
