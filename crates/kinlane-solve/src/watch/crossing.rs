//! When within a step a quantity reaches a level.

use super::step::Step;
use super::{Quantity, Sought};

/// Number of places in a step at which the cubic is examined for a crossing.
const LOOKS: usize = 8;

/// A crossing has been found where the quantity is within this part of its tolerance of the level.
const CLOSE: f64 = 0.01;

/// Relative rounding error of a quantity.
const ROUNDING: f64 = 1e-14;

/// Most states that are computed to find a crossing.
const REFINEMENTS: usize = 40;

/// When in a step a quantity first reaches a level \[s\]; NaN if it does not. The cubic says where to look;
/// the cell's own state decides whether the level is reached, and when.
pub fn crossing(q: Quantity, level: f64, s: &Step<'_>, w: &Sought<'_>, state: &mut [f64]) -> f64 {
    let cubic = |x: f64| s.value(q, x, w.molar_mass)[0] - level;
    let mut cell = |x: f64| {
        s.states(&[x], state);
        s.value_in(state, q, w.molar_mass) - level
    };
    let looks: [f64; LOOKS + 1] = std::array::from_fn(|i| i as f64 / LOOKS as f64);
    // A quantity that begins on the level has reached it; a pressure computed from a density may be off by
    // rounding.
    let begins = |g: f64| if g.abs() <= ROUNDING * level.abs() { 0.0 } else { g };
    let first = begins(cubic(0.0));
    if first == 0.0 {
        return s.t;
    }
    let last = begins(cubic(1.0));
    let beyond = |x: f64| cubic(x) * first;
    let (end, there) = if first * last <= 0.0 {
        (1.0, last)
    } else {
        // Both ends are on the same side. An excursion of the cubic between them counts only if the cell's
        // state confirms it.
        let x = looks.into_iter().min_by(|&a, &b| beyond(a).total_cmp(&beyond(b))).unwrap_or(1.0);
        (x, if beyond(x) < 0.0 { cell(x) } else { first })
    };
    if first * there > 0.0 || (first * there).is_nan() {
        return f64::NAN;
    }
    // Starts from a zero of the cubic; then the Illinois variant of false position on the cell's states: the
    // value at an end that is kept twice is halved.
    let after = looks.into_iter().find(|&x| x > 0.0 && beyond(x) <= 0.0).unwrap_or(end);
    let mut guess = bisect(&|x| cubic(x) * first.signum(), after - 1.0 / LOOKS as f64, after);
    let (mut low, mut high) = ((0.0, first), (end, there));
    let (enough, mut kept) = (CLOSE * s.open(q, level, w), 0);
    for _ in 0..REFINEMENTS {
        let x = if low.0 < guess && guess < high.0 { guess } else { 0.5 * (low.0 + high.0) };
        let g = cell(x);
        if g.abs() <= enough {
            return s.t + x * s.h;
        }
        if g * first > 0.0 {
            (low, high.1, kept) = ((x, g), if kept > 0 { 0.5 * high.1 } else { high.1 }, 1);
        } else {
            (high, low.1, kept) = ((x, g), if kept < 0 { 0.5 * low.1 } else { low.1 }, -1);
        }
        guess = low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1));
    }
    s.t + 0.5 * (low.0 + high.0) * s.h
}

/// The time at which `g`, which is positive at `lo`, falls through zero.
pub fn bisect(g: &dyn Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
    for _ in 0..60 {
        let mid = 0.5 * (lo + hi);
        if g(mid) > 0.0 { lo = mid } else { hi = mid }
    }
    0.5 * (lo + hi)
}
