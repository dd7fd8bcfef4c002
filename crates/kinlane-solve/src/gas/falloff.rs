//! Falloff and chemically activated rate constants.

use crate::LEAST;
use kinlane_plan::machine::{Machine, Real, array};
use kinlane_plan::plan::{Broadening, FalloffClass, Plan};
use std::f64::consts::LN_10;

const HIGH: usize = FalloffClass::HIGH;
const KAPPA: usize = FalloffClass::KAPPA;
const BROADENING: usize = FalloffClass::BROADENING;
const PARAMS: usize = FalloffClass::PARAMS;

/// Bound on ln κ: in the coldest gas k∞ may be zero in doubles where k₀ is not, and k is then zero, too.
const LARGEST: f64 = 600.0;

/// The temperature-dependent part of the broadening factor: ln Fcent (Troe, Tsang), or ln of the bracket and
/// of the factor dTᵉ (SRI).
#[derive(Clone, Copy)]
pub struct Center<N> {
    ln: N,
    factor: N,
}

/// Troe (Gilbert, Luther & Troe 1983): Fcent = (1−a) e^{−T/T***} + a e^{−T/T*} + e^{−T**/T}.
/// Tsang & Herron (1991): Fcent = A + BT. SRI (Stewart, Larson & Golden 1989; Kee et al. 1989).
#[inline(always)]
pub fn center<N: Real>(shape: Broadening, b: [N; 5], t: N, ln_t: N, inv_t: N) -> Center<N> {
    let zero = N::lit(0.0);
    let ln = |f: N| N::lit(LEAST).max(f).ln();
    match shape {
        Broadening::Lindemann => Center { ln: zero, factor: zero },
        Broadening::Troe3 | Broadening::Troe4 => {
            let f = (N::lit(1.0) - b[0]) * (t * b[1]).exp() + b[0] * (t * b[2]).exp();
            let f = if shape == Broadening::Troe4 { f + (b[3] * inv_t).exp() } else { f };
            Center { ln: ln(f), factor: zero }
        }
        Broadening::Tsang => Center { ln: ln(b[1].mul_add(t, b[0])), factor: zero },
        Broadening::Sri => {
            Center { ln: ln(b[0] * (b[1] * inv_t).exp() + (t * b[2]).exp()), factor: b[3] * (b[4] * ln_t).exp() }
        }
    }
}

/// Intermediate quantities between Pr and k; those that a shape does not have are zero.
#[derive(Clone, Copy)]
struct Terms<N> {
    kappa: N,
    pr: N,
    /// 1 + Pr.
    below: N,
    log_pr: N,
    /// lg Fcent.
    lg: N,
    x: N,
    n: N,
    /// n² + x².
    d: N,
    /// 1/(d·below), from which both quotients are made.
    inverse: N,
}

#[inline(always)]
fn terms<N: Real>(shape: Broadening, kappa: N, ln_kappa: N, c: Center<N>, conc: N, ln_conc: N) -> Terms<N> {
    let (zero, one) = (N::lit(0.0), N::lit(1.0));
    let pr = kappa * conc;
    let below = one + pr;
    let log_pr = (ln_kappa + ln_conc) * N::lit(1.0 / LN_10);
    let plain = Terms { kappa, pr, below, log_pr, lg: zero, x: zero, n: zero, d: zero, inverse: zero };
    match shape {
        Broadening::Lindemann | Broadening::Sri => plain,
        // lg F = lg Fcent / (1 + [(lg Pr + c)/(n − 0.14 (lg Pr + c))]²),
        // c = −0.4 − 0.67 lg Fcent, n = 0.75 − 1.27 lg Fcent; here x = lg Pr + c, and n is what stands below the bar
        Broadening::Troe3 | Broadening::Troe4 | Broadening::Tsang => {
            let lg = c.ln * N::lit(1.0 / LN_10);
            let x = log_pr + lg.mul_add(N::lit(-0.67), N::lit(-0.4));
            let n = x.mul_add(N::lit(-0.14), lg.mul_add(N::lit(-1.27), N::lit(0.75)));
            let d = n * n + x * x;
            Terms { lg, x, n, d, inverse: (d * below).recip(), ..plain }
        }
    }
}

/// The rate constant. A forward rate constant may be far below the range of single precision while the
/// reverse one, which is computed from it, is not.
#[inline(always)]
fn value<N: Real>(shape: Broadening, activated: bool, ln_high: N, c: Center<N>, t: &Terms<N>) -> N {
    let above = if activated { t.kappa } else { t.pr }.wide();
    let below = t.below.wide();
    match shape {
        Broadening::Lindemann => ln_high.exp() * above / below,
        Broadening::Sri => {
            let bracket = (ln_high + c.ln / t.log_pr.mul_add(t.log_pr, N::lit(1.0))).exp();
            bracket * c.factor.wide() * above / below
        }
        Broadening::Troe3 | Broadening::Troe4 | Broadening::Tsang => {
            (c.ln * (t.n * t.n) * t.below).mul_add(t.inverse, ln_high).exp() * (above * t.d * t.inverse).wide()
        }
    }
}

/// k = k∞ Pr/(1 + Pr) F, or k∞ κ/(1 + Pr) F when chemically activated, with Pr = κ\[M\]. k∞ and F share one exponential.
#[inline(always)]
pub fn join<N: Real>(
    shape: Broadening,
    activated: bool,
    ln_high: N,
    ln_kappa: N,
    c: Center<N>,
    conc: N,
    ln_conc: N,
) -> N {
    value(shape, activated, ln_high, c, &terms(shape, ln_kappa.exp(), ln_kappa, c, conc, ln_conc))
}

/// 1/(1 + Pr), ∂ln F/∂ln Pr and ∂ln F/∂(`c.ln`).
#[inline(always)]
fn slopes<N: Real>(shape: Broadening, c: Center<N>, t: &Terms<N>) -> [N; 3] {
    let (zero, one) = (N::lit(0.0), N::lit(1.0));
    match shape {
        Broadening::Lindemann => [one / t.below, zero, zero],
        Broadening::Sri => {
            let y = one / t.log_pr.mul_add(t.log_pr, one);
            [one / t.below, c.ln * t.log_pr * (y * y) * N::lit(-2.0 / LN_10), y]
        }
        // With r = x/n, n₀ = n + 0.14 x: dr = (n₀ dx − x dn₀)/n², and d(1/(1 + r²)) = −2r dr n⁴/d²
        Broadening::Troe3 | Broadening::Troe4 | Broadening::Tsang => {
            let one_over_d = t.below * t.inverse;
            let base = t.x.mul_add(N::lit(0.14), t.n);
            let u = t.lg * t.x * t.n * (one_over_d * one_over_d) * N::lit(-2.0);
            let by_center = t.x.mul_add(N::lit(1.27), base * N::lit(-0.67));
            [t.d * t.inverse, u * base, u.mul_add(by_center, t.n * t.n * one_over_d)]
        }
    }
}

/// d(`c.ln`)/dT, and the other terms of d ln F/dT.
#[inline(always)]
fn center_slopes<N: Real>(shape: Broadening, b: [N; 5], t: N, inv_t: N) -> [N; 2] {
    let zero = N::lit(0.0);
    // f'/f, unless ln f is cut off
    let log = |f: N, by_t: N| N::select(N::lit(LEAST).lt(f), by_t / f, zero);
    let square = -(inv_t * inv_t);
    match shape {
        Broadening::Lindemann => [zero, zero],
        Broadening::Troe3 | Broadening::Troe4 => {
            let (first, second) = ((N::lit(1.0) - b[0]) * (t * b[1]).exp(), b[0] * (t * b[2]).exp());
            let (f, by_t) = (first + second, second.mul_add(b[2], first * b[1]));
            if shape == Broadening::Troe3 {
                return [log(f, by_t), zero];
            }
            let third = (b[3] * inv_t).exp();
            [log(f + third, third.mul_add(b[3] * square, by_t)), zero]
        }
        Broadening::Tsang => [log(b[1].mul_add(t, b[0]), b[1]), zero],
        Broadening::Sri => {
            let (first, second) = (b[0] * (b[1] * inv_t).exp(), (t * b[2]).exp());
            [log(first + second, second.mul_add(b[2], first * (b[1] * square))), b[4] * inv_t]
        }
    }
}

/// Evaluates the laws into their places in `k` and, with `derivatives`, in `k_t` and `k_aux`.
#[inline(always)]
pub fn evaluate<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan, class: &FalloffClass) {
    // One function per shape, so that no loop contains a branch.
    match class.broadening {
        Broadening::Lindemann => m.function(
            "lindemann",
            #[inline(always)]
            || laws::<M, DERIVATIVES>(m, p, class, Broadening::Lindemann),
        ),
        Broadening::Troe3 => m.function(
            "troe3",
            #[inline(always)]
            || laws::<M, DERIVATIVES>(m, p, class, Broadening::Troe3),
        ),
        Broadening::Troe4 => m.function(
            "troe4",
            #[inline(always)]
            || laws::<M, DERIVATIVES>(m, p, class, Broadening::Troe4),
        ),
        Broadening::Sri => m.function(
            "sri",
            #[inline(always)]
            || laws::<M, DERIVATIVES>(m, p, class, Broadening::Sri),
        ),
        Broadening::Tsang => m.function(
            "tsang",
            #[inline(always)]
            || laws::<M, DERIVATIVES>(m, p, class, Broadening::Tsang),
        ),
    }
}

#[inline(always)]
fn laws<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan, class: &FalloffClass, shape: Broadening) {
    let s = p.cell.scalars;
    let (t, ln_t, inv_t) = (m.var(s.t), m.var(s.ln_t), m.var(s.inv_t));
    let (params, body, third) = (class.params, class.m, &p.kinetics.third);
    let (conc, ln_conc) = (third.m, third.ln_m);
    let (k, k_t, k_aux) = (p.kinetics.k, p.kinetics.k_t, p.kinetics.k_aux);
    let (activated, first_k, first_aux) = (class.activated, class.k, class.aux);
    let [kappa, center_ln, center_factor, center_t, other_t] = p.kinetics.falloff_work;
    let sri = shape == Broadening::Sri;
    // ln k = ln A + b ln T − e/T
    let exponent = |i: M::I, j: usize| {
        let of = |c: usize| m.real(params, i * PARAMS + (j + c));
        of(1).mul_add(ln_t, of(0)) - of(2) * inv_t
    };
    // First what depends on temperature alone, then the rest: each loop is so short that the processor works
    // on several laws at once.
    m.all(
        class.count,
        #[inline(always)]
        |i| {
            let b: [M::R; 5] = array(
                #[inline(always)]
                |c| m.real(params, i * PARAMS + (BROADENING + c)),
            );
            m.put(kappa, i, m.lit(LARGEST).min(exponent(i, KAPPA)).exp());
            let c = center(shape, b, t, ln_t, inv_t);
            m.put(center_ln, i, c.ln);
            if sri {
                m.put(center_factor, i, c.factor);
            }
            if DERIVATIVES {
                let [by_t, other] = center_slopes(shape, b, t, inv_t);
                m.put(center_t, i, by_t);
                m.put(other_t, i, other);
            }
        },
    );
    m.all(
        class.count,
        #[inline(always)]
        |i| {
            let at = m.index(body, i);
            let (mc, ln_mc) = (m.get(conc, at), m.get(ln_conc, at));
            let (ln_high, ln_kappa) = (exponent(i, HIGH), exponent(i, KAPPA));
            let c = Center { ln: m.get(center_ln, i), factor: if sri { m.get(center_factor, i) } else { m.lit(0.0) } };
            let parts = terms(shape, m.get(kappa, i), ln_kappa, c, mc, ln_mc);
            let rate = value(shape, activated, ln_high, c, &parts);
            m.put(k, i + first_k, rate);
            if DERIVATIVES {
                // d ln k/dT = d ln k∞/dT + (1/(1 + Pr) + ∂ln F/∂ln Pr) d ln κ/dT + ∂ln F/∂T
                let slope = |j: usize| {
                    m.real(params, i * PARAMS + (j + 2)).mul_add(inv_t, m.real(params, i * PARAMS + (j + 1))) * inv_t
                };
                let [share, by_pr, by_center] = slopes(shape, c, &parts);
                let by_t = by_center.mul_add(m.get(center_t, i), slope(HIGH) + m.get(other_t, i));
                let by_t = (share + by_pr).mul_add(slope(KAPPA), by_t);
                m.put(k_t, i + first_k, rate * by_t.wide());
                // ∂k/∂[M] = k/[M] (1/(1 + Pr) + ∂ln F/∂ln Pr), with a quotient k/[M] that needs no [M]. In a
                // chemically activated law k has no factor [M] of its own, and the bracket is less by one. ln
                // [M] is cut off where F has no slope any more.
                let floor = m.lit(LEAST);
                let by_pr = M::R::select(mc.le(floor), m.lit(0.0), by_pr);
                let by_m = if activated {
                    rate * (by_pr / floor.max(mc) - parts.kappa * share).wide()
                } else {
                    value(shape, true, ln_high, c, &parts) * (share + by_pr).wide()
                };
                m.put(k_aux, i + first_aux, by_m);
            }
        },
    );
}
