//! Sources that take from what is not there, as transport and limiters do.

use kinlane::{Advance, Mechanism, States};

/// A debt that grows by a source takes part in nothing, in J as in f: it costs no steps.
#[test]
fn a_source_that_takes_from_nothing_costs_no_steps() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let burnt = [("N2", 0.744), ("O2", 0.079), ("H2O", 0.117), ("CO2", 0.059), ("OH", 5e-4), ("O", 2e-5), ("NO", 1e-3)];
    let y = mechanism.mass_fractions_of_moles(&burnt).expect("its species");
    let index = |name: &str| mechanism.species_index(name).expect(name);
    let (ethane, nitrogen) = (index("C2H6"), index("N2"));
    let steps = |method: &str, rate: f64, rtol: f64, atol: f64| {
        let mut dydt = vec![0.0; mechanism.species_count()];
        (dydt[ethane], dydt[nitrogen]) = (-rate, rate);
        let mut cell = States::new(&mechanism, vec![1900.0], vec![1e5], y.clone())
            .and_then(|cell| cell.with_source(dydt, vec![0.0]))
            .expect("good");
        let mut solver =
            Advance::builder(&mechanism).method(method).rtol(rtol).atol(atol).threads(1).plan().expect("plans");
        let report = solver.advance_states(&mut cell, 1e-5).expect("advances");
        assert_eq!(report.failed, 0, "{method}");
        let debt = cell.y()[ethane];
        assert!((debt + rate * 1e-5).abs() <= 1e-8 * rate + 1e-30, "{method}: {debt:e}");
        report.steps + report.rejected
    };
    for method in ["auto", "rodas5p", "rodas4", "rodas3", "ros4"] {
        for (rtol, atol) in [(1e-4, 1e-12), (1e-6, 1e-12), (1e-6, 1e-15)] {
            let without = steps(method, 0.0, rtol, atol);
            for rate in [2e-6, 2e-5, 2e-3] {
                let with = steps(method, rate, rtol, atol);
                assert!(
                    with <= without + without / 4 + 3,
                    "{method}, {rtol:e}, {atol:e}, {rate:e}: {with} for {without}"
                );
            }
        }
    }
}
