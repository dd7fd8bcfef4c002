//! The functions of `include/kinlane.h`, which says what a caller must keep to. There is no mathematics here. The
//! functions have the names, arguments and order of that file, and a test compares the two (`header.rs`).
//!
//! Every function
//! - checks what it is given (null, length, alignment, overlap, names) before it uses it;
//! - reports an error as a [`Code`](fault::Code) with a text, in the caller's own `kinlane_error`;
//! - catches panics: none crosses the boundary ([`fault::guarded`]).
//!
//! Nothing is global. Handles may be shared among threads; those that can do one thing at a time say so (`KINLANE_BUSY`).

mod advance;
mod arrays;
mod continuation;
mod evaluate;
mod fault;
mod follow;
#[cfg(test)]
mod header;
mod mechanism;
mod names;
mod options;
mod scheme;
mod solver;

use std::ffi::{c_char, c_int};

/// The version of the library, as text that always lives.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// `KINLANE_ABI` of the header that belongs to the library.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_abi() -> c_int {
    1
}
