//! Tables of rate constants that depend on more than temperature, or on it in other ways than Arrhenius'.

use crate::machine::{Array, Indices, Reals};

/// Broadening of a falloff class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum Broadening {
    /// F = 1.
    #[default]
    Lindemann,
    /// Troe's, three parameters.
    Troe3,
    /// Four parameters.
    Troe4,
    /// SRI.
    Sri,
    /// Tsang's, and Troe's of a constant Fcent.
    Tsang,
}

/// Falloff laws of one shape.
#[derive(Debug, Clone, Default)]
pub struct FalloffClass {
    /// Shape of F.
    pub broadening: Broadening,
    /// Chemically activated.
    pub activated: bool,
    /// Laws.
    pub count: usize,
    /// Their places in `k`, from here on.
    pub k: usize,
    /// Their places in `k_aux`.
    pub aux: usize,
    /// Collider sum of each.
    pub m: Indices,
    /// Per law: ln k∞, b∞, e∞, ln κ, bκ, eκ (κ = k0/k∞), then five broadening parameters.
    pub params: Reals,
}

impl FalloffClass {
    /// Where among a law's parameters those of k∞ begin.
    pub const HIGH: usize = 0;
    /// Those of κ.
    pub const KAPPA: usize = 3;
    /// Those of the broadening.
    pub const BROADENING: usize = 6;
    /// Parameters of a law.
    pub const PARAMS: usize = 11;
}

/// ln k = a(p) + b(p) ln T − e(p)/T with coefficients linear in ln p between the given pressures.
#[derive(Debug, Clone, Default)]
pub struct PlogLaw {
    /// Place in `k`.
    pub k: usize,
    /// Place in `k_aux`.
    pub aux: usize,
    /// Intervals.
    pub intervals: usize,
    /// ln p of the start of each interval, its width, and slopes of a, b, e: five per interval.
    pub steps: Reals,
    /// a, b, e at the lowest pressure.
    pub first: [f64; 3],
}

/// As [`PlogLaw`], with several terms at a pressure.
#[derive(Debug, Clone, Default)]
pub struct PlogSumLaw {
    /// Place in `k`.
    pub k: usize,
    /// Place in `k_aux`.
    pub aux: usize,
    /// ln p of every pressure.
    pub ln_p: Vec<f64>,
    /// Terms (A, b, e) of every pressure.
    pub terms: Vec<Vec<[f64; 3]>>,
}

/// log₁₀ k by Chebyshev polynomials.
#[derive(Debug, Clone, Default)]
pub struct ChebyshevLaw {
    /// Place in `k`.
    pub k: usize,
    /// Place in `k_aux`.
    pub aux: usize,
    /// Rows over temperature.
    pub nt: usize,
    /// Columns over pressure.
    pub np: usize,
    /// Row-major.
    pub alpha: Reals,
    /// Reduced temperature = t[0]/T + t[1].
    pub t: [f64; 2],
    /// Reduced pressure = p[0] ln p + p[1].
    pub p: [f64; 2],
}

/// One collider of a linear-Burke law: its efficiency and where the rate constant at its effective pressure is.
#[derive(Debug, Clone)]
pub struct BurkeCollider {
    /// Species; `None` is every other.
    pub species: Option<usize>,
    /// A, b, e of the efficiency.
    pub efficiency: [f64; 3],
    /// Has a law of its own, taken at its own effective pressure; else M's at M's.
    pub own: bool,
    /// The law, by kind.
    pub law: BurkeInner,
}

/// A pressure dependence inside a linear-Burke law.
#[derive(Debug, Clone)]
pub enum BurkeInner {
    /// Parameters as in [`FalloffClass::params`], and the sign of the rate, 0 where it is zero.
    Falloff(Broadening, Box<[f64; FalloffClass::PARAMS]>, f64),
    /// As [`PlogSumLaw`].
    Plog(PlogSumLaw),
    /// As [`ChebyshevLaw`].
    Chebyshev(ChebyshevLaw),
}

/// The linear mixture rule.
#[derive(Debug, Clone)]
pub struct BurkeLaw {
    /// Place in `k`.
    pub k: usize,
    /// Place in `k_aux`.
    pub aux: usize,
    /// Colliders; the first is M.
    pub colliders: Vec<BurkeCollider>,
    /// ∂k/∂C of every named collider, at constant Ctot.
    pub dk: Array,
}

/// Laws with more in the exponent.
#[derive(Debug, Clone)]
pub struct SpecialLaw {
    /// Place in `k`.
    pub k: usize,
    /// ln A, b, e.
    pub arrhenius: [f64; 3],
    /// Which.
    pub kind: Special,
}

/// The extra terms of a [`SpecialLaw`].
#[derive(Debug, Clone)]
pub enum Special {
    /// + B/T^(1/3) + C/T^(2/3).
    LandauTeller {
        /// B.
        b: f64,
        /// C.
        c: f64,
    },
    /// Electron temperature.
    TwoTemperature {
        /// Activation energy with Te over R [K].
        e_electron: f64,
    },
    /// Activation energy from the reaction enthalpy.
    BlowersMasel {
        /// Bond energy over R [K].
        w: f64,
        /// Stoichiometry (species, ν) for ΔH.
        nu: Vec<(usize, f64)>,
    },
}
