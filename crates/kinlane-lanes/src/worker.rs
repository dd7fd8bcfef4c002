//! One thread's share of a batch: lanes that take cells from the queue, step them, and hand them back.

use crate::engine::{Cells, Factor, Layout, TotalCost};
use crate::machine::Lanes;
use crate::note::{Noted, Notes};
use crate::simd::{Pack, Register};
use kinlane_plan::plan::Plan;
use kinlane_plan::{Array, Machine, Real};
use kinlane_solve::gas::problem::{Gas, TEMPERATURES};
use kinlane_solve::gas::{R, reactor};
use kinlane_solve::methods::control::{DONE, Start};
use kinlane_solve::methods::track::Track;
use kinlane_solve::methods::{Problem, Stepper};
use kinlane_solve::rescue::{Entry, rescue};
use kinlane_solve::{Cost, Options, Outcome, Reactor, Status};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What every worker of an engine shares.
#[derive(Debug)]
pub struct Shared {
    /// The plan.
    pub plan: std::sync::Arc<Plan>,
    /// The options.
    pub options: Options,
    /// The method and its arrays.
    pub stepper: Stepper,
    /// Ends of steps, where cells may be watched.
    pub track: Option<Track>,
    /// For [`Shared::scaled_errors`].
    pub errors: Array,
    /// Reals per cell in the arena.
    pub arena: usize,
}

impl Shared {
    /// The problem of a cell.
    pub(crate) fn gas(&self) -> Gas<'_> {
        Gas { plan: &self.plan, reactor: self.options.reactor }
    }

    /// Runs every program once on the bounds-checked scalar machine. Which elements a program visits does not depend
    /// on data, so afterwards the unchecked lanes are known to stay inside their arenas.
    ///
    /// # Panics
    /// If a plan points outside its own tables, which would be a mistake in the lowering.
    pub fn rehearse(&self) {
        let mut arena = vec![1.0; self.arena];
        let m = kinlane_plan::Scalar::new(&self.plan.tables, &mut arena);
        self.stepper.attempt(m, self.gas(), self.options.max_steps);
        reactor::production(m, &self.plan, self.options.reactor, self.stepper.y);
        self.scaled_errors(m);
        if let Some(track) = self.track {
            track.follow(m, self.gas(), &self.stepper);
        }
    }
}

impl Shared {
    /// The last attempt's error of every active variable in units of what was allowed, into `errors`.
    #[inline(always)]
    fn scaled_errors<M: Machine>(&self, m: M) {
        let (gas, s, c) = (self.gas(), self.stepper, self.stepper.clock);
        m.function(
            "scaled_errors",
            #[inline(always)]
            || {
                let (rtol, atol) = (m.var(c.rtol), m.var(c.atol));
                m.all(
                    self.plan.active.len as usize,
                    #[inline(always)]
                    |i| {
                        let e = m.get(s.error, m.index(self.plan.active, i));
                        m.put(self.errors, i, gas.scaled(m, i, s.y, s.y1, rtol, atol, e));
                    },
                )
            },
        );
    }
}

/// The caller's batch as pointers that threads may share.
pub struct Batch<'a> {
    cells: usize,
    species: usize,
    layout: Layout,
    temperature: *mut f64,
    pressure: *mut f64,
    y: *mut f64,
    outcome: *mut Outcome,
    electron: Option<&'a [f64]>,
    source: Option<crate::engine::Source<'a>>,
    factors: Option<&'a [Vec<Factor>]>,
    /// What to note on the way.
    notes: Option<Notes<'a>>,
    /// The interval [s].
    pub dt: f64,
    next: AtomicUsize,
    progress: &'a AtomicUsize,
    stop: &'a AtomicBool,
}

// SAFETY: every cell's elements are read and written only by the worker that took the cell from `next`.
unsafe impl Sync for Batch<'_> {}

impl<'a> Batch<'a> {
    /// A view of checked cells.
    pub fn new(c: &'a mut Cells<'_>, species: usize, dt: f64, progress: &'a AtomicUsize, stop: &'a AtomicBool) -> Self {
        Self {
            cells: c.temperature.len(),
            species,
            layout: c.layout,
            temperature: c.temperature.as_mut_ptr(),
            pressure: c.pressure.as_mut_ptr(),
            y: c.y.as_mut_ptr(),
            outcome: c.outcome.as_mut_ptr(),
            electron: c.electron_temperature,
            source: c.source,
            factors: c.factors,
            notes: None,
            dt,
            next: AtomicUsize::new(0),
            progress,
            stop,
        }
    }

    /// The same, and what to note on the way.
    pub fn noting(mut self, notes: Notes<'a>) -> Self {
        self.notes = Some(notes);
        self
    }

    /// Index of (cell, species) in the caller's layout.
    fn at(&self, cell: usize, k: usize) -> usize {
        match self.layout {
            Layout::CellMajor => cell * self.species + k,
            Layout::SpeciesMajor => k * self.cells + cell,
        }
    }
}

/// A piece of the work, for benchmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// Net production rates.
    Rates,
    /// Right-hand side and Jacobian.
    Jacobian,
    /// Sparse LU.
    Factor,
    /// Triangular solves.
    Solve,
    /// exp of as many numbers as there are variables.
    Exp,
    /// A whole attempted step.
    Attempt,
}

/// A worker of any width.
pub trait Worker: Send + Sync {
    /// Steps cells until the queue is empty. Returns sums, failed cells and CPU seconds.
    fn run(&mut self, shared: &Shared, batch: &Batch<'_>) -> (TotalCost, usize, f64);
    /// Production rates and Jacobians of cells `lo..hi`.
    fn evaluate(
        &mut self,
        shared: &Shared,
        input: &Evaluation<'_>,
        lo: usize,
        wdot: &mut [f64],
        jac: Option<&mut [f64]>,
    );
    /// Runs one kernel `times` times on the states that lie in the lanes.
    fn repeat(&mut self, shared: &Shared, kernel: Kernel, times: usize);
    /// Workspace in bytes.
    fn bytes(&self) -> usize;
}

/// States to evaluate, cell-major.
pub struct Evaluation<'a> {
    /// T [K].
    pub temperature: &'a [f64],
    /// p [Pa].
    pub pressure: &'a [f64],
    /// Mass fractions.
    pub y: &'a [f64],
    /// Te [K].
    pub electron: Option<&'a [f64]>,
}

/// One lane of an array: every `width`-th number.
struct Column<'a> {
    all: &'a mut [f64],
    lane: usize,
    width: usize,
}

impl Column<'_> {
    fn set(&mut self, i: usize, x: f64) {
        self.all[i * self.width + self.lane] = x;
    }
}

/// What a lane is doing.
#[derive(Debug, Clone, Copy)]
struct Lane {
    cell: usize,
    /// A cell whose entry state is beyond all laws is handed back as it came.
    absurd: bool,
    busy: bool,
}

/// A worker of `K` registers of `V`.
pub struct Wide<V, const K: usize> {
    pub(crate) arena: Vec<Pack<V, K>>,
    lanes: Vec<Lane>,
    supply: std::ops::Range<usize>,
}

impl<V: Register, const K: usize> Wide<V, K> {
    pub(crate) const W: usize = Pack::<V, K>::CELLS;

    /// A worker with its arena.
    ///
    /// # Safety
    /// The instruction set of `V` must have been detected.
    pub unsafe fn new(arena: usize) -> Self {
        let zero = Pack([V::splat(0.0); K]);
        let idle = Lane { cell: 0, absurd: false, busy: false };
        Self { arena: vec![zero; arena], lanes: vec![idle; Self::W], supply: 0..0 }
    }

    pub(crate) fn set(&mut self, a: Array, i: usize, lane: usize, x: f64) {
        self.column(a, lane).set(i, x);
    }

    pub(crate) fn get(&self, a: Array, i: usize, lane: usize) -> f64 {
        assert!(i < a.len as usize && lane < Self::W);
        let slot = &self.arena[a.at as usize + i];
        // SAFETY: a pack is `W` f64 without padding.
        unsafe { *std::ptr::from_ref(slot).cast::<f64>().add(lane) }
    }

    /// The cell in a lane.
    pub(crate) fn cell(&self, lane: usize) -> usize {
        self.lanes[lane].cell
    }

    /// Whether a lane has a cell of its own.
    pub(crate) fn busy(&self, lane: usize) -> bool {
        self.lanes[lane].busy
    }

    /// One lane of an array.
    fn column(&mut self, a: Array, lane: usize) -> Column<'_> {
        assert!(lane < Self::W);
        let packs = &mut self.arena[a.at as usize..(a.at + a.len) as usize];
        // SAFETY: packs are `W` f64 each without padding, so the slice is that many f64.
        let all = unsafe { std::slice::from_raw_parts_mut(packs.as_mut_ptr().cast::<f64>(), packs.len() * Self::W) };
        Column { all, lane, width: Self::W }
    }

    /// Next cell of the queue, in runs so that threads rarely meet.
    fn take(&mut self, b: &Batch<'_>) -> Option<usize> {
        if self.supply.is_empty() {
            let run = (b.cells / 256).clamp(1, 32);
            let lo = b.next.fetch_add(run, Ordering::Relaxed).min(b.cells);
            self.supply = lo..(lo + run).min(b.cells);
        }
        self.supply.next()
    }

    /// State and parameters of one cell into a lane.
    fn place(&mut self, s: &Shared, lane: usize, t: f64, p: f64, electron: f64, y: impl Fn(usize) -> f64) {
        let plan = &*s.plan;
        let n = plan.species;
        let state = s.stepper.y;
        let mut sigma = 0.0;
        let mut column = self.column(state, lane);
        for (k, w) in plan.molar_mass.iter().enumerate() {
            let phi = y(k) / w;
            sigma += phi;
            column.set(k, phi);
        }
        column.set(n, t);
        column.set(n + 1, sigma);
        let parameter = if s.options.reactor == Reactor::ConstV { p / (R * t * sigma) } else { p };
        self.set(plan.cell.parameter, 0, lane, parameter);
        self.set(plan.cell.electron, 0, lane, electron);
        let excess = plan.kinetics.excess;
        let mut column = self.column(excess, lane);
        (0..excess.len as usize).for_each(|i| column.set(i, 0.0));
    }

    fn load(&mut self, s: &Shared, b: &Batch<'_>, lane: usize, cell: usize) {
        let plan = &*s.plan;
        // SAFETY: `cell` is below `cells` and this worker's own; the slices were checked to hold all cells.
        let (t, p, y) = unsafe { (*b.temperature.add(cell), *b.pressure.add(cell), |k| *b.y.add(b.at(cell, k))) };
        self.place(s, lane, t, p, b.electron.map_or(-1.0, |e| e[cell]), y);
        if let Some(source) = b.source {
            let mut column = self.column(plan.cell.source, lane);
            for (k, w) in plan.molar_mass.iter().enumerate() {
                column.set(k, source.dydt[b.at(cell, k)] / w);
            }
            self.set(plan.cell.heating, 0, lane, source.heating[cell]);
        }
        for f in b.factors.map_or(&[][..], |f| &f[cell]) {
            let (forward, backward) = plan.kinetics.constant[f.reaction];
            for k in [Some(forward), backward].into_iter().flatten().filter(|&k| k > 0) {
                self.set(plan.kinetics.excess, k, lane, f.factor - 1.0);
            }
        }
        let h = s.options.first_step.unwrap_or(b.dt).min(b.dt);
        for (a, x) in s.stepper.clock.start(Start { dt: b.dt, h, rtol: s.options.rtol, atol: s.options.atol }) {
            self.set(a, 0, lane, x);
        }
        self.lanes[lane] = Lane { cell, absurd: !TEMPERATURES.contains(&t), busy: true };
    }

    /// How a lane's cell ended, if it has.
    fn verdict(&self, s: &Shared, lane: usize) -> Option<Status> {
        if self.lanes[lane].absurd {
            return Some(Status::NotFinite);
        }
        let v = self.get(s.stepper.clock.verdict, 0, lane);
        match v {
            0.0 => None,
            DONE => Some(Status::Done),
            v => Some(Status::from_number(v)),
        }
    }

    /// The variable with the largest scaled error in the last attempt: a species, or their number for T.
    fn worst(&mut self, s: &Shared, lane: usize) -> u32 {
        // SAFETY: as in `run`; `Shared::rehearse` runs this program too.
        unsafe {
            let m = Lanes::new(&s.plan.tables, &mut self.arena);
            V::call(
                #[inline(always)]
                || s.scaled_errors(m),
            );
        }
        let active = s.plan.tables.list(s.plan.active);
        let size = |i: usize| {
            let x = self.get(s.errors, i, lane);
            if x.is_nan() { f64::INFINITY } else { x }
        };
        (0..active.len()).max_by(|&a, &b| size(a).total_cmp(&size(b))).map_or(0, |i| active[i])
    }

    /// The upper rungs of the ladder, for a cell that the lanes could not advance.
    fn rescue(&self, s: &Shared, b: &Batch<'_>, lane: usize, cost: &mut Cost) -> Option<Vec<f64>> {
        let (plan, cell) = (&*s.plan, self.lanes[lane].cell);
        // SAFETY: as in `load`; a cell that is not done still holds its entry state.
        let (t, y) = unsafe { (*b.temperature.add(cell), |k: usize| *b.y.add(b.at(cell, k))) };
        let mut state: Vec<f64> = (0..plan.species).map(|k| y(k) / plan.molar_mass[k]).collect();
        let sigma = state.iter().sum();
        state.extend([t, sigma]);
        let list = |a: Array| -> Vec<f64> { (0..a.len as usize).map(|i| self.get(a, i, lane)).collect() };
        let (source, excess) = (list(plan.cell.source), list(plan.kinetics.excess));
        let entry = Entry {
            y: &state,
            parameter: self.get(plan.cell.parameter, 0, lane),
            electron: self.get(plan.cell.electron, 0, lane),
            source: &source,
            heating: self.get(plan.cell.heating, 0, lane),
            excess: &excess,
            dt: b.dt,
        };
        rescue(&s.plan, &s.options, s.stepper.method, &entry, cost)
    }

    /// Writes a finished cell back; a failed one climbs the ladder, and if that fails too keeps its entry state.
    fn store(&mut self, s: &Shared, b: &Batch<'_>, lane: usize, status: Status) -> Outcome {
        let plan = &*s.plan;
        let (c, y, n) = (s.stepper.clock, s.stepper.y, plan.species);
        let Lane { cell, absurd, .. } = self.lanes[lane];
        let count = |a: Array| self.get(a, 0, lane) as u32;
        let mut outcome = Outcome {
            status,
            cost: Cost {
                steps: count(c.steps),
                rejected: count(c.rejected),
                rhs: count(c.rhs),
                jac: count(c.jac),
                factor: count(c.factor),
            },
            t: self.get(c.t, 0, lane).min(b.dt),
            h: self.get(c.h, 0, lane),
            worst: if status == Status::Done { 0 } else { self.worst(s, lane) },
        };
        // The upper rungs leave no trace of their steps, so a watched cell does without.
        let lost = !absurd && b.notes.is_none() && matches!(status, Status::StepTooSmall | Status::NotFinite);
        let rescued = if lost { self.rescue(s, b, lane, &mut outcome.cost) } else { None };
        if rescued.is_some() {
            (outcome.status, outcome.worst) = (Status::Done, 0);
        }
        if outcome.status == Status::Done {
            outcome.t = b.dt;
            let value = |k: usize| rescued.as_ref().map_or_else(|| self.get(y, k, lane), |y| y[k]);
            let mut sigma = 0.0;
            for (k, w) in plan.molar_mass.iter().enumerate() {
                sigma += value(k);
                // SAFETY: as in `load`.
                unsafe { *b.y.add(b.at(cell, k)) = value(k) * w }
            }
            // SAFETY: as in `load`.
            unsafe {
                *b.temperature.add(cell) = value(n);
                if s.options.reactor == Reactor::ConstV {
                    *b.pressure.add(cell) = self.get(plan.cell.parameter, 0, lane) * R * value(n) * sigma;
                }
            }
        }
        // SAFETY: as in `load`.
        unsafe { *b.outcome.add(cell) = outcome }
        b.progress.fetch_add(1, Ordering::Relaxed);
        outcome
    }
}

impl<V: Register + Sync, const K: usize> Worker for Wide<V, K> {
    fn run(&mut self, s: &Shared, b: &Batch<'_>) -> (TotalCost, usize, f64) {
        let start = cpu_time::ThreadTime::now();
        let (mut total, mut failed) = (TotalCost::default(), 0);
        self.supply = 0..0;
        for lane in 0..Self::W {
            // Without a source nothing is written there any more.
            let mut column = self.column(s.plan.cell.source, lane);
            (0..s.plan.species).for_each(|k| column.set(k, 0.0));
            self.set(s.plan.cell.heating, 0, lane, 0.0);
            match self.take(b) {
                Some(cell) => self.load(s, b, lane, cell),
                None => self.lanes[lane].busy = false,
            }
        }
        let Some(first) = (0..Self::W).find(|&l| self.lanes[l].busy) else {
            return (total, failed, start.elapsed().as_secs_f64());
        };
        // Lanes without a cell repeat a busy one's, so that they compute something harmless.
        for lane in 0..Self::W {
            if !self.lanes[lane].busy {
                let cell = self.lanes[first].cell;
                self.load(s, b, lane, cell);
                self.lanes[lane].busy = false;
            }
        }
        let gas = s.gas();
        let watch = b.notes.as_ref().zip(s.track.as_ref());
        let mut noted = watch.map(|(n, _)| Noted::new(Self::W, n)).unwrap_or_default();
        if let Some((n, track)) = watch {
            for lane in (0..Self::W).filter(|&l| self.lanes[l].busy).collect::<Vec<_>>() {
                self.note_entry(s, track, n, &mut noted, lane);
            }
            self.note(s, track, n, &mut noted, b.dt);
        }
        while self.lanes.iter().any(|l| l.busy) {
            // SAFETY: the set was detected before this worker was made, and `Engine::new` has run this program on
            // the scalar machine.
            unsafe {
                let m = Lanes::new(&s.plan.tables, &mut self.arena);
                V::call(
                    #[inline(always)]
                    || s.stepper.attempt(m, gas, s.options.max_steps),
                );
            }
            if let Some((n, track)) = watch {
                self.note(s, track, n, &mut noted, b.dt);
            }
            let stopped = b.stop.load(Ordering::Relaxed);
            let mut entered = false;
            for lane in 0..Self::W {
                if !self.lanes[lane].busy {
                    continue;
                }
                let verdict = self.verdict(s, lane).or(stopped.then_some(Status::Cancelled));
                let Some(status) = verdict else { continue };
                let outcome = self.store(s, b, lane, status);
                total.add(&outcome.cost);
                failed += usize::from(outcome.status != Status::Done);
                match self.take(b).filter(|_| !stopped) {
                    Some(cell) => {
                        self.load(s, b, lane, cell);
                        if let Some((n, track)) = watch {
                            self.note_entry(s, track, n, &mut noted, lane);
                            entered = true;
                        }
                    }
                    None => {
                        self.lanes[lane].busy = false;
                        // The lane goes on with the state it has; a long way to go keeps its numbers tame.
                        self.set(s.stepper.clock.left, 0, lane, b.dt);
                        self.set(s.stepper.clock.t, 0, lane, 0.0);
                    }
                }
            }
            if let Some((n, track)) = watch.filter(|_| entered) {
                self.note(s, track, n, &mut noted, b.dt);
            }
            if stopped {
                self.cancel(b, &mut failed);
            }
        }
        (total, failed, start.elapsed().as_secs_f64())
    }

    fn evaluate(&mut self, s: &Shared, input: &Evaluation<'_>, lo: usize, wdot: &mut [f64], jac: Option<&mut [f64]>) {
        let plan = &*s.plan;
        let n = plan.species;
        let count = wdot.len() / n;
        let mut jac = jac;
        for base in (0..count).step_by(Self::W) {
            for lane in 0..Self::W {
                let cell = lo + (base + lane).min(count - 1);
                let y = &input.y[cell * n..(cell + 1) * n];
                self.place(
                    s,
                    lane,
                    input.temperature[cell],
                    input.pressure[cell],
                    input.electron.map_or(-1.0, |e| e[cell]),
                    |k| y[k],
                );
                (0..n).for_each(|k| self.set(plan.cell.source, k, lane, 0.0));
                self.set(plan.cell.heating, 0, lane, 0.0);
            }
            // SAFETY: as in `run`.
            unsafe {
                let m = Lanes::new(&plan.tables, &mut self.arena);
                let (y, f) = (s.stepper.y, s.stepper.f);
                if jac.is_some() {
                    V::call(
                        #[inline(always)]
                        || {
                            kinlane_solve::gas::jacobian::rhs_and_jacobian(m, plan, s.options.reactor, y, f);
                        },
                    );
                } else {
                    V::call(
                        #[inline(always)]
                        || reactor::production(m, plan, s.options.reactor, y),
                    );
                }
            }
            for lane in 0..Self::W.min(count - base) {
                for k in 0..n {
                    wdot[(base + lane) * n + k] = self.get(plan.cell.wdot, k, lane);
                }
                if let Some(jac) = jac.as_deref_mut() {
                    let size = (n + 1) * (n + 1);
                    self.jacobian(s, lane, &mut jac[(base + lane) * size..(base + lane + 1) * size]);
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.arena[..])
    }

    fn repeat(&mut self, s: &Shared, kernel: Kernel, times: usize) {
        let (plan, w, reactor) = (&*s.plan, &s.stepper, s.options.reactor);
        let gas = s.gas();
        for _ in 0..times {
            // SAFETY: as in `run`.
            unsafe {
                let m = Lanes::new(&plan.tables, &mut self.arena);
                V::call(
                    #[inline(always)]
                    || match kernel {
                        Kernel::Rates => reactor::production(m, plan, reactor, w.y),
                        Kernel::Jacobian => gas.rhs_and_jacobian(m, w.y, w.f),
                        Kernel::Factor => gas.factor(m, Pack::lit(1e6)),
                        Kernel::Solve => gas.solve(m, w.error),
                        Kernel::Exp => m.function(
                            "exp",
                            #[inline(always)]
                            || {
                                m.all(
                                    w.y.len as usize,
                                    #[inline(always)]
                                    |i| m.put(w.y1, i, m.get(w.f, i).exp()),
                                )
                            },
                        ),
                        Kernel::Attempt => s.stepper.attempt(m, gas, s.options.max_steps),
                    },
                );
            }
        }
    }
}

impl<V: Register, const K: usize> Wide<V, K> {
    /// Takes what is left in the queue and marks it.
    fn cancel(&mut self, b: &Batch<'_>, failed: &mut usize) {
        while let Some(cell) = self.take(b) {
            // SAFETY: as in `load`.
            unsafe { *b.outcome.add(cell) = Outcome { status: Status::Cancelled, ..Outcome::default() } }
            *failed += 1;
        }
    }

    /// d(dY/dt, dT/dt)/d(Y, T), row-major, from the plan's variables: phi_j = Y_j/W_j, sigma = Σ phi_j.
    fn jacobian(&self, s: &Shared, lane: usize, out: &mut [f64]) {
        let plan = &*s.plan;
        let n = plan.species;
        out.fill(0.0);
        let (w, j) = (&plan.molar_mass, &plan.jacobian);
        let border = plan.tables.list(j.border);
        let value = |at: u32| self.get(j.values, at as usize, lane);
        let (ptr, rows) = (plan.tables.list(j.row_ptr), plan.tables.list(j.rows));
        let by_sigma = self.get(j.values, j.corner[1], lane);
        for k in 0..n {
            let row = k * (n + 1);
            let sigma = value(border[4 * k + 1]);
            for c in 0..n {
                out[row + c] = sigma * w[k] / w[c];
            }
            for e in ptr[k] as usize..ptr[k + 1] as usize {
                let c = rows[2 * e + 1] as usize;
                out[row + c] += value(rows[2 * e]) * w[k] / w[c];
            }
            out[row + n] = value(border[4 * k]) * w[k];
            out[n * (n + 1) + k] = (value(border[4 * k + 2]) + by_sigma) / w[k];
        }
        out[n * (n + 1) + n] = self.get(j.values, j.corner[0], lane);
    }
}
