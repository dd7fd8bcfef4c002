//! How cells are given to the threads of a device, and the kernels made for that.

use crate::driver::{Driver, QUEUES};
use crate::log::Log;
use crate::memory::{ARENAS, Needs, table_bytes};
use crate::program::{GROUPS, KEPT, LISTED, Mapping, Near, Programs, Role, abreast};
use crate::{Api, Info, MappingWish, Settings};
use kinlane_plan::Plan;
use kinlane_solve::Options;
use kinlane_solve::methods::Method;

/// What the queue needs of a work group's memory \[bytes\].
pub const QUEUE: usize = 64;

/// Memory of a work group at most \[bytes\]: what a card gives without being asked twice.
const SHARED: usize = 48 << 10;

/// What a card keeps of its multiprocessor's memory with every group \[bytes\], from compute capability 8.0 on: "CUDA
/// reserves 1 KB of shared memory per thread block" (NVIDIA's tuning guides for Ampere, Ada and Hopper, section on unified
/// shared memory). Without it a group less has room than was planned for.
pub const RESERVED: usize = 1 << 10;

/// It gives memory in pieces of so many bytes.
const PIECE: usize = 128;

/// Reactions below which loops are written out.
const SMALL: usize = 50;

/// Species from which a mechanism is large: two groups of threads that run in step share a cell, where they do.
const LARGE: usize = 150;

/// Groups in step for each of a card's multiprocessors, from which on every thread has a cell of its own: 270 000 cells on an H200.
/// With fewer, groups that share a cell end sooner, for the longest cell's attempts take a thread ten times as long; by a model, see
/// `docs/decisions/0024-text-for-latency.md`.
const FEW: usize = 64;

/// Those that keep it busy where every thread has a cell: what registers leave room for. Their arenas must fit in the memory.
const BUSY: usize = 8;

/// Rows of a worker's log: enough for the host to have something to do, few enough for the memory.
pub const ROWS: usize = 8;

/// Threads that share a cell: on a card a warp, or two for large mechanisms. On a CPU one: there is nothing to be
/// gained, and PoCL 3.1 does not get through with the barriers of a whole attempt in minutes.
fn share(info: &Info, species: usize) -> usize {
    match (info.cpu, species) {
        (true, _) => 1,
        (false, 0..LARGE) => info.width,
        (false, _) => 2 * info.width,
    }
}

/// Threads of a work group, and how many cells it works on.
pub fn group(info: &Info, mapping: Mapping) -> (usize, usize) {
    match mapping {
        Mapping::Group { size } => (size, 1),
        Mapping::Thread { tile, .. } if info.cpu => (tile, tile),
        Mapping::Thread { tile, .. } => (GROUPS * tile, GROUPS * tile),
    }
}

/// What of a cell may be in the memory of its work group.
pub fn near(info: &Info, mapping: Mapping) -> Near {
    let (threads, cells) = group(info, mapping);
    let part = info.shared / if info.cpu { 1 } else { abreast(threads, info.width) };
    let bytes = match info.api {
        Api::Cuda => part.saturating_sub(RESERVED) / PIECE * PIECE,
        Api::OpenCl => part,
    };
    Near { cells, doubles: bytes.min(SHARED).saturating_sub(QUEUE) / 8 / cells }
}

/// The mappings that may suit.
#[derive(Debug, Clone, Copy)]
pub enum Suited {
    /// This one.
    Always(Mapping),
    /// A cell to each thread where there are enough cells, and memory for them; otherwise to each group.
    ByBatch {
        /// See above.
        thread: Mapping,
        /// See above.
        group: Mapping,
    },
}

impl Suited {
    /// The mapping asked for, or those that may suit. Loops of small mechanisms are written out (see
    /// `docs/decisions/0016-loops-written-out.md`), which a group has nothing of.
    pub fn new(info: &Info, plan: &Plan, wish: MappingWish) -> Self {
        let thread = |unrolled| Mapping::Thread { tile: info.width, unrolled };
        let group = Mapping::Group { size: share(info, plan.species) };
        let small = plan.kinetics.reactions < SMALL;
        match wish {
            MappingWish::Thread => Self::Always(thread(false)),
            MappingWish::Unrolled => Self::Always(thread(true)),
            MappingWish::Group => Self::Always(group),
            MappingWish::Auto if info.cpu || small => Self::Always(thread(small)),
            MappingWish::Auto => Self::ByBatch { thread: thread(false), group },
        }
    }

    /// That of which the memory is asked for first.
    pub fn first(&self) -> Mapping {
        let (Self::Always(mapping) | Self::ByBatch { thread: mapping, .. }) = *self;
        mapping
    }

    /// For a batch of `cells`, where threads with a cell each need `worker` bytes of the `limit` that there are.
    pub fn choose(&self, info: &Info, cells: usize, worker: usize, limit: u64) -> Mapping {
        match *self {
            Self::Always(mapping) => mapping,
            Self::ByBatch { thread, group } => {
                let wave = info.units * info.width;
                let arenas = QUEUES * worker * cells.min(BUSY * wave);
                let fit = arenas as f64 <= ARENAS * limit as f64;
                if cells >= FEW * wave && fit { thread } else { group }
            }
        }
    }
}

/// A kernel that a batch goes through.
#[derive(Clone, Copy)]
pub struct Stage {
    pub method: &'static Method,
    pub role: Role,
    /// Once it was compiled.
    pub kernel: Option<Ready>,
}

/// A kernel under its driver, and what it wants of the memory of a work group \[bytes\].
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

/// What is made for a mapping.
pub struct Setup {
    pub mapping: Mapping,
    pub near: Near,
    pub stages: Vec<Stage>,
    pub needs: Needs,
    /// The kernels `rates`, without the Jacobian and with it, once they were asked for.
    pub rates: [Option<Evaluation>; 2],
    /// Whether every kernel has run.
    pub warm: bool,
}

impl Setup {
    /// For methods and what they are to do; compiles nothing.
    pub fn new(
        driver: &dyn Driver,
        plan: &Plan,
        options: &Options,
        stages: &[(&'static Method, Role)],
        settings: &Settings,
        mapping: Mapping,
    ) -> Self {
        let near = near(driver.info(), mapping);
        let programs =
            |&(method, role)| Programs::new(plan, options, method, role, settings.precision).mapped(mapping, near);
        let rooms: Vec<[usize; 2]> = stages.iter().map(|s| programs(s).room()).collect();
        let most = |which: usize| rooms.iter().map(|r| r[which]).max().unwrap_or(0);
        let tables = table_bytes(plan);
        let kept = if stages.len() > 2 { 8 * (KEPT + plan.species) } else { 0 };
        let lists = LISTED * stages.len().saturating_sub(1);
        let log = if options.watched { Log::bytes(ROWS, plan.species) } else { 0 };
        let needs = Needs { near: most(1), log, lists, kept, ..Needs::new(most(0), plan.species, true, tables) };
        Self {
            mapping,
            near,
            stages: stages.iter().map(|&(method, role)| Stage { method, role, kernel: None }).collect(),
            rates: [None; 2],
            needs,
            warm: false,
        }
    }
}
