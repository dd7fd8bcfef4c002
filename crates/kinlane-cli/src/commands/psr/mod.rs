//! `kinlane psr`.

mod picture;
mod report;
mod sweep;

use super::ending::Subject;
use crate::args::{CpuArgs, MechanismArgs};
use crate::error::Error;
use crate::files::output::{self, Output, Outputs};
use crate::files::states;
use crate::mixture::{self, MixtureArgs, MixtureFault, Point, mole_fractions};
use crate::picture as pictures;
use crate::run::{exit, progress, setup, stop};
use crate::terminal::{Columns, some_of};
use crate::values::{self, Sweep};
use crate::words::{Names, count, fixed};
use clap::{Args, ValueEnum};
use kinlane::{CurvePoint, Mechanism, Options, PsrError, StirredReactor};
use picture::Drawn;
use report::{Found, Report, Row, State, Steady, Work};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Number of mole fractions per line of a table.
const SHOWN: usize = 5;
/// Lines of the table of a transient.
const LINES: usize = 20;

/// Perfectly stirred reactor: burning and extinguished states over the residence time, their stability, extinction and ignition
#[derive(Debug, Args)]
#[command(mut_arg("temperature", |t| {
    t.help("Temperatures of the inflow [K], as --phi; 800:2000:25log spaces them by their logarithm (default: 300)")
}))]
#[command(mut_arg("threads", |threads| threads.help("Threads for the gases of a sweep (default: one per core)")))]
#[command(after_help = "\
The reactor is at constant pressure and adiabatic, or held at the temperature of its inflow (--isothermal). The curve of \
steady states over the residence time is followed from the burning end around extinction and ignition; these are told where \
the range holds them. At the residence times given there are points exactly: a burning state, an unstable one and an \
extinguished one, and stable ones between further turns (cool flame), as far as there are these. Where oscillations grow from \
a state, it is called oscillating. With --transient one reactor is integrated over time instead, from the inflow's state or \
from burnt gas.

Several temperatures, pressures or equivalence ratios make a sweep: every combination is an inflow of its own, and tables \
hold its states at the times of --tau. The picture then is T, or the mole fractions, over what has the most values.

Examples:
  kinlane psr gri30 --fuel CH4 --oxidizer O2:1,N2:3.76 --tau 1e-5:1:26log --picture s.svg
  kinlane psr h2 --fuel H2 --oxidizer O2:1,N2:3.76 --T 900 --tau 1e-6:.1:11log --csv s.csv
  kinlane psr h2 --fuel H2 --oxidizer O2:1,N2:3.76 --T 900 --tau 1ms --out s.npz
  kinlane psr h2 --mixture H2:2,O2,N2:4 --T 900 --tau 1ms --transient 10ms --start burnt
  kinlane psr h2 --mixture H2,O2:3,AR:96 --T 800:1100:13 --tau .1 --isothermal --csv s.csv")]
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
    /// Table to write (- for standard output): residence time (or time), branch, T, mole fractions of all species; of a sweep
    /// also phi, T and P of the inflow
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub csv: Option<PathBuf>,
    /// Picture of T, or of mole fractions with --isothermal or --show, over the residence time (or time, or what is swept): a
    /// name in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = pictures::name, help_heading = "Input and output")]
    pub picture: Option<PathBuf>,
    /// Species whose mole fractions the picture shows, as OH,H2O2
    #[arg(long, value_name = "LIST", requires = "picture", help_heading = "Input and output")]
    pub show: Vec<Names>,
    /// JSON report to write (- for standard output): extinction, ignition, turns, hopf (where stability is lost to oscillations),
    /// states with their composition, time
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub run: CpuArgs,
}

/// `--start`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "said in the option's own line")]
pub enum Start {
    Inflow,
    Burnt,
}

fn row(p: &CurvePoint) -> Row<'_> {
    Row { x: p.tau, branch: p.branch.word(), state: &p.state }
}

/// Runs the command; returns the exit code.
pub fn run(args: &PsrArgs) -> Result<i32, Error> {
    let mechanism = setup::reacting(&args.mechanism)?;
    output::ready(&output::usual(&args.out, &args.csv, &args.picture, &args.json), &args.mechanism.files())?;
    let out = args.out.as_deref().map(Output::new).transpose()?;
    let points = args.mixture.points(&mechanism)?;
    mixture::states(&points, &mechanism)?;
    mixture::lawful("--T", points.iter().map(|point| point.t))?;
    if !args.run.quiet {
        args.mixture.tell_low_pressure();
    }
    let shown = mixture::named(&args.show, &mechanism)?;
    let drawn = Drawn { args, mechanism: &mechanism, shown: &shown };
    let stopped = Arc::new(AtomicBool::new(false));
    stop::connect(Arc::clone(&stopped));
    let [inflow] = &points[..] else {
        return match args.transient {
            Some(_) => Err(MixtureFault::Several(points.len()).into()),
            None => sweep::run(&drawn, out, &points, &stopped),
        };
    };
    let reactor =
        StirredReactor::new(&mechanism, inflow.t, inflow.p, &inflow.y, args.isothermal).map_err(MixtureFault::Batch)?;
    match args.transient {
        Some(duration) => transient(&drawn, out, inflow, reactor, duration, &stopped),
        None => steady(&drawn, out, inflow, reactor, &stopped),
    }
}

/// The residence times, and the shortest and the longest of them.
fn times(args: &PsrArgs) -> (Vec<f64>, [f64; 2]) {
    let mut times = args.tau.0.clone();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let range = [times[0], times[times.len() - 1]];
    (times, range)
}

fn steady(
    drawn: &Drawn<'_>,
    out: Option<Output>,
    inflow: &Point,
    mut reactor: StirredReactor,
    stopped: &AtomicBool,
) -> Result<i32, Error> {
    let Drawn { args, mechanism, .. } = *drawn;
    let (times, range) = times(args);
    let start = Instant::now();
    let curve =
        progress::working(args.run.quiet, "looking for steady states", || reactor.curve(range, &times, stopped));
    let curve = curve.map_err(|e| fault(e, inflow))?;
    let seconds = start.elapsed().as_secs_f64();
    let rows: Vec<Row<'_>> = curve.points.iter().map(row).collect();
    let mut outputs = Outputs::default();
    save(&mut outputs, out, drawn, inflow.p, &rows)?;
    if let Some(path) = &args.csv {
        outputs.text(path, &csv(mechanism, "tau_s", &rows))?;
    }
    if let Some(path) = &args.picture {
        pictures::write(&mut outputs, path, &drawn.curve(inflow, &curve).svg())?;
    }
    if let Some(path) = &args.json {
        let found = Found::Steady(Steady::new(mechanism, Some(&curve), curve.points.iter().map(row)));
        let work = Work::steady(mechanism, curve.missing.len(), seconds, 1);
        let report = Report::new(work, rows.len(), found);
        outputs.text(path, &output::pretty(&report, path)?)?;
    }
    outputs.commit()?;
    if !args.run.quiet && !output::to_standard(&[&args.csv, &args.json]) {
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
        tell!("{}{}", curve.without_state(tau), mixture::hint(inflow.t));
    }
    Ok(exit::code(curve.missing.len()))
}

fn transient(
    drawn: &Drawn<'_>,
    out: Option<Output>,
    inflow: &Point,
    mut reactor: StirredReactor,
    duration: f64,
    stopped: &AtomicBool,
) -> Result<i32, Error> {
    let Drawn { args, mechanism, .. } = *drawn;
    let (times, _) = times(args);
    let &[tau] = &times[..] else { return Err(Error::OneTau) };
    let first = match args.start {
        Start::Inflow => reactor.inlet().clone(),
        Start::Burnt => reactor.burnt().map_err(|e| fault(e, inflow))?,
    };
    let points = progress::working(args.run.quiet, "integrating", || {
        reactor.transient(tau, &first, duration, args.rtol, args.atol, stopped)
    });
    let points = points.map_err(|e| fault(e, inflow))?;
    let cost = reactor.report();
    let rows: Vec<Row<'_>> = points.iter().map(|(t, state)| Row { x: *t, branch: "", state }).collect();
    let steps = count(rows.len() - 1, "step");
    let mut outputs = Outputs::default();
    save(&mut outputs, out, drawn, inflow.p, &rows)?;
    if let Some(path) = &args.csv {
        outputs.text(path, &csv(mechanism, "t_s", &rows))?;
    }
    if let Some(path) = &args.picture {
        pictures::write(&mut outputs, path, &drawn.transient(inflow, tau, duration, &rows).svg())?;
    }
    if let Some(path) = &args.json {
        let states = rows.iter().map(|row| State::new(mechanism, row)).collect();
        let options = Options { rtol: args.rtol, atol: Some(args.atol), ..Options::default() };
        let work = Work::Transient(Subject::from(mechanism).json(&options, cost));
        let report = Report::new(work, rows.len(), Found::Transient { states });
        outputs.text(path, &output::pretty(&report, path)?)?;
    }
    outputs.commit()?;
    if !args.run.quiet && !output::to_standard(&[&args.csv, &args.json]) {
        say!("{}", table(mechanism, "t (s)", &some_of(&rows, LINES)));
        say!("{steps} in {:.3} s", cost.seconds);
    }
    Ok(0)
}

pub(super) fn fault(fault: PsrError, inflow: &Point) -> Error {
    Error::Psr { fault, hint: mixture::hint(inflow.t) }.or_interrupted()
}

/// The rows as states, with their residence times or times.
fn save(outputs: &mut Outputs, out: Option<Output>, drawn: &Drawn<'_>, p: f64, rows: &[Row<'_>]) -> Result<(), Error> {
    let Some(out) = out else { return Ok(()) };
    let Drawn { args, mechanism, .. } = *drawn;
    let t = rows.iter().map(|row| row.state.temperature).collect();
    let y = rows.iter().flat_map(|row| row.state.y.iter().copied()).collect();
    let x: Vec<f64> = rows.iter().map(|row| row.x).collect();
    let branches: Vec<String> = rows.iter().map(|row| row.branch.to_owned()).collect();
    states::save(&out, &args.mechanism, mechanism, (t, vec![p; rows.len()], y), |npz| {
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
    let row = |row: &Row<'_>| {
        (format!("{:e},{},{}", row.x, row.branch, row.state.temperature), mole_fractions(mechanism, &row.state.y))
    };
    output::csv_gases(&format!("{first},branch,T_K"), mechanism.species_names(), rows.iter().map(row))
}

fn table(mechanism: &Mechanism, first: &str, rows: &[&Row<'_>]) -> String {
    let fractions: Vec<Vec<f64>> = rows.iter().map(|r| mole_fractions(mechanism, &r.state.y)).collect();
    let columns = Columns::new(mechanism, &fractions, SHOWN);
    let mut text = format!("{first:>12} {:<12} {:>9}{}", "", "T (K)", columns.heads());
    for (row, x) in rows.iter().zip(&fractions) {
        let (t, x) = (fixed(row.state.temperature, 2), columns.row(x));
        let _ = write!(text, "\n{:>12.5e} {:<12} {t:>9}{x}", row.x, row.branch);
    }
    text
}
