//! Rates with species to powers below one, whose slope has no bound towards zero.

use crate::common::gas;
use kinlane::{Advance, Reactor, States};

/// What is made at 1/s reacts at a rate that does not depend on how much of it there is: B = 1 - e^-t - r t, as long as that grows.
/// A Rosenbrock method keeps B at zero in one step, since J says that B decays at once there.
#[test]
fn what_is_made_of_nothing_stays_where_its_rate_is_bounded() {
    let (dt, p, t): (f64, f64, f64) = (1.0, 1e7, 300.0);
    // mol/m3
    let all: f64 = p / (8.314_462_618_153_24 * t);
    for order in [0.0, 0.1] {
        let rate = 0.1 * all.powf(1.0 - order);
        let reactions = format!(
            "
- {{equation: A => B, rate-constant: {{A: 1, b: 0, Ea: 0}}}}
- {{equation: B => C, rate-constant: {{A: {}, b: 0, Ea: 0}}, orders: {{B: {order}}}}}
",
            rate
        );
        let m = gas(&["A", "B", "C"], &reactions);
        let run = |method: &str, rtol: f64, atol: f64| {
            let mut cell = States::new(&m, vec![t], vec![p], vec![1.0, 0.0, 0.0]).unwrap();
            let solver = Advance::builder(&m).method(method).reactor(Reactor::FixedT).rtol(rtol).atol(atol).threads(1);
            assert_eq!(solver.plan().unwrap().advance_states(&mut cell, dt).unwrap().failed, 0, "{method}");
            cell.y().to_vec()
        };
        let exact = if order == 0.0 { vec![(-dt).exp(), 0.9 - (-dt).exp(), 0.1] } else { run("radau5", 1e-10, 1e-14) };
        for (rtol, atol) in [(1e-3, 1e-10), (1e-3, 1e-6), (1e-6, 1e-8), (1e-6, 1e-12)] {
            for method in ["auto", "radau5"] {
                let y = run(method, rtol, atol);
                for (y, exact) in y.iter().zip(&exact) {
                    assert!((y - exact).abs() < 20.0 * rtol, "{method}, {rtol:e}: {y} for {exact}, order {order}");
                }
            }
        }
    }
}

/// A burns out after a time, and does not come back, whatever noise below zero it has. The straight line through zero ran
/// backwards there, at the cost of P and B.
#[test]
fn what_has_burnt_out_does_not_come_back() {
    let m = gas(
        &["A", "B", "P"],
        "
- {equation: A => P, rate-constant: {A: 3e4, b: 0, Ea: 0}, orders: {A: 0.25}}
- {equation: P <=> B, rate-constant: {A: 1000, b: 0, Ea: 0}}
",
    );
    for method in ["auto", "radau5", "bdf", "ndf"] {
        for (rtol, atol) in [(1e-3, 1e-10), (1e-6, 1e-12)] {
            let mut cell = States::new(&m, vec![300.0], vec![1e5], vec![1.0, 0.0, 0.0]).unwrap();
            let solver = Advance::builder(&m).method(method).reactor(Reactor::FixedT).rtol(rtol).atol(atol).threads(1);
            let report = solver.plan().unwrap().advance_states(&mut cell, 1e-2).unwrap();
            assert_eq!(report.failed, 0, "{method}");
            let y = cell.y();
            assert!(y[0].abs() < 1e-6 && (y[1] - 0.5).abs() < 0.01, "{method}, {rtol:e}: {y:?}");
        }
    }
}
