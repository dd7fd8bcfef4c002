//! The meaning of every code, at length and with an example, as shown by `kinlane explain CODE`.

use crate::{chemkin, codes, kpp, musica, reaclib};

/// One section per code, headed by it.
const TEXT: &str = include_str!("explain.md");

/// A code explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code.
    pub code: &'static str,
    /// Its meaning in a few words.
    pub what: &'static str,
    /// The rule, and an example in indented lines.
    pub text: &'static str,
}

/// All codes with their meaning in a few words, in ascending order.
pub fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_formats = [chemkin::codes::TABLE, kpp::codes::TABLE, musica::codes::TABLE, reaclib::codes::TABLE];
    let of_formats = of_formats.into_iter().flatten();
    let mut all: Vec<_> = codes::TABLE.iter().chain(of_formats).copied().collect();
    all.sort_unstable();
    all.into_iter()
}

/// The explanation of a code; upper and lower case do not matter.
pub fn explain(code: &str) -> Option<Explanation> {
    let (code, what) = codes().find(|(known, _)| known.eq_ignore_ascii_case(code))?;
    let text = TEXT.split("\n# ").map(|s| s.strip_prefix("# ").unwrap_or(s)).find_map(|s| s.strip_prefix(code))?;
    Some(Explanation { code, what, text: text.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_once_with_an_example() {
        for (code, _) in codes() {
            let found = explain(&code.to_lowercase()).unwrap_or_else(|| panic!("{code} is not explained"));
            let example = found.text.lines().any(|l| l.starts_with("    "));
            assert!(example && found.text.len() > 50, "{code}: {}", found.text);
        }
        let heads: Vec<&str> = TEXT.lines().filter_map(|l| l.strip_prefix("# ")).collect();
        let known: Vec<&str> = codes().map(|c| c.0).collect();
        assert!(known.is_sorted());
        assert_eq!(heads, known, "the text has the order of the codes, and no others");
    }
}
