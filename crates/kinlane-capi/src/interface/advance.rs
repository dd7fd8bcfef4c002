//! Cells of gas over an interval.

use crate::interface::arrays::{Arrays, Layout, room};
use crate::interface::continuation::ContinuationHandle;
use crate::interface::fault::{Code, ErrorHandle, Fault, guarded};
use crate::interface::handles::optional;
use crate::interface::solver::{SolverHandle, Work, number, taken};
use kinlane::{BatchError, Cells, Factor, Mechanism, Outcome, Source};
use std::ffi::c_double;

/// What a call may have besides; `kinlane_extras` of the header. Every pointer may be null.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Extras {
    pub electron_temperature: *const c_double,
    pub dydt: *const c_double,
    pub heating: *const c_double,
    pub intervals: *const c_double,
    pub factors: *const c_double,
    pub continuation: *const ContinuationHandle,
    pub status: *mut i32,
    pub steps: *mut u32,
    pub rejected: *mut u32,
    pub work: *mut c_double,
    pub reached: *mut c_double,
}

/// Summary of a call; `kinlane_report` of the header.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Report {
    pub cells: usize,
    pub failed: usize,
    pub rescued: usize,
    pub seconds: c_double,
    pub cpu_seconds: c_double,
    pub steps: u64,
    pub rejected: u64,
    pub rhs: u64,
    pub jac: u64,
    pub factor: u64,
}

impl From<&kinlane::Report> for Report {
    fn from(r: &kinlane::Report) -> Self {
        Self {
            cells: r.cells,
            failed: r.failed,
            rescued: r.rescued,
            seconds: r.seconds,
            cpu_seconds: r.cpu_seconds,
            steps: r.steps,
            rejected: r.rejected,
            rhs: r.rhs,
            jac: r.jac,
            factor: r.factor,
        }
    }
}

/// Where the host wants to know how its cells ended.
#[derive(Debug, Default)]
pub struct Wanted<'a> {
    status: Option<&'a mut [i32]>,
    steps: Option<&'a mut [u32]>,
    rejected: Option<&'a mut [u32]>,
    work: Option<&'a mut [f64]>,
    reached: Option<&'a mut [f64]>,
}

impl<'a> Wanted<'a> {
    /// Those of `extras`, for `n` cells.
    ///
    /// # Safety
    /// As [`Arrays::output`].
    pub unsafe fn of(extras: Option<&Extras>, n: usize, arrays: &mut Arrays) -> Result<Self, Fault> {
        let Some(x) = extras else { return Ok(Self::default()) };
        // SAFETY: the caller's word.
        unsafe {
            Ok(Self {
                status: arrays.optional_output("status", x.status, n, 1)?,
                steps: arrays.optional_output("steps", x.steps, n, 1)?,
                rejected: arrays.optional_output("rejected", x.rejected, n, 1)?,
                work: arrays.optional_output("work", x.work, n, 1)?,
                reached: arrays.optional_output("reached", x.reached, n, 1)?,
            })
        }
    }

    /// Writes how the cells ended.
    pub fn write(self, outcome: &[Outcome]) {
        fill(self.status, outcome, |o| number(o.status));
        fill(self.steps, outcome, |o| o.cost.steps);
        fill(self.rejected, outcome, |o| o.cost.rejected);
        fill(self.work, outcome, |o| o.cost.work());
        fill(self.reached, outcome, |o| o.t);
    }
}

fn fill<T>(out: Option<&mut [T]>, outcome: &[Outcome], of: impl Fn(&Outcome) -> T) {
    if let Some(out) = out {
        out.iter_mut().zip(outcome).for_each(|(to, o)| *to = of(o));
    }
}

/// The intervals of the cells of a scheme, and what the host wants to know of them; other extras mean nothing for such cells,
/// which `what` names, and are refused.
///
/// # Safety
/// As [`Arrays::output`].
pub unsafe fn extras_of_schemes<'a>(
    extras: Option<&Extras>,
    what: &str,
    n: usize,
    arrays: &mut Arrays,
) -> Result<(Option<&'a [f64]>, Wanted<'a>), Fault> {
    let Some(x) = extras else { return Ok(Default::default()) };
    let read = [x.electron_temperature, x.dydt, x.heating, x.factors];
    if !(read.iter().all(|p| p.is_null()) && x.continuation.is_null()) {
        let apply = "of the extras, intervals, status, steps, rejected, work and reached apply to";
        return Err(Fault::argument(format!("{apply} {what}")));
    }
    // SAFETY: the caller's word.
    unsafe { Ok((arrays.optional("intervals", x.intervals, n, 1)?, Wanted::of(extras, n, arrays)?)) }
}

/// Where cells of gas lie, as the host passes it.
#[derive(Debug, Clone, Copy)]
pub struct Buffers {
    pub cells: usize,
    pub temperature: *mut c_double,
    pub pressure: *mut c_double,
    pub y: *mut c_double,
    pub layout: Layout,
}

/// What a solver keeps from call to call for the cells that it is lent.
#[derive(Debug)]
pub struct Scratch<'a> {
    pub outcome: &'a mut Vec<Outcome>,
    pub zeros: &'a mut Vec<f64>,
    pub factors: &'a mut Vec<Vec<Factor>>,
}

/// The cells of a call with their sources, and what the host wants to know of them.
///
/// # Safety
/// As [`Arrays::output`] for all pointers.
pub unsafe fn lent<'a, 'w>(
    buffers: Buffers,
    extras: Option<&Extras>,
    mechanism: &Mechanism,
    arrays: &mut Arrays,
    Scratch { outcome, zeros, factors }: Scratch<'a>,
) -> Result<(Cells<'a>, Wanted<'w>), Fault> {
    let (n, layout, species) = (buffers.cells, buffers.layout.known()?, mechanism.species_count());
    // SAFETY: the caller's word.
    let (temperature, pressure, y) = unsafe {
        (
            arrays.output("temperature", buffers.temperature, n, 1)?,
            arrays.output("pressure", buffers.pressure, n, 1)?,
            arrays.output("y", buffers.y, n, species)?,
        )
    };
    // SAFETY: the caller's word.
    let (electron_temperature, dydt, heating, intervals, own, wanted) = unsafe {
        let given = |at: fn(&Extras) -> *const c_double| extras.map_or(std::ptr::null(), at);
        (
            arrays.optional("electron_temperature", given(|x| x.electron_temperature), n, 1)?,
            arrays.optional("dydt", given(|x| x.dydt), n, species)?,
            arrays.optional("heating", given(|x| x.heating), n, 1)?,
            arrays.optional("intervals", given(|x| x.intervals), n, 1)?,
            arrays.optional("factors", given(|x| x.factors), n, mechanism.reaction_count())?,
            Wanted::of(extras, n, arrays)?,
        )
    };
    room(outcome, n)?;
    let mut cells = Cells::new(temperature, pressure, y, layout, outcome);
    (cells.electron_temperature, cells.intervals) = (electron_temperature, intervals);
    if let Some(own) = own {
        listed(own, n, mechanism.reaction_count(), factors);
        cells.factors = Some(factors);
    }
    cells.source = match (dydt, heating) {
        (None, None) => None,
        (Some(dydt), Some(heating)) => Some(Source { dydt, heating }),
        (dydt, heating) => {
            room(zeros, n * species.max(1))?;
            let zeros = zeros.as_slice();
            Some(Source { dydt: dydt.unwrap_or(&zeros[..n * species]), heating: heating.unwrap_or(&zeros[..n]) })
        }
    };
    Ok((cells, wanted))
}

/// Factors \[n, reactions\] as a list for each cell of those that change something. Lists of earlier calls are used again.
fn listed(all: &[f64], n: usize, reactions: usize, lists: &mut Vec<Vec<Factor>>) {
    lists.iter_mut().for_each(Vec::clear);
    lists.resize_with(n, Vec::new);
    for (row, list) in all.chunks(reactions.max(1)).zip(lists) {
        let own = row.iter().enumerate().filter(|(_, factor)| **factor != 1.0);
        list.extend(own.map(|(reaction, &factor)| Factor { reaction, factor }));
    }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_advance(
    solver: *const SolverHandle,
    cells: usize,
    temperature: *mut c_double,
    pressure: *mut c_double,
    y: *mut c_double,
    layout: Layout,
    dt: c_double,
    extras: *const Extras,
    report: *mut Report,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let (extras, mut work) = unsafe { (extras.as_ref(), taken(solver)?) };
        let Work { engine, outcome, report: last, scratch: zeros, factors } = &mut *work;
        *last = None;
        let gas = engine.gas()?;
        let (buffers, scratch) =
            (Buffers { cells, temperature, pressure, y, layout }, Scratch { outcome, zeros, factors });
        // SAFETY: the caller's word.
        let (lent, wanted) = unsafe { lent(buffers, extras, gas.mechanism(), &mut Arrays::default(), scratch)? };
        let continuation = extras.map_or(std::ptr::null(), |x| x.continuation);
        // SAFETY: the caller's word.
        let continuation = unsafe { optional("extras.continuation", continuation)? };
        let done = match continuation {
            None => gas.advance(lent, dt),
            Some(continuation) => gas.advance_continuing(lent, &mut *continuation.take()?, dt),
        };
        // A device that fails has advanced the cells that are done.
        if matches!(done, Ok(_) | Err(BatchError::Device(_))) {
            wanted.write(outcome);
        }
        let done = done?;
        // SAFETY: the caller's word.
        if let Some(report) = unsafe { report.as_mut() } {
            *report = Report::from(&done);
        }
        *last = Some(done);
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}
