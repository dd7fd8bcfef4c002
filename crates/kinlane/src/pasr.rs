//! The partially stirred reactor: particles of gas that mix in pairs, react, and are replaced by what flows in.
//!
//! Each of N particles of equal mass has a composition Y, an enthalpy h and a partner. Over a step Δt, in this order
//! (Pope 1997; Chen 1997):
//!
//! ```text
//! mixing     dφ/dt = −(φ − φ_partner)/τ_mix,  φ = (Y, h), over Δt/2:   φ − φ_partner shrinks by e^{−Δt/τ_mix}
//! inflow     N Δt/τ_res particles, pair by pair, are replaced by particles of the streams
//! pairing    N Δt/τ_pair particles get new partners, at random; so do those that come in
//! mixing     over the other half
//! reaction   each particle by itself, at constant pressure and enthalpy
//! ```
//!
//! Mixing is on both sides of the inflow, so that what has just come in is neither unmixed nor mixed for the whole of a step.
//!
//! With τ_mix → 0 it is the perfectly stirred reactor of [`StirredReactor`](crate::StirredReactor).

use crate::psr::StirredState;
use crate::states::lawful;
use crate::units::plain;
use crate::{Advance, BatchError, Properties, Reactor, Report, States, UsualArithmetic};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// What flows in: gas of one state.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream {
    /// Its state.
    pub state: StirredState,
    /// Its part of the mass that flows in, relative to those of the other streams.
    pub share: f64,
}

/// Times and sizes of a partially stirred reactor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PasrSetup {
    /// Number of particles, even.
    pub particles: usize,
    /// Residence time \[s\].
    pub residence: f64,
    /// Mixing time \[s\].
    pub mixing: f64,
    /// Time for which particles stay partners, on the average \[s\].
    pub pairing: f64,
    /// Length of a step \[s\].
    pub step: f64,
    /// Seed of the random numbers: equal seeds give equal answers.
    pub seed: u64,
}

/// Least and most number of particles.
const PARTICLES: [usize; 2] = [2, 100_000_000];
/// A step is this part of the shortest of the times, if nothing else is wished.
const STEP: f64 = 0.1;

impl PasrSetup {
    /// A setup with steps of a tenth of the shortest of its times.
    pub fn new(particles: usize, residence: f64, mixing: f64, pairing: f64) -> Self {
        let step = STEP * residence.min(mixing).min(pairing);
        Self { particles, residence, mixing, pairing, step, seed: 1 }
    }

    /// No step may be longer: particles are replaced, and paired anew, once in it at most.
    pub fn longest_step(&self) -> f64 {
        self.residence.min(self.pairing)
    }

    fn check(&self) -> Result<(), PasrError> {
        let [least, most] = PARTICLES;
        if self.particles % 2 == 1 || !(least..=most).contains(&self.particles) {
            return Err(PasrError::Particles { particles: self.particles });
        }
        for (what, value, most) in [
            ("residence time", self.residence, f64::MAX),
            ("mixing time", self.mixing, f64::MAX),
            ("pairing time", self.pairing, f64::MAX),
            ("step", self.step, self.longest_step()),
        ] {
            if !(value > 0.0 && value <= most) {
                return Err(PasrError::Time { what, value, most });
            }
        }
        Ok(())
    }
}

/// The limit of a step in words.
fn limit(most: f64) -> String {
    if most == f64::MAX {
        String::new()
    } else {
        let most = plain(most);
        format!(" and at most {most} s, the shorter of the residence and the pairing time")
    }
}

/// Why a partially stirred reactor cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PasrError {
    /// A time is invalid.
    #[error("the {what} is {} s; it must be positive{}", plain(*.value), limit(*.most))]
    Time {
        /// Which.
        what: &'static str,
        /// As given \[s\].
        value: f64,
        /// What it may be at most \[s\].
        most: f64,
    },
    /// The number of particles is invalid: they come in pairs.
    #[error("{particles} particles: there must be an even number of them, from {} to {}", PARTICLES[0], PARTICLES[1])]
    Particles {
        /// As given.
        particles: usize,
    },
    /// Nothing flows in.
    #[error("no stream flows in, or the share of one is not a positive number")]
    Streams,
    /// The solver is not for constant pressure and enthalpy.
    #[error("a partially stirred reactor needs a solver for constant pressure")]
    Reactor,
    /// No temperature has the enthalpy of a particle.
    #[error("particle {particle} has an enthalpy of {} J/kg, which its gas has at no temperature", plain(*.enthalpy))]
    Temperature {
        /// Its index.
        particle: usize,
        /// Its enthalpy \[J/kg\].
        enthalpy: f64,
    },
    /// A state is no gas, or the solver cannot work.
    #[error(transparent)]
    Batch(#[from] BatchError),
}

/// A partially stirred reactor.
///
/// ```
/// use kinlane::{Advance, Mechanism, PartiallyStirredReactor, PasrSetup, StirredState, Stream};
///
/// let mechanism = Mechanism::bundled("h2")?;
/// let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)])?;
/// let inflow = Stream { state: StirredState { temperature: 800.0, y }, share: 1.0 };
/// let burnt = kinlane::StirredReactor::new(&mechanism, 800.0, 1e5, &inflow.state.y, false)?.burnt()?;
/// let solver = Advance::builder(&mechanism).threads(1).plan()?;
/// let setup = PasrSetup::new(20, 1e-3, 1e-4, 1e-4);
/// let mut reactor = PartiallyStirredReactor::new(solver, &[inflow], 1e5, &burnt, setup)?;
/// while reactor.time() < 2e-3 {
///     assert_eq!(reactor.step()?.failed, 0);
/// }
/// assert!(reactor.mean().temperature > 1500.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PartiallyStirredReactor {
    solver: Advance,
    setup: PasrSetup,
    streams: Vec<Inlet>,
    particles: States,
    /// Specific enthalpies of the particles \[J/kg\].
    enthalpy: Vec<f64>,
    /// Particles by number: the first two are partners, and so are every two that follow.
    pairs: Vec<usize>,
    /// Pairs that should have been replaced by now, and have not been; and those that should have got new partners.
    due: [f64; 2],
    /// Steps so far.
    steps: u64,
    random: Pcg64,
    /// Work array.
    temperatures: Vec<f64>,
}

/// A stream, as particles of it enter.
#[derive(Debug)]
struct Inlet {
    stream: Stream,
    enthalpy: f64,
    /// Particles that should have entered by now, and have not.
    due: f64,
}

impl PartiallyStirredReactor {
    /// A reactor at a pressure \[Pa\], filled with gas of one state.
    ///
    /// # Errors
    /// Any [`PasrError`] but [`PasrError::Temperature`].
    pub fn new(
        mut solver: Advance,
        streams: &[Stream],
        pressure: f64,
        start: &StirredState,
        setup: PasrSetup,
    ) -> Result<Self, PasrError> {
        let _usual = UsualArithmetic::set();
        setup.check()?;
        if solver.options().reactor != Reactor::ConstP {
            return Err(PasrError::Reactor);
        }
        let all: f64 = streams.iter().map(|s| s.share).sum();
        if !(all > 0.0 && streams.iter().all(|s| s.share > 0.0)) {
            return Err(PasrError::Streams);
        }
        let n = setup.particles;
        let mechanism = solver.mechanism().clone();
        // All states at once: those of the streams, and that of the particles.
        let states = || streams.iter().map(|s| &s.state).chain([start]);
        let temperatures = states().map(|s| s.temperature).collect();
        let y = states().flat_map(|s| s.y.iter().copied()).collect();
        let given = States::new(&mechanism, temperatures, vec![pressure; streams.len() + 1], y)?;
        lawful(given.temperature())?;
        let mut gas = vec![Properties::default(); given.len()];
        solver.thermodynamics(given.points(), &mut gas)?;
        let inlets = streams.iter().zip(&gas).enumerate().map(|(i, (stream, gas))| Inlet {
            stream: Stream {
                state: StirredState { y: given.y_of(i).to_vec(), ..stream.state.clone() },
                share: stream.share / all,
            },
            enthalpy: gas.enthalpy,
            due: 0.0,
        });
        let y = given.y_of(streams.len()).repeat(n);
        let particles = States::new(&mechanism, vec![start.temperature; n], vec![pressure; n], y)?;
        let mut random = Pcg64::seed_from_u64(setup.seed);
        let mut pairs: Vec<usize> = (0..n).collect();
        pairs.shuffle(&mut random);
        Ok(Self {
            streams: inlets.collect(),
            particles,
            enthalpy: vec![gas[streams.len()].enthalpy; n],
            pairs,
            due: [0.0; 2],
            steps: 0,
            random,
            temperatures: vec![0.0; n],
            solver,
            setup,
        })
    }

    /// Goes on by a step. A particle that cannot be advanced keeps its state, and the report counts it. After an error the particles
    /// have been mixed and not advanced: the reactor is to be used no more.
    ///
    /// # Errors
    /// [`PasrError::Temperature`], [`PasrError::Batch`].
    pub fn step(&mut self) -> Result<Report, PasrError> {
        let _usual = UsualArithmetic::set();
        let dt = self.setup.step;
        self.mix(0.5 * dt);
        self.exchange(dt);
        self.mix(0.5 * dt);
        self.solver.temperatures(self.particles.points(), &self.enthalpy, &mut self.temperatures)?;
        if let Some(particle) = self.temperatures.iter().position(|t| t.is_nan()) {
            return Err(PasrError::Temperature { particle, enthalpy: self.enthalpy[particle] });
        }
        self.particles.cells_mut().temperature.copy_from_slice(&self.temperatures);
        let report = self.solver.advance_states(&mut self.particles, dt)?;
        self.steps += 1;
        Ok(report)
    }

    /// The particles.
    pub fn particles(&self) -> &States {
        &self.particles
    }

    /// Time since the start \[s\].
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.setup.step
    }

    /// The solver.
    pub fn solver(&self) -> &Advance {
        &self.solver
    }

    /// Means over the particles, of equal mass; the mean of temperatures is not the temperature of the mean.
    pub fn mean(&self) -> StirredState {
        let (p, n) = (&self.particles, self.particles.len() as f64);
        let mut y = vec![0.0; p.species_count()];
        for cell in 0..p.len() {
            y.iter_mut().zip(p.y_of(cell)).for_each(|(sum, y)| *sum += y / n);
        }
        StirredState { temperature: p.temperature().iter().sum::<f64>() / n, y }
    }

    /// Standard deviation of the particles' temperatures \[K\].
    pub fn spread(&self) -> f64 {
        let (t, n) = (self.particles.temperature(), self.particles.len() as f64);
        let mean = t.iter().sum::<f64>() / n;
        (t.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / n).sqrt()
    }

    /// Replaces pairs by what flows in, and gives others new partners.
    fn exchange(&mut self, dt: f64) {
        let pairs = self.pairs.len() / 2;
        let mut counts = [0; 2];
        for ((due, count), tau) in self.due.iter_mut().zip(&mut counts).zip([self.setup.residence, self.setup.pairing])
        {
            // Not 1 − exp(−Δt/τ) of the pairs: with a step as long as the pairing time all are to part.
            *due += pairs as f64 * dt / tau;
            *count = (*due as usize).min(pairs);
            *due -= *count as f64;
        }
        let [replaced, parted] = counts;
        let mut concerned = (replaced + parted).min(pairs);
        // A single pair cannot exchange partners: a second one does so before it is due.
        if concerned == 1 && pairs > 1 {
            concerned = 2;
            self.due[1] -= 1.0;
        }
        // The pairs that are concerned come to the front: first those that leave.
        (0..concerned).for_each(|i| self.swap_pairs(i, pairs));
        for i in 0..2 * replaced {
            self.enter(self.pairs[i]);
        }
        // In any order, and either way round, the second of each goes to the pair before: nobody keeps a partner.
        for i in 0..concerned {
            self.swap_pairs(i, concerned);
            if self.random.random() {
                self.pairs.swap(2 * i, 2 * i + 1);
            }
        }
        for i in 1..concerned {
            self.pairs.swap(2 * i - 1, 2 * i + 1);
        }
    }

    /// Swaps a pair with one of those from it up to `to`, at random.
    fn swap_pairs(&mut self, i: usize, to: usize) {
        let j = self.random.random_range(i..to);
        self.pairs.swap(2 * i, 2 * j);
        self.pairs.swap(2 * i + 1, 2 * j + 1);
    }

    /// Fills a particle with gas of the stream of which most is due.
    fn enter(&mut self, particle: usize) {
        self.streams.iter_mut().for_each(|s| s.due += s.stream.share);
        let Some(next) = self.streams.iter_mut().max_by(|a, b| a.due.total_cmp(&b.due)) else { return };
        next.due -= 1.0;
        let k = next.stream.state.y.len();
        let cells = self.particles.cells_mut();
        cells.temperature[particle] = next.stream.state.temperature;
        cells.y[particle * k..(particle + 1) * k].copy_from_slice(&next.stream.state.y);
        self.enthalpy[particle] = next.enthalpy;
    }

    /// Brings partners closer to each other.
    fn mix(&mut self, dt: f64) {
        // 1/2 of what the difference loses goes to each.
        let given = -0.5 * (-2.0 * dt / self.setup.mixing).exp_m1();
        let k = self.particles.species_count();
        let cells = self.particles.cells_mut();
        let exchange = |values: &mut [f64], a: usize, b: usize| {
            let moved = given * (values[b] - values[a]);
            values[a] += moved;
            values[b] -= moved;
        };
        for pair in self.pairs.chunks_exact(2) {
            let &[a, b] = pair else { continue };
            exchange(&mut self.enthalpy, a, b);
            (0..k).for_each(|s| exchange(cells.y, a * k + s, b * k + s));
        }
    }
}
