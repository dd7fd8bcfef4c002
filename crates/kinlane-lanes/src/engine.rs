//! The batch interface.

use crate::batch::Batch;
use crate::boards::{Boards, HandOver, Supply};
use crate::dispatch::{self, Width};
use crate::evaluate::Evaluation;
use crate::memory::{Memory, Recall};
use crate::note::Notes;
use crate::worker::{Kernel, Shared, Sums, Worker};
use kinlane_plan::{Array, Plan};
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::auto::{self, Apart, Choice, Late};
use kinlane_solve::methods::track::Track;
use kinlane_solve::methods::{Method, Stepper};
use kinlane_solve::watch::Watch;
use kinlane_solve::{Cost, History, OptionError, Options, Outcome};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// How `[cells, species]` arrays lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// A cell's species are contiguous: `y[cell * species + k]`.
    #[default]
    CellMajor,
    /// A species' cells are contiguous: `y[k * cells + cell]`.
    SpeciesMajor,
}

/// A constant source per cell over the interval, for operator-split hosts.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// d(Y)/dt \[cells, species\] in the layout of the cells [1/s].
    pub dydt: &'a [f64],
    /// Heating \[cells\]: rate of specific enthalpy (constant p) or internal energy (constant v) [W/kg].
    pub heating: &'a [f64],
}

/// A factor on the rate of progress of one reaction, in both directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factor {
    /// Its number in the network.
    pub reaction: usize,
    /// What its rate constants are multiplied by.
    pub factor: f64,
}

/// A batch of gas cells, in the caller's own buffers. All slices are checked before any cell is touched.
#[derive(Debug)]
pub struct Cells<'a> {
    /// T \[cells\] [K], advanced in place.
    pub temperature: &'a mut [f64],
    /// p \[cells\] [Pa]; advanced in place at constant volume.
    pub pressure: &'a mut [f64],
    /// Y \[cells, species\] mass fractions, advanced in place.
    pub y: &'a mut [f64],
    /// Order of `y` and of the source.
    pub layout: Layout,
    /// Electron temperature \[cells\] [K] for two-temperature plasma rates; the gas temperature where absent.
    pub electron_temperature: Option<&'a [f64]>,
    /// Sources, if any.
    pub source: Option<Source<'a>>,
    /// Factors on rate constants \[cells\], if any, for a plan with
    /// [`Features::factors`](kinlane_plan::plan::Features::factors).
    pub factors: Option<&'a [Vec<Factor>]>,
    /// One outcome per cell, written.
    pub outcome: &'a mut [Outcome],
}

impl<'a> Cells<'a> {
    /// Cells without sources, at the temperature of the gas; whoever has more sets it.
    pub fn new(
        temperature: &'a mut [f64],
        pressure: &'a mut [f64],
        y: &'a mut [f64],
        layout: Layout,
        outcome: &'a mut [Outcome],
    ) -> Self {
        Self { temperature, pressure, y, layout, electron_temperature: None, source: None, factors: None, outcome }
    }

    /// All slices fit, all values are finite, T, p and Te positive, and sources over `dt` \[s\] leave sums of mass
    /// fractions as they are.
    ///
    /// # Errors
    /// [`EngineError::Interval`], [`EngineError::Length`], [`EngineError::Value`], [`EngineError::Unbalanced`],
    /// [`EngineError::NoFactors`].
    pub fn check(&self, plan: &Plan, dt: f64) -> Result<(), EngineError> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(EngineError::Interval { dt });
        }
        let (cells, species) = (self.temperature.len(), plan.species);
        check_gas(species, self.temperature, self.pressure, self.y, self.layout, self.electron_temperature)?;
        length("outcome", self.outcome.len(), cells)?;
        if let Some(s) = self.source {
            length("source.dydt", s.dydt.len(), cells * species)?;
            length("source.heating", s.heating.len(), cells)?;
            check_fractions(species, s.dydt, self.layout, "source of Y")?;
            check_column("heating", s.heating, f64::is_finite)?;
            let [by_cell, by_species] = if self.layout == Layout::CellMajor { [species, 1] } else { [1, cells] };
            for cell in 0..cells {
                let sum: f64 = (0..species).map(|k| s.dydt[cell * by_cell + k * by_species]).sum();
                if (sum * dt).abs() > UNBALANCED {
                    return Err(EngineError::Unbalanced { cell, sum, dt });
                }
            }
        }
        let Some(factors) = self.factors else { return Ok(()) };
        if plan.kinetics.excess.len == 0 {
            return Err(EngineError::NoFactors);
        }
        length("factors", factors.len(), cells)?;
        let known = plan.kinetics.constant.len();
        for (cell, f) in factors.iter().enumerate().flat_map(|(i, list)| list.iter().map(move |f| (i, f))) {
            if f.reaction >= known || !(f.factor.is_finite() && f.factor >= 0.0) {
                let column = format!("factor of reaction {}", f.reaction);
                return Err(EngineError::Value { cell, column, value: f.factor });
            }
        }
        Ok(())
    }

    /// The same cells, lent on.
    pub fn reborrow(&mut self) -> Cells<'_> {
        Cells {
            temperature: self.temperature,
            pressure: self.pressure,
            y: self.y,
            layout: self.layout,
            electron_temperature: self.electron_temperature,
            source: self.source,
            factors: self.factors,
            outcome: self.outcome,
        }
    }
}

/// Sums over a batch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Cells that did not reach the end.
    pub failed: usize,
    /// Cost over all cells.
    pub cost: TotalCost,
    /// CPU seconds of the integrating threads.
    pub cpu_seconds: f64,
    /// Where the choice of the method was left to the program: cells that ended with the method for those in which next
    /// to nothing happens, with that for those in which nothing is fast, with that for all others, and with that for
    /// many steps.
    pub chosen: [usize; 4],
}

/// As [`Cost`], summed over a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the fields are those of Cost")]
pub struct TotalCost {
    pub steps: u64,
    pub rejected: u64,
    pub rhs: u64,
    pub jac: u64,
    pub factor: u64,
}

impl TotalCost {
    /// Adds one cell's cost.
    pub fn add(&mut self, c: &Cost) {
        self.steps += u64::from(c.steps);
        self.rejected += u64::from(c.rejected);
        self.rhs += u64::from(c.rhs);
        self.jac += u64::from(c.jac);
        self.factor += u64::from(c.factor);
    }

    /// Adds another sum.
    pub fn merge(&mut self, o: &Self) {
        self.steps += o.steps;
        self.rejected += o.rejected;
        self.rhs += o.rhs;
        self.jac += o.jac;
        self.factor += o.factor;
    }
}

/// Why an engine cannot be made or a batch cannot be taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// No such method.
    #[error("no method `{name}`")]
    UnknownMethod {
        /// The name asked for.
        name: String,
    },
    /// No such lane width on this processor.
    #[error("no lanes `{name}` here")]
    UnknownWidth {
        /// The width asked for.
        name: String,
    },
    /// An option is outside its range.
    #[error("{} is {:e}, it must be {}", .0.option, .0.value, .0.must)]
    Option(OptionError),
    /// The interval cannot be integrated over.
    #[error("the interval dt is {dt:e} s, it must be a positive number")]
    Interval {
        /// The interval \[s\].
        dt: f64,
    },
    /// Cells can only be watched by an engine that was made for it.
    #[error("cells are watched by an engine whose options say so")]
    NotWatched,
    /// The cells have factors on rate constants, and this engine's plan or its devices take none.
    #[error("factors on rate constants need a plan made for them, and run on the CPU only")]
    NoFactors,
    /// Times to be noted do not rise from 0 to the end of the interval.
    #[error("time {index} of the watch is {value:e} s, it must be between {before:e} and {dt:e} s")]
    Time {
        /// Which.
        index: usize,
        /// Its value \[s\].
        value: f64,
        /// The time before it \[s\].
        before: f64,
        /// The interval \[s\].
        dt: f64,
    },
    /// An event is of a species that there is not.
    #[error("event {event} of the watch is about species {wanted}, there are {species}")]
    Species {
        /// Which event.
        event: usize,
        /// The species, counted from 0.
        wanted: usize,
        /// How many there are.
        species: usize,
    },
    /// Histories are for watched cells of a plan with [`Features::history`](kinlane_plan::plan::Features::history).
    #[error("histories need a plan made for them")]
    NoHistory,
    /// A slice has the wrong length.
    #[error("{what} has {got} values, {want} are needed")]
    Length {
        /// Which slice.
        what: &'static str,
        /// Its length.
        got: usize,
        /// The length it must have.
        want: usize,
    },
    /// Sources of a cell's mass fractions do not sum to zero.
    #[error(
        "cell {cell}: the sources dYdt sum to {sum:e} 1/s, which in {dt:e} s would change the sum of the mass fractions by \
         {:e}; sources must sum to zero (as diffusion fluxes do with a correction velocity)",
        sum * dt
    )]
    Unbalanced {
        /// Cell index.
        cell: usize,
        /// Their sum \[1/s\].
        sum: f64,
        /// The interval \[s\].
        dt: f64,
    },
    /// An input value cannot be used.
    #[error("cell {cell}, {column}: {value:e} is not a value that a gas can have")]
    Value {
        /// Cell index.
        cell: usize,
        /// Which column, such as `T` or a species.
        column: String,
        /// The value.
        value: f64,
    },
}

/// By how much the sources of a call may change the sum of a cell's mass fractions: as much as it may be off at entry.
const UNBALANCED: f64 = 1e-6;

/// Part of the lanes that must gain from a step for it to be taken at once: five evaluations for all lanes, or seven for
/// those that wait.
const WORTH_A_STEP: f64 = 0.7;

/// Advances batches of one mechanism. Holds the plan, the options and every thread's workspace: nothing is
/// allocated in [`Engine::advance`] but the threads themselves and, where cells choose their methods, room for as many
/// as wait at once, which is kept for the calls after. One `advance` at a time.
pub struct Engine {
    pub(crate) shared: Shared,
    auto: Option<Crews>,
    width: Width,
    threads: Vec<Thread>,
}

/// Who works on one thread.
struct Thread {
    worker: Box<dyn Worker>,
    /// For the cells handed over, in lanes of the width that suits the method that takes them.
    late: Option<Box<dyn Worker>>,
}

/// What else cells may be advanced with, where they choose.
struct Crews {
    choice: Choice,
    /// The second of the methods of one step; the first works in its arrays.
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
    /// [`EngineError::Option`], [`EngineError::UnknownMethod`], [`EngineError::UnknownWidth`].
    pub fn new(plan: Arc<Plan>, options: Options, threads: usize) -> Result<Self, EngineError> {
        options.check().map_err(EngineError::Option)?;
        let name = options.method.as_deref();
        let unknown = || EngineError::UnknownMethod { name: name.unwrap_or_default().to_owned() };
        let method = auto::method(name).ok_or_else(unknown)?;
        let choice = Choice::new(&options, plan.species);
        // One method works at a time, so their arrays share the room.
        let size = Gas { plan: &plan, reactor: options.reactor }.dimensions();
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
        let errors = layout.array(plan.active.len as usize);
        let apart = Apart::new(&mut layout, if others.is_some_and(|(once, _)| once.is_some()) { size.n } else { 0 });
        let arena = layout.len();
        let wish = options.lanes.clone();
        let width = |stepper: &Stepper| {
            dispatch::choose(arena, stepper.in_step(), wish.as_deref())
                .ok_or_else(|| EngineError::UnknownWidth { name: wish.clone().unwrap_or_default() })
        };
        let late_width = others.as_ref().and_then(|o| o.1.as_ref()).map(|(late, _)| width(late)).transpose()?;
        let width = width(&main)?;
        let crew = |stepper: Stepper, apart: Option<&Apart>| {
            let (plan, options) = (Arc::clone(&plan), options.clone());
            let shared = Shared { plan, options, stepper, track, errors, arena };
            shared.rehearse(apart);
            shared
        };
        let shared = crew(main, None);
        let auto = choice.zip(others).map(|(choice, (once, late))| Crews {
            choice,
            once: once.map(|stepper| (crew(stepper, Some(&apart)), apart)),
            late: late.map(|(stepper, rule)| (crew(stepper, None), rule)),
            boards: Boards::default(),
        });
        let thread =
            |_| Thread { worker: dispatch::worker(width, arena), late: late_width.map(|w| dispatch::worker(w, arena)) };
        let threads = (0..threads.max(1)).map(thread).collect();
        Ok(Self { shared, auto, width, threads })
    }

    /// Instruction set and cells side by side, such as `avx512 x 16`.
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

    /// Name of the method in use, `auto` where cells choose.
    pub fn method(&self) -> &'static str {
        if self.auto.is_some() { auto::AUTO } else { self.shared.stepper.method.name }
    }

    /// Name of the method where all cells have one.
    pub fn single_method(&self) -> &'static str {
        self.shared.stepper.method.name
    }

    /// Names of the methods that [`Totals::chosen`] counts; empty where cells do not choose, or are
    /// watched.
    pub fn choices(&self) -> Vec<&'static str> {
        self.auto.as_ref().map_or_else(Vec::new, |crews| crews.choice.names())
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

    /// Cells side by side.
    pub fn width(&self) -> usize {
        self.width.cells
    }

    /// Bytes of workspace per thread.
    pub fn bytes_per_thread(&self) -> usize {
        let Thread { worker, late } = &self.threads[0];
        worker.bytes() + late.as_ref().map_or(0, |w| w.bytes())
    }

    /// Advances every cell by `dt` [s], in place. `progress` counts finished cells; setting `stop` ends the work
    /// early, unfinished cells then keep their entry state with `Status::Cancelled`.
    ///
    /// A failed cell keeps its entry state and says why in its outcome; that is not an error.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`], before any cell is touched.
    pub fn advance(
        &mut self,
        mut cells: Cells<'_>,
        dt: f64,
        progress: &AtomicUsize,
        stop: &AtomicBool,
    ) -> Result<Totals, EngineError> {
        self.run(&mut cells, Wish::default(), dt, progress, stop)
    }

    /// A memory for as many cells, of which nothing is known yet.
    pub fn memory(&self, cells: usize) -> Memory {
        Memory::new(cells, Recall::width(self.shared.plan.species, &self.remembered()))
    }

    /// What cells keep between calls.
    fn remembered(&self) -> Vec<Array> {
        let s = &self.shared;
        let mut all = s.gas().memory(s.stepper.keeps_factors());
        all.extend(s.stepper.memory());
        all
    }

    /// As [`Engine::advance`], but a cell goes on as if the last call with this memory had not ended, unless its state
    /// was changed since, or there is a source or an electron temperature: then it begins anew, with the step size that
    /// it had. All cells are advanced with one method.
    ///
    /// # Errors
    /// As [`Engine::advance`]; [`EngineError::Length`] where the memory is not one for these cells.
    pub fn advance_remembering(
        &mut self,
        mut cells: Cells<'_>,
        memory: &mut Memory,
        dt: f64,
        progress: &AtomicUsize,
        stop: &AtomicBool,
    ) -> Result<Totals, EngineError> {
        let arrays = self.remembered();
        length("memory", memory.cells(), cells.temperature.len())?;
        length("memory per cell", memory.width(), Recall::width(self.shared.plan.species, &arrays))?;
        let wish = Wish { recall: Some(Recall::new(memory, &arrays)), ..Wish::default() };
        self.run(&mut cells, wish, dt, progress, stop)
    }

    /// As [`Engine::advance`], noting on the way what `watch` asks for. The engine must have been made with
    /// [`Options::watched`]. A cell that the lanes cannot advance is not rescued. With `histories`, one per cell,
    /// pressure or volume follow these.
    ///
    /// # Errors
    /// As [`Engine::advance`]; [`EngineError::NotWatched`], [`EngineError::NoHistory`].
    pub fn advance_watched(
        &mut self,
        mut cells: Cells<'_>,
        watch: &mut Watch<'_>,
        histories: Option<&[Arc<History>]>,
        dt: f64,
        progress: &AtomicUsize,
        stop: &AtomicBool,
    ) -> Result<Totals, EngineError> {
        let count = cells.temperature.len();
        if self.shared.track.is_none() {
            return Err(EngineError::NotWatched);
        }
        check_watch(watch, count, self.shared.plan.species, dt)?;
        if let Some(histories) = histories {
            self.shared.plan.imposed().ok_or(EngineError::NoHistory)?;
            length("histories", histories.len(), count)?;
        }
        let wish = Wish { notes: Some(Notes::new(watch)), histories, ..Wish::default() };
        self.run(&mut cells, wish, dt, progress, stop)
    }

    fn run(
        &mut self,
        cells: &mut Cells<'_>,
        wish: Wish<'_>,
        dt: f64,
        progress: &AtomicUsize,
        stop: &AtomicBool,
    ) -> Result<Totals, EngineError> {
        let n = self.shared.plan.species;
        cells.check(&self.shared.plan, dt)?;
        let Wish { notes, recall, histories } = wish;
        // What is remembered, and where a cell stands in its history, is one method's.
        let auto = self.auto.as_ref().filter(|_| recall.is_none() && histories.is_none());
        let hand_over = auto.and_then(Crews::hand_over);
        let batch = Batch { notes, recall, histories, hand_over, ..Batch::new(cells, n, dt, progress, stop) };
        let shared = &self.shared;
        if let Some(crews) = auto {
            crews.boards.begin(crews.once.as_ref().map(|_| batch.cells));
        }
        let work = |thread: &mut Thread| match auto {
            None => [thread.worker.run(shared, &batch), Sums::default(), Sums::default(), Sums::default()],
            Some(crews) => crews.run(thread, shared, &batch),
        };
        let mut totals = Totals::default();
        let mut add = |share: [Sums; 4]| {
            for (chosen, sums) in totals.chosen.iter_mut().zip(share) {
                totals.cost.merge(&sums.cost);
                totals.failed += sums.failed;
                totals.cpu_seconds += sums.cpu_seconds;
                *chosen += sums.cells;
            }
        };
        match &mut self.threads[..] {
            [only] => add(work(only)),
            many => std::thread::scope(|scope| {
                let work = &work;
                let handles: Vec<_> = many.iter_mut().map(|t| scope.spawn(move || work(t))).collect();
                for h in handles {
                    match h.join() {
                        Ok(x) => add(x),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
            }),
        }
        Ok(totals)
    }

    /// Net production rates [mol/(m³ s)], `wdot` \[cells, species\], and, if `jac` is given, d(dY/dt, dT/dt)/d(Y, T)
    /// \[cells, species + 1, species + 1\] of the reactor in the options, row-major, all cell-major.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::Value`].
    pub fn rates(
        &mut self,
        temperature: &[f64],
        pressure: &[f64],
        y: &[f64],
        electron_temperature: Option<&[f64]>,
        wdot: &mut [f64],
        jac: Option<&mut [f64]>,
    ) -> Result<(), EngineError> {
        let (n, cells) = (self.shared.plan.species, temperature.len());
        check_gas(n, temperature, pressure, y, Layout::CellMajor, electron_temperature)?;
        length("wdot", wdot.len(), cells * n)?;
        let size = (n + 1) * (n + 1);
        if let Some(j) = &jac {
            length("jac", j.len(), cells * size)?;
        }
        if cells == 0 {
            return Ok(());
        }
        let input = Evaluation { temperature, pressure, y, electron: electron_temperature };
        let (shared, share) = (&self.shared, cells.div_ceil(self.threads.len()));
        if let [only] = &mut self.threads[..] {
            only.worker.evaluate(shared, &input, 0, wdot, jac);
            return Ok(());
        }
        let mut jac = jac.map(|j| j.chunks_mut(share * size));
        std::thread::scope(|scope| {
            for (i, (thread, wdot)) in self.threads.iter_mut().zip(wdot.chunks_mut(share * n)).enumerate() {
                let jac = jac.as_mut().and_then(Iterator::next);
                let input = &input;
                scope.spawn(move || thread.worker.evaluate(shared, input, i * share, wdot, jac));
            }
        });
        Ok(())
    }
}

/// What is asked for beyond the ends of cells.
#[derive(Default)]
struct Wish<'a> {
    notes: Option<Notes<'a>>,
    recall: Option<Recall<'a>>,
    histories: Option<&'a [Arc<History>]>,
}

impl Crews {
    /// When cells are handed over, and to where.
    fn hand_over(&self) -> Option<HandOver<'_>> {
        self.late.as_ref().map(|&(_, late)| HandOver { late, board: &self.boards.late })
    }

    /// Tells cells apart, then advances them with the method of each, until no cell is left. What each method did, in
    /// the order of [`Totals::chosen`].
    fn run(&self, thread: &mut Thread, stiff: &Shared, batch: &Batch<'_>) -> [Sums; 4] {
        let (w, boards) = (&mut thread.worker, &self.boards);
        let [mut calm, mut mild] = [Sums::default(); 2];
        let main = match &self.once {
            Some((once, apart)) => {
                let waited = batch.from(Supply::Board(&boards.mild), None);
                for (supply, part) in [(batch, WORTH_A_STEP), (&waited, 0.0)] {
                    let [c, m] = w.tell_apart(once, apart, supply, boards, part);
                    calm.merge(&c);
                    mild.merge(&m);
                }
                w.run(stiff, &batch.from(Supply::Board(&boards.stiff), self.hand_over()))
            }
            None => w.run(stiff, batch),
        };
        let last = (self.late.as_ref().zip(thread.late.as_mut()))
            .map(|((s, rule), w)| w.run(s, &batch.from(Supply::Late(&boards.late, *rule), None)));
        [calm, mild, main, last.unwrap_or_default()]
    }
}

/// Whether the slices of a gas fit one another, all values are finite, and T, p and Te are positive.
///
/// # Errors
/// [`EngineError::Length`], [`EngineError::Value`].
pub fn check_gas(
    species: usize,
    temperature: &[f64],
    pressure: &[f64],
    y: &[f64],
    layout: Layout,
    electron_temperature: Option<&[f64]>,
) -> Result<(), EngineError> {
    let cells = temperature.len();
    length("pressure", pressure.len(), cells)?;
    length("y", y.len(), cells * species)?;
    length("electron_temperature", electron_temperature.map_or(cells, <[f64]>::len), cells)?;
    for (column, values) in [("T", temperature), ("P", pressure), ("Te", electron_temperature.unwrap_or(&[]))] {
        check_column(column, values, |x| x.is_finite() && x > 0.0)?;
    }
    check_fractions(species, y, layout, "Y")
}

/// Whether all values of a column are `good`.
fn check_column(column: &str, values: &[f64], good: impl Fn(f64) -> bool) -> Result<(), EngineError> {
    match values.iter().position(|&x| !good(x)) {
        Some(cell) => Err(EngineError::Value { cell, column: column.to_owned(), value: values[cell] }),
        None => Ok(()),
    }
}

/// Whether all of the values that there are for every species are finite.
fn check_fractions(species: usize, values: &[f64], layout: Layout, what: &str) -> Result<(), EngineError> {
    let Some(i) = values.iter().position(|x| !x.is_finite()) else { return Ok(()) };
    let (cell, k) = match layout {
        Layout::CellMajor => (i / species, i % species),
        Layout::SpeciesMajor => (i % (values.len() / species), i / (values.len() / species)),
    };
    Err(EngineError::Value { cell, column: format!("{what}[{k}]"), value: values[i] })
}

/// Whether a watch has room for what is noted of `cells` cells of `species` species over `dt` [s], and asks for what there
/// is.
///
/// # Errors
/// [`EngineError::Length`], [`EngineError::Time`], [`EngineError::Species`].
pub fn check_watch(watch: &Watch<'_>, cells: usize, species: usize, dt: f64) -> Result<(), EngineError> {
    length("watch.series", watch.series.len(), cells * watch.times.len() * (species + 2))?;
    length("watch.found", watch.found.len(), cells * watch.events.len())?;
    let mut before = 0.0;
    for (index, &value) in watch.times.iter().enumerate() {
        // The last of evenly spaced times may miss the end by rounding.
        if !(before <= value && value <= dt * (1.0 + 1e-12)) {
            return Err(EngineError::Time { index, value, before, dt });
        }
        before = value;
    }
    for (event, e) in watch.events.iter().enumerate() {
        if let Some(wanted) = e.quantity.species().filter(|&k| k >= species) {
            return Err(EngineError::Species { event, wanted, species });
        }
    }
    Ok(())
}

fn length(what: &'static str, got: usize, want: usize) -> Result<(), EngineError> {
    if got == want { Ok(()) } else { Err(EngineError::Length { what, got, want }) }
}
