//! Rates and Jacobians of given states.

use crate::cells::Points;
use crate::shared::Shared;
use crate::simd::Register;
use crate::worker::wide::Wide;
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_solve::gas::{jacobian, reactor};

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// Production rates, and Jacobians if asked for, of the cells from `lo` on.
    pub(crate) fn rates(&mut self, s: &Shared, at: &Points<'_>, lo: usize, wdot: &mut [f64], jac: Option<&mut [f64]>) {
        let plan = &*s.plan;
        let n = plan.species;
        let count = wdot.len() / n;
        let mut jac = jac;
        for base in (0..count).step_by(Self::W) {
            for lane in 0..Self::W {
                let cell = lo + (base + lane).min(count - 1);
                let y = &at.y[cell * n..(cell + 1) * n];
                self.place(
                    s,
                    lane,
                    at.temperature[cell],
                    at.pressure[cell],
                    at.electron_temperature.map_or(NO_ELECTRON_T, |e| e[cell]),
                    |k| y[k],
                );
                (0..n).for_each(|k| self.set(plan.cell.source, k, lane, 0.0));
                self.set(plan.cell.heating, 0, lane, 0.0);
            }
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
