//! The unit words of `REACTIONS` lines and `UNITS` data.

use super::codes;
use super::findings::Findings;
use super::text::Text;
use crate::network::{AVOGADRO, BOLTZMANN, CALORIE, ELECTRON_VOLT, GAS_CONSTANT};

/// The units of the numbers of a reaction; lengths are always in cm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Units {
    /// The unit of energy \[K\].
    pub energy: f64,
    /// Whether amounts are in molecules instead of moles.
    pub molecules: bool,
}

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
        Self { energy: CALORIE / GAS_CONSTANT, molecules: false }
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

/// A word's meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Word {
    /// A unit of energy \[K\].
    Energy(f64),
    /// Molecules, or moles.
    Molecules(bool),
}

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

/// The meaning of a unit word in upper case.
pub(super) fn word(text: &str) -> Option<Word> {
    if !WORDS.contains(&text) {
        return None;
    }
    Some(match text {
        _ if text.starts_with("KCAL") => Word::Energy(1e3 * CALORIE / GAS_CONSTANT),
        _ if text.starts_with("CAL") => Word::Energy(CALORIE / GAS_CONSTANT),
        _ if text.starts_with("KJOU") => Word::Energy(1e3 / GAS_CONSTANT),
        _ if text.starts_with("JOUL") => Word::Energy(1.0 / GAS_CONSTANT),
        _ if text.starts_with("KELV") => Word::Energy(1.0),
        _ if text.starts_with("EVOL") => Word::Energy(ELECTRON_VOLT / BOLTZMANN),
        _ => Word::Molecules(text.starts_with("MOLEC")),
    })
}

/// What the words of one list have set so far.
#[derive(Default)]
pub(super) struct Said<'a> {
    energy: Option<(&'a str, f64)>,
    molecules: Option<(&'a str, bool)>,
}

impl Units {
    /// Applies a word. Returns the earlier word that it contradicts, if any.
    pub fn set<'a>(&mut self, text: &'a str, word: Word, said: &mut Said<'a>) -> Option<&'a str> {
        fn other<'a, T: Copy + PartialEq>(said: &mut Option<(&'a str, T)>, text: &'a str, new: T) -> Option<&'a str> {
            let before = said.replace((text, new)).filter(|before| before.1 != new);
            before.map(|before| before.0)
        }
        match word {
            Word::Energy(kelvin) => {
                self.energy = kelvin;
                other(&mut said.energy, text, kelvin)
            }
            Word::Molecules(molecules) => {
                self.molecules = molecules;
                other(&mut said.molecules, text, molecules)
            }
        }
    }

    /// The factor from cm, s and these amounts to (m³/mol)ⁿ⁻¹/s.
    pub fn factor(&self, order: f64) -> f64 {
        // A cm³ is 1e-6 m³; dividing by 1e6ⁿ keeps every digit where n is whole.
        let n = order - 1.0;
        let amount = if self.molecules { AVOGADRO.powf(n) } else { 1.0 };
        if n >= 0.0 { amount / 1e6f64.powf(n) } else { amount * 1e6f64.powf(-n) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_means_something() {
        for text in WORDS {
            assert!(word(text).is_some(), "{text}");
        }
        assert_eq!(word("MOLECULES"), Some(Word::Molecules(true)));
        assert_eq!(word("MOLES"), Some(Word::Molecules(false)));
        assert_eq!(word("SPAM"), None);
    }

    #[test]
    fn factors() {
        let mut units = Units::default();
        assert_eq!(units.factor(1.0), 1.0);
        assert!((units.factor(2.0) - 1e-6).abs() < 1e-21);
        units.set("MOLECULES", Word::Molecules(true), &mut Said::default());
        assert!((units.factor(2.0) / 6.022_140_76e17 - 1.0).abs() < 1e-15);
    }
}
