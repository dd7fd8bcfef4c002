//! Data that all threads of an engine read.

use crate::factor::OnLanes;
use crate::worker::between::Within;
use kinlane_plan::plan::Plan;
use kinlane_plan::{Array, Machine};
use kinlane_solve::Options;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::{conserve, reactor};
use kinlane_solve::methods::Stepper;
use kinlane_solve::methods::auto::Apart;
use kinlane_solve::methods::problem::Linear;
use kinlane_solve::methods::track::Track;
use std::sync::Arc;

/// Data shared by all workers of an engine.
#[derive(Debug)]
pub struct Shared {
    /// The plan.
    pub plan: Arc<Plan>,
    /// The options.
    pub options: Options,
    /// The method and its arrays.
    pub stepper: Stepper,
    /// Both ends of the last step, where cells may be watched.
    pub track: Option<Track>,
    /// For states within steps, where cells may be watched.
    pub within: Option<Arc<Within>>,
    /// The result of [`Shared::scaled_errors`].
    pub errors: Array,
    /// Number of reals per cell in the arena.
    pub arena: usize,
}

impl Shared {
    /// The problem of a cell.
    pub(crate) fn gas(&self) -> Gas<'_> {
        Gas::new(&self.plan, self.options.reactor)
    }

    /// Runs every program once on the bounds-checked scalar machine. Which elements a program visits does not
    /// depend on data, so afterwards the unchecked lanes are known to stay inside their arenas.
    ///
    /// # Panics
    /// If a plan points outside its own tables, which would be a mistake in the lowering.
    pub fn rehearse(&self, apart: Option<&Apart>) {
        let mut arena = vec![1.0; self.arena];
        let m = kinlane_plan::Scalar::new(&self.plan.tables, &mut arena);
        // With the lanes' own factorisation.
        let gas = self.gas().solved_by(OnLanes);
        gas.rhs_and_jacobian(m, self.stepper.y, self.stepper.f);
        gas.factor(m, 1.0);
        gas.solve(m, self.stepper.f);
        self.stepper.attempt_alone(m, gas);
        reactor::production(m, &self.plan, self.options.reactor, self.stepper.y);
        reactor::both_ways(m, &self.plan, self.options.reactor, self.stepper.y);
        if !self.plan.given {
            for wanted in [true, false] {
                reactor::properties(m, &self.plan, self.options.reactor, self.stepper.y, self.stepper.f, wanted);
            }
            conserve::energy_and_slope(m, &self.plan, self.options.reactor, self.stepper.y, self.stepper.f);
        }
        self.scaled_errors(m);
        if let Some(apart) = apart {
            apart.tell(m, gas, &self.stepper);
            apart.once(m, gas, &self.stepper);
        }
        if let Some(track) = self.track {
            track.follow(m, gas, &self.stepper);
        }
    }
}

impl Shared {
    /// The error of the last attempt, for every active variable in units of what is allowed, into `errors`.
    #[inline(always)]
    pub(crate) fn scaled_errors<M: Machine>(&self, m: M) {
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
                        m.put(self.errors, i, gas.scaled(m, i, s.y1, rtol, atol, e));
                    },
                )
            },
        );
    }
}
