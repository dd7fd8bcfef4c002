//! The stirred reactor: its balances, its turns, and the way to its steady states.

use kinlane::{Branch, CurvePoint, Mechanism, PsrError, States, StirredReactor, StirredState, inspect};
use kinlane_testdata::files;
use std::sync::atomic::AtomicBool;

/// Stoichiometric hydrogen and air at 900 K and one atmosphere.
fn reactor() -> (Mechanism, StirredReactor) {
    let m = Mechanism::bundled("h2").expect("bundled");
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("known species");
    let r = StirredReactor::new(&m, 900.0, 101_325.0, &y, false).unwrap();
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
    worst.max_by(f64::total_cmp).unwrap_or_default()
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

/// Hot gas, up to where equilibria are looked for: argon stays as it flows in, hydrogen falls apart.
#[test]
fn hot_gas_comes_to_rest() {
    let m = Mechanism::bundled("h2").expect("bundled");
    for (moles, t) in [
        ([("AR", 1.0), ("H2", 0.0)], 10_000.0),
        ([("AR", 1.0), ("H2", 0.0)], 19_000.0),
        ([("AR", 1.0), ("H2", 1.0)], 18_000.0),
    ] {
        let y = m.mass_fractions_of_moles(&moles).expect("known species");
        let mut r = StirredReactor::new(&m, t, 101_325.0, &y, false).unwrap();
        let curve = r.curve([1e-3, 1e-3], &[1e-3], &AtomicBool::new(false)).unwrap_or_else(|e| panic!("{t} K: {e}"));
        let state = &curve.points.first().expect("a state").state;
        assert!(imbalance(&m, &r, 1e-3, state) < 1e-9, "{t} K");
        assert!(moles[1].1 > 0.0 || (state.temperature / t - 1.0).abs() < 1e-9, "{t} K: {} K", state.temperature);
    }
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
    let mut r = StirredReactor::new(&m, 1500.0, 101_325.0, &y, true).unwrap();
    let burnt = r.burnt().expect("an equilibrium");
    let state = r.steady(1e-3, &burnt).expect("steady");
    assert!(state.temperature == 1500.0 && imbalance(&m, &r, 1e-3, &state) < 1e-9);
}

/// Burnt gas goes out at times at which a flame could burn: it is found from longer ones. Temperature of Cantera 3.2.
#[test]
fn a_flame_is_found_close_to_its_extinction_and_at_one_time_alone() {
    let m = Mechanism::bundled("gri30").expect("bundled");
    let y = m.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)]).expect("known species");
    let mut r = StirredReactor::new(&m, 300.0, 101_325.0, &y, false).unwrap();
    let stop = AtomicBool::new(false);
    let asked = [5e-5, 1e-4, 2e-4];
    let curve = r.curve([5e-5, 2e-4], &asked, &stop).expect("a curve");
    let out = curve.extinction.expect("extinction");
    assert!((out.tau / 7.890_76e-5 - 1.0).abs() < 1e-4 && (out.temperature - 1708.8).abs() < 1.0, "{out:?}");
    assert!(curve.missing.is_empty() && curve.cut.is_empty(), "{:?}", (curve.missing, curve.cut));
    let all = [Branch::Burning, Branch::Unstable, Branch::Extinguished];
    for (tau, branches) in [(5e-5, &all[2..]), (1e-4, &all[..]), (2e-4, &all[..])] {
        let at = |points: &[CurvePoint]| -> Vec<(Branch, f64)> {
            let at = points.iter().filter(|p| p.asked && p.tau == tau);
            at.map(|p| (p.branch, (p.state.temperature * 100.0).round() / 100.0)).collect()
        };
        let (many, alone) = (at(&curve.points), at(&r.states(tau, &stop).expect("states")));
        assert_eq!(many, alone, "at {tau} s");
        assert_eq!(many.iter().map(|s| s.0).collect::<Vec<_>>(), branches, "at {tau} s");
        assert!(tau != 1e-4 || (many[0].1 - 1777.65).abs() < 0.1, "{many:?}");
    }
    // Where the range holds no turn, those beyond are followed too, and not told.
    let beyond = r.curve([1e-3, 1e-2], &[1e-3, 1e-2], &stop).expect("a curve");
    assert!(beyond.turns.is_empty() && beyond.extinction.is_none(), "{:?}", beyond.turns);
    let unstable: Vec<&CurvePoint> = beyond.points.iter().filter(|p| p.branch == Branch::Unstable).collect();
    assert_eq!(unstable.iter().filter(|p| p.asked).count(), 2);
    assert!(unstable.iter().all(|p| imbalance(&m, &r, p.tau, &p.state) < 1e-9));
    let burning = beyond.points.iter().find(|p| p.branch == Branch::Burning).expect("one");
    assert!(unstable.iter().all(|p| p.piece != burning.piece), "a line would cross what is not there");
}

/// Diluted gases, in which the equilibrium is no start for Newton's method. Temperatures of Cantera 3.2, over time.
#[test]
fn a_flame_is_found_in_any_dilution() {
    let m = Mechanism::bundled("h2").expect("bundled");
    let stop = AtomicBool::new(false);
    for (name, moles, tau, t) in [("AR", 5.0, 1e-3, 2595.0), ("HE", 20.0, 1e-4, 0.0), ("N2", 50.0, 1e-2, 0.0)] {
        let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), (name, moles)]).expect("known species");
        let mut r = StirredReactor::new(&m, 1000.0, 101_325.0, &y, false).unwrap();
        let found = r.states(tau, &stop).expect("steady states");
        let hot = found.first().expect("one");
        assert!(hot.branch == Branch::Burning && hot.tau == tau && hot.asked);
        assert!(imbalance(&m, &r, tau, &hot.state) < 1e-9 && hot.state.temperature > 1050.0, "{name}: {hot:?}");
        assert!(t == 0.0 || (hot.state.temperature - t).abs() < 1.0, "{name}: {hot:?}");
        let burnt = r.burnt().expect("an equilibrium");
        let over_time = r.transient(tau, &burnt, 200.0 * tau, 1e-8, 1e-14, &stop).expect("integrated");
        let last = &over_time.last().expect("an end").1;
        assert!((last.temperature - hot.state.temperature).abs() < 1e-3, "{name}: {last:?}");
    }
}

/// At a given temperature the curve turns in the composition alone.
#[test]
fn walls_do_not_hide_a_turn() {
    let m = Mechanism::bundled("gri30").expect("bundled");
    let y = m.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)]).expect("known species");
    let mut r = StirredReactor::new(&m, 1500.0, 101_325.0, &y, true).unwrap();
    let stop = AtomicBool::new(false);
    let asked = [1e-4, 1e-2];
    let curve = r.curve([1e-4, 1e-2], &asked, &stop).expect("a curve");
    assert!(curve.cut.is_empty() && curve.missing.is_empty(), "{:?}", (curve.cut, curve.missing));
    let ch4 = m.require("CH4").expect("methane");
    let x = |s: &StirredState| {
        let moles: Vec<f64> = s.y.iter().zip(m.molar_masses()).map(|(y, w)| y / w).collect();
        moles[ch4] / moles.iter().sum::<f64>()
    };
    // Cantera 3.2: extinguished at the short time, burning at the long one.
    let at = |tau: f64, branch| curve.points.iter().find(|p| p.tau == tau && p.branch == branch).expect("a point");
    assert!((x(&at(1e-4, Branch::Extinguished).state) - 0.09497).abs() < 1e-5);
    assert!(x(&at(1e-2, Branch::Burning).state) < 0.01);
    // It turns four times: a strong flame, a weak one, none. The weak one lasts to shorter times.
    let near = |turn: Option<kinlane::Turn>, tau: f64| turn.is_some_and(|t| (t.tau / tau - 1.0).abs() < 1e-4);
    assert!(near(curve.extinction, 5.62846e-4) && near(curve.ignition, 3.61552e-4), "{:?}", curve.extinction);
    assert!(curve.turns.len() == 4 && near(curve.turns.get(2).copied(), 2.9967e-4), "{:?}", curve.turns);
    let there = |turn: Option<kinlane::Turn>| turn.is_some_and(|t| curve.turns.contains(&t));
    assert!(there(curve.extinction) && there(curve.ignition), "{:?}", curve.turns);
    for p in &curve.points {
        assert!(imbalance(&m, &r, p.tau, &p.state) < 1e-9, "{:?} at {} s", p.branch, p.tau);
    }
    // Twice the same state is one.
    for tau in asked {
        let mut all: Vec<f64> = curve.points.iter().filter(|p| p.tau == tau).map(|p| x(&p.state)).collect();
        all.sort_by(f64::total_cmp);
        assert!(all.windows(2).all(|w| w[1] - w[0] > 1e-6), "{all:?}");
    }
}

#[test]
fn what_does_not_react_does_not_burn() {
    let m = Mechanism::bundled("h2").expect("bundled");
    let stop = AtomicBool::new(false);
    for (moles, t, isothermal) in [(&[("AR", 1.0)][..], 300.0, false), (&[("H2", 2.0), ("O2", 1.0)][..], 700.0, true)] {
        let y = m.mass_fractions_of_moles(moles).expect("known species");
        let mut r = StirredReactor::new(&m, t, 101_325.0, &y, isothermal).unwrap();
        let branches = |points: Vec<CurvePoint>| points.into_iter().map(|p| p.branch).collect::<Vec<_>>();
        assert_eq!(branches(r.states(1e-4, &stop).expect("a state")), [Branch::Extinguished], "{moles:?}");
        let curve = r.curve([1e-5, 1e-4], &[1e-5, 1e-4], &stop).expect("a curve");
        assert!(branches(curve.points).iter().all(|b| *b == Branch::Extinguished), "{moles:?}");
    }
}

#[test]
fn what_is_stopped_says_so() {
    let (_, mut r) = reactor();
    let stop = AtomicBool::new(true);
    assert_eq!(r.curve([1e-6, 1e-1], &[], &stop), Err(kinlane::PsrError::Cancelled));
    let inlet = r.inlet().clone();
    assert_eq!(r.transient(1e-3, &inlet, 1.0, 1e-6, 1e-12, &stop), Err(kinlane::PsrError::Cancelled));
}

#[test]
fn residence_times_that_are_none_are_refused_as_such() {
    let (_, mut r) = reactor();
    let (inlet, stop) = (r.inlet().clone(), AtomicBool::new(false));
    for tau in [0.0, -1e-3, f64::NAN, f64::INFINITY] {
        assert!(matches!(r.steady(tau, &inlet), Err(PsrError::Time { what: "residence time", .. })), "{tau}");
        assert!(matches!(r.curve([1e-3, tau], &[], &stop), Err(PsrError::Time { .. })), "{tau}");
        let over = r.transient(1e-3, &inlet, tau, 1e-6, 1e-12, &stop);
        assert!(matches!(over, Err(PsrError::Time { what: "duration", .. })), "{tau}");
    }
}

#[test]
fn an_inflow_for_which_no_laws_hold_is_refused() {
    let (m, r) = reactor();
    for (t, holds) in [(5.0, false), (10.0, true), (60_000.0, false)] {
        let made = StirredReactor::new(&m, t, 101_325.0, &r.inlet().y, false);
        assert_eq!(made.is_ok(), holds, "{t} K");
    }
}

/// As tables with seven digits have them: off by less than is refused.
#[test]
fn an_inflow_of_rounded_mass_fractions_burns() {
    let (m, r) = reactor();
    let off: Vec<f64> = r.inlet().y.iter().map(|y| y * (1.0 + 9e-7)).collect();
    let mut rounded = StirredReactor::new(&m, 900.0, 101_325.0, &off, false).unwrap();
    let state = rounded.steady(1e-3, &rounded.burnt().unwrap()).expect("burns");
    assert!((state.y.iter().sum::<f64>() - 1.0).abs() < 1e-9 && state.temperature > 2000.0);
}

/// Hydrogen and air in a mechanism whose chain nothing begins: without radicals it stays without, whatever comes of the first one.
#[test]
fn a_gas_without_radicals_ignites_where_the_first_would_grow() {
    let mut network = Mechanism::bundled("h2").expect("bundled").network().clone();
    let both_ways = ["H + O2 <=> O + OH", "O + H2 <=> H + OH", "H2 + OH <=> H2O + H"];
    let one_way = ["H + O2 (+M) <=> HO2 (+M)", "HO2 + H <=> 2 OH", "HO2 + OH <=> H2O + O2", "O + H + M <=> OH + M"];
    network.reactions.retain(|r| both_ways.contains(&&*r.equation) || one_way.contains(&&*r.equation));
    for r in network.reactions.iter_mut().filter(|r| one_way.contains(&&*r.equation)) {
        r.reverse = kinlane::mech::network::Reverse::Irreversible;
    }
    let m = Mechanism::from_network(network);
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("known species");
    let mut r = StirredReactor::new(&m, 1000.0, 101_325.0, &y, false).unwrap();
    let stop = AtomicBool::new(false);

    let asked = [1e-6, 1e-4, 1e-2];
    let curve = r.curve([1e-6, 1e-2], &asked, &stop).expect("a curve");
    let at = |tau: f64, branch| curve.points.iter().any(|p| p.asked && p.tau == tau && p.branch == branch);
    assert!(at(1e-6, Branch::Extinguished) && at(1e-4, Branch::Burning) && at(1e-2, Branch::Burning), "{curve:?}");
    assert!(!at(1e-4, Branch::Extinguished) && !at(1e-2, Branch::Extinguished), "{curve:?}");
    assert!(curve.extinction.is_some() && curve.cut.is_empty(), "{:?}", curve.cut);
    let ignition = curve.ignition.expect("ignition");
    assert!((ignition.temperature - 1000.0).abs() < 1e-6);
    for tau in [1e-4, 1e-2] {
        let states = r.states(tau, &stop).expect("states");
        assert!(states.iter().all(|p| p.branch != Branch::Extinguished), "{states:?}");
    }

    // Beyond it a trace of H grows.
    let h = m.require("H").expect("H");
    for (factor, grows) in [(0.97, false), (1.03, true)] {
        let mut seeded = r.inlet().clone();
        seeded.y[h] = 1e-15;
        let tau = factor * ignition.tau;
        let points = r.transient(tau, &seeded, 300.0 * tau, 1e-8, 1e-30, &stop).expect("integrated");
        let of = |part: f64| points.iter().find(|(t, _)| *t >= part * 300.0 * tau).map_or(0.0, |(_, s)| s.y[h]);
        let end = points.last().map_or(0.0, |(_, s)| s.y[h]);
        assert_eq!(end > of(0.2), grows, "{:e} then {end:e}", of(0.2));
    }
}

/// Close to ignition at a long residence time what grows does so slowly: the signs of pivots say less there than the turns do.
#[test]
fn a_slow_ignition_is_a_turn_like_any_other() {
    let m = Mechanism::bundled("h2").expect("bundled");
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("AR", 1.0)]).expect("known species");
    let mut r = StirredReactor::new(&m, 800.0, 1_013_250.0, &y, false).unwrap();
    let stop = AtomicBool::new(false);
    let states = r.states(0.2, &stop).expect("states");
    let names: Vec<Branch> = states.iter().map(|p| p.branch).collect();
    assert_eq!(names, [Branch::Burning, Branch::Unstable, Branch::Extinguished], "{states:?}");
    let curve = r.curve([1e-6, 1.0], &[], &stop).expect("a curve");
    assert!(curve.extinction.is_none() && curve.cut.is_empty() && curve.turns.len() == 1, "{:?}", curve.turns);
}

/// With two of them an even number of modes grows, and the sign of a determinant sees none.
#[test]
fn two_chains_that_nothing_begins_grow_no_less_than_one() {
    let mut network = Mechanism::bundled("h2").expect("bundled").network().clone();
    let chain = network.reactions.iter().find(|r| r.equation == "2 OH <=> O + H2O").expect("a reaction").clone();
    let place = |name: &str| network.species.iter().position(|s| s.name == name).expect("a species");
    let [n2, ar, he, h2] = ["N2", "AR", "HE", "H2"].map(place);
    // N2 becomes AR by AR, and HE by HE: no matter what atoms say.
    let grows = |by: usize, a: f64| {
        let mut r = chain.clone();
        (r.reactants, r.products) = (vec![(n2, 1.0), (by, 1.0)], vec![(by, 2.0)]);
        r.rate = kinlane::mech::network::RateLaw::Arrhenius(kinlane::mech::network::Arrhenius { a, b: 0.0, e: 0.0 });
        r.reverse = kinlane::mech::network::Reverse::Irreversible;
        r
    };
    network.reactions = vec![grows(ar, 1e5), grows(he, 1e5)];
    let m = Mechanism::from_network(network);
    let mut y = vec![0.0; m.species_count()];
    (y[n2], y[h2]) = (0.9, 0.1);
    let mut r = StirredReactor::new(&m, 600.0, 101_325.0, &y, true).unwrap();
    let curve = r.curve([1e-8, 1.0], &[1e-8, 1e-2], &AtomicBool::new(false)).expect("a curve");
    let untouched = |p: &&CurvePoint| p.asked && p.state.y[ar] == 0.0 && p.state.y[he] == 0.0;
    let named: Vec<(f64, Branch)> = curve.points.iter().filter(untouched).map(|p| (p.tau, p.branch)).collect();
    assert!(named.contains(&(1e-8, Branch::Extinguished)) && named.contains(&(1e-2, Branch::Unstable)), "{named:?}");
    assert!(!named.iter().any(|(tau, b)| *tau == 1e-2 && *b != Branch::Unstable), "{named:?}");
    // 1/τ = k [N2]
    let concentration = 101_325.0 / (8.314_462_618_153_24 * 600.0) * (0.9 / 28.0134) / (0.9 / 28.0134 + 0.1 / 2.015_88);
    let ignition = curve.ignition.expect("ignition").tau;
    assert!((ignition * 1e5 * concentration - 1.0).abs() < 1e-3, "{ignition:e}");
}

/// Polynomials that do not meet leave temperatures at which no state is steady. The inflow of the first is where most are joined;
/// in the others nitrogen's miss by some degrees, and the curve comes upon the join on its way.
#[test]
fn the_curve_goes_on_where_polynomials_do_not_meet() {
    let bundled = kinlane::BUNDLED.iter().find(|b| b.name == "h2").expect("bundled");
    let text = |by: f64| bundled.text.replace("-922.7977,", &format!("{},", by - 922.7977));
    for (by, t, atm) in
        [(0.0, 1000.0, 1.0), (0.0, 1000.0, 10.0), (2.0, 1000.0, 1.0), (2.0, 999.0, 0.1), (-2.0, 999.9, 0.1)]
    {
        let m = Mechanism::from_text("h2.yaml", &text(by), None).expect("a mechanism");
        let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("known species");
        let mut curve = |t: f64| {
            let mut r = StirredReactor::new(&m, t, atm * 101_325.0, &y, false).unwrap();
            let curve = r.curve([1e-8, 10.0], &[1e-6, 7e-5, 8.5e-5, 1e-2], &AtomicBool::new(false)).expect("a curve");
            assert!(curve.cut.is_empty() && curve.missing.is_empty(), "{t} K: {:?}", (curve.cut, curve.missing));
            assert_eq!(curve.turns.len(), 2, "{t} K");
            // At the join itself rates have two values.
            for p in curve.points.iter().filter(|p| (p.state.temperature - 1000.0).abs() > 1e-6) {
                let off = imbalance(&m, &r, p.tau, &p.state);
                assert!(off < 1e-8, "{:?} at {} s, {} K: {off:e}", p.branch, p.tau, p.state.temperature);
            }
            [curve.extinction, curve.ignition].map(|turn| turn.expect("a turn").tau)
        };
        let (here, [colder, hotter]) = (curve(t), [t - 5.0, t + 5.0].map(&mut curve));
        for i in 0..2 {
            assert!(hotter[i] < here[i] && here[i] < colder[i], "{by} K, {t} K: {:?}", (colder, here, hotter));
        }
    }
}

/// Whichever other residence times are asked for.
#[test]
fn a_state_has_one_name() {
    let m = Mechanism::bundled("gri30").expect("bundled");
    let y = m.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)]).expect("known species");
    let mut r = StirredReactor::new(&m, 1500.0, 101_325.0, &y, true).unwrap();
    let stop = AtomicBool::new(false);
    for range in [[3.2e-4, 3.2e-4], [3e-4, 3.3e-4], [1e-5, 5e-4], [3.2e-4, 10.0]] {
        let curve = r.curve(range, &[range[0], 3.2e-4, range[1]], &stop).expect("a curve");
        let named: Vec<Branch> = curve.points.iter().filter(|p| p.tau == 3.2e-4).map(|p| p.branch).collect();
        assert_eq!(named, [Branch::CoolFlame, Branch::Unstable, Branch::Extinguished], "{range:?}");
        // The end of the weak flame is no extinction of the strong one.
        assert_eq!(curve.extinction.is_some(), range[1] == 10.0, "{range:?}: {:?}", curve.turns);
    }
}

/// Methane in much nitrogen, whose flame oscillates before it turns. Over time, Cantera 3.2 too leaves the states below 14.5 ms.
#[test]
fn a_flame_from_which_oscillations_grow_does_not_burn() {
    let m = Mechanism::bundled("gri30").expect("bundled");
    let y = m.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 60.0)]).expect("known species");
    let mut r = StirredReactor::new(&m, 1000.0, 101_325.0, &y, false).unwrap();
    let stop = AtomicBool::new(false);
    let asked = [0.0125, 0.013, 0.014, 0.015, 0.02];
    let curve = r.curve([1e-3, 1.0], &asked, &stop).expect("a curve");
    let [onset] = curve.hopf[..] else { panic!("{:?}", curve.hopf) };
    assert!((onset.tau / 1.44768e-2 - 1.0).abs() < 1e-4 && (onset.temperature - 1325.66).abs() < 0.1, "{onset:?}");
    for tau in asked {
        let stays = tau > onset.tau;
        let is = if stays { Branch::Burning } else { Branch::Oscillating };
        let all = [is, Branch::Unstable, Branch::Extinguished];
        let points: Vec<&CurvePoint> = curve.points.iter().filter(|p| p.tau == tau).collect();
        assert_eq!(points.iter().map(|p| p.branch).collect::<Vec<_>>(), all, "{tau} s");
        assert_eq!(r.states(tau, &stop).expect("states").iter().map(|p| p.branch).collect::<Vec<_>>(), all, "{tau} s");
        let mut beside = points[0].state.clone();
        beside.temperature += 0.05;
        let over_time = r.transient(tau, &beside, 40.0 * tau, 1e-8, 1e-14, &stop).expect("integrated");
        let last = &over_time.last().expect("an end").1;
        assert_eq!(last.temperature > 1300.0, stays, "{tau} s: {} K", last.temperature);
    }
}

/// 21 species: fewer than steps of Arnoldi's method, which then meets modes that are nearly the same.
#[test]
fn small_networks_show_their_oscillations() {
    let Some(network) = files::mechanism("ffcm1_red21") else { return };
    let m = Mechanism::from_network(network);
    let y = m.mass_fractions_of_moles(&[("CH4", 0.589_270_56), ("O2", 1.0), ("N2", 30.0)]).expect("known species");
    let mut r = StirredReactor::new(&m, 985.623_346, 66_906.766, &y, false).unwrap();
    // By eigenvalues of the dense Jacobian (NumPy): the fastest pair has −0.85/s at 0.3 s, 0.21/s at 0.29 s, 5.6/s at 0.25 s.
    let asked: Vec<f64> = (19..31).map(|i| f64::from(i) / 100.0).collect();
    let curve = r.curve([0.19, 0.3], &asked, &AtomicBool::new(false)).expect("a curve");
    let flame = |tau: f64| {
        let here = curve.points.iter().filter(|p| p.asked && p.tau == tau);
        here.max_by(|a, b| a.state.temperature.total_cmp(&b.state.temperature)).expect("a flame").branch
    };
    for &tau in &asked {
        assert_eq!(flame(tau) == Branch::Oscillating, tau < 0.295, "{tau}: {:?}", flame(tau));
    }
    assert!(matches!(&curve.hopf[..], [one] if (0.29..0.3).contains(&one.tau)), "{:?}", curve.hopf);
}

/// One step whose rate grows as the fuel vanishes: at next to no fuel the curve has a corner.
#[test]
fn a_curve_that_is_cut_outside_the_range_says_so() {
    let mut network = Mechanism::bundled("gri30").expect("bundled").network().clone();
    let place = |name: &str| network.species.iter().position(|s| s.name == name).expect("a species");
    let [ch4, o2, co2, h2o] = ["CH4", "O2", "CO2", "H2O"].map(place);
    let mut step = network.reactions[0].clone();
    (step.reactants, step.products) = (vec![(ch4, 1.0), (o2, 2.0)], vec![(co2, 1.0), (h2o, 2.0)]);
    step.orders = Some(vec![(ch4, -0.3), (o2, 1.3)]);
    let e = 48_400.0 * 4.184 / 8.314_462_618_153_24;
    step.rate = kinlane::mech::network::RateLaw::Arrhenius(kinlane::mech::network::Arrhenius { a: 1.3e8, b: 0.0, e });
    step.reverse = kinlane::mech::network::Reverse::Irreversible;
    step.third_body = None;
    network.reactions = vec![step];
    let m = Mechanism::from_network(network);
    let y = m.mass_fractions_of_moles(&[("CH4", 0.8), ("O2", 2.0), ("N2", 7.52)]).expect("known species");
    let mut r = StirredReactor::new(&m, 300.0, 101_325.0, &y, false).unwrap();
    let curve = r.curve([1e-3, 1.0], &[1e-3, 1.0], &AtomicBool::new(false)).expect("a curve");
    assert!(curve.cut.iter().any(|tau| *tau < 1e-3) && curve.missing.is_empty(), "{:?}", (curve.cut, curve.missing));
    for tau in [1e-3, 1.0] {
        let at = curve.points.iter().filter(|p| p.asked && p.tau == tau);
        assert_eq!(at.map(|p| p.branch).collect::<Vec<_>>(), [Branch::Burning, Branch::Extinguished], "{tau} s");
    }
}

/// At long residence times 1/τ is no more than what rates of burnt gas are rounded by. That is no growth.
#[test]
fn burnt_gas_does_not_oscillate() {
    let m = Mechanism::bundled("h2").expect("bundled");
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0)]).expect("known species");
    let times = [1e3, 1e5, 1e6, 1e7, 1e8];
    for (t, p) in [(300.0, 1e6), (2500.0, 1e8)] {
        let mut r = StirredReactor::new(&m, t, p, &y, false).unwrap();
        let curve = r.curve([1e3, 1e8], &times, &AtomicBool::new(false)).expect("a curve");
        assert!(curve.hopf.is_empty(), "{t} K: {:?}", curve.hopf);
        let other: Vec<_> = curve.points.iter().filter(|p| p.branch != Branch::Burning).map(|p| p.tau).collect();
        let hot: Vec<_> = curve.points.iter().filter(|p| p.state.temperature > 2000.0).collect();
        assert!(hot.iter().all(|p| p.branch == Branch::Burning), "{t} K: {other:?}");
        // Where none is found, that is why.
        for &tau in &curve.missing {
            assert!(matches!(curve.without_state(tau), PsrError::Lost { longest, .. } if longest < tau), "{tau}");
        }
    }
}

/// Next to nothing flows through a trace that decays within 1e-18 s. So it does not tell from when on flows are lost in rounding.
#[test]
fn traces_that_decay_at_once_change_nothing() {
    use kinlane::mech::network::{Arrhenius, RateLaw, ThermoForm};
    let plain = Mechanism::bundled("gri30").expect("bundled");
    let mut network = plain.network().clone();
    let (trace, ch4) = (network.species.len(), network.species.iter().position(|s| s.name == "CH4").expect("methane"));
    let mut species = network.species[ch4].clone();
    species.name = "TRACE".to_owned();
    let ThermoForm::Nasa7(ranges) = &mut species.thermo.form else { panic!("another form") };
    ranges.iter_mut().for_each(|range| range.a[5] += 6e4);
    network.species.push(species);
    let mut decay = network.reactions[0].clone();
    (decay.reactants, decay.products, decay.third_body) = (vec![(trace, 1.0)], vec![(ch4, 1.0)], None);
    decay.rate = RateLaw::Arrhenius(Arrhenius { a: 1e18, b: 0.0, e: 0.0 });
    network.reactions.push(decay);
    let with = Mechanism::from_network(network);
    let burning = |m: &Mechanism, tau: f64| {
        let y = m.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)]).expect("known species");
        let mut r = StirredReactor::new(m, 300.0, 101_325.0, &y, false).unwrap();
        let states = r.states(tau, &AtomicBool::new(false)).expect("states");
        let state = states.into_iter().find(|p| p.branch == Branch::Burning).expect("a flame").state;
        let off = imbalance(m, &r, tau, &state);
        assert!(off < 1e-9, "{tau} s: {off:e}");
        state
    };
    for tau in [0.01, 1.0, 100.0] {
        let [a, b] = [&plain, &with].map(|m| burning(m, tau));
        assert!((a.temperature - b.temperature).abs() < 1e-6, "{tau} s: {} K, {} K", a.temperature, b.temperature);
        let near = a.y.iter().zip(&b.y).all(|(a, b)| (a - b).abs() < 1e-9 * a + 1e-15);
        assert!(near && b.y[trace] < 1e-15, "{tau} s: {:e}", b.y[trace]);
    }
}
