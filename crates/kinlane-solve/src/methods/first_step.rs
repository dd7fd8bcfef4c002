//! The first step of a cell, from how fast its variables relax.

use super::Problem;
use super::control::{Clock, Mask};
use kinlane_plan::machine::{Array, Machine, Real};

/// A first step follows a variable that is displaced by more tolerances than this.
const FOLLOWED: f64 = 15.0;
/// Its length, in time scales 1/d of a variable displaced by just that.
const TIME_SCALES: f64 = 8.0;

/// Shortens the step of cells that begin to [`first_step`], from f and J at `y`. `weights` and `diagonal` are
/// work arrays.
#[inline(always)]
pub fn shorten<M: Machine, P: Problem<M>>(
    m: M,
    p: P,
    c: &Clock,
    begins: Mask<M>,
    y: Array,
    f: Array,
    [weights, diagonal]: [Array; 2],
) {
    p.weights(m, y, m.var(c.rtol), m.var(c.atol), weights);
    p.diagonal(m, diagonal);
    m.function(
        "shorten_first",
        #[inline(always)]
        || {
            let (step, h) = (first_step(m, p.len(), f, weights, diagonal), m.var(c.h));
            m.set(c.h, M::R::select(M::R::and(begins, step.lt(h)), step, h));
        },
    );
}

/// The first step that the fastest noticeable relaxation among `n` variables allows, from their f, their
/// allowed errors w (`weights`), and the rates d at which they decay by themselves (`decay`, of either sign).
///
/// ```text
/// yᵢ' ≈ −dᵢ (yᵢ − yᵢ*),  dᵢ = |Jᵢᵢ|:   displaced by eᵢ = |fᵢ|/(dᵢ wᵢ) tolerances wᵢ
/// h = min over eᵢ > 15 of 8/dᵢ (15/eᵢ)^(1/4)
/// ```
///
/// A variable that is displaced by less need not be followed: an L-stable step damps it, however fast it is.
/// The form is that of the error of one step on the linear equation; its three numbers are fitted
/// (docs/decisions/0010).
#[inline(always)]
pub fn first_step<M: Machine>(m: M, n: usize, f: Array, weights: Array, decay: Array) -> M::R {
    // The minimum of 8/d (15/e)^(1/4) = 8 (15 w/(|f| d³))^(1/4) follows from the maximum of |f| d³/w.
    let most = m.fold(
        m.i(0),
        m.i(n),
        m.lit(0.0),
        #[inline(always)]
        |most, i| {
            let d = m.get(decay, i).abs().wide();
            let change = m.get(f, i).abs().wide() / m.get(weights, i).wide();
            let followed = (d * m.lit(FOLLOWED)).lt(change);
            M::R::select(followed, most.max(change * d * d.squared()), most)
        },
    );
    m.lit(TIME_SCALES) * (m.lit(FOLLOWED) / most).sqrt().sqrt()
}
