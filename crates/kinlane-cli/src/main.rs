//! The `kinlane` program. All of it is in the library beside, which compiles while the lanes still do.
#![forbid(unsafe_code)]

fn main() {
    kinlane_cli::main();
}
