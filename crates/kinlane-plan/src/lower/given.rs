//! Networks of mass action whose rate constants come with each cell.

use super::reactions;
use crate::plan::{Features, Plan};

/// Rounding of a sum of masses that reactions conserve, relative to its terms.
const BALANCED: f64 = 1e-12;

/// What a reaction with a given rate constant k converts: the rate of progress is k Π phi^ν over the reactants.
#[derive(Debug, Clone, Copy)]
pub struct Conversion<'a> {
    /// (species, ν), merged.
    pub reactants: &'a [(usize, f64)],
    /// (species, ν), merged; of any sign.
    pub products: &'a [(usize, f64)],
}

impl Conversion<'_> {
    /// Whether it keeps the sum of masses.
    fn balances(&self, masses: &[f64]) -> bool {
        let mass = |side: &[(usize, f64)]| side.iter().map(|&(k, nu)| nu * masses[k]).sum::<f64>();
        let [before, after] = [mass(self.reactants), mass(self.products)];
        (after - before).abs() <= BALANCED * before.abs()
    }
}

impl Plan {
    /// Lowers reactions whose rate constants come with each cell, in the order of the reactions, at
    /// [`Kinetics::k`](crate::plan::Kinetics::k) from 1 on. Amounts of species times `masses` stand for mass
    /// fractions: tolerances apply to the products.
    pub fn given(masses: &[f64], conversions: &[Conversion<'_>]) -> Self {
        let mut plan = Self::begun(masses.iter().copied(), Features::default());
        plan.given = true;
        plan.conserving = conversions.iter().all(|c| c.balances(masses));
        let drafts = reactions::given(&mut plan, conversions);
        plan.finish(&drafts);
        plan
    }

    /// Number of rate constants that come with each cell; zero if they follow from its temperature.
    pub fn given_constants(&self) -> usize {
        if self.given { self.kinetics.constant.len() } else { 0 }
    }
}
