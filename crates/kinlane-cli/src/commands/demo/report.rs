//! The output of the demonstration: a page, pictures and a table.

use super::reference::{Deviation, FLOOR, Reference};
use super::{Fates, Kept, RADICALS};
use crate::commands::ending;
use crate::error::Error;
use crate::files::output::Outputs;
use crate::picture;
use crate::picture::chart::{Axis, Chart, Series, Spacing};
use kinlane::{Advance, Report, USUAL_ATOL};
use std::fmt::Write;
use std::path::Path;

/// All data of the page.
pub struct Facts<'a> {
    /// Cells in the batch.
    pub cells: usize,
    /// Cells times sub-steps.
    pub total: usize,
    /// The solver that was used.
    pub solver: &'a Advance,
    /// The reference for the comparison.
    pub reference: &'a Reference,
    /// What all sub-steps have cost together.
    pub sums: &'a Report,
    /// Fates of the cells.
    pub fates: &'a Fates,
    /// Deviations from the reference.
    pub errors: &'a [Deviation],
}

/// The page, in Markdown.
pub fn page(f: &Facts<'_>) -> String {
    let (s, per) = (f.sums, |n: u64| n as f64 / f.total.max(1) as f64);
    let rate = f.total as f64 / s.seconds.max(1e-9);
    let rows = [
        (
            "cells",
            format!(
                "{} ({} stay cold, {} ignite, {} burnt out)",
                f.cells, f.fates.cold, f.fates.igniting, f.fates.burnt
            ),
        ),
        ("each advanced by", format!("{} x {:.0} us", f.reference.steps, f.reference.interval * 1e6)),
        ("integration", format!("{:.2} s wall, {:.2} s CPU", s.seconds, s.cpu_seconds)),
        ("speed", format!("{rate:.0} sub-steps of cells/s")),
        (
            "method",
            format!(
                "{}, rtol {:.0e}, atol {:.0e}",
                f.solver.method(),
                f.solver.options().rtol,
                f.solver.options().atol.unwrap_or(USUAL_ATOL)
            ),
        ),
        ("on", ending::place(s)),
        (
            "steps per sub-step",
            format!("{:.2} mean, {} most, {:.2} rejected", per(s.steps), s.steps_per_cell.max, per(s.rejected)),
        ),
        (
            "per sub-step",
            format!(
                "{:.1} right-hand sides, {:.2} Jacobians, {:.2} factorisations",
                per(s.rhs),
                per(s.jac),
                per(s.factor)
            ),
        ),
        ("failed", s.failed.to_string()),
    ];
    let mut text = String::from(
        "# kinlane demo\n\nMethane and air at one atmosphere and constant pressure with GRI-Mech 3.0, entry temperatures \
         from 300 to 1900 K and equivalence ratios from 0.5 to 2, advanced in sub-steps as a flow solver would.\n\n\
         | what | value |\n|---|---|\n",
    );
    for (what, value) in rows {
        let _ = writeln!(text, "| {what} | {value} |");
    }
    let _ = writeln!(
        text,
        "\nRelative deviation from {} stored trajectories (Cantera at rtol 1e-11), over all their times; mass fractions \
         below {FLOOR:e} count as that:\n\n\
         | quantity | median | largest |\n|---|---|---|",
        f.reference.cells.len()
    );
    for e in f.errors {
        let _ = writeln!(text, "| {} | {:.1e} | {:.1e} |", e.name, e.median, e.max);
    }
    text
}

/// The page for a terminal: tables without vertical bars.
pub fn plain(page: &str) -> String {
    let lines = page.lines().filter(|l| !l.starts_with("|---") && !l.starts_with('#') && *l != "| what | value |");
    let plain = lines.map(|l| match l.strip_prefix("| ") {
        None => l.to_owned(),
        Some(row) => {
            let mut cells = row.trim_end_matches(" |").split(" | ");
            let head = format!("  {:18}", cells.next().unwrap_or_default());
            cells.fold(head, |line, c| format!("{line} {c:9}")).trim_end().to_owned()
        }
    });
    plain.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Writes the page, the pictures and the trajectories.
pub fn write_all(folder: &Path, page: &str, kept: &[Kept], reference: &Reference) -> Result<(), Error> {
    let charts = [("temperature", temperature(kept, reference)), ("radicals", radicals(kept, reference))];
    let (mut outputs, mut page) = (Outputs::default(), page.to_owned());
    for (name, chart) in charts {
        let svg = chart.svg();
        for kind in ["svg", "png"] {
            picture::write(&mut outputs, &folder.join(name).with_extension(kind), &svg)?;
        }
        let _ = write!(page, "\n![{}]({name}.svg)\n", chart.title);
    }
    page.push_str("\nThe curves as numbers: [trajectories.csv](trajectories.csv).\n");
    outputs.text(&folder.join("trajectories.csv"), &csv(kept, reference))?;
    outputs.text(&folder.join("index.md"), &page)?;
    outputs.commit()
}

/// Points with times in milliseconds.
fn curve(values: &[f64], reference: &Reference) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(i, v)| (i as f64 * reference.interval * 1e3, *v)).collect()
}

/// The mechanism and the equations, for titles.
const BY: &str = "GRI-Mech 3.0, constant pressure";

fn time() -> Axis {
    Axis { label: "time (ms)".into(), spacing: Spacing::Linear, low: Some(0.0) }
}

fn temperature(kept: &[Kept], reference: &Reference) -> Chart {
    let stoichiometric = kept.iter().filter(|k| k.phi == 1.0);
    Chart {
        title: "Ignition of stoichiometric methane and air at 1 atm".into(),
        subtitle: BY.into(),
        x: time(),
        y: Axis { label: "temperature (K)".into(), spacing: Spacing::Linear, low: None },
        legend: "entry temperature".into(),
        series: stoichiometric
            .map(|k| Series { name: format!("{:.0} K", k.t0), points: curve(&k.temperature, reference) })
            .collect(),
        dots: false,
    }
}

fn radicals(kept: &[Kept], reference: &Reference) -> Chart {
    let shown = kept.iter().find(|k| k.phi == 1.0 && k.t0 == 1600.0).or(kept.first());
    let curves = shown.map(|k| &k.radicals[..]).unwrap_or_default();
    let entry = shown.map_or(f64::NAN, |k| k.t0);
    Chart {
        title: format!("Radicals during ignition, entry temperature {entry:.0} K"),
        subtitle: BY.into(),
        x: time(),
        y: Axis { label: "mass fraction".into(), spacing: Spacing::Log, low: Some(1e-8) },
        legend: "species".into(),
        series: RADICALS
            .iter()
            .zip(curves)
            .map(|(name, c)| Series { name: (*name).to_owned(), points: curve(c, reference) })
            .collect(),
        dots: false,
    }
}

fn csv(kept: &[Kept], reference: &Reference) -> String {
    let mut text = String::from("T0 [K],phi,t [s],T [K],Y_OH,Y_H,Y_O\n");
    for k in kept {
        let [oh, h, o] = &k.radicals;
        for (i, (((t, oh), h), o)) in k.temperature.iter().zip(oh).zip(h).zip(o).enumerate() {
            let at = i as f64 * reference.interval;
            let _ = writeln!(text, "{},{},{at:.6e},{t:.6},{oh:.6e},{h:.6e},{o:.6e}", k.t0, k.phi);
        }
    }
    text
}
