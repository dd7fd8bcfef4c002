//! A solver allocates when it is planned, not when it is used. In a file of its own: the counter sees every thread.

use kinlane::{Advance, Mechanism, States};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn nothing_is_allocated_while_a_batch_is_advanced() {
    let m = Mechanism::bundled("h2").expect("the bundled mechanism reads");
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("known species");
    let t: Vec<f64> = (0..50).map(|i| 1000.0 + 10.0 * f64::from(i)).collect();
    let mut cells = States::new(&m, t, vec![101_325.0; 50], y.repeat(50)).expect("good");
    // One thread: starting a thread allocates its name and its stack, whatever the work.
    let mut solver = Advance::new(&m).threads(1).plan().expect("plans");
    // The test harness has a thread of its own that may allocate meanwhile, once; the solver would every time.
    let counts: Vec<usize> = (0..5)
        .map(|_| {
            let region = Region::new(COUNTED);
            let report = solver.advance_states(&mut cells, 1e-6).expect("advances");
            assert_eq!(report.failed, 0);
            let change = region.change();
            change.allocations + change.reallocations
        })
        .collect();
    assert!(counts.contains(&0), "allocations in five calls: {counts:?}");
}
