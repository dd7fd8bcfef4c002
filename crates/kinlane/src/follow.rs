//! Cells that are recorded while they advance: states at given times, and the times of events.

use crate::advance::bytes_per_cell;
use crate::error::{BatchError, PlanError};
use crate::peaks::{Again, Entry, any_maximum, finer, with_companions, without_companions};
use crate::place::Place;
use crate::runner::Runner;
use crate::{Cells, Mechanism, Report, States, Status};
use kinlane_lanes::{Event, History, Watch};
use kinlane_plan::Plan;
use kinlane_solve::Options;
use std::sync::Arc;
use std::time::Instant;

/// A solver that records cells while they advance: for ignition delays and time series.
/// [`AdvanceBuilder::follow`](crate::AdvanceBuilder::follow) makes one on any device,
/// [`AdvanceBuilder::follow_driven`](crate::AdvanceBuilder::follow_driven) one for cells whose pressure or
/// volume is imposed.
#[derive(Debug)]
pub struct Follow {
    /// Where the cells are to be followed, at the tolerances asked for or at those for peaks.
    pub(crate) runner: Runner,
    is_sharp: bool,
    /// Another on the CPU, once it was needed: at the other tolerances if the CPU does all, else at those for peaks, for the few
    /// cells that are followed once more.
    other: Option<Box<Runner>>,
    job: Job,
    peaks: Peaks,
}

/// Which cells are followed at tolerances a thousandth as large: a small error of a state shifts the time of a flat peak by much
/// more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Peaks {
    /// All if there is a [`Happening::Maximum`](crate::Happening::Maximum) among the events; else, once more, those in which a
    /// steepest rise turns out to have no sharp peak.
    #[default]
    AsNeeded,
    /// All, whatever the events.
    Always,
    /// None.
    Never,
}

/// What runners are made for.
#[derive(Debug)]
pub(crate) struct Job {
    pub mechanism: Mechanism,
    pub plan: Arc<Plan>,
    pub options: Options,
    pub place: Place,
    pub at: At,
}

/// Where cells are followed.
#[derive(Debug)]
pub(crate) enum At {
    /// As the place says.
    Place,
    /// On the CPU alone; and why, if that is not what was asked for.
    Cpu(Option<String>),
}

impl Job {
    fn runner(&self, is_sharp: bool, place: &Place) -> Result<Runner, PlanError> {
        let Self { plan, options, at, .. } = self;
        let options = if is_sharp { &finer(options, place.precision.finest()) } else { options };
        match at {
            At::Place => Runner::new(plan, options, place),
            At::Cpu(why) => Runner::on_cpu(plan, options, place, why.clone()),
        }
    }
}

/// What was recorded of a batch.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Followed {
    /// \[n, times, species + 2\] of n cells: T \[K\], p \[Pa\], mass fractions; NaN where a cell did not arrive.
    pub series: Vec<f64>,
    /// \[n, events\]: when each happened \[s\]; NaN if it did not.
    pub found: Vec<f64>,
    /// Cells in which a steepest rise has no sharp peak. Their times were found at tolerances a thousandth as large.
    pub flat: Vec<usize>,
    /// Those among them that could not be followed so: their times may be off by some per cent.
    pub blurred: Vec<usize>,
    /// What it cost, and who did it.
    pub report: Report,
}

impl Follow {
    pub(crate) fn of(job: Job) -> Result<Self, PlanError> {
        Ok(Self { runner: job.runner(false, &job.place)?, is_sharp: false, other: None, job, peaks: Peaks::default() })
    }

    /// Chooses which cells are followed at the tolerances for peaks.
    ///
    /// # Errors
    /// [`PlanError::Device`], if the device cannot be opened again.
    pub fn with_peaks(mut self, peaks: Peaks) -> Result<Self, PlanError> {
        self.peaks = peaks;
        self.be_sharp(peaks == Peaks::Always)?;
        self.other = None;
        Ok(self)
    }

    /// Advances the batch by `dt` \[s\]; records the states at `times` \[s\] (ascending, from 0 to `dt`, or to the longest interval where cells have their own), and
    /// when `events` happen. A peak or a steepest rise counts if it is over before `dt` and larger than what
    /// the tolerances leave open. States within a step, and times of crossings, are as accurate as states at
    /// the ends of steps.
    ///
    /// A small error of a state shifts the time of a flat peak by much more. So with [`Happening::Maximum`] among the
    /// events all cells are advanced at tolerances a thousandth as large, and cells in which a steepest rise turns out to
    /// have no sharp peak are followed once more so.
    ///
    /// [`Happening::Maximum`]: crate::Happening::Maximum
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

    /// As [`Follow::advance_along`], of cells in the caller's buffers.
    ///
    /// # Errors
    /// As [`Follow::advance_along`].
    pub fn advance_cells_along(
        &mut self,
        cells: Cells<'_>,
        histories: &[Arc<History>],
        dt: f64,
        times: &[f64],
        events: &[Event],
    ) -> Result<Followed, BatchError> {
        self.run(cells, Some(histories), dt, times, events)
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
        let species = self.job.mechanism.species_count();
        self.be_sharp(match self.peaks {
            Peaks::AsNeeded => any_maximum(events),
            other => other == Peaks::Always,
        })?;
        if self.is_sharp || self.peaks == Peaks::Never {
            return follow(&mut self.runner, species, cells, histories, dt, times, events);
        }
        let entry = Entry::of(&cells, events, species);
        let mut followed =
            follow(&mut self.runner, species, cells.reborrow(), histories, dt, times, &with_companions(events))?;
        (followed.found, followed.flat) = without_companions(events, &followed.found);
        if let Some(entry) = entry.filter(|_| !followed.flat.is_empty()) {
            let again = entry.again(&cells, histories, &followed.flat);
            // The cells have been advanced, whatever becomes of this.
            if self.follow_again(again, dt, events, &mut followed).is_err() {
                followed.blurred.clone_from(&followed.flat);
            }
        }
        Ok(followed)
    }

    /// Finds the times of flat rises, with those of all events of these cells. Their states are what they are.
    fn follow_again(
        &mut self,
        mut again: Again,
        dt: f64,
        events: &[Event],
        followed: &mut Followed,
    ) -> Result<(), BatchError> {
        let species = self.job.mechanism.species_count();
        let (cells, histories) = again.lent();
        let runner = match self.other.take() {
            Some(runner) => runner,
            None => {
                let Place { threads, lanes, .. } = self.job.place.clone();
                Box::new(self.job.runner(true, &Place { threads, lanes, ..Place::default() })?)
            }
        };
        let runner = self.other.insert(runner);
        // These cells are counted already.
        runner.share_signals(&self.runner, false);
        let sharp = follow(runner, species, cells, histories, dt, &[], events)?;
        for ((&cell, times), outcome) in
            followed.flat.iter().zip(sharp.found.chunks(events.len())).zip(&again.cells.outcome)
        {
            if outcome.status == Status::Done {
                followed.found[cell * events.len()..(cell + 1) * events.len()].copy_from_slice(times);
            } else {
                followed.blurred.push(cell);
            }
        }
        followed.report.add_cost(&sharp.report);
        Ok(())
    }

    /// Makes `runner` the one with the tolerances for peaks, or that with those asked for. On the CPU the other one is kept;
    /// on a device there is no memory for both.
    fn be_sharp(&mut self, sharp: bool) -> Result<(), PlanError> {
        if self.is_sharp == sharp {
            return Ok(());
        }
        let on_cpu = self.device() == "cpu";
        let mut other = match self.other.take().filter(|_| on_cpu) {
            Some(other) => *other,
            None => self.job.runner(sharp, &self.job.place)?,
        };
        other.share_signals(&self.runner, true);
        let before = std::mem::replace(&mut self.runner, other);
        self.is_sharp = sharp;
        self.other = on_cpu.then(|| Box::new(before));
        Ok(())
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        &self.job.mechanism
    }

    /// Compiles for the device and allocates its memory, for batches of `cells`; otherwise the first call
    /// does so, and so does the first with a maximum among its events, unless [`Follow::with_peaks`] has said that there will be
    /// some.
    ///
    /// # Errors
    /// [`BatchError::Device`].
    pub fn prepare(&mut self, cells: usize) -> Result<(), BatchError> {
        self.runner.prepare(cells, false)
    }
}

fn follow(
    runner: &mut Runner,
    species: usize,
    mut cells: Cells<'_>,
    histories: Option<&[Arc<History>]>,
    dt: f64,
    times: &[f64],
    events: &[Event],
) -> Result<Followed, BatchError> {
    runner.begin(cells.outcome);
    let n = cells.temperature.len();
    let mut series = vec![f64::NAN; n * times.len() * (species + 2)];
    let mut found = vec![f64::NAN; n * events.len()];
    let mut watch = Watch { times, series: &mut series, events, found: &mut found };
    let noted = size_of::<f64>() * (times.len() * (species + 2) + events.len());
    let bytes_per_cell = bytes_per_cell(&cells, species) + noted;
    runner.prepare(n, false)?;
    let (backend, signals) = runner.held();
    let start = Instant::now();
    let totals = backend.advance_watched(cells.reborrow(), &mut watch, histories, dt, signals)?;
    let seconds = start.elapsed().as_secs_f64();
    // Cells with histories have one method.
    let report = runner.report(&totals, cells.outcome, seconds, histories.is_some());
    let report = Report { bytes_per_cell, ..report };
    Ok(Followed { series, found, flat: Vec::new(), blurred: Vec::new(), report })
}
