//! Steady states: over time until little changes, then Newton's method.

use super::transient::Course;
use super::{PsrError, StirredReactor, StirredState, require_times};
use kinlane_plan::Array;
use kinlane_solve::methods::problem::Linear;
use std::sync::atomic::AtomicBool;

/// Relative accuracy of every species and of T, and what mass fraction is nothing.
const RTOL: f64 = 1e-10;
const ATOL: f64 = 1e-18;
/// What rounding may leave of the accuracy, where the steps of Newton's method no longer become shorter.
const ROUNDED: f64 = 1e4;
/// Newton steps at most.
const NEWTON: usize = 30;
/// Largest change of T in one step \[K\].
const LIMIT: f64 = 100.0;
/// What of a pivot may be rounding.
const ROUNDING: f64 = 1e-12;
/// Residence times to integrate over before the first look; every further look comes after twice the time.
const FIRST: f64 = 10.0;
const LOOKS: i32 = 14;
/// Attempted steps from look to look.
const STEPS: u32 = 20_000;
/// Who has moved by less from look to look stays, even where nobody who came near would.
const STUCK: f64 = 1e-9;
/// A steady state so near is where time goes.
const NEAR: f64 = 0.05;

impl StirredReactor {
    /// The steady state at the residence time `tau` \[s\] that is reached from `start`: the burning one from a burnt
    /// gas, the extinguished one from the gas that flows in, as far as there are both.
    ///
    /// # Errors
    /// [`PsrError::Steady`], [`PsrError::Time`].
    ///
    /// # Panics
    /// If `start` has not one mass fraction for each species.
    pub fn steady(&mut self, tau: f64, start: &StirredState) -> Result<StirredState, PsrError> {
        require_times("residence time", &[tau])?;
        let v = self.variables(start);
        let v = self.settle(tau, v, &AtomicBool::new(false))?;
        Ok(self.state(&v))
    }

    /// As [`StirredReactor::steady`], of variables.
    ///
    /// Newton's method alone may go anywhere, to a state that no reactor stays in or that is reached from elsewhere. So
    /// it only ends what time begins.
    pub(super) fn settle(&mut self, tau: f64, mut v: Vec<f64>, stop: &AtomicBool) -> Result<Vec<f64>, PsrError> {
        for look in 0..LOOKS {
            let duration = tau * FIRST * 2f64.powi(look);
            let course = Course { duration, rtol: 1e-8, atol: 1e-14, steps: STEPS, stop };
            match self.integrate(tau, &v, &course, &mut |_, _| {}) {
                Err(PsrError::Transient { .. }) => break,
                done => done?,
            }
            let before = std::mem::replace(&mut v, self.read(self.work.y));
            let mut found = v.clone();
            self.add(&mut found, &[], 0.0);
            if self.newton(&mut found) && self.distance(&found, &v) < NEAR {
                if self.stable(&found) {
                    return Ok(found);
                }
                // Nothing grows of what is not there.
                if self.distance(&before, &v) < STUCK {
                    break;
                }
            }
        }
        Err(PsrError::Steady { tau })
    }

    /// Newton's method from `v`; on failure `v` is anything.
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

    /// Whether a reactor stays at a steady state: nothing that is absent grows, nor one disturbance of what is there, as between
    /// extinction and ignition, where det(1/τ − J) is negative.
    fn stable(&mut self, v: &[f64]) -> bool {
        self.linearise(v);
        let inverse = self.mechanism.plan().lu.factors.inverse;
        let odd = !self.read(inverse).iter().filter(|x| **x < 0.0).count().is_multiple_of(2);
        !odd && !self.awaits(v)
    }

    /// Whether at `v`, the state of the last [`StirredReactor::linearise`], species grow once there is a trace of them that
    /// are absent, for nothing makes them but they themselves.
    ///
    /// They have no part in other rows of their columns, and others none in theirs: 1/τ − J of them alone decides. Beside its
    /// diagonal nothing is above zero, for what is absent is not consumed; so no mode grows where, and only where, all pivots are
    /// above zero.
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

    /// f at `v`; leaves J there, and the factors of 1/τ − J.
    pub(super) fn linearise(&mut self, v: &[f64]) -> Vec<f64> {
        self.write(self.work.y, v);
        let (y, f) = (self.work.y, self.work.f);
        self.run(|m, p, _| {
            p.rhs_and_jacobian(m, y, f);
            p.factor(m, 0.0);
        });
        self.read(f)
    }

    /// (1/τ − J)⁻¹ times a vector, J being that of the last [`StirredReactor::linearise`].
    pub(super) fn solve(&mut self, right: &[f64]) -> Vec<f64> {
        let b: Array = self.work.y1;
        self.write(b, right);
        self.run(|m, p, _| p.solve(m, b));
        self.read(b)
    }

    /// Adds a part of a change. Below zero is nothing; sigma follows.
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

    /// Largest change, one being the accuracy wanted.
    pub(super) fn size(&self, v: &[f64], change: &[f64]) -> f64 {
        let n = self.mechanism.species_count();
        let unit = self.mechanism.molar_masses().map(|w| ATOL / w).chain([0.0]);
        let part = v.iter().zip(change).zip(unit).take(n + 1).map(|((v, c), least)| c.abs() / (RTOL * v.abs() + least));
        part.fold(0.0, |m: f64, x| if x.is_nan() { f64::INFINITY } else { m.max(x) })
    }

    /// Whether this can be a gas.
    fn sound(&self, v: &[f64]) -> bool {
        let n = self.mechanism.species_count();
        let mass: f64 = v.iter().zip(self.mechanism.molar_masses()).map(|(n, w)| n * w).sum();
        (mass - 1.0).abs() < 1e-6 && v.get(n).is_some_and(|t| (100.0..10_000.0).contains(t))
    }
}

/// Whether Newton's method has arrived, by the sizes of its step and of the one before.
pub(super) fn arrived(size: f64, last: f64) -> bool {
    size < 1.0 || size < ROUNDED && size > 0.5 * last
}
