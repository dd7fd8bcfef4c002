//! Units of measurement: a few hundred spellings to SI, and the defaults that a YAML file may set.
//!
//! The accepted units are those of Cantera. Factors are relative to m, kg, s, K, A and mol.

use crate::network::{ATMOSPHERE, AVOGADRO, CALORIE, ELECTRON_VOLT, GAS_CONSTANT};

/// Powers of length, mass, time, temperature, current and quantity.
pub type Dimensions = [f64; 6];

/// A unit: its value in SI and its dimensions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// Value in SI.
    pub factor: f64,
    /// Dimensions.
    pub of: Dimensions,
}

const NONE: Dimensions = [0.0; 6];
const LENGTH: Dimensions = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
const MASS: Dimensions = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
const TIME: Dimensions = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
const TEMPERATURE: Dimensions = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
const CURRENT: Dimensions = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
const QUANTITY: Dimensions = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
const VOLUME: Dimensions = [3.0, 0.0, 0.0, 0.0, 0.0, 0.0];
const FORCE: Dimensions = [1.0, 1.0, -2.0, 0.0, 0.0, 0.0];
const ENERGY: Dimensions = [2.0, 1.0, -2.0, 0.0, 0.0, 0.0];
const PRESSURE: Dimensions = [-1.0, 1.0, -2.0, 0.0, 0.0, 0.0];
const MOLAR_ENERGY: Dimensions = [2.0, 1.0, -2.0, 0.0, 0.0, -1.0];
const MOLAR_ENTROPY: Dimensions = [2.0, 1.0, -2.0, -1.0, 0.0, -1.0];

const KNOWN: &[(&str, f64, Dimensions)] = &[
    ("1", 1.0, NONE),
    ("m", 1.0, LENGTH),
    ("cm", 0.01, LENGTH),
    ("micron", 1e-6, LENGTH),
    ("angstrom", 1e-10, LENGTH),
    ("Å", 1e-10, LENGTH),
    ("kg", 1.0, MASS),
    ("g", 1e-3, MASS),
    ("s", 1.0, TIME),
    ("min", 60.0, TIME),
    ("hr", 3600.0, TIME),
    ("K", 1.0, TEMPERATURE),
    ("A", 1.0, CURRENT),
    ("mol", 1.0, QUANTITY),
    ("mole", 1.0, QUANTITY),
    ("gmol", 1.0, QUANTITY),
    ("kmol", 1000.0, QUANTITY),
    ("molec", 1.0 / AVOGADRO, QUANTITY),
    ("L", 1e-3, VOLUME),
    ("l", 1e-3, VOLUME),
    ("liter", 1e-3, VOLUME),
    ("cc", 1e-6, VOLUME),
    ("N", 1.0, FORCE),
    ("dyn", 1e-5, FORCE),
    ("J", 1.0, ENERGY),
    ("cal", CALORIE, ENERGY),
    ("erg", 1e-7, ENERGY),
    ("eV", ELECTRON_VOLT, ENERGY),
    ("Pa", 1.0, PRESSURE),
    ("bar", 1e5, PRESSURE),
    ("atm", ATMOSPHERE, PRESSURE),
    ("coulomb", 1.0, [0.0, 0.0, 1.0, 0.0, 1.0, 0.0]),
    ("V", 1.0, [2.0, 1.0, -3.0, 0.0, -1.0, 0.0]),
    ("ohm", 1.0, [2.0, 1.0, -3.0, 0.0, -2.0, 0.0]),
];

const PREFIXES: &[(char, f64)] = &[
    ('Y', 1e24),
    ('Z', 1e21),
    ('E', 1e18),
    ('P', 1e15),
    ('T', 1e12),
    ('G', 1e9),
    ('M', 1e6),
    ('k', 1e3),
    ('h', 1e2),
    ('d', 1e-1),
    ('c', 1e-2),
    ('m', 1e-3),
    ('u', 1e-6),
    ('n', 1e-9),
    ('p', 1e-12),
    ('f', 1e-15),
    ('a', 1e-18),
    ('z', 1e-21),
    ('y', 1e-24),
];

/// All units without prefixes, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|u| u.0)
}

fn single(name: &str) -> Option<Unit> {
    let known = |name: &str| KNOWN.iter().find(|u| u.0 == name).map(|&(_, factor, of)| Unit { factor, of });
    known(name).or_else(|| {
        let prefix = name.chars().next()?;
        let factor = PREFIXES.iter().find(|p| p.0 == prefix)?.1;
        let rest = &name[prefix.len_utf8()..];
        // `cm` is a unit of its own, to Cantera too; `ccm` would not be the cubic centimetre that it is elsewhere.
        let unit = known(rest).filter(|_| !["1", "cm"].contains(&rest))?;
        Some(Unit { factor: unit.factor * factor, ..unit })
    })
}

impl Unit {
    /// Parses a unit such as `cm^3/mol/s`, `kg*m^2/s^2` or `1/s`; the error is the part that was not
    /// understood.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut unit = Self { factor: 1.0, of: NONE };
        let mut sign = 1.0;
        let mut rest = text;
        loop {
            let end = rest.find(['*', '/']).unwrap_or(rest.len());
            let term = rest[..end].trim();
            let (name, power) = match term.split_once('^') {
                Some((name, power)) => (name.trim(), power.trim().parse::<f64>().map_err(|_| term.to_owned())?),
                None => (term, 1.0),
            };
            let power = sign * power;
            if !power.is_finite() {
                return Err(term.to_owned());
            }
            // Nothing is one, as in Cantera: `/s` is 1/s.
            let one = single(if name.is_empty() { "1" } else { name }).ok_or_else(|| name.to_owned())?;
            unit.factor *= power_of(one.factor, power);
            for (d, e) in unit.of.iter_mut().zip(one.of) {
                *d += power * e;
            }
            match rest[end..].chars().next() {
                None => return Ok(unit),
                Some(c) => sign = if c == '/' { -1.0 } else { 1.0 },
            }
            rest = &rest[end + 1..];
        }
    }

    fn is(&self, of: Dimensions) -> bool {
        self.of.iter().zip(of).all(|(a, b)| (a - b).abs() < 1e-6)
    }
}

fn power_of(base: f64, power: f64) -> f64 {
    // This makes whole powers exact to the last digit, so that 10⁶ is not 999999.9999. The inverse of 0.01 or
    // 1e-6 is a whole number, whose powers are exact where those of the fraction itself are not.
    match power {
        p if p.fract() == 0.0 && p.abs() <= 8.0 && base < 1.0 && (1.0 / base).fract() == 0.0 => {
            power_of(1.0 / base, -p)
        }
        p if p.fract() == 0.0 && (0.0..=8.0).contains(&p) => (0..p as u32).fold(1.0, |x, _| x * base),
        p if p.fract() == 0.0 && (-8.0..0.0).contains(&p) => 1.0 / power_of(base, -p),
        p => base.powf(p),
    }
}

/// The quantity that a number in a file stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// Temperature \[K\].
    Temperature,
    /// Pressure \[Pa\].
    Pressure,
    /// Molar enthalpy [J/mol].
    MolarEnergy,
    /// Molar entropy or heat capacity [J/(mol K)].
    MolarEntropy,
    /// Rate constant of the given order: (m³/mol)^(order − 1)/s.
    Rate(f64),
    /// Activation energy, to be divided by R \[K\].
    Activation,
}

/// The units of numbers without a unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Defaults {
    length: f64,
    time: f64,
    mass: f64,
    quantity: f64,
    pressure: f64,
    energy: f64,
    /// If not set on its own, it follows from energy/quantity.
    activation: Option<Unit>,
}

impl Default for Defaults {
    /// Cantera's defaults: m, kg, s, kmol, Pa, J, J/kmol.
    fn default() -> Self {
        Self { length: 1.0, time: 1.0, mass: 1.0, quantity: 1000.0, pressure: 1.0, energy: 1.0, activation: None }
    }
}

/// What is wrong with a unit.
#[derive(Debug, Clone, PartialEq)]
pub enum UnitError {
    /// A part that is not a unit.
    Unknown(String),
    /// It is the unit of another quantity; the text says which quantity was expected.
    Mismatch(String),
    /// Not a kind of unit that can be set, for example `lenght`.
    Kind,
}

impl Defaults {
    /// Sets one default, for example `length` to `cm`.
    pub fn set(&mut self, kind: &str, text: &str) -> Result<(), UnitError> {
        let unit = Unit::parse(text).map_err(UnitError::Unknown)?;
        let (slot, of) = match kind {
            "length" => (&mut self.length, LENGTH),
            "time" => (&mut self.time, TIME),
            "mass" => (&mut self.mass, MASS),
            "quantity" => (&mut self.quantity, QUANTITY),
            "pressure" => (&mut self.pressure, PRESSURE),
            "energy" => (&mut self.energy, ENERGY),
            "activation-energy" => {
                self.activation = Some(activation(unit)?);
                return Ok(());
            }
            // Kelvin and ampere have no alternatives.
            "temperature" if unit.is(TEMPERATURE) && unit.factor == 1.0 => return Ok(()),
            "current" if unit.is(CURRENT) && unit.factor == 1.0 => return Ok(()),
            "temperature" => return Err(UnitError::Mismatch("`K`, the only unit of temperature".into())),
            "current" => return Err(UnitError::Mismatch("`A`, the only unit of current".into())),
            _ => return Err(UnitError::Kind),
        };
        if !unit.is(of) {
            return Err(UnitError::Mismatch(format!("a unit of {kind}")));
        }
        *slot = unit.factor;
        Ok(())
    }

    /// The kinds that [`Self::set`] knows.
    pub const KINDS: [&str; 9] =
        ["length", "time", "mass", "quantity", "pressure", "energy", "activation-energy", "temperature", "current"];

    /// The factor from a bare number to SI.
    pub fn factor(&self, what: Measure) -> f64 {
        match what {
            Measure::Temperature => 1.0,
            Measure::Pressure => self.pressure,
            Measure::MolarEnergy | Measure::MolarEntropy => self.energy / self.quantity,
            Measure::Rate(order) => {
                let n = order - 1.0;
                power_of(power_of(self.length, 3.0), n) / power_of(self.quantity, n) / self.time
            }
            Measure::Activation => match self.activation {
                Some(unit) => kelvin_per(unit),
                None => self.energy / self.quantity / GAS_CONSTANT,
            },
        }
    }

    /// The factor from a number with a unit to SI.
    pub fn factor_of(text: &str, what: Measure) -> Result<f64, UnitError> {
        let unit = Unit::parse(text).map_err(UnitError::Unknown)?;
        let (of, wanted) = match what {
            Measure::Temperature => (TEMPERATURE, "a temperature"),
            Measure::Pressure => (PRESSURE, "a pressure"),
            Measure::MolarEnergy => (MOLAR_ENERGY, "an energy per quantity"),
            Measure::MolarEntropy => (MOLAR_ENTROPY, "an energy per quantity and temperature"),
            Measure::Rate(order) => {
                let n = order - 1.0;
                let of = [3.0 * n, 0.0, -1.0, 0.0, 0.0, -n];
                if !unit.is(of) {
                    return Err(UnitError::Mismatch(format!(
                        "a rate constant of order {order}, for example `{}`",
                        rate_unit(order)
                    )));
                }
                (of, "")
            }
            Measure::Activation => return activation(unit).map(kelvin_per),
        };
        if unit.is(of) { Ok(unit.factor) } else { Err(UnitError::Mismatch(wanted.into())) }
    }
}

/// A unit of activation energies.
fn activation(unit: Unit) -> Result<Unit, UnitError> {
    let fits = [MOLAR_ENERGY, ENERGY, TEMPERATURE].iter().any(|&d| unit.is(d));
    if fits { Ok(unit) } else { Err(UnitError::Mismatch("an energy per quantity, an energy, or K".into())) }
}

/// The unit of a rate constant in cm, mol and s, for messages.
fn rate_unit(order: f64) -> String {
    let n = order - 1.0;
    match n {
        0.0 => "1/s".into(),
        1.0 => "cm^3/mol/s".into(),
        -1.0 => "mol/cm^3/s".into(),
        n if n > 0.0 => format!("cm^{}/mol^{n}/s", 3.0 * n),
        n => format!("mol^{}/cm^{}/s", -n, -3.0 * n),
    }
}

/// The factor of an activation energy per mole, per molecule (eV), or already as a temperature.
fn kelvin_per(unit: Unit) -> f64 {
    if unit.is(TEMPERATURE) {
        unit.factor
    } else if unit.is(ENERGY) {
        unit.factor * AVOGADRO / GAS_CONSTANT
    } else {
        unit.factor / GAS_CONSTANT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_combine() {
        let k = Unit::parse("cm^3/mol/s").unwrap();
        assert!((k.factor / 1e-6 - 1.0).abs() < 1e-15);
        assert_eq!(k.of, [3.0, 0.0, -1.0, 0.0, 0.0, -1.0]);
        assert_eq!(Unit::parse("kcal/mol").unwrap().factor, 4184.0);
        assert_eq!(Unit::parse("cm^3/mole/s"), Unit::parse("cm^3/mol/s"));
        assert_eq!(Unit::parse("J/kmole"), Unit::parse("J/kmol"));
        assert_eq!(Unit::parse("kg * m^2 / s^2").unwrap().of, ENERGY);
        assert_eq!(Unit::parse("1/s").unwrap().of, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
        assert_eq!(Unit::parse("/s"), Unit::parse("1/s"));
        assert_eq!(Unit::parse("furlong/s"), Err("furlong".into()));
        assert_eq!(Unit::parse("k1"), Err("k1".into()));
        assert_eq!(Unit::parse("ccm/s"), Err("ccm".into()));
    }

    /// Each of them by another unit, or by the units that it is made of.
    #[test]
    fn units_are_those_of_the_others() {
        for (one, other, times) in [
            ("hr", "min", 60.0),
            ("min", "s", 60.0),
            ("m", "angstrom", 1e10),
            ("Å", "angstrom", 1.0),
            ("micron", "um", 1.0),
            ("cm", "m", 1e-2),
            ("N", "dyn", 1e5),
            ("J", "erg", 1e7),
            ("dyn", "g*cm/s^2", 1.0),
            ("erg", "g*cm^2/s^2", 1.0),
            ("bar", "dyn/cm^2", 1e6),
            ("L", "dm^3", 1.0),
            ("liter", "cc", 1e3),
            ("l", "cm^3", 1e3),
            ("atm", "hPa", 1013.25),
            ("gmol", "mmol", 1e3),
            ("V", "J/coulomb", 1.0),
            ("ohm", "V/A", 1.0),
            ("coulomb", "A*s", 1.0),
        ] {
            let [a, b] = [one, other].map(|text| Unit::parse(text).unwrap());
            assert!((a.factor / (b.factor * times) - 1.0).abs() < 1e-14 && a.is(b.of), "{one}, {other}");
        }
        // Each is a thousand times the next.
        let prefixes = ["Y", "Z", "E", "P", "T", "G", "M", "k", "", "m", "u", "n", "p", "f", "a", "z", "y"];
        for pair in prefixes.windows(2) {
            let [large, small] = [0, 1].map(|i| Unit::parse(&format!("{}Pa", pair[i])).unwrap().factor);
            assert!((large / small / 1e3 - 1.0).abs() < 1e-14, "{pair:?}");
        }
    }

    #[test]
    fn activation_energies_become_temperatures() {
        let mut d = Defaults::default();
        assert_eq!(d.factor(Measure::Activation), 1e-3 / GAS_CONSTANT);
        // Enthalpies and entropies are per kmol, too.
        assert_eq!([Measure::MolarEnergy, Measure::MolarEntropy].map(|what| d.factor(what)), [1e-3; 2]);
        d.set("quantity", "mol").unwrap();
        d.set("energy", "cal").unwrap();
        assert_eq!(d.factor(Measure::Activation), 4.184 / GAS_CONSTANT);
        d.set("activation-energy", "K").unwrap();
        assert_eq!(d.factor(Measure::Activation), 1.0);
        let ev = Defaults::factor_of("eV", Measure::Activation).unwrap();
        assert!((ev - 11604.518121).abs() < 1e-5, "{ev}");
    }

    #[test]
    fn rate_constants_follow_their_order() {
        let mut d = Defaults::default();
        d.set("length", "cm").unwrap();
        d.set("quantity", "mol").unwrap();
        assert!((d.factor(Measure::Rate(3.0)) / 1e-12 - 1.0).abs() < 1e-14);
        d.set("time", "min").unwrap();
        assert_eq!(d.factor(Measure::Rate(1.0)), 1.0 / 60.0);
        assert!(matches!(Defaults::factor_of("cm^6/mol^2/s", Measure::Rate(2.0)), Err(UnitError::Mismatch(_))));
        assert_eq!(d.set("lenght", "cm"), Err(UnitError::Kind));
    }
}
