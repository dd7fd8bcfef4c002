//! The caller's buffers, in the form in which threads share them.

use crate::cells::{Cells, Factor, Layout, Source};
use crate::continuation::Recall;
use crate::shared::Shared;
use crate::signals::Signals;
use crate::worker::boards::{HandOver, LateBoard, Supply};
use crate::worker::note::Notes;
use kinlane_solve::methods::track::Track;
use kinlane_solve::{History, Outcome};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// The caller's batch, as pointers that threads may share.
pub struct Batch<'a> {
    pub(crate) cells: usize,
    /// Threads that work on it.
    pub(crate) threads: usize,
    pub(crate) species: usize,
    pub(crate) layout: Layout,
    pub(crate) temperature: *mut f64,
    pub(crate) pressure: *mut f64,
    pub(crate) y: *mut f64,
    pub(crate) outcome: *mut Outcome,
    pub(crate) electron: Option<&'a [f64]>,
    pub(crate) source: Option<Source<'a>>,
    pub(crate) intervals: Option<&'a [f64]>,
    pub(crate) factors: Option<&'a [Vec<Factor>]>,
    /// Rate constants \[n, reactions\], where they come with the cells.
    pub(crate) constants: Option<&'a [f64]>,
    /// [`Cells::acted_on`].
    pub(crate) acted_on: bool,
    /// What to record of cells that are watched.
    pub(crate) notes: Option<Notes<'a>>,
    /// What cells keep from earlier calls.
    pub(crate) recall: Option<Recall<'a>>,
    /// Imposed histories, one per cell.
    pub(crate) histories: Option<&'a [Arc<History>]>,
    /// The interval [s], or the longest of all cells.
    pub longest: f64,
    pub(crate) supply: Supply<'a>,
    pub(crate) hand_over: Option<HandOver<'a>>,
    /// Where cells go that end without having arrived, if another method may finish them.
    pub(crate) give_back: Option<&'a LateBoard>,
    pub(crate) signals: Signals<'a>,
}

// SAFETY: what is not a pointer may be shared as it is. The pointers, those in `notes` and `recall` with them,
// lead to buffers that are lent for 'a, and `Crew::run` lets no worker outlive the call. Through them a worker
// reaches only elements of a cell that it has taken ([`Batch::taken`]), and at any time one worker has it: a
// supply gives a cell out once, and a cell that is handed over goes through a board, whose lock lets the next
// worker see what the one before has written.
unsafe impl Sync for Batch<'_> {}

impl<'a> Batch<'a> {
    /// A view of checked cells.
    pub fn new(c: &'a mut Cells<'_>, species: usize, dt: f64, signals: Signals<'a>) -> Self {
        Self {
            acted_on: c.acted_on(),
            cells: c.temperature.len(),
            threads: 1,
            species,
            layout: c.layout,
            temperature: c.temperature.as_mut_ptr(),
            pressure: c.pressure.as_mut_ptr(),
            y: c.y.as_mut_ptr(),
            outcome: c.outcome.as_mut_ptr(),
            electron: c.electron_temperature,
            source: c.source,
            intervals: c.intervals,
            factors: c.factors,
            constants: c.constants,
            notes: None,
            recall: None,
            histories: None,
            longest: c.longest(dt),
            supply: Supply::Queue(AtomicUsize::new(0)),
            hand_over: None,
            give_back: None,
            signals,
        }
    }

    /// Where cells are watched: what to record of them, and the arrays with both ends of their steps.
    pub(crate) fn watched<'s>(&self, s: &'s Shared) -> Option<(&Notes<'a>, &'s Track)> {
        self.notes.as_ref().zip(s.track.as_ref())
    }

    /// The interval of a cell [s].
    pub(crate) fn interval(&self, cell: usize) -> f64 {
        self.intervals.map_or(self.longest, |all| all[cell])
    }

    /// A cell of this batch.
    ///
    /// # Safety
    /// `cell` must come from a supply of this batch, and the worker that took it must not have handed it over since.
    pub(crate) unsafe fn taken(&self, cell: usize) -> Taken<'_, 'a> {
        Taken { batch: self, cell }
    }

    /// The same cells, to be taken from another supply.
    pub fn from(&self, supply: Supply<'a>, hand_over: Option<HandOver<'a>>) -> Self {
        Self { supply, hand_over, ..*self }
    }

    /// Index of (cell, species) in the caller's layout.
    pub(crate) fn at(&self, cell: usize, k: usize) -> usize {
        let [by_cell, by_species] = self.layout.strides(self.cells, self.species);
        cell * by_cell + k * by_species
    }
}

/// A cell that a worker has taken. Until the worker hands it over, the cell's elements of the caller's
/// buffers are that worker's alone.
#[derive(Clone, Copy)]
pub(crate) struct Taken<'b, 'a> {
    batch: &'b Batch<'a>,
    cell: usize,
}

/// The mass fractions of a [`Taken`] cell, with all that is needed to find one.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    first: *mut f64,
    stride: usize,
    len: usize,
}

impl Row {
    /// The mass fraction of species `k`.
    #[inline(always)]
    pub fn get(self, k: usize) -> f64 {
        assert!(k < self.len);
        // SAFETY: `k` is a species of a cell that is this worker's own.
        unsafe { *self.first.add(k * self.stride) }
    }

    /// Writes the mass fraction of species `k`.
    #[inline(always)]
    pub fn set(self, k: usize, y: f64) {
        assert!(k < self.len);
        // SAFETY: as above.
        unsafe { *self.first.add(k * self.stride) = y }
    }
}

// In the following, `cell` is below `cells` and this worker's own, as `Batch::taken` requires; `Cells::check`
// has made sure that the slices hold all cells.
impl<'a> Taken<'_, 'a> {
    /// T [K] and p [Pa].
    pub fn conditions(self) -> (f64, f64) {
        // SAFETY: as above.
        unsafe { (*self.batch.temperature.add(self.cell), *self.batch.pressure.add(self.cell)) }
    }

    /// Its interval [s].
    pub fn interval(self) -> f64 {
        self.batch.interval(self.cell)
    }

    /// Its mass fractions.
    pub fn y(self) -> Row {
        let len = self.batch.species;
        let [by_cell, stride] = self.batch.layout.strides(self.batch.cells, len);
        // SAFETY: as above.
        Row { first: unsafe { self.batch.y.add(self.cell * by_cell) }, stride, len }
    }

    /// Its rate constants, where they come with the cells; else none.
    pub fn constants(self) -> &'a [f64] {
        let each = self.batch.constants.map_or(0, |all| all.len() / self.batch.cells);
        self.batch.constants.map_or(&[], |all| &all[self.cell * each..(self.cell + 1) * each])
    }

    /// Writes T [K] and p [Pa].
    pub fn set_conditions(self, (t, p): (f64, f64)) {
        // SAFETY: as above.
        unsafe { (*self.batch.temperature.add(self.cell), *self.batch.pressure.add(self.cell)) = (t, p) }
    }

    /// Writes how it ended.
    pub fn set_outcome(self, outcome: Outcome) {
        // SAFETY: as above.
        unsafe { *self.batch.outcome.add(self.cell) = outcome }
    }

    /// T, p and Y.
    pub fn state(self) -> impl Iterator<Item = f64> + Clone {
        let (t, p) = self.conditions();
        let y = self.y();
        [t, p].into_iter().chain((0..y.len).map(move |k| y.get(k)))
    }

    /// Copies its state into `state`.
    pub fn copy_state(self, state: &mut [f64]) {
        state.iter_mut().zip(self.state()).for_each(|(to, x)| *to = x);
    }
}
