//! What a step keeps in a gas cell: the sum of mass fractions, its elements, and its energy; and how noise below zero is forgiven.

use super::algebra::Algebra;
use super::measure::SHARE;
use super::problem::{FORGIVEN, Gas};
use super::stirred::Flow;
use super::{conserve, elements};
use crate::methods::control::Mask;
use crate::methods::problem::Invariants;
use kinlane_plan::machine::{Array, Machine, Real};

/// As much of everything together as is none of anything, whatever amounts are counted in.
const NOTHING: f64 = 1e-30;

impl<F, L> Gas<'_, F, L> {
    /// What the `i`-th active variable lacks to zero, if that is noise (less than `most` of its tolerance)
    /// and f brings more in a step h; else zero.
    #[inline(always)]
    fn debt<M: Machine>(&self, m: M, i: M::I, y: Array, f: Array, h: M::R, most: M::R) -> M::R {
        let (k, zero) = (m.index(self.plan.active, i), m.lit(0.0));
        let x = m.get(y, k);
        let noise = M::R::and(x.lt(zero), (-x).lt(m.real(self.plan.tolerance, i) * most));
        M::R::select(M::R::and(noise, (-x).lt(m.get(f, k) * h)), -x, zero)
    }
}

impl<M: Machine, F: Flow<M>, L: Algebra<M>> Invariants<M> for Gas<'_, F, L> {
    #[inline(always)]
    fn restore_sums(&self, m: M, y: Array, y1: Array, h: M::R) -> M::R {
        let (n, active, fraction) = (self.plan.species, self.plan.active, self.plan.fraction);
        if !self.plan.conserving {
            return m.lit(0.0);
        }
        // Restores the sum of mass fractions: what was gained is taken from all that react, in proportion to
        // their amounts.
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
        if !self.plan.given {
            // All mass fractions sum to one, also where hardly anything reacts.
            return gained.abs();
        }
        let size = m.sum(
            active.len as usize,
            #[inline(always)]
            |i| (m.real(fraction, i) * m.get(y1, m.index(active, i))).abs(),
        );
        gained.abs() / size.max(m.var(self.plan.cell.parameter)).max(m.lit(NOTHING))
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
    fn remember(&self, m: M, y: Array) {
        // An open reactor conserves nothing.
        if self.flow.rate(m).is_none() {
            conserve::remember(m, self.plan, self.reactor, y);
            elements::remember(m, self.plan, y);
        }
    }
    #[inline(always)]
    fn energy_lost(&self, m: M, y: Array, y1: Array, h: M::R, rtol: M::R) -> [M::R; 2] {
        if self.flow.rate(m).is_some() {
            return [m.lit(0.0); 2];
        }
        let [lost, moved] = conserve::lost(m, self.plan, self.reactor, y, y1, h);
        [lost / rtol * m.lit(SHARE), moved / rtol * m.lit(SHARE)]
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
    fn keep(&self, m: M, y: Array, h: M::R, accepted: Mask<M>, corrected: Mask<M>) {
        if self.flow.rate(m).is_none() {
            elements::keep(
                m,
                self.plan,
                y,
                h,
                accepted,
                #[inline(always)]
                |restored| conserve::lost_anew(m, self.plan, self.reactor, y, h, restored),
            );
            conserve::keep(m, self.plan, self.reactor, y, h, accepted, corrected);
        }
    }
}
