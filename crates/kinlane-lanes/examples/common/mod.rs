//! What the measurements run on: the bundled GRI-3.0 and hot states of methane and air, made here.

use kinlane_mech::Network;
use kinlane_mech::read::{self, ReadOptions};
use std::error::Error;
use std::path::Path;

/// A cell: T [K], p [Pa], mass fractions.
pub struct State {
    /// T [K].
    pub t: f64,
    /// p [Pa].
    pub p: f64,
    /// Mass fractions, in the order of the network.
    pub y: Vec<f64>,
}

/// Moles of a mixture before the flame, in it, and behind it.
const MIXTURES: [&[(&str, f64)]; 3] = [
    &[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)],
    &[
        ("CH4", 0.5),
        ("O2", 1.2),
        ("N2", 7.52),
        ("CO", 0.2),
        ("CO2", 0.1),
        ("H2O", 0.6),
        ("H2", 0.1),
        ("CH3", 1e-2),
        ("CH2O", 1e-2),
        ("C2H6", 1e-2),
        ("C2H4", 5e-3),
        ("HO2", 5e-4),
        ("H2O2", 5e-4),
        ("OH", 2e-3),
        ("H", 2e-3),
        ("O", 2e-3),
        ("HCO", 1e-5),
        ("CH3O", 1e-6),
        ("CH2", 1e-5),
        ("NO", 1e-5),
    ],
    &[
        ("N2", 7.5),
        ("H2O", 1.9),
        ("CO2", 0.85),
        ("CO", 0.15),
        ("O2", 0.12),
        ("H2", 0.06),
        ("OH", 3e-2),
        ("H", 8e-3),
        ("O", 6e-3),
        ("NO", 8e-3),
        ("HO2", 1e-6),
        ("N", 1e-8),
        ("NO2", 1e-6),
        ("N2O", 1e-7),
    ],
];

/// T [K] of the coldest cell of each mixture, and how much the others are hotter at most.
const TEMPERATURES: [(f64, f64); 3] = [(1000.0, 600.0), (1500.0, 500.0), (2000.0, 500.0)];

/// GRI-3.0: 53 species, 325 reactions.
///
/// # Errors
/// What the reader says.
pub fn gri30() -> Result<Network, Box<dyn Error>> {
    network(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms/gri30.yaml"))
}

/// The mechanism of a file.
///
/// # Errors
/// What the reader says.
pub fn network(path: &Path) -> Result<Network, Box<dyn Error>> {
    read::read(path, &ReadOptions::default()).map_err(|e| format!("{}: {e:?}", path.display()).into())
}

/// `count` cells; mixtures take turns, temperature and pressure (1 to 20 bar) rise. Species that the network lacks are left
/// out.
///
/// # Errors
/// If it lacks all of a mixture.
pub fn states(network: &Network, count: usize) -> Result<Vec<State>, Box<dyn Error>> {
    let cell = |i: usize| {
        let along = i as f64 / count as f64;
        let kind = i % MIXTURES.len();
        let (coldest, span) = TEMPERATURES[kind];
        let mut y = vec![0.0; network.species.len()];
        for &(name, moles) in MIXTURES[kind] {
            if let Some(k) = network.species.iter().position(|s| s.name == name) {
                y[k] += moles * network.species[k].molar_mass;
            }
        }
        let sum: f64 = y.iter().sum();
        if sum == 0.0 {
            return Err("the network lacks all species of a mixture".into());
        }
        y.iter_mut().for_each(|y| *y /= sum);
        Ok(State { t: span.mul_add(along, coldest), p: 1e5 * 20_f64.powf(along), y })
    };
    (0..count).map(cell).collect()
}
