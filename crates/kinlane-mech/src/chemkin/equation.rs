//! Reaction equations without blanks: `2O2+M<=>...`, where names may hold `+`, `=`, brackets and digits.
//!
//! A name can contain every character that separates names, so an equation is read by trying: at each place the
//! longest declared name first, and shorter ones where the rest then makes no sense.

use std::collections::HashSet;

use super::names::Names;

/// Longest equation that is read; published ones have a few hundred characters. Bounds the depth of the search.
pub(super) const LONGEST: usize = 2000;

/// A collider in brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// `(+M)`
    Any,
    /// `(+AR)`
    One(usize),
}

/// One side of an equation.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Side {
    /// (species, coefficient) in the order written; a species may occur twice.
    pub terms: Vec<(usize, f64)>,
    /// How often a plain `M` occurs.
    pub third_bodies: usize,
    /// How often `HV` occurs.
    pub photons: usize,
    /// The collider in brackets.
    pub body: Option<Body>,
}

/// An equation.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Equation {
    /// Left and right side.
    pub sides: [Side; 2],
    /// `=` or `<=>`, not `=>`.
    pub reversible: bool,
}

/// Why an equation has no meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It has more than [`LONGEST`] characters.
    TooLong,
    /// There is no `=`, `<=>` or `=>` in it.
    NoArrow,
    /// Nothing stands before (0) or after (1) the arrow.
    Empty(usize),
    /// The colliders of both sides differ.
    Unequal,
    /// From here to there is no declared species.
    Unknown(usize, usize),
}

#[derive(Clone, Copy)]
enum Piece {
    Species(usize, f64),
    ThirdBody,
    Photon,
    Body(Body),
    Arrow(bool),
}

struct Search<'a> {
    text: &'a str,
    names: &'a Names,
    fold: bool,
    pieces: Vec<Piece>,
    /// (place, side, a term is due) that cannot be completed.
    failed: HashSet<(usize, bool, bool)>,
    /// The furthest place at which a term was due and none was found, or at which a term was followed by something else.
    furthest: usize,
}

/// Reads an equation that has no blanks in it. The flag says that names were matched without regard to case.
pub(super) fn read(text: &str, names: &Names) -> Result<(Equation, bool), Fault> {
    if text.len() > LONGEST {
        return Err(Fault::TooLong);
    }
    if !text.contains('=') {
        return Err(Fault::NoArrow);
    }
    let search = |text, fold| {
        let mut search = Search { text, names, fold, pieces: Vec::new(), failed: HashSet::new(), furthest: 0 };
        let good = search.term(0, false);
        (good, search)
    };
    let (good, found) = search(text, false);
    if good {
        return assemble(&found.pieces).map(|equation| (equation, false));
    }
    let upper = text.to_ascii_uppercase();
    let (good, folded) = search(&upper, true);
    if good {
        return assemble(&folded.pieces).map(|equation| (equation, true));
    }
    Err(explain(text, folded.furthest.max(found.furthest)))
}

impl Search<'_> {
    fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or("")
    }

    /// Tries one piece, and all that follows it.
    fn step(&mut self, piece: Piece, next: usize, right: bool, due: bool) -> bool {
        self.pieces.push(piece);
        let good = if due { self.term(next, right) } else { self.after(next, right) };
        if !good {
            self.pieces.pop();
        }
        good
    }

    /// A term starts at `at`.
    fn term(&mut self, at: usize, right: bool) -> bool {
        if self.failed.contains(&(at, right, true)) {
            return false;
        }
        self.furthest = self.furthest.max(at);
        let names = self.names;
        let text = self.text.get(at..).unwrap_or("");
        for (species, length) in names.starting(text, self.fold) {
            if self.step(Piece::Species(species, 1.0), at + length, right, false) {
                return true;
            }
        }
        if text.starts_with(['M', 'm']) && self.step(Piece::ThirdBody, at + 1, right, false) {
            return true;
        }
        if text.get(..2).is_some_and(|head| head.eq_ignore_ascii_case("hv")) && self.step(Piece::Photon, at + 2, right, false) {
            return true;
        }
        for length in coefficient_lengths(text) {
            let (Some(number), Some(tail)) = (text.get(..length), text.get(length..)) else { continue };
            let Ok(coefficient) = number.parse::<f64>() else { continue };
            for (species, name) in names.starting(tail, self.fold) {
                if coefficient.is_finite() && self.step(Piece::Species(species, coefficient), at + length + name, right, false) {
                    return true;
                }
            }
        }
        self.failed.insert((at, right, true));
        false
    }

    /// A term ended at `at`.
    fn after(&mut self, at: usize, right: bool) -> bool {
        let text = self.rest(at);
        if text.is_empty() && right {
            return true;
        }
        if self.failed.contains(&(at, right, false)) {
            return false;
        }
        for (arrow, reversible) in [("<=>", true), ("=>", false), ("=", true)] {
            if !right && self.rest(at).starts_with(arrow) && self.step(Piece::Arrow(reversible), at + arrow.len(), true, true) {
                return true;
            }
        }
        if self.rest(at).starts_with("(+") && !matches!(self.pieces.last(), Some(Piece::Body(_))) {
            let text = self.text.get(at + 2..).unwrap_or("");
            for (species, length) in self.names.starting(text, self.fold) {
                if text.get(length..).is_some_and(|tail| tail.starts_with(')')) && self.step(Piece::Body(Body::One(species)), at + length + 3, right, false) {
                    return true;
                }
            }
            if text.get(..2).is_some_and(|head| head.eq_ignore_ascii_case("m)")) && self.step(Piece::Body(Body::Any), at + 4, right, false) {
                return true;
            }
        }
        // Nothing but the arrow or the end may follow a collider in brackets.
        if self.rest(at).starts_with('+') && !matches!(self.pieces.last(), Some(Piece::Body(_))) && self.term(at + 1, right) {
            return true;
        }
        self.failed.insert((at, right, false));
        false
    }
}

/// Lengths of the numbers that may stand at the start of a term: longest first, then those with an exponent, since
/// `2E+...` is rather two electrons than a power of ten.
fn coefficient_lengths(text: &str) -> impl Iterator<Item = usize> + use<> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(0);
    let mantissa = if bytes.get(whole) == Some(&b'.') { whole + 1 + digits(whole + 1) } else { whole };
    let mantissa = mantissa.min(LONGEST_COEFFICIENT);
    let mut exponent = 0;
    if mantissa > 0 && matches!(bytes.get(mantissa), Some(b'E' | b'e')) {
        let sign = usize::from(matches!(bytes.get(mantissa + 1), Some(b'+' | b'-')));
        exponent = digits(mantissa + 1 + sign).min(3);
        exponent = if exponent > 0 { mantissa + 1 + sign + exponent } else { 0 };
    }
    // An exponent's digits may also be the start of a name; then fewer of them count.
    let with_exponent = (mantissa + 2..=exponent).rev();
    (1..=mantissa).rev().chain(with_exponent)
}

/// More digits than any coefficient has.
const LONGEST_COEFFICIENT: usize = 40;

fn assemble(pieces: &[Piece]) -> Result<Equation, Fault> {
    let mut equation = Equation::default();
    let mut right = 0;
    for piece in pieces {
        let side = &mut equation.sides[right];
        match *piece {
            Piece::Species(species, coefficient) => side.terms.push((species, coefficient)),
            Piece::ThirdBody => side.third_bodies += 1,
            Piece::Photon => side.photons += 1,
            Piece::Body(body) => side.body = Some(body),
            Piece::Arrow(reversible) => {
                equation.reversible = reversible;
                right = 1;
            }
        }
    }
    let [left, right] = &equation.sides;
    if left.terms.is_empty() && left.photons == 0 {
        return Err(Fault::Empty(0));
    }
    if right.terms.is_empty() && right.photons == 0 {
        return Err(Fault::Empty(1));
    }
    if left.body != right.body || left.third_bodies != right.third_bodies || left.third_bodies > 1 || left.third_bodies == 1 && left.body.is_some() {
        return Err(Fault::Unequal);
    }
    Ok(equation)
}

/// What is wrong at the furthest place that the search reached.
fn explain(text: &str, at: usize) -> Fault {
    let rest = text.get(at..).unwrap_or("");
    if at == 0 && rest.starts_with(['=', '<']) {
        return Fault::Empty(0);
    }
    if rest.is_empty() {
        return Fault::Empty(1);
    }
    // Past the coefficient, up to the next separator after the first character.
    let start = at + rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let start = if start >= text.len() { at } else { start };
    let tail = text.get(start..).unwrap_or("");
    let first = tail.chars().next().map_or(0, char::len_utf8);
    let separator = tail.get(first..).and_then(|tail| [tail.find('+'), tail.find('='), tail.find("<="), tail.find("(+")].into_iter().flatten().min());
    Fault::Unknown(start, separator.map_or(text.len(), |end| start + first + end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Names {
        let mut names = Names::default();
        for name in list.split_whitespace() {
            assert!(names.add(name).is_ok());
        }
        names
    }

    fn terms(text: &str, list: &str) -> [Vec<(usize, f64)>; 2] {
        let (equation, _) = read(text, &names(list)).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        equation.sides.map(|side| side.terms)
    }

    #[test]
    fn coefficients_are_glued_to_names() {
        assert_eq!(terms("2O2=.5O+1.O2", "O O2"), [vec![(1, 2.0)], vec![(0, 0.5), (1, 1.0)]]);
        assert_eq!(terms("O=>1.5E-2O+9.7E-1E", "O E"), [vec![(0, 1.0)], vec![(0, 0.015), (1, 0.97)]]);
        assert_eq!(terms("2E+O=O", "O E"), [vec![(1, 2.0), (0, 1.0)], vec![(0, 1.0)]]);
        assert_eq!(terms("22A=B", "2A B"), [vec![(0, 2.0)], vec![(1, 1.0)]]);
    }

    #[test]
    fn separators_inside_names() {
        let list = "plus plus+ eq=uals (Parens)";
        assert_eq!(terms("plus+eq=uals=plus++(Parens)", list), [vec![(0, 1.0), (2, 1.0)], vec![(1, 1.0), (3, 1.0)]]);
        let (equation, _) = read("plus+(+plus+)=eq=uals(+plus+)", &names(list)).unwrap();
        assert_eq!(equation.sides[0], Side { terms: vec![(1, 1.0)], body: Some(Body::One(1)), ..Side::default() });
        let (equation, _) = read("plus+(+(Parens))=>eq=uals(+(Parens))", &names(list)).unwrap();
        assert_eq!((equation.sides[1].body, equation.reversible), (Some(Body::One(3)), false));
    }

    #[test]
    fn case_is_a_last_resort() {
        let list = names("ch4 h CH3 h2");
        assert_eq!(read("CH4+H=CH3+H2", &list).map(|(e, folded)| (e.sides[0].terms.len(), folded)), Ok((2, true)));
        assert!(matches!(read("ch4+h=CH3+h2", &list), Ok((_, false))));
    }

    #[test]
    fn faults_are_located() {
        let list = names("A B AR");
        assert_eq!(read("A+XYZ+M=B+M", &list), Err(Fault::Unknown(2, 5)));
        assert_eq!(read("A+B", &list), Err(Fault::NoArrow));
        assert_eq!(read("=2A", &list), Err(Fault::Empty(0)));
        assert_eq!(read("A=>", &list), Err(Fault::Empty(1)));
        assert_eq!(read("A(+M)=B(+AR)", &list), Err(Fault::Unequal));
        assert_eq!(read("A+M=B", &list), Err(Fault::Unequal));
        assert_eq!(read(&format!("A{}=B", "+A".repeat(LONGEST)), &list), Err(Fault::TooLong));
        assert!(read(&format!("{}=X", vec!["A"; LONGEST / 2 - 1].join("+")), &list).is_err());
    }
}
