//! Groups of rows of the factors that are made together, and of rows of U that are applied to them together.

use crate::plan::{NONE, ROWS, RowBlocks};
use crate::tables::Tables;
use std::collections::BTreeSet;

/// Groups consecutive rows as long as they need mostly the same rows of U: a row joins the block before it if
/// at least half of the rows that it needs are needed by the block already. Within a block, two consecutive
/// rows of U that are needed by the same rows are applied at once.
///
/// `rows`: the columns of every row of the factors; `row`: where each row starts. All of these are below 2³².
pub fn row_blocks(tables: &mut Tables, rows: &[Vec<usize>], row: &[usize]) -> RowBlocks {
    let n = rows.len();
    let upper: Vec<Vec<(usize, usize)>> = (0..n)
        .map(|i| rows[i].iter().enumerate().filter(|x| *x.1 > i).map(|(at, &j)| (j, row[i] + at)).collect())
        .collect();
    // By far the largest of all tables, hence in the size that it will have.
    let (mut start, mut steps, mut items) = (vec![0], vec![0], Vec::<u32>::new());
    let needs =
        |i: usize, first: usize| -> BTreeSet<usize> { rows[i].iter().copied().filter(|&k| k < first).collect() };
    let mut first = 0;
    while first < n {
        let mut next = first + 1;
        while next < n && next - first < ROWS {
            let (mine, block) = (needs(next, first), needs(first, first));
            if mine.intersection(&block).count() * 2 < mine.len().max(block.len()) {
                break;
            }
            next += 1;
        }
        let all: BTreeSet<usize> = (first..next).flat_map(|i| needs(i, first)).collect();
        let mut left: &[usize] = &all.into_iter().collect::<Vec<_>>();
        let users = |k: usize| -> Vec<usize> {
            (first..next).filter(|&i| rows[i].binary_search(&k).is_ok()).map(|i| (i - first) * n).collect()
        };
        while let [k, rest @ ..] = left {
            let of_k = users(*k);
            match rest.first() {
                Some(&l) if users(l) == of_k => {
                    pair(&mut items, *k, l, &of_k, &upper);
                    left = &rest[1..];
                }
                _ => {
                    add(&mut items, [1, of_k.len(), *k].into_iter().chain(of_k));
                    left = rest;
                }
            }
        }
        start.push(next);
        steps.push(items.len());
        first = next;
    }
    let items = items.into_iter().map(|x| x as usize);
    RowBlocks { start: tables.indices(start), steps: tables.indices(steps), items: tables.indices(items) }
}

fn add(items: &mut Vec<u32>, more: impl IntoIterator<Item = usize>) {
    items.extend(more.into_iter().map(|x| x as u32));
}

/// Adds the item of the rows k < l of U: see [`RowBlocks::items`].
fn pair(items: &mut Vec<u32>, k: usize, l: usize, users: &[usize], upper: &[Vec<(usize, usize)>]) {
    let find = |i: usize, j: usize| upper[i].binary_search_by_key(&j, |x| x.0).ok().map(|at| upper[i][at].1);
    let behind = || upper[k].iter().filter(|x| x.0 != l);
    let both: Vec<usize> = behind().filter_map(|&(j, at)| find(l, j).map(|other| [at, other, j])).flatten().collect();
    let first: Vec<usize> = behind().filter(|x| find(l, x.0).is_none()).flat_map(|&(j, at)| [at, j]).collect();
    let second: Vec<usize> = upper[l].iter().filter(|x| find(k, x.0).is_none()).flat_map(|&(j, at)| [at, j]).collect();
    add(items, [2, users.len(), k, l, find(k, l).unwrap_or(NONE as usize)]);
    add(items, [both.len() / 3, first.len() / 2, second.len() / 2]);
    add(items, users.iter().copied().chain(both).chain(first).chain(second));
}
