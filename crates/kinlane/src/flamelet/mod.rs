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

mod atoms;
mod setup;
mod space;

use crate::psr::StirredState;
use crate::states::lawful;
use crate::{
    Advance, Cells, Equilibrium, EquilibriumError, Layout, Mechanism, Outcome, Pair, Points, Properties, Reactor,
    Report, Source, States, USUAL_ATOL, UsualArithmetic,
};
use atoms::Atoms;
pub use setup::{FlameletError, FlameletSetup, Kindling};
use space::{Diffusion, dissipation, grid};

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
    atoms: Atoms,
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
        let _usual = UsualArithmetic::set();
        setup.check()?;
        if solver.options().reactor != Reactor::ConstP {
            return Err(FlameletError::Reactor);
        }
        let (n, mechanism) = (setup.points, solver.mechanism().clone());
        let both = [oxidizer, fuel];
        let temperatures = both.iter().map(|s| s.temperature).collect();
        let y = both.iter().flat_map(|s| s.y.iter().copied()).collect();
        let given = States::new(&mechanism, temperatures, vec![pressure; 2], y)?;
        lawful(given.temperature())?;
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
            atoms: Atoms::new(&mechanism),
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
        let _usual = UsualArithmetic::set();
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
        let _usual = UsualArithmetic::set();
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
        self.source.chunks_exact_mut(k).zip(self.y.chunks_exact(k)).for_each(|(source, y)| {
            // Rounding, which matters where the dissipation rate is many times that at stoichiometry.
            let excess: f64 = source.iter().sum();
            source.iter_mut().zip(y).for_each(|(source, y)| *source -= excess * y);
        });

        let (t, p) = (&mut self.temperature, &mut self.pressure);
        let mut cells = Cells::new(t, p, &mut self.y, Layout::CellMajor, &mut self.outcome);
        cells.source = Some(Source { dydt: &self.source, heating: &self.heating });
        let report = self.solver.advance(cells, dt)?;
        self.y.chunks_exact_mut(k).for_each(|y| self.atoms.forgive(y));
        // Enthalpy stays that of the mixture, also where a point has passed a temperature at which polynomials jump.
        let points = Points::new(&self.temperature, &self.pressure, &self.y, Layout::CellMajor);
        self.solver.temperatures(points, &self.enthalpy, &mut self.warm)?;
        let known = self.temperature.iter_mut().zip(&self.warm).filter(|(_, t)| !t.is_nan());
        known.for_each(|(t, warm)| *t = *warm);
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
        let (dt, k, atol) = (self.setup.step, self.ends[0].len(), self.solver.options().atol.unwrap_or(USUAL_ATOL));
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

    /// How the reactions of the last step ended at the points, and what they cost.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcome
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

/// Brings every point to its equilibrium. Where none is within the temperatures of equilibria, as next to a very cold side, the
/// mixture stays as it is.
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
        match found {
            Ok(found) => *t = found.temperature,
            Err(EquilibriumError::Temperature) => {}
            Err(fault) => return Err(FlameletError::Equilibrium { z, fault }),
        }
    }
    Ok(())
}
