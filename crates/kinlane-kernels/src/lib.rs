//! The code of devices, as text.
//!
//! `programs.rs` records the code of `kinlane-solve` that the lanes run, too, and `kinlane-emit` prints it; `programs/text.rs` adds the few lines of
//! `around/` that move cells in and out. `language.rs` has what differs between languages and mappings of cells to threads,
//! `role.rs` the kernels that a batch goes through, and `layout.rs` what kernels and host must agree on. `work.rs`
//! counts the operations of these programs on a cell.
#![forbid(unsafe_code)]

mod language;
mod layout;
mod programs;
mod role;
mod work;

pub use language::{GROUPS, Language, Mapping, Near, WARP, abreast, ceilings};
pub use layout::{HEAD_IN, HEAD_LOG, HEAD_OUT, short_indices};
pub use programs::{Kernel, Programs};
pub use role::{COUNTED, COUNTERS, COURSE, HELD, KEPT, LIST_HEAD, LISTED, Role};
pub use work::{Meter, Work};
