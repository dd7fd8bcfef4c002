//! Backward differentiation of order 1 to 5 with variable step: the fixed-leading-coefficient form of Byrne &
//! Hindmarsh (1975), with the tests and constants of CVODE (Hindmarsh et al. 2005). The numerical differentiation
//! formulas of Shampine & Reichelt (1997) differ by a factor on γ and on the error estimates.
//!
//! The past is kept as the Nordsieck array zⱼ = hʲ y⁽ʲ⁾/j!. An attempt predicts, corrects by a simplified
//! Newton iteration, and, if the error passes, adds lⱼ times the correction to zⱼ. Every cell has its own
//! order, and its own age of Jacobian and factors. Coefficients of the cell's order are chosen by masks. When
//! one cell needs a new Jacobian or new factors, they are remade for all cells; those that did not ask kept
//! the inputs, and so get the same bits again.

mod coefficients;
mod past;
mod workspace;

use super::control::{self, Mask, copy_where, count, finite, flag, holds, power};
use super::newton;
use super::{Problem, growth};
use crate::LEAST;
pub use coefficients::{BDF, Formulas, NDF};
use coefficients::{Coefficients, Order, coefficients};
use kinlane_plan::machine::{Machine, Real, array};
use past::{change_order, moved, predict};
pub use workspace::Workspace;

/// Highest order.
const ORDERS: usize = 5;
/// Most Newton iterations of an attempt.
const ITERATIONS: usize = 3;
/// Number of steps after which the matrix is factored anew.
const FACTORS_LAST: f64 = 20.0;
/// Number of steps after which the Jacobian is evaluated anew.
const JACOBIAN_LASTS: f64 = 50.0;
/// The Jacobian is also evaluated anew where γ has grown by this factor since, and the step now grows by a
/// leap, as it does at rest. Energy conservation is w(y)ᵀf = 0, so wᵀJ = −(∂w/∂y)ᵀf, which is zero at rest
/// only: an earlier Jacobian, times a long step, does not conserve energy.
const JACOBIAN_REACHES: f64 = 30.0;
/// Growth of the step that counts as a leap.
const LEAP: f64 = 4.0;
/// Relative change of γ that asks for new factors.
const CHANGE: f64 = 0.3;
/// A step is changed only for a gain of at least this factor.
const WORTHWHILE: f64 = 1.5;
/// Largest factor by which a step may grow.
const GROW: f64 = 10.0;
/// The same of the first step, which was chosen small.
const GROW_FIRST: f64 = 1e4;
/// Safety factors of the error estimates for one order below, the present order, and one order above.
const SAFETY: [f64; 3] = [6.0, 6.0, 10.0];
/// Avoids a division by zero in the step sizes.
const TINY: f64 = 1e-6;

/// The parameters of an attempt.
#[derive(Clone, Copy)]
struct Attempt<R: Real> {
    /// Its step \[s\].
    h: R,
    /// Its order, as a number and as masks.
    order: R,
    q: Order<R>,
    k: Coefficients<R>,
    /// Where the Jacobian was evaluated in this attempt.
    stale: R::Mask,
    /// Where something grows faster than the step can follow.
    grows: R::Mask,
}

/// What the iterations of an attempt have in common.
#[derive(Clone, Copy)]
struct Newton<R> {
    gamma: R,
    /// Factor that makes the residual the right-hand side.
    scale: R,
    /// 1/l₁.
    inv_l: R,
    /// Size at or below which an increment is small enough.
    limit: R,
}

/// Attempts one step and accepts or rejects it.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, p: P, family: &Formulas, w: &Workspace) {
    let n = p.len();
    let c = &w.clock;
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let fresh = holds(m, c.fresh);
    m.if_any(
        fresh,
        #[inline(always)]
        || begin(m, p, w, fresh),
    );
    // The step: as wished, or to the end of the interval if that is near.
    let (wish, left) = (m.var(c.h), m.var(c.left));
    let h = M::R::select(left.le(wish * m.lit(control::SLIVER)), left, wish);
    let factor = h / m.var(w.scale);
    m.function(
        "predict",
        #[inline(always)]
        || predict(m, n, w, factor),
    );
    m.set(w.scale, h);
    let order = m.var(w.order);
    let q = Order::new(order);
    let tau = array(
        #[inline(always)]
        |k| m.var(w.tau[k]),
    );
    let k = coefficients(family, q, order, h, tau);
    let gamma = h * k.gamma;
    let steps = m.var(c.steps);
    let change = (gamma * m.var(w.diagonal) - one).abs();
    // Which cells need new factors, and which of them from a new Jacobian.
    let trouble = m.var(w.trouble);
    let failed = m.lit(0.5).lt(trouble);
    let refused = m.lit(0.5).lt(m.var(w.refusals));
    let renewed = m.var(w.factored).le(steps - m.lit(FACTORS_LAST));
    let moved = M::R::not(change.le(m.lit(CHANGE)));
    let outdated = p.outdated(m, w.predicted);
    let asks = M::R::or(M::R::or(fresh, moved), M::R::or(failed, M::R::or(refused, M::R::or(renewed, outdated))));
    let doubtful = M::R::or(m.lit(1.5).lt(trouble), M::R::and(failed, change.lt(m.lit(0.2))));
    let old = m.var(w.evaluated).lt(steps - m.lit(JACOBIAN_LASTS));
    let leaps = M::R::and(m.lit(LEAP).lt(factor), (m.var(w.reach) * m.lit(JACOBIAN_REACHES)).lt(gamma));
    let old = M::R::or(M::R::or(old, leaps), outdated);
    let stale = M::R::and(asks, M::R::or(doubtful, old));
    m.if_any(
        stale,
        #[inline(always)]
        || {
            copy_where(m, n, stale, w.predicted, w.base);
            p.rhs_and_jacobian(m, w.base, w.f);
        },
    );
    m.set(w.evaluated, M::R::select(stale, steps, m.var(w.evaluated)));
    m.set(w.reach, M::R::select(stale, gamma, m.var(w.reach)));
    let diagonal = M::R::select(asks, gamma.recip(), m.var(w.diagonal));
    m.set(w.diagonal, diagonal);
    m.set(w.factored, M::R::select(asks, steps, m.var(w.factored)));
    m.if_any(
        asks,
        #[inline(always)]
        || p.factor(m, diagonal),
    );
    let grows = p.grows(m, false, w.predicted, w.slope, one);
    count(m, c.jac, flag(stale));
    count(m, c.factor, flag(asks));
    // The increments are off by the ratio of γ in the factors to the present γ; half of that is corrected.
    let ratio = gamma * diagonal;
    let correct = m.lit(2.0) / (one + ratio);
    for (a, x) in [(w.running, one), (w.converged, zero), (w.last, zero)] {
        m.set(a, x);
    }
    m.set(w.rate, M::R::select(asks, one, m.var(w.rate)));
    let limit = m.lit(0.1) / k.tq2;
    newton::iterate(
        m,
        ITERATIONS,
        w.running,
        #[inline(always)]
        || iteration(m, p, w, Newton { gamma, scale: diagonal * correct, inv_l: k.gamma, limit }),
    );
    decide(m, p, family.orders, w, &Attempt { h, order, q, k, stale, grows });
}

/// Starts with order 1 and f, with half of the step that the curvature y'' = J f allows: half of
/// sqrt(2/‖y''‖).
#[inline(always)]
fn begin<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, fresh: Mask<M>) {
    let n = p.len();
    let c = &w.clock;
    copy_where(m, n, fresh, w.z[0], w.base);
    p.rhs_and_jacobian(m, w.base, w.f);
    p.times(m, w.f, w.residual);
    m.function(
        "begin",
        #[inline(always)]
        || {
            let (rtol, atol) = (m.var(c.rtol), m.var(c.atol));
            let curvature = p.size(
                m,
                w.z[0],
                rtol,
                atol,
                #[inline(always)]
                |s| m.get(w.residual, s),
            );
            let guess = m.lit(0.5) * (m.lit(2.0) / m.lit(LEAST).max(curvature)).sqrt();
            let guess = M::R::select(guess.le(m.lit(f64::MAX)), guess, m.lit(f64::MAX));
            let h = M::R::select(fresh, guess.min(m.var(c.h)), m.var(c.h));
            m.set(c.h, h);
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let f = m.get(w.f, s);
                    m.put(w.z[1], s, M::R::select(fresh, h * f, m.get(w.z[1], s)));
                    for z in &w.z[2..] {
                        m.put(*z, s, M::R::select(fresh, m.lit(0.0), m.get(*z, s)));
                    }
                },
            );
            let steps = m.var(c.steps);
            let begun = [
                (w.order, m.lit(1.0)),
                (w.wait, m.lit(2.0)),
                (w.scale, h),
                (w.most, m.lit(GROW_FIRST)),
                (w.saved_tq5, m.lit(0.0)),
                (w.trouble, m.lit(0.0)),
                (w.refusals, m.lit(0.0)),
                (w.evaluated, steps),
                (w.reach, h),
                (w.rate, m.lit(1.0)),
            ];
            for (a, x) in begun {
                m.set(a, M::R::select(fresh, x, m.var(a)));
            }
            for a in w.tau {
                m.set(a, M::R::select(fresh, h, m.var(a)));
            }
            count(m, c.jac, flag(fresh));
            m.set(c.fresh, M::R::select(fresh, m.lit(0.0), m.var(c.fresh)));
        },
    );
}

/// (I − γJ) δ = γ f(y) − (z₁/l₁ + correction). Cells that are not running keep their correction.
#[inline(always)]
fn iteration<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, newton: Newton<M::R>) {
    let n = p.len();
    let Newton { gamma, scale, inv_l, limit } = newton;
    p.rhs(m, w.y1, w.f);
    m.function(
        "residual",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let past = m.get(w.slope, s).mul_add(inv_l, m.get(w.correction, s));
                    m.put(w.residual, s, (gamma * m.get(w.f, s) - past) * scale);
                },
            )
        },
    );
    p.solve(m, w.residual);
    m.function(
        "update",
        #[inline(always)]
        || {
            let (one, running) = (m.lit(1.0), holds(m, w.running));
            let c = &w.clock;
            let size = p.size(
                m,
                w.z[0],
                m.var(c.rtol),
                m.var(c.atol),
                #[inline(always)]
                |s| m.get(w.residual, s),
            );
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let old = m.get(w.correction, s);
                    let new = M::R::select(running, old + m.get(w.residual, s), old);
                    m.put(w.correction, s, new);
                    m.put(w.y1, s, m.get(w.predicted, s) + new);
                },
            );
            let last = m.var(w.last);
            let first = last.le(m.lit(0.0));
            let rate = m.var(w.rate);
            let rate = M::R::select(first, rate, (m.lit(0.3) * rate).max(size / last));
            let small = (size * rate.min(one)).le(limit);
            let tame = M::R::and(size.le(m.lit(newton::RUN_AWAY)), M::R::or(first, size.le(m.lit(2.0) * last)));
            let done = M::R::and(running, small);
            m.set(w.rate, M::R::select(running, rate, m.var(w.rate)));
            m.set(w.converged, M::R::select(done, one, m.var(w.converged)));
            count(m, c.rhs, flag(running));
            m.set(w.running, flag(M::R::and(running, M::R::and(tame, M::R::not(small)))));
            m.set(w.last, M::R::select(running, size.max(m.lit(LEAST)), last));
        },
    );
}

/// Accepts or rejects the step, and chooses the next step and order.
#[inline(always)]
fn decide<M: Machine, P: Problem<M>>(m: M, p: P, orders: usize, w: &Workspace, attempt: &Attempt<M::R>) {
    let &Attempt { h, order, q, k, stale, grows } = attempt;
    m.function(
        "decide",
        #[inline(always)]
        || {
            let n = p.len();
            let c = &w.clock;
            let (zero, one) = (m.lit(0.0), m.lit(1.0));
            let converged = holds(m, w.converged);
            m.all(
                n,
                #[inline(always)]
                |s| m.put(w.error, s, k.tq2 * m.get(w.correction, s)),
            );
            let error = finite(m, c.norm(m, p, h, [w.z[0], w.y1, w.error]));
            let error = growth::outgrown(m, grows, error);
            let accepted = M::R::and(converged, error.le(one));
            let refused = M::R::and(converged, M::R::not(accepted));
            let lost = M::R::not(converged);

            // Growth of the step that the error would allow: f(x) = 1/((safety x)^(1/power) + tiny)
            let inv_l = q.literal(
                #[inline(always)]
                |k| 1.0 / (k + 1) as f64,
            );
            let same = (power(m.lit(SAFETY[1]) * error, inv_l) + m.lit(TINY)).recip();

            // An accepted step advances the past: zⱼ := Σ binomial zᵢ + lⱼ correction.
            let wait = m.var(w.wait) - flag(accepted);
            let due = M::R::and(accepted, wait.le(m.lit(0.5)));
            let (lower, higher) = moved(m, p, orders, w, attempt, accepted, due);
            let next = M::R::and(accepted, M::R::and(wait.le(m.lit(1.5)), m.lit(0.5).lt(wait)));
            m.all(
                n,
                #[inline(always)]
                |s| m.put(w.saved, s, M::R::select(next, m.get(w.correction, s), m.get(w.saved, s))),
            );
            m.set(w.saved_tq5, M::R::select(next, k.tq5, m.var(w.saved_tq5)));

            // A longer step or another order, where there is enough to gain.
            let held = m.var(w.most).le(one);
            let considers = M::R::and(due, M::R::not(held));
            let lower = M::R::select(considers, lower, zero);
            let higher = M::R::select(considers, higher, zero);
            let best = same.max(lower).max(higher);
            let gains = M::R::and(accepted, M::R::and(M::R::not(held), m.lit(WORTHWHILE).le(best)));
            let down = M::R::and(gains, M::R::and(same.lt(best), best.le(lower)));
            let up = M::R::and(gains, M::R::and(same.lt(best), lower.lt(best)));
            let grown = M::R::select(gains, best.min(m.var(w.most)), one);

            // Rejected for the error: shorter by the error, and more so each time. Not converged with a new
            // Jacobian: a quarter.
            let refusals = m.var(w.refusals) + flag(refused);
            let shrunk = m.lit(0.1).max(same);
            let shrunk = M::R::select(m.lit(1.5).lt(refusals), shrunk.min(m.lit(0.2)), shrunk);
            let shrunk = M::R::select(m.lit(3.5).lt(refusals), m.lit(0.1), shrunk);
            let factor = M::R::select(refused, shrunk, grown);
            let quarter = M::R::and(lost, stale);
            let factor = M::R::select(quarter, m.lit(0.25), factor);
            let trouble = M::R::select(lost, M::R::select(stale, m.lit(2.0), one), zero);
            m.set(w.trouble, trouble);
            m.set(w.refusals, M::R::select(accepted, zero, refusals));
            let most = M::R::select(accepted, m.lit(GROW), m.var(w.most));
            let most = M::R::select(M::R::or(refused, quarter), one, most);
            m.set(w.most, most);
            m.set(c.h, h * factor);
            // After so many rejections the past cannot be trusted: restart with order 1 from f.
            let restart = M::R::and(refused, m.lit(4.5).lt(refusals));
            m.set(c.fresh, M::R::select(restart, one, m.var(c.fresh)));
            change_order(m, n, w, q, h, down, up);
            let new_order = order + flag(up) - flag(down);
            m.set(w.order, new_order);
            // After a step that was not allowed to grow, the past is uneven for one more step.
            let wait = M::R::select(M::R::and(accepted, held), wait.max(m.lit(2.0)), wait);
            let wait = M::R::select(considers, m.lit(2.0), wait);
            m.set(w.wait, M::R::select(M::R::or(up, down), new_order + one, wait));
            m.set(c.error, error);
            control::record(m, c, accepted, h);
        },
    );
}
