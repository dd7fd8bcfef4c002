//! Integration methods. One step function per family; a method is a table with its source.

pub mod control;
pub mod rosenbrock;
pub mod tableau;

use kinlane_plan::machine::{Array, Machine};

/// An initial value problem y' = f(y) with its linear algebra, as one machine sees it.
#[allow(clippy::len_without_is_empty, reason = "a problem without variables makes no sense")]
pub trait Problem<M: Machine>: Copy {
    /// Number of variables.
    fn len(&self) -> usize;
    /// f(y).
    fn rhs(&self, m: M, y: Array, f: Array);
    /// f(y), and J(y) kept for [`Problem::factor`].
    fn rhs_and_jacobian(&self, m: M, y: Array, f: Array);
    /// Factors d·I − J.
    fn factor(&self, m: M, d: M::R);
    /// Solves (d·I − J) x = b in place.
    fn solve(&self, m: M, b: Array);
    /// Size of the error `e` between `y` and `y1`, relative to atol + rtol max(|y|, |y1|): a step passes below one.
    /// `rtol` and `atol` are the cell's.
    fn norm(&self, m: M, y: Array, y1: Array, rtol: M::R, atol: M::R, e: impl Fn(M::I) -> M::R) -> M::R;
}
