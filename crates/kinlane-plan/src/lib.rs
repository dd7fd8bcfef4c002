//! A [`Plan`]: a network lowered to index tables, and the machines that run programs over them.
#![forbid(unsafe_code)]

mod plan;

pub use plan::Plan;
