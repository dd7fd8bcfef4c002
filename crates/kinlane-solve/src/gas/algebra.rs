//! Linear algebra for the equations of a gas cell: factors of d·I − J, and solutions with them.

use crate::methods::control::{Mask, flag, holds};
use kinlane_plan::lu::{self, Factors};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray, Plain};
use kinlane_plan::plan::Plan;
use std::ops::Range;

/// Factors the matrix d·I − J, with the J in the plan's arrays, and solves with it; the solution overwrites
/// the right-hand side.
pub trait Algebra<M: Machine>: Copy {
    /// Factors d·I − J.
    fn factor(&self, m: M, plan: &Plan, d: M::R);
    /// Solves (d·I − J) x = b.
    fn solve(&self, m: M, plan: &Plan, b: Array);
    /// Whether an eigenvalue of J exceeds d, by the factors made last: see [`Sparse`]. If `at` gives a state,
    /// f there and d, species that are absent from that state and stay so do not count.
    fn grows(&self, m: M, plan: &Plan, at: Option<(Array, Array, M::R)>) -> Mask<M>;
    /// As [`Algebra::factor`], where J is no longer needed.
    fn factor_in_place(&self, m: M, plan: &Plan, d: M::R);
    /// Solves with the factors of [`Algebra::factor_in_place`].
    fn solve_in_place(&self, m: M, plan: &Plan, b: Array);
    /// As [`Algebra::factor`] for a complex d, into arrays of the caller.
    fn factor_complex(&self, m: M, plan: &Plan, factors: &Factors<ComplexArray>, d: Complex<M::R>);
    /// Solves with the factors of [`Algebra::factor_complex`].
    fn solve_complex(&self, m: M, plan: &Plan, factors: &Factors<ComplexArray>, b: ComplexArray);
}

/// The plan's sparse LU, in its fixed order and without pivoting.
///
/// ```text
/// det(d I − J) = Π (d − λᵢ) = Π uᵢᵢ
/// ```
///
/// The product over a pair of complex eigenvalues is positive, so the determinant is negative where an odd
/// number of real ones exceeds d. At rest some eigenvalues are zero but for rounding: a negative pivot counts
/// if it is larger than rounding of the largest.
///
/// Where no absent species is made by a present one, the rows of the absent ones are (0 J_aa) in J, and so
/// they are in the factors: their eigenvalues are those of J_aa, and the pivots of the other rows multiply to
/// det(d I − J_pp). Nothing grows from nothing, so only the latter count: otherwise an autocatalyst without a
/// trace of itself would hold up steps for good.
#[derive(Debug, Clone, Copy)]
pub struct Sparse;

/// A pivot is larger than rounding if it exceeds this many roundings of the largest pivot: for a species, and
/// for T and sigma, in whose rows far larger numbers cancel.
pub const ROUNDINGS: [f64; 2] = [5e3, 5e6];

/// If T changes by no more than this part of itself within 1/d, that starts no reaction that has not begun.
const AT_REST: f64 = 1e-2;

/// Larger than any reciprocal of a pivot, in single precision as well.
const MOST: f64 = 1e35;

/// Factors in the place of J: the entries of J that are still in the cache are overwritten by the factors
/// made from them.
#[inline(always)]
pub fn in_place(plan: &Plan) -> Factors<Array> {
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

/// Whether the variable of a row or column of the factors is zero in `y`.
#[inline(always)]
fn absent<M: Machine>(m: M, plan: &Plan, y: Array, i: M::I) -> Mask<M> {
    m.get(y, m.index(plan.lu.order, i)).abs().le(m.lit(0.0))
}

/// Over some rows: the sign of the product of the pivots, the least reciprocal of a pivot (in magnitude), and
/// that of a negative one. If a state is given, only rows of variables that are present in it can be
/// negative.
#[inline(always)]
fn pivots<M: Machine>(m: M, plan: &Plan, y: Option<Array>, rows: Range<usize>, known: [M::R; 3]) -> [M::R; 3] {
    m.folds(
        m.i(rows.start),
        m.i(rows.end),
        known,
        #[inline(always)]
        |[sign, least, negative], i| {
            let x = m.get(plan.lu.factors.inverse, i);
            let below = x.lt(m.lit(0.0));
            let below = y.map_or(
                below,
                #[inline(always)]
                |y| M::R::and(below, M::R::not(absent(m, plan, y, i))),
            );
            let size = x.abs();
            let negative = M::R::select(below, negative.min(size), negative);
            [M::R::select(below, -sign, sign), least.min(size), negative]
        },
    )
}

/// Whether a pivot of d I − J is negative by more than rounding, and whether the determinant is negative.
#[inline(always)]
fn exceeds<M: Machine>(m: M, plan: &Plan, y: Option<Array>) -> [Mask<M>; 2] {
    let [zero, one, most] = [m.lit(0.0), m.lit(1.0), m.lit(MOST)];
    let [sign, least, species] = pivots(m, plan, y, 0..plan.lu.border(), [one, most, most]);
    let [sign, least, border] = pivots(m, plan, y, plan.lu.border()..plan.lu.n, [sign, least, most]);
    let counts = |negative: M::R, roundings: f64| (negative * m.lit(roundings * m.rounding())).lt(least);
    let any = M::R::or(counts(species, ROUNDINGS[0]), counts(border, ROUNDINGS[1]));
    [any, M::R::and(sign.lt(zero), any)]
}

/// The largest rate at which species absent from `y` are made: over their `f`, and over the entries of their
/// rows in the columns of present species, in J or in the factors that have replaced it.
#[inline(always)]
fn made<M: Machine>(m: M, plan: &Plan, y: Array, f: Array) -> M::R {
    let (lu, zero) = (&plan.lu, m.lit(0.0));
    m.fold(
        m.i(0),
        m.i(lu.n),
        zero,
        #[inline(always)]
        |most, i| {
            let from = m.get(f, m.index(lu.order, i)).abs();
            let most_of_row = m.fold(
                m.index(lu.row, i),
                m.index(lu.row, i + 1),
                from,
                #[inline(always)]
                |most, e| {
                    let by = m.get(plan.jacobian.values, e).abs();
                    M::R::select(absent(m, plan, y, m.index(lu.col, e)), most, by.max(most))
                },
            );
            M::R::select(absent(m, plan, y, i), most_of_row.max(most), most)
        },
    )
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
    fn grows(&self, m: M, plan: &Plan, at: Option<(Array, Array, M::R)>) -> Mask<M> {
        let [any, grows] = exceeds(m, plan, None);
        let Some((y, f, d)) = at else { return grows };
        let kept = plan.cell.grows;
        m.set(kept, flag(grows));
        m.if_any(
            any,
            #[inline(always)]
            || {
                m.function(
                    "present",
                    #[inline(always)]
                    || {
                        // A change of T may start reactions that make absent species.
                        let t = m.i(plan.species);
                        let calm = m.get(f, t).abs().le(m.get(y, t) * d * m.lit(AT_REST));
                        let alone = M::R::and(calm, made(m, plan, y, f).le(m.lit(0.0)));
                        let [_, grows] = exceeds(m, plan, Some(y));
                        let present = flag(grows);
                        // Also right for cells beside one that asks: where no pivot is negative, none of a
                        // present species is.
                        m.set(kept, M::R::select(alone, present, m.var(kept)));
                    },
                );
            },
        );
        holds(m, kept)
    }
    #[inline(always)]
    fn factor_in_place(&self, m: M, plan: &Plan, d: M::R) {
        factor(m, plan, &in_place(plan), d);
    }
    #[inline(always)]
    fn solve_in_place(&self, m: M, plan: &Plan, b: Array) {
        solve(m, plan, &in_place(plan), b);
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
