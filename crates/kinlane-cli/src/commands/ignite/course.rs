//! The only cell over time: a table, and pictures up to a little behind its delay.

use super::delays::Delays;
use super::{IgniteArgs, Request, options};
use crate::error::Error;
use crate::files::output::{self, Outputs};
use crate::mixture::{self, mole_fractions};
use crate::picture;
use crate::picture::chart::{self, Axis, Chart, Series, Spacing};
use kinlane::units::rounded;
use kinlane::{Event, Happening, Quantity};
use std::path::{Path, PathBuf};

/// Number of equally spaced times in a time series.
const TIMES: usize = 1501;
/// Decades of denser times before and after an event, and number of times per decade.
const NEAR: (i32, i32) = (6, 16);
/// Number of delays over which a picture extends, and a time series without a given end.
const BEYOND: f64 = 2.0;

/// Writes what was asked for of it.
pub fn write(args: &IgniteArgs, found: &Delays<'_>, outputs: &mut Outputs) -> Result<(), Error> {
    if args.series.is_none() && args.picture.is_none() {
        return Ok(());
    }
    let r = found.asked;
    let close = match found.at(0, 0) {
        Some(t) => (BEYOND * t).min(args.end()),
        None => reach(args, r)?,
    };
    let delays = || (0..r.delays.len()).filter_map(|e| found.at(0, e));
    let course = |end| series(args, r, 0, end, delays());
    if let Some(path) = &args.series {
        let (times, series) = course(args.end_time.unwrap_or(close))?;
        outputs.text(path, &csv(r, &times, &series))?;
    }
    if let Some(path) = &args.picture {
        let (times, series) = course(close)?;
        for (path, chart) in charts(path, args, r, &times, &series) {
            picture::write(outputs, &path, &chart.svg())?;
        }
    }
    Ok(())
}

/// Where pictures without a delay end \[s\]: a little behind the steepest rise of the temperature, or where the only cell fails.
fn reach(args: &IgniteArgs, r: &Request) -> Result<f64, Error> {
    let mut states = mixture::states(&r.points, &r.mechanism)?;
    let mut solver = r.imposed.solver(&r.mechanism, &options(args, &r.imposed), &args.run, 1)?;
    let event = Event { quantity: Quantity::Temperature, happening: Happening::SteepestRise };
    let followed = r.imposed.advance(&mut solver, &mut states, args.end(), &[], &[event])?;
    let steepest = followed.found.first().copied().filter(|t| t.is_finite()).map(|t| BEYOND * t);
    let failed = states.failures().map(|(_, outcome)| outcome.t).find(|t| *t > 0.0);
    Ok(steepest.or(failed).unwrap_or(f64::INFINITY).min(args.end()))
}

/// Times up to `end` \[s\] for drawing a course: equally spaced ones, and others around every delay and from
/// the start on, which are denser the closer they are; so an ignition in the first thousandth is visible as
/// well.
fn times(end: f64, delays: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let near = || (0..=NEAR.1 * NEAR.0).map(|i| 10f64.powf(-(f64::from(i) / f64::from(NEAR.1))));
    let mut all: Vec<f64> = (0..TIMES).map(|i| end * i as f64 / (TIMES - 1) as f64).collect();
    all.extend(near().map(|part| part * end));
    for delay in delays {
        all.push(delay);
        all.extend(near().map(|part| delay * (1.0 - part)));
        all.extend(near().map(|part| (end - delay).mul_add(part, delay)));
    }
    all.retain(|t| (0.0..=end).contains(t));
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// The times up to `end` \[s\], denser around `delays`, and the states of a cell at these: T, P, mass fractions.
pub fn series(
    args: &IgniteArgs,
    r: &Request,
    cell: usize,
    end: f64,
    delays: impl IntoIterator<Item = f64>,
) -> Result<(Vec<f64>, Vec<f64>), Error> {
    let mut states = mixture::states(r.points.get(cell..=cell).unwrap_or_default(), &r.mechanism)?;
    let times = times(end, delays);
    let mut solver = r.imposed.solver(&r.mechanism, &options(args, &r.imposed), &args.run, 1)?;
    let followed = r.imposed.advance(&mut solver, &mut states, end, &times, &[])?;
    Ok((times, followed.series))
}

/// T, P and mole fractions over time.
fn csv(r: &Request, times: &[f64], series: &[f64]) -> String {
    let Request { mechanism, shown, .. } = r;
    let all: Vec<usize> = (0..mechanism.species_count()).collect();
    let shown = if shown.is_empty() { &all } else { shown };
    let names = shown.iter().filter_map(|&k| mechanism.species_names().get(k));
    // A cell that stops early has no states behind that.
    let states = series.chunks(mechanism.species_count() + 2).take_while(|row| row.iter().all(|x| !x.is_nan()));
    let rows = times.iter().zip(states).filter_map(|(t, row)| {
        let [temperature, p, y @ ..] = row else { return None };
        let x = mole_fractions(mechanism, y);
        let shown = shown.iter().map(|&k| x.get(k).copied().unwrap_or(f64::NAN)).collect();
        // At constant volume p follows from the density, and its last digits are of rounding.
        Some((format!("{t:e},{temperature},{}", rounded(*p)), shown))
    });
    output::csv_gases("t_s,T_K,P_Pa", names, rows)
}

/// The course of one cell: T; the pressure if a history is imposed; and, in a separate picture, the mole
/// fractions of the requested species.
fn charts(path: &Path, args: &IgniteArgs, r: &Request, times: &[f64], series: &[f64]) -> Vec<(PathBuf, Chart)> {
    let Request { mechanism, imposed, shown, .. } = r;
    let (time, scale) = chart::time(times.last().copied().unwrap_or_default());
    let rows = || times.iter().map(|t| t * scale).zip(series.chunks(mechanism.species_count() + 2));
    let chart = |y: Axis, legend: &str, series| Chart {
        title: format!("Ignition: {}", args.gas(r)),
        subtitle: r.by(),
        x: time.clone(),
        y,
        legend: legend.into(),
        series,
        dots: false,
    };
    let scalar = |column: usize, unit: f64| {
        let points = rows().filter_map(|(t, row)| Some((t, row.get(column)? / unit))).collect();
        vec![Series { name: String::new(), points }]
    };
    let mut all = vec![(path.to_owned(), chart(chart::temperatures(), "", scalar(0, 1.0)))];
    if imposed.any() {
        let axis = Axis { label: "pressure (bar)".into(), spacing: Spacing::Linear, low: None };
        let picture = chart(axis, "", scalar(1, 1e5));
        all.push((output::beside(path, "pressure"), picture));
    }
    if !shown.is_empty() {
        let course = |&k: &usize| Series {
            name: mechanism.species_names().get(k).map_or("", |n| n).to_owned(),
            points: rows()
                .filter_map(|(t, row)| Some((t, mole_fractions(mechanism, row.get(2..)?).get(k).copied()?)))
                .collect(),
        };
        let series: Vec<Series> = shown.iter().map(course).collect();
        all.push((output::beside(path, "species"), chart(chart::shown_fractions(&series), "species", series)));
    }
    all
}
