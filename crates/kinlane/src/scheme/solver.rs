//! Advances cells of a reaction scheme.

use super::{Scheme, SchemeStates};
use crate::device::MemoryPlan;
use crate::error::{BatchError, PlanError};
use crate::runner::Runner;
use crate::{Cells, Layout, Outcome, Points, Report, SchemeBuilder, Source, Status};
use kinlane_lanes::{Column, Constants, Totals};
use kinlane_mech::scheme::Field;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Most rate constants in memory at once, a quarter of a gigabyte; larger batches are advanced in pieces, of no less than
/// so many cells.
const NUMBERS: usize = 1 << 25;
/// See [`NUMBERS`].
const LEAST: usize = 1 << 12;

/// What the engine takes for T \[K\] and p \[Pa\], which mean nothing here.
const NOTHING: [f64; 2] = [300.0, 1.0];

/// A solver for a [`Scheme`]: planned once, used for as many intervals as there are.
///
/// Rate constants are computed once per call, from the surroundings of each cell and, where they depend on amounts,
/// from those at its beginning.
#[derive(Debug)]
pub struct SchemeSolver {
    pub(crate) runner: Runner,
    /// Whether nobody has chosen the absolute tolerance, and it has not been seen to suit the amounts.
    is_usual: bool,
    scheme: Scheme,
    /// Rate constants \[n, reactions\] of the last piece of a batch.
    constants: Vec<f64>,
    /// [`NOTHING`] \[n\], each.
    nothing: [Vec<f64>; 2],
    /// Amounts times weights \[n, species\].
    weighed: Vec<f64>,
    /// The first cell of the last call with a rate constant that is not finite, and the reaction.
    not_finite: Option<(usize, usize)>,
}

impl SchemeSolver {
    /// A builder with the default options, for a scheme, and the absolute tolerance of [`Scheme::usual_atol`].
    pub fn builder(scheme: &Scheme) -> SchemeBuilder {
        SchemeBuilder::new(scheme.clone())
    }

    /// `is_usual`: nobody has chosen the absolute tolerance.
    pub(crate) fn of(runner: Runner, scheme: Scheme, is_usual: bool) -> Self {
        let nothing = [Vec::new(), Vec::new()];
        Self { runner, is_usual, scheme, constants: Vec::new(), nothing, weighed: Vec::new(), not_finite: None }
    }

    /// The scheme.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Compiles for the device and allocates its memory, for batches of `cells`; otherwise the first call of
    /// [`SchemeSolver::advance`] does so, before its clock starts.
    ///
    /// # Errors
    /// [`BatchError::Device`].
    pub fn prepare(&mut self, cells: usize) -> Result<(), BatchError> {
        self.runner.prepare(self.piece(cells), false)
    }

    /// The memory plan of every device: what a cell needs, and how as many of `cells` as are advanced at once would be divided.
    /// Empty on the CPU.
    ///
    /// # Errors
    /// [`PlanError::Device`]: the kernel is compiled for this.
    pub fn memory_plan(&mut self, cells: usize) -> Result<Vec<MemoryPlan>, PlanError> {
        self.runner.memory_plan(self.piece(cells))
    }

    /// Cells that are advanced at once, of so many.
    fn piece(&self, cells: usize) -> usize {
        NUMBERS.checked_div(self.scheme.reaction_count()).unwrap_or(cells).max(LEAST).min(cells.max(1))
    }

    /// The cells in pieces; no cells are one piece.
    fn pieces(&self, cells: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let piece = self.piece(cells);
        (0..cells.max(1)).step_by(piece).map(move |lo| lo..cells.min(lo + piece))
    }

    /// Rate constants of every reaction in every cell, as the file defines them: \[n, reactions\].
    ///
    /// # Errors
    /// [`BatchError::Length`] if the cells are those of another scheme.
    pub fn constants(&mut self, states: &SchemeStates) -> Result<Vec<f64>, BatchError> {
        self.not_finite = None;
        states.fits(&self.scheme)?;
        let (n, reactions) = (states.len(), self.scheme.reaction_count());
        let mut k = vec![0.0; n * reactions];
        for cells in self.pieces(n) {
            let k = &mut k[cells.start * reactions..cells.end * reactions];
            self.evaluate(states, cells, Constants::Defined, k)?;
        }
        self.not_finite = k.iter().position(|k| !k.is_finite()).map(|i| (i / reactions, i % reactions));
        Ok(k)
    }

    /// Advances every cell by `dt` \[s\], or by its own interval, if it has one. A cell that fails keeps its amounts and says why in its outcome; the others
    /// finish. A cell with a rate constant that is not finite fails at once: [`SchemeSolver::not_finite`].
    ///
    /// # Errors
    /// Before any cell is touched: [`BatchError::Interval`]; [`BatchError::Length`] if the cells are those of another scheme;
    /// [`BatchError::Coarse`]. [`BatchError::Device`] if a device fails: cells whose outcome is `Done` have then been advanced.
    pub fn advance(&mut self, states: &mut SchemeStates, dt: f64) -> Result<Report, BatchError> {
        self.runner.begin(&mut states.outcome);
        self.not_finite = None;
        states.fits(&self.scheme)?;
        if self.is_usual && states.has_amounts() {
            states.refuse_coarse(&self.scheme)?;
            // What is consumed later may become as little.
            self.is_usual = false;
        }
        let n = states.len();
        self.prepare(n)?;
        let start = Instant::now();
        let mut totals = Totals::default();
        let stop = self.stop_flag();
        for cells in self.pieces(n) {
            if stop.load(Ordering::Relaxed) {
                totals.failed += cells.len();
                continue;
            }
            let done = self.advance_piece(states, cells, dt)?;
            totals.failed += done.failed;
            totals.rescued += done.rescued;
            totals.cost += done.cost;
            totals.cpu_seconds += done.cpu_seconds;
            totals.chosen.iter_mut().zip(done.chosen).for_each(|(all, cells)| *all += cells);
        }
        let (seconds, species) = (start.elapsed().as_secs_f64(), self.scheme.species_count());
        let report = self.runner.report(&totals, &states.outcome, seconds, false);
        let bytes_per_cell = size_of::<f64>() * (2 * species + self.scheme.reaction_count());
        Ok(Report { bytes_per_cell, ..report })
    }

    /// The first cell of the last call with a rate constant that is not finite, and the label of its reaction.
    pub fn not_finite(&self) -> Option<(usize, &str)> {
        let (cell, reaction) = self.not_finite?;
        Some((cell, &self.scheme.model.reactions.get(reaction)?.label))
    }

    /// Advances some of the cells.
    fn advance_piece(&mut self, states: &mut SchemeStates, cells: Range<usize>, dt: f64) -> Result<Totals, BatchError> {
        let cpu = self.enter(states, cells.clone())?;
        let unfit = self.unfit(cells.start);
        let width = self.scheme.weights().len();
        // Sources are of amounts times weights, too. Nothing is heated.
        let source = states
            .source
            .as_ref()
            .map(|s| (self.scheme.mass_fractions(&s[cells.start * width..cells.end * width]), vec![0.0; cells.len()]));
        let [t, p] = &mut self.nothing;
        let outcome = &mut states.outcome[cells.clone()];
        let mut lent = Cells::new(t, p, &mut self.weighed, Layout::CellMajor, outcome);
        lent.constants = Some(&self.constants);
        lent.intervals = states.intervals.as_ref().map(|own| &own[cells.clone()]);
        lent.source = source.as_ref().map(|(dydt, heating)| Source { dydt, heating });
        let (backend, signals) = self.runner.held();
        let done = backend.advance(lent, dt, signals);
        let mut newly_failed = 0;
        for cell in unfit {
            let outcome = &mut states.outcome[cell];
            newly_failed += usize::from(outcome.status == Status::Done);
            *outcome = Outcome { status: Status::NotFinite, ..Outcome::default() };
        }
        // Also where a device has failed: some cells have been advanced by then.
        self.take_back(states, cells.clone());
        let mut totals = done.map_err(|e| e.shifted(cells.start))?;
        totals.failed += newly_failed;
        totals.cpu_seconds += cpu;
        Ok(totals)
    }

    /// The cells with a rate constant that is not finite, of those prepared from number `first` on. Their constants are
    /// set to zero, which the engine takes.
    fn unfit(&mut self, first: usize) -> Vec<usize> {
        let reactions = self.scheme.reaction_count().max(1);
        let mut unfit = Vec::new();
        for (i, k) in self.constants.chunks_mut(reactions).enumerate() {
            if let Some(reaction) = k.iter().position(|k| !k.is_finite()) {
                self.not_finite = self.not_finite.or(Some((first + i, reaction)));
                unfit.push(first + i);
                k.fill(0.0);
            }
        }
        unfit
    }

    /// d(amount)/dt \[n, species\]; NaN in a cell with a rate constant that is not finite: [`SchemeSolver::not_finite`].
    ///
    /// # Errors
    /// [`BatchError::Length`] if the cells are those of another scheme; [`BatchError::Device`] if a device fails.
    pub fn rates(&mut self, states: &SchemeStates) -> Result<Vec<f64>, BatchError> {
        self.not_finite = None;
        states.fits(&self.scheme)?;
        let (n, width) = (states.len(), self.scheme.weights().len());
        let mut rates = vec![0.0; n * width];
        for cells in self.pieces(n) {
            self.enter(states, cells.clone())?;
            let unfit = self.unfit(cells.start);
            let at = points(&self.nothing, &self.weighed, &self.constants);
            let done = self.runner.rates(at, &mut rates[cells.start * width..cells.end * width], None);
            done.map_err(|e| e.shifted(cells.start))?;
            unfit.into_iter().for_each(|cell| rates[cell * width..(cell + 1) * width].fill(f64::NAN));
        }
        Ok(rates)
    }

    /// Rate of progress of every reaction in every cell \[n, reactions\], in the unit of amounts per second; NaN in a cell with a
    /// rate constant that is not finite. Done by the CPU.
    ///
    /// # Errors
    /// As [`SchemeSolver::rates`].
    pub fn rates_of_progress(&mut self, states: &SchemeStates) -> Result<Vec<f64>, BatchError> {
        self.not_finite = None;
        states.fits(&self.scheme)?;
        let reactions = self.scheme.reaction_count();
        let mut all = Vec::with_capacity(states.len() * reactions);
        let mut both = Vec::new();
        for cells in self.pieces(states.len()) {
            self.enter(states, cells.clone())?;
            let unfit = self.unfit(cells.start);
            both.clear();
            both.resize(cells.len() * reactions, [0.0; 2]);
            let at = points(&self.nothing, &self.weighed, &self.constants);
            let done = self.runner.backend.cpu_mut().rates_of_progress(at, &mut both);
            done.map_err(|e| BatchError::from(e).shifted(cells.start))?;
            all.extend(both.iter().map(|[forward, _]| forward));
            unfit.into_iter().for_each(|cell| all[cell * reactions..(cell + 1) * reactions].fill(f64::NAN));
        }
        Ok(all)
    }

    /// Jacobians d(dy_i/dt)/dy_j of amounts y in every cell \[n, species, species\], row-major, with rate constants that stay; NaN
    /// in a cell with one that is not finite.
    ///
    /// # Errors
    /// As [`SchemeSolver::rates`].
    pub fn jacobians(&mut self, states: &SchemeStates) -> Result<Vec<f64>, BatchError> {
        self.not_finite = None;
        states.fits(&self.scheme)?;
        let width = self.scheme.weights().len();
        let mut all = Vec::with_capacity(states.len() * width * width);
        let (mut rates, mut bordered) = (Vec::new(), Vec::new());
        for cells in self.pieces(states.len()) {
            self.enter(states, cells.clone())?;
            let unfit = self.unfit(cells.start);
            rates.resize(cells.len() * width, 0.0);
            // The engine has a row and a column for T.
            bordered.resize(cells.len() * (width + 1).pow(2), 0.0);
            let at = points(&self.nothing, &self.weighed, &self.constants);
            let done = self.runner.rates(at, &mut rates, Some(&mut bordered));
            done.map_err(|e| e.shifted(cells.start))?;
            let weights = self.scheme.weights();
            for cell in bordered.chunks((width + 1).pow(2)) {
                for (row, of_row) in cell.chunks(width + 1).zip(weights) {
                    all.extend(row.iter().zip(weights).map(|(j, of_column)| j * of_column / of_row));
                }
            }
            unfit.into_iter().for_each(|cell| all[cell * width * width..(cell + 1) * width * width].fill(f64::NAN));
        }
        Ok(all)
    }

    /// Puts cells into the form that the engine takes. Returns the CPU time of that \[s\].
    fn enter(&mut self, states: &SchemeStates, cells: Range<usize>) -> Result<f64, BatchError> {
        let n = cells.len();
        // Anew each time: what comes back in their place may be anything.
        for (column, x) in self.nothing.iter_mut().zip(NOTHING) {
            column.clear();
            column.resize(n, x);
        }
        self.weighed.clear();
        let weights = self.scheme.weights();
        let amounts = &states.at.amounts[cells.start * weights.len()..cells.end * weights.len()];
        self.weighed.extend(amounts.iter().zip(weights.iter().cycle()).map(|(y, w)| y * w));
        let mut k = std::mem::take(&mut self.constants);
        k.resize(n * self.scheme.reaction_count(), 0.0);
        let seconds = self.evaluate(states, cells, Constants::Effective, &mut k);
        self.constants = k;
        seconds
    }

    /// Amounts of the cells that arrived.
    fn take_back(&self, states: &mut SchemeStates, cells: Range<usize>) {
        let weights = self.scheme.weights();
        let width = weights.len().max(1);
        let to = states.at.amounts.chunks_mut(width).skip(cells.start).zip(self.weighed.chunks(width));
        for ((to, from), _) in to.zip(&states.outcome[cells]).filter(|(_, o)| o.status == Status::Done) {
            to.iter_mut().zip(from.iter().zip(weights)).for_each(|(to, (y, w))| *to = y / w);
        }
    }

    /// Rate constants of some cells into `k` \[cells, reactions\]. Returns the CPU time \[s\].
    fn evaluate(
        &mut self,
        states: &SchemeStates,
        cells: Range<usize>,
        which: Constants,
        k: &mut [f64],
    ) -> Result<f64, BatchError> {
        let at = &states.at;
        let model = Arc::clone(&self.scheme.model);
        let lo = cells.start;
        let columns =
            |values, count: usize| (0..count).map(move |i| Column { values, stride: count, first: lo * count + i });
        // In the order of `Surroundings`; where a density means nothing, no rate reads it.
        let density = if model.field == Field::Star { &at.density } else { &at.temperature };
        let inputs: Vec<Column<'_>> = columns(&at.temperature[..], 1)
            .chain(columns(density, 1))
            .chain(columns(&at.photolysis, model.photolysis.len()))
            .chain(columns(&at.inputs, model.inputs.len()))
            .chain(columns(&at.amounts, model.species.len()))
            .chain(columns(&at.fixed, model.fixed.len()))
            .collect();
        Ok(self.runner.backend.cpu_mut().rate_constants(cells.len(), &inputs, which, k)?)
    }
}

/// Prepared cells as the engine takes them.
fn points<'a>([t, p]: &'a [Vec<f64>; 2], weighed: &'a [f64], constants: &'a [f64]) -> Points<'a> {
    let mut at = Points::new(t, p, weighed, Layout::CellMajor);
    at.constants = Some(constants);
    at
}
