//! Reaction entries.

use std::collections::HashMap;

use super::colliders::{Role, efficiencies, placed, without_body, without_place};
use super::equation;
use super::gas::Gas;
use super::input::{Input, flag, misspelt, number_of, required_or, scope, strange, truth, wrong_type};
use super::rate;
use super::yaml::{Kind, Node};
use crate::diagnostic::refuses;
use crate::network::{Reaction, Reverse};
use crate::sums::add_to;
use crate::units::Defaults;
use crate::{Diagnostic, Network, Span, codes};

/// Which reactions of a section belong to the phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// All; an unknown species is an error.
    All,
    /// Those all of whose species are in the phase.
    DeclaredSpecies,
}

/// Keys of a reaction. Others are free fields for Cantera and are checked only for misspellings.
const KEYS: &[&str] = &[
    "equation",
    "type",
    "duplicate",
    "orders",
    "negative-orders",
    "nonreactant-orders",
    "negative-A",
    "efficiencies",
    "default-efficiency",
    "rate-constant",
    "rate-constants",
    "low-P-rate-constant",
    "high-P-rate-constant",
    "Troe",
    "SRI",
    "Tsang",
    "temperature-range",
    "pressure-range",
    "data",
    "colliders",
    "units",
    "id",
    "note",
];

/// Keys of surface reactions.
const SURFACE: &[&str] = &[
    "sticking-coefficient",
    "sticking-species",
    "Motz-Wise",
    "coverage-dependencies",
    "beta",
    "exchange-current-density-formulation",
];

/// Reads a reaction and adds it to the network, unless the rule excludes it or it has errors.
pub fn add(input: &mut Input, node: &Node, outer: &Defaults, rule: Rule, network: &mut Network, gas: &mut Gas) {
    let before = input.found.len();
    let negative = flag(node, "negative-A", &mut input.found);
    let reaction = read(input, node, outer, rule, gas);
    let failed = refuses(&input.found[before..]);
    gas.incomplete |= failed;
    if let Some(reaction) = reaction
        && !failed
    {
        strange(node, KEYS, ("reaction", &reaction.equation), &mut input.found);
        if negative {
            gas.negative_a.push(network.reactions.len());
        }
        network.reactions.push(reaction);
    }
}

/// An equation without the line breaks of a text over several lines.
fn on_one_line(text: &str) -> String {
    let breaks = |c: char| c.is_whitespace() && c != ' ';
    if text.contains(breaks) { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text.trim().to_owned() }
}

/// The equation of a reaction: its text, its place and what it says.
fn written<'n>(node: &'n Node, found: &mut Vec<Diagnostic>) -> Option<(&'n str, Span, equation::Equation)> {
    let units = node.entries().len() == 1 && node.get("units").is_some();
    let help = units.then_some("`units` of a section stand first in it, and hold for all of it");
    let entry = required_or(node, "equation", "a reaction", help, found)?;
    let Some(text) = entry.text() else {
        found.push(wrong_type(entry, "`equation`", "a text such as `H + O2 <=> OH + O`"));
        return None;
    };
    match equation::parse(text) {
        Ok(equation) => Some((text, entry.at, equation)),
        Err((why, help)) => {
            found.push(
                Diagnostic::error(codes::EQUATION, format!("equation `{text}` cannot be understood"))
                    .at(entry.at, why)
                    .help(help),
            );
            None
        }
    }
}

fn read(input: &mut Input, node: &Node, outer: &Defaults, rule: Rule, gas: &Gas) -> Option<Reaction> {
    let (text, at, mut eq) = written(node, &mut input.found)?;
    // Excludes reactions of other species before anything can fail, since the phase does not contain them.
    if rule == Rule::DeclaredSpecies && foreign(&eq, node, gas) {
        return None;
    }
    let of = format!("reaction `{text}`");
    keys(node, &of, &mut input.found)?;
    arrow(node, &eq, at, &of, &mut input.found);
    let defaults = scope(node, outer, &mut input.found);
    let base = rate::base_type(node, &mut input.found)?;
    rate::of_others(base, node, &of, &mut input.found);
    let kind = node.get("type").and_then(Node::text).unwrap_or("");
    let body = match equation::third_body(&mut eq, kind, node) {
        Ok(body) => body,
        Err(d) => {
            input.found.push(d);
            return None;
        }
    };
    let (body, role) = placed(body, base, text, at, &mut input.found)?;

    // A name that is wrong on both sides is reported once.
    let mut told = Vec::new();
    let [left, right] = [&eq.left, &eq.right].map(|side| species(input, side, at, gas, &mut told));
    let collider = body.as_ref().filter(|b| !b.generic()).map(|b| &*b.name);
    let orders = orders(input, node, &eq, gas, &of, (&left, collider));
    let third = match &body {
        Some(body) => efficiencies(input, node, body, rule, at, gas, &of).map(Some),
        None => {
            match role {
                Role::Unused => without_place(node, base, &of, &mut input.found),
                _ => without_body(node, at, &of, &mut input.found),
            }
            Some(None)
        }
    };
    // The law is read even if a species is unknown, so that its own errors are reported; its order then
    // follows from the coefficients as written.
    let written = || eq.left.iter().map(|t| t.1).sum::<f64>();
    let resolved = orders.as_ref().and_then(|o| o.as_ref()).or(left.as_ref());
    let order = resolved.map_or_else(written, |list| list.iter().map(|t| t.1).sum::<f64>())
        + f64::from(u8::from(role == Role::Factor));
    let mut cx = rate::Context {
        defaults: &defaults,
        order,
        species: &|n, at, found| gas.look(n, at, found),
        skip_third_bodies: gas.skip_third_bodies,
        found: &mut input.found,
    };
    let inside = third.clone().flatten().filter(|_| role == Role::Inside);
    let law = rate::law(base, node, &of, inside, &mut cx);
    if base == "two-temperature-plasma" && eq.reversible {
        input.found.push(
            Diagnostic::error(codes::PARAMETERS, format!("{of} is reversible and has two temperatures"))
                .at(at, "its equilibrium would have to be at both")
                .help("write `=>`, and the reverse reaction with a rate of its own"),
        );
    }
    let duplicate = flag(node, "duplicate", &mut input.found);

    let (left, right) = (left?, right?);
    if left.is_empty() || right.is_empty() {
        input.found.push(Diagnostic::error(codes::EQUATION, format!("{of} has an empty side")).at(at, "here"));
        return None;
    }
    Some(Reaction {
        equation: on_one_line(text),
        reactants: left,
        products: right,
        orders: orders?,
        rate: law?,
        reverse: if eq.reversible { Reverse::Equilibrium } else { Reverse::Irreversible },
        third_body: third?.filter(|_| role == Role::Factor),
        duplicate,
        at,
    })
}

/// Checks an entry that repeats, or contradicts, what the arrow says about reversibility.
fn arrow(node: &Node, eq: &equation::Equation, at: Span, of: &str, found: &mut Vec<Diagnostic>) {
    if let Some(entry) = node.entries().iter().find(|e| e.key == "reversible")
        && (entry.value.is_quoted() || truth(&entry.value) != Some(eq.reversible))
    {
        found.push(
            Diagnostic::warning(codes::IGNORED, format!("entry `reversible` of {of} is not used"))
                .at(
                    entry.at,
                    format!("the arrow says that it is{} reversible", if eq.reversible { "" } else { " not" }),
                )
                .at(at, "in this equation")
                .help("write `<=>` or `=>` in the equation"),
        );
    }
}

/// The species of one side, each once. `told` are names that have been reported already.
fn species(
    input: &mut Input,
    side: &[(String, f64)],
    at: Span,
    gas: &Gas,
    told: &mut Vec<String>,
) -> Option<Vec<(usize, f64)>> {
    let mut merged: Vec<(usize, f64)> = Vec::new();
    let mut complete = true;
    for (name, nu) in side {
        if let Some(k) = gas.look_in(at, name, input) {
            add_to(&mut merged, k, *nu);
            continue;
        }
        complete = false;
        if told.contains(name) {
            continue;
        }
        told.push(name.clone());
        let place = input.word(at, name);
        input.found.push(match &name[..] {
            "M" => Diagnostic::error(codes::COLLIDER, "`M` cannot stand here")
                .at(place, "wanted once on each side, and not with `type: elementary`"),
            n if n.starts_with("(+") => {
                Diagnostic::error(codes::COLLIDER, format!("`{n}` does not stand on both sides")).at(place, "here")
            }
            n => gas.unknown(n, place, "a reaction"),
        });
    }
    complete.then_some(merged)
}

/// Whether the reaction needs a species that the phase does not have, other than as a collider.
fn foreign(eq: &equation::Equation, node: &Node, gas: &Gas) -> bool {
    let mut bare = eq.clone();
    let kind = node.get("type").and_then(Node::text).unwrap_or("");
    let body = equation::third_body(&mut bare, kind, node).ok().flatten();
    let missing = |name: &str| gas.find(name).is_none() && name != "M" && !name.starts_with("(+");
    bare.left.iter().chain(&bare.right).any(|t| missing(&t.0))
        || node.get("orders").is_some_and(|o| o.entries().iter().any(|e| missing(&e.key)))
        || body.is_some_and(|b| !b.generic() && gas.skip_third_bodies && missing(&b.name))
}

/// Reports keys that do not apply to gases, and misspellings of others.
fn keys(node: &Node, of: &str, found: &mut Vec<Diagnostic>) -> Option<()> {
    let mut ok = Some(());
    for e in node.entries() {
        if SURFACE.contains(&e.key.as_str()) {
            found.push(
                Diagnostic::error(codes::UNSUPPORTED, format!("{of} is a surface reaction"))
                    .at(e.at, "not for gases")
                    .help("choose a gas phase"),
            );
            ok = None;
        }
    }
    misspelt(node, KEYS, of, found);
    ok
}

/// The complete list of orders; an inner `None` if they equal the coefficients. The outer `None` has been
/// reported.
#[allow(clippy::type_complexity, reason = "one use; a name would only hide the two levels")]
fn orders(
    input: &mut Input,
    node: &Node,
    eq: &equation::Equation,
    gas: &Gas,
    of: &str,
    (left, collider): (&Option<Vec<(usize, f64)>>, Option<&str>),
) -> Option<Option<Vec<(usize, f64)>>> {
    let Some(given) = node.get("orders") else { return Some(None) };
    if given.entries().is_empty() {
        if given.list().is_some_and(|l| l.is_empty()) || given.is_null() || matches!(&given.kind, Kind::Map(_)) {
            return Some(None);
        }
        input.found.push(wrong_type(given, "`orders`", "a mapping of species to orders"));
        return None;
    }
    let refuse = |input: &mut Input, at: Span, label: String, help: &str| {
        input
            .found
            .push(Diagnostic::error(codes::ORDERS, format!("orders of {of} are not allowed")).at(at, label).help(help));
    };
    if eq.reversible {
        refuse(
            input,
            given.at,
            "the reaction is reversible".into(),
            "only irreversible reactions (`=>`) may have orders of their own",
        );
    }
    let foreign = flag(node, "nonreactant-orders", &mut input.found);
    let negative = flag(node, "negative-orders", &mut input.found);
    let mut list = left.clone().unwrap_or_default();
    let mut complete = left.is_some();
    let mut places = HashMap::new();
    for e in given.entries() {
        let Some(order) = number_of(e, "the order", &mut input.found) else {
            complete = false;
            continue;
        };
        let Some(k) = gas.look(&e.key, e.at, &mut input.found) else {
            input.found.push(gas.unknown(&e.key, e.at, "`orders`"));
            complete = false;
            continue;
        };
        if let Some(first) = places.insert(k, e.at) {
            input.found.push(gas.twice("order", k, e.at, first));
        }
        if !order.is_finite() {
            refuse(input, e.value.at, "not a finite number".into(), "give a number");
        }
        if order < 0.0 && !negative {
            refuse(
                input,
                e.value.at,
                format!("the order of `{}` is negative", e.key),
                "add `negative-orders: true` if that is meant",
            );
        }
        match list.iter_mut().find(|t| t.0 == k) {
            Some(term) => term.1 = order,
            None => {
                if !foreign && left.is_some() {
                    // It may have been taken for the collider; its order would then count beside that.
                    match collider.filter(|name| *name == e.key) {
                        Some(name) => refuse(
                            input,
                            e.at,
                            format!("`{name}` stands on both sides, so it is the collider of this reaction"),
                            "add `type: elementary` if it is a reactant",
                        ),
                        None => refuse(
                            input,
                            e.at,
                            format!("`{}` is not a reactant", e.key),
                            "add `nonreactant-orders: true` if that is meant",
                        ),
                    }
                }
                list.push((k, order));
            }
        }
    }
    complete.then_some(Some(list))
}
