//! Stellar matter: ions as an ideal gas, radiation, and electrons and positrons at any degeneracy and speed.
//!
//! Electrons are integrals over their energy x kT, with the degeneracy parameter η and β = kT/(mc²)
//! \[timmes1999\]:
//!
//! ```text
//! F_k(η, β) = ∫ x^k √(1 + βx/2)/(e^(x−η) + 1) dx
//! n = C β^(3/2) (F_½ + β F_3/2)                       C = 8π√2 (mc/h)³
//! E = C mc² β^(5/2) (F_3/2 + β F_5/2)                 P = ⅔ C mc² β^(5/2) (F_3/2 + ½ β F_5/2)
//! ```
//!
//! and positrons are the same with −η − 2/β in the place of η, and 2mc² more of energy each. Matter is ionised
//! completely; its charges do not interact.

use kinlane_mech::network::{self, AVOGADRO};
use std::f64::consts::{PI, SQRT_2};

/// k \[erg/K\], c \[cm/s\], h \[erg s\] and the mass of an electron \[g\], of CODATA 2018; a \[erg/(cm³ K⁴)\].
const BOLTZMANN: f64 = 1e7 * network::BOLTZMANN;
const LIGHT: f64 = 2.997_924_58e10;
const PLANCK: f64 = 6.626_070_15e-27;
const ELECTRON: f64 = 9.109_383_701_5e-28;
const RADIATION: f64 = 7.565_733_250_280_007e-15;
/// mc² of an electron \[erg\].
const REST: f64 = ELECTRON * LIGHT * LIGHT;

/// Points of a piece of an integral.
const POINTS: usize = 16;
/// Where pieces end: from η, and below that from 0. Beyond the last the Fermi function is below 1e-30.
const ENDS: [f64; 11] = [-40.0, -20.0, -10.0, -4.0, 0.0, 4.0, 10.0, 20.0, 34.0, 50.0, 80.0];
const COLD_ENDS: [f64; 9] = [0.0, 1.0, 4.0, 9.0, 16.0, 26.0, 40.0, 58.0, 80.0];
/// Up to this η the integrals begin like those of a gas that is not degenerate.
const DEGENERATE: f64 = 2.0;
/// Below this there is no positron beside the electrons.
const NONE: f64 = -200.0;
/// From an η with a number of electrons that is off by this part, Newton's method ends within rounding: it lacks the square of that.
const CLOSE: f64 = 1e-8;
/// Relative rounding of a pressure: of η, and of the integrals.
const ROUNDING: f64 = 1e-14;

/// A function of two variables with its derivatives. The variables are η and β, or the temperature \[K\] and the number density
/// of electrons \[1/cm³\].
#[derive(Debug, Clone, Copy, Default)]
struct Value {
    x: f64,
    by: [f64; 2],
}

impl Value {
    fn map(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let [a, b] = [self.by, other.by];
        Self { x: f(self.x, other.x), by: [f(a[0], b[0]), f(a[1], b[1])] }
    }

    fn plus(self, other: Self) -> Self {
        self.map(other, |a, b| a + b)
    }

    fn times(self, factor: f64) -> Self {
        self.map(self, |a, _| factor * a)
    }
}

/// A state whose degeneracy is known, for that of one that is near.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Near {
    /// T \[K\], and electrons less positrons \[1/cm³\]; zero where there is no such state yet.
    t: f64,
    n: f64,
    /// η as a function of these.
    eta: Value,
}

impl Near {
    /// What η should be about at T and n; NaN where there is no state near them.
    fn eta(&self, t: f64, n: f64) -> f64 {
        let [warmer, denser] = [t - self.t, n - self.n];
        if warmer.abs() < 0.1 * self.t && denser.abs() < 0.1 * self.n {
            self.eta.x + self.eta.by[0] * warmer + self.eta.by[1] * denser
        } else {
            f64::NAN
        }
    }
}

/// Number, energy and pressure, each per cm³.
type Gas = [Value; 3];

/// Amounts in a gram of matter \[mol/g\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matter {
    /// Of nuclei, Σ Y.
    pub ions: f64,
    /// Of electrons that neutralise them, Σ Z Y.
    pub electrons: f64,
}

/// Pressure \[erg/cm³\] or internal energy \[erg/g\], and derivatives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Property {
    /// The value.
    pub value: f64,
    /// By T \[K\], at constant density.
    pub by_temperature: f64,
    /// By the density \[g/cm³\], at constant T.
    pub by_density: f64,
    /// By the amount of ions \[mol/g\].
    pub by_ions: f64,
    /// By the amount of electrons \[mol/g\].
    pub by_electrons: f64,
}

/// The equation of state; it has tables of its own.
#[derive(Debug, Clone)]
pub struct Plasma {
    /// Points between −1 and 1, and their weights.
    points: [[f64; 2]; POINTS],
}

impl Default for Plasma {
    fn default() -> Self {
        Self { points: legendre() }
    }
}

impl Plasma {
    /// Pressure and internal energy at T \[K\] and a density \[g/cm³\]. The rest mass of electrons is not in the energy, that
    /// of pairs is. `None` where a number is not positive, or no η is found.
    pub fn state(&self, t: f64, rho: f64, matter: Matter) -> Option<[Property; 2]> {
        self.state_near(t, rho, matter, &mut Near::default())
    }

    /// The same of a state that may be near another one, which then takes less than half of the time.
    pub(super) fn state_near(&self, t: f64, rho: f64, matter: Matter, near: &mut Near) -> Option<[Property; 2]> {
        let possible = |x: f64| x.is_finite() && x > 0.0;
        if ![t, rho, matter.ions, matter.electrons].into_iter().all(possible) {
            return None;
        }
        let per_gram = AVOGADRO * matter.electrons;
        let [_, energy, pressure] = self.electrons(t, rho * per_gram, near)?;
        let (gas, light) = (AVOGADRO * BOLTZMANN, RADIATION * t.powi(3));
        let pressure = Property {
            value: gas * t * rho * matter.ions + light * t / 3.0 + pressure.x,
            by_temperature: gas * rho * matter.ions + 4.0 / 3.0 * light + pressure.by[0],
            by_density: gas * t * matter.ions + pressure.by[1] * per_gram,
            by_ions: gas * t * rho,
            by_electrons: pressure.by[1] * rho * AVOGADRO,
        };
        let energy = Property {
            value: 1.5 * gas * t * matter.ions + (light * t + energy.x) / rho,
            by_temperature: 1.5 * gas * matter.ions + (4.0 * light + energy.by[0]) / rho,
            by_density: (energy.by[1] * per_gram - (light * t + energy.x) / rho) / rho,
            by_ions: 1.5 * gas * t,
            by_electrons: energy.by[1] * AVOGADRO,
        };
        Some([pressure, energy])
    }

    /// The density \[g/cm³\] at T \[K\] and a pressure \[erg/cm³\], sought from `rho` on. `None` where light alone has a larger
    /// pressure.
    pub fn density(&self, t: f64, pressure: f64, matter: Matter, rho: f64) -> Option<f64> {
        self.at_pressure(t, pressure, matter, rho, &mut Near::default()).map(|found| found.0)
    }

    /// The same, with the state.
    pub(super) fn at_pressure(
        &self,
        t: f64,
        pressure: f64,
        matter: Matter,
        mut rho: f64,
        near: &mut Near,
    ) -> Option<(f64, [Property; 2])> {
        for _ in 0..100 {
            let state = self.state_near(t, rho, matter, near)?;
            let lacking = pressure - state[0].value;
            let change = lacking / state[0].by_density;
            // Where light and pairs press, a density is known no better than the pressure lets it be.
            if change.abs() < 1e-13 * rho || lacking.abs() <= ROUNDING * pressure {
                return Some((rho, state));
            }
            rho = (rho + change).max(0.1 * rho).min(10.0 * rho);
        }
        None
    }

    /// Electrons and positrons, as functions of T \[K\] and of the number of electrons that is more than that of positrons.
    fn electrons(&self, t: f64, n: f64, near: &mut Near) -> Option<Gas> {
        let beta = BOLTZMANN * t / REST;
        let guess = near.eta(t, n);
        let (eta, gas) = self.degeneracy(beta, n, guess)?;
        // Near another state derivatives may lack what the last change of η makes of them, some 1e-8.
        let [number, energy, pressure] = if guess.is_nan() { self.pairs(eta, beta) } else { gas };
        // From η and β to T and n.
        let by_t = BOLTZMANN / REST;
        let eta_by_n = 1.0 / number.by[0];
        let eta_by_t = -number.by[1] * by_t * eta_by_n;
        *near = Near { t, n, eta: Value { x: eta, by: [eta_by_t, eta_by_n] } };
        let turned = |of: Value| Value { x: of.x, by: [of.by[1] * by_t + of.by[0] * eta_by_t, of.by[0] * eta_by_n] };
        Some([turned(number), turned(energy), turned(pressure)])
    }

    /// η, with which there are n more electrons than positrons, sought from `guess` on, and what they are there. There are as many of
    /// both at −1/β.
    fn degeneracy(&self, beta: f64, n: f64, guess: f64) -> Option<(f64, Gas)> {
        let momentum = (3.0 * PI * PI * n).cbrt() * PLANCK / (2.0 * PI * ELECTRON * LIGHT);
        // That of matter without heat, which is larger.
        let fermi = momentum * momentum / ((1.0 + momentum * momentum).sqrt() + 1.0) / beta;
        let (mut low, mut high) = (-1.0 / beta, fermi + 1.0);
        let thin = (n / (scale() * beta.powf(1.5) * (0.5 * PI.sqrt()))).ln();
        let mut eta = match guess {
            guess if guess > low && guess < high => guess,
            _ if thin < -1.0 => thin,
            _ => fermi,
        };
        for _ in 0..200 {
            if !(eta > low && eta < high) {
                eta = 0.5 * (low + high);
            }
            let gas = self.pairs(eta, beta);
            let number = gas[0];
            if number.x < n {
                low = eta;
            } else {
                high = eta;
            }
            // Newton's method for the logarithm, which is straight in thin matter.
            let off = if number.x > 0.0 { (number.x / n).ln() } else { f64::NAN };
            let next = eta - off * number.x / number.by[0];
            // Where pairs are nearly all there is, rounding of η leaves the number off by more.
            let done = off.abs() <= CLOSE
                || (next - eta).abs() <= 1e-14 * eta.abs().max(1.0)
                || high - low <= 1e-15 * eta.abs();
            if done {
                let left = if next.is_nan() { 0.0 } else { next - eta };
                // What is neglected is of the square of the last change, as in η itself.
                return Some((eta + left, gas.map(|of| Value { x: of.x + of.by[0] * left, ..of })));
            }
            eta = next;
        }
        None
    }

    /// Electrons less positrons, and the energy and pressure of both, as functions of η and β.
    fn pairs(&self, eta: f64, beta: f64) -> Gas {
        let electrons = self.gas(eta, beta);
        let opposite = -eta - 2.0 / beta;
        if opposite < NONE {
            return electrons;
        }
        // Of η and β, through −η − 2/β.
        let turned = |of: Value| Value { x: of.x, by: [-of.by[0], of.by[1] + of.by[0] * 2.0 / (beta * beta)] };
        let [number, energy, pressure] = self.gas(opposite, beta).map(turned);
        [
            electrons[0].plus(number.times(-1.0)),
            electrons[1].plus(energy).plus(number.times(2.0 * REST)),
            electrons[2].plus(pressure),
        ]
    }

    /// Number, energy and pressure of particles of one kind.
    fn gas(&self, eta: f64, beta: f64) -> Gas {
        let [half, three, five] = self.integrals(eta, beta);
        let sum = |a: Value, factor: f64, b: Value| Value {
            x: a.x + factor * beta * b.x,
            by: [a.by[0] + factor * beta * b.by[0], a.by[1] + factor * (b.x + beta * b.by[1])],
        };
        let raised = |scale: f64, power: f64, of: Value| {
            let to = scale * beta.powf(power);
            Value { x: to * of.x, by: [to * of.by[0], to * (of.by[1] + power / beta * of.x)] }
        };
        [
            raised(scale(), 1.5, sum(half, 1.0, three)),
            raised(scale() * REST, 2.5, sum(three, 1.0, five)),
            raised(scale() * REST * 2.0 / 3.0, 2.5, sum(three, 0.5, five)),
        ]
    }

    /// F_½, F_3/2 and F_5/2. With x = s² there is no root at zero.
    fn integrals(&self, eta: f64, beta: f64) -> [Value; 3] {
        let mut sums = [Value::default(); 3];
        let (shift, ends) = if eta > DEGENERATE { (eta, &ENDS[..]) } else { (0.0, &COLD_ENDS[..]) };
        let mut from = 0.0;
        for end in ends {
            let to = (shift + end).max(0.0).sqrt();
            if to > from {
                for [at, weight] in self.points {
                    let s = from + 0.5 * (to - from) * (1.0 + at);
                    add(&mut sums, s, 0.5 * (to - from) * weight, eta, beta);
                }
                from = to;
            }
        }
        sums
    }
}

/// C \[1/cm³\].
fn scale() -> f64 {
    8.0 * PI * SQRT_2 * (ELECTRON * LIGHT / PLANCK).powi(3)
}

/// Adds what the integrands are at s.
fn add(sums: &mut [Value; 3], s: f64, weight: f64, eta: f64, beta: f64) {
    let x = s * s;
    let e = (-(x - eta).abs()).exp();
    let occupied = if x > eta { e / (1.0 + e) } else { 1.0 / (1.0 + e) };
    let by_eta = e / ((1.0 + e) * (1.0 + e));
    let root = (1.0 + 0.5 * beta * x).sqrt();
    // x^k dx = 2 s^(2k+1) ds
    let mut power = 2.0 * x * weight;
    for sum in sums {
        sum.x += power * root * occupied;
        sum.by[0] += power * root * by_eta;
        sum.by[1] += power * x / (4.0 * root) * occupied;
        power *= x;
    }
}

/// Points and weights of Gauss and Legendre: the roots of P_n, by Newton's method.
fn legendre() -> [[f64; 2]; POINTS] {
    let n = POINTS as f64;
    std::array::from_fn(|i| {
        let mut x = (PI * (i as f64 + 0.75) / (n + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..10 {
            // k P_k = (2k − 1) x P_k−1 − (k − 1) P_k−2
            let (mut p, mut before) = (1.0, 0.0);
            for k in 1..=POINTS {
                let k = k as f64;
                (p, before) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k, p);
            }
            slope = n * (x * p - before) / (x * x - 1.0);
            x -= p / slope;
        }
        [x, 2.0 / ((1.0 - x * x) * slope * slope)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATTER: Matter = Matter { ions: 0.07, electrons: 0.5 };
    /// T, density, pressure, energy.
    const GOLDEN: [(f64, f64, f64, f64); 6] = [
        (1e7, 1e2, 4.909_682_165_528e16, 7.382_119_681_405e14),
        (1e8, 1e6, 2.724_815_317_453e22, 4.461_566_504_045e16),
        (1e9, 1e7, 1.001_400_312_279e24, 1.924_833_435_140e17),
        (5e9, 1e9, 5.537_581_283_002e26, 1.412_217_662_223e18),
        (8e9, 1e4, 2.654_547_143_320e25, 8.294_095_188_340e21),
        (3e7, 1e10, 1.059_839_021_597e28, 2.953_940_856_535e18),
    ];

    fn close(got: f64, want: f64, within: f64) {
        assert!((got - want).abs() <= within * want.abs(), "{got:e} {want:e}");
    }

    /// T (∂p/∂T) = p − ρ² (∂e/∂ρ), and derivatives are those of the values.
    #[test]
    fn pressure_and_energy_belong_to_one_free_energy() {
        let plasma = Plasma::default();
        for t in [1e6, 3e7, 1e9, 6e9, 2e10] {
            for rho in [1e-6, 1e-1, 1e3, 1e7, 1e10] {
                let at = |t: f64, rho: f64, matter| plasma.state(t, rho, matter).unwrap();
                let [p, e] = at(t, rho, MATTER);
                // Where light has all of the energy, the difference of two large numbers is small.
                let scale = p.value + rho * rho * e.by_density.abs();
                let error = (t * p.by_temperature - p.value + rho * rho * e.by_density).abs();
                assert!(error < 1e-11 * scale, "{t:e} {rho:e}: {:e}", error / scale);
                let d = 1e-4;
                let by = |make: &dyn Fn(f64) -> [Property; 2], x: f64| {
                    let [up, down] = [make(x * (1.0 + d)), make(x * (1.0 - d))];
                    [0, 1].map(|i| (up[i].value - down[i].value) / (2.0 * d * x))
                };
                let warmer = by(&|t| at(t, rho, MATTER), t);
                let denser = by(&|rho| at(t, rho, MATTER), rho);
                let electrons = by(&|electrons| at(t, rho, Matter { electrons, ..MATTER }), MATTER.electrons);
                // A difference has the rounding of the values, over its width.
                let agrees = |difference: f64, own: f64, value: f64, x: f64| {
                    let noise = 1e-13 * value / (d * x);
                    assert!(
                        (difference - own).abs() < 1e-6 * own.abs() + noise,
                        "{t:e} {rho:e}: {difference:e} {own:e}"
                    );
                };
                for (i, own) in [p, e].into_iter().enumerate() {
                    agrees(warmer[i], own.by_temperature, own.value, t);
                    agrees(denser[i], own.by_density, own.value, rho);
                    agrees(electrons[i], own.by_electrons, own.value, MATTER.electrons);
                }
            }
        }
    }

    #[test]
    fn thin_matter_is_an_ideal_gas_and_cold_matter_has_the_pressure_of_its_density() {
        let plasma = Plasma::default();
        let (t, rho) = (1e7, 1e-3);
        let [p, e] = plasma.state(t, rho, MATTER).unwrap();
        let ideal = AVOGADRO * BOLTZMANN * t * (MATTER.ions + MATTER.electrons);
        close(p.value, ideal * rho + RADIATION * t.powi(4) / 3.0, 1e-6);
        // Electrons are a little faster than in the classical limit.
        close(e.value, 1.5 * ideal + RADIATION * t.powi(4) / rho, 1e-2);
        let rho = 1e9;
        let [p, _] = plasma.state(1e5, rho, MATTER).unwrap();
        let n = rho * AVOGADRO * MATTER.electrons;
        let x: f64 = (3.0 * n / (8.0 * PI)).cbrt() * PLANCK / (ELECTRON * LIGHT);
        let factor = PI * ELECTRON.powi(4) * LIGHT.powi(5) / (3.0 * PLANCK.powi(3));
        let ions = AVOGADRO * BOLTZMANN * 1e5 * rho * MATTER.ions;
        close(p.value - ions, factor * (x * (2.0 * x * x - 3.0) * (1.0 + x * x).sqrt() + 3.0 * x.asinh()), 1e-9);
    }

    /// Pressure and energy of half carbon and half oxygen, of `StellarEOS` of pynucastro 3.1.
    #[test]
    fn values_are_those_of_another_program() {
        let matter = Matter { ions: 0.5 / 12.0 + 0.5 / 16.0, electrons: 0.5 };
        for (t, rho, pressure, energy) in GOLDEN {
            let [p, e] = Plasma::default().state(t, rho, matter).unwrap();
            close(p.value, pressure, 5e-9);
            close(e.value, energy, 5e-9);
        }
    }

    #[test]
    fn density_is_found_and_impossible_matter_refused() {
        let plasma = Plasma::default();
        for (t, rho) in [(1e8, 1e2), (1e9, 1e7), (5e9, 1e9), (3e7, 1e6)] {
            let [p, _] = plasma.state(t, rho, MATTER).unwrap();
            close(plasma.density(t, p.value, MATTER, 30.0 * rho).unwrap(), rho, 1e-11);
        }
        // Where light and pairs press, too.
        for t9 in [0.02, 0.2, 1.0, 3.0, 8.0] {
            for rho in [1e-3, 0.7, 1e2, 3.3e4, 1e6, 2e9].map(|rho| rho * (1.0 + t9 / 7.0)) {
                let [p, e] = plasma.state(t9 * 1e9, rho, MATTER).unwrap();
                let (found, [q, _]) =
                    plasma.at_pressure(t9 * 1e9, p.value, MATTER, 0.3 * rho, &mut Near::default()).unwrap();
                let known = 1e-12 + 1e-13 * p.value / (rho * p.by_density);
                close(found, rho, known);
                close(q.value, p.value, 1e-12);
                assert!(e.value > 0.0);
            }
        }
        // Light alone has more.
        assert_eq!(plasma.density(1e9, 1e20, MATTER, 1.0), None);
        assert_eq!(plasma.state(-1.0, 1.0, MATTER), None);
        assert_eq!(plasma.state(1e9, 1.0, Matter { electrons: 0.0, ..MATTER }), None);
    }
}
