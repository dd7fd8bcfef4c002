//! Tables and arrays of rate constants, third bodies and mass action.

use super::gather::Gather;
use super::laws::{BurkeLaw, ChebyshevLaw, FalloffClass, PlogLaw, PlogSumLaw, Special, SpecialLaw};
use crate::machine::{Array, Indices, Reals};

/// Rate constants, third bodies and mass action.
#[derive(Debug, Clone, Default)]
pub struct Kinetics {
    /// Number of internal reactions: a reaction with its own reverse rate counts twice.
    pub reactions: usize,
    /// For each reaction of the network: internal number of the forward one, and of an explicit reverse.
    pub place: Vec<(usize, Option<usize>)>,
    /// For each reaction of the network: where in `k` its rate constant is, and that of an explicit reverse.
    pub constant: Vec<(usize, Option<usize>)>,
    /// Internal reactions whose progress runs backwards in the network's numbering; by internal number.
    pub reverse_of: Vec<Option<usize>>,
    /// Rate constants; element 0 is one.
    pub k: Array,
    /// How many laws depend on more than temperature.
    pub aux: usize,
    /// By how much a cell's rate constants exceed the network's, as a part of them: with factor F, F − 1. As long as
    /// `k` in a plan with [`Features::factors`], else empty.
    pub excess: Array,
    /// ∂k/∂T at constant concentrations.
    pub k_t: Array,
    /// ∂k/∂\[M\] of falloff, ∂k/∂ln Ctot of the other pressure-dependent laws; by `aux` number.
    pub k_aux: Array,
    /// exp(b ln T − e/T) of the distinct (b, e): table of pairs; fills `k` from 1 on.
    pub exps: Reals,
    /// Collider sums.
    pub third: ThirdBodies,
    /// Falloff laws.
    pub falloff: Vec<FalloffClass>,
    /// Of the laws of one class at a time: κ, the centre's logarithm and factor, and what d ln F/dT takes from it.
    pub falloff_work: [Array; 5],
    /// One Arrhenius term per pressure.
    pub plog: Vec<PlogLaw>,
    /// Sums of Arrhenius terms at a pressure.
    pub plog_sum: Vec<PlogSumLaw>,
    /// Chebyshev.
    pub chebyshev: Vec<ChebyshevLaw>,
    /// Linear-Burke.
    pub burke: Vec<BurkeLaw>,
    /// Laws with more terms in the exponent.
    pub special: Vec<SpecialLaw>,
    /// Mass action with up to three reactants and products, all coefficients integer.
    pub mass_action: Vec<MassAction>,
    /// Everything else: any orders, any coefficients.
    pub general: Vec<GeneralReaction>,
    /// Rates of progress [mol/(m³ s)] by internal number, and a zero behind them.
    pub q: Array,
    /// Backward rates of progress [mol/(m³ s)], where `q` has the forward ones alone; in the place of the Jacobian's `q_t`, for
    /// nobody wants both.
    pub reverse: Array,
    /// Sums them into `wdot`.
    pub wdot: Gather,
}

impl Kinetics {
    /// Forward and reverse rate of progress of every reaction of the network, from `q` and `reverse` as `get` reads them.
    pub fn both_ways(&self, get: impl Fn(Array, usize) -> f64) -> impl Iterator<Item = [f64; 2]> {
        // A reverse rate of its own is a reaction of its own.
        self.place
            .iter()
            .map(move |&(i, own)| [get(self.q, i), own.map_or_else(|| get(self.reverse, i), |own| get(self.q, own))])
    }

    /// Place in `k` of the first law that has a number in `k_aux`; the others follow in both.
    pub fn first_aux(&self) -> usize {
        1 + self.exps.len as usize / 2
    }

    /// Whether any law asks for ln p.
    pub fn needs_pressure(&self) -> bool {
        !(self.plog.is_empty() && self.plog_sum.is_empty() && self.chebyshev.is_empty() && self.burke.is_empty())
    }

    /// Whether any rate constant asks for enthalpies.
    pub fn needs_enthalpy(&self) -> bool {
        self.special.iter().any(|s| matches!(s.kind, Special::BlowersMasel { .. }))
    }
}

/// \[M\]ₘ = default·Ctot + Σ excess·C over the enhanced species.
#[derive(Debug, Clone, Default)]
pub struct ThirdBodies {
    /// Number of distinct collider sums.
    pub count: usize,
    /// Their values.
    pub m: Array,
    /// ln max(\[M\], tiny), for falloff.
    pub ln_m: Array,
    /// Default efficiency.
    pub default: Reals,
    /// Ranges into `species` and `excess`, `count + 1`.
    pub ptr: Indices,
    /// Enhanced species.
    pub species: Indices,
    /// Efficiency minus default.
    pub excess: Reals,
    /// How many of them falloff laws need the logarithm of, from the front.
    pub with_ln: usize,
    /// What no sum is below: zero, but for mechanisms with negative efficiencies.
    pub least: f64,
}

/// Internal reactions of one shape: q = k·coef·(Π over reactants − Π over products), times \[M\] for third bodies.
#[derive(Debug, Clone, Copy, Default)]
pub struct MassAction {
    /// Reactant molecules, 1 to 3.
    pub reactants: usize,
    /// Product molecules, 1 to 3; 0 for irreversible reactions.
    pub products: usize,
    /// What multiplies or shapes the rate.
    pub kind: Kind,
    /// Reactions.
    pub count: usize,
    /// Internal number of the first.
    pub first: usize,
    /// Per reaction: place in `k`, collider sum (third bodies) or aux number (pressure), reactants, products.
    pub index: Indices,
    /// Factor on `k`: the A-factor for Arrhenius.
    pub coef: Reals,
    /// First slot of the Jacobian, `reactants + products` per reaction, or place of the first one's rate: see
    /// [`MassAction::by_rate`].
    pub slot: usize,
    /// First extra slot (`third` and `pressure` kinds), one per reaction.
    pub extra: usize,
}

impl MassAction {
    /// Whether derivatives are made from rate and activities ([`Products`]) instead of slots.
    pub fn by_rate(&self) -> bool {
        by_rate(self.reactants, self.products)
    }
}

/// See [`MassAction::by_rate`].
pub const fn by_rate(reactants: usize, products: usize) -> bool {
    reactants <= 2 && products <= 2 && products > 0
}

/// What a rate of progress depends on beside its species.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum Kind {
    /// Temperature alone.
    #[default]
    Plain,
    /// A factor \[M\].
    Third,
    /// k depends on \[M\] or p through `k_aux`.
    Pressure,
}

/// A reaction with arbitrary orders.
#[derive(Debug, Clone, Default)]
pub struct GeneralReaction {
    /// Internal number.
    pub number: usize,
    /// Place in `k`.
    pub k: usize,
    /// Factor on it.
    pub coef: f64,
    /// Collider sum.
    pub third: Option<usize>,
    /// Number in `k_aux`.
    pub aux: Option<usize>,
    /// (species, order) of the forward direction.
    pub forward: Vec<(usize, f64)>,
    /// (species, order) of the reverse direction; empty when irreversible.
    pub reverse: Vec<(usize, f64)>,
    /// ΔG = Σ ν G + d[0]/T + d[1]: (species, ν) and the unbalanced rest of the reference.
    pub nu: Vec<(usize, f64)>,
    /// See `nu`.
    pub rest: [f64; 2],
    /// Whether it runs backwards.
    pub reversible: bool,
    /// First slot: one per `forward`, then one per `reverse`.
    pub slot: usize,
    /// First extra slot: through the rate constant if `aux`, then through \[M\] if `third`.
    pub extra: usize,
    /// Linear-Burke: number of the law; its slots follow those of `reverse`.
    pub burke: Option<usize>,
}
