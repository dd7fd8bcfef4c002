//! Chemical equilibrium of the gas: its composition, and its temperature if that is not given.

mod basis;
mod composition;

use crate::standard::Standard;
use crate::{Mechanism, States};
use composition::{Composition, Held};
use kinlane_lanes::{Crew, UsualArithmetic};
use kinlane_solve::SUM_TOLERANCE;
use kinlane_solve::gas::R;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The temperature is searched for between these \[K\].
const RANGE: [f64; 2] = [50.0, 20_000.0];
/// Relative accuracy of the temperature.
const ACCURACY: f64 = 1e-14;
/// Most Newton steps and bisections in the search for the temperature.
const STEPS: usize = 200;

/// The pair of quantities that is held constant while the gas comes to equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pair {
    /// Temperature and pressure.
    TP,
    /// Temperature and volume.
    TV,
    /// Enthalpy and pressure: the adiabatic flame.
    HP,
    /// Entropy and pressure.
    SP,
    /// Internal energy and volume: the adiabatic bomb.
    UV,
    /// Entropy and volume.
    SV,
}

impl Pair {
    /// Every pair.
    pub const ALL: [Self; 6] = [Self::TP, Self::TV, Self::HP, Self::SP, Self::UV, Self::SV];

    /// Its name, as `HP`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TP => "TP",
            Self::TV => "TV",
            Self::HP => "HP",
            Self::SP => "SP",
            Self::UV => "UV",
            Self::SV => "SV",
        }
    }

    /// The pair of that name, in either order, whatever its case.
    pub fn find(name: &str) -> Option<Self> {
        let turned: String = name.chars().rev().collect();
        Self::ALL.into_iter().find(|p| [name, &turned].iter().any(|name| p.name().eq_ignore_ascii_case(name)))
    }

    fn at_volume(self) -> bool {
        matches!(self, Self::TV | Self::UV | Self::SV)
    }
}

/// A state of equilibrium.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Equilibrated {
    /// T \[K\].
    pub temperature: f64,
    /// p \[Pa\].
    pub pressure: f64,
    /// Number of Newton steps.
    pub steps: u32,
}

/// Why there is no equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EquilibriumError {
    /// No temperature within the range has the given energy or entropy.
    #[error("no equilibrium between {} and {} K has this energy or entropy; check the state", RANGE[0], RANGE[1])]
    Temperature,
    /// Numbers overflowed during the solution.
    #[error("no equilibrium was found near {t} K; check the state, and the thermodynamics of its species")]
    Overflow {
        /// The temperature \[K\].
        t: f64,
    },
    /// There must be a mass fraction for every species.
    #[error("{got} mass fractions were given, {want} are needed")]
    Length {
        /// How many were given.
        got: usize,
        /// How many species there are.
        want: usize,
    },
    /// A value is impossible for a gas.
    #[error("{what} is {value:e}, which no gas has; it must be finite, {}", if *.what == "Y" { "and not below zero" } else { "and above zero" })]
    Value {
        /// `T`, `P` or `Y`.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// Stopped by the caller.
    #[error("stopped before its turn")]
    Cancelled,
}

/// Finds equilibria of one mechanism, one state after the other.
///
/// ```
/// use kinlane::{Equilibrium, Mechanism, Pair};
///
/// let mechanism = Mechanism::bundled("h2")?;
/// let mut y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)])?;
/// let flame = Equilibrium::new(&mechanism).solve(Pair::HP, 300.0, 101_325.0, &mut y)?;
/// assert!((flame.temperature - 2385.0).abs() < 15.0);
/// assert!(y[mechanism.require("H2O")?] > 0.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Equilibrium {
    gas: Standard,
}

impl Equilibrium {
    /// For one mechanism.
    pub fn new(mechanism: &Mechanism) -> Self {
        Self { gas: Standard::new(mechanism) }
    }

    /// The equilibrium that a gas at `t` \[K\] and `p` \[Pa\] with mass fractions `y` reaches while `pair` is
    /// held constant. `y` becomes its composition. Species that contain an absent element stay at zero.
    ///
    /// # Errors
    /// [`EquilibriumError`]; `y` is then as it was.
    pub fn solve(&mut self, pair: Pair, t: f64, p: f64, y: &mut [f64]) -> Result<Equilibrated, EquilibriumError> {
        let mechanism = self.gas.mechanism().clone();
        let (got, want) = (y.len(), mechanism.species_count());
        if got != want {
            return Err(EquilibriumError::Length { got, want });
        }
        let _usual = UsualArithmetic::set();
        for (what, value) in [("T", t), ("P", p)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(EquilibriumError::Value { what, value });
            }
        }
        // Methods leave absent species a little below zero.
        if let Some(&value) = y.iter().find(|y| !(y.is_finite() && **y > -SUM_TOLERANCE)) {
            return Err(EquilibriumError::Value { what: "Y", value });
        }
        let given: Vec<f64> = mechanism.specific_moles(y).iter().map(|n| n.max(0.0)).collect();
        let moles = given.iter().sum::<f64>();
        if moles <= 0.0 {
            return Err(EquilibriumError::Value { what: "the sum of Y", value: 0.0 });
        }
        let volume = moles * R * t / p;
        self.gas.set_temperature(t);
        let held = if pair.at_volume() { Held::Volume(volume) } else { Held::Pressure(p) };
        let mut mixture;
        match pair {
            Pair::TP | Pair::TV => {
                mixture = Composition::new(&self.gas, &given, held);
                if !mixture.solve(&self.gas, held) {
                    return Err(EquilibriumError::Overflow { t });
                }
            }
            _ => {
                let target = property(pair, &self.gas, given.iter().copied().enumerate(), volume);
                self.gas.set_temperature(t.clamp(1000.0, 3000.0));
                mixture = Composition::new(&self.gas, &given, held);
                self.temperature(pair, held, target, &mut mixture)?;
            }
        }
        let mut mass = 0.0;
        y.fill(0.0);
        let total: f64 = mixture.moles().map(|(_, n)| n).sum();
        let masses = &mechanism.plan().molar_mass;
        for (k, n) in mixture.moles().filter(|(_, n)| *n > basis::SEED * 1e3 * total) {
            y[k] = n * masses[k];
            mass += y[k];
        }
        y.iter_mut().for_each(|y| *y /= mass);
        let temperature = self.gas.t;
        let pressure = match held {
            Held::Pressure(p) => p,
            Held::Volume(v) => total * R * temperature / v,
        };
        Ok(Equilibrated { temperature, pressure, steps: mixture.steps })
    }

    /// The temperature at which the equilibrium has the property `target`. Newton's method is used within
    /// bounds that close in, since the property rises with the temperature. Where it rises steeply between
    /// two plateaus, Newton's method jumps from one to the other: steps that do not shrink are replaced by
    /// bisection.
    fn temperature(
        &mut self,
        pair: Pair,
        held: Held,
        target: f64,
        mixture: &mut Composition,
    ) -> Result<(), EquilibriumError> {
        let [mut low, mut high] = RANGE;
        let (mut t, mut strides) = (self.gas.t, [f64::INFINITY; 2]);
        for _ in 0..STEPS {
            self.gas.set_temperature(t);
            let overflow = EquilibriumError::Overflow { t };
            if !mixture.solve(&self.gas, held) {
                return Err(overflow);
            }
            let excess = property(pair, &self.gas, mixture.moles(), mixture.volume()) - target;
            if !excess.is_finite() {
                return Err(overflow);
            }
            let slope = slope(pair, &self.gas, mixture).ok_or(overflow)?;
            if excess > 0.0 {
                high = t
            } else {
                low = t
            }
            let change = excess / slope;
            // Where a species' polynomials do not meet, the property jumps: then the bounds close in on the
            // jump.
            if excess == 0.0 || change.abs() < ACCURACY * t || high - low < ACCURACY * t {
                return Ok(());
            }
            // Not too far at once, since the next composition starts from this one.
            let newton = (t - change).clamp(t / 1.7, t * 1.7);
            let stride = (newton - t).abs();
            let jumps = low > RANGE[0] && high < RANGE[1] && stride > 0.5 * strides[0];
            t = if newton > low && newton < high && !jumps { newton } else { (low * high).sqrt() };
            strides = [strides[1], if jumps { f64::INFINITY } else { stride }];
            if high / low < 1.0 + ACCURACY || t == self.gas.t {
                return Ok(());
            }
            if low > RANGE[1] * 0.999 || high < RANGE[0] * 1.001 {
                return Err(EquilibriumError::Temperature);
            }
        }
        Err(EquilibriumError::Temperature)
    }
}

/// The enthalpy or internal energy \[mol K/kg\], or the entropy \[mol/kg\], divided by R; the entropy up to a
/// constant that depends on the elements.
fn property(pair: Pair, gas: &Standard, moles: impl Iterator<Item = (usize, f64)>, volume: f64) -> f64 {
    let of = |k: usize, n: f64| match pair {
        Pair::HP | Pair::TP => gas.heat[k],
        Pair::UV | Pair::TV => gas.heat[k] - gas.t,
        Pair::SP | Pair::SV => gas.enthalpy[k] - gas.gibbs[k] - (n / volume).max(f64::MIN_POSITIVE).ln(),
    };
    moles.filter(|(_, n)| *n > 0.0).map(|(k, n)| n * of(k, n)).sum()
}

/// The derivative of [`property`] along the equilibria.
fn slope(pair: Pair, gas: &Standard, mixture: &Composition) -> Option<f64> {
    let slopes = mixture.slopes(gas)?;
    let less = if pair.at_volume() { 1.0 } else { 0.0 };
    // The heat capacity at fixed composition, and the part due to the change of composition.
    let heat: f64 = mixture
        .moles()
        .zip(slopes)
        .map(|((k, n), dn)| n * (gas.cp[k] - less) + dn * (gas.heat[k] - less * gas.t))
        .sum();
    let over = if matches!(pair, Pair::SP | Pair::SV) { gas.t } else { 1.0 };
    Some(heat / over)
}

/// Brings every state of a batch to equilibrium, on `threads` threads; one result per state. States without
/// an equilibrium keep their entry state. `progress` counts the states that are done; setting `stop` leaves
/// the others as they are.
#[must_use = "it says which states have no equilibrium"]
pub fn equilibrate(
    mechanism: &Mechanism,
    pair: Pair,
    states: &mut States,
    threads: usize,
    progress: &AtomicUsize,
    stop: &AtomicBool,
) -> Vec<Result<Equilibrated, EquilibriumError>> {
    const CHUNK: usize = 8;
    let (got, want) = (states.species_count(), mechanism.species_count());
    if got != want {
        return vec![Err(EquilibriumError::Length { got, want }); states.len()];
    }
    let width = want.max(1);
    let mut results = vec![Err(EquilibriumError::Cancelled); states.len()];
    let threads = threads.min(states.len().div_ceil(CHUNK)).max(1);
    let cells = states.cells_mut();
    let parts = cells
        .temperature
        .chunks_mut(CHUNK)
        .zip(cells.pressure.chunks_mut(CHUNK))
        .zip(cells.y.chunks_mut(CHUNK * width).zip(results.chunks_mut(CHUNK)));
    Crew::new(threads - 1).share_with(
        parts,
        || Equilibrium::new(mechanism),
        |solver, ((t, p), (y, results))| {
            for (((t, p), y), result) in t.iter_mut().zip(p).zip(y.chunks_mut(width)).zip(results) {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                *result = solver.solve(pair, *t, *p, y);
                if let Ok(found) = result {
                    (*t, *p) = (found.temperature, found.pressure);
                }
                progress.fetch_add(1, Ordering::Relaxed);
            }
        },
    );
    results
}
