//! Which elements all reactions conserve.

use super::reactions::Draft;
use crate::plan::{Elements, MOST_ELEMENTS, Plan};
use kinlane_mech::Network;
use kinlane_mech::network::Species;

/// Rounding of a sum of atoms, relative to its terms.
const BALANCED: f64 = 1e-12;

/// Part of the golden ratio: its multiples, modulo one, lie far apart.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Atoms of each element in each species: \[elements\]\[species\].
pub fn rows(network: &Network) -> Vec<Vec<f64>> {
    let atoms = |e: usize, s: &Species| s.composition.iter().filter(|(of, _)| *of == e).map(|(_, n)| n).sum::<f64>();
    (0..network.elements.len()).map(|e| network.species.iter().map(|s| atoms(e, s)).collect()).collect()
}

/// Lays out what keeps those elements, each a row over the species, that all reactions conserve.
pub fn lower(plan: &mut Plan, mut rows: Vec<Vec<f64>>, reactions: &[Draft]) {
    // What no reaction changes has no part in this, and stays as it is.
    let mut reacts = vec![false; plan.species];
    reactions.iter().flat_map(|r| &r.net).for_each(|x| reacts[x.0] = true);
    for row in &mut rows {
        row.iter_mut().zip(&reacts).filter(|x| !x.1).for_each(|x| *x.0 = 0.0);
    }
    rows.retain(|row| row.iter().any(|n| *n != 0.0) && reactions.iter().all(|r| balances(&r.net, row)));
    // If there are too many, those of most species.
    rows.sort_by_key(|row| row.iter().filter(|n| **n == 0.0).count());
    rows.truncate(MOST_ELEMENTS);
    let count = rows.len();
    if count == 0 {
        return;
    }
    // No two elements have weights in the ratio in which a step may happen to lose one and gain the other.
    let weights: Vec<f64> = (1..=count).map(|e| 1.0 + (GOLDEN * e as f64).fract()).collect();
    let check = |k: usize| rows.iter().zip(&weights).map(|(row, w)| w * row[k]).sum::<f64>();
    let (tables, l) = (&mut plan.tables, &mut plan.layout);
    plan.elements = Elements {
        count,
        check: tables.reals((0..plan.species).map(check)),
        weight: tables.reals(weights.iter().copied()),
        atoms: tables.reals(rows.iter().flatten().copied()),
        known: l.var(),
        fed_known: l.var(),
        total: l.fine(count),
        fed: l.fine(count),
        lost: l.var(),
    };
}

/// Whether a reaction keeps the number of atoms, or the mass.
pub fn balances(net: &[(usize, f64)], atoms: &[f64]) -> bool {
    let terms = || net.iter().map(|&(k, nu)| nu * atoms[k]);
    terms().sum::<f64>().abs() <= BALANCED * terms().map(f64::abs).sum::<f64>()
}
