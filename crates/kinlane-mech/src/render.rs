//! Findings as text, in the manner of rustc: message, place, the line itself, carets, remedy.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

use crate::{Diagnostic, Severity, Sources, Span};

/// Labels that are at most this many lines apart are shown in one excerpt.
const SAME_EXCERPT: usize = 6;
/// A label that covers more lines than this is cut.
const LONGEST: usize = 4;

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
        let mut group = Group::with_title(level.primary_title(d.message.as_str()).id(d.code));
        for excerpt in excerpts(d, sources) {
            group = group.element(excerpt.snippet());
        }
        if let Some(help) = &d.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        text.push_str(&renderer.render(&[group]));
        text.push_str("\n\n");
    }
    text
}

/// A few lines of one source with the labels that lie in them.
///
/// Only these lines are handed to the renderer: it looks at every line it is given, which takes long for a
/// large mechanism with many findings.
struct Excerpt<'a> {
    file: u32,
    name: &'a str,
    text: &'a str,
    /// Byte range of the lines in `text`.
    lines: Range<usize>,
    first_line: usize,
    /// Byte range in `text`, words, whether it is the main one.
    labels: Vec<(Range<usize>, &'a str, bool)>,
}

impl<'a> Excerpt<'a> {
    fn snippet(self) -> Snippet<'a, Annotation<'a>> {
        let start = self.lines.start;
        let annotations = self.labels.into_iter().map(|(range, words, main)| {
            let kind = if main { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(range.start - start..range.end - start);
            if words.is_empty() { annotation } else { annotation.label(words) }
        });
        Snippet::source(&self.text[self.lines.clone()])
            .line_start(self.first_line)
            .path(self.name)
            .annotations(annotations)
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
    // White space at the end would underline the start of the next line.
    end = start + text[start..end].trim_end().len();
    start..end
}

fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |i| range.end + i);
    start..end
}
