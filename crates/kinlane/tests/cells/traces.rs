//! Species of which next to nothing is there, and sources that bring what does not react.

use crate::common;
use kinlane::{Advance, Mechanism, Reactor, Source, States};

/// Two species that meet once a second and fall apart at a rate of 1e12/s and more: A + B => D + E, D + E => A + B,
/// D + X => 2 C.
fn radicals(fast: f64) -> Mechanism {
    let thermo = "thermo: {model: constant-cp, T0: 300 K, h0: 0 J/mol, s0: 0 J/mol/K, cp0: 29 J/mol/K}";
    let species: String =
        "ABCDEX".chars().map(|s| format!("- {{name: {s}, composition: {{Ar: 1}}, {thermo}}}\n")).collect();
    // p/(R T) of 1 bar and 1000 K [mol/cm3].
    let total = 1e5 / (8.314_462_618 * 1000.0) * 1e-6;
    let reaction =
        |equation: &str, k: f64| format!("- {{equation: {equation}, rate-constant: {{A: {k:e}, b: 0, Ea: 0}}}}\n");
    let text = [
        "units: {length: cm, time: s, quantity: mol, activation-energy: cal/mol}\n",
        "phases:\n- {name: g, thermo: ideal-gas, elements: [Ar], species: [A, B, C, D, E, X], kinetics: gas}\n",
        &format!("species:\n{species}reactions:\n"),
        &reaction("A + B => D + E", 1.0 / total),
        &reaction("D + E => A + B", 27.0 * fast / total),
        &reaction("D + X => 2 C", fast / total),
    ]
    .concat();
    common::mechanism(&text)
}

#[test]
fn what_steps_leave_below_zero_does_not_stay_there() {
    // f has a radical below zero in no reaction while J has: a step kept it there, and E was wrong by a third.
    for (fast, dt, rtol, atol) in [(1e12, 1.0, 1e-2, 1e-6), (1e14, 0.01, 1e-3, 1e-8), (1e20, 0.01, 1e-6, 1e-12)] {
        let mechanism = radicals(fast);
        let there: Vec<f64> = [1e-6, 1e-4, 1e-3, 0.01, 0.03, 0.05, 0.08, 0.12].to_vec();
        let y: Vec<f64> = there
            .iter()
            .flat_map(|d| {
                let sum = 0.3 + 0.3 + 0.02 + 0.33 + d;
                [0.3, 0.3, 0.0, *d, 0.02, 0.33].map(|y| y / sum)
            })
            .collect();
        let n = there.len();
        let run = |method: &str, rtol: f64, atol: f64| {
            let mut states = States::new(&mechanism, vec![1000.0; n], vec![1e5; n], y.clone()).unwrap();
            let plan = Advance::builder(&mechanism).method(method).reactor(Reactor::FixedT).rtol(rtol).atol(atol);
            let report = plan.plan().unwrap().advance_states(&mut states, dt).unwrap();
            assert_eq!(report.failed, 0, "{method}, {fast:e}");
            states
        };
        let want = run("radau5", 1e-10, 1e-28);
        for method in ["auto", "rodas4", "ros3"] {
            let got = run(method, rtol, atol);
            for i in 0..n {
                let (got, want) = (got.y_of(i)[4], want.y_of(i)[4]);
                assert!((got / want - 1.0).abs() < 20.0 * rtol, "{method}, {fast:e}, cell {i}: {got:e}, not {want:e}");
            }
        }
    }
}

#[test]
fn quasi_steady_methods_keep_what_comes_from_outside() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let n = mechanism.species_count();
    let [o2, n2, h2] = ["O2", "N2", "H2"].map(|s| mechanism.require(s).unwrap());
    for (t, from, to, rate) in
        [(300.0, n2, o2, 1e3), (300.0, o2, n2, 1e3), (300.0, n2, h2, 1e3), (2000.0, n2, h2, 10.0)]
    {
        let mut y = vec![0.0; n];
        (y[o2], y[n2]) = (0.2, 0.8);
        let mut dydt = vec![0.0; n];
        (dydt[from], dydt[to]) = (-rate, rate);
        let run = |method: &str| {
            let mut states = States::new(&mechanism, vec![t], vec![1e5], y.clone()).unwrap();
            let mut cells = states.cells_mut();
            cells.source = Some(Source { dydt: &dydt, heating: &[0.0] });
            let mut solver = Advance::builder(&mechanism).method(method).rtol(1e-4).atol(1e-10).plan().unwrap();
            let report = solver.advance(cells, 1e-4).unwrap();
            assert!(report.failed == 0 && report.steps < 5000, "{method}, {t} K: {report:?}");
            states.y().to_vec()
        };
        let want = run("rodas5p");
        for method in ["chemeq2", "asymptotic"] {
            let got = run(method);
            assert!((got.iter().sum::<f64>() - 1.0).abs() < 1e-10, "{method}, {t} K: {got:?}");
            for k in [o2, n2] {
                let off = (got[k] - want[k]).abs();
                assert!(off < 1e-3 * want[k], "{method}, {t} K, {k}: {} is not {}", got[k], want[k]);
            }
        }
    }
}
