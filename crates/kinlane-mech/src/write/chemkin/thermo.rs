//! Thermodynamic records of seven or nine coefficients, in their fixed columns.

use crate::network::{ATMOSPHERE, GAS_CONSTANT, Range, Species, ThermoForm};
use crate::words::quoted;
use crate::write::number::plain;
use crate::{Diagnostic, Network, codes};

/// Columns for a name.
pub const NAME: usize = 24;
/// Columns for one of seven coefficients, and the number of digits that always fit: as in CHEMKIN's own
/// programs.
const SEVEN: [usize; 2] = [15, 8];
/// The same for one of nine coefficients: as published by NASA.
const NINE: [usize; 2] = [16, 9];

/// Written in place of unlimited temperatures \[K\]: outside of these, readers hold cp constant, which it is.
const EVERYWHERE: [f64; 2] = [200.0, 6000.0];

/// A species with coefficients of more digits than a field holds, and the largest relative difference.
pub type Rounded<'a> = (&'a Species, f64);

/// The four lines of a species (more, if it has many elements).
pub fn record<'a>(
    s: &'a Species,
    network: &Network,
    rounded: &mut Vec<Rounded<'a>>,
    found: &mut Vec<Diagnostic>,
) -> String {
    match lines(s, network) {
        Ok((text, off)) => {
            if off > 0.0 {
                rounded.push((s, off));
            }
            text
        }
        Err(why) => {
            found.push(
                Diagnostic::error(
                    codes::UNWRITABLE_THERMO,
                    format!("the thermodynamics of `{}` cannot be written in CHEMKIN text", s.name),
                )
                .at(s.thermo.at, why)
                .help("what can be written are constant heat capacities and polynomials at 1 atm: of seven coefficients in one or two ranges, of nine in up to twenty that touch; numbers of atoms are whole"),
            );
            String::new()
        }
    }
}

/// A single warning for all species whose digits did not fit.
pub fn tell_rounded(rounded: &[Rounded<'_>], found: &mut Vec<Diagnostic>) {
    let Some((first, _)) = rounded.first() else { return };
    let worst = rounded.iter().fold(0.0, |m: f64, r| m.max(r.1));
    let names = quoted(rounded.iter().map(|(s, _)| &s.name));
    found.push(
        Diagnostic::warning(
            codes::ROUNDED,
            format!("polynomial coefficients of {names} lose digits, {worst:.0e} relative at most"),
        )
        .at(first.thermo.at, format!("a CHEMKIN field has {} columns, {} of nine coefficients", SEVEN[0], NINE[0])),
    );
}

fn lines(s: &Species, network: &Network) -> Result<(String, f64), &'static str> {
    if s.composition.iter().any(|(_, n)| n.fract() != 0.0) {
        return Err("a number of atoms that is not whole");
    }
    if s.thermo.reference_pressure != ATMOSPHERE {
        return Err("a standard pressure other than 1 atm");
    }
    match &s.thermo.form {
        ThermoForm::Nasa7(ranges) => seven(s, ranges, network),
        ThermoForm::Nasa9(ranges) => nine(s, ranges, network),
        // cp/R = a1, h/(R T) = a1 + a6/T, s/R = a1 ln T + a7
        &ThermoForm::ConstantCp { t0, h0, s0, cp0, range: [low, high] } => {
            let [h, s0, cp] = [h0, s0, cp0].map(|x| x / GAS_CONSTANT);
            let a = [cp, 0.0, 0.0, 0.0, 0.0, cp.mul_add(-t0, h), cp.mul_add(-t0.ln(), s0)];
            let [low, high] = match (low > 0.0, high.is_finite()) {
                (true, true) => [low, high],
                (true, false) => [low, EVERYWHERE[1].max(2.0 * low)],
                (false, true) => [EVERYWHERE[0].min(0.5 * high), high],
                (false, false) => EVERYWHERE,
            };
            seven(s, &[Range { low, high, a }], network)
        }
        ThermoForm::Shomate(_) => Err("Shomate's equation"),
    }
}

/// A temperature in so many columns, starting with a blank if it can.
fn temperature(t: f64, width: usize) -> Result<String, &'static str> {
    let text = if t.is_finite() { [3, 2, 1, 0].map(|d| format!("{t:.d$}")) } else { Default::default() };
    let mut exact = text.into_iter().filter(|text| text.len() <= width && text.parse() == Ok(t)).peekable();
    let full = exact.peek().cloned();
    exact
        .find(|text| text.len() < width)
        .or(full)
        .map(|text| format!("{text:>width$}"))
        .ok_or("a temperature that does not fit its columns")
}

fn atoms<'n>(s: &Species, network: &'n Network) -> Vec<(&'n str, f64)> {
    s.composition.iter().filter_map(|&(e, n)| Some((network.elements.get(e)?.symbol.as_str(), n))).collect()
}

/// The lines for nine coefficients: number of ranges and elements, then three lines per range.
fn nine(s: &Species, ranges: &[Range<9>], network: &Network) -> Result<(String, f64), &'static str> {
    if !(1..=20).contains(&ranges.len()) || ranges.windows(2).any(|w| w[0].high != w[1].low) {
        return Err("a gap between temperature ranges, or more than twenty");
    }
    let atoms = atoms(s, network);
    let count =
        |n: f64| [format!("{n:.2}"), plain(n)].into_iter().find(|text| text.len() <= 6 && text.parse() == Ok(n));
    let elements: Option<String> =
        atoms.iter().map(|(e, n)| (e.len() <= 2).then_some(format!("{e:<2}{:>6}", count(*n)?))).collect();
    let elements = elements.filter(|_| atoms.len() <= 5).ok_or("elements that do not fit their columns")?;
    let mass = s.molar_mass * 1000.0;
    let mut text = format!("{}\n{:>2}{:8}{elements:<40} 0{mass:>13.5}\n", s.name, ranges.len(), "");
    let mut off = 0.0f64;
    for range in ranges {
        let limits = [temperature(range.low, 10)?, temperature(range.high, 10)?].concat();
        // After the temperatures, the exponents of the seven terms of cp, which are always the same.
        text.push_str(&format!(" {limits} 7 -2.0 -1.0  0.0  1.0  2.0  3.0  4.0  0.0\n"));
        let a = range.a.map(|a| coefficient(a, NINE, &mut off));
        let [a1, a2, a3, a4, a5, a6, a7, a8, a9] = &a;
        text.push_str(&format!("{a1}{a2}{a3}{a4}{a5}\n{a6}{a7}{:16}{a8}{a9}\n", ""));
    }
    Ok((text, off))
}

/// The four lines for seven coefficients.
fn seven(s: &Species, ranges: &[Range<7>], network: &Network) -> Result<(String, f64), &'static str> {
    let (low, high): (&Range<7>, &Range<7>) = match ranges {
        [one] => (one, one),
        [low, high] if low.high == high.low => (low, high),
        [_, _] => return Err("a gap between temperature ranges"),
        _ => return Err("more than two temperature ranges"),
    };
    // A single range is written as two with the same polynomial.
    let middle = if low.a != high.a { low.high } else { (low.low + (high.high.min(6000.0) - low.low) / 2.0).round() };
    let atoms = atoms(s, network);
    // A digit in the columns of a symbol would be read as one of a number that is too long for its own.
    let short = |e: &str| e.len() <= 2 && e.bytes().all(|b| b.is_ascii_alphabetic());
    let fits =
        atoms.len() <= 4 && atoms.iter().all(|(e, n)| short(e) && n.fract() == 0.0 && (-99.0..1000.0).contains(n));
    let near: String = if fits { atoms.iter().map(|(e, n)| format!("{e:<2}{n:>3}")).collect() } else { String::new() };
    let mut text = format!(
        "{:<24}{near:<20}G{}{}{}",
        s.name,
        temperature(low.low, 10)?,
        temperature(high.high, 10)?,
        temperature(middle, 8)?
    );
    text = format!("{text:<79}1");
    if !fits {
        // In free form, announced by `&`.
        let list: Vec<String> = atoms.iter().map(|(e, n)| format!("{e} {n}")).collect();
        text.push_str(&format!("&\n{}", list.join(" ")));
    }
    text.push('\n');
    let mut off = 0.0f64;
    let values: Vec<String> = high.a.iter().chain(&low.a).map(|&a| coefficient(a, SEVEN, &mut off)).collect();
    for (row, number) in values.chunks(5).zip(2..) {
        text.push_str(&format!("{:<79}{number}\n", row.concat()));
    }
    Ok((text, off))
}

/// A coefficient in its field, with all its digits if they fit; zeros in the exponent may be omitted for
/// that.
fn coefficient(value: f64, [field, digits]: [usize; 2], off: &mut f64) -> String {
    let usual = exponent(&format!("{value:.digits$E}"), true);
    if usual.parse() == Ok(value) && usual.len() <= field {
        return format!("{usual:>field$}");
    }
    let short = |text: String| (text.len() <= field).then_some(text);
    let exact = [exponent(&format!("{value:E}"), false), plain(value)].into_iter().find_map(short);
    if let Some(text) = exact {
        return format!("{text:>field$}");
    }
    let cut = (1..16).rev().find_map(|digits| short(exponent(&format!("{value:.digits$E}"), false))).unwrap_or(usual);
    let back: f64 = cut.parse().unwrap_or(value);
    *off = off.max(((back - value) / value).abs());
    format!("{cut:>field$}")
}

/// The exponent with a sign and, if `padded`, two digits, as Fortran writes it.
fn exponent(text: &str, padded: bool) -> String {
    let (mantissa, exponent) = text.split_once('E').unwrap_or((text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    match (padded, sign) {
        (true, _) => format!("{mantissa}E{sign}{digits:0>2}"),
        (false, '-') => format!("{mantissa}E-{digits}"),
        (false, _) => format!("{mantissa}E{digits}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_fill_their_field_and_keep_their_digits() {
        let mut off = 0.0;
        assert_eq!(coefficient(2.50000001, SEVEN, &mut off), " 2.50000001E+00");
        assert_eq!(coefficient(-9.22782332e-22, SEVEN, &mut off), "-9.22782332E-22");
        assert_eq!(coefficient(0.0, SEVEN, &mut off), " 0.00000000E+00");
        assert_eq!(coefficient(-1.234567891e-5, SEVEN, &mut off), "-1.234567891E-5");
        assert_eq!(coefficient(-30293.72671234, SEVEN, &mut off), "-30293.72671234");
        assert_eq!(off, 0.0);
        let text = coefficient(-1.234567890123456e-15, SEVEN, &mut off);
        assert!(text.len() == SEVEN[0] && off > 0.0 && off < 1e-8, "{text}");
    }
}
