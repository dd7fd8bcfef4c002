//! Reactions by which species decay, at rates that follow from temperature alone.

use super::laws::Law;
use super::reactions::{Half, molecules};
use crate::plan::{Loss, LossLaw, Plan};
use kinlane_mech::network::net;

/// The losses among `halves`, in their order; `exps` are the pairs (b, e) of the exponentials.
pub fn lower(plan: &Plan, halves: &[Half], exps: &[f64]) -> Vec<Loss> {
    let mut certain = vec![true; plan.species];
    // What is taken without being needed is no decay.
    plan.tables.get(plan.drained).iter().zip(&mut certain).for_each(|(&drained, certain)| *certain = drained == 0.0);
    for h in halves.iter().filter(|h| may_be_negative(plan, h)) {
        h.reactants.iter().chain(&h.products).for_each(|&(k, _)| certain[k] = false);
    }
    let mut all = Vec::new();
    for h in halves.iter().filter(|h| h.orders.is_none() && h.third.is_none()) {
        let law = match h.law {
            Law::One => LossLaw::Arrhenius { b: 0.0, e: 0.0 },
            Law::Exp(i) => LossLaw::Arrhenius { b: exps[2 * i], e: exps[2 * i + 1] },
            Law::Given(i) => LossLaw::Given(i),
            _ => continue,
        };
        let Some(reactants) = molecules(&h.reactants).filter(|r| r.len() <= 2) else { continue };
        for (species, nu) in net(&h.reactants, &h.products) {
            let Some(own) = reactants.iter().position(|&k| k == species).filter(|_| nu < 0.0 && certain[species])
            else {
                continue;
            };
            let partner = (reactants.len() == 2).then(|| reactants[1 - own]);
            all.push(Loss { species, partner, count: -nu, coef: h.coef, law });
        }
    }
    all
}

/// Whether a rate may be negative, for other reasons than a rate constant that is given so.
fn may_be_negative(plan: &Plan, h: &Half) -> bool {
    h.coef < 0.0
        || matches!(h.law, Law::PlogSum(_) | Law::Burke(_))
        || (h.third.is_some() && plan.kinetics.third.least < 0.0)
}
