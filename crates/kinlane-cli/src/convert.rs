//! `kinlane convert`.

use crate::args::{ConvertArgs, FormatArg};
use crate::error::Error;
use crate::output::write_text;
use crate::setup;
use kinlane::Format;
use kinlane::mech::network::Reverse;
use kinlane::mech::render::render;
use kinlane::mech::write::{self, Header};
use kinlane::mech::{Severity, read};
use std::io::IsTerminal;
use std::path::Path;

/// Runs the command; `Ok` is the exit code.
pub fn run(args: &ConvertArgs) -> Result<i32, Error> {
    check_output(args)?;
    let mechanism = setup::mechanism(&args.mechanism)?;
    let network = mechanism.network();
    let input = &args.mechanism.mechanism;
    let name = |path: &Path| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let header = Header {
        description: args.description.clone().unwrap_or_else(|| format!("Converted from {}.", name(input))),
        date: None,
        // CHEMKIN has no phases and so no name for one.
        phase: is_chemkin(args).then(|| args.out.file_stem().map(|stem| stem.to_string_lossy().into_owned())).flatten(),
    };
    let text = write::cantera(network, &header)?;
    write_text(&args.out, &text)?;
    if args.quiet {
        return Ok(0);
    }
    let warnings: Vec<_> = network.notes.iter().filter(|n| n.severity >= Severity::Warning).cloned().collect();
    if !warnings.is_empty() {
        tell!("{}", render(&warnings, &network.sources, std::io::stderr().is_terminal()).trim_end());
    }
    let split = network.reactions.iter().filter(|r| matches!(r.reverse, Reverse::Explicit { .. })).count();
    say!(
        "{}: {} species, {} reactions",
        args.out.display(),
        mechanism.species_count(),
        network.reactions.len() + split
    );
    if split > 0 {
        say!("{split} reactions with their own reverse rate became two irreversible ones each");
    }
    Ok(0)
}

/// Only what can be written, and not over what is read.
fn check_output(args: &ConvertArgs) -> Result<(), Error> {
    let extension = args.out.extension().map(|e| e.to_string_lossy().to_lowercase());
    if !matches!(extension.as_deref(), Some("yaml" | "yml")) {
        return Err(Error::OutputFormat { path: args.out.clone() });
    }
    let place = |path: &Path| path.canonicalize().ok();
    match (place(&args.mechanism.mechanism), place(&args.out)) {
        (Some(from), Some(to)) if from == to => Err(Error::SameFile { path: args.out.clone() }),
        _ => Ok(()),
    }
}

/// The format that the reader chose, which has succeeded by now.
fn is_chemkin(args: &ConvertArgs) -> bool {
    let path = &args.mechanism.mechanism;
    match args.mechanism.format {
        Some(format) => format == FormatArg::Chemkin,
        None => read::text_of(path).and_then(|text| read::recognise(&text, path)) == Ok(Format::Chemkin),
    }
}
