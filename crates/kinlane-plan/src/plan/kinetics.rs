//! Tables and arrays of rate constants, third bodies and mass action.

use super::gather::Gather;
use super::laws::{BurkeLaw, ChebyshevLaw, FalloffClass, PlogLaw, PlogSumLaw, Special, SpecialLaw};
use super::losses::Loss;
use crate::machine::{Array, Indices, Reals};

/// In gas of this temperature \[K\] or more, k of mass action is within the range of a double.
pub const COLD: f64 = 100.0;

/// Rate constants, third bodies and mass action.
#[derive(Debug, Clone, Default)]
pub struct Kinetics {
    /// Number of internal reactions: a reaction with its own reverse rate counts twice.
    pub reactions: usize,
    /// For each reaction of the network: internal number of its forward direction, and of an explicit reverse
    /// reaction.
    pub place: Vec<(usize, Option<usize>)>,
    /// For each reaction of the network: place in `k` of its rate constant, and of that of an explicit
    /// reverse reaction.
    pub constant: Vec<(usize, Option<usize>)>,
    /// By internal number: the reaction of the network of which this is the explicit reverse, if it is one.
    pub reverse_of: Vec<Option<usize>>,
    /// Rate constants; element 0 is one. In a plan with given ones, those of the cell follow from 1 on.
    pub k: Array,
    /// Number of laws that depend on more than temperature.
    pub aux: usize,
    /// For a cell's rate constants with factors F: F − 1. As long as `k` in a plan with
    /// [`Features::factors`](crate::plan::Features::factors), else empty.
    pub excess: Array,
    /// ∂k/∂T at constant concentrations.
    pub k_t: Array,
    /// ∂k/∂\[M\] of falloff, ∂k/∂ln Ctot of the other pressure-dependent laws; by `aux` number.
    pub k_aux: Array,
    /// (b, e) of the distinct exponentials exp(b ln T − e/T), which fill `k` from 1 on.
    pub exps: Reals,
    /// Collider sums.
    pub third: ThirdBodies,
    /// Falloff laws.
    pub falloff: Vec<FalloffClass>,
    /// For the laws of one class at a time: κ, the logarithm and the factor of the broadening's centre, and
    /// the parts of d ln F/dT that come from it.
    pub falloff_work: [Array; 5],
    /// Pressure-dependent laws with one Arrhenius term per pressure.
    pub plog: Vec<PlogLaw>,
    /// The same with sums of Arrhenius terms.
    pub plog_sum: Vec<PlogSumLaw>,
    /// Chebyshev laws.
    pub chebyshev: Vec<ChebyshevLaw>,
    /// Linear-Burke laws.
    pub burke: Vec<BurkeLaw>,
    /// Laws with more terms in the exponent.
    pub special: Vec<SpecialLaw>,
    /// Mass action with up to three reactants and products, all coefficients integer.
    pub mass_action: Vec<MassAction>,
    /// Everything else: any orders, any coefficients.
    pub general: Vec<GeneralReaction>,
    /// Those of `mass_action` whose k is too small for a double in gas colder than [`COLD`], where their reverse rate is not. They
    /// have no slots.
    pub cold: Vec<GeneralReaction>,
    /// Rates of progress \[mol/(m³ s)\] by internal number, followed by a zero.
    pub q: Array,
    /// Reverse rates of progress \[mol/(m³ s)\], where `q` holds only the forward ones. Shares its memory
    /// with the Jacobian's `q_t`, since both are never needed at once.
    pub reverse: Array,
    /// From `q` to net production rates.
    pub wdot: Gather,
    /// Whether these sums are made with twice the digits. Then all their entries are short.
    pub exact_sums: bool,
    /// Reactions by which species decay, as far as their rates are known from T alone.
    pub losses: Vec<Loss>,
}

impl Kinetics {
    /// Forward and reverse rate of progress \[mol/(m³ s)\] of every reaction of the network; `get` reads `q`
    /// and `reverse`.
    pub fn both_ways(&self, get: impl Fn(Array, usize) -> f64) -> impl Iterator<Item = [f64; 2]> {
        // An explicit reverse rate is an internal reaction of its own.
        self.place
            .iter()
            .map(move |&(i, own)| [get(self.q, i), own.map_or_else(|| get(self.reverse, i), |own| get(self.q, own))])
    }

    /// Place in `k` of the first law that has a number in `k_aux`; the others follow in the same order in
    /// both.
    pub fn first_aux(&self) -> usize {
        1 + self.exps.len as usize / 2
    }

    /// Whether some rate has a species to a power below one, whose slope has no bound towards zero.
    pub fn has_steep_orders(&self) -> bool {
        self.general.iter().flat_map(|r| r.forward.iter().chain(&r.reverse)).any(|&(_, order)| order < 1.0)
    }

    /// Whether any law needs ln p.
    pub fn needs_pressure(&self) -> bool {
        !(self.plog.is_empty() && self.plog_sum.is_empty() && self.chebyshev.is_empty() && self.burke.is_empty())
    }

    /// Whether any rate constant needs enthalpies.
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
    /// Enhanced species of all sums.
    pub species: Indices,
    /// Efficiency minus default.
    pub excess: Reals,
    /// Number of sums, from the first, whose logarithm falloff laws need.
    pub with_ln: usize,
    /// Lower bound of all sums: zero, except for mechanisms with negative efficiencies.
    pub least: f64,
}

/// Internal reactions of one shape: q = k·coef·(Π over reactants − Π over products), times \[M\] for third bodies.
#[derive(Debug, Clone, Copy, Default)]
pub struct MassAction {
    /// Number of reactant molecules, 1 to 3.
    pub reactants: usize,
    /// Number of product molecules, 1 to 3; 0 for irreversible reactions.
    pub products: usize,
    /// What multiplies or shapes the rate.
    pub kind: Kind,
    /// Number of reactions.
    pub count: usize,
    /// Internal number of the first reaction; the others follow.
    pub first: usize,
    /// Per reaction: place in `k`, collider sum (third bodies) or aux number (pressure), reactants, products.
    pub index: Indices,
    /// Factor on `k`: the A-factor for Arrhenius.
    pub coef: Reals,
    /// First slot of the Jacobian, with `reactants + products` slots per reaction; or place of the first
    /// reaction's rate: see [`MassAction::by_rate`].
    pub slot: usize,
    /// First extra slot (`third` and `pressure` kinds), one per reaction.
    pub extra: usize,
}

impl MassAction {
    /// Whether derivatives are made from rate and activities ([`Products`](crate::plan::Products)) instead of slots.
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
    /// ΔG = Σ ν G + d\[0\]/T + d\[1\]: (species, ν) and the unbalanced rest of the reference.
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
