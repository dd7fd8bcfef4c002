//! A solver allocates when it is planned, not when it is used. In a file of its own: the counter sees every thread.

use kinlane::{Advance, Cells, Layout, Mechanism, Outcome, Source};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const CELLS: usize = 50;

#[test]
fn nothing_is_allocated_while_a_batch_is_advanced() {
    let m = Mechanism::bundled("h2").expect("the bundled mechanism reads");
    let one = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("known species");
    let n = one.len();
    for method in kinlane::methods().map(|m| m.name) {
        let ways = [
            (Layout::CellMajor, false, false, 1),
            (Layout::SpeciesMajor, true, false, 3),
            (Layout::CellMajor, false, true, 3),
        ];
        for (layout, sources, remembers, threads) in ways {
            let mut t: Vec<f64> = (0..CELLS).map(|i| 1000.0 + 10.0 * i as f64).collect();
            let mut p = vec![101_325.0; CELLS];
            let mut y: Vec<f64> = match layout {
                Layout::CellMajor => one.repeat(CELLS),
                Layout::SpeciesMajor => one.iter().flat_map(|&y| [y; CELLS]).collect(),
            };
            let (dydt, heating) = (vec![0.0; CELLS * n], vec![1e6; CELLS]);
            let mut outcome = vec![Outcome::default(); CELLS];
            let plan = Advance::builder(&m).method(method).threads(threads);
            let mut solver = if method == "rk4" { plan.first_step(1e-7) } else { plan }.plan().expect("plans");
            let mut continuation = solver.continuation(CELLS);
            let counts: Vec<usize> = (0..5)
                .map(|_| {
                    let mut cells = Cells::new(&mut t, &mut p, &mut y, layout, &mut outcome);
                    cells.source = sources.then_some(Source { dydt: &dydt, heating: &heating });
                    let region = Region::new(COUNTED);
                    let report = match remembers {
                        true => solver.advance_continuing(cells, &mut continuation, 1e-6),
                        false => solver.advance(cells, 1e-6),
                    };
                    let report = report.expect("advances");
                    let change = region.change();
                    assert_eq!(report.failed, 0, "{method}");
                    change.allocations + change.reallocations
                })
                .collect();
            // The harness has a thread of its own, which may allocate meanwhile, once; the solver would every time.
            let clean = counts.iter().filter(|&&c| c == 0).count();
            assert!(clean >= 4, "{method}, {layout:?}: allocations in five calls: {counts:?}");
        }
    }
}
