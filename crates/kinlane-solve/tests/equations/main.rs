//! Rates, Jacobians, factors: the equations on one cell.

mod factors;
mod jacobian;
mod losses;
mod lu;
mod rates;
mod thermo;
