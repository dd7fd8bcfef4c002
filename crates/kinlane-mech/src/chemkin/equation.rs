//! Reaction equations without blanks: `2O2+M<=>...`, where names may contain `+`, `=`, brackets and digits.
//!
//! A name can contain every character that separates names, so an equation is read by search: at each place
//! the longest declared name is tried first, then shorter ones if the rest makes no sense. Blanks mean nothing, but a number with a
//! blank behind it is first of all a coefficient.

use std::collections::HashSet;

use super::names::Names;

/// Length of the longest equation that is read; published ones have a few hundred characters. Bounds the time
/// of the search.
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
    /// How many colliders in brackets there are.
    bodies: usize,
    /// Whether there is a `+` before the bracket, too, which means nothing.
    pub surplus: bool,
}

/// An equation.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Equation {
    /// Left and right side.
    pub sides: [Side; 2],
    /// `=` or `<=>`, not `=>`.
    pub reversible: bool,
}

/// Why an equation is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It has more than [`LONGEST`] characters.
    TooLong,
    /// There is no `=`, `<=>` or `=>` in it.
    NoArrow,
    /// Nothing is before (0) or after (1) the arrow.
    Empty(usize),
    /// The colliders of both sides differ.
    Unequal,
    /// No declared species between these two places.
    Unknown(usize, usize),
    /// No declared species between these two places in brackets.
    Collider(usize, usize),
    /// It ends with a `+`.
    Dangling,
    /// A second arrow between these two places.
    SecondArrow(usize, usize),
    /// Something between these two places looks like an arrow, but is none.
    Arrow(usize, usize),
}

#[derive(Clone, Copy)]
enum Piece {
    Species(usize, f64),
    ThirdBody,
    Photon,
    Body(Body, bool),
    Arrow(bool),
}

/// A place in the text; whether it is right of the arrow; and whether a term must follow, or has just ended.
type State = (usize, bool, bool);

/// A depth-first search with its own stack: no input must be able to exhaust the thread's stack.
struct Search<'a> {
    text: &'a str,
    /// Where there were blanks.
    blanks: &'a [usize],
    names: &'a Names,
    fold: bool,
    pieces: Vec<Piece>,
    /// States that cannot be completed.
    failed: HashSet<State>,
    /// The furthest place at which a term had to follow.
    furthest: usize,
}

/// A state of the search, the options that are left at it, and the number of pieces that led to it.
struct Frame {
    state: State,
    options: std::vec::IntoIter<(Option<Piece>, State)>,
    pieces: usize,
}

/// Reads an equation, by its words. The flag says that names were matched without regard to case.
pub(super) fn read(words: &[&str], names: &Names) -> Result<(Equation, bool), Fault> {
    let text = &words.concat();
    let blanks = words.iter().scan(0, |end, word| {
        *end += word.len();
        Some(*end)
    });
    let blanks: &[usize] = &blanks.collect::<Vec<_>>();
    if text.len() > LONGEST {
        return Err(Fault::TooLong);
    }
    if !text.contains('=') {
        return Err(Fault::NoArrow);
    }
    let mut exact = Search::new((text, blanks), names, false);
    if exact.run() {
        return assemble(&exact.pieces).map(|equation| (equation, false));
    }
    let upper = text.to_ascii_uppercase();
    let mut folded = Search::new((&upper, blanks), names, true);
    if folded.run() {
        return assemble(&folded.pieces).map(|equation| (equation, true));
    }
    Err(explain(text, folded.furthest.max(exact.furthest), names))
}

impl<'a> Search<'a> {
    fn new((text, blanks): (&'a str, &'a [usize]), names: &'a Names, fold: bool) -> Self {
        Self { text, blanks, names, fold, pieces: Vec::new(), failed: HashSet::new(), furthest: 0 }
    }

    /// Whether the text is an equation; if so, its pieces are then known.
    fn run(&mut self) -> bool {
        let start = (0, false, true);
        let mut stack = vec![Frame { state: start, options: self.options(start).into_iter(), pieces: 0 }];
        while let Some(frame) = stack.last_mut() {
            self.pieces.truncate(frame.pieces);
            let Some((piece, state)) = frame.options.next() else {
                self.failed.insert(frame.state);
                stack.pop();
                continue;
            };
            if self.failed.contains(&state) {
                continue;
            }
            self.pieces.extend(piece);
            if state == (self.text.len(), true, false) {
                return true;
            }
            stack.push(Frame { state, options: self.options(state).into_iter(), pieces: self.pieces.len() });
        }
        false
    }

    /// What can follow, the likeliest first.
    fn options(&mut self, (at, right, due): State) -> Vec<(Option<Piece>, State)> {
        let text = self.text.get(at..).unwrap_or("");
        let mut options = Vec::new();
        if due {
            self.furthest = self.furthest.max(at);
            self.terms(text, at, |piece, length| options.push((Some(piece), (at + length, right, false))));
            return options;
        }
        if !right {
            for (arrow, reversible) in [("<=>", true), ("=>", false), ("=", true)] {
                if text.starts_with(arrow) {
                    options.push((Some(Piece::Arrow(reversible)), (at + arrow.len(), true, true)));
                }
            }
        }
        self.bodies(text, "(+", (at, right), &mut options);
        // The collider in brackets is usually last, but `A(+M)+B` occurs too.
        if text.starts_with('+') {
            options.push((None, (at + 1, right, true)));
        }
        self.bodies(text, "+(+", (at, right), &mut options);
        options
    }

    /// The colliders in brackets with which the text may start.
    fn bodies(&self, text: &str, opening: &str, (at, right): (usize, bool), options: &mut Vec<(Option<Piece>, State)>) {
        let Some(inside) = text.strip_prefix(opening) else { return };
        let mut take = |body, length| {
            let end = at + opening.len() + length + 1;
            options.push((Some(Piece::Body(body, opening.starts_with('+'))), (end, right, false)));
        };
        for (species, length) in self.names.starting(inside, self.fold) {
            if inside.get(length..).is_some_and(|tail| tail.starts_with(')')) {
                take(Body::One(species), length);
            }
        }
        if inside.get(..2).is_some_and(|head| head.eq_ignore_ascii_case("m)")) {
            take(Body::Any, 1);
        }
    }

    /// The terms with which the text at a place may start, and their lengths.
    fn terms(&self, text: &str, at: usize, mut take: impl FnMut(Piece, usize)) {
        let apart = |length: &usize| self.blanks.contains(&(at + length));
        coefficient_lengths(text).filter(apart).for_each(|length| self.multiple(text, length, &mut take));
        for (species, length) in self.names.starting(text, self.fold) {
            take(Piece::Species(species, 1.0), length);
        }
        if text.starts_with(['M', 'm']) {
            take(Piece::ThirdBody, 1);
        }
        if text.get(..2).is_some_and(|head| head.eq_ignore_ascii_case("hv")) {
            take(Piece::Photon, 2);
        }
        coefficient_lengths(text).for_each(|length| self.multiple(text, length, &mut take));
    }

    /// The terms with a coefficient of that length.
    fn multiple(&self, text: &str, length: usize, take: &mut impl FnMut(Piece, usize)) {
        let (Some(number), Some(tail)) = (text.get(..length), text.get(length..)) else { return };
        let Some(coefficient) = number.parse::<f64>().ok().filter(|n| n.is_finite()) else { return };
        for (species, name) in self.names.starting(tail, self.fold) {
            take(Piece::Species(species, coefficient), length + name);
        }
        if coefficient == 1.0 && tail.starts_with(['M', 'm']) {
            take(Piece::ThirdBody, length + 1);
        }
    }
}

/// Lengths of the numbers with which a term may start: first the longest without an exponent and shorter
/// ones, then those with an exponent, since `2E+...` is more likely two electrons than a power of ten.
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
    // Digits of the exponent may also be the start of a name; then fewer of them count.
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
            Piece::Body(body, surplus) => {
                side.body = Some(body);
                side.bodies += 1;
                side.surplus |= surplus;
            }
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
    if left.body != right.body
        || left.bodies > 1
        || right.bodies > 1
        || left.third_bodies != right.third_bodies
        || left.third_bodies > 1
        || left.third_bodies == 1 && left.body.is_some()
    {
        return Err(Fault::Unequal);
    }
    Ok(equation)
}

/// The fault at the furthest place that the search reached.
fn explain(text: &str, at: usize, names: &Names) -> Fault {
    let runs = || text.split(|c| !matches!(c, '<' | '=' | '>')).filter(|run| !run.is_empty());
    let place = |run: &str| run.as_ptr() as usize - text.as_ptr() as usize;
    let is_arrow = |run: &&str| ["<=>", "=>", "="].contains(run);
    if let Some(first) = runs().next()
        && !runs().any(|run| is_arrow(&run))
    {
        return Fault::Arrow(place(first), place(first) + first.len());
    }
    let rest = text.get(at..).unwrap_or("");
    // Everything is valid up to here, except for a second arrow.
    if let Some(second) = runs().filter(is_arrow).nth(1)
        && (text.get(at..place(second)).is_some_and(|name| {
            names.find(name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')).is_some()
        }) || text.get(..place(second)).is_some_and(|one| read(&[one], names).is_ok()))
    {
        return Fault::SecondArrow(place(second), place(second) + second.len());
    }
    if rest.is_empty() && text.ends_with('+') {
        return Fault::Dangling;
    }
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
    let separator = tail.get(first..).and_then(|tail| {
        [tail.find('+'), tail.find('='), tail.find("<="), tail.find("(+")].into_iter().flatten().min()
    });
    let end = separator.map_or(text.len(), |end| start + first + end);
    // If that is declared, it is what follows in brackets that is not; behind a surplus `+` these are all.
    let declared = text.get(start..end).is_some_and(|name| names.find(name).is_some());
    let brackets = if declared { text.get(end..).unwrap_or("") } else { tail };
    if let Some(inside) = brackets.strip_prefix("(+")
        && let Some(length) = inside.find(')')
    {
        return Fault::Collider(place(inside), place(inside) + length);
    }
    Fault::Unknown(start, end)
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

    fn read(text: &str, names: &Names) -> Result<(Equation, bool), Fault> {
        super::read(&text.split_whitespace().collect::<Vec<_>>(), names)
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
        assert_eq!(
            equation.sides[0],
            Side { terms: vec![(1, 1.0)], body: Some(Body::One(1)), bodies: 1, ..Side::default() }
        );
        let (equation, _) = read("plus+(+(Parens))=>eq=uals(+(Parens))", &names(list)).unwrap();
        assert_eq!((equation.sides[1].body, equation.reversible), (Some(Body::One(3)), false));
    }

    #[test]
    fn a_blank_ends_a_coefficient() {
        let list = "A 1A B";
        assert_eq!(terms("2 1A=B", list), [vec![(1, 2.0)], vec![(2, 1.0)]]);
        assert_eq!(terms("21 A=B", list), [vec![(0, 21.0)], vec![(2, 1.0)]]);
        assert_eq!(terms("21A=B", list), [vec![(0, 21.0)], vec![(2, 1.0)]]);
        assert_eq!(terms("2 B = 1A + A", list), [vec![(2, 2.0)], vec![(1, 1.0), (0, 1.0)]]);
    }

    #[test]
    fn a_plus_before_brackets_means_nothing() {
        let list = names("A B AR (+B)X");
        for text in ["A+A+(+M)=B+(+M)", "A+A(+M)=B+(+M)", "A+A+(+AR)=>B+(+AR)"] {
            let (equation, _) = read(text, &list).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            assert!(equation.sides[1].surplus && equation.sides[0].terms.len() == 2, "{text}");
        }
        // Where it is the beginning of a name it is one.
        let (equation, _) = read("A+(+B)X=B", &list).unwrap();
        assert_eq!((equation.sides[0].terms.len(), equation.sides[0].body), (2, None));
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
        assert_eq!(read("A+B=AR+", &list), Err(Fault::Dangling));
        assert_eq!(read("A=>B+A=>2AR", &list), Err(Fault::SecondArrow(6, 8)));
        assert_eq!(read("A=B=AR", &list), Err(Fault::SecondArrow(3, 4)));
        assert_eq!(read("A+B(+M)=AR(+M)=", &list), Err(Fault::SecondArrow(14, 15)));
        assert_eq!(read("A+B+M=AR+M=>", &list), Err(Fault::SecondArrow(10, 12)));
        assert_eq!(read("A+2M=B+2M", &list), Err(Fault::Unknown(3, 4)));
        assert_eq!(read("A+B<=AR", &list), Err(Fault::Arrow(3, 5)));
        assert_eq!(read("A==AR", &list), Err(Fault::Arrow(1, 3)));
        assert_eq!(read("=2A", &list), Err(Fault::Empty(0)));
        assert_eq!(read("A=>", &list), Err(Fault::Empty(1)));
        assert_eq!(read("A(+M)=B(+AR)", &list), Err(Fault::Unequal));
        assert_eq!(read("A+M=B", &list), Err(Fault::Unequal));
        assert_eq!(read("A(+M)(+M)=B(+M)", &list), Err(Fault::Unequal));
        assert!(read("A(+M)+B=AR(+M)", &list).is_ok());
        assert_eq!(read(&format!("A{}=B", "+A".repeat(LONGEST)), &list), Err(Fault::TooLong));
        let long = vec!["A"; LONGEST / 2 - 2].join("+");
        assert!(matches!(read(&format!("{long}=X"), &list), Err(Fault::Unknown(..))));
        assert!(read(&format!("{long}=B"), &list).is_ok());
    }
}
