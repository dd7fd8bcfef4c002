//! Solvers: planning, and what may be asked while one works.

use crate::interface::arrays::{Arrays, text};
use crate::interface::fault::{Code, ErrorHandle, Fault, NONE, c_text, freed, guarded, locked, made};
use crate::interface::handles::{Handle, Held, handle, held, optional};
use crate::interface::mechanism::MechanismHandle;
use crate::interface::options::OptionsHandle;
use crate::interface::scheme::SchemeHandle;
use kinlane::{Advance, Factor, Follow, Outcome, Report, SchemeSolver, Status, Zones};
use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// A solver of cells of gas, with notes or without, of a scheme, or of zones. Threads may share it; it does one thing at a
/// time.
#[derive(Debug)]
pub struct LockedSolver {
    work: Mutex<Work>,
    stop: Arc<AtomicBool>,
    progress: Arc<AtomicUsize>,
    /// May be asked for while the solver works.
    method: CString,
}

/// What a solver works with.
#[derive(Debug)]
pub struct Work {
    pub engine: Engine,
    /// How the cells of the last call ended.
    pub outcome: Vec<Outcome>,
    /// Of the last call.
    pub report: Option<Report>,
    /// Sources that are zero, or temperatures that were found.
    pub scratch: Vec<f64>,
    /// The factors of each cell's reactions.
    pub factors: Vec<Vec<Factor>>,
}

/// Who does the work.
#[derive(Debug)]
pub enum Engine {
    Gas(Box<Advance>),
    Follower(Box<Follow>),
    Scheme(Box<SchemeSolver>),
    Zones(Box<Zones>),
}

impl Engine {
    /// The solver of gas cells.
    pub fn gas(&mut self) -> Result<&mut Advance, Fault> {
        match self {
            Self::Gas(solver) => Ok(solver),
            Self::Follower(_) => Err(Fault::argument("the solver is a follower, which only follows")),
            Self::Scheme(_) | Self::Zones(_) => {
                Err(Fault::argument("the solver is one of a reaction scheme, not of a mechanism"))
            }
        }
    }

    /// The solver that follows cells.
    pub fn follower(&mut self) -> Result<&mut Follow, Fault> {
        match self {
            Self::Follower(solver) => Ok(solver),
            _ => Err(Fault::argument("the solver is no follower: kinlane_follower_new makes one")),
        }
    }

    /// The solver of a scheme.
    pub fn scheme(&mut self) -> Result<&mut SchemeSolver, Fault> {
        match self {
            Self::Scheme(solver) => Ok(solver),
            Self::Zones(_) => Err(Fault::argument("the solver is one of zones that are heated: kinlane_zones_advance")),
            _ => Err(Fault::argument("the solver is one of a mechanism, not of a reaction scheme")),
        }
    }

    /// The solver of zones that are heated.
    pub fn zones(&mut self) -> Result<&mut Zones, Fault> {
        match self {
            Self::Zones(solver) => Ok(solver),
            _ => Err(Fault::argument("the solver is none of zones that are heated: kinlane_zones_new makes one")),
        }
    }
}

impl Work {
    /// What [`kinlane_solver_info`] tells.
    fn info(&self, what: &str) -> Result<CString, Fault> {
        let report = self.report.as_ref();
        let fallback = match &self.engine {
            Engine::Gas(s) => s.fallback(),
            Engine::Follower(s) => s.fallback(),
            Engine::Scheme(s) => s.fallback(),
            Engine::Zones(_) => None,
        };
        let told = match what {
            "fallback" => fallback.unwrap_or_default().to_owned(),
            "report" => match report {
                Some(report) => serde_json::to_string(report).map_err(|e| Fault::new(Code::Internal, e.to_string()))?,
                None => String::new(),
            },
            "not-finite" => match &self.engine {
                Engine::Scheme(s) => s.not_finite().map_or_else(String::new, |(_, label)| label.to_owned()),
                Engine::Gas(_) | Engine::Follower(_) | Engine::Zones(_) => String::new(),
            },
            _ => {
                let known = "known are method, fallback, report, not-finite";
                return Err(Fault::argument(format!("a solver has no `{what}` to tell; {known}")));
            }
        };
        Ok(c_text(&told))
    }
}

impl Held for LockedSolver {
    const NAME: &str = "kinlane_solver";
    const MARK: [u8; 8] = *b"kl solve";
}

/// `kinlane_solver` of the header.
pub type SolverHandle = Handle<LockedSolver>;

impl LockedSolver {
    fn new(engine: Engine) -> Self {
        let (stop, progress, method) = match &engine {
            Engine::Gas(s) => (s.stop_flag(), s.progress(), c_text(s.method())),
            Engine::Follower(s) => (s.stop_flag(), s.progress(), c_text(s.method())),
            Engine::Scheme(s) => (s.stop_flag(), s.progress(), c_text(s.method())),
            Engine::Zones(s) => (s.stop_flag(), s.progress(), c_text(s.method())),
        };
        let (outcome, factors, scratch) = Default::default();
        let work = Work { engine, outcome, report: None, scratch, factors };
        Self { work: Mutex::new(work), stop, progress, method }
    }

    /// The solver for one call.
    pub fn take(&self) -> Result<MutexGuard<'_, Work>, Fault> {
        locked("solver", &self.work)
    }
}

/// A solver for a call.
///
/// # Safety
/// `solver` is null or alive.
pub unsafe fn taken<'a>(solver: *const SolverHandle) -> Result<MutexGuard<'a, Work>, Fault> {
    // SAFETY: the caller's word.
    unsafe { handle("solver", solver)? }.take()
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_solver_new(
    mechanism: *const MechanismHandle,
    options: *const OptionsHandle,
    error: *mut ErrorHandle,
) -> *mut SolverHandle {
    let work = || {
        // SAFETY: the caller's word.
        let (mechanism, options) = unsafe { (handle("mechanism", mechanism)?, optional("options", options)?) };
        let builder = options.cloned().unwrap_or_default().unfollowed(&mechanism.mechanism)?;
        Ok(LockedSolver::new(Engine::Gas(Box::new(builder.plan()?))))
    };
    // SAFETY: the caller's word.
    unsafe { made(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_follower_new(
    mechanism: *const MechanismHandle,
    options: *const OptionsHandle,
    error: *mut ErrorHandle,
) -> *mut SolverHandle {
    let work = || {
        // SAFETY: the caller's word.
        let (mechanism, options) = unsafe { (handle("mechanism", mechanism)?, optional("options", options)?) };
        let options = options.cloned().unwrap_or_default();
        let builder = options.gas(&mechanism.mechanism)?;
        let follow = if options.history { builder.follow_driven()? } else { builder.follow()? };
        Ok(LockedSolver::new(Engine::Follower(Box::new(follow))))
    };
    // SAFETY: the caller's word.
    unsafe { made(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_scheme_solver_new(
    scheme: *const SchemeHandle,
    options: *const OptionsHandle,
    error: *mut ErrorHandle,
) -> *mut SolverHandle {
    let work = || {
        // SAFETY: the caller's word.
        let (scheme, options) = unsafe { (handle("scheme", scheme)?, optional("options", options)?) };
        let scheme = &scheme.scheme;
        let options = options.cloned().unwrap_or_default();
        let solver = options.scheme(SchemeSolver::builder(scheme))?.plan()?;
        Ok(LockedSolver::new(Engine::Scheme(Box::new(solver))))
    };
    // SAFETY: the caller's word.
    unsafe { made(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_zones_new(
    scheme: *const SchemeHandle,
    options: *const OptionsHandle,
    error: *mut ErrorHandle,
) -> *mut SolverHandle {
    let work = || {
        // SAFETY: the caller's word.
        let (scheme, options) = unsafe { (handle("scheme", scheme)?, optional("options", options)?) };
        let zones = options.cloned().unwrap_or_default().zones(&scheme.scheme)?;
        Ok(LockedSolver::new(Engine::Zones(Box::new(zones))))
    };
    // SAFETY: the caller's word.
    unsafe { made(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_solver_free(solver: *mut SolverHandle) {
    // SAFETY: the caller's word.
    unsafe { freed(solver) };
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_solver_prepare(
    solver: *const SolverHandle,
    cells: usize,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let mut work = unsafe { taken(solver)? };
        match &mut work.engine {
            Engine::Gas(solver) => solver.prepare(cells)?,
            Engine::Follower(solver) => solver.prepare(cells)?,
            Engine::Scheme(solver) => solver.prepare(cells)?,
            Engine::Zones(_) => {}
        }
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_solver_info(
    solver: *const SolverHandle,
    what: *const c_char,
    buffer: *mut c_char,
    length: usize,
    error: *mut ErrorHandle,
) -> usize {
    let mut needed = NONE;
    let work = || {
        // SAFETY: the caller's word.
        let (what, solver) = unsafe { (text("what", what)?, handle("solver", solver)?) };
        let told = if what == "method" { solver.method.clone() } else { solver.take()?.info(what)? };
        let told = told.to_bytes();
        // SAFETY: the caller's word.
        let buffer = unsafe { Arrays::default().output("buffer", buffer, length, 1)? };
        if let Some((end, room)) = buffer.split_last_mut() {
            // What does not fit is left out, the zero never.
            *end = 0;
            if let Some(end) = room.get_mut(told.len()) {
                *end = 0;
            }
            room.iter_mut().zip(told).for_each(|(to, byte)| *to = byte.cast_signed() as c_char);
        }
        needed = told.len();
        Ok(())
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) };
    needed
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_solver_stop(solver: *const SolverHandle, stop: c_int) {
    // SAFETY: the caller's word.
    if let Some(solver) = unsafe { held(solver) } {
        solver.stop.store(stop != 0, Ordering::SeqCst);
    }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_solver_progress(solver: *const SolverHandle) -> usize {
    // SAFETY: the caller's word.
    unsafe { held(solver) }.map_or(0, |s| s.progress.load(Ordering::Relaxed))
}

/// What a cell's status means, as text that always lives.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_status_text(status: c_int) -> *const c_char {
    let texts: [&CStr; 5] = [
        c"done",
        c"the step size fell below what the time can resolve",
        c"the budget of steps is spent",
        c"the rates are not finite, or the state has left what the laws hold for",
        c"stopped from outside",
    ];
    let known = usize::try_from(status).ok().and_then(|i| texts.get(i));
    known.map_or(c"no such status", |text| *text).as_ptr()
}

/// The number of a status.
pub fn number(status: Status) -> i32 {
    status as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::fault::{kinlane_error_new, kinlane_error_text};

    #[test]
    fn statuses_have_the_texts_of_the_library() {
        for i in 0..5 {
            // SAFETY: a text that ends with a zero.
            let text = unsafe { CStr::from_ptr(kinlane_status_text(i)) };
            let status = Status::from_number(f64::from(i));
            assert_eq!((text.to_str(), number(status)), (Ok(status.to_string().as_str()), i));
        }
    }

    /// A solver, and a place for errors.
    fn of_hydrogen() -> (*mut SolverHandle, *mut ErrorHandle) {
        let solver = kinlane::Mechanism::bundled("h2").map(|m| Advance::builder(&m).threads(1).plan());
        let engine = Engine::Gas(Box::new(solver.expect("bundled").expect("planned")));
        (Handle::new(LockedSolver::new(engine)), kinlane_error_new())
    }

    /// Ends them.
    fn end((solver, error): (*mut SolverHandle, *mut ErrorHandle)) {
        // SAFETY: handles of this thread, used no more.
        unsafe { (freed(solver), freed(error)) };
    }

    #[test]
    fn a_solver_that_broke_down_says_so() {
        let (solver, error) = of_hydrogen();
        let broken = || {
            // SAFETY: a handle of this thread.
            let _held = unsafe { taken(solver)? };
            panic!("on purpose")
        };
        // SAFETY: as above.
        assert_eq!(unsafe { guarded(error, broken) }, Code::Internal);
        // SAFETY: as above.
        assert_eq!(unsafe { kinlane_solver_prepare(solver, 1, error) }, Code::Internal);
        // SAFETY: as above.
        let text = unsafe { CStr::from_ptr(kinlane_error_text(error)) };
        assert!(text.to_string_lossy().contains("broke down in an earlier call"));
        end((solver, error));
    }

    #[test]
    fn a_solver_does_one_thing_at_a_time() {
        let (solver, error) = of_hydrogen();
        // SAFETY: a handle of this thread.
        let held = unsafe { taken(solver) }.expect("free");
        // SAFETY: as above.
        assert_eq!(unsafe { kinlane_solver_prepare(solver, 1, std::ptr::null_mut()) }, Code::Busy);
        drop(held);
        // SAFETY: as above.
        assert_eq!(unsafe { kinlane_solver_prepare(solver, 1, std::ptr::null_mut()) }, Code::Ok);
        end((solver, error));
    }
}
