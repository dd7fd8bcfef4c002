//! Which variables statements set and read.

use super::body::Line;
use std::collections::{BTreeSet, HashSet};

/// The variables that statements assign.
pub(super) fn assigned(lines: &[Line]) -> Vec<String> {
    let of = |line: &Line| match line {
        Line::Set(name, _) => vec![name.clone()],
        Line::If(arms, last) => arms.iter().map(|arm| &arm.1).chain([last]).flat_map(|lines| assigned(lines)).collect(),
    };
    lines.iter().flat_map(of).collect()
}

/// The names that statements read.
fn names(lines: &[Line], all: &mut Vec<String>) {
    for line in lines {
        match line {
            Line::Set(_, value) => value.names(all),
            Line::If(arms, last) => {
                for (condition, lines) in arms {
                    condition.names(all);
                    names(lines, all);
                }
                names(last, all);
            }
        }
    }
}

/// The variables that are read before they are certain to be set, by statements or, at their end, as the result.
pub(super) fn unset<'a>(lines: impl Iterator<Item = &'a Line>, result: &str) -> BTreeSet<String> {
    let (mut set, mut early) = (HashSet::new(), BTreeSet::new());
    lines.for_each(|line| pass(line, &mut set, &mut early));
    if !set.contains(result) {
        early.insert(result.to_owned());
    }
    early
}

/// Goes past a statement: adds what is certain to be set behind it, and what it reads before that.
fn pass(line: &Line, set: &mut HashSet<String>, early: &mut BTreeSet<String>) {
    let mut read = Vec::new();
    match line {
        Line::Set(_, value) => value.names(&mut read),
        Line::If(arms, _) => arms.iter().for_each(|(condition, _)| condition.names(&mut read)),
    }
    early.extend(read.into_iter().filter(|name| !set.contains(name)));
    match line {
        Line::Set(name, _) => _ = set.insert(name.clone()),
        Line::If(arms, last) => {
            let mut branches = arms.iter().map(|(_, lines)| lines).chain([last]).map(|lines| {
                let mut own = set.clone();
                lines.iter().for_each(|line| pass(line, &mut own, early));
                own
            });
            let first = branches.next().unwrap_or_default();
            let all = branches.fold(first, |all, own| &all & &own);
            *set = all;
        }
    }
}

/// The places of those statements that a variable depends on at the end of all.
pub(super) fn slice(lines: &[(usize, Line)], variable: &str) -> Vec<usize> {
    let mut needed = HashSet::from([variable.to_owned()]);
    let (mut kept, mut read) = (Vec::new(), Vec::new());
    for (place, (_, line)) in lines.iter().enumerate().rev() {
        let alone = std::slice::from_ref(line);
        let sets = match line {
            Line::Set(name, _) => needed.remove(name),
            Line::If(..) => assigned(alone).iter().any(|name| needed.contains(name)),
        };
        if sets {
            names(alone, &mut read);
            needed.extend(read.drain(..));
            kept.push(place);
        }
    }
    kept.reverse();
    kept
}
