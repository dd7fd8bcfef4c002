//! exp and ln, written once for numbers and registers: the same operations in the same order, hence the same bits.
//!
//! exp: x = n ln 2 + r, |r| ≤ ln 2 / 2, eʳ ≈ 1 + r + r² q(r) with q of degree 8, minimax of the relative error
//! (2.9e-16; 5e-16 with rounding). ln: x = 2ᵉ m, m in [3/4, 3/2), s = (m − 1)/(m + 1),
//! ln m = f − s (f − s² R(s²)), R of degree 6, minimax (1.5e-17). Coefficients: our own Remez iteration at 60 digits.

use crate::machine::Real;

/// The bit-level steps that exp and ln need beyond [`Real`].
pub trait Parts: Real {
    /// `self · 2ⁿ` for integral `n`, rounded once; 0 or infinite where n is beyond all exponents.
    fn scale(self, n: Self) -> Self;
    /// (m, e) with `self = m 2ᵉ`, m in [3/4, 3/2), for finite positive `self`.
    fn split(self) -> (Self, Self);
    /// The same number, if full precision is not needed for a polynomial of it. A machine may round it.
    #[inline(always)]
    fn rough(self) -> Self {
        self
    }
}

const LN2_HI: f64 = 0.693_147_180_559_890_3; // 0x3FE62E42FEFA3800: 11 trailing zero bits, n LN2_HI is exact
const LN2_LO: f64 = 5.497_923_018_708_371e-14; // ln 2 − LN2_HI
/// 1.5 · 2⁵²: adding it rounds to the nearest integer.
pub const ROUND: f64 = 6_755_399_441_055_744.0;

const EXP: [f64; 9] = [
    2.747_679_947_143_556_6e-7,
    2.763_499_075_900_360_5e-6,
    2.480_193_171_079_23e-5,
    1.984_118_523_626_145_8e-4,
    1.388_888_851_623_397_7e-3,
    8.333_333_370_870_067e-3,
    4.166_666_666_813_646e-2,
    1.666_666_666_661_155_4e-1,
    4.999_999_999_999_832_4e-1,
];

const LN: [f64; 7] = [
    0.153_681_907_753_711_85,
    0.152_501_886_178_356_64,
    0.181_863_560_673_042,
    0.222_221_385_015_046,
    0.285_714_293_952_894_55,
    0.399_999_999_961_616_8,
    0.666_666_666_666_727_1,
];

/// e to the power x, for |x| below 1e15; beyond ±745 it becomes 0 or infinite in `scale`. Arguments that
/// could grow without bound are bounded when tables are made (`lower/`), not here, 400 times per cell.
#[inline(always)]
pub fn exp<R: Parts>(x: R) -> R {
    let lit = R::lit;
    let n = x.mul_add(lit(std::f64::consts::LOG2_E), lit(ROUND)) - lit(ROUND);
    let r = n.mul_add(lit(-LN2_HI), x);
    let r = n.mul_add(lit(-LN2_LO), r).rough();
    let mut q = lit(EXP[0]);
    for &c in &EXP[1..] {
        q = q.mul_add(r, lit(c));
    }
    let p = (q * r).mul_add(r, r) + lit(1.0);
    p.scale(n)
}

/// (eˣ, e⁻ˣ): one reduction and one polynomial, whose even and odd parts are added and subtracted.
#[inline(always)]
pub fn exp_both<R: Parts>(x: R) -> (R, R) {
    let lit = R::lit;
    let n = x.mul_add(lit(std::f64::consts::LOG2_E), lit(ROUND)) - lit(ROUND);
    let r = n.mul_add(lit(-LN2_HI), x);
    let r = n.mul_add(lit(-LN2_LO), r).rough();
    let z = r * r;
    // eʳ = 1 + r + r² q(r): even 1 + z (q₀ + q₂ z + …), odd r (1 + z (q₁ + q₃ z + …))
    let mut even = lit(EXP[0]);
    let mut odd = lit(EXP[1]);
    let mut i = 2;
    while i < EXP.len() {
        if i % 2 == 0 {
            even = even.mul_add(z, lit(EXP[i]));
        } else {
            odd = odd.mul_add(z, lit(EXP[i]));
        }
        i += 1;
    }
    let even = even.mul_add(z, lit(1.0));
    let odd = (odd * z).mul_add(r, r);
    ((even + odd).scale(n), (even - odd).scale(-n))
}

/// Natural logarithm.
#[inline(always)]
pub fn ln<R: Parts>(x: R) -> R {
    let lit = R::lit;
    let (m, e) = x.split();
    let f = m - lit(1.0);
    let s = f / (m + lit(1.0));
    let z = s * s;
    let mut q = lit(LN[0]);
    for &c in &LN[1..] {
        q = q.mul_add(z, lit(c));
    }
    let tail = e.mul_add(lit(LN2_LO), -(s * (f - z * q)));
    let y = e.mul_add(lit(LN2_HI), f + tail);
    let y = R::select(lit(0.0).lt(x), y, lit(f64::NAN));
    let y = R::select(x.le(lit(f64::MAX)), y, x + y);
    R::select(R::and(x.le(lit(0.0)), lit(0.0).le(x)), lit(f64::NEG_INFINITY), y)
}
