//! Peaks of species of which there is so little that the absolute tolerance hides them.

use super::{IgniteArgs, Request, course};
use crate::words::short;
use kinlane::{Delay, Happening, Quantity};

/// A peak of fewer absolute tolerances than this is not told from noise.
const CLEARLY: f64 = 10.0;
/// Part of such a peak that an absolute tolerance should be.
const PART: f64 = 1e-3;

/// Why a peak of a species was not found in a cell, if the reason is that it is below what the tolerances
/// leave open; and what to do about it.
pub fn why(args: &IgniteArgs, r: &Request, cell: usize, delay: usize) -> Option<String> {
    let (event, asked) = (r.events.get(delay)?, r.delays.get(delay)?);
    let (Quantity::MoleFraction(k), Happening::Maximum | Happening::SteepestRise) = (event.quantity, event.happening)
    else {
        return None;
    };
    let (Delay::Maximum(name) | Delay::Steepest(name)) = asked else { return None };
    // Without its course there is no reason to tell.
    let (times, series) = course::series(args, r, cell, args.end(), []).ok()?;
    let course: Vec<f64> =
        series.chunks(series.len() / times.len().max(1)).filter_map(|row| row.get(k + 2).copied()).collect();
    let (at, &most) = course.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    let inside = at > 0 && at + 1 < course.len();
    let atol = args.tolerances.gas_atol_of(name);
    (inside && most > 0.0 && most < CLEARLY * atol).then(|| {
        format!(
            "{asked} was not found within {} s (--end-time): the mass fraction of {name} is {} at most, which --atol, {}, \
             leaves open; try --atol {}",
            short(args.end()),
            short(most),
            short(atol),
            short(10f64.powf((most * PART).log10().floor())),
        )
    })
}
