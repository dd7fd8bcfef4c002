//! Reads the values that files give to names: #INITVALUES, and what inlined code assigns at the beginning of a run.

use std::collections::{HashMap, HashSet};

use super::blocks::Blocks;
use super::codes;
use super::fortran;
use super::part::Part;
use super::resolve::species_of;
use super::species::{Declared, is_group};
use super::tree;
use crate::scheme::Run;
use crate::words::did_you_mean;
use crate::{Diagnostic, Span};

/// Values that files give to names: initial values, and what inlined code assigns at the start.
#[derive(Debug, Default)]
pub(super) struct Values {
    of: HashMap<String, Value>,
    /// Amounts that code assigns to species.
    amounts: HashMap<String, f64>,
    /// Names of #INITVALUES as written, and their places.
    named: Vec<(String, Span)>,
    /// Statements that are not read.
    unread: Vec<Span>,
    /// Those whose numbers lose a fraction in Fortran and C.
    fractions: Vec<Span>,
    /// What #INITVALUES are multiplied by, where code changes CFACTOR afterwards.
    scale: Option<f64>,
}

/// What #INITVALUES are multiplied by, and a name for rates; 1 if nothing says otherwise.
const CFACTOR: &str = "cfactor";

#[derive(Debug)]
struct Value {
    number: Option<f64>,
    at: Span,
    /// Whether it is of #INITVALUES, which precede code.
    initial: bool,
}

/// Words that begin statements without values.
const SILENT: [&str; 12] = [
    "use", "implicit", "integer", "real", "double", "logical", "continue", "return", "include", "int", "float",
    "global",
];

/// Finds a character outside of parentheses.
fn outside(wanted: char) -> impl FnMut(char) -> bool {
    let mut depth = 0i32;
    move |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == wanted && depth == 0
    }
}

impl Values {
    /// Reads #INITVALUES: `CFACTOR = 2.5e10;`.
    pub fn initial(&mut self, section: &Part, found: &mut Vec<Diagnostic>) {
        let example = "O3 = 1.5e12 ;";
        for piece in section.entries("an initial value", false, example, found) {
            let Some((name, text)) = piece.text.split_once('=') else {
                found.push(
                    Diagnostic::error(codes::INITIAL, "an initial value has no `=`")
                        .at(piece.place(), "cannot be read")
                        .help(format!("write `{example}`")),
                );
                continue;
            };
            let name = name.trim();
            let end = piece.text.len() - piece.text.trim_start().len() + name.len();
            self.named.push((name.to_owned(), piece.span(end - name.len(), end)));
            let number = self.number(text, Some(piece.place()));
            self.of.insert(name.to_ascii_lowercase(), Value { number, at: piece.place(), initial: true });
        }
    }

    /// Reads inlined code: assignments of numbers, one after the other. What else it does is remembered, and so is what is done
    /// under a condition or in a loop. `comment` begins a comment.
    pub fn inlined(&mut self, code: Part, comment: &str) {
        let (mut from, mut blocks) = (0, Blocks::default());
        for line in code.text.split_inclusive('\n') {
            let preprocessed = line.trim_start().starts_with('#');
            let text = if preprocessed { "" } else { line.split(comment).next().unwrap_or_default() };
            for piece in code.cut(from, from + text.len()).pieces() {
                let conditional = blocks.pass(&piece.text);
                let text = piece.text.to_ascii_lowercase();
                // Behind a label.
                let text = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).trim_end();
                let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
                let (first, rest) = text.split_at(end);
                let sets = rest.trim_start().starts_with('=');
                if first.is_empty() || (SILENT.contains(&first) && !sets) {
                    continue;
                }
                if conditional {
                    self.unread.push(piece.place());
                } else {
                    self.assign(&piece);
                }
            }
            from += line.len();
        }
    }

    fn assign(&mut self, piece: &Part) {
        let word = |text: &str| text.trim().to_ascii_lowercase();
        let Some((name, text)) = piece.text.split_once('=') else { return self.unread.push(piece.place()) };
        let (name, number) = (word(name), self.number(text, Some(piece.place())));
        // `VAR(ind_O3) = 1e12`, in the unit of reactions.
        if let Some((array, index)) = name.split_once('(') {
            let index = index.trim_end_matches(')').trim();
            match (species_of(index).filter(|_| ["c", "var", "fix"].contains(&array.trim())), number) {
                (Some(species), Some(amount)) => _ = self.amounts.insert(species.to_owned(), amount),
                _ => self.unread.push(piece.place()),
            }
            return;
        }
        if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return self.unread.push(piece.place());
        }
        let before = self.of.get(&name).filter(|known| known.initial);
        if name == CFACTOR {
            // Code comes after #INITVALUES.
            self.scale.get_or_insert(before.map_or(1.0, |known| known.number.unwrap_or(1.0)));
        } else if before.is_some() {
            return;
        }
        self.of.insert(name, Value { number, at: piece.place(), initial: false });
    }

    /// Reads values that declarations give to variables: `REAL(dp) :: a = 1, b`. What else there is does not matter.
    pub fn global(&mut self, code: &Part) {
        let code = fortran::statements(code, false);
        let mut from = 0;
        for line in code.text.split_inclusive('\n') {
            let part = code.cut(from, from + line.len());
            from += line.len();
            // The `=` of `REAL(kind=dp)` does not assign.
            let declares = |(kind, _): &(&str, &str)| !kind.chars().any(outside('='));
            let Some((kind, entities)) = line.split_once("::").filter(declares) else { continue };
            // Constants of rates are judged where they are used.
            let at = (!kind.to_ascii_lowercase().contains("parameter")).then(|| part.place());
            for entity in entities.split(outside(',')) {
                let Some((name, text)) = entity.split_once('=') else { continue };
                let (name, number) = (name.trim().to_ascii_lowercase(), self.number(text, at));
                self.of.entry(name).or_insert(Value { number, at: part.place(), initial: false });
            }
        }
    }

    /// The variables that code gives values to, in lower case.
    pub fn variables(&self) -> HashSet<String> {
        let set = self.of.iter().filter(|(_, value)| !value.initial && value.number.is_some());
        set.map(|(name, _)| name.clone()).collect()
    }

    /// The value of an expression; if it is judged, at its place.
    fn number(&mut self, text: &str, at: Option<Span>) -> Option<f64> {
        let tree = tree::parse(text, 0).ok()?;
        if tree::has_lost_fraction(&tree) {
            self.fractions.extend(at);
        }
        tree::constant(&tree, &|name| self.get(name))
    }

    fn get(&self, name: &str) -> Option<f64> {
        self.of.get(&name.to_ascii_lowercase())?.number
    }

    /// The amount of a species at the beginning, in the unit of reactions: what code says, its own value, or that of all.
    pub fn amount(&self, name: &str, fixed: bool) -> f64 {
        if let Some(amount) = self.amounts.get(&name.to_ascii_lowercase()) {
            return *amount;
        }
        let all = if fixed { "fix_spec" } else { "var_spec" };
        let value = [name, all, "all_spec"].into_iter().find_map(|name| self.get(name)).unwrap_or(0.0);
        value * self.scale.or_else(|| self.get(CFACTOR)).unwrap_or(1.0)
    }

    /// What the files say of a run.
    pub fn run(&self) -> Run {
        let [start, end, step, temperature] = ["tstart", "tend", "dt", "temp"].map(|name| self.get(name));
        let length = end.zip(start).map(|(end, start)| end - start).filter(|length| *length > 0.0);
        Run { start, length, step, temperature }
    }

    /// The value of an input, with a warning if there is one that cannot be read.
    pub fn input(&self, name: &str, found: &mut Vec<Diagnostic>) -> Option<f64> {
        let name = name.to_ascii_lowercase();
        let Some(value) = self.of.get(&name) else {
            if name != CFACTOR {
                return None;
            }
            found.push(Diagnostic::note(codes::NO_CFACTOR, "rate constants use CFACTOR, and nothing sets it").help(
                "it counts as 1, as in KPP: give what the functions of the rates take it for, the number of molecules of air in a cm³ \
                 divided by a million: 2.5e13 at the ground",
            ));
            return Some(1.0);
        };
        if value.number.is_none() {
            found.push(
                Diagnostic::warning(codes::INITIAL, format!("the value of `{name}` cannot be read"))
                    .at(value.at, "not a number")
                    .help("values are computed from numbers with + - * / **; this one has to be given with the states"),
            );
        }
        value.number
    }

    /// Warns of statements that are not read, or not as Fortran and C have them.
    pub fn tell_unread(&self, found: &mut Vec<Diagnostic>) {
        if !self.fractions.is_empty() {
            found.push(
                Diagnostic::warning(codes::INTEGERS, "an integer is divided by an integer")
                    .at_each(self.fractions.iter().copied(), "computed with its fraction")
                    .help("in Fortran and C the fraction of the result is lost; write `1.0/3.0` to be clear"),
            );
        }
        if self.unread.is_empty() {
            return;
        }
        let message = "code at the beginning of a run does what is not read";
        found.push(
            Diagnostic::warning(codes::STATEMENT, message)
                .at_each(self.unread.iter().copied(), "not read")
                .help("assignments of numbers are read; give what this code sets with --set or the states, absolute tolerances with --atol-of"),
        );
    }

    /// Warns of initial values of what is neither a species nor an input.
    pub fn tell_unknown(&self, declared: &Declared, inputs: &[String], found: &mut Vec<Diagnostic>) {
        for (name, at) in &self.named {
            let input = inputs.iter().any(|input| input.eq_ignore_ascii_case(name));
            let other = [CFACTOR, "temp"].iter().any(|known| known.eq_ignore_ascii_case(name));
            let value = self.of.get(&name.to_ascii_lowercase());
            let used = is_group(name) || declared.find(name).is_some() || name.eq_ignore_ascii_case(CFACTOR);
            // That of an input is asked for where it is used.
            if let Some(value) = value.filter(|v| used && !input && v.number.is_none()) {
                let instead = if name.eq_ignore_ascii_case(CFACTOR) { 1 } else { 0 };
                found.push(
                    Diagnostic::warning(
                        codes::INITIAL,
                        format!("the value of `{name}` cannot be read: it counts as {instead}"),
                    )
                    .at(value.at, "not a number")
                    .help("values are computed from numbers with + - * / **; give another one here, or with --set"),
                );
            }
            if is_group(name) || input || other || declared.find(name).is_some() {
                continue;
            }
            let warning = Diagnostic::warning(
                codes::UNKNOWN_SPECIES,
                format!("an initial value of `{name}`, which is not declared"),
            );
            let help = did_you_mean(declared.nearest(name), "it is not used; remove it");
            found.push(warning.at(*at, "no species").help(help));
        }
    }
}
