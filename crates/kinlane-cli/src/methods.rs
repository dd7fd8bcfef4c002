//! `kinlane methods`.

/// Prints the table of methods.
pub fn run() {
    for m in kinlane::METHODS {
        println!("{}", m.name);
    }
}
