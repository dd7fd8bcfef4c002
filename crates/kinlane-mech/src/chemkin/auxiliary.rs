//! The lines below a reaction: `LOW/1e18 -1 0/`, `H2/2/ AR/0.7/`, `DUPLICATE`, in any order, several to a line.

use super::codes;
use super::findings::Findings;
use super::keywords::{self, Keyword, Meaning};
use super::names::Names;
use super::reaction::{foreign_arrow, no_arrow};
use super::text::{Text, number, words};
use super::units::{self, Said, Units};
use crate::words::did_you_mean;
use crate::{Severity, Span};

/// The contents of the lines below a reaction, in the units of the file.
#[derive(Default)]
pub(super) struct Auxiliary {
    pub duplicate: bool,
    pub low: Option<([f64; 3], Span)>,
    pub high: Option<([f64; 3], Span)>,
    pub troe: Option<([f64; 3], Option<f64>, Span)>,
    pub sri: Option<([f64; 5], Span)>,
    /// Pressure [atm], then A, b, E.
    pub plog: Vec<[f64; 4]>,
    /// Both orders, then the coefficients.
    pub cheb: Vec<f64>,
    pub cheb_at: Option<Span>,
    pub tcheb: Option<([f64; 2], Span)>,
    pub pcheb: Option<([f64; 2], Span)>,
    /// Place of the first PLOG or CHEB data.
    pub table_at: Option<Span>,
    pub rev: Option<([f64; 3], Span)>,
    pub lt: Option<([f64; 2], Span)>,
    pub rlt: Option<([f64; 2], Span)>,
    pub ford: Vec<(usize, f64)>,
    pub rord: Vec<(usize, f64)>,
    pub orders_at: Option<Span>,
    pub efficiencies: Vec<(usize, f64)>,
    pub efficiencies_at: Option<Span>,
    pub units: Option<Units>,
    /// Keywords that may occur once, and their places.
    once: Vec<(&'static str, Span)>,
    /// Whether something could not be read, which has been reported.
    pub faulty: bool,
}

/// What reading a line needs to know.
pub(super) struct Line<'s, 'a> {
    pub text: Text<'a>,
    pub names: &'s Names,
    /// Units of the section.
    pub units: Units,
}

impl Auxiliary {
    /// Reads one line below a reaction, which may be in pieces: a `&` at the end of one announces the next.
    pub fn read(&mut self, pieces: &[&str], with: &Line<'_, '_>, findings: &mut Findings) {
        for (i, piece) in pieces.iter().enumerate() {
            if self.piece(piece, i + 1 < pieces.len(), with, findings).is_none() {
                return; // the rest belongs to what is not read
            }
        }
    }

    /// Reads a piece, of which there are more or not.
    fn piece(&mut self, line: &str, more: bool, with: &Line<'_, '_>, findings: &mut Findings) -> Option<()> {
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('/') {
            let (words, name) = match before.trim_end().rsplit_once(char::is_whitespace) {
                Some((words, name)) => (words, name),
                None => ("", before.trim()),
            };
            words.split_whitespace().for_each(|word| self.word(word, line, with, findings));
            let name = without_commas(name, with, findings);
            if keywords::find(name).is_some_and(|keyword| keyword.meaning == Meaning::Units) {
                rest = self.units(after, with, findings);
                continue;
            }
            let behind = after.split_once('/').unwrap_or((after, ""));
            if is_duplicate(name) && with.names.find(name).is_none() && behind.0.trim().is_empty() {
                self.duplicate = true;
                let message = format!("a `/` behind {name}, which has no data");
                findings.warn(codes::UNCLOSED, with.text.span(name), message, "read without it", "remove the `/`");
                rest = behind.1;
                continue;
            }
            let (data, tail) = match after.split_once('/') {
                Some(parts) => parts,
                None if more && !name.is_empty() => {
                    let message = format!("the data of `{name}` go on behind a `&`");
                    let help = "write all of them on one line, up to the closing `/`".to_owned();
                    self.fault(
                        codes::UNCLOSED,
                        with.text.span(name),
                        findings,
                        message,
                        "not closed on its line",
                        help,
                    );
                    return None;
                }
                None => {
                    findings.warn(
                        codes::UNCLOSED,
                        with.text.span(after.trim()),
                        "the closing `/` is missing",
                        "read as if the line's end closed it",
                        "add the `/`",
                    );
                    (after, "")
                }
            };
            if name.is_empty() {
                self.fault(
                    codes::NAMELESS,
                    with.text.span(if data.trim().is_empty() { line.trim() } else { data.trim() }),
                    findings,
                    "data without a name before it".into(),
                    "a keyword or a species is expected before the `/`",
                    String::new(),
                );
            } else {
                self.data(name, data, with, findings);
            }
            rest = tail;
        }
        rest.split_whitespace().for_each(|word| self.word(word, line, with, findings));
        Some(())
    }

    fn fault(
        &mut self,
        code: &'static str,
        at: Span,
        findings: &mut Findings,
        message: String,
        label: &str,
        help: String,
    ) {
        self.faulty = true;
        findings.error(code, at, message, label, help);
    }

    /// A word without data.
    fn word(&mut self, written: &str, line: &str, with: &Line<'_, '_>, findings: &mut Findings) {
        let word = without_commas(written, with, findings);
        if word.is_empty() {
            return;
        }
        if is_duplicate(word) {
            self.duplicate = true;
            return;
        }
        let at = with.text.span(word);
        let keyword = keywords::find(word);
        if let Some(Keyword { name, meaning: Meaning::Refused(what), .. }) = keyword {
            return self.refuse(name, what, at, findings);
        }
        let first = line.split_whitespace().next().unwrap_or("");
        let lacks_slashes = keywords::find(first).is_some() && !is_duplicate(first) && !line.contains('/');
        if lacks_slashes && number(word).is_some() {
            return; // its keyword is told
        }
        let numbers = line.split_whitespace().rev().take(3).filter(|word| number(word).is_some()).count();
        if numbers == 3 && !line.contains('/') && !is_duplicate(first) && !lacks_slashes {
            // Three numbers at the end: this was meant to be a reaction. Report that once, at the first word.
            if std::ptr::eq(first, written) {
                if let Some(arrow) = foreign_arrow(line) {
                    self.faulty = true;
                    no_arrow(arrow, with.text.span(arrow), findings);
                    return;
                }
                self.fault(
                    codes::NOT_A_REACTION,
                    with.text.span(line.trim()),
                    findings,
                    "this line has rate parameters but no equation".into(),
                    "`=`, `<=>` or `=>` is expected between reactants and products",
                    "write for example `H+O2<=>OH+O 1e14 0 15000`".into(),
                );
            }
            return;
        }
        let (message, help) = if keyword.is_some() || with.names.find(word).is_some() {
            (format!("`{word}` has no data"), format!("its data is expected behind it: `{word}/.../`"))
        } else {
            (format!("`{word}` is no auxiliary keyword"), remedy(word, with.names))
        };
        self.fault(codes::KEYWORD, at, findings, message, "not understood", help);
    }

    fn refuse(&mut self, keyword: &str, what: &str, at: Span, findings: &mut Findings) {
        self.fault(
            codes::FOREIGN_RATE,
            at,
            findings,
            format!("{keyword} ({what}) is not gas-phase kinetics that can be read"),
            "not supported",
            "remove the reaction, or give its rate by a supported form".into(),
        );
    }

    /// `UNITS / CAL/MOLE /`: the unit words contain slashes. Returns what follows the closing slash.
    fn units<'t>(&mut self, data: &'t str, with: &Line<'_, '_>, findings: &mut Findings) -> &'t str {
        let mut units = self.units.clone().unwrap_or_else(|| with.units.clone());
        let mut said = Said::default();
        let mut rest = data.trim_start();
        loop {
            let upper = rest.to_ascii_uppercase();
            let found = units::WORDS.iter().find(|word| {
                upper.strip_prefix(**word).is_some_and(|tail| {
                    // A slash behind a unit closes the data, unless `MOLE` follows.
                    let goes_on = !word.ends_with('/') || tail.trim_start().starts_with("MOL");
                    let ends = tail.is_empty() || tail.starts_with(|c: char| c.is_whitespace() || c == '/' || c == ',');
                    goes_on && ends
                })
            });
            match found.and_then(|word| Some((word, units::word(word)?))) {
                Some((word, meaning)) => {
                    let (written, tail) = rest.split_at_checked(word.len()).unwrap_or((rest, ""));
                    if let Some(before) = units.set(written, meaning, &mut said) {
                        units::contradiction(with.text, before, written, findings);
                        self.faulty = true;
                    }
                    rest = tail.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
                }
                None => break,
            }
        }
        self.units = Some(units);
        if let Some(tail) = rest.strip_prefix('/') {
            return tail;
        }
        let at = if rest.is_empty() { data.trim() } else { rest.trim_end() };
        self.fault(
            codes::UNIT,
            with.text.span(at),
            findings,
            format!("`{at}` is no unit"),
            "not understood",
            units::HELP.to_owned(),
        );
        ""
    }

    /// `NAME/data/`.
    fn data(&mut self, name: &str, data: &str, with: &Line<'_, '_>, findings: &mut Findings) {
        let Some(keyword) = keywords::find(name) else { return self.efficiency(name, data, with, findings) };
        let at = with.text.span(name);
        if keyword.once {
            if let Some((_, first)) = self.once.iter().find(|known| known.0 == keyword.name) {
                let message = format!("{} is given twice", keyword.name);
                findings
                    .warn(codes::REPEATED_KEYWORD, at, message, "this is used", "remove one")
                    .labels
                    .push((*first, "first given here".into()));
            }
            self.once.push((keyword.name, at));
        }
        match keyword.meaning {
            Meaning::Refused(what) => return self.refuse(keyword.name, what, at, findings),
            // A species may have such a name; UNITS has been read before.
            Meaning::Duplicate | Meaning::Units => return self.efficiency(name, data, with, findings),
            Meaning::Ford | Meaning::Rord => {
                self.orders_at = self.orders_at.or(Some(at));
                return self.orders(keyword.meaning == Meaning::Ford, data, with, findings);
            }
            Meaning::Plog | Meaning::Cheb | Meaning::Tcheb | Meaning::Pcheb => {
                self.table_at = self.table_at.or(Some(at));
            }
            _ => {}
        }
        match list(keyword, data, with, findings) {
            Some(numbers) => self.numbers(keyword.meaning, numbers, with.text.span(data.trim()), at, findings),
            None => self.faulty = true,
        }
    }

    /// The numbers of a keyword, as many as it may take; `data_at` is their place, `at` that of the keyword.
    fn numbers(&mut self, meaning: Meaning, mut numbers: Vec<f64>, data_at: Span, at: Span, findings: &mut Findings) {
        match meaning {
            Meaning::Low => set(&mut self.low, &numbers, at),
            Meaning::High => set(&mut self.high, &numbers, at),
            Meaning::Rev => set(&mut self.rev, &numbers, at),
            Meaning::Lt => set(&mut self.lt, &numbers, at),
            Meaning::Rlt => set(&mut self.rlt, &numbers, at),
            Meaning::Tcheb => set(&mut self.tcheb, &numbers, at),
            Meaning::Pcheb => set(&mut self.pcheb, &numbers, at),
            Meaning::Sri => {
                numbers.extend_from_slice(if numbers.len() == 3 { &[1.0, 0.0] } else { &[] });
                set(&mut self.sri, &numbers, at);
            }
            Meaning::Troe => {
                let t2 = numbers.get(3).copied();
                if t2 == Some(0.0) {
                    findings.note(
                        codes::TROE_T2,
                        data_at,
                        "TROE with T** = 0 is read as the form without T**",
                        "exp(-T**/T) would be 1 at every temperature",
                    );
                }
                self.troe = first(&numbers).map(|three| (three, t2.filter(|&t| t != 0.0), at));
            }
            Meaning::Plog => match first(&numbers) {
                Some(four) if four[0] > 0.0 => self.plog.push(four),
                Some(four) => self.fault(
                    codes::PLOG_PRESSURE,
                    data_at,
                    findings,
                    format!("PLOG at a pressure of {} atm", four[0]),
                    "pressures are positive",
                    String::new(),
                ),
                None => {}
            },
            Meaning::Cheb => {
                self.cheb_at = self.cheb_at.or(Some(at));
                self.cheb.extend(numbers);
            }
            Meaning::Duplicate | Meaning::Ford | Meaning::Rord | Meaning::Units | Meaning::Refused(_) => {}
        }
    }

    fn orders(&mut self, forward: bool, data: &str, with: &Line<'_, '_>, findings: &mut Findings) {
        let Some(pairs) = with.names.pairs(data) else {
            return self.fault(
                codes::ORDER,
                with.text.span(if data.trim().is_empty() { data } else { data.trim() }),
                findings,
                "a reaction order needs a species and a number".into(),
                "expected here",
                "write for example `FORD/H2 0.5/`".into(),
            );
        };
        for (name, value) in pairs {
            let (Some((species, _)), Some(order)) = (with.names.find(name), number(value)) else {
                let (at, message, help) = if with.names.find(name).is_none() {
                    (name, format!("`{name}` is not a declared species"), did_you_mean(with.names.nearest(name), ""))
                } else {
                    (value, format!("`{value}` is not a number"), String::new())
                };
                self.fault(codes::ORDER, with.text.span(at), findings, message, "in a reaction order", help);
                continue;
            };
            let list = if forward { &mut self.ford } else { &mut self.rord };
            list.retain(|&(known, _)| known != species);
            list.push((species, order));
        }
    }

    fn efficiency(&mut self, name: &str, data: &str, with: &Line<'_, '_>, findings: &mut Findings) {
        let words: Vec<&str> = words(data).collect();
        let value = match words.as_slice() {
            [one] => number(one),
            _ => None,
        };
        let at = with.text.span(name);
        match (with.names.find(name), value) {
            (Some((species, _)), Some(value)) => {
                self.efficiencies_at = self.efficiencies_at.or(Some(at));
                if let Some(known) = self.efficiencies.iter_mut().find(|known| known.0 == species) {
                    if known.1 != value {
                        findings.warn(
                            codes::REPEATED_EFFICIENCY,
                            at,
                            format!(
                                "the efficiency of `{name}` is given twice, {} and {value}; the second one is used",
                                known.1
                            ),
                            "given again",
                            "remove one",
                        );
                    }
                    known.1 = value;
                } else {
                    self.efficiencies.push((species, value));
                }
            }
            (None, Some(_)) => {
                // Reduced and combined mechanisms keep the colliders of their parents: this is common in
                // published files.
                let near = with.names.nearest(name).map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
                let message = "efficiencies of colliders that are not declared are ignored";
                findings.group(
                    Severity::Warning,
                    codes::UNKNOWN_COLLIDER,
                    at,
                    name,
                    message,
                    &format!("not declared{near}"),
                );
            }
            (Some(_), None) => {
                let place = if data.trim().is_empty() { at } else { with.text.span(data.trim()) };
                self.fault(
                    codes::EFFICIENCY,
                    place,
                    findings,
                    format!("the efficiency of `{name}` is not one number"),
                    "one number is expected here",
                    String::new(),
                );
            }
            (None, None) => self.fault(
                codes::KEYWORD,
                at,
                findings,
                format!("`{name}` is neither an auxiliary keyword nor a declared species"),
                "not understood",
                remedy(name, with.names),
            ),
        }
    }
}

/// DUP and whatever begins so.
fn is_duplicate(word: &str) -> bool {
    word.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("DUP"))
}

/// `CO/1.5/,CO2/2/`: removes commas between data; commas may also be part of names.
fn without_commas<'t>(word: &'t str, with: &Line<'_, '_>, findings: &mut Findings) -> &'t str {
    let bare = word.trim_matches(',');
    if bare.len() == word.len() || with.names.find(word).is_some() {
        return word;
    }
    let message = "commas between data are read as blanks, at";
    findings.group(Severity::Note, codes::COMMAS, with.text.span(word), word, message, "read as a blank");
    bare
}

/// Suggests the keyword or the species that the user may have meant.
fn remedy(name: &str, names: &Names) -> String {
    did_you_mean(keywords::nearest(&name.to_ascii_uppercase()).or_else(|| names.nearest(name)), "")
}

fn set<const N: usize>(place: &mut Option<([f64; N], Span)>, numbers: &[f64], at: Span) {
    *place = first(numbers).map(|numbers| (numbers, at));
}

fn first<const N: usize>(list: &[f64]) -> Option<[f64; N]> {
    list.get(..N)?.try_into().ok()
}

/// `0,5` in `0,5 100 1000`: numbers with a comma and no blank between them, where others have blanks alone. It may stand for a
/// decimal point.
fn half_commas(data: &str) -> Option<&str> {
    let bare = |piece: &str| !piece.starts_with(',') && !piece.ends_with(',');
    let pieces: Vec<&str> = data.split_whitespace().collect();
    let blanks = pieces.windows(2).any(|pair| !pair[0].ends_with(',') && !pair[1].starts_with(','));
    pieces.into_iter().find(|piece| blanks && bare(piece) && piece.contains(','))
}

/// The numbers of a keyword, if there are as many as it may take.
fn list(keyword: &Keyword, data: &str, with: &Line<'_, '_>, findings: &mut Findings) -> Option<Vec<f64>> {
    let Keyword { name, counts, numbers, .. } = keyword;
    let mut list = Vec::new();
    for word in words(data) {
        let Some(value) = number(word) else {
            findings.error(
                codes::DATA_NUMBER,
                with.text.span(word),
                format!("`{word}` is not a number"),
                &format!("in the data of {name}"),
                match (exponent_help(word), parted(word)) {
                    (help, Some(numbers)) if help.is_empty() => format!("put blanks between numbers: `{numbers}`"),
                    (help, _) => help,
                },
            );
            return None;
        };
        list.push(value);
    }
    if let Some(word) = half_commas(data) {
        findings.error(
            codes::DATA_NUMBER,
            with.text.span(word),
            format!("`{word}` may be one number or two"),
            &format!("a comma without a blank in the data of {name}, in which other numbers have blanks between them"),
            "write a decimal point, or blanks between all numbers".to_owned(),
        );
        return None;
    }
    if data.contains(',') {
        findings.note(codes::COMMAS, with.text.span(data.trim()), "commas between numbers are read as blanks", "these");
    }
    if !counts.is_empty() && !counts.contains(&list.len()) {
        let expected = counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
        let at = with.text.span(if data.trim().is_empty() { data } else { data.trim() });
        findings.error(
            codes::DATA_COUNT,
            at,
            format!("{name} has {} number{} instead of {expected}", list.len(), if list.len() == 1 { "" } else { "s" }),
            "here",
            format!("the data of {name} are {numbers}"),
        );
        return None;
    }
    Some(list)
}

/// `1.00000+100` is how Fortran prints three-digit exponents.
pub(super) fn exponent_help(word: &str) -> String {
    // Dashes and the mathematical minus sign, as texts have them that were not typed as numbers.
    let plain = word.replace(['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2212}'], "-");
    if plain != word && number(&plain).is_some() {
        return format!("its sign is not the one of numbers: write `{plain}`");
    }
    let sign = word.char_indices().skip(1).find(|(_, c)| matches!(c, '+' | '-')).map(|(i, _)| i);
    let fixed = sign.and_then(|i| Some(format!("{}E{}", word.get(..i)?, word.get(i..)?)));
    fixed
        .filter(|fixed| number(fixed).is_some())
        .map_or(String::new(), |fixed| format!("if an exponent is meant, write `{fixed}`"))
}

/// `1.0E+14-0.5`: numbers without a blank between, with blanks before the signs that are not those of exponents.
pub(super) fn parted(word: &str) -> Option<String> {
    let mut numbers = vec![String::new()];
    for c in word.chars() {
        match numbers.last_mut() {
            Some(last) if !matches!(c, '+' | '-') || last.is_empty() || last.ends_with(['e', 'E', 'd', 'D']) => {
                last.push(c);
            }
            _ => numbers.push(c.to_string()),
        }
    }
    (numbers.len() > 1 && numbers.iter().all(|one| number(one).is_some())).then(|| numbers.join(" "))
}

/// `3.87E 04`: a blank in the place of the exponent's sign splits a number into two words.
pub(super) fn halves_help(word: &str, next: &str) -> Option<String> {
    let whole = format!("{word}{next}");
    let ends = word.trim_end_matches(['+', '-']).ends_with(['e', 'E', 'd', 'D']);
    let digits = next.trim_start_matches(['+', '-']);
    let split = ends && digits.len() <= 3 && digits.bytes().all(|b| b.is_ascii_digit()) && number(&whole).is_some();
    split.then(|| format!("a blank seems to part a number: write `{whole}`"))
}
