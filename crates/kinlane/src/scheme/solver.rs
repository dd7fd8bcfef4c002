//! Advances cells of a reaction scheme.

use super::{Scheme, SchemeStates};
use crate::advance::thread_count;
use crate::backend::{Backend, Place};
use crate::error::{BatchError, PlanError};
use crate::report::Chosen;
use crate::{Cells, Layout, Options, Outcome, Points, Report, Source, Status};
use kinlane_device::MappingWish;
use kinlane_lanes::{Column, Constants, Totals};
use kinlane_mech::scheme::Field;
use kinlane_solve::Reactor;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// Options of a solver for a [`Scheme`]; [`SchemeBuilder::plan`] makes it.
#[derive(Debug, Clone)]
#[must_use = "`plan` makes the solver"]
pub struct SchemeBuilder {
    scheme: Scheme,
    options: Options,
    threads: Option<usize>,
    place: Place,
}

impl SchemeBuilder {
    /// Sets every option of the integration at once. Tolerances apply to amounts times the weights of their species:
    /// number densities as they are, and in a star mass fractions. The reactor has no meaning.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Number of threads (default: as many as the machine runs at once).
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Where to run, as [`AdvanceBuilder::device`](crate::AdvanceBuilder::device).
    pub fn device(mut self, device: impl Into<String>) -> Self {
        self.place.device = Some(device.into());
        self
    }

    /// Most bytes of a device's memory to use (default: four fifths of it). Larger batches are divided.
    pub fn device_memory(mut self, bytes: u64) -> Self {
        self.place.memory = Some(bytes);
        self
    }

    /// On devices: whether each thread has a cell of its own, or each group of threads shares one.
    pub fn mapping(mut self, mapping: MappingWish) -> Self {
        self.place.mapping = mapping;
        self
    }

    /// Makes the solver and all of its workspace.
    ///
    /// # Errors
    /// [`PlanError::Option`], [`PlanError::UnknownMethod`], [`PlanError::NoStep`], [`PlanError::UnknownLanes`],
    /// [`PlanError::Device`].
    pub fn plan(self) -> Result<SchemeSolver, PlanError> {
        let threads = thread_count(self.threads)?;
        let options = Options { reactor: Reactor::FixedT, ..self.options };
        let (mut backend, fallback) = Backend::new(&self.scheme.plan, &options, threads, &self.place)?;
        backend.cpu_mut().set_rates(Arc::clone(&self.scheme.program));
        Ok(SchemeSolver {
            device: backend.device().into(),
            fallback: fallback.map(Into::into),
            backend,
            scheme: self.scheme,
            progress: Arc::default(),
            stop: Arc::default(),
            constants: Vec::new(),
            nothing: [Vec::new(), Vec::new()],
            weighed: Vec::new(),
            not_finite: None,
        })
    }
}

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
    backend: Backend,
    scheme: Scheme,
    device: Arc<str>,
    fallback: Option<Arc<str>>,
    progress: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
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
    /// A builder with the default options, for a scheme.
    pub fn builder(scheme: &Scheme) -> SchemeBuilder {
        let (options, place) = (Options::default(), Place::default());
        SchemeBuilder { scheme: scheme.clone(), options, threads: None, place }
    }

    /// The scheme.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Name of the method in use.
    pub fn method(&self) -> &str {
        self.backend.method()
    }

    /// Why the CPU does the work although a device was asked for.
    pub fn fallback(&self) -> Option<&str> {
        self.fallback.as_deref()
    }

    /// Setting it ends a running call early, from any thread: unfinished cells keep their amounts. It stays set until
    /// it is cleared.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Counts the finished cells of the running call.
    pub fn progress(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.progress)
    }

    /// Rate constants of every reaction in every cell, as the file defines them: \[n, reactions\].
    pub fn constants(&mut self, states: &SchemeStates) -> Vec<f64> {
        let mut k = vec![0.0; states.len() * self.scheme.reaction_count()];
        self.evaluate(states, 0..states.len(), Constants::Defined, &mut k);
        k
    }

    /// Advances every cell by `dt` \[s\]. A cell that fails keeps its amounts and says why in its outcome; the others
    /// finish. A cell with a rate constant that is not finite fails at once: [`SchemeSolver::not_finite`].
    ///
    /// # Errors
    /// Before any cell is touched: [`BatchError::Interval`]. [`BatchError::Device`] if a device fails: cells whose outcome is
    /// `Done` have then been advanced.
    pub fn advance(&mut self, states: &mut SchemeStates, dt: f64) -> Result<Report, BatchError> {
        self.progress.store(0, Ordering::Relaxed);
        let n = states.len();
        let piece = NUMBERS.checked_div(self.scheme.reaction_count()).unwrap_or(n).max(LEAST).min(n.max(1));
        self.backend.prepare(piece, false)?;
        let start = Instant::now();
        self.not_finite = None;
        let (mut totals, mut rescued) = (Totals::default(), 0);
        for lo in (0..n.max(1)).step_by(piece) {
            let done = self.advance_piece(states, lo..n.min(lo + piece), dt)?;
            totals.failed += done.failed;
            totals.cost += done.cost;
            totals.cpu_seconds += done.cpu_seconds;
            totals.chosen.iter_mut().zip(done.chosen).for_each(|(all, cells)| *all += cells);
            rescued += self.backend.rescued();
        }
        let (seconds, species) = (start.elapsed().as_secs_f64(), self.scheme.species_names().len());
        if let (None, Some(why)) = (&self.fallback, self.backend.failure()) {
            self.fallback = Some(why.into());
            self.device = "cpu".into();
        }
        let engine = self.backend.cpu();
        let chosen = engine.choices().into_iter().zip(totals.chosen);
        Ok(Report {
            device: Arc::clone(&self.device),
            fallback: self.fallback.clone(),
            rescued,
            threads: engine.threads(),
            lanes: engine.lanes().into(),
            method: engine.method().into(),
            chosen: chosen.map(|(method, cells)| Chosen { method: method.into(), cells }).collect(),
            bytes_per_cell: size_of::<f64>() * (2 * species + self.scheme.reaction_count()),
            bytes_per_thread: self.backend.bytes_per_thread(),
            ..Report::of(&totals, &states.outcome, seconds)
        })
    }

    /// The first cell of the last call with a rate constant that is not finite, and the label of its reaction.
    pub fn not_finite(&self) -> Option<(usize, &str)> {
        let (cell, reaction) = self.not_finite?;
        Some((cell, &self.scheme.model.reactions.get(reaction)?.label))
    }

    /// Advances some of the cells.
    fn advance_piece(&mut self, states: &mut SchemeStates, cells: Range<usize>, dt: f64) -> Result<Totals, BatchError> {
        let cpu = self.prepare(states, cells.clone());
        let unfit = self.unfit(cells.start);
        let masses = &self.scheme.plan.molar_mass;
        let width = masses.len();
        // Sources are of amounts times weights, too. Nothing is heated.
        let source = states.source.as_ref().map(|s| {
            let rates = s[cells.start * width..cells.end * width].iter().zip(masses.iter().cycle());
            (rates.map(|(s, w)| s * w).collect::<Vec<f64>>(), vec![0.0; cells.len()])
        });
        let [t, p] = &mut self.nothing;
        let outcome = &mut states.outcome[cells.clone()];
        let mut lent = Cells::new(t, p, &mut self.weighed, Layout::CellMajor, outcome);
        lent.constants = Some(&self.constants);
        lent.source = source.as_ref().map(|(dydt, heating)| Source { dydt, heating });
        let mut totals = self.backend.advance(lent, dt, &self.progress, &self.stop)?;
        totals.cpu_seconds += cpu;
        for cell in unfit {
            let outcome = &mut states.outcome[cell];
            totals.failed += usize::from(outcome.status == Status::Done);
            *outcome = Outcome { status: Status::NotFinite, ..Outcome::default() };
        }
        self.take_back(states, cells);
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
    /// [`BatchError::Device`] if a device fails.
    pub fn rates(&mut self, states: &SchemeStates) -> Result<Vec<f64>, BatchError> {
        self.not_finite = None;
        self.prepare(states, 0..states.len());
        let unfit = self.unfit(0);
        let mut rates = vec![0.0; self.weighed.len()];
        let [t, p] = &self.nothing;
        let mut at = Points::new(t, p, &self.weighed);
        at.constants = Some(&self.constants);
        self.backend.rates(at, &mut rates, None)?;
        let width = self.scheme.plan.molar_mass.len();
        unfit.into_iter().for_each(|cell| rates[cell * width..(cell + 1) * width].fill(f64::NAN));
        Ok(rates)
    }

    /// Puts cells into the form that the engine takes. Returns the CPU time of that \[s\].
    fn prepare(&mut self, states: &SchemeStates, cells: Range<usize>) -> f64 {
        let n = cells.len();
        // Anew each time: what comes back in their place may be anything.
        for (column, x) in self.nothing.iter_mut().zip(NOTHING) {
            column.clear();
            column.resize(n, x);
        }
        self.weighed.clear();
        let masses = &self.scheme.plan.molar_mass;
        let amounts = &states.at.amounts[cells.start * masses.len()..cells.end * masses.len()];
        self.weighed.extend(amounts.iter().zip(masses.iter().cycle()).map(|(y, w)| y * w));
        let mut k = std::mem::take(&mut self.constants);
        k.resize(n * self.scheme.reaction_count(), 0.0);
        let seconds = self.evaluate(states, cells, Constants::Effective, &mut k);
        self.constants = k;
        seconds
    }

    /// Amounts of the cells that arrived.
    fn take_back(&self, states: &mut SchemeStates, cells: Range<usize>) {
        let masses = &self.scheme.plan.molar_mass;
        let width = masses.len().max(1);
        let to = states.at.amounts.chunks_mut(width).skip(cells.start).zip(self.weighed.chunks(width));
        for ((to, from), _) in to.zip(&states.outcome[cells]).filter(|(_, o)| o.status == Status::Done) {
            to.iter_mut().zip(from.iter().zip(masses)).for_each(|(to, (y, w))| *to = y / w);
        }
    }

    /// Rate constants of some cells into `k` \[cells, reactions\]. Returns the CPU time \[s\].
    fn evaluate(&mut self, states: &SchemeStates, cells: Range<usize>, which: Constants, k: &mut [f64]) -> f64 {
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
        // The arrays of a batch fit one another.
        self.backend.cpu_mut().rate_constants(cells.len(), &inputs, which, k).unwrap_or(0.0)
    }
}
