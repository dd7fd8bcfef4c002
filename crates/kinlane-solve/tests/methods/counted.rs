//! What a method reports to have evaluated, factored and solved, against the calls it makes.

use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Indices, Machine, Real, Reals};
use kinlane_plan::number::{Complex, ComplexArray};
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_plan::{Plan, Scalar};
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::control::{DONE, Start};
use kinlane_solve::methods::method::{ALL, Kind};
use kinlane_solve::methods::problem::{Allowance, Equations, Invariants, Linear, Measure};
use kinlane_solve::methods::{Method, Problem, Stepper};
use kinlane_solve::{Cost, Options};
use kinlane_testdata::random::mixtures;
use kinlane_testdata::{Oracle, State, files};
use std::cell::Cell;

/// The scalar machine, where, if it is frugal, what stands in `if_any` runs only if the mask holds: the scalar machine always runs
/// it. One type for both, since each copy of all methods takes the compiler half a minute.
#[derive(Clone, Copy)]
struct Frugal<'a>(Scalar<'a, f64>, bool);

impl Machine for Frugal<'_> {
    type R = f64;
    type I = usize;

    fn i(self, i: usize) -> usize {
        i
    }
    fn get(self, a: Array, i: usize) -> f64 {
        self.0.get(a, i)
    }
    fn put(self, a: Array, i: usize, x: f64) {
        self.0.put(a, i, x);
    }
    fn real(self, t: Reals, i: usize) -> f64 {
        self.0.real(t, i)
    }
    fn index(self, t: Indices, i: usize) -> usize {
        self.0.index(t, i)
    }
    fn each(self, lo: usize, hi: usize, f: impl Fn(usize)) {
        self.0.each(lo, hi, f);
    }
    fn ordered(self, lo: usize, hi: usize, f: impl Fn(usize)) {
        self.0.ordered(lo, hi, f);
    }
    fn fold(self, lo: usize, hi: usize, init: f64, f: impl Fn(f64, usize) -> f64) -> f64 {
        self.0.fold(lo, hi, init, f)
    }
    fn folds<const N: usize>(
        self,
        lo: usize,
        hi: usize,
        init: [f64; N],
        f: impl Fn([f64; N], usize) -> [f64; N],
    ) -> [f64; N] {
        self.0.folds(lo, hi, init, f)
    }
    fn if_any(self, mask: bool, f: impl Fn()) {
        if mask || !self.1 {
            f();
        }
    }
    fn function(self, name: &'static str, f: impl Fn()) {
        self.0.function(name, f);
    }
    fn mirror(self, i: usize, n: usize) -> usize {
        self.0.mirror(i, n)
    }
}

/// How often each was called.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Calls {
    /// f(y) alone.
    rhs: u32,
    /// f(y) split into gain and decay.
    split: u32,
    /// f(y) and J.
    jacobian: u32,
    factor: u32,
    factor_complex: u32,
    solve: u32,
    solve_complex: u32,
    times: u32,
    norm: u32,
}

/// A problem that counts.
#[derive(Clone, Copy)]
struct Counted<'a, P> {
    problem: P,
    calls: &'a Cell<Calls>,
}

impl<P> Counted<'_, P> {
    fn add(&self, to: impl Fn(&mut Calls) -> &mut u32) {
        let mut calls = self.calls.get();
        *to(&mut calls) += 1;
        self.calls.set(calls);
    }
}

impl<M: Machine, P: Problem<M>> Equations<M> for Counted<'_, P> {
    fn len(&self) -> usize {
        self.problem.len()
    }
    fn rhs(&self, m: M, y: Array, f: Array) {
        self.add(|c| &mut c.rhs);
        self.problem.rhs(m, y, f);
    }
    fn split(&self, m: M, y: Array, f: Array, q: Array, p: Array) {
        self.add(|c| &mut c.split);
        self.problem.split(m, y, f, q, p);
    }
    fn begin(&self, m: M, y: Array, atol: M::R, span: M::R) {
        self.problem.begin(m, y, atol, span);
    }
    fn admit_negative(self, m: M, atol: M::R, admit: bool) -> Self {
        Self { problem: self.problem.admit_negative(m, atol, admit), ..self }
    }
    fn plausible(&self, m: M, y: Array) -> <M::R as Real>::Mask {
        self.problem.plausible(m, y)
    }
}

impl<M: Machine, P: Problem<M>> Linear<M> for Counted<'_, P> {
    fn rhs_and_jacobian(&self, m: M, y: Array, f: Array) {
        self.add(|c| &mut c.jacobian);
        self.problem.rhs_and_jacobian(m, y, f);
    }
    fn factor(&self, m: M, d: M::R) {
        self.add(|c| &mut c.factor);
        self.problem.factor(m, d);
    }
    fn grows(&self, m: M, in_place: bool, y: Array, f: Array, d: M::R) -> <M::R as Real>::Mask {
        self.problem.grows(m, in_place, y, f, d)
    }
    fn outdated(&self, m: M, y: Array) -> <M::R as Real>::Mask {
        self.problem.outdated(m, y)
    }
    fn solve(&self, m: M, b: Array) {
        self.add(|c| &mut c.solve);
        self.problem.solve(m, b);
    }
    fn factor_in_place(&self, m: M, d: M::R) {
        self.add(|c| &mut c.factor);
        self.problem.factor_in_place(m, d);
    }
    fn solve_in_place(&self, m: M, b: Array) {
        self.add(|c| &mut c.solve);
        self.problem.solve_in_place(m, b);
    }
    fn factor_complex(&self, m: M, factors: &Factors<ComplexArray>, d: Complex<M::R>) {
        self.add(|c| &mut c.factor_complex);
        self.problem.factor_complex(m, factors, d);
    }
    fn solve_complex(&self, m: M, factors: &Factors<ComplexArray>, b: ComplexArray) {
        self.add(|c| &mut c.solve_complex);
        self.problem.solve_complex(m, factors, b);
    }
    fn times(&self, m: M, v: Array, product: Array) {
        self.add(|c| &mut c.times);
        self.problem.times(m, v, product);
    }
    fn diagonal(&self, m: M, diagonal: Array) {
        self.problem.diagonal(m, diagonal);
    }
}

impl<M: Machine, P: Problem<M>> Measure<M> for Counted<'_, P> {
    fn norm(&self, m: M, y: Array, y1: Array, allowed: Allowance<M::R>, e: impl Fn(M::I) -> M::R) -> M::R {
        self.add(|c| &mut c.norm);
        self.problem.norm(m, y, y1, allowed, e)
    }
    fn size(&self, m: M, y: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R {
        self.problem.size(m, y, rtol, atol, e)
    }
    fn weights(&self, m: M, y: Array, rtol: M::R, atol: M::R, weight: Array) {
        self.problem.weights(m, y, rtol, atol, weight);
    }
}

impl<M: Machine, P: Problem<M>> Invariants<M> for Counted<'_, P> {
    fn restore_sums(&self, m: M, y: Array, y1: Array, h: M::R) -> M::R {
        self.problem.restore_sums(m, y, y1, h)
    }
    fn clip_noise(&self, m: M, y: Array, f: Array, h: M::R, atol: M::R) {
        self.problem.clip_noise(m, y, f, h, atol);
    }
    fn remember(&self, m: M, y: Array) {
        self.problem.remember(m, y);
    }
    fn energy_lost(&self, m: M, y: Array, y1: Array, h: M::R, rtol: M::R) -> [M::R; 2] {
        self.problem.energy_lost(m, y, y1, h, rtol)
    }
    fn energy_lacking(&self, m: M, y1: Array, d: M::R, which: <M::R as Real>::Mask, b: Array) {
        self.problem.energy_lacking(m, y1, d, which, b);
    }
    fn keep(&self, m: M, y: Array, h: M::R, accepted: <M::R as Real>::Mask, corrected: <M::R as Real>::Mask) {
        self.problem.keep(m, y, h, accepted, corrected);
    }
}

/// One cell alone: its end, what it reports, and what was called. `frugal`: on that machine.
fn advance(plan: &Plan, method: &'static Method, s: &State, dt: f64, frugal: bool) -> (Vec<u64>, Cost, Calls) {
    let options = Options { rtol: 1e-5, ..Options::default() };
    let gas = Gas::new(plan, options.reactor);
    let mut layout = plan.layout;
    let w = Stepper::new(&mut layout, method, gas.dimensions());
    let mut arena = vec![0.0; layout.len()];
    let m = Scalar::new(&plan.tables, &mut arena);
    let (variables, parameter) = Oracle::<f64>::variables(plan, options.reactor, s);
    variables.iter().enumerate().for_each(|(i, &x)| m.put(w.y, i, x));
    m.set(plan.cell.parameter, parameter);
    m.set(plan.cell.electron, NO_ELECTRON_T);
    w.clock.start(Start::new(&options, dt)).into_iter().for_each(|(a, x)| m.set(a, x));
    let calls = Cell::default();
    let problem = Counted { problem: gas, calls: &calls };
    while m.var(w.clock.verdict) == 0.0 {
        w.attempt(Frugal(m, frugal), problem);
    }
    assert_eq!(m.var(w.clock.verdict), DONE, "{}", method.name);
    let end = m.read(w.y).iter().map(|y| y.to_bits()).collect();
    (end, Cost::of(w.clock.counters().map(|a| m.var(a))), calls.get())
}

#[test]
fn what_is_reported_is_what_was_done() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Plan::new(&network);
    for method in &ALL {
        let dt =
            if matches!(method.kind, Kind::Explicit(_) | Kind::QuasiSteady | Kind::Asymptotic) { 1e-7 } else { 1e-5 };
        for s in &mixtures(&network, "H2", 2) {
            let (end, cost, calls) = advance(&plan, method, s, dt, true);
            let (always, reported, _) = advance(&plan, method, s, dt, false);
            let said = format!("{}: {cost:?}, {calls:?}", method.name);
            assert_eq!((&end, cost), (&always, reported), "{said}: what is run in vain changes something");
            let attempts = cost.steps + cost.rejected;
            assert_eq!((cost.jac, cost.factor), (calls.jacobian, calls.factor), "{said}");
            // Methods that take J at every step count the f that comes with it.
            let together = matches!(method.kind, Kind::Rosenbrock(_) | Kind::Chebyshev | Kind::Exponential(_));
            let with = if together { calls.jacobian } else { 0 };
            assert_eq!(cost.rhs, calls.rhs + calls.split + with, "{said}");
            // What energy was lost takes one solve more to bring back. An error that may die out has two more norms, a solve that tells
            // how far the step bends, and others that damp it.
            let solves = match method.kind {
                Kind::Rosenbrock(t) => {
                    let damped = (calls.norm - attempts) / 2;
                    let each = t.stages() as u32 * attempts + damped * (1 + 4.min(t.gamma.recip() as u32));
                    assert!(damped <= attempts && calls.norm == attempts + 2 * damped, "{said}");
                    assert!(t.gamma < 1.0 || damped == 0, "{said}");
                    each..=each + attempts
                }
                // One f and one solve an iteration; a look back and an estimate at most for an attempt.
                Kind::Dirk(_) => cost.rhs..=cost.rhs + 2 * attempts,
                Kind::Bdf(_) => cost.rhs..=cost.rhs + attempts,
                // One real and one complex solve an iteration, and one or two for the estimate.
                Kind::Radau => calls.solve_complex + attempts..=calls.solve_complex + 2 * attempts,
                _ => 0..=0,
            };
            assert!(solves.contains(&calls.solve), "{said}: {solves:?}");
            if let Kind::Radau = method.kind {
                assert_eq!(calls.factor_complex, calls.factor, "{said}");
                // f at three stages an iteration, before every second estimate, and where an accepted step has led.
                let second = calls.solve - calls.solve_complex - attempts;
                let moved = cost.rhs - 3 * calls.solve_complex - second;
                assert!(moved <= attempts - cost.jac, "{said}");
            } else {
                assert_eq!((calls.factor_complex, calls.solve_complex), (0, 0), "{said}");
            }
        }
    }
}
