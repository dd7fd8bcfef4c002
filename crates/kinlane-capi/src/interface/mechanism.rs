//! Mechanisms.

use crate::interface::arrays::{Arrays, path, text};
use crate::interface::fault::{Code, ErrorHandle, Fault, NONE, c_text, freed, guarded, made};
use crate::interface::handles::{Handle, Held, handle, held, optional};
use crate::interface::names::{List, Names};
use crate::interface::options::OptionsHandle;
use kinlane::mech::{Diagnostic, Sources};
use kinlane::{Mechanism, ReadOptions};
use std::ffi::{CString, c_char, c_double};

/// A mechanism and its names. It does not change, so that threads may share it.
#[derive(Debug)]
pub struct NamedMechanism {
    pub mechanism: Mechanism,
    name: CString,
    names: Names,
}

impl Held for NamedMechanism {
    const NAME: &str = "kinlane_mechanism";
    const MARK: [u8; 8] = *b"kl mech.";
}

/// `kinlane_mechanism` of the header.
pub type MechanismHandle = Handle<NamedMechanism>;

impl NamedMechanism {
    fn new(mechanism: Mechanism) -> Self {
        let network = mechanism.network();
        let names = Names::default()
            .with(List::SPECIES, mechanism.species_names().iter().map(String::as_str))
            .with(List::REACTIONS, network.reactions.iter().map(|r| r.equation.as_str()))
            .with(List::ELEMENTS, mechanism.elements());
        Self { name: c_text(mechanism.name()), names, mechanism }
    }

    /// What the reader has noted, and entries that are doubtful.
    fn found(&self) -> (Vec<Diagnostic>, &Sources) {
        let network = self.mechanism.network();
        ([network.notes.clone(), kinlane::lint(&self.mechanism)].concat(), &network.sources)
    }
}

/// What the options say of reading.
///
/// # Safety
/// `options` is null or alive.
pub unsafe fn reading(options: *const OptionsHandle) -> Result<ReadOptions, Fault> {
    // SAFETY: the caller's word.
    Ok(unsafe { optional("options", options)? }.map_or_else(ReadOptions::default, |o| o.read.clone()))
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_open(
    name: *const c_char,
    options: *const OptionsHandle,
    error: *mut ErrorHandle,
) -> *mut MechanismHandle {
    let work = || {
        // SAFETY: the caller's word.
        let (name, options) = unsafe { (path("name", name)?, reading(options)?) };
        Ok(NamedMechanism::new(Mechanism::open(name, &options)?))
    };
    // SAFETY: the caller's word.
    unsafe { made(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_read(
    name: *const c_char,
    mechanism: *const c_char,
    thermo: *const c_char,
    options: *const OptionsHandle,
    error: *mut ErrorHandle,
) -> *mut MechanismHandle {
    let work = || {
        // SAFETY: the caller's word.
        let (name, mechanism, options) =
            unsafe { (text("name", name)?, text("mechanism", mechanism)?, reading(options)?) };
        // SAFETY: the caller's word.
        let thermo = if thermo.is_null() { None } else { Some(unsafe { text("thermo", thermo)? }) };
        Ok(NamedMechanism::new(Mechanism::from_text_with(name, mechanism, thermo, &options)?))
    };
    // SAFETY: the caller's word.
    unsafe { made(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_free(mechanism: *mut MechanismHandle) {
    // SAFETY: the caller's word.
    unsafe { freed(mechanism) };
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_name(mechanism: *const MechanismHandle) -> *const c_char {
    // SAFETY: the caller's word.
    unsafe { held(mechanism) }.map_or(std::ptr::null(), |m| m.name.as_ptr())
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_count(mechanism: *const MechanismHandle, list: List) -> usize {
    // SAFETY: the caller's word.
    unsafe { held(mechanism) }.map_or(0, |m| m.names.count(list, || m.found()))
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_item(
    mechanism: *const MechanismHandle,
    list: List,
    index: usize,
) -> *const c_char {
    // SAFETY: the caller's word.
    unsafe { held(mechanism) }.map_or(std::ptr::null(), |m| m.names.item(list, index, || m.found()))
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_index(
    mechanism: *const MechanismHandle,
    list: List,
    name: *const c_char,
    error: *mut ErrorHandle,
) -> usize {
    let mut found = NONE;
    let work = || {
        // SAFETY: the caller's word.
        let (mechanism, name) = unsafe { (handle("mechanism", mechanism)?, text("name", name)?) };
        found = mechanism.names.index(list, name, "the mechanism")?;
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) };
    found
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_molar_masses(
    mechanism: *const MechanismHandle,
    masses: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let m = &unsafe { handle("mechanism", mechanism)? }.mechanism;
        // SAFETY: the caller's word.
        let masses = unsafe { Arrays::default().output("masses", masses, m.species_count(), 1)? };
        masses.iter_mut().zip(m.molar_masses()).for_each(|(to, w)| *to = w);
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_atoms(
    mechanism: *const MechanismHandle,
    atoms: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let m = &unsafe { handle("mechanism", mechanism)? }.mechanism;
        let elements = m.elements().len();
        // SAFETY: the caller's word.
        let atoms = unsafe { Arrays::default().output("atoms", atoms, m.species_count(), elements)? };
        atoms.fill(0.0);
        for (row, species) in atoms.chunks_exact_mut(elements.max(1)).zip(&m.network().species) {
            for &(element, number) in &species.composition {
                if let Some(a) = row.get_mut(element) {
                    *a += number;
                }
            }
        }
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_stoichiometry(
    mechanism: *const MechanismHandle,
    reactants: *mut c_double,
    products: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let m = &unsafe { handle("mechanism", mechanism)? }.mechanism;
        let (network, species) = (m.network(), m.species_count());
        let (count, mut arrays) = (network.reactions.len(), Arrays::default());
        // SAFETY: the caller's word.
        let mut sides = unsafe {
            [
                arrays.optional_output("reactants", reactants, count, species)?,
                arrays.optional_output("products", products, count, species)?,
            ]
        };
        for (i, reaction) in network.reactions.iter().enumerate() {
            for (side, terms) in sides.iter_mut().zip([&reaction.reactants, &reaction.products]) {
                let row = side.as_mut().and_then(|side| side.get_mut(i * species..(i + 1) * species));
                let Some(row) = row else { continue };
                row.fill(0.0);
                for &(k, nu) in terms {
                    if let Some(sum) = row.get_mut(k) {
                        *sum += nu;
                    }
                }
            }
        }
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_mass_fractions(
    mechanism: *const MechanismHandle,
    moles: *const c_double,
    y: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let m = &unsafe { handle("mechanism", mechanism)? }.mechanism;
        let mut arrays = Arrays::default();
        // SAFETY: the caller's word.
        let moles = unsafe { arrays.input("moles", moles, m.species_count(), 1)? };
        // SAFETY: the caller's word.
        let y = unsafe { arrays.output("y", y, m.species_count(), 1)? };
        let named: Vec<(&str, f64)> = m.species_names().iter().map(String::as_str).zip(moles.iter().copied()).collect();
        y.copy_from_slice(&m.mass_fractions_of_moles(&named)?);
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_mixture(
    mechanism: *const MechanismHandle,
    fuel: *const c_double,
    oxidizer: *const c_double,
    phi: c_double,
    y: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let m = &unsafe { handle("mechanism", mechanism)? }.mechanism;
        let (mut arrays, species) = (Arrays::default(), m.species_count());
        // SAFETY: the caller's word.
        let (fuel, oxidizer) =
            unsafe { (arrays.input("fuel", fuel, species, 1)?, arrays.input("oxidizer", oxidizer, species, 1)?) };
        // SAFETY: the caller's word.
        let y = unsafe { arrays.output("y", y, species, 1)? };
        for (what, moles) in [("fuel", fuel), ("oxidizer", oxidizer)] {
            if let Some(k) = moles.iter().position(|n| !(n.is_finite() && *n >= 0.0)) {
                let name = m.species_names().get(k).map_or("", String::as_str);
                let amount = moles.get(k).copied().unwrap_or(f64::NAN);
                return Err(Fault::argument(format!(
                    "{amount} mol of {name} in the {what}: amounts are finite and not below zero"
                )));
            }
        }
        let mixed = m.mass_fractions_of_ratio(fuel, oxidizer, phi).map_err(|e| Fault::argument(e.to_string()))?;
        y.copy_from_slice(&mixed);
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}
