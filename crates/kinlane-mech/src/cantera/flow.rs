//! Indentation inside `[...]`, `{...}` and quotes, where it means nothing.
//!
//! The parser wants lines inside brackets and quotes indented deeper than what holds them, by blanks. Cantera and
//! yaml-cpp do not, and Cantera writes lists and notes whose lines begin where their key does. Here such lines are
//! indented; nothing else changes.

/// Blanks put in beyond this column would make a file much larger; no mechanism is nested so deep.
const DEEPEST_COLUMN: usize = 100;

/// A text with more blanks, and where they are.
pub struct Indented {
    /// The text to parse.
    pub text: String,
    /// Blanks that were put in, ascending.
    added: Vec<Added>,
}

/// Blanks that were put in at one place; all in characters.
struct Added {
    /// Where, in the new text.
    at: usize,
    /// How many here.
    here: usize,
    /// How many before.
    before: usize,
}

impl Indented {
    /// The character of the old text that is at `index` in the new one.
    pub fn original(&self, index: usize) -> usize {
        match self.added[..self.added.partition_point(|a| a.at <= index)].last() {
            Some(a) => index.saturating_sub(a.here).max(a.at) - a.before,
            None => index,
        }
    }
}

/// Indents the lines inside brackets and quotes; `None` where that changes nothing.
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

/// The blanks that lead a line, and how many are wanted instead: as many or more.
struct Lead {
    start: usize,
    end: usize,
    wanted: usize,
}

/// Reads as much of YAML as it takes to know what is inside brackets. Every byte is looked at once or twice.
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

    /// To the first byte of the next line.
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

    /// Skips lines that belong to a scalar of more than one line, whose parent begins in column `parent`.
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
        // The column of the key or dash that holds what comes next.
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

    /// A line outside of brackets, with the brackets and scalars that begin in it. `None`: something has no end.
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

    /// From an opening bracket or quote to behind the one that closes it, with lines at least two columns behind what
    /// holds them; `None` and no change if there is none.
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
        // Whether a plain scalar has begun, in which quotes are letters.
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

    /// The start of a line inside brackets or quotes; `None` where a new document begins.
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

    /// A quoted scalar, whose lines are wanted at a column: the blanks that lead them are no part of it.
    fn quoted(&mut self, quote: u8, wanted: usize) -> Option<()> {
        self.at += 1;
        loop {
            let c = self.peek()?;
            self.at += 1;
            match c {
                b'\n' => self.lead(wanted)?,
                // What follows is a letter, also a quote; the end of a line is looked at above.
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
