//! The laminar flamelet: a diffusion flame over the mixture fraction z, from the oxidizer (z = 0) to the fuel (z = 1).
//!
//! Species and enthalpy diffuse alike (Lewis numbers of one), at constant pressure (Peters 1984; Sewerin & Rigopoulos 2015):
//!
//! ```text
//! ∂Y/∂t = χ(z)/2 ∂²Y/∂z² + W wdot/rho,   h(z) linear,   χ(z) = χ_st f(z)/f(z_st),   f(z) = exp(−2 [erf⁻¹(1 − 2 z)]²)
//! ```
//!
//! A step Δt first takes diffusion implicitly, with the reaction rates r of the step before; what comes out of that is the
//! source of species with which every point then reacts:
//!
//! ```text
//! (1 − Δt L) δ = Δt (L Y + r),   s = L (Y + δ),   dY/dt = s + W wdot/rho over Δt,   r := ΔY/Δt − s
//! ```
//!
//! At rest δ is zero and s is L Y, so that a steady flame does not depend on Δt, as it would if diffusion and reaction took turns.

use crate::psr::StirredState;
use crate::{
    Advance, BatchError, Cells, Equilibrium, EquilibriumError, Layout, Mechanism, Outcome, Pair, Points, Properties,
};
use crate::{Reactor, Report, Source, States};

/// A flamelet to be made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlameletSetup {
    /// Number of points between oxidizer and fuel.
    pub points: usize,
    /// Stoichiometric mixture fraction: half of the points lie below twice of it.
    pub stoichiometric: f64,
    /// Scalar dissipation rate there \[1/s\].
    pub chi: f64,
    /// Length of a step \[s\].
    pub step: f64,
}

/// A step is this part of the time z_st²/χ_st in which the flame diffuses over its own width, if nothing else is wished.
const STEP: f64 = 0.05;

impl FlameletSetup {
    /// A setup with the usual length of a step.
    pub fn new(points: usize, stoichiometric: f64, chi: f64) -> Self {
        Self { points, stoichiometric, chi, step: STEP * stoichiometric * stoichiometric / chi }
    }

    fn check(&self) -> Result<(), FlameletError> {
        let good = |x: f64, most: f64| x > 0.0 && x < most;
        for (what, value, most) in [
            ("stoichiometric mixture fraction", self.stoichiometric, 1.0),
            ("scalar dissipation rate", self.chi, f64::INFINITY),
            ("step", self.step, f64::INFINITY),
            ("number of points", self.points as f64, MOST_POINTS),
        ] {
            if !good(value, most) {
                return Err(FlameletError::Setup { what, value, most });
            }
        }
        Ok(())
    }
}

/// More points than any flame needs.
const MOST_POINTS: f64 = 1e7;

/// Why there is no flamelet.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlameletError {
    /// A number of the setup is out of its range.
    #[error("the {what} is {value}; it must be positive{}", if .most.is_finite() { format!(" and below {most}") } else { String::new() })]
    Setup {
        /// Which.
        what: &'static str,
        /// As given.
        value: f64,
        /// What it must be below.
        most: f64,
    },
    /// The solver is not for constant pressure and enthalpy.
    #[error("a flamelet needs a solver for constant pressure")]
    Reactor,
    /// The mixture at a point has no equilibrium to start from.
    #[error("at mixture fraction {z:.4}: {fault}")]
    Equilibrium {
        /// The mixture fraction.
        z: f64,
        /// Why not.
        fault: EquilibriumError,
    },
    /// The mixture at a point has no temperature of the mixed enthalpy.
    #[error(
        "at mixture fraction {z:.4} the mixture of oxidizer at {} K and fuel at {} K has their enthalpy at no temperature",
        sides[0], sides[1]
    )]
    Temperature {
        /// The mixture fraction.
        z: f64,
        /// Temperatures of oxidizer and fuel \[K\].
        sides: [f64; 2],
    },
    /// A state is no gas, or the solver cannot work.
    #[error(transparent)]
    Batch(#[from] BatchError),
}

/// The gas between oxidizer and fuel at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kindling {
    /// In equilibrium, at the enthalpy of the mixture.
    Burnt,
    /// Mixed, and not yet burnt.
    Mixed,
}

/// A flamelet.
///
/// ```
/// use kinlane::{Advance, Flamelet, FlameletSetup, Kindling, Mechanism, StirredState};
///
/// let mechanism = Mechanism::bundled("h2")?;
/// let gas = |moles: &[(&str, f64)]| {
///     Ok::<_, kinlane::BatchError>(StirredState { temperature: 300.0, y: mechanism.mass_fractions_of_moles(moles)? })
/// };
/// let (air, fuel) = (gas(&[("O2", 1.0), ("N2", 3.76)])?, gas(&[("H2", 1.0), ("N2", 1.0)])?);
/// let solver = Advance::builder(&mechanism).threads(1).plan()?;
/// let setup = FlameletSetup::new(20, 0.3, 10.0);
/// let mut flame = Flamelet::new(solver, [&air, &fuel], 101_325.0, setup, Kindling::Burnt)?;
/// for _ in 0..10 {
///     assert_eq!(flame.step()?.failed, 0);
/// }
/// assert!(flame.temperature().iter().any(|t| *t > 1500.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Flamelet {
    solver: Advance,
    setup: FlameletSetup,
    /// Mixture fractions, from that of the oxidizer, 0, to that of the fuel, 1.
    z: Vec<f64>,
    /// Scalar dissipation rates there \[1/s\].
    chi: Vec<f64>,
    diffusion: Diffusion,
    /// Mass fractions of oxidizer and fuel.
    ends: [Vec<f64>; 2],
    temperature: Vec<f64>,
    pressure: Vec<f64>,
    y: Vec<f64>,
    outcome: Vec<Outcome>,
    /// Change of mass fractions by reaction in the last step \[1/s\].
    reaction: Vec<f64>,
    /// Specific enthalpies of the mixture \[J/kg\].
    enthalpy: Vec<f64>,
    /// Work arrays: δ, the source, the state before a step, its temperatures, corrected ones; no heating.
    delta: Vec<f64>,
    source: Vec<f64>,
    before: Vec<f64>,
    before_t: Vec<f64>,
    warm: Vec<f64>,
    heating: Vec<f64>,
    time: f64,
    unrest: Unrest,
}

/// How much changed in the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unrest {
    /// Largest rate of change of T at a point \[K/s\].
    pub temperature: f64,
    /// Largest rate of change of a mass fraction at a point, over the largest mass fraction of this species anywhere \[1/s\]. While
    /// a mixture waits for its ignition T does not move, but radicals grow, from the absolute tolerance on. What vanishes, as in a
    /// flame that has gone out, need not be waited for below a mass fraction of 1e-6.
    pub species: f64,
}

/// Least mass fraction whose decay counts.
const TRACE: f64 = 1e-6;

impl Unrest {
    const UNKNOWN: Self = Self { temperature: f64::INFINITY, species: f64::INFINITY };
}

/// A flame is at rest if in the time 1/χ T changes by less than this \[K\], and every species by less than this part.
const REST: f64 = 0.01;

impl Flamelet {
    /// A flamelet between oxidizer and fuel, at a pressure \[Pa\].
    ///
    /// # Errors
    /// Any [`FlameletError`].
    pub fn new(
        mut solver: Advance,
        [oxidizer, fuel]: [&StirredState; 2],
        pressure: f64,
        setup: FlameletSetup,
        start: Kindling,
    ) -> Result<Self, FlameletError> {
        setup.check()?;
        if solver.options().reactor != Reactor::ConstP {
            return Err(FlameletError::Reactor);
        }
        let (n, mechanism) = (setup.points, solver.mechanism().clone());
        let both = [oxidizer, fuel];
        let temperatures = both.iter().map(|s| s.temperature).collect();
        let y = both.iter().flat_map(|s| s.y.iter().copied()).collect();
        let given = States::new(&mechanism, temperatures, vec![pressure; 2], y)?;
        let mut gas = [Properties::default(); 2];
        solver.thermodynamics(given.points(), &mut gas)?;
        let ends = [0, 1].map(|i| given.y_of(i).to_vec());

        let z = grid(n, setup.stoichiometric);
        let along = |z: f64, [a, b]: [f64; 2]| (1.0 - z) * a + z * b;
        let inner = &z[1..=n];
        let y =
            inner.iter().flat_map(|&z| ends[0].iter().zip(&ends[1]).map(move |(a, b)| along(z, [*a, *b]))).collect();
        let enthalpy: Vec<f64> = inner.iter().map(|&z| along(z, gas.map(|g| g.enthalpy))).collect();
        let guess = inner.iter().map(|&z| along(z, both.map(|s| s.temperature))).collect();
        let mixed = States::new(&mechanism, guess, vec![pressure; n], y)?;
        let mut temperature = vec![0.0; n];
        solver.temperatures(mixed.points(), &enthalpy, &mut temperature)?;
        if let Some(i) = temperature.iter().position(|t| t.is_nan()) {
            return Err(FlameletError::Temperature { z: inner[i], sides: both.map(|s| s.temperature) });
        }
        let mut y = mixed.y().to_vec();
        if start == Kindling::Burnt {
            kindle(&mechanism, inner, pressure, &mut temperature, &mut y)?;
        }
        let chi = dissipation(&z, setup);
        let size = y.len();
        Ok(Self {
            solver,
            setup,
            diffusion: Diffusion::new(&z, &chi, setup.step),
            z,
            chi,
            ends,
            temperature,
            pressure: vec![pressure; n],
            y,
            outcome: vec![Outcome::default(); n],
            reaction: vec![0.0; size],
            delta: vec![0.0; size],
            source: vec![0.0; size],
            before: vec![0.0; size],
            before_t: vec![0.0; n],
            warm: vec![0.0; n],
            enthalpy,
            heating: vec![0.0; n],
            time: 0.0,
            unrest: Unrest::UNKNOWN,
        })
    }

    /// Goes on with another scalar dissipation rate \[1/s\] at the stoichiometric mixture fraction, in steps of another length
    /// \[s\].
    ///
    /// # Errors
    /// [`FlameletError::Setup`].
    pub fn set_chi(&mut self, chi: f64, step: f64) -> Result<(), FlameletError> {
        let setup = FlameletSetup { chi, step, ..self.setup };
        setup.check()?;
        self.setup = setup;
        self.chi = dissipation(&self.z, setup);
        self.diffusion = Diffusion::new(&self.z, &self.chi, step);
        self.unrest = Unrest::UNKNOWN;
        Ok(())
    }

    /// What the flame was made with, and has been set to since.
    pub fn setup(&self) -> FlameletSetup {
        self.setup
    }

    /// Goes on by a step. A point that cannot be advanced keeps its state, and the report counts it.
    ///
    /// # Errors
    /// [`FlameletError::Batch`].
    pub fn step(&mut self) -> Result<Report, FlameletError> {
        let (dt, k) = (self.setup.step, self.ends[0].len());
        self.before.copy_from_slice(&self.y);
        self.before_t.copy_from_slice(&self.temperature);
        self.diffusion.apply(&self.y, &self.ends, &mut self.source);
        for ((delta, source), reaction) in self.delta.iter_mut().zip(&self.source).zip(&self.reaction) {
            *delta = dt * (source + reaction);
        }
        self.diffusion.solve(&mut self.delta, k);
        self.delta.iter_mut().zip(&self.y).for_each(|(delta, y)| *delta += y);
        self.diffusion.apply(&self.delta, &self.ends, &mut self.source);

        let (t, p) = (&mut self.temperature, &mut self.pressure);
        let mut cells = Cells::new(t, p, &mut self.y, Layout::CellMajor, &mut self.outcome);
        cells.source = Some(Source { dydt: &self.source, heating: &self.heating });
        let report = self.solver.advance(cells, dt)?;
        let mut changed = false;
        self.y.chunks_exact_mut(k).for_each(|y| changed |= forgive(y));
        if changed {
            // Enthalpy stays that of the mixture.
            let points = Points::new(&self.temperature, &self.pressure, &self.y, Layout::CellMajor);
            self.solver.temperatures(points, &self.enthalpy, &mut self.warm)?;
            let known = self.temperature.iter_mut().zip(&self.warm).filter(|(_, t)| !t.is_nan());
            known.for_each(|(t, warm)| *t = *warm);
        }
        for (i, reaction) in self.reaction.iter_mut().enumerate() {
            *reaction = (self.y[i] - self.before[i]) / dt - self.source[i];
        }
        // A point that was not advanced is not at rest for that.
        self.unrest = if report.failed == 0 { self.changed() } else { Unrest::UNKNOWN };
        self.time += dt;
        Ok(report)
    }

    /// What the last step has changed.
    fn changed(&self) -> Unrest {
        let (dt, k, atol) = (self.setup.step, self.ends[0].len(), self.solver.options().atol);
        let (mut grown, mut shrunk, mut largest) = (vec![0.0_f64; k], vec![0.0_f64; k], vec![0.0_f64; k]);
        for (now, before) in self.y.chunks_exact(k).zip(self.before.chunks_exact(k)) {
            for s in 0..k {
                grown[s] = grown[s].max(now[s] - before[s]);
                shrunk[s] = shrunk[s].max(before[s] - now[s]);
                largest[s] = largest[s].max(now[s]);
            }
        }
        let part = |s: usize| (grown[s] / largest[s].max(atol)).max(shrunk[s] / largest[s].max(TRACE));
        let species = (0..k).map(part).fold(0.0, f64::max);
        let warmed = self.temperature.iter().zip(&self.before_t).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        Unrest { temperature: warmed / dt, species: species / dt }
    }

    /// Mixture fractions of the points.
    pub fn z(&self) -> &[f64] {
        &self.z[1..=self.setup.points]
    }

    /// Their scalar dissipation rates \[1/s\].
    pub fn chi(&self) -> &[f64] {
        &self.chi[1..=self.setup.points]
    }

    /// T \[points\] K.
    pub fn temperature(&self) -> &[f64] {
        &self.temperature
    }

    /// Y \[points, species\].
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// Change of Y by reaction in the last step \[points, species\] 1/s.
    pub fn reaction(&self) -> &[f64] {
        &self.reaction
    }

    /// Time since the start \[s\].
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How much changed in the last step; infinite before the first one, and where a point could not be advanced.
    pub fn unrest(&self) -> Unrest {
        self.unrest
    }

    /// Whether next to nothing changes in the time 1/χ over which the flame diffuses.
    pub fn is_at_rest(&self) -> bool {
        self.unrest.temperature.max(self.unrest.species) <= REST * self.setup.chi
    }

    /// The solver.
    pub fn solver(&self) -> &Advance {
        &self.solver
    }
}

/// Mixture fractions of the ends and of `n` points between them. Half of the points lie below m = 2 z_st, if that is less
/// than a half:
///
/// ```text
/// z(s) = β s/(1 + β − s),   s = i/(n + 1),   z(1/2) = m
/// ```
fn grid(n: usize, stoichiometric: f64) -> Vec<f64> {
    let middle = 2.0 * stoichiometric;
    let beta = if middle < 0.499 { 0.5 * middle / (0.5 - middle) } else { f64::INFINITY };
    let place = |s: f64| if beta.is_finite() { beta * s / (1.0 + beta - s) } else { s };
    (0..n + 2).map(|i| place(i as f64 / (n + 1) as f64)).collect()
}

/// χ(z) \[1/s\].
fn dissipation(z: &[f64], setup: FlameletSetup) -> Vec<f64> {
    let f = |z: f64| (-2.0 * inverse_erf(1.0 - 2.0 * z).powi(2)).exp();
    let of_stoichiometric = f(setup.stoichiometric);
    z.iter().map(|&z| setup.chi * f(z) / of_stoichiometric).collect()
}

/// The x with erf(x) = y, for |y| ≤ 1, by bisection: it is needed once per point.
fn inverse_erf(y: f64) -> f64 {
    let (mut low, mut high) = (-6.0, 6.0);
    for _ in 0..64 {
        let x = 0.5 * (low + high);
        if libm::erf(x) < y { low = x } else { high = x }
    }
    0.5 * (low + high)
}

/// Sets to zero what diffusion has taken beyond what there was, and scales the rest; whether there was any.
fn forgive(y: &mut [f64]) -> bool {
    let owes = y.iter().any(|y| *y < 0.0);
    if owes {
        y.iter_mut().for_each(|y| *y = y.max(0.0));
        let sum: f64 = y.iter().sum();
        y.iter_mut().for_each(|y| *y /= sum);
    }
    owes
}

/// Brings every point to its equilibrium.
fn kindle(
    mechanism: &Mechanism,
    z: &[f64],
    pressure: f64,
    temperature: &mut [f64],
    y: &mut [f64],
) -> Result<(), FlameletError> {
    let mut equilibrium = Equilibrium::new(mechanism);
    let rows = y.chunks_exact_mut(mechanism.species_count());
    for ((&z, t), y) in z.iter().zip(temperature).zip(rows) {
        let found = equilibrium.solve(Pair::HP, *t, pressure, y);
        *t = found.map_err(|fault| FlameletError::Equilibrium { z, fault })?.temperature;
    }
    Ok(())
}

/// The operator L = χ/2 ∂²/∂z² by differences over three points, and the factors of 1 − Δt L.
#[derive(Debug)]
struct Diffusion {
    /// For each point the weights of the point before, of itself and of the one behind.
    weights: Vec<[f64; 3]>,
    /// For each point: weight of the one before, one over the pivot, and what elimination leaves of the one behind.
    factors: Vec<[f64; 3]>,
}

impl Diffusion {
    fn new(z: &[f64], chi: &[f64], dt: f64) -> Self {
        let weights: Vec<[f64; 3]> = z
            .windows(3)
            .zip(&chi[1..])
            .map(|(z, chi)| {
                let [before, behind] = [z[1] - z[0], z[2] - z[1]];
                let of = |h: f64| chi / (h * (before + behind));
                [of(before), -of(before) - of(behind), of(behind)]
            })
            .collect();
        let mut left = 0.0;
        let factors = weights.iter().map(|[a, b, c]| {
            let inverse = 1.0 / (1.0 - dt * b + dt * a * left);
            left = -dt * c * inverse;
            [-dt * a, inverse, left]
        });
        Self { factors: factors.collect(), weights }
    }

    /// `to` := L `of`, for all columns; beyond the points lie the ends.
    fn apply(&self, of: &[f64], ends: &[Vec<f64>; 2], to: &mut [f64]) {
        let (k, n) = (ends[0].len(), self.weights.len());
        for (i, [a, _, c]) in self.weights.iter().enumerate() {
            let before = if i == 0 { &ends[0] } else { &of[(i - 1) * k..i * k] };
            let behind = if i + 1 == n { &ends[1] } else { &of[(i + 1) * k..(i + 2) * k] };
            let here = &of[i * k..(i + 1) * k];
            for (s, to) in to[i * k..(i + 1) * k].iter_mut().enumerate() {
                // As differences: the sum over species is then as near to zero as that of the states is to one.
                *to = a * (before[s] - here[s]) + c * (behind[s] - here[s]);
            }
        }
    }

    /// Solves (1 − Δt L) x = b in place, for `k` columns, with x = 0 at the ends.
    fn solve(&self, x: &mut [f64], k: usize) {
        let n = self.factors.len();
        for i in 0..n {
            let [a, inverse, _] = self.factors[i];
            for s in 0..k {
                let before = if i == 0 { 0.0 } else { x[(i - 1) * k + s] };
                x[i * k + s] = (x[i * k + s] - a * before) * inverse;
            }
        }
        for i in (0..n.saturating_sub(1)).rev() {
            let left = self.factors[i][2];
            (0..k).for_each(|s| x[i * k + s] -= left * x[(i + 1) * k + s]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_is_that_of_erf() {
        for x in [-3.0, -0.7, 0.0, 1e-3, 0.5, 2.5] {
            assert!((inverse_erf(libm::erf(x)) - x).abs() < 1e-9 * (x * x).exp(), "{x}");
        }
    }

    #[test]
    fn points_crowd_where_the_flame_is() {
        let z = grid(99, 0.05);
        assert!((z[0], z[100]) == (0.0, 1.0) && (z[50] - 0.1).abs() < 1e-12 && z.is_sorted());
        let even = grid(3, 0.4);
        assert_eq!(even, [0.0, 0.25, 0.5, 0.75, 1.0]);
        let setup = FlameletSetup::new(99, 0.05, 7.0);
        let chi = dissipation(&z, setup);
        let at = z.iter().position(|z| *z > 0.05).expect("a point");
        assert!(chi[at - 1] < 7.0 && chi[at] > 7.0 && chi[0] < 1e-6);
    }

    /// L of a parabola is χ times its curvature over two, on any grid; and solving undoes 1 − Δt L.
    #[test]
    fn differences_are_exact_for_parabolas() {
        let z = grid(30, 0.06);
        let chi: Vec<f64> = z.iter().map(|z| 1.0 + z).collect();
        let d = Diffusion::new(&z, &chi, 0.3);
        let of = |z: f64| 2.0 + 3.0 * z - 4.0 * z * z;
        let y: Vec<f64> = z[1..31].iter().map(|&z| of(z)).collect();
        let (ends, mut l) = ([vec![of(0.0)], vec![of(1.0)]], vec![0.0; 30]);
        d.apply(&y, &ends, &mut l);
        assert!(l.iter().zip(&chi[1..]).all(|(l, chi)| (l + 4.0 * chi).abs() < 1e-9), "{l:?}");

        let mut x: Vec<f64> = (0..30).map(|i| (f64::from(i) * 0.7).sin()).collect();
        let (before, zero) = (x.clone(), [vec![0.0], vec![0.0]]);
        d.apply(&before, &zero, &mut l);
        x.iter_mut().zip(&l).for_each(|(x, l)| *x -= 0.3 * l);
        d.solve(&mut x, 1);
        assert!(x.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-10));
    }
}
