//! Decay behind a fast equilibrium: where the error estimate of one step happens to vanish and the error does not.

mod common;

use common::mechanism;
use kinlane::{Advance, Mechanism, Reactor, States};

/// A <=> B at 1e12/s each way and B => C at 2 T/s, with T/s for A and B together.
fn pair() -> Mechanism {
    let species = |name: &str| {
        format!(
            "- {{name: {name}, composition: {{N: 1}}, thermo: {{model: constant-cp, T0: 1000 K, h0: 0 J/mol, \
             s0: 150 J/mol/K, cp0: 29 J/mol/K}}}}\n"
        )
    };
    mechanism(&format!(
        "phases:\n- {{name: pair, thermo: ideal-gas, kinetics: gas, elements: [N], species: [A, B, C]}}\nspecies:\n{}\
         reactions:\n- {{equation: A <=> B, rate-constant: {{A: 1e12, b: 0, Ea: 0}}}}\n\
         - {{equation: B => C, rate-constant: {{A: 2, b: 1, Ea: 0}}}}\n",
        ["A", "B", "C"].map(species).concat()
    ))
}

/// Of every cell the decay that it has left behind is another. In a step of a whole interval stages fall below zero, where
/// B is not there for its reaction: the last stage, the estimate, vanishes at λh = -4.302 for rodas5p, and what it leaves
/// is wrong by a quarter of all.
#[test]
fn no_decay_is_mistaken_for_one_that_is_over() {
    let m = pair();
    let (n, dt) = (12_000, 4e-3);
    let decays: Vec<f64> = (0..n).map(|i| 0.5 + 11.5 * f64::from(i) / f64::from(n - 1)).collect();
    for method in ["auto", "rodas5p", "rodas4", "rodas4p", "rodas3", "rodas3.1", "radau5", "sdirk4"] {
        for rtol in [1e-3, 1e-4] {
            let t: Vec<f64> = decays.iter().map(|z| z / dt).collect();
            let mut cells = States::new(&m, t, vec![1e5; decays.len()], [0.5, 0.5, 0.0].repeat(decays.len())).unwrap();
            let solver = Advance::builder(&m).method(method).reactor(Reactor::FixedT).rtol(rtol).atol(1e-12);
            assert_eq!(solver.plan().unwrap().advance_states(&mut cells, dt).unwrap().failed, 0, "{method}");
            for (y, z) in cells.y().chunks(3).zip(&decays) {
                let error = (y[0] / (0.5 * (-z).exp()) - 1.0).abs();
                assert!(error < 40.0 * rtol, "{method}, {rtol:e}: {} after a decay by e^-{z}, off by {error:e}", y[0]);
            }
        }
    }
}

/// Rows come from steps that begin where a long one did, and end wherever they are asked for.
#[test]
fn rows_meet_no_such_step() {
    let m = pair();
    let times: Vec<f64> = (1..=4000).map(|i| 12.5e-6 * f64::from(i)).collect();
    for end in [0.05, 0.0513, 0.0527] {
        let mut cell = States::new(&m, vec![150.0], vec![1e5], vec![0.5, 0.5, 0.0]).unwrap();
        let solver = Advance::builder(&m).method("exprb43").reactor(Reactor::FixedT).rtol(1e-3).atol(1e-12).threads(1);
        let noted = solver.follow().unwrap().advance(&mut cell, end, &times, &[]).unwrap();
        for (row, t) in noted.series.chunks(5).zip(&times) {
            let error = (row[2] / (0.5 * (-150.0 * t).exp()) - 1.0).abs();
            assert!(error < 0.04, "{t:e} s of {end} s: {}, off by {error:e}", row[2]);
        }
    }
}
