//! Radau IIA of order 5 in the transformed variables W = (T⁻¹ ⊗ I) Z (Hairer & Wanner, *Solving ODEs II*, IV.8): per
//! iteration one real and one complex system. Every cell iterates until it has converged or diverged.

use super::fields::{self, Complex, ComplexArray, Factors};
use kinlane_plan::machine::{Array, Machine, Real, array};
use kinlane_plan::tables::Layout;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::Problem;
use kinlane_solve::methods::control::{self, Clock, Controller};

const T: [[f64; 3]; 3] = [
    [9.123_239_487_089_294e-2, -0.141_255_295_020_954_2, -3.002_919_410_514_742_4e-2],
    [0.241_717_932_707_107, 0.204_129_352_293_799_93, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093, 1.0, 0.0],
];
const INVERSE: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 0.339_199_251_815_809_87, 0.541_770_539_935_874_9],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_4, 0.476_623_554_500_550_45],
    [-0.502_872_634_945_786_9, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
];
/// Most iterations of a step.
const ITERATIONS: usize = 7;

/// Where a step works.
#[derive(Clone, Copy)]
pub struct Workspace {
    pub y: Array,
    pub y1: Array,
    f0: Array,
    at: Array,
    f: [Array; 3],
    pub w: [Array; 3],
    pub z: [Array; 3],
    real: Array,
    complex: ComplexArray,
    factors: Factors<ComplexArray>,
    running: Array,
    pub converged: Array,
    last: Array,
    pub clock: Clock,
}

impl Workspace {
    pub fn new(l: &mut Layout, gas: &Gas<'_>) -> Self {
        let n = gas.plan.species + 2;
        let mut three = || std::array::from_fn(|_| l.array(n));
        let (f, w, z) = (three(), three(), three());
        Self {
            f,
            w,
            z,
            y: l.array(n),
            y1: l.array(n),
            f0: l.array(n),
            at: l.array(n),
            real: l.array(n),
            complex: ComplexArray::new(l, n),
            factors: Factors::new(l, &gas.plan.lu),
            running: l.var(),
            converged: l.var(),
            last: l.var(),
            clock: Clock::new(l),
        }
    }
}

/// Row `i` of a matrix times three numbers.
fn row<M: Machine>(m: M, a: &[[f64; 3]; 3], i: usize, x: [M::R; 3]) -> M::R {
    m.lit(a[i][2]).mul_add(x[2], m.lit(a[i][1]).mul_add(x[1], m.lit(a[i][0]) * x[0]))
}

fn flag<M: Machine>(m: M, mask: <M::R as Real>::Mask) -> M::R {
    M::R::select(mask, m.lit(1.0), m.lit(0.0))
}

/// Attempts one step and decides on it.
pub fn attempt<M: Machine>(m: M, gas: Gas<'_>, w: &Workspace) {
    let n = Problem::<M>::len(&gas);
    let lu = &gas.plan.lu;
    let (third, ninth) = (81f64.cbrt(), 9f64.cbrt());
    let gamma = 30.0 / (6.0 + third - ninth);
    let (re, im) = ((12.0 - third + ninth) / 60.0, (third + ninth) * 3f64.sqrt() / 60.0);
    let size = re * re + im * im;
    let h = control::next_step(m, &w.clock);
    let inv_h = h.recip();
    let d = inv_h * m.lit(gamma);
    let dc = Complex { re: inv_h * m.lit(re / size), im: inv_h * m.lit(im / size) };
    gas.rhs_and_jacobian(m, w.y, w.f0);
    gas.factor(m, d);
    m.function("complex_factor", || fields::factor(m, lu, w.factors, gas.plan.jacobian.values, dc));
    m.function("start", || {
        m.all(n, |s| w.w.iter().chain(&w.z).for_each(|&a| m.put(a, s, m.lit(0.0))));
        m.set(w.running, m.lit(1.0));
        m.set(w.converged, m.lit(0.0));
        m.set(w.last, m.lit(0.0));
    });
    m.ordered(m.i(0), m.i(ITERATIONS), |_| {
        let running = m.lit(1.0).le(m.var(w.running));
        m.if_any(running, || m.function("iteration", || iteration(m, gas, w, d, dc)));
    });
    m.function("estimate", || {
        // err = (d I − J)⁻¹ (f(y) + (e₁Z₁ + e₂Z₂ + e₃Z₃)/h)
        let root = 7.0 * 6f64.sqrt();
        let e = [-(13.0 + root) / 3.0, (root - 13.0) / 3.0, -1.0 / 3.0];
        m.all(n, |s| {
            let mut v = m.lit(0.0);
            for (&z, e) in w.z.iter().zip(e) {
                v = m.lit(e).mul_add(m.get(z, s), v);
            }
            m.put(w.real, s, v.mul_add(inv_h, m.get(w.f0, s)));
            m.put(w.y1, s, m.get(w.y, s) + m.get(w.z[2], s));
        });
    });
    gas.solve(m, w.real);
    m.function("finish", || {
        let (rtol, atol) = (m.var(w.clock.rtol), m.var(w.clock.atol));
        let error = gas.norm(m, w.y, w.y1, rtol, atol, |s| m.get(w.real, s));
        let error = M::R::select(m.lit(1.0).le(m.var(w.converged)), error, m.lit(1e10));
        let c = Controller { order: 4.0, safety: 0.9, grow: 8.0, shrink: 0.2, first: 1.0 };
        control::decide(m, &w.clock, c, n, w.y, w.y1, h, error);
    });
}

/// One iteration. Cells that are not running keep their W, hence their Z.
fn iteration<M: Machine>(m: M, gas: Gas<'_>, w: &Workspace, d: M::R, dc: Complex<M::R>) {
    let n = Problem::<M>::len(&gas);
    for (&z, &f) in w.z.iter().zip(&w.f) {
        m.function("stage", || m.all(n, |s| m.put(w.at, s, m.get(w.y, s) + m.get(z, s))));
        gas.rhs(m, w.at, f);
    }
    m.function("residuals", || {
        m.all(n, |s| {
            let f: [M::R; 3] = array(|i| m.get(w.f[i], s));
            let v: [M::R; 3] = array(|i| m.get(w.w[i], s));
            m.put(w.real, s, row(m, &INVERSE, 0, f) - d * v[0]);
            m.put(w.complex.re, s, row(m, &INVERSE, 1, f) - (dc.re * v[1] - dc.im * v[2]));
            m.put(w.complex.im, s, row(m, &INVERSE, 2, f) - (dc.re * v[2] + dc.im * v[1]));
        });
    });
    gas.solve(m, w.real);
    m.function("complex_solve", || fields::solve(m, &gas.plan.lu, w.factors, w.complex));
    let running = m.lit(1.0).le(m.var(w.running));
    let delta = [w.real, w.complex.re, w.complex.im];
    m.function("update", || {
        m.all(n, |s| {
            let v: [M::R; 3] = array(|i| {
                let old = m.get(w.w[i], s);
                M::R::select(running, old + m.get(delta[i], s), old)
            });
            for i in 0..3 {
                m.put(w.w[i], s, v[i]);
                m.put(w.z[i], s, row(m, &T, i, v));
            }
        });
    });
    m.function("convergence", || {
        let (rtol, atol) = (m.var(w.clock.rtol), m.var(w.clock.atol));
        let mut sum = m.lit(0.0);
        for a in delta {
            sum = sum + gas.norm(m, w.y, w.y, rtol, atol, |s| m.get(a, s)).squared();
        }
        let size = (sum * m.lit(1.0 / 3.0)).sqrt();
        let (one, last) = (m.lit(1.0), m.var(w.last));
        let first = last.le(m.lit(0.0));
        let theta = size / last;
        let eta = M::R::select(first, one, theta / (one - theta));
        let contracts = M::R::or(first, theta.lt(one));
        let small = (eta * size).le(m.lit(0.03).min(rtol.sqrt()));
        let done = M::R::and(M::R::and(running, contracts), small);
        m.set(w.converged, M::R::select(done, one, m.var(w.converged)));
        let on = M::R::and(M::R::and(running, contracts), M::R::not(small));
        m.set(w.running, flag(m, on));
        m.set(w.last, M::R::select(running, size, last));
    });
}
