//! Reads declarations of species and initial values.

use std::collections::HashMap;

use super::codes;
use super::part::Part;
use super::tree;
use crate::scheme::Run;
use crate::{Diagnostic, Span, validate};

/// Every species that is declared.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// In the order of the files.
    pub all: Vec<Species>,
    /// By name in lower case: names of KPP are the same in any case.
    known: HashMap<String, usize>,
}

/// One species.
#[derive(Debug)]
pub(super) struct Species {
    /// As declared.
    pub name: String,
    /// Whether it keeps its amount.
    pub fixed: bool,
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
        validate::nearest(name, self.all.iter().map(|s| s.name.as_str()))
    }

    /// Reads #DEFVAR or #DEFFIX: `NO2 = N + 2O;`. The composition is not needed.
    pub fn declare(&mut self, section: &Part, fixed: bool, found: &mut Vec<Diagnostic>) {
        let pieces = section.pieces();
        let last = pieces.len().saturating_sub(1);
        for (i, piece) in pieces.iter().enumerate().filter(|(_, piece)| !piece.text.trim().is_empty()) {
            // A second `=` belongs to another declaration, on a line of its own.
            let mut rest = piece.clone();
            while let Some(end) = rest.text.split_once('=').and_then(|(first, behind)| {
                let next = behind.find('=')?;
                Some(first.len() + 1 + behind.get(..next)?.trim_end().rfind('\n')?)
            }) {
                missing(&rest.cut(0, end), found);
                self.one(&rest.cut(0, end), fixed, found);
                rest = rest.cut(end, rest.text.len());
            }
            if i == last {
                missing(&rest, found);
            }
            self.one(&rest, fixed, found);
        }
    }

    fn one(&mut self, piece: &Part, fixed: bool, found: &mut Vec<Diagnostic>) {
        let name = piece.cut(0, piece.text.find('=').unwrap_or(piece.text.len()));
        let (text, at) = (name.text.trim(), name.place());
        let good = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !good {
            found.push(
                Diagnostic::error(codes::DECLARATION, "a species is declared in a way that cannot be read")
                    .at(if text.is_empty() { piece.place() } else { at }, "a name and `= composition ;` are expected")
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
        self.all.push(Species { name: text.to_owned(), fixed, at });
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
            let near = self.nearest(name).map(|near| format!("did you mean `{near}`?"));
            found.push(
                Diagnostic::error(codes::UNKNOWN_SPECIES, format!("species `{name}` is not declared"))
                    .at(piece.place(), "not declared")
                    .help(near.unwrap_or_else(|| "declare it in #DEFVAR or #DEFFIX".into())),
            );
        }
    }
}

fn missing(piece: &Part, found: &mut Vec<Diagnostic>) {
    let end = piece.text.trim_end().len();
    found.push(
        Diagnostic::error(codes::SEMICOLON, "a semicolon is missing behind a declaration")
            .at(piece.span(end, end), "`;` is expected here")
            .help("write `NO2 = N + 2O ;`"),
    );
}

/// Values that files give to names: initial values, and what inlined code assigns at the start.
#[derive(Debug, Default)]
pub(super) struct Values(HashMap<String, Value>);

#[derive(Debug)]
struct Value {
    number: Option<f64>,
    at: Span,
}

impl Values {
    /// Reads #INITVALUES: `CFACTOR = 2.5e10;`.
    pub fn initial(&mut self, section: &Part) {
        section.pieces().iter().for_each(|piece| self.assign(piece, true));
    }

    /// Reads inlined code; what is no plain assignment of a number has no value.
    pub fn inlined(&mut self, code: &Part) {
        let mut from = 0;
        for line in code.text.split_inclusive('\n') {
            let text = line.split('!').next().unwrap_or_default();
            code.cut(from, from + text.len()).pieces().iter().for_each(|piece| self.assign(piece, false));
            from += line.len();
        }
    }

    fn assign(&mut self, piece: &Part, overwrite: bool) {
        let Some((name, text)) = piece.text.split_once('=') else { return };
        let key = name.trim().to_ascii_lowercase();
        let number = tree::parse(text, 0).ok().and_then(|tree| tree::constant(&tree, &|name| self.get(name)));
        // An initial value of the file precedes one of its code.
        if overwrite || !self.0.contains_key(&key) {
            self.0.insert(key, Value { number, at: piece.place() });
        }
    }

    fn get(&self, name: &str) -> Option<f64> {
        self.0.get(&name.to_ascii_lowercase())?.number
    }

    /// The amount of a species at the beginning: its own value or that of all, in the unit of reactions.
    pub fn amount(&self, name: &str, fixed: bool) -> f64 {
        let all = if fixed { "fix_spec" } else { "var_spec" };
        let value = [name, all, "all_spec"].into_iter().find_map(|name| self.get(name)).unwrap_or(0.0);
        value * self.get("cfactor").unwrap_or(1.0)
    }

    /// What the files say of a run.
    pub fn run(&self) -> Run {
        let [start, end, step, temperature] = ["tstart", "tend", "dt", "temp"].map(|name| self.get(name));
        Run { start, end, step, temperature }
    }

    /// The value of an input, with a warning if there is one that cannot be read.
    pub fn input(&self, name: &str, found: &mut Vec<Diagnostic>) -> Option<f64> {
        let value = self.0.get(&name.to_ascii_lowercase())?;
        if value.number.is_none() {
            found.push(
                Diagnostic::warning(codes::INITIAL, format!("the value of `{name}` cannot be read"))
                    .at(value.at, "not a number")
                    .help("values are computed from numbers with + - * / **; this one has to be given with the states"),
            );
        }
        value.number
    }
}
