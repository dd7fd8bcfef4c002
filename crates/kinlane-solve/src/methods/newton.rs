//! What the methods with Newton iterations share: for how long they iterate, and when an iteration ends. How they
//! judge its convergence is each method's own.

use super::Problem;
use super::control::{Clock, Mask, holds};
use super::problem::Measure;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// Size of an increment at which a Newton iteration may end, in units of what the tolerances allow (Hairer &
/// Wanner's code).
#[inline(always)]
pub fn goal<R: Real>(rtol: R) -> R {
    (R::lit(10.0 * f64::EPSILON) / rtol).max(R::lit(0.03).min(rtol.sqrt()))
}

/// If increments do not shrink by at least this factor, an iteration is taken not to converge.
pub const CONTRACTS: f64 = 0.99;

/// An iteration with an increment of more than this many tolerances has diverged.
pub const RUN_AWAY: f64 = 1e10;

/// Increments below this many tolerances that no longer shrink are rounding: at rest, rates are small
/// differences of large numbers, and no iteration comes closer.
const ROUNDING: f64 = 1e-2;

/// So many roundings of a variable are rounding whatever else they look like.
const ROUNDINGS: f64 = 1e3;

/// Increments are the same as those before if they differ by less than this part of them.
const SAME: f64 = 0.1;

/// Weight of lost energy in the error of a step. What comes back at rest does not count.
const LOST: f64 = 2.5;

/// Above this relative tolerance a loss of energy does not count as an error: what an iteration leaves unsolved of it comes
/// back in the next.
const LOOSE: f64 = 2e-3;

/// The energy that the step from `y` to `y1` has lost \[tolerances\], and what of it counts as an error.
#[inline(always)]
pub fn energy_lost<M: Machine, P: Problem<M>>(m: M, p: P, c: &Clock, [y, y1]: [Array; 2], h: M::R) -> [M::R; 2] {
    let rtol = m.var(c.rtol);
    let [lost, moved] = p.energy_lost(m, y, y1, h, rtol);
    [lost, M::R::select(rtol.le(m.lit(LOOSE)), moved * m.lit(LOST), m.lit(0.0))]
}

/// The size \[tolerances\] below which increments are rounding.
#[inline(always)]
fn rounding<R: Real>(rtol: R) -> R {
    R::lit(ROUNDINGS * f64::EPSILON) / rtol
}

/// Whether a first increment is too small to mean anything: it would be rounding.
#[inline(always)]
pub fn nothing<R: Real>(size: R, rtol: R) -> R::Mask {
    size.le(rounding(rtol))
}

/// What a method with factors of d I − J keeps between attempts.
#[derive(Debug, Clone, Copy)]
pub struct Kept<R> {
    /// The d.
    pub d: R,
    /// An array that is unused.
    pub room: Array,
    /// Energy that the last attempt has lost \[tolerances\], if the method has looked at it.
    pub lost: Option<R>,
}

/// The largest increments upwards and downwards, in the last iteration and in the one before.
///
/// Where J belongs to a state in which something decays fast, and which the step leaves at once, increments are small
/// and all alike: each is what this decay lets through, and the solution is far away. (A → B at 7e10/s, and A + B → A at 1e7/s
/// as long as there is A: B stayed where it was over any interval.) Rounding has no direction.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    now: [Array; 2],
    past: [Array; 2],
}

impl Progress {
    /// Lays out its variables.
    pub fn new(l: &mut Layout) -> Self {
        Self { now: [l.var(), l.var()], past: [l.var(), l.var()] }
    }

    /// The variables by name, for printed programs.
    pub fn arrays(&self) -> [(&'static str, Array); 4] {
        let ([up, down], [past_up, past_down]) = (self.now, self.past);
        [("up", up), ("down", down), ("past_up", past_up), ("past_down", past_down)]
    }

    /// To be called before the first iteration.
    #[inline(always)]
    pub fn begin<M: Machine>(&self, m: M) {
        self.past.into_iter().for_each(|a| m.set(a, m.lit(0.0)));
    }

    /// Whether the increments of an iteration are rounding only. `size` is that of the last ones \[tolerances\], `theta` its ratio
    /// to that of those before, `delta` the increments.
    #[inline(always)]
    pub fn stalls<M: Machine, P: Measure<M>>(
        &self,
        m: M,
        p: P,
        w: (Array, &Clock),
        [size, theta]: [M::R; 2],
        delta: impl Fn(M::I) -> M::R + Copy,
    ) -> Mask<M> {
        let (y, c) = w;
        let (rtol, atol, zero) = (m.var(c.rtol), m.var(c.atol), m.lit(0.0));
        let tiny = size.le(m.lit(ROUNDING));
        self.now.into_iter().for_each(|a| m.set(a, zero));
        m.if_any(
            tiny,
            #[inline(always)]
            || {
                let [up, down] = self.now;
                m.set(
                    up,
                    p.size(
                        m,
                        y,
                        rtol,
                        atol,
                        #[inline(always)]
                        |i| delta(i).max(zero),
                    ),
                );
                m.set(
                    down,
                    p.size(
                        m,
                        y,
                        rtol,
                        atol,
                        #[inline(always)]
                        |i| (-delta(i)).max(zero),
                    ),
                );
            },
        );
        let [[up, down], [past_up, past_down]] = [self.now, self.past].map(|pair| pair.map(|a| m.var(a)));
        let change = (up - past_up).abs() + (down - past_down).abs();
        let alike = change.le((up + down) * m.lit(SAME));
        let solid = M::R::and(alike, rounding(rtol).lt(size));
        for (past, now) in self.past.into_iter().zip([up, down]) {
            m.set(past, M::R::select(tiny, now, zero));
        }
        let stalls = M::R::and(tiny, m.lit(0.5).le(theta));
        M::R::and(stalls, M::R::not(solid))
    }
}

/// Repeats `iteration` at most so many times, as long as it runs in some cell: `running` is a flag that
/// iterations clear. In cells where they no longer run they must change nothing.
#[inline(always)]
pub fn iterate<M: Machine>(m: M, most: usize, running: Array, iteration: impl Fn() + Copy) {
    m.ordered(
        m.i(0),
        m.i(most),
        #[inline(always)]
        |_| m.if_any(holds(m, running), iteration),
    );
}
