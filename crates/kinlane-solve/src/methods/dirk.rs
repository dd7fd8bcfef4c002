//! Diagonally implicit Runge–Kutta methods with one γ, each stage solved by a simplified Newton iteration (Hairer &
//! Wanner, *Solving ODEs II*, IV.6 and IV.8):
//!
//! ```text
//! zᵢ = sᵢ + hγ f(y + zᵢ),   sᵢ = h Σ aᵢⱼ kⱼ (j < i),   kᵢ = (zᵢ − sᵢ)/(hγ)
//! (1/(hγ) I − J) δ = f(y + z) − (z − sᵢ)/(hγ)
//! ```
//!
//! The methods here are stiffly accurate: y₁ = y + z of the last stage. The error estimate is multiplied by
//! the inverse of the same matrix, which damps stiff components.

use super::control::{self, Clock, Controller, Mask, count, flag, holds, power};
use super::newton::{self, Kept, Progress};
use super::{Problem, growth};
use kinlane_plan::machine::{Array, Machine, Real, array};
use kinlane_plan::tables::Layout;

/// Largest number of stages of any method here.
const STAGES: usize = 5;
/// Most iterations of a stage.
const ITERATIONS: usize = 8;
/// The first iteration of a stage is trusted to contract by this factor at best.
const TRUST: f64 = 1e-2;

/// A DIRK method.
#[derive(Debug, Clone, Copy)]
pub struct Dirk {
    /// Name, as `--method` takes it.
    pub name: &'static str,
    /// Key in `docs/bibliography.bib`.
    pub source: &'static str,
    /// Order of the solution.
    pub order: u32,
    /// Order of the embedded solution.
    pub embedded: u32,
    /// γ.
    pub gamma: f64,
    /// Strictly lower triangle, row by row.
    pub a: &'static [f64],
    /// Weights of the error estimate: of f(y), then of every stage.
    pub e: &'static [f64],
}

impl Dirk {
    /// Number of stages.
    pub const fn stages(&self) -> usize {
        self.e.len() - 1
    }
}

/// Order 4, L-stable, γ = 1/4 (Hairer & Wanner, table IV.6.5).
pub const SDIRK4: Dirk = Dirk {
    name: "sdirk4",
    source: "hairer1996",
    order: 4,
    embedded: 3,
    gamma: 0.25,
    a: &[
        1.0 / 2.0,
        17.0 / 50.0,
        -1.0 / 25.0,
        371.0 / 1360.0,
        -137.0 / 2720.0,
        15.0 / 544.0,
        25.0 / 24.0,
        -49.0 / 48.0,
        125.0 / 16.0,
        -85.0 / 12.0,
    ],
    e: &[0.0, -3.0 / 16.0, -27.0 / 32.0, 25.0 / 32.0, 0.0, 1.0 / 4.0],
};

/// Backward Euler. Its error, h²/2 y″, is half the change of h f over the step.
pub const BACKWARD_EULER: Dirk =
    Dirk { name: "backward-euler", source: "hairer1996", order: 1, embedded: 1, gamma: 1.0, a: &[], e: &[-0.5, 0.5] };

/// Work arrays of a step.
#[derive(Debug, Clone, Copy)]
pub struct Workspace {
    /// The state.
    pub y: Array,
    /// The state after the attempt.
    pub y1: Array,
    /// f(y).
    pub f0: Array,
    /// The error estimate.
    pub error: Array,
    /// Time and steps.
    pub clock: Clock,
    k: [Array; STAGES],
    f: Array,
    z: Array,
    s: Array,
    /// 1/(hγ) for which the factors were made.
    diagonal: Array,
    /// Number of accepted steps when J was evaluated.
    evaluated: Array,
    running: Array,
    converged: Array,
    last: Array,
    /// η = θ/(1 − θ), kept from stage to stage.
    eta: Array,
    /// Energy that the last attempt has lost \[tolerances\].
    lost: Array,
    progress: Progress,
}

impl Workspace {
    /// Lays out the arrays of a method for `n` variables.
    pub fn new(l: &mut Layout, n: usize, method: &Dirk) -> Self {
        Self {
            y: l.fine(n),
            y1: l.array(n),
            f0: l.array(n),
            error: l.array(n),
            clock: Clock::new(l),
            k: std::array::from_fn(|i| if i < method.stages() { l.array(n) } else { Array::default() }),
            f: l.array(n),
            z: l.array(n),
            s: l.array(n),
            diagonal: l.var(),
            evaluated: l.var(),
            running: l.var(),
            converged: l.var(),
            last: l.var(),
            eta: l.var(),
            lost: l.var(),
            progress: Progress::new(l),
        }
    }

    /// The method's own arrays by name, for printed programs.
    pub fn arrays(&self) -> Vec<(&'static str, Array)> {
        let mut all = vec![
            ("stage_f", self.f),
            ("z", self.z),
            ("s", self.s),
            ("diagonal", self.diagonal),
            ("evaluated", self.evaluated),
            ("running", self.running),
            ("converged", self.converged),
            ("last", self.last),
            ("eta", self.eta),
            ("lost", self.lost),
        ];
        all.extend(self.progress.arrays());
        all.extend(["k1", "k2", "k3", "k4", "k5"].into_iter().zip(self.k).filter(|(_, k)| k.len > 0));
        all
    }

    /// What is remembered from step to step, beside the state and the clock.
    pub fn memory(&self) -> Vec<Array> {
        vec![self.f0, self.diagonal, self.evaluated]
    }

    /// What is at hand between attempts.
    #[inline(always)]
    pub fn kept<M: Machine>(&self, m: M) -> Kept<M::R> {
        Kept { d: m.var(self.diagonal), room: self.s, lost: Some(m.var(self.lost)) }
    }
}

/// Attempts one step from `w.y` and accepts or rejects it.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, p: P, t: &Dirk, w: &Workspace) {
    let n = p.len();
    let c = &w.clock;
    let one = m.lit(1.0);
    let h = control::next_step(m, c);
    let d = (h * m.lit(t.gamma)).recip();
    let grows = renew(m, p, w, d);
    m.set(w.eta, one);
    m.set(w.converged, one);
    for i in 0..t.stages() {
        m.function(
            "start_stage",
            #[inline(always)]
            || start_stage(m, n, t, w, i, h),
        );
        newton::iterate(
            m,
            ITERATIONS,
            w.running,
            #[inline(always)]
            || iteration(m, p, w, d),
        );
        m.function(
            "end_stage",
            #[inline(always)]
            || {
                // A stage that has not converged fails the step.
                m.set(w.converged, M::R::select(holds(m, w.running), m.lit(0.0), m.var(w.converged)));
                m.all(
                    n,
                    #[inline(always)]
                    |s| m.put(w.k[i], s, (m.get(w.z, s) - m.get(w.s, s)) * d),
                );
            },
        );
    }
    estimate(m, p, t, w, h, d);
    let [lost, astray] = newton::energy_lost(m, p, c, [w.y, w.y1], h);
    m.set(w.lost, lost);
    m.function(
        "finish",
        #[inline(always)]
        || {
            let norm = c.norm(m, p, h, [w.y, w.y1, w.error]).max(astray);
            let norm = growth::outgrown(m, grows, norm);
            let norm = M::R::select(holds(m, w.converged), norm, m.lit(1e10));
            let controller = Controller {
                order: f64::from(t.embedded + 1),
                safety: 0.9,
                grow: 6.0,
                shrink: 0.2,
                first: 1.0,
                again: 0.1,
            };
            control::decide(m, c, controller, n, w.y, w.y1, h, norm);
        },
    );
}

/// J where y has moved, and the factors of d I − J where either is another. Returns where something grows faster than the step
/// can follow.
#[inline(always)]
fn renew<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, d: M::R) -> Mask<M> {
    let steps = m.var(w.clock.steps);
    let fresh = holds(m, w.clock.fresh);
    m.set(w.clock.fresh, m.lit(0.0));
    // J is evaluated at y, so after a rejection it is there already. Where a neighbour needs a new one, this
    // cell gets the same again.
    let moved = M::R::or(fresh, m.var(w.evaluated).lt(steps));
    m.if_any(
        moved,
        #[inline(always)]
        || p.rhs_and_jacobian(m, w.y, w.f0),
    );
    m.set(w.evaluated, steps);
    let old = m.var(w.diagonal);
    let asks = M::R::or(moved, M::R::or(d.lt(old), old.lt(d)));
    m.if_any(
        asks,
        #[inline(always)]
        || p.factor(m, d),
    );
    let grows = p.grows(m, false, w.y, w.f0, d);
    m.set(w.diagonal, d);
    count(m, w.clock.jac, flag(moved));
    count(m, w.clock.factor, flag(asks));
    grows
}

/// y₁, and the error d W⁻¹ h (e₀ f₀ + Σ eᵢ kᵢ), which is filtered so that it does not count what decays at once.
#[inline(always)]
fn estimate<M: Machine, P: Problem<M>>(m: M, p: P, t: &Dirk, w: &Workspace, h: M::R, d: M::R) {
    let n = p.len();
    m.function(
        "estimate",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let mut v = m.lit(t.e[0]) * m.get(w.f0, s);
                    for (&e, &k) in t.e[1..].iter().zip(&w.k) {
                        v = m.lit(e).mul_add(m.get(k, s), v);
                    }
                    m.put(w.error, s, v * (h * d));
                    m.put(w.y1, s, m.get(w.y, s) + m.get(w.z, s));
                },
            );
        },
    );
    p.solve(m, w.error);
}

/// sᵢ and the initial z, with the slope of the stage before or, in the first, of the start. Where that slope
/// would bring any species from above zero to below, the first stage starts from z = 0: far below zero f is
/// cut and J is not, so that the iteration would lead nowhere (docs/decisions/0027).
#[inline(always)]
fn start_stage<M: Machine>(m: M, n: usize, t: &Dirk, w: &Workspace, i: usize, h: M::R) {
    let row = &t.a[i * i.saturating_sub(1) / 2..][..i];
    let weights: [M::R; STAGES] = array(
        #[inline(always)]
        |j| h * m.lit(if j < i { row[j] } else { 0.0 }),
    );
    let slope = if i == 0 { w.f0 } else { w.k[i - 1] };
    let step = h * m.lit(t.gamma);
    let step = if i > 0 {
        step
    } else {
        let zero = m.lit(0.0);
        let least = m.fold(
            m.i(0),
            m.i(n),
            zero,
            #[inline(always)]
            |least, s| least.min(step.mul_add(m.get(slope, s), m.get(w.y, s).abs())),
        );
        M::R::select(least.lt(zero), zero, step)
    };
    m.all(
        n,
        #[inline(always)]
        |s| {
            let mut v = m.lit(0.0);
            for (&w, &k) in weights[..i].iter().zip(&w.k) {
                v = w.mul_add(m.get(k, s), v);
            }
            m.put(w.s, s, v);
            m.put(w.z, s, step.mul_add(m.get(slope, s), v));
        },
    );
    m.set(w.running, m.var(w.converged)); // not where an earlier stage has failed
    m.set(w.last, m.lit(0.0));
    w.progress.begin(m);
    // η of the stage before, drawn towards one. In a linear gas it is zero; but the initial z of this stage
    // may lie far below zero, where f is cut, and a single iteration then leads to the wrong place.
    m.set(w.eta, power(m.var(w.eta), m.lit(0.8)).max(m.lit(TRUST)));
}

/// One iteration. Cells that are not running keep their z.
#[inline(always)]
fn iteration<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, d: M::R) {
    let n = p.len();
    m.function(
        "stage",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| m.put(w.error, s, m.get(w.y, s) + m.get(w.z, s)),
            )
        },
    );
    p.rhs(m, w.error, w.f);
    m.function(
        "residual",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| m.put(w.f, s, m.get(w.f, s) - (m.get(w.z, s) - m.get(w.s, s)) * d),
            )
        },
    );
    p.solve(m, w.f);
    m.function(
        "update",
        #[inline(always)]
        || {
            let c = &w.clock;
            let (rtol, atol) = (m.var(c.rtol), m.var(c.atol));
            let (one, running) = (m.lit(1.0), holds(m, w.running));
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let z = m.get(w.z, s);
                    m.put(w.z, s, M::R::select(running, z + m.get(w.f, s), z));
                },
            );
            let size = p.size(
                m,
                w.y,
                rtol,
                atol,
                #[inline(always)]
                |s| m.get(w.f, s),
            );
            let goal = newton::goal(rtol);
            let last = m.var(w.last);
            let first = last.le(m.lit(0.0));
            let theta = size / last;
            let eta = M::R::select(first, m.var(w.eta), theta / (one - theta));
            let contracts =
                M::R::and(M::R::or(first, theta.lt(m.lit(newton::CONTRACTS))), size.le(m.lit(newton::RUN_AWAY)));
            let stalls = w.progress.stalls(
                m,
                p,
                (w.y, c),
                [size, theta],
                #[inline(always)]
                |s| m.get(w.f, s),
            );
            let stalls = M::R::and(M::R::not(first), stalls);
            // How fast it converges is not known before the second iteration of a first step.
            let known = M::R::or(m.lit(0.5).lt(m.var(c.steps)), M::R::not(first));
            let known = M::R::or(known, newton::nothing(size, rtol));
            let small = M::R::and(known, (eta * size).le(goal));
            let done = M::R::or(stalls, M::R::and(contracts, small));
            // A diverging iteration goes on to no effect; the end of the stage finds it not converged.
            m.set(w.eta, M::R::select(M::R::and(running, contracts), eta, m.var(w.eta)));
            m.set(w.last, M::R::select(running, size.max(m.lit(f64::EPSILON)), last));
            count(m, c.rhs, flag(running));
            m.set(w.running, flag(M::R::and(running, M::R::not(done))));
        },
    );
}
