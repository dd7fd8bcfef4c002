//! Tables and arrays of the Jacobian.

use super::gather::{Gather, Products};
use crate::machine::{Array, Indices};

/// Programs from slots (derivatives of rates of progress) to matrix entries.
///
/// Arrays that only the evaluation of J needs (slots, derivatives of rate constants and rates of progress,
/// sums over colliders) share their memory with the factors: evaluating J destroys the factors. `values` are
/// kept.
#[derive(Debug, Clone, Default)]
pub struct Jacobian {
    /// The factor on the activities in reversible reactions of at most two molecules a side; followed by a
    /// zero.
    pub rates: Array,
    /// ∂q/∂C for every participant of every other reaction.
    pub slots: Array,
    /// ∂q/∂\[M\] or ∂q/∂ln Ctot for every reaction that depends on it.
    pub extra: Array,
    /// ∂q/∂T at constant concentrations, by internal number.
    pub q_t: Array,
    /// J in the layout of the factors ([`Lu`](crate::plan::Lu)), zero where there is only fill. Where a method no longer needs
    /// J, its factors take this place.
    pub values: Array,
    /// From `rates` to `values`: the species block and the row of sigma.
    pub products: Products,
    /// From `slots`, added to the same entries.
    pub species: Gather,
    /// From `extra` to `third`.
    pub third_gather: Gather,
    /// ∂(wdot row)/∂\[M\]ₘ for the pairs (row, m) that occur.
    pub third: Array,
    /// `values` += coef·`third`: (destination, source) and coefficient; destination-ordered.
    pub third_spread: Gather,
    /// Σ e_k ∂f_k/∂phi_j over the rows k, while it is being summed.
    pub heat: Array,
    /// ∂wdot/∂T.
    pub wdot_t: Array,
    /// ∂wdot/∂Ctot.
    pub wdot_ctot: Array,
    /// From `extra` (to be divided by Ctot) and from `third` to `wdot_ctot`: two programs for one
    /// destination.
    pub ctot_q: Gather,
    /// See `ctot_q`.
    pub ctot_third: Gather,
    /// Row starts of the species block, and per entry (position, column).
    pub row_ptr: Indices,
    /// See `row_ptr`.
    pub rows: Indices,
    /// Positions of the border entries: [`BORDERS`] for every species, at [`PHI_T`] and so on.
    pub border: Indices,
    /// Positions of (T, T), (T, sigma), (sigma, T), (sigma, sigma).
    pub corner: [usize; 4],
    /// Positions of the entries of species, T and sigma in the column of the imposed quantity; empty without
    /// [`Features::history`](crate::plan::Features::history). Its own row is zero.
    pub imposed: Indices,
    /// Number of structural entries of J.
    pub nonzeros: usize,
}

/// Number of border entries of each species: (k, T), (k, sigma), (T, k), (sigma, k).
pub const BORDERS: usize = 4;
/// Index of the entry (k, T) among them.
pub const PHI_T: usize = 0;
/// Index of (k, sigma).
pub const PHI_SIGMA: usize = 1;
/// Index of (T, k).
pub const T_PHI: usize = 2;
/// Index of (sigma, k).
pub const SIGMA_PHI: usize = 3;
