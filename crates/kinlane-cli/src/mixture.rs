//! Gas mixtures from the command line, alone or swept.

use crate::error::Error;
use crate::values::{Pressure, Pressures, Sweep, number};
use crate::words::{Names, parts, rejoin, short};
use clap::Args;
use kinlane::units::plain;
use kinlane::{BatchError, Mechanism, MixtureError, States, TEMPERATURES};
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

/// Help of --phi and --P in commands that take one mixture.
pub const ONE_PHI: &str = "Equivalence ratio, one value";
pub const ONE_PRESSURE: &str = "Pressure [Pa], one value, or with a unit: 10atm, 2bar (mbar, kPa, MPa, torr, psi)";
/// That of --T where the mixture flows into a reactor.
pub const ONE_INFLOW: &str = "Temperature of the inflow [K], one value (default: 300)";

impl MixtureArgs {
    /// Whether a mixture is given at all.
    pub fn is_given(&self) -> bool {
        self.fuel.is_some() || self.mixture.is_some()
    }

    /// The temperatures [K].
    pub fn temperatures(&self) -> Vec<f64> {
        self.temperature.as_ref().map_or_else(|| vec![ROOM], |sweep| sweep.0.clone())
    }

    /// Warns if a pressure is so low that its unit may have been forgotten.
    pub fn tell_low_pressure(&self) {
        if let Some(p) = self.pressure.all.iter().find(|p| self.pressure.bare && **p < LOW && **p > 0.0) {
            let p = plain(*p);
            tell!("note: P = {p} Pa; write {p}atm or {p}bar if that was meant");
        }
    }

    /// Every combination; the equivalence ratio varies fastest, then the temperature.
    pub fn points(&self, mechanism: &Mechanism) -> Result<Vec<Point>, Error> {
        let mixtures = self.mixtures(mechanism)?;
        let temperatures = self.temperatures();
        let all = self.pressure.all.len() as f64 * temperatures.len() as f64 * mixtures.len() as f64;
        if all > MOST_POINTS {
            return Err(MixtureFault::Many { states: all, most: MOST_POINTS }.into());
        }
        let mut points = Vec::new();
        for &p in &self.pressure.all {
            for &t in &temperatures {
                for (phi, y) in &mixtures {
                    points.push(Point { t, p, phi: *phi, y: y.clone() });
                }
            }
        }
        Ok(points)
    }

    /// The one point of a command that takes no more; warns of its pressure if it is to say anything.
    pub fn point(&self, mechanism: &Mechanism, quiet: bool) -> Result<Point, Error> {
        let points = self.points(mechanism)?;
        states(&points, mechanism)?;
        let count = points.len();
        let [point] = <[Point; 1]>::try_from(points).map_err(|_| MixtureFault::Several(count))?;
        if !quiet {
            self.tell_low_pressure();
        }
        Ok(point)
    }

    /// The gas in words, for titles: a mixture, or fuel and oxidizer.
    pub fn gas(&self, mechanism: &Mechanism) -> String {
        let gas = [&self.fuel, &self.oxidizer, &self.mixture].into_iter().flatten();
        gas.map(|gas| gas.words(mechanism)).collect::<Vec<_>>().join(" and ")
    }

    /// The gas of a point with its equivalence ratio, temperature and pressure in words, for titles.
    pub fn state(&self, mechanism: &Mechanism, point: &Point) -> String {
        let phi = point.phi.map_or_else(String::new, |phi| format!(", phi = {}", short(phi)));
        format!("{}{phi}, {} K, {}", self.gas(mechanism), short(point.t), Pressure(point.p))
    }

    /// The gas of a sweep and the common properties of its states, in words for titles.
    pub fn common(&self, mechanism: &Mechanism) -> String {
        let only = |list: &[f64], say: &dyn Fn(f64) -> String| match list {
            [only] => Some(say(*only)),
            _ => None,
        };
        let phi = only(&self.phi.0, &|phi| format!("phi = {}", short(phi))).filter(|_| self.fuel.is_some());
        let t = only(&self.temperatures(), &|t| format!("{} K", short(t)));
        let p = only(&self.pressure.all, &|p| Pressure(p).to_string());
        [Some(self.gas(mechanism)), phi, t, p].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Mass fractions of fuel and oxidizer, where the mixture is made of these.
    pub fn sides(&self, mechanism: &Mechanism) -> Result<Option<[Vec<f64>; 2]>, Error> {
        let (Some(fuel), Some(oxidizer)) = (&self.fuel, &self.oxidizer) else { return Ok(None) };
        let side = |c: &Composition| Ok::<_, Error>(mechanism.mass_fractions(&c.moles(mechanism, self.basis == "Y")?));
        Ok(Some([side(fuel)?, side(oxidizer)?]))
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

/// Most states of one command, the products of its lists.
const MOST_POINTS: f64 = 1e7;
/// Temperature if none is given \[K\].
const ROOM: f64 = 300.0;
/// A pressure below this \[Pa\] without a unit is probably a mistake.
pub const LOW: f64 = 1000.0;
/// A temperature below this \[K\] is probably a mistake.
pub const COLD: f64 = 200.0;

/// Advice about a state that failed, if its temperature may have been meant in another unit.
pub fn hint(t: f64) -> String {
    if t < COLD { format!("; T = {} K; temperatures are in kelvin", plain(t)) } else { String::new() }
}

/// Equivalence ratio, if there is one, and mass fractions.
type Mixed = (Option<f64>, Vec<f64>);

/// A gas to start from.
#[derive(Debug, Clone)]
pub struct Point {
    /// T [K].
    pub t: f64,
    /// p [Pa].
    pub p: f64,
    /// Equivalence ratio, if the mixture is of a fuel and an oxidizer.
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

/// Refuses temperatures \[K\] of an option at which no gas can flow in.
pub fn lawful(option: &'static str, temperatures: impl IntoIterator<Item = f64>) -> Result<(), MixtureFault> {
    let wrong = temperatures.into_iter().find(|t| !TEMPERATURES.contains(t));
    wrong.map_or(Ok(()), |t| Err(MixtureFault::Temperature { option, t }))
}

/// The species that lists name.
pub fn named(lists: &[Names], mechanism: &Mechanism) -> Result<Vec<usize>, Error> {
    let names = Names::known(lists, |name| mechanism.species_index(name).is_some());
    let known = names.iter().map(|name| mechanism.require(name).map_err(MixtureFault::Batch));
    Ok(known.collect::<Result<_, _>>()?)
}

/// Mole fractions from mass fractions.
pub fn mole_fractions(mechanism: &Mechanism, y: &[f64]) -> Vec<f64> {
    let moles = mechanism.specific_moles(y);
    let sum: f64 = moles.iter().sum();
    moles.iter().map(|n| n / sum).collect()
}

/// The part ξ of fuel in the mass of a mixture: Y = ξ Y_fuel + (1 − ξ) Y_oxidizer.
pub fn part_of_fuel([fuel, oxidizer]: [&[f64]; 2], y: &[f64]) -> f64 {
    let (mut along, mut all) = (0.0, 0.0);
    for ((f, o), y) in fuel.iter().zip(oxidizer).zip(y) {
        along += (y - o) * (f - o);
        all += (f - o) * (f - o);
    }
    along / all
}

/// The `most` species with the largest mole fractions over all states, the largest first; none of which there is nothing anywhere.
pub fn major(fractions: &[Vec<f64>], most: usize) -> Vec<usize> {
    let largest = |k: usize| fractions.iter().filter_map(|x| x.get(k)).fold(0.0, |m: f64, x| m.max(*x));
    let mut order: Vec<usize> = (0..fractions.first().map_or(0, Vec::len)).filter(|&k| largest(k) > 0.0).collect();
    order.sort_by(|&a, &b| largest(b).total_cmp(&largest(a)));
    order.truncate(most);
    order
}

/// Species with amounts.
#[derive(Debug, Clone, PartialEq)]
pub struct Composition(Vec<Part>);

/// A name, or a part of one that has commas, and what is written behind it.
#[derive(Debug, Clone, PartialEq)]
struct Part {
    name: String,
    amount: Option<f64>,
}

impl Part {
    /// One mole, or one part of mass, where nothing is said.
    fn amount(&self) -> f64 {
        self.amount.unwrap_or(1.0)
    }
}

impl Composition {
    fn moles(&self, mechanism: &Mechanism, by_mass: bool) -> Result<Vec<f64>, Error> {
        let mut moles = vec![0.0; mechanism.species_count()];
        let masses: Vec<f64> = mechanism.molar_masses().collect();
        for (name, amount) in &self.named(mechanism)? {
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

    /// The species, with those put together whose names have commas.
    fn named(&self, mechanism: &Mechanism) -> Result<Vec<(String, f64)>, MixtureFault> {
        let mut all: Vec<(String, f64)> = Vec::new();
        let known = |name: &str| mechanism.species_index(name).is_some();
        // Behind an amount there begins another name.
        for parts in self.0.chunk_by(|part, _| part.amount.is_none()) {
            let mut rest = parts;
            for length in rejoin(&parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), known) {
                let (parts, others) = rest.split_at(length);
                rest = others;
                let name = parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join(",");
                if all.iter().any(|(known, _)| *known == name) {
                    return Err(MixtureFault::Twice(name));
                }
                all.extend(parts.last().map(|part| (name, part.amount())));
            }
        }
        Ok(all)
    }

    /// For titles: the largest parts, in their order.
    pub fn words(&self, mechanism: &Mechanism) -> String {
        // What it may not be has been refused before.
        let all = self.named(mechanism).unwrap_or_default();
        if let [(only, _)] = &all[..] {
            return only.clone();
        }
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&a, &b| all[b].1.total_cmp(&all[a].1));
        order.truncate(LARGEST);
        order.sort_unstable();
        let parts = order.iter().map(|&k| format!("{} {}", short(all[k].1), all[k].0));
        let rest = (all.len() > LARGEST).then(|| "...".to_owned());
        parts.chain(rest).collect::<Vec<_>>().join(" + ")
    }
}

/// Number of parts of a composition that fit in a title.
const LARGEST: usize = 5;

impl FromStr for Composition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all: Vec<Part> = Vec::new();
        for part in parts(text) {
            let (name, amount) = match part.rsplit_once([':', '=']) {
                Some((name, amount)) => (name.trim(), Some(number(amount, &[])?)),
                None => (part, None),
            };
            if let Some(amount) = amount.filter(|amount| !(amount.is_finite() && *amount >= 0.0)) {
                return Err(format!("the amount of {name} is {amount:?}; it must be zero or positive"));
            }
            all.push(Part { name: name.to_owned(), amount });
        }
        if all.iter().all(|part| part.amount() == 0.0) {
            return Err("no species with an amount; write it as O2:1,N2:3.76".into());
        }
        Ok(Self(all))
    }
}

/// What can be wrong with a mixture.
#[derive(Debug, thiserror::Error)]
pub enum MixtureFault {
    /// No mixture is given.
    #[error("no gas is given; say --fuel, --oxidizer and --phi, or --mixture")]
    None,
    /// A species is given twice.
    #[error("{0} is given twice; add its amounts up")]
    Twice(String),
    /// No temperature is given although it matters.
    #[error("no temperature is given, and delays depend on it; say --T, as --T 1200 or --T 1000:1400:9 (K)")]
    NoTemperature,
    /// No laws hold at a temperature.
    #[error(
        "{option}: a gas of {} K cannot flow in; the laws hold from {} to {} K",
        plain(*.t), TEMPERATURES.start(), TEMPERATURES.end()
    )]
    Temperature {
        /// The option.
        option: &'static str,
        /// The temperature \[K\].
        t: f64,
    },
    /// Several gases where one is needed.
    #[error("{0} gases are given, by several values of phi, T or P; one is needed")]
    Several(usize),
    /// Lists whose product is too long.
    #[error("the values of phi, T and P make {states:e} states, and {most:e} are the most of one command; take fewer")]
    Many {
        /// How many.
        states: f64,
        /// The most.
        most: f64,
    },
    /// Fuel or oxidizer is missing.
    #[error("no flame without both: say --fuel and --oxidizer")]
    NoSides,
    /// Neither a gas nor states.
    #[error("no gas is given; say --fuel, --oxidizer and --phi, or --mixture, or --states")]
    NoStates,
    /// Air is not a species.
    #[error(
        "the mechanism has no species `{name}`; write what it is made of: {}",
        if *by_mass { "O2:0.233,N2:0.767 (masses)" } else { "O2:1,N2:3.76 (moles)" }
    )]
    Air {
        /// The name as it was written.
        name: String,
        /// Whether the numbers are masses.
        by_mass: bool,
    },
    /// Entries without a comma between them.
    #[error("the mechanism has no species `{0}`; entries are separated by commas, as in O2:1,N2:3.76")]
    Commas(String),
    /// A species is unknown, or T or P is invalid.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// Fuel and oxidizer do not react.
    #[error(transparent)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compositions_are_names_with_amounts() {
        let parts = |text: &str| {
            let all = text.parse::<Composition>()?.0;
            Ok::<_, String>(all.into_iter().map(|part| (part.name, part.amount)).collect::<Vec<_>>())
        };
        assert_eq!(parts("CH4"), Ok(vec![("CH4".into(), None)]));
        assert_eq!(parts("C5H5O(2,4)"), Ok(vec![("C5H5O(2,4)".into(), None)]));
        assert_eq!(parts("C5H5O(2,4) : 2, AR=3"), Ok(vec![("C5H5O(2,4)".into(), Some(2.0)), ("AR".into(), Some(3.0))]));
        assert_eq!(parts("O2:1, N2:3.76"), Ok(vec![("O2".into(), Some(1.0)), ("N2".into(), Some(3.76))]));
        for wrong in ["", "O2:x", "O2:-1", "O2:0"] {
            assert!(parts(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_with_commas_are_put_together() {
        let names = ["I-C4H9,1", "O2", "1-C4H8"];
        let species: String = names
            .map(|name| {
                let thermo = "thermo: {model: constant-cp, cp0: 30 J/mol/K, h0: 0 J/mol}";
                format!("- {{name: '{name}', composition: {{H: 1}}, {thermo}}}\n")
            })
            .concat();
        let phase = "phases:\n- {name: gas, thermo: ideal-gas, elements: [H], species: all}\n";
        let text = format!("{phase}species:\n{species}");
        let network = kinlane::mech::cantera::read_str(text, std::path::Path::new("odd.yaml"), None, &[]);
        let mechanism = Mechanism::from_network(network.unwrap_or_else(|e| panic!("{e}")));
        let named = |text: &str| text.parse::<Composition>().unwrap().named(&mechanism).map_err(|e| e.to_string());
        let of = |name: &str, amount: f64| (name.to_owned(), amount);
        let all = vec![of("I-C4H9,1", 0.5), of("O2", 1.0), of("1-C4H8", 1.0)];
        assert_eq!(named("I-C4H9,1:0.5,O2:1,1-C4H8"), Ok(all));
        assert_eq!(named("O2,I-C4H9,1"), Ok(vec![of("O2", 1.0), of("I-C4H9,1", 1.0)]));
        let words = |text: &str| text.parse::<Composition>().map(|c| c.words(&mechanism));
        assert_eq!(words("A:1,B:9,C:2,D:3,E:4,F:5,G:0.5").as_deref(), Ok("9 B + 2 C + 3 D + 4 E + 5 F + ..."));
        assert_eq!(words("I-C4H9,1:0.5,O2:2").as_deref(), Ok("0.5 I-C4H9,1 + 2 O2"));
        assert_eq!(words("I-C4H9,1").as_deref(), Ok("I-C4H9,1"));
        // An amount belongs to the name before it.
        assert_eq!(named("I-C4H9:0.3,1:0.7"), Ok(vec![of("I-C4H9", 0.3), of("1", 0.7)]));
        assert_eq!(named("O2:2,O2:1"), Err("O2 is given twice; add its amounts up".to_owned()));
    }
}
