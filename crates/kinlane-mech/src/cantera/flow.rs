//! Indentation inside `[...]`, `{...}` and quotes, where it has no meaning.
//!
//! The parser requires lines inside brackets and quotes to be indented deeper than the key that holds them,
//! by blanks. Cantera and yaml-cpp do not, and Cantera writes lists and notes whose lines begin in the column
//! of their key. Here such lines are indented; nothing else is changed.

/// Blanks are not inserted beyond this column, where they would make a file much larger; no mechanism is
/// nested so deep.
const DEEPEST_COLUMN: usize = 100;

/// A text with blanks inserted, and their places.
pub struct Indented {
    /// The text to parse.
    pub text: String,
    /// Blanks that were inserted, in ascending order.
    added: Vec<Added>,
}

/// Blanks that were inserted at one place; all numbers are in characters.
struct Added {
    /// The place in the new text.
    at: usize,
    /// Number of blanks inserted here.
    here: usize,
    /// Number of blanks inserted before.
    before: usize,
}

impl Indented {
    /// The index in the old text of the character at `index` in the new one.
    pub fn original(&self, index: usize) -> usize {
        match self.added[..self.added.partition_point(|a| a.at <= index)].last() {
            Some(a) => index.saturating_sub(a.here).max(a.at) - a.before,
            None => index,
        }
    }
}

/// Indents the lines inside brackets and quotes; `None` if that changes nothing.
pub fn indented(text: &str) -> Option<Indented> {
    let mut scan = Scan { text: text.as_bytes(), at: 0, leads: Vec::new() };
    scan.document();
    if scan.leads.is_empty() {
        return None;
    }
    let mut new = Indented { text: String::with_capacity(text.len() + text.len() / 4), added: Vec::new() };
    let (mut from, mut characters, mut before) = (0, 0, 0);
    for lead in &scan.leads {
        let piece = text.get(from..lead.start)?;
        new.text.push_str(piece);
        new.text.extend(std::iter::repeat_n(' ', lead.wanted));
        let (old, here) = (lead.end - lead.start, lead.wanted - (lead.end - lead.start));
        characters += piece.chars().count() + old;
        if here > 0 {
            new.added.push(Added { at: characters, here, before });
        }
        (characters, before, from) = (characters + here, before + here, lead.end);
    }
    new.text.push_str(text.get(from..)?);
    Some(new)
}

/// The blanks at the start of a line, and the larger or equal number of blanks that replaces them.
struct Lead {
    start: usize,
    end: usize,
    wanted: usize,
}

/// Reads as much of YAML as is needed to know what is inside brackets. Every byte is examined once or twice.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
    leads: Vec<Lead>,
}

/// A blank, the end of a line or of the text.
fn is_gap(c: Option<u8>) -> bool {
    matches!(c, None | Some(b' ' | b'\t' | b'\n' | b'\r'))
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&self) -> Option<u8> {
        self.text.get(self.at + 1).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn at_line_end(&self) -> bool {
        matches!(self.peek(), None | Some(b'\n' | b'\r'))
    }

    /// Moves to the first byte of the next line.
    fn skip_line(&mut self) {
        while let Some(c) = self.peek() {
            self.at += 1;
            if c == b'\n' {
                break;
            }
        }
    }

    /// `---` or `...` at the start of a line.
    fn at_document_mark(&self) -> bool {
        let rest = &self.text[self.at..];
        (rest.starts_with(b"---") || rest.starts_with(b"...")) && is_gap(rest.get(3).copied())
    }

    /// Skips lines that belong to a scalar of several lines, whose parent begins in column `parent`.
    fn skip_deeper(&mut self, parent: isize) {
        while self.at < self.text.len() {
            let start = self.at;
            self.blanks();
            let deeper = (self.at - start) as isize > parent;
            let ends = !(deeper || self.at_line_end());
            self.at = start;
            if ends || self.at_document_mark() {
                return;
            }
            self.skip_line();
        }
    }

    fn document(&mut self) {
        // The column of the key or dash that holds what follows.
        let mut parent = -1;
        while self.at < self.text.len() {
            let start = self.at;
            if self.at_document_mark() {
                (parent, self.at) = (-1, self.at + 3);
            }
            if self.block_line(start, &mut parent).is_none() {
                return;
            }
        }
    }

    /// A line outside of brackets, with the brackets and scalars that begin in it. `None` if one of them has
    /// no end.
    fn block_line(&mut self, start: usize, parent: &mut isize) -> Option<()> {
        loop {
            self.blanks();
            let from = self.at;
            match self.peek() {
                _ if self.at_line_end() => break,
                Some(b'#') => break,
                Some(b'-' | b'?' | b':') if is_gap(self.next()) => {
                    *parent = (from - start) as isize;
                    self.at += 1;
                    continue;
                }
                // Properties of what follows.
                Some(b'&' | b'!') => {
                    while !is_gap(self.peek()) {
                        self.at += 1;
                    }
                    continue;
                }
                Some(b'[' | b'{') => self.enclosed(*parent, Self::brackets)?,
                Some(quote @ (b'"' | b'\'')) => self.enclosed(*parent, |scan, wanted| scan.quoted(quote, wanted))?,
                Some(b'|' | b'>') => {
                    self.skip_line();
                    self.skip_deeper(*parent);
                    return Some(());
                }
                _ => {
                    while !self.at_line_end() {
                        let comment = self.peek() == Some(b'#') && is_gap(self.text.get(self.at - 1).copied());
                        if comment || (self.peek() == Some(b':') && is_gap(self.next())) {
                            break;
                        }
                        self.at += 1;
                    }
                    if self.peek() != Some(b':') {
                        self.skip_line();
                        self.skip_deeper(*parent);
                        return Some(());
                    }
                }
            }
            // Was that a key?
            self.blanks();
            if self.peek() != Some(b':') {
                break;
            }
            *parent = (from - start) as isize;
            self.at += 1;
        }
        self.skip_line();
        Some(())
    }

    /// Moves from an opening bracket or quote to behind the closing one, and indents the lines between by at
    /// least two columns more than their parent; `None`, and no change, if there is no closing one.
    fn enclosed(&mut self, parent: isize, inside: impl FnOnce(&mut Self, usize) -> Option<()>) -> Option<()> {
        let known = self.leads.len();
        let wanted = (parent + 2) as usize;
        let closed = (wanted <= DEEPEST_COLUMN).then_some(wanted).and_then(|wanted| inside(self, wanted));
        if closed.is_none() {
            self.leads.truncate(known);
        }
        closed
    }

    fn brackets(&mut self, wanted: usize) -> Option<()> {
        let mut depth = 0usize;
        // Whether a plain scalar has begun, within which quotes are ordinary characters.
        let mut plain = false;
        loop {
            let c = self.peek()?;
            match c {
                b'[' | b'{' => {
                    depth += 1;
                    plain = false;
                }
                b']' | b'}' => {
                    depth -= 1;
                    plain = false;
                }
                b',' => plain = false,
                b':' if !plain
                    || is_gap(self.next())
                    || matches!(self.next(), Some(b',' | b'[' | b']' | b'{' | b'}')) =>
                {
                    plain = false;
                }
                b'"' | b'\'' if !plain => {
                    self.quoted(c, wanted)?;
                    continue;
                }
                b'#' if is_gap(self.text.get(self.at.wrapping_sub(1)).copied()) => {
                    while !self.at_line_end() {
                        self.at += 1;
                    }
                    continue;
                }
                b'&' | b'!' if !plain => {
                    while !is_gap(self.peek()) && !matches!(self.peek(), Some(b',' | b'[' | b']' | b'{' | b'}')) {
                        self.at += 1;
                    }
                    continue;
                }
                b'\n' => {
                    self.at += 1;
                    self.lead(wanted)?;
                    continue;
                }
                b' ' | b'\t' | b'\r' => {}
                _ => plain = true,
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// The start of a line inside brackets or quotes; `None` if a new document begins there.
    fn lead(&mut self, wanted: usize) -> Option<()> {
        let start = self.at;
        if self.at_document_mark() {
            return None;
        }
        self.blanks();
        let there = self.at - start;
        if !self.at_line_end() && (there < wanted || self.text[start..self.at].contains(&b'\t')) {
            self.leads.push(Lead { start, end: self.at, wanted: there.max(wanted) });
        }
        Some(())
    }

    /// A quoted scalar, whose lines should begin in column `wanted`: the blanks before them are not part of
    /// it.
    fn quoted(&mut self, quote: u8, wanted: usize) -> Option<()> {
        self.at += 1;
        loop {
            let c = self.peek()?;
            self.at += 1;
            match c {
                b'\n' => self.lead(wanted)?,
                // The next character is literal, even a quote; ends of lines are handled above.
                b'\\' if quote == b'"' && self.peek() != Some(b'\n') => self.at += 1,
                b'\'' if quote == b'\'' && self.peek() == Some(b'\'') => self.at += 1,
                _ if c == quote => return Some(()),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(text: &str) -> String {
        indented(text).map_or(text.to_owned(), |n| n.text)
    }

    #[test]
    fn lines_in_brackets_are_indented() {
        assert_eq!(new("a: [1,\n2]\n"), "a: [1,\n  2]\n");
        assert_eq!(new("- a:\n  - [1,\n  2,\n\t3, # [\n\n4]\n"), "- a:\n  - [1,\n    2,\n    3, # [\n\n    4]\n");
        assert_eq!(
            new("- b: {c: \"[\n'\\\"\", d: '['''\n, e: f]g'\n}\n- h"),
            "- b: {c: \"[\n    '\\\"\", d: '['''\n    , e: f]g'\n}\n- h"
        );
        assert_eq!(new("[a,\n\tb\n]"), "[a,\n b\n ]");
        assert_eq!(new("  k: &n !t [a,\n b] # c\n"), "  k: &n !t [a,\n    b] # c\n");
    }

    #[test]
    fn lines_in_quotes_are_indented() {
        assert_eq!(new("- a: \"b\n  c\\\"\nd\n\n  e\"\n  f: g\n"), "- a: \"b\n    c\\\"\n    d\n\n    e\"\n  f: g\n");
        assert_eq!(new("a: 'b''\nc'\nd: \"e\\\n\tf\"\n"), "a: 'b''\n  c'\nd: \"e\\\n  f\"\n");
    }

    #[test]
    fn other_lines_are_left_alone() {
        for text in [
            "a: |\n  [b,\n c\n  d]\n",
            "- >-\n [b,\n\n d]\n",
            "a: b [c\nd: e]\n",
            "a: b\n  [c\n d\n e: f]\n",
            "a: # [\nb: ]\n",
            "a: \"[\n  b\"\n",
            "a: 'it''s [\n  b'\n",
            "a: \"b\nc: d\n",
            "a: [b\nc: d\n",
            "a: [b\n---\nc]\n",
            "a: [b,\n   c]\n",
            "---\na: b\n...\n",
            "",
        ] {
            assert_eq!(new(text), text);
        }
    }

    #[test]
    fn places_are_those_of_the_old_text() {
        let old = "\u{e9}: [1,\n2, \u{e9}\u{e9},\n\t3,\n4,\n     5]\nb";
        let new = indented(old).unwrap();
        let (old, characters): (Vec<char>, Vec<char>) = (old.chars().collect(), new.text.chars().collect());
        for (i, c) in characters.iter().enumerate().filter(|(_, c)| !c.is_whitespace()) {
            assert_eq!(old[new.original(i)], *c, "{i}");
        }
        assert!((1..=characters.len()).all(|i| new.original(i - 1) <= new.original(i)));
        assert_eq!(new.original(characters.len()), old.len());
    }
}
