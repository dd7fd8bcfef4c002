//! `kinlane bench work-precision`: error against time for every method, over a range of tolerances.

use super::{IGNITIONS, POINTS, prepare};
use crate::args::BenchArgs;
use crate::chart::{Axis, Chart, Series, Spacing};
use crate::error::Error;
use crate::output;
use crate::picture;
use kinlane::{Advance, Mechanism, Options, Report, States};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Relative tolerances; the absolute one is this much smaller.
const TOLERANCES: [f64; 7] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];
/// See above.
const ATOL: f64 = 1e-8;
/// Tolerance of the two references.
const REFERENCE: f64 = 1e-10;
/// Steps after which a cell is not for a method.
const MAX_STEPS: u32 = 20_000;
/// A method is left out from where a run takes longer [s].
const PATIENCE: f64 = 20.0;
/// Runs of which the fastest counts.
const REPEATS: usize = 3;
/// Mass fractions below count as this in relative errors.
const FLOOR: f64 = 1e-10;
/// Curves of a picture; all methods are in the table.
const DRAWN: [&str; 7] = ["rodas4", "rodas5p", "radau5", "bdf", "sdirk4", "rodas3", "ros4"];

/// One run.
struct Point {
    method: &'static str,
    rtol: f64,
    error: f64,
    /// CPU microseconds per cell.
    time: f64,
    report: Report,
}

/// Runs the command; `Ok` is the exit code.
pub fn run(args: &BenchArgs) -> Result<i32, Error> {
    let mut page = String::new();
    let mut csv = String::from("case,dt_s,method,rtol,atol,error_p99,us_per_cell,steps,rejected,rhs,jac,factor\n");
    for case in &args.cases {
        let (mechanism, states) = prepare(case, IGNITIONS * POINTS)?;
        for &dt in &args.dt.0 {
            let (points, doubt) = measure(case, &mechanism, &states, dt)?;
            let part = table(case, dt, states.len(), doubt, &points);
            if !args.quiet {
                say!("{part}");
            }
            page.push_str(&part);
            page.push('\n');
            for p in &points {
                let n = states.len() as f64;
                let r = &p.report;
                let each = [r.steps, r.rejected, r.rhs, r.jac, r.factor].map(|x| (x as f64 / n).to_string()).join(",");
                let (name, rtol, atol) = (output::csv_field(case), p.rtol, p.rtol * ATOL);
                let _ = writeln!(csv, "{name},{dt:e},{},{rtol:e},{atol:e},{:e},{},{each}", p.method, p.error, p.time);
            }
            if let Some(path) = &args.picture {
                picture::write(&beside(path, case, dt), &picture(case, dt, &points).svg())?;
            }
        }
    }
    if let Some(path) = &args.csv {
        output::write_text(path, &csv)?;
    }
    if let Some(path) = &args.out {
        output::write_text(path, &page)?;
    }
    Ok(0)
}

/// Every method at every tolerance, and by how much the two references differ.
fn measure(case: &str, mechanism: &Mechanism, states: &States, dt: f64) -> Result<(Vec<Point>, f64), Error> {
    let advance = |method: &str, rtol: f64| -> Result<(States, Report), Error> {
        let options = Options {
            method: Some(method.to_owned()),
            rtol,
            atol: rtol * ATOL,
            max_steps: MAX_STEPS,
            ..Options::default()
        };
        let mut solver = Advance::new(mechanism).options(options).threads(1).plan()?;
        let mut once = || -> Result<(States, Report), Error> {
            let mut got = states.clone();
            let report = solver.advance_states(&mut got, dt).map_err(|e| Error::of_batch(&PathBuf::from(case), e))?;
            Ok((got, report))
        };
        let mut best = once()?;
        for _ in 1..REPEATS {
            if best.1.cpu_seconds > PATIENCE || best.1.failed > 0 {
                break;
            }
            let next = once()?;
            if next.1.cpu_seconds < best.1.cpu_seconds {
                best = next;
            }
        }
        Ok(best)
    };
    let (reference, _) = advance("radau5", REFERENCE)?;
    let (other, _) = advance("rodas5p", REFERENCE)?;
    let doubt = error(&other, &reference);
    let mut points = Vec::new();
    for method in kinlane::methods().map(|m| m.name) {
        for rtol in TOLERANCES {
            let (got, report) = advance(method, rtol)?;
            if report.failed > 0 {
                continue;
            }
            let slow = report.cpu_seconds > PATIENCE;
            let time = report.cpu_seconds * 1e6 / report.cells.max(1) as f64;
            points.push(Point { method, rtol, error: error(&got, &reference), time, report });
            if slow {
                break;
            }
        }
    }
    Ok((points, doubt))
}

/// 99th percentile over the cells of the largest relative error of a cell.
fn error(got: &States, want: &States) -> f64 {
    let mut errors: Vec<f64> = (0..got.len())
        .map(|i| {
            let y = got.y_of(i).iter().zip(want.y_of(i)).map(|(a, b)| (a - b).abs() / (b.abs() + FLOOR));
            let t = |s: &States| s.temperature().get(i).copied().unwrap_or(f64::NAN);
            y.fold((t(got) / t(want) - 1.0).abs(), |w, x| if x <= w { w } else { x })
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    errors.get(errors.len().saturating_sub(1) * 99 / 100).copied().unwrap_or(f64::NAN)
}

fn table(case: &str, dt: f64, cells: usize, doubt: f64, points: &[Point]) -> String {
    let mut text = format!(
        "{case}, dt = {dt:e} s, {cells} cells, one thread, {}; radau5 and rodas5p at rtol {REFERENCE:e} differ by {doubt:.1e}\n\n\
         | method | rtol | error (p99) | CPU us/cell | steps | rejected | rhs | J | LU |\n|---|---|---|---|---|---|---|---|---|\n",
        points.first().map_or("", |p| &p.report.lanes)
    );
    for p in points {
        let n = cells.max(1) as f64;
        let r = &p.report;
        let [steps, rejected, rhs, jac, factor] = [r.steps, r.rejected, r.rhs, r.jac, r.factor].map(|x| x as f64 / n);
        let _ = writeln!(
            text,
            "| {} | {:e} | {:.1e} | {:.1} | {steps:.1} | {rejected:.1} | {rhs:.1} | {jac:.1} | {factor:.1} |",
            p.method, p.rtol, p.error, p.time
        );
    }
    text
}

/// The picture's name with case and interval in it.
fn beside(path: &Path, case: &str, dt: f64) -> PathBuf {
    let part = |x: Option<&std::ffi::OsStr>| x.map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let name = Path::new(case.split(':').next().unwrap_or_default());
    path.with_file_name(format!(
        "{}-{}-{dt:e}.{}",
        part(path.file_stem()),
        part(name.file_stem()),
        part(path.extension())
    ))
}

fn picture(case: &str, dt: f64, points: &[Point]) -> Chart {
    let series = DRAWN.iter().map(|&method| {
        let mut points: Vec<(f64, f64)> =
            points.iter().filter(|p| p.method == method).map(|p| (p.error, p.time)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { name: method.to_owned(), points }
    });
    Chart {
        title: format!("{case}: work and precision over {dt:e} s"),
        x: Axis { label: "error, 99th percentile of the cells".into(), spacing: Spacing::Log, low: None },
        y: Axis { label: "CPU time (µs per cell)".into(), spacing: Spacing::Log, low: None },
        legend: "method".into(),
        series: series.filter(|s| s.points.len() > 1).collect(),
    }
}
