//! What a file of music-box sets while a box is followed.

use super::{Course, List};
use crate::files::scheme::PRESSURE;
use kinlane::mech::network::BOLTZMANN;
use kinlane::mech::scheme::{AIR, Moment, Quantity};

/// The moments of a file that are not past. What the command line says, stays.
pub struct Timeline<'a> {
    ahead: &'a [Moment],
    /// The pressure \[Pa\], once it is set.
    pressure: Option<f64>,
    /// Whether the command line says the temperature.
    warm: bool,
}

impl<'a> Timeline<'a> {
    /// All of a cell's scheme.
    pub fn new(course: &Course<'a>, warm: bool) -> Self {
        Self { ahead: &course.scheme.model().moments, pressure: None, warm }
    }

    /// The time of the next \[s\].
    pub fn next(&self) -> Option<f64> {
        self.ahead.first().map(|moment| moment.t)
    }

    /// Whether they change the temperature.
    pub fn warms(&self) -> bool {
        let mut ahead = self.ahead.iter().flat_map(|moment| &moment.set);
        !self.warm && ahead.any(|(what, _)| *what == Quantity::Temperature)
    }

    /// Sets what is set up to a time \[s\]; returns whether anything is.
    pub fn apply(&mut self, t: f64, course: &mut Course<'_>) -> bool {
        let (now, ahead) = self.ahead.split_at(self.ahead.iter().take_while(|moment| moment.t <= t).count());
        self.ahead = ahead;
        for moment in now {
            moment.set.iter().for_each(|(what, value)| self.set(moment.t, *what, *value, course));
        }
        if !now.is_empty() {
            self.fill(course);
        }
        !now.is_empty()
    }

    fn set(&mut self, t: f64, what: Quantity, value: f64, course: &mut Course<'_>) {
        let (list, i) = match what {
            Quantity::Pressure => return self.pressure = Some(value),
            Quantity::Temperature if self.warm => return,
            Quantity::Temperature => return course.at.temperature.fill(value),
            // An amount of the command line is the one at the beginning.
            Quantity::Species(i) if t > 0.0 => return course.at.amounts[i] = value,
            Quantity::Species(i) => (List::Species, i),
            Quantity::Fixed(i) => (List::Fixed, i),
            Quantity::Input(i) => (List::Inputs, i),
            Quantity::Photolysis(i) => (List::Photolysis, i),
        };
        if !course.chosen.contains(&(list, i)) {
            course.put(list, i, value);
        }
    }

    /// Gives the air the density P/(kT) \[molecule/cm³\], and third bodies that of the air.
    fn fill(&self, course: &mut Course<'_>) {
        let Some(pressure) = self.pressure else { return };
        let density = 1e-6 * pressure / (BOLTZMANN * course.at.temperature[0]);
        let scheme = course.scheme;
        let inputs = scheme.input_names().iter().enumerate().filter_map(|(i, name)| match name.as_str() {
            AIR => Some((List::Inputs, i, density)),
            PRESSURE => Some((List::Inputs, i, pressure)),
            _ => None,
        });
        let bodies = scheme.model().fixed.iter().enumerate().filter(|(_, part)| part.third_body);
        for (list, i, value) in inputs.chain(bodies.map(|(i, _)| (List::Fixed, i, density))) {
            if !course.chosen.contains(&(list, i)) {
                course.put(list, i, value);
            }
        }
    }
}
