//! Thermonuclear rates: sums of REACLIB's sets, captured electrons, partition functions, and screening.

use super::program::Writer;
use crate::plan::Operation;
use kinlane_mech::network;
use kinlane_mech::scheme::{Partition, Reaclib};
use kinlane_mech::screening::{Nucleus, Screening};
use std::f64::consts::PI;

/// ħ \[erg s\], the elementary charge \[esu\] and the atomic mass unit \[g\], of CODATA 2018.
const HBAR: f64 = 1.054_571_817_646_156_5e-27;
const CHARGE: f64 = 4.803_204_712_570_263e-10;
const MASS_UNIT: f64 = 1.660_539_066_60e-24;
/// k \[erg/K\].
const BOLTZMANN: f64 = 1e7 * network::BOLTZMANN;

impl Writer<'_> {
    /// factor ρⁿ (ρ Yₑ) Π Gᵐ Π f Σ exp(p₀ + …)
    pub(super) fn reaclib(&mut self, rate: &Reaclib) -> usize {
        let sets: Vec<usize> = rate.sets.iter().map(|p| self.value(Operation::Reaclib(*p))).collect();
        let sum = self.sum(&sets);
        let factor = self.literal(rate.factor);
        let density = self.value(Operation::Input(self.at.density));
        let power = self.power(density, f64::from(rate.density));
        let mut scale = self.value(Operation::Mul(factor, power));
        if rate.capture {
            let electrons = self.electrons();
            let captured = self.value(Operation::Mul(density, electrons));
            scale = self.value(Operation::Mul(scale, captured));
        }
        let mut terms = Vec::new();
        for &(i, power) in &rate.partitions {
            let (ln_g, power) = (self.partition(i), self.literal(f64::from(power)));
            terms.push(self.value(Operation::Mul(power, ln_g)));
        }
        if let Some(law) = self.scheme.screening {
            terms.extend(rate.pairs.iter().map(|pair| self.screening(law, *pair)));
        }
        if !terms.is_empty() {
            let exponent = self.sum(&terms);
            let ratio = self.value(Operation::Exp(exponent));
            scale = self.value(Operation::Mul(scale, ratio));
        }
        self.value(Operation::Mul(sum, scale))
    }

    fn sum(&mut self, terms: &[usize]) -> usize {
        let sum = terms.iter().copied().reduce(|a, b| self.value(Operation::Add(a, b)));
        sum.unwrap_or_else(|| self.literal(0.0))
    }

    /// Yₑ = Σ Z Y \[mol/g\]
    fn electrons(&mut self) -> usize {
        if let Some(known) = self.electrons {
            return known;
        }
        let (at, scheme) = (self.at.species, self.scheme);
        let mut terms = Vec::new();
        for (k, part) in scheme.species.iter().enumerate().filter(|(_, part)| part.charge != 0.0) {
            let (z, y) = (self.literal(part.charge), self.value(Operation::Input(at + k)));
            terms.push(self.value(Operation::Mul(z, y)));
        }
        let sum = self.sum(&terms);
        self.electrons = Some(sum);
        sum
    }

    /// ln f of two nuclei that meet in the plasma \[yakovlev2006\], with nₑ = ρ Yₑ/mᵤ and z = (Z₁^⅓ + Z₂^⅓)/2:
    ///
    /// ```text
    /// Tₚ = (ħ e/k) √(4π Z₁Z₂ nₑ/(z³ 2μ))     Γ = (e²/k) ∛(4π nₑ/3) Z₁Z₂/(z T)
    /// ```
    fn screening(&mut self, law: Screening, [one, other]: [Nucleus; 2]) -> usize {
        let Screening::Chugunov2007 = law;
        // What depends on the cell is the same for all pairs: T nₑ^−½, and nₑ^−⅙.
        let (temperature, density) = (self.at.temperature, self.at.density);
        let [t9, density] = [temperature, density].map(|at| self.value(Operation::Input(at)));
        let electrons = self.electrons();
        let electrons = self.value(Operation::Mul(density, electrons));
        // Without any electron nothing is screened, and no number is infinite.
        let [unit, least, kelvin] = [1.0 / MASS_UNIT, 1.0, 1e9].map(|x| self.literal(x));
        let electrons = self.value(Operation::Mul(electrons, unit));
        let electrons = self.value(Operation::Max(electrons, least));
        let root = self.value(Operation::Sqrt(electrons));
        let t = self.value(Operation::Mul(t9, kelvin));
        let t = self.value(Operation::Div(t, root));
        let c = self.power(electrons, -1.0 / 6.0);
        // And what does not.
        let charges = one.z * other.z;
        let z = (one.z.cbrt() + other.z.cbrt()) / 2.0;
        let twice_reduced = 2.0 * one.a * other.a / (one.a + other.a) * MASS_UNIT;
        let plasma = HBAR * CHARGE / BOLTZMANN * (4.0 * PI * charges / (z.powi(3) * twice_reduced)).sqrt();
        let coupling = CHARGE.powi(2) / BOLTZMANN * (4.0 * PI / 3.0).cbrt() * charges / z;
        self.value(Operation::Screening(t, c, [1.0 / plasma, coupling / plasma]))
    }

    /// ln G of a nuclide: Σ wᵢ(T₉) ln Gᵢ, where wᵢ is 1 at point i and falls to 0 on straight lines at its neighbours. The
    /// weights are those of all nuclides on the same points, and no index depends on a cell.
    fn partition(&mut self, i: usize) -> usize {
        if let Some(&Some(known)) = self.partitions.get(i) {
            return known;
        }
        let Partition { t9, ln_g } = &self.scheme.partitions[i];
        let mut terms = Vec::new();
        for (point, &ln_g) in ln_g.iter().enumerate().filter(|(_, ln_g)| **ln_g != 0.0) {
            let (weight, ln_g) = (self.weight(t9, point), self.literal(ln_g));
            terms.push(self.value(Operation::Mul(weight, ln_g)));
        }
        let sum = self.sum(&terms);
        if self.partitions.len() <= i {
            self.partitions.resize(i + 1, None);
        }
        self.partitions[i] = Some(sum);
        sum
    }

    /// The weight of a point: the smaller of the slopes on both sides, between 0 and 1. The first and the last go on as 1.
    fn weight(&mut self, t9: &[f64], point: usize) -> usize {
        let t = self.value(Operation::Input(self.at.temperature));
        let here = t9[point];
        let [zero, one] = [0.0, 1.0].map(|x| self.literal(x));
        let mut weight = one;
        let neighbours = [point.checked_sub(1), Some(point + 1)];
        for other in neighbours.into_iter().flatten().filter_map(|i| t9.get(i)) {
            let [end, length] = [*other, here - *other].map(|x| self.literal(x));
            let distance = self.value(Operation::Sub(t, end));
            let slope = self.value(Operation::Div(distance, length));
            weight = self.value(Operation::Min(weight, slope));
        }
        self.value(Operation::Max(weight, zero))
    }
}
