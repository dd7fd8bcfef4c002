//! Emitted gas chemistry against the scalar machine, bit by bit.

use crate::common::{Pair, Task, attempt, fill, plan};
use kinlane_plan::{Array, Machine, Plan};
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::reactor;
use kinlane_solve::methods::control::Start;
use kinlane_solve::methods::{Method, Stepper};

struct Production<'a>(&'a Plan, &'a Stepper, Reactor);
impl Task for Production<'_> {
    fn run<M: Machine>(&self, m: M) {
        reactor::production(m, self.0, self.2, self.1.y);
    }
}

struct Attempt<'a>(&'a Plan, &'a Stepper, Reactor);
impl Task for Attempt<'_> {
    fn run<M: Machine>(&self, m: M) {
        let gas = Gas::new(self.0, self.2);
        attempt(m, self.1, gas);
    }
}

/// Compares production rates, and attempted steps of cells from cold to burnt. Returns how many were accepted.
fn compare(name: &str, plan: &Plan, reactor: Reactor, method: &str, attempts: usize) -> f64 {
    let mut layout = plan.layout;
    let method = Method::find(method).unwrap();
    let w = Stepper::new(&mut layout, method, Gas::new(plan, reactor).dimensions());
    let mut cells = Vec::new();
    for (seed, t, h) in
        [(1, 300.0, 1e-12), (2, 999.0, 1e-5), (3, 1000.0, 1e-14), (4, 1600.0, 1e-11), (5, 2900.0, 1e-13)]
    {
        let mut arena = vec![0.0; layout.len()];
        fill(plan, &mut arena, w.y, reactor, t, seed);
        for (a, x) in w.clock.start(Start { dt: 1e-3, h, rtol: 1e-6, atol: 1e-12, budget: 1000.0, only_end: true }) {
            arena[a.at as usize] = x;
        }
        cells.push(arena);
    }
    Pair::new(&format!("{name}_rates"), &plan.tables, layout.len(), Production(plan, &w, reactor))
        .run(&mut cells.clone());
    let name = format!("{name}_attempt");
    let attempt = Pair::new(&name, &plan.tables, layout.len(), Attempt(plan, &w, reactor));
    // What is run where any cell asks leaves other traces in its work arrays, not in what counts.
    let seen: Vec<Array> = [w.y, w.y1, w.error].into_iter().chain(w.clock.arrays().map(|(_, a)| a)).collect();
    // Several in a row, so that the controller's own variables are seen too.
    for _ in 0..attempts {
        attempt.run_watching(&mut cells, &seen);
    }
    cells.iter().map(|c| c[w.clock.steps.at as usize]).sum()
}

#[test]
fn rodas4_on_hydrogen() {
    if let Some(p) = plan("h2co_burke") {
        assert!(compare("h2co", &p, Reactor::ConstV, "rodas4", 4) > 6.0, "hardly any step was accepted");
    }
}

/// An attempt of RKC is a stage: there must be many of them.
#[test]
fn methods_without_factors_on_hydrogen() {
    let Some(p) = plan("h2co_burke") else { return };
    for (method, attempts) in [("exp4", 4), ("exprb43", 4), ("chemeq2", 4), ("asymptotic", 4), ("rkc", 20)] {
        assert!(compare(&format!("h2co_{method}"), &p, Reactor::ConstP, method, attempts) > 6.0, "{method}");
    }
}

#[test]
fn rodas4_on_gri30() {
    if let Some(p) = plan("gri30") {
        assert!(compare("gri30", &p, Reactor::ConstP, "rodas4", 4) > 6.0, "hardly any step was accepted");
    }
}

/// For the sizes and times it prints; in release.
#[test]
#[ignore = "a measurement"]
fn rodas4_on_heptane() {
    if let Some(p) = plan("llnl_nc7_v31") {
        compare("heptane", &p, Reactor::ConstP, "rodas4", 4);
    }
}

/// A mechanism with every rate law. Its numbers mean nothing, so no attempt needs to succeed.
#[test]
fn every_rate_law() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../kinlane-mech/tests/small.yaml");
    let plan = Plan::new(&kinlane_mech::cantera::read(&path, None, &[]).unwrap());
    compare("small", &plan, Reactor::FixedT, "rodas4", 4);
}
