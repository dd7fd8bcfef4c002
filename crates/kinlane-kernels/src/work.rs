//! Operations of a program on one cell: a machine that counts while it computes.

use kinlane_plan::elementary::{self, Parts};
use kinlane_plan::machine::{Array, Indices, Machine, Real, Reals};
use kinlane_plan::{Scalar, Tables};
use std::cell::Cell;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// Operations and memory traffic for one cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Work {
    /// Operations on numbers: a multiply-add counts as two, a division or a root as eight, exp and ln as the
    /// operations of the lanes' programs, comparisons and selections as none.
    pub flops: f64,
    /// Bytes of the workspace that must be loaded and stored: every element at most once in each direction.
    /// Tables, which all cells share, do not count.
    pub bytes: f64,
}

impl AddAssign for Work {
    fn add_assign(&mut self, o: Self) {
        self.flops += o.flops;
        self.bytes += o.bytes;
    }
}

impl Mul<f64> for Work {
    type Output = Self;
    fn mul(self, times: f64) -> Self {
        Self { flops: self.flops * times, bytes: self.bytes * times }
    }
}

/// Number of operations for a division or a root.
const DIVISION: u64 = 8;

thread_local! {
    static FLOPS: Cell<u64> = const { Cell::new(0) };
}

fn flops<T>(n: u64, x: T) -> T {
    FLOPS.set(FLOPS.get() + n);
    x
}

/// A number whose operations are counted.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Counted(f64);

impl Add for Counted {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        flops(1, Self(self.0 + o.0))
    }
}

impl Sub for Counted {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        flops(1, Self(self.0 - o.0))
    }
}

impl Mul for Counted {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        flops(1, Self(self.0 * o.0))
    }
}

impl Div for Counted {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        flops(DIVISION, Self(self.0 / o.0))
    }
}

impl Neg for Counted {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Parts for Counted {
    fn scale(self, n: Self) -> Self {
        flops(2, Self(self.0.scale(n.0)))
    }
    fn split(self) -> (Self, Self) {
        let (m, e) = self.0.split();
        flops(2, (Self(m), Self(e)))
    }
}

impl Real for Counted {
    type Mask = bool;
    fn lit(x: f64) -> Self {
        Self(x)
    }
    fn mul_add(self, a: Self, b: Self) -> Self {
        flops(2, Self(f64::mul_add(self.0, a.0, b.0)))
    }
    fn sqrt(self) -> Self {
        flops(DIVISION, Self(f64::sqrt(self.0)))
    }
    fn abs(self) -> Self {
        Self(f64::abs(self.0))
    }
    fn max(self, o: Self) -> Self {
        Self(Real::max(self.0, o.0))
    }
    fn min(self, o: Self) -> Self {
        Self(Real::min(self.0, o.0))
    }
    fn exp(self) -> Self {
        elementary::exp(self)
    }
    fn exp_both(self) -> (Self, Self) {
        elementary::exp_both(self)
    }
    fn ln(self) -> Self {
        elementary::ln(self)
    }
    fn lt(self, o: Self) -> bool {
        self.0 < o.0
    }
    fn le(self, o: Self) -> bool {
        self.0 <= o.0
    }
    fn select(mask: bool, a: Self, b: Self) -> Self {
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

/// What has happened to an element.
const READ: u8 = 1;
const WRITTEN: u8 = 2;

/// A cell's memory, and what has happened to each element.
pub struct Meter {
    arena: Vec<Counted>,
    touched: Vec<u8>,
}

impl Meter {
    /// For so many elements.
    pub fn new(len: usize) -> Self {
        Self { arena: vec![Counted(0.0); len], touched: vec![0; len] }
    }

    /// Sets an element.
    pub fn set(&mut self, a: Array, i: usize, x: f64) {
        assert!(i < a.len as usize);
        self.arena[a.at as usize + i] = Counted(x);
    }

    /// Runs a program.
    pub fn run(&mut self, tables: &Tables, program: impl FnOnce(Counter<'_>)) -> Work {
        self.touched.fill(0);
        let before = FLOPS.get();
        let touched = Cell::from_mut(&mut self.touched[..]).as_slice_of_cells();
        program(Counter { scalar: Scalar::new(tables, &mut self.arena), touched });
        let ways: u32 = self.touched.iter().map(|t| t.count_ones()).sum();
        Work { flops: (FLOPS.get() - before) as f64, bytes: 8.0 * f64::from(ways) }
    }
}

/// The machine.
#[derive(Clone, Copy)]
pub struct Counter<'a> {
    scalar: Scalar<'a, Counted>,
    touched: &'a [Cell<u8>],
}

impl Machine for Counter<'_> {
    type R = Counted;
    type I = usize;

    fn i(self, i: usize) -> usize {
        i
    }
    fn get(self, a: Array, i: usize) -> Counted {
        let t = &self.touched[a.at as usize + i];
        // An element that was written first need not be loaded.
        t.set(if t.get() == 0 { READ } else { t.get() });
        self.scalar.get(a, i)
    }
    fn put(self, a: Array, i: usize, x: Counted) {
        let t = &self.touched[a.at as usize + i];
        t.set(t.get() | WRITTEN);
        self.scalar.put(a, i, x);
    }
    fn real(self, t: Reals, i: usize) -> Counted {
        self.scalar.real(t, i)
    }
    fn index(self, t: Indices, i: usize) -> usize {
        self.scalar.index(t, i)
    }
    fn each(self, lo: usize, hi: usize, f: impl Fn(usize)) {
        self.scalar.each(lo, hi, f);
    }
    fn ordered(self, lo: usize, hi: usize, f: impl Fn(usize)) {
        self.scalar.ordered(lo, hi, f);
    }
    fn fold(self, lo: usize, hi: usize, init: Counted, f: impl Fn(Counted, usize) -> Counted) -> Counted {
        self.scalar.fold(lo, hi, init, f)
    }
    fn folds<const N: usize>(
        self,
        lo: usize,
        hi: usize,
        init: [Counted; N],
        f: impl Fn([Counted; N], usize) -> [Counted; N],
    ) -> [Counted; N] {
        self.scalar.folds(lo, hi, init, f)
    }
    fn if_any(self, mask: bool, f: impl Fn()) {
        if mask {
            f();
        }
    }
    fn function(self, name: &'static str, f: impl Fn()) {
        self.scalar.function(name, f);
    }
    fn mirror(self, i: usize, n: usize) -> usize {
        self.scalar.mirror(i, n)
    }
}
