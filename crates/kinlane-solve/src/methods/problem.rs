//! What a method asks of the problem that it solves.

use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray};

/// An initial value problem, with all that the methods ask of it.
pub trait Problem<M: Machine>: Equations<M> + Linear<M> + Measure<M> + Invariants<M> {}

impl<M: Machine, P: Equations<M> + Linear<M> + Measure<M> + Invariants<M>> Problem<M> for P {}

/// The equations y' = f(y), as one machine sees them.
#[allow(clippy::len_without_is_empty, reason = "a problem without variables makes no sense")]
pub trait Equations<M: Machine>: Copy {
    /// Number of variables.
    fn len(&self) -> usize;
    /// f(y).
    fn rhs(&self, m: M, y: Array, f: Array);
    /// f(y), and the same as what a variable gains and the rate at which it decays: f = q − p y, p at least zero.
    fn split(&self, m: M, y: Array, f: Array, q: Array, p: Array);
    /// Takes note of a cell that begins at `y`, to go on for `span` with the absolute tolerance `atol`.
    fn begin(&self, m: M, y: Array, atol: M::R, span: M::R);
    /// The problem where amounts below zero take part in reactions or do not, from now on; as far below as an iteration at
    /// the tolerance `atol` may go. They must where a method iterates: at a cut, f does not do what J says. They had better
    /// not elsewhere.
    fn admit_negative(self, m: M, atol: M::R, admit: bool) -> Self;
    /// Whether the laws mean anything at `y`; a cell that leaves this range is given up.
    fn plausible(&self, m: M, y: Array) -> <M::R as Real>::Mask;
}

/// The Jacobian J of the equations, and its linear algebra.
pub trait Linear<M: Machine>: Copy {
    /// f(y), and J(y) kept for [`Linear::factor`].
    fn rhs_and_jacobian(&self, m: M, y: Array, f: Array);
    /// Factors d·I − J.
    fn factor(&self, m: M, d: M::R);
    /// Whether something grows faster than d that is there in `y`, or that f(y) makes: with the factors made last, by
    /// [`Linear::factor`] or [`Linear::factor_in_place`]. `f` is f(y); it and `d` may both be multiplied by the step.
    fn grows(&self, m: M, y: Array, f: Array, d: M::R) -> <M::R as Real>::Mask;
    /// Whether some variable has come to where it takes part in nothing, or from there, since the last J.
    fn outdated(&self, m: M, y: Array) -> <M::R as Real>::Mask;
    /// Solves (d·I − J) x = b, x into `b`.
    fn solve(&self, m: M, b: Array);
    /// As [`Linear::factor`] where J is not needed any more: the factors may take its place.
    fn factor_in_place(&self, m: M, d: M::R);
    /// As [`Linear::solve`] with the factors of [`Linear::factor_in_place`].
    fn solve_in_place(&self, m: M, b: Array);
    /// As [`Linear::factor`] for a complex d, into arrays of the caller's.
    fn factor_complex(&self, m: M, factors: &Factors<ComplexArray>, d: Complex<M::R>);
    /// As [`Linear::solve`] with those.
    fn solve_complex(&self, m: M, factors: &Factors<ComplexArray>, b: ComplexArray);
    /// J v, with the J of [`Linear::rhs_and_jacobian`].
    fn times(&self, m: M, v: Array, product: Array);
    /// The diagonal of the J of [`Linear::rhs_and_jacobian`].
    fn diagonal(&self, m: M, diagonal: Array);
}

/// What a step may err by: its tolerances, and how long sources act.
#[derive(Debug, Clone, Copy)]
pub struct Allowance<R> {
    /// Length of the step.
    pub h: R,
    /// Length of the interval that it is part of.
    pub span: R,
    /// Relative tolerance.
    pub rtol: R,
    /// Absolute tolerance.
    pub atol: R,
}

/// What errors count, given a cell's `rtol` and `atol`.
pub trait Measure<M: Machine>: Copy {
    /// Size of the error `e` of a step from `y` to `y1`, relative to what is allowed: it passes below one.
    fn norm(&self, m: M, y: Array, y1: Array, allowed: Allowance<M::R>, e: impl Fn(M::I) -> M::R) -> M::R;
    /// As [`Measure::norm`] for a change of `y`, which may lead anywhere.
    fn size(&self, m: M, y: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R;
    /// What an error in each variable may be, on a step from `y`.
    fn weights(&self, m: M, y: Array, rtol: M::R, atol: M::R, weight: Array);
}

/// What must stay as it was, whatever a method does: sums, energy, amounts that are not below zero.
pub trait Invariants<M: Machine>: Copy {
    /// For methods that keep no linear invariants: makes the whole of `y1` what it was at `y`, and the variables that follow
    /// from others what they must be; what came from outside in the time h between them may stay. Returns how much was
    /// lost or gained before.
    fn restore_sums(&self, m: M, y: Array, y1: Array, h: M::R) -> M::R;
    /// Sets variables of `y` that are noise below zero to zero where `f` brings more in a step h. There f does not do what
    /// J says, which would keep them where they are.
    fn clip_noise(&self, m: M, y: Array, f: Array, h: M::R, atol: M::R);
    /// Takes note of the energy of a cell that begins at `y`, which stays, whatever the method.
    fn remember_energy(&self, m: M, y: Array);
    /// What a step of length h from `y` to `y1` has lost of it, as [`Measure::norm`] measures errors. No error estimate
    /// sees it: where something is very fast, all solutions that a step compares have lost the same.
    fn energy_lost(&self, m: M, y: Array, y1: Array, h: M::R, rtol: M::R) -> M::R;
    /// The change of `y1` that brings it back, d times, into `b`: in the cells of the mask, zero in the others; after
    /// [`Invariants::energy_lost`].
    fn energy_lacking(&self, m: M, y1: Array, d: M::R, which: <M::R as Real>::Mask, b: Array);
    /// Keeps the energy of `y` for the next step where this one was accepted, and has T bring back what was lost where it is
    /// to be `corrected`; after [`Invariants::energy_lost`].
    fn keep_energy(&self, m: M, y: Array, accepted: <M::R as Real>::Mask, corrected: <M::R as Real>::Mask);
}
