//! How a delay answers to every rate constant: d ln τ/d ln A by central differences, all reactions in one batch.

use super::event::Delay;
use super::{Delays, FIRST, IgniteArgs, Request, for_delays};
use crate::error::Error;
use crate::files::output::csv_field;
use crate::mixture::{self, MixtureFault, Point};
use crate::picture::bars::Bars;
use crate::run::{progress, stop};
use kinlane::{Factor, Options};
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

/// Bars of the picture, and lines on a terminal.
const SHOWN: usize = 20;
/// Cells are followed for this many delays, and for the square of the factor more: the delay of a perturbed cell is
/// later by at most a small power of it.
const BEYOND: f64 = 2.0;
/// The tolerances are this much wider, which saves half the steps: both cells of a difference err alike. Measured on
/// methane in GRI-3.0 at the default tolerances, answers differ from those of tight ones by 2e-7 at most. Times of maxima do not
/// err alike.
const WIDER: f64 = 10.0;

/// A delay whose two cells go so far to one side, as a part of the larger change, has jumped in one of them: another peak has
/// become the highest. Less than [`SMALL`] times the logarithm of the factor is no jump, and by factors above [`NEAR`] delays that
/// curve go as far.
const ASTRAY: f64 = 0.5;
const SMALL: f64 = 0.1;
const NEAR: f64 = 1.1;

/// The answer of one reaction.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    /// Its number in the file, from 1.
    pub reaction: usize,
    /// As the file writes it.
    pub equation: String,
    /// d ln τ/d ln A of every delay asked for; nothing where one did not happen.
    pub values: Vec<Option<f64>>,
}

/// The answers of all, that of the first delay deciding on the order: the largest come first.
#[derive(Debug, Clone, Serialize)]
pub struct Sensitivities {
    /// Rate constants were multiplied and divided by it.
    pub factor: f64,
    /// Wall time.
    pub seconds: f64,
    /// Cells that did not come to their end.
    pub failed: usize,
    /// Values of one cell alone, because in the other another peak is the highest.
    pub jumped: usize,
    /// Ranked.
    pub reactions: Vec<Answer>,
}

/// Reads a factor.
pub fn factor(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|f: &f64| f.is_finite() && *f > 1.0).ok_or_else(|| {
        format!("`{text}` is no factor on rate constants; write a number above 1, as 1.05, or leave it out")
    })
}

/// Perturbs every reaction of the only cell. Two cells per reaction: its rate constants times `factor`, and over it.
pub fn perturb(args: &IgniteArgs, found: &Delays<'_>, factor: f64) -> Result<Sensitivities, Error> {
    let start = Instant::now();
    let Request { imposed, events, .. } = found.asked;
    let wider = if found.flat || found.asked.has_maximum() { 1.0 } else { WIDER };
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
    let options = for_delays(args, found.asked, found.flat, end);
    let options = Options {
        rtol: options.rtol * wider,
        atol: options.atol * wider,
        first_step: Some(FIRST * args.end()),
        ..options
    };
    let mut solver = imposed.solver(&mechanism, &options, found.asked.threads)?;
    stop::connect(solver.stop_flag());
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
    let size = |a: &Answer| a.values.first().copied().flatten().map_or(-1.0, f64::abs);
    reactions.sort_by(|a, b| size(b).total_cmp(&size(a)));
    Ok(Sensitivities { factor, seconds: start.elapsed().as_secs_f64(), failed: followed.failed, jumped, reactions })
}

/// d ln τ/d ln A.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Value {
    value: f64,
    /// Whether it is that of one cell alone.
    alone: bool,
}

impl Value {
    /// Of ln(τ/τ0) with the rate constants multiplied and divided, and the logarithm of the factor.
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

    /// What a terminal shows.
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

    /// The largest of the first delay, ranked.
    pub fn bars(&self, args: &IgniteArgs, r: &Request) -> Bars {
        let bar = |a: &Answer| Some((format!("R{}: {}", a.reaction, a.equation), a.values.first().copied().flatten()?));
        let delay = r.delays.first().map(ToString::to_string).unwrap_or_default();
        Bars {
            title: format!("Sensitivity of the delay: {}, {}", args.gas(&r.points), r.by()),
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
        // Errors of both cells, and of the one they are compared with.
        assert!(!value(1e-4, 2e-4).alone);
        assert!(value(f64::NAN, 0.1).value.is_nan());
        // Hydrogen at 1100 K, H + O2 (+M) times and over 3: one peak, and much curvature.
        let curved = Value::of((1.420e-4_f64 / 9.229e-5).ln(), (8.566e-5_f64 / 9.229e-5).ln(), 3.0_f64.ln());
        assert!(!curved.alone && (curved.value - 0.23).abs() < 1e-3, "{curved:?}");
    }
}
