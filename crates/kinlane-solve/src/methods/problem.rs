//! What a method requires of the problem that it solves.

use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray};

/// An initial value problem with everything that the methods require.
pub trait Problem<M: Machine>: Equations<M> + Linear<M> + Measure<M> + Invariants<M> {}

impl<M: Machine, P: Equations<M> + Linear<M> + Measure<M> + Invariants<M>> Problem<M> for P {}

/// The equations y' = f(y), evaluated on one machine.
#[allow(clippy::len_without_is_empty, reason = "a problem without variables makes no sense")]
pub trait Equations<M: Machine>: Copy {
    /// Number of variables.
    fn len(&self) -> usize;
    /// f(y).
    fn rhs(&self, m: M, y: Array, f: Array);
    /// f(y), and the same split into gain and decay: f = q − p y with p ≥ 0.
    fn split(&self, m: M, y: Array, f: Array, q: Array, p: Array);
    /// Records that a cell begins at `y`, to be advanced over `span` \[s\] with the absolute tolerance
    /// `atol`.
    fn begin(&self, m: M, y: Array, atol: M::R, span: M::R);
    /// The same problem with a rule for species below zero. `admit`: they take part in reactions, as far down
    /// as an iteration at the tolerance `atol` may go; else rates are cut at zero. Methods that iterate need
    /// the former, since at a cut f does not do what J says; all others do better with the latter.
    fn admit_negative(self, m: M, atol: M::R, admit: bool) -> Self;
    /// Whether the rate laws mean anything at `y`; a cell that leaves this range is given up.
    fn plausible(&self, m: M, y: Array) -> <M::R as Real>::Mask;
}

/// The Jacobian J of the equations, and its linear algebra.
pub trait Linear<M: Machine>: Copy {
    /// f(y), and J(y) kept for [`Linear::factor`].
    fn rhs_and_jacobian(&self, m: M, y: Array, f: Array);
    /// Factors d·I − J.
    fn factor(&self, m: M, d: M::R);
    /// Whether something grows faster than d that is present in `y` or made by f(y), according to the factors
    /// made last, by [`Linear::factor_in_place`] or by [`Linear::factor`]. `f` is f(y); `f` and `d` may both be
    /// multiplied by the step.
    fn grows(&self, m: M, in_place: bool, y: Array, f: Array, d: M::R) -> <M::R as Real>::Mask;
    /// Whether some variable has, since the last J, entered or left the range in which it takes part in no
    /// reaction.
    fn outdated(&self, m: M, y: Array) -> <M::R as Real>::Mask;
    /// Solves (d·I − J) x = b; x overwrites `b`.
    fn solve(&self, m: M, b: Array);
    /// As [`Linear::factor`], where J is no longer needed: the factors may overwrite it.
    #[inline(always)]
    fn factor_in_place(&self, m: M, d: M::R) {
        self.factor(m, d);
    }
    /// As [`Linear::solve`] with the factors of [`Linear::factor_in_place`].
    #[inline(always)]
    fn solve_in_place(&self, m: M, b: Array) {
        self.solve(m, b);
    }
    /// As [`Linear::factor`] for a complex d, into arrays of the caller.
    fn factor_complex(&self, m: M, factors: &Factors<ComplexArray>, d: Complex<M::R>);
    /// As [`Linear::solve`] with the factors of [`Linear::factor_complex`].
    fn solve_complex(&self, m: M, factors: &Factors<ComplexArray>, b: ComplexArray);
    /// The product J v, with the J of [`Linear::rhs_and_jacobian`].
    fn times(&self, m: M, v: Array, product: Array);
    /// The diagonal of the J of [`Linear::rhs_and_jacobian`].
    fn diagonal(&self, m: M, diagonal: Array);
}

/// What the allowed error of a step depends on: its tolerances, and the time over which sources act.
#[derive(Debug, Clone, Copy)]
pub struct Allowance<R> {
    /// Length of the step \[s\].
    pub h: R,
    /// Length of the interval that the step is part of \[s\].
    pub span: R,
    /// Relative tolerance.
    pub rtol: R,
    /// Absolute tolerance.
    pub atol: R,
}

/// How errors are measured, given a cell's `rtol` and `atol`.
pub trait Measure<M: Machine>: Copy {
    /// Size of the error `e` of a step from `y` to `y1`, relative to what is allowed: the step passes if it
    /// is below one.
    fn norm(&self, m: M, y: Array, y1: Array, allowed: Allowance<M::R>, e: impl Fn(M::I) -> M::R) -> M::R;
    /// As [`Measure::norm`] for a change of `y` that is not a step: it is not judged by where it leads.
    fn size(&self, m: M, y: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R;
    /// The allowed error of each variable in a step from `y`.
    fn weights(&self, m: M, y: Array, rtol: M::R, atol: M::R, weight: Array);
}

/// What must be conserved whatever a method does: sums, energy, and amounts that do not fall below zero.
pub trait Invariants<M: Machine>: Copy {
    /// For methods that do not conserve linear invariants: restores the total of `y1` to that of `y`, apart
    /// from what came from outside in the time h between them, and recomputes the variables that follow from
    /// others. Returns which part of the total was lost or gained before.
    fn restore_sums(&self, m: M, y: Array, y1: Array, h: M::R) -> M::R;
    /// Sets variables of `y` that are below zero by no more than noise to zero, if `f` brings more than that
    /// in a step h. There f does not do what J says, and a step with this J would leave them below zero.
    fn clip_noise(&self, m: M, y: Array, f: Array, h: M::R, atol: M::R);
    /// Records what a cell that begins at `y` has of all that must be conserved.
    fn remember(&self, m: M, y: Array);
    /// The energy that a step of length h from `y` to `y1` has lost, measured as [`Measure::norm`] measures
    /// errors; then the same, but no more than T moves in the step: at rest T does not move, and the loss is rounding that
    /// comes back. No error estimate sees this loss: where something is very fast, all solutions that a step
    /// compares have lost the same.
    fn energy_lost(&self, m: M, y: Array, y1: Array, h: M::R, rtol: M::R) -> [M::R; 2];
    /// Into `b`: d times the change of `y1` that restores the lost energy, in the cells of the mask; zero in
    /// the others. To be called after [`Invariants::energy_lost`].
    fn energy_lacking(&self, m: M, y1: Array, d: M::R, which: <M::R as Real>::Mask, b: Array);
    /// Where the step of length h to `y` was `accepted`, restores the elements that it has lost, and keeps the
    /// energy of `y` for the next step; where it is to be `corrected`, sets T such that the lost energy is restored.
    /// To be called after [`Invariants::energy_lost`].
    fn keep(&self, m: M, y: Array, h: M::R, accepted: <M::R as Real>::Mask, corrected: <M::R as Real>::Mask);
}
