//! A sweep of inflows: the steady states of each at the residence times, gas by gas and side by side.

use super::picture::Drawn;
use super::report::{Found, GasReport, Report, Work};
use super::{PsrArgs, times};
use crate::error::Error;
use crate::files::output::{self, Output, Outputs};
use crate::files::states;
use crate::mixture::{self, MixtureFault, Point, mole_fractions};
use crate::picture;
use crate::picture::chart::MOST;
use crate::run::{exit, progress, stop};
use crate::terminal::Columns;
use crate::words::{count, fixed};
use kinlane::{Curve, CurvePoint, Mechanism, PsrError, StirredReactor};
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// Mole fractions per line of the table.
const SHOWN: usize = 5;

/// An inflow with its steady states.
pub struct Gas<'a> {
    pub inflow: &'a Point,
    /// Its steady states, or why there are none.
    pub curve: Result<Curve, PsrError>,
}

impl Gas<'_> {
    /// The steady states at the residence times asked for.
    pub fn asked(&self) -> impl Iterator<Item = &CurvePoint> {
        self.curve.iter().flat_map(|curve| curve.points.iter().filter(|p| p.asked))
    }

    /// The residence times asked for without a state \[s\].
    pub fn missing<'t>(&'t self, times: &'t [f64]) -> &'t [f64] {
        self.curve.as_ref().map_or(times, |curve| &curve.missing)
    }
}

/// Runs the sweep; returns the exit code.
pub fn run(drawn: &Drawn<'_>, out: Option<Output>, points: &[Point], stopped: &AtomicBool) -> Result<i32, Error> {
    let Drawn { args, mechanism, .. } = *drawn;
    let (times, range) = times(args);
    if args.picture.is_some() {
        drawn.drawable(&times)?;
    }
    let start = Instant::now();
    let gases = solve(args, mechanism, points, (&times, range), stopped)?;
    stop::check()?;
    let seconds = start.elapsed().as_secs_f64();
    let failed = gases.iter().map(|gas| gas.missing(&times).len()).sum();
    let states = gases.iter().map(|gas| gas.asked().count()).sum();
    let mut outputs = Outputs::default();
    if let Some(out) = out {
        write(&mut outputs, out, args, mechanism, &gases)?;
    }
    if let Some(path) = &args.csv {
        outputs.text(path, &csv(mechanism, &gases, &times))?;
    }
    let mut curves = 0;
    if let Some(path) = &args.picture {
        let chart = drawn.sweep(&gases, &times);
        curves = chart.series.len();
        picture::write(&mut outputs, path, &chart.svg())?;
    }
    if let Some(path) = &args.json {
        let found = Found::Sweep { gases: gases.iter().map(|gas| GasReport::new(mechanism, gas, &times)).collect() };
        let work = Work::steady(mechanism, failed, seconds, threads(args, points.len()));
        let report = Report::new(work, states, found);
        outputs.text(path, &output::pretty(&report, path)?)?;
    }
    outputs.commit()?;
    exit::tell_failures(failed, failures(&gases, &times));
    let cut = gases.iter().filter(|gas| gas.curve.as_ref().is_ok_and(|curve| !curve.cut.is_empty())).count();
    if cut > 0 {
        tell!("the curve of {} could not be followed to its ends: unstable states may be missing", count(cut, "gas"));
    }
    // How many branches there are is not known before.
    if curves > MOST && !args.run.quiet {
        tell!(
            "note: the picture has {curves} curves, and {MOST} can be told apart; give fewer values, or --csv in its place"
        );
    }
    if !args.run.quiet && !output::to_standard(&[&args.csv, &args.json]) {
        say!("{}", table(mechanism, &gases));
        say!("{} of {} gases in {seconds:.3} s, {failed} failed", count(states, "steady state"), gases.len());
    }
    Ok(exit::code(failed))
}

/// Threads for so many gases.
fn threads(args: &PsrArgs, gases: usize) -> usize {
    args.run.thread_count().min(gases)
}

/// The states of all gases. Each thread takes the next gas that none has begun.
fn solve<'a>(
    args: &PsrArgs,
    mechanism: &Mechanism,
    points: &'a [Point],
    (times, range): (&[f64], [f64; 2]),
    stopped: &AtomicBool,
) -> Result<Vec<Gas<'a>>, Error> {
    let reactor =
        |p: &Point| StirredReactor::new(mechanism, p.t, p.p, &p.y, args.isothermal).map_err(MixtureFault::Batch);
    let mut found: Vec<Option<Result<Result<Curve, PsrError>, MixtureFault>>> = Vec::new();
    found.resize_with(points.len(), || None);
    let progress = AtomicUsize::new(0);
    let queue = Mutex::new(points.iter().zip(&mut found));
    // A thread that panics leaves the queue intact.
    let take = || queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
    let work = || {
        while let Some((point, found)) = take().filter(|_| !stopped.load(Ordering::Relaxed)) {
            *found = Some(reactor(point).map(|mut reactor| reactor.curve(range, times, stopped)));
            progress.fetch_add(1, Ordering::Relaxed);
        }
    };
    progress::watched(args.run.quiet, points.len(), &progress, || {
        thread::scope(|scope| {
            // Where the system allows no more threads, those that there are do the work.
            (1..threads(args, points.len())).for_each(|_| drop(thread::Builder::new().spawn_scoped(scope, work)));
            work();
        });
    });
    let gas = |(inflow, found): (&'a Point, Option<_>)| {
        let curve = found.unwrap_or(Ok(Err(PsrError::Cancelled)))?;
        Ok(Gas { inflow, curve })
    };
    points.iter().zip(found).map(gas).collect()
}

/// A line for every residence time at which a gas has no state.
fn failures<'a>(gases: &'a [Gas<'_>], times: &'a [f64]) -> impl Iterator<Item = String> + 'a {
    let lines = move |(i, gas): (usize, &'a Gas<'_>)| {
        gas.missing(times).iter().map(move |&tau| {
            let fault = gas.curve.as_ref().map_or_else(|fault| *fault, |curve| curve.without_state(tau));
            format!("  gas {i}: {fault}{}", mixture::hint(gas.inflow.t))
        })
    };
    gases.iter().enumerate().flat_map(lines)
}

fn write(
    outputs: &mut Outputs,
    out: Output,
    args: &PsrArgs,
    mechanism: &Mechanism,
    gases: &[Gas<'_>],
) -> Result<(), Error> {
    let rows = || gases.iter().flat_map(|gas| gas.asked().map(|p| (gas.inflow, p)));
    let branches: Vec<String> = rows().map(|(_, p)| p.branch.word().to_owned()).collect();
    let of =
        |value: &dyn Fn(&Point, &CurvePoint) -> f64| rows().map(|(inflow, p)| value(inflow, p)).collect::<Vec<_>>();
    let y = rows().flat_map(|(_, p)| p.state.y.iter().copied()).collect();
    let n = branches.len();
    let (t, p) = (of(&|_, p| p.state.temperature), of(&|inflow, _| inflow.p));
    states::save(&out, &args.mechanism, mechanism, (t, p, y), |npz| {
        npz.numbers("tau", &[n], &of(&|_, p| p.tau))?;
        npz.strings("branch", &branches)?;
        npz.numbers("T0", &[n], &of(&|inflow, _| inflow.t))?;
        match args.mixture.fuel {
            Some(_) => npz.numbers("phi", &[n], &of(&|inflow, _| inflow.phi.unwrap_or(f64::NAN))),
            None => Ok(()),
        }
    })?;
    outputs.add(out);
    Ok(())
}

/// One line per state; a residence time without one has a line without numbers.
fn csv(mechanism: &Mechanism, gases: &[Gas<'_>], times: &[f64]) -> String {
    let mut text = String::from("phi,T0_K,P0_Pa,tau_s,branch,T_K");
    text.push_str(&output::csv_mole_fractions(mechanism.species_names()));
    text.push('\n');
    for gas in gases {
        let Point { t, p, phi, .. } = gas.inflow;
        let phi = phi.map_or_else(String::new, |phi| phi.to_string());
        for state in gas.asked() {
            let _ = write!(text, "{phi},{t},{p},{:e},{},{}", state.tau, state.branch.word(), state.state.temperature);
            text.push_str(&output::csv_numbers(mole_fractions(mechanism, &state.state.y)));
            text.push('\n');
        }
        for tau in gas.missing(times) {
            let _ = writeln!(text, "{phi},{t},{p},{tau:e},{}", ",nan".repeat(1 + mechanism.species_count()));
        }
    }
    text
}

/// The table for a terminal.
fn table(mechanism: &Mechanism, gases: &[Gas<'_>]) -> String {
    let rows: Vec<(&Point, &CurvePoint)> = gases.iter().flat_map(|gas| gas.asked().map(|p| (gas.inflow, p))).collect();
    let fractions: Vec<Vec<f64>> = rows.iter().map(|(_, p)| mole_fractions(mechanism, &p.state.y)).collect();
    let columns = Columns::new(mechanism, &fractions, SHOWN);
    let mut text = format!(
        "{:>8} {:>9} {:>11} {:>11} {:<12} {:>9}{}",
        "phi",
        "T0 (K)",
        "P0 (Pa)",
        "tau (s)",
        "",
        "T (K)",
        columns.heads()
    );
    for ((inflow, p), x) in rows.iter().zip(&fractions) {
        let phi = inflow.phi.map_or_else(|| "-".to_owned(), |phi| format!("{phi:.4}"));
        let (t0, t) = (fixed(inflow.t, 2), fixed(p.state.temperature, 2));
        let (branch, x) = (p.branch.word(), columns.row(x));
        let _ = write!(text, "\n{phi:>8} {t0:>9} {:>11.5e} {:>11.4e} {branch:<12} {t:>9}{x}", inflow.p, p.tau);
    }
    text
}
