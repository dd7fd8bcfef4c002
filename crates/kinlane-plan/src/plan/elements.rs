//! The elements that reactions conserve.

use crate::machine::{Array, Reals};

/// Most elements that are kept: programs hold the equations for them in registers.
pub const MOST_ELEMENTS: usize = 8;

/// Tables and variables that keep the elements of a cell: b_e = Σ_k E_ek phi_k. Where rate constants are given, mass is
/// the only element: E_k is the mass of a species.
#[derive(Debug, Clone, Copy, Default)]
pub struct Elements {
    /// Number of elements that are kept, each conserved by every reaction; at most [`MOST_ELEMENTS`].
    pub count: usize,
    /// \[count, species\]: E, the atoms of an element in a species; zero in species that no reaction changes.
    pub atoms: Reals,
    /// A weight for each element.
    pub weight: Reals,
    /// \[species\]: c_k = Σ_e w_e E_ek. Whatever a step loses of the elements shows in Σ c_k phi_k.
    pub check: Reals,
    /// 1 once `total` is known; 0 when a cell is loaded.
    pub known: Array,
    /// 1 once `fed` is known; 0 when a cell is loaded, also if it goes on from an earlier call.
    pub fed_known: Array,
    /// \[count\]: b \[mol/kg\].
    pub total: Array,
    /// \[count\]: what the source brings of each \[mol/(kg s)\].
    pub fed: Array,
    /// 1 where the last step has lost some of them, else 0.
    pub lost: Array,
}
