//! What flows through a reactor: nothing, or the perfectly stirred reactor's inflow and outflow.
//!
//! ```text
//! dphi_k/dt = wdot_k/rho + (phi_k,in − phi_k)/τ
//! c dT/dt   = (h_in − Σ h_k phi_k,in)/τ − Σ h_k wdot_k/rho
//! ```
//!
//! This is the closed reactor with the source s_k = (phi_k,in − phi_k)/τ and the heating Q = (h_in − h)/τ.
//! Both depend on the state; in all equations together, their derivatives are −1/τ on the diagonal. So the
//! matrix is that of the closed reactor, shifted.

use super::reactor::{self, Energies};
use super::{R, thermo};
use crate::options::Reactor;
use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::plan::Plan;
use kinlane_plan::tables::Layout;

/// The flow through a reactor.
pub trait Flow<M: Machine>: Copy {
    /// Sets the cell's source and heating at the variables `y`, if there is a flow.
    fn enter(&self, m: M, plan: &Plan, reactor: Reactor, y: Array);
    /// 1/τ \[1/s\], if there is a flow.
    fn rate(&self, m: M) -> Option<M::R>;
}

/// A closed reactor: source and heating are those that the caller gave.
#[derive(Debug, Clone, Copy)]
pub struct Closed;

impl<M: Machine> Flow<M> for Closed {
    #[inline(always)]
    fn enter(&self, _: M, _: &Plan, _: Reactor, _: Array) {}
    #[inline(always)]
    fn rate(&self, _: M) -> Option<M::R> {
        None
    }
}

/// The inflow of a stirred reactor; at `Reactor::ConstP`, or at `Reactor::FixedT` where a wall holds the
/// temperature.
#[derive(Debug, Clone, Copy)]
pub struct Inflow {
    /// phi of every species \[mol/kg\].
    pub phi: Array,
    /// Enthalpy \[J/kg\].
    pub enthalpy: Array,
    /// 1/τ \[1/s\].
    pub rate: Array,
}

impl Inflow {
    /// Lays out the variables.
    pub fn new(l: &mut Layout, plan: &Plan) -> Self {
        Self { phi: l.array(plan.species), enthalpy: l.var(), rate: l.var() }
    }
}

impl<M: Machine> Flow<M> for Inflow {
    #[inline(always)]
    fn enter(&self, m: M, plan: &Plan, reactor: Reactor, y: Array) {
        let zero = m.lit(0.0);
        reactor::state(
            m,
            plan,
            reactor,
            y,
            #[inline(always)]
            |_| zero,
        );
        thermo::evaluate(m, plan, thermo::Wanted::Energy);
        m.function(
            "inflow",
            #[inline(always)]
            || {
                let rate = m.var(self.rate);
                m.all(
                    plan.species,
                    #[inline(always)]
                    |k| m.put(plan.cell.source, k, (m.get(self.phi, k) - m.get(y, k)) * rate),
                );
                let enthalpies = Energies::enthalpies(plan, m.var(plan.cell.scalars.t));
                let h = m.sum(
                    plan.species,
                    #[inline(always)]
                    |k| enthalpies.of(m, k) * m.get(y, k),
                );
                m.set(plan.cell.heating, (m.var(self.enthalpy) - h * m.lit(R)) * rate);
            },
        );
    }
    #[inline(always)]
    fn rate(&self, m: M) -> Option<M::R> {
        Some(m.var(self.rate))
    }
}
