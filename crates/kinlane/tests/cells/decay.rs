//! Decay behind a fast equilibrium: where the error estimate of one step happens to vanish and the error does not.

use crate::common::gas;
use kinlane::{Advance, Reactor, States};

/// A and B in balance at 1e12/s, and B that decays at 2 T/s: T/s for both together.
const PAIR: &str = "
- {equation: A <=> B, rate-constant: {A: 1e12, b: 0, Ea: 0}}
- {equation: B => C, rate-constant: {A: 2, b: 1, Ea: 0}}
";

/// Of every cell the decay that it has left behind is another. In a step of a whole interval stages fall below zero, where
/// B is not there for its reaction: the last stage, the estimate, vanishes at λh = -4.302 for rodas5p, and what it leaves
/// is wrong by a quarter of all.
#[test]
fn no_decay_is_mistaken_for_one_that_is_over() {
    let m = gas(&["A", "B", "C"], PAIR);
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
    let m = gas(&["A", "B", "C"], PAIR);
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

/// A and B far out of balance at first, and E => C beside them, which goes its own way. Newton's method told how near it was by the
/// largest change, which is that of what is fast, and by how fast it had been in the step before: A and B ended anywhere.
#[test]
fn what_is_fast_does_not_hide_that_an_iteration_has_not_converged() {
    let reactions = "
- {equation: A <=> B, rate-constant: {A: 3e10, b: 0, Ea: 0}}
- {equation: E => C, rate-constant: {A: 2, b: 1, Ea: 0}}
";
    let m = gas(&["A", "B", "C", "E"], reactions);
    let (n, dt) = (12_000, 4e-3);
    // Spread evenly over all parts of A, B and E, and over what E decays by.
    let part = |i: i32, step: f64| (f64::from(i) * step).fract();
    let states: Vec<[f64; 3]> = (0..n)
        .map(|i| {
            let (a, b, e) = (part(i, 0.618_034) + 1e-5, part(i, 0.414_214) + 1e-5, part(i, 0.732_051) + 1e-5);
            [a, b, e].map(|y| y / (a + b + e))
        })
        .collect();
    let t: Vec<f64> = (0..n).map(|i| 12.0 + 2500.0 * part(i, 0.236_068).powi(2)).collect();
    let y: Vec<f64> = states.iter().flat_map(|[a, b, e]| [*a, *b, 0.0, *e]).collect();
    for method in ["radau5", "sdirk4", "bdf", "auto"] {
        for rtol in [1e-3, 1e-4] {
            let mut cells = States::new(&m, t.clone(), vec![1e5; t.len()], y.clone()).unwrap();
            let solver = Advance::builder(&m).method(method).reactor(Reactor::FixedT).rtol(rtol).atol(1e-6 * rtol);
            assert_eq!(solver.plan().unwrap().advance_states(&mut cells, dt).unwrap().failed, 0, "{method}");
            for ((y, [a, b, e]), t) in cells.y().chunks(4).zip(&states).zip(&t) {
                let half = 0.5 * (a + b);
                let left = e * (-2.0 * t * dt).exp();
                let error = (y[0] / half - 1.0).abs().max((y[1] / half - 1.0).abs()).max((y[3] - left).abs());
                assert!(error < 30.0 * rtol, "{method}, {rtol:e}: {y:?} at {t} K from {a}, {b}, {e}: off by {error:e}");
            }
        }
    }
}

/// Where the third stage of Rodas3 is zero the fourth is as well, so that its second estimate is made of the first two.
#[test]
fn nor_is_a_decay_that_is_not_linear() {
    let cubic = "- {equation: 3 B => 3 C, rate-constant: {A: 184.34743634311366, b: 2, Ea: 0}, duplicate: true}\n";
    let linear = PAIR.replace("b: 1, Ea: 0}", "b: 1, Ea: 0}, duplicate: true");
    let m = gas(&["A", "B", "C"], &(linear + cubic));
    let (n, dt) = (1001, 4e-3);
    // Two that were found among 40 000, by one step at rtol 1e-3 and at 1e-4, and their neighbours.
    let around = |x: f64| move |i: i32| x * (1.0 + 1e-7 * f64::from(i - n / 2));
    let (t, p): (Vec<f64>, Vec<f64>) =
        [(1_332.925_463_383_352, 30.402_789_879_870_73), (694.205_706_169_668_7, 18.988_052_741_509_687)]
            .into_iter()
            .flat_map(|(t, p)| (0..n).map(around(t)).map(move |t| (t, p)))
            .unzip();
    let run = |method: &str, rtol: f64| {
        let mut cells = States::new(&m, t.clone(), p.clone(), [0.5, 0.5, 0.0].repeat(t.len())).unwrap();
        let solver = Advance::builder(&m).method(method).reactor(Reactor::FixedT).rtol(rtol).atol(1e-6 * rtol);
        assert_eq!(solver.plan().unwrap().advance_states(&mut cells, dt).unwrap().failed, 0, "{method}");
        cells.y().to_vec()
    };
    let want = run("rodas5p", 1e-9);
    for method in ["auto", "rodas4", "rodas4p", "rodas3", "rodas3.1"] {
        for rtol in [1e-3, 1e-4] {
            for (i, (got, want)) in run(method, rtol).chunks(3).zip(want.chunks(3)).enumerate() {
                let error = (got[0] - want[0]).abs() / (want[0] + 1e-6);
                assert!(error < 60.0 * rtol, "{method}, {rtol:e}, cell {i}: {got:?}, not {want:?}");
            }
        }
    }
}
