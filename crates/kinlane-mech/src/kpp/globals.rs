//! Variables that code computes for all rate constants: constants in `F90_GLOBAL`, assignments in `F90_RCONST`.

use super::body::{self, Line};
use super::codes;
use super::fortran;
use super::part::Part;
use crate::{Diagnostic, Severity};
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
}

impl Globals {
    /// Those of inlined code. Code for rate constants that cannot be read is reported.
    pub fn read(inlined: &[(String, Part)], found: &mut Vec<Diagnostic>) -> Self {
        let mut all = Self::default();
        let of = |kind: &'static str| inlined.iter().filter(move |(own, _)| own == kind).map(|(_, code)| code);
        for code in of("F90_GLOBAL") {
            // The rest of it declares variables, in whatever way.
            let _ = all.add(fortran::constants(code));
        }
        for code in of("F90_RCONST") {
            if let Err(fault) = all.add(fortran::statements(code)) {
                let help = "names that this code defines have to be given with the states; assignments and IF are read";
                let message = format!("the code of F90_RCONST is not read: {}", fault.message);
                let warning = Diagnostic { help: Some(help.to_owned()), message, ..fault.found(code) };
                found.push(Diagnostic { severity: Severity::Warning, code: codes::RCONST, ..warning });
            }
        }
        all
    }

    fn add(&mut self, part: Part) -> Result<(), super::part::Fault> {
        let body = body::loose(&part.text)?;
        self.assigned.extend(body::assigned(&body.lines));
        self.lines.extend(body.lines.into_iter().map(|line| (self.parts.len(), line)));
        self.parts.push(part);
        Ok(())
    }
}
