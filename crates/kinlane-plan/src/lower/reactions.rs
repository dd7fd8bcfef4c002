//! Reactions by class: the shape of mass action of each, and the places of its derivatives.

use super::cold::{self, LEAST_K, Reversal};
use super::gather::Builder;
use super::given::Conversion;
use super::laws::{self, Collector, Law, Places, law};
use super::losses;
use super::thermo::{RANGE, Reference};
use crate::plan::{COLD, Features, GeneralReaction, Kind, MassAction, Plan, by_rate};
use kinlane_mech::Network;
use kinlane_mech::network::{Reverse, net};
use std::collections::{BTreeMap, BTreeSet};

/// An internal reaction, as the Jacobian's lowering needs it.
pub struct Draft {
    /// Net stoichiometry (species, ν), without zeros.
    pub net: Vec<(usize, f64)>,
    /// The species that the rate depends on, reactants first.
    pub slots: Vec<usize>,
    /// Places of the derivatives with respect to them.
    pub place: Place,
    /// Extra slots, and what they mean.
    pub extra: Vec<(usize, Extra)>,
}

/// Places of the derivatives of a rate of progress.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// One slot per species, from this one on.
    Slots(usize),
    /// They are made from a rate (by its number); with the number of reactants.
    Rate(usize, usize),
}

/// All internal reactions.
pub struct Drafts {
    /// By internal number.
    pub reactions: Vec<Draft>,
    /// Total number of slots.
    pub slots: usize,
    /// Total number of rates.
    pub rates: usize,
    /// Total number of extra slots.
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

/// A direction of a reaction, or both, before it has an internal number.
pub struct Half {
    pub reactants: Vec<(usize, f64)>,
    pub products: Vec<(usize, f64)>,
    pub orders: Option<Vec<(usize, f64)>>,
    pub reversible: bool,
    pub law: Law,
    pub coef: f64,
    pub third: Option<usize>,
    origin: (usize, bool),
}

/// Down to this temperature \[K\], which a propellant may have, no reverse rate of an Arrhenius law is lost with its k. (Further down
/// many reactions would be concerned.)
const COLDEST: f64 = 60.0;

/// A half by number with its reactant and product molecules.
type Member = (usize, Vec<usize>, Vec<usize>);
/// Reactions of one shape: reactants, products and kind.
type Classes = BTreeMap<(usize, usize, Kind), Vec<Member>>;

/// One entry per molecule, if every coefficient is a whole number and there are at most three.
pub fn molecules(side: &[(usize, f64)]) -> Option<Vec<usize>> {
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
    let mut c = Collector::new(features.factors);
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
            let (reverse, coef) = law(plan, &mut c, r, rate);
            halves.push(Half {
                reactants: r.products.clone(),
                products: r.reactants.clone(),
                orders: orders.clone(),
                reversible: false,
                law: reverse,
                coef,
                third,
                origin: (i, true),
            });
        }
    }
    let (third_place, places) = laws::place(plan, c);
    plan.kinetics.excess = plan.layout.array(if features.factors { plan.kinetics.k.len as usize } else { 0 });
    let exps = plan.tables.get(plan.kinetics.exps).to_vec();
    plan.kinetics.losses = losses::lower(plan, &halves, &exps);
    let (classes, general) = classify(&halves, &places, |h| shape(h, &exps, reference, network));
    // What is exact wherever it is cold.
    let is_short = |h: &Half| h.reversible && ln_k(h, &exps).is_some_and(|ln_k| ln_k(COLDEST) <= LEAST_K);
    let mut placer = Placer::new(&halves, &third_place, &places, network.reactions.len());
    for (shape, members) in &classes {
        placer.mass_action(plan, *shape, members);
        for h in members.iter().map(|&(i, ..)| &halves[i]).filter(|h| is_short(h)) {
            let number = placer.numbers[h.origin.0].0;
            plan.kinetics.cold.push(placer.reaction(h, number, rest(h, reference, network)));
        }
    }
    let is_general: BTreeSet<usize> = general.iter().copied().collect();
    let reversals = halves.iter().enumerate().filter(|(_, h)| h.reversible).map(|(i, h)| {
        let is_general = is_general.contains(&i);
        let is_exact = is_short(h) || is_general && matches!(h.law, Law::Exp(_));
        Reversal {
            sides: [&h.reactants, &h.products],
            // Between COLD and where G is small it is what the classes make of it.
            by_species_from: match is_general {
                true => f64::INFINITY,
                false if is_exact => COLD,
                false => 0.0,
            },
            rate: (!is_exact).then(|| &network.reactions[h.origin.0].rate),
        }
    });
    let reversals: Vec<_> = reversals.collect();
    plan.thermo.cold = cold::lower(&reversals, |k, t| reference.gibbs(k, t), plan.species, &mut plan.tables);
    for i in general {
        placer.general(plan, i, rest(&halves[i], reference, network));
    }
    placer.finish(plan)
}

/// As [`lower`], for reactions whose rate constants come with each cell.
pub fn given(plan: &mut Plan, conversions: &[Conversion<'_>]) -> Drafts {
    let half = |(i, c): (usize, &Conversion<'_>)| Half {
        reactants: c.reactants.to_vec(),
        products: c.products.to_vec(),
        orders: None,
        reversible: false,
        law: Law::Given(i),
        coef: 1.0,
        third: None,
        origin: (i, false),
    };
    let halves: Vec<Half> = conversions.iter().enumerate().map(half).collect();
    let (third_place, places) = laws::place(plan, Collector::given(halves.len()));
    plan.kinetics.losses = losses::lower(plan, &halves, &[]);
    let (classes, general) = classify(&halves, &places, |h| Some((molecules(&h.reactants)?, Vec::new())));
    let mut placer = Placer::new(&halves, &third_place, &places, halves.len());
    for (shape, members) in &classes {
        placer.mass_action(plan, *shape, members);
    }
    for i in general {
        placer.general(plan, i, [0.0; 2]);
    }
    placer.finish(plan)
}

/// The reactant and product molecules of a half that has one of the fixed shapes; `exps` are the pairs (b, e)
/// of the exponentials.
fn shape(h: &Half, exps: &[f64], reference: &Reference, network: &Network) -> Option<(Vec<usize>, Vec<usize>)> {
    if h.orders.is_some()
        || matches!(h.law, Law::Burke(_))
        || (h.third.is_some() && !matches!(h.law, Law::One | Law::Exp(_) | Law::Special(_)))
    {
        return None;
    }
    let mut r = molecules(&h.reactants)?;
    if !h.reversible {
        return Some((r, Vec::new()));
    }
    let mut p = molecules(&h.products)?;
    // A reactant beside a product of about the same G: see `kinetics::backwards`.
    for side in [&mut r, &mut p] {
        side.sort_by(|&i, &j| reference.gibbs(i, RANGE[0]).total_cmp(&reference.gibbs(j, RANGE[0])));
    }
    if rest(h, reference, network).iter().any(|x| x.abs() > 1e-9) {
        return None;
    }
    // e^{±G} of either side, and its factor, must stay far from the limits of a double (e^{±708}).
    let fits = RANGE.iter().all(|&t| {
        let sum = |side: &[usize]| side.iter().map(|&k| reference.gibbs(k, t)).sum::<f64>();
        let single = |side: &[usize]| side.iter().all(|&k| reference.gibbs(k, t).abs() < 500.0);
        sum(&r).abs() < 600.0 && sum(&p).abs() < 600.0 && single(&r) && single(&p)
    });
    // So must k itself: a reverse reaction may be fast where the forward k is too small for a double.
    let k_fits = ln_k(h, exps).is_none_or(|ln_k| RANGE.iter().all(|&t| ln_k(t).abs() < 600.0) && ln_k(COLD) > LEAST_K);
    (fits && k_fits).then_some((r, p))
}

/// ln k at temperatures \[K\], without the A-factor, of an Arrhenius law.
fn ln_k(h: &Half, exps: &[f64]) -> Option<impl Fn(f64) -> f64> {
    let Law::Exp(i) = h.law else { return None };
    let [b, e] = [exps[2 * i], exps[2 * i + 1]];
    Some(move |t: f64| cold::exponent(b, e, t))
}

/// What the elements' reference contributes to ΔG if the equation does not balance exactly.
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
    // Rounding in a balanced equation does not count.
    let exact = |x: f64| if x.abs() < 1e-9 { 0.0 } else { x };
    [exact(r[0]), exact(r[1])]
}

/// Sorts the halves by shape; those without a shape come separately.
fn classify(
    halves: &[Half],
    places: &Places,
    shape: impl Fn(&Half) -> Option<(Vec<usize>, Vec<usize>)>,
) -> (Classes, Vec<usize>) {
    let (mut classes, mut general) = (Classes::new(), Vec::new());
    for (i, h) in halves.iter().enumerate() {
        let kind = match (h.third, places.of(h.law).1) {
            (_, Some(_)) => Kind::Pressure,
            (Some(_), None) => Kind::Third,
            (None, None) => Kind::Plain,
        };
        match shape(h) {
            Some((r, p)) => classes.entry((r.len(), p.len(), kind)).or_default().push((i, r, p)),
            None => general.push(i),
        }
    }
    (classes, general)
}

/// Assigns numbers to halves, and places to their derivatives.
struct Placer<'a> {
    halves: &'a [Half],
    /// Places of collider sums and laws.
    third_place: &'a [usize],
    places: &'a Places,
    /// What has been placed so far, which gives the next free slots.
    drafts: Drafts,
    /// For every reaction of the network: internal numbers and places in `k`, each forward and reverse.
    numbers: Vec<(usize, Option<usize>)>,
    constants: Vec<(usize, Option<usize>)>,
    /// By internal number: the reaction whose explicit reverse this is.
    reverse_of: Vec<Option<usize>>,
}

impl<'a> Placer<'a> {
    fn new(halves: &'a [Half], third_place: &'a [usize], places: &'a Places, reactions: usize) -> Self {
        let drafts = Drafts { reactions: Vec::new(), slots: 0, rates: 0, extra: 0 };
        let none = vec![(0, None); reactions];
        Self { halves, third_place, places, drafts, numbers: none.clone(), constants: none, reverse_of: Vec::new() }
    }

    /// Gives a half the next internal number.
    fn number(&mut self, h: &Half, draft: Draft) {
        let (number, k) = (self.drafts.reactions.len(), self.places.of(h.law).0);
        let (reaction, reverse) = h.origin;
        if reverse {
            (self.numbers[reaction].1, self.constants[reaction].1) = (Some(number), Some(k));
        } else {
            (self.numbers[reaction].0, self.constants[reaction].0) = (number, k);
        }
        self.reverse_of.push(reverse.then_some(reaction));
        self.drafts.extra += draft.extra.len();
        self.drafts.reactions.push(draft);
    }

    /// Extra slots and their meaning: first the derivative through the rate constant, then that of a factor
    /// \[M\].
    fn extra(&self, h: &Half) -> Vec<(usize, Extra)> {
        let by_law = match (h.law, self.places.of(h.law).1) {
            (Law::Falloff(..), Some(aux)) => Some(Extra::Collider(self.places.collider[aux])),
            (_, Some(_)) => Some(Extra::Total),
            _ => None,
        };
        let by_factor = h.third.map(|m| Extra::Collider(self.third_place[m]));
        (self.drafts.extra..).zip(by_law.into_iter().chain(by_factor)).collect()
    }

    /// Places all reactions of one shape.
    fn mass_action(&mut self, plan: &mut Plan, (reactants, products, kind): (usize, usize, Kind), members: &[Member]) {
        let by_rate = by_rate(reactants, products);
        let (first, extra) = (self.drafts.reactions.len(), self.drafts.extra);
        let slot = if by_rate { self.drafts.rates } else { self.drafts.slots };
        let (mut index, mut coef) = (Vec::new(), Vec::new());
        for (i, r, p) in members {
            let h = &self.halves[*i];
            let (k, aux) = self.places.of(h.law);
            index.extend([k, aux.or(h.third.map(|m| self.third_place[m])).unwrap_or(0)]);
            index.extend(r.iter().chain(p));
            coef.push(h.coef);
            let place = if by_rate {
                self.drafts.rates += 1;
                Place::Rate(self.drafts.rates - 1, reactants)
            } else {
                self.drafts.slots += reactants + products;
                Place::Slots(self.drafts.slots - reactants - products)
            };
            let slots = r.iter().chain(p).copied().collect();
            let draft = Draft { net: net(&h.reactants, &h.products), slots, place, extra: self.extra(h) };
            self.number(h, draft);
        }
        plan.kinetics.mass_action.push(MassAction {
            reactants,
            products,
            kind,
            count: members.len(),
            first,
            index: plan.tables.indices(index),
            coef: plan.tables.reals(coef),
            slot,
            extra,
        });
    }

    /// A half with a number, as a reaction without a fixed shape that has no slots; `rest` is what its equation leaves unbalanced.
    fn reaction(&self, h: &Half, number: usize, rest: [f64; 2]) -> GeneralReaction {
        let (k, aux) = self.places.of(h.law);
        let nu = net(&h.reactants, &h.products);
        // A species of order zero counts if it is consumed, since the reaction ends where it is gone: see
        // `power` in kinlane-solve.
        let matters = |&(k, order): &(usize, f64)| order != 0.0 || nu.iter().any(|&(c, v)| c == k && v < 0.0);
        GeneralReaction {
            number,
            k,
            coef: h.coef,
            third: h.third.map(|m| self.third_place[m]),
            aux,
            forward: h.orders.as_ref().unwrap_or(&h.reactants).iter().copied().filter(matters).collect(),
            reverse: if h.reversible { h.products.clone() } else { Vec::new() },
            nu,
            rest,
            reversible: h.reversible,
            slot: 0,
            extra: 0,
            burke: if let Law::Burke(b) = h.law { Some(b) } else { None },
        }
    }

    /// Places a reaction without a fixed shape; `rest` as in [`Placer::reaction`].
    fn general(&mut self, plan: &mut Plan, i: usize, rest: [f64; 2]) {
        let h = &self.halves[i];
        let (number, slot, extra) = (self.drafts.reactions.len(), self.drafts.slots, self.drafts.extra);
        let reaction = GeneralReaction { slot, extra, ..self.reaction(h, number, rest) };
        let mut slots: Vec<usize> = reaction.forward.iter().chain(&reaction.reverse).map(|x| x.0).collect();
        if let Some(b) = reaction.burke {
            slots.extend(plan.kinetics.burke[b].colliders.iter().filter_map(|x| x.species));
        }
        self.drafts.slots += slots.len();
        let draft = Draft { net: reaction.nu.clone(), slots, place: Place::Slots(slot), extra: self.extra(h) };
        self.number(h, draft);
        plan.kinetics.general.push(reaction);
    }

    fn finish(self, plan: &mut Plan) -> Drafts {
        let reactions = &self.drafts.reactions;
        let kin = &mut plan.kinetics;
        kin.reactions = reactions.len();
        kin.place = self.numbers;
        kin.constant = self.constants;
        kin.reverse_of = self.reverse_of;
        kin.q = plan.layout.array(reactions.len() + 1);
        let mut wdot = Builder::<usize>::default();
        (0..plan.species).for_each(|k| wdot.touch(k));
        for (r, d) in reactions.iter().enumerate() {
            d.net.iter().for_each(|&(k, v)| wdot.add(k, r, v));
        }
        // Where all reactions keep the mass, as in stars, and rates balance, the rounding of their sums makes nuclides
        // and charge out of nothing: see `kinlane_solve::gas::gather::exactly`.
        kin.exact_sums = plan.given && plan.conserving && wdot.is_whole();
        kin.wdot = wdot.build(&mut plan.tables, (!kin.exact_sums).then_some(reactions.len()));
        self.drafts
    }
}
