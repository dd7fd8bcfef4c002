//! RKC: the stabilised explicit method of order 2 (Sommeijer, Shampine & Verwer 1998), for moderately stiff
//! cells. Its stages are Chebyshev recursions, so that s of them are stable over 0.65 s² of the negative real
//! axis.
//!
//! ```text
//! Y₁ = y + μ̃₁ h f₀      Y_j = (1 − μ_j − ν_j) y + μ_j Y_{j−1} + ν_j Y_{j−2} + μ̃_j h f(Y_{j−1}) + γ̃_j h f₀
//! b_j = T″_j(w₀)/T′_j(w₀)²   w₀ = 1 + ε/s²   w₁ = T′_s(w₀)/T″_s(w₀)
//! μ_j = 2 w₀ b_j/b_{j−1}   ν_j = −b_j/b_{j−2}   μ̃_j = 2 w₁ b_j/b_{j−1}   γ̃_j = −(1 − b_{j−1} T_{j−1}(w₀)) μ̃_j
//! err = 0.8 (y − Y_s) + 0.4 h (f₀ + f(Y_s))
//! ```
//!
//! An attempt is ONE stage, so that cells whose steps have many stages do not hold up neighbours whose steps
//! have few.

use super::Problem;
use super::control::{self, Clock, Controller, Mask, copy_where, count, flag, holds};
use crate::LEAST;
use kinlane_plan::elementary::ROUND;
use kinlane_plan::machine::{Array, Machine, Real, array};
use kinlane_plan::tables::Layout;

/// Damping parameter ε.
const EPSILON: f64 = 2.0 / 13.0;
/// s² − 1 must be at least this times h times the spectral radius.
const STRETCH: f64 = 1.54;
/// Largest number of stages; it bounds the step.
const STAGES: f64 = 250.0;
/// Of the budget of steps, so many stages count as one step: that costs about what a step of other methods costs.
const STEP: f64 = 10.0;
/// Number of accepted steps after which the spectral radius is estimated anew.
const KEEP: f64 = 25.0;
/// Most iterations of the power method, and the relative change at which it ends.
const ITERATIONS: usize = 50;
const CHANGE: f64 = 1e-2;
/// Factor on the estimate of the spectral radius, which comes from below.
const MARGIN: f64 = 1.2;
/// Factor on the error, since those of many steps add up.
const STRICT: f64 = 4.0;
const CONTROLLER: Controller = Controller { order: 3.0, safety: 0.8, grow: 5.0, shrink: 0.1, first: 1.0, again: 0.1 };

/// Work arrays of a step.
#[derive(Debug, Clone, Copy)]
pub struct Workspace {
    /// The state.
    pub y: Array,
    /// The latest stage Y_j.
    pub y1: Array,
    /// f at the latest stage.
    pub f: Array,
    /// The error estimate.
    pub error: Array,
    /// Time and steps.
    pub clock: Clock,
    /// The stage before the latest.
    past: Array,
    f0: Array,
    /// Estimate of the dominant eigenvector.
    vector: Array,
    product: Array,
    /// Spectral radius of J \[1/s\], and the number of steps since it was estimated.
    radius: Array,
    age: Array,
    running: Array,
    /// Number of the latest stage; zero between steps.
    stage: Array,
    /// Number of stages of the step.
    stages: Array,
    /// Length of the step [s].
    h: Array,
    w0: Array,
    w1: Array,
    /// T, T′, T″ at w₀ and b, of the latest stage and of the one before.
    chebyshev: [[Array; 4]; 2],
}

impl Workspace {
    /// Lays out the arrays for `n` variables.
    pub fn new(l: &mut Layout, n: usize) -> Self {
        Self {
            y: l.fine(n),
            y1: l.array(n),
            f: l.array(n),
            error: l.array(n),
            clock: Clock::new(l),
            past: l.array(n),
            f0: l.array(n),
            vector: l.array(n),
            product: l.array(n),
            radius: l.var(),
            age: l.var(),
            running: l.var(),
            stage: l.var(),
            stages: l.var(),
            h: l.var(),
            w0: l.var(),
            w1: l.var(),
            chebyshev: std::array::from_fn(|_| std::array::from_fn(|_| l.var())),
        }
    }

    /// What is remembered from step to step, beside the state and the clock.
    pub fn memory(&self) -> Vec<Array> {
        vec![self.f0, self.vector, self.radius, self.age, self.stage]
    }

    /// The method's own arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        let mut all = vec![
            ("past", self.past),
            ("f0", self.f0),
            ("vector", self.vector),
            ("product", self.product),
            ("radius", self.radius),
            ("age", self.age),
            ("running", self.running),
            ("stage", self.stage),
            ("stages", self.stages),
            ("step", self.h),
            ("w0", self.w0),
            ("w1", self.w1),
        ];
        for (names, vars) in [["t1", "dt1", "ddt1", "b1"], ["t2", "dt2", "ddt2", "b2"]].into_iter().zip(self.chebyshev)
        {
            all.extend(names.into_iter().zip(vars));
        }
        all
    }
}

/// Computes one stage; where it was the last of a step, accepts or rejects the step.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace) {
    let n = p.len();
    let c = &w.clock;
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let fresh = holds(m, c.fresh);
    m.set(c.fresh, zero);
    let begins = M::R::or(fresh, m.var(w.stage).lt(one));
    let doubtful = M::R::and(holds(m, c.after_rejection), one.le(m.var(w.age)));
    let old = M::R::or(m.lit(KEEP).le(m.var(w.age)), doubtful);
    let stale = M::R::or(fresh, M::R::and(begins, old));
    m.if_any(
        stale,
        #[inline(always)]
        || {
            p.rhs_and_jacobian(m, w.y, w.product);
            copy_where(m, n, stale, w.product, w.f0);
            spectral_radius(m, p, w, fresh, stale);
        },
    );
    m.if_any(
        begins,
        #[inline(always)]
        || {
            m.function(
                "begin",
                #[inline(always)]
                || begin(m, n, w, begins),
            )
        },
    );
    p.rhs(m, w.y1, w.f);
    count(m, c.rhs, one + flag(stale));
    count(m, c.jac, flag(stale));
    let ends = m.var(w.stages).le(m.var(w.stage));
    let goes_on = M::R::not(ends);
    m.if_any(
        goes_on,
        #[inline(always)]
        || {
            m.function(
                "stage",
                #[inline(always)]
                || stage(m, n, w, goes_on),
            )
        },
    );
    m.if_any(
        ends,
        #[inline(always)]
        || {
            m.function(
                "finish",
                #[inline(always)]
                || finish(m, p, w, ends),
            )
        },
    );
}

/// The largest |λ| of J by the power method, started from the last estimate of its vector, or from f in cells
/// that have none. A vector that J takes to nothing is kept: J may be another at the next estimate.
#[inline(always)]
fn spectral_radius<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, fresh: Mask<M>, stale: Mask<M>) {
    let n = p.len();
    let length = |a: Array| {
        m.sum(
            n,
            #[inline(always)]
            |i| m.get(a, i).squared(),
        )
        .sqrt()
    };
    let none = length(w.vector).le(m.lit(0.0));
    copy_where(m, n, M::R::and(stale, M::R::or(fresh, none)), w.f0, w.vector);
    m.set(w.running, flag(stale));
    m.set(w.radius, M::R::select(stale, m.lit(0.0), m.var(w.radius)));
    m.set(w.age, M::R::select(stale, m.lit(0.0), m.var(w.age)));
    m.ordered(
        m.i(0),
        m.i(ITERATIONS),
        #[inline(always)]
        |_| {
            let running = holds(m, w.running);
            m.if_any(
                running,
                #[inline(always)]
                || {
                    p.times(m, w.vector, w.product);
                    m.function(
                        "power",
                        #[inline(always)]
                        || {
                            let size = length(w.product);
                            let radius = size / m.lit(LEAST).max(length(w.vector));
                            let last = m.var(w.radius);
                            let settled = (radius - last).abs().le(m.lit(CHANGE) * radius);
                            m.set(w.radius, M::R::select(running, radius, last));
                            m.set(w.running, flag(M::R::and(running, M::R::not(settled))));
                            let scale = m.lit(LEAST).max(size).recip();
                            let turns = M::R::and(running, m.lit(0.0).lt(size));
                            m.all(
                                n,
                                #[inline(always)]
                                |i| {
                                    let x = m.get(w.product, i) * scale;
                                    m.put(w.vector, i, M::R::select(turns, x, m.get(w.vector, i)));
                                },
                            );
                        },
                    );
                },
            );
        },
    );
}

/// Chooses the step and its number of stages, and computes the first of them.
#[inline(always)]
fn begin<M: Machine>(m: M, n: usize, w: &Workspace, begins: Mask<M>) {
    let (zero, one, two) = (m.lit(0.0), m.lit(1.0), m.lit(2.0));
    let stretch = m.lit(LEAST).max(m.var(w.radius) * m.lit(MARGIN * STRETCH));
    // The spectral radius may be NaN; the limit must not make h NaN, too.
    let h = (m.lit(STAGES * STAGES - 1.0) / stretch).min(control::next_step(m, &w.clock));
    let stages = ceil(h.mul_add(stretch, one).sqrt()).max(two).min(m.lit(STAGES));
    // T_s = cosh sδ, with cosh δ = w₀; differences that vanish like 1/s² are computed without cancellation.
    let more = m.lit(EPSILON) / stages.squared();
    let w0 = one + more;
    let sinh = (more * (more + two)).sqrt();
    let (up, down) = (stages * (w0 + sinh).ln()).exp_both();
    let half = m.lit(0.5);
    let (t, dt) = (half * (up + down), stages * half * (up - down) / sinh);
    let ddt = (stages.squared() * t - w0 * dt) / sinh.squared();
    let w1 = dt / ddt;
    let b = m.lit(0.25) / w0.squared();
    let [[t1, dt1, ddt1, b1], [t2, dt2, ddt2, b2]] = w.chebyshev;
    for (a, x) in [
        (w.h, h),
        (w.stages, stages),
        (w.stage, one),
        (w.w0, w0),
        (w.w1, w1),
        (t1, w0),
        (t2, one),
        (dt1, one),
        (dt2, zero),
        (ddt1, zero),
        (ddt2, zero),
        (b1, b),
        (b2, b),
    ] {
        m.set(a, M::R::select(begins, x, m.var(a)));
    }
    let mu = h * w1 * b;
    m.all(
        n,
        #[inline(always)]
        |i| {
            let y = m.get(w.y, i);
            let first = mu.mul_add(m.get(w.f0, i), y);
            m.put(w.past, i, M::R::select(begins, y, m.get(w.past, i)));
            m.put(w.y1, i, M::R::select(begins, first, m.get(w.y1, i)));
        },
    );
}

/// Computes the next stage, from f at the latest.
#[inline(always)]
fn stage<M: Machine>(m: M, n: usize, w: &Workspace, goes_on: Mask<M>) {
    let (one, two) = (m.lit(1.0), m.lit(2.0));
    let [latest, before] = w.chebyshev;
    let [t1, dt1, ddt1, b1] = array(
        #[inline(always)]
        |i| m.var(latest[i]),
    );
    let [t2, dt2, ddt2, b2] = array(
        #[inline(always)]
        |i| m.var(before[i]),
    );
    let (h, w0, w1) = (m.var(w.h), m.var(w.w0), m.var(w.w1));
    let t = two * w0 * t1 - t2;
    let dt = two * (w0 * dt1 + t1) - dt2;
    let ddt = two * (w0 * ddt1 + two * dt1) - ddt2;
    let b = ddt / dt.squared();
    let mu = two * w0 * b / b1;
    let nu = -(b / b2);
    let by_f = h * two * w1 * b / b1;
    let by_f0 = -((one - b1 * t1) * by_f);
    m.all(
        n,
        #[inline(always)]
        |i| {
            let (y, y1) = (m.get(w.y, i), m.get(w.y1, i));
            let f = by_f.mul_add(m.get(w.f, i), by_f0 * m.get(w.f0, i));
            // As differences from y: what does not change stays as it is, to the last bit.
            let past = nu.mul_add(m.get(w.past, i) - y, f);
            let next = y + mu.mul_add(y1 - y, past);
            m.put(w.past, i, M::R::select(goes_on, y1, m.get(w.past, i)));
            m.put(w.y1, i, M::R::select(goes_on, next, y1));
        },
    );
    for (a, x) in latest.into_iter().zip([t, dt, ddt, b]).chain(before.into_iter().zip([t1, dt1, ddt1, b1])) {
        m.set(a, M::R::select(goes_on, x, m.var(a)));
    }
    m.set(w.stage, m.var(w.stage) + flag(goes_on));
}

/// Accepts or rejects the step; f at its end is f at the beginning of the next.
#[inline(always)]
fn finish<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, ends: Mask<M>) {
    let (n, c) = (p.len(), &w.clock);
    let h = m.var(w.h);
    let (rise, slope) = (m.lit(0.8), m.lit(0.4) * h);
    m.all(
        n,
        #[inline(always)]
        |i| {
            let f = m.get(w.f0, i) + m.get(w.f, i);
            let error = slope.mul_add(f, rise * (m.get(w.y, i) - m.get(w.y1, i)));
            m.put(w.error, i, M::R::select(ends, error, m.get(w.error, i)));
        },
    );
    let error = c.norm(m, p, h, [w.y, w.y1, w.error]);
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let more = (m.var(w.stages) / m.lit(STEP) - one).max(zero);
    m.set(c.budget, m.var(c.budget) - M::R::select(ends, more, zero));
    let accepted = control::decide_where(m, c, CONTROLLER, Some(ends), n, w.y, w.y1, h, error * m.lit(STRICT));
    copy_where(m, n, accepted, w.f, w.f0);
    m.set(w.age, m.var(w.age) + flag(accepted));
    m.set(w.stage, M::R::select(ends, m.lit(0.0), m.var(w.stage)));
}

/// The next whole number at or above x, or the one after, for 0 < x < 2⁵⁰.
#[inline(always)]
fn ceil<R: Real>(x: R) -> R {
    // Numbers as large as ROUND have no fraction: adding it rounds.
    let round = R::lit(ROUND);
    (x + R::lit(0.5) + round) - round
}
