//! From a network to a [`Plan`]: everything that can be decided before the first cell is decided here.

mod blocks;
mod cold;
mod elements;
mod functions;
mod gather;
mod given;
mod jacobian;
mod laws;
mod losses;
mod nuclear;
mod program;
mod reactions;
pub mod sparse;
mod thermo;

pub use given::Conversion;
pub use thermo::{HOTTEST, Polynomials};

use crate::machine::Array;
use crate::plan::{CellArrays, Energy, Features, Plan, Scalars};
use kinlane_mech::Network;
use reactions::Drafts;

impl Plan {
    /// Lowers a network that its reader has accepted.
    pub fn new(network: &Network) -> Self {
        Self::with(network, Features::default())
    }

    /// As [`Plan::new`], with features beyond the network's own equations.
    pub fn with(network: &Network, features: Features) -> Self {
        let mut plan = Self::begun(network.species.iter().map(|s| s.molar_mass), features);
        plan.conserving = true;
        let reference = thermo::lower(&mut plan, network);
        let drafts = reactions::lower(&mut plan, network, &reference, features);
        elements::lower(&mut plan, elements::rows(network), &drafts.reactions);
        plan.finish(&drafts);
        plan
    }

    /// A plan with its species and the variables of a cell.
    fn begun(masses: impl Iterator<Item = f64>, features: Features) -> Self {
        let mut plan = Self { molar_mass: masses.collect(), ..Self::default() };
        plan.species = plan.molar_mass.len();
        plan.masses = plan.tables.reals(plan.molar_mass.iter().copied());
        plan.cell = cell_arrays(&mut plan, features);
        plan
    }

    /// The plan with a factor on the absolute tolerance of each species.
    #[must_use]
    pub fn with_tolerances(&self, factors: &[f64]) -> Self {
        let mut plan = self.clone();
        let tables = &mut plan.tables;
        let usual = tables.get(plan.tolerance).iter().zip(tables.list(plan.active));
        let own = usual.map(|(usual, &k)| usual * factors.get(k as usize).unwrap_or(&1.0));
        plan.tolerance = tables.reals(own.collect::<Vec<_>>());
        plan.own_tolerances = factors.to_vec();
        plan
    }

    /// Adds what follows from the reactions: the Jacobian, and the variables that they change.
    fn finish(&mut self, drafts: &Drafts) {
        jacobian::lower(self, drafts);
        let mut active = vec![false; self.species];
        drafts.reactions.iter().flat_map(|d| &d.net).for_each(|x| active[x.0] = true);
        let temperature = (!self.given).then_some(self.species);
        let active: Vec<usize> = (0..self.species).filter(|&k| active[k]).chain(temperature).collect();
        let mass = |k: usize| self.molar_mass.get(k).map_or(1.0, |w| 1.0 / w);
        self.tolerance = self.tables.reals(active.iter().map(|&k| mass(k)));
        self.fraction = self.tables.reals(active.iter().map(|&k| self.molar_mass.get(k).copied().unwrap_or(0.0)));
        self.active = self.tables.indices(active);
    }
}

fn cell_arrays(plan: &mut Plan, features: Features) -> CellArrays {
    let n = plan.species;
    let l = &mut plan.layout;
    CellArrays {
        parameter: l.var(),
        slope: if features.history { l.var() } else { Array::default() },
        electron: l.var(),
        floor: l.var(),
        noise: l.var(),
        slight: l.var(),
        owing: l.array(n),
        lacking: l.var(),
        begun: l.var(),
        depth: l.array(n),
        grows: l.var(),
        // As long as the state, so that a variable and its source have the same index.
        source: l.fine(n + 2 + usize::from(features.history)),
        heating: l.var(),
        conc: l.array(n),
        act: l.fine(2 * (n + 1)),
        scalars: Scalars {
            t: l.var(),
            ln_t: l.var(),
            inv_t: l.var(),
            rho: l.var(),
            ctot: l.var(),
            ln_p: l.var(),
            tdot: l.var(),
            cmix: l.var(),
        },
        wdot: l.fine(n),
        energy: Energy {
            known: l.var(),
            per_mass: l.var(),
            at: l.var(),
            lost: l.var(),
            next: l.var(),
            next_at: l.var(),
        },
    }
}
