//! What all solvers share: who advances their cells, what may be asked while they do, and the report.

use crate::backend::Backend;
use crate::device::MemoryPlan;
use crate::error::{BatchError, PlanError};
use crate::place::Place;
use crate::report::Chosen;
use crate::{Outcome, Points, Report, Status};
use kinlane_lanes::{Engine, Signals, Totals};
use kinlane_plan::Plan;
use kinlane_solve::Options;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A backend, and what there is to tell of it. Names are shared, so that a report costs no allocation.
#[derive(Debug)]
pub struct Runner {
    pub backend: Backend,
    threads: usize,
    method: Arc<str>,
    /// The methods that `auto` chooses from.
    choices: Vec<Arc<str>>,
    /// The method where all cells must have the same.
    single: Arc<str>,
    lanes: Arc<str>,
    device: Arc<str>,
    fallback: Option<Arc<str>>,
    progress: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Runner {
    /// Opens the place.
    pub fn new(plan: &Arc<Plan>, options: &Options, place: &Place) -> Result<Self, PlanError> {
        let (backend, fallback) = Backend::new(plan, options, place)?;
        Ok(Self::of(backend, fallback))
    }

    /// On the CPU, whatever the device. `fallback`: why, if that was not wished.
    pub fn on_cpu(
        plan: &Arc<Plan>,
        options: &Options,
        place: &Place,
        fallback: Option<String>,
    ) -> Result<Self, PlanError> {
        place.refuse_reduced()?;
        let engine = Engine::new(Arc::clone(plan), options.clone(), place.thread_count()?)?;
        Ok(Self::of(Backend::Lanes(Box::new(engine)), fallback))
    }

    fn of(backend: Backend, fallback: Option<String>) -> Self {
        let cpu = backend.cpu();
        Self {
            threads: cpu.threads(),
            method: cpu.method().into(),
            choices: cpu.choices().into_iter().map(Into::into).collect(),
            single: cpu.single_method().name.into(),
            lanes: cpu.lanes().into(),
            device: if fallback.is_some() { "cpu".into() } else { backend.device().into() },
            fallback: fallback.map(Into::into),
            backend,
            progress: Arc::default(),
            stop: Arc::default(),
        }
    }

    /// To be called before anything of a call can fail, so that nobody reads how the cells of the call before ended.
    pub fn begin(&self, outcome: &mut [Outcome]) {
        self.progress.store(0, Ordering::Relaxed);
        outcome.fill(Outcome { status: Status::Cancelled, ..Outcome::default() });
    }

    /// Shares the stop flag of another one and, with `progress`, its count of cells.
    pub fn share_signals(&mut self, other: &Self, progress: bool) {
        self.stop = Arc::clone(&other.stop);
        self.progress = if progress { Arc::clone(&other.progress) } else { Arc::default() };
    }

    /// The backend, and the signals that stop it and count its cells.
    pub fn held(&mut self) -> (&mut Backend, Signals<'_>) {
        (&mut self.backend, Signals { progress: &self.progress, stop: &self.stop })
    }

    /// The report of a call that took `seconds`. `single`: all cells had the same method.
    pub fn report(&mut self, totals: &Totals, outcome: &[Outcome], seconds: f64, single: bool) -> Report {
        self.note_device();
        let chosen = self.choices.iter().filter(|_| !single).zip(totals.chosen);
        Report {
            device: Arc::clone(&self.device),
            fallback: self.fallback.clone(),
            precision: Cow::Borrowed(self.backend.precision().name()),
            threads: self.threads,
            lanes: Arc::clone(&self.lanes),
            method: Arc::clone(if single { &self.single } else { &self.method }),
            chosen: chosen.map(|(method, cells)| Chosen { method: Arc::clone(method), cells }).collect(),
            bytes_per_thread: self.backend.bytes_per_thread(),
            ..Report::of(totals, outcome, seconds)
        }
    }

    /// The memory plan of every device for a batch of `cells`; none on the CPU.
    pub fn memory_plan(&mut self, cells: usize) -> Result<Vec<MemoryPlan>, PlanError> {
        let Backend::Devices(e) = &mut self.backend else { return Ok(Vec::new()) };
        let cuts = e.cuts(cells)?;
        let devices = e.infos().into_iter().cloned().zip(e.needs());
        Ok(devices.zip(cuts).map(|((device, needs), cut)| MemoryPlan { device, needs, cut }).collect())
    }

    /// As [`Backend::prepare`].
    pub fn prepare(&mut self, cells: usize, continuing: bool) -> Result<(), BatchError> {
        let done = self.backend.prepare(cells, continuing);
        self.note_device();
        done
    }

    /// As [`Backend::rates`].
    pub fn rates(&mut self, at: Points<'_>, wdot: &mut [f64], jac: Option<&mut [f64]>) -> Result<(), BatchError> {
        let done = self.backend.rates(at, wdot, jac);
        self.note_device();
        done
    }

    /// Notes who does the work now: a device may have failed in the call that ends.
    fn note_device(&mut self) {
        if self.backend.reopened() {
            self.device = self.backend.device().into();
        }
        if let (None, Some(why)) = (&self.fallback, self.backend.failure()) {
            self.fallback = Some(why.into());
            self.device = "cpu".into();
        }
    }
}

/// What all solvers tell of the runner that they have, and of themselves.
macro_rules! tells_of_its_runner {
    ($solver:ty) => {
        impl $solver {
            /// Name of the method in use.
            pub fn method(&self) -> &str {
                &self.runner.method
            }

            /// What does the work: `cpu`, or devices such as `opencl:0`, joined by `+`.
            pub fn device(&self) -> &str {
                &self.runner.device
            }

            /// Why the CPU does the work although a device was asked for.
            pub fn fallback(&self) -> Option<&str> {
                self.runner.fallback.as_deref()
            }

            /// Number of integrating threads.
            pub fn threads(&self) -> usize {
                self.runner.threads
            }

            /// Instruction set and number of cells side by side.
            pub fn lanes(&self) -> &str {
                &self.runner.lanes
            }

            /// Setting it ends a running call early, from any thread: unfinished cells keep their entry state with
            /// `Status::Cancelled`. It stays set until it is cleared.
            pub fn stop_flag(&self) -> Arc<AtomicBool> {
                Arc::clone(&self.runner.stop)
            }

            /// Counts the finished cells of the running call.
            pub fn progress(&self) -> Arc<AtomicUsize> {
                Arc::clone(&self.runner.progress)
            }
        }
    };
}

tells_of_its_runner!(crate::Advance);
tells_of_its_runner!(crate::Follow);
tells_of_its_runner!(crate::SchemeSolver);
