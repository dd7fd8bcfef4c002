//! Integration methods. One step function per family; a method is a table with its source.
//!
//! `method.rs` lists them all, `stepper.rs` gives a method its work arrays and runs it, `control.rs` holds what every
//! method shares: a cell's clock, step sizes, and when a cell is done or lost.

pub mod auto;
pub mod bdf;
pub mod chemeq2;
pub mod control;
pub mod dirk;
pub mod exponential;
pub mod growth;
pub mod method;
pub mod radau;
pub mod rkc;
pub mod rosenbrock;
pub mod runge_kutta;
pub mod stages;
pub mod stepper;
pub mod tableau;
pub mod track;

pub use method::Method;
pub use stepper::{Size, Stepper};

use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray};

/// An initial value problem y' = f(y) with its linear algebra, as one machine sees it.
#[allow(clippy::len_without_is_empty, reason = "a problem without variables makes no sense")]
pub trait Problem<M: Machine>: Copy {
    /// Number of variables.
    fn len(&self) -> usize;
    /// f(y).
    fn rhs(&self, m: M, y: Array, f: Array);
    /// f(y), and J(y) kept for [`Problem::factor`].
    fn rhs_and_jacobian(&self, m: M, y: Array, f: Array);
    /// Factors d·I − J.
    fn factor(&self, m: M, d: M::R);
    /// Whether something grows faster than d: with the factors made last, by [`Problem::factor`] or
    /// [`Problem::factor_over`].
    fn grows(&self, m: M) -> <M::R as Real>::Mask;
    /// Solves (d·I − J) x = b in place.
    fn solve(&self, m: M, b: Array);
    /// As [`Problem::factor`] where J is not needed any more: the factors may take its place.
    fn factor_over(&self, m: M, d: M::R);
    /// As [`Problem::solve`] with the factors of [`Problem::factor_over`].
    fn solve_over(&self, m: M, b: Array);
    /// As [`Problem::factor`] for a complex d, into arrays of the caller's.
    fn factor_complex(&self, m: M, factors: &Factors<ComplexArray>, d: Complex<M::R>);
    /// As [`Problem::solve`] with those.
    fn solve_complex(&self, m: M, factors: &Factors<ComplexArray>, b: ComplexArray);
    /// Size of the error `e` between `y` and `y1`, relative to what the tolerances leave it: a step passes below one.
    /// `rtol` and `atol` are the cell's.
    fn norm(&self, m: M, y: Array, y1: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R;
    /// As [`Problem::norm`] for a change of `y`, which may lead anywhere.
    fn size(&self, m: M, y: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R;
    /// What an error in each variable may be, on a step from `y`.
    fn weights(&self, m: M, y: Array, rtol: M::R, atol: M::R, weight: Array);
    /// f(y), and the same as what a variable gains and the rate at which it decays: f = q − p y, p at least zero.
    fn split(&self, m: M, y: Array, f: Array, q: Array, p: Array);
    /// For methods that keep no linear invariants: makes the whole of `y1` what it was at `y`, and the variables that follow
    /// from others what they must be; what came from outside in the time h between them may stay. Returns how much was
    /// lost or gained before.
    fn restore(&self, m: M, y: Array, y1: Array, h: M::R) -> M::R;
    /// J v, with the J of [`Problem::rhs_and_jacobian`].
    fn times(&self, m: M, v: Array, product: Array);
    /// The diagonal of the J of [`Problem::rhs_and_jacobian`].
    fn diagonal(&self, m: M, diagonal: Array);
    /// The problem where amounts below zero take part in reactions or do not, from now on; as far below as an iteration at
    /// the tolerance `atol` may go. They must where a method iterates: at a cut, f does not do what J says. They had better
    /// not elsewhere.
    fn admit_negative(self, m: M, atol: M::R, admit: bool) -> Self;
    /// Sets variables of `y` that are noise below zero to zero where `f` brings more in a step h. There f does not do what
    /// J says, which would keep them where they are.
    fn forgive(&self, m: M, y: Array, f: Array, h: M::R, atol: M::R);
    /// Takes note of what stays of a cell that begins at `y`, whatever the method.
    fn remember(&self, m: M, y: Array);
    /// What a step of length h from `y` to `y1` has lost of that, as [`Problem::norm`] measures errors. No error estimate
    /// sees it: where something is very fast, all solutions that a step compares have lost the same.
    fn lost(&self, m: M, y: Array, y1: Array, h: M::R, rtol: M::R) -> M::R;
    /// That change of `y1`, d times, into `b`: in the cells of the mask, zero in the others; after [`Problem::lost`].
    fn lacking(&self, m: M, y1: Array, d: M::R, which: <M::R as Real>::Mask, b: Array);
    /// Sets what follows from it in `y`, where the step was accepted; after [`Problem::lost`].
    fn correct(&self, m: M, y: Array, accepted: <M::R as Real>::Mask);
    /// Whether the laws mean anything at `y`; a cell that leaves this range is given up.
    fn plausible(&self, m: M, y: Array) -> <M::R as Real>::Mask;
}
