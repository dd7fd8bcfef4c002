//! Fill-reducing order and symbolic factorisation.

use std::ops::Range;

/// The pattern of L + U for a square pattern with a full diagonal.
#[derive(Debug, Clone)]
pub struct Symbolic {
    /// Variable at each place of the elimination order.
    pub order: Vec<usize>,
    /// Columns of each row, both in elimination order, ascending.
    pub rows: Vec<Vec<usize>>,
    /// Number of fused multiply-adds of a factorisation.
    pub operations: usize,
}

/// Orders by diagonal Markowitz (at each step the diagonal entry with the smallest (rows − 1)(columns − 1)),
/// with the variables of the `border` last, as all codes in the field do. Among equals, the row is taken
/// whose needs (the pivots by which it has been reduced) differ least from those of the row before, so that
/// rows with the same needs are neighbours and can be made together (`blocks.rs`); then the one of lowest
/// index.
pub fn analyse(pattern: &[Vec<usize>], border: Range<usize>) -> Symbolic {
    let n = pattern.len();
    let words = n.div_ceil(64);
    let mut rows = vec![vec![0u64; words]; n];
    let mut cols = vec![vec![0u64; words]; n];
    let set = |v: &mut Vec<u64>, i: usize| v[i / 64] |= 1 << (i % 64);
    for (i, r) in pattern.iter().enumerate() {
        for &j in r.iter().chain([&i]) {
            set(&mut rows[i], j);
            set(&mut cols[j], i);
        }
    }
    let bits = |v: &[u64]| -> Vec<usize> {
        let mut out = Vec::new();
        for (w, &x) in v.iter().enumerate() {
            let mut x = x;
            while x != 0 {
                out.push(w * 64 + x.trailing_zeros() as usize);
                x &= x - 1;
            }
        }
        out
    };
    let count = |v: &[u64]| v.iter().map(|x| x.count_ones() as usize).sum::<usize>();
    let mut left: Vec<usize> = (0..n).filter(|i| !border.contains(i)).collect();
    let mut order = Vec::<usize>::with_capacity(n);
    // Pivots by which each row has been reduced, as places in the order: ascending as they come.
    let mut needs: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut needed_before = vec![false; n];
    let mut row_count: Vec<usize> = rows.iter().map(|r| count(r)).collect();
    let mut col_count: Vec<usize> = cols.iter().map(|c| count(c)).collect();
    let mut operations = 0;
    while order.len() < n {
        let before = order.last().map_or(&[][..], |&before| &needs[before]);
        before.iter().for_each(|&pivot| needed_before[pivot] = true);
        // |A Δ B| = |A| + |B| − 2 |A ∩ B|, less |B|, which all have in common.
        let unlike = |i: usize| {
            let shared = needs[i].iter().filter(|&&pivot| needed_before[pivot]).count();
            needs[i].len() as isize - 2 * shared as isize
        };
        let cost = |i: usize| (row_count[i] - 1) * (col_count[i] - 1);
        let least = left.iter().map(|&i| cost(i)).min();
        let p = match left.iter().copied().filter(|&i| Some(cost(i)) == least).min_by_key(|&i| unlike(i)) {
            Some(p) => {
                left.retain(|&i| i != p);
                p
            }
            None => border.start + order.len() + border.len() - n, // the border, in its own order
        };
        before.iter().for_each(|&pivot| needed_before[pivot] = false);
        let (mut r, mut c) = (rows[p].clone(), cols[p].clone());
        r[p / 64] &= !(1 << (p % 64));
        c[p / 64] &= !(1 << (p % 64));
        let (below, right) = (bits(&c), bits(&r));
        operations += below.len() * right.len();
        for &i in &below {
            needs[i].push(order.len());
            for w in 0..words {
                rows[i][w] |= r[w];
            }
            row_count[i] = count(&rows[i]);
        }
        for &j in &right {
            for w in 0..words {
                cols[j][w] |= c[w];
            }
            col_count[j] = count(&cols[j]);
        }
        // Eliminate the pivot from the remaining rows.
        for &i in &below {
            rows[i][p / 64] &= !(1 << (p % 64));
            row_count[i] -= 1;
        }
        for &j in &right {
            cols[j][p / 64] &= !(1 << (p % 64));
            col_count[j] -= 1;
        }
        order.push(p);
    }
    let mut place = vec![0; n];
    for (at, &p) in order.iter().enumerate() {
        place[p] = at;
    }
    let rows = factor_pattern(pattern, &order, &place);
    Symbolic { order, rows, operations }
}

/// Row-by-row symbolic elimination in the given order.
fn factor_pattern(pattern: &[Vec<usize>], order: &[usize], place: &[usize]) -> Vec<Vec<usize>> {
    let n = order.len();
    let mut rows: Vec<Vec<usize>> = Vec::with_capacity(n);
    let mut mark = vec![usize::MAX; n];
    for (i, &v) in order.iter().enumerate() {
        let mut heap = std::collections::BTreeSet::new();
        heap.insert(i);
        heap.extend(pattern[v].iter().map(|&j| place[j]));
        heap.iter().for_each(|&j| mark[j] = i);
        let mut next = 0;
        while let Some(&k) = heap.range(next..i).next() {
            for &j in rows[k].iter().filter(|&&j| j > k) {
                if mark[j] != i {
                    mark[j] = i;
                    heap.insert(j);
                }
            }
            next = k + 1;
        }
        rows.push(heap.into_iter().collect());
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_matrix_has_no_fill_and_its_border_stays_last() {
        let n = 6;
        let pattern: Vec<Vec<usize>> =
            (0..n).map(|i| if i + 1 == n { (0..n).collect() } else { vec![i, n - 1] }).collect();
        let s = analyse(&pattern, 5..6);
        assert_eq!(s.order[n - 1], n - 1);
        assert_eq!(s.rows.iter().map(Vec::len).sum::<usize>(), 3 * n - 2);
        assert_eq!(s.operations, n - 1);
    }
}
