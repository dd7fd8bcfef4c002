//! What the tests of every crate share. No crate that is shipped depends on it.
#![forbid(unsafe_code)]

pub mod batch;
pub mod bounded;
pub mod damage;
pub mod files;
pub mod golden;
pub mod oracle;
pub mod random;

pub use bounded::Bounded;
pub use files::skipped;
pub use oracle::Oracle;
pub use random::{Random, State};
