//! For any method: both ends of a cell's last accepted step, with the rates there. Events are searched for by
//! means of them, and states within a step are computed from its start.

use super::control::Mask;
use super::{Problem, Stepper};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// Both ends of the last accepted step.
#[derive(Debug, Clone, Copy)]
pub struct Track {
    /// State at its start.
    pub y0: Array,
    /// dy/dt there.
    pub f0: Array,
    /// State at its end.
    pub y1: Array,
    /// dy/dt there.
    pub f1: Array,
    /// Number of accepted steps when the ends were recorded; −1 for a cell that has just entered.
    pub seen: Array,
    work: Array,
}

impl Track {
    /// Lays out the arrays.
    pub fn new(l: &mut Layout, n: usize) -> Self {
        Self { y0: l.array(n), f0: l.array(n), y1: l.array(n), f1: l.array(n), seen: l.var(), work: l.array(n) }
    }

    /// Records the ends of a step that was accepted since the last call; for a cell that has just entered,
    /// its entry state. To be called after a cell has entered and after every attempt.
    #[inline(always)]
    pub fn follow<M: Machine, P: Problem<M>>(&self, m: M, p: P, s: &Stepper) {
        let steps = m.var(s.clock.steps);
        let moved = m.var(self.seen).lt(steps);
        let p = p.admit_negative(m, m.var(s.clock.atol), s.method.iterates());
        m.if_any(
            moved,
            #[inline(always)]
            || {
                p.rhs(m, s.y, self.work);
                m.function(
                    "follow",
                    #[inline(always)]
                    || self.shift(m, p.len(), s.y, moved),
                );
            },
        );
        m.set(self.seen, steps);
    }

    #[inline(always)]
    fn shift<M: Machine>(&self, m: M, n: usize, y: Array, moved: Mask<M>) {
        m.all(
            n,
            #[inline(always)]
            |i| {
                for (new, end, start) in [(y, self.y1, self.y0), (self.work, self.f1, self.f0)] {
                    let last = m.get(end, i);
                    m.put(start, i, M::R::select(moved, last, m.get(start, i)));
                    m.put(end, i, M::R::select(moved, m.get(new, i), last));
                }
            },
        );
    }
}
