//! Reaction schemes: the chemistry of an atmosphere, the burning of a star.

mod cells;
mod parcel;
mod solver;

pub use cells::{Conditions, SchemeStates};
pub use parcel::{Parcel, ParcelError};
pub use solver::SchemeSolver;

use crate::error::{BatchError, MechanismError};
use kinlane_mech::network::{AVOGADRO, ELECTRON_VOLT};
use kinlane_mech::reaclib;
use kinlane_mech::read::{self, ReadOptions};
use kinlane_mech::scheme::{self, Field, Part};
use kinlane_mech::validate::nearest;
use kinlane_plan::plan::{Instruction, Operation, RateProgram};
use kinlane_plan::{Conversion, Plan};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A reaction scheme: mass action whose rate constants depend on the surroundings of a cell (temperature, light, air,
/// density), not on thermodynamics. It is read from KPP files, a configuration of MUSICA, a FERN network or a
/// REACLIB library. Cheap to clone.
///
/// | | atmosphere (KPP, MUSICA) | star (FERN, REACLIB) |
/// |---|---|---|
/// | amounts | number densities \[molecule/cm³\], or what the file is made for | abundances \[mol/g\] |
/// | temperature | K | GK |
/// | rate constants | in molecule, cm³, s | in mol, g, s, with the density in them |
#[derive(Debug, Clone)]
pub struct Scheme {
    pub(crate) model: Arc<scheme::Scheme>,
    pub(crate) plan: Arc<Plan>,
    pub(crate) program: Arc<RateProgram>,
    species: Arc<[String]>,
    fixed: Arc<[String]>,
    inputs: Arc<[String]>,
    excesses: Option<Arc<[f64]>>,
}

/// One MeV per particle, in erg/mol.
const MEV: f64 = 1e13 * ELECTRON_VOLT * AVOGADRO;

impl Scheme {
    /// Reads a scheme; its format is recognised by content.
    ///
    /// # Errors
    /// [`MechanismError::Refused`] with every problem found, each with its place.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, MechanismError> {
        Self::load_with(path, &ReadOptions::default())
    }

    /// As [`Scheme::load`], but the caller chooses the format, the file of rates of a FERN network, or the nuclides and
    /// partition functions of a REACLIB library.
    ///
    /// # Errors
    /// As [`Scheme::load`].
    pub fn load_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, MechanismError> {
        Ok(Self::from_model(read::read_scheme(path.as_ref(), options)?))
    }

    /// Reads a scheme from text; `name` stands for it in messages, and what is left of it without its ending in reports. Files that
    /// the text names are looked for in the working folder.
    ///
    /// # Errors
    /// As [`Scheme::load`].
    pub fn from_text(name: &str, text: &str) -> Result<Self, MechanismError> {
        Self::from_text_with(name, text, &ReadOptions::default())
    }

    /// As [`Scheme::from_text`], with options as [`Scheme::load_with`] takes them.
    ///
    /// # Errors
    /// As [`Scheme::load`].
    pub fn from_text_with(name: &str, text: &str, options: &ReadOptions) -> Result<Self, MechanismError> {
        Ok(Self::from_model(read::read_scheme_str((name, text), options)?))
    }

    /// Lowers a scheme that the caller has read or built.
    ///
    /// # Panics
    /// If the scheme names a species that it does not contain. Schemes from readers do not.
    pub fn from_model(model: scheme::Scheme) -> Self {
        let names = |parts: &[Part]| parts.iter().map(|s| s.name.clone()).collect();
        let masses: Vec<f64> = model.species.iter().map(|s| s.weight).collect();
        let conversions: Vec<Conversion<'_>> =
            model.reactions.iter().map(|r| Conversion { reactants: &r.reactants, products: &r.products }).collect();
        Self {
            plan: Arc::new(Plan::given(&masses, &conversions)),
            program: Arc::new(RateProgram::new(&model)),
            species: names(&model.species),
            fixed: names(&model.fixed),
            inputs: model.inputs.iter().map(|i| i.0.clone()).collect(),
            excesses: model.species.iter().map(|s| s.excess).collect(),
            model: Arc::new(model),
        }
    }

    /// The same scheme with electron captures that follow the abundance of electrons; in others it is that of the beginning of
    /// a call. Species are the same, reactions are not: a capture becomes one for each charged nuclide, so this is for
    /// advancing, not for reports of rates.
    #[must_use]
    pub fn following_electrons(&self) -> Self {
        reaclib::following(&self.model).map_or_else(|| self.clone(), Self::from_model)
    }

    /// The file's stem.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// What it describes.
    pub fn field(&self) -> Field {
        self.model.field
    }

    /// Species that evolve, in the order of every `[.., species]` array.
    pub fn species_names(&self) -> &[String] {
        &self.species
    }

    /// Number of species that evolve.
    pub fn species_count(&self) -> usize {
        self.species.len()
    }

    /// What the amount of each species is multiplied by where species are compared: in a star its mass \[g/mol\], so that
    /// abundances become mass fractions; in an atmosphere 1.
    pub fn weights(&self) -> &[f64] {
        &self.plan.molar_mass
    }

    /// Mass fractions of abundances \[mol/g\], both \[n, species\].
    pub fn mass_fractions(&self, abundances: &[f64]) -> Vec<f64> {
        abundances.iter().zip(self.weights().iter().cycle()).map(|(y, w)| y * w).collect()
    }

    /// Abundances \[mol/g\] of mass fractions, both \[n, species\].
    pub fn abundances(&self, fractions: &[f64]) -> Vec<f64> {
        fractions.iter().zip(self.weights().iter().cycle()).map(|(x, w)| x / w).collect()
    }

    /// Index of a species that must be there, by exact name.
    ///
    /// # Errors
    /// [`BatchError::UnknownSpecies`], with the nearest name.
    pub fn require(&self, name: &str) -> Result<usize, BatchError> {
        self.species_index(name).ok_or_else(|| {
            let nearest = nearest(name, self.species.iter().map(String::as_str)).map(str::to_owned);
            BatchError::UnknownSpecies { name: name.to_owned(), nearest }
        })
    }

    /// Index of a species in `species_names`, by exact name.
    pub fn species_index(&self, name: &str) -> Option<usize> {
        self.species.iter().position(|s| s == name)
    }

    /// Species that enter rates but do not change.
    pub fn fixed_names(&self) -> &[String] {
        &self.fixed
    }

    /// Names of the photolysis frequencies that rate constants use.
    pub fn photolysis_names(&self) -> &[String] {
        &self.model.photolysis
    }

    /// Further names that rate constants use.
    pub fn input_names(&self) -> &[String] {
        &self.inputs
    }

    /// Mass excesses of the atoms of all nuclides \[MeV\], if they are known: those of a FERN network are in its file, those of
    /// a REACLIB network of NUBASE2020.
    pub fn mass_excesses(&self) -> Option<&[f64]> {
        self.excesses.as_deref()
    }

    /// The energy that is released \[erg/g\] where reactions change abundances by `change` \[mol/g\], one number per nuclide; or
    /// per second, from rates. That of neutrinos is in it. `None` if a mass is not known.
    ///
    /// ```text
    /// ε = −N_A Σ ΔY_i Δm_i c²
    /// ```
    pub fn energy(&self, change: &[f64]) -> Option<f64> {
        let lost = |excesses: &[f64]| -> f64 { change.iter().zip(excesses).map(|(dy, m)| dy * m).sum() };
        self.mass_excesses().map(|excesses| 0.0 - MEV * lost(excesses))
    }

    /// The energy \[erg/mol\] that a mole of a nuclide has been made of: less than nothing, where it takes energy to make it.
    pub(crate) fn energy_of(&self, part: &Part) -> f64 {
        -MEV * part.excess.unwrap_or(f64::NAN)
    }

    /// Whether a rate constant depends on an amount that changes: it is that of the beginning of a call.
    pub fn has_amounts_in_rates(&self) -> bool {
        let at = self.program.surroundings;
        self.reads(at.species..at.fixed)
    }

    /// Whether a rate constant depends on the temperature.
    pub fn has_temperature_in_rates(&self) -> bool {
        let at = self.program.surroundings;
        self.reads(at.temperature..at.temperature + 1)
    }

    /// Whether what computes the rate constants reads one of these values of a cell.
    fn reads(&self, values: Range<usize>) -> bool {
        let of = |instruction: &Instruction| match instruction {
            Instruction::Set { of: Operation::Input(i), .. } => values.contains(i),
            _ => false,
        };
        self.program.instructions.iter().any(of)
    }

    /// Number of reactions.
    pub fn reaction_count(&self) -> usize {
        self.model.reactions.len()
    }

    /// The absolute tolerance that suits the amounts, unless the file counts in a unit of its own: 1e-3 molecules per cm³
    /// in an atmosphere, 1e-12 of mass in a star.
    pub fn usual_atol(&self) -> f64 {
        match self.field() {
            Field::Atmosphere => 1e-3,
            Field::Star => crate::USUAL_ATOL,
        }
    }

    /// The scheme that was read, with the place of every item in its source text.
    pub fn model(&self) -> &scheme::Scheme {
        &self.model
    }

    /// Sizes of its matrices, and the work and memory for a cell.
    pub fn sizes(&self) -> crate::Sizes {
        crate::Sizes::of(&self.plan)
    }
}
