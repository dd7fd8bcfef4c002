//! Reactions that are given more than once, by Cantera's rules.
//!
//! Reactions are first sorted into kinds, whose members differ only in their numbers: so a file with
//! thousands of copies of a reaction takes no longer than others, and each copy is reported once.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

use crate::network::{Blend, Network, RateLaw, Reaction, Reverse, ThirdBody};
use crate::validate::{Complete, ExplicitColliders, Rules};
use crate::{Diagnostic, codes};

/// Relative difference below which two ratios of coefficients are the same.
const SAME_RATIO: f64 = 1e-8;

/// Net description of a reaction for the search for duplicates: coefficients with reactants negative.
/// A species on both sides occurs twice.
struct Side<'a>(&'a Reaction);

impl Side<'_> {
    /// A key that is the same for a reaction, its multiples and its reverse.
    fn key(&self) -> (usize, usize) {
        let all = || self.0.reactants.iter().chain(&self.0.products);
        // Wrapping sums do not depend on the order of the terms.
        (
            all().count(),
            all().fold(0usize, |sum, &(k, _)| sum.wrapping_add((k + 1).wrapping_mul(k + 7919).wrapping_mul(k + 31))),
        )
    }

    /// The ratio in `other` = ratio × `self`; negative if the two run in opposite directions.
    fn ratio(&self, other: &Side) -> Option<f64> {
        multiple([&self.0.reactants, &self.0.products], [&other.0.reactants, &other.0.products]).or_else(|| {
            multiple([&self.0.reactants, &self.0.products], [&other.0.products, &other.0.reactants]).map(|c| -c)
        })
    }
}

fn multiple(one: [&Vec<(usize, f64)>; 2], two: [&Vec<(usize, f64)>; 2]) -> Option<f64> {
    let mut ratio = None;
    for (a, b) in one.into_iter().zip(two) {
        if a.len() != b.len() {
            return None;
        }
        for (k, nu) in a {
            let c = b.iter().find(|(j, _)| j == k)?.1 / nu;
            if (c - *ratio.get_or_insert(c)).abs() > SAME_RATIO {
                return None;
            }
        }
    }
    ratio
}

/// The collider, if a single species is written in place of M.
fn explicit(b: &ThirdBody) -> Option<usize> {
    b.efficiencies.first().filter(|_| b.explicit).map(|&(k, _)| k)
}

impl ThirdBody {
    /// Efficiency of a species.
    pub fn efficiency(&self, species: usize) -> f64 {
        self.efficiencies.iter().find(|&&(k, _)| k == species).map_or(self.default, |&(_, e)| e)
    }

    /// Whether some species has a nonzero efficiency in both.
    fn overlaps(&self, other: &Self, species: usize) -> bool {
        (0..species).any(|k| self.efficiency(k) != 0.0 && other.efficiency(k) != 0.0)
    }
}

/// The class of a reaction: reactions with the same equation but of different classes are not duplicates. The
/// broadening is part of it.
type Class = (Discriminant<RateLaw>, Option<(bool, Discriminant<Blend>)>, bool);

fn class(r: &Reaction) -> Class {
    let falloff = match &r.rate {
        RateLaw::Falloff(f) => Some((f.activated, discriminant(&f.blend))),
        _ => None,
    };
    (discriminant(&r.rate), falloff, r.third_body.is_some())
}

fn one_way(r: &Reaction) -> bool {
    r.reverse == Reverse::Irreversible
}

/// The common properties of reactions of one kind.
#[derive(PartialEq, Eq, Hash)]
struct Common {
    class: Class,
    one_way: bool,
    /// Species and coefficients of both sides, relative to the first coefficient and in steps of
    /// [`SAME_RATIO`].
    sides: [Vec<(usize, i64)>; 2],
    /// The collider in place of M; whether other species count; and the species for which that is not so.
    body: Option<(Option<usize>, bool, Vec<usize>)>,
}

impl Common {
    fn of(r: &Reaction) -> Self {
        let sorted = |side: &[(usize, f64)]| {
            let mut side = side.to_vec();
            side.sort_by_key(|term| term.0);
            side
        };
        let mut sides = [sorted(&r.reactants), sorted(&r.products)];
        let names = |side: &[(usize, f64)]| side.iter().map(|term| term.0).collect::<Vec<_>>();
        if !one_way(r) && names(&sides[1]) < names(&sides[0]) {
            sides.reverse();
        }
        let unit = sides.iter().flatten().next().map_or(1.0, |term| term.1);
        let sides =
            sides.map(|side| side.iter().map(|&(k, nu)| (k, (nu / unit / SAME_RATIO).round() as i64)).collect());
        let body = r.body().map(|b| {
            let counts = b.default != 0.0;
            let others = b.efficiencies.iter().filter(|e| (e.1 != 0.0) != counts).map(|e| e.0);
            let mut others: Vec<usize> = others.collect();
            others.sort_unstable();
            (explicit(b), counts, others)
        });
        Self { class: class(r), one_way: one_way(r), sides, body }
    }
}

/// Reactions that differ only in their numbers, in the order of the file.
struct Kind(Vec<usize>);

impl Kind {
    /// The member with which a reaction of another kind collides: the first one that is not marked as a
    /// duplicate.
    fn open(&self, network: &Network) -> usize {
        let marked = |i: &usize| network.reactions.get(*i).is_some_and(|r| r.duplicate);
        self.0.iter().copied().find(|i| !marked(i)).unwrap_or_else(|| self.first())
    }

    fn first(&self) -> usize {
        self.0.first().copied().unwrap_or(0)
    }
}

/// All kinds, and the pairs of different ones whose reactions are duplicates of each other.
fn kinds(network: &Network) -> (Vec<Kind>, Vec<(usize, usize)>) {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut known: HashMap<Common, usize> = HashMap::new();
    let mut groups: HashMap<_, Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (i, r) in network.reactions.iter().enumerate() {
        let kind = *known.entry(Common::of(r)).or_insert(kinds.len());
        if let Some(Kind(members)) = kinds.get_mut(kind) {
            members.push(i);
            continue;
        }
        let related = groups.entry(Side(r).key()).or_default();
        for &other in related.iter() {
            if kinds.get(other).is_some_and(|k: &Kind| twins(network, &network.reactions[k.first()], r)) {
                pairs.push((other, kind));
            }
        }
        related.push(kind);
        kinds.push(Kind(vec![i]));
    }
    (kinds, pairs)
}

/// Whether Cantera's rules call two reactions duplicates, declared as such or not.
fn twins(network: &Network, a: &Reaction, b: &Reaction) -> bool {
    if class(a) != class(b) {
        return false;
    }
    match Side(a).ratio(&Side(b)) {
        None => return false,
        Some(c) if c < 0.0 && one_way(a) && one_way(b) => return false,
        Some(_) => {}
    }
    match (a.body(), b.body()) {
        (Some(a), Some(b)) => a.overlaps(b, network.species.len()),
        _ => true,
    }
}

/// Of two kinds, the one whose collider is M, and the one with a species in place of M; with that species.
fn generic_and_explicit<'k>(network: &Network, a: &'k Kind, b: &'k Kind) -> Option<(&'k Kind, &'k Kind, usize)> {
    let collider = |kind: &Kind| network.reactions.get(kind.first())?.body().map(explicit);
    match (collider(a)?, collider(b)?) {
        (None, Some(k)) => Some((a, b, k)),
        (Some(k), None) => Some((b, a, k)),
        _ => None,
    }
}

/// Pairs (generic, explicit collider's reaction, collider) of twins that are not marked as duplicates, where
/// a species counts in M and is also the collider of a reaction of its own. Every such reaction is in at
/// least one pair.
pub(crate) fn overlapping_colliders(network: &Network) -> Vec<(usize, usize, usize)> {
    let (kinds, pairs) = kinds(network);
    let mut found = Vec::new();
    for (a, b) in pairs {
        let Some((generic, explicit, k)) = generic_and_explicit(network, &kinds[a], &kinds[b]) else { continue };
        let (of_generic, of_explicit) = (generic.open(network), explicit.open(network));
        found.extend(generic.0.iter().map(|&i| (i, of_explicit, k)));
        found.extend(explicit.0.iter().map(|&j| (of_generic, j, k)));
    }
    found.retain(|&(i, j, _)| !(network.reactions[i].duplicate && network.reactions[j].duplicate));
    found
}

/// Reports reactions that are given twice without being marked, and reactions that are marked but given once.
pub(crate) fn duplicates(network: &Network, rules: &Rules, found: &mut Vec<Diagnostic>) {
    unmarked(network, rules, found);
    if rules.complete == Complete::All {
        lone(network, found);
    }
}

/// Reports reactions that are given twice without being marked.
fn unmarked(network: &Network, rules: &Rules, found: &mut Vec<Diagnostic>) {
    let (kinds, pairs) = kinds(network);
    let marked = |i: usize| network.reactions.get(i).is_some_and(|r| r.duplicate);
    // (later, earlier, species that is both part of M and the explicit collider)
    let mut told: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for kind in &kinds {
        let first = kind.first();
        let itself = |r: &Reaction| twins(network, r, r); // not if no species counts in M
        if kind.0.len() > 1 && network.reactions.get(first).is_some_and(itself) {
            let later = kind.0.iter().skip(1).filter(|&&i| !(marked(first) && marked(i)));
            told.extend(later.map(|&i| (i, first, None)));
        }
    }
    let mut last = None;
    for (a, b) in pairs {
        let overlap = generic_and_explicit(network, &kinds[a], &kinds[b]).map(|o| o.2);
        let (i, j) = (kinds[a].open(network), kinds[b].open(network));
        let meant = overlap.is_some() && rules.explicit_colliders == ExplicitColliders::Mark;
        // One finding for each kind is enough, but every collider that is counted twice is named.
        if marked(i) && marked(j) || meant || overlap.is_none() && last.replace(b) == Some(b) {
            continue;
        }
        told.push((i.max(j), i.min(j), overlap));
    }
    told.sort_unstable();
    for (later, earlier, overlap) in told {
        let (b, a) = (&network.reactions[later], &network.reactions[earlier]);
        if let Some(k) = overlap {
            let name = network.species.get(k).map_or("", |s| s.name.as_str());
            let mut d = Diagnostic::error(
                codes::OVERLAPPING_COLLIDER,
                format!("`{name}` counts in M of one reaction and is the collider of another of the same equation"),
            )
            .at(b.at, "this reaction")
            .at(a.at, "and this one both act")
            .help(format!("give `{name}` the efficiency 0 in M, or mark both reactions as duplicates"));
            if rules.explicit_colliders == ExplicitColliders::Warn {
                d.severity = crate::Severity::Warning;
            }
            found.push(d);
            continue;
        }
        found.push(
            Diagnostic::error(
                codes::UNDECLARED_DUPLICATE,
                format!("reaction `{}` is given twice without being marked as a duplicate", b.equation),
            )
            .at(b.at, "given again here")
            .at(a.at, "first given here")
            .help("remove one of them, or mark both as duplicates if their rates are meant to add up"),
        );
    }
}

/// Reactions that are marked but given once.
fn lone_marks(network: &Network) -> Vec<usize> {
    // A partner with the same species is enough: Cantera pairs marked duplicates before it compares further.
    let marked = || network.reactions.iter().filter(|r| r.duplicate);
    let mut partners: HashMap<_, usize> = HashMap::new();
    for r in marked() {
        *partners.entry(Side(r).key()).or_default() += 1;
    }
    // A reaction with an explicit reverse rate counts as two irreversible ones, which are partners of each
    // other.
    let two = |r: &Reaction| matches!(r.reverse, Reverse::Explicit { .. });
    let lone = |r: &Reaction| r.duplicate && !two(r) && partners.get(&Side(r).key()) == Some(&1);
    (0..network.reactions.len()).filter(|&i| lone(&network.reactions[i])).collect()
}

/// Sets marks as readers need them: none without a partner, and one wherever two reactions are the same.
pub(crate) fn mark_again(network: &mut Network) {
    for i in lone_marks(network) {
        network.reactions[i].duplicate = false;
    }
    let (kinds, pairs) = kinds(network);
    let itself =
        |kind: &&Kind| kind.0.len() > 1 && network.reactions.get(kind.first()).is_some_and(|r| twins(network, r, r));
    let with_others = pairs
        .into_iter()
        .map(|(a, b)| (&kinds[a], &kinds[b]))
        .filter(|(a, b)| generic_and_explicit(network, a, b).is_none());
    let marked = kinds.iter().filter(itself).chain(with_others.flat_map(|(a, b)| [a, b]));
    let marked: Vec<usize> = marked.flat_map(|kind| kind.0.iter().copied()).collect();
    for i in marked {
        network.reactions[i].duplicate = true;
    }
}

/// Reports reactions that are marked but given once.
fn lone(network: &Network, found: &mut Vec<Diagnostic>) {
    for r in lone_marks(network).into_iter().map(|i| &network.reactions[i]) {
        found.push(
            Diagnostic::error(
                codes::LONE_DUPLICATE,
                format!("reaction `{}` is marked as a duplicate but is given only once", r.equation),
            )
            .at(r.at, "no other reaction has this equation")
            .help("remove the mark, or correct the equation of the intended partner"),
        );
    }
}
