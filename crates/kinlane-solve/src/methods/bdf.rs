//! Backward differentiation of order 1 to 5 with variable step: the fixed-leading-coefficient form of Byrne &
//! Hindmarsh (1975), with the tests and constants of CVODE (Hindmarsh et al. 2005).
//!
//! The past is kept as the Nordsieck array zⱼ = hʲ y⁽ʲ⁾/j!. An attempt predicts, corrects by a simplified Newton
//! iteration, and, where the error passes, adds lⱼ times the correction to zⱼ. Every cell has its own order, its own age
//! of Jacobian and factors. What belongs to an order is chosen by masks; Jacobian and factors are remade for all cells
//! where any cell asks, from inputs that the others keep, which gives these the bits they had.

use super::Problem;
use super::control::{self, Clock, Mask, count, finite, flag, holds};
use kinlane_plan::machine::{Array, Machine, Real, array};
use kinlane_plan::tables::Layout;

/// Highest order.
const ORDERS: usize = 5;
/// Most Newton iterations of an attempt.
const ITERATIONS: usize = 3;
/// Steps after which factors are made anew.
const FACTORS_LAST: f64 = 20.0;
/// Steps after which a Jacobian is evaluated anew.
const JACOBIAN_LASTS: f64 = 50.0;
/// Relative change of γ that asks for new factors.
const CHANGE: f64 = 0.3;
/// A step is only changed for at least this gain.
const WORTHWHILE: f64 = 1.5;
/// Largest growth of a step.
const GROW: f64 = 10.0;
/// Largest growth of the first, which was chosen small.
const GROW_FIRST: f64 = 1e4;
/// Safety of the estimates one order below, at, and one order above the present one.
const SAFETY: [f64; 3] = [6.0, 6.0, 10.0];
/// Keeps the estimates finite.
const TINY: f64 = 1e-6;

/// Where a step works.
#[derive(Debug, Clone, Copy)]
pub struct Workspace {
    /// Nordsieck array; the first is the state.
    pub z: [Array; ORDERS + 1],
    /// The state that the attempt came to.
    pub y1: Array,
    /// f at the last iterate.
    pub f: Array,
    /// Correction of the prediction.
    pub correction: Array,
    /// Error estimate.
    pub error: Array,
    /// Time and steps.
    pub clock: Clock,
    /// The correction before the last.
    saved: Array,
    predicted: Array,
    /// z₁/l₁ of the prediction.
    slope: Array,
    /// Where the Jacobian was evaluated.
    base: Array,
    residual: Array,
    /// Sizes of the last steps, the latest first.
    tau: [Array; ORDERS],
    order: Array,
    /// Steps until a change of order is considered.
    wait: Array,
    /// Step that z belongs to.
    scale: Array,
    /// Largest growth of the next step.
    most: Array,
    /// 1/γ in the factors.
    diagonal: Array,
    /// Number of steps when the factors were made.
    factored: Array,
    /// Number of steps when the Jacobian was evaluated.
    evaluated: Array,
    saved_tq5: Array,
    /// 0, 1 where the iteration failed with an old Jacobian, 2 where it failed with a new one.
    trouble: Array,
    /// Rejections of this step for its error.
    refusals: Array,
    running: Array,
    converged: Array,
    last: Array,
    rate: Array,
}

impl Workspace {
    /// Lays out the arrays for `n` variables.
    pub fn new(l: &mut Layout, n: usize) -> Self {
        Self {
            z: std::array::from_fn(|_| l.array(n)),
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
            saved_tq5: l.var(),
            trouble: l.var(),
            refusals: l.var(),
            running: l.var(),
            converged: l.var(),
            last: l.var(),
            rate: l.var(),
        }
    }
}

impl Workspace {
    /// The arrays of its own by name, for printed programs.
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

/// The order of a cell, as masks "at least k".
#[derive(Clone, Copy)]
struct Order<R: Real> {
    at_least: [R::Mask; ORDERS + 2],
}

impl<R: Real> Order<R> {
    #[inline(always)]
    fn new(order: R) -> Self {
        Self {
            at_least: array(
                #[inline(always)]
                |k| R::lit(k as f64 - 0.5).lt(order),
            ),
        }
    }
    /// `value(order)`.
    #[inline(always)]
    fn pick(self, value: impl Fn(usize) -> R) -> R {
        let mut x = value(1);
        for k in 2..=ORDERS {
            x = R::select(self.at_least[k], value(k), x);
        }
        x
    }
    /// `value(order)` of plain numbers.
    #[inline(always)]
    fn literal(self, value: impl Fn(usize) -> f64) -> R {
        self.pick(
            #[inline(always)]
            |k| R::lit(value(k)),
        )
    }
}

/// Coefficients of the correction, and the factors that turn it into error estimates.
#[derive(Clone, Copy)]
struct Coefficients<R> {
    /// zⱼ += lⱼ · correction.
    l: [R; ORDERS + 1],
    /// Error at one order less, at this order, at one order more, and the constant of the latter.
    tq1: R,
    tq2: R,
    tq3: R,
    tq5: R,
}

/// l and the test quantities for step `h` after steps `tau` (Byrne & Hindmarsh 1975; the names are CVODE's).
#[inline(always)]
fn coefficients<R: Real>(q: Order<R>, order: R, h: R, tau: [R; ORDERS]) -> Coefficients<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let mut l = [zero; ORDERS + 1];
    (l[0], l[1]) = (one, one);
    let (mut alpha, mut sum, mut xi_inv) = (-one, h, one);
    // Π (1 + x/ξⱼ), j below the order
    for j in 2..ORDERS {
        let inside = q.at_least[j + 1];
        let longer = sum + tau[j - 2];
        let x = h / longer;
        for i in (1..=j).rev() {
            l[i] = R::select(inside, l[i - 1].mul_add(x, l[i]), l[i]);
        }
        alpha = R::select(inside, alpha - R::lit(1.0 / j as f64), alpha);
        sum = R::select(inside, longer, sum);
    }
    // The last factor has the fixed leading coefficient.
    let several = q.at_least[2];
    let inv_order = q.literal(
        #[inline(always)]
        |k| 1.0 / k as f64,
    );
    alpha = R::select(several, alpha - inv_order, alpha);
    let star = R::select(several, -l[1] - alpha, one);
    let longer = sum
        + q.pick(
            #[inline(always)]
            |k| tau[k.max(2) - 2],
        );
    sum = R::select(several, longer, sum);
    xi_inv = R::select(several, h / sum, xi_inv);
    let hat = R::select(several, -l[1] - xi_inv, alpha);
    for i in (1..=ORDERS).rev() {
        l[i] = R::select(R::and(several, q.at_least[i]), l[i - 1].mul_add(star, l[i]), l[i]);
    }
    let l_q = q.pick(
        #[inline(always)]
        |k| l[k],
    );
    let a1 = one - hat + alpha;
    let a2 = order.mul_add(a1, one);
    let tq2 = (a1 / (alpha * a2)).abs();
    let tq5 = (a2 * star / (l_q * xi_inv)).abs();
    let a3 = alpha + inv_order;
    let below = star / l_q * (one - (hat + xi_inv) + a3) / a3;
    let tq1 = R::select(several, below.abs(), one);
    let sum = sum
        + q.pick(
            #[inline(always)]
            |k| tau[k - 1],
        );
    let xi_inv = h / sum;
    let a5 = alpha
        - q.literal(
            #[inline(always)]
            |k| 1.0 / (k + 1) as f64,
        );
    let above = (one - (hat - xi_inv) + a5) / a2;
    let tq3 = (above / (xi_inv * (order + R::lit(2.0)) * a5)).abs();
    Coefficients { l, tq1, tq2, tq3, tq5 }
}

/// Attempts one step and decides on it.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, p: P, orders: usize, w: &Workspace) {
    let n = p.len();
    let c = &w.clock;
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let fresh = holds(m, c.fresh);
    m.if_any(
        fresh,
        #[inline(always)]
        || begin(m, p, w, fresh),
    );
    // The step: as wished, but to the end where that is near.
    let (wish, left) = (m.var(c.h), m.var(c.left));
    let h = M::R::select(left.le(wish * m.lit(1.01)), left, wish);
    let factor = h / m.var(w.scale);
    m.function(
        "predict",
        #[inline(always)]
        || predict(m, n, w, factor),
    );
    m.set(w.scale, h);
    let order = m.var(w.order);
    let q = Order::new(order);
    let tau = array(
        #[inline(always)]
        |k| m.var(w.tau[k]),
    );
    let k = coefficients(q, order, h, tau);
    let inv_l1 = k.l[1].recip();
    let gamma = h * inv_l1;
    let steps = m.var(c.steps);
    let change = (gamma * m.var(w.diagonal) - one).abs();
    // Which cells need new factors, and which of these from a new Jacobian.
    let trouble = m.var(w.trouble);
    let failed = m.lit(0.5).lt(trouble);
    let refused = m.lit(0.5).lt(m.var(w.refusals));
    let renewed = m.var(w.factored).le(steps - m.lit(FACTORS_LAST));
    let moved = M::R::not(change.le(m.lit(CHANGE)));
    let asks = M::R::or(M::R::or(fresh, moved), M::R::or(failed, M::R::or(refused, renewed)));
    let doubtful = M::R::or(m.lit(1.5).lt(trouble), M::R::and(failed, change.lt(m.lit(0.2))));
    let old = m.var(w.evaluated).lt(steps - m.lit(JACOBIAN_LASTS));
    let stale = M::R::and(asks, M::R::or(doubtful, old));
    m.if_any(
        stale,
        #[inline(always)]
        || {
            m.function(
                "move_base",
                #[inline(always)]
                || {
                    m.all(
                        n,
                        #[inline(always)]
                        |s| m.put(w.base, s, M::R::select(stale, m.get(w.predicted, s), m.get(w.base, s))),
                    )
                },
            );
            p.rhs_and_jacobian(m, w.base, w.f);
        },
    );
    m.set(w.evaluated, M::R::select(stale, steps, m.var(w.evaluated)));
    let diagonal = M::R::select(asks, gamma.recip(), m.var(w.diagonal));
    m.set(w.diagonal, diagonal);
    m.set(w.factored, M::R::select(asks, steps, m.var(w.factored)));
    m.if_any(
        asks,
        #[inline(always)]
        || p.factor(m, diagonal),
    );
    count(m, c.jac, flag(stale));
    count(m, c.factor, flag(asks));
    // What is solved for is off by the ratio of the γ in the factors to this one: half of that is put right.
    let ratio = gamma * diagonal;
    let correct = m.lit(2.0) / (one + ratio);
    for (a, x) in [(w.running, one), (w.converged, zero), (w.last, zero)] {
        m.set(a, x);
    }
    m.set(w.rate, M::R::select(asks, one, m.var(w.rate)));
    let limit = m.lit(0.1) / k.tq2;
    m.ordered(
        m.i(0),
        m.i(ITERATIONS),
        #[inline(always)]
        |_| {
            let running = holds(m, w.running);
            m.if_any(
                running,
                #[inline(always)]
                || iteration(m, p, w, [gamma, diagonal * correct, inv_l1, limit]),
            );
        },
    );
    decide(m, p, orders, w, q, order, h, &k, stale);
}

/// Order 1 from f, with the step that the curvature y'' = J f allows: half of sqrt(2/‖y''‖).
#[inline(always)]
fn begin<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, fresh: Mask<M>) {
    let n = p.len();
    let c = &w.clock;
    m.function(
        "move_base",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| m.put(w.base, s, M::R::select(fresh, m.get(w.z[0], s), m.get(w.base, s))),
            )
        },
    );
    p.rhs_and_jacobian(m, w.base, w.f);
    p.times(m, w.f, w.residual);
    m.function(
        "begin",
        #[inline(always)]
        || {
            let (rtol, atol) = (m.var(c.rtol), m.var(c.atol));
            let curvature = p.size(
                m,
                w.z[0],
                rtol,
                atol,
                #[inline(always)]
                |s| m.get(w.residual, s),
            );
            let guess = m.lit(0.5) * (m.lit(2.0) / m.lit(1e-300).max(curvature)).sqrt();
            let guess = M::R::select(guess.le(m.lit(f64::MAX)), guess, m.lit(f64::MAX));
            let h = M::R::select(fresh, guess.min(m.var(c.h)), m.var(c.h));
            m.set(c.h, h);
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let f = m.get(w.f, s);
                    m.put(w.z[1], s, M::R::select(fresh, h * f, m.get(w.z[1], s)));
                    for z in &w.z[2..] {
                        m.put(*z, s, M::R::select(fresh, m.lit(0.0), m.get(*z, s)));
                    }
                },
            );
            let steps = m.var(c.steps);
            let begun = [
                (w.order, m.lit(1.0)),
                (w.wait, m.lit(2.0)),
                (w.scale, h),
                (w.most, m.lit(GROW_FIRST)),
                (w.saved_tq5, m.lit(0.0)),
                (w.trouble, m.lit(0.0)),
                (w.refusals, m.lit(0.0)),
                (w.evaluated, steps),
                (w.rate, m.lit(1.0)),
            ];
            for (a, x) in begun {
                m.set(a, M::R::select(fresh, x, m.var(a)));
            }
            for a in w.tau {
                m.set(a, M::R::select(fresh, h, m.var(a)));
            }
            count(m, c.jac, flag(fresh));
            m.set(c.fresh, M::R::select(fresh, m.lit(0.0), m.var(c.fresh)));
        },
    );
}

/// z scaled to the step, and what it says of the end of the step.
#[inline(always)]
fn predict<M: Machine>(m: M, n: usize, w: &Workspace, factor: M::R) {
    let changed = M::R::or(factor.lt(m.lit(1.0)), m.lit(1.0).lt(factor));
    m.if_any(
        changed,
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let mut power = factor;
                    for z in &w.z[1..] {
                        m.put(*z, s, m.get(*z, s) * power);
                        power = power * factor;
                    }
                },
            )
        },
    );
    m.all(
        n,
        #[inline(always)]
        |s| {
            let (mut y, mut slope) = (m.get(w.z[0], s), m.lit(0.0));
            for (j, z) in w.z.iter().enumerate().skip(1) {
                let z = m.get(*z, s);
                y = y + z;
                slope = m.lit(j as f64).mul_add(z, slope);
            }
            m.put(w.predicted, s, y);
            m.put(w.y1, s, y);
            m.put(w.slope, s, slope);
            m.put(w.correction, s, m.lit(0.0));
        },
    );
}

/// (I − γJ) δ = γ f(y) − (z₁/l₁ + correction). Cells that are not running keep their correction.
#[inline(always)]
fn iteration<M: Machine, P: Problem<M>>(m: M, p: P, w: &Workspace, [gamma, scale, inv_l1, limit]: [M::R; 4]) {
    let n = p.len();
    p.rhs(m, w.y1, w.f);
    m.function(
        "residual",
        #[inline(always)]
        || {
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let past = m.get(w.slope, s).mul_add(inv_l1, m.get(w.correction, s));
                    m.put(w.residual, s, (gamma * m.get(w.f, s) - past) * scale);
                },
            )
        },
    );
    p.solve(m, w.residual);
    m.function(
        "update",
        #[inline(always)]
        || {
            let (one, running) = (m.lit(1.0), holds(m, w.running));
            let c = &w.clock;
            let size = p.size(
                m,
                w.z[0],
                m.var(c.rtol),
                m.var(c.atol),
                #[inline(always)]
                |s| m.get(w.residual, s),
            );
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let old = m.get(w.correction, s);
                    let new = M::R::select(running, old + m.get(w.residual, s), old);
                    m.put(w.correction, s, new);
                    m.put(w.y1, s, m.get(w.predicted, s) + new);
                },
            );
            let last = m.var(w.last);
            let first = last.le(m.lit(0.0));
            let rate = m.var(w.rate);
            let rate = M::R::select(first, rate, (m.lit(0.3) * rate).max(size / last));
            let small = (size * rate.min(one)).le(limit);
            let tame = M::R::and(size.le(m.lit(1e10)), M::R::or(first, size.le(m.lit(2.0) * last)));
            let done = M::R::and(running, small);
            m.set(w.rate, M::R::select(running, rate, m.var(w.rate)));
            m.set(w.converged, M::R::select(done, one, m.var(w.converged)));
            count(m, c.rhs, flag(running));
            m.set(w.running, flag(M::R::and(running, M::R::and(tame, M::R::not(small)))));
            m.set(w.last, M::R::select(running, size.max(m.lit(1e-300)), last));
        },
    );
}

/// Accepts or rejects, and chooses the next step and order.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "each is a different thing of one attempt")]
fn decide<M: Machine, P: Problem<M>>(
    m: M,
    p: P,
    orders: usize,
    w: &Workspace,
    q: Order<M::R>,
    order: M::R,
    h: M::R,
    k: &Coefficients<M::R>,
    stale: Mask<M>,
) {
    m.function(
        "decide",
        #[inline(always)]
        || {
            let n = p.len();
            let c = &w.clock;
            let (zero, one) = (m.lit(0.0), m.lit(1.0));
            let (rtol, atol) = (m.var(c.rtol), m.var(c.atol));
            let converged = holds(m, w.converged);
            m.all(
                n,
                #[inline(always)]
                |s| m.put(w.error, s, k.tq2 * m.get(w.correction, s)),
            );
            let error = finite(
                m,
                p.norm(
                    m,
                    w.z[0],
                    w.y1,
                    rtol,
                    atol,
                    #[inline(always)]
                    |s| m.get(w.error, s),
                ),
            );
            let accepted = M::R::and(converged, error.le(one));
            let refused = M::R::and(converged, M::R::not(accepted));
            let lost = M::R::not(converged);

            // Sizes that the error would allow: f(x) = 1/((safety x)^(1/power) + tiny)
            let root = |x: M::R, inv: M::R| (m.lit(1e-300).max(x).ln() * inv).exp();
            let inv_l = q.literal(
                #[inline(always)]
                |k| 1.0 / (k + 1) as f64,
            );
            let same = (root(m.lit(SAFETY[1]) * error, inv_l) + m.lit(TINY)).recip();

            // An accepted step moves the past on: zⱼ := Σ binomial zᵢ + lⱼ correction.
            let wait = m.var(w.wait) - flag(accepted);
            let due = M::R::and(accepted, wait.le(m.lit(0.5)));
            let (lower, higher) = moved(m, p, orders, w, q, k, accepted, due, h, order);
            let next = M::R::and(accepted, M::R::and(wait.le(m.lit(1.5)), m.lit(0.5).lt(wait)));
            m.all(
                n,
                #[inline(always)]
                |s| m.put(w.saved, s, M::R::select(next, m.get(w.correction, s), m.get(w.saved, s))),
            );
            m.set(w.saved_tq5, M::R::select(next, k.tq5, m.var(w.saved_tq5)));

            // Grown steps and other orders, where there is something to gain.
            let held = m.var(w.most).le(one);
            let considers = M::R::and(due, M::R::not(held));
            let lower = M::R::select(considers, lower, zero);
            let higher = M::R::select(considers, higher, zero);
            let best = same.max(lower).max(higher);
            let gains = M::R::and(accepted, M::R::and(M::R::not(held), m.lit(WORTHWHILE).le(best)));
            let down = M::R::and(gains, M::R::and(same.lt(best), best.le(lower)));
            let up = M::R::and(gains, M::R::and(same.lt(best), lower.lt(best)));
            let grown = M::R::select(gains, best.min(m.var(w.most)), one);

            // Rejected steps: by the error, ever more carefully; a quarter without convergence by a new Jacobian.
            let refusals = m.var(w.refusals) + flag(refused);
            let shrunk = m.lit(0.1).max(same);
            let shrunk = M::R::select(m.lit(1.5).lt(refusals), shrunk.min(m.lit(0.2)), shrunk);
            let shrunk = M::R::select(m.lit(3.5).lt(refusals), m.lit(0.1), shrunk);
            let factor = M::R::select(refused, shrunk, grown);
            let quarter = M::R::and(lost, stale);
            let factor = M::R::select(quarter, m.lit(0.25), factor);
            let trouble = M::R::select(lost, M::R::select(stale, m.lit(2.0), one), zero);
            m.set(w.trouble, trouble);
            m.set(w.refusals, M::R::select(accepted, zero, refusals));
            let most = M::R::select(accepted, m.lit(GROW), m.var(w.most));
            let most = M::R::select(M::R::or(refused, quarter), one, most);
            m.set(w.most, most);
            m.set(c.h, h * factor);
            // After so many refusals the past is not to be trusted: order 1 again, from f.
            let restart = M::R::and(refused, m.lit(4.5).lt(refusals));
            m.set(c.fresh, M::R::select(restart, one, m.var(c.fresh)));
            change_order(m, n, w, q, h, down, up);
            let new_order = order + flag(up) - flag(down);
            m.set(w.order, new_order);
            // A held step leaves the past as uneven as it is for one more.
            let wait = M::R::select(M::R::and(accepted, held), wait.max(m.lit(2.0)), wait);
            let wait = M::R::select(considers, m.lit(2.0), wait);
            m.set(w.wait, M::R::select(M::R::or(up, down), new_order + one, wait));
            m.set(c.error, error);
            control::record(m, c, accepted, h);
        },
    );
}

/// Moves the past over an accepted step; returns the growth that one order less and one more would allow.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "each is a different thing of one attempt")]
fn moved<M: Machine, P: Problem<M>>(
    m: M,
    p: P,
    orders: usize,
    w: &Workspace,
    q: Order<M::R>,
    k: &Coefficients<M::R>,
    accepted: Mask<M>,
    due: Mask<M>,
    h: M::R,
    order: M::R,
) -> (M::R, M::R) {
    let n = p.len();
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let c = &w.clock;
    let (rtol, atol) = (m.var(c.rtol), m.var(c.atol));
    m.all(
        n,
        #[inline(always)]
        |s| {
            let old: [M::R; ORDERS + 1] = array(
                #[inline(always)]
                |j| m.get(w.z[j], s),
            );
            let mut z = old;
            for i in 1..=ORDERS {
                for j in (i..=ORDERS).rev() {
                    z[j - 1] = z[j - 1] + z[j];
                }
            }
            let d = m.get(w.correction, s);
            for j in 0..=ORDERS {
                m.put(w.z[j], s, M::R::select(accepted, k.l[j].mul_add(d, z[j]), old[j]));
            }
        },
    );
    let mut last = h;
    for a in w.tau {
        let old = m.var(a);
        m.set(a, M::R::select(accepted, last, old));
        last = old;
    }
    let root = |x: M::R, inv: M::R| (m.lit(1e-300).max(x).ln() * inv).exp();
    let below = p.size(
        m,
        w.y1,
        rtol,
        atol,
        #[inline(always)]
        |s| {
            q.pick(
                #[inline(always)]
                |j| m.get(w.z[j], s),
            )
        },
    ) * k.tq1;
    let inv = q.literal(
        #[inline(always)]
        |k| 1.0 / k as f64,
    );
    let lower = (root(m.lit(SAFETY[0]) * below, inv) + m.lit(TINY)).recip();
    let lower = M::R::select(M::R::and(due, q.at_least[2]), lower, zero);
    // The correction's change since the one saved is the next derivative.
    let known = zero.lt(m.var(w.saved_tq5));
    let ratio = h / m.var(w.tau[1]);
    let mut power = ratio * ratio;
    for j in 2..=ORDERS {
        power = M::R::select(q.at_least[j], power * ratio, power);
    }
    let quotient = k.tq5 / M::R::select(known, m.var(w.saved_tq5), one) * power;
    let above = p.size(
        m,
        w.y1,
        rtol,
        atol,
        #[inline(always)]
        |s| m.get(w.correction, s) - quotient * m.get(w.saved, s),
    ) * k.tq3;
    let inv = (order + m.lit(2.0)).recip();
    let higher = (root(m.lit(SAFETY[2]) * above, inv) + m.lit(TINY)).recip();
    let may = M::R::and(due, M::R::and(known, M::R::not(q.at_least[orders])));
    (lower, M::R::select(may, higher, zero))
}

/// Adds the next derivative to z, or takes the last one out, such that the rest describes the same past.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "each is a different thing of one attempt")]
fn change_order<M: Machine>(m: M, n: usize, w: &Workspace, q: Order<M::R>, h: M::R, down: Mask<M>, up: Mask<M>) {
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let inv_h = h.recip();
    m.if_any(
        up,
        #[inline(always)]
        || {
            // Π (x + ξⱼ) over the steps before
            let mut l = [zero; ORDERS + 2];
            l[2] = one;
            let (mut alpha0, mut alpha1, mut product, mut xi_old, mut sum) = (-one, one, one, one, h);
            for j in 1..ORDERS - 1 {
                let inside = q.at_least[j + 1];
                let longer = sum + m.var(w.tau[j]);
                let xi = longer * inv_h;
                for i in (2..=j + 2).rev() {
                    l[i] = M::R::select(inside, l[i].mul_add(xi_old, l[i - 1]), l[i]);
                }
                alpha0 = M::R::select(inside, alpha0 - m.lit(1.0 / (j + 1) as f64), alpha0);
                alpha1 = M::R::select(inside, alpha1 + xi.recip(), alpha1);
                product = M::R::select(inside, product * xi, product);
                xi_old = M::R::select(inside, xi, xi_old);
                sum = M::R::select(inside, longer, sum);
            }
            let a1 = (-alpha0 - alpha1) / product;
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let top = a1 * m.get(w.correction, s);
                    for j in 2..=ORDERS {
                        let z = m.get(w.z[j], s);
                        // Up to the old order a correction, at the new one the derivative itself.
                        let new =
                            M::R::select(q.at_least[j], l[j].mul_add(top, z), M::R::select(q.at_least[j - 1], top, z));
                        m.put(w.z[j], s, M::R::select(up, new, z));
                    }
                },
            );
        },
    );
    m.if_any(
        down,
        #[inline(always)]
        || {
            let mut l = [zero; ORDERS + 2];
            l[2] = one;
            let mut sum = zero;
            for j in 1..ORDERS - 1 {
                let inside = q.at_least[j + 2];
                let longer = sum + m.var(w.tau[j - 1]);
                let xi = longer * inv_h;
                for i in (2..=j + 2).rev() {
                    l[i] = M::R::select(inside, l[i].mul_add(xi, l[i - 1]), l[i]);
                }
                sum = M::R::select(inside, longer, sum);
            }
            m.all(
                n,
                #[inline(always)]
                |s| {
                    let top = q.pick(
                        #[inline(always)]
                        |j| m.get(w.z[j], s),
                    );
                    for j in 2..=ORDERS {
                        let z = m.get(w.z[j], s);
                        let below = if j < ORDERS { q.at_least[j + 1] } else { down };
                        let less = if j < ORDERS { z - l[j] * top } else { zero };
                        let new = M::R::select(below, less, zero);
                        m.put(w.z[j], s, M::R::select(down, new, z));
                    }
                },
            );
        },
    );
}
