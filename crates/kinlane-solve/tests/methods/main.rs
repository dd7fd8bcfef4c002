//! Methods on one cell.

mod counted;
mod dense;
mod negative;
mod orders;
mod rescue;
mod tableaus;
