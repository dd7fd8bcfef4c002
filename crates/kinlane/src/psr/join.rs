//! The curve where polynomials do not meet.
//!
//! Where one range of a polynomial gives way to the next its enthalpy may jump, past the enthalpy of the inflow. Then there
//! is a steady state neither below that temperature nor above it: below the gas would warm up, above it would cool down,
//! and a reactor stays where the two meet (Filippov 1988, `filippov1988`). An inflow of 1000 K, where most polynomials are
//! joined, comes upon such states from the beginning. They are those of a reactor whose walls hold that temperature.

use super::StirredReactor;
use super::walk::{Place, Walk};
use kinlane_solve::Reactor;

/// The curve ends so close to a join that ends at it \[K\].
const CLOSE: f64 = 0.01;
/// A state beside the join so near to that at it goes on from it.
const NEAR: f64 = 0.05;

impl Walk<'_> {
    /// From `here`, where the curve ends, onto the join that it ends at.
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

    /// From `here`, at a join, to the side of it where the curve goes on: where temperatures run away from a state that is
    /// unstable, it is not the side that they run to.
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
    /// The join close to `t` \[K\], if temperatures are free.
    fn join_at(&self, t: f64) -> Option<f64> {
        if self.reactor == Reactor::FixedT {
            return None;
        }
        let plan = self.mechanism.plan();
        let joins = plan.tables.get(plan.thermo.jumps.above).iter().copied();
        joins.filter(|join| (join - t).abs() < CLOSE).min_by(|a, b| (a - t).abs().total_cmp(&(b - t).abs()))
    }

    /// Whether temperatures hold a state at a join no more: they rise below and fall above as long as they do, or the other way
    /// round where it is unstable.
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
