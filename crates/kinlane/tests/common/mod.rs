//! Mechanisms of a test's own.

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
