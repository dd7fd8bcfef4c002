//! Delays in words: what a cell is waited for.

use crate::units::{PRESSURES, Units, before_unit, in_si, rounded};
use crate::{BatchError, Mechanism};
use kinlane_lanes::{Event, Happening, Quantity};
use std::fmt;
use std::str::FromStr;

/// What a cell is waited for, as people write it: `dT/dt`, `max OH`, `P=2bar`, `T+400`. Species are named, not yet
/// looked up.
///
/// ```
/// use kinlane::{Delay, Happening, Mechanism};
///
/// let delay: Delay = "T = 1500 K".parse()?;
/// assert_eq!(delay, Delay::Level("T".to_owned(), 1500.0));
/// assert_eq!(delay.event(&Mechanism::bundled("h2")?)?.happening, Happening::Crossing(1500.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Delay {
    /// `dT/dt`, `dP/dt`, `dOH/dt`: the steepest rise.
    Steepest(String),
    /// `max OH`: the largest value.
    Maximum(String),
    /// `T=1800`, `P=3e5`, `OH=1e-4`: the first crossing.
    Level(String, f64),
    /// `T+400`: the first rise by this much.
    Rise(String, f64),
}

/// Why a text is no [`Delay`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the texts say it")]
pub enum DelayError {
    #[error("`{text}` names no quantity; {GRAMMAR}")]
    NoQuantity { text: String },
    #[error("`{text}` is no number; {GRAMMAR}")]
    NoNumber { text: String },
    #[error("`{text}` never comes: a mole fraction is between 0 and 1")]
    NoFraction { text: String },
    #[error("`{text}` never comes: {quantity} is above 0")]
    NotPositive { text: String, quantity: String },
    #[error("`{text}` is no rise: write by how many kelvin, as in T+400")]
    NoRise { text: String },
    #[error("`{text}` is no delay; {GRAMMAR}")]
    Unknown { text: String },
}

impl FromStr for Delay {
    type Err = DelayError;

    fn from_str(text: &str) -> Result<Self, DelayError> {
        let text = text.trim();
        let name = |name: &str| {
            let name = name.trim();
            // A concentration as written in books. Of a species called as a quantity is, the brackets stay.
            let name = bracketed(name).filter(|name| !QUANTITIES.contains(name)).unwrap_or(name);
            if name.is_empty() { Err(DelayError::NoQuantity { text: text.to_owned() }) } else { Ok(name.to_owned()) }
        };
        let number = |x: &str| {
            let finite = x.trim().parse::<f64>().ok().filter(|x| x.is_finite());
            finite.ok_or_else(|| DelayError::NoNumber { text: x.trim().to_owned() })
        };
        // `max dT/dt` is the steepest rise; `max(OH)` is the same as `max OH`.
        let peak = text.strip_prefix("max ").or_else(|| text.strip_prefix("max:"));
        let peak = peak.or_else(|| text.strip_prefix("max(").and_then(|inner| inner.strip_suffix(')')));
        if let Some(what) = peak.unwrap_or(text).trim().strip_prefix('d').and_then(|t| t.strip_suffix("/dt")) {
            return Ok(Self::Steepest(name(what)?));
        }
        if let Some(what) = peak {
            return Ok(Self::Maximum(name(what)?));
        }
        // The last of them: names of species may hold others.
        if let Some((what, level)) = text.rsplit_once('=') {
            let what = name(what)?;
            let units = match what.as_str() {
                "T" => KELVIN,
                "P" | "p" => PRESSURES,
                _ => &[],
            };
            let (level, unit) = before_unit(level.trim(), units).unwrap_or((level, 1.0));
            let level = in_si(number(level)?, unit);
            let most = if QUANTITIES.contains(&&*what) { f64::INFINITY } else { 1.0 };
            return if level > 0.0 && level < most {
                Ok(Self::Level(what, level))
            } else if most.is_finite() {
                Err(DelayError::NoFraction { text: text.to_owned() })
            } else {
                Err(DelayError::NotPositive { text: text.to_owned(), quantity: what })
            };
        }
        if let Some(by) = text.strip_prefix("T+") {
            let by = number(before_unit(by, KELVIN).map_or(by, |found| found.0))?;
            return if by > 0.0 {
                Ok(Self::Rise("T".to_owned(), by))
            } else {
                Err(DelayError::NoRise { text: text.to_owned() })
            };
        }
        Err(DelayError::Unknown { text: text.to_owned() })
    }
}

const KELVIN: &Units = &[("K", 1.0)];

/// Names that mean a quantity; a species of this name is written in brackets, `[P]`.
const QUANTITIES: [&str; 3] = ["T", "P", "p"];

fn bracketed(name: &str) -> Option<&str> {
    name.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'))
}

/// The grammar in words, for messages.
const GRAMMAR: &str = "write dT/dt, dP/dt or dOH/dt (steepest rise), max OH (largest mole fraction), T=1800, P=3e5 or \
                       OH=1e-4 (first crossing), T+400 (first rise by 400 K)";

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steepest(x) => write!(f, "d{x}/dt"),
            Self::Maximum(x) => write!(f, "max {x}"),
            Self::Level(x, level) => write!(f, "{x}={}", rounded(*level)),
            Self::Rise(x, by) => write!(f, "{x}+{}", rounded(*by)),
        }
    }
}

impl Delay {
    /// A description in words.
    pub fn words(&self) -> String {
        match self {
            Self::Steepest(x) => format!("steepest rise of {x}"),
            Self::Maximum(x) => format!("maximum of {x}"),
            Self::Level(x, level) => format!("{x} = {}", rounded(*level)),
            Self::Rise(x, by) => format!("rise of {x} by {} K", rounded(*by)),
        }
    }

    /// The event for [`Follow`](crate::Follow).
    ///
    /// # Errors
    /// [`BatchError`] if the mechanism has no such species.
    pub fn event(&self, mechanism: &Mechanism) -> Result<Event, BatchError> {
        let quantity = |name: &str| match name {
            "T" => Ok(Quantity::Temperature),
            "P" | "p" => Ok(Quantity::Pressure),
            name => mechanism.require(bracketed(name).unwrap_or(name)).map(Quantity::MoleFraction),
        };
        let event = |name: &str, happening| Ok(Event { quantity: quantity(name)?, happening });
        match self {
            Self::Steepest(x) => event(x, Happening::SteepestRise),
            Self::Maximum(x) => event(x, Happening::Maximum),
            Self::Level(x, level) => event(x, Happening::Crossing(*level)),
            Self::Rise(x, by) => event(x, Happening::Rise(*by)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_and_said_again() {
        for text in [
            "dT/dt",
            "dP/dt",
            "dCH2O/dt",
            "max OH",
            "T=1800",
            "OH=0.0001",
            "HCO+=1e-11",
            "C=C=0.5",
            "T+400",
            "max [P]",
            "[P]=0.1",
        ] {
            assert_eq!(text.parse::<Delay>().map(|d| d.to_string()).as_deref(), Ok(text));
        }
        for (text, same) in [
            ("max dT/dt", "dT/dt"),
            ("d[OH]/dt", "dOH/dt"),
            ("max(CH2(S))", "max CH2(S)"),
            ("max [OH]", "max OH"),
            ("T = 1500 K", "T=1500"),
            ("P=2bar", "P=200000"),
            ("T+400 K", "T+400"),
            ("T+400k", "T+400"),
            ("[C=C] = 0.5", "C=C=0.5"),
        ] {
            assert_eq!(text.parse::<Delay>().map(|d| d.to_string()).as_deref(), Ok(same));
        }
        for text in ["", "OH", "d/dt", "max ", "T=", "T=hot", "T+"] {
            let fault = text.parse::<Delay>().expect_err(text).to_string();
            assert!(fault.contains("dT/dt"), "{fault}");
        }
        for (text, why) in [
            ("T=-5", "T is above 0"),
            ("P=0", "P is above 0"),
            ("OH=2", "between 0 and 1"),
            ("OH=-1", "between 0 and 1"),
            ("T+0", "how many kelvin"),
            ("T+-5", "how many kelvin"),
        ] {
            let fault = text.parse::<Delay>().expect_err(text).to_string();
            assert!(fault.contains(why) && fault.contains(text), "{fault}");
        }
    }

    /// Phosphorus may be called as the pressure is.
    #[test]
    fn species_called_as_quantities_have_brackets() {
        let text = "phases: [{name: g, thermo: ideal-gas, species: [P]}]\n\
                    species: [{name: P, composition: {P: 1}, thermo: {model: constant-cp, h0: 0, s0: 0, cp0: 30}}]\n";
        let mechanism = Mechanism::from_text("p.yaml", text, None).expect("a mechanism");
        let of = |text: &str| text.parse::<Delay>().expect(text).event(&mechanism).expect(text).quantity;
        assert_eq!(
            ["max P", "max [P]", "d[P]/dt"].map(of),
            [Quantity::Pressure, Quantity::MoleFraction(0), Quantity::MoleFraction(0)]
        );
    }

    /// What is waited for of a species is its mole fraction.
    #[test]
    fn quantities_are_those_of_the_words() {
        let m = Mechanism::bundled("h2").expect("bundled");
        let oh = Quantity::MoleFraction(m.require("OH").expect("a species"));
        for (text, quantity, happening) in [
            ("dT/dt", Quantity::Temperature, Happening::SteepestRise),
            ("dOH/dt", oh, Happening::SteepestRise),
            ("max OH", oh, Happening::Maximum),
            ("OH=1e-4", oh, Happening::Crossing(1e-4)),
            ("P=2bar", Quantity::Pressure, Happening::Crossing(2e5)),
            ("T+400", Quantity::Temperature, Happening::Rise(400.0)),
        ] {
            let event = text.parse::<Delay>().expect(text).event(&m).expect(text);
            assert_eq!(event, Event { quantity, happening }, "{text}");
        }
        assert!("max oh".parse::<Delay>().expect("read").event(&m).is_err());
    }
}
