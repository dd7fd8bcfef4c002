//! The scalar machine: one cell, every index checked. Simple and slow; the oracle for all other machines.
//!
//! It is generic over its number type, so that dual numbers run through the same programs as plain numbers.

use crate::elementary::{self, Parts, ROUND};
use crate::machine::{Array, Indices, Machine, Real, Reals};
use crate::tables::Tables;
use std::cell::Cell;

/// A machine over borrowed tables and a borrowed arena.
pub struct Scalar<'a, N> {
    tables: &'a Tables,
    arena: &'a [Cell<N>],
}

impl<N> Clone for Scalar<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<N> Copy for Scalar<'_, N> {}

impl<'a, N: Copy> Scalar<'a, N> {
    /// A machine whose work arrays are in `arena`, which must hold the layout's length.
    pub fn new(tables: &'a Tables, arena: &'a mut [N]) -> Self {
        Self { tables, arena: Cell::from_mut(arena).as_slice_of_cells() }
    }

    /// Reads a whole array.
    pub fn read(self, a: Array) -> Vec<N> {
        self.arena[a.at as usize..(a.at + a.len) as usize].iter().map(Cell::get).collect()
    }
}

impl<N: Real> Machine for Scalar<'_, N> {
    type R = N;
    type I = usize;

    fn i(self, i: usize) -> usize {
        i
    }
    fn get(self, a: Array, i: usize) -> N {
        assert!(i < a.len as usize, "index {i} of an array of {}", a.len);
        self.arena[a.at as usize + i].get()
    }
    fn put(self, a: Array, i: usize, x: N) {
        assert!(i < a.len as usize, "index {i} of an array of {}", a.len);
        self.arena[a.at as usize + i].set(x);
    }
    fn real(self, t: Reals, i: usize) -> N {
        N::lit(self.tables.get(t)[i])
    }
    fn index(self, t: Indices, i: usize) -> usize {
        self.tables.list(t)[i] as usize
    }
    fn each(self, lo: usize, hi: usize, f: impl Fn(usize)) {
        (lo..hi).for_each(f);
    }
    fn ordered(self, lo: usize, hi: usize, f: impl Fn(usize)) {
        (lo..hi).for_each(f);
    }
    fn fold(self, lo: usize, hi: usize, init: N, f: impl Fn(N, usize) -> N) -> N {
        (lo..hi).fold(init, f)
    }
    fn folds<const K: usize>(self, lo: usize, hi: usize, init: [N; K], f: impl Fn([N; K], usize) -> [N; K]) -> [N; K] {
        (lo..hi).fold(init, f)
    }
    fn if_any(self, _mask: N::Mask, f: impl Fn()) {
        f(); // always: writes inside `f` are masked, and so the oracle visits every address
    }
    fn mirror(self, i: usize, n: usize) -> usize {
        n - 1 - i
    }
    fn function(self, _name: &'static str, f: impl Fn()) {
        f();
    }
}

/// x a + b, rounded once.
#[inline(always)]
fn fused(x: f64, a: f64, b: f64) -> f64 {
    #[cfg(all(windows, target_env = "gnu", not(target_feature = "fma")))]
    return libm::fma(x, a, b);
    #[cfg(not(all(windows, target_env = "gnu", not(target_feature = "fma"))))]
    x.mul_add(a, b)
}

impl Real for f64 {
    type Mask = bool;

    fn lit(x: f64) -> f64 {
        x
    }
    fn mul_add(self, a: f64, b: f64) -> f64 {
        fused(self, a, b)
    }
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    fn abs(self) -> f64 {
        f64::abs(self)
    }
    fn max(self, other: f64) -> f64 {
        if self > other { self } else { other }
    }
    fn min(self, other: f64) -> f64 {
        if self < other { self } else { other }
    }
    fn exp(self) -> f64 {
        elementary::exp(self)
    }
    fn exp_both(self) -> (f64, f64) {
        elementary::exp_both(self)
    }
    fn ln(self) -> f64 {
        elementary::ln(self)
    }
    fn lt(self, other: f64) -> bool {
        self < other
    }
    fn le(self, other: f64) -> bool {
        self <= other
    }
    fn select(mask: bool, a: f64, b: f64) -> f64 {
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

impl Parts for f64 {
    fn scale(self, n: f64) -> f64 {
        // Two powers of two, so that neither overflows and the second product rounds once.
        let n = Real::max(Real::min(n, 2000.0), -2000.0);
        let half = (n * 0.5 + ROUND) - ROUND;
        let power = |n: f64| f64::from_bits(((n + ROUND).to_bits() << 52).wrapping_add(1023 << 52));
        self * power(half) * power(n - half)
    }
    fn split(self) -> (f64, f64) {
        let (x, shift) = if self < f64::MIN_POSITIVE { (self * 18_014_398_509_481_984.0, 54.0) } else { (self, 0.0) };
        let bits = x.to_bits();
        let e = ((bits >> 52) & 0x7ff) as f64 - 1023.0 - shift;
        let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
        if m < 1.5 { (m, e) } else { (m * 0.5, e + 1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_ln_keep_their_stated_errors() {
        let mut worst = [0.0f64; 3];
        for i in 0..200_000 {
            let x = -700.0 + 1400.0 * f64::from(i) / 200_000.0 + 1e-3 * f64::from(i % 7);
            worst[0] = worst[0].max((Real::exp(x) / f64::exp(x) - 1.0).abs());
            let (up, down) = Real::exp_both(x);
            worst[2] = worst[2].max((up / f64::exp(x) - 1.0).abs()).max((down / f64::exp(-x) - 1.0).abs());
            let y = f64::exp(x * 0.9);
            if y != 1.0 {
                worst[1] = worst[1].max((Real::ln(y) / f64::ln(y) - 1.0).abs());
            }
            let near = 1.0 + x * 1e-3;
            if near > 0.0 && near != 1.0 {
                worst[1] = worst[1].max((Real::ln(near) / f64::ln(near) - 1.0).abs());
            }
        }
        assert!(worst[0] < 6e-16 && worst[1] < 4e-16 && worst[2] < 8e-16, "{worst:?}");
    }

    #[test]
    fn exp_and_ln_at_the_edges() {
        for (x, y) in [(1e14, f64::INFINITY), (-1e14, 0.0), (710.0, f64::INFINITY), (-746.0, 0.0), (0.0, 1.0)] {
            assert_eq!(Real::exp(x), y, "exp({x})");
        }
        assert!((Real::exp(-740.0) / f64::exp(-740.0) - 1.0).abs() < 1e-1, "gradual underflow");
        assert!(Real::exp(f64::NAN).is_nan() && Real::ln(f64::NAN).is_nan() && Real::ln(-1.0).is_nan());
        assert_eq!((Real::ln(0.0), Real::ln(f64::INFINITY), Real::ln(1.0)), (f64::NEG_INFINITY, f64::INFINITY, 0.0));
        assert!((Real::ln(5e-320) / f64::ln(5e-320) - 1.0).abs() < 1e-15);
    }
}
