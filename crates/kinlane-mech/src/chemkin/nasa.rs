//! THERMO sections: records of NASA polynomials with 7 or 9 coefficients, in fixed columns.
//!
//! The standard pressure is 1 atm for both, as in CHEMKIN and in Cantera's reading of these files, although
//! NASA itself publishes 9-coefficient data for 1 bar.

use super::auxiliary::exponent_help;
use super::codes;
use super::findings::Findings;
use super::sections::{Kind, Section};
use super::shelf::Shelf;
use super::text::{Text, columns, number};
use super::{nasa7, nasa9};

/// Reads the THERMO sections among these sections.
pub(super) fn read(text: Text<'_>, sections: &[Section<'_>], shelf: &mut Shelf<'_>, findings: &mut Findings) {
    for section in sections {
        match section.kind {
            Kind::Nasa7 => nasa7::read(text, section, shelf, findings),
            Kind::Nasa9 => nasa9::read(text, &section.lines, shelf, findings),
            _ => {}
        }
    }
}

/// Reports that a coefficient is missing, or not a number. `field` are its columns; `which` is its name.
pub(super) fn not_a_number(text: Text<'_>, field: &str, name: &str, which: &str, help: &str, findings: &mut Findings) {
    let shown = field.trim();
    if shown.is_empty() {
        let message = format!("the polynomial of `{name}` is incomplete: {which} is blank");
        let help = format!("write a number, also where it is zero; {help}");
        findings.error(codes::COEFFICIENT, text.span(field), message, "a number is expected here", help);
        return;
    }
    let message = format!("`{shown}`, a polynomial coefficient of `{name}`, is not a number");
    // Fortran reads an exponent without its letter, even after blanks.
    let exponent = exponent_help(&shown.split_whitespace().collect::<String>());
    let help = if exponent.is_empty() { help } else { &exponent };
    findings.error(codes::COEFFICIENT, text.span(shown), message, "not a number", help);
}

/// Elements in fields of `width` columns: two for the symbol, the others for the number of atoms. Also
/// returns the first field with other contents; zeros alone count as an empty field.
pub(super) fn fixed(text: &str, width: usize) -> (Vec<(String, f64)>, Option<&str>) {
    let fields = (0..text.chars().count()).step_by(width).map(|at| columns(text, at, at + width));
    let mut list: Vec<(String, f64)> = Vec::new();
    let mut unread = None;
    for part in fields {
        let symbol = columns(part, 0, 2).trim();
        let count = columns(part, 2, width).trim();
        match number(count) {
            Some(0.0) => {}
            Some(count) if !symbol.is_empty() => list.push((symbol.to_owned(), count)),
            _ if part.bytes().all(|b| matches!(b, b' ' | b'\t' | b'0' | b'.')) => {}
            _ => unread = unread.or(Some(part)),
        }
    }
    (list, unread)
}
