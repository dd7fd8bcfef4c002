//! Copies of cells between the caller's arrays and the memory from and to which a device copies. One thread
//! takes 30 ns per cell with 13 species, both ways together, and 90 ns with 53 species, which is more than a
//! card may take to advance the cell; so several threads share long copies.

use crate::supply::Part;
use kinlane_kernels::{COURSE, HEAD_OUT};
use kinlane_lanes::{Cells, Crew, PerMethod, Points};
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_plan::{Plan, Precision};
use kinlane_solve::gas::jacobian;
use kinlane_solve::gas::problem::TEMPERATURES;
use kinlane_solve::methods::control::DONE;
use kinlane_solve::{Cost, Outcome, Status, record};
use std::sync::{Mutex, PoisonError};

/// Part of its mass that a cell may lose or gain in reduced precision for the device's answer to be accepted.
const MASS_LOST: f64 = 1e-5;

/// Least amount of numbers per thread, which takes a tenth of a millisecond: to wake a thread and wait for it
/// takes a good part of that when the CPU is busy.
const WORTH: usize = 1 << 18;

/// A sequence of numbers.
#[derive(Clone, Copy)]
enum Column<'a> {
    /// The numbers of a slice.
    Of(&'a [f64]),
    /// One number, so many times.
    Same(f64, usize),
}

impl Column<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Of(x) => x.len(),
            Self::Same(_, n) => *n,
        }
    }
}

/// Number of threads for so many numbers.
fn hands(crew: &Crew, numbers: usize) -> usize {
    crew.threads().min(numbers / WORTH).max(1)
}

/// Concatenates columns, on the threads of a crew. Returns how many numbers that makes.
fn line_up(to: &mut [f64], columns: &[Column<'_>], crew: &mut Crew) -> usize {
    let all = columns.iter().map(Column::len).sum();
    let to = &mut to[..all];
    // Fills a slice with the numbers from `at` on.
    let fill = |mut to: &mut [f64], mut at: usize| {
        for column in columns {
            let skipped = at.min(column.len());
            let n = (column.len() - skipped).min(to.len());
            let (now, later) = to.split_at_mut(n);
            match column {
                Column::Of(x) => now.copy_from_slice(&x[skipped..skipped + n]),
                Column::Same(x, _) => now.fill(*x),
            }
            (to, at) = (later, at - skipped);
        }
    };
    let part = all.div_ceil(hands(crew, all)).max(1);
    crew.share(to.chunks_mut(part).enumerate(), |(i, to)| fill(to, i * part));
    all
}

/// Copies numbers.
pub fn copy(to: &mut [f64], from: &[f64], crew: &mut Crew) {
    line_up(to, &[Column::Of(from)], crew);
}

/// Jacobians in mass fractions, from the values in the plan's layout, on the threads of a crew.
pub fn jacobians(to: &mut [f64], plan: &Plan, values: &[f64], crew: &mut Crew) {
    let (entries, size) = (plan.jacobian.values.len as usize, (plan.species + 1) * (plan.species + 1));
    let part = (values.len() / entries).div_ceil(hands(crew, to.len())).max(1);
    crew.share(values.chunks(part * entries).zip(to.chunks_mut(part * size)), |(values, to)| {
        let cells = values.chunks_exact(entries).zip(to.chunks_exact_mut(size));
        cells.for_each(|(v, out)| jacobian::of_mass_fractions(plan, |i| v[i], out));
    });
}

/// Packs cells as `kernels/load.c` expects them. Returns how many numbers that makes.
pub fn pack(to: &mut [f64], c: &Cells<'_>, dt: f64, crew: &mut Crew) -> usize {
    use Column::{Of, Same};
    let n = c.temperature.len();
    let (electron, heating) =
        (c.electron_temperature.map_or(Same(NO_ELECTRON_T, n), Of), c.source.map_or(Same(0.0, n), |s| Of(s.heating)));
    let interval = c.intervals.map_or(Same(dt, n), Of);
    let dydt = c.source.map_or(Same(0.0, 0), |s| Of(s.dydt));
    let constants = c.constants.map_or(Same(0.0, 0), Of);
    line_up(to, &[Of(c.temperature), Of(c.pressure), electron, heating, interval, Of(c.y), dydt, constants], crew)
}

/// The same for points.
pub fn pack_points(to: &mut [f64], at: Points<'_>, crew: &mut Crew) -> usize {
    use Column::{Of, Same};
    let n = at.temperature.len();
    let electron = at.electron_temperature.map_or(Same(NO_ELECTRON_T, n), Of);
    let constants = at.constants.map_or(Same(0.0, 0), Of);
    let [heating, interval] = [Same(0.0, n); 2];
    line_up(to, &[Of(at.temperature), Of(at.pressure), electron, heating, interval, Of(at.y), constants], crew)
}

/// Packs the records of cells as `kernels/record.c` expects them, with as much in them as is of use. Returns how many
/// numbers that makes.
pub fn pack_records(to: &mut [f64], part: &Part<'_>, crew: &mut Crew) -> usize {
    let (c, n) = (&part.cells, part.len());
    let (k, width) = (c.y.len() / n, part.records.len() / n);
    let acted_on = c.acted_on();
    let to = &mut to[..n * (width + COURSE)];
    let share = n.div_ceil(hands(crew, to.len())).max(1);
    let parts = to.chunks_mut(share * (width + COURSE)).enumerate();
    crew.share(parts, |(i, to)| {
        for (cell, to) in (i * share..).zip(to.chunks_exact_mut(width + COURSE)) {
            let from = &part.records[cell * width..][..width];
            let state = [c.temperature[cell], c.pressure[cell]].into_iter().chain(c.y[cell * k..][..k].iter().copied());
            to[..width].copy_from_slice(from);
            to[record::KNOWN] = record::of_use(from, state, acted_on);
        }
    });
    n * (width + COURSE)
}

/// The place of the verdict among what the output has of every cell: behind T and p.
pub const VERDICT: usize = 2;

/// Takes the records of cells that arrived.
pub fn land_records(part: &mut Part<'_>, from: &[f64], crew: &mut Crew) {
    let n = part.len();
    let width = part.records.len() / n;
    let acted_on = part.cells.acted_on();
    let share = n.div_ceil(hands(crew, from.len())).max(1);
    let outcome = part.cells.outcome.chunks(share);
    let parts = part.records.chunks_mut(share * width).zip(from.chunks(share * (width + COURSE))).zip(outcome);
    crew.share(parts, |((to, from), outcome)| {
        let cells = to.chunks_exact_mut(width).zip(from.chunks_exact(width + COURSE)).zip(outcome);
        for ((to, from), _) in cells.filter(|(_, outcome)| outcome.status == Status::Done) {
            to.copy_from_slice(&from[..width]);
            to[record::KNOWN] = record::to_keep(to[record::KNOWN], acted_on);
        }
    });
}

/// How many cells arrived, in total and with each method.
#[derive(Default)]
pub struct Arrived {
    pub all: usize,
    pub by: PerMethod<usize>,
}

impl Arrived {
    fn add(&mut self, more: &Self) {
        self.all += more.all;
        self.by.iter_mut().zip(more.by).for_each(|(a, b)| *a += b);
    }
}

/// The output of a device for cells with `k` species that were advanced by `dt`, or by intervals of their own.
pub struct Landing<'a> {
    pub from: &'a [f64],
    pub k: usize,
    pub dt: f64,
    pub precision: Precision,
}

impl Landing<'_> {
    /// Writes back the cells that arrived.
    pub fn land(&self, c: Cells<'_>, crew: &mut Crew) -> Arrived {
        let (n, k) = (c.temperature.len(), self.k);
        let part = n.div_ceil(hands(crew, n * (k + HEAD_OUT))).max(1);
        let parts = c
            .temperature
            .chunks_mut(part)
            .zip(c.pressure.chunks_mut(part))
            .zip(c.y.chunks_mut(part * k))
            .zip(c.outcome.chunks_mut(part))
            .enumerate();
        let acting = (c.source.map(|s| s.dydt), c.intervals);
        let arrived = Mutex::new(Arrived::default());
        crew.share(parts, |(i, (((t, p), y), outcome))| {
            let more = self.part(n, i * part, [t, p, y], acting, outcome);
            arrived.lock().unwrap_or_else(PoisonError::into_inner).add(&more);
        });
        arrived.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same for `n` cells from number `lo` on.
    fn part(
        &self,
        n: usize,
        lo: usize,
        [t, p, y]: [&mut [f64]; 3],
        (dydt, intervals): (Option<&[f64]>, Option<&[f64]>),
        outcome: &mut [Outcome],
    ) -> Arrived {
        let k = self.k;
        let (head, fractions) = self.from.split_at(HEAD_OUT * n);
        let column = |i: usize| &head[i * n + lo..][..t.len()];
        let [temperature, pressure, verdict, h, steps, rejected, rhs, jac, factor, by] = std::array::from_fn(column);
        let mut arrived = Arrived::default();
        for i in (0..t.len()).filter(|&i| verdict[i] == DONE) {
            // Cells for which no rate law holds are left to the CPU, which does not change them, whatever a
            // kernel has made of them.
            if !TEMPERATURES.contains(&t[i]) {
                continue;
            }
            let dt = intervals.map_or(self.dt, |all| all[lo + i]);
            let (before, after) = (&mut y[i * k..(i + 1) * k], &fractions[(lo + i) * k..(lo + i + 1) * k]);
            if self.precision == Precision::F64 {
                before.copy_from_slice(after);
            } else {
                // Factors in single precision lose mass: a small loss is restored; with a larger one the cell
                // is left to the CPU.
                let brought = dydt.map_or(0.0, |d| d[(lo + i) * k..(lo + i + 1) * k].iter().sum::<f64>() * dt);
                let scale = (before.iter().sum::<f64>() + brought) / after.iter().sum::<f64>();
                if !(1.0 - MASS_LOST..=1.0 + MASS_LOST).contains(&scale) {
                    continue;
                }
                before.iter_mut().zip(after).for_each(|(y, after)| *y = after * scale);
            }
            (t[i], p[i]) = (temperature[i], pressure[i]);
            let cost = Cost::of([steps, rejected, rhs, jac, factor].map(|x| x[i]));
            outcome[i] = Outcome { status: Status::Done, cost, t: dt, h: h[i], worst: 0 };
            arrived.all += 1;
            if let Some(count) = arrived.by.get_mut(by[i] as usize) {
                *count += 1;
            }
        }
        arrived
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinlane_lanes::{Layout, Source};
    use std::time::Instant;

    /// A temperature at which rate laws hold.
    fn temperature(cell: usize) -> f64 {
        300.25 + (cell % 1000) as f64
    }

    /// Cells with `k` species, with different numbers everywhere.
    struct Gas {
        t: Vec<f64>,
        p: Vec<f64>,
        y: Vec<f64>,
        outcome: Vec<Outcome>,
    }

    impl Gas {
        fn new(n: usize, k: usize) -> Self {
            let numbers = |n: usize, from: f64| (0..n).map(|i| from + i as f64).collect::<Vec<_>>();
            Self {
                t: (0..n).map(temperature).collect(),
                p: numbers(n, 0.5),
                y: numbers(n * k, 0.75),
                outcome: vec![Outcome { status: Status::Cancelled, ..Outcome::default() }; n],
            }
        }

        fn cells(&mut self) -> Cells<'_> {
            Cells::new(&mut self.t, &mut self.p, &mut self.y, Layout::CellMajor, &mut self.outcome)
        }
    }

    #[test]
    fn as_many_threads_as_there_are_copy_the_same() {
        for (n, k) in [(1, 3), (100_001, 3), (13_000, 50)] {
            let mut gas = Gas::new(n, k);
            let (dydt, heating) = (vec![2.0; n * k], vec![3.0; n]);
            for source in [None, Some(Source { dydt: &dydt, heating: &heating })] {
                let mut cells = gas.cells();
                cells.source = source;
                let still = vec![0.0; n];
                let mut want = [&*cells.temperature, &*cells.pressure, &vec![-1.0; n]].concat();
                want.extend(source.map_or(&still[..], |s| s.heating));
                // With sources, cells also have intervals of their own.
                cells.intervals = source.map(|s| s.heating);
                want.extend(cells.intervals.map_or(vec![7.0; n], <[f64]>::to_vec).iter().chain(&*cells.y));
                want.extend(source.map_or(&[][..], |s| s.dydt));
                for threads in [1_usize, 2, 5] {
                    let mut to = vec![f64::NAN; want.len() + 1];
                    assert_eq!(pack(&mut to, &cells, 7.0, &mut Crew::new(threads - 1)), want.len());
                    assert!(to[..want.len()] == want && to[want.len()].is_nan(), "{n}, {k}, {threads}");
                }
            }
            // Every third cell has not arrived.
            let from: Vec<f64> = (0..n * (HEAD_OUT + k))
                .map(|i| match i / n {
                    2 if i % 3 == 0 => 0.0,
                    2 => DONE,
                    9 => f64::from(u8::from(i % 2 == 0)),
                    _ => i as f64,
                })
                .collect();
            let landed = |threads: usize| {
                let mut gas = Gas::new(n, k);
                let arrived = Landing { from: &from, k, dt: 1.0, precision: Precision::F64 }
                    .land(gas.cells(), &mut Crew::new(threads - 1));
                (gas.t, gas.p, gas.y, gas.outcome, arrived.all, arrived.by)
            };
            let one = landed(1);
            let come = |i: usize| !(2 * n + i).is_multiple_of(3);
            assert_eq!(one.4, (0..n).filter(|&i| come(i)).count());
            assert_eq!(one.5[0] + one.5[1], one.4);
            for i in 0..n {
                let (t, y) = if come(i) {
                    (i as f64, (HEAD_OUT * n + i * k) as f64)
                } else {
                    (temperature(i), 0.75 + (i * k) as f64)
                };
                assert_eq!((one.0[i], one.2[i * k], one.3[i].status == Status::Done), (t, y, come(i)), "{i}");
            }
            assert!([2, 5].into_iter().all(|threads| landed(threads) == one), "{n}, {k}");
        }
    }

    /// Prints nanoseconds per cell.
    #[test]
    #[ignore = "a measurement"]
    fn how_long_copies_take() {
        for (n, k) in [(200_000, 13), (100_000, 53), (10_000, 53)] {
            let mut gas = Gas::new(n, k);
            let mut to = vec![0.0; n * (4 + k)];
            let mut from = vec![1.0; n * (HEAD_OUT + k)];
            from[2 * n..3 * n].fill(DONE);
            for threads in [1, 2] {
                let mut crew = Crew::new(threads - 1);
                let best = |f: &mut dyn FnMut()| {
                    let once = |f: &mut dyn FnMut()| {
                        let start = Instant::now();
                        f();
                        start.elapsed().as_secs_f64()
                    };
                    (0..20).map(|_| once(f)).fold(f64::INFINITY, f64::min) * 1e9 / n as f64
                };
                let there = best(&mut || assert!(pack(&mut to, &gas.cells(), 7.0, &mut crew) > 0));
                let landing = Landing { from: &from, k, dt: 1.0, precision: Precision::F64 };
                let back = best(&mut || assert_eq!(landing.land(gas.cells(), &mut crew).all, n));
                println!("{n} cells of {k} species, {threads} threads: {there:.1} ns there, {back:.1} ns back");
            }
        }
    }
}
