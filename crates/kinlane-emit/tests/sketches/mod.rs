//! Two methods over `Machine`, to see what the trait lacks before it is settled. They are complete enough to integrate
//! a gas cell, and short of what a user needs: no limits on steps, no failure ladder.

pub mod bdf;
pub mod fields;
pub mod radau;
