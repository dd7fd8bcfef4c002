//! The plan of a gas network: every table a program reads, every array it works in.
//!
//! Filled by `lower/`, read by `kinlane-solve`. Species keep the network's order; reactions are reordered by class
//! and carry an internal number, which is their place in the array `q` of rates of progress.

pub use crate::cell::{CellArrays, Energy, NO_ELECTRON_T, Scalars};
use crate::lu::Factors;
use crate::machine::{Array, Indices, Reals};
use crate::tables::{Layout, Tables};

/// A gas network as index tables.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// All constants.
    pub tables: Tables,
    /// The arrays below; methods add their own behind.
    pub layout: Layout,
    /// Number of species.
    pub species: usize,
    /// Molar masses [kg/mol], on the host.
    pub molar_mass: Vec<f64>,
    /// Molar masses, for programs.
    pub masses: Reals,
    /// Variables that the error norm runs over: species that some reaction changes, and T.
    pub active: Indices,
    /// What an absolute tolerance on mass fractions means for each of them: 1/W_k, and 1 for T.
    pub tolerance: Reals,
    /// What makes mass fractions of them: W_k, and 0 for T.
    pub fraction: Reals,
    /// The variables of a cell.
    pub cell: CellArrays,
    /// Thermodynamics.
    pub thermo: Thermo,
    /// Rate constants and rates of progress.
    pub kinetics: Kinetics,
    /// The Jacobian.
    pub jacobian: Jacobian,
    /// The sparse factorisation.
    pub lu: Lu,
}

/// What a plan can do beyond the equations of its network. Each costs something in every step, so none is there unless
/// asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Features {
    /// Rate constants times factors, by cell: see [`Kinetics::excess`]. No two reactions share a rate constant.
    pub factors: bool,
    /// The pressure or the volume follows a history: what is imposed is one more variable, at [`Plan::imposed`].
    pub history: bool,
}

impl Plan {
    /// Where among the variables the imposed pressure [Pa] or specific volume [m³/kg] is, in a plan with
    /// [`Features::history`].
    pub fn imposed(&self) -> Option<usize> {
        (self.cell.slope.len > 0).then_some(self.species + 2)
    }

    /// The work arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        let (cell, s, th) = (&self.cell, self.cell.scalars, &self.thermo);
        vec![
            ("pressure", cell.parameter),
            ("source", cell.source),
            ("heating", cell.heating),
            ("electron", cell.electron),
            ("floor", cell.floor),
            ("noise", cell.noise),
            ("grows", cell.grows),
            ("conc", cell.conc),
            ("act", cell.act),
            ("temp", s.t),
            ("ln_t", s.ln_t),
            ("inv_t", s.inv_t),
            ("rho", s.rho),
            ("ctot", s.ctot),
            ("ln_p", s.ln_p),
            ("tdot", s.tdot),
            ("cmix", s.cmix),
            ("wdot", cell.wdot),
            ("energy_known", cell.energy.known),
            ("energy", cell.energy.per_mass),
            ("energy_at", cell.energy.at),
            ("energy_lost", cell.energy.lost),
            ("energy_next", cell.energy.next),
            ("energy_next_at", cell.energy.next_at),
            ("gibbs", th.gibbs),
            ("exp_minus", th.exp_minus),
            ("exp_plus", th.exp_plus),
            ("enthalpy", th.enthalpy),
            ("cp", th.cp),
            ("dcp", th.dcp),
            ("rate_constant", self.kinetics.k),
            ("rate_constant_t", self.kinetics.k_t),
            ("rate_constant_aux", self.kinetics.k_aux),
            ("third", self.kinetics.third.m),
            ("ln_third", self.kinetics.third.ln_m),
            ("progress", self.kinetics.q),
            ("rates", self.jacobian.rates),
            ("slots", self.jacobian.slots),
            ("extra", self.jacobian.extra),
            ("progress_t", self.jacobian.q_t),
            ("jac", self.jacobian.values),
            ("jac_third", self.jacobian.third),
            ("heat", self.jacobian.heat),
            ("wdot_t", self.jacobian.wdot_t),
            ("wdot_ctot", self.jacobian.wdot_ctot),
            ("lu", self.lu.factors.values),
            ("inverse", self.lu.factors.inverse),
            ("work", self.lu.factors.work),
            ("x", self.lu.factors.x),
        ]
    }
}

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
    pub backward: Array,
    /// Sums them into `wdot`.
    pub wdot: Gather,
}

impl Kinetics {
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

/// Broadening of a falloff class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum Broadening {
    /// F = 1.
    #[default]
    Lindemann,
    /// Three parameters.
    Troe3,
    /// Four parameters.
    Troe4,
    /// SRI.
    Sri,
    /// Tsang.
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
    /// Eleven parameters as in [`FalloffClass::params`], and the sign of the rate, 0 where it is zero.
    Falloff(Broadening, Box<[f64; 11]>, f64),
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

/// dst := Σ plus − Σ minus + Σ coef·extra, entry by entry.
#[derive(Debug, Clone, Copy, Default)]
pub struct Gather {
    /// Entries of few terms.
    pub short: Lists,
    /// Entries of many. Their terms come in pairs, filled up with a source that is zero, and the numbers in `ptr` count
    /// pairs: two sums run at a time, for the latency of an addition counts here.
    pub long: Lists,
    /// Entries with coefficients other than ±1.
    pub extras: usize,
    /// Destination and source of each, two numbers.
    pub extra: Indices,
    /// Its coefficient.
    pub coef: Reals,
}

/// Entries of a [`Gather`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Lists {
    /// How many.
    pub count: usize,
    /// Where each is written.
    pub dst: Indices,
    /// Three numbers per entry: start of plus, start of minus, end.
    pub ptr: Indices,
    /// Sources.
    pub src: Indices,
}

/// dst := e^{G} Σ rate·activity, entry by entry.
///
/// The derivative of q = rate (c_a c_b − c_c c_d) by C_a is e^{G_a} rate c_b. One rate serves all participants, and all
/// rates fit the caches where the derivatives themselves would not. What is subtracted takes a negative activity, so
/// that entries differ in their number of terms alone.
#[derive(Debug, Clone, Default)]
pub struct Products {
    /// Entries of 0 to [`SHORT`] terms, by their number: loops of known length cost no mispredicted branches.
    pub short: Vec<ProductLists>,
    /// Entries of more, in pairs.
    pub long: ProductLists,
    /// Where the pairs of each long entry start, and the end.
    pub ptr: Indices,
}

/// Most terms of a short entry of [`Products`].
pub const SHORT: usize = 8;

/// Entries of [`Products`].
#[derive(Debug, Clone, Copy, Default)]
pub struct ProductLists {
    /// How many.
    pub count: usize,
    /// Per entry: where it is written, and the column whose e^{G} scales it.
    pub dst: Indices,
    /// Per term: place in `rates` and in `act`.
    pub src: Indices,
}

/// From slots (derivatives of rates of progress) to matrix entries.
///
/// What only its evaluation needs (slots, derivatives of rate constants and rates of progress, sums over colliders)
/// lies in the same place as the factors: evaluating J destroys them. `values` are kept.
#[derive(Debug, Clone, Default)]
pub struct Jacobian {
    /// What multiplies the activities in reversible reactions of at most two molecules a side, and a zero behind.
    pub rates: Array,
    /// ∂q/∂C of every participant of every other reaction.
    pub slots: Array,
    /// ∂q/∂\[M\] or ∂q/∂ln Ctot of every such reaction.
    pub extra: Array,
    /// ∂q/∂T at constant concentrations, by internal number.
    pub q_t: Array,
    /// J in the layout of the factors ([`Lu`]), zero where there is only fill. Where a method needs J no more its factors
    /// take this place.
    pub values: Array,
    /// rates → `values`, the species block and the row of sigma.
    pub products: Products,
    /// slots → added to the same.
    pub species: Gather,
    /// extra → `third`.
    pub third_gather: Gather,
    /// ∂(wdot row)/∂\[M\]ₘ for the pairs (row, m) that occur.
    pub third: Array,
    /// `values` += coef·`third`: (destination, source) and coefficient; destination-ordered.
    pub third_spread: Gather,
    /// Σ over the rows k of e_k ∂f_k/∂phi_j, in the making.
    pub heat: Array,
    /// ∂wdot/∂T.
    pub wdot_t: Array,
    /// ∂wdot/∂Ctot.
    pub wdot_ctot: Array,
    /// `extra` (to be divided by Ctot) and `third` → `wdot_ctot`: two programs over the same destination.
    pub ctot_q: Gather,
    /// See `ctot_q`.
    pub ctot_third: Gather,
    /// Row starts of the species block, and per entry (position, column).
    pub row_ptr: Indices,
    /// See `row_ptr`.
    pub rows: Indices,
    /// Positions of the borders: for every species [`BORDERS`], at [`PHI_T`] and so on.
    pub border: Indices,
    /// Positions of (T, T), (T, sigma), (sigma, T), (sigma, sigma).
    pub corner: [usize; 4],
    /// Positions in the column of what is imposed, of every species, T and sigma; empty without [`Features::history`].
    /// Its own row is zero.
    pub imposed: Indices,
    /// Structural entries of J.
    pub nonzeros: usize,
}

/// How many entries each species has in the borders: (k, T), (k, sigma), (T, k), (sigma, k).
pub const BORDERS: usize = 4;
/// Which of them is (k, T).
pub const PHI_T: usize = 0;
/// (k, sigma).
pub const PHI_SIGMA: usize = 1;
/// (T, k).
pub const T_PHI: usize = 2;
/// (sigma, k).
pub const SIGMA_PHI: usize = 3;

/// Rows of the factors that a machine may make together.
pub const ROWS: usize = 4;

/// No place.
pub const NONE: u32 = u32::MAX;

/// Blocks of up to [`ROWS`] consecutive rows, and for each the rows of U from before it with their users.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowBlocks {
    /// First row of each block, and n.
    pub start: Indices,
    /// First item of each block, and their number.
    pub steps: Indices,
    /// What is applied to the block, in order; a user is a row of the block, named by its work row's offset. Either one
    /// row k of U,
    ///
    /// 1, number of users, k, users
    ///
    /// or two, k < l, with the same users,
    ///
    /// 2, number of users, k, l, place of u_kl or [`NONE`], lengths of three lists, users, columns of both rows (place
    /// in row k, place in row l, column), of row k alone (place, column), of row l alone.
    pub items: Indices,
}

/// Columns of L without its diagonal, and of U without its own: starts, n + 1, and of every entry the row and its place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Columns {
    /// Of L.
    pub lower: [Indices; 2],
    /// Of U.
    pub upper: [Indices; 2],
}

/// The sparse factors: rows in elimination order, columns ascending.
#[derive(Debug, Clone, Default)]
pub struct Lu {
    /// Number of variables: species, T, sigma, and with [`Features::history`] what is imposed.
    pub n: usize,
    /// Place in elimination order → variable.
    pub order: Indices,
    /// Start of each row, n + 1.
    pub row: Indices,
    /// Place of the diagonal in each row.
    pub diag: Indices,
    /// Column (in elimination order) of each entry.
    pub col: Indices,
    /// Where the real factors live.
    pub factors: Factors<Array>,
    /// Rows that may be made together.
    pub blocks: RowBlocks,
    /// The factors by columns.
    pub columns: Columns,
    /// Entries.
    pub entries: usize,
    /// Fused multiply-adds of a factorisation.
    pub operations: usize,
    /// First row from which on the factors are dense.
    pub dense: usize,
}
