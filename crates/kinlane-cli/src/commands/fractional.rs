//! What commands share in which reaction and something else take turns.

use crate::words::count;
use kinlane::Report;
use serde::Serialize;

/// What all reactions over a step have cost together, as reports say it.
#[derive(Debug, Default, Serialize)]
pub struct Cost {
    /// Steps in which both had their turn.
    pub fractional_steps: usize,
    /// Reactions of a cell over a step that failed.
    pub failed: usize,
    pub seconds: f64,
    pub cpu_seconds: f64,
    steps: u64,
    rejected: u64,
}

impl Cost {
    /// Adds a step.
    pub fn add(&mut self, report: &Report) {
        self.fractional_steps += 1;
        self.failed += report.failed;
        self.seconds += report.seconds;
        self.cpu_seconds += report.cpu_seconds;
        self.steps += report.steps;
        self.rejected += report.rejected;
    }

    /// Says how many reactions failed, if any did.
    pub fn tell_failures(&self, what: &str) {
        if self.failed > 0 {
            tell!("{} failed over a step, and kept their state", count(self.failed, what));
        }
    }
}
