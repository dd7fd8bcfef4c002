//! The sides of reactions.

use super::field;
use crate::cantera::yaml::{Kind, Node};
use crate::{Diagnostic, Span};

/// Most molecules of a species on the left of a reaction.
const MOST: f64 = 10.0;

/// A species on one side, and how many of it.
#[derive(Debug, Clone)]
pub(super) struct Term {
    /// Its name.
    pub name: String,
    /// Where it is named.
    pub at: Span,
    /// How many.
    pub number: f64,
}

/// The terms of a side: `{O3: {qty: 2}}` in version 0; `[{species name: O3, coefficient: 2}]` in version 1, where a
/// single name or entry is taken as well.
pub(super) fn side(node: &Node, left: bool, found: &mut Vec<Diagnostic>) -> Vec<Term> {
    let mut all = Vec::new();
    match &node.kind {
        Kind::Scalar(name, _) if !node.is_null() => {
            all.push(Term { name: name.clone(), at: node.at, number: 1.0 });
        }
        Kind::Scalar(..) => found.push(field::wrong(node, "a side of a reaction", "a list of species")),
        Kind::List(items) => all.extend(items.iter().filter_map(|item| listed(item, left, found))),
        Kind::Map(_) if node.get("species name").or(node.get("name")).is_some_and(|name| name.text().is_some()) => {
            all.extend(listed(node, left, found));
        }
        Kind::Map(_) => all.extend(mapped(node, left, found)),
    }
    all
}

/// An entry of version 1.
fn listed(node: &Node, left: bool, found: &mut Vec<Diagnostic>) -> Option<Term> {
    if let Some(name) = node.text().filter(|_| !node.is_null()) {
        return Some(Term { name: name.to_owned(), at: node.at, number: 1.0 });
    }
    let of = if left { "a reactant" } else { "a product" };
    if node.entries().is_empty() {
        found.push(field::wrong(node, of, "a mapping with its name"));
        return None;
    }
    field::known(node, &["species name", "name", "coefficient"], of, found);
    let key = if node.get("name").is_some() { "name" } else { "species name" };
    let name = field::required(node, key, of, found)?;
    let text = field::text(name, "a name", found)?;
    let number = node.get("coefficient").map_or(Some(1.0), |value| count(value, left, found))?;
    Some(Term { name: text.to_owned(), at: name.at, number })
}

/// The entries of version 0.
fn mapped(node: &Node, left: bool, found: &mut Vec<Diagnostic>) -> Vec<Term> {
    let (key, of) = if left { ("qty", "a reactant") } else { ("yield", "a product") };
    let mut all = Vec::new();
    for entry in field::entries(node) {
        let value = &entry.value;
        if !value.is_null() && !matches!(value.kind, Kind::Map(_)) {
            found.push(field::wrong(
                value,
                &format!("`{}`, {of},", entry.key),
                &format!("a mapping such as `{{{key}: 2}}`"),
            ));
            continue;
        }
        field::known(value, &[key], of, found);
        if let Some(number) = value.get(key).map_or(Some(1.0), |value| count(value, left, found)) {
            all.push(Term { name: entry.key.clone(), at: entry.at, number });
        }
    }
    all
}

/// How many of a species. On the left it is the order, too, which the readers of MICM round to a whole number.
fn count(node: &Node, left: bool, found: &mut Vec<Diagnostic>) -> Option<f64> {
    let what = if left { "the number of a reactant" } else { "the number of a product" };
    let value = field::number(node, what, found)?;
    if left && (value.fract() != 0.0 || !(1.0..=MOST).contains(&value)) {
        found.push(field::wrong(node, what, &format!("a whole number from 1 to {MOST}")));
        return None;
    }
    Some(value)
}

/// An equation of terms.
pub(super) fn equation(left: &[Term], right: &[Term]) -> String {
    let side = |terms: &[Term]| {
        let all: Vec<String> = terms
            .iter()
            .map(|Term { name, number, .. }| if *number == 1.0 { name.clone() } else { format!("{number} {name}") })
            .collect();
        all.join(" + ")
    };
    format!("{} -> {}", side(left), side(right)).trim().to_owned()
}
