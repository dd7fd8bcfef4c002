//! Rate constants of a reaction scheme, for many cells at once.

use crate::machine::Lanes;
use crate::simd::{Pack, Register};
use crate::worker::wide::Wide;
use kinlane_plan::plan::RateProgram;
use kinlane_plan::{Scalar, Tables};
use kinlane_solve::scheme;

/// One number per cell, in an array of the caller.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// The array.
    pub values: &'a [f64],
    /// Distance between the numbers of two cells.
    pub stride: usize,
    /// Index of the number of the first cell.
    pub first: usize,
}

impl Column<'_> {
    fn of(&self, cell: usize) -> f64 {
        self.values[cell * self.stride + self.first]
    }
}

/// Which rate constants are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constants {
    /// As the file defines them.
    Defined,
    /// With the amounts of fixed species in them.
    Effective,
}

/// Runs the program on the bounds-checked scalar machine, with the tables that it has: none.
///
/// # Panics
/// If it points outside its own arrays, which would be a mistake in the lowering.
pub fn rehearse(program: &RateProgram) {
    let mut arena = vec![1.0; program.len];
    scheme::rate_constants(Scalar::new(&Tables::default(), &mut arena), program);
}

impl<V: Register + Sync, const K: usize> Wide<V, K> {
    /// Rate constants of the cells from `lo` on, into `out` \[cells, reactions\].
    ///
    /// # Safety
    /// [`rehearse`] must have run the program.
    pub(crate) unsafe fn constants(
        &self,
        program: &RateProgram,
        inputs: &[Column<'_>],
        which: Constants,
        lo: usize,
        out: &mut [f64],
    ) {
        let reactions = program.k.len as usize;
        let cells = out.len().checked_div(reactions).unwrap_or(0);
        let mut arena = vec![Pack([V::splat(0.0); K]); program.len];
        let tables = Tables::default();
        let from = if which == Constants::Defined { program.k } else { program.effective };
        for base in (0..cells).step_by(Self::W) {
            let here = Self::W.min(cells - base);
            let rows = Pack::numbers_mut(&mut arena).chunks_exact_mut(Self::W).skip(program.inputs.at as usize);
            for (row, column) in rows.zip(inputs) {
                // Lanes beyond the last cell repeat it.
                row.iter_mut().enumerate().for_each(|(lane, x)| *x = column.of(lo + base + lane.min(here - 1)));
            }
            // SAFETY: the instruction set of `V` was detected where this worker was made. The program stays inside its
            // arena, as it did in `rehearse`: which elements it visits does not depend on data.
            unsafe {
                let m = Lanes::new(&tables, &mut arena);
                V::call(
                    #[inline(always)]
                    || scheme::rate_constants(m, program),
                );
            }
            let rows = Pack::numbers(&arena).chunks_exact(Self::W).skip(from.at as usize);
            for (r, row) in rows.take(reactions).enumerate() {
                (0..here).for_each(|lane| out[(base + lane) * reactions + r] = row[lane]);
            }
        }
    }
}
