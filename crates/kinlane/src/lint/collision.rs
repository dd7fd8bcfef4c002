//! Upper limit on the rate of collisions of two molecules.

use kinlane_mech::network::{AVOGADRO, BOLTZMANN, Network, Species};

/// Lennard-Jones diameter \[m\] and well depth over k_B \[K\] of a species.
///
/// Mechanisms are read without transport data, so both are estimated from the number of atoms: by a cube-root
/// law through methane and the alkanes up to decane, within 20 % of the values in common transport files.
fn molecule(network: &Network, s: &Species) -> [f64; 2] {
    let heavy: f64 = s
        .composition
        .iter()
        .filter(|&&(e, _)| !matches!(network.elements.get(e).map(|e| e.symbol.as_str()), Some("H" | "D" | "Tr" | "E")))
        .map(|c| c.1)
        .sum();
    match heavy {
        h if h < 0.5 => [2.6e-10, 90.0],
        h => [3.4e-10 * h.cbrt(), 130.0 * h.powf(0.65)],
    }
}

/// The rate constant \[m³/(mol s)\] of `a` and `b` if every collision reacts: k = N_A σ² Ω √(8π k_B T/μ),
/// with the collision integral Ω of Neufeld, Janzen & Aziz (1972), `neufeld1972`.
pub fn limit(network: &Network, a: usize, b: usize, t: f64) -> f64 {
    let (Some(one), Some(two)) = (network.species.get(a), network.species.get(b)) else { return f64::INFINITY };
    let ([d1, e1], [d2, e2]) = (molecule(network, one), molecule(network, two));
    let diameter = (d1 + d2) / 2.0;
    let reduced = t / (e1 * e2).sqrt();
    let omega =
        1.16145 * reduced.powf(-0.14874) + 0.52487 * (-0.7732 * reduced).exp() + 2.16178 * (-2.43787 * reduced).exp();
    let mass = one.molar_mass * two.molar_mass / (one.molar_mass + two.molar_mass) / AVOGADRO;
    AVOGADRO * diameter * diameter * omega * (8.0 * std::f64::consts::PI * BOLTZMANN * t / mass).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mechanism;

    /// Argon at ten times its well depth over k_B, where Hirschfelder, Curtiss and Bird have Ω = 0.8242.
    #[test]
    fn argon_meets_argon() {
        let text = "
phases: [{name: gas, thermo: ideal-gas}]
species: [{name: AR, composition: {Ar: 1}, thermo: {model: constant-cp, h0: 0, s0: 0, cp0: 20.8 J/mol/K}}]
";
        let argon = Mechanism::from_text("argon.yaml", text, None).expect("reads");
        let reduced = 0.03995 / 2.0 / AVOGADRO;
        let speed = (8.0 * std::f64::consts::PI * BOLTZMANN * 1300.0 / reduced).sqrt();
        let (got, want) = (limit(argon.network(), 0, 0, 1300.0), AVOGADRO * 3.4e-10 * 3.4e-10 * 0.8242 * speed);
        assert!((got / want - 1.0).abs() < 2e-3, "{got:e} for {want:e}");
        assert!((want / 2.116e8 - 1.0).abs() < 1e-3, "{want:e}");
    }
}
