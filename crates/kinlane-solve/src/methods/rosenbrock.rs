//! Rosenbrock methods: linearly implicit Runge–Kutta, one Jacobian and one factorisation per attempted step.
//!
//! The formula is given in `tableau.rs`; acceptance and step size are in `control.rs`. Problems are
//! autonomous.

use super::control::{self, Clock, Controller, Mask, flag};
use super::stages::{STAGES, add_stages};
use super::tableau::Rosenbrock;
use super::{Problem, first_step, growth};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// A loss of energy up to this, in units of the allowed error, is corrected in T alone; a larger one by a
/// linear solve over all variables ([`control::regain`]).
const LEFT_TO_T: f64 = 1e-3;

/// Weight of the squared second estimate in the norm.
const CHECK: f64 = 4.0;

/// Factor on the error of a cell's first step, if errors that it makes may last to the end. Such a step starts from a state that the
/// method did not make, often off the slow manifold, where the estimate is too small.
const FIRST: f64 = 3.0;

/// How often the error of a step that need not be followed is damped: see [`outlasting`]. Not at all if γ is above one, as that of `ros2`.
fn dampings(t: &Rosenbrock) -> usize {
    4.min(t.gamma.recip() as usize)
}

/// A step whose error may die out bends less than this part of that error: see [`bend`].
const BENT: f64 = 0.35;

/// Work arrays of a step.
#[derive(Debug, Clone, Copy)]
pub struct Workspace {
    /// The state.
    pub y: Array,
    /// The state after the attempt.
    pub y1: Array,
    /// f at the latest stage that evaluated it.
    pub f: Array,
    /// Stages.
    pub k: [Array; STAGES],
    /// The error estimate; in a stiffly accurate method it is the last stage itself.
    pub error: Array,
    /// 1 where something grows faster than the step can follow.
    pub grows: Array,
    /// Norm of the error.
    pub norm: Array,
    /// Time and steps.
    pub clock: Clock,
}

impl Workspace {
    /// Lays out the arrays of a method for `n` variables.
    pub fn new(l: &mut Layout, n: usize, method: &Rosenbrock) -> Self {
        let k = std::array::from_fn(|i| if i < method.stages() { l.array(n) } else { Array::default() });
        Self {
            y: l.fine(n),
            y1: l.array(n),
            f: l.array(n),
            k,
            error: if last_alone(method) { k[method.stages() - 1] } else { l.array(n) },
            grows: l.var(),
            norm: l.var(),
            clock: Clock::new(l),
        }
    }
}

/// Whether the error estimate is the last stage alone, as in the stiffly accurate methods.
fn last_alone(t: &Rosenbrock) -> bool {
    let last = t.stages() - 1;
    t.e[last] == 1.0 && t.e[..last].iter().all(|&e| e == 0.0)
}

/// y₁ := y + Σ wⱼ kⱼ. `before` are the weights of the sum that y₁ holds already. Where they agree with all
/// but the last of `w`, as in the last stages of stiffly accurate methods, only the last term is added.
#[inline(always)]
fn add_to<M: Machine>(m: M, n: usize, y: Array, y1: Array, k: &[Array], w: &[f64], before: &[f64]) {
    let (last, rest) = (w.len() - 1, &w[..w.len() - 1]);
    if !rest.is_empty() && rest == before {
        add_stages(m, n, Some(y1), None, y1, &k[last..], &w[last..]);
    } else {
        add_stages(m, n, Some(y), None, y1, k, w);
    }
}

/// Attempts one step from `w.y` and decides on it.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, p: P, t: &Rosenbrock, w: &Workspace) {
    let Workspace { y, y1, f, k, error, grows, norm, clock } = *w;
    let n = p.len();
    p.rhs_and_jacobian(m, y, f);
    let fresh = control::holds(m, clock.fresh);
    m.if_any(
        fresh,
        #[inline(always)]
        || first_step::shorten(m, p, &clock, fresh, [y, f, y1, error], dampings(t) > 0),
    );
    m.set(clock.fresh, m.lit(0.0));
    let h = control::next_step(m, &clock);
    p.clip_noise(m, y, f, h, m.var(clock.atol));
    let inv_h = h.recip();
    let d = inv_h * m.lit(1.0 / t.gamma);
    p.factor_in_place(m, d); // W = d I − J
    let above = p.grows(m, true, y, f, d);
    stages(m, p, t, w, inv_h);
    let second = (!t.check.is_empty()).then(
        #[inline(always)]
        || second_estimate(m, p, t, w),
    );
    let turned = t.turns.then(
        #[inline(always)]
        || growth::turned(m, n, t, y, y1, &k),
    );
    m.set(norm, clock.norm(m, p, h, [y, y1, error]));
    let passes = (dampings(t) > 0).then(
        #[inline(always)]
        || may_die_out(m, &clock, h),
    );
    if let Some(passes) = passes {
        let judged = M::R::and(M::R::and(passes, M::R::not(above)), m.lit(1.0).lt(m.var(norm)));
        m.if_any(
            judged,
            #[inline(always)]
            || outlasting(m, p, t, w, judged, (h, d)),
        );
    }
    let lost = keep_energy(m, p, w, h, d);
    m.set(grows, flag(above));
    // This works in the first stage, too.
    if let Some(turned) = turned {
        m.if_any(
            turned,
            #[inline(always)]
            || confirm(m, p, t, w, turned, inv_h),
        );
    }
    m.function(
        "finish",
        #[inline(always)]
        || {
            let norm = m.var(norm).max(lost);
            let norm = second.map_or(norm, |second| second.max(norm));
            let norm = growth::outgrown(m, control::holds(m, grows), norm);
            control::count(m, clock.rhs, m.lit(f64::from(t.evaluations())));
            control::count(m, clock.jac, m.lit(1.0));
            control::count(m, clock.factor, m.lit(1.0));
            let begins = clock.begins(m);
            let first = passes.map_or(
                begins,
                #[inline(always)]
                |passes| M::R::and(begins, M::R::not(passes)),
            );
            let norm = M::R::select(first, norm * m.lit(FIRST), norm);
            control::decide(m, &clock, controller(t), n, y, y1, h, norm);
        },
    );
}

/// The kᵢ of all stages; y₁ = y + Σ mᵢ kᵢ and the error Σ eᵢ kᵢ.
#[inline(always)]
fn stages<M: Machine, P: Problem<M>>(m: M, p: P, t: &Rosenbrock, w: &Workspace, inv_h: M::R) {
    let Workspace { y, y1, f, k, error, .. } = *w;
    let n = p.len();
    for i in 0..t.stages() {
        if i > 0 && t.new_f[i] {
            // f := f(y + Σ aᵢⱼ kⱼ)
            add_to(m, n, y, y1, &k[..i], t.row(i), if i > 1 && t.new_f[i - 1] { t.row(i - 1) } else { &[] });
            p.rhs(m, y1, f);
        }
        if i == 0 {
            m.function(
                "first_stage",
                #[inline(always)]
                || {
                    m.all(
                        n,
                        #[inline(always)]
                        |s| m.put(k[0], s, m.get(f, s)),
                    )
                },
            );
        } else {
            // W kᵢ = f + Σ (cᵢⱼ/h) kⱼ
            let row = i * (i - 1) / 2;
            add_stages(m, n, Some(f), Some(inv_h), k[i], &k[..i], &t.c[row..row + i]);
        }
        p.solve_in_place(m, k[i]);
    }
    let last = t.stages() - 1;
    add_to(m, n, y, y1, &k[..=last], t.m, if t.new_f[last] { t.row(last) } else { &[] }); // y₁ = y + Σ mᵢ kᵢ
    if error != k[last] {
        add_stages(m, n, None, None, error, &k[..=last], t.e);
    }
}

/// Corrects T where the stages lie on one equilibrium, where nothing else shows that its energy is another one. Returns the
/// energy that was lost before, as an error. The stages are no longer needed: the correction works in the first.
#[inline(always)]
fn keep_energy<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, h: M::R, d: M::R) -> M::R {
    let Workspace { y, y1, ref k, ref clock, .. } = *w;
    let rtol = m.var(clock.rtol);
    let [_, lost] = p.energy_lost(m, y, y1, h, rtol);
    let much = m.lit(LEFT_TO_T).lt(lost);
    m.if_any(
        much,
        #[inline(always)]
        || {
            p.energy_lacking(m, y1, d, much, k[0]);
            p.solve_in_place(m, k[0]);
            control::regain(m, p, much, [y, y1, k[0]], h, rtol);
        },
    );
    lost
}

/// Whether errors of a step of length `h` may die out before they count: if only the end of the interval counts, and it is at least as
/// far from the end of this step.
#[inline(always)]
fn may_die_out<M: Machine>(m: M, c: &Clock, h: M::R) -> Mask<M> {
    M::R::and(control::holds(m, c.only_end), (h + h).le(m.var(c.left) * m.lit(1.0 + 1e-9)))
}

/// In the cells of the mask: the norm of what is left of an error after another `h`, if that is less. Transport displaces what reacts fast,
/// and a step that does not follow it back leaves a part of the displacement, which the next steps damp. Errors of slow
/// variables stay, and what fast ones have made of theirs:
///
/// ```text
/// e' = (I − γhJ)⁻ⁿ e = (d W⁻¹)ⁿ e,   n ≤ 1/γ
/// ```
///
/// With such an n no decaying mode is damped more than in time h: (1 + γz)⁻ⁿ ≥ exp(−z). The step that ends the interval is judged by e
/// itself, with all that earlier ones have left. J is that of the step's start: in a step that is not straight (see [`bend`]) nothing
/// follows from it (docs/decisions/0048).
#[inline(always)]
fn outlasting<M: Machine, P: Problem<M>>(
    m: M,
    p: P,
    t: &Rosenbrock,
    w: &Workspace,
    which: Mask<M>,
    (h, d): (M::R, M::R),
) {
    let straight = bend(m, p, t, w, h, d).le(m.var(w.norm) * m.lit(BENT));
    let which = M::R::and(which, straight);
    let (n, left) = (p.len(), w.k[0]);
    for i in 0..dampings(t) {
        let before = if i == 0 { w.error } else { left };
        m.function(
            "damp",
            #[inline(always)]
            || {
                m.all(
                    n,
                    #[inline(always)]
                    |s| m.put(left, s, m.get(before, s) * d),
                );
            },
        );
        p.solve_in_place(m, left);
    }
    let damped = w.clock.norm(m, p, h, [w.y, w.y1, left]);
    m.set(w.norm, M::R::select(which, damped.min(m.var(w.norm)), m.var(w.norm)));
}

/// How far a step is from straight, as the norm of an error: what the change of J along the step moves the variables by. With the last
/// ŷ at which f was evaluated, Δ = ŷ − y = Σ aᵢⱼ kⱼ, and k₁ = W⁻¹ f(y):
///
/// ```text
/// W⁻¹ (f(ŷ) − f(y) − J Δ) = W⁻¹ (f(ŷ) − d Δ) − (k₁ − Δ)
/// ```
#[inline(always)]
fn bend<M: Machine, P: Problem<M>>(m: M, p: P, t: &Rosenbrock, w: &Workspace, h: M::R, d: M::R) -> M::R {
    // The stages are no longer needed.
    let (n, straight, bent) = (p.len(), w.k[0], w.k[1]);
    let row = t.row(t.new_f.iter().rposition(|&new| new).unwrap_or(1));
    m.function(
        "straight",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let mut moved = m.lit(0.0);
                    for (&a, &k) in row.iter().zip(&w.k) {
                        moved = m.lit(a).mul_add(m.get(k, s), moved);
                    }
                    let first = m.get(straight, s);
                    m.put(bent, s, m.get(w.f, s) - moved * d);
                    m.put(straight, s, first - moved);
                },
            );
        },
    );
    p.solve_in_place(m, bent);
    m.function(
        "bend",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| m.put(bent, s, m.get(bent, s) - m.get(straight, s)),
            );
        },
    );
    w.clock.norm(m, p, h, [w.y, w.y1, bent])
}

/// Square of the second error estimate, relative to the state. In the stages of a stiffly accurate method a
/// decaying species may fall below zero, where rates are cut; then its estimate, the last stage, vanishes at
/// some values of λh at which the error does not. The zeros of this second estimate lie elsewhere. It is of
/// lower order: on accurate steps its square is below the first (docs/decisions/0029).
#[inline(always)]
fn second_estimate<M: Machine, P: Problem<M>>(m: M, p: P, t: &Rosenbrock, w: &Workspace) -> M::R {
    let rtol = m.var(w.clock.rtol);
    let weighted = |i: &usize| t.check[*i] != 0.0;
    let size = p.size(
        m,
        w.y1,
        rtol,
        m.var(w.clock.atol),
        #[inline(always)]
        |s| {
            (0..t.check.len()).filter(weighted).fold(
                m.lit(0.0),
                #[inline(always)]
                |sum, i| m.lit(t.check[i]).mul_add(m.get(w.k[i], s), sum),
            )
        },
    );
    size * size * rtol * m.lit(CHECK)
}

/// In cells where something that grows may have come out below zero: whether it grows, by the factors of a
/// step [`growth::LONGER`] times as long, whose pole lies below it.
#[inline(always)]
fn confirm<M: Machine, P: Problem<M>>(m: M, p: P, t: &Rosenbrock, w: &Workspace, turned: Mask<M>, inv_h: M::R) {
    p.rhs_and_jacobian(m, w.y, w.k[0]);
    let d = inv_h * m.lit((growth::LONGER * t.gamma).recip());
    p.factor_in_place(m, d);
    let grows: M::R = flag(M::R::and(turned, p.grows(m, true, w.y, w.k[0], d)));
    m.set(w.grows, m.var(w.grows).max(grows));
    for counter in [w.clock.rhs, w.clock.jac, w.clock.factor] {
        control::count(m, counter, flag(turned));
    }
}

/// The controller that suits a method.
fn controller(t: &Rosenbrock) -> Controller {
    Controller { order: f64::from(t.embedded + 1), safety: 0.9, grow: 6.0, shrink: 0.2, first: 1.0, again: 0.5 }
}
