//! What a plan promises to the programs that run over it.

use kinlane_mech::Network;
use kinlane_plan::Plan;
use kinlane_plan::plan::{Features, NONE, ROWS};
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
        assert_eq!(plan.lu.border(), n, "{name}");
        let driven = Plan::with(&network, Features { history: true, ..Features::default() });
        let order = driven.tables.list(driven.lu.order);
        assert_eq!(order[0] as usize, n + 2, "{name}: what is imposed");
        assert_eq!(order[driven.lu.border()..], [n as u32, n as u32 + 1], "{name}");
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
    }
}

/// Two rows of U that are applied together: every entry right of them occurs once, in the list where it belongs.
/// Returns the lists' length.
fn check_pair(plan: &Plan, [k, l]: [usize; 2], cross: usize, counts: [usize; 3], lists: &[usize]) -> usize {
    let (row, diag, col) =
        (plan.tables.list(plan.lu.row), plan.tables.list(plan.lu.diag), plan.tables.list(plan.lu.col));
    let entries = |i: usize| -> BTreeMap<usize, usize> {
        (diag[i] + 1..row[i + 1]).map(|e| (col[e as usize] as usize, e as usize)).collect()
    };
    let (mut of_k, mut of_l) = (entries(k), entries(l));
    assert_eq!(of_k.remove(&l).unwrap_or(NONE as usize), cross);
    let (both, rest) = lists.split_at(3 * counts[0]);
    for e in both.chunks(3) {
        assert_eq!((of_k.remove(&e[2]), of_l.remove(&e[2])), (Some(e[0]), Some(e[1])));
    }
    let (one, other) = rest.split_at(2 * counts[1]);
    for (left, list) in [(&mut of_k, one), (&mut of_l, &other[..2 * counts[2]])] {
        for e in list.chunks(2) {
            assert_eq!(left.remove(&e[1]), Some(e[0]));
        }
        assert!(left.is_empty(), "rows {k} and {l}: {left:?}");
    }
    3 * counts[0] + 2 * (counts[1] + counts[2])
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
                let (together, count) = (items[at], items[at + 1]);
                assert!((1..=2).contains(&together) && (1..=ROWS).contains(&count), "{name}: block {b}");
                let applied = &items[at + 2..at + 2 + together];
                at += 2 + together;
                let lists = if together == 2 { items[at..at + 4].to_vec() } else { Vec::new() };
                at += lists.len();
                for &k in applied {
                    assert!(last < Some(k), "{name}: block {b}");
                    last = Some(k);
                    for offset in &items[at..at + count] {
                        assert_eq!(offset % n, 0, "{name}: block {b}");
                        assert!(named.entry(first + offset / n).or_default().insert(k), "{name}: block {b}");
                    }
                }
                at += count;
                if let [cross, both, one, other] = lists[..] {
                    at += check_pair(&plan, [applied[0], applied[1]], cross, [both, one, other], &items[at..]);
                }
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
