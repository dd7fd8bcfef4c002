//! Cells side by side in SIMD registers.
//!
//! The engine takes a batch of gas cells and advances each by its own steps. Lanes that finish take the next cell
//! from a queue shared by all threads, so they stay full; no operation crosses lanes, so a cell's bits do not depend
//! on its neighbours.
#![allow(unsafe_code, reason = "SIMD intrinsics, and code entered only after their instruction set was detected")]

mod apart;
mod batch;
mod boards;
mod dispatch;
mod engine;
mod evaluate;
mod factor;
pub mod machine;
mod memory;
mod note;
mod pieces;
pub mod simd;
mod worker;

pub use dispatch::{Width, available};
pub use engine::{Cells, Engine, EngineError, Factor, Layout, Source, TotalCost, Totals, check_gas, check_watch};
pub use kinlane_solve::history::{History, HistoryFault};
pub use kinlane_solve::watch::{Event, Happening, Quantity, Watch};
pub use memory::Memory;
pub use worker::Kernel;
