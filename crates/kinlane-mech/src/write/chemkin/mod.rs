//! CHEMKIN text: one file with elements, species, thermodynamics and reactions.

mod reaction;
mod thermo;

use std::collections::HashSet;

use super::{Header, marked_again, number, phase, text};
use crate::chemkin::{is_keyword, is_mark};
use crate::network::ThermoForm;
use crate::units::{Defaults, Measure};
use crate::{Diagnostic, Network, codes, elements};

/// Lines end before this column.
const WIDTH: usize = 80;
/// Number of reactions that are examined to choose the unit of energy.
const SAMPLE: usize = 200;
/// Units of energy: the word on a REACTIONS line, and the name in `units`.
const ENERGIES: [(&str, &str); 4] =
    [("CAL/MOLE", "cal/mol"), ("JOULES/MOLE", "J/mol"), ("KELVINS", "K"), ("EVOLTS", "eV")];

/// Writes the whole file; what cannot be written, or not with all its digits, is reported in `found`.
pub fn file(network: &Network, header: &Header, found: &mut Vec<Diagnostic>) -> String {
    let reactions = network.reactions.iter().map(reaction::seen).collect();
    let network = &marked_again(network, reactions);
    let mut text = head(network, header);
    text.push_str(&section("ELEMENTS", network.elements.iter().map(element)));
    let mut symbols = HashSet::new();
    if let Some(e) = network.elements.iter().find(|e| !symbols.insert(e.symbol.to_uppercase())) {
        let message = format!("elements called `{}` but for their case cannot be written in CHEMKIN text", e.symbol);
        found.push(
            Diagnostic::error(codes::UNWRITABLE_NAME, message).help("there capitals do not matter: rename one of them"),
        );
    }
    let weighed: HashSet<usize> = network.reactions.iter().flat_map(reaction::weighed).collect();
    for (k, s) in network.species.iter().enumerate() {
        name(&s.name, s.at, weighed.contains(&k), found);
    }
    text.push_str(&section("SPECIES", network.species.iter().map(|s| s.name.clone())));
    let mut rounded = Vec::new();
    let mut records = |nine: bool| -> Vec<String> {
        let chosen = network.species.iter().filter(|s| matches!(s.thermo.form, ThermoForm::Nasa9(_)) == nine);
        chosen.map(|s| thermo::record(s, network, &mut rounded, found)).collect()
    };
    let (seven, nine) = (records(false), records(true));
    if !seven.is_empty() || nine.is_empty() {
        text.push_str(&format!("THERMO ALL\n   300.000  1000.000  5000.000\n{}END\n", seven.concat()));
    }
    if !nine.is_empty() {
        text.push_str(&format!("THERMO NASA9\n   200.000  1000.000  6000.000 20000.000\n{}END\n", nine.concat()));
    }
    thermo::tell_rounded(&rounded, found);
    if !network.reactions.is_empty() {
        let (word, numbers) = choose(network);
        text.push_str(&format!("REACTIONS {word} MOLES\n"));
        for r in &network.reactions {
            text.push_str(&reaction::record(r, network, &numbers, found));
        }
        text.push_str("END\n");
    }
    text
}

/// The description of the file, as comments.
fn head(network: &Network, header: &Header) -> String {
    let mut lines: Vec<String> = header.description.trim().lines().map(|l| l.trim_end().to_owned()).collect();
    lines.push("generator: kinlane".into());
    let inputs: Vec<String> = phase::inputs(network).collect();
    if !inputs.is_empty() {
        lines.push(format!("from: {}", inputs.join(", ")));
    }
    lines.extend(header.date.iter().map(|date| format!("date: {date}")));
    lines.iter().map(|line| format!("! {}\n", text::printable(line))).collect::<String>() + "\n"
}

fn element(e: &crate::network::Element) -> String {
    if elements::find(&e.symbol).is_some_and(|(_, mass)| mass == e.molar_mass) {
        return e.symbol.clone();
    }
    let grams = number::decimal(e.molar_mass, e.molar_mass * 1000.0, |x| x / 1000.0);
    format!("{} /{}/", e.symbol, number::plain(grams.unwrap_or(e.molar_mass * 1000.0)))
}

/// A section of words.
fn section(head: &str, words: impl Iterator<Item = String>) -> String {
    let mut text = format!("{head}\n");
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += word.len();
        text.push_str(&word);
    }
    text + "\nEND\n\n"
}

/// Reports a name that would have another meaning in CHEMKIN text. `weighed`: some reaction lists an
/// efficiency for it.
fn name(name: &str, at: crate::Span, weighed: bool, found: &mut Vec<Diagnostic>) {
    // CHEMKIN's manual allows a plus inside a name in brackets: `C(+)`.
    let bare = name.replace("(+)", "");
    let why = match name {
        _ if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) => "a blank ends a name",
        _ if name.contains('!') => "`!` starts a comment",
        _ if name.contains('/') => "`/` encloses data",
        _ if name.starts_with(',') || name.ends_with(',') => "commas between names are read as blanks",
        _ if name.contains(['=', '<', '>']) => "it would be taken for an arrow",
        _ if name.starts_with(|c: char| c.is_ascii_digit() || c == '.') => "a number before a name is a coefficient",
        _ if name.starts_with('+') || bare.contains("(+") => "`+` and `(+` stand between species",
        _ if bare.trim_end_matches('+').contains('+') => "`+` stands between species",
        _ if ["M", "HV"].iter().any(|own| own.eq_ignore_ascii_case(name)) => "it has a meaning of its own",
        _ if is_mark(name) => "it starts or ends a section",
        _ if weighed && is_keyword(name) => "before an efficiency it would be taken for a keyword",
        _ if name.len() > thermo::NAME => "a thermodynamic record has no room for more than 24 characters",
        _ => return,
    };
    found.push(
        Diagnostic::error(codes::UNWRITABLE_NAME, format!("the name `{name}` cannot stand in CHEMKIN text"))
            .at(at, why)
            .help("give the species another name before it is converted"),
    );
}

/// Numbers in the units of the file.
pub struct Numbers {
    defaults: Defaults,
}

impl Numbers {
    /// cm, mol, s, atm, and this unit of energy.
    fn new(energy: &str) -> Self {
        let mut defaults = Defaults::default();
        for (kind, unit) in
            [("length", "cm"), ("quantity", "mol"), ("time", "s"), ("pressure", "atm"), ("activation-energy", energy)]
        {
            // A test ensures that all of them are known.
            let _ = defaults.set(kind, unit);
        }
        Self { defaults }
    }

    fn value(&self, value: f64, what: Measure) -> f64 {
        let factor = self.defaults.factor(what);
        number::decimal(value, value / factor, |x| x * factor).unwrap_or(value / factor)
    }

    /// A number as it is written in the file; the nearest possible one if none gives the same bits. None if it is too large or
    /// too small for the unit, where it would be infinite, zero or short of digits.
    pub fn measure(&self, value: f64, what: Measure) -> Option<String> {
        Some(self.value(value, what)).filter(|&x| x.is_normal() || x == value && x.is_finite()).map(number::plain)
    }

    /// The same of a pressure, which a larger unit makes smaller.
    pub fn pressure(&self, value: f64) -> String {
        number::plain(self.value(value, Measure::Pressure))
    }

    /// log10 of a number of these units.
    pub fn logarithm(&self, value: f64, what: Measure) -> String {
        let shift = self.defaults.factor(what).log10();
        number::plain(number::decimal(value, value - shift, |x| x + shift).unwrap_or(value - shift))
    }
}

/// The unit of energy in which the rates take the fewest digits.
fn choose(network: &Network) -> (&'static str, Numbers) {
    let step = network.reactions.len().div_ceil(SAMPLE).max(1);
    let digits = |unit: &str| -> usize {
        let numbers = Numbers::new(unit);
        let energies = network.reactions.iter().step_by(step).flat_map(|r| reaction::energies(&r.rate));
        energies.map(|e| number::digits(numbers.value(e, Measure::Activation))).sum()
    };
    let best = ENERGIES.into_iter().min_by_key(|(_, unit)| digits(unit));
    let (word, unit) = best.unwrap_or(("CAL/MOLE", "cal/mol"));
    (word, Numbers::new(unit))
}
