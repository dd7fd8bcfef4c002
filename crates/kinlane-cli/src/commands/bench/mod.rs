//! `kinlane bench`: measurements as pages for the records. The states are taken from ignitions of a
//! mechanism, or from a file.

mod cantera;
mod divergence;
mod gpu;
mod precision;
mod work_precision;

use crate::error::Error;
use crate::files::output;
use crate::run::{setup, stop};
use crate::values::Sweep;
use clap::{Args, Subcommand};
use kinlane::{Advance, BatchError, Mechanism, Report, States};
use std::path::{Path, PathBuf};

/// Number of ignitions from which states are taken, and of states from each.
const IGNITIONS: usize = 84;
/// See above.
const POINTS: usize = 6;
/// Number of distinct states.
const DISTINCT: u32 = (IGNITIONS * POINTS) as u32;

/// Mass fractions below count as this in relative errors.
const FLOOR: f64 = 1e-10;

/// Measure: a device beside the CPU, or error against time for every method
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// What to measure
    #[command(subcommand)]
    suite: Suite,
}

#[derive(Debug, Subcommand)]
enum Suite {
    Gpu(gpu::GpuArgs),
    Precision(precision::PrecisionArgs),
    WorkPrecision(work_precision::WorkPrecisionArgs),
}

/// What all suites are told.
#[derive(Debug, Args)]
struct CaseArgs {
    /// Mechanism and fuel, as gri30:CH4
    #[arg(value_name = "MECH:FUEL", default_values_t = ["h2:H2".to_owned(), "gri30:CH4".to_owned()])]
    cases: Vec<String>,
    /// Intervals [s]
    #[arg(long, value_name = "LIST", value_parser = Sweep::times, default_value = "1e-6,1e-4")]
    dt: Sweep,
    /// Markdown file to write the table into
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print nothing
    #[arg(long, overrides_with = "quiet")]
    quiet: bool,
}

/// Runs the command; returns the exit code.
pub fn run(args: &BenchArgs) -> Result<i32, Error> {
    match &args.suite {
        Suite::Gpu(a) => gpu::run(a),
        Suite::Precision(a) => precision::run(a),
        Suite::WorkPrecision(a) => work_precision::run(a),
    }
}

/// The absolute tolerance that goes with a relative one: the product as it is meant, 1e-11, where that of the binary numbers
/// 1e-3 and 1e-8 is 1.0000000000000001e-11.
fn atol(rtol: f64, part: f64) -> f64 {
    let product = rtol * part;
    format!("{product:.14e}").parse().unwrap_or(product)
}

/// Advances the cells of a case; an error if a signal has come.
fn advance(case: &str, solver: &mut Advance, states: &mut States, dt: f64) -> Result<Report, Error> {
    stop::connect(solver.stop_flag());
    let report = solver.advance_states(states, dt).map_err(|fault| Error::of_batch(Path::new(case), fault))?;
    stop::check()?;
    Ok(report)
}

/// The first cells of a batch.
fn head(mechanism: &Mechanism, s: &States, n: usize) -> Result<States, BatchError> {
    let take = |x: &[f64], n: usize| x.iter().copied().take(n).collect::<Vec<f64>>();
    States::new(mechanism, take(s.temperature(), n), take(s.pressure(), n), take(s.y(), n * s.species_count()))
}

/// So many cells of a batch, evenly spread over the batch.
fn spread(mechanism: &Mechanism, s: &States, n: usize) -> Result<States, BatchError> {
    let (mut t, mut p, mut y) = (Vec::new(), Vec::new(), Vec::new());
    for i in (0..n).map(|i| i * s.len() / n.max(1)) {
        t.extend(s.temperature().get(i));
        p.extend(s.pressure().get(i));
        y.extend_from_slice(s.y_of(i));
    }
    States::new(mechanism, t, p, y)
}

/// The largest relative error of every cell, over mass fractions and temperature, in ascending order.
fn errors(got: &States, want: &States) -> Vec<f64> {
    let mut all: Vec<f64> = (0..got.len())
        .map(|i| {
            let y = got.y_of(i).iter().zip(want.y_of(i)).map(|(a, b)| (a - b).abs() / (b.abs() + FLOOR));
            let t = |s: &States| s.temperature().get(i).copied().unwrap_or(f64::NAN);
            // A NaN counts as the largest.
            y.chain([(t(got) / t(want) - 1.0).abs()]).max_by(f64::total_cmp).unwrap_or(f64::NAN)
        })
        .collect();
    all.sort_by(f64::total_cmp);
    all
}

/// A percentile of numbers in ascending order: the smallest that so many are not above.
fn at(sorted: &[f64], percent: usize) -> f64 {
    sorted.get((sorted.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

/// The mechanism of a case `MECH:FUEL`, or of `MECH` alone.
fn mechanism(case: &str) -> Result<Mechanism, Error> {
    let name = Path::new(case.rsplit_once(':').map_or(case, |(name, _)| name));
    let mechanism = Mechanism::open(name, &kinlane::ReadOptions::default())?;
    setup::protect(name, &mechanism.network().sources);
    Ok(mechanism)
}

/// The mechanism and the fuel of a case `MECH:FUEL`.
fn open(case: &str) -> Result<(Mechanism, &str), Error> {
    let mechanism = mechanism(case)?;
    let (_, fuel) = case.rsplit_once(':').unwrap_or_default();
    if fuel.is_empty() {
        return Err(Error::NoFuel { case: case.to_owned() });
    }
    mechanism.require(fuel).map_err(|fault| Error::of_batch(Path::new(case), fault))?;
    Ok((mechanism, fuel))
}

/// Checks that all cases can be measured and the page be written, since the first may take long before the last is examined.
fn ready(args: &CaseArgs) -> Result<(), Error> {
    args.cases.iter().try_for_each(|case| open(case).map(drop))?;
    output::writable(&[("--out", args.out.as_deref())], &[])
}

/// The mechanism of a case `MECH:FUEL`, and cells from fresh to burnt gas, in the order of their ignitions.
fn prepare(case: &str, cells: usize) -> Result<(Mechanism, States), Error> {
    let (mechanism, fuel) = open(case)?;
    let here = |fault| Error::of_batch(&PathBuf::from(case), fault);
    let mut solver = Advance::builder(&mechanism).rtol(1e-6).atol(1e-12).plan()?;
    let distinct = ignitions(case, &mechanism, fuel, &mut solver)?;
    let states = again(&mechanism, &distinct, cells).map_err(here)?;
    Ok((mechanism, states))
}

/// As [`prepare`], but without repeating a cell: so many of the [`DISTINCT`] ones, evenly spread over the
/// ignitions.
fn sample(case: &str, cells: u32) -> Result<(Mechanism, States), Error> {
    let (mechanism, states) = prepare(case, DISTINCT as usize)?;
    let states = spread(&mechanism, &states, cells as usize);
    Ok((mechanism, states.map_err(|e| Error::of_batch(&PathBuf::from(case), e))?))
}

/// The mechanism of a case, and at most so many of the cells of a file, evenly spread.
fn taken(case: &str, path: &Path, most: u32, quiet: bool) -> Result<(Mechanism, States), Error> {
    let mechanism = mechanism(case)?;
    let states = crate::files::states::read(path, &mechanism, quiet)?;
    if states.is_empty() {
        return Err(Error::NoCells { path: path.to_owned() });
    }
    let cells = states.len().min(most as usize);
    let states = spread(&mechanism, &states, cells).map_err(|fault| Error::of_batch(path, fault))?;
    Ok((mechanism, states))
}

/// So many cells, by repeating those of a batch.
fn again(mechanism: &Mechanism, s: &States, cells: usize) -> Result<States, BatchError> {
    let take = |x: &[f64], k: usize| x.iter().copied().cycle().take(cells * k).collect::<Vec<f64>>();
    let n = s.species_count();
    States::new(mechanism, take(s.temperature(), 1), take(s.pressure(), 1), take(s.y(), n))
}

/// States along ignitions at constant pressure: initial temperatures from 1000 to 2000 K, lean to rich
/// mixtures, one and ten atmospheres; from each, states at times spread over five powers of ten.
fn ignitions(case: &str, mechanism: &Mechanism, fuel: &str, solver: &mut Advance) -> Result<States, Error> {
    let here = |fault| Error::of_batch(Path::new(case), fault);
    // Some mechanisms are in small letters.
    let own =
        |name| mechanism.species_names().iter().find(|own| own.eq_ignore_ascii_case(name)).map_or(name, |own| own);
    let [oxygen, nitrogen] = ["O2", "N2"].map(own);
    let (mut t, mut p, mut y) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..IGNITIONS {
        let [hot, rich] = super::spread(i);
        t.push(1000.0 + 1000.0 * hot);
        p.push(if i % 2 == 0 { 101_325.0 } else { 1_013_250.0 });
        let phi = 0.5 + 1.5 * rich;
        y.extend(mechanism.mass_fractions_of_moles(&[(fuel, phi), (oxygen, 2.0), (nitrogen, 7.52)]).map_err(here)?);
    }
    let mut states = States::new(mechanism, t, p, y).map_err(here)?;
    let (mut t, mut p, mut y) = (Vec::new(), Vec::new(), Vec::new());
    let mut dt = 1e-8;
    for _ in 0..POINTS {
        t.extend_from_slice(states.temperature());
        p.extend_from_slice(states.pressure());
        y.extend_from_slice(states.y());
        advance(case, solver, &mut states, dt)?;
        dt *= 10.0;
    }
    States::new(mechanism, t, p, y).map_err(here)
}

/// Refuses to measure the CPU in the place of a device.
fn is_device(solver: &Advance) -> Result<(), Error> {
    if solver.device() != "cpu" {
        return Ok(());
    }
    let why = solver.fallback().map_or_else(|| "--device names the CPU".to_owned(), str::to_owned);
    Err(Error::NothingToMeasure { why })
}

#[cfg(test)]
mod tests {
    use super::atol;

    #[test]
    fn tolerances_are_the_numbers_that_are_meant() {
        for power in 3..=10 {
            let rtol: f64 = format!("1e-{power}").parse().expect("a number");
            assert_eq!(format!("{:e}", atol(rtol, 1e-8)), format!("1e-{}", power + 8));
        }
        assert_eq!(atol(2.5e-4, 1e-8), 2.5e-12);
    }
}
