//! Reaction schemes: the chemistry of an atmosphere, the burning of a star.

use crate::interface::advance::{Extras, Report, extras_of_schemes};
use crate::interface::arrays::{Arrays, Layout, by_cell, path, structure, text, write_back};
use crate::interface::fault::{Code, ErrorHandle, Fault, NONE, c_text, freed, guarded, made};
use crate::interface::handles::{Handle, Held, handle, held};
use crate::interface::mechanism::reading;
use crate::interface::names::{List, Names};
use crate::interface::options::OptionsHandle;
use crate::interface::solver::{SolverHandle, taken};
use kinlane::mech::scheme::Field;
use kinlane::mech::{Diagnostic, Sources};
use kinlane::{BatchError, Scheme, SchemeSolver, SchemeStates};
use std::ffi::{CString, c_char, c_double, c_int};

/// A scheme and its names. It does not change, so that threads may share it.
#[derive(Debug)]
pub struct NamedScheme {
    pub scheme: Scheme,
    name: CString,
    names: Names,
}

impl Held for NamedScheme {
    const NAME: &str = "kinlane_scheme";
    const MARK: [u8; 8] = *b"kl schem";
}

/// `kinlane_scheme` of the header.
pub type SchemeHandle = Handle<NamedScheme>;

impl NamedScheme {
    fn new(scheme: Scheme) -> Self {
        let names = Names::default()
            .with(List::SPECIES, scheme.species_names().iter().map(String::as_str))
            .with(List::REACTIONS, scheme.model().reactions.iter().map(|r| r.label.as_str()))
            .with(List::FIXED, scheme.fixed_names().iter().map(String::as_str))
            .with(List::PHOTOLYSIS, scheme.photolysis_names().iter().map(String::as_str))
            .with(List::INPUTS, scheme.input_names().iter().map(String::as_str));
        Self { name: c_text(scheme.name()), names, scheme }
    }

    /// What the reader has noted.
    fn found(&self) -> (Vec<Diagnostic>, &Sources) {
        let model = self.scheme.model();
        (model.notes.clone(), &model.sources)
    }
}

/// Cells of a scheme; `kinlane_conditions` of the header.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Conditions {
    pub cells: usize,
    pub temperature: *const c_double,
    pub density: *const c_double,
    pub photolysis: *const c_double,
    pub inputs: *const c_double,
    pub fixed: *const c_double,
    pub source: *const c_double,
    pub layout: Layout,
}

impl Conditions {
    /// The cells with their own arrays: solvers of schemes take no others.
    ///
    /// # Safety
    /// As [`Arrays::input`].
    unsafe fn states(&self, scheme: &Scheme, amounts: &[f64], arrays: &mut Arrays) -> Result<SchemeStates, Fault> {
        let (n, layout) = (self.cells, self.layout.known()?);
        let star = scheme.field() == Field::Star;
        let table = |arrays: &mut Arrays, what, at, columns| {
            // SAFETY: the caller's word.
            unsafe { arrays.input(what, at, n, columns) }.map(|of| by_cell(layout, of, n))
        };
        // SAFETY: the caller's word.
        let (at, source) = unsafe {
            let at = kinlane::Conditions {
                temperature: arrays.input("temperature", self.temperature, n, 1)?.to_vec(),
                density: arrays.input("density", self.density, if star { n } else { 0 }, 1)?.to_vec(),
                photolysis: table(arrays, "photolysis", self.photolysis, scheme.photolysis_names().len())?,
                inputs: table(arrays, "inputs", self.inputs, scheme.input_names().len())?,
                fixed: table(arrays, "fixed", self.fixed, scheme.fixed_names().len())?,
                amounts: by_cell(layout, amounts, n),
            };
            (at, arrays.optional("source", self.source, n, scheme.species_count())?)
        };
        let states = SchemeStates::new(scheme, at)?;
        Ok(match source {
            None => states,
            Some(source) => states.with_source(by_cell(layout, source, n))?,
        })
    }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_open(
    name: *const c_char,
    options: *const OptionsHandle,
    error: *mut ErrorHandle,
) -> *mut SchemeHandle {
    let work = || {
        // SAFETY: the caller's word.
        let (name, options) = unsafe { (path("name", name)?, reading(options)?) };
        Ok(NamedScheme::new(Scheme::load_with(name, &options)?))
    };
    // SAFETY: the caller's word.
    unsafe { made(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_read(
    name: *const c_char,
    scheme: *const c_char,
    options: *const OptionsHandle,
    error: *mut ErrorHandle,
) -> *mut SchemeHandle {
    let work = || {
        // SAFETY: the caller's word.
        let (name, scheme, options) = unsafe { (text("name", name)?, text("scheme", scheme)?, reading(options)?) };
        Ok(NamedScheme::new(Scheme::from_text_with(name, scheme, &options)?))
    };
    // SAFETY: the caller's word.
    unsafe { made(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_free(scheme: *mut SchemeHandle) {
    // SAFETY: the caller's word.
    unsafe { freed(scheme) };
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_name(scheme: *const SchemeHandle) -> *const c_char {
    // SAFETY: the caller's word.
    unsafe { held(scheme) }.map_or(std::ptr::null(), |s| s.name.as_ptr())
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_is_star(scheme: *const SchemeHandle) -> c_int {
    // SAFETY: the caller's word.
    unsafe { held(scheme) }.map_or(0, |s| c_int::from(s.scheme.field() == Field::Star))
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_count(scheme: *const SchemeHandle, list: List) -> usize {
    // SAFETY: the caller's word.
    unsafe { held(scheme) }.map_or(0, |s| s.names.count(list, || s.found()))
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_item(scheme: *const SchemeHandle, list: List, index: usize) -> *const c_char {
    // SAFETY: the caller's word.
    unsafe { held(scheme) }.map_or(std::ptr::null(), |s| s.names.item(list, index, || s.found()))
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_index(
    scheme: *const SchemeHandle,
    list: List,
    name: *const c_char,
    error: *mut ErrorHandle,
) -> usize {
    let mut found = NONE;
    let work = || {
        // SAFETY: the caller's word.
        let (scheme, name) = unsafe { (handle("scheme", scheme)?, text("name", name)?) };
        found = scheme.names.index(list, name, "the scheme")?;
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) };
    found
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_weights(
    scheme: *const SchemeHandle,
    weights: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let of = unsafe { handle("scheme", scheme)? }.scheme.weights();
        // SAFETY: the caller's word.
        let weights = unsafe { Arrays::default().output("weights", weights, of.len(), 1)? };
        weights.copy_from_slice(of);
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_mass_excesses(
    scheme: *const SchemeHandle,
    excesses: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let species = &unsafe { handle("scheme", scheme)? }.scheme.model().species;
        // SAFETY: the caller's word.
        let excesses = unsafe { Arrays::default().output("excesses", excesses, species.len(), 1)? };
        excesses.iter_mut().zip(species).for_each(|(to, part)| *to = part.excess.unwrap_or(f64::NAN));
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_usual_inputs(
    scheme: *const SchemeHandle,
    inputs: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let usual = &unsafe { handle("scheme", scheme)? }.scheme.model().inputs;
        // SAFETY: the caller's word.
        let inputs = unsafe { Arrays::default().output("inputs", inputs, usual.len(), 1)? };
        inputs.iter_mut().zip(usual).for_each(|(to, (_, value))| *to = value.unwrap_or(f64::NAN));
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_advance(
    solver: *const SolverHandle,
    conditions: *const Conditions,
    amounts: *mut c_double,
    dt: c_double,
    extras: *const Extras,
    report: *mut Report,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let (conditions, extras, mut work) =
            unsafe { (structure("conditions", conditions)?, extras.as_ref(), taken(solver)?) };
        work.report = None;
        let solver = work.engine.scheme()?;
        let (mut arrays, scheme) = (Arrays::default(), solver.scheme().clone());
        // SAFETY: the caller's word.
        let (amounts, (intervals, wanted)) = unsafe {
            let what = "schemes; a source belongs to the conditions";
            (
                arrays.output("amounts", amounts, conditions.cells, scheme.species_count())?,
                extras_of_schemes(extras, what, conditions.cells, &mut arrays)?,
            )
        };
        // SAFETY: the caller's word.
        let mut states = unsafe { conditions.states(&scheme, amounts, &mut arrays)? };
        if let Some(own) = intervals {
            states = states.with_intervals(own.to_vec())?;
        }
        let done = solver.advance(&mut states, dt);
        // A device that fails has advanced the cells that are done.
        if matches!(done, Ok(_) | Err(BatchError::Device(_))) {
            write_back(conditions.layout.known()?, states.amounts(), amounts, conditions.cells);
            wanted.write(states.outcomes());
        }
        let done = done?;
        // SAFETY: the caller's word.
        if let Some(report) = unsafe { report.as_mut() } {
            *report = Report::from(&done);
        }
        work.report = Some(done);
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// Where numbers of cells go that a solver computes from their states: a name, a place that may be null, how many there are of each
/// cell, and what computes them.
type Wanted =
    (&'static str, *mut c_double, usize, fn(&mut SchemeSolver, &SchemeStates) -> Result<Vec<f64>, BatchError>);

/// Computes what is wanted of cells.
///
/// # Safety
/// As the header says of the functions that call it.
unsafe fn compute<const N: usize>(
    solver: *const SolverHandle,
    conditions: *const Conditions,
    amounts: *const c_double,
    places: impl FnOnce(&Scheme) -> [Wanted; N],
) -> Result<(), Fault> {
    // SAFETY: the caller's word.
    let (conditions, mut work) = unsafe { (structure("conditions", conditions)?, taken(solver)?) };
    let solver = work.engine.scheme()?;
    let (mut arrays, scheme, n) = (Arrays::default(), solver.scheme().clone(), conditions.cells);
    let layout = conditions.layout.known()?;
    // SAFETY: the caller's word.
    let amounts = unsafe { arrays.input("amounts", amounts, n, scheme.species_count())? };
    let mut wanted = Vec::new();
    for (name, place, each, how) in places(&scheme) {
        // SAFETY: the caller's word.
        wanted.extend(unsafe { arrays.optional_output(name, place, n, each)? }.map(|to| (to, how)));
    }
    // SAFETY: the caller's word.
    let states = unsafe { conditions.states(&scheme, amounts, &mut arrays)? };
    for (to, how) in wanted {
        write_back(layout, &how(solver, &states)?, to, n);
    }
    Ok(())
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_rates(
    solver: *const SolverHandle,
    conditions: *const Conditions,
    amounts: *const c_double,
    constants: *mut c_double,
    tendencies: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let places = |scheme: &Scheme| -> [Wanted; 2] {
        [
            ("constants", constants, scheme.reaction_count(), SchemeSolver::constants),
            ("tendencies", tendencies, scheme.species_count(), SchemeSolver::rates),
        ]
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, || compute(solver, conditions, amounts, places)) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_detail(
    solver: *const SolverHandle,
    conditions: *const Conditions,
    amounts: *const c_double,
    progress: *mut c_double,
    jacobian: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let places = |scheme: &Scheme| -> [Wanted; 2] {
        let species = scheme.species_count();
        [
            ("progress", progress, scheme.reaction_count(), SchemeSolver::rates_of_progress),
            ("jacobian", jacobian, species * species, SchemeSolver::jacobians),
        ]
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, || compute(solver, conditions, amounts, places)) }
}
