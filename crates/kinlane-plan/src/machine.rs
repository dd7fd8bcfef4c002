//! The machine: rate laws, reactors, methods and the sparse factorisation are written once, against this
//! interface.
//!
//! A program describes ONE cell. The machine decides what that means: one number (`Scalar`, the oracle), a
//! register full of cells (`kinlane-lanes`), or a line of CUDA (the emitter, which records the program).
//! Therefore a program never uses native control flow on a [`Real`]; it uses `select`, `fold`, `each`. Trip
//! counts and table indices never depend on data, so one run on the bounds-checked scalar machine visits the
//! same addresses as every other machine.

use crate::lu::{self, Factors};
use crate::number::Entries;
use crate::plan::Lu;
use crate::precision::Grain;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number of the machine: one value per cell.
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A truth value per cell.
    type Mask: Copy;

    /// The same literal for every cell.
    fn lit(x: f64) -> Self;
    /// `self * a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// The larger; `other` where either is NaN.
    fn max(self, other: Self) -> Self;
    /// The smaller; `other` where either is NaN.
    fn min(self, other: Self) -> Self;
    /// e to the power `self`, |self| < 1e15; relative error below 6e-16, overflow to infinity, gradual underflow.
    fn exp(self) -> Self;
    /// e to the powers `self` and −`self`; relative errors below 8e-16, not the bits of `exp`.
    #[inline(always)]
    fn exp_both(self) -> (Self, Self) {
        (self.exp(), (-self).exp())
    }
    /// Natural logarithm; relative error below 4e-16; −∞ at 0, NaN below.
    fn ln(self) -> Self;
    /// `self < other`, false for NaN.
    fn lt(self, other: Self) -> Self::Mask;
    /// `self <= other`, false for NaN.
    fn le(self, other: Self) -> Self::Mask;
    /// `a` where the mask holds, else `b`.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// Both.
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Either.
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Negation.
    fn not(a: Self::Mask) -> Self::Mask;

    /// The same number, to be used where a result may leave the range of single precision. A machine may
    /// widen it.
    #[inline(always)]
    fn wide(self) -> Self {
        self
    }

    /// x², for the formulas.
    #[inline(always)]
    fn squared(self) -> Self {
        self * self
    }
    /// 1/x.
    #[inline(always)]
    fn recip(self) -> Self {
        Self::lit(1.0) / self
    }
}

/// An index of the machine; the same for every cell.
pub trait Index: Copy + Add<Self, Output = Self> + Add<usize, Output = Self> + Mul<usize, Output = Self> {}
impl<T: Copy + Add<T, Output = T> + Add<usize, Output = T> + Mul<usize, Output = T>> Index for T {}

/// A work array of reals: where it starts and how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Array {
    /// Index of its first element in the arena.
    pub at: u32,
    /// Number of elements.
    pub len: u32,
    /// The precision with which its elements must be kept.
    pub grain: Grain,
}

/// A table of constants, the same for every cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reals {
    /// First element.
    pub at: u32,
    /// Number of elements.
    pub len: u32,
}

/// A table of indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Indices {
    /// First element.
    pub at: u32,
    /// Number of elements.
    pub len: u32,
}

/// `[f(0), f(1), …]`. Like `std::array::from_fn`, but certain to be inlined into code for wider instruction
/// sets.
#[inline(always)]
pub fn array<T: Copy, const N: usize>(f: impl Fn(usize) -> T) -> [T; N] {
    if N == 0 {
        return std::array::from_fn(f);
    }
    let mut a = [f(0); N];
    let mut i = 1;
    while i < N {
        a[i] = f(i);
        i += 1;
    }
    a
}

/// Runs programs. Passed by value: a machine is a few pointers.
pub trait Machine: Copy {
    /// Numbers.
    type R: Real;
    /// Indices.
    type I: Index;

    /// A literal index.
    fn i(self, i: usize) -> Self::I;
    /// `a[i]`.
    fn get(self, a: Array, i: Self::I) -> Self::R;
    /// `a[i] := x`.
    fn put(self, a: Array, i: Self::I, x: Self::R);
    /// `t[i]`.
    fn real(self, t: Reals, i: Self::I) -> Self::R;
    /// `t[i]`.
    fn index(self, t: Indices, i: Self::I) -> Self::I;
    /// Runs `f` for every index of `lo..hi`. The runs are independent: none reads what another writes.
    fn each(self, lo: Self::I, hi: Self::I, f: impl Fn(Self::I));
    /// Runs `f` for every index of `lo..hi`, in order; later runs may read what earlier ones wrote.
    fn ordered(self, lo: Self::I, hi: Self::I, f: impl Fn(Self::I));
    /// A running value, updated by `f` for each index from `lo` to `hi − 1`.
    fn fold(self, lo: Self::I, hi: Self::I, init: Self::R, f: impl Fn(Self::R, Self::I) -> Self::R) -> Self::R;
    /// As `fold`, with several running values, such as a real and an imaginary part.
    fn folds<const N: usize>(
        self,
        lo: Self::I,
        hi: Self::I,
        init: [Self::R; N],
        f: impl Fn([Self::R; N], Self::I) -> [Self::R; N],
    ) -> [Self::R; N];
    /// Runs `f` if the mask holds for at least one cell. `f` may run for all cells, so what it writes must
    /// leave the other cells as they were.
    fn if_any(self, mask: <Self::R as Real>::Mask, f: impl Fn());
    /// A function of the program: kept as one piece of machine code, or one device function.
    fn function(self, name: &'static str, f: impl Fn());

    /// Whether several threads share a cell. Then a loop may be written such that fewer steps follow one
    /// another, such as triangular systems by columns, in which all threads work on elements at once; the
    /// operations on every element and their order stay the same.
    #[inline(always)]
    fn in_groups(self) -> bool {
        false
    }

    /// Relative rounding error of numbers in coarse arrays.
    #[inline(always)]
    fn rounding(self) -> f64 {
        f64::EPSILON
    }

    /// `n − 1 − i`: runs over the range from its end.
    fn mirror(self, i: Self::I, n: usize) -> Self::I;

    /// Factors d·I − J, see [`lu::factor`]; a machine may compute the same numbers in a faster way.
    #[inline(always)]
    fn factor<E: Entries<Self>>(self, lu: &Lu, f: &Factors<E>, jac: Array, d: E::X) {
        lu::factor(self, lu, f, jac, d);
    }
    /// Solves with the factors of [`Machine::factor`], see [`lu::solve`].
    #[inline(always)]
    fn solve<E: Entries<Self>>(self, lu: &Lu, f: &Factors<E>, b: E) {
        lu::solve(self, lu, f, b);
    }
    /// Writes the factors into `f.values`, where a machine keeps them elsewhere. What is there is then no longer J.
    #[inline(always)]
    fn show_factors(self, _f: &Factors<Array>) {}

    /// A literal.
    #[inline(always)]
    fn lit(self, x: f64) -> Self::R {
        Self::R::lit(x)
    }
    /// `each` over `0..n`, such as a whole array or table.
    #[inline(always)]
    fn all(self, n: usize, f: impl Fn(Self::I)) {
        self.each(self.i(0), self.i(n), f);
    }
    /// The only element of an array of one: a variable of the cell.
    #[inline(always)]
    fn var(self, a: Array) -> Self::R {
        self.get(a, self.i(0))
    }
    /// Sets a variable of the cell.
    #[inline(always)]
    fn set(self, a: Array, x: Self::R) {
        self.put(a, self.i(0), x);
    }
    /// Σ f(i) over `0..n`.
    #[inline(always)]
    fn sum(self, n: usize, f: impl Fn(Self::I) -> Self::R) -> Self::R {
        self.fold(
            self.i(0),
            self.i(n),
            self.lit(0.0),
            #[inline(always)]
            |s, i| s + f(i),
        )
    }
}
