//! `kinlane equilibrate`.

use crate::args::{CpuArgs, MechanismArgs};
use crate::error::Error;
use crate::files::output::{self, Output, Outputs};
use crate::files::states::{self, Use};
use crate::mixture::{self, MixtureArgs, MixtureFault, Point};
use crate::picture;
use crate::picture::chart::{self, Chart, Series};
use crate::run::{exit, progress, setup, stop};
use crate::swept::Swept;
use crate::terminal::Columns;
use crate::words::{count, fixed};
use clap::Args;
use kinlane::{Equilibrated, EquilibriumError, Mechanism, Pair, States, equilibrate};
use serde::Serialize;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

/// Mole fractions shown per line of the table.
const SHOWN: usize = 6;
/// Approximate number of curves of the composition.
const CURVES: usize = 14;
/// What is rather along the axis of the picture, where several have as many values.
const ALONG: [Swept; 3] = [Swept::Phi, Swept::Temperature, Swept::Pressure];

/// Chemical equilibrium of a batch or of mixtures, and adiabatic flame temperatures
#[derive(Debug, Args)]
#[command(after_help = "\
The gas is that of a states file (as for `kinlane advance`), or of --fuel, --oxidizer and --phi, or of --mixture, at every \
combination of the temperatures and pressures given. It comes to the equilibrium at which --pair is as in that state: \
HP is the adiabatic flame, UV the adiabatic bomb. Gas only: no soot, no liquid.

Output: OUT holds T, P, Y, species, status (0 = found), steps. A state without an equilibrium keeps its entry state.

Examples:
  kinlane equilibrate h2 --fuel H2 --oxidizer O2:1,N2:3.76 --phi 0.5:2:31 --picture t.svg
  kinlane equilibrate h2 --mixture H2:2,O2:1 --T 3000 --P 0.1,1,10atm --pair TP
  kinlane equilibrate gri30 --states s.npz --pair UV --out o.npz")]
pub struct EquilibrateArgs {
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    /// What is held: TP, TV, HP, UV, SP or SV (T temperature, P pressure, V volume, H enthalpy, U energy, S entropy)
    #[arg(long, value_name = "PAIR", default_value = "HP", value_parser = pair, help_heading = "Equilibrium")]
    pub pair: Pair,
    #[command(flatten)]
    pub mixture: MixtureArgs,
    /// NPZ file of states, in place of a mixture
    #[arg(
        long, value_name = "FILE", conflicts_with_all = ["fuel", "mixture", "phi", "basis", "temperature", "pressure"], help_heading = "Input and output"
    )]
    pub states: Option<PathBuf>,
    /// NPZ file to write
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub out: Option<PathBuf>,
    /// Table to write (- for standard output): entry, equilibrium, mole fractions of all species
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub csv: Option<PathBuf>,
    /// Picture of the temperature, or of the composition where T is held, over phi, T or P, whichever has the most
    /// values: a name in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture::name, conflicts_with = "states", help_heading = "Input and output")]
    pub picture: Option<PathBuf>,
    /// JSON report to write, - for standard output
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub run: CpuArgs,
}

fn pair(text: &str) -> Result<Pair, String> {
    Pair::find(text).ok_or_else(|| format!("there are {}", Pair::ALL.map(Pair::name).join(", ")))
}

type Found = Result<Equilibrated, EquilibriumError>;

#[derive(Debug, Serialize)]
struct Report<'a> {
    cells: usize,
    failed: usize,
    seconds: f64,
    steps: u64,
    pair: &'a str,
    threads: usize,
    mechanism: &'a str,
    species: usize,
    kinlane: &'static str,
    /// T \[K\] and P \[Pa\] of every state at equilibrium; null if there is none.
    temperature: Vec<Option<f64>>,
    pressure: Vec<Option<f64>>,
}

/// Runs the command; returns the exit code.
pub fn run(args: &EquilibrateArgs) -> Result<i32, Error> {
    let mechanism = setup::mechanism(&args.mechanism)?;
    let [mech, thermo] = args.mechanism.files();
    output::ready(
        &output::usual(&args.out, &args.csv, &args.picture, &args.json),
        &[mech, thermo, args.states.as_deref()],
    )?;
    let out = args.out.as_deref().map(Output::new).transpose()?;
    let (points, mut states) = entry(args, &mechanism)?;
    let entry = (states.temperature().to_vec(), states.pressure().to_vec());
    stop::check()?;

    let threads = args.run.thread_count();
    let (progress, stopped) = (AtomicUsize::new(0), Arc::new(AtomicBool::new(false)));
    stop::connect(Arc::clone(&stopped));
    let start = Instant::now();
    let found = progress::watched(args.run.quiet, states.len(), &progress, || {
        equilibrate(&mechanism, args.pair, &mut states, threads, &progress, &stopped)
    });
    let seconds = start.elapsed().as_secs_f64();
    stop::check()?;

    let mut outputs = Outputs::default();
    if let Some(out) = out {
        write(&out, &mechanism, &states, &found).map_err(|e| out.blame(e))?;
        outputs.add(out);
    }
    if let Some(path) = &args.csv {
        outputs.text(path, &csv(&mechanism, &points, &entry, &states, &found))?;
    }
    if let Some(path) = &args.picture {
        picture::write(&mut outputs, path, &chart(args, &mechanism, &points, &states, &found).svg())?;
    }
    if let Some(path) = &args.json {
        outputs.text(path, &output::pretty(&report(args.pair, &mechanism, &found, threads, seconds), path)?)?;
    }
    outputs.commit()?;
    let failed = failed(&found);
    let failures = found.iter().enumerate().filter_map(|(i, f)| Some((i, f.as_ref().err()?)));
    let t = |i: usize| entry.0.get(i).copied().unwrap_or(f64::NAN);
    exit::tell_failures(failed, failures.map(|(i, e)| format!("  state {i}: {e}{}", mixture::hint(t(i)))));
    if !args.run.quiet && !output::to_standard(&[&args.csv, &args.json]) {
        if args.states.is_none() {
            say!("{}", table(&mechanism, &points, &states, &found));
        }
        let done = count(states.len() - failed, "state");
        say!("{done} at equilibrium ({}) in {seconds:.3} s, {failed} failed", args.pair.name());
        exit::tell_lawless(states.temperature(), "where thermodynamics mean nothing");
        let kept = [&args.out, &args.csv, &args.json].into_iter().any(Option::is_some);
        if args.states.is_some() && !kept {
            tell!("note: nothing was written: --out FILE keeps the states, --csv FILE a table of them");
        }
    }
    Ok(exit::code(failed))
}

/// The gases to begin with, and the points that they are, if they are not from a file.
fn entry(args: &EquilibrateArgs, mechanism: &Mechanism) -> Result<(Vec<Point>, States), Error> {
    if let Some(path) = &args.states {
        let states = states::read(path, mechanism, args.run.quiet)?;
        if !args.run.quiet {
            states::tell_unused(path, &states, mechanism, Use::Equilibrium);
        }
        return Ok((Vec::new(), states));
    }
    if !args.mixture.is_given() {
        return Err(MixtureFault::NoStates.into());
    }
    let points = args.mixture.points(mechanism)?;
    if !args.run.quiet {
        args.mixture.tell_low_pressure();
    }
    if args.picture.is_some() {
        args.mixture.drawable(Some(args.mixture.axis(ALONG)), if held(args.pair) { 2 } else { 1 })?;
    }
    let states = mixture::states(&points, mechanism)?;
    Ok((points, states))
}

/// Number of states without an equilibrium.
fn failed(found: &[Found]) -> usize {
    found.iter().filter(|f| f.is_err()).count()
}

fn report<'a>(pair: Pair, mechanism: &'a Mechanism, found: &[Found], threads: usize, seconds: f64) -> Report<'a> {
    let value = |get: fn(&Equilibrated) -> f64| found.iter().map(|f| f.as_ref().ok().map(get)).collect();
    Report {
        cells: found.len(),
        failed: failed(found),
        seconds,
        steps: found.iter().flatten().map(|f| u64::from(f.steps)).sum(),
        pair: pair.name(),
        threads,
        mechanism: mechanism.name(),
        species: mechanism.species_count(),
        kinlane: crate::VERSION,
        temperature: value(|f| f.temperature),
        pressure: value(|f| f.pressure),
    }
}

/// Whether T is held constant.
fn held(pair: Pair) -> bool {
    matches!(pair, Pair::TP | Pair::TV)
}

fn write(out: &Output, mechanism: &Mechanism, states: &States, found: &[Found]) -> io::Result<()> {
    let mut npz = states::written(out, mechanism, states)?;
    npz.counts("status", found.iter().map(|f| u32::from(f.is_err())))?;
    npz.counts("steps", found.iter().map(|f| f.as_ref().map_or(0, |f| f.steps)))?;
    npz.finish()
}

/// One line per state: initial state, equilibrium, mole fractions.
fn csv(
    mechanism: &Mechanism,
    points: &[Point],
    entry: &(Vec<f64>, Vec<f64>),
    states: &States,
    found: &[Found],
) -> String {
    let mut text = String::from("phi,T0_K,P0_Pa,T_K,P_Pa");
    text.push_str(&output::csv_mole_fractions(mechanism.species_names()));
    text.push('\n');
    for (i, found) in found.iter().enumerate() {
        let phi = points.get(i).and_then(|p| p.phi).map_or_else(String::new, |phi| phi.to_string());
        let at = |v: &[f64]| v.get(i).copied().unwrap_or(f64::NAN);
        let _ = write!(text, "{phi},{},{}", at(&entry.0), at(&entry.1));
        match found {
            Ok(_) => {
                let _ = write!(text, ",{},{}", at(states.temperature()), at(states.pressure()));
                text.push_str(&output::csv_numbers(mixture::mole_fractions(mechanism, states.y_of(i))));
            }
            Err(_) => text.push_str(&",nan".repeat(2 + states.species_count())),
        }
        text.push('\n');
    }
    text
}

/// Mole fractions of all states.
fn fractions(mechanism: &Mechanism, states: &States) -> Vec<Vec<f64>> {
    (0..states.len()).map(|i| mixture::mole_fractions(mechanism, states.y_of(i))).collect()
}

/// The table for a terminal: one line per state, with the species that are most abundant over all states.
fn table(mechanism: &Mechanism, points: &[Point], states: &States, found: &[Found]) -> String {
    let fractions = fractions(mechanism, states);
    let columns = Columns::new(mechanism, &fractions, SHOWN);
    let mut text = format!("{:>8} {:>9} {:>11} {:>10} {:>12}", "phi", "T0 (K)", "P0 (Pa)", "T (K)", "P (Pa)");
    text.push_str(&columns.heads());
    for ((point, found), x) in points.iter().zip(found).zip(&fractions) {
        let phi = point.phi.map_or_else(|| "-".to_owned(), |phi| format!("{phi:.4}"));
        let _ = write!(text, "\n{phi:>8} {:>9} {:>11.5e}", fixed(point.t, 2), point.p);
        match found {
            Ok(found) => {
                let x = columns.row(x);
                let _ = write!(text, " {:>10.3} {:>12.5e}{x}", found.temperature, found.pressure);
            }
            Err(_) => text.push_str("  none"),
        }
    }
    text
}

/// T over the quantity with the most values, with a curve for every combination of the others. If T is held
/// constant, the mole fractions of the major species.
fn chart(args: &EquilibrateArgs, mechanism: &Mechanism, points: &[Point], states: &States, found: &[Found]) -> Chart {
    let m = &args.mixture;
    let axis = m.axis(ALONG);
    let held = held(args.pair);
    let fractions = fractions(mechanism, states);
    let combinations = m.combinations(Some(axis));
    let species = mixture::major(&fractions, (CURVES / combinations.max(1)).clamp(2, SHOWN));
    let mut series: Vec<Series> = Vec::new();
    for ((point, found), fractions) in points.iter().zip(found).zip(&fractions) {
        let (x, curve) = (axis.of(point), m.curve(Some(axis), point));
        // What was not found interrupts its line.
        let of = |value: f64| if found.is_ok() { value } else { f64::NAN };
        if !held {
            chart::add(&mut series, &curve.join(", "), (x, found.as_ref().map_or(f64::NAN, |found| found.temperature)));
            continue;
        }
        for &k in &species {
            let name = mechanism.species_names().get(k).cloned().unwrap_or_default();
            let name = std::iter::once(name).chain(curve.iter().cloned()).collect::<Vec<_>>().join(", ");
            chart::add(&mut series, &name, (x, of(fractions.get(k).copied().unwrap_or(f64::NAN))));
        }
    }
    series.iter_mut().for_each(|s| s.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let what = match args.pair {
        Pair::HP => "Adiabatic flame temperature at constant pressure".to_owned(),
        Pair::UV => "Adiabatic flame temperature at constant volume".to_owned(),
        pair if held => format!("Composition at equilibrium, {} held", pair.name()),
        pair => format!("Temperature at equilibrium, {} held", pair.name()),
    };
    Chart {
        title: format!("{what}: {}", m.common(mechanism)),
        subtitle: mechanism.name().to_owned(),
        x: m.axis_of(axis, "initial temperature (K)", "initial pressure (Pa)"),
        y: if held { chart::mole_fractions(&series) } else { chart::temperatures() },
        legend: if held { chart::largest(species.len(), mechanism.species_count()) } else { "initial state".into() },
        series,
        dots: true,
    }
}
