//! What a caller lends (cells to advance, points to evaluate, times and events to watch), checked before
//! anything is touched.

use crate::error::EngineError;
use kinlane_plan::Plan;
use kinlane_solve::watch::{Happening, Watch};
use kinlane_solve::{Outcome, SUM_TOLERANCE};
use std::ops::Range;

/// How `[n, species]` arrays of n cells lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// A cell's species are contiguous: `y[cell * species + k]`.
    #[default]
    CellMajor,
    /// A species' cells are contiguous: `y[k * cells + cell]`.
    SpeciesMajor,
}

impl Layout {
    /// How far apart the numbers of neighbouring cells lie, and those of neighbouring species, in an array
    /// `[cells, species]`.
    #[inline]
    pub fn strides(self, cells: usize, species: usize) -> [usize; 2] {
        match self {
            Self::CellMajor => [species, 1],
            Self::SpeciesMajor => [1, cells],
        }
    }
}

/// A constant source per cell over the interval, for operator-split hosts.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// d(Y)/dt \[n, species\] in the layout of the cells \[1/s\]. It must sum to zero over a cell's species:
    /// the sum times the interval may be [`SUM_TOLERANCE`] at most.
    pub dydt: &'a [f64],
    /// Heating \[n\]: rate of specific enthalpy (constant p) or specific internal energy (constant v) [W/kg].
    pub heating: &'a [f64],
}

/// A factor on the rate of progress of one reaction, in both directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factor {
    /// Index of the reaction in the network.
    pub reaction: usize,
    /// The factor on its rate constants.
    pub factor: f64,
}

/// A batch of n gas cells, in the caller's own buffers. All slices are checked before any cell is touched.
#[derive(Debug)]
#[non_exhaustive]
pub struct Cells<'a> {
    /// T \[n\] \[K\], advanced in place.
    pub temperature: &'a mut [f64],
    /// p \[n\] \[Pa\]; advanced in place at constant volume.
    pub pressure: &'a mut [f64],
    /// Y \[n, species\] mass fractions, advanced in place.
    pub y: &'a mut [f64],
    /// Order of `y` and of the source.
    pub layout: Layout,
    /// Electron temperature \[n\] \[K\] for two-temperature plasma rates; the gas temperature where absent.
    pub electron_temperature: Option<&'a [f64]>,
    /// Sources, if any.
    pub source: Option<Source<'a>>,
    /// The interval of each cell \[n\] \[s\], in the place of that of the call: local time steps.
    pub intervals: Option<&'a [f64]>,
    /// Factors on rate constants \[n\], if any, for a plan with
    /// [`Features::factors`](kinlane_plan::plan::Features::factors).
    pub factors: Option<&'a [Vec<Factor>]>,
    /// Rate constants \[n, reactions\], cell-major, for a plan in which they are given
    /// ([`Plan::given`](kinlane_plan::Plan::given)). T and p then mean nothing, and `y` is amounts times masses.
    pub constants: Option<&'a [f64]>,
    /// One outcome per cell; overwritten.
    pub outcome: &'a mut [Outcome],
}

impl<'a> Cells<'a> {
    /// Cells without sources, with electrons at the temperature of the gas, and one interval for all; for anything else set
    /// the fields.
    pub fn new(
        temperature: &'a mut [f64],
        pressure: &'a mut [f64],
        y: &'a mut [f64],
        layout: Layout,
        outcome: &'a mut [Outcome],
    ) -> Self {
        Self {
            temperature,
            pressure,
            y,
            layout,
            electron_temperature: None,
            source: None,
            intervals: None,
            factors: None,
            constants: None,
            outcome,
        }
    }

    /// Whether anything acts on the cells beside their state. What they keep from call to call says nothing of it.
    pub fn acted_on(&self) -> bool {
        self.source.is_some()
            || self.electron_temperature.is_some()
            || self.factors.is_some()
            || self.constants.is_some()
    }

    /// The interval of a cell \[s\] in a call of `dt` \[s\].
    pub fn interval(&self, cell: usize, dt: f64) -> f64 {
        self.intervals.map_or(dt, |all| all[cell])
    }

    /// The longest interval of a cell \[s\] in a call of `dt` \[s\].
    pub fn longest(&self, dt: f64) -> f64 {
        self.intervals.map_or(dt, |all| all.iter().copied().fold(0.0, f64::max))
    }

    /// Checks that all slices fit, that all values are finite and T, p, Te and intervals positive, and that sources over
    /// the interval (`dt` \[s\], where cells have none of their own) leave sums of mass fractions as they are.
    ///
    /// # Errors
    /// [`EngineError::Interval`], [`EngineError::Length`], [`EngineError::Value`]; [`EngineError::Unbalanced`] where
    /// the sources of a cell would change the sum of its mass fractions by more than [`SUM_TOLERANCE`];
    /// [`EngineError::NoFactors`], [`EngineError::Reaction`], [`EngineError::Factor`].
    pub fn check(&self, plan: &Plan, dt: f64) -> Result<(), EngineError> {
        if self.intervals.is_none() && !(dt.is_finite() && dt > 0.0) {
            return Err(EngineError::Interval { dt });
        }
        let (cells, species) = (self.temperature.len(), plan.species);
        let electron_temperature = self.electron_temperature;
        let points =
            Points { electron_temperature, ..Points::new(self.temperature, self.pressure, self.y, self.layout) };
        points.check_laid(species)?;
        length("outcome", self.outcome.len(), cells)?;
        if let Some(intervals) = self.intervals {
            length("intervals", intervals.len(), cells)?;
            check_column("dt", intervals, |x| x.is_finite() && x > 0.0)?;
        }
        check_constants(plan, cells, self.constants)?;
        if let Some(s) = self.source {
            length("source.dydt", s.dydt.len(), cells * species)?;
            length("source.heating", s.heating.len(), cells)?;
            check_fractions(species, s.dydt, self.layout, "source of Y")?;
            check_column("heating", s.heating, f64::is_finite)?;
            let [by_cell, by_species] = self.layout.strides(cells, species);
            for cell in 0..cells {
                let sum: f64 = (0..species).map(|k| s.dydt[cell * by_cell + k * by_species]).sum();
                let dt = self.interval(cell, dt);
                if !plan.given && (sum * dt).abs() > SUM_TOLERANCE {
                    return Err(EngineError::Unbalanced { cell, sum, dt });
                }
            }
        }
        let Some(factors) = self.factors else { return Ok(()) };
        if plan.kinetics.excess.len == 0 {
            return Err(EngineError::NoFactors);
        }
        length("factors", factors.len(), cells)?;
        let known = plan.kinetics.constant.len();
        for (cell, f) in factors.iter().enumerate().flat_map(|(i, list)| list.iter().map(move |f| (i, f))) {
            if f.reaction >= known {
                return Err(EngineError::Reaction { cell, wanted: f.reaction, reactions: known });
            }
            if !(f.factor.is_finite() && f.factor >= 0.0) {
                return Err(EngineError::Factor { cell, reaction: f.reaction, factor: f.factor });
            }
        }
        Ok(())
    }

    /// Splits the first `n` cells off, of cell-major cells with `species` species.
    ///
    /// # Panics
    /// If there are fewer cells.
    #[must_use]
    pub fn take_front(&mut self, n: usize, species: usize) -> Self {
        fn front<'a, T>(s: &mut &'a mut [T], n: usize) -> &'a mut [T] {
            let (first, rest) = std::mem::take(s).split_at_mut(n);
            *s = rest;
            first
        }
        fn shared<'a, T>(s: &mut Option<&'a [T]>, n: usize) -> Option<&'a [T]> {
            let (first, rest) = s.map(|s| s.split_at(n))?;
            *s = Some(rest);
            Some(first)
        }
        let each = self.constants.map_or(0, |k| k.len() / self.temperature.len().max(1));
        let source = self.source.map(|s| (s.dydt.split_at(n * species), s.heating.split_at(n)));
        self.source = source.map(|(y, h)| Source { dydt: y.1, heating: h.1 });
        Self {
            temperature: front(&mut self.temperature, n),
            pressure: front(&mut self.pressure, n),
            y: front(&mut self.y, n * species),
            layout: self.layout,
            electron_temperature: shared(&mut self.electron_temperature, n),
            source: source.map(|(y, h)| Source { dydt: y.0, heating: h.0 }),
            intervals: shared(&mut self.intervals, n),
            factors: shared(&mut self.factors, n),
            constants: shared(&mut self.constants, n * each),
            outcome: front(&mut self.outcome, n),
        }
    }

    /// The same cells, borrowed again.
    pub fn reborrow(&mut self) -> Cells<'_> {
        Cells {
            temperature: self.temperature,
            pressure: self.pressure,
            y: self.y,
            layout: self.layout,
            electron_temperature: self.electron_temperature,
            source: self.source,
            intervals: self.intervals,
            factors: self.factors,
            constants: self.constants,
            outcome: self.outcome,
        }
    }
}

/// States to evaluate rates at, borrowed from a caller.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Points<'a> {
    /// T \[K\].
    pub temperature: &'a [f64],
    /// p \[Pa\].
    pub pressure: &'a [f64],
    /// Mass fractions \[n, species\].
    pub y: &'a [f64],
    /// Order of `y`, and of production rates.
    pub layout: Layout,
    /// Te \[K\], where it does not follow T.
    pub electron_temperature: Option<&'a [f64]>,
    /// As [`Cells::constants`].
    pub constants: Option<&'a [f64]>,
}

impl<'a> Points<'a> {
    /// Points without electron temperatures.
    pub fn new(temperature: &'a [f64], pressure: &'a [f64], y: &'a [f64], layout: Layout) -> Self {
        Self { temperature, pressure, y, layout, electron_temperature: None, constants: None }
    }

    /// The points in the range `cells`, of cell-major states with `species` species.
    ///
    /// # Panics
    /// If there are fewer points.
    #[must_use]
    pub fn part(&self, cells: Range<usize>, species: usize) -> Self {
        Self {
            temperature: &self.temperature[cells.clone()],
            pressure: &self.pressure[cells.clone()],
            y: &self.y[cells.start * species..cells.end * species],
            layout: self.layout,
            electron_temperature: self.electron_temperature.map(|te| &te[cells.clone()]),
            constants: self.constants.map(|k| {
                let each = k.len() / self.temperature.len().max(1);
                &k[cells.start * each..cells.end * each]
            }),
        }
    }

    /// Checks that the slices fit one another and what is to be evaluated, that all values are finite, and
    /// that T, p and Te are positive.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn check(&self, plan: &Plan, wdot: &[f64], jac: Option<&[f64]>) -> Result<(), EngineError> {
        let (cells, species) = (self.temperature.len(), plan.species);
        check_constants(plan, cells, self.constants)?;
        self.check_laid(species)?;
        length("wdot", wdot.len(), cells * species)?;
        jac.map_or(Ok(()), |jac| length("jac", jac.len(), cells * (species + 1) * (species + 1)))
    }

    pub(crate) fn check_laid(&self, species: usize) -> Result<(), EngineError> {
        let cells = self.temperature.len();
        length("pressure", self.pressure.len(), cells)?;
        length("y", self.y.len(), cells * species)?;
        length("electron_temperature", self.electron_temperature.map_or(cells, <[f64]>::len), cells)?;
        let te = self.electron_temperature.unwrap_or(&[]);
        for (column, values) in [("T", self.temperature), ("P", self.pressure), ("Te", te)] {
            check_column(column, values, |x| x.is_finite() && x > 0.0)?;
        }
        check_fractions(species, self.y, self.layout, "Y")
    }
}

/// Transposes: `[rows, columns]` from `[columns, rows]`, both row by row.
pub fn turned(x: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    (0..rows).flat_map(|r| (0..columns).map(move |c| x[c * rows + r])).collect()
}

/// Checks that there are rate constants if the plan needs them, and that they are finite.
pub(crate) fn check_constants(plan: &Plan, cells: usize, constants: Option<&[f64]>) -> Result<(), EngineError> {
    let each = plan.given_constants();
    let constants = constants.unwrap_or(&[]);
    length("constants", constants.len(), cells * each)?;
    let Some(i) = constants.iter().position(|k| !k.is_finite()) else { return Ok(()) };
    Err(EngineError::Value { cell: i / each, column: format!("k[{}]", i % each), value: constants[i] })
}

/// Checks that all values of a column are `good`.
fn check_column(column: &str, values: &[f64], good: impl Fn(f64) -> bool) -> Result<(), EngineError> {
    match values.iter().position(|&x| !good(x)) {
        Some(cell) => Err(EngineError::Value { cell, column: column.to_owned(), value: values[cell] }),
        None => Ok(()),
    }
}

/// Checks that all values of an array with one per species are finite.
fn check_fractions(species: usize, values: &[f64], layout: Layout, what: &str) -> Result<(), EngineError> {
    let Some(i) = values.iter().position(|x| !x.is_finite()) else { return Ok(()) };
    let cells = values.len() / species;
    let [by_cell, by_species] = layout.strides(cells, species);
    let (cell, k) = (i / by_cell % cells, i / by_species % species);
    Err(EngineError::Value { cell, column: format!("{what}[{k}]"), value: values[i] })
}

/// Checks that a watch has room for what is recorded of `cells` cells with `species` species over `dt` \[s\],
/// and that its times and events make sense.
///
/// # Errors
/// [`EngineError::Interval`], [`EngineError::Length`], [`EngineError::Time`], [`EngineError::Species`],
/// [`EngineError::Level`].
pub fn check_watch(watch: &Watch<'_>, cells: usize, species: usize, dt: f64) -> Result<(), EngineError> {
    if cells > 0 && !(dt > 0.0 && dt.is_finite()) {
        return Err(EngineError::Interval { dt });
    }
    length("watch.series", watch.series.len(), cells * watch.times.len() * (species + 2))?;
    length("watch.found", watch.found.len(), cells * watch.events.len())?;
    let mut before = 0.0;
    for (index, &value) in watch.times.iter().enumerate() {
        // The last of evenly spaced times may be off the end by rounding; no cells have no end.
        if !(before <= value && (cells == 0 || value <= dt * (1.0 + 1e-12))) {
            return Err(EngineError::Time { index, value, before, dt });
        }
        before = value;
    }
    for (event, e) in watch.events.iter().enumerate() {
        if let Some(wanted) = e.quantity.species().filter(|&k| k >= species) {
            return Err(EngineError::Species { event, wanted, species });
        }
        match e.happening {
            Happening::Crossing(value) if !value.is_finite() => return Err(EngineError::Level { event, value }),
            Happening::Rise(value) if !(value.is_finite() && value > 0.0) => {
                return Err(EngineError::Level { event, value });
            }
            Happening::RiseSlowed(value) if !(value > 0.0 && value < 1.0) => {
                return Err(EngineError::Level { event, value });
            }
            _ => {}
        }
    }
    Ok(())
}

pub(crate) fn length(what: &'static str, got: usize, want: usize) -> Result<(), EngineError> {
    if got == want { Ok(()) } else { Err(EngineError::Length { what, got, want }) }
}
