//! Fraction of a warp's time in which its threads work, by Curtis's measure: the mean over warps of Σ dᵢ/(32
//! max dᵢ), where dᵢ is the work of thread i; one is best.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Threads that run in step.
pub const WARP: usize = 32;
/// Average number of cells per thread, where threads take cells from a queue.
const TURNS: usize = 16;

/// The measure for a batch, given the attempts of every cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Divergence {
    /// One cell per thread, in the order of the batch.
    pub in_order: f64,
    /// One cell per thread, sorted by their work, as if that were known beforehand.
    pub sorted: f64,
    /// Threads that take the next cell when one is finished.
    pub queue: f64,
}

/// Computes the measure from the attempts of the cells.
pub fn of(attempts: &[u32]) -> Divergence {
    let work: Vec<u64> = attempts.iter().map(|&a| u64::from(a)).collect();
    let mut sorted = work.clone();
    sorted.sort_unstable();
    let threads = (work.len() / TURNS).next_multiple_of(WARP).max(WARP);
    // The first thread that is free takes the next cell.
    let mut free: BinaryHeap<Reverse<(u64, usize)>> = (0..threads).map(|i| Reverse((0, i))).collect();
    for w in &work {
        if let Some(Reverse((done, i))) = free.pop() {
            free.push(Reverse((done + w, i)));
        }
    }
    let mut loads = vec![0; threads];
    for Reverse((done, i)) in free {
        if let Some(load) = loads.get_mut(i) {
            *load = done;
        }
    }
    Divergence { in_order: mean(&work), sorted: mean(&sorted), queue: mean(&loads) }
}

fn mean(work: &[u64]) -> f64 {
    let warps = work.chunks(WARP);
    let count = warps.len().max(1) as f64;
    let of = |w: &[u64]| {
        let most = w.iter().copied().max().unwrap_or(0);
        if most == 0 { 1.0 } else { w.iter().sum::<u64>() as f64 / (WARP as u64 * most) as f64 }
    };
    warps.map(of).sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_work_is_perfect_and_a_queue_evens_out_what_is_not() {
        let d = of(&[7; 1024]);
        assert_eq!((d.in_order, d.sorted, d.queue), (1.0, 1.0, 1.0));
        let uneven: Vec<u32> = (0..32_768u32).map(|i| 1 + i.wrapping_mul(2_654_435_761) % 60).collect();
        let d = of(&uneven);
        assert!(d.in_order < 0.6 && d.sorted > 0.95 && d.queue > 0.9, "{d:?}");
    }
}
