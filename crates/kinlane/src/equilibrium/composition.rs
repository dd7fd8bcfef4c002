//! The equilibrium composition at one temperature and a pressure or a volume.
//!
//! At equilibrium ln C_k = −G_k + Σ_i a_ki π_i with the element potentials π. In place of π the unknowns are the
//! logarithms y of the amounts of the components (see `basis.rs`), and the volume V per mass if the pressure is given:
//!
//! ```text
//! ln n_k = Σ_j ν_kj y_j + (1 − Σ_j ν_kj) ln V − r_k,   r_k = G_k − Σ_j ν_kj G_j
//! Σ_k ν_kj n_k = q_j        for every component j
//! V = R T Σ_k n_k / p       at given pressure
//! ```
//!
//! Each balance has terms of both signs. It is solved as ln(positive terms) = ln(negative terms), which is
//! nearly linear in y over any number of decades, so that Newton's method takes a few steps. If it fails, a
//! slower method is certain to succeed: at given volume the balances are the gradient of Σ n_k − Σ q_j y_j,
//! which is convex.

use super::basis::Basis;
use crate::standard::Standard;
use kinlane_solve::dense;
use kinlane_solve::gas::R;

/// Newton steps before the slower method is used.
const STEPS: usize = 80;
/// Relative residual at which balances count as fulfilled.
const EXACT: f64 = 2e-14;
/// The same where rounding allows nothing better.
const GOOD: f64 = 1e-11;
/// Largest change of a logarithm in one step.
const STRIDE: f64 = 60.0;
/// Steps of the slower method.
const CAREFUL: usize = 4000;
/// Factor by which a species must be more abundant than a component to replace it.
const EXCHANGE: f64 = 4.0;

/// What is held constant beside the temperature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Held {
    /// Pressure \[Pa\].
    Pressure(f64),
    /// Volume per mass \[m³/kg\].
    Volume(f64),
}

/// A mixture with fixed amounts of elements, and its equilibrium.
#[derive(Debug)]
pub struct Composition {
    /// The species that can be present, by index in the mechanism.
    species: Vec<usize>,
    basis: Basis,
    /// ln n of the components, followed by ln V.
    unknown: Vec<f64>,
    /// r of every species.
    excess: Vec<f64>,
    /// 1 − Σ ν of every species.
    expansion: Vec<f64>,
    /// n \[mol/kg\] of every species.
    moles: Vec<f64>,
    /// No species can have more moles \[mol/kg\].
    most: f64,
    /// Sums of the positive and of the negative terms of every balance.
    sides: Vec<[f64; 2]>,
    held: Held,
    t: f64,
    /// Number of Newton steps so far.
    pub steps: u32,
}

impl Composition {
    /// A mixture of `given` mol/kg of every species of the mechanism, to be solved first at the temperature
    /// of `gas`.
    pub fn new(gas: &Standard, given: &[f64], held: Held) -> Self {
        let network = gas.mechanism().network();
        let species = possible(gas, given);
        let elements = network.elements.len();
        let mut composition = vec![0.0; species.len() * elements];
        for (row, &k) in composition.chunks_exact_mut(elements.max(1)).zip(&species) {
            network.species[k].composition.iter().for_each(|&(e, atoms)| row[e] = atoms);
        }
        let most = most(gas, &species, given);
        let given: Vec<f64> = species.iter().map(|&k| given[k]).collect();
        let basis = Basis::new(composition, elements, given);
        let n = species.len();
        let mut mixture = Self {
            species,
            unknown: Vec::new(),
            excess: vec![0.0; n],
            expansion: vec![0.0; n],
            moles: vec![0.0; n],
            most,
            sides: vec![[0.0; 2]; basis.len],
            basis,
            held,
            t: gas.t,
            steps: 0,
        };
        mixture.start(gas);
        mixture
    }

    /// Index in the mechanism and n \[mol/kg\] of every species that can be present.
    pub fn moles(&self) -> impl Iterator<Item = (usize, f64)> {
        self.species.iter().copied().zip(self.moles.iter().copied())
    }

    /// Volume per mass \[m³/kg\].
    pub fn volume(&self) -> f64 {
        self.unknown[self.basis.len].exp()
    }

    /// Finds the equilibrium at the temperature of `gas`, starting from the last one. `false` only if numbers
    /// overflow.
    pub fn solve(&mut self, gas: &Standard, held: Held) -> bool {
        self.held = held;
        self.t = gas.t;
        if let Held::Volume(v) = held {
            self.unknown[self.basis.len] = v.ln();
        }
        self.prepare(gas);
        if self.newton(gas) {
            return true;
        }
        // The last equilibrium was too far away: start anew, which is certain to succeed.
        self.start(gas);
        self.newton(gas) || {
            self.start(gas);
            self.carefully(gas)
        }
    }

    /// Sets the components and their amounts as well as possible without solving anything.
    fn start(&mut self, gas: &Standard) {
        let total = self.basis.total();
        let volume = match self.held {
            Held::Volume(v) => v,
            Held::Pressure(p) => total * R * gas.t / p,
        };
        // μ/RT of every species as if it were the only one.
        let potential: Vec<f64> = self.species.iter().map(|&k| gas.gibbs[k] + (total / volume).ln()).collect();
        self.basis.descend(&potential);
        self.unknown = self.basis.amount.iter().map(|&q| q.max(total * 1e-12).ln()).collect();
        self.unknown.push(volume.ln());
        self.prepare(gas);
    }

    /// dn/dT \[mol/(kg K)\] of every species along the equilibria, with `held` constant.
    pub fn slopes(&self, gas: &Standard) -> Option<Vec<f64>> {
        let c = self.basis.len;
        // dG/dT = −h/RT² + 1/T
        let dg: Vec<f64> = self.species.iter().map(|&k| (1.0 - gas.enthalpy[k]) / gas.t).collect();
        let direct: Vec<f64> = (0..self.species.len())
            .map(|k| {
                let made: f64 = self.basis.row(k).iter().zip(&self.basis.member).map(|(nu, &m)| nu * dg[m]).sum();
                made - dg[k]
            })
            .collect();
        let mut b = vec![0.0; c + 1];
        for (k, (n, d)) in self.moles.iter().zip(&direct).enumerate() {
            for (j, nu) in self.basis.row(k).iter().enumerate() {
                b[j] -= nu * n * d / self.sides[j][usize::from(*nu < 0.0)];
            }
            b[c] -= n * d;
        }
        b[c] = match self.held {
            Held::Volume(_) => 0.0,
            Held::Pressure(_) => b[c] / self.moles.iter().sum::<f64>() - 1.0 / gas.t,
        };
        let d = dense::solve(self.matrix(), &b)?;
        let change = |k: usize| -> f64 {
            let made: f64 = self.basis.row(k).iter().zip(&d).map(|(nu, d)| nu * d).sum();
            self.moles[k] * (made + self.expansion[k] * d[c] + direct[k])
        };
        Some((0..self.species.len()).map(change).collect())
    }

    /// Computes r and 1 − Σ ν, which change with the temperature and with the components.
    fn prepare(&mut self, gas: &Standard) {
        let g = |k: usize| gas.gibbs[self.species[k]];
        for k in 0..self.species.len() {
            let row = self.basis.row(k);
            let made: f64 = row.iter().zip(&self.basis.member).map(|(nu, &m)| nu * g(m)).sum();
            self.excess[k] = g(k) - made;
            self.expansion[k] = 1.0 - row.iter().sum::<f64>();
        }
    }

    /// Computes the amounts of all species at `unknown` and the two sides of every balance. Returns the
    /// logarithms of the ratios of the sides.
    fn residual(&mut self, unknown: &[f64]) -> Vec<f64> {
        let c = self.basis.len;
        for (j, side) in self.sides.iter_mut().enumerate() {
            let q = self.basis.amount[j];
            *side = [(-q).max(0.0), q.max(0.0)];
        }
        let mut total = 0.0;
        for k in 0..self.species.len() {
            let row = self.basis.row(k);
            let made: f64 = row.iter().zip(unknown).map(|(nu, y)| nu * y).sum();
            let n = (made + self.expansion[k] * unknown[c] - self.excess[k]).min(600.0).exp();
            self.moles[k] = n;
            total += n;
            for (side, nu) in self.sides.iter_mut().zip(row) {
                side[usize::from(*nu < 0.0)] += nu.abs() * n;
            }
        }
        let mut g: Vec<f64> = self.sides.iter().map(|s| s[0].max(1e-300).ln() - s[1].max(1e-300).ln()).collect();
        g.push(match self.held {
            Held::Volume(_) => 0.0,
            Held::Pressure(p) => (total * R * self.t / p).ln() - unknown[c],
        });
        g
    }

    /// The derivative of the residual.
    fn matrix(&self) -> Vec<f64> {
        let c = self.basis.len;
        let w = c + 1;
        let mut a = vec![0.0; w * w];
        let mut total = 0.0;
        for (k, &n) in self.moles.iter().enumerate() {
            total += n;
            let row = self.basis.row(k);
            for (j, nu) in row.iter().enumerate().filter(|(_, nu)| **nu != 0.0) {
                let share = nu * n / self.sides[j][usize::from(*nu < 0.0)].max(1e-300);
                for (x, other) in a[j * w..].iter_mut().zip(row) {
                    *x += share * other;
                }
                a[j * w + c] += share * self.expansion[k];
                a[c * w + j] += nu * n;
            }
            a[c * w + c] += n * self.expansion[k];
        }
        for x in &mut a[c * w..] {
            *x = if matches!(self.held, Held::Volume(_)) { 0.0 } else { *x / total };
        }
        a[c * w + c] -= 1.0;
        a
    }

    fn newton(&mut self, gas: &Standard) -> bool {
        let mut y = self.unknown.clone();
        let mut g = self.residual(&y);
        let (mut best, mut waited) = (f64::INFINITY, 0);
        for _ in 0..STEPS {
            g = self.exchange(gas, &mut y, g);
            let size = largest(&g);
            if size < best * 0.5 {
                (best, waited) = (size, 0);
            } else {
                waited += 1;
            }
            if size < EXACT || size < GOOD && waited > 2 {
                self.unknown = y;
                return true;
            }
            self.steps += 1;
            self.unknown.clone_from(&y);
            let Some(d) = dense::solve(self.matrix(), &g.iter().map(|g| -g).collect::<Vec<_>>()) else { return false };
            let mut scale = (STRIDE / largest(&d)).min(1.0);
            let mut tries = 0;
            loop {
                let trial: Vec<f64> = y.iter().zip(&d).map(|(y, d)| y + scale * d).collect();
                let next = self.residual(&trial);
                // A step that increases the residual is shortened, but in the end it is taken: it may be the
                // way around.
                if largest(&next) < size || tries == 4 {
                    (y, g) = (trial, next);
                    break;
                }
                scale *= 0.4;
                tries += 1;
            }
        }
        false
    }

    /// Makes abundant species components, and limits amounts to what the elements allow: if all amounts are
    /// far above those given, no balance shows the way back. Returns the residual afterwards.
    fn exchange(&mut self, gas: &Standard, y: &mut [f64], mut g: Vec<f64>) -> Vec<f64> {
        let c = self.basis.len;
        for _ in 0..4 * c {
            let mut best = (EXCHANGE, None);
            for k in 0..self.species.len() {
                for (j, nu) in self.basis.row(k).iter().enumerate().filter(|(_, nu)| nu.abs() > 1e-6) {
                    let gain = self.moles[k] * nu.abs() / self.moles[self.basis.member[j]].max(1e-300);
                    if self.basis.member[j] != k && gain > best.0 {
                        best = (gain, Some((k, j)));
                    }
                }
            }
            if let Some((k, j)) = best.1 {
                self.basis.exchange(k, j);
                self.basis.settle();
                self.prepare(gas);
                y[j] = self.moles[k].max(1e-300).ln();
            }
            let most = self.most.ln();
            let cut = y.iter().take(c).any(|y| *y > most);
            if best.1.is_none() && !cut {
                break;
            }
            y.iter_mut().take(c).for_each(|y| *y = y.min(most));
            g = self.residual(y);
        }
        g
    }

    /// The slower method, which convexity at given volume makes certain; an outer iteration finds the volume.
    fn carefully(&mut self, gas: &Standard) -> bool {
        let c = self.basis.len;
        for _ in 0..200 {
            let held = self.held;
            self.held = Held::Volume(self.volume());
            let mut y = self.unknown.clone();
            self.descend(gas, &mut y);
            self.unknown = y.clone();
            self.held = held;
            let g = self.residual(&y);
            if largest(&g[..c]) < GOOD && g[c].abs() < EXACT * 10.0 {
                return true;
            }
            if !g[c].is_finite() {
                return false;
            }
            if largest(&g[..c]) < 1e-3 && self.newton(gas) {
                return true;
            }
            // N grows less than V, so this approaches p V = N R T from one side.
            self.unknown[c] += g[c];
        }
        false
    }

    /// Newton's method on the convex function Σ n − Σ q y, with each step short enough to lower it.
    fn descend(&mut self, gas: &Standard, y: &mut Vec<f64>) {
        let c = self.basis.len;
        let mut g = self.residual(y);
        for _ in 0..CAREFUL {
            g = self.exchange(gas, y, g);
            if largest(&g) < GOOD {
                return;
            }
            self.steps += 1;
            let (a, slope, value) = self.convex(y);
            // Scaled so that all components count alike, however scarce.
            let unit: Vec<f64> = (0..c).map(|j| a[j * c + j].sqrt()).collect();
            let scaled = a.iter().enumerate().map(|(i, x)| x / (unit[i / c] * unit[i % c])).collect();
            let b = slope.iter().zip(&unit).map(|(s, u)| -s / u).collect::<Vec<_>>();
            let Some(mut d) = dense::solve(scaled, &b) else { return };
            d.iter_mut().zip(&unit).for_each(|(d, u)| *d /= u);
            let stride = (STRIDE / largest(&d)).min(1.0);
            d.iter_mut().for_each(|d| *d *= stride);
            let fall: f64 = d.iter().zip(&slope).map(|(d, s)| d * s).sum();
            let mut scale = 1.0;
            loop {
                let mut trial = y.clone();
                trial.iter_mut().zip(&d).for_each(|(y, d)| *y += scale * d);
                g = self.residual(&trial);
                let next = self.convex(&trial).2;
                if next <= value + 1e-4 * scale * fall || scale < 1e-9 {
                    *y = trial;
                    break;
                }
                scale *= 0.5;
            }
        }
    }

    /// Second derivative, gradient and value of Σ n − Σ q y at the amounts of the last residual. The second
    /// derivative is kept from being singular.
    fn convex(&self, y: &[f64]) -> (Vec<f64>, Vec<f64>, f64) {
        let c = self.basis.len;
        let mut a = vec![0.0; c * c];
        let mut slope: Vec<f64> = self.basis.amount.iter().map(|q| -q).collect();
        for (k, &n) in self.moles.iter().enumerate() {
            let row = self.basis.row(k);
            for (j, nu) in row.iter().enumerate().filter(|(_, nu)| **nu != 0.0) {
                slope[j] += nu * n;
                a[j * c..(j + 1) * c].iter_mut().zip(row).for_each(|(x, other)| *x += nu * n * other);
            }
        }
        let linear: f64 = self.basis.amount.iter().zip(y).map(|(q, y)| q * y).sum();
        let value = self.moles.iter().sum::<f64>() - linear;
        for j in 0..c {
            a[j * c + j] = a[j * c + j] * (1.0 + 1e-13) + 1e-290;
        }
        (a, slope, value)
    }
}

/// The species that can be made from the elements of `given`: those that contain no absent element.
fn possible(gas: &Standard, given: &[f64]) -> Vec<usize> {
    let network = gas.mechanism().network();
    let (mut net, mut gross) = (vec![0.0; network.elements.len()], vec![0.0; network.elements.len()]);
    for (s, n) in network.species.iter().zip(given) {
        for &(e, atoms) in &s.composition {
            net[e] += atoms * n;
            gross[e] += (atoms * n).abs();
        }
    }
    let mut kept: Vec<usize> = (0..network.species.len()).collect();
    // The net charge may be zero although charges are present, as long as there are both signs. Removing
    // species may leave only one sign: so repeat until nothing changes.
    loop {
        let before = kept.len();
        for e in (0..net.len()).filter(|&e| net[e].abs() <= 1e-13 * gross[e]) {
            let atoms = |k: usize| network.species[k].composition.iter().find(|(i, _)| *i == e).map_or(0.0, |c| c.1);
            let has = |sign: f64| kept.iter().any(|&k| sign * atoms(k) > 0.0);
            if !(has(1.0) && has(-1.0)) {
                kept.retain(|&k| atoms(k) == 0.0);
            }
        }
        if kept.len() == before {
            return kept;
        }
    }
}

/// What no species can have more of \[mol/kg\], if `species` can be present: the moles of all atoms and charges that are `given`,
/// but that a species may have less than one atom, and that an atom may give off several electrons.
fn most(gas: &Standard, species: &[usize], given: &[f64]) -> f64 {
    let network = gas.mechanism().network();
    let electron = network.elements.iter().position(|e| e.symbol == "E");
    let sum = |k: usize, charges: bool| {
        let composition = network.species[k].composition.iter();
        composition.filter(|(e, _)| (Some(*e) == electron) == charges).map(|(_, n)| n.abs()).sum::<f64>()
    };
    let all: f64 = species.iter().map(|&k| given[k] * (sum(k, false) + sum(k, true))).sum();
    let least = species.iter().map(|&k| sum(k, false)).filter(|atoms| *atoms > 0.0).fold(1.0, f64::min);
    all * species.iter().map(|&k| sum(k, true)).fold(1.0, f64::max) / least
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, v| if v.is_nan() { f64::INFINITY } else { m.max(v.abs()) })
}
