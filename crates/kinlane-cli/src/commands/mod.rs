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

/// The i-th point of the unit square, by the two-dimensional golden ratio: any number of them fills it evenly.
fn spread(i: usize) -> [f64; 2] {
    [1.324_717_957_244_746, 1.754_877_666_246_693].map(|root| (0.5 + i as f64 / root).fract())
}
