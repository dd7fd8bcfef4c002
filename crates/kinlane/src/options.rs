//! What a caller chooses for an integration.

use crate::Reactor;
use crate::error::{BatchError, PlanError};
use crate::place::Place;
use crate::tolerances::Tolerances;
use kinlane_plan::Plan;
use kinlane_solve::OptionError;
use kinlane_solve::options::{LEAST_ATOL, LEAST_RTOL, Options as EngineOptions};
use std::sync::Arc;

/// The absolute tolerance where nobody has chosen one, on mass fractions.
pub const USUAL_ATOL: f64 = 1e-12;

/// The name of the option for tolerances of single species.
const OWN: &str = "atol-of";
/// Their largest value: a species with such a tolerance is not looked at.
const MOST_ATOL: f64 = 1e100;

/// Options of an integration. `Options::default()` suits most cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Name of the method, as [`methods`](crate::methods()) lists it; `None` lets each cell have one that suits it (`auto`).
    pub method: Option<String>,
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance, on mass fractions; in an atmosphere, on what amounts are counted in. `None` is one that is usual:
    /// [`USUAL_ATOL`], or that of [`Scheme::usual_atol`](crate::Scheme::usual_atol).
    pub atol: Option<f64>,
    /// Absolute tolerances of single species, in the place of `atol`.
    pub atol_of: Tolerances,
    /// The kind of reactor. It means nothing to a [`SchemeSolver`](crate::SchemeSolver).
    pub reactor: Reactor,
    /// First step \[s\]; if `None`, each cell chooses its own.
    pub first_step: Option<f64>,
    /// Number of attempted steps after which a cell is given up.
    pub max_steps: u32,
}

impl Default for Options {
    fn default() -> Self {
        let EngineOptions { rtol, reactor, max_steps, .. } = EngineOptions::default();
        Self { method: None, rtol, atol: None, atol_of: Tolerances::default(), reactor, first_step: None, max_steps }
    }
}

impl Options {
    /// As an engine takes them, with the absolute tolerance that is usual.
    pub(crate) fn engine(&self, usual: f64, place: &Place) -> EngineOptions {
        let Self { method, rtol, atol, reactor, first_step, max_steps, atol_of: _ } = self.clone();
        let (atol, lanes) = (atol.unwrap_or(usual), place.lanes.clone());
        EngineOptions { method, rtol, atol, reactor, first_step, max_steps, lanes, watched: false }
    }

    /// The plan of these species for these options: that plan, or one in which some species have tolerances of their own.
    ///
    /// # Errors
    /// As [`Options::factors`].
    pub(crate) fn planned(
        &self,
        plan: &Arc<Plan>,
        usual: f64,
        require: impl Fn(&str) -> Result<usize, BatchError>,
    ) -> Result<Arc<Plan>, PlanError> {
        if self.atol_of.is_empty() {
            return Ok(Arc::clone(plan));
        }
        let factors = self.factors(usual, plan.species, require)?;
        Ok(Arc::new(plan.with_tolerances(&factors)))
    }

    /// The factor on the absolute tolerance of each species.
    ///
    /// # Errors
    /// [`PlanError::Species`], [`PlanError::Option`].
    pub(crate) fn factors(
        &self,
        usual: f64,
        species: usize,
        require: impl Fn(&str) -> Result<usize, BatchError>,
    ) -> Result<Vec<f64>, PlanError> {
        let all = self.atol.unwrap_or(usual);
        let mut factors = vec![1.0; species];
        for (name, own) in self.atol_of.iter() {
            let k = require(name).map_err(|e| PlanError::Species { option: OWN, cause: Box::new(e) })?;
            if !(LEAST_ATOL..=MOST_ATOL).contains(&own) {
                return Err(OptionError { option: OWN, value: own, must: "between 1e-100 and 1e100" }.into());
            }
            factors[k] = own / all;
        }
        Ok(factors)
    }

    /// The same for a cell on the scalar machine, whose steps get a part of the tolerances.
    ///
    /// # Errors
    /// An option that cannot be used.
    pub(crate) fn in_part(&self, usual: f64, part: f64) -> Result<EngineOptions, OptionError> {
        let options = self.engine(usual, &Place::default());
        options.check()?;
        let (rtol, atol) = ((options.rtol * part).max(LEAST_RTOL), (options.atol * part).max(LEAST_ATOL));
        Ok(EngineOptions { rtol, atol, ..options })
    }
}
