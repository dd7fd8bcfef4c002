//! Sums of many sources, as programs over index lists.

use crate::machine::{Indices, Reals};

/// dst := Σ plus − Σ minus + Σ coef·src, entry by entry.
#[derive(Debug, Clone, Copy, Default)]
pub struct Gather {
    /// Entries of few terms.
    pub short: Lists,
    /// Entries of many terms. The terms come in pairs, padded with a source that is zero, and the numbers in
    /// `ptr` count pairs: two sums run at a time, which hides the latency of an addition.
    pub long: Lists,
    /// Terms with other coefficients than ±1.
    pub scaled: Scaled,
}

/// Terms coef·src that are added to what their entries hold.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scaled {
    /// Number of entries with such terms.
    pub count: usize,
    /// Destination of each entry.
    pub dst: Indices,
    /// Where the terms of each entry start, and the end.
    pub ptr: Indices,
    /// Source of each term, entry by entry.
    pub src: Indices,
    /// Coefficient of each term.
    pub coef: Reals,
}

/// Entries of a [`Gather`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Lists {
    /// Number of entries.
    pub count: usize,
    /// Destination of each entry.
    pub dst: Indices,
    /// Three numbers per entry: start of plus, start of minus, end.
    pub ptr: Indices,
    /// Sources, entry by entry.
    pub src: Indices,
}

/// dst := e^{G} Σ rate·activity, entry by entry.
///
/// The derivative of q = rate (c_a c_b − c_c c_d) with respect to C_a is e^{G_a} rate c_b. One rate serves
/// all participants, and all rates fit the caches, where the derivatives themselves would not. A subtracted
/// term uses a negative activity, so that entries differ only in their number of terms.
#[derive(Debug, Clone, Default)]
pub struct Products {
    /// Entries of 0 to [`SHORT`] terms, grouped by their number: loops of known length have no mispredicted
    /// branches.
    pub short: Vec<ProductLists>,
    /// Entries of more terms, summed in pairs.
    pub long: ProductLists,
    /// Where the pairs of each long entry start, and the end.
    pub ptr: Indices,
}

/// Largest number of terms of a short entry of [`Products`].
pub const SHORT: usize = 8;

/// Entries of [`Products`].
#[derive(Debug, Clone, Copy, Default)]
pub struct ProductLists {
    /// Number of entries.
    pub count: usize,
    /// Per entry: its destination, and the column whose e^{G} scales it.
    pub dst: Indices,
    /// Per term: place in `rates` and in `act`.
    pub src: Indices,
}
