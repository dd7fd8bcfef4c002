//! Numbers that a sparse matrix can hold: real, or complex as a pair. A factorisation is written once for
//! both.

use crate::machine::{Array, Machine, Real};
use crate::tables::Layout;

/// A number of a field.
pub trait Number: Copy {
    /// −x.
    fn neg(self) -> Self;
    /// Sum.
    fn add(self, o: Self) -> Self;
    /// Product.
    fn mul(self, o: Self) -> Self;
    /// `self * a + b`.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// 1/x.
    fn recip(self) -> Self;
}

/// An array of numbers of a field, on a machine.
pub trait Entries<M: Machine>: Copy {
    /// The type of its numbers.
    type X: Number;
    /// Element `i`.
    fn get(self, m: M, i: M::I) -> Self::X;
    /// Sets element `i`.
    fn put(self, m: M, i: M::I, x: Self::X);
    /// A real number as a number of the field.
    fn real(x: M::R) -> Self::X;
    /// The array itself, if its numbers are real.
    fn if_real(self) -> Option<Array>;
    /// A number, if it is real.
    fn real_number(x: Self::X) -> Option<M::R>;
    /// [`Machine::fold`].
    fn fold(m: M, lo: M::I, hi: M::I, init: Self::X, f: impl Fn(Self::X, M::I) -> Self::X) -> Self::X;
}

/// A real number of a machine.
#[derive(Debug, Clone, Copy)]
pub struct Plain<R>(pub R);

impl<R: Real> Number for Plain<R> {
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(self.0 + o.0)
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(self.0 * o.0)
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_add(a.0, b.0))
    }
    #[inline(always)]
    fn recip(self) -> Self {
        Self(self.0.recip())
    }
}

/// A complex number of a machine.
#[derive(Debug, Clone, Copy)]
pub struct Complex<R> {
    /// Real part.
    pub re: R,
    /// Imaginary part.
    pub im: R,
}

impl<R: Real> Number for Complex<R> {
    #[inline(always)]
    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { re: self.re + o.re, im: self.im + o.im }
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self { re: self.re * o.re - self.im * o.im, im: self.re.mul_add(o.im, self.im * o.re) }
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self {
            re: (-self.im).mul_add(a.im, self.re.mul_add(a.re, b.re)),
            im: self.im.mul_add(a.re, self.re.mul_add(a.im, b.im)),
        }
    }
    #[inline(always)]
    fn recip(self) -> Self {
        let scale = self.re.mul_add(self.re, self.im * self.im).recip();
        Self { re: self.re * scale, im: -(self.im * scale) }
    }
}

impl<M: Machine> Entries<M> for Array {
    type X = Plain<M::R>;
    #[inline(always)]
    fn get(self, m: M, i: M::I) -> Self::X {
        Plain(m.get(self, i))
    }
    #[inline(always)]
    fn put(self, m: M, i: M::I, x: Self::X) {
        m.put(self, i, x.0);
    }
    #[inline(always)]
    fn real(x: M::R) -> Self::X {
        Plain(x)
    }
    #[inline(always)]
    fn if_real(self) -> Option<Array> {
        Some(self)
    }
    #[inline(always)]
    fn real_number(x: Self::X) -> Option<M::R> {
        Some(x.0)
    }
    #[inline(always)]
    fn fold(m: M, lo: M::I, hi: M::I, init: Self::X, f: impl Fn(Self::X, M::I) -> Self::X) -> Self::X {
        Plain(m.fold(
            lo,
            hi,
            init.0,
            #[inline(always)]
            |x, i| f(Plain(x), i).0,
        ))
    }
}

/// An array of complex numbers: real and imaginary parts.
#[derive(Debug, Clone, Copy, Default)]
pub struct ComplexArray {
    /// Real parts.
    pub re: Array,
    /// Imaginary parts.
    pub im: Array,
}

impl ComplexArray {
    /// Lays out `len` numbers.
    pub fn new(l: &mut Layout, len: usize) -> Self {
        Self { re: l.array(len), im: l.array(len) }
    }
}

impl<M: Machine> Entries<M> for ComplexArray {
    type X = Complex<M::R>;
    #[inline(always)]
    fn get(self, m: M, i: M::I) -> Self::X {
        Complex { re: m.get(self.re, i), im: m.get(self.im, i) }
    }
    #[inline(always)]
    fn put(self, m: M, i: M::I, x: Self::X) {
        m.put(self.re, i, x.re);
        m.put(self.im, i, x.im);
    }
    #[inline(always)]
    fn real(x: M::R) -> Self::X {
        Complex { re: x, im: M::R::lit(0.0) }
    }
    #[inline(always)]
    fn if_real(self) -> Option<Array> {
        None
    }
    #[inline(always)]
    fn real_number(_: Self::X) -> Option<M::R> {
        None
    }
    #[inline(always)]
    fn fold(m: M, lo: M::I, hi: M::I, init: Self::X, f: impl Fn(Self::X, M::I) -> Self::X) -> Self::X {
        let [re, im] = m.folds(
            lo,
            hi,
            [init.re, init.im],
            #[inline(always)]
            |[re, im], i| {
                let x = f(Complex { re, im }, i);
                [x.re, x.im]
            },
        );
        Complex { re, im }
    }
}
