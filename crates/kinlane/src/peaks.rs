//! Times of peaks. The rate of a radical that is nearly in balance is a small difference of large rates, and a peak is
//! flat: a small error of a state shifts the time of a maximum by much more. In hydrogen at 2200 K and 0.1 atm the time at
//! which O is largest is off by 4e-3 at a relative tolerance of 1e-6, and by 1e-6 at 1e-9. So maxima are looked for at
//! smaller tolerances than those of the states, and so is a steepest rise that has no sharp peak.

use crate::{Cells, Layout};
use kinlane_lanes::{Event, Factor, Happening, History, Source};
use kinlane_solve::Options;
use kinlane_solve::options::LEAST_ATOL;
use std::sync::Arc;

/// Factor on the tolerances.
const FACTOR: f64 = 1e-3;
/// Smallest relative tolerance that this leads to.
const FINEST: f64 = 1e-12;
/// A rise has a sharp enough peak if it has slowed to this part of its maximum by three times its time.
const SLOWED: f64 = 0.5;
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

    /// Some of the cells, with what acts on them and their histories.
    pub fn again(&self, cells: &Cells<'_>, histories: Option<&[Arc<History>]>, which: &[usize]) -> Again {
        let [by_cell, by_species] = cells.layout.strides(self.temperature.len(), self.species);
        let rows = |values: &[f64]| {
            let at = |cell: usize, k: usize| values[cell * by_cell + k * by_species];
            which.iter().flat_map(|&cell| (0..self.species).map(move |k| at(cell, k))).collect::<Vec<f64>>()
        };
        let some = |values: &[f64]| which.iter().map(|&cell| values[cell]).collect::<Vec<f64>>();
        Again {
            temperature: some(&self.temperature),
            pressure: some(&self.pressure),
            y: rows(&self.y),
            electron: cells.electron_temperature.map(some),
            source: cells.source.map(|s| (rows(s.dydt), some(s.heating))),
            intervals: cells.intervals.map(some),
            factors: cells.factors.map(|f| which.iter().map(|&cell| f[cell].clone()).collect()),
            histories: histories.map(|h| which.iter().map(|&cell| Arc::clone(&h[cell])).collect()),
            outcome: vec![crate::Outcome::default(); which.len()],
        }
    }
}

/// Cells that are followed once more.
pub struct Again {
    temperature: Vec<f64>,
    pressure: Vec<f64>,
    y: Vec<f64>,
    electron: Option<Vec<f64>>,
    source: Option<(Vec<f64>, Vec<f64>)>,
    intervals: Option<Vec<f64>>,
    factors: Option<Vec<Vec<Factor>>>,
    histories: Option<Vec<Arc<History>>>,
    /// How they ended.
    pub outcome: Vec<crate::Outcome>,
}

impl Again {
    /// As a batch, with its histories.
    pub fn lent(&mut self) -> (Cells<'_>, Option<&[Arc<History>]>) {
        let Self { temperature, pressure, y, electron, source, intervals, factors, histories, outcome } = self;
        let mut cells = Cells::new(temperature, pressure, y, Layout::CellMajor, outcome);
        cells.electron_temperature = electron.as_deref();
        cells.source = source.as_ref().map(|(dydt, heating)| Source { dydt, heating });
        cells.intervals = intervals.as_deref();
        cells.factors = factors.as_deref();
        (cells, histories.as_deref())
    }
}
