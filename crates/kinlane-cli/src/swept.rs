//! Pictures of sweeps: which swept quantity is along the axis, and what the curves of the others are called.

use crate::error::Error;
use crate::mixture::{MixtureArgs, Point};
use crate::picture::chart::{self, Axis, Spacing};
use crate::values::Pressure;
use crate::words::short;

/// A quantity that a mixture may be swept over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swept {
    /// The equivalence ratio.
    Phi,
    /// The temperature.
    Temperature,
    /// The pressure.
    Pressure,
}

impl Swept {
    /// Its value in a point.
    pub fn of(self, point: &Point) -> f64 {
        match self {
            Self::Phi => point.phi.unwrap_or(f64::NAN),
            Self::Temperature => point.t,
            Self::Pressure => point.p,
        }
    }

    /// A value in words, for legends; empty if it is none.
    pub fn words(self, value: f64) -> String {
        match self {
            _ if value.is_nan() => String::new(),
            Self::Phi => format!("phi = {}", short(value)),
            Self::Temperature => format!("{} K", short(value)),
            Self::Pressure => Pressure(value).to_string(),
        }
    }
}

impl MixtureArgs {
    /// Number of its values.
    pub fn count(&self, swept: Swept) -> usize {
        match swept {
            Swept::Phi => self.phi.0.len(),
            Swept::Temperature => self.temperatures().len(),
            Swept::Pressure => self.pressure.all.len(),
        }
    }

    /// The quantity along the axis of a picture: the one with the most values, which makes the fewest curves;
    /// of several such, the first in this order. A mixture without fuel has no equivalence ratio.
    pub fn axis(&self, order: [Swept; 3]) -> Swept {
        let there = order.into_iter().filter(|&swept| swept != Swept::Phi || self.fuel.is_some());
        there.rev().max_by_key(|&swept| self.count(swept)).unwrap_or(Swept::Temperature)
    }

    /// The axis of this quantity; temperatures and pressures have labels of their own.
    pub fn axis_of(&self, swept: Swept, temperature: &str, pressure: &str) -> Axis {
        let (label, spacing) = match swept {
            Swept::Phi => ("equivalence ratio", Spacing::Linear),
            Swept::Temperature => (temperature, Spacing::Linear),
            Swept::Pressure => (pressure, chart::spacing(self.pressure.all.iter().copied())),
        };
        Axis { label: label.into(), spacing, low: None }
    }

    /// Number of combinations of the quantities that are not along the axis; of all, if none is.
    pub fn combinations(&self, axis: Option<Swept>) -> usize {
        ALL.into_iter().filter(|&swept| Some(swept) != axis).map(|swept| self.count(swept)).product()
    }

    /// Refuses a picture with more curves than can be distinguished. `each`: number of curves for each
    /// combination.
    pub fn drawable(&self, axis: Option<Swept>, each: usize) -> Result<(), Error> {
        let curves = self.combinations(axis) * each;
        if curves > chart::MOST { Err(Error::Curves(curves)) } else { Ok(()) }
    }

    /// What tells the curve of a point from those of other combinations.
    pub fn curve(&self, axis: Option<Swept>, point: &Point) -> Vec<String> {
        let swept = ALL.into_iter().filter(|&swept| Some(swept) != axis && self.count(swept) > 1);
        swept.map(|swept| swept.words(swept.of(point))).collect()
    }
}

/// All of them, in the order of names of curves.
const ALL: [Swept; 3] = [Swept::Phi, Swept::Temperature, Swept::Pressure];
