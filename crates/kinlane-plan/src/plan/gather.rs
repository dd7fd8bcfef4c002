//! Sums of many sources, entry by entry.

use crate::machine::{Indices, Reals};

/// dst := Σ plus − Σ minus + Σ coef·extra, entry by entry.
#[derive(Debug, Clone, Copy, Default)]
pub struct Gather {
    /// Entries of few terms.
    pub short: Lists,
    /// Entries of many. Their terms come in pairs, filled up with a source that is zero, and the numbers in `ptr` count
    /// pairs: two sums run at a time, for the latency of an addition counts here.
    pub long: Lists,
    /// Entries with coefficients other than ±1.
    pub extras: usize,
    /// Destination and source of each, two numbers.
    pub extra: Indices,
    /// Its coefficient.
    pub coef: Reals,
}

/// Entries of a [`Gather`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Lists {
    /// How many.
    pub count: usize,
    /// Where each is written.
    pub dst: Indices,
    /// Three numbers per entry: start of plus, start of minus, end.
    pub ptr: Indices,
    /// Sources.
    pub src: Indices,
}

/// dst := e^{G} Σ rate·activity, entry by entry.
///
/// The derivative of q = rate (c_a c_b − c_c c_d) by C_a is e^{G_a} rate c_b. One rate serves all participants, and all
/// rates fit the caches where the derivatives themselves would not. What is subtracted takes a negative activity, so
/// that entries differ in their number of terms alone.
#[derive(Debug, Clone, Default)]
pub struct Products {
    /// Entries of 0 to [`SHORT`] terms, by their number: loops of known length cost no mispredicted branches.
    pub short: Vec<ProductLists>,
    /// Entries of more, in pairs.
    pub long: ProductLists,
    /// Where the pairs of each long entry start, and the end.
    pub ptr: Indices,
}

/// Most terms of a short entry of [`Products`].
pub const SHORT: usize = 8;

/// Entries of [`Products`].
#[derive(Debug, Clone, Copy, Default)]
pub struct ProductLists {
    /// How many.
    pub count: usize,
    /// Per entry: where it is written, and the column whose e^{G} scales it.
    pub dst: Indices,
    /// Per term: place in `rates` and in `act`.
    pub src: Indices,
}
