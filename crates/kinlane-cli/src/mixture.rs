//! Gas mixtures from the command line, alone or swept.

use crate::error::Error;
use crate::picture::chart;
use crate::words::{parts, short};
use clap::Args;
use kinlane::{BatchError, Mechanism, MixtureError, States};
use std::fmt;
use std::str::FromStr;

/// The mixture, its temperature and pressure; several values make a sweep.
#[derive(Debug, Args)]
pub struct MixtureArgs {
    /// Fuel, as CH4 or "CH4:0.9,C2H6:0.1"
    #[arg(long, value_name = "MIX", requires = "oxidizer", help_heading = "Mixture")]
    pub fuel: Option<Composition>,
    /// Oxidizer, as "O2:1,N2:3.76"
    #[arg(long, value_name = "MIX", requires = "fuel", help_heading = "Mixture")]
    pub oxidizer: Option<Composition>,
    /// Equivalence ratios: 1, or 0.5,1,2, or 0.5:2:31 (from, to, how many)
    #[arg(long, value_name = "LIST", requires = "fuel", default_value = "1", help_heading = "Mixture")]
    pub phi: Sweep,
    /// The mixture itself, in place of fuel, oxidizer and phi
    #[arg(long, value_name = "MIX", conflicts_with_all = ["fuel", "oxidizer", "phi"], help_heading = "Mixture")]
    pub mixture: Option<Composition>,
    /// What the numbers of a MIX are: mole (X) or mass (Y) fractions, of any sum
    #[arg(long, value_name = "X|Y", value_parser = ["X", "Y"], default_value = "X", help_heading = "Mixture")]
    pub basis: String,
    /// Temperatures [K], as --phi; 800:2000:25log spaces them by their logarithm (default: 300)
    #[arg(long = "T", value_name = "LIST", value_parser = Sweep::temperatures, help_heading = "Mixture")]
    pub temperature: Option<Sweep>,
    /// Pressures [Pa], as --phi, or with a unit (atm, bar, mbar, kPa, MPa, torr, psi): 1,10,40atm or 1:40:5bar
    #[arg(long = "P", value_name = "LIST", default_value = "101325", help_heading = "Mixture")]
    pub pressure: Pressures,
}

impl MixtureArgs {
    /// Whether a mixture is given at all.
    pub fn is_given(&self) -> bool {
        self.fuel.is_some() || self.mixture.is_some()
    }

    /// The temperatures [K].
    pub fn temperatures(&self) -> Vec<f64> {
        self.temperature.as_ref().map_or_else(|| vec![ROOM], |sweep| sweep.0.clone())
    }

    /// Says where a pressure is so low that its unit may have been forgotten.
    pub fn tell_low_pressure(&self) {
        if let Some(p) = self.pressure.all.iter().find(|p| self.pressure.bare && **p < LOW) {
            tell!("note: P = {p} Pa; write {p}atm or {p}bar if that was meant");
        }
    }

    /// Every combination, the equivalence ratio changing fastest, then the temperature.
    pub fn points(&self, mechanism: &Mechanism) -> Result<Vec<Point>, Error> {
        let mixtures = self.mixtures(mechanism)?;
        let mut points = Vec::new();
        for &p in &self.pressure.all {
            for t in self.temperatures() {
                for (phi, y) in &mixtures {
                    points.push(Point { t, p, phi: *phi, y: y.clone() });
                }
            }
        }
        Ok(points)
    }

    /// Refuses a picture of more curves than can be told apart. `each`: curves of each combination of what is swept beside
    /// what the picture is drawn over.
    pub fn drawable(&self, each: usize) -> Result<(), Error> {
        let (t, p, phi) = (self.temperatures().len(), self.pressure.all.len(), self.phi.0.len());
        let over = [t, phi, p].into_iter().find(|n| *n > 1).unwrap_or(1);
        let curves = t * p * phi / over * each;
        if curves > chart::MOST { Err(MixtureFault::Curves(curves).into()) } else { Ok(()) }
    }

    /// The gas of a point in words, for titles.
    pub fn gas(&self, point: &Point) -> String {
        let text = |c: &Option<Composition>| c.as_ref().map(ToString::to_string).unwrap_or_default();
        match point.phi {
            Some(phi) => format!("{} and {}, phi = {}", text(&self.fuel), text(&self.oxidizer), short(phi)),
            None => text(&self.mixture),
        }
    }

    /// The gas of a sweep and what its states have in common, in words, for titles.
    pub fn common(&self) -> String {
        let text = |c: &Option<Composition>| c.as_ref().map(ToString::to_string).unwrap_or_default();
        let gas = match &self.fuel {
            Some(fuel) => format!("{fuel} and {}", text(&self.oxidizer)),
            None => text(&self.mixture),
        };
        let only = |list: &[f64], say: &dyn Fn(f64) -> String| match list {
            [only] => Some(say(*only)),
            _ => None,
        };
        let phi = only(&self.phi.0, &|phi| format!("phi = {}", short(phi))).filter(|_| self.fuel.is_some());
        let t = only(&self.temperatures(), &|t| format!("{} K", short(t)));
        let p = only(&self.pressure.all, &|p| Pressure(p).to_string());
        [Some(gas), phi, t, p].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn mixtures(&self, mechanism: &Mechanism) -> Result<Vec<Mixed>, Error> {
        let moles = |c: &Composition| c.moles(mechanism, self.basis == "Y");
        match (&self.mixture, &self.fuel, &self.oxidizer) {
            (Some(mixture), ..) => {
                let moles = moles(mixture)?;
                Ok(vec![(None, mechanism.mass_fractions(&moles))])
            }
            (_, Some(fuel), Some(oxidizer)) => {
                let (fuel, oxidizer) = (moles(fuel)?, moles(oxidizer)?);
                let mixed = |&phi: &f64| Ok((Some(phi), mechanism.mass_fractions_of_ratio(&fuel, &oxidizer, phi)?));
                self.phi.0.iter().map(mixed).collect()
            }
            _ => Err(MixtureFault::None.into()),
        }
    }
}

/// Temperature where none is said [K].
const ROOM: f64 = 300.0;
/// Few mean a pressure below this [Pa] and do not say its unit.
const LOW: f64 = 1000.0;
/// Few mean a temperature below this [K].
const COLD: f64 = 200.0;

/// What is said of a state that failed, where its temperature may have been meant in another unit.
pub fn hint(t: f64) -> String {
    if t < COLD { format!("; T = {t} K; temperatures are in kelvin") } else { String::new() }
}

/// Equivalence ratio, where there is one, and mass fractions.
type Mixed = (Option<f64>, Vec<f64>);

/// A gas to start from.
#[derive(Debug, Clone)]
pub struct Point {
    /// T [K].
    pub t: f64,
    /// p [Pa].
    pub p: f64,
    /// Equivalence ratio, where the mixture is of a fuel and an oxidizer.
    pub phi: Option<f64>,
    /// Mass fractions.
    pub y: Vec<f64>,
}

/// The points as a batch.
pub fn states(points: &[Point], mechanism: &Mechanism) -> Result<States, Error> {
    let t = points.iter().map(|p| p.t).collect();
    let p = points.iter().map(|p| p.p).collect();
    let y = points.iter().flat_map(|p| p.y.iter().copied()).collect();
    States::new(mechanism, t, p, y).map_err(|e| MixtureFault::Batch(e).into())
}

/// Mole fractions of mass fractions.
pub fn mole_fractions(mechanism: &Mechanism, y: &[f64]) -> Vec<f64> {
    let moles = mechanism.specific_moles(y);
    let sum: f64 = moles.iter().sum();
    moles.iter().map(|n| n / sum).collect()
}

/// The species with the largest mole fractions of all states, the largest first, `most` of them.
pub fn major(fractions: &[Vec<f64>], most: usize) -> Vec<usize> {
    let largest = |k: usize| fractions.iter().filter_map(|x| x.get(k)).fold(0.0, |m: f64, x| m.max(*x));
    let mut order: Vec<usize> = (0..fractions.first().map_or(0, Vec::len)).collect();
    order.sort_by(|&a, &b| largest(b).total_cmp(&largest(a)));
    order.truncate(most);
    order
}

/// Species with amounts.
#[derive(Debug, Clone, PartialEq)]
pub struct Composition(Vec<(String, f64)>);

impl Composition {
    fn moles(&self, mechanism: &Mechanism, by_mass: bool) -> Result<Vec<f64>, Error> {
        let mut moles = vec![0.0; mechanism.species_count()];
        let masses: Vec<f64> = mechanism.molar_masses().collect();
        for (name, amount) in &self.0 {
            let k = mechanism.require(name).map_err(|fault| match name {
                _ if name.eq_ignore_ascii_case("air") => MixtureFault::Air { name: name.clone(), by_mass },
                _ if name.contains(char::is_whitespace) => MixtureFault::Commas(name.clone()),
                _ => MixtureFault::Batch(fault),
            })?;
            if let (Some(n), Some(w)) = (moles.get_mut(k), masses.get(k)) {
                *n += if by_mass { amount / w } else { *amount };
            }
        }
        Ok(moles)
    }
}

/// Parts of a composition that titles have room for.
const LARGEST: usize = 5;

/// For titles: the largest parts, in their order.
impl fmt::Display for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by(|&a, &b| self.0[b].1.total_cmp(&self.0[a].1));
        order.truncate(LARGEST);
        order.sort_unstable();
        for (i, (name, amount)) in order.iter().map(|&k| &self.0[k]).enumerate() {
            match self.0.len() {
                1 => write!(f, "{name}")?,
                _ => write!(f, "{}{} {name}", if i == 0 { "" } else { " + " }, short(*amount))?,
            }
        }
        if self.0.len() > LARGEST { f.write_str(" + ...") } else { Ok(()) }
    }
}

impl FromStr for Composition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all: Vec<(String, f64)> = Vec::new();
        for part in parts(text) {
            let (name, amount) = match part.rsplit_once([':', '=']) {
                Some((name, amount)) => (name.trim(), number(amount, &[])?),
                None => (part, 1.0),
            };
            if !(amount.is_finite() && amount >= 0.0) {
                return Err(format!("the amount of {name} is {amount:?}; it must be zero or positive"));
            }
            if all.iter().any(|(known, _)| known == name) {
                return Err(format!("{name} is given twice; add its amounts up"));
            }
            all.push((name.to_owned(), amount));
        }
        if all.iter().all(|(_, amount)| *amount == 0.0) {
            return Err("no species with an amount; write it as O2:1,N2:3.76".into());
        }
        Ok(Self(all))
    }
}

/// One value, a list of values, or a range of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep(pub Vec<f64>);

/// Most values of one sweep.
const MOST: f64 = 1e6;

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::with_units(text, &[])
    }
}

/// Pressures [Pa].
#[derive(Debug, Clone)]
pub struct Pressures {
    /// All of them.
    pub all: Vec<f64>,
    /// They were given without a unit.
    bare: bool,
}

impl FromStr for Pressures {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Sweep(all) = Sweep::with_units(text, PRESSURES)?;
        Ok(Self { all, bare: before_unit(text.trim(), PRESSURES).is_none() })
    }
}

/// Units of a quantity, each with its size in SI.
pub type Units = [(&'static str, f64)];

/// Units of time.
pub const TIMES: &Units =
    &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("\u{b5}s", 1e-6), ("\u{3bc}s", 1e-6), ("ns", 1e-9)];
/// Units of pressure.
pub const PRESSURES: &Units = &[
    ("atm", 101_325.0),
    ("bar", 1e5),
    ("mbar", 1e2),
    ("kPa", 1e3),
    ("MPa", 1e6),
    ("Pa", 1.0),
    ("torr", 101_325.0 / 760.0),
    ("psi", 6_894.757_293_168_361),
];

/// What stands before a unit, and the size of that. Capitals do not count.
pub fn before_unit<'t>(text: &'t str, units: &Units) -> Option<(&'t str, f64)> {
    let fits = |(name, size): &(&str, f64)| {
        let (before, end) = text.split_at_checked(text.len().checked_sub(name.len())?)?;
        end.eq_ignore_ascii_case(name).then_some((before, *size))
    };
    // The longest: `ms` ends with `s`.
    units.iter().filter_map(fits).min_by_key(|found| found.0.len())
}

/// A value in SI, to the last bit what the same number with its power of ten is.
pub fn in_si(value: f64, unit: f64) -> f64 {
    if unit < 1.0 { value / (1.0 / unit).round() } else { value * unit }
}

/// A positive time of the command line [s].
pub fn time(text: &str) -> Result<f64, String> {
    let (value, unit) = before_unit(text.trim(), TIMES).unwrap_or((text, 1.0));
    match value.trim().parse::<f64>().map(|x| in_si(x, unit)) {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        Ok(_) => Err("it must be a positive finite number".into()),
        Err(_) => Err("not a time; write it in seconds as 1e-6, or with its unit as 1us, 0.5ms or 20ns".into()),
    }
}

impl Sweep {
    /// Temperatures [K].
    fn temperatures(text: &str) -> Result<Self, String> {
        if let Some((given, unit)) = before_unit(text.trim(), &[("C", 1.0), ("F", 2.0)]) {
            let number = given.trim().trim_end_matches('\u{b0}').trim();
            let (name, kelvin): (_, fn(f64) -> f64) =
                if unit == 1.0 { ("C", |t| t + 273.15) } else { ("F", |t| (t + 459.67) / 1.8) };
            return Err(match number.parse::<f64>() {
                Ok(t) => format!("temperatures are in K: {number} {name} is {} K", short(kelvin(t))),
                Err(_) => format!("temperatures are in K, not in {name}"),
            });
        }
        Self::with_units(text, &[("K", 1.0)])
    }

    /// Times [s].
    pub fn times(text: &str) -> Result<Self, String> {
        Self::with_units(text, TIMES)
    }

    /// Reads values that may have one of these units at the end.
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
        match values.iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
            Some(bad) => Err(format!("{bad:?} is not zero or a positive number")),
            None => Ok(Self(values.iter().map(|v| in_si(*v, unit)).collect())),
        }
    }
}

/// One value; `units` are those that may only stand behind the last one.
fn number(text: &str, units: &Units) -> Result<f64, String> {
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
            format!("`{text}` is not a number with a unit that is known: {}", names.join(", "))
        }
    };
    text.parse().map_err(fault)
}

/// What can be wrong with a mixture.
#[derive(Debug, thiserror::Error)]
pub enum MixtureFault {
    /// None is given.
    #[error("no gas is given; say --fuel, --oxidizer and --phi, or --mixture")]
    None,
    /// No temperature where it decides.
    #[error("no temperature is given, and delays depend on it; say --T, as --T 1200 or --T 1000:1400:9 (K)")]
    NoTemperature,
    /// Several gases where one is needed.
    #[error("{0} gases are given, by several values of phi, T or P; one is needed")]
    Several(usize),
    /// More curves than can be told apart.
    #[error(
        "--picture: there would be {0} curves, and {most} can be told apart; give fewer values, or --csv in its place",
        most = chart::MOST
    )]
    Curves(usize),
    /// A residence time that is none.
    #[error("--tau: residence times must be positive")]
    Tau,
    /// Several residence times where one is needed.
    #[error("--transient needs one residence time: give --tau a single value")]
    OneTau,
    /// Neither a gas nor states.
    #[error("no gas is given; say --fuel, --oxidizer and --phi, or --mixture, or --states")]
    NoStates,
    /// Air is no species.
    #[error(
        "the mechanism has no species `{name}`; write what it is made of: {}",
        if *by_mass { "O2:0.233,N2:0.767 (masses)" } else { "O2:1,N2:3.76 (moles)" }
    )]
    Air {
        /// As it was written.
        name: String,
        /// Numbers are masses.
        by_mass: bool,
    },
    /// Entries without a comma between them.
    #[error("the mechanism has no species `{0}`; entries are separated by commas, as in O2:1,N2:3.76")]
    Commas(String),
    /// A species is unknown, or T or P cannot be.
    #[error("{0}")]
    Batch(#[from] BatchError),
    /// Fuel and oxidizer do not burn.
    #[error("{0}")]
    Ratio(#[from] MixtureError),
}

impl From<MixtureFault> for Error {
    fn from(fault: MixtureFault) -> Self {
        Self::Mixture(fault)
    }
}

impl From<MixtureError> for Error {
    fn from(fault: MixtureError) -> Self {
        Self::Mixture(fault.into())
    }
}

/// A pressure in the unit that people read: Pa below 1 kPa, else bar or, where it is a round number of them, atm.
pub struct Pressure(pub f64);

impl fmt::Display for Pressure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let atm = self.0 / 101_325.0;
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
        ] {
            assert!(Sweep::temperatures(text).is_err_and(|e| e.contains(said)), "{text}");
        }
        for wrong in ["1bar", "1K", "", "a", "1:2", "1:2:1", "0:1:3log", "1:2:2.5", "-1", "nan", "1:2:1e9"] {
            assert!(values(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_have_units() {
        for (text, seconds) in
            [("1e-6", 1e-6), ("3us", 3e-6), ("0.7 ms", 0.7e-3), ("7\u{b5}s", 7e-6), ("20ns", 20e-9), ("2s", 2.0)]
        {
            assert_eq!(time(text), Ok(seconds), "{text}");
        }
        for text in ["", "us", "1h", "-1us", "0", "1e-6 m", "nan s", "\u{1f600}"] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn compositions_are_names_with_amounts() {
        let parts = |text: &str| text.parse::<Composition>().map(|c| c.0);
        let many = "A:1,B:9,C:2,D:3,E:4,F:5,G:0.5".parse::<Composition>().map(|c| c.to_string());
        assert_eq!(many.as_deref(), Ok("9 B + 2 C + 3 D + 4 E + 5 F + ..."));
        assert_eq!(parts("CH4"), Ok(vec![("CH4".into(), 1.0)]));
        assert_eq!(parts("C5H5O(2,4)"), Ok(vec![("C5H5O(2,4)".into(), 1.0)]));
        assert_eq!(parts("C5H5O(2,4) : 2, AR=3"), Ok(vec![("C5H5O(2,4)".into(), 2.0), ("AR".into(), 3.0)]));
        assert_eq!(parts("O2:1, N2:3.76"), Ok(vec![("O2".into(), 1.0), ("N2".into(), 3.76)]));
        for wrong in ["", "O2:x", "O2:-1", "O2:0", "H2:2,H2:1"] {
            assert!(parts(wrong).is_err(), "{wrong}");
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
