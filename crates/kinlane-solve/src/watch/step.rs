//! One step of a cell: its quantities at the ends and within the step.

use super::{Quantity, Sought};
use crate::gas::state::{parameter, pressure};
use crate::options::Reactor;

/// Number of states within a step that are computed at a time.
pub const STATES: usize = 8;

/// A step of one cell: the states at both ends (phi, T, sigma, and an imposed quantity if there is one), with
/// their rates.
#[allow(missing_debug_implementations, reason = "it holds functions")]
pub struct Step<'a> {
    /// Time at the start, and length \[s\].
    pub t: f64,
    /// See `t`.
    pub h: f64,
    /// State and rate at its start.
    pub y0: &'a dyn Fn(usize) -> f64,
    /// See `y0`.
    pub f0: &'a dyn Fn(usize) -> f64,
    /// State and rate at its end.
    pub y1: &'a dyn Fn(usize) -> f64,
    /// See `y1`.
    pub f1: &'a dyn Fn(usize) -> f64,
    /// Number of species.
    pub species: usize,
    /// Pressure \[Pa\] or density \[kg/m³\], as the reactor requires, where neither is imposed.
    pub parameter: f64,
    /// Index of an imposed pressure or specific volume among the variables.
    pub imposed: Option<usize>,
    /// The kind of reactor.
    pub reactor: Reactor,
    /// Computes the states at times \[s\] after the start, \[times, variables\], by advancing the cell once
    /// more from there. NaN where it does not arrive.
    pub between: &'a dyn Fn(&[f64], &mut [f64]),
}

impl Step<'_> {
    /// Variable `i` and its rate on the Hermite cubic, at `x` between 0 and 1; exact at the ends, a guess
    /// between them.
    fn at(&self, i: usize, x: f64) -> [f64; 2] {
        let (a, b) = ((self.y0)(i), (self.y1)(i));
        let (fa, fb) = ((self.f0)(i) * self.h, (self.f1)(i) * self.h);
        if x == 1.0 {
            return [b, fb / self.h];
        }
        let rise = b - a;
        // y = a + x (rise + (1 − x) ((1 − x)(fa − rise) − x (fb − rise)))
        let (u, p, q) = (1.0 - x, fa - rise, fb - rise);
        let inner = u * p - x * q;
        let value = a + x * (rise + u * inner);
        let slope = rise + (1.0 - 2.0 * x) * inner - x * u * (p + q);
        [value, slope / self.h]
    }

    /// T, p, sigma and rho at `x`, with their rates.
    fn scalars(&self, x: f64) -> Scalars {
        let n = self.species;
        let ([t, dt], [sigma, dsigma]) = (self.at(n, x), self.at(n + 1, x));
        let imposed = self.imposed.map(|i| self.at(i, x));
        match self.reactor {
            // rho = p/(R T sigma)
            Reactor::ConstP | Reactor::FixedT => {
                let [p, dp] = imposed.unwrap_or([self.parameter, 0.0]);
                let rho = parameter(Reactor::ConstV, p, t, sigma);
                Scalars { t, dt, p, dp, sigma, dsigma, rho, drho: rho * (dp / p - dt / t - dsigma / sigma) }
            }
            Reactor::ConstV => {
                let [rho, drho] = imposed.map_or([self.parameter, 0.0], |[v, dv]| [1.0 / v, -dv / (v * v)]);
                let p = pressure(Reactor::ConstV, rho, t, sigma);
                let dp = p * (drho / rho + dt / t + dsigma / sigma);
                Scalars { t, dt, p, dp, sigma, dsigma, rho, drho }
            }
        }
    }

    /// The error that the tolerances allow in a quantity that is `value` at the end of the step.
    pub(super) fn open(&self, q: Quantity, value: f64, w: &Sought<'_>) -> f64 {
        let atol = match q {
            Quantity::Temperature | Quantity::Pressure => 0.0,
            Quantity::MassFraction(k) => w.atol_of(k),
            Quantity::MoleFraction(k) => w.atol_of(k) / (w.molar_mass[k] * self.scalars(1.0).sigma),
            Quantity::Concentration(k) => w.atol_of(k) / w.molar_mass[k] * self.scalars(1.0).rho,
        };
        w.rtol * value.abs() + atol
    }

    /// A quantity and its rate at `x` on the cubic; molar masses \[kg/mol\] turn phi into mass fractions.
    pub(super) fn value(&self, q: Quantity, x: f64, molar_mass: &[f64]) -> [f64; 2] {
        let s = self.scalars(x);
        match q {
            Quantity::Temperature => [s.t, s.dt],
            Quantity::Pressure => [s.p, s.dp],
            Quantity::MassFraction(k) => self.at(k, x).map(|v| v * molar_mass[k]),
            Quantity::MoleFraction(k) => {
                let [phi, d] = self.at(k, x);
                [phi / s.sigma, (d - phi * s.dsigma / s.sigma) / s.sigma]
            }
            Quantity::Concentration(k) => {
                let [phi, d] = self.at(k, x);
                [phi * s.rho, d * s.rho + phi * s.drho]
            }
        }
    }

    /// The variables at every `x`, at most [`STATES`] of them, within the tolerances; taken from the cubic
    /// where the cell cannot be advanced.
    pub(super) fn states(&self, x: &[f64], to: &mut [f64]) {
        let inside = |x: f64| 0.0 < x && x < 1.0;
        let n = to.len() / x.len();
        let mut times = [0.0; STATES];
        let mut count = 0;
        x.iter().filter(|x| inside(**x)).for_each(|x| {
            times[count] = x * self.h;
            count += 1;
        });
        // The states inside the step are computed first, packed; then each is moved to its place, from the
        // last one on.
        (self.between)(&times[..count], &mut to[..count * n]);
        for (i, &x) in x.iter().enumerate().rev() {
            if inside(x) {
                count -= 1;
                to.copy_within(count * n..(count + 1) * n, i * n);
            }
            let state = &mut to[i * n..(i + 1) * n];
            if !inside(x) || state[0].is_nan() {
                state.iter_mut().enumerate().for_each(|(i, to)| *to = self.at(i, x.clamp(0.0, 1.0))[0]);
            }
        }
    }

    /// Reads something from this step as if it ended in `state`.
    fn ending<T>(&self, state: &[f64], read: impl FnOnce(&Step<'_>) -> T) -> T {
        read(&Step { y1: &|i| state[i], ..*self })
    }

    /// The value of a quantity in a state.
    pub(super) fn value_in(&self, state: &[f64], q: Quantity, molar_mass: &[f64]) -> f64 {
        self.ending(state, |s| s.value(q, 1.0, molar_mass)[0])
    }

    /// Writes T, p and mass fractions of a state.
    pub(super) fn write(&self, state: &[f64], molar_mass: &[f64], out: &mut [f64]) {
        let s = self.ending(state, |s| s.scalars(1.0));
        (out[0], out[1]) = (s.t, s.p);
        out[2..].iter_mut().zip(state).zip(molar_mass).for_each(|((out, phi), w)| *out = phi * w);
    }
}

struct Scalars {
    t: f64,
    dt: f64,
    p: f64,
    dp: f64,
    sigma: f64,
    dsigma: f64,
    rho: f64,
    drho: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gas::R;

    const H: f64 = 0.3;
    /// Two species, T, sigma, and a pressure or a specific volume.
    const Y: [[f64; 5]; 2] = [[12.0, 20.0, 900.0, 32.0, 2.0], [15.0, 18.0, 1200.0, 33.0, 1.5]];
    const F: [[f64; 5]; 2] = [[4.0, -9.0, 2000.0, -5.0, -3.0], [30.0, 2.0, -500.0, 32.0, 1.0]];
    const MASSES: [f64; 2] = [0.02, 0.05];

    fn step(reactor: Reactor, imposed: Option<usize>) -> Step<'static> {
        Step {
            t: 0.0,
            h: H,
            y0: &|i| Y[0][i],
            f0: &|i| F[0][i],
            y1: &|i| Y[1][i],
            f1: &|i| F[1][i],
            species: 2,
            parameter: 1.2,
            imposed,
            reactor,
            between: &|_, to| to.fill(f64::NAN),
        }
    }

    /// The rate of every quantity is the slope of its values, whatever the reactor holds or a history imposes.
    #[test]
    fn rates_are_slopes_of_values() {
        use Quantity::{Concentration, MassFraction, MoleFraction, Pressure, Temperature};
        for reactor in [Reactor::ConstP, Reactor::ConstV, Reactor::FixedT] {
            for imposed in [None, Some(4)] {
                let s = step(reactor, imposed);
                for q in [Temperature, Pressure, MassFraction(0), MoleFraction(1), Concentration(0)] {
                    for x in [0.2, 0.5, 0.9] {
                        let (d, value) = (1e-4, |x: f64| s.value(q, x, &MASSES));
                        let slope = (value(x + d)[0] - value(x - d)[0]) / (2.0 * d * H);
                        let off = (value(x)[1] - slope).abs();
                        assert!(off <= 1e-5 * slope.abs(), "{reactor:?} {imposed:?} {q:?} at {x}: {off:e} of {slope}");
                    }
                }
            }
        }
    }

    /// What the absolute tolerance leaves open in a mass fraction is left open in a mole fraction Y/(W sigma) and in a concentration
    /// Y rho/W.
    #[test]
    fn tolerances_are_those_on_mass_fractions() {
        let w = Sought { times: &[], events: &[], molar_mass: &MASSES, rtol: 1e-3, atol: 1e-9, own: &[1.0, 4.0] };
        let (s, [.., t, sigma, _]) = (step(Reactor::ConstP, None), Y[1]);
        let open = |q| s.open(q, 0.0, &w);
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-14, "{a:e} {b:e}");
        near(open(Quantity::MassFraction(1)), 4e-9);
        near(open(Quantity::MoleFraction(1)), 4e-9 / (0.05 * sigma));
        near(open(Quantity::Concentration(1)), 4e-9 / 0.05 * 1.2 / (R * t * sigma));
        near(s.open(Quantity::MassFraction(0), -0.5, &w), 5e-4 + 1e-9);
        near(s.open(Quantity::Pressure, 3.0, &w), 3e-3);
    }
}
