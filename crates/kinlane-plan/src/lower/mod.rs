//! From a network to a [`Plan`]: everything that can be decided before the first cell is decided here.

mod blocks;
mod cold;
mod gather;
mod jacobian;
mod laws;
mod reactions;
pub mod sparse;
mod thermo;

pub use thermo::{HOTTEST, Polynomials};

use crate::machine::Array;
use crate::plan::{CellArrays, Energy, Features, Plan, Scalars};
use kinlane_mech::Network;

impl Plan {
    /// Lowers a network that its reader has accepted.
    pub fn new(network: &Network) -> Self {
        Self::with(network, Features::default())
    }

    /// As [`Plan::new`], with features beyond the network's own equations.
    pub fn with(network: &Network, features: Features) -> Self {
        let mut plan = Self { species: network.species.len(), ..Self::default() };
        plan.molar_mass = network.species.iter().map(|s| s.molar_mass).collect();
        plan.masses = plan.tables.reals(plan.molar_mass.iter().copied());
        plan.cell = cell_arrays(&mut plan, features);
        let reference = thermo::lower(&mut plan, network);
        let drafts = reactions::lower(&mut plan, network, &reference, features);
        jacobian::lower(&mut plan, &drafts);
        let mut active = vec![false; plan.species];
        drafts.reactions.iter().flat_map(|d| &d.net).for_each(|x| active[x.0] = true);
        let active: Vec<usize> = (0..plan.species).filter(|&k| active[k]).chain([plan.species]).collect();
        let mass = |k: usize| plan.molar_mass.get(k).map_or(1.0, |w| 1.0 / w);
        plan.tolerance = plan.tables.reals(active.iter().map(|&k| mass(k)));
        plan.fraction = plan.tables.reals(active.iter().map(|&k| plan.molar_mass.get(k).copied().unwrap_or(0.0)));
        plan.active = plan.tables.indices(active);
        plan
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
