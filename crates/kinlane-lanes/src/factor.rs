//! The sparse LU of the lanes: the generic algorithm, but with several rows made at once.
//!
//! Row by row, each row of U is read again for every row that needs it, and with cells side by side the
//! factors do not fit the first-level cache: then the traffic from the second level limits the speed. Here up
//! to [`ROWS`] consecutive rows are made together, so that a row of U is read once for all of them. Stores
//! limit the speed next: where two consecutive rows of U are needed by the same rows, those are read and
//! written once for both. The operations on every entry and their order are those of
//! `kinlane_plan::lu::factor`, hence the same bits.

use kinlane_plan::Scalar;
use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::number::{Complex, ComplexArray, Entries, Number, Plain};
use kinlane_plan::plan::{Lu, NONE, Plan, ROWS, RowBlocks};
use kinlane_solve::gas::algebra::{Algebra, Sparse, in_place};

/// Factors d·I − J.
#[inline(always)]
pub fn factor<M: Machine<I = usize>, E: Entries<M>>(m: M, lu: &Lu, f: &Factors<E>, jac: Array, d: E::X) {
    let (row, diag, col, n) = (lu.row, lu.diag, lu.col, lu.n);
    // A local copy: the compiler cannot exclude that a store to the arena changes the caller's.
    let f = &Factors { ..*f };
    let Factors { values, inverse, work, .. } = *f;
    let RowBlocks { start, steps, items, .. } = lu.blocks;
    let blocks = start.len as usize - 1;
    for b in 0..blocks {
        let (first, next) = (m.index(start, b), m.index(start, b + 1));
        for r in first..next {
            let at = (r - first) * n;
            for e in m.index(row, r)..m.index(row, r + 1) {
                work.put(m, at + m.index(col, e), E::real(-m.get(jac, e)));
            }
            work.put(m, at + r, work.get(m, at + r).add(d));
        }
        // Earlier rows of U, each applied to all rows of the block that need it.
        let mut item = m.index(steps, b);
        let end = m.index(steps, b + 1);
        while item < end {
            let users = m.index(items, item + 1);
            item = match (m.index(items, item), users) {
                (1, 1) => one::<M, 1, E>(m, lu, f, item),
                (1, 2) => one::<M, 2, E>(m, lu, f, item),
                (1, 3) => one::<M, 3, E>(m, lu, f, item),
                (1, _) => one::<M, ROWS, E>(m, lu, f, item),
                (_, 1) => two::<M, 1, E>(m, lu, f, item),
                (_, 2) => two::<M, 2, E>(m, lu, f, item),
                (_, 3) => two::<M, 3, E>(m, lu, f, item),
                _ => two::<M, ROWS, E>(m, lu, f, item),
            };
        }
        // Then the rows of the block among themselves, one after another.
        for r in first..next {
            let at = (r - first) * n;
            let (lo, hi, mid) = (m.index(row, r), m.index(row, r + 1), m.index(diag, r));
            for e in lo..mid {
                let k = m.index(col, e);
                let w = work.get(m, at + k);
                if k < first {
                    values.put(m, e, w); // already multiplied by 1/u
                    continue;
                }
                let l = w.mul(inverse.get(m, k));
                values.put(m, e, l);
                let minus = l.neg();
                for u in m.index(diag, k) + 1..m.index(row, k + 1) {
                    let j = at + m.index(col, u);
                    work.put(m, j, minus.mul_add(values.get(m, u), work.get(m, j)));
                }
            }
            for e in mid..hi {
                values.put(m, e, work.get(m, at + m.index(col, e)));
            }
            inverse.put(m, r, work.get(m, at + r).recip());
        }
    }
}

/// l = w_k/u_kk and w_j −= l u_kj, for the `N` users of one row of U. Returns the place of the next item.
#[inline(always)]
fn one<M: Machine<I = usize>, const N: usize, E: Entries<M>>(m: M, lu: &Lu, f: &Factors<E>, item: usize) -> usize {
    let k = m.index(lu.blocks.items, item + 2);
    let at = users::<M, N>(m, lu, item + 3);
    let minus = multipliers(m, f, at, k);
    for u in m.index(lu.diag, k) + 1..m.index(lu.row, k + 1) {
        subtract(m, f, at, minus, f.values.get(m, u), m.index(lu.col, u));
    }
    item + 3 + N
}

/// The same for two rows k < l of U: what is changed by both is read and written once.
#[inline(always)]
fn two<M: Machine<I = usize>, const N: usize, E: Entries<M>>(m: M, lu: &Lu, f: &Factors<E>, item: usize) -> usize {
    let (items, Factors { values, work, .. }) = (lu.blocks.items, *f);
    let [k, l, cross, both, first, second]: [usize; 6] = kinlane_plan::machine::array(
        #[inline(always)]
        |i| m.index(items, item + 2 + i),
    );
    let at = users::<M, N>(m, lu, item + 8);
    let by_k = multipliers(m, f, at, k);
    if cross != NONE as usize {
        subtract(m, f, at, by_k, values.get(m, cross), l);
    }
    let by_l = multipliers(m, f, at, l);
    let mut e = item + 8 + N;
    for _ in 0..both {
        let (x, y, j) = (values.get(m, m.index(items, e)), values.get(m, m.index(items, e + 1)), m.index(items, e + 2));
        let mut i = 0;
        while i < N {
            let w = by_k[i].mul_add(x, work.get(m, at[i] + j));
            work.put(m, at[i] + j, by_l[i].mul_add(y, w));
            i += 1;
        }
        e += 3;
    }
    for (count, by) in [(first, by_k), (second, by_l)] {
        for _ in 0..count {
            subtract(m, f, at, by, values.get(m, m.index(items, e)), m.index(items, e + 1));
            e += 2;
        }
    }
    e
}

/// w_j += minus·x for the work rows `at`.
#[inline(always)]
fn subtract<M: Machine<I = usize>, const N: usize, E: Entries<M>>(
    m: M,
    f: &Factors<E>,
    at: [usize; N],
    minus: [E::X; N],
    x: E::X,
    j: usize,
) {
    let mut i = 0;
    while i < N {
        f.work.put(m, at[i] + j, minus[i].mul_add(x, f.work.get(m, at[i] + j)));
        i += 1;
    }
}

/// The work rows of the users that are listed from `item` on.
#[inline(always)]
fn users<M: Machine<I = usize>, const N: usize>(m: M, lu: &Lu, item: usize) -> [usize; N] {
    kinlane_plan::machine::array(
        #[inline(always)]
        |i| m.index(lu.blocks.items, item + i),
    )
}

/// −l = −w_k/u_kk for the work rows `at`; l overwrites w_k.
#[inline(always)]
fn multipliers<M: Machine<I = usize>, const N: usize, E: Entries<M>>(
    m: M,
    f: &Factors<E>,
    at: [usize; N],
    k: usize,
) -> [E::X; N] {
    let inverse = f.inverse.get(m, k);
    kinlane_plan::machine::array(
        #[inline(always)]
        |i| {
            let l = f.work.get(m, at[i] + k).mul(inverse);
            f.work.put(m, at[i] + k, l);
            l.neg()
        },
    )
}

/// The factorisation of the lanes on the scalar machine, which checks bounds: for
/// [`Shared::rehearse`](crate::shared::Shared::rehearse).
#[derive(Clone, Copy)]
pub struct OnLanes;

impl<'a> Algebra<Scalar<'a, f64>> for OnLanes {
    fn factor(&self, m: Scalar<'a, f64>, plan: &Plan, d: f64) {
        factor(m, &plan.lu, &plan.lu.factors, plan.jacobian.values, Plain(d));
    }
    fn solve(&self, m: Scalar<'a, f64>, plan: &Plan, b: Array) {
        Sparse.solve(m, plan, b);
    }
    fn grows(&self, m: Scalar<'a, f64>, plan: &Plan, in_place: bool, at: Option<(Array, Array, f64)>) -> bool {
        Sparse.grows(m, plan, in_place, at)
    }
    fn factor_in_place(&self, m: Scalar<'a, f64>, plan: &Plan, d: f64) {
        factor(m, &plan.lu, &in_place(plan), plan.jacobian.values, Plain(d));
    }
    fn solve_in_place(&self, m: Scalar<'a, f64>, plan: &Plan, b: Array) {
        Sparse.solve_in_place(m, plan, b);
    }
    fn factor_complex(&self, m: Scalar<'a, f64>, plan: &Plan, factors: &Factors<ComplexArray>, d: Complex<f64>) {
        factor(m, &plan.lu, factors, plan.jacobian.values, d);
    }
    fn solve_complex(&self, m: Scalar<'a, f64>, plan: &Plan, factors: &Factors<ComplexArray>, b: ComplexArray) {
        Sparse.solve_complex(m, plan, factors, b);
    }
}
