//! The gas phase: thermodynamics, rates, the Jacobian, and the reactors made of them.
//!
//! State of a cell: phi_k = Y_k/W_k \[mol/kg\] for every species, T \[K\], and sigma = Σ phi_k. sigma is a
//! variable of its own so that the density (constant p: rho = p/(R T sigma)) or the total concentration
//! (constant v: rho sigma) depends on one variable instead of all. The exact Jacobian is then sparse with two
//! dense borders.

pub mod algebra;
pub mod conserve;
mod elements;
pub mod falloff;
pub mod gather;
mod general;
mod invariants;
pub mod jacobian;
pub mod kinetics;
mod measure;
pub mod pressure;
pub mod problem;
pub mod reactor;
pub mod state;
pub mod stirred;
pub mod thermo;

/// The gas constant \[J/(mol K)\].
pub const R: f64 = kinlane_plan::GAS_CONSTANT;
