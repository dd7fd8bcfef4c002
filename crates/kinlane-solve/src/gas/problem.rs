//! A gas cell as a problem for the methods.

use super::{jacobian, reactor};
use crate::methods::Problem;
use crate::options::Reactor;
use kinlane_plan::lu;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::plan::Plan;

/// The error of a step is this part of the largest scaled error of any variable. The root mean square, which the field
/// uses, lets a hundred bystanders hide one species that is far off: at equal work this norm gives a three times
/// smaller error of the worst species (see `docs/decisions/0003-error-norm.md`). One fifth makes it as strict as the
/// root mean square over some fifty species of which a few matter.
const SHARE: f64 = 0.2;

/// What is kept of the absolute tolerance in a single step. Errors of trace species add up over steps, and nothing pulls
/// them back; a thirtieth in each keeps them near the tolerance at the end, and costs a tenth more steps.
const TRACE: f64 = 0.03;

/// No mass fraction may end a step below minus this and ten times the absolute tolerance.
const NEGATIVE: f64 = 1e-9;

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
        let (active, tolerance, fraction) = (self.plan.active, self.plan.tolerance, self.plan.fraction);
        let below = -(atol.mul_add(m.lit(10.0), m.lit(NEGATIVE)) * m.lit(SHARE)).recip();
        let worst = m.fold(
            m.i(0),
            m.i(active.len as usize),
            m.lit(0.0),
            #[inline(always)]
            |worst, i| {
                let k = m.index(active, i);
                let size = m.get(y, k).abs().max(m.get(y1, k).abs());
                let w = rtol.mul_add(size, m.real(tolerance, i) * atol * m.lit(TRACE));
                // What is far below zero is rejected: nothing would pull it back.
                let x = (e(k) / w).abs();
                let under = m.real(fraction, i) * m.get(y1, k) * below;
                let x = M::R::select(under.le(x), x, M::R::select(x.le(under), under, x));
                M::R::select(x.le(worst), worst, x) // a NaN is never lost
            },
        );
        worst * m.lit(SHARE)
    }
}
