//! Cells that go on where the last call left them.
//!
//! The steps of a method should not depend on where calls end. Before the step that would reach the end of a
//! call, all that the cell needs for this step is saved; then the cell advances to the end by shorter steps,
//! which give the answer. The next call starts from what was saved. So a run that is cut into calls takes the
//! same steps as one that is not, and gives the same bits.

use crate::batch::Batch;
use crate::cells::length;
use crate::error::EngineError;
use crate::shared::Shared;
use crate::simd::Register;
use crate::worker::wide::Wide;
use kinlane_plan::Array;
use kinlane_solve::methods::control::SLIVER;
use kinlane_solve::record::{
    ALL, END, FIRST, FOREVER, H, KNOWN, NOTHING, SEAL, STATE, STEP, of_use, saved, seal, to_keep,
};

/// What cells keep from call to call. It belongs to the engine that made it, or to one with the same plan,
/// method, reactor and tolerances.
#[derive(Debug, Clone, PartialEq)]
pub struct Continuation {
    made_for: u64,
    cells: usize,
    width: usize,
    data: Vec<f64>,
}

impl Continuation {
    /// For cells that have not begun, and for engines of this fingerprint.
    pub(crate) fn new(made_for: u64, cells: usize, width: usize) -> Self {
        Self { made_for, cells, width, data: vec![NOTHING; cells * width] }
    }

    /// A number for the solver to which the continuation belongs: the same for the same constants of the
    /// mechanism, method, reactor and tolerances, in programs of the same build. It is to be stored with the
    /// numbers.
    pub fn solver(&self) -> u64 {
        self.made_for
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Numbers per cell.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What the cells keep, \[cells, width\], for a store: [`Continuation::load`] takes it back. The numbers of a cell
    /// belong together, those of different cells do not.
    pub fn save(&self) -> Vec<f64> {
        let mut numbers = self.data.clone();
        numbers.chunks_exact_mut(self.width).for_each(|record| record[SEAL] = seal(record));
        numbers
    }

    /// Takes back what [`Continuation::save`] has given, \[cells, width\].
    ///
    /// # Errors
    /// [`EngineError::Length`]; [`EngineError::DamagedContinuation`] if a number is not what was saved. Then nothing is
    /// changed.
    pub fn load(&mut self, numbers: &[f64]) -> Result<(), EngineError> {
        length("numbers", numbers.len(), self.data.len())?;
        let mut records = numbers.chunks_exact(self.width);
        if let Some(cell) = records.position(|record| record[SEAL].to_bits() != seal(record).to_bits()) {
            return Err(EngineError::DamagedContinuation { cell });
        }
        self.data.copy_from_slice(numbers);
        Ok(())
    }

    /// What the cells keep, for an engine that changes it.
    pub fn records_mut(&mut self) -> &mut [f64] {
        &mut self.data
    }
}

/// A [`Continuation`] as a pointer that threads may share, and the arrays of which it holds copies.
#[derive(Clone, Copy)]
pub struct Recall<'a> {
    data: *mut f64,
    width: usize,
    arrays: &'a [Array],
}

impl<'a> Recall<'a> {
    /// A view of the records of all cells of a batch.
    pub fn new(records: &'a mut [f64], width: usize, arrays: &'a [Array]) -> Self {
        Self { data: records.as_mut_ptr(), width, arrays }
    }
}

/// Progress of a lane's cell in the call.
#[derive(Debug, Clone, Copy, Default)]
pub struct Course {
    /// When the call ends, counted from the cell's own start \[s\].
    pub end: f64,
    /// The cell's counters at the start of the call.
    pub counts: [f64; 5],
    /// Number of decided attempts when the cell was last looked at.
    seen: Option<f64>,
    /// Whether its state was saved, so that it now goes to the end of the call.
    saved: bool,
}

impl Course {
    /// The course of a cell that begins, for a call of `dt` \[s\].
    pub fn new(dt: f64) -> Self {
        Self { end: dt, ..Self::default() }
    }
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// The record of a cell.
    ///
    /// # Safety
    /// The cell must be this worker's own, and the continuation must hold it.
    unsafe fn record<'a>(r: Recall<'a>, cell: usize) -> &'a mut [f64] {
        // SAFETY: the caller guarantees that the cell is its own; the engine has checked that the
        // continuation holds all cells.
        unsafe { std::slice::from_raw_parts_mut(r.data.add(cell * r.width), r.width) }
    }

    /// How much of what is kept of a lane's cell its next step may use.
    fn known(&self, b: &Batch<'_>, r: Recall<'_>, lane: usize) -> f64 {
        // SAFETY: a cell in a lane is this worker's own.
        let record = unsafe { Self::record(r, self.cell(lane)) };
        of_use(record, self.taken(b, lane).state(), b.acted_on)
    }

    /// To be called before a cell enters a lane: unless all of it comes back, nothing is left there of the cell before it, so that
    /// what it keeps is its own.
    pub(crate) fn forget(&mut self, b: &Batch<'_>, r: Recall<'_>, lane: usize) {
        if self.known(b, r, lane) != ALL {
            for &a in r.arrays {
                (0..a.len as usize).for_each(|i| self.set(a, i, lane, 0.0));
            }
        }
    }

    /// To be called when a cell has entered a lane: it goes on where it stood if it was not changed since,
    /// else it only keeps its step size.
    pub(crate) fn recall(&mut self, s: &Shared, b: &Batch<'_>, r: Recall<'_>, lane: usize) -> Course {
        let (cell, known) = (self.cell(lane), self.known(b, r, lane));
        // SAFETY: a cell in a lane is this worker's own.
        let record = unsafe { Self::record(r, cell) };
        let c = s.stepper.clock;
        let dt = b.interval(cell);
        let mut course = Course::new(dt);
        if known == ALL {
            let mut numbers = record[saved(s.plan.species)..].iter();
            for &a in r.arrays {
                (0..a.len as usize).zip(&mut numbers).for_each(|(i, &x)| self.set(a, i, lane, x));
            }
            let counts = c.counters().map(|a| self.get(a, 0, lane));
            self.set(c.budget, 0, lane, counts[0] + counts[1] + f64::from(s.options.max_steps));
            course = Course { end: record[END] + dt, counts, ..course };
        } else {
            let h = if known == NOTHING { s.options.first_step.unwrap_or(FIRST) } else { record[H] };
            self.set(c.h, 0, lane, h);
        }
        // The states at the ends of all calls count.
        self.set(c.only_end, 0, lane, 0.0);
        self.set(c.left, 0, lane, FOREVER);
        self.set(c.span, 0, lane, dt);
        self.set(c.verdict, 0, lane, 0.0);
        course
    }

    /// To be called before an attempt: if the next step would reach the end, saves what the cell needs for
    /// it, and lets the cell go to the end.
    pub(crate) fn approach(&mut self, s: &Shared, r: Recall<'_>, lane: usize, course: &mut Course) {
        let c = s.stepper.clock;
        let [t, h, steps, rejected] = [c.t, c.h, c.steps, c.rejected].map(|a| self.get(a, 0, lane));
        let decided = Some(steps + rejected);
        // Between the stages of a step nothing can be saved.
        if course.saved || course.seen == decided {
            return;
        }
        course.seen = decided;
        let left = course.end - t;
        // The same rule as in the steppers for a step that reaches the end.
        if left > SLIVER * h {
            return;
        }
        // Not yet into its record: a call that is cancelled leaves that as it was.
        let mut at = lane * r.width;
        self.kept[at + H] = h;
        at += saved(s.plan.species);
        for &a in r.arrays {
            for i in 0..a.len as usize {
                self.kept[at + i] = self.get(a, i, lane);
            }
            at += a.len as usize;
        }
        self.set(c.left, 0, lane, left);
        course.saved = true;
    }

    /// To be called when a cell has left a lane, with the state that was handed out. `whole`: the lane itself
    /// brought it to the end.
    pub(crate) fn remember(
        &mut self,
        s: &Shared,
        b: &Batch<'_>,
        r: Recall<'_>,
        lane: usize,
        course: &Course,
        whole: bool,
    ) {
        let cell = self.cell(lane);
        // SAFETY: as in `recall`.
        let record = unsafe { Self::record(r, cell) };
        let known = match (course.saved, whole) {
            (true, true) => ALL,
            (true, false) => STEP,
            (false, _) => NOTHING,
        };
        record[KNOWN] = to_keep(known, b.acted_on);
        if course.saved {
            let kept = &self.kept[lane * r.width..][..r.width];
            record[H] = kept[H];
            let arrays = saved(s.plan.species);
            record[arrays..].copy_from_slice(&kept[arrays..]);
        }
        record[END] = course.end;
        self.taken(b, lane).copy_state(&mut record[STATE..STATE + 2 + s.plan.species]);
    }
}
