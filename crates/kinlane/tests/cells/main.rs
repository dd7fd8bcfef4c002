//! Cells of gas that the library advances.

#[path = "../common/mod.rs"]
mod common;

mod auto;
mod budgets;
mod burke;
mod cold;
mod continuation;
mod counters;
mod decay;
mod drained;
mod elements;
mod every_method;
mod factors;
mod first_step;
mod growth;
mod history;
mod intervals;
mod library;
mod powers;
mod recombination;
mod rest;
mod tolerances;
mod traces;
