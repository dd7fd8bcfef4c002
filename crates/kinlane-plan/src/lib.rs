//! A [`Plan`]: a network lowered to index tables, and the machines that run programs over them.
#![forbid(unsafe_code)]

pub mod dual;
pub mod elementary;
mod lower;
pub mod lu;
pub mod machine;
pub mod number;
pub mod plan;
pub mod precision;
pub mod scalar;
pub mod tables;

pub use dual::Dual;
pub use kinlane_mech::network::GAS_CONSTANT;
pub use lower::{Conversion, HOTTEST, Polynomials};
pub use machine::{Array, Index, Indices, Machine, Real, Reals};
pub use plan::Plan;
pub use precision::{Grain, Precision};
pub use scalar::Scalar;
pub use tables::{Layout, Tables};
