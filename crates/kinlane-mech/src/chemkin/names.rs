//! Finds species by name: exactly, or as CHEMKIN does without regard to case, and the nearest one for remedies.

use std::collections::HashMap;

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

/// The candidate that is fewest edits away from `name`, letters compared without case; at most a third of it differs.
pub(super) fn nearest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let wanted: Vec<char> = name.chars().take(40).map(|c| c.to_ascii_uppercase()).collect();
    let limit = (wanted.len() / 3).max(1);
    let near = candidates.filter_map(|candidate| {
        let other: Vec<char> = candidate.chars().map(|c| c.to_ascii_uppercase()).collect();
        if other.len().abs_diff(wanted.len()) > limit {
            return None;
        }
        let distance = edits(&wanted, &other);
        (distance <= limit && distance < wanted.len()).then_some((distance, candidate))
    });
    near.min_by_key(|&(distance, _)| distance).map(|(_, candidate)| candidate)
}

/// Levenshtein's distance.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        row[0] = left;
        for (j, y) in b.iter().enumerate() {
            let best = (diagonal + usize::from(x != y)).min(left + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = best;
            left = best;
        }
    }
    row[b.len()]
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

    #[test]
    fn nearest_is_near() {
        assert_eq!(nearest("OH0", ["H2O", "OH", "N2"].into_iter()), Some("OH"));
        assert_eq!(nearest("C3H8", ["N2", "AR"].into_iter()), None);
        assert_eq!(nearest("X", ["N"].into_iter()), None);
    }
}
