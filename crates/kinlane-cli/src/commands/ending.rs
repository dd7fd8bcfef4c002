//! What commands that integrate tell when their cells have ended, of gases and of schemes alike.

use super::advance::OnFailure;
use crate::files::npz::Writer;
use crate::run::exit;
use crate::words::count;
use kinlane::{Mechanism, Method, Options, Outcome, Precision, Report, Scheme, Tolerances, USUAL_ATOL};
use serde::Serialize;
use std::io;

/// What was advanced.
pub struct Subject<'a> {
    name: &'a str,
    species: &'a [String],
    reactions: usize,
    /// The variable behind the species.
    last: &'static str,
    /// What amounts are called.
    amount: char,
    /// The absolute tolerance where none is given.
    usual_atol: f64,
}

impl<'a> From<&'a Mechanism> for Subject<'a> {
    fn from(m: &'a Mechanism) -> Self {
        let (name, species, reactions) = (m.name(), m.species_names(), m.reaction_count());
        Self { name, species, reactions, last: "T", amount: 'Y', usual_atol: USUAL_ATOL }
    }
}

impl<'a> From<&'a Scheme> for Subject<'a> {
    fn from(s: &'a Scheme) -> Self {
        let (name, species, reactions) = (s.name(), s.species_names(), s.reaction_count());
        Self { name, species, reactions, last: "none", amount: 'C', usual_atol: s.usual_atol() }
    }
}

/// What the JSON reports of all commands that integrate have in common: the library's report, and what was asked for.
#[derive(Debug, Serialize)]
pub struct JsonReport<'a> {
    #[serde(flatten)]
    report: &'a Report,
    rtol: f64,
    atol: f64,
    #[serde(skip_serializing_if = "Tolerances::is_empty")]
    atol_of: &'a Tolerances,
    mechanism: &'a str,
    species: usize,
    reactions: usize,
    kinlane: &'static str,
}

/// The JSON report of `advance`.
#[derive(Debug, Serialize)]
pub struct AdvanceReport<'a> {
    #[serde(flatten)]
    work: JsonReport<'a>,
    /// None where cells have intervals of their own.
    dt: Option<f64>,
}

impl<'a> Subject<'a> {
    /// The report of a call over `dt` \[s\] with these options.
    pub fn advanced(&self, options: &'a Options, dt: Option<f64>, report: &'a Report) -> AdvanceReport<'a> {
        AdvanceReport { work: self.json(options, report), dt }
    }

    /// What the report of any run with these options says.
    pub fn json(&self, options: &'a Options, report: &'a Report) -> JsonReport<'a> {
        JsonReport {
            report,
            rtol: options.rtol,
            atol: options.atol.unwrap_or(self.usual_atol),
            atol_of: &options.atol_of,
            mechanism: self.name,
            species: self.species.len(),
            reactions: self.reactions,
            kinlane: crate::VERSION,
        }
    }

    /// One line for each of the first few failed cells. `fastest` knows the fastest reaction of a cell.
    pub fn list_failures<'o>(
        &self,
        failures: impl Iterator<Item = (usize, &'o Outcome)>,
        report: &Report,
        fastest: impl Fn(usize) -> Option<String>,
    ) {
        let keep = if report.failed == 1 { "keeps its" } else { "keep their" };
        tell!("{} of {} failed and {keep} entry state:", report.failed, count(report.cells, "cell"));
        let line = |(i, o): (usize, &Outcome)| {
            let worst = self.species.get(o.worst as usize).map_or(self.last, String::as_str);
            let fastest = fastest(i).map_or_else(String::new, |equation| format!(", fastest reaction {equation}"));
            let Outcome { status, t, h, .. } = o;
            format!("  cell {i}: {status}; reached t = {t:.3e} s, next step h = {h:.1e} s, worst {worst}{fastest}")
        };
        exit::tell_failures(report.failed, failures.map(line));
    }

    /// Warns that sources took more than there was, by more than `much` of a species.
    pub fn tell_debts<'s>(&self, cells: impl Iterator<Item = &'s [f64]>, much: f64) {
        let least = |amounts: &'s [f64]| amounts.iter().copied().zip(self.species).min_by(|a, b| a.0.total_cmp(&b.0));
        let owing = cells.enumerate().filter_map(|(cell, amounts)| Some((cell, least(amounts)?)));
        let owing: Vec<_> = owing.filter(|(_, (amount, _))| *amount < -much).collect();
        if let Some((cell, (amount, name))) = owing.iter().min_by(|a, b| a.1.0.total_cmp(&b.1.0)) {
            let (cells, symbol) = (count(owing.len(), "cell"), self.amount);
            tell!(
                "sources took more than there was in {cells}; the worst: {symbol}({name}) = {amount:.3e} in cell {cell}"
            );
        }
    }
}

/// Whether the states are to be written.
pub fn keeps(wish: OnFailure, report: &Report) -> bool {
    report.failed == 0 || wish == OnFailure::Keep
}

/// Writes how cells ended, and their steps.
pub fn write(npz: &mut Writer<'_>, outcomes: &[Outcome]) -> io::Result<()> {
    npz.counts("status", outcomes.iter().map(|o| u32::from(o.status as u8)))?;
    npz.counts("steps", outcomes.iter().map(|o| o.cost.steps))?;
    npz.counts("rejected", outcomes.iter().map(|o| o.cost.rejected))
}

/// Says why the CPU did the work, if that was not asked for.
pub fn tell_fallback(why: Option<&str>) {
    if let Some(why) = why {
        tell!("the CPU did the work: {why}");
    }
}

/// Says who did the work and what it cost; without a summary where it would be in the way.
pub fn tell(report: &Report, silent: bool) {
    tell_fallback(report.fallback.as_deref());
    if !silent {
        say!("{}", summary(report));
        if let Some(line) = accuracy(report) {
            say!("{line}");
        }
    }
}

/// How accurate answers are that a device has computed in reduced precision.
fn accuracy(report: &Report) -> Option<String> {
    let precision = Precision::ALL.into_iter().find(|p| p.name() == report.precision && *p != Precision::F64)?;
    let (name, finest, device) = (precision.name(), precision.finest(), &report.device);
    Some(format!(
        "precision {name} holds rtol from {finest:e} on, and single cells may be further off: kinlane bench precision MECH:FUEL \
         --device {device} measures by how much"
    ))
}

/// Warns of a method whose errors do not follow the tolerance. (One with steps of a fixed length has none.)
pub fn tell_unsure(method: Option<&str>) {
    if let Some(method) = method.and_then(Method::find).filter(|m| !m.fixed && !m.keeps_tolerance()) {
        tell!(
            "note: errors of {} do not follow the tolerance where reactions are fast; compare with --method auto",
            method.name
        );
    }
}

/// Where it was done.
pub fn place(r: &Report) -> String {
    match &*r.device {
        "cpu" => format!("{} of {}", count(r.threads, "thread"), r.lanes),
        device => device.to_owned(),
    }
}

/// One line on what was done, and at what cost.
fn summary(r: &Report) -> String {
    let rate = if r.seconds > 0.0 { r.cells as f64 / r.seconds } else { 0.0 };
    let place = place(r);
    // Many of these suggest that a device does not work as it should, or that the method does not suit the cells.
    let again = match (r.rescued, &*r.device) {
        (0, _) => String::new(),
        (n, "cpu") => format!("; {} finished by upper rungs of the failure ladder", count(n, "cell")),
        (n, _) => format!("; {} done again on the CPU", count(n, "cell")),
    };
    format!(
        "{} in {:.3} s ({rate:.0} cells/s) with {} on {place}; steps per cell {} median, {} max; {} failed{again}",
        count(r.cells, "cell"),
        r.seconds,
        r.method,
        r.steps_per_cell.median,
        r.steps_per_cell.max,
        r.failed
    )
}
