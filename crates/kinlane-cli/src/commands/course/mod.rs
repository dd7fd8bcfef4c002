//! One cell of a reaction scheme over time: `kinlane box` for the air in a box, `kinlane burn` for a zone of a star.

mod air;
mod fault;
mod output;
mod sky;
mod star;
mod timeline;
mod trajectory;

pub use air::{BoxArgs, run as run_box};
pub use fault::SettingFault;
pub use star::{BurnArgs, run as run_burn};

use super::total::Total;
use crate::args::{MechanismArgs, SchemeArgs};
use crate::error::Error;
use crate::files::scheme::PRESSURE;
use crate::run::{setup, stop};
use kinlane::mech::reaclib::{canonical, meant};
use kinlane::mech::scheme::{AIR, Field};
use kinlane::mech::validate::nearest;
use kinlane::{
    BatchError, Conditions, Options, Parcel, ParcelError, Report, Scheme, SchemeSolver, SchemeStates, Status,
};

/// A value by name, from the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    name: String,
    value: f64,
    /// Whether the value is that where the sun is 1, and follows it.
    follows: bool,
}

impl std::str::FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
        let product = value.split_once('*').filter(|(_, of)| of.trim().eq_ignore_ascii_case(sky::SUN));
        let value = product.map_or(value, |(value, _)| value).trim();
        let number = value.parse::<f64>().ok().filter(|x| x.is_finite());
        let number = number.ok_or_else(|| match value.to_ascii_uppercase().contains(sky::SUN) {
            true => "write what follows the sun as a number times SUN: 8e-3*SUN".to_owned(),
            false => format!("`{value}` is not a number"),
        })?;
        Ok(Self { name: name.trim().to_owned(), value: number, follows: product.is_some() })
    }
}

/// The scheme of the command line, for one field.
fn scheme(args: &MechanismArgs, more: &SchemeArgs, command: &'static str, field: Field) -> Result<Scheme, Error> {
    let wrong = || Error::OtherCommand {
        command,
        takes: match field {
            Field::Atmosphere => "the chemistry of an atmosphere (KPP, MUSICA)",
            Field::Star => "a network of nuclides (FERN, REACLIB)",
        },
    };
    let Some(scheme) = setup::scheme(args, more)? else {
        // What nobody can read is refused by the reader of gas-phase mechanisms, which says why.
        setup::mechanism(args)?;
        return Err(wrong());
    };
    if scheme.field() == field { Ok(scheme) } else { Err(wrong()) }
}

/// The index of a name that a user has written, among names of a scheme.
fn find(scheme: &Scheme, names: &[String], name: &str) -> Option<usize> {
    let exact = names.iter().position(|n| n == name);
    let folded = || names.iter().position(|n| n.eq_ignore_ascii_case(name));
    let nuclide = || names.iter().position(|n| *n == canonical(name)).filter(|_| scheme.field() == Field::Star);
    exact.or_else(folded).or_else(nuclide)
}

/// The error for a name that a scheme does not have, with the one that may be meant.
fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str> + Clone) -> Error {
    // Networks have he4 where others have 4He, or the other way round.
    let nuclide = |name: &str| meant(name).unwrap_or_else(|| canonical(name));
    let near = names.clone().find(|n| nuclide(n) == nuclide(name)).or_else(|| nearest(name, names));
    SettingFault::Unknown { name: name.to_owned(), nearest: near.map(str::to_owned) }.into()
}

/// Why a cell cannot go on, and what may help.
fn in_words(status: Status) -> String {
    match status {
        Status::TooManySteps => format!("{status}; try a looser --rtol and --atol, or more --max-steps"),
        other => other.to_string(),
    }
}

/// Advances a parcel by `h` \[s\] while its surroundings change; the clock of the course began at `begin` \[s\] of the parcel's.
fn drive(parcel: &mut Parcel, h: f64, begin: f64, around: impl Fn(f64, &mut Conditions)) -> Result<(), Error> {
    let moved = parcel.advance_while(h, around, || !stop::asked());
    stop::check()?;
    moved.map(drop).map_err(|fault| match fault {
        ParcelError::Stopped { status, time, not_finite } => {
            let of = not_finite.map(|label| format!(": the rate constant of {label} is not finite"));
            Error::Course { t: time - begin, fault: in_words(status) + &of.unwrap_or_default() }
        }
        other => other.into(),
    })
}

/// Quantities of a cell, which have names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    /// Amounts of species that evolve.
    Species,
    /// Amounts of fixed species.
    Fixed,
    /// Further inputs.
    Inputs,
    /// Photolysis frequencies.
    Photolysis,
    /// What the air is by, where it is no input: [`AIR_BY`].
    Air,
}

/// The pressure \[Pa\] and the density of the air \[molecule/cm³\], from which parts of the air follow in files of music-box.
const AIR_BY: [&str; 2] = [PRESSURE, AIR];

/// A cell that is followed, with its solver.
struct Course<'a> {
    scheme: &'a Scheme,
    solver: SchemeSolver,
    at: Conditions,
    /// Inputs, frequencies and fixed species that have a value.
    known: [Vec<bool>; 3],
    /// What the command line has set.
    chosen: Vec<(List, usize)>,
    /// The values of [`AIR_BY`] that the command line has set, and rates do not use.
    air: [Option<f64>; 2],
    /// Frequencies that follow the sun, each with its value where the sun is 1.
    following: Vec<(usize, f64)>,
    /// Cost so far.
    total: Total,
}

impl<'a> Course<'a> {
    /// The cell with which the file begins, at a temperature \[K\], or \[GK\] in a star with a density \[g/cm³\].
    fn new(scheme: &'a Scheme, options: Options, temperature: f64, density: Option<f64>) -> Result<Self, Error> {
        let model = scheme.model();
        let amounts = |parts: &[kinlane::mech::scheme::Part]| parts.iter().map(|s| s.initial).collect::<Vec<f64>>();
        let solver = SchemeSolver::builder(scheme).options(options).threads(1).plan();
        let solver = solver.map_err(|fault| Error::from(fault).without_first_step())?;
        stop::connect(solver.stop_flag());
        Ok(Self {
            scheme,
            solver,
            at: Conditions {
                temperature: vec![temperature],
                density: density.into_iter().collect(),
                photolysis: vec![0.0; model.photolysis.len()],
                inputs: model.inputs.iter().map(|(_, value)| value.unwrap_or(0.0)).collect(),
                fixed: amounts(&model.fixed),
                amounts: amounts(&model.species),
            },
            known: [
                model.inputs.iter().map(|(_, value)| value.is_some()).collect(),
                vec![false; model.photolysis.len()],
                model.fixed.iter().map(|part| !part.third_body).collect(),
            ],
            chosen: Vec::new(),
            air: [None; 2],
            following: Vec::new(),
            total: Total::default(),
        })
    }

    /// Gives a quantity a value.
    fn put(&mut self, list: List, i: usize, value: f64) {
        let (at, [inputs, frequencies, fixed]) = (&mut self.at, &mut self.known);
        let (place, known) = match list {
            List::Species => return at.amounts[i] = value,
            List::Air => return self.air[i] = Some(value),
            List::Fixed => (&mut at.fixed[i], &mut fixed[i]),
            List::Inputs => (&mut at.inputs[i], &mut inputs[i]),
            List::Photolysis => (&mut at.photolysis[i], &mut frequencies[i]),
        };
        (*place, *known) = (value, true);
    }

    /// Whether a quantity has a value.
    fn is_known(&self, list: List, i: usize) -> bool {
        let [inputs, frequencies, fixed] = &self.known;
        match list {
            List::Species => true,
            List::Fixed => fixed[i],
            List::Inputs => inputs[i],
            List::Photolysis => frequencies[i],
            List::Air => self.air[i].is_some(),
        }
    }

    /// Sets what the command line says, of inputs, photolysis frequencies (`J.no2` is one, `J` all of them) and amounts.
    fn set(&mut self, settings: &[Setting]) -> Result<(), Error> {
        let scheme = self.scheme;
        let light = scheme.photolysis_names();
        let parts = [
            (List::Species, scheme.species_names()),
            (List::Fixed, scheme.fixed_names()),
            (List::Inputs, scheme.input_names()),
        ];
        let (mut places, mut all_light) = (Vec::new(), false);
        for Setting { name, value, follows } in settings {
            // A photolysis frequency may be called as its species is, but for the case.
            let exact = || parts.iter().find_map(|(list, names)| Some((*list, names.iter().position(|n| n == name)?)));
            let frequency = |name: &str| Some((List::Photolysis, find(scheme, light, name)?));
            let folded = || parts.iter().find_map(|(list, names)| Some((*list, find(scheme, names, name)?)));
            let of_light = || name.strip_prefix("J.").and_then(frequency);
            let pressure = || Some((List::Inputs, find(scheme, parts[2].1, PRESSURE).filter(|_| name == "P")?));
            let place = exact().or_else(of_light).or_else(folded).or_else(|| frequency(name)).or_else(pressure);
            let by = |own: &str| own.eq_ignore_ascii_case(name) || own == PRESSURE && name == "P";
            let air = || AIR_BY.iter().position(|own| by(own)).filter(|_| !scheme.model().moments.is_empty());
            let place = place.or_else(|| Some((List::Air, air()?)));
            let called = place.and_then(|(list, i)| Some(&parts.iter().find(|part| part.0 == list)?.1[i]));
            if let Some(part) = called.filter(|part| light.contains(name) && *part != name) {
                return Err(SettingFault::Ambiguous { name: name.clone(), part: part.clone() }.into());
            }
            let all = place.is_none() && name == "J" && !light.is_empty();
            if place.is_some_and(|place| places.contains(&place)) || all && all_light {
                return Err(SettingFault::Twice { name: name.clone() }.into());
            }
            all_light |= all;
            places.extend(place);
            if *follows && place.is_some_and(|(list, _)| list != List::Photolysis) {
                return Err(SettingFault::NotInTheSun { name: name.clone() }.into());
            }
            // One that stands is looked at with all that a cell has; at night this one would be zero.
            if *follows && *value < 0.0 {
                return Err(SettingFault::NegativeLight { name: name.clone(), value: *value }.into());
            }
            match place {
                Some(place) => self.choose(place, *value, *follows),
                None if all => {
                    // Of those that have no value of their own.
                    let free: Vec<usize> = (0..light.len()).filter(|&i| !self.known[1][i]).collect();
                    free.into_iter().for_each(|i| self.choose((List::Photolysis, i), *value, *follows));
                }
                None if ["T", "T9", "TEMP", "temperature"].iter().any(|own| own.eq_ignore_ascii_case(name)) => {
                    let option = if scheme.field() == Field::Star { "--T9" } else { "--T" };
                    return Err(SettingFault::OwnOption { name: name.clone(), option }.into());
                }
                None => {
                    let names = parts.iter().map(|part| part.1).chain([light]);
                    return Err(unknown(name, names.flat_map(|names| names.iter().map(String::as_str))));
                }
            }
        }
        Ok(())
    }

    /// Sets one thing that the command line says.
    fn choose(&mut self, (list, i): (List, usize), value: f64, follows: bool) {
        self.put(list, i, value);
        self.chosen.push((list, i));
        if list == List::Photolysis {
            // It may have a value of all frequencies already.
            self.following.retain(|(other, _)| *other != i);
            self.following.extend(follows.then_some((i, value)));
        }
    }

    /// Sets mass fractions, if there are any; those of other nuclides are then zero.
    fn set_fractions(&mut self, fractions: &[Setting]) -> Result<(), Error> {
        if fractions.is_empty() {
            return Ok(());
        }
        self.at.amounts.fill(0.0);
        self.set(fractions)?;
        self.at.amounts = self.scheme.abundances(&self.at.amounts);
        Ok(())
    }

    /// Refuses to begin while something has no value. Of a third body there is as much as air where nothing else is said.
    fn complete(&mut self) -> Result<(), Error> {
        let [inputs, _, fixed] = &mut self.known;
        let air = self.scheme.input_names().iter().position(|name| name == AIR).filter(|&i| inputs[i]);
        for (amount, known) in self.at.fixed.iter_mut().zip(fixed).filter(|(_, known)| !**known) {
            let Some(air) = air else { continue };
            (*amount, *known) = (self.at.inputs[air], true);
        }
        let frequencies = self.scheme.photolysis_names().iter().map(|name| format!("J.{name}"));
        let names = self.scheme.input_names().iter().cloned().chain(frequencies);
        // A third body follows from the air.
        let follows = air.is_none() && self.scheme.input_names().iter().any(|name| name == AIR);
        let names = names.chain(self.scheme.fixed_names().iter().cloned());
        let [of_inputs, of_frequencies, of_fixed] = &self.known;
        let of_fixed = of_fixed.iter().map(|known| *known || follows);
        let known = of_inputs.iter().chain(of_frequencies).copied().chain(of_fixed);
        let missing: Vec<String> = names.zip(known).filter(|(_, known)| !known).map(|(name, _)| name).collect();
        if !missing.is_empty() {
            return Err(SettingFault::NotSet { names: missing }.into());
        }
        // Whatever cannot be a cell is an error of the input.
        let cell = SchemeStates::new(self.scheme, self.at.clone());
        cell.map(drop).map_err(|fault| SettingFault::Cell(fault).into())
    }

    /// Whether a rate constant depends on the temperature, near the one that the cell has.
    fn feels_temperature(&mut self) -> bool {
        let mut constants = |factor: f64| {
            let mut at = self.at.clone();
            at.temperature.iter_mut().for_each(|t| *t *= factor);
            self.solver.constants(&SchemeStates::new(self.scheme, at).ok()?).ok()
        };
        constants(1.0).zip(constants(1.01)).is_none_or(|(here, there)| here != there)
    }

    /// Advances the cell by `h` \[s\]; `t` \[s\] is told of where it fails.
    fn advance(&mut self, t: f64, h: f64) -> Result<(), Error> {
        stop::check()?;
        let refused = |fault| Error::Course { t, fault };
        let mut states = SchemeStates::new(self.scheme, self.at.clone()).map_err(|e| refused(e.to_string()))?;
        let report: Report = self.solver.advance(&mut states, h).map_err(|e| match e {
            // As of a cell that is followed below a sky that moves.
            BatchError::Coarse { .. } => ParcelError::Batch(e).into(),
            e => refused(e.to_string()),
        })?;
        stop::check()?;
        self.total.go_on(&report);
        if let Some((_, outcome)) = states.failures().next() {
            let why = in_words(outcome.status);
            return Err(refused(match self.solver.not_finite() {
                Some((_, label)) => format!("{why}: the rate constant of {label} is not finite"),
                None => why,
            }));
        }
        self.at.amounts = states.amounts().to_vec();
        Ok(())
    }
}
