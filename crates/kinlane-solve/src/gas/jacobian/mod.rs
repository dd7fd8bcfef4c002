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

mod absent;
mod borders;

use super::reactor::{balance, state};
use super::{gather, kinetics, thermo};
use crate::options::Reactor;
pub use absent::outdated;
use absent::{Absence, forget_absent};
use borders::borders;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::plan::{BORDERS, PHI_SIGMA, PHI_T, Plan, T_PHI};

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
