//! One phase: which elements, species and reactions belong to it.

use std::collections::HashMap;
use std::rc::Rc;

use super::input::{File, Input, flag, number, required, scope, suggestion, wrong_type};
use super::reactions::{Gas, Rule};
use super::yaml::{Kind, Node};
use super::{reactions, thermo};
use crate::network::{Element, Species};
use crate::units::Defaults;
use crate::validate::{self, ExplicitColliders, nearest};
use crate::{Diagnostic, Network, Severity, Span, codes, elements};

/// A list of names, or all of a section.
enum Names<'a> {
    All(Span),
    These(&'a [Node]),
}

/// Reads the phase of the given name, or the first. `None` where no network can be made; why is in `input.found`.
pub fn read(input: &mut Input, file: &Rc<File>, name: Option<&str>) -> Option<Network> {
    let phases = match file.root.get("phases").map(|p| (p, p.list())) {
        Some((_, Some(list))) if !list.is_empty() => list,
        Some((node, _)) => {
            input.found.push(wrong_type(node, "`phases`", "a list of phases"));
            return None;
        }
        None => {
            input.found.push(
                Diagnostic::error(codes::PHASE, "the file has no `phases`").at(Span { end: file.root.at.start, ..file.root.at }, "this file").help(
                    "a mechanism needs a phase that lists its species; files without one can only be named by others",
                ),
            );
            return None;
        }
    };
    let name_of = |p: &Node| p.get("name").and_then(Node::text).unwrap_or("").to_owned();
    let phase = match name {
        None => &phases[0],
        Some(name) => match phases.iter().find(|p| name_of(p) == name) {
            Some(phase) => phase,
            None => {
                let names: Vec<String> = phases.iter().map(name_of).collect();
                input.found.push(
                    Diagnostic::error(codes::PHASE, format!("there is no phase `{name}`"))
                        .at(
                            file.root.entries().iter().find(|e| e.key == "phases").map_or(file.root.at, |e| e.at),
                            "these phases are defined here",
                        )
                        .help(suggestion(name, names.iter().map(String::as_str))),
                );
                return None;
            }
        },
    };
    let named = name_of(phase);
    model(phase, &named, phases, &mut input.found)?;

    let mut network = Network { name: named, ..Network::default() };
    let open_elements = phase.get("elements").is_none();
    if let Some(node) = phase.get("elements") {
        for element in phase_elements(input, file, node) {
            network.elements.push(element);
        }
    }
    let skip_elements = flag(phase, "skip-undeclared-elements", &mut input.found);
    let all_species = phase_species(input, file, phase, &mut network, open_elements, skip_elements);

    // Reactions are read even if species are faulty: their own errors are shown in the same run. Species that
    // could not be read are known by name, so that they raise no errors of their own.
    let known = all_species;
    let mut gas = Gas {
        index: known.iter().enumerate().map(|(i, n)| (n.clone(), i)).collect(),
        folded: HashMap::new(),
        skip_third_bodies: flag(phase, "skip-undeclared-third-bodies", &mut input.found),
        negative_a: Vec::new(),
    };
    for (i, n) in known.iter().enumerate() {
        // A name in the wrong case is understood if there is only one candidate.
        gas.folded.entry(n.to_lowercase()).and_modify(|k| *k = None).or_insert(Some(i));
    }
    phase_reactions(input, file, phase, &mut network, &mut gas);

    let mut rules = validate::Rules { negative_a: gas.negative_a, ..Default::default() };
    explicit_colliders(phase, &mut network, &mut rules, &mut input.found);
    if known.len() == network.species.len() {
        input.found.extend(validate::check(&network, &rules));
    }
    Some(network)
}

/// Refuses phases that are not ideal gases.
fn model(phase: &Node, name: &str, phases: &[Node], found: &mut Vec<Diagnostic>) -> Option<()> {
    let of = format!("phase `{name}`");
    let node = required(phase, "thermo", &of, found)?;
    let model = node.text().unwrap_or("");
    if model != "ideal-gas" {
        let gases: Vec<&str> = phases
            .iter()
            .filter(|p| p.get("thermo").and_then(Node::text) == Some("ideal-gas"))
            .filter_map(|p| p.get("name").and_then(Node::text))
            .collect();
        let d = Diagnostic::error(codes::UNSUPPORTED, format!("{of} is not an ideal gas"))
            .at(node.at, format!("`{model}` is not supported"));
        found.push(match &gases[..] {
            [] => d.help("the only supported model is `ideal-gas`"),
            gases => d.help(format!("ideal gases in this file: `{}`", gases.join("`, `"))),
        });
        return None;
    }
    if let Some(kinetics) = phase.get("kinetics") {
        let model = kinetics.text().unwrap_or("");
        if !["gas", "bulk", "none"].contains(&model) {
            found.push(
                Diagnostic::error(codes::UNSUPPORTED, format!("{of}: kinetics `{model}` is not supported"))
                    .at(kinetics.at, "here")
                    .help("supported are `gas`, `bulk` and `none`"),
            );
            return None;
        }
    }
    Some(())
}

/// The file and section that `file/section` or `section` names.
fn section_file(input: &mut Input, file: &Rc<File>, name: &str, at: Span) -> Option<(Rc<File>, String)> {
    let (file, section) = match name.rsplit_once('/') {
        Some((other, section)) => (input.open(other, file, at)?, section),
        None => (file.clone(), name),
    };
    if file.root.get(section).is_none() {
        let sections: Vec<&str> = file.root.entries().iter().map(|e| e.key.as_str()).collect();
        input.found.push(
            Diagnostic::error(codes::SECTION, format!("`{}` has no section `{section}`", file.path.display()))
                .at(at, "named here")
                .help(suggestion(section, sections.iter().copied())),
        );
        return None;
    }
    Some((file, section.to_owned()))
}

/// The entries of a section and the units that hold in it. A leading `units` entry is taken off.
fn section_items<'a>(file: &'a File, name: &str, found: &mut Vec<Diagnostic>) -> Option<(&'a [Node], Defaults)> {
    let node = file.root.get(name)?;
    if node.is_null() {
        return Some((&[], file.defaults.clone()));
    }
    let Some(items) = node.list() else {
        found.push(wrong_type(node, &format!("section `{name}`"), "a list"));
        return None;
    };
    match items {
        [first, rest @ ..] if first.entries().len() == 1 && first.get("units").is_some() => {
            Some((rest, scope(first, &file.defaults, found)))
        }
        _ => Some((items, file.defaults.clone())),
    }
}

fn phase_elements(input: &mut Input, file: &Rc<File>, node: &Node) -> Vec<Element> {
    let mut all: Vec<Element> = Vec::new();
    let Some(items) = node.list() else {
        input.found.push(wrong_type(node, "`elements`", "a list of elements"));
        return all;
    };
    let own = file.clone();
    // Names, the section that overrides masses, and whether the periodic table is used besides.
    let mut add = |names: &[Node], from: Option<(&File, &str)>, table: bool, found: &mut Vec<Diagnostic>| {
        let listed = from.and_then(|(file, section)| section_items(file, section, found)).map_or(&[][..], |s| s.0);
        for name in names {
            let Some(symbol) = name.text() else {
                found.push(wrong_type(name, "an element", "a symbol"));
                continue;
            };
            let custom = listed.iter().find(|e| e.get("symbol").and_then(Node::text) == Some(symbol));
            let element = match custom {
                Some(entry) => required(entry, "atomic-weight", &format!("element `{symbol}`"), found)
                    .and_then(|w| Some((w, number(w, "`atomic-weight`", found)?)))
                    .and_then(|(w, grams)| {
                        if grams > 0.0 && grams.is_finite() {
                            return Some(Element { symbol: symbol.to_owned(), molar_mass: grams / 1000.0 });
                        }
                        found.push(
                            Diagnostic::error(
                                codes::PARAMETERS,
                                format!("the mass of element `{symbol}` is not positive"),
                            )
                            .at(w.at, "in g/mol"),
                        );
                        None
                    }),
                None => {
                    let known = elements::find(symbol).filter(|_| table);
                    if known.is_none() {
                        found.push(unknown_element(symbol, name.at));
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

fn unknown_element(symbol: &str, at: Span) -> Diagnostic {
    let d =
        Diagnostic::error(codes::UNKNOWN_ELEMENT, format!("element `{symbol}` is not known")).at(at, "no such element");
    match nearest(symbol, elements::symbols()) {
        Some(close) if symbol.len() > 1 => d.help(format!(
            "did you mean `{close}`? Others need an `elements` section with `symbol` and `atomic-weight`"
        )),
        _ => d.help("elements outside the periodic table need an `elements` section with `symbol` and `atomic-weight`"),
    }
}

/// Fills `network.species`; returns the names of all species, those with errors too.
fn phase_species(
    input: &mut Input,
    file: &Rc<File>,
    phase: &Node,
    network: &mut Network,
    open_elements: bool,
    skip_elements: bool,
) -> Vec<String> {
    let mut known: Vec<(String, Span)> = Vec::new();
    let mut add = |input: &mut Input, file: &Rc<File>, section: &str, names: Names| {
        let Some((items, defaults)) = section_items(file, section, &mut input.found) else { return };
        let mut by_name: HashMap<&str, &Node> = HashMap::with_capacity(items.len());
        for item in items {
            if let Some(name) = required(item, "name", "a species", &mut input.found).and_then(Node::text)
                && let Some(first) = by_name.insert(name, item)
            {
                input.found.push(
                    Diagnostic::error(codes::REPEATED, format!("species `{name}` is defined twice"))
                        .at(item.at, "again here")
                        .at(first.at, "first here")
                        .help("remove one of the definitions"),
                );
            }
        }
        let wanted: Vec<(&str, Span, Option<&Node>)> = match names {
            Names::All(at) => items.iter().filter_map(|i| Some((i.get("name")?.text()?, at, Some(i)))).collect(),
            Names::These(list) => list
                .iter()
                .filter_map(|n| match n.text() {
                    Some(name) => Some((name, n.at, by_name.get(name).copied())),
                    None => {
                        input.found.push(wrong_type(n, "a species", "a name"));
                        None
                    }
                })
                .collect(),
        };
        for (name, at, node) in wanted {
            let Some(node) = node else {
                let d = Diagnostic::error(codes::UNKNOWN_SPECIES, format!("species `{name}` is not defined"))
                    .at(at, format!("not in section `{section}` of `{}`", file.path.display()));
                input.found.push(match nearest(name, by_name.keys().copied()) {
                    Some(close) => d.help(format!("did you mean `{close}`?")),
                    None => d,
                });
                continue;
            };
            if let Some((_, first)) = known.iter().find(|k| k.0 == name) {
                // An `all` may name a species a second time; both places are then the same list.
                input.found.push(
                    Diagnostic::error(codes::REPEATED, format!("species `{name}` is in the phase twice"))
                        .at(at, "again here")
                        .at(*first, "first here"),
                );
                continue;
            }
            match species(node, name, &defaults, network, open_elements, skip_elements, &mut input.found) {
                Ok(Some(species)) => {
                    network.species.push(species);
                    known.push((name.to_owned(), at));
                }
                // Left out on request.
                Ok(None) => {}
                Err(()) => known.push((name.to_owned(), at)),
            }
        }
    };

    let Some(node) = phase.get("species") else {
        if file.root.get("species").is_some() {
            add(input, file, "species", Names::All(phase.at));
        } else {
            required(phase, "species", "the phase", &mut input.found);
        }
        return known.into_iter().map(|k| k.0).collect();
    };
    let mut own = |input: &mut Input, section: &str, at: Span, names: Names| {
        if let Some((file, section)) = section_file(input, file, section, at) {
            add(input, &file, &section, names);
        }
    };
    match &node.kind {
        Kind::Scalar(text, _) if text == "all" => own(input, "species", node.at, Names::All(node.at)),
        Kind::Scalar(..) => input.found.push(wrong_type(node, "`species`", "a list or `all`")),
        Kind::Map(_) => sections(input, std::slice::from_ref(node), &mut own),
        Kind::List(items) if items.iter().all(|i| matches!(i.kind, Kind::Scalar(..))) => {
            own(input, "species", node.at, Names::These(items));
        }
        Kind::List(items) => sections(input, items, &mut own),
    }
    known.into_iter().map(|k| k.0).collect()
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

/// One species. `Ok(None)`: left out because of an element that the phase does not have.
fn species(
    node: &Node,
    name: &str,
    outer: &Defaults,
    network: &mut Network,
    open_elements: bool,
    skip_elements: bool,
    found: &mut Vec<Diagnostic>,
) -> Result<Option<Species>, ()> {
    let before = found.len();
    let defaults = scope(node, outer, found);
    let parts = thermo::composition(node, name, found);
    let mut composition: Vec<(usize, f64)> = Vec::new();
    let mut molar_mass = 0.0;
    for (symbol, atoms, at) in parts.into_iter().flatten() {
        let position = |list: &[Element]| {
            list.iter()
                .position(|e| e.symbol == symbol)
                .or_else(|| list.iter().position(|e| e.symbol.eq_ignore_ascii_case(symbol)))
        };
        let index = match position(&network.elements) {
            Some(index) => index,
            None if atoms == 0.0 => continue,
            None if skip_elements => {
                found.push(
                    Diagnostic {
                        severity: Severity::Note,
                        ..Diagnostic::warning(codes::SKIPPED, format!("species `{name}` is left out"))
                    }
                    .at(at.at, format!("the phase has no element `{symbol}`")),
                );
                return Ok(None);
            }
            None if open_elements => match elements::find(symbol) {
                Some((s, molar_mass)) => {
                    network.elements.push(Element { symbol: s.to_owned(), molar_mass });
                    network.elements.len() - 1
                }
                None => {
                    found.push(unknown_element(symbol, at.at));
                    continue;
                }
            },
            None => {
                found.push(
                    Diagnostic::error(
                        codes::UNKNOWN_ELEMENT,
                        format!("species `{name}` has an element that the phase does not list"),
                    )
                    .at(at.at, format!("`{symbol}`"))
                    .help(format!(
                        "add `{symbol}` to `elements` of the phase, or set `skip-undeclared-elements: true`"
                    )),
                );
                continue;
            }
        };
        if atoms != 0.0 {
            composition.push((index, atoms));
            molar_mass += atoms * network.elements[index].molar_mass;
        }
    }
    let thermo = thermo::thermo(node, name, &defaults, found);
    let failed = found[before..].iter().any(|d| d.severity == Severity::Error);
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

fn phase_reactions(input: &mut Input, file: &Rc<File>, phase: &Node, network: &mut Network, gas: &mut Gas) {
    let given = phase.get("reactions");
    let kinetics = phase.get("kinetics").and_then(Node::text).filter(|k| *k != "none");
    let mut lists: Vec<(String, Span, Rule)> = Vec::new();
    let found = &mut input.found;
    let mut rule = |text: Option<&str>, node: &Node, section: &str, section_at: Span, found: &mut Vec<Diagnostic>| {
        let rule = match text {
            Some("all") => Rule::All,
            Some("declared-species") => Rule::DeclaredSpecies,
            Some("none") => return,
            other => {
                found.push(
                    Diagnostic::error(
                        codes::UNKNOWN_OPTION,
                        format!("`{}` is not a rule for reactions", other.unwrap_or(node.what())),
                    )
                    .at(node.at, "here")
                    .help("rules are `all`, `declared-species` and `none`"),
                );
                return;
            }
        };
        lists.push((section.to_owned(), section_at, rule));
    };
    match given {
        Some(node) => match &node.kind {
            Kind::Scalar(text, _) => rule(Some(text), node, "reactions", node.at, found),
            Kind::Map(entries) => entries.iter().for_each(|e| rule(e.value.text(), &e.value, &e.key, e.at, found)),
            Kind::List(items) => {
                for item in items {
                    match &item.kind {
                        Kind::Scalar(section, _) => rule(Some("all"), item, section, item.at, found),
                        Kind::Map(entries) => {
                            entries.iter().for_each(|e| rule(e.value.text(), &e.value, &e.key, e.at, found))
                        }
                        Kind::List(_) => {
                            found.push(wrong_type(item, "an item of `reactions`", "a section or `section: rule`"))
                        }
                    }
                }
            }
        },
        None if kinetics.is_some() && file.root.get("reactions").is_some() => {
            lists.push(("reactions".to_owned(), phase.at, Rule::All));
        }
        None if kinetics.is_some() => found.push(
            Diagnostic::error(codes::SECTION, "the phase has kinetics but the file has no `reactions`")
                .at(phase.get("kinetics").map_or(phase.at, |k| k.at), "here")
                .help("add `reactions: none` to the phase if that is meant"),
        ),
        None => {}
    }
    if let (Some(node), None, false) = (given, kinetics, lists.is_empty()) {
        found.push(
            Diagnostic::error(codes::MISSING, "the phase names reactions but no `kinetics`")
                .at(node.at, "here")
                .help("add `kinetics: gas` to the phase"),
        );
        return;
    }
    for (section, at, rule) in lists {
        let Some((file, section)) = section_file(input, file, &section, at) else { continue };
        let Some((items, defaults)) = section_items(&file, &section, &mut input.found) else { continue };
        for item in items {
            reactions::add(input, item, &defaults, rule, network, gas);
        }
    }
}

/// `explicit-third-body-duplicates`: what to do where a species counts in M and is also a collider of its own.
fn explicit_colliders(phase: &Node, network: &mut Network, rules: &mut validate::Rules, found: &mut Vec<Diagnostic>) {
    let Some(node) = phase.get("explicit-third-body-duplicates") else { return };
    match node.text() {
        Some("warn") => {}
        Some("error") => rules.explicit_colliders = ExplicitColliders::Refuse,
        Some("mark-duplicate") => {
            for (generic, explicit, _) in validate::overlapping_colliders(network) {
                for i in [generic, explicit] {
                    if let Some(r) = network.reactions.get_mut(i) {
                        r.duplicate = true;
                    }
                }
            }
        }
        Some("modify-efficiency") => {
            for (generic, _, species) in validate::overlapping_colliders(network) {
                if let Some(body) = network.reactions.get_mut(generic).and_then(reactions::body_mut) {
                    body.efficiencies.retain(|e| e.0 != species);
                    body.efficiencies.push((species, 0.0));
                }
            }
        }
        _ => found.push(
            Diagnostic::error(codes::UNKNOWN_OPTION, "`explicit-third-body-duplicates` has an unknown value")
                .at(node.at, "here")
                .help("known are `warn`, `error`, `mark-duplicate` and `modify-efficiency`"),
        ),
    }
}
