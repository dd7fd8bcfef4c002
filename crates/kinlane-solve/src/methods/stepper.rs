//! A method with its work arrays, ready to advance cells.

use super::control::{self, Clock, Mask, judge};
use super::dirk::{self, Dirk};
use super::exponential::{self, Exponential};
use super::method::{Kind, Method};
use super::newton::Kept;
use super::runge_kutta::{self, RungeKutta};
use super::tableau::Rosenbrock;
use super::{Problem, asymptotic, bdf, chemeq2, radau, rkc, rosenbrock};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// Loss of energy, in units of the allowed error, above which SDIRK regains it by a linear solve over all
/// variables ([`control::regain`]). Less is corrected in T alone after every step: at rest its iterations
/// would not converge otherwise.
const REGAINED_BY_DIRK: f64 = 1e-4;
/// The same of Radau5 and BDF, whose steps use earlier ones. Less is left to add up, until it reaches this or
/// the interval ends: correcting T alone at every step would push fast variables off balance, and the next
/// step would lose that again.
const REGAINED_WITH_MEMORY: f64 = 1e-2;

/// Size of a problem, which determines the size of the work arrays.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Number of variables.
    pub n: usize,
    /// Number of entries of the factors.
    pub factors: usize,
}

/// A method and its work arrays. Differences between methods stay inside.
#[derive(Debug, Clone, Copy)]
pub struct Stepper {
    /// The method.
    pub method: &'static Method,
    /// The state, replaced by every accepted step.
    pub y: Array,
    /// The state at the end of the last attempt.
    pub y1: Array,
    /// A value of f from the last attempt.
    pub f: Array,
    /// The error estimate of the last attempt, by variable.
    pub error: Array,
    /// Time and steps.
    pub clock: Clock,
    own: Own,
}

#[derive(Debug, Clone, Copy)]
enum Own {
    Rosenbrock(&'static Rosenbrock, rosenbrock::Workspace),
    Dirk(&'static Dirk, dirk::Workspace),
    Explicit(&'static RungeKutta, runge_kutta::Workspace),
    Chebyshev(rkc::Workspace),
    Exponential(Exponential, exponential::Workspace),
    QuasiSteady(chemeq2::Workspace),
    Asymptotic(asymptotic::Workspace),
    Radau(radau::Workspace),
    Bdf(&'static bdf::Formulas, bdf::Workspace),
}

impl Own {
    /// Lays out the arrays of a method. Returned with them are those that all methods have: y, y1, f, the
    /// error, and the clock.
    fn new(l: &mut Layout, method: &Method, size: Size) -> (Self, [Array; 4], Clock) {
        match method.kind {
            Kind::Rosenbrock(t) => {
                let w = rosenbrock::Workspace::new(l, size.n, t);
                (Self::Rosenbrock(t, w), [w.y, w.y1, w.f, w.error], w.clock)
            }
            Kind::Dirk(t) => {
                let w = dirk::Workspace::new(l, size.n, t);
                (Self::Dirk(t, w), [w.y, w.y1, w.f0, w.error], w.clock)
            }
            Kind::Explicit(t) => {
                let w = runge_kutta::Workspace::new(l, size.n, t);
                (Self::Explicit(t, w), [w.y, w.y1, w.k[0], w.error], w.clock)
            }
            Kind::Chebyshev => {
                let w = rkc::Workspace::new(l, size.n);
                (Self::Chebyshev(w), [w.y, w.y1, w.f, w.error], w.clock)
            }
            Kind::Exponential(e) => {
                let w = exponential::Workspace::new(l, size.n);
                (Self::Exponential(e, w), [w.y, w.y1, w.f, w.error], w.clock)
            }
            Kind::QuasiSteady => {
                let w = chemeq2::Workspace::new(l, size.n);
                (Self::QuasiSteady(w), [w.y, w.y1, w.f, w.error], w.clock)
            }
            Kind::Asymptotic => {
                let w = asymptotic::Workspace::new(l, size.n);
                (Self::Asymptotic(w), [w.y, w.y1, w.f, w.error], w.clock)
            }
            Kind::Radau => {
                let w = radau::Workspace::new(l, size.n, size.factors);
                (Self::Radau(w), [w.y, w.y1, w.f0, w.error], w.clock)
            }
            Kind::Bdf(family) => {
                let w = bdf::Workspace::new(l, size.n);
                (Self::Bdf(family, w), [w.z[0], w.y1, w.f, w.error], w.clock)
            }
        }
    }
}

impl Stepper {
    /// Lays out the arrays of a method behind those of the problem.
    pub fn new(l: &mut Layout, method: &'static Method, size: Size) -> Self {
        let (own, [y, y1, f, error], clock) = Own::new(l, method, size);
        Self { method, y, y1, f, error, clock, own }
    }

    /// An array that is not finite where f was not finite in the last attempt. For BDF it is not f, which BDF
    /// evaluates also for cells that wait for others to converge.
    fn evaluated(&self) -> Array {
        if let Own::Bdf(..) = self.own { self.error } else { self.f }
    }

    /// The arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        let mut all = vec![("y", self.y), ("y1", self.y1), ("f", self.f)];
        match &self.own {
            Own::Rosenbrock(_, w) => {
                let names = ["k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"];
                all.extend(names.into_iter().zip(w.k).filter(|(_, k)| k.len > 0));
            }
            Own::Dirk(_, w) => all.extend(w.arrays()),
            Own::Explicit(_, w) => {
                let names = ["k2", "k3", "k4", "k5", "k6", "k7"];
                all.extend(names.into_iter().zip(w.k[1..].iter().copied()).filter(|(_, k)| k.len > 0));
            }
            Own::Chebyshev(w) => all.extend(w.arrays()),
            Own::Exponential(_, w) => all.extend(w.arrays()),
            Own::QuasiSteady(w) => all.extend(w.arrays()),
            Own::Asymptotic(w) => all.extend(w.arrays()),
            Own::Radau(w) => all.extend(w.arrays()),
            Own::Bdf(_, w) => all.extend(w.arrays()),
        }
        all.push(("error", self.error));
        all.extend(self.clock.arrays());
        all
    }

    /// Whether the method keeps factors from step to step.
    pub fn keeps_factors(&self) -> bool {
        matches!(self.own, Own::Dirk(..) | Own::Radau(_) | Own::Bdf(..))
    }

    /// Whether an attempt is the same work for every cell: no factorisations or iterations that some cells
    /// need while the others wait.
    pub fn in_step(&self) -> bool {
        matches!(self.own, Own::Rosenbrock(..) | Own::Explicit(..) | Own::QuasiSteady(_) | Own::Asymptotic(_))
    }

    /// What a method with factors keeps between attempts.
    #[inline(always)]
    fn kept<M: Machine>(&self, m: M) -> Option<Kept<M::R>> {
        match &self.own {
            Own::Dirk(_, w) => Some(w.kept(m)),
            Own::Radau(w) => Some(w.kept(m)),
            Own::Bdf(_, w) => Some(w.kept(m)),
            _ => None,
        }
    }

    /// Whether a step uses data of earlier steps, beyond the state and the step size that they led to.
    pub fn remembers(&self) -> bool {
        matches!(self.own, Own::Dirk(..) | Own::Chebyshev(_) | Own::Radau(_) | Own::Bdf(..))
    }

    /// Whether a step begins with the f that the one before has ended with.
    pub fn begins_with_f(&self) -> bool {
        matches!(self.own, Own::Chebyshev(_))
    }

    /// What a cell must keep between steps for its next step to be the same: what its problem must keep, the state, the clock,
    /// and what its method remembers. Nothing else: the rest depends on the cells beside it.
    pub fn memory(&self, of_problem: Vec<Array>) -> Vec<Array> {
        let of_method = match &self.own {
            Own::Dirk(_, w) => w.memory(),
            Own::Chebyshev(w) => w.memory(),
            Own::Radau(w) => w.memory(),
            Own::Bdf(_, w) => w.memory(),
            _ => Vec::new(),
        };
        let clock = self.clock.arrays().map(|(_, a)| a);
        of_problem.into_iter().chain([self.y]).chain(clock).chain(of_method).collect()
    }

    /// Attempts one step of the cell, accepts or rejects it, and judges the cell ([`Clock::verdict`]).
    #[inline(always)]
    pub fn attempt<M: Machine, P: Problem<M>>(&self, m: M, p: P) {
        p.begin(m, self.y, m.var(self.clock.atol), m.var(self.clock.span));
        p.remember(m, self.y);
        let before = m.var(self.clock.steps);
        // `admit` is a literal in each arm, so that a method contains only one of the two rules for species
        // below zero.
        let atol = m.var(self.clock.atol);
        match &self.own {
            Own::Rosenbrock(t, w) => rosenbrock::attempt(m, p.admit_negative(m, atol, false), t, w),
            Own::Dirk(t, w) => dirk::attempt(m, p.admit_negative(m, atol, true), t, w),
            Own::Explicit(t, w) => runge_kutta::attempt(m, p.admit_negative(m, atol, false), t, w),
            Own::Chebyshev(w) => rkc::attempt(m, p.admit_negative(m, atol, false), w),
            Own::Exponential(e, w) => exponential::attempt(m, p.admit_negative(m, atol, false), *e, w),
            Own::QuasiSteady(w) => chemeq2::attempt(m, p.admit_negative(m, atol, false), w),
            Own::Asymptotic(w) => asymptotic::attempt(m, p.admit_negative(m, atol, false), w),
            Own::Radau(w) => radau::attempt(m, p.admit_negative(m, atol, true), w),
            Own::Bdf(family, w) => bdf::attempt(m, p.admit_negative(m, atol, true), family, w),
        }
        let accepted = before.lt(m.var(self.clock.steps));
        let mut corrected = accepted;
        // Rosenbrock methods have done this already: for them a loss of energy is part of the error.
        if !matches!(self.own, Own::Rosenbrock(..)) {
            let (h, rtol) = (m.var(self.clock.tried), m.var(self.clock.rtol));
            let kept = self.kept(m);
            let lost = match kept.and_then(|kept| kept.lost) {
                Some(lost) => lost,
                None => p.energy_lost(m, self.y, self.y, h, rtol)[0],
            };
            if let Some(Kept { d, room: x, .. }) = kept {
                let forgets = matches!(self.own, Own::Dirk(..));
                let much = m.lit(if forgets { REGAINED_BY_DIRK } else { REGAINED_WITH_MEMORY }).lt(lost);
                let ends = m.var(self.clock.left).le(m.lit(0.0));
                let regained = M::R::and(accepted, much);
                corrected = if forgets { accepted } else { M::R::and(accepted, M::R::or(ends, much)) };
                m.if_any(
                    regained,
                    #[inline(always)]
                    || {
                        p.energy_lacking(m, self.y, d, regained, x);
                        p.solve(m, x);
                        control::regain(m, p, regained, [self.y, self.y, x], h, rtol);
                    },
                );
            }
        }
        p.keep(m, self.y, m.var(self.clock.tried), accepted, corrected);
        judge(m, p, &self.clock, self.y, self.evaluated());
    }

    /// As [`Stepper::attempt`] with an explicit method of no more stages than this one, where f(y) lies in
    /// [`Stepper::f`] already; only in the cells of the mask. Elements are kept, since the step is linear in f; the energy
    /// as far as T is right, since the two looks at it would cost a tenth of the step.
    ///
    /// # Panics
    /// If this method is not explicit.
    #[inline(always)]
    pub fn attempt_knowing_f<M: Machine, P: Problem<M>>(&self, m: M, p: P, t: &RungeKutta, only: Mask<M>) {
        let Own::Explicit(own, w) = &self.own else { unreachable!("an explicit method") };
        assert!(t.stages() <= own.stages());
        let p = p.admit_negative(m, m.var(self.clock.atol), false);
        runge_kutta::go_on(m, p, t, Some(only), w);
        judge(m, p, &self.clock, self.y, self.evaluated());
    }
}
