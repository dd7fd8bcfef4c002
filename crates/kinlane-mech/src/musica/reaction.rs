//! Reactions, one by one.

use std::collections::HashMap;

use super::codes;
use super::field;
use super::kind::{Kind, TYPES, Version, foreign};
use super::law::{Library, MOLECULES, mul, num, pow};
use super::species::{Amount, Declared, Phase, undeclared};
use super::terms::{self, Term};
use crate::cantera::input::suggestion;
use crate::cantera::yaml::Node;
use crate::scheme::{AIR, Expression, Name, Rate, Step};
use crate::sums::{add_to, place_of};
use crate::validate::nearest;
use crate::words::did_you_mean;
use crate::{Diagnostic, Span};

/// The pressure, as an input.
const PRESSURE: &str = "PRESSURE";

/// What an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A quantity of the cell.
    Cell,
    /// What a reaction of this type takes.
    Of(Kind),
}

/// An input of rate constants.
pub(super) struct Taken {
    /// Its name.
    pub name: String,
    source: Source,
    /// Number of molecules that react where it is a rate constant: its unit is (molecule/cm³)^(1-order)/s.
    pub order: f64,
}

/// What the reactions of a configuration make.
pub(super) struct Chemistry<'a> {
    /// Of the configuration.
    pub version: Version,
    /// The species; steps have their numbers.
    pub declared: &'a Declared,
    /// The phases of version 1.
    pub phases: Vec<Phase>,
    /// The reactions so far.
    pub steps: Vec<Step>,
    /// Species that take part.
    pub used: Vec<bool>,
    /// Functions.
    pub library: Library,
    /// Photolysis frequencies.
    pub photolysis: Vec<String>,
    /// Further inputs.
    pub inputs: Vec<Taken>,
    /// Findings.
    pub found: &'a mut Vec<Diagnostic>,
    /// Findings about species that are not declared, by name.
    unknown: HashMap<String, usize>,
}

/// One reaction that is being read.
pub(super) struct Reaction<'n> {
    /// Its entries.
    pub node: &'n Node,
    /// Its type, and where that is.
    pub kind: Kind,
    pub at: Span,
    /// Its name, if it has one.
    pub name: Option<(&'n str, Span)>,
    /// The phase, by number.
    pub phase: Option<usize>,
    /// What reacts.
    pub left: Vec<Term>,
    /// Number of molecules that react.
    pub order: f64,
}

impl<'a> Chemistry<'a> {
    /// Nothing so far.
    pub fn new(version: Version, declared: &'a Declared, found: &'a mut Vec<Diagnostic>) -> Self {
        Self {
            version,
            declared,
            phases: Vec::new(),
            steps: Vec::new(),
            used: vec![false; declared.all.len()],
            library: Library::default(),
            photolysis: Vec::new(),
            inputs: Vec::new(),
            found,
            unknown: HashMap::new(),
        }
    }

    /// Reads a reaction.
    pub fn read(&mut self, node: &Node) {
        if node.entries().is_empty() {
            self.found.push(field::wrong(node, "a reaction", "a mapping with its type"));
            return;
        }
        let Some(value) = field::required(node, "type", "a reaction", self.found) else { return };
        let Some(name) = field::text(value, "`type`", self.found) else { return };
        let Some(kind) = Kind::of(name) else {
            self.found.push(unread(name, value.at));
            return;
        };
        let of = format!("a reaction of type `{name}`");
        field::known(node, &kind.keys(self.version), &of, self.found);
        let (phase, name) = (self.phase(node, &of), self.name(node));
        let mut left = Vec::new();
        if let Some(key) = kind.left(self.version) {
            left = self.side(node, key, true, &of);
        }
        let order = left.iter().map(|term| term.number).sum();
        let single =
            matches!(kind, Kind::Loss | Kind::Surface) || kind == Kind::Photolysis && self.version == Version::One;
        if single && order != 1.0 && !left.is_empty() {
            let at = kind.left(self.version).and_then(|key| node.get(key)).map_or(value.at, |side| side.at);
            self.found.push(
                Diagnostic::error(codes::PARAMETER, format!("{of} has more than one molecule to react"))
                    .at(at, "one is wanted")
                    .help("write a reaction of its own for each species"),
            );
        }
        let right: Vec<Vec<Term>> =
            kind.right(self.version).iter().map(|key| self.side(node, key, false, &of)).collect();
        let reaction = Reaction { node, kind, at: value.at, name, phase, left, order };
        let Some(rates) = self.rates(&reaction, &of) else {
            // The names on its sides are checked all the same.
            right.iter().chain([&reaction.left]).for_each(|terms| drop(self.resolve(terms, None, false)));
            return;
        };
        let left = self.resolve(&reaction.left, phase, true);
        let branches = ["alkoxy", "nitrate"];
        let none = [Vec::new()];
        let right = if right.is_empty() { &none[..] } else { &right };
        for (i, (rate, right)) in rates.into_iter().zip(right).enumerate() {
            let mut label = match name {
                Some((name, _)) => name.to_owned(),
                None => terms::equation(&reaction.left, right),
            };
            if kind == Kind::Branched && name.is_some() {
                label = format!("{label} ({})", branches.get(i).copied().unwrap_or_default());
            }
            let right = self.resolve(right, phase, false);
            let step = self.step(label, &left, &right, rate, node.at);
            self.steps.push(step);
        }
    }

    /// One side; it may be there without anything in it.
    fn side(&mut self, node: &Node, key: &str, left: bool, of: &str) -> Vec<Term> {
        match node.get(key) {
            Some(value) if value.is_null() => Vec::new(),
            Some(value) => terms::side(value, left, self.found),
            None if key == "products" && node.get("type").and_then(Node::text) == Some("FIRST_ORDER_LOSS") => {
                Vec::new()
            }
            None => {
                field::required(node, key, of, self.found);
                Vec::new()
            }
        }
    }

    /// The name that a reaction has.
    fn name<'n>(&mut self, node: &'n Node) -> Option<(&'n str, Span)> {
        let value = node.get("MUSICA name").or(node.get("name"))?;
        let text = field::text(value, "the name of a reaction", self.found)?;
        (!text.is_empty()).then_some((text, value.at))
    }

    /// The phase in which it takes place, for version 1.
    fn phase(&mut self, node: &Node, of: &str) -> Option<usize> {
        if self.version == Version::Zero {
            return None;
        }
        let value = field::required(node, "gas phase", of, self.found)?;
        let name = field::text(value, "`gas phase`", self.found)?;
        let Some(i) = self.phases.iter().position(|phase| phase.name == name) else {
            let near = nearest(name, self.phases.iter().map(|phase| phase.name.as_str()));
            let help = did_you_mean(near, "declare it in `phases`");
            let message = format!("phase `{name}` is not declared");
            self.found.push(Diagnostic::error(codes::PHASE, message).at(value.at, "not declared").help(help));
            return None;
        };
        if let Some(other) = self.phases.iter().enumerate().find(|(other, phase)| *other != i && phase.used) {
            let message = format!("reactions take place in `{}` and in `{name}`", other.1.name);
            self.found.push(
                Diagnostic::error(codes::UNSUPPORTED, message)
                    .at(value.at, "another phase")
                    .help("only one gas is read; give each one a file of its own"),
            );
            return None;
        }
        if let Some(phase) = self.phases.get_mut(i) {
            phase.used = true;
        }
        Some(i)
    }

    /// Numbers of species; those that are not declared are reported, and those that are not in the phase.
    fn resolve(&mut self, terms: &[Term], phase: Option<usize>, reacts: bool) -> Vec<(usize, f64)> {
        let mut all: Vec<(usize, f64)> = Vec::new();
        for Term { name, at, number } in terms {
            let Some(i) = self.declared.find(name) else {
                self.undeclared(name, *at);
                continue;
            };
            if let Some(used) = self.used.get_mut(i) {
                *used = true;
            }
            if let Some(phase) = phase.and_then(|i| self.phases.get(i))
                && !phase.species.contains_key(name)
            {
                let found = elsewhere(name, *at, phase, reacts);
                let same = |known: &&mut Diagnostic| known.code == found.code && known.message == found.message;
                match self.found.iter_mut().find(same) {
                    Some(known) => known.and_at(*at),
                    None => self.found.push(found),
                }
            }
            add_to(&mut all, i, *number);
        }
        all
    }

    /// Reports a species that is not declared, once for all its places.
    fn undeclared(&mut self, name: &str, at: Span) {
        if self.declared.all.is_empty() {
            return; // which is said by itself
        }
        if let Some(finding) = self.unknown.get(name).and_then(|&i| self.found.get_mut(i)) {
            return finding.and_at(at);
        }
        self.unknown.insert(name.to_owned(), self.found.len());
        self.found.push(undeclared(name, at, self.declared));
    }

    fn step(
        &mut self,
        label: String,
        left: &[(usize, f64)],
        right: &[(usize, f64)],
        rate: Expression,
        at: Span,
    ) -> Step {
        let amount = |i: usize| self.declared.all.get(i).map_or(Amount::Evolves, |one| one.amount);
        let mut step = Step {
            label,
            reactants: Vec::new(),
            products: right.iter().copied().filter(|&(i, _)| amount(i) == Amount::Evolves).collect(),
            fixed: Vec::new(),
            rate: Rate::Expression(num(0.0)),
            at,
        };
        // What the file gives becomes a part of the rate constant.
        let (mut factor, mut air) = (1.0, 0.0);
        for &(i, number) in left {
            match amount(i) {
                Amount::Evolves => step.reactants.push((i, number)),
                Amount::Fixed | Amount::ThirdBody => step.fixed.push((i, number)),
                Amount::Concentration(value) => factor *= (value * MOLECULES).powf(number),
                Amount::Ratio(value) => {
                    factor *= value.powf(number);
                    air += number;
                }
            }
        }
        let mut rate = mul(num(factor), rate);
        if air != 0.0 {
            let density = Expression::Name(self.air());
            rate = mul(rate, pow(density, air));
        }
        step.rate = Rate::Expression(rate);
        step
    }

    /// The number density of the air.
    pub fn air(&mut self) -> Name {
        self.cell(AIR)
    }

    /// The pressure.
    pub fn pressure(&mut self) -> Name {
        self.cell(PRESSURE)
    }

    fn cell(&mut self, name: &str) -> Name {
        let taken = || Taken { name: name.to_owned(), source: Source::Cell, order: 1.0 };
        Name::Input(place_of(&mut self.inputs, |taken| taken.name == name, taken))
    }

    /// An input that reactions of a type take. Those with the same name share it.
    pub fn input(&mut self, name: &str, kind: Kind, order: f64, at: Span) -> Name {
        let own = Source::Of(kind);
        let known = self.inputs.iter().find(|taken| taken.name == name);
        let other = known.is_some_and(|taken| taken.source != own || taken.order != order);
        if other || [AIR, PRESSURE].contains(&name) {
            self.found.push(
                Diagnostic::error(codes::NAME, format!("input `{name}` would stand for two quantities"))
                    .at(at, "this name is taken")
                    .help("give the reaction another name"),
            );
        }
        let taken = || Taken { name: name.to_owned(), source: own, order };
        Name::Input(place_of(&mut self.inputs, |taken| taken.name == name, taken))
    }
}

/// A finding: a type is not read.
pub(super) fn unread(name: &str, at: Span) -> Diagnostic {
    if let Some(why) = foreign(name) {
        return Diagnostic::error(codes::UNSUPPORTED, format!("type `{name}` is not supported: {why}"))
            .at(at, "not supported")
            .help("only reactions of a gas are read");
    }
    let all = TYPES.iter().map(|(known, _)| *known);
    let help = suggestion(name, all);
    Diagnostic::error(codes::TYPE, format!("there is no type `{name}`")).at(at, "not known").help(help)
}

/// The finding for a species that is not in the phase of a reaction. What reacts has to be in it; what is made is nowhere else.
fn elsewhere(name: &str, at: Span, phase: &Phase, reacts: bool) -> Diagnostic {
    let found = if reacts {
        let message = format!("species `{name}` is not in phase `{}`", phase.name);
        Diagnostic::error(codes::PHASE, message).at(at, "reacts here")
    } else {
        let message = format!("species `{name}` is made in phase `{}`, which lacks it", phase.name);
        Diagnostic::warning(codes::PHASE, message).at(at, "made here")
    };
    found.at(phase.at, "this phase lacks it").help("add it to the species of the phase")
}
