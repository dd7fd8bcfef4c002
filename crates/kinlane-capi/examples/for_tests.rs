//! The library once more, under another name: `cargo test` builds examples, but no libraries for other languages.
//! `tests/hosts.rs` loads this one.

#![allow(unsafe_code, reason = "as in the library")]

#[path = "../src/interface/mod.rs"]
mod interface;
