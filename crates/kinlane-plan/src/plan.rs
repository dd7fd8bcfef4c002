//! The plan.

use kinlane_mech::Network;

/// Index tables of one mechanism.
#[derive(Debug)]
pub struct Plan {
    /// Number of species.
    pub species: usize,
}

impl Plan {
    /// Lowers a network.
    pub fn new(network: &Network) -> Self {
        Self { species: network.species.len() }
    }
}
