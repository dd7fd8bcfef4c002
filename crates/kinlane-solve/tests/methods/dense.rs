//! Systems of a few equations as problems, advanced by hand on the scalar machine.

use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray, Entries, Number, Plain};
use kinlane_plan::{Dual, Layout, Scalar, Tables};
use kinlane_solve::methods::control::{DONE, Start};
use kinlane_solve::methods::problem::{Allowance, Equations, Invariants, Linear, Measure};
use kinlane_solve::methods::{Method, Size, Stepper};

/// The right-hand side of an autonomous system, for any number.
pub trait System: Copy {
    fn len(&self) -> usize;
    fn f<R: Real>(&self, y: &[R]) -> Vec<R>;
}

/// A system as a problem: the Jacobian by dual numbers, a dense factorisation without pivoting.
#[derive(Clone, Copy)]
pub struct Dense<S> {
    system: S,
    jacobian: Array,
    factors: Array,
}

impl<S: System> Dense<S> {
    fn new(system: S, l: &mut Layout) -> Self {
        let n = system.len();
        Self { system, jacobian: l.array(n * n), factors: l.array(n * n) }
    }
}

fn all<M: Machine>(m: M, y: Array, n: usize) -> Vec<M::R> {
    (0..n).map(|i| m.get(y, m.i(i))).collect()
}

/// Dense LU without pivoting of d·I − J.
fn factor<M: Machine, E: Entries<M>>(m: M, n: usize, jacobian: Array, lu: E, d: E::X) {
    let get = |i: usize, j: usize| lu.get(m, m.i(i * n + j));
    let put = |i: usize, j: usize, x: E::X| lu.put(m, m.i(i * n + j), x);
    for i in 0..n {
        for j in 0..n {
            let minus = E::real(-m.get(jacobian, m.i(i * n + j)));
            put(i, j, if i == j { minus.add(d) } else { minus });
        }
    }
    for k in 0..n {
        for i in k + 1..n {
            let l = get(i, k).mul(get(k, k).recip());
            put(i, k, l);
            for j in k + 1..n {
                put(i, j, l.neg().mul_add(get(k, j), get(i, j)));
            }
        }
    }
}

fn solve<M: Machine, E: Entries<M>>(m: M, n: usize, lu: E, b: E) {
    let get = |i: usize, j: usize| lu.get(m, m.i(i * n + j));
    for i in 0..n {
        let x = (0..i).fold(b.get(m, m.i(i)), |x, j| get(i, j).neg().mul_add(b.get(m, m.i(j)), x));
        b.put(m, m.i(i), x);
    }
    for i in (0..n).rev() {
        let x = (i + 1..n).fold(b.get(m, m.i(i)), |x, j| get(i, j).neg().mul_add(b.get(m, m.i(j)), x));
        b.put(m, m.i(i), x.mul(get(i, i).recip()));
    }
}

impl<M: Machine, S: System> Equations<M> for Dense<S> {
    fn len(&self) -> usize {
        self.system.len()
    }
    fn rhs(&self, m: M, y: Array, f: Array) {
        let value = self.system.f(&all(m, y, self.system.len()));
        value.into_iter().enumerate().for_each(|(i, x)| m.put(f, m.i(i), x));
    }
    /// In mass action what consumes a variable is proportional to it.
    fn split(&self, m: M, y: Array, f: Array, q: Array, p: Array) {
        self.rhs_and_jacobian(m, y, f);
        let n = self.system.len();
        m.all(n, |i| {
            let decay = m.lit(0.0).max(-m.get(self.jacobian, i * (n + 1)));
            m.put(p, i, decay);
            m.put(q, i, decay.mul_add(m.get(y, i), m.get(f, i)));
        });
    }
    fn begin(&self, _: M, _: Array, _: M::R, _: M::R) {}
    fn admit_negative(self, _: M, _: M::R, _: bool) -> Self {
        self
    }
    fn plausible(&self, m: M, _: Array) -> <M::R as Real>::Mask {
        m.lit(0.0).le(m.lit(1.0))
    }
}

impl<M: Machine, S: System> Linear<M> for Dense<S> {
    fn rhs_and_jacobian(&self, m: M, y: Array, f: Array) {
        self.rhs(m, y, f);
        let n = self.system.len();
        let y = all(m, y, n);
        for j in 0..n {
            let seeded: Vec<Dual<M::R>> =
                (0..n).map(|i| Dual { v: y[i], d: m.lit(f64::from(u8::from(i == j))) }).collect();
            let column = self.system.f(&seeded);
            column.into_iter().enumerate().for_each(|(i, x)| m.put(self.jacobian, m.i(i * n + j), x.d));
        }
    }
    fn factor(&self, m: M, d: M::R) {
        factor(m, self.system.len(), self.jacobian, self.factors, Plain(d));
    }
    fn grows(&self, m: M, _: bool, _: Array, _: Array, _: M::R) -> <M::R as Real>::Mask {
        m.lit(1.0).lt(m.lit(0.0))
    }
    fn outdated(&self, m: M, _: Array) -> <M::R as Real>::Mask {
        m.lit(1.0).lt(m.lit(0.0))
    }
    fn solve(&self, m: M, b: Array) {
        solve(m, self.system.len(), self.factors, b);
    }
    fn factor_complex(&self, m: M, factors: &Factors<ComplexArray>, d: Complex<M::R>) {
        factor(m, self.system.len(), self.jacobian, factors.values, d);
    }
    fn solve_complex(&self, m: M, factors: &Factors<ComplexArray>, b: ComplexArray) {
        solve(m, self.system.len(), factors.values, b);
    }
    fn times(&self, m: M, v: Array, product: Array) {
        let n = self.system.len();
        for i in 0..n {
            let terms = (0..n).map(|j| m.get(self.jacobian, m.i(i * n + j)) * m.get(v, m.i(j)));
            m.put(product, m.i(i), terms.fold(m.lit(0.0), |s, x| s + x));
        }
    }
    fn diagonal(&self, m: M, diagonal: Array) {
        let n = self.system.len();
        m.all(n, |i| m.put(diagonal, i, m.get(self.jacobian, i * (n + 1))));
    }
}

/// The mean square of errors in parts of their tolerances, its root.
fn mean<M: Machine>(m: M, n: usize, [y, y1]: [Array; 2], [rtol, atol]: [M::R; 2], e: impl Fn(M::I) -> M::R) -> M::R {
    let sum = m.sum(n, |i| {
        let w = rtol.mul_add(m.get(y, i).abs().max(m.get(y1, i).abs()), atol);
        (e(i) / w).squared()
    });
    (sum * m.lit(1.0 / n as f64)).sqrt()
}

impl<M: Machine, S: System> Measure<M> for Dense<S> {
    fn norm(&self, m: M, y: Array, y1: Array, allowed: Allowance<M::R>, e: impl Fn(M::I) -> M::R) -> M::R {
        mean(m, self.system.len(), [y, y1], [allowed.rtol, allowed.atol], e)
    }
    fn size(&self, m: M, y: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R {
        mean(m, self.system.len(), [y, y], [rtol, atol], e)
    }
    fn weights(&self, m: M, y: Array, rtol: M::R, atol: M::R, weight: Array) {
        m.all(self.system.len(), |i| m.put(weight, i, rtol.mul_add(m.get(y, i).abs(), atol)));
    }
}

impl<M: Machine, S: System> Invariants<M> for Dense<S> {
    fn restore_sums(&self, m: M, _: Array, _: Array, _: M::R) -> M::R {
        m.lit(0.0)
    }
    fn clip_noise(&self, _: M, _: Array, _: Array, _: M::R, _: M::R) {}
    fn remember(&self, _: M, _: Array) {}
    fn energy_lost(&self, m: M, _: Array, _: Array, _: M::R, _: M::R) -> [M::R; 2] {
        [m.lit(0.0); 2]
    }
    fn energy_lacking(&self, m: M, _: Array, _: M::R, _: <M::R as Real>::Mask, b: Array) {
        (0..self.system.len()).for_each(|i| m.put(b, m.i(i), m.lit(0.0)));
    }
    fn keep(&self, _: M, _: Array, _: M::R, _: <M::R as Real>::Mask, _: <M::R as Real>::Mask) {}
}

/// An integration by hand on the scalar machine.
pub struct Run<S> {
    pub problem: Dense<S>,
    pub w: Stepper,
    pub arena: Vec<f64>,
    pub tables: Tables,
}

impl<S: System> Run<S> {
    pub fn new(system: S, method: &'static Method, y: &[f64], [rtol, atol]: [f64; 2], h: f64) -> Self {
        let mut l = Layout::default();
        let n = y.len();
        let problem = Dense::new(system, &mut l);
        let w = Stepper::new(&mut l, method, Size { n, factors: n * n });
        let mut run = Self { problem, w, arena: vec![0.0; l.len()], tables: Tables::default() };
        let m = Scalar::new(&run.tables, &mut run.arena);
        y.iter().enumerate().for_each(|(i, &x)| m.put(w.y, i, x));
        w.clock
            .start(Start { dt: 0.0, h, rtol, atol, budget: 2e6, only_end: false })
            .into_iter()
            .for_each(|(a, x)| m.set(a, x));
        run
    }
    pub fn attempt(&mut self) {
        let m = Scalar::new(&self.tables, &mut self.arena);
        self.w.attempt_alone(m, self.problem);
    }
    pub fn get(&self, a: Array) -> f64 {
        self.arena[a.at as usize]
    }
    pub fn y(&self) -> &[f64] {
        &self.arena[self.w.y.at as usize..][..self.w.y.len as usize]
    }
    /// Goes on for `dt`, with the step that the controller had come to.
    pub fn advance(&mut self, dt: f64) {
        let c = self.w.clock;
        self.arena[c.left.at as usize] = dt;
        self.arena[c.verdict.at as usize] = 0.0;
        while self.get(c.verdict) == 0.0 {
            self.attempt();
        }
        assert_eq!(self.get(c.verdict), DONE, "{} does not get on", self.w.method.name);
    }
}

/// Steps of length h, whatever their error.
pub fn fixed_steps<S: System>(system: S, method: &'static Method, y: &[f64], t: f64, steps: usize) -> Vec<f64> {
    let mut run = Run::new(system, method, y, [1e9, 1e9], 1.0);
    let (left, h) = (run.w.clock.left, run.w.clock.h);
    for _ in 0..steps {
        let step = t / steps as f64;
        run.arena[left.at as usize] = step;
        run.arena[h.at as usize] = step;
        // An attempt of some methods is a part of a step.
        let steps = run.get(run.w.clock.steps);
        while run.get(run.w.clock.steps) == steps {
            run.attempt();
            assert_eq!(run.get(run.w.clock.rejected), 0.0);
        }
        assert_eq!(run.get(left), 0.0);
    }
    run.y().to_vec()
}
