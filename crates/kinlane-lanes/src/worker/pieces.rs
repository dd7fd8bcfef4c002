//! A worker's part in histories: a cell's clock ends with the present piece of its history, and is set anew
//! for the next piece.
//!
//! For a method a piece is an interval like any other. The imposed quantity is set at every knot, so that
//! rounding does not add up over many pieces.

use super::wide::Wide;
use crate::batch::Batch;
use crate::shared::Shared;
use crate::simd::Register;

/// The place of a lane's cell in its history.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ride {
    /// Index of the piece.
    piece: usize,
    /// The imposed quantity at the start of the history \[Pa or m³/kg\].
    unit: f64,
    /// The step that was wished for before the last attempt \[s\]: a step cut short by a knot says nothing
    /// about the next one.
    wish: f64,
    /// Whether more pieces follow before the end.
    pub more: bool,
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// To be called when a cell has entered a lane: starts its history, if it has one.
    pub(crate) fn begin_history(&mut self, s: &Shared, b: &Batch<'_>, lane: usize) -> Ride {
        let Some(q) = s.plan.imposed().filter(|_| b.histories.is_some()) else { return Ride::default() };
        let ride = Ride { unit: self.get(s.stepper.y, q, lane), ..Ride::default() };
        self.take_piece(s, b, lane, 0.0, ride)
    }

    /// To be called before an attempt: keeps the wished step of every lane.
    pub(crate) fn note_wishes(&mut self, s: &Shared) {
        for lane in 0..Self::W {
            let wish = self.get(s.stepper.clock.h, 0, lane);
            self.set_ride(lane, Ride { wish, ..self.ride(lane) });
        }
    }

    /// To be called when a lane's clock has run out at the end of a piece: starts the next piece.
    pub(crate) fn next_piece(&mut self, s: &Shared, b: &Batch<'_>, lane: usize) {
        let ride = self.ride(lane);
        let clock = s.stepper.clock;
        let ended = b.histories.map_or(0.0, |histories| histories[self.cell(lane)].piece(ride.piece).end);
        let next = self.take_piece(s, b, lane, ended, ride);
        self.set_ride(lane, next);
        let h = self.get(clock.h, 0, lane).max(ride.wish);
        // f has jumped: a method with a memory restarts, and the ends of the last step are taken anew with
        // the new slope.
        let anew = s.stepper.remembers().then_some((clock.fresh, 1.0));
        let track = s.track.map(|t| (t.seen, -1.0));
        for (a, x) in [(clock.h, h), (clock.verdict, 0.0)].into_iter().chain(anew).chain(track) {
            self.set(a, 0, lane, x);
        }
    }

    /// To be called when a lane has no cell any more: stops the imposed change.
    pub(crate) fn end_history(&mut self, s: &Shared, lane: usize) {
        self.set_ride(lane, Ride::default());
        if s.plan.imposed().is_some() {
            self.set(s.plan.cell.slope, 0, lane, 0.0);
        }
    }

    /// Sets the value, the slope and the end of the first piece that ends behind `ended` \[s\] and behind the lane's clock: that may
    /// be a rounding error short of the end of the last step.
    fn take_piece(&mut self, s: &Shared, b: &Batch<'_>, lane: usize, ended: f64, mut ride: Ride) -> Ride {
        let (Some(histories), Some(q)) = (b.histories, s.plan.imposed()) else { return ride };
        let (history, clock) = (&histories[self.cell(lane)], s.stepper.clock);
        let t = self.get(clock.t, 0, lane);
        while history.piece(ride.piece).end <= t.max(ended) {
            ride.piece += 1;
        }
        let (piece, dt) = (history.piece(ride.piece), b.interval(self.cell(lane)));
        ride.more = piece.end < dt;
        self.set(s.stepper.y, q, lane, ride.unit * piece.value);
        self.set(s.plan.cell.slope, 0, lane, ride.unit * piece.slope);
        self.set(clock.left, 0, lane, piece.end.min(dt) - t);
        ride
    }
}
