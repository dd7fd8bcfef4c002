//! Findings as text, in the style of rustc: message, place, the line itself, carets, remedy.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::{Diagnostic, Severity, Sources, Span};

/// Labels that are at most this many lines apart are shown in one excerpt.
const SAME_EXCERPT: usize = 6;
/// A label that covers more lines than this is cut.
const LONGEST: usize = 4;
/// Most bytes of a message, of an underlined line, and of a label; a generated file may have extremely long
/// lines.
const WIDEST: usize = 1000;

/// Renders findings one after the other, each followed by an empty line.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for d in diagnostics {
        let level = match d.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut group = Group::with_title(level.primary_title(cut(&d.message)).id(d.code));
        let excerpts = excerpts(d, sources);
        let placed = !excerpts.is_empty();
        group = group.elements(excerpts.into_iter().map(Excerpt::snippet));
        // Without an excerpt there is no margin to attach the remedy to: it gets a line of its own.
        let mut below = None;
        match d.help.as_deref() {
            Some(help) if placed => group = group.element(Level::HELP.message(help)),
            Some(help) => below = Some(Group::with_title(Level::HELP.primary_title(help))),
            None => {}
        }
        text.push_str(&renderer.render(&[group]));
        if let Some(below) = below {
            text.push('\n');
            text.push_str(&renderer.render(&[below]));
        }
        text.push_str("\n\n");
    }
    text
}

/// The start of a text that is too long to read.
fn cut(text: &str) -> Cow<'_, str> {
    if text.len() <= WIDEST {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{} ...", &text[..text.floor_char_boundary(WIDEST)]))
}

/// Lines, with long ones cut to the text around their first label, and the places of the labels in them.
fn narrowed<'a>(lines: &'a str, labels: &mut [Range<usize>]) -> Cow<'a, str> {
    if lines.split('\n').all(|line| line.len() <= WIDEST) {
        return Cow::Borrowed(lines);
    }
    let mut text = String::new();
    let old: Vec<Range<usize>> = labels.to_vec();
    let mut at = 0;
    for line in lines.split('\n') {
        let inside = |place: usize| (at..=at + line.len()).contains(&place);
        let first = old.iter().map(|r| r.start).filter(|&start| inside(start)).min().unwrap_or(at) - at;
        let from = if line.len() > WIDEST { line.floor_char_boundary(first.saturating_sub(WIDEST / 10)) } else { 0 };
        let to = line.floor_char_boundary((from + WIDEST).min(line.len()));
        text.push_str(if from > 0 { "... " } else { "" });
        let shown = text.len();
        text.push_str(&line[from..to]);
        for (old, new) in old.iter().zip(&mut *labels) {
            let place = |place: usize| shown + (place - at).clamp(from, to) - from;
            if inside(old.start) {
                new.start = place(old.start);
            }
            if inside(old.end) {
                new.end = place(old.end);
            }
        }
        text.push_str(if to < line.len() { " ...\n" } else { "\n" });
        at += line.len() + 1;
    }
    text.pop();
    Cow::Owned(text)
}

/// The first findings of each kind, up to `most` per severity, and how many more there are of each: a file
/// that is not a mechanism has the same mistake in every line.
pub fn first_of_each(
    diagnostics: &[Diagnostic],
    most: impl Fn(Severity) -> usize,
) -> (Vec<Diagnostic>, Vec<(Severity, &'static str, usize)>) {
    let mut seen: BTreeMap<(Reverse<Severity>, &'static str), usize> = BTreeMap::new();
    let mut shown = Vec::new();
    for d in diagnostics {
        let count = seen.entry((Reverse(d.severity), d.code)).or_default();
        *count += 1;
        if *count <= most(d.severity) {
            shown.push(d.clone());
        }
    }
    let more = seen.into_iter().map(|((severity, code), n)| (severity.0, code, n.saturating_sub(most(severity.0))));
    (shown, more.filter(|m| m.2 > 0).collect())
}

/// A few lines of one source with the labels that lie in them.
///
/// Only these lines are passed to the renderer: it examines every line that it gets, which takes long for a
/// large mechanism with many findings.
struct Excerpt<'a> {
    file: u32,
    name: &'a str,
    text: &'a str,
    /// Byte range of the lines in `text`.
    lines: Range<usize>,
    first_line: usize,
    /// Byte range in `text`, label text, and whether it is the main label.
    labels: Vec<(Range<usize>, &'a str, bool)>,
}

impl<'a> Excerpt<'a> {
    fn snippet(self) -> Snippet<'a, Annotation<'a>> {
        let start = self.lines.start;
        let mut ranges: Vec<_> = self.labels.iter().map(|(r, ..)| r.start - start..r.end - start).collect();
        let lines = narrowed(&self.text[self.lines.clone()], &mut ranges);
        let annotations = self.labels.into_iter().zip(ranges).map(|((_, words, main), range)| {
            let kind = if main { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(range);
            if words.is_empty() { annotation } else { annotation.label(cut(words)) }
        });
        Snippet::source(lines).line_start(self.first_line).path(self.name).annotations(annotations)
    }
}

fn excerpts<'a>(d: &'a Diagnostic, sources: &'a Sources) -> Vec<Excerpt<'a>> {
    let mut found: Vec<Excerpt> = Vec::new();
    for (i, (span, words)) in d.labels.iter().enumerate() {
        let Some(source) = sources.get(*span) else { continue };
        let text = source.text.as_str();
        let range = shown(text, *span);
        let lines = whole_lines(text, &range);
        let first_line = sources.line(Span { start: lines.start as u32, ..*span });
        let label = (range, words.as_str(), i == 0);

        let near = found.iter_mut().find(|e| {
            let (from, to) = (e.lines.start.min(lines.start), e.lines.end.max(lines.end));
            e.file == span.file
                && text[from..to].bytes().filter(|&b| b == b'\n').take(SAME_EXCERPT + 1).count() <= SAME_EXCERPT
        });
        match near {
            Some(e) => {
                e.lines = e.lines.start.min(lines.start)..e.lines.end.max(lines.end);
                e.first_line = e.first_line.min(first_line);
                e.labels.push(label);
            }
            None => found.push(Excerpt {
                file: span.file,
                name: &source.name,
                text,
                lines,
                first_line,
                labels: vec![label],
            }),
        }
    }
    found
}

/// The range to underline: inside the text, on character boundaries, not over too many lines.
fn shown(text: &str, span: Span) -> Range<usize> {
    let start = text.floor_char_boundary((span.start as usize).min(text.len()));
    let mut end = text.ceil_char_boundary((span.end as usize).clamp(start, text.len()));
    if let Some((cut, _)) = text[start..end].match_indices('\n').nth(LONGEST - 1) {
        end = start + cut;
    }
    end = text.floor_char_boundary(end.min(start + WIDEST));
    // White space at the end would underline the start of the next line.
    end = start + text[start..end].trim_end().len();
    start..end
}

fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |i| range.end + i);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_fact_needs_no_place() {
        let d = Diagnostic::error("M0001", "cannot read `x`").help("check the name");
        assert_eq!(render(&[d], &Sources::default(), false), "error[M0001]: cannot read `x`\nhelp: check the name\n\n");
    }

    #[test]
    fn long_lines_are_cut() {
        let mut sources = Sources::default();
        let long = "x".repeat(100_000);
        let file = sources.add("x", format!("short\n{long}\nshort {long}\n"));
        for (start, end) in [(6, 100_000), (50_000, 50_002), (100_000, 100_006), (0, 200_000), (100_010, 100_012)] {
            let d = Diagnostic::error("M0001", &long)
                .at(Span { file, start, end }, &long)
                .at(Span { file, start: 0, end: 2 }, "");
            let shown = render(&[d], &sources, false);
            assert!(shown.len() < 5000, "{start} to {end}: {}", shown.len());
        }
    }

    #[test]
    fn any_span_can_be_shown() {
        let mut sources = Sources::default();
        let file = sources.add("x", "\té\u{1F600}\n\n  b\0\n");
        for start in 0..14 {
            for end in 0..14 {
                let d = Diagnostic::warning("M0001", "m")
                    .at(Span { file, start, end }, "l")
                    .at(Span { file, start: end, end }, "");
                assert!(render(&[d], &sources, true).contains("x"));
            }
        }
        let nowhere = Diagnostic::error("M0001", "m").at(Span { file: 9, start: 1, end: 2 }, "l");
        assert_eq!(render(&[nowhere], &sources, false), "error[M0001]: m\n\n");
    }
}
