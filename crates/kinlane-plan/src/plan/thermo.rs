//! Tables and arrays of standard-state thermodynamics.

use crate::machine::{Array, Indices, Reals};

/// Standard-state thermodynamics.
///
/// Gibbs energies are stored relative to reference potentials of the elements, λ₁/T + λ₂ per atom, which make
/// them small. The potentials cancel in every balanced reaction; small energies keep e^{±G} within range and
/// lose fewer digits.
#[derive(Debug, Clone, Default)]
pub struct Thermo {
    /// Seven-coefficient species, grouped by middle temperature.
    pub nasa7: Vec<Nasa7>,
    /// Nine-coefficient species (Shomate and constant cp among them), grouped by number of ranges.
    pub nasa9: Vec<Nasa9>,
    /// G = g/RT − ln(p⁰/RT), relative to the reference.
    pub gibbs: Array,
    /// e^{−G} \[mol/m³\].
    pub exp_minus: Array,
    /// e^{+G} \[m³/mol\].
    pub exp_plus: Array,
    /// h/RT, relative to the reference.
    pub enthalpy: Array,
    /// cp/R.
    pub cp: Array,
    /// d(cp/R)/dT [1/K].
    pub dcp: Array,
    /// λ₁ per species \[K\]: what must be added to T·`enthalpy` to get h/R.
    pub offset: Reals,
    /// Jumps of h/R.
    pub jumps: Jumps,
    /// Cold gas.
    pub cold: Cold,
    /// Above this temperature \[K\] every heat capacity keeps the value that it has there.
    pub hold: f64,
    /// Natural logarithm of `hold`.
    pub ln_hold: f64,
}

/// Cold gas, where reverse rates are lost, because |G| of a participant exceeds [`MOST_GIBBS`] or the forward rate constant has left
/// the range of a double.
#[derive(Debug, Clone, Default)]
pub struct Cold {
    /// The highest temperature \[K\] below which one is lost; zero if none is.
    pub below: f64,
    /// Three products of every such reaction, possibly the same.
    pub products: Indices,
    /// Below this temperature \[K\] its reverse rate is lost.
    pub lost: Reals,
}

/// Largest exponent of e^{±G}. Beyond it both are zero.
pub const MOST_GIBBS: f64 = 600.0;

/// Where the polynomials of one range of a species end and those of the next begin.
#[derive(Debug, Clone, Default)]
pub struct Jumps {
    /// Species.
    pub species: Indices,
    /// The next range applies above this temperature \[K\].
    pub above: Reals,
    /// Jump of h/R there \[K\].
    pub height: Reals,
}

/// Species with a common middle temperature and two ranges of seven coefficients.
#[derive(Debug, Clone, Default)]
pub struct Nasa7 {
    /// The middle temperature \[K\]; infinite for species with one range.
    pub t_mid: f64,
    /// Species.
    pub species: Indices,
    /// Seven coefficients per species, up to and including `t_mid`.
    pub low: Reals,
    /// Seven coefficients per species, above `t_mid`.
    pub high: Reals,
}

/// Species with `ranges` ranges of nine coefficients.
#[derive(Debug, Clone, Default)]
pub struct Nasa9 {
    /// Ranges per species.
    pub ranges: usize,
    /// Species.
    pub species: Indices,
    /// `ranges − 1` temperatures \[K\] per species; a range includes its lower temperature.
    pub breaks: Reals,
    /// `ranges × 9` coefficients per species.
    pub a: Reals,
}
