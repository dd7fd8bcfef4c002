//! The unit words of `REACTIONS` lines and `UNITS` data.

use super::codes;
use super::findings::Findings;
use super::text::Text;
use crate::units::{Defaults, Measure};

/// The units of the numbers of a reaction; lengths are always in cm.
#[derive(Debug, Clone)]
pub(super) struct Units(Defaults);

/// What to write in the place of a word that is no unit.
pub(super) const HELP: &str =
    "units are CAL/MOLE, KCAL/MOLE, JOULES/MOLE, KJOULES/MOLE, KELVINS, EVOLTS, MOLES and MOLECULES";

/// Reports two words that contradict each other.
pub(super) fn contradiction(text: Text<'_>, first: &str, second: &str, findings: &mut Findings) {
    findings
        .error(
            codes::TWO_UNITS,
            text.span(second),
            format!("`{first}` and `{second}` are two units for one quantity"),
            "this one",
            "keep the one that the numbers are in",
        )
        .labels
        .push((text.span(first), "and this one".into()));
}

impl Default for Units {
    fn default() -> Self {
        let mut units = Self(Defaults::default());
        [("length", "cm"), MOLES, CALORIES].into_iter().for_each(|word| units.apply(word));
        units
    }
}

/// The word that was probably meant; CHEMKIN compares the first four letters.
pub(super) fn nearest(upper: &str) -> Option<&'static str> {
    let upper = upper.trim_matches(['(', ')', '[', ']', '"', '\'', ',', ';']);
    if let Some(word) = WORDS.into_iter().find(|word| *word == upper) {
        return Some(word);
    }
    let energy = upper.split('/').next();
    if let Some((_, meant)) = ABBREVIATED.iter().find(|(short, _)| energy == Some(*short)) {
        return Some(meant);
    }
    let start = upper.get(..4);
    let same: Vec<_> = WORDS.into_iter().filter(|word| start.is_some() && word.get(..4) == start).collect();
    let likest = || same.iter().copied().min_by_key(|word| strsim::osa_distance(word, upper));
    crate::validate::nearest(upper, same.iter().copied())
        .or_else(likest)
        .or_else(|| crate::validate::nearest(upper, WORDS))
}

/// A word's meaning: a kind of unit, and a unit of it, by the names of [`Defaults::set`].
pub(super) type Word = (&'static str, &'static str);

const MOLES: Word = ("quantity", "mol");
const CALORIES: Word = ("activation-energy", "cal/mol");

/// Every spelling; where one is the start of another, the longer comes first. CHEMKIN itself compares the
/// first four letters.
pub(super) const WORDS: [&str; 45] = [
    "KCAL/MOLES",
    "KCAL/MOLE",
    "KCAL/MOL",
    "KCAL/GMOL",
    "KCAL",
    "CAL/MOLES",
    "CAL/MOLE",
    "CAL/MOL",
    "CAL/GMOL",
    "CAL/",
    "CAL",
    "KJOULES/MOLES",
    "KJOULES/MOLE",
    "KJOULES/MOL",
    "KJOULES",
    "KJOULE/MOLES",
    "KJOULE/MOLE",
    "KJOULE/MOL",
    "KJOULE",
    "KJOU/MOLE",
    "KJOU/MOL",
    "KJOU",
    "JOULES/MOLES",
    "JOULES/MOLE",
    "JOULES/MOL",
    "JOULES",
    "JOULE/MOLES",
    "JOULE/MOLE",
    "JOULE/MOL",
    "JOULE",
    "JOUL/MOLE",
    "JOUL/MOL",
    "JOUL",
    "KELVINS",
    "KELVIN",
    "KELV",
    "EVOLTS",
    "EVOLT",
    "EVOL",
    "MOLECULES",
    "MOLECULE",
    "MOLEC",
    "MOLES",
    "MOLE",
    "MOL",
];

/// Common abbreviations of units of energy, which CHEMKIN does not know.
const ABBREVIATED: [(&str, &str); 4] =
    [("KJ", "KJOULES/MOLE"), ("J", "JOULES/MOLE"), ("EV", "EVOLTS"), ("K", "KELVINS")];

/// Whether a word in upper case belongs behind REACTIONS and does not matter.
pub(super) fn is_silent(text: &str) -> bool {
    matches!(text, "ALL" | "MWON" | "MWOFF") || text.starts_with("MAXSP=")
}

/// The meaning of a unit word in upper case.
pub(super) fn word(text: &str) -> Option<Word> {
    if !WORDS.contains(&text) {
        return None;
    }
    let energy = |unit| ("activation-energy", unit);
    Some(match text {
        _ if text.starts_with("KCAL") => energy("kcal/mol"),
        _ if text.starts_with("CAL") => CALORIES,
        _ if text.starts_with("KJOU") => energy("kJ/mol"),
        _ if text.starts_with("JOUL") => energy("J/mol"),
        _ if text.starts_with("KELV") => energy("K"),
        _ if text.starts_with("EVOL") => energy("eV"),
        _ if text.starts_with("MOLEC") => ("quantity", "molec"),
        _ => MOLES,
    })
}

/// What the words of one list have set so far.
#[derive(Default)]
pub(super) struct Said<'a>(Vec<(&'a str, Word)>);

impl Units {
    /// Applies a word. Returns the earlier word that it contradicts, if any.
    pub fn set<'a>(&mut self, text: &'a str, word: Word, said: &mut Said<'a>) -> Option<&'a str> {
        self.apply(word);
        let before = said.0.iter().rev().find(|(_, other)| other.0 == word.0).filter(|(_, other)| *other != word);
        let before = before.map(|(text, _)| *text);
        said.0.push((text, word));
        before
    }

    fn apply(&mut self, (kind, unit): Word) {
        // A test ensures that all of them are known.
        let _ = self.0.set(kind, unit);
    }

    /// The factor of rate constants of an order to SI.
    pub fn factor(&self, order: f64) -> f64 {
        self.0.factor(Measure::Rate(order))
    }

    /// The unit of energy \[K\].
    pub fn energy(&self) -> f64 {
        self.0.factor(Measure::Activation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_means_something() {
        for text in WORDS {
            let known = word(text).map(|(kind, unit)| Defaults::default().set(kind, unit));
            assert_eq!(known, Some(Ok(())), "{text}");
        }
        assert_eq!(word("MOLECULES"), Some(("quantity", "molec")));
        assert_eq!(word("MOLES"), Some(MOLES));
        assert_eq!(word("SPAM"), None);
    }

    #[test]
    fn factors() {
        let mut units = Units::default();
        assert_eq!(units.factor(1.0), 1.0);
        assert!((units.factor(2.0) - 1e-6).abs() < 1e-21);
        units.apply(("quantity", "molec"));
        assert!((units.factor(2.0) / 6.022_140_76e17 - 1.0).abs() < 1e-15);
    }
}
