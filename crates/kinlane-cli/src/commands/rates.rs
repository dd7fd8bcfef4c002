//! `kinlane rates`.

use super::{ending, scheme};
use crate::args::{MechanismArgs, RunArgs, SchemeArgs};
use crate::error::Error;
use crate::files::npz::Writer;
use crate::files::output::{self, Output, Outputs};
use crate::files::states;
use crate::files::states::Use;
use crate::run::{exit, progress, setup, stop};
use crate::values::word;
use crate::words::{count, short};
use clap::Args;
use kinlane::{Advance, BatchError, Mechanism, Properties, Reactor, States, TEMPERATURES};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Rates and properties of given states; reactions and the Jacobian if asked for
#[derive(Debug, Args)]
#[command(after_help = "\
The states file is as for `kinlane advance`. Of atmospheres and stars k [n,r] and dCdt [n,k] (rate and dYdt) are \
written; with --reactions progress [n,r], with --jacobian jac [n,k,k].
Output: species (in the mechanism's order), wdot [n,k] mol/(m3 s) net production, rho [n] kg/m3, W [n] kg/mol, cp [n] J/(kg K), \
h [n] J/kg, hrr [n] W/m3 heat release rate.
  With --reactions also equations [r] in the file's order, forward and reverse [n,r] mol/(m3 s), rates of progress.
  With --jacobian also jac [n,k+1,k+1], the derivative of (dY/dt, dT/dt) with respect to (Y, T), of the reactor chosen.

Example:
  kinlane rates gri30 --states s.npz --out r.npz --reactions")]
pub struct RatesArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// NPZ file of the cells
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub states: PathBuf,
    /// NPZ file to write; it appears only when it is complete
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub out: PathBuf,
    /// JSON report to write (- for standard output): cells, time of the evaluation, sizes
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
    /// Write the Jacobian too
    #[arg(long, help_heading = "Input and output")]
    pub jacobian: bool,
    /// Write the forward and reverse rate of progress of every reaction too
    #[arg(long, help_heading = "Input and output")]
    pub reactions: bool,
    /// Equations of the Jacobian of a gas (default: const-p)
    #[arg(long, value_parser = word(&Reactor::ALL, Reactor::name), help_heading = "Integration")]
    pub reactor: Option<Reactor>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Most cells that are evaluated at a time.
const CHUNK: usize = 1 << 16;
/// Most numbers of Jacobians or reactions in memory at a time: those of a large batch must not be there all
/// at once.
const ENTRIES: usize = 1 << 23;

/// The JSON report.
#[derive(Debug, Serialize)]
pub struct RatesReport<'a> {
    pub cells: usize,
    /// Cells with a number that is not finite.
    pub not_finite: usize,
    /// Wall time of the evaluation alone \[s\].
    pub seconds: f64,
    pub device: &'a str,
    /// Why the CPU did the work although a device was asked for.
    pub fallback: Option<&'a str>,
    pub threads: usize,
    pub lanes: &'a str,
    pub mechanism: &'a str,
    pub species: usize,
    pub reactions: usize,
    pub kinlane: &'static str,
}

impl RatesReport<'_> {
    /// Completes what was written, and writes the report beside it.
    pub fn commit(&self, out: Output, json: Option<&Path>) -> Result<(), Error> {
        let mut outputs = Outputs::default();
        outputs.add(out);
        if let Some(path) = json {
            outputs.text(path, &output::pretty(self, path)?)?;
        }
        outputs.commit()
    }
}

/// Why writing stopped.
enum Stopped {
    Io(io::Error),
    Batch(BatchError),
}

impl From<io::Error> for Stopped {
    fn from(e: io::Error) -> Self {
        Self::Io(e)
    }
}

/// Runs the command; returns the exit code.
pub fn run(args: &RatesArgs) -> Result<i32, Error> {
    if let Some(scheme) = setup::scheme(&args.mechanism, &args.scheme)? {
        if !args.run.cpu.quiet {
            setup::warn(&scheme);
        }
        return scheme::rates(args, &scheme);
    }
    let mechanism = setup::mechanism(&args.mechanism)?;
    let mut solver = setup::plan(Advance::builder(&mechanism).reactor(args.reactor.unwrap_or_default()), &args.run)?;
    let [mech, thermo] = args.mechanism.files();
    let files = [("--out", Some(&*args.out)), ("--json", args.json.as_deref())];
    output::ready(&files, &[mech, thermo, Some(&args.states)])?;
    let out = Output::new(&args.out)?;
    let states = states::read(&args.states, &mechanism, args.run.cpu.quiet)?;
    if !args.run.cpu.quiet {
        states::tell_unused(&args.states, &states, &mechanism, Use::Rates);
        tell_lawless(&states, mechanism.cold_limit());
    }

    let progress = AtomicUsize::new(0);
    // Reactions are evaluated once for each direction.
    let passes = if args.reactions { 3 } else { 1 };
    let mut seconds = 0.0;
    let bad = progress::watched(args.run.cpu.quiet, passes * states.len(), &progress, || {
        write(&out, &mechanism, &mut solver, &states, args, (&progress, &mut seconds))
    })
    .map_err(|e| match e {
        Stopped::Io(e) => out.blame(e),
        Stopped::Batch(fault) => Error::of_batch(&args.states, fault).or_interrupted(),
    })?;
    stop::check()?;
    let report = RatesReport {
        cells: states.len(),
        not_finite: bad.len(),
        seconds,
        device: solver.device(),
        fallback: solver.fallback(),
        threads: solver.threads(),
        lanes: solver.lanes(),
        mechanism: mechanism.name(),
        species: mechanism.species_count(),
        reactions: mechanism.reaction_count(),
        kinlane: crate::VERSION,
    };
    report.commit(out, args.json.as_deref())?;
    tell_not_finite(&bad, states.len(), |first| {
        let at = |v: &[f64]| short(v.get(first).copied().unwrap_or(f64::NAN));
        format!(", at {} K and {} Pa", at(states.temperature()), at(states.pressure()))
    });
    ending::tell_fallback(solver.fallback());
    if !args.run.cpu.quiet && !output::to_standard(&[&args.json]) {
        say!("rates of {}, {} species", count(states.len(), "cell"), mechanism.species_count());
    }
    Ok(exit::code(bad.len()))
}

/// Reports cells with numbers that are not finite; `place` is said of the first.
pub fn tell_not_finite(bad: &[usize], cells: usize, place: impl FnOnce(usize) -> String) {
    if let Some(&first) = bad.first() {
        let (of, place) = (count(cells, "cell"), place(first));
        tell!("what is written of {} of {of} is not finite; the first is cell {first}{place}", bad.len());
    }
}

/// Reports cells for which no rate law holds, and those so cold that the mechanism lacks rates.
fn tell_lawless(states: &States, cold: f64) {
    exit::tell_lawless(states.temperature(), "where no law holds and `advance` fails");
    let lacking = format!(
        "below {} K, where reverse rates of radicals leave the range of numbers and count as zero",
        short(cold)
    );
    exit::tell_temperatures(states.temperature(), |t| (*TEMPERATURES.start()..cold).contains(&t), &lacking);
}

/// Name of an array, and where its numbers come from.
type Column = (&'static str, fn(&Properties) -> f64);

/// The properties of the gas that are written.
const COLUMNS: [Column; 5] = [
    ("rho", |g| g.density),
    ("W", |g| g.molar_mass),
    ("cp", |g| g.cp),
    ("h", |g| g.enthalpy),
    ("hrr", |g| g.heat_release),
];

/// Writes the file; adds the seconds of evaluation; returns the cells with numbers that are not finite.
fn write(
    out: &Output,
    mechanism: &Mechanism,
    solver: &mut Advance,
    states: &States,
    args: &RatesArgs,
    (progress, seconds): (&AtomicUsize, &mut f64),
) -> Result<Vec<usize>, Stopped> {
    let (n, k, jacobian) = (states.len(), states.species_count(), args.jacobian);
    let size = (k + 1) * (k + 1);
    let mut npz = Writer::new(out.file());
    npz.strings("species", mechanism.species_names())?;
    if jacobian {
        npz.begin("jac", "<f8", &[n, k + 1, k + 1])?;
    }
    let (mut wdot, mut gas) = (vec![0.0; n * k], vec![Properties::default(); n]);
    let (mut jac, mut good) = (Vec::new(), vec![true; n]);
    let part = part(n, if jacobian { size } else { 0 });
    for (i, (wdot, gas)) in wdot.chunks_mut((part * k).max(1)).zip(gas.chunks_mut(part)).enumerate() {
        stop::refuse()?;
        let cells = i * part..i * part + gas.len();
        let blame = |e: BatchError| Stopped::Batch(e.shifted(cells.start));
        jac.resize(if jacobian { cells.len() * size } else { 0 }, 0.0);
        let at = states.points().part(cells.clone(), k);
        let begun = Instant::now();
        solver.rates(at, wdot, jacobian.then_some(&mut *jac)).map_err(blame)?;
        solver.properties(at, gas).map_err(blame)?;
        *seconds += begun.elapsed().as_secs_f64();
        if jacobian {
            look(&mut good, cells.start, jac.chunks(size));
            npz.push(jac.iter().map(|v| v.to_le_bytes()))?;
        }
        progress.fetch_add(cells.len(), Ordering::Relaxed);
    }
    npz.numbers("wdot", &[n, k], &wdot)?;
    look(&mut good, 0, wdot.chunks(k.max(1)));
    for (name, of) in COLUMNS {
        let column: Vec<f64> = gas.iter().map(of).collect();
        look(&mut good, 0, column.chunks(1));
        npz.numbers(name, &[n], &column)?;
    }
    if args.reactions {
        write_reactions(&mut npz, mechanism, solver, states, &mut good, (progress, seconds))?;
    }
    npz.finish()?;
    Ok((0..).zip(&good).filter(|(_, good)| !**good).map(|(i, _)| i).collect())
}

/// Marks the cells, from number `first` on, with numbers that are not finite.
fn look<'a>(good: &mut [bool], first: usize, numbers: impl Iterator<Item = &'a [f64]>) {
    let cells = good.iter_mut().skip(first).zip(numbers);
    cells.for_each(|(good, numbers)| *good &= numbers.iter().all(|x| x.is_finite()));
}

/// Writes the rates of progress of every reaction, first forward, then reverse: both together may not fit in
/// memory.
fn write_reactions(
    npz: &mut Writer<'_>,
    mechanism: &Mechanism,
    solver: &mut Advance,
    states: &States,
    good: &mut [bool],
    (progress, seconds): (&AtomicUsize, &mut f64),
) -> Result<(), Stopped> {
    let (n, k, r) = (states.len(), states.species_count(), mechanism.reaction_count());
    let equations: Vec<String> = mechanism.network().reactions.iter().map(|r| r.equation.clone()).collect();
    npz.strings("equations", &equations)?;
    let mut rates = Vec::new();
    for (name, way) in [("forward", 0), ("reverse", 1)] {
        npz.begin(name, "<f8", &[n, r])?;
        let part = part(n, 2 * r);
        for lo in (0..n).step_by(part) {
            stop::refuse()?;
            let cells = lo..n.min(lo + part);
            rates.resize(cells.len() * r, [0.0; 2]);
            let at = states.points().part(cells.clone(), k);
            let begun = Instant::now();
            solver.rates_of_progress(at, &mut rates).map_err(|e| Stopped::Batch(e.shifted(cells.start)))?;
            *seconds += begun.elapsed().as_secs_f64();
            look(good, cells.start, rates.as_flattened().chunks(2 * r.max(1)));
            npz.push(rates.iter().map(|q| q[way].to_le_bytes()))?;
            progress.fetch_add(cells.len(), Ordering::Relaxed);
        }
    }
    Ok(())
}

/// Number of cells per part, if `numbers` numbers per cell are kept; parts are of equal size, since a device
/// may treat a small part differently and compile for it.
fn part(n: usize, numbers: usize) -> usize {
    let most = ENTRIES.checked_div(numbers).unwrap_or(CHUNK).clamp(1, CHUNK);
    n.div_ceil(n.div_ceil(most).max(1)).max(1)
}
