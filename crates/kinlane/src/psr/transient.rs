//! Integration over time, towards a steady state.

use super::{PsrError, StirredReactor, StirredState, require_times};
use crate::single::One;
use crate::{Cost, Outcome, Report, Status};
use cpu_time::ThreadTime;
use kinlane_plan::Machine;
use kinlane_solve::Options;
use kinlane_solve::methods::control::{DONE, Start};
use kinlane_solve::methods::method::DEFAULT;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Most attempted steps.
const STEPS: u32 = 1_000_000;

/// Parameters of an integration over time.
pub(super) struct Course<'a> {
    /// Time to integrate over \[s\].
    pub duration: f64,
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance, on mass fractions.
    pub atol: f64,
    /// Most attempted steps.
    pub steps: u32,
    /// Set by the caller to end the integration.
    pub stop: &'a AtomicBool,
}

impl StirredReactor {
    /// Integrates over `duration` \[s\] from `start`, at the residence time `tau` \[s\]; returns the state
    /// after every accepted step, with its time.
    ///
    /// # Errors
    /// [`PsrError::Transient`], [`PsrError::Time`], [`PsrError::Option`], [`PsrError::Cancelled`].
    ///
    /// # Panics
    /// If `start` does not have one mass fraction for each species.
    pub fn transient(
        &mut self,
        tau: f64,
        start: &StirredState,
        duration: f64,
        rtol: f64,
        atol: f64,
        stop: &AtomicBool,
    ) -> Result<Vec<(f64, StirredState)>, PsrError> {
        require_times("residence time", &[tau])?;
        require_times("duration", &[duration])?;
        Options { rtol, atol, ..Options::default() }.check_of_gas()?;
        let mut points = vec![(0.0, start.clone())];
        let course = Course { duration, rtol, atol, steps: STEPS, stop };
        let v = self.variables(start);
        let (begin, of_thread) = (Instant::now(), ThreadTime::now());
        let moved = self.integrate(tau, &v, &course, &mut |reactor, t| {
            let v = reactor.read(reactor.work.y);
            // Rounding of the last step is no time.
            points.push((t.min(duration), reactor.state(&v)));
        });
        let taken = [begin.elapsed(), of_thread.elapsed()].map(|taken| taken.as_secs_f64());
        self.report = self.reported(moved.err(), taken);
        moved.map(|()| points)
    }

    /// What an integration has cost that took so long \[s\], wall and CPU time.
    fn reported(&mut self, fault: Option<PsrError>, seconds: [f64; 2]) -> Report {
        let clock = self.work.clock;
        let (counts, verdict) = self.run(|m, _, _| (clock.counters().map(|a| m.var(a)), m.var(clock.verdict)));
        let status = match fault {
            None => Status::Done,
            Some(PsrError::Cancelled) => Status::Cancelled,
            Some(_) => Status::from_number(verdict),
        };
        let outcome = Outcome { status, cost: Cost::of(counts), ..Outcome::default() };
        let sizes = [self.work.y.len as usize * size_of::<f64>(), size_of_val(&*self.arena)];
        One { outcome, method: DEFAULT.name, seconds }.report(sizes)
    }

    /// Integrates from `v` and calls back with the time of every accepted step; the state is then in
    /// `work.y`.
    pub(super) fn integrate(
        &mut self,
        tau: f64,
        v: &[f64],
        course: &Course<'_>,
        step: &mut dyn FnMut(&mut Self, f64),
    ) -> Result<(), PsrError> {
        self.set_tau(tau);
        let (clock, y) = (self.work.clock, self.work.y);
        self.write(y, v);
        let &Course { duration, rtol, atol, .. } = course;
        let h = duration.min(tau) * 1e-6;
        let start = Start { dt: duration, h, rtol, atol, budget: f64::from(course.steps), only_end: false };
        for (variable, value) in clock.start(start) {
            self.write(variable, &[value]);
        }
        loop {
            if course.stop.load(Ordering::Relaxed) {
                return Err(PsrError::Cancelled);
            }
            let (before, after, t, verdict) = self.run(|m, p, w| {
                let before = m.var(clock.steps);
                w.attempt_alone(m, p);
                (before, m.var(clock.steps), m.var(clock.t), m.var(clock.verdict))
            });
            if after > before {
                step(self, t);
            }
            match verdict {
                0.0 => {}
                DONE => return Ok(()),
                _ => return Err(PsrError::Transient { t }),
            }
        }
    }
}
