//! The batch interface.

use crate::batch::Batch;
use crate::cells::{Cells, Layout, Points, check_constants, check_watch, length, turned};
use crate::constants::{self, Column, Constants};
use crate::continuation::{Continuation, Recall};
use crate::crew::Crew;
use crate::dispatch::{self, Width};
use crate::error::EngineError;
use crate::evaluate::Properties;
use crate::host::UsualArithmetic;
use crate::record;
use crate::shared::Shared;
use crate::signals::Signals;
use crate::worker::between::Within;
use crate::worker::boards::{Boards, HandOver, Supply};
use crate::worker::note::Notes;
use crate::worker::{Kernel, Sums, Worker};
use kinlane_plan::plan::RateProgram;
use kinlane_plan::{Array, Plan};
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::auto::{self, Apart, Choice, Late};
use kinlane_solve::methods::track::Track;
use kinlane_solve::methods::{Method, Stepper};
use kinlane_solve::watch::Watch;
use kinlane_solve::{Cost, History, Options};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Sums over a batch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Cells that did not reach the end.
    pub failed: usize,
    /// Cost over all cells.
    pub cost: Cost<u64>,
    /// CPU seconds of the integrating threads.
    pub cpu_seconds: f64,
    /// Number of cells that ended with each method, if the choice was left to the program.
    pub chosen: PerMethod<usize>,
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
            self.cpu_seconds += sums.cpu_seconds;
            *chosen += sums.cells;
        }
    }
}

/// The mild part of the lanes from which on their step is taken at once: it costs six evaluations in all
/// lanes now, or eight in those of waiting cells later.
const WORTH_A_STEP: f64 = 0.7;

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
    /// The worker for a thread that gets `share` cells, and the one for the last of them.
    fn workers(&mut self, share: usize) -> (&mut dyn Worker, Option<&mut dyn Worker>) {
        if self.narrowest().width() >= share {
            return (self.narrowest(), None);
        }
        (&mut *self.worker, self.narrow.as_mut().map(|narrow| &mut **narrow as &mut dyn Worker))
    }

    /// The worker with the fewest lanes.
    fn narrowest(&mut self) -> &mut dyn Worker {
        &mut **self.narrow.as_mut().unwrap_or(&mut self.worker)
    }
}

/// What is needed beside the default method where cells choose.
struct Choices {
    choice: Choice,
    /// For the second of the methods of one step; the first uses the same arrays.
    once: Option<(Shared, Apart)>,
    late: Option<(Shared, Late)>,
    boards: Boards,
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
    /// [`EngineError::Option`], [`EngineError::UnknownMethod`], [`EngineError::NoStep`], [`EngineError::UnknownWidth`].
    pub fn new(plan: Arc<Plan>, options: Options, threads: usize) -> Result<Self, EngineError> {
        options.check().map_err(EngineError::Option)?;
        let _usual = UsualArithmetic::set();
        let name = options.method.as_deref();
        let unknown = || EngineError::UnknownMethod { name: name.unwrap_or_default().to_owned() };
        let method = auto::method(name).ok_or_else(unknown)?;
        if method.is_fixed() && options.first_step.is_none() {
            return Err(EngineError::NoStep { method: method.name });
        }
        let choice = Choice::new(&options, plan.species);
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

    /// Rate constants of the program for so many cells, into `out` \[cells, reactions\], from one column for each of its
    /// inputs. Returns the CPU time of all threads \[s\].
    ///
    /// # Errors
    /// [`EngineError::NoProgram`]; [`EngineError::Length`] where there are not as many columns as inputs, a column is too
    /// short, or `out` does not fit.
    pub fn rate_constants(
        &mut self,
        cells: usize,
        inputs: &[Column<'_>],
        which: Constants,
        out: &mut [f64],
    ) -> Result<f64, EngineError> {
        let program = Arc::clone(self.program.as_ref().ok_or(EngineError::NoProgram)?);
        let reactions = program.k.len as usize;
        length("inputs", inputs.len(), program.inputs.len as usize)?;
        length("rate constants", out.len(), cells * reactions)?;
        if cells == 0 || reactions == 0 {
            return Ok(0.0);
        }
        for c in inputs {
            let need = (cells - 1) * c.stride + c.first + 1;
            if c.values.len() < need {
                return Err(EngineError::Length { what: "a column of inputs", got: c.values.len(), want: need });
            }
        }
        let _usual = UsualArithmetic::set();
        let share = self.share(cells);
        let parts = self.threads.iter_mut().zip(out.chunks_mut(share * reactions)).enumerate();
        let seconds = Mutex::new(0.0);
        self.crew.share(parts, |(i, (thread, out))| {
            let start = cpu_time::ThreadTime::now();
            // SAFETY: `set_rates` has rehearsed it.
            unsafe { thread.worker.constants(&program, inputs, which, i * share, out) };
            *seconds.lock().unwrap_or_else(PoisonError::into_inner) += start.elapsed().as_secs_f64();
        });
        Ok(seconds.into_inner().unwrap_or_else(PoisonError::into_inner))
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
        self.run(&mut cells, Wish::default(), dt, signals)
    }

    /// A continuation for so many cells, of which nothing is known yet.
    pub fn continuation(&self, cells: usize) -> Continuation {
        Continuation::new(self.fingerprint(), cells, self.record_width())
    }

    /// Numbers that a cell keeps from call to call, see [`crate::record`].
    pub fn record_width(&self) -> usize {
        record::width(self.shared.plan.species, &self.remembered)
    }

    /// A hash of all that a continuation depends on: constants of the mechanism, method, reactor, tolerances.
    fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| {
            let (s, mut hash) = (&self.shared, DefaultHasher::new());
            let o = &s.options;
            (s.stepper.method.name, o.reactor as u8, o.rtol.to_bits(), o.atol.to_bits()).hash(&mut hash);
            s.plan.tables.indices.hash(&mut hash);
            s.plan.tables.reals.iter().for_each(|x| x.to_bits().hash(&mut hash));
            hash.finish()
        })
    }

    /// As [`Engine::advance`], but a cell goes on as if the last call with this continuation had not ended. A
    /// cell whose state was changed since begins anew, with the step size that it had; so does every cell if
    /// there is a source or an electron temperature. All cells are advanced with one method.
    ///
    /// # Errors
    /// As [`Engine::advance`]; [`EngineError::Length`] where the continuation is for another number of cells;
    /// [`EngineError::ForeignContinuation`] where it was made for another plan, method, reactor or other tolerances.
    pub fn advance_continuing(
        &mut self,
        cells: Cells<'_>,
        continuation: &mut Continuation,
        dt: f64,
        signals: Signals<'_>,
    ) -> Result<Totals, EngineError> {
        self.check_continuation(continuation, cells.temperature.len())?;
        self.advance_records(cells, continuation.numbers_mut(), dt, signals)
    }

    /// Whether a continuation is for so many cells, and for this engine.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::ForeignContinuation`].
    pub fn check_continuation(&self, continuation: &Continuation, cells: usize) -> Result<(), EngineError> {
        length("continuation", continuation.cells(), cells)?;
        if continuation.solver() != self.fingerprint() {
            return Err(EngineError::ForeignContinuation);
        }
        Ok(())
    }

    /// As [`Engine::advance_continuing`], with the records of some of the cells of a continuation, \[n,
    /// record_width\].
    ///
    /// # Errors
    /// As [`Engine::advance`]; [`EngineError::Length`].
    pub fn advance_records(
        &mut self,
        mut cells: Cells<'_>,
        records: &mut [f64],
        dt: f64,
        signals: Signals<'_>,
    ) -> Result<Totals, EngineError> {
        let (arrays, width) = (Arc::clone(&self.remembered), self.record_width());
        length("records", records.len(), cells.temperature.len() * width)?;
        let wish = Wish { recall: Some(Recall::new(records, width, &arrays)), ..Wish::default() };
        self.run(&mut cells, wish, dt, signals)
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
        check_watch(watch, count, self.shared.plan.species, cells.longest(dt))?;
        if let Some(histories) = histories {
            self.shared.plan.imposed().ok_or(EngineError::NoHistory)?;
            length("histories", histories.len(), count)?;
        }
        let wish = Wish { notes: Some(Notes::new(watch)), histories, ..Wish::default() };
        self.run(&mut cells, wish, dt, signals)
    }

    fn run(
        &mut self,
        cells: &mut Cells<'_>,
        wish: Wish<'_>,
        dt: f64,
        signals: Signals<'_>,
    ) -> Result<Totals, EngineError> {
        let n = self.shared.plan.species;
        cells.check(&self.shared.plan, dt)?;
        let _usual = UsualArithmetic::set();
        let Wish { notes, recall, histories } = wish;
        // What a cell remembers, and its place in a history, belong to a single method.
        let auto = self.auto.as_ref().filter(|_| recall.is_none() && histories.is_none());
        let hand_over = auto.and_then(Choices::hand_over);
        let share = self.share(cells.temperature.len());
        let batch = Batch { share, notes, recall, histories, hand_over, ..Batch::new(cells, n, dt, signals) };
        let shared = &self.shared;
        if let Some(choices) = auto {
            choices.boards.begin(choices.once.as_ref().map(|_| batch.cells));
        }
        let work = |thread: &mut Thread| match auto {
            None => {
                let (worker, narrow) = thread.workers(share);
                [worker.run(shared, &batch, narrow), Sums::default(), Sums::default(), Sums::default()]
            }
            Some(choices) => choices.run(thread, shared, &batch),
        };
        let mut totals = Totals::default();
        let needed = batch.cells.div_ceil(share);
        let sums = Mutex::new(&mut totals);
        self.crew.share(self.threads.iter_mut().take(needed), |thread| {
            let share = work(thread);
            sums.lock().unwrap_or_else(PoisonError::into_inner).add(&share);
        });
        Ok(totals)
    }

    /// Net production rates \[mol/(m³ s)\] into `wdot` \[n, species\] and, if `jac` is given, d(dY/dt,
    /// dT/dt)/d(Y, T) \[n, species + 1, species + 1\], row-major, of the reactor in the options. Rates lie as the
    /// points' mass fractions, Jacobians one after the other.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn rates(&mut self, at: Points<'_>, wdot: &mut [f64], jac: Option<&mut [f64]>) -> Result<(), EngineError> {
        let n = self.shared.plan.species;
        at.check(&self.shared.plan, wdot, jac.as_deref())?;
        if at.layout == Layout::SpeciesMajor {
            let (cells, mut rows) = (at.temperature.len(), vec![0.0; wdot.len()]);
            self.rates_of(&at, &mut rows, jac);
            wdot.copy_from_slice(&turned(&rows, n, cells));
        } else {
            self.rates_of(&at, wdot, jac);
        }
        Ok(())
    }

    /// Rates cell by cell, of points in any layout.
    fn rates_of(&mut self, at: &Points<'_>, wdot: &mut [f64], jac: Option<&mut [f64]>) {
        let n = self.shared.plan.species;
        let share = self.share(at.temperature.len());
        let mut jac = jac.map(|j| j.chunks_mut(share * (n + 1) * (n + 1)));
        let parts = wdot.chunks_mut((share * n).max(1)).map(|wdot| (wdot, jac.as_mut().and_then(Iterator::next)));
        self.look(share, parts, |worker, shared, lo, (wdot, jac)| worker.evaluate(shared, at, lo, wdot, jac));
    }

    /// Properties of the gas at every point, into `out` \[n\]. Unless the heat release is `wanted`, no reaction is evaluated,
    /// and it is NaN.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn properties(&mut self, at: Points<'_>, out: &mut [Properties], wanted: bool) -> Result<(), EngineError> {
        self.need_thermodynamics()?;
        at.check_laid(self.shared.plan.species)?;
        length("properties", out.len(), at.temperature.len())?;
        let share = self.share(at.temperature.len());
        let parts = out.chunks_mut(share);
        self.look(share, parts, |worker, shared, lo, part| worker.properties(shared, &at, lo, part, wanted));
        Ok(())
    }

    /// Temperatures \[K\] at which the gas has the specific enthalpies `energy` \[n\] \[J/kg\] (at constant
    /// volume, internal energies). The search starts from the temperatures of the points. NaN where there is
    /// no such temperature.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn temperatures(&mut self, at: Points<'_>, energy: &[f64], out: &mut [f64]) -> Result<(), EngineError> {
        self.need_thermodynamics()?;
        at.check_laid(self.shared.plan.species)?;
        length("energies", energy.len(), at.temperature.len())?;
        length("temperatures", out.len(), at.temperature.len())?;
        let share = self.share(at.temperature.len());
        let parts = energy.chunks(share).zip(out.chunks_mut(share));
        self.look(share, parts, |worker, shared, lo, (energy, out)| worker.temperatures(shared, &at, lo, energy, out));
        Ok(())
    }

    /// Forward and reverse rate of progress \[mol/(m³ s)\] of every reaction of the network, into `out` \[n,
    /// reactions\].
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn rates_of_progress(&mut self, at: Points<'_>, out: &mut [[f64; 2]]) -> Result<(), EngineError> {
        let reactions = self.shared.plan.kinetics.place.len();
        check_constants(&self.shared.plan, at.temperature.len(), at.constants)?;
        at.check_laid(self.shared.plan.species)?;
        length("rates of progress", out.len(), at.temperature.len() * reactions)?;
        let share = self.share(at.temperature.len());
        let parts = out.chunks_mut(share * reactions.max(1));
        self.look(share, parts, |worker, shared, lo, part| worker.rates_of_progress(shared, &at, lo, part));
        Ok(())
    }

    /// Refuses what only thermodynamics can tell, where there is none.
    fn need_thermodynamics(&self) -> Result<(), EngineError> {
        if self.shared.plan.given { Err(EngineError::NoThermodynamics) } else { Ok(()) }
    }

    /// Number of cells, or points, per thread: at least as many as lie side by side, which take as long as one.
    fn share(&self, count: usize) -> usize {
        count.div_ceil(self.threads.len()).max(self.width.cells())
    }

    /// Evaluates points: each thread gets its part, of `share` points.
    fn look<P: Send>(
        &mut self,
        share: usize,
        parts: impl ExactSizeIterator<Item = P> + Send,
        work: impl Fn(&mut dyn Worker, &Shared, usize, P) + Sync,
    ) {
        let _usual = UsualArithmetic::set();
        let shared = &self.shared;
        let parts = self.threads.iter_mut().zip(parts).enumerate();
        self.crew.share(parts, |(i, (thread, part))| work(&mut *thread.worker, shared, i * share, part));
    }
}

/// What a call wants beside the states at the end.
#[derive(Default)]
struct Wish<'a> {
    notes: Option<Notes<'a>>,
    recall: Option<Recall<'a>>,
    histories: Option<&'a [Arc<History>]>,
}

impl Choices {
    /// When cells are handed over to another method, and on which board.
    fn hand_over(&self) -> Option<HandOver<'_>> {
        self.late.as_ref().map(|&(_, late)| HandOver { late, board: &self.boards.late })
    }

    /// Tells cells apart, then advances them with the method of each, until no cell is left. Returns what
    /// each method did.
    fn run(&self, thread: &mut Thread, stiff: &Shared, batch: &Batch<'_>) -> PerMethod<Sums> {
        let boards = &self.boards;
        let [mut calm, mut mild] = [Sums::default(); 2];
        let (worker, narrow) = thread.workers(batch.share);
        let told = self.once.as_ref().map(|(once, apart)| {
            let waited = batch.from(Supply::Board(&boards.mild), None);
            for (supply, part) in [(batch, WORTH_A_STEP), (&waited, 0.0)] {
                let [c, m] = worker.tell_apart(once, apart, supply, boards, part);
                calm.merge(&c);
                mild.merge(&m);
            }
            batch.from(Supply::Board(&boards.stiff), self.hand_over())
        });
        let mut main = worker.run(stiff, told.as_ref().unwrap_or(batch), narrow);
        let Some((late, rule)) = &self.late else { return [calm, mild, main, Sums::default()] };
        let supply = batch.from(Supply::Late(&boards.late, *rule), None);
        let last = thread.narrowest().run(late, &Batch { give_back: Some(&boards.back), ..supply }, None);
        let (worker, narrow) = thread.workers(batch.share);
        main.merge(&worker.run(stiff, &batch.from(Supply::Back(&boards.back), None), narrow));
        [calm, mild, main, last]
    }
}
