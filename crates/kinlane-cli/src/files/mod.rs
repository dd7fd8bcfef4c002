//! What is read from disk and written to it.

pub mod checkpoint;
pub mod npy;
pub mod npz;
pub mod output;
pub mod replay;
pub mod scheme;
pub mod states;
pub mod table;
