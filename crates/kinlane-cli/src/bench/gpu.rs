//! `kinlane bench gpu`: a device beside the CPU's lanes, in answers and in time, as a page for the records.

use super::divergence::WARP;
use super::{divergence, head, prepare};
use crate::args::{BenchArgs, MappingArg};
use crate::error::Error;
use crate::output;
use crate::words::count;
use kinlane::device::{Branches, Ceilings};
use kinlane::{Advance, Mechanism, Options, Outcome, States};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Tolerances of every run.
const TOLERANCES: (f64, f64) = (1e-5, 1e-8);
/// Intervals \[s\].
const INTERVALS: [f64; 2] = [1e-6, 1e-4];
/// How much of the device is at work is measured with this method, over this interval \[s\].
const ONE: &str = "rodas5p";
const ROOF_DT: f64 = 1e-6;
/// Cells whose answers are compared with the CPU's.
const COMPARED: usize = 1008;

/// Mechanisms of fewer species are measured with loops written out, too: of others the compiler takes half a minute.
const SMALL: usize = 30;

/// Cells of a run.
const CELLS: u32 = 20_160;

/// Runs the command; `Ok` is the exit code.
pub fn run(args: &BenchArgs) -> Result<i32, Error> {
    let cells = args.cells.unwrap_or(CELLS) as usize;
    let mut page = format!(
        "kinlane {}, device {}, {} a run, rtol {:e}, atol {:e}, copies included, compilation not\n\n",
        env!("CARGO_PKG_VERSION"),
        args.device,
        count(cells, "cell"),
        TOLERANCES.0,
        TOLERANCES.1
    );
    page.push_str(
        "| mechanism | dt (s) | mapping | first use (s) | cells/s | lanes, cells/s | ratio | deviation / tolerance | other \
         statuses | steps median, max | divergence: in order, sorted, queue |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let (mut wrong, mut lost) = (false, String::new());
    let (mut roofs, mut ceilings) = (String::new(), Ceilings::default());
    for case in &args.cases {
        let (mechanism, states) = prepare(case, cells)?;
        lost.push_str(&branches(case, &mechanism));
        let unrolled = (mechanism.species_count() < SMALL).then_some(MappingArg::Unrolled);
        let mappings = [MappingArg::Thread, MappingArg::Group].into_iter().chain(unrolled);
        for mapping in mappings.clone() {
            roofs.push_str(&roofline(args, case, &mechanism, &states, mapping, &mut ceilings)?);
        }
        for dt in INTERVALS {
            for mapping in mappings.clone() {
                let line = measure(args, case, &mechanism, &states, dt, mapping)?;
                wrong |= line.wrong;
                page.push_str(&line.text);
            }
        }
    }
    let _ = write!(
        page,
        "\nHow much of the device is at work: {:.1} GFLOP/s in multiply-adds and {:.1} GB/s in copies are the most that was \
         measured in this run. Kernels alone, without copies; {ONE} over {ROOF_DT:e} s. Operations as counted on the program (a \
         division or a root is eight, exp and ln what the lanes' take); bytes are those of the work space that must come \
         and go at least in every step, so caches may let a kernel above the second ceiling.\n\n| mechanism | mapping | \
         kernel | kflop per cell | kB per cell | flop per byte | GFLOP/s | GB/s | ceiling, GFLOP/s | share |\n\
         |---|---|---|---|---|---|---|---|---|---|\n{roofs}",
        ceilings.flops * 1e-9,
        ceilings.bytes * 1e-9
    );
    let _ = write!(
        page,
        "\nWhat a group of {WARP} threads loses that share a cell, counted on the plan. A group whose reactions are of \
         several shapes takes a turn for each.\n\n| mechanism | groups in the file's order | of several shapes | turns | \
         turns, sorted by shape | threads at work there | in sums | in factors |\n|---|---|---|---|---|---|---|---|\n{lost}"
    );
    if !args.quiet {
        say!("{page}");
    }
    if let Some(out) = &args.out {
        output::write_text(out, &page)?;
    }
    Ok(i32::from(wrong))
}

/// Rows of what kernels reach. `ceilings` are the highest so far.
fn roofline(
    args: &BenchArgs,
    case: &str,
    mechanism: &Mechanism,
    states: &States,
    mapping: MappingArg,
    ceilings: &mut Ceilings,
) -> Result<String, Error> {
    let options = Options { method: Some(ONE.to_owned()), ..options() };
    let mut solver = Advance::new(mechanism).options(options).device(&args.device).mapping(mapping.into()).plan()?;
    let found = solver.roofline(states, ROOF_DT).map_err(|fault| Error::of_batch(&PathBuf::from(case), fault))?;
    let mut rows = String::new();
    let Some(found) = found else { return Ok(rows) };
    let now = found.ceilings;
    *ceilings = Ceilings { flops: ceilings.flops.max(now.flops), bytes: ceilings.bytes.max(now.bytes) };
    for k in &found.kernels {
        let (rate, most) = (k.rate(), k.allowed(now));
        let _ = writeln!(
            rows,
            "| {case} | {mapping:?} | {} | {:.1} | {:.1} | {:.2} | {:.1} | {:.1} | {:.1} | {:.2} |",
            k.kernel,
            k.flops * 1e-3,
            k.bytes * 1e-3,
            k.flops / k.bytes,
            rate * 1e-9,
            k.bytes / k.seconds * 1e-9,
            most * 1e-9,
            rate / most
        );
    }
    Ok(rows)
}

/// A row of what branches cost.
fn branches(case: &str, mechanism: &Mechanism) -> String {
    let b = Branches::of(mechanism.plan(), WARP);
    format!(
        "| {case} | {} | {} | {} | {} | {:.2} | {:.2} | {:.2} |\n",
        b.groups, b.mixed, b.in_order, b.sorted, b.reactions, b.sums, b.factors
    )
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
