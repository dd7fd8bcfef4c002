//! A batch of gas cells that owns its arrays.

use crate::error::BatchError;
use crate::{Cells, Factor, Layout, Mechanism, Outcome, Points, SUM_TOLERANCE, TEMPERATURES};
use kinlane_lanes::OwnedCells;

/// Owned gas cells: T \[n\] K, P \[n\] Pa and mass fractions Y \[n, species\] in the mechanism's order.
///
/// Hosts that have arrays of their own do not need this: they lend them through [`Cells`].
#[derive(Debug, Clone)]
pub struct States {
    cells: OwnedCells,
    species: usize,
}

impl States {
    /// Takes ownership of arrays and checks every value; mass fractions are ordered as `y[cell * species +
    /// k]`. Sums within [`SUM_TOLERANCE`] of one are renormalised.
    ///
    /// # Errors
    /// [`BatchError::Length`], [`BatchError::Value`] or [`BatchError::Sum`], naming the cell and the column.
    pub fn new(
        mechanism: &Mechanism,
        temperature: Vec<f64>,
        pressure: Vec<f64>,
        y: Vec<f64>,
    ) -> Result<Self, BatchError> {
        Self::checked(mechanism, temperature, pressure, y, normalise)
    }

    /// The same with mass fractions as they are, for states that a transport scheme has left: whatever their sum, and below
    /// zero too.
    ///
    /// # Errors
    /// [`BatchError::Length`] or [`BatchError::Value`].
    pub fn as_given(
        mechanism: &Mechanism,
        temperature: Vec<f64>,
        pressure: Vec<f64>,
        y: Vec<f64>,
    ) -> Result<Self, BatchError> {
        Self::checked(mechanism, temperature, pressure, y, |cell, row, mechanism| finite(cell, row, mechanism))
    }

    fn checked(
        mechanism: &Mechanism,
        temperature: Vec<f64>,
        pressure: Vec<f64>,
        mut y: Vec<f64>,
        check: impl Fn(usize, &mut [f64], &Mechanism) -> Result<(), BatchError>,
    ) -> Result<Self, BatchError> {
        let (n, species) = (temperature.len(), mechanism.species_count());
        length("P", pressure.len(), n)?;
        length("Y", y.len(), n * species)?;
        positive("T", &temperature)?;
        positive("P", &pressure)?;
        for (cell, row) in y.chunks_exact_mut(species.max(1)).enumerate() {
            check(cell, row, mechanism)?;
        }
        let outcome = vec![Outcome::default(); n];
        Ok(Self { cells: OwnedCells { temperature, pressure, y, outcome, ..OwnedCells::default() }, species })
    }

    /// `n` equal cells; the species not named are absent, and the fractions are scaled to sum to one.
    ///
    /// # Errors
    /// As [`Mechanism::mass_fractions_of_moles`], or as [`States::new`].
    pub fn uniform(
        mechanism: &Mechanism,
        n: usize,
        temperature: f64,
        pressure: f64,
        mass_fractions: &[(&str, f64)],
    ) -> Result<Self, BatchError> {
        let row = mechanism.fractions(mass_fractions, |_| 1.0)?;
        Self::new(mechanism, vec![temperature; n], vec![pressure; n], row.repeat(n))
    }

    /// Adds electron temperatures \[n\] K, for two-temperature plasma rates.
    ///
    /// # Errors
    /// [`BatchError::Length`] or [`BatchError::Value`].
    pub fn with_electron_temperature(mut self, te: Vec<f64>) -> Result<Self, BatchError> {
        length("Te", te.len(), self.len())?;
        positive("Te", &te)?;
        self.cells.electron_temperature = Some(te);
        Ok(self)
    }

    /// Adds a source that is constant over an interval: dY/dt \[n, species\] 1/s and heating \[n\] W/kg.
    ///
    /// # Errors
    /// [`BatchError::Length`] or [`BatchError::Value`].
    pub fn with_source(mut self, dydt: Vec<f64>, heating: Vec<f64>) -> Result<Self, BatchError> {
        length("dYdt", dydt.len(), self.cells.y.len())?;
        length("heating", heating.len(), self.len())?;
        for (column, values, width) in [("dYdt", &dydt, self.species), ("heating", &heating, 1)] {
            if let Some(i) = values.iter().position(|v| !v.is_finite()) {
                let (cell, value) = (i / width, values[i]);
                return Err(BatchError::Value { cell, column: column.into(), value, fault: "is not a finite number" });
            }
        }
        self.cells.source = Some((dydt, heating));
        Ok(self)
    }

    /// Gives every cell an interval of its own \[n\] s, in the place of that of a call: local time steps.
    ///
    /// # Errors
    /// [`BatchError::Length`] or [`BatchError::Value`].
    pub fn with_intervals(mut self, intervals: Vec<f64>) -> Result<Self, BatchError> {
        length("dt", intervals.len(), self.len())?;
        positive("dt", &intervals)?;
        self.cells.intervals = Some(intervals);
        Ok(self)
    }

    /// Adds factors on rates of progress, one list per cell; for solvers of a [`Mechanism::perturbable`].
    ///
    /// # Errors
    /// [`BatchError::Length`]. The contents of the lists are checked when the cells are advanced.
    pub fn with_factors(mut self, factors: Vec<Vec<Factor>>) -> Result<Self, BatchError> {
        length("factors", factors.len(), self.len())?;
        self.cells.factors = Some(factors);
        Ok(self)
    }

    /// The factors of a cell.
    pub(crate) fn factors(&self, cell: usize) -> &[Factor] {
        self.cells.factors.as_ref().and_then(|f| f.get(cell)).map_or(&[], Vec::as_slice)
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.temperature.len()
    }

    /// Whether there is no cell at all.
    pub fn is_empty(&self) -> bool {
        self.cells.temperature.is_empty()
    }

    /// Number of species per cell.
    pub fn species_count(&self) -> usize {
        self.species
    }

    /// T \[n\] K.
    pub fn temperature(&self) -> &[f64] {
        &self.cells.temperature
    }

    /// P \[n\] Pa.
    pub fn pressure(&self) -> &[f64] {
        &self.cells.pressure
    }

    /// Y \[n, species\]; the species of a cell are contiguous.
    pub fn y(&self) -> &[f64] {
        &self.cells.y
    }

    /// Mass fractions of one cell; empty if there is no such cell.
    pub fn y_of(&self, cell: usize) -> &[f64] {
        cell.checked_mul(self.species).and_then(|at| self.cells.y.get(at..at + self.species)).unwrap_or(&[])
    }

    /// Electron temperatures \[n\] K, if given.
    pub fn electron_temperature(&self) -> Option<&[f64]> {
        self.cells.electron_temperature.as_deref()
    }

    /// dY/dt \[n, species\] 1/s and heating \[n\] W/kg, if given.
    pub fn source(&self) -> Option<(&[f64], &[f64])> {
        self.cells.source.as_ref().map(|(d, h)| (&**d, &**h))
    }

    /// The interval of each cell \[n\] s, if cells have intervals of their own.
    pub fn intervals(&self) -> Option<&[f64]> {
        self.cells.intervals.as_deref()
    }

    /// How each cell ended in the last call.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.cells.outcome
    }

    /// The cells that did not reach the end in the last call, with their index.
    pub fn failures(&self) -> impl Iterator<Item = (usize, &Outcome)> {
        self.cells.outcome.iter().enumerate().filter(|(_, o)| o.status != crate::Status::Done)
    }

    /// The states as [`Advance::rates`](crate::Advance::rates) takes them.
    pub fn points(&self) -> Points<'_> {
        let mut points = Points::new(&self.cells.temperature, &self.cells.pressure, &self.cells.y, Layout::CellMajor);
        points.electron_temperature = self.electron_temperature();
        points
    }

    /// The batch in the form that the engine takes.
    pub fn cells_mut(&mut self) -> Cells<'_> {
        self.cells.lend()
    }
}

pub(crate) fn length(what: &str, got: usize, want: usize) -> Result<(), BatchError> {
    if got == want { Ok(()) } else { Err(BatchError::Length { what: what.to_owned(), got, want }) }
}

pub(crate) fn positive(column: &str, values: &[f64]) -> Result<(), BatchError> {
    match values.iter().position(|v| !(v.is_finite() && *v > 0.0)) {
        None => Ok(()),
        Some(cell) => Err(BatchError::Value {
            cell,
            column: column.to_owned(),
            value: values[cell],
            fault: "is not a positive finite number",
        }),
    }
}

/// Checks temperatures \[K\] of gases that flow in: an error of the whole, where a cell would just fail.
pub(crate) fn lawful(temperatures: &[f64]) -> Result<(), BatchError> {
    match temperatures.iter().position(|t| !TEMPERATURES.contains(t)) {
        None => Ok(()),
        Some(cell) => Err(BatchError::Value {
            cell,
            column: "T".to_owned(),
            value: temperatures[cell],
            fault: "is outside of 10 to 50000 K, where the laws hold",
        }),
    }
}

/// Checks that one row has numbers.
fn finite(cell: usize, row: &[f64], mechanism: &Mechanism) -> Result<(), BatchError> {
    match row.iter().position(|v| !v.is_finite()) {
        Some(k) => Err(wrong(cell, k, row[k], mechanism, "is not a finite number")),
        None => Ok(()),
    }
}

fn wrong(cell: usize, k: usize, value: f64, mechanism: &Mechanism, fault: &'static str) -> BatchError {
    BatchError::Value { cell, column: format!("Y of {}", mechanism.species_names()[k]), value, fault }
}

/// Checks one row and scales it to a sum of one. A row whose sum is one to rounding is left as it is, so that
/// the output of one run, read again, starts the next run with the same bits.
fn normalise(cell: usize, row: &mut [f64], mechanism: &Mechanism) -> Result<(), BatchError> {
    finite(cell, row, mechanism)?;
    // Transport schemes leave tiny negative values; these are accepted up to the tolerance on sums.
    if let Some(k) = row.iter().position(|v| *v < -SUM_TOLERANCE) {
        return Err(wrong(cell, k, row[k], mechanism, "is negative; set it to zero and scale the others"));
    }
    let sum: f64 = row.iter().sum();
    let off = (sum - 1.0).abs();
    if off > SUM_TOLERANCE {
        return Err(BatchError::Sum { cell, sum });
    }
    if off > 1e-13 {
        row.iter_mut().for_each(|v| *v /= sum);
    }
    Ok(())
}
