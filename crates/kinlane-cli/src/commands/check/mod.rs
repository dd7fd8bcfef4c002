//! `kinlane check`.

mod gas;

use super::memory;
use crate::args::{MechanismArgs, SchemeArgs};
use crate::error::Error;
use crate::files::output;
use crate::run::{exit, setup};
use crate::words;
use clap::{Args, ValueEnum};
use kinlane::mech::render::{first_of_each, render};
use kinlane::mech::{Diagnostic, Severity, Sources, chemkin};
use kinlane::{Mechanism, MechanismError, Scheme, lint};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Number of findings per code that are shown in full; also of errors.
const SHOWN: usize = 5;
const ERRORS_SHOWN: usize = 10;

/// Read a mechanism, look for mistakes in it, and print what it holds
#[derive(Debug, Args)]
#[command(after_help = "\
Errors refuse the file. Warnings are probable mistakes: thermodynamics that jump, rate constants beyond the collision \
limit or below zero, parts that react only among themselves, and what the reader had to repair. Notes are worth knowing. \
`kinlane explain CODE` tells what a code means.

Exit codes: 0 no errors; 1 warnings, with --deny warnings; 2 errors.

Examples:
  kinlane check gri30
  kinlane check h2 --species
  kinlane check reaclib --nuclides p,he4,c12,n13 --partition frdm_low.txt
  kinlane check gri30 --deny warnings --quiet --json findings.json")]
pub struct CheckArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Take what the reader repairs (as `ck2yaml --permissive` would) as notes, not as warnings
    #[arg(long, help_heading = "Findings")]
    pub permissive: bool,
    /// What counts as failure besides errors
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Findings")]
    pub deny: Option<Deny>,
    /// Show every finding, not only the first of each code
    #[arg(long, help_heading = "Findings")]
    pub all: bool,
    /// List the species: molar mass, elements, and the form and range of the thermodynamics; of reaction schemes names alone
    #[arg(long, help_heading = "Findings")]
    pub species: bool,
    /// JSON file to write (- for standard output): every finding with its place, the sizes, and with --species those of a gas
    #[arg(long, value_name = "FILE", help_heading = "Findings")]
    pub json: Option<PathBuf>,
    /// Also print what a batch needs of a device's memory: opencl, cuda, opencl:1 ...
    #[arg(long, value_name = "NAME", help_heading = "Run")]
    pub device: Option<String>,
    /// Print errors and warnings only
    #[arg(long, help_heading = "Run", overrides_with = "quiet")]
    pub quiet: bool,
}

/// `--deny`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "said in the option's own line")]
pub enum Deny {
    Warnings,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    mechanism: String,
    errors: usize,
    warnings: usize,
    notes: usize,
    findings: Vec<Finding<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sizes: Option<Sizes>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    species: Vec<gas::SpeciesRow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    devices: Vec<memory::Row>,
    kinlane: &'static str,
}

#[derive(Debug, Serialize)]
struct Finding<'a> {
    severity: &'static str,
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    places: Vec<Place<'a>>,
}

#[derive(Debug, Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
    label: &'a str,
}

/// The sizes of the mechanism.
#[derive(Debug, Serialize)]
struct Sizes {
    species: usize,
    elements: usize,
    reactions: usize,
    classes: BTreeMap<&'static str, usize>,
    jacobian_entries: usize,
    lu_entries: usize,
    lu_multiply_adds: usize,
    bytes_per_cell: usize,
}

/// Runs the command; returns the exit code.
pub fn run(args: &CheckArgs) -> Result<i32, Error> {
    let files = [&args.mechanism.files()[..], &args.scheme.files()].concat();
    output::ready(&[("--json", args.json.as_deref())], &files)?;
    let (findings, sources, subject) = examined(args)?;
    // Those of a mechanism that is refused, too.
    setup::protect(&args.mechanism.mechanism, &sources);
    let mechanism = if let Some(Subject::Gas(mechanism)) = &subject { Some(mechanism) } else { None };
    let count = |severity| findings.iter().filter(|d| d.severity == severity).count();
    let (errors, warnings, notes) = (count(Severity::Error), count(Severity::Warning), count(Severity::Note));
    show(args, &findings, &sources);
    let silent = args.quiet || output::to_standard(&[&args.json]);
    let plans = match (&args.device, &subject) {
        (Some(device), Some(Subject::Gas(m))) => memory::gas(m, device),
        (Some(device), Some(Subject::Scheme(s))) => memory::scheme(s, device),
        _ => Ok(Vec::new()),
    };
    if let Some(path) = &args.json {
        let report = Report {
            mechanism: args.mechanism.mechanism.display().to_string(),
            errors,
            warnings,
            notes,
            findings: findings.iter().map(|d| finding(d, &sources)).collect(),
            sizes: subject.as_ref().map(Subject::sizes),
            species: mechanism.filter(|_| args.species).map(gas::species).unwrap_or_default(),
            devices: plans.as_deref().map_or_else(|_| Vec::new(), memory::rows),
            kinlane: crate::VERSION,
        };
        output::write_text(path, &output::pretty(&report, path)?)?;
    }
    if let Some(Subject::Scheme(scheme)) = subject.as_ref().filter(|_| !silent) {
        say!("{}", super::scheme::summary(scheme, args.species));
    }
    if let Some(mechanism) = mechanism.filter(|_| !silent) {
        say!("{}", gas::summary(mechanism));
        if args.species {
            say!("{}", gas::list(&gas::species(mechanism)));
        }
    }
    // The findings are told even where the device is not to be had.
    let plans = plans?;
    if !silent && !plans.is_empty() {
        say!("{}", memory::table(&plans));
    }
    if !silent {
        say!(
            "{}, {}, {}",
            words::count(errors, "error"),
            words::count(warnings, "warning"),
            words::count(notes, "note")
        );
        if args.permissive {
            let repairs = findings.iter().filter(|d| REPAIRS.contains(&d.code)).count();
            say!("{} made", words::count(repairs, "repair"));
        }
    }
    Ok(if errors > 0 {
        exit::WRONG
    } else if warnings > 0 && args.deny == Some(Deny::Warnings) {
        exit::FAILED
    } else {
        0
    })
}

/// What is found in the files, and what they hold, unless they are refused.
fn examined(args: &CheckArgs) -> Result<(Vec<Diagnostic>, Sources, Option<Subject>), Error> {
    let (findings, sources, subject) = match read(args) {
        Ok(Subject::Gas(mechanism)) => {
            let mut findings = mechanism.network().notes.clone();
            findings.extend(lint(&mechanism));
            (findings, mechanism.network().sources.clone(), Some(Subject::Gas(mechanism)))
        }
        Ok(Subject::Scheme(scheme)) => {
            (scheme.model().notes.clone(), scheme.model().sources.clone(), Some(Subject::Scheme(scheme)))
        }
        Err(Error::Mechanism(MechanismError::Refused(refusal))) => (refusal.diagnostics, refusal.sources, None),
        Err(other) => return Err(other),
    };
    Ok((findings.into_iter().map(|d| judged(d, args.permissive)).collect(), sources, subject))
}

/// Findings about text that the reader repairs, and that Cantera's converter accepts only with
/// `--permissive`.
const REPAIRS: [&str; 4] = [
    chemkin::codes::REPEATED_SPECIES,
    chemkin::codes::REPEATED_THERMO,
    chemkin::codes::STRAY_THERMO,
    chemkin::codes::PHOTON,
];

fn judged(mut d: Diagnostic, permissive: bool) -> Diagnostic {
    if REPAIRS.contains(&d.code) && d.severity != Severity::Error {
        d.severity = if permissive { Severity::Note } else { Severity::Warning };
    }
    d
}

/// Shows findings on standard error: the first few of each code.
fn show(args: &CheckArgs, findings: &[Diagnostic], sources: &Sources) {
    let repair = |d: &Diagnostic| args.permissive && REPAIRS.contains(&d.code);
    let told = |d: &&Diagnostic| !args.quiet || d.severity >= Severity::Warning || repair(d);
    let findings: Vec<Diagnostic> = findings.iter().filter(told).cloned().collect();
    let (shown, more) = first_of_each(&findings, |severity| match severity {
        _ if args.all => usize::MAX,
        Severity::Error => ERRORS_SHOWN,
        _ => SHOWN,
    });
    if !shown.is_empty() {
        tell!("{}", render(&shown, sources, setup::colorful()).trim_end());
    }
    if !more.is_empty() {
        let more: Vec<String> = more.iter().map(|(_, code, n)| format!("{n} more {code}")).collect();
        tell!("\nand {}; --all shows them", more.join(", "));
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn finding<'a>(d: &'a Diagnostic, sources: &'a Sources) -> Finding<'a> {
    let place = |(span, label): &'a (_, String)| {
        Some(Place { file: &sources.get(*span)?.name, line: sources.line(*span), label })
    };
    Finding {
        severity: word(d.severity),
        code: d.code,
        message: &d.message,
        help: d.help.as_deref(),
        places: d.labels.iter().filter_map(place).collect(),
    }
}

/// What is checked.
enum Subject {
    Gas(Mechanism),
    Scheme(Scheme),
}

impl Subject {
    fn sizes(&self) -> Sizes {
        let (species, elements, reactions, classes, cell) = match self {
            Self::Gas(m) => (m.species_count(), m.elements().len(), m.reaction_count(), gas::classes(m), m.sizes()),
            Self::Scheme(s) => (s.species_count(), 0, s.reaction_count(), BTreeMap::new(), s.sizes()),
        };
        Sizes {
            species,
            elements,
            reactions,
            classes,
            jacobian_entries: cell.jacobian_entries,
            lu_entries: cell.lu_entries,
            lu_multiply_adds: cell.lu_multiply_adds,
            bytes_per_cell: cell.bytes_per_cell,
        }
    }
}

fn read(args: &CheckArgs) -> Result<Subject, Error> {
    match setup::scheme(&args.mechanism, &args.scheme)? {
        Some(scheme) => Ok(Subject::Scheme(scheme)),
        None => Ok(Subject::Gas(setup::mechanism(&args.mechanism)?)),
    }
}
