//! Cells that are recorded while they advance: states at given times, and the times of events.

use crate::backend::Backend;
use crate::error::BatchError;
use crate::{Cells, Mechanism, States};
use kinlane_lanes::{Event, History, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A solver that records cells while they advance: for ignition delays and time series.
/// [`AdvanceBuilder::follow`](crate::AdvanceBuilder::follow) makes one on any device,
/// [`AdvanceBuilder::follow_driven`](crate::AdvanceBuilder::follow_driven) one for cells whose pressure or
/// volume is imposed.
#[derive(Debug)]
pub struct Follow {
    backend: Backend,
    fallback: Option<String>,
    mechanism: Mechanism,
    progress: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

/// What was recorded of a batch.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Followed {
    /// \[n, times, species + 2\] of n cells: T \[K\], p \[Pa\], mass fractions; NaN where a cell did not arrive.
    pub series: Vec<f64>,
    /// \[n, events\]: when each happened \[s\]; NaN if it did not.
    pub found: Vec<f64>,
    /// Cells that did not reach the end.
    pub failed: usize,
    /// Cells that devices could not finish, and that the CPU advanced.
    pub rescued: usize,
    /// Accepted steps of all cells.
    pub steps: u64,
    /// CPU time of the integrating threads \[s\].
    pub cpu_seconds: f64,
}

impl Follow {
    pub(crate) fn of(mechanism: &Mechanism, backend: Backend, fallback: Option<String>) -> Self {
        let mechanism = mechanism.clone();
        Self { backend, fallback, mechanism, progress: Arc::default(), stop: Arc::default() }
    }

    /// Advances the batch by `dt` \[s\]; records the states at `times` \[s\] (ascending, from 0 to `dt`), and
    /// when `events` happen. A peak or a steepest rise counts if it is over before `dt` and larger than what
    /// the tolerances leave open. States within a step, and times of crossings, are as accurate as states at
    /// the ends of steps.
    ///
    /// ```
    /// use kinlane::{Advance, Event, Happening, Mechanism, Quantity, States};
    ///
    /// let mechanism = Mechanism::bundled("h2")?;
    /// let gas = [("H2", 0.03), ("O2", 0.22), ("N2", 0.75)];
    /// let mut cells = States::uniform(&mechanism, 1, 1200.0, 101_325.0, &gas)?;
    /// let ignition = Event { quantity: Quantity::Temperature, happening: Happening::SteepestRise };
    ///
    /// let mut solver = Advance::builder(&mechanism).threads(1).follow()?;
    /// let noted = solver.advance(&mut cells, 1e-3, &[1e-3], &[ignition])?;
    /// let (delay, end) = (noted.found[0], noted.series[0]);
    /// assert!(delay > 0.0 && delay < 1e-3 && end > 2000.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Advance::advance`](crate::Advance::advance); [`BatchError::Time`] if `times` do not ascend from 0 to
    /// `dt`; [`BatchError::Species`] if an event is about a species that does not exist; [`BatchError::Level`] if it
    /// waits for what no quantity can reach.
    pub fn advance(
        &mut self,
        states: &mut States,
        dt: f64,
        times: &[f64],
        events: &[Event],
    ) -> Result<Followed, BatchError> {
        self.run(states.cells_mut(), None, dt, times, events)
    }

    /// As [`Follow::advance`], of cells in the caller's buffers.
    ///
    /// # Errors
    /// As [`Follow::advance`].
    pub fn advance_cells(
        &mut self,
        cells: Cells<'_>,
        dt: f64,
        times: &[f64],
        events: &[Event],
    ) -> Result<Followed, BatchError> {
        self.run(cells, None, dt, times, events)
    }

    /// As [`Follow::advance`], where the pressure (at constant pressure) or the volume (at constant volume)
    /// of each cell follows its own history, relative to its initial value. The solver must have been made by
    /// [`AdvanceBuilder::follow_driven`](crate::AdvanceBuilder::follow_driven).
    ///
    /// Steps end at knots. If there are many, one-step methods are faster, since BDF restarts at each.
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
        self.run(states.cells_mut(), Some(histories), dt, times, events)
    }

    fn run(
        &mut self,
        cells: Cells<'_>,
        histories: Option<&[Arc<History>]>,
        dt: f64,
        times: &[f64],
        events: &[Event],
    ) -> Result<Followed, BatchError> {
        self.progress.store(0, Ordering::Relaxed);
        let n = cells.temperature.len();
        let mut out = Followed {
            series: vec![f64::NAN; n * times.len() * (self.mechanism.species_count() + 2)],
            found: vec![f64::NAN; n * events.len()],
            ..Followed::default()
        };
        let mut watch = Watch { times, series: &mut out.series, events, found: &mut out.found };
        self.backend.prepare(n, false)?;
        let (progress, stop) = (&self.progress, &self.stop);
        let totals = self.backend.advance_watched(cells, &mut watch, histories, dt, progress, stop)?;
        self.fallback = self.fallback.take().or_else(|| self.backend.failure());
        (out.failed, out.steps, out.cpu_seconds) = (totals.failed, totals.cost.steps, totals.cpu_seconds);
        out.rescued = self.backend.rescued();
        Ok(out)
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Name of the method in use.
    pub fn method(&self) -> &'static str {
        self.backend.method()
    }

    /// What does the work: `cpu`, or devices such as `opencl:0`, joined by `+`.
    pub fn device(&self) -> String {
        if self.fallback.is_some() { "cpu".to_owned() } else { self.backend.device() }
    }

    /// Why the CPU does the work although a device was asked for.
    pub fn fallback(&self) -> Option<&str> {
        self.fallback.as_deref()
    }

    /// Compiles for the device and allocates its memory, for batches of `cells`; otherwise the first call
    /// does so.
    ///
    /// # Errors
    /// [`BatchError::Device`].
    pub fn prepare(&mut self, cells: usize) -> Result<(), BatchError> {
        self.backend.prepare(cells, false)
    }

    /// Setting it ends a running call early; see [`crate::Advance::stop_flag`].
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Counts the finished cells of the running call.
    pub fn progress(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.progress)
    }
}
