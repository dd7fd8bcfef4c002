//! The variables of a cell: what it is given, what an evaluation leaves for others, what is known between steps.

use crate::machine::Array;

/// A cell's parameters and the quantities every evaluation derives from its state.
#[derive(Debug, Clone, Copy, Default)]
pub struct CellArrays {
    /// Pressure [Pa] (constant p) or density [kg/m³] (constant v), set when the cell is loaded.
    pub parameter: Array,
    /// d/dt of what is imposed, constant until it is set anew. Empty but in a plan with [`Features::history`](crate::plan::Features::history), which
    /// takes pressure or volume from the variables and not from `parameter`.
    pub slope: Array,
    /// Electron temperature [K]; negative where it follows the gas.
    pub electron: Array,
    /// Lowest phi that takes part in reactions, where methods do not iterate.
    pub floor: Array,
    /// Phi that is so far below zero as noise brings it.
    pub noise: Array,
    /// Phi so little below zero that the absolute tolerance does not see it.
    pub slight: Array,
    /// 1 where a species below zero is in debt, 0 where that is noise: see `begin` of the gas problem.
    pub owing: Array,
    /// 1 once that is known; 0 when a cell is loaded.
    pub begun: Array,
    /// For methods that iterate: the lowest phi of each species that takes part in reactions, until the next Jacobian.
    pub depth: Array,
    /// Whether something grows faster than a step can follow: 1 or 0.
    pub grows: Array,
    /// d(phi)/dt of the source [mol/(kg s)], per variable; of T and what follows it is zero.
    pub source: Array,
    /// Heating of the source [W/kg].
    pub heating: Array,
    /// Concentrations [mol/m³], negative ones cut to zero.
    pub conc: Array,
    /// Activities c = C e^{G}, what the mass-action products of reversible reactions use, and a one behind them; then,
    /// as far as the Jacobian is evaluated, the same with a minus.
    pub act: Array,
    /// Scalars of an evaluation: see [`Scalars`].
    pub scalars: Scalars,
    /// Net molar production rates [mol/(m³ s)].
    pub wdot: Array,
    /// What is known of the cell's energy between steps.
    pub energy: Energy,
}

impl CellArrays {
    /// What a method may have left of another cell, with what it is for one that begins.
    pub fn fresh(&self) -> [(Array, f64); 5] {
        [(self.floor, 0.0), (self.noise, 0.0), (self.slight, 0.0), (self.begun, 0.0), (self.energy.known, 0.0)]
    }
}

/// What [`CellArrays::electron`] holds where electrons have the gas's temperature.
pub const NO_ELECTRON_T: f64 = -1.0;

/// The energy of a cell whose walls are adiabatic.
#[derive(Debug, Clone, Copy, Default)]
pub struct Energy {
    /// 1 once it is known; 0 when a cell is loaded.
    pub known: Array,
    /// Enthalpy (constant p) or internal energy (constant v) [J/kg].
    pub per_mass: Array,
    /// The temperature [K] whose side of [`Thermo::jumps`](crate::plan::Thermo::jumps) it belongs to.
    pub at: Array,
    /// What a step has lost of it, as a part of T.
    pub lost: Array,
    /// What it is behind the step, if that is accepted.
    pub next: Array,
    /// The temperature there [K].
    pub next_at: Array,
}

/// Variables that an evaluation leaves for others.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scalars {
    /// T [K].
    pub t: Array,
    /// ln T.
    pub ln_t: Array,
    /// 1/T.
    pub inv_t: Array,
    /// Density [kg/m³].
    pub rho: Array,
    /// Total concentration [mol/m³].
    pub ctot: Array,
    /// ln p.
    pub ln_p: Array,
    /// dT/dt.
    pub tdot: Array,
    /// Heat capacity of the mixture, per mass [J/(kg K)], at constant p or v as the reactor says.
    pub cmix: Array,
}
