//! Numbers that carry a bound of their rounding error: two ways to the same result may differ by that and no more.
//! This makes a tolerance that is right for every entry of a Jacobian, however its terms cancel.

use kinlane_plan::machine::Real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value and a first-order bound of the error of rounding on the way to it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounded {
    /// Value, the same bits as plain `f64` would give.
    pub v: f64,
    /// Bound of its absolute error.
    pub e: f64,
}

const UNIT: f64 = f64::EPSILON / 2.0;
/// Relative error of `exp` and `ln`, as their documentation states it.
const ELEMENTARY: f64 = 6e-16;
/// What gradual underflow may lose.
const UNDERFLOW: f64 = 5e-324;

/// a·b, zero if either is: a vanished factor takes any error with it.
fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

fn rounded(v: f64, e: f64) -> Bounded {
    Bounded { v, e: e + v.abs() * UNIT + if v == 0.0 || v.abs() >= 1e-290 { 0.0 } else { UNDERFLOW } }
}

impl Add for Bounded {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        rounded(self.v + o.v, self.e + o.e)
    }
}
impl Sub for Bounded {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        rounded(self.v - o.v, self.e + o.e)
    }
}
impl Mul for Bounded {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        rounded(self.v * o.v, product(self.v.abs() + self.e, o.e) + product(self.e, o.v.abs()))
    }
}
impl Div for Bounded {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let v = self.v / o.v;
        let least = (o.v.abs() - o.e).max(o.v.abs() * 0.5);
        rounded(v, (self.e + product(v.abs(), o.e)) / least)
    }
}
impl Neg for Bounded {
    type Output = Self;
    fn neg(self) -> Self {
        Self { v: -self.v, e: self.e }
    }
}

impl Real for Bounded {
    type Mask = bool;

    fn lit(x: f64) -> Self {
        Self { v: x, e: 0.0 }
    }
    fn mul_add(self, a: Self, b: Self) -> Self {
        let v = f64::mul_add(self.v, a.v, b.v);
        rounded(v, product(self.v.abs() + self.e, a.e) + product(self.e, a.v.abs()) + b.e)
    }
    fn sqrt(self) -> Self {
        let v = self.v.sqrt();
        rounded(v, if self.e == 0.0 { 0.0 } else { self.e / v })
    }
    fn abs(self) -> Self {
        Self { v: self.v.abs(), e: self.e }
    }
    fn max(self, o: Self) -> Self {
        if self.v > o.v { self } else { o }
    }
    fn min(self, o: Self) -> Self {
        if self.v < o.v { self } else { o }
    }
    fn exp(self) -> Self {
        let v = Real::exp(self.v);
        rounded(v, product(v, self.e.exp_m1()) + v * ELEMENTARY)
    }
    fn ln(self) -> Self {
        let v = Real::ln(self.v);
        rounded(v, if self.e == 0.0 { 0.0 } else { self.e / self.v.abs() } + v.abs() * ELEMENTARY)
    }
    fn lt(self, o: Self) -> bool {
        self.v < o.v
    }
    fn le(self, o: Self) -> bool {
        self.v <= o.v
    }
    fn select(mask: bool, a: Self, b: Self) -> Self {
        if mask { a } else { b }
    }
    fn and(a: bool, b: bool) -> bool {
        a && b
    }
    fn or(a: bool, b: bool) -> bool {
        a || b
    }
    fn not(a: bool) -> bool {
        !a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_holds_where_digits_cancel() {
        // (1 + x)² − 1 − 2x − x² is 0; with x = 1e-8/3 nothing but rounding is left.
        let one = Bounded::lit(1.0);
        let x = Bounded::lit(1e-8) / Bounded::lit(3.0);
        let r = (one + x) * (one + x) - one - (x + x) - x * x;
        assert!(r.v.abs() <= r.e && r.e < 1e-14, "{r:?}");
    }
}
