//! Batches on devices, through OpenCL and CUDA.
//!
//! What runs there is printed from the programs of `kinlane-solve` by `kinlane-emit`: `program.rs` adds the lines that
//! move cells in and out. `driver.rs` says what is needed of a device, `opencl.rs` and `cuda.rs` do it with libraries
//! looked up at run time, `nvrtc.rs` or `nvcc.rs` compiles for CUDA, `cache.rs` keeps what was compiled. `engine.rs`
//! takes a batch, cuts it to the memory that is there, and hands cells that a device cannot finish to the CPU. `log.rs`
//! reads the steps of watched cells.
//! `work.rs` counts what programs do to a cell, `device/roofline.rs` how much of what a device can do that is.
//! `branches.rs` counts what threads that share a cell lose.
#![allow(unsafe_code, reason = "calls of OpenCL, CUDA and NVRTC")]

mod branches;
mod cache;
mod cuda;
mod device;
mod driver;
mod engine;
mod error;
mod list;
mod log;
mod memory;
mod nvcc;
// The tests compile with it.
#[doc(hidden)]
pub mod nvrtc;
mod opencl;
#[doc(hidden)]
pub mod program;
mod supply;
mod work;

pub use branches::Branches;
pub use device::compiled::Compiled;
pub use device::roofline::{Ceilings, Reached, Roofline};
pub use driver::Footprint;
pub use engine::{DeviceEngine, MappingWish, Settings};
pub use error::DeviceError;
pub use list::{Absent, Api, CudaCompiler, Info, Wish, automatic, cuda_compiler, devices};
pub use memory::{Cut, Needs};
