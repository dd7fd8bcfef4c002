//! What a device has logged of watched cells, read on the host; see `around/log.c` of `kinlane-kernels`.

use crate::supply::Part;
use kinlane_kernels::HEAD_LOG;
use kinlane_solve::Reactor;
use kinlane_solve::watch::{LEEWAY, Noted, Sought, Step};

/// Computes states of a cell, with its pressure or density, at times \[s\] after a given state: see
/// [`Between`](kinlane_lanes::Between).
pub type After<'a> = dyn Fn(usize, f64, &dyn Fn(usize) -> f64, &[f64], &mut [f64]) + 'a;

/// What all workers of a queue have logged so far.
pub struct Log {
    rows: usize,
    species: usize,
    /// The last row of every worker.
    last: Vec<f64>,
    noted: Vec<Noted>,
    /// Number of cells that have ended.
    pub ended: usize,
}

/// Numbers per row: its head, the state and its rate.
fn row(species: usize) -> usize {
    HEAD_LOG + 2 * (species + 2)
}

impl Log {
    /// Size of a worker's log \[bytes\].
    pub fn bytes(rows: usize, species: usize) -> usize {
        8 * (1 + rows * row(species))
    }

    /// An empty log for `workers` workers and so many events.
    pub fn new(workers: usize, rows: usize, species: usize, events: usize) -> Self {
        let (last, noted) = (vec![0.0; workers * row(species)], vec![Noted::new(events, species + 2); workers]);
        Self { rows, species, last, noted, ended: 0 }
    }

    /// Reads what is new from the workers that were started; the others still hold what they logged of an
    /// earlier part of the batch.
    pub fn read(
        &mut self,
        log: &[f64],
        started: usize,
        sought: &Sought<'_>,
        reactor: Reactor,
        after: &After<'_>,
        to: &mut Part<'_>,
    ) {
        let (n, width) = (self.species, row(self.species));
        let workers = log.chunks_exact(1 + self.rows * width).take(started);
        for ((log, last), noted) in workers.zip(self.last.chunks_exact_mut(width)).zip(&mut self.noted) {
            for row in log[1..].chunks_exact(width).take(log[0] as usize) {
                let &[cell, steps, t, h, left, verdict, parameter] =
                    row.first_chunk::<HEAD_LOG>().unwrap_or(&[0.0; HEAD_LOG]);
                let cell = cell as usize;
                if cell >= to.len() {
                    continue; // not a cell of this batch: the device is at fault, and its cells do not arrive
                }
                if steps == 0.0 && verdict == 0.0 {
                    noted.enter(to.answers(cell));
                }
                let state = |row: &[f64], i: usize| row[HEAD_LOG + i];
                let rate = |row: &[f64], i: usize| row[HEAD_LOG + n + 2 + i];
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
                    between: &|times, to| after(cell, parameter, &|i| state(last, i), times, to),
                };
                let end = (step.t + step.h) * if left == 0.0 { LEEWAY } else { 1.0 };
                noted.look(sought, &step, steps, end, to.answers(cell));
                last.copy_from_slice(row);
                self.ended += usize::from(verdict != 0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinlane_lanes::{Cells, Layout};
    use kinlane_solve::watch::{Event, Happening, Quantity};
    use kinlane_solve::{Outcome, Status};

    /// A row of a cell that has advanced by 1 s.
    fn ended(cell: f64, temperature: f64) -> Vec<f64> {
        let mut row = vec![cell, 1.0, 1.0, 1.0, 0.0, -1.0, 1e5];
        row.extend([0.1, temperature, 0.1, 0.0, 0.0, 0.0]);
        row
    }

    #[test]
    fn rows_of_workers_that_were_not_started_and_of_other_cells_are_not_read() {
        let events = [Event { quantity: Quantity::Temperature, happening: Happening::Maximum }];
        let times = [1.0];
        let sought = Sought { times: &times, events: &events, molar_mass: &[0.03], rtol: 1e-6, atol: 1e-12, own: &[] };
        let (mut t, mut p, mut y, mut outcome) = ([300.0; 1], [1e5; 1], [1.0; 1], [Outcome::default(); 1]);
        let (mut series, mut found) = (vec![f64::NAN; 3], vec![f64::NAN; 1]);
        let cells = Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome);
        let mut part = Part { series: &mut series, found: &mut found, ..Part::new(cells) };
        // What the second worker has logged belongs to the part before; a row for a cell that does not exist
        // does not count, either.
        let log = |first: &[f64]| [&[1.0], first, &[1.0], &ended(0.0, 999.0)].concat();
        let mut of = Log::new(2, 1, 1, 1);
        let mut read = |log: &[f64], part: &mut Part<'_>| {
            of.read(log, 1, &sought, Reactor::ConstP, &|_, _, _, _, to| to.fill(f64::NAN), part);
            of.ended
        };
        assert_eq!(read(&log(&ended(7.0, 888.0)), &mut part), 0);
        assert_eq!(read(&log(&ended(0.0, 1500.0)), &mut part), 1);
        assert_eq!(part.series[0], 1500.0, "{:?}", part.series);
        assert_eq!(part.cells.outcome[0].status, Status::default());
    }
}
