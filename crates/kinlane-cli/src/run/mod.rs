//! Common parts of all commands: opening and planning, progress, and interruption.

pub mod exit;
pub mod progress;
pub mod setup;
pub mod stop;
