//! What recombines ends at nothing, and not below: a product of two amounts that an iteration has left below zero must not
//! consume them further.

use crate::common::mechanism;
use kinlane::{Advance, Mechanism, Reactor, States};

const ITERATING: [&str; 5] = ["bdf", "ndf", "radau5", "sdirk4", "backward-euler"];

/// One percent of hydrogen atoms in nitrogen.
#[test]
fn atoms_recombine_to_molecules() {
    let gri = Mechanism::bundled("gri30").expect("is bundled");
    let y = gri.mass_fractions_of_moles(&[("H", 0.01), ("N2", 1.0)]).expect("its species are there");
    let run = |method: &str, rtol: f64, (t, p, dt): (f64, f64, f64)| {
        let mut cell = States::new(&gri, vec![t], vec![p], y.clone()).expect("good");
        let mut solver = Advance::builder(&gri).method(method).rtol(rtol).atol(1e-12).threads(1).plan().expect("plans");
        let report = solver.advance_states(&mut cell, dt).expect("advances");
        assert_eq!(report.failed, 0, "{method} at {rtol:e}");
        (cell.temperature()[0], cell.y().iter().copied().fold(0.0, f64::min))
    };
    for at in [(600.0, 1e7, 1e4), (300.0, 1e8, 100.0)] {
        let (want, _) = run("rodas5p", 1e-8, at);
        for method in ["auto"].into_iter().chain(ITERATING) {
            let rtol = if method == "backward-euler" { 1e-4 } else { 1e-7 };
            let (got, least) = run(method, rtol, at);
            assert!(
                (got / want - 1.0).abs() < 100.0 * rtol && least > -1e-11,
                "{method}: {got} K, {least:e}; {want} K"
            );
        }
    }
}

/// One reaction of every shape, of species that are gone together.
#[test]
fn nothing_is_consumed_from_below_zero() {
    // From 1e12 to 1e17 times a second at first. (Faster than any collision: at 1e23 NDF spends its budget at 1e-3, as it did.)
    for (equation, a, order) in [
        ("2 A => B2", 1.0, 2),
        ("2 A <=> B2", 1.0, 2),
        ("A + B => B2", 0.5, 2),
        ("3 A => A + B2", 1.0, 3),
        ("A + B + AR => B2 + AR", 0.5, 2),
        ("1.5 A => 0.75 B2", 1.0, 0),
        ("2 A => 0.5 B2 + 0.5 B2", 1.0, 2),
        ("2 A => B2, orders: {A: 3.0}", 1.0, 3),
        ("A + B => B2, orders: {A: 1.0, B: 2.0}", 0.5, 3),
    ] {
        let k = 10f64.powi(if order == 3 { 18 } else { 13 });
        let text = format!(
            "units: {{length: m, quantity: mol, activation-energy: J/mol}}
phases: [{{name: g, thermo: ideal-gas, elements: [H, Ar], species: [A, B, B2, AR], kinetics: gas}}]
species:
- {{name: A, composition: {{H: 1}}, thermo: &atom {{model: constant-cp, h0: 1e5, cp0: 30}}}}
- {{name: B, composition: {{H: 1}}, thermo: *atom}}
- {{name: B2, composition: {{H: 2}}, thermo: {{model: constant-cp, cp0: 30}}}}
- {{name: AR, composition: {{Ar: 1}}, thermo: {{model: constant-cp, cp0: 30}}}}
reactions: [{{equation: {equation}, rate-constant: {{A: {k:e}, b: 0, Ea: 0}}}}]
"
        );
        let m = mechanism(&text);
        let entry = [1e-3 * a, 1e-3 * (1.0 - a), 0.0, 0.999];
        let run = |method: &str, rtol: f64, atol: f64| {
            let mut cell = States::new(&m, vec![1000.0], vec![1e5], entry.to_vec()).expect("good");
            let solver = Advance::builder(&m).method(method).reactor(Reactor::FixedT).rtol(rtol).atol(atol).threads(1);
            let report = solver.plan().expect("plans").advance_states(&mut cell, 1e3).expect("advances");
            assert_eq!(report.failed, 0, "{equation}, {method} at {rtol:e}");
            cell.y().to_vec()
        };
        let want = run("rodas5p", 1e-9, 1e-20);
        for method in ITERATING {
            for rtol in [1e-3, 1e-6, 1e-8] {
                if method == "backward-euler" && rtol < 1e-5 {
                    continue; // a million steps
                }
                let got = run(method, rtol, 1e-12);
                let off = got.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                let least = got.iter().copied().fold(0.0, f64::min);
                assert!(off < 1e-9 && least > -1e-12, "{equation}, {method} at {rtol:e}: {got:?}, not {want:?}");
            }
        }
    }
}
