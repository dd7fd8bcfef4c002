//! Numbers on the command line: with units, in lists and ranges; and pressures in readable units.

use crate::words::short;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use kinlane::mech::network::ATMOSPHERE;
use kinlane::units::{PRESSURES, TIMES, Units, before_unit, in_si};
use std::fmt;
use std::num::ParseFloatError;
use std::str::FromStr;

/// One value, a list of values, or a range of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep(pub Vec<f64>);

/// Largest number of values of one sweep.
const MOST: f64 = 1e6;
/// \[s\]
const CENTURY: f64 = 3.2e9;

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::with_units(text, &[])?.not_below_zero()
    }
}

/// Pressures [Pa].
#[derive(Debug, Clone)]
pub struct Pressures {
    /// All of them.
    pub all: Vec<f64>,
    /// Whether they were given without a unit.
    pub bare: bool,
}

impl FromStr for Pressures {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Sweep(all) = Sweep::with_units(text, PRESSURES)?.above_zero()?;
        Ok(Self { all, bare: before_unit(text.trim(), PRESSURES).is_none() })
    }
}

/// One of a few words, each of which names one thing.
pub fn word<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let words = PossibleValuesParser::new(all.iter().map(|&thing| name(thing)));
    words.try_map(move |word| all.iter().copied().find(|&thing| name(thing) == word).ok_or("no such word"))
}

/// Whether a number is above zero, and finite.
pub fn is_positive(x: f64) -> bool {
    x.is_finite() && x > 0.0
}

/// A positive number of the command line.
pub fn positive(text: &str) -> Result<f64, String> {
    above_zero(text.parse(), "not a number; write it as 1e-6 or 0.000001")
}

/// A part of the command line, above zero and up to one.
pub fn share(text: &str) -> Result<f64, String> {
    positive(text).and_then(|x| if x <= 1.0 { Ok(x) } else { Err("it is a part, and must not be above 1".into()) })
}

/// A positive time of the command line [s].
pub fn time(text: &str) -> Result<f64, String> {
    let (value, unit) = before_unit(text.trim(), TIMES).unwrap_or((text, 1.0));
    let wrong = "not a time; write it in seconds as 1e-6, or with its unit as 1us, 0.5ms, 20ns, 2h, 3d or 1e9yr";
    above_zero(value.trim().parse().map(|x: f64| in_si(x, unit)), wrong)
}

/// A time of day of the command line [s], which may be midnight.
pub fn time_of_day(text: &str) -> Result<f64, String> {
    let (value, _) = before_unit(text.trim(), TIMES).unwrap_or((text, 1.0));
    match value.trim().parse() == Ok(0.0) {
        true => Ok(0.0),
        false => time(text).and_then(|t| match t <= CENTURY {
            true => Ok(t),
            false => Err("a time of day counts from midnight of the first day; more than a century is none".into()),
        }),
    }
}

/// A number that must be positive; `wrong` says what is no number.
fn above_zero(number: Result<f64, ParseFloatError>, wrong: &str) -> Result<f64, String> {
    match number {
        Ok(x) if is_positive(x) => Ok(x),
        Ok(_) => Err("it must be a positive finite number".into()),
        Err(_) => Err(wrong.into()),
    }
}

impl Sweep {
    /// Temperatures [K].
    pub fn temperatures(text: &str) -> Result<Self, String> {
        // `inf` has no unit.
        let is_bare = text.rsplit([',', ':']).next().is_some_and(|last| last.trim().parse::<f64>().is_ok());
        let found = before_unit(text.trim(), &[("C", 1.0), ("F", 2.0)]).filter(|_| !is_bare);
        if let Some((given, unit)) = found {
            let number = given.trim().trim_end_matches('\u{b0}').trim();
            let (name, kelvin): (_, fn(f64) -> f64) =
                if unit == 1.0 { ("C", |t| t + 273.15) } else { ("F", |t| (t + 459.67) / 1.8) };
            return Err(match number.parse::<f64>() {
                Ok(t) => format!("temperatures are in K: {number} {name} is {} K", short(kelvin(t))),
                Err(_) => format!("temperatures are in K, not in {name}"),
            });
        }
        // `1000:1400:50K` is probably meant as steps of 50 K.
        if let (true, Some((range, _))) = (text.contains(':'), before_unit(text.trim(), &[("K", 1.0)])) {
            return Err(format!("the third number of a range is how many values there are: {range}, without K"));
        }
        Self::with_units(text, &[("K", 1.0)])?.above_zero()
    }

    /// Values above zero.
    pub fn positive(text: &str) -> Result<Self, String> {
        Self::with_units(text, &[])?.above_zero()
    }

    /// Times [s].
    pub fn times(text: &str) -> Result<Self, String> {
        Self::with_units(text, TIMES)?.above_zero()
    }

    fn above_zero(self) -> Result<Self, String> {
        match self.0.iter().find(|x| !is_positive(**x)) {
            Some(bad) => Err(format!("{bad:?} is not a positive number")),
            None => Ok(self),
        }
    }

    fn not_below_zero(self) -> Result<Self, String> {
        match self.0.iter().find(|x| !(x.is_finite() && **x >= 0.0)) {
            Some(bad) => Err(format!("{bad:?} is not zero or a positive number")),
            None => Ok(self),
        }
    }

    /// Reads values that may end with one of these units.
    fn with_units(text: &str, units: &Units) -> Result<Self, String> {
        let (text, unit) = before_unit(text.trim(), units).unwrap_or((text, 1.0));
        let values = match text.split(':').collect::<Vec<_>>()[..] {
            [from, to, count] => {
                let (count, log) = match count.trim().strip_suffix("log") {
                    Some(count) => (count, true),
                    None => (count, false),
                };
                let (from, to, count) = (number(from, units)?, number(to, units)?, number(count, &[])?);
                if !(count.fract() == 0.0 && (2.0..=MOST).contains(&count)) {
                    return Err(format!("a range is FROM:TO:COUNT with 2 to {MOST} values, as 0.5:2:31"));
                }
                if log && (from.is_nan() || from <= 0.0 || to <= 0.0) {
                    return Err("a logarithmic range is between two positive numbers".into());
                }
                let last = count - 1.0;
                let at = |i: f64| match i {
                    _ if i == last => to,
                    _ if log => from * (to / from).powf(i / last),
                    _ => from + (to - from) * (i / last),
                };
                (0..count as usize).map(|i| at(i as f64)).collect()
            }
            [from, to] => return Err(format!("how many values: {}:{}:10, say", from.trim(), to.trim())),
            [list] => list.split(',').map(|value| number(value, units)).collect::<Result<Vec<_>, _>>()?,
            _ => return Err("write a value, a list as 1,2,4, or a range as 0.5:2:31".into()),
        };
        Ok(Self(values.iter().map(|v| in_si(*v, unit)).collect()))
    }
}

/// One value; `units` are those that are only allowed after the last value.
pub fn number(text: &str, units: &Units) -> Result<f64, String> {
    let text = text.trim();
    let fault = |_| match before_unit(text, units) {
        _ if text.is_empty() => {
            "a value is missing; write a list as 1,2,4, with a unit right behind the last value".to_owned()
        }
        Some((before, _)) => {
            let unit = text.get(before.len()..).unwrap_or_default();
            format!("`{text}` is not a number; a unit stands once, at the end, as 1,40{unit}")
        }
        None if units.is_empty() => format!("`{text}` is not a number"),
        None => {
            let names: Vec<&str> = units.iter().map(|unit| unit.0).filter(|name| name.is_ascii()).collect();
            let names = names.join(", ");
            format!("`{text}` is not a number with a unit that is known: {names}; a list is 1,2,4 and a range 1:4:7")
        }
    };
    text.parse().map_err(fault)
}

/// A pressure in a readable unit: Pa below 1 kPa; else bar, or atm if it is a round number of these.
pub struct Pressure(pub f64);

impl fmt::Display for Pressure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let atm = self.0 / ATMOSPHERE;
        let round = |x: f64| (x * 100.0 - (x * 100.0).round()).abs() < 1e-9;
        match self.0 {
            _ if round(atm) && atm >= 0.01 => write!(f, "{} atm", (atm * 100.0).round() / 100.0),
            p if p >= 1000.0 => write!(f, "{} bar", short(p / 1e5)),
            p => write!(f, "{} Pa", short(p)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_values_lists_and_ranges() {
        let values = |text: &str| text.parse::<Sweep>().map(|s| s.0);
        let pressures = |text: &str| text.parse::<Pressures>().map(|p| p.all);
        assert_eq!(values("1"), Ok(vec![1.0]));
        assert_eq!(values("0.5, 1,2"), Ok(vec![0.5, 1.0, 2.0]));
        assert_eq!(values("0.5:2:4"), Ok(vec![0.5, 1.0, 1.5, 2.0]));
        assert_eq!(values("1:100:3log"), Ok(vec![1.0, 10.0, 100.0]));
        assert_eq!(pressures("2,4bar"), Ok(vec![2e5, 4e5]));
        assert_eq!(Sweep::temperatures("300 K").map(|s| s.0), Ok(vec![300.0]));
        assert!(pressures("2bar,4bar").is_err_and(|e| e.contains("a unit stands once, at the end, as 1,40bar")));
        assert!(Sweep::temperatures("1atm").is_err() && pressures("1K").is_err());
        assert!(pressures("1ell").is_err_and(|e| e.contains("atm, bar, mbar, kPa, MPa, Pa, torr, psi")));
        for (text, pressure) in [("2 Bar", 2e5), ("2mbar", 200.0), ("3MPA", 3e6), ("7pa", 7.0), ("760Torr", 101_325.0)]
        {
            assert_eq!(pressures(text), Ok(vec![pressure]), "{text}");
        }
        // Millipascals are not megapascals.
        assert!(pressures("5mPa").is_err());
        assert!(pressures("14.695949psi").is_ok_and(|p| (p[0] - 101_325.0).abs() < 0.01));
        assert_eq!(Sweep::times("1:3:3us").map(|s| s.0), Ok(vec![1e-6, 2e-6, 3e-6]));
        assert!(pressures("1,2,atm").is_err_and(|e| e.contains("a value is missing")));
        for (text, bare) in [("10", true), ("10,20", true), ("10Pa", false), ("1:4:4 bar", false)] {
            assert!(text.parse::<Pressures>().is_ok_and(|p| p.bare == bare), "{text}");
        }
        for (text, said) in [
            ("1127C", "1127 C is 1400.15 K"),
            ("1000 \u{b0}F", "1000 F is 810.9278 K"),
            ("20,30C", "in K, not in C"),
            ("1100:2000", "how many values: 1100:2000:10"),
            ("1000:1400:50K", "how many values there are: 1000:1400:50, without K"),
            ("1000-1400", "a range 1:4:7"),
            ("-1400", "-1400.0 is not a positive number"),
            ("inf", "inf is not a positive number"),
            ("300,INF", "inf is not a positive number"),
            ("300,0", "0.0 is not a positive number"),
        ] {
            assert!(Sweep::temperatures(text).is_err_and(|e| e.contains(said)), "{text}");
        }
        for wrong in ["1bar", "1K", "", "a", "1:2", "1:2:1", "0:1:3log", "1:2:2.5", "-1", "nan", "1:2:1e9"] {
            assert!(values(wrong).is_err(), "{wrong}");
        }
        assert_eq!(values("0,1"), Ok(vec![0.0, 1.0]), "equivalence ratios");
        for wrong in ["0", "-1atm", "1,nan", "inf"] {
            assert!(pressures(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_have_units() {
        for (text, seconds) in [
            ("1e-6", 1e-6),
            ("3us", 3e-6),
            ("0.7 ms", 0.7e-3),
            ("7\u{b5}s", 7e-6),
            ("20ns", 20e-9),
            ("2s", 2.0),
            ("2h", 7200.0),
            ("1.5 min", 90.0),
            ("2e3yr", 6.311_52e10),
            ("1d", 86_400.0),
        ] {
            assert_eq!(time(text), Ok(seconds), "{text}");
        }
        for text in ["", "us", "1y", "-1us", "0", "1e-6 m", "nan s", "\u{1f600}"] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn pressures_are_readable() {
        let shown = |p: f64| Pressure(p).to_string();
        assert_eq!(
            (shown(101_325.0), shown(2e5), shown(1.25e5), shown(50.0)),
            ("1 atm".into(), "2 bar".into(), "1.25 bar".into(), "50 Pa".into())
        );
    }
}
