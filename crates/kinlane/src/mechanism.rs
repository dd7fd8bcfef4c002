//! A mechanism, read and lowered once, and shared by every solver that uses it.

use crate::bundled::{self, Bundled};
use crate::error::{BatchError, MechanismError};
use kinlane_mech::network::Species;
use kinlane_mech::read::{self, Format, ReadOptions, Refusal};
use kinlane_mech::validate::nearest;
use kinlane_mech::{Diagnostic, Network, Sources, cantera, codes};
use kinlane_plan::Plan;
use kinlane_plan::plan::Features;
use std::path::Path;
use std::sync::Arc;

/// A reaction mechanism. Cheap to clone: clones share one plan.
#[derive(Debug, Clone)]
pub struct Mechanism {
    network: Arc<Network>,
    plan: Arc<Plan>,
    names: Arc<[String]>,
}

impl Mechanism {
    /// Reads a mechanism file; its format is recognised by content.
    ///
    /// # Errors
    /// [`MechanismError::Refused`] with every problem found, each with its place.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, MechanismError> {
        Self::load_with(path, &ReadOptions::default())
    }

    /// As [`Mechanism::load`], but the caller chooses the format, the phase or the thermodynamics file.
    ///
    /// # Errors
    /// As [`Mechanism::load`].
    pub fn load_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, MechanismError> {
        Ok(Self::from_network(read::read(path.as_ref(), options)?))
    }

    /// Reads a mechanism from memory, for example where one MPI rank has read the file for all: its text and,
    /// for CHEMKIN, that of its thermodynamics if they are separate. `name` stands for the file in messages.
    ///
    /// # Errors
    /// As [`Mechanism::load`].
    ///
    /// ```
    /// let text = "
    /// phases: [{name: gas, thermo: ideal-gas, elements: [Ar], species: [AR]}]
    /// species:
    /// - name: AR
    ///   composition: {Ar: 1}
    ///   thermo: {model: constant-cp, s0: 154.85 J/mol/K, cp0: 20.786 J/mol/K}
    /// ";
    /// assert_eq!(kinlane::Mechanism::from_text("argon.yaml", text, None)?.species_names(), ["AR"]);
    /// # Ok::<(), kinlane::MechanismError>(())
    /// ```
    pub fn from_text(name: &str, text: &str, thermo: Option<&str>) -> Result<Self, MechanismError> {
        Self::from_text_with(name, text, thermo, &ReadOptions::default())
    }

    /// As [`Mechanism::from_text`], of a format or a phase, or with thermodynamics in a file, as the options say.
    ///
    /// # Errors
    /// As [`Mechanism::load`].
    pub fn from_text_with(
        name: &str,
        text: &str,
        thermo: Option<&str>,
        options: &ReadOptions,
    ) -> Result<Self, MechanismError> {
        let thermo = thermo.map(|thermo| ("thermodynamics", thermo));
        Ok(Self::from_network(read::read_str((name, text), thermo, options)?))
    }

    /// A mechanism of [`BUNDLED`](crate::BUNDLED), by name.
    ///
    /// # Errors
    /// [`MechanismError::NotFound`].
    pub fn bundled(name: &str) -> Result<Self, MechanismError> {
        let bundled = bundled::find(name).ok_or_else(|| not_found(name.as_ref()))?;
        Ok(Self::from_network(read_bundled(bundled, None)?))
    }

    /// The mechanism that `gri30` or `some/mech.yaml` means on a command line: the file if there is one, else
    /// the bundled mechanism of that name.
    ///
    /// # Errors
    /// [`MechanismError::NotFound`], or as [`Mechanism::load`].
    pub fn open(name_or_path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, MechanismError> {
        Ok(Self::from_network(Self::open_network(name_or_path, options)?))
    }

    /// The network of [`Mechanism::open`] alone, which for large ones takes a part of the time.
    ///
    /// # Errors
    /// As [`Mechanism::open`].
    pub fn open_network(name_or_path: impl AsRef<Path>, options: &ReadOptions) -> Result<Network, MechanismError> {
        let path = name_or_path.as_ref();
        match path.to_str().and_then(bundled::find) {
            Some(b) if !path.is_file() => {
                if options.format.is_some_and(|format| format != Format::Cantera) {
                    let message = format!("`--format` does not apply: `{}` is bundled, as Cantera YAML", b.name);
                    let fault = Diagnostic::error(codes::UNKNOWN_OPTION, message).help("leave the option out");
                    return Err(Refusal::new(fault, Sources::default()).into());
                }
                read::suits(path, Format::Cantera, options, options.thermo.is_some())?;
                read_bundled(b, options.phase.as_deref())
            }
            None if !path.exists() => Err(not_found(path)),
            _ => Ok(read::read(path, options)?),
        }
    }

    /// Lowers a network that the caller has read or built.
    ///
    /// # Panics
    /// If the network names an element, a species or a place of a list that it does not contain. Networks
    /// from readers do not.
    pub fn from_network(network: Network) -> Self {
        let names = network.species.iter().map(|s| s.name.clone()).collect();
        Self { plan: Arc::new(Plan::new(&network)), network: Arc::new(network), names }
    }

    /// The same mechanism, planned so that cells may have factors on rate constants
    /// ([`States::with_factors`]). Its solvers are a little slower.
    ///
    /// [`States::with_factors`]: crate::States::with_factors
    pub fn perturbable(&self) -> Self {
        let plan = Plan::with(&self.network, Features { factors: true, ..Features::default() });
        Self { plan: Arc::new(plan), ..self.clone() }
    }

    /// Whether it was made by [`Mechanism::perturbable`].
    pub fn is_perturbable(&self) -> bool {
        self.plan.kinetics.excess.len > 0
    }

    /// The phase's name, or the file's stem.
    pub fn name(&self) -> &str {
        &self.network.name
    }

    /// Species names, in the order of every `[.., species]` array.
    pub fn species_names(&self) -> &[String] {
        &self.names
    }

    /// Number of species.
    pub fn species_count(&self) -> usize {
        self.names.len()
    }

    /// Number of reactions.
    pub fn reaction_count(&self) -> usize {
        self.network.reactions.len()
    }

    /// Below this temperature \[K\] some reverse rates leave the range of floating-point numbers, and a cell with
    /// all products of such a reaction ends with status 3; zero if there is no such temperature.
    pub fn cold_limit(&self) -> f64 {
        self.plan.thermo.cold.below
    }

    /// Index of a species in `species_names`, by exact name.
    pub fn species_index(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|s| s == name)
    }

    /// As [`Mechanism::species_index`], with an error that suggests the nearest name.
    ///
    /// # Errors
    /// [`BatchError::UnknownSpecies`].
    pub fn require(&self, name: &str) -> Result<usize, BatchError> {
        self.species_index(name).ok_or_else(|| {
            let nearest = nearest(name, self.names.iter().map(String::as_str)).map(str::to_owned);
            BatchError::UnknownSpecies { name: name.to_owned(), nearest }
        })
    }

    /// Molar masses \[kg/mol\], in species order.
    pub fn molar_masses(&self) -> impl ExactSizeIterator<Item = f64> {
        self.network.species.iter().map(|s| s.molar_mass)
    }

    /// Element symbols.
    pub fn elements(&self) -> impl ExactSizeIterator<Item = &str> {
        self.network.elements.iter().map(|e| e.symbol.as_str())
    }

    /// Moles per kilogram Y_k/W_k \[mol/kg\] for mass fractions, both in species order.
    ///
    /// # Panics
    /// If there is not one mass fraction for each species.
    pub fn specific_moles(&self, y: &[f64]) -> Vec<f64> {
        assert_eq!(y.len(), self.species_count(), "mass fractions and species");
        y.iter().zip(self.molar_masses()).map(|(y, w)| y / w).collect()
    }

    /// Mass fractions for moles of every species (or moles per kilogram; any total), both in species order.
    /// NaN if the moles sum to zero.
    ///
    /// # Panics
    /// If there is not one number for each species.
    pub fn mass_fractions(&self, moles: &[f64]) -> Vec<f64> {
        assert_eq!(moles.len(), self.species_count(), "amounts and species");
        let mass: Vec<f64> = moles.iter().zip(self.molar_masses()).map(|(n, w)| n * w).collect();
        let sum: f64 = mass.iter().sum();
        mass.iter().map(|m| m / sum).collect()
    }

    /// Mass fractions of a mixture given by moles (of any total), in species order.
    ///
    /// # Errors
    /// [`BatchError::UnknownSpecies`], [`BatchError::Amount`], [`BatchError::Nothing`].
    pub fn mass_fractions_of_moles(&self, moles: &[(&str, f64)]) -> Result<Vec<f64>, BatchError> {
        self.fractions(moles, |s| s.molar_mass)
    }

    /// Amounts times weights, in species order, scaled to a sum of one.
    pub(crate) fn fractions(
        &self,
        amounts: &[(&str, f64)],
        weight: impl Fn(&Species) -> f64,
    ) -> Result<Vec<f64>, BatchError> {
        let mut y = vec![0.0; self.species_count()];
        for &(name, amount) in amounts {
            let k = self.require(name)?;
            if !(0.0..f64::INFINITY).contains(&amount) {
                return Err(BatchError::Amount { species: name.to_owned(), amount });
            }
            if let (Some(y), Some(s)) = (y.get_mut(k), self.network.species.get(k)) {
                *y += amount * weight(s);
            }
        }
        let sum: f64 = y.iter().sum();
        if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&sum) {
            return Err(BatchError::Nothing);
        }
        y.iter_mut().for_each(|y| *y /= sum);
        Ok(y)
    }

    /// The network that was read, with the place of every item in its source text.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Sizes of its matrices, and the work and memory for a cell.
    pub fn sizes(&self) -> Sizes {
        Sizes::of(&self.plan)
    }

    /// The index tables that solvers run on.
    pub(crate) fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }
}

/// Sizes of the matrices of a mechanism, and the work and memory for a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Sizes {
    /// Rows of the Jacobian: species, T and sigma.
    pub variables: usize,
    /// Entries of the Jacobian that may be nonzero.
    pub jacobian_entries: usize,
    /// Entries of its factors.
    pub lu_entries: usize,
    /// Multiply-adds of a factorisation.
    pub lu_multiply_adds: usize,
    /// Work memory per cell, without that of the method \[bytes\].
    pub bytes_per_cell: usize,
    /// Temperature above which heat capacities are held constant \[K\].
    pub constant_cp_above: f64,
}

impl Sizes {
    /// Those of a plan.
    pub(crate) fn of(plan: &Plan) -> Self {
        let lu = &plan.lu;
        Self {
            variables: lu.n,
            jacobian_entries: plan.jacobian.nonzeros,
            lu_entries: lu.entries,
            lu_multiply_adds: lu.operations,
            bytes_per_cell: plan.layout.len() * size_of::<f64>(),
            constant_cp_above: plan.thermo.hold,
        }
    }
}

fn read_bundled(b: &Bundled, phase: Option<&str>) -> Result<Network, MechanismError> {
    Ok(cantera::read_str(b.text.to_owned(), b.name.as_ref(), phase, &[])?)
}

fn not_found(path: &Path) -> MechanismError {
    let bundled: Vec<&str> = bundled::BUNDLED.iter().map(|b| b.name).collect();
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let nearest = nearest(&stem, bundled.iter().copied());
    MechanismError::NotFound { path: path.to_owned(), bundled, nearest }
}
