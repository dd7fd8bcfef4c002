//! Delays in words and numbers: report, tables, picture.

use super::delays::Delays;
use super::sensitivity::Sensitivities;
use super::{IgniteArgs, Request, faint};
use crate::commands::ending::{JsonReport, Subject};
use crate::files::output;
use crate::mixture::Point;
use crate::picture::chart::{self, Axis, Chart, Series, Spacing};
use crate::swept::Swept;
use crate::words::{fixed, short};
use kinlane::mech::network::ATMOSPHERE;
use kinlane::{Advance, Delay, Layout, Mechanism, Options, Points};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Number of lines of the table on a terminal; all of them are in the CSV file.
const LINES: usize = 40;

#[derive(Serialize)]
pub struct Report<'a> {
    #[serde(flatten)]
    work: JsonReport<'a>,
    delays: Vec<String>,
    /// T \[K\], P \[Pa\], phi of every cell, and its delays \[s\]; null if there is none.
    points: Vec<Row>,
    /// Sensitivities of the delays to rate constants, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitivity: Option<&'a Sensitivities>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "T")]
    t: f64,
    #[serde(rename = "P")]
    p: f64,
    phi: Option<f64>,
    delay: Vec<Option<f64>>,
    /// Whether half of an initial species is consumed at the end.
    reacted: bool,
}

/// The JSON report.
pub fn json<'a>(d: &'a Delays<'_>, options: &'a Options, sensitivity: Option<&'a Sensitivities>) -> Report<'a> {
    let r = d.asked;
    let row = |(i, p): (usize, &Point)| Row {
        t: p.t,
        p: p.p,
        phi: p.phi,
        delay: (0..r.delays.len()).map(|e| d.at(i, e)).collect(),
        reacted: d.reacted.get(i) == Some(&true),
    };
    Report {
        work: Subject::from(&r.mechanism).json(options, &d.followed.report),
        delays: r.delays.iter().map(ToString::to_string).collect(),
        points: r.points.iter().enumerate().map(row).collect(),
        sensitivity,
    }
}

/// One line per cell.
pub fn csv(d: &Delays<'_>) -> String {
    let Request { delays, points, .. } = d.asked;
    let mut text = String::from("T0_K,P0_Pa,phi");
    delays.iter().for_each(|e| text.push_str(&format!(",{}", output::csv_field(&format!("{e} (s)")))));
    text.push('\n');
    for (i, p) in points.iter().enumerate() {
        let phi = p.phi.map_or_else(String::new, |phi| phi.to_string());
        let _ = write!(text, "{},{},{phi}", p.t, p.p);
        for e in 0..delays.len() {
            text.push(',');
            if let Some(t) = d.at(i, e) {
                let _ = write!(text, "{t:e}");
            }
        }
        text.push('\n');
    }
    text
}

/// The table for a terminal.
pub fn table(d: &Delays<'_>) -> String {
    let Request { delays, points, .. } = d.asked;
    let mut text = format!("{:>9} {:>12} {:>8}", "T0 (K)", "P0 (Pa)", "phi");
    delays.iter().for_each(|e| text.push_str(&format!(" {:>16}", format!("{e} (s)"))));
    for (i, p) in points.iter().enumerate().take(LINES) {
        let phi = p.phi.map_or_else(|| "-".to_owned(), |phi| format!("{phi:.4}"));
        let _ = write!(text, "\n{:>9} {:>12.5e} {phi:>8}", fixed(p.t, 2), p.p);
        for e in 0..delays.len() {
            let delay = d.at(i, e).map_or_else(|| "none".to_owned(), |t| format!("{t:.6e}"));
            let _ = write!(text, " {delay:>16}");
        }
    }
    if points.len() > LINES {
        let _ = write!(text, "\n... and {} more; --csv FILE writes all", points.len() - LINES);
    }
    text
}

/// Lines about cells that did not fail but lack delays before the end: about those that do not ignite, and
/// about those that react without the requested event; and about those that have delays but have hardly reacted.
pub fn without(args: &IgniteArgs, d: &Delays<'_>) -> Vec<String> {
    let Request { delays, points, imposed, .. } = d.asked;
    let (all, end) = (points.len(), args.end());
    let (mut cold, mut early, mut reacted) = (Vec::new(), Vec::new(), BTreeMap::<Vec<usize>, Vec<usize>>::new());
    let of = |cells: &[usize]| match cells.len() == all {
        true => String::new(),
        false => format!("in {} of {all} cells, ", cells.len()),
    };
    for i in (0..all).filter(|&i| d.failed.get(i) != Some(&true)) {
        let lacks: Vec<usize> = (0..delays.len()).filter(|&e| d.at(i, e).is_none()).collect();
        let is_left = d.reacted.get(i) != Some(&true);
        if is_left && delays.iter().enumerate().any(|(e, delay)| is_peak(delay) && d.at(i, e).is_some()) {
            early.push(i);
        } else if !lacks.is_empty() && lacks.len() == delays.len() && is_left {
            cold.push(i);
        } else if !lacks.is_empty() {
            reacted.entry(lacks).or_default().push(i);
        }
    }
    let mut lines = Vec::new();
    if let Some(first) = cold.first().and_then(|&i| points.get(i)) {
        let of = if cold.len() == all { String::new() } else { format!(" of {} of {all} cells", cold.len()) };
        lines.push(format!("no ignition{of} within {} s (--end-time)", short(end)));
        if is_still(&d.asked.mechanism, first) {
            lines
                .push(format!("at {} K no reaction proceeds: each needs a species that the gas lacks", short(first.t)));
        }
    }
    if !early.is_empty() {
        lines.push(format!(
            "{}more than half of everything is left at {} s (--end-time): what was found there may be an early rise and \
             no ignition",
            of(&early),
            short(end)
        ));
    }
    for (lacks, cells) in reacted {
        let of = of(&cells);
        let first = cells.first().copied().unwrap_or_default();
        let mut others = Vec::new();
        for e in lacks {
            match faint::why(args, d.asked, first, e) {
                Some(why) => lines.push(format!("{of}{why}")),
                None => others.extend(delays.get(e).cloned()),
            }
        }
        if !others.is_empty() {
            lines.push(format!("{of}{}", lacking(&others, end, imposed.holds_t())));
        }
    }
    lines
}

/// \[K\]
const HOT: f64 = 2000.0;

/// Whether nothing changes in a gas, for each reaction needs a species that is absent: even where it is hot and dense, and no rate
/// is too small for a number.
fn is_still(mechanism: &Mechanism, gas: &Point) -> bool {
    let mut wdot = vec![0.0; mechanism.species_count()];
    let at = Points::new(&[HOT], &[ATMOSPHERE], &gas.y, Layout::CellMajor);
    let known = Advance::builder(mechanism).threads(1).plan().is_ok_and(|mut s| s.rates(at, &mut wdot, None).is_ok());
    known && wdot.iter().all(|w| *w == 0.0)
}

fn is_peak(delay: &Delay) -> bool {
    matches!(delay, Delay::Steepest(_) | Delay::Maximum(_))
}

/// Reports that these delays were not found before the end \[s\] although the gas has reacted, and what to
/// ask for instead. `held`: whether its temperature is held constant.
pub fn lacking(delays: &[Delay], end: f64, held: bool) -> String {
    let names: Vec<String> = delays.iter().map(ToString::to_string).collect();
    let why = match (delays.iter().any(is_peak), delays.iter().all(is_peak)) {
        (true, true) => "no peak after t = 0, or still rising",
        (false, _) => "not reached, or where the gas begins",
        _ => "no peak after t = 0, still rising, not reached, or where the gas begins",
    };
    let steepest = |d: &Delay| matches!(d, Delay::Steepest(x) if x == "T");
    let instead = match delays.iter().any(steepest) {
        _ if held => "T is held: try a species, as --delay 'max OH' or dOH/dt",
        true => "try --delay T+400, or another marker",
        false => "try --delay dT/dt",
    };
    let was = if names.len() == 1 { "was" } else { "were" };
    format!("{} {was} not found within {} s (--end-time): {why}; {instead}", names.join(", "), short(end))
}

/// Delays over the swept quantity (1000/T, or phi, or P), with a curve for every combination of the others.
pub fn delays(args: &IgniteArgs, d: &Delays<'_>) -> Chart {
    let Request { delays, points, .. } = d.asked;
    let m = &args.mixture;
    let axis = args.axis();
    let mut series: Vec<Series> = Vec::new();
    for (i, p) in points.iter().enumerate() {
        for (e, delay) in delays.iter().enumerate() {
            // What does not happen interrupts the line, and has its place on the axis.
            let t = d.at(i, e).unwrap_or(f64::NAN);
            let mut name = m.curve(Some(axis), p);
            if delays.len() > 1 {
                name.push(delay.words());
            }
            let x = if axis == Swept::Temperature { 1000.0 / p.t } else { axis.of(p) };
            chart::add(&mut series, &name.join(", "), (x, t));
        }
    }
    series.iter_mut().for_each(|s| s.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    // A single event is named in the title, several in the legend.
    let mut subtitle = d.asked.by();
    if let [only] = &delays[..] {
        let _ = write!(subtitle, "; delay: {}", only.words());
    }
    // Cells without a delay are not visible in the picture.
    let none = (0..points.len()).filter(|&i| (0..delays.len()).all(|e| d.at(i, e).is_none())).count();
    if none > 0 {
        let _ = write!(subtitle, "; {none} of {}: none within {} s", points.len(), short(args.end()));
    }
    Chart {
        title: format!("Ignition delay: {}", m.common(&d.asked.mechanism)),
        subtitle,
        x: m.axis_of(axis, "1000 K / T", "pressure (Pa)"),
        y: Axis { label: "ignition delay (s)".into(), spacing: Spacing::Log, low: None },
        legend: String::new(),
        series,
        dots: true,
    }
}
