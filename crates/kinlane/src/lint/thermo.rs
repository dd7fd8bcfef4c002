//! Thermodynamics: ranges, jumps between polynomials, heat capacities.

use crate::Mechanism;
use crate::standard::Standard;
use kinlane_mech::network::{Species, ThermoForm};
use kinlane_mech::{Diagnostic, codes};

/// A jump of cp, h or s by more than this part is a warning.
const JUMP: f64 = 0.01;
/// By more than this part, a note.
const SLIGHT: f64 = 0.001;
/// Temperatures that a combustion mechanism should hold for [K].
const NEEDED: [f64; 2] = [300.0, 2500.0];
/// Steps in temperature in which heat capacities are looked at [K].
const STEP: f64 = 50.0;
/// Largest cp of an atom's share in a molecule, over R, with room: each atom has 3 from vibration.
const MOST_PER_ATOM: f64 = 4.0;

pub fn check(mechanism: &Mechanism) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut gas = Standard::new(mechanism);
    let species = &mechanism.network().species;
    jumps(&mut gas, species, &mut found);
    for s in species {
        range(s, &mut found);
    }
    capacities(&mut gas, species, &mut found);
    found
}

/// Limits of every range, ascending.
fn limits(s: &Species) -> Vec<[f64; 2]> {
    match &s.thermo.form {
        ThermoForm::Nasa7(r) | ThermoForm::Shomate(r) => r.iter().map(|r| [r.low, r.high]).collect(),
        ThermoForm::Nasa9(r) => r.iter().map(|r| [r.low, r.high]).collect(),
        ThermoForm::ConstantCp { range, .. } => vec![*range],
    }
}

fn jumps(gas: &mut Standard, species: &[Species], found: &mut Vec<Diagnostic>) {
    let mut at: Vec<f64> = species.iter().flat_map(|s| limits(s).into_iter().skip(1).map(|l| l[0])).collect();
    at.sort_by(f64::total_cmp);
    at.dedup();
    for t in at {
        // cp/R, h/R and s/R a hair below and above.
        let mut side = |t: f64| {
            gas.set_temperature(t);
            let s: Vec<f64> = gas.enthalpy.iter().zip(&gas.gibbs).map(|(h, g)| h - g).collect();
            [gas.cp.clone(), gas.heat.clone(), s]
        };
        let (below, above) = (side(t * (1.0 - 1e-14)), side(t * (1.0 + 1e-14)));
        for (k, s) in species.iter().enumerate().filter(|(_, s)| limits(s).iter().skip(1).any(|l| l[0] == t)) {
            let cp = below[0][k];
            // Against cp T and cp, which do not depend on where energies and entropies are counted from.
            let parts: Vec<(&str, f64)> = ["cp", "h", "s"]
                .into_iter()
                .zip([cp, cp * t, cp])
                .zip(below.iter().zip(&above))
                .map(|((name, scale), (a, b))| (name, (b[k] - a[k]) / scale))
                .filter(|(_, jump)| jump.abs() > SLIGHT)
                .collect();
            if parts.is_empty() {
                continue;
            }
            let worst = parts.iter().fold(0.0, |m: f64, (_, jump)| m.max(jump.abs()));
            let units = [("cp", "cp"), ("h", "cp T"), ("s", "cp")];
            let shown: Vec<String> = parts
                .iter()
                .map(|(name, jump)| {
                    let unit = units.iter().find(|(n, _)| n == name).map_or("", |u| u.1);
                    format!("{name} by {:+.2} % of {unit}", 100.0 * jump)
                })
                .collect();
            let mut d = Diagnostic::warning(
                codes::THERMO_JUMP,
                format!("thermo of `{}` jumps at {t} K: {}", s.name, shown.join(", ")),
            )
            .at(s.thermo.at, "the ranges of this do not meet")
            .help("fit the ranges together, or take the species from a newer source");
            if worst <= JUMP {
                d.severity = kinlane_mech::Severity::Note;
            }
            found.push(d);
        }
    }
}

fn range(s: &Species, found: &mut Vec<Diagnostic>) {
    let limits = limits(s);
    let (Some(first), Some(last)) = (limits.first(), limits.last()) else { return };
    let [low, high] = [first[0], last[1]];
    if low > NEEDED[0] || high < NEEDED[1] {
        let mut d = Diagnostic::warning(
            codes::THERMO_RANGE,
            format!("thermo of `{}` holds from {low} to {high} K only", s.name),
        )
        .at(s.thermo.at, "beyond its range it is extrapolated")
        .help(format!("flames need {} to {} K", NEEDED[0], NEEDED[1]));
        // A little short is usual: tables start at 298.15 K, fits of large molecules end early.
        if low <= 400.0 && high >= 2000.0 {
            d.severity = kinlane_mech::Severity::Note;
        }
        found.push(d);
    }
}

/// cp within its range must be positive, and no more than the molecule's vibrations can hold.
fn capacities(gas: &mut Standard, species: &[Species], found: &mut Vec<Diagnostic>) {
    let span = |s: &Species| {
        let limits = limits(s);
        Some([limits.first()?[0], limits.last()?[1]])
    };
    let spans: Vec<Option<[f64; 2]>> = species.iter().map(span).collect();
    let low = spans.iter().flatten().fold(f64::MAX, |m, s| m.min(s[0])).max(STEP);
    let high = spans.iter().flatten().fold(0.0, |m: f64, s| m.max(s[1])).min(20_000.0);
    let mut first: Vec<Option<(f64, f64, bool)>> = vec![None; species.len()];
    let mut t = low;
    while t <= high {
        gas.set_temperature(t);
        for (k, (s, span)) in species.iter().zip(&spans).enumerate() {
            let atoms: f64 = s.composition.iter().map(|c| c.1.abs()).sum();
            let cp = gas.cp[k];
            let wrong = cp.is_nan() || cp <= 1.0 || cp > 4.0 + MOST_PER_ATOM * atoms;
            if wrong && first[k].is_none() && span.is_some_and(|[a, b]| (a..=b).contains(&t)) {
                first[k] = Some((t, cp, cp > 1.0));
            }
        }
        t += STEP;
    }
    for (s, first) in species.iter().zip(first) {
        let Some((t, cp, large)) = first else { continue };
        let why = if large { "more than all its vibrations can hold" } else { "less than a gas can have" };
        found.push(
            Diagnostic::warning(codes::HEAT_CAPACITY, format!("cp of `{}` is {cp:.3} R at {t} K, {why}", s.name))
                .at(s.thermo.at, "check the coefficients")
                .help("a coefficient may have lost its sign or its exponent, or stands in the wrong column"),
        );
    }
}
