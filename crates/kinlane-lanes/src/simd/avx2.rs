//! AVX2 with FMA: four cells per register.
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "one SAFETY line for all: values of this type exist only in code entered through `dispatch`, after AVX2 and FMA were detected"
)]

use super::Register;
use kinlane_plan::elementary::ROUND;
use std::arch::x86_64::*;

/// Four f64.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Avx2(__m256d);

/// 2ⁿ for integral n in the range of normal numbers.
///
/// # Safety
/// AVX2 must be available.
#[inline(always)]
unsafe fn power(n: __m256d) -> __m256d {
    // SAFETY: the caller has made sure of AVX2.
    unsafe {
        let bits = _mm256_castpd_si256(_mm256_add_pd(n, _mm256_set1_pd(ROUND)));
        _mm256_castsi256_pd(_mm256_add_epi64(_mm256_slli_epi64::<52>(bits), _mm256_set1_epi64x(1023 << 52)))
    }
}

/// The boundary across which the compiler may use the instruction set: everything inside `f` is inlined here.
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi1,bmi2")]
fn compiled(f: impl Fn()) {
    f(); // `Fn`, not `FnOnce`: the latter is called through a shim that need not be inlined
}

// SAFETY of every block below: see the head of the file.
impl Register for Avx2 {
    const LANES: usize = 4;
    type Mask = __m256d;

    #[inline(always)]
    unsafe fn call(f: impl Fn()) {
        // SAFETY: the caller's.
        unsafe { compiled(f) }
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        unsafe { Self(_mm256_set1_pd(x)) }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        unsafe { Self(_mm256_add_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        unsafe { Self(_mm256_sub_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        unsafe { Self(_mm256_mul_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        unsafe { Self(_mm256_div_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn fma(self, a: Self, b: Self) -> Self {
        unsafe { Self(_mm256_fmadd_pd(self.0, a.0, b.0)) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Self(_mm256_sqrt_pd(self.0)) }
    }
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { Self(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0))) }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        unsafe { Self(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)) }
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        unsafe { Self(_mm256_max_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        unsafe { Self(_mm256_min_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        unsafe {
            // Nearly always one power of two will do. NaN is not within.
            let within = _mm256_cmp_pd::<_CMP_LE_OQ>(n.abs().0, _mm256_set1_pd(1022.0));
            if _mm256_movemask_pd(within) == 0b1111 {
                return Self(_mm256_mul_pd(self.0, power(n.0)));
            }
            // Two powers of two, so that neither overflows and the second product rounds once.
            let round = _mm256_set1_pd(ROUND);
            let n = _mm256_max_pd(_mm256_min_pd(n.0, _mm256_set1_pd(2000.0)), _mm256_set1_pd(-2000.0));
            let half = _mm256_sub_pd(_mm256_add_pd(_mm256_mul_pd(n, _mm256_set1_pd(0.5)), round), round);
            let rest = _mm256_sub_pd(n, half);
            Self(_mm256_mul_pd(_mm256_mul_pd(self.0, power(half)), power(rest)))
        }
    }
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        unsafe {
            let one = _mm256_set1_pd(1.0);
            // Below the normal numbers: scale up by 2⁵⁴ first.
            let tiny = _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, _mm256_set1_pd(f64::MIN_POSITIVE));
            let x = _mm256_mul_pd(self.0, _mm256_blendv_pd(one, _mm256_set1_pd(18_014_398_509_481_984.0), tiny));
            let shift = _mm256_and_pd(tiny, _mm256_set1_pd(54.0));
            let bits = _mm256_castpd_si256(x);
            // The exponent field as a number: put into the low bits of ROUND, which is then subtracted.
            let field = _mm256_and_si256(_mm256_srli_epi64::<52>(bits), _mm256_set1_epi64x(0x7ff));
            let e = _mm256_castsi256_pd(_mm256_or_si256(field, _mm256_castpd_si256(_mm256_set1_pd(ROUND))));
            let e =
                _mm256_sub_pd(_mm256_sub_pd(_mm256_sub_pd(e, _mm256_set1_pd(ROUND)), _mm256_set1_pd(1023.0)), shift);
            let low = _mm256_and_si256(bits, _mm256_set1_epi64x(0x000f_ffff_ffff_ffff));
            let m = _mm256_castsi256_pd(_mm256_or_si256(low, _mm256_castpd_si256(one)));
            let large = _mm256_cmp_pd::<_CMP_GE_OQ>(m, _mm256_set1_pd(1.5));
            let m = _mm256_blendv_pd(m, _mm256_mul_pd(m, _mm256_set1_pd(0.5)), large);
            (Self(m), Self(_mm256_add_pd(e, _mm256_and_pd(large, one))))
        }
    }
    #[inline(always)]
    fn lt(self, o: Self) -> __m256d {
        unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, o.0) }
    }
    #[inline(always)]
    fn le(self, o: Self) -> __m256d {
        unsafe { _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, o.0) }
    }
    #[inline(always)]
    fn select(m: __m256d, a: Self, b: Self) -> Self {
        unsafe { Self(_mm256_blendv_pd(b.0, a.0, m)) }
    }
    #[inline(always)]
    fn and(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_and_pd(a, b) }
    }
    #[inline(always)]
    fn or(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_or_pd(a, b) }
    }
    #[inline(always)]
    fn not(a: __m256d) -> __m256d {
        unsafe { _mm256_xor_pd(a, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))) }
    }
    #[inline(always)]
    fn any(a: __m256d) -> bool {
        unsafe { _mm256_movemask_pd(a) != 0 }
    }
}
