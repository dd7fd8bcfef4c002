//! The plan of a gas network: every table that a program reads, and every array in which it works.
//!
//! Filled by `lower/`, read by `kinlane-solve`. Species keep the network's order; reactions are reordered by
//! class and carry an internal number, which is their place in the array `q` of rates of progress.

mod cell;
mod elements;
mod factors;
mod gather;
mod jacobian;
mod kinetics;
mod laws;
mod losses;
mod program;
mod thermo;

pub use cell::{CellArrays, Energy, NO_ELECTRON_T, Scalars};
pub use elements::{Elements, MOST_ELEMENTS};
pub use factors::{Columns, Lu, MOST_OPERATIONS, NONE, ROWS, RowBlocks};
pub use gather::{Gather, Lists, ProductLists, Products, SHORT, Scaled};
pub use jacobian::{BORDERS, Jacobian, PHI_SIGMA, PHI_T, SIGMA_PHI, T_PHI};
pub use kinetics::{COLD, GeneralReaction, Kind, Kinetics, MassAction, ThirdBodies, by_rate};
pub use laws::{
    Broadening, BurkeCollider, BurkeInner, BurkeLaw, ChebyshevLaw, FalloffClass, PlogLaw, PlogSumLaw, Special,
    SpecialLaw,
};
pub use losses::{Loss, LossLaw};
pub use program::{Instruction, Operation, RateProgram, Surroundings};
pub use thermo::{Cold, Jumps, MOST_GIBBS, Nasa7, Nasa9, Thermo};

use crate::machine::{Array, Indices, Reals};
use crate::tables::{Layout, Tables};

/// A gas network as index tables.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// All tables of constants.
    pub tables: Tables,
    /// The arrays below; methods lay out their own after these.
    pub layout: Layout,
    /// Whether rate constants come with each cell ([`Plan::given`]). Then there is no thermodynamics, phi is whatever
    /// amount the caller has, and T and sigma stay as they are.
    pub given: bool,
    /// Whether reactions keep the sum of mass fractions.
    pub conserving: bool,
    /// For each species, where rate constants are given: 1 if it may fall below zero, because a reaction takes it without
    /// needing it (a negative product of a KPP file), or because it is made of such a species; else 0. Empty if there
    /// is none of these.
    pub drained: Reals,
    /// Number of species.
    pub species: usize,
    /// Molar masses [kg/mol], on the host.
    pub molar_mass: Vec<f64>,
    /// Molar masses, for programs.
    pub masses: Reals,
    /// Variables that the error norm runs over: species that some reaction changes, and T.
    pub active: Indices,
    /// The absolute tolerance for each active variable, as a multiple of that on mass fractions: 1/W_k, and 1
    /// for T; more or less where a species has its own ([`Plan::with_tolerances`]).
    pub tolerance: Reals,
    /// The factors of [`Plan::with_tolerances`], on the host; empty if all are 1.
    pub own_tolerances: Vec<f64>,
    /// The factor from each active variable to a mass fraction: W_k, and 0 for T.
    pub fraction: Reals,
    /// The variables of a cell.
    pub cell: CellArrays,
    /// What keeps the elements of a gas.
    pub elements: Elements,
    /// Thermodynamics.
    pub thermo: Thermo,
    /// Rate constants and rates of progress.
    pub kinetics: Kinetics,
    /// The Jacobian.
    pub jacobian: Jacobian,
    /// The sparse factorisation.
    pub lu: Lu,
}

/// Features of a plan beyond the equations of its network. Each costs something in every step, so none is
/// included unless asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Features {
    /// Factors on rate constants, per cell: see [`Kinetics::excess`]. No two reactions then share a rate
    /// constant.
    pub factors: bool,
    /// Pressure or volume follows a history: the imposed quantity is one more variable, at [`Plan::imposed`].
    pub history: bool,
}

impl Plan {
    /// Index of the imposed pressure \[Pa\] or specific volume \[m³/kg\] among the variables, in a plan with
    /// [`Features::history`].
    pub fn imposed(&self) -> Option<usize> {
        (self.cell.slope.len > 0).then_some(self.species + 2)
    }

    /// Variables that a method may have left behind for another cell, each with its value for a cell that
    /// begins.
    pub fn fresh(&self) -> impl Iterator<Item = (Array, f64)> + use<> {
        let (c, e) = (&self.cell, &self.elements);
        let all = [c.floor, c.noise, c.slight, c.begun, c.energy.known, e.known, e.fed_known];
        all.into_iter().filter(|a| a.len > 0).map(|a| (a, 0.0))
    }

    /// The work arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        let (cell, s, th) = (&self.cell, self.cell.scalars, &self.thermo);
        let [kappa, center, center_factor, center_t, center_other] = self.kinetics.falloff_work;
        vec![
            ("pressure", cell.parameter),
            ("slope", cell.slope),
            ("source", cell.source),
            ("heating", cell.heating),
            ("electron", cell.electron),
            ("floor", cell.floor),
            ("noise", cell.noise),
            ("slight", cell.slight),
            ("owing", cell.owing),
            ("lacking", cell.lacking),
            ("begun", cell.begun),
            ("depth", cell.depth),
            ("grows", cell.grows),
            ("conc", cell.conc),
            ("act", cell.act),
            ("temp", s.t),
            ("ln_t", s.ln_t),
            ("inv_t", s.inv_t),
            ("rho", s.rho),
            ("ctot", s.ctot),
            ("ln_p", s.ln_p),
            ("tdot", s.tdot),
            ("cmix", s.cmix),
            ("wdot", cell.wdot),
            ("energy_known", cell.energy.known),
            ("energy", cell.energy.per_mass),
            ("energy_at", cell.energy.at),
            ("energy_lost", cell.energy.lost),
            ("energy_next", cell.energy.next),
            ("energy_next_at", cell.energy.next_at),
            ("elements_known", self.elements.known),
            ("elements_fed_known", self.elements.fed_known),
            ("elements", self.elements.total),
            ("elements_fed", self.elements.fed),
            ("elements_lost", self.elements.lost),
            ("gibbs", th.gibbs),
            ("exp_minus", th.exp_minus),
            ("exp_plus", th.exp_plus),
            ("enthalpy", th.enthalpy),
            ("cp", th.cp),
            ("dcp", th.dcp),
            ("rate_factor", self.kinetics.excess),
            ("kappa", kappa),
            ("center", center),
            ("center_factor", center_factor),
            ("center_t", center_t),
            ("center_other", center_other),
            ("rate_constant", self.kinetics.k),
            ("rate_constant_t", self.kinetics.k_t),
            ("rate_constant_aux", self.kinetics.k_aux),
            ("third", self.kinetics.third.m),
            ("ln_third", self.kinetics.third.ln_m),
            ("progress", self.kinetics.q),
            ("rates", self.jacobian.rates),
            ("slots", self.jacobian.slots),
            ("extra", self.jacobian.extra),
            ("progress_t", self.jacobian.q_t),
            ("jac", self.jacobian.values),
            ("jac_third", self.jacobian.third),
            ("heat", self.jacobian.heat),
            ("wdot_t", self.jacobian.wdot_t),
            ("wdot_ctot", self.jacobian.wdot_ctot),
            ("lu", self.lu.factors.values),
            ("inverse", self.lu.factors.inverse),
            ("work", self.lu.factors.work),
            ("x", self.lu.factors.x),
        ]
    }
}
