//! Which elements and species belong to a phase.

use std::collections::HashMap;
use std::rc::Rc;

use super::input::{File, Input, misspelt, number, required, required_or, scope, wrong_type};
use super::phase::{section_file, section_items, section_like};
use super::thermo;
use super::yaml::{Kind, Node};
use crate::diagnostic::refuses;
use crate::network::{Element, Species};
use crate::units::Defaults;
use crate::validate::{Suggestions, nearest};
use crate::{Diagnostic, Network, Span, codes, elements};

/// Entries of a species that are read; people add others.
const KEYS: &[&str] = &["name", "composition", "thermo", "transport", "equation-of-state", "units", "note"];

/// A list of names, or all of a section.
enum Names<'a> {
    All(Span),
    These(&'a [Node]),
}

/// The elements that a phase lists, custom masses included.
pub fn phase_elements(input: &mut Input, file: &Rc<File>, node: &Node) -> Vec<Element> {
    let mut all: Vec<Element> = Vec::new();
    let Some(items) = node.list() else {
        input.found.push(wrong_type(node, "`elements`", "a list of elements"));
        return all;
    };
    let own = file.clone();
    // Adds names, with the section that overrides masses, and whether the periodic table is used as well.
    let mut add = |names: &[Node], from: Option<(&File, &str)>, table: bool, found: &mut Vec<Diagnostic>| {
        let listed = from.and_then(|(file, section)| section_items(file, section, found)).map_or(&[][..], |s| s.0);
        for name in names {
            let Some(symbol) = name.text() else {
                found.push(wrong_type(name, "an element", "a symbol"));
                continue;
            };
            let custom: Vec<&Node> =
                listed.iter().filter(|e| e.get("symbol").and_then(Node::text) == Some(symbol)).collect();
            if let [first, again, ..] = custom[..] {
                found.push(
                    Diagnostic::error(codes::REPEATED, format!("element `{symbol}` is defined twice"))
                        .at(again.at, "again here")
                        .at(first.at, "first here")
                        .help("remove one of the definitions"),
                );
            }
            let element = match custom.first() {
                // An element without a mass is reported but kept, so that its species cause no further
                // findings.
                Some(entry) => {
                    let molar_mass = custom_mass(entry, symbol, found).unwrap_or(1.0);
                    Some(Element { symbol: symbol.to_owned(), molar_mass })
                }
                None => {
                    let known = elements::find(symbol).filter(|_| table);
                    match known {
                        Some((usual, _)) => other_case(symbol, usual, name.at, found),
                        None => found.push(unknown_element(symbol, name.at)),
                    }
                    known.map(|(s, molar_mass)| Element { symbol: s.to_owned(), molar_mass })
                }
            };
            match element {
                Some(e) if all.iter().any(|x| x.symbol == e.symbol) => {
                    found.push(
                        Diagnostic::warning(codes::REPEATED, format!("element `{symbol}` is listed twice"))
                            .at(name.at, "again here"),
                    );
                }
                Some(e) => all.push(e),
                None => {}
            }
        }
    };
    let plain = own.root.get("elements").is_some().then_some("elements");
    for item in items {
        match &item.kind {
            Kind::Scalar(..) => add(std::slice::from_ref(item), plain.map(|s| (&*own, s)), true, &mut input.found),
            Kind::Map(entries) => {
                for entry in entries {
                    let Some(names) = entry.value.list() else {
                        input.found.push(wrong_type(
                            &entry.value,
                            &format!("elements from `{}`", entry.key),
                            "a list of symbols",
                        ));
                        continue;
                    };
                    if entry.key == "default" {
                        add(names, None, true, &mut input.found);
                    } else if let Some((file, section)) = section_file(input, &own, &entry.key, entry.at) {
                        add(names, Some((&file, &section)), false, &mut input.found);
                    }
                }
            }
            Kind::List(_) => input.found.push(wrong_type(item, "an element", "a symbol")),
        }
    }
    all
}

/// The molar mass [kg/mol] of an entry of an `elements` section.
fn custom_mass(entry: &Node, symbol: &str, found: &mut Vec<Diagnostic>) -> Option<f64> {
    let node = required(entry, "atomic-weight", &format!("element `{symbol}`"), found)?;
    let grams = number(node, "`atomic-weight`", found)?;
    if grams > 0.0 && grams.is_finite() {
        return Some(grams / 1000.0);
    }
    found.push(
        Diagnostic::error(codes::PARAMETERS, format!("the atomic weight of element `{symbol}` is not positive"))
            .at(node.at, "in g/mol")
            .help("give the mass of one mole"),
    );
    None
}

fn not_known(symbol: &str) -> String {
    format!("element `{symbol}` is not known")
}

fn unknown_element(symbol: &str, at: Span) -> Diagnostic {
    let d = Diagnostic::error(codes::UNKNOWN_ELEMENT, not_known(symbol)).at(at, "no such element");
    match nearest(symbol, elements::symbols()) {
        Some(close) if symbol.len() > 1 => d.help(format!(
            "did you mean `{close}`? Others need an `elements` section with `symbol` and `atomic-weight`"
        )),
        _ => d.help("elements outside the periodic table need an `elements` section with `symbol` and `atomic-weight`"),
    }
}

/// Warns, once for each, of a symbol that differs from another one only in case.
fn other_case(symbol: &str, taken: &str, at: Span, found: &mut Vec<Diagnostic>) {
    let message = format!("`{symbol}` is taken for the element `{taken}`");
    if symbol == taken || found.iter().any(|d| d.message == message) {
        return;
    }
    let letters: Vec<&str> = elements::symbols().filter(|s| s.len() == 1 && *s != "E" && symbol.contains(s)).collect();
    let help = match letters[..] {
        [a, b] if symbol.len() == 2 => format!("write `{taken}`, or `{a}` and `{b}` if those are meant"),
        _ => format!("write `{taken}`"),
    };
    found.push(Diagnostic::warning(codes::CASE, message).at(at, "matched without regard to case").help(help));
}

/// Fills `network.species`; returns the names of all species, including those with errors.
pub fn phase_species(
    input: &mut Input,
    file: &Rc<File>,
    phase: &Node,
    network: &mut Network,
    open_elements: bool,
    skip_elements: bool,
) -> Vec<String> {
    let mut all =
        Gathered { network, open_elements, skip_elements, known: Vec::new(), suggestions: Suggestions::default() };
    let Some(node) = phase.get("species") else {
        if file.root.get("species").is_some() {
            all.add(input, file, "species", Names::All(phase.at));
        } else {
            let slip = section_like(file, "species");
            let help = slip.map(|e| format!("is the section `{}` meant to be `species`?", e.key));
            required_or(phase, "species", "the phase", help.as_deref(), &mut input.found);
            if let (Some(e), Some(d)) = (slip, input.found.last_mut()) {
                d.labels.push((e.at, "this section is not known".to_owned()));
            }
            input.lost = true;
        }
        return all.names();
    };
    let mut own = |input: &mut Input, section: &str, at: Span, names: Names| {
        if let Some((file, section)) = section_file(input, file, section, at) {
            all.add(input, &file, &section, names);
        }
    };
    match &node.kind {
        Kind::Scalar(text, _) if text == "all" => own(input, "species", node.at, Names::All(node.at)),
        Kind::Scalar(..) => input.found.push(wrong_type(node, "`species`", "a list or `all`")),
        Kind::Map(_) => sections(input, std::slice::from_ref(node), &mut own),
        Kind::List(items) if items.is_empty() => {}
        Kind::List(items) if items.iter().all(|i| matches!(i.kind, Kind::Scalar(..))) => {
            own(input, "species", node.at, Names::These(items));
        }
        Kind::List(items) => sections(input, items, &mut own),
    }
    all.names()
}

/// The species of a phase so far.
struct Gathered<'n> {
    network: &'n mut Network,
    open_elements: bool,
    skip_elements: bool,
    /// Those that were named, and where, including those with errors.
    known: Vec<(String, Span)>,
    suggestions: Suggestions,
}

impl Gathered<'_> {
    fn names(self) -> Vec<String> {
        self.known.into_iter().map(|k| k.0).collect()
    }

    /// Adds those of a section.
    fn add(&mut self, input: &mut Input, file: &Rc<File>, section: &str, names: Names) {
        let Some((items, defaults)) = section_items(file, section, &mut input.found) else { return };
        let told = input.found.len();
        let by_name = by_name(items, &mut input.found);
        // One without a name may be any that reactions name.
        input.lost |= input.found.iter().skip(told).any(|d| d.code == codes::MISSING);
        for (name, at, node) in wanted(items, &by_name, names, &mut input.found) {
            match node {
                Some(node) => self.one(node, name, at, &defaults, &mut input.found),
                None => {
                    let d = Diagnostic::error(codes::UNKNOWN_SPECIES, format!("species `{name}` is not defined"))
                        .at(at, format!("not in section `{section}` of `{}`", file.path.display()));
                    let defined = items.iter().filter_map(|item| item.get("name").and_then(Node::text));
                    input.found.push(match self.suggestions.nearest(name, defined) {
                        Some(close) => d.help(format!("did you mean `{close}`?")),
                        None => d,
                    });
                    self.known.push((name.to_owned(), at));
                }
            }
        }
    }

    /// Adds one, which is named at a place.
    fn one(&mut self, node: &Node, name: &str, at: Span, defaults: &Defaults, found: &mut Vec<Diagnostic>) {
        if let Some((_, first)) = self.known.iter().find(|k| k.0 == name) {
            // An `all` may name a species a second time; then both places are in the same list.
            found.push(
                Diagnostic::error(codes::REPEATED, format!("species `{name}` is in the phase twice"))
                    .at(at, "again here")
                    .at(*first, "first here"),
            );
            return;
        }
        if name == "M" {
            found.push(
                Diagnostic::error(codes::COLLIDER, "a species cannot be named `M`")
                    .at(node.get("name").map_or(at, |n| n.at), "`M` in a reaction is any collider")
                    .help("rename the species, also where reactions mean it"),
            );
        }
        match self.species(node, name, defaults, found) {
            Ok(Some(species)) => self.network.species.push(species),
            // Left out on request.
            Ok(None) => return,
            Err(()) => {}
        }
        self.known.push((name.to_owned(), at));
    }
}

/// The definitions in a section by name; a second one of the same name counts, and is reported.
fn by_name<'n>(items: &'n [Node], found: &mut Vec<Diagnostic>) -> HashMap<&'n str, &'n Node> {
    let mut all: HashMap<&str, &Node> = HashMap::with_capacity(items.len());
    for item in items {
        if let Some(name) = required(item, "name", "a species", found).and_then(Node::text)
            && let Some(first) = all.insert(name, item)
        {
            found.push(
                Diagnostic::error(codes::REPEATED, format!("species `{name}` is defined twice"))
                    .at(item.at, "again here")
                    .at(first.at, "first here")
                    .help("remove one of the definitions"),
            );
        }
    }
    all
}

/// The species that a phase takes from a section: name, where it is named, and its definition if there is one.
fn wanted<'n>(
    items: &'n [Node],
    by_name: &HashMap<&str, &'n Node>,
    names: Names<'n>,
    found: &mut Vec<Diagnostic>,
) -> Vec<(&'n str, Span, Option<&'n Node>)> {
    let named = |node: &'n Node| match node.text() {
        Some(name) => Some((name, node.at, by_name.get(name).copied())),
        None => {
            found.push(wrong_type(node, "a species", "a name"));
            None
        }
    };
    // One that is defined twice has been reported: it counts once.
    let counts = |name: &str, item: &Node| by_name.get(name).is_some_and(|known| std::ptr::eq(*known, item));
    let defined = |item: &'n Node| item.get("name").and_then(Node::text).filter(|name| counts(name, item));
    match names {
        Names::All(at) => items.iter().filter_map(|i| Some((defined(i)?, at, Some(i)))).collect(),
        Names::These(list) => list.iter().filter_map(named).collect(),
    }
}

/// `[{section: names}, ...]`, plain names among them.
fn sections(input: &mut Input, items: &[Node], own: &mut dyn FnMut(&mut Input, &str, Span, Names)) {
    for item in items {
        match &item.kind {
            Kind::Scalar(..) => own(input, "species", item.at, Names::These(std::slice::from_ref(item))),
            Kind::Map(entries) => {
                for e in entries {
                    match (&e.value.kind, e.value.text()) {
                        (_, Some("all")) => own(input, &e.key, e.at, Names::All(e.value.at)),
                        (Kind::List(names), _) => own(input, &e.key, e.at, Names::These(names)),
                        _ => input.found.push(wrong_type(
                            &e.value,
                            &format!("species from `{}`", e.key),
                            "a list of names or `all`",
                        )),
                    }
                }
            }
            Kind::List(_) => input.found.push(wrong_type(item, "an item of `species`", "a name or `section: names`")),
        }
    }
}

/// An element of a species in the phase.
enum Place {
    /// Its index.
    At(usize),
    /// It has none: there are no atoms of it, or the fault has been reported.
    Nowhere,
    /// It has none, and so the species is left out.
    LeftOut,
    /// That of an element of the phase that could not be read, which has been reported.
    Lost,
}

impl Gathered<'_> {
    /// Where an element of the species `name` is.
    fn element(&mut self, name: &str, (symbol, atoms, at): (&str, f64, Span), found: &mut Vec<Diagnostic>) -> Place {
        let usual = elements::find(symbol);
        let known = &mut self.network.elements;
        let exact = known.iter().position(|e| e.symbol == symbol);
        // A symbol that is an element of its own is not another one in the wrong case.
        let own = usual.is_some_and(|(s, _)| s == symbol);
        let folded = || known.iter().position(|e| e.symbol.eq_ignore_ascii_case(symbol)).filter(|_| !own);
        if let Some(index) = exact.or_else(folded) {
            other_case(symbol, &known[index].symbol, at, found);
            return Place::At(index);
        }
        if atoms == 0.0 {
            return Place::Nowhere;
        }
        if self.skip_elements {
            found.push(
                Diagnostic::note(codes::SKIPPED, format!("species `{name}` is left out"))
                    .at(at, format!("the phase has no element `{symbol}`")),
            );
            return Place::LeftOut;
        }
        if self.open_elements {
            let Some((s, molar_mass)) = usual else {
                found.push(unknown_element(symbol, at));
                return Place::Nowhere;
            };
            other_case(symbol, s, at, found);
            known.push(Element { symbol: s.to_owned(), molar_mass });
            return Place::At(known.len() - 1);
        }
        if found.iter().any(|d| d.message == not_known(symbol)) {
            return Place::Lost;
        }
        found.push(
            Diagnostic::error(
                codes::UNKNOWN_ELEMENT,
                format!("species `{name}` has an element that the phase does not list"),
            )
            .at(at, format!("`{symbol}`"))
            .help(format!("add `{symbol}` to `elements` of the phase, or set `skip-undeclared-elements: true`")),
        );
        Place::Nowhere
    }

    /// One species. `Ok(None)`: left out because of an element that the phase does not have.
    fn species(
        &mut self,
        node: &Node,
        name: &str,
        outer: &Defaults,
        found: &mut Vec<Diagnostic>,
    ) -> Result<Option<Species>, ()> {
        let before = found.len();
        misspelt(node, KEYS, &format!("species `{name}`"), found);
        let defaults = scope(node, outer, found);
        let mut composition: Vec<(usize, f64)> = Vec::new();
        let mut molar_mass = 0.0;
        for (symbol, atoms, at) in thermo::composition(node, name, found).into_iter().flatten() {
            match self.element(name, (symbol, atoms, at), found) {
                Place::At(index) if atoms != 0.0 => {
                    match composition.iter_mut().find(|known| known.0 == index) {
                        // In two spellings, as `H` and `h`: keys of a map are all different.
                        Some(known) => {
                            known.1 += atoms;
                            let twice = format!("`{name}` has an element twice, whose atoms are added");
                            found.push(
                                Diagnostic::warning(crate::chemkin::codes::REPEATED_ELEMENT, twice)
                                    .at(at, "again here"),
                            );
                        }
                        None => composition.push((index, atoms)),
                    }
                    molar_mass += atoms * self.network.elements[index].molar_mass;
                }
                Place::At(_) | Place::Nowhere => {}
                Place::LeftOut => return Ok(None),
                Place::Lost => return Err(()),
            }
        }
        composition.retain(|&(_, atoms)| atoms != 0.0);
        let thermo = thermo::thermo(node, name, &defaults, found);
        let failed = refuses(&found[before..]);
        let Some(thermo) = thermo.filter(|_| !failed) else { return Err(()) };
        if !(molar_mass > 0.0 && molar_mass.is_finite()) {
            found.push(
                Diagnostic::error(codes::PARAMETERS, format!("the molar mass of `{name}` is not positive"))
                    .at(node.at, format!("{molar_mass} kg/mol")),
            );
            return Err(());
        }
        Ok(Some(Species { name: name.to_owned(), composition, molar_mass, thermo, at: node.at }))
    }
}
