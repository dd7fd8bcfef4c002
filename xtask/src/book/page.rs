//! The blocks of code of a Markdown page.
//!
//! - `sh` and `python` blocks run, one after another, in one folder of the page's own. Those inside an HTML comment run
//!   too, unseen: they draw diagrams, or check what the page claims.
//! - `sh,slow` runs only where it is asked for; `sh,ignore` never does, and the line above it says why, in a comment.
//! - `text,output` is what the block above it prints; `…` stands for anything.
//! - `rust` blocks are tests of the crate `kinlane` (`crates/kinlane/src/book.rs`).

use std::ops::Range;

/// A block between fences.
#[derive(Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// What follows the fence, at commas.
    pub words: Vec<&'a str>,
    /// The text between the fences.
    pub text: &'a str,
    /// Where the text stands in the page.
    pub place: Range<usize>,
    /// Line of the opening fence, from 1.
    pub line: usize,
    /// The line above the fence.
    pub above: &'a str,
}

impl Block<'_> {
    /// The language, empty where none is given.
    pub fn language(&self) -> &str {
        self.words.first().copied().unwrap_or_default()
    }

    /// Whether the word follows the language.
    pub fn is(&self, word: &str) -> bool {
        self.words.iter().skip(1).any(|w| *w == word)
    }

    /// Whether it holds commands.
    pub fn runs(&self) -> bool {
        matches!(self.language(), "sh" | "python")
    }

    /// Whether it says what the block above prints.
    pub fn is_output(&self) -> bool {
        self.language() == "text" && self.is("output")
    }
}

/// All blocks, in order.
pub fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut out = Vec::new();
    let mut open: Option<(Vec<&str>, usize, usize, &str)> = None;
    let (mut at, mut above) = (0, "");
    for (i, full) in page.split_inclusive('\n').enumerate() {
        let line = full.trim_end();
        match (&open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                open = Some((info.split(',').map(str::trim).collect(), at + full.len(), i + 1, above))
            }
            (Some((words, start, line, above)), Some("")) => {
                let place = *start..at;
                out.push(Block { words: words.clone(), text: &page[place.clone()], place, line: *line, above });
                open = None;
            }
            _ => {}
        }
        at += full.len();
        above = line;
    }
    out
}

/// Whether `printed` is as `wanted` says, `…` in it standing for anything.
pub fn matches(wanted: &str, printed: &str) -> bool {
    let lines = |s: &str| s.trim().lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let (wanted, printed) = (lines(wanted), lines(printed));
    let mut parts = wanted.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(i) => rest = &rest[i + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_with_their_words() {
        let page = "a\n```sh,slow\none\n```\n<!--\n```python\ntwo\n\n```\n-->\n```\nplain\n```\n";
        let found = blocks(page);
        let seen: Vec<_> = found.iter().map(|b| (b.language(), b.is("slow"), b.text, b.line, b.above)).collect();
        let want =
            [("sh", true, "one\n", 2, "a"), ("python", false, "two\n\n", 6, "<!--"), ("", false, "plain\n", 11, "-->")];
        assert_eq!(seen, want);
        assert!(found.iter().all(|b| &page[b.place.clone()] == b.text));
    }

    #[test]
    fn dots_stand_for_anything() {
        assert!(matches("a b", "a b  \n"));
        assert!(matches("a … c\n…", "a bb c\nmore\n"));
        assert!(matches("…", ""));
        assert!(!matches("a … c", "a b d"));
        assert!(!matches("a", "a b"));
        assert!(!matches("a … b … b", "a b"));
    }
}
