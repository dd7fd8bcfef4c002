//! Reads #EQUATIONS: what reacts to what, and where the rate constant is.

use super::codes;
use super::part::{Fault, Part};
use crate::Diagnostic;

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
            missing(&first, found);
            all.extend(one(&first, found));
            rest = behind;
        }
        if rest.text.chars().all(blank) {
            continue;
        }
        if i == last {
            missing(&rest, found);
        }
        all.extend(one(&rest, found));
    }
    all
}

fn missing(piece: &Part, found: &mut Vec<Diagnostic>) {
    let end = piece.text.trim_end().len();
    found.push(
        Diagnostic::error(codes::SEMICOLON, "a semicolon is missing behind a reaction")
            .at(piece.span(end, end), "`;` is expected here")
            .help("write `A + B = C : rate ;`"),
    );
}

/// Splits a piece with more than one equation at the end of a line.
fn two(piece: &Part) -> Option<(Part, Part)> {
    let (_, tag) = tag(piece);
    let colon = tag + piece.text.get(tag..)?.find(':')?;
    let next = colon + 1 + piece.text.get(colon + 1..)?.find(':')?;
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
    let fault = |code, from, to, message: &str, label: &str, help: &str| Fault {
        from,
        to,
        code,
        message: message.to_owned(),
        label: label.to_owned(),
        help: help.to_owned(),
    };
    let end = start + written.trim_end().len();
    if colon.is_none_or(|colon| text.get(colon + 1..).is_none_or(|rate| rate.trim().is_empty())) {
        let help = "write `A + B = C : rate ;`";
        found.push(
            fault(
                codes::NO_RATE,
                start,
                end,
                "a reaction has no rate constant",
                "`:` and a rate are expected behind it",
                help,
            )
            .found(piece),
        );
        return None;
    }
    let equals = match written.find('=') {
        Some(equals) => equals,
        None => {
            let help = "write `A + B = C : rate ;`, and `A = PROD : rate ;` where products do not matter";
            found.push(
                fault(codes::EQUATION, start, end, "a reaction has no `=`", "not an equation", help).found(piece),
            );
            return None;
        }
    };
    let mut side = |from: usize, to: usize, left: bool| match terms(piece, from, to, left) {
        Ok(terms) => Some(terms),
        Err(fault) => {
            found.push(fault.found(piece));
            None
        }
    };
    let left = side(start, start + equals, true);
    let right = side(start + equals + 1, start + written.len(), false);
    let label = tag.map_or_else(|| squeezed(written), str::to_owned);
    let rate = piece.cut(start + colon? + 1, piece.text.len());
    Some(Equation { label, left: left?, right: right?, rate, all: piece.clone() })
}

/// A text with single blanks.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The terms of one side.
fn terms(piece: &Part, from: usize, to: usize, left: bool) -> Result<Vec<Term>, Fault> {
    let mut all = Vec::new();
    let text = piece.text.get(..to).unwrap_or_default();
    let mut at = from;
    let wrong = |from: usize, to: usize, code, message: String, label: &str, help: &str| Fault {
        from,
        to,
        code,
        message,
        label: label.to_owned(),
        help: help.to_owned(),
    };
    let skip = |at: usize| text.get(at..).map_or(at, |rest| at + rest.len() - rest.trim_start().len());
    loop {
        at = skip(at);
        let first = all.is_empty();
        let sign = text.get(at..).and_then(|rest| rest.chars().next());
        let minus = match sign {
            None if first => {
                let (message, help) = if left {
                    ("a reaction has no reactant", "write what reacts before `=`; `hv` alone makes a source")
                } else {
                    ("a reaction has no product", "write `PROD` where products do not matter")
                };
                return Err(wrong(from, at, codes::EQUATION, message.into(), "nothing is here", help));
            }
            None => return Ok(all),
            Some(sign @ ('+' | '-')) => {
                at = skip(at + 1);
                sign == '-'
            }
            Some(_) if first => false,
            Some(other) => {
                let message = format!("`{other}` is not expected in an equation");
                let help =
                    "species are joined by `+`; names are made of letters, digits and `_`; comments stand in braces";
                return Err(wrong(
                    at,
                    at + other.len_utf8(),
                    codes::EQUATION,
                    message,
                    "`+`, `-`, `=` or `:` is expected",
                    help,
                ));
            }
        };
        let rest = text.get(at..).unwrap_or_default();
        let length = coefficient(rest);
        let mut number = match rest.get(..length).unwrap_or_default() {
            "" => 1.0,
            digits => {
                digits.replace(['d', 'D'], "e").parse::<f64>().ok().filter(|n| n.is_finite()).ok_or_else(|| {
                    let help = "write it as 0.42, .42 or 2";
                    wrong(at, at + length, codes::NUMBER, format!("`{digits}` is not a number"), "not a number", help)
                })?
            }
        };
        let term = at;
        at = skip(at + length);
        if length > 0 && text.get(at..).is_some_and(|rest| rest.starts_with('*')) {
            at = skip(at + 1); // `0.67 * O3`
        }
        let rest = text.get(at..).unwrap_or_default();
        let name = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        if name == 0 || rest.starts_with(|c: char| c.is_ascii_digit()) {
            let end = rest.chars().next().map_or(at, |c| at + c.len_utf8());
            let help = "write `2 NO2 + 0.5 O3`; names are made of letters, digits and `_`, and start with a letter";
            return Err(wrong(
                at,
                end,
                codes::EQUATION,
                "a species is missing in an equation".into(),
                "a name is expected here",
                help,
            ));
        }
        if minus {
            number = -number;
        }
        if left && number < 0.0 {
            let help = "only products may be negative";
            return Err(wrong(
                term,
                at + name,
                codes::EQUATION,
                "a reactant has a negative number".into(),
                "negative",
                help,
            ));
        }
        all.push(Term { number, name: piece.cut(at, at + name) });
        at += name;
    }
}

/// Length of the number at the start of a term, which is as long as it may be: `2E3 X` and `2E3X` have an exponent, and `2E3`
/// alone is a species that is called so.
fn coefficient(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let count = |from: usize, dot: bool| {
        bytes.iter().skip(from).take_while(|b| b.is_ascii_digit() || dot && **b == b'.').count()
    };
    let mantissa = count(0, true);
    if mantissa > 0 && matches!(bytes.get(mantissa), Some(b'e' | b'E' | b'd' | b'D')) {
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
