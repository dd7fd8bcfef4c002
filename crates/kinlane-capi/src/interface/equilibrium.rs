//! Chemical equilibria.

use crate::interface::arrays::{Arrays, Layout, by_cell, text};
use crate::interface::fault::{Code, ErrorHandle, Fault, guarded};
use crate::interface::handles::handle;
use crate::interface::mechanism::MechanismHandle;
use kinlane::{Pair, Place, States, equilibrate};
use std::ffi::{c_char, c_double};
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// The pair of that name.
fn pair(held: &str) -> Result<Pair, Fault> {
    Pair::find(held).ok_or_else(|| {
        let names = Pair::ALL.map(Pair::name).join(", ");
        Fault::argument(format!("held is `{held}`; what is held is one of {names}"))
    })
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_mechanism_equilibrate(
    mechanism: *const MechanismHandle,
    cells: usize,
    held: *const c_char,
    temperature: *mut c_double,
    pressure: *mut c_double,
    y: *mut c_double,
    layout: Layout,
    threads: usize,
    status: *mut i32,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let (m, held) = unsafe { (&handle("mechanism", mechanism)?.mechanism, pair(text("held", held)?)?) };
        let (layout, mut arrays) = (layout.known()?, Arrays::default());
        // SAFETY: the caller's word.
        let (temperature, pressure, y, status) = unsafe {
            (
                arrays.output("temperature", temperature, cells, 1)?,
                arrays.output("pressure", pressure, cells, 1)?,
                arrays.output("y", y, cells, m.species_count())?,
                arrays.optional_output("status", status, cells, 1)?,
            )
        };
        let mut states = States::new(m, temperature.to_vec(), pressure.to_vec(), by_cell(layout, y, cells))?;
        let mut place = Place::default();
        place.threads = (threads > 0).then_some(threads);
        let threads = place.thread_count()?;
        let (progress, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let found = equilibrate(m, held, &mut states, threads, &progress, &stop);
        let [per_cell, per_species] = layout.strides(cells, m.species_count());
        for (cell, _) in found.iter().enumerate().filter(|(_, found)| found.is_ok()) {
            (temperature[cell], pressure[cell]) = (states.temperature()[cell], states.pressure()[cell]);
            for (k, value) in states.y_of(cell).iter().enumerate() {
                y[cell * per_cell + k * per_species] = *value;
            }
        }
        if let Some(status) = status {
            status.iter_mut().zip(&found).for_each(|(to, found)| *to = i32::from(found.is_err()));
        }
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}
