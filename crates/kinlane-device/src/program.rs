//! What runs on a device, as text: the programs recorded from the very code that the lanes run, and around them the few
//! lines that move cells in and out.

use kinlane_emit::{CUDA, Dialect, OPENCL, Recorder, names, print};
use kinlane_plan::Plan;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::{R, reactor};
use kinlane_solve::methods::rosenbrock::{self, Workspace};
use kinlane_solve::methods::tableau::Rosenbrock;

/// A language that drivers compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// OpenCL C.
    OpenCl,
    /// CUDA C++.
    Cuda,
}

impl Language {
    fn dialect(self) -> &'static Dialect {
        match self {
            Self::OpenCl => &OPENCL,
            Self::Cuda => &CUDA,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::OpenCl => include_str!("kernels/opencl.h"),
            Self::Cuda => include_str!("kernels/cuda.h"),
        }
    }
}

/// Cells between these temperatures [K] are advanced; the host says what becomes of others.
const TEMPERATURES: [f64; 2] = [10.0, 50_000.0];

/// A cell that runs has this status; what is not negative has ended: 0 at the end of its interval, 1 before.
const RUNNING: f64 = -1.0;

/// The variables of a cell on a device, beside those of the method.
#[derive(Debug, Clone, Copy)]
struct Control {
    status: Array,
    dt: Array,
    most: Array,
}

/// A plan and a method, laid out for devices.
#[derive(Debug)]
pub struct Programs<'a> {
    plan: &'a Plan,
    reactor: Reactor,
    method: &'static Rosenbrock,
    workspace: Workspace,
    control: Control,
    /// Reals per cell.
    pub len: usize,
}

impl<'a> Programs<'a> {
    /// Lays out the arena of a cell.
    pub fn new(plan: &'a Plan, reactor: Reactor, method: &'static Rosenbrock) -> Self {
        let mut layout: Layout = plan.layout;
        let workspace = Workspace::new(&mut layout, plan.species + 2, method);
        let control = Control { status: layout.var(), dt: layout.var(), most: layout.var() };
        Self { plan, reactor, method, workspace, control, len: layout.len() }
    }

    /// The kernel `advance`.
    pub fn advance(&self, language: Language, tile: usize) -> String {
        let recorder = Recorder::new();
        recorder.entry("enter", |m| self.enter(m));
        recorder.entry("attempt", |m| self.attempt(m));
        recorder.entry("leave", |m| self.leave(m));
        self.text(recorder, language, tile, include_str!("kernels/advance.c"))
    }

    /// The kernel `rates`.
    pub fn rates(&self, language: Language, tile: usize) -> String {
        let recorder = Recorder::new();
        recorder.entry("evaluate", |m| {
            self.state(m);
            reactor::production(m, self.plan, self.reactor, self.workspace.y);
        });
        self.text(recorder, language, tile, include_str!("kernels/rates.c"))
    }

    /// Everything a compiler needs, and nothing around it.
    fn text(&self, recorder: Recorder, language: Language, tile: usize, kernel: &str) -> String {
        let (w, c) = (&self.workspace, &self.control);
        let mut known = names(self.plan);
        known.extend([("y", w.y), ("y1", w.y1), ("f", w.f)]);
        known.extend(STAGES.iter().copied().zip(w.k));
        let k = w.clock;
        known.extend([("time", k.t), ("left", k.left), ("h", k.h), ("after_rejection", k.after_rejection)]);
        known.extend([("rtol", k.rtol), ("atol", k.atol), ("steps", k.steps), ("rejected", k.rejected)]);
        known.extend([("error", k.error), ("status", c.status), ("dt", c.dt), ("most", c.most)]);
        let programs = print(&recorder.finish(), &self.plan.tables, &known, language.dialect());
        format!(
            "/* {} species, {}: printed by kinlane. */\n#define TILE {tile}\n#define LEN {}\n#define SPECIES {}\n\n\
             {programs}{}{}{kernel}",
            self.plan.species,
            self.method.name,
            self.len,
            self.plan.species,
            language.words(),
            include_str!("kernels/thread.c")
        )
    }

    /// The variables of a cell whose mass fractions, sources of them, T and p were put where phi, its source, T and the parameter
    /// are to be.
    fn state<M: Machine>(&self, m: M) {
        let (plan, y, n) = (self.plan, self.workspace.y, self.plan.species);
        let source = plan.cell.source;
        m.all(n, |k| m.put(y, k, m.get(y, k) / m.real(plan.masses, k)));
        m.all(n, |k| m.put(source, k, m.get(source, k) / m.real(plan.masses, k)));
        let sigma = m.sum(n, |k| m.get(y, k));
        m.put(y, m.i(n + 1), sigma);
        if self.reactor == Reactor::ConstV {
            let p = m.var(plan.cell.parameter);
            m.set(plan.cell.parameter, p / (m.get(y, m.i(n)) * m.lit(R) * sigma));
        }
    }

    /// A cell that was loaded: its variables, its clock, its status.
    fn enter<M: Machine>(&self, m: M) {
        self.state(m);
        let c = self.workspace.clock;
        let (dt, zero) = (m.var(self.control.dt), m.lit(0.0));
        m.set(c.left, dt);
        for a in [c.t, c.after_rejection, c.steps, c.rejected, c.error] {
            m.set(a, zero);
        }
        m.set(self.control.status, m.lit(RUNNING));
    }

    /// One attempt, and what it means for the cell.
    fn attempt<M: Machine>(&self, m: M) {
        let gas = Gas { plan: self.plan, reactor: self.reactor };
        rosenbrock::attempt(m, gas, self.method, rosenbrock::controller(self.method), &self.workspace);
        m.function("judge", || self.judge(m));
    }

    fn judge<M: Machine>(&self, m: M) {
        let (c, own) = (self.workspace.clock, self.control);
        let (h, t, dt) = (m.var(c.h), m.var(c.t), m.var(own.dt));
        let temperature = m.get(self.workspace.y, m.i(self.plan.species));
        let tame = M::R::and(m.lit(TEMPERATURES[0]).le(temperature), temperature.le(m.lit(TEMPERATURES[1])));
        let small = M::R::or(h.lt(t * m.lit(4.0 * f64::EPSILON)), h.lt(dt * m.lit(1e-24)));
        let spent = m.var(own.most).le(m.var(c.steps) + m.var(c.rejected));
        let failed = M::R::or(M::R::or(small, spent), M::R::not(tame));
        let status = M::R::select(failed, m.lit(1.0), m.lit(RUNNING));
        m.set(own.status, M::R::select(m.var(c.left).le(m.lit(0.0)), m.lit(0.0), status));
    }

    /// Mass fractions and p where phi and the parameter were.
    fn leave<M: Machine>(&self, m: M) {
        let (plan, y, n) = (self.plan, self.workspace.y, self.plan.species);
        if self.reactor == Reactor::ConstV {
            let sigma = m.sum(n, |k| m.get(y, k));
            let density = m.var(plan.cell.parameter);
            m.set(plan.cell.parameter, density * m.lit(R) * m.get(y, m.i(n)) * sigma);
        }
        m.all(n, |k| m.put(y, k, m.get(y, k) * m.real(plan.masses, k)));
    }
}

/// Names of a method's stages.
const STAGES: [&str; 8] = ["k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"];
