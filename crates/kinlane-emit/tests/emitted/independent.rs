//! What the programs say of their loops: turns of an independent loop may run at the same time. Nothing else would
//! notice if that were wrong, for the scalar machine and the lanes run them one after another.

use crate::common::{fill, plan};
use kinlane_plan::machine::{Array, Indices, Machine, Real, Reals};
use kinlane_plan::{Plan, Scalar};
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::reactor;
use kinlane_solve::methods::control::Start;
use kinlane_solve::methods::{Method, Stepper};
use std::cell::RefCell;

/// The scalar machine, watched.
#[derive(Clone, Copy)]
struct Watched<'a> {
    scalar: Scalar<'a, f64>,
    seen: &'a RefCell<Seen>,
    /// As if several threads shared the cell.
    in_groups: bool,
}

/// Number of a loop's run, and of a turn in it.
type Turn = (u64, usize);

#[derive(Default)]
struct Seen {
    loops: u64,
    turn: Option<Turn>,
    functions: Vec<&'static str>,
    /// By element: who wrote it last; who read it last, and whether others did in the same run.
    wrote: Vec<Option<Turn>>,
    read: Vec<Option<(Turn, bool)>>,
    faults: Vec<String>,
}

impl Seen {
    fn fault(&mut self, what: &str, at: usize, a: Turn, b: Turn) {
        let place = self.functions.last().copied().unwrap_or("the program");
        self.faults.push(format!("{place}: turn {} {what} element {at}, which turn {} wrote or read", a.1, b.1));
    }

    fn get(&mut self, at: usize) {
        let Some(now) = self.turn else { return };
        if let Some(w) = self.wrote[at].filter(|w| w.0 == now.0 && w.1 != now.1) {
            self.fault("reads", at, now, w);
        }
        let others = self.read[at].is_some_and(|(r, many)| r.0 == now.0 && (many || r.1 != now.1));
        self.read[at] = Some((now, others));
    }

    fn put(&mut self, at: usize) {
        let Some(now) = self.turn else { return };
        if let Some(w) = self.wrote[at].filter(|w| w.0 == now.0 && w.1 != now.1) {
            self.fault("writes", at, now, w);
        }
        if let Some((r, _)) = self.read[at].filter(|(r, many)| r.0 == now.0 && (*many || r.1 != now.1)) {
            self.fault("writes", at, now, r);
        }
        self.wrote[at] = Some(now);
    }
}

impl<'a> Machine for Watched<'a> {
    type R = f64;
    type I = usize;

    fn i(self, i: usize) -> usize {
        i
    }
    fn get(self, a: Array, i: usize) -> f64 {
        self.seen.borrow_mut().get(a.at as usize + i);
        self.scalar.get(a, i)
    }
    fn put(self, a: Array, i: usize, x: f64) {
        self.seen.borrow_mut().put(a.at as usize + i);
        self.scalar.put(a, i, x);
    }
    fn real(self, t: Reals, i: usize) -> f64 {
        self.scalar.real(t, i)
    }
    fn index(self, t: Indices, i: usize) -> usize {
        self.scalar.index(t, i)
    }
    fn each(self, lo: usize, hi: usize, f: impl Fn(usize)) {
        // Within a turn everything is one thread's.
        if self.seen.borrow().turn.is_some() {
            return (lo..hi).for_each(f);
        }
        self.seen.borrow_mut().loops += 1;
        let run = self.seen.borrow().loops;
        for i in lo..hi {
            self.seen.borrow_mut().turn = Some((run, i));
            f(i);
        }
        self.seen.borrow_mut().turn = None;
    }
    fn ordered(self, lo: usize, hi: usize, f: impl Fn(usize)) {
        (lo..hi).for_each(f);
    }
    fn fold(self, lo: usize, hi: usize, init: f64, f: impl Fn(f64, usize) -> f64) -> f64 {
        (lo..hi).fold(init, f)
    }
    fn folds<const N: usize>(
        self,
        lo: usize,
        hi: usize,
        init: [f64; N],
        f: impl Fn([f64; N], usize) -> [f64; N],
    ) -> [f64; N] {
        (lo..hi).fold(init, f)
    }
    fn if_any(self, mask: <f64 as Real>::Mask, f: impl Fn()) {
        self.scalar.if_any(mask, f);
    }
    fn function(self, name: &'static str, f: impl Fn()) {
        self.seen.borrow_mut().functions.push(name);
        f();
        self.seen.borrow_mut().functions.pop();
    }
    fn mirror(self, i: usize, n: usize) -> usize {
        self.scalar.mirror(i, n)
    }
    fn in_groups(self) -> bool {
        self.in_groups
    }
}

/// Runs attempts of every kind of method, and the production rates.
fn watch(plan: &Plan, reactor: Reactor) {
    let methods = ["rodas4", "radau5", "bdf", "exp4", "exprb43", "chemeq2", "asymptotic", "rkc"];
    for (method, in_groups) in methods.into_iter().flat_map(|method| [(method, false), (method, true)]) {
        let mut layout = plan.layout;
        let gas = Gas::new(plan, reactor);
        let stepper = Stepper::new(&mut layout, Method::find(method).unwrap(), gas.dimensions());
        let mut arena = vec![0.0; layout.len()];
        fill(plan, &mut arena, stepper.y, reactor, 1500.0, 3);
        for (a, x) in
            stepper.clock.start(Start { dt: 1e-6, h: 1e-9, rtol: 1e-6, atol: 1e-12, budget: 1000.0, only_end: true })
        {
            arena[a.at as usize] = x;
        }
        let none = || vec![None; layout.len()];
        let seen = RefCell::new(Seen { wrote: none(), read: vec![None; layout.len()], ..Seen::default() });
        let m = Watched { scalar: Scalar::new(&plan.tables, &mut arena), seen: &seen, in_groups };
        reactor::production(m, plan, reactor, stepper.y);
        for _ in 0..6 {
            stepper.attempt(m, gas);
        }
        let seen = seen.into_inner();
        assert!(seen.loops > 100);
        assert!(
            seen.faults.is_empty(),
            "{method}: {} faults: {}",
            seen.faults.len(),
            seen.faults[..3.min(seen.faults.len())].join("\n")
        );
    }
}

#[test]
fn turns_that_meet_are_noticed() {
    let (mut tables, mut l) = (kinlane_plan::Tables::default(), kinlane_plan::Layout::default());
    let order = tables.indices([0, 1, 1]);
    let (a, b) = (l.array(3), l.array(3));
    type Program = fn(Watched<'_>, Indices, Array, Array);
    let programs: [(Program, bool); 4] = [
        (|m, t, a, b| m.all(3, |i| m.put(a, i, m.get(b, m.index(t, i)))), false),
        (|m, t, a, _| m.all(3, |i| m.put(a, m.index(t, i), 1.0)), true),
        (|m, t, a, _| m.all(3, |i| m.put(a, i, m.get(a, m.index(t, i)))), true),
        (|m, t, a, _| m.ordered(0, 3, |i| m.put(a, i, m.get(a, m.index(t, i)))), false),
    ];
    for (i, (program, meets)) in programs.into_iter().enumerate() {
        let mut arena = vec![0.0; l.len()];
        let seen = RefCell::new(Seen { wrote: vec![None; l.len()], read: vec![None; l.len()], ..Seen::default() });
        program(Watched { scalar: Scalar::new(&tables, &mut arena), seen: &seen, in_groups: false }, order, a, b);
        assert_eq!(!seen.into_inner().faults.is_empty(), meets, "program {i}");
    }
}

#[test]
fn turns_of_independent_loops_are_independent() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../kinlane-mech/tests/small.yaml");
    watch(&Plan::new(&kinlane_mech::cantera::read(&path, None, &[]).unwrap()), Reactor::FixedT);
    for name in ["h2co_burke", "gri30"] {
        if let Some(p) = plan(name) {
            watch(&p, Reactor::ConstP);
            watch(&p, Reactor::ConstV);
        }
    }
}
