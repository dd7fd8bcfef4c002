//! Cells advanced by hand, one after another, on the scalar machine: the oracle of every batch.

use crate::{Oracle, State};
use kinlane_plan::machine::Machine;
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_plan::{Plan, Scalar};
use kinlane_solve::Options;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::control::{DONE, Start};
use kinlane_solve::methods::{Method, Stepper, method};

/// What acts on a cell from outside.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outside<'a> {
    /// d(Y)/dt [1/s].
    pub dydt: Option<&'a [f64]>,
    /// Heating [W/kg].
    pub heating: f64,
    /// Electron temperature \[K\].
    pub electron: Option<f64>,
}

/// Advances one cell by `dt`; `None` if it does not arrive within the options' steps. Also returns accepted and
/// rejected steps.
///
/// # Panics
/// If the options name a method that does not exist.
pub fn advance(plan: &Plan, options: &Options, s: &State, dt: f64, o: Outside<'_>) -> Option<(State, [u32; 2])> {
    let name = options.method.as_deref().unwrap_or(method::DEFAULT.name);
    let method = Method::find(name).unwrap_or_else(|| panic!("no method {name}"));
    let mut layout = plan.layout;
    let gas = Gas::new(plan, options.reactor);
    let w = Stepper::new(&mut layout, method, gas.dimensions());
    let mut arena = vec![0.0; layout.len()];
    let m = Scalar::new(&plan.tables, &mut arena);
    let (variables, parameter) = Oracle::<f64>::variables(plan, options.reactor, s);
    variables.iter().enumerate().for_each(|(i, &x)| m.put(w.y, i, x));
    if let Some(dydt) = o.dydt {
        gas.source(|k| dydt[k], |k, x| m.put(plan.cell.source, k, x));
    }
    m.set(plan.cell.parameter, parameter);
    m.set(plan.cell.electron, o.electron.unwrap_or(NO_ELECTRON_T));
    m.set(plan.cell.heating, o.heating);
    let c = w.clock;
    c.start(Start::new(options, dt)).into_iter().for_each(|(a, x)| m.set(a, x));
    while m.var(c.verdict) == 0.0 {
        w.attempt_alone(m, gas);
        if m.var(c.verdict) == DONE {
            let v = m.read(w.y);
            let mut y = vec![0.0; plan.species];
            let (t, p) = gas.leave(|i| v[i], parameter, |k, x| y[k] = x);
            return Some((State { t, p, y }, [m.var(c.steps) as u32, m.var(c.rejected) as u32]));
        }
    }
    None
}
