//! The way to a steady state, over time.

use super::{PsrError, StirredReactor, StirredState};
use kinlane_plan::Machine;
use kinlane_solve::methods::control::too_small;
use kinlane_solve::methods::rosenbrock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Attempted steps at most.
const STEPS: usize = 1_000_000;

impl StirredReactor {
    /// Integrates over `duration` \[s\] from `start` at the residence time `tau` \[s\]; every accepted step with its time.
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
        let (method, clock, y) = (self.method, self.work.clock, self.work.y);
        let v = self.variables(start);
        self.write(y, &v);
        for (variable, value) in [
            (clock.t, 0.0),
            (clock.left, duration),
            (clock.h, duration.min(tau) * 1e-6),
            (clock.after_rejection, 0.0),
            (clock.rtol, rtol),
            (clock.atol, atol),
            (clock.steps, 0.0),
            (clock.rejected, 0.0),
            (clock.error, 0.0),
        ] {
            self.write(variable, &[value]);
        }
        let controller = rosenbrock::controller(method);
        let mut points = vec![(0.0, start.clone())];
        for _ in 0..STEPS {
            if stop.load(Ordering::Relaxed) {
                return Err(PsrError::Cancelled);
            }
            let (before, after, left, t, h) = self.run(|m, p, w| {
                let before = m.var(clock.steps);
                rosenbrock::attempt(m, p, method, controller, w);
                (before, m.var(clock.steps), m.var(clock.left), m.var(clock.t), m.var(clock.h))
            });
            if after > before {
                let v = self.read(y);
                points.push((t, self.state(&v)));
            }
            if left <= 0.0 {
                return Ok(points);
            }
            if !h.is_finite() || too_small(h, t, duration) {
                return Err(PsrError::Transient { t });
            }
        }
        let t = points.last().map_or(0.0, |p| p.0);
        Err(PsrError::Transient { t })
    }
}
