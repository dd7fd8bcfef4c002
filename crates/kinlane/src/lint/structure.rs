//! The network as a graph: species that are never made or never used, and parts without connection.

use kinlane_mech::network::{Network, Reverse};
use kinlane_mech::words::quoted;
use kinlane_mech::{Diagnostic, Severity, codes};

pub fn check(network: &Network) -> Vec<Diagnostic> {
    let n = network.species.len();
    let mut made = vec![false; n];
    let mut used = vec![false; n];
    let mut part: Vec<usize> = (0..n).collect();
    let mut occurs = vec![false; n];
    for r in &network.reactions {
        let two_way = r.reverse != Reverse::Irreversible;
        for (k, nu) in r.net() {
            // A species with the same coefficient on both sides is neither made nor used.
            made[k] |= nu > 0.0 || nu < 0.0 && two_way;
            used[k] |= nu < 0.0 || nu > 0.0 && two_way;
        }
        let mut all = r.reactants.iter().chain(&r.products).map(|c| c.0);
        if let Some(first) = all.next() {
            occurs[first] = true;
            for k in all {
                occurs[k] = true;
                let (a, b) = (root(&part, first), root(&part, k));
                part[a] = b;
            }
        }
    }
    let mut found = Vec::new();
    if network.reactions.is_empty() {
        return found;
    }
    let mut list = |code, severity, what: &str, label: &str, help: &str, keep: &dyn Fn(usize) -> bool| {
        let chosen: Vec<usize> = (0..n).filter(|&k| keep(k)).collect();
        let Some(&first) = chosen.first() else { return };
        let names: Vec<&str> = chosen.iter().map(|&k| network.species[k].name.as_str()).collect();
        let mut d = Diagnostic::error(code, format!("{} {what}: {}", count(names.len()), quoted(&names)))
            .at(network.species[first].at, label)
            .help(help);
        d.severity = severity;
        found.push(d);
    };
    list(
        codes::NEVER_MADE,
        Severity::Note,
        "no reaction makes",
        "it is there only if it is put in",
        "a fuel or a diluent is meant to be like this; an intermediate is not",
        &|k| used[k] && !made[k],
    );
    list(
        codes::NEVER_USED,
        Severity::Note,
        "no reaction consumes",
        "it only collects",
        "a lumped product is meant to be like this; an intermediate lacks its consumption",
        &|k| made[k] && !used[k],
    );
    list(
        codes::NO_REACTION,
        Severity::Note,
        "changed by no reaction",
        "it takes part as a collider at most, or by its order",
        "a diluent is meant to be like this; anything else only costs time",
        &|k| !made[k] && !used[k],
    );
    isolated(network, &part, &occurs, &mut found);
    found
}

fn root(part: &[usize], mut k: usize) -> usize {
    while part[k] != k {
        k = part[k];
    }
    k
}

/// Finds parts of the network that share no species with the largest part.
fn isolated(network: &Network, part: &[usize], occurs: &[bool], found: &mut Vec<Diagnostic>) {
    let mut parts: Vec<(usize, Vec<usize>)> = Vec::new();
    for k in (0..part.len()).filter(|&k| occurs[k]) {
        let r = root(part, k);
        match parts.iter_mut().find(|p| p.0 == r) {
            Some(p) => p.1.push(k),
            None => parts.push((r, vec![k])),
        }
    }
    parts.sort_by_key(|p| std::cmp::Reverse(p.1.len()));
    for (_, members) in parts.iter().skip(1) {
        let names: Vec<&str> = members.iter().map(|&k| network.species[k].name.as_str()).collect();
        let of = network.reactions.iter().find(|r| r.reactants.iter().any(|c| members.contains(&c.0)));
        let at = of.map_or(network.species[members[0]].at, |r| r.at);
        found.push(
            Diagnostic::warning(
                codes::ISOLATED,
                format!("{} react among themselves only: {}", count(names.len()), quoted(&names)),
            )
            .at(at, "no reaction joins them to the rest")
            .help("a reaction between the parts is missing, or a species has two names"),
        );
    }
}

fn count(n: usize) -> String {
    if n == 1 { "1 species".into() } else { format!("{n} species") }
}
