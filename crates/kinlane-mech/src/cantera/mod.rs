//! Cantera's YAML format (version 3.2), gas phases.
//!
//! A phase names elements, species and reactions in sections of its own file or of others. What a gas of
//! independent cells cannot represent (surfaces, solutions, real-gas equations of state, electron collision
//! cross sections) is refused by name; nothing is left out silently.

mod colliders;
mod equation;
mod flow;
mod gas;
pub(crate) mod input;
mod phase;
mod rate;
mod reactions;
mod species;
mod thermo;
pub(crate) mod yaml;

use std::path::{Path, PathBuf};

use crate::Network;
use crate::diagnostic::refuses;
use crate::read::{Refusal, text_of};

/// Reads one phase of a file, the first one if `phase` is not given. Files that it names are searched for
/// beside it, in the folders `search`, and in those listed by the environment variable `CANTERA_DATA`.
pub fn read(path: &Path, phase: Option<&str>, search: &[PathBuf]) -> Result<Network, Refusal> {
    let text = text_of(path)?;
    read_str(text, path, phase, search)
}

/// As [`read`], for a text in memory. `path` is for messages, and for finding the files that it names.
pub fn read_str(text: String, path: &Path, phase: Option<&str>, search: &[PathBuf]) -> Result<Network, Refusal> {
    let mut input = input::Input::new(search, std::env::var_os(input::DATA).as_deref());
    let network = input.add(path, text).and_then(|file| phase::read(&mut input, &file, phase));
    let input::Input { found, sources, .. } = input;
    match network {
        Some(mut network) if !refuses(&found) => {
            network.sources = sources;
            network.notes = found;
            Ok(network)
        }
        _ => Err(Refusal { diagnostics: found, sources }),
    }
}
