//! `kinlane methods`.

/// Prints the table of methods.
pub fn run() {
    for m in kinlane::METHODS {
        say!("{}", m.name);
    }
}
