//! Conservation of energy in an adiabatic reactor.
//!
//! ```text
//! E = Σ phi_k e_k(T),   dE/dt = Q,   e = h (constant p)   or   e = u (constant v)
//! ```
//!
//! No method conserves E, since it is not linear in (phi, T): a step loses the rounding of the equation of T,
//! or what an iteration leaves undone, times h λ. At rest, with steps of seconds, this came to hundreds of
//! kelvins. So after every accepted step T is corrected by one Newton step towards E, after which a second follows
//! where that was large; the other variables stay.
//!
//! The polynomials of a mechanism may jump at their middle temperatures, which the differential equations do
//! not show. So a step across such a temperature, from T₀ to T₁, changes E by
//! Σ phi_k (e_k(T_mid+) − e_k(T_mid−)).

use super::reactor::Energies;
use super::{R, thermo};
use crate::methods::control::{Mask, flag};
use crate::options::Reactor;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::plan::Plan;

/// Bounds on one correction, as parts of T: downwards and upwards.
const MOST: [f64; 2] = [0.7, 3.0];

/// A correction of T by more than this part of it is followed by another: what it leaves is its square.
const LARGE: f64 = 1e-4;

/// Whether this reactor conserves energy.
fn applies(p: &Plan, reactor: Reactor) -> bool {
    reactor != Reactor::FixedT && p.imposed().is_none() && !p.given
}

/// Records the energy of cells that begin.
#[inline(always)]
pub fn remember<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array) {
    if !applies(p, reactor) {
        return;
    }
    let e = p.cell.energy;
    let begins = m.var(e.known).lt(m.lit(0.5));
    m.if_any(
        begins,
        #[inline(always)]
        || {
            m.function(
                "remember_energy",
                #[inline(always)]
                || {
                    let [sum, _] = evaluate(m, p, reactor, y);
                    m.set(e.per_mass, M::R::select(begins, sum, m.var(e.per_mass)));
                    m.set(e.at, M::R::select(begins, m.get(y, m.i(p.species)), m.var(e.at)));
                    m.set(e.known, m.lit(1.0));
                },
            );
        },
    );
}

/// The energy that a step of length `h` from `y` to `y1` has lost, as the relative change of T that restores
/// it; it is kept for [`keep`]. Returned with it is the same, but at most the relative change of T in the step: at rest T
/// does not change, the loss is rounding, and the correction brings T back to where it was.
#[inline(always)]
pub fn lost<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, y1: Array, h: M::R) -> [M::R; 2] {
    if !applies(p, reactor) {
        return [m.lit(0.0); 2];
    }
    let e = p.cell.energy;
    m.function(
        "energy_lost",
        #[inline(always)]
        || {
            let [sum, c] = evaluate(m, p, reactor, y1);
            let t1 = m.get(y1, m.i(p.species));
            let due = h.mul_add(m.var(p.cell.heating), m.var(e.per_mass)) + jumped(m, p, y1, m.var(e.at), t1);
            let by = (due - sum) / (c * t1);
            // A NaN corrects nothing.
            let sound = M::R::and(by.abs().le(m.lit(f64::MAX)), m.lit(0.0).lt(c));
            m.set(e.lost, M::R::select(sound, by, m.lit(0.0)));
            m.set(e.next, due);
            m.set(e.next_at, t1);
        },
    );
    let [t, t1] = [y, y1].map(|y| m.get(y, m.i(p.species)));
    let moved = (m.var(e.lost).mul_add(t1, t1) - t) / t;
    let lost = m.var(e.lost).abs();
    [lost, lost.min(moved.abs())]
}

/// As [`lost`] at the end `y` of an accepted step, in the cells of the mask, whose composition has been corrected.
#[inline(always)]
pub fn lost_anew<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, h: M::R, which: Mask<M>) {
    if !applies(p, reactor) {
        return;
    }
    let e = p.cell.energy;
    let all = [e.lost, e.next, e.next_at];
    let before = all.map(
        #[inline(always)]
        |a| m.var(a),
    );
    lost(m, p, reactor, y, y, h);
    for (a, before) in all.into_iter().zip(before) {
        m.set(a, M::R::select(which, m.var(a), before));
    }
}

/// Where the step to `y` was `accepted`, keeps its energy; where T is to be `corrected`, restores what
/// [`lost`] has found.
#[inline(always)]
pub fn keep<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, h: M::R, accepted: Mask<M>, corrected: Mask<M>) {
    if !applies(p, reactor) {
        return;
    }
    let e = p.cell.energy;
    correct(m, p, y, corrected);
    let large = M::R::and(corrected, m.lit(LARGE).lt(m.var(e.lost).abs()));
    m.if_any(
        large,
        #[inline(always)]
        || {
            lost_anew(m, p, reactor, y, h, large);
            correct(m, p, y, large);
        },
    );
    m.set(e.per_mass, M::R::select(accepted, m.var(e.next), m.var(e.per_mass)));
    m.set(e.at, M::R::select(accepted, m.var(e.next_at), m.var(e.at)));
}

/// Changes T in the cells of the mask by what was found to be lost.
#[inline(always)]
fn correct<M: Machine>(m: M, p: &Plan, y: Array, which: Mask<M>) {
    let t = m.get(y, m.i(p.species));
    let by = m.lit(MOST[1]).min(m.lit(-MOST[0]).max(m.var(p.cell.energy.lost)));
    m.put(y, m.i(p.species), M::R::select(which, by.mul_add(t, t), t));
}

/// Change of E \[J/kg\] due to jumps of the polynomials between two temperatures, for the composition of `y`.
#[inline(always)]
fn jumped<M: Machine>(m: M, p: &Plan, y: Array, from: M::R, to: M::R) -> M::R {
    let jumps = &p.thermo.jumps;
    let above = |t: M::R, i: M::I| flag::<M::R>(m.real(jumps.above, i).lt(t));
    let sum = m.sum(
        jumps.species.len as usize,
        #[inline(always)]
        |i| {
            let crossed = above(to, i) - above(from, i);
            crossed * m.real(jumps.height, i) * m.get(y, m.index(jumps.species, i))
        },
    );
    sum * m.lit(R)
}

/// E \[J/kg\] and its derivative with respect to T \[J/(kg K)\], into the first two elements of `out`.
#[inline(always)]
pub fn energy_and_slope<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, out: Array) {
    m.function(
        "energy_and_slope",
        #[inline(always)]
        || {
            for (i, x) in evaluate(m, p, reactor, y).into_iter().enumerate() {
                m.put(out, m.i(i), x);
            }
        },
    );
}

/// E \[J/kg\] and its derivative with respect to T \[J/(kg K)\].
#[inline(always)]
fn evaluate<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array) -> [M::R; 2] {
    let (s, t) = (p.cell.scalars, m.get(y, m.i(p.species)));
    m.set(s.t, t);
    if !p.thermo.nasa9.is_empty() {
        m.set(s.ln_t, t.ln());
    }
    m.set(s.inv_t, t.recip());
    thermo::polynomials(m, p, thermo::Wanted::Caloric);
    let energies = Energies::new(p, reactor, t);
    let [sum, c] = m.folds(
        m.i(0),
        m.i(p.species),
        [m.lit(0.0); 2],
        #[inline(always)]
        |[sum, c], k| {
            let phi = m.get(y, k);
            [energies.of(m, k).mul_add(phi, sum), phi.mul_add(energies.slope(m, k), c)]
        },
    );
    [sum * m.lit(R), c * m.lit(R)]
}
