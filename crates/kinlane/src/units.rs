//! Units in which people write times and pressures.

use kinlane_mech::network::ATMOSPHERE;
pub use kinlane_solve::options::plain;

/// Units of a quantity, each with its value in SI.
pub type Units = [(&'static str, f64)];

/// A Julian year \[s\].
const YEAR: f64 = 31_557_600.0;
/// Units of time.
pub const TIMES: &Units = &[
    ("s", 1.0),
    ("ms", 1e-3),
    ("us", 1e-6),
    ("\u{b5}s", 1e-6),
    ("\u{3bc}s", 1e-6),
    ("ns", 1e-9),
    ("min", 60.0),
    ("h", 3600.0),
    ("d", 86_400.0),
    ("yr", YEAR),
    ("kyr", 1e3 * YEAR),
    ("Myr", 1e6 * YEAR),
    ("Gyr", 1e9 * YEAR),
];
/// Units of pressure.
pub const PRESSURES: &Units = &[
    ("atm", ATMOSPHERE),
    ("bar", 1e5),
    ("mbar", 1e2),
    ("kPa", 1e3),
    ("MPa", 1e6),
    ("Pa", 1.0),
    ("torr", ATMOSPHERE / 760.0),
    ("psi", 6_894.757_293_168_361),
];

/// Units that begin with a prefix, which would be another one in the other case: `Ms` is no `ms`, and `mPa` no `MPa`.
const PREFIXED: [&str; 4] = ["ms", "mbar", "MPa", "Myr"];

/// The text before a unit, and the value of the unit in SI. Case does not matter but for the prefixes milli and mega.
pub fn before_unit<'t>(text: &'t str, units: &Units) -> Option<(&'t str, f64)> {
    let fits = |(name, size): &(&str, f64)| {
        let (before, end) = text.split_at_checked(text.len().checked_sub(name.len())?)?;
        let same = end.eq_ignore_ascii_case(name) && !(PREFIXED.contains(name) && end[..1] != name[..1]);
        same.then_some((before, *size))
    };
    // The longest unit that matches: `ms` ends with `s`.
    units.iter().filter_map(fits).min_by_key(|found| found.0.len())
}

/// A value in SI, exactly as if it were written with the power of ten.
pub fn in_si(value: f64, unit: f64) -> f64 {
    if unit < 1.0 { value / (1.0 / unit).round() } else { value * unit }
}

/// As [`plain`], but without the digits that rounding alone has made: `2e-5` for 0.000019999999999999998.
pub fn rounded(x: f64) -> String {
    plain(format!("{x:.13e}").parse().unwrap_or(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milli_is_not_mega() {
        for (text, units, want) in [
            ("2ms", TIMES, Some(("2", 1e-3))),
            ("2MIN", TIMES, Some(("2", 60.0))),
            ("2 MPA", PRESSURES, Some(("2 ", 1e6))),
            ("2 Bar", PRESSURES, Some(("2 ", 1e5))),
            // What is left is no number.
            ("2Ms", TIMES, Some(("2M", 1.0))),
            ("2myr", TIMES, Some(("2m", YEAR))),
            ("2Mbar", PRESSURES, Some(("2M", 1e5))),
            ("2mPa", PRESSURES, Some(("2m", 1.0))),
        ] {
            assert_eq!(before_unit(text, units), want, "{text}");
        }
    }

    /// A Julian year; a millimetre of mercury, and a pound on a square inch, as ISO 80000-4 has it.
    #[test]
    fn sizes_are_those_in_si() {
        let of = |text: &str, units| before_unit(text, units).map_or(f64::NAN, |found| found.1);
        for (text, seconds) in [
            ("1s", 1.0),
            ("1us", 1e-6),
            ("1ns", 1e-9),
            ("1h", 3600.0),
            ("1d", 86_400.0),
            ("1yr", 31_557_600.0),
            ("1kyr", 31_557_600e3),
            ("1Myr", 31_557_600e6),
            ("1Gyr", 31_557_600e9),
        ] {
            assert!((of(text, TIMES) / seconds - 1.0).abs() < 1e-15, "{text}");
        }
        for (text, pascal) in [
            ("1atm", 101_325.0),
            ("1mbar", 100.0),
            ("1kPa", 1e3),
            ("1Pa", 1.0),
            ("1torr", 133.322_368_421),
            ("1psi", 0.453_592_37 * 9.806_65 / 0.0254 / 0.0254),
        ] {
            assert!((of(text, PRESSURES) / pascal - 1.0).abs() < 1e-11, "{text}");
        }
    }

    #[test]
    fn numbers_have_no_more_zeros_than_digits() {
        for (x, text) in [
            (0.1 + 0.2, "0.30000000000000004"),
            (101_325.0, "101325"),
            (1e-310, "1e-310"),
            (-1e-5, "-1e-5"),
            (1.5e15, "1500000000000000"),
            (1e16, "1e16"),
            (0.0, "0"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(plain(x), text);
        }
    }

    #[test]
    fn numbers_are_said_as_they_were_meant() {
        for (x, text) in [
            (101_324.999_999_999_99, "101325"),
            (0.000_019_999_999_999_999_998, "2e-5"),
            (1e-11, "1e-11"),
            (0.0001, "0.0001"),
            (-0.5, "-0.5"),
            (1.0 / 3.0, "0.33333333333333"),
            (0.0, "0"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(rounded(x), text);
        }
    }
}
