//! The curve where polynomials do not meet.
//!
//! Where one range of a polynomial ends and the next begins (a join), its enthalpy may jump past the enthalpy
//! of the inflow. Then there is a steady state neither below that temperature nor above it: below it the gas
//! would warm up, above it cool down, and the reactor stays at the join (Filippov 1988, `filippov1988`). An
//! inflow of 1000 K, where most polynomials are joined, meets such states from the start. They are the steady
//! states of a reactor whose walls hold that temperature.

use super::StirredReactor;
use super::walk::{Place, Walk};
use kinlane_solve::Reactor;

/// If the curve ends within this distance of a join \[K\], it ends at the join.
const CLOSE: f64 = 0.01;
/// A state beside a join continues one at the join if it is within this distance.
const NEAR: f64 = 0.05;

impl Walk<'_> {
    /// From `here`, where the curve ends, to the state at the join where it ends.
    pub(super) fn onto_join(&mut self, here: &Place) -> Option<Place> {
        let join = self.reactor.join_at(self.reactor.temperature(&here.v))?;
        let mut v = here.v.clone();
        self.reactor.put_temperature(&mut v, join);
        self.reactor.set_tau(here.lambda.exp());
        self.reactor.reactor = Reactor::FixedT;
        if self.reactor.newton(&mut v) {
            return Some(self.place(v, here.lambda, here.along.1.signum()));
        }
        self.reactor.reactor = Reactor::ConstP;
        None
    }

    /// From `here`, at a join, to the state beside it where the curve goes on. At an unstable state,
    /// temperatures run away to the other side.
    pub(super) fn off_join(&mut self, here: &Place) -> Option<Place> {
        let join = self.reactor.temperature(&here.v);
        self.reactor.set_tau(here.lambda.exp());
        self.reactor.reactor = Reactor::ConstP;
        for above in [true, false] {
            let mut v = here.v.clone();
            self.reactor.put_temperature(&mut v, if above { join.next_up() } else { join });
            let there = self.reactor.newton(&mut v) && self.reactor.distance(&v, &here.v) < NEAR;
            if there && above == (self.reactor.temperature(&v) > join) {
                return Some(self.place(v, here.lambda, here.along.1.signum()));
            }
        }
        None
    }
}

impl StirredReactor {
    /// The join close to `t` \[K\], if the temperature is free.
    fn join_at(&self, t: f64) -> Option<f64> {
        if self.reactor == Reactor::FixedT {
            return None;
        }
        let plan = self.mechanism.plan();
        let joins = plan.tables.get(plan.thermo.jumps.above).iter().copied();
        joins.filter(|join| (join - t).abs() < CLOSE).min_by(|a, b| (a - t).abs().total_cmp(&(b - t).abs()))
    }

    /// Whether the join no longer holds a state. It does as long as T rises below it and falls above it, or,
    /// at an unstable state, the other way round.
    pub(super) fn leaves_join(&mut self, tau: f64, v: &[f64]) -> bool {
        let held = std::mem::replace(&mut self.reactor, Reactor::ConstP);
        self.set_tau(tau);
        let t = self.temperature(v);
        let [below, above] = [t, t.next_up()].map(|t| {
            let mut v = v.to_vec();
            self.put_temperature(&mut v, t);
            self.linearise(&v)[self.mechanism.species_count()]
        });
        self.reactor = held;
        (below > 0.0) == (above > 0.0)
    }

    fn put_temperature(&self, v: &mut [f64], t: f64) {
        v[self.mechanism.species_count()] = t;
    }
}
