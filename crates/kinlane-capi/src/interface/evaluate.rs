//! Rates and properties at given states.

use crate::interface::arrays::{Arrays, Layout, room, structure};
use crate::interface::fault::{Code, ErrorHandle, Fault, guarded};
use crate::interface::solver::{SolverHandle, Work, taken};
use kinlane::{Advance, Points};
use std::ffi::c_double;

/// A pressure \[Pa\] where none matters.
const ANY: f64 = 1e5;

/// States of gas cells that are only read; `kinlane_states` of the header.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct States {
    pub cells: usize,
    pub temperature: *const c_double,
    pub pressure: *const c_double,
    pub y: *const c_double,
    pub layout: Layout,
    pub electron_temperature: *const c_double,
}

/// Where properties go; `kinlane_properties` of the header. Every pointer may be null.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Properties {
    pub density: *mut c_double,
    pub molar_mass: *mut c_double,
    pub cp: *mut c_double,
    pub enthalpy: *mut c_double,
    pub heat_release: *mut c_double,
}

/// The states of a call, and where it works.
struct At<'a> {
    gas: &'a mut Advance,
    points: Points<'a>,
    /// The arrays in use.
    arrays: Arrays,
    /// An empty buffer.
    scratch: &'a mut Vec<f64>,
}

/// Calls `evaluate` with states. Unless it depends on the pressure, none need be given.
///
/// # Safety
/// All pointers are null, or as the header says.
unsafe fn at(
    solver: *const SolverHandle,
    states: *const States,
    pressed: bool,
    error: *mut ErrorHandle,
    evaluate: impl FnOnce(At<'_>) -> Result<(), Fault>,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let (mut work, s) = unsafe { (taken(solver)?, structure("states", states)?) };
        let (layout, n) = (s.layout.known()?, s.cells);
        let Work { engine, scratch, .. } = &mut *work;
        let gas = engine.gas()?;
        let species = gas.mechanism().species_count();
        let mut arrays = Arrays::default();
        // SAFETY: the caller's word.
        let temperature = unsafe { arrays.input("temperature", s.temperature, n, 1)? };
        // As many as there are temperatures, so not more than fit.
        let any = if pressed || !s.pressure.is_null() { Vec::new() } else { vec![ANY; temperature.len()] };
        // SAFETY: the caller's word.
        let (pressure, y, electron_temperature) = unsafe {
            (
                if any.is_empty() { arrays.input("pressure", s.pressure, n, 1)? } else { &any[..] },
                arrays.input("y", s.y, n, species)?,
                arrays.optional("electron_temperature", s.electron_temperature, n, 1)?,
            )
        };
        let mut points = Points::new(temperature, pressure, y, layout);
        points.electron_temperature = electron_temperature;
        evaluate(At { gas, points, arrays, scratch })
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_rates(
    solver: *const SolverHandle,
    states: *const States,
    wdot: *mut c_double,
    jacobian: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let evaluate = |At { gas, points, mut arrays, .. }: At<'_>| {
        let (n, species) = (points.temperature.len(), gas.mechanism().species_count());
        let width = species + 1;
        let square = n.checked_mul(width).ok_or_else(|| Fault::argument("the Jacobians are larger than memory"))?;
        // SAFETY: the caller's word.
        let (wdot, jacobian) = unsafe {
            (arrays.output("wdot", wdot, n, species)?, arrays.optional_output("jacobian", jacobian, square, width)?)
        };
        Ok(gas.rates(points, wdot, jacobian)?)
    };
    // SAFETY: the caller's word.
    unsafe { at(solver, states, true, error, evaluate) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_rates_of_progress(
    solver: *const SolverHandle,
    states: *const States,
    progress: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let evaluate = |At { gas, points, mut arrays, .. }: At<'_>| {
        let (n, reactions) = (points.temperature.len(), gas.mechanism().reaction_count());
        // SAFETY: the caller's word.
        let progress = unsafe { arrays.output("progress", progress.cast::<[f64; 2]>(), n, reactions)? };
        Ok(gas.rates_of_progress(points, progress)?)
    };
    // SAFETY: the caller's word.
    unsafe { at(solver, states, true, error, evaluate) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_gas_properties(
    solver: *const SolverHandle,
    states: *const States,
    properties: *const Properties,
    error: *mut ErrorHandle,
) -> Code {
    let evaluate = |At { gas, points, mut arrays, .. }: At<'_>| {
        let n = points.temperature.len();
        // SAFETY: the caller's word.
        let to = unsafe { structure("properties", properties)? };
        // SAFETY: the caller's word.
        let mut wanted = unsafe {
            [
                arrays.optional_output("density", to.density, n, 1)?,
                arrays.optional_output("molar_mass", to.molar_mass, n, 1)?,
                arrays.optional_output("cp", to.cp, n, 1)?,
                arrays.optional_output("enthalpy", to.enthalpy, n, 1)?,
                arrays.optional_output("heat_release", to.heat_release, n, 1)?,
            ]
        };
        let mut found = vec![kinlane::Properties::default(); n];
        if to.heat_release.is_null() {
            gas.thermodynamics(points, &mut found)?;
        } else {
            gas.properties(points, &mut found)?;
        }
        for (i, p) in found.iter().enumerate() {
            let values = [p.density, p.molar_mass, p.cp, p.enthalpy, p.heat_release];
            for (column, value) in wanted.iter_mut().zip(values) {
                if let Some(to) = column.as_mut().and_then(|c| c.get_mut(i)) {
                    *to = value;
                }
            }
        }
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { at(solver, states, true, error, evaluate) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_species_properties(
    solver: *const SolverHandle,
    states: *const States,
    enthalpy: *mut c_double,
    cp: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let evaluate = |At { gas, points, mut arrays, .. }: At<'_>| {
        let (n, species) = (points.temperature.len(), gas.mechanism().species_count());
        // SAFETY: the caller's word.
        let (enthalpy, cp) =
            unsafe { (arrays.output("enthalpy", enthalpy, n, species)?, arrays.output("cp", cp, n, species)?) };
        Ok(gas.species_properties(points, enthalpy, cp)?)
    };
    // SAFETY: the caller's word.
    unsafe { at(solver, states, false, error, evaluate) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_temperatures(
    solver: *const SolverHandle,
    states: *const States,
    energy: *const c_double,
    temperature: *mut c_double,
    error: *mut ErrorHandle,
) -> Code {
    let evaluate = |At { gas, points, mut arrays, scratch: found }: At<'_>| {
        let n = points.temperature.len();
        // SAFETY: the caller's word.
        let energy = unsafe { arrays.input("energy", energy, n, 1)? };
        room(found, n)?;
        gas.temperatures(points, energy, found)?;
        // The states are used no more: what was found may go where they lie.
        // SAFETY: the caller's word.
        let temperature = unsafe { Arrays::default().output("temperature", temperature, n, 1)? };
        temperature.copy_from_slice(found);
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { at(solver, states, false, error, evaluate) }
}
