//! GPUs and other devices: which there are, how they are used, and what they need.

use crate::Mechanism;
pub use kinlane_device::{
    Absent, Api, Branches, Ceilings, Compiled, CudaCompiler, Cut, DeviceError, Footprint, Info, MappingWish, Needs,
    Reached, Roofline, cuda_compiler, devices,
};

/// What a batch needs on one device, and how it would be divided.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryPlan {
    /// The device.
    pub device: Info,
    /// What its memory is needed for.
    pub needs: Needs,
    /// How the batch would be cut.
    pub cut: Cut,
}

/// What groups of `width` threads that run in step lose where reactions branch.
pub fn branches(mechanism: &Mechanism, width: usize) -> Branches {
    Branches::of(mechanism.plan(), width)
}
