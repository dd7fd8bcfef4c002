//! Rate laws as the lines of a reaction entry.

use super::number::{Printer, plain};
use super::text;
use crate::network::{Arrhenius, Blend, Chebyshev, Collider, Falloff, Network, PressureLaw, RateLaw};
use crate::units::Measure;

/// The `type` of a law; `None` for one that the format does not have.
pub fn kind(law: &RateLaw) -> Option<&'static str> {
    Some(match law {
        RateLaw::Arrhenius(_) => "Arrhenius",
        RateLaw::Falloff(f) => falloff_kind(f),
        RateLaw::Plog(_) => PLOG,
        RateLaw::Chebyshev(_) => CHEBYSHEV,
        RateLaw::LinearBurke(_) => "linear-Burke",
        RateLaw::BlowersMasel { .. } => "Blowers-Masel",
        RateLaw::TwoTemperature { .. } => "two-temperature-plasma",
        RateLaw::LandauTeller { .. } => return None,
    })
}

const PLOG: &str = "pressure-dependent-Arrhenius";
const CHEBYSHEV: &str = "Chebyshev";

fn falloff_kind(f: &Falloff) -> &'static str {
    if f.activated { "chemically-activated" } else { "falloff" }
}

/// Whether a factor A is negative, which must be declared.
pub fn negative(law: &RateLaw) -> bool {
    let limits = |f: &Falloff| f.low.a < 0.0 || f.high.a < 0.0;
    match law {
        RateLaw::Arrhenius(k) => k.a < 0.0,
        RateLaw::Falloff(f) => limits(f),
        RateLaw::LinearBurke(colliders) => colliders
            .iter()
            .any(|c| c.efficiency.a < 0.0 || matches!(&c.law, Some(PressureLaw::Falloff(f)) if limits(f))),
        RateLaw::BlowersMasel { arrhenius: k, .. } | RateLaw::TwoTemperature { arrhenius: k, .. } => k.a < 0.0,
        RateLaw::Plog(_) | RateLaw::Chebyshev(_) | RateLaw::LandauTeller { .. } => false,
    }
}

/// The lines with the numbers of a law of the given order.
pub fn lines(law: &RateLaw, order: f64, network: &Network, printer: &Printer) -> Vec<String> {
    let extended = |k: &Arrhenius, energies: [(&str, f64); 2]| {
        let [a, b, _] = parameters(k, order, printer);
        let energies = energies.map(|(key, e)| (key.to_owned(), printer.measure(e, Measure::Activation)));
        vec![text::map("rate-constant", &[[a, b], energies].concat())]
    };
    match law {
        RateLaw::Arrhenius(k) => vec![constant("rate-constant", k, order, printer)],
        RateLaw::Falloff(f) => falloff(f, order, printer),
        RateLaw::Plog(levels) => plog(levels, order, printer),
        RateLaw::Chebyshev(c) => chebyshev(c, order, printer),
        RateLaw::LinearBurke(colliders) => {
            let mut lines = vec!["colliders:".to_owned()];
            lines.extend(colliders.iter().map(|c| text::item(&collider(c, order, network, printer))));
            lines
        }
        RateLaw::BlowersMasel { arrhenius: k, w } => extended(k, [("Ea0", k.e), ("w", *w)]),
        RateLaw::TwoTemperature { arrhenius: k, e_electron } => {
            extended(k, [("Ea-gas", k.e), ("Ea-electron", *e_electron)])
        }
        // Refused by the caller, which knows the reaction.
        RateLaw::LandauTeller { .. } => Vec::new(),
    }
}

fn parameters(k: &Arrhenius, order: f64, printer: &Printer) -> [(String, String); 3] {
    [
        ("A".to_owned(), printer.measure(k.a, Measure::Rate(order))),
        ("b".to_owned(), printer.number(k.b)),
        ("Ea".to_owned(), printer.measure(k.e, Measure::Activation)),
    ]
}

fn constant(key: &str, k: &Arrhenius, order: f64, printer: &Printer) -> String {
    text::map(key, &parameters(k, order, printer))
}

fn falloff(f: &Falloff, order: f64, printer: &Printer) -> Vec<String> {
    // The limit that is multiplied by [M] is one order higher than the other one.
    let (low, high) = if f.activated { (order, order - 1.0) } else { (order + 1.0, order) };
    let mut lines = vec![
        constant("low-P-rate-constant", &f.low, low, printer),
        constant("high-P-rate-constant", &f.high, high, printer),
    ];
    let named = |names: &[&str], values: &[f64]| -> Vec<(String, String)> {
        names.iter().zip(values).map(|(name, &value)| ((*name).to_owned(), printer.number(value))).collect()
    };
    match f.blend {
        Blend::Lindemann => {}
        Blend::Troe { a, t3, t1, t2: None } => lines.push(text::map("Troe", &named(&["A", "T3", "T1"], &[a, t3, t1]))),
        Blend::Troe { a, t3, t1, t2: Some(t2) } => {
            lines.push(text::map("Troe", &named(&["A", "T3", "T1", "T2"], &[a, t3, t1, t2])));
        }
        Blend::Sri { a, b, c, d: 1.0, e: 0.0 } => lines.push(text::map("SRI", &named(&["A", "B", "C"], &[a, b, c]))),
        Blend::Sri { a, b, c, d, e } => {
            lines.push(text::map("SRI", &named(&["A", "B", "C", "D", "E"], &[a, b, c, d, e])));
        }
        Blend::Tsang { a, b } => lines.push(text::map("Tsang", &named(&["A", "B"], &[a, b]))),
    }
    lines
}

fn plog(levels: &[(f64, Vec<Arrhenius>)], order: f64, printer: &Printer) -> Vec<String> {
    let mut lines = vec!["rate-constants:".to_owned()];
    for (p, terms) in levels {
        for k in terms {
            let [a, b, e] = parameters(k, order, printer);
            let [(a_key, a), (b_key, b), (e_key, e)] = [a, b, e];
            let p = printer.measure(*p, Measure::Pressure);
            lines.push(format!("- {{P: {p}, {a_key}: {a}, {b_key}: {b}, {e_key}: {e}}}"));
        }
    }
    lines
}

fn chebyshev(c: &Chebyshev, order: f64, printer: &Printer) -> Vec<String> {
    let mut rows: Vec<Vec<String>> =
        c.alpha.iter().map(|row| row.iter().map(|&a| printer.number(a)).collect()).collect();
    let mut lines = Vec::new();
    if let (Some(&value), Some(text)) =
        (c.alpha.first().and_then(|row| row.first()), rows.first_mut().and_then(|row| row.first_mut()))
    {
        match printer.logarithm(value, Measure::Rate(order)) {
            Some(shown) => *text = shown,
            // Only here would digits be lost in the unit: this entry alone is in SI.
            None => lines.push("units: {length: m, quantity: mol}".to_owned()),
        }
    }
    lines.push(text::list("temperature-range", &c.t.map(plain)));
    lines.push(text::list("pressure-range", &c.p.map(|p| printer.measure(p, Measure::Pressure))));
    lines.push("data:".to_owned());
    lines.extend(rows.iter().map(|row| text::row(row)));
    lines
}

fn collider(c: &Collider, order: f64, network: &Network, printer: &Printer) -> Vec<String> {
    let species = c.species.and_then(|k| network.species.get(k));
    let mut lines = vec![format!("name: {}", species.map_or_else(|| "M".to_owned(), |s| text::name(&s.name)))];
    let law = c.law.as_ref().map(|law| match law {
        PressureLaw::Falloff(f) => (falloff_kind(f), falloff(f, order, printer)),
        PressureLaw::Plog(levels) => (PLOG, plog(levels, order, printer)),
        PressureLaw::Chebyshev(c) => (CHEBYSHEV, chebyshev(c, order, printer)),
    });
    if let Some((kind, _)) = law {
        lines.push(format!("type: {kind}"));
    }
    if species.is_some() {
        // An efficiency is a ratio, so its A has no unit. Cantera refuses a unit after its Ea.
        let Arrhenius { a, b, e } = c.efficiency;
        let numbers = [
            ("A".to_owned(), printer.number(a)),
            ("b".to_owned(), printer.number(b)),
            ("Ea".to_owned(), printer.unitless(e, Measure::Activation)),
        ];
        lines.push(text::map("efficiency", &numbers));
    }
    lines.extend(law.into_iter().flat_map(|(_, lines)| lines));
    lines
}
