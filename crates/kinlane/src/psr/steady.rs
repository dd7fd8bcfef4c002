//! Steady states: first integration over time until little changes, then Newton's method.

use super::curve::{APART, Branch};
use super::transient::Course;
use super::{PsrError, StirredReactor, StirredState, require_times};
use crate::TEMPERATURES;
use kinlane_plan::Array;
use kinlane_solve::methods::problem::Linear;
use std::sync::atomic::AtomicBool;

/// Relative accuracy of every species and of T; and the mass fraction below which a species does not count.
const RTOL: f64 = 1e-10;
const ATOL: f64 = 1e-18;
/// Accuracy, in units of the one wanted, that is accepted because of rounding once Newton steps no longer
/// shrink.
const ROUNDED: f64 = 1e4;
/// Newton steps at most.
const NEWTON: usize = 30;
/// Largest change of T in one step \[K\].
const LIMIT: f64 = 100.0;
/// Smaller parts of a pivot may be rounding.
const ROUNDING: f64 = 1e-12;
/// Residence times to integrate over before Newton's method is tried; before each further try, twice as many.
const FIRST: f64 = 10.0;
/// A gas that has moved by less than this between two tries stays where it is, even if the state is unstable.
const STUCK: f64 = 1e-9;
/// How far a state may be beside the line through those at twice and four times its residence time where the curve counts as
/// straight in 1/τ: 10 mK. What is extrapolated from there errs by a third of it at most.
const STRAIGHT: f64 = 1e-4;
/// A steady state within this distance is the one that integration over time leads to.
const NEAR: f64 = 0.05;

/// How long a state is integrated towards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// Number of tries.
    looks: i32,
    /// Attempted steps between two tries.
    steps: u32,
}

/// Until it is clear that the reactor does not come to rest.
pub(super) const PATIENT: Patience = Patience { looks: 14, steps: 4_000 };
/// As long as a flame that only settles needs; one that oscillates needs far more steps.
pub(super) const BRIEF: Patience = Patience { looks: 3, steps: 1_000 };

impl StirredReactor {
    /// The steady state at the residence time `tau` \[s\] that is reached from `start`: the burning one from
    /// burnt gas, the extinguished one from the inflow, if both exist.
    ///
    /// # Errors
    /// [`PsrError::Steady`], [`PsrError::Time`].
    ///
    /// # Panics
    /// If `start` does not have one mass fraction for each species.
    pub fn steady(&mut self, tau: f64, start: &StirredState) -> Result<StirredState, PsrError> {
        require_times("residence time", &[tau])?;
        let v = self.variables(start);
        let v = self.settle(tau, v, PATIENT, &AtomicBool::new(false))?;
        Ok(self.state(&v))
    }

    /// As [`StirredReactor::steady`], for variables.
    ///
    /// Newton's method alone may lead anywhere: to a state at which no reactor stays, or that is reached from
    /// elsewhere. So it only completes what integration over time has begun.
    pub(super) fn settle(
        &mut self,
        tau: f64,
        mut v: Vec<f64>,
        patience: Patience,
        stop: &AtomicBool,
    ) -> Result<Vec<f64>, PsrError> {
        for look in 0..patience.looks {
            let duration = tau * FIRST * 2f64.powi(look);
            let course = Course { duration, rtol: 1e-8, atol: 1e-14, steps: patience.steps, stop };
            match self.integrate(tau, &v, &course, &mut |_, _| {}) {
                Err(PsrError::Transient { .. }) => break,
                done => done?,
            }
            let before = std::mem::replace(&mut v, self.read(self.work.y));
            if tau > self.longest {
                let beside = self.beside_equilibrium(stop).map(|beside| beside(tau));
                if let Some(beside) = beside.filter(|beside| self.distance(beside, &v) < NEAR) {
                    return Ok(beside);
                }
                self.set_tau(tau);
            }
            let mut found = v.clone();
            self.add(&mut found, &[], 0.0);
            if self.newton(&mut found) && self.distance(&found, &v) < NEAR {
                if self.stable(&found) {
                    return Ok(found);
                }
                // Unstable, but only by absent species, which do not grow from nothing: more time would
                // change nothing.
                if self.distance(&before, &v) < STUCK {
                    break;
                }
            }
        }
        Err(self.without_state(tau))
    }

    /// The burning state by residence time \[s\] from `longest` on, where what flows is lost in the rounding of rates. It is as much
    /// nearer to that at infinite time as the time is longer, v(τ) = v∞ + v₁/τ: from two shorter times. None if this is not so
    /// yet, as a third one shows.
    pub(super) fn beside_equilibrium(&mut self, stop: &AtomicBool) -> Option<impl Fn(f64) -> Vec<f64> + use<>> {
        let burnt = self.variables(self.burnt.as_ref().ok()?);
        let mut v = burnt.clone();
        self.set_tau(self.longest);
        // Whether it is stable, pivots of which the smallest are rounding do not tell.
        if !(self.newton(&mut v) && self.distance(&v, &burnt) < APART) {
            // Where reactions have no reverse it may be far from equilibrium.
            v = self.settle(self.longest, burnt, BRIEF, stop).ok()?;
            if self.branch(&v) != Branch::Burning {
                return None;
            }
        }
        let longest = self.longest;
        let [mut half, mut quarter] = [v.clone(), v.clone()];
        for (part, shorter) in [(0.5, &mut half), (0.25, &mut quarter)] {
            self.set_tau(part * longest);
            if !self.newton(shorter) {
                return None;
            }
        }
        let beside = move |tau: f64| {
            let part = longest / tau - 1.0;
            v.iter().zip(&half).map(|(v, half)| part.mul_add(half - v, *v)).collect::<Vec<f64>>()
        };
        (self.distance(&beside(0.25 * longest), &quarter) < STRAIGHT).then_some(beside)
    }

    /// Newton's method from `v`; on failure `v` is arbitrary.
    pub(super) fn newton(&mut self, v: &mut [f64]) -> bool {
        let mut last = f64::INFINITY;
        for i in 0..NEWTON {
            let f = self.linearise(v);
            let change = self.solve(&f);
            let size = self.size(v, &change);
            if !size.is_finite() || i > 3 && size > 10.0 * last {
                return false;
            }
            self.add(v, &change, 1.0);
            if arrived(size, last) {
                return v.iter().all(|x| x.is_finite()) && self.sound(v);
            }
            last = size;
        }
        false
    }

    /// Whether a reactor stays at a steady state: no absent species would grow from a trace, and no single
    /// disturbance of the others grows, as it does between extinction and ignition, where det(1/τ − J) is
    /// negative.
    pub(super) fn stable(&mut self, v: &[f64]) -> bool {
        self.linearise(v);
        let inverse = self.mechanism.plan().lu.factors.inverse;
        let odd = !self.read(inverse).iter().filter(|x| **x < 0.0).count().is_multiple_of(2);
        !odd && !self.awaits(v)
    }

    /// Whether at `v`, the state of the last [`StirredReactor::linearise`], absent species would grow once
    /// there is a trace of them. They are absent because only they themselves make them.
    ///
    /// In J no other species has entries in the rows of the absent ones, so 1/τ − J restricted to them
    /// decides. Its off-diagonal entries are not above zero, because what is absent is not consumed; so no
    /// mode grows if and only if all pivots are above zero.
    pub(super) fn awaits(&mut self, v: &[f64]) -> bool {
        let plan = self.mechanism.plan().clone();
        let (j, n) = (&plan.jacobian, plan.species);
        let (values, rate) = (self.read(j.values), self.read(self.inflow.rate));
        let absent: Vec<usize> = (0..n).filter(|&k| v.get(k) == Some(&0.0)).collect();
        let place = |k: usize| absent.binary_search(&k).ok();
        let (ptr, rows) = (plan.tables.list(j.row_ptr), plan.tables.list(j.rows));
        let mut w = vec![vec![0.0; absent.len()]; absent.len()];
        for (row, &k) in w.iter_mut().zip(&absent) {
            let entries = rows.chunks_exact(2).take(ptr[k + 1] as usize).skip(ptr[k] as usize);
            for (value, column) in entries.filter_map(|e| Some((values[e[0] as usize], place(e[1] as usize)?))) {
                row[column] -= value;
            }
        }
        let mut size = vec![0.0; w.len()];
        for (i, (row, size)) in w.iter_mut().zip(&mut size).enumerate() {
            row[i] += rate.first().copied().unwrap_or_default();
            *size = row[i].abs();
        }
        for i in 0..w.len() {
            let (done, rest) = w.split_at_mut(i + 1);
            let (pivot, least) = (&done[i], ROUNDING * size[i]);
            if pivot[i] < -least {
                return true;
            }
            for row in rest {
                let part = row[i] / pivot[i].max(least);
                row.iter_mut().zip(pivot).skip(i).for_each(|(x, p)| *x -= part * p);
            }
        }
        false
    }

    /// f at `v`; evaluates J there, and factors 1/τ − J.
    pub(super) fn linearise(&mut self, v: &[f64]) -> Vec<f64> {
        self.write(self.work.y, v);
        let (y, f) = (self.work.y, self.work.f);
        self.run(|m, p, _| {
            p.rhs_and_jacobian(m, y, f);
            p.factor(m, 0.0);
        });
        self.read(f)
    }

    /// (1/τ − J)⁻¹ times a vector, with the J of the last [`StirredReactor::linearise`].
    pub(super) fn solve(&mut self, right: &[f64]) -> Vec<f64> {
        let b: Array = self.work.y1;
        self.write(b, right);
        self.run(|m, p, _| p.solve(m, b));
        self.read(b)
    }

    /// Adds a part of a change to `v`. Species below zero are set to zero, and sigma is recomputed.
    pub(super) fn add(&self, v: &mut [f64], change: &[f64], part: f64) {
        let n = self.mechanism.species_count();
        let t = change.get(n).map_or(0.0, |t| t.abs());
        let part = if part * t > LIMIT { LIMIT / t } else { part };
        v.iter_mut().zip(change).for_each(|(v, c)| *v += part * c);
        v.iter_mut().take(n).for_each(|v| *v = v.max(0.0));
        let sigma = v.iter().take(n).sum();
        if let Some(last) = v.get_mut(n + 1) {
            *last = sigma;
        }
    }

    /// Largest component of a change, in units of the accuracy wanted.
    pub(super) fn size(&self, v: &[f64], change: &[f64]) -> f64 {
        let n = self.mechanism.species_count();
        let unit = self.mechanism.molar_masses().map(|w| ATOL / w).chain([0.0]);
        let part = v.iter().zip(change).zip(unit).take(n + 1).map(|((v, c), least)| c.abs() / (RTOL * v.abs() + least));
        part.fold(0.0, |m: f64, x| if x.is_nan() { f64::INFINITY } else { m.max(x) })
    }

    /// Whether `v` can be the state of a gas.
    fn sound(&self, v: &[f64]) -> bool {
        let n = self.mechanism.species_count();
        let mass: f64 = v.iter().zip(self.mechanism.molar_masses()).map(|(n, w)| n * w).sum();
        (mass - 1.0).abs() < 1e-6 && v.get(n).is_some_and(|t| TEMPERATURES.contains(t))
    }
}

/// Whether Newton's method has converged, by the sizes of its last step and of the one before.
pub(super) fn arrived(size: f64, last: f64) -> bool {
    size < 1.0 || size < ROUNDED && size > 0.5 * last
}
