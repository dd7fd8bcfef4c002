//! Cells of gas that are followed: states in between, and the times of events.

use crate::interface::advance::{Buffers, Extras, Report, Scratch, lent};
use crate::interface::arrays::{Arrays, Layout, handle, text};
use crate::interface::fault::{Code, ErrorHandle, Fault, guarded};
use crate::interface::solver::{SolverHandle, Work, taken};
use kinlane::{BatchError, Delay, Event, Mechanism};
use std::ffi::{c_char, c_double};

/// What is noted of cells; `kinlane_notes` of the header.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Notes {
    pub times: usize,
    pub time: *const c_double,
    pub series: *mut c_double,
    pub events: *const c_char,
    pub found: *mut c_double,
}

/// The events of a text, one to a line.
fn events(text: &str, mechanism: &Mechanism) -> Result<Vec<Event>, Fault> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let event = |line: &str| {
        let delay: Delay = line.parse().map_err(|e: kinlane::DelayError| Fault::argument(e.to_string()))?;
        delay.event(mechanism).map_err(|e| Fault::argument(e.to_string()))
    };
    lines.map(event).collect()
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_follow(
    solver: *const SolverHandle,
    cells: usize,
    temperature: *mut c_double,
    pressure: *mut c_double,
    y: *mut c_double,
    layout: Layout,
    dt: c_double,
    notes: *const Notes,
    extras: *const Extras,
    report: *mut Report,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let (notes, extras, mut work) = unsafe { (handle("notes", notes)?, extras.as_ref(), taken(solver)?) };
        if extras.is_some_and(|x| !x.continuation.is_null()) {
            return Err(Fault::argument(
                "cells that are followed do not go on from call to call: take the continuation out",
            ));
        }
        let Work { engine, outcome, report: last, scratch: zeros, factors } = &mut *work;
        *last = None;
        let follow = engine.follower()?;
        let events = match notes.events.is_null() {
            true => Vec::new(),
            // SAFETY: the caller's word.
            false => events(unsafe { text("events", notes.events)? }, follow.mechanism())?,
        };
        let (species, mut arrays) = (follow.mechanism().species_count(), Arrays::default());
        let row =
            notes.times.checked_mul(species + 2).ok_or_else(|| Fault::argument("series is larger than memory"))?;
        let buffers = Buffers { cells, temperature, pressure, y, layout };
        // SAFETY: the caller's word.
        let (time, series, found, (lent, wanted)) = unsafe {
            (
                arrays.input("time", notes.time, notes.times, 1)?,
                arrays.output("series", notes.series, cells, row)?,
                arrays.output("found", notes.found, cells, events.len())?,
                lent(buffers, extras, follow.mechanism(), &mut arrays, Scratch { outcome, zeros, factors })?,
            )
        };
        let done = follow.advance_cells(lent, dt, time, &events);
        // A device that fails has advanced the cells that are done.
        if matches!(done, Ok(_) | Err(BatchError::Device(_))) {
            wanted.write(outcome);
        }
        let done = done?;
        // Only now: a call that fails writes to no array.
        series.copy_from_slice(&done.series);
        found.copy_from_slice(&done.found);
        // SAFETY: the caller's word.
        if let Some(report) = unsafe { report.as_mut() } {
            *report = Report::from(&done.report);
        }
        *last = Some(done.report);
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}
