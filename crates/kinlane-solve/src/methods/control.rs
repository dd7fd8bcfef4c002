//! A cell's progress through time: its step size, what it has cost, how it ended. All of it lives in the cell's own
//! variables, so cells side by side go their own ways.

use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// The variables of a cell's integration.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    /// Time gone [s], counted up so that the shortest first steps are not lost in it.
    pub t: Array,
    /// Time still to go [s].
    pub left: Array,
    /// The step to try next [s]; the attempt takes at most `left`.
    pub h: Array,
    /// 1 after a rejection, so that the next accepted step does not grow.
    pub after_rejection: Array,
    /// Relative tolerance.
    pub rtol: Array,
    /// Absolute tolerance.
    pub atol: Array,
    /// Accepted steps.
    pub steps: Array,
    /// Rejected attempts.
    pub rejected: Array,
    /// Scaled error of the last attempt.
    pub error: Array,
}

impl Clock {
    /// Lays the variables out.
    pub fn new(l: &mut Layout) -> Self {
        Self {
            t: l.var(),
            left: l.var(),
            h: l.var(),
            after_rejection: l.var(),
            rtol: l.var(),
            atol: l.var(),
            steps: l.var(),
            rejected: l.var(),
            error: l.var(),
        }
    }
}

/// Whether a step `h` at time `t` of an interval `dt` is too small to be told from none.
pub fn too_small(h: f64, t: f64, dt: f64) -> bool {
    h < 4.0 * f64::EPSILON * t || h < 1e-24 * dt
}

/// Bounds of the step controller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Controller {
    /// Order of the error estimate plus one.
    pub order: f64,
    /// Aim at this part of the step that would just pass.
    pub safety: f64,
    /// Largest growth of a step.
    pub grow: f64,
    /// Smallest factor on a step.
    pub shrink: f64,
    /// Factor on the error of a cell's first step. It starts from a state that the method did not make, often off the
    /// slow manifold, where the estimate is too kind.
    pub first: f64,
}

/// Decides on the attempt from `y` to `y1` with scaled error `error` and step `h`; `y` is replaced where accepted.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "each is a different thing of one attempt")]
pub fn decide<M: Machine>(m: M, c: &Clock, k: Controller, n: usize, y: Array, y1: Array, h: M::R, error: M::R) {
    let one = m.lit(1.0);
    // A NaN compares false everywhere: it counts as a huge error.
    let error = M::R::select(error.le(m.lit(1e10)), error, m.lit(1e10));
    let begins = m.var(c.steps).le(m.lit(0.5));
    let error = M::R::select(begins, error * m.lit(k.first), error);
    let accepted = error.le(one);
    let floor = m.lit(1e-10).max(error);
    let factor = m.lit(k.safety) * (floor.ln() * m.lit(-1.0 / k.order)).exp();
    let again = one.le(m.var(c.after_rejection));
    // No growth right after a rejection; a second rejection in a row shrinks hard.
    let most = M::R::select(again, one, m.lit(k.grow));
    let factor = most.min(m.lit(k.shrink).max(factor));
    let factor = M::R::select(M::R::and(again, M::R::not(accepted)), m.lit(0.1).min(factor), factor);
    let left = m.var(c.left);
    let whole = left.le(h); // the attempt went to the end
    let t = m.var(c.t);
    let next = t + h;
    let rest = M::R::select(whole, m.lit(0.0), (t + left) - next);
    m.set(c.t, M::R::select(accepted, next, t));
    m.set(c.left, M::R::select(accepted, rest, left));
    m.set(c.h, h * factor);
    m.set(c.after_rejection, M::R::select(accepted, m.lit(0.0), one));
    m.set(c.steps, m.var(c.steps) + M::R::select(accepted, one, m.lit(0.0)));
    m.set(c.rejected, m.var(c.rejected) + M::R::select(accepted, m.lit(0.0), one));
    m.set(c.error, error);
    m.all(
        n,
        #[inline(always)]
        |i| m.put(y, i, M::R::select(accepted, m.get(y1, i), m.get(y, i))),
    );
}

/// The step to attempt: as wished, but not past the end, and without leaving a sliver behind it.
#[inline(always)]
pub fn next_step<M: Machine>(m: M, c: &Clock) -> M::R {
    let (h, left) = (m.var(c.h), m.var(c.left));
    M::R::select(left.le(h * m.lit(1.01)), left, M::R::select(left.lt(h * m.lit(2.0)), left * m.lit(0.5), h))
}
