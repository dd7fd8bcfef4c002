//! GPUs and other devices: which there are, how they are used, and what they need.

use crate::Mechanism;
pub use kinlane_device::{
    Absent, Api, Branches, Ceilings, Compiled, CudaCompiler, Cut, DeviceError, Footprint, Info, MappingWish, Needs,
    Reached, Roofline, cuda_compiler, devices,
};

/// What groups of `width` threads that run in step lose where reactions branch.
pub fn branches(mechanism: &Mechanism, width: usize) -> Branches {
    Branches::of(mechanism.plan(), width)
}
