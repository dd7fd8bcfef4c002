//! THERMO sections: records of NASA polynomials with 7 or 9 coefficients, in fixed columns.
//!
//! The standard pressure is 1 atm for both, as in CHEMKIN and in Cantera's reading of these files, although
//! NASA itself publishes 9-coefficient data for 1 bar.

use super::auxiliary::exponent_help;
use super::codes;
use super::findings::Findings;
use super::names::Names;
use super::nasa9;
use super::sections::{Kind, Section};
use super::text::{Text, columns, field, number};
use crate::network::{ATMOSPHERE, Range, Thermo, ThermoForm};
use crate::{Severity, Span};

/// Middle temperature if neither the record nor the section gives one \[K\].
const MIDDLE: f64 = 1000.0;

/// The contents of a record for one species.
pub(super) struct Record {
    /// (symbol as written, number of atoms), without zeros.
    pub composition: Vec<(String, f64)>,
    /// The polynomials.
    pub thermo: Thermo,
}

/// The state of a species while thermodynamic data is read.
pub(super) enum Found {
    /// A record.
    Good(Box<Record>),
    /// There is a record, but it has faults, which have been reported.
    Faulty,
}

/// Storage for records, with one place per declared species.
pub(super) struct Shelf<'n> {
    /// The declared species.
    pub names: &'n Names,
    /// What was found for each species.
    pub found: Vec<Option<Found>>,
    /// The file that each was found in.
    pub file: Vec<u32>,
    /// Declared species with a record that is not read, because its first line lacks its mark: index and
    /// place.
    pub broken: Vec<(usize, Span)>,
    /// For a second reading, without regard to case: marks the species that no record anywhere names exactly.
    pub lacking: Option<Vec<bool>>,
}

impl Shelf<'_> {
    /// The declared species to which a record of this name belongs.
    fn species(&self, name: &str) -> Option<usize> {
        match &self.lacking {
            None => self.names.exact(name),
            Some(lacking) => self.names.find(name).map(|found| found.0).filter(|&i| lacking.get(i) == Some(&true)),
        }
    }

    /// The name in the first 24 columns; if a long name runs into the date behind it, the first 18.
    fn record_name<'a>(&self, line: &'a str) -> &'a str {
        let name = |end| columns(line, 0, end).split_whitespace().next().unwrap_or("");
        [name(24), name(18)].into_iter().find(|name| self.species(name).is_some()).unwrap_or(name(24))
    }

    /// The declared species whose record is wanted, if it is. A second record in the same file is reported;
    /// one in a further file is not: a mechanism's own data take precedence over those of a database, which
    /// is the intended use of both.
    pub(super) fn wanted(&mut self, name: &str, text: Text<'_>, findings: &mut Findings) -> Option<usize> {
        let index = self.species(name)?;
        let at = text.span(name);
        if self.found.get(index)?.is_some() {
            if self.file.get(index) == Some(&text.file) {
                findings.group(
                    Severity::Note,
                    codes::REPEATED_THERMO,
                    at,
                    name,
                    "species with more than one thermodynamic record, the first of which is used",
                    "ignored",
                );
            }
            return None;
        }
        if self.lacking.is_some() {
            let species = self.names.name(index);
            findings.group(
                Severity::Warning,
                codes::CASE_THERMO,
                at,
                &format!("{name}` for `{species}"),
                "thermodynamic records that fit a species only without regard to case",
                &format!("taken to be `{species}`"),
            );
        }
        *self.file.get_mut(index)? = text.file;
        Some(index)
    }

    /// The declared species without a record whose record this line starts, with the mark in a wrong column.
    /// `tail` are the lines below.
    fn broken(&self, first: &str, tail: &[&str]) -> Option<usize> {
        let index = self.species(first.split_whitespace().next()?)?;
        let data = tail.iter().find(|line| !line.ends_with('&'))?;
        let starts = self.lacking.is_none() && first.len() >= 45 && data.len() >= 60 && data.ends_with('2');
        (starts && self.found.get(index)?.is_none()).then_some(index)
    }

    /// Stores what was found for a species.
    pub(super) fn put(&mut self, index: usize, found: Found) {
        if let Some(place) = self.found.get_mut(index) {
            *place = Some(found);
        }
    }
}

/// Reads the THERMO sections among these sections.
pub(super) fn read(text: Text<'_>, sections: &[Section<'_>], shelf: &mut Shelf<'_>, findings: &mut Findings) {
    for section in sections {
        match section.kind {
            Kind::Nasa7 => read7(text, section, shelf, findings),
            Kind::Nasa9 => nasa9::read(text, &section.lines, shelf, findings),
            _ => {}
        }
    }
}

/// Reads a section of 7-coefficient records.
fn read7(text: Text<'_>, section: &Section<'_>, shelf: &mut Shelf<'_>, findings: &mut Findings) {
    let mut rest = section.lines.as_slice();
    let mut middle = MIDDLE;
    let first_reading = shelf.lacking.is_none();
    if first_reading && section.head.split_whitespace().any(|word| !word.eq_ignore_ascii_case("ALL")) {
        let (head, help) = (section.head.trim(), "temperatures are read from the line below");
        findings.warn(codes::THERMO_WORDS, text.span(head), "these words behind THERMO are not read", "ignored", help);
    }
    if let Some((first, tail)) = rest.split_first()
        && let Some((limits, more)) = temperatures(first)
    {
        middle = limits[1];
        rest = tail;
        if first_reading && !more.is_empty() {
            let message = "text behind the three default temperatures is not read";
            findings.note(codes::THERMO_WORDS, text.span(more), message, "ignored");
        }
    }
    let mut orphan = None;
    while let Some((&first, tail)) = rest.split_first() {
        if columns(first, 79, 80) != "1" {
            rest = tail;
            if let Some(index) = shelf.broken(first, tail) {
                shelf.broken.push((index, text.span(first)));
                unmarked(text, shelf.names.name(index), first, findings);
                let more = tail.iter().take_while(|line| line.ends_with('&')).count();
                let marked = |(line, digit): &(&&str, char)| line.ends_with(*digit);
                let data = tail.iter().skip(more).zip(['2', '3', '4']).take_while(marked).count();
                rest = tail.get(more + data..).unwrap_or(&[]);
            } else {
                orphan = orphan.or(Some(first));
            }
            continue;
        }
        // Further elements are on separate lines, each announced by a `&`.
        let extra = rest.iter().take_while(|line| line.ends_with('&')).count();
        let Some((data, tail)) = tail.get(extra..).map(|lines| lines.split_at(lines.len().min(3))) else { break };
        let wrong = data.iter().zip(["2", "3", "4"]).position(
            |(line, digit)| !matches!(columns(line, 79, 80), mark if mark == digit || mark.trim().is_empty()),
        );
        let good = wrong.unwrap_or(data.len());
        let name = shelf.record_name(first);
        if let Some(index) = shelf.wanted(name, text, findings) {
            let found = if good == 3 {
                for (line, digit) in data.iter().zip(["2", "3", "4"]) {
                    if columns(line, 79, 80).trim().is_empty() {
                        unnumbered(text, name, line, digit, findings);
                    }
                }
                let record = Record7 { text, name, first, extra: tail_of(rest, extra), data, middle };
                record.read(findings).map_or(Found::Faulty, |record| Found::Good(Box::new(record)))
            } else {
                let at = data.get(good).copied().unwrap_or(first);
                findings
                    .error(
                        codes::INCOMPLETE_THERMO,
                        text.span(at.trim()),
                        format!("the thermodynamic record of `{name}` is incomplete"),
                        &format!("line {} of the record is expected here, with `{}` in column 80", good + 2, good + 2),
                        "a record has four lines, numbered 1 to 4 in column 80",
                    )
                    .labels
                    .push((text.span(name), "the record starts here".into()));
                Found::Faulty
            };
            shelf.put(index, found);
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
            "a record has four lines, numbered 1 to 4 in column 80",
        );
    }
}

/// Reports that column 80 of a line is blank: its number is missing, or in another column, and a character
/// may be lost.
fn unnumbered(text: Text<'_>, name: &str, line: &str, digit: &str, findings: &mut Findings) {
    let slid = line.split_whitespace().next_back() == Some(digit);
    let (severity, message, label) = match slid {
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
    middle: f64,
}

impl Record7<'_, '_> {
    fn read(&self, findings: &mut Findings) -> Option<Record> {
        let composition = self.composition(findings);
        let limits = self.limits(findings);
        let coefficients = self.coefficients(findings);
        let (composition, (low, high, middle), [hot, cold]) = (composition?, limits?, coefficients?);

        let single = middle.is_none_or(|t| t == low || t == high) || hot == cold;
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
            let t = middle.unwrap_or(self.middle);
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

    fn limits_span(&self) -> crate::Span {
        self.text.span(columns(self.first, 45, 73).trim())
    }

    /// Lowest, highest and, with two ranges, middle temperature.
    fn limits(&self, findings: &mut Findings) -> Option<(f64, f64, Option<f64>)> {
        let ends = (field(columns(self.first, 45, 55)), field(columns(self.first, 55, 65)));
        let (Some(low), Some(high)) = ends else {
            findings.error(
                codes::THERMO_RANGE,
                self.limits_span(),
                format!("the temperature range of `{}` cannot be read", self.name),
                "two numbers are expected here",
                "lowest temperature in columns 46 to 55, highest in 56 to 65",
            );
            return None;
        };
        // The middle temperature may extend into the columns of the fifth element, which are usually empty.
        let shown = columns(self.first, 65, 73).trim();
        let own = field(columns(self.first, 65, 75)).or_else(|| field(shown));
        if own.is_none() && !shown.is_empty() {
            findings.error(
                codes::THERMO_RANGE,
                self.text.span(columns(self.first, 65, 75).trim()),
                format!("the middle temperature of `{}` cannot be read", self.name),
                "a number is expected here",
                format!("it is in columns 66 to 73; without one, {} K is taken", self.middle),
            );
            return None;
        }
        Some((low, high, own.or((low < self.middle && self.middle < high).then_some(self.middle))))
    }

    /// The polynomials above and below the middle temperature.
    fn coefficients(&self, findings: &mut Findings) -> Option<[[f64; 7]; 2]> {
        let fields: Vec<&str> = (0..14)
            .map(|i| columns(self.data.get(i / 5).copied().unwrap_or(""), i % 5 * 15, i % 5 * 15 + 15))
            .collect();
        let mut both = [[0.0; 7]; 2];
        let mut good = true;
        for ((half, to), range) in fields.chunks(7).zip(&mut both).zip(["upper", "lower"]) {
            if half.iter().all(|text| text.trim().is_empty()) {
                continue; // a single range, with nothing written for the other
            }
            for (i, (text, to)) in half.iter().zip(to).enumerate() {
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
        if field(columns(self.first, 65, 75)).is_none() && fifth.starts_with(|c: char| c.is_ascii_alphabetic()) {
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
            "symbol in two columns and count in three, four times from column 25 on; counts above 999 go on a line of their own, announced by `&`",
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

const HELP_15: &str = "coefficients are in fields of 15 columns, five to a line; look for a shifted column";

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
