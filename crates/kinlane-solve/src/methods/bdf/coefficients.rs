//! Coefficients of the correction and of the error estimates, which depend on the order and on the lengths of
//! earlier steps.

use super::ORDERS;
use kinlane_plan::machine::{Real, array};

/// A family of formulas. Backward differentiation of order k has Σ ∇ʲy/j (j up to k) = h f. Numerical
/// differentiation adds κₖ γₖ (y − prediction), with γₖ = Σ 1/j: a smaller error for a narrower sector of
/// stability.
#[derive(Debug, Clone, Copy)]
pub struct Formulas {
    /// Highest order.
    pub orders: usize,
    /// By order: γ relative to that of backward differentiation.
    pub gamma: [f64; ORDERS + 1],
    /// By order: the error relative to that of backward differentiation.
    pub error: [f64; ORDERS + 2],
}

/// Backward differentiation.
pub static BDF: Formulas = Formulas::new([0.0; ORDERS]);

/// Numerical differentiation, with the κ of Shampine & Reichelt (1997).
pub static NDF: Formulas = Formulas::new([-0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0]);

impl Formulas {
    /// The family with these κ, by order from 1. The equation to be solved then has
    /// γₖ (1 − κ) (y − prediction); in the error, 1/(k + 1) becomes 1/(k + 1) + κ γₖ.
    const fn new(kappa: [f64; ORDERS]) -> Self {
        let mut family = Self { orders: ORDERS, gamma: [1.0; ORDERS + 1], error: [1.0; ORDERS + 2] };
        let (mut k, mut sum) = (1, 0.0);
        while k <= ORDERS {
            let kappa = kappa[k - 1];
            sum += 1.0 / k as f64;
            family.gamma[k] = 1.0 / (1.0 - kappa);
            family.error[k] = (1.0 + kappa * sum * (k + 1) as f64) * family.gamma[k];
            k += 1;
        }
        family
    }
}

/// The order of a cell, as masks "order is at least k".
#[derive(Clone, Copy)]
pub struct Order<R: Real> {
    /// By k, from 0.
    pub at_least: [R::Mask; ORDERS + 2],
}

impl<R: Real> Order<R> {
    /// The masks of an order.
    #[inline(always)]
    pub fn new(order: R) -> Self {
        Self {
            at_least: array(
                #[inline(always)]
                |k| R::lit(k as f64 - 0.5).lt(order),
            ),
        }
    }
    /// The value of `value` at the cell's order.
    #[inline(always)]
    pub fn pick(self, value: impl Fn(usize) -> R) -> R {
        let mut x = value(1);
        for k in 2..=ORDERS {
            x = R::select(self.at_least[k], value(k), x);
        }
        x
    }
    /// As [`Order::pick`], for plain numbers.
    #[inline(always)]
    pub fn literal(self, value: impl Fn(usize) -> f64) -> R {
        self.pick(
            #[inline(always)]
            |k| R::lit(value(k)),
        )
    }
}

/// Coefficients of the correction, and the factors that turn it into error estimates.
#[derive(Clone, Copy)]
pub struct Coefficients<R> {
    /// zⱼ += lⱼ · correction.
    pub l: [R; ORDERS + 1],
    /// γ/h.
    pub gamma: R,
    /// Factors of the error estimates at the order below, at this order and at the order above, and the error
    /// constant of the last.
    pub tq1: R,
    /// See `tq1`.
    pub tq2: R,
    /// See `tq1`.
    pub tq3: R,
    /// See `tq1`.
    pub tq5: R,
}

/// Coefficients l and test quantities for a step `h` after steps of length `tau` (Byrne & Hindmarsh 1975; the
/// names are those of CVODE).
#[inline(always)]
pub fn coefficients<R: Real>(family: &Formulas, q: Order<R>, order: R, h: R, tau: [R; ORDERS]) -> Coefficients<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let mut l = [zero; ORDERS + 1];
    (l[0], l[1]) = (one, one);
    let (mut alpha, mut sum, mut xi_inv) = (-one, h, one);
    // Π (1 + x/ξⱼ) over j below the order
    for j in 2..ORDERS {
        let inside = q.at_least[j + 1];
        let longer = sum + tau[j - 2];
        let x = h / longer;
        for i in (1..=j).rev() {
            l[i] = R::select(inside, l[i - 1].mul_add(x, l[i]), l[i]);
        }
        alpha = R::select(inside, alpha - R::lit(1.0 / j as f64), alpha);
        sum = R::select(inside, longer, sum);
    }
    // The last factor is that of the fixed leading coefficient.
    let several = q.at_least[2];
    let inv_order = q.literal(
        #[inline(always)]
        |k| 1.0 / k as f64,
    );
    alpha = R::select(several, alpha - inv_order, alpha);
    let star = R::select(several, -l[1] - alpha, one);
    let longer = sum
        + q.pick(
            #[inline(always)]
            |k| tau[k.max(2) - 2],
        );
    sum = R::select(several, longer, sum);
    xi_inv = R::select(several, h / sum, xi_inv);
    let hat = R::select(several, -l[1] - xi_inv, alpha);
    for i in (1..=ORDERS).rev() {
        l[i] = R::select(R::and(several, q.at_least[i]), l[i - 1].mul_add(star, l[i]), l[i]);
    }
    let l_q = q.pick(
        #[inline(always)]
        |k| l[k],
    );
    let a1 = one - hat + alpha;
    let a2 = order.mul_add(a1, one);
    let tq2 = (a1 / (alpha * a2)).abs();
    let tq5 = (a2 * star / (l_q * xi_inv)).abs();
    let a3 = alpha + inv_order;
    let lower = star / l_q * (one - (hat + xi_inv) + a3) / a3;
    let tq1 = R::select(several, lower.abs(), one);
    let sum = sum
        + q.pick(
            #[inline(always)]
            |k| tau[k - 1],
        );
    let xi_inv = h / sum;
    let a5 = alpha
        - q.literal(
            #[inline(always)]
            |k| 1.0 / (k + 1) as f64,
        );
    let higher = (one - (hat - xi_inv) + a5) / a2;
    let tq3 = (higher / (xi_inv * (order + R::lit(2.0)) * a5)).abs();
    // For numerical differentiation. With variable steps its errors are assumed to change as those of
    // backward differentiation do; γ is exact.
    let gamma = l[1].recip()
        * q.literal(
            #[inline(always)]
            |k| family.gamma[k],
        );
    let [below, same, above] = array(
        #[inline(always)]
        |by| {
            q.literal(
                #[inline(always)]
                |k| family.error[k + by - 1],
            )
        },
    );
    Coefficients { l, gamma, tq1: tq1 * below, tq2: tq2 * same, tq3: tq3 * above, tq5 }
}
