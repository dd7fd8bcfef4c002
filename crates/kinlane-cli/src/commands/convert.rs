//! `kinlane convert`.

use crate::args::MechanismArgs;
use crate::date;
use crate::error::Error;
use crate::files::output::{ready, write_text};
use crate::run::setup;
use crate::words::{Names, count};
use clap::Args;
use kinlane::mech::network::Reverse;
use kinlane::mech::render::render;
use kinlane::mech::subset::{UnknownSpecies, subset};
use kinlane::mech::write::{self, Header};
use kinlane::mech::{Diagnostic, Network, Severity, read};
use kinlane::{BatchError, Format};
use std::borrow::Cow;
use std::path::PathBuf;

/// Number of equations shown of the reactions that a subset leaves out.
const LISTED: usize = 20;

/// Write a mechanism in another format, or a part of one
#[derive(Debug, Args)]
#[command(after_help = "\
OUT is Cantera YAML (a name that ends in .yaml or .yml) or CHEMKIN text with its thermodynamics inside (.inp or .ck). \
Every number keeps all its digits, in cm, mol, s and the units of energy and pressure in which it is shortest, so published \
numbers stay as published; only coefficients of more than nine digits may not fit CHEMKIN's columns, which is told. What a \
format has no form for is refused by name. In YAML a reaction with a reverse rate of its own becomes two irreversible \
ones. Transport data and comments are left behind.

Examples:
  kinlane convert gri30 chem.inp
  kinlane convert chem.inp mech.yaml --description 'From the published CHEMKIN files'
  kinlane convert gri30 h2.yaml --subset H2,H,O,O2,OH,H2O,HO2,H2O2,AR,N2")]
pub struct ConvertArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    /// File to write; it appears only when it is complete
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// Only these species, and the reactions among them; the others are listed
    #[arg(long, value_name = "A,B,C", help_heading = "Output")]
    pub subset: Vec<Names>,
    /// Text for the head of the file: what it is and where its numbers come from
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    pub description: Option<String>,
    /// Date for the head of the file (default: today); `none` leaves it out
    #[arg(long, value_name = "DATE", help_heading = "Output")]
    pub date: Option<String>,
    /// Print errors only
    #[arg(long, help_heading = "Run", overrides_with = "quiet")]
    pub quiet: bool,
}

/// Runs the command; returns the exit code.
pub fn run(args: &ConvertArgs) -> Result<i32, Error> {
    let format = output_format(args)?;
    let whole = setup::network(&args.mechanism)?;
    let part = Names::known(&args.subset, |name| whole.species.iter().any(|s| s.name == name));
    let (network, open) = chosen(&whole, &part)?;
    let (text, notes) = match format {
        Format::Chemkin => write::chemkin(&network, &header(args, None))?,
        _ => {
            // CHEMKIN has no phases, and so no name for one.
            let stem = || args.out.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let phase = is_chemkin(args).then(stem).flatten();
            (write::cantera(&network, &header(args, phase))?, Vec::new())
        }
    };
    write_text(&args.out, &text)?;
    if args.quiet {
        return Ok(0);
    }
    let warnings: Vec<Diagnostic> =
        network.notes.iter().filter(|n| n.severity >= Severity::Warning).cloned().chain(notes).collect();
    if !warnings.is_empty() {
        tell!("{}", render(&warnings, &network.sources, setup::colorful()).trim_end());
    }
    let own = network.reactions.iter().filter(|r| matches!(r.reverse, Reverse::Explicit { .. })).count();
    let split = if format == Format::Chemkin { 0 } else { own };
    say!(
        "{}: {} species, {}",
        args.out.display(),
        network.species.len(),
        count(network.reactions.len() + split, "reaction")
    );
    if split > 0 {
        let each = if split == 1 {
            "with its own reverse rate became two irreversible ones"
        } else {
            "with their own reverse rate became two irreversible ones each"
        };
        say!("{} {each}", count(split, "reaction"));
    }
    if !args.subset.is_empty() {
        let colon = if open.is_empty() { "" } else { ":" };
        match open.len() {
            1 => say!("1 reaction needs other species and was left out:"),
            n => say!("{n} reactions need other species and were left out{colon}"),
        }
        open.iter().take(LISTED).for_each(|equation| say!("  {equation}"));
        if open.len() > LISTED {
            say!("  and {} more", open.len() - LISTED);
        }
    }
    Ok(0)
}

/// The network, or the part that is asked for with the equations that it leaves out.
fn chosen<'a>(network: &'a Network, names: &[String]) -> Result<(Cow<'a, Network>, Vec<String>), Error> {
    if names.is_empty() {
        return Ok((Cow::Borrowed(network), Vec::new()));
    }
    let unknown = |e: UnknownSpecies| Error::Subset(BatchError::UnknownSpecies { name: e.name, nearest: e.nearest });
    let (small, open) = subset(network, names).map_err(unknown)?;
    Ok((Cow::Owned(small), open))
}

fn header(args: &ConvertArgs, phase: Option<String>) -> Header {
    let input = &args.mechanism.mechanism;
    let name = match input.file_name() {
        Some(name) if name != "-" => name.to_string_lossy().into_owned(),
        _ => setup::STANDARD.to_owned(),
    };
    let part = if args.subset.is_empty() { "" } else { ", reduced to some of its species" };
    Header {
        description: args.description.clone().unwrap_or_else(|| format!("Converted from {name}{part}.")),
        date: match args.date.as_deref() {
            Some("none") => None,
            Some(date) => Some(date.to_owned()),
            None => Some(date::today()),
        },
        phase,
    }
}

/// Refuses formats that cannot be written, and outputs that would replace an input.
fn output_format(args: &ConvertArgs) -> Result<Format, Error> {
    let extension = args.out.extension().map(|e| e.to_string_lossy().to_lowercase());
    let format = match extension.as_deref() {
        Some("yaml" | "yml") => Format::Cantera,
        Some("inp" | "ck") => Format::Chemkin,
        _ => return Err(Error::OutputFormat { path: args.out.clone() }),
    };
    ready(&[("OUT", Some(&args.out))], &args.mechanism.files())?;
    Ok(format)
}

/// Whether the reader, which has succeeded by now, chose CHEMKIN.
fn is_chemkin(args: &ConvertArgs) -> bool {
    let path = &args.mechanism.mechanism;
    match args.mechanism.format {
        Some(format) => format == Format::Chemkin,
        None if setup::is_standard(&args.mechanism) => setup::is_held(Format::Chemkin),
        None => read::text_of(path).and_then(|text| read::recognise(&text, path)) == Ok(Format::Chemkin),
    }
}
