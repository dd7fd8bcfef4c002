//! How cells are mapped to the threads of a device, and the kernels for that.

use super::turn::Turn;
use crate::driver::{Driver, QUEUES};
use crate::log::Log;
use crate::memory::{ARENAS, Needs};
use crate::{Api, Info, MappingWish, Settings};
use kinlane_kernels::{GROUPS, KEPT, LISTED, Mapping, Near, Programs, Role, abreast};
use kinlane_plan::Plan;
use kinlane_solve::Options;
use kinlane_solve::methods::Method;

/// Memory of a work group that the queue needs \[bytes\].
pub const QUEUE: usize = 64;

/// Most memory of a work group \[bytes\]: what a card gives without a special request.
const SHARED: usize = 48 << 10;

/// Memory of its multiprocessor that a card reserves for every group \[bytes\], from compute capability 8.0
/// on: "CUDA reserves 1 KB of shared memory per thread block" (NVIDIA's tuning guides for Ampere, Ada and
/// Hopper, section on unified shared memory). Without counting it, one group fewer has room than was planned
/// for.
pub const RESERVED: usize = 1 << 10;

/// Granularity of this memory \[bytes\].
const PIECE: usize = 128;

/// Number of reactions below which loops are written out.
const SMALL: usize = 50;

/// Number of species from which a mechanism is large: where threads share a cell, two groups in step do so
/// then.
const LARGE: usize = 150;

/// Cells, in groups of threads in step for each of a card's multiprocessors, from which on every thread has a
/// cell of its own where groups cannot be parts of a warp: 270 000 cells on an H200. With fewer cells, groups that share a
/// cell end sooner, because the attempts of the longest cell take a single thread ten times as long; by a model, see
/// `docs/decisions/0024-text-for-latency.md`.
const FEW: usize = 64;

/// Threads of a part of a warp that shares a cell.
const PART: usize = 8;

/// Cells for each of a card's multiprocessors from which on they are shared by parts of a warp rather than by whole ones: 55 000
/// cells on an H200. With fewer, the longest cell sets the time, and more threads end it sooner; measured, see
/// `docs/decisions/0046-factors-in-registers.md`.
const MANY: usize = 420;

/// Least number of groups of threads in step for which it is worth while to give every thread, or every part of a group, a cell:
/// their arenas must fit in the memory.
const BUSY: usize = 8;

/// Rows of a worker's log: enough to keep the host busy, few enough for the memory.
pub const ROWS: usize = 8;

/// Threads that share a cell: on a card a warp, or two for large mechanisms. On a CPU one: there is nothing
/// to gain, and PoCL 3.1 does not finish with the barriers of a whole attempt within minutes.
fn share(info: &Info, species: usize) -> usize {
    match (info.cpu, species) {
        (true, _) => 1,
        (false, 0..LARGE) => info.width,
        (false, _) => 2 * info.width,
    }
}

/// Threads of a work group, and the number of cells it works on.
pub fn group(info: &Info, mapping: Mapping) -> (usize, usize) {
    match mapping {
        Mapping::Group { size, tile } => (size * tile, tile),
        Mapping::Thread { tile, .. } if info.cpu => (tile, tile),
        Mapping::Thread { tile, .. } => (GROUPS * tile, GROUPS * tile),
    }
}

/// How much of a cell may be in the memory of its work group.
pub fn near(info: &Info, mapping: Mapping) -> Near {
    let (threads, cells) = group(info, mapping);
    if let Mapping::Group { tile: 2.., .. } = mapping {
        // What few cells have room for is worth less than the cache that it takes.
        return Near { cells, doubles: 0 };
    }
    let part = info.shared / if info.cpu { 1 } else { abreast(threads, info.width) };
    let bytes = match info.api {
        Api::Cuda => part.saturating_sub(RESERVED) / PIECE * PIECE,
        Api::OpenCl => part,
    };
    Near { cells, doubles: bytes.min(SHARED).saturating_sub(QUEUE) / 8 / cells }
}

/// The mappings that may suit a device and a plan.
#[derive(Debug, Clone, Copy)]
pub enum Suited {
    /// Always this one.
    Always(Mapping),
    /// Several cells per group of threads in step if there are enough cells, and memory for them; otherwise one.
    ByBatch {
        /// One cell per group.
        one: Mapping,
        /// Several.
        several: Mapping,
        /// Cells that are enough for several per group.
        enough: usize,
    },
}

impl Suited {
    /// The mapping asked for, or those that may suit. Loops of small mechanisms are written out (see
    /// `docs/decisions/0016-loops-written-out.md`), from which groups would gain nothing.
    pub fn new(info: &Info, plan: &Plan, wish: MappingWish) -> Self {
        let thread = |unrolled| Mapping::Thread { tile: info.width, unrolled };
        let one = Mapping::Group { size: share(info, plan.species), tile: 1 };
        // In OpenCL only whole groups can wait for each other.
        let groups = match info.api {
            Api::Cuda => {
                let several = Mapping::Group { size: PART, tile: info.width / PART };
                Self::ByBatch { one, several, enough: MANY * info.units }
            }
            Api::OpenCl => Self::Always(one),
        };
        let small = plan.kinetics.reactions < SMALL;
        match (wish, groups) {
            (MappingWish::Thread, _) => Self::Always(thread(false)),
            (MappingWish::Unrolled, _) => Self::Always(thread(true)),
            (MappingWish::Group, _) => Self::Always(one),
            (MappingWish::Part, groups) => Self::Always(groups.first()),
            (MappingWish::Auto, _) if info.cpu || small => Self::Always(thread(small)),
            (MappingWish::Auto, Self::Always(_)) => {
                Self::ByBatch { one, several: thread(false), enough: FEW * info.units * info.width }
            }
            (MappingWish::Auto, groups) => groups,
        }
    }

    /// The mapping for which the memory is considered first.
    pub fn first(&self) -> Mapping {
        let (Self::Always(mapping) | Self::ByBatch { several: mapping, .. }) = *self;
        mapping
    }

    /// The mapping for a batch of `cells`, if workers of that which is considered first need `worker` bytes, and `limit`
    /// bytes are available.
    pub fn choose(&self, info: &Info, cells: usize, worker: usize, limit: u64) -> Mapping {
        match *self {
            Self::Always(mapping) => mapping,
            Self::ByBatch { one, several, enough } => {
                let (threads, share) = group(info, several);
                let busy = BUSY * info.units * info.width / threads * share;
                let arenas = QUEUES * worker * cells.min(busy);
                if cells >= enough && arenas as f64 <= ARENAS * limit as f64 { several } else { one }
            }
        }
    }
}

/// A kernel that a batch goes through.
#[derive(Clone, Copy)]
pub struct Stage {
    pub method: &'static Method,
    pub role: Role,
    /// The kernel, once it was compiled.
    pub kernel: Option<Ready>,
}

/// A compiled kernel, and what it needs of a work group's memory \[bytes\].
#[derive(Debug, Clone, Copy)]
pub struct Ready {
    pub number: usize,
    pub shared: usize,
}

/// A kernel that evaluates something at every point.
#[derive(Clone, Copy)]
pub struct Evaluation {
    pub needs: Needs,
    pub kernel: Ready,
}

/// All that is made for one mapping.
pub struct Setup {
    pub mapping: Mapping,
    /// Whether cells go on from an earlier call.
    pub continuing: bool,
    pub near: Near,
    pub stages: Vec<Stage>,
    pub needs: Needs,
    /// The kernels `rates`, without and with the Jacobian, once they were asked for.
    pub rates: [Option<Evaluation>; 2],
    /// Whether every kernel has run once.
    pub warm: bool,
    /// Attempts that a worker makes before it pauses.
    pub turn: Turn,
}

impl Setup {
    /// The setup for methods and their roles; compiles nothing.
    pub fn new(
        driver: &dyn Driver,
        plan: &Plan,
        options: &Options,
        stages: &[(&'static Method, Role)],
        settings: &Settings,
        mapping: Mapping,
    ) -> Self {
        let (near, language) = (near(driver.info(), mapping), driver.info().api.language());
        let programs = |&(method, role)| {
            Programs::new(plan, options, method, role, settings.precision).mapped(language, mapping, near)
        };
        let (mut worker, mut nearby, mut record) = (0, 0, 0);
        for programs in stages.iter().map(programs) {
            let [all, near] = programs.room();
            (worker, nearby, record) = (worker.max(all), nearby.max(near), record.max(programs.record()));
        }
        let continuing = matches!(stages, [(_, Role::Continuing)]);
        let kept = if stages.len() > 2 { 8 * (KEPT + plan.species) } else { 0 };
        let lists = LISTED * stages.len().saturating_sub(1);
        let log = if options.watched && !continuing { Log::bytes(ROWS, plan.species) } else { 0 };
        let needs = Needs { near: nearby, log, lists, kept, record, ..Needs::new(worker, plan) };
        Self {
            mapping,
            continuing,
            near,
            stages: stages.iter().map(|&(method, role)| Stage { method, role, kernel: None }).collect(),
            rates: [None; 2],
            needs,
            warm: false,
            turn: Turn::FIRST,
        }
    }
}
