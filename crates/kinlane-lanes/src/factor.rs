//! The sparse LU of the lanes: the generic algorithm with several rows in the making at once.
//!
//! Row by row, every row of U is read again for each row that needs it, and with cells side by side the factors do
//! not fit the first-level cache: the traffic from the second level then sets the time. Here up to [`ROWS`]
//! consecutive rows are made together, so a row of U is read once for all of them. Every entry sees the same
//! operations in the same order as in `kinlane_plan::lu::factor`, hence the same bits.

use crate::machine::Lanes;
use crate::simd::{Pack, Register};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::plan::{Lu, RowBlocks};

/// Rows made together.
pub use kinlane_plan::plan::ROWS;

/// Factors d·I − J.
#[inline(always)]
pub fn factor<V: Register, const K: usize>(m: Lanes<'_, V, K>, lu: &Lu, jac: Array, d: Pack<V, K>) {
    let (row, diag, col) = (lu.row, lu.diag, lu.col);
    let (values, inverse, work, n) = (lu.values, lu.inverse, lu.work, lu.n);
    let RowBlocks { start, steps, items, .. } = lu.blocks;
    let blocks = start.len as usize - 1;
    for b in 0..blocks {
        let (first, next) = (m.index(start, b), m.index(start, b + 1));
        for r in first..next {
            let at = (r - first) * n;
            for e in m.index(row, r)..m.index(row, r + 1) {
                m.put(work, at + m.index(col, e), -m.get(jac, e));
            }
            m.put(work, at + r, m.get(work, at + r) + d);
        }
        // Rows of U from before the block, each for all rows of the block that need it.
        let mut item = m.index(steps, b);
        let end = m.index(steps, b + 1);
        while item < end {
            let (k, count) = (m.index(items, item), m.index(items, item + 1));
            let inv = m.get(inverse, k);
            let (lo, hi) = (m.index(diag, k) + 1, m.index(row, k + 1));
            match count {
                1 => update::<V, K, 1>(m, lu, item + 2, inv, k, lo, hi),
                2 => update::<V, K, 2>(m, lu, item + 2, inv, k, lo, hi),
                3 => update::<V, K, 3>(m, lu, item + 2, inv, k, lo, hi),
                _ => update::<V, K, ROWS>(m, lu, item + 2, inv, k, lo, hi),
            }
            item += 2 + count;
        }
        // Then the block's own rows, one after another.
        for r in first..next {
            let at = (r - first) * n;
            let (lo, hi, mid) = (m.index(row, r), m.index(row, r + 1), m.index(diag, r));
            for e in lo..mid {
                let k = m.index(col, e);
                let w = m.get(work, at + k);
                if k < first {
                    m.put(values, e, w); // already multiplied by 1/u in `update`
                    continue;
                }
                let l = w * m.get(inverse, k);
                m.put(values, e, l);
                let minus = -l;
                for u in m.index(diag, k) + 1..m.index(row, k + 1) {
                    let j = at + m.index(col, u);
                    m.put(work, j, minus.mul_add(m.get(values, u), m.get(work, j)));
                }
            }
            for e in mid..hi {
                m.put(values, e, m.get(work, at + m.index(col, e)));
            }
            m.put(inverse, r, m.get(work, at + r).recip());
        }
    }
}

/// l = w_k/u_kk and w_j −= l u_kj for `N` rows of the block, whose numbers stand in the items from `item` on.
#[inline(always)]
fn update<V: Register, const K: usize, const N: usize>(
    m: Lanes<'_, V, K>,
    lu: &Lu,
    item: usize,
    inv: Pack<V, K>,
    k: usize,
    lo: usize,
    hi: usize,
) {
    let (values, work, col, items) = (lu.values, lu.work, lu.col, lu.blocks.items);
    let at: [usize; N] = kinlane_plan::machine::array(
        #[inline(always)]
        |i| m.index(items, item + i),
    );
    let minus: [Pack<V, K>; N] = kinlane_plan::machine::array(
        #[inline(always)]
        |i| {
            let l = m.get(work, at[i] + k) * inv;
            m.put(work, at[i] + k, l);
            -l
        },
    );
    for u in lo..hi {
        let j = m.index(col, u);
        let x = m.get(values, u);
        let mut i = 0;
        while i < N {
            m.put(work, at[i] + j, minus[i].mul_add(x, m.get(work, at[i] + j)));
            i += 1;
        }
    }
}
