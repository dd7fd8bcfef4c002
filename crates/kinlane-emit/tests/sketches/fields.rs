//! The sparse factorisation of `kinlane_solve::lu` once more, generic over the number: real or complex.

use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::plan::Lu;
use kinlane_plan::tables::Layout;

/// A number of a field.
pub trait Number: Copy {
    fn neg(self) -> Self;
    fn add(self, o: Self) -> Self;
    fn mul(self, o: Self) -> Self;
    /// `self * a + b`.
    fn mul_add(self, a: Self, b: Self) -> Self;
    fn recip(self) -> Self;
}

/// An array of them.
pub trait Entries<M: Machine>: Copy {
    type X: Number;
    fn get(self, m: M, i: M::I) -> Self::X;
    fn put(self, m: M, i: M::I, x: Self::X);
    /// A real number of the field.
    fn real(x: M::R) -> Self::X;
    /// `Machine::fold`.
    fn fold(m: M, lo: M::I, hi: M::I, init: Self::X, f: impl Fn(Self::X, M::I) -> Self::X) -> Self::X;
}

/// A real number of any machine.
#[derive(Clone, Copy)]
pub struct Plain<R>(pub R);

impl<R: Real> Number for Plain<R> {
    fn neg(self) -> Self {
        Self(-self.0)
    }
    fn add(self, o: Self) -> Self {
        Self(self.0 + o.0)
    }
    fn mul(self, o: Self) -> Self {
        Self(self.0 * o.0)
    }
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_add(a.0, b.0))
    }
    fn recip(self) -> Self {
        Self(self.0.recip())
    }
}

/// A complex one.
#[derive(Clone, Copy)]
pub struct Complex<R> {
    pub re: R,
    pub im: R,
}

impl<R: Real> Number for Complex<R> {
    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
    fn add(self, o: Self) -> Self {
        Self { re: self.re + o.re, im: self.im + o.im }
    }
    fn mul(self, o: Self) -> Self {
        Self { re: self.re * o.re - self.im * o.im, im: self.re.mul_add(o.im, self.im * o.re) }
    }
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self {
            re: (-self.im).mul_add(a.im, self.re.mul_add(a.re, b.re)),
            im: self.im.mul_add(a.re, self.re.mul_add(a.im, b.im)),
        }
    }
    fn recip(self) -> Self {
        let scale = self.re.mul_add(self.re, self.im * self.im).recip();
        Self { re: self.re * scale, im: -(self.im * scale) }
    }
}

impl<M: Machine> Entries<M> for Array {
    type X = Plain<M::R>;
    fn get(self, m: M, i: M::I) -> Self::X {
        Plain(m.get(self, i))
    }
    fn put(self, m: M, i: M::I, x: Self::X) {
        m.put(self, i, x.0);
    }
    fn real(x: M::R) -> Self::X {
        Plain(x)
    }
    fn fold(m: M, lo: M::I, hi: M::I, init: Self::X, f: impl Fn(Self::X, M::I) -> Self::X) -> Self::X {
        Plain(m.fold(lo, hi, init.0, |x, i| f(Plain(x), i).0))
    }
}

/// Real parts and imaginary parts.
#[derive(Clone, Copy)]
pub struct ComplexArray {
    pub re: Array,
    pub im: Array,
}

impl ComplexArray {
    pub fn new(l: &mut Layout, len: usize) -> Self {
        Self { re: l.array(len), im: l.array(len) }
    }
}

impl<M: Machine> Entries<M> for ComplexArray {
    type X = Complex<M::R>;
    fn get(self, m: M, i: M::I) -> Self::X {
        Complex { re: m.get(self.re, i), im: m.get(self.im, i) }
    }
    fn put(self, m: M, i: M::I, x: Self::X) {
        m.put(self.re, i, x.re);
        m.put(self.im, i, x.im);
    }
    fn real(x: M::R) -> Self::X {
        Complex { re: x, im: M::R::lit(0.0) }
    }
    fn fold(m: M, lo: M::I, hi: M::I, init: Self::X, f: impl Fn(Self::X, M::I) -> Self::X) -> Self::X {
        let [re, im] = m.folds(lo, hi, [init.re, init.im], |[re, im], i| {
            let x = f(Complex { re, im }, i);
            [x.re, x.im]
        });
        Complex { re, im }
    }
}

/// Where one factorisation lives.
#[derive(Clone, Copy)]
pub struct Factors<E> {
    pub values: E,
    pub inverse: E,
    pub work: E,
    pub x: E,
}

impl Factors<ComplexArray> {
    pub fn new(l: &mut Layout, lu: &Lu) -> Self {
        Self {
            values: ComplexArray::new(l, lu.entries),
            inverse: ComplexArray::new(l, lu.n),
            work: ComplexArray::new(l, lu.n),
            x: ComplexArray::new(l, lu.n),
        }
    }
}

/// Factors d·I − J.
pub fn factor<M: Machine, E: Entries<M>>(m: M, lu: &Lu, f: Factors<E>, jac: Array, d: E::X) {
    let (row, diag, col) = (lu.row, lu.diag, lu.col);
    m.ordered(m.i(0), m.i(lu.n), |i| {
        let (lo, hi, mid) = (m.index(row, i), m.index(row, i + 1), m.index(diag, i));
        m.each(lo, hi, |e| f.work.put(m, m.index(col, e), E::real(-m.get(jac, e))));
        f.work.put(m, i, f.work.get(m, i).add(d));
        m.ordered(lo, mid, |e| {
            let k = m.index(col, e);
            let l = f.work.get(m, k).mul(f.inverse.get(m, k));
            f.values.put(m, e, l);
            m.each(m.index(diag, k) + 1, m.index(row, k + 1), |u| {
                let j = m.index(col, u);
                f.work.put(m, j, l.neg().mul_add(f.values.get(m, u), f.work.get(m, j)));
            });
        });
        m.each(mid, hi, |e| f.values.put(m, e, f.work.get(m, m.index(col, e))));
        f.inverse.put(m, i, f.work.get(m, i).recip());
    });
}

/// Solves in place, `b` in the order of the variables.
pub fn solve<M: Machine, E: Entries<M>>(m: M, lu: &Lu, f: Factors<E>, b: E) {
    let (row, diag, col, order, n) = (lu.row, lu.diag, lu.col, lu.order, lu.n);
    let less = |s: E::X, e: M::I| f.values.get(m, e).neg().mul_add(f.x.get(m, m.index(col, e)), s);
    m.ordered(m.i(0), m.i(n), |i| {
        let s = E::fold(m, m.index(row, i), m.index(diag, i), b.get(m, m.index(order, i)), less);
        f.x.put(m, i, s);
    });
    m.ordered(m.i(0), m.i(n), |r| {
        let i = m.mirror(r, n);
        let s = E::fold(m, m.index(diag, i) + 1, m.index(row, i + 1), f.x.get(m, i), less);
        let s = s.mul(f.inverse.get(m, i));
        f.x.put(m, i, s);
        b.put(m, m.index(order, i), s);
    });
}
