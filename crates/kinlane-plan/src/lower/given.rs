//! Networks of mass action whose rate constants come with each cell.

use super::{elements, reactions};
use crate::plan::{Features, Plan};
use kinlane_mech::network::net;

/// What a reaction with a given rate constant k converts: the rate of progress is k Π phi^ν over the reactants.
#[derive(Debug, Clone, Copy)]
pub struct Conversion<'a> {
    /// (species, ν), merged.
    pub reactants: &'a [(usize, f64)],
    /// (species, ν), merged; of any sign.
    pub products: &'a [(usize, f64)],
}

impl Conversion<'_> {
    /// Species that it takes, but whose amounts its rate does not depend on.
    fn drains(&self) -> impl Iterator<Item = usize> {
        let net = net(self.reactants, self.products).into_iter().filter(|x| x.1 < 0.0);
        net.map(|x| x.0).filter(|k| !self.reactants.iter().any(|r| r.0 == *k))
    }
}

/// Species that may fall below zero: what a reaction takes without needing it; and what is made of such a species,
/// since below zero its reactions run backwards.
fn drained(conversions: &[Conversion<'_>], species: usize) -> Vec<bool> {
    let mut drained = vec![false; species];
    conversions.iter().for_each(|c| c.drains().for_each(|k| drained[k] = true));
    loop {
        let before = drained.clone();
        for c in conversions {
            if c.reactants.iter().any(|r| drained[r.0]) {
                net(c.reactants, c.products).iter().filter(|x| x.1 > 0.0).for_each(|x| drained[x.0] = true);
            }
        }
        if drained == before {
            return drained;
        }
    }
}

impl Plan {
    /// Lowers reactions whose rate constants come with each cell, in the order of the reactions, at
    /// [`Kinetics::k`](crate::plan::Kinetics::k) from 1 on. Amounts of species times `masses` stand for mass
    /// fractions: tolerances apply to the products.
    pub fn given(masses: &[f64], conversions: &[Conversion<'_>]) -> Self {
        let mut plan = Self::begun(masses.iter().copied(), Features::default());
        plan.given = true;
        let nets: Vec<_> = conversions.iter().map(|c| net(c.reactants, c.products)).collect();
        plan.conserving = nets.iter().all(|net| elements::balances(net, masses));
        let drained = drained(conversions, plan.species);
        if drained.contains(&true) {
            plan.drained = plan.tables.reals(drained.into_iter().map(|yes| f64::from(u8::from(yes))));
        }
        let drafts = reactions::given(&mut plan, conversions);
        // What is known of their elements is the masses.
        elements::lower(&mut plan, vec![masses.to_vec()], &drafts.reactions);
        plan.finish(&drafts);
        plan
    }

    /// Number of rate constants that come with each cell; zero if they follow from its temperature.
    pub fn given_constants(&self) -> usize {
        if self.given { self.kinetics.constant.len() } else { 0 }
    }
}
