//! Reactions by which single species decay: what shows at a glance that a cell is stiff.

/// A reaction that consumes a species, of at most one other molecule, with a rate constant that depends on temperature
/// alone:
///
/// ```text
/// decay of the species ≥ count · coef · k · C_partner
/// ```
///
/// It is a lower bound, because all other reactions of the species make its decay faster: a species of which that is not
/// certain (some rate of it may be negative) has no losses in the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loss {
    /// The species.
    pub species: usize,
    /// The other reactant, possibly the species itself; none in a reaction of one molecule.
    pub partner: Option<usize>,
    /// Molecules of the species that it consumes.
    pub count: f64,
    /// Factor on `k`.
    pub coef: f64,
    /// k.
    pub law: LossLaw,
}

/// The rate constant of a [`Loss`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LossLaw {
    /// exp(b ln T − e/T)
    Arrhenius {
        /// b.
        b: f64,
        /// e \[K\].
        e: f64,
    },
    /// The rate constant of this number among those that come with the cell.
    Given(usize),
}
