//! The explicit asymptotic method (Guidry and others 2013), made of second order: slow species take a step of Heun's
//! method, fast ones go to where production and decay balance. No Jacobian and no linear algebra.
//!
//! ```text
//! f = q − p y       b(x) = x⁴/(1 + x⁴)      D(x) = 1 + x b(x)
//! y* = y + h f₀/D(h p₀)
//! y₁ = y* + h ((1 − b) (f* − f₀)/2 + b f*)/D(x),    x = h p*,    b = b(x)
//! err = y₁ − y*
//! ```
//!
//! The method of the paper takes Euler steps where h p < 1 and (y + h q)/(1 + h p) elsewhere: first order, with a jump
//! between the two. Here they go over into each other: D is 1 for small x, up to x⁵, and x for large x. With x² in place of
//! x⁴ the errors on hydrogen are six times larger. Since f is divided, and not q and p by themselves, nothing moves where
//! forward and reverse rates balance. A species that is fast and out of balance ends at q*/p*.

use super::control::{self, Clock};
use super::{Problem, chemeq2};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// A step may lose or gain this part of the relative tolerance before the sum of mass fractions is restored. What fast
/// species exchange is not conserved. A tenth of what CHEMEQ2 may lose gives, at the same work, a tenth of the error on
/// networks of nuclides (`benches/records/2026-11-25-explicit-networks.md`).
const DRIFT: f64 = 0.003;

/// Work arrays of a step.
#[derive(Debug, Clone, Copy)]
pub struct Workspace {
    /// The state.
    pub y: Array,
    /// The state after the attempt.
    pub y1: Array,
    /// f at the state.
    pub f: Array,
    /// The error estimate.
    pub error: Array,
    /// Time and steps.
    pub clock: Clock,
    predicted: Array,
    /// f at the prediction.
    f1: Array,
    /// q, which is not used.
    q: Array,
    /// p at the state, then at the prediction.
    p: Array,
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
            predicted: l.array(n),
            f1: l.array(n),
            q: l.array(n),
            p: l.array(n),
        }
    }

    /// The method's own arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        vec![("predicted", self.predicted), ("f1", self.f1), ("q", self.q), ("p", self.p)]
    }
}

/// b(x), between 0 for a slow variable and 1 for a fast one, and D(x).
#[inline(always)]
fn weights<R: Real>(x: R) -> [R; 2] {
    let one = R::lit(1.0);
    let square = x * x;
    let b = one - square.mul_add(square, one).recip(); // 1 where x⁴ overflows
    [b, x.mul_add(b, one)]
}

/// Attempts one step and accepts or rejects it.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, problem: P, w: &Workspace) {
    let (n, c) = (problem.len(), &w.clock);
    let Workspace { y, y1, f, f1, q, p, predicted, .. } = *w;
    let h = control::next_step(m, c);
    problem.split(m, y, f, q, p);
    m.function(
        "predict",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let [_, d] = weights(h * m.get(p, s));
                    m.put(predicted, s, m.get(y, s) + h * m.get(f, s) / d);
                },
            );
            problem.restore_sums(m, y, predicted, h);
        },
    );
    problem.split(m, predicted, f1, q, p);
    m.function(
        "correct",
        #[inline(always)]
        || {
            let half = m.lit(0.5);
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let [b, d] = weights(h * m.get(p, s));
                    let (f0, f1) = (m.get(f, s), m.get(f1, s));
                    let change = (half * (f1 - f0)) * (m.lit(1.0) - b);
                    m.put(y1, s, m.get(predicted, s) + h * b.mul_add(f1, change) / d);
                },
            );
            chemeq2::end(m, problem, c, [y, y1, predicted, w.error], h, DRIFT);
        },
    );
}
