//! Records of NASA polynomials with 9 coefficients.

use super::codes;
use super::findings::Findings;
use super::nasa::{fixed, not_a_number};
use super::shelf::{Found, Record, Shelf};
use super::text::{Text, columns, field, number};
use crate::network::{ATMOSPHERE, Range, Thermo, ThermoForm};

/// The powers of T in the heat capacity. A record states them; others cannot be represented.
const EXPONENTS: [f64; 7] = [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0];

/// NASA's names of the coefficients.
const LETTERS: [&str; 9] = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "b1", "b2"];
const HELP_16: &str = "coefficients are in fields of 16 columns, five to a line; look for a shifted column";

/// Reads a section of 9-coefficient records.
pub(super) fn read<'a>(text: Text<'a>, lines: &[&'a str], shelf: &mut Shelf<'_>, findings: &mut Findings) {
    let mut rest = lines;
    if rest.first().is_some_and(|line| line.split_whitespace().take(3).filter_map(number).count() == 3) {
        rest = rest.get(1..).unwrap_or(&[]);
    }
    while let Some((&first, tail)) = rest.split_first() {
        let name = first.split_whitespace().next().unwrap_or("");
        let intervals = tail
            .first()
            .and_then(|line| columns(line, 0, 2).trim().parse::<usize>().ok())
            .filter(|n| (1..=20).contains(n));
        let Some((second, data)) = intervals.and_then(|n| Some((tail.first()?, tail.get(1..1 + 3 * n)?))) else {
            if let Some(index) = shelf.wanted(name, text, findings) {
                findings.error(
                    codes::INCOMPLETE_THERMO,
                    text.span(first.trim()),
                    format!("the thermodynamic record of `{name}` is incomplete"),
                    "the record starts here",
                    "its second line starts with the number of temperature intervals, and three lines follow for each",
                );
                shelf.put(index, Found::Faulty);
            }
            rest = tail;
            continue;
        };
        rest = tail.get(1 + data.len()..).unwrap_or(&[]);
        // Ranges beyond the stated number would be taken for records of species that nobody asked for.
        let more = rest.chunks(3).take_while(|lines| lines.len() == 3 && is_range(lines[0])).count();
        rest = rest.get(3 * more..).unwrap_or(&[]);
        if let Some(index) = shelf.wanted(name, text, findings) {
            let mut record = record(text, name, first, second, data, findings);
            if more > 0 {
                record = None;
                let count = columns(second, 0, 2).trim();
                let (stated, all) = (data.len() / 3, data.len() / 3 + more);
                findings
                    .error(
                        codes::INCOMPLETE_THERMO,
                        text.span(count),
                        format!("the record of `{name}` has {all} temperature ranges, but says {stated}"),
                        "the number of ranges",
                        format!("write `{all:>2}` into the first two columns, or remove ranges"),
                    )
                    .labels
                    .push((text.span(first.trim()), "of this record".into()));
            }
            shelf.put(index, record.map_or(Found::Faulty, |record| Found::Good(Box::new(record))));
        }
    }
}

/// Whether lines have the head of a temperature range, with its seven exponents, of a record of this kind.
pub(super) fn has_records(lines: &[&str]) -> bool {
    let exponents = |line: &str| (0..7).all(|i| field(columns(line, 23 + 5 * i, 28 + 5 * i)) == Some(EXPONENTS[i]));
    lines.iter().any(|line| is_range(line) && exponents(line))
}

/// Whether this is the first line of a temperature range: two limits, followed by the number of coefficients
/// or the powers of T.
fn is_range(line: &str) -> bool {
    let ends = (field(columns(line, 1, 11)), field(columns(line, 11, 21)));
    matches!(ends, (Some(low), Some(high)) if low < high)
        && columns(line, 21, 63).split_whitespace().all(|word| number(word).is_some())
}

fn record(
    text: Text<'_>,
    name: &str,
    first: &str,
    second: &str,
    data: &[&str],
    findings: &mut Findings,
) -> Option<Record> {
    let (composition, unread) = fixed(columns(second, 10, 50), 8);
    if composition.is_empty() || unread.is_some() {
        findings.error(
            codes::COMPOSITION,
            text.span(unread.unwrap_or(second).trim()),
            format!("the elements of `{name}` cannot be read"),
            "symbols and counts are expected here",
            "symbol in two columns and count in six, five times from column 11 on",
        );
        return None;
    }
    let mut ranges: Vec<Range<9>> = Vec::new();
    for lines in data.chunks(3) {
        let [limits, b, c] = lines else { return None };
        let fields = [(b, 0), (b, 16), (b, 32), (b, 48), (b, 64), (c, 0), (c, 16), (c, 48), (c, 64)];
        let mut a = [0.0; 9];
        for ((to, (line, at)), letter) in a.iter_mut().zip(fields).zip(LETTERS) {
            let shown = columns(line, at, at + 16);
            let Some(value) = field(shown) else {
                let which = format!("coefficient {letter} of its temperature range {}", ranges.len() + 1);
                not_a_number(text, shown, name, &which, HELP_16, findings);
                return None;
            };
            *to = value;
        }
        let shown = columns(limits, 0, 21).trim();
        let ends = (field(columns(limits, 1, 11)), field(columns(limits, 11, 21)));
        let (Some(low), Some(high)) = ends else {
            findings.error(
                codes::THERMO_RANGE,
                text.span(shown),
                format!("the temperature range of `{name}` cannot be read"),
                "two numbers are expected here",
                "they are in columns 2 to 11 and 12 to 21",
            );
            return None;
        };
        exponents(text, name, limits, findings)?;
        let before = ranges.last().map_or(low, |range| range.high);
        if !(low < high && low == before) {
            findings.error(
                codes::RANGE_ORDER,
                text.span(shown),
                format!("the temperature ranges of `{name}` do not ascend and touch: {before} K is followed by {low} to {high} K"),
                "this range",
                "each range starts where the one before it ends",
            );
            return None;
        }
        ranges.push(Range { low, high, a });
    }
    Some(Record {
        composition,
        thermo: Thermo { reference_pressure: ATMOSPHERE, form: ThermoForm::Nasa9(ranges), at: text.span(first) },
    })
}

/// The first line of a range states the number of coefficients, in column 22 or 23, followed by their powers
/// of T. Some files leave that empty.
fn exponents(text: Text<'_>, name: &str, limits: &str, findings: &mut Findings) -> Option<()> {
    let standard = |at: usize| {
        let stated = columns(limits, at + 1, at + 41).split_whitespace().take(EXPONENTS.len()).map(number);
        columns(limits, at, at + 1) == "7" && stated.eq(EXPONENTS.map(Some))
    };
    let stated = columns(limits, 22, 63).trim();
    if stated.is_empty() || standard(22) || standard(21) {
        return Some(());
    }
    findings.error(
        codes::EXPONENTS,
        text.span(stated),
        format!("the heat capacity of `{name}` is not stated to be of seven powers of T, from -2 to 4"),
        "the number of coefficients and their exponents",
        "`7 -2.0 -1.0  0.0  1.0  2.0  3.0  4.0` is read here; fit the data to these powers",
    );
    None
}
