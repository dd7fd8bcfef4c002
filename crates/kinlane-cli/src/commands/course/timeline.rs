//! What a file of music-box sets while a box is followed.

use super::{Course, List, SettingFault};
use crate::error::Error;
use crate::files::scheme::PRESSURE;
use kinlane::mech::network::BOLTZMANN;
use kinlane::mech::scheme::{AIR, Change, Moment, Quantity};

/// The moments of a file that are not past. What the command line says, stays.
pub struct Timeline<'a> {
    ahead: &'a [Moment],
    /// The pressure \[Pa\], once it is set.
    pressure: Option<f64>,
    /// Whether the command line says the temperature.
    warm: bool,
    /// Fixed species whose amounts have been set: they no longer follow the air.
    set: Vec<usize>,
}

impl<'a> Timeline<'a> {
    /// All of a cell's scheme.
    pub fn new(course: &Course<'a>, warm: bool) -> Self {
        Self { ahead: &course.scheme.model().moments, pressure: None, warm, set: Vec::new() }
    }

    /// The time of the next \[s\].
    pub fn next(&self) -> Option<f64> {
        self.ahead.first().map(|moment| moment.t)
    }

    /// Whether they change the temperature.
    pub fn warms(&self) -> bool {
        !self.warm && self.sets(Quantity::Temperature)
    }

    /// Whether they set a quantity.
    pub fn sets(&self, what: Quantity) -> bool {
        self.ahead.iter().flat_map(|moment| &moment.set).any(|change| change.what == what)
    }

    /// Whether they give amounts.
    pub fn gives_amounts(&self) -> bool {
        self.ahead.iter().flat_map(|moment| &moment.set).any(|change| matches!(change.what, Quantity::Species(_)))
    }

    /// Sets what is set up to a time \[s\]; returns whether anything is.
    pub fn apply(&mut self, t: f64, course: &mut Course<'_>) -> Result<bool, Error> {
        let (now, ahead) = self.ahead.split_at(self.ahead.iter().take_while(|moment| moment.t <= t).count());
        self.ahead = ahead;
        for moment in now {
            for change in &moment.set {
                match change.what {
                    Quantity::Temperature if !self.warm => course.at.temperature.fill(change.value),
                    Quantity::Pressure => self.pressure = Some(change.value),
                    Quantity::Fixed(i) => self.set.push(i),
                    _ => {}
                }
            }
            let air = self.fill(course);
            moment.set.iter().try_for_each(|change| set(moment.t, change, air, course))?;
        }
        Ok(!now.is_empty())
    }

    /// Gives the air the density P/(kT) \[molecule/cm³\], and third bodies that of the air, unless the command line or a moment
    /// says them. Returns the density, if it is known.
    fn fill(&self, course: &mut Course<'_>) -> Option<f64> {
        let scheme = course.scheme;
        let input = |name: &str| scheme.input_names().iter().position(|known| known == name);
        let chosen = |place: &(List, usize), course: &Course<'_>| course.chosen.contains(place);
        let given = |name: &str| {
            let place = input(name).filter(|&i| chosen(&(List::Inputs, i), course))?;
            Some(course.at.inputs[place])
        };
        let [pressure, density] = course.air;
        let pressure = pressure.or_else(|| given(PRESSURE)).or(self.pressure);
        let of_pressure = |pressure: f64| 1e-6 * pressure / (BOLTZMANN * course.at.temperature[0]);
        let density = density.or_else(|| given(AIR)).or_else(|| pressure.map(of_pressure));
        let inputs = [(AIR, density), (PRESSURE, pressure)];
        let inputs = inputs.into_iter().filter_map(|(name, value)| Some((List::Inputs, input(name)?, value?)));
        let bodies = scheme.model().fixed.iter().enumerate();
        let bodies = bodies.filter(|(i, part)| part.third_body && !self.set.contains(i));
        for (list, i, value) in inputs.chain(bodies.filter_map(|(i, _)| Some((List::Fixed, i, density?)))) {
            if !chosen(&(list, i), course) {
                course.put(list, i, value);
            }
        }
        density
    }
}

/// Makes a change at a time \[s\], unless the command line says otherwise; `air` is the density of the air.
fn set(t: f64, change: &Change, air: Option<f64>, course: &mut Course<'_>) -> Result<(), Error> {
    let (list, i) = match change.what {
        Quantity::Temperature | Quantity::Pressure => return Ok(()),
        Quantity::Species(i) => (List::Species, i),
        Quantity::Fixed(i) => (List::Fixed, i),
        Quantity::Input(i) => (List::Inputs, i),
        Quantity::Photolysis(i) => (List::Photolysis, i),
    };
    // An amount of the command line is the one at the beginning.
    if course.chosen.contains(&(list, i)) && (list != List::Species || t == 0.0) {
        return Ok(());
    }
    let whole = if change.of_air { air.ok_or(SettingFault::NoAir)? } else { 1.0 };
    course.put(list, i, whole * change.value);
    Ok(())
}
