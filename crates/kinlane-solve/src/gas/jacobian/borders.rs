//! The columns and rows of T and sigma, and the column of an imposed quantity, from the species block.

use crate::gas::R;
use crate::gas::reactor::{Energies, compression};
use crate::options::Reactor;
use kinlane_plan::machine::{Array, Indices, Machine, Real};
use kinlane_plan::plan::{BORDERS, PHI_SIGMA, PHI_T, Plan, T_PHI};

/// Fills the columns and rows of T and sigma.
#[inline(always)]
pub(super) fn borders<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, f: Array) {
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
