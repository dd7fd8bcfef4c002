//! Cells followed on their way: states at given times, and when something happens.

use crate::error::{BatchError, PlanError};
use crate::{Mechanism, Options, States};
use kinlane_lanes::{Engine, Event, Happening, Watch};
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
        let options = Options { watched: true, ..options.clone() };
        let engine = Engine::new(Arc::clone(mechanism.plan()), options, threads)?;
        Ok(Self { engine, species: mechanism.species_count(), progress: Arc::default(), stop: Arc::default() })
    }

    /// Advances the batch by `dt` \[s\], noting the states at `times` \[s\] (ascending, from 0 to `dt`) and when `events`
    /// happen. A peak, or a steepest rise, is one if it is over before `dt`. Times between steps come from a cubic through both ends of a step and their rates.
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
        let totals = self.engine.advance_watched(states.cells_mut(), &mut watch, dt, &self.progress, &self.stop)?;
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
