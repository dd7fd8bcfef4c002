//! A gas cell as a problem for the methods.

use super::algebra::{Algebra, Sparse};
use super::stirred::{Closed, Flow};
use super::{conserve, jacobian, reactor};
use crate::methods::Size;
use crate::methods::control::Mask;
use crate::methods::problem::{Allowance, Equations, Invariants, Linear, Measure};
use crate::options::Reactor;
use kinlane_plan::HOTTEST;
use kinlane_plan::lu::{self, Factors};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray};
use kinlane_plan::plan::Plan;

/// The error of a step is this part of the largest scaled error of any variable. The root mean square, which the field
/// uses, lets a hundred bystanders hide one species that is far off: at equal work this norm gives a three times
/// smaller error of the worst species (see `docs/decisions/0003-error-norm.md`). One quarter makes it as strict as the
/// root mean square over some fifty species of which three matter.
const SHARE: f64 = 0.25;

/// What is kept of the absolute tolerance in a single step. A trace that every other trace is made from passes its error
/// on; with a thousandth, cells end within their tolerances, and take a twentieth more steps (see
/// `docs/decisions/0017-what-a-step-may-err.md`).
const TRACE: f64 = 1e-3;

/// No step may bring a mass fraction further below zero than this and ten times the absolute tolerance. What is below
/// zero where the step begins may stay there, and what a source takes from nothing may be taken, but no more.
const NEGATIVE: f64 = 1e-9;

/// What steps leave below zero is forgiven up to this part of the absolute tolerance: ten times what one may err.
const FORGIVEN: f64 = 1e-2;

/// Mass fractions are let in down to half of this below zero. One that is deeper, by a hundred times what a step may fall,
/// has run away.
const DEEPEST: f64 = 2e-6;

/// Noise brings species down to minus this phi [mol/kg] and this multiple of the absolute tolerance. Methods that iterate
/// feel them down to there; were it more, radicals that begin far below zero would branch, and run away.
const NOISE: [f64; 2] = [1e-8, 10.0];

/// Least phi [mol/kg] at which decay is looked at: three of them multiplied are still a number.
const LOOKED_AT: f64 = 1e-80;

/// What makes less [mol/(kg s)] of an absent species than this is that trace of others, however fast it reacts.
const SEED: f64 = 1e-45;

/// Outside these temperatures [K] no mechanism means anything: such a cell is given up.
pub const TEMPERATURES: std::ops::RangeInclusive<f64> = 10.0..=HOTTEST;

/// A NaN, which compares false everywhere, as the largest of numbers, so that no maximum loses it.
#[inline(always)]
fn known<M: Machine>(m: M, x: M::R) -> M::R {
    M::R::select(x.le(m.lit(f64::MAX)), x, m.lit(f64::MAX))
}

/// The equations of one reactor over one plan: what flows through it, and what solves its linear systems.
#[derive(Debug, Clone, Copy)]
pub struct Gas<'a, F = Closed, L = Sparse> {
    /// The plan.
    pub plan: &'a Plan,
    /// The equations.
    pub reactor: Reactor,
    flow: F,
    algebra: L,
    /// Whether species below zero react as that: [`kinetics::progress`](super::kinetics::progress).
    signed: bool,
}

impl<'a> Gas<'a> {
    /// A closed reactor on the plan's sparse LU.
    pub fn new(plan: &'a Plan, reactor: Reactor) -> Self {
        Self { plan, reactor, flow: Closed, algebra: Sparse, signed: false }
    }
}

impl<'a, F, L> Gas<'a, F, L> {
    /// With something that flows through.
    pub fn with_flow<G>(self, flow: G) -> Gas<'a, G, L> {
        Gas { plan: self.plan, reactor: self.reactor, flow, algebra: self.algebra, signed: self.signed }
    }

    /// With other linear algebra.
    pub fn solved_by<K>(self, algebra: K) -> Gas<'a, F, K> {
        Gas { plan: self.plan, reactor: self.reactor, flow: self.flow, algebra, signed: self.signed }
    }

    /// Size, for a stepper.
    pub fn dimensions(&self) -> Size {
        Size { n: self.plan.lu.n, factors: self.plan.lu.entries }
    }

    /// What a cell must keep between steps beside the stepper's: its parameter, and for methods that keep factors
    /// these.
    pub fn memory(&self, factors: bool) -> Vec<Array> {
        let p = self.plan;
        let e = p.cell.energy;
        let mut all = vec![p.cell.parameter, e.known, e.per_mass, e.at, p.cell.begun, p.cell.owing];
        if factors {
            all.extend([p.jacobian.values, p.cell.depth, p.lu.factors.values, p.lu.factors.inverse]);
        }
        all
    }

    /// A flow's part of J is −1/τ on the diagonal.
    #[inline(always)]
    fn shifted<M: Machine>(&self, m: M, d: M::R) -> M::R
    where
        F: Flow<M>,
    {
        self.flow.rate(m).map_or(d, |rate| d + rate)
    }

    /// Where something flows, what the outflow changes in the first `n` variables, by their index and 1/τ.
    #[inline(always)]
    fn outflow<M: Machine>(&self, m: M, n: usize, change: impl Fn(M::I, M::R))
    where
        F: Flow<M>,
    {
        if let Some(rate) = self.flow.rate(m) {
            m.all(n, |i| change(i, rate));
        }
    }

    /// By how much the error `e` of the `i`-th active variable exceeds what the tolerances leave it in one step.
    #[inline(always)]
    pub fn scaled<M: Machine>(&self, m: M, i: M::I, y1: Array, rtol: M::R, atol: M::R, e: M::R) -> M::R {
        let k = m.index(self.plan.active, i);
        // What falls a hundredfold in a step is judged by what is left.
        (e / rtol.mul_add(m.get(y1, k).abs(), m.real(self.plan.tolerance, i) * atol * m.lit(TRACE))).abs()
    }

    /// What the `i`-th active variable lacks to zero, if that is noise, less than `most` of its tolerance, and f brings
    /// more in a step h; else zero.
    #[inline(always)]
    fn debt<M: Machine>(&self, m: M, i: M::I, y: Array, f: Array, h: M::R, most: M::R) -> M::R {
        let (k, zero) = (m.index(self.plan.active, i), m.lit(0.0));
        let x = m.get(y, k);
        let noise = M::R::and(x.lt(zero), (-x).lt(m.real(self.plan.tolerance, i) * most));
        M::R::select(M::R::and(noise, (-x).lt(m.get(f, k) * h)), -x, zero)
    }
}

impl<M: Machine, F: Flow<M>, L: Algebra<M>> Equations<M> for Gas<'_, F, L> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.plan.lu.n
    }
    #[inline(always)]
    fn rhs(&self, m: M, y: Array, f: Array) {
        self.flow.enter(m, self.plan, self.reactor, y);
        if self.signed {
            reactor::rhs::<M, true>(m, self.plan, self.reactor, y, f);
        } else {
            reactor::rhs::<M, false>(m, self.plan, self.reactor, y, f);
        }
    }
    #[inline(always)]
    fn split(&self, m: M, y: Array, f: Array, q: Array, p: Array) {
        self.flow.enter(m, self.plan, self.reactor, y);
        // What is not there has a decay all the same.
        m.set(self.plan.cell.floor, m.lit(LOOKED_AT));
        reactor::split(m, self.plan, self.reactor, y, f, q, p);
        m.set(self.plan.cell.floor, m.lit(0.0));
        // Nothing is made from what is not there.
        m.all(
            self.plan.species,
            #[inline(always)]
            |k| {
                let (x, zero) = (m.get(f, k), m.lit(0.0));
                let none = M::R::and(m.get(y, k).abs().le(zero), x.abs().lt(m.lit(SEED)));
                m.put(f, k, M::R::select(none, zero, x));
            },
        );
        // The outflow is a decay, too.
        self.outflow(
            m,
            self.plan.species,
            #[inline(always)]
            |k, rate| {
                m.put(p, k, m.get(p, k) + rate);
                m.put(q, k, rate.mul_add(m.get(y, k), m.get(q, k)));
            },
        );
    }
    /// A species owes what is below zero where a source takes from it more, over the interval, than is forgiven, or where it comes
    /// in deeper than the tolerance hides (docs/decisions/0015). An outflow takes of what there is, hence nothing that is not.
    #[inline(always)]
    fn begin(&self, m: M, y: Array, atol: M::R, span: M::R) {
        let cell = &self.plan.cell;
        let (one, zero) = (m.lit(1.0), m.lit(0.0));
        let begins = m.var(cell.begun).lt(m.lit(0.5));
        m.if_any(
            begins,
            #[inline(always)]
            || {
                m.function(
                    "begin_cell",
                    #[inline(always)]
                    || {
                        let (taken, slight) = (atol * m.lit(-FORGIVEN), atol * m.lit(-NOISE[1]));
                        let flows = self.flow.rate(m).is_some();
                        m.all(
                            self.plan.species,
                            #[inline(always)]
                            |k| {
                                let deep = m.get(y, k).lt(slight);
                                let drained = (m.get(cell.source, k) * span).lt(taken);
                                let owes = if flows { deep } else { M::R::or(drained, deep) };
                                let flag = M::R::select(owes, one, zero);
                                m.put(cell.owing, k, M::R::select(begins, flag, m.get(cell.owing, k)));
                            },
                        );
                        m.set(cell.begun, one);
                    },
                );
            },
        );
    }
    #[inline(always)]
    fn admit_negative(self, m: M, atol: M::R, admit: bool) -> Self {
        let slight = atol * m.lit(-NOISE[1]);
        m.set(self.plan.cell.slight, slight);
        m.set(self.plan.cell.noise, slight - m.lit(NOISE[0]));
        Self { signed: admit, ..self }
    }
    #[inline(always)]
    fn plausible(&self, m: M, y: Array) -> Mask<M> {
        let (t, sigma) = (m.get(y, m.i(self.plan.species)), m.get(y, m.i(self.plan.species + 1)));
        let known = M::R::and(m.lit(*TEMPERATURES.start()).le(t), t.le(m.lit(*TEMPERATURES.end())));
        M::R::and(known, m.lit(0.0).lt(sigma))
    }
}

impl<M: Machine, F: Flow<M>, L: Algebra<M>> Linear<M> for Gas<'_, F, L> {
    #[inline(always)]
    fn rhs_and_jacobian(&self, m: M, y: Array, f: Array) {
        self.flow.enter(m, self.plan, self.reactor, y);
        if self.signed {
            jacobian::rhs_and_jacobian::<M, true>(m, self.plan, self.reactor, y, f);
        } else {
            jacobian::rhs_and_jacobian::<M, false>(m, self.plan, self.reactor, y, f);
        }
    }
    #[inline(always)]
    fn factor(&self, m: M, d: M::R) {
        self.algebra.factor(m, self.plan, self.shifted(m, d));
    }
    #[inline(always)]
    fn grows(&self, m: M, y: Array, f: Array, d: M::R) -> Mask<M> {
        // What flows in is not seen here.
        let closed = self.flow.rate(m).is_none();
        self.algebra.grows(m, self.plan, closed.then_some((y, f, d)))
    }
    #[inline(always)]
    fn outdated(&self, m: M, y: Array) -> Mask<M> {
        jacobian::outdated(m, self.plan, y)
    }
    #[inline(always)]
    fn solve(&self, m: M, b: Array) {
        self.algebra.solve(m, self.plan, b);
    }
    #[inline(always)]
    fn factor_in_place(&self, m: M, d: M::R) {
        self.algebra.factor_in_place(m, self.plan, self.shifted(m, d));
    }
    #[inline(always)]
    fn solve_in_place(&self, m: M, b: Array) {
        self.algebra.solve_in_place(m, self.plan, b);
    }
    #[inline(always)]
    fn factor_complex(&self, m: M, factors: &Factors<ComplexArray>, d: Complex<M::R>) {
        self.algebra.factor_complex(m, self.plan, factors, Complex { re: self.shifted(m, d.re), im: d.im });
    }
    #[inline(always)]
    fn solve_complex(&self, m: M, factors: &Factors<ComplexArray>, b: ComplexArray) {
        self.algebra.solve_complex(m, self.plan, factors, b);
    }
    #[inline(always)]
    fn times(&self, m: M, v: Array, product: Array) {
        m.function(
            "times",
            #[inline(always)]
            || lu::times(m, &self.plan.lu, self.plan.jacobian.values, v, product),
        );
        self.outflow(
            m,
            self.plan.species + 2,
            #[inline(always)]
            |i, rate| m.put(product, i, m.get(product, i) - m.get(v, i) * rate),
        );
    }
    #[inline(always)]
    fn diagonal(&self, m: M, diagonal: Array) {
        m.function(
            "diagonal",
            #[inline(always)]
            || lu::diagonal(m, &self.plan.lu, self.plan.jacobian.values, diagonal),
        );
        self.outflow(
            m,
            self.plan.species + 2,
            #[inline(always)]
            |i, rate| m.put(diagonal, i, m.get(diagonal, i) - rate),
        );
    }
}

impl<M: Machine, F: Flow<M>, L: Algebra<M>> Measure<M> for Gas<'_, F, L> {
    #[inline(always)]
    fn norm(&self, m: M, y: Array, y1: Array, allowed: Allowance<M::R>, e: impl Fn(M::I) -> M::R) -> M::R {
        let Allowance { h, span, rtol, atol } = allowed;
        let (active, fraction) = (self.plan.active, self.plan.fraction);
        let limit = atol.mul_add(m.lit(10.0), m.lit(NEGATIVE));
        let below = -(limit * m.lit(SHARE)).recip();
        let bottom = -limit.mul_add(m.lit(100.0), m.lit(DEEPEST));
        let worst = m.fold(
            m.i(0),
            m.i(active.len as usize),
            m.lit(0.0),
            #[inline(always)]
            |worst, i| {
                let k = m.index(active, i);
                let x = self.scaled(m, i, y1, rtol, atol, e(k));
                // What falls far below zero is rejected: nothing would pull it back. Nor may it get there step by step.
                let (w, to) = (m.real(fraction, i), m.get(y1, k));
                // What a source takes is no fall.
                let (zero, taken) = (m.lit(0.0), m.get(self.plan.cell.source, k).min(m.lit(0.0)));
                let fall = (-h).mul_add(taken, to - m.get(y, k).min(zero));
                let lost = M::R::and((w * (-span).mul_add(taken, to)).lt(bottom), fall.lt(zero));
                let under = M::R::select(lost, m.lit(2.0 / SHARE), w * fall * below);
                known(m, x).max(known(m, under)).max(worst)
            },
        );
        worst * m.lit(SHARE)
    }
    #[inline(always)]
    fn size(&self, m: M, y: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R {
        let active = self.plan.active;
        let worst = m.fold(
            m.i(0),
            m.i(active.len as usize),
            m.lit(0.0),
            #[inline(always)]
            |worst, i| known(m, self.scaled(m, i, y, rtol, atol, e(m.index(active, i)))).max(worst),
        );
        worst * m.lit(SHARE)
    }
    #[inline(always)]
    fn weights(&self, m: M, y: Array, rtol: M::R, atol: M::R, weight: Array) {
        let (active, atol) = (self.plan.active, atol * m.lit(TRACE));
        // What no reaction touches cannot go wrong, but has a size.
        m.all(
            self.plan.lu.n,
            #[inline(always)]
            |k| m.put(weight, k, rtol.mul_add(m.get(y, k).abs(), atol)),
        );
        m.all(
            active.len as usize,
            #[inline(always)]
            |i| {
                let k = m.index(active, i);
                m.put(weight, k, rtol.mul_add(m.get(y, k).abs(), m.real(self.plan.tolerance, i) * atol));
            },
        );
    }
}

impl<M: Machine, F: Flow<M>, L: Algebra<M>> Invariants<M> for Gas<'_, F, L> {
    #[inline(always)]
    fn restore_sums(&self, m: M, y: Array, y1: Array, h: M::R) -> M::R {
        let (n, active, fraction) = (self.plan.species, self.plan.active, self.plan.fraction);
        // Mass fractions sum to what they summed to: what is gained is taken from all that react, in proportion.
        let gained = m.sum(
            active.len as usize,
            #[inline(always)]
            |i| {
                let k = m.index(active, i);
                let brought = m.get(self.plan.cell.source, k) * h;
                m.real(fraction, i) * (m.get(y1, k) - m.get(y, k) - brought)
            },
        );
        let all = m.sum(
            active.len as usize,
            #[inline(always)]
            |i| m.real(fraction, i) * m.get(y1, m.index(active, i)),
        );
        let scale = m.lit(1.0) - gained / m.lit(1e-100).max(all);
        m.all(
            active.len as usize,
            #[inline(always)]
            |i| {
                let k = m.index(active, i);
                let scale = M::R::select(m.lit(0.0).lt(m.real(fraction, i)), scale, m.lit(1.0));
                m.put(y1, k, m.get(y1, k) * scale);
            },
        );
        let sigma = m.sum(
            n,
            #[inline(always)]
            |k| m.get(y1, k),
        );
        m.put(y1, m.i(n + 1), sigma);
        gained.abs()
    }
    #[inline(always)]
    fn clip_noise(&self, m: M, y: Array, f: Array, h: M::R, atol: M::R) {
        let (active, sigma) = (self.plan.active, m.i(self.plan.species + 1));
        let most = atol * m.lit(FORGIVEN);
        m.function(
            "forgive",
            #[inline(always)]
            || {
                let all = m.sum(
                    active.len as usize,
                    #[inline(always)]
                    |i| self.debt(m, i, y, f, h, most),
                );
                m.all(
                    active.len as usize,
                    #[inline(always)]
                    |i| {
                        let k = m.index(active, i);
                        m.put(y, k, m.get(y, k) + self.debt(m, i, y, f, h, most));
                    },
                );
                m.put(y, sigma, m.get(y, sigma) + all);
            },
        );
    }
    #[inline(always)]
    fn remember_energy(&self, m: M, y: Array) {
        // An open reactor keeps nothing.
        if self.flow.rate(m).is_none() {
            conserve::remember(m, self.plan, self.reactor, y);
        }
    }
    #[inline(always)]
    fn energy_lost(&self, m: M, y: Array, y1: Array, h: M::R, rtol: M::R) -> M::R {
        if self.flow.rate(m).is_some() {
            return m.lit(0.0);
        }
        conserve::lost(m, self.plan, self.reactor, y, y1, h) / rtol * m.lit(SHARE)
    }
    #[inline(always)]
    fn energy_lacking(&self, m: M, y: Array, d: M::R, which: Mask<M>, b: Array) {
        let (t, zero) = (m.i(self.plan.species), m.lit(0.0));
        m.all(
            self.plan.lu.n,
            #[inline(always)]
            |i| m.put(b, i, zero),
        );
        m.put(b, t, M::R::select(which, m.var(self.plan.cell.energy.lost) * m.get(y, t) * d, zero));
    }
    #[inline(always)]
    fn keep_energy(&self, m: M, y: Array, accepted: Mask<M>, corrected: Mask<M>) {
        if self.flow.rate(m).is_none() {
            conserve::keep(m, self.plan, self.reactor, y, accepted, corrected);
        }
    }
}
