//! A zone whose temperature changes, as a problem for the methods: mass fractions, with a dense Jacobian. The temperature follows
//! from them and from the energy, which is conserved: as a variable of its own it went astray where fast reactions balance, by
//! tenths of itself in some thousand steps.

use super::Held;
use super::plasma::{Matter, Near, Plasma};
use crate::Scheme;
use kinlane_mech::scheme::Step;
use kinlane_plan::lu::Factors;
use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::number::{Complex, ComplexArray};
use kinlane_plan::plan::RateProgram;
use kinlane_plan::{Scalar, Tables};
use kinlane_solve::dense::Lu;
use kinlane_solve::gas::gather::two_sum;
use kinlane_solve::methods::problem::{Allowance, Equations, Invariants, Linear, Measure};
use kinlane_solve::scheme::rate_constants;
use std::cell::RefCell;
use std::ops::RangeInclusive;

type M<'a> = Scalar<'a, f64>;

/// Outside these T9 the zone is given up.
pub(super) const TEMPERATURES: RangeInclusive<f64> = 1e-4..=1e3;
/// Relative change of T for derivatives by T. Rates have some 40th power of T: the next term is 2e-5 of the derivative.
const CHANGE: f64 = 1e-6;
/// Kelvin in a GK.
pub(super) const GIGA: f64 = 1e9;

/// What evaluations leave behind.
pub(super) struct Work {
    /// The arrays of the program of rate constants.
    arena: Vec<f64>,
    tables: Tables,
    /// Rate constants of the last evaluation.
    k: Vec<f64>,
    /// Row-major, of mass fractions.
    jacobian: Vec<f64>,
    lu: Lu,
    /// The last state of matter.
    last: Known,
    /// That at the end of the last step: an iteration that went astray may have left one from which no way leads back.
    settled: Known,
    /// Mass fractions of the last state.
    fractions: Vec<f64>,
    /// How T follows from mass fractions, there: ∂T/∂X \[K\].
    slopes: Vec<f64>,
    /// The factor on the absolute tolerance of each.
    tolerances: Vec<f64>,
}

/// From where a state of matter is sought.
#[derive(Clone, Copy)]
struct Known {
    t9: f64,
    density: f64,
    near: Near,
}

/// What a zone conserves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Kept {
    /// The sum of mass fractions.
    pub sum: f64,
    /// The energy (at constant pressure the enthalpy) with that of the masses of nuclides \[erg/g\].
    pub energy: f64,
}

/// Bound on one correction of mass fractions, as a part of them.
const MOST: f64 = 1e-3;
/// A last correction of T by this part of it is as good as the next.
const SMALL: f64 = 1e-7;
/// A change of T by less than this part of it may be told from slopes.
const NEAR: f64 = 0.1;

impl Work {
    pub fn new(scheme: &Scheme, [t9, density]: [f64; 2], tolerances: Vec<f64>) -> Self {
        let n = scheme.species_count();
        let last = Known { t9, density, near: Near::default() };
        Self {
            arena: vec![0.0; scheme.program.len],
            tables: Tables::default(),
            k: vec![0.0; scheme.reaction_count()],
            jacobian: vec![0.0; n * n],
            lu: Lu::new(n),
            last,
            settled: last,
            fractions: vec![0.0; n],
            slopes: vec![0.0; n],
            tolerances,
        }
    }

    /// The zone goes on from there. What iterations begin with, a Jacobian and its factors among that, stays.
    pub fn enter(&mut self, [t9, density]: [f64; 2]) {
        self.last = Known { t9, density, near: Near::default() };
        self.settled = self.last;
        self.slopes.fill(0.0);
    }

    /// What T9 should be about at mass fractions: as it follows from those of the last state, if they are near.
    fn expected(&self, y: &[f64]) -> f64 {
        let changes = self.slopes.iter().zip(y.iter().zip(&self.fractions));
        let warmer = changes.map(|(slope, (y, last))| slope * (y - last)).sum::<f64>() / GIGA;
        if warmer.abs() < NEAR * self.last.t9 { self.last.t9 + warmer } else { self.last.t9 }
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
    pub kept: Kept,
    pub work: &'a RefCell<Work>,
}

/// The matter of a zone.
pub(super) struct Thermal {
    /// The density \[g/cm³\].
    pub density: f64,
    /// Its derivative by T, with abundances and what is held \[g/(cm³ K)\].
    density_by_t: f64,
    /// What is conserved: see [`Kept::energy`].
    pub energy: f64,
    /// Its derivative by T, with abundances and what is held \[erg/(g K)\].
    capacity: f64,
    /// By how much T rises for a mol/g of each nuclide more \[K g/mol\].
    factors: Vec<f64>,
}

/// A zone as it follows from its mass fractions.
pub(super) struct Here {
    pub t9: f64,
    pub thermal: Thermal,
    pub abundances: Vec<f64>,
    near: Near,
}

impl Coupled<'_> {
    fn n(&self) -> usize {
        self.scheme.species_count()
    }

    /// Ions and electrons in a gram.
    pub fn matter(&self, abundances: &[f64]) -> Matter {
        let parts = &self.scheme.model.species;
        let electrons = abundances.iter().zip(parts).map(|(y, part)| y * part.charge).sum();
        Matter { ions: abundances.iter().sum(), electrons }
    }

    /// Matter at T \[K\], with a density that is held, or sought from `density` on. With internal energy e and pressure p
    ///
    /// ```text
    /// ρ held:  (∂e/∂T) dT = q − Σ (∂e/∂Yᵢ) dYᵢ
    /// p held:  with dρ from dp = 0, and (∂e/∂ρ − p/ρ²) dρ on the left
    /// ```
    ///
    /// where q = −N_A Σ Δmᵢ c² dYᵢ.
    pub fn thermal(&self, t: f64, abundances: &[f64], density: f64, near: &mut Near) -> Option<Thermal> {
        let matter = self.matter(abundances);
        let (density, [p, e]) = match self.held {
            Held::Density(density) => (density, self.plasma.state_near(t, density, matter, near)?),
            Held::Pressure(pressure) => self.plasma.at_pressure(t, pressure, matter, density, near)?,
        };
        let expansion = match self.held {
            Held::Density(_) => 0.0,
            Held::Pressure(_) => (e.by_density - p.value / (density * density)) / p.by_density,
        };
        let capacity = e.by_temperature - expansion * p.by_temperature;
        let (ions, electrons) = (e.by_ions - expansion * p.by_ions, e.by_electrons - expansion * p.by_electrons);
        let parts = self.scheme.model.species.iter();
        let factors =
            parts.clone().map(|part| (self.scheme.energy_of(part) - ions - part.charge * electrons) / capacity);
        let flow = if let Held::Pressure(_) = self.held { p.value / density } else { 0.0 };
        let released: f64 = abundances.iter().zip(parts.clone()).map(|(y, part)| self.scheme.energy_of(part) * y).sum();
        // dp = 0.
        let density_by_t = if let Held::Pressure(_) = self.held { -p.by_temperature / p.by_density } else { 0.0 };
        Some(Thermal { density, density_by_t, energy: e.value + flow - released, capacity, factors: factors.collect() })
    }

    /// The zone at mass fractions. Leaves nothing behind.
    pub fn look(&self, y: &[f64]) -> Option<Here> {
        let (last, settled) = {
            let work = self.work.borrow();
            (Known { t9: work.expected(y), ..work.last }, work.settled)
        };
        self.sought(y, last).or_else(|| self.sought(y, settled))
    }

    /// The zone at mass fractions: T by Newton's method from the energy, from a known state on.
    fn sought(&self, y: &[f64], from: Known) -> Option<Here> {
        let Known { t9, mut density, mut near } = from;
        let (mut t, abundances) = (t9 * GIGA, self.scheme.abundances(y));
        for _ in 0..50 {
            let mut thermal = self.thermal(t, &abundances, density, &mut near)?;
            density = thermal.density;
            let by = (self.kept.energy - thermal.energy) / (thermal.capacity * t);
            if !by.is_finite() {
                return None;
            }
            t *= 1.0 + by.clamp(-0.5, 1.0);
            if by.abs() < SMALL {
                // The density goes with T: where fast reactions balance, a tenth of a millionth of it too much is no little.
                thermal.density += thermal.density_by_t * by * t;
                return Some(Here { t9: t / GIGA, thermal, abundances, near });
            }
        }
        None
    }

    /// The same, from which the next one begins.
    pub fn at(&self, y: &[f64]) -> Option<Here> {
        let here = self.look(y)?;
        let mut work = self.work.borrow_mut();
        work.last = Known { t9: here.t9, density: here.thermal.density, near: here.near };
        work.fractions.copy_from_slice(y);
        work.slopes = self.scheme.abundances(&here.thermal.factors);
        Some(here)
    }

    /// The same at the end of a step.
    pub fn settle(&self, y: &[f64]) -> Option<Here> {
        let here = self.at(y)?;
        let mut work = self.work.borrow_mut();
        work.settled = work.last;
        Some(here)
    }

    /// dY/dt by rate constants. Sums have twice the digits: where fast reactions balance, the rounding of a rate is made good by the
    /// reaction itself, that of a sum by nothing, since it makes nucleons and energy.
    fn change(&self, k: &[f64], abundances: &[f64]) -> Vec<f64> {
        let mut sums = vec![[0.0; 2]; abundances.len()];
        for (step, k) in self.scheme.model.reactions.iter().zip(k) {
            let rate = k * product(step, abundances);
            // One after another, for three times a rate is rounded.
            let mut add = |&(i, n): &(usize, f64), x: f64| (0..n as usize).for_each(|_| sums[i] = two_sum(sums[i], x));
            step.reactants.iter().for_each(|term| add(term, -rate));
            step.products.iter().for_each(|term| add(term, rate));
        }
        sums.into_iter().map(|[high, low]| high + low).collect()
    }

    /// dX/dt at a temperature and density.
    fn f_at(&self, t9: f64, density: f64, abundances: &[f64], f: &mut [f64]) {
        let mut work = self.work.borrow_mut();
        work.constants(&self.scheme.program, t9, density, abundances);
        let change = self.change(&work.k, abundances);
        let change = change.iter().zip(self.scheme.weights());
        f.iter_mut().zip(change).for_each(|(f, (dy, weight))| *f = dy * weight);
    }

    /// f at mass fractions; NaN where there is no such matter.
    fn f(&self, y: &[f64], f: &mut [f64]) {
        match self.at(y) {
            Some(here) => self.f_at(here.t9, here.thermal.density, &here.abundances, f),
            None => f.fill(f64::NAN),
        }
    }

    /// f and J; that rate constants depend on abundances by themselves is left out.
    ///
    /// ```text
    /// J = ∂f/∂X + (∂f/∂T) (∂T/∂X)
    /// ```
    fn jacobian(&self, y: &[f64], f: &mut [f64]) {
        let n = self.n();
        let Some(Here { t9, thermal, abundances, mut near }) = self.at(y) else { return f.fill(f64::NAN) };
        let (warm, mut by_t) = (t9 * (1.0 + CHANGE), vec![f64::NAN; n]);
        if let Some(there) = self.thermal(warm * GIGA, &abundances, thermal.density, &mut near) {
            self.f_at(warm, there.density, &abundances, &mut by_t);
        }
        // Last, so that the rate constants that stay are those of `y`.
        self.f_at(t9, thermal.density, &abundances, f);
        by_t.iter_mut().zip(&*f).for_each(|(by_t, f)| *by_t = (*by_t - f) / ((warm - t9) * GIGA));
        let mut work = self.work.borrow_mut();
        let Work { k, jacobian, slopes, .. } = &mut *work;
        for (row, by_t) in jacobian.chunks_mut(n).zip(&by_t) {
            row.iter_mut().zip(&*slopes).for_each(|(j, slope)| *j = by_t * slope);
        }
        let parts = &self.scheme.model.species;
        for (step, k) in self.scheme.model.reactions.iter().zip(&*k) {
            for &(j, _) in &step.reactants {
                let slope = k * slope(step, &abundances, j) / parts[j].weight;
                let mut add = |i: usize, n_i: f64| jacobian[i * n + j] += n_i * slope * parts[i].weight;
                step.reactants.iter().for_each(|&(i, n_i)| add(i, -n_i));
                step.products.iter().for_each(|&(i, n_i)| add(i, n_i));
            }
        }
    }

    fn factored(&self, d: f64) {
        let Work { jacobian, lu, .. } = &mut *self.work.borrow_mut();
        let n = self.n();
        let a = lu.cleared();
        a.iter_mut().zip(&*jacobian).for_each(|(a, j)| *a = -j);
        (0..n).for_each(|i| a[i * (n + 1)] += d);
        lu.factor();
    }
}

/// Π |Y|^n of the reactants, negative where one is below zero by noise: reactions run backwards there, and bring it back. A rate cut
/// at zero would not do what J says, and Newton's iteration would end nowhere.
fn product(step: &Step, abundances: &[f64]) -> f64 {
    let power = |&(i, n): &(usize, f64)| power(abundances[i].abs(), n);
    let size: f64 = step.reactants.iter().map(power).product();
    if step.reactants.iter().any(|(i, _)| abundances[*i] < 0.0) { -size } else { size }
}

/// x^n, n one to three as a rule.
fn power(x: f64, n: f64) -> f64 {
    (1..n as usize).fold(x, |product, _| product * x)
}

/// Its derivative by the abundance of a reactant.
fn slope(step: &Step, abundances: &[f64], by: usize) -> f64 {
    let power = |&(i, n): &(usize, f64)| match abundances[i].abs() {
        y if i == by => n * if n > 1.0 { power(y, n - 1.0) } else { 1.0 },
        y => power(y, n),
    };
    let size: f64 = step.reactants.iter().map(power).product();
    let others = step.reactants.iter().any(|&(i, _)| i != by && abundances[i] < 0.0);
    // Where it is the only one below zero, less of it makes the product more negative.
    if others && abundances[by] >= 0.0 { -size } else { size }
}

fn fill(m: M<'_>, to: Array, from: &[f64]) {
    from.iter().enumerate().for_each(|(i, x)| m.put(to, i, *x));
}

impl<'m> Equations<M<'m>> for Coupled<'_> {
    fn len(&self) -> usize {
        self.n()
    }
    fn rhs(&self, m: M<'m>, y: Array, f: Array) {
        let mut value = vec![0.0; self.len()];
        self.f(&m.read(y), &mut value);
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
    fn plausible(&self, _: M<'m>, _: Array) -> bool {
        TEMPERATURES.contains(&self.work.borrow().last.t9)
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
    fn grows(&self, _: M<'m>, _: bool, _: Array, _: Array, _: f64) -> bool {
        false
    }
    fn outdated(&self, _: M<'m>, _: Array) -> bool {
        false
    }
    fn solve(&self, m: M<'m>, b: Array) {
        let x = self.work.borrow().lu.solve(&m.read(b));
        fill(m, b, &x);
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
    /// The worst of the mass fractions, and of T, which errs by (∂T/∂X) e.
    fn norm(&self, m: M<'m>, y: Array, y1: Array, allowed: Allowance<f64>, e: impl Fn(usize) -> f64) -> f64 {
        let work = self.work.borrow();
        let of = |i: usize| {
            let size = m.get(y, i).abs().max(m.get(y1, i).abs());
            e(i).abs() / allowed.rtol.mul_add(size, work.tolerances[i] * allowed.atol)
        };
        let warmer: f64 = work.slopes.iter().enumerate().map(|(i, slope)| slope * e(i)).sum();
        let all = (0..self.n()).map(of).chain([warmer.abs() / (allowed.rtol * work.last.t9 * GIGA)]);
        // A NaN is the largest.
        all.fold(0.0, |most, e| {
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
        let own = &self.work.borrow().tolerances;
        (0..self.len()).for_each(|i| m.put(weight, i, rtol.mul_add(m.get(y, i).abs(), own[i] * atol)));
    }
}

/// Nucleons are conserved but for rounding, which adds up; energy is, since T follows from it.
impl<'m> Invariants<M<'m>> for Coupled<'_> {
    fn restore_sums(&self, _: M<'m>, _: Array, _: Array, _: f64) -> f64 {
        0.0
    }
    fn clip_noise(&self, _: M<'m>, _: Array, _: Array, _: f64, _: f64) {}
    fn remember(&self, _: M<'m>, _: Array) {}
    fn energy_lost(&self, _: M<'m>, _: Array, _: Array, _: f64, _: f64) -> [f64; 2] {
        [0.0; 2]
    }
    fn energy_lacking(&self, m: M<'m>, _: Array, _: f64, _: bool, b: Array) {
        fill(m, b, &vec![0.0; self.len()]);
    }
    fn keep(&self, m: M<'m>, y: Array, _: f64, accepted: bool, _: bool) {
        let n = self.n();
        let scale = self.kept.sum / (0..n).map(|i| m.get(y, i)).sum::<f64>();
        if accepted && (scale - 1.0).abs() < MOST {
            (0..n).for_each(|i| m.put(y, i, m.get(y, i) * scale));
        }
    }
}
