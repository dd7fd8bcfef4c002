//! Tables of rate constants that depend on more than temperature, or on temperature not as Arrhenius' law
//! does.

use crate::machine::{Array, Indices, Reals};

/// Shape of the broadening factor F of a falloff class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum Broadening {
    /// F = 1.
    #[default]
    Lindemann,
    /// Troe's with three parameters.
    Troe3,
    /// Troe's with four parameters.
    Troe4,
    /// SRI's.
    Sri,
    /// Tsang's; also Troe's with a constant Fcent.
    Tsang,
}

/// Falloff laws of one shape.
#[derive(Debug, Clone, Default)]
pub struct FalloffClass {
    /// Shape of F.
    pub broadening: Broadening,
    /// Whether the reactions are chemically activated.
    pub activated: bool,
    /// Number of laws.
    pub count: usize,
    /// Place of the first law in `k`; the others follow.
    pub k: usize,
    /// The same in `k_aux`.
    pub aux: usize,
    /// Collider sum of each.
    pub m: Indices,
    /// Per law: ln k∞, b∞, e∞, ln κ, bκ, eκ (κ = k0/k∞), then five broadening parameters.
    pub params: Reals,
}

impl FalloffClass {
    /// Index of the first parameter of k∞ among a law's parameters.
    pub const HIGH: usize = 0;
    /// The same of κ.
    pub const KAPPA: usize = 3;
    /// The same of the broadening.
    pub const BROADENING: usize = 6;
    /// Number of parameters of a law.
    pub const PARAMS: usize = 11;
}

/// ln k = a(p) + b(p) ln T − e(p)/T, with coefficients linear in ln p between the given pressures.
#[derive(Debug, Clone, Default)]
pub struct PlogLaw {
    /// Place in `k`.
    pub k: usize,
    /// Place in `k_aux`.
    pub aux: usize,
    /// Number of intervals.
    pub intervals: usize,
    /// ln p of the start of each interval, its width, and slopes of a, b, e: five per interval.
    pub steps: Reals,
    /// a, b, e at the lowest pressure.
    pub first: [f64; 3],
}

/// As [`PlogLaw`], with several terms at each pressure.
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
    /// Number of rows, over temperature.
    pub nt: usize,
    /// Number of columns, over pressure.
    pub np: usize,
    /// Coefficients, row-major.
    pub alpha: Reals,
    /// Reduced temperature = t\[0\]/T + t\[1\].
    pub t: [f64; 2],
    /// Reduced pressure = p\[0\] ln p + p\[1\].
    pub p: [f64; 2],
}

/// One collider of a linear-Burke law: its efficiency, and the law of the rate constant at its effective
/// pressure.
#[derive(Debug, Clone)]
pub struct BurkeCollider {
    /// Species; `None` stands for M, all others.
    pub species: Option<usize>,
    /// A, b, e of the efficiency.
    pub efficiency: [f64; 3],
    /// Whether it has a law of its own, taken at its own effective pressure; else M's law at M's pressure is
    /// used.
    pub own: bool,
    /// The law, by kind.
    pub law: BurkeInner,
}

/// The pressure dependence of a collider in a linear-Burke law.
#[derive(Debug, Clone)]
pub enum BurkeInner {
    /// Parameters as in [`FalloffClass::params`], and the sign of the rate, 0 if the rate is zero.
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

/// A law with more terms in the exponent.
#[derive(Debug, Clone)]
pub struct SpecialLaw {
    /// Place in `k`.
    pub k: usize,
    /// ln A, b, e.
    pub arrhenius: [f64; 3],
    /// The kind of law.
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
    /// Depends on the electron temperature Te.
    TwoTemperature {
        /// Activation energy of the term in Te, over R \[K\].
        e_electron: f64,
    },
    /// Activation energy from the reaction enthalpy.
    BlowersMasel {
        /// Bond energy over R \[K\].
        w: f64,
        /// Stoichiometry (species, ν) for ΔH.
        nu: Vec<(usize, f64)>,
    },
}
