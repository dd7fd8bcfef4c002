//! A gas cell as a problem for the methods.

use super::algebra::{Algebra, Sparse};
use super::reactor::is_drained;
use super::stirred::{Closed, Flow};
use super::{jacobian, reactor};
use crate::methods::Size;
use crate::methods::control::Mask;
use crate::methods::problem::{Equations, Linear};
use crate::options::Reactor;
use kinlane_plan::HOTTEST;
use kinlane_plan::lu::{self, Factors};
use kinlane_plan::machine::{Array, Machine, Real, array};
use kinlane_plan::number::{Complex, ComplexArray};
use kinlane_plan::plan::Plan;

/// What steps leave below zero is set to zero up to this part of the absolute tolerance: ten times what a
/// step may err.
pub(super) const FORGIVEN: f64 = 1e-2;

/// Noise of steps brings species down to minus the sum of this phi \[mol/kg\] and this multiple of the
/// absolute tolerance. With methods that iterate, rates follow a species down to there; if they did further
/// down, radicals that begin far below zero would branch and run away.
const NOISE: [f64; 2] = [1e-8, 10.0];

/// In an atmosphere radicals are some 1e-12 of what there is most of, and in a gas 1e-6: the bounds on what is noise are
/// smaller by as much.
const BESIDE: f64 = 1e-6;

/// Least phi \[mol/kg\] for which a decay rate is computed: a product of three such numbers is still above
/// zero.
const LOOKED_AT: f64 = 1e-80;

/// If an absent species is made at less than this rate \[mol/(kg s)\], it is made only from other absent
/// species, set to `LOOKED_AT`, however fast they react.
const SEED: f64 = 1e-45;

/// Gas in which a reverse rate is lost is given up if it has more than this of all products \[mol/kg\].
const PRESENT: f64 = 1e-15;

/// Outside these temperatures \[K\] no mechanism is meaningful, and the cell is given up.
pub const TEMPERATURES: std::ops::RangeInclusive<f64> = 10.0..=HOTTEST;

/// The equations of one reactor for one plan, with what flows through it and the linear algebra for its
/// systems.
#[derive(Debug, Clone, Copy)]
pub struct Gas<'a, F = Closed, L = Sparse> {
    /// The plan.
    pub plan: &'a Plan,
    /// The kind of reactor.
    pub reactor: Reactor,
    pub(super) flow: F,
    algebra: L,
    /// Whether two species below zero react backwards: [`kinetics::progress`](super::kinetics::progress).
    signed: bool,
}

impl<'a> Gas<'a> {
    /// A closed reactor that is solved by the plan's sparse LU.
    pub fn new(plan: &'a Plan, reactor: Reactor) -> Self {
        Self { plan, reactor, flow: Closed, algebra: Sparse, signed: false }
    }
}

impl<'a, F, L> Gas<'a, F, L> {
    /// The same with a flow through the reactor.
    pub fn with_flow<G>(self, flow: G) -> Gas<'a, G, L> {
        Gas { plan: self.plan, reactor: self.reactor, flow, algebra: self.algebra, signed: self.signed }
    }

    /// The same with other linear algebra.
    pub fn solved_by<K>(self, algebra: K) -> Gas<'a, F, K> {
        Gas { plan: self.plan, reactor: self.reactor, flow: self.flow, algebra, signed: self.signed }
    }

    /// Whether the gas is so cold that reverse rates are lost, and has all products of such a reaction.
    #[inline(always)]
    fn lacks_rates<M: Machine>(&self, m: M, t: M::R, y: Array) -> Mask<M> {
        let (cold, lacking) = (&self.plan.thermo.cold, self.plan.cell.lacking);
        let is_cold = t.lt(m.lit(cold.below));
        m.set(lacking, m.lit(0.0));
        m.if_any(
            is_cold,
            #[inline(always)]
            || {
                m.function(
                    "cold_gas",
                    #[inline(always)]
                    || {
                        let zero = m.lit(0.0);
                        let most = m.fold(
                            m.i(0),
                            m.i(cold.lost.len as usize),
                            zero,
                            #[inline(always)]
                            |most, i| {
                                let [a, b, c] = array(
                                    #[inline(always)]
                                    |j| m.get(y, m.index(cold.products, i * 3 + j)).abs(),
                                );
                                let here = t.lt(m.real(cold.lost, i));
                                most.max(M::R::select(here, a.min(b).min(c), zero))
                            },
                        );
                        m.set(lacking, most);
                    },
                );
            },
        );
        M::R::and(is_cold, m.lit(PRESENT).lt(m.var(lacking)))
    }

    /// A bound on mass fractions, which sum to one in a gas. Where rate constants are given, that part of the largest
    /// amount with which the cell began, times [`BESIDE`].
    #[inline(always)]
    pub(super) fn of_all<M: Machine>(&self, m: M, part: f64) -> M::R {
        if self.plan.given { m.var(self.plan.cell.parameter) * m.lit(part * BESIDE) } else { m.lit(part) }
    }

    /// Size of the problem, for a stepper.
    pub fn dimensions(&self) -> Size {
        Size { n: self.plan.lu.n, factors: self.plan.lu.entries }
    }

    /// Arrays that a cell must keep between steps, beside those of the stepper: its parameter, its energy, elements
    /// and debts, and J and the factors for methods that keep factors.
    pub fn memory(&self, factors: bool) -> Vec<Array> {
        let p = self.plan;
        let e = p.cell.energy;
        let mut all = vec![p.cell.parameter, e.known, e.per_mass, e.at, p.cell.begun, p.cell.owing];
        if p.elements.count > 0 {
            all.extend([p.elements.known, p.elements.total]);
        }
        if factors {
            all.extend([p.jacobian.values, p.cell.depth, p.lu.factors.values, p.lu.factors.inverse]);
        }
        all
    }

    /// d with the part of J that is due to a flow, −1/τ on the diagonal.
    #[inline(always)]
    fn shifted<M: Machine>(&self, m: M, d: M::R) -> M::R
    where
        F: Flow<M>,
    {
        self.flow.rate(m).map_or(d, |rate| d + rate)
    }

    /// Where something flows, calls `change` for each of the first `n` variables, with its index and 1/τ.
    #[inline(always)]
    fn outflow<M: Machine>(&self, m: M, n: usize, change: impl Fn(M::I, M::R))
    where
        F: Flow<M>,
    {
        if let Some(rate) = self.flow.rate(m) {
            m.all(n, |i| change(i, rate));
        }
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
        // Absent species have a decay rate, too.
        m.set(self.plan.cell.floor, m.lit(LOOKED_AT));
        reactor::split(m, self.plan, self.reactor, y, f, q, p);
        m.set(self.plan.cell.floor, m.lit(0.0));
        // Nothing is made from absent species.
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
    /// A species owes if what is below zero is not noise: if a source takes more of it over the interval than
    /// is forgiven, or if it enters further below zero than the tolerance hides (docs/decisions/0015). An
    /// outflow takes a part of what is there, hence nothing from an absent species.
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
                        let table = self.plan.drained;
                        let flows = self.flow.rate(m).is_some();
                        m.all(
                            self.plan.species,
                            #[inline(always)]
                            |k| {
                                let deep = m.get(y, k).lt(slight);
                                let drained = (m.get(cell.source, k) * span).lt(taken);
                                let owes = if flows { deep } else { M::R::or(drained, deep) };
                                let owes = is_drained(m, table, k).map_or(owes, |yes| M::R::and(owes, M::R::not(yes)));
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
        m.set(self.plan.cell.noise, slight - self.of_all(m, NOISE[0]));
        Self { signed: admit, ..self }
    }
    #[inline(always)]
    fn plausible(&self, m: M, y: Array) -> Mask<M> {
        if self.plan.given {
            return m.lit(0.0).lt(m.lit(1.0));
        }
        let (t, sigma) = (m.get(y, m.i(self.plan.species)), m.get(y, m.i(self.plan.species + 1)));
        let known = M::R::and(m.lit(*TEMPERATURES.start()).le(t), t.le(m.lit(*TEMPERATURES.end())));
        let sound = M::R::and(known, m.lit(0.0).lt(sigma));
        match self.plan.thermo.cold.lost.len {
            0 => sound,
            _ => M::R::and(sound, M::R::not(self.lacks_rates(m, t, y))),
        }
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
    fn grows(&self, m: M, in_place: bool, y: Array, f: Array, d: M::R) -> Mask<M> {
        // Which species flow in is not known here, so absent ones count as well.
        let closed = self.flow.rate(m).is_none();
        self.algebra.grows(m, self.plan, in_place, closed.then_some((y, f, d)))
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
