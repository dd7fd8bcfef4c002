//! `kinlane bench work-precision`: error against time for every method, over a range of tolerances.

use super::{CaseArgs, DISTINCT, POINTS, at, cantera, errors, sample, taken};
use crate::error::Error;
use crate::files::output::{self, Outputs};
use crate::picture::chart::{Axis, Chart, Series, Spacing};
use crate::run::stop;
use crate::words::Names;
use crate::words::count;
use clap::Args;
use kinlane::{Advance, Event, Happening, Mechanism, Options, Quantity, States};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Relative tolerances. The absolute tolerance is smaller by [`ATOL`].
const TOLERANCES: [f64; 8] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
/// See above.
const ATOL: f64 = 1e-8;
/// Numbers of steps of a method whose steps have a fixed length, which therefore has no tolerance. Over whole ignitions
/// such a method is not run.
const STEPS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
/// Tolerance of the two references.
const REFERENCE: f64 = 1e-11;
/// Steps after which a method is considered unsuitable for a cell.
const MAX_STEPS: u32 = 50_000;
/// A method is not run at smaller tolerances once a run takes longer than this \[s\].
const PATIENCE: f64 = 4.0;
/// Number of runs; the fastest counts.
const REPEATS: usize = 3;
/// A picture of more curves than this shows only the methods that are the fastest at some error, and always
/// [`ALWAYS`]; the table has them all.
const CURVES: usize = 8;
/// See above.
const ALWAYS: [&str; 3] = ["auto", "rodas5p", CVODE];
/// Errors at which methods are compared for a picture.
const TARGETS: [f64; 7] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
/// Cantera's name in tables and pictures.
const CVODE: &str = "Cantera's CVODE";
/// Time limit of an ignition \[s\].
const WHOLE: f64 = 0.1;

/// Error against time for every method, one thread, rtol 1e-3 to 1e-10 (rk4: 1 to 128 steps)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kinlane bench work-precision h2:H2 --dt 1e-6,1e-4 --csv wp.csv --picture wp.svg
  kinlane bench work-precision h2:H2 --cells 24 --methods bdf --ignitions --cantera
  kinlane bench work-precision my.yaml --states s.npz --dt 1e-7 --picture mine.svg")]
pub struct WorkPrecisionArgs {
    #[command(flatten)]
    common: CaseArgs,
    /// NPZ file with the cells to measure on, in the place of ignitions; the one MECH needs no fuel then
    #[arg(long, value_name = "FILE", conflicts_with = "ignitions")]
    states: Option<PathBuf>,
    /// Cells to take at most, evenly spread over the ignitions or the file
    #[arg(long, value_name = "N", default_value_t = DISTINCT, value_parser = clap::value_parser!(u32).range(1..=i64::from(DISTINCT)))]
    cells: u32,
    /// Methods (default: all)
    #[arg(long, value_name = "LIST")]
    methods: Vec<Names>,
    /// Whole ignitions as well: the error is that of the delay
    #[arg(long)]
    ignitions: bool,
    /// Cantera's CVODE beside them, where python3 has it
    #[arg(long)]
    cantera: bool,
    /// Table to write
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Pictures: NAME-MECH-DT.svg or .png, NAME-MECH-FUEL-DT where MECH has several fuels
    #[arg(long, value_name = "FILE", value_parser = crate::picture::name)]
    picture: Option<PathBuf>,
}

/// The task of every method.
#[derive(Clone, Copy)]
enum Task {
    /// Advance states along ignitions by an interval [s].
    Interval(f64),
    /// Ignite fresh mixtures; the answer is the delay.
    Ignition,
}

impl Task {
    fn name(self) -> String {
        match self {
            Self::Interval(dt) => format!("dt = {dt:e} s"),
            Self::Ignition => format!("whole ignitions, {WHOLE} s"),
        }
    }
    fn tag(self) -> String {
        match self {
            Self::Interval(dt) => format!("{dt:e}"),
            Self::Ignition => "ignition".to_owned(),
        }
    }
}

/// What the error of a run depends on.
#[derive(Clone, Copy)]
enum Effort {
    /// The relative tolerance.
    Rtol(f64),
    /// The number of steps of a fixed length.
    Steps(u32),
}

impl Effort {
    /// In rising order.
    fn all(method: &str, task: Task) -> Vec<Self> {
        match task {
            _ if !is_fixed(method) => TOLERANCES.map(Self::Rtol).to_vec(),
            Task::Interval(_) => STEPS.map(Self::Steps).to_vec(),
            Task::Ignition => Vec::new(),
        }
    }

    fn options(self, task: Task) -> Options {
        match (self, task) {
            (Self::Rtol(rtol), _) => Options { rtol, atol: Some(super::atol(rtol, ATOL)), ..Options::default() },
            (Self::Steps(n), Task::Interval(dt)) => {
                Options { first_step: Some(dt / f64::from(n)), ..Options::default() }
            }
            (Self::Steps(_), Task::Ignition) => Options::default(),
        }
    }

    /// In the first column of a table.
    fn name(self) -> String {
        match self {
            Self::Rtol(rtol) => format!("{rtol:e}"),
            Self::Steps(n) => count(n as usize, "step"),
        }
    }

    /// The counts of a run. Of steps of a fixed length it is what was asked for: cells that failed have taken others.
    fn counts(self, mut counted: Option<[f64; 5]>) -> Option<[f64; 5]> {
        if let (Self::Steps(n), Some([steps, ..])) = (self, &mut counted) {
            *steps = f64::from(n);
        }
        counted
    }

    /// Columns `rtol` and `atol` of the CSV file.
    fn csv(self) -> String {
        match self {
            Self::Rtol(rtol) => format!("{rtol:e},{:e}", super::atol(rtol, ATOL)),
            Self::Steps(_) => ",".to_owned(),
        }
    }
}

fn is_fixed(method: &str) -> bool {
    kinlane::methods().any(|m| m.name == method && m.fixed)
}

/// The result of a task.
enum Answer {
    States(Box<States>),
    /// Delays \[s\], by a rise of 400 K.
    Delays(Vec<f64>),
}

/// One run.
struct Point {
    method: &'static str,
    effort: Effort,
    /// NaN where cells failed.
    error: f64,
    /// Cells that failed: their budget of steps did not last, which is what an explicit method on stiff cells ends by.
    failed: usize,
    /// CPU microseconds per cell.
    time: f64,
    /// Steps, rejected attempts, right-hand sides, Jacobians and factorisations per cell, if known.
    counts: Option<[f64; 5]>,
}

/// The results for one task.
struct Measured {
    points: Vec<Point>,
    /// Difference of the two references.
    doubt: f64,
    lanes: String,
    cells: usize,
    /// Why there are no results of Cantera.
    without: Option<String>,
}

/// Runs the command; returns the exit code.
pub fn run(args: &WorkPrecisionArgs) -> Result<i32, Error> {
    let known: Vec<&'static str> = kinlane::methods().map(|m| m.name).collect();
    let asked = Names::all(&args.methods);
    let methods = asked.iter().map(|name| {
        let found = kinlane::Method::find(name).map(|m| m.name);
        found.ok_or_else(|| kinlane::PlanError::UnknownMethod { name: name.clone(), known: known.clone() })
    });
    let asked = methods.collect::<Result<Vec<_>, _>>()?;
    let methods = if asked.is_empty() { known } else { asked };
    match (&args.states, &args.common.cases[..]) {
        (None, _) => super::ready(&args.common)?,
        (Some(_), [case]) => drop(super::mechanism(case)?),
        (Some(_), _) => return Err(Error::OneMechanism { option: "--states" }),
    }
    let tasks = args.common.dt.0.iter().map(|&dt| Task::Interval(dt)).chain(args.ignitions.then_some(Task::Ignition));
    let tasks: Vec<Task> = tasks.collect();
    let pictures: Vec<PathBuf> =
        args.picture.iter().flat_map(|path| pictures(path, &args.common.cases, &tasks)).collect();
    let mut files = vec![("--out", args.common.out.as_deref()), ("--csv", args.csv.as_deref())];
    files.extend(pictures.iter().map(|path| ("--picture", Some(&**path))));
    output::writable(&files, &[args.states.as_deref()])?;
    let mut pictures = pictures.iter();
    let mut page = String::new();
    let mut csv =
        String::from("case,task,method,rtol,atol,error_p99,us_per_cell,steps,rejected,rhs,jac,factor,failed\n");
    for case in &args.common.cases {
        let (mechanism, states) = match &args.states {
            Some(path) => taken(case, path, args.cells, args.common.quiet)?,
            None => sample(case, args.cells)?,
        };
        for &task in &tasks {
            let measured = measure(case, &mechanism, &states, task, &methods, args.cantera)?;
            let part = table(case, task, &measured);
            if !args.common.quiet && !output::to_standard(&[&args.csv]) {
                say!("{part}");
            }
            page.push_str(&part);
            page.push('\n');
            for p in &measured.points {
                let counts = p.effort.counts(p.counts);
                let counts = counts.map_or_else(|| ",,,,".to_owned(), |c| c.map(|x| x.to_string()).join(","));
                let (name, effort, task, time) = (output::csv_field(case), p.effort.csv(), task.tag(), p.time);
                let error = if p.failed > 0 { String::new() } else { format!("{:e}", p.error) };
                let _ = writeln!(csv, "{name},{task},{},{effort},{error},{time},{counts},{}", p.method, p.failed);
            }
            if let Some(path) = pictures.next() {
                let mut one = Outputs::default();
                crate::picture::write(&mut one, path, &picture(case, task, &measured.points).svg())?;
                one.commit()?;
            }
        }
    }
    if let Some(path) = &args.csv {
        output::write_text(path, &csv)?;
    }
    if let Some(path) = &args.common.out {
        output::write_text(path, &page)?;
    }
    Ok(0)
}

/// One run of kinlane: the answer, CPU seconds, failed cells, counts per cell.
struct Once {
    answer: Answer,
    seconds: f64,
    failed: usize,
    counts: Option<[f64; 5]>,
    lanes: String,
}

fn once(case: &str, mechanism: &Mechanism, states: &States, task: Task, o: Options) -> Result<Once, Error> {
    let here = |e| Error::of_batch(&PathBuf::from(case), e);
    let mut got = states.clone();
    match task {
        Task::Interval(dt) => {
            let mut solver = Advance::builder(mechanism).options(o).threads(1).plan()?;
            let r = super::advance(case, &mut solver, &mut got, dt)?;
            let n = r.cells.max(1) as f64;
            let counts = Some([r.steps, r.rejected, r.rhs, r.jac, r.factor].map(|x| x as f64 / n));
            let lanes = r.lanes.to_string();
            Ok(Once { answer: Answer::States(Box::new(got)), seconds: r.cpu_seconds, failed: r.failed, counts, lanes })
        }
        Task::Ignition => {
            let o = Options { reactor: kinlane::Reactor::ConstV, first_step: Some(1e-9 * WHOLE), ..o };
            let mut solver = Advance::builder(mechanism).options(o.clone()).threads(1).follow()?;
            let event = Event { quantity: Quantity::Temperature, happening: Happening::Rise(400.0) };
            stop::connect(solver.stop_flag());
            let f = solver.advance(&mut got, WHOLE, &[], &[event]).map_err(here)?;
            stop::check()?;
            let lanes = String::new();
            Ok(Once {
                answer: Answer::Delays(f.found),
                seconds: f.report.cpu_seconds,
                failed: f.report.failed,
                counts: None,
                lanes,
            })
        }
    }
}

/// Every method at every tolerance.
fn measure(
    case: &str,
    mechanism: &Mechanism,
    states: &States,
    task: Task,
    methods: &[&'static str],
    with_cantera: bool,
) -> Result<Measured, Error> {
    let fresh;
    let states = match task {
        Task::Interval(_) => states,
        Task::Ignition => {
            let fresh_cells = (states.len() / POINTS).max(1);
            fresh =
                super::head(mechanism, states, fresh_cells).map_err(|e| Error::of_batch(&PathBuf::from(case), e))?;
            &fresh
        }
    };
    let cells = states.len();
    let run = |method: &str, effort: Effort| -> Result<Once, Error> {
        let options = Options { method: Some(method.to_owned()), max_steps: MAX_STEPS, ..effort.options(task) };
        let mut best = once(case, mechanism, states, task, options.clone())?;
        for _ in 1..REPEATS {
            if best.seconds > PATIENCE / 4.0 || best.failed > 0 {
                break;
            }
            let next = once(case, mechanism, states, task, options.clone())?;
            if next.seconds < best.seconds {
                best = next;
            }
        }
        Ok(best)
    };
    let reference = run("radau5", Effort::Rtol(REFERENCE))?.answer;
    let other = run("rodas5p", Effort::Rtol(REFERENCE))?;
    let doubt = error(&other.answer, &reference);
    let mut points = Vec::new();
    for &method in methods {
        for effort in Effort::all(method, task) {
            let o = run(method, effort)?;
            let time = o.seconds * 1e6 / cells.max(1) as f64;
            let error = if o.failed == 0 { error(&o.answer, &reference) } else { f64::NAN };
            points.push(Point { method, effort, error, failed: o.failed, time, counts: o.counts });
            if o.seconds > PATIENCE {
                break;
            }
        }
    }
    let mut without = None;
    if let (true, Task::Interval(dt)) = (with_cantera, task) {
        match cantera::runs(mechanism, states, dt, &TOLERANCES, ATOL, PATIENCE)? {
            Err(why) => without = Some(why),
            Ok(runs) => {
                for r in runs {
                    let (effort, time) = (Effort::Rtol(r.rtol), r.seconds * 1e6 / cells.max(1) as f64);
                    let answer = Answer::States(Box::new(r.states(mechanism, states)?));
                    let error = error(&answer, &reference);
                    points.push(Point { method: CVODE, effort, error, failed: 0, time, counts: None });
                }
            }
        }
    }
    Ok(Measured { points, doubt, lanes: other.lanes, cells, without })
}

/// 99th percentile over the cells of the largest relative error in a cell.
fn error(got: &Answer, want: &Answer) -> f64 {
    let errors = match (got, want) {
        (Answer::States(got), Answer::States(want)) => errors(got, want),
        (Answer::Delays(got), Answer::Delays(want)) => {
            let known = got.iter().zip(want).filter(|(_, b)| b.is_finite());
            let mut all: Vec<f64> = known.map(|(a, b)| (a / b - 1.0).abs()).collect();
            all.sort_by(f64::total_cmp);
            all
        }
        _ => Vec::new(),
    };
    at(&errors, 99)
}

fn table(case: &str, task: Task, m: &Measured) -> String {
    let (task, cells, doubt) = (task.name(), count(m.cells, "cell"), m.doubt);
    let lanes = if m.lanes.is_empty() { String::new() } else { format!(", {}", m.lanes) };
    let mut text = format!(
        "{case}, {task}, {cells}, one thread{lanes}; radau5 and rodas5p at rtol {REFERENCE:e} differ by {doubt:.1e}\n\n\
         | method | rtol | error (p99) | CPU us/cell | steps | rejected | rhs | J | LU |\n|---|---|---|---|---|---|---|---|---|\n"
    );
    for p in &m.points {
        let counts = match p.counts {
            Some(c) => c.map(|x| format!("{x:.1}")).join(" | "),
            None => "- | - | - | - | -".to_owned(),
        };
        let error = if p.failed > 0 { format!("{} failed", p.failed) } else { format!("{:.1e}", p.error) };
        let _ = writeln!(text, "| {} | {} | {error} | {:.1} | {counts} |", p.method, p.effort.name(), p.time);
    }
    if let Some(why) = &m.without {
        let _ = writeln!(text, "\nWithout Cantera: {why}");
    }
    text
}

/// The names of all pictures, in the order in which they are drawn.
fn pictures(path: &Path, cases: &[String], tasks: &[Task]) -> Vec<PathBuf> {
    cases.iter().flat_map(|case| tasks.iter().map(|&task| beside(path, case, cases, task))).collect()
}

/// The picture's name, extended by the mechanism, the fuel where several cases have that mechanism, and the task.
fn beside(path: &Path, case: &str, cases: &[String], task: Task) -> PathBuf {
    let part = |x: Option<&std::ffi::OsStr>| x.map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let of = |case: &str| {
        let (name, fuel) = case.rsplit_once(':').unwrap_or((case, ""));
        (part(Path::new(name).file_stem()), fuel.replace(|c: char| !c.is_alphanumeric(), "_"))
    };
    let (name, fuel) = of(case);
    let fuels = cases.iter().map(|case| of(case)).any(|other| other.0 == name && other.1 != fuel);
    let fuel = if fuels { format!("-{fuel}") } else { String::new() };
    let (stem, kind) = (part(path.file_stem()), part(path.extension()));
    path.with_file_name(format!("{stem}-{name}{fuel}-{}.{kind}", task.tag()))
}

/// The methods of a picture, in the order of the table.
fn drawn(points: &[Point]) -> Vec<&'static str> {
    let mut methods: Vec<&'static str> = points.iter().map(|p| p.method).collect();
    methods.dedup();
    if methods.len() <= CURVES {
        return methods;
    }
    let fastest = TARGETS.map(|target| {
        let good = points.iter().filter(|p| p.error <= target && p.method != CVODE);
        good.min_by(|a, b| a.time.total_cmp(&b.time)).map(|p| p.method)
    });
    methods.retain(|m| ALWAYS.contains(m) || fastest.contains(&Some(m)));
    methods
}

fn picture(case: &str, task: Task, points: &[Point]) -> Chart {
    let series = drawn(points).into_iter().map(|method| {
        let mut points: Vec<(f64, f64)> =
            points.iter().filter(|p| p.method == method && p.failed == 0).map(|p| (p.error, p.time)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { name: method.to_owned(), points }
    });
    let what = match task {
        Task::Interval(_) => "error, 99th percentile of the cells",
        Task::Ignition => "error of the delay, 99th percentile of the cells",
    };
    Chart {
        title: format!("{case}: work and precision, {}", task.name()),
        subtitle: String::new(),
        x: Axis { label: what.into(), spacing: Spacing::Log, low: None },
        y: Axis { label: "CPU time (µs per cell)".into(), spacing: Spacing::Log, low: None },
        legend: "method".into(),
        series: series.filter(|s| s.points.len() > 1).collect(),
        dots: true,
    }
}
