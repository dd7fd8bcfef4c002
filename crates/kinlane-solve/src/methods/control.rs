//! How a cell advances in time: whether an attempt is accepted, the next step, and how the cell ends.

use super::Problem;
pub use super::clock::{Clock, DONE, Start, is_split};
pub use super::first_step::{FOLLOWED, first_step};
use crate::LEAST;
use crate::options::Status;
use kinlane_plan::machine::{Array, Machine, Real};

/// A truth value per cell.
pub type Mask<M> = <<M as Machine>::R as Real>::Mask;

/// 1 where the mask holds, else 0: how a truth value is kept in a variable.
#[inline(always)]
pub fn flag<R: Real>(mask: R::Mask) -> R {
    R::select(mask, R::lit(1.0), R::lit(0.0))
}

/// Whether a variable made by [`flag`] holds.
#[inline(always)]
pub fn holds<M: Machine>(m: M, a: Array) -> Mask<M> {
    m.lit(0.5).lt(m.var(a))
}

/// Whether an element made by [`flag`] holds.
#[inline(always)]
pub fn holds_at<M: Machine>(m: M, a: Array, i: M::I) -> Mask<M> {
    m.lit(0.5).lt(m.get(a, i))
}

/// Parameters of the step controller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Controller {
    /// Order of the error estimate plus one.
    pub order: f64,
    /// The new step is this part of the one whose error would just pass.
    pub safety: f64,
    /// Largest factor by which a step may grow.
    pub grow: f64,
    /// Smallest factor on a step.
    pub shrink: f64,
    /// Factor on the error of a cell's first step. That step starts from a state that the method did not
    /// make, often off the slow manifold, where the estimate is too small.
    pub first: f64,
    /// Largest factor after a second rejection in a row, where only the end of the interval counts; elsewhere it is a tenth.
    pub again: f64,
}

/// Accepts or rejects the attempt from `y` to `y1` with scaled error `error` and step `h`, and chooses the
/// next step; `y` is replaced where the attempt is accepted.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "each is a different thing of one attempt")]
pub fn decide<M: Machine>(m: M, c: &Clock, k: Controller, n: usize, y: Array, y1: Array, h: M::R, error: M::R) {
    decide_where(m, c, k, None, n, y, y1, h, error);
}

/// As [`decide`], but only in the cells of the mask; in the others the step goes on. Returns where a step was
/// accepted.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "each is a different thing of one attempt")]
pub fn decide_where<M: Machine>(
    m: M,
    c: &Clock,
    k: Controller,
    ends: Option<Mask<M>>,
    n: usize,
    y: Array,
    y1: Array,
    h: M::R,
    error: M::R,
) -> Mask<M> {
    let one = m.lit(1.0);
    let error = finite(m, error);
    let begins = c.begins(m);
    let error = M::R::select(begins, error * m.lit(k.first), error);
    let accepted = error.le(one);
    let floor = m.lit(1e-10).max(error);
    let factor = m.lit(k.safety) * (floor.ln() * m.lit(-1.0 / k.order)).exp();
    let again = one.le(m.var(c.after_rejection));
    let least = M::R::select(holds(m, c.only_end), m.lit(k.again), m.lit(0.1));
    // No growth right after a rejection. A second rejection in a row shrinks the step at least tenfold: short steps begin well what
    // grows from nothing. Where only the end counts, Rosenbrock methods halve it: short steps after near misses would be lost.
    let most = M::R::select(again, one, m.lit(k.grow));
    let factor = most.min(m.lit(k.shrink).max(factor));
    let factor = M::R::select(M::R::and(again, M::R::not(accepted)), least.min(factor), factor);
    put_where(m, ends, c.h, h * factor);
    put_where(m, ends, c.error, error);
    record_where(m, c, accepted, ends, h);
    let accepted = ends.map_or(
        accepted,
        #[inline(always)]
        |ends| M::R::and(ends, accepted),
    );
    m.all(
        n,
        #[inline(always)]
        |i| m.put(y, i, M::R::select(accepted, m.get(y1, i), m.get(y, i))),
    );
    accepted
}

/// Restores the energy that a step of length h from `y` to `y1` has lost, in the cells of the mask, by adding
/// `x`, the solution of a linear system in all variables (δ: the change of T that restores the energy):
///
/// ```text
/// (d I − J) x = d δ,   y₁ := y₁ + x
/// ```
///
/// A correction of T alone would push all fast variables off balance, and the next step would lose energy by
/// that again.
#[inline(always)]
pub fn regain<M: Machine, P: Problem<M>>(m: M, p: P, which: Mask<M>, [y, y1, x]: [Array; 3], h: M::R, rtol: M::R) {
    m.all(
        p.len(),
        #[inline(always)]
        |i| {
            let before = m.get(y1, i);
            m.put(y1, i, M::R::select(which, before + m.get(x, i), before));
        },
    );
    p.energy_lost(m, y, y1, h, rtol);
}

/// Sets a variable; if there is a mask, only in its cells.
#[inline(always)]
fn put_where<M: Machine>(m: M, mask: Option<Mask<M>>, a: Array, x: M::R) {
    m.set(
        a,
        mask.map_or(
            x,
            #[inline(always)]
            |mask| M::R::select(mask, x, m.var(a)),
        ),
    );
}

/// An error for comparisons: a NaN, which compares false with everything, becomes a huge error.
#[inline(always)]
pub fn finite<M: Machine>(m: M, error: M::R) -> M::R {
    M::R::select(error.le(m.lit(1e10)), error, m.lit(1e10))
}

/// x to the power p, for x > 0; a smaller x counts as [`LEAST`].
#[inline(always)]
pub fn power<R: Real>(x: R, p: R) -> R {
    (R::lit(LEAST).max(x).ln() * p).exp()
}

/// `to := from` in the cells of the mask.
#[inline(always)]
pub fn copy_where<M: Machine>(m: M, n: usize, mask: Mask<M>, from: Array, to: Array) {
    m.function(
        "copy_where",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| m.put(to, s, M::R::select(mask, m.get(from, s), m.get(to, s))),
            )
        },
    );
}

/// Advances the clock by an attempt of length `h`, where it was accepted, and counts the attempt.
#[inline(always)]
pub fn record<M: Machine>(m: M, c: &Clock, accepted: Mask<M>, h: M::R) {
    record_where(m, c, accepted, None, h);
}

#[inline(always)]
fn record_where<M: Machine>(m: M, c: &Clock, accepted: Mask<M>, ends: Option<Mask<M>>, h: M::R) {
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let (t, left) = (m.var(c.t), m.var(c.left));
    let whole = left.le(h); // the attempt went to the end of the interval
    let next = t + h;
    // By the time, so that the last step ends with the interval to the last digit. What is next to nothing beside the time before it, as
    // a steep piece of a history, is counted down by itself: steps may be shorter than the rounding of the time.
    let rest = M::R::select(left.le(m.lit(BRIEF) * t), left - h, (t + left) - next);
    let rest = M::R::select(whole, zero, rest);
    let moves = M::R::and(accepted, (m.lit(STILL) * next).le(h));
    for (a, x) in [
        (c.tried, h),
        (c.idle, M::R::select(moves, zero, m.var(c.idle) + M::R::select(accepted, m.lit(PART_OF_IDLE), one))),
        (c.t, M::R::select(accepted, next, t)),
        (c.left, M::R::select(accepted, rest, left)),
        (c.after_rejection, M::R::select(accepted, zero, one)),
        (c.steps, m.var(c.steps) + M::R::select(accepted, one, zero)),
        (c.rejected, m.var(c.rejected) + M::R::select(accepted, zero, one)),
    ] {
        put_where(m, ends, a, x);
    }
}

/// A step may exceed the wished length by this factor if it then ends the interval; otherwise a tiny last
/// step would remain.
pub const SLIVER: f64 = 1.01;

/// The length of the next attempt: as wished, but not past the end of the interval, and such that no tiny
/// step remains.
#[inline(always)]
pub fn next_step<M: Machine>(m: M, c: &Clock) -> M::R {
    let (h, left) = (m.var(c.h), m.var(c.left));
    M::R::select(left.le(h * m.lit(SLIVER)), left, M::R::select(left.lt(h * m.lit(2.0)), left * m.lit(0.5), h))
}

/// Time that remains is counted down by itself where it is a smaller part of the time before.
const BRIEF: f64 = 1e-8;

/// Adds `by` to a counter of a cell.
#[inline(always)]
pub fn count<M: Machine>(m: M, counter: Array, by: M::R) {
    m.set(counter, m.var(counter) + by);
}

/// A step that is a smaller part of the time since the start hardly moves `t`.
const STILL: f64 = 1e-13;
/// Most consecutive attempts that may leave `t` as it is. A species that vanishes in finite time needs a few
/// dozen; a cell that cannot advance would take such steps until its budget is spent. Beyond this number its
/// step counts as too small, and it climbs the failure ladder.
const IDLE: f64 = 500.0;
/// An accepted step counts as this part of a rejected one: a gas that ignites after hours does so in thousands
/// of steps that are next to nothing beside the time until then.
const PART_OF_IDLE: f64 = 0.02;

/// Least step, as a part of the time since the start and of the interval; a smaller one is too small.
const LEAST_OF_TIME: f64 = 1e-20;
const LEAST_OF_SPAN: f64 = 1e-50;
/// Factor on the absolute tolerance at every rung of the failure ladder.
pub const RUNG_ATOL: f64 = 1e-2;
/// The first step after the first rung, as a part of the interval.
const RUNG_STEP: f64 = 1e-6;

/// After an attempt: decides whether the cell still runs, has reached the end, or is lost; see
/// [`Clock::verdict`].
///
/// A cell whose step has become too small climbs the first rung of the failure ladder, once: the method
/// starts anew from the last accepted state, with a small step and a hundredth of the absolute tolerance. `f`
/// holds what was evaluated in the attempt.
#[inline(always)]
pub fn judge<M: Machine, P: Problem<M>>(m: M, p: P, c: &Clock, y: Array, f: Array) {
    m.function(
        "judge",
        #[inline(always)]
        || {
            let (zero, one) = (m.lit(0.0), m.lit(1.0));
            let (t, left, h, dt) = (m.var(c.t), m.var(c.left), m.var(c.h), m.var(c.span));
            let done = left.le(zero);
            // A species that vanishes in finite time needs steps too short to change `t`. A step of NaN
            // counts as too small, too.
            let least = (m.lit(LEAST_OF_TIME) * t).max(m.lit(LEAST_OF_SPAN) * dt);
            let small = M::R::or(M::R::not(least.le(h)), m.lit(IDLE).lt(m.var(c.idle)));
            let first = m.var(c.rung).lt(one);
            let climbs = M::R::and(M::R::and(small, first), M::R::not(done));
            let stuck = M::R::and(small, M::R::not(first));
            let spent = m.var(c.budget).le(m.var(c.steps) + m.var(c.rejected));
            let lost = M::R::not(p.plausible(m, y));
            let status = |s: Status| m.lit(f64::from(s as u8));
            let v = M::R::select(stuck, status(Status::StepTooSmall), zero);
            m.set(c.verdict, v);
            m.if_any(
                stuck,
                #[inline(always)]
                || {
                    let finite = m.fold(
                        m.i(0),
                        m.i(p.len()),
                        one,
                        #[inline(always)]
                        |x, i| M::R::select(m.get(f, i).abs().le(m.lit(f64::MAX)), x, zero),
                    );
                    let bad = M::R::and(stuck, finite.lt(one));
                    m.set(c.verdict, M::R::select(bad, status(Status::NotFinite), m.var(c.verdict)));
                },
            );
            let v = M::R::select(spent, status(Status::TooManySteps), m.var(c.verdict));
            let v = M::R::select(done, m.lit(DONE), v);
            // A cell that has reached the end in a state where no rate law holds is lost all the same.
            m.set(c.verdict, M::R::select(lost, status(Status::NotFinite), v));
            m.set(c.rung, M::R::select(climbs, one, m.var(c.rung)));
            m.set(c.idle, M::R::select(climbs, zero, m.var(c.idle)));
            m.set(c.fresh, M::R::select(climbs, one, m.var(c.fresh)));
            m.set(c.atol, M::R::select(climbs, m.var(c.atol) * m.lit(RUNG_ATOL), m.var(c.atol)));
            m.set(c.h, M::R::select(climbs, dt * m.lit(RUNG_STEP), h));
            m.set(c.after_rejection, M::R::select(climbs, zero, m.var(c.after_rejection)));
        },
    );
}
