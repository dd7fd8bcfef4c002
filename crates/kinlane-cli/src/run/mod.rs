//! What surrounds the work of every command: opening and planning, progress, and the end before its time.

pub mod exit;
pub mod progress;
pub mod setup;
pub mod stop;
