//! NEON: two cells per register. Part of the baseline of aarch64, so nothing has to be detected.
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "one SAFETY line for all: every aarch64 target that has the standard library has NEON"
)]

use super::Register;
use kinlane_plan::elementary::ROUND;
use std::arch::aarch64::*;

/// Two f64.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Neon(float64x2_t);

/// The same number in both lanes.
#[inline(always)]
fn both(x: f64) -> float64x2_t {
    unsafe { vdupq_n_f64(x) }
}

/// 2ⁿ for integral n in the range of normal numbers.
#[inline(always)]
fn power(n: float64x2_t) -> float64x2_t {
    unsafe {
        let bits = vreinterpretq_s64_f64(vaddq_f64(n, both(ROUND)));
        vreinterpretq_f64_s64(vaddq_s64(vshlq_n_s64::<52>(bits), vdupq_n_s64(1023 << 52)))
    }
}

/// `x` where `mask`, else zero.
#[inline(always)]
fn keep(mask: uint64x2_t, x: f64) -> float64x2_t {
    unsafe { vreinterpretq_f64_u64(vandq_u64(mask, vreinterpretq_u64_f64(both(x)))) }
}

impl Register for Neon {
    const LANES: usize = 2;
    type Mask = uint64x2_t;

    #[inline(never)]
    unsafe fn call(f: impl Fn()) {
        f();
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self(both(x))
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        unsafe { Self(vaddq_f64(self.0, o.0)) }
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        unsafe { Self(vsubq_f64(self.0, o.0)) }
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        unsafe { Self(vmulq_f64(self.0, o.0)) }
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        unsafe { Self(vdivq_f64(self.0, o.0)) }
    }
    #[inline(always)]
    fn fma(self, a: Self, b: Self) -> Self {
        unsafe { Self(vfmaq_f64(b.0, self.0, a.0)) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Self(vsqrtq_f64(self.0)) }
    }
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { Self(vnegq_f64(self.0)) }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        unsafe { Self(vabsq_f64(self.0)) }
    }
    // Compare and select: the instructions fmax and fmin give NaN where either is NaN.
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self::select(o.lt(self), self, o)
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self::select(self.lt(o), self, o)
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        unsafe {
            // Two powers of two, so that neither overflows and the second product rounds once.
            let n = n.min(Self(both(2000.0))).max(Self(both(-2000.0))).0;
            let half = vrndnq_f64(vmulq_f64(n, both(0.5)));
            let rest = vsubq_f64(n, half);
            Self(vmulq_f64(vmulq_f64(self.0, power(half)), power(rest)))
        }
    }
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        unsafe {
            let one = both(1.0);
            // Below the normal numbers: scale up by 2⁵⁴ first.
            let tiny = vcltq_f64(self.0, both(f64::MIN_POSITIVE));
            let x = vmulq_f64(self.0, vbslq_f64(tiny, both(18_014_398_509_481_984.0), one));
            let bits = vreinterpretq_u64_f64(x);
            let field = vandq_u64(vshrq_n_u64::<52>(bits), vdupq_n_u64(0x7ff));
            let e = vsubq_f64(vsubq_f64(vcvtq_f64_u64(field), both(1023.0)), keep(tiny, 54.0));
            let low = vandq_u64(bits, vdupq_n_u64(0x000f_ffff_ffff_ffff));
            let m = vreinterpretq_f64_u64(vorrq_u64(low, vreinterpretq_u64_f64(one)));
            let large = vcgeq_f64(m, both(1.5));
            let m = vbslq_f64(large, vmulq_f64(m, both(0.5)), m);
            (Self(m), Self(vaddq_f64(e, keep(large, 1.0))))
        }
    }
    #[inline(always)]
    fn lt(self, o: Self) -> uint64x2_t {
        unsafe { vcltq_f64(self.0, o.0) }
    }
    #[inline(always)]
    fn le(self, o: Self) -> uint64x2_t {
        unsafe { vcleq_f64(self.0, o.0) }
    }
    #[inline(always)]
    fn select(m: uint64x2_t, a: Self, b: Self) -> Self {
        unsafe { Self(vbslq_f64(m, a.0, b.0)) }
    }
    #[inline(always)]
    fn and(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vandq_u64(a, b) }
    }
    #[inline(always)]
    fn or(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vorrq_u64(a, b) }
    }
    #[inline(always)]
    fn not(a: uint64x2_t) -> uint64x2_t {
        unsafe { vceqzq_u64(a) }
    }
    #[inline(always)]
    fn any(a: uint64x2_t) -> bool {
        unsafe { vmaxvq_u32(vreinterpretq_u32_u64(a)) != 0 }
    }
}
