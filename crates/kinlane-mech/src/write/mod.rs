//! [`Network`] to text: what the readers read, written so that it reads back the same.
//!
//! Numbers are written with as many digits as it takes to read back the same bits, in conventional combustion units
//! (cm, mol, cal, atm), in which published numbers come out as published; see [`number`]. What a format has no form
//! for is refused by name, never left out.

mod chemkin;
mod number;
mod phase;
mod rate;
mod reaction;
mod species;
mod text;

use crate::read::Refusal;
use crate::{Diagnostic, Network, Severity};

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

/// Writes CHEMKIN text with its thermodynamics inside, in cm, mol and the unit of energy in which the rates take the
/// fewest digits. Also what is worth knowing about the result: polynomials have room for fewer digits than numbers
/// can have.
///
/// # Errors
///
/// A [`Refusal`] with everything in the network that the format has no form for, such as linear-Burke rates.
pub fn chemkin(network: &Network, header: &Header) -> Result<(String, Vec<Diagnostic>), Refusal> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let text = chemkin::file(network, header, &mut found);
    if found.iter().all(|d| d.severity < Severity::Error) {
        Ok((text, found))
    } else {
        Err(Refusal { diagnostics: found, sources: network.sources.clone() })
    }
}
