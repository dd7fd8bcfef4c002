//! What a batch needs of a device, whatever drives it.
//!
//! Memory and kernels are known by number and belong to the driver, so nothing here can outlive it.

use crate::{DeviceError, Info};

/// Memory on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory(pub usize);

/// Memory on the host that the device can copy from and to while the host does something else.
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
    /// Memory that a group shares \[bytes\], the last argument; of no bytes, or in CUDA, where a kernel has its own, it is
    /// none.
    Shared(usize),
}

/// What a compiler made of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Registers of a thread.
    pub registers: usize,
    /// Memory of a thread that holds what has no room in registers \[bytes\].
    pub local: usize,
    /// Memory that a group shares \[bytes\].
    pub shared: usize,
    /// Groups that a multiprocessor has room for at the same time.
    pub groups: usize,
}

/// Queues work runs in, each in order; what is in different queues may run at the same time.
pub const QUEUES: usize = 2;

/// A device under its driver. Work is put into a queue and done later; [`Driver::finish`] waits for it.
pub trait Driver: Send + Sync {
    /// What the device is.
    fn info(&self) -> &Info;

    /// Compiles a program, or takes it from the cache, and makes its kernel ready. Returns the kernel's number.
    ///
    /// # Errors
    /// [`DeviceError::Compile`], [`DeviceError::NoCompiler`], [`DeviceError::Lost`].
    fn kernel(&mut self, source: &str, name: &'static str) -> Result<usize, DeviceError>;

    /// How many threads of a kernel, in groups of `size`, the device runs at the same time.
    fn resident(&self, kernel: usize, size: usize) -> usize;

    /// What the compiler made of a kernel that is run in groups of `size`, where the driver says.
    fn footprint(&self, _kernel: usize, _size: usize) -> Option<Footprint> {
        None
    }

    /// Memory on the device, zeros.
    ///
    /// # Errors
    /// [`DeviceError::Memory`].
    fn memory(&mut self, bytes: usize, what: &'static str) -> Result<Memory, DeviceError>;

    /// Memory on the host.
    ///
    /// # Errors
    /// [`DeviceError::Memory`].
    fn staging(&mut self, numbers: usize) -> Result<Staging, DeviceError>;

    /// Gives up all memory, on both sides.
    fn release(&mut self);

    /// The numbers of staging memory. The queue that copies from or to it must have been finished.
    fn host(&mut self, s: Staging) -> &mut [f64];

    /// Copies bytes to the start of device memory, now.
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
