//! The way to a steady state, over time.

use super::{PsrError, StirredReactor, StirredState};
use kinlane_plan::Machine;
use kinlane_solve::methods::control::{DONE, Start};
use std::sync::atomic::{AtomicBool, Ordering};

/// Attempted steps at most.
const STEPS: u32 = 1_000_000;

impl StirredReactor {
    /// Integrates over `duration` \[s\] from `start` at the residence time `tau` \[s\]; every accepted step with its
    /// time.
    ///
    /// # Errors
    /// [`PsrError::Transient`].
    pub fn transient(
        &mut self,
        tau: f64,
        start: &StirredState,
        duration: f64,
        rtol: f64,
        atol: f64,
        stop: &AtomicBool,
    ) -> Result<Vec<(f64, StirredState)>, PsrError> {
        self.set_tau(tau);
        let (clock, y) = (self.work.clock, self.work.y);
        let v = self.variables(start);
        self.write(y, &v);
        for (variable, value) in clock.start(Start { dt: duration, h: duration.min(tau) * 1e-6, rtol, atol }) {
            self.write(variable, &[value]);
        }
        let mut points = vec![(0.0, start.clone())];
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(PsrError::Cancelled);
            }
            let (before, after, t, verdict) = self.run(|m, p, w| {
                let before = m.var(clock.steps);
                w.attempt(m, p, STEPS);
                (before, m.var(clock.steps), m.var(clock.t), m.var(clock.verdict))
            });
            if after > before {
                let v = self.read(y);
                points.push((t, self.state(&v)));
            }
            match verdict {
                0.0 => {}
                DONE => return Ok(points),
                _ => return Err(PsrError::Transient { t }),
            }
        }
    }
}
