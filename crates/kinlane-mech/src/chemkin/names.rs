//! Finds species by name: exactly, or as CHEMKIN does without regard to case, and the nearest one for remedies.

use std::collections::HashMap;

use crate::validate::nearest;

/// The declared species.
#[derive(Default)]
pub(super) struct Names {
    list: Vec<String>,
    exact: HashMap<String, usize>,
    /// Upper-case names; `None` where several species differ in case only.
    folded: HashMap<String, Option<usize>>,
    /// Lengths of the names that start with a byte, longest first.
    lengths: HashMap<u8, Vec<usize>>,
    folded_lengths: HashMap<u8, Vec<usize>>,
}

impl Names {
    /// Adds a name, or gives the index under which it is known.
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

    /// The species of a name; the flag says that only the case differs.
    pub fn find(&self, name: &str) -> Option<(usize, bool)> {
        if let Some(&index) = self.exact.get(name) {
            return Some((index, false));
        }
        Some((self.folded.get(&name.to_ascii_uppercase()).copied().flatten()?, true))
    }

    /// All species whose names start `text`, longest name first: (index, length of the name).
    pub fn starting<'s>(&'s self, text: &'s str, fold: bool) -> impl Iterator<Item = (usize, usize)> + 's {
        let lengths = if fold { &self.folded_lengths } else { &self.lengths };
        let first = text.as_bytes().first().and_then(|byte| lengths.get(byte));
        first.into_iter().flatten().filter_map(move |&length| {
            let head = text.get(..length)?;
            let index = if fold { self.folded.get(head).copied().flatten()? } else { *self.exact.get(head)? };
            Some((index, length))
        })
    }

    /// The declared name that is fewest edits away, if it is near at all.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.list.iter().map(String::as_str))
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
        assert_eq!(names.find("co"), None); // could be either
        assert_eq!(names.find("CH4"), Some((2, true)));
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
