//! The sparse LU of the lanes: the generic algorithm with several rows in the making at once.
//!
//! Row by row, every row of U is read again for each row that needs it, and with cells side by side the factors do
//! not fit the first-level cache: the traffic from the second level then sets the time. Here up to [`ROWS`]
//! consecutive rows are made together, so a row of U is read once for all of them. Every entry sees the same
//! operations in the same order as in `kinlane_plan::lu::factor`, hence the same bits.

use crate::machine::Lanes;
use crate::simd::Register;
use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::number::{Entries, Number};
use kinlane_plan::plan::{Lu, RowBlocks};

/// Rows made together.
pub use kinlane_plan::plan::ROWS;

/// Factors d·I − J.
#[inline(always)]
pub fn factor<'a, V: Register, const K: usize, E: Entries<Lanes<'a, V, K>>>(
    m: Lanes<'a, V, K>,
    lu: &Lu,
    f: &Factors<E>,
    jac: Array,
    d: E::X,
) {
    let (row, diag, col, n) = (lu.row, lu.diag, lu.col, lu.n);
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
        // Rows of U from before the block, each for all rows of the block that need it.
        let mut item = m.index(steps, b);
        let end = m.index(steps, b + 1);
        while item < end {
            let (k, count) = (m.index(items, item), m.index(items, item + 1));
            match count {
                1 => update::<_, K, 1, E>(m, lu, f, item + 2, k),
                2 => update::<_, K, 2, E>(m, lu, f, item + 2, k),
                3 => update::<_, K, 3, E>(m, lu, f, item + 2, k),
                _ => update::<_, K, ROWS, E>(m, lu, f, item + 2, k),
            }
            item += 2 + count;
        }
        // Then the block's own rows, one after another.
        for r in first..next {
            let at = (r - first) * n;
            let (lo, hi, mid) = (m.index(row, r), m.index(row, r + 1), m.index(diag, r));
            for e in lo..mid {
                let k = m.index(col, e);
                let w = work.get(m, at + k);
                if k < first {
                    values.put(m, e, w); // already multiplied by 1/u in `update`
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

/// l = w_k/u_kk and w_j −= l u_kj for `N` rows of the block, whose numbers stand in the items from `item` on.
#[inline(always)]
fn update<'a, V: Register, const K: usize, const N: usize, E: Entries<Lanes<'a, V, K>>>(
    m: Lanes<'a, V, K>,
    lu: &Lu,
    f: &Factors<E>,
    item: usize,
    k: usize,
) {
    let (col, items) = (lu.col, lu.blocks.items);
    let Factors { values, inverse, work, .. } = *f;
    let inv = inverse.get(m, k);
    let at: [usize; N] = kinlane_plan::machine::array(
        #[inline(always)]
        |i| m.index(items, item + i),
    );
    let minus: [E::X; N] = kinlane_plan::machine::array(
        #[inline(always)]
        |i| {
            let l = work.get(m, at[i] + k).mul(inv);
            work.put(m, at[i] + k, l);
            l.neg()
        },
    );
    for u in m.index(lu.diag, k) + 1..m.index(lu.row, k + 1) {
        let j = m.index(col, u);
        let x = values.get(m, u);
        let mut i = 0;
        while i < N {
            work.put(m, at[i] + j, minus[i].mul_add(x, work.get(m, at[i] + j)));
            i += 1;
        }
    }
}
