//! Cells that are recorded while they advance: states at given times, and the times of events.

use crate::advance::bytes_per_cell;
use crate::error::BatchError;
use crate::runner::Runner;
use crate::{Cells, Mechanism, Report, States};
use kinlane_lanes::{Event, History, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

/// A solver that records cells while they advance: for ignition delays and time series.
/// [`AdvanceBuilder::follow`](crate::AdvanceBuilder::follow) makes one on any device,
/// [`AdvanceBuilder::follow_driven`](crate::AdvanceBuilder::follow_driven) one for cells whose pressure or
/// volume is imposed.
#[derive(Debug)]
pub struct Follow {
    runner: Runner,
    mechanism: Mechanism,
}

/// What was recorded of a batch.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Followed {
    /// \[n, times, species + 2\] of n cells: T \[K\], p \[Pa\], mass fractions; NaN where a cell did not arrive.
    pub series: Vec<f64>,
    /// \[n, events\]: when each happened \[s\]; NaN if it did not.
    pub found: Vec<f64>,
    /// What it cost, and who did it.
    pub report: Report,
}

impl Follow {
    pub(crate) fn of(mechanism: &Mechanism, runner: Runner) -> Self {
        Self { runner, mechanism: mechanism.clone() }
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
        mut cells: Cells<'_>,
        histories: Option<&[Arc<History>]>,
        dt: f64,
        times: &[f64],
        events: &[Event],
    ) -> Result<Followed, BatchError> {
        self.runner.begin(cells.outcome);
        let (n, species) = (cells.temperature.len(), self.mechanism.species_count());
        let mut series = vec![f64::NAN; n * times.len() * (species + 2)];
        let mut found = vec![f64::NAN; n * events.len()];
        let mut watch = Watch { times, series: &mut series, events, found: &mut found };
        let bytes_per_cell =
            bytes_per_cell(&cells, species) + size_of::<f64>() * (times.len() * (species + 2) + events.len());
        let (backend, signals) = self.runner.held();
        backend.prepare(n, false)?;
        let start = Instant::now();
        let totals = backend.advance_watched(cells.reborrow(), &mut watch, histories, dt, signals)?;
        let seconds = start.elapsed().as_secs_f64();
        let report = Report { bytes_per_cell, ..self.runner.report(&totals, cells.outcome, seconds, false) };
        Ok(Followed { series, found, report })
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Name of the method in use.
    pub fn method(&self) -> &str {
        self.runner.method()
    }

    /// What does the work: `cpu`, or devices such as `opencl:0`, joined by `+`.
    pub fn device(&self) -> &str {
        self.runner.device()
    }

    /// Number of integrating threads.
    pub fn threads(&self) -> usize {
        self.runner.threads()
    }

    /// Instruction set and number of cells side by side.
    pub fn lanes(&self) -> &str {
        self.runner.lanes()
    }

    /// Why the CPU does the work although a device was asked for.
    pub fn fallback(&self) -> Option<&str> {
        self.runner.fallback()
    }

    /// Compiles for the device and allocates its memory, for batches of `cells`; otherwise the first call
    /// does so.
    ///
    /// # Errors
    /// [`BatchError::Device`].
    pub fn prepare(&mut self, cells: usize) -> Result<(), BatchError> {
        self.runner.prepare(cells)
    }

    /// Setting it ends a running call early; see [`crate::Advance::stop_flag`].
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.runner.stop()
    }

    /// Counts the finished cells of the running call.
    pub fn progress(&self) -> Arc<AtomicUsize> {
        self.runner.progress()
    }
}
