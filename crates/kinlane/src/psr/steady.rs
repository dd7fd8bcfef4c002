//! Steady states: Newton's method, and implicit time steps where it does not converge.

use super::{PsrError, StirredReactor, StirredState};
use kinlane_plan::{Array, Machine};
use kinlane_solve::methods::Problem;

/// Relative accuracy of every species and of T, and what mass fraction is nothing.
const RTOL: f64 = 1e-10;
const ATOL: f64 = 1e-18;
/// Newton steps at most.
const NEWTON: usize = 30;
/// Implicit time steps at most.
const STEPS: usize = 2000;
/// Largest change of T in one step \[K\].
const LIMIT: f64 = 100.0;

impl StirredReactor {
    /// The steady state at the residence time `tau` \[s\] that is reached from `start`: the burning one from a burnt
    /// gas, the extinguished one from the gas that flows in, as far as there are both.
    ///
    /// # Errors
    /// [`PsrError::Steady`].
    pub fn steady(&mut self, tau: f64, start: &StirredState) -> Result<StirredState, PsrError> {
        self.set_tau(tau);
        let mut v = self.variables(start);
        if !self.newton(&mut v) {
            v = self.variables(start);
            self.relax(&mut v, tau)?;
        }
        Ok(self.state(&v))
    }

    /// Newton's method from `v`; on failure `v` is anything.
    pub(super) fn newton(&mut self, v: &mut [f64]) -> bool {
        let mut last = f64::INFINITY;
        for i in 0..NEWTON {
            let (_, change) = self.direction(v, 0.0);
            let size = self.size(v, &change);
            if !size.is_finite() || i > 3 && size > 10.0 * last {
                return false;
            }
            last = size;
            self.add(v, &change, 1.0);
            if size < 1.0 {
                return v.iter().all(|x| x.is_finite()) && self.sound(v);
            }
        }
        false
    }

    /// f, and the Newton step (1/τ + d − J)⁻¹ f at `v`; d = 1/h makes it an implicit time step of h.
    pub(super) fn direction(&mut self, v: &[f64], d: f64) -> (Vec<f64>, Vec<f64>) {
        self.write(self.work.y, v);
        let (y, f, b) = (self.work.y, self.work.f, self.work.y1);
        self.run(|m, p, _| {
            p.rhs_and_jacobian(m, y, f);
            p.factor(m, d);
            (0..v.len()).for_each(|i| m.put(b, i, m.get(f, i)));
            p.solve(m, b);
        });
        (self.read(f), self.read(b))
    }

    /// Solves with the matrix of the last [`StirredReactor::direction`].
    pub(super) fn again(&mut self, right: &[f64]) -> Vec<f64> {
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

    /// Implicit Euler steps that grow until they are Newton's: it goes where time would go.
    fn relax(&mut self, v: &mut Vec<f64>, tau: f64) -> Result<(), PsrError> {
        let mut h = tau * 1e-4;
        for _ in 0..STEPS {
            let (_, change) = self.direction(v, 1.0 / h);
            let n = self.mechanism.species_count();
            let t = change.get(n).copied().unwrap_or(f64::NAN).abs();
            if !t.is_finite() || t > LIMIT {
                h *= 0.25;
                if h < tau * 1e-14 {
                    break;
                }
                continue;
            }
            let before = v.clone();
            self.add(v, &change, 1.0);
            if !self.sound(v) {
                *v = before;
                h *= 0.25;
                continue;
            }
            // Small changes allow longer steps.
            h *= if t < 0.1 * LIMIT { 2.0 } else { 1.0 };
            if h > 100.0 * tau && t < 1.0 {
                let mut trial = v.clone();
                if self.newton(&mut trial) {
                    *v = trial;
                    return Ok(());
                }
                h = tau;
            }
        }
        Err(PsrError::Steady { tau })
    }
}
