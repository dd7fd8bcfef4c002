//! The arrays of BDF.

use super::super::control::Clock;
use super::super::newton::Kept;
use super::ORDERS;
use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::tables::Layout;

/// Work arrays of a step.
#[derive(Debug, Clone, Copy)]
pub struct Workspace {
    /// Nordsieck array; its first vector is the state.
    pub z: [Array; ORDERS + 1],
    /// The state at the end of the attempt.
    pub y1: Array,
    /// f at the last iterate.
    pub f: Array,
    /// Correction of the prediction.
    pub correction: Array,
    /// Error estimate.
    pub error: Array,
    /// Time and steps.
    pub clock: Clock,
    /// An earlier correction, kept for the estimate of the next derivative.
    pub(super) saved: Array,
    pub(super) predicted: Array,
    /// h y′ of the prediction, Σ j zⱼ.
    pub(super) slope: Array,
    /// The state at which the Jacobian was evaluated.
    pub(super) base: Array,
    pub(super) residual: Array,
    /// Lengths of the last steps \[s\], the latest first.
    pub(super) tau: [Array; ORDERS],
    pub(super) order: Array,
    /// Steps until a change of order is considered.
    pub(super) wait: Array,
    /// Step that z is scaled to \[s\].
    pub(super) scale: Array,
    /// Largest factor by which the next step may grow.
    pub(super) most: Array,
    /// 1/γ for which the factors were made.
    pub(super) diagonal: Array,
    /// Number of accepted steps when the factors were made.
    pub(super) factored: Array,
    /// Number of accepted steps when the Jacobian was evaluated.
    pub(super) evaluated: Array,
    /// γ when the Jacobian was evaluated \[s\].
    pub(super) reach: Array,
    pub(super) saved_tq5: Array,
    /// 0; 1 if the iteration failed with an old Jacobian, 2 if it failed with a new one.
    pub(super) trouble: Array,
    /// How often this step was rejected for its error.
    pub(super) refusals: Array,
    pub(super) running: Array,
    pub(super) converged: Array,
    pub(super) last: Array,
    pub(super) rate: Array,
}

impl Workspace {
    /// Lays out the arrays for `n` variables.
    pub fn new(l: &mut Layout, n: usize) -> Self {
        Self {
            z: std::array::from_fn(|i| if i == 0 { l.fine(n) } else { l.array(n) }),
            y1: l.array(n),
            f: l.array(n),
            correction: l.array(n),
            error: l.array(n),
            clock: Clock::new(l),
            saved: l.array(n),
            predicted: l.array(n),
            slope: l.array(n),
            base: l.array(n),
            residual: l.array(n),
            tau: std::array::from_fn(|_| l.var()),
            order: l.var(),
            wait: l.var(),
            scale: l.var(),
            most: l.var(),
            diagonal: l.var(),
            factored: l.var(),
            evaluated: l.var(),
            reach: l.var(),
            saved_tq5: l.var(),
            trouble: l.var(),
            refusals: l.var(),
            running: l.var(),
            converged: l.var(),
            last: l.var(),
            rate: l.var(),
        }
    }

    /// What is remembered from step to step, beside the state and the clock.
    pub fn memory(&self) -> Vec<Array> {
        let numbers = [
            self.order,
            self.wait,
            self.scale,
            self.most,
            self.diagonal,
            self.factored,
            self.evaluated,
            self.reach,
            self.saved_tq5,
            self.trouble,
            self.refusals,
            self.rate,
        ];
        self.z[1..].iter().copied().chain([self.saved, self.base]).chain(self.tau).chain(numbers).collect()
    }

    /// What is at hand between attempts.
    #[inline(always)]
    pub fn kept<M: Machine>(&self, m: M) -> Kept<M::R> {
        Kept { d: m.var(self.diagonal), room: self.residual, lost: None }
    }
}

impl Workspace {
    /// The method's own arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        let mut all = vec![
            ("correction", self.correction),
            ("saved", self.saved),
            ("predicted", self.predicted),
            ("slope", self.slope),
            ("base", self.base),
            ("residual", self.residual),
            ("order", self.order),
            ("wait", self.wait),
            ("scale", self.scale),
            ("most", self.most),
            ("diagonal", self.diagonal),
            ("factored", self.factored),
            ("evaluated", self.evaluated),
            ("reach", self.reach),
            ("saved_tq5", self.saved_tq5),
            ("trouble", self.trouble),
            ("refusals", self.refusals),
            ("running", self.running),
            ("converged", self.converged),
            ("last", self.last),
            ("rate", self.rate),
        ];
        all.extend(["z1", "z2", "z3", "z4", "z5"].into_iter().zip(self.z[1..].iter().copied()));
        all.extend(["tau1", "tau2", "tau3", "tau4", "tau5"].into_iter().zip(self.tau));
        all
    }
}
