//! Screening: in dense matter electrons between two nuclei lower the barrier that keeps them apart.

use crate::scheme::{Field, Part, Rate, Scheme};

/// How the rates of reactions between charged nuclei are enhanced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screening {
    /// The fit of Chugunov, DeWitt and Yakovlev, for nuclei of several kinds as Yakovlev and others extend it
    /// \[chugunov2007, yakovlev2006\].
    Chugunov2007,
}

impl Screening {
    /// All that there are.
    pub const ALL: [Self; 1] = [Self::Chugunov2007];

    /// Its name for users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chugunov2007 => "chugunov2007",
        }
    }
}

/// A nucleus that a reaction brings together with another: numbers of protons and of nucleons.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nucleus {
    /// Number of protons, Z.
    pub z: f64,
    /// Number of nucleons, A.
    pub a: f64,
}

/// He-4, which comes together with its like first.
const ALPHA: Nucleus = Nucleus { z: 2.0, a: 4.0 };

/// The scheme with screened rates: every reaction of two or more charged nuclei gets the pairs that meet in it.
#[must_use]
pub fn screened(mut scheme: Scheme, law: Screening) -> Scheme {
    debug_assert!(scheme.field == Field::Star, "an atmosphere is not screened");
    let species = &scheme.species;
    for step in &mut scheme.reactions {
        if let Rate::Reaclib(rate) = &mut step.rate {
            rate.pairs = pairs(&step.reactants, species);
        }
    }
    scheme.screening = Some(law);
    scheme
}

/// The pairs that meet in a reaction, one after the other: of three nuclei two become one, which meets the third. Two
/// He-4 come first, else the lightest.
fn pairs(reactants: &[(usize, f64)], species: &[Part]) -> Vec<[Nucleus; 2]> {
    let mut left = Vec::new();
    for &(k, count) in reactants {
        let Part { charge: z, weight: a, .. } = species[k];
        left.extend((0..count as usize).filter(|_| z != 0.0).map(|_| Nucleus { z, a }));
    }
    let mut pairs = Vec::new();
    while left.len() > 1 {
        left.sort_by(|x, y| x.z.total_cmp(&y.z).then(x.a.total_cmp(&y.a)));
        let alphas = left.iter().filter(|x| **x == ALPHA).count();
        let first = if alphas > 1 { left.iter().position(|x| *x == ALPHA).unwrap_or(0) } else { 0 };
        let [one, other] = [left.remove(first), left.remove(first)];
        pairs.push([one, other]);
        left.push(Nucleus { z: one.z + other.z, a: one.a + other.a });
    }
    pairs
}
