//! The first step of a cell, from how fast its variables relax.

use super::Problem;
use super::control::{self, Clock, Mask};
use kinlane_plan::machine::{Array, Machine, Real};

/// A step that ends the interval follows a variable that is displaced by more tolerances than this.
pub const FOLLOWED: f64 = 15.0;
/// Where errors that die out may pass, a step that spans at most [`BEFORE`] of the interval follows those displaced by more than this.
const FOLLOWED_BEFORE: f64 = 250.0;
/// See [`FOLLOWED_BEFORE`].
const BEFORE: f64 = 0.5;
/// Length of a step, in time scales 1/d of a variable displaced by just [`FOLLOWED`] tolerances.
const TIME_SCALES: f64 = 8.0;

/// Shortens the step of cells that begin to [`first_step`], from f and J at `y`. `weights` and `diagonal` are
/// work arrays. Where only the end of the interval counts, the step may be longer, but only a part of it: what it leaves of a
/// displacement dies out in the rest (`rosenbrock::outlasting`), if the method `damps` it.
#[inline(always)]
pub fn shorten<M: Machine, P: Problem<M>>(
    m: M,
    p: P,
    c: &Clock,
    begins: Mask<M>,
    [y, f, weights, diagonal]: [Array; 4],
    damps: bool,
) {
    p.weights(m, y, m.var(c.rtol), m.var(c.atol), weights);
    p.diagonal(m, diagonal);
    m.function(
        "shorten_first",
        #[inline(always)]
        || {
            let (h, left) = (m.var(c.h), m.var(c.left));
            let whole = first_step(m, p.len(), f, weights, diagonal, FOLLOWED);
            let mut step = whole;
            if damps {
                let part = first_step(m, p.len(), f, weights, diagonal, FOLLOWED_BEFORE);
                let part = part.min(left * m.lit(BEFORE)).max(whole).min(h);
                step = M::R::select(control::holds(m, c.only_end), part, whole);
            }
            m.set(c.h, M::R::select(M::R::and(begins, whole.lt(h)), step, h));
        },
    );
}

/// The first step that the fastest noticeable relaxation among `n` variables allows, from their f, their
/// allowed errors w (`weights`), and the rates d at which they decay by themselves (`decay`, of either sign). Displacements of
/// less than `followed` tolerances do not count.
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
pub fn first_step<M: Machine>(m: M, n: usize, f: Array, weights: Array, decay: Array, followed: f64) -> M::R {
    // The minimum of 8/d (15/e)^(1/4) = 8 (15 w/(|f| d³))^(1/4) follows from the maximum of |f| d³/w.
    let most = m.fold(
        m.i(0),
        m.i(n),
        m.lit(0.0),
        #[inline(always)]
        |most, i| {
            let d = m.get(decay, i).abs().wide();
            let change = m.get(f, i).abs().wide() / m.get(weights, i).wide();
            let far = (d * m.lit(followed)).lt(change);
            M::R::select(far, most.max(change * d * d.squared()), most)
        },
    );
    m.lit(TIME_SCALES) * (m.lit(FOLLOWED) / most).sqrt().sqrt()
}
