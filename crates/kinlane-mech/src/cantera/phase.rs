//! One phase: which elements, species and reactions belong to it.

use std::collections::HashMap;
use std::rc::Rc;

use super::gas::Gas;
use super::input::{File, Input, flag, misspelt, required, scope, strange, suggestion, wrong_type};
use super::reactions::Rule;
use super::yaml::{Entry, Kind, Node};
use super::{reactions, species};
use crate::diagnostic::refuses;
use crate::duplicates::overlapping_colliders;
use crate::network::Reaction;
use crate::read::stem;
use crate::units::Defaults;
use crate::validate::{self, Complete, ExplicitColliders, nearest};
use crate::{Diagnostic, Network, Span, codes};

/// Entries of a phase that are read, and others that Cantera has.
const KEYS: &[&str] = &[
    "name",
    "thermo",
    "elements",
    "species",
    "kinetics",
    "reactions",
    "transport",
    "state",
    "note",
    "skip-undeclared-elements",
    "skip-undeclared-third-bodies",
    "explicit-third-body-duplicates",
    "adjacent-phases",
    "electron-energy-distribution",
];

/// The phases of a file.
fn phases<'f>(file: &'f File, found: &mut Vec<Diagnostic>) -> Option<&'f [Node]> {
    match file.root.get("phases").map(|p| (p, p.list())) {
        Some((node, list)) => match units_and_items(list.unwrap_or(&[])) {
            (_, []) => found.push(wrong_type(node, "`phases`", "a list of phases")),
            (units, list) => {
                // What is read of a phase has no units, but these may be wrong.
                if let Some(units) = units {
                    scope(units, &file.defaults, found);
                }
                return Some(list);
            }
        },
        None => {
            let d = Diagnostic::error(codes::PHASE, "the file has no `phases`");
            found.push(match section_like(file, "phases") {
                Some(e) => d.at(e.at, "this section is not known").help("did you mean `phases`?"),
                None => d.at(Span { end: file.root.at.start, ..file.root.at }, "this file").help(
                    "a mechanism needs a phase that lists its species; files without one can only be named by others",
                ),
            });
        }
    }
    None
}

/// A section of a file whose key looks like a misspelling of one that the file does not have.
pub fn section_like<'f>(file: &'f File, name: &str) -> Option<&'f Entry> {
    let lists = || file.root.entries().iter().filter(|e| e.value.list().is_some() && !SECTIONS.contains(&&*e.key));
    let near = nearest(name, lists().map(|e| &*e.key))?;
    lists().find(|e| e.key == near)
}

/// Sections that every file may have.
const SECTIONS: [&str; 4] = ["phases", "elements", "species", "reactions"];

fn given_name(phase: &Node) -> Option<&str> {
    phase.get("name").filter(|name| !name.is_null()).and_then(Node::text).filter(|name| !name.is_empty())
}

/// The name of a phase. One without is called after its file.
fn name_of(phase: &Node, file: &File) -> String {
    given_name(phase).map_or_else(|| stem(&file.path), str::to_owned)
}

/// Warns of a phase without a name: Cantera refuses it.
fn nameless(phase: &Node, named: &str, found: &mut Vec<Diagnostic>) {
    if given_name(phase).is_some() {
        return;
    }
    let at = phase.get("name").map_or(phase.at, |name| name.at);
    found.push(
        Diagnostic::warning(codes::MISSING, format!("the phase has no `name`: it is called `{named}`, after the file"))
            .at(at, "`name` is missing")
            .help("add for example `name: gas`; Cantera takes no phase without a name"),
    );
}

/// The phase of a name, or the first.
fn chosen<'f>(phases: &'f [Node], name: Option<&str>, file: &File, found: &mut Vec<Diagnostic>) -> Option<&'f Node> {
    let Some(name) = name else { return phases.first() };
    let names: Vec<String> = phases.iter().map(|phase| name_of(phase, file)).collect();
    let phase = phases.iter().zip(&names).find(|(_, known)| *known == name).map(|(phase, _)| phase);
    if phase.is_none() {
        found.push(
            Diagnostic::error(codes::PHASE, format!("there is no phase `{name}`"))
                .at(
                    file.root.entries().iter().find(|e| e.key == "phases").map_or(file.root.at, |e| e.at),
                    "these phases are defined here",
                )
                .help(suggestion(name, names.iter().map(String::as_str))),
        );
    }
    phase
}

/// Reads the phase of the given name, or the first. `None` if no network can be made; the reason is in
/// `input.found`.
pub fn read(input: &mut Input, file: &Rc<File>, name: Option<&str>) -> Option<Network> {
    let phases = phases(file, &mut input.found)?;
    let phase = chosen(phases, name, file, &mut input.found)?;
    let named = name_of(phase, file);
    nameless(phase, &named, &mut input.found);
    same_names(phases, &mut input.found);
    misspelt(&file.root, &["units", "phases"], "the file", &mut input.found);
    misspelt(phase, KEYS, &format!("phase `{named}`"), &mut input.found);
    // Entries of other kinds of phases are known to those.
    model(phase, file, phases, &mut input.found)?;
    strange(phase, KEYS, ("phase", &named), &mut input.found);

    let mut network = Network { name: named, ..Network::default() };
    let open_elements = phase.get("elements").is_none();
    if let Some(node) = phase.get("elements") {
        network.elements = species::phase_elements(input, file, node);
    }
    // Without a list no element is undeclared.
    let skip_elements = flag(phase, "skip-undeclared-elements", &mut input.found) && !open_elements;
    let (told, lost) = (input.found.len(), std::mem::take(&mut input.lost));
    let known = species::phase_species(input, file, phase, &mut network, open_elements, skip_elements);
    if lost {
        drop_later(&mut input.found, told, codes::UNKNOWN_ELEMENT);
    }

    // Reactions are read even if species are faulty, so that their own errors are shown in the same run.
    // Species that could not be read are known by name, so that they cause no further errors.
    let mut gas = Gas::new(known.clone(), flag(phase, "skip-undeclared-third-bodies", &mut input.found));
    let (told, lost) = (input.found.len(), std::mem::take(&mut input.lost));
    phase_reactions(input, file, phase, &mut network, &mut gas);
    if lost {
        drop_later(&mut input.found, told, codes::UNKNOWN_SPECIES);
    }

    // What was left out because of errors is not reported as missing.
    let emptied = network.species.is_empty() && refuses(&input.found);
    let complete = if known.len() != network.species.len() || emptied {
        Complete::Neither
    } else if gas.incomplete {
        Complete::Species
    } else {
        Complete::All
    };
    let mut rules = validate::Rules { negative_a: gas.negative_a, complete, ..Default::default() };
    explicit_colliders(phase, &mut network, &mut rules, &mut input.found);
    let mut found = validate::check(&network, &rules);
    // Only now: such a mark declares no other duplicates, and is no partner of a mark of the file.
    if rules.explicit_colliders == ExplicitColliders::Mark {
        for i in overlapping_colliders(&network).into_iter().flat_map(|(generic, explicit, _)| [generic, explicit]) {
            if let Some(r) = network.reactions.get_mut(i) {
                r.duplicate = true;
            }
        }
    }
    if let Some(d) = found.iter_mut().find(|d| d.code == codes::NO_SPECIES) {
        d.labels.push((phase.get("species").map_or(phase.at, |s| s.at), "a gas needs at least one".into()));
    }
    input.found.extend(found);
    Some(network)
}

/// Removes the findings of one code after the first `told`: they follow from a missing file.
fn drop_later(found: &mut Vec<Diagnostic>, told: usize, code: &str) {
    let later = found.split_off(told.min(found.len()));
    found.extend(later.into_iter().filter(|d| d.code != code));
}

/// Warns of phases with the same name: only the first of them can be selected.
fn same_names(phases: &[Node], found: &mut Vec<Diagnostic>) {
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for node in phases.iter().filter_map(|p| p.get("name")) {
        let Some(name) = node.text() else { continue };
        match seen.get(name) {
            Some(&first) => found.push(
                Diagnostic::warning(codes::REPEATED, format!("phase `{name}` is defined twice"))
                    .at(node.at, "this one cannot be chosen")
                    .at(first, "the first one is taken")
                    .help("give every phase a name of its own"),
            ),
            None => {
                seen.insert(name, node.at);
            }
        }
    }
}

/// Cantera's former name of an ideal gas, which it still reads.
const OLD_IDEAL_GAS: &str = "IdealGas";

/// Refuses phases that are not ideal gases.
fn model(phase: &Node, file: &File, phases: &[Node], found: &mut Vec<Diagnostic>) -> Option<()> {
    let of = format!("phase `{}`", name_of(phase, file));
    let node = required(phase, "thermo", &of, found)?;
    let model = node.text().unwrap_or("");
    if model == OLD_IDEAL_GAS {
        found.push(
            Diagnostic::note(codes::UNKNOWN_OPTION, format!("{of}: `{model}` is an old name of `ideal-gas`"))
                .at(node.at, "taken for it"),
        );
    } else if model != "ideal-gas" {
        let gases: Vec<String> = phases
            .iter()
            .filter(|p| matches!(p.get("thermo").and_then(Node::text), Some("ideal-gas" | OLD_IDEAL_GAS)))
            .map(|p| name_of(p, file))
            .collect();
        let d = Diagnostic::error(codes::UNSUPPORTED, format!("{of} is not an ideal gas"))
            .at(node.at, format!("`{model}` is not supported"));
        found.push(match &gases[..] {
            [] if model == "plasma" => d.help(
                "with `thermo: ideal-gas` rates at an electron temperature are computed, which comes with the states; \
                 electrons then have the enthalpy of the gas, and no energy distribution of their own",
            ),
            [] => d.help("the only supported model is `ideal-gas`"),
            gases => d.help(format!("ideal gases in this file: `{}`", gases.join("`, `"))),
        });
        return None;
    }
    if let Some(kinetics) = phase.get("kinetics") {
        let model = kinetics.text().unwrap_or("");
        if ["surface", "edge"].contains(&model) {
            found.push(
                Diagnostic::error(codes::UNSUPPORTED, format!("{of}: kinetics `{model}` is not supported"))
                    .at(kinetics.at, "here")
                    .help("supported are `gas`, `bulk` and `none`"),
            );
            return None;
        }
        const KNOWN: [&str; 3] = ["gas", "bulk", "none"];
        if !KNOWN.iter().any(|known| known.eq_ignore_ascii_case(model)) {
            let message = match kinetics.text().filter(|_| !kinetics.is_null()) {
                Some(_) => format!("{of}: kinetics `{model}` is not known"),
                None => format!("{of}: `kinetics` is {}", kinetics.what()),
            };
            // A misspelling: further errors are reported in the same run.
            found.push(
                Diagnostic::error(codes::UNKNOWN_OPTION, message)
                    .at(kinetics.at, "unknown")
                    .help(suggestion(model, KNOWN)),
            );
        }
    }
    Some(())
}

/// The file and section that `file/section` or `section` names.
pub fn section_file(input: &mut Input, file: &Rc<File>, name: &str, at: Span) -> Option<(Rc<File>, String)> {
    let (file, section) = match name.rsplit_once('/') {
        Some((other, section)) => match input.open(other, file, at) {
            Some(file) => (file, section),
            None => {
                input.lost = true;
                return None;
            }
        },
        None => (file.clone(), name),
    };
    if file.root.get(section).is_none() {
        input.lost = true;
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

/// The entries of a section, and the units that apply in it. A leading `units` entry is removed.
pub fn section_items<'a>(file: &'a File, name: &str, found: &mut Vec<Diagnostic>) -> Option<(&'a [Node], Defaults)> {
    let node = file.root.get(name)?;
    if node.is_null() {
        return Some((&[], file.defaults.clone()));
    }
    let Some(items) = node.list() else {
        found.push(wrong_type(node, &format!("section `{name}`"), "a list"));
        return None;
    };
    let (units, items) = units_and_items(items);
    Some((items, units.map_or_else(|| file.defaults.clone(), |units| scope(units, &file.defaults, found))))
}

/// The `units` that may stand first in a section, and its other items.
fn units_and_items(items: &[Node]) -> (Option<&Node>, &[Node]) {
    match items {
        [first, rest @ ..] if first.entries().len() == 1 && first.get("units").is_some() => (Some(first), rest),
        _ => (None, items),
    }
}

/// A section with reactions of the phase, where the phase names it, and which of them it takes.
type Listed<'p> = (&'p str, Span, Rule);

/// The rule that a phase states for a section; none if it takes nothing from it, or the rule is not known.
fn rule(text: Option<&str>, node: &Node, found: &mut Vec<Diagnostic>) -> Option<Rule> {
    match text {
        Some("all") => return Some(Rule::All),
        Some("declared-species") => return Some(Rule::DeclaredSpecies),
        Some("none") => return None,
        _ => {}
    }
    let message = match text.filter(|_| !node.is_null()) {
        Some(word) => format!("`{word}` is not a rule for reactions"),
        None => format!("{} is not a rule for reactions", node.what()),
    };
    found.push(
        Diagnostic::error(codes::UNKNOWN_OPTION, message)
            .at(node.at, "here")
            .help("rules are `all`, `declared-species` and `none`"),
    );
    None
}

/// The sections that the entry `reactions` of a phase names.
fn named<'p>(node: &'p Node, found: &mut Vec<Diagnostic>) -> Vec<Listed<'p>> {
    fn mapped<'p>(entries: &'p [Entry], found: &mut Vec<Diagnostic>) -> Vec<Listed<'p>> {
        let of = |e: &'p Entry| Some((&*e.key, e.at, rule(e.value.text(), &e.value, found)?));
        entries.iter().filter_map(of).collect()
    }
    let mut all = Vec::new();
    match &node.kind {
        Kind::Scalar(text, _) => all.extend(rule(Some(text), node, found).map(|rule| ("reactions", node.at, rule))),
        Kind::Map(entries) => all = mapped(entries, found),
        Kind::List(items) => {
            for item in items {
                match &item.kind {
                    Kind::Scalar(section, _) => all.push((section, item.at, Rule::All)),
                    Kind::Map(entries) => all.extend(mapped(entries, found)),
                    Kind::List(_) => {
                        found.push(wrong_type(item, "an item of `reactions`", "a section or `section: rule`"))
                    }
                }
            }
        }
    }
    all
}

/// Whether a section of another name has reactions.
fn is_reactions(section: &Node) -> bool {
    section.list().is_some_and(|items| items.iter().any(|item| item.get("equation").is_some()))
}

/// The sections with reactions of a phase. `kinetics` is that of the phase, if it has any.
fn sections<'p>(file: &File, phase: &'p Node, kinetics: Option<&Node>, found: &mut Vec<Diagnostic>) -> Vec<Listed<'p>> {
    match (phase.get("reactions"), kinetics) {
        // A key without a value, which means `none` to Cantera.
        (Some(node), _) if node.is_null() => found.push(
            Diagnostic::warning(codes::MISSING, "the phase's `reactions` are empty: it has none")
                .at(node.at, "nothing follows")
                .help("write `reactions: none`, or `reactions: all` for those of the file"),
        ),
        (Some(node), _) => return named(node, found),
        (None, Some(_)) if file.root.get("reactions").is_some() => return vec![("reactions", phase.at, Rule::All)],
        (None, Some(kinetics)) => {
            let others: Vec<&str> =
                file.root.entries().iter().map(|e| &*e.key).filter(|key| key.ends_with("reactions")).collect();
            let slip = section_like(file, "reactions");
            let help = match others[..] {
                _ if slip.is_some() => "did you mean `reactions`?".to_owned(),
                [] => "add `reactions: none` to the phase if that is meant".to_owned(),
                _ => format!("add `reactions: [{}]` to the phase, or `reactions: none`", others.join(", ")),
            };
            let mut d = Diagnostic::error(codes::SECTION, "the phase has kinetics but the file has no `reactions`");
            if let Some(e) = slip {
                d = d.at(e.at, "this section is not known");
            }
            found.push(d.at(kinetics.at, "here").help(help));
        }
        // That is said on purpose.
        (None, None) if phase.get("kinetics").is_some() => {}
        (None, None) => {
            let entries = file.root.entries();
            let phases = file.root.get("phases").and_then(Node::list).unwrap_or(&[]);
            let only = units_and_items(phases).1.len() == 1;
            let one = entries.iter().find(|e| e.key == "reactions" && !e.value.is_null());
            let like = || section_like(file, "reactions").filter(|e| is_reactions(&e.value));
            if let Some(section) = one.or_else(like).filter(|_| only) {
                found.push(
                    Diagnostic::warning(
                        codes::MISSING,
                        "the phase has no `kinetics`: the file's reactions are not read",
                    )
                    .at(phase.at, "this phase")
                    .at(section.at, "these reactions")
                    .help(match &*section.key {
                        "reactions" => "add `kinetics: gas` to the phase, or `reactions: none`",
                        _ => "did you mean `reactions`? Then add `kinetics: gas` to the phase, too",
                    }),
                );
            }
        }
    }
    Vec::new()
}

/// Reads the reactions of a phase.
fn phase_reactions(input: &mut Input, file: &Rc<File>, phase: &Node, network: &mut Network, gas: &mut Gas) {
    let none = |kinetics: &str| kinetics.eq_ignore_ascii_case("none");
    let kinetics = phase.get("kinetics").filter(|node| node.text().is_some_and(|text| !none(text)));
    let sections = sections(file, phase, kinetics, &mut input.found);
    if let (Some(node), None, false) = (phase.get("reactions"), kinetics, sections.is_empty()) {
        input.found.push(match phase.get("kinetics") {
            // Cantera loads them, but has no rates of them.
            Some(none) => {
                Diagnostic::warning(codes::MISSING, "the phase's kinetics are `none`: its reactions are not read")
                    .at(none.at, "here")
                    .at(node.at, "these reactions")
                    .help("write `kinetics: gas`, or `reactions: none`")
            }
            None => Diagnostic::error(codes::MISSING, "the phase names reactions but no `kinetics`")
                .at(node.at, "here")
                .help("add `kinetics: gas` to the phase"),
        });
        return;
    }
    for (section, at, rule) in sections {
        let Some((file, section)) = section_file(input, file, section, at) else { continue };
        let Some((items, defaults)) = section_items(&file, &section, &mut input.found) else { continue };
        if let Some(entry) = file.root.entries().iter().find(|e| e.key == section && e.value.is_null()) {
            input.found.push(
                Diagnostic::warning(codes::MISSING, format!("section `{section}` is empty"))
                    .at(entry.at, "nothing follows")
                    .help("a gas without reactions has `reactions: none` in its phase"),
            );
        }
        for item in items {
            reactions::add(input, item, &defaults, rule, network, gas);
        }
    }
}

/// `explicit-third-body-duplicates`: what to do if a species counts in M and is also the collider of a
/// reaction of its own.
fn explicit_colliders(phase: &Node, network: &mut Network, rules: &mut validate::Rules, found: &mut Vec<Diagnostic>) {
    let Some(node) = phase.get("explicit-third-body-duplicates") else { return };
    match node.text() {
        Some("warn") => {}
        Some("error") => rules.explicit_colliders = ExplicitColliders::Refuse,
        Some("mark-duplicate") => rules.explicit_colliders = ExplicitColliders::Mark,
        Some("modify-efficiency") => {
            for (generic, _, species) in overlapping_colliders(network) {
                if let Some(body) = network.reactions.get_mut(generic).and_then(Reaction::body_mut) {
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
