//! What a plan promises to the programs that run over it.

use kinlane_mech::Network;
use kinlane_plan::Plan;
use kinlane_plan::plan::ROWS;
use kinlane_testdata::files;
use std::collections::{BTreeMap, BTreeSet};

fn networks() -> Vec<(String, Network)> {
    let mut all = files::rate_types();
    for name in ["h2co_burke", "gri30", "nh3_alzueta_lmrr", "usc_mech_ii", "nuig_c3_41", "aramco13"] {
        all.extend(files::mechanism(name).map(|n| (name.to_owned(), n)));
    }
    all
}

/// Rows of the factors, in elimination order.
fn rows(plan: &Plan) -> Vec<Vec<usize>> {
    let (row, col) = (plan.tables.list(plan.lu.row), plan.tables.list(plan.lu.col));
    row.windows(2).map(|w| col[w[0] as usize..w[1] as usize].iter().map(|&j| j as usize).collect()).collect()
}

#[test]
fn the_order_is_a_permutation_with_temperature_and_sigma_last() {
    for (name, network) in networks() {
        let plan = Plan::new(&network);
        let order: Vec<usize> = plan.tables.list(plan.lu.order).iter().map(|&i| i as usize).collect();
        let n = plan.species;
        assert_eq!(plan.lu.n, n + 2, "{name}");
        assert_eq!(order.iter().copied().collect::<BTreeSet<_>>(), (0..n + 2).collect(), "{name}");
        assert_eq!(order[n..], [n, n + 1], "{name}");
    }
}

#[test]
fn the_pattern_of_the_factors_is_closed_under_elimination() {
    for (name, network) in networks() {
        let plan = Plan::new(&network);
        let rows = rows(&plan);
        let diag = plan.tables.list(plan.lu.diag);
        let start = plan.tables.list(plan.lu.row);
        let mut operations = 0;
        for (i, r) in rows.iter().enumerate() {
            assert!(r.is_sorted_by(|a, b| a < b), "{name}: row {i}");
            assert_eq!(r[(diag[i] - start[i]) as usize], i, "{name}: diagonal of row {i}");
            let own: BTreeSet<usize> = r.iter().copied().collect();
            for &k in r.iter().take_while(|&&k| k < i) {
                for j in rows[k].iter().filter(|&&j| j > k) {
                    assert!(own.contains(j), "{name}: fill at ({i}, {j}) from row {k} has no place");
                    operations += 1;
                }
            }
        }
        assert_eq!(operations, plan.lu.operations, "{name}");
        assert!(rows[plan.lu.dense..].iter().enumerate().all(|(d, r)| {
            let i = plan.lu.dense + d;
            r.iter().filter(|&&j| j >= i).count() == plan.lu.n - i
        }));
    }
}

/// Blocks of rows made together name, for every row, exactly the rows of U from before the block that it needs.
#[test]
fn blocks_of_rows_name_every_row_they_need() {
    for (name, network) in networks() {
        let plan = Plan::new(&network);
        let n = plan.lu.n;
        let rows = rows(&plan);
        let list = |t| plan.tables.list(t).iter().map(|&i| i as usize).collect::<Vec<_>>();
        let blocks = plan.lu.blocks;
        let (start, steps, items) = (list(blocks.start), list(blocks.steps), list(blocks.items));
        assert_eq!((start[0], start.last().copied()), (0, Some(n)), "{name}");
        assert_eq!(steps.last().copied(), Some(items.len()), "{name}");
        assert!(plan.lu.factors.work.len as usize >= ROWS * n, "{name}");
        for (b, w) in start.windows(2).enumerate() {
            let (first, next) = (w[0], w[1]);
            assert!((1..=ROWS).contains(&(next - first)), "{name}: block {b} of {} rows", next - first);
            let mut named: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
            let mut at = steps[b];
            let mut last = None;
            while at < steps[b + 1] {
                let (k, count) = (items[at], items[at + 1]);
                assert!((1..=ROWS).contains(&count) && last < Some(k), "{name}: block {b}");
                last = Some(k);
                for offset in &items[at + 2..at + 2 + count] {
                    assert_eq!(offset % n, 0, "{name}: block {b}");
                    assert!(named.entry(first + offset / n).or_default().insert(k), "{name}: block {b}");
                }
                at += 2 + count;
            }
            for (r, row) in rows.iter().enumerate().take(next).skip(first) {
                let want: BTreeSet<usize> = row.iter().copied().filter(|&k| k < first).collect();
                assert_eq!(named.remove(&r).unwrap_or_default(), want, "{name}: row {r}");
            }
            assert!(named.is_empty(), "{name}: block {b}");
        }
    }
}

#[test]
fn every_reaction_has_its_place_and_only_changing_species_count_in_the_norm() {
    for (name, network) in networks() {
        let plan = Plan::new(&network);
        let mut taken = BTreeSet::new();
        for (r, &(forward, reverse)) in network.reactions.iter().zip(&plan.kinetics.place) {
            for i in [Some(forward), reverse].into_iter().flatten() {
                assert!(i < plan.kinetics.reactions && taken.insert(i), "{name}: {}", r.equation);
            }
        }
        assert_eq!(taken.len(), plan.kinetics.reactions, "{name}");
        let mut changes = vec![0.0; plan.species];
        let mut changing: BTreeSet<usize> = [plan.species].into();
        for r in &network.reactions {
            r.reactants.iter().for_each(|&(k, v)| changes[k] -= v);
            r.products.iter().for_each(|&(k, v)| changes[k] += v);
            for &(k, _) in r.reactants.iter().chain(&r.products) {
                if changes[k] != 0.0 {
                    changing.insert(k);
                }
                changes[k] = 0.0;
            }
        }
        let active: BTreeSet<usize> = plan.tables.list(plan.active).iter().map(|&k| k as usize).collect();
        assert_eq!(active, changing, "{name}");
    }
}
