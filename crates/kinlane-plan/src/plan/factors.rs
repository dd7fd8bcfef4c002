//! Tables and arrays of the sparse factors.

use crate::lu::Factors;
use crate::machine::{Array, Indices};

/// Rows of the factors that a machine may make together.
pub const ROWS: usize = 4;

/// No place.
pub const NONE: u32 = u32::MAX;

/// Blocks of up to [`ROWS`] consecutive rows, and for each the rows of U from before it with their users.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowBlocks {
    /// First row of each block, and n.
    pub start: Indices,
    /// First item of each block, and their number.
    pub steps: Indices,
    /// What is applied to the block, in order; a user is a row of the block, named by its work row's offset. Either one
    /// row k of U,
    ///
    /// 1, number of users, k, users
    ///
    /// or two, k < l, with the same users,
    ///
    /// 2, number of users, k, l, place of u_kl or [`NONE`], lengths of three lists, users, columns of both rows (place
    /// in row k, place in row l, column), of row k alone (place, column), of row l alone.
    pub items: Indices,
}

/// Columns of L without its diagonal, and of U without its own: starts, n + 1, and of every entry the row and its place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Columns {
    /// Of L.
    pub lower: [Indices; 2],
    /// Of U.
    pub upper: [Indices; 2],
}

/// The sparse factors: rows in elimination order, columns ascending.
#[derive(Debug, Clone, Default)]
pub struct Lu {
    /// Number of variables: species, T, sigma, and with [`Features::history`] what is imposed.
    pub n: usize,
    /// Place in elimination order → variable.
    pub order: Indices,
    /// Start of each row, n + 1.
    pub row: Indices,
    /// Place of the diagonal in each row.
    pub diag: Indices,
    /// Column (in elimination order) of each entry.
    pub col: Indices,
    /// Where the real factors live.
    pub factors: Factors<Array>,
    /// Rows that may be made together.
    pub blocks: RowBlocks,
    /// The factors by columns.
    pub columns: Columns,
    /// Entries.
    pub entries: usize,
    /// Fused multiply-adds of a factorisation.
    pub operations: usize,
    /// First row from which on the factors are dense.
    pub dense: usize,
}

impl Lu {
    /// The first of the two rows of T and sigma, which are eliminated last. What is imposed comes first, before the species.
    pub fn border(&self) -> usize {
        self.n - 2
    }
}
