//! What radau5 keeps in a step and from step to step.

use super::GAMMA;
use crate::methods::control::Clock;
use crate::methods::newton::{Kept, Progress};
use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::number::ComplexArray;
use kinlane_plan::tables::Layout;

/// Work arrays of a step.
#[derive(Debug, Clone, Copy)]
pub struct Workspace {
    /// The state.
    pub y: Array,
    /// The state at the end of the attempt.
    pub y1: Array,
    /// f(y).
    pub f0: Array,
    /// Error estimate.
    pub error: Array,
    /// Time and steps.
    pub clock: Clock,
    pub(super) f: [Array; 3],
    pub(super) w: [Array; 3],
    pub(super) z: [Array; 3],
    /// The collocation polynomial of the last step, as divided differences.
    pub(super) past: [Array; 3],
    /// The state at which the Jacobian was evaluated.
    pub(super) base: Array,
    pub(super) at: Array,
    pub(super) complex: ComplexArray,
    pub(super) factors: Factors<ComplexArray>,
    /// 1/h for which the factors were made.
    pub(super) inv_h: Array,
    /// 1 where the Jacobian must be evaluated anew.
    pub(super) stale: Array,
    /// 1 where the Jacobian belongs to `y`.
    pub(super) current: Array,
    /// 1 where `y` has changed since f(y) was evaluated.
    pub(super) moved: Array,
    /// Length of the step that `past` belongs to \[s\]; zero without one.
    pub(super) past_h: Array,
    /// 1 where the iteration of the attempt before failed although its Jacobian was that of the step.
    pub(super) again: Array,
    /// Scaled error of the last accepted step.
    pub(super) past_error: Array,
    pub(super) running: Array,
    pub(super) converged: Array,
    pub(super) iterations: Array,
    /// Iterations that would have been enough without `TRUSTED` (iteration.rs); only these count for the age of J and for
    /// the next step.
    pub(super) needed: Array,
    pub(super) last: Array,
    pub(super) theta: Array,
    /// η = θ/(1 − θ), kept from step to step.
    pub(super) eta: Array,
    /// Factor on the step where the iteration has failed.
    pub(super) cut: Array,
    /// Energy that the last attempt has lost \[tolerances\].
    pub(super) lost: Array,
    pub(super) progress: Progress,
}

impl Workspace {
    /// Lays out the arrays for `n` variables and `entries` entries of the factors.
    pub fn new(l: &mut Layout, n: usize, entries: usize) -> Self {
        let mut three = || std::array::from_fn(|_| l.array(n));
        let (f, w, z, past) = (three(), three(), three(), three());
        Self {
            f,
            w,
            z,
            past,
            y: l.fine(n),
            y1: l.array(n),
            f0: l.array(n),
            error: l.array(n),
            clock: Clock::new(l),
            base: l.array(n),
            at: l.array(n),
            complex: ComplexArray::new(l, n),
            factors: Factors::complex(l, n, entries),
            inv_h: l.var(),
            stale: l.var(),
            current: l.var(),
            moved: l.var(),
            past_h: l.var(),
            again: l.var(),
            past_error: l.var(),
            running: l.var(),
            converged: l.var(),
            iterations: l.var(),
            needed: l.var(),
            last: l.var(),
            theta: l.var(),
            eta: l.var(),
            cut: l.var(),
            lost: l.var(),
            progress: Progress::new(l),
        }
    }

    /// What is remembered from step to step, beside the state and the clock.
    pub fn memory(&self) -> Vec<Array> {
        let Factors { values, inverse, .. } = self.factors;
        let numbers =
            [self.inv_h, self.stale, self.current, self.moved, self.past_h, self.again, self.past_error, self.eta];
        let factors = [values.re, values.im, inverse.re, inverse.im];
        self.past.into_iter().chain([self.f0, self.base]).chain(factors).chain(numbers).collect()
    }

    /// What is at hand between attempts.
    #[inline(always)]
    pub fn kept<M: Machine>(&self, m: M) -> Kept<M::R> {
        Kept { d: m.var(self.inv_h) * m.lit(GAMMA), room: self.at, lost: Some(m.var(self.lost)) }
    }

    /// The method's own arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        let mut all = vec![
            ("base", self.base),
            ("at", self.at),
            ("complex_re", self.complex.re),
            ("complex_im", self.complex.im),
            ("inv_h", self.inv_h),
            ("stale", self.stale),
            ("current", self.current),
            ("moved", self.moved),
            ("past_h", self.past_h),
            ("again", self.again),
            ("past_error", self.past_error),
            ("running", self.running),
            ("converged", self.converged),
            ("iterations", self.iterations),
            ("needed", self.needed),
            ("last", self.last),
            ("theta", self.theta),
            ("eta", self.eta),
            ("cut", self.cut),
            ("lost", self.lost),
        ];
        all.extend(self.progress.arrays());
        for (names, arrays) in [
            (["f1", "f2", "f3"], self.f),
            (["w1", "w2", "w3"], self.w),
            (["z1", "z2", "z3"], self.z),
            (["past1", "past2", "past3"], self.past),
        ] {
            all.extend(names.into_iter().zip(arrays));
        }
        all
    }
}
