//! One cell on the scalar machine, which goes on from call to call.

use crate::{Cost, Outcome, Report, Status};
use kinlane_lanes::Totals;
use kinlane_plan::machine::{Array, Machine};
use kinlane_plan::{Layout, Scalar, Tables};
use kinlane_solve::Options;
use kinlane_solve::methods::control::{DONE, Start};
use kinlane_solve::methods::problem::Problem;
use kinlane_solve::methods::{Method, Stepper};
use std::time::Instant;

/// A cell with the memory of its method.
pub(crate) struct Single {
    stepper: Stepper,
    arena: Vec<f64>,
    options: Options,
    /// Factor on the tolerances.
    looser: f64,
    /// Whether the next call goes on where the last one ended; else it begins with a first step.
    goes_on: bool,
    /// The method's name.
    method: &'static str,
    /// Wall and CPU time of the calls so far \[s\].
    seconds: [f64; 2],
}

/// Whether a cell is to go on after an attempt; it is told whether that has made a step, and may read the variables.
pub(crate) type GoOn<'a> = &'a mut dyn FnMut(bool, &dyn Fn() -> Vec<f64>) -> bool;

/// A cell that could not be advanced any further.
pub(crate) struct Stopped {
    /// Why.
    pub status: Status,
    /// How far it has come in this call \[s\].
    pub done: f64,
}

impl Single {
    /// A cell with all variables at zero. Of the options count tolerances and the first step.
    pub fn new(layout: Layout, stepper: Stepper, method: &'static Method, options: Options) -> Self {
        let (arena, method) = (vec![0.0; layout.len()], method.name);
        Self { stepper, arena, options, looser: 1.0, goes_on: false, method, seconds: [0.0; 2] }
    }

    /// All arrays, for what is not in the state.
    pub fn machine<'a>(&'a mut self, tables: &'a Tables) -> Scalar<'a, f64> {
        Scalar::new(tables, &mut self.arena)
    }

    /// The variables.
    pub fn state(&self) -> &[f64] {
        let y = self.stepper.y;
        &self.arena[y.at as usize..][..y.len as usize]
    }

    /// The variables, to be changed.
    pub fn state_mut(&mut self) -> &mut [f64] {
        let y = self.stepper.y;
        &mut self.arena[y.at as usize..][..y.len as usize]
    }

    /// Options, with the tolerances of single steps.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Begins anew in the next call, with tolerances so many times those of the options.
    pub fn loosen(&mut self, factor: f64) {
        (self.looser, self.goes_on) = (factor, false);
    }

    /// As [`Single::go`], and takes the time.
    pub fn advance(
        &mut self,
        tables: &Tables,
        problem: impl for<'m> Problem<Scalar<'m, f64>>,
        dt: f64,
        attempts: u32,
        go_on: GoOn<'_>,
    ) -> Result<f64, Stopped> {
        let (begin, of_thread) = (Instant::now(), cpu_time::ThreadTime::now());
        let moved = self.go(tables, problem, dt, attempts, go_on);
        let taken = [begin.elapsed(), of_thread.elapsed()];
        self.seconds.iter_mut().zip(taken).for_each(|(sum, taken)| *sum += taken.as_secs_f64());
        moved
    }

    /// Advances by at most `dt` \[s\], which must be above zero, as long as `go_on` says so after every attempt; it is told whether
    /// the attempt has made a step, and may read the variables. There are at most so many `attempts`. Returns by how much.
    fn go(
        &mut self,
        tables: &Tables,
        problem: impl for<'m> Problem<Scalar<'m, f64>>,
        dt: f64,
        attempts: u32,
        go_on: GoOn<'_>,
    ) -> Result<f64, Stopped> {
        let Self { stepper, arena, options, looser, goes_on, .. } = self;
        let (m, c) = (Scalar::new(tables, arena), stepper.clock);
        let counts = c.counters().map(|a| (a, m.var(a)));
        if !*goes_on {
            // Whatever a cell that was stopped has left behind, but for what it has cost.
            let usual = Start::new(options, dt);
            let (rtol, atol) = (usual.rtol * *looser, usual.atol * *looser);
            let h = options.first_step.unwrap_or(f64::MAX);
            let first = Start { h, rtol, atol, only_end: false, ..usual };
            c.start(first).into_iter().chain(counts).for_each(|(a, x)| m.set(a, x));
        }
        // The clock is that of a call: a short one after long ones is not lost in the rounding of all their time.
        m.set(c.t, 0.0);
        m.set(c.idle, 0.0);
        m.set(c.left, dt);
        m.set(c.span, dt);
        if stepper.begins_with_f() {
            // What surrounds the cell may be another since the last call.
            m.set(c.fresh, 1.0);
        }
        m.set(c.verdict, 0.0);
        m.set(c.budget, m.var(c.steps) + m.var(c.rejected) + f64::from(attempts));
        loop {
            let before = m.var(c.steps);
            stepper.attempt_alone(m, problem);
            let wanted = go_on(m.var(c.steps) > before, &|| m.read(stepper.y));
            let done = dt - m.var(c.left);
            let verdict = m.var(c.verdict);
            *goes_on = verdict == 0.0 || verdict == DONE;
            if verdict == DONE {
                return Ok(dt);
            }
            if verdict != 0.0 {
                return Err(Stopped { status: Status::from_number(verdict), done });
            }
            if !wanted {
                return Ok(done);
            }
        }
    }

    /// Attempted steps that were accepted so far.
    pub fn steps(&self) -> u64 {
        self.arena[self.stepper.clock.steps.at as usize] as u64
    }

    /// Attempted steps so far.
    pub fn attempts(&self) -> u64 {
        let of = |a: Array| self.arena[a.at as usize] as u64;
        of(self.stepper.clock.steps) + of(self.stepper.clock.rejected)
    }

    /// What all calls so far have cost; the cell has failed if the last one did.
    pub fn report(&self) -> Report {
        let (clock, of) = (self.stepper.clock, |a: Array| self.arena[a.at as usize]);
        let verdict = of(clock.verdict);
        // None: nothing was wrong when it was told to stop.
        let status = if [0.0, DONE].contains(&verdict) { Status::Done } else { Status::from_number(verdict) };
        let of = One { outcome: self.outcome(status, 0.0), method: self.method, seconds: self.seconds };
        of.report([size_of_val(self.state()), size_of_val(&*self.arena)])
    }

    /// How a call ended, after t \[s\]. Which variable was worst is not known.
    pub fn outcome(&self, status: Status, t: f64) -> Outcome {
        let (clock, of) = (self.stepper.clock, |a: Array| self.arena[a.at as usize]);
        let cost = Cost::of(clock.counters().map(of));
        Outcome { status, cost, t, h: of(clock.h), worst: self.stepper.y.len }
    }
}

/// What became of one cell on the scalar machine.
pub(crate) struct One {
    pub outcome: Outcome,
    pub method: &'static str,
    /// Wall and CPU time \[s\].
    pub seconds: [f64; 2],
}

impl One {
    /// As a report; the sizes are those of the cell and of the work space \[bytes\].
    pub fn report(self, [bytes_per_cell, bytes_per_thread]: [usize; 2]) -> Report {
        let Self { outcome, method, seconds: [seconds, cpu_seconds] } = self;
        let failed = usize::from(outcome.status != Status::Done);
        let mut totals = Totals { failed, cpu_seconds, ..Totals::default() };
        totals.cost += outcome.cost;
        Report {
            device: "cpu".into(),
            threads: 1,
            lanes: "scalar".into(),
            method: method.into(),
            bytes_per_cell,
            bytes_per_thread,
            ..Report::of(&totals, &[outcome], seconds)
        }
    }
}
