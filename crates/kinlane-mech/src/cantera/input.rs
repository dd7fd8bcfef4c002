//! Open files, and the values of YAML nodes with their units.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::yaml::{self, Entry, Kind, Node};
use crate::read::text_of;
use crate::units::{self, Defaults, Measure, UnitError};
use crate::validate::nearest;
use crate::words::did_you_mean;
use crate::{Diagnostic, Sources, Span, codes};

/// The variable of the environment that lists folders of mechanisms, as for Cantera.
pub const DATA: &str = "CANTERA_DATA";

/// One parsed file.
pub struct File {
    /// The document.
    pub root: Node,
    /// Its path, relative to which it names other files.
    pub path: PathBuf,
    /// Units of the whole file.
    pub defaults: Defaults,
}

/// Everything that was opened and found so far.
pub struct Input {
    /// Findings, errors and others.
    pub found: Vec<Diagnostic>,
    /// The texts.
    pub sources: Sources,
    /// Whether a named file or section was not found: other missing items may be due to that.
    pub lost: bool,
    search: Vec<PathBuf>,
    open: HashMap<PathBuf, Option<Rc<File>>>,
}

impl Input {
    /// An input with nothing open. `search` are further folders for files that a file names, and `data` is a
    /// list of more such folders, in the form of [`DATA`].
    pub fn new(search: &[PathBuf], data: Option<&OsStr>) -> Self {
        let listed = data.map(std::env::split_paths).into_iter().flatten().filter(|p| !p.as_os_str().is_empty());
        let search = search.iter().cloned().chain(listed).collect();
        Self { found: Vec::new(), sources: Sources::default(), lost: false, search, open: HashMap::new() }
    }

    /// Adds a text that is already in memory.
    pub fn add(&mut self, path: &Path, text: String) -> Option<Rc<File>> {
        let number = self.sources.add(path.display().to_string(), text);
        let span = Span { file: number, start: 0, end: 0 };
        let text = self.sources.get(span).map_or("", |s| s.text.as_str());
        let root = match yaml::parse(text, number, &mut self.found) {
            Ok(root) => root,
            Err(d) => {
                self.found.push(d);
                return None;
            }
        };
        if !matches!(root.kind, Kind::Map(_)) {
            self.found.push(
                Diagnostic::error(codes::WRONG_TYPE, format!("the file holds {}, not a mapping", root.what()))
                    .at(root.at, "a mechanism has the keys `phases`, `species`, `reactions`"),
            );
            return None;
        }
        let defaults = scope(&root, &Defaults::default(), &mut self.found);
        Some(Rc::new(File { root, path: path.to_owned(), defaults }))
    }

    /// Opens a file that another one names: beside that one, else in the search folders. Mechanisms that are
    /// built into the program do not count.
    pub fn open(&mut self, name: &str, from: &File, at: Span) -> Option<Rc<File>> {
        let beside = from.path.parent().unwrap_or(Path::new("")).join(name);
        let candidates = std::iter::once(beside.clone()).chain(self.search.iter().map(|folder| folder.join(name)));
        let path = candidates.into_iter().find(|p| p.is_file());
        let Some(path) = path else {
            let folders: Vec<String> = beside
                .parent()
                .into_iter()
                .chain(self.search.iter().map(PathBuf::as_path))
                .map(|p| if p.as_os_str().is_empty() { ".".into() } else { p.display().to_string() })
                .collect();
            let folders = folders.join("`, `");
            self.found.push(
                Diagnostic::error(codes::SECTION, format!("file `{name}` is not found")).at(at, "named here").help(
                    format!("looked in `{folders}`; copy the file there, or name its folder in the variable {DATA}"),
                ),
            );
            return None;
        };
        if let Some(known) = self.open.get(&path) {
            return known.clone();
        }
        let file = match text_of(&path) {
            Ok(text) => self.add(&path, text),
            Err(d) => {
                self.found.push(d.at(at, "named here"));
                None
            }
        };
        self.open.insert(path, file.clone());
        file
    }

    /// The part of a span that is the given word; else the whole span.
    pub fn word(&self, span: Span, word: &str) -> Span {
        let text = self.sources.text(span);
        let mut from = 0;
        for piece in text.split_whitespace() {
            // `piece` is found at or after `from` because pieces come in order.
            let Some(at) = text.get(from..).and_then(|t| t.find(piece)) else { break };
            let start = from + at;
            if piece.trim_matches(['"', '\'', '(', ')', '+']) == word.trim_matches(['(', ')', '+']) {
                return Span {
                    start: span.start + start as u32,
                    end: span.start + (start + piece.len()) as u32,
                    ..span
                };
            }
            from = start + piece.len();
        }
        span
    }
}

/// The units that apply inside a mapping: those outside, modified by its own `units` entry.
pub fn scope(node: &Node, outer: &Defaults, found: &mut Vec<Diagnostic>) -> Defaults {
    let mut inner = outer.clone();
    let Some(units) = node.get("units") else { return inner };
    if !matches!(units.kind, Kind::Map(_)) {
        found.push(wrong_type(units, "`units`", "a mapping such as `{length: cm, quantity: mol}`"));
        return inner;
    }
    for entry in units.entries() {
        let Some(text) = entry.value.text() else {
            found.push(wrong_type(&entry.value, &format!("unit of {}", entry.key), "a unit"));
            continue;
        };
        match inner.set(&entry.key, text) {
            Ok(()) => {}
            Err(UnitError::Kind) => found.push(
                Diagnostic::error(codes::UNIT, format!("there is no kind of unit `{}`", entry.key))
                    .at(entry.at, "unknown")
                    .help(suggestion(&entry.key, Defaults::KINDS)),
            ),
            Err(e) => found.push(unit_error(&entry.value, text, &e)),
        }
    }
    inner
}

/// "did you mean", or a list of all known names.
pub fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let all = known.clone().into_iter().collect::<Vec<_>>().join("`, `");
    did_you_mean(nearest(name, known), &format!("known are `{all}`"))
}

fn unit_error(node: &Node, unit: &str, e: &UnitError) -> Diagnostic {
    match e {
        UnitError::Unknown(part) => {
            let d = Diagnostic::error(codes::UNIT, format!("`{unit}` is not a unit"))
                .at(node.at, format!("`{part}` is not known"));
            // A plural is the likeliest mistake: `moles` is not `molec`.
            let single = part.strip_suffix('s').and_then(|one| units::names().find(|name| *name == one));
            match single.or_else(|| nearest(part, units::names())) {
                Some(close) if close.len() > 1 => {
                    d.help(format!("did you mean `{close}`? Powers are written as in `cm^3`"))
                }
                _ => d.help("units are written as in `cm^3/mol/s` or `kcal/mol`"),
            }
        }
        UnitError::Mismatch(wanted) => Diagnostic::error(codes::UNIT, format!("unit `{unit}` does not fit"))
            .at(node.at, format!("wanted {wanted}")),
        UnitError::Kind => Diagnostic::error(codes::UNIT, format!("unit `{unit}` does not fit")).at(node.at, "here"),
    }
}

/// A finding: a node is of the wrong kind.
pub fn wrong_type(node: &Node, name: &str, wanted: &str) -> Diagnostic {
    let label = match node.text() {
        Some(text) if !node.is_null() && text.len() <= 60 => format!("this is `{}`", text.trim()),
        _ => format!("this is {}", node.what()),
    };
    Diagnostic::error(codes::WRONG_TYPE, format!("{name} has to be {wanted}")).at(node.at, label)
}

/// A finding: quotes turn a number or truth value into text; Cantera refuses it, too.
fn in_quotes(node: &Node, name: &str, wanted: &str) -> Diagnostic {
    let mut d = wrong_type(node, name, wanted);
    if let Some((_, label)) = d.labels.first_mut() {
        label.push_str(" in quotes, which is a text");
    }
    d.help("remove the quotes")
}

/// A number as YAML and Cantera write it: `1`, `1.0E+05`, `.5`, `.inf`, `.nan`.
pub fn parse_number(text: &str) -> Option<f64> {
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    match bare {
        ".inf" | ".Inf" | ".INF" => return Some(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }),
        ".nan" | ".NaN" | ".NAN" => return Some(f64::NAN),
        // Words such as `inf` and `nan` are names here.
        _ if !bare.starts_with(|c: char| c.is_ascii_digit() || c == '.') => return None,
        _ => {}
    }
    text.parse().ok()
}

/// A pure number.
pub fn number(node: &Node, name: &str, found: &mut Vec<Diagnostic>) -> Option<f64> {
    match node.text().and_then(|t| parse_number(t.trim())) {
        Some(_) if node.is_quoted() => found.push(in_quotes(node, name, "a number")),
        Some(value) => return Some(value),
        None => found.push(wrong_type(node, name, "a number")),
    }
    None
}

/// The number of an entry whose key is a name, such as that of a species; `what` is the number of it.
pub fn number_of(e: &Entry, what: &str, found: &mut Vec<Diagnostic>) -> Option<f64> {
    let Some((key, value)) = glued(e) else { return number(&e.value, &format!("{what} of `{}`", e.key), found) };
    let error = Diagnostic::error(codes::WRONG_TYPE, format!("{what} of `{key}` cannot be read"));
    found.push(no_blank(error, e, key, value));
    None
}

/// The key and the value of an entry without a blank between: for YAML, `{A:1}` is a key `A:1` without a value.
pub fn glued(e: &Entry) -> Option<(&str, &str)> {
    let (key, value) = e.key.split_once(':').filter(|_| e.value.is_null())?;
    (!key.is_empty() && !value.is_empty()).then_some((key, value))
}

/// A finding that is due to that.
fn no_blank(d: Diagnostic, e: &Entry, key: &str, value: &str) -> Diagnostic {
    d.at(e.at, "a blank is missing after the colon").help(format!("write `{key}: {value}`"))
}

/// A number in SI, from its own unit or from the default one.
pub fn measure(
    node: &Node,
    name: &str,
    what: Measure,
    defaults: &Defaults,
    found: &mut Vec<Diagnostic>,
) -> Option<f64> {
    let Some(text) = node.text().map(str::trim) else {
        found.push(wrong_type(node, name, "a number, with or without a unit"));
        return None;
    };
    if let Some(value) = parse_number(text) {
        if node.is_quoted() {
            found.push(in_quotes(node, name, "a number, with or without a unit"));
            return None;
        }
        return Some(value * defaults.factor(what));
    }
    let Some((value, unit)) =
        text.split_once(char::is_whitespace).and_then(|(v, u)| Some((parse_number(v)?, u.trim())))
    else {
        found.push(wrong_type(node, name, "a number, with or without a unit after a space"));
        return None;
    };
    match Defaults::factor_of(unit, what) {
        Ok(factor) => Some(value * factor),
        Err(e) => {
            found.push(unit_error(node, unit, &e));
            None
        }
    }
}

/// `true` or `false`; false where the key is absent.
pub fn flag(node: &Node, key: &str, found: &mut Vec<Diagnostic>) -> bool {
    let Some(value) = node.get(key) else { return false };
    let (name, wanted) = (format!("`{key}`"), "`true` or `false`");
    let truth = truth(value);
    if truth.is_none() {
        found.push(wrong_type(value, &name, wanted));
    } else if value.is_quoted() {
        found.push(in_quotes(value, &name, wanted));
    }
    truth.unwrap_or(false)
}

/// A truth value, in quotes or without.
pub fn truth(node: &Node) -> Option<bool> {
    match node.text()? {
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Some(true),
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => Some(false),
        _ => None,
    }
}

/// Keys that resemble another key and may occur beside it.
const MEANINGFUL: &[&str] = &[
    "A",
    "B",
    "C",
    "D",
    "E",
    "P",
    "b",
    "w",
    "Ea",
    "Ea0",
    "Ea-gas",
    "Ea-electron",
    "T1",
    "T2",
    "T3",
    "T0",
    "h0",
    "s0",
    "cp0",
    "T-min",
    "T-max",
    "data",
    "name",
    "note",
    "type",
    "rate-constant",
    "rate-constants",
    "low-P-rate-constant",
    "high-P-rate-constant",
    "temperature-range",
    "temperature-ranges",
    "pressure-range",
];

/// Reports entries that look like a known one which is absent. Where people may add entries of their own, others are theirs.
pub fn misspelt(node: &Node, known: &[&str], of: &str, found: &mut Vec<Diagnostic>) {
    let free: Vec<&str> = known.iter().copied().filter(|key| node.get(key).is_none()).collect();
    let plain = |key: &str| key.replace(['-', '_', ' '], "").to_lowercase();
    for e in node.entries().iter().filter(|e| !known.contains(&e.key.as_str())) {
        if let Some((key, value)) = glued(e).filter(|(key, _)| free.contains(key)) {
            let warning = Diagnostic::warning(codes::IGNORED, format!("entry `{}` of {of} is not used", e.key));
            found.push(no_blank(warning, e, key, value));
            continue;
        }
        let same = free.iter().copied().find(|key| plain(key) == plain(&e.key));
        let near = || nearest(&e.key, free.iter().copied()).filter(|key| key.len() > 3);
        if let Some(close) = same.or_else(near) {
            found.push(
                Diagnostic::warning(codes::IGNORED, format!("entry `{}` of {of} is not used", e.key))
                    .at(e.at, "unknown")
                    .help(format!("did you mean `{close}`?")),
            );
        }
    }
}

/// Reports the unknown entries that nothing has been said of, each name once in a file: what they are meant to say may change the
/// chemistry. `of` is what has such entries, `whose` which one.
pub fn strange(node: &Node, known: &[&str], (of, whose): (&str, &str), found: &mut Vec<Diagnostic>) {
    for e in node.entries().iter().filter(|e| !known.contains(&e.key.as_str())) {
        let start = format!("entry `{}` of {of} ", e.key);
        let told = |d: &Diagnostic| d.message.starts_with(&start) || d.labels.iter().any(|(at, _)| *at == e.at);
        if !found.iter().any(told) {
            found.push(
                Diagnostic::warning(codes::IGNORED, format!("{start}`{whose}` is not used"))
                    .at(e.at, "unknown; others of this name are not told")
                    .help(format!("known are {}; what is for people goes into `note`", known.join(", "))),
            );
        }
    }
}

/// Reports the entries of a mapping that are not used. `units` is allowed anywhere.
pub fn unused(node: &Node, known: &[&str], of: &str, found: &mut Vec<Diagnostic>) {
    for e in node.entries().iter().filter(|e| e.key != "units" && !known.contains(&e.key.as_str())) {
        let free: Vec<&str> = known.iter().copied().filter(|key| node.get(key).is_none()).collect();
        let warning = Diagnostic::warning(codes::IGNORED, format!("entry `{}` of {of} is not used", e.key));
        if let Some((key, value)) = glued(e).filter(|(key, _)| free.contains(key)) {
            found.push(no_blank(warning, e, key, value));
            continue;
        }
        found.push(
            warning.at(e.at, "unknown").help(suggestion(&e.key, if free.is_empty() { known.to_vec() } else { free })),
        );
    }
}

/// The value of a required key; `of` names the thing in messages.
pub fn required<'a>(node: &'a Node, key: &str, of: &str, found: &mut Vec<Diagnostic>) -> Option<&'a Node> {
    required_or(node, key, of, None, found)
}

/// The same, with advice for the case that no key looks like a misspelling of it.
pub fn required_or<'a>(
    node: &'a Node,
    key: &str,
    of: &str,
    help: Option<&str>,
    found: &mut Vec<Diagnostic>,
) -> Option<&'a Node> {
    match node.get(key) {
        Some(value) if !value.is_null() => Some(value),
        _ => {
            let d = Diagnostic::error(codes::MISSING, format!("{of} has no `{key}`"));
            let blank = |e: &'a Entry| Some((e, glued(e).filter(|(of, _)| *of == key)?.1));
            if let Some((entry, value)) = node.entries().iter().find_map(blank) {
                found.push(no_blank(d, entry, key, value));
                return None;
            }
            let mut d = d
                .at(node.get("equation").or(node.get("name")).map_or(node.at, |n| n.at), format!("`{key}` is missing"));
            // A key with a meaning of its own is not a misspelling, unless only its case is wrong.
            let slips = node
                .entries()
                .iter()
                .map(|e| e.key.as_str())
                .filter(|c| *c != key && (c.eq_ignore_ascii_case(key) || !MEANINGFUL.contains(c)));
            let slip =
                nearest(key, slips.collect::<Vec<_>>()).map(|close| format!("is `{close}` meant to be `{key}`?"));
            if let Some(help) = slip.or(help.map(str::to_owned)) {
                d = d.help(help);
            }
            found.push(d);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_environment_come_last() {
        let list = std::env::join_paths(["/a b", "", "c"]).unwrap();
        let search = Input::new(&[PathBuf::from("z")], Some(&list)).search;
        assert_eq!(search, ["z", "/a b", "c"].map(PathBuf::from));
    }
}
