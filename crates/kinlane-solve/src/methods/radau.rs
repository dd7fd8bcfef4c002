//! Radau5: Radau IIA with three stages, order 5, L-stable (Hairer & Wanner, *Solving ODEs II*, IV.8; the constants of
//! the controller are their code's).
//!
//! With the stage increments Z = T W the Newton systems fall apart into one real and one complex one:
//!
//! ```text
//! (γ/h I − J) δ₁ = (T⁻¹F)₁ − γ/h W₁       ((α + iβ)/h I − J) (δ₂ + iδ₃) = (T⁻¹F)₂₃ − (α + iβ)/h (W₂ + iW₃)
//! ```
//!
//! Jacobian and factors are kept over steps as long as the iteration converges quickly. When one cell needs
//! new ones, they are remade for all cells; those that did not ask kept the inputs, and so get the same bits
//! again.

use super::control::{self, Clock, copy_where, count, finite, flag, holds, power};
use super::newton::{self, Kept, Progress};
use super::{Problem, growth};
use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine, Real, array};
use kinlane_plan::number::{Complex, ComplexArray};
use kinlane_plan::tables::Layout;

/// No iteration is trusted to contract faster than this: the contraction of the step before says nothing
/// about a start that lies elsewhere, and that from one iteration to the next may be that of a fast species
/// alone. On a cell's first step none is trusted at all: it begins wherever transport has left the cell.
const TRUSTED: f64 = 3e-3;

/// γ of the real system, 30/(6 + ∛81 − ∛9), and α + iβ of the complex one, the reciprocal of
/// (12 − ∛81 + ∛9)/60 − i (∛81 + ∛9) √3/60.
const GAMMA: f64 = 3.637_834_252_744_496;
const SHIFT: [f64; 2] = [2.681_082_873_627_752_3, 3.050_430_199_247_410_5];

/// T and its inverse, which transform the three coupled systems into one real and one complex (Hairer &
/// Wanner's code).
const T: [[f64; 3]; 3] = [
    [9.123_239_487_089_294e-2, -0.141_255_295_020_954_2, -3.002_919_410_514_742_4e-2],
    [0.241_717_932_707_107, 0.204_129_352_293_799_93, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093, 1.0, 0.0],
];
/// See [`T`].
const INVERSE: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 0.339_199_251_815_809_87, 0.541_770_539_935_874_9],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_4, 0.476_623_554_500_550_45],
    [-0.502_872_634_945_786_9, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
];
const SQRT6: f64 = 2.449_489_742_783_178;
/// The stages lie at c₁, c₂ (here) and 1.
const C: [f64; 2] = [(4.0 - SQRT6) / 10.0, (4.0 + SQRT6) / 10.0];

/// Most iterations of a step.
const ITERATIONS: usize = 7;
/// The Jacobian is kept if the last iteration contracted by this factor, or if no more iterations than
/// [`FEW`] were needed, as in scipy's Radau.
const KEEP: f64 = 1e-3;
const FEW: f64 = 2.0;
/// With it, the step and the factors are kept if the step would change by a factor between these; RADAU5 has
/// 1 and 1.2.
const STAY: [f64; 2] = [0.9, 1.2];
/// The Jacobian is not kept for a step longer by more than this factor: what was fast may be gone, and what it held
/// would still be held.
const LEAP: f64 = 3.0;
/// The new step is this part of the one whose error would just pass.
const SAFETY: f64 = 0.9;
/// Largest factor by which a step may grow.
const GROW: f64 = 8.0;
/// Smallest factor on a step.
const SHRINK: f64 = 0.2;

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
    f: [Array; 3],
    w: [Array; 3],
    z: [Array; 3],
    /// The collocation polynomial of the last step, as divided differences.
    past: [Array; 3],
    /// The state at which the Jacobian was evaluated.
    base: Array,
    at: Array,
    complex: ComplexArray,
    pub(super) factors: Factors<ComplexArray>,
    /// 1/h for which the factors were made.
    inv_h: Array,
    /// 1 where the Jacobian must be evaluated anew.
    stale: Array,
    /// 1 where the Jacobian belongs to `y`.
    current: Array,
    /// 1 where `y` has changed since f(y) was evaluated.
    moved: Array,
    /// Length of the step that `past` belongs to \[s\]; zero without one.
    past_h: Array,
    /// 1 where the iteration of the attempt before failed although its Jacobian was that of the step.
    again: Array,
    /// Scaled error of the last accepted step.
    past_error: Array,
    running: Array,
    converged: Array,
    iterations: Array,
    /// Iterations that would have been enough without [`TRUSTED`]; only these count for the age of J and for
    /// the next step.
    needed: Array,
    last: Array,
    theta: Array,
    /// η = θ/(1 − θ), kept from step to step.
    eta: Array,
    /// Factor on the step where the iteration has failed.
    cut: Array,
    /// Energy that the last attempt has lost \[tolerances\].
    lost: Array,
    progress: Progress,
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

    /// What is at hand between attempts.
    #[inline(always)]
    pub fn kept<M: Machine>(&self, m: M) -> Kept<M::R> {
        Kept { d: m.var(self.inv_h) * m.lit(GAMMA), room: self.at, lost: Some(m.var(self.lost)) }
    }
}

impl Workspace {
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

/// Row `i` of a matrix times three numbers.
#[inline(always)]
fn row<R: Real>(a: &[[f64; 3]; 3], i: usize, x: [R; 3]) -> R {
    R::lit(a[i][2]).mul_add(x[2], R::lit(a[i][1]).mul_add(x[1], R::lit(a[i][0]) * x[0]))
}

/// Attempts one step and accepts or rejects it.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace) {
    let n = p.len();
    let c = &w.clock;
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let (gamma, [re, im]) = (GAMMA, SHIFT);
    let h = control::next_step(m, c);
    let fresh = holds(m, c.fresh);
    m.set(c.fresh, zero);
    for (a, x) in [(w.past_h, zero), (w.again, zero), (w.past_error, m.lit(1e-2)), (w.eta, one)] {
        m.set(a, M::R::select(fresh, x, m.var(a)));
    }

    // f and J, where they must be evaluated anew
    let stale = M::R::or(M::R::or(fresh, holds(m, w.stale)), p.outdated(m, w.y));
    m.if_any(
        stale,
        #[inline(always)]
        || {
            copy_where(m, n, stale, w.y, w.base);
            p.rhs_and_jacobian(m, w.base, w.f[0]);
            copy_where(m, n, stale, w.f[0], w.f0);
        },
    );
    let moved = M::R::and(holds(m, w.moved), M::R::not(stale));
    m.if_any(
        moved,
        #[inline(always)]
        || {
            p.rhs(m, w.y, w.f[0]);
            copy_where(m, n, moved, w.f[0], w.f0);
        },
    );
    m.set(w.moved, zero);
    m.set(w.current, M::R::select(stale, one, m.var(w.current)));
    let inv_h = h.recip();
    let old = m.var(w.inv_h);
    let asks = M::R::or(stale, M::R::or(inv_h.lt(old), old.lt(inv_h)));
    m.set(w.inv_h, inv_h);
    let d = inv_h * m.lit(gamma);
    let dc = Complex { re: inv_h * m.lit(re), im: inv_h * m.lit(im) };
    m.if_any(
        asks,
        #[inline(always)]
        || {
            p.factor(m, d);
            p.factor_complex(m, &w.factors, dc);
        },
    );
    let grows = p.grows(m, false, w.y, w.f0, d);
    count(m, c.rhs, flag(moved));
    count(m, c.jac, flag(stale));
    count(m, c.factor, flag(asks));

    m.function(
        "start",
        #[inline(always)]
        || start(m, n, w, h),
    );
    newton::iterate(
        m,
        ITERATIONS,
        w.running,
        #[inline(always)]
        || iteration(m, p, w, d, dc, flag(M::R::not(asks))),
    );
    estimate(m, p, w, [h, inv_h]);
    let [lost, astray] = control::energy_lost(m, p, c, newton::LOST, [w.y, w.y1], h);
    m.set(w.lost, lost);
    m.set(c.error, growth::outgrown(m, grows, m.var(c.error).max(astray)));
    m.function(
        "decide",
        #[inline(always)]
        || decide(m, n, w, h),
    );
}

/// Initial Z from the polynomial of the last step, and W = T⁻¹ Z.
#[inline(always)]
fn start<M: Machine>(m: M, n: usize, w: &Workspace, h: M::R) {
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let past_h = m.var(w.past_h);
    let known = zero.lt(past_h);
    let ratio = M::R::select(known, h / past_h, zero);
    let x = [ratio * m.lit(C[0]), ratio * m.lit(C[1]), ratio];
    m.all(
        n,
        #[inline(always)]
        |s| {
            let a: [M::R; 3] = array(
                #[inline(always)]
                |i| m.get(w.past[i], s),
            );
            let z: [M::R; 3] = array(
                #[inline(always)]
                |i| {
                    let inner = (x[i] - m.lit(C[0] - 1.0)).mul_add(a[2], a[1]);
                    M::R::select(known, x[i] * (x[i] - m.lit(C[1] - 1.0)).mul_add(inner, a[0]), zero)
                },
            );
            for i in 0..3 {
                m.put(w.z[i], s, z[i]);
                m.put(w.w[i], s, row(&INVERSE, i, z));
            }
        },
    );
    w.progress.begin(m);
    // η = θ/(1 − θ) of the step before, drawn towards one.
    m.set(w.eta, power(m.var(w.eta).max(m.lit(f64::EPSILON)), m.lit(0.8)));
    for (a, x) in [
        (w.running, one),
        (w.converged, zero),
        (w.iterations, zero),
        (w.needed, zero),
        (w.last, zero),
        (w.theta, m.lit(KEEP)),
        (w.cut, m.lit(0.5)),
    ] {
        m.set(a, x);
    }
}

/// One iteration. Cells that are not running keep their W, hence their Z. `same`: 1 where the matrix is that of the attempt
/// before.
#[inline(always)]
fn iteration<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, d: M::R, dc: Complex<M::R>, same: M::R) {
    let n = p.len();
    for i in 0..3 {
        m.function(
            "stage",
            #[inline(always)]
            || {
                m.all(
                    n,
                    #[inline(always)]
                    |s| m.put(w.at, s, m.get(w.y, s) + m.get(w.z[i], s)),
                )
            },
        );
        p.rhs(m, w.at, w.f[i]);
    }
    m.function(
        "residuals",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let f: [M::R; 3] = array(
                        #[inline(always)]
                        |i| m.get(w.f[i], s),
                    );
                    let v: [M::R; 3] = array(
                        #[inline(always)]
                        |i| m.get(w.w[i], s),
                    );
                    m.put(w.error, s, row(&INVERSE, 0, f) - d * v[0]);
                    m.put(w.complex.re, s, row(&INVERSE, 1, f) - (dc.re * v[1] - dc.im * v[2]));
                    m.put(w.complex.im, s, row(&INVERSE, 2, f) - (dc.re * v[2] + dc.im * v[1]));
                },
            )
        },
    );
    p.solve(m, w.error);
    p.solve_complex(m, &w.factors, w.complex);
    let delta = [w.error, w.complex.re, w.complex.im];
    m.function(
        "update",
        #[inline(always)]
        || {
            let running = holds(m, w.running);
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let v: [M::R; 3] = array(
                        #[inline(always)]
                        |i| {
                            let old = m.get(w.w[i], s);
                            M::R::select(running, old + m.get(delta[i], s), old)
                        },
                    );
                    for i in 0..3 {
                        m.put(w.w[i], s, v[i]);
                        m.put(w.z[i], s, row(&T, i, v));
                    }
                },
            );
        },
    );
    m.function(
        "convergence",
        #[inline(always)]
        || convergence(m, p, w, delta, same),
    );
}

#[inline(always)]
fn convergence<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, delta: [Array; 3], same: M::R) {
    let c = &w.clock;
    let (rtol, atol) = (m.var(c.rtol), m.var(c.atol));
    let (zero, one, running) = (m.lit(0.0), m.lit(1.0), holds(m, w.running));
    let mut sum = m.lit(0.0);
    for a in delta {
        let size = p.size(
            m,
            w.y,
            rtol,
            atol,
            #[inline(always)]
            |s| m.get(a, s),
        );
        sum = sum + size.squared();
    }
    let size = (sum * m.lit(1.0 / 3.0)).sqrt();
    let goal = newton::goal(rtol);
    let last = m.var(w.last);
    let first = last.le(zero);
    let done_before = m.var(w.iterations);
    // Contraction: from the third iteration on the geometric mean of two, but on a first step, where the first may be that of a
    // fast species.
    let begun = zero.lt(m.var(w.past_h));
    let now = size / last;
    let theta = M::R::select(M::R::or(M::R::not(begun), done_before.le(m.lit(1.5))), now, (now * m.var(w.cut)).sqrt());
    let theta = M::R::select(first, m.var(w.theta), theta);
    let contracts = M::R::or(first, theta.lt(m.lit(newton::CONTRACTS)));
    let contracts = M::R::and(contracts, size.le(m.lit(newton::RUN_AWAY)));
    let eta = M::R::select(first, m.var(w.eta), theta / (one - theta));
    // Where the remaining iterations would not suffice, the iteration stops here and the step is cut.
    let left = m.lit((ITERATIONS - 2) as f64) - done_before;
    let expected = eta * size * power(theta, left.max(zero)) / goal;
    let hopeless = M::R::and(M::R::not(first), one.le(expected));
    let stalls = w.progress.stalls(
        m,
        p,
        (w.y, c),
        [size, now],
        #[inline(always)]
        |s| m.get(delta[0], s),
    );
    let stalls = M::R::and(M::R::not(first), stalls);
    let trusted = M::R::select(begun, m.lit(TRUSTED), one);
    // How fast it converges with another matrix than that of the attempt before is not known before the second iteration: J
    // may be that of a state in which something was fast that is gone. On a first step the second does not tell either,
    // if the first was large.
    let second = M::R::and(M::R::not(first), M::R::or(begun, last.le(one)));
    let known = M::R::or(M::R::or(M::R::and(begun, zero.lt(same)), second), newton::nothing(size, rtol));
    let small = M::R::or(M::R::and(known, (eta.max(trusted) * size).le(goal)), stalls);
    let enough = M::R::and(m.var(w.needed).le(zero), M::R::or((eta * size).le(goal), stalls));
    let contracts = M::R::or(stalls, M::R::and(contracts, M::R::or(small, M::R::not(hopeless))));
    let slower = m.lit(0.8) * power(m.lit(1e-4).max(expected.min(m.lit(20.0))), -(left + m.lit(4.0)).max(one).recip());
    let iterations = done_before + one;
    let going = M::R::and(running, contracts);
    let done = M::R::and(going, small);
    let on = M::R::and(going, M::R::and(M::R::not(small), iterations.lt(m.lit(ITERATIONS as f64 - 0.5))));
    let gives_up =
        M::R::and(running, M::R::and(M::R::not(first), M::R::and(theta.lt(m.lit(newton::CONTRACTS)), hopeless)));
    m.set(w.converged, M::R::select(done, one, m.var(w.converged)));
    m.set(w.theta, M::R::select(running, theta, m.var(w.theta)));
    m.set(w.eta, M::R::select(M::R::and(going, M::R::not(stalls)), eta, m.var(w.eta)));
    // While the iteration runs, `cut` holds the last contraction; at its end, the factor on the step.
    let cut = M::R::select(on, now, M::R::select(gives_up, slower, m.lit(0.5)));
    m.set(w.cut, M::R::select(running, cut, m.var(w.cut)));
    m.set(w.iterations, M::R::select(running, iterations, m.var(w.iterations)));
    m.set(w.needed, M::R::select(M::R::and(going, enough), iterations, m.var(w.needed)));
    m.set(w.last, M::R::select(running, size.max(m.lit(f64::EPSILON)), last));
    m.set(w.running, flag(on));
    count(m, c.rhs, M::R::select(running, m.lit(3.0), zero));
}

/// A factor on the step, within bounds.
#[inline(always)]
fn clamp<R: Real>(x: R) -> R {
    R::lit(SHRINK).max(R::lit(GROW).min(x))
}

/// err = (γ/h I − J)⁻¹ (f(y) + Σ eᵢ Zᵢ/h). If that is too large on a first step or after a rejection, it is
/// computed once more with f(y + err) in the place of f(y), which damps stiff components.
#[inline(always)]
fn estimate<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, [h, inv_h]: [M::R; 2]) {
    let n = p.len();
    let c = &w.clock;
    let e = [-(13.0 + 7.0 * SQRT6) / 3.0, (7.0 * SQRT6 - 13.0) / 3.0, -1.0 / 3.0];
    m.function(
        "estimate",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let mut v = m.lit(0.0);
                    for (&z, e) in w.z.iter().zip(e) {
                        v = m.lit(e).mul_add(m.get(z, s), v);
                    }
                    let v = v * inv_h;
                    m.put(w.at, s, v);
                    m.put(w.error, s, v + m.get(w.f0, s));
                    m.put(w.y1, s, m.get(w.y, s) + m.get(w.z[2], s));
                },
            )
        },
    );
    p.solve(m, w.error);
    m.set(c.error, c.norm(m, p, h, [w.y, w.y1, w.error]));
    let begins = M::R::or(c.begins(m), holds(m, c.after_rejection));
    let again = M::R::and(M::R::and(begins, holds(m, w.converged)), M::R::not(m.var(c.error).lt(m.lit(1.0))));
    m.if_any(
        again,
        #[inline(always)]
        || {
            m.function(
                "perturb",
                #[inline(always)]
                || {
                    m.all(
                        n,
                        #[inline(always)]
                        |s| m.put(w.complex.re, s, m.get(w.y, s) + m.get(w.error, s)),
                    )
                },
            );
            p.rhs(m, w.complex.re, w.f[0]);
            m.function(
                "second_estimate",
                #[inline(always)]
                || {
                    m.all(
                        n,
                        #[inline(always)]
                        |s| m.put(w.complex.re, s, m.get(w.at, s) + m.get(w.f[0], s)),
                    )
                },
            );
            p.solve(m, w.complex.re);
            copy_where(m, n, again, w.complex.re, w.error);
            m.set(c.error, M::R::select(again, c.norm(m, p, h, [w.y, w.y1, w.error]), m.var(c.error)));
        },
    );
    count(m, c.rhs, flag(again));
}

#[inline(always)]
fn decide<M: Machine>(m: M, n: usize, w: &Workspace, h: M::R) {
    let c = &w.clock;
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let error = finite(m, m.var(c.error)).max(m.lit(1e-10));
    m.set(c.error, error);
    let converged = holds(m, w.converged);
    let accepted = M::R::and(converged, error.lt(one));
    let first = c.begins(m);
    // With fewer iterations the next step may be longer.
    let nit = ITERATIONS as f64;
    let safety = m.lit(SAFETY).min(m.lit(SAFETY * (2.0 * nit + 1.0)) / (m.var(w.needed) + m.lit(2.0 * nit)));
    let plain = clamp(safety * power(error, m.lit(-0.25)));
    // Gustafsson's controller: the error is expected to change over the next step as it did over the last.
    let past_h = m.var(w.past_h);
    let known = zero.lt(past_h);
    let trend = m.lit(SAFETY) * (h / past_h) * power(m.var(w.past_error) / error.squared(), m.lit(0.25));
    let factor = M::R::select(known, plain.min(clamp(trend)), plain);
    let factor = M::R::select(holds(m, c.after_rejection), factor.min(one), factor);
    let quick = M::R::or(m.var(w.theta).le(m.lit(KEEP)), m.var(w.needed).le(m.lit(FEW + 0.5)));
    let stays = M::R::and(quick, M::R::and(m.lit(STAY[0]).le(factor), factor.le(m.lit(STAY[1]))));
    let grown = M::R::select(stays, one, factor);
    let refused = M::R::select(first, m.lit(0.1), plain);
    let factor = M::R::select(accepted, grown, M::R::select(converged, refused, m.var(w.cut)));
    m.set(c.h, h * factor);
    let current = holds(m, w.current);
    let kept = M::R::and(quick, grown.le(m.lit(LEAP)));
    let stale = M::R::select(accepted, flag(M::R::not(kept)), flag(M::R::not(current)));
    m.set(w.stale, stale);
    m.set(w.current, M::R::select(accepted, zero, m.var(w.current)));
    m.set(w.moved, flag(accepted));
    // If the iteration fails again with a Jacobian of its own step, its start was bad: the next one starts
    // from zero.
    let again = holds(m, w.again);
    let fails = M::R::and(M::R::not(converged), current);
    let astray = M::R::and(fails, again);
    m.set(w.again, flag(fails));
    m.set(w.past_h, M::R::select(accepted, h, M::R::select(astray, zero, past_h)));
    m.set(w.past_error, M::R::select(accepted, error.max(m.lit(1e-2)), m.var(w.past_error)));
    m.all(
        n,
        #[inline(always)]
        |s| {
            let z: [M::R; 3] = array(
                #[inline(always)]
                |i| m.get(w.z[i], s),
            );
            let a0 = (z[1] - z[2]) * m.lit(1.0 / (C[1] - 1.0));
            let slope = (z[0] - z[1]) * m.lit(1.0 / (C[0] - C[1]));
            let origin = (slope - z[0] * m.lit(1.0 / C[0])) * m.lit(1.0 / C[1]);
            let a1 = (slope - a0) * m.lit(1.0 / (C[0] - 1.0));
            for (i, a) in [a0, a1, a1 - origin].into_iter().enumerate() {
                m.put(w.past[i], s, M::R::select(accepted, a, m.get(w.past[i], s)));
            }
            m.put(w.y, s, M::R::select(accepted, m.get(w.y1, s), m.get(w.y, s)));
        },
    );
    control::record(m, c, accepted, h);
}
