//! One cell on the scalar machine, slowly and in the open: what a look inside needs.

use crate::{Mechanism, Options, Reactor, States};
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_plan::{Array, Machine, Scalar};
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::reactor;
use kinlane_solve::methods::control::Start;
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
    /// Its scaled error; one is just acceptable.
    pub error: f64,
    /// The component with the largest share in the error: a species index, or the number of species for T.
    pub worst: u32,
    /// T before the step \[K\].
    pub temperature: f64,
}

/// Every attempted step of the first cell over `dt`, until it is through or stuck.
pub fn trace(
    mechanism: &Mechanism,
    options: &Options,
    method: &'static Method,
    states: &States,
    dt: f64,
) -> Vec<TracePoint> {
    let plan = mechanism.plan();
    let (n, mut layout) = (plan.species, plan.layout);
    let gas = Gas::new(plan, options.reactor);
    let w = Stepper::new(&mut layout, method, gas.dimensions());
    let mut arena = vec![0.0; layout.len()];
    load(mechanism, options.reactor, states, w.y, &mut arena);
    let c = w.clock;
    let h = options.first_step.unwrap_or(dt).min(dt);
    for (variable, value) in c.start(Start { dt, h, rtol: options.rtol, atol: options.atol }) {
        put(&mut arena, variable, 0, value);
    }

    let mut points = Vec::new();
    while var(&arena, c.verdict) == 0.0 {
        let temperature = at(&arena, w.y, n);
        let [t, steps, rejected] = [c.t, c.steps, c.rejected].map(|a| var(&arena, a));
        let m = Scalar::new(&plan.tables, &mut arena);
        w.attempt(m, gas, options.max_steps);
        let decided = var(&arena, c.steps) > steps || var(&arena, c.rejected) > rejected;
        if !decided {
            continue; // an attempt of some methods is a part of a step
        }
        let m = Scalar::new(&plan.tables, &mut arena);
        let active = plan.tables.list(plan.active);
        let scaled = |i: usize| {
            let e = m.get(w.error, active[i] as usize);
            gas.scaled(m, i, w.y1, m.var(c.rtol), m.var(c.atol), e)
        };
        let worst = (0..active.len()).max_by(|&a, &b| scaled(a).total_cmp(&scaled(b))).map_or(0, |i| active[i]);
        points.push(TracePoint {
            t,
            h: var(&arena, c.tried),
            accepted: var(&arena, c.steps) > steps,
            error: var(&arena, c.error),
            worst,
            temperature,
        });
    }
    points
}

/// Forward and reverse rate of progress \[mol/(m³ s)\] of every reaction, at the first cell's state.
pub fn rates_of_progress(mechanism: &Mechanism, states: &States) -> Vec<[f64; 2]> {
    let plan = mechanism.plan();
    let mut layout = plan.layout;
    let [y, f, made, decay] = [(); 4].map(|()| layout.array(plan.species + 2));
    let mut arena = vec![0.0; layout.len()];
    load(mechanism, Reactor::ConstP, states, y, &mut arena);
    reactor::split(Scalar::new(&plan.tables, &mut arena), plan, Reactor::ConstP, y, f, made, decay);
    let (forward, backward) = (plan.kinetics.q, plan.jacobian.q_t);
    let both = |&(i, own): &(usize, Option<usize>)| {
        // A reverse rate of its own is a reaction of its own.
        [at(&arena, forward, i), own.map_or(at(&arena, backward, i), |own| at(&arena, forward, own))]
    };
    plan.kinetics.place.iter().map(both).collect()
}

/// State and parameters of the first cell.
fn load(mechanism: &Mechanism, equations: Reactor, states: &States, y: Array, arena: &mut [f64]) {
    let plan = mechanism.plan();
    let at_or_nan = |v: &[f64], k: usize| v.get(k).copied().unwrap_or(f64::NAN);
    let first = |v: &[f64]| at_or_nan(v, 0);
    let (t, p) = (first(states.temperature()), first(states.pressure()));
    let gas = Gas::new(plan, equations);
    let parameter = gas.enter(t, p, |k| at_or_nan(states.y_of(0), k), |i, x| put(arena, y, i, x));
    put(arena, plan.cell.parameter, 0, parameter);
    put(arena, plan.cell.electron, 0, states.electron_temperature().map_or(NO_ELECTRON_T, first));
    if let Some((dydt, heating)) = states.source() {
        gas.source(|k| at_or_nan(dydt, k), |k, x| put(arena, plan.cell.source, k, x));
        put(arena, plan.cell.heating, 0, first(heating));
    }
    for f in states.factors(0) {
        gas.perturb(f.reaction, f.factor, |k, x| put(arena, plan.kinetics.excess, k, x));
    }
}

fn put(arena: &mut [f64], a: Array, i: usize, value: f64) {
    if let Some(x) = arena.get_mut(a.at as usize + i).filter(|_| i < a.len as usize) {
        *x = value;
    }
}

fn at(arena: &[f64], a: Array, i: usize) -> f64 {
    arena.get(a.at as usize + i).copied().filter(|_| i < a.len as usize).unwrap_or(0.0)
}

fn var(arena: &[f64], a: Array) -> f64 {
    at(arena, a, 0)
}
