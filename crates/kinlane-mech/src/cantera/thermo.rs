//! Species entries: composition and thermodynamics.

use super::input::{measure, misspelt, number, number_of, required, required_or, scope, suggestion, wrong_type};
use super::yaml::Node;
use crate::network::{ATMOSPHERE, Range, Thermo, ThermoForm};
use crate::units::{Defaults, Measure};
use crate::{Diagnostic, Span, codes};

const MODELS: &[&str] = &["NASA7", "NASA9", "Shomate", "constant-cp"];

/// Entries that are read.
const KEYS: &[&str] = &[
    "model",
    "temperature-ranges",
    "data",
    "reference-pressure",
    "T0",
    "h0",
    "s0",
    "cp0",
    "T-min",
    "T-max",
    "units",
    "note",
];

/// Advice for a species without thermodynamics.
const HELP: &str = "equilibrium and temperature follow from its coefficients: write them as `thermo: {model: NASA7, \
                    temperature-ranges: [...], data: [...]}`; where all reactions are irreversible and the temperature is \
                    held, `thermo: {model: constant-cp, h0: 0, s0: 0, cp0: 0}` will do";

/// Reads the `thermo` of a species; `None` has been reported.
pub fn thermo(species: &Node, name: &str, outer: &Defaults, found: &mut Vec<Diagnostic>) -> Option<Thermo> {
    let of = format!("species `{name}`");
    let node = required_or(species, "thermo", &of, Some(HELP), found)?;
    let defaults = scope(node, outer, found);
    let of = format!("thermo of `{name}`");
    misspelt(node, KEYS, &of, found);
    let model_node = required(node, "model", &of, found)?;
    let model = model_node.text().unwrap_or("");
    let reference_pressure = match node.get("reference-pressure") {
        Some(p) => measure(p, "`reference-pressure`", Measure::Pressure, &defaults, found).filter(|&value| {
            if value <= 0.0 {
                found.push(
                    Diagnostic::error(codes::RANGES, format!("the reference pressure of `{name}` is not positive"))
                        .at(p.at, format!("{value} Pa"))
                        .help("it is the pressure at which the entropy holds: write `1 atm`, or leave it out"),
                );
            }
            value > 0.0 || value.is_nan()
        }),
        None => Some(ATMOSPHERE),
    };
    let form = match model {
        "NASA7" => ThermoForm::Nasa7(ranges::<7>(node, &of, 2, &defaults, found)?),
        "NASA9" => ThermoForm::Nasa9(ranges::<9>(node, &of, usize::MAX, &defaults, found)?),
        "Shomate" => ThermoForm::Shomate(ranges::<7>(node, &of, 2, &defaults, found)?),
        "constant-cp" => {
            let mut get = |key: &str, what: Measure, default: f64| match node.get(key) {
                Some(n) => measure(n, &format!("`{key}`"), what, &defaults, found),
                None => Some(default),
            };
            let t0 = get("T0", Measure::Temperature, 298.15);
            let h0 = get("h0", Measure::MolarEnergy, 0.0);
            let s0 = get("s0", Measure::MolarEntropy, 0.0);
            let cp0 = get("cp0", Measure::MolarEntropy, 0.0);
            let low = get("T-min", Measure::Temperature, 0.0);
            let high = get("T-max", Measure::Temperature, f64::INFINITY);
            if t0.is_some_and(|t| t <= 0.0) {
                found.push(
                    Diagnostic::error(codes::PARAMETERS, format!("{of}: `T0` is not above zero"))
                        .at(node.get("T0").map_or(node.at, |n| n.at), "no temperature")
                        .help("it is the temperature at which `h0` and `s0` hold, in kelvin: write 298.15, or leave it out"),
                );
                return None;
            }
            ThermoForm::ConstantCp { t0: t0?, h0: h0?, s0: s0?, cp0: cp0?, range: [low?, high?] }
        }
        "piecewise-Gibbs" => {
            found.push(
                Diagnostic::error(codes::UNSUPPORTED, format!("{of}: model `{model}` is not supported"))
                    .at(model_node.at, "meant for species in solution")
                    .help(format!("known are `{}`", MODELS.join("`, `"))),
            );
            return None;
        }
        _ => {
            found.push(
                Diagnostic::error(codes::UNKNOWN_OPTION, format!("{of}: model `{model}` is not known"))
                    .at(model_node.at, "unknown")
                    .help(suggestion(model, MODELS.iter().copied())),
            );
            return None;
        }
    };
    Some(Thermo { reference_pressure: reference_pressure?, form, at: node.at })
}

fn ranges<const N: usize>(
    node: &Node,
    of: &str,
    most: usize,
    defaults: &Defaults,
    found: &mut Vec<Diagnostic>,
) -> Option<Vec<Range<N>>> {
    let (limits, data) = (required(node, "temperature-ranges", of, found), required(node, "data", of, found));
    let (limits, data) = (limits?, data?);
    let Some(items) = limits.list() else {
        found.push(wrong_type(limits, "`temperature-ranges`", "a list of temperatures"));
        return None;
    };
    let t: Vec<f64> = items
        .iter()
        .map(|n| measure(n, "a temperature", Measure::Temperature, defaults, found))
        .collect::<Option<_>>()?;
    let Some(rows) = data.list() else {
        found.push(wrong_type(data, "`data`", "a list of lists of coefficients"));
        return None;
    };
    if rows.len() > most && t.len() == rows.len() + 1 {
        found.push(
            Diagnostic::error(codes::PARAMETERS, format!("{of}: {} temperature ranges", rows.len()))
                .at(limits.at, format!("this model has at most {most}"))
                .help("keep the ranges that are needed, or fit NASA9 polynomials, which may have any number"),
        );
        return None;
    }
    if rows.is_empty() || t.len() != rows.len() + 1 {
        found.push(
            Diagnostic::error(
                codes::PARAMETERS,
                format!("{of}: {} rows of coefficients for {} temperatures", rows.len(), t.len()),
            )
            .at(data.at, "these rows")
            .at(limits.at, "these temperatures")
            .help("every range needs one row, and one temperature more than there are rows"),
        );
        return None;
    }
    let mut all = Vec::new();
    for (row, limits) in rows.iter().zip(t.windows(2)) {
        let Some(items) = row.list() else {
            found.push(wrong_type(row, "a row of `data`", "a list of coefficients"));
            return None;
        };
        let values: Vec<f64> = items.iter().map(|n| number(n, "a coefficient", found)).collect::<Option<_>>()?;
        let Ok(a) = <[f64; N]>::try_from(&values[..]) else {
            found.push(
                Diagnostic::error(codes::PARAMETERS, format!("{of}: {} coefficients instead of {N}", values.len()))
                    .at(row.at, "in this row"),
            );
            return None;
        };
        all.push((Range { low: limits[0], high: limits[1], a }, row.at));
    }
    Some(without_empty(all, of, found))
}

/// Removes ranges from a temperature to the same one, which Cantera writes after the only range of a species.
///
/// If there is no other range they are kept, to be refused with all ranges that do not ascend.
fn without_empty<const N: usize>(
    mut all: Vec<(Range<N>, Span)>,
    of: &str,
    found: &mut Vec<Diagnostic>,
) -> Vec<Range<N>> {
    if all.iter().any(|(r, _)| r.low < r.high) {
        let rows: Vec<[f64; N]> = all.iter().filter(|(r, _)| r.low != r.high).map(|(r, _)| r.a).collect();
        all.retain(|(r, at)| {
            let empty = r.low == r.high;
            if empty && !rows.contains(&r.a) {
                found.push(
                    Diagnostic::warning(codes::IGNORED, format!("{of}: a temperature range is empty"))
                        .at(*at, format!("these coefficients hold from {0} K to {0} K: they are not used", r.low))
                        .help("correct `temperature-ranges`, or remove the row and its temperature"),
                );
            }
            !empty
        });
    }
    all.into_iter().map(|(r, _)| r).collect()
}

/// Reads `composition`: (element symbol, atoms, where).
pub fn composition<'a>(
    species: &'a Node,
    name: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<Vec<(&'a str, f64, Span)>> {
    let node = required(species, "composition", &format!("species `{name}`"), found)?;
    if node.entries().is_empty() {
        let why = if node.text().is_none() { ", since a species without elements has no mass" } else { "" };
        let wanted = format!("a mapping such as `{{H: 2, O: 1}}`{why}");
        found.push(wrong_type(node, &format!("the composition of `{name}`"), &wanted));
        return None;
    }
    node.entries().iter().map(|e| Some((e.key.as_str(), number_of(e, "the number", found)?, e.at))).collect()
}
