//! The code for a device, as text: programs recorded from the same code that the lanes run, and around them
//! the few lines that move cells in and out.

use crate::log;
use crate::memory::{HEAD_IN, HEAD_OUT, Needs};
use crate::work::{Meter, Work};
use kinlane_emit::{CUDA, Dialect, Memory, OPENCL, Placing, Program, Recorder, Storage, near, print, unroll};
use kinlane_lanes::record;
use kinlane_plan::Precision;
use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_plan::tables::Layout;
use kinlane_plan::{Plan, Real};
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::{jacobian, reactor};
use kinlane_solve::methods::auto::{Apart, Choice, Late, RANKS};
use kinlane_solve::methods::control::{Clock, DONE, SLIVER, Start};
use kinlane_solve::methods::method::Kind;
use kinlane_solve::methods::problem::Equations;
use kinlane_solve::methods::{Method, Stepper};
use kinlane_solve::{Options, Reactor};

/// A language that drivers compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// OpenCL C.
    OpenCl,
    /// CUDA C++.
    Cuda,
}

impl Language {
    fn dialect(self, mapping: Mapping) -> Dialect {
        let d = match self {
            Self::OpenCl => OPENCL,
            Self::Cuda => CUDA,
        };
        match mapping {
            Mapping::Group { .. } => d.grouped(),
            // Inlining long functions into one another would need too many registers.
            Mapping::Thread { unrolled: true, .. } => Dialect { called_once: d.function, ..d },
            Mapping::Thread { .. } => d,
        }
    }

    /// Definitions that the printed programs use, for the language and the mapping.
    fn head(self, mapping: Mapping) -> String {
        let space = if self == Self::OpenCl { "__global" } else { "" };
        // Without bounds a compiler takes as many registers as it likes, and few threads fit on a
        // multiprocessor.
        let bounds = |threads: usize| match self {
            Self::OpenCl => String::new(),
            Self::Cuda => format!("#define BOUNDS __launch_bounds__({threads}, {})\n", abreast(threads, WARP)),
        };
        match mapping {
            Mapping::Thread { tile, .. } => {
                format!("#define TILE {tile}\n#define SPACE {space}\n{}", bounds(GROUPS * tile))
            }
            Mapping::Group { size } => {
                let (id, sync) = match self {
                    _ if size == 1 => ("0", ""),
                    Self::OpenCl => ("get_local_id(0)", "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)"),
                    // The threads of one warp wait only for each other.
                    Self::Cuda if size <= WARP => ("threadIdx.x", "__syncwarp()"),
                    Self::Cuda => ("threadIdx.x", "__syncthreads()"),
                };
                format!(
                    "#define TILE 1\n#define SPACE {space}\n#define ID {id}\n#define SIZE {size}\n#define SYNC {sync}\n{}",
                    bounds(size)
                )
            }
        }
    }

    /// Definitions that kernels need in this language.
    fn words(self) -> &'static str {
        match self {
            Self::OpenCl => include_str!("kernels/opencl.h"),
            Self::Cuda => include_str!("kernels/cuda.h"),
        }
    }
}

/// Kernels that measure what a device can do at most: `multiply_adds` and `copies`.
pub fn ceilings(language: Language) -> String {
    [language.words(), include_str!("kernels/ceilings.c")].concat()
}

/// How cells are mapped to threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mapping {
    /// One cell per thread; corresponding elements of `tile` cells are adjacent.
    Thread {
        /// Number of threads that run in step.
        tile: usize,
        /// Whether loops are written out.
        unrolled: bool,
    },
    /// One cell per group of threads.
    Group {
        /// Number of threads per group.
        size: usize,
    },
}

/// Numbers that a cell takes along to another method, beside phi: T, sigma, and the kept variables of its
/// clock.
pub const KEPT: usize = 2 + Clock::KEPT;

/// Most kernels that a batch goes through, and one.
const STAGES: usize = 4;

/// Doubles that hold what is counted in a launch: for every stage the workers that have paused, and last the cells that
/// have arrived.
pub const COUNTED: usize = STAGES / 2;

/// Bytes of all counters of a queue: these, and for every stage the cells that were taken.
pub const COUNTERS: usize = 8 * STAGES;

/// Bytes behind them for every worker: the cell that it holds in each stage.
pub const HELD: usize = 4 * STAGES;

/// Numbers that kernels note behind the record of a cell that goes on from call to call.
pub const COURSE: usize = 7;

/// Number of lists of cells that one kernel leaves for the next; each is in ranks, by the attempts that are
/// expected.
const LISTS: usize = 2;

/// Bytes before the lists: the number of cells in each rank of each list.
pub const LIST_HEAD: usize = 4 * LISTS * RANKS;

/// Bytes per cell in one list, which has room for every cell in every rank.
pub const LISTED: usize = 4 * RANKS;

/// Most statements of a loop that is written out.
const MOST: usize = 20_000;

/// The memory that a work group shares, as far as cells may use it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Near {
    /// Number of cells per work group.
    pub cells: usize,
    /// Doubles per cell.
    pub doubles: usize,
}

/// Number of whole doubles that hold so many single-precision numbers.
fn even(singles: usize) -> usize {
    singles.next_multiple_of(2)
}

/// Which cells a kernel handles, and how.
#[derive(Debug, Clone, Copy)]
pub enum Role {
    /// Advances all cells.
    All,
    /// Advances all cells and logs the ends of their steps; pauses after so many rows.
    Logged(usize),
    /// Advances all cells, which go on from an earlier call.
    Continuing,
    /// Finishes the cells for which one step is enough.
    Once,
    /// Advances those that are not calm, and hands over those that take many steps.
    Stiff(Option<Late>),
    /// Advances those that were handed over.
    Late(Late),
}

impl Role {
    /// The kernels of a batch, in order, where cells choose their methods.
    pub fn relay(choice: &Choice) -> Vec<(&'static Method, Self)> {
        let late = choice.late.map(|late| (late.method, Self::Late(late)));
        let once = choice.once.map(|[_, mild]| (mild, Self::Once));
        once.into_iter().chain([(choice.stiff, Self::Stiff(choice.late))]).chain(late).collect()
    }

    /// Rows of a worker's log.
    pub fn rows(self) -> usize {
        if let Self::Logged(rows) = self { rows } else { 0 }
    }

    /// The position of this kernel among those of a batch.
    fn stage(self) -> usize {
        match self {
            Self::All | Self::Logged(_) | Self::Continuing | Self::Once => 0,
            Self::Stiff(_) => 1,
            Self::Late(_) => 2,
        }
    }

    /// Definitions for the kernel, see `kernels/advance.c`. `clock` are the names of the clock variables that
    /// are kept.
    fn head(self, clock: &[&str]) -> String {
        let stage = self.stage();
        let hands_over = matches!(self, Self::Once | Self::Stiff(Some(_)));
        let (leaves, rank) = match self {
            _ if !hands_over => ("0", "0"),
            Self::Once => ("AT(at_leaves) != 0.0", "(unsigned)AT(at_rank)"),
            _ => ("AT(at_leaves) != 0.0", "0"),
        };
        let ended_by = if let Self::Once = self { "AT(at_class)".to_owned() } else { (stage + 1).to_string() };
        let copied = |to: &dyn Fn(usize, &str) -> String| -> String {
            clock.iter().enumerate().map(|(i, name)| to(i, name)).collect()
        };
        let saved = copied(&|i, name| format!(" clock[{i}] = AT(at_{name});"));
        let restored = copied(&|i, name| format!(" AT(at_{name}) = clock[{i}];"));
        let record = match self {
            Self::Continuing => include_str!("kernels/record.c"),
            _ => "#define APPROACH\n#define REMEMBER\n#define BEFORE(i) 0.0\n",
        };
        let keep = if let Self::Stiff(Some(_)) = self { "KEEP_STATE" } else { "" };
        let go_on = match self {
            Self::Late(_) => "TAKE_UP",
            Self::Continuing => "RECALL",
            _ => "",
        };
        let relay = include_str!("kernels/relay.c");
        let log = match self {
            Self::Logged(rows) => format!("#define ROWS {rows}\n{}", include_str!("kernels/log.c")),
            _ => "#define OPEN_LOG\n#define LOG_HAS_ROOM 1\n#define BEGIN_LOG\n#define LOG\n#define CLOSE_LOG\n"
                .to_owned(),
        };
        [
            format!("#define STAGE {stage}\n#define STAGES {STAGES}\n#define RANKS {RANKS}\n#define LISTS {LISTS}\n"),
            format!("#define HANDS_OVER ({leaves})\n#define RANK {rank}\n#define ENDED_BY {ended_by}\n"),
            format!("#define KEEP {keep}\n#define GO_ON {go_on}\n"),
            format!("#define SAVE_CLOCK{saved}\n#define RESTORE_CLOCK{restored}\n"),
            format!("{relay}{log}{record}"),
        ]
        .concat()
    }
}

/// A kernel as text, and its needs of a work group's memory \[bytes\].
#[derive(Debug)]
pub struct Kernel {
    /// The complete source.
    pub source: String,
    /// See [`crate::driver::Argument::Shared`].
    pub shared: usize,
}

/// Groups of threads in step per work group of a card: enough to hide latency, few enough for many registers.
pub const GROUPS: usize = 2;

/// Number of threads that run in step, on all CUDA cards so far.
pub const WARP: usize = 32;

/// Number of groups of threads in step that should fit on a card's multiprocessor, to hide latency. With
/// fourteen of 32 threads, a thread may have 146 registers. Where each thread has a cell, the cell has 62
/// doubles of shared memory, enough for the most used data of GRI-3.0; where 32 threads share a cell, 15 KiB,
/// enough for its matrix.
const ABREAST: usize = 14;

/// Number of work groups of `threads`, of which `width` run in step, that should fit on a multiprocessor.
pub fn abreast(threads: usize, width: usize) -> usize {
    (ABREAST * width / threads).max(1)
}

/// A plan and a method, laid out for devices.
#[derive(Debug)]
pub struct Programs<'a> {
    plan: &'a Plan,
    reactor: Reactor,
    role: Role,
    stepper: Stepper,
    apart: Apart,
    /// Whether the cell goes on in the next kernel.
    leaves: Array,
    /// dy/dt, for the log.
    dydt: Array,
    precision: Precision,
    near: Near,
    /// Whether several threads share a cell.
    shared: bool,
    /// The interval \[s\], part of a cell's input.
    dt: Array,
    /// Elements of the arena per cell.
    len: usize,
}

impl<'a> Programs<'a> {
    /// Lays out the arena of a cell.
    pub fn new(plan: &'a Plan, options: &Options, method: &'static Method, role: Role, precision: Precision) -> Self {
        let mut layout: Layout = plan.layout;
        let reactor = options.reactor;
        let size = Gas::new(plan, reactor).dimensions();
        let stepper = Stepper::new(&mut layout, method, size);
        let apart = Apart::new(&mut layout, if let Role::Once = role { size.n } else { 0 });
        let leaves = layout.var();
        let dydt = layout.fine(if role.rows() > 0 { size.n } else { 0 });
        let dt = layout.var();
        let len = layout.len();
        let near = Near::default();
        Self { plan, reactor, role, stepper, apart, leaves, dydt, precision, near, shared: false, dt, len }
    }

    /// The same for one mapping, with the most used arrays in the memory of the work group.
    pub fn mapped(self, mapping: Mapping, near: Near) -> Self {
        Self { near, shared: matches!(mapping, Mapping::Group { .. }), ..self }
    }

    /// The arrays that gain most from near memory, the most important first. A group with one cell works
    /// longest on its matrix. With many cells only the working row of the factorisation fits, which has three
    /// in ten of all reads and writes; then concentrations and rates of progress (Curtis, Niemeyer and Sung
    /// 2017, algorithm 1).
    fn wanted(&self) -> Vec<Array> {
        let (lu, p) = (&self.plan.lu.factors, self.plan);
        // Rosenbrock methods have their factors in the place of J; other methods have them in an array of
        // their own.
        let [first, second] = match self.stepper.method.kind {
            Kind::Rosenbrock(_) => [p.jacobian.values, lu.values],
            _ => [lu.values, p.jacobian.values],
        };
        let rates = [p.cell.conc, p.cell.act, p.kinetics.q, p.thermo.exp_plus, p.thermo.exp_minus];
        let matrix = self.shared.then_some([lu.inverse, first]).into_iter().flatten();
        [lu.x].into_iter().chain(matrix).chain(rates).chain(self.shared.then_some(second)).collect()
    }

    /// The arrays that cells keep from call to call.
    fn remembered(&self) -> Vec<Array> {
        match self.role {
            Role::Continuing => self.stepper.memory(self.gas().memory(self.stepper.keeps_factors())),
            _ => Vec::new(),
        }
    }

    /// Bytes that a cell keeps from call to call, and of what kernels note behind them.
    pub fn record(&self) -> usize {
        match self.role {
            Role::Continuing => 8 * (record::width(self.plan.species, &self.remembered()) + COURSE),
            _ => 0,
        }
    }

    /// The arrays in the arena that the kernels themselves read and write.
    fn handled(&self) -> Vec<Array> {
        let (cell, s) = (&self.plan.cell, &self.stepper);
        let clock = s.clock.arrays().map(|(_, a)| a);
        [s.y, cell.parameter, cell.electron, cell.source, cell.heating, cell.wdot, self.leaves, self.dydt, self.dt]
            .into_iter()
            .chain(clock)
            .chain(self.plan.given.then_some(self.plan.kinetics.k))
            .chain(self.remembered())
            .collect()
    }

    /// A program as recorded by `record`, with arrays in near memory as far as possible, except those that
    /// kernels handle.
    fn placed(&self, precision: Precision, handled: &[Array], record: impl Fn(&Recorder)) -> Program {
        let program = |placing: Placing| {
            let recorder = Recorder::placed(placing);
            record(&recorder);
            recorder.finish()
        };
        let placing = Placing { precision, shared: self.shared, ..Placing::default() };
        let far = program(placing.clone());
        match near(&far, &self.wanted(), handled, self.near.doubles) {
            near if near.is_empty() => far,
            near => program(Placing { near, ..placing }),
        }
    }

    fn gas(&self) -> Gas<'_> {
        Gas::new(self.plan, self.reactor)
    }

    /// Counts the operations of the kernels on a cell with T \[K\], p \[Pa\] and mass fractions that begins
    /// an interval dt \[s\]: for its rates; for loading and storing it; and for an attempted step.
    pub fn work(&self, [t, p]: [f64; 2], mass_fractions: &[f64], dt: f64, [rtol, atol]: [f64; 2]) -> [Work; 3] {
        let (cell, s, tables) = (&self.plan.cell, &self.stepper, &self.plan.tables);
        let loaded = || {
            let mut meter = Meter::new(self.len);
            mass_fractions.iter().enumerate().for_each(|(k, &y)| meter.set(s.y, k, y));
            let c = &s.clock;
            let brought = [
                (cell.parameter, p),
                (cell.electron, NO_ELECTRON_T),
                (self.dt, dt),
                (c.h, dt),
                (c.rtol, rtol),
                (c.atol, atol),
                (c.budget, 1.0),
            ];
            brought.into_iter().for_each(|(a, x)| meter.set(a, 0, x));
            meter.set(s.y, self.plan.species, t);
            meter
        };
        let rates = loaded().run(tables, |m| {
            self.gas().enter_on(m, s.y);
            reactor::production(m, self.plan, self.reactor, s.y);
        });
        let mut meter = loaded();
        let mut around = meter.run(tables, |m| self.enter(m));
        let attempt = meter.run(tables, |m| s.attempt(m, self.gas()));
        around += meter.run(tables, |m| self.gas().leave_on(m, s.y));
        [rates, around, attempt]
    }

    /// The kernel `advance`.
    pub fn advance(&self, language: Language, mapping: Mapping) -> Kernel {
        let all = self.stepper.clock.arrays();
        let kept = self.stepper.clock.progress();
        let names: Vec<_> = all.iter().filter(|(_, a)| kept.contains(a)).map(|&(name, _)| name).collect();
        let program = self.steps();
        let layout = self.record_layout(&Storage::of(&program));
        let kernel = [&layout, &self.role.head(&names), include_str!("kernels/advance.c")].concat();
        self.text(&program, language, mapping, &kernel)
    }

    /// Definitions for `kernels/record.c`.
    fn record_layout(&self, storage: &Storage) -> String {
        let Role::Continuing = self.role else { return String::new() };
        let arrays = self.remembered();
        // Places and lengths; arrays that follow each other are one piece.
        let mut pieces: Vec<(u32, u32)> = Vec::new();
        for a in arrays.iter().filter(|a| a.len > 0) {
            let at = storage.place(a.at, Memory::Double);
            match pieces.last_mut() {
                Some((first, len)) if *first + *len == at => *len += a.len,
                _ => pieces.push((at, a.len)),
            }
        }
        let width = record::width(self.plan.species, &arrays);
        let places = [
            ("KNOWN", record::KNOWN),
            ("END", record::END),
            ("H", record::H),
            ("STATE", record::STATE),
            ("SAVED_ARRAYS", record::saved(self.plan.species)),
            ("RECORDED", width),
            ("COURSE", COURSE),
        ];
        let numbers = [
            ("NOTHING", record::NOTHING),
            ("STEP", record::STEP),
            ("ALL", record::ALL),
            ("FOREVER", record::FOREVER),
            ("SLIVER", SLIVER),
        ];
        let places = places.map(|(name, at)| format!("#define {name} {at}\n")).concat();
        let numbers = numbers.map(|(name, x)| format!("#define {name} {x:?}\n")).concat();
        let pieces: String = pieces.iter().map(|(at, len)| format!(" each({at}, {len})")).collect();
        format!("{places}{numbers}#define ARRAYS(each){pieces}\n")
    }

    fn steps(&self) -> Program {
        self.placed(self.precision, &self.handled(), |recorder| {
            recorder.entry("enter", |m| self.enter(m));
            recorder.entry("attempt", |m| self.attempt(m));
            if let Role::Late(late) = self.role {
                recorder.entry("begin_late", |m| {
                    let factors = late.factors(&self.stepper.clock);
                    factors.into_iter().for_each(|(a, factor)| m.set(a, m.var(a) * m.lit(factor)));
                });
            }
            if self.role.rows() > 0 {
                let s = &self.stepper;
                recorder.entry("find_dydt", |m| {
                    let gas = self.gas().admit_negative(m, m.var(s.clock.atol), s.method.iterates());
                    gas.rhs(m, s.y, self.dydt);
                });
            }
            recorder.entry("leave", |m| self.gas().leave_on(m, self.stepper.y));
        })
    }

    /// An attempted step of this kernel, and whether the cell goes on in the next one.
    fn attempt<M: Machine>(&self, m: M) {
        let (s, [zero, one]) = (&self.stepper, [m.lit(0.0), m.lit(1.0)]);
        match self.role {
            Role::Once => {
                self.apart.both(m, self.gas(), s);
                m.set(self.leaves, M::R::select(m.lit(DONE).lt(m.var(s.clock.verdict)), one, zero));
            }
            Role::Stiff(Some(late)) => {
                s.attempt(m, self.gas());
                let [steps, left, h, verdict] =
                    [s.clock.steps, s.clock.left, s.clock.h, s.clock.verdict].map(|a| m.var(a));
                let open = M::R::and(zero.le(verdict), verdict.le(zero));
                let due = M::R::and(open, late.is_due(steps, left, h));
                m.set(self.leaves, M::R::select(due, one, zero));
            }
            _ => s.attempt(m, self.gas()),
        }
    }

    /// Memory of a cell in the kernel `advance` \[bytes\]: in the arena, with room there for what is near while a worker
    /// pauses; and near.
    pub fn room(&self) -> [usize; 2] {
        self.room_of(&self.steps())
    }

    fn room_of(&self, program: &Program) -> [usize; 2] {
        let storage = Storage::of(program);
        let near = 8 * storage.near();
        [8 * storage.doubles(self.len) + 4 * even(storage.singles()) + near, near]
    }

    /// The kernel `rates`, always in double precision; with the values of the Jacobian in the plan's layout
    /// if asked for. Also returns its needs of a device.
    pub fn rates(&self, language: Language, mapping: Mapping, jacobian: bool) -> (Kernel, Needs) {
        let entries = if jacobian { self.plan.jacobian.values.len as usize } else { 0 };
        let kernel = format!("#define ENTRIES {entries}\n{}", include_str!("kernels/rates.c"));
        let program = self.evaluation(jacobian);
        let [worker, _] = self.room_of(&program);
        let needs = Needs::new(worker, self.plan);
        (self.text(&program, language, mapping, &kernel), Needs { jacobian: 8 * entries, ..needs })
    }

    fn evaluation(&self, jacobian: bool) -> Program {
        let (plan, reactor, Stepper { y, f, .. }) = (self.plan, self.reactor, &self.stepper);
        let handled = [self.handled(), Vec::from_iter(jacobian.then_some(plan.jacobian.values))].concat();
        self.placed(Precision::F64, &handled, |recorder| {
            recorder.entry("evaluate", |m| {
                self.gas().enter_on(m, *y);
                if jacobian {
                    jacobian::rhs_and_jacobian::<_, false>(m, plan, reactor, *y, *f);
                } else {
                    reactor::production(m, plan, reactor, *y);
                }
            });
        })
    }

    /// The complete source.
    fn text(&self, program: &Program, language: Language, mapping: Mapping, kernel: &str) -> Kernel {
        let mut known: Vec<_> = self.plan.arrays().into_iter().chain(self.stepper.arrays()).collect();
        known.extend(self.apart.arrays().into_iter().filter(|(_, a)| a.len > 0));
        known.push(("leaves", self.leaves));
        known.extend([("dydt", self.dydt)].into_iter().filter(|(_, a)| a.len > 0));
        known.push(("dt", self.dt));
        let tables = &self.plan.tables;
        let written_out = match mapping {
            Mapping::Thread { unrolled: true, .. } => Some(unroll(program, tables, MOST)),
            _ => None,
        };
        let program = written_out.as_ref().unwrap_or(program);
        let programs = print(program, tables, &known, &language.dialect(mapping));
        let storage = Storage::of(program);
        let around = match mapping {
            Mapping::Thread { .. } => include_str!("kernels/thread.c"),
            Mapping::Group { .. } => include_str!("kernels/group.c"),
        };
        // Constants on which the host and the kernels must agree.
        let given = self.plan.given_constants();
        let sizes = [
            ("HEAD_IN", HEAD_IN),
            ("HEAD_OUT", HEAD_OUT),
            ("HEAD_LOG", log::HEAD),
            ("KEPT_HEAD", KEPT),
            ("GIVEN", given),
        ];
        let sizes = sizes.map(|(name, size)| format!("#define {name} {size}\n")).concat();
        let source = format!(
            "/* {} species, {}: printed by kinlane. */\n{}#define LEN {}\n#define SINGLES {}\n#define NEAR {}\n#define CELLS {}\n#define SPECIES {}\n{sizes}\n{programs}{}{around}{}{kernel}",
            self.plan.species,
            self.stepper.method.name,
            language.head(mapping),
            storage.doubles(self.len),
            even(storage.singles()),
            storage.near(),
            self.near.cells,
            self.plan.species,
            language.words(),
            include_str!("kernels/load.c")
        );
        Kernel { source, shared: 8 * storage.near() * self.near.cells }
    }

    /// Prepares a cell that was loaded: its variables and its clock. The interval, the first step, the
    /// tolerances and the number of attempts have come with the cell.
    fn enter<M: Machine>(&self, m: M) {
        self.gas().enter_on(m, self.stepper.y);
        let (c, dt) = (self.stepper.clock, m.var(self.dt));
        if !matches!(self.role, Role::Continuing) {
            m.set(c.h, m.var(c.h).min(dt));
        }
        let brought = [c.h, c.rtol, c.atol, c.budget];
        for (a, x) in c.start(Start::default()) {
            if !brought.contains(&a) {
                m.set(a, m.lit(x));
            }
        }
        m.set(c.left, dt);
        m.set(c.span, dt);
    }
}
