//! Long intervals: a gas that burns out comes to rest, and stays there.

use kinlane::{Advance, Equilibrium, Mechanism, Pair, Reactor, States};

/// What is conserved but not linear, the energy, nothing pulls back: errors of the many long steps at rest must not add
/// up.
#[test]
fn a_gas_at_rest_keeps_its_energy() {
    let mechanism = Mechanism::bundled("h2").expect("is bundled");
    let y = mechanism.mass_fractions_of_moles(&[("H2", 1.8), ("O2", 1.0), ("N2", 3.76)]).expect("its species");
    let (t, p) = (2500.0, 1e7);
    for (reactor, pair) in [(Reactor::ConstP, Pair::HP), (Reactor::ConstV, Pair::UV)] {
        let want = Equilibrium::new(&mechanism).solve(pair, t, p, &mut y.clone()).expect("an equilibrium").temperature;
        for method in ["auto", "rodas5p", "rodas4", "ros2", "radau5", "bdf", "ndf", "sdirk4", "exprb43"] {
            for dt in [1e-3, 1.0, 1e3, 1e6] {
                if method == "sdirk4" && dt > 1e3 {
                    continue; // runs out of steps, and says so
                }
                let mut cell = States::new(&mechanism, vec![t], vec![p], y.clone()).expect("good");
                let mut solver =
                    Advance::new(&mechanism).method(method).reactor(reactor).threads(1).plan().expect("plans");
                let report = solver.advance_states(&mut cell, dt).expect("advances");
                let got = cell.temperature()[0];
                assert_eq!(report.failed, 0, "{method}, {reactor:?}, {dt} s");
                assert!((got / want - 1.0).abs() < 1e-5, "{method}, {reactor:?}, {dt} s: {got} K, not {want} K");
            }
        }
    }
}
