//! What diffusion has taken beyond what there was, and the atoms that are too many without that debt.

use crate::Mechanism;
use nalgebra::{DMatrix, DVector};

/// Atoms of the elements in a kilogram of each species \[mol/kg\].
#[derive(Debug)]
pub(super) struct Atoms {
    /// \[elements, species\]
    of: DMatrix<f64>,
}

/// Singular values below this are of elements that others determine, as oxygen is in pure water.
const DEPENDENT: f64 = 1e-10;
/// No amount is changed by a larger part.
const MOST: f64 = 0.5;

impl Atoms {
    pub(super) fn new(mechanism: &Mechanism) -> Self {
        let network = mechanism.network();
        let mut of = DMatrix::zeros(network.elements.len(), network.species.len());
        for (k, species) in network.species.iter().enumerate() {
            species.composition.iter().for_each(|&(e, count)| of[(e, k)] = count / species.molar_mass);
        }
        Self { of }
    }

    /// Sets to zero what is below it, and takes the atoms that this adds from all others in proportion to what there is of each:
    ///
    /// ```text
    /// Y_k := max(Y_k, 0) (1 − Σ_e E_ek λ_e),   Σ_f (Σ_k E_ek E_fk max(Y_k, 0)) λ_f = Σ_k E_ek max(−Y_k, 0)
    /// ```
    pub(super) fn forgive(&self, y: &mut [f64]) {
        if !y.iter().any(|y| *y < 0.0) {
            return;
        }
        let debt = DVector::from_iterator(y.len(), y.iter().map(|y| (-y).max(0.0)));
        y.iter_mut().for_each(|y| *y = y.max(0.0));
        if let Some(shares) = self.shares(y, &(&self.of * debt)) {
            y.iter_mut().zip(&shares).for_each(|(y, share)| *y *= 1.0 - share);
        }
        let sum: f64 = y.iter().sum();
        y.iter_mut().for_each(|y| *y /= sum);
    }

    /// The part of each species that goes so that all together lose these atoms; none if that is not a small part.
    fn shares(&self, y: &[f64], atoms: &DVector<f64>) -> Option<DVector<f64>> {
        let weighted = DMatrix::from_fn(self.of.nrows(), y.len(), |e, k| self.of[(e, k)] * y[k].sqrt());
        let mut matrix = &weighted * weighted.transpose();
        // A diagonal of ones, whatever there is of an element; zero of one that is absent.
        let scale = matrix.diagonal().map(|x| if x > 0.0 { x.sqrt().recip() } else { 0.0 });
        for (e, f) in (0..scale.len()).flat_map(|e| (0..scale.len()).map(move |f| (e, f))) {
            matrix[(e, f)] *= scale[e] * scale[f];
        }
        let found = matrix.svd(true, true).solve(&atoms.component_mul(&scale), DEPENDENT).ok()?;
        let shares = self.of.tr_mul(&found.component_mul(&scale));
        let small = |(share, y): (&f64, &f64)| *y == 0.0 || share.abs() <= MOST;
        shares.iter().zip(y).all(small).then_some(shares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(atoms: &Atoms, y: &[f64], before: &DVector<f64>) -> f64 {
        let now = &atoms.of * DVector::from_column_slice(y);
        now.iter().zip(before).map(|(a, b)| if *b == 0.0 { a.abs() } else { (a / b - 1.0).abs() }).fold(0.0, f64::max)
    }

    #[test]
    fn a_debt_is_taken_back_in_atoms() {
        let mechanism = Mechanism::bundled("h2").expect("it is bundled");
        let atoms = Atoms::new(&mechanism);
        let place = |name| mechanism.species_index(name).expect("one of its species");
        // All elements but carbon; and water with what it is made of, which is water.
        let mixed = [("H2", 0.03), ("O2", 0.2), ("H2O", 0.07), ("N2", 0.7), ("AR", 1e-9), ("OH", -1e-5), ("H", -1e-8)];
        let pure = [("H2O", 1.0), ("OH", -17.008e-6), ("H", -1.008e-6)];
        for gas in [&mixed[..], &pure] {
            let mut y = vec![0.0; mechanism.species_count()];
            gas.iter().for_each(|&(name, part)| y[place(name)] = part);
            let before = &atoms.of * DVector::from_column_slice(&y);
            let sum: f64 = y.iter().sum();
            atoms.forgive(&mut y);
            assert!(y.iter().all(|y| *y >= 0.0) && (y.iter().sum::<f64>() - 1.0).abs() < 1e-15);
            assert!(off(&atoms, &y, &(before / sum)) < 1e-9, "{y:?}");
            // Nothing is left to be forgiven.
            let kept = y.clone();
            atoms.forgive(&mut y);
            assert_eq!(y, kept);
        }
    }
}
