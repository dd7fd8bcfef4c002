//! YAML as a tree that keeps the place of every node and every scalar as written.
//!
//! Scalars stay text: whether `NO` is a species or a truth value is decided by the caller.

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

use super::flow::{self, Indented};
use crate::{Diagnostic, Span, codes};

/// Deeper nesting is refused; no mechanism comes near.
const DEEPEST: usize = 100;
/// Most nodes that anchors and aliases may add: a small file must not grow without bound. The largest mechanisms,
/// with 7000 species and 38 000 reactions, have about this many nodes in all; mechanisms with aliases repeat a
/// small part of their nodes.
const MOST_COPIES: usize = 1_000_000;
/// Bytes of text that weigh as much as a node; what mechanisms repeat is shorter.
const LONG: usize = 64;

/// One node of a document.
#[derive(Debug, Clone)]
pub struct Node {
    /// Where it is written.
    pub at: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a node is.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Text as written, and whether it is written without quotes.
    Scalar(String, bool),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping in file order.
    Map(Vec<Entry>),
}

/// One `key: value`.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The key's text.
    pub key: String,
    /// Where the key is written.
    pub at: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The value of a key, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|e| e.key == key).map(|e| &e.value)
    }

    /// The entries of a mapping; empty for anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.kind {
            Kind::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list.
    pub fn list(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    /// Whether this is a plain empty scalar or ` `: a key without a value.
    pub fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar(text, true) if text.is_empty() || text == "~" || text == "null")
    }

    /// Whether this is a scalar in quotes, or a block of text: never a number or a truth value.
    pub fn is_quoted(&self) -> bool {
        matches!(self.kind, Kind::Scalar(_, false))
    }

    /// A word for messages.
    pub fn what(&self) -> &'static str {
        match self.kind {
            _ if self.is_null() => "nothing",
            Kind::Scalar(..) => "a single value",
            Kind::List(ref items) if items.is_empty() => "an empty list",
            Kind::List(_) => "a list",
            Kind::Map(ref entries) if entries.is_empty() => "an empty mapping",
            Kind::Map(_) => "a mapping",
        }
    }

    /// The number of nodes, with what long texts weigh.
    fn size(&self) -> usize {
        1 + match &self.kind {
            Kind::Scalar(text, _) => text.len() / LONG,
            Kind::List(items) => items.iter().map(Node::size).sum(),
            Kind::Map(entries) => entries.iter().map(|e| e.key.len() / LONG + e.value.size()).sum(),
        }
    }
}

/// What anchors and aliases have added so far.
#[derive(Default)]
struct Copies(usize);

impl Copies {
    /// Another copy of a node, unless it is one too many.
    fn copy(&mut self, node: &Node, at: Span) -> Result<Node, Diagnostic> {
        self.0 += node.size();
        if self.0 > MOST_COPIES {
            return Err(Diagnostic::error(codes::YAML, "aliases make this document too large")
                .at(at, "up to here")
                .help("repeat only small parts by aliases"));
        }
        Ok(node.clone())
    }
}

/// A collection whose end has not been reached.
struct Open {
    anchor: usize,
    at: Span,
    kind: Kind,
    /// A key that waits for its value.
    key: Option<(String, Span)>,
    /// Index of each key in a mapping: generated files may have very many keys.
    known: HashMap<String, usize>,
}

/// Converts the character positions of the parser to bytes.
struct Places<'a> {
    file: u32,
    text: &'a str,
    /// Byte offset of every character; empty for ASCII text, where both agree.
    bytes: Vec<u32>,
    /// The indented text, if the parser was given that instead of the original.
    indented: Option<Indented>,
}

impl Places<'_> {
    fn byte(&self, index: usize) -> u32 {
        let index = self.indented.as_ref().map_or(index, |new| new.original(index));
        if self.bytes.is_empty() {
            return index.min(self.text.len()) as u32;
        }
        self.bytes.get(index).copied().unwrap_or(self.text.len() as u32)
    }

    fn span(&self, s: saphyr_parser::Span) -> Span {
        let (start, end) = (self.byte(s.start.index()), self.byte(s.end.index()));
        Span { file: self.file, start, end: end.max(start) }
    }

    /// A finding for what the parser did not accept.
    fn refused(&self, e: &ScanError) -> Diagnostic {
        let (file, start) = (self.file, self.byte(e.marker().index()));
        // What these errors say of a line that has no key.
        let keyless = ["simple key", "mapping values"].iter().any(|what| e.info().contains(what));
        if let Some((at, help)) = glued(self.text, start).filter(|_| keyless) {
            return Diagnostic::error(codes::YAML, "not valid YAML: a blank is missing after a colon")
                .at(Span { file, start: at, end: at + 1 }, "this colon")
                .help(help);
        }
        let d = Diagnostic::error(codes::YAML, format!("not valid YAML: {}", e.info()));
        // The parser reports the place before the tab.
        let tab = if e.info().contains("tab") { leading_tab(self.text, start) } else { None };
        match tab {
            Some(at) => {
                d.at(Span { file, start: at, end: at + 1 }, "this tab").help("indent lines by blanks, not by tabs")
            }
            None => d
                .at(Span { file, start, end: start }, "here")
                .help("look at this line and the one before: indentation, colons, brackets and quotes"),
        }
    }
}

impl Open {
    /// Adds the next node: an item, a key, or the value of the last key.
    fn take(&mut self, done: Node, found: &mut Vec<Diagnostic>) -> Result<(), Diagnostic> {
        let entries = match &mut self.kind {
            Kind::List(items) => {
                items.push(done);
                return Ok(());
            }
            Kind::Map(entries) => entries,
            Kind::Scalar(..) => return Ok(()),
        };
        match self.key.take() {
            Some((key, at)) if key == "<<" => found.push(
                Diagnostic::error(codes::YAML, "`<<`, which takes over the entries of another mapping, is not read")
                    .at(at, "here")
                    .help("write the entries out"),
            ),
            Some((key, at)) => match self.known.get(&key).and_then(|&i| entries.get_mut(i)) {
                Some(entry) => *entry = Entry { key, at, value: done },
                None => {
                    self.known.insert(key.clone(), entries.len());
                    entries.push(Entry { key, at, value: done });
                }
            },
            None => {
                let Kind::Scalar(text, _) = done.kind else {
                    return Err(Diagnostic::error(codes::YAML, "a key has to be a single value").at(done.at, ""));
                };
                if let Some(first) = self.known.get(&text).and_then(|&i| entries.get(i)) {
                    found.push(
                        Diagnostic::warning(codes::REPEATED, format!("key `{text}` occurs twice in one mapping"))
                            .at(done.at, "this one is used")
                            .at(first.at, "first here")
                            .help("remove one of them"),
                    );
                }
                self.key = Some((text, done.at));
            }
        }
        Ok(())
    }
}

/// Parses the first document of a text. Repeated keys are reported in `found`; the last one counts.
pub fn parse(text: &str, file: u32, found: &mut Vec<Diagnostic>) -> Result<Node, Diagnostic> {
    let bytes = if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(i, _)| i as u32).collect() };
    let mut places = Places { file, text, bytes, indented: None };
    let known = found.len();
    document(&places, found).or_else(|d| {
        // Again, with the lines in brackets and quotes indented as the parser requires.
        places.indented = Some(flow::indented(text).ok_or(d)?);
        found.truncate(known);
        document(&places, found)
    })
}

fn document(places: &Places, found: &mut Vec<Diagnostic>) -> Result<Node, Diagnostic> {
    let Places { file, text, .. } = *places;
    let given = places.indented.as_ref().map_or(text, |new| new.text.as_str());
    // The parser accepts no tab after a colon, although YAML allows it. One byte replaces one, so that places
    // stay.
    let spaced = if given.contains(":\t") { Cow::Owned(given.replace(":\t", ": ")) } else { Cow::Borrowed(given) };
    let mut parser = Parser::new_from_str(&spaced);
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: HashMap<usize, Node> = HashMap::new();
    let mut copies = Copies::default();
    loop {
        let (event, span) = match parser.next_event() {
            Some(Ok(next)) => next,
            Some(Err(e)) => return Err(places.refused(&e)),
            None => break,
        };
        let at = places.span(span);
        let done = match event {
            Event::Scalar(text, style, anchor, _) => {
                let node = Node { at, kind: Kind::Scalar(text.into_owned(), style == ScalarStyle::Plain) };
                if anchor > 0 {
                    anchors.insert(anchor, copies.copy(&node, at)?);
                }
                node
            }
            Event::Alias(id) => {
                let Some(node) = anchors.get(&id) else {
                    return Err(Diagnostic::error(codes::YAML, "an alias to something that is not complete").at(at, ""));
                };
                copies.copy(node, at)?
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() >= DEEPEST => {
                return Err(Diagnostic::error(codes::YAML, format!("more than {DEEPEST} levels of nesting")).at(at, ""));
            }
            Event::SequenceStart(anchor, _) => {
                open.push(Open { anchor, at, kind: Kind::List(Vec::new()), key: None, known: HashMap::new() });
                continue;
            }
            Event::MappingStart(anchor, _) => {
                open.push(Open { anchor, at, kind: Kind::Map(Vec::new()), key: None, known: HashMap::new() });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { anchor, at: from, kind, .. }) = open.pop() else { continue };
                let node = Node { at: Span { end: trimmed(text, from.start, at.end), ..from }, kind };
                if anchor > 0 {
                    anchors.insert(anchor, copies.copy(&node, at)?);
                }
                node
            }
            Event::DocumentEnd | Event::StreamEnd => break,
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => continue,
        };
        match open.last_mut() {
            None => return Ok(done),
            Some(open) => open.take(done, found)?,
        }
    }
    Err(Diagnostic::error(codes::YAML, "the file holds no YAML document").at(Span { file, start: 0, end: 0 }, ""))
}

/// A colon without a blank behind it, which makes no key, in the line of a place or the last one before with any text;
/// and what to write.
fn glued(text: &str, at: u32) -> Option<(u32, String)> {
    let at = text.floor_char_boundary(at as usize);
    let start = text.get(..at)?.rfind('\n').map_or(0, |i| i + 1);
    let here = text.get(start..)?.lines().next().unwrap_or("");
    let before = text.get(..start)?.trim_end();
    let earlier = before.rfind('\n').map_or(0, |i| i + 1);
    [(earlier, before.get(earlier..)?), (start, here)].into_iter().find_map(|(start, line)| {
        let bare = line.trim_start_matches([' ', '-']);
        let (key, value) = bare.split_once(':')?;
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        // Not the address of a page, nor `a::b`.
        let is_value = value.starts_with(|c: char| !c.is_whitespace() && c != '/' && c != ':');
        let value = value.split(" #").next().unwrap_or(value).trim_end();
        let colon = start + line.len() - bare.len() + key.len();
        (is_key && is_value).then(|| (colon as u32, format!("write `{key}: {value}`")))
    })
}

/// The first tab in the indentation of a line, from a given place on.
fn leading_tab(text: &str, from: u32) -> Option<u32> {
    let from = from as usize;
    let lines = text.get(from..)?.match_indices('\n').map(|(i, _)| from + i + 1);
    let tab = |start: usize| {
        let line = text.get(start..)?;
        let blanks = line.len() - line.trim_start_matches(' ').len();
        line.get(blanks..)?.starts_with('\t').then_some((start + blanks) as u32)
    };
    lines.filter_map(tab).next()
}

/// For the parser, a block collection ends behind the blank lines and comments that follow it; these are
/// removed here.
fn trimmed(text: &str, start: u32, end: u32) -> u32 {
    let (start, end) = (start as usize, (end as usize).min(text.len()));
    text.get(start..end).map_or(end, |t| start + t.trim_end().len()) as u32
}
