//! CHEMKIN text that is read.

mod common;
mod files;
mod fuzz;
mod reading;
mod thermo;
mod told;
