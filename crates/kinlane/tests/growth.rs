//! What grows from nothing: steps in which a method would damp it are not taken.

use kinlane::{Advance, Mechanism, States};

/// Acetylene and air without a radical.
fn acetylene(mechanism: &Mechanism, t: &[f64], p: &[f64]) -> States {
    let y =
        mechanism.mass_fractions_of_moles(&[("C2H2", 1.0), ("O2", 2.5), ("N2", 9.4)]).expect("its species are there");
    States::new(mechanism, t.to_vec(), p.to_vec(), y.repeat(t.len())).expect("good")
}

/// Below the absolute tolerance nothing is to be seen of radicals that grow: an L-stable step over the whole interval
/// damps them, and its error estimate agrees.
#[test]
fn ignitions_are_not_stepped_over() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let (t, p) = ([900.0, 1000.0, 1000.0, 1100.0], [1e5, 1e4, 1e5, 1e6]);
    let run = |method: &str, rtol: f64, atol: f64| {
        let mut cells = acetylene(&mechanism, &t, &p);
        let mut solver =
            Advance::new(&mechanism).method(method).rtol(rtol).atol(atol).threads(1).plan().expect("plans");
        assert_eq!(solver.advance_states(&mut cells, 1.0).expect("advances").failed, 0, "{method}");
        cells.temperature().to_vec()
    };
    let want = run("rodas5p", 1e-8, 1e-18);
    assert!(want.iter().all(|&t| t > 2500.0), "{want:?}");
    for method in ["auto", "rodas5p", "rodas4", "rodas3", "radau5", "sdirk4", "bdf", "ndf"] {
        for (rtol, atol) in [(1e-6, 1e-12), (1e-4, 1e-10)] {
            let got = run(method, rtol, atol);
            let off = got.iter().zip(&want).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
            assert!(off < 1e-3, "{method}, rtol {rtol:e}: {got:?}, not {want:?}");
        }
    }
}

/// How a host cuts its time must not decide whether a gas ignites.
#[test]
fn one_call_and_many_agree() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let run = |calls: u32| {
        let mut cell = acetylene(&mechanism, &[1000.0], &[101_325.0]);
        let mut solver = Advance::new(&mechanism).threads(1).plan().expect("plans");
        for _ in 0..calls {
            assert_eq!(solver.advance_states(&mut cell, 1e-2 / f64::from(calls)).expect("advances").failed, 0);
        }
        cell.temperature()[0]
    };
    let (one, many) = (run(1), run(100));
    assert!(one > 1010.0 && (one - many).abs() < 0.1, "{one} K and {many} K");
}

/// At rest the elements' eigenvalues are zero but for rounding, whose sign means nothing.
#[test]
fn rounding_is_no_growth() {
    let mechanism = Mechanism::bundled("h2").expect("is bundled");
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("its species");
    let mut cells = States::new(&mechanism, vec![1200.0, 2500.0], vec![1e5, 1e7], y.repeat(2)).expect("good");
    let report =
        Advance::new(&mechanism).threads(1).plan().expect("plans").advance_states(&mut cells, 1e8).expect("advances");
    assert_eq!(report.failed, 0);
    assert!(report.steps < 1000 && report.rejected < 200, "{report:?}");
}
