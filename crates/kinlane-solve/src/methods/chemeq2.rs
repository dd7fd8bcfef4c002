//! CHEMEQ2, the α-QSS method (Mott & Oran 2001): a predictor and a corrector that take the decay of every
//! species exactly. No Jacobian and no linear algebra; for loose tolerances.
//!
//! ```text
//! f = q − p y       α(x) = (180 + 60 x + 11 x² + x³)/(360 + 60 x + 12 x² + x³)
//! y*  = y + h (q₀ − p₀ y)/(1 + α₀ h p₀),           α₀ = α(h p₀)
//! y₁  = y + h (q̃ − p̄ y)/(1 + ᾱ h p̄),   p̄ = (p₀ + p*)/2,   ᾱ = α(h p̄),   q̃ = ᾱ q* + (1 − ᾱ) q₀
//! err = y₁ − y*
//! ```

use super::Problem;
use super::control::{self, Clock, Controller, count};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// The error estimate is that of the predictor, of order 1.
const CONTROLLER: Controller = Controller { order: 2.0, safety: 0.8, grow: 3.0, shrink: 0.1, first: 1.0, again: 0.1 };

/// Factor on the error, since those of many steps add up.
const STRICT: f64 = 2.0;
/// The method does not conserve mass: what one species loses another need not gain. A step may lose or gain
/// this part of the relative tolerance before the sum is restored.
const DRIFT: f64 = 0.03;

/// Work arrays of a step.
#[derive(Debug, Clone, Copy)]
pub struct Workspace {
    /// The state.
    pub y: Array,
    /// The state after the attempt.
    pub y1: Array,
    /// f at the prediction.
    pub f: Array,
    /// The error estimate.
    pub error: Array,
    /// Time and steps.
    pub clock: Clock,
    /// q and p at the state and at the prediction.
    q: [Array; 2],
    p: [Array; 2],
    predicted: Array,
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
            q: std::array::from_fn(|_| l.array(n)),
            p: std::array::from_fn(|_| l.array(n)),
            predicted: l.array(n),
        }
    }

    /// The method's own arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        vec![("q0", self.q[0]), ("q1", self.q[1]), ("p0", self.p[0]), ("p1", self.p[1]), ("predicted", self.predicted)]
    }
}

/// α of x = h p.
#[inline(always)]
fn alpha<R: Real>(x: R) -> R {
    let l = R::lit;
    let above = (x + l(11.0)).mul_add(x, l(60.0)).mul_add(x, l(180.0));
    let below = (x + l(12.0)).mul_add(x, l(60.0)).mul_add(x, l(360.0));
    // Beyond this x its cubes overflow.
    R::select(x.le(l(1e90)), above / below, l(1.0))
}

/// Attempts one step and accepts or rejects it.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, problem: P, w: &Workspace) {
    let (n, c) = (problem.len(), &w.clock);
    let Workspace { y, y1, q, p, predicted, .. } = *w;
    let h = control::next_step(m, c);
    let one = m.lit(1.0);
    problem.split(m, y, w.f, q[0], p[0]);
    m.function(
        "predict",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let (q, p, y) = (m.get(q[0], s), m.get(p[0], s), m.get(y, s));
                    let x = h * p;
                    m.put(predicted, s, y + h * (q - p * y) / alpha(x).mul_add(x, one));
                },
            );
            problem.restore_sums(m, y, predicted, h);
        },
    );
    problem.split(m, predicted, w.f, q[1], p[1]);
    m.function(
        "correct",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let y = m.get(y, s);
                    let p = m.lit(0.5) * (m.get(p[0], s) + m.get(p[1], s));
                    let x = h * p;
                    let alpha = alpha(x);
                    let q0 = m.get(q[0], s);
                    let q = alpha.mul_add(m.get(q[1], s) - q0, q0);
                    m.put(y1, s, y + h * (q - p * y) / alpha.mul_add(x, one));
                },
            );
            end(m, problem, c, [y, y1, predicted, w.error], h, DRIFT);
        },
    );
}

/// Ends an attempt that predicts and corrects, with the difference of the two for an estimate of the error. A step may lose or
/// gain the part `drift` of the relative tolerance before the sum is restored.
#[inline(always)]
pub(super) fn end<M: Machine, P: Problem<M>>(
    m: M,
    problem: P,
    c: &Clock,
    [y, y1, predicted, error]: [Array; 4],
    h: M::R,
    drift: f64,
) {
    let n = problem.len();
    let drifted = problem.restore_sums(m, y, y1, h);
    m.all(
        n,
        #[inline(always)]
        |s| m.put(error, s, m.get(y1, s) - m.get(predicted, s)),
    );
    let size = c.norm(m, problem, h, [y, y1, error]);
    count(m, c.rhs, m.lit(2.0));
    let size = (size * m.lit(STRICT)).max(drifted / (m.var(c.rtol) * m.lit(drift)));
    control::decide(m, c, CONTROLLER, n, y, y1, h, size);
}
