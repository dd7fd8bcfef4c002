//! Evaluation of a gas at given states: rates, Jacobians, properties.

use crate::cells::Points;
use crate::machine::Lanes;
use crate::shared::Shared;
use crate::simd::Register;
use crate::worker::wide::{MOST, Wide};
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_solve::gas::problem::TEMPERATURES;
use kinlane_solve::gas::{R, conserve, jacobian, reactor};

/// Properties of a gas at a state.
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

/// Most evaluations of a [`Search`]: bisection finds even a jump of energy anywhere in the range of T.
const TURNS: usize = 80;
/// Relative change of T at which a search ends.
const SETTLED: f64 = 1e-13;
/// Largest error of E, relative to c T, at which an end of the temperature range is accepted as the answer.
const THERE: f64 = 1e-9;

/// The search for the T at which E(T) has a given value: Newton's method within a bracket of temperatures
/// tried so far, and bisection of ln T where Newton's method leaves the bracket, or does not halve its steps: below and above a jump
/// of E it may point to the other side for ever. If E jumps past the value, the search ends at the jump.
struct Search {
    energy: f64,
    low: f64,
    high: f64,
    t: f64,
    stride: f64,
    open: bool,
}

impl Search {
    fn new(energy: f64, guess: f64) -> Self {
        let t = guess.clamp(*TEMPERATURES.start(), *TEMPERATURES.end());
        Self { energy, low: 0.0, high: f64::INFINITY, t, stride: f64::INFINITY, open: true }
    }

    /// Sets the next T from E and its slope at the present one; NaN if there is no solution.
    fn step(&mut self, e: f64, slope: f64) {
        let (coldest, hottest) = (*TEMPERATURES.start(), *TEMPERATURES.end());
        let (lacking, t) = (self.energy - e, self.t);
        if lacking > 0.0 {
            self.low = t;
        } else {
            self.high = t;
        }
        let newton = (t + lacking / slope).clamp(coldest, hottest);
        let stride = (newton - t).abs();
        let good = self.low < newton && newton < self.high && stride <= 0.5 * self.stride;
        let next = match good || stride <= SETTLED * t {
            true => newton,
            false => (self.low.max(coldest) * self.high.min(hottest)).sqrt(),
        };
        self.stride = (next - t).abs();
        self.open = self.stride > SETTLED * t;
        let end = t <= coldest || t >= hottest;
        let none = !self.open && end && lacking.abs() > THERE * (slope * t).abs();
        self.t = if none || lacking.is_nan() { f64::NAN } else { next };
        self.open &= !self.t.is_nan();
    }
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// Loads the cells from `lo + base` on, one per lane; lanes beyond the part's `count` cells repeat its
    /// last cell.
    fn seat_points(&mut self, s: &Shared, at: &Points<'_>, (lo, count): (usize, usize), base: usize) {
        let n = s.plan.species;
        let [by_cell, by_species] = at.layout.strides(at.temperature.len(), n);
        for lane in 0..Self::W {
            let cell = lo + (base + lane).min(count - 1);
            let y = |k: usize| at.y[cell * by_cell + k * by_species];
            let electron = at.electron_temperature.map_or(NO_ELECTRON_T, |e| e[cell]);
            self.place(s, lane, at.temperature[cell], at.pressure[cell], electron, y);
            self.place_constants(s, lane, at.constants, cell);
            self.no_source(s, lane);
        }
    }

    /// Loads the cells `lo .. lo + count`, as many at a time as there are lanes, runs the program on them,
    /// and passes to `take` each cell's number, counted from `lo`, and its lane.
    ///
    /// # Safety
    /// As [`Wide::compute`].
    #[inline(always)]
    unsafe fn at_points(
        &mut self,
        s: &Shared,
        at: &Points<'_>,
        cells: (usize, usize),
        program: impl Fn(Lanes<'_, V, K>),
        mut take: impl FnMut(&Self, usize, usize),
    ) {
        let (_, count) = cells;
        for base in (0..count).step_by(Self::W) {
            self.seat_points(s, at, cells, base);
            // SAFETY: the caller's.
            unsafe { self.compute(s, &program) };
            (0..Self::W.min(count - base)).for_each(|lane| take(self, base + lane, lane));
        }
    }

    /// Properties of the cells from `lo` on; no heat release unless it is `wanted`.
    pub(crate) fn properties(&mut self, s: &Shared, at: &Points<'_>, lo: usize, out: &mut [Properties], wanted: bool) {
        let (plan, reactor, cells) = (&*s.plan, s.options.reactor, (lo, out.len()));
        let (y, f) = (s.stepper.y, s.stepper.f);
        let take = |me: &Self, i: usize, lane: usize| {
            let [cp, enthalpy, released] = [0, 1, 2].map(|i| me.get(f, i, lane));
            let heat_release = if wanted { released } else { f64::NAN };
            let molar_mass = me.get(y, plan.species + 1, lane).recip();
            let density = me.get(plan.cell.scalars.rho, 0, lane);
            out[i] = Properties { density, molar_mass, cp, enthalpy, heat_release };
        };
        // SAFETY: `rehearse` has run both programs.
        unsafe {
            self.at_points(
                s,
                at,
                cells,
                #[inline(always)]
                |m| reactor::properties(m, plan, reactor, y, f, wanted),
                take,
            );
        }
    }

    /// Enthalpies \[J/kg\] and heat capacities \[J/(kg K)\] of all species at the temperatures of the cells from `lo` on.
    pub(crate) fn species_properties(&mut self, s: &Shared, at: &Points<'_>, lo: usize, h: &mut [f64], cp: &mut [f64]) {
        let (plan, reactor, n) = (&*s.plan, s.options.reactor, s.plan.species);
        let (y, f, cells) = (s.stepper.y, s.stepper.f, (lo, h.len() / n));
        let (of_species, offset) = (&plan.thermo, plan.tables.get(plan.thermo.offset));
        let take = |me: &Self, i: usize, lane: usize| {
            let t = me.get(plan.cell.scalars.t, 0, lane);
            for k in 0..n {
                let specific = R / plan.molar_mass[k];
                h[i * n + k] = me.get(of_species.enthalpy, k, lane).mul_add(t, offset[k]) * specific;
                cp[i * n + k] = me.get(of_species.cp, k, lane) * specific;
            }
        };
        // SAFETY: `rehearse` has run this program.
        unsafe {
            self.at_points(
                s,
                at,
                cells,
                #[inline(always)]
                |m| reactor::properties(m, plan, reactor, y, f, false),
                take,
            );
        }
    }

    /// Temperatures at which the cells from `lo` on have these energies \[J/kg\].
    pub(crate) fn temperatures(&mut self, s: &Shared, at: &Points<'_>, lo: usize, energy: &[f64], out: &mut [f64]) {
        let (plan, reactor, cells) = (&*s.plan, s.options.reactor, (lo, out.len()));
        let (y, f) = (s.stepper.y, s.stepper.f);
        for base in (0..out.len()).step_by(Self::W) {
            self.seat_points(s, at, cells, base);
            let here = Self::W.min(out.len() - base);
            let mut searches: [Search; MOST] = std::array::from_fn(|lane| {
                let cell = base + lane.min(here - 1);
                Search::new(energy[cell], at.temperature[lo + cell])
            });
            let searches = &mut searches[..here];
            for _ in 0..TURNS {
                for (lane, search) in searches.iter().enumerate() {
                    self.set(y, plan.species, lane, search.t);
                }
                // SAFETY: `rehearse` has run this program.
                unsafe {
                    self.compute(
                        s,
                        #[inline(always)]
                        |m| conserve::energy_and_slope(m, plan, reactor, y, f),
                    );
                }
                for (lane, search) in searches.iter_mut().enumerate().filter(|(_, search)| search.open) {
                    search.step(self.get(f, 0, lane), self.get(f, 1, lane));
                }
                if searches.iter().all(|search| !search.open) {
                    break;
                }
            }
            out[base..].iter_mut().zip(searches).for_each(|(out, search)| *out = search.t);
        }
    }

    /// Forward and reverse rates of progress of the cells from `lo` on, in the order of the network's
    /// reactions.
    pub(crate) fn rates_of_progress(&mut self, s: &Shared, at: &Points<'_>, lo: usize, out: &mut [[f64; 2]]) {
        let (plan, reactor, y) = (&*s.plan, s.options.reactor, s.stepper.y);
        let reactions = plan.kinetics.place.len();
        let cells = (lo, out.len().checked_div(reactions).unwrap_or(0));
        let take = |me: &Self, i: usize, lane: usize| {
            let rates = plan.kinetics.both_ways(|a, i| me.get(a, i, lane));
            out[i * reactions..].iter_mut().zip(rates).for_each(|(out, q)| *out = q);
        };
        // SAFETY: `rehearse` has run this program.
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
    pub(crate) fn evaluate(
        &mut self,
        s: &Shared,
        at: &Points<'_>,
        lo: usize,
        wdot: &mut [f64],
        jac: Option<&mut [f64]>,
    ) {
        let (plan, reactor, n) = (&*s.plan, s.options.reactor, s.plan.species);
        let (y, f, cells) = (s.stepper.y, s.stepper.f, (lo, wdot.len() / n));
        let mut take_wdot = |me: &Self, i: usize, lane: usize| {
            wdot[i * n..(i + 1) * n].iter_mut().enumerate().for_each(|(k, out)| *out = me.get(plan.cell.wdot, k, lane));
        };
        let Some(jac) = jac else {
            // SAFETY: `rehearse` has run this program.
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
        // SAFETY: `rehearse` has run this program.
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
