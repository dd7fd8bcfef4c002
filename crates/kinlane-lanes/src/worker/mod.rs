//! One thread's share of a batch: lanes that take cells from the queue, step them, and hand them back.

mod apart;
pub(crate) mod between;
pub(crate) mod boards;
pub(crate) mod note;
mod pieces;
pub(crate) mod wide;
mod witness;

use crate::batch::Batch;
use crate::cells::Points;
use crate::constants::{Column, Constants};
use crate::evaluate::Properties;
use crate::shared::Shared;
use crate::simd::{Pack, Register};
use between::Origin;
use boards::Boards;
use kinlane_plan::plan::RateProgram;
use kinlane_plan::{Machine, Real};
use kinlane_solve::gas::reactor;
use kinlane_solve::methods::auto::Apart;
use kinlane_solve::methods::problem::Linear;
use kinlane_solve::watch::Noted;
use kinlane_solve::{Cost, Outcome, Status};
use std::sync::atomic::Ordering;
use wide::{Leaving, Wide};

/// A part of the computation, for benchmarks.
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

/// What a worker has done.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sums {
    /// Cells that it has finished.
    pub cells: usize,
    /// Cells among them that failed.
    pub failed: usize,
    /// Cells among them that an upper rung of the failure ladder finished.
    pub rescued: usize,
    /// Their cost.
    pub cost: Cost<u64>,
    /// CPU seconds.
    pub cpu_seconds: f64,
    /// Cells, finished by others, that it told to be stiff at a glance.
    pub at_a_glance: usize,
}

impl Sums {
    /// Adds the sums of another worker.
    pub fn merge(&mut self, o: &Self) {
        self.cells += o.cells;
        self.failed += o.failed;
        self.rescued += o.rescued;
        self.cost += o.cost;
        self.cpu_seconds += o.cpu_seconds;
        self.at_a_glance += o.at_a_glance;
    }

    /// Counts a finished cell.
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        self.cells += 1;
        self.cost += outcome.cost;
        self.failed += usize::from(outcome.status != Status::Done);
    }
}

/// A worker of any width.
pub trait Worker: Send + Sync {
    /// Cells side by side.
    fn width(&self) -> usize;
    /// Steps cells until the supply is empty. Once the remaining cells fit the lanes of the `narrow` worker,
    /// they go on there.
    fn run(&mut self, shared: &Shared, batch: &Batch<'_>, narrow: Option<&mut dyn Worker>) -> Sums;
    /// Goes on with the last cells of another worker; there must be no more of them than lanes.
    fn finish(&mut self, shared: &Shared, batch: &Batch<'_>, last: &Leaving<'_>) -> Sums;
    /// Finishes the calm and the mild cells of the supply, and puts all others on a board. The step for mild
    /// cells is taken if they are at least `part` of the lanes; otherwise they, too, go on a board. Returns
    /// what was done for calm and for mild cells.
    fn tell_apart(&mut self, once: &Shared, apart: &Apart, batch: &Batch<'_>, boards: &Boards, part: f64) -> [Sums; 2];
    /// States within a step: see [`Between::advance`](crate::Between::advance).
    fn follow(&mut self, shared: &Shared, from: Origin<'_>, times: &[f64], to: &mut [f64]);
    /// Production rates and Jacobians of the cells from `lo` on.
    fn evaluate(&mut self, shared: &Shared, at: &Points<'_>, lo: usize, wdot: &mut [f64], jac: Option<&mut [f64]>);
    /// Properties of cells `lo .. lo + out.len()`; no heat release unless it is `wanted`.
    fn properties(&mut self, shared: &Shared, at: &Points<'_>, lo: usize, out: &mut [Properties], wanted: bool);
    /// Enthalpies and heat capacities of the species in the cells from `lo` on.
    fn species_properties(&mut self, shared: &Shared, at: &Points<'_>, lo: usize, enthalpy: &mut [f64], cp: &mut [f64]);
    /// Temperatures of cells `lo .. lo + out.len()` at these energies.
    fn temperatures(&mut self, shared: &Shared, at: &Points<'_>, lo: usize, energy: &[f64], out: &mut [f64]);
    /// Forward and reverse rates of progress of the cells from `lo` on.
    fn rates_of_progress(&mut self, shared: &Shared, at: &Points<'_>, lo: usize, out: &mut [[f64; 2]]);
    /// Rate constants of the cells from `lo` on.
    ///
    /// # Safety
    /// The program must have been rehearsed: see `constants.rs`.
    unsafe fn constants(
        &self,
        program: &RateProgram,
        inputs: &[Column<'_>],
        which: Constants,
        lo: usize,
        out: &mut [f64],
    );
    /// Runs one kernel `times` times on the states that the lanes hold.
    fn repeat(&mut self, shared: &Shared, kernel: Kernel, times: usize);
    /// Makes room for what is kept of cells that go on from call to call, so many numbers of each.
    fn keep(&mut self, numbers: usize);
    /// Size of the workspace \[bytes\].
    fn bytes(&self) -> usize;
}

impl<V: Register + Sync, const K: usize> Worker for Wide<V, K> {
    fn width(&self) -> usize {
        Self::W
    }

    fn run(&mut self, s: &Shared, b: &Batch<'_>, narrow: Option<&mut dyn Worker>) -> Sums {
        let start = cpu_time::ThreadTime::now();
        (self.supply, self.dry) = (0..0, false);
        let mut noted = self.notes(s, b);
        for lane in 0..Self::W {
            self.no_source(s, lane);
            self.lanes[lane].busy = false;
            if let Some(entrant) = self.take(b) {
                self.receive(s, b, &mut noted, lane, entrant);
            }
        }
        let sums = self.go_on(s, b, &mut noted, true, narrow);
        Sums { cpu_seconds: start.elapsed().as_secs_f64(), ..sums }
    }

    fn finish(&mut self, s: &Shared, b: &Batch<'_>, last: &Leaving<'_>) -> Sums {
        (self.supply, self.dry) = (0..0, true);
        let mut noted = self.notes(s, b);
        let busy = last.lanes.iter().zip(last.noted).filter(|(l, _)| l.busy);
        noted.iter_mut().zip(busy).for_each(|(to, (_, from))| to.clone_from(from));
        self.seat(last);
        self.go_on(s, b, &mut noted, false, None)
    }

    fn tell_apart(&mut self, s: &Shared, apart: &Apart, b: &Batch<'_>, boards: &Boards, part: f64) -> [Sums; 2] {
        self.tell_apart(s, apart, b, boards, part)
    }

    fn follow(&mut self, s: &Shared, from: Origin<'_>, times: &[f64], to: &mut [f64]) {
        self.follow(s, from, times, to);
    }

    fn evaluate(&mut self, s: &Shared, at: &Points<'_>, lo: usize, wdot: &mut [f64], jac: Option<&mut [f64]>) {
        self.evaluate(s, at, lo, wdot, jac);
    }

    fn properties(&mut self, s: &Shared, at: &Points<'_>, lo: usize, out: &mut [Properties], wanted: bool) {
        self.properties(s, at, lo, out, wanted);
    }

    fn species_properties(&mut self, s: &Shared, at: &Points<'_>, lo: usize, enthalpy: &mut [f64], cp: &mut [f64]) {
        self.species_properties(s, at, lo, enthalpy, cp);
    }

    fn temperatures(&mut self, s: &Shared, at: &Points<'_>, lo: usize, energy: &[f64], out: &mut [f64]) {
        self.temperatures(s, at, lo, energy, out);
    }

    fn rates_of_progress(&mut self, s: &Shared, at: &Points<'_>, lo: usize, out: &mut [[f64; 2]]) {
        self.rates_of_progress(s, at, lo, out);
    }

    unsafe fn constants(
        &self,
        program: &RateProgram,
        inputs: &[Column<'_>],
        which: Constants,
        lo: usize,
        out: &mut [f64],
    ) {
        // SAFETY: the caller's.
        unsafe { self.constants(program, inputs, which, lo, out) }
    }

    fn keep(&mut self, numbers: usize) {
        self.kept.resize(numbers * Self::W, 0.0);
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.arena[..])
    }

    fn repeat(&mut self, s: &Shared, kernel: Kernel, times: usize) {
        for _ in 0..times {
            match kernel {
                Kernel::Attempt => self.attempt(s),
                part => self.part(s, part),
            }
        }
    }
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// Steps the cells in the lanes and those that follow them. `entered`: the cells in the lanes have just
    /// begun, and their entry state is still to be recorded.
    fn go_on(
        &mut self,
        s: &Shared,
        b: &Batch<'_>,
        noted: &mut [Noted],
        mut entered: bool,
        mut narrow: Option<&mut (dyn Worker + '_)>,
    ) -> Sums {
        let mut sums = Sums::default();
        let watch = b.watched(s);
        self.fill_up(s, b);
        loop {
            let busy = self.lanes.iter().filter(|l| l.busy).count();
            if busy == 0 {
                return sums;
            }
            if let Some((n, track)) = watch.filter(|_| entered) {
                self.note(s, track, n, noted);
            }
            if let Some(other) = narrow.as_deref_mut().filter(|other| self.dry && busy <= other.width()) {
                let last = Leaving { numbers: self.numbers(), lanes: &self.lanes, noted, kept: &self.kept };
                sums.merge(&other.finish(s, b, &last));
                return sums;
            }
            self.prepare(s, b);
            self.attempt(s);
            if let Some((n, track)) = watch {
                self.note(s, track, n, noted);
            }
            let stopped = b.signals.stop.load(Ordering::Relaxed);
            entered = false;
            for lane in 0..Self::W {
                entered |= self.lanes[lane].busy && self.end_or_enter(s, b, noted, lane, stopped, &mut sums);
            }
            if stopped {
                let cancelled = self.cancel(b);
                sums.cells += cancelled;
                sums.failed += cancelled;
            }
        }
    }

    /// One attempt of every lane. The only place from which all methods are called: each of them is compiled once for a width.
    pub(crate) fn attempt(&mut self, s: &Shared) {
        let gas = s.gas();
        // SAFETY: `rehearse` has run this program.
        unsafe {
            self.compute(
                s,
                #[inline(always)]
                |m| s.stepper.attempt(m, gas),
            );
        }
    }

    /// One part of an attempt.
    fn part(&mut self, s: &Shared, kernel: Kernel) {
        let (plan, w, gas, reactor) = (&*s.plan, &s.stepper, s.gas(), s.options.reactor);
        // SAFETY: `rehearse` has run all of these programs except the exponentials, which visit the same elements as an attempt.
        unsafe {
            self.compute(
                s,
                #[inline(always)]
                |m| match kernel {
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
                    Kernel::Attempt => {}
                },
            );
        }
    }

    /// To be called before an attempt: saves what must be kept of cells that go on from call to call, or that
    /// have a history.
    fn prepare(&mut self, s: &Shared, b: &Batch<'_>) {
        if let Some(recall) = b.recall {
            for lane in 0..Self::W {
                if self.lanes[lane].busy {
                    let mut course = self.lanes[lane].course;
                    self.approach(s, recall, lane, &mut course);
                    self.lanes[lane].course = course;
                }
            }
        }
        if b.histories.is_some() {
            self.note_wishes(s);
        }
    }

    /// To be called after an attempt: hands a lane's cell back if it has ended, or on to another method, and
    /// takes the next one. Returns whether a cell, or a piece of a history, begins in the lane.
    fn end_or_enter(
        &mut self,
        s: &Shared,
        b: &Batch<'_>,
        noted: &mut [Noted],
        lane: usize,
        stopped: bool,
        sums: &mut Sums,
    ) -> bool {
        let mut entered = false;
        let verdict = match self.verdict(s, lane) {
            Some(Status::Done) if self.ride(lane).more => {
                self.next_piece(s, b, lane);
                entered = true;
                None
            }
            other => other,
        };
        let ended = verdict.or(stopped.then_some(Status::Cancelled));
        let lost = ended.is_some_and(|status| !stopped && status != Status::Done);
        match (ended, b.hand_over, b.give_back) {
            (Some(_), _, Some(board)) if lost => self.hand_over(s, board, lane, noted.get(lane).cloned()),
            (Some(status), ..) => self.store(s, b, lane, status, sums),
            (None, Some(h), _) if self.takes_many(s, h.late, lane) => {
                self.hand_over(s, h.board, lane, noted.get(lane).cloned());
            }
            _ => return entered,
        }
        match if stopped { None } else { self.take(b) } {
            Some(entrant) => {
                self.receive(s, b, noted, lane, entrant);
                true
            }
            None => {
                self.idle(s, b, lane);
                entered
            }
        }
    }
}
