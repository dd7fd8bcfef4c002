//! Calls in which cells go on where the last one left them.

use super::{Engine, Totals, Wish};
use crate::cells::{Cells, length};
use crate::continuation::{Continuation, Recall};
use crate::error::EngineError;
use crate::signals::Signals;
use kinlane_solve::record;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

impl Engine {
    /// A continuation for so many cells, of which nothing is known yet.
    pub fn continuation(&self, cells: usize) -> Continuation {
        Continuation::new(self.fingerprint(), cells, self.record_width())
    }

    /// Numbers that a cell keeps from call to call, see [`crate::record`].
    fn record_width(&self) -> usize {
        record::width(self.shared.plan.species, &self.remembered)
    }

    /// A hash of all that a continuation depends on: constants of the mechanism, method, reactor, tolerances.
    fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| {
            let (s, mut hash) = (&self.shared, DefaultHasher::new());
            let o = &s.options;
            (s.stepper.method.name, o.reactor as u8, o.rtol.to_bits(), o.atol.to_bits()).hash(&mut hash);
            s.plan.tables.indices.hash(&mut hash);
            s.plan.tables.reals.iter().for_each(|x| x.to_bits().hash(&mut hash));
            // Laws that are evaluated one by one have their constants there.
            format!("{:?}", s.plan.kinetics).hash(&mut hash);
            hash.finish()
        })
    }

    /// As [`Engine::advance`], but a cell goes on as if the last call with this continuation had not ended. A
    /// cell whose state was changed since begins anew, with the step size that it had; so does every cell if
    /// there is a source or an electron temperature. All cells are advanced with one method.
    ///
    /// # Errors
    /// As [`Engine::advance`]; [`EngineError::Length`] where the continuation is for another number of cells;
    /// [`EngineError::ForeignContinuation`] where it was made for another plan, method, reactor or other tolerances.
    pub fn advance_continuing(
        &mut self,
        cells: Cells<'_>,
        continuation: &mut Continuation,
        dt: f64,
        signals: Signals<'_>,
    ) -> Result<Totals, EngineError> {
        self.check_continuation(continuation, cells.temperature.len())?;
        self.advance_records(cells, continuation.records_mut(), dt, signals)
    }

    /// Whether a continuation is for so many cells, and for this engine.
    ///
    /// # Errors
    /// [`EngineError::Length`], [`EngineError::ForeignContinuation`].
    pub fn check_continuation(&self, continuation: &Continuation, cells: usize) -> Result<(), EngineError> {
        length("continuation", continuation.cells(), cells)?;
        if continuation.solver() != self.fingerprint() {
            return Err(EngineError::ForeignContinuation);
        }
        Ok(())
    }

    /// As [`Engine::advance_continuing`], with the records of some of the cells of a continuation, \[n,
    /// record_width\].
    ///
    /// # Errors
    /// As [`Engine::advance`]; [`EngineError::Length`].
    pub fn advance_records(
        &mut self,
        mut cells: Cells<'_>,
        records: &mut [f64],
        dt: f64,
        signals: Signals<'_>,
    ) -> Result<Totals, EngineError> {
        cells.check(&self.shared.plan, dt)?;
        let (arrays, width) = (Arc::clone(&self.remembered), self.record_width());
        length("records", records.len(), cells.temperature.len() * width)?;
        self.threads.iter_mut().for_each(|thread| thread.keep(width));
        let wish = Wish { recall: Some(Recall::new(records, width, &arrays)), ..Wish::default() };
        Ok(self.run(&mut cells, wish, dt, signals))
    }
}
