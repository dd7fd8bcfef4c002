//! [`Network`] to text: what the readers read, written so that it reads back the same.
//!
//! Numbers are written with as many digits as it takes to read back the same bits, in conventional combustion units
//! (cm, mol, cal, atm), in which published numbers come out as published; see [`number`]. What a format has no form
//! for is refused by name, never left out.

mod number;
mod phase;
mod rate;
mod reaction;
mod species;
mod text;

use crate::read::Refusal;
use crate::{Diagnostic, Network};

/// What a file says about itself.
#[derive(Debug, Clone, Default)]
pub struct Header {
    /// What it is and where its numbers come from; any number of lines.
    pub description: String,
    /// When it was made, in the caller's words. Without one, the same network always gives the same text.
    pub date: Option<String>,
    /// The phase's name in place of the network's.
    pub phase: Option<String>,
}

/// Writes Cantera's YAML format (version 3.2).
///
/// A reaction with a reverse rate of its own becomes two irreversible ones, since the format has no such reactions.
///
/// # Errors
///
/// A [`Refusal`] with everything in the network that the format has no form for, such as Landau-Teller rates.
pub fn cantera(network: &Network, header: &Header) -> Result<String, Refusal> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let text = phase::file(network, header, &mut found);
    if found.is_empty() { Ok(text) } else { Err(Refusal { diagnostics: found, sources: network.sources.clone() }) }
}
