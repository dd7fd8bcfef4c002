//! From the sets of a library to a scheme.

use super::codes;
use super::nuclide::{self, meant};
use super::partition::{self, Tables};
use super::select::{Selection, Wanted, wanted};
use super::set::{Set, sets};
use crate::diagnostic::refuses;
use crate::scheme::{Field, Part, Rate, Reaclib, Scheme, Step};
use crate::sums::add_to;
use crate::validate::Suggestions;
use crate::words::few;
use crate::{Diagnostic, Refusal, Sources, Span, codes as common, masses};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Labels of electron captures.
const CAPTURES: [&str; 2] = ["ec", "bec"];

/// The reactions among the selected nuclides, of a library with its number among the sources.
pub(super) fn scheme(
    path: &Path,
    (text, file): (&str, u32),
    selection: Option<&Selection>,
    partition: &[(String, String)],
    mut sources: Sources,
) -> Result<Scheme, Refusal> {
    let mut told = Vec::new();
    let all = sets(text, file, &mut told);
    let known: HashSet<&str> = all.iter().flat_map(|set| set.names().iter().map(|name| &**name)).collect();
    let wanted = match selection {
        Some(selection) => wanted(selection, &mut sources, &mut told),
        None => every(&known),
    };
    let broken = refuses(&told);
    // Nuclides of lines that cannot be read are not known.
    if !broken {
        let mut names: Vec<&str> = known.iter().copied().collect();
        names.sort_unstable();
        let suggestions = Suggestions::default();
        let absent = wanted.iter().filter(|w| !known.contains(w.name.as_str()));
        told.extend(absent.map(|w| unknown(w, &known, suggestions.nearest(&w.name, names.iter().copied()))));
    }
    let mut tables = Tables::new();
    for (name, text) in partition {
        let file = sources.add(name.as_str(), text.as_str());
        partition::read(text, file, &mut tables, &mut told);
    }
    let index: HashMap<&str, usize> = wanted.iter().enumerate().map(|(i, w)| (w.name.as_str(), i)).collect();
    let rates = rates(&all, &index);
    if rates.is_empty() && !refuses(&told) {
        let help = "all nuclides of a reaction must be selected";
        told.push(Diagnostic::error(codes::NOTHING, "no reaction of the library is among the nuclides").help(help));
    }
    if refuses(&told) {
        return Err(Refusal { diagnostics: told, sources });
    }
    let mut scheme = Scheme { species: wanted.iter().map(part).collect(), ..Scheme::new(path, Field::Star, sources) };
    weigh(&mut scheme.species, &rates, &index);
    let mut place: HashMap<usize, usize> = HashMap::new();
    for rate in &rates {
        let mut step = step(rate, &index, &scheme.species);
        if let (true, Rate::Reaclib(reaclib)) = (rate.reverse, &mut step.rate) {
            // (G of products) / (G of reactants)
            let mut powers: Vec<(usize, i32)> = Vec::new();
            for (names, sign) in [(rate.sets[0].products(), 1), (rate.sets[0].reactants(), -1)] {
                for k in names.iter().filter_map(|name| index.get(&**name)) {
                    add_to(&mut powers, *k, sign);
                }
            }
            for (k, power) in powers.into_iter().filter(|p| p.1 != 0) {
                let Some(table) = tables.get(&wanted[k].name) else { continue };
                let at = *place.entry(k).or_insert_with(|| {
                    scheme.partitions.push(table.clone());
                    scheme.partitions.len() - 1
                });
                reaclib.partitions.push((at, power));
            }
        }
        scheme.reactions.push(step);
    }
    told.extend(notes(&rates, &wanted, &scheme, (!partition.is_empty()).then_some(&tables)));
    scheme.notes = told;
    Ok(scheme)
}

/// A reaction of one label, and its sets.
struct Sum<'a> {
    sets: Vec<&'a Set<'a>>,
    reverse: bool,
}

/// The reactions among the nuclides of an index, in the order of the library.
fn rates<'a>(all: &'a [Set<'a>], index: &HashMap<&str, usize>) -> Vec<Sum<'a>> {
    let mut rates: Vec<Sum<'a>> = Vec::new();
    let mut known = HashMap::new();
    for set in all {
        if !set.names().iter().all(|name| index.contains_key(&**name)) {
            continue;
        }
        let key = (set.sides(), set.label, set.weak, set.reverse);
        let at = *known.entry(key).or_insert(rates.len());
        match rates.get_mut(at) {
            Some(sum) => sum.sets.push(set),
            None => rates.push(Sum { sets: vec![set], reverse: set.reverse }),
        }
    }
    rates
}

/// Every nuclide of a library, by numbers of protons and nucleons.
fn every(known: &HashSet<&str>) -> Vec<Wanted> {
    let mut all: Vec<Wanted> =
        known.iter().map(|name| Wanted { name: (*name).to_owned(), at: Span::default() }).collect();
    all.sort_by_cached_key(|w| (nuclide::numbers(&w.name).map(|n| (n.z, n.a)), w.name.clone()));
    all
}

fn unknown(wanted: &Wanted, known: &HashSet<&str>, nearest: Option<&str>) -> Diagnostic {
    let meant = meant(&wanted.name).filter(|own| known.contains(own.as_str()));
    let near = meant.or_else(|| nearest.map(str::to_owned));
    let help = near.map(|near| format!("did you mean `{near}`?"));
    let message = format!("the library has no nuclide `{}`", wanted.name);
    let error = Diagnostic { help, ..Diagnostic::error(codes::UNKNOWN, message) };
    if wanted.at == Span::default() { error } else { error.at(wanted.at, "") }
}

fn part(wanted: &Wanted) -> Part {
    let known = nuclide::numbers(&wanted.name);
    let (weight, charge) = known.map_or((1.0, 0.0), |n| (f64::from(n.a), f64::from(n.z)));
    let excess = known.and_then(|n| masses::excess(n.z, n.a));
    let excited = if nuclide::is_isomer(&wanted.name) { masses::ISOMER } else { 0.0 };
    Part { weight, charge, excess: excess.map(|x| x + excited), ..Part::new(&wanted.name, wanted.at) }
}

/// Mass excesses that no table has follow from Q, where all others of a reaction are known.
fn weigh(species: &mut [Part], rates: &[Sum<'_>], index: &HashMap<&str, usize>) {
    loop {
        let mut found = false;
        for set in rates.iter().map(|rate| rate.sets[0]).filter(|set| !set.weak) {
            let place = |name: &Cow<'_, str>| index.get(&**name).copied();
            let (reactants, products) =
                (set.reactants().iter().filter_map(place), set.products().iter().filter_map(place));
            let all: Vec<(usize, f64)> = reactants.map(|k| (k, 1.0)).chain(products.map(|k| (k, -1.0))).collect();
            let mut unknown = all.iter().filter(|(k, _)| species[*k].excess.is_none());
            if let (Some(&(k, sign)), None) = (unknown.next(), unknown.next()) {
                // Q = Σ Δm of the reactants − Σ Δm of the products
                let known: f64 = all.iter().map(|(k, sign)| sign * species[*k].excess.unwrap_or(0.0)).sum();
                species[k].excess = Some((set.q - known) / sign);
                found = true;
            }
        }
        if !found {
            return;
        }
    }
}

/// One reaction.
fn step(rate: &Sum<'_>, index: &HashMap<&str, usize>, species: &[Part]) -> Step {
    let set = rate.sets[0];
    let side = |names: &[Cow<'_, str>]| {
        let mut side: Vec<(usize, f64)> = Vec::new();
        for &k in names.iter().filter_map(|name| index.get(&**name)) {
            add_to(&mut side, k, 1.0);
        }
        side
    };
    // Heavy ones first, as in c12 + he4 -> o16.
    let words = |names: &[Cow<'_, str>]| {
        let mut names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let weight = |name: &&str| index.get(name).and_then(|k| species.get(*k)).map_or(0, |s| s.weight as u32);
        names.sort_by_key(|name| Reverse(weight(name)));
        names.join(" + ")
    };
    let reactants = side(set.reactants());
    let factorials: f64 = reactants.iter().map(|(_, n)| (1..=*n as u32).map(f64::from).product::<f64>()).product();
    Step {
        label: format!("{} -> {} [{}]", words(set.reactants()), words(set.products()), set.label),
        products: side(set.products()),
        fixed: Vec::new(),
        rate: Rate::Reaclib(Reaclib {
            factor: 1.0 / factorials,
            density: set.reactants().len() as i32 - 1,
            sets: rate.sets.iter().map(|set| set.p).collect(),
            capture: CAPTURES.contains(&set.label),
            partitions: Vec::new(),
            pairs: Vec::new(),
        }),
        reactants,
        at: set.at,
    }
}

/// What is worth knowing of a network.
fn notes(rates: &[Sum<'_>], wanted: &[Wanted], scheme: &Scheme, tables: Option<&Tables>) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    for (rate, step) in rates.iter().zip(&scheme.reactions) {
        for (i, set) in rate.sets.iter().enumerate() {
            if let Some(other) = rate.sets[..i].iter().find(|other| other.p == set.p) {
                let message = format!("a set of {} is given twice, and counts twice", step.label);
                notes.push(Diagnostic::warning(codes::TWICE, message).at(set.at, "").at(other.at, "and here"));
            }
        }
    }
    // Decays of several kinds add up; other reactions are meant to have one rate.
    let mut first: HashMap<_, usize> = HashMap::new();
    for (i, rate) in rates.iter().enumerate() {
        let set = rate.sets[0];
        let other = *first.entry(set.sides()).or_insert(i);
        if other != i && !(set.weak && rates[other].sets[0].weak) {
            let same = set.label == rates[other].sets[0].label;
            let [one, two] = [other, i].map(|i| {
                let marks = if same { format!(" ({})", rates[i].sets[0].marks()) } else { String::new() };
                format!("{}{marks}", scheme.reactions[i].label)
            });
            let message = format!("{one} and {two} are the same reaction; both count");
            notes
                .push(Diagnostic::note(codes::SEVERAL, message).at(set.at, "").at(rates[other].sets[0].at, "and here"));
        }
    }
    let mut idle = vec![true; wanted.len()];
    for step in &scheme.reactions {
        step.reactants.iter().chain(&step.products).for_each(|(k, _)| idle[*k] = false);
    }
    let idle: Vec<&str> = wanted.iter().zip(idle).filter(|(_, idle)| *idle).map(|(w, _)| w.name.as_str()).collect();
    if !idle.is_empty() {
        notes.push(Diagnostic::note(common::NO_REACTION, format!("no reaction changes {}", few(&idle))));
    }
    let reverse = rates.iter().filter(|rate| rate.reverse).count();
    match tables {
        None if reverse > 0 => {
            let message = format!("reverse rates without partition functions: {reverse} of {} rates", rates.len());
            notes.push(Diagnostic::note(codes::NO_PARTITION, message).help("name tables of them with --partition"));
        }
        None => {}
        Some(tables) => {
            let lacking = wanted.iter().map(|w| w.name.as_str()).filter(|name| !tables.contains_key(*name));
            let lacking: Vec<&str> = lacking.collect();
            if !lacking.is_empty() && reverse > 0 {
                let message = format!("no partition functions of {}: they are taken to be 1", few(&lacking));
                notes.push(Diagnostic::note(codes::NO_TABLE, message));
            }
        }
    }
    notes
}
