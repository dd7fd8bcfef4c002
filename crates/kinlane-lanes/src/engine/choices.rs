//! Cells that choose their methods: they are told apart, and advanced with one method after the other.

use super::{PerMethod, Thread};
use crate::batch::Batch;
use crate::shared::Shared;
use crate::worker::Sums;
use crate::worker::boards::{Boards, HandOver, Supply};
use kinlane_solve::methods::auto::{Apart, Choice, Late};

/// Smallest share of lanes with mild cells at which these take their explicit step at once. That costs six evaluations
/// in all lanes; if the cells wait until others fill the lanes, it costs eight.
const WORTH_A_STEP: f64 = 0.7;

/// What is needed beside the default method where cells choose.
pub(super) struct Choices {
    pub(super) choice: Choice,
    /// For the second of the methods of one step; the first uses the same arrays.
    pub(super) once: Option<(Shared, Apart)>,
    pub(super) late: Option<(Shared, Late)>,
    pub(super) boards: Boards,
}

impl Choices {
    /// When cells are handed over to another method, and on which board.
    pub(super) fn hand_over(&self) -> Option<HandOver<'_>> {
        self.late.as_ref().map(|&(_, late)| HandOver { late, board: &self.boards.late })
    }

    /// Tells cells apart, then advances them with the method of each, until no cell is left. Returns what
    /// each method did.
    pub(super) fn run(&self, thread: &mut Thread, stiff: &Shared, batch: &Batch<'_>) -> PerMethod<Sums> {
        let boards = &self.boards;
        let [mut calm, mut mild] = [Sums::default(); 2];
        let (worker, narrow) = thread.workers();
        let told = self.once.as_ref().map(|(once, apart)| {
            let waited = batch.from(Supply::Board(&boards.mild), None);
            for (supply, part) in [(batch, WORTH_A_STEP), (&waited, 0.0)] {
                let [c, m] = worker.tell_apart(once, apart, supply, boards, part);
                calm.merge(&c);
                mild.merge(&m);
            }
            batch.from(Supply::Board(&boards.stiff), self.hand_over())
        });
        let mut main = worker.run(stiff, told.as_ref().unwrap_or(batch), narrow);
        let Some((late, rule)) = &self.late else { return [calm, mild, main, Sums::default()] };
        let supply = batch.from(Supply::Late(&boards.late, *rule), None);
        let last = thread.narrowest().run(late, &Batch { give_back: Some(&boards.back), ..supply }, None);
        let (worker, narrow) = thread.workers();
        main.merge(&worker.run(stiff, &batch.from(Supply::Back(&boards.back), None), narrow));
        [calm, mild, main, last]
    }
}
