//! Advances cells of a reaction scheme.

use super::{Scheme, SchemeStates};
use crate::error::{BatchError, PlanError};
use crate::report::Chosen;
use crate::{Cells, Layout, Options, Points, Report};
use kinlane_lanes::Engine;
use kinlane_mech::scheme::Field;
use kinlane_solve::Reactor;
use kinlane_solve::methods::auto::AUTO;
use kinlane_solve::scheme::{Surroundings, constants, with_fixed};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// A solver for a [`Scheme`]: planned once, used for as many intervals as there are. It runs on the CPU.
///
/// Rate constants are computed once per call, from the surroundings of each cell and, where they depend on amounts,
/// from those at its beginning.
#[derive(Debug)]
pub struct SchemeSolver {
    engine: Engine,
    scheme: Scheme,
    progress: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    /// Rate constants \[n, reactions\] of the last batch.
    constants: Vec<f64>,
    /// What the engine takes for T and p, which mean nothing here.
    nothing: [Vec<f64>; 2],
    /// Amounts times weights \[n, species\].
    weighed: Vec<f64>,
}

impl SchemeSolver {
    /// Plans a solver. Tolerances apply to amounts times the weights of their species: number densities as they are, and
    /// in a star mass fractions. `threads` is by default as many as the machine runs at once. The reactor in the options
    /// has no meaning.
    ///
    /// # Errors
    /// [`PlanError::Option`], [`PlanError::UnknownMethod`], [`PlanError::NoStep`], [`PlanError::UnknownLanes`].
    pub fn new(scheme: &Scheme, options: &Options, threads: Option<usize>) -> Result<Self, PlanError> {
        let method = options.method.clone().or_else(|| Some(AUTO.to_owned()));
        let options = Options { method, reactor: Reactor::FixedT, ..options.clone() };
        let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get));
        Ok(Self {
            engine: Engine::new(Arc::clone(&scheme.plan), options, threads)?,
            scheme: scheme.clone(),
            progress: Arc::default(),
            stop: Arc::default(),
            constants: Vec::new(),
            nothing: [Vec::new(), Vec::new()],
            weighed: Vec::new(),
        })
    }

    /// The scheme.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Name of the method in use.
    pub fn method(&self) -> &str {
        self.engine.method()
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
    pub fn constants(&self, states: &SchemeStates) -> Vec<f64> {
        let mut k = vec![0.0; states.len() * self.scheme.reaction_count()];
        self.evaluate(states, &mut k, false);
        k
    }

    /// Advances every cell by `dt` \[s\]. A cell that fails keeps its amounts and says why in its outcome; the others
    /// finish.
    ///
    /// # Errors
    /// Before any cell is touched: [`BatchError::Interval`]; [`BatchError::Value`] if a rate constant is not finite.
    pub fn advance(&mut self, states: &mut SchemeStates, dt: f64) -> Result<Report, BatchError> {
        self.progress.store(0, Ordering::Relaxed);
        let start = Instant::now();
        let cpu = self.prepare(states);
        let [t, p] = &mut self.nothing;
        let mut cells = Cells::new(t, p, &mut self.weighed, Layout::CellMajor, &mut states.outcome);
        cells.constants = Some(&self.constants);
        let mut totals =
            self.engine.advance(cells, dt, &self.progress, &self.stop).map_err(|e| self.named(e.into()))?;
        totals.cpu_seconds += cpu;
        self.take_back(states);
        let (seconds, species) = (start.elapsed().as_secs_f64(), self.scheme.species_names().len());
        let chosen = self.engine.choices().into_iter().zip(totals.chosen);
        Ok(Report {
            device: "cpu".into(),
            threads: self.engine.threads(),
            lanes: self.engine.lanes().into(),
            method: self.engine.method().into(),
            chosen: chosen.map(|(method, cells)| Chosen { method: method.into(), cells }).collect(),
            bytes_per_cell: size_of::<f64>() * (2 * species + self.scheme.reaction_count()),
            bytes_per_thread: self.engine.bytes_per_thread(),
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
        self.engine.rates(at, &mut rates, None).map_err(|e| self.named(e.into()))?;
        Ok(rates)
    }

    /// Puts a batch into the form that the engine takes. Returns the CPU time of that \[s\].
    fn prepare(&mut self, states: &SchemeStates) -> f64 {
        let n = states.len();
        self.nothing.iter_mut().for_each(|x| x.resize(n, 1.0));
        self.weighed.clear();
        let masses = &self.scheme.plan.molar_mass;
        self.weighed.extend(states.at.amounts.iter().zip(masses.iter().cycle()).map(|(y, w)| y * w));
        let mut k = std::mem::take(&mut self.constants);
        k.resize(n * self.scheme.reaction_count(), 0.0);
        let seconds = self.evaluate(states, &mut k, true);
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

    /// Rate constants into `k` \[n, reactions\]; with those of fixed species, if `effective`. Returns the CPU time
    /// \[s\].
    fn evaluate(&self, states: &SchemeStates, k: &mut [f64], effective: bool) -> f64 {
        let (model, at, n) = (&*self.scheme.model, &states.at, states.len());
        let (r, star) = (model.reactions.len(), model.field == Field::Star);
        let widths = [model.photolysis.len(), model.inputs.len(), model.fixed.len(), model.species.len()];
        let one = |cell: usize, k: &mut [f64]| {
            let row = |i: usize| cell * widths[i]..(cell + 1) * widths[i];
            let surroundings = Surroundings {
                temperature: at.temperature[cell],
                density: if star { at.density[cell] } else { 0.0 },
                photolysis: &at.photolysis[row(0)],
                inputs: &at.inputs[row(1)],
                fixed: &at.fixed[row(2)],
                species: &at.amounts[row(3)],
            };
            constants(model, &surroundings, k);
            if effective {
                with_fixed(model, surroundings.fixed, k);
            }
        };
        if r == 0 {
            return 0.0;
        }
        let share = n.div_ceil(self.engine.threads()).max(1);
        let part = |(i, k): (usize, &mut [f64])| {
            let start = cpu_time::ThreadTime::now();
            k.chunks_mut(r).zip(i * share..).for_each(|(k, cell)| one(cell, k));
            start.elapsed().as_secs_f64()
        };
        std::thread::scope(|scope| {
            let mut parts = k.chunks_mut(share * r).enumerate();
            let first = parts.next();
            let others: Vec<_> = parts.map(|p| scope.spawn(move || part(p))).collect();
            let mine = first.map_or(0.0, part);
            mine + others.into_iter().filter_map(|t| t.join().ok()).sum::<f64>()
        })
    }

    /// The error with the name of what the engine knows by number.
    fn named(&self, e: BatchError) -> BatchError {
        match e {
            BatchError::Value { cell, column, value, .. } => {
                let number = |c: &str| c.split(['[', ']']).nth(1).and_then(|i| i.parse::<usize>().ok());
                let label = number(&column).and_then(|i| self.scheme.model.reactions.get(i)).map(|r| r.label.clone());
                let column = label.map_or(column, |label| format!("rate constant of {label}"));
                BatchError::Value { cell, column, value, fault: "is not a finite number" }
            }
            other => other,
        }
    }
}
