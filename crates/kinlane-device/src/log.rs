//! What a device has logged of watched cells, read on the host: see `kernels/log.c`.

use crate::supply::Part;
use kinlane_solve::Reactor;
use kinlane_solve::watch::{Noted, Sought, Step};

/// Numbers at the head of a row: cell, accepted steps, t, last step, what is left, verdict, pressure or density.
pub const HEAD: usize = 7;

/// What every worker of a queue has logged so far.
pub struct Log {
    rows: usize,
    species: usize,
    /// The last row of every worker.
    last: Vec<f64>,
    noted: Vec<Noted>,
    /// Cells that have come to an end.
    pub ended: usize,
}

/// Numbers of a row: behind its head the state and its rate.
fn row(species: usize) -> usize {
    HEAD + 2 * (species + 2)
}

impl Log {
    /// Bytes of a worker's log.
    pub fn bytes(rows: usize, species: usize) -> usize {
        8 * (1 + rows * row(species))
    }

    /// Of `workers` workers that have logged nothing, for so many events.
    pub fn new(workers: usize, rows: usize, species: usize, events: usize) -> Self {
        let (last, noted) = (vec![0.0; workers * row(species)], vec![Noted::new(events); workers]);
        Self { rows, species, last, noted, ended: 0 }
    }

    /// Reads what is new.
    pub fn read(&mut self, log: &[f64], sought: &Sought<'_>, dt: f64, reactor: Reactor, to: &mut Part<'_>) {
        let (n, width) = (self.species, row(self.species));
        let workers = log.chunks_exact(1 + self.rows * width);
        for ((log, last), noted) in workers.zip(self.last.chunks_exact_mut(width)).zip(&mut self.noted) {
            for row in log[1..].chunks_exact(width).take(log[0] as usize) {
                let &[cell, steps, t, h, left, verdict, parameter] = row.first_chunk::<HEAD>().unwrap_or(&[0.0; HEAD]);
                let cell = cell as usize;
                if cell >= to.len() {
                    continue; // no cell of this batch: the device is at fault, and its cells do not arrive
                }
                if steps == 0.0 && verdict == 0.0 {
                    noted.enter(to.answers(cell));
                }
                let state = |row: &[f64], i: usize| row[HEAD + i];
                let rate = |row: &[f64], i: usize| row[HEAD + n + 2 + i];
                let step = Step {
                    t: t - h,
                    h,
                    y0: &|i| state(last, i),
                    f0: &|i| rate(last, i),
                    y1: &|i| state(row, i),
                    f1: &|i| rate(row, i),
                    species: n,
                    parameter,
                    imposed: None,
                    reactor,
                };
                let end = if left == 0.0 { dt } else { step.t + step.h };
                noted.look(sought, &step, steps, end, to.answers(cell));
                last.copy_from_slice(row);
                self.ended += usize::from(verdict != 0.0);
            }
        }
    }
}
