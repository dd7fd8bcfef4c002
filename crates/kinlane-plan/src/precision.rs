//! In what precision a machine may keep and compute what: a choice that only emitted programs have.

/// Precision of an integration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// Double precision throughout.
    #[default]
    F64,
    /// Single precision for exponentials, J and its factors; double for the state, right-hand sides and time.
    Mixed,
    /// Single precision but for time, the state between steps, and what would leave the range.
    F32,
}

/// How exactly the elements of an array must be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grain {
    /// With the digits of the answer.
    #[default]
    Plain,
    /// With a few digits: J, and what comes of it.
    Coarse,
    /// In double precision whatever else: for its digits, or for its range.
    Fine,
}

impl Precision {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::F64, Self::Mixed, Self::F32];

    /// As `--precision` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::Mixed => "mixed",
            Self::F32 => "f32",
        }
    }

    /// The finest relative tolerance that it can hold; what was measured is in
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
