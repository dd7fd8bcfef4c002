//! First steps of every command: opening the mechanism, and planning.

use crate::args::{MechanismArgs, RunArgs, SchemeArgs};
use crate::error::Error;
use crate::files::output;
use crate::run::stop;
use kinlane::device::MappingWish;
use kinlane::mech::read::{decode, read_scheme_str, read_str, recognise, text_of};
use kinlane::mech::render::{first_of_each, render};
use kinlane::mech::{Diagnostic, Network, Refusal, Severity, Sources};
use kinlane::{Advance, AdvanceBuilder, BUNDLED, Format, Mechanism, MechanismError, Place, ReadOptions, Scheme};
use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::sync::OnceLock;

/// Name of standard input as a mechanism, in messages.
pub const STANDARD: &str = "standard input";

/// What standard input holds, once it has been read: a command asks first whether it is a reaction scheme.
static HELD: OnceLock<Vec<u8>> = OnceLock::new();

/// The text of standard input.
fn held() -> Result<String, Error> {
    if HELD.get().is_none() {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map_err(Error::Input)?;
        HELD.get_or_init(|| bytes);
    }
    let bytes = HELD.get().map_or(&[][..], |bytes| bytes);
    Ok(decode(bytes, STANDARD).map_err(refuse)?)
}

fn refuse(d: Diagnostic) -> MechanismError {
    Refusal::new(d, Sources::default()).into()
}

/// Whether the mechanism is to be read from standard input.
pub fn is_standard(args: &MechanismArgs) -> bool {
    args.mechanism == Path::new("-")
}

/// Whether the mechanism on standard input has this format, as far as its text says.
pub fn is_held(format: Format) -> bool {
    held().is_ok_and(|text| recognise(&text, Path::new(STANDARD)) == Ok(format))
}

/// Reads a mechanism from standard input.
fn standard(args: &MechanismArgs) -> Result<Network, Error> {
    Ok(read_str((STANDARD, &held()?), None, &reading(args)).map_err(MechanismError::from)?)
}

fn reading(args: &MechanismArgs) -> ReadOptions {
    ReadOptions {
        format: args.format,
        phase: args.phase.clone(),
        thermo: args.thermo.clone(),
        ..ReadOptions::default()
    }
}

/// Opens the mechanism of the command line.
pub fn mechanism(args: &MechanismArgs) -> Result<Mechanism, Error> {
    Ok(Mechanism::from_network(network(args)?))
}

/// As [`mechanism`], for a command that does not solve it.
pub fn network(args: &MechanismArgs) -> Result<Network, Error> {
    if is_standard(args) {
        return standard(args);
    }
    let network = Mechanism::open_network(&args.mechanism, &reading(args))?;
    protect(&args.mechanism, &network.sources);
    Ok(network)
}

/// Keeps outputs from replacing the files of a mechanism, of which the command line names one or two. What is bundled or comes through
/// standard input is no file.
pub fn protect(named: &Path, sources: &Sources) {
    if named.exists() {
        output::protect(sources.iter().map(|source| Path::new(&source.name)));
    }
}

/// As [`mechanism`], for a command to which reactions matter: says so if there is none.
pub fn reacting(args: &MechanismArgs) -> Result<Mechanism, Error> {
    let mechanism = mechanism(args)?;
    if mechanism.reaction_count() == 0 {
        tell!("warning: the mechanism has no reactions, so nothing burns");
    }
    Ok(mechanism)
}

/// Opens what the command line names, if it is a reaction scheme.
pub fn scheme(args: &MechanismArgs, scheme: &SchemeArgs) -> Result<Option<Scheme>, Error> {
    let path = &args.mechanism;
    let text = if is_standard(args) { Some(held()?) } else { None };
    let bundled = BUNDLED.iter().any(|b| path == Path::new(b.name));
    let format = match (args.format, &text) {
        (Some(format), _) => Some(format),
        (None, Some(text)) => recognise(text, Path::new(STANDARD)).ok(),
        // A folder that happens to be called as a bundled mechanism is another thing.
        (None, None) if path.is_dir() && !bundled => Some(Format::Musica),
        (None, None) if path.is_file() => text_of(path).and_then(|text| recognise(&text, path)).ok(),
        (None, None) => None,
    };
    if !format.is_some_and(Format::is_scheme) {
        // What is not recognised is refused by its reader.
        return match scheme.given() {
            Some(option) if format.is_some() || bundled => Err(Error::OnlyForStars { option }),
            _ => Ok(None),
        };
    }
    let options = ReadOptions {
        format,
        rates: scheme.rates.clone(),
        nuclides: scheme.nuclides.clone(),
        partition: scheme.partition.clone(),
        screening: scheme.screening,
        ..reading(args)
    };
    let scheme = match text {
        Some(text) => Scheme::from_model(read_scheme_str((STANDARD, &text), &options).map_err(MechanismError::from)?),
        None => Scheme::load_with(path, &options)?,
    };
    protect(&args.mechanism, &scheme.model().sources);
    Ok(Some(scheme))
}

/// Warns of what was not read, or not as it may be meant: with `check` alone it would be told too late. Findings of which there are
/// many are shown a few times.
pub fn warn(scheme: &Scheme) {
    const SHOWN: usize = 3;
    let notes = &scheme.model().notes;
    let warnings: Vec<Diagnostic> = notes.iter().filter(|d| d.severity == Severity::Warning).cloned().collect();
    let (shown, more) = first_of_each(&warnings, |_| SHOWN);
    if !shown.is_empty() {
        tell!("{}", render(&shown, &scheme.model().sources, colorful()).trim_end());
    }
    if !more.is_empty() {
        tell!("kinlane check tells more");
    }
}

/// Refuses a device for a command that cannot use one.
pub fn only_cpu(run: &RunArgs) -> Result<(), Error> {
    match run.device.as_str() {
        "cpu" | "auto" => Ok(()),
        name => Err(Error::OnlyCpu { device: name.to_owned() }),
    }
}

/// Plans the solver and connects it to Ctrl-C.
pub fn plan(builder: AdvanceBuilder, run: &RunArgs) -> Result<Advance, Error> {
    connected(placed(builder, run)?)
}

/// As [`plan`], where it is known where to run.
pub fn connected(builder: AdvanceBuilder) -> Result<Advance, Error> {
    let solver = builder.plan()?;
    stop::connect(solver.stop_flag());
    Ok(solver)
}

/// Where to run; refuses options on a device where there is none.
pub fn place(run: &RunArgs) -> Result<Place, Error> {
    let mapped = run.mapping != MappingWish::Auto;
    for (option, given) in [("--mapping", mapped), ("--device-memory", run.device_memory.is_some())] {
        if given && run.device == "cpu" {
            return Err(Error::NoDeviceFor { option });
        }
    }
    if run.mapping == MappingWish::Part && run.device.contains("opencl") && !run.device.contains("cuda") {
        return Err(Error::PartOfWarp { device: run.device.clone() });
    }
    let mut place = Place::default();
    place.device = Some(run.device.clone());
    place.memory = run.device_memory.map(|mib| u64::from(mib) << 20);
    place.mapping = run.mapping;
    place.threads = run.cpu.threads.map(|n| n as usize);
    place.lanes.clone_from(&run.lanes);
    Ok(place)
}

/// A builder with the options on where to run, in f64.
pub fn placed(builder: AdvanceBuilder, run: &RunArgs) -> Result<AdvanceBuilder, Error> {
    Ok(builder.place(place(run)?))
}

/// Whether findings are shown in colour: on a terminal with colours, unless the user refuses it
/// (<https://no-color.org>).
pub fn colorful() -> bool {
    std::io::stderr().is_terminal() && wanted(std::env::var_os("NO_COLOR"), std::env::var_os("TERM"))
}

fn wanted(no_color: Option<OsString>, term: Option<OsString>) -> bool {
    no_color.is_none_or(|text| text.is_empty()) && term.is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::wanted;

    #[test]
    fn colour_can_be_refused() {
        let text = |t: &str| Some(t.into());
        assert!(wanted(None, None) && wanted(text(""), text("xterm")));
        assert!(!wanted(text("1"), text("xterm")) && !wanted(None, text("dumb")) && !wanted(text("0"), None));
    }
}
