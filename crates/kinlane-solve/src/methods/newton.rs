//! What the methods with Newton iterations share: for how long they iterate, and when an iteration ends. How they
//! judge its convergence is each method's own.

use super::control::holds;
use kinlane_plan::machine::{Array, Machine, Real};

/// Size of an increment at which a Newton iteration may end, in units of what the tolerances allow (Hairer &
/// Wanner's code).
#[inline(always)]
pub fn goal<R: Real>(rtol: R) -> R {
    (R::lit(10.0 * f64::EPSILON) / rtol).max(R::lit(0.03).min(rtol.sqrt()))
}

/// If increments do not shrink by at least this factor, an iteration is taken not to converge.
pub const CONTRACTS: f64 = 0.99;

/// An iteration with an increment of more than this many tolerances has diverged.
pub const RUN_AWAY: f64 = 1e10;

/// Increments below this many tolerances that no longer shrink are rounding: at rest, rates are small
/// differences of large numbers, and no iteration comes closer.
const ROUNDING: f64 = 1e-2;

/// Whether the increments of an iteration are rounding only. `size` is the last one, `theta` its ratio to the
/// one before.
#[inline(always)]
pub fn stalls<R: Real>(size: R, theta: R) -> R::Mask {
    R::and(size.le(R::lit(ROUNDING)), R::lit(0.5).le(theta))
}

/// Repeats `iteration` at most so many times, as long as it runs in some cell: `running` is a flag that
/// iterations clear. In cells where they no longer run they must change nothing.
#[inline(always)]
pub fn iterate<M: Machine>(m: M, most: usize, running: Array, iteration: impl Fn() + Copy) {
    m.ordered(
        m.i(0),
        m.i(most),
        #[inline(always)]
        |_| m.if_any(holds(m, running), iteration),
    );
}
