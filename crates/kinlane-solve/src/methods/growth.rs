//! Growth of what lies below the tolerances, where no error estimate sees it (docs/decisions/0023).
//!
//! Over a step the true solution multiplies a growing mode by exp(hλ). An L-stable method damps the mode
//! where hλ exceeds the pole of the stability function; some methods turn its sign just below the pole; and
//! an explicit method lets it grow like a power of hλ only. The functions here detect such a step, which is
//! then shortened.

use super::Problem;
use super::control::{Clock, Mask, flag, holds};
use super::runge_kutta::RungeKutta;
use super::tableau::Rosenbrock;
use crate::LEAST;
use kinlane_plan::machine::{Array, Machine, Real};

/// Something has turned its sign if what lies below zero exceeds this part of what is made (W⁻¹ f), both
/// summed over all that grows.
const TURNED: f64 = 1e-4;

/// What has turned has grown by more than this factor from W⁻¹ f to W⁻² f/(γh).
const GROWS: f64 = 2.0;

/// In an explicit step a variable may grow by a factor of exp of this.
const EXPONENT: f64 = 1.0;

/// Bound on the exponent of a growth, so that its exp is finite.
const LARGEST: f64 = 700.0;

/// Growth that stays below this part of the allowed error need not be seen.
const UNSEEN: f64 = 1e-2;

/// Error norm of a step in which something grows faster than the step can follow; such a step is rejected.
const OUTGROWN: f64 = 1e4;

/// The error norm, raised where something `grows`. Where it is zero nothing happens at all, and there is
/// nothing to grow.
#[inline(always)]
pub fn outgrown<M: Machine>(m: M, grows: Mask<M>, norm: M::R) -> M::R {
    M::R::select(M::R::and(grows, m.lit(0.0).lt(norm)), norm.max(m.lit(OUTGROWN)), norm)
}

/// The index i of a later stage, and the weights of kᵢ and k₁ that give W⁻² f/(γh), where f is linear and
/// k₁ = W⁻¹ f:
///
/// ```text
/// kᵢ = k₁ − Σ aᵢⱼ kⱼ + Σ bᵢⱼ W⁻¹ kⱼ/(γh),   bᵢⱼ = aᵢⱼ + γ cᵢⱼ
/// ```
///
/// In some methods b₂₁ is zero, so that k₂ is a multiple of k₁; then k₃ is used.
fn twice(t: &Rosenbrock) -> (usize, [f64; 2]) {
    let b = |ij: usize| t.gamma.mul_add(t.c[ij], t.a[ij]);
    let second = 1.0 - t.a[0];
    if b(0).abs() > 1e-9 {
        return (1, [b(0).recip(), -second / b(0)]);
    }
    let (rest, b) = (1.0 - t.a[1] - t.a[2] * second, b(1) + b(2) * second);
    (2, [b.recip(), -rest / b])
}

/// The pole of a step longer by this factor lies below all values of hλ at which a sign may have turned.
pub const LONGER: f64 = 1.8;

/// Whether something may have come out below zero because it grows.
///
/// This happens where the stability function is negative, just below its pole at z = hλ = 1/γ: in `rodas5p`
/// from 0.58/γ on, in `ros2`, `ros3` and `rang3` from 0.66/γ. (Growth above the pole is seen by
/// [`Linear::grows`](super::problem::Linear::grows).) At such z, W⁻² f/(γh) is more than twice W⁻¹ f, and
/// W⁻¹ f is more than y:
///
/// ```text
/// W⁻¹ f = γz/(1 − γz) y,   W⁻² f/(γh) = 1/(1 − γz) W⁻¹ f
/// ```
///
/// In a fresh gas the products of products look the same and may be negative, but mostly they are next to
/// nothing beside what they are made from. The factors of a step longer by [`LONGER`] decide the remaining
/// cases.
#[inline(always)]
pub fn turned<M: Machine>(m: M, n: usize, t: &Rosenbrock, y: Array, y1: Array, k: &[Array]) -> Mask<M> {
    let zero = m.lit(0.0);
    let (i, weights) = twice(t);
    // Summed over what grows: a part of what is made, less how far it lies below zero.
    let balance = m.sum(
        n,
        #[inline(always)]
        |s| {
            let (before, made, after) = (m.get(y, s), m.get(k[0], s), m.get(y1, s));
            let again = m.lit(weights[0]).mul_add(m.get(k[i], s), made * m.lit(weights[1]));
            let new = M::R::and(zero.le(before), before.lt(made));
            let grows = M::R::and(new, (made * m.lit(GROWS)).lt(again));
            M::R::select(grows, made.mul_add(m.lit(TURNED), after.min(zero)), zero)
        },
    );
    balance.lt(zero)
}

/// Whether something grows more than e-fold in an explicit step of length h from `y`, and may become
/// noticeable. Summed over what the step makes from next to nothing, the rate f at the last stage, kₛ, then
/// exceeds that at the first, k₁, by more than for y' = y/h:
///
/// ```text
/// kₛ = (1 + cₛ hλ + …) k₁
/// ```
///
/// The sum includes what only the last stage makes: in a chain of two radicals, H => O + OH and O => H + OH,
/// a gas that makes O has no H at the first stage. It also includes the products of a radical that splits in
/// two, which do not grow; but in a cold gas there is too little of all this to become noticeable even when
/// multiplied by exp(hλ).
#[inline(always)]
pub fn multiplied<M: Machine, P: Problem<M>>(
    m: M,
    p: P,
    t: &RungeKutta,
    clock: &Clock,
    y: Array,
    k: &[Array],
    (h, only): (M::R, Mask<M>),
) -> Mask<M> {
    let zero = m.lit(0.0);
    let last = t.stages() - 1;
    let c: f64 = t.a[last * (last - 1) / 2..].iter().sum();
    let ends = [k[0], k[last]];
    let balance = m.sum(
        p.len(),
        #[inline(always)]
        |s| of_new(m, y, ends, h, s, m.lit(c.mul_add(EXPONENT, 1.0)).mul_add(m.get(ends[0], s), -m.get(ends[1], s))),
    );
    let grows = M::R::and(only, balance.lt(zero));
    let kept = clock.error;
    m.set(kept, M::R::select(only, flag(grows), m.var(kept)));
    // Done rarely, so that a calm cell does not pay for it.
    m.if_any(
        grows,
        #[inline(always)]
        || {
            m.function(
                "may_be_seen",
                #[inline(always)]
                || {
                    let [first, later] = ends.map(
                        #[inline(always)]
                        |stage| {
                            m.sum(
                                p.len(),
                                #[inline(always)]
                                |s| of_new(m, y, ends, h, s, m.get(stage, s)),
                            )
                        },
                    );
                    let size = p.size(
                        m,
                        y,
                        m.var(clock.rtol),
                        m.var(clock.atol),
                        #[inline(always)]
                        |s| of_new(m, y, ends, h, s, m.get(ends[1], s) * h),
                    );
                    let exponent = (later / first.max(m.lit(LEAST)) - m.lit(1.0)) * m.lit(c.recip());
                    let seen = m.lit(UNSEEN).le(size * exponent.min(m.lit(LARGEST)).exp());
                    // Where the first stage makes nothing, the last stage has nothing new to start from.
                    let seen = M::R::and(zero.lt(first), seen);
                    m.set(kept, M::R::select(grows, flag(seen), m.var(kept)));
                },
            );
        },
    );
    M::R::and(only, holds(m, kept))
}

/// `x` where a variable is next to nothing beside what the larger of two rates `k` makes of it in a step h,
/// else zero.
#[inline(always)]
fn of_new<M: Machine>(m: M, y: Array, k: [Array; 2], h: M::R, s: M::I, x: M::R) -> M::R {
    let (before, made) = (m.get(y, s), m.get(k[0], s).max(m.get(k[1], s)) * h);
    M::R::select(M::R::and(m.lit(0.0).le(before), before.lt(made)), x, m.lit(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::method::{ALL, Kind};

    /// The stages kᵢ of a method on y' = λ y, from z = hλ.
    fn stages(t: &Rosenbrock, z: f64) -> Vec<f64> {
        let mut k: Vec<f64> = Vec::new();
        for i in 0..t.stages() {
            let row = i * i.saturating_sub(1) / 2;
            let sum = |w: &[f64]| k.iter().zip(&w[row..]).map(|(k, w)| k * w).sum::<f64>();
            k.push((z * (1.0 + sum(t.a)) + sum(t.c)) / (t.gamma.recip() - z));
        }
        k
    }

    /// The field `turns` says whether the stability function is negative below the pole. Where it is
    /// negative, the second solution has grown by more than [`GROWS`], and the pole of a step longer by
    /// [`LONGER`] lies below z.
    #[test]
    fn what_turns_is_seen() {
        let all = ALL.iter().filter_map(|m| if let Kind::Rosenbrock(t) = m.kind { Some(t) } else { None });
        for t in all {
            let (i, weights) = twice(t);
            let mut turns = false;
            for part in (1..1000).map(|i| f64::from(i) / 1000.0) {
                let k = stages(t, part / t.gamma);
                let again = weights[0] * k[i] + weights[1] * k[0];
                assert!((again / k[0] * (1.0 - part) - 1.0).abs() < 1e-6, "{} at {part}", t.name);
                let y1 = 1.0 + t.m.iter().zip(&k).map(|(m, k)| m * k).sum::<f64>();
                turns |= y1 < 0.0;
                let found = k[0] > 1.0 && again > GROWS * k[0] && LONGER * part > 1.0;
                assert!(y1 >= -TURNED * k[0] || found, "{} at {part}", t.name);
            }
            assert_eq!(turns, t.turns, "{}", t.name);
        }
    }
}
