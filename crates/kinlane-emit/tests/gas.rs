//! Emitted gas chemistry against the scalar machine, bit by bit.

mod common;

use common::{Compiled, assert_same, compiler, fill, plan, scalar};
use kinlane_emit::Recorder;
use kinlane_plan::{Machine, Plan};
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::reactor;
use kinlane_solve::methods::rosenbrock::{self, Workspace};
use kinlane_solve::methods::tableau::RODAS4;

fn production<M: Machine>(m: M, plan: &Plan, w: &Workspace) {
    reactor::production(m, plan, Reactor::ConstP, w.y);
}

fn attempt<M: Machine>(m: M, plan: &Plan, w: &Workspace, reactor: Reactor) {
    rosenbrock::attempt(m, Gas { plan, reactor }, &RODAS4, rosenbrock::controller(&RODAS4), w);
}

/// Records, compiles, runs and compares production rates and attempted steps of cells from cold to burnt.
fn compare(name: &str, plan: &Plan, reactor: Reactor) {
    let mut layout = plan.layout;
    let w = Workspace::new(&mut layout, plan.species + 2, &RODAS4);
    let mut cells = Vec::new();
    for (seed, t, h) in
        [(1, 300.0, 1e-12), (2, 999.0, 1e-5), (3, 1000.0, 1e-14), (4, 1600.0, 1e-11), (5, 2900.0, 1e-13)]
    {
        let mut arena = vec![0.0; layout.len()];
        fill(plan, &mut arena, w.y, reactor, t, seed);
        let c = &w.clock;
        for (a, x) in [(c.left, 1e-3), (c.h, h), (c.rtol, 1e-6), (c.atol, 1e-12)] {
            arena[a.at as usize] = x;
        }
        cells.push(arena);
    }
    let recorder = Recorder::new();
    recorder.entry("rates", |m| production(m, plan, &w));
    let rates = recorder.finish();
    let recorder = Recorder::new();
    recorder.entry("attempt", |m| attempt(m, plan, &w, reactor));
    let step = recorder.finish();
    if !compiler() {
        return;
    }
    let c = Compiled::new(&format!("{name}_rates"), &rates, &plan.tables, "rates", layout.len());
    for (cell, emitted) in cells.iter().zip(c.run(&cells)) {
        assert_same(name, &emitted, &scalar(&plan.tables, cell, |m| production(m, plan, &w)));
    }
    let c = Compiled::new(&format!("{name}_attempt"), &step, &plan.tables, "attempt", layout.len());
    let mut moved = 0;
    // Three attempts in a row, so that the controller's own variables are seen too.
    for round in 0..3 {
        let expected: Vec<_> =
            cells.iter().map(|a| scalar(&plan.tables, a, |m| attempt(m, plan, &w, reactor))).collect();
        for ((cell, emitted), expected) in cells.iter().zip(c.run(&cells)).zip(&expected) {
            assert_same(&format!("{name}, attempt {round}"), &emitted, expected);
            moved += usize::from(
                cell[w.y.at as usize..][..w.y.len as usize] != expected[w.y.at as usize..][..w.y.len as usize],
            );
        }
        cells = expected;
    }
    assert!(moved > 5, "{name}: only {moved} attempts moved a cell");
}

#[test]
fn rodas4_on_hydrogen() {
    if let Some(p) = plan("h2co_burke") {
        compare("h2co", &p, Reactor::ConstV);
    }
}

#[test]
fn rodas4_on_gri30() {
    if let Some(p) = plan("gri30") {
        compare("gri30", &p, Reactor::ConstP);
    }
}
