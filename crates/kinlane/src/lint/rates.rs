//! Rate constants over temperature and pressure.

use super::collision;
use crate::oracle;
use crate::{Mechanism, States};
use kinlane_mech::network::{ATMOSPHERE, BOLTZMANN, Blend, GAS_CONSTANT, Network, RateLaw, Reaction, Reverse};
use kinlane_mech::{Diagnostic, Severity, codes};
use std::collections::HashMap;

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
        broadening(r, &mut found);
    }
    let grid = grid(mechanism);
    let sums = sums(reactions);
    not_finite(reactions, &grid, &mut found);
    negative(reactions, &grid, &sums, &mut found);
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

/// Finds sums over reactions of one equation that are negative.
fn negative(reactions: &[Reaction], grid: &[Constants], sums: &[Vec<(usize, bool)>], found: &mut Vec<Diagnostic>) {
    for group in sums {
        let Some(r) = group.first().and_then(|&(i, _)| reactions.get(i)) else { continue };
        let bad = grid.iter().find(|g| (0..2).any(|direction| sum(g, group, direction) < 0.0));
        if let Some(g) = bad {
            let (terms, are) =
                if group.len() > 1 { ("rate constants", "add up to less") } else { ("rate constant", "is less") };
            found.push(
                Diagnostic::warning(
                    codes::NEGATIVE_RATE,
                    format!("the {terms} of `{}` {are} than zero at {} K, {:.4e} Pa", r.equation, g.t, g.p),
                )
                .at(r.at, "here")
                .help(
                    "a term with a negative factor outweighs the others where its fit was not made for; limit its use",
                ),
            );
        }
    }
}

/// Sum of the rate constants of a group; direction 0 is that of its first member.
fn sum(g: &Constants, group: &[(usize, bool)], direction: usize) -> f64 {
    let turned = group.first().is_some_and(|m| m.1);
    let of = |&(i, t): &(usize, bool)| g.k.get(i).and_then(|k| k.get(direction ^ usize::from(t != turned)));
    group.iter().filter_map(of).sum()
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
    for group in sums {
        let Some(r) = group.first().and_then(|&(i, _)| network.reactions.get(i)) else { continue };
        // A factor [M] adds another partner.
        if r.third_body.is_some() || r.orders.is_some() {
            continue;
        }
        for (direction, side) in [&r.reactants, &r.products].into_iter().enumerate() {
            if direction == 1 && reverse_orders(r).is_some() {
                continue;
            }
            let Some(Limit { code, text: [limit, why], at, from: [note, warning] }) = limit(network, side) else {
                continue;
            };
            let over = |g: &Constants| sum(g, group, direction) / at(g.t);
            let worst = grid.iter().map(|g| (over(g), g)).max_by(|x, y| x.0.total_cmp(&y.0));
            let Some((over, g)) = worst.filter(|w| w.0 > note && w.0.is_finite()) else { continue };
            let times = if over < 1000.0 { format!("{over:.1}") } else { format!("{over:.0e}") };
            let way = if direction == 0 { "forward" } else { "reverse" };
            let same = |other: &Constants| {
                other.t != g.t || (sum(other, group, direction) / sum(g, group, direction) - 1.0).abs() < 1e-6
            };
            let pressure = if grid.iter().all(same) {
                String::new()
            } else {
                format!(", {} atm", (g.p / ATMOSPHERE * 100.0).round() / 100.0)
            };
            let message =
                format!("the {way} rate constant of `{}` is {times} times {limit} at {} K{pressure}", r.equation, g.t);
            let own = direction == 0 || matches!(r.reverse, Reverse::Explicit { .. });
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
            found.push(d);
        }
    }
}

/// Charge number of a species; its composition contains the number of excess electrons.
fn charge(network: &Network, species: usize) -> f64 {
    let atoms = network.species.get(species).map_or(&[][..], |s| &s.composition);
    let electron = |e: usize| network.elements.get(e).is_some_and(|e| e.symbol == "E");
    atoms.iter().filter(|&&(e, _)| electron(e)).map(|(_, n)| -n).sum()
}

/// Finds broadening factors outside 0 to 1.
fn broadening(r: &Reaction, found: &mut Vec<Diagnostic>) {
    let RateLaw::Falloff(f) = &r.rate else { return };
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
            format!("the broadening factor of `{}` is {:.3} at {t} K, outside 0 to 1", r.equation, center(t)),
        )
        .at(r.at, "Fcent of this reaction")
        .help("check the order and the signs of the parameters: a, T***, T*, T** of Troe's, a, b, c of SRI");
        if center(t) <= 2.0 && center(t) >= 0.0 {
            d.severity = Severity::Note;
        }
        found.push(d);
    }
}
