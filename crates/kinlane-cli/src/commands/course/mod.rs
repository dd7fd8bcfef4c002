//! One cell of a reaction scheme over time: `kinlane box` for the air in a box, `kinlane burn` for a zone of a star.

mod air;
mod output;
mod star;

pub use air::{BoxArgs, run as run_box};
pub use star::{BurnArgs, run as run_burn};

use crate::args::{MechanismArgs, SchemeArgs};
use crate::error::Error;
use crate::run::{setup, stop};
use kinlane::mech::scheme::Field;
use kinlane::mech::validate::nearest;
use kinlane::{Conditions, Options, Report, Scheme, SchemeSolver, SchemeStates};

/// A value by name, from the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    name: String,
    value: f64,
}

impl std::str::FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
        let number = value.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let value = number.ok_or_else(|| format!("`{}` is not a number", value.trim()))?;
        Ok(Self { name: name.trim().to_owned(), value })
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
    let scheme = setup::scheme(args, more)?.ok_or_else(wrong)?;
    if scheme.field() == field { Ok(scheme) } else { Err(wrong()) }
}

/// A cell that is followed, with its solver.
struct Course<'a> {
    scheme: &'a Scheme,
    solver: SchemeSolver,
    at: Conditions,
    /// Inputs and frequencies that have a value.
    known: [Vec<bool>; 2],
    /// Cost so far.
    steps: u64,
    seconds: f64,
}

impl<'a> Course<'a> {
    /// The cell with which the file begins, at a temperature \[K\], or \[GK\] in a star with a density \[g/cm³\].
    fn new(scheme: &'a Scheme, options: Options, temperature: f64, density: Option<f64>) -> Result<Self, Error> {
        let model = scheme.model();
        let amounts = |parts: &[kinlane::mech::scheme::Part]| parts.iter().map(|s| s.initial).collect::<Vec<f64>>();
        let solver = SchemeSolver::builder(scheme).options(options).threads(1).plan()?;
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
            ],
            steps: 0,
            seconds: 0.0,
        })
    }

    /// Sets what the command line says, of inputs, photolysis frequencies (`J` is all of them) and amounts.
    fn set(&mut self, settings: &[Setting]) -> Result<(), Error> {
        let scheme = self.scheme;
        let [inputs, frequencies] = &mut self.known;
        for Setting { name, value } in settings {
            let find = |names: &[String]| {
                let exact = names.iter().position(|n| n == name);
                exact.or_else(|| names.iter().position(|n| n.eq_ignore_ascii_case(name)))
            };
            if let Some(i) = find(scheme.species_names()) {
                self.at.amounts[i] = *value;
            } else if let Some(i) = find(scheme.fixed_names()) {
                self.at.fixed[i] = *value;
            } else if let Some(i) = find(scheme.input_names()) {
                (self.at.inputs[i], inputs[i]) = (*value, true);
            } else if let Some(i) = find(scheme.photolysis_names()) {
                (self.at.photolysis[i], frequencies[i]) = (*value, true);
            } else if name == "J" && !frequencies.is_empty() {
                self.at.photolysis.fill(*value);
                frequencies.fill(true);
            } else {
                let all =
                    [scheme.species_names(), scheme.fixed_names(), scheme.input_names(), scheme.photolysis_names()];
                let near = nearest(name, all.iter().flat_map(|names| names.iter().map(String::as_str)));
                return Err(Error::Setting { name: name.clone(), nearest: near.map(str::to_owned) });
            }
        }
        Ok(())
    }

    /// Sets mass fractions, if there are any; those of other nuclides are then zero.
    fn set_fractions(&mut self, fractions: &[Setting]) -> Result<(), Error> {
        if fractions.is_empty() {
            return Ok(());
        }
        self.at.amounts.fill(0.0);
        self.set(fractions)?;
        let species = self.scheme.model().species.iter();
        self.at.amounts.iter_mut().zip(species).for_each(|(y, nuclide)| *y /= nuclide.weight);
        Ok(())
    }

    /// Refuses to begin while something has no value.
    fn complete(&self) -> Result<(), Error> {
        let names = [self.scheme.input_names(), self.scheme.photolysis_names()];
        let missing = names.iter().zip(&self.known).flat_map(|(names, known)| names.iter().zip(known));
        let missing: Vec<String> = missing.filter(|(_, known)| !**known).map(|(name, _)| name.clone()).collect();
        if missing.is_empty() { Ok(()) } else { Err(Error::NotSet { names: missing }) }
    }

    /// Advances the cell by `h` \[s\]; `t` \[s\] is told of where it fails.
    fn advance(&mut self, t: f64, h: f64) -> Result<(), Error> {
        stop::check()?;
        let refused = |fault| Error::Course { t, fault };
        let mut states = SchemeStates::new(self.scheme, self.at.clone()).map_err(|e| refused(e.to_string()))?;
        let report: Report = self.solver.advance(&mut states, h).map_err(|e| refused(e.to_string()))?;
        stop::check()?;
        self.steps += report.steps;
        self.seconds += report.seconds;
        if let Some((_, outcome)) = states.failures().next() {
            return Err(refused(outcome.status.to_string()));
        }
        self.at.amounts = states.amounts().to_vec();
        Ok(())
    }
}
