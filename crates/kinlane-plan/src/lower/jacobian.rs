//! The Jacobian's pattern, the programs that fill it, and the factors' layout.

use super::blocks::row_blocks;
use super::gather::Builder;
use super::reactions::{Drafts, Extra, Place};
use super::sparse::{self, Symbolic};
use crate::lu::Factors;
use crate::machine::Indices;
use crate::plan::{Columns, Lu, MOST_OPERATIONS, Plan, RowBlocks};
use std::collections::{BTreeMap, BTreeSet};

/// Position of the entry (row, column) in the layout of the factors.
type Position = BTreeMap<(usize, usize), usize>;

/// A collider sum: its default efficiency, and the excess over it of enhanced species.
struct Collider {
    default: f64,
    enhanced: Vec<(usize, f64)>,
}

pub fn lower(plan: &mut Plan, drafts: &Drafts) {
    let colliders = colliders(plan);
    let pattern = pattern(plan, drafts, &colliders);
    let symbolic = sparse::analyse(&pattern, plan.species..plan.species + 2);
    let position = factors(plan, &symbolic);
    let pairs = programs(plan, drafts, &colliders, &symbolic, &position);
    borders(plan, &pattern, &position);
    plan.jacobian.nonzeros = pattern.iter().map(Vec::len).sum();
    arrays(plan, drafts, pairs);
}

fn colliders(plan: &Plan) -> Vec<Collider> {
    let third = &plan.kinetics.third;
    let (ptr, species) = (plan.tables.list(third.ptr), plan.tables.list(third.species));
    let (excess, default) = (plan.tables.get(third.excess), plan.tables.get(third.default));
    let enhanced =
        |m: usize| (ptr[m] as usize..ptr[m + 1] as usize).map(|i| (species[i] as usize, excess[i])).collect();
    (0..third.count).map(|m| Collider { default: default[m], enhanced: enhanced(m) }).collect()
}

/// Columns of every row: species, then T and σ, then the imposed quantity. Where rate constants are given, T and σ have
/// nothing but their diagonal.
fn pattern(plan: &Plan, drafts: &Drafts, colliders: &[Collider]) -> Vec<Vec<usize>> {
    let n = plan.species;
    let row = |i: usize| -> BTreeSet<usize> {
        match i {
            _ if plan.given => [i].into(),
            i if i < n => [i, n, n + 1].into(),
            _ => (0..n + 2).collect(),
        }
    };
    let mut pattern: Vec<BTreeSet<usize>> = (0..n + 2).map(row).collect();
    // Every row depends on the imposed quantity, and its own on nothing: eliminated first, it causes no fill.
    if let Some(q) = plan.imposed() {
        pattern.iter_mut().for_each(|row| _ = row.insert(q));
        pattern.push([q].into());
    }
    for d in &drafts.reactions {
        for &(row, _) in &d.net {
            pattern[row].extend(&d.slots);
            for (_, e) in &d.extra {
                if let Extra::Collider(m) = e {
                    pattern[row].extend(colliders[*m].enhanced.iter().map(|x| x.0));
                }
            }
        }
    }
    pattern.into_iter().map(|r| r.into_iter().collect()).collect()
}

/// Lays out the factors and their index tables.
fn factors(plan: &mut Plan, symbolic: &Symbolic) -> Position {
    let size = symbolic.rows.len();
    let (mut row, mut col, mut diag) = (vec![0], Vec::new(), Vec::new());
    let mut position = Position::new();
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
    let blocks = match symbolic.operations {
        0..=MOST_OPERATIONS => row_blocks(&mut plan.tables, &symbolic.rows, &row),
        _ => RowBlocks::default(),
    };
    let columns = Columns {
        lower: columns(plan, symbolic, &row, |i, j| j < i),
        upper: columns(plan, symbolic, &row, |i, j| j > i),
    };
    plan.lu = Lu {
        n: size,
        order: plan.tables.indices(symbolic.order.iter().copied()),
        row: plan.tables.indices(row),
        diag: plan.tables.indices(diag),
        entries: col.len(),
        col: plan.tables.indices(col),
        blocks,
        columns,
        factors: Factors::default(),
        operations: symbolic.operations,
    };
    position
}

/// By columns, the entries (i, j) that `belongs` selects.
fn columns(
    plan: &mut Plan,
    symbolic: &Symbolic,
    row: &[usize],
    belongs: impl Fn(usize, usize) -> bool,
) -> [Indices; 2] {
    let mut of = vec![Vec::new(); symbolic.rows.len()];
    for (i, r) in symbolic.rows.iter().enumerate() {
        let places = r.iter().zip(row[i]..).filter(|(j, _)| belongs(i, **j));
        places.for_each(|(&j, at)| of[j].extend([i, at]));
    }
    let starts = std::iter::once(0).chain(of.iter().scan(0, |end, column| {
        *end += column.len() / 2;
        Some(*end)
    }));
    [plan.tables.indices(starts), plan.tables.indices(of.iter().flatten().copied())]
}

/// Builds the programs that sum derivatives of rates of progress into entries of J and into (row, collider
/// sum) pairs. Returns how many such pairs there are.
fn programs(
    plan: &mut Plan,
    drafts: &Drafts,
    colliders: &[Collider],
    symbolic: &Symbolic,
    position: &Position,
) -> usize {
    let n = plan.species;
    let (mut products, mut species) = (Builder::default(), Builder::<usize>::default());
    let mut pairs: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut third_gather = Builder::<usize>::default();
    let mut ctot_q = Builder::<usize>::default();
    (0..n).for_each(|k| ctot_q.touch(k));
    // Every entry that no other program writes, also where there is only fill: factors may have been stored
    // there.
    let written = |i: usize, j: usize| !plan.given && (i == n || j >= n && i < n + 2);
    position.iter().filter(|((i, j), _)| !written(*i, *j)).for_each(|(_, &at)| products.touch(at));
    for d in &drafts.reactions {
        // dsigma/dt = Σ dphi_k/dt: its row is filled like that of a species.
        let total = (n + 1, d.net.iter().map(|x| x.1).sum::<f64>());
        for &(k, v) in d.net.iter().chain((total.1 != 0.0 && !plan.given).then_some(&total)) {
            for (s, &j) in d.slots.iter().enumerate() {
                let at = position[&(k, j)];
                match d.place {
                    Place::Slots(first) => species.add(at, first + s, v),
                    // ∂q/∂C_j = e^{G} rate times the activity of the other participant; negative for products
                    Place::Rate(rate, reactants) => {
                        let side = if s < reactants { &d.slots[..reactants] } else { &d.slots[reactants..] };
                        let own = if s < reactants { s } else { s - reactants };
                        let other = if side.len() == 2 { side[1 - own] } else { n };
                        products.add(at, (rate, other), if s < reactants { v } else { -v });
                    }
                }
            }
            for &(slot, e) in &d.extra {
                match e {
                    Extra::Collider(m) => {
                        let next = pairs.len();
                        third_gather.add(*pairs.entry((k, m)).or_insert(next), slot, v);
                    }
                    Extra::Total if k < n => ctot_q.add(k, slot, v),
                    Extra::Total => {}
                }
            }
        }
    }
    let mut spread = Builder::default();
    let mut ctot_third = Builder::default();
    for (&(k, m), &pair) in &pairs {
        colliders[m].enhanced.iter().for_each(|&(j, e)| spread.add(position[&(k, j)], pair, e));
        if k < n {
            ctot_third.add(k, pair, colliders[m].default);
        }
    }
    let column: Vec<usize> = symbolic.rows.iter().flatten().map(|&j| symbolic.order[j]).collect();
    let tables = &mut plan.tables;
    let j = &mut plan.jacobian;
    j.products = products.build_products(tables, drafts.rates, n + 1, &column);
    j.species = species.build(tables, None);
    j.third_gather = third_gather.build(tables, None);
    j.third_spread = spread.spread(tables);
    j.ctot_q = ctot_q.build(tables, None);
    j.ctot_third = ctot_third.spread(tables);
    pairs.len()
}

/// Tabulates the positions of species entries by row, and of the columns and rows of T, σ and the imposed
/// quantity.
fn borders(plan: &mut Plan, pattern: &[Vec<usize>], position: &Position) {
    let (n, imposed) = (plan.species, plan.imposed());
    let (mut row_ptr, mut rows) = (vec![0], Vec::new());
    for (i, r) in pattern.iter().enumerate().take(n) {
        rows.extend(r.iter().filter(|&&j| j < n).flat_map(|&j| [position[&(i, j)], j]));
        row_ptr.push(rows.len() / 2);
    }
    let (tables, j) = (&mut plan.tables, &mut plan.jacobian);
    if !plan.given {
        let (t, s) = (n, n + 1);
        // In the order of PHI_T, PHI_SIGMA, T_PHI, SIGMA_PHI.
        let border = (0..n).flat_map(|k| [position[&(k, t)], position[&(k, s)], position[&(t, k)], position[&(s, k)]]);
        j.border = tables.indices(border);
        j.corner = [position[&(t, t)], position[&(t, s)], position[&(s, t)], position[&(s, s)]];
    }
    if let Some(q) = imposed {
        j.imposed = tables.indices((0..n + 2).map(|k| position[&(k, q)]));
    }
    j.row_ptr = tables.indices(row_ptr);
    j.rows = tables.indices(rows);
}

/// Lays out J, the factors, and the arrays that only the evaluation of J needs.
fn arrays(plan: &mut Plan, drafts: &Drafts, collider_pairs: usize) {
    let (n, entries) = (plan.species, plan.lu.entries);
    let size = plan.lu.n;
    let Plan { layout, kinetics, jacobian: j, lu, .. } = plan;
    j.values = layout.coarse(entries);
    layout.either(
        |l| {
            j.rates = l.fine(drafts.rates + 1);
            j.slots = l.coarse(drafts.slots);
            j.extra = l.coarse(drafts.extra);
            j.q_t = l.array(drafts.reactions.len() + 1);
            kinetics.reverse = j.q_t;
            kinetics.k_t = l.fine(kinetics.k.len as usize);
            kinetics.k_aux = l.fine(kinetics.aux.max(1));
            j.third = l.coarse(collider_pairs);
            j.heat = l.coarse(n);
            j.wdot_t = l.coarse(n);
            j.wdot_ctot = l.coarse(n);
        },
        |l| lu.factors = Factors::real(l, size, entries),
    );
}
