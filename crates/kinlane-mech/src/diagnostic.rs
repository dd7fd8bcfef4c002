//! Findings of readers about a file: facts with places, rendered as text in a single module.

use crate::words::SHOWN;
use std::sync::Arc;

/// A stretch of one source text, in bytes. `Span::default()` is "no place".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Span {
    /// Index into [`Sources`], counted from 1; 0 is "no place".
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The lines of a text of this number, each with its place, which ends before blanks at its end.
    pub(crate) fn lines(text: &str, file: u32) -> impl Iterator<Item = (&str, Self)> {
        let mut start = 0;
        text.split('\n').map(move |line| {
            let at = Self { file, start, end: start + line.trim_end().len() as u32 };
            start += line.len() as u32 + 1;
            (line, at)
        })
    }
}

/// A line of a text, and its place.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub text: &'a str,
    pub at: Span,
}

impl<'a> Line<'a> {
    /// The lines of a text of this number.
    pub fn all(text: &'a str, file: u32) -> impl Iterator<Item = Self> {
        Span::lines(text, file).map(|(text, at)| Self { text, at })
    }

    /// Those that are not blank and no comments.
    pub fn telling(text: &'a str, file: u32) -> impl Iterator<Item = Self> {
        Self::all(text, file).filter(|line| !line.text.trim().is_empty() && !line.text.trim_start().starts_with('#'))
    }

    /// An error in the line.
    pub fn fault(self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, message).at(self.at, "")
    }
}

/// The texts that were read. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Sources(Vec<Arc<Source>>);

/// One text and the name it is shown under.
#[derive(Debug)]
pub struct Source {
    /// Path as the user gave it.
    pub name: String,
    /// The whole text, decoded to UTF-8.
    pub text: String,
    /// Start of each line, so that line numbers of many places are found quickly.
    lines: Vec<u32>,
}

impl Sources {
    /// Adds a text and returns the `file` number for its spans.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> u32 {
        let text = text.into();
        let ends = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        self.0.push(Arc::new(Source { name: name.into(), text, lines }));
        self.0.len() as u32
    }

    /// All texts, in the order in which they were read.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.0.iter().map(|source| &**source)
    }

    /// The source that a span points into.
    pub fn get(&self, span: Span) -> Option<&Source> {
        self.0.get((span.file as usize).checked_sub(1)?).map(|s| &**s)
    }

    /// The text that a span covers.
    pub fn text(&self, span: Span) -> &str {
        self.get(span).and_then(|s| s.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// The line, counted from 1, on which a span starts.
    pub fn line(&self, span: Span) -> usize {
        self.get(span).map_or(0, |s| s.lines.partition_point(|&start| start <= span.start))
    }
}

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably a mistake; the file is used all the same.
    Warning,
    /// The file is refused.
    Error,
}

/// One finding: what, where, and the remedy.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Stable code such as `M0203`.
    pub code: &'static str,
    /// One line that says what is wrong, with the values.
    pub message: String,
    /// Places with a few words each; the first is the main one.
    pub labels: Vec<(Span, String)>,
    /// The remedy.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error, without a place so far.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, code, message: message.into(), labels: Vec::new(), help: None }
    }

    /// A warning, without a place so far.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// Something worth knowing, without a place so far.
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(code, message) }
    }

    /// Adds a place and a few words about it.
    #[must_use]
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Self {
        self.labels.push((span, label.into()));
        self
    }

    /// Adds the first few of many places, with the same words.
    #[must_use]
    pub(crate) fn at_each(mut self, places: impl IntoIterator<Item = Span>, label: &str) -> Self {
        self.labels.extend(places.into_iter().take(SHOWN).map(|at| (at, label.to_owned())));
        self
    }

    /// Adds a place where the same is found again, unless there are enough.
    pub(crate) fn and_at(&mut self, span: Span) {
        if self.labels.len() < SHOWN {
            self.labels.push((span, "and here".to_owned()));
        }
    }

    /// Sets the remedy.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Whether an error is among findings, so that their file is refused.
pub fn refuses(found: &[Diagnostic]) -> bool {
    found.iter().any(|finding| finding.severity == Severity::Error)
}
