//! What a host may have done to the thread that calls.

use std::marker::PhantomData;

/// The floating-point environment that compiled code counts on, until this is dropped: nothing traps, rounding is to nearest, numbers
/// below the normal range are kept. Codes with traps for divisions by zero and overflow (OpenFOAM's default, gfortran's
/// `-ffpe-trap`) would end at a test for infinity otherwise. Threads that are started inherit it.
#[derive(Debug)]
pub struct UsualArithmetic {
    before: Control,
    /// Of this thread.
    own: PhantomData<*const ()>,
}

impl UsualArithmetic {
    /// Sets it in the calling thread.
    #[must_use]
    pub fn set() -> Self {
        let before = control::read();
        control::write(control::USUAL);
        Self { before, own: PhantomData }
    }
}

impl Drop for UsualArithmetic {
    fn drop(&mut self) {
        control::write(self.before);
    }
}

use control::Control;

#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    /// MXCSR.
    pub type Control = u32;

    /// As the processor starts: all exceptions masked.
    pub const USUAL: Control = 0x1F80;

    pub fn read() -> Control {
        let mut x = 0;
        // SAFETY: stores a register of this thread into `x`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut x, options(nostack, preserves_flags)) };
        x
    }

    pub fn write(x: Control) {
        // SAFETY: the register is set to what Rust counts on, or back to what it was.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const x, options(nostack, readonly, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    /// FPCR.
    pub type Control = u64;

    /// As the processor starts: nothing traps.
    pub const USUAL: Control = 0;

    pub fn read() -> Control {
        let x;
        // SAFETY: reads a register of this thread.
        unsafe { asm!("mrs {}, fpcr", out(reg) x, options(nostack, nomem, preserves_flags)) };
        x
    }

    pub fn write(x: Control) {
        // SAFETY: the register is set to what Rust counts on, or back to what it was.
        unsafe { asm!("msr fpcr, {}", in(reg) x, options(nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod control {
    pub type Control = ();
    pub const USUAL: Control = ();
    pub fn read() -> Control {}
    pub fn write((): Control) {}
}
