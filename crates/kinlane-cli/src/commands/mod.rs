//! The commands, each with its options and its output.

pub mod advance;
pub mod bench;
pub mod check;
pub mod convert;
pub mod course;
pub mod demo;
pub mod devices;
pub mod ending;
pub mod equilibrate;
pub mod explain;
pub mod flamelet;
mod fractional;
pub mod ignite;
mod memory;
pub mod methods;
pub mod pasr;
pub mod psr;
pub mod rates;
pub mod scheme;
pub mod shell;
mod total;
