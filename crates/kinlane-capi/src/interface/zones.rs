//! Zones of stars that are heated by what burns in them.

use crate::interface::advance::{Extras, Report, extras_of_schemes};
use crate::interface::arrays::{Arrays, Layout, by_cell, write_back};
use crate::interface::fault::{Code, ErrorHandle, guarded};
use crate::interface::solver::{SolverHandle, taken};
use kinlane::{Conditions, SchemeStates};
use std::ffi::c_double;

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_zones_advance(
    solver: *const SolverHandle,
    cells: usize,
    temperature: *mut c_double,
    density: *mut c_double,
    amounts: *mut c_double,
    layout: Layout,
    dt: c_double,
    extras: *const Extras,
    report: *mut Report,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let (extras, mut work) = unsafe { (extras.as_ref(), taken(solver)?) };
        work.report = None;
        let (zones, layout) = (work.engine.zones()?, layout.known()?);
        let (mut arrays, nuclides) = (Arrays::default(), zones.scheme().species_names().len());
        // SAFETY: the caller's word.
        let (temperature, density, amounts, (intervals, wanted)) = unsafe {
            (
                arrays.output("temperature", temperature, cells, 1)?,
                arrays.output("density", density, cells, 1)?,
                arrays.output("amounts", amounts, cells, nuclides)?,
                extras_of_schemes(extras, "zones that are heated", cells, &mut arrays)?,
            )
        };
        let at = Conditions {
            temperature: temperature.to_vec(),
            density: density.to_vec(),
            amounts: by_cell(layout, amounts, cells),
            ..Conditions::default()
        };
        let mut states = SchemeStates::new(zones.scheme(), at)?;
        if let Some(own) = intervals {
            states = states.with_intervals(own.to_vec())?;
        }
        let done = zones.advance(&mut states, dt)?;
        let after = states.conditions();
        temperature.copy_from_slice(&after.temperature);
        density.copy_from_slice(&after.density);
        write_back(layout, &after.amounts, amounts, cells);
        wanted.write(states.outcomes());
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
