//! A worker's part in watching cells: which of their steps have been looked at.

use crate::machine::Lanes;
use crate::simd::Register;
use crate::worker::{Shared, Wide};
use kinlane_solve::methods::track::Track;
use kinlane_solve::watch::{Event, Seen, Step, Watch, look};

/// A [`Watch`] as pointers that threads may share.
#[derive(Clone, Copy)]
pub struct Notes<'a> {
    times: &'a [f64],
    events: &'a [Event],
    series: *mut f64,
    found: *mut f64,
}

impl<'a> Notes<'a> {
    /// A view of a checked watch.
    pub fn new(w: &'a mut Watch<'_>) -> Self {
        Self { times: w.times, events: w.events, series: w.series.as_mut_ptr(), found: w.found.as_mut_ptr() }
    }
}

/// What a worker remembers of the cells in its lanes.
#[derive(Debug, Default)]
pub struct Noted {
    /// Steps looked at, by lane.
    steps: Vec<f64>,
    /// Times noted, by lane.
    times: Vec<usize>,
    /// \[lane, event\].
    seen: Vec<Seen>,
}

impl Noted {
    /// For `lanes` lanes.
    pub fn new(lanes: usize, notes: &Notes<'_>) -> Self {
        Self { steps: vec![0.0; lanes], times: vec![0; lanes], seen: vec![Seen::NOTHING; lanes * notes.events.len()] }
    }
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// A cell has entered a lane.
    pub(crate) fn note_entry(&mut self, s: &Shared, track: &Track, n: &Notes<'_>, noted: &mut Noted, lane: usize) {
        let events = n.events.len();
        noted.steps[lane] = 0.0;
        noted.times[lane] = 0;
        noted.seen[lane * events..(lane + 1) * events].fill(Seen::NOTHING);
        self.set(track.seen, 0, lane, -1.0);
        let (cell, width) = (self.cell(lane), s.plan.species + 2);
        // SAFETY: the engine has checked that both hold all cells, and this cell is this worker's own.
        unsafe {
            let row = n.times.len() * width;
            std::slice::from_raw_parts_mut(n.series.add(cell * row), row).fill(f64::NAN);
            std::slice::from_raw_parts_mut(n.found.add(cell * events), events).fill(f64::NAN);
        }
    }

    /// Takes the ends of steps; then looks at those that are new.
    pub(crate) fn note(&mut self, s: &Shared, track: &Track, n: &Notes<'_>, noted: &mut Noted, dt: f64) {
        // SAFETY: as in `Worker::run`.
        unsafe {
            let m = Lanes::new(&s.plan.tables, &mut self.arena);
            V::call(
                #[inline(always)]
                || track.follow(m, s.gas(), &s.stepper),
            );
        }
        let (c, w) = (s.stepper.clock, &s.plan.molar_mass);
        for lane in 0..Self::W {
            if !self.busy(lane) {
                continue;
            }
            let steps = self.get(c.steps, 0, lane);
            let step = Step {
                t: self.get(c.t, 0, lane) - self.get(c.tried, 0, lane),
                h: self.get(c.tried, 0, lane),
                y0: &|i| self.get(track.y0, i, lane),
                f0: &|i| self.get(track.f0, i, lane),
                y1: &|i| self.get(track.y1, i, lane),
                f1: &|i| self.get(track.f1, i, lane),
                species: s.plan.species,
                parameter: self.get(s.plan.cell.parameter, 0, lane),
                imposed: s.plan.imposed(),
                reactor: s.options.reactor,
            };
            let cell = self.cell(lane);
            let width = s.plan.species + 2;
            let write = |index: usize, x: f64| {
                // SAFETY: as in `note_entry`.
                let out = unsafe {
                    std::slice::from_raw_parts_mut(n.series.add((cell * n.times.len() + index) * width), width)
                };
                step.write(x, w, out);
            };
            let next = &mut noted.times[lane];
            if steps == 0.0 {
                while n.times.get(*next).is_some_and(|&t| t <= 0.0) {
                    write(*next, 1.0);
                    *next += 1;
                }
            }
            if steps <= noted.steps[lane] {
                continue;
            }
            noted.steps[lane] = steps;
            // What rounding leaves between the last step and the end is not waited for.
            let done = self.get(c.left, 0, lane) == 0.0 && !self.ride(lane).more;
            let end = if done { dt } else { step.t + step.h };
            while let Some(&t) = n.times.get(*next).filter(|&&t| t <= end) {
                write(*next, ((t - step.t) / step.h).clamp(0.0, 1.0));
                *next += 1;
            }
            let events = n.events.len();
            for (i, e) in n.events.iter().enumerate() {
                // SAFETY: as in `note_entry`.
                let found = unsafe { &mut *n.found.add(cell * events + i) };
                look(e, &step, w, &mut noted.seen[lane * events + i], found);
            }
        }
    }
}
