//! Pictures of stirred reactors: T, or mole fractions, over the residence time, over time, or over what is swept.

use super::report::Row;
use super::sweep::Gas;
use super::{PsrArgs, row};
use crate::error::Error;
use crate::mixture::{self, Point, mole_fractions};
use crate::picture::chart::{self, Axis, Chart, Series};
use crate::swept::Swept;
use crate::words::short;
use kinlane::{Curve, Mechanism};

/// Most species in a picture, and about how many curves of them.
const DRAWN: usize = 6;
const CURVES: usize = 14;
/// What is rather along the axis, where several have as many values.
const ALONG: [Swept; 3] = [Swept::Temperature, Swept::Phi, Swept::Pressure];
/// A point that interrupts a line.
const GAP: (f64, f64) = (f64::NAN, f64::NAN);

/// A picture of one kind of reactor.
pub struct Drawn<'a> {
    pub args: &'a PsrArgs,
    pub mechanism: &'a Mechanism,
    /// Species that are drawn in place of T; none if they were not named.
    pub shown: &'a [usize],
}

impl Drawn<'_> {
    /// Whether mole fractions are drawn, not T.
    fn has_species(&self) -> bool {
        self.args.isothermal || !self.shown.is_empty()
    }

    /// The species drawn: those asked for or, of these states, the `most` largest.
    fn species(&self, fractions: &[Vec<f64>], most: usize) -> Vec<usize> {
        if self.shown.is_empty() { mixture::major(fractions, most) } else { self.shown.to_vec() }
    }

    fn name(&self, k: usize) -> String {
        self.mechanism.species_names().get(k).cloned().unwrap_or_default()
    }

    /// T over τ, with a line for every branch; branches include their common turns, so that lines meet there.
    /// Or mole fractions.
    pub fn curve(&self, inflow: &Point, curve: &Curve) -> Chart {
        let title = format!("Stirred reactor: {}", self.args.mixture.state(self.mechanism, inflow));
        if self.has_species() {
            let pieces = curve.points.chunk_by(|a, b| a.piece == b.piece);
            let pieces: Vec<Vec<Row<'_>>> = pieces.map(|piece| piece.iter().map(row).collect()).collect();
            return self.composition(title, self.residence_time(), &pieces);
        }
        let mut series = Vec::new();
        branches(&mut series, &[], curve);
        self.chart(title, self.residence_time(), "steady state", series)
    }

    /// One reactor over time.
    pub fn transient(&self, inflow: &Point, tau: f64, duration: f64, rows: &[Row<'_>]) -> Chart {
        let state = self.args.mixture.state(self.mechanism, inflow);
        let title = format!("Stirred reactor: {state}, tau = {} s", short(tau));
        let (time, scale) = chart::time(duration);
        if self.has_species() {
            let scaled = rows.iter().map(|r| Row { x: r.x * scale, ..*r }).collect();
            return self.composition(title, time, &[scaled]);
        }
        let points = rows.iter().map(|r| (r.x * scale, r.state.temperature)).collect();
        self.chart(title, time, "", vec![Series { name: String::new(), points }])
    }

    fn residence_time(&self) -> Axis {
        let spacing = chart::spacing(self.args.tau.0.iter().copied());
        Axis { label: "residence time (s)".into(), spacing, low: None }
    }

    /// A chart of T or, where species are drawn, of mole fractions.
    fn chart(&self, title: String, x: Axis, legend: &str, series: Vec<Series>) -> Chart {
        let y = match self.shown {
            _ if !self.has_species() => chart::temperatures(),
            [] => chart::mole_fractions(&series),
            _ => chart::shown_fractions(&series),
        };
        Chart { title, subtitle: self.by(), x, y, legend: legend.into(), series, dots: false }
    }

    /// The mechanism and the kind of reactor.
    fn by(&self) -> String {
        let walls = if self.args.isothermal { "constant temperature" } else { "adiabatic" };
        format!("{}, constant pressure, {walls}", self.mechanism.name())
    }

    /// A chart of mole fractions along pieces of the curve, or over time.
    fn composition(&self, title: String, x: Axis, pieces: &[Vec<Row<'_>>]) -> Chart {
        let of = |row: &Row<'_>| (row.x, mole_fractions(self.mechanism, &row.state.y));
        let gap = (f64::NAN, Vec::new());
        let rows: Vec<(f64, Vec<f64>)> = pieces.iter().flat_map(|p| p.iter().map(of).chain([gap.clone()])).collect();
        let all: Vec<Vec<f64>> = rows.iter().filter(|r| !r.1.is_empty()).map(|r| r.1.clone()).collect();
        let series = |k: usize| Series {
            name: self.name(k),
            points: rows.iter().map(|(x, all)| (*x, all.get(k).copied().unwrap_or(f64::NAN))).collect(),
        };
        let series: Vec<Series> = self.species(&all, DRAWN).into_iter().map(series).collect();
        let legend = self.legend(series.len());
        self.chart(title, x, &legend, series)
    }

    fn legend(&self, species: usize) -> String {
        match self.shown {
            [] => chart::largest(species, self.mechanism.species_count()),
            _ => "species".to_owned(),
        }
    }

    /// The swept quantity along the axis, if none has more values than there are residence times.
    fn axis(&self, times: &[f64]) -> Option<Swept> {
        let m = &self.args.mixture;
        Some(m.axis(ALONG)).filter(|axis| m.count(*axis) >= times.len())
    }

    /// Refuses a picture of a sweep with too many curves, before the work.
    pub fn drawable(&self, times: &[f64]) -> Result<(), Error> {
        let axis = self.axis(times);
        let species = if self.has_species() { self.shown.len().max(2) } else { 1 };
        self.args.mixture.drawable(axis, species * axis.map_or(1, |_| times.len()))
    }

    /// T or mole fractions over the swept quantity with the most values, or over the residence times if these
    /// are more; a curve for every combination of the others.
    pub fn sweep(&self, gases: &[Gas<'_>], times: &[f64]) -> Chart {
        let m = &self.args.mixture;
        let axis = self.axis(times);
        let only = if let [tau] = times { format!(", tau = {} s", short(*tau)) } else { String::new() };
        let title = format!("Stirred reactor: {}{only}", m.common(self.mechanism));
        let x = match axis {
            None => self.residence_time(),
            Some(Swept::Temperature) if self.args.isothermal => chart::temperatures(),
            Some(axis) => m.axis_of(axis, "temperature of the inflow (K)", "pressure (Pa)"),
        };
        let fractions: Vec<Vec<f64>> =
            gases.iter().flat_map(Gas::asked).map(|p| mole_fractions(self.mechanism, &p.state.y)).collect();
        let combinations = m.combinations(axis) * axis.map_or(1, |_| times.len());
        let most = (CURVES / combinations.max(1)).clamp(2, DRAWN);
        let species = if self.has_species() { self.species(&fractions, most) } else { Vec::new() };
        let series = match axis {
            None => self.over_times(gases, &species),
            Some(axis) => self.over(axis, gases, times.len() > 1, &species),
        };
        let legend = if species.is_empty() { "steady state".to_owned() } else { self.legend(species.len()) };
        Chart { dots: axis.is_some(), ..self.chart(title, x, &legend, series) }
    }

    /// The curves of several gases over the residence time.
    fn over_times(&self, gases: &[Gas<'_>], species: &[usize]) -> Vec<Series> {
        let mut series = Vec::new();
        for gas in gases {
            let Ok(curve) = &gas.curve else { continue };
            let gas = self.args.mixture.curve(None, gas.inflow);
            if !self.has_species() {
                branches(&mut series, &gas, curve);
            }
            for &k in species {
                let name = named([self.name(k)].into_iter().chain(gas.iter().cloned()));
                for piece in curve.points.chunk_by(|a, b| a.piece == b.piece) {
                    let x = |y: &[f64]| mole_fractions(self.mechanism, y).get(k).copied().unwrap_or(f64::NAN);
                    piece.iter().for_each(|p| chart::add(&mut series, &name, (p.tau, x(&p.state.y))));
                    chart::add(&mut series, &name, GAP);
                }
            }
        }
        series
    }

    /// The states at the residence times, of which there may be `several`, over what is swept.
    fn over(&self, axis: Swept, gases: &[Gas<'_>], several: bool, species: &[usize]) -> Vec<Series> {
        // Where no inflow has two states at a time, the curve goes on from branch to branch.
        let mixed = gases.iter().any(|gas| gas.asked().any(|p| gas.asked().filter(|q| q.tau == p.tau).count() > 1));
        let mut series = Vec::new();
        for gas in gases {
            for p in gas.asked() {
                let mut curve = self.args.mixture.curve(Some(axis), gas.inflow);
                curve.extend(several.then(|| format!("{} s", short(p.tau))));
                curve.extend(mixed.then(|| p.branch.word().to_owned()));
                let x = axis.of(gas.inflow);
                if !self.has_species() {
                    chart::add(&mut series, &named(curve.iter().cloned()), (x, p.state.temperature));
                }
                let fractions = mole_fractions(self.mechanism, &p.state.y);
                for &k in species {
                    let name = named([self.name(k)].into_iter().chain(curve.iter().cloned()));
                    chart::add(&mut series, &name, (x, fractions.get(k).copied().unwrap_or(f64::NAN)));
                }
            }
        }
        let mut places: Vec<f64> = gases.iter().map(|gas| axis.of(gas.inflow)).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        series.iter_mut().for_each(|s| interrupt(s, &places));
        series
    }
}

/// Orders a curve, and interrupts it where it has no state at one of the places.
fn interrupt(series: &mut Series, places: &[f64]) {
    series.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let place = |x: f64| places.partition_point(|p| *p < x);
    let apart = |a: f64, b: f64| place(b) > place(a) + 1;
    let lines = series.points.chunk_by(|a, b| !apart(a.0, b.0));
    series.points = lines.flat_map(|line| line.iter().copied().chain([GAP])).collect();
}

/// Adds T over τ of the branches of a curve. A branch may have several lines.
fn branches(series: &mut Vec<Series>, gas: &[String], curve: &Curve) {
    for piece in curve.points.chunk_by(|a, b| a.piece == b.piece) {
        let mut last = None;
        for line in piece.chunk_by(|a, b| a.branch == b.branch) {
            let Some(branch) = line.first().map(|p| p.branch.word().to_owned()) else { continue };
            let name = named(gas.iter().cloned().chain([branch]));
            let points = last.into_iter().chain(line).map(|p| (p.tau, p.state.temperature)).chain([GAP]);
            points.for_each(|point| chart::add(series, &name, point));
            last = line.last();
        }
    }
}

/// The name of a curve.
fn named(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}
