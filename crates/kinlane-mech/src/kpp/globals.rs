//! Variables that code computes for all rate constants: constants in `F90_GLOBAL`, assignments in `F90_RCONST`.

use super::body::{self, Line};
use super::codes;
use super::fortran;
use super::part::{Fault, Part};
use super::usage;
use crate::Diagnostic;
use crate::words::SHOWN;
use std::collections::HashSet;

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Globals {
    /// Pieces of code.
    pub parts: Vec<Part>,
    /// Statements in order, each with the number of its piece.
    pub lines: Vec<(usize, Line)>,
    /// Variables that they assign, in lower case.
    pub assigned: HashSet<String>,
    /// Variables that are declared to be integers.
    pub integers: HashSet<String>,
}

impl Globals {
    /// Those of inlined code. Code for rate constants that cannot be read is reported.
    pub fn read(inlined: &[(String, Part)], found: &mut Vec<Diagnostic>) -> Self {
        let mut all = Self::default();
        let of = |kind: &'static str| inlined.iter().filter(move |(own, _)| own == kind).map(|(_, code)| code);
        for code in of("F90_GLOBAL") {
            all.integers.extend(fortran::integers(code));
            let constants = fortran::constants(code);
            let mut from = 0;
            for line in constants.text.split_inclusive('\n') {
                // What is none that rates could use, such as an array, leaves the others as they are.
                all.add(constants.cut(from, from + line.len()));
                from += line.len();
            }
        }
        // The code of one language is enough.
        let kind = if of("F90_RCONST").next().is_some() { "F90_RCONST" } else { "F77_RCONST" };
        for code in of(kind) {
            let faults = all.add(fortran::statements(code, kind.starts_with("F77")));
            let Some(first) = faults.first() else { continue };
            let message = format!("the code of {kind} is not read where it has {}", first.message);
            let help = "what is set there has to be given with the states; assignments and IF are read";
            let mut warning = Diagnostic::warning(codes::RCONST, message).help(help);
            warning.labels = faults.iter().take(SHOWN).map(|f| (code.span(f.from, f.to), f.label.clone())).collect();
            found.push(warning);
        }
        if of("F90_RCONST").chain(of("F77_RCONST")).next().is_none() {
            foreign(inlined, "RCONST", found);
        }
        all
    }

    /// Adds what can be read; returns what is wrong with the rest.
    fn add(&mut self, part: Part) -> Vec<Fault> {
        let (lines, faults) = body::tolerant(&part.text, &self.integers);
        self.assigned.extend(usage::assigned(&lines));
        self.lines.extend(lines.into_iter().map(|line| (self.parts.len(), line)));
        self.parts.push(part);
        faults
    }
}

/// Warns of code for rate constants in languages that are not read; `what` begins the second half of its kind.
pub(super) fn foreign(inlined: &[(String, Part)], what: &str, found: &mut Vec<Diagnostic>) {
    for (kind, code) in inlined {
        let of = kind.split_once('_').filter(|(_, part)| part.starts_with(what)).map(|(of, _)| of);
        if of.is_some_and(|of| of == "C" || of == "MATLAB") && !code.text.trim().is_empty() {
            let message = format!("the code of {kind} is not read");
            let help = "write it in Fortran, as F90_RATES or F90_RCONST, or give what it computes with the states";
            found.push(Diagnostic::warning(codes::RCONST, message).at(code.first_line(), "not read").help(help));
        }
    }
}
