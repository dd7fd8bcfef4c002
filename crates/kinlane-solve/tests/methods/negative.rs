//! Mass fractions a little below zero, as transport schemes leave them behind: such cells advance, and no radical runs
//! away downwards.

use kinlane_plan::Plan;
use kinlane_solve::Options;
use kinlane_testdata::batch::{Outside, advance};
use kinlane_testdata::{State, files};

/// A method of every family that is for stiff cells.
const METHODS: [&str; 8] = ["rodas5p", "rodas4", "radau5", "bdf", "sdirk4", "exprb43", "chemeq2", "asymptotic"];
/// As deep as is let in, nearly.
const DEBT: f64 = 5e-7;

#[test]
fn a_debt_stays_or_is_paid_and_the_rest_goes_on_without() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Plan::new(&network);
    let at = |name: &str| network.species.iter().position(|s| s.name == name).unwrap();
    for (t, fuel) in [(300.0, 0.0), (1500.0, 0.028)] {
        let mut y = vec![0.0; plan.species];
        (y[at("H2")], y[at("O2")]) = (fuel, 0.226);
        y[at("N2")] = 1.0 - y.iter().sum::<f64>();
        for method in METHODS {
            let options = Options { method: Some(method.to_owned()), max_steps: 5000, ..Options::default() };
            let run =
                |y: &[f64]| advance(&plan, &options, &State { t, p: 1e5, y: y.to_vec() }, 1e-6, Outside::default());
            let (plain, _) = run(&y).unwrap_or_else(|| panic!("{method}, {t} K"));
            for owes in ["H", "O", "OH", "HO2", "H2O2", "H2O", "CO"] {
                let mut entry = y.clone();
                entry[at(owes)] -= DEBT;
                entry[at("N2")] += DEBT;
                let (end, steps) = run(&entry).unwrap_or_else(|| panic!("{method}, {t} K, {owes}"));
                let least = end.y.iter().copied().fold(0.0, f64::min);
                eprintln!("{method}, {t} K, {owes}: {steps:?} steps, least {least:e}, T off by {:e}", end.t - plain.t);
                assert!(
                    steps[0] < if ["chemeq2", "asymptotic"].contains(&method) { 4000 } else { 60 },
                    "{method}, {t} K, {owes}: {steps:?}"
                );
                assert!(least > -1.01 * DEBT, "{method}, {t} K, {owes}: {least:e}");
                assert!((end.t / plain.t - 1.0).abs() < 1e-3, "{method}, {t} K, {owes}: {} K", end.t);
            }
        }
    }
}

#[test]
fn what_a_source_takes_from_nothing_is_owed() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Plan::new(&network);
    let at = |name: &str| network.species.iter().position(|s| s.name == name).unwrap();
    let mut y = vec![0.0; plan.species];
    (y[at("O2")], y[at("N2")]) = (0.23, 0.77);
    let state = State { t: 300.0, p: 1e5, y };
    for method in METHODS {
        let options = Options { method: Some(method.to_owned()), max_steps: 1000, ..Options::default() };
        for rate in [1e-3, 1e-1] {
            let mut dydt = vec![0.0; plan.species];
            (dydt[at("H2O2")], dydt[at("N2")]) = (-rate, rate);
            let (end, _) = advance(&plan, &options, &state, 1e-6, Outside { dydt: Some(&dydt), ..Outside::default() })
                .unwrap_or_else(|| panic!("{method}, {rate}"));
            let got = end.y[at("H2O2")];
            assert!((got / (-rate * 1e-6) - 1.0).abs() < 1e-2, "{method}, {rate}: {got:e}");
        }
    }
}
