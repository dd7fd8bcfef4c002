//! `kinlane psr`.

use crate::args::{MechanismArgs, RunArgs};
use crate::chart::{Axis, Chart, Series, Spacing};
use crate::error::Error;
use crate::mixture::{self, MixtureArgs, MixtureFault, Point, Pressure, Sweep};
use crate::{args, output, picture, setup, stop};
use clap::{Args, ValueEnum};
use kinlane::{Branch, Curve, Mechanism, PsrError, StirredReactor, StirredState};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Mole fractions shown per line of a table.
const SHOWN: usize = 5;

/// Perfectly stirred reactor: burning and extinguished states over the residence time, extinction and ignition
#[derive(Debug, Args)]
#[command(after_help = "\
The reactor is at constant pressure and adiabatic, or held at the temperature of its inflow (--isothermal). The curve of
steady states over the residence time is followed from the burning end around extinction and ignition, where the range
holds these; at the residence times given there are points exactly. With --transient one reactor is integrated over time
instead, from the inflow's state or from burnt gas.

Examples:
  kinlane psr gri30 --fuel CH4 --oxidizer O2:1,N2:3.76 --tau 1e-5:1:26log --picture s.svg
  kinlane psr h2 --fuel H2 --oxidizer O2:1,N2:3.76 --T 900 --tau 1e-6:1e-1:11log --csv s.csv
  kinlane psr h2 --fuel H2 --oxidizer O2:1,N2:3.76 --T 900 --tau 1e-3 --transient 0.01")]
pub struct PsrArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub mixture: MixtureArgs,
    /// Residence times [s]: a list, or a range as 1e-5:1:26log; the curve goes from the shortest to the longest
    #[arg(long, value_name = "LIST", help_heading = "Reactor")]
    pub tau: Sweep,
    /// Walls hold the temperature of the inflow
    #[arg(long, help_heading = "Reactor")]
    pub isothermal: bool,
    /// Integrate one reactor over this time [s]
    #[arg(long, value_name = "S", value_parser = args::positive, help_heading = "Reactor")]
    pub transient: Option<f64>,
    /// What fills the reactor at the start of --transient
    #[arg(long, value_enum, default_value = "inflow", help_heading = "Reactor")]
    pub start: Start,
    /// Relative tolerance of --transient
    #[arg(long, value_name = "X", default_value = "1e-8", value_parser = args::positive, help_heading = "Reactor")]
    pub rtol: f64,
    /// Absolute tolerance of --transient, on mass fractions
    #[arg(long, value_name = "X", default_value = "1e-14", value_parser = args::positive, help_heading = "Reactor")]
    pub atol: f64,
    /// Table to write: residence time (or time), branch, T, mole fractions of all species
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub csv: Option<PathBuf>,
    /// Picture of T over the residence time (or time): a name in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture::name, help_heading = "Input and output")]
    pub picture: Option<PathBuf>,
    /// JSON report to write: extinction, ignition, points, time
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
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
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    extinction: Option<Turn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignition: Option<Turn>,
    kinlane: &'static str,
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

/// A row of the tables: the residence time or time, the branch, the state.
struct Row<'a> {
    x: f64,
    branch: &'static str,
    state: &'a StirredState,
}

/// Runs the command; `Ok` is the exit code.
pub fn run(args: &PsrArgs) -> Result<i32, Error> {
    setup::only_cpu(&args.run)?;
    let mechanism = setup::mechanism(&args.mechanism)?;
    output::ready(
        &[("--csv", args.csv.as_deref()), ("--picture", args.picture.as_deref()), ("--json", args.json.as_deref())],
        &args.mechanism.files(),
    )?;
    let points = args.mixture.points(&mechanism)?;
    mixture::states(&points, &mechanism)?;
    let [inflow] = &points[..] else { return Err(MixtureFault::Several(points.len()).into()) };
    let reactor = StirredReactor::new(&mechanism, inflow.t, inflow.p, &inflow.y, args.isothermal);
    let stopped = Arc::new(AtomicBool::new(false));
    stop::connect(Arc::clone(&stopped));
    match args.transient {
        Some(duration) => transient(args, &mechanism, inflow, reactor, duration, &stopped),
        None => steady(args, &mechanism, inflow, reactor, &stopped),
    }
}

/// Residence times from zero on make no reactor.
fn times(args: &PsrArgs) -> Result<Vec<f64>, Error> {
    let mut times = args.tau.0.clone();
    times.sort_by(f64::total_cmp);
    times.dedup();
    match times.first() {
        Some(&first) if first > 0.0 => Ok(times),
        _ => Err(MixtureFault::Tau.into()),
    }
}

fn steady(
    args: &PsrArgs,
    mechanism: &Mechanism,
    inflow: &Point,
    mut reactor: StirredReactor,
    stopped: &AtomicBool,
) -> Result<i32, Error> {
    let times = times(args)?;
    let range = [times.first().copied().unwrap_or(f64::NAN), times.last().copied().unwrap_or(f64::NAN)];
    let start = Instant::now();
    let curve = if range[0] < range[1] {
        reactor.curve(range, &times, stopped).map_err(fault)?
    } else {
        single(&mut reactor, range[0]).map_err(fault)?
    };
    let seconds = start.elapsed().as_secs_f64();
    let row = |p: &kinlane::CurvePoint| (p.tau, p.branch.word(), p.asked);
    let rows: Vec<Row<'_>> =
        curve.points.iter().map(|p| Row { x: row(p).0, branch: row(p).1, state: &p.state }).collect();
    if let Some(path) = &args.csv {
        output::write_text(path, &csv(mechanism, "tau_s", &rows))?;
    }
    if let Some(path) = &args.picture {
        picture::write(path, &curve_chart(args, inflow, &curve).svg())?;
    }
    report(args.json.as_deref(), mechanism, rows.len(), seconds, &curve)?;
    if !args.run.quiet {
        let asked: Vec<&Row<'_>> =
            rows.iter().zip(&curve.points).filter(|(_, p)| p.asked).map(|(row, _)| row).collect();
        say!("{}", table(mechanism, "tau (s)", &asked));
        for (what, turn) in [("extinction", curve.extinction), ("ignition", curve.ignition)] {
            match turn {
                Some(turn) => say!("{what}: tau = {:.5e} s at T = {:.2} K", turn.tau, turn.temperature),
                None => say!("{what}: not between {:e} and {:e} s", range[0], range[1]),
            }
        }
        say!("{} steady states in {seconds:.3} s", rows.len());
    }
    Ok(0)
}

/// One residence time: what burns there, and what does not.
fn single(reactor: &mut StirredReactor, tau: f64) -> Result<Curve, PsrError> {
    let burnt = reactor.burnt()?;
    let inlet = reactor.inlet().clone();
    let hot = reactor.steady(tau, &burnt)?;
    let cold = reactor.steady(tau, &inlet)?;
    let mut curve = Curve::default();
    let point = |state: StirredState, branch| kinlane::CurvePoint { tau, state, branch, asked: true };
    let same = (hot.temperature - cold.temperature).abs() < 1e-3;
    curve.points.push(point(hot, Branch::Burning));
    if !same {
        curve.points.push(point(cold, Branch::Extinguished));
    }
    Ok(curve)
}

fn transient(
    args: &PsrArgs,
    mechanism: &Mechanism,
    inflow: &Point,
    mut reactor: StirredReactor,
    duration: f64,
    stopped: &AtomicBool,
) -> Result<i32, Error> {
    let times = times(args)?;
    let &[tau] = &times[..] else { return Err(MixtureFault::OneTau.into()) };
    let first = match args.start {
        Start::Inflow => reactor.inlet().clone(),
        Start::Burnt => reactor.burnt().map_err(fault)?,
    };
    let start = Instant::now();
    let points = reactor.transient(tau, &first, duration, args.rtol, args.atol, stopped).map_err(fault)?;
    let seconds = start.elapsed().as_secs_f64();
    let rows: Vec<Row<'_>> = points.iter().map(|(t, state)| Row { x: *t, branch: "", state }).collect();
    if let Some(path) = &args.csv {
        output::write_text(path, &csv(mechanism, "t_s", &rows))?;
    }
    if let Some(path) = &args.picture {
        let points = rows.iter().map(|r| (r.x, r.state.temperature)).collect();
        let chart = Chart {
            title: format!("Stirred reactor: {}, tau = {tau:e} s, {}", args.mixture.gas(inflow), Pressure(inflow.p)),
            x: Axis { label: "time (s)".into(), spacing: Spacing::Linear, low: None },
            y: Axis { label: "temperature (K)".into(), spacing: Spacing::Linear, low: None },
            legend: "inflow".into(),
            series: vec![Series { name: format!("{:.1} K", inflow.t), points }],
        };
        picture::write(path, &chart.svg())?;
    }
    report(args.json.as_deref(), mechanism, rows.len(), seconds, &Curve::default())?;
    if !args.run.quiet {
        let every = rows.len().div_ceil(20).max(1);
        let shown: Vec<&Row<'_>> =
            rows.iter().enumerate().filter(|(i, _)| i % every == 0 || i + 1 == rows.len()).map(|(_, r)| r).collect();
        say!("{}", table(mechanism, "t (s)", &shown));
        say!("{} steps in {seconds:.3} s", rows.len() - 1);
    }
    Ok(0)
}

fn fault(e: PsrError) -> Error {
    Error::Psr(e).or_interrupted()
}

fn report(path: Option<&Path>, mechanism: &Mechanism, points: usize, seconds: f64, curve: &Curve) -> Result<(), Error> {
    let Some(path) = path else { return Ok(()) };
    let report = Report {
        mechanism: mechanism.name(),
        points,
        seconds,
        extinction: curve.extinction.map(Into::into),
        ignition: curve.ignition.map(Into::into),
        kinlane: env!("CARGO_PKG_VERSION"),
    };
    output::write_text(path, &output::pretty(&report, path)?)
}

fn csv(mechanism: &Mechanism, first: &str, rows: &[Row<'_>]) -> String {
    let mut text = format!("{first},branch,T_K");
    mechanism.species_names().iter().for_each(|name| text.push_str(&format!(",X_{}", output::csv_field(name))));
    text.push('\n');
    for row in rows {
        let _ = write!(text, "{:e},{},{}", row.x, row.branch, row.state.temperature);
        for x in mixture::mole_fractions(mechanism, &row.state.y) {
            let _ = write!(text, ",{x:e}");
        }
        text.push('\n');
    }
    text
}

fn table(mechanism: &Mechanism, first: &str, rows: &[&Row<'_>]) -> String {
    let fractions: Vec<Vec<f64>> = rows.iter().map(|r| mixture::mole_fractions(mechanism, &r.state.y)).collect();
    let most = |k: usize| fractions.iter().filter_map(|x| x.get(k)).fold(0.0, |m: f64, x| m.max(*x));
    let mut order: Vec<usize> = (0..mechanism.species_count()).collect();
    order.sort_by(|&a, &b| most(b).total_cmp(&most(a)));
    order.truncate(SHOWN);
    let mut text = format!("{first:>12} {:<12} {:>9}", "", "T (K)");
    for &k in &order {
        let name = mechanism.species_names().get(k).map_or("", |n| n);
        let _ = write!(text, " {:>11}", format!("X {name}"));
    }
    for (row, x) in rows.iter().zip(&fractions) {
        let _ = write!(text, "\n{:>12.5e} {:<12} {:>9.2}", row.x, row.branch, row.state.temperature);
        for &k in &order {
            let _ = write!(text, " {:>11.4e}", x.get(k).copied().unwrap_or(f64::NAN));
        }
    }
    text
}

/// T over τ, a line for every branch; branches share their turns, so that lines meet there.
fn curve_chart(args: &PsrArgs, inflow: &Point, curve: &Curve) -> Chart {
    let mut series: Vec<Series> = Vec::new();
    let mut last: Option<(Branch, (f64, f64))> = None;
    for p in &curve.points {
        let at = (p.tau, p.state.temperature);
        if last.is_none_or(|(branch, _)| branch != p.branch) {
            let mut points = Vec::new();
            let near = |a: (f64, f64)| (a.0 / at.0).ln().abs() < 0.1 && (a.1 - at.1).abs() < 60.0;
            points.extend(last.map(|(_, at)| at).filter(|a| near(*a)));
            series.push(Series { name: p.branch.word().into(), points });
        }
        if let Some(s) = series.last_mut() {
            s.points.push(at);
        }
        last = Some((p.branch, at));
    }
    Chart {
        title: format!("Stirred reactor: {}, {:.1} K, {}", args.mixture.gas(inflow), inflow.t, Pressure(inflow.p)),
        x: Axis { label: "residence time (s)".into(), spacing: Spacing::Log, low: None },
        y: Axis { label: "temperature (K)".into(), spacing: Spacing::Linear, low: None },
        legend: "steady state".into(),
        series,
    }
}
