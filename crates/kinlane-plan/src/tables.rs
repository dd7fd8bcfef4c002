//! Storage of constants and work arrays: one table of reals, one of indices, and one arena per cell.

use crate::machine::{Array, Indices, Reals};
use crate::precision::Grain;

/// `n` as a number of 32 bits.
///
/// # Panics
/// If it does not fit: a cell would need 32 GiB. Machines rely on it, so it must not wrap.
fn index(n: usize) -> u32 {
    assert!(n <= u32::MAX as usize, "a mechanism of {n} entries is beyond what 32 bits count");
    n as u32
}

/// All constants of a plan. Filled while lowering, read-only after.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    /// Every [`Reals`] points into this.
    pub reals: Vec<f64>,
    /// Every [`Indices`] points into this.
    pub indices: Vec<u32>,
}

impl Tables {
    /// Stores a table of constants.
    pub fn reals(&mut self, values: impl IntoIterator<Item = f64>) -> Reals {
        let at = self.reals.len();
        self.reals.extend(values);
        Reals { at: index(at), len: index(self.reals.len()) - index(at) }
    }

    /// Stores a table of indices.
    pub fn indices(&mut self, values: impl IntoIterator<Item = usize>) -> Indices {
        let at = self.indices.len();
        self.indices.extend(values.into_iter().map(index));
        Indices { at: index(at), len: index(self.indices.len()) - index(at) }
    }

    /// The constants of a table.
    #[inline]
    pub fn get(&self, t: Reals) -> &[f64] {
        &self.reals[t.at as usize..(t.at + t.len) as usize]
    }

    /// The indices of a table.
    #[inline]
    pub fn list(&self, t: Indices) -> &[u32] {
        &self.indices[t.at as usize..(t.at + t.len) as usize]
    }
}

/// Hands out work arrays.
#[derive(Debug, Clone, Copy, Default)]
pub struct Layout {
    len: u32,
}

impl Layout {
    /// An array of `len` reals per cell, zero at the start of the program's life.
    pub fn array(&mut self, len: usize) -> Array {
        let at = self.len;
        self.len = index(at as usize + len);
        Array { at, len: self.len - at, grain: Grain::Plain }
    }

    /// The same for numbers of which a few digits suffice.
    pub fn coarse(&mut self, len: usize) -> Array {
        Array { grain: Grain::Coarse, ..self.array(len) }
    }

    /// The same for numbers that must be in double precision, because of their digits or their range.
    pub fn fine(&mut self, len: usize) -> Array {
        Array { grain: Grain::Fine, ..self.array(len) }
    }

    /// A variable of the cell: an array of one.
    pub fn var(&mut self) -> Array {
        self.fine(1)
    }

    /// Lays out two groups of arrays in the same memory, for programs that no longer need the first when they
    /// begin with the second.
    pub fn either<A, B>(&mut self, first: impl FnOnce(&mut Self) -> A, second: impl FnOnce(&mut Self) -> B) -> (A, B) {
        let mut other = *self;
        let arrays = (first(self), second(&mut other));
        self.len = self.len.max(other.len);
        arrays
    }

    /// Total number of reals per cell.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether nothing was laid out.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
