//! What is asked about a mechanism at a desk: ignitions, equilibria, reactors, flames, faults of its own.

#[path = "../common/mod.rs"]
mod common;

mod equilibrium;
mod flamelet;
mod ignition;
mod lint;
mod pasr;
mod paths;
mod psr;
