//! The linear algebra under a gas cell's equations: factors of d·I − J, and solutions with them.

use crate::methods::control::Mask;
use kinlane_plan::lu::{self, Factors};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray, Plain};
use kinlane_plan::plan::Plan;

/// Factors the matrix d·I − J of the J that the plan has in its arena, and solves with it in place.
pub trait Algebra<M: Machine>: Copy {
    /// Factors.
    fn factor(&self, m: M, plan: &Plan, d: M::R);
    /// Solves.
    fn solve(&self, m: M, plan: &Plan, b: Array);
    /// Whether an eigenvalue of J exceeds d, with the factors made last: see [`Sparse`].
    fn grows(&self, m: M, plan: &Plan) -> Mask<M>;
    /// As [`Algebra::factor`] where J is not needed any more.
    fn factor_over(&self, m: M, plan: &Plan, d: M::R);
    /// Solves with the factors of [`Algebra::factor_over`].
    fn solve_over(&self, m: M, plan: &Plan, b: Array);
    /// As [`Algebra::factor`] for a complex d, into arrays of the caller's.
    fn factor_complex(&self, m: M, plan: &Plan, factors: &Factors<ComplexArray>, d: Complex<M::R>);
    /// Solves with those.
    fn solve_complex(&self, m: M, plan: &Plan, factors: &Factors<ComplexArray>, b: ComplexArray);
}

/// The plan's sparse LU, in its fixed order and without pivots.
///
/// ```text
/// det(d I − J) = Π (d − λᵢ) = Π uᵢᵢ
/// ```
///
/// Pairs of complex eigenvalues multiply to what is positive, so it is negative where an odd number of real ones exceeds
/// d. At rest some are zero but for rounding: a negative pivot counts if it is more than that beside the largest.
#[derive(Debug, Clone, Copy)]
pub struct Sparse;

/// How many roundings of the largest pivot another must exceed to be none of them.
pub const ROUNDINGS: f64 = 5e3;

/// More than any reciprocal of a pivot, in single precision as well.
const MOST: f64 = 1e35;

/// Factors in the place of J: what J has left in the caches is what they are made from.
#[inline(always)]
fn over(plan: &Plan) -> Factors<Array> {
    Factors { values: plan.jacobian.values, ..plan.lu.factors }
}

#[inline(always)]
fn factor<M: Machine>(m: M, plan: &Plan, factors: &Factors<Array>, d: M::R) {
    m.function(
        "factor",
        #[inline(always)]
        || m.factor(&plan.lu, factors, plan.jacobian.values, Plain(d)),
    );
}

#[inline(always)]
fn solve<M: Machine>(m: M, plan: &Plan, factors: &Factors<Array>, b: Array) {
    m.function(
        "solve",
        #[inline(always)]
        || lu::solve(m, &plan.lu, factors, b),
    );
}

impl<M: Machine> Algebra<M> for Sparse {
    #[inline(always)]
    fn factor(&self, m: M, plan: &Plan, d: M::R) {
        factor(m, plan, &plan.lu.factors, d);
    }
    #[inline(always)]
    fn solve(&self, m: M, plan: &Plan, b: Array) {
        solve(m, plan, &plan.lu.factors, b);
    }
    #[inline(always)]
    fn grows(&self, m: M, plan: &Plan) -> Mask<M> {
        let [zero, one, most] = [0.0, 1.0, MOST].map(|x| m.lit(x));
        // Reciprocals: of all pivots the least, and of negative ones.
        let [sign, least, negative] = m.folds(
            m.i(0),
            m.i(plan.lu.n),
            [one, most, most],
            #[inline(always)]
            |[sign, least, negative], i| {
                let x = m.get(plan.lu.factors.inverse, i);
                let below = x.lt(zero);
                let size = x.abs();
                let negative = M::R::select(below, negative.min(size), negative);
                [M::R::select(below, -sign, sign), least.min(size), negative]
            },
        );
        M::R::and(sign.lt(zero), (negative * m.lit(ROUNDINGS * m.rounding())).lt(least))
    }
    #[inline(always)]
    fn factor_over(&self, m: M, plan: &Plan, d: M::R) {
        factor(m, plan, &over(plan), d);
    }
    #[inline(always)]
    fn solve_over(&self, m: M, plan: &Plan, b: Array) {
        solve(m, plan, &over(plan), b);
    }
    #[inline(always)]
    fn factor_complex(&self, m: M, plan: &Plan, factors: &Factors<ComplexArray>, d: Complex<M::R>) {
        m.function(
            "factor_complex",
            #[inline(always)]
            || m.factor(&plan.lu, factors, plan.jacobian.values, d),
        );
    }
    #[inline(always)]
    fn solve_complex(&self, m: M, plan: &Plan, factors: &Factors<ComplexArray>, b: ComplexArray) {
        m.function(
            "solve_complex",
            #[inline(always)]
            || lu::solve(m, &plan.lu, factors, b),
        );
    }
}
