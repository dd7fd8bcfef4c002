//! Falloff and chemically activated rate constants.

use kinlane_plan::dual::Dual;
use kinlane_plan::machine::{Machine, Real, array};
use kinlane_plan::plan::{Broadening, FalloffClass, Plan};
use std::f64::consts::LN_10;

/// What the broadening factor depends on temperature for: ln Fcent (Troe, Tsang), or ln of the bracket and of the
/// factor dTᵉ (SRI).
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
    let ln = |f: N| N::lit(1e-300).max(f).ln();
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

/// k = k∞ Pr/(1 + Pr) F, or k∞ κ/(1 + Pr) F when chemically activated, with Pr = κ[M]. k∞ and F share one exponential.
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
    let one = N::lit(1.0);
    let kappa = ln_kappa.exp();
    let pr = kappa * conc;
    let (above, below) = (if activated { kappa } else { pr }, one + pr);
    let log_pr = (ln_kappa + ln_conc) * N::lit(1.0 / LN_10);
    match shape {
        Broadening::Lindemann => ln_high.exp() * above / below,
        Broadening::Sri => (ln_high + c.ln / log_pr.mul_add(log_pr, one)).exp() * c.factor * above / below,
        // lg F = lg Fcent / (1 + [(lg Pr + c)/(n − 0.14 (lg Pr + c))]²), c = −0.4 − 0.67 lg Fcent, n = 0.75 − 1.27 lg Fcent
        Broadening::Troe3 | Broadening::Troe4 | Broadening::Tsang => {
            let lg = c.ln * N::lit(1.0 / LN_10);
            let x = log_pr + lg.mul_add(N::lit(-0.67), N::lit(-0.4));
            let n = x.mul_add(N::lit(-0.14), lg.mul_add(N::lit(-1.27), N::lit(0.75)));
            let (x2, n2) = (x * x, n * n);
            let d = n2 + x2;
            let inverse = (d * below).recip(); // one division for both quotients
            (c.ln * n2 * below).mul_add(inverse, ln_high).exp() * (above * d * inverse)
        }
    }
}

/// Fills the laws' places in `k` and, with `derivatives`, in `k_t` and `k_aux`.
#[inline(always)]
pub fn evaluate<M: Machine, const DERIVATIVES: bool>(m: M, p: &Plan, class: &FalloffClass) {
    // One function per shape, so that none branches inside its loop.
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
    m.all(
        class.count,
        #[inline(always)]
        |i| {
            let a: [M::R; 11] = array(
                #[inline(always)]
                |c| m.real(params, i * 11 + c),
            );
            let b = [a[6], a[7], a[8], a[9], a[10]];
            let at = m.index(body, i);
            let (mc, ln_mc) = (m.get(conc, at), m.get(ln_conc, at));
            // ln k = ln A + b ln T − e/T
            let exponent = |j: usize| a[j + 1].mul_add(ln_t, a[j]) - a[j + 2] * inv_t;
            if DERIVATIVES {
                let slope = |j: usize| (a[j + 1] + a[j + 2] * inv_t) * inv_t;
                let dual = |v, d| Dual { v, d };
                let time = (dual(t, m.lit(1.0)), dual(ln_t, inv_t), dual(inv_t, -(inv_t * inv_t)));
                let center_t = center(
                    shape,
                    array(
                        #[inline(always)]
                        |i| Dual::constant(b[i]),
                    ),
                    time.0,
                    time.1,
                    time.2,
                );
                let high = dual(exponent(0), slope(0));
                let kappa = dual(exponent(3), slope(3));
                let by_t = join(shape, activated, high, kappa, center_t, Dual::constant(mc), Dual::constant(ln_mc));
                let fixed = Center { ln: Dual::constant(center_t.ln.v), factor: Dual::constant(center_t.factor.v) };
                let by_m = join(
                    shape,
                    activated,
                    Dual::constant(high.v),
                    Dual::constant(kappa.v),
                    fixed,
                    dual(mc, m.lit(1.0)),
                    dual(ln_mc, m.lit(1e-300).max(mc).recip()),
                );
                m.put(k, i + first_k, by_t.v);
                m.put(k_t, i + first_k, by_t.d);
                m.put(k_aux, i + first_aux, by_m.d);
            } else {
                let c = center(shape, b, t, ln_t, inv_t);
                m.put(k, i + first_k, join(shape, activated, exponent(0), exponent(3), c, mc, ln_mc));
            }
        },
    );
}
