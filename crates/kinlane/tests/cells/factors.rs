//! Factors on rate constants as a user gives them.

use crate::common;
use kinlane::mech::network::{Arrhenius, RateLaw, Reverse};
use kinlane::{Advance, BatchError, Factor, Mechanism, States};

const DT: f64 = 4e-5;

/// Cells of hydrogen and air, one list of factors each.
fn cells(mechanism: &Mechanism, factors: &[Vec<Factor>]) -> States {
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let n = factors.len();
    let t = (0..n).map(|i| 1200.0 + i as f64).collect();
    States::new(mechanism, t, vec![101_325.0; n], y.repeat(n)).unwrap().with_factors(factors.to_vec()).unwrap()
}

fn advance(mechanism: &Mechanism, mut cells: States, threads: usize) -> Result<States, BatchError> {
    let report = Advance::builder(mechanism)
        .rtol(1e-9)
        .atol(1e-15)
        .threads(threads)
        .plan()
        .unwrap()
        .advance_states(&mut cells, DT)?;
    assert_eq!(report.failed, 0);
    Ok(cells)
}

#[test]
fn every_cell_has_its_own() {
    let mechanism = Mechanism::bundled("h2").unwrap().perturbable();
    let reactions = mechanism.reaction_count();
    let factors: Vec<Vec<Factor>> = (0..60)
        .map(|i| {
            (0..i % 3).map(|j| Factor { reaction: (i + 7 * j) % reactions, factor: 0.5 + 0.1 * j as f64 }).collect()
        })
        .collect();
    let together = advance(&mechanism, cells(&mechanism, &factors), 2).unwrap();
    // The same temperatures, in cells of which all but one have no factors.
    for cell in 0..factors.len() {
        let others: Vec<Vec<Factor>> =
            factors.iter().enumerate().map(|(i, f)| if i == cell { f.clone() } else { Vec::new() }).collect();
        let alone = advance(&mechanism, cells(&mechanism, &others), 1).unwrap();
        assert_eq!(alone.temperature()[cell].to_bits(), together.temperature()[cell].to_bits(), "cell {cell}");
    }
    let none = vec![Vec::new(); 60];
    let ordinary = Mechanism::bundled("h2").unwrap();
    let y = ordinary.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let t = (0..60).map(|i| 1200.0 + f64::from(i)).collect();
    let plain = States::new(&ordinary, t, vec![101_325.0; 60], y.repeat(60)).unwrap();
    let (plain, none) = (advance(&ordinary, plain, 1), advance(&mechanism, cells(&mechanism, &none), 1));
    assert_eq!(plain.unwrap().temperature(), none.unwrap().temperature(), "no factors change nothing");
}

#[test]
fn a_factor_is_a_mechanism_with_another_a() {
    let original = Mechanism::bundled("h2").unwrap();
    let mechanism = original.perturbable();
    let before = advance(&mechanism, cells(&mechanism, &[Vec::new()]), 1).unwrap();
    let mut seen = 0;
    for (reaction, r) in original.network().reactions.iter().enumerate() {
        if !matches!(r.rate, RateLaw::Arrhenius(_)) {
            continue;
        }
        let mut network = original.network().clone();
        if let RateLaw::Arrhenius(r) = &mut network.reactions[reaction].rate {
            r.a *= 1.3;
        }
        let other = Mechanism::from_network(network).perturbable();
        let want = advance(&other, cells(&other, &[Vec::new()]), 1).unwrap();
        let got = advance(&mechanism, cells(&mechanism, &[vec![Factor { reaction, factor: 1.3 }]]), 1).unwrap();
        let [before, want, got] = [&before, &want, &got].map(|s| s.temperature()[0]);
        assert!((got / want - 1.0).abs() < 1e-9, "{}: {got} for {want}", r.equation);
        seen += usize::from((want - before).abs() > 1.0);
    }
    assert!(seen > 2, "only {seen} reactions matter");
}

/// Where a reaction has a reverse rate of its own, as with CHEMKIN's REV, its factor counts in both directions.
#[test]
fn a_factor_counts_in_both_directions() {
    let rates = "- {equation: A => B, rate-constant: {A: 2.0, b: 0, Ea: 0}}\n- {equation: B => C, rate-constant: {A: 5.0, b: 0, Ea: 0}}\n";
    let mut network = common::gas(&["A", "B", "C"], rates).network().clone();
    let own = RateLaw::Arrhenius(Arrhenius { a: 0.5, b: 0.0, e: 0.0 });
    network.reactions[0].reverse = Reverse::Explicit { rate: Box::new(own), orders: None };
    let m = Mechanism::from_network(network).perturbable();
    let states = States::uniform(&m, 1, 1000.0, 1e5, &[("A", 0.5), ("B", 0.3), ("C", 0.2)]).unwrap();
    let states = states.with_factors(vec![vec![Factor { reaction: 0, factor: 3.0 }]]).unwrap();
    let look = kinlane::inspect(&m, &states).unwrap();
    let all = 1e5 / (8.314_462_618_153_24 * 1000.0);
    let want = [3.0 * 2.0 * 0.5 * all, 3.0 * 0.5 * 0.3 * all, 5.0 * 0.3 * all];
    let got = [look.reactions[0].forward, look.reactions[0].reverse, look.reactions[1].forward];
    assert!(got.iter().zip(want).all(|(got, want)| (got / want - 1.0).abs() < 1e-12), "{got:?} {want:?}");
}

#[test]
fn what_cannot_be_is_refused() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let one = |reaction, factor| cells(&mechanism, &[vec![Factor { reaction, factor }]]);
    assert_eq!(advance(&mechanism, one(0, 2.0), 1).unwrap_err(), BatchError::Factors);
    let perturbable = mechanism.perturbable();
    let absent = mechanism.reaction_count();
    let refused = advance(&perturbable, one(absent, 2.0), 1).unwrap_err();
    assert_eq!(refused, BatchError::Reaction { cell: 0, wanted: absent, reactions: absent });
    for (reaction, factor) in [(0, -1.0), (0, f64::NAN)] {
        let refused = advance(&perturbable, one(reaction, factor), 1).unwrap_err();
        assert!(matches!(refused, BatchError::Value { cell: 0, .. }), "{refused}");
    }
}

/// A cell that is run again alone is the cell that it was.
#[test]
fn a_trace_has_the_factors() {
    let mechanism = Mechanism::bundled("h2").unwrap().perturbable();
    let options = kinlane::Options::default();
    let run = |factors: Vec<Factor>| {
        let (points, outcome) = kinlane::trace(&mechanism, &options, &mut cells(&mechanism, &[factors]), DT).unwrap();
        let accepted = points.iter().filter(|p| p.accepted).count();
        assert_eq!((accepted, points.len() - accepted), (outcome.cost.steps as usize, outcome.cost.rejected as usize));
        points.len()
    };
    assert_ne!(run(Vec::new()), run(vec![Factor { reaction: 0, factor: 5.0 }]));
}
