//! One cell on the scalar machine, slowly and with every step visible, for inspection.

use crate::inspect::TRACED;
use crate::{Mechanism, Reactor, States};
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_plan::{Array, Machine, Plan, Scalar};
use kinlane_solve::Options;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::reactor;
use kinlane_solve::methods::auto::Late;
use kinlane_solve::methods::control::{DONE, Start};
use kinlane_solve::methods::{Method, Stepper};

/// One attempted step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TracePoint {
    /// Time before the step \[s\].
    pub t: f64,
    /// Its size \[s\].
    pub h: f64,
    /// Whether it was accepted.
    pub accepted: bool,
    /// Its scaled error; it passes up to one.
    pub error: f64,
    /// The component with the largest share in the error: a species index, or the number of species for T.
    pub worst: u32,
    /// T before the step \[K\].
    pub temperature: f64,
    /// Name of the method.
    pub method: &'static str,
}

/// Attempted steps of the first cell over `dt` \[s\], until it is done or stuck, or there are [`TRACED`]. With `late` another
/// method takes over by that rule; if it gets stuck, the first goes on from there.
pub fn trace(
    plan: &Plan,
    options: &Options,
    method: &'static Method,
    late: Option<Late>,
    states: &States,
    dt: f64,
) -> Vec<TracePoint> {
    let mut layout = plan.layout;
    let gas = Gas::new(plan, options.reactor);
    let w = Stepper::new(&mut layout, method, gas.dimensions());
    let late = late.map(|late| (late, Stepper::new(&mut layout, late.method, gas.dimensions())));
    let mut arena = vec![0.0; layout.len()];
    let m = Scalar::new(&plan.tables, &mut arena);
    load(m, gas, states, w.y);
    let start = |w: &Stepper| w.clock.start(Start::new(options, dt)).into_iter().for_each(|(a, x)| m.set(a, x));
    start(&w);
    let mut points = Vec::new();
    attempts(m, gas, &w, method, late.as_ref().map(|(late, _)| late), &mut points);
    let hand = |from: &Stepper, to: &Stepper| {
        start(to);
        plan.fresh().for_each(|(a, x)| m.set(a, x));
        (0..w.y.len as usize).for_each(|i| m.put(to.y, i, m.get(from.y, i)));
        from.clock.progress().into_iter().zip(to.clock.progress()).for_each(|(from, to)| m.set(to, m.var(from)));
    };
    if let Some((late, after)) = late
        && m.var(w.clock.verdict) == 0.0
    {
        hand(&w, &after);
        late.factors(&after.clock).into_iter().for_each(|(a, factor)| m.set(a, m.var(a) * factor));
        attempts(m, gas, &after, late.method, None, &mut points);
        if m.var(after.clock.verdict) != DONE {
            hand(&after, &w);
            m.set(w.clock.h, Late::again(m.var(w.clock.left)));
            attempts(m, gas, &w, method, None, &mut points);
        }
    }
    points
}

/// Attempts of one method until the cell is done or stuck, or until `late` says that another method takes
/// over.
fn attempts(
    m: Scalar<'_, f64>,
    gas: Gas<'_>,
    w: &Stepper,
    method: &'static Method,
    late: Option<&Late>,
    points: &mut Vec<TracePoint>,
) {
    let (plan, c): (&Plan, _) = (gas.plan, w.clock);
    while m.var(c.verdict) == 0.0
        && points.len() < TRACED
        && !late.is_some_and(|late| late.is_due(late.looks_at(&c).map(|a| m.var(a))))
    {
        let temperature = m.get(w.y, plan.species);
        let [t, steps, rejected] = [c.t, c.steps, c.rejected].map(|a| m.var(a));
        w.attempt_alone(m, gas);
        let accepted = m.var(c.steps) > steps;
        if !accepted && m.var(c.rejected) <= rejected {
            continue; // with some methods an attempt is only part of a step
        }
        let active = plan.tables.list(plan.active);
        let worst = gas.worst(|i| {
            let e = m.get(w.error, active[i] as usize);
            gas.scaled(m, i, w.y1, m.var(c.rtol), m.var(c.atol), e)
        });
        points.push(TracePoint {
            t,
            h: m.var(c.tried),
            accepted,
            error: m.var(c.error),
            worst,
            temperature,
            method: method.name,
        });
    }
}

/// Forward and reverse rate of progress \[mol/(m³ s)\] of every reaction, at the first cell's state.
pub fn rates_of_progress(mechanism: &Mechanism, states: &States) -> Vec<[f64; 2]> {
    let plan = mechanism.plan();
    let mut layout = plan.layout;
    let y = layout.array(plan.species + 2);
    let mut arena = vec![0.0; layout.len()];
    let m = Scalar::new(&plan.tables, &mut arena);
    let gas = Gas::new(plan, Reactor::ConstP);
    load(m, gas, states, y);
    reactor::both_ways(m, plan, Reactor::ConstP, y);
    plan.kinetics.both_ways(|a, i| m.get(a, i)).collect()
}

/// Loads the state and the parameters of the first cell.
fn load(m: Scalar<'_, f64>, gas: Gas<'_>, states: &States, y: Array) {
    let (plan, cell) = (gas.plan, &gas.plan.cell);
    let at_or_nan = |v: &[f64], k: usize| v.get(k).copied().unwrap_or(f64::NAN);
    let first = |v: &[f64]| at_or_nan(v, 0);
    let (t, p) = (first(states.temperature()), first(states.pressure()));
    let parameter = gas.enter(t, p, |k| at_or_nan(states.y_of(0), k), |i, x| m.put(y, i, x));
    m.set(cell.parameter, parameter);
    m.set(cell.electron, states.electron_temperature().map_or(NO_ELECTRON_T, first));
    if let Some((dydt, heating)) = states.source() {
        gas.source(|k| at_or_nan(dydt, k), |k, x| m.put(cell.source, k, x));
        m.set(cell.heating, first(heating));
    }
    for f in states.factors(0) {
        gas.perturb(f.reaction, f.factor, |k, x| m.put(plan.kinetics.excess, k, x));
    }
}
