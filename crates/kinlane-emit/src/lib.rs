//! The recording machine and its printers.
//!
//! A program over [`Machine`](kinlane_plan::Machine) is run once on a [`Recorder`], which computes nothing:
//! every number is a handle on a piece of program. The result is a [`Program`], the same for every language;
//! a printer turns it into text. An emitted program that is compiled without contraction of products and sums
//! gives the bits of the scalar machine.
//!
//! `program.rs` is the program as data; `record.rs` makes it; `resolve.rs` finds what a printer must know
//! about it; `print/` writes it; `hazard.rs` says where threads that share a cell must wait for each other;
//! `unroll.rs` writes loops out; `strip.rs` finds those whose turns need not wait for each other; `blocks.rs` says how a group
//! keeps the factors of a matrix in registers. All differences between languages are in a [`Dialect`] and, in `prelude/`, in the few lines that look at the
//! bits of a number.
#![forbid(unsafe_code)]

pub mod blocks;
mod dialect;
mod hazard;
mod kinds;
mod print;
mod program;
mod record;
mod resolve;
mod storage;
mod strip;
mod unroll;

pub use blocks::Blocks;
pub use dialect::{C, CUDA, CUDA_TOGETHER, Dialect, OPENCL};
pub use print::print;
pub use program::Program;
pub use record::Recorder;
pub use storage::{Memory, Placing, Storage, near};
pub use unroll::unroll;
