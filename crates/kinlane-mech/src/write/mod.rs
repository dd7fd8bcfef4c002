//! Writes a [`Network`] as text that the readers read back as the same network.
//!
//! Numbers are written with as many digits as are needed to read back the same bits, in conventional
//! combustion units (cm, mol, cal, atm), so that published numbers appear as published; see [`number`]. What
//! a format cannot express is refused by name, never left out.

mod chemkin;
mod number;
mod phase;
mod rate;
mod reaction;
mod species;
mod text;

use crate::diagnostic::refuses;
use crate::duplicates::mark_again;
use crate::network::Reaction;
use crate::read::Refusal;
use crate::{Diagnostic, Network};

/// The head of a file.
#[derive(Debug, Clone, Default)]
pub struct Header {
    /// Description of the mechanism and the origin of its numbers; any number of lines.
    pub description: String,
    /// Date of creation, as the caller writes it. Without one, the same network always gives the same text.
    pub date: Option<String>,
    /// The phase's name in place of the network's.
    pub phase: Option<String>,
}

/// Writes Cantera's YAML format (version 3.2).
///
/// A reaction with an explicit reverse rate becomes two irreversible ones, since the format has no such
/// reactions.
///
/// # Errors
///
/// A [`Refusal`] with everything in the network that the format has no form for, such as Landau-Teller rates.
pub fn cantera(network: &Network, header: &Header) -> Result<String, Refusal> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let text = phase::file(network, header, &mut found);
    if found.is_empty() { Ok(text) } else { Err(Refusal { diagnostics: found, sources: network.sources.clone() }) }
}

/// Writes CHEMKIN text with its thermodynamics inside, in cm, mol and the unit of energy in which the rates
/// take the fewest digits. Also returns notes on the result: polynomials have room for fewer digits than a
/// number may have.
///
/// # Errors
///
/// A [`Refusal`] with everything in the network that the format has no form for, such as linear-Burke rates.
pub fn chemkin(network: &Network, header: &Header) -> Result<(String, Vec<Diagnostic>), Refusal> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let text = chemkin::file(network, header, &mut found);
    if !refuses(&found) {
        Ok((text, found))
    } else {
        Err(Refusal { diagnostics: found, sources: network.sources.clone() })
    }
}

/// The network as readers of a file will see it, in which its reactions are these: a collider may be a reactant there, and a
/// reactant a collider, so that others are duplicates of each other.
fn marked_again(network: &Network, reactions: Vec<Reaction>) -> Network {
    let mut seen = Network { reactions, ..network.clone() };
    mark_again(&mut seen);
    seen
}
