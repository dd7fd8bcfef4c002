//! All steady states over a range of residence times, by continuation in the length of the curve.
//!
//! A steady state is f(v, λ) = 0 with λ = ln τ. Over τ the curve turns back where the flame goes out and where the gas
//! ignites; over its own length it never does. Each step goes along the tangent by a given length and comes back to the
//! curve by Newton's method on f and the length together (Keller 1977, `keller1977`):
//!
//! ```text
//! A u = f,  A w = ∂f/∂λ,  A = −∂f/∂v;     δv = u + w δλ
//! (ΔT/T₀)(δT/T₀) + Δλ δλ = what is missing to the length
//! ```

use super::{PsrError, StirredReactor, StirredState};
use crate::{Equilibrium, Pair};
use std::sync::atomic::{AtomicBool, Ordering};

/// A change of T that counts as much as a change of τ by a factor of e \[K\].
const UNIT: f64 = 100.0;
/// Steps along the curve: first, longest, shortest, and near a turn.
const FIRST: f64 = 0.05;
const LONGEST: f64 = 0.25;
const SHORTEST: f64 = 1e-7;
const AT_TURN: f64 = 0.01;
/// Newton steps that a step along the curve may take.
const NEWTON: usize = 8;
/// Points at most.
const POINTS: usize = 20_000;

/// Which part of the curve a point is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branch {
    /// Stable and hot.
    Burning,
    /// Between the turns; no reactor stays there.
    Unstable,
    /// Stable and cold.
    Extinguished,
}

impl Branch {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Burning => "burning",
            Self::Unstable => "unstable",
            Self::Extinguished => "extinguished",
        }
    }
}

/// A steady state of the curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    /// Residence time \[s\].
    pub tau: f64,
    /// The gas.
    pub state: StirredState,
    /// Where on the curve.
    pub branch: Branch,
    /// At one of the residence times asked for.
    pub asked: bool,
}

/// Where the curve turns back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// Residence time \[s\].
    pub tau: f64,
    /// T \[K\].
    pub temperature: f64,
}

/// The steady states over a range of residence times.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    /// Along the curve, from the burning end.
    pub points: Vec<CurvePoint>,
    /// Below this residence time no flame burns.
    pub extinction: Option<Turn>,
    /// Above this residence time the inflow ignites.
    pub ignition: Option<Turn>,
}

/// A point with its place along the curve.
#[derive(Clone)]
struct Place {
    v: Vec<f64>,
    lambda: f64,
    /// Tangent: dv/ds and dλ/ds.
    along: (Vec<f64>, f64),
}

impl StirredReactor {
    /// The curve of steady states between the residence times `range` \[s\]: from the burning state at the longer one
    /// through extinction and, where it comes back into the range, ignition; and the extinguished states from the
    /// shorter one on, if these are not on the same piece. At the residence times `asked` there are points exactly.
    ///
    /// # Errors
    /// [`PsrError`] if not even the burning state is found.
    pub fn curve(&mut self, range: [f64; 2], asked: &[f64], stop: &AtomicBool) -> Result<Curve, PsrError> {
        let burnt = self.burnt()?;
        let hot = self.steady(range[1], &burnt)?;
        let mut curve = Curve::default();
        self.follow(&hot, range[1], -1.0, range, asked, stop, &mut curve)?;
        let reached = curve.points.last().map(|p| p.branch);
        if reached != Some(Branch::Extinguished) {
            let inlet = self.inlet.clone();
            if let Ok(cold) = self.steady(range[0], &inlet)
                && curve.points.iter().all(|p| (p.state.temperature - cold.temperature).abs() > 1.0)
            {
                let mut other = Curve::default();
                self.follow(&cold, range[0], 1.0, range, asked, stop, &mut other)?;
                // Counted from this end, the first part is the extinguished one.
                let turns = (other.extinction, other.ignition);
                curve.ignition = curve.ignition.or(turns.0);
                curve.extinction = curve.extinction.or(turns.1);
                other.points.reverse();
                curve.points.extend(other.points.into_iter().map(|p| CurvePoint {
                    branch: match p.branch {
                        Branch::Burning => Branch::Extinguished,
                        Branch::Extinguished => Branch::Burning,
                        Branch::Unstable => Branch::Unstable,
                    },
                    ..p
                }));
            }
        }
        Ok(curve)
    }

    /// The adiabatic equilibrium of the inflow, or that at its temperature.
    pub fn burnt(&self) -> Result<StirredState, PsrError> {
        let (t, p) = (self.inlet.temperature, self.pressure);
        let isothermal = self.reactor == kinlane_solve::Reactor::FixedT;
        let pair = if isothermal { Pair::TP } else { Pair::HP };
        let mut y = self.inlet.y.clone();
        let found = Equilibrium::new(&self.mechanism).solve(pair, t, p, &mut y)?;
        Ok(StirredState { temperature: found.temperature, y })
    }

    /// Follows the curve from a steady state until it leaves the range.
    #[allow(clippy::too_many_arguments, reason = "each is a different thing of one walk")]
    fn follow(
        &mut self,
        start: &StirredState,
        tau: f64,
        direction: f64,
        range: [f64; 2],
        asked: &[f64],
        stop: &AtomicBool,
        curve: &mut Curve,
    ) -> Result<(), PsrError> {
        let (low, high) = (range[0].ln(), range[1].ln());
        let mut branch = Branch::Burning;
        let mut here = Place { v: self.variables(start), lambda: tau.ln(), along: (Vec::new(), 0.0) };
        here.along = self.tangent(&here.v, here.lambda, direction);
        self.push(&here, branch, asked.contains(&tau), curve);
        if let Some(first) = curve.points.last_mut() {
            first.tau = tau;
        }
        let mut step = FIRST;
        while curve.points.len() < POINTS {
            if stop.load(Ordering::Relaxed) {
                return Err(PsrError::Cancelled);
            }
            let Some((next, effort)) = self.step(&here, step) else {
                step *= 0.5;
                if step < SHORTEST {
                    return Ok(()); // as far as it goes
                }
                continue;
            };
            let turned = next.along.1 * here.along.1 < 0.0;
            if turned && step > AT_TURN {
                step = (step * 0.3).max(AT_TURN);
                continue;
            }
            self.exact(&here, &next, branch, asked, curve);
            if turned {
                let turn = self.turn(&here, &next);
                match branch {
                    Branch::Burning => (curve.extinction, branch) = (Some(turn), Branch::Unstable),
                    _ => (curve.ignition, branch) = (Some(turn), Branch::Extinguished),
                }
            }
            if !(low..=high).contains(&next.lambda) {
                return Ok(());
            }
            self.push(&next, branch, false, curve);
            here = next;
            step = (step * if effort < 4 { 1.4 } else { 0.8 }).min(LONGEST);
        }
        Ok(())
    }

    fn push(&self, at: &Place, branch: Branch, asked: bool, curve: &mut Curve) {
        let tau = at.lambda.exp();
        curve.points.push(CurvePoint { tau, state: self.state(&at.v), branch, asked });
    }

    fn temperature(&self, v: &[f64]) -> f64 {
        v.get(self.mechanism.species_count()).copied().unwrap_or(f64::NAN)
    }

    /// ∂f/∂λ at the state of the last evaluation: f is linear in 1/τ.
    fn by_lambda(&mut self, v: &[f64], f: &[f64], tau: f64) -> Vec<f64> {
        self.set_tau(tau / 2.0);
        self.write(self.work.y, v);
        let (y, out) = (self.work.y, self.work.f);
        self.run(|m, p, _| kinlane_solve::methods::Problem::rhs(&p, m, y, out));
        let doubled = self.read(out);
        self.set_tau(tau);
        f.iter().zip(doubled).map(|(f, g)| f - g).collect()
    }

    /// The tangent of unit length, with dλ/ds of the sign of `direction`.
    fn tangent(&mut self, v: &[f64], lambda: f64, direction: f64) -> (Vec<f64>, f64) {
        self.set_tau(lambda.exp());
        let (f, _) = self.direction(v, 0.0);
        let g = self.by_lambda(v, &f, lambda.exp());
        let w = self.again(&g);
        let t = self.temperature(&w) / UNIT;
        let scale = direction / (1.0 + t * t).sqrt();
        (w.iter().map(|w| w * scale).collect(), scale)
    }

    /// One step of length `s`; also how many Newton steps it took.
    fn step(&mut self, here: &Place, s: f64) -> Option<(Place, usize)> {
        let (dv, dl) = &here.along;
        let mut v = here.v.clone();
        self.add(&mut v, dv, s);
        let mut lambda = here.lambda + s * dl;
        let t0 = self.temperature(&here.v);
        let along_t = self.temperature(dv) / UNIT;
        for i in 1..=NEWTON {
            self.set_tau(lambda.exp());
            let (f, u) = self.direction(&v, 0.0);
            let g = self.by_lambda(&v, &f, lambda.exp());
            let w = self.again(&g);
            let missing = s - along_t * (self.temperature(&v) - t0) / UNIT - dl * (lambda - here.lambda);
            let by = along_t * self.temperature(&w) / UNIT + dl;
            let dlambda = (missing - along_t * self.temperature(&u) / UNIT) / by;
            let change: Vec<f64> = u.iter().zip(&w).map(|(u, w)| u + w * dlambda).collect();
            let size = self.size(&v, &change);
            if !size.is_finite() || !dlambda.is_finite() || dlambda.abs() > 1.0 {
                return None;
            }
            self.add(&mut v, &change, 1.0);
            lambda += dlambda;
            if size < 1.0 && dlambda.abs() < 1e-9 {
                let mut along = self.tangent(&v, lambda, 1.0);
                // On, not back.
                let on = along_t * self.temperature(&along.0) / UNIT + dl * along.1;
                if on < 0.0 {
                    along.0.iter_mut().for_each(|x| *x = -*x);
                    along.1 = -along.1;
                }
                // A sharp bend was cut short.
                return (on.abs() > 0.9).then_some((Place { v, lambda, along }, i));
            }
        }
        None
    }

    /// Adds the states at the residence times asked for between two points.
    fn exact(&mut self, from: &Place, to: &Place, branch: Branch, asked: &[f64], curve: &mut Curve) {
        let mut between: Vec<f64> = asked
            .iter()
            .copied()
            .filter(|tau| (from.lambda.min(to.lambda)..from.lambda.max(to.lambda)).contains(&tau.ln()))
            .filter(|tau| tau.ln() != from.lambda)
            .collect();
        between.sort_by(f64::total_cmp);
        if to.lambda < from.lambda {
            between.reverse();
        }
        for tau in between {
            let part = (tau.ln() - from.lambda) / (to.lambda - from.lambda);
            let mut v: Vec<f64> = from.v.iter().zip(&to.v).map(|(a, b)| a + part * (b - a)).collect();
            self.set_tau(tau);
            if self.newton(&mut v) {
                curve.points.push(CurvePoint { tau, state: self.state(&v), branch, asked: true });
            }
        }
    }

    /// Where dλ/ds vanishes between two points close to each other.
    fn turn(&self, from: &Place, to: &Place) -> Turn {
        let (a, b) = (from.along.1, to.along.1);
        let part = a / (a - b);
        // λ of the cubic through both points and slopes, over the length between them.
        let t = |p: &Place| self.temperature(&p.v);
        let length = ((t(to) - t(from)) / UNIT).hypot(to.lambda - from.lambda);
        let (p2, p3) = (part * part, part * part * part);
        let lambda = from.lambda * (2.0 * p3 - 3.0 * p2 + 1.0)
            + to.lambda * (3.0 * p2 - 2.0 * p3)
            + length * (a * (p3 - 2.0 * p2 + part) + b * (p3 - p2));
        Turn { tau: lambda.exp(), temperature: t(from) + part * (t(to) - t(from)) }
    }
}
