//! Errors on their way to the host, and the wall that no panic passes.

use crate::interface::handles::{Handle, Held, held, held_mut, taken_back};
use kinlane::{BatchError, MechanismError, PlanError, UsualArithmetic, ZoneError};
use std::any::Any;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// What a call came to; `kinlane_code` of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub enum Code {
    /// All went well.
    #[default]
    Ok = 0,
    /// An argument cannot be used: null, a length, a name, an option.
    Argument = 1,
    /// The mechanism or the scheme was not found, or refused.
    Mechanism = 2,
    /// No solver can be planned with these options.
    Plan = 3,
    /// The arrays hold a value that cannot be.
    Batch = 4,
    /// A device failed in the middle.
    Device = 5,
    /// Another thread is using the handle.
    Busy = 6,
    /// A fault of kinlane itself.
    Internal = 7,
}

/// "None" where an index is returned; `KINLANE_NONE` of the header.
pub const NONE: usize = usize::MAX;

/// An error, before the host sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    code: Code,
    text: String,
    /// The cell that is to blame.
    cell: Option<usize>,
}

impl Fault {
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), cell: None }
    }

    /// An argument cannot be used.
    pub fn argument(text: impl Into<String>) -> Self {
        Self::new(Code::Argument, text)
    }

    /// A handle is null.
    pub fn null(what: &str) -> Self {
        Self::argument(format!("{what} is NULL"))
    }
}

impl From<MechanismError> for Fault {
    fn from(e: MechanismError) -> Self {
        Self::new(Code::Mechanism, e.to_string())
    }
}

impl From<PlanError> for Fault {
    fn from(e: PlanError) -> Self {
        Self::new(Code::Plan, e.to_string())
    }
}

impl From<BatchError> for Fault {
    fn from(e: BatchError) -> Self {
        let (code, cell) = match &e {
            BatchError::Device(_) => (Code::Device, None),
            BatchError::Planning(_) => (Code::Plan, None),
            BatchError::Length { .. } | BatchError::ForeignContinuation | BatchError::Interval { .. } => {
                (Code::Argument, None)
            }
            BatchError::Time { .. }
            | BatchError::Level { .. }
            | BatchError::UnknownSpecies { .. }
            | BatchError::Amount { .. }
            | BatchError::Factors
            | BatchError::Nothing => (Code::Argument, None),
            BatchError::DamagedContinuation { cell } => (Code::Argument, Some(*cell)),
            BatchError::Value { cell, .. }
            | BatchError::Unbalanced { cell, .. }
            | BatchError::Coarse { cell, .. }
            | BatchError::Reaction { cell, .. }
            | BatchError::Sum { cell, .. } => (Code::Batch, Some(*cell)),
            _ => (Code::Batch, None),
        };
        let text = match &e {
            // The library's own words are for Rust.
            BatchError::Factors => "factors need a solver with the option factors, on the CPU".to_owned(),
            _ => e.to_string(),
        };
        Self { code, text, cell }
    }
}

impl From<ZoneError> for Fault {
    fn from(e: ZoneError) -> Self {
        match e {
            ZoneError::Batch(e) => e.into(),
            ZoneError::Interval { .. } | ZoneError::Source => Self::argument(e.to_string()),
            _ => Self::new(Code::Plan, e.to_string()),
        }
    }
}

/// The last error of one caller.
#[derive(Debug, Default)]
pub struct LastError {
    code: Code,
    text: CString,
    cell: Option<usize>,
}

impl Held for LastError {
    const NAME: &str = "kinlane_error";
    const MARK: [u8; 8] = *b"kl error";
}

/// `kinlane_error` of the header.
pub type ErrorHandle = Handle<LastError>;

/// Text that ends with a zero, as C has it; a zero within becomes a space.
pub fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// Does what a function is for, and tells the host what came of it.
///
/// # Safety
/// `error` is null or a live handle that no other thread uses.
pub unsafe fn guarded(error: *mut ErrorHandle, work: impl FnOnce() -> Result<(), Fault>) -> Code {
    let _usual = UsualArithmetic::set();
    // A handle is used again only after the panic has been reported, and says then that it is broken (`solver.rs`).
    let fault = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Fault::new(Code::Ok, ""),
        Ok(Err(fault)) => fault,
        Err(panic) => Fault::new(Code::Internal, broke_down(&*panic)),
    };
    // SAFETY: the caller's word.
    if let Some(error) = unsafe { held_mut(error) } {
        *error = LastError { code: fault.code, text: c_text(&fault.text), cell: fault.cell };
    }
    fault.code
}

/// As [`guarded`], for what makes a handle: null where it failed.
///
/// # Safety
/// As [`guarded`].
pub unsafe fn made<T: Held>(error: *mut ErrorHandle, work: impl FnOnce() -> Result<T, Fault>) -> *mut Handle<T> {
    let mut handle = std::ptr::null_mut();
    let made = &mut handle;
    let put = || work().map(|t| *made = Handle::new(t));
    // SAFETY: the caller's word.
    unsafe { guarded(error, put) };
    handle
}

/// Ends a handle, or nothing.
///
/// # Safety
/// As [`taken_back`].
pub unsafe fn freed<T: Held>(handle: *mut Handle<T>) {
    // SAFETY: the caller's word.
    if let Some(handle) = unsafe { taken_back(handle) } {
        // SAFETY: nothing is to be told to anybody.
        unsafe {
            guarded(std::ptr::null_mut(), || {
                drop(handle);
                Ok(())
            })
        };
    }
}

/// What only one call at a time may use.
pub fn locked<'a, T>(what: &str, lock: &'a Mutex<T>) -> Result<MutexGuard<'a, T>, Fault> {
    lock.try_lock().map_err(|e| match e {
        TryLockError::WouldBlock => Fault::new(Code::Busy, format!("another thread is using the {what}")),
        TryLockError::Poisoned(_) => {
            Fault::new(Code::Internal, format!("the {what} broke down in an earlier call; free it, and make another"))
        }
    })
}

/// What a panic says, as an error.
pub fn broke_down(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("kinlane broke down: {}", text.unwrap_or("no reason given"))
}

/// A place for errors, empty.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_error_new() -> *mut ErrorHandle {
    Handle::new(LastError::default())
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_error_free(error: *mut ErrorHandle) {
    // SAFETY: the caller's word.
    unsafe { freed(error) };
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_error_code(error: *const ErrorHandle) -> Code {
    // SAFETY: the caller's word.
    unsafe { held(error) }.map_or(Code::Ok, |e| e.code)
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_error_text(error: *const ErrorHandle) -> *const c_char {
    // SAFETY: the caller's word.
    unsafe { held(error) }.map_or(c"".as_ptr(), |e| e.text.as_ptr())
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_error_cell(error: *const ErrorHandle) -> usize {
    // SAFETY: the caller's word.
    unsafe { held(error) }.and_then(|e| e.cell).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        let error = kinlane_error_new();
        // SAFETY: a handle of this thread.
        let told = || unsafe { held(error) }.map(|e| (e.code, e.text.to_string_lossy().into_owned())).expect("a place");
        // SAFETY: as above.
        let code = unsafe { guarded(error, || panic!("a reason of its own")) };
        assert_eq!((code, told()), (Code::Internal, (code, "kinlane broke down: a reason of its own".to_owned())));

        // SAFETY: as above.
        let handle = unsafe { made::<LastError>(error, || panic!("another {}", 1)) };
        assert!(handle.is_null());
        assert_eq!(told().1, "kinlane broke down: another 1");

        // What went well leaves nothing of what went wrong.
        // SAFETY: as above.
        assert_eq!(unsafe { guarded(error, || Ok(())) }, Code::Ok);
        assert_eq!(told(), (Code::Ok, String::new()));
        // SAFETY: as above.
        unsafe { kinlane_error_free(error) };
    }
}
