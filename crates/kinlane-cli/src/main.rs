//! The `kinlane` program.
fn main() {}
