//! The error of a step, whether it is accepted, and the length of the next one.

use super::workspace::Workspace;
use super::{C, ITERATIONS, KEEP, SQRT6};
use crate::methods::Problem;
use crate::methods::control::{self, copy_where, count, finite, flag, holds, power};
use kinlane_plan::machine::{Machine, Real, array};

/// Iterations with which the Jacobian is kept, see [`KEEP`].
const FEW: f64 = 2.0;
/// With it, the step and the factors are kept if the step would change by a factor between these; RADAU5 has
/// 1 and 1.2.
const STAY: [f64; 2] = [0.9, 1.2];
/// The Jacobian is not kept for a step longer by more than this factor: what was fast may be gone, and what it held
/// would still be held.
const LEAP: f64 = 3.0;
/// The new step is this part of the one whose error would just pass.
const SAFETY: f64 = 0.9;
/// Largest factor by which a step may grow.
const GROW: f64 = 8.0;
/// Smallest factor on a step.
const SHRINK: f64 = 0.2;

/// A factor on the step, within bounds.
#[inline(always)]
fn clamp<R: Real>(x: R) -> R {
    R::lit(SHRINK).max(R::lit(GROW).min(x))
}

/// err = (γ/h I − J)⁻¹ (f(y) + Σ eᵢ Zᵢ/h). If that is too large on a first step or after a rejection, it is
/// computed once more with f(y + err) in the place of f(y), which damps stiff components.
#[inline(always)]
pub(super) fn estimate<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, [h, inv_h]: [M::R; 2]) {
    let n = p.len();
    let c = &w.clock;
    let e = [-(13.0 + 7.0 * SQRT6) / 3.0, (7.0 * SQRT6 - 13.0) / 3.0, -1.0 / 3.0];
    m.function(
        "estimate",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let mut v = m.lit(0.0);
                    for (&z, e) in w.z.iter().zip(e) {
                        v = m.lit(e).mul_add(m.get(z, s), v);
                    }
                    let v = v * inv_h;
                    m.put(w.at, s, v);
                    m.put(w.error, s, v + m.get(w.f0, s));
                    m.put(w.y1, s, m.get(w.y, s) + m.get(w.z[2], s));
                },
            )
        },
    );
    p.solve(m, w.error);
    m.set(c.error, c.norm(m, p, h, [w.y, w.y1, w.error]));
    let begins = M::R::or(c.begins(m), holds(m, c.after_rejection));
    let again = M::R::and(M::R::and(begins, holds(m, w.converged)), M::R::not(m.var(c.error).lt(m.lit(1.0))));
    m.if_any(
        again,
        #[inline(always)]
        || {
            m.function(
                "perturb",
                #[inline(always)]
                || {
                    m.all(
                        n,
                        #[inline(always)]
                        |s| m.put(w.complex.re, s, m.get(w.y, s) + m.get(w.error, s)),
                    )
                },
            );
            p.rhs(m, w.complex.re, w.f[0]);
            m.function(
                "second_estimate",
                #[inline(always)]
                || {
                    m.all(
                        n,
                        #[inline(always)]
                        |s| m.put(w.complex.re, s, m.get(w.at, s) + m.get(w.f[0], s)),
                    )
                },
            );
            p.solve(m, w.complex.re);
            copy_where(m, n, again, w.complex.re, w.error);
            m.set(c.error, M::R::select(again, c.norm(m, p, h, [w.y, w.y1, w.error]), m.var(c.error)));
        },
    );
    count(m, c.rhs, flag(again));
}

#[inline(always)]
pub(super) fn decide<M: Machine>(m: M, n: usize, w: &Workspace, h: M::R) {
    let c = &w.clock;
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let error = finite(m, m.var(c.error)).max(m.lit(1e-10));
    m.set(c.error, error);
    let converged = holds(m, w.converged);
    let accepted = M::R::and(converged, error.lt(one));
    let first = c.begins(m);
    // With fewer iterations the next step may be longer.
    let nit = ITERATIONS as f64;
    let safety = m.lit(SAFETY).min(m.lit(SAFETY * (2.0 * nit + 1.0)) / (m.var(w.needed) + m.lit(2.0 * nit)));
    let plain = clamp(safety * power(error, m.lit(-0.25)));
    // Gustafsson's controller: the error is expected to change over the next step as it did over the last.
    let past_h = m.var(w.past_h);
    let known = zero.lt(past_h);
    let trend = m.lit(SAFETY) * (h / past_h) * power(m.var(w.past_error) / error.squared(), m.lit(0.25));
    let factor = M::R::select(known, plain.min(clamp(trend)), plain);
    let factor = M::R::select(holds(m, c.after_rejection), factor.min(one), factor);
    let quick = M::R::or(m.var(w.theta).le(m.lit(KEEP)), m.var(w.needed).le(m.lit(FEW + 0.5)));
    let stays = M::R::and(quick, M::R::and(m.lit(STAY[0]).le(factor), factor.le(m.lit(STAY[1]))));
    let grown = M::R::select(stays, one, factor);
    let refused = M::R::select(first, m.lit(0.1), plain);
    let factor = M::R::select(accepted, grown, M::R::select(converged, refused, m.var(w.cut)));
    m.set(c.h, h * factor);
    let current = holds(m, w.current);
    let kept = M::R::and(quick, grown.le(m.lit(LEAP)));
    let stale = M::R::select(accepted, flag(M::R::not(kept)), flag(M::R::not(current)));
    m.set(w.stale, stale);
    m.set(w.current, M::R::select(accepted, zero, m.var(w.current)));
    m.set(w.moved, flag(accepted));
    // If the iteration fails again with a Jacobian of its own step, its start was bad: the next one starts
    // from zero.
    let again = holds(m, w.again);
    let fails = M::R::and(M::R::not(converged), current);
    let astray = M::R::and(fails, again);
    m.set(w.again, flag(fails));
    m.set(w.past_h, M::R::select(accepted, h, M::R::select(astray, zero, past_h)));
    m.set(w.past_error, M::R::select(accepted, error.max(m.lit(1e-2)), m.var(w.past_error)));
    m.all(
        n,
        #[inline(always)]
        |s| {
            let z: [M::R; 3] = array(
                #[inline(always)]
                |i| m.get(w.z[i], s),
            );
            let a0 = (z[1] - z[2]) * m.lit(1.0 / (C[1] - 1.0));
            let slope = (z[0] - z[1]) * m.lit(1.0 / (C[0] - C[1]));
            let origin = (slope - z[0] * m.lit(1.0 / C[0])) * m.lit(1.0 / C[1]);
            let a1 = (slope - a0) * m.lit(1.0 / (C[0] - 1.0));
            for (i, a) in [a0, a1, a1 - origin].into_iter().enumerate() {
                m.put(w.past[i], s, M::R::select(accepted, a, m.get(w.past[i], s)));
            }
            m.put(w.y, s, M::R::select(accepted, m.get(w.y1, s), m.get(w.y, s)));
        },
    );
    control::record(m, c, accepted, h);
}
