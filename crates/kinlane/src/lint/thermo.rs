//! Thermodynamics: ranges, jumps between polynomials, heat capacities.
//!
//! The polynomials are examined as the file has them, each range over its own temperatures, even where the
//! solver holds heat capacities constant.

use crate::Mechanism;
use kinlane_mech::network::{Species, ThermoForm};
use kinlane_mech::{Diagnostic, codes};
use kinlane_plan::Polynomials;

/// A jump of cp, h or s by more than this part gets a warning.
const JUMP: f64 = 0.01;
/// A jump by more than this part gets a note.
const SLIGHT: f64 = 0.001;
/// The size of a jump by more than this factor means nothing.
const MANY: f64 = 1000.0;
/// Temperature range \[K\] that a combustion mechanism should cover.
const NEEDED: [f64; 2] = [300.0, 2500.0];
/// Temperature steps \[K\] at which heat capacities are examined.
const STEP: f64 = 50.0;
/// Largest cp over R per atom of a molecule, with a margin: each atom has 3 from vibration.
const MOST_PER_ATOM: f64 = 4.0;

/// Ranges are not examined above this temperature \[K\].
const HOTTEST: f64 = 20_000.0;
/// A heat capacity over R below this is no reference for jumps.
const LEAST: f64 = 0.5;

pub fn check(mechanism: &Mechanism) -> Vec<Diagnostic> {
    let species: Vec<(&Species, Polynomials)> =
        mechanism.network().species.iter().map(|s| (s, Polynomials::new(s))).collect();
    let mut found = Vec::new();
    let mut all = Vec::new();
    species.iter().for_each(|(s, p)| jumps(s, p, &mut all));
    all.sort_by(|(t, _), (other, _): &(f64, Diagnostic)| t.total_cmp(other));
    found.extend(all.into_iter().map(|(_, d)| d));
    species.iter().for_each(|(s, _)| range(s, &mut found));
    species.iter().for_each(|(s, p)| capacity(s, p, &mut found));
    found
}

/// Temperature limits of every range \[K\], ascending.
fn limits(s: &Species) -> Vec<[f64; 2]> {
    match &s.thermo.form {
        ThermoForm::Nasa7(r) | ThermoForm::Shomate(r) => r.iter().map(|r| [r.low, r.high]).collect(),
        ThermoForm::Nasa9(r) => r.iter().map(|r| [r.low, r.high]).collect(),
        ThermoForm::ConstantCp { range, .. } => vec![*range],
    }
}

/// Adds the findings on a species' jumps, with their temperatures.
fn jumps(s: &Species, polynomials: &Polynomials, found: &mut Vec<(f64, Diagnostic)>) {
    for (upper, limits) in limits(s).into_iter().enumerate().skip(1) {
        let t = limits[0];
        let (Some(below), Some(above)) = (polynomials.at(upper - 1, t), polynomials.at(upper, t)) else { continue };
        // Relative to cp T and cp, which do not depend on the reference states of energy and entropy.
        let cp = [below[0], above[0]].into_iter().find(|cp| cp.is_finite() && cp.abs() >= LEAST).unwrap_or(1.0);
        let parts: Vec<(&str, f64)> = ["cp", "h", "s"]
            .into_iter()
            .zip(below.iter().zip(&above))
            .map(|(name, (a, b))| (name, (b - a) / cp))
            .filter(|(_, jump)| jump.is_nan() || jump.abs() > SLIGHT)
            .collect();
        if parts.is_empty() {
            continue;
        }
        let shown: Vec<String> = parts
            .iter()
            .map(|&(name, jump)| {
                let unit = if name == "h" { "cp T" } else { "cp" };
                match (name, jump.abs()) {
                    ("cp", _) if below[0] == 0.0 => "cp is 0 below".to_owned(),
                    ("cp", _) if above[0] == 0.0 => "cp is 0 above".to_owned(),
                    (_, size) if size < MANY => format!("{name} by {:+.2} % of {unit}", 100.0 * jump),
                    _ => format!("{name} by more than a thousandfold of {unit}"),
                }
            })
            .collect();
        let mut d = Diagnostic::warning(
            codes::THERMO_JUMP,
            format!("thermo of `{}` jumps at {t} K: {}", s.name, shown.join(", ")),
        )
        .at(s.thermo.at, "the ranges of this do not meet")
        .help("fit the ranges together, or take the species from a newer source");
        if parts.iter().all(|(_, jump)| jump.abs() <= JUMP) {
            d.severity = kinlane_mech::Severity::Note;
        }
        found.push((t, d));
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
        // Slightly short ranges are usual: tables start at 298.15 K, fits of large molecules end early.
        if low <= 400.0 && high >= 2000.0 {
            d.severity = kinlane_mech::Severity::Note;
        }
        found.push(d);
    }
}

/// Within every range cp must be positive, and no more than the molecule's vibrations can hold. One finding
/// per species.
fn capacity(s: &Species, polynomials: &Polynomials, found: &mut Vec<Diagnostic>) {
    let atoms: f64 = s.composition.iter().map(|c| c.1.abs()).sum();
    let wrong = |cp: f64| cp.is_nan() || cp <= 1.0 || cp > 4.0 + MOST_PER_ATOM * atoms;
    let first = limits(s).into_iter().enumerate().find_map(|(range, [low, high])| {
        let (low, high) = (low.max(STEP), high.min(HOTTEST));
        // Multiples of the step between both limits.
        let steps = (low / STEP).floor() as usize + 1..(high / STEP).ceil() as usize;
        let inside = steps.map(|i| STEP * i as f64);
        let at = std::iter::once(low).chain(inside).chain([high]).filter(|t| (low..=high).contains(t));
        at.filter_map(|t| Some((t, polynomials.at(range, t)?[0]))).find(|&(_, cp)| wrong(cp))
    });
    let Some((t, cp)) = first else { return };
    let why = if cp > 1.0 { "more than all its vibrations can hold" } else { "less than a gas can have" };
    let shown = if cp.abs() < 1e4 { format!("{cp:.3}") } else { format!("{cp:.1e}") };
    let (label, help) = match s.thermo.form {
        ThermoForm::ConstantCp { .. } if cp > 0.0 && !wrong(cp * 1e3) => (
            "a thousandth of what a gas can have",
            "is `cp0` meant per mole? Without `units` it is per kmol: write it with its unit, as 29.1 J/mol/K",
        ),
        ThermoForm::ConstantCp { .. } if cp != 0.0 => {
            ("no gas has this", "check the unit of `cp0`: a gas has 20.8 J/mol/K or more")
        }
        ThermoForm::ConstantCp { .. } => (
            "`cp0` is zero where it is not given",
            "give `cp0`; without heat capacities only cells of `--reactor fixed-t` can be advanced",
        ),
        _ => (
            "check the coefficients",
            "a coefficient may have lost its sign or its exponent, or stands in the wrong column",
        ),
    };
    found.push(
        Diagnostic::warning(codes::HEAT_CAPACITY, format!("cp of `{}` is {shown} R at {t} K, {why}", s.name))
            .at(s.thermo.at, label)
            .help(help),
    );
}
