//! Species, and the phases of version 1.

use std::collections::HashMap;

use super::codes;
use super::field;
use crate::cantera::input::truth;
use crate::cantera::yaml::Node;
use crate::validate::Suggestions;
use crate::words::did_you_mean;
use crate::{Diagnostic, Span};

const DIFFUSION: &str = "diffusion coefficient [m2 s-1]";
const WEIGHT: &str = "molecular weight [kg mol-1]";
const CONCENTRATION: &str = "constant concentration [mol m-3]";
const RATIO: &str = "constant mixing ratio [mol mol-1]";
/// What species of either version may have; all but the first few matter to solvers and to other phases only.
const KEYS: [&str; 14] = [
    "name",
    "type",
    "tracer type",
    "is third body",
    CONCENTRATION,
    RATIO,
    WEIGHT,
    DIFFUSION,
    "phase",
    "absolute tolerance",
    "HLC(298K) [mol m-3 Pa-1]",
    "HLC exponential factor [K]",
    "N star",
    "density [kg m-3]",
];

/// How the amount of a species comes about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Amount {
    /// Reactions change it.
    Evolves,
    /// It is given with the states.
    Fixed,
    /// The same, and as much as air where nothing else is given.
    ThirdBody,
    /// The file gives it \[mol/m³\].
    Concentration(f64),
    /// The file gives it as a part of the air.
    Ratio(f64),
}

impl Amount {
    /// Whether it is given with the states.
    pub fn is_given(self) -> bool {
        matches!(self, Self::Fixed | Self::ThirdBody)
    }
}

/// A property, and where it is given.
pub(super) type Property = Option<(f64, Span)>;

/// A declared species.
#[derive(Debug, Clone)]
pub(super) struct Substance {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub at: Span,
    /// What becomes of it.
    pub amount: Amount,
    /// Molecular weight \[kg/mol\].
    pub weight: Property,
    /// Coefficient of diffusion \[m²/s\].
    pub diffusion: Property,
}

/// All declared species.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// In the order of the file.
    pub all: Vec<Substance>,
    index: HashMap<String, usize>,
    suggestions: Suggestions,
}

impl Declared {
    /// The number of a species.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The name that a misspelt one stands for.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        self.suggestions.nearest(name, self.all.iter().map(|one| one.name.as_str()))
    }

    /// Reads a declaration.
    pub fn declare(&mut self, node: &Node, found: &mut Vec<Diagnostic>) {
        let Some((name, at)) = named(node, "a species", found) else { return };
        let of = format!("species `{name}`");
        field::known(node, &KEYS, &of, found);
        let substance = Substance {
            name: name.to_owned(),
            at,
            amount: amount(node, &of, found),
            weight: property(node, WEIGHT, found),
            diffusion: property(node, DIFFUSION, found),
        };
        if let Some(phase) = node.get("phase").filter(|p| p.text().is_none_or(|p| !p.eq_ignore_ascii_case("gas"))) {
            found.push(
                Diagnostic::error(codes::UNSUPPORTED, format!("{of} is not in the gas"))
                    .at(phase.at, "another phase")
                    .help("only reactions of a gas are read"),
            );
        }
        if let Some(first) = self.find(name).and_then(|i| self.all.get(i)) {
            found.push(
                Diagnostic::error(codes::REPEATED, format!("{of} is declared twice"))
                    .at(at, "again here")
                    .at(first.at, "first here")
                    .help("remove one of them"),
            );
            return;
        }
        self.index.insert(name.to_owned(), self.all.len());
        self.all.push(substance);
    }
}

fn property(node: &Node, key: &str, found: &mut Vec<Diagnostic>) -> Property {
    let value = node.get(key)?;
    Some((field::number(value, &format!("`{key}`"), found)?, value.at))
}

/// The name of a thing, and its place.
fn named<'a>(node: &'a Node, what: &str, found: &mut Vec<Diagnostic>) -> Option<(&'a str, Span)> {
    if node.entries().is_empty() {
        found.push(field::wrong(node, what, "a mapping with its name"));
        return None;
    }
    let name = field::required(node, "name", what, found)?;
    Some((field::text(name, "a name", found)?, name.at))
}

fn amount(node: &Node, of: &str, found: &mut Vec<Diagnostic>) -> Amount {
    let mut given: Vec<(&str, Span, Amount)> = Vec::new();
    if let Some(tracer) = node.get("tracer type") {
        match tracer.text().unwrap_or_default() {
            "THIRD_BODY" => given.push(("tracer type", tracer.at, Amount::ThirdBody)),
            "CONSTANT" => given.push(("tracer type", tracer.at, Amount::Fixed)),
            "" | "NONE" => {}
            _ => found.push(
                field::wrong(tracer, &format!("`tracer type` of {of}"), "`THIRD_BODY` or `CONSTANT`")
                    .help("leave it out where the species evolves"),
            ),
        }
    }
    if let Some(third) = node.get("is third body") {
        match truth(third) {
            Some(true) => given.push(("is third body", third.at, Amount::ThirdBody)),
            Some(false) => {}
            None => found.push(field::wrong(third, "`is third body`", "`true` or `false`")),
        }
    }
    for (key, make) in [(CONCENTRATION, Amount::Concentration as fn(f64) -> Amount), (RATIO, Amount::Ratio)] {
        if let Some((value, at)) = property(node, key, found) {
            given.push((key, at, make(value)));
            if value < 0.0 {
                found.push(Diagnostic::error(codes::PROPERTY, format!("{of} has a negative amount")).at(at, "here"));
            }
        }
    }
    // A third body may be called constant as well.
    if given.iter().any(|(.., amount)| *amount == Amount::ThirdBody) {
        given.retain(|(.., amount)| *amount != Amount::Fixed);
    }
    match given.as_slice() {
        [] => Amount::Evolves,
        [(.., first), rest @ ..] if rest.iter().all(|(.., other)| first == other) => *first,
        [(a, first, amount), (b, second, _), ..] => {
            found.push(
                Diagnostic::error(codes::PROPERTY, format!("{of} has both `{a}` and `{b}`"))
                    .at(*second, "this one")
                    .at(*first, "and this one")
                    .help("keep the one that is meant"),
            );
            *amount
        }
        [(.., amount)] => *amount,
    }
}

/// A phase of version 1.
#[derive(Debug)]
pub(super) struct Phase {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub at: Span,
    /// Its species, each with its coefficient of diffusion there.
    pub species: HashMap<String, Property>,
    /// Whether a reaction takes place in it.
    pub used: bool,
}

/// Reads the phases.
pub(super) fn phases(node: &Node, declared: &Declared, found: &mut Vec<Diagnostic>) -> Vec<Phase> {
    let mut all: Vec<Phase> = Vec::new();
    for item in field::list(node, "`phases`", found) {
        let Some((name, at)) = named(item, "a phase", found) else { continue };
        let of = format!("phase `{name}`");
        field::known(item, &["name", "species"], &of, found);
        let mut phase = Phase { name: name.to_owned(), at, species: HashMap::new(), used: false };
        let members = field::required(item, "species", &of, found);
        for member in members.map_or(&[][..], |list| field::list(list, "`species`", found)) {
            // A name alone, or with properties.
            let (name, diffusion) = match member.text() {
                Some(name) => (Some((name, member.at)), None),
                None => {
                    field::known(
                        member,
                        &["name", DIFFUSION, "density [kg m-3]"],
                        &format!("a species of {of}"),
                        found,
                    );
                    (named(member, "a species", found), property(member, DIFFUSION, found))
                }
            };
            let Some((name, at)) = name else { continue };
            if declared.find(name).is_none() {
                found.push(undeclared(name, at, declared));
            }
            if phase.species.insert(name.to_owned(), diffusion).is_some() {
                found.push(
                    Diagnostic::error(codes::REPEATED, format!("species `{name}` is in {of} twice"))
                        .at(at, "again here")
                        .help("remove one of them"),
                );
            }
        }
        if let Some(first) = all.iter().find(|known| known.name == name) {
            found.push(
                Diagnostic::error(codes::REPEATED, format!("{of} is declared twice"))
                    .at(at, "again here")
                    .at(first.at, "first here")
                    .help("remove one of them"),
            );
        }
        all.push(phase);
    }
    all
}

/// A finding: a species is not declared.
pub(super) fn undeclared(name: &str, at: Span, declared: &Declared) -> Diagnostic {
    let help = did_you_mean(declared.nearest(name), "declare it among the species");
    Diagnostic::error(codes::UNKNOWN_SPECIES, format!("species `{name}` is not declared"))
        .at(at, "not declared")
        .help(help)
}
