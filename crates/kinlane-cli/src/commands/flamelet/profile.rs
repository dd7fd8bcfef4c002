//! One flame: what is where along the mixture fraction.

use super::{Flame, FlameletArgs, Place, SHOWN};
use crate::files::output;
use crate::picture::chart::{self, Axis, Chart, Series, Spacing};
use crate::terminal::{Columns, some_of};
use crate::values::Pressure;
use crate::words::{fixed, short};
use kinlane::{Flamelet, Mechanism};
use std::fmt::Write;

/// Lines of the table on a terminal.
const LINES: usize = 20;
/// Profiles of the picture.
const PROFILES: usize = 6;

/// T over the points at a time.
#[derive(Debug)]
pub struct Profile {
    t: f64,
    temperature: Vec<f64>,
}

impl Profile {
    /// That of a flame now.
    pub fn of(flame: &Flamelet) -> Self {
        Self { t: flame.time(), temperature: flame.temperature().to_vec() }
    }
}

/// As many as a picture shows, evenly chosen, the first and the last among them.
pub fn drawn(mut profiles: Vec<Profile>) -> Vec<Profile> {
    let last = profiles.len() - 1;
    let chosen: Vec<usize> = (0..PROFILES).map(|i| i * last / (PROFILES - 1)).collect();
    let mut i = 0;
    profiles.retain(|_| {
        i += 1;
        chosen.contains(&(i - 1))
    });
    profiles
}

/// A row for each place.
pub fn csv(mechanism: &Mechanism, flame: &Flame) -> String {
    let rows = flame.places.iter().map(|Place { z, chi, t, x }| (format!("{z},{chi:e},{t}"), x.clone()));
    output::csv_gases("z,chi_1_s,T_K", mechanism.species_names(), rows)
}

/// Some of the places.
pub fn table(mechanism: &Mechanism, flame: &Flame) -> String {
    let fractions: Vec<Vec<f64>> = flame.places.iter().map(|place| place.x.clone()).collect();
    let columns = Columns::new(mechanism, &fractions, SHOWN);
    let mut text = format!("{:>10} {:>9}{}", "z", "T (K)", columns.heads());
    for place in some_of(&flame.places, LINES) {
        let _ = write!(text, "\n{:>10} {:>9}{}", fixed(place.z, 5), fixed(place.t, 1), columns.row(&place.x));
    }
    text
}

/// T over the mixture fraction, a line for each time.
pub fn chart(args: &FlameletArgs, mechanism: &Mechanism, flame: &Flame, p: f64) -> Chart {
    let series = flame.profiles.iter().map(|profile| {
        // Oxidizer and fuel stay as they are.
        let mut points: Vec<(f64, f64)> = flame.places.iter().map(|place| (place.z, place.t)).collect();
        points[1..].iter_mut().zip(&profile.temperature).for_each(|(point, t)| point.1 = *t);
        Series { name: format!("{:.1e} s", profile.t), points }
    });
    let subtitle = format!("{}, dissipation rate {} 1/s at stoichiometry", mechanism.name(), short(flame.chi));
    let x = Axis { label: "mixture fraction".into(), spacing: Spacing::Linear, low: Some(0.0) };
    let (title, y) = (title(args, p), chart::temperatures());
    Chart { title, subtitle, x, y, legend: "time".into(), series: series.collect(), dots: false }
}

/// Of a picture.
pub fn title(args: &FlameletArgs, p: f64) -> String {
    let text = |c: &Option<crate::mixture::Composition>| c.as_ref().map(ToString::to_string).unwrap_or_default();
    format!("Flamelet: {} and {}, {}", text(&args.mixture.fuel), text(&args.mixture.oxidizer), Pressure(p))
}
