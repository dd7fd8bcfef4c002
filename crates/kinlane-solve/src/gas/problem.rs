//! A gas cell as a problem for the methods.

use super::{jacobian, reactor};
use crate::methods::Problem;
use crate::options::Reactor;
use kinlane_plan::lu;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::plan::Plan;

/// The equations of one reactor over one plan.
#[derive(Debug, Clone, Copy)]
pub struct Gas<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The equations.
    pub reactor: Reactor,
}

impl<M: Machine> Problem<M> for Gas<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.plan.species + 2
    }
    #[inline(always)]
    fn rhs(&self, m: M, y: Array, f: Array) {
        reactor::rhs(m, self.plan, self.reactor, y, f);
    }
    #[inline(always)]
    fn rhs_and_jacobian(&self, m: M, y: Array, f: Array) {
        jacobian::rhs_and_jacobian(m, self.plan, self.reactor, y, f);
    }
    #[inline(always)]
    fn factor(&self, m: M, d: M::R) {
        m.function(
            "factor",
            #[inline(always)]
            || m.factor(&self.plan.lu, self.plan.jacobian.values, d),
        );
    }
    #[inline(always)]
    fn solve(&self, m: M, b: Array) {
        m.function(
            "solve",
            #[inline(always)]
            || lu::solve(m, &self.plan.lu, b),
        );
    }
    #[inline(always)]
    fn norm(&self, m: M, y: Array, y1: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R {
        let (active, tolerance) = (self.plan.active, self.plan.tolerance);
        let count = active.len as usize;
        let sum = m.sum(
            count,
            #[inline(always)]
            |i| {
                let k = m.index(active, i);
                let w = rtol.mul_add(m.get(y, k).abs().max(m.get(y1, k).abs()), m.real(tolerance, i) * atol);
                (e(k) / w).squared()
            },
        );
        (sum * m.lit(1.0 / count as f64)).sqrt()
    }
}
