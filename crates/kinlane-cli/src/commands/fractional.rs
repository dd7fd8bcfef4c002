//! What commands share in which reaction and something else take turns.

use super::ending;
use crate::error::Error;
use crate::words::count;
use kinlane::Report;

/// Says if the CPU did the work of a device, and how many reactions failed, if any did.
pub fn tell(cost: &Report, of_what: &str) {
    ending::tell_fallback(cost.fallback.as_deref());
    if cost.failed > 0 {
        tell!("{} {of_what} over a step failed, and left its state as it was", count(cost.failed, "reaction"));
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
