//! The Rust of the book, run as tests of documentation. `cargo xtask book run` sees that no page is left out.

#[doc = include_str!("../../../docs/embedding.md")]
mod embedding {}
