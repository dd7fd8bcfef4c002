//! Times of peaks. The rate of a radical that is nearly in balance is a small difference of large rates, and a peak is
//! flat: a small error of a state shifts the time of a maximum by much more. In hydrogen at 2200 K and 0.1 atm the time at
//! which O is largest is off by 4e-3 at a relative tolerance of 1e-6, and by 1e-6 at 1e-9. So maxima are looked for at
//! smaller tolerances than those of the states, and so is a steepest rise that has no sharp peak.

use crate::Cells;
use kinlane_lanes::{Event, Happening, History, OwnedCells, rows, rows_of_species};
use kinlane_solve::Options;
use kinlane_solve::options::LEAST_ATOL;
use std::sync::Arc;

/// Factor on the tolerances.
const FACTOR: f64 = 1e-3;
/// Smallest relative tolerance that this leads to.
const FINEST: f64 = 1e-12;
/// A steepest rise is sharp if its rate falls to this part of its maximum within [`BY`] times the time of the maximum.
const SLOWED: f64 = 0.5;
/// See [`SLOWED`].
const BY: f64 = 3.0;

/// Options with the tolerances for peaks. `finest`: the least relative tolerance that the place can meet.
pub fn finer(options: &Options, finest: f64) -> Options {
    let rtol = options.rtol.min(FINEST.max(options.rtol * FACTOR).max(finest));
    Options { rtol, atol: (options.atol * FACTOR).max(LEAST_ATOL), ..options.clone() }
}

/// Whether there is a maximum among the events: then all cells are followed at these tolerances.
pub fn any_maximum(events: &[Event]) -> bool {
    events.iter().any(|e| e.happening == Happening::Maximum)
}

fn steepest(events: &[Event]) -> impl Iterator<Item = (usize, &Event)> {
    events.iter().enumerate().filter(|(_, e)| e.happening == Happening::SteepestRise)
}

/// The events, followed for every steepest rise by the event that it has slowed.
pub fn with_companions(events: &[Event]) -> Vec<Event> {
    let slowed = |e: &Event| Event { happening: Happening::RiseSlowed(SLOWED), ..*e };
    events.iter().copied().chain(steepest(events).map(|(_, e)| slowed(e))).collect()
}

/// The times without those of the companions, \[n, events\], and the cells in which a steepest rise has no sharp peak.
pub fn without_companions(events: &[Event], found: &[f64]) -> (Vec<f64>, Vec<usize>) {
    let rows = || found.chunks_exact((events.len() + steepest(events).count()).max(1));
    let flat = |row: &[f64]| {
        let (found, slowed) = row.split_at(events.len());
        // The time of a companion that was not found is NaN.
        let sharp = |(e, late): (usize, &f64)| found.get(e).is_none_or(|t| t.is_nan() || *late <= BY * t);
        !steepest(events).map(|(e, _)| e).zip(slowed).all(sharp)
    };
    let own = rows().flat_map(|row| row.iter().take(events.len()).copied()).collect();
    (own, rows().enumerate().filter(|(_, row)| flat(row)).map(|(i, _)| i).collect())
}

/// What is needed to follow some cells of a batch once more.
pub struct Entry {
    species: usize,
    temperature: Vec<f64>,
    pressure: Vec<f64>,
    /// \[n, species\], in the layout of the cells.
    y: Vec<f64>,
}

impl Entry {
    /// The entry states of cells in which a steepest rise is looked for.
    pub fn of(cells: &Cells<'_>, events: &[Event], species: usize) -> Option<Self> {
        steepest(events).next()?;
        let (temperature, pressure, y) = (cells.temperature.to_vec(), cells.pressure.to_vec(), cells.y.to_vec());
        Some(Self { species, temperature, pressure, y })
    }

    /// Some of the cells as they were, with what acts on them and their histories.
    pub fn again(&self, cells: &Cells<'_>, histories: Option<&[Arc<History>]>, which: &[usize]) -> Again {
        let mut own = OwnedCells::some(cells, self.species, which);
        [own.temperature, own.pressure] = [&self.temperature, &self.pressure].map(|x| rows(x, 1, which));
        own.y = rows_of_species(&self.y, self.temperature.len(), self.species, cells.layout, which);
        let histories = histories.map(|h| which.iter().map(|&cell| Arc::clone(&h[cell])).collect());
        Again { cells: own, histories }
    }
}

/// Cells that are followed once more.
pub struct Again {
    /// The cells.
    pub cells: OwnedCells,
    histories: Option<Vec<Arc<History>>>,
}

impl Again {
    /// As a batch, with its histories.
    pub fn lent(&mut self) -> (Cells<'_>, Option<&[Arc<History>]>) {
        (self.cells.lend(), self.histories.as_deref())
    }
}
