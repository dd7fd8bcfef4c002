//! The integration methods that a solver can be planned with.

use kinlane_lanes::DEFAULT_METHOD;
use kinlane_solve::methods::tableau::{ALL, Stability};

/// One method, as `kinlane methods` shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Method {
    /// What `method(...)` and `--method` take; case and punctuation do not matter.
    pub name: &'static str,
    /// Its family.
    pub family: &'static str,
    /// Order of accuracy.
    pub order: u32,
    /// Order of the embedded solution, which the error estimate comes from.
    pub embedded: u32,
    /// Stages per step.
    pub stages: usize,
    /// Evaluations of the right-hand side per step.
    pub evaluations: u32,
    /// Stability, in a word.
    pub stability: &'static str,
    /// Key of the publication in `docs/bibliography.bib`.
    pub source: &'static str,
    /// Taken where none is chosen.
    pub default: bool,
}

/// Every method.
pub fn methods() -> impl Iterator<Item = Method> {
    ALL.iter().map(|m| Method {
        name: m.name,
        family: if m.w_method { "Rosenbrock-W" } else { "Rosenbrock" },
        order: m.order,
        embedded: m.embedded,
        stages: m.stages(),
        evaluations: m.evaluations(),
        stability: match m.stability {
            Stability::L => "L-stable",
        },
        source: m.source,
        default: m.name == DEFAULT_METHOD,
    })
}
