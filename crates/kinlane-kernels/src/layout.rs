//! What goes to a device and comes back, as kernels and their host must agree on it.

use kinlane_plan::Plan;

/// Numbers of input per cell, beside mass fractions: T, p, electron temperature, heating, interval.
pub const HEAD_IN: usize = 5;
/// Numbers of output per cell, beside mass fractions: T, p, verdict, h, steps, rejected, rhs, jac, factor,
/// number of the method that ended the cell.
pub const HEAD_OUT: usize = 10;
/// Numbers at the head of a row of a log: cell, accepted steps, t, last step, time left, verdict, pressure or density.
pub const HEAD_LOG: usize = 7;

/// Whether all indices of a plan's tables fit in 16 bits. More of them are then in the cache at a time, and a kernel
/// reads indices as often as numbers.
pub fn short_indices(plan: &Plan) -> bool {
    plan.tables.indices.iter().all(|&i| u16::try_from(i).is_ok())
}
