//! Rate constants over temperature and pressure.

use super::collision;
use crate::oracle;
use crate::{Mechanism, States};
use kinlane_mech::network::{
    ATMOSPHERE, BOLTZMANN, Blend, Collider, Falloff, GAS_CONSTANT, Network, PressureLaw, RateLaw, Reaction, Reverse,
    ThirdBody,
};
use kinlane_mech::{Diagnostic, Severity, codes};
use std::collections::{BTreeSet, HashMap};

/// Temperatures \[K\] at which rate constants are examined.
const TEMPERATURES: [f64; 9] = [300.0, 400.0, 500.0, 700.0, 1000.0, 1300.0, 1700.0, 2100.0, 2500.0];
/// Pressures \[atm\] at which they are examined.
const PRESSURES: [f64; 4] = [0.1, 1.0, 10.0, 100.0];
/// Mole fraction of every species beside the bath gas.
const TRACE: f64 = 1e-8;
/// Factor above the estimated collision limit at which a rate constant gets a warning, and a note. The
/// estimate is good to a factor of about two; rate constants in good mechanisms, at the ends of their ranges,
/// to a factor of ten.
const BEYOND: f64 = 20.0;
const ABOVE: f64 = 3.0;
/// Factors above kT/h at which a first-order rate constant gets a note, and a warning. Transition-state theory has a factor
/// exp(ΔS/R) beside it: some thousands where a molecule falls into two large ones.
const FAST: [f64; 2] = [1e3, 1e5];
/// A sum that is less than this part of its terms is their rounding.
const ROUNDING: f64 = 1e-6;
/// The Planck constant \[J s\].
const PLANCK: f64 = 6.626_070_15e-34;

/// Rate constants of all reactions at one temperature and pressure \[m³, mol, s\], without a factor \[M\].
struct Constants {
    t: f64,
    p: f64,
    /// Forward and reverse rate constant, per reaction.
    k: Vec<[f64; 2]>,
}

pub fn check(mechanism: &Mechanism) -> Vec<Diagnostic> {
    let reactions = &mechanism.network().reactions;
    let mut found = Vec::new();
    for r in reactions {
        broadening(mechanism.network(), r, &mut found);
    }
    let grid = grid(mechanism);
    let sums = sums(reactions);
    not_finite(reactions, &grid, &mut found);
    negative(mechanism.network(), &grid, &sums, &mut found);
    limits(mechanism, &grid, &sums, &mut found);
    found
}

/// All rate constants over the grid, in a bath of N2 (else Ar, He, or the first species) with a trace of
/// every other species.
fn grid(mechanism: &Mechanism) -> Vec<Constants> {
    let network = mechanism.network();
    let n = mechanism.species_count();
    let bath = ["N2", "AR", "Ar", "HE", "He"].iter().find_map(|b| mechanism.species_index(b)).unwrap_or(0);
    let moles: Vec<f64> = (0..n).map(|k| if k == bath { 1.0 } else { TRACE }).collect();
    let total: f64 = moles.iter().sum();
    let y = mechanism.mass_fractions(&moles);
    let mut grid = Vec::new();
    for p in PRESSURES.map(|p| p * ATMOSPHERE) {
        for t in TEMPERATURES {
            let Ok(states) = States::new(mechanism, vec![t], vec![p], y.clone()) else { continue };
            let density = p / (GAS_CONSTANT * t * total);
            let product = |side: &[(usize, f64)]| -> f64 {
                side.iter().map(|&(k, order)| (density * moles.get(k).copied().unwrap_or(0.0)).powf(order)).product()
            };
            let k = oracle::rates_of_progress(mechanism, &states)
                .into_iter()
                .zip(&network.reactions)
                .map(|([forward, reverse], r)| {
                    let body = r.third_body.as_ref().map_or(1.0, |b| {
                        (0..n).map(|k| b.efficiency(k) * density * moles.get(k).copied().unwrap_or(0.0)).sum()
                    });
                    let orders = r.orders.as_ref().unwrap_or(&r.reactants);
                    let back = reverse_orders(r).unwrap_or(&r.products);
                    // Nothing reacts without a partner, as with one whose efficiency is 0; what there is then, is rounding.
                    let constant = |rate: f64, of: f64| if of == 0.0 && rate.is_finite() { 0.0 } else { rate / of };
                    [constant(forward, product(orders) * body), constant(reverse, product(back) * body)]
                })
                .collect();
            grid.push(Constants { t, p, k });
        }
    }
    grid
}

/// Groups of reactions with the same equation and orders, whose rate constants add up: for each group its members, and whether
/// they are written in the reverse direction.
fn sums(reactions: &[Reaction]) -> Vec<Vec<(usize, bool)>> {
    let side = |list: &[(usize, f64)]| {
        let mut key: Vec<(usize, u64)> = list.iter().map(|&(k, nu)| (k, nu.to_bits())).collect();
        key.sort_unstable();
        key
    };
    let mut places = HashMap::new();
    let mut groups: Vec<Vec<(usize, bool)>> = Vec::new();
    for (i, r) in reactions.iter().enumerate() {
        let orders = |orders: Option<&Vec<(usize, f64)>>| orders.map(|list| side(list));
        let from = (side(&r.reactants), orders(r.orders.as_ref()));
        let to = (side(&r.products), orders(reverse_orders(r)));
        let body = r.third_body.is_some();
        let turned = from > to;
        let key = if turned { (to, from, body) } else { (from, to, body) };
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(place) {
            group.push((i, turned));
        }
    }
    groups
}

/// The orders of the reverse rate, where they are given.
fn reverse_orders(r: &Reaction) -> Option<&Vec<(usize, f64)>> {
    match &r.reverse {
        Reverse::Explicit { orders, .. } => orders.as_ref(),
        _ => None,
    }
}

fn not_finite(reactions: &[Reaction], grid: &[Constants], found: &mut Vec<Diagnostic>) {
    for (i, r) in reactions.iter().enumerate() {
        let own = "check the temperature exponent and the sign and unit of the activation energy";
        let reverse = match r.reverse {
            Reverse::Explicit { .. } => own,
            _ => "it follows from the forward rate and the thermodynamics: check both",
        };
        for (direction, what, help) in [(0, "rate constant", own), (1, "reverse rate constant", reverse)] {
            let at = |g: &&Constants| g.k.get(i).is_some_and(|k| !k[direction].is_finite());
            if let Some(g) = grid.iter().find(at) {
                let message = format!("the {what} of `{}` overflows at {} K, {:.4e} Pa", r.equation, g.t, g.p);
                let warning = Diagnostic::warning(codes::RATE_OVERFLOW, message);
                found.push(warning.at(r.at, "not a number that can be used").help(help));
                // A forward rate that overflows takes the other with it.
                break;
            }
        }
    }
}

/// A rate constant among those that add up in one direction.
#[derive(Clone, Copy)]
struct Term {
    /// Its reaction.
    i: usize,
    /// 0 if it is the forward one of that reaction, 1 if it is the reverse one.
    way: usize,
    k: f64,
}

/// The rate constants of a group in a direction; direction 0 is that of reactions that are not turned.
fn terms(g: &Constants, group: &[(usize, bool)], direction: usize) -> impl Iterator<Item = Term> {
    group.iter().filter_map(move |&(i, turned)| {
        let way = direction ^ usize::from(turned);
        Some(Term { i, way, k: *g.k.get(i)?.get(way)? })
    })
}

fn sum(g: &Constants, group: &[(usize, bool)], direction: usize) -> f64 {
    terms(g, group, direction).map(|term| term.k).sum()
}

/// What a group collides with, if it has a factor [M], and how well each of its members does: every species that one of them
/// names, and as `None` all the others. Efficiencies that are negative are told elsewhere.
fn colliders(network: &Network, group: &[(usize, bool)]) -> Vec<(Option<usize>, Vec<f64>)> {
    let bodies: Vec<_> = group.iter().map(|m| network.reactions.get(m.0).and_then(|r| r.third_body.as_ref())).collect();
    let named: BTreeSet<usize> = bodies.iter().flatten().flat_map(|b| b.efficiencies.iter().map(|e| e.0)).collect();
    let others = (named.len() < network.species.len()).then_some(None);
    let of = |species: Option<usize>| {
        let one = |b: &Option<&ThirdBody>| b.map_or(1.0, |b| species.map_or(b.default, |k| b.efficiency(k)));
        (species, bodies.iter().map(one).collect::<Vec<f64>>())
    };
    let all = others.into_iter().chain(named.into_iter().map(Some)).map(of);
    all.filter(|(_, efficiencies)| efficiencies.iter().all(|e| *e >= 0.0)).collect()
}

/// Finds sums over reactions of one equation that are negative.
fn negative(network: &Network, grid: &[Constants], sums: &[Vec<(usize, bool)>], found: &mut Vec<Diagnostic>) {
    let mut told = Vec::new();
    for group in sums {
        let colliders = colliders(network, group);
        let below_zero = |g: &Constants, direction: usize| {
            colliders.iter().find_map(|(species, efficiencies)| {
                let terms =
                    terms(g, group, direction).zip(efficiencies).map(|(term, e)| Term { k: term.k * e, ..term });
                let terms: Vec<Term> = terms.filter(|term| term.k != 0.0).collect();
                let [sum, size] =
                    terms.iter().fold([0.0, 0.0], |[sum, size], term| [sum + term.k, size + term.k.abs()]);
                let least = terms.iter().copied().reduce(|a, b| if b.k < a.k { b } else { a })?;
                (sum < -ROUNDING * size).then_some((least, terms.len(), *species))
            })
        };
        // Where both directions are, the forward one is the cause.
        let of = |g| (0..2).filter_map(|direction| below_zero(g, direction)).min_by_key(|(term, ..)| term.way);
        let Some((g, (term, count, species))) = grid.iter().find_map(|g| Some((g, of(g)?))) else { continue };
        let Some(r) = network.reactions.get(term.i) else { continue };
        let way = if term.way == 0 { "" } else { "reverse " };
        let (constants, are) =
            if count > 1 { ("rate constants", "add up to less") } else { ("rate constant", "is less") };
        let collider = species.and_then(|k| network.species.get(k));
        let collider = collider.map_or_else(String::new, |s| format!(" with the collider `{}`", s.name));
        let message =
            format!("the {way}{constants} of `{}` {are} than zero{collider} at {} K, {:.4e} Pa", r.equation, g.t, g.p);
        let d = Diagnostic::warning(codes::NEGATIVE_RATE, message)
            .at(r.at, "here")
            .help("a term with a negative factor outweighs the others where its fit was not made for; limit its use");
        told.push(([term.i, term.way], d));
    }
    in_order(told, found);
}

/// Adds findings in the order of their reactions, the forward rate before the reverse one.
fn in_order(mut told: Vec<([usize; 2], Diagnostic)>, found: &mut Vec<Diagnostic>) {
    told.sort_by_key(|one| one.0);
    found.extend(told.into_iter().map(|one| one.1));
}

/// A limit of nature on rate constants of some molecularity.
struct Limit<'a> {
    code: &'static str,
    /// Its name, and why there is one.
    text: [&'static str; 2],
    /// By temperature \[K\].
    at: Box<dyn Fn(f64) -> f64 + 'a>,
    /// From how many times the limit on there is a note, and a warning.
    from: [f64; 2],
}

/// The limit for molecules that react by themselves, if one is known.
fn limit<'a>(network: &'a Network, side: &[(usize, f64)]) -> Option<Limit<'a>> {
    let (a, b) = match *side {
        [(_, 1.0)] => {
            return Some(Limit {
                code: codes::FIRST_ORDER_LIMIT,
                text: ["kT/h", "no bond breaks that often"],
                at: Box::new(|t| BOLTZMANN * t / PLANCK),
                from: FAST,
            });
        }
        [(a, 1.0), (b, 1.0)] => (a, b),
        [(a, 2.0)] => (a, a),
        _ => return None,
    };
    if charge(network, a) * charge(network, b) < 0.0 {
        return None; // Opposite charges attract each other from afar.
    }
    Some(Limit {
        code: codes::COLLISION_LIMIT,
        text: ["the collision limit", "molecules cannot meet that often"],
        at: Box::new(move |t| collision::limit(network, a, b, t)),
        from: [ABOVE, BEYOND],
    })
}

/// Finds rate constants of one or two molecules above what nature allows.
fn limits(mechanism: &Mechanism, grid: &[Constants], sums: &[Vec<(usize, bool)>], found: &mut Vec<Diagnostic>) {
    let network = mechanism.network();
    let mut told = Vec::new();
    for group in sums {
        let of = |i: usize| network.reactions.get(i);
        let Some((first, turned)) = group.first().and_then(|&(i, turned)| Some((of(i)?, turned))) else { continue };
        // A factor [M] adds another partner.
        if group.iter().filter_map(|m| of(m.0)).any(|r| r.third_body.is_some() || r.orders.is_some()) {
            continue;
        }
        for direction in 0..2 {
            let reverse = (direction == 1) != turned;
            if reverse && reverse_orders(first).is_some() {
                continue;
            }
            let side = if reverse { &first.products } else { &first.reactants };
            let Some(Limit { code, text: [limit, why], at, from: [note, warning] }) = limit(network, side) else {
                continue;
            };
            let over = |g: &Constants| sum(g, group, direction) / at(g.t);
            let worst = grid.iter().map(|g| (over(g), g)).max_by(|x, y| x.0.total_cmp(&y.0));
            let Some((over, g)) = worst.filter(|w| w.0 > note && w.0.is_finite()) else { continue };
            // The largest of them is the cause: that of an irreversible reaction may be the other way round than the first one.
            let most = terms(g, group, direction).reduce(|a, b| if b.k > a.k { b } else { a });
            let Some((Term { i, way, .. }, r)) = most.and_then(|term| Some((term, of(term.i)?))) else { continue };
            let times = if over < 1000.0 { format!("{over:.1}") } else { format!("{over:.0e}") };
            let name = if way == 0 { "forward" } else { "reverse" };
            let same = |other: &Constants| {
                other.t != g.t || (sum(other, group, direction) / sum(g, group, direction) - 1.0).abs() < 1e-6
            };
            let pressure = if grid.iter().all(same) {
                String::new()
            } else {
                format!(", {} atm", (g.p / ATMOSPHERE * 100.0).round() / 100.0)
            };
            let message =
                format!("the {name} rate constant of `{}` is {times} times {limit} at {} K{pressure}", r.equation, g.t);
            let own = way == 0 || matches!(r.reverse, Reverse::Explicit { .. });
            let mut d = Diagnostic::warning(code, message).at(r.at, why).help(match (own, code) {
                (true, codes::COLLISION_LIMIT) => {
                    "check the rate; the limit is estimated from the sizes of the molecules"
                }
                (true, _) => "check the rate: its unit, the sign of its activation energy, and how far its fit is good",
                _ => "it follows from the forward rate and the thermodynamics: check both",
            });
            if over <= warning {
                d.severity = Severity::Note;
            }
            told.push(([i, way], d));
        }
    }
    in_order(told, found);
}

/// Charge number of a species; its composition contains the number of excess electrons.
fn charge(network: &Network, species: usize) -> f64 {
    let atoms = network.species.get(species).map_or(&[][..], |s| &s.composition);
    let electron = |e: usize| network.elements.get(e).is_some_and(|e| e.symbol == "E");
    atoms.iter().filter(|&&(e, _)| electron(e)).map(|(_, n)| -n).sum()
}

/// The falloff laws in a rate law, and whose collider each is in a linear-Burke rate.
fn falloffs(law: &RateLaw) -> Vec<(&Falloff, Option<&Collider>)> {
    match law {
        RateLaw::Falloff(f) => vec![(f, None)],
        RateLaw::LinearBurke(colliders) => colliders
            .iter()
            .filter_map(|c| match &c.law {
                Some(PressureLaw::Falloff(f)) => Some((f, Some(c))),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Finds broadening factors outside 0 to 1.
fn broadening(network: &Network, r: &Reaction, found: &mut Vec<Diagnostic>) {
    let reverse = match &r.reverse {
        Reverse::Explicit { rate, .. } => falloffs(rate),
        _ => Vec::new(),
    };
    let laws = falloffs(&r.rate).into_iter().map(|law| ("", law));
    for (way, (f, collider)) in laws.chain(reverse.into_iter().map(|law| ("the reverse rate of ", law))) {
        let name = |c: &Collider| c.species.map_or("M", |k| network.species.get(k).map_or("", |s| &s.name));
        let collider = collider.map_or_else(String::new, |c| format!(" with the collider `{}`", name(c)));
        // The solver's own formula has the logarithm, which ends at zero.
        let center = |t: f64| match f.blend {
            Blend::Troe { a, t3, t1, t2 } => {
                (1.0 - a) * (-t / t3).exp() + a * (-t / t1).exp() + t2.map_or(0.0, |t2| (-t2 / t).exp())
            }
            Blend::Tsang { a, b } => a + b * t,
            // This factor may exceed 1; a power of it is taken, so it must not be negative.
            Blend::Sri { a, b, c, .. } => (a * (-b / t).exp() + (-t / c).exp()).min(1.0),
            Blend::Lindemann => 1.0,
        };
        // A tiny Fcent is intended where a fit drives it to zero; one above 1 or below 0 is never intended. Below
        // 500 K little burns, and many fits were not made for it.
        let bad = TEMPERATURES.into_iter().filter(|t| *t >= 500.0).find(|&t| !(-1e-3..=1.1).contains(&center(t)));
        if let Some(t) = bad {
            let mut d = Diagnostic::warning(
                codes::BROADENING,
                format!(
                    "the broadening factor of {way}`{}`{collider} is {:.3} at {t} K, outside 0 to 1",
                    r.equation,
                    center(t)
                ),
            )
            .at(r.at, "Fcent of this reaction")
            .help("check the order and the signs of the parameters: a, T***, T*, T** of Troe's, a, b, c of SRI");
            if center(t) <= 2.0 && center(t) >= 0.0 {
                d.severity = Severity::Note;
            }
            found.push(d);
        }
    }
}
