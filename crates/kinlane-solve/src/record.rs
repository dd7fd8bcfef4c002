//! What a cell keeps from call to call, as numbers: those below, then the state that was handed out (T, p, Y), then what
//! was saved of the arrays that its method goes on with.

use crate::SUM_TOLERANCE;
use kinlane_plan::Array;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Index of how much is known of the cell: [`NOTHING`], [`STEP`] or [`ALL`].
pub const KNOWN: usize = 0;
/// Index of the time at which its last call ended, by the cell's own clock \[s\].
pub const END: usize = 1;
/// Index of its step size \[s\].
pub const H: usize = 2;
/// Index of the [`seal`], for records that leave the program.
pub const SEAL: usize = 3;
/// Index of the first number of the state that was handed out: T, p, Y.
pub const STATE: usize = 4;

/// Nothing is known of the cell.
pub const NOTHING: f64 = 0.0;
/// Only its step size is known.
pub const STEP: f64 = 1.0;
/// All that its next step needs is known.
pub const ALL: f64 = 2.0;

/// First step of a cell of which nothing is known \[s\]. It must not depend on when calls end: a run in two calls takes the
/// steps of one.
pub const FIRST: f64 = 1e-9;
/// Stands for the time that remains while steps are not to see where the call ends \[s\].
pub const FOREVER: f64 = 1e300;

/// Where the saved arrays begin.
pub fn saved(species: usize) -> usize {
    STATE + 2 + species
}

/// Numbers per cell, with these arrays.
pub fn width(species: usize, arrays: &[Array]) -> usize {
    saved(species) + arrays.iter().map(|a| a.len as usize).sum::<usize>()
}

/// A number that shows whether a record was damaged on its way through a file: a hash of all others. The same in programs
/// of the same build, like a record itself.
pub fn seal(record: &[f64]) -> f64 {
    let mut hash = DefaultHasher::new();
    let others = record.iter().enumerate().filter(|(i, _)| *i != SEAL);
    others.for_each(|(_, x)| x.to_bits().hash(&mut hash));
    // As many bits as a number holds exactly.
    (hash.finish() >> 11) as f64
}

/// How much of what is `known` of a cell its next call may use. If something acted on it in this call, as a source does, only
/// its step size: the record does not hold the source, without which its last step cannot be taken again.
pub fn to_keep(known: f64, acted_on: bool) -> f64 {
    if known == ALL && acted_on { STEP } else { known }
}

/// How much of a record is of use for a cell that is in the state `now` (T, p, Y). If the cell was changed since, or is
/// acted on from outside, as by a source, only its step size is.
pub fn of_use(record: &[f64], now: impl Iterator<Item = f64> + Clone, acted_on: bool) -> f64 {
    match record[KNOWN] {
        ALL if !is_state(&record[STATE..], now) => STEP,
        known => to_keep(known, acted_on),
    }
}

/// Whether a cell has this state, except for rounding on its way through files, and for a scaling of mass fractions to a
/// sum of one: some methods do not conserve mass, and hosts and readers of files correct that. A sum further from one
/// counts as a change of the cell.
fn is_state(state: &[f64], now: impl Iterator<Item = f64> + Clone) -> bool {
    let state = &state[..now.clone().count()];
    let sum: f64 = state.iter().skip(2).sum();
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-13 * b.abs();
    let as_if = |scale: f64| {
        let scales = [1.0, 1.0].into_iter().chain(std::iter::repeat(scale));
        now.clone().zip(state).zip(scales).all(|((a, b), scale)| near(a, b / scale))
    };
    as_if(1.0) || ((sum - 1.0).abs() < SUM_TOLERANCE && as_if(sum))
}
