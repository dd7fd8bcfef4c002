//! Several flames: how hot they are over the scalar dissipation rate. The burning branch ends where the flame goes out; from mixed
//! gas on, with falling rates, the other one ends where it ignites.

use super::{Drawn, Flame, SHOWN};
use crate::files::output;
use crate::picture::chart::{self, Axis, Chart, Series};
use crate::terminal::Columns;
use crate::words::fixed;
use kinlane::Mechanism;
use std::fmt::Write;

/// The largest mole fraction of every species in a flame.
fn largest(flame: &Flame) -> Vec<f64> {
    let mut most = vec![0.0_f64; flame.places[0].x.len()];
    for place in &flame.places {
        most.iter_mut().zip(&place.x).for_each(|(most, x)| *most = most.max(*x));
    }
    most
}

/// A row for each flame.
pub fn csv(mechanism: &Mechanism, flames: &[Flame]) -> String {
    let rows = flames.iter().map(|flame| {
        let ([z, t], at_rest) = (flame.hottest, u8::from(flame.at_rest));
        (format!("{:e},{z},{t},{:e},{at_rest}", flame.chi, flame.t), largest(flame))
    });
    output::csv_gases("chi_1_s,z_hottest,T_hottest_K,t_s,at_rest", mechanism.species_names(), rows)
}

/// A line for each flame.
pub fn table(mechanism: &Mechanism, flames: &[Flame]) -> String {
    let fractions: Vec<Vec<f64>> = flames.iter().map(largest).collect();
    let columns = Columns::new(mechanism, &fractions, SHOWN);
    let mut text = format!("{:>11} {:>9} {:>9}{}", "chi (1/s)", "z", "T (K)", columns.heads());
    for (flame, x) in flames.iter().zip(&fractions) {
        let [z, t] = flame.hottest;
        let _ = write!(text, "\n{:>11.4e} {:>9} {:>9}{}", flame.chi, fixed(z, 4), fixed(t, 1), columns.row(x));
    }
    text.push_str("\nthe hottest points; the largest mole fractions in each flame");
    text
}

/// The hottest T, or the largest mole fractions, over the dissipation rate.
pub fn chart(drawn: &Drawn<'_>, flames: &[Flame]) -> Chart {
    let at = |value: &dyn Fn(&Flame) -> f64| flames.iter().map(|flame| (flame.chi, value(flame))).collect();
    let (series, legend) = match drawn.shown {
        [] => (vec![Series { name: "hottest".into(), points: at(&|flame| flame.hottest[1]) }], "point"),
        _ => (drawn.species(|k| at(&|flame| largest(flame)[k])), "largest"),
    };
    let label = "scalar dissipation rate at stoichiometry (1/s)".into();
    let x = Axis { label, spacing: chart::spacing(flames.iter().map(|flame| flame.chi)), low: None };
    let (subtitle, y) = (drawn.mechanism.name().to_owned(), drawn.axis(&series));
    Chart { title: drawn.title(), subtitle, x, y, legend: legend.into(), series, dots: true }
}
