//! Tables and arrays of the sparse factors.

use crate::lu::Factors;
use crate::machine::{Array, Indices};

/// Rows of the factors that a machine may make together.
pub const ROWS: usize = 4;

/// Stands for no place.
pub const NONE: u32 = u32::MAX;

/// Blocks of up to [`ROWS`] consecutive rows, and for each the earlier rows of U that are applied to it, with
/// their users.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowBlocks {
    /// First row of each block; at the end n.
    pub start: Indices,
    /// First item of each block; at the end the number of items.
    pub steps: Indices,
    /// What is applied to the blocks, in order. A user is a row of the block, named by the offset of its work
    /// row. An item is either one row k of U,
    ///
    /// 1, number of users, k, users
    ///
    /// or two rows k < l with the same users,
    ///
    /// 2, number of users, k, l, place of u_kl or [`NONE`], lengths of three lists, users, columns of both
    /// rows (place in row k, place in row l, column), columns of row k alone (place, column), columns of row
    /// l alone.
    pub items: Indices,
}

/// The columns of L and of U, without their diagonals. Of each: starts, n + 1; and the row and the place of
/// every entry.
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
    /// Number of variables: species, T, sigma, and with [`Features::history`](crate::plan::Features::history) the imposed quantity.
    pub n: usize,
    /// Variable at each place of the elimination order.
    pub order: Indices,
    /// Start of each row, n + 1.
    pub row: Indices,
    /// Place of the diagonal in each row.
    pub diag: Indices,
    /// Column (in elimination order) of each entry.
    pub col: Indices,
    /// Arrays of the real factors.
    pub factors: Factors<Array>,
    /// Groups of rows that may be made together.
    pub blocks: RowBlocks,
    /// The factors by columns.
    pub columns: Columns,
    /// Number of entries.
    pub entries: usize,
    /// Number of fused multiply-adds of a factorisation.
    pub operations: usize,
}

/// Most multiply-adds of a factorisation: their tables then take some 2 GB. Mechanisms of a thousand species that
/// are in use have a thousandth of it, because most of their species react with few others.
pub const MOST_OPERATIONS: usize = 500_000_000;

impl Lu {
    /// Whether its tables are too large to be made: nothing can be factored then.
    pub fn is_too_dense(&self) -> bool {
        self.operations > MOST_OPERATIONS
    }

    /// The first of the two rows of T and sigma, which are eliminated last. An imposed quantity comes first,
    /// before the species.
    pub fn border(&self) -> usize {
        self.n - 2
    }
}
