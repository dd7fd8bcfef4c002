//! Stretches of text that know where they are, and what is wrong within them.

use super::codes;
use crate::{Diagnostic, Span};

/// A stretch of a file whose comments are blanked, so that every byte is where it is in the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    /// The number of the file in [`crate::Sources`]; 0 for the library of rate functions, which has no place.
    pub file: u32,
    /// Where it starts in the file.
    pub start: usize,
    /// Its text.
    pub text: String,
}

impl Part {
    /// The place of a stretch of it.
    pub fn span(&self, from: usize, to: usize) -> Span {
        if self.file == 0 {
            return Span::default();
        }
        Span { file: self.file, start: (self.start + from) as u32, end: (self.start + to.max(from)) as u32 }
    }

    /// The place of all of it but blanks at its ends.
    pub fn place(&self) -> Span {
        let from = self.text.len() - self.text.trim_start().len();
        self.span(from, self.text.trim_end().len())
    }

    /// The place of its first line that is not blank.
    pub fn first_line(&self) -> Span {
        let from = self.text.len() - self.text.trim_start().len();
        let line = self.text.get(from..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        self.span(from, from + line.trim_end().len())
    }

    /// A stretch of it; empty if there is no such one.
    pub fn cut(&self, from: usize, to: usize) -> Self {
        let text = self.text.get(from..to).unwrap_or_default().to_owned();
        Self { file: self.file, start: self.start + from, text }
    }

    /// Its pieces between semicolons; the last one is what is behind the last semicolon.
    pub fn pieces(&self) -> Vec<Self> {
        let mut from = 0;
        let mut pieces = Vec::new();
        for piece in self.text.split(';') {
            pieces.push(self.cut(from, from + piece.len()));
            from += piece.len() + 1;
        }
        pieces
    }

    /// Its entries, `NO2 = N + 2O ;`. Where a semicolon is missing, `example` shows one: a second `=` belongs to another entry, on a
    /// line of its own. `bare`: an entry may be a name alone; otherwise the last one without `=` is wrong for that.
    pub fn entries(&self, of: &str, bare: bool, example: &str, found: &mut Vec<Diagnostic>) -> Vec<Self> {
        let (pieces, mut all) = (self.pieces(), Vec::new());
        let last = pieces.len().saturating_sub(1);
        for (i, piece) in pieces.into_iter().enumerate().filter(|(_, piece)| !piece.text.trim().is_empty()) {
            let mut from = 0;
            let mut rest = piece.text.as_str();
            while let Some(end) = rest.split_once('=').and_then(|(first, behind)| {
                let next = behind.find('=')?;
                Some(first.len() + 1 + behind.get(..next)?.trim_end().rfind('\n')?)
            }) {
                let entry = piece.cut(from, from + end);
                found.push(entry.unended(of, example));
                all.push(entry);
                from += end;
                rest = rest.get(end..).unwrap_or_default();
            }
            if i == last && (bare || rest.contains('=')) {
                found.push(piece.unended(of, example));
            }
            all.push(piece.cut(from, piece.text.len()));
        }
        all
    }

    /// A finding: there is no semicolon behind it.
    pub fn unended(&self, of: &str, example: &str) -> Diagnostic {
        let end = self.text.trim_end().len();
        Diagnostic::error(codes::SEMICOLON, format!("a semicolon is missing behind {of}"))
            .at(self.span(end, end), "`;` is expected here")
            .help(format!("write `{example}`"))
    }
}

/// What is wrong with a stretch of a part.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    /// First byte within the part.
    pub from: usize,
    /// One past the last byte.
    pub to: usize,
    /// Code of the finding.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// A few words at the place.
    pub label: String,
    /// The remedy.
    pub help: String,
}

impl Fault {
    /// The finding.
    pub fn found(self, part: &Part) -> Diagnostic {
        let Self { from, to, code, message, label, help } = self;
        Diagnostic::error(code, message).at(part.span(from, to), label).help(help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every entry is cut once: with a copy of all that is behind each of them, this would take a minute.
    #[test]
    fn entries_do_not_copy_what_is_behind_them() {
        let text = "A = 1\n".repeat(20_000) + &" ".repeat(20_000_000);
        let (part, mut found) = (Part { file: 1, start: 7, text }, Vec::new());
        let start = std::time::Instant::now();
        let all = part.entries("an entry", false, "A = 1 ;", &mut found);
        assert!(start.elapsed().as_secs() < 10);
        assert_eq!((all.len(), found.len()), (20_000, 20_000));
        let third = all.get(2).map(|entry| (entry.text.as_str(), entry.place()));
        assert_eq!(third, Some(("\nA = 1", Span { file: 1, start: 19, end: 24 })));
    }
}
