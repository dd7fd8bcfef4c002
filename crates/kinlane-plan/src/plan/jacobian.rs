//! Tables and arrays of the Jacobian.

use super::gather::{Gather, Products};
use crate::machine::{Array, Indices};

/// From slots (derivatives of rates of progress) to matrix entries.
///
/// What only its evaluation needs (slots, derivatives of rate constants and rates of progress, sums over colliders)
/// lies in the same place as the factors: evaluating J destroys them. `values` are kept.
#[derive(Debug, Clone, Default)]
pub struct Jacobian {
    /// What multiplies the activities in reversible reactions of at most two molecules a side, and a zero behind.
    pub rates: Array,
    /// ∂q/∂C of every participant of every other reaction.
    pub slots: Array,
    /// ∂q/∂\[M\] or ∂q/∂ln Ctot of every such reaction.
    pub extra: Array,
    /// ∂q/∂T at constant concentrations, by internal number.
    pub q_t: Array,
    /// J in the layout of the factors ([`Lu`]), zero where there is only fill. Where a method needs J no more its factors
    /// take this place.
    pub values: Array,
    /// rates → `values`, the species block and the row of sigma.
    pub products: Products,
    /// slots → added to the same.
    pub species: Gather,
    /// extra → `third`.
    pub third_gather: Gather,
    /// ∂(wdot row)/∂\[M\]ₘ for the pairs (row, m) that occur.
    pub third: Array,
    /// `values` += coef·`third`: (destination, source) and coefficient; destination-ordered.
    pub third_spread: Gather,
    /// Σ over the rows k of e_k ∂f_k/∂phi_j, in the making.
    pub heat: Array,
    /// ∂wdot/∂T.
    pub wdot_t: Array,
    /// ∂wdot/∂Ctot.
    pub wdot_ctot: Array,
    /// `extra` (to be divided by Ctot) and `third` → `wdot_ctot`: two programs over the same destination.
    pub ctot_q: Gather,
    /// See `ctot_q`.
    pub ctot_third: Gather,
    /// Row starts of the species block, and per entry (position, column).
    pub row_ptr: Indices,
    /// See `row_ptr`.
    pub rows: Indices,
    /// Positions of the borders: for every species [`BORDERS`], at [`PHI_T`] and so on.
    pub border: Indices,
    /// Positions of (T, T), (T, sigma), (sigma, T), (sigma, sigma).
    pub corner: [usize; 4],
    /// Positions in the column of what is imposed, of every species, T and sigma; empty without [`Features::history`].
    /// Its own row is zero.
    pub imposed: Indices,
    /// Structural entries of J.
    pub nonzeros: usize,
}

/// How many entries each species has in the borders: (k, T), (k, sigma), (T, k), (sigma, k).
pub const BORDERS: usize = 4;
/// Which of them is (k, T).
pub const PHI_T: usize = 0;
/// (k, sigma).
pub const PHI_SIGMA: usize = 1;
/// (T, k).
pub const T_PHI: usize = 2;
/// (sigma, k).
pub const SIGMA_PHI: usize = 3;
