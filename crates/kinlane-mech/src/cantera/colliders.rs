//! Colliders of reactions: whether a law has a place for one, and the efficiencies of species.

use std::collections::HashMap;

use super::equation::Body;
use super::gas::Gas;
use super::input::{Input, glued, number, number_of, wrong_type};
use super::reactions::Rule;
use super::yaml::{Entry, Kind, Node};
use crate::network::ThirdBody;
use crate::{Diagnostic, Span, codes};

/// The role of the third body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// There is none.
    Absent,
    /// A factor of the rate.
    Factor,
    /// Part of the pressure dependence.
    Inside,
    /// Written, but without meaning for this law.
    Unused,
}

/// The third body of a law of type `base`, if it counts, and its role. `None` has been reported.
pub fn placed(
    body: Option<Body>,
    base: &str,
    text: &str,
    at: Span,
    found: &mut Vec<Diagnostic>,
) -> Option<(Option<Body>, Role)> {
    let pressure = base == "falloff" || base == "chemically-activated";
    let refuse = |found: &mut Vec<Diagnostic>, label: &str, help: &str| {
        found.push(
            Diagnostic::error(codes::COLLIDER, format!("the third body of `{text}` does not suit its type `{base}`"))
                .at(at, label.to_owned())
                .help(help),
        );
        None
    };
    match body {
        None if pressure && text.split_whitespace().any(|word| word.find("(+").is_some_and(|at| at > 0)) => {
            refuse(found, "a space is missing before `(+`", "write for example `O2 (+M)`")
        }
        None if pressure => refuse(found, "there is no `(+M)` on both sides", "add `(+M)` on both sides"),
        None => Some((None, Role::Absent)),
        Some(b) if pressure && b.bracketed => Some((Some(b), Role::Inside)),
        Some(_) if pressure => refuse(found, "the third body is a factor here", "write `(+M)` in place of `+ M`"),
        Some(b) if base == "Chebyshev" && b.bracketed => Some((None, Role::Unused)),
        Some(b) if base == "linear-Burke" && b.bracketed => Some((None, Role::Unused)),
        Some(b) if b.bracketed && base == "pressure-dependent-Arrhenius" => refuse(
            found,
            "a third body is superfluous",
            "the rate constant depends on pressure by itself: leave it out",
        ),
        Some(b) if b.bracketed => refuse(
            found,
            "`(+M)` is for falloff reactions",
            "say `type: falloff` if there is a rate constant for low and for high P, write `+ M` if the rate is proportional to [M], or leave it out",
        ),
        Some(b) if b.generic() && ["Chebyshev", "pressure-dependent-Arrhenius"].contains(&base) => {
            refuse(found, "`M` is superfluous", "the rate constant depends on pressure by itself: leave `M` out")
        }
        Some(b) => Some((Some(b), Role::Factor)),
    }
}

/// Reports efficiencies of a reaction without a third body.
pub fn without_body(node: &Node, at: Span, of: &str, found: &mut Vec<Diagnostic>) {
    if let Some(e) = node.get("efficiencies").or(node.get("default-efficiency")) {
        found.push(
            Diagnostic::error(codes::COLLIDER, format!("{of} has efficiencies but no third body"))
                .at(e.at, "these")
                .at(at, "no `M` or `(+M)` that they belong to"),
        );
    }
}

/// Reports efficiencies of a reaction whose law has no place for them, though `(+M)` is written.
pub fn without_place(node: &Node, base: &str, of: &str, found: &mut Vec<Diagnostic>) {
    let help = match base {
        "linear-Burke" => "each of its `colliders` has an `efficiency` of its own",
        _ => "remove it: the rate constant depends on pressure by itself",
    };
    for e in node.entries().iter().filter(|e| ["efficiencies", "default-efficiency"].contains(&&*e.key)) {
        found.push(
            Diagnostic::warning(codes::IGNORED, format!("entry `{}` of {of} is not used", e.key))
                .at(e.at, "this law has no place for it")
                .help(help),
        );
    }
}

/// The third body with its efficiencies; `at` is the place of the equation.
pub fn efficiencies(
    input: &mut Input,
    node: &Node,
    body: &Body,
    rule: Rule,
    at: Span,
    gas: &Gas,
    of: &str,
) -> Option<ThirdBody> {
    let explicit = !body.generic();
    let mut third = ThirdBody { default: if explicit { 0.0 } else { 1.0 }, efficiencies: Vec::new(), explicit };
    if let Some(d) = node.get("default-efficiency") {
        let value = number(d, "`default-efficiency`", &mut input.found)?;
        if explicit && value != 0.0 {
            input.found.push(
                Diagnostic::error(
                    codes::COLLIDER,
                    format!("{of} has the collider `{}` and a default efficiency", body.name),
                )
                .at(d.at, "has to be 0 or absent here"),
            );
        }
        third.default = value;
    }
    let list = node.get("efficiencies");
    if let Some(l) = list.filter(|l| !matches!(l.kind, Kind::Map(_)) && !l.is_null()) {
        input.found.push(wrong_type(l, "`efficiencies`", "a mapping of species to efficiencies"));
        return None;
    }
    let entries = list.map_or(&[][..], |l| l.entries());
    third.efficiencies = if explicit {
        let value = own(entries, list.map_or(at, |l| l.at), body, at, of, &mut input.found)?;
        vec![(collider(input, body, rule, at, gas, of)?, value)]
    } else {
        listed(entries, gas, &mut input.found)
    };
    Some(third)
}

/// The efficiency of a particular species, the collider of the equation at `at`.
fn own(
    entries: &[Entry],
    entries_at: Span,
    body: &Body,
    at: Span,
    of: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<f64> {
    match entries {
        [] => Some(1.0),
        [one] if one.key == body.name || glued(one).is_some() => number_of(one, "the efficiency", found),
        _ => {
            found.push(
                Diagnostic::error(
                    codes::COLLIDER,
                    format!("efficiencies of {of} contradict its collider `{}`", body.name),
                )
                .at(entries_at, "may only name the collider")
                .at(at, "collider written here"),
            );
            None
        }
    }
}

/// The index of such a species. Where there is none, that has been reported: the reaction is left out, or it is an error.
fn collider(input: &mut Input, body: &Body, rule: Rule, at: Span, gas: &Gas, of: &str) -> Option<usize> {
    let found = gas.look_in(at, &body.name, input);
    if found.is_some() {
        return found;
    }
    if gas.skip_third_bodies {
        input.found.push(
            Diagnostic::note(codes::SKIPPED, format!("{of} is left out"))
                .at(at, format!("the phase has no species `{}`, its third body", body.name)),
        );
        return None;
    }
    let place = input.word(at, &body.name);
    let mut d = gas.unknown(&body.name, place, "a third body");
    if rule == Rule::DeclaredSpecies {
        d = d.help("set `skip-undeclared-third-bodies: true` in the phase to leave such reactions out");
    }
    input.found.push(d);
    None
}

/// The efficiencies of species in M, each once.
fn listed(entries: &[Entry], gas: &Gas, found: &mut Vec<Diagnostic>) -> Vec<(usize, f64)> {
    let mut all: Vec<(usize, f64)> = Vec::new();
    let mut places = HashMap::new();
    for e in entries {
        let value = number_of(e, "the efficiency", found);
        if glued(e).is_some() {
            continue;
        }
        match (gas.look(&e.key, e.at, found), value) {
            (Some(k), Some(value)) => {
                if let Some(first) = places.insert(k, e.at) {
                    found.push(gas.twice("efficiency", k, e.at, first));
                    all.retain(|known| known.0 != k);
                }
                all.push((k, value));
            }
            (None, _) if !gas.skip_third_bodies => {
                let d = gas.unknown(&e.key, e.at, "`efficiencies`");
                let skip = "set `skip-undeclared-third-bodies: true` in the phase to leave such entries out";
                let help = d.help.as_ref().map_or_else(|| skip.to_owned(), |help| format!("{help} Else {skip}"));
                found.push(d.help(help));
            }
            _ => {}
        }
    }
    all
}
