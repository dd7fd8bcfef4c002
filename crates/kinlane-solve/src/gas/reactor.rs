//! Homogeneous reactors: d(phi, T, sigma)/dt.
//!
//! ```text
//! dphi_k/dt = wdot_k/rho + s_k
//! dT/dt     = (Q − Σ e_k dphi_k/dt)/c,     e = h, c = cp (constant p)   or   e = u, c = cv (constant v)
//! dsigma/dt = Σ dphi_k/dt
//! ```
//!
//! Where rate constants are given with each cell, phi is what they are made for (such as number densities), and the
//! equations are those of phi alone, with rho = 1, and dT/dt = Q: T takes part in nothing, and may be a clock.
//!
//! With an imposed history, pressure or specific volume is one more variable q, with a constant dq/dt, and
//! does work on the gas:
//!
//! ```text
//! c dT/dt = Q − Σ e_k dphi_k/dt + x R T sigma,     x = d ln p/dt   or   x = −d ln v/dt
//! ```

use super::thermo::{self, Wanted};
use super::{R, kinetics};
use crate::LEAST;
use crate::options::Reactor;
use kinlane_plan::machine::{Array, Machine, Real, Reals};
use kinlane_plan::plan::Plan;

/// T, rho, Ctot and all concentrations from the state `y` = (phi, T, sigma). A phi below `depth` \[mol/kg\],
/// which is zero or nearly zero, counts as `depth` in rates, so that no radical can run away downwards.
#[inline(always)]
pub fn state<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, depth: impl Fn(M::I) -> M::R + Copy) {
    m.function(
        "state",
        #[inline(always)]
        || set_state(m, p, reactor, y, depth),
    );
}

#[inline(always)]
fn set_state<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, depth: impl Fn(M::I) -> M::R + Copy) {
    let s = p.cell.scalars;
    let n = p.species;
    let conc = p.cell.conc;
    if p.given {
        let table = p.drained;
        return m.all(
            n,
            #[inline(always)]
            |k| {
                let (x, drained) = (m.get(y, k), is_drained(m, table, k));
                m.put(conc, k, drained.map_or(depth(k).max(x), |yes| M::R::select(yes, x, depth(k).max(x))));
            },
        );
    }
    let (t, sigma) = (m.get(y, m.i(n)), m.get(y, m.i(n + 1)));
    let parameter = match p.imposed() {
        None => m.var(p.cell.parameter),
        Some(at) if reactor == Reactor::ConstV => m.get(y, m.i(at)).recip(),
        Some(at) => m.get(y, m.i(at)),
    };
    let rt = t * m.lit(R);
    let (rho, ctot) = match reactor {
        Reactor::ConstP | Reactor::FixedT => {
            let c = parameter / rt;
            (c / sigma, c)
        }
        Reactor::ConstV => (parameter, parameter * sigma),
    };
    m.set(s.t, t);
    m.set(s.ln_t, t.ln());
    m.set(s.inv_t, t.recip());
    m.set(s.rho, rho);
    m.set(s.ctot, ctot);
    if p.kinetics.needs_pressure() {
        m.set(s.ln_p, (ctot * rt).ln());
    }
    m.all(
        n,
        #[inline(always)]
        |k| m.put(conc, k, rho * depth(k).max(m.get(y, k))),
    );
}

/// Whether reactions may bring a species below zero, by [`Plan::drained`]; its amount then counts in rates whatever it is, as
/// it does in the equations.
#[inline(always)]
pub fn is_drained<M: Machine>(m: M, drained: Reals, k: M::I) -> Option<<M::R as Real>::Mask> {
    if drained.len == 0 { None } else { Some(m.lit(0.5).lt(m.real(drained, k))) }
}

/// Relative rate at which a history compresses the gas: d ln p/dt or −d ln v/dt \[1/s\].
#[inline(always)]
pub fn compression<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, imposed: usize) -> M::R {
    let rate = m.var(p.cell.slope) / m.get(y, m.i(imposed));
    if reactor == Reactor::ConstV { -rate } else { rate }
}

/// Production rates at the state.
#[inline(always)]
pub fn production<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array) {
    m.function(
        "production",
        #[inline(always)]
        || {
            progress::<M, { kinetics::NET }, false>(m, p, reactor, y, for_rates(p));
            kinetics::net_rates(m, p);
        },
    );
}

/// The thermodynamics that rates alone need.
fn for_rates(p: &Plan) -> Wanted {
    if p.kinetics.needs_enthalpy() { Wanted::Energy } else { Wanted::Gibbs }
}

/// Into the first three elements of `out` the mixture's cp \[J/(kg K)\] and enthalpy \[J/kg\], and the heat that
/// reactions release \[W/m³\]; no reaction is evaluated if that is not `wanted`.
///
/// ```text
/// cp = R Σ phi_k cp_k/R     h = Σ phi_k h_k     −Σ h_k wdot_k
/// ```
#[inline(always)]
pub fn properties<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, out: Array, wanted: bool) {
    m.function(
        "properties",
        #[inline(always)]
        || {
            if wanted {
                progress::<M, { kinetics::NET }, false>(m, p, reactor, y, Wanted::Energy);
                kinetics::net_rates(m, p);
            } else {
                state(
                    m,
                    p,
                    reactor,
                    y,
                    #[inline(always)]
                    |_| m.lit(0.0),
                );
                thermo::polynomials(m, p, Wanted::Caloric);
            }
            let enthalpies = Energies::enthalpies(p, m.var(p.cell.scalars.t));
            let sums = m.folds(
                m.i(0),
                m.i(p.species),
                [m.lit(0.0); 3],
                #[inline(always)]
                |[cp, h, released], k| {
                    let (phi, of_species) = (m.get(y, k), enthalpies.of(m, k));
                    [
                        phi.mul_add(m.get(p.thermo.cp, k), cp),
                        phi.mul_add(of_species, h),
                        released - of_species * m.get(p.cell.wdot, k),
                    ]
                },
            );
            for (i, x) in sums.into_iter().enumerate() {
                m.put(out, m.i(i), x * m.lit(R));
            }
        },
    );
}

/// The thermodynamics `wanted`, and the rates of progress at `y`.
#[inline(always)]
fn progress<M: Machine, const WHAT: u8, const SIGNED: bool>(
    m: M,
    p: &Plan,
    reactor: Reactor,
    y: Array,
    wanted: Wanted,
) {
    let (floor, depth) = (m.var(p.cell.floor), p.cell.depth);
    state(
        m,
        p,
        reactor,
        y,
        #[inline(always)]
        |k| if SIGNED { m.get(depth, k) } else { floor },
    );
    if !p.given {
        thermo::evaluate(m, p, wanted);
        kinetics::third_bodies(m, p);
    }
    kinetics::rate_constants::<M, false>(m, p);
    kinetics::progress::<M, WHAT, SIGNED>(m, p);
}

/// Forward rates of progress at `y` into `q`, reverse ones into `reverse`.
#[inline(always)]
pub fn both_ways<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array) {
    m.function(
        "both_ways",
        #[inline(always)]
        || progress::<M, { kinetics::BOTH_WAYS }, false>(m, p, reactor, y, for_rates(p)),
    );
}

/// f(y) into `f`; `SIGNED` as in [`kinetics::progress`].
#[inline(always)]
pub fn rhs<M: Machine, const SIGNED: bool>(m: M, p: &Plan, reactor: Reactor, y: Array, f: Array) {
    m.function(
        "rhs",
        #[inline(always)]
        || {
            progress::<M, { kinetics::NET }, SIGNED>(m, p, reactor, y, Wanted::Energy);
            kinetics::net_rates(m, p);
            balance(m, p, reactor, y, f);
        },
    );
}

/// f(y) into `f`, and the same as `f = q − p y`: the rate at which reactions consume a species is taken to be
/// proportional to its amount. All other variables have p = 0.
#[inline(always)]
pub fn split<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, f: Array, q: Array, decay: Array) {
    m.function(
        "split",
        #[inline(always)]
        || {
            progress::<M, { kinetics::BOTH_WAYS }, false>(m, p, reactor, y, Wanted::Energy);
            kinetics::gross_rates(m, p, q, decay);
            let wdot = p.cell.wdot;
            m.all(
                p.species,
                #[inline(always)]
                |k| m.put(wdot, k, m.get(q, k) - m.get(decay, k)),
            );
            balance(m, p, reactor, y, f);
            let (zero, tiny, conc, drained) = (m.lit(0.0), m.lit(LEAST), p.cell.conc, p.drained);
            m.all(
                p.species,
                #[inline(always)]
                |k| {
                    let rate = zero.max(m.get(decay, k)) / tiny.max(m.get(conc, k));
                    // What is taken without being needed is no decay.
                    let rate = is_drained(m, drained, k).map_or(rate, |yes| M::R::select(yes, zero, rate));
                    m.put(decay, k, rate);
                    m.put(q, k, rate.mul_add(m.get(y, k), m.get(f, k)));
                },
            );
            for k in p.species..p.lu.n {
                m.put(decay, m.i(k), zero);
                m.put(q, m.i(k), m.get(f, m.i(k)));
            }
        },
    );
}

/// Evaluates the three equations from `wdot`. Leaves dT/dt and the mixture's heat capacity for the Jacobian.
#[inline(always)]
pub fn balance<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, f: Array) {
    m.function(
        "balance",
        #[inline(always)]
        || equations(m, p, reactor, y, f),
    );
}

#[inline(always)]
fn equations<M: Machine>(m: M, p: &Plan, reactor: Reactor, y: Array, f: Array) {
    let n = p.species;
    let s = p.cell.scalars;
    let (wdot, source) = (p.cell.wdot, p.cell.source);
    if p.given {
        m.all(
            n,
            #[inline(always)]
            |k| m.put(f, k, m.get(wdot, k) + m.get(source, k)),
        );
        m.put(f, m.i(n), m.var(p.cell.heating));
        return m.put(f, m.i(n + 1), m.lit(0.0));
    }
    let inv_rho = m.var(s.rho).recip();
    m.all(
        n,
        #[inline(always)]
        |k| m.put(f, k, m.get(wdot, k).mul_add(inv_rho, m.get(source, k))),
    );
    let t = m.var(s.t);
    let energies = Energies::new(p, reactor, t);
    let [sum, c, released] = m.folds(
        m.i(0),
        m.i(n),
        [m.lit(0.0); 3],
        #[inline(always)]
        |[sum, c, released], k| {
            let rate = m.get(f, k);
            [sum + rate, m.get(y, k).mul_add(energies.slope(m, k), c), energies.of(m, k).mul_add(rate, released)]
        },
    );
    m.put(f, m.i(n + 1), sum);
    let (c, released) = (c * m.lit(R), released * m.lit(R));
    // The work of a history counts as heat.
    let released = match p.imposed() {
        None => released,
        Some(at) => {
            m.put(f, m.i(at), m.var(p.cell.slope));
            released - compression(m, p, reactor, y, at) * t * m.lit(R) * m.get(y, m.i(n + 1))
        }
    };
    let tdot = if reactor == Reactor::FixedT { m.lit(0.0) } else { (m.var(p.cell.heating) - released) / c };
    m.put(f, m.i(n), tdot);
    m.set(s.tdot, tdot);
    m.set(s.cmix, c);
}

/// Energies of the species at the cell's temperature, in units of R: e = u in a constant volume, else e = h.
#[derive(Clone, Copy)]
pub struct Energies<X> {
    enthalpy: Array,
    offset: Reals,
    cp: Array,
    /// What u = h − p v and cv = cp − R lack against h and cp, in units of R T and R.
    pv_work: X,
    t: X,
}

impl<X: Real> Energies<X> {
    /// Those that a reactor conserves, at T \[K\].
    #[inline(always)]
    pub fn new(p: &Plan, reactor: Reactor, t: X) -> Self {
        let pv_work = X::lit(if reactor == Reactor::ConstV { 1.0 } else { 0.0 });
        let th = &p.thermo;
        Self { enthalpy: th.enthalpy, offset: th.offset, cp: th.cp, pv_work, t }
    }

    /// Enthalpies at T \[K\].
    #[inline(always)]
    pub fn enthalpies(p: &Plan, t: X) -> Self {
        Self::new(p, Reactor::ConstP, t)
    }

    /// e_k/R \[K\].
    #[inline(always)]
    pub fn of<M: Machine<R = X>>(&self, m: M, k: M::I) -> X {
        (m.get(self.enthalpy, k) - self.pv_work).mul_add(self.t, m.real(self.offset, k))
    }

    /// de_k/dT/R: cp/R or cv/R.
    #[inline(always)]
    pub fn slope<M: Machine<R = X>>(&self, m: M, k: M::I) -> X {
        m.get(self.cp, k) - self.pv_work
    }
}
