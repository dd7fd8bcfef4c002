//! Mixtures of a fuel and an oxidizer.

use crate::Mechanism;

/// Why a fuel and an oxidizer have no mixture of a given equivalence ratio.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MixtureError {
    /// The fuel does not react with oxygen.
    #[error("the fuel takes up no oxygen: it needs C, H or S beyond the oxygen that it holds")]
    Fuel,
    /// The oxidizer provides no oxygen.
    #[error("the oxidizer gives no oxygen: it needs O beyond what its own C, H and S take up")]
    Oxidizer,
    /// The equivalence ratio is negative or not a number.
    #[error("the equivalence ratio is {0}, it must be zero or a positive number")]
    Ratio(f64),
    /// There is not one amount for each species.
    #[error("{what} has {got} amounts, the mechanism {want} species")]
    Length {
        /// `fuel` or `oxidizer`.
        what: &'static str,
        /// Amounts given.
        got: usize,
        /// Species of the mechanism.
        want: usize,
    },
}

impl Mechanism {
    /// Mass fractions of `fuel` and `oxidizer` (moles of every species, any total) mixed to the equivalence
    /// ratio `phi`: fuel per oxidizer, relative to the mixture that burns completely to CO2, H2O and SO2. 0
    /// is the oxidizer alone.
    ///
    /// # Errors
    /// [`MixtureError`].
    pub fn mass_fractions_of_ratio(&self, fuel: &[f64], oxidizer: &[f64], phi: f64) -> Result<Vec<f64>, MixtureError> {
        if !(phi.is_finite() && phi >= 0.0) {
            return Err(MixtureError::Ratio(phi));
        }
        let want = self.species_count();
        for (what, moles) in [("fuel", fuel), ("oxidizer", oxidizer)] {
            if moles.len() != want {
                return Err(MixtureError::Length { what, got: moles.len(), want });
            }
        }
        let (takes, gives) = (self.oxygen_demand(fuel), -self.oxygen_demand(oxidizer));
        if takes.is_nan() || takes <= 0.0 {
            return Err(MixtureError::Fuel);
        }
        if gives.is_nan() || gives <= 0.0 {
            return Err(MixtureError::Oxidizer);
        }
        let part = phi * gives / takes;
        // Of a ratio beyond all numbers the fuel alone is left.
        let [part, rest] = if part < 1e100 { [part, 1.0] } else { [1.0, part.recip()] };
        let moles: Vec<f64> = fuel.iter().zip(oxidizer).map(|(f, o)| part * f + rest * o).collect();
        Ok(self.mass_fractions(&moles))
    }

    /// Atoms of oxygen that complete combustion consumes, less those in the mixture.
    fn oxygen_demand(&self, moles: &[f64]) -> f64 {
        let network = self.network();
        let of = |symbol: &str| match symbol {
            "C" | "S" => 2.0,
            "H" | "D" | "Tr" => 0.5,
            "O" => -1.0,
            _ => 0.0,
        };
        let demand = |k: usize| -> f64 {
            let atoms = network.species.get(k).map_or(&[][..], |s| &s.composition);
            atoms.iter().map(|&(e, n)| n * network.elements.get(e).map_or(0.0, |e| of(&e.symbol))).sum()
        };
        moles.iter().enumerate().filter(|(_, n)| **n != 0.0).map(|(k, n)| n * demand(k)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stoichiometric_methane_takes_two_oxygen() {
        let m = Mechanism::bundled("gri30").expect("bundled");
        let moles = |list: &[(&str, f64)]| {
            let mut n = vec![0.0; m.species_count()];
            list.iter().for_each(|(name, x)| n[m.species_index(name).expect("a species")] = *x);
            n
        };
        let (fuel, air) = (moles(&[("CH4", 3.0)]), moles(&[("O2", 1.0), ("N2", 3.76)]));
        let got = m.mass_fractions_of_ratio(&fuel, &air, 0.5).expect("a mixture");
        let want = m.mass_fractions_of_moles(&[("CH4", 0.5), ("O2", 2.0), ("N2", 7.52)]).expect("a mixture");
        assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-15));
        assert_eq!(m.mass_fractions_of_ratio(&air, &air, 1.0), Err(MixtureError::Fuel));
        assert_eq!(m.mass_fractions_of_ratio(&fuel, &fuel, 1.0), Err(MixtureError::Oxidizer));
        // Beyond all ratios there is only fuel.
        let rich = m.mass_fractions_of_ratio(&fuel, &air, 1e308).expect("a mixture");
        assert!(rich.iter().zip(m.mass_fractions(&fuel)).all(|(y, want)| (y - want).abs() < 1e-15), "{rich:?}");
        assert_eq!(m.mass_fractions_of_ratio(&fuel, &air, -1.0), Err(MixtureError::Ratio(-1.0)));
    }

    /// 2 H2S + 3 O2 = 2 H2O + 2 SO2, and 2 D2 + O2 = 2 D2O.
    #[test]
    fn sulphur_and_deuterium_take_oxygen() {
        let text = "
phases: [{name: gas, thermo: ideal-gas}]
species:
- {name: H2S, composition: {H: 2, S: 1}, thermo: &t {model: constant-cp, h0: 0, s0: 0, cp0: 30 J/mol/K}}
- {name: D2, composition: {D: 2}, thermo: *t}
- {name: O2, composition: {O: 2}, thermo: *t}
";
        let m = Mechanism::from_text("fuels.yaml", text, None).expect("reads");
        for (fuel, both) in [([1.0, 0.0, 0.0], [1.0, 0.0, 1.5]), ([0.0, 1.0, 0.0], [0.0, 1.0, 0.5])] {
            let got = m.mass_fractions_of_ratio(&fuel, &[0.0, 0.0, 1.0], 1.0).expect("a mixture");
            assert!(got.iter().zip(m.mass_fractions(&both)).all(|(y, want)| (y - want).abs() < 1e-15), "{got:?}");
        }
    }
}
