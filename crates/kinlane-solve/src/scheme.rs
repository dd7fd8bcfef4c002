//! Rate constants of a reaction scheme in the surroundings of a cell.

use crate::screening::chugunov2007;
use kinlane_plan::machine::{Machine, Real};
use kinlane_plan::plan::{Instruction, Operation, RateProgram};

/// Runs the program: rate constants into its `k` and `effective`, from its `inputs`.
#[inline(always)]
pub fn rate_constants<M: Machine>(m: M, p: &RateProgram) {
    let (values, inputs) = (p.values, p.inputs);
    let powers =
        if p.nuclear { Powers::new(m, m.get(inputs, m.i(p.surroundings.temperature))) } else { Powers::none(m) };
    for instruction in &p.instructions {
        let get = |i: usize| m.get(values, m.i(i));
        match *instruction {
            Instruction::Set { to, of } => {
                let x = match of {
                    Operation::Input(i) => m.get(inputs, m.i(i)),
                    Operation::Reaclib(p) => powers.exponential(m, &p),
                    Operation::Screening(t, c, [s, g]) => chugunov2007(m, get(t) * m.lit(s), get(c) * m.lit(g)),
                    of => of.of(get).unwrap_or(m.lit(f64::NAN)),
                };
                m.put(values, m.i(to), x);
            }
            Instruction::Constant { reaction, from } => m.put(p.k, m.i(reaction), get(from)),
            Instruction::Effective { reaction, from } => m.put(p.effective, m.i(reaction), get(from)),
        }
    }
}

/// A number as an unevaluated sum of two, the second a rounding error of the first.
#[derive(Debug, Clone, Copy)]
struct Double<R>([R; 2]);

/// The functions of T9 that a rate of REACLIB depends on, to twice the digits. Terms of some thousand cancel in the
/// exponents of steep rates; in plain numbers 3e-12 of the rate would be lost.
#[derive(Clone, Copy)]
struct Powers<R>([Double<R>; 6]);

impl<R: Real> Powers<R> {
    /// For programs that need none.
    #[inline(always)]
    fn none<M: Machine<R = R>>(m: M) -> Self {
        Self([Double([m.lit(0.0); 2]); 6])
    }

    #[inline(always)]
    fn new<M: Machine<R = R>>(m: M, t9: R) -> Self {
        let whole = Double([t9, m.lit(0.0)]);
        let third = cube_root(m, t9);
        // The factor on ln T9 is small, and its rounding does not matter.
        let ln = Double([t9.ln(), m.lit(0.0)]);
        Self([whole.recip(m), third.recip(m), third, whole, whole.times(third).times(third), ln])
    }

    /// exp(p₀ + p₁/T₉ + p₂/T₉^⅓ + p₃ T₉^⅓ + p₄ T₉ + p₅ T₉^5⁄3 + p₆ ln T₉)
    #[inline(always)]
    fn exponential<M: Machine<R = R>>(&self, m: M, p: &[f64; 7]) -> R {
        let (mut sum, mut error) = (m.lit(p[0]), m.lit(0.0));
        let mut i = 0;
        while i < 6 {
            let (p, Double([x, rest])) = (m.lit(p[i + 1]), self.0[i]);
            let term = p * x;
            let next = sum + term;
            let part = next - sum;
            // What was lost of the sum, and of the product.
            error = error + (sum - (next - part)) + (term - part) + p.mul_add(x, -term) + p * rest;
            sum = next;
            i += 1;
        }
        let x = sum.exp();
        error.mul_add(x, x)
    }
}

impl<R: Real> Double<R> {
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        let Self([a, b]) = self;
        let Self([c, d]) = other;
        let x = a * c;
        Self([x, a.mul_add(c, -x) + a * d + b * c])
    }

    #[inline(always)]
    fn recip<M: Machine<R = R>>(self, m: M) -> Self {
        let Self([a, b]) = self;
        let x = a.recip();
        Self([x, x * ((-x).mul_add(a, m.lit(1.0)) - x * b)])
    }
}

#[inline(always)]
fn cube_root<M: Machine<R = R>, R: Real>(m: M, t: R) -> Double<R> {
    let third = m.lit(1.0 / 3.0);
    let x = (t.ln() * third).exp();
    let whole = Double([x, m.lit(0.0)]);
    let Double([cube, rest]) = whole.times(whole).times(whole);
    Double([x, ((t - cube) - rest) * third / (x * x)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinlane_plan::{Scalar, Tables};

    #[test]
    fn exponents_have_twice_the_digits() {
        let (tables, mut arena) = (Tables::default(), vec![0.0; 1]);
        let m = Scalar::new(&tables, &mut arena);
        // Cube roots: what is left of x³ − t is far below the rounding of x³.
        for t in [0.9, 7.0, 1e-2] {
            let root = cube_root(m, t);
            let Double([cube, rest]) = root.times(root).times(root);
            assert!((cube - t + rest).abs() < 1e-29 * t.max(1.0), "{t}: {:e}", cube - t + rest);
        }
        // −4e6/2 + 1e6 · 2 = 0; a plain sum would lose half of the digits of 0.1.
        let p = [0.1, 0.0, -4e6, 1e6, 0.0, 0.0, 0.0];
        let [got, want] = [Powers::new(m, 8.0).exponential(m, &p), 0.1_f64.exp()];
        assert!((got - want).abs() < 1e-14, "{got} {want}");
    }
}
