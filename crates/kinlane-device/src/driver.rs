//! What a batch needs of a device, whichever driver it has.
//!
//! Memory and kernels are known by number and belong to the driver, so none of these numbers can outlive it.

use crate::{DeviceError, Info};

/// Memory on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory(pub usize);

/// Memory on the host from and to which the device can copy while the host does something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Staging(pub usize);

/// An argument of a kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Argument {
    /// A pointer to device memory.
    Memory(Memory),
    /// An unsigned integer of 32 bits.
    Count(u32),
    /// A number.
    Number(f64),
    /// Memory that a group shares \[bytes\], as the last argument. There is no such argument for zero bytes,
    /// or in CUDA, where a kernel has its own memory.
    Shared(usize),
}

/// Resources of a kernel, as told by the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Registers per thread.
    pub registers: usize,
    /// Memory per thread for what does not fit in registers \[bytes\].
    pub local: usize,
    /// Memory shared by a group \[bytes\].
    pub shared: usize,
    /// Groups that fit on a multiprocessor at the same time.
    pub groups: usize,
}

/// Number of queues. Work in one queue runs in order; work in different queues may run at the same time.
pub const QUEUES: usize = 2;

/// A device with its driver. Work is put into a queue and done later; [`Driver::finish`] waits for it.
pub trait Driver: Send + Sync {
    /// Description of the device.
    fn info(&self) -> &Info;

    /// Compiles a program, or takes it from the cache, and makes its kernel ready. Returns the kernel's
    /// number.
    ///
    /// # Errors
    /// [`DeviceError::Compile`], [`DeviceError::NoCompiler`], [`DeviceError::Lost`].
    fn kernel(&mut self, source: &str, name: &'static str) -> Result<usize, DeviceError>;

    /// Number of threads of a kernel, in groups of `size`, that the device runs at the same time.
    fn resident(&self, kernel: usize, size: usize) -> usize;

    /// Resources of a kernel that is run in groups of `size`, if the driver tells.
    fn footprint(&self, _kernel: usize, _size: usize) -> Option<Footprint> {
        None
    }

    /// Allocates memory on the device, filled with zeros.
    ///
    /// # Errors
    /// [`DeviceError::Memory`].
    fn memory(&mut self, bytes: usize, what: &'static str) -> Result<Memory, DeviceError>;

    /// Allocates staging memory on the host.
    ///
    /// # Errors
    /// [`DeviceError::Memory`].
    fn staging(&mut self, numbers: usize) -> Result<Staging, DeviceError>;

    /// Releases all memory, on both sides.
    fn release(&mut self);

    /// The numbers in staging memory. The queue that copies from or to it must have been finished.
    fn host(&mut self, s: Staging) -> &mut [f64];

    /// Copies bytes to the start of device memory, and waits for that.
    ///
    /// # Errors
    /// [`DeviceError::Lost`].
    fn write(&mut self, to: Memory, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Copies the first `numbers` of staging memory to the device.
    ///
    /// # Errors
    /// [`DeviceError::Lost`].
    fn upload(&mut self, queue: usize, from: Staging, to: Memory, numbers: usize) -> Result<(), DeviceError>;

    /// Copies the first `numbers` of device memory to the host.
    ///
    /// # Errors
    /// [`DeviceError::Lost`].
    fn download(&mut self, queue: usize, from: Memory, to: Staging, numbers: usize) -> Result<(), DeviceError>;

    /// Sets the first bytes of device memory to zero.
    ///
    /// # Errors
    /// [`DeviceError::Lost`].
    fn zero(&mut self, queue: usize, m: Memory, bytes: usize) -> Result<(), DeviceError>;

    /// Runs a kernel on `groups` groups of `size` threads.
    ///
    /// # Errors
    /// [`DeviceError::Lost`].
    fn launch(
        &mut self,
        queue: usize,
        kernel: usize,
        groups: usize,
        size: usize,
        arguments: &[Argument],
    ) -> Result<(), DeviceError>;

    /// Waits until all work of a queue is done.
    ///
    /// # Errors
    /// [`DeviceError::Lost`].
    fn finish(&mut self, queue: usize) -> Result<(), DeviceError>;
}
