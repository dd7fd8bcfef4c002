//! A zone whose temperature changes, as a problem for the methods: mass fractions and T9, with a dense Jacobian.

use super::Held;
use super::plasma::{Matter, Plasma};
use crate::Scheme;
use kinlane_mech::scheme::Step;
use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::number::{Complex, ComplexArray};
use kinlane_plan::plan::RateProgram;
use kinlane_plan::{Scalar, Tables};
use kinlane_solve::dense::Lu;
use kinlane_solve::methods::problem::{Allowance, Equations, Invariants, Linear, Measure};
use kinlane_solve::scheme::rate_constants;
use std::cell::RefCell;
use std::ops::RangeInclusive;

type M<'a> = Scalar<'a, f64>;

/// Outside these T9 the zone is given up.
const TEMPERATURES: RangeInclusive<f64> = 1e-4..=1e3;
/// Relative change of T for derivatives by T. Rates have some 40th power of T: the next term is 2e-5 of the derivative.
const CHANGE: f64 = 1e-6;
/// Kelvin in a GK.
const GIGA: f64 = 1e9;

/// What evaluations leave behind.
pub(super) struct Work {
    /// The arrays of the program of rate constants.
    arena: Vec<f64>,
    tables: Tables,
    /// Rate constants of the last evaluation.
    k: Vec<f64>,
    /// Row-major, of mass fractions and T9.
    jacobian: Vec<f64>,
    lu: Lu,
    /// The last density \[g/cm³\].
    pub density: f64,
}

impl Work {
    pub fn new(scheme: &Scheme, density: f64) -> Self {
        let n = scheme.species_names().len() + 1;
        Self {
            arena: vec![0.0; scheme.program.len],
            tables: Tables::default(),
            k: vec![0.0; scheme.reaction_count()],
            jacobian: vec![0.0; n * n],
            lu: Lu::new(n),
            density,
        }
    }

    /// Rate constants at T9, a density and abundances.
    fn constants(&mut self, program: &RateProgram, t9: f64, density: f64, abundances: &[f64]) {
        let m = Scalar::new(&self.tables, &mut self.arena);
        let at = program.surroundings;
        m.put(program.inputs, at.temperature, t9);
        m.put(program.inputs, at.density, density);
        abundances.iter().enumerate().for_each(|(i, y)| m.put(program.inputs, at.species + i, *y));
        rate_constants(m, program);
        self.k.iter_mut().enumerate().for_each(|(r, k)| *k = m.get(program.effective, r));
    }
}

/// What of a zone does not change.
#[derive(Clone, Copy)]
pub(super) struct Coupled<'a> {
    pub scheme: &'a Scheme,
    pub plasma: &'a Plasma,
    pub held: Held,
    pub work: &'a RefCell<Work>,
}

/// The rate of change of T \[K/s\] is Σ aᵢ dYᵢ/dt with these factors, one for each nuclide.
type Heating = Vec<f64>;

impl Coupled<'_> {
    fn n(&self) -> usize {
        self.scheme.species_names().len()
    }

    /// Ions and electrons in a gram.
    pub fn matter(&self, abundances: &[f64]) -> Matter {
        let parts = &self.scheme.model.species;
        let electrons = abundances.iter().zip(parts).map(|(y, part)| y * part.charge).sum();
        Matter { ions: abundances.iter().sum(), electrons }
    }

    /// Abundances of mass fractions.
    fn abundances(&self, y: &[f64]) -> Vec<f64> {
        y.iter().zip(&self.scheme.model.species).map(|(x, part)| x / part.weight).collect()
    }

    /// The density, and how T follows from abundances. With internal energy e and pressure p
    ///
    /// ```text
    /// ρ held:  (∂e/∂T) dT = q − Σ (∂e/∂Yᵢ) dYᵢ
    /// p held:  with dρ from dp = 0, and (∂e/∂ρ − p/ρ²) dρ on the left
    /// ```
    ///
    /// where q = −N_A Σ Δmᵢ c² dYᵢ.
    fn heating(&self, t: f64, abundances: &[f64], density: f64) -> Option<(f64, Heating)> {
        let matter = self.matter(abundances);
        let density = match self.held {
            Held::Density(density) => density,
            Held::Pressure(pressure) => self.plasma.density(t, pressure, matter, density)?,
        };
        let [p, e] = self.plasma.state(t, density, matter)?;
        let expansion = match self.held {
            Held::Density(_) => 0.0,
            Held::Pressure(_) => (e.by_density - p.value / (density * density)) / p.by_density,
        };
        let capacity = e.by_temperature - expansion * p.by_temperature;
        let (ions, electrons) = (e.by_ions - expansion * p.by_ions, e.by_electrons - expansion * p.by_electrons);
        let parts = self.scheme.model.species.iter();
        let released = parts.map(|part| self.scheme.energy_of(part) - ions - part.charge * electrons);
        Some((density, released.map(|q| q / capacity).collect()))
    }

    /// dY/dt by rate constants.
    fn change(&self, k: &[f64], abundances: &[f64]) -> Vec<f64> {
        let mut change = vec![0.0; abundances.len()];
        for (step, k) in self.scheme.model.reactions.iter().zip(k) {
            let rate = k * product(step, abundances, None);
            step.reactants.iter().for_each(|(i, n)| change[*i] -= n * rate);
            step.products.iter().for_each(|(i, n)| change[*i] += n * rate);
        }
        change
    }

    /// f at mass fractions and T9; NaN where there is no such matter.
    fn f(&self, y: &[f64], f: &mut [f64]) -> Option<Heating> {
        let (n, mut work) = (self.n(), self.work.borrow_mut());
        let (abundances, t9) = (self.abundances(&y[..n]), y[n]);
        let Some((density, heating)) = self.heating(t9 * GIGA, &abundances, work.density) else {
            f.fill(f64::NAN);
            return None;
        };
        work.density = density;
        work.constants(&self.scheme.program, t9, density, &abundances);
        let change = self.change(&work.k, &abundances);
        let parts = &self.scheme.model.species;
        f.iter_mut().zip(change.iter().zip(parts)).for_each(|(f, (dy, part))| *f = dy * part.weight);
        f[n] = change.iter().zip(&heating).map(|(dy, a)| dy * a).sum::<f64>() / GIGA;
        Some(heating)
    }

    /// f and J; that f depends on abundances through rate constants and heat capacities is left out.
    fn jacobian(&self, y: &[f64], f: &mut [f64]) {
        let n = self.n();
        let (mut warm, mut warmer) = (y.to_vec(), vec![0.0; n + 1]);
        warm[n] *= 1.0 + CHANGE;
        // First, so that the rate constants that stay are those of `y`.
        let _ = self.f(&warm, &mut warmer);
        let Some(heating) = self.f(y, f) else { return };
        let mut work = self.work.borrow_mut();
        let Work { k, jacobian, .. } = &mut *work;
        jacobian.fill(0.0);
        let (abundances, parts) = (self.abundances(&y[..n]), &self.scheme.model.species);
        for (step, k) in self.scheme.model.reactions.iter().zip(&*k) {
            for &(j, order) in &step.reactants {
                let slope = k * order * product(step, &abundances, Some(j)) / parts[j].weight;
                let mut add = |i: usize, n_i: f64| {
                    jacobian[i * (n + 1) + j] += n_i * slope * parts[i].weight;
                    jacobian[n * (n + 1) + j] += n_i * slope * heating[i] / GIGA;
                };
                step.reactants.iter().for_each(|&(i, n_i)| add(i, -n_i));
                step.products.iter().for_each(|&(i, n_i)| add(i, n_i));
            }
        }
        for i in 0..=n {
            jacobian[i * (n + 1) + n] = (warmer[i] - f[i]) / (warm[n] - y[n]);
        }
    }

    fn factored(&self, d: f64) {
        let Work { jacobian, lu, .. } = &mut *self.work.borrow_mut();
        let n = self.n() + 1;
        let a = lu.cleared();
        a.iter_mut().zip(&*jacobian).for_each(|(a, j)| *a = -j);
        (0..n).for_each(|i| a[i * (n + 1)] += d);
        lu.factor();
    }
}

/// Π Y^n of the reactants; without `but` one factor of that nuclide is left out.
fn product(step: &Step, abundances: &[f64], but: Option<usize>) -> f64 {
    let power = |&(i, n): &(usize, f64)| abundances[i].powi(n as i32 - i32::from(but == Some(i)));
    step.reactants.iter().map(power).product()
}

fn fill(m: M<'_>, to: Array, from: &[f64]) {
    from.iter().enumerate().for_each(|(i, x)| m.put(to, i, *x));
}

impl<'m> Equations<M<'m>> for Coupled<'_> {
    fn len(&self) -> usize {
        self.n() + 1
    }
    fn rhs(&self, m: M<'m>, y: Array, f: Array) {
        let mut value = vec![0.0; self.len()];
        let _ = self.f(&m.read(y), &mut value);
        fill(m, f, &value);
    }
    fn split(&self, m: M<'m>, y: Array, f: Array, q: Array, p: Array) {
        self.rhs_and_jacobian(m, y, f);
        let n = self.len();
        for i in 0..n {
            let decay = (-self.work.borrow().jacobian[i * (n + 1)]).max(0.0);
            m.put(p, i, decay);
            m.put(q, i, decay.mul_add(m.get(y, i), m.get(f, i)));
        }
    }
    fn begin(&self, _: M<'m>, _: Array, _: f64, _: f64) {}
    fn admit_negative(self, _: M<'m>, _: f64, _: bool) -> Self {
        self
    }
    fn plausible(&self, m: M<'m>, y: Array) -> bool {
        TEMPERATURES.contains(&m.get(y, self.n()))
    }
}

impl<'m> Linear<M<'m>> for Coupled<'_> {
    fn rhs_and_jacobian(&self, m: M<'m>, y: Array, f: Array) {
        let mut value = vec![0.0; self.len()];
        self.jacobian(&m.read(y), &mut value);
        fill(m, f, &value);
    }
    fn factor(&self, _: M<'m>, d: f64) {
        self.factored(d);
    }
    /// A zone may run away, and does.
    fn grows(&self, _: M<'m>, _: Array, _: Array, _: f64) -> bool {
        false
    }
    fn outdated(&self, _: M<'m>, _: Array) -> bool {
        false
    }
    fn solve(&self, m: M<'m>, b: Array) {
        let x = self.work.borrow().lu.solve(&m.read(b));
        fill(m, b, &x);
    }
    fn factor_in_place(&self, m: M<'m>, d: f64) {
        self.factor(m, d);
    }
    fn solve_in_place(&self, m: M<'m>, b: Array) {
        self.solve(m, b);
    }
    /// Only multistep methods are used, and they have no complex factors.
    fn factor_complex(&self, _: M<'m>, _: &Factors<ComplexArray>, _: Complex<f64>) {}
    fn solve_complex(&self, _: M<'m>, _: &Factors<ComplexArray>, _: ComplexArray) {}
    fn times(&self, m: M<'m>, v: Array, product: Array) {
        let (v, work) = (m.read(v), self.work.borrow());
        let rows = work.jacobian.chunks(self.len());
        let sums: Vec<f64> = rows.map(|row| row.iter().zip(&v).map(|(j, v)| j * v).sum()).collect();
        fill(m, product, &sums);
    }
    fn diagonal(&self, m: M<'m>, diagonal: Array) {
        let work = self.work.borrow();
        (0..self.len()).for_each(|i| m.put(diagonal, i, work.jacobian[i * (self.len() + 1)]));
    }
}

impl<'m> Measure<M<'m>> for Coupled<'_> {
    fn norm(&self, m: M<'m>, y: Array, y1: Array, allowed: Allowance<f64>, e: impl Fn(usize) -> f64) -> f64 {
        let of = |i: usize| e(i).abs() / allowed.rtol.mul_add(m.get(y, i).abs().max(m.get(y1, i).abs()), allowed.atol);
        // A NaN is the largest.
        (0..self.len()).map(of).fold(0.0, |most, e| {
            if e <= most {
                most
            } else if e <= f64::MAX {
                e
            } else {
                f64::MAX
            }
        })
    }
    fn size(&self, m: M<'m>, y: Array, rtol: f64, atol: f64, e: impl Fn(usize) -> f64) -> f64 {
        self.norm(m, y, y, Allowance { h: 0.0, span: 0.0, rtol, atol }, e)
    }
    fn weights(&self, m: M<'m>, y: Array, rtol: f64, atol: f64, weight: Array) {
        (0..self.len()).for_each(|i| m.put(weight, i, rtol.mul_add(m.get(y, i).abs(), atol)));
    }
}

/// The methods in use conserve sums, and with them the energy.
impl<'m> Invariants<M<'m>> for Coupled<'_> {
    fn restore_sums(&self, _: M<'m>, _: Array, _: Array, _: f64) -> f64 {
        0.0
    }
    fn clip_noise(&self, _: M<'m>, _: Array, _: Array, _: f64, _: f64) {}
    fn remember_energy(&self, _: M<'m>, _: Array) {}
    fn energy_lost(&self, _: M<'m>, _: Array, _: Array, _: f64, _: f64) -> f64 {
        0.0
    }
    fn energy_lacking(&self, m: M<'m>, _: Array, _: f64, _: bool, b: Array) {
        fill(m, b, &vec![0.0; self.len()]);
    }
    fn keep_energy(&self, _: M<'m>, _: Array, _: bool, _: bool) {}
}
