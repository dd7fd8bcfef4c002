//! Registers: the few operations that each instruction set must provide, and [`Pack`], some registers side by
//! side as one number of the lanes machine.
//!
//! Every operation is elementwise and IEEE-exact, and exp and ln are the generic ones of `kinlane-plan`, so
//! all instruction sets with fused multiply-add give the same bits.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
pub(crate) mod portable;

use kinlane_plan::elementary::{self, Parts};
use kinlane_plan::machine::Real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// One register of an instruction set. Values exist only in code that runs after the set was detected (see
/// `dispatch`); this makes the intrinsics sound.
pub trait Register: Copy + Send + 'static {
    /// Cells per register.
    const LANES: usize;
    /// A truth value per cell.
    type Mask: Copy;

    /// Runs `f` as a function of its own, compiled for this instruction set.
    ///
    /// # Safety
    /// The instruction set must have been detected.
    unsafe fn call(f: impl Fn());

    /// The same number in every lane.
    fn splat(x: f64) -> Self;
    /// Sum.
    fn add(self, o: Self) -> Self;
    /// Difference.
    fn sub(self, o: Self) -> Self;
    /// Product.
    fn mul(self, o: Self) -> Self;
    /// Quotient.
    fn div(self, o: Self) -> Self;
    /// `self * a + b`, rounded once (where the processor has such an instruction).
    fn fma(self, a: Self, b: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Sign bit flipped.
    fn neg(self) -> Self;
    /// Sign bit cleared.
    fn abs(self) -> Self;
    /// Larger; `o` where either is NaN.
    fn max(self, o: Self) -> Self;
    /// Smaller; `o` where either is NaN.
    fn min(self, o: Self) -> Self;
    /// See [`Parts::scale`].
    fn scale(self, n: Self) -> Self;
    /// See [`Parts::split`].
    fn split(self) -> (Self, Self);
    /// `self < o`.
    fn lt(self, o: Self) -> Self::Mask;
    /// `self <= o`.
    fn le(self, o: Self) -> Self::Mask;
    /// `a` where `m`, else `b`.
    fn select(m: Self::Mask, a: Self, b: Self) -> Self;
    /// Both.
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Either.
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Negation.
    fn not(a: Self::Mask) -> Self::Mask;
    /// Whether the mask holds in any lane.
    fn any(a: Self::Mask) -> bool;
}

/// `K` registers side by side: `K · LANES` cells. With more than one, the latency of an operation on one is
/// hidden behind those on the others, and every loaded index is shared.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Pack<V, const K: usize>(pub [V; K]);

// Operations are passed as closures, never as bare functions: those are called through a shim, which is
// compiled without the instruction set and into which the compiler may inline nothing.
impl<V: Register, const K: usize> Pack<V, K> {
    /// Cells in a pack.
    pub const CELLS: usize = K * V::LANES;

    /// A pack is that many numbers and nothing else, so that a list of packs may be seen as numbers.
    const PACKED: () = assert!(
        size_of::<Self>() == Self::CELLS * size_of::<f64>() && align_of::<Self>() >= align_of::<f64>(),
        "a pack has room for something else than its numbers"
    );

    /// The numbers of packs, one pack after the other.
    pub fn numbers(packs: &[Self]) -> &[f64] {
        const { Self::PACKED };
        // SAFETY: the packs are that many f64 in a row, by `PACKED`, all initialised, and borrowed as long as the slice.
        unsafe { std::slice::from_raw_parts(packs.as_ptr().cast::<f64>(), packs.len() * Self::CELLS) }
    }

    /// The same, to be written. Any bits are a number.
    pub fn numbers_mut(packs: &mut [Self]) -> &mut [f64] {
        const { Self::PACKED };
        // SAFETY: as above, and nobody else has the packs.
        unsafe { std::slice::from_raw_parts_mut(packs.as_mut_ptr().cast::<f64>(), packs.len() * Self::CELLS) }
    }

    #[inline(always)]
    fn map(self, f: impl Fn(V) -> V) -> Self {
        let mut r = self.0;
        let mut i = 0;
        while i < K {
            r[i] = f(r[i]);
            i += 1;
        }
        Self(r)
    }
    #[inline(always)]
    fn zip(self, o: Self, f: impl Fn(V, V) -> V) -> Self {
        let mut r = self.0;
        let mut i = 0;
        while i < K {
            r[i] = f(r[i], o.0[i]);
            i += 1;
        }
        Self(r)
    }
    #[inline(always)]
    fn compare(self, o: Self, f: impl Fn(V, V) -> V::Mask) -> [V::Mask; K] {
        let mut r = [f(self.0[0], o.0[0]); K];
        let mut i = 1;
        while i < K {
            r[i] = f(self.0[i], o.0[i]);
            i += 1;
        }
        r
    }
    /// Whether the mask holds for any cell.
    #[inline(always)]
    pub fn any(mask: [V::Mask; K]) -> bool {
        let mut r = false;
        let mut i = 0;
        while i < K {
            r |= V::any(mask[i]);
            i += 1;
        }
        r
    }
}

macro_rules! operator {
    ($op:ident, $f:ident) => {
        impl<V: Register, const K: usize> $op for Pack<V, K> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self {
                self.zip(
                    o,
                    #[inline(always)]
                    |a, b| V::$f(a, b),
                )
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl<V: Register, const K: usize> Neg for Pack<V, K> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(
            #[inline(always)]
            |x| V::neg(x),
        )
    }
}

impl<V: Register, const K: usize> Real for Pack<V, K> {
    type Mask = [V::Mask; K];

    #[inline(always)]
    fn lit(x: f64) -> Self {
        Self([V::splat(x); K])
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        let mut r = self.0;
        let mut i = 0;
        while i < K {
            r[i] = r[i].fma(a.0[i], b.0[i]);
            i += 1;
        }
        Self(r)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(
            #[inline(always)]
            |x| V::sqrt(x),
        )
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.map(
            #[inline(always)]
            |x| V::abs(x),
        )
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(
            other,
            #[inline(always)]
            |a, b| V::max(a, b),
        )
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(
            other,
            #[inline(always)]
            |a, b| V::min(a, b),
        )
    }
    #[inline(always)]
    fn exp(self) -> Self {
        elementary::exp(self)
    }
    #[inline(always)]
    fn exp_both(self) -> (Self, Self) {
        elementary::exp_both(self)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        elementary::ln(self)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        self.compare(
            other,
            #[inline(always)]
            |a, b| V::lt(a, b),
        )
    }
    #[inline(always)]
    fn le(self, other: Self) -> Self::Mask {
        self.compare(
            other,
            #[inline(always)]
            |a, b| V::le(a, b),
        )
    }
    #[inline(always)]
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        let mut r = a.0;
        let mut i = 0;
        while i < K {
            r[i] = V::select(mask[i], a.0[i], b.0[i]);
            i += 1;
        }
        Self(r)
    }
    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        let mut r = a;
        let mut i = 0;
        while i < K {
            r[i] = V::and(a[i], b[i]);
            i += 1;
        }
        r
    }
    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        let mut r = a;
        let mut i = 0;
        while i < K {
            r[i] = V::or(a[i], b[i]);
            i += 1;
        }
        r
    }
    #[inline(always)]
    fn not(a: Self::Mask) -> Self::Mask {
        let mut r = a;
        let mut i = 0;
        while i < K {
            r[i] = V::not(a[i]);
            i += 1;
        }
        r
    }
}

impl<V: Register, const K: usize> Parts for Pack<V, K> {
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        self.zip(
            n,
            #[inline(always)]
            |a, b| V::scale(a, b),
        )
    }
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let (mut m, mut e) = (self.0, self.0);
        let mut i = 0;
        while i < K {
            (m[i], e[i]) = self.0[i].split();
            i += 1;
        }
        (Self(m), Self(e))
    }
}
