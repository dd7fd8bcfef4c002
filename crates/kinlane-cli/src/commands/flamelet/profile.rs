//! One flame: what is where along the mixture fraction.

use super::{Drawn, Flame, Place, SHOWN};
use crate::files::output;
use crate::picture::chart::{Axis, Chart, Series, Spacing};
use crate::terminal::{Columns, some_of};
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

/// T over the mixture fraction, a line for each time; or mole fractions at the end.
pub fn chart(drawn: &Drawn<'_>, flame: &Flame) -> Chart {
    let at = |value: &dyn Fn(&Place) -> f64| flame.places.iter().map(|place| (place.z, value(place))).collect();
    let of_t = |profile: &Profile| {
        // Oxidizer and fuel stay as they are.
        let mut points: Vec<(f64, f64)> = at(&|place| place.t);
        points[1..].iter_mut().zip(&profile.temperature).for_each(|(point, t)| point.1 = *t);
        Series { name: format!("{:.1e} s", profile.t), points }
    };
    let (series, legend) = match drawn.shown {
        [] => (flame.profiles.iter().map(of_t).collect(), "time"),
        _ => (drawn.species(|k| at(&|place| place.x[k])), "species"),
    };
    let subtitle = format!("{}, dissipation rate {} 1/s at stoichiometry", drawn.mechanism.name(), short(flame.chi));
    let x = Axis { label: "mixture fraction".into(), spacing: Spacing::Linear, low: Some(0.0) };
    let y = drawn.axis(&series);
    Chart { title: drawn.title(), subtitle, x, y, legend: legend.into(), series, dots: false }
}
