//! The batch interface.

mod choices;
mod continuing;
mod evaluate;

use crate::batch::Batch;
use crate::cells::{Cells, check_watch, length};
use crate::constants;
use crate::continuation::Recall;
use crate::crew::Crew;
use crate::dispatch::{self, Width};
use crate::error::EngineError;
use crate::host::UsualArithmetic;
use crate::shared::Shared;
use crate::signals::Signals;
use crate::worker::between::Within;
use crate::worker::boards::Boards;
use crate::worker::note::Notes;
use crate::worker::{Kernel, Sums, Worker};
use choices::Choices;
use kinlane_plan::plan::RateProgram;
use kinlane_plan::{Array, Plan};
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::auto::{self, Apart, Choice};
use kinlane_solve::methods::track::Track;
use kinlane_solve::methods::{Method, Stepper};
use kinlane_solve::watch::Watch;
use kinlane_solve::{Cost, History, Options};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Sums over a batch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Cells that did not reach the end.
    pub failed: usize,
    /// Cells that the lanes could not finish, and an upper rung of the failure ladder did; of a batch on devices, those that
    /// the CPU finished for them.
    pub rescued: usize,
    /// Cost over all cells.
    pub cost: Cost<u64>,
    /// CPU seconds of the integrating threads.
    pub cpu_seconds: f64,
    /// Number of cells that ended with each method, if the choice was left to the program.
    pub chosen: PerMethod<usize>,
    /// Cells that were told to be stiff at a glance (docs/decisions/0036). The order of a batch, and its time, depend on it, and
    /// nothing else.
    pub at_a_glance: usize,
}

/// One entry per method among which cells choose: for cells in which next to nothing happens, for those in
/// which nothing is fast, for all others, and for those that take many steps.
pub type PerMethod<T> = [T; 4];

impl Totals {
    /// Adds what one thread has done, by method.
    fn add(&mut self, share: &PerMethod<Sums>) {
        for (chosen, sums) in self.chosen.iter_mut().zip(share) {
            self.cost += sums.cost;
            self.failed += sums.failed;
            self.rescued += sums.rescued;
            self.cpu_seconds += sums.cpu_seconds;
            self.at_a_glance += sums.at_a_glance;
            *chosen += sums.cells;
        }
    }
}

/// Advances batches of one mechanism. Holds the plan, the options, the threads and their workspaces.
/// [`Engine::advance`] allocates only room for waiting cells, where cells choose their methods (it is kept
/// for later calls), and what a cell needs that climbs the failure ladder. Runs one `advance` at a time.
pub struct Engine {
    pub(crate) shared: Shared,
    auto: Option<Choices>,
    width: Width,
    threads: Vec<Thread>,
    /// All threads except the caller's.
    crew: Crew,
    /// The arrays that cells keep between calls, where they are remembered.
    remembered: Arc<[Array]>,
    /// Computes rate constants, where they are given and follow from a scheme.
    program: Option<Arc<RateProgram>>,
    /// Hash of all that a [`Continuation`] depends on, once it was asked for.
    fingerprint: OnceLock<u64>,
}

/// The workers of one thread.
struct Thread {
    worker: Box<dyn Worker>,
    /// A worker with half as many lanes, for few cells, and for methods whose cells do not all do the same
    /// work.
    narrow: Option<Box<dyn Worker>>,
}

impl Thread {
    /// The worker for cells, and the one for the last of them.
    fn workers(&mut self) -> (&mut dyn Worker, Option<&mut dyn Worker>) {
        (&mut *self.worker, self.narrow.as_mut().map(|narrow| &mut **narrow as &mut dyn Worker))
    }

    /// Room for what is kept of cells that go on from call to call, so many numbers of each.
    fn keep(&mut self, numbers: usize) {
        self.worker.keep(numbers);
        self.narrow.iter_mut().for_each(|narrow| narrow.keep(numbers));
    }

    /// The worker with the fewest lanes.
    fn narrowest(&mut self) -> &mut dyn Worker {
        &mut **self.narrow.as_mut().unwrap_or(&mut self.worker)
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("width", &self.width)
            .field("threads", &self.threads.len())
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// Plans a solver of `threads` threads.
    ///
    /// # Errors
    /// [`EngineError::Option`], [`EngineError::UnknownMethod`], [`EngineError::NoStep`], [`EngineError::UnknownWidth`],
    /// [`EngineError::TooDense`].
    pub fn new(plan: Arc<Plan>, options: Options, threads: usize) -> Result<Self, EngineError> {
        if plan.given { options.check() } else { options.check_of_gas() }.map_err(EngineError::Option)?;
        let _usual = UsualArithmetic::set();
        let name = options.method.as_deref();
        let unknown = || EngineError::UnknownMethod { name: name.unwrap_or_default().to_owned() };
        let method = auto::method(name, &plan).ok_or_else(unknown)?;
        if method.is_fixed() && options.first_step.is_none() {
            return Err(EngineError::NoStep { method: method.name });
        }
        if plan.lu.is_too_dense() {
            return Err(EngineError::TooDense { multiply_adds: plan.lu.operations as f64 });
        }
        let choice = Choice::new(&options, &plan);
        // Only one method works at a time, so their arrays share the memory.
        let size = Gas::new(&plan, options.reactor).dimensions();
        let mut layout = plan.layout;
        let mut stepper = |method: &'static Method| {
            let mut own = plan.layout;
            let stepper = Stepper::new(&mut own, method, size);
            if own.len() > layout.len() {
                layout = own;
            }
            stepper
        };
        let main = stepper(method);
        let once = |c: Choice| c.once.map(|[_, mild]| mild);
        let others = choice.map(|c| (once(c).map(&mut stepper), c.late.map(|late| (stepper(late.method), late))));
        let track = options.watched.then(|| Track::new(&mut layout, plan.lu.n));
        let within = options.watched.then(|| Arc::new(Within::new(&plan, &options)));
        let errors = layout.array(plan.active.len as usize);
        let apart = Apart::new(&mut layout, if others.is_some_and(|(once, _)| once.is_some()) { size.n } else { 0 });
        let arena = layout.len();
        let wish = options.lanes.clone();
        let width = |stepper: &Stepper| {
            dispatch::choose(arena, stepper.in_step(), wish.as_deref())
                .ok_or_else(|| EngineError::UnknownWidth { name: wish.clone().unwrap_or_default() })
        };
        let width = width(&main)?;
        let shared_by = |stepper: Stepper, apart: Option<&Apart>| {
            let (plan, options, within) = (Arc::clone(&plan), options.clone(), within.clone());
            let shared = Shared { plan, options, stepper, track, within, errors, arena };
            shared.rehearse(apart);
            shared
        };
        let shared = shared_by(main, None);
        let auto = choice.zip(others).map(|(choice, (once, late))| Choices {
            choice,
            once: once.map(|stepper| (shared_by(stepper, Some(&apart)), apart)),
            late: late.map(|(stepper, rule)| (shared_by(stepper, None), rule)),
            boards: Boards::default(),
        });
        let narrow = wish.is_none().then(|| dispatch::narrower(width)).flatten();
        let thread =
            |_| Thread { worker: dispatch::worker(width, arena), narrow: narrow.map(|w| dispatch::worker(w, arena)) };
        let threads: Vec<Thread> = (0..threads.max(1)).map(thread).collect();
        let crew = Crew::new(threads.len() - 1);
        let remembered = shared.stepper.memory(shared.gas().memory(shared.stepper.keeps_factors()));
        Ok(Self {
            shared,
            auto,
            width,
            threads,
            crew,
            remembered: remembered.into(),
            program: None,
            fingerprint: OnceLock::new(),
        })
    }

    /// Sets the program for [`Engine::rate_constants`].
    ///
    /// # Panics
    /// If the program points outside its own arrays, which would be a mistake in its lowering.
    pub fn set_rates(&mut self, program: Arc<RateProgram>) {
        constants::rehearse(&program);
        self.program = Some(program);
    }

    /// Instruction set and number of cells side by side, such as `avx512 x 16`.
    pub fn lanes(&self) -> String {
        self.width.to_string()
    }

    /// The plan in use.
    pub fn plan(&self) -> &Plan {
        &self.shared.plan
    }

    /// The options in use.
    pub fn options(&self) -> &Options {
        &self.shared.options
    }

    /// Name of the method in use; `auto` where cells choose.
    pub fn method(&self) -> &'static str {
        if self.auto.is_some() { auto::AUTO } else { self.shared.stepper.method.name }
    }

    /// The method used where all cells must have the same.
    pub fn single_method(&self) -> &'static Method {
        self.shared.stepper.method
    }

    /// Names of the methods that [`Totals::chosen`] counts; empty where cells do not choose, or are watched.
    pub fn choices(&self) -> Vec<&'static str> {
        self.auto.as_ref().map_or_else(Vec::new, |choices| choices.choice.names())
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Runs one kernel `times` times on one thread, on whatever states its lanes hold (those of the last call of
    /// [`Engine::rates`]); for benchmarks.
    pub fn repeat(&mut self, kernel: Kernel, times: usize) {
        self.threads[0].worker.repeat(&self.shared, kernel, times);
    }

    /// Number of cells side by side.
    pub fn width(&self) -> usize {
        self.width.cells()
    }

    /// Workspace per thread \[bytes\].
    pub fn bytes_per_thread(&self) -> usize {
        let Thread { worker, narrow } = &self.threads[0];
        worker.bytes() + narrow.as_ref().map_or(0, |w| w.bytes())
    }

    /// Advances every cell by `dt` \[s\], or by its own interval, in place. `progress` counts finished cells. Setting `stop` ends the
    /// work early; unfinished cells then keep their entry state, with `Status::Cancelled`.
    ///
    /// A failed cell keeps its entry state and says why in its outcome; that is not an error.
    ///
    /// # Errors
    /// As [`Cells::check`], before any cell is touched.
    pub fn advance(&mut self, mut cells: Cells<'_>, dt: f64, signals: Signals<'_>) -> Result<Totals, EngineError> {
        cells.check(&self.shared.plan, dt)?;
        Ok(self.run(&mut cells, Wish::default(), dt, signals))
    }

    /// As [`Engine::advance`]; on the way it records what `watch` asks for. The engine must have been made
    /// with [`Options::watched`]. A cell that the lanes cannot advance is not rescued. With `histories`, one
    /// per cell, the pressure or the volume of each cell follows its history.
    ///
    /// # Errors
    /// As [`Engine::advance`]; as [`check_watch`]; [`EngineError::NotWatched`], [`EngineError::NoHistory`], and
    /// [`EngineError::Length`] for a wrong number of histories.
    pub fn advance_watched(
        &mut self,
        mut cells: Cells<'_>,
        watch: &mut Watch<'_>,
        histories: Option<&[Arc<History>]>,
        dt: f64,
        signals: Signals<'_>,
    ) -> Result<Totals, EngineError> {
        let count = cells.temperature.len();
        if self.shared.track.is_none() {
            return Err(EngineError::NotWatched);
        }
        cells.check(&self.shared.plan, dt)?;
        check_watch(watch, count, self.shared.plan.species, cells.longest(dt))?;
        if let Some(histories) = histories {
            self.shared.plan.imposed().ok_or(EngineError::NoHistory)?;
            length("histories", histories.len(), count)?;
        }
        let wish = Wish { notes: Some(Notes::new(watch)), histories, ..Wish::default() };
        Ok(self.run(&mut cells, wish, dt, signals))
    }

    /// Advances cells that have been checked.
    fn run(&mut self, cells: &mut Cells<'_>, wish: Wish<'_>, dt: f64, signals: Signals<'_>) -> Totals {
        let n = self.shared.plan.species;
        let _usual = UsualArithmetic::set();
        let Wish { notes, recall, histories } = wish;
        // What a cell remembers, and its place in a history, belong to a single method.
        let auto = self.auto.as_ref().filter(|_| recall.is_none() && histories.is_none());
        let hand_over = auto.and_then(Choices::hand_over);
        let threads = cells.temperature.len().div_ceil(self.share(cells.temperature.len()));
        let batch = Batch { threads, notes, recall, histories, hand_over, ..Batch::new(cells, n, dt, signals) };
        let shared = &self.shared;
        if let Some(choices) = auto {
            choices.boards.begin(choices.once.as_ref().map(|_| batch.cells));
        }
        let work = |thread: &mut Thread| match auto {
            None => {
                let (worker, narrow) = thread.workers();
                [worker.run(shared, &batch, narrow), Sums::default(), Sums::default(), Sums::default()]
            }
            Some(choices) => choices.run(thread, shared, &batch),
        };
        let mut totals = Totals::default();
        let sums = Mutex::new(&mut totals);
        self.crew.share(self.threads.iter_mut().take(threads), |thread| {
            let done = work(thread);
            sums.lock().unwrap_or_else(PoisonError::into_inner).add(&done);
        });
        totals
    }

    /// Number of cells, or points, per thread: at least as many as lie side by side, which take as long as one.
    fn share(&self, count: usize) -> usize {
        count.div_ceil(self.threads.len()).max(self.width.cells())
    }
}

/// What a call wants beside the states at the end.
#[derive(Default)]
struct Wish<'a> {
    notes: Option<Notes<'a>>,
    recall: Option<Recall<'a>>,
    histories: Option<&'a [Arc<History>]>,
}
