//! Linear algebra for the equations of a gas cell: factors of d·I − J, and solutions with them.

use crate::methods::control::{Mask, flag, holds};
use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray, Plain};
use kinlane_plan::plan::Plan;

/// Factors the matrix d·I − J, with the J in the plan's arrays, and solves with it; the solution overwrites
/// the right-hand side.
pub trait Algebra<M: Machine>: Copy {
    /// Factors d·I − J.
    fn factor(&self, m: M, plan: &Plan, d: M::R);
    /// Solves (d·I − J) x = b.
    fn solve(&self, m: M, plan: &Plan, b: Array);
    /// Whether an eigenvalue of J exceeds d, by the factors made last, by [`Algebra::factor_in_place`] or not: see
    /// [`Sparse`]. If `at` gives a state, f there and d, species that are absent from that state and stay so do not
    /// count.
    fn grows(&self, m: M, plan: &Plan, in_place: bool, at: Option<(Array, Array, M::R)>) -> Mask<M>;
    /// As [`Algebra::factor`], where J is no longer needed.
    #[inline(always)]
    fn factor_in_place(&self, m: M, plan: &Plan, d: M::R) {
        self.factor(m, plan, d);
    }
    /// Solves with the factors of [`Algebra::factor_in_place`].
    #[inline(always)]
    fn solve_in_place(&self, m: M, plan: &Plan, b: Array) {
        self.solve(m, plan, b);
    }
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
/// Of what is there in traces, nothing takes from another one: J has no negative entry beside its diagonal there, and then all
/// pivots of d I − J are positive just if d exceeds all eigenvalues (an M-matrix). So any negative pivot says that something
/// grows faster than d, not their product alone, in which two growing modes hide each other. At rest some eigenvalues are
/// zero but for rounding: a negative pivot counts if it is larger than rounding of the largest, or than what rounding can
/// have made of it:
///
/// ```text
/// uᵢᵢ = aᵢᵢ − Σ lᵢₖ uₖᵢ,     |δuᵢᵢ| ≤ max |lᵢₖ| max |uₖᵢ| (ε + |δuₖₖ/uₖₖ|)
/// ```
///
/// The second bound is less only where what grows has little to do with what is fast, as a spectator that decays.
///
/// Where no absent species is made by a present one, the rows of the absent ones are (0 J_aa) in J, and so
/// they are in the factors: their eigenvalues are those of J_aa, and the pivots of the other rows are those of
/// d I − J_pp. Nothing grows from nothing, so only the latter count: otherwise an autocatalyst without a
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
        || m.solve(&plan.lu, factors, b),
    );
}

/// Whether the variable of a row or column of the factors is zero in `y`.
#[inline(always)]
fn absent<M: Machine>(m: M, plan: &Plan, y: Array, i: M::I) -> Mask<M> {
    m.get(y, m.index(plan.lu.order, i)).abs().le(m.lit(0.0))
}

/// Of each species' row, into the work array of the factors: the largest relative error of its pivot.
#[inline(always)]
fn errors<M: Machine>(m: M, plan: &Plan, f: &Factors<Array>) {
    let (lu, [start, items]) = (&plan.lu, plan.lu.columns.upper);
    let least = m.lit(ROUNDINGS[0] * m.rounding());
    m.ordered(
        m.i(0),
        m.i(lu.border()),
        #[inline(always)]
        |i| {
            let largest = m.fold(
                m.index(lu.row, i),
                m.index(lu.diag, i),
                m.lit(0.0),
                #[inline(always)]
                |most, e| m.get(f.values, e).abs().max(most),
            );
            let error = m.fold(
                m.index(start, i),
                m.index(start, i + 1),
                m.lit(0.0),
                #[inline(always)]
                |most, e| {
                    let (k, at) = (m.index(items, e * 2), m.index(items, e * 2 + 1));
                    (m.get(f.values, at).abs() * (least + m.get(f.x, k))).max(most)
                },
            );
            let relative = largest * error * m.get(f.inverse, i).abs();
            m.put(f.x, i, relative.max(least).min(m.lit(MOST)));
        },
    );
}

/// The least reciprocal of a pivot, in magnitude, and whether one is negative.
#[inline(always)]
fn pivots<M: Machine>(m: M, plan: &Plan) -> (M::R, Mask<M>) {
    let [least, lowest] = m.folds(
        m.i(0),
        m.i(plan.lu.n),
        [m.lit(MOST); 2],
        #[inline(always)]
        |[least, lowest], i| {
            let x = m.get(plan.lu.factors.inverse, i);
            [least.min(x.abs()), lowest.min(x)]
        },
    );
    (least, lowest.lt(m.lit(0.0)))
}

/// Whether a pivot is negative, of d I − J or of its rows of variables that are present in `y`, with the
/// [`errors`] of pivots and the `least` of their reciprocals.
#[inline(always)]
fn exceeds<M: Machine>(m: M, plan: &Plan, y: Option<Array>, least: M::R) -> Mask<M> {
    let (lu, zero, one) = (&plan.lu, m.lit(0.0), m.lit(1.0));
    let (inverse, errors) = (lu.factors.inverse, lu.factors.x);
    let any = |from: usize, to: usize, before: M::R| {
        let roundings = ROUNDINGS[usize::from(from > 0)];
        m.fold(
            m.i(from),
            m.i(to),
            before,
            #[inline(always)]
            |found, i| {
                let x = m.get(inverse, i);
                let sound = (x.abs() * m.lit(roundings * m.rounding())).lt(least);
                // The rows of T and sigma have no bound of their own.
                let sound = if from > 0 { sound } else { M::R::or(sound, m.get(errors, i).lt(one)) };
                let counts = M::R::and(x.lt(zero), sound);
                let counts = y.map_or(
                    counts,
                    #[inline(always)]
                    |y| M::R::and(counts, M::R::not(absent(m, plan, y, i))),
                );
                M::R::select(counts, one, found)
            },
        )
    };
    let species = any(0, lu.border(), zero);
    zero.lt(any(lu.border(), lu.n, species))
}

/// The largest rate at which species absent from `y` are made: over their `f`, and over the entries of their
/// rows in the columns of present species, in the factors: these have all entries that J has.
#[inline(always)]
fn made<M: Machine>(m: M, plan: &Plan, factors: &Factors<Array>, y: Array, f: Array) -> M::R {
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
                    let by = m.get(factors.values, e).abs();
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
    fn grows(&self, m: M, plan: &Plan, in_place: bool, at: Option<(Array, Array, M::R)>) -> Mask<M> {
        let (least, negative) = pivots(m, plan);
        let factors = if in_place { self::in_place(plan) } else { plan.lu.factors };
        let kept = plan.cell.grows;
        m.set(kept, m.lit(0.0));
        m.if_any(
            negative,
            #[inline(always)]
            || {
                m.function(
                    if in_place { "growth_in_place" } else { "growth" },
                    #[inline(always)]
                    || {
                        m.show_factors(&factors);
                        // Cells without a negative pivot get the same here: nothing counts.
                        errors(m, plan, &factors);
                        let grows = flag(exceeds(m, plan, None, least));
                        m.set(kept, grows);
                        let Some((y, f, d)) = at else { return };
                        // A change of T may start reactions that make absent species.
                        let t = m.i(plan.species);
                        let calm = m.get(f, t).abs().le(m.get(y, t) * d * m.lit(AT_REST));
                        let alone = M::R::and(calm, made(m, plan, &factors, y, f).le(m.lit(0.0)));
                        let present = flag(exceeds(m, plan, Some(y), least));
                        m.set(kept, M::R::select(alone, present, grows));
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
            || m.solve(&plan.lu, factors, b),
        );
    }
}
