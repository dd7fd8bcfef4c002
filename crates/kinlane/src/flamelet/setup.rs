//! What a flamelet is made with, and what can be wrong with that.

use crate::{BatchError, EquilibriumError};

/// A flamelet to be made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlameletSetup {
    /// Number of points between oxidizer and fuel.
    pub points: usize,
    /// Stoichiometric mixture fraction: half of the points lie below twice of it.
    pub stoichiometric: f64,
    /// Scalar dissipation rate there \[1/s\].
    pub chi: f64,
    /// Length of a step \[s\].
    pub step: f64,
}

/// The gas between oxidizer and fuel at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kindling {
    /// In equilibrium at the enthalpy of the mixture, where there is one between 50 and 20 000 K; else mixed.
    Burnt,
    /// Mixed, and not yet burnt.
    Mixed,
}

/// A step is this part of the time z_st²/χ_st in which the flame diffuses over its own width, if nothing else is wished.
const STEP: f64 = 0.05;

impl FlameletSetup {
    /// A setup with the usual length of a step.
    pub fn new(points: usize, stoichiometric: f64, chi: f64) -> Self {
        Self { points, stoichiometric, chi, step: STEP * stoichiometric * stoichiometric / chi }
    }

    pub(super) fn check(&self) -> Result<(), FlameletError> {
        let good = |x: f64, most: f64| x > 0.0 && x < most;
        for (what, value, most) in [
            ("stoichiometric mixture fraction", self.stoichiometric, 1.0),
            ("scalar dissipation rate", self.chi, f64::INFINITY),
            ("step", self.step, f64::INFINITY),
            ("number of points", self.points as f64, MOST_POINTS),
        ] {
            if !good(value, most) {
                return Err(FlameletError::Setup { what, value, most });
            }
        }
        Ok(())
    }
}

/// More points than any flame needs.
const MOST_POINTS: f64 = 1e7;

/// Why there is no flamelet.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlameletError {
    /// A number of the setup is out of its range.
    #[error("the {what} is {value}; it must be positive{}", if .most.is_finite() { format!(" and below {most}") } else { String::new() })]
    Setup {
        /// Which.
        what: &'static str,
        /// As given.
        value: f64,
        /// What it must be below.
        most: f64,
    },
    /// The solver is not for constant pressure and enthalpy.
    #[error("a flamelet needs a solver for constant pressure")]
    Reactor,
    /// The mixture at a point has no equilibrium to start from.
    #[error("at mixture fraction {z:.4}: {fault}")]
    Equilibrium {
        /// The mixture fraction.
        z: f64,
        /// Why not.
        fault: EquilibriumError,
    },
    /// The mixture at a point has no temperature of the mixed enthalpy.
    #[error(
        "at mixture fraction {z:.4} the mixture of oxidizer at {} K and fuel at {} K has their enthalpy at no temperature",
        sides[0], sides[1]
    )]
    Temperature {
        /// The mixture fraction.
        z: f64,
        /// Temperatures of oxidizer and fuel \[K\].
        sides: [f64; 2],
    },
    /// A state is no gas, or the solver cannot work.
    #[error(transparent)]
    Batch(#[from] BatchError),
}
