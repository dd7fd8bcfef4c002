//! Sparse LU without pivoting, on the static pattern of the plan.
//!
//! Rows are made one after another in a dense working row, from the factors of the rows before (row-wise Doolittle,
//! as KPP and MICM do); the diagonal Markowitz order keeps the fill small and the borders of T and sigma last.
//! A machine may bring its own [`Machine::factor`], which must do the same operations on every entry in the same order.

use crate::machine::{Array, Machine, Real};
use crate::plan::Lu;

/// Factors W = d·I − J into `lu.values`; `jac` is J in the layout of the factors, zero where there is only fill.
#[inline(always)]
pub fn factor<M: Machine>(m: M, lu: &Lu, jac: Array, d: M::R) {
    let (row, diag, col) = (lu.row, lu.diag, lu.col);
    let (values, inverse, work) = (lu.values, lu.inverse, lu.work);
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
                |e| m.put(work, m.index(col, e), -m.get(jac, e)),
            );
            m.put(work, i, m.get(work, i) + d);
            m.ordered(
                lo,
                mid,
                #[inline(always)]
                |e| {
                    // l = w_k/u_kk, then the rest of the row: w_j −= l u_kj
                    let k = m.index(col, e);
                    let l = m.get(work, k) * m.get(inverse, k);
                    m.put(values, e, l);
                    let minus = -l;
                    m.each(
                        m.index(diag, k) + 1,
                        m.index(row, k + 1),
                        #[inline(always)]
                        |u| {
                            let j = m.index(col, u);
                            m.put(work, j, minus.mul_add(m.get(values, u), m.get(work, j)));
                        },
                    );
                },
            );
            m.each(
                mid,
                hi,
                #[inline(always)]
                |e| m.put(values, e, m.get(work, m.index(col, e))),
            );
            m.put(inverse, i, m.get(work, i).recip());
        },
    );
}

/// Solves W x = b in place, `b` in the order of the variables.
#[inline(always)]
pub fn solve<M: Machine>(m: M, lu: &Lu, b: Array) {
    let (row, diag, col, order, n) = (lu.row, lu.diag, lu.col, lu.order, lu.n);
    let (values, inverse, x) = (lu.values, lu.inverse, lu.x);
    let less = |s: M::R, e: M::I| (-m.get(values, e)).mul_add(m.get(x, m.index(col, e)), s);
    m.ordered(
        m.i(0),
        m.i(n),
        #[inline(always)]
        |i| {
            let s = m.fold(m.index(row, i), m.index(diag, i), m.get(b, m.index(order, i)), less);
            m.put(x, i, s);
        },
    );
    m.ordered(
        m.i(0),
        m.i(n),
        #[inline(always)]
        |r| {
            let i = m.mirror(r, n);
            let s = m.fold(m.index(diag, i) + 1, m.index(row, i + 1), m.get(x, i), less);
            let s = s * m.get(inverse, i);
            m.put(x, i, s);
            m.put(b, m.index(order, i), s);
        },
    );
}
