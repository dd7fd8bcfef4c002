//! Atoms are neither made nor lost, whatever a method does and however long a gas rests.

use kinlane::{Advance, Cells, Layout, Mechanism, Outcome, Source, States};

/// A gas at rest after its first milliseconds, an interval \[s\], and tolerances.
struct Case {
    t: f64,
    p: f64,
    dt: f64,
    tolerances: [f64; 2],
}

const LONG: Case = Case { t: 2500.0, p: 160e5, dt: 3.6e4, tolerances: [1e-6, 1e-12] };
const LOOSE: Case = Case { t: 1500.0, p: 1e5, dt: 1e-3, tolerances: [1e-3, 1e-6] };

/// Atoms of each element per mass \[mol/kg\].
fn atoms(mechanism: &Mechanism, y: &[f64]) -> Vec<f64> {
    let network = mechanism.network();
    let mut b = vec![0.0; network.elements.len()];
    for (species, y) in network.species.iter().zip(y) {
        species.composition.iter().for_each(|&(e, n)| b[e] += n * y / species.molar_mass);
    }
    b
}

/// Largest relative change of an element over the interval, beside what a source has changed that brings as much fuel again
/// in the place of nitrogen.
fn made(mechanism: &Mechanism, method: &str, case: &Case, feeds: bool) -> f64 {
    let start = mechanism.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 1.0), ("N2", 2.0)]).unwrap();
    let [fuel, nitrogen] =
        ["CH4", "N2"].map(|name| mechanism.species_names().iter().position(|s| **s == *name).unwrap());
    let (mut t, mut p, mut y, mut outcome) = ([case.t], [case.p], start.clone(), [Outcome::default()]);
    let mut dydt = vec![0.0; y.len()];
    let mut want = start;
    if feeds {
        (dydt[fuel], dydt[nitrogen]) = (want[fuel] / case.dt, -want[fuel] / case.dt);
        want[nitrogen] -= want[fuel];
        want[fuel] *= 2.0;
    }
    let mut cells = Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome);
    cells.source = feeds.then_some(Source { dydt: &dydt, heating: &[0.0] });
    let [rtol, atol] = case.tolerances;
    let mut solver = Advance::builder(mechanism).method(method).rtol(rtol).atol(atol).threads(1).plan().unwrap();
    let report = solver.advance(cells, case.dt).unwrap();
    assert_eq!(report.failed, 0, "{method}");
    let [want, got] = [&want, &y].map(|y| atoms(mechanism, y));
    want.iter().zip(got).filter(|(b, _)| **b > 0.0).map(|(b, got)| (got / b - 1.0).abs()).fold(0.0, f64::max)
}

/// Before they were kept, 4e-10 of the atoms were made out of nothing over ten hours, and 7e-9 at loose tolerances.
#[test]
fn atoms_are_kept() {
    let mechanism = Mechanism::bundled("gri30").unwrap();
    for (method, case) in [
        ("auto", &LONG),
        ("rodas5p", &LONG),
        ("bdf", &LONG),
        ("radau5", &LONG),
        ("auto", &LOOSE),
        ("exprb43", &LOOSE),
        ("chemeq2", &LOOSE),
        ("asymptotic", &LOOSE),
    ] {
        for feeds in [false, true] {
            let made = made(&mechanism, method, case, feeds);
            eprintln!("{method} over {} s, feeds: {feeds}: {made:e}", case.dt);
            assert!(made < 1e-12, "{method} over {} s, feeds: {feeds}: {made:e}", case.dt);
        }
    }
}

/// What a quasi-steady step loses at a loose tolerance is much: a hundredth, which is given back at once.
#[test]
fn atoms_that_the_last_step_loses_are_given_back() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let gas = mechanism.mass_fractions_of_moles(&[("H2", 10.0), ("O2", 1.0), ("N2", 5.0)]).unwrap();
    let n = 101;
    let t = (0..n).map(|i| 2500.0 + 10.0 * i as f64).collect();
    let mut cells = States::new(&mechanism, t, vec![4e7; n], gas.repeat(n)).unwrap();
    let mut solver = Advance::builder(&mechanism).method("chemeq2").rtol(1e-2).atol(1e-8).threads(1).plan().unwrap();
    assert_eq!(solver.advance_states(&mut cells, 3e-7).unwrap().failed, 0);
    let want = atoms(&mechanism, &gas);
    for i in 0..n {
        let got = atoms(&mechanism, cells.y_of(i));
        let made = want.iter().zip(got).filter(|(b, _)| **b > 0.0).map(|(b, got)| (got / b - 1.0).abs());
        let made = made.fold(0.0, f64::max);
        assert!(made < 1e-11, "cell {i}: {made:e}");
    }
}
