//! `kinlane psr`.

use crate::args::MechanismArgs;
use crate::error::Error;
use crate::files::output::{self, Output, Outputs};
use crate::files::states;
use crate::mixture::{self, MixtureArgs, ONE_INFLOW, ONE_PHI, ONE_PRESSURE, Point, mole_fractions};
use crate::picture;
use crate::picture::chart::{self, Axis, Chart, Series};
use crate::run::{exit, progress, setup, stop};
use crate::terminal::{Columns, some_of};
use crate::values::{self, Pressure, Sweep};
use crate::words::{count, fixed, short};
use clap::{Args, ValueEnum};
use kinlane::{Curve, CurvePoint, Mechanism, PsrError, StirredReactor, StirredState};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Number of mole fractions per line of a table, and in a picture.
const SHOWN: usize = 5;
const DRAWN: usize = 6;
/// Lines of the table of a transient.
const LINES: usize = 20;

/// Perfectly stirred reactor: burning and extinguished states over the residence time, their stability, extinction and ignition
#[derive(Debug, Args)]
#[command(mut_arg("phi", |phi| phi.value_name("X").help(ONE_PHI)))]
#[command(mut_arg("temperature", |t| t.value_name("X").help(ONE_INFLOW)))]
#[command(mut_arg("pressure", |p| p.value_name("X").help(ONE_PRESSURE)))]
#[command(after_help = "\
The reactor is at constant pressure and adiabatic, or held at the temperature of its inflow (--isothermal). The curve of \
steady states over the residence time is followed from the burning end around extinction and ignition; these are told where \
the range holds them. At the residence times given there are points exactly: a burning state, an unstable one and an \
extinguished one, and stable ones between further turns (cool flame), as far as there are these. Where oscillations grow from \
a state, it is called oscillating. With --transient one reactor is integrated over time instead, from the inflow's state or \
from burnt gas.

Examples:
  kinlane psr gri30 --fuel CH4 --oxidizer O2:1,N2:3.76 --tau 1e-5:1:26log --picture s.svg
  kinlane psr h2 --fuel H2 --oxidizer O2:1,N2:3.76 --T 900 --tau 1e-6:.1:11log --csv s.csv
  kinlane psr h2 --fuel H2 --oxidizer O2:1,N2:3.76 --T 900 --tau 1ms --out s.npz
  kinlane psr h2 --mixture H2:2,O2,N2:4 --T 900 --tau 1ms --transient 10ms --start burnt")]
pub struct PsrArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub mixture: MixtureArgs,
    /// Residence times [s], or with a unit (h, min, ms, us, ns): a list as 1,10ms, or a range as 1e-5:1:26log; the curve goes
    /// from the shortest to the longest
    #[arg(long, value_name = "LIST", value_parser = Sweep::times, help_heading = "Reactor")]
    pub tau: Sweep,
    /// Walls hold the temperature of the inflow
    #[arg(long, help_heading = "Reactor")]
    pub isothermal: bool,
    /// Integrate one reactor over this time [s], or with a unit as --tau
    #[arg(long, value_name = "TIME", value_parser = values::time, help_heading = "Reactor")]
    pub transient: Option<f64>,
    /// What fills the reactor at the start of --transient
    #[arg(long, value_enum, default_value = "inflow", requires = "transient", help_heading = "Reactor")]
    pub start: Start,
    /// Relative tolerance of --transient
    #[arg(long, value_name = "X", default_value = "1e-8", value_parser = values::positive, requires = "transient", help_heading = "Reactor")]
    pub rtol: f64,
    /// Absolute tolerance of --transient, on mass fractions
    #[arg(long, value_name = "X", default_value = "1e-14", value_parser = values::positive, requires = "transient", help_heading = "Reactor")]
    pub atol: f64,
    /// NPZ file to write, for `rates` and others: T, P, Y, species, and tau with branch, or t
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub out: Option<PathBuf>,
    /// Table to write (- for standard output): residence time (or time), branch, T, mole fractions of all species
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub csv: Option<PathBuf>,
    /// Picture of T, or of mole fractions with --isothermal, over the residence time (or time): a name in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture::name, help_heading = "Input and output")]
    pub picture: Option<PathBuf>,
    /// JSON report to write (- for standard output): extinction, ignition, turns, hopf (where stability is lost to oscillations),
    /// states with their composition, time
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
    /// No summary and no sign of progress; errors are still told
    #[arg(long, help_heading = "Run")]
    pub quiet: bool,
}

/// `--start`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "said in the option's own line")]
pub enum Start {
    Inflow,
    Burnt,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    mechanism: &'a str,
    points: usize,
    failed: usize,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    extinction: Option<Turn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignition: Option<Turn>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    turns: Vec<Turn>,
    /// Where stability is lost to oscillations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hopf: Vec<Turn>,
    states: Vec<Found<'a>>,
    kinlane: &'static str,
}

/// One state in a report.
#[derive(Debug, Serialize)]
struct Found<'a> {
    /// Residence time, or time of a transient \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<f64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    branch: &'a str,
    /// T [K].
    temperature: f64,
    /// Nonzero mole fractions.
    mole_fractions: BTreeMap<&'a str, f64>,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Turn {
    tau: f64,
    temperature: f64,
}

impl From<kinlane::Turn> for Turn {
    fn from(t: kinlane::Turn) -> Self {
        Self { tau: t.tau, temperature: t.temperature }
    }
}

/// A row of the tables: residence time or time, branch, state.
struct Row<'a> {
    x: f64,
    branch: &'static str,
    state: &'a StirredState,
}

fn row(p: &CurvePoint) -> Row<'_> {
    Row { x: p.tau, branch: p.branch.word(), state: &p.state }
}

/// Runs the command; returns the exit code.
pub fn run(args: &PsrArgs) -> Result<i32, Error> {
    let mechanism = setup::reacting(&args.mechanism)?;
    output::ready(&output::usual(&args.out, &args.csv, &args.picture, &args.json), &args.mechanism.files())?;
    let out = args.out.as_deref().map(Output::new).transpose()?;
    let inflow = &args.mixture.point(&mechanism, args.quiet)?;
    let reactor = StirredReactor::new(&mechanism, inflow.t, inflow.p, &inflow.y, args.isothermal)
        .map_err(|fault| Error::of_batch(&args.mechanism.mechanism, fault))?;
    let stopped = Arc::new(AtomicBool::new(false));
    stop::connect(Arc::clone(&stopped));
    match args.transient {
        Some(duration) => transient(args, out, &mechanism, inflow, reactor, duration, &stopped),
        None => steady(args, out, &mechanism, inflow, reactor, &stopped),
    }
}

/// The residence times; those that are not positive are refused.
fn times(args: &PsrArgs) -> Result<Vec<f64>, Error> {
    let mut times = args.tau.0.clone();
    times.sort_by(f64::total_cmp);
    times.dedup();
    match times.first() {
        Some(&first) if first > 0.0 => Ok(times),
        _ => Err(Error::Tau),
    }
}

fn steady(
    args: &PsrArgs,
    out: Option<Output>,
    mechanism: &Mechanism,
    inflow: &Point,
    mut reactor: StirredReactor,
    stopped: &AtomicBool,
) -> Result<i32, Error> {
    let times = times(args)?;
    let range = [times.first().copied().unwrap_or(f64::NAN), times.last().copied().unwrap_or(f64::NAN)];
    let start = Instant::now();
    let curve = progress::working(args.quiet, "looking for steady states", || reactor.curve(range, &times, stopped));
    let curve = curve.map_err(|e| fault(e, inflow))?;
    let seconds = start.elapsed().as_secs_f64();
    let rows: Vec<Row<'_>> = curve.points.iter().map(row).collect();
    let mut outputs = Outputs::default();
    save(&mut outputs, out, args, mechanism, inflow.p, &rows)?;
    if let Some(path) = &args.csv {
        outputs.text(path, &csv(mechanism, "tau_s", &rows))?;
    }
    if let Some(path) = &args.picture {
        picture::write(&mut outputs, path, &curve_chart(args, mechanism, inflow, &curve).svg())?;
    }
    report(&mut outputs, args, mechanism, &rows, seconds, &curve)?;
    outputs.commit()?;
    if !args.quiet && !output::to_standard(&[&args.csv, &args.json]) {
        let asked: Vec<&Row<'_>> =
            rows.iter().zip(&curve.points).filter(|(_, p)| p.asked).map(|(row, _)| row).collect();
        say!("{}", table(mechanism, "tau (s)", &asked));
        let place = |t: &kinlane::Turn| format!("tau = {:.5e} s at T = {:.2} K", t.tau, t.temperature);
        for (what, turn) in [("extinction", curve.extinction), ("ignition", curve.ignition)] {
            match turn {
                Some(turn) => say!("{what}: {}", place(&turn)),
                None if range[0] == range[1] || !curve.cut.is_empty() => {}
                None => say!("{what}: not between {:e} and {:e} s", range[0], range[1]),
            }
        }
        for onset in &curve.hopf {
            say!("stability lost to oscillations: {}", place(onset));
        }
        let told = [curve.extinction, curve.ignition];
        if curve.turns.iter().any(|turn| !told.contains(&Some(*turn))) {
            say!("all turns in the range, from the burning end:");
            curve.turns.iter().for_each(|t| say!("  {}", place(t)));
        }
        say!("{} in {seconds:.3} s", count(rows.len(), "steady state"));
    }
    let cut: BTreeSet<String> = curve.cut.iter().map(|tau| format!("{tau:.4e}")).collect();
    for tau in cut {
        tell!(
            "the curve could not be followed beyond tau = {tau} s; stable states at the times of --tau are found one \
             by one, unstable ones and turns may be missing"
        );
    }
    for &tau in &curve.missing {
        tell!("{}{}", PsrError::Steady { tau }, mixture::hint(inflow.t));
    }
    Ok(exit::code(curve.missing.len()))
}

fn transient(
    args: &PsrArgs,
    out: Option<Output>,
    mechanism: &Mechanism,
    inflow: &Point,
    mut reactor: StirredReactor,
    duration: f64,
    stopped: &AtomicBool,
) -> Result<i32, Error> {
    let times = times(args)?;
    let &[tau] = &times[..] else { return Err(Error::OneTau) };
    let first = match args.start {
        Start::Inflow => reactor.inlet().clone(),
        Start::Burnt => reactor.burnt().map_err(|e| fault(e, inflow))?,
    };
    let start = Instant::now();
    let points = progress::working(args.quiet, "integrating", || {
        reactor.transient(tau, &first, duration, args.rtol, args.atol, stopped)
    });
    let points = points.map_err(|e| fault(e, inflow))?;
    let seconds = start.elapsed().as_secs_f64();
    let rows: Vec<Row<'_>> = points.iter().map(|(t, state)| Row { x: *t, branch: "", state }).collect();
    let steps = count(rows.len() - 1, "step");
    let mut outputs = Outputs::default();
    save(&mut outputs, out, args, mechanism, inflow.p, &rows)?;
    if let Some(path) = &args.csv {
        outputs.text(path, &csv(mechanism, "t_s", &rows))?;
    }
    if let Some(path) = &args.picture {
        let title = format!(
            "Stirred reactor: {}, {} K, tau = {} s, {}",
            args.mixture.gas(inflow),
            short(inflow.t),
            short(tau),
            Pressure(inflow.p)
        );
        let (time, scale) = chart::time(duration);
        let subtitle = by(args, mechanism);
        let chart = match args.isothermal {
            true => {
                let scaled = rows.iter().map(|r| Row { x: r.x * scale, ..*r }).collect();
                composition(mechanism, [title, subtitle], time, &[scaled])
            }
            false => {
                let points = rows.iter().map(|r| (r.x * scale, r.state.temperature)).collect();
                temperatures([title, subtitle], time, "", vec![Series { name: String::new(), points }])
            }
        };
        picture::write(&mut outputs, path, &chart.svg())?;
    }
    report(&mut outputs, args, mechanism, &rows, seconds, &Curve::default())?;
    outputs.commit()?;
    if !args.quiet && !output::to_standard(&[&args.csv, &args.json]) {
        say!("{}", table(mechanism, "t (s)", &some_of(&rows, LINES)));
        say!("{steps} in {seconds:.3} s");
    }
    Ok(0)
}

pub(super) fn fault(fault: PsrError, inflow: &Point) -> Error {
    Error::Psr { fault, hint: mixture::hint(inflow.t) }.or_interrupted()
}

fn report(
    outputs: &mut Outputs,
    args: &PsrArgs,
    mechanism: &Mechanism,
    rows: &[Row<'_>],
    seconds: f64,
    curve: &Curve,
) -> Result<(), Error> {
    let Some(path) = &args.json else { return Ok(()) };
    let state = |row: &Row<'_>| {
        let x = mole_fractions(mechanism, &row.state.y);
        let named = mechanism.species_names().iter().zip(x);
        Found {
            tau: args.transient.is_none().then_some(row.x),
            t: args.transient.is_some().then_some(row.x),
            branch: row.branch,
            temperature: row.state.temperature,
            mole_fractions: named.map(|(name, x)| (&**name, x)).collect(),
        }
    };
    let report = Report {
        mechanism: mechanism.name(),
        points: rows.len(),
        failed: curve.missing.len(),
        seconds,
        extinction: curve.extinction.map(Into::into),
        ignition: curve.ignition.map(Into::into),
        turns: curve.turns.iter().copied().map(Into::into).collect(),
        hopf: curve.hopf.iter().copied().map(Into::into).collect(),
        states: rows.iter().map(state).collect(),
        kinlane: crate::VERSION,
    };
    outputs.text(path, &output::pretty(&report, path)?)
}

/// The rows as states, with their residence times or times.
fn save(
    outputs: &mut Outputs,
    out: Option<Output>,
    args: &PsrArgs,
    mechanism: &Mechanism,
    p: f64,
    rows: &[Row<'_>],
) -> Result<(), Error> {
    let Some(out) = out else { return Ok(()) };
    let t = rows.iter().map(|row| row.state.temperature).collect();
    let y = rows.iter().flat_map(|row| row.state.y.iter().copied()).collect();
    let x: Vec<f64> = rows.iter().map(|row| row.x).collect();
    let branches: Vec<String> = rows.iter().map(|row| row.branch.to_owned()).collect();
    states::save(&out, &args.mechanism, mechanism, (t, p, y), |npz| {
        if args.transient.is_some() {
            return npz.numbers("t", &[x.len()], &x);
        }
        npz.numbers("tau", &[x.len()], &x)?;
        npz.strings("branch", &branches)
    })?;
    outputs.add(out);
    Ok(())
}

fn csv(mechanism: &Mechanism, first: &str, rows: &[Row<'_>]) -> String {
    let mut text = format!("{first},branch,T_K");
    text.push_str(&output::csv_mole_fractions(mechanism.species_names()));
    text.push('\n');
    for row in rows {
        let _ = write!(text, "{:e},{},{}", row.x, row.branch, row.state.temperature);
        text.push_str(&output::csv_numbers(mole_fractions(mechanism, &row.state.y)));
        text.push('\n');
    }
    text
}

fn table(mechanism: &Mechanism, first: &str, rows: &[&Row<'_>]) -> String {
    let fractions: Vec<Vec<f64>> = rows.iter().map(|r| mole_fractions(mechanism, &r.state.y)).collect();
    let columns = Columns::new(&fractions, SHOWN);
    let mut text = format!("{first:>12} {:<12} {:>9}{}", "", "T (K)", columns.heads(mechanism));
    for (row, x) in rows.iter().zip(&fractions) {
        let (t, x) = (fixed(row.state.temperature, 2), columns.row(x));
        let _ = write!(text, "\n{:>12.5e} {:<12} {t:>9}{x}", row.x, row.branch);
    }
    text
}

/// T over τ, with a line for every branch; branches include their common turns, so that lines meet there. If
/// walls hold T, mole fractions instead.
fn curve_chart(args: &PsrArgs, mechanism: &Mechanism, inflow: &Point, curve: &Curve) -> Chart {
    let title = format!("Stirred reactor: {}", args.mixture.state(inflow));
    let time =
        Axis { label: "residence time (s)".into(), spacing: chart::spacing(args.tau.0.iter().copied()), low: None };
    if args.isothermal {
        let pieces = curve.points.chunk_by(|a, b| a.piece == b.piece);
        let pieces: Vec<Vec<Row<'_>>> = pieces.map(|piece| piece.iter().map(row).collect()).collect();
        return composition(mechanism, [title, by(args, mechanism)], time, &pieces);
    }
    let mut series: Vec<Series> = Vec::new();
    let mut last: Option<&CurvePoint> = None;
    for p in &curve.points {
        let at = |p: &CurvePoint| (p.tau, p.state.temperature);
        if last.is_none_or(|last| last.branch != p.branch || last.piece != p.piece) {
            let points = last.filter(|last| last.piece == p.piece).map(at).into_iter().collect();
            series.push(Series { name: p.branch.word().into(), points });
        }
        if let Some(s) = series.last_mut() {
            s.points.push(at(p));
        }
        last = Some(p);
    }
    temperatures([title, by(args, mechanism)], time, "steady state", series)
}

/// The mechanism and the kind of reactor, for titles.
fn by(args: &PsrArgs, mechanism: &Mechanism) -> String {
    let walls = if args.isothermal { "constant temperature" } else { "adiabatic" };
    format!("{}, constant pressure, {walls}", mechanism.name())
}

/// A chart of temperatures.
fn temperatures([title, subtitle]: [String; 2], x: Axis, legend: &str, series: Vec<Series>) -> Chart {
    Chart { title, subtitle, x, y: chart::temperatures(), legend: legend.into(), series, dots: false }
}

/// A chart of mole fractions of the major species along pieces of the curve, or over time.
fn composition(mechanism: &Mechanism, [title, subtitle]: [String; 2], x: Axis, pieces: &[Vec<Row<'_>>]) -> Chart {
    // A NaN interrupts a line.
    let gap = (f64::NAN, Vec::new());
    let of = |row: &Row<'_>| (row.x, mole_fractions(mechanism, &row.state.y));
    let rows: Vec<(f64, Vec<f64>)> = pieces.iter().flat_map(|p| p.iter().map(of).chain([gap.clone()])).collect();
    let all: Vec<Vec<f64>> = rows.iter().filter(|r| !r.1.is_empty()).map(|r| r.1.clone()).collect();
    let series = |k: usize| Series {
        name: mechanism.species_names().get(k).map_or("", |n| n).to_owned(),
        points: rows.iter().map(|(x, all)| (*x, all.get(k).copied().unwrap_or(f64::NAN))).collect(),
    };
    let series: Vec<Series> = mixture::major(&all, DRAWN).into_iter().map(series).collect();
    let (y, legend) = (chart::mole_fractions(&series), chart::largest(series.len(), mechanism.species_count()));
    Chart { title, subtitle, x, y, legend, series, dots: false }
}
