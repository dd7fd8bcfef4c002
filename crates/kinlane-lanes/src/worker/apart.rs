//! Telling the cells of a batch apart, where each gets the method that suits it.

use super::Sums;
use super::boards::{Boards, Entrant};
use super::wide::Wide;
use crate::batch::Batch;
use crate::shared::Shared;
use crate::simd::Register;
use kinlane_solve::Status;
use kinlane_solve::methods::auto::{Apart, Class, RANKS};
use std::sync::atomic::Ordering;

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// See [`Worker::tell_apart`](crate::worker::Worker::tell_apart).
    pub(crate) fn tell_apart(
        &mut self,
        s: &Shared,
        apart: &Apart,
        b: &Batch<'_>,
        boards: &Boards,
        part: f64,
    ) -> [Sums; 2] {
        let start = cpu_time::ThreadTime::now();
        let [mut calm, mut mild] = [Sums::default(); 2];
        self.supply = 0..0;
        self.witnesses.begin(s, b);
        (0..Self::W).for_each(|lane| self.no_source(s, lane));
        let gas = s.gas();
        loop {
            if b.signals.stop.load(Ordering::Relaxed) {
                let cancelled = self.cancel(b);
                calm.cells += cancelled;
                calm.failed += cancelled;
            }
            let mut count = 0;
            while let Some(entrant) = if count < Self::W { self.take(b) } else { None } {
                match entrant {
                    Entrant::New(cell) if self.witnesses.show(s, b, cell) => {
                        boards.stiff.put(std::iter::once((cell, RANKS - 1)));
                        calm.at_a_glance += 1;
                    }
                    _ => {
                        self.load(s, b, count, entrant);
                        count += 1;
                    }
                }
            }
            if count == 0 {
                return [Sums { cpu_seconds: start.elapsed().as_secs_f64(), ..calm }, mild];
            }
            self.lanes[count..].iter_mut().for_each(|lane| lane.busy = false);
            self.repeat(0);
            // SAFETY: `rehearse` has run this program.
            unsafe {
                self.compute(
                    s,
                    #[inline(always)]
                    |m| apart.tell(m, gas, &s.stepper),
                );
            }
            self.end(s, b, count, &mut calm);
            let waits =
                |w: &Self, lane: usize| w.lanes[lane].busy && w.get(apart.class, 0, lane) == Class::Mild.number();
            let some = (0..count).filter(|&lane| waits(self, lane)).count();
            if some > 0 && some as f64 >= part * count as f64 {
                // SAFETY: `rehearse` has run this program.
                unsafe {
                    self.compute(
                        s,
                        #[inline(always)]
                        |m| apart.once(m, gas, &s.stepper),
                    );
                }
                self.end(s, b, count, &mut mild);
            } else {
                for lane in 0..count {
                    if waits(self, lane) {
                        boards.mild.put(std::iter::once((self.lanes[lane].cell, 0)));
                        self.lanes[lane].busy = false;
                    }
                }
            }
            let stiff =
                |lane: &usize| self.lanes[*lane].busy && self.get(apart.class, 0, *lane) == Class::Stiff.number();
            if let Some(cell) = (0..count).find(stiff).map(|lane| self.taken(b, lane)) {
                self.witnesses.learn(s, cell);
            }
            let left = (0..count).filter(|&lane| self.lanes[lane].busy);
            boards.stiff.put(left.map(|lane| (self.lanes[lane].cell, self.get(apart.rank, 0, lane) as usize)));
        }
    }

    /// Hands back those cells of the first `lanes` lanes that have reached the end.
    fn end(&mut self, s: &Shared, b: &Batch<'_>, lanes: usize, sums: &mut Sums) {
        for lane in 0..lanes {
            if self.lanes[lane].busy && self.verdict(s, lane) == Some(Status::Done) {
                self.store(s, b, lane, Status::Done, sums);
                self.lanes[lane].busy = false;
            }
        }
    }
}
