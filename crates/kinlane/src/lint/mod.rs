//! Doubtful properties of a mechanism that its reader accepts.
//!
//! Readers find errors in the text. Here the numbers are examined: thermodynamics over their ranges, rate
//! constants through the solver's own programs over a grid of temperatures and pressures, and the network as
//! a graph.

mod collision;
mod rates;
mod structure;
mod thermo;

use crate::{Mechanism, UsualArithmetic};
use kinlane_mech::Diagnostic;

/// All doubtful properties, the most serious first, then in the order of the file.
pub fn lint(mechanism: &Mechanism) -> Vec<Diagnostic> {
    // Rate constants that overflow are looked for.
    let _usual = UsualArithmetic::set();
    let mut found = thermo::check(mechanism);
    found.extend(rates::check(mechanism));
    found.extend(structure::check(mechanism.network()));
    found.sort_by_key(|d| std::cmp::Reverse(d.severity));
    found
}
