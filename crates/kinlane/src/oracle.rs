//! One cell on the scalar machine, slowly and in the open: what a look inside needs.

use crate::{Mechanism, Options, Reactor, States};
use kinlane_mech::network::Reverse;
use kinlane_plan::{Array, Scalar};
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::{R, reactor};
use kinlane_solve::methods::control::too_small;
use kinlane_solve::methods::rosenbrock::{self, Workspace};
use kinlane_solve::methods::tableau::Rosenbrock;

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
    method: &'static Rosenbrock,
    states: &States,
    dt: f64,
) -> Vec<TracePoint> {
    let plan = mechanism.plan();
    let (n, mut layout) = (plan.species, plan.layout);
    let w = Workspace::new(&mut layout, n + 2, method);
    let mut arena = vec![0.0; layout.len()];
    load(mechanism, options.reactor, states, w.y, &mut arena);
    let c = w.clock;
    for (variable, value) in
        [(c.left, dt), (c.h, options.first_step.unwrap_or(dt).min(dt)), (c.rtol, options.rtol), (c.atol, options.atol)]
    {
        put(&mut arena, variable, 0, value);
    }

    let (gas, controller) = (Gas { plan, reactor: options.reactor }, rosenbrock::controller(method));
    let mut points = Vec::new();
    for _ in 0..options.max_steps {
        let before = read(&arena, w.y);
        let (t, left, steps) = (var(&arena, c.t), var(&arena, c.left), var(&arena, c.steps));
        // The step that the attempt takes: as wished, but without leaving a sliver before the end.
        let wish = var(&arena, c.h);
        let h = if left <= wish * 1.01 {
            left
        } else if left < wish * 2.0 {
            left / 2.0
        } else {
            wish
        };
        if left == 0.0 || too_small(h, t, dt) {
            break;
        }
        rosenbrock::attempt(Scalar::new(&plan.tables, &mut arena), gas, method, controller, &w);
        let after = read(&arena, w.y1);
        let mut shares = vec![0.0; n + 1];
        for (i, share) in shares.iter_mut().enumerate() {
            let stages = w.k.iter().zip(method.e);
            let e: f64 = stages.map(|(k, weight)| weight * at(&arena, *k, i)).sum();
            let unit = plan.molar_mass.get(i).map_or(1.0, |m| 1.0 / m);
            let size = |v: &[f64]| v.get(i).map_or(0.0, |x| x.abs());
            *share = e.abs() / (options.rtol * size(&before).max(size(&after)) + options.atol * unit);
        }
        let worst = shares.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(i, _)| i);
        points.push(TracePoint {
            t,
            h,
            accepted: var(&arena, c.steps) > steps,
            error: var(&arena, c.error),
            worst: worst as u32,
            temperature: before.get(n).copied().unwrap_or(f64::NAN),
        });
    }
    points
}

/// Forward and reverse rate of progress \[mol/(m³ s)\] of every reaction, at the first cell's state.
///
/// The programs compute net rates. A reaction at detailed balance has q = c (Πa − Πb) with the activities a of its
/// reactants and b of its products, which the state holds: c follows, and so do both directions. Exactly at
/// equilibrium neither can be told, and both are zero here.
pub fn rates_of_progress(mechanism: &Mechanism, states: &States) -> Vec<[f64; 2]> {
    let plan = mechanism.plan();
    let mut layout = plan.layout;
    let y = layout.array(plan.species + 2);
    let mut arena = vec![0.0; layout.len()];
    load(mechanism, Reactor::ConstP, states, y, &mut arena);
    reactor::production(Scalar::new(&plan.tables, &mut arena), plan, Reactor::ConstP, y);
    let product =
        |side: &[(usize, f64)]| -> f64 { side.iter().map(|&(k, nu)| at(&arena, plan.cell.act, k).powf(nu)).product() };
    let reactions = mechanism.network().reactions.iter().zip(&plan.kinetics.place);
    reactions
        .map(|(r, &(forward, backward))| {
            let net = at(&arena, plan.kinetics.q, forward);
            if let Some(backward) = backward {
                return [net, at(&arena, plan.kinetics.q, backward)];
            }
            if r.reverse != Reverse::Equilibrium {
                return [net, 0.0];
            }
            let (a, b) = (product(&r.reactants), product(&r.products));
            if a == b { [0.0, 0.0] } else { [net * (a / (a - b)), net * (b / (a - b))] }
        })
        .collect()
}

/// State and parameters of the first cell.
fn load(mechanism: &Mechanism, equations: Reactor, states: &States, y: Array, arena: &mut [f64]) {
    let plan = mechanism.plan();
    let n = plan.species;
    let first = |v: &[f64]| v.first().copied().unwrap_or(f64::NAN);
    let (t, p) = (first(states.temperature()), first(states.pressure()));
    let mut sigma = 0.0;
    for (k, (y_k, w)) in states.y_of(0).iter().zip(&plan.molar_mass).enumerate() {
        put(arena, y, k, y_k / w);
        sigma += y_k / w;
    }
    put(arena, y, n, t);
    put(arena, y, n + 1, sigma);
    let parameter = if equations == Reactor::ConstV { p / (R * t * sigma) } else { p };
    put(arena, plan.cell.parameter, 0, parameter);
    put(arena, plan.cell.electron, 0, states.electron_temperature().map_or(-1.0, first));
    if let Some((dydt, heating)) = states.source() {
        for (k, (s, w)) in dydt.iter().zip(&plan.molar_mass).enumerate() {
            put(arena, plan.cell.source, k, s / w);
        }
        put(arena, plan.cell.heating, 0, first(heating));
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

fn read(arena: &[f64], a: Array) -> Vec<f64> {
    (0..a.len as usize).map(|i| at(arena, a, i)).collect()
}
