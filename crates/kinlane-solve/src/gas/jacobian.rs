//! The exact Jacobian of the reactors, in the variables (phi, T, sigma).
//!
//! With q the rates of progress, C = rho phi and everything at constant C unless said otherwise,
//!
//! ```text
//! ∂f_k/∂phi_j = ∂wdot_k/∂C_j
//! constant p:  rho = p/(R T sigma), Ctot = p/(RT); G_k = Σ_j phi_j ∂wdot_k/∂C_j − wdot_k/rho
//!   ∂f_k/∂sigma = −G_k/sigma        ∂f_k/∂T = (∂wdot_k/∂T − (Ctot/T) ∂wdot_k/∂Ctot)/rho − G_k/T
//! constant v:  Ctot = rho sigma
//!   ∂f_k/∂sigma = ∂wdot_k/∂Ctot     ∂f_k/∂T = (∂wdot_k/∂T)/rho
//! ```
//!
//! and the rows of T and sigma follow by differentiating their equations. An imposed pressure or specific volume q
//! scales rho and Ctot together:
//!
//! ```text
//!   ∂f_k/∂q = ±(G_k + sigma ∂wdot_k/∂Ctot)/q,     + for p, − for v
//! ```

use super::reactor::{Energies, balance, compression, is_drained, state};
use super::{R, gather, kinetics, thermo};
use crate::LEAST;
use crate::options::Reactor;
use kinlane_plan::machine::{Array, Indices, Machine, Real, Reals};
use kinlane_plan::plan::{BORDERS, PHI_SIGMA, PHI_T, Plan, SIGMA_PHI, T_PHI};

/// `depth` \[mol/kg\] of a species that owes but is not below zero: in effect rates are cut at zero. The
/// bound is not zero itself, so that at φ = 0 `φ < depth` is false and J keeps the column.
const HARDLY: f64 = 1e-30;

/// f(y) into `f`, and J(y) into the plan's `jacobian.values`; `SIGNED` as in [`kinetics::progress`].
#[inline(always)]
pub fn rhs_and_jacobian<M: Machine, const SIGNED: bool>(m: M, p: &Plan, reactor: Reactor, y: Array, f: Array) {
    m.function(
        "jacobian_slots",
        #[inline(always)]
        || {
            let (floor, absence) = (m.var(p.cell.floor), Absence::of(m, p));
            state(
                m,
                p,
                reactor,
                y,
                #[inline(always)]
                |k| if SIGNED { absence.above(m, k) } else { floor },
            );
            if !p.given {
                thermo::evaluate(m, p, thermo::Wanted::Derivative);
                kinetics::third_bodies(m, p);
            }
            kinetics::rate_constants::<M, true>(m, p);
            kinetics::progress::<M, { kinetics::JACOBIAN }, SIGNED>(m, p);
            if SIGNED && !p.given {
                kinetics::partner_activities(m, p);
            }
            kinetics::net_rates(m, p);
            balance(m, p, reactor, y, f);
        },
    );
    m.function(
        "jacobian_entries",
        #[inline(always)]
        || {
            let j = &p.jacobian;
            gather::products(m, &j.products, [j.rates, p.cell.act, p.thermo.exp_plus], j.values);
            gather::add(m, &j.species, j.slots, j.values);
            if p.given {
                return;
            }
            gather::gather(m, &j.third_gather, j.extra, j.third);
            gather::spread(m, &j.third_spread, j.third, j.values);
            gather::gather(m, &p.kinetics.wdot, j.q_t, j.wdot_t);
            gather::gather(m, &j.ctot_q, j.extra, j.wdot_ctot);
            let (by_total, inv_ctot) = (j.wdot_ctot, m.var(p.cell.scalars.ctot).recip());
            if p.kinetics.needs_pressure() {
                m.all(
                    p.species,
                    #[inline(always)]
                    |k| m.put(by_total, k, m.get(by_total, k) * inv_ctot),
                );
            }
            gather::spread(m, &j.ctot_third, j.third, by_total);
        },
    );
    forget_absent::<M, SIGNED>(m, p, y, f);
    if !p.given {
        m.function(
            "jacobian_borders",
            #[inline(always)]
            || borders(m, p, reactor, y, f),
        );
    }
}

/// The phi below which each species counts as absent.
#[derive(Clone, Copy)]
struct Absence<R> {
    owing: Array,
    drained: Reals,
    /// Zero before a cell has begun: then no species owes, and rates are those of any state.
    begun: R,
    depth: Array,
    noise: R,
}

impl<R: Real> Absence<R> {
    #[inline(always)]
    fn of<M: Machine<R = R>>(m: M, p: &Plan) -> Self {
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
    fn above<M: Machine<R = R>>(&self, m: M, k: M::I) -> R {
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
fn forget_absent<M: Machine, const SIGNED: bool>(m: M, p: &Plan, y: Array, f: Array) {
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

/// What the column of an imposed quantity q needs.
#[derive(Clone, Copy)]
struct Driven<R> {
    /// ±1/q, the factor on the column of q in the rows of species.
    factor: R,
    /// 1/q.
    by_q: R,
    /// Relative rate at which the history compresses the gas \[1/s\]; see [`compression`].
    x: R,
}

/// Index of an entry of the `k`-th species in the columns and rows of T and sigma; `which` names the column
/// or row.
#[inline(always)]
fn at<M: Machine>(m: M, p: &Plan, k: M::I, which: usize) -> M::I {
    m.index(p.jacobian.border, k * BORDERS + which)
}

/// g_k = Σ_j J_kj φ_j − ẇ_k/ρ, stored where the column of sigma will be, and Σ_k e_k J_kj, which is added to
/// `heat`.
#[inline(always)]
fn species_block<M: Machine>(m: M, p: &Plan, energies: Energies<M::R>, inv_rho: M::R, y: Array) {
    let block = Block::of(p);
    if m.in_groups() {
        // First the threads share each row in turn; then each thread takes whole rows.
        m.ordered(
            m.i(0),
            m.i(p.species),
            #[inline(always)]
            |k| {
                let e = energies.of(m, k);
                let (first, last) = block.row(m, k);
                m.each(
                    first,
                    last,
                    #[inline(always)]
                    |i| {
                        block.add_heat(m, e, i);
                    },
                );
            },
        );
        m.all(
            p.species,
            #[inline(always)]
            |k| {
                block.times(
                    m,
                    k,
                    inv_rho,
                    y,
                    #[inline(always)]
                    |i| block.entry(m, i),
                );
            },
        );
    } else {
        m.ordered(
            m.i(0),
            m.i(p.species),
            #[inline(always)]
            |k| {
                let e = energies.of(m, k);
                block.times(
                    m,
                    k,
                    inv_rho,
                    y,
                    #[inline(always)]
                    |i| block.add_heat(m, e, i),
                );
            },
        );
    }
}

/// The species block of J by rows, copied out of the plan: the compiler cannot exclude that a store to the
/// arena changes the plan.
#[derive(Clone, Copy)]
struct Block {
    row_ptr: Indices,
    rows: Indices,
    border: Indices,
    values: Array,
    heat: Array,
    wdot: Array,
}

impl Block {
    fn of(p: &Plan) -> Self {
        let j = &p.jacobian;
        let (row_ptr, rows, border) = (j.row_ptr, j.rows, j.border);
        Self { row_ptr, rows, border, values: j.values, heat: j.heat, wdot: p.cell.wdot }
    }

    /// Range of the entries of a row.
    #[inline(always)]
    fn row<M: Machine>(&self, m: M, k: M::I) -> (M::I, M::I) {
        (m.index(self.row_ptr, k), m.index(self.row_ptr, k + 1))
    }

    /// The value of an entry and its column.
    #[inline(always)]
    fn entry<M: Machine>(&self, m: M, i: M::I) -> (M::R, M::I) {
        (m.get(self.values, m.index(self.rows, i * 2)), m.index(self.rows, i * 2 + 1))
    }

    /// The same; also adds e times the value to the heat of the column.
    #[inline(always)]
    fn add_heat<M: Machine>(&self, m: M, e: M::R, i: M::I) -> (M::R, M::I) {
        let (x, column) = self.entry(m, i);
        m.put(self.heat, column, e.mul_add(x, m.get(self.heat, column)));
        (x, column)
    }

    /// g of a row, from the entries that `entry` gives.
    #[inline(always)]
    fn times<M: Machine>(&self, m: M, k: M::I, inv_rho: M::R, y: Array, entry: impl Fn(M::I) -> (M::R, M::I)) {
        let (first, last) = self.row(m, k);
        let g = m.fold(
            first,
            last,
            -(m.get(self.wdot, k) * inv_rho),
            #[inline(always)]
            |g, i| {
                let (x, column) = entry(i);
                x.mul_add(m.get(y, column), g)
            },
        );
        m.put(self.values, m.index(self.border, k * BORDERS + PHI_SIGMA), g);
    }
}

/// Fills the columns and rows of T and sigma.
#[inline(always)]
fn borders<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, f: Array) {
    let n = p.species;
    let s = p.cell.scalars;
    let j = &p.jacobian;
    let (values, by_t, by_total) = (j.values, j.wdot_t, j.wdot_ctot);
    let (t, inv_t, rho, ctot) = (m.var(s.t), m.var(s.inv_t), m.var(s.rho), m.var(s.ctot));
    let sigma = m.get(y, m.i(n + 1));
    let (inv_rho, inv_sigma) = (rho.recip(), sigma.recip());
    let heat = j.heat;
    let [tt, ts, st, ss] = j.corner;
    let energies = Energies::new(p, reactor, t);
    let fixed = reactor == Reactor::FixedT;
    let (tdot, scale) = (m.var(s.tdot), if fixed { m.lit(0.0) } else { m.lit(-R) / m.var(s.cmix) });
    let driven = p.imposed().map(
        #[inline(always)]
        |at| {
            let by_q = m.get(y, m.i(at)).recip();
            let factor = if reactor == Reactor::ConstV { -by_q } else { by_q };
            Driven { factor, by_q, x: compression(m, p, reactor, y, at) }
        },
    );
    // c dT/dt = Q − Σ e_k f_k
    m.all(
        n,
        #[inline(always)]
        |k| m.put(heat, k, energies.slope(m, k) * tdot),
    );
    species_block(m, p, energies, inv_rho, y);
    m.all(
        n,
        #[inline(always)]
        |k| {
            let g = m.get(values, at(m, p, k, PHI_SIGMA));
            if let Some(Driven { factor, .. }) = driven {
                m.put(values, m.index(j.imposed, k), sigma.mul_add(m.get(by_total, k), g) * factor);
            }
            if reactor == Reactor::ConstV {
                m.put(values, at(m, p, k, PHI_T), m.get(by_t, k) * inv_rho);
                m.put(values, at(m, p, k, PHI_SIGMA), m.get(by_total, k));
            } else {
                m.put(values, at(m, p, k, PHI_SIGMA), -(g * inv_sigma));
                let a = m.get(by_t, k) - ctot * inv_t * m.get(by_total, k);
                m.put(values, at(m, p, k, PHI_T), a * inv_rho - g * inv_t);
            }
            m.put(values, at(m, p, k, T_PHI), m.get(heat, k) * scale);
        },
    );
    let [sum_t, sum_s, heat_t, heat_s, by_e, by_c] = sums(m, p, energies, y, f);
    m.put(values, m.i(st), sum_t);
    m.put(values, m.i(ss), sum_s);
    let (mut in_t, mut in_sigma) = (heat_t + by_e, heat_s);
    if let Some(driven) = driven {
        let work = driven_ends(m, p, driven, energies, t, sigma, scale);
        (in_t, in_sigma) = (in_t - driven.x * sigma, in_sigma - work);
    }
    m.put(values, m.i(tt), by_c.mul_add(tdot, in_t) * scale);
    m.put(values, m.i(ts), in_sigma * scale);
}

/// Sums over the columns of T and of sigma, and the same weighted by e_k; and two more parts of
/// ∂(c dT/dt)/∂T: Σ (de/dT) f and dc/dT.
#[inline(always)]
fn sums<M: Machine>(m: M, p: &Plan, energies: Energies<M::R>, y: Array, f: Array) -> [M::R; 6] {
    let (values, dcp) = (p.jacobian.values, p.thermo.dcp);
    m.folds(
        m.i(0),
        m.i(p.species),
        [m.lit(0.0); 6],
        #[inline(always)]
        |[sum_t, sum_s, heat_t, heat_s, by_e, by_c], k| {
            let (x, z) = (m.get(values, at(m, p, k, PHI_T)), m.get(values, at(m, p, k, PHI_SIGMA)));
            let e = energies.of(m, k);
            [
                sum_t + x,
                sum_s + z,
                e.mul_add(x, heat_t),
                e.mul_add(z, heat_s),
                energies.slope(m, k).mul_add(m.get(f, k), by_e),
                m.get(y, k).mul_add(m.get(dcp, k), by_c),
            ]
        },
    )
}

/// The column of the imposed quantity in the rows of T and sigma. With a history, c dT/dt contains the work
/// x R T sigma; returns x T.
#[inline(always)]
fn driven_ends<M: Machine>(
    m: M,
    p: &Plan,
    driven: Driven<M::R>,
    energies: Energies<M::R>,
    t: M::R,
    sigma: M::R,
    scale: M::R,
) -> M::R {
    let (values, imposed) = (p.jacobian.values, p.jacobian.imposed);
    let [sum_q, heat_q] = m.folds(
        m.i(0),
        m.i(p.species),
        [m.lit(0.0); 2],
        #[inline(always)]
        |[sum, heat], k| {
            let z = m.get(values, m.index(imposed, k));
            [sum + z, energies.of(m, k).mul_add(z, heat)]
        },
    );
    let work = driven.x * t;
    m.put(values, m.index(imposed, m.i(p.species + 1)), sum_q);
    m.put(values, m.index(imposed, m.i(p.species)), (work * sigma).mul_add(driven.by_q, heat_q) * scale);
    work
}

/// d(dY/dt, dT/dt)/d(Y, T), row-major, from the `values` of [`Plan::jacobian`] in the plan's variables: φ_j = Y_j/W_j,
/// σ = Σ φ_j, T. Where rate constants are given, nothing depends on T.
pub fn of_mass_fractions(plan: &Plan, values: impl Fn(usize) -> f64, out: &mut [f64]) {
    let n = plan.species;
    out.fill(0.0);
    let (w, j) = (&plan.molar_mass, &plan.jacobian);
    let border = plan.tables.list(j.border);
    let value = |at: u32| values(at as usize);
    let (ptr, rows) = (plan.tables.list(j.row_ptr), plan.tables.list(j.rows));
    let [tt, ts, ..] = j.corner;
    for k in 0..n {
        let row = k * (n + 1);
        let sigma = border.get(BORDERS * k + PHI_SIGMA).map_or(0.0, |&at| value(at));
        for c in 0..n {
            out[row + c] = sigma * w[k] / w[c];
        }
        for e in ptr[k] as usize..ptr[k + 1] as usize {
            let c = rows[2 * e + 1] as usize;
            out[row + c] += value(rows[2 * e]) * w[k] / w[c];
        }
    }
    if plan.given {
        return;
    }
    let by_sigma = values(ts);
    for k in 0..n {
        let row = k * (n + 1);
        out[row + n] = value(border[BORDERS * k + PHI_T]) * w[k];
        out[n * (n + 1) + k] = (value(border[BORDERS * k + T_PHI]) + by_sigma) / w[k];
    }
    out[n * (n + 1) + n] = values(tt);
}
