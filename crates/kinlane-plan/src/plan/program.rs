//! A program that computes the rate constants of a scheme: straight-line code over numbers.

use crate::machine::{Array, Real};

/// Rate constants as a list of instructions, from what surrounds a cell.
///
/// It works in arrays of its own, apart from those of a plan: it runs before cells are advanced, for many at once.
#[derive(Debug, Clone, Default)]
pub struct RateProgram {
    /// What surrounds a cell, set before the program runs; see [`Surroundings`].
    pub inputs: Array,
    /// Intermediate values.
    pub values: Array,
    /// Rate constants as the file defines them, one per reaction.
    pub k: Array,
    /// The same times the amounts of fixed species.
    pub effective: Array,
    /// Length of all arrays.
    pub len: usize,
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// Whether any is of REACLIB's form.
    pub nuclear: bool,
    /// Where inputs are.
    pub surroundings: Surroundings,
}

/// First elements of the quantities among the inputs of a program.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings {
    /// T \[K\], in a star \[GK\].
    pub temperature: usize,
    /// Density of a star \[g/cm³\].
    pub density: usize,
    /// Photolysis frequencies.
    pub photolysis: usize,
    /// Further inputs.
    pub further: usize,
    /// Amounts of the species that evolve.
    pub species: usize,
    /// Amounts of fixed species.
    pub fixed: usize,
}

/// Computes one value, or stores one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Instruction {
    /// values\[to\] := of.
    Set {
        /// Index of the value.
        to: usize,
        /// What it is.
        of: Operation,
    },
    /// k\[reaction\] := values\[from\]
    Constant {
        /// The reaction.
        reaction: usize,
        /// Index of the value.
        from: usize,
    },
    /// effective\[reaction\] := values\[from\]
    Effective {
        /// The reaction.
        reaction: usize,
        /// Index of the value.
        from: usize,
    },
}

/// What a value is; operands are indices of values. Comparisons give 1 or 0.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "they have their usual names")]
pub enum Operation {
    Literal(f64),
    /// An input by index.
    Input(usize),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
    Div(usize, usize),
    Neg(usize),
    Exp(usize),
    Ln(usize),
    Sqrt(usize),
    Abs(usize),
    Min(usize, usize),
    Max(usize, usize),
    Less(usize, usize),
    LessEqual(usize, usize),
    /// The second where the first is not zero, else the third.
    Select(usize, usize, usize),
    /// exp(p₀ + p₁/T₉ + p₂/T₉^⅓ + p₃ T₉^⅓ + p₄ T₉ + p₅ T₉^5⁄3 + p₆ ln T₉)
    Reaclib([f64; 7]),
    /// ln f of the screening of two nuclei \[chugunov2007\], from values t and c with which T/Tₚ = s t and Γ = g c Tₚ/T, and
    /// the numbers \[s, g\] of the nuclei.
    Screening(usize, usize, [f64; 2]),
}

/// Bound on the exponents of rate expressions, far beyond where eˣ leaves the range of a double; [`Real::exp`] has one as well.
const MOST: f64 = 1e4;

impl Operation {
    /// The result for operands that `get` knows; none for what does not follow from operands alone.
    #[inline(always)]
    pub fn of<R: Real>(&self, get: impl Fn(usize) -> R) -> Option<R> {
        let zero = R::lit(0.0);
        let truth = |mask| R::select(mask, R::lit(1.0), zero);
        Some(match *self {
            Self::Literal(x) => R::lit(x),
            Self::Input(_) | Self::Reaclib(_) | Self::Screening(..) => return None,
            Self::Add(a, b) => get(a) + get(b),
            Self::Sub(a, b) => get(a) - get(b),
            Self::Mul(a, b) => get(a) * get(b),
            Self::Div(a, b) => get(a) / get(b),
            Self::Neg(a) => -get(a),
            // What is no number stays so.
            Self::Exp(a) => R::lit(MOST).min(R::lit(-MOST).max(get(a))).exp(),
            Self::Ln(a) => get(a).ln(),
            Self::Sqrt(a) => get(a).sqrt(),
            Self::Abs(a) => get(a).abs(),
            Self::Min(a, b) => get(a).min(get(b)),
            Self::Max(a, b) => get(a).max(get(b)),
            Self::Less(a, b) => truth(get(a).lt(get(b))),
            Self::LessEqual(a, b) => truth(get(a).le(get(b))),
            Self::Select(c, a, b) => R::select(zero.lt(get(c).abs()), get(a), get(b)),
        })
    }
}
