//! `kinlane bench gpu`: a device compared with the CPU's lanes, in answers and in time, as a page for the
//! records.

mod page;

use super::{CaseArgs, advance, divergence, head, prepare};
use crate::error::Error;
use crate::run::stop;
use crate::words::count;
use clap::Args;
use divergence::WARP;
use kinlane::device::{Ceilings, Compiled, MappingWish, branches as branches_of};
use kinlane::{Advance, BatchError, Mechanism, Options, Outcome, States};
use page::Page;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Tolerances of every run.
const TOLERANCES: (f64, f64) = (1e-5, 1e-8);
/// The utilisation of the device is measured with this method, over this interval \[s\].
const ONE: &str = "rodas5p";
const ROOF_DT: f64 = 1e-6;
/// Number of cells whose answers are compared with the CPU's; half of it for mechanisms with more than a
/// hundred species, a third for more than two hundred, and so on.
const COMPARED: usize = 1008;
/// The CPU's lanes are timed with as many cells of the batch as keep them busy for so long \[s\].
const BUSY: f64 = 2.0;

/// Mechanisms with fewer species are measured with loops written out, too: for larger ones the compiler takes
/// half a minute.
const SMALL: usize = 30;

/// Cells of a run.
const CELLS: u32 = 20_160;

/// After the first run, which warms up and whose answers are compared, the time is the median of so many
/// runs,
const RUNS: usize = 3;
/// of fewer if together they take longer than this \[s\], and that of the first run if it alone does.
const LONG: f64 = 20.0;

/// A device beside the CPU's lanes: answers and times
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: the device gave other answers, or something could not be measured.

Examples:
  kinlane bench gpu --device cuda --cells 1000000 h2:H2 gri30:CH4
  kinlane bench gpu gri30:CH4 --device cuda --batches 1000,20000,100000 --out gri.md")]
pub struct GpuArgs {
    #[command(flatten)]
    common: CaseArgs,
    /// Device
    #[arg(long, value_name = "NAME", default_value = "opencl")]
    device: String,
    /// Cells in every run
    #[arg(long, value_name = "N", default_value_t = CELLS, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    cells: u32,
    /// Batches of these sizes as well, over the first interval, with every mapping
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    batches: Vec<u32>,
    /// Only compile what this runs, into the cache of kernels
    #[arg(long, conflicts_with_all = ["out", "batches"])]
    compile: bool,
}

/// A mechanism and its cells.
struct Case {
    /// File name without folders, and the fuel.
    name: String,
    mechanism: Mechanism,
    states: States,
    /// For every interval: the answers of the lanes for the first cells, and cells per second.
    lanes: Vec<(States, f64)>,
}

impl Case {
    fn here(&self) -> impl Fn(BatchError) -> Error + use<> {
        let path = PathBuf::from(&self.name);
        move |fault| Error::of_batch(&path, fault)
    }
}

/// Runs the command; returns the exit code.
pub fn run(args: &GpuArgs) -> Result<i32, Error> {
    if args.compile {
        args.common.cases.iter().try_for_each(|name| compile(args, name).and_then(|()| stop::check()))?;
        return Ok(0);
    }
    super::ready(&args.common)?;
    let cells = args.cells as usize;
    let mut page = Page {
        head: format!(
            "kinlane {}, device {}, {} a run, rtol {:e}, atol {:e}, median of {RUNS} runs after a first one, copies included, \
             compilation not (of mappings that are asked for one run, but for the first interval); the mapping that is chosen where nothing is asked for has one row",
            crate::VERSION,
            args.device,
            count(cells, "cell"),
            TOLERANCES.0,
            TOLERANCES.1
        ),
        roofs: (format!("{ONE} over {ROOF_DT:e} s"), Vec::new()),
        out: args.common.out.clone(),
        ..Page::default()
    };
    let mut wrong = false;
    for name in &args.common.cases {
        let (mechanism, states) = prepare(name, cells)?;
        let mut case = Case { name: short(name), mechanism, states, lanes: Vec::new() };
        case.lanes = args.common.dt.0.iter().map(|&dt| on_lanes(&case, dt)).collect::<Result<_, _>>()?;
        page.add(|p| &mut p.lost, branches(&case))?;
        let forced = mappings(&case.mechanism, &args.device);
        let mut chosen: Option<String> = None;
        for mapping in std::iter::once(MappingWish::Auto).chain(forced.iter().copied()) {
            if chosen.as_deref() == Some(mapping.name()) {
                continue;
            }
            match measure(args, &case, mapping, &mut page) {
                Ok((differs, which)) => {
                    wrong |= differs;
                    chosen = chosen.or(which);
                }
                Err(fault) => wrong |= missing(&case, mapping, "times", fault, &mut page)?,
            }
        }
        for mapping in forced {
            if let Err(fault) = roofline(args, &case, mapping, &mut page) {
                wrong |= missing(&case, mapping, "roofline", fault, &mut page)?;
            }
        }
    }
    if !args.common.quiet {
        say!("{}", page.text());
    }
    Ok(i32::from(wrong))
}

/// The mappings to measure.
fn mappings(mechanism: &Mechanism, device: &str) -> Vec<MappingWish> {
    let part = device.starts_with("cuda").then_some(MappingWish::Part);
    let unrolled = (mechanism.species_count() < SMALL).then_some(MappingWish::Unrolled);
    [MappingWish::Thread, MappingWish::Group].into_iter().chain(part).chain(unrolled).collect()
}

/// Compiles the kernels of a case, for all mappings at the same time.
fn compile(args: &GpuArgs, name: &str) -> Result<(), Error> {
    let mechanism = &super::mechanism(name)?;
    let one = Options { method: Some(ONE.to_owned()), ..options() };
    std::thread::scope(|scope| {
        let solvers = mappings(mechanism, &args.device).into_iter().flat_map(|m| [(m, options()), (m, one.clone())]);
        let handles: Vec<_> = solvers
            .map(|(mapping, options)| {
                scope.spawn(move || {
                    let solver = Advance::builder(mechanism).options(options).device(&args.device).mapping(mapping);
                    let mut solver = solver.plan()?;
                    super::is_device(&solver)?;
                    solver.prepare(1).map_err(|fault| Error::of_batch(&PathBuf::from(name), fault))
                })
            })
            .collect();
        let join = |h: std::thread::ScopedJoinHandle<'_, _>| h.join().unwrap_or_else(|p| std::panic::resume_unwind(p));
        handles.into_iter().try_for_each(join)
    })
}

/// Records what a device could not do, and goes on as long as there is anything to show. A single case
/// returns it as its error.
fn missing(case: &Case, mapping: MappingWish, what: &str, fault: Error, page: &mut Page) -> Result<bool, Error> {
    if page.rows.is_empty() || matches!(fault, Error::Interrupted) {
        return Err(fault);
    }
    page.add(|p| &mut p.missing, format!("| {} | {mapping:?}, {what} | {fault} |\n", case.name))?;
    Ok(true)
}

/// Short name of a case, for tables.
fn short(name: &str) -> String {
    let (mechanism, fuel) = name.rsplit_once(':').unwrap_or((name, ""));
    let stem = Path::new(mechanism).file_stem().map(|s| s.to_string_lossy());
    stem.map_or_else(|| name.to_owned(), |stem| [&*stem, fuel].join(":"))
}

/// Answers for the first cells of a batch, and how many cells per second are advanced.
fn on_lanes(case: &Case, dt: f64) -> Result<(States, f64), Error> {
    let mut lanes = Advance::builder(&case.mechanism).options(options()).plan()?;
    let mut run = |cells: usize| {
        let mut cells = head(&case.mechanism, &case.states, cells).map_err(case.here())?;
        let report = advance(&case.name, &mut lanes, &mut cells, dt)?;
        Ok::<_, Error>((cells, report.cells as f64 / report.seconds))
    };
    let all = case.states.len();
    let (answers, rate) = run((COMPARED / (1 + case.mechanism.species_count() / 100)).min(all))?;
    let (_, rate) = run(((rate * BUSY) as usize).clamp(answers.len(), all))?;
    Ok((answers, rate))
}

/// Rows for the performance of kernels.
fn roofline(args: &GpuArgs, case: &Case, mapping: MappingWish, page: &mut Page) -> Result<(), Error> {
    let options = Options { method: Some(ONE.to_owned()), ..options() };
    let mut solver = Advance::builder(&case.mechanism).options(options).device(&args.device).mapping(mapping).plan()?;
    stop::connect(solver.stop_flag());
    let found = solver.roofline(&case.states, ROOF_DT).map_err(case.here())?;
    stop::check()?;
    let Some(found) = found else { return Ok(()) };
    let (now, most) = (found.ceilings, page.ceilings);
    page.ceilings = Ceilings { flops: most.flops.max(now.flops), bytes: most.bytes.max(now.bytes) };
    for k in &found.kernels {
        let (rate, most) = (k.rate(), k.allowed(now));
        page.roofs.1.push(format!(
            "| {} | {mapping:?} | {} | {:.1} | {:.1} | {:.2} | {:.1} | {:.1} | {:.1} | {:.2} |\n",
            case.name,
            k.kernel,
            k.flops * 1e-3,
            k.bytes * 1e-3,
            k.flops / k.bytes,
            rate * 1e-9,
            k.bytes / k.seconds * 1e-9,
            most * 1e-9,
            rate / most
        ));
    }
    page.save()
}

/// A row for the cost of branches.
fn branches(case: &Case) -> String {
    let b = branches_of(&case.mechanism, WARP);
    format!(
        "| {} | {} | {} | {} | {} | {:.2} | {:.2} | {:.2} |\n",
        case.name, b.groups, b.mixed, b.in_order, b.sorted, b.reactions, b.sums, b.factors
    )
}

/// A row for the resources of a compiled kernel.
fn compiled(case: &Case, k: &Compiled) -> String {
    let numbers = match k.footprint {
        Some(f) => [f.registers, f.local, f.shared, f.groups].map(|n| n.to_string()).join(" | "),
        None => "| | |".to_owned(),
    };
    format!("| {} | {} | {} | {} | {} | {numbers} |\n", case.name, k.mapping, k.method, k.threads, k.cells)
}

fn options() -> Options {
    Options { rtol: TOLERANCES.0, atol: Some(TOLERANCES.1), ..Options::default() }
}

/// Seconds per batch: the median of several runs.
fn seconds(device: &mut Advance, case: &Case, states: &States, dt: f64) -> Result<f64, Error> {
    let (start, mut all) = (Instant::now(), Vec::new());
    while all.len() < RUNS && (all.is_empty() || start.elapsed().as_secs_f64() < LONG) {
        let mut cells = states.clone();
        all.push(advance(&case.name, device, &mut cells, dt)?.seconds);
    }
    all.sort_by(f64::total_cmp);
    Ok(all[all.len() / 2])
}

/// A row for every interval, and one for every size of a batch. Returns whether the device gave other answers than the CPU,
/// and the mapping in one word.
fn measure(
    args: &GpuArgs,
    case: &Case,
    mapping: MappingWish,
    page: &mut Page,
) -> Result<(bool, Option<String>), Error> {
    let mut device =
        Advance::builder(&case.mechanism).options(options()).device(&args.device).mapping(mapping).plan()?;
    super::is_device(&device)?;
    let first = Instant::now();
    device.prepare(case.states.len()).map_err(case.here())?;
    stop::check()?;
    let first = first.elapsed().as_secs_f64();
    let kernels = device.compiled();
    let name = match (mapping, kernels.first()) {
        (MappingWish::Auto, Some(k)) => format!("Auto: {}", k.mapping),
        _ => format!("{mapping:?}"),
    };
    for row in kernels.iter().map(|k| compiled(case, k)) {
        if !page.kernels.contains(&row) {
            page.kernels.push(row);
        }
    }
    let mut wrong = false;
    for (i, (&dt, (want, plain))) in args.common.dt.0.iter().zip(&case.lanes).enumerate() {
        let mut got = case.states.clone();
        let report = advance(&case.name, &mut device, &mut got, dt)?;
        let deviation = deviation(&got, want);
        let others = got.outcomes().iter().zip(want.outcomes()).filter(|(a, b)| a.status != b.status).count();
        // If the device leaves cells to the CPU, their answers are right because of the CPU.
        let given_up = report.rescued;
        wrong |= others > 0 || deviation > 10.0 || deviation.is_nan() || given_up * 100 > report.cells;
        let attempts: Vec<u32> = got.outcomes().iter().map(|o: &Outcome| o.cost.steps + o.cost.rejected).collect();
        let d = divergence::of(&attempts);
        let mean = attempts.iter().map(|&n| f64::from(n)).sum::<f64>() / attempts.len() as f64;
        let row = |seconds: f64| {
            let fast = report.cells as f64 / seconds;
            format!(
                "| {} | {} | {dt:e} | {name} | {first:.2} | {fast:.0} | {plain:.0} | {:.2} | {deviation:.1e} | {others} | \
                 {given_up} | {mean:.1}, {}, {} | {:.2}, {:.2}, {:.2} |\n",
                case.name,
                report.cells,
                fast / plain,
                report.steps_per_cell.median,
                report.steps_per_cell.max,
                d.in_order,
                d.sorted,
                d.queue,
            )
        };
        // The first run counts until there are better ones.
        page.add(|p| &mut p.rows, row(report.seconds))?;
        // Answers are compared everywhere; but of a mapping that is not chosen by itself, only the first interval is timed
        // again: the others take most of the time.
        if report.seconds < LONG && (i == 0 || matches!(mapping, MappingWish::Auto)) {
            let better = row(seconds(&mut device, case, &case.states, dt)?);
            page.rows.pop();
            page.add(|p| &mut p.rows, better)?;
        }
    }
    sweep(args, case, &mut device, &name, page)?;
    Ok((wrong, kernels.first().map(|k| k.mapping.to_owned())))
}

/// Batches of other sizes over the first interval, with every mapping, since the best mapping depends on the
/// size.
fn sweep(args: &GpuArgs, case: &Case, device: &mut Advance, mapping: &str, page: &mut Page) -> Result<(), Error> {
    let Some(&dt) = args.common.dt.0.first() else { return Ok(()) };
    let mut most = 0.0_f64;
    for &cells in &args.batches {
        // Cells are repeated, so that every batch is as difficult as the others.
        let states = super::again(&case.mechanism, &case.states, cells as usize).map_err(case.here())?;
        advance(&case.name, device, &mut states.clone(), dt)?;
        let rate = f64::from(cells) / seconds(device, case, &states, dt)?;
        most = most.max(rate);
        let row = format!("| {} | {dt:e} | {cells} | {mapping} | {rate:.0} | {:.2} |\n", case.name, rate / most);
        page.add(|p| &mut p.batches, row)?;
    }
    Ok(())
}

/// The largest difference, in units of what the tolerances allow.
fn deviation(got: &States, want: &States) -> f64 {
    let (rtol, atol) = TOLERANCES;
    let unit = |a: f64, b: f64| (a - b).abs() / (atol + rtol * b.abs());
    let y = got.y().iter().zip(want.y()).map(|(a, b)| unit(*a, *b));
    let t = got.temperature().iter().zip(want.temperature()).map(|(a, b)| (a - b).abs() / (rtol * b.abs()));
    y.chain(t).fold(0.0, |worst: f64, x| if x > worst || x.is_nan() { x } else { worst })
}
