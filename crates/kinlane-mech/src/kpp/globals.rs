//! Variables that code computes for all rate constants: constants in `F90_GLOBAL`, assignments in `F90_RCONST`.

use super::body::{self, Line, Tolerated};
use super::codes;
use super::fortran::{self, Procedures};
use super::intrinsic;
use super::part::{Fault, Part};
use super::resolve::uptake;
use super::tree::{Node, Tree};
use super::usage;
use crate::Diagnostic;
use crate::words::{SHOWN, quoted};
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
    pub fn read(inlined: &[(String, Part)], functions: [&Procedures; 2], found: &mut Vec<Diagnostic>) -> Self {
        let unknown = |tree: &Tree| unknown_call(tree, functions);
        let mut all = Self::default();
        let of = |kind: &'static str| inlined.iter().filter(move |(own, _)| own == kind).map(|(_, code)| code);
        for code in of("F90_GLOBAL") {
            all.integers.extend(fortran::integers(code));
            let constants = fortran::constants(code);
            let mut from = 0;
            for line in constants.text.split_inclusive('\n') {
                // What is none that rates could use, such as an array, leaves the others as they are.
                all.add(constants.cut(from, from + line.len()), &unknown);
                from += line.len();
            }
        }
        // The code of one language is enough.
        let kind = if of("F90_RCONST").next().is_some() { "F90_RCONST" } else { "F77_RCONST" };
        for code in of(kind) {
            let (faults, dropped) = all.add(fortran::statements(code, kind.starts_with("F77")), &unknown);
            let Some(first) = faults.first() else { continue };
            let message = match first.code {
                codes::UNSUPPORTED => format!("the code of {kind} is not read where it has {}", first.message),
                _ => format!("the code of {kind} is not read in full: {}", first.message),
            };
            let braces =
                faults.iter().any(|f| code.text.get(f.from..f.to.max(f.from + 1)).is_some_and(|t| t.contains('{')));
            let help = if braces {
                "braces are comments of KPP, not of Fortran: MECCA's `xmecca` removes them, use the file that it has made".to_owned()
            } else if dropped.is_empty() {
                "what is set there has to be given with the states; assignments and IF are read".to_owned()
            } else {
                let lower = code.text.to_ascii_lowercase();
                let written = |name: &String| {
                    let at = lower.find(name.as_str())?;
                    code.text.get(at..at + name.len()).map(str::to_owned)
                };
                let names = quoted(dropped.iter().map(|name| written(name).unwrap_or_else(|| name.clone())));
                format!(
                    "{names} may be changed there, so what else sets it is not used: give it with the states, or remove this"
                )
            };
            let mut warning = Diagnostic::warning(codes::RCONST, message).help(help);
            warning.labels = faults.iter().take(SHOWN).map(|f| (code.span(f.from, f.to), f.label.clone())).collect();
            found.push(warning);
        }
        if of("F90_RCONST").chain(of("F77_RCONST")).next().is_none() {
            foreign(inlined, "RCONST", found);
        }
        all
    }

    /// Adds what can be read; returns what is wrong with the rest, and which variables it takes with it.
    fn add(&mut self, part: Part, foreign: &dyn Fn(&Tree) -> Option<Fault>) -> (Vec<Fault>, Vec<String>) {
        let Tolerated { lines, faults, dropped } = body::tolerant(&part.text, &self.integers, foreign);
        self.assigned.extend(usage::assigned(&lines));
        self.lines.extend(lines.into_iter().map(|line| (self.parts.len(), line)));
        self.parts.push(part);
        (faults, dropped)
    }
}

/// The first call of a function that nobody knows, and that is no element of an array of the host either.
fn unknown_call(tree: &Tree, functions: [&Procedures; 2]) -> Option<Fault> {
    let parts: &[Tree] = match &tree.node {
        Node::Number(..) | Node::Name(_) => &[],
        Node::Apply(_, parts) | Node::Call(_, parts) => parts,
    };
    if let Node::Call(name, arguments) = &tree.node {
        let lower = name.to_ascii_lowercase();
        let defined = functions.iter().any(|all| all.keys().any(|key| key.0 == lower));
        let index = |argument: &Tree| matches!(argument.node, Node::Number(_, true) | Node::Name(_));
        let known = defined || uptake::is_passed(arguments) || intrinsic::arguments(&lower).next().is_some();
        if !known && !arguments.iter().all(index) {
            return Some(Fault {
                from: tree.from,
                to: tree.from + name.len(),
                code: codes::UNSUPPORTED,
                message: format!("the function `{name}`"),
                label: "not known".to_owned(),
                help: String::new(),
            });
        }
    }
    parts.iter().find_map(|part| unknown_call(part, functions))
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
