//! Entries of a configuration and their values.
//!
//! Numbers may stand in quotes: the readers of MICM and MUSICA accept that, and published files do it.

use super::codes;
use crate::Diagnostic;
use crate::cantera::input::{parse_number, suggestion, wrong_type};
use crate::cantera::yaml::{Entry, Node};
use crate::validate::nearest;

/// A finding: a value is of the wrong kind.
pub(super) fn wrong(node: &Node, what: &str, wanted: &str) -> Diagnostic {
    Diagnostic { code: codes::VALUE, ..wrong_type(node, what, wanted) }
}

/// A finite number.
pub(super) fn number(node: &Node, what: &str, found: &mut Vec<Diagnostic>) -> Option<f64> {
    let value = node.text().and_then(|text| parse_number(text.trim())).filter(|value| value.is_finite());
    if value.is_none() {
        found.push(wrong(node, what, "a number"));
    }
    value
}

/// A number, or what it is where it is not given.
pub(super) fn number_or(node: &Node, key: &str, default: f64, found: &mut Vec<Diagnostic>) -> Option<f64> {
    node.get(key).map_or(Some(default), |value| number(value, &format!("`{key}`"), found))
}

/// A text.
pub(super) fn text<'a>(node: &'a Node, what: &str, found: &mut Vec<Diagnostic>) -> Option<&'a str> {
    let value = node.text().filter(|_| !node.is_null());
    if value.is_none() {
        found.push(wrong(node, what, "a text"));
    }
    value
}

/// The items of a list.
pub(super) fn list<'a>(node: &'a Node, what: &str, found: &mut Vec<Diagnostic>) -> &'a [Node] {
    node.list().unwrap_or_else(|| {
        found.push(wrong(node, what, "a list"));
        &[]
    })
}

/// Entries that are no comments: keys of comments begin with `__`.
pub(super) fn entries(node: &Node) -> impl Iterator<Item = &Entry> {
    node.entries().iter().filter(|entry| !is_comment(&entry.key))
}

/// Whether a key is that of a comment.
pub(super) fn is_comment(key: &str) -> bool {
    key.starts_with("__")
}

/// Reports entries that are not known: a misspelt one would quietly leave its default in place.
pub(super) fn known(node: &Node, keys: &[&str], of: &str, found: &mut Vec<Diagnostic>) {
    for entry in entries(node).filter(|entry| !keys.contains(&entry.key.as_str())) {
        let free: Vec<&str> = keys.iter().copied().filter(|key| node.get(key).is_none()).collect();
        let comment = format!("a comment is written `__{}`", entry.key.trim_start_matches('_'));
        let help = match nearest(&entry.key, free.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? {comment}"),
            None if free.is_empty() => comment,
            None => format!("{}; {comment}", suggestion(&entry.key, free)),
        };
        found.push(
            Diagnostic::error(codes::KEY, format!("{of} has no entry `{}`", entry.key))
                .at(entry.at, "not known")
                .help(help),
        );
    }
}

/// The value of a required entry.
pub(super) fn required<'a>(node: &'a Node, key: &str, of: &str, found: &mut Vec<Diagnostic>) -> Option<&'a Node> {
    let value = node.get(key).filter(|value| !value.is_null());
    if value.is_none() {
        let at = node.get("type").or(node.get("name")).map_or(node.at, |value| value.at);
        found.push(
            Diagnostic::error(codes::MISSING, format!("{of} has no `{key}`"))
                .at(at, format!("`{key}` is missing"))
                .help(format!("add `{key}`")),
        );
    }
    value
}
