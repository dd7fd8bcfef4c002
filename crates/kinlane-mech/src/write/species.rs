//! Species entries: composition and thermodynamics.

use super::number::{Printer, count, plain};
use super::text;
use crate::network::{ATMOSPHERE, Range, Species, Thermo, ThermoForm};
use crate::units::Measure;
use crate::{Diagnostic, Network, codes};

/// One item of `species`.
pub fn entry(s: &Species, network: &Network, printer: &Printer, found: &mut Vec<Diagnostic>) -> String {
    let atoms: Vec<(String, String)> = s
        .composition
        .iter()
        .filter_map(|&(e, n)| Some((text::name(&network.elements.get(e)?.symbol), count(n))))
        .collect();
    let thermo = match thermo(&s.thermo, network, printer) {
        Ok(lines) => lines,
        Err(why) => {
            let message = format!("the thermodynamics of `{}` cannot be written in Cantera YAML", s.name);
            found.push(Diagnostic::error(codes::UNWRITABLE_THERMO, message).at(s.thermo.at, why));
            Vec::new()
        }
    };
    text::item(&[
        format!("name: {}", text::name(&s.name)),
        text::map("composition", &atoms),
        "thermo:".to_owned(),
        text::indent(&thermo.join("\n"), 2),
    ])
}

fn thermo(t: &Thermo, network: &Network, printer: &Printer) -> Result<Vec<String>, &'static str> {
    let mut lines = Vec::new();
    let model = |name: &str| format!("model: {name}");
    match &t.form {
        ThermoForm::Nasa7(ranges) => {
            lines.push(model("NASA7"));
            polynomials(ranges, 2, &mut lines)?;
        }
        ThermoForm::Nasa9(ranges) => {
            lines.push(model("NASA9"));
            polynomials(ranges, usize::MAX, &mut lines)?;
        }
        ThermoForm::Shomate(ranges) => {
            lines.push(model("Shomate"));
            polynomials(ranges, 2, &mut lines)?;
        }
        &ThermoForm::ConstantCp { t0, h0, s0, cp0, range: [low, high] } => {
            let entropy = |value| printer.shortest(value, Measure::MolarEntropy, &["J/mol/K", "cal/mol/K", "J/kmol/K"]);
            lines.push(model("constant-cp"));
            lines.push(format!("T0: {}", plain(t0)));
            lines.push(format!("h0: {}", printer.shortest(h0, Measure::MolarEnergy, &["J/mol", "cal/mol", "J/kmol"])));
            lines.push(format!("s0: {}", entropy(s0)));
            lines.push(format!("cp0: {}", entropy(cp0)));
            if low != 0.0 {
                lines.push(format!("T-min: {}", plain(low)));
            }
            if high != f64::INFINITY {
                lines.push(format!("T-max: {}", plain(high)));
            }
        }
    }
    if t.reference_pressure != ATMOSPHERE {
        let pressure = printer.shortest(t.reference_pressure, Measure::Pressure, &["Pa", "atm", "bar"]);
        lines.insert(1, format!("reference-pressure: {pressure}"));
    }
    if let Some(note) = note(t, network) {
        lines.push(format!("note: {}", text::value(&note)));
    }
    Ok(lines)
}

fn polynomials<const N: usize>(ranges: &[Range<N>], most: usize, lines: &mut Vec<String>) -> Result<(), &'static str> {
    if ranges.len() > most {
        return Err("more than two temperature ranges");
    }
    if ranges.windows(2).any(|w| matches!(w, [a, b] if a.high != b.low)) {
        return Err("a gap between temperature ranges");
    }
    let limits = ranges.iter().take(1).map(|r| r.low).chain(ranges.iter().map(|r| r.high)).map(plain);
    lines.push(text::list("temperature-ranges", &limits.collect::<Vec<_>>()));
    lines.push("data:".to_owned());
    lines.extend(ranges.iter().map(|r| text::row(&r.a.map(plain))));
    Ok(())
}

/// The source of the data, if the text from which they were read states it: columns 19 to 24 of a CHEMKIN
/// record, or a `note` of one line in YAML.
fn note(t: &Thermo, network: &Network) -> Option<String> {
    let source = network.sources.text(t.at);
    let first = source.lines().next()?;
    let note = if first.is_ascii() && first.get(79..80) == Some("1") {
        // A long name may extend into these columns.
        first.get(17..24).filter(|field| field.starts_with(' '))?.trim().to_owned()
    } else {
        let mut lines = source.lines().skip_while(|line| !line.trim_start().starts_with("note: "));
        let (line, next) = (lines.next()?, lines.next());
        let depth = |line: &str| line.len() - line.trim_start().len();
        next.is_none_or(|next| depth(next) <= depth(line)).then_some(())?;
        let note = line.trim_start().strip_prefix("note: ")?.trim();
        match note.strip_prefix('\'').and_then(|note| note.strip_suffix('\'')) {
            Some(inside) => inside.replace("''", "'"),
            None if note.starts_with(|c: char| c.is_ascii_alphanumeric()) && !note.contains(['#', '}']) => {
                note.to_owned()
            }
            None => return None,
        }
    };
    (!note.is_empty()).then_some(note)
}
