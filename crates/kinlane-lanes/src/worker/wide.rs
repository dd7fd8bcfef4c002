//! Lanes and their contents: how a cell gets into a lane and out again.

use super::Sums;
use super::between::Between;
use super::boards::{Entrant, Handed, LateBoard, Supply};
use super::pieces::Ride;
use super::witness::Witnesses;
use crate::batch::{Batch, Taken};
use crate::continuation::Course;
use crate::machine::Lanes;
use crate::shared::Shared;
use crate::simd::{Pack, Register};
use kinlane_plan::Array;
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_solve::gas::problem::TEMPERATURES;
use kinlane_solve::methods::auto::Late;
use kinlane_solve::methods::control::{DONE, Start};
use kinlane_solve::options::OPENING;
use kinlane_solve::rescue::{Climb, Entry, Reach, rescue};
use kinlane_solve::watch::Noted;
use kinlane_solve::{Cost, Outcome, Status};
use std::sync::atomic::Ordering;

/// One lane of an array: every `width`-th number.
struct Column<'a> {
    all: &'a mut [f64],
    lane: usize,
    width: usize,
}

impl Column<'_> {
    #[inline(always)]
    fn set(&mut self, i: usize, x: f64) {
        self.all[i * self.width + self.lane] = x;
    }
}

/// The state of a lane.
#[derive(Debug, Clone, Copy)]
pub struct Lane {
    pub(crate) cell: usize,
    /// Its place in a sequence of calls.
    pub(crate) course: Course,
    /// The entry state is outside all rate laws: the cell is handed back unchanged.
    absurd: bool,
    pub(crate) busy: bool,
    /// Its place in its history.
    ride: Ride,
}

/// Largest number of cells side by side.
pub const MOST: usize = 16;

/// Lanes whose cells move to those of another worker.
pub struct Leaving<'a> {
    /// Their arena, element by element.
    pub(crate) numbers: &'a [f64],
    pub(crate) lanes: &'a [Lane],
    /// What has been recorded of the cells, if they are watched.
    pub(crate) noted: &'a [Noted],
    /// What has been saved of the cells for the next call, if they go on from call to call.
    pub(crate) kept: &'a [f64],
}

/// A worker of `K` registers of `V`.
pub struct Wide<V, const K: usize> {
    pub(crate) arena: Vec<Pack<V, K>>,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) supply: std::ops::Range<usize>,
    /// Whether the supply is empty.
    pub(crate) dry: bool,
    /// For states within steps, if cells are watched.
    pub(crate) between: Option<Between>,
    /// What showed cells to be stiff.
    pub(crate) witnesses: Witnesses,
    /// What is saved of each lane's cell for the next call, where cells go on from call to call.
    pub(crate) kept: Vec<f64>,
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    pub(crate) const W: usize = Pack::<V, K>::CELLS;

    /// A worker with its arena.
    ///
    /// # Safety
    /// The instruction set of `V` must have been detected.
    pub unsafe fn new(arena: usize) -> Self {
        let zero = Pack([V::splat(0.0); K]);
        let idle = Lane { cell: 0, course: Course::default(), absurd: false, busy: false, ride: Ride::default() };
        Self {
            arena: vec![zero; arena],
            lanes: vec![idle; Self::W],
            supply: 0..0,
            dry: false,
            between: None,
            witnesses: Witnesses::default(),
            kept: Vec::new(),
        }
    }

    pub(crate) fn set(&mut self, a: Array, i: usize, lane: usize, x: f64) {
        self.column(a, lane).set(i, x);
    }

    pub(crate) fn get(&self, a: Array, i: usize, lane: usize) -> f64 {
        assert!(i < a.len as usize && lane < Self::W);
        self.numbers()[(a.at as usize + i) * Self::W + lane]
    }

    /// Runs a program on all lanes.
    ///
    /// # Safety
    /// The program must be one of those that [`Shared::rehearse`] has run for the engine for which this arena
    /// was laid out, or it must visit no other elements.
    #[inline(always)]
    pub(crate) unsafe fn compute(&mut self, s: &Shared, program: impl Fn(Lanes<'_, V, K>)) {
        // SAFETY: lanes are made only of registers whose instruction set was detected (`dispatch.rs`). Which
        // elements a program visits does not depend on data, and in the rehearsal on the bounds-checked
        // scalar machine the program stayed inside the same tables and an arena of the same layout.
        unsafe {
            let m = Lanes::new(&s.plan.tables, &mut self.arena);
            V::call(
                #[inline(always)]
                || program(m),
            );
        }
    }

    /// The cell in a lane.
    pub(crate) fn cell(&self, lane: usize) -> usize {
        self.lanes[lane].cell
    }

    /// The place of a lane's cell in its history.
    pub(crate) fn ride(&self, lane: usize) -> Ride {
        self.lanes[lane].ride
    }

    /// Sets that place.
    pub(crate) fn set_ride(&mut self, lane: usize, ride: Ride) {
        self.lanes[lane].ride = ride;
    }

    /// Whether a lane has a cell of its own.
    pub(crate) fn busy(&self, lane: usize) -> bool {
        self.lanes[lane].busy
    }

    /// The numbers of an array in one lane, by index.
    #[inline(always)]
    fn read(&self, a: Array, lane: usize) -> impl Fn(usize) -> f64 {
        assert!(lane < Self::W);
        let all = &self.numbers()[a.at as usize * Self::W..(a.at + a.len) as usize * Self::W];
        move |i| all[i * Self::W + lane]
    }

    /// One lane of an array.
    #[inline(always)]
    fn column(&mut self, a: Array, lane: usize) -> Column<'_> {
        assert!(lane < Self::W);
        let (lo, hi) = (a.at as usize, (a.at + a.len) as usize);
        let all = &mut self.numbers_mut()[lo * Self::W..hi * Self::W];
        Column { all, lane, width: Self::W }
    }

    /// Takes the next cell from the supply.
    pub(crate) fn take(&mut self, b: &Batch<'_>) -> Option<Entrant> {
        let entrant = b.supply.take(&mut self.supply, b.cells);
        self.dry |= entrant.is_none();
        entrant
    }

    /// Puts the state and the parameters of one cell into a lane.
    pub(crate) fn place(&mut self, s: &Shared, lane: usize, t: f64, p: f64, electron: f64, y: impl Fn(usize) -> f64) {
        let plan = &*s.plan;
        let mut column = self.column(s.stepper.y, lane);
        let parameter = s.gas().enter(t, p, y, |i, x| column.set(i, x));
        if plan.imposed().is_some() {
            self.set(plan.cell.slope, 0, lane, 0.0);
        }
        self.set(plan.cell.parameter, 0, lane, parameter);
        self.set(plan.cell.electron, 0, lane, electron);
        plan.fresh().for_each(|(a, x)| self.set(a, 0, lane, x));
        let excess = plan.kinetics.excess;
        let mut column = self.column(excess, lane);
        (0..excess.len as usize).for_each(|i| column.set(i, 0.0));
    }

    /// Puts a cell into a lane, with what has been recorded of it.
    pub(crate) fn receive(
        &mut self,
        s: &Shared,
        b: &Batch<'_>,
        noted: &mut [Noted],
        lane: usize,
        mut entrant: Entrant,
    ) {
        let before = if let Entrant::Handed(h) = &mut entrant { h.noted.take() } else { None };
        self.load(s, b, lane, entrant);
        if let Some((n, track)) = b.watched(s) {
            self.begin_notes(s, track, n, noted, lane, before);
        }
    }

    /// Puts a cell into a lane.
    pub(crate) fn load(&mut self, s: &Shared, b: &Batch<'_>, lane: usize, entrant: Entrant) {
        match entrant {
            Entrant::New(cell) => self.load_entry(s, b, lane, cell),
            Entrant::Handed(h) => {
                self.load_entry(s, b, lane, h.cell);
                let mut column = self.column(s.stepper.y, lane);
                h.y.iter().enumerate().for_each(|(i, &x)| column.set(i, x));
                let clock = s.stepper.clock;
                clock.progress().into_iter().zip(h.clock).for_each(|(a, x)| self.set(a, 0, lane, x));
                match &b.supply {
                    Supply::Late(board, late) => {
                        board.leave(h.y);
                        for (a, factor) in late.factors(&clock) {
                            self.set(a, 0, lane, self.get(a, 0, lane) * factor);
                        }
                    }
                    Supply::Back(board) => {
                        board.leave(h.y);
                        self.set(clock.h, 0, lane, Late::again(self.get(clock.left, 0, lane)));
                    }
                    Supply::Queue(_) | Supply::Board(_) => {}
                }
            }
        }
    }

    /// Whether a lane's cell has taken many steps, and has many more ahead.
    pub(crate) fn takes_many(&self, s: &Shared, late: Late, lane: usize) -> bool {
        late.is_due(late.looks_at(&s.stepper.clock).map(|a| self.get(a, 0, lane)))
    }

    /// Hands a lane's cell over, for another method to go on with.
    pub(crate) fn hand_over(&self, s: &Shared, board: &LateBoard, lane: usize, noted: Option<Noted>) {
        let y = (0..s.stepper.y.len as usize).map(|i| self.get(s.stepper.y, i, lane));
        let clock = s.stepper.clock.progress().map(|a| self.get(a, 0, lane));
        board.put(self.lanes[lane].cell, y, clock, noted);
    }

    /// Each lane without a cell repeats one that has a cell, if there is one, so that it computes something
    /// harmless.
    pub(crate) fn fill_up(&mut self, s: &Shared, b: &Batch<'_>) {
        let Some(first) = self.lanes.iter().position(|l| l.busy) else { return };
        let free = self.repeat(first);
        (0..Self::W).filter(|&lane| free[lane]).for_each(|lane| self.idle(s, b, lane));
    }

    /// Each lane without a cell gets the numbers of a lane that has one; returns which these are.
    pub(crate) fn repeat(&mut self, from: usize) -> [bool; MOST] {
        let mut free = [false; MOST];
        free.iter_mut().zip(&self.lanes).for_each(|(free, lane)| *free = !lane.busy);
        if !free.contains(&true) {
            return free;
        }
        // All in one pass: few cells are advanced in less time than a pass for each of the others takes.
        for pack in self.numbers_mut().chunks_exact_mut(Self::W) {
            let number = pack[from];
            pack.iter_mut().zip(free).filter(|(_, free)| *free).for_each(|(to, _)| *to = number);
        }
        let repeated = Lane { busy: false, ..self.lanes[from] };
        self.lanes.iter_mut().zip(free).filter(|(_, free)| *free).for_each(|(lane, _)| *lane = repeated);
        free
    }

    /// All numbers of all lanes: for every element of the arena those of each lane.
    pub(crate) fn numbers(&self) -> &[f64] {
        Pack::numbers(&self.arena)
    }

    /// The same, to be written.
    fn numbers_mut(&mut self) -> &mut [f64] {
        Pack::numbers_mut(&mut self.arena)
    }

    /// Moves the cells of another worker's lanes into the first lanes of this one.
    pub(crate) fn seat(&mut self, from: &Leaving<'_>) {
        let mut seats = [0; MOST];
        let mut count = 0;
        for (lane, l) in from.lanes.iter().enumerate().filter(|(_, l)| l.busy) {
            self.lanes[count] = *l;
            seats[count] = lane;
            count += 1;
        }
        self.lanes[count..].iter_mut().for_each(|l| l.busy = false);
        let width = from.kept.len() / from.lanes.len();
        for (seat, &lane) in seats[..count].iter().enumerate() {
            self.kept[seat * width..(seat + 1) * width].copy_from_slice(&from.kept[lane * width..(lane + 1) * width]);
        }
        let rows = from.numbers.chunks_exact(from.lanes.len());
        for (pack, row) in self.numbers_mut().chunks_exact_mut(Self::W).zip(rows) {
            for (to, &lane) in pack.iter_mut().zip(&seats[..count]) {
                *to = row[lane];
            }
        }
    }

    /// Leaves a lane without a cell. It goes on computing with the state that it has; a long time to go keeps
    /// its numbers ordinary.
    pub(crate) fn idle(&mut self, s: &Shared, b: &Batch<'_>, lane: usize) {
        self.lanes[lane].busy = false;
        self.set(s.stepper.clock.left, 0, lane, b.longest);
        self.set(s.stepper.clock.t, 0, lane, 0.0);
        self.end_history(s, lane);
    }

    /// The cell of a lane, in the caller's buffers.
    pub(crate) fn taken<'b, 'a>(&self, b: &'b Batch<'a>, lane: usize) -> Taken<'b, 'a> {
        assert!(self.lanes[lane].busy);
        // SAFETY: the cell of a busy lane was taken by this worker from a supply of this batch.
        unsafe { b.taken(self.lanes[lane].cell) }
    }

    /// Puts the rate constants of a cell into a lane, where they come with it.
    pub(crate) fn place_constants(&mut self, s: &Shared, lane: usize, constants: Option<&[f64]>, cell: usize) {
        let (count, k) = (s.plan.given_constants(), s.plan.kinetics.k);
        let Some(all) = constants else { return };
        let mut column = self.column(k, lane);
        all[cell * count..(cell + 1) * count].iter().enumerate().for_each(|(r, &x)| column.set(1 + r, x));
    }

    fn load_entry(&mut self, s: &Shared, b: &Batch<'_>, lane: usize, cell: usize) {
        let plan = &*s.plan;
        let dt = b.interval(cell);
        self.lanes[lane] = Lane { cell, course: Course::new(dt), absurd: false, busy: true, ride: Ride::default() };
        if let Some(recall) = b.recall {
            self.forget(b, recall, lane);
        }
        let taken = self.taken(b, lane);
        let ((t, p), y) = (taken.conditions(), taken.y());
        self.place(s, lane, t, p, b.electron.map_or(NO_ELECTRON_T, |e| e[cell]), |k| y.get(k));
        self.place_constants(s, lane, b.constants, cell);
        if let Some(source) = b.source {
            let mut column = self.column(plan.cell.source, lane);
            s.gas().source(|k| source.dydt[b.at(cell, k)], |k, x| column.set(k, x));
            self.set(plan.cell.heating, 0, lane, source.heating[cell]);
        }
        for f in b.factors.map_or(&[][..], |f| &f[cell]) {
            let mut column = self.column(plan.kinetics.excess, lane);
            s.gas().perturb(f.reaction, f.factor, |k, x| column.set(k, x));
        }
        let mut start = Start::new(&s.options, dt);
        if s.options.first_step.is_none() && b.notes.is_some() && !s.stepper.method.iterates() {
            start.h = OPENING * dt;
        }
        for (a, x) in s.stepper.clock.start(start) {
            self.set(a, 0, lane, x);
        }
        self.lanes[lane].absurd = !plan.given && !TEMPERATURES.contains(&t);
        self.lanes[lane].ride = self.begin_history(s, b, lane);
        if let Some(recall) = b.recall {
            self.lanes[lane].course = self.recall(s, b, recall, lane);
        }
    }

    /// How a lane's cell ended, if it has.
    pub(crate) fn verdict(&self, s: &Shared, lane: usize) -> Option<Status> {
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

    /// The variable with the largest scaled error in the last attempt: a species index, or the number of
    /// species for T.
    fn worst(&mut self, s: &Shared, lane: usize) -> u32 {
        // SAFETY: `rehearse` has run this program.
        unsafe {
            self.compute(
                s,
                #[inline(always)]
                |m| s.scaled_errors(m),
            );
        }
        s.gas().worst(|i| self.get(s.errors, i, lane))
    }

    /// Tries the upper rungs of the failure ladder for a cell that the lanes could not advance.
    fn rescue(&self, s: &Shared, b: &Batch<'_>, lane: usize, reach: Reach, cost: &mut Cost) -> Climb {
        let plan = &*s.plan;
        // A cell that is not done still holds its entry state.
        let taken = self.taken(b, lane);
        let ((t, p), y) = (taken.conditions(), taken.y());
        let mut state = vec![0.0; plan.lu.n];
        let parameter = s.gas().enter(t, p, |k| y.get(k), |i, x| state[i] = x);
        let list = |a: Array| -> Vec<f64> { (0..a.len as usize).map(|i| self.get(a, i, lane)).collect() };
        let (source, excess) = (list(plan.cell.source), list(plan.kinetics.excess));
        let constants = if plan.given { list(plan.kinetics.k) } else { Vec::new() };
        let entry = Entry {
            y: &state,
            parameter,
            electron: self.get(plan.cell.electron, 0, lane),
            source: &source,
            heating: self.get(plan.cell.heating, 0, lane),
            excess: &excess,
            constants: &constants,
            dt: taken.interval(),
            stop: b.signals.stop,
        };
        rescue(&s.plan, &s.options, (s.stepper.method, reach), &entry, cost)
    }

    /// Writes a finished cell back; a failed one climbs the failure ladder, and if that fails, too, keeps its
    /// entry state. Counts it.
    pub(crate) fn store(&mut self, s: &Shared, b: &Batch<'_>, lane: usize, status: Status, sums: &mut Sums) {
        let plan = &*s.plan;
        let (c, y) = (s.stepper.clock, s.stepper.y);
        let Lane { absurd, course, .. } = self.lanes[lane];
        let taken = self.taken(b, lane);
        let (dt, counters) = (taken.interval(), c.counters());
        let mut outcome = Outcome {
            status,
            cost: Cost::of(std::array::from_fn(|i| self.get(counters[i], 0, lane) - course.counts[i])),
            // A cell with an absurd entry state ends at time zero, whatever the lane has computed.
            t: if absurd { 0.0 } else { (self.get(c.t, 0, lane) - (course.end - dt)).clamp(0.0, dt) },
            h: self.get(c.h, 0, lane),
            worst: match status {
                Status::Done => 0,
                _ if absurd => plan.species as u32, // its T
                _ => self.worst(s, lane),
            },
        };
        // The upper rungs record no steps, so they are not tried for a watched cell.
        let lost = match status {
            _ if absurd || b.notes.is_some() => None,
            Status::StepTooSmall | Status::NotFinite => Some(Reach::All),
            Status::TooManySteps if !s.stepper.method.is_stiff() || !s.options.is_patient() => None,
            Status::TooManySteps if s.options.creeps(dt - outcome.t, outcome.h) => Some(Reach::All),
            Status::TooManySteps => Some(Reach::Other),
            Status::Done | Status::Cancelled => None,
        };
        let climb = lost.map_or(Climb::Lost, |reach| self.rescue(s, b, lane, reach, &mut outcome.cost));
        let rescued = match climb {
            Climb::Arrived(state) => {
                (outcome.status, outcome.worst) = (Status::Done, 0);
                Some(state)
            }
            Climb::Stopped => {
                (outcome.status, outcome.worst) = (Status::Cancelled, 0);
                None
            }
            Climb::Lost => None,
        };
        if outcome.status == Status::Done {
            outcome.t = dt;
            let (parameter, to) = (self.get(plan.cell.parameter, 0, lane), taken.y());
            taken.set_conditions(match &rescued {
                Some(state) => s.gas().leave(|i| state[i], parameter, |k, y| to.set(k, y)),
                None => s.gas().leave(self.read(y, lane), parameter, |k, y| to.set(k, y)),
            });
        }
        if let Some(recall) = b.recall.filter(|_| outcome.status != Status::Cancelled) {
            let whole = outcome.status == Status::Done && rescued.is_none();
            self.remember(s, b, recall, lane, &course, whole);
        }
        taken.set_outcome(outcome);
        b.signals.progress.fetch_add(usize::from(outcome.status != Status::Cancelled), Ordering::Relaxed);
        sums.add(&outcome);
        sums.rescued += usize::from(rescued.is_some());
    }

    /// Takes all that remains in the supply and marks it as cancelled; returns the number of cells.
    pub(crate) fn cancel(&mut self, b: &Batch<'_>) -> usize {
        let mut count = 0;
        while let Some(entrant) = self.take(b) {
            let (Entrant::New(cell) | Entrant::Handed(Handed { cell, .. })) = entrant;
            // SAFETY: this worker has just taken the cell.
            let taken = unsafe { b.taken(cell) };
            taken.set_outcome(Outcome { status: Status::Cancelled, ..Outcome::default() });
            count += 1;
        }
        count
    }

    /// Clears the source of a lane, for batches without sources, which do not write it.
    pub(crate) fn no_source(&mut self, s: &Shared, lane: usize) {
        let mut column = self.column(s.plan.cell.source, lane);
        (0..s.plan.species).for_each(|k| column.set(k, 0.0));
        self.set(s.plan.cell.heating, 0, lane, 0.0);
    }
}
