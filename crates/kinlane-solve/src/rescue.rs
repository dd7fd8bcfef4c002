//! The upper rungs of the failure ladder: a single cell is advanced on the scalar machine, by other methods than the one that
//! could not.
//!
//! - Radau5, with the caller's tolerances. Where a rate has a kink, as that of a species which a source takes below zero, methods
//!   with stages that follow one another need steps next to nothing; this one looks at the end of a step.
//! - A Rosenbrock method with a pivoted factorisation: the one in use, else Rodas5P; then a plainer one of lower order. The lanes
//!   factor without pivoting, in an order fixed for the mechanism. Where that loses too many digits, the error estimate rejects
//!   every step.
//!
//! Each begins with the entry state.

use crate::dense::Lu;
use crate::gas::algebra::{Algebra, ROUNDINGS, Sparse};
use crate::gas::problem::Gas;
use crate::methods::control::{DONE, RUNG_ATOL, Start};
use crate::methods::method::{Kind, RADAU5, RODAS3, RODAS5P};
use crate::methods::{Method, Stepper};
use crate::options::{Cost, Options};
use kinlane_plan::lu::Factors;
use kinlane_plan::number::{Complex, ComplexArray};
use kinlane_plan::{Array, Machine, Plan, Scalar};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first step of a rung, as a part of the interval.
const STEP: f64 = 1e-3;
/// Attempts per rung: a rescue is slow, and must come to an end.
const ATTEMPTS: u32 = 2000;

/// The entry state of a cell, and what acts on it.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// phi, T, sigma.
    pub y: &'a [f64],
    /// Pressure \[Pa\] or density \[kg/m³\], as the reactor requires.
    pub parameter: f64,
    /// Electron temperature \[K\], negative where it follows the gas.
    pub electron: f64,
    /// d(phi)/dt of the source \[mol/(kg s)\].
    pub source: &'a [f64],
    /// Heating [W/kg].
    pub heating: f64,
    /// Values for the plan's `excess` ([`Kinetics`](kinlane_plan::plan::Kinetics)).
    pub excess: &'a [f64],
    /// Values for the plan's `k` where rate constants are given, else none.
    pub constants: &'a [f64],
    /// The interval \[s\].
    pub dt: f64,
    /// When this is set the rescue gives up; the factors of large gases take long.
    pub stop: &'a AtomicBool,
}

/// The method of the first pivoted rung, if the one in use is not a Rosenbrock method.
const FIRST: &Method = &RODAS5P;

/// The method of the last rung: it has few stages, each of them damped at infinity.
const LAST: &Method = &RODAS3;

/// One rung.
#[derive(Debug, Clone, Copy)]
pub struct Rung {
    /// The method.
    pub method: &'static Method,
    /// Whether its factorisation is pivoted.
    pub pivoted: bool,
    /// Absolute tolerance.
    pub atol: f64,
    /// Most attempts.
    pub attempts: u32,
}

/// How far a cell climbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// To Radau5: a cell has spent its budget, and its steps are of a length with which it would arrive.
    Other,
    /// To the end.
    All,
}

/// How a climb ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Climb {
    /// At the end of the interval, with this state.
    Arrived(Vec<f64>),
    /// Nowhere.
    Lost,
    /// It was stopped from outside: nobody knows what it would have come to.
    Stopped,
}

/// Advances a cell that the method `own` could not advance, or gives up. Adds the cost to `cost` in either
/// case.
pub fn rescue(
    plan: &Plan,
    options: &Options,
    (own, reach): (&'static Method, Reach),
    entry: &Entry<'_>,
    cost: &mut Cost,
) -> Climb {
    let within = |rung: &Rung| reach == Reach::All || !rung.pivoted;
    let mut climbs = rungs(options, own).filter(within).map(|rung| rung.climb(plan, options, entry, cost));
    climbs.find(|climb| *climb != Climb::Lost).unwrap_or(Climb::Lost)
}

/// The rungs for what the method `own` could not advance, lowest first.
pub fn rungs(options: &Options, own: &'static Method) -> impl Iterator<Item = Rung> + use<> {
    let other = Rung { method: &RADAU5, pivoted: false, atol: options.atol, attempts: ATTEMPTS };
    let atol = options.atol * RUNG_ATOL;
    let pivoted = move |method| Rung { method, pivoted: true, atol, attempts: ATTEMPTS };
    let first = if matches!(own.kind, Kind::Rosenbrock(_)) { own } else { FIRST };
    let all = [
        (own.name != RADAU5.name).then_some(other),
        Some(pivoted(first)),
        (first.name != LAST.name).then(|| pivoted(LAST)),
    ];
    all.into_iter().flatten()
}

impl Rung {
    /// Advances a cell by this rung alone.
    pub fn climb(&self, plan: &Plan, options: &Options, entry: &Entry<'_>, cost: &mut Cost) -> Climb {
        let gas = Gas::new(plan, options.reactor);
        let mut layout = plan.layout;
        let stepper = Stepper::new(&mut layout, self.method, gas.dimensions());
        let mut arena = vec![0.0; layout.len()];
        let m = Scalar::new(&plan.tables, &mut arena);
        let fill = |a: Array, x: &[f64]| x.iter().enumerate().for_each(|(i, &x)| m.put(a, i, x));
        fill(stepper.y, entry.y);
        fill(plan.cell.source, entry.source);
        fill(plan.kinetics.excess, entry.excess);
        fill(plan.kinetics.k, entry.constants);
        m.set(plan.cell.parameter, entry.parameter);
        m.set(plan.cell.electron, entry.electron);
        m.set(plan.cell.heating, entry.heating);
        let c = stepper.clock;
        let budget = f64::from(self.attempts.min(options.max_steps));
        let h = entry.dt * STEP;
        c.start(Start { dt: entry.dt, h, rtol: options.rtol, atol: self.atol, budget, only_end: false })
            .into_iter()
            .for_each(|(a, x)| m.set(a, x));
        let factors = RefCell::new(Dense::new(if self.pivoted { stepper.y.len as usize } else { 0 }));
        while m.var(c.verdict) == 0.0 && !entry.stop.load(Ordering::Relaxed) {
            match self.pivoted {
                true => stepper.attempt_alone(m, gas.solved_by(Pivoted(&factors))),
                false => stepper.attempt_alone(m, gas),
            }
        }
        *cost += Cost::of(c.counters().map(|a| m.var(a)));
        match m.var(c.verdict) {
            0.0 => Climb::Stopped,
            DONE => Climb::Arrived(m.read(stepper.y)),
            _ => Climb::Lost,
        }
    }
}

/// A dense factorisation with pivoting in the place of the plan's.
#[derive(Clone, Copy)]
struct Pivoted<'a>(&'a RefCell<Dense>);

impl<'a> Algebra<Scalar<'a, f64>> for Pivoted<'_> {
    fn factor(&self, m: Scalar<'a, f64>, plan: &Plan, d: f64) {
        self.0.borrow_mut().factor(plan, &m.read(plan.jacobian.values), d);
    }
    fn solve(&self, m: Scalar<'a, f64>, _: &Plan, b: Array) {
        let x = self.0.borrow().0.solve(&m.read(b));
        x.into_iter().enumerate().for_each(|(i, x)| m.put(b, i, x));
    }
    fn grows(&self, _: Scalar<'a, f64>, _: &Plan, _: bool, _: Option<(Array, Array, f64)>) -> bool {
        self.0.borrow().grows()
    }
    // Only Rosenbrock methods are pivoted, and they have no complex factors.
    fn factor_complex(&self, m: Scalar<'a, f64>, plan: &Plan, factors: &Factors<ComplexArray>, d: Complex<f64>) {
        Sparse.factor_complex(m, plan, factors, d);
    }
    fn solve_complex(&self, m: Scalar<'a, f64>, plan: &Plan, factors: &Factors<ComplexArray>, b: ComplexArray) {
        Sparse.solve_complex(m, plan, factors, b);
    }
}

/// d·I − J with rows and columns in the order of the variables, and its factors.
struct Dense(Lu);

impl Dense {
    fn new(n: usize) -> Self {
        Self(Lu::new(n))
    }

    /// Factors d·I − J.
    fn factor(&mut self, plan: &Plan, jac: &[f64], d: f64) {
        let (lu, t) = (&plan.lu, &plan.tables);
        let (n, order, start, col) = (lu.n, t.list(lu.order), t.list(lu.row), t.list(lu.col));
        let a = self.0.cleared();
        for i in 0..n {
            let r = order[i] as usize;
            for e in start[i] as usize..start[i + 1] as usize {
                a[r * n + order[col[e] as usize] as usize] = -jac[e];
            }
            a[r * n + r] += d;
        }
        self.0.factor();
    }

    /// As in [`Sparse`], with the bound of T and sigma for all rows. The sign of the determinant is that of
    /// the product of the pivots times that of the permutation of rows.
    fn grows(&self) -> bool {
        let largest = self.0.pivots().map(f64::abs).fold(0.0, f64::max);
        let negative = self.0.pivots().filter(|u| *u < 0.0);
        let sound = negative.clone().any(|u| -u > ROUNDINGS[1] * f64::EPSILON * largest);
        sound && (negative.count() % 2 == 1) != self.0.is_odd()
    }
}
