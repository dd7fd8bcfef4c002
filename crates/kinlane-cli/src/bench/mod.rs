//! `kinlane bench gpu`: a device beside the CPU's lanes, in answers and in time, as a page for the records.

mod divergence;

use crate::args::{BenchArgs, MappingArg, Suite};
use crate::error::Error;
use crate::output;
use kinlane::{Advance, BatchError, Mechanism, Options, Outcome, States};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Tolerances of every run.
const TOLERANCES: (f64, f64) = (1e-5, 1e-8);
/// Intervals \[s\].
const INTERVALS: [f64; 2] = [1e-6, 1e-4];
/// Ignitions that states are taken from, and how many from each.
const IGNITIONS: usize = 84;
/// See above.
const POINTS: usize = 6;
/// Cells whose answers are compared with the CPU's.
const COMPARED: usize = 1008;

/// Runs the command; `Ok` is the exit code.
pub fn run(args: &BenchArgs) -> Result<i32, Error> {
    let Suite::Gpu = args.suite;
    let mut page = format!(
        "kinlane {}, device {}, {} cells a run, rtol {:e}, atol {:e}, copies included, compilation not\n\n",
        env!("CARGO_PKG_VERSION"),
        args.device,
        args.cells,
        TOLERANCES.0,
        TOLERANCES.1
    );
    page.push_str(
        "| mechanism | dt (s) | mapping | first use (s) | cells/s | lanes, cells/s | ratio | deviation / tolerance | other \
         statuses | steps median, max | divergence: in order, sorted, queue |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut wrong = false;
    for case in &args.cases {
        let (mechanism, states) = prepare(case, args.cells as usize)?;
        for dt in INTERVALS {
            for mapping in [MappingArg::Thread, MappingArg::Group] {
                let line = measure(args, case, &mechanism, &states, dt, mapping)?;
                wrong |= line.wrong;
                page.push_str(&line.text);
            }
        }
    }
    if !args.quiet {
        say!("{page}");
    }
    if let Some(out) = &args.out {
        output::write_text(out, &page)?;
    }
    Ok(i32::from(wrong))
}

/// One row.
struct Row {
    text: String,
    /// Whether the device gave other answers than the CPU.
    wrong: bool,
}

fn options() -> Options {
    Options { rtol: TOLERANCES.0, atol: TOLERANCES.1, ..Options::default() }
}

fn measure(
    args: &BenchArgs,
    case: &str,
    mechanism: &Mechanism,
    states: &States,
    dt: f64,
    mapping: MappingArg,
) -> Result<Row, Error> {
    let here = |fault| Error::of_batch(&PathBuf::from(case), fault);
    let mut device = Advance::new(mechanism).options(options()).device(&args.device).mapping(mapping.into()).plan()?;
    let first = Instant::now();
    device.prepare(states.len()).map_err(here)?;
    let first = first.elapsed().as_secs_f64();
    let mut got = states.clone();
    let report = device.advance_states(&mut got, dt).map_err(here)?;

    let mut lanes = Advance::new(mechanism).options(options()).plan()?;
    let mut want = head(mechanism, states, COMPARED.min(states.len())).map_err(here)?;
    let cpu = lanes.advance_states(&mut want, dt).map_err(here)?;
    let deviation = deviation(&got, &want);
    let others = got.outcomes().iter().zip(want.outcomes()).filter(|(a, b)| a.status != b.status).count();

    let rate = |cells: usize, seconds: f64| cells as f64 / seconds;
    let (fast, plain) = (rate(report.cells, report.seconds), rate(cpu.cells, cpu.seconds));
    let attempts: Vec<u32> = got.outcomes().iter().map(|o: &Outcome| o.cost.steps + o.cost.rejected).collect();
    let d = divergence::of(&attempts);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "| {case} | {dt:e} | {mapping:?} | {first:.2} | {fast:.0} | {plain:.0} | {:.2} | {deviation:.1e} | {others} | \
         {}, {} | {:.2}, {:.2}, {:.2} |",
        fast / plain,
        report.steps_per_cell.median,
        report.steps_per_cell.max,
        d.in_order,
        d.sorted,
        d.queue,
    );
    Ok(Row { text, wrong: others > 0 || deviation > 10.0 || deviation.is_nan() })
}

/// The largest difference in units of what the tolerances allow.
fn deviation(got: &States, want: &States) -> f64 {
    let (rtol, atol) = TOLERANCES;
    let unit = |a: f64, b: f64| (a - b).abs() / (atol + rtol * b.abs());
    let y = got.y().iter().zip(want.y()).map(|(a, b)| unit(*a, *b));
    let t = got.temperature().iter().zip(want.temperature()).map(|(a, b)| (a - b).abs() / (rtol * b.abs()));
    y.chain(t).fold(0.0, |worst, x| if x <= worst { worst } else { x })
}

/// The first cells of a batch.
fn head(mechanism: &Mechanism, s: &States, n: usize) -> Result<States, BatchError> {
    let take = |x: &[f64], n: usize| x.iter().copied().take(n).collect::<Vec<f64>>();
    States::new(mechanism, take(s.temperature(), n), take(s.pressure(), n), take(s.y(), n * s.species_count()))
}

/// The mechanism of a case `MECH:FUEL`, and cells from fresh to burnt gas, in the order of their ignitions.
fn prepare(case: &str, cells: usize) -> Result<(Mechanism, States), Error> {
    let (name, fuel) = case.rsplit_once(':').unwrap_or((case, "H2"));
    let mechanism = Mechanism::open(std::path::Path::new(name), &kinlane::ReadOptions::default())?;
    let here = |fault| Error::of_batch(&PathBuf::from(case), fault);
    let distinct = ignitions(&mechanism, fuel).map_err(here)?;
    let n = mechanism.species_count();
    let again = |x: &[f64], k: usize| x.iter().copied().cycle().take(cells * k).collect::<Vec<f64>>();
    let (t, p, y) = (again(distinct.temperature(), 1), again(distinct.pressure(), 1), again(distinct.y(), n));
    let states = States::new(&mechanism, t, p, y).map_err(here)?;
    Ok((mechanism, states))
}

/// States along ignitions at constant pressure: entry temperatures from 1000 to 2000 K, mixtures from lean to rich, one
/// and ten atmospheres; each kept at times spread over five powers of ten.
fn ignitions(mechanism: &Mechanism, fuel: &str) -> Result<States, BatchError> {
    let (mut t, mut p, mut y) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..IGNITIONS {
        let part = |root: f64| (0.5 + i as f64 / root).fract();
        t.push(1000.0 + 1000.0 * part(1.324_717_957_244_746));
        p.push(if i % 2 == 0 { 101_325.0 } else { 1_013_250.0 });
        let phi = 0.5 + 1.5 * part(1.754_877_666_246_693);
        y.extend(mechanism.mass_fractions_of_moles(&[(fuel, phi), ("O2", 2.0), ("N2", 7.52)])?);
    }
    let mut states = States::new(mechanism, t, p, y)?;
    let mut solver =
        Advance::new(mechanism).rtol(1e-6).atol(1e-12).plan().map_err(|_| BatchError::Interval { dt: 0.0 })?;
    let (mut t, mut p, mut y) = (Vec::new(), Vec::new(), Vec::new());
    let mut dt = 1e-8;
    for _ in 0..POINTS {
        t.extend_from_slice(states.temperature());
        p.extend_from_slice(states.pressure());
        y.extend_from_slice(states.y());
        solver.advance_states(&mut states, dt)?;
        dt *= 10.0;
    }
    States::new(mechanism, t, p, y)
}
