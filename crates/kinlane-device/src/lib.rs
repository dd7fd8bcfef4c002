//! Batches on devices, through OpenCL and CUDA.
//!
//! The code that runs on a device is text of `kinlane-kernels`. `driver.rs` says what is needed of a device;
//! `opencl.rs` and `cuda.rs` provide it with libraries that are looked up at run time; `nvrtc.rs` or
//! `nvcc.rs` compiles for CUDA; `cache.rs` keeps what was compiled. `engine.rs` takes a batch, deals it out to
//! devices and the CPU, and passes cells that a device cannot finish to the CPU. `device.rs` cuts a share to fit the memory,
//! and `device/flight.rs` takes it there and back. `log.rs` reads the steps of watched
//! cells. `device/roofline.rs` compares what kernels do with what a device can do. `branches.rs` counts what threads that share a cell lose.
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
// Public because the tests compile kernels with it.
#[doc(hidden)]
pub mod nvrtc;
mod opencl;
mod supply;

pub use branches::Branches;
pub use device::compiled::Compiled;
pub use device::roofline::{Ceilings, Reached, Roofline};
pub use driver::Footprint;
pub use engine::{DeviceEngine, MappingWish, Settings};
pub use error::DeviceError;
pub use list::{Absent, Api, CudaCompiler, Info, Wish, automatic, cuda_compiler, devices};
pub use memory::{Cut, Needs};
