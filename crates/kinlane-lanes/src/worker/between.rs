//! States within steps: the cell is advanced once more from the step's start, by itself, as far as is asked.
//!
//! A polynomial through the ends of a step and the rates there would be cheaper. But in a gas near rest, in steps of many of its
//! shortest time scales, f at an end is what the method leaves of an error times a fast rate, and a polynomial with it leads
//! anywhere; where nothing is fast it is of a lower order than the method.

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

/// Attempts that it may take to a state: from one end of a step to the other it took its method one.
const ATTEMPTS: f64 = 1000.0;

/// Puts a number into a place of an array.
pub type Put<'a> = dyn FnMut(Array, usize, f64) + 'a;

/// Where cells within steps come from.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    /// Puts what acts on the cell into place: see [`acting`].
    pub load: &'a dyn Fn(&mut Put<'_>),
    /// The state.
    pub y: &'a dyn Fn(usize) -> f64,
}

impl std::fmt::Debug for Origin<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Origin").finish_non_exhaustive()
    }
}

/// What acts on a cell, and differs from cell to cell.
pub fn acting(plan: &Plan) -> [Array; 6] {
    let c = &plan.cell;
    [c.parameter, c.slope, c.electron, c.source, c.heating, plan.kinetics.excess]
}

/// What all lanes for such cells share.
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
        // Whoever made the engine of these options has been told of a width that there is not.
        let width = dispatch::choose(arena, shared.stepper.in_step(), wish).unwrap_or(dispatch::available()[0]);
        Self { shared, width }
    }
}

/// Lanes for such cells.
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

    /// Further ones.
    pub(crate) fn of(within: &Arc<Within>) -> Self {
        Self { within: Arc::clone(within), worker: dispatch::worker(within.width, within.shared.arena) }
    }

    /// The state so long [s] after the origin, for each of the times, into `to`, \[times, variables\]; NaN where the cell does not
    /// arrive.
    pub fn advance(&mut self, from: Origin<'_>, times: &[f64], to: &mut [f64]) {
        let shared = &self.within.shared;
        let (n, width) = (shared.stepper.y.len as usize, self.worker.width());
        for (times, to) in times.chunks(width).zip(to.chunks_mut(width * n)) {
            self.worker.follow(shared, from, times, to);
        }
    }
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// As [`Between::advance`], for times of no more than the lanes.
    pub(crate) fn go_from(&mut self, s: &Shared, from: Origin<'_>, times: &[f64], to: &mut [f64]) {
        let (gas, y, c) = (s.gas(), s.stepper.y, s.stepper.clock);
        let &Options { rtol, atol, .. } = &s.options;
        for lane in 0..Self::W {
            let dt = times[lane.min(times.len() - 1)];
            (from.load)(&mut |a, i, x| self.set(a, i, lane, x));
            (0..y.len as usize).for_each(|i| self.set(y, i, lane, (from.y)(i)));
            let start = c.start(Start { dt, h: dt, rtol, atol, budget: ATTEMPTS });
            start.into_iter().chain(s.plan.cell.fresh()).for_each(|(a, x)| self.set(a, 0, lane, x));
            self.lanes[lane].busy = lane < times.len();
        }
        while self.lanes.iter().any(|l| l.busy) {
            // SAFETY: `rehearse` runs it, called by `Within::new`.
            unsafe {
                self.compute(
                    s,
                    #[inline(always)]
                    |m| s.stepper.attempt(m, gas),
                );
            }
            for (lane, to) in to.chunks_exact_mut(y.len as usize).enumerate() {
                let verdict = self.get(c.verdict, 0, lane);
                if !self.busy(lane) || verdict == 0.0 {
                    continue;
                }
                let arrived = verdict == DONE;
                to.iter_mut()
                    .enumerate()
                    .for_each(|(i, to)| *to = if arrived { self.get(y, i, lane) } else { f64::NAN });
                // It goes on with the state it has; a long way to go keeps its numbers tame.
                self.lanes[lane].busy = false;
                let on = [(c.left, times[lane]), (c.t, 0.0), (c.verdict, 0.0)];
                on.into_iter().for_each(|(a, x)| self.set(a, 0, lane, x));
            }
        }
    }
}
