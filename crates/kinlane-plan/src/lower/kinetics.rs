//! Reactions by class: which law fills which place of `k`, and which shape of mass action uses it.

use super::gather::Builder;
use super::thermo::{RANGE, Reference};
use crate::plan::{
    Broadening, BurkeCollider, BurkeInner, BurkeLaw, ChebyshevLaw, FalloffClass, Features, GeneralReaction, Kind,
    MassAction, Plan, PlogLaw, PlogSumLaw, Special, SpecialLaw, ThirdBodies, by_rate,
};
use kinlane_mech::Network;
use kinlane_mech::network::{Arrhenius, Blend, Chebyshev, Falloff, PressureLaw, RateLaw, Reaction, Reverse, ThirdBody};
use std::collections::{BTreeMap, HashMap};

/// An internal reaction with its internal number, for the Jacobian's lowering.
pub struct Draft {
    /// Net stoichiometry (species, ν), zeros left out.
    pub net: Vec<(usize, f64)>,
    /// The species that it depends on, reactants first.
    pub slots: Vec<usize>,
    /// Where the derivatives by them are.
    pub place: Place,
    /// Extra slots, and what they mean.
    pub extra: Vec<(usize, Extra)>,
}

/// Where derivatives of a rate of progress are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// One slot per species, from this one on.
    Slots(usize),
    /// In a rate, that many reactants.
    Rate(usize, usize),
}

/// All internal reactions.
pub struct Drafts {
    /// By internal number.
    pub reactions: Vec<Draft>,
    /// How many slots there are.
    pub slots: usize,
    /// How many rates.
    pub rates: usize,
    /// How many extra slots.
    pub extra: usize,
}

/// The meaning of an extra slot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extra {
    /// ∂q/∂[M] of this collider sum.
    Collider(usize),
    /// ∂q/∂ln Ctot.
    Total,
}

/// An internal reaction before it has a number.
struct Half {
    reactants: Vec<(usize, f64)>,
    products: Vec<(usize, f64)>,
    orders: Option<Vec<(usize, f64)>>,
    reversible: bool,
    law: Law,
    coef: f64,
    third: Option<usize>,
    origin: (usize, bool),
}

/// Where a rate constant comes from, before places are given.
#[derive(Clone, Copy, PartialEq)]
enum Law {
    One,
    Exp(usize),
    Falloff(usize, usize), // class, number in it
    Plog(usize),
    PlogSum(usize),
    Chebyshev(usize),
    Burke(usize),
    Special(usize),
}

/// Collider sum and parameters of a falloff law.
type FalloffEntry = (usize, [f64; 11]);
/// Default efficiency, excess of the enhanced species, and whether falloff wants the logarithm.
type Body = (f64, Vec<(usize, f64)>, bool);
/// A half by number with its reactant and product molecules.
type Member = (usize, Vec<usize>, Vec<usize>);

#[derive(Default)]
struct Collector {
    /// Every law has an exponential of its own.
    apart: bool,
    exps: Vec<(f64, f64)>,
    exp_of: HashMap<(u64, u64), usize>,
    bodies: Vec<Body>,
    falloff: BTreeMap<(Broadening, bool), Vec<FalloffEntry>>,
    plog: Vec<PlogLaw>,
    plog_sum: Vec<PlogSumLaw>,
    chebyshev: Vec<ChebyshevLaw>,
    burke: Vec<BurkeLaw>,
    special: Vec<SpecialLaw>,
}

impl Collector {
    /// The exponential of an Arrhenius law, shared by all with the same b and e where laws may share.
    fn exp(&mut self, r: &Arrhenius) -> Law {
        if r.a == 0.0 || (r.b == 0.0 && r.e == 0.0 && !self.apart) {
            return Law::One;
        }
        let next = self.exps.len();
        let i = if self.apart { next } else { *self.exp_of.entry((r.b.to_bits(), r.e.to_bits())).or_insert(next) };
        if i == next {
            self.exps.push((r.b, r.e));
        }
        Law::Exp(i)
    }

    /// A falloff law, shared by all with the same parameters and colliders where laws may share.
    fn falloff(&mut self, f: &Falloff) -> Law {
        let m = self.body(&f.body, true);
        let (shape, params) = falloff_params(f);
        let key = (shape, f.activated);
        let list = self.falloff.entry(key).or_default();
        let known = if self.apart { None } else { list.iter().position(|law| *law == (m, params)) };
        let i = known.unwrap_or(list.len());
        if i == list.len() {
            list.push((m, params));
        }
        Law::Falloff(falloff_key(key), i)
    }

    fn body(&mut self, b: &ThirdBody, ln: bool) -> usize {
        let mut excess: Vec<_> =
            b.efficiencies.iter().map(|&(k, e)| (k, e - b.default)).filter(|x| x.1 != 0.0).collect();
        excess.sort_by_key(|x| x.0);
        match self.bodies.iter().position(|x| x.0 == b.default && x.1 == excess) {
            Some(i) => {
                self.bodies[i].2 |= ln;
                i
            }
            None => {
                self.bodies.push((b.default, excess, ln));
                self.bodies.len() - 1
            }
        }
    }
}

fn ln_triple(r: &Arrhenius) -> [f64; 3] {
    [r.a.abs().ln(), r.b, r.e]
}

fn falloff_params(f: &Falloff) -> (Broadening, [f64; 11]) {
    let (high, low) = (ln_triple(&f.high), ln_triple(&f.low));
    let (shape, b) = match f.blend {
        Blend::Lindemann => (Broadening::Lindemann, [0.0; 5]),
        // A vanishing T*** or T* makes its exponential vanish. No slope beyond ±1e4/K is kept: from 0.1 K on it
        // means 0 or infinity, and arguments of exp stay bounded; so for temperatures beyond 1e8 K.
        Blend::Troe { a, t3, t1, t2 } => {
            let inverse = |t: f64| if t == 0.0 { -1e4 } else { (-1.0 / t).clamp(-1e4, 1e4) };
            let b = [a, inverse(t3), inverse(t1), -t2.unwrap_or(0.0).clamp(-1e8, 1e8), 0.0];
            (if t2.is_some_and(|t| t != 0.0) { Broadening::Troe4 } else { Broadening::Troe3 }, b)
        }
        Blend::Sri { a, b, c, d, e } => {
            (Broadening::Sri, [a, -b.clamp(-1e8, 1e8), if c == 0.0 { -1e4 } else { (-1.0 / c).clamp(-1e4, 1e4) }, d, e])
        }
        Blend::Tsang { a, b } => (Broadening::Tsang, [a, b, 0.0, 0.0, 0.0]),
    };
    // κ = k0/k∞. Opposite signs are refused by the readers.
    (
        shape,
        [high[0], high[1], high[2], low[0] - high[0], low[1] - high[1], low[2] - high[2], b[0], b[1], b[2], b[3], b[4]],
    )
}

fn plog_sum(points: &[(f64, Vec<Arrhenius>)]) -> PlogSumLaw {
    let mut law = PlogSumLaw::default();
    for (p, terms) in points {
        law.ln_p.push(p.ln());
        law.terms.push(terms.iter().map(|t| [t.a, t.b, t.e]).collect());
    }
    law
}

fn chebyshev(plan: &mut Plan, c: &Chebyshev) -> ChebyshevLaw {
    // T̃ = (2/T − 1/T0 − 1/T1)/(1/T1 − 1/T0), P̃ = (2 log p − log p0 − log p1)/(log p1 − log p0)
    let (i0, i1) = (1.0 / c.t[0], 1.0 / c.t[1]);
    let (l0, l1) = (c.p[0].ln(), c.p[1].ln());
    ChebyshevLaw {
        nt: c.alpha.len(),
        np: c.alpha.first().map_or(0, Vec::len),
        alpha: plan.tables.reals(c.alpha.iter().flatten().copied()),
        t: [2.0 / (i1 - i0), -(i0 + i1) / (i1 - i0)],
        p: [2.0 / (l1 - l0), -(l0 + l1) / (l1 - l0)],
        ..ChebyshevLaw::default()
    }
}

/// Law and factor of a rate.
fn law(plan: &mut Plan, c: &mut Collector, reaction: &Reaction, rate: &RateLaw) -> (Law, f64) {
    match rate {
        RateLaw::Arrhenius(r) => (c.exp(r), r.a),
        RateLaw::Falloff(f) if f.low.a == 0.0 || f.high.a == 0.0 => (Law::One, 0.0),
        RateLaw::Falloff(f) => (c.falloff(f), f.high.a.signum()),
        RateLaw::Plog(points) => {
            if points.iter().all(|p| p.1.len() == 1 && p.1[0].a > 0.0) {
                let first = ln_triple(&points[0].1[0]);
                let mut steps = Vec::new();
                for w in points.windows(2) {
                    let (a, b) = (ln_triple(&w[0].1[0]), ln_triple(&w[1].1[0]));
                    let width = w[1].0.ln() - w[0].0.ln();
                    steps.extend([
                        w[0].0.ln(),
                        width,
                        (b[0] - a[0]) / width,
                        (b[1] - a[1]) / width,
                        (b[2] - a[2]) / width,
                    ]);
                }
                c.plog.push(PlogLaw {
                    intervals: points.len() - 1,
                    steps: plan.tables.reals(steps),
                    first,
                    ..PlogLaw::default()
                });
                (Law::Plog(c.plog.len() - 1), 1.0)
            } else {
                c.plog_sum.push(plog_sum(points));
                (Law::PlogSum(c.plog_sum.len() - 1), 1.0)
            }
        }
        RateLaw::Chebyshev(x) => {
            let x = chebyshev(plan, x);
            c.chebyshev.push(x);
            (Law::Chebyshev(c.chebyshev.len() - 1), 1.0)
        }
        RateLaw::LinearBurke(colliders) => {
            let mut list = Vec::new();
            let of_m = colliders.iter().find(|x| x.species.is_none()).and_then(|x| x.law.as_ref());
            for x in colliders {
                // A collider with only an efficiency takes M's law at M's effective pressure.
                let Some(inner) = x.law.as_ref().or(of_m) else { continue };
                list.push(BurkeCollider {
                    species: x.species,
                    efficiency: [x.efficiency.a, x.efficiency.b, x.efficiency.e],
                    // With an efficiency of zero it takes no part, and its effective pressure would be infinite.
                    own: x.law.is_some() && x.species.is_some() && x.efficiency.a != 0.0,
                    law: match inner {
                        PressureLaw::Falloff(f) => {
                            // Where either limit is zero the rate is, and its logarithm is not needed.
                            let (a, b) = (f.high.a, f.low.a);
                            let sign = if a == 0.0 || b == 0.0 { 0.0 } else { a.signum() };
                            let one = |r: &Arrhenius| Arrhenius { a: if sign == 0.0 { 1.0 } else { r.a }, ..*r };
                            let (shape, p) =
                                falloff_params(&Falloff { high: one(&f.high), low: one(&f.low), ..f.clone() });
                            BurkeInner::Falloff(shape, Box::new(p), sign)
                        }
                        PressureLaw::Plog(p) => BurkeInner::Plog(plog_sum(p)),
                        PressureLaw::Chebyshev(x) => BurkeInner::Chebyshev(chebyshev(plan, x)),
                    },
                });
            }
            list.sort_by_key(|x| x.species.is_some());
            let named = list.iter().filter(|x| x.species.is_some()).count();
            let dk = plan.layout.array(named.max(1));
            c.burke.push(BurkeLaw { k: 0, aux: 0, colliders: list, dk });
            (Law::Burke(c.burke.len() - 1), 1.0)
        }
        RateLaw::BlowersMasel { arrhenius, w } => {
            let kind = Special::BlowersMasel { w: *w, nu: net(&reaction.reactants, &reaction.products) };
            special(c, arrhenius, kind)
        }
        RateLaw::TwoTemperature { arrhenius, e_electron } => {
            special(c, arrhenius, Special::TwoTemperature { e_electron: *e_electron })
        }
        RateLaw::LandauTeller { arrhenius, b, c: cc } => special(c, arrhenius, Special::LandauTeller { b: *b, c: *cc }),
    }
}

fn special(c: &mut Collector, r: &Arrhenius, kind: Special) -> (Law, f64) {
    if r.a == 0.0 {
        return (Law::One, 0.0);
    }
    c.special.push(SpecialLaw { k: 0, arrhenius: ln_triple(r), kind });
    (Law::Special(c.special.len() - 1), r.a.signum())
}

/// A number for a falloff class that does not change as classes are found.
fn falloff_key((b, activated): (Broadening, bool)) -> usize {
    b as usize * 2 + usize::from(activated)
}

fn net(reactants: &[(usize, f64)], products: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut n: BTreeMap<usize, f64> = BTreeMap::new();
    reactants.iter().for_each(|&(k, v)| *n.entry(k).or_default() -= v);
    products.iter().for_each(|&(k, v)| *n.entry(k).or_default() += v);
    n.into_iter().filter(|x| x.1 != 0.0).collect()
}

/// One entry per molecule, if every coefficient is a whole number and there are at most three.
fn molecules(side: &[(usize, f64)]) -> Option<Vec<usize>> {
    let mut out = Vec::new();
    for &(k, v) in side {
        if v.fract() != 0.0 || !(0.0..=3.0).contains(&v) {
            return None;
        }
        out.extend(std::iter::repeat_n(k, v as usize));
    }
    (1..=3).contains(&out.len()).then_some(out)
}

pub fn lower(plan: &mut Plan, network: &Network, reference: &Reference, features: Features) -> Drafts {
    let mut c = Collector { apart: features.factors, ..Collector::default() };
    let mut halves = Vec::new();
    for (i, r) in network.reactions.iter().enumerate() {
        let (forward, coef) = law(plan, &mut c, r, &r.rate);
        let third = r.third_body.as_ref().map(|b| c.body(b, false));
        halves.push(Half {
            reactants: r.reactants.clone(),
            products: r.products.clone(),
            orders: r.orders.clone(),
            reversible: r.reverse == Reverse::Equilibrium,
            law: forward,
            coef,
            third,
            origin: (i, false),
        });
        if let Reverse::Explicit { rate, orders } = &r.reverse {
            let (backward, coef) = law(plan, &mut c, r, rate);
            halves.push(Half {
                reactants: r.products.clone(),
                products: r.reactants.clone(),
                orders: orders.clone(),
                reversible: false,
                law: backward,
                coef,
                third,
                origin: (i, true),
            });
        }
    }
    let (third_place, places) = place_laws(plan, c);
    plan.kinetics.excess = plan.layout.array(if features.factors { plan.kinetics.k.len as usize } else { 0 });
    place_reactions(plan, network, reference, &halves, &third_place, &places)
}

/// Gives every law its place in `k` and `k_aux`. Returns where each collider sum went, and where a law's place is.
fn place_laws(plan: &mut Plan, c: Collector) -> (Vec<usize>, Places) {
    let kin = &mut plan.kinetics;
    kin.exps = plan.tables.reals(c.exps.iter().flat_map(|e| [e.0, e.1]));

    // Collider sums whose logarithm is wanted come first.
    let mut order: Vec<usize> = (0..c.bodies.len()).collect();
    order.sort_by_key(|&i| !c.bodies[i].2);
    let mut third_place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &i)| third_place[i] = at);
    let mut ptr = vec![0];
    let (mut species, mut excess) = (Vec::new(), Vec::new());
    for &i in &order {
        species.extend(c.bodies[i].1.iter().map(|x| x.0));
        excess.extend(c.bodies[i].1.iter().map(|x| x.1));
        ptr.push(species.len());
    }
    let count = order.len();
    let negative = c.bodies.iter().any(|b| b.0 < 0.0 || b.1.iter().any(|x| b.0 + x.1 < 0.0));
    kin.third = ThirdBodies {
        count,
        m: plan.layout.array(count),
        ln_m: plan.layout.array(count),
        default: plan.tables.reals(order.iter().map(|&i| c.bodies[i].0)),
        ptr: plan.tables.indices(ptr),
        species: plan.tables.indices(species),
        excess: plan.tables.reals(excess),
        with_ln: c.bodies.iter().filter(|b| b.2).count(),
        least: if negative { f64::MIN } else { 0.0 },
    };

    let (mut k, mut aux) = (kin.first_aux(), 0);
    let mut places = Places { exps: 1, ..Places::default() };
    for (key, laws) in &c.falloff {
        places.falloff.insert(falloff_key(*key), (k, aux));
        kin.falloff.push(FalloffClass {
            broadening: key.0,
            activated: key.1,
            count: laws.len(),
            k,
            aux,
            m: plan.tables.indices(laws.iter().map(|l| third_place[l.0])),
            params: plan.tables.reals(laws.iter().flat_map(|l| l.1)),
        });
        places.collider.extend(laws.iter().map(|l| third_place[l.0]));
        k += laws.len();
        aux += laws.len();
    }
    let mut next = |k: &mut usize| {
        let at = (*k, aux);
        *k += 1;
        aux += 1;
        at
    };
    kin.plog = c.plog;
    for l in &mut kin.plog {
        (l.k, l.aux) = next(&mut k);
        places.plog.push((l.k, l.aux));
    }
    kin.plog_sum = c.plog_sum;
    for l in &mut kin.plog_sum {
        (l.k, l.aux) = next(&mut k);
        places.plog_sum.push((l.k, l.aux));
    }
    kin.chebyshev = c.chebyshev;
    for l in &mut kin.chebyshev {
        (l.k, l.aux) = next(&mut k);
        places.chebyshev.push((l.k, l.aux));
    }
    kin.burke = c.burke;
    for l in &mut kin.burke {
        (l.k, l.aux) = next(&mut k);
        places.burke.push((l.k, l.aux));
    }
    kin.special = c.special;
    for l in &mut kin.special {
        l.k = k;
        places.special.push(k);
        k += 1;
    }
    kin.k = plan.layout.fine(k);
    let most = kin.falloff.iter().map(|f| f.count).max().unwrap_or(0);
    kin.falloff_work = std::array::from_fn(|_| plan.layout.array(most));
    kin.aux = aux;
    (third_place, places)
}

#[derive(Default)]
struct Places {
    exps: usize,
    falloff: HashMap<usize, (usize, usize)>,
    /// Collider sum by aux number, for falloff laws.
    collider: Vec<usize>,
    plog: Vec<(usize, usize)>,
    plog_sum: Vec<(usize, usize)>,
    chebyshev: Vec<(usize, usize)>,
    burke: Vec<(usize, usize)>,
    special: Vec<usize>,
}

impl Places {
    /// Place in `k`, and number in `k_aux` if the law has one.
    fn of(&self, law: Law) -> (usize, Option<usize>) {
        let pair = |p: (usize, usize)| (p.0, Some(p.1));
        match law {
            Law::One => (0, None),
            Law::Exp(i) => (self.exps + i, None),
            Law::Falloff(key, i) => {
                let (k, aux) = self.falloff[&key];
                (k + i, Some(aux + i))
            }
            Law::Plog(i) => pair(self.plog[i]),
            Law::PlogSum(i) => pair(self.plog_sum[i]),
            Law::Chebyshev(i) => pair(self.chebyshev[i]),
            Law::Burke(i) => pair(self.burke[i]),
            Law::Special(i) => (self.special[i], None),
        }
    }
}

/// A half that fits one of the fixed shapes; `exps` are the pairs of the exponentials.
fn shape(h: &Half, exps: &[f64], reference: &Reference, network: &Network) -> Option<(Vec<usize>, Vec<usize>)> {
    if h.orders.is_some()
        || matches!(h.law, Law::Burke(_))
        || (h.third.is_some() && !matches!(h.law, Law::One | Law::Exp(_) | Law::Special(_)))
    {
        return None;
    }
    let r = molecules(&h.reactants)?;
    if !h.reversible {
        return Some((r, Vec::new()));
    }
    let p = molecules(&h.products)?;
    if rest(h, reference, network).iter().any(|x| x.abs() > 1e-9) {
        return None;
    }
    // e^{±G} of either side, and what multiplies it, must stay far from the limits of a double (e^{±708}).
    let fits = (0..RANGE.len()).all(|t| {
        let sum = |side: &[usize]| side.iter().map(|&k| reference.gibbs[k][t]).sum::<f64>();
        let single = |side: &[usize]| side.iter().all(|&k| reference.gibbs[k][t].abs() < 500.0);
        sum(&r).abs() < 600.0 && sum(&p).abs() < 600.0 && single(&r) && single(&p)
    });
    // So must k itself: the reverse of a reaction may be fast where its own k is too small for a number.
    let k_fits = match h.law {
        Law::Exp(i) => RANGE.iter().all(|t| (exps[2 * i] * t.ln() - exps[2 * i + 1] / t).abs() < 600.0),
        _ => true,
    };
    (fits && k_fits).then_some((r, p))
}

/// What the elements' reference contributes to ΔG because the equation does not balance exactly.
fn rest(h: &Half, reference: &Reference, network: &Network) -> [f64; 2] {
    let mut r = [0.0; 2];
    for (side, sign) in [(&h.reactants, -1.0), (&h.products, 1.0)] {
        for &(k, v) in side {
            for &(e, n) in &network.species[k].composition {
                r[0] += sign * v * n * reference.lambda[e][0];
                r[1] += sign * v * n * reference.lambda[e][1];
            }
        }
    }
    // Rounding of exactly balanced equations is not a rest.
    let exact = |x: f64| if x.abs() < 1e-9 { 0.0 } else { x };
    [exact(r[0]), exact(r[1])]
}

fn place_reactions(
    plan: &mut Plan,
    network: &Network,
    reference: &Reference,
    halves: &[Half],
    third_place: &[usize],
    places: &Places,
) -> Drafts {
    let mut classes: BTreeMap<(usize, usize, Kind), Vec<Member>> = BTreeMap::new();
    let mut general = Vec::new();
    let exps = plan.tables.get(plan.kinetics.exps);
    for (i, h) in halves.iter().enumerate() {
        let kind = match (h.third, places.of(h.law).1) {
            (_, Some(_)) => Kind::Pressure,
            (Some(_), None) => Kind::Third,
            (None, None) => Kind::Plain,
        };
        match shape(h, exps, reference, network) {
            Some((r, p)) => classes.entry((r.len(), p.len(), kind)).or_default().push((i, r, p)),
            None => general.push(i),
        }
    }
    let mut drafts = Vec::new();
    let mut place = vec![(0, None); network.reactions.len()];
    let mut constant = place.clone();
    let mut reverse_of = Vec::new();
    let (mut slot, mut rate, mut extra) = (0, 0, 0);
    let mut note = |number: usize, k: usize, origin: (usize, bool)| {
        if origin.1 {
            (place[origin.0].1, constant[origin.0].1) = (Some(number), Some(k));
        } else {
            (place[origin.0].0, constant[origin.0].0) = (number, k);
        }
        reverse_of.push(origin.1.then_some(origin.0));
    };
    // First the derivative through the rate constant, then that of a factor [M].
    let meaning = |h: &Half, extra: usize| -> Vec<(usize, Extra)> {
        let mut out = Vec::new();
        match (h.law, places.of(h.law).1) {
            (Law::Falloff(..), Some(aux)) => out.push((extra, Extra::Collider(places.collider[aux]))),
            (_, Some(_)) => out.push((extra, Extra::Total)),
            _ => {}
        }
        if let Some(m) = h.third {
            out.push((extra + out.len(), Extra::Collider(third_place[m])));
        }
        out
    };
    for ((nr, np, kind), members) in &classes {
        let by_rate = by_rate(*nr, *np);
        let (first, first_slot, first_extra) = (drafts.len(), if by_rate { rate } else { slot }, extra);
        let (mut index, mut coef) = (Vec::new(), Vec::new());
        for (i, r, p) in members {
            let h = &halves[*i];
            let (k, aux) = places.of(h.law);
            index.extend([k, aux.or(h.third.map(|m| third_place[m])).unwrap_or(0)]);
            index.extend(r.iter().chain(p));
            coef.push(h.coef);
            note(drafts.len(), k, h.origin);
            drafts.push(Draft {
                net: net(&h.reactants, &h.products),
                slots: r.iter().chain(p).copied().collect(),
                place: if by_rate { Place::Rate(rate, *nr) } else { Place::Slots(slot) },
                extra: meaning(h, extra),
            });
            if by_rate {
                rate += 1;
            } else {
                slot += nr + np;
            }
            extra += usize::from(*kind != Kind::Plain);
        }
        plan.kinetics.mass_action.push(MassAction {
            reactants: *nr,
            products: *np,
            kind: *kind,
            count: members.len(),
            first,
            index: plan.tables.indices(index),
            coef: plan.tables.reals(coef),
            slot: first_slot,
            extra: first_extra,
        });
    }
    for i in general {
        let h = &halves[i];
        let (k, aux) = places.of(h.law);
        let burke = if let Law::Burke(b) = h.law { Some(b) } else { None };
        // Order zero counts where the reaction must end with the species, see `power` in kinlane-solve.
        let consumed = net(&h.reactants, &h.products);
        let matters = |&(k, order): &(usize, f64)| order != 0.0 || consumed.iter().any(|&(c, nu)| c == k && nu < 0.0);
        let forward: Vec<_> =
            h.orders.clone().unwrap_or_else(|| h.reactants.clone()).into_iter().filter(matters).collect();
        let reverse = if h.reversible { h.products.clone() } else { Vec::new() };
        let mut slots: Vec<usize> = forward.iter().chain(&reverse).map(|x| x.0).collect();
        if let Some(b) = burke {
            slots.extend(plan.kinetics.burke[b].colliders.iter().filter_map(|x| x.species));
        }
        let number = drafts.len();
        note(number, k, h.origin);
        let extras = meaning(h, extra);
        let used = extras.len();
        drafts.push(Draft {
            net: net(&h.reactants, &h.products),
            slots: slots.clone(),
            place: Place::Slots(slot),
            extra: extras,
        });
        plan.kinetics.general.push(GeneralReaction {
            number,
            k,
            coef: h.coef,
            third: h.third.map(|m| third_place[m]),
            aux,
            forward,
            reverse,
            nu: net(&h.reactants, &h.products),
            rest: rest(h, reference, network),
            reversible: h.reversible,
            slot,
            extra,
            burke,
        });
        slot += slots.len();
        extra += used;
    }
    let kin = &mut plan.kinetics;
    kin.reactions = drafts.len();
    kin.place = place;
    kin.constant = constant;
    kin.reverse_of = reverse_of;
    kin.q = plan.layout.array(drafts.len() + 1);
    let mut wdot = Builder::<usize>::default();
    (0..plan.species).for_each(|k| wdot.touch(k));
    for (r, d) in drafts.iter().enumerate() {
        d.net.iter().for_each(|&(k, v)| wdot.add(k, r, v));
    }
    kin.wdot = wdot.build(&mut plan.tables, Some(drafts.len()));
    Drafts { reactions: drafts, slots: slot, rates: rate, extra }
}
