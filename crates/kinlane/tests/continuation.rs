//! Cells that go on where the last call left them.

use kinlane::{Advance, BatchError, Mechanism, States};

/// Hydrogen and air from cold to igniting.
fn states(mechanism: &Mechanism) -> States {
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let t: Vec<f64> = (0..24).map(|i| 700.0 + 50.0 * f64::from(i)).collect();
    let n = t.len();
    States::new(mechanism, t, vec![101_325.0; n], y.repeat(n)).unwrap()
}

fn bits(s: &States) -> Vec<u64> {
    s.temperature().iter().chain(s.y()).map(|x| x.to_bits()).collect()
}

#[test]
fn calls_that_go_on_give_the_bits_of_one() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    for (method, stability) in kinlane::methods().map(|m| (m.name, m.stability)) {
        let dt = if stability == "explicit" { 1e-7 } else { 4e-5 };
        let loose = ["rkc", "exp4", "exprb43", "chemeq2", "asymptotic", "heun", "backward-euler", "ros2", "rang3"]
            .contains(&method);
        let rtol = if loose { 1e-4 } else { 1e-6 };
        let plan = || {
            let plan = Advance::builder(&mechanism).method(method).rtol(rtol).atol(rtol * 1e-6).threads(2);
            if method == "rk4" { plan.first_step(1e-9) } else { plan }.plan().unwrap()
        };
        let (mut whole, mut solver) = (states(&mechanism), plan());
        let mut continuation = solver.continuation(whole.len());
        let once = solver.advance_continuing(whole.cells_mut(), &mut continuation, dt).unwrap();
        assert_eq!(once.failed, 0, "{method}");

        let (mut cut, mut solver) = (states(&mechanism), plan());
        let mut continuation = solver.continuation(cut.len());
        let mut steps = 0;
        for _ in 0..4 {
            // As through files, into another solver. A reader scales mass fractions to sum to one.
            let [t, p, y] = [cut.temperature(), cut.pressure(), cut.y()].map(<[f64]>::to_vec);
            cut = States::new(&mechanism, t, p, y).unwrap();
            let kept = continuation.numbers().to_vec();
            solver = plan();
            continuation = solver.continuation(cut.len());
            continuation.numbers_mut().copy_from_slice(&kept);
            steps += solver.advance_continuing(cut.cells_mut(), &mut continuation, dt / 4.0).unwrap().steps;
        }
        assert_eq!(bits(&cut), bits(&whole), "{method}");
        // Every call ends with a shorter step of its own.
        assert!(steps <= once.steps + 4 * 24 * 6, "{method}: {steps} steps, not {}", once.steps);

        // What the caller did not change goes on; what it did change begins anew, and is not what it was.
        cut.cells_mut().temperature[5] += 1e-3;
        solver.advance_continuing(cut.cells_mut(), &mut continuation, dt).unwrap();
        let mut more = solver.continuation(whole.len());
        more.numbers_mut().copy_from_slice(&{
            let mut fresh = plan();
            let mut states = states(&mechanism);
            let mut m = fresh.continuation(states.len());
            fresh.advance_continuing(states.cells_mut(), &mut m, dt).unwrap();
            m.numbers().to_vec()
        });
        solver.advance_continuing(whole.cells_mut(), &mut more, dt).unwrap();
        for (i, (a, b)) in cut.temperature().iter().zip(whole.temperature()).enumerate() {
            assert_eq!(a.to_bits() == b.to_bits(), i != 5, "{method}, cell {i}: {a} and {b}");
        }
    }
}

#[test]
fn a_continuation_is_for_its_cells_and_method() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let mut solver = Advance::builder(&mechanism).threads(1).plan().unwrap();
    let mut states = states(&mechanism);
    let mut few = solver.continuation(3);
    let fault = solver.advance_continuing(states.cells_mut(), &mut few, 1e-6).unwrap_err();
    assert!(fault.to_string().contains("continuation"), "{fault}");
    let mut other = Advance::builder(&mechanism).method("bdf").threads(1).plan().unwrap().continuation(states.len());
    let fault = solver.advance_continuing(states.cells_mut(), &mut other, 1e-6).unwrap_err();
    assert!(fault.to_string().contains("continuation"), "{fault}");
}

/// Clock and factors of another solver mean something else.
#[test]
fn a_continuation_of_another_solver_is_refused() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let plan = |method: &str, rtol: f64| Advance::builder(&mechanism).method(method).rtol(rtol).plan().unwrap();
    let mut continuation = plan("bdf", 1e-6).continuation(24);
    let before = states(&mechanism);
    for (method, rtol, goes_on) in [("bdf", 1e-6, true), ("ndf", 1e-6, false), ("bdf", 1e-5, false)] {
        let mut cells = states(&mechanism);
        let got = plan(method, rtol).advance_continuing(cells.cells_mut(), &mut continuation, 1e-6);
        assert_eq!(got.is_ok(), goes_on, "{method}, {rtol:e}");
        if !goes_on {
            assert_eq!(got.unwrap_err(), BatchError::ForeignContinuation);
            assert_eq!(bits(&cells), bits(&before), "touched");
        }
    }
}
