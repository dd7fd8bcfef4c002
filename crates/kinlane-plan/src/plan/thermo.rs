//! Tables and arrays of standard-state thermodynamics.

use crate::machine::{Array, Indices, Reals};

/// Standard-state thermodynamics.
///
/// Gibbs energies are stored relative to reference potentials of the elements, λ₁/T + λ₂ per atom, that make them
/// small: they cancel in every balanced reaction, keep e^{±G} within range and spare digits.
#[derive(Debug, Clone, Default)]
pub struct Thermo {
    /// Seven-coefficient species, grouped by middle temperature.
    pub nasa7: Vec<Nasa7>,
    /// Nine-coefficient species (Shomate and constant cp among them), grouped by number of ranges.
    pub nasa9: Vec<Nasa9>,
    /// G = g/RT − ln(p⁰/RT) less the reference.
    pub gibbs: Array,
    /// e^{−G} [mol/m³].
    pub exp_minus: Array,
    /// e^{+G} [m³/mol].
    pub exp_plus: Array,
    /// h/RT less the reference.
    pub enthalpy: Array,
    /// cp/R.
    pub cp: Array,
    /// d(cp/R)/dT [1/K].
    pub dcp: Array,
    /// λ₁ per species [K]: what must be added to T·`enthalpy` to get h/R.
    pub offset: Reals,
    /// Where h/R jumps.
    pub jumps: Jumps,
    /// Above this temperature [K] every heat capacity keeps the value it has there.
    pub hold: f64,
    /// Its natural logarithm.
    pub ln_hold: f64,
}

/// Where the polynomials of one range of a species give way to those of the next.
#[derive(Debug, Clone, Default)]
pub struct Jumps {
    /// Species.
    pub species: Indices,
    /// The next range holds above this temperature [K].
    pub above: Reals,
    /// By how much h/R jumps there [K].
    pub height: Reals,
}

/// Species of one middle temperature, two ranges of seven coefficients.
#[derive(Debug, Clone, Default)]
pub struct Nasa7 {
    /// The middle temperature [K]; infinite for one range.
    pub t_mid: f64,
    /// Species.
    pub species: Indices,
    /// Seven coefficients per species, up to and with `t_mid`.
    pub low: Reals,
    /// Above it.
    pub high: Reals,
}

/// Species of `ranges` ranges of nine coefficients.
#[derive(Debug, Clone, Default)]
pub struct Nasa9 {
    /// Ranges per species.
    pub ranges: usize,
    /// Species.
    pub species: Indices,
    /// `ranges − 1` temperatures per species; a range starts at its own.
    pub breaks: Reals,
    /// `ranges × 9` coefficients per species.
    pub a: Reals,
}
