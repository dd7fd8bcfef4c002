//! A worker's part in watching cells: it passes each new step on for recording.

use super::between::{Between, Origin, Put, acting};
use super::wide::Wide;
use crate::batch::Batch;
use crate::shared::Shared;
use crate::simd::Register;
use kinlane_solve::Options;
use kinlane_solve::methods::track::Track;
use kinlane_solve::watch::{Answers, Event, LEEWAY, Noted, Sought, Step, Watch};
use std::cell::RefCell;

/// A [`Watch`] as pointers that threads may share.
#[derive(Clone, Copy)]
pub struct Notes<'a> {
    times: &'a [f64],
    events: &'a [Event],
    series: *mut f64,
    found: *mut f64,
}

impl<'a> Notes<'a> {
    /// A view of a watch that was checked.
    pub fn new(w: &'a mut Watch<'_>) -> Self {
        Self { times: w.times, events: w.events, series: w.series.as_mut_ptr(), found: w.found.as_mut_ptr() }
    }

    /// Initial records for `lanes` lanes, in a gas of so many variables.
    pub fn noted(&self, lanes: usize, variables: usize) -> Vec<Noted> {
        vec![Noted::new(self.events.len(), variables); lanes]
    }

    /// Where the results for a cell go.
    ///
    /// # Safety
    /// The cell must be one of the batch, and this worker's own.
    unsafe fn answers(&self, cell: usize, species: usize) -> Answers<'a> {
        let (row, events) = (self.times.len() * (species + 2), self.events.len());
        // SAFETY: the engine has checked that both arrays hold all cells; no other worker has this one.
        unsafe {
            Answers {
                series: std::slice::from_raw_parts_mut(self.series.add(cell * row), row),
                found: std::slice::from_raw_parts_mut(self.found.add(cell * events), events),
            }
        }
    }
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// Empty records for the cells in the lanes, if the batch is watched.
    pub(crate) fn notes(&mut self, s: &Shared, b: &Batch<'_>) -> Vec<Noted> {
        let Some((n, _)) = b.watched(s) else { return Vec::new() };
        if self.between.is_none() {
            self.between = s.within.as_ref().map(Between::of);
        }
        n.noted(Self::W, s.plan.lu.n)
    }

    /// To be called when a cell has entered a lane; `before` is its record, if it goes on from another
    /// method.
    pub(crate) fn begin_notes(
        &mut self,
        s: &Shared,
        track: &Track,
        n: &Notes<'_>,
        noted: &mut [Noted],
        lane: usize,
        before: Option<Noted>,
    ) {
        match before {
            Some(before) => noted[lane] = before,
            // SAFETY: a cell in a lane is this worker's own.
            None => noted[lane].enter(unsafe { n.answers(self.cell(lane), s.plan.species) }),
        }
        self.set(track.seen, 0, lane, -1.0);
    }

    /// Takes both ends of the last steps, and records the steps that are new.
    pub(crate) fn note(&mut self, s: &Shared, track: &Track, n: &Notes<'_>, noted: &mut [Noted]) {
        // SAFETY: `rehearse` has run this program.
        unsafe {
            self.compute(
                s,
                #[inline(always)]
                |m| track.follow(m, s.gas(), &s.stepper),
            );
        }
        let c = s.stepper.clock;
        let Options { rtol, atol, .. } = s.options;
        let (molar_mass, own) = (&s.plan.molar_mass[..], &s.plan.own_tolerances[..]);
        let sought = Sought { times: n.times, events: n.events, molar_mass, rtol, atol, own };
        let between = RefCell::new(self.between.take());
        for (lane, noted) in noted.iter_mut().enumerate() {
            if !self.busy(lane) {
                continue;
            }
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
                between: &|times, to| {
                    let load = |put: &mut Put<'_>| {
                        let all = acting(&s.plan).into_iter().flat_map(|a| (0..a.len as usize).map(move |i| (a, i)));
                        all.for_each(|(a, i)| put(a, i, self.get(a, i, lane)));
                    };
                    let from = Origin { load: &load, y: &|i| self.get(track.y0, i, lane) };
                    match between.borrow_mut().as_mut() {
                        Some(between) => between.advance(from, times, to),
                        None => to.fill(f64::NAN),
                    }
                },
            };
            let done = self.get(c.left, 0, lane) == 0.0 && !self.ride(lane).more;
            let end = (step.t + step.h) * if done { LEEWAY } else { 1.0 };
            // SAFETY: as in `begin_notes`.
            let answers = unsafe { n.answers(self.cell(lane), s.plan.species) };
            noted.look(&sought, &step, self.get(c.steps, 0, lane), end, answers);
        }
        self.between = between.into_inner();
    }
}
