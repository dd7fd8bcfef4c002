//! Numbers as text that reads back as exactly the same number, in the units of a file.

use std::cell::Cell;

use crate::units::{Defaults, Measure};

/// Digits of the longest decimal number that counts as published; longer ones are results of arithmetic.
const PUBLISHED: usize = 12;
/// Relative difference that two ways of converting to the same unit may leave: four units in the last place.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Digits that a number counts as which is too large for its unit: more than others together.
const NO_FORM: u64 = 1 << 32;

/// Writes the numbers of one file and counts their digits, by which its units are chosen.
pub struct Printer {
    defaults: Defaults,
    digits: Cell<u64>,
    finite: Cell<bool>,
}

impl Printer {
    /// A printer for files in which numbers without a unit are in these units.
    pub fn new(defaults: Defaults) -> Self {
        Self { defaults, digits: Cell::new(0), finite: Cell::new(true) }
    }

    /// Significant digits written so far.
    pub fn digits(&self) -> u64 {
        self.digits.get()
    }

    /// Whether all numbers since this was asked last were finite in their units.
    pub fn finite(&self) -> bool {
        self.finite.replace(true)
    }

    /// A number in the units of the file; with an explicit SI unit if only that preserves every digit, and its exponents have no
    /// rounding errors, which Cantera does not accept.
    pub fn measure(&self, value: f64, what: Measure) -> String {
        let factor = self.defaults.factor(what);
        match decimal(value, value / factor, |x| x * factor) {
            Some(x) => self.number(x),
            None if matches!(what, Measure::Rate(order) if (2.0 * order).fract() != 0.0) => self.unitless(value, what),
            None => format!("{} {}", self.number(value), si(what)),
        }
    }

    /// A number in the units of the file, where the format allows no other unit: the nearest possible one.
    pub fn unitless(&self, value: f64, what: Measure) -> String {
        let factor = self.defaults.factor(what);
        let guess = value / factor;
        let miss = |x: f64| (x * factor - value).abs();
        let nearest = || {
            if guess.is_infinite() {
                return guess;
            }
            [guess.next_up(), guess.next_down()].into_iter().fold(guess, |a, b| if miss(b) < miss(a) { b } else { a })
        };
        self.number(decimal(value, guess, |x| x * factor).unwrap_or_else(nearest))
    }

    /// log10 of a number in the units of the file; `None` if only SI preserves every digit.
    pub fn logarithm(&self, value: f64, what: Measure) -> Option<String> {
        let shift = self.defaults.factor(what).log10();
        decimal(value, value - shift, |x| x + shift).map(|x| self.number(x))
    }

    /// A number in the unit among these in which it is shortest.
    pub fn shortest(&self, value: f64, what: Measure, units: &[&str]) -> String {
        units
            .iter()
            .filter_map(|unit| {
                let factor = Defaults::factor_of(unit, what).ok()?;
                Some((decimal(value, value / factor, |x| x * factor)?, unit))
            })
            .min_by_key(|(x, _)| digits(*x))
            .map_or_else(|| format!("{} {}", plain(value), si(what)), |(x, unit)| format!("{} {unit}", self.number(x)))
    }

    /// A pure number.
    pub fn number(&self, value: f64) -> String {
        // What has no form counts most, so that units are chosen in which it has one.
        let digits = if value.is_finite() { digits(value) as u64 } else { NO_FORM };
        self.digits.set(self.digits.get() + digits);
        self.finite.set(self.finite.get() && value.is_finite());
        plain(value)
    }
}

/// The shortest decimal number that `read` turns into `value`, near `guess`.
///
/// If a short decimal misses only by rounding of the unit's factor, it is taken: it is what was published.
pub fn decimal(value: f64, guess: f64, read: impl Fn(f64) -> f64) -> Option<f64> {
    let short = |digits: usize| format!("{guess:.*e}", digits - 1).parse::<f64>().ok();
    let exact = |&x: &f64| read(x) == value;
    let close = |&x: &f64| (read(x) - value).abs() <= ROUNDING * value.abs();
    let neighbours = || [guess, guess.next_up(), guess.next_down()].into_iter();
    (1..=15)
        .filter_map(short)
        .find(exact)
        .or_else(|| (1..=PUBLISHED).filter_map(short).find(close))
        .or_else(|| neighbours().find(exact))
}

/// Significant digits of the shortest decimal.
pub fn digits(value: f64) -> usize {
    let text = format!("{value:e}");
    text.split('e').next().unwrap_or("").bytes().filter(u8::is_ascii_digit).count()
}

/// A number in a form that every YAML reader accepts: with a point, and a sign in the exponent.
pub fn plain(value: f64) -> String {
    let size = value.abs();
    if value.is_nan() {
        return ".nan".into();
    }
    if size == f64::INFINITY {
        return if value > 0.0 { ".inf".into() } else { "-.inf".into() };
    }
    if size == 0.0 || (1e-3..1e6).contains(&size) {
        return format!("{value:?}");
    }
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |e| ('-', e));
    format!("{mantissa}{point}e{sign}{exponent:0>2}")
}

/// A coefficient or a number of atoms: `2`, `0.5`.
pub fn count(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e6 { format!("{value}") } else { plain(value) }
}

/// The SI unit, whose factor is exactly 1.
fn si(what: Measure) -> String {
    match what {
        Measure::Temperature | Measure::Activation => "K".into(),
        Measure::Pressure => "Pa".into(),
        Measure::MolarEnergy => "J/mol".into(),
        Measure::MolarEntropy => "J/mol/K".into(),
        Measure::Rate(order) => {
            // Sums of orders have rounding errors, which readers of units may not accept.
            let short = |x: f64| (x * 1e12).round() / 1e12;
            let n = short(order - 1.0);
            match n {
                0.0 => "1/s".into(),
                1.0 => "m^3/mol/s".into(),
                n if n > 0.0 => format!("m^{}/mol^{n}/s", short(3.0 * n)),
                n => format!("mol^{}/m^{}/s", -n, short(-3.0 * n)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_point_and_a_signed_exponent() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.86, "-0.86"),
            (2385.0, "2385.0"),
            (1.2e17, "1.2e+17"),
            (1e17, "1.0e+17"),
            (-9.22782332e-22, "-9.22782332e-22"),
            (1e-100, "1.0e-100"),
            (f64::INFINITY, ".inf"),
        ] {
            assert_eq!(plain(value), text);
            assert!(value.is_infinite() || text.parse() == Ok(value));
        }
        assert_eq!([count(2.0), count(0.5), count(-1.0)], ["2", "0.5", "-1"]);
    }

    #[test]
    fn published_digits_come_back() {
        let factor = 4.184 / crate::network::GAS_CONSTANT;
        assert_eq!(decimal(11982.0 * factor, 11982.0, |x| x * factor), Some(11982.0));
        // One or two units in the last place off, as after another way of converting.
        let off = (1.2e17 * 1e-6_f64).next_up();
        assert_eq!(decimal(off, off / 1e-6, |x| x * 1e-6), Some(1.2e17));
    }

    #[test]
    fn numbers_without_a_decimal_in_the_unit_get_one_of_their_own() {
        let mut defaults = Defaults::default();
        assert!(["length", "quantity"].into_iter().zip(["cm", "molec"]).all(|(k, u)| defaults.set(k, u).is_ok()));
        let printer = Printer::new(defaults);
        let mut x: f64 = 0.123_456_789_012_345_68;
        for _ in 0..1000 {
            x = x.next_up() * 1.000_1;
            let text = printer.measure(x, Measure::Rate(2.5));
            let back = match text.split_once(' ') {
                Some((number, "m^4.5/mol^1.5/s")) => number.parse(),
                Some(_) => panic!("{text}"),
                None => text.parse().map(|y: f64| y * printer.defaults.factor(Measure::Rate(2.5))),
            };
            assert_eq!(back, Ok(x), "{text}");
            // Without an explicit unit, at most half a unit in the last place of either number is lost.
            let nearest = printer
                .unitless(x, Measure::Rate(2.5))
                .parse()
                .map(|y: f64| y * printer.defaults.factor(Measure::Rate(2.5)));
            assert!(nearest.is_ok_and(|y| (y - x).abs() <= f64::EPSILON * x), "{x}");
        }
    }
}
