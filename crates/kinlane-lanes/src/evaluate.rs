//! What a gas is and does at given states: rates, Jacobians, properties.

use crate::cells::Points;
use crate::machine::Lanes;
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
    /// Loads the cells `lo .. lo + count` as many at a time as there are lanes, runs the program on them, and gives each cell's number
    /// from `lo` and its lane to `take`. Lanes beyond the last cell repeat it.
    ///
    /// # Safety
    /// As [`Wide::compute`].
    #[inline(always)]
    unsafe fn at_points(
        &mut self,
        s: &Shared,
        at: &Points<'_>,
        (lo, count): (usize, usize),
        program: impl Fn(Lanes<'_, V, K>),
        mut take: impl FnMut(&Self, usize, usize),
    ) {
        let (plan, n) = (&*s.plan, s.plan.species);
        for base in (0..count).step_by(Self::W) {
            for lane in 0..Self::W {
                let cell = lo + (base + lane).min(count - 1);
                let y = &at.y[cell * n..(cell + 1) * n];
                let electron = at.electron_temperature.map_or(NO_ELECTRON_T, |e| e[cell]);
                self.place(s, lane, at.temperature[cell], at.pressure[cell], electron, |k| y[k]);
                (0..n).for_each(|k| self.set(plan.cell.source, k, lane, 0.0));
                self.set(plan.cell.heating, 0, lane, 0.0);
            }
            // SAFETY: the caller's.
            unsafe { self.compute(s, &program) };
            (0..Self::W.min(count - base)).for_each(|lane| take(self, base + lane, lane));
        }
    }

    /// Properties of the cells from `lo` on.
    pub(crate) fn look(&mut self, s: &Shared, at: &Points<'_>, lo: usize, out: &mut [Properties]) {
        let (plan, reactor, cells) = (&*s.plan, s.options.reactor, (lo, out.len()));
        let (y, f) = (s.stepper.y, s.stepper.f);
        let take = |me: &Self, i: usize, lane: usize| {
            let [cp, enthalpy, heat_release] = [0, 1, 2].map(|i| me.get(f, i, lane));
            let molar_mass = me.get(y, plan.species + 1, lane).recip();
            let density = me.get(plan.cell.scalars.rho, 0, lane);
            out[i] = Properties { density, molar_mass, cp, enthalpy, heat_release };
        };
        // SAFETY: `rehearse` runs it.
        unsafe {
            self.at_points(
                s,
                at,
                cells,
                #[inline(always)]
                |m| reactor::properties(m, plan, reactor, y, f),
                take,
            )
        };
    }

    /// Forward and reverse rates of progress of the cells from `lo` on, in the order of the network.
    pub(crate) fn both_ways(&mut self, s: &Shared, at: &Points<'_>, lo: usize, out: &mut [[f64; 2]]) {
        let (plan, reactor, y) = (&*s.plan, s.options.reactor, s.stepper.y);
        let reactions = plan.kinetics.place.len();
        let cells = (lo, out.len().checked_div(reactions).unwrap_or(0));
        let take = |me: &Self, i: usize, lane: usize| {
            let rates = plan.kinetics.both_ways(|a, i| me.get(a, i, lane));
            out[i * reactions..].iter_mut().zip(rates).for_each(|(out, q)| *out = q);
        };
        // SAFETY: `rehearse` runs it.
        unsafe {
            self.at_points(
                s,
                at,
                cells,
                #[inline(always)]
                |m| reactor::both_ways(m, plan, reactor, y),
                take,
            )
        };
    }

    /// Production rates, and Jacobians if asked for, of the cells from `lo` on.
    pub(crate) fn rates(&mut self, s: &Shared, at: &Points<'_>, lo: usize, wdot: &mut [f64], jac: Option<&mut [f64]>) {
        let (plan, reactor, n) = (&*s.plan, s.options.reactor, s.plan.species);
        let (y, f, cells) = (s.stepper.y, s.stepper.f, (lo, wdot.len() / n));
        let mut take_wdot = |me: &Self, i: usize, lane: usize| {
            wdot[i * n..(i + 1) * n].iter_mut().enumerate().for_each(|(k, out)| *out = me.get(plan.cell.wdot, k, lane));
        };
        let Some(jac) = jac else {
            // SAFETY: `rehearse` runs it.
            return unsafe {
                self.at_points(
                    s,
                    at,
                    cells,
                    #[inline(always)]
                    |m| reactor::production(m, plan, reactor, y),
                    take_wdot,
                )
            };
        };
        let take = |me: &Self, i: usize, lane: usize| {
            take_wdot(me, i, lane);
            let (size, value) = ((n + 1) * (n + 1), |e: usize| me.get(plan.jacobian.values, e, lane));
            jacobian::of_mass_fractions(plan, value, &mut jac[i * size..(i + 1) * size]);
        };
        // SAFETY: `rehearse` runs it.
        unsafe {
            self.at_points(
                s,
                at,
                cells,
                #[inline(always)]
                |m| jacobian::rhs_and_jacobian::<_, false>(m, plan, reactor, y, f),
                take,
            )
        };
    }
}
