//! Plain arrays of four cells, for every processor.

use super::Register;
use kinlane_plan::elementary::Parts;

const N: usize = 4;

/// Four f64.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct Portable([f64; N]);

/// Whether the processor has a fused multiply-add. Without one, the C library's software version would be
/// fifty times as slow.
const FUSED: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));

impl Portable {
    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let mut r = self.0;
        for x in &mut r {
            *x = f(*x);
        }
        Self(r)
    }
    #[inline(always)]
    fn zip(self, o: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(
            #[inline(always)]
            |i| f(self.0[i], o.0[i]),
        ))
    }
    #[inline(always)]
    fn compare(self, o: Self, f: impl Fn(f64, f64) -> bool) -> [bool; N] {
        std::array::from_fn(
            #[inline(always)]
            |i| f(self.0[i], o.0[i]),
        )
    }
}

impl Register for Portable {
    const LANES: usize = N;
    type Mask = [bool; N];

    #[inline(never)]
    unsafe fn call(f: impl Fn()) {
        f();
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x; N])
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.zip(
            o,
            #[inline(always)]
            |a, b| a + b,
        )
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.zip(
            o,
            #[inline(always)]
            |a, b| a - b,
        )
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.zip(
            o,
            #[inline(always)]
            |a, b| a * b,
        )
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        self.zip(
            o,
            #[inline(always)]
            |a, b| a / b,
        )
    }
    #[inline(always)]
    fn fma(self, a: Self, b: Self) -> Self {
        if FUSED {
            Self(std::array::from_fn(
                #[inline(always)]
                |i| self.0[i].mul_add(a.0[i], b.0[i]),
            ))
        } else {
            self.mul(a).add(b)
        }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(
            #[inline(always)]
            |x| -x,
        )
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.map(f64::abs)
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        self.zip(
            o,
            #[inline(always)]
            |a, b| if a > b { a } else { b },
        )
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        self.zip(
            o,
            #[inline(always)]
            |a, b| if a < b { a } else { b },
        )
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        self.zip(n, Parts::scale)
    }
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let (mut m, mut e) = (self.0, self.0);
        for i in 0..N {
            (m[i], e[i]) = self.0[i].split();
        }
        (Self(m), Self(e))
    }
    #[inline(always)]
    fn lt(self, o: Self) -> [bool; N] {
        self.compare(
            o,
            #[inline(always)]
            |a, b| a < b,
        )
    }
    #[inline(always)]
    fn le(self, o: Self) -> [bool; N] {
        self.compare(
            o,
            #[inline(always)]
            |a, b| a <= b,
        )
    }
    #[inline(always)]
    fn select(m: [bool; N], a: Self, b: Self) -> Self {
        let mut r = a.0;
        for i in 0..N {
            r[i] = if m[i] { a.0[i] } else { b.0[i] };
        }
        Self(r)
    }
    #[inline(always)]
    fn and(a: [bool; N], b: [bool; N]) -> [bool; N] {
        std::array::from_fn(
            #[inline(always)]
            |i| a[i] && b[i],
        )
    }
    #[inline(always)]
    fn or(a: [bool; N], b: [bool; N]) -> [bool; N] {
        std::array::from_fn(
            #[inline(always)]
            |i| a[i] || b[i],
        )
    }
    #[inline(always)]
    fn not(a: [bool; N]) -> [bool; N] {
        a.map(
            #[inline(always)]
            |x| !x,
        )
    }
    #[inline(always)]
    fn any(a: [bool; N]) -> bool {
        a.iter().any(
            #[inline(always)]
            |&x| x,
        )
    }
}
