//! What a gas is and does at given states: rates, Jacobians, properties.

use crate::cells::Points;
use crate::shared::Shared;
use crate::simd::Register;
use crate::worker::wide::Wide;
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_solve::gas::{jacobian, reactor};

/// What a gas is at a state.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Properties {
    /// Density \[kg/m³\].
    pub density: f64,
    /// Mean molar mass \[kg/mol\].
    pub molar_mass: f64,
    /// Specific heat capacity at constant pressure \[J/(kg K)\].
    pub cp: f64,
    /// Specific enthalpy \[J/kg\], with the enthalpies of formation in it.
    pub enthalpy: f64,
    /// Heat that reactions release \[W/m³\]: −Σ h_k wdot_k.
    pub heat_release: f64,
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// Loads the cells from `lo + base` on, one a lane; lanes beyond the part's `count` cells repeat its last.
    fn seat_points(&mut self, s: &Shared, at: &Points<'_>, lo: usize, base: usize, count: usize) {
        let (plan, n) = (&*s.plan, s.plan.species);
        for lane in 0..Self::W {
            let cell = lo + (base + lane).min(count - 1);
            let y = &at.y[cell * n..(cell + 1) * n];
            let electron = at.electron_temperature.map_or(NO_ELECTRON_T, |e| e[cell]);
            self.place(s, lane, at.temperature[cell], at.pressure[cell], electron, |k| y[k]);
            (0..n).for_each(|k| self.set(plan.cell.source, k, lane, 0.0));
            self.set(plan.cell.heating, 0, lane, 0.0);
        }
    }

    /// Properties of the cells from `lo` on.
    pub(crate) fn look(&mut self, s: &Shared, at: &Points<'_>, lo: usize, out: &mut [Properties]) {
        let (plan, count) = (&*s.plan, out.len());
        let (y, f) = (s.stepper.y, s.stepper.f);
        for base in (0..count).step_by(Self::W) {
            self.seat_points(s, at, lo, base, count);
            // SAFETY: `rehearse` runs it.
            unsafe {
                self.compute(
                    s,
                    #[inline(always)]
                    |m| reactor::properties(m, plan, s.options.reactor, y, f),
                );
            }
            for (lane, out) in out[base..].iter_mut().take(Self::W).enumerate() {
                let [cp, enthalpy, heat_release] = [0, 1, 2].map(|i| self.get(f, i, lane));
                let molar_mass = self.get(y, plan.species + 1, lane).recip();
                let density = self.get(plan.cell.scalars.rho, 0, lane);
                *out = Properties { density, molar_mass, cp, enthalpy, heat_release };
            }
        }
    }

    /// Forward and reverse rates of progress of the cells from `lo` on, in the order of the network.
    pub(crate) fn both_ways(&mut self, s: &Shared, at: &Points<'_>, lo: usize, out: &mut [[f64; 2]]) {
        let (plan, y) = (&*s.plan, s.stepper.y);
        let reactions = plan.kinetics.place.len();
        let count = out.len().checked_div(reactions).unwrap_or(0);
        for base in (0..count).step_by(Self::W) {
            self.seat_points(s, at, lo, base, count);
            // SAFETY: `rehearse` runs it.
            unsafe {
                self.compute(
                    s,
                    #[inline(always)]
                    |m| reactor::both_ways(m, plan, s.options.reactor, y),
                );
            }
            for (lane, out) in out[base * reactions..].chunks_exact_mut(reactions).take(Self::W).enumerate() {
                let rates = plan.kinetics.both_ways(|a, i| self.get(a, i, lane));
                out.iter_mut().zip(rates).for_each(|(out, q)| *out = q);
            }
        }
    }

    /// Production rates, and Jacobians if asked for, of the cells from `lo` on.
    pub(crate) fn rates(&mut self, s: &Shared, at: &Points<'_>, lo: usize, wdot: &mut [f64], jac: Option<&mut [f64]>) {
        let plan = &*s.plan;
        let n = plan.species;
        let count = wdot.len() / n;
        let mut jac = jac;
        for base in (0..count).step_by(Self::W) {
            self.seat_points(s, at, lo, base, count);
            let (y, f) = (s.stepper.y, s.stepper.f);
            // SAFETY: `rehearse` runs both.
            unsafe {
                if jac.is_some() {
                    self.compute(
                        s,
                        #[inline(always)]
                        |m| {
                            jacobian::rhs_and_jacobian::<_, false>(m, plan, s.options.reactor, y, f);
                        },
                    );
                } else {
                    self.compute(
                        s,
                        #[inline(always)]
                        |m| reactor::production(m, plan, s.options.reactor, y),
                    );
                }
            }
            for lane in 0..Self::W.min(count - base) {
                for k in 0..n {
                    wdot[(base + lane) * n + k] = self.get(plan.cell.wdot, k, lane);
                }
                if let Some(jac) = jac.as_deref_mut() {
                    let size = (n + 1) * (n + 1);
                    let value = |i: usize| self.get(plan.jacobian.values, i, lane);
                    let out = &mut jac[(base + lane) * size..(base + lane + 1) * size];
                    jacobian::of_mass_fractions(plan, value, out);
                }
            }
        }
    }
}
