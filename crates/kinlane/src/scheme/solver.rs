//! Advances cells of a reaction scheme.

use super::{Scheme, SchemeStates};
use crate::advance::thread_count;
use crate::backend::{Backend, Place};
use crate::error::{BatchError, PlanError};
use crate::report::Chosen;
use crate::{Cells, Layout, Options, Points, Report, Source};
use kinlane_device::MappingWish;
use kinlane_lanes::{Column, Constants};
use kinlane_mech::scheme::Field;
use kinlane_solve::Reactor;
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
        })
    }
}

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
    /// Rate constants \[n, reactions\] of the last batch.
    constants: Vec<f64>,
    /// [`NOTHING`] \[n\], each.
    nothing: [Vec<f64>; 2],
    /// Amounts times weights \[n, species\].
    weighed: Vec<f64>,
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
        self.evaluate(states, Constants::Defined, &mut k);
        k
    }

    /// Advances every cell by `dt` \[s\]. A cell that fails keeps its amounts and says why in its outcome; the others
    /// finish.
    ///
    /// # Errors
    /// Before any cell is touched: [`BatchError::Interval`]; [`BatchError::Value`] if a rate constant is not finite.
    pub fn advance(&mut self, states: &mut SchemeStates, dt: f64) -> Result<Report, BatchError> {
        self.progress.store(0, Ordering::Relaxed);
        self.backend.prepare(states.len(), false)?;
        let start = Instant::now();
        let cpu = self.prepare(states);
        let [t, p] = &mut self.nothing;
        let mut cells = Cells::new(t, p, &mut self.weighed, Layout::CellMajor, &mut states.outcome);
        cells.constants = Some(&self.constants);
        // Sources are of amounts times weights, too. Nothing is heated.
        let heating = states.source.as_ref().map(|_| vec![0.0; cells.outcome.len()]);
        let masses = self.scheme.plan.molar_mass.iter().cycle();
        let dydt = states.source.as_ref().map(|s| s.iter().zip(masses).map(|(s, w)| s * w).collect::<Vec<f64>>());
        cells.source = dydt.as_ref().zip(heating.as_ref()).map(|(dydt, heating)| Source { dydt, heating });
        let mut totals =
            self.backend.advance(cells, dt, &self.progress, &self.stop).map_err(|e| named(&self.scheme, e))?;
        totals.cpu_seconds += cpu;
        self.take_back(states);
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
            rescued: self.backend.rescued(),
            threads: engine.threads(),
            lanes: engine.lanes().into(),
            method: engine.method().into(),
            chosen: chosen.map(|(method, cells)| Chosen { method: method.into(), cells }).collect(),
            bytes_per_cell: size_of::<f64>() * (2 * species + self.scheme.reaction_count()),
            bytes_per_thread: self.backend.bytes_per_thread(),
            ..Report::of(&totals, &states.outcome, seconds)
        })
    }

    /// d(amount)/dt \[n, species\].
    ///
    /// # Errors
    /// [`BatchError::Value`] if a rate constant is not finite.
    pub fn rates(&mut self, states: &SchemeStates) -> Result<Vec<f64>, BatchError> {
        self.prepare(states);
        let mut rates = vec![0.0; self.weighed.len()];
        let [t, p] = &self.nothing;
        let mut at = Points::new(t, p, &self.weighed);
        at.constants = Some(&self.constants);
        self.backend.rates(at, &mut rates, None).map_err(|e| named(&self.scheme, e))?;
        Ok(rates)
    }

    /// Puts a batch into the form that the engine takes. Returns the CPU time of that \[s\].
    fn prepare(&mut self, states: &SchemeStates) -> f64 {
        let n = states.len();
        // Anew each time: what comes back in their place may be anything.
        for (column, x) in self.nothing.iter_mut().zip(NOTHING) {
            column.clear();
            column.resize(n, x);
        }
        self.weighed.clear();
        let masses = &self.scheme.plan.molar_mass;
        self.weighed.extend(states.at.amounts.iter().zip(masses.iter().cycle()).map(|(y, w)| y * w));
        let mut k = std::mem::take(&mut self.constants);
        k.resize(n * self.scheme.reaction_count(), 0.0);
        let seconds = self.evaluate(states, Constants::Effective, &mut k);
        self.constants = k;
        seconds
    }

    /// Amounts of the cells that arrived.
    fn take_back(&self, states: &mut SchemeStates) {
        let masses = &self.scheme.plan.molar_mass;
        let width = masses.len().max(1);
        let cells = states.at.amounts.chunks_mut(width).zip(self.weighed.chunks(width));
        for ((to, from), _) in cells.zip(&states.outcome).filter(|(_, o)| o.status == crate::Status::Done) {
            to.iter_mut().zip(from.iter().zip(masses)).for_each(|(to, (y, w))| *to = y / w);
        }
    }

    /// Rate constants into `k` \[n, reactions\]. Returns the CPU time \[s\].
    fn evaluate(&mut self, states: &SchemeStates, which: Constants, k: &mut [f64]) -> f64 {
        let (at, n) = (&states.at, states.len());
        let model = Arc::clone(&self.scheme.model);
        let columns = |values, count: usize| (0..count).map(move |first| Column { values, stride: count, first });
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
        self.backend.cpu_mut().rate_constants(n, &inputs, which, k).unwrap_or(0.0)
    }
}

/// The error with the name of the reaction that the engine knows by number.
fn named(scheme: &Scheme, e: BatchError) -> BatchError {
    match e {
        BatchError::Value { cell, column, value, .. } => {
            let number = |c: &str| c.split(['[', ']']).nth(1).and_then(|i| i.parse::<usize>().ok());
            let label = number(&column).and_then(|i| scheme.model.reactions.get(i)).map(|r| r.label.clone());
            let column = label.map_or(column, |label| format!("rate constant of {label}"));
            BatchError::Value { cell, column, value, fault: "is not a finite number" }
        }
        other => other,
    }
}
