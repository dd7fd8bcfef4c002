//! Counts the atoms in reactions, where a file asks for it with #CHECK or #CHECKALL.

use super::codes;
use super::commands::Section;
use super::equation::{Equation, Term};
use super::part::Part;
use super::species::Declared;
use crate::Diagnostic;
use crate::sums::add_to;
use crate::words::SHOWN;

/// How far numbers of atoms may be apart, for numbers of molecules such as 0.333.
const NEAR: f64 = 1e-3;

/// Atoms, in capitals, with their numbers.
type Atoms = Vec<(String, f64)>;

/// Warns of reactions that lose or gain atoms which they are to keep. As in KPP, `IGNORE` is no atom, and a reaction with `PROD` or
/// `CANCEL` does not count; nor does one with a composition that cannot be read.
pub(super) fn check(
    sections: &[(Section, Part)],
    equations: &[Equation],
    declared: &Declared,
    found: &mut Vec<Diagnostic>,
) {
    let kept = kept(sections, declared, found);
    let mut unbalanced: Vec<_> = equations.iter().filter_map(|e| Some((e, changed(e, &kept, declared)?))).collect();
    let message = match &unbalanced[..] {
        [] => return,
        [(only, _)] => format!("reaction `{}` loses or gains atoms", only.label),
        all => format!("{} reactions lose or gain atoms", all.len()),
    };
    unbalanced.truncate(SHOWN);
    let labels = unbalanced.into_iter().map(|(equation, what)| (equation.all.first_line(), what));
    let help = "correct the reaction or a composition, or remove the atom from #CHECK; \
                reactions with `PROD` do not count";
    found.push(Diagnostic { labels: labels.collect(), ..Diagnostic::warning(codes::UNBALANCED, message).help(help) });
}

/// The atoms to keep, in capitals.
fn kept(sections: &[(Section, Part)], declared: &Declared, found: &mut Vec<Diagnostic>) -> Vec<String> {
    let mut known = Atoms::new();
    declared.all.iter().filter_map(|s| s.atoms.as_ref()).flatten().for_each(|(a, n)| add_to(&mut known, a.clone(), *n));
    let mut kept = Vec::new();
    for (section, part) in sections {
        match section {
            Section::Kept { all: true } => kept.extend(known.iter().map(|(atom, _)| atom.clone())),
            Section::Kept { all: false } => {
                for piece in part.pieces() {
                    let atom = piece.text.trim().to_ascii_uppercase();
                    if known.iter().any(|(a, _)| *a == atom) {
                        kept.push(atom);
                    } else if !atom.is_empty() {
                        found.push(
                            Diagnostic::note(codes::UNBALANCED, "no species has an atom that #CHECK names")
                                .at(piece.place(), "not in any composition")
                                .help("atoms stand in the compositions of #DEFVAR and #DEFFIX"),
                        );
                    }
                }
            }
            _ => {}
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// What changes of the atoms that are to be kept; `None` if nothing does, or if it cannot be known.
fn changed(equation: &Equation, kept: &[String], declared: &Declared) -> Option<String> {
    let (left, right) = (atoms(&equation.left, declared)?, atoms(&equation.right, declared)?);
    let of = |side: &Atoms, atom: &String| side.iter().find(|(a, _)| a == atom).map_or(0.0, |(_, n)| *n);
    let both = kept.iter().map(|atom| (atom, of(&left, atom), of(&right, atom)));
    let changes = both.filter(|(_, l, r)| (l - r).abs() > NEAR * l.abs().max(r.abs()));
    let told: Vec<_> = changes.map(|(atom, l, r)| format!("{atom}: {} become {}", short(l), short(r))).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// The atoms of a side, if all compositions are known; that of `PROD` is not, whatever is declared.
fn atoms(side: &[Term], declared: &Declared) -> Option<Atoms> {
    if side.iter().any(|term| term.name.text.eq_ignore_ascii_case("PROD")) {
        return None;
    }
    let mut sums = Atoms::new();
    for Term { number, name } in side.iter().filter(|term| !term.name.text.eq_ignore_ascii_case("hv")) {
        let species = declared.find(&name.text).and_then(|i| declared.all.get(i))?;
        species.atoms.as_ref()?.iter().for_each(|(atom, n)| add_to(&mut sums, atom.clone(), number * n));
    }
    Some(sums)
}

/// A number of atoms, without the noise of sums.
fn short(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
