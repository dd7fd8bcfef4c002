//! Standard-state properties of the species at one temperature, computed by the solver's own programs.

use crate::Mechanism;
use kinlane_plan::machine::Machine;
use kinlane_plan::{Array, Scalar};
use kinlane_solve::gas::thermo::{self, Wanted};

/// Properties at one temperature. Energies are relative to reference potentials of the elements, which cancel
/// in every difference between mixtures with the same elements; true enthalpies are restored in `heat`.
#[derive(Debug)]
pub struct Standard {
    mechanism: Mechanism,
    arena: Vec<f64>,
    /// T \[K\] of the properties.
    pub t: f64,
    /// g/RT − ln(p⁰/RT), relative to the reference.
    pub gibbs: Vec<f64>,
    /// h/RT, relative to the reference.
    pub enthalpy: Vec<f64>,
    /// cp/R.
    pub cp: Vec<f64>,
    /// h/R \[K\], absolute.
    pub heat: Vec<f64>,
}

impl Standard {
    pub fn new(mechanism: &Mechanism) -> Self {
        let n = mechanism.species_count();
        let arena = vec![0.0; mechanism.plan().layout.len()];
        let zeros = || vec![0.0; n];
        let (gibbs, enthalpy, cp, heat) = (zeros(), zeros(), zeros(), zeros());
        Self { mechanism: mechanism.clone(), arena, t: f64::NAN, gibbs, enthalpy, cp, heat }
    }

    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Evaluates everything at `t` \[K\].
    pub fn set_temperature(&mut self, t: f64) {
        if self.t == t {
            return;
        }
        self.t = t;
        let plan = self.mechanism.plan();
        let m = Scalar::new(&plan.tables, &mut self.arena);
        let s = plan.cell.scalars;
        m.set(s.t, t);
        m.set(s.ln_t, t.ln());
        m.set(s.inv_t, 1.0 / t);
        thermo::evaluate(m, plan, Wanted::Energy);
        let read = |a: Array, out: &mut [f64]| out.iter_mut().enumerate().for_each(|(k, x)| *x = m.get(a, k));
        read(plan.thermo.gibbs, &mut self.gibbs);
        read(plan.thermo.enthalpy, &mut self.enthalpy);
        read(plan.thermo.cp, &mut self.cp);
        for (k, (heat, h)) in self.heat.iter_mut().zip(&self.enthalpy).enumerate() {
            *heat = h * t + m.real(plan.thermo.offset, k);
        }
    }
}
