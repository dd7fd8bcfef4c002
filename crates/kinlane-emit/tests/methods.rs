//! Radau5 and BDF over `Machine`: they integrate, and they are recorded and emitted like everything else.

mod common;
mod sketches;

use common::{Pair, Task, fill, plan};
use kinlane_plan::machine::Array;
use kinlane_plan::{Machine, Plan, Scalar};
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::control::Clock;
use kinlane_solve::methods::rosenbrock;
use kinlane_solve::methods::tableau::RODAS4;
use sketches::fields::{self, Factors};
use sketches::{bdf, radau};

const DT: f64 = 1e-6;

fn cell(plan: &Plan, len: usize, y: Array, c: &Clock, seed: u64, rtol: f64) -> Vec<f64> {
    let mut arena = vec![0.0; len];
    fill(plan, &mut arena, y, Reactor::ConstP, 900.0 + 200.0 * seed as f64, seed);
    for (a, x) in [(c.left, DT), (c.h, 1e-13), (c.rtol, rtol), (c.atol, 1e-14)] {
        arena[a.at as usize] = x;
    }
    arena
}

fn values(arena: &[f64], a: Array) -> Vec<f64> {
    arena[a.at as usize..][..a.len as usize].to_vec()
}

/// Attempts until the end; returns the number of attempts.
fn to_the_end(plan: &Plan, task: &impl Task, arena: &mut [f64], left: Array) -> usize {
    for i in 0..20_000 {
        if arena[left.at as usize] <= 0.0 {
            return i;
        }
        task.run(Scalar::new(&plan.tables, arena));
    }
    panic!("{} s left", arena[left.at as usize]);
}

struct Rodas<'a>(Gas<'a>, rosenbrock::Workspace);
impl Task for Rodas<'_> {
    fn run<M: Machine>(&self, m: M) {
        rosenbrock::attempt(m, self.0, &RODAS4, rosenbrock::controller(&RODAS4), &self.1);
    }
}
struct Radau<'a>(Gas<'a>, radau::Workspace);
impl Task for Radau<'_> {
    fn run<M: Machine>(&self, m: M) {
        radau::attempt(m, self.0, &self.1);
    }
}
struct Bdf<'a>(Gas<'a>, bdf::Workspace);
impl Task for Bdf<'_> {
    fn run<M: Machine>(&self, m: M) {
        bdf::attempt(m, self.0, &self.1);
    }
}

fn gas(plan: &Plan) -> Gas<'_> {
    Gas { plan, reactor: Reactor::ConstP }
}

/// What Rodas4 with tight tolerances says.
fn reference(plan: &Plan, seed: u64) -> Vec<f64> {
    let mut layout = plan.layout;
    let w = rosenbrock::Workspace::new(&mut layout, plan.species + 2, &RODAS4);
    let mut arena = cell(plan, layout.len(), w.y, &w.clock, seed, 1e-9);
    to_the_end(plan, &Rodas(gas(plan), w), &mut arena, w.clock.left);
    values(&arena, w.y)
}

/// Largest difference relative to the reference, of what is not a trace.
fn difference(y: &[f64], reference: &[f64]) -> f64 {
    let pairs = y.iter().zip(reference).filter(|(_, r)| r.abs() > 1e-6);
    pairs.map(|(y, r)| ((y - r) / r).abs()).fold(0.0, f64::max)
}

#[test]
fn the_real_instance_is_the_factorisation_of_the_library() {
    let Some(plan) = plan("h2co_burke") else { return };
    struct Both<'a>(&'a Plan, bool, rosenbrock::Workspace, Factors<Array>);
    impl Task for Both<'_> {
        fn run<M: Machine>(&self, m: M) {
            use kinlane_solve::methods::Problem;
            let (g, lu, w) = (gas(self.0), &self.0.lu, &self.2);
            g.rhs_and_jacobian(m, w.y, w.f);
            if self.1 {
                fields::factor(m, lu, self.3, self.0.jacobian.values, fields::Plain(m.lit(1e8)));
                fields::solve(m, lu, self.3, w.f);
            } else {
                g.factor(m, m.lit(1e8));
                g.solve(m, w.f);
            }
        }
    }
    let mut layout = plan.layout;
    let w = rosenbrock::Workspace::new(&mut layout, plan.species + 2, &RODAS4);
    let lu = &plan.lu;
    let f = Factors { values: lu.values, inverse: lu.inverse, work: lu.work, x: lu.x };
    let run = |own: bool| {
        let mut arena = cell(&plan, layout.len(), w.y, &w.clock, 1, 1e-6);
        Both(&plan, own, w, f).run(Scalar::new(&plan.tables, &mut arena));
        values(&arena, w.f)
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn radau_integrates_and_is_emitted() {
    for name in ["h2co_burke", "gri30"] {
        let Some(plan) = plan(name) else { return };
        let mut layout = plan.layout;
        let w = radau::Workspace::new(&mut layout, &gas(&plan));
        let mut cells: Vec<_> = (0..3).map(|seed| cell(&plan, layout.len(), w.y, &w.clock, seed, 1e-7)).collect();
        let what = format!("{name}_radau");
        let pair = Pair::new(&what, &plan.tables, layout.len(), Radau(gas(&plan), w));
        // What a cell that has converged recomputes with the others is scratch: the oracle always does, C does not.
        let state = [w.y, w.y1, w.w[0], w.w[1], w.w[2], w.z[0], w.z[1], w.z[2], w.converged, w.clock.h, w.clock.error];
        for _ in 0..4 {
            pair.run_watching(&mut cells, &state);
        }
        if name == "gri30" {
            continue; // unoptimised tests take their time
        }
        for (seed, cell) in cells.iter_mut().enumerate() {
            let attempts = to_the_end(&plan, &Radau(gas(&plan), w), cell, w.clock.left);
            let error = difference(&values(cell, w.y), &reference(&plan, seed as u64));
            eprintln!("{name}, cell {seed}: {attempts} attempts more, difference {error:.1e}");
            assert!(error < 1e-4, "cell {seed}: {error:e}");
        }
    }
}

#[test]
fn bdf_integrates_and_is_emitted() {
    for name in ["h2co_burke", "gri30"] {
        let Some(plan) = plan(name) else { return };
        let mut layout = plan.layout;
        let w = bdf::Workspace::new(&mut layout, plan.species + 2);
        let mut cells: Vec<_> = (0..3)
            .map(|seed| {
                let mut arena = cell(&plan, layout.len(), w.d[0], &w.clock, seed, 1e-7);
                bdf::start(Scalar::new(&plan.tables, &mut arena), gas(&plan), &w);
                arena
            })
            .collect();
        let what = format!("{name}_bdf");
        let pair = Pair::new(&what, &plan.tables, layout.len(), Bdf(gas(&plan), w));
        let lu = &plan.lu;
        let mut state = w.d.to_vec();
        state.extend([w.base, w.diagonal, w.order, w.h, w.equal, w.stale, w.change, w.clock.h, w.clock.error]);
        // The factors and the Jacobian too: remade from the same inputs they have the same bits.
        state.extend([lu.values, lu.inverse, plan.jacobian.values]);
        let mut orders = Vec::new();
        for _ in 0..60 {
            pair.run_watching(&mut cells, &state);
            orders.extend(cells.iter().map(|c| c[w.order.at as usize] as usize));
        }
        assert!(*orders.iter().max().unwrap() > 2, "{name}: the order stayed low");
        if name == "gri30" {
            continue;
        }
        for (seed, cell) in cells.iter_mut().enumerate() {
            let attempts = to_the_end(&plan, &Bdf(gas(&plan), w), cell, w.clock.left);
            let error = difference(&values(cell, w.d[0]), &reference(&plan, seed as u64));
            eprintln!("{name}, cell {seed}: {attempts} attempts more, difference {error:.1e}");
            assert!(error < 1e-3, "cell {seed}: {error:e}");
        }
    }
}
