//! Hosts whose threads have floating-point traps on, or round otherwise.
#![cfg(target_arch = "x86_64")]
#![allow(unsafe_code, reason = "it sets the control register of its thread")]

use kinlane_lanes::{Cells, Engine, Layout, Points, Signals};
use kinlane_plan::Plan;
use kinlane_solve::{Options, Outcome};
use std::arch::asm;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// MXCSR with nothing masked, rounding up, subnormal numbers flushed to zero.
const TRAPS: u32 = 0x1F80 & !0x0E80 | 0x4000 | 0x8040;

/// Runs with the control register of this thread set, and returns what it is afterwards.
fn under<T>(control: u32, run: impl FnOnce() -> T) -> (T, u32) {
    let (mut before, mut after) = (0u32, 0u32);
    // SAFETY: the register is put back before anything else computes.
    unsafe {
        asm!("stmxcsr [{}]", in(reg) &raw mut before);
        asm!("ldmxcsr [{}]", in(reg) &raw const control);
        let out = run();
        asm!("stmxcsr [{}]", in(reg) &raw mut after);
        asm!("ldmxcsr [{}]", in(reg) &raw const before);
        (out, after)
    }
}

#[test]
fn a_host_with_traps_gets_the_same_bits() {
    let Some(network) = kinlane_testdata::files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let n = plan.species;
    let go = |method: &str, threads: usize| {
        let options = Options { method: Some(method.to_owned()), ..Options::default() };
        let mut engine = Engine::new(Arc::clone(&plan), options, threads).unwrap();
        // The last cell is beyond all laws: its numbers overflow, and it fails.
        let (mut t, mut p) = (vec![1000.0, 1200.0, 2500.0, 300.0, 1e9], vec![1e5; 5]);
        let mut y = vec![1.0 / n as f64; 5 * n];
        let mut outcome = vec![Outcome::default(); 5];
        let mut wdot = vec![0.0; 5 * n];
        engine.rates(Points::new(&t, &p, &y, Layout::CellMajor), &mut wdot, None).unwrap();
        let cells = Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome);
        engine.advance(cells, 1e-4, Signals { progress: &AtomicUsize::new(0), stop: &AtomicBool::new(false) }).unwrap();
        [t, y, wdot].concat().into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    for method in ["auto", "rodas5p", "bdf", "radau5", "chemeq2", "asymptotic"] {
        for threads in [1, 3] {
            let want = go(method, threads);
            let (got, after) = under(TRAPS, || go(method, threads));
            assert!(got == want, "{method}, {threads} threads: other bits");
            // The low six bits are flags of what has happened.
            assert_eq!(after & !0x3F, TRAPS & !0x3F, "the host's settings come back");
        }
    }
}
