//! Cells with buffers of their own.

use crate::cells::{Cells, Factor, Layout, Source};
use kinlane_solve::Outcome;

/// Cells with buffers of their own, cell-major; fields as in [`Cells`].
#[derive(Debug, Clone, Default)]
pub struct OwnedCells {
    /// T \[n\] \[K\].
    pub temperature: Vec<f64>,
    /// p \[n\] \[Pa\].
    pub pressure: Vec<f64>,
    /// Y \[n, species\].
    pub y: Vec<f64>,
    /// Electron temperature \[n\] \[K\].
    pub electron_temperature: Option<Vec<f64>>,
    /// d(Y)/dt \[n, species\] \[1/s\] and heating \[n\] \[W/kg\].
    pub source: Option<(Vec<f64>, Vec<f64>)>,
    /// Intervals \[n\] \[s\].
    pub intervals: Option<Vec<f64>>,
    /// Factors on rate constants \[n\].
    pub factors: Option<Vec<Vec<Factor>>>,
    /// Rate constants \[n, reactions\].
    pub constants: Option<Vec<f64>>,
    /// One outcome per cell.
    pub outcome: Vec<Outcome>,
}

/// The rows of some cells in an array with `width` numbers for each, cell-major.
pub fn rows(x: &[f64], width: usize, which: &[usize]) -> Vec<f64> {
    which.iter().flat_map(|&cell| x[cell * width..(cell + 1) * width].iter().copied()).collect()
}

/// Writes rows back to where [`rows`] has read them.
pub fn put_rows(to: &mut [f64], from: &[f64], width: usize, which: &[usize]) {
    for (i, &cell) in which.iter().enumerate() {
        to[cell * width..(cell + 1) * width].copy_from_slice(&from[i * width..(i + 1) * width]);
    }
}

impl OwnedCells {
    /// Copies of some cells, with all that acts on them. Their outcomes are those of cells that nobody has advanced.
    pub fn some(cells: &Cells<'_>, species: usize, which: &[usize]) -> Self {
        let n = cells.temperature.len();
        let column = |x: &[f64]| rows(x, 1, which);
        let by_cell = |x: &[f64]| rows_of_species(x, n, species, cells.layout, which);
        Self {
            temperature: column(cells.temperature),
            pressure: column(cells.pressure),
            y: by_cell(cells.y),
            electron_temperature: cells.electron_temperature.map(column),
            source: cells.source.map(|s| (by_cell(s.dydt), column(s.heating))),
            intervals: cells.intervals.map(column),
            factors: cells.factors.map(|f| which.iter().map(|&cell| f[cell].clone()).collect()),
            constants: cells.constants.map(|k| rows(k, k.len() / n.max(1), which)),
            outcome: vec![Outcome::default(); which.len()],
        }
    }

    /// Lent for a call.
    pub fn lend(&mut self) -> Cells<'_> {
        let (t, p) = (&mut self.temperature, &mut self.pressure);
        let mut cells = Cells::new(t, p, &mut self.y, Layout::CellMajor, &mut self.outcome);
        cells.electron_temperature = self.electron_temperature.as_deref();
        cells.source = self.source.as_ref().map(|(dydt, heating)| Source { dydt, heating });
        cells.intervals = self.intervals.as_deref();
        cells.factors = self.factors.as_deref();
        cells.constants = self.constants.as_deref();
        cells
    }

    /// Writes states and outcomes back to the cells that [`OwnedCells::some`] has copied.
    pub fn put_back(&self, cells: &mut Cells<'_>, species: usize, which: &[usize]) {
        put_rows(cells.temperature, &self.temperature, 1, which);
        put_rows(cells.pressure, &self.pressure, 1, which);
        let [by_cell, by_species] = cells.layout.strides(cells.temperature.len(), species);
        for (row, &cell) in self.y.chunks_exact(species.max(1)).zip(which) {
            row.iter().enumerate().for_each(|(k, y)| cells.y[cell * by_cell + k * by_species] = *y);
        }
        which.iter().zip(&self.outcome).for_each(|(&cell, outcome)| cells.outcome[cell] = *outcome);
    }
}

/// Rows of some of `cells` cells, cell-major, from an array in any layout.
pub fn rows_of_species(x: &[f64], cells: usize, species: usize, layout: Layout, which: &[usize]) -> Vec<f64> {
    let [by_cell, by_species] = layout.strides(cells, species);
    which.iter().flat_map(|&cell| (0..species).map(move |k| x[cell * by_cell + k * by_species])).collect()
}
