//! States within steps: the cell is advanced once more, by itself, from the start of the step to the time
//! asked for.
//!
//! A polynomial through the states and rates at both ends of the step would be cheaper. But in a gas near
//! rest, in steps of many of its shortest time scales, f at an end is the remaining error of the method times
//! a fast rate, and a polynomial with it is far off; and where nothing is fast the polynomial is of lower
//! order than the method.

use super::Worker;
use super::wide::Wide;
use crate::dispatch::{self, Width};
use crate::shared::Shared;
use crate::simd::Register;
use kinlane_plan::{Array, Plan};
use kinlane_solve::Options;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::Stepper;
use kinlane_solve::methods::control::{DONE, Start};
use kinlane_solve::methods::method::RODAS5P;
use std::sync::Arc;

/// Most attempts to reach a state; the cell's own method has taken the whole step in one.
const ATTEMPTS: f64 = 1000.0;

/// Stores a number in an element of an array.
pub type Put<'a> = dyn FnMut(Array, usize, f64) + 'a;

/// The start of the step.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    /// Stores what acts on the cell: see [`acting`].
    pub load: &'a dyn Fn(&mut Put<'_>),
    /// The state at the start, by variable.
    pub y: &'a dyn Fn(usize) -> f64,
}

impl std::fmt::Debug for Origin<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Origin").finish_non_exhaustive()
    }
}

/// Arrays of what acts on a cell; they differ from cell to cell.
pub fn acting(plan: &Plan) -> [Array; 7] {
    let c = &plan.cell;
    [
        c.parameter,
        c.slope,
        c.electron,
        c.source,
        c.heating,
        plan.kinetics.excess,
        if plan.given { plan.kinetics.k } else { Array::default() },
    ]
}

/// What all lanes for states within steps share.
#[derive(Debug)]
pub struct Within {
    shared: Shared,
    width: Width,
}

impl Within {
    /// For cells of a gas, to the tolerances of the options.
    pub(crate) fn new(plan: &Arc<Plan>, options: &Options) -> Self {
        let gas = Gas::new(plan, options.reactor);
        let mut layout = plan.layout;
        let stepper = Stepper::new(&mut layout, &RODAS5P, gas.dimensions());
        let errors = layout.array(plan.active.len as usize);
        let (plan, options, arena) = (Arc::clone(plan), options.clone(), layout.len());
        let shared = Shared { plan, options, stepper, track: None, within: None, errors, arena };
        shared.rehearse(None);
        let wish = shared.options.lanes.as_deref();
        // A width that does not exist was refused when the engine was made from these options.
        let width = dispatch::choose(arena, shared.stepper.in_step(), wish).unwrap_or(dispatch::available()[0]);
        Self { shared, width }
    }
}

/// Lanes for states within steps.
pub struct Between {
    within: Arc<Within>,
    worker: Box<dyn Worker>,
}

impl std::fmt::Debug for Between {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Between").finish_non_exhaustive()
    }
}

impl Between {
    /// For cells of a gas, to the tolerances of the options.
    pub fn new(plan: &Arc<Plan>, options: &Options) -> Self {
        Self::of(&Arc::new(Within::new(plan, options)))
    }

    /// More lanes of the same kind.
    pub(crate) fn of(within: &Arc<Within>) -> Self {
        Self { within: Arc::clone(within), worker: dispatch::worker(within.width, within.shared.arena) }
    }

    /// The state at each of the times \[s\] after the origin, into `to`, \[times, variables\]; NaN where the
    /// cell does not arrive.
    pub fn advance(&mut self, from: Origin<'_>, times: &[f64], to: &mut [f64]) {
        let shared = &self.within.shared;
        let (n, width) = (shared.stepper.y.len as usize, self.worker.width());
        for (times, to) in times.chunks(width).zip(to.chunks_mut(width * n)) {
            self.worker.follow(shared, from, times, to);
        }
    }
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// As [`Between::advance`], for at most as many times as there are lanes.
    pub(crate) fn follow(&mut self, s: &Shared, from: Origin<'_>, times: &[f64], to: &mut [f64]) {
        let (y, c) = (s.stepper.y, s.stepper.clock);
        let &Options { rtol, atol, .. } = &s.options;
        for lane in 0..Self::W {
            let dt = times[lane.min(times.len() - 1)];
            (from.load)(&mut |a, i, x| self.set(a, i, lane, x));
            (0..y.len as usize).for_each(|i| self.set(y, i, lane, (from.y)(i)));
            let start = c.start(Start { dt, h: dt, rtol, atol, budget: ATTEMPTS, only_end: false });
            start.into_iter().chain(s.plan.fresh()).for_each(|(a, x)| self.set(a, 0, lane, x));
            self.lanes[lane].busy = lane < times.len();
        }
        while self.lanes.iter().any(|l| l.busy) {
            self.attempt(s); // `Within::new` has rehearsed it
            for (lane, to) in to.chunks_exact_mut(y.len as usize).enumerate() {
                let verdict = self.get(c.verdict, 0, lane);
                if !self.busy(lane) || verdict == 0.0 {
                    continue;
                }
                let arrived = verdict == DONE;
                to.iter_mut()
                    .enumerate()
                    .for_each(|(i, to)| *to = if arrived { self.get(y, i, lane) } else { f64::NAN });
                // The lane goes on computing with the state that it has; a long time to go keeps its numbers
                // ordinary.
                self.lanes[lane].busy = false;
                let on = [(c.left, times[lane]), (c.t, 0.0), (c.verdict, 0.0)];
                on.into_iter().for_each(|(a, x)| self.set(a, 0, lane, x));
            }
        }
    }
}
