//! Rate laws from the keys of a reaction entry.

use super::input::{measure, number, required, scope, suggestion, unused, wrong_type};
use super::yaml::{Kind, Node};
use crate::network::{Arrhenius, Blend, Chebyshev, Collider, Falloff, PressureLaw, RateLaw, ThirdBody, plog_levels};
use crate::units::{Defaults, Measure};
use crate::validate::nearest;
use crate::{Diagnostic, Span, codes};

/// Finds a species that is named at a place.
pub type Find<'a> = dyn Fn(&str, Span, &mut Vec<Diagnostic>) -> Option<usize> + 'a;

/// What a law needs to know besides its own keys.
pub struct Context<'a> {
    /// Units that apply in the reaction.
    pub defaults: &'a Defaults,
    /// Order of the rate constant, including a third body that is a factor.
    pub order: f64,
    /// Finds a species.
    pub species: &'a Find<'a>,
    /// `skip-undeclared-third-bodies` of the phase.
    pub skip_third_bodies: bool,
    /// Findings.
    pub found: &'a mut Vec<Diagnostic>,
}

/// Types of rates that are refused, and why.
const REFUSED: &[(&str, &str)] = &[
    ("electron-collision-plasma", "rates from electron collision cross sections"),
    ("custom-rate-function", "rates computed by a program"),
    ("extensible", "rates computed by a program"),
    ("vibrational-relaxation", "vibrational relaxation"),
    ("interface-Arrhenius", "surface reactions"),
    ("sticking-Arrhenius", "surface reactions"),
    ("interface-Blowers-Masel", "surface reactions"),
    ("sticking-Blowers-Masel", "surface reactions"),
    ("electrochemical", "electrochemical reactions"),
    ("surface", "surface reactions"),
    ("edge", "surface reactions"),
];

/// Types of rates that are supported.
pub const TYPES: &[&str] = &[
    "Arrhenius",
    "elementary",
    "three-body",
    "falloff",
    "chemically-activated",
    "pressure-dependent-Arrhenius",
    "Chebyshev",
    "linear-Burke",
    "Blowers-Masel",
    "two-temperature-plasma",
];

/// The base type: without a leading `three-body-`, and with older names replaced. `None` has been reported.
pub fn base_type<'a>(node: &'a Node, found: &mut Vec<Diagnostic>) -> Option<&'a str> {
    // An empty name is none, as in Cantera.
    let given = node.get("type").filter(|kind| kind.is_null() || kind.text() != Some(""));
    let Some(kind) = given else { return Some("Arrhenius") };
    let Some(name) = kind.text().filter(|_| !kind.is_null()) else {
        found.push(wrong_type(kind, "`type`", "the name of a rate type"));
        return None;
    };
    let base = match name.strip_prefix("three-body-").unwrap_or(name) {
        "elementary" | "three-body" => "Arrhenius",
        // Names of what `falloff` holds; Cantera takes them for it, too.
        "Lindemann" | "Troe" | "SRI" | "Tsang" => "falloff",
        base => base,
    };
    if TYPES.contains(&base) {
        return Some(base);
    }
    found.push(match REFUSED.iter().find(|(r, _)| *r == base) {
        Some((_, why)) => Diagnostic::error(codes::UNSUPPORTED, format!("reaction type `{name}` is not supported"))
            .at(kind.at, *why)
            .help("remove the reaction, or choose a phase without it"),
        None => Diagnostic::error(codes::UNKNOWN_OPTION, format!("reaction type `{name}` is not known"))
            .at(kind.at, "unknown")
            .help(match suggestion(name, TYPES.iter().copied()) {
                known if nearest(name, TYPES.iter().copied()).is_none() => {
                    format!("{known}; those that `extensions` add are computed by a program, and not supported")
                }
                near => near,
            }),
    });
    None
}

/// Data of rate laws: each entry with the base types that read it.
const DATA: [(&str, &[&str]); 11] = [
    ("rate-constant", &["Arrhenius", "Blowers-Masel", "two-temperature-plasma"]),
    ("rate-constants", &["pressure-dependent-Arrhenius"]),
    ("low-P-rate-constant", FALLOFF),
    ("high-P-rate-constant", FALLOFF),
    ("Troe", FALLOFF),
    ("SRI", FALLOFF),
    ("Tsang", FALLOFF),
    ("colliders", &["linear-Burke"]),
    ("temperature-range", &["Chebyshev"]),
    ("pressure-range", &["Chebyshev"]),
    ("data", &["Chebyshev"]),
];
const FALLOFF: &[&str] = &["falloff", "chemically-activated"];

/// Reports data of another law than that of the given base type: its `type` may be missing, or they stand in the wrong place.
pub fn of_others(base: &str, node: &Node, of: &str, found: &mut Vec<Diagnostic>) {
    for entry in node.entries() {
        let Some((_, laws)) = DATA.iter().find(|(key, laws)| *key == entry.key && !laws.contains(&base)) else {
            continue;
        };
        let types = laws.iter().map(|law| format!("`type: {law}`")).collect::<Vec<_>>().join(" or ");
        found.push(
            Diagnostic::warning(codes::IGNORED, format!("entry `{}` of {of} is not used", entry.key))
                .at(entry.at, "data of another rate law")
                .help(format!("it belongs to {types}; this reaction is read as `{base}`")),
        );
    }
}

/// Reads the law of the given base type.
pub fn law(base: &str, node: &Node, of: &str, body: Option<ThirdBody>, cx: &mut Context) -> Option<RateLaw> {
    let order = cx.order;
    Some(match base {
        "falloff" | "chemically-activated" => {
            RateLaw::Falloff(falloff(node, of, base == "chemically-activated", body.unwrap_or(ThirdBody::EVERY), cx)?)
        }
        "pressure-dependent-Arrhenius" => RateLaw::Plog(plog(node, of, cx)?),
        "Chebyshev" => RateLaw::Chebyshev(chebyshev(node, of, cx)?),
        "linear-Burke" => RateLaw::LinearBurke(burke(node, of, cx)?),
        "Blowers-Masel" => {
            let k = required(node, "rate-constant", of, cx.found)?;
            let (a, b, [e, w]) = parameters(k, &[], ["Ea0", "w"], of, order, cx)?;
            RateLaw::BlowersMasel { arrhenius: Arrhenius { a, b, e }, w }
        }
        "two-temperature-plasma" => {
            let k = required(node, "rate-constant", of, cx.found)?;
            let (a, b, [e, e_electron]) = parameters(k, &[], ["Ea-gas", "Ea-electron"], of, order, cx)?;
            RateLaw::TwoTemperature { arrhenius: Arrhenius { a, b, e }, e_electron }
        }
        _ => RateLaw::Arrhenius(constant(node, "rate-constant", of, order, cx)?),
    })
}

/// The rate constant under a key.
fn constant(node: &Node, key: &str, of: &str, order: f64, cx: &mut Context) -> Option<Arrhenius> {
    let k = required(node, key, of, cx.found)?;
    let (a, b, [e]) = parameters(k, &[], ["Ea"], of, order, cx)?;
    Some(Arrhenius { a, b, e })
}

/// A, b and the energies of a rate constant, given as a mapping or a list. Missing energies are 0. `others`
/// are keys of the mapping that are not read here.
fn parameters<const N: usize>(
    k: &Node,
    others: &[&str],
    energies: [&str; N],
    of: &str,
    order: f64,
    cx: &mut Context,
) -> Option<(f64, f64, [f64; N])> {
    let defaults = scope(k, cx.defaults, cx.found);
    let (a, b, rest): (&Node, &Node, [Option<&Node>; N]) = match &k.kind {
        Kind::Map(_) => {
            let whose = format!("the rate constant of {of}");
            // Both are read, so that errors in both are reported.
            let (a, b) = (required(k, "A", &whose, cx.found), required(k, "b", &whose, cx.found));
            let (a, b) = (a?, b?);
            let known = [others, &["A", "b"], &energies[..]].concat();
            let before = cx.found.len();
            unused(k, &known, &whose, cx.found);
            // A misspelt one has been reported.
            if cx.found.len() == before {
                absent(k, &energies, &whose, "here", cx.found);
            }
            (a, b, energies.map(|key| k.get(key)))
        }
        Kind::List(items) => match &items[..] {
            [a, b, rest @ ..] if rest.len() <= N => {
                let whose = format!("the rate constant of {of}");
                let wanted = format!("wanted [A, b, {}]", energies.join(", "));
                absent(k, energies.get(rest.len()..).unwrap_or(&[]), &whose, &wanted, cx.found);
                (a, b, std::array::from_fn(|i| rest.get(i)))
            }
            _ => {
                cx.found.push(
                    Diagnostic::error(
                        codes::PARAMETERS,
                        format!("the rate constant of {of} has {} numbers", items.len()),
                    )
                    .at(k.at, format!("wanted [A, b, {}]", energies.join(", "))),
                );
                return None;
            }
        },
        Kind::Scalar(..) => {
            cx.found.push(wrong_type(
                k,
                &format!("the rate constant of {of}"),
                "`{A: ..., b: ..., Ea: ...}` or `[A, b, Ea]`",
            ));
            return None;
        }
    };
    let a = measure(a, "`A`", Measure::Rate(order), &defaults, cx.found);
    let b = number(b, "`b`", cx.found);
    let mut e = [0.0; N];
    let mut complete = true;
    for (i, node) in rest.into_iter().enumerate() {
        if let Some(node) = node {
            match measure(node, energies[i], Measure::Activation, &defaults, cx.found) {
                Some(value) => e[i] = value,
                None => complete = false,
            }
        }
    }
    complete.then_some((a?, b?, e))
}

/// Warns of energies that are missing in a mapping or list, and that count as 0.
fn absent(k: &Node, energies: &[&str], whose: &str, label: &str, found: &mut Vec<Diagnostic>) {
    let missing: Vec<&str> = energies.iter().copied().filter(|key| k.get(key).is_none()).collect();
    if !missing.is_empty() {
        found.push(
            Diagnostic::warning(
                codes::MISSING,
                format!("{whose} has no `{}`, which counts as 0", missing.join("`, `")),
            )
            .at(k.at, label)
            .help("write the 0 if it is meant"),
        );
    }
}

fn falloff(node: &Node, of: &str, activated: bool, body: ThirdBody, cx: &mut Context) -> Option<Falloff> {
    let order = cx.order;
    // The limit that is multiplied by [M] is one order higher than the other one.
    let (low, high) = if activated { (order, order - 1.0) } else { (order + 1.0, order) };
    let low = constant(node, "low-P-rate-constant", of, low, cx);
    let high = constant(node, "high-P-rate-constant", of, high, cx);
    let blend = blend(node, of, cx);
    Some(Falloff { low: low?, high: high?, body, blend: blend?, activated })
}

fn blend(node: &Node, of: &str, cx: &mut Context) -> Option<Blend> {
    let given: Vec<(&str, &Node)> =
        ["Troe", "SRI", "Tsang"].into_iter().filter_map(|k| Some((k, node.get(k)?))).collect();
    let (kind, map) = match given[..] {
        [] => return Some(Blend::Lindemann),
        [one] => one,
        [(a, first), (b, second), ..] => {
            cx.found.push(
                Diagnostic::error(codes::PARAMETERS, format!("{of} has both `{a}` and `{b}`"))
                    .at(second.at, "this one")
                    .at(first.at, "and this one exclude each other"),
            );
            return None;
        }
    };
    let whose = format!("`{kind}` of {of}");
    let known: &[&str] = match kind {
        "Troe" => &["A", "T3", "T1", "T2"],
        "SRI" => &["A", "B", "C", "D", "E"],
        _ => &["A", "B"],
    };
    unused(map, known, &whose, cx.found);
    let mut get = |key: &str| number(required(map, key, &whose, cx.found)?, key, cx.found);
    match kind {
        "Troe" => {
            let (a, t3, t1) = (get("A"), get("T3"), get("T1"));
            let t2 = map.get("T2").map(|n| number(n, "T2", cx.found));
            // T2 = 0 means that the term is omitted, as in Cantera and CHEMKIN.
            let t2 = match t2 {
                Some(value) => Some(value?).filter(|&t| t != 0.0),
                None => None,
            };
            Some(Blend::Troe { a: a?, t3: t3?, t1: t1?, t2 })
        }
        "SRI" => {
            let (a, b, c) = (get("A"), get("B"), get("C"));
            let (d, e) = match (map.get("D"), map.get("E")) {
                (None, None) => (Some(1.0), Some(0.0)),
                (Some(d), Some(e)) => (number(d, "D", cx.found), number(e, "E", cx.found)),
                _ => {
                    cx.found.push(
                        Diagnostic::error(codes::PARAMETERS, format!("{whose} has only one of `D` and `E`"))
                            .at(map.at, "give both or none"),
                    );
                    return None;
                }
            };
            Some(Blend::Sri { a: a?, b: b?, c: c?, d: d?, e: e? })
        }
        _ => {
            absent(map, &["B"], &whose, "these parameters", cx.found);
            let mut get = |key: &str| number(required(map, key, &whose, cx.found)?, key, cx.found);
            let (a, b) = (get("A"), map.get("B").map_or(Some(0.0), |n| number(n, "B", cx.found)));
            Some(Blend::Tsang { a: a?, b: b? })
        }
    }
}

fn plog(node: &Node, of: &str, cx: &mut Context) -> Option<Vec<(f64, Vec<Arrhenius>)>> {
    let key = "rate-constants";
    let list = required(node, key, of, cx.found)?;
    let Some(items) = list.list().filter(|l| !l.is_empty()) else {
        cx.found.push(wrong_type(list, &format!("`{key}`"), "a list of `{P: ..., A: ..., b: ..., Ea: ...}`"));
        return None;
    };
    let mut terms = Vec::new();
    let mut complete = true;
    for item in items {
        let defaults = scope(item, cx.defaults, cx.found);
        let p = required(item, "P", of, cx.found).and_then(|p| measure(p, "P", Measure::Pressure, &defaults, cx.found));
        let k = match item.kind {
            Kind::Map(_) => parameters(item, &["P"], ["Ea"], of, cx.order, cx),
            _ => None,
        };
        let p = p.filter(|&value| {
            if value <= 0.0 {
                cx.found.push(
                    Diagnostic::error(codes::RANGES, format!("a pressure of {of} is not positive"))
                        .at(item.get("P").map_or(item.at, |p| p.at), format!("{value} Pa"))
                        .help("rate constants are interpolated in the logarithm of the pressure"),
                );
            }
            value > 0.0
        });
        let (Some(p), Some((a, b, [e]))) = (p, k) else {
            complete = false;
            continue;
        };
        terms.push((p, Arrhenius { a, b, e }));
    }
    complete.then(|| plog_levels(terms))
}

fn chebyshev(node: &Node, of: &str, cx: &mut Context) -> Option<Chebyshev> {
    let mut limits = |key: &str, what: Measure| -> Option<[f64; 2]> {
        let list = required(node, key, of, cx.found)?;
        let Some([low, high]) = list.list() else {
            cx.found.push(wrong_type(list, &format!("`{key}`"), "a list of two numbers"));
            return None;
        };
        let (low, high) =
            (measure(low, key, what, cx.defaults, cx.found), measure(high, key, what, cx.defaults, cx.found));
        Some([low?, high?])
    };
    let (t, p) = (limits("temperature-range", Measure::Temperature), limits("pressure-range", Measure::Pressure));
    let data = required(node, "data", of, cx.found)?;
    let mut alpha = Vec::new();
    for row in data.list().unwrap_or_default() {
        let Some(items) = row.list() else {
            cx.found.push(wrong_type(row, "a row of `data`", "a list of numbers"));
            return None;
        };
        alpha.push(items.iter().map(|n| number(n, "a coefficient", cx.found)).collect::<Option<Vec<f64>>>()?);
    }
    let width = alpha.first().map_or(0, Vec::len);
    if width == 0 || alpha.iter().any(|row| row.len() != width) {
        cx.found.push(
            Diagnostic::error(codes::PARAMETERS, format!("the coefficients of {of} are not a table"))
                .at(data.at, "wanted rows of one length"),
        );
        return None;
    }
    if let Some(first) = alpha.first_mut().and_then(|row| row.first_mut()) {
        *first += cx.defaults.factor(Measure::Rate(cx.order)).log10();
    }
    Some(Chebyshev { t: t?, p: p?, alpha })
}

fn burke(node: &Node, of: &str, cx: &mut Context) -> Option<Vec<Collider>> {
    let list = required(node, "colliders", of, cx.found)?;
    let Some(items) = list.list().filter(|l| !l.is_empty()) else {
        cx.found.push(wrong_type(list, "`colliders`", "a list that starts with `name: M`"));
        return None;
    };
    let mut colliders: Vec<Collider> = Vec::new();
    let mut complete = true;
    for (i, item) in items.iter().enumerate() {
        let defaults = scope(item, cx.defaults, cx.found);
        let whose = format!("a collider of {of}");
        let Some(name) = required(item, "name", &whose, cx.found).and_then(Node::text) else {
            complete = false;
            continue;
        };
        let whose = format!("collider `{name}` of {of}");
        if (i == 0) != (name == "M") {
            cx.found.push(
                Diagnostic::error(codes::COLLIDER, format!("`M` has to be the first collider of {of}, and only that"))
                    .at(item.get("name").map_or(item.at, |n| n.at), format!("collider {} is `{name}`", i + 1)),
            );
            complete = false;
            continue;
        }
        let species = (cx.species)(name, item.get("name").map_or(item.at, |n| n.at), cx.found);
        let known = i == 0 || species.is_some();
        if !known && !cx.skip_third_bodies {
            // Cantera ignores it in any case; an absent species cannot collide.
            cx.found.push(
                Diagnostic::warning(codes::SKIPPED, format!("{whose} is left out: the phase has no such species"))
                    .at(item.get("name").map_or(item.at, |n| n.at), "not a species of this phase"),
            );
        }
        let mut inner = Context { defaults: &defaults, found: &mut *cx.found, ..*cx };
        let efficiency =
            if i == 0 { efficiency_of_m(item, &whose, &mut inner) } else { efficiency(item, &whose, &mut inner) };
        let law = law_of_collider(item, &whose, i == 0, &mut inner);
        match (efficiency, law) {
            (Some(efficiency), Some(law)) if known => colliders.push(Collider { species, efficiency, law }),
            (Some(_), Some(_)) => {}
            _ => complete = false,
        }
    }
    complete.then_some(colliders)
}

/// Entries of a collider beside those of its law.
const OF_COLLIDER: [&str; 4] = ["name", "type", "efficiency", "note"];

/// The law of a collider; an inner `None` where it has none of its own, which M must have. The outer `None` has been reported.
fn law_of_collider(item: &Node, whose: &str, is_m: bool, cx: &mut Context) -> Option<Option<PressureLaw>> {
    let kind = item.get("type");
    let of_law: &[&str] = match kind.and_then(Node::text) {
        Some("falloff") => &["low-P-rate-constant", "high-P-rate-constant", "Troe", "SRI", "Tsang"],
        Some("pressure-dependent-Arrhenius") => &["rate-constants"],
        Some("Chebyshev") => &["temperature-range", "pressure-range", "data"],
        _ => &[],
    };
    unused(item, &[&OF_COLLIDER, of_law].concat(), whose, cx.found);
    let other = match kind.and_then(Node::text) {
        None if kind.is_none() && !is_m => return Some(None),
        Some("falloff") => {
            return falloff(item, whose, false, ThirdBody::EVERY, cx).map(|f| Some(PressureLaw::Falloff(f)));
        }
        Some("pressure-dependent-Arrhenius") => return plog(item, whose, cx).map(|l| Some(PressureLaw::Plog(l))),
        Some("Chebyshev") => return chebyshev(item, whose, cx).map(|c| Some(PressureLaw::Chebyshev(c))),
        other => other,
    };
    let message = match other {
        Some(t) => format!("{whose} has the type `{t}`"),
        None => format!("{whose} has no `type`"),
    };
    cx.found.push(
        Diagnostic::error(codes::COLLIDER, message)
            .at(kind.map_or(item.at, |t| t.at), "here")
            .help("known are `falloff`, `pressure-dependent-Arrhenius`, `Chebyshev`"),
    );
    None
}

/// The efficiency of M, which need not be given.
fn efficiency_of_m(item: &Node, whose: &str, cx: &mut Context) -> Option<Arrhenius> {
    let one = Arrhenius { a: 1.0, b: 0.0, e: 0.0 };
    let Some(given) = item.get("efficiency") else { return Some(one) };
    let value = efficiency(item, whose, cx)?;
    if value != one {
        cx.found.push(
            Diagnostic::error(codes::COLLIDER, format!("{whose} has an efficiency other than 1"))
                .at(given.at, "that of M is 1 by definition")
                .help("remove it"),
        );
        return None;
    }
    Some(value)
}

fn efficiency(item: &Node, whose: &str, cx: &mut Context) -> Option<Arrhenius> {
    let node = required(item, "efficiency", whose, cx.found)?;
    let of = format!("`efficiency` of {whose}");
    if !matches!(node.kind, Kind::Map(_)) {
        let help = "it may depend on temperature, as A T^b exp(-Ea/RT)";
        cx.found.push(wrong_type(node, &of, "a mapping such as `{A: 3, b: 0, Ea: 0}`").help(help));
        return None;
    }
    let before = cx.found.len();
    unused(node, &["A", "b", "Ea"], &of, cx.found);
    if cx.found.len() == before {
        absent(node, &["Ea"], &of, "here", cx.found);
    }
    let (a, b) = (required(node, "A", &of, cx.found), required(node, "b", &of, cx.found));
    let (a, b) = (number(a?, "`A`", cx.found), number(b?, "`b`", cx.found));
    let e = match node.get("Ea") {
        Some(e) => measure(e, "Ea", Measure::Activation, cx.defaults, cx.found),
        None => Some(0.0),
    };
    Some(Arrhenius { a: a?, b: b?, e: e? })
}
