//! A worker's part in histories: a cell's clock ends with the piece that the cell is on, and is set anew for the next.
//!
//! To the methods a piece is an interval like any other. What is imposed is set at every knot, so no rounding adds up
//! over many pieces.

use super::wide::Wide;
use crate::batch::Batch;
use crate::shared::Shared;
use crate::simd::Register;

/// Where a lane's cell stands in its history.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ride {
    /// The piece.
    piece: usize,
    /// What is imposed at the start [Pa or m³/kg].
    unit: f64,
    /// The step that was wished before the last attempt [s]: a step cut short by a knot says nothing about the next
    /// one.
    wish: f64,
    /// More pieces come before the end.
    pub more: bool,
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// A cell has entered a lane: it takes up its history, if it has one.
    pub(crate) fn begin_history(&mut self, s: &Shared, b: &Batch<'_>, lane: usize) -> Ride {
        let Some(q) = s.plan.imposed().filter(|_| b.histories.is_some()) else { return Ride::default() };
        let ride = Ride { unit: self.get(s.stepper.y, q, lane), ..Ride::default() };
        self.take_piece(s, b, lane, ride)
    }

    /// Before an attempt.
    pub(crate) fn note_wishes(&mut self, s: &Shared) {
        for lane in 0..Self::W {
            let wish = self.get(s.stepper.clock.h, 0, lane);
            self.set_ride(lane, Ride { wish, ..self.ride(lane) });
        }
    }

    /// A lane's clock has run out at the end of a piece: gives the cell the next one.
    pub(crate) fn next_piece(&mut self, s: &Shared, b: &Batch<'_>, lane: usize) {
        let ride = self.ride(lane);
        let clock = s.stepper.clock;
        let next = self.take_piece(s, b, lane, Ride { piece: ride.piece + 1, ..ride });
        self.set_ride(lane, next);
        let h = self.get(clock.h, 0, lane).max(ride.wish);
        // f has jumped: a method with a memory begins anew, and what is noted has another slope.
        let anew = s.stepper.remembers().then_some((clock.fresh, 1.0));
        let track = s.track.map(|t| (t.seen, -1.0));
        for (a, x) in [(clock.h, h), (clock.verdict, 0.0)].into_iter().chain(anew).chain(track) {
            self.set(a, 0, lane, x);
        }
    }

    /// A lane has no cell any more: nothing moves what was imposed on its last one.
    pub(crate) fn end_history(&mut self, s: &Shared, lane: usize) {
        self.set_ride(lane, Ride::default());
        if s.plan.imposed().is_some() {
            self.set(s.plan.cell.slope, 0, lane, 0.0);
        }
    }

    /// Value, slope and end of the piece, or of the first after it that is not over yet.
    fn take_piece(&mut self, s: &Shared, b: &Batch<'_>, lane: usize, mut ride: Ride) -> Ride {
        let (Some(histories), Some(q)) = (b.histories, s.plan.imposed()) else { return ride };
        let (history, clock) = (&histories[self.cell(lane)], s.stepper.clock);
        let t = self.get(clock.t, 0, lane);
        while history.piece(ride.piece).end <= t {
            ride.piece += 1;
        }
        let piece = history.piece(ride.piece);
        ride.more = piece.end < b.dt;
        self.set(s.stepper.y, q, lane, ride.unit * piece.value);
        self.set(s.plan.cell.slope, 0, lane, ride.unit * piece.slope);
        self.set(clock.left, 0, lane, piece.end.min(b.dt) - t);
        ride
    }
}
