//! Steepest rises without a sharp peak: their times are computed again, at the tolerances used for maxima.

use super::{Request, peaks};
use crate::error::Error;
use crate::mixture::{self, Point};
use crate::run::stop;
use crate::words::count;
use kinlane::{Event, Followed, Happening, Options};

/// A rise has a sharp enough peak if it has slowed to this part of its maximum by three times its time.
const SLOWED: f64 = 0.5;
const BY: f64 = 3.0;

/// The events, followed for every steepest rise by the event that it has slowed.
pub fn with_companions(events: &[Event]) -> Vec<Event> {
    let slowed = |e: &Event| Event { happening: Happening::RiseSlowed(SLOWED), ..*e };
    events.iter().copied().chain(steepest(events).map(|(_, e)| slowed(e))).collect()
}

/// Removes the companions' times from the times found, \[n, events\]; returns the cells in which a steepest
/// rise has no sharp peak.
pub fn without_companions(events: &[Event], followed: &mut Followed) -> Vec<usize> {
    let width = events.len() + steepest(events).count();
    let rows: Vec<Vec<f64>> = followed.found.chunks_exact(width.max(1)).map(<[f64]>::to_vec).collect();
    let flat = |row: &[f64]| {
        let (found, slowed) = row.split_at(events.len());
        // The time of a companion that was not found is NaN.
        let sharp = |(e, late): (usize, &f64)| found.get(e).is_none_or(|t| t.is_nan() || *late <= BY * t);
        !steepest(events).map(|(e, _)| e).zip(slowed).all(sharp)
    };
    followed.found = rows.iter().flat_map(|row| row.iter().take(events.len()).copied()).collect();
    rows.iter().enumerate().filter(|(_, row)| flat(row)).map(|(i, _)| i).collect()
}

fn steepest(events: &[Event]) -> impl Iterator<Item = (usize, &Event)> {
    events.iter().enumerate().filter(|(_, e)| e.happening == Happening::SteepestRise)
}

/// Computes the times of these cells again, at smaller tolerances; a cell that fails keeps its times, with a
/// message.
pub fn again(r: &Request, options: &Options, end: f64, flat: &[usize], followed: &mut Followed) -> Result<(), Error> {
    let points: Vec<Point> = flat.iter().filter_map(|&i| r.points.get(i).cloned()).collect();
    let imposed = r.imposed.of(flat);
    let mut states = mixture::states(&points, &r.mechanism)?;
    let mut solver = imposed.solver(&r.mechanism, &peaks(options.clone()), r.threads)?;
    let finer = imposed.advance(&mut solver, &mut states, end, &[], &r.events)?;
    stop::check()?;
    let failed: Vec<usize> = states.failures().map(|(i, _)| i).collect();
    if !failed.is_empty() {
        tell!(
            "the steepest rise of {} has no sharp peak, and finer tolerances did not get to it: its time may be some per cent off \
             (--max-steps)",
            count(failed.len(), "cell")
        );
    }
    let width = r.events.len();
    for (i, (&cell, times)) in flat.iter().zip(finer.found.chunks_exact(width)).enumerate() {
        if let Some(to) = followed.found.get_mut(cell * width..(cell + 1) * width)
            && !failed.contains(&i)
        {
            to.copy_from_slice(times);
        }
    }
    followed.report.steps += finer.report.steps;
    followed.report.cpu_seconds += finer.report.cpu_seconds;
    Ok(())
}
