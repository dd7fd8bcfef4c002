//! Finds species by name: exactly, or without regard to case as CHEMKIN does; or the nearest one, for
//! suggestions.

use std::collections::HashMap;

use super::text::{number, parts, words};
use crate::validate::Suggestions;

/// Most commas that are considered as the end of a name; a name followed by a blank may have more.
const COMMAS: usize = 8;

/// The declared species.
#[derive(Default)]
pub(super) struct Names {
    list: Vec<String>,
    exact: HashMap<String, usize>,
    /// Upper-case names; `None` where several species differ in case only.
    folded: HashMap<String, Option<usize>>,
    /// Lengths of the names that start with a given byte, longest first.
    lengths: HashMap<u8, Vec<usize>>,
    folded_lengths: HashMap<u8, Vec<usize>>,
    suggestions: Suggestions,
}

impl Names {
    /// Adds a name; if it is known already, returns its index as an error.
    pub fn add(&mut self, name: &str) -> Result<usize, usize> {
        if let Some(&known) = self.exact.get(name) {
            return Err(known);
        }
        let index = self.list.len();
        self.list.push(name.to_owned());
        self.exact.insert(name.to_owned(), index);
        let folded = name.to_ascii_uppercase();
        note_length(&mut self.lengths, name);
        note_length(&mut self.folded_lengths, &folded);
        self.folded.entry(folded).and_modify(|i| *i = None).or_insert(Some(index));
        Ok(index)
    }

    /// The species of exactly this name.
    pub fn exact(&self, name: &str) -> Option<usize> {
        self.exact.get(name).copied()
    }

    /// The species of a name, and whether only the case differs.
    pub fn find(&self, name: &str) -> Option<(usize, bool)> {
        if let Some(index) = self.exact(name) {
            return Some((index, false));
        }
        Some((self.folded.get(&name.to_ascii_uppercase()).copied().flatten()?, true))
    }

    /// The name of a species.
    pub fn name(&self, index: usize) -> &str {
        self.list.get(index).map_or("", String::as_str)
    }

    /// All species whose names are at the start of `text`, longest name first: (index, length of the name).
    pub fn starting<'s>(&'s self, text: &'s str, fold: bool) -> impl Iterator<Item = (usize, usize)> + 's {
        let lengths = if fold { &self.folded_lengths } else { &self.lengths };
        let first = text.as_bytes().first().and_then(|byte| lengths.get(byte));
        first.into_iter().flatten().filter_map(move |&length| {
            let head = text.get(..length)?;
            let index = if fold { self.folded.get(head).copied().flatten()? } else { *self.exact.get(head)? };
            Some((index, length))
        })
    }

    /// The (species, number) pairs of data between slashes, at least one; their texts are not checked yet.
    ///
    /// A comma may be part of a name or separate words: the longest declared name before a number is taken.
    pub fn pairs<'t>(&self, data: &'t str) -> Option<Vec<(&'t str, &'t str)>> {
        let mut pairs = Vec::new();
        let mut rest = data.trim_matches(parts);
        while !rest.is_empty() {
            let chunk = rest.split(char::is_whitespace).next()?;
            let ends = chunk.match_indices(',').map(|(i, _)| i).take(COMMAS).chain([chunk.len()]);
            let (name, tail) = ends.filter_map(|end| rest.split_at_checked(end)).max_by_key(|&(name, tail)| {
                (words(tail).next().is_some_and(|word| number(word).is_some()), self.find(name).is_some())
            })?;
            let value = words(tail).next()?;
            pairs.push((name, value));
            rest = tail.trim_start_matches(parts).strip_prefix(value)?.trim_start_matches(parts);
        }
        (!pairs.is_empty()).then_some(pairs)
    }

    /// Whether all of these are declared.
    pub fn know(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.find(name).is_some())
    }

    /// The nearest declared name, by number of edits, if any is near.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        self.suggestions.nearest(name, self.list.iter().map(String::as_str))
    }
}

fn note_length(lengths: &mut HashMap<u8, Vec<usize>>, name: &str) {
    let Some(&first) = name.as_bytes().first() else { return };
    let list = lengths.entry(first).or_default();
    if let Err(place) = list.binary_search_by(|length| name.len().cmp(length)) {
        list.insert(place, name.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_goes_before_folded() {
        let mut names = Names::default();
        for name in ["CO", "Co", "ch4"] {
            assert!(names.add(name).is_ok());
        }
        assert_eq!(names.add("CO"), Err(0));
        assert_eq!(names.find("Co"), Some((1, false)));
        assert_eq!(names.find("co"), None); // ambiguous
        assert_eq!(names.find("CH4"), Some((2, true)));
    }

    #[test]
    fn commas_part_names_from_numbers_or_belong_to_them() {
        let mut names = Names::default();
        for name in ["O", "O,p", "H2", "A,1"] {
            assert!(names.add(name).is_ok());
        }
        let pairs = |data| names.pairs(data).unwrap_or_default();
        assert_eq!(pairs("O,p 0.5"), [("O,p", "0.5")]);
        assert_eq!(pairs(" o,P,0.5,O ,1.,"), [("o,P", "0.5"), ("O", "1.")]);
        assert_eq!(pairs("H2,0.5,O, 1"), [("H2", "0.5"), ("O", "1")]);
        assert_eq!(pairs("A,1 2 O 3"), [("A,1", "2"), ("O", "3")]);
        // For the message: the whole word that is not a name, or the word that is not a number.
        assert_eq!(pairs("O,q 0.5"), [("O,q", "0.5")]);
        assert_eq!(pairs("Q,0.5"), [("Q", "0.5")]);
        assert_eq!(pairs("O,x"), [("O", "x")]);
        for none in ["", " , ", "O", "O 1 H2", "Q,x"] {
            assert_eq!(names.pairs(none), None, "{none}");
        }
    }

    #[test]
    fn longest_name_first() {
        let mut names = Names::default();
        for name in ["C", "CH2", "CH2(S)"] {
            assert!(names.add(name).is_ok());
        }
        assert_eq!(names.starting("CH2(S)+H", false).collect::<Vec<_>>(), [(2, 6), (1, 3), (0, 1)]);
    }
}
