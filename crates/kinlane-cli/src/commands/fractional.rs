//! What commands share in which reaction and something else take turns.

use super::ending;
use crate::error::Error;
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
    /// Why the CPU did the work although a device was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<String>,
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
        if self.fallback.is_none() {
            self.fallback = report.fallback.as_deref().map(str::to_owned);
        }
    }

    /// Says if the CPU did the work of a device, and how many reactions failed, if any did.
    pub fn tell(&self, of_what: &str) {
        ending::tell_fallback(self.fallback.as_deref());
        if self.failed > 0 {
            tell!("{} {of_what} over a step failed, and left its state as it was", count(self.failed, "reaction"));
        }
    }
}

/// Most steps of a run.
const MOST: f64 = 1e9;

/// Number of steps of at most this length in a time.
pub fn steps(time: f64, longest: f64) -> Result<usize, Error> {
    // What rounding adds to a whole number is no further step.
    let steps = (time / longest * (1.0 - 1e-12)).ceil().max(1.0);
    if steps > MOST { Err(Error::TooShortSteps { step: longest, time }) } else { Ok(steps as usize) }
}

/// The length of steps of at most this length that end with a time.
pub fn step(time: f64, longest: f64) -> Result<f64, Error> {
    Ok(time / steps(time, longest)? as f64)
}
