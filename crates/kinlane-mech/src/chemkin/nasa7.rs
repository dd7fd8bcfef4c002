//! Records of NASA polynomials with 7 coefficients.

use super::codes;
use super::findings::Findings;
use super::nasa::{fixed, not_a_number};
use super::sections::{Kind, Section};
use super::shelf::{Found, Record, Shelf};
use super::text::{Text, columns, field, number};
use crate::network::{ATMOSPHERE, Range, Thermo, ThermoForm};
use crate::{Severity, Span};

/// Middle temperature if neither the record nor the section gives one \[K\].
const MIDDLE: f64 = 1000.0;

/// Numbers of the lines below the first, in column 80.
const NUMBERS: [&str; 3] = ["2", "3", "4"];
/// What a record must have, for messages.
const FOUR: &str = "a record has four lines, numbered 1 to 4 in column 80";

const HELP_15: &str = "coefficients are in fields of 15 columns, five to a line; look for a shifted column";

/// Whether a line has the mark of the first line of a record.
pub(super) fn is_first(line: &str) -> bool {
    columns(line, 79, 80) == "1"
}

/// Reads a section of 7-coefficient records.
pub(super) fn read(text: Text<'_>, section: &Section<'_>, shelf: &mut Shelf<'_>, findings: &mut Findings) {
    let (own, mut rest) = defaults(text, section, shelf.lacking.is_none(), findings);
    let middle = own.or(shelf.middle);
    let mut orphan = None;
    while let Some((&first, tail)) = rest.split_first() {
        if !is_first(first) {
            rest = match shelf.unmarked(first, tail) {
                Some(index) => {
                    shelf.broken.push((index, text.span(first)));
                    unmarked(text, shelf.names.name(index), first, findings);
                    behind_unmarked(tail)
                }
                None => {
                    orphan = orphan.or(Some(first));
                    tail
                }
            };
            continue;
        }
        // Further elements are on separate lines, each announced by a `&`.
        let extra = rest.iter().take_while(|line| line.ends_with('&')).count();
        let Some((data, tail)) = tail.get(extra..).map(|lines| lines.split_at(lines.len().min(3))) else { break };
        let numbered = |(line, digit): &(&&str, &str)| number_of(line).is_none_or(|number| number == *digit);
        let good = data.iter().zip(NUMBERS).take_while(numbered).count();
        let name = shelf.record_name(first);
        if let Some(index) = shelf.wanted(name, text, findings) {
            let record = Record7 { text, name, first, extra: tail_of(rest, extra), data, middle };
            let record = if good == 3 { record.read(findings) } else { record.incomplete(good, findings) };
            shelf.put(index, record.map_or(Found::Faulty, |record| Found::Good(Box::new(record))));
        }
        // After a fault, skip to the next line that starts a record.
        rest = if good == 3 { tail } else { rest.get(1 + extra + good..).unwrap_or(&[]) };
    }
    if let (Some(line), None) = (orphan, &shelf.lacking) {
        findings.warn(
            codes::STRAY_THERMO,
            text.span(line.trim()),
            "this line belongs to no thermodynamic record",
            "ignored, as others like it",
            FOUR,
        );
    }
}

/// The middle temperature of records that have none of their own, and the lines behind the head of a section. What else is in the
/// head is reported at the first reading.
fn defaults<'s, 'a>(
    text: Text<'a>,
    section: &'s Section<'a>,
    first_reading: bool,
    findings: &mut Findings,
) -> (Option<f64>, &'s [&'a str]) {
    if first_reading && section.head.split_whitespace().any(|word| !word.eq_ignore_ascii_case("ALL")) {
        let (head, help) = (section.head.trim(), "temperatures are read from the line below");
        findings.warn(codes::THERMO_WORDS, text.span(head), "these words behind THERMO are not read", "ignored", help);
    }
    let lines = section.lines.as_slice();
    let Some((limits, more)) = lines.first().and_then(|first| temperatures(first)) else { return (None, lines) };
    if first_reading && !more.is_empty() {
        let message = "text behind the three default temperatures is not read";
        findings.note(codes::THERMO_WORDS, text.span(more), message, "ignored");
    }
    (Some(limits[1]), lines.get(1..).unwrap_or_default())
}

/// The middle temperature \[K\] that the line below THERMO gives, in the first section that has such a line.
pub(super) fn middle(sections: &[Section<'_>]) -> Option<f64> {
    let mut all = sections.iter().filter(|section| section.kind == Kind::Nasa7);
    all.find_map(|section| temperatures(section.lines.first()?)).map(|(limits, _)| limits[1])
}

/// The number of a line in column 80, unless that is blank.
fn number_of(line: &str) -> Option<&str> {
    Some(columns(line, 79, 80)).filter(|number| !number.trim().is_empty())
}

/// The lines behind the record whose first line is not marked as such; `tail` are those behind that line.
fn behind_unmarked<'s, 'a>(tail: &'s [&'a str]) -> &'s [&'a str] {
    let more = tail.iter().take_while(|line| line.ends_with('&')).count();
    let numbered = |(line, digit): &(&&str, &str)| line.ends_with(digit);
    let data = tail.iter().skip(more).zip(NUMBERS).take_while(numbered).count();
    tail.get(more + data..).unwrap_or(&[])
}

/// Reports that column 80 of a line is blank: its number is missing, or in another column, and a character
/// may be lost.
fn unnumbered(text: Text<'_>, name: &str, line: &str, digit: &str, findings: &mut Findings) {
    let slid = line.split_whitespace().next_back() == Some(digit);
    // Of five coefficients in 15 columns each, the one in which the line ends.
    let width = line.chars().count();
    let cut = columns(line, width / 15 * 15, width).trim();
    let (severity, message, label) = match slid {
        false if width < 75 && !cut.is_empty() => (
            Severity::Warning,
            "thermodynamic records with a line that ends within the columns of a coefficient",
            format!("its last number is read as `{cut}`: look for digits that are lost"),
        ),
        true => (
            Severity::Warning,
            "thermodynamic records with a line whose number is not in column 80",
            format!("its `{digit}` is in column {}: look for a character lost or too much", line.chars().count()),
        ),
        false => (
            Severity::Note,
            "thermodynamic records without a line number in column 80",
            format!("read as if `{digit}` were there"),
        ),
    };
    findings.group(severity, codes::MISSING_DIGIT, text.span(line.trim()), name, message, &label);
}

/// Reports why a line is not taken as the first line of a record.
fn unmarked(text: Text<'_>, name: &str, first: &str, findings: &mut Findings) {
    let column = first.chars().count();
    let (label, help) = if first.contains('\t') {
        ("a tab counts as one column here".to_owned(), "put blanks in place of the tabs".to_owned())
    } else if first.ends_with('1') && column != 80 {
        let shift = if column > 80 { "take out what is too much" } else { "put in what is missing" };
        (format!("its last `1` is in column {column}"), format!("{shift} before it, so that it comes to column 80"))
    } else {
        ("column 80 holds no `1`".to_owned(), "write `1` into column 80".to_owned())
    };
    let message = format!("the record of `{name}` is not read: its first line has no `1` in column 80");
    findings.warn(codes::MISSING_DIGIT, text.span(first), message, &label, help);
}

fn tail_of<'s, 'a>(lines: &'s [&'a str], count: usize) -> &'s [&'a str] {
    lines.get(1..=count).unwrap_or(&[])
}

/// The three default temperatures, separated by blanks or in fields of ten columns, and the rest of the line.
fn temperatures(line: &str) -> Option<([f64; 3], &str)> {
    if !columns(line, 79, 80).trim().is_empty() {
        return None; // it is the line of a record
    }
    let words: Vec<&str> = line.split_whitespace().take(3).collect();
    let fields = [columns(line, 0, 10), columns(line, 10, 20), columns(line, 20, 30)];
    [words.as_slice(), &fields].into_iter().find_map(|parts| {
        let values: Vec<f64> = parts.iter().map(|part| field(part)).collect::<Option<_>>()?;
        let last = *parts.last()?;
        let end = last.as_ptr() as usize - line.as_ptr() as usize + last.len();
        Some((values.try_into().ok()?, line.get(end..)?.trim()))
    })
}

/// The lines of one 7-coefficient record.
struct Record7<'s, 'a> {
    text: Text<'a>,
    name: &'a str,
    first: &'a str,
    extra: &'s [&'a str],
    data: &'s [&'a str],
    /// What a line below THERMO says.
    middle: Option<f64>,
}

impl Record7<'_, '_> {
    fn read(&self, findings: &mut Findings) -> Option<Record> {
        for (line, digit) in self.data.iter().zip(NUMBERS).filter(|(line, _)| number_of(line).is_none()) {
            unnumbered(self.text, self.name, line, digit, findings);
        }
        let composition = self.composition(findings);
        let limits = self.limits(findings);
        let coefficients = self.coefficients(findings);
        let (composition, (low, high, middle), [hot, cold]) = (composition?, limits?, coefficients?);

        let usual = self.middle.unwrap_or(MIDDLE);
        let single = middle.map_or(!(low < usual && usual < high), |t| t == low || t == high) || hot == cold;
        if !single || hot.or(cold).is_none() {
            self.written([hot, cold], findings)?;
        }
        let [hot, cold] = [hot, cold].map(Option::unwrap_or_default);
        let ranges = if single {
            let zero = [0.0; 7];
            let a = if cold == zero || hot == cold {
                hot
            } else if hot == zero {
                cold
            } else {
                findings.error(
                    codes::TWO_POLYNOMIALS,
                    self.limits_span(),
                    format!(
                        "`{}` has two different polynomials but one temperature range, {low} to {high} K",
                        self.name
                    ),
                    "the middle temperature is not between these",
                    "give the middle temperature in columns 66 to 73, or the same polynomial twice",
                );
                return None;
            };
            vec![Range { low, high, a }]
        } else {
            let t = middle.unwrap_or(usual);
            if middle.is_none() && self.middle.is_none() {
                findings.group(
                    Severity::Note,
                    codes::NO_MIDDLE,
                    self.limits_span(),
                    self.name,
                    &format!("neither these thermodynamic records nor a line below THERMO say where two polynomials meet; {MIDDLE} K is taken for"),
                    "no middle temperature",
                );
            }
            if !(low < t && t < high) {
                findings.error(
                    codes::RANGE_ORDER,
                    self.limits_span(),
                    format!("the temperatures of `{}` do not ascend: {low}, {t}, {high} K", self.name),
                    "lowest, highest and middle temperature",
                    "correct them: columns 46-55 lowest, 56-65 highest, 66-73 middle",
                );
                return None;
            }
            vec![Range { low, high: t, a: cold }, Range { low: t, high, a: hot }]
        };
        let at = self.text.span(self.first);
        Some(Record {
            composition,
            thermo: Thermo { reference_pressure: ATMOSPHERE, form: ThermoForm::Nasa7(ranges), at },
        })
    }

    /// Reports that only so many lines below the first are those of a record.
    fn incomplete(&self, good: usize, findings: &mut Findings) -> Option<Record> {
        let at = self.data.get(good).copied().unwrap_or(self.first);
        findings
            .error(
                codes::INCOMPLETE_THERMO,
                self.text.span(at.trim()),
                format!("the thermodynamic record of `{}` is incomplete", self.name),
                &format!("line {} of the record is expected here, with `{}` in column 80", good + 2, good + 2),
                FOUR,
            )
            .labels
            .push((self.text.span(self.name), "the record starts here".into()));
        None
    }

    fn limits_span(&self) -> Span {
        self.text.span(columns(self.first, 45, 73).trim())
    }

    /// Lowest and highest temperature.
    fn ends(&self) -> (Option<f64>, Option<f64>) {
        (field(columns(self.first, 45, 55)), field(columns(self.first, 55, 65)))
    }

    /// The columns of the middle temperature: it may extend into those of the fifth element, which are usually empty, but what is
    /// there may also be unused digits of that.
    fn middle_columns(&self) -> &str {
        let [usual, wide] = [73, 75].map(|end| columns(self.first, 65, end));
        let (low, high) = self.ends();
        let within = |t: f64| low.is_none_or(|low| low <= t) && high.is_none_or(|high| t <= high);
        let is_wide = |t: f64| within(t) || field(usual).is_none() && t != 0.0;
        if field(wide).is_some_and(is_wide) { wide } else { usual }
    }

    /// Lowest, highest and, with two ranges, middle temperature.
    fn limits(&self, findings: &mut Findings) -> Option<(f64, f64, Option<f64>)> {
        let (Some(low), Some(high)) = self.ends() else {
            findings.error(
                codes::THERMO_RANGE,
                self.limits_span(),
                format!("the temperature range of `{}` cannot be read", self.name),
                "two numbers are expected here",
                "lowest temperature in columns 46 to 55, highest in 56 to 65",
            );
            return None;
        };
        let shown = self.middle_columns();
        let own = field(shown);
        if own.is_none() && !shown.trim().is_empty() {
            findings.error(
                codes::THERMO_RANGE,
                self.text.span(columns(self.first, 65, 75).trim()),
                format!("the middle temperature of `{}` cannot be read", self.name),
                "a number is expected here",
                format!("it is in columns 66 to 73; without one, {} K is taken", self.middle.unwrap_or(MIDDLE)),
            );
            return None;
        }
        Some((low, high, own))
    }

    /// Reports the first of the polynomials that is blank.
    fn written(&self, both: [Option<[f64; 7]>; 2], findings: &mut Findings) -> Option<()> {
        let ([None, _] | [_, None]) = both else { return Some(()) };
        let range = if both[0].is_none() { "upper" } else { "lower" };
        findings.error(
            codes::COEFFICIENT,
            self.text.span(self.name),
            format!("the polynomial of `{}` is incomplete: its {range} temperature range is blank", self.name),
            "seven coefficients are missing from this record",
            "write them; where one range is all there is, let its middle temperature be the lowest or the highest",
        );
        None
    }

    /// The polynomials above and below the middle temperature, as far as there is something written.
    fn coefficients(&self, findings: &mut Findings) -> Option<[Option<[f64; 7]>; 2]> {
        let fields: Vec<&str> = (0..14)
            .map(|i| columns(self.data.get(i / 5).copied().unwrap_or(""), i % 5 * 15, i % 5 * 15 + 15))
            .collect();
        let mut both = [None; 2];
        let mut good = true;
        for ((half, to), range) in fields.chunks(7).zip(&mut both).zip(["upper", "lower"]) {
            if half.iter().all(|text| text.trim().is_empty()) {
                continue; // a single range, with nothing written for the other
            }
            for (i, (text, to)) in half.iter().zip(to.insert([0.0; 7])).enumerate() {
                match field(text) {
                    Some(value) => *to = value,
                    None => {
                        good = false;
                        let (which, help) =
                            (format!("coefficient a{} of its {range} temperature range", i + 1), HELP_15);
                        not_a_number(self.text, text, self.name, &which, help, findings);
                        break;
                    }
                }
            }
        }
        good.then_some(both)
    }

    fn composition(&self, findings: &mut Findings) -> Option<Vec<(String, f64)>> {
        if !self.extra.is_empty() {
            return self.extended(findings);
        }
        let near = columns(self.first, 24, 44);
        let (mut composition, mut unread) = fixed(near, 5);
        let fifth = columns(self.first, 73, 78);
        let free = columns(self.middle_columns(), 8, 10).trim().is_empty();
        if free && columns(fifth, 0, 2).trim_start().starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (more, wrong) = fixed(fifth, 5);
            composition.extend(more);
            // A single letter is the phase, in a wrong column.
            unread = unread.or(wrong.filter(|field| !columns(field, 2, 5).trim().is_empty()));
        }
        for (symbol, count) in self.beyond(findings) {
            composition.retain(|(known, _)| *known != symbol);
            composition.push((symbol, count));
        }
        // A digit in a symbol comes from a number of atoms that is too long for its columns.
        let good = !composition.is_empty()
            && composition.iter().all(|(symbol, _)| symbol.bytes().all(|b| !b.is_ascii_digit()));
        if good && unread.is_none() {
            return Some(composition);
        }
        let near = if good { unread.unwrap_or(near) } else { near };
        findings.error(
            codes::COMPOSITION,
            self.text.span(if near.trim().is_empty() { self.name } else { near.trim() }),
            format!("the elements of `{}` cannot be read", self.name),
            "symbols and counts are expected here",
            "symbol in two columns and count in three, four times from column 25 on; counts above 999, and symbols with a digit, go on a line of their own, announced by `&`",
        );
        None
    }

    /// Elements beyond column 80, where some programs write further elements in fields of ten columns, and
    /// others write anything: only complete fields count.
    fn beyond(&self, findings: &mut Findings) -> Vec<(String, f64)> {
        let all = columns(self.text.with_blanks(self.first), 80, usize::MAX);
        let whole = all.chars().count() / 10 * 10;
        let (mut list, unread) = fixed(columns(all, 0, whole), 10);
        let found = list.len();
        list.retain(|(symbol, _)| symbol.bytes().all(|b| b.is_ascii_alphabetic()));
        if unread.is_some() || list.len() < found || !columns(all, whole, usize::MAX).trim().is_empty() {
            findings.group(
                Severity::Note,
                codes::BEYOND_80,
                self.text.span(all.trim()),
                self.name,
                "thermodynamic records with text beyond column 80 that is not read",
                "not in fields of ten columns, symbol and count",
            );
        }
        list
    }

    /// Elements on separate lines, in free form.
    fn extended(&self, findings: &mut Findings) -> Option<Vec<(String, f64)>> {
        let words: Vec<&str> =
            self.extra.iter().flat_map(|line| line.trim_end_matches('&').split_whitespace()).collect();
        let list = free(&words).filter(|list| !list.is_empty());
        let near = columns(self.first, 24, 44);
        let (fixed, _) = fixed(near, 5);
        if let Some((symbol, _)) = list.as_ref().and_then(|list| fixed.iter().find(|element| !list.contains(element))) {
            findings.warn(
                codes::COMPOSITION,
                self.text.span(near.trim()),
                format!(
                    "elements of `{}` stand twice, and only those on the lines announced by `&` are read",
                    self.name
                ),
                &format!("`{symbol}` here is not read"),
                "write all elements on the lines behind `&`, and none in columns 25 to 44",
            );
        }
        if list.is_none() {
            findings.error(
                codes::COMPOSITION,
                self.text.span(self.extra.first().map_or(self.name, |line| line.trim())),
                format!("the elements of `{}` cannot be read", self.name),
                "symbols and counts are expected here, separated by blanks",
                "write for example `C 640 H 127`",
            );
        }
        list
    }
}

/// Elements in free form: a symbol, then its number of atoms.
fn free(words: &[&str]) -> Option<Vec<(String, f64)>> {
    let pairs = words.chunks(2).map(|pair| match pair {
        [symbol, count] if symbol.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            Some(((*symbol).to_owned(), number(count)?))
        }
        _ => None,
    });
    let mut list: Vec<(String, f64)> = pairs.collect::<Option<_>>()?;
    list.retain(|&(_, count)| count != 0.0);
    Some(list)
}
