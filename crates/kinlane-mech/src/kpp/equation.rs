//! Reads #EQUATIONS: what reacts to what, and where the rate constant is.

use super::codes;
use super::part::{Fault, Part};
use crate::Diagnostic;

/// An equation as it should be.
const EXAMPLE: &str = "A + B = C : rate ;";

/// A reaction as written.
#[derive(Debug)]
pub(super) struct Equation {
    /// Its tag, or itself.
    pub label: String,
    /// Names on the left with their numbers.
    pub left: Vec<Term>,
    /// Names on the right with their numbers.
    pub right: Vec<Term>,
    /// The expression of the rate constant.
    pub rate: Part,
    /// All of it.
    pub all: Part,
}

/// A species in an equation.
#[derive(Debug)]
pub(super) struct Term {
    /// Number, negative behind a minus sign.
    pub number: f64,
    /// The name.
    pub name: Part,
}

/// Reads the equations of a section.
pub(super) fn read(section: &Part, found: &mut Vec<Diagnostic>) -> Vec<Equation> {
    let mut all = Vec::new();
    let pieces = section.pieces();
    let last = pieces.len().saturating_sub(1);
    for (i, piece) in pieces.into_iter().enumerate() {
        // Colons beyond the first belong to further equations.
        let mut rest = piece;
        while let Some((first, behind)) = two(&rest) {
            found.push(first.unended("a reaction", EXAMPLE));
            all.extend(one(&first, found));
            rest = behind;
        }
        if rest.text.chars().all(blank) {
            continue;
        }
        if i == last {
            found.push(rest.unended("a reaction", EXAMPLE));
        }
        all.extend(one(&rest, found));
    }
    all
}

/// Splits a piece with more than one equation at the end of a line.
fn two(piece: &Part) -> Option<(Part, Part)> {
    let (_, tag) = tag(piece);
    let colon = tag + piece.text.get(tag..)?.find(':')?;
    // That of a choice in C, `a ? b : c`, is none of another equation.
    let mut choices = 0;
    let ends = |c: char| {
        choices += i32::from(c == '?') - i32::from(c == ':');
        choices < 0
    };
    let next = colon + 1 + piece.text.get(colon + 1..)?.find(ends)?;
    // The next equation starts on a line of its own: the first one behind the rate, so that it may have several.
    let line = |from: usize| Some(from + piece.text.get(from..next)?.find('\n')?);
    let mut end = line(colon)?;
    while piece.text.get(colon + 1..end)?.trim().is_empty() {
        end = line(end + 1)?;
    }
    Some((piece.cut(0, end), piece.cut(end, piece.text.len())))
}

/// What may stand before an equation. Commas between comments are in published files.
fn blank(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// The tag of an equation, if it has one, and where the equation itself starts.
fn tag(piece: &Part) -> (Option<&str>, usize) {
    let from = piece.text.len() - piece.text.trim_start_matches(blank).len();
    let rest = piece.text.get(from..).unwrap_or_default();
    match rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        Some((tag, _)) => (Some(tag.trim()).filter(|tag| !tag.is_empty()), from + tag.len() + 2),
        None => (None, from),
    }
}

/// Reads one equation.
fn one(piece: &Part, found: &mut Vec<Diagnostic>) -> Option<Equation> {
    let (tag, start) = tag(piece);
    let text = piece.text.get(start..)?;
    let (start, text) = (start + text.len() - text.trim_start().len(), text.trim_start());
    let colon = text.find(':');
    let written = text.get(..colon.unwrap_or(text.len()))?;
    let end = start + written.trim_end().len();
    if colon.is_none_or(|colon| text.get(colon + 1..).is_none_or(|rate| rate.trim().is_empty())) {
        let (message, label) = ("a reaction has no rate constant", "`:` and a rate are expected behind it");
        found.push(wrong(start, end, codes::NO_RATE, message, label, &format!("write `{EXAMPLE}`")).found(piece));
        return None;
    }
    let Some(equals) = written.find('=') else {
        let help = "write `A + B = C : rate ;`, and `A = PROD : rate ;` where products do not matter";
        let message = "a reaction has no `=`";
        found.push(wrong(start, end, codes::EQUATION, message, "not an equation", help).found(piece));
        return None;
    };
    let mut side = |from: usize, to: usize, left: bool| match terms(piece, from, to, left) {
        Ok(terms) => Some(terms),
        Err(fault) => {
            found.push(fault.found(piece));
            None
        }
    };
    let left = side(start, start + equals, true);
    let right = if written.get(equals + 1..).is_some_and(|right| right.trim().is_empty()) {
        // As the site of the Master Chemical Mechanism writes it.
        found.push(
            Diagnostic::warning(codes::NO_PRODUCT, "a reaction has no product")
                .at(piece.span(start + equals, start + equals + 1), "nothing is behind it")
                .help("it is read as `PROD`, which is what to write where products do not matter"),
        );
        Some(Vec::new())
    } else {
        side(start + equals + 1, start + written.len(), false)
    };
    let label = tag.map_or_else(|| squeezed(written), str::to_owned);
    let rate = piece.cut(start + colon? + 1, piece.text.len());
    Some(Equation { label, left: left?, right: right?, rate, all: piece.clone() })
}

/// A text with single blanks.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn wrong(from: usize, to: usize, code: &'static str, message: impl Into<String>, label: &str, help: &str) -> Fault {
    Fault { from, to, code, message: message.into(), label: label.to_owned(), help: help.to_owned() }
}

/// The terms of one side.
fn terms(piece: &Part, from: usize, to: usize, left: bool) -> Result<Vec<Term>, Fault> {
    let mut side = Side { text: piece.text.get(..to).unwrap_or_default(), at: from };
    let mut all = Vec::new();
    loop {
        side.go(0);
        if side.rest().is_empty() {
            break;
        }
        let minus = side.sign(all.is_empty())?;
        let start = side.at;
        let number = side.number()?;
        let name = side.name()?;
        let number = if minus { -number } else { number };
        if left && number < 0.0 {
            let message = "a reactant has a negative number";
            return Err(wrong(start, side.at, codes::EQUATION, message, "negative", "only products may be negative"));
        }
        all.push(Term { number, name: piece.cut(name, side.at) });
    }
    if !all.is_empty() {
        return Ok(all);
    }
    // The right side is not empty.
    let (message, help) = ("a reaction has no reactant", "write what reacts before `=`; `hv` alone makes a source");
    Err(wrong(from, side.at, codes::EQUATION, message, "nothing is here", help))
}

/// A side of an equation, read from left to right.
struct Side<'a> {
    /// The text up to its end.
    text: &'a str,
    /// The first byte that is still to be read.
    at: usize,
}

impl<'a> Side<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes past some bytes and the blanks behind them.
    fn go(&mut self, bytes: usize) {
        self.at += bytes;
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// The sign of a term, which the first one need not have; whether it is a minus.
    fn sign(&mut self, first: bool) -> Result<bool, Fault> {
        match self.rest().chars().next() {
            Some(sign @ ('+' | '-')) => {
                self.go(1);
                Ok(sign == '-')
            }
            Some(other) if !first => {
                let message = format!("`{other}` is not expected in an equation");
                let help =
                    "species are joined by `+`; names are made of letters, digits and `_`; comments stand in braces";
                let end = self.at + other.len_utf8();
                Err(wrong(self.at, end, codes::EQUATION, message, "`+`, `-`, `=` or `:` is expected", help))
            }
            _ => Ok(false),
        }
    }

    /// The number of a term, which is 1 if there is none.
    fn number(&mut self) -> Result<f64, Fault> {
        let length = coefficient(self.rest());
        let digits = self.rest().get(..length).unwrap_or_default();
        if digits.is_empty() {
            return Ok(1.0);
        }
        let Some(number) = digits.parse::<f64>().ok().filter(|n| n.is_finite()) else {
            let (message, help) = (format!("`{digits}` is not a number"), "write it as 0.42, .42 or 2");
            return Err(wrong(self.at, self.at + length, codes::NUMBER, message, "not a number", help));
        };
        self.go(length);
        if self.rest().starts_with('*') {
            self.go(1); // `0.67 * O3`
        }
        Ok(number)
    }

    /// The first byte of the name of a species, past which it goes.
    fn name(&mut self) -> Result<usize, Fault> {
        let (rest, from) = (self.rest(), self.at);
        let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        if length == 0 || rest.starts_with(|c: char| c.is_ascii_digit()) {
            let end = rest.chars().next().map_or(from, |c| from + c.len_utf8());
            let help = "write `2 NO2 + 0.5 O3`; names are made of letters, digits and `_`, and start with a letter";
            let message = "a species is missing in an equation";
            return Err(wrong(from, end, codes::EQUATION, message, "a name is expected here", help));
        }
        self.at += length;
        Ok(from)
    }
}

/// Length of the number at the start of a term, which is as long as it may be: `2E3 X` and `2E3X` have an exponent, and `2E3`
/// alone is a species that is called so. As in KPP, `D` begins no exponent: `2D2O` is two of heavy water.
fn coefficient(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let count = |from: usize, dot: bool| {
        bytes.iter().skip(from).take_while(|b| b.is_ascii_digit() || dot && **b == b'.').count()
    };
    let mantissa = count(0, true);
    if mantissa > 0 && matches!(bytes.get(mantissa), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(mantissa + 1), Some(b'+' | b'-')));
        let digits = count(mantissa + 1 + sign, false);
        let end = mantissa + 1 + sign + digits;
        let behind = rest.get(end..).unwrap_or_default();
        let name = behind.trim_start().starts_with(|c: char| c.is_ascii_alphabetic());
        if digits > 0 && name {
            return end;
        }
    }
    mantissa
}
