//! AVX-512F: eight cells per register.
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "one SAFETY line for all: values of this type exist only in code entered through `dispatch`, after AVX-512F was detected"
)]

use super::Register;
use std::arch::x86_64::*;

/// Eight f64.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Avx512(__m512d);

/// The boundary across which the compiler may use the instruction set: everything inside `f` is inlined here.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2")]
fn compiled(f: impl Fn()) {
    f(); // `Fn`, not `FnOnce`: the latter is called through a shim that need not be inlined
}

// SAFETY of every block below: see the head of the file.
impl Register for Avx512 {
    const LANES: usize = 8;
    type Mask = __mmask8;

    #[inline(always)]
    unsafe fn call(f: impl Fn()) {
        // SAFETY: the caller's.
        unsafe { compiled(f) }
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        unsafe { Self(_mm512_set1_pd(x)) }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        unsafe { Self(_mm512_add_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        unsafe { Self(_mm512_sub_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        unsafe { Self(_mm512_mul_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        unsafe { Self(_mm512_div_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn fma(self, a: Self, b: Self) -> Self {
        unsafe { Self(_mm512_fmadd_pd(self.0, a.0, b.0)) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Self(_mm512_sqrt_pd(self.0)) }
    }
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe {
            let sign = _mm512_set1_epi64(i64::MIN);
            Self(_mm512_castsi512_pd(_mm512_xor_epi64(_mm512_castpd_si512(self.0), sign)))
        }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        unsafe { Self(_mm512_abs_pd(self.0)) }
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        unsafe { Self(_mm512_max_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        unsafe { Self(_mm512_min_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        unsafe { Self(_mm512_scalef_pd(self.0, n.0)) }
    }
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        unsafe {
            let m = _mm512_getmant_pd::<_MM_MANT_NORM_P75_1P5, _MM_MANT_SIGN_SRC>(self.0);
            let e = _mm512_getexp_pd(self.0);
            // A mantissa below 1 was halved above: its exponent is larger by one.
            let one = _mm512_set1_pd(1.0);
            let halved = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(m, one);
            (Self(m), Self(_mm512_mask_add_pd(e, halved, e, one)))
        }
    }
    #[inline(always)]
    fn lt(self, o: Self) -> __mmask8 {
        unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, o.0) }
    }
    #[inline(always)]
    fn le(self, o: Self) -> __mmask8 {
        unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, o.0) }
    }
    #[inline(always)]
    fn select(m: __mmask8, a: Self, b: Self) -> Self {
        unsafe { Self(_mm512_mask_blend_pd(m, b.0, a.0)) }
    }
    #[inline(always)]
    fn and(a: __mmask8, b: __mmask8) -> __mmask8 {
        a & b
    }
    #[inline(always)]
    fn or(a: __mmask8, b: __mmask8) -> __mmask8 {
        a | b
    }
    #[inline(always)]
    fn not(a: __mmask8) -> __mmask8 {
        !a
    }
    #[inline(always)]
    fn any(a: __mmask8) -> bool {
        a != 0
    }
}
