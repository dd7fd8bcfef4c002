//! How a command ends: its exit code, and the cells that failed.

use crate::words::{count, short};
use kinlane::TEMPERATURES;
use std::fmt::Display;

/// Exit code where a cell, a state or a point failed, or `check --deny` found what it denies.
pub const FAILED: i32 = 1;
/// Exit code where the input or the command was wrong and no file was written, or where lines on standard output were lost.
pub const WRONG: i32 = 2;
/// Exit code after an interruption.
pub const STOPPED: i32 = 130;

/// Number of failures that are listed; a batch may have millions.
const TOLD: usize = 10;

/// The exit code of a run with so many failures.
pub fn code(failed: usize) -> i32 {
    if failed == 0 { 0 } else { FAILED }
}

/// Tells how many of the cells have temperatures \[K\] of which something is to be said, and which is the first.
pub fn tell_temperatures(temperatures: &[f64], which: impl Fn(f64) -> bool, why: &str) {
    let mut found = (0..).zip(temperatures).filter(|(_, t)| which(**t));
    if let Some((first, &t)) = found.next() {
        let all = count(temperatures.len(), "cell");
        tell!("{} of {all} {why}; the first is cell {first}, at {} K", 1 + found.count(), short(t));
    }
}

/// Tells of cells for which no rate law holds, and what becomes of them.
pub fn tell_lawless(temperatures: &[f64], so: &str) {
    let why = format!("outside {} to {} K, {so}", TEMPERATURES.start(), TEMPERATURES.end());
    tell_temperatures(temperatures, |t| !TEMPERATURES.contains(&t), &why);
}

/// Prints one line for each of the first failures, of `failed` in total.
pub fn tell_failures(failed: usize, lines: impl Iterator<Item = impl Display>) {
    lines.take(TOLD).for_each(|line| tell!("{line}"));
    if failed > TOLD {
        tell!("  and {} more", failed - TOLD);
    }
}
