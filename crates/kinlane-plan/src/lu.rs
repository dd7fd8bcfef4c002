//! Sparse LU without pivoting, on the static pattern of the plan, for real and complex shifts.
//!
//! Rows are made one after another in a dense working row, from the factors of earlier rows (row-wise
//! Doolittle, as in KPP and MICM); the diagonal Markowitz order keeps the fill small and puts the borders of
//! T and sigma last. A machine may have its own [`Machine::factor`], which must do the same operations on
//! every entry in the same order.

use crate::machine::{Array, Indices, Machine, Real};
use crate::number::{ComplexArray, Entries, Number};
use crate::plan::{Lu, ROWS};
use crate::tables::Layout;

/// The arrays of one factorisation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Factors<E> {
    /// L and U, in the layout of [`Lu`].
    pub values: E,
    /// Reciprocals of the diagonal of U.
    pub inverse: E,
    /// Working rows, [`ROWS`] of them, for machines that make several rows at once.
    pub work: E,
    /// A right-hand side in elimination order, or the working row.
    pub x: E,
}

impl Factors<Array> {
    /// Lays out the factors of `n` variables with `entries` entries.
    pub fn real(l: &mut Layout, n: usize, entries: usize) -> Self {
        Self { values: l.coarse(entries), inverse: l.coarse(n), work: l.coarse(ROWS * n), x: l.coarse(n) }
    }
}

impl Factors<ComplexArray> {
    /// Lays out the factors of `n` variables with `entries` entries.
    pub fn complex(l: &mut Layout, n: usize, entries: usize) -> Self {
        let (re, im) = (Factors::real(l, n, entries), Factors::real(l, n, entries));
        let pair = |re, im| ComplexArray { re, im };
        Self {
            values: pair(re.values, im.values),
            inverse: pair(re.inverse, im.inverse),
            work: pair(re.work, im.work),
            x: pair(re.x, im.x),
        }
    }
}

/// Factors W = d·I − J; `jac` is J in the layout of the factors, zero where there is only fill. It may be the
/// array of the factors itself: a row of J is read before that row is written.
///
/// Where threads share a cell, they wait for each other whenever an element is written that others read. So there a row's
/// part of L is written at the end, from what is left in the working row, which is what each l was made of.
#[inline(always)]
pub fn factor<M: Machine, E: Entries<M>>(m: M, lu: &Lu, f: &Factors<E>, jac: Array, d: E::X) {
    let (row, diag, col) = (lu.row, lu.diag, lu.col);
    let Factors { values, inverse, x: work, .. } = *f;
    let groups = m.in_groups();
    m.ordered(
        m.i(0),
        m.i(lu.n),
        #[inline(always)]
        |i| {
            let (lo, hi, mid) = (m.index(row, i), m.index(row, i + 1), m.index(diag, i));
            m.each(
                lo,
                hi,
                #[inline(always)]
                |e| work.put(m, m.index(col, e), E::real(-m.get(jac, e))),
            );
            work.put(m, i, work.get(m, i).add(d));
            m.ordered(
                lo,
                mid,
                #[inline(always)]
                |e| {
                    // l = w_k/u_kk, then the rest of the row: w_j −= l u_kj
                    let k = m.index(col, e);
                    let l = work.get(m, k).mul(inverse.get(m, k));
                    if !groups {
                        values.put(m, e, l);
                    }
                    let minus = l.neg();
                    m.each(
                        m.index(diag, k) + 1,
                        m.index(row, k + 1),
                        #[inline(always)]
                        |u| {
                            let j = m.index(col, u);
                            work.put(m, j, minus.mul_add(values.get(m, u), work.get(m, j)));
                        },
                    );
                },
            );
            if groups {
                m.each(
                    lo,
                    mid,
                    #[inline(always)]
                    |e| {
                        let k = m.index(col, e);
                        values.put(m, e, work.get(m, k).mul(inverse.get(m, k)));
                    },
                );
            }
            m.each(
                mid,
                hi,
                #[inline(always)]
                |e| values.put(m, e, work.get(m, m.index(col, e))),
            );
            inverse.put(m, i, work.get(m, i).recip());
        },
    );
}

/// Solves W x = b in place, `b` in the order of the variables.
#[inline(always)]
pub fn solve<M: Machine, E: Entries<M>>(m: M, lu: &Lu, f: &Factors<E>, b: E) {
    if m.in_groups() { solve_by_columns(m, lu, f, b) } else { solve_by_rows(m, lu, f, b) }
}

/// x_i −= l_ij x_j for all i at once, column by column; then the same with U, from its last column on. What a column of U
/// is left with is divided by its diagonal once more at the end, so that no column waits for a thread that writes it.
#[inline(always)]
fn solve_by_columns<M: Machine, E: Entries<M>>(m: M, lu: &Lu, f: &Factors<E>, b: E) {
    let (order, n, columns) = (lu.order, lu.n, lu.columns);
    let Factors { inverse, x, .. } = *f;
    m.all(
        n,
        #[inline(always)]
        |i| x.put(m, i, b.get(m, m.index(order, i))),
    );
    m.ordered(
        m.i(0),
        m.i(n),
        #[inline(always)]
        |j| take(m, columns.lower, j, x.get(m, j), f),
    );
    m.ordered(
        m.i(0),
        m.i(n),
        #[inline(always)]
        |r| {
            let j = m.mirror(r, n);
            take(m, columns.upper, j, x.get(m, j).mul(inverse.get(m, j)), f);
        },
    );
    m.all(
        n,
        #[inline(always)]
        |j| b.put(m, m.index(order, j), x.get(m, j).mul(inverse.get(m, j))),
    );
}

/// x_i −= u_ij s for the rows i of a column, all at once.
#[inline(always)]
fn take<M: Machine, E: Entries<M>>(m: M, [start, items]: [Indices; 2], j: M::I, s: E::X, f: &Factors<E>) {
    let Factors { values, x, .. } = *f;
    m.each(
        m.index(start, j),
        m.index(start, j + 1),
        #[inline(always)]
        |e| {
            let (i, at) = (m.index(items, e * 2), m.index(items, e * 2 + 1));
            x.put(m, i, values.get(m, at).neg().mul_add(s, x.get(m, i)));
        },
    );
}

#[inline(always)]
fn solve_by_rows<M: Machine, E: Entries<M>>(m: M, lu: &Lu, f: &Factors<E>, b: E) {
    let (row, diag, col, order, n, entries) = (lu.row, lu.diag, lu.col, lu.order, lu.n, lu.entries);
    let Factors { values, inverse, x, .. } = *f;
    m.ordered(
        m.i(0),
        m.i(n),
        #[inline(always)]
        |i| {
            let s = E::fold(
                m,
                m.index(row, i),
                m.index(diag, i),
                b.get(m, m.index(order, i)),
                #[inline(always)]
                |s, e| values.get(m, e).neg().mul_add(x.get(m, m.index(col, e)), s),
            );
            x.put(m, i, s);
        },
    );
    m.ordered(
        m.i(0),
        m.i(n),
        #[inline(always)]
        |r| {
            let i = m.mirror(r, n);
            // From the end: the element computed last is needed last.
            let s = E::fold(
                m,
                m.mirror(m.index(row, i + 1), entries + 1),
                m.mirror(m.index(diag, i), entries),
                x.get(m, i),
                #[inline(always)]
                |s, e| {
                    let e = m.mirror(e, entries);
                    values.get(m, e).neg().mul_add(x.get(m, m.index(col, e)), s)
                },
            );
            let s = s.mul(inverse.get(m, i));
            x.put(m, i, s);
            b.put(m, m.index(order, i), s);
        },
    );
}

/// The diagonal of J, in the order of the variables.
#[inline(always)]
pub fn diagonal<M: Machine>(m: M, lu: &Lu, jac: Array, diagonal: Array) {
    let (diag, order) = (lu.diag, lu.order);
    m.all(
        lu.n,
        #[inline(always)]
        |i| m.put(diagonal, m.index(order, i), m.get(jac, m.index(diag, i))),
    );
}

/// `product` := J v, both in the order of the variables.
#[inline(always)]
pub fn times<M: Machine>(m: M, lu: &Lu, jac: Array, v: Array, product: Array) {
    let (row, col, order) = (lu.row, lu.col, lu.order);
    m.all(
        lu.n,
        #[inline(always)]
        |i| {
            let s = m.fold(
                m.index(row, i),
                m.index(row, i + 1),
                m.lit(0.0),
                #[inline(always)]
                |s, e| m.get(jac, e).mul_add(m.get(v, m.index(order, m.index(col, e))), s),
            );
            m.put(product, m.index(order, i), s);
        },
    );
}
