//! Text to [`Network`] and back: the readers of every mechanism format, and the writers.
//!
//! Each reader turns text into the common model of `network.rs`, in SI units (mol, m, s, K, J, Pa), and keeps
//! the file and line of every item. A reader does not stop at the first problem: it collects [`Diagnostic`]s
//! and refuses the file at the end, so that a user sees everything in one run.
//!
//! No numerics live here: rate laws are data, evaluated by `kinlane-solve`.
#![forbid(unsafe_code)]

pub mod cantera;
pub mod chemkin;
pub mod codes;
pub mod diagnostic;
mod duplicates;
pub mod elements;
pub mod explain;
pub mod fern;
pub mod kpp;
pub mod masses;
pub mod musica;
pub mod network;
pub mod reaclib;
pub mod read;
mod recognise;
pub mod render;
pub mod scheme;
pub mod screening;
pub mod subset;
mod sums;
pub mod units;
pub mod validate;
pub mod words;
pub mod write;

pub use diagnostic::{Diagnostic, Severity, Sources, Span};
pub use network::Network;
pub use read::Refusal;
