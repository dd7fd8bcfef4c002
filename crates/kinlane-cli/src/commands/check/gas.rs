//! What a gas-phase mechanism holds: its species, its reactions by class, what a cell costs.

use crate::commands::memory;
use crate::words::{count, short};
use kinlane::Mechanism;
use kinlane::mech::network::{Blend, Range, RateLaw, Reaction, Reverse, ThermoForm};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A species of the list.
#[derive(Debug, Serialize)]
pub struct SpeciesRow<'a> {
    name: &'a str,
    /// Molar mass \[g/mol\].
    molar_mass: f64,
    composition: BTreeMap<&'a str, f64>,
    thermo: &'static str,
    /// Temperature range of the thermodynamics \[K\].
    range: [f64; 2],
}

/// Every species, in order.
pub fn species(mechanism: &Mechanism) -> Vec<SpeciesRow<'_>> {
    let network = mechanism.network();
    let mut rows = Vec::new();
    for s in &network.species {
        let element = |&(e, n): &(usize, f64)| Some((network.elements.get(e)?.symbol.as_str(), n));
        let (thermo, range) = thermo(&s.thermo.form);
        rows.push(SpeciesRow {
            name: &s.name,
            molar_mass: s.molar_mass * 1e3,
            composition: s.composition.iter().filter_map(element).collect(),
            thermo,
            range,
        });
    }
    rows
}

/// The form of the thermodynamics, and its temperature range \[K\].
fn thermo(form: &ThermoForm) -> (&'static str, [f64; 2]) {
    fn ends<const N: usize>(ranges: &[Range<N>]) -> [f64; 2] {
        [ranges.first().map_or(f64::NAN, |r| r.low), ranges.last().map_or(f64::NAN, |r| r.high)]
    }
    match form {
        ThermoForm::Nasa7(ranges) => ("NASA7", ends(ranges)),
        ThermoForm::Nasa9(ranges) => ("NASA9", ends(ranges)),
        ThermoForm::Shomate(ranges) => ("Shomate", ends(ranges)),
        ThermoForm::ConstantCp { range, .. } => ("constant cp", *range),
    }
}

/// The species as a table.
pub fn list(species: &[SpeciesRow<'_>]) -> String {
    let widest = species.iter().map(|s| s.name.chars().count()).max().unwrap_or(0).max(14);
    let mut text = format!("{:<widest$}{:>14}  {:<12}{:>16}  elements\n", "species", "W (g/mol)", "thermo", "T (K)");
    for SpeciesRow { name, molar_mass, composition, thermo, range: [low, high] } in species {
        let elements: Vec<String> = composition.iter().map(|(e, n)| format!("{e}:{n}")).collect();
        let (range, elements) = (format!("{} to {}", short(*low), short(*high)), elements.join(" "));
        let _ = writeln!(text, "{name:<widest$}{molar_mass:>14.4}  {thermo:<12}{range:>16}  {elements}");
    }
    text
}

/// All of it in words and tables.
pub fn summary(mechanism: &Mechanism) -> String {
    format!(
        "{}: {} species of {} ({}), {}\n\n{}\n{}",
        mechanism.name(),
        mechanism.species_count(),
        mechanism.elements().len(),
        mechanism.elements().collect::<Vec<_>>().join(" "),
        count(mechanism.reaction_count(), "reaction"),
        reactions(&mechanism.network().reactions),
        sizes(mechanism),
    )
}

/// Reactions by class and direction.
fn reactions(all: &[Reaction]) -> String {
    // By direction: reversible, irreversible, explicit reverse rate.
    let mut classes: BTreeMap<(u8, &str), [usize; 3]> = BTreeMap::new();
    let mut total = [0; 3];
    for r in all {
        let direction = match r.reverse {
            Reverse::Equilibrium => 0,
            Reverse::Irreversible => 1,
            Reverse::Explicit { .. } => 2,
        };
        for counts in [classes.entry(class(r)).or_default(), &mut total] {
            if let Some(count) = counts.get_mut(direction) {
                *count += 1;
            }
        }
    }
    let mut text =
        format!("{:<26}{:>9}{:>12}{:>14}{:>14}\n", "class", "reactions", "reversible", "irreversible", "own reverse");
    let rows = classes.into_iter().map(|((_, name), counts)| (name, counts)).chain([("all", total)]);
    for (name, counts) in rows {
        let [balanced, one_way, own] = counts.map(shown);
        let sum = counts.iter().sum::<usize>();
        let _ = writeln!(text, "{name:<26}{sum:>9}{balanced:>12}{one_way:>14}{own:>14}");
    }
    text
}

/// A count; a dash for zero.
fn shown(count: usize) -> String {
    if count == 0 { "-".into() } else { count.to_string() }
}

/// The cost of one cell: the sparse matrices and the memory.
fn sizes(mechanism: &Mechanism) -> String {
    let s = mechanism.sizes();
    let n = s.variables;
    let filled =
        |entries: usize| format!("{entries} of {} entries ({:.0} %)", n * n, 100.0 * entries as f64 / (n * n) as f64);
    let dense = n * n * n / 3;
    format!(
        "Jacobian        {n} x {n}, {}\n\
         LU factors      {}\n\
         factorisation   {} multiply-adds (a dense one: {dense})\n\
         memory          {} per cell in work, without the method's own\n\
         heat capacities constant above {} K\n",
        filled(s.jacobian_entries),
        filled(s.lu_entries),
        s.lu_multiply_adds,
        memory::bytes(s.bytes_per_cell),
        s.constant_cp_above,
    )
}

/// Number of reactions of each class.
pub fn classes(mechanism: &Mechanism) -> BTreeMap<&'static str, usize> {
    let mut all = BTreeMap::new();
    mechanism.network().reactions.iter().for_each(|r| *all.entry(class(r).1).or_default() += 1);
    all
}

/// The class of a reaction, and its row in the table.
fn class(r: &Reaction) -> (u8, &'static str) {
    match &r.rate {
        RateLaw::Arrhenius(_) if r.third_body.is_some() => (1, "third body"),
        RateLaw::Arrhenius(_) => (0, "elementary"),
        RateLaw::Falloff(f) => match (f.activated, f.blend) {
            (false, Blend::Lindemann) => (2, "falloff, Lindemann"),
            (false, Blend::Troe { .. }) => (3, "falloff, Troe"),
            (false, Blend::Sri { .. }) => (4, "falloff, SRI"),
            (false, Blend::Tsang { .. }) => (5, "falloff, Tsang"),
            (true, _) => (6, "chemically activated"),
        },
        RateLaw::Plog(_) => (7, "PLOG"),
        RateLaw::Chebyshev(_) => (8, "Chebyshev"),
        RateLaw::LinearBurke(_) => (9, "linear Burke (LMR-R)"),
        RateLaw::BlowersMasel { .. } => (10, "Blowers-Masel"),
        RateLaw::TwoTemperature { .. } => (11, "two-temperature plasma"),
        RateLaw::LandauTeller { .. } => (12, "Landau-Teller"),
    }
}
