//! Programs of a plan and a method, recorded from the same code that the lanes run.

mod text;

use crate::language::{Language, Mapping, Near};
use crate::role::{COURSE, Role};
use crate::work::{Meter, Work};
use kinlane_emit::{Blocks, Placing, Program, Recorder, Storage, blocks, near};
use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_plan::tables::Layout;
use kinlane_plan::{Plan, Precision, Real};
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::{jacobian, reactor};
use kinlane_solve::methods::auto::Apart;
use kinlane_solve::methods::control::{self, DONE, Start};
use kinlane_solve::methods::method::Kind;
use kinlane_solve::methods::problem::Equations;
use kinlane_solve::methods::{Method, Stepper};
use kinlane_solve::{Options, Reactor, record};
pub use text::Kernel;
use text::even;

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
    /// Factors in the registers of these threads.
    blocks: Option<Blocks>,
    /// The interval \[s\], part of a cell's input.
    dt: Array,
    /// Elements of the arena per cell, without blocks.
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
        let (near, shared, blocks) = (Near::default(), false, None);
        Self { plan, reactor, role, stepper, apart, leaves, dydt, precision, near, shared, blocks, dt, len }
    }

    /// The same for one mapping, with the factors in registers or the most used arrays in the memory of the work group.
    pub fn mapped(self, language: Language, mapping: Mapping, near: Near) -> Self {
        let blocks = self.in_registers(language, mapping);
        Self { near, shared: matches!(mapping, Mapping::Group { .. }), blocks, ..self }
    }

    /// Factors in registers: of methods that make them in the place of J and do not keep them from call to call, in double
    /// precision, in a language in which threads can give each other numbers.
    fn in_registers(&self, language: Language, mapping: Mapping) -> Option<Blocks> {
        let Mapping::Group { size, .. } = mapping else { return None };
        let in_place =
            matches!(self.stepper.method.kind, Kind::Rosenbrock(_)) && !matches!(self.role, Role::Continuing);
        let able = language == Language::Cuda && (2..=blocks::THREADS).contains(&size);
        let able = able && self.plan.lu.n <= blocks::ROWS * size;
        if !in_place || !able || self.precision != Precision::F64 {
            return None;
        }
        let mut blocks = Blocks::new(&self.plan.lu, &self.plan.tables, self.plan.jacobian.values, size);
        blocks.kept.at = self.len as u32;
        Some(blocks)
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
    fn placed(
        &self,
        precision: Precision,
        blocks: Option<&Blocks>,
        handled: &[Array],
        record: impl Fn(&Recorder),
    ) -> Program {
        let program = |placing: Placing| {
            let recorder = Recorder::placed(placing);
            record(&recorder);
            recorder.finish()
        };
        let placing = Placing { precision, shared: self.shared, blocks: blocks.cloned(), ..Placing::default() };
        let far = program(placing.clone());
        // Where factors are in registers, the rest is worth less than the cache that it would take.
        let doubles = if blocks.is_some() { 0 } else { self.near.doubles };
        match near(&far, &self.wanted(), handled, doubles) {
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
        let kernel = [&layout, &self.role.head(&names), include_str!("around/advance.c")].concat();
        self.text(&program, language, mapping, &kernel)
    }

    fn steps(&self) -> Program {
        self.placed(self.precision, self.blocks.as_ref(), &self.handled(), |recorder| {
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
        if let Role::Once = self.role {
            self.apart.both(m, self.gas(), s);
            m.set(self.leaves, M::R::select(m.lit(DONE).lt(m.var(s.clock.verdict)), one, zero));
            return;
        }
        s.attempt(m, self.gas());
        if let Role::Stiff(Some(late)) = self.role {
            let verdict = m.var(s.clock.verdict);
            let open = M::R::and(zero.le(verdict), verdict.le(zero));
            let due = M::R::and(open, late.is_due(late.looks_at(&s.clock).map(|a| m.var(a))));
            m.set(self.leaves, M::R::select(due, one, zero));
        }
    }

    /// Memory of a cell in the kernel `advance` \[bytes\]: in the arena, with room there for what is near while a worker
    /// pauses; and near.
    pub fn room(&self) -> [usize; 2] {
        self.room_of(&self.steps())
    }

    /// Elements of the arena per cell.
    fn len_of(&self, program: &Program) -> usize {
        self.len + program.placing.blocks.as_ref().map_or(0, |b| b.kept.len as usize)
    }

    fn room_of(&self, program: &Program) -> [usize; 2] {
        let storage = Storage::of(program);
        let near = 8 * storage.near();
        [8 * storage.doubles(self.len_of(program)) + 4 * even(storage.singles()) + near, near]
    }

    /// The kernel `rates`, always in double precision; with the values of the Jacobian in the plan's layout
    /// if asked for. Also returns the memory of a worker's cell in the arena \[bytes\].
    pub fn rates(&self, language: Language, mapping: Mapping, jacobian: bool) -> (Kernel, usize) {
        let entries = if jacobian { self.plan.jacobian.values.len as usize } else { 0 };
        let kernel = format!("#define ENTRIES {entries}\n{}", include_str!("around/rates.c"));
        let program = self.evaluation(jacobian);
        let [worker, _] = self.room_of(&program);
        (self.text(&program, language, mapping, &kernel), worker)
    }

    fn evaluation(&self, jacobian: bool) -> Program {
        let (plan, reactor, Stepper { y, f, .. }) = (self.plan, self.reactor, &self.stepper);
        let handled = [self.handled(), Vec::from_iter(jacobian.then_some(plan.jacobian.values))].concat();
        self.placed(Precision::F64, None, &handled, |recorder| {
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
        if !matches!(self.role, Role::Logged(_) | Role::Continuing) {
            m.set(c.only_end, control::flag(control::is_split(dt)));
        }
    }
}
