//! REACTIONS sections: splits lines into records, each an equation with the data below it.

use super::assemble::Builder;
use super::auxiliary::{Auxiliary, Line, exponent_help, halves_help, parted};
use super::codes;
use super::equation::{self, Equation, Fault};
use super::findings::Findings;
use super::names::Names;
use super::sections::Section;
use super::text::{Text, number};
use super::units::{self, Said, Units};
use crate::network::Reaction;
use crate::words::did_you_mean;
use crate::{Diagnostic, Severity, Span};

/// Reads one section.
pub(super) fn read<'a>(text: Text<'a>, section: &Section<'a>, names: &Names, findings: &mut Findings) -> Vec<Reaction> {
    let with = Line { text, names, units: section_units(text, section, findings) };
    let mut reactions = Vec::new();
    let mut open: Option<(Head, Auxiliary)> = None;
    let mut lost = false; // below an equation that could not be read
    for pieces in logical(&section.lines) {
        if let Some(line) = pieces.first().map(|line| line.trim())
            && let Some(sign) = ["#", "//"].into_iter().find(|sign| line.starts_with(sign))
            && names.starting(line, false).next().is_none()
        {
            findings.error(
                codes::NOT_A_REACTION,
                text.span(line),
                format!("`{sign}` does not start a comment in CHEMKIN"),
                "this is read",
                "put `!` before comments",
            );
            continue;
        }
        if let Some(more) = behind_numbers(&pieces, text) {
            close(open.take(), &with, findings, &mut reactions);
            lost = true;
            findings.error(
                codes::PARAMETER,
                more,
                "the line of a reaction ends with its three numbers",
                "not part of it",
                "data of a reaction are on the lines below it; put `!` before comments",
            );
            continue;
        }
        if is_equation(&pieces) {
            close(open.take(), &with, findings, &mut reactions);
            let head = Head::read(&pieces, &with, findings);
            lost = head.is_none();
            open = head.map(|head| (head, Auxiliary::default()));
            continue;
        }
        match &mut open {
            Some((_, auxiliary)) => auxiliary.read(&pieces, &with, findings),
            // The lines below such an equation are still checked.
            None if lost => Auxiliary::default().read(&pieces, &with, findings),
            None => {
                let line = pieces.first().map_or("", |piece| piece.trim());
                match foreign_arrow(line) {
                    Some(arrow) => no_arrow(arrow, text.span(arrow), findings),
                    None => findings.error(
                        codes::NOT_A_REACTION,
                        text.span(line),
                        "this line stands before the first reaction",
                        "a reaction with `=`, `<=>` or `=>` is expected here",
                        "",
                    ),
                };
                lost = true;
            }
        }
    }
    close(open, &with, findings, &mut reactions);
    reactions
}

/// An arrow such as `->` or `<-->` in a line, as used in other formats.
pub(super) fn foreign_arrow(line: &str) -> Option<&str> {
    let (before, after) = line.split_at_checked(line.find("->")? + 2)?;
    let arrow = before.len() - before.trim_end_matches('>').trim_end_matches('-').trim_end_matches('<').len();
    line.get(line.len() - after.len() - arrow..line.len() - after.len())
}

/// Reports something in the place of an arrow.
pub(super) fn no_arrow<'f>(arrow: &str, at: Span, findings: &'f mut Findings) -> &'f mut Diagnostic {
    findings.error(
        codes::NOT_A_REACTION,
        at,
        format!("`{arrow}` is no arrow in CHEMKIN"),
        "between reactants and products",
        "write `<=>` or `=` for a reversible reaction, `=>` for an irreversible one",
    )
}

fn close(open: Option<(Head, Auxiliary)>, with: &Line<'_, '_>, findings: &mut Findings, reactions: &mut Vec<Reaction>) {
    if let Some((head, auxiliary)) = open
        && !auxiliary.faulty
    {
        let units = auxiliary.units.clone().unwrap_or_else(|| with.units.clone());
        reactions.extend(Builder { head, units, auxiliary, findings }.build());
    }
}

/// The unit words after `REACTIONS`.
fn section_units(text: Text<'_>, section: &Section<'_>, findings: &mut Findings) -> Units {
    let (mut units, mut said) = (Units::default(), Said::default());
    for word in section.head.split_whitespace() {
        let upper = word.to_ascii_uppercase();
        match units::word(&upper) {
            Some(meaning) => {
                if let Some(before) = units.set(word, meaning, &mut said) {
                    units::contradiction(text, before, word, findings);
                }
            }
            None if units::is_silent(&upper) => {}
            None => {
                let help = did_you_mean(units::nearest(&upper), units::HELP);
                findings.error(codes::UNIT, text.span(word), format!("`{word}` is no unit"), "not understood", help);
            }
        }
    }
    units
}

/// Lines, each joined with those that a `&` at its end continues.
fn logical<'s, 'a>(lines: &'s [&'a str]) -> impl Iterator<Item = Vec<&'a str>> + 's {
    let mut rest = lines;
    std::iter::from_fn(move || {
        let count = rest.iter().take_while(|line| line.ends_with('&')).count() + 1;
        let (now, later) = rest.split_at(count.min(rest.len()));
        rest = later;
        (!now.is_empty()).then(|| now.iter().map(|line| line.strip_suffix('&').unwrap_or(line)).collect())
    })
}

/// Whether this is an equation with three numbers, and not data of the reaction above (whose names may
/// contain a `=`).
fn is_equation(pieces: &[&str]) -> bool {
    if !pieces.iter().any(|piece| piece.contains('=')) {
        return false;
    }
    let numbers = words(pieces).into_iter().rev().take_while(|word| number(word).is_some()).take(3).count();
    numbers == 3 || !pieces.iter().any(|piece| piece.contains('/'))
}

/// The words of a line, numbers without the commas after them.
fn words<'a>(pieces: &[&'a str]) -> Vec<&'a str> {
    let plain = |word: &'a str| word.strip_suffix(',').filter(|before| number(before).is_some()).unwrap_or(word);
    pieces.iter().flat_map(|piece| piece.split_whitespace()).map(plain).collect()
}

/// The word behind the equation that is no number but two or three numbers without blanks between, so that there are three with
/// those beside it.
fn run_together<'a>(words: &[&'a str]) -> Option<&'a str> {
    (1..=2).find_map(|count| {
        let (equation, numbers) = words.split_at_checked(words.len().checked_sub(count)?)?;
        let mut others = numbers.iter().filter(|word| number(word).is_none());
        let (Some(word), None) = (others.next(), others.next()) else { return None };
        let ends = equation.last().is_some_and(|last| number(last).is_none());
        let found = ends && equation.iter().any(|word| word.contains('=')) && are_numbers(word, 4 - count);
        found.then_some(*word)
    })
}

/// Whether a text can be parted into so many numbers.
fn are_numbers(text: &str, count: usize) -> bool {
    if count <= 1 {
        return number(text).is_some();
    }
    let ends = text.char_indices().map(|(i, _)| i).skip(1).take(MANY);
    ends.filter_map(|end| text.split_at_checked(end))
        .any(|(one, rest)| number(one).is_some() && are_numbers(rest, count - 1))
}

/// Longest text that is looked at for numbers without blanks between: three of them are shorter.
const MANY: usize = 64;

const THREE: &str = "every reaction has three numbers, also where PLOG or CHEB data replaces them";

/// Advice for text in the place of a number that may be a comment without its sign.
fn comment_help(words: &[&str]) -> Option<&'static str> {
    let signs = ["#", ";"];
    words.iter().any(|word| signs.iter().any(|sign| word.starts_with(sign))).then_some("comments begin with `!`")
}

/// Text after an equation and its three numbers on the same line, if it looks like data.
fn behind_numbers(pieces: &[&str], text: Text<'_>) -> Option<Span> {
    if is_equation(pieces) {
        return None;
    }
    let words = words(pieces);
    let numbers = words.windows(3).position(|three| three.iter().all(|word| number(word).is_some()))?;
    let equation = words.get(..numbers)?;
    if equation.iter().any(|word| word.contains('/')) || !equation.iter().any(|word| word.contains('=')) {
        return None;
    }
    let (first, last) = (text.span(words.get(numbers + 3)?), text.span(words.last()?));
    Some(if first.start <= last.end { Span { end: last.end, ..first } } else { first })
}

/// The first line of a reaction.
pub(super) struct Head {
    pub equation: Equation,
    /// The equation as written in the file.
    pub written: String,
    /// A, b and E.
    pub parameters: [f64; 3],
    pub at: Span,
}

impl Head {
    fn read(pieces: &[&str], with: &Line<'_, '_>, findings: &mut Findings) -> Option<Self> {
        let text = with.text;
        let words = words(pieces);
        let line = pieces.first().map_or("", |piece| piece.trim());
        let (left, right) = words.split_at(words.len().saturating_sub(3));
        let numbers = words.iter().rev().take_while(|word| number(word).is_some()).count();
        let mut parameters = [0.0; 3];
        if let Some(word) = run_together(&words) {
            let help = match parted(word) {
                Some(numbers) => format!("put blanks between them: `{numbers}`"),
                None => "put blanks between them".to_owned(),
            };
            let message = format!("numbers run into each other in `{word}`");
            let label = "A, b and E are expected at the end of the line";
            findings.error(codes::PARAMETER, text.span(word), message, label, help);
            return None;
        }
        for (i, (word, to)) in right.iter().zip(&mut parameters).enumerate() {
            let Some(value) = number(word) else {
                let before = words.get(..words.len() - numbers).unwrap_or(&[]);
                let mut others = right.iter().skip(i);
                let few = numbers > 0 && others.clone().any(|word| word.contains('='));
                if few || equation::read(before, with.names).is_ok() {
                    Self::miscounted(numbers, &words, text, findings);
                    return None;
                }
                // The equation itself is not the faulty number.
                let word = others.find(|word| !word.contains('=')).unwrap_or(word);
                let after = words.iter().skip_while(|other| !std::ptr::eq(**other, *word)).nth(1);
                let help = match after.and_then(|next| halves_help(word, next)) {
                    Some(help) => help,
                    // A comma may also stand for a decimal point.
                    None if word.contains(',') && word.split(',').all(|part| number(part).is_some()) => {
                        "put blanks between numbers".to_owned()
                    }
                    None if exponent_help(word).is_empty() => match parted(word) {
                        Some(numbers) => format!("put blanks between numbers: `{numbers}`"),
                        None => comment_help(&words).unwrap_or(THREE).to_owned(),
                    },
                    None => exponent_help(word),
                };
                let message = format!("`{word}` is not a number");
                findings.error(
                    codes::PARAMETER,
                    text.span(word),
                    message,
                    "A, b and E are expected at the end of the line",
                    help,
                );
                return None;
            };
            *to = value;
        }
        let written = pieces.iter().flat_map(|piece| piece.split_whitespace());
        if let Some((with_comma, _)) = written.zip(&words).find(|(written, word)| written != *word) {
            let message = "commas between numbers are read as blanks";
            findings.note(codes::COMMAS, text.span(with_comma), message, "behind this one");
        }
        let equation = equation::read(left, with.names);
        if equation.is_err()
            && let [before @ .., half] = left
            && let Some(help) = right.first().and_then(|next| halves_help(half, next))
            && equation::read(before, with.names).is_ok()
        {
            let message = format!("`{half}` is not a number");
            let label = "A, b and E are expected at the end of the line";
            findings.error(codes::PARAMETER, text.span(half), message, label, help);
            return None;
        }
        let joined: String = left.concat();
        let explain = |fault| match numbers {
            ..=3 => Self::explain(fault, left, &joined, line, with, findings),
            _ => Self::miscounted(numbers, &words, text, findings),
        };
        let (equation, folded) = equation.map_err(explain).ok()?;
        let at = text.span(line);
        if folded {
            findings.group(
                Severity::Note,
                codes::CASE,
                at,
                line,
                "species are matched without regard to case, as CHEMKIN does, in",
                "first here",
            );
        }
        if equation.sides.iter().any(|side| side.surplus) {
            let message = "a `+` that means nothing stands before the collider in brackets in";
            findings.group(Severity::Note, codes::SURPLUS_PLUS, at, line, message, "read as `(+M)`");
        }
        Some(Self { equation, written: left.join(" "), parameters, at })
    }

    /// Reports that an equation is not followed by exactly three numbers.
    fn miscounted(numbers: usize, words: &[&str], text: Text<'_>, findings: &mut Findings) {
        let last = words.get(words.len().saturating_sub(numbers.max(1))..).unwrap_or(&[]);
        let ends = (last.first().map(|word| text.span(word)), last.last().map(|word| text.span(word)));
        let at = match ends {
            (Some(first), Some(last)) if first.start <= last.end => Span { end: last.end, ..first },
            (first, _) => first.unwrap_or_default(),
        };
        let count = match numbers {
            0 => "no numbers".to_owned(),
            1 => "1 number".to_owned(),
            n => format!("{n} numbers"),
        };
        findings.error(
            codes::PARAMETER,
            at,
            format!("{count} instead of three at the end of a reaction's line"),
            "A, b and E are expected here",
            comment_help(words).unwrap_or(THREE),
        );
    }

    fn explain(fault: Fault, words: &[&str], joined: &str, line: &str, with: &Line<'_, '_>, findings: &mut Findings) {
        let whole = with.text.span(line);
        match fault {
            Fault::TooLong => findings.error(
                codes::LONG_EQUATION,
                whole,
                format!("the equation has {} characters; at most {} are read", joined.len(), equation::LONGEST),
                "this one",
                "split lumped reactions",
            ),
            Fault::NoArrow => findings.error(
                codes::NOT_A_REACTION,
                whole,
                "this line has no equation",
                "`=`, `<=>` or `=>` is expected between reactants and products",
                "",
            ),
            Fault::Empty(0) => findings.error(
                codes::EMPTY_SIDE,
                whole,
                "the reaction has no reactants",
                "a species is expected before the arrow",
                "",
            ),
            Fault::Empty(_) => findings.error(
                codes::EMPTY_SIDE,
                whole,
                "the reaction has no products",
                "a species is expected after the arrow",
                "lumped products need a declared species too",
            ),
            Fault::Dangling => findings.error(
                codes::UNKNOWN_SPECIES,
                words.last().map_or(whole, |word| Span {
                    start: with.text.span(word).end.saturating_sub(1),
                    ..with.text.span(word)
                }),
                "a species is missing behind the last `+`",
                "nothing follows",
                "add the species, or remove the `+`",
            ),
            Fault::SecondArrow(start, end) => findings.error(
                codes::NOT_A_REACTION,
                place(words, start, end, with.text),
                "the equation has two arrows",
                "the second one",
                "write one reaction a line",
            ),
            Fault::Unequal => findings.error(
                codes::THIRD_BODIES,
                whole,
                "the third bodies of both sides differ, or there are several",
                "`M`, `(+M)` or `(+species)` has to be on both sides, once",
                "write the same collider on both sides",
            ),
            Fault::Arrow(start, end) => {
                let at = place(words, start, end, with.text);
                no_arrow(joined.get(start..end).unwrap_or(joined), at, findings)
            }
            Fault::Collider(start, end) => {
                let shown = joined.get(start..end).unwrap_or(joined);
                let bare = shown.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                let help = if bare != shown && with.names.find(bare).is_some() {
                    format!("a collider has no coefficient: write `(+{bare})`")
                } else {
                    did_you_mean(
                        with.names.nearest(shown),
                        "declare it in SPECIES, or correct its name; any species is `(+M)`",
                    )
                };
                findings.error(
                    codes::UNKNOWN_SPECIES,
                    place(words, start, end, with.text),
                    format!("the collider `{shown}` is not a declared species"),
                    "not declared",
                    help,
                )
            }
            Fault::Unknown(start, end) if matches!(joined.get(start..end), Some("M" | "m")) => findings.error(
                codes::THIRD_BODIES,
                place(words, start, end, with.text),
                "`M` cannot have a coefficient",
                "once is enough",
                "write `+M` once on both sides",
            ),
            Fault::Unknown(start, end) => {
                let shown = joined.get(start..end).unwrap_or(joined);
                let help = if shown.starts_with(['+', '=', '<', '>']) {
                    "a species is expected here".to_owned()
                } else if shown.eq_ignore_ascii_case("(M)") {
                    "a third body is `+M` on both sides, and that of a falloff reaction `(+M)`".to_owned()
                } else if let Some(parts) = words_of(words, start, end).filter(|parts| with.names.know(parts)) {
                    format!("a `+` seems to be missing: write `{}`", parts.join("+"))
                } else {
                    did_you_mean(with.names.nearest(shown), "declare it in SPECIES, or correct its name")
                };
                findings.error(
                    codes::UNKNOWN_SPECIES,
                    place(words, start, end, with.text),
                    format!("`{shown}` is not a declared species"),
                    "not declared",
                    help,
                )
            }
        };
    }
}

/// The words that characters of an equation are made of, which was read without blanks; if they are several.
fn words_of<'a>(words: &[&'a str], start: usize, end: usize) -> Option<Vec<&'a str>> {
    let (mut before, mut parts) = (0, Vec::new());
    for word in words {
        let (from, to) = (start.max(before) - before, end.saturating_sub(before).min(word.len()));
        if from < to {
            parts.push(word.get(from..to)?);
        }
        before += word.len();
    }
    (parts.len() > 1).then_some(parts)
}

/// The place in the file of characters of an equation, which was read without blanks.
fn place(words: &[&str], start: usize, end: usize, text: Text<'_>) -> Span {
    let mut before = 0;
    let mut found: Option<Span> = None;
    for word in words {
        let from = start.max(before).saturating_sub(before);
        let to = end.saturating_sub(before).min(word.len());
        if from < to
            && let Some(part) = word.get(from..to)
        {
            let here = text.span(part);
            found = Some(found.map_or(here, |first| Span { end: here.end, ..first }));
        }
        before += word.len();
    }
    found.unwrap_or_else(|| words.first().map_or(Span::default(), |word| text.span(word)))
}
