//! Sensitivity of a delay to every rate constant: d ln τ/d ln A by central differences, all reactions in one
//! batch.

use super::delays::Delays;
use super::{IgniteArgs, Request};
use crate::error::Error;
use crate::files::output::csv_field;
use crate::mixture::{self, MixtureFault, Point};
use crate::picture::bars::Bars;
use crate::run::{progress, stop};
use kinlane::{Delay, Factor, Options, Outcome, Peaks, Status};
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

/// Number of bars in the picture, and of lines on a terminal.
const SHOWN: usize = 20;
/// Cells are followed over this many delays, times the square of the factor: the delay of a perturbed cell
/// increases by at most a small power of the factor.
const BEYOND: f64 = 2.0;
/// Factor on the tolerances, which saves half of the steps: the errors of both cells of a difference are
/// nearly the same. Measured on methane in GRI-3.0 at the default tolerances, results differ from those at
/// tight tolerances by 2e-7 at most. The errors of times of maxima are not the same.
const WIDER: f64 = 10.0;
/// No tolerance becomes larger than this by it: at 0.05, peaks no longer stand out.
const WIDEST: f64 = 0.01;

/// If the two cells of a delay change to one side by more than this part of the larger change, the delay has
/// jumped in one of them, since another peak has become the highest. A change of less than [`SMALL`] times
/// the logarithm of the factor is not a jump; and with factors above [`NEAR`], curvature of the delay leads
/// as far.
const ASTRAY: f64 = 0.5;
const SMALL: f64 = 0.1;
const NEAR: f64 = 1.1;

/// A factor may not be nearer to 1 than so many relative tolerances: the delays would differ by no more than their errors.
pub const ABOVE_ERRORS: f64 = 500.0;
/// Whatever the tolerance, a factor may be as near to 1 as this.
pub const ENOUGH: f64 = 0.01;

/// The sensitivities to one reaction.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    /// Its number in the file, from 1.
    pub reaction: usize,
    /// As the file writes it.
    pub equation: String,
    /// d ln τ/d ln A for every requested delay; `None` if there was none.
    pub values: Vec<Option<f64>>,
}

/// The sensitivities to all reactions, ordered by the first delay, the largest first.
#[derive(Debug, Clone, Serialize)]
pub struct Sensitivities {
    /// The factor by which rate constants were multiplied and divided.
    pub factor: f64,
    /// Wall time.
    pub seconds: f64,
    /// Number of cells that did not reach their end.
    pub failed: usize,
    /// Number of values from one cell alone, because in the other cell another peak is the highest.
    pub jumped: usize,
    /// Whether most values are missing of the reactions whose cells reached their end.
    #[serde(skip)]
    pub lost: bool,
    /// In order of sensitivity.
    pub reactions: Vec<Answer>,
}

/// Parses a factor.
pub fn factor(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|f: &f64| f.is_finite() && *f > 1.0).ok_or_else(|| {
        format!("`{text}` is no factor on rate constants; write a number above 1, as 1.05, or leave it out")
    })
}

/// Perturbs every reaction of the only cell. Two cells per reaction: its rate constants times `factor`, and
/// divided by it.
pub fn perturb(args: &IgniteArgs, found: &Delays<'_>, factor: f64) -> Result<Sensitivities, Error> {
    let start = Instant::now();
    let Request { imposed, events, .. } = found.asked;
    let fine = found.asked.has_maximum() || !found.followed.flat.is_empty();
    let options = super::options(args, imposed);
    let atol = args.tolerances.gas_atol();
    // Both cells of a difference at the same tolerances.
    let (peaks, wider) =
        if fine { (Peaks::Always, 1.0) } else { (Peaks::Never, WIDER.min(WIDEST / options.rtol.max(atol)).max(1.0)) };
    let mechanism = found.asked.mechanism.perturbable();
    let network = mechanism.network();
    let cells = 2 * network.reactions.len();
    let points: Vec<Point> = found.asked.points.iter().cycle().take(cells).cloned().collect();
    let by = |cell: usize| {
        vec![Factor { reaction: cell / 2, factor: if cell.is_multiple_of(2) { factor } else { 1.0 / factor } }]
    };
    let states = mixture::states(&points, &mechanism)?.with_factors((0..cells).map(by).collect());
    let mut states = states.map_err(MixtureFault::Batch)?;
    let latest = (0..events.len()).filter_map(|e| found.at(0, e)).fold(0.0, f64::max);
    let end = if latest > 0.0 { (BEYOND * factor * factor * latest).min(args.end()) } else { args.end() };
    let options = Options { rtol: options.rtol * wider, atol: Some(atol * wider), ..options };
    let mut solver = imposed.solver(&mechanism, &options, &args.run, found.asked.threads)?.with_peaks(peaks)?;
    let progress = solver.progress();
    let followed = progress::watched(args.run.cpu.quiet, cells, &progress, || {
        imposed.advance(&mut solver, &mut states, end, &[], events)
    })?;
    stop::check()?;

    let delay = |cell: usize, e: usize| followed.found.get(cell * events.len() + e).copied().unwrap_or(f64::NAN);
    let mut jumped = 0;
    let mut answer = |i: usize, e: usize| {
        let change = |cell: usize| found.at(0, e).map_or(f64::NAN, |t| (delay(cell, e) / t).ln());
        let Value { value, alone } = Value::of(change(2 * i), change(2 * i + 1), factor.ln());
        jumped += usize::from(alone);
        value.is_finite().then_some(value)
    };
    let mut reactions: Vec<Answer> = network
        .reactions
        .iter()
        .enumerate()
        .map(|(i, r)| Answer {
            reaction: i + 1,
            equation: r.equation.clone(),
            values: (0..events.len()).map(|e| answer(i, e)).collect(),
        })
        .collect();
    let is_done = |(cells, _): &(&[Outcome], &Answer)| cells.iter().all(|cell| cell.status == Status::Done);
    let done = || states.outcomes().chunks(2).zip(&reactions).filter(is_done);
    let values = || done().flat_map(|(_, answer)| &answer.values);
    let lost = 2 * values().filter(|value| value.is_none()).count() > values().count();
    let size = |a: &Answer| a.values.first().copied().flatten().map_or(-1.0, f64::abs);
    reactions.sort_by(|a, b| size(b).total_cmp(&size(a)));
    Ok(Sensitivities {
        factor,
        seconds: start.elapsed().as_secs_f64(),
        failed: followed.report.failed,
        jumped,
        lost,
        reactions,
    })
}

/// A value of d ln τ/d ln A.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Value {
    value: f64,
    /// Whether it comes from one cell alone.
    alone: bool,
}

impl Value {
    /// From ln(τ/τ0) with the rate constants multiplied and divided, and the logarithm of the factor.
    fn of(more: f64, less: f64, factor: f64) -> Self {
        let most = more.abs().max(less.abs());
        if (more + less).abs() > ASTRAY * most && most > SMALL * factor && factor < NEAR.ln() {
            let value = if more.abs() < less.abs() { more } else { -less };
            return Self { value: value / factor, alone: true };
        }
        Self { value: (more - less) / (2.0 * factor), alone: false }
    }
}

impl Sensitivities {
    /// One line per reaction.
    pub fn csv(&self, delays: &[Delay]) -> String {
        let mut text = String::from("reaction,equation");
        delays.iter().for_each(|e| text.push_str(&format!(",{}", csv_field(&format!("dln({e})/dlnA")))));
        text.push('\n');
        for a in &self.reactions {
            let _ = write!(text, "{},{}", a.reaction, csv_field(&a.equation));
            for value in &a.values {
                text.push(',');
                if let Some(value) = value {
                    let _ = write!(text, "{value:e}");
                }
            }
            text.push('\n');
        }
        text
    }

    /// The table for a terminal.
    pub fn table(&self, delays: &[Delay]) -> String {
        let mut text = String::from("d ln(delay)/d ln(A), the largest:\n       ");
        delays.iter().for_each(|e| text.push_str(&format!(" {:>10}", e.to_string())));
        for a in self.reactions.iter().take(SHOWN) {
            let _ = write!(text, "\n  {:>5}", a.reaction);
            for value in &a.values {
                let value = value.map_or_else(|| "none".to_owned(), |v| format!("{v:+.5}"));
                let _ = write!(text, " {value:>10}");
            }
            let _ = write!(text, "  {}", a.equation);
        }
        text
    }

    /// Bars for the largest sensitivities of the first delay, in order.
    pub fn bars(&self, args: &IgniteArgs, r: &Request) -> Bars {
        let bar = |a: &Answer| Some((format!("R{}: {}", a.reaction, a.equation), a.values.first().copied().flatten()?));
        let delay = r.delays.first().map(ToString::to_string).unwrap_or_default();
        Bars {
            title: format!("Sensitivity of the delay: {}, {}", args.gas(r), r.by()),
            label: format!("d ln(delay) / d ln(A), the delay being that of {delay}"),
            meaning: ["faster reaction, earlier ignition", "faster reaction, later ignition"].map(str::to_owned),
            bars: self.reactions.iter().take(SHOWN).filter_map(bar).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_to_another_peak_is_no_answer() {
        let value = |more, less| Value::of(more, less, 0.05);
        for (more, less, want, alone) in
            [(-0.02, 0.03, -0.5, false), (-0.02, 0.7, -0.4, true), (-0.7, 0.02, -0.4, true)]
        {
            let got = value(more, less);
            assert!((got.value - want).abs() < 1e-12 && got.alone == alone, "{more}, {less}: {got:?}");
        }
        // The errors of both cells, and of the cell with which they are compared.
        assert!(!value(1e-4, 2e-4).alone);
        assert!(value(f64::NAN, 0.1).value.is_nan());
        // Hydrogen at 1100 K, H + O2 (+M) multiplied and divided by 3: a single peak, with much curvature.
        let curved = Value::of((1.420e-4_f64 / 9.229e-5).ln(), (8.566e-5_f64 / 9.229e-5).ln(), 3.0_f64.ln());
        assert!(!curved.alone && (curved.value - 0.23).abs() < 1e-3, "{curved:?}");
    }
}
