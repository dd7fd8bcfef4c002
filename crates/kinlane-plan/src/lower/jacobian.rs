//! The Jacobian's pattern, the programs that fill it, and the factors' layout.

use super::gather::Builder;
use super::kinetics::{Draft, Extra};
use super::sparse;
use crate::lu::Factors;
use crate::plan::{Lu, Plan, ROWS, RowBlocks};
use crate::tables::Tables;
use std::collections::{BTreeMap, BTreeSet};

/// Groups consecutive rows as long as they share most of the rows of U they need: a row joins the block before it if
/// at least half of its needs are the block's already.
fn row_blocks(tables: &mut Tables, rows: &[Vec<usize>]) -> RowBlocks {
    let n = rows.len();
    let (mut start, mut steps, mut items) = (vec![0], vec![0], Vec::new());
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
        for k in all {
            let users: Vec<usize> =
                (first..next).filter(|&i| rows[i].binary_search(&k).is_ok()).map(|i| (i - first) * n).collect();
            items.extend([k, users.len()]);
            items.extend(users);
        }
        start.push(next);
        steps.push(items.len());
        first = next;
    }
    RowBlocks { start: tables.indices(start), steps: tables.indices(steps), items: tables.indices(items) }
}

pub fn lower(plan: &mut Plan, drafts: &[Draft]) {
    let n = plan.species;
    // Enhanced species of every collider sum.
    let third = plan.kinetics.third.clone();
    let ptr = plan.tables.list(third.ptr).to_vec();
    let enhanced: Vec<Vec<(usize, f64)>> = (0..third.count)
        .map(|m| {
            let range = ptr[m] as usize..ptr[m + 1] as usize;
            let species = &plan.tables.list(third.species)[range.clone()];
            species.iter().map(|&k| k as usize).zip(plan.tables.get(third.excess)[range].iter().copied()).collect()
        })
        .collect();
    let default = plan.tables.get(third.default).to_vec();

    let mut pattern: Vec<BTreeSet<usize>> =
        (0..n + 2).map(|i| if i < n { [i, n, n + 1].into() } else { (0..n + 2).collect() }).collect();
    for d in drafts {
        for &(row, _) in &d.net {
            pattern[row].extend(&d.slots);
            for (_, e) in &d.extra {
                if let Extra::Collider(m) = e {
                    pattern[row].extend(enhanced[*m].iter().map(|x| x.0));
                }
            }
        }
    }
    let pattern: Vec<Vec<usize>> = pattern.into_iter().map(|r| r.into_iter().collect()).collect();
    let symbolic = sparse::analyse(&pattern, 2);
    let mut row = vec![0];
    let mut col = Vec::new();
    let mut diag = Vec::new();
    let mut position = BTreeMap::new();
    for (i, r) in symbolic.rows.iter().enumerate() {
        for &j in r {
            if i == j {
                diag.push(col.len());
            }
            position.insert((symbolic.order[i], symbolic.order[j]), col.len());
            col.push(j);
        }
        row.push(col.len());
    }
    // The last row that does not reach from its own turn to the end ends the sparse part.
    let full = |i: usize, r: &Vec<usize>| r.iter().filter(|&&j| j >= i).count() == n + 2 - i;
    let dense = (0..n + 2).find(|&i| symbolic.rows[i..].iter().all(|r| full(i, r))).unwrap_or(n + 2);
    let size = n + 2;
    plan.lu = Lu {
        n: size,
        order: plan.tables.indices(symbolic.order.iter().copied()),
        row: plan.tables.indices(row),
        diag: plan.tables.indices(diag),
        entries: col.len(),
        col: plan.tables.indices(col),
        blocks: row_blocks(&mut plan.tables, &symbolic.rows),
        factors: Factors::real(&mut plan.layout, size, position.len()),
        operations: symbolic.operations,
        dense,
    };

    // Derivatives of rates of progress flow into entries and into (row, collider sum) pairs.
    let mut species = Builder::default();
    let mut pairs: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut third_gather = Builder::default();
    let mut ctot_q = Builder::default();
    (0..n).for_each(|k| ctot_q.touch(k));
    for (i, r) in pattern.iter().enumerate().take(n) {
        r.iter().filter(|&&j| j < n).for_each(|&j| species.touch(position[&(i, j)]));
    }
    for d in drafts {
        for &(k, v) in &d.net {
            for (s, &j) in d.slots.iter().enumerate() {
                species.add(position[&(k, j)], d.slot + s, v);
            }
            for &(slot, e) in &d.extra {
                match e {
                    Extra::Collider(m) => {
                        let next = pairs.len();
                        third_gather.add(*pairs.entry((k, m)).or_insert(next), slot, v);
                    }
                    Extra::Total => ctot_q.add(k, slot, v),
                }
            }
        }
    }
    let mut spread = Builder::default();
    let mut ctot_third = Builder::default();
    for (&(k, m), &pair) in &pairs {
        enhanced[m].iter().for_each(|&(j, e)| spread.add(position[&(k, j)], pair, e));
        ctot_third.add(k, pair, default[m]);
    }
    let (mut row_ptr, mut rows, mut col_ptr, mut cols) = (vec![0], Vec::new(), vec![0], Vec::new());
    for (i, r) in pattern.iter().enumerate().take(n) {
        rows.extend(r.iter().filter(|&&j| j < n).flat_map(|&j| [position[&(i, j)], j]));
        row_ptr.push(rows.len() / 2);
    }
    for j in 0..n {
        cols.extend(
            (0..n)
                .filter_map(|i| position.get(&(i, j)).filter(|_| pattern[i].binary_search(&j).is_ok()).map(|&p| [p, i]))
                .flatten(),
        );
        col_ptr.push(cols.len() / 2);
    }
    let (t, s) = (n, n + 1);
    let border = (0..n).flat_map(|k| [position[&(k, t)], position[&(k, s)], position[&(t, k)], position[&(s, k)]]);
    let tables = &mut plan.tables;
    let j = &mut plan.jacobian;
    j.border = tables.indices(border);
    j.corner = [position[&(t, t)], position[&(t, s)], position[&(s, t)], position[&(s, s)]];
    j.species = species.build(tables);
    j.third_gather = third_gather.build(tables);
    j.third_spread = spread.spread(tables);
    j.ctot_q = ctot_q.build(tables);
    j.ctot_third = ctot_third.spread(tables);
    j.row_ptr = tables.indices(row_ptr);
    j.rows = tables.indices(rows);
    j.col_ptr = tables.indices(col_ptr);
    j.cols = tables.indices(cols);
    j.nonzeros = pattern.iter().map(Vec::len).sum();
    j.third = plan.layout.array(pairs.len());
    j.values = plan.layout.array(position.len());
    j.wdot_t = plan.layout.array(n);
    j.wdot_ctot = plan.layout.array(n);
}
