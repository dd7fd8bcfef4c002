//! Protection from settings that a host may have made in the calling thread.

use std::marker::PhantomData;

/// Until dropped, keeps the floating-point environment that compiled code expects: no traps, rounding to
/// nearest, subnormal numbers kept. In codes that trap divisions by zero and overflow (OpenFOAM's default,
/// gfortran's `-ffpe-trap`) a test for infinity would otherwise end the program. Threads started meanwhile
/// inherit it.
#[derive(Debug)]
pub struct UsualArithmetic {
    before: Control,
    /// Bound to this thread: neither `Send` nor `Sync`.
    own: PhantomData<*const ()>,
}

impl UsualArithmetic {
    /// Sets the environment in the calling thread.
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

    /// The value at the processor's start: all exceptions masked.
    pub const USUAL: Control = 0x1F80;

    pub fn read() -> Control {
        let mut x = 0;
        // SAFETY: stores a register of this thread into `x`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut x, options(nostack, preserves_flags)) };
        x
    }

    pub fn write(x: Control) {
        // SAFETY: the register is set to what Rust expects, or back to its previous value.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const x, options(nostack, readonly, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    /// FPCR.
    pub type Control = u64;

    /// The value at the processor's start: no traps.
    pub const USUAL: Control = 0;

    pub fn read() -> Control {
        let x;
        // SAFETY: reads a register of this thread.
        unsafe { asm!("mrs {}, fpcr", out(reg) x, options(nostack, nomem, preserves_flags)) };
        x
    }

    pub fn write(x: Control) {
        // SAFETY: the register is set to what Rust expects, or back to its previous value.
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
