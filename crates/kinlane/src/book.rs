//! The Rust code of the book, run as documentation tests. `cargo xtask book run` checks that no page is left
//! out.

#[doc = include_str!("../../../docs/embedding.md")]
mod embedding {}
#[doc = include_str!("../../../docs/schemes.md")]
mod schemes {}
