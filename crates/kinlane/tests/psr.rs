//! The stirred reactor: its balances, its turns, and the way to its steady states.

use kinlane::{Branch, Mechanism, States, StirredReactor, StirredState, inspect};
use std::sync::atomic::AtomicBool;

/// Stoichiometric hydrogen and air at 900 K and one atmosphere.
fn reactor() -> (Mechanism, StirredReactor) {
    let m = Mechanism::bundled("h2").expect("bundled");
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("known species");
    let r = StirredReactor::new(&m, 900.0, 101_325.0, &y, false);
    (m, r)
}

/// What every species gains, over what passes: by rates that are not those of the solver's matrix.
fn imbalance(m: &Mechanism, r: &StirredReactor, tau: f64, state: &StirredState) -> f64 {
    let states = States::new(m, vec![state.temperature], vec![r.pressure()], state.y.clone()).expect("a state");
    let sigma: f64 = state.y.iter().zip(m.molar_masses()).map(|(y, w)| y / w).sum();
    let density = r.pressure() / (8.314_462_618_153_24 * state.temperature * sigma);
    let rates = inspect(m, &states).expect("rates").species;
    let parts = rates.iter().zip(m.molar_masses()).zip(r.inlet().y.iter().zip(&state.y));
    let worst = parts.map(|((s, w), (from, to))| {
        let net = (s.production - s.consumption) * w / density + (from - to) / tau;
        let gross = (s.production + s.consumption) * w / density + (from + to) / tau;
        net.abs() / (gross + 1e-12 / tau)
    });
    worst.fold(0.0, f64::max)
}

#[test]
fn every_point_of_the_curve_is_steady_and_turns_are_where_cantera_finds_them() {
    let (m, mut r) = reactor();
    let asked = [1e-5, 1e-4, 1e-3];
    let curve = r.curve([1e-6, 1e-1], &asked, &AtomicBool::new(false)).expect("a curve");
    assert!(curve.points.len() > 50);
    for p in &curve.points {
        let off = imbalance(&m, &r, p.tau, &p.state);
        assert!(off < 1e-9, "{:?} at {} s, {} K: {off:e}", p.branch, p.tau, p.state.temperature);
    }
    for branch in [Branch::Burning, Branch::Unstable, Branch::Extinguished] {
        let at = |tau: f64| curve.points.iter().any(|p| p.branch == branch && p.asked && p.tau == tau);
        assert!(asked.iter().all(|&tau| at(tau)), "{branch:?}");
    }
    // Between two runs of Cantera 3.2, one that goes out and one that stays; the same for ignition.
    let (out, on) = (curve.extinction.expect("extinction"), curve.ignition.expect("ignition"));
    assert!((out.tau / 5.8903e-6 - 1.0).abs() < 1e-3 && (out.temperature - 1269.4).abs() < 5.0, "{out:?}");
    assert!((on.tau / 1.4957e-2 - 1.0).abs() < 1e-3 && (on.temperature - 901.7).abs() < 1.0, "{on:?}");
}

#[test]
fn a_flame_lives_above_extinction_only() {
    let (_, mut r) = reactor();
    let stop = AtomicBool::new(false);
    let turn = r.curve([1e-6, 1e-3], &[], &stop).expect("a curve").extinction.expect("extinction");
    let burnt = r.burnt().expect("an equilibrium");
    for (factor, lives) in [(1.02, true), (0.98, false)] {
        let tau = turn.tau * factor;
        let points = r.transient(tau, &burnt, 400.0 * tau, 1e-7, 1e-13, &stop).expect("integrated");
        let (t, last) = points.last().expect("an end");
        assert!((t / (400.0 * tau) - 1.0).abs() < 1e-12);
        assert_eq!(last.temperature > 1200.0, lives, "at {factor} of extinction: {} K", last.temperature);
        if lives {
            let steady = r.steady(tau, last).expect("steady");
            assert!((steady.temperature - last.temperature).abs() < 1.0);
        }
    }
}

#[test]
fn walls_hold_the_temperature() {
    let m = Mechanism::bundled("h2").expect("bundled");
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("known species");
    let mut r = StirredReactor::new(&m, 1500.0, 101_325.0, &y, true);
    let burnt = r.burnt().expect("an equilibrium");
    let state = r.steady(1e-3, &burnt).expect("steady");
    assert!(state.temperature == 1500.0 && imbalance(&m, &r, 1e-3, &state) < 1e-9);
}

#[test]
fn what_is_stopped_says_so() {
    let (_, mut r) = reactor();
    let stop = AtomicBool::new(true);
    assert_eq!(r.curve([1e-6, 1e-1], &[], &stop), Err(kinlane::PsrError::Cancelled));
    let inlet = r.inlet().clone();
    assert_eq!(r.transient(1e-3, &inlet, 1.0, 1e-6, 1e-12, &stop), Err(kinlane::PsrError::Cancelled));
}
