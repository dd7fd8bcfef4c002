//! Conversion between the quantities that hosts have of a cell (T, p, mass fractions) and its variables phi,
//! T, sigma with their parameter.

use super::R;
use super::problem::Gas;
use crate::options::Reactor;
use kinlane_plan::machine::{Array, Machine, Real};

/// The quantity that a reactor holds constant: p \[Pa\], or at constant volume rho = p/(R T sigma) \[kg/m³\].
#[inline(always)]
pub fn parameter<N: Real>(reactor: Reactor, p: N, t: N, sigma: N) -> N {
    if reactor == Reactor::ConstV { p / (t * N::lit(R) * sigma) } else { p }
}

/// The pressure \[Pa\] of a reactor with this parameter; at constant volume rho R T sigma.
#[inline(always)]
pub fn pressure<N: Real>(reactor: Reactor, parameter: N, t: N, sigma: N) -> N {
    if reactor == Reactor::ConstV { parameter * N::lit(R) * t * sigma } else { parameter }
}

impl<F, L> Gas<'_, F, L> {
    /// Passes the variables of a state to `put`, by index: phi_k = Y_k/W_k, T, sigma, and the quantity that a
    /// history imposes, p \[Pa\] or the specific volume \[m³/kg\]. Returns the parameter.
    pub fn enter(&self, t: f64, p: f64, y: impl Fn(usize) -> f64, mut put: impl FnMut(usize, f64)) -> f64 {
        let n = self.plan.species;
        let (mut sigma, mut most) = (0.0, 0.0f64);
        for (k, w) in self.plan.molar_mass.iter().enumerate() {
            let phi = y(k) / w;
            sigma += phi;
            most = most.max((phi * w).abs());
            put(k, phi);
        }
        put(n, t);
        put(n + 1, sigma);
        if self.plan.given {
            return most;
        }
        let parameter = parameter(self.reactor, p, t, sigma);
        if let Some(q) = self.plan.imposed() {
            put(q, if self.reactor == Reactor::ConstV { 1.0 / parameter } else { parameter });
        }
        parameter
    }

    /// Passes the mass fractions of the variables to `put`. Returns T \[K\] and p \[Pa\].
    pub fn leave(&self, v: impl Fn(usize) -> f64, parameter: f64, mut put: impl FnMut(usize, f64)) -> (f64, f64) {
        let mut sigma = 0.0;
        for (k, w) in self.plan.molar_mass.iter().enumerate() {
            let phi = v(k);
            sigma += phi;
            put(k, phi * w);
        }
        let t = v(self.plan.species);
        if self.plan.given {
            return (t, parameter);
        }
        let imposed = self.plan.imposed().map(|q| if self.reactor == Reactor::ConstV { 1.0 / v(q) } else { v(q) });
        (t, pressure(self.reactor, imposed.unwrap_or(parameter), t, sigma))
    }

    /// A factor on the rate of a reaction in both directions: passes to `put` what it adds to the factor of
    /// each of its rate constants.
    pub fn perturb(&self, reaction: usize, factor: f64, mut put: impl FnMut(usize, f64)) {
        let of = self.plan.kinetics.constant.get(reaction);
        let constants = of.into_iter().flat_map(|&(forward, reverse)| [Some(forward), reverse]).flatten();
        constants.filter(|&k| k > 0).for_each(|k| put(k, factor - 1.0));
    }

    /// Passes a source of mass fractions \[1/s\] to `put`, as a source of phi \[mol/(kg s)\].
    pub fn source(&self, dydt: impl Fn(usize) -> f64, mut put: impl FnMut(usize, f64)) {
        self.plan.molar_mass.iter().enumerate().for_each(|(k, w)| put(k, dydt(k) / w));
    }

    /// As [`Gas::enter`], on a machine: mass fractions, T and p lie in the places of phi, T and the parameter
    /// and are converted there, and so are sources of mass fractions.
    #[inline(always)]
    pub fn enter_on<M: Machine>(&self, m: M, y: Array) {
        let (plan, cell, n) = (self.plan, &self.plan.cell, self.plan.species);
        m.all(
            n,
            #[inline(always)]
            |k| m.put(y, k, m.get(y, k) / m.real(plan.masses, k)),
        );
        m.all(
            n,
            #[inline(always)]
            |k| m.put(cell.source, k, m.get(cell.source, k) / m.real(plan.masses, k)),
        );
        let sigma = m.sum(
            n,
            #[inline(always)]
            |k| m.get(y, k),
        );
        m.put(y, m.i(n + 1), sigma);
        plan.fresh().for_each(|(a, x)| m.set(a, m.lit(x)));
        let excess = plan.kinetics.excess;
        if excess.len > 0 {
            m.all(
                excess.len as usize,
                #[inline(always)]
                |i| m.put(excess, i, m.lit(0.0)),
            );
        }
        if plan.given {
            let most = m.fold(
                m.i(0),
                m.i(n),
                m.lit(0.0),
                #[inline(always)]
                |most, k| (m.get(y, k) * m.real(plan.masses, k)).abs().max(most),
            );
            m.set(cell.parameter, most);
        } else if self.reactor == Reactor::ConstV {
            m.set(cell.parameter, parameter(self.reactor, m.var(cell.parameter), m.get(y, m.i(n)), sigma));
        }
    }

    /// As [`Gas::leave`], on a machine, into the same places.
    #[inline(always)]
    pub fn leave_on<M: Machine>(&self, m: M, y: Array) {
        let (plan, cell, n) = (self.plan, &self.plan.cell, self.plan.species);
        if self.reactor == Reactor::ConstV && !plan.given {
            let sigma = m.sum(
                n,
                #[inline(always)]
                |k| m.get(y, k),
            );
            m.set(cell.parameter, pressure(self.reactor, m.var(cell.parameter), m.get(y, m.i(n)), sigma));
        }
        m.all(
            n,
            #[inline(always)]
            |k| m.put(y, k, m.get(y, k) * m.real(plan.masses, k)),
        );
    }
}
