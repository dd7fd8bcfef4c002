//! GPUs and other devices: which there are, how they are used, and what they take.

use crate::Mechanism;
pub use kinlane_device::{
    Absent, Api, Branches, Ceilings, Compiled, CudaCompiler, Cut, DeviceError, Footprint, Info, MappingWish, Needs,
    Reached, Roofline, cuda_compiler, devices,
};

/// What threads of a group that run in step lose where its reactions branch.
pub fn branches(mechanism: &Mechanism, width: usize) -> Branches {
    Branches::of(mechanism.plan(), width)
}
