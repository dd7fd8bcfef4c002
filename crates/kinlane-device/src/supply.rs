//! The batch as a supply: whoever has time takes the next cells.

use kinlane_lanes::{Cells, Layout, Source};
use std::sync::Mutex;

/// Cells that nobody has taken yet, cell-major.
pub struct Supply<'a> {
    rest: Mutex<Cells<'a>>,
    species: usize,
}

/// Cuts `n` elements off a slice.
fn front<'a, T>(s: &mut &'a mut [T], n: usize) -> &'a mut [T] {
    let (a, b) = std::mem::take(s).split_at_mut(n);
    *s = b;
    a
}

impl<'a> Supply<'a> {
    /// All cells.
    pub fn new(cells: Cells<'a>, species: usize) -> Self {
        debug_assert_eq!(cells.layout, Layout::CellMajor);
        Self { rest: Mutex::new(cells), species }
    }

    /// The next cells, `wish(left)` of them, or as many as there are left; `None` at the end.
    pub fn take(&self, wish: impl FnOnce(usize) -> usize) -> Option<Cells<'a>> {
        // A panic elsewhere leaves the slices whole: they are cut in one go.
        let mut rest = self.rest.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let left = rest.temperature.len();
        let n = wish(left).clamp(1, left.max(1)).min(left);
        if n == 0 {
            return None;
        }
        let k = self.species;
        let electron_temperature = rest.electron_temperature.map(|e| e.split_at(n));
        rest.electron_temperature = electron_temperature.map(|e| e.1);
        let source = rest.source.map(|s| (s.dydt.split_at(n * k), s.heating.split_at(n)));
        rest.source = source.map(|(y, h)| Source { dydt: y.1, heating: h.1 });
        Some(Cells {
            temperature: front(&mut rest.temperature, n),
            pressure: front(&mut rest.pressure, n),
            y: front(&mut rest.y, n * k),
            layout: Layout::CellMajor,
            electron_temperature: electron_temperature.map(|e| e.0),
            source: source.map(|(y, h)| Source { dydt: y.0, heating: h.0 }),
            factors: None,
            outcome: front(&mut rest.outcome, n),
        })
    }
}
