//! The text itself, in every language: one attempted step of a network of three species, as it was when last looked at.
//! `KINLANE_BLESS=1` writes it anew.

use crate::common::attempt;
use kinlane_emit::{C, CUDA, OPENCL, Recorder, print};
use kinlane_mech::cantera;
use kinlane_plan::{Plan, Precision};
use kinlane_solve::Reactor;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::{Method, Stepper};
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
  rate-constant: {A: 4.577e+19, b: -1.4, Ea: 7.0e+04}
  efficiencies: {H2: 2.5, AR: 0.0}
- {equation: H2 + AR <=> 2 H + AR, rate-constant: {A: 5.84e+18, b: -1.1, Ea: 1.044e+05}}
";

#[test]
fn three_species() {
    let network = cantera::read_str(NETWORK.to_owned(), Path::new("three.yaml"), None, &[]).unwrap();
    let plan = Plan::new(&network);
    let mut layout = plan.layout;
    let method = Method::find("ros2").unwrap();
    let gas = Gas::new(&plan, Reactor::ConstP);
    let w = Stepper::new(&mut layout, method, gas.dimensions());
    let names: Vec<_> = plan.arrays().into_iter().chain(w.arrays()).collect();
    let program = |precision| {
        let recorder = Recorder::with(precision);
        recorder.entry("attempt", |m| attempt(m, &w, gas));
        recorder.finish()
    };
    let [double, mixed, single] = Precision::ALL.map(program);
    for (program, dialect, end) in [
        (&double, C, "c"),
        (&double, OPENCL, "cl"),
        (&double, CUDA, "cu"),
        (&double, OPENCL.grouped(), "group.cl"),
        (&mixed, OPENCL, "mixed.cl"),
        (&mixed, CUDA.grouped(), "mixed.group.cu"),
        (&single, OPENCL, "single.cl"),
    ] {
        compare(&print(program, &plan.tables, &names, &dialect), &format!("three_species.{end}"));
    }
}

fn compare(text: &str, file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    if std::env::var_os("KINLANE_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
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
