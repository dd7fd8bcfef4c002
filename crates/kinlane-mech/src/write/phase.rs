//! The file as a whole: header, units, elements, phase, and the sections in their order.

use std::path::Path;

use super::number::{Printer, plain};
use super::reaction::{self, halves};
use super::{Header, marked_again, number, species, text};
use crate::network::Reaction;
use crate::units::Defaults;
use crate::{Diagnostic, Network, Span, elements};

/// Number of reactions that are examined to choose the units.
const SAMPLE: usize = 200;

/// Writes everything; what cannot be written is added to `found`.
pub fn file(network: &Network, header: &Header, found: &mut Vec<Diagnostic>) -> String {
    let reactions = network.reactions.iter().flat_map(halves).map(reaction::expressed).collect();
    let network = &marked_again(network, reactions);
    let reactions = &network.reactions;
    let units = Units::choose(network, reactions);
    let printer = units.printer();
    let mut parts = vec![head(network, header), units.line()];
    parts.extend(own_elements(network));
    parts.push(phase(network, header));
    let list = |items: Vec<String>| if items.is_empty() { " []".to_owned() } else { format!("\n{}", items.join("\n")) };
    let all = network.species.iter().map(|s| species::entry(s, network, &printer, found)).collect();
    parts.push(format!("species:{}", list(all)));
    if !reactions.is_empty() {
        let all = reactions.iter().map(|r| reaction::entry(r, network, &printer, found)).collect();
        parts.push(format!("reactions:{}", list(all)));
    }
    parts.join("\n\n") + "\n"
}

fn head(network: &Network, header: &Header) -> String {
    let mut lines = Vec::new();
    if !header.description.trim().is_empty() {
        lines.push(text::block("description", &header.description) + "\n");
    }
    lines.push("generator: kinlane".to_owned());
    let inputs: Vec<String> = inputs(network).map(|name| text::name(&name)).collect();
    if !inputs.is_empty() {
        lines.push(text::list("input-files", &inputs));
    }
    if let Some(date) = &header.date {
        lines.push(format!("date: {}", text::value(date)));
    }
    lines.join("\n")
}

/// The names of the files that were read, without their folders, which only concern one machine.
pub fn inputs(network: &Network) -> impl Iterator<Item = String> {
    (1..).map_while(|file| network.sources.get(Span { file, start: 0, end: 0 })).map(|source| {
        let name = Path::new(&source.name).file_name();
        name.map_or_else(|| source.name.clone(), |name| name.to_string_lossy().into_owned())
    })
}

/// Elements with masses other than those of their symbols.
fn own_elements(network: &Network) -> Option<String> {
    let own: Vec<String> = network
        .elements
        .iter()
        .filter(|e| elements::find(&e.symbol) != Some((e.symbol.as_str(), e.molar_mass)))
        .map(|e| {
            let grams = number::decimal(e.molar_mass, e.molar_mass * 1000.0, |x| x / 1000.0);
            let grams = plain(grams.unwrap_or(e.molar_mass * 1000.0));
            text::item(&[format!("symbol: {}", text::name(&e.symbol)), format!("atomic-weight: {grams}")])
        })
        .collect();
    (!own.is_empty()).then(|| format!("elements:\n{}", own.join("\n")))
}

fn phase(network: &Network, header: &Header) -> String {
    let name = header.phase.as_deref().unwrap_or(&network.name);
    let symbols: Vec<String> = network.elements.iter().map(|e| text::name(&e.symbol)).collect();
    let species: Vec<String> = network.species.iter().map(|s| text::name(&s.name)).collect();
    let mut lines = vec![
        format!("name: {}", text::name(if name.is_empty() { "gas" } else { name })),
        "thermo: ideal-gas".to_owned(),
        text::list("elements", &symbols),
        text::list("species", &species),
    ];
    if !network.reactions.is_empty() {
        lines.push("kinetics: gas".to_owned());
    }
    lines.push("state: {T: 300.0, P: 1 atm}".to_owned());
    format!("phases:\n{}", text::item(&lines))
}

/// The units of a file, as its `units` entry names them.
struct Units {
    names: Vec<(&'static str, &'static str)>,
    defaults: Defaults,
}

impl Units {
    fn new(quantity: &'static str, activation: &'static str, pressure: &'static str) -> Self {
        let names = vec![
            ("length", "cm"),
            ("time", "s"),
            ("quantity", quantity),
            ("activation-energy", activation),
            ("pressure", pressure),
        ];
        let mut defaults = Defaults::default();
        // Unknown units would be missing in both; a test ensures that all of them are known.
        let names = names.into_iter().filter(|(kind, unit)| defaults.set(kind, unit).is_ok()).collect();
        Self { names, defaults }
    }

    /// The units in which the rates take the fewest digits: those in which they were published.
    fn choose(network: &Network, reactions: &[Reaction]) -> Self {
        let step = reactions.len().div_ceil(SAMPLE).max(1);
        let digits = |units: &Units| {
            let printer = units.printer();
            for r in reactions.iter().step_by(step) {
                reaction::entry(r, network, &printer, &mut Vec::new());
            }
            printer.digits()
        };
        // Powers of ten take no digits, so kcal, kJ, m and kmol need not be tried.
        let [mut quantity, mut activation, mut pressure] = ["mol", "cal/mol", "atm"];
        let best = |candidates: &[&'static str], units: &dyn Fn(&'static str) -> Units| {
            candidates.iter().copied().min_by_key(|unit| digits(&units(unit)))
        };
        quantity = best(&["mol", "molec"], &|unit| Self::new(unit, activation, pressure)).unwrap_or(quantity);
        activation =
            best(&["cal/mol", "J/mol", "K", "eV"], &|unit| Self::new(quantity, unit, pressure)).unwrap_or(activation);
        pressure = best(&["atm", "bar"], &|unit| Self::new(quantity, activation, unit)).unwrap_or(pressure);
        let mut units = Self::new(quantity, activation, pressure);
        // Without pressures, a unit of pressure would only puzzle a reader.
        units.names.retain(|(kind, _)| *kind != "pressure" || reactions.iter().any(reaction::has_pressures));
        units
    }

    fn printer(&self) -> Printer {
        Printer::new(self.defaults.clone())
    }

    fn line(&self) -> String {
        let names: Vec<_> = self.names.iter().map(|&(kind, unit)| (kind.to_owned(), unit.to_owned())).collect();
        text::map("units", &names)
    }
}
