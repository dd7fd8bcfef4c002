//! The scalar machine with a gas cell in it.

use crate::State;
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_plan::{Layout, Plan, Scalar};
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::gas::{jacobian, reactor};

/// A cell on the scalar machine, over any number.
pub struct Oracle<'a, N> {
    plan: &'a Plan,
    reactor: Reactor,
    /// The variables: phi, T, sigma, and what a history imposes.
    pub y: Array,
    /// Their derivatives.
    pub f: Array,
    below: bool,
    arena: Vec<N>,
}

impl<'a, N: Real> Oracle<'a, N> {
    /// An empty cell.
    pub fn new(plan: &'a Plan, reactor: Reactor) -> Self {
        let mut layout: Layout = plan.layout;
        let (y, f) = (layout.array(plan.lu.n), layout.array(plan.lu.n));
        Self { plan, reactor, y, f, below: false, arena: vec![N::lit(0.0); layout.len()] }
    }

    /// From now on species below zero count as that, down to `floor` \[mol/kg\].
    pub fn admit_below(&mut self, floor: f64) {
        let depth = self.plan.cell.depth;
        let m = self.machine();
        (0..depth.len).for_each(|k| m.put(depth, k as usize, N::lit(floor)));
        self.below = true;
    }

    /// The machine, for programs of one's own.
    pub fn machine(&mut self) -> Scalar<'_, N> {
        Scalar::new(&self.plan.tables, &mut self.arena)
    }

    /// The variables of a state, and its parameter: p, or rho at constant volume.
    pub fn variables(plan: &Plan, reactor: Reactor, s: &State) -> (Vec<f64>, f64) {
        let mut v = vec![0.0; plan.lu.n];
        let parameter = Gas::new(plan, reactor).enter(s.t, s.p, |k| s.y[k], |i, x| v[i] = x);
        (v, parameter)
    }

    /// Loads variables and parameter; the electron temperature follows the gas, there is no source.
    pub fn load(&mut self, variables: &[f64], parameter: f64) {
        let (plan, y) = (self.plan, self.y);
        let m = self.machine();
        variables.iter().enumerate().for_each(|(i, &x)| m.put(y, i, N::lit(x)));
        m.set(plan.cell.parameter, N::lit(parameter));
        m.set(plan.cell.electron, N::lit(NO_ELECTRON_T));
    }

    /// Loads a state.
    pub fn load_state(&mut self, s: &State) {
        let (v, parameter) = Self::variables(self.plan, self.reactor, s);
        self.load(&v, parameter);
    }

    /// Reads an array.
    pub fn read(&mut self, a: Array) -> Vec<N> {
        self.machine().read(a)
    }

    /// f at the loaded state.
    pub fn rhs(&mut self) -> Vec<N> {
        let (plan, reactor, y, f) = (self.plan, self.reactor, self.y, self.f);
        let below = self.below;
        let m = self.machine();
        match below {
            true => reactor::rhs::<_, true>(m, plan, reactor, y, f),
            false => reactor::rhs::<_, false>(m, plan, reactor, y, f),
        }
        self.read(f)
    }

    /// Net production rates at the loaded state.
    pub fn production(&mut self) -> Vec<N> {
        let (plan, reactor, y) = (self.plan, self.reactor, self.y);
        reactor::production(self.machine(), plan, reactor, y);
        self.read(plan.cell.wdot)
    }

    /// J at the loaded state: the value of every entry of the pattern.
    pub fn jacobian(&mut self) -> Vec<N> {
        let (plan, reactor, y, f) = (self.plan, self.reactor, self.y, self.f);
        let below = self.below;
        let m = self.machine();
        match below {
            true => jacobian::rhs_and_jacobian::<_, true>(m, plan, reactor, y, f),
            false => jacobian::rhs_and_jacobian::<_, false>(m, plan, reactor, y, f),
        }
        self.read(plan.jacobian.values)
    }
}

/// (row, column) in variables of every entry of the factors, in the order of `lu.values`.
pub fn places(plan: &Plan) -> Vec<(usize, usize)> {
    let list = |t| plan.tables.list(t);
    let (order, row, col) = (list(plan.lu.order), list(plan.lu.row), list(plan.lu.col));
    (0..plan.lu.n)
        .flat_map(|i| {
            (row[i] as usize..row[i + 1] as usize).map(move |e| (order[i] as usize, order[col[e] as usize] as usize))
        })
        .collect()
}
