//! The variables of a cell that advances in time: its step, its cost, and how it ends. So cells side by side are independent
//! of each other.

use super::Problem;
use super::control::Mask;
use super::problem::Allowance;
use crate::options::Options;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// The variables of a cell's integration; as `Clock<f64>`, a value for each.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock<T = Array> {
    /// Time since the start \[s\]; it counts up from zero, so that the shortest first steps are not lost to
    /// rounding.
    pub t: T,
    /// Time that remains \[s\].
    pub left: T,
    /// The step to try next \[s\]; an attempt is at most `left` long.
    pub h: T,
    /// 1 after a rejection: then the next accepted step is not followed by a longer one.
    pub after_rejection: T,
    /// Relative tolerance.
    pub rtol: T,
    /// Absolute tolerance.
    pub atol: T,
    /// Accepted steps.
    pub steps: T,
    /// Rejected attempts.
    pub rejected: T,
    /// Evaluations of the right-hand side.
    pub rhs: T,
    /// Evaluations of the Jacobian.
    pub jac: T,
    /// Factorisations.
    pub factor: T,
    /// Step of the last attempt \[s\].
    pub tried: T,
    /// Scaled error of the last attempt.
    pub error: T,
    /// 1 until the method has taken its first step: until then a method with a memory has none.
    pub fresh: T,
    /// 1 once the first rung of the failure ladder has been climbed.
    pub rung: T,
    /// Zero while the cell runs, then [`DONE`] or the number of its [`Status`](crate::Status).
    pub verdict: T,
    /// The interval of the call \[s\].
    pub span: T,
    /// Number of accepted and rejected attempts at which the cell is given up; where a cell goes on from
    /// earlier calls, their attempts are included.
    pub budget: T,
    /// Consecutive attempts that have hardly moved `t`: see [`judge`](super::control::judge).
    pub idle: T,
    /// 1 if nobody looks at the states on the way: see [`Start::only_end`].
    pub only_end: T,
}

/// Value of `verdict` for a cell that has reached the end of its interval.
pub const DONE: f64 = -1.0;

/// Initial values of a cell's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct Start {
    /// The interval \[s\].
    pub dt: f64,
    /// The first step to try \[s\].
    pub h: f64,
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance.
    pub atol: f64,
    /// Number of attempts it may use.
    pub budget: f64,
    /// Whether only the state at the end of the interval counts. Then errors that die out before may pass.
    pub only_end: bool,
}

/// Longest interval \[s\] in which errors that die out may pass: that of a host which splits operators. In a longer one radicals may grow
/// from nothing, unseen by any estimate; they are followed well only by steps that follow all that is fast.
const SPLIT: f64 = 1e-3;

/// Whether errors that die out may pass in an interval of `dt` \[s\] of which only the end counts.
#[inline(always)]
pub fn is_split<R: Real>(dt: R) -> R::Mask {
    dt.le(R::lit(SPLIT))
}

impl Start {
    /// As the options say, for an interval `dt` \[s\]. Without a first step in the options, the first one
    /// spans the interval.
    pub fn new(options: &Options, dt: f64) -> Self {
        let &Options { first_step, rtol, atol, max_steps, watched, .. } = options;
        let h = first_step.unwrap_or(dt).min(dt);
        Self { dt, h, rtol, atol, budget: f64::from(max_steps), only_end: !watched && is_split(dt) }
    }
}

impl<T: Copy> Clock<T> {
    /// All of them by name.
    pub fn arrays(&self) -> [(&'static str, T); 20] {
        [
            ("t", self.t),
            ("left", self.left),
            ("h", self.h),
            ("after_rejection", self.after_rejection),
            ("rtol", self.rtol),
            ("atol", self.atol),
            ("steps", self.steps),
            ("rejected", self.rejected),
            ("rhs_count", self.rhs),
            ("jac_count", self.jac),
            ("factor_count", self.factor),
            ("tried", self.tried),
            ("error_norm", self.error),
            ("fresh", self.fresh),
            ("rung", self.rung),
            ("verdict", self.verdict),
            ("span", self.span),
            ("budget", self.budget),
            ("idle", self.idle),
            ("only_end", self.only_end),
        ]
    }
}

impl Clock {
    /// Number of variables in [`Clock::progress`].
    pub const KEPT: usize = 8;

    /// Lays the variables out.
    pub fn new(l: &mut Layout) -> Self {
        Self {
            t: l.var(),
            left: l.var(),
            h: l.var(),
            after_rejection: l.var(),
            rtol: l.var(),
            atol: l.var(),
            steps: l.var(),
            rejected: l.var(),
            rhs: l.var(),
            jac: l.var(),
            factor: l.var(),
            tried: l.var(),
            error: l.var(),
            fresh: l.var(),
            rung: l.var(),
            verdict: l.var(),
            span: l.var(),
            budget: l.var(),
            idle: l.var(),
            only_end: l.var(),
        }
    }

    /// Whether no step has been accepted yet.
    #[inline(always)]
    pub fn begins<M: Machine>(&self, m: M) -> Mask<M> {
        m.var(self.steps).le(m.lit(0.5))
    }

    /// Norm of the error of a step of length `h` from `y` to `y1`, relative to what the tolerances allow;
    /// `error` holds the error of each variable.
    #[inline(always)]
    pub fn norm<M: Machine, P: Problem<M>>(&self, m: M, p: P, h: M::R, [y, y1, error]: [Array; 3]) -> M::R {
        let [span, rtol, atol] = [self.span, self.rtol, self.atol].map(|x| m.var(x));
        p.norm(
            m,
            y,
            y1,
            Allowance { h, span, rtol, atol },
            #[inline(always)]
            |s| m.get(error, s),
        )
    }

    /// How far a cell has come and what it has cost: what is kept when another method goes on with the cell.
    pub fn progress(&self) -> [Array; Self::KEPT] {
        let [steps, rejected, rhs, jac, factor] = self.counters();
        [self.t, self.left, self.h, steps, rejected, rhs, jac, factor]
    }

    /// What a cell has cost, in the order of [`crate::Cost`].
    pub fn counters(&self) -> [Array; 5] {
        [self.steps, self.rejected, self.rhs, self.jac, self.factor]
    }

    /// Every variable with the value it has when a cell enters: zero, except those given here.
    pub fn start(&self, s: Start) -> [(Array, f64); 20] {
        let Start { dt, h, rtol, atol, budget, only_end } = s;
        let only_end = f64::from(only_end);
        let values =
            Clock { left: dt, span: dt, h, rtol, atol, budget, only_end, fresh: 1.0, ..Clock::default() }.arrays();
        let arrays = self.arrays();
        std::array::from_fn(|i| (arrays[i].1, values[i].1))
    }
}
