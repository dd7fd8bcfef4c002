//! Sets of a library: a line with the chapter, a line of nuclides and two lines of parameters.
//!
//! ```text
//! 4
//!        he4  c12  o16                       nac2      7.16192e+00
//!  6.965260e+01-1.392540e+00 5.891280e+01-1.482730e+02
//!  9.083240e+00-5.410410e-01 7.035540e+01
//! ```
//!
//! Columns matter, not blanks. In older files the chapter stands once before all of its sets, and blank lines separate.

use super::codes;
use super::nuclide::{Numbers, meant, numbers, one_name};
use crate::codes as common;
use crate::diagnostic::Line;
use crate::{Diagnostic, Span};
use std::borrow::Cow;

/// Numbers of reactants and products in each chapter.
const CHAPTERS: [[usize; 2]; 11] =
    [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [2, 4], [3, 1], [3, 2], [4, 2], [1, 4]];
/// In the first edition of REACLIB this one has sets of two products too.
const EIGHTH: [usize; 2] = CHAPTERS[7];
/// Said of a line that should be a chapter.
const NO_CHAPTER: &str = "the chapters of REACLIB are 1 to 11";
/// Most nuclides of a set.
const NUCLIDES: usize = 6;
/// First column and width of nuclides.
const NAMES: [usize; 2] = [5, 5];
/// Columns of the label, the kind, the mark of reverse rates, and Q.
const LABEL: [usize; 2] = [43, 47];
const KIND: [usize; 2] = [47, 48];
const REVERSE: [usize; 2] = [48, 49];
const Q: [usize; 2] = [49, 64];
/// Behind every line.
const END: usize = 1 << 16;
/// Width of parameters.
const WIDTH: usize = 13;

/// One set.
#[derive(Debug, Clone)]
pub(super) struct Set<'a> {
    /// Each nuclide has one name, whatever the library calls it.
    names: [Cow<'a, str>; NUCLIDES],
    count: [usize; 2],
    /// Where the rate is from.
    pub label: &'a str,
    /// Whether nucleons turn into others.
    pub weak: bool,
    /// Whether it follows from that of the other direction, without partition functions.
    pub reverse: bool,
    /// p₀ to p₆.
    pub p: [f64; 7],
    /// The energy that is released \[MeV\].
    pub q: f64,
    /// The line of nuclides.
    pub at: Span,
}

impl<'a> Set<'a> {
    /// Reactants and behind them products.
    pub fn names(&self) -> &[Cow<'a, str>] {
        &self.names[..self.count[0] + self.count[1]]
    }

    /// Reactants.
    pub fn reactants(&self) -> &[Cow<'a, str>] {
        &self.names[..self.count[0]]
    }

    /// Products.
    pub fn products(&self) -> &[Cow<'a, str>] {
        &self.names()[self.count[0]..]
    }

    /// What tells reactions apart: reactants and products, whatever their order.
    pub fn sides(&self) -> ([&str; NUCLIDES], [usize; 2]) {
        let mut names = self.names.each_ref().map(|name| &**name);
        let (reactants, products) = names[..self.count[0] + self.count[1]].split_at_mut(self.count[0]);
        reactants.sort_unstable();
        products.sort_unstable();
        (names, self.count)
    }

    /// How the library marks it, in the words of a message.
    pub fn marks(&self) -> &'static str {
        match (self.weak, self.reverse) {
            (false, false) => "no mark",
            (false, true) => "marked v",
            (true, false) => "marked w",
            (true, true) => "marked w and v",
        }
    }
}

/// What a line looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Chapter,
    Nuclides,
    Numbers,
}

/// Most characters of a line that stands where a chapter should be, and may be meant as one.
const SHORT: usize = 4;

impl<'a> Line<'a> {
    fn kind(self) -> Kind {
        let text = self.text.trim();
        let margin = self.text.bytes().take(NAMES[0]).all(|b| b == b' ');
        let first = self.text.bytes().skip(NAMES[0]).take(NAMES[1]);
        if text.is_empty() {
            Kind::Blank
        } else if text.bytes().all(|b| b.is_ascii_digit()) {
            Kind::Chapter
        } else if margin && first.into_iter().any(|b| b.is_ascii_alphabetic()) {
            Kind::Nuclides
        } else {
            Kind::Numbers
        }
    }

    /// What stands in columns, without blanks around it. The line is ASCII.
    fn columns(self, [from, to]: [usize; 2]) -> &'a str {
        let end = self.text.len();
        self.text.get(from.min(end)..to.min(end)).unwrap_or_default().trim()
    }

    /// The place of what stands in columns, or of the whole line if they are blank.
    fn place(self, columns: [usize; 2]) -> Span {
        let text = self.columns(columns);
        let rest = self.text.get(columns[0].min(self.text.len())..).unwrap_or_default();
        let start = self.at.start + (self.text.len() - rest.trim_start().len()) as u32;
        if text.is_empty() { self.at } else { Span { start, end: start + text.len() as u32, ..self.at } }
    }
}

/// Lines at the beginning of a text by which a library is known: those of a set, and one before.
const FIRST: usize = 4;

/// Whether a text is a library: its first line is a chapter, and nuclides follow. Also where one of these is wrong, so that
/// the reader can say what; then parameters follow the line of nuclides.
pub(super) fn is_library(text: &str) -> bool {
    let lines = Line::all(text, 0).filter(|line| line.kind() != Kind::Blank).take(FIRST + CHAPTERS.len());
    let lines: Vec<Line<'_>> = lines.collect();
    let chapter = |line: &Line<'_>| line.kind() == Kind::Chapter && line.text.trim().len() < 3;
    let first = [NAMES[0], NAMES[0] + NAMES[1]];
    let nuclide = |line: &Line<'_>| numbers(line.columns(first)).is_some();
    let parameters = |line: &Line<'_>| line.kind() == Kind::Numbers && numbers_of(*line, &mut [0.0; 4]).is_ok();
    // Chapters may be empty.
    let chapters = lines.iter().take_while(|line| chapter(line)).count();
    let set = lines.get(chapters).filter(|line| chapters > 0 && line.kind() == Kind::Nuclides);
    set.is_some_and(nuclide)
        || lines
            .windows(2)
            .take(FIRST - 1)
            .any(|pair| matches!(pair, [one, two] if one.kind() == Kind::Nuclides && parameters(two)))
}

/// All sets of a library. What is wrong with a line goes to `problems`, and reading goes on.
pub(super) fn sets<'a>(text: &'a str, file: u32, problems: &mut Vec<Diagnostic>) -> Vec<Set<'a>> {
    let mut all = Vec::new();
    let mut lines = Line::all(text, file).filter(|line| line.kind() != Kind::Blank).peekable();
    // Chapters before the first, and those that are not known, have been reported.
    let mut chapter = None;
    let mut begun = false;
    // A chapter behind which no set has come yet.
    let mut open = None;
    while let Some(line) = lines.next() {
        let mut number = || lines.next_if(|line| line.kind() == Kind::Numbers);
        match line.kind() {
            Kind::Blank => {}
            Kind::Chapter => {
                begun = true;
                open = Some(line);
                let index = line.text.trim().parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                chapter = index.and_then(|i| CHAPTERS.get(i)).copied();
                if chapter.is_none() {
                    problems.push(line.fault(codes::CHAPTER, NO_CHAPTER));
                }
            }
            Kind::Nuclides => {
                open = None;
                let parameters = [number(), number()];
                if !begun {
                    problems.push(line.fault(codes::CHAPTER, "no chapter stands before this set"));
                }
                begun = true;
                if let Some(chapter) = chapter {
                    all.extend(set(chapter, line, parameters, problems));
                }
            }
            // Sets behind it are not those of the chapter before.
            Kind::Numbers if line.text.trim().len() <= SHORT => {
                (begun, open, chapter) = (true, None, None);
                problems.push(line.fault(codes::CHAPTER, NO_CHAPTER));
            }
            Kind::Numbers => {
                open = None;
                while number().is_some() {}
                let message = "here should be a chapter, or the nuclides of a set";
                let help =
                    "the first five columns of a line of nuclides are blank, and a set has two lines of parameters";
                problems.push(line.fault(codes::LINE, message).help(help));
            }
        }
    }
    // The first edition has chapters without sets, but not at its end.
    if let (Some(line), Some(_)) = (open, chapter) {
        let message = "no set follows this chapter: the text ends here";
        problems.push(line.fault(codes::LINE, message).help("the file may be cut short; copy it again"));
    }
    all
}

/// The three lines of a set.
fn set<'a>(
    chapter: [usize; 2],
    line: Line<'a>,
    parameters: [Option<Line<'a>>; 2],
    problems: &mut Vec<Diagnostic>,
) -> Option<Set<'a>> {
    let mut p = [0.0; 7];
    let (four, three) = p.split_at_mut(4);
    let read = match parameters {
        [Some(first), Some(second)] => [numbers_of(first, four), numbers_of(second, three)],
        _ => {
            let message = "two lines of parameters follow the nuclides of a set";
            [Err(line.fault(codes::PARAMETERS, message)), Ok(())]
        }
    };
    let head = head(chapter, line);
    let sound = head.is_ok() && read.iter().all(Result::is_ok);
    let mut told: Vec<Diagnostic> = read.into_iter().filter_map(Result::err).collect();
    let set = head.map_err(|diagnostic| told.insert(0, diagnostic)).ok();
    problems.append(&mut told);
    set.filter(|_| sound).map(|set| Set { p, ..set })
}

/// The line of nuclides.
fn head(chapter: [usize; 2], line: Line<'_>) -> Result<Set<'_>, Diagnostic> {
    let fault =
        |columns: [usize; 2], message: String| Diagnostic::error(codes::NUCLIDES, message).at(line.place(columns), "");
    if !line.text.is_ascii() {
        return Err(line.fault(codes::NUCLIDES, "nuclides and labels are written in ASCII"));
    }
    let columns = |i: usize| [NAMES[0] + i * NAMES[1], NAMES[0] + (i + 1) * NAMES[1]];
    let mut names = [""; NUCLIDES];
    names.iter_mut().enumerate().for_each(|(i, name)| *name = line.columns(columns(i)));
    let given = names.iter().take_while(|name| !name.is_empty()).count();
    let mut count = chapter;
    if chapter == EIGHTH && given == 5 {
        count[1] = 2;
    }
    let [ins, outs] = count;
    if given != ins + outs || names[given..].iter().any(|name| !name.is_empty()) {
        let message =
            format!("this chapter has {ins} reactants and {outs} products, each in five columns; here are {given}");
        return Err(fault([NAMES[0], columns(NUCLIDES)[0]], message));
    }
    let mut sums = [[0; 2]; 2];
    for (i, name) in names[..given].iter().enumerate() {
        let Some(Numbers { a, z }) = numbers(name) else {
            let message =
                format!("`{name}` is no nuclide: names are n, p, d, t, and symbols with mass numbers, as he4");
            let help = meant(name).map(|own| format!("did you mean `{own}`?"));
            return Err(Diagnostic { help, ..fault(columns(i), message) });
        };
        let sum = &mut sums[usize::from(i >= ins)];
        *sum = [sum[0] + a, sum[1] + z];
    }
    let weak = match line.columns(KIND) {
        "w" => true,
        "" | "n" | "r" | "s" => false,
        other => return Err(fault(KIND, format!("the kind of a set is n, r, s, w or blank, not `{other}`"))),
    };
    let reverse = match line.columns(REVERSE) {
        "v" => true,
        "" => false,
        other => return Err(fault(REVERSE, format!("reverse rates are marked with v, not with `{other}`"))),
    };
    for blank in [[columns(NUCLIDES)[0], LABEL[0]], [Q[1], END]] {
        if !line.columns(blank).is_empty() {
            let message = "the label is in columns 44 to 47, Q in 50 to 64; here is something else".to_owned();
            return Err(fault(blank, message));
        }
    }
    let Some(q) = line.columns(Q).parse().ok().filter(|q: &f64| q.is_finite()) else {
        return Err(fault(Q, "Q [MeV] in columns 50 to 64 is no number".to_owned()));
    };
    let [[before, charge], [after, other]] = sums;
    let told = if before != after {
        format!("{after} nucleons are made of {before}")
    } else if charge != other && !weak {
        format!("{other} protons are made of {charge}, in a set that is not marked as weak")
    } else {
        return Ok(Set {
            names: names.map(one_name),
            count,
            label: line.columns(LABEL),
            weak,
            reverse,
            p: [0.0; 7],
            q,
            at: line.at,
        });
    };
    Err(line.fault(common::UNBALANCED, told))
}

/// A line of parameters, each in its columns.
fn numbers_of(line: Line<'_>, to: &mut [f64]) -> Result<(), Diagnostic> {
    let count = to.len();
    if !line.text.is_ascii() {
        return Err(line.fault(codes::PARAMETERS, "parameters are numbers, in ASCII"));
    }
    for (i, x) in to.iter_mut().enumerate() {
        let columns = [i * WIDTH, (i + 1) * WIDTH];
        let text = line.columns(columns);
        *x = text.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| {
            let what =
                if text.is_empty() { format!("number {} is missing", i + 1) } else { format!("`{text}` is no number") };
            let message = format!("{what}: this line has {count} parameters in {WIDTH} columns each");
            Diagnostic::error(codes::PARAMETERS, message).at(line.place(columns), "")
        })?;
    }
    let rest = [count * WIDTH, END];
    if line.columns(rest).is_empty() {
        return whole(line, count);
    }
    let message = format!("this line has {count} parameters in {WIDTH} columns each; here is something more");
    Err(Diagnostic::error(codes::PARAMETERS, message).at(line.place(rest), ""))
}

/// Refuses a line that is cut short within its last number, which may still be a number then: where all others end in the
/// last of their columns, so must it.
fn whole(line: Line<'_>, count: usize) -> Result<(), Diagnostic> {
    let full = |i: usize| line.text.as_bytes().get((i + 1) * WIDTH - 1).is_some_and(|b| *b != b' ');
    let last = count - 1;
    if full(last) || !(0..last).all(full) {
        return Ok(());
    }
    let columns = [last * WIDTH, count * WIDTH];
    let message =
        format!("`{}` does not reach column {}, where this number should end", line.columns(columns), count * WIDTH);
    let help = "the line may be cut short; numbers end in the last of their columns";
    Err(Diagnostic::error(codes::PARAMETERS, message).at(line.place(columns), "").help(help))
}
