//! The perfectly stirred reactor at constant pressure: the gas reactor with an inflow and an outflow.
//!
//! ```text
//! dphi_k/dt = wdot_k/rho + (phi_k,in − phi_k)/τ
//! c dT/dt   = (h_in − Σ h_k phi_k,in)/τ − Σ h_k wdot_k/rho
//! ```
//!
//! This is the closed reactor with the source s_k = (phi_k,in − phi_k)/τ and the heating Q = (h_in − h)/τ. These depend
//! on the state, and their derivatives in all equations together are −1/τ on the diagonal: the matrix is that of the
//! closed reactor, shifted.

use super::problem::Gas;
use super::reactor::{self, energy};
use super::{R, thermo};
use crate::methods::Problem;
use crate::methods::control::Mask;
use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::number::{Complex, ComplexArray};
use kinlane_plan::plan::Plan;
use kinlane_plan::tables::Layout;

/// What flows in.
#[derive(Debug, Clone, Copy)]
pub struct Inflow {
    /// phi of every species [mol/kg].
    pub phi: Array,
    /// Enthalpy [J/kg].
    pub enthalpy: Array,
    /// 1/τ [1/s].
    pub rate: Array,
}

impl Inflow {
    /// Lays the variables out.
    pub fn new(l: &mut Layout, plan: &Plan) -> Self {
        Self { phi: l.array(plan.species), enthalpy: l.var(), rate: l.var() }
    }
}

/// The equations of the stirred reactor over one plan.
#[derive(Debug, Clone, Copy)]
pub struct Stirred<'a> {
    /// The closed reactor: `Reactor::ConstP`, or `Reactor::FixedT` where a wall holds the temperature.
    pub gas: Gas<'a>,
    /// What flows in.
    pub inflow: Inflow,
}

impl Stirred<'_> {
    /// Source and heating at the state.
    #[inline(always)]
    fn flow<M: Machine>(&self, m: M, y: Array) {
        let p = self.gas.plan;
        reactor::state(m, p, self.gas.reactor, y);
        thermo::evaluate(m, p, thermo::Depth::Energy);
        let Inflow { phi, enthalpy, rate } = self.inflow;
        m.function(
            "inflow",
            #[inline(always)]
            || {
                let rate = m.var(rate);
                m.all(
                    p.species,
                    #[inline(always)]
                    |k| m.put(p.cell.source, k, (m.get(phi, k) - m.get(y, k)) * rate),
                );
                let t = m.var(p.cell.scalars.t);
                let h = m.sum(
                    p.species,
                    #[inline(always)]
                    |k| energy(m, p, m.lit(0.0), t, k) * m.get(y, k),
                );
                m.set(p.cell.heating, (m.var(enthalpy) - h * m.lit(R)) * rate);
            },
        );
    }
}

impl<M: Machine> Problem<M> for Stirred<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        Problem::<M>::len(&self.gas)
    }
    #[inline(always)]
    fn rhs(&self, m: M, y: Array, f: Array) {
        self.flow(m, y);
        self.gas.rhs(m, y, f);
    }
    #[inline(always)]
    fn rhs_and_jacobian(&self, m: M, y: Array, f: Array) {
        self.flow(m, y);
        self.gas.rhs_and_jacobian(m, y, f);
    }
    #[inline(always)]
    fn factor(&self, m: M, d: M::R) {
        self.gas.factor(m, d + m.var(self.inflow.rate));
    }
    #[inline(always)]
    fn solve(&self, m: M, b: Array) {
        self.gas.solve(m, b);
    }
    #[inline(always)]
    fn factor_over(&self, m: M, d: M::R) {
        self.gas.factor_over(m, d + m.var(self.inflow.rate));
    }
    #[inline(always)]
    fn solve_over(&self, m: M, b: Array) {
        self.gas.solve_over(m, b);
    }
    #[inline(always)]
    fn norm(&self, m: M, y: Array, y1: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R {
        self.gas.norm(m, y, y1, rtol, atol, e)
    }
    #[inline(always)]
    fn size(&self, m: M, y: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R {
        self.gas.size(m, y, rtol, atol, e)
    }
    #[inline(always)]
    fn factor_complex(&self, m: M, factors: &Factors<ComplexArray>, d: Complex<M::R>) {
        self.gas.factor_complex(m, factors, Complex { re: d.re + m.var(self.inflow.rate), im: d.im });
    }
    #[inline(always)]
    fn solve_complex(&self, m: M, factors: &Factors<ComplexArray>, b: ComplexArray) {
        self.gas.solve_complex(m, factors, b);
    }
    #[inline(always)]
    fn weights(&self, m: M, y: Array, rtol: M::R, atol: M::R, weight: Array) {
        self.gas.weights(m, y, rtol, atol, weight);
    }
    #[inline(always)]
    fn split(&self, m: M, y: Array, f: Array, q: Array, p: Array) {
        self.flow(m, y);
        self.gas.split(m, y, f, q, p);
        // The outflow is a decay, too.
        m.function(
            "split_outflow",
            #[inline(always)]
            || {
                let rate = m.var(self.inflow.rate);
                m.all(
                    self.gas.plan.species,
                    #[inline(always)]
                    |k| {
                        m.put(p, k, m.get(p, k) + rate);
                        m.put(q, k, rate.mul_add(m.get(y, k), m.get(q, k)));
                    },
                );
            },
        );
    }
    #[inline(always)]
    fn restore(&self, m: M, y: Array, y1: Array, h: M::R) -> M::R {
        self.gas.restore(m, y, y1, h)
    }
    #[inline(always)]
    fn remember(&self, _: M, _: Array) {}
    #[inline(always)]
    fn correct(&self, _: M, _: Array, _: M::R, _: Mask<M>) {} // an open reactor keeps nothing
    #[inline(always)]
    fn forgive(&self, m: M, y: Array, f: Array, h: M::R, atol: M::R) {
        self.gas.forgive(m, y, f, h, atol);
    }
    #[inline(always)]
    fn times(&self, m: M, v: Array, product: Array) {
        self.gas.times(m, v, product);
        m.function(
            "outflow",
            #[inline(always)]
            || {
                let rate = m.var(self.inflow.rate);
                m.all(
                    self.gas.plan.species + 2,
                    #[inline(always)]
                    |i| m.put(product, i, m.get(product, i) - m.get(v, i) * rate),
                );
            },
        );
    }
    #[inline(always)]
    fn diagonal(&self, m: M, diagonal: Array) {
        self.gas.diagonal(m, diagonal);
        m.function(
            "diagonal_outflow",
            #[inline(always)]
            || {
                let rate = m.var(self.inflow.rate);
                m.all(
                    self.gas.plan.species + 2,
                    #[inline(always)]
                    |i| m.put(diagonal, i, m.get(diagonal, i) - rate),
                );
            },
        );
    }
    #[inline(always)]
    fn admit_negative(&self, m: M, atol: M::R, admit: bool) {
        self.gas.admit_negative(m, atol, admit);
    }
    #[inline(always)]
    fn plausible(&self, m: M, y: Array) -> Mask<M> {
        self.gas.plausible(m, y)
    }
}
