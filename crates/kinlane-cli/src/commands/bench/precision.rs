//! `kinlane bench precision`: how much accuracy single precision costs on a device, and what it saves.

use super::{CaseArgs, DISTINCT, at, errors, sample};
use crate::error::Error;
use crate::files::output;
use crate::words::Names;
use crate::words::count;
use clap::Args;
use kinlane::{Advance, Mechanism, Options, Precision, Report, States};
use std::fmt::Write;

/// Relative tolerances; each precision is measured at those that it can meet. The absolute tolerance is
/// smaller by [`ATOL`].
const TOLERANCES: [f64; 3] = [1e-3, 1e-4, 1e-5];
/// See above.
const ATOL: f64 = 1e-8;
/// Tolerance of the reference, by radau5 on the CPU.
const REFERENCE: f64 = 1e-11;

/// What f32 and mixed cost in accuracy on a device, beside f64
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  kinlane bench precision h2:H2 gri30:CH4 --device opencl --methods rodas5p,bdf")]
pub struct PrecisionArgs {
    #[command(flatten)]
    common: CaseArgs,
    /// Device
    #[arg(long, value_name = "NAME", default_value = "opencl")]
    device: String,
    /// Cells of the ignitions to take
    #[arg(long, value_name = "N", default_value_t = DISTINCT, value_parser = clap::value_parser!(u32).range(1..=i64::from(DISTINCT)))]
    cells: u32,
    /// Methods (default: the default one)
    #[arg(long, value_name = "LIST")]
    methods: Vec<Names>,
}

/// Runs the command; returns the exit code.
pub fn run(args: &PrecisionArgs) -> Result<i32, Error> {
    super::ready(&args.common)?;
    let mut page = String::new();
    let default = vec!["auto".to_owned()];
    let asked = Names::all(&args.methods);
    let methods = if asked.is_empty() { &default } else { &asked };
    let mut failed = false;
    for case in &args.common.cases {
        let (mechanism, states) = sample(case, args.cells)?;
        for &dt in &args.common.dt.0 {
            let reference = reference(case, &mechanism, &states, dt)?;
            for method in methods {
                let task = Task { case, mechanism: &mechanism, states: &states, dt, method, device: &args.device };
                let (part, bad) = task.table(&reference)?;
                failed |= bad;
                if !args.common.quiet {
                    say!("{part}");
                }
                page.push_str(&part);
                page.push('\n');
            }
        }
    }
    if let Some(out) = &args.common.out {
        output::write_text(out, &page)?;
    }
    Ok(i32::from(failed))
}

fn reference(case: &str, mechanism: &Mechanism, states: &States, dt: f64) -> Result<States, Error> {
    let options = Options { method: Some("radau5".to_owned()), ..options(REFERENCE) };
    let mut want = states.clone();
    let mut solver = Advance::builder(mechanism).options(options).plan()?;
    super::advance(case, &mut solver, &mut want, dt)?;
    Ok(want)
}

fn options(rtol: f64) -> Options {
    Options { rtol, atol: Some(super::atol(rtol, ATOL)), ..Options::default() }
}

/// The cells to advance, and how.
struct Task<'a> {
    case: &'a str,
    mechanism: &'a Mechanism,
    states: &'a States,
    dt: f64,
    method: &'a str,
    device: &'a str,
}

impl Task<'_> {
    /// The states afterwards, the report, and the memory per worker on the device \[bytes\].
    fn run(&self, rtol: f64, precision: Precision) -> Result<(States, Report, usize), Error> {
        let options = Options { method: Some(self.method.to_owned()), ..options(rtol) };
        let builder = Advance::builder(self.mechanism).options(options).device(self.device).precision(precision);
        let mut solver = builder.plan()?;
        super::is_device(&solver)?;
        let mut got = self.states.clone();
        let report = super::advance(self.case, &mut solver, &mut got, self.dt)?;
        let bytes = report.bytes_per_thread;
        Ok((got, report, bytes))
    }

    /// A row for every tolerance and precision, and whether any cell failed.
    fn table(&self, reference: &States) -> Result<(String, bool), Error> {
        let mut text = format!(
            "{}, dt = {:e} s, {} on {}, {}, atol = {ATOL:e} rtol; error: largest relative one of a cell, beside \
             radau5 at rtol {REFERENCE:e}\n\n\
             | rtol | precision | error p50 | p99 | max | off f64 p99 | max | sum of Y off | steps | rejected | done by \
             the CPU | failed | seconds | bytes/cell in work |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
            self.case,
            self.dt,
            self.method,
            self.device,
            count(self.states.len(), "cell"),
        );
        let mut failed = false;
        for rtol in TOLERANCES {
            let mut double = None;
            for precision in Precision::ALL.into_iter().filter(|p| p.finest() <= rtol) {
                let (got, report, bytes) = self.run(rtol, precision)?;
                let wrong = errors(&got, reference);
                let off = errors(&got, double.get_or_insert_with(|| got.clone()));
                let n = report.cells.max(1) as f64;
                failed |= report.failed > 0;
                let _ = writeln!(
                    text,
                    "| {rtol:e} | {} | {:.1e} | {:.1e} | {:.1e} | {:.1e} | {:.1e} | {:.1e} | {:.1} | {:.1} | {} | {} | \
                     {:.2} | {bytes} |",
                    precision.name(),
                    at(&wrong, 50),
                    at(&wrong, 99),
                    at(&wrong, 100),
                    at(&off, 99),
                    at(&off, 100),
                    unbalance(&got),
                    report.steps as f64 / n,
                    report.rejected as f64 / n,
                    report.rescued,
                    report.failed,
                    report.seconds,
                );
            }
        }
        Ok((text, failed))
    }
}

/// Largest deviation from one of the sum of a cell's mass fractions.
fn unbalance(s: &States) -> f64 {
    (0..s.len()).map(|i| (s.y_of(i).iter().sum::<f64>() - 1.0).abs()).max_by(f64::total_cmp).unwrap_or_default()
}
