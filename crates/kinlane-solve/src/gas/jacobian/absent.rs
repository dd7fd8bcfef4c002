//! Species that are absent: they have no column in the Jacobian (docs/decisions/0015).

use crate::LEAST;
use crate::gas::reactor::is_drained;
use kinlane_plan::machine::{Array, Machine, Real, Reals};
use kinlane_plan::plan::{BORDERS, Plan, SIGMA_PHI};

/// `depth` \[mol/kg\] of a species that owes but is not below zero: in effect rates are cut at zero. The
/// bound is not zero itself, so that at φ = 0 `φ < depth` is false and J keeps the column.
const HARDLY: f64 = 1e-30;

/// The phi below which each species counts as absent.
#[derive(Clone, Copy)]
pub(super) struct Absence<R> {
    owing: Array,
    drained: Reals,
    /// Zero before a cell has begun: then no species owes, and rates are those of any state.
    begun: R,
    depth: Array,
    noise: R,
}

impl<R: Real> Absence<R> {
    #[inline(always)]
    pub(super) fn of<M: Machine<R = R>>(m: M, p: &Plan) -> Self {
        let (begun, noise) = (m.var(p.cell.begun), m.var(p.cell.noise));
        Self { owing: p.cell.owing, drained: p.drained, begun, depth: p.cell.depth, noise }
    }

    #[inline(always)]
    fn owes<M: Machine<R = R>>(&self, m: M, k: M::I) -> R::Mask {
        m.lit(0.0).lt(m.get(self.owing, k) * self.begun)
    }

    /// The phi at which a species is cut from below in rates: that to which noise brings species, but zero
    /// where it owes. A debt that reacted would take from other species, in every step anew where a source
    /// drains it.
    #[inline(always)]
    pub(super) fn above<M: Machine<R = R>>(&self, m: M, k: M::I) -> R {
        R::select(self.owes(m, k), m.lit(0.0), self.noise)
    }

    /// Whether J has no column for a species, because it is below its `depth` or, with rates cut at zero,
    /// deeper than noise or owing and below zero. There is none either for a species that owes, is not there
    /// at all and is not made: with a column a Rosenbrock step would borrow from what is not there, and what
    /// grows from next to nothing would start from that.
    #[inline(always)]
    fn is_absent<M: Machine<R = R>, const SIGNED: bool>(&self, m: M, at: [Array; 2], k: M::I) -> R::Mask {
        let absent = self.is_below::<M, SIGNED>(m, at, k);
        is_drained(m, self.drained, k).map_or(absent, |yes| R::and(absent, R::not(yes)))
    }

    #[inline(always)]
    fn is_below<M: Machine<R = R>, const SIGNED: bool>(&self, m: M, [y, f]: [Array; 2], k: M::I) -> R::Mask {
        let x = m.get(y, k);
        if SIGNED {
            return x.lt(m.get(self.depth, k));
        }
        let zero = m.lit(0.0);
        let unmade = R::and(x.le(zero), m.get(f, k).le(zero));
        let owes = R::and(self.owes(m, k), R::or(x.lt(zero), unmade));
        R::or(x.lt(self.noise), owes)
    }

    /// Sets `depth`; a φ below it counts as `depth` in rates until the next J: where methods iterate, f and J
    /// must agree that long. Of a species that does not owe it is `noise`. Of one that owes: below zero,
    /// `noise` if it is no deeper than `slight` and f brings it back, else zero; elsewhere `HARDLY` below
    /// zero; but just above zero where it is neither there nor made, so that it counts as absent. A drained species
    /// never counts as anything but what it is.
    #[inline(always)]
    fn keep<M: Machine<R = R>>(&self, m: M, p: &Plan, y: Array, f: Array) {
        let (zero, slight) = (m.lit(0.0), m.var(p.cell.slight));
        m.all(
            p.species,
            #[inline(always)]
            |k| {
                let x = m.get(y, k);
                let comes_back = R::and(slight.le(x), zero.le(m.get(f, k)));
                let below = R::select(comes_back, self.noise, zero);
                let there = R::select(R::and(x.le(zero), m.get(f, k).le(zero)), m.lit(LEAST), m.lit(-HARDLY));
                let drained = R::select(x.lt(zero), below, there);
                let depth = R::select(self.owes(m, k), drained, self.noise);
                m.put(
                    self.depth,
                    k,
                    is_drained(m, self.drained, k).map_or(depth, |yes| R::select(yes, m.lit(f64::MIN), depth)),
                );
            },
        );
    }
}

/// Sets the columns of absent species in J to zero. Nothing depends on a species further below zero than
/// noise brings it; with its column, a step would be held down to a decay that does not take place. At the
/// level of noise the column stays, since the decay keeps a stiff species where it is; but not for a species
/// that owes, whose debt J would have in reactions and f would not, step by step (docs/decisions/0015).
#[inline(always)]
pub(super) fn forget_absent<M: Machine, const SIGNED: bool>(m: M, p: &Plan, y: Array, f: Array) {
    let (row_ptr, rows, values, border) = (p.jacobian.row_ptr, p.jacobian.rows, p.jacobian.values, p.jacobian.border);
    let (zero, absence) = (m.lit(0.0), Absence::of(m, p));
    if SIGNED {
        absence.keep(m, p, y, f);
    }
    let absent = m.fold(
        m.i(0),
        m.i(p.species),
        zero,
        #[inline(always)]
        |most, k| M::R::select(absence.is_absent::<M, SIGNED>(m, [y, f], k), m.lit(1.0), most),
    );
    m.if_any(
        zero.lt(absent),
        #[inline(always)]
        || {
            m.function(
                "forget_absent",
                #[inline(always)]
                || {
                    m.each(
                        m.index(row_ptr, m.i(0)),
                        m.index(row_ptr, m.i(p.species)),
                        #[inline(always)]
                        |i| {
                            let (at, column) = (m.index(rows, i * 2), m.index(rows, i * 2 + 1));
                            let is_absent = absence.is_absent::<M, SIGNED>(m, [y, f], column);
                            m.put(values, at, M::R::select(is_absent, zero, m.get(values, at)));
                        },
                    );
                    // The row of sigma remains the sum of the others; where rate constants are given it is empty.
                    m.all(
                        if p.given { 0 } else { p.species },
                        #[inline(always)]
                        |k| {
                            let at = m.index(border, k * BORDERS + SIGMA_PHI);
                            let is_absent = absence.is_absent::<M, SIGNED>(m, [y, f], k);
                            m.put(values, at, M::R::select(is_absent, zero, m.get(values, at)));
                        },
                    );
                },
            );
        },
    );
}

/// Whether f and J no longer agree: a species that owes has risen above zero since J was evaluated without
/// its column, or has fallen below its `depth`.
#[inline(always)]
pub fn outdated<M: Machine>(m: M, p: &Plan, y: Array) -> <M::R as Real>::Mask {
    let (owing, depth, zero, one) = (p.cell.owing, p.cell.depth, m.lit(0.0), m.lit(1.0));
    let most = m.fold(
        m.i(0),
        m.i(p.species),
        zero,
        #[inline(always)]
        |most, k| {
            let (x, depth) = (m.get(y, k), m.get(depth, k));
            let [back, below] = [zero.lt(x), x.lt(depth)].map(|mask| M::R::select(mask, one, zero));
            let differs = M::R::select(zero.le(depth), back, below);
            M::R::select(zero.lt(m.get(owing, k)), differs.max(most), most)
        },
    );
    zero.lt(most)
}
