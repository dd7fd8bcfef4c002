//! The perfectly stirred reactor: its steady states, the curve that they form over the residence time, and
//! transients.

mod curve;
mod join;
mod modes;
mod piece;
mod steady;
mod transient;
mod walk;

pub use curve::{Branch, Curve, CurvePoint, Turn};

use crate::standard::Standard;
use crate::states::lawful;
use crate::units::plain;
use crate::{BatchError, Equilibrium, EquilibriumError, Mechanism, OptionError, Pair, Report, States};
use kinlane_lanes::UsualArithmetic;
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_plan::{Array, Machine, Scalar};
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::stirred::Inflow;
use kinlane_solve::methods::Stepper;
use kinlane_solve::methods::method::DEFAULT;
use kinlane_solve::methods::problem::Linear;

/// A state of the gas in the reactor.
#[derive(Debug, Clone, PartialEq)]
pub struct StirredState {
    /// T \[K\].
    pub temperature: f64,
    /// Mass fractions, in the mechanism's order.
    pub y: Vec<f64>,
}

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PsrError {
    /// No steady state was found: what flows is less than the rounding of rates.
    #[error(
        "no steady state was found at a residence time of {tau:.4e} s: from {longest:.1e} s on what flows is lost in the rounding of \
         the rates of burnt gas, whose state is next to that of `equilibrate`; take a shorter time"
    )]
    Lost {
        /// Residence time \[s\].
        tau: f64,
        /// From which on this is so \[s\].
        longest: f64,
    },
    /// No steady state was found.
    #[error(
        "no steady state was found at a residence time of {tau:.4e} s: over time the reactor does not come to rest. It \
         may go on and off for ever: look at it over time, or try a longer residence time"
    )]
    Steady {
        /// The residence time \[s\].
        tau: f64,
    },
    /// The integration over time could not go on.
    #[error("the integration stops at t = {t:.4e} s")]
    Transient {
        /// Time reached \[s\].
        t: f64,
    },
    /// The inflow has no equilibrium to start from.
    #[error("the inflow: {0}")]
    Equilibrium(#[from] EquilibriumError),
    /// A residence time, or a time to integrate over, is invalid.
    #[error("{what} {} s: it must be from 2.3e-308 s on, and finite", plain(*.value))]
    Time {
        /// `residence time` or `duration`.
        what: &'static str,
        /// As given \[s\].
        value: f64,
    },
    /// A tolerance is out of range.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Stopped by the caller.
    #[error("stopped")]
    Cancelled,
}

impl PsrError {
    /// That no steady state was found at the residence time `tau` \[s\]; from `longest` on what flows is lost in rounding.
    fn without_state(tau: f64, longest: f64) -> Self {
        if tau > longest { Self::Lost { tau, longest } } else { Self::Steady { tau } }
    }
}

/// Refuses invalid times.
fn require_times(what: &'static str, times: &[f64]) -> Result<(), PsrError> {
    let wrong = times.iter().find(|t| !(f64::MIN_POSITIVE..f64::INFINITY).contains(*t));
    wrong.map_or(Ok(()), |&value| Err(PsrError::Time { what, value }))
}

/// One stirred reactor with its inflow, on the scalar machine.
///
/// ```
/// use kinlane::{Mechanism, StirredReactor};
///
/// let mechanism = Mechanism::bundled("h2")?;
/// let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)])?;
/// let mut reactor = StirredReactor::new(&mechanism, 900.0, 101_325.0, &y, false)?;
/// let burning = reactor.steady(1e-3, &reactor.burnt()?)?;
/// assert!(burning.temperature > 2000.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StirredReactor {
    mechanism: Mechanism,
    /// The equations: constant pressure, or constant pressure and temperature.
    reactor: Reactor,
    /// The state that flows in, and its pressure \[Pa\].
    inlet: StirredState,
    pressure: f64,
    /// The inflow at equilibrium, to which it can burn at most.
    burnt: Result<StirredState, EquilibriumError>,
    measure: Measure,
    /// The residence time \[s\] from which on 1/τ is lost in the rounding of the rates of burnt gas.
    longest: f64,
    inflow: Inflow,
    work: Stepper,
    arena: Vec<f64>,
    /// Of the last transient.
    report: Report,
}

impl StirredReactor {
    /// A reactor at the pressure `p` \[Pa\] into which gas of `t` \[K\] and mass fractions `y` flows. If
    /// `isothermal`, its walls hold the temperature at `t`; else it is adiabatic.
    ///
    /// # Errors
    /// As [`States::new`], if the inflow is not a valid gas; [`BatchError::Value`] if no laws hold at its temperature.
    pub fn new(mechanism: &Mechanism, t: f64, p: f64, y: &[f64], isothermal: bool) -> Result<Self, BatchError> {
        let checked = States::new(mechanism, vec![t], vec![p], y.to_vec())?;
        lawful(&[t])?;
        let y = checked.y();
        let _usual = UsualArithmetic::set();
        let plan = mechanism.plan();
        let mut layout = plan.layout;
        let inflow = Inflow::new(&mut layout, plan);
        let reactor = if isothermal { Reactor::FixedT } else { Reactor::ConstP };
        let work = Stepper::new(&mut layout, DEFAULT, Gas::new(plan, reactor).dimensions());
        let mut made = Self {
            mechanism: mechanism.clone(),
            reactor,
            inlet: StirredState { temperature: t, y: y.to_vec() },
            pressure: p,
            burnt: equilibrium(mechanism, t, p, y, isothermal),
            measure: Measure::default(),
            longest: f64::INFINITY,
            inflow,
            work,
            arena: vec![0.0; layout.len()],
            report: Report::default(),
        };
        let phi = mechanism.specific_moles(y);
        let mut gas = Standard::new(mechanism);
        gas.set_temperature(t);
        let h: f64 = phi.iter().zip(&gas.heat).map(|(n, h)| n * h).sum::<f64>() * kinlane_solve::gas::R;
        made.write(inflow.phi, &phi);
        made.write(inflow.enthalpy, &[h]);
        made.write(plan.cell.parameter, &[p]);
        made.write(plan.cell.electron, &[NO_ELECTRON_T]);
        let burnt = made.variables(made.burnt.as_ref().unwrap_or(&made.inlet));
        made.measure = Measure::new(&phi, &burnt);
        made.linearise(&burnt);
        made.longest = LOST / (f64::EPSILON * made.turnover(&burnt));
        Ok(made)
    }

    /// The adiabatic equilibrium of the inflow; in an isothermal reactor the equilibrium at its temperature.
    ///
    /// # Errors
    /// [`PsrError::Equilibrium`].
    pub fn burnt(&self) -> Result<StirredState, PsrError> {
        Ok(self.burnt.clone()?)
    }

    /// The state that flows in.
    pub fn inlet(&self) -> &StirredState {
        &self.inlet
    }

    /// The pressure \[Pa\].
    pub fn pressure(&self) -> f64 {
        self.pressure
    }

    /// What the last [`StirredReactor::transient`] has cost.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    fn write(&mut self, a: Array, values: &[f64]) {
        let m = Scalar::new(&self.mechanism.plan().tables, &mut self.arena);
        values.iter().enumerate().for_each(|(i, v)| m.put(a, i, *v));
    }

    fn read(&mut self, a: Array) -> Vec<f64> {
        Scalar::new(&self.mechanism.plan().tables, &mut self.arena).read(a)
    }

    /// Runs a program over the reactor's equations.
    fn run<T>(&mut self, program: impl FnOnce(Scalar<'_, f64>, Gas<'_, Inflow>, &Stepper) -> T) -> T {
        let plan = self.mechanism.plan();
        let _usual = UsualArithmetic::set();
        let problem = Gas::new(plan, self.reactor).with_flow(self.inflow);
        program(Scalar::new(&plan.tables, &mut self.arena), problem, &self.work)
    }

    /// The variables phi, T, sigma of a state.
    fn variables(&self, state: &StirredState) -> Vec<f64> {
        let mut v = self.mechanism.specific_moles(&state.y);
        let sigma = v.iter().sum();
        v.extend([state.temperature, sigma]);
        v
    }

    /// The state of the variables phi, T, sigma, with mass fractions scaled to a sum of one.
    fn state(&self, v: &[f64]) -> StirredState {
        let n = self.mechanism.species_count();
        StirredState { temperature: v[n], y: self.mechanism.mass_fractions(&v[..n]) }
    }

    /// How fast the gas `v` turns over \[1/s\], with the J of the last [`StirredReactor::linearise`] there: the largest entry on
    /// its diagonal, where that of a species counts by the part of the moles that it has. What rounds a pivot of 1/τ − J is amounts that
    /// flow, and next to nothing flows through a trace, however fast it decays.
    fn turnover(&mut self, v: &[f64]) -> f64 {
        let diagonal = self.work.y1;
        self.run(|m, p, _| p.diagonal(m, diagonal));
        let n = self.mechanism.species_count();
        let all: f64 = v.iter().take(n).sum();
        let parts = v.iter().take(n).map(|phi| phi / all).chain(std::iter::repeat(1.0));
        self.read(diagonal).into_iter().zip(parts).fold(0.0, |most, (x, part)| most.max(x.abs() * part))
    }

    /// That no steady state was found at the residence time `tau` \[s\].
    fn without_state(&self, tau: f64) -> PsrError {
        PsrError::without_state(tau, self.longest)
    }

    fn set_tau(&mut self, tau: f64) {
        self.write(self.inflow.rate, &[1.0 / tau]);
    }

    fn temperature(&self, v: &[f64]) -> f64 {
        v[self.mechanism.species_count()]
    }

    /// Distance of two states.
    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let apart: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        self.measure.product(&apart, &apart).sqrt()
    }
}

fn equilibrium(
    mechanism: &Mechanism,
    t: f64,
    p: f64,
    y: &[f64],
    isothermal: bool,
) -> Result<StirredState, EquilibriumError> {
    let mut y = y.to_vec();
    let pair = if isothermal { Pair::TP } else { Pair::HP };
    let found = Equilibrium::new(mechanism).solve(pair, t, p, &mut y)?;
    Ok(StirredState { temperature: found.temperature, y })
}

/// Rounding of rates, as a part of 1/τ, from which on 1/τ is lost in it.
const LOST: f64 = 1e-2;
/// A change of T that counts as one \[K\].
const UNIT: f64 = 100.0;
/// The change of composition from the inflow to its equilibrium counts as this.
const REACH: f64 = 10.0;
/// A smaller change of composition, relative to the total moles, counts as none.
const NOTHING: f64 = 1e-9;

/// A measure for changes of phi, T, sigma: by T and, because walls may hold T, by composition.
#[derive(Debug, Clone, Default)]
struct Measure {
    /// phi of the inflow, and the change of phi from there to equilibrium.
    from: Vec<f64>,
    toward: Vec<f64>,
    /// Weight of the scalar product of two changes of phi.
    weight: f64,
}

impl Measure {
    fn new(inlet: &[f64], burnt: &[f64]) -> Self {
        let toward: Vec<f64> = burnt.iter().zip(inlet).map(|(b, a)| b - a).collect();
        let (size, all) = (dot(&toward, &toward), inlet.iter().sum::<f64>());
        let weight = if size.sqrt() > NOTHING * all { REACH * REACH / size } else { 0.0 };
        Self { from: inlet.to_vec(), toward, weight }
    }

    /// The inner product of two changes.
    fn product(&self, a: &[f64], b: &[f64]) -> f64 {
        let n = self.from.len();
        let t = |v: &[f64]| v.get(n).copied().unwrap_or_default() / UNIT;
        let phi: f64 = a.iter().zip(b).take(n).map(|(a, b)| a * b).sum();
        self.weight * phi + t(a) * t(b)
    }

    /// How far a gas has come on the way from the inflow (0) to its equilibrium (1).
    fn progress(&self, v: &[f64]) -> f64 {
        let gone: Vec<f64> = v.iter().zip(&self.from).map(|(v, a)| v - a).collect();
        self.weight * dot(&gone, &self.toward) / (REACH * REACH)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
