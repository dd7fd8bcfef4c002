//! The batch as a supply: whoever is free takes the next cells.

use kinlane_lanes::{Cells, Layout};
use kinlane_solve::watch::Answers;
use std::sync::Mutex;

/// Cells, cell-major, with room for what is recorded of them: see [`Watch`](kinlane_lanes::Watch).
pub struct Part<'a> {
    pub cells: Cells<'a>,
    pub series: &'a mut [f64],
    pub found: &'a mut [f64],
    /// What cells keep from call to call, if they do: see [`kinlane_solve::record`].
    pub records: &'a mut [f64],
}

impl<'a> Part<'a> {
    /// Cells that are not watched, and keep nothing.
    pub fn new(cells: Cells<'a>) -> Self {
        Self { cells, series: &mut [], found: &mut [], records: &mut [] }
    }

    /// Where the results of recording a cell go.
    pub fn answers(&mut self, cell: usize) -> Answers<'_> {
        let (points, events) = (self.series.len() / self.len(), self.found.len() / self.len());
        Answers {
            series: &mut self.series[cell * points..(cell + 1) * points],
            found: &mut self.found[cell * events..(cell + 1) * events],
        }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.temperature.len()
    }
}

/// Cells that nobody has taken yet.
pub struct Supply<'a> {
    rest: Mutex<Part<'a>>,
    species: usize,
}

/// Splits `n` elements off the front of a slice.
fn front<'a, T>(s: &mut &'a mut [T], n: usize) -> &'a mut [T] {
    let (a, b) = std::mem::take(s).split_at_mut(n);
    *s = b;
    a
}

impl<'a> Supply<'a> {
    /// A supply of all cells.
    pub fn new(all: Part<'a>, species: usize) -> Self {
        debug_assert_eq!(all.cells.layout, Layout::CellMajor);
        Self { rest: Mutex::new(all), species }
    }

    /// The next cells: `wish(left)` of them, or as many as remain; `None` at the end, and where none are wished.
    pub fn take(&self, wish: impl FnOnce(usize) -> usize) -> Option<Part<'a>> {
        // A panic elsewhere leaves the slices intact, since they are split in one go.
        let mut rest = self.rest.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let left = rest.len();
        let n = wish(left).min(left);
        if n == 0 {
            return None;
        }
        let (k, points, events) = (self.species, rest.series.len() / left, rest.found.len() / left);
        let (series, found) = (front(&mut rest.series, n * points), front(&mut rest.found, n * events));
        let width = rest.records.len() / left;
        let records = front(&mut rest.records, n * width);
        let cells = rest.cells.take_front(n, k);
        Some(Part { cells, series, found, records })
    }
}
