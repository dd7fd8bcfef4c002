//! BDF of order 1 to 5 in backward differences, step changed by interpolation (the fixed-leading-coefficient form of
//! Byrne & Hindmarsh 1975; differences as in Shampine & Reichelt 1997, here with κ = 0). Every cell has its own order,
//! its own Jacobian's age and its own factorisation.
//!
//! What belongs to an order is chosen by masks. The Jacobian and the factors are remade for all cells where any cell
//! asks; they are remade from inputs that cells without need keep, which gives these the bits they had.

use kinlane_plan::machine::{Array, Machine, Real, array};
use kinlane_plan::tables::Layout;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::Problem;
use kinlane_solve::methods::control::Clock;

/// Highest order.
const ORDERS: usize = 5;
/// Most iterations of a step.
const ITERATIONS: usize = 4;

/// Where a step works.
#[derive(Clone, Copy)]
pub struct Workspace {
    /// Differences 0 to order + 2; the first is the state.
    pub d: [Array; ORDERS + 3],
    /// Where the Jacobian was evaluated.
    pub base: Array,
    /// What was on the diagonal of the factored matrix.
    pub diagonal: Array,
    /// Order of the next step.
    pub order: Array,
    /// Step that the differences belong to.
    pub h: Array,
    /// Steps of that size and order.
    pub equal: Array,
    /// 1 where the Jacobian must be evaluated anew.
    pub stale: Array,
    predicted: Array,
    history: Array,
    pub change: Array,
    y1: Array,
    f: Array,
    residual: Array,
    running: Array,
    converged: Array,
    last: Array,
    pub clock: Clock,
}

impl Workspace {
    pub fn new(l: &mut Layout, n: usize) -> Self {
        Self {
            d: std::array::from_fn(|_| l.array(n)),
            base: l.array(n),
            diagonal: l.var(),
            order: l.var(),
            h: l.var(),
            equal: l.var(),
            stale: l.var(),
            predicted: l.array(n),
            history: l.array(n),
            change: l.array(n),
            y1: l.array(n),
            f: l.array(n),
            residual: l.array(n),
            running: l.var(),
            converged: l.var(),
            last: l.var(),
            clock: Clock::new(l),
        }
    }
}

type Mask<M> = <<M as Machine>::R as Real>::Mask;

/// γₖ = Σ 1/j.
fn gamma(k: usize) -> f64 {
    (1..=k).map(|j| 1.0 / j as f64).sum()
}

/// Masks "the cell's order is at least k", k from 0.
#[derive(Clone, Copy)]
struct Order<R: Real> {
    at_least: [R::Mask; ORDERS + 1],
}

impl<R: Real> Order<R> {
    fn new(order: R) -> Self {
        Self { at_least: array(|k| R::lit(k as f64).le(order)) }
    }
    /// `value(order)`.
    fn pick(self, value: impl Fn(usize) -> f64) -> R {
        let mut x = R::lit(value(1));
        for k in 2..=ORDERS {
            x = R::select(self.at_least[k], R::lit(value(k)), x);
        }
        x
    }
    /// `x` where the order is at least `k`, else zero.
    fn from(self, k: usize, x: R) -> R {
        R::select(self.at_least[k], x, R::lit(0.0))
    }
    /// Exactly `k`.
    fn is(self, k: usize) -> R::Mask {
        if k == ORDERS { self.at_least[k] } else { R::and(self.at_least[k], R::not(self.at_least[k + 1])) }
    }
}

fn flag<R: Real>(mask: R::Mask) -> R {
    R::select(mask, R::lit(1.0), R::lit(0.0))
}

/// Prepares a cell whose state, `clock.h` and tolerances are set; order 1.
pub fn start<M: Machine>(m: M, gas: Gas<'_>, w: &Workspace) {
    let n = Problem::<M>::len(&gas);
    gas.rhs(m, w.d[0], w.f);
    m.all(n, |s| m.put(w.d[1], s, m.var(w.clock.h) * m.get(w.f, s)));
    m.set(w.h, m.var(w.clock.h));
    m.set(w.order, m.lit(1.0));
    m.set(w.equal, m.lit(0.0));
    m.set(w.stale, m.lit(1.0));
    m.set(w.diagonal, m.lit(0.0));
}

/// Attempts one step and decides on it.
pub fn attempt<M: Machine>(m: M, gas: Gas<'_>, w: &Workspace) {
    let n = Problem::<M>::len(&gas);
    let h = m.var(w.clock.h).min(m.var(w.clock.left));
    let factor = h / m.var(w.h);
    let q = Order::new(m.var(w.order));
    let changed = M::R::or(factor.lt(m.lit(1.0)), m.lit(1.0).lt(factor));
    m.if_any(changed, || m.function("rescale", || rescale(m, n, w, q, factor, changed)));
    m.set(w.h, h);
    let stale = m.lit(1.0).le(m.var(w.stale));
    m.if_any(stale, || {
        m.function("move_base", || {
            m.all(n, |s| m.put(w.base, s, M::R::select(stale, m.get(w.d[0], s), m.get(w.base, s))));
        });
        gas.rhs_and_jacobian(m, w.base, w.f);
    });
    let wanted = q.pick(gamma) / h; // 1/c
    let old = m.var(w.diagonal);
    let other = M::R::or(stale, M::R::or(wanted.lt(old), old.lt(wanted)));
    m.if_any(other, || {
        // The cells that are not asked for have `wanted` = `old`.
        m.set(w.diagonal, wanted);
        gas.factor(m, wanted);
    });
    m.function("predict", || predict(m, n, w, q));
    m.set(w.running, m.lit(1.0));
    m.set(w.converged, m.lit(0.0));
    m.set(w.last, m.lit(0.0));
    m.ordered(m.i(0), m.i(ITERATIONS), |_| {
        let running = m.lit(1.0).le(m.var(w.running));
        m.if_any(running, || m.function("iteration", || iteration(m, gas, w, wanted)));
    });
    m.function("decide", || decide(m, gas, w, q, h));
}

/// Differences of steps `factor` times as long, as values of the same polynomial: D := (R U)ᵀ D with
/// R_ij = Π (l − 1 − factor j)/l over l ≤ i, U the same for factor 1. U is upper triangular, so no order enters it.
fn rescale<M: Machine>(m: M, n: usize, w: &Workspace, q: Order<M::R>, factor: M::R, changed: Mask<M>) {
    let one = m.lit(1.0);
    let mut r = [[m.lit(0.0); ORDERS + 1]; ORDERS + 1];
    let mut u = [[0.0; ORDERS + 1]; ORDERS + 1];
    for j in 0..=ORDERS {
        (r[0][j], u[0][j]) = (one, 1.0);
        for l in 1..=ORDERS {
            let (lf, jf) = (l as f64, j as f64);
            r[l][j] = r[l - 1][j] * (m.lit(lf - 1.0) - factor * m.lit(jf)) * m.lit(1.0 / lf);
            u[l][j] = u[l - 1][j] * (lf - 1.0 - jf) / lf;
        }
    }
    let mut ru = [[m.lit(0.0); ORDERS + 1]; ORDERS + 1];
    for i in 1..=ORDERS {
        for j in 1..=ORDERS {
            for k in 0..=j {
                ru[i][j] = m.lit(u[k][j]).mul_add(r[i][k], ru[i][j]);
            }
            ru[i][j] = q.from(i, ru[i][j]);
        }
    }
    m.all(n, |s| {
        let d: [M::R; ORDERS + 1] = array(|k| m.get(w.d[k], s));
        for j in 1..=ORDERS {
            let mut v = m.lit(0.0);
            for i in 1..=ORDERS {
                v = ru[i][j].mul_add(d[i], v);
            }
            m.put(w.d[j], s, M::R::select(M::R::and(changed, q.at_least[j]), v, d[j]));
        }
    });
    m.set(w.equal, M::R::select(changed, m.lit(0.0), m.var(w.equal)));
}

fn predict<M: Machine>(m: M, n: usize, w: &Workspace, q: Order<M::R>) {
    let inv = q.pick(|k| 1.0 / gamma(k));
    m.all(n, |s| {
        let (mut y, mut psi) = (m.get(w.d[0], s), m.lit(0.0));
        for k in 1..=ORDERS {
            let d = q.from(k, m.get(w.d[k], s));
            y = y + d;
            psi = m.lit(gamma(k)).mul_add(d, psi);
        }
        m.put(w.predicted, s, y);
        m.put(w.y1, s, y);
        m.put(w.history, s, psi * inv);
        m.put(w.change, s, m.lit(0.0));
    });
}

/// (1/c I − J) δ = f(y) − (ψ + d)/c. Cells that are not running keep their change.
fn iteration<M: Machine>(m: M, gas: Gas<'_>, w: &Workspace, inv_c: M::R) {
    let n = Problem::<M>::len(&gas);
    gas.rhs(m, w.y1, w.f);
    m.function("residual", || {
        m.all(n, |s| {
            let past = m.get(w.history, s) + m.get(w.change, s);
            m.put(w.residual, s, (-past).mul_add(inv_c, m.get(w.f, s)));
        });
    });
    gas.solve(m, w.residual);
    let (one, running) = (m.lit(1.0), m.lit(1.0).le(m.var(w.running)));
    m.function("update", || {
        let (rtol, atol) = (m.var(w.clock.rtol), m.var(w.clock.atol));
        let size = gas.norm(m, w.d[0], w.predicted, rtol, atol, |s| m.get(w.residual, s));
        m.all(n, |s| {
            let (old, delta) = (m.get(w.change, s), m.get(w.residual, s));
            let new = M::R::select(running, old + delta, old);
            m.put(w.change, s, new);
            m.put(w.y1, s, m.get(w.predicted, s) + new);
        });
        let last = m.var(w.last);
        let first = last.le(m.lit(0.0));
        let theta = size / last;
        let eta = M::R::select(first, one, theta / (one - theta));
        let contracts = M::R::and(M::R::or(first, theta.lt(m.lit(0.9))), size.le(m.lit(1e10)));
        let small = (eta * size).le(m.lit(0.03));
        let going = M::R::and(running, contracts);
        m.set(w.converged, M::R::select(M::R::and(going, small), one, m.var(w.converged)));
        m.set(w.running, flag(M::R::and(going, M::R::not(small))));
        m.set(w.last, M::R::select(running, size, last));
    });
}

fn decide<M: Machine>(m: M, gas: Gas<'_>, w: &Workspace, q: Order<M::R>, h: M::R) {
    let n = Problem::<M>::len(&gas);
    let (zero, one) = (m.lit(0.0), m.lit(1.0));
    let (rtol, atol) = (m.var(w.clock.rtol), m.var(w.clock.atol));
    let converged = one.le(m.var(w.converged));
    let norm = |e: &dyn Fn(M::I) -> M::R| gas.norm(m, w.d[0], w.y1, rtol, atol, e);
    let constant = q.pick(|k| 1.0 / (k + 1) as f64);
    let error = norm(&|s| constant * m.get(w.change, s));
    let accepted = M::R::and(converged, error.le(one));
    let refused = M::R::and(converged, M::R::not(accepted));
    // Without convergence: a new Jacobian first, half the step if it was new.
    let was_new = one.le(m.var(w.stale));
    let halve = M::R::and(M::R::not(converged), was_new);
    m.set(w.stale, flag(M::R::not(converged)));

    m.all(n, |s| {
        let change = m.get(w.change, s);
        let old: [M::R; ORDERS + 3] = array(|k| m.get(w.d[k], s));
        let mut new = old;
        for k in 1..=ORDERS {
            // d at order + 1, and its difference one above
            new[k + 1] = M::R::select(q.is(k), change, new[k + 1]);
            new[k + 2] = M::R::select(q.is(k), change - old[k + 1], new[k + 2]);
        }
        for k in (0..=ORDERS).rev() {
            let sum = new[k] + new[k + 1];
            new[k] = M::R::select(q.at_least[k], sum, new[k]);
        }
        for k in 0..ORDERS + 3 {
            m.put(w.d[k], s, M::R::select(accepted, new[k], old[k]));
        }
    });

    // After enough equal steps: the order, of three, that allows the longest step.
    let equal = M::R::select(accepted, m.var(w.equal) + one, zero);
    let order = m.var(w.order);
    let choose = M::R::and(accepted, order.lt(equal));
    let floor = m.lit(1e-10);
    let power = |x: M::R, p: M::R| (floor.max(x).ln() * p).exp();
    let up = q.pick(|k| if k == ORDERS { 1e10 } else { 1.0 / (k + 2) as f64 });
    let down = q.pick(|k| if k == 1 { 1e10 } else { 1.0 / k as f64 });
    let pick = |s: M::I, above: usize| {
        let mut x = m.get(w.d[1 + above], s);
        for k in 2..=ORDERS {
            x = M::R::select(q.at_least[k], m.get(w.d[k + above], s), x);
        }
        x
    };
    let lower = power(norm(&|s| down * pick(s, 0)), q.pick(|k| -1.0 / k as f64));
    let same = power(error, q.pick(|k| -1.0 / (k + 1) as f64));
    let higher = power(norm(&|s| up * pick(s, 2)), q.pick(|k| -1.0 / (k + 2) as f64));
    let best = lower.max(same).max(higher);
    let step = M::R::select(best.le(same), zero, M::R::select(best.le(lower), m.lit(-1.0), one));
    let grown = m.lit(10.0).min(m.lit(0.9) * best);
    let shrunk = m.lit(0.2).max(m.lit(0.9) * same);
    let factor = M::R::select(choose, grown, one);
    let factor = M::R::select(refused, shrunk, factor);
    let factor = M::R::select(halve, m.lit(0.5), factor);
    m.set(w.order, M::R::select(choose, order + step, order));
    m.set(w.equal, M::R::select(choose, zero, equal));
    m.set(w.clock.h, h * factor);
    let c = &w.clock;
    let left = m.var(c.left);
    m.set(c.left, M::R::select(accepted, M::R::select(left.le(h), zero, left - h), left));
    m.set(c.steps, m.var(c.steps) + flag(accepted));
    m.set(c.rejected, m.var(c.rejected) + M::R::select(accepted, zero, one));
    m.set(c.error, error);
}
