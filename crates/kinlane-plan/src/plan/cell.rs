//! The variables of a cell: its parameters, quantities that an evaluation shares, and what is kept between
//! steps.

use crate::machine::Array;

/// A cell's parameters, and the quantities that every evaluation derives from its state.
#[derive(Debug, Clone, Copy, Default)]
pub struct CellArrays {
    /// Pressure \[Pa\] (constant p) or density \[kg/m³\] (constant v), set when the cell is loaded; where rate
    /// constants are given, the largest mass fraction (or what stands for it) with which the cell was loaded.
    pub parameter: Array,
    /// d/dt of the imposed quantity, constant until it is set anew. Empty except in a plan with
    /// [`Features::history`](crate::plan::Features::history), which takes pressure or volume from the
    /// variables instead of `parameter`.
    pub slope: Array,
    /// Electron temperature \[K\]; negative where it follows the gas temperature.
    pub electron: Array,
    /// Where methods do not iterate: a lower phi \[mol/kg\] counts as this in rates.
    pub floor: Array,
    /// The negative phi \[mol/kg\] down to which noise brings a species.
    pub noise: Array,
    /// The negative phi \[mol/kg\] down to which the absolute tolerance does not see a species.
    pub slight: Array,
    /// 1 where a species below zero is in debt, 0 where that would be noise: see `begin` of the gas problem.
    pub owing: Array,
    /// In cold gas, the most there is of all products of a reaction whose reverse rate is lost \[mol/kg\].
    pub lacking: Array,
    /// 1 once `owing` is known; 0 when a cell is loaded.
    pub begun: Array,
    /// For methods that iterate, per species: a lower phi \[mol/kg\] counts as this in rates, until the next
    /// Jacobian.
    pub depth: Array,
    /// 1 where something grows faster than a step can follow, else 0.
    pub grows: Array,
    /// d(phi)/dt of the source \[mol/(kg s)\], per variable; zero for T and the variables after it.
    pub source: Array,
    /// Heating of the source \[W/kg\].
    pub heating: Array,
    /// Concentrations \[mol/m³\], of phi cut from below at `floor` or, where methods iterate, at `depth`.
    pub conc: Array,
    /// Activities c = C e^{G}, which the mass-action products of reversible reactions use, followed by a one;
    /// then, where the Jacobian is evaluated, the same with a minus.
    pub act: Array,
    /// Scalars of an evaluation.
    pub scalars: Scalars,
    /// Net molar production rates \[mol/(m³ s)\].
    pub wdot: Array,
    /// The cell's energy, as far as it is kept between steps.
    pub energy: Energy,
}

/// Value of [`CellArrays::electron`] where electrons have the temperature of the gas.
pub const NO_ELECTRON_T: f64 = -1.0;

/// The energy of a cell with adiabatic walls.
#[derive(Debug, Clone, Copy, Default)]
pub struct Energy {
    /// 1 once the energy is known; 0 when a cell is loaded.
    pub known: Array,
    /// Enthalpy (constant p) or internal energy (constant v) \[J/kg\].
    pub per_mass: Array,
    /// The temperature \[K\] for which it was computed; tells on which side of each of
    /// [`Thermo::jumps`](crate::plan::Thermo::jumps) it lies.
    pub at: Array,
    /// What a step has lost of the energy, as a relative change of T.
    pub lost: Array,
    /// The energy after the step, if the step is accepted \[J/kg\].
    pub next: Array,
    /// The temperature after the step \[K\].
    pub next_at: Array,
}

/// Scalars that an evaluation leaves for later ones.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scalars {
    /// T \[K\].
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
