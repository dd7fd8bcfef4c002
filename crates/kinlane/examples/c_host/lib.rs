//! A library with a C interface, for hosts in C, C++, Fortran and Python: a mechanism is planned once, then cells are advanced in
//! the host's own arrays. `kinlane.h` says what each function does. Copy this folder and add what your host needs.
//!
//! `cargo build --release -p kinlane --example c_host` makes `target/release/examples/libc_host.so` (`.dylib`, `.dll`).

#![allow(unsafe_code, reason = "arrays of a host in another language come as pointers")]

use kinlane::{Advance, Cells, Layout, Mechanism, Outcome, ReadOptions};
use std::error::Error;
use std::ffi::{CStr, c_char, c_double, c_int, c_long};

/// What a host holds on to.
pub struct Solver {
    mechanism: Mechanism,
    chemistry: Advance,
    outcome: Vec<Outcome>,
    /// What is told of the last failure, to be read by [`kinlane_error`].
    error: Vec<u8>,
}

impl Solver {
    fn new(mechanism: &str, rtol: f64, atol: f64, threads: usize) -> Result<Self, Box<dyn Error>> {
        let mechanism = Mechanism::open(mechanism, &ReadOptions::default())?;
        let chemistry = Advance::builder(&mechanism).rtol(rtol).atol(atol).threads(threads).plan()?;
        Ok(Self { mechanism, chemistry, outcome: Vec::new(), error: vec![0] })
    }
}

/// Text that ends with a zero, as C has it.
fn text(error: impl ToString) -> Vec<u8> {
    let mut text = error.to_string().replace('\0', " ").into_bytes();
    text.push(0);
    text
}

/// A solver for a mechanism, or null with the reason in `error`.
///
/// # Safety
/// `mechanism` is text that ends with a zero; `error` has room for `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_open(
    mechanism: *const c_char,
    rtol: c_double,
    atol: c_double,
    threads: c_int,
    error: *mut c_char,
    length: usize,
) -> Option<Box<Solver>> {
    // SAFETY: the caller's word.
    let name = unsafe { CStr::from_ptr(mechanism) }.to_string_lossy();
    let threads = usize::try_from(threads).unwrap_or(0);
    match Solver::new(&name, rtol, atol, threads) {
        Ok(solver) => Some(Box::new(solver)),
        Err(e) => {
            let text = text(e);
            // What does not fit is left out, the zero never.
            if let Some(last) = length.checked_sub(1) {
                let count = last.min(text.len() - 1);
                // SAFETY: the caller's word; `count` is less than both lengths.
                unsafe {
                    error.copy_from_nonoverlapping(text.as_ptr().cast(), count);
                    error.add(count).write(0);
                }
            }
            None
        }
    }
}

/// How many species there are.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_species_count(solver: &Solver) -> usize {
    solver.mechanism.species_count()
}

/// The place of a species, or −1.
///
/// # Safety
/// `name` is text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_species_index(solver: &Solver, name: *const c_char) -> c_long {
    // SAFETY: the caller's word.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let found = solver.mechanism.species_names().iter().position(|n| *n == *name);
    found.and_then(|i| c_long::try_from(i).ok()).unwrap_or(-1)
}

/// Advances `n` cells by `dt` in place; the number of those that failed, or −1.
///
/// # Safety
/// The arrays have `n`, `n` and `n` times the number of species elements, and nobody else uses them meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_advance(
    solver: &mut Solver,
    n: usize,
    temperature: *mut c_double,
    pressure: *mut c_double,
    y: *mut c_double,
    dt: c_double,
) -> c_long {
    // What is left of an earlier call says nothing of this one.
    solver.outcome.clear();
    solver.outcome.resize(n, Outcome::default());
    solver.error = text("");
    let k = solver.mechanism.species_count();
    let array = |at: *mut c_double, len| match len {
        0 => &mut [][..],
        // SAFETY: the caller's word.
        _ => unsafe { std::slice::from_raw_parts_mut(at, len) },
    };
    let (t, p, y) = (array(temperature, n), array(pressure, n), array(y, n * k));
    match solver.chemistry.advance(Cells::new(t, p, y, Layout::CellMajor, &mut solver.outcome), dt) {
        Ok(report) => c_long::try_from(report.failed).unwrap_or(c_long::MAX),
        Err(e) => {
            solver.outcome.clear();
            solver.error = text(e);
            -1
        }
    }
}

/// How a cell ended: numbers as `status` in the output of `kinlane advance`; −1 where there is none, as after a call that was
/// wrong.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_status(solver: &Solver, cell: usize) -> c_int {
    solver.outcome.get(cell).map_or(-1, |o| o.status as c_int)
}

/// What a cell has cost in its last call, in evaluations of the right-hand side: what balances loads.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_work(solver: &Solver, cell: usize) -> c_double {
    solver.outcome.get(cell).map_or(0.0, |o| o.cost.work())
}

/// Why the last call was wrong; empty where it was not.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_error(solver: &Solver) -> *const c_char {
    solver.error.as_ptr().cast()
}

/// Ends a solver, or nothing.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_close(solver: Option<Box<Solver>>) {
    drop(solver);
}
