//! The memory plan: what a batch needs on a device, known before anything is allocated.

use crate::driver::QUEUES;
use crate::{DeviceError, Info};
use kinlane_kernels::{COUNTERS, HEAD_IN, HEAD_OUT, HELD, LIST_HEAD, short_indices};
use kinlane_plan::Plan;

/// Memory needs of one mechanism and method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Needs {
    /// Workspace of a worker: the arena of its cell, with room for what is near while the worker pauses \[bytes\].
    pub worker: usize,
    /// The part of it that is in the memory of the work group while it works \[bytes\].
    pub near: usize,
    /// Log of a worker, if cells are watched \[bytes\].
    pub log: usize,
    /// Rate constants that come with a cell.
    pub given: usize,
    /// Input and output, per cell of a batch \[bytes\].
    pub cell: usize,
    /// Lists of cells that go on with another method, per cell \[bytes\].
    pub lists: usize,
    /// What these cells take along, per cell \[bytes\].
    pub kept: usize,
    /// What cells keep from call to call, per cell \[bytes\].
    pub record: usize,
    /// Entries of a Jacobian in the output, per cell \[bytes\].
    pub jacobian: usize,
    /// Tables, once per device \[bytes\].
    pub tables: usize,
}

/// How a batch is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cut {
    /// Workers per queue, each with an arena: threads, or groups of threads.
    pub workers: usize,
    /// Most cells in a queue at a time.
    pub cells: usize,
}

/// Sizes of the pieces of memory of each queue \[bytes\].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Workspaces of the workers.
    pub arena: usize,
    /// Input of the cells of a chunk.
    pub input: usize,
    /// Output of the cells of a chunk.
    pub output: usize,
    /// Counters, and what every worker holds.
    pub queue: usize,
    /// Lists of cells.
    pub lists: usize,
    /// What cells take along from one kernel to the next, or from call to call; or logs.
    pub kept: usize,
    /// What is copied of this: what cells keep from call to call, or logs.
    pub host_kept: usize,
}

impl Room {
    /// Combines each piece with that of the other, by `choose`.
    fn each(&self, other: &Self, choose: impl Fn(usize, usize) -> usize) -> Self {
        Self {
            arena: choose(self.arena, other.arena),
            input: choose(self.input, other.input),
            output: choose(self.output, other.output),
            queue: choose(self.queue, other.queue),
            lists: choose(self.lists, other.lists),
            kept: choose(self.kept, other.kept),
            host_kept: choose(self.host_kept, other.host_kept),
        }
    }

    /// Whether this is enough for what needs the other.
    pub fn holds(&self, other: &Self) -> bool {
        self.each(other, usize::max) == *self
    }

    /// Enough for both.
    pub fn with(&self, other: &Self) -> Self {
        self.each(other, usize::max)
    }

    /// Enough for both, with a quarter more of what has become too small, so that a caller whose needs grow
    /// each time does not get new memory each time.
    pub fn grown(&self, other: &Self) -> Self {
        self.each(other, |have, want| if have >= want { have } else { want + want / 4 })
    }

    /// Whether all queues fit in so many bytes of a device, beside `tables`.
    pub fn fits(&self, info: &Info, bytes: u64, tables: usize) -> bool {
        let pieces = [self.arena, self.input, self.output, self.queue, self.lists, self.kept];
        let all = tables + QUEUES * pieces.iter().sum::<usize>();
        all as u64 <= bytes && pieces.iter().all(|&p| p as u64 <= info.largest)
    }
}

/// Part of a device's memory that is used: others need some, too, and drivers reserve some.
const SHARE: f64 = 0.8;
/// Part of that for arenas, at most.
pub const ARENAS: f64 = 0.6;
/// Least number of cells per worker in a chunk. Every chunk ends with a few long cells, for which most workers wait: on an
/// H200 eight chunks of 25 000 cells of GRI-3.0 took more than twice as long as one of 200 000, while copies take a
/// hundredth (docs/decisions/0044).
const TURNS: usize = 64;
/// Chunks of a long batch: the copy before the first kernel and the one after the last overlap with nothing.
const CHUNKS: usize = 8;

/// Size of a plan's tables \[bytes\].
fn table_bytes(plan: &Plan) -> usize {
    let index = if short_indices(plan) { 2 } else { 4 };
    8 * plan.tables.reals.len() + index * plan.tables.indices.len()
}

impl Needs {
    /// Needs of a cell of a plan with an arena of `worker` bytes.
    pub fn new(worker: usize, plan: &Plan) -> Self {
        Self::of(worker, [plan.species, plan.given_constants()], table_bytes(plan))
    }

    /// The same for so many species and given rate constants.
    fn of(worker: usize, [species, given]: [usize; 2], tables: usize) -> Self {
        // Mass fractions in and out, and sources, which a batch may have.
        let state = 3 * species + given;
        Self {
            worker,
            near: 0,
            log: 0,
            given,
            cell: 8 * (HEAD_IN + HEAD_OUT + state),
            lists: 0,
            kept: 0,
            record: 0,
            jacobian: 0,
            tables,
        }
    }

    /// Bytes per worker.
    pub fn per_worker(&self) -> usize {
        self.worker + self.log + HELD
    }

    /// Bytes per cell of a batch.
    pub fn per_cell(&self) -> usize {
        self.cell + self.lists + self.kept + self.record + self.jacobian
    }

    /// Most cells that fit in so many bytes beside the arenas of `workers` in every queue.
    fn fitting(&self, bytes: u64, workers: usize) -> usize {
        let left = bytes.saturating_sub((self.tables + QUEUES * workers * self.per_worker()) as u64);
        left as usize / (QUEUES * self.per_cell())
    }

    /// Bytes that a cut takes.
    pub fn used(&self, cut: &Cut) -> usize {
        self.tables + QUEUES * (cut.workers * self.per_worker() + cut.cells * self.per_cell())
    }

    /// What every queue needs for a cut of cells with `species` species.
    pub(crate) fn room(&self, cut: &Cut, species: usize) -> Room {
        let Cut { workers, cells } = *cut;
        Room {
            arena: workers * self.worker,
            input: 8 * (HEAD_IN + 2 * species + self.given) * cells,
            output: (8 * (HEAD_OUT + species) + self.jacobian) * cells,
            queue: COUNTERS + HELD * workers,
            lists: LIST_HEAD + cells * self.lists,
            kept: cells * (self.kept + self.record) + workers * self.log,
            host_kept: cells * self.record + workers * self.log,
        }
    }

    /// Bytes of a device that a batch may use if no limit was given.
    pub fn usable(info: &Info) -> u64 {
        (info.memory as f64 * SHARE) as u64
    }

    /// Cuts a batch of `batch` cells for `limit` bytes. There are as many workers as run at once (`resident`) if the memory
    /// allows, no more than there are cells, in a multiple of `step`; and chunks that are small enough to fit
    /// and, for a long batch, to let copies and kernels overlap.
    ///
    /// # Errors
    /// [`DeviceError::Memory`] if not even one group fits.
    pub fn cut(&self, info: &Info, limit: u64, resident: usize, step: usize, batch: usize) -> Result<Cut, DeviceError> {
        let arenas = (limit as f64 * ARENAS / QUEUES as f64).min(info.largest as f64) as usize;
        let most = (arenas / self.per_worker()).min(resident).min(batch.next_multiple_of(step));
        let workers = (most / step).max(1) * step;
        let cells =
            self.fitting(limit, workers).min(info.largest as usize / (self.cell + self.jacobian).max(self.record));
        // Kernels receive their number of cells in 32 bits.
        let cells = cells.min(u32::MAX as usize);
        if cells == 0 {
            let need = (self.tables + QUEUES * (workers * self.per_worker() + self.per_cell())) as u64;
            return Err(DeviceError::Memory { device: info.to_string(), what: "one group of cells", need });
        }
        // Chunks are equal, so that no queue waits for the other at the end.
        let chunks = (batch / (TURNS * workers)).clamp(1, CHUNKS).max(batch.div_ceil(cells));
        Ok(Cut { workers, cells: batch.div_ceil(chunks).max(1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Api;

    fn card(memory: u64) -> Info {
        let (name, driver) = (String::from("card"), String::new());
        let (doubles, cpu, units, width) = (true, false, 100, 32);
        Info {
            api: Api::Cuda,
            index: 0,
            name,
            driver,
            memory,
            largest: memory / 4,
            shared: 0,
            doubles,
            cpu,
            units,
            width,
        }
    }

    #[test]
    fn a_long_batch_is_cut_so_that_copies_and_kernels_overlap() {
        let needs = Needs::of(8 * 7252, [53, 0], 200_000);
        let chunks = |memory: u64, batch: usize| {
            let c = needs.cut(&card(memory), Needs::usable(&card(memory)), 100 * 512, 32, batch).unwrap();
            assert!(c.cells >= (64 * c.workers).min(batch) || memory < 1 << 36, "{c:?}: less than 64 turns");
            (c.workers, batch.div_ceil(c.cells))
        };
        let all = 100 * 512;
        // A chunk has at least 64 turns of all workers; there are many chunks only where memory is short.
        for (batch, parts) in [(10, 1), (3 * all, 1), (127 * all, 1), (128 * all, 2), (200 * all, 3)] {
            assert_eq!(chunks(1 << 36, batch), (all.min(batch.next_multiple_of(32)), parts), "{batch}");
        }
        assert!(chunks(1 << 30, 10_000_000).1 > 8);
    }

    #[test]
    fn what_has_become_too_small_grows_and_the_rest_stays() {
        let needs = Needs { lists: 8, kept: 64, ..Needs::of(1000, [3, 0], 0) };
        let room = |workers, cells| needs.room(&Cut { workers, cells }, 3);
        let (small, large, slim) = (room(32, 100), room(32, 200), room(64, 100));
        assert!(large.holds(&small) && !small.holds(&large) && !slim.holds(&large) && !large.holds(&slim));
        let both = large.with(&slim);
        assert!(both.holds(&large) && both.holds(&slim) && both.arena == slim.arena && both.input == large.input);
        let grown = small.grown(&large);
        assert_eq!((grown.arena, grown.input), (small.arena, large.input + large.input / 4));
        // The additional quarter is not in a plan's memory: whether it fits is checked.
        let cut = Cut { workers: 32, cells: 200 };
        let all = (needs.used(&cut) + QUEUES * (COUNTERS + LIST_HEAD)) as u64;
        assert!(large.fits(&card(1 << 30), all, 0) && !large.fits(&card(1 << 30), all - 1, 0));
        assert!(!large.fits(&card(4 * large.arena as u64 - 4), all, 0));
    }

    #[test]
    fn a_cut_fits_whatever_the_memory() {
        let rates = Needs::of(8 * 7252, [53, 0], 200_000);
        let jacobians = Needs { jacobian: 12_000, ..rates };
        for (needs, memory) in
            [rates, jacobians].into_iter().flat_map(|n| [23, 26, 30, 36].map(|bits| (n, 1u64 << bits)))
        {
            for batch in [1, 31, 1000, 100_000_000] {
                let limit = Needs::usable(&card(memory));
                match needs.cut(&card(memory), Needs::usable(&card(memory)), 100 * 512, 32, batch) {
                    Ok(c) => {
                        assert!(needs.room(&c, 53).output as u64 <= card(memory).largest, "{c:?}");
                        let used = needs.used(&c);
                        assert!(used as u64 <= limit, "{c:?} of {limit}");
                        assert!(c.workers.is_multiple_of(32) && c.workers <= 100 * 512 && c.cells <= batch);
                        assert!(c.workers < batch + 32, "{c:?} for {batch}");
                    }
                    Err(DeviceError::Memory { need, .. }) => assert!(need > limit / 4, "{need} of {limit}"),
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}
