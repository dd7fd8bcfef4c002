//! Integration methods. There is one step function per family; a method is a table of coefficients with its
//! source.
//!
//! `problem.rs` says what methods require of a problem, `method.rs` lists them, `stepper.rs` gives a method
//! its work arrays and runs it, `alone.rs` does so for single cells, `clock.rs` is a cell's clock, `first_step.rs`
//! its first step, `control.rs` what all of them share besides: step sizes, and when a cell is done or lost.
//! `newton.rs` holds what those share that iterate.

mod alone;
pub mod asymptotic;
pub mod auto;
pub mod bdf;
pub mod chemeq2;
mod clock;
pub mod control;
pub mod dirk;
pub mod exponential;
pub mod first_step;
pub mod growth;
pub mod method;
pub mod newton;
pub mod problem;
pub mod radau;
pub mod rkc;
pub mod rosenbrock;
pub mod runge_kutta;
pub mod stages;
pub mod stepper;
pub mod tableau;
pub mod track;

pub use method::Method;
pub use problem::Problem;
pub use stepper::{Size, Stepper};
