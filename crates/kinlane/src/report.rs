//! The cost and the success of a call.

use crate::{Cost, Outcome};
use arrayvec::ArrayVec;
use kinlane_lanes::Totals;
use kinlane_plan::Precision;
use std::borrow::Cow;
use std::sync::Arc;

/// Summary of one call, for printing or serialisation. How each cell ended is in the `outcome` slice of the
/// batch.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Report {
    /// Cells in the batch.
    pub cells: usize,
    /// Cells that did not reach the end.
    pub failed: usize,
    /// Wall time of the integration alone \[s\].
    pub seconds: f64,
    /// CPU time of the integrating threads \[s\].
    pub cpu_seconds: f64,
    /// Accepted steps, summed over the cells; likewise the counts below.
    pub steps: u64,
    /// Rejected attempts.
    pub rejected: u64,
    /// Evaluations of the right-hand side.
    pub rhs: u64,
    /// Evaluations of the Jacobian.
    pub jac: u64,
    /// Factorisations.
    pub factor: u64,
    /// What did the work: `cpu`, or devices such as `opencl:0`, joined by `+`.
    pub device: Arc<str>,
    /// Why the CPU did the work although `auto` or a device was asked for.
    pub fallback: Option<Arc<str>>,
    /// Precision in which devices computed; `f64` on the CPU.
    #[cfg_attr(feature = "serde", serde(default = "f64_name"))]
    pub precision: Cow<'static, str>,
    /// Cells that an upper rung of the failure ladder finished: another method, or the same with a factorisation that
    /// pivots. Of a batch on devices, also those that the CPU finished for them, in f64.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rescued: usize,
    /// Integrating threads.
    pub threads: usize,
    /// Instruction set and number of cells side by side.
    pub lanes: Arc<str>,
    /// The integration method.
    pub method: Arc<str>,
    /// For `auto`: how many cells ended with which method.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "ArrayVec::is_empty"))]
    pub chosen: ArrayVec<Chosen, 4>,
    /// Accepted steps per cell.
    pub steps_per_cell: Quantiles,
    /// Size of the caller's buffers per cell \[bytes\].
    pub bytes_per_cell: usize,
    /// Workspace per thread \[bytes\].
    pub bytes_per_thread: usize,
}

impl Report {
    /// Adds what another call has cost: times and counts, for what several calls have cost together.
    pub fn add_cost(&mut self, o: &Self) {
        self.seconds += o.seconds;
        self.cpu_seconds += o.cpu_seconds;
        self.steps += o.steps;
        self.rejected += o.rejected;
        self.rhs += o.rhs;
        self.jac += o.jac;
        self.factor += o.factor;
    }

    /// A report with everything that the work itself tells; who did it, and with what, is still to be said.
    pub(crate) fn of(totals: &Totals, outcomes: &[Outcome], seconds: f64) -> Self {
        let Cost { steps, rejected, rhs, jac, factor } = totals.cost;
        Self {
            cells: outcomes.len(),
            failed: totals.failed,
            seconds,
            cpu_seconds: totals.cpu_seconds,
            steps,
            rejected,
            rhs,
            jac,
            factor,
            device: Arc::default(),
            fallback: None,
            precision: Cow::Borrowed(Precision::F64.name()),
            rescued: totals.rescued,
            threads: 0,
            lanes: Arc::default(),
            method: Arc::default(),
            chosen: ArrayVec::new(),
            steps_per_cell: Quantiles::of_steps(outcomes),
            bytes_per_cell: 0,
            bytes_per_thread: 0,
        }
    }
}

/// That of no cells, to which others are added.
impl Default for Report {
    fn default() -> Self {
        Self::of(&Totals::default(), &[], 0.0)
    }
}

/// The precision in reports that do not say it.
#[cfg(feature = "serde")]
fn f64_name() -> Cow<'static, str> {
    Cow::Borrowed(Precision::F64.name())
}

/// Cells of a batch that ended with one method.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Chosen {
    /// The method.
    pub method: Arc<str>,
    /// How many cells.
    pub cells: usize,
}

/// Quantiles of a count over the cells, each a count that occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "the names say it")]
#[non_exhaustive]
pub struct Quantiles {
    pub min: u32,
    pub p10: u32,
    pub median: u32,
    pub p90: u32,
    pub p99: u32,
    pub max: u32,
}

/// Number of classes of the histogram by which quantiles are found.
const CLASSES: usize = 1024;

impl Quantiles {
    /// Quantiles of the accepted steps, exactly and without allocation: a histogram narrows the range until a
    /// single count remains.
    fn of_steps(outcomes: &[Outcome]) -> Self {
        let (Some(min), Some(max)) =
            (outcomes.iter().map(|o| o.cost.steps).min(), outcomes.iter().map(|o| o.cost.steps).max())
        else {
            return Self::default();
        };
        Self::by_rank(outcomes.len(), |rank| quantile(outcomes, min, max, rank))
    }

    /// Those of `n` counts, given the count of each rank, from 0.
    #[doc(hidden)]
    pub fn by_rank(n: usize, count: impl Fn(usize) -> u32) -> Self {
        let at = |q: f64| count((n.saturating_sub(1) as f64 * q).round() as usize);
        Self { min: at(0.0), p10: at(0.1), median: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1.0) }
    }
}

/// The count of rank `rank`, from 0, among counts within `low..=high`.
fn quantile(outcomes: &[Outcome], mut low: u32, mut high: u32, mut rank: usize) -> u32 {
    while low < high {
        let width = (high - low) / CLASSES as u32 + 1;
        let mut counts = [0usize; CLASSES];
        for steps in outcomes.iter().map(|o| o.cost.steps).filter(|s| (low..=high).contains(s)) {
            if let Some(c) = counts.get_mut(((steps - low) / width) as usize) {
                *c += 1;
            }
        }
        let mut class = 0u32;
        for c in counts {
            if rank < c {
                break;
            }
            rank -= c;
            class += 1;
        }
        low = low.saturating_add(class.saturating_mul(width)).min(high);
        high = low.saturating_add(width - 1).min(high);
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_sorting() {
        let mut x = 12345u32;
        for (n, span) in [(1usize, 5u32), (7, 3), (1000, 100_000), (4099, 2000), (50, u32::MAX)] {
            let outcomes: Vec<Outcome> = (0..n)
                .map(|_| {
                    x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let mut o = Outcome::default();
                    o.cost.steps = x % span;
                    o
                })
                .collect();
            let mut sorted: Vec<u32> = outcomes.iter().map(|o| o.cost.steps).collect();
            sorted.sort_unstable();
            let at = |q: f64| sorted[((n - 1) as f64 * q).round() as usize];
            let q = Quantiles::of_steps(&outcomes);
            assert_eq!(
                (q.min, q.p10, q.median, q.p90, q.p99, q.max),
                (sorted[0], at(0.1), at(0.5), at(0.9), at(0.99), sorted[n - 1])
            );
        }
        assert_eq!(Quantiles::of_steps(&[]), Quantiles::default());
    }

    #[test]
    fn costs_add_up() {
        let of = |i: u64| Report {
            cells: 5,
            failed: 1,
            seconds: i as f64,
            cpu_seconds: 2.0 * i as f64,
            steps: 3 * i,
            rejected: 4 * i,
            rhs: 5 * i,
            jac: 6 * i,
            factor: 7 * i,
            ..Report::default()
        };
        let mut sum = of(1);
        sum.add_cost(&of(10));
        assert_eq!(sum, of(11));
    }
}
