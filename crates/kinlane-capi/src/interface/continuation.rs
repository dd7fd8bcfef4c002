//! What cells keep from call to call.

use crate::interface::arrays::Arrays;
use crate::interface::fault::{Code, ErrorHandle, Fault, freed, guarded, locked, made};
use crate::interface::handles::{Handle, Held, handle, held};
use crate::interface::solver::{SolverHandle, taken};
use kinlane::Continuation;
use std::ffi::c_double;
use std::sync::{Mutex, MutexGuard};

/// A continuation.
#[derive(Debug)]
pub struct LockedContinuation {
    held: Mutex<Continuation>,
    /// What never changes, and may be asked for while a call uses it: numbers, and the solver that it is for.
    numbers: usize,
    solver: u64,
}

impl Held for LockedContinuation {
    const NAME: &str = "kinlane_continuation";
    const MARK: [u8; 8] = *b"kl cont.";
}

/// `kinlane_continuation` of the header.
pub type ContinuationHandle = Handle<LockedContinuation>;

impl LockedContinuation {
    /// The continuation for one call.
    pub fn take(&self) -> Result<MutexGuard<'_, Continuation>, Fault> {
        locked("continuation", &self.held)
    }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_continuation_new(
    solver: *const SolverHandle,
    cells: usize,
    error: *mut ErrorHandle,
) -> *mut ContinuationHandle {
    let work = || {
        // SAFETY: the caller's word.
        let mut work = unsafe { taken(solver)? };
        let gas = work.engine.gas()?;
        let numbers = cells.checked_mul(gas.continuation(0).width());
        if numbers.is_none_or(|n| Vec::<f64>::new().try_reserve_exact(n).is_err()) {
            return Err(Fault::argument(format!("a continuation for {cells} cells is larger than memory")));
        }
        let made = gas.continuation(cells);
        let (numbers, solver) = (cells * made.width(), made.solver());
        Ok(LockedContinuation { held: Mutex::new(made), numbers, solver })
    };
    // SAFETY: the caller's word.
    unsafe { made(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_continuation_free(continuation: *mut ContinuationHandle) {
    // SAFETY: the caller's word.
    unsafe { freed(continuation) };
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_continuation_size(continuation: *const ContinuationHandle) -> usize {
    // SAFETY: the caller's word.
    unsafe { held(continuation) }.map_or(0, |c| c.numbers)
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_continuation_solver(continuation: *const ContinuationHandle) -> u64 {
    // SAFETY: the caller's word.
    unsafe { held(continuation) }.map_or(0, |c| c.solver)
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_continuation_save(
    continuation: *const ContinuationHandle,
    numbers: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let continuation = unsafe { handle("continuation", continuation)? }.take()?;
        // SAFETY: the caller's word.
        let numbers =
            unsafe { Arrays::default().output("numbers", numbers, continuation.cells(), continuation.width())? };
        numbers.copy_from_slice(&continuation.save());
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_continuation_load(
    continuation: *const ContinuationHandle,
    numbers: *const c_double,
    solver: u64,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let mut continuation = unsafe { handle("continuation", continuation)? }.take()?;
        if continuation.solver() != solver {
            return Err(kinlane::BatchError::ForeignContinuation.into());
        }
        // SAFETY: the caller's word.
        let numbers =
            unsafe { Arrays::default().input("numbers", numbers, continuation.cells(), continuation.width())? };
        continuation.load(numbers).map_err(kinlane::BatchError::from)?;
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}
