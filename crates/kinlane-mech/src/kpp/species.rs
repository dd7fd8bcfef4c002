//! Reads declarations of species.

use std::collections::HashMap;

use super::codes;
use super::part::Part;
use crate::validate::Suggestions;
use crate::words::did_you_mean;
use crate::{Diagnostic, Span};

/// Names of groups of species, and whether these are fixed.
const GROUPS: [(&str, Option<bool>); 3] = [("ALL_SPEC", None), ("VAR_SPEC", Some(false)), ("FIX_SPEC", Some(true))];

/// Whether a name is that of a group.
pub(super) fn is_group(name: &str) -> bool {
    GROUPS.iter().any(|(group, _)| group.eq_ignore_ascii_case(name))
}

/// Every species that is declared.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// In the order of the files.
    pub all: Vec<Species>,
    /// By name in lower case: names of KPP are the same in any case.
    known: HashMap<String, usize>,
    suggestions: Suggestions,
}

/// One species.
#[derive(Debug)]
pub(super) struct Species {
    /// As declared.
    pub name: String,
    /// Whether it keeps its amount.
    pub fixed: bool,
    /// Its atoms, in capitals, with their numbers; none if they cannot be read.
    pub atoms: Option<Vec<(String, f64)>>,
    /// Where it is declared.
    pub at: Span,
}

impl Declared {
    /// The number of a species.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.known.get(&name.to_ascii_lowercase()).copied()
    }

    /// The name nearest to one that is not declared.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        self.suggestions.nearest(name, self.all.iter().map(|s| s.name.as_str()))
    }

    /// Reads #DEFVAR or #DEFFIX: `NO2 = N + 2O;`. A composition that cannot be read counts as not given.
    pub fn declare(&mut self, section: &Part, fixed: bool, found: &mut Vec<Diagnostic>) {
        for entry in section.entries("a declaration", true, "NO2 = N + 2O ;", found) {
            self.one(&entry, fixed, found);
        }
    }

    fn one(&mut self, piece: &Part, fixed: bool, found: &mut Vec<Diagnostic>) {
        let name = piece.cut(0, piece.text.find('=').unwrap_or(piece.text.len()));
        let (text, at) = (name.text.trim(), name.place());
        let good = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if text.is_empty() && piece.text.contains('=') {
            // As the site of the Master Chemical Mechanism declares the product of a reaction that has none.
            found.push(
                Diagnostic::warning(codes::DECLARATION, "a species is declared without its name")
                    .at(piece.place(), "no name is in front of `=`")
                    .help("it is left out; remove it"),
            );
            return;
        }
        if !good {
            found.push(
                Diagnostic::error(codes::DECLARATION, "a species is declared in a way that cannot be read")
                    .at(at, "a name and `= composition ;` are expected")
                    .help("write `NO2 = N + 2O ;` or `NO2 = IGNORE ;`; names are made of letters, digits and `_`"),
            );
            return;
        }
        if let Some(before) = self.find(text).and_then(|i| self.all.get(i)) {
            found.push(
                Diagnostic::error(codes::REPEATED, format!("species `{text}` is declared twice"))
                    .at(at, "declared again")
                    .at(before.at, "declared here")
                    .help("remove one declaration; upper and lower case do not matter in KPP"),
            );
            return;
        }
        self.known.insert(text.to_ascii_lowercase(), self.all.len());
        let atoms = piece.text.split_once('=').map_or(Some(Vec::new()), |(_, composition)| atoms(composition));
        self.all.push(Species { name: text.to_owned(), fixed, atoms, at });
    }

    /// Reads #SETVAR or #SETFIX: `H2O; O2;`.
    pub fn change(&mut self, section: &Part, fixed: bool, found: &mut Vec<Diagnostic>) {
        for piece in section.pieces() {
            let name = piece.text.trim();
            if name.is_empty() {
                continue;
            }
            if let Some(species) = self.find(name).and_then(|i| self.all.get_mut(i)) {
                species.fixed = fixed;
                continue;
            }
            // All of them, or all of one kind, by what they are at this moment.
            let whole = GROUPS.iter().find(|(group, _)| group.eq_ignore_ascii_case(name));
            if let Some((_, kind)) = whole {
                self.all.iter_mut().filter(|s| kind.is_none_or(|kind| s.fixed == kind)).for_each(|s| s.fixed = fixed);
                continue;
            }
            found.push(
                Diagnostic::error(codes::UNKNOWN_SPECIES, format!("species `{name}` is not declared"))
                    .at(piece.place(), "not declared")
                    .help(did_you_mean(self.nearest(name), "declare it in #DEFVAR or #DEFFIX")),
            );
        }
    }
}

/// The atoms in `N + 2O`, of which `IGNORE` is none; nothing where something else is written, or the atom of `PROD`, KPP's `CANCEL`.
fn atoms(composition: &str) -> Option<Vec<(String, f64)>> {
    let one = |term: &str| {
        let term = term.trim();
        let (number, atom) = term.split_at_checked(term.find(|c: char| c.is_ascii_alphabetic())?)?;
        let number = if number.trim().is_empty() { 1.0 } else { number.trim().parse().ok()? };
        let good = atom.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !atom.eq_ignore_ascii_case("CANCEL");
        good.then(|| (atom.to_ascii_uppercase(), number))
    };
    let mut all: Vec<(String, f64)> = composition.split('+').map(one).collect::<Option<_>>()?;
    all.retain(|(atom, _)| atom != "IGNORE");
    Some(all)
}
