//! Paths of an element from species to species, at one state.

use crate::{Inspection, Mechanism};
use std::collections::BTreeMap;

/// Net flux of an element from one species to another, by all reactions together.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ElementFlux {
    /// The species from which its atoms come.
    pub from: usize,
    /// The species to which they go.
    pub to: usize,
    /// Net flux of atoms \[mol/(m³ s)\], positive.
    pub rate: f64,
}

/// Fluxes of an element between all pairs of species, the largest first; `None` if the mechanism has no such
/// element.
///
/// An equation does not say which atom goes where. Here atoms are assumed to stay in the molecules that
/// change least: among all pairs of a reactant and a product that contain the element, those whose
/// compositions differ in the fewest atoms are matched first. So the carbon of CH3 + CH2O = CH4 + HCO goes
/// from CH3 to CH4 and from CH2O to HCO. A species on both sides of an equation does not take part.
pub fn element_fluxes(mechanism: &Mechanism, state: &Inspection, element: &str) -> Option<Vec<ElementFlux>> {
    let network = mechanism.network();
    let element = network.elements.iter().position(|e| e.symbol.eq_ignore_ascii_case(element))?;
    let atoms: Vec<Vec<f64>> = network
        .species
        .iter()
        .map(|s| {
            let mut atoms = vec![0.0; network.elements.len()];
            s.composition.iter().for_each(|&(e, n)| atoms.get_mut(e).into_iter().for_each(|a| *a += n));
            atoms
        })
        .collect();
    let held = |k: usize| atoms.get(k).and_then(|a| a.get(element)).copied().unwrap_or(0.0);
    let distance = |i: usize, j: usize| -> f64 {
        let pair = atoms.get(i).into_iter().flatten().zip(atoms.get(j).into_iter().flatten());
        pair.map(|(a, b)| (a - b).abs()).sum()
    };
    let mut fluxes: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (r, rate) in network.reactions.iter().zip(&state.reactions) {
        let net = r.net();
        // (species, atoms) of either side
        let side = |sign: f64| -> Vec<(usize, f64)> {
            net.iter().map(|&(k, nu)| (k, sign * nu * held(k))).filter(|x| x.1 > 0.0).collect()
        };
        let (mut from, mut to) = (side(-1.0), side(1.0));
        let mut pairs: Vec<(usize, usize)> = (0..from.len()).flat_map(|i| (0..to.len()).map(move |j| (i, j))).collect();
        let apart = |&(i, j): &(usize, usize)| from.get(i).zip(to.get(j)).map_or(0.0, |(a, b)| distance(a.0, b.0));
        pairs.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
        for (i, j) in pairs {
            let (Some((i, left)), Some((j, room))) = (from.get_mut(i), to.get_mut(j)) else { continue };
            let moved = left.min(*room);
            (*left, *room) = (*left - moved, *room - moved);
            let flux = (rate.forward - rate.reverse) * moved;
            *fluxes.entry((*i.min(j), *i.max(j))).or_default() += if i < j { flux } else { -flux };
        }
    }
    let directed = |(&(i, j), &rate): (&(usize, usize), &f64)| match rate {
        r if r > 0.0 => Some(ElementFlux { from: i, to: j, rate: r }),
        r if r < 0.0 => Some(ElementFlux { from: j, to: i, rate: -r }),
        _ => None,
    };
    let mut fluxes: Vec<ElementFlux> = fluxes.iter().filter_map(directed).collect();
    fluxes.sort_by(|a, b| b.rate.total_cmp(&a.rate));
    Some(fluxes)
}
