//! The species of a phase by name, as reactions look them up.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::input::Input;
use crate::validate::Suggestions;
use crate::{Diagnostic, Span, codes};

/// The species of the phase and its options.
pub struct Gas {
    /// Names by index.
    names: Vec<String>,
    /// Index by name.
    index: HashMap<String, usize>,
    /// Index by lower-case name, where that is unique.
    folded: HashMap<String, Option<usize>>,
    /// Names in the wrong case that have been reported.
    told: RefCell<HashSet<String>>,
    suggestions: Suggestions,
    /// `skip-undeclared-third-bodies`.
    pub skip_third_bodies: bool,
    /// Reactions that may have a negative pre-exponential factor, by index.
    pub negative_a: Vec<usize>,
    /// Whether some reactions had errors.
    pub incomplete: bool,
}

impl Gas {
    /// A gas of these species.
    pub fn new(names: Vec<String>, skip_third_bodies: bool) -> Self {
        let index = names.iter().enumerate().map(|(i, name)| (name.clone(), i)).collect();
        let mut folded = HashMap::new();
        for (i, name) in names.iter().enumerate() {
            // A name in the wrong case is understood if there is only one candidate.
            folded.entry(name.to_lowercase()).and_modify(|k| *k = None).or_insert(Some(i));
        }
        let (told, suggestions) = (RefCell::default(), Suggestions::default());
        Self { names, index, folded, told, suggestions, skip_third_bodies, negative_a: Vec::new(), incomplete: false }
    }

    /// The index of a name, if need be in another case.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied().or_else(|| self.folded.get(&name.to_lowercase()).copied().flatten())
    }

    /// As [`Self::look`], for a word of an equation.
    pub fn look_in(&self, equation: Span, name: &str, input: &mut Input) -> Option<usize> {
        let at = if self.index.contains_key(name) { equation } else { input.word(equation, name) };
        self.look(name, at, &mut input.found)
    }

    /// As [`Self::find`], and reports if only the case differs.
    pub fn look(&self, name: &str, at: Span, found: &mut Vec<Diagnostic>) -> Option<usize> {
        let k = self.find(name)?;
        if !self.index.contains_key(name) && self.told.borrow_mut().insert(name.to_owned()) {
            let declared = self.names.get(k).map_or("", String::as_str);
            found.push(
                Diagnostic::warning(codes::CASE, format!("species `{name}` is declared as `{declared}`"))
                    .at(at, "taken to be the same species")
                    .help(format!("write `{declared}`")),
            );
        }
        Some(k)
    }

    /// A finding: a mapping has a species in two spellings, which are different keys for YAML.
    pub fn twice(&self, what: &str, k: usize, at: Span, first: Span) -> Diagnostic {
        let name = self.names.get(k).map_or("", String::as_str);
        Diagnostic::warning(codes::REPEATED, format!("the {what} of `{name}` is given twice"))
            .at(at, "this one is used")
            .at(first, "first here")
            .help("remove one of them")
    }

    /// A finding: `what` names a species that is not there.
    pub fn unknown(&self, name: &str, at: Span, what: &str) -> Diagnostic {
        let d = Diagnostic::error(codes::UNKNOWN_SPECIES, format!("{what} names a species that is not declared"))
            .at(at, format!("no species `{name}`"));
        let mut parts = name.split('+').filter(|p| !p.is_empty());
        if name.contains('+') && parts.clone().count() > 1 && parts.all(|p| self.find(p).is_some()) {
            return d.help("put spaces around `+`, which may be part of a name");
        }
        let bare = name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if bare.len() < name.len() && (self.find(bare).is_some() || bare == "M") {
            let number = name.strip_suffix(bare).unwrap_or("");
            return d.help(format!("put a space behind the coefficient: `{number} {bare}`"));
        }
        if let Some((before, inside)) = name.split_once("(+").filter(|parts| self.find(parts.0).is_some()) {
            return d.help(format!("put a space before the bracket: `{before} (+{inside}`"));
        }
        if name == "m" {
            return d.help("any collider is written `M`");
        }
        match self.suggestions.nearest(name, self.names.iter().map(String::as_str)) {
            Some(close) => d.help(format!("did you mean `{close}`?")),
            None => d,
        }
    }
}
