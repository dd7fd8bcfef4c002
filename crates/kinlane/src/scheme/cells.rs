//! Cells of a reaction scheme.

use super::Scheme;
use crate::error::BatchError;
use crate::states::{length, positive};
use crate::{Outcome, Status};
use kinlane_mech::scheme::{Field, is_never_negative};

/// The arrays of a batch of cells: each has one number per cell, or one row, in the order of the scheme's names.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// T \[n\] K, in a star GK.
    pub temperature: Vec<f64>,
    /// Density \[n\] g/cm³, in a star; else empty.
    pub density: Vec<f64>,
    /// Photolysis frequencies \[n, photolysis\] 1/s.
    pub photolysis: Vec<f64>,
    /// Further inputs \[n, inputs\].
    pub inputs: Vec<f64>,
    /// Amounts of the fixed species \[n, fixed\].
    pub fixed: Vec<f64>,
    /// Amounts of the species that evolve \[n, species\].
    pub amounts: Vec<f64>,
}

/// A batch of cells of a [`Scheme`] that owns its arrays.
#[derive(Debug, Clone)]
pub struct SchemeStates {
    pub(crate) at: Conditions,
    pub(crate) outcome: Vec<Outcome>,
    /// d(amount)/dt from outside \[n, species\].
    pub(crate) source: Option<Vec<f64>>,
    /// Each cell's own interval \[s\].
    pub(crate) intervals: Option<Vec<f64>>,
    species: usize,
}

/// What messages call photolysis frequencies.
const FREQUENCIES: &str = "photolysis frequencies";

/// The name of a column in messages. Photolysis frequencies are often numbered.
fn named(what: &str, name: &str) -> String {
    if what == FREQUENCIES { format!("J.{name}") } else { name.to_owned() }
}

impl SchemeStates {
    /// Takes ownership of arrays and checks every value.
    ///
    /// # Errors
    /// [`BatchError::Length`] or [`BatchError::Value`], naming the cell and the column.
    pub fn new(scheme: &Scheme, at: Conditions) -> Result<Self, BatchError> {
        let (n, star) = (at.temperature.len(), scheme.field() == Field::Star);
        let species = scheme.species_count();
        let tables: [(&str, &[f64], &[String]); 4] = [
            (FREQUENCIES, &at.photolysis, scheme.photolysis_names()),
            ("inputs", &at.inputs, scheme.input_names()),
            ("fixed species", &at.fixed, scheme.fixed_names()),
            ("amounts", &at.amounts, scheme.species_names()),
        ];
        for (what, values, names) in tables {
            length(what, values.len(), n * names.len())?;
            if let Some(i) = values.iter().position(|v| !v.is_finite()) {
                let (cell, column) = (i / names.len(), named(what, &names[i % names.len()]));
                return Err(BatchError::Value { cell, column, value: values[i], fault: "is not a finite number" });
            }
        }
        length("densities", at.density.len(), if star { n } else { 0 })?;
        positive(if star { "T9" } else { "T" }, &at.temperature)?;
        positive("rho", &at.density)?;
        let never = [
            ("fixed species", &at.fixed, scheme.fixed_names(), "is negative, and fixed"),
            (FREQUENCIES, &at.photolysis, scheme.photolysis_names(), "is negative, and a photolysis frequency"),
        ];
        for (what, values, names, fault) in never {
            if let Some(i) = values.iter().position(|v| *v < 0.0) {
                let (cell, column, value) = (i / names.len(), named(what, &names[i % names.len()]), values[i]);
                return Err(BatchError::Value { cell, column, value, fault });
            }
        }
        for (i, value) in at.inputs.iter().enumerate().filter(|(_, value)| **value < 0.0) {
            let (cell, name) = (i / scheme.input_names().len(), &scheme.input_names()[i % scheme.input_names().len()]);
            if is_never_negative(name) {
                let (column, fault) = (name.clone(), "is negative, which it cannot be");
                return Err(BatchError::Value { cell, column, value: *value, fault });
            }
        }
        not_negative(&at, scheme)?;
        Ok(Self { outcome: vec![Outcome::default(); n], at, source: None, intervals: None, species })
    }

    /// Refuses cells that were made for another scheme.
    pub(crate) fn fits(&self, scheme: &Scheme) -> Result<(), BatchError> {
        let (n, model, at) = (self.len(), &scheme.model, &self.at);
        length("amounts", at.amounts.len(), n * model.species.len())?;
        length("fixed species", at.fixed.len(), n * model.fixed.len())?;
        length(FREQUENCIES, at.photolysis.len(), n * model.photolysis.len())?;
        length("inputs", at.inputs.len(), n * model.inputs.len())?;
        length("densities", at.density.len(), if model.field == Field::Star { n } else { 0 })
    }

    /// Whether there is anything in any cell.
    pub(crate) fn has_amounts(&self) -> bool {
        self.at.amounts.iter().any(|x| *x != 0.0)
    }

    /// Refuses a batch in which no answer could be told from zero: the absolute tolerance, which nobody has chosen, is then one for
    /// another unit.
    pub(crate) fn refuse_coarse(&self, scheme: &Scheme) -> Result<(), BatchError> {
        let (weights, atol) = (scheme.weights(), scheme.usual_atol());
        let sum = |of_one: &[f64]| of_one.iter().zip(weights).map(|(x, w)| (x * w).abs()).sum::<f64>();
        let sums = self.at.amounts.chunks(weights.len().max(1)).map(sum).enumerate();
        match sums.max_by(|a, b| a.1.total_cmp(&b.1)) {
            Some((cell, all)) if 0.0 < all && all < atol => Err(BatchError::Coarse { cell, all, atol }),
            _ => Ok(()),
        }
    }

    /// Gives each cell an interval of its own \[n\] s; that of the call is then ignored.
    ///
    /// # Errors
    /// [`BatchError::Length`] or [`BatchError::Value`].
    pub fn with_intervals(mut self, intervals: Vec<f64>) -> Result<Self, BatchError> {
        length("dt", intervals.len(), self.len())?;
        positive("dt", &intervals)?;
        self.intervals = Some(intervals);
        Ok(self)
    }

    /// The interval of each cell \[n\] s, if cells have intervals of their own.
    pub fn intervals(&self) -> Option<&[f64]> {
        self.intervals.as_deref()
    }

    /// Adds a source that is constant over an interval, such as emissions: d(amount)/dt \[n, species\], per second.
    ///
    /// # Errors
    /// [`BatchError::Length`] or [`BatchError::Value`].
    pub fn with_source(mut self, rates: Vec<f64>) -> Result<Self, BatchError> {
        length("sources", rates.len(), self.at.amounts.len())?;
        if let Some(i) = rates.iter().position(|v| !v.is_finite()) {
            let (cell, column) = (i / self.species, format!("source {}", i % self.species));
            return Err(BatchError::Value { cell, column, value: rates[i], fault: "is not a finite number" });
        }
        self.source = Some(rates);
        Ok(self)
    }

    /// The source \[n, species\], if there is one.
    pub fn source(&self) -> Option<&[f64]> {
        self.source.as_deref()
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.at.temperature.len()
    }

    /// Whether there is no cell at all.
    pub fn is_empty(&self) -> bool {
        self.at.temperature.is_empty()
    }

    /// All arrays.
    pub fn conditions(&self) -> &Conditions {
        &self.at
    }

    /// The arrays, for cells whose surroundings change: change them, and make cells of them again. Nothing is copied.
    pub fn into_conditions(self) -> Conditions {
        self.at
    }

    /// Amounts of the species that evolve \[n, species\].
    pub fn amounts(&self) -> &[f64] {
        &self.at.amounts
    }

    /// The same of one cell; empty if there is no such cell.
    pub fn amounts_of(&self, cell: usize) -> &[f64] {
        cell.checked_mul(self.species).and_then(|at| self.at.amounts.get(at..at + self.species)).unwrap_or(&[])
    }

    /// How each cell ended in the last call.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcome
    }

    /// The cells that did not reach the end in the last call, with their index.
    pub fn failures(&self) -> impl Iterator<Item = (usize, &Outcome)> {
        self.outcome.iter().enumerate().filter(|(_, o)| o.status != Status::Done)
    }
}

/// An amount may be below zero by this part of what evolves in its cell, plus [`OF_AIR`] of what is held there (the air), which
/// is far more: transport schemes undershoot.
const UNDERSHOOT: f64 = 1e-3;
/// See [`UNDERSHOOT`].
const OF_AIR: f64 = 1e-9;

/// Refuses amounts below zero that neither noise nor reactions have made.
fn not_negative(at: &Conditions, scheme: &Scheme) -> Result<(), BatchError> {
    let [species, fixed] = [scheme.species_names(), scheme.fixed_names()];
    let drained = scheme.plan.tables.get(scheme.plan.drained);
    let allowed = |k: usize| drained.get(k).is_some_and(|yes| *yes != 0.0);
    let mut held = at.fixed.chunks(fixed.len().max(1));
    for (cell, row) in at.amounts.chunks(species.len().max(1)).enumerate() {
        let sum = |amounts: &[f64]| amounts.iter().map(|v| v.max(0.0)).sum::<f64>();
        let all = sum(row) + OF_AIR * sum(held.next().unwrap_or(&[]));
        if let Some(k) = (0..row.len()).find(|&k| row[k] < -UNDERSHOOT * all && !allowed(k)) {
            let fault = "is negative, by more than a thousandth of all; set it to zero";
            return Err(BatchError::Value { cell, column: species[k].clone(), value: row[k], fault });
        }
    }
    Ok(())
}
