//! Radau5: Radau IIA with three stages, order 5, L-stable (Hairer & Wanner, *Solving ODEs II*, IV.8; the constants of
//! the controller are their code's).
//!
//! With the stage increments Z = T W the Newton systems fall apart into one real and one complex one:
//!
//! ```text
//! (γ/h I − J) δ₁ = (T⁻¹F)₁ − γ/h W₁       ((α + iβ)/h I − J) (δ₂ + iδ₃) = (T⁻¹F)₂₃ − (α + iβ)/h (W₂ + iW₃)
//! ```
//!
//! Jacobian and factors are kept over steps as long as the iteration converges quickly. When one cell needs
//! new ones, they are remade for all cells; those that did not ask kept the inputs, and so get the same bits
//! again.

mod decide;
mod iteration;
mod workspace;

use super::control::{self, copy_where, count, flag, holds};
use super::{Problem, growth, newton};
use decide::{decide, estimate};
use iteration::{iteration, start};
use kinlane_plan::machine::{Machine, Real};
use kinlane_plan::number::Complex;
pub use workspace::Workspace;

/// γ of the real system, 30/(6 + ∛81 − ∛9), and α + iβ of the complex one, the reciprocal of
/// (12 − ∛81 + ∛9)/60 − i (∛81 + ∛9) √3/60.
const GAMMA: f64 = 3.637_834_252_744_496;
const SHIFT: [f64; 2] = [2.681_082_873_627_752_3, 3.050_430_199_247_410_5];

const SQRT6: f64 = 2.449_489_742_783_178;
/// The stages lie at c₁, c₂ (here) and 1.
const C: [f64; 2] = [(4.0 - SQRT6) / 10.0, (4.0 + SQRT6) / 10.0];

/// Most iterations of a step.
const ITERATIONS: usize = 7;
/// The Jacobian is kept if the last iteration contracted by this factor, or if no more iterations than
/// `FEW` (decide.rs) were needed, as in scipy's Radau.
const KEEP: f64 = 1e-3;

/// Attempts one step and accepts or rejects it.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace) {
    let n = p.len();
    let c = &w.clock;
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let (gamma, [re, im]) = (GAMMA, SHIFT);
    let h = control::next_step(m, c);
    let fresh = holds(m, c.fresh);
    m.set(c.fresh, zero);
    for (a, x) in [(w.past_h, zero), (w.again, zero), (w.past_error, m.lit(1e-2)), (w.eta, one)] {
        m.set(a, M::R::select(fresh, x, m.var(a)));
    }

    // f and J, where they must be evaluated anew
    let stale = M::R::or(M::R::or(fresh, holds(m, w.stale)), p.outdated(m, w.y));
    m.if_any(
        stale,
        #[inline(always)]
        || {
            copy_where(m, n, stale, w.y, w.base);
            p.rhs_and_jacobian(m, w.base, w.f[0]);
            copy_where(m, n, stale, w.f[0], w.f0);
        },
    );
    let moved = M::R::and(holds(m, w.moved), M::R::not(stale));
    m.if_any(
        moved,
        #[inline(always)]
        || {
            p.rhs(m, w.y, w.f[0]);
            copy_where(m, n, moved, w.f[0], w.f0);
        },
    );
    m.set(w.moved, zero);
    m.set(w.current, M::R::select(stale, one, m.var(w.current)));
    let inv_h = h.recip();
    let old = m.var(w.inv_h);
    let asks = M::R::or(stale, M::R::or(inv_h.lt(old), old.lt(inv_h)));
    m.set(w.inv_h, inv_h);
    let d = inv_h * m.lit(gamma);
    let dc = Complex { re: inv_h * m.lit(re), im: inv_h * m.lit(im) };
    m.if_any(
        asks,
        #[inline(always)]
        || {
            p.factor(m, d);
            p.factor_complex(m, &w.factors, dc);
        },
    );
    let grows = p.grows(m, false, w.y, w.f0, d);
    count(m, c.rhs, flag(moved));
    count(m, c.jac, flag(stale));
    count(m, c.factor, flag(asks));

    m.function(
        "start",
        #[inline(always)]
        || start(m, n, w, h),
    );
    newton::iterate(
        m,
        ITERATIONS,
        w.running,
        #[inline(always)]
        || iteration(m, p, w, d, dc, flag(M::R::not(asks))),
    );
    estimate(m, p, w, [h, inv_h]);
    let [lost, astray] = newton::energy_lost(m, p, c, [w.y, w.y1], h);
    m.set(w.lost, lost);
    m.set(c.error, growth::outgrown(m, grows, m.var(c.error).max(astray)));
    m.function(
        "decide",
        #[inline(always)]
        || decide(m, n, w, h),
    );
}
