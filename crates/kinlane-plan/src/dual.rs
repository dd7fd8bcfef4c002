//! Dual numbers over any number of a machine: a value and its derivative with respect to one seed.
//!
//! Rare rate laws are differentiated by them; over `f64` they check the whole Jacobian.

use crate::machine::Real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// v + d ε, ε² = 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dual<R> {
    /// Value.
    pub v: R,
    /// Derivative.
    pub d: R,
}

impl<R: Real> Dual<R> {
    /// A value that does not depend on the seed.
    #[inline(always)]
    pub fn constant(v: R) -> Self {
        Self { v, d: R::lit(0.0) }
    }
}

impl<R: Real> Add for Dual<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { v: self.v + o.v, d: self.d + o.d }
    }
}
impl<R: Real> Sub for Dual<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { v: self.v - o.v, d: self.d - o.d }
    }
}
impl<R: Real> Mul for Dual<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self { v: self.v * o.v, d: self.d * o.v + self.v * o.d }
    }
}
impl<R: Real> Div for Dual<R> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        let v = self.v / o.v;
        Self { v, d: (self.d - v * o.d) / o.v }
    }
}
impl<R: Real> Neg for Dual<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { v: -self.v, d: -self.d }
    }
}

impl<R: Real> Real for Dual<R> {
    type Mask = R::Mask;

    #[inline(always)]
    fn lit(x: f64) -> Self {
        Self::constant(R::lit(x))
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self { v: self.v.mul_add(a.v, b.v), d: self.d * a.v + self.v * a.d + b.d }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let v = self.v.sqrt();
        Self { v, d: self.d / (v + v) }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self::select(self.v.lt(R::lit(0.0)), -self, self)
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self::select(o.v.lt(self.v), self, o)
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self::select(self.v.lt(o.v), self, o)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        let v = self.v.exp();
        // Where the exponential has underflowed to zero its derivative is zero, too, however fast the
        // argument falls.
        Self { v, d: R::select(v.le(R::lit(0.0)), R::lit(0.0), v * self.d) }
    }
    #[inline(always)]
    fn ln(self) -> Self {
        Self { v: self.v.ln(), d: self.d / self.v }
    }
    #[inline(always)]
    fn lt(self, o: Self) -> R::Mask {
        self.v.lt(o.v)
    }
    #[inline(always)]
    fn le(self, o: Self) -> R::Mask {
        self.v.le(o.v)
    }
    #[inline(always)]
    fn select(mask: R::Mask, a: Self, b: Self) -> Self {
        Self { v: R::select(mask, a.v, b.v), d: R::select(mask, a.d, b.d) }
    }
    #[inline(always)]
    fn and(a: R::Mask, b: R::Mask) -> R::Mask {
        R::and(a, b)
    }
    #[inline(always)]
    fn or(a: R::Mask, b: R::Mask) -> R::Mask {
        R::or(a, b)
    }
    #[inline(always)]
    fn not(a: R::Mask) -> R::Mask {
        R::not(a)
    }
}
