//! The past of a cell: prediction, advance over a step, and change of order.

use super::coefficients::Order;
use super::{Attempt, ORDERS, SAFETY, TINY, Workspace};
use crate::methods::Problem;
use crate::methods::control::{Mask, power};
use kinlane_plan::machine::{Machine, Real, array};

/// Scales z to the step, and predicts the state and its slope at the end of the step.
#[inline(always)]
pub fn predict<M: Machine>(m: M, n: usize, w: &Workspace, factor: M::R) {
    let changed = M::R::or(factor.lt(m.lit(1.0)), m.lit(1.0).lt(factor));
    m.if_any(
        changed,
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let mut power = factor;
                    for z in &w.z[1..] {
                        m.put(*z, s, m.get(*z, s) * power);
                        power = power * factor;
                    }
                },
            )
        },
    );
    m.all(
        n,
        #[inline(always)]
        |s| {
            let (mut y, mut slope) = (m.get(w.z[0], s), m.lit(0.0));
            for (j, z) in w.z.iter().enumerate().skip(1) {
                let z = m.get(*z, s);
                y = y + z;
                slope = m.lit(j as f64).mul_add(z, slope);
            }
            m.put(w.predicted, s, y);
            m.put(w.y1, s, y);
            m.put(w.slope, s, slope);
            m.put(w.correction, s, m.lit(0.0));
        },
    );
}

/// Advances the past over an accepted step; returns the growth of the step that one order less and one more
/// would allow.
#[inline(always)]
pub fn moved<M: Machine, P: Problem<M>>(
    m: M,
    p: P,
    orders: usize,
    w: &Workspace,
    attempt: &Attempt<M::R>,
    accepted: Mask<M>,
    due: Mask<M>,
) -> (M::R, M::R) {
    let &Attempt { h, order, q, k, .. } = attempt;
    let n = p.len();
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let c = &w.clock;
    let (rtol, atol) = (m.var(c.rtol), m.var(c.atol));
    m.all(
        n,
        #[inline(always)]
        |s| {
            let old: [M::R; ORDERS + 1] = array(
                #[inline(always)]
                |j| m.get(w.z[j], s),
            );
            let mut z = old;
            for i in 1..=ORDERS {
                for j in (i..=ORDERS).rev() {
                    z[j - 1] = z[j - 1] + z[j];
                }
            }
            let d = m.get(w.correction, s);
            for j in 0..=ORDERS {
                m.put(w.z[j], s, M::R::select(accepted, k.l[j].mul_add(d, z[j]), old[j]));
            }
        },
    );
    let mut last = h;
    for a in w.tau {
        let old = m.var(a);
        m.set(a, M::R::select(accepted, last, old));
        last = old;
    }
    let below = p.size(
        m,
        w.y1,
        rtol,
        atol,
        #[inline(always)]
        |s| {
            q.pick(
                #[inline(always)]
                |j| m.get(w.z[j], s),
            )
        },
    ) * k.tq1;
    let inv = q.literal(
        #[inline(always)]
        |k| 1.0 / k as f64,
    );
    let lower = (power(m.lit(SAFETY[0]) * below, inv) + m.lit(TINY)).recip();
    let lower = M::R::select(M::R::and(due, q.at_least[2]), lower, zero);
    // The difference between this correction and the saved one gives the next derivative.
    let known = zero.lt(m.var(w.saved_tq5));
    let ratio = h / m.var(w.tau[1]);
    let mut ratios = ratio * ratio;
    for j in 2..=ORDERS {
        ratios = M::R::select(q.at_least[j], ratios * ratio, ratios);
    }
    let quotient = k.tq5 / M::R::select(known, m.var(w.saved_tq5), one) * ratios;
    let above = p.size(
        m,
        w.y1,
        rtol,
        atol,
        #[inline(always)]
        |s| m.get(w.correction, s) - quotient * m.get(w.saved, s),
    ) * k.tq3;
    let inv = (order + m.lit(2.0)).recip();
    let higher = (power(m.lit(SAFETY[2]) * above, inv) + m.lit(TINY)).recip();
    let may = M::R::and(due, M::R::and(known, M::R::not(q.at_least[orders])));
    (lower, M::R::select(may, higher, zero))
}

/// Adds the next derivative to z, or removes the highest one, such that the others still describe the same
/// past.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "j is an order: it picks coefficients, derivatives and masks alike")]
pub fn change_order<M: Machine>(m: M, n: usize, w: &Workspace, q: Order<M::R>, h: M::R, down: Mask<M>, up: Mask<M>) {
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let inv_h = h.recip();
    m.if_any(
        up,
        #[inline(always)]
        || {
            // Π (x + ξⱼ) over the earlier steps
            let mut l = [zero; ORDERS + 2];
            l[2] = one;
            let (mut alpha0, mut alpha1, mut product, mut xi_old, mut sum) = (-one, one, one, one, h);
            for j in 1..ORDERS - 1 {
                let inside = q.at_least[j + 1];
                let longer = sum + m.var(w.tau[j]);
                let xi = longer * inv_h;
                for i in (2..=j + 2).rev() {
                    l[i] = M::R::select(inside, l[i].mul_add(xi_old, l[i - 1]), l[i]);
                }
                alpha0 = M::R::select(inside, alpha0 - m.lit(1.0 / (j + 1) as f64), alpha0);
                alpha1 = M::R::select(inside, alpha1 + xi.recip(), alpha1);
                product = M::R::select(inside, product * xi, product);
                xi_old = M::R::select(inside, xi, xi_old);
                sum = M::R::select(inside, longer, sum);
            }
            let a1 = (-alpha0 - alpha1) / product;
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let top = a1 * m.get(w.correction, s);
                    for j in 2..=ORDERS {
                        let z = m.get(w.z[j], s);
                        // Up to the old order z is corrected; at the new order it is the derivative itself.
                        let new =
                            M::R::select(q.at_least[j], l[j].mul_add(top, z), M::R::select(q.at_least[j - 1], top, z));
                        m.put(w.z[j], s, M::R::select(up, new, z));
                    }
                },
            );
        },
    );
    m.if_any(
        down,
        #[inline(always)]
        || {
            let mut l = [zero; ORDERS + 2];
            l[2] = one;
            let mut sum = zero;
            for j in 1..ORDERS - 1 {
                let inside = q.at_least[j + 2];
                let longer = sum + m.var(w.tau[j - 1]);
                let xi = longer * inv_h;
                for i in (2..=j + 2).rev() {
                    l[i] = M::R::select(inside, l[i].mul_add(xi, l[i - 1]), l[i]);
                }
                sum = M::R::select(inside, longer, sum);
            }
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let top = q.pick(
                        #[inline(always)]
                        |j| m.get(w.z[j], s),
                    );
                    for j in 2..=ORDERS {
                        let z = m.get(w.z[j], s);
                        let below = if j < ORDERS { q.at_least[j + 1] } else { down };
                        let less = if j < ORDERS { z - l[j] * top } else { zero };
                        let new = M::R::select(below, less, zero);
                        m.put(w.z[j], s, M::R::select(down, new, z));
                    }
                },
            );
        },
    );
}
