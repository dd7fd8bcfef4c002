//! Cells of gas that are followed: states in between, and the times of events.

use crate::interface::advance::{Buffers, Extras, Report, Scratch, lent};
use crate::interface::arrays::{Arrays, Layout, structure, text};
use crate::interface::fault::{Code, ErrorHandle, Fault, guarded};
use crate::interface::solver::{SolverHandle, Work, taken};
use kinlane::{BatchError, Delay, Event, Mechanism};
use std::ffi::{c_char, c_double};
use std::sync::Arc;

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

/// A pressure or volume over time; `kinlane_history` of the header.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct History {
    pub knots: usize,
    pub time: *const c_double,
    pub rows: usize,
    pub value: *const c_double,
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

impl History {
    /// The histories of so many cells.
    ///
    /// # Safety
    /// The arrays have the lengths that the header says.
    unsafe fn of_cells(&self, cells: usize, arrays: &mut Arrays) -> Result<Vec<Arc<kinlane::History>>, Fault> {
        if self.rows != 1 && self.rows != cells {
            let rows = format!("1, for all cells, or {cells}, for each its own");
            return Err(Fault::argument(format!("the history has {} rows of values; it must have {rows}", self.rows)));
        }
        // SAFETY: the caller's word.
        let (time, value) = unsafe {
            (
                arrays.input("history.time", self.time, self.knots, 1)?,
                arrays.input("history.value", self.value, self.rows, self.knots)?,
            )
        };
        let row = |(i, values): (usize, &[f64])| {
            kinlane::History::new(time.to_vec(), values.to_vec()).map(Arc::new).map_err(|fault| {
                let knot = fault.knot().map_or_else(String::new, |knot| format!(", knot {knot}"));
                Fault::argument(format!("history, row {i}{knot}: {fault}"))
            })
        };
        let mut rows: Vec<_> = value.chunks(self.knots.max(1)).enumerate().map(row).collect::<Result<_, _>>()?;
        match rows.first().cloned() {
            Some(all) => rows.resize(cells, all),
            None if cells == 0 => {}
            None => return Err(Fault::argument(format!("history: {}", kinlane::HistoryFault::TooShort))),
        }
        Ok(rows)
    }
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
    let buffers = Buffers { cells, temperature, pressure, y, layout };
    // SAFETY: the caller's word.
    unsafe { guarded(error, || followed(solver, buffers, dt, None, notes, extras, report)) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_follow_along(
    solver: *const SolverHandle,
    cells: usize,
    temperature: *mut c_double,
    pressure: *mut c_double,
    y: *mut c_double,
    layout: Layout,
    dt: c_double,
    history: *const History,
    notes: *const Notes,
    extras: *const Extras,
    report: *mut Report,
    error: *mut ErrorHandle,
) -> Code {
    let buffers = Buffers { cells, temperature, pressure, y, layout };
    let work = || {
        // SAFETY: the caller's word.
        let history = unsafe { structure("history", history)? };
        // SAFETY: the caller's word.
        unsafe { followed(solver, buffers, dt, Some(history), notes, extras, report) }
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// Follows cells, along histories if there are any.
///
/// # Safety
/// As the header says of all pointers.
unsafe fn followed(
    solver: *const SolverHandle,
    buffers: Buffers,
    dt: f64,
    history: Option<&History>,
    notes: *const Notes,
    extras: *const Extras,
    report: *mut Report,
) -> Result<(), Fault> {
    // SAFETY: the caller's word.
    let (notes, extras, mut work) = unsafe { (structure("notes", notes)?, extras.as_ref(), taken(solver)?) };
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
    let row = notes.times.checked_mul(species + 2).ok_or_else(|| Fault::argument("series is larger than memory"))?;
    let cells = buffers.cells;
    // SAFETY: the caller's word.
    let (time, series, found, histories, (lent, wanted)) = unsafe {
        (
            arrays.input("time", notes.time, notes.times, 1)?,
            arrays.output("series", notes.series, cells, row)?,
            arrays.output("found", notes.found, cells, events.len())?,
            history.map(|h| h.of_cells(cells, &mut arrays)).transpose()?,
            lent(buffers, extras, follow.mechanism(), &mut arrays, Scratch { outcome, zeros, factors })?,
        )
    };
    let done = match &histories {
        Some(histories) => follow.advance_cells_along(lent, histories, dt, time, &events),
        None => follow.advance_cells(lent, dt, time, &events),
    };
    // A device that fails has advanced the cells that are done.
    if matches!(done, Ok(_) | Err(BatchError::Device(_))) {
        wanted.write(outcome);
    }
    let done = match done {
        Err(BatchError::History) => {
            return Err(Fault::argument("the follower takes no history: plan it with the option history=yes"));
        }
        done => done?,
    };
    // Only now: a call that fails writes to no array.
    series.copy_from_slice(&done.series);
    found.copy_from_slice(&done.found);
    // SAFETY: the caller's word.
    if let Some(report) = unsafe { report.as_mut() } {
        *report = Report::from(&done.report);
    }
    *last = Some(done.report);
    Ok(())
}
