//! Gas far below the temperatures for which mechanisms are made.

use kinlane::{Advance, Mechanism, Outcome, States, Status};

/// One cell of gas of these mass fractions, N2 for the rest.
fn cell(mechanism: &Mechanism, t: f64, parts: &[(&str, f64)]) -> States {
    let mut y = vec![0.0; mechanism.species_count()];
    let mut add = |name: &str, part: f64| y[mechanism.species_index(name).expect("is there")] += part;
    parts.iter().for_each(|&(name, part)| add(name, part));
    add("N2", 1.0 - parts.iter().map(|p| p.1).sum::<f64>());
    States::new(mechanism, vec![t], vec![1e5], y).expect("good")
}

fn advance(mechanism: &Mechanism, cells: &mut States, dt: f64) -> Outcome {
    let mut solver = Advance::builder(mechanism).threads(1).plan().expect("plans");
    solver.advance_states(cells, dt).expect("advances");
    cells.outcomes()[0]
}

/// Where reverse rates leave the range of a double a gas must not seem to be at rest. The temperature after 1e-3 s
/// from 115 K is Cantera's, at rtol 1e-10.
#[test]
fn gas_too_cold_for_its_rates_is_lost_unless_nothing_reacts() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let radicals = [("CN", 1e-3), ("N", 1e-3)];
    let mut warm = cell(&mechanism, 115.0, &radicals);
    assert_eq!(advance(&mechanism, &mut warm, 1e-3).status, Status::Done);
    assert!((warm.temperature()[0] - 122.368).abs() < 1e-2, "{} K", warm.temperature()[0]);
    for t in [60.0, 80.0, 100.0] {
        let mut cold = cell(&mechanism, t, &radicals);
        assert_eq!(advance(&mechanism, &mut cold, 1e-3).status, Status::NotFinite, "{t} K");
        let mut still = cell(&mechanism, t, &[("CH4", 0.05), ("O2", 0.2)]);
        assert_eq!(advance(&mechanism, &mut still, 1e-3).status, Status::Done, "{t} K");
        assert_eq!(still.temperature()[0], t);
    }
}

/// A dissociation that is too slow for a number does not take the way back with it: atoms of hydrogen meet alone.
#[test]
fn atoms_meet_where_their_dissociation_is_too_slow_for_a_number() {
    let mechanism = Mechanism::bundled("h2").expect("is bundled");
    let hydrogen = mechanism.species_index("H").expect("is there");
    let lost = |t: f64| {
        let mut cells = cell(&mechanism, t, &[("H", 1e-3)]);
        assert_eq!(advance(&mechanism, &mut cells, 1e-9).status, Status::Done, "{t} K");
        1.0 - cells.y()[hydrogen] / 1e-3
    };
    let (cold, warm) = (lost(62.0), lost(90.0));
    // From logarithms of k and of the equilibrium constant (Cantera's thermodynamics): 363 869 and 961 033 mol/m³/s of H.
    let want = 363_869.0 / 961_033.0 * 62.0 / 90.0;
    assert!((cold / warm / want - 1.0).abs() < 0.05, "{cold:e} at 62 K, {warm:e} at 90 K");
}

/// One cell that is cooled without end must not take ten thousand times as long as its neighbours.
#[test]
fn cells_that_are_cooled_without_end_are_given_up_soon() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    for method in ["auto", "radau5", "bdf"] {
        for heating in [-1e12, -1e10] {
            let mut cells = cell(&mechanism, 1500.0, &[("CH4", 0.055), ("O2", 0.22)]);
            let still = vec![0.0; mechanism.species_count()];
            cells = cells.with_source(still, vec![heating]).expect("good");
            let mut solver = Advance::builder(&mechanism).method(method).threads(1).plan().expect("plans");
            solver.advance_states(&mut cells, 1e-3).expect("advances");
            let Outcome { status, cost, .. } = cells.outcomes()[0];
            assert_ne!(status, Status::Done);
            assert!(cost.steps + cost.rejected < 5000, "{method}, {heating:e} W/kg: {cost:?}");
        }
    }
}
