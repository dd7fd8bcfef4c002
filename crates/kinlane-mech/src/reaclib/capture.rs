//! Electron captures whose electrons follow the nuclides.

use crate::scheme::{Rate, Reaclib, Scheme, Step};
use crate::sums::add_to;

/// The scheme with electron captures that follow Yₑ, if there is any capture in it: Yₑ is a sum over nuclides, and so each
/// capture is a sum of reactions in which a charged nuclide takes part and stays as it is. Their rate constants depend on
/// no abundance.
///
/// ```text
/// k ρ Yₑ Π Y = Σᵢ (k ρ Zᵢ) Yᵢ Π Y
/// ```
///
/// Species are the same. Every capture becomes as many reactions as there are charged nuclides, each with its label.
pub fn following(scheme: &Scheme) -> Option<Scheme> {
    scheme.reactions.iter().find_map(capture)?;
    let mut reactions = Vec::with_capacity(scheme.reactions.len() + scheme.species.len());
    for step in &scheme.reactions {
        let Some(rate) = capture(step) else {
            reactions.push(step.clone());
            continue;
        };
        for (i, part) in scheme.species.iter().enumerate().filter(|(_, part)| part.charge != 0.0) {
            let mut beside = step.clone();
            beside.rate = Rate::Reaclib(Reaclib {
                factor: rate.factor * part.charge,
                density: rate.density + 1,
                capture: false,
                ..rate.clone()
            });
            for side in [&mut beside.reactants, &mut beside.products] {
                add_to(side, i, 1.0);
            }
            reactions.push(beside);
        }
    }
    Some(Scheme { reactions, ..scheme.clone() })
}

/// The rate of a reaction that captures an electron.
fn capture(step: &Step) -> Option<&Reaclib> {
    match &step.rate {
        Rate::Reaclib(rate) if rate.capture => Some(rate),
        _ => None,
    }
}
