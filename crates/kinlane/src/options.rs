//! What a caller chooses for an integration.

use crate::Reactor;
use crate::place::Place;
use kinlane_solve::OptionError;
use kinlane_solve::options::{LEAST_ATOL, LEAST_RTOL, Options as EngineOptions};

/// The absolute tolerance where nobody has chosen one, on mass fractions.
pub const USUAL_ATOL: f64 = 1e-12;

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
        Self { method: None, rtol, atol: None, reactor, first_step: None, max_steps }
    }
}

impl Options {
    /// As an engine takes them, with the absolute tolerance that is usual.
    pub(crate) fn engine(&self, usual: f64, place: &Place) -> EngineOptions {
        let Self { method, rtol, atol, reactor, first_step, max_steps } = self.clone();
        let (atol, lanes) = (atol.unwrap_or(usual), place.lanes.clone());
        EngineOptions { method, rtol, atol, reactor, first_step, max_steps, lanes, watched: false }
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
