//! The functions of `include/kinlane.h`, which says what a caller must keep to. There is no mathematics here. The
//! functions have the names, arguments and order of that file, and a test compares the two (`header.rs`).
//!
//! Every function
//! - checks what it is given (null, kinds of handles, length, alignment, overlap, names) before it uses it;
//! - reports an error as a [`Code`](fault::Code) with a text, in the caller's own `kinlane_error`;
//! - catches panics: none crosses the boundary ([`fault::guarded`]).
//!
//! Nothing is global. Handles may be shared among threads; those that can do one thing at a time say so (`KINLANE_BUSY`).

mod advance;
mod arrays;
mod continuation;
mod equilibrium;
mod evaluate;
mod fault;
mod follow;
mod handles;
#[cfg(test)]
mod header;
mod mechanism;
mod names;
mod options;
mod scheme;
mod solver;
mod zones;

use std::ffi::{CString, c_char, c_int};
use std::sync::OnceLock;

/// The version of the library, as text that always lives.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The names of all methods, one to a line.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_methods() -> *const c_char {
    static NAMES: OnceLock<CString> = OnceLock::new();
    lines(&NAMES, kinlane::methods().map(|m| m.name))
}

/// The names of the mechanisms that are built in, one to a line.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_bundled() -> *const c_char {
    static NAMES: OnceLock<CString> = OnceLock::new();
    lines(&NAMES, kinlane::BUNDLED.iter().map(|b| b.name))
}

/// Names, one to a line, as text that always lives.
fn lines(text: &'static OnceLock<CString>, names: impl Iterator<Item = &'static str>) -> *const c_char {
    text.get_or_init(|| CString::new(names.collect::<Vec<_>>().join("\n")).unwrap_or_default()).as_ptr()
}

/// `KINLANE_ABI` of the header that belongs to the library.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_abi() -> c_int {
    2
}
