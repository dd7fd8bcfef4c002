//! Mechanisms of a test's own.
#![allow(dead_code, reason = "not every test file uses every helper")]

use kinlane::Mechanism;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Reads a Cantera file from its text.
pub fn mechanism(text: &str) -> Mechanism {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("kinlane-test-{}-{number}.yaml", std::process::id()));
    std::fs::write(&file, text).expect("can be written");
    let mechanism = Mechanism::load(&file).expect("reads");
    std::fs::remove_file(&file).expect("is there");
    mechanism
}

/// Species of one atom that no heat goes with, and their reactions.
pub fn gas(species: &[&str], reactions: &str) -> Mechanism {
    let declare = |name: &&str| {
        format!(
            "- {{name: {name}, composition: {{N: 1}}, thermo: {{model: constant-cp, T0: 1000 K, h0: 0 J/mol, \
             s0: 150 J/mol/K, cp0: 29 J/mol/K}}}}\n"
        )
    };
    mechanism(&format!(
        "units: {{quantity: mol}}\nphases:\n- {{name: gas, thermo: ideal-gas, kinetics: gas, elements: [N], species: [{}]}}\nspecies:\n{}reactions:\n{reactions}",
        species.join(", "),
        species.iter().map(declare).collect::<String>()
    ))
}
