//! How large the error of a step is in a gas cell.

use super::algebra::Algebra;
use super::problem::Gas;
use super::reactor::is_drained;
use super::stirred::Flow;
use crate::methods::problem::{Allowance, Measure};
use kinlane_plan::machine::{Array, Machine, Real};

/// The error of a step is this part of the largest scaled error of any variable. The root mean square, which
/// is usual elsewhere, hides one species that is far off among a hundred that are at rest: at equal work the
/// norm used here gives a three times smaller error of the worst species (see
/// `docs/decisions/0003-error-norm.md`). Why one quarter: `docs/decisions/0017-what-a-step-may-err.md`.
pub(super) const SHARE: f64 = 0.25;

/// Factor on the absolute tolerance in a single step. A trace from which all other traces are made passes its
/// error on to them; with a thousandth, cells end within their tolerances, and take a twentieth more steps
/// (see `docs/decisions/0017-what-a-step-may-err.md`).
const TRACE: f64 = 1e-3;

/// No step may bring a mass fraction further below zero than this plus ten times the absolute tolerance. A
/// mass fraction that begins below zero may stay where it is; and what a source takes from an absent species
/// may be taken, but no more.
const NEGATIVE: f64 = 1e-9;

/// A mass fraction that is below zero by more than this plus a hundred times what one step may fall has run
/// away. This is twice the depth at which initial mass fractions are accepted.
const DEEPEST: f64 = 2e-6;

/// Replaces a NaN, which compares false with everything, by the largest number, so that a maximum keeps it.
#[inline(always)]
fn known<M: Machine>(m: M, x: M::R) -> M::R {
    M::R::select(x.le(m.lit(f64::MAX)), x, m.lit(f64::MAX))
}

impl<F, L> Gas<'_, F, L> {
    /// The error `e` of the `i`-th active variable, relative to what the tolerances allow in one step.
    #[inline(always)]
    pub fn scaled<M: Machine>(&self, m: M, i: M::I, y1: Array, rtol: M::R, atol: M::R, e: M::R) -> M::R {
        let k = m.index(self.plan.active, i);
        // Relative to `y1`: a species that falls a hundredfold in a step is judged by what is left of it.
        (e / rtol.mul_add(m.get(y1, k).abs(), m.real(self.plan.tolerance, i) * atol * m.lit(TRACE))).abs()
    }

    /// The variable with the largest scaled error, a species index or the number of species for T, from the errors of
    /// the active variables. A NaN is the largest.
    pub fn worst(&self, scaled: impl Fn(usize) -> f64) -> u32 {
        let active = self.plan.tables.list(self.plan.active);
        let size = |i: usize| Some(scaled(i)).filter(|x| !x.is_nan()).unwrap_or(f64::INFINITY);
        (0..active.len()).max_by(|&a, &b| size(a).total_cmp(&size(b))).map_or(0, |i| active[i])
    }
}

impl<M: Machine, F: Flow<M>, L: Algebra<M>> Measure<M> for Gas<'_, F, L> {
    #[inline(always)]
    fn norm(&self, m: M, y: Array, y1: Array, allowed: Allowance<M::R>, e: impl Fn(M::I) -> M::R) -> M::R {
        let Allowance { h, span, rtol, atol } = allowed;
        let (active, fraction, table) = (self.plan.active, self.plan.fraction, self.plan.drained);
        let limit = atol.mul_add(m.lit(10.0), self.of_all(m, NEGATIVE));
        let below = -(limit * m.lit(SHARE)).recip();
        let bottom = -limit.mul_add(m.lit(100.0), self.of_all(m, DEEPEST));
        let worst = m.fold(
            m.i(0),
            m.i(active.len as usize),
            m.lit(0.0),
            #[inline(always)]
            |worst, i| {
                let k = m.index(active, i);
                let x = self.scaled(m, i, y1, rtol, atol, e(k));
                // A step in which a species falls far below zero is rejected, since nothing would bring it
                // back; nor may it get there in many steps.
                let (w, to) = (m.real(fraction, i), m.get(y1, k));
                // What a source takes does not count as a fall.
                let (zero, taken) = (m.lit(0.0), m.get(self.plan.cell.source, k).min(m.lit(0.0)));
                let fall = (-h).mul_add(taken, to - m.get(y, k).min(zero));
                let lost = M::R::and((w * (-span).mul_add(taken, to)).lt(bottom), fall.lt(zero));
                let under = M::R::select(lost, m.lit(2.0 / SHARE), w * fall * below);
                let under = is_drained(m, table, k).map_or(under, |yes| M::R::select(yes, zero, under));
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
        // Variables that no reaction changes have no error, but they need a weight.
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
