//! Cells followed on their way: states at given times, and when something happens.

use crate::error::{BatchError, PlanError};
use crate::{Mechanism, Options, States};
use kinlane_lanes::{Engine, Event, Happening, History, Watch};
use kinlane_plan::Plan;
use kinlane_plan::plan::Features;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// A solver that follows cells: for ignition delays and time series. It runs on the CPU.
#[derive(Debug)]
pub struct Follow {
    engine: Engine,
    species: usize,
    progress: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

/// What was noted of a batch.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Followed {
    /// \[cells, times, species + 2\]: T \[K\], p \[Pa\], mass fractions; NaN where a cell did not arrive.
    pub series: Vec<f64>,
    /// \[cells, events\]: when \[s\]; NaN where it did not happen.
    pub found: Vec<f64>,
    /// Cells that did not reach the end.
    pub failed: usize,
    /// Accepted steps of all cells.
    pub steps: u64,
    /// CPU time of the integrating threads \[s\].
    pub cpu_seconds: f64,
}

impl Follow {
    /// Plans a solver of `threads` threads.
    ///
    /// # Errors
    /// [`PlanError::UnknownMethod`], and what else the options may get wrong.
    pub fn new(mechanism: &Mechanism, options: &Options, threads: usize) -> Result<Self, PlanError> {
        Self::of(mechanism, Arc::clone(mechanism.plan()), options, threads)
    }

    /// As [`Follow::new`], for cells whose pressure or volume follows a history: [`Follow::advance_along`].
    ///
    /// # Errors
    /// As [`Follow::new`].
    pub fn driven(mechanism: &Mechanism, options: &Options, threads: usize) -> Result<Self, PlanError> {
        let features = Features { history: true, factors: mechanism.is_perturbable() };
        Self::of(mechanism, Arc::new(Plan::with(mechanism.network(), features)), options, threads)
    }

    fn of(mechanism: &Mechanism, plan: Arc<Plan>, options: &Options, threads: usize) -> Result<Self, PlanError> {
        let options = Options { watched: true, ..options.clone() };
        let engine = Engine::new(plan, options, threads)?;
        Ok(Self { engine, species: mechanism.species_count(), progress: Arc::default(), stop: Arc::default() })
    }

    /// Advances the batch by `dt` \[s\], noting the states at `times` \[s\] (ascending, from 0 to `dt`) and when
    /// `events` happen. A peak, or a steepest rise, is one if it is over before `dt`. Times between steps come from a
    /// cubic through both ends of a step and their rates.
    ///
    /// # Errors
    /// [`BatchError::Interval`], [`BatchError::Value`], before any cell is touched.
    pub fn advance(
        &mut self,
        states: &mut States,
        dt: f64,
        times: &[f64],
        events: &[Event],
    ) -> Result<Followed, BatchError> {
        self.run(states, None, dt, times, events)
    }

    /// As [`Follow::advance`], where the pressure (at constant pressure) or the volume (at constant volume) of each
    /// cell follows a history of its own, from what it is at the begin. The solver must have been made by
    /// [`Follow::driven`].
    ///
    /// Steps end at knots. With many of them one-step methods are faster, for BDF begins anew at each.
    ///
    /// # Errors
    /// As [`Follow::advance`]; [`BatchError::History`], and [`BatchError::Length`] for a wrong number of histories.
    pub fn advance_along(
        &mut self,
        states: &mut States,
        histories: &[Arc<History>],
        dt: f64,
        times: &[f64],
        events: &[Event],
    ) -> Result<Followed, BatchError> {
        self.run(states, Some(histories), dt, times, events)
    }

    fn run(
        &mut self,
        states: &mut States,
        histories: Option<&[Arc<History>]>,
        dt: f64,
        times: &[f64],
        events: &[Event],
    ) -> Result<Followed, BatchError> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(BatchError::Interval { dt });
        }
        let n = states.len();
        let mut out = Followed {
            series: vec![f64::NAN; n * times.len() * (self.species + 2)],
            found: vec![f64::NAN; n * events.len()],
            ..Followed::default()
        };
        let mut watch = Watch { times, series: &mut out.series, events, found: &mut out.found };
        let (cells, progress, stop) = (states.cells_mut(), &self.progress, &self.stop);
        let totals = self.engine.advance_watched(cells, &mut watch, histories, dt, progress, stop)?;
        // What is still rising at the end has no peak yet.
        for found in out.found.chunks_mut(events.len().max(1)) {
            for (t, event) in found.iter_mut().zip(events) {
                let peak = matches!(event.happening, Happening::SteepestRise | Happening::Maximum);
                if peak && *t >= dt * (1.0 - 1e-12) {
                    *t = f64::NAN;
                }
            }
        }
        (out.failed, out.steps, out.cpu_seconds) = (totals.failed, totals.cost.steps, totals.cpu_seconds);
        Ok(out)
    }

    /// Name of the method in use.
    pub fn method(&self) -> &'static str {
        self.engine.method()
    }

    /// Setting it ends a running call early; see [`crate::Advance::stop_flag`].
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Counts the finished cells of all calls so far.
    pub fn progress(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.progress)
    }
}
