//! The precision in which a machine keeps and computes numbers; only emitted programs have a choice.

/// Precision of an integration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// Double precision throughout.
    #[default]
    F64,
    /// Single precision for exponentials, J and its factors; double for the state, right-hand sides and time.
    Mixed,
    /// Single precision except for time, the state between steps, and what would leave its range.
    F32,
}

/// The precision with which the elements of an array must be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grain {
    /// As many digits as the answer.
    #[default]
    Plain,
    /// A few digits suffice: J, and what is computed from it.
    Coarse,
    /// Double precision in any case, because of its digits or its range.
    Fine,
}

impl Precision {
    /// All precisions.
    pub const ALL: [Self; 3] = [Self::F64, Self::Mixed, Self::F32];

    /// Its name, as `--precision` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::Mixed => "mixed",
            Self::F32 => "f32",
        }
    }

    /// The smallest relative tolerance that this precision can meet, as measured in
    /// `docs/decisions/0012-reduced-precision.md`.
    pub fn finest(self) -> f64 {
        match self {
            Self::F64 => 0.0,
            Self::Mixed => 1e-5,
            Self::F32 => 1e-4,
        }
    }

    /// Whether an array is kept in single precision.
    pub fn single(self, grain: Grain) -> bool {
        match self {
            Self::F64 => false,
            Self::Mixed => grain == Grain::Coarse,
            Self::F32 => grain != Grain::Fine,
        }
    }
}
