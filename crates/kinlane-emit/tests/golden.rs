//! The text itself: the C of one attempted step of a network of three species, as it was when last looked at.
//! `KINLANE_BLESS=1` writes it anew.

mod common;

use kinlane_emit::{C, Recorder, print};
use kinlane_mech::cantera;
use kinlane_plan::Plan;
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::rosenbrock::{self, Workspace};
use kinlane_solve::methods::tableau::ROS2;
use std::path::Path;

const NETWORK: &str = "
units: {length: cm, quantity: mol, activation-energy: cal/mol}
phases:
- {name: gas, thermo: ideal-gas, elements: [H, Ar], species: [H2, H, AR], kinetics: gas}
species:
- {name: H2, composition: {H: 2}, thermo: {model: constant-cp, h0: 0 cal/mol, s0: 31.2 cal/mol/K, cp0: 7 cal/mol/K}}
- {name: H, composition: {H: 1}, thermo: {model: constant-cp, h0: 52 kcal/mol, s0: 27.4 cal/mol/K, cp0: 5 cal/mol/K}}
- {name: AR, composition: {Ar: 1}, thermo: {model: constant-cp, h0: 0 cal/mol, s0: 37 cal/mol/K, cp0: 5 cal/mol/K}}
reactions:
- equation: H2 + M <=> 2 H + M
  type: three-body
  rate-constant: {A: 4.577e+19, b: -1.4, Ea: 1.044e+05}
  efficiencies: {H2: 2.5, AR: 0.0}
- {equation: H2 + AR <=> 2 H + AR, rate-constant: {A: 5.84e+18, b: -1.1, Ea: 1.044e+05}}
";

#[test]
fn three_species() {
    let network = cantera::read_str(NETWORK.to_owned(), Path::new("three.yaml"), None, &[]).unwrap();
    let plan = Plan::new(&network);
    let mut layout = plan.layout;
    let w = Workspace::new(&mut layout, plan.species + 2, &ROS2);
    let recorder = Recorder::new();
    let gas = Gas { plan: &plan, reactor: Reactor::ConstP };
    recorder.entry("attempt", |m| rosenbrock::attempt(m, gas, &ROS2, rosenbrock::controller(&ROS2), &w));
    let (cell, s, th) = (&plan.cell, plan.cell.scalars, &plan.thermo);
    let names = [
        ("pressure", cell.parameter),
        ("source", cell.source),
        ("heating", cell.heating),
        ("electron", cell.electron),
        ("conc", cell.conc),
        ("act", cell.act),
        ("t", s.t),
        ("ln_t", s.ln_t),
        ("inv_t", s.inv_t),
        ("rho", s.rho),
        ("ctot", s.ctot),
        ("ln_p", s.ln_p),
        ("tdot", s.tdot),
        ("cmix", s.cmix),
        ("wdot", cell.wdot),
        ("gibbs", th.gibbs),
        ("exp_minus", th.exp_minus),
        ("exp_plus", th.exp_plus),
        ("enthalpy", th.enthalpy),
        ("cp", th.cp),
        ("dcp", th.dcp),
        ("rate_constant", plan.kinetics.k),
        ("rate_constant_t", plan.kinetics.k_t),
        ("rate_constant_aux", plan.kinetics.k_aux),
        ("third", plan.kinetics.third.m),
        ("ln_third", plan.kinetics.third.ln_m),
        ("progress", plan.kinetics.q),
        ("slots", plan.jacobian.slots),
        ("extra", plan.jacobian.extra),
        ("progress_t", plan.jacobian.q_t),
        ("jac", plan.jacobian.values),
        ("jac_third", plan.jacobian.third),
        ("wdot_t", plan.jacobian.wdot_t),
        ("wdot_ctot", plan.jacobian.wdot_ctot),
        ("lu", plan.lu.values),
        ("inverse", plan.lu.inverse),
        ("work", plan.lu.work),
        ("x", plan.lu.x),
        ("y", w.y),
        ("y1", w.y1),
        ("f", w.f),
        ("k1", w.k[0]),
        ("k2", w.k[1]),
        ("t", w.clock.t),
        ("left", w.clock.left),
        ("h", w.clock.h),
        ("after_rejection", w.clock.after_rejection),
        ("rtol", w.clock.rtol),
        ("atol", w.clock.atol),
        ("steps", w.clock.steps),
        ("rejected", w.clock.rejected),
        ("error", w.clock.error),
    ];
    let text = print(&recorder.finish(), &plan.tables, &names, &C);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/three_species.c");
    if std::env::var_os("KINLANE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    let differ = text.lines().zip(golden.lines()).position(|(a, b)| a != b);
    assert!(
        text == golden,
        "{} differs from line {:?}; if that is meant, run with KINLANE_BLESS=1",
        path.display(),
        differ.map(|l| l + 1)
    );
}
