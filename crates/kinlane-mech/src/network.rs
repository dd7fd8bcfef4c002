//! The common model of a reaction network, for all formats.
//!
//! Units are SI throughout: mol, m, s, K, J, Pa, kg. A rate constant of a reaction of order n is in
//! (m³/mol)ⁿ⁻¹/s; activation energies are divided by the gas constant, and in K.

use crate::{Diagnostic, Sources, Span};
use std::collections::BTreeMap;

/// The gas constant [J/(mol K)], CODATA 2018 (exact).
pub const GAS_CONSTANT: f64 = 8.314_462_618_153_24;
/// Avogadro's number [1/mol], Boltzmann's constant [J/K], and the electron volt \[J\], exact.
pub const AVOGADRO: f64 = 6.022_140_76e23;
/// See [`AVOGADRO`].
pub const BOLTZMANN: f64 = 1.380_649e-23;
/// See [`AVOGADRO`].
pub const ELECTRON_VOLT: f64 = 1.602_176_634e-19;
/// The thermochemical calorie \[J\].
pub const CALORIE: f64 = 4.184;
/// One standard atmosphere \[Pa\].
pub const ATMOSPHERE: f64 = 101_325.0;

/// Species, reactions and where each came from.
#[derive(Debug, Clone, Default)]
pub struct Network {
    /// The phase's name, or the file's stem.
    pub name: String,
    /// The texts that were read: what every [`Span`] points into.
    pub sources: Sources,
    /// Chemical elements in use.
    pub elements: Vec<Element>,
    /// Species, in file order; all species indices below refer to this list.
    pub species: Vec<Species>,
    /// Reactions, in file order.
    pub reactions: Vec<Reaction>,
    /// Warnings, and repairs that the reader has made. Never errors.
    pub notes: Vec<Diagnostic>,
}

/// A chemical element, an isotope such as D, or the electron `E`.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Symbol as the file writes it, first letter upper case.
    pub symbol: String,
    /// Molar mass [kg/mol].
    pub molar_mass: f64,
}

/// One gas-phase species.
#[derive(Debug, Clone, PartialEq)]
pub struct Species {
    /// Name as the file writes it.
    pub name: String,
    /// (element index, number of atoms). The electron counts the negative of the charge.
    pub composition: Vec<(usize, f64)>,
    /// Molar mass [kg/mol], the sum over the composition.
    pub molar_mass: f64,
    /// Standard-state thermodynamics.
    pub thermo: Thermo,
    /// Where the species is declared.
    pub at: Span,
}

/// Standard-state thermodynamics of one species.
#[derive(Debug, Clone, PartialEq)]
pub struct Thermo {
    /// Pressure of the standard state \[Pa\].
    pub reference_pressure: f64,
    /// The form and its coefficients.
    pub form: ThermoForm,
    /// Where it was read.
    pub at: Span,
}

/// The forms of cp, h and s over temperature.
#[derive(Debug, Clone, PartialEq)]
pub enum ThermoForm {
    /// NASA 7 coefficients, one or two (or more) ranges, ascending and touching.
    Nasa7(Vec<Range<7>>),
    /// NASA 9 coefficients (McBride & Gordon), any number of ranges.
    Nasa9(Vec<Range<9>>),
    /// Shomate (NIST): A..G with t = T/1000, cp in J/(mol K), h in kJ/mol, s in J/(mol K).
    Shomate(Vec<Range<7>>),
    /// Constant cp.
    ConstantCp {
        /// Temperature at which `h0` and `s0` hold \[K\].
        t0: f64,
        /// Enthalpy at `t0` [J/mol].
        h0: f64,
        /// Entropy at `t0` [J/(mol K)].
        s0: f64,
        /// Heat capacity [J/(mol K)].
        cp0: f64,
        /// Lower and upper limit of validity \[K\].
        range: [f64; 2],
    },
}

/// Polynomial coefficients that hold between two temperatures \[K\].
#[derive(Debug, Clone, PartialEq)]
pub struct Range<const N: usize> {
    /// Lower limit \[K\].
    pub low: f64,
    /// Upper limit \[K\].
    pub high: f64,
    /// Coefficients in the published order.
    pub a: [f64; N],
}

/// One reaction with its rate law.
#[derive(Debug, Clone, PartialEq)]
pub struct Reaction {
    /// The equation as written in the file.
    pub equation: String,
    /// (species, stoichiometric coefficient), merged: a species occurs once. Third bodies and explicit
    /// colliders are not here but in `third_body` or inside the rate law.
    pub reactants: Vec<(usize, f64)>,
    /// As `reactants`.
    pub products: Vec<(usize, f64)>,
    /// Forward orders if they differ from the stoichiometric coefficients (`orders:`, FORD): the complete
    /// list of (species, order), including species that are not reactants.
    pub orders: Option<Vec<(usize, f64)>>,
    /// The forward rate constant.
    pub rate: RateLaw,
    /// The reverse direction.
    pub reverse: Reverse,
    /// A factor \[M\] on the rate of progress. For falloff laws the collider is inside the law instead.
    pub third_body: Option<ThirdBody>,
    /// Declared as one of several with the same equation.
    pub duplicate: bool,
    /// Where the reaction's line starts.
    pub at: Span,
}

impl Reaction {
    /// Its net stoichiometry: [`net`] of both sides.
    pub fn net(&self) -> Vec<(usize, f64)> {
        net(&self.reactants, &self.products)
    }

    /// The collider, wherever the law keeps it.
    pub(crate) fn body(&self) -> Option<&ThirdBody> {
        match &self.rate {
            RateLaw::Falloff(f) => Some(&f.body),
            _ => self.third_body.as_ref(),
        }
    }

    /// The same, to change it.
    pub(crate) fn body_mut(&mut self) -> Option<&mut ThirdBody> {
        match &mut self.rate {
            RateLaw::Falloff(f) => Some(&mut f.body),
            _ => self.third_body.as_mut(),
        }
    }
}

/// The species on both sides that Cantera takes for the third body where the equation has no M: it is the only such species (once
/// in excess on at least one side), all coefficients are whole, and one side has three molecules.
pub(crate) fn seeming_collider(reactants: &[(usize, f64)], products: &[(usize, f64)]) -> Option<usize> {
    let mut both = reactants.iter().filter_map(|&(k, n)| Some((k, n, products.iter().find(|t| t.0 == k)?.1)));
    let (Some((k, n, m)), None) = (both.next(), both.next()) else { return None };
    let whole = reactants.iter().chain(products).all(|t| t.1.fract() == 0.0);
    let molecules = |side: &[(usize, f64)]| side.iter().map(|t| t.1).sum::<f64>();
    let seems = !(n > 1.0 && m > 1.0) && whole && (molecules(reactants) == 3.0 || molecules(products) == 3.0);
    seems.then_some(k)
}

/// Takes one molecule of a species from a side.
pub(crate) fn take_one(side: &mut Vec<(usize, f64)>, species: usize) {
    side.iter_mut().filter(|term| term.0 == species).for_each(|term| term.1 -= 1.0);
    side.retain(|term| term.1 != 0.0);
}

/// (species, ν″ − ν′) in the order of species, without species of net coefficient zero.
pub fn net(reactants: &[(usize, f64)], products: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut nu: BTreeMap<usize, f64> = BTreeMap::new();
    reactants.iter().for_each(|&(k, v)| *nu.entry(k).or_default() -= v);
    products.iter().for_each(|&(k, v)| *nu.entry(k).or_default() += v);
    nu.into_iter().filter(|x| x.1 != 0.0).collect()
}

/// The reverse direction of a reaction.
#[derive(Debug, Clone, PartialEq)]
pub enum Reverse {
    /// None.
    Irreversible,
    /// By detailed balance from the thermodynamics.
    Equilibrium,
    /// Its own rate constant (REV, RLT), with orders as `RORD` gives them or the products' coefficients.
    Explicit {
        /// Reverse rate constant.
        rate: Box<RateLaw>,
        /// Reverse orders where they differ from the coefficients.
        orders: Option<Vec<(usize, f64)>>,
    },
}

/// The collider of a third-body or falloff reaction: \[M\] = Σ eₖ Cₖ.
#[derive(Debug, Clone, PartialEq)]
pub struct ThirdBody {
    /// Efficiency of every species not listed. Zero for an explicit collider.
    pub default: f64,
    /// (species, efficiency), each species once.
    pub efficiencies: Vec<(usize, f64)>,
    /// Whether the equation names a species in place of M. This does not affect \[M\], but it does affect what
    /// counts as a duplicate.
    pub explicit: bool,
}

impl ThirdBody {
    /// M, in which all species have efficiency one.
    pub(crate) const EVERY: Self = Self { default: 1.0, efficiencies: Vec::new(), explicit: false };

    /// A single species in place of M.
    pub(crate) fn alone(species: usize, efficiency: f64) -> Self {
        Self { default: 0.0, efficiencies: vec![(species, efficiency)], explicit: true }
    }
}

/// k = A Tᵇ exp(−(E/R)/T).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrhenius {
    /// Pre-exponential factor, SI: (m³/mol)ⁿ⁻¹/s with n the order, third body included.
    pub a: f64,
    /// Temperature exponent.
    pub b: f64,
    /// Activation energy over the gas constant \[K\].
    pub e: f64,
}

/// Pressures that differ by this part of themselves are one: a file may give one in two units, and so by two roundings.
const ONE_PRESSURE: f64 = 1e-12;

/// The table of [`RateLaw::Plog`] from its terms, each with its pressure \[Pa\], in the order of the file.
pub(crate) fn plog_levels(mut terms: Vec<(f64, Arrhenius)>) -> Vec<(f64, Vec<Arrhenius>)> {
    terms.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable: terms at one pressure stay in order
    let mut levels: Vec<(f64, Vec<Arrhenius>)> = Vec::new();
    for (p, k) in terms {
        match levels.last_mut().filter(|last| p <= last.0 * (1.0 + ONE_PRESSURE)) {
            Some(last) => last.1.push(k),
            None => levels.push((p, vec![k])),
        }
    }
    levels
}

/// How a rate constant depends on temperature, pressure and composition.
#[derive(Debug, Clone, PartialEq)]
pub enum RateLaw {
    /// Modified Arrhenius.
    Arrhenius(Arrhenius),
    /// Falloff or chemically activated.
    Falloff(Falloff),
    /// Logarithmic interpolation in pressure: (p \[Pa\] ascending, the terms that add up at that pressure).
    Plog(Vec<(f64, Vec<Arrhenius>)>),
    /// Chebyshev polynomials in 1/T and log p.
    Chebyshev(Chebyshev),
    /// Linear mixture rule of Burke (LMR-R).
    LinearBurke(Vec<Collider>),
    /// Activation energy from the reaction enthalpy: E = E(ΔH) with intrinsic barrier e and bond energy w.
    BlowersMasel {
        /// `e` is the intrinsic barrier over R \[K\].
        arrhenius: Arrhenius,
        /// Average of the bond dissociation energies over R \[K\].
        w: f64,
    },
    /// k = A Teᵇ exp(−(E/R)/T + (Ee/R)(Te − T)/(T Te)), Te the electron temperature of the state.
    TwoTemperature {
        /// `e` acts with the gas temperature.
        arrhenius: Arrhenius,
        /// Activation energy with the electron temperature over R \[K\].
        e_electron: f64,
    },
    /// k = A Tᵇ exp(−(E/R)/T + B/T^(1/3) + C/T^(2/3)).
    LandauTeller {
        /// The Arrhenius part.
        arrhenius: Arrhenius,
        /// B [K^(1/3)].
        b: f64,
        /// C [K^(2/3)].
        c: f64,
    },
}

/// Low- and high-pressure limits joined by a broadening factor F(Pr, T).
///
/// Falloff: k = k∞ Pr/(1 + Pr) F. Chemically activated: k = k0 /(1 + Pr) F. Both with Pr = k0 \[M\]/k∞.
#[derive(Debug, Clone, PartialEq)]
pub struct Falloff {
    /// k0. For falloff its order is higher by one than that of k∞; for chemically activated reactions k0 has
    /// the order of the equation and k∞ one less (so that Pr is dimensionless in both).
    pub low: Arrhenius,
    /// k∞.
    pub high: Arrhenius,
    /// The collider.
    pub body: ThirdBody,
    /// The broadening factor.
    pub blend: Blend,
    /// Whether it is chemically activated (HIGH) instead of falloff (LOW).
    pub activated: bool,
}

/// The broadening factor of a falloff reaction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Blend {
    /// F = 1.
    Lindemann,
    /// Fcent = (1−a) exp(−T/t3) + a exp(−T/t1) + exp(−t2/T); the last term only if `t2` is given.
    Troe {
        /// a, dimensionless.
        a: f64,
        /// T*** \[K\].
        t3: f64,
        /// T* \[K\].
        t1: f64,
        /// T** \[K\].
        t2: Option<f64>,
    },
    /// F = d [a exp(−b/T) + exp(−T/c)]^X Tᵉ, X = 1/(1 + log10² Pr); three parameters: d = 1, e = 0.
    Sri {
        /// a, dimensionless.
        a: f64,
        /// b \[K\].
        b: f64,
        /// c \[K\].
        c: f64,
        /// d, dimensionless.
        d: f64,
        /// e, dimensionless.
        e: f64,
    },
    /// Fcent = A + B T (Tsang & Herron), then as Troe.
    Tsang {
        /// A, dimensionless.
        a: f64,
        /// B [1/K].
        b: f64,
    },
}

/// log10 k = Σ αₜₚ φₜ(T̃) φₚ(P̃) with the reduced variables scaled to [−1, 1]; the conversion of k to SI is
/// included in the first coefficient.
#[derive(Debug, Clone, PartialEq)]
pub struct Chebyshev {
    /// Temperature range \[K\].
    pub t: [f64; 2],
    /// Pressure range \[Pa\].
    pub p: [f64; 2],
    /// Rows over temperature, columns over pressure.
    pub alpha: Vec<Vec<f64>>,
}

/// One collider of a linear-Burke reaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Collider {
    /// The species; `None` is M, every species not named.
    pub species: Option<usize>,
    /// Efficiency relative to M over temperature; 1 for M.
    pub efficiency: Arrhenius,
    /// Its own pressure dependence; with `None` that of M is used.
    pub law: Option<PressureLaw>,
}

/// The laws that a linear-Burke collider may have. The `body` of a falloff law is not used: LMR-R has its own
/// colliders.
#[derive(Debug, Clone, PartialEq)]
pub enum PressureLaw {
    /// Falloff with the whole gas as collider.
    Falloff(Falloff),
    /// As [`RateLaw::Plog`].
    Plog(Vec<(f64, Vec<Arrhenius>)>),
    /// As [`RateLaw::Chebyshev`].
    Chebyshev(Chebyshev),
}
