//! The integration methods that a solver can be planned with.

use kinlane_solve::methods::auto::{AUTO, is_auto};
use kinlane_solve::methods::method::{self, ALL, Stability};

/// One method, as shown by `kinlane methods`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Method {
    /// Name for `method(...)` and `--method`; case does not matter, nor punctuation, except in `auto`.
    pub name: &'static str,
    /// Its family.
    pub family: &'static str,
    /// Order of accuracy; if it varies, the highest.
    pub order: u32,
    /// Stability, in a word.
    pub stability: &'static str,
    /// Whether it suits stiff cells: fast time scales do not limit its steps.
    pub stiff: bool,
    /// Whether all steps have the length of the first, which must be given, because the method has no error
    /// estimate.
    pub fixed: bool,
    /// What a step costs, in words.
    pub cost: String,
    /// Key of the publication in `docs/bibliography.bib`.
    pub source: &'static str,
    /// Whether it is used if none is chosen.
    pub default: bool,
}

impl Method {
    /// The method of that name, as `method(...)` takes it.
    pub fn find(name: &str) -> Option<Self> {
        let usual = if is_auto(name) { AUTO } else { method::Method::find(name)?.name };
        methods().find(|m| m.name == usual)
    }

    /// Whether its errors follow the tolerance. Those of a method with steps of a fixed length do not. Nor do, where reactions
    /// are fast, those of methods that take production and decay for known (`chemeq2`, `asymptotic`), and those of
    /// exponential methods, whose Krylov spaces leave out a part of fast equilibria: compare with `auto`.
    pub fn keeps_tolerance(&self) -> bool {
        !self.fixed && self.stability != DECAY && self.family != EXPONENTIAL
    }
}

/// Family of the methods that work in Krylov spaces.
const EXPONENTIAL: &str = "exponential";

/// Stability of methods that take production and decay for known.
const DECAY: &str = "decay";

/// Every method, and `auto`, which chooses among them cell by cell.
pub fn methods() -> impl Iterator<Item = Method> {
    let auto = Method {
        name: AUTO,
        family: "per cell",
        order: 5,
        stability: "as chosen",
        stiff: true,
        fixed: false,
        cost: "1 f to tell cells apart, then as chosen".to_owned(),
        source: "kinlane",
        default: true,
    };
    let all = ALL.iter().map(|m| Method {
        name: m.name,
        family: m.family,
        order: m.order,
        stability: match m.stability {
            Stability::L => "L-stable",
            Stability::Alpha => "A(α)-stable",
            Stability::Explicit => "explicit",
            Stability::Decay => DECAY,
            Stability::Stabilised => "stabilised",
        },
        stiff: m.is_stiff(),
        fixed: m.is_fixed(),
        cost: m.cost(),
        source: m.source,
        default: false,
    });
    all.chain(std::iter::once(auto))
}
