//! Rate laws: which law fills which place of `k`, what laws share, and the collider sums that they need.

use crate::plan::{
    Broadening, BurkeCollider, BurkeInner, BurkeLaw, ChebyshevLaw, FalloffClass, Plan, PlogLaw, PlogSumLaw, Special,
    SpecialLaw, ThirdBodies,
};
use kinlane_mech::network::{
    Arrhenius, Blend, Chebyshev, Collider, Falloff, PressureLaw, RateLaw, Reaction, ThirdBody,
};
use std::collections::{BTreeMap, HashMap};

/// Where a rate constant comes from, before places are assigned.
#[derive(Clone, Copy, PartialEq)]
pub enum Law {
    One,
    Exp(usize),
    Falloff((Broadening, bool), usize), // class, number in it
    Plog(usize),
    PlogSum(usize),
    Chebyshev(usize),
    Burke(usize),
    Special(usize),
    /// It comes with the cell.
    Given(usize),
}

/// Collider sum and parameters of a falloff law.
type FalloffEntry = (usize, [f64; FalloffClass::PARAMS]);
/// A collider sum.
struct Body {
    /// Efficiency of species that are not named.
    default: f64,
    /// By enhanced species: efficiency minus default.
    excess: Vec<(usize, f64)>,
    /// Whether a falloff law needs the logarithm.
    ln: bool,
}

/// All laws of a network, by kind.
#[derive(Default)]
pub struct Collector {
    /// Every law gets an exponential of its own.
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
    /// Rate constants that come with the cell.
    given: usize,
}

impl Collector {
    /// An empty collector; `apart` as the field says.
    pub fn new(apart: bool) -> Self {
        Self { apart, ..Self::default() }
    }

    /// Rate constants that come with the cell, and no others.
    pub fn given(count: usize) -> Self {
        Self { given: count, ..Self::default() }
    }

    /// The exponential of an Arrhenius law; unless `apart`, shared by all laws with the same b and e.
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

    /// A falloff law; unless `apart`, shared by all with the same parameters and colliders.
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
        Law::Falloff(key, i)
    }

    /// The collider sum of a third body; with `ln` its logarithm is needed, too.
    pub fn body(&mut self, b: &ThirdBody, ln: bool) -> usize {
        let mut excess: Vec<_> =
            b.efficiencies.iter().map(|&(k, e)| (k, e - b.default)).filter(|x| x.1 != 0.0).collect();
        excess.sort_by_key(|x| x.0);
        let known = self.bodies.iter().position(|x| x.default == b.default && x.excess == excess);
        let i = known.unwrap_or(self.bodies.len());
        match self.bodies.get_mut(i) {
            Some(body) => body.ln |= ln,
            None => self.bodies.push(Body { default: b.default, excess, ln }),
        }
        i
    }
}

fn ln_triple(r: &Arrhenius) -> [f64; 3] {
    [r.a.abs().ln(), r.b, r.e]
}

fn falloff_params(f: &Falloff) -> (Broadening, [f64; FalloffClass::PARAMS]) {
    let (high, low) = (ln_triple(&f.high), ln_triple(&f.low));
    let (shape, b) = match f.blend {
        Blend::Lindemann => (Broadening::Lindemann, [0.0; 5]),
        Blend::Troe { a, t3, t1, t2 } => troe(a, [t3, t1], t2.unwrap_or(0.0)),
        Blend::Sri { a, b, c, d, e } => {
            (Broadening::Sri, [a, -b.clamp(-1e8, 1e8), if c == 0.0 { -1e4 } else { (-1.0 / c).clamp(-1e4, 1e4) }, d, e])
        }
        Blend::Tsang { a, b } => (Broadening::Tsang, [a, b, 0.0, 0.0, 0.0]),
    };
    // κ = k0/k∞. Opposite signs are refused when a mechanism is read.
    (
        shape,
        [high[0], high[1], high[2], low[0] - high[0], low[1] - high[1], low[2] - high[2], b[0], b[1], b[2], b[3], b[4]],
    )
}

/// Troe's Fcent from a, T***, T* and T**, which is zero where it is absent. In mechanisms, T*** = 1e-30 and
/// T* = 1e30 stand for a constant Fcent: such exponentials are left out.
fn troe(a: f64, [t3, t1]: [f64; 2], t2: f64) -> (Broadening, [f64; 5]) {
    // A vanishing T*** or T* makes its exponential vanish. Slopes are limited to ±1e4/K: from 0.1 K on a
    // steeper one gives 0 or infinity anyway, and arguments of exp stay bounded. The same holds for
    // temperatures beyond 1e8 K.
    let slopes = [t3, t1].map(|t| if t == 0.0 { -1e4 } else { (-1.0 / t).clamp(-1e4, 1e4) });
    let t2 = t2.clamp(-1e8, 1e8);
    // The value of an exponential that is constant, to all digits, from 0.1 to 1e5 K.
    let constant = |slope: f64| match slope {
        s if s.abs() < 1e-22 => Some(1.0),
        -1e4 => Some(0.0),
        _ => None,
    };
    let two = t2 == 0.0 || t2 == 1e8;
    match slopes.map(constant) {
        [Some(first), Some(second)] if two => (Broadening::Tsang, [(1.0 - a) * first + a * second, 0.0, 0.0, 0.0, 0.0]),
        _ => (if two { Broadening::Troe3 } else { Broadening::Troe4 }, [a, slopes[0], slopes[1], -t2, 0.0]),
    }
}

/// ln p of every level, each above the one before. Pressures that differ in their last bit, as one pressure
/// given in two units may, have the same logarithm, and no slope between them.
fn ln_pressures(points: &[(f64, Vec<Arrhenius>)]) -> Vec<f64> {
    let mut below = f64::NEG_INFINITY;
    let above = |(p, _): &(f64, _)| {
        below = p.ln().max(below.next_up());
        below
    };
    points.iter().map(above).collect()
}

fn plog_sum(points: &[(f64, Vec<Arrhenius>)]) -> PlogSumLaw {
    let terms = |level: &(f64, Vec<Arrhenius>)| level.1.iter().map(|t| [t.a, t.b, t.e]).collect();
    PlogSumLaw { ln_p: ln_pressures(points), terms: points.iter().map(terms).collect(), ..PlogSumLaw::default() }
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

/// A law with one positive term at each pressure is interpolated in its logarithm; any other is a law of
/// sums.
fn plog(plan: &mut Plan, c: &mut Collector, points: &[(f64, Vec<Arrhenius>)]) -> Law {
    if points.iter().all(|p| p.1.len() == 1 && p.1[0].a > 0.0) {
        let first = ln_triple(&points[0].1[0]);
        let mut steps = Vec::new();
        for (w, ln_p) in points.windows(2).zip(ln_pressures(points).windows(2)) {
            let (a, b) = (ln_triple(&w[0].1[0]), ln_triple(&w[1].1[0]));
            let width = ln_p[1] - ln_p[0];
            steps.extend([ln_p[0], width, (b[0] - a[0]) / width, (b[1] - a[1]) / width, (b[2] - a[2]) / width]);
        }
        c.plog.push(PlogLaw {
            intervals: points.len() - 1,
            steps: plan.tables.reals(steps),
            first,
            ..PlogLaw::default()
        });
        Law::Plog(c.plog.len() - 1)
    } else {
        c.plog_sum.push(plog_sum(points));
        Law::PlogSum(c.plog_sum.len() - 1)
    }
}

fn burke(plan: &mut Plan, c: &mut Collector, colliders: &[Collider]) -> Law {
    let mut list = Vec::new();
    let of_m = colliders.iter().find(|x| x.species.is_none()).and_then(|x| x.law.as_ref());
    for x in colliders {
        // A collider that has only an efficiency uses M's law at M's effective pressure.
        let Some(inner) = x.law.as_ref().or(of_m) else { continue };
        list.push(BurkeCollider {
            species: x.species,
            efficiency: [x.efficiency.a, x.efficiency.b, x.efficiency.e],
            // With zero efficiency it does not take part, and its effective pressure would be infinite.
            own: x.law.is_some() && x.species.is_some() && x.efficiency.a != 0.0,
            law: match inner {
                PressureLaw::Falloff(f) => {
                    // If either limit is zero, the rate is zero, and its logarithm is not needed.
                    let (a, b) = (f.high.a, f.low.a);
                    let sign = if a == 0.0 || b == 0.0 { 0.0 } else { a.signum() };
                    let one = |r: &Arrhenius| Arrhenius { a: if sign == 0.0 { 1.0 } else { r.a }, ..*r };
                    let (shape, p) = falloff_params(&Falloff { high: one(&f.high), low: one(&f.low), ..f.clone() });
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
    Law::Burke(c.burke.len() - 1)
}

/// The law of a rate, and the factor on it.
pub fn law(plan: &mut Plan, c: &mut Collector, reaction: &Reaction, rate: &RateLaw) -> (Law, f64) {
    match rate {
        RateLaw::Arrhenius(r) => (c.exp(r), r.a),
        RateLaw::Falloff(f) if f.low.a == 0.0 || f.high.a == 0.0 => (Law::One, 0.0),
        RateLaw::Falloff(f) => (c.falloff(f), f.high.a.signum()),
        RateLaw::Plog(points) => (plog(plan, c, points), 1.0),
        RateLaw::Chebyshev(x) => {
            let x = chebyshev(plan, x);
            c.chebyshev.push(x);
            (Law::Chebyshev(c.chebyshev.len() - 1), 1.0)
        }
        RateLaw::LinearBurke(colliders) => (burke(plan, c, colliders), 1.0),
        RateLaw::BlowersMasel { arrhenius, w } => {
            let kind = Special::BlowersMasel { w: *w, nu: reaction.net() };
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

/// Assigns every law its place in `k` and `k_aux`. Returns the place of each collider sum, and those of the
/// laws.
pub fn place(plan: &mut Plan, c: Collector) -> (Vec<usize>, Places) {
    let kin = &mut plan.kinetics;
    kin.exps = plan.tables.reals(c.exps.iter().flat_map(|e| [e.0, e.1]));

    // Collider sums whose logarithm is needed come first.
    let mut order: Vec<usize> = (0..c.bodies.len()).collect();
    order.sort_by_key(|&i| !c.bodies[i].ln);
    let mut third_place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &i)| third_place[i] = at);
    let mut ptr = vec![0];
    let (mut species, mut excess) = (Vec::new(), Vec::new());
    for &i in &order {
        species.extend(c.bodies[i].excess.iter().map(|x| x.0));
        excess.extend(c.bodies[i].excess.iter().map(|x| x.1));
        ptr.push(species.len());
    }
    let count = order.len();
    let negative = c.bodies.iter().any(|b| b.default < 0.0 || b.excess.iter().any(|x| b.default + x.1 < 0.0));
    kin.third = ThirdBodies {
        count,
        m: plan.layout.array(count),
        ln_m: plan.layout.array(count),
        default: plan.tables.reals(order.iter().map(|&i| c.bodies[i].default)),
        ptr: plan.tables.indices(ptr),
        species: plan.tables.indices(species),
        excess: plan.tables.reals(excess),
        with_ln: c.bodies.iter().filter(|b| b.ln).count(),
        least: if negative { f64::MIN } else { 0.0 },
    };

    let (mut k, mut aux) = (kin.first_aux(), 0);
    let mut places = Places { exps: 1, ..Places::default() };
    for (key, laws) in &c.falloff {
        places.falloff.insert(*key, (k, aux));
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
    kin.plog = c.plog;
    kin.plog_sum = c.plog_sum;
    kin.chebyshev = c.chebyshev;
    kin.burke = c.burke;
    places.plog = settle(kin.plog.iter_mut().map(|l| (&mut l.k, &mut l.aux)), &mut k, &mut aux);
    places.plog_sum = settle(kin.plog_sum.iter_mut().map(|l| (&mut l.k, &mut l.aux)), &mut k, &mut aux);
    places.chebyshev = settle(kin.chebyshev.iter_mut().map(|l| (&mut l.k, &mut l.aux)), &mut k, &mut aux);
    places.burke = settle(kin.burke.iter_mut().map(|l| (&mut l.k, &mut l.aux)), &mut k, &mut aux);
    kin.special = c.special;
    for l in &mut kin.special {
        l.k = k;
        places.special.push(k);
        k += 1;
    }
    places.given = k;
    k += c.given;
    kin.k = plan.layout.fine(k);
    let most = kin.falloff.iter().map(|f| f.count).max().unwrap_or(0);
    kin.falloff_work = std::array::from_fn(|_| plan.layout.array(most));
    kin.aux = aux;
    (third_place, places)
}

/// Assigns laws the next places in `k` and `k_aux`, and returns these.
fn settle<'l>(
    laws: impl Iterator<Item = (&'l mut usize, &'l mut usize)>,
    k: &mut usize,
    aux: &mut usize,
) -> Vec<(usize, usize)> {
    laws.map(|place| {
        (*place.0, *place.1) = (*k, *aux);
        *k += 1;
        *aux += 1;
        (*place.0, *place.1)
    })
    .collect()
}

/// Places of the laws.
#[derive(Default)]
pub struct Places {
    exps: usize,
    falloff: BTreeMap<(Broadening, bool), (usize, usize)>,
    /// Collider sum by aux number, for falloff laws.
    pub collider: Vec<usize>,
    plog: Vec<(usize, usize)>,
    plog_sum: Vec<(usize, usize)>,
    chebyshev: Vec<(usize, usize)>,
    burke: Vec<(usize, usize)>,
    special: Vec<usize>,
    given: usize,
}

impl Places {
    /// Place in `k`, and number in `k_aux` if the law has one.
    pub fn of(&self, law: Law) -> (usize, Option<usize>) {
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
            Law::Given(i) => (self.given + i, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_that_are_constant_are_left_out() {
        for (t3, t1, t2, shape) in [
            (1e-30, 1e30, 0.0, Broadening::Tsang),
            (1e-30, 1e30, 1e30, Broadening::Tsang),
            (1e30, 1e30, 0.0, Broadening::Tsang),
            (0.0, 1e-30, 0.0, Broadening::Tsang),
            (1e-30, 1e30, 500.0, Broadening::Troe4),
            (1e-30, 2000.0, 1e15, Broadening::Troe3),
            (100.0, 2000.0, 0.0, Broadening::Troe3),
            (100.0, 2000.0, 5000.0, Broadening::Troe4),
        ] {
            let a = 0.6;
            let (found, b) = troe(a, [t3, t1], t2);
            assert_eq!(found, shape, "{t3} {t1} {t2}");
            for t in [10.0f64, 300.0, 1000.0, 50_000.0] {
                let exp = |t3: f64| if t3 == 0.0 { 0.0 } else { (-t / t3).exp() };
                let want = (1.0 - a) * exp(t3) + a * exp(t1) + if t2 == 0.0 { 0.0 } else { (-t2 / t).exp() };
                let two = (1.0 - b[0]) * (t * b[1]).exp() + b[0] * (t * b[2]).exp();
                let got = match shape {
                    Broadening::Tsang => b[0] + b[1] * t,
                    Broadening::Troe3 => two,
                    _ => two + (b[3] / t).exp(),
                };
                assert!((got - want).abs() <= 1e-14 * want, "{t3} {t1} {t2} at {t} K: {got} {want}");
            }
        }
    }
}
