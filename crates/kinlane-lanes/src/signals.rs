//! What passes between a call and those who wait for it.

use std::sync::atomic::{AtomicBool, AtomicUsize};

/// Signals of a running call, from and to other threads.
#[derive(Debug, Clone, Copy)]
pub struct Signals<'a> {
    /// Counts the finished cells.
    pub progress: &'a AtomicUsize,
    /// Setting it ends the call early.
    pub stop: &'a AtomicBool,
}
