//! Ignition delays against Cantera's at tight tolerances, and time series against stepping to the same times.

use kinlane::{
    Advance, Cells, Event, Factor, Happening, History, Layout, Mechanism, Options, Outcome, Quantity, Reactor, Source,
    States,
};
use kinlane_testdata::files;
use kinlane_testdata::golden::json;
use std::sync::Arc;
use std::sync::atomic::Ordering;

const EVENTS: [Event; 2] = [
    Event { quantity: Quantity::Temperature, happening: Happening::SteepestRise },
    Event { quantity: Quantity::Temperature, happening: Happening::Rise(400.0) },
];

fn options(rtol: f64, atol: f64) -> Options {
    Options { rtol, atol: Some(atol), reactor: Reactor::ConstV, first_step: Some(1e-9), ..Options::default() }
}

/// The last of evenly spaced times may lie behind the end by rounding.
#[test]
fn no_time_is_left_out_for_rounding() {
    let m = Mechanism::bundled("h2").unwrap();
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let mut solver = Advance::builder(&m).threads(1).follow().unwrap();
    for i in 1..40 {
        let end = 1e-5 * (1.0 + 0.037 * f64::from(i));
        let times: Vec<f64> = (0..301).map(|i| end * f64::from(i) / 300.0 * (1.0 + 2e-16)).collect();
        let mut states = States::new(&m, vec![1100.0], vec![1e5], y.clone()).unwrap();
        let followed = solver.advance(&mut states, end, &times, &[]).unwrap();
        assert!(followed.series.iter().all(|x| x.is_finite()), "{end:e}");
        assert_eq!(solver.progress().load(Ordering::Relaxed), 1, "cells of this call alone");
    }
}

/// Radicals in thin or hot hydrogen are nearly in balance where they are largest, and rises have no sharp peak. At the default
/// tolerances alone the first time is off by 2 %, the second by 14 %, the third by 8 %, and the last is not found.
#[test]
fn times_of_flat_peaks_do_not_depend_on_the_tolerances() {
    let m = Mechanism::bundled("h2").unwrap();
    let oh = Quantity::MoleFraction(m.require("OH").unwrap());
    let event = |quantity, happening| Event { quantity, happening };
    let most = event(oh, Happening::Maximum);
    let rise = event(Quantity::Temperature, Happening::SteepestRise);
    let of = |x: &[(&str, f64)]| {
        let mut moles = vec![0.0; m.species_count()];
        x.iter().for_each(|(name, x)| moles[m.require(name).unwrap()] = *x);
        moles
    };
    let (fuel, air) = (of(&[("H2", 1.0)]), of(&[("O2", 1.0), ("N2", 3.76)]));
    for (phi, p, t, reactor, sought) in [
        (1.0, 101_325.0, 2200.0, Reactor::ConstP, most),
        (0.2, 1e4, 2600.0, Reactor::ConstP, most),
        (0.2, 1e4, 2500.0, Reactor::ConstV, rise),
        (0.7, 1e5, 2100.0, Reactor::ConstV, most),
    ] {
        let y = m.mass_fractions_of_ratio(&fuel, &air, phi).unwrap();
        let time = |rtol: f64, atol: f64| {
            let solver = Advance::builder(&m).reactor(reactor).rtol(rtol).atol(atol).threads(1);
            // The second cell has a sharp peak.
            let mut states = States::new(&m, vec![t, 1100.0], vec![p; 2], y.repeat(2)).unwrap();
            let followed = solver.follow().unwrap().advance(&mut states, 1e-2, &[], &[sought, rise]).unwrap();
            if sought == rise {
                assert_eq!((followed.flat.clone(), followed.blurred.len()), (vec![0], 0));
            }
            followed.found
        };
        let (usual, finest) = (time(1e-6, 1e-12), time(1e-11, 1e-18));
        assert!((usual[0] / finest[0] - 1.0).abs() < 5e-3, "{phi} {p} {t}: {usual:?} {finest:?}");
        assert!((usual[3] / finest[3] - 1.0).abs() < 1e-4, "{usual:?} {finest:?}");
    }
}

/// Cells in which a rise has no sharp peak are followed once more with what acts on them, wherever it lies: each as if it were
/// alone.
#[test]
fn cells_that_are_followed_again_are_what_they_were() {
    let m = Mechanism::bundled("h2").unwrap().perturbable();
    let (k, rise) = (m.species_count(), EVENTS[0]);
    let y = m.mass_fractions_of_moles(&[("H2", 0.4), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let mut gains = vec![0.0; k];
    (gains[m.require("N2").unwrap()], gains[m.require("O2").unwrap()]) = (-1.0, 1.0);
    // The first has a sharp peak, the second has none.
    let both = [(1100.0, 0.0, vec![], 1e-2), (2500.0, 1.0, vec![Factor { reaction: 0, factor: 1.5 }], 5e-3)];
    let run = |which: &[usize], layout: Layout| {
        let n = which.len();
        let [by_cell, by_species] = layout.strides(n, k);
        let (mut t, mut p, mut outcome) = (vec![0.0; n], vec![1e4; n], vec![Outcome::default(); n]);
        let (mut own_y, mut dydt) = (vec![0.0; n * k], vec![0.0; n * k]);
        let (mut heating, mut intervals, mut factors) = (vec![0.0; n], vec![0.0; n], Vec::new());
        for (i, &cell) in which.iter().enumerate() {
            let (of_t, acts, of_factors, dt) = &both[cell];
            (t[i], heating[i], intervals[i]) = (*of_t, 1e7 * acts, *dt);
            factors.push(of_factors.clone());
            for s in 0..k {
                let at = i * by_cell + s * by_species;
                (own_y[at], dydt[at]) = (y[s], 20.0 * acts * gains[s]);
            }
        }
        let mut cells = Cells::new(&mut t, &mut p, &mut own_y, layout, &mut outcome);
        cells.source = Some(Source { dydt: &dydt, heating: &heating });
        (cells.intervals, cells.factors) = (Some(&*intervals), Some(&*factors));
        let solver = Advance::builder(&m).reactor(Reactor::ConstV).threads(1);
        solver.follow().unwrap().advance_cells(cells, f64::NAN, &[], &[rise]).unwrap()
    };
    let alone = run(&[1], Layout::CellMajor);
    assert!((alone.flat.as_slice(), alone.blurred.len()) == (&[0], 0) && alone.found[0] > 0.0, "{alone:?}");
    for layout in [Layout::CellMajor, Layout::SpeciesMajor] {
        let followed = run(&[0, 1], layout);
        assert_eq!((followed.flat, followed.blurred), (vec![1], vec![]), "{layout:?}");
        assert_eq!(followed.found[1].to_bits(), alone.found[0].to_bits(), "{layout:?}");
    }
    // Each with its history: the first is compressed.
    let histories = [[1.0, 0.5], [1.0, 1.0]].map(|v| Arc::new(History::new(vec![0.0, 1e-3], v.to_vec()).unwrap()));
    let driven = |which: &[usize]| {
        let (t, n) = (which.iter().map(|&cell| both[cell].0).collect(), which.len());
        let mut states = States::new(&m, t, vec![1e4; n], y.repeat(n)).unwrap();
        let own: Vec<_> = which.iter().map(|&cell| Arc::clone(&histories[cell])).collect();
        let solver = Advance::builder(&m).reactor(Reactor::ConstV).threads(1);
        solver.follow_driven().unwrap().advance_along(&mut states, &own, 1e-2, &[], &[rise]).unwrap()
    };
    let (alone, followed) = (driven(&[1]), driven(&[0, 1]));
    assert!(alone.flat == [0] && followed.flat.contains(&1), "{alone:?} {followed:?}");
    assert_eq!(followed.found[1].to_bits(), alone.found[0].to_bits());
}

/// A follower that changes between both tolerances has a solver for each, and what it finds does not depend on the order.
#[test]
fn followers_change_between_tolerances() {
    let m = Mechanism::bundled("h2").unwrap();
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let most = Event { quantity: Quantity::MoleFraction(m.require("OH").unwrap()), happening: Happening::Maximum };
    let mut solver = Advance::builder(&m).threads(1).follow().unwrap();
    let mut followed = |events: &[Event]| {
        let mut states = States::new(&m, vec![1100.0], vec![1e5], y.clone()).unwrap();
        let followed = solver.advance(&mut states, 1e-2, &[], events).unwrap();
        assert_eq!(solver.progress().load(Ordering::Relaxed), 1);
        (followed.found, followed.report.steps, states.y().to_vec())
    };
    let first = [followed(&EVENTS), followed(&[most])];
    assert!(first[0].1 < first[1].1, "the second at finer tolerances");
    assert_eq!([followed(&EVENTS), followed(&[most])], first);
}

/// A gas that ignites after hours does so in thousands of steps, each of them next to nothing beside that time.
#[test]
fn late_ignitions_are_not_taken_for_a_standstill() {
    let m = Mechanism::bundled("h2").unwrap();
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    for method in ["auto", "rodas4", "radau5", "bdf"] {
        let solver = Advance::builder(&m).method(method).reactor(Reactor::ConstV).rtol(1e-10).atol(1e-18).threads(1);
        let mut states = States::new(&m, vec![600.0], vec![1e6], y.clone()).unwrap();
        let report = solver.plan().unwrap().advance_states(&mut states, 1e5).unwrap();
        let t = states.temperature()[0];
        assert!(report.failed == 0 && (t - 2980.0).abs() < 1.0, "{method}: {t} K, {} steps", report.steps);
    }
}

/// At rest, in steps of 1e5 of its shortest time scales, the rates at their ends are none of the gas's, and a cubic with them leads
/// anywhere: to more OH than there can be, to temperatures that are never reached.
#[test]
fn nothing_happens_in_a_gas_at_rest() {
    let m = Mechanism::bundled("h2").unwrap();
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0)]).unwrap();
    let oh = m.species_names().iter().position(|n| *n == "OH").unwrap();
    let event = |quantity, level| Event { quantity, happening: Happening::Crossing(level) };
    let rise = Event { quantity: Quantity::Temperature, happening: Happening::SteepestRise };
    let end = 1.0;
    let times: Vec<f64> = (0..1000).map(|i| end * f64::from(i) / 999.0).collect();
    for (t, p, rtol) in [(1000.0, 4e6, 1e-6), (1200.0, 1e6, 1e-4)] {
        let mut known = None;
        for method in ["rodas5p", "rodas4", "sdirk4", "radau5", "bdf", "ndf"] {
            let solver = Advance::builder(&m).method(method).reactor(Reactor::ConstV).rtol(rtol).atol(1e-15).threads(1);
            let mut solver = solver.follow().unwrap();
            let mut states = States::new(&m, vec![t], vec![p], y.clone()).unwrap();
            let events = [rise, event(Quantity::MoleFraction(oh), 0.25), event(Quantity::Temperature, 4200.0)];
            let followed = solver.advance(&mut states, end, &times, &events).unwrap();
            let [rise, oh, hot] = [0, 1, 2].map(|i| followed.found[i]);
            assert!(oh.is_nan() && hot.is_nan(), "{method}, {rtol:e}: {oh:e} s, {hot:e} s");
            let known = *known.get_or_insert(rise);
            assert!((rise / known - 1.0).abs() < 1e-2, "{method}, {rtol:e}: {rise:e} s, not {known:e} s");
            let width = m.species_count() + 2;
            for row in followed.series.chunks(width) {
                let hot = row[0] < 4200.0;
                assert!(hot && row[2..].iter().all(|y| (-1e-6..1.0 + 1e-6).contains(y)), "{method}, {rtol:e}: {row:?}");
            }
        }
    }
}

/// A <=> B at 1e14/s, in balance but for what the tolerance leaves open, while B => Q at 1/s: A = B = e^(-t/2)/2. The first step is 1e5
/// of its time scales long, and in every other one f at its ends is noise times 1e14/s as well.
const FAST: &str = "
phases:
- {name: gas, thermo: ideal-gas, elements: [O], species: [A, B, Q], kinetics: gas, reactions: all}
species:
- {name: A, composition: {O: 1}, thermo: &same {model: constant-cp, T0: 300, h0: 0, s0: 0, cp0: 30}}
- {name: B, composition: {O: 1}, thermo: *same}
- {name: Q, composition: {O: 1}, thermo: *same}
reactions:
- {equation: A <=> B, rate-constant: {A: 1e14, b: 0, Ea: 0}}
- {equation: B => Q, rate-constant: {A: 1.0, b: 0, Ea: 0}}
";

#[test]
fn rows_and_crossings_are_as_good_as_the_ends_of_steps() {
    let network = kinlane_mech::cantera::read_str(FAST.to_owned(), "fast.yaml".as_ref(), None, &[]).unwrap();
    let m = Mechanism::from_network(network);
    let crossing = |k, level| Event { quantity: Quantity::MoleFraction(k), happening: Happening::Crossing(level) };
    let events = [(0, 0.4), (1, 0.45), (0, 0.51), (1, 0.51), (1, 0.49)].map(|(k, level)| crossing(k, level));
    let times: Vec<f64> = (0..=400).map(|i| 1e-10 * 10f64.powf(f64::from(i) / 40.0)).collect();
    for (rtol, off) in [(1e-3, 5e-4), (1e-6, 5e-7)] {
        for method in ["rodas5p", "rodas4", "rodas3", "ros2", "sdirk4", "radau5", "bdf", "ndf", "auto"] {
            let mut states = States::new(&m, vec![1000.0], vec![1e5], vec![0.5 + off, 0.5 - off, 0.0]).unwrap();
            let solver = Advance::builder(&m).method(method).reactor(Reactor::FixedT).rtol(rtol).atol(1e-15).threads(1);
            let found = solver.first_step(1e-9).follow().unwrap().advance(&mut states, 1.0, &times, &events).unwrap();
            for (row, &t) in found.series.chunks(5).zip(&times) {
                let exact = 0.5 * (-0.5 * t).exp();
                let error = (row[2] - exact).abs().max((row[3] - exact).abs());
                assert!(error < 5.0 * rtol, "{method}, {rtol:e}, {t:e} s: off by {error:e}: {row:?}");
            }
            let want = |level: f64| -2.0 * (2.0 * level).ln();
            for (i, level) in [(0, 0.4), (1, 0.45), (4, 0.49)] {
                // In mole fraction, which falls by half of itself per second: ends of steps by rodas3 are off by up to three
                // tolerances, depending on the last digit of rtol.
                let error = (found.found[i] - want(level)).abs() * 0.5 * level;
                assert!(error < 3.0 * rtol, "{method}, {rtol:e}: {level} off by {error:e}");
            }
            assert!(found.found[2].is_nan() && found.found[3].is_nan(), "{method}, {rtol:e}: {:?}", found.found);
        }
    }
}

#[test]
fn delays_of_three_mechanisms() {
    let Some(golden) = files::golden() else { return };
    let all = json(&golden.join("equilibrium/ignition_delays.json"));
    for (name, m) in all["mechanisms"].as_object().expect("mechanisms") {
        let Some(data) = files::data() else { return };
        let mechanism = Mechanism::load(data.join(format!("combustion/{name}/{name}.yaml"))).expect("it is valid");
        let cases = m["cases"].as_array().expect("cases");
        let (mut t, mut p, mut y) = (Vec::new(), Vec::new(), Vec::new());
        for c in cases {
            let moles: Vec<(&str, f64)> =
                c["X0"].as_object().unwrap().iter().map(|(k, x)| (k.as_str(), x.as_f64().unwrap())).collect();
            y.extend(mechanism.mass_fractions_of_moles(&moles).unwrap());
            t.push(c["T0_K"].as_f64().unwrap());
            p.push(c["P0_Pa"].as_f64().unwrap());
        }
        // The steepest rise is known as well as the rate of T, whose noise is larger than that of T.
        for (method, rtol, atol, bounds) in [
            ("rodas5p", 1e-6, 1e-15, [1e-5, 1e-6]),
            ("rodas5p", 1e-10, 1e-20, [1e-8, 1e-8]),
            ("auto", 1e-10, 1e-20, [1e-6, 1e-7]),
            ("rodas4", 1e-6, 1e-15, [2e-4, 1e-5]),
            ("rodas4", 1e-8, 1e-17, [1e-5, 1e-7]),
            ("bdf", 1e-6, 1e-15, [5e-4, 1e-4]),
            ("radau5", 1e-6, 1e-15, [1e-3, 1e-5]),
        ] {
            let options = Options { method: Some(method.to_owned()), ..options(rtol, atol) };
            let mut states = States::new(&mechanism, t.clone(), p.clone(), y.clone()).unwrap();
            let mut solver = Advance::builder(&mechanism).options(options.clone()).threads(2).follow().unwrap();
            let followed = solver.advance(&mut states, 0.1, &[], &EVENTS).unwrap();
            assert_eq!(followed.report.failed, 0);
            for (c, found) in cases.iter().zip(followed.found.chunks(2)) {
                for ((key, found), bound) in ["ignition_delay_s", "t_T0_plus_400K_s"].iter().zip(found).zip(bounds) {
                    let error = (found / c[*key].as_f64().unwrap() - 1.0).abs();
                    assert!(error < bound, "{name}, {method}, rtol {rtol:e}, {c}: {key} is off by {error:e}");
                }
            }
        }
    }
}

/// States on the way are those of runs that end there.
#[test]
fn a_series_is_what_shorter_runs_end_with() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let cells = || States::new(&mechanism, vec![1200.0, 1000.0, 2500.0], vec![101_325.0; 3], y.repeat(3)).unwrap();
    let times = [0.0, 1e-6, 3.3e-5, 6e-5, 2e-4];
    for method in ["rodas5p", "rodas4", "bdf", "radau5", "auto"] {
        let options = Options { method: Some(method.to_owned()), ..options(1e-8, 1e-14) };
        let mut followed = cells();
        let out = Advance::builder(&mechanism)
            .options(options.clone())
            .threads(1)
            .follow()
            .unwrap()
            .advance(&mut followed, 2e-4, &times, &[])
            .unwrap();
        let width = mechanism.species_count() + 2;
        for (i, &t) in times.iter().enumerate() {
            let mut alone = cells();
            if t > 0.0 {
                Advance::builder(&mechanism)
                    .options(options.clone())
                    .threads(1)
                    .plan()
                    .unwrap()
                    .advance_states(&mut alone, t)
                    .unwrap();
            }
            for cell in 0..3 {
                let row = &out.series[(cell * times.len() + i) * width..][..width];
                let mut errors = vec![row[0] / alone.temperature()[cell] - 1.0, row[1] / alone.pressure()[cell] - 1.0];
                errors.extend(row[2..].iter().zip(alone.y_of(cell)).map(|(a, b)| a - b));
                let worst = errors.iter().fold(0.0f64, |w, e| w.max(e.abs()));
                assert!(worst < 1e-7, "{method}, cell {cell}, t = {t}: off by {worst:e}");
            }
        }
    }
}

/// Steepest rise, threshold and states on the way by every method.
#[test]
fn every_method_finds_the_ignition_and_the_way_to_it() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let times = [0.0, 1e-5, 3e-5, 1e-4];
    let follow = |options: Options| {
        let mut states = States::new(&mechanism, vec![1200.0], vec![101_325.0], y.clone()).unwrap();
        let mut solver = Advance::builder(&mechanism).options(options).threads(1).follow().unwrap();
        let out = solver.advance(&mut states, 1e-4, &times, &EVENTS).unwrap();
        assert_eq!(out.report.failed, 0);
        (out.found, out.series)
    };
    let (want, way) = follow(Options { method: Some("rodas5p".to_owned()), ..options(1e-10, 1e-16) });
    for method in kinlane::methods() {
        // The first is all of RK4's, and stays.
        let first_step = if method.name == "rk4" { 1e-8 } else { 1e-9 };
        let rtol = if ["chemeq2", "asymptotic"].contains(&method.name) { 1e-4 } else { 1e-6 };
        let chosen =
            Options { method: Some(method.name.to_owned()), first_step: Some(first_step), ..options(rtol, 1e-12) };
        let (found, series) = follow(chosen);
        let late = found.iter().zip(&want).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
        let off = series.iter().zip(&way).map(|(a, b)| (a - b).abs() / (b.abs() + 1e-4)).fold(0.0, f64::max);
        let bounds = match method.name {
            "backward-euler" => [5e-3, 2e-2],         // of the first order
            "chemeq2" | "asymptotic" => [5e-4, 2e-2], // at their coarser tolerance
            "rkc" => [1e-4, 1e-3],                    // of the second, where errors of many steps add up
            _ => [1e-5, 1e-4],
        };
        assert!(late < bounds[0] && off < bounds[1], "{}: {late:e} late, {off:e} off", method.name);
    }
}

/// At constant volume the pressure is made of a density, and may begin a rounding beside where it was given.
#[test]
fn what_begins_on_a_level_is_there() {
    let m = Mechanism::bundled("h2").unwrap();
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let mut solver = Advance::builder(&m).reactor(Reactor::ConstV).threads(1).follow().unwrap();
    for p in [101_325.0, 1e5, 123_456.7, 3.3e6] {
        let mut states = States::new(&m, vec![1000.0], vec![p], y.clone()).unwrap();
        let at = |quantity, level| Event { quantity, happening: Happening::Crossing(level) };
        let events = [at(Quantity::Pressure, p), at(Quantity::Temperature, 1000.0)];
        assert_eq!(solver.advance(&mut states, 2e-3, &[], &events).unwrap().found, [0.0, 0.0], "{p} Pa");
    }
    // Also where the first steps do not move it by a bit, or nothing ever does.
    for (p, fuel) in [(101_325.0, 2.0), (3.3e6, 0.0)] {
        let y = m.mass_fractions_of_moles(&[("H2", fuel), ("O2", 1.0), ("N2", 3.76)]).unwrap();
        for method in ["auto", "radau5", "bdf", "rodas4", "dopri5", "exp4"] {
            let states = States::new(&m, vec![700.0], vec![p], y.clone()).unwrap();
            let at = |quantity, level| Event { quantity, happening: Happening::Crossing(level) };
            let events = [at(Quantity::Pressure, p), at(Quantity::Temperature, 700.0)];
            let solver = Advance::builder(&m).reactor(Reactor::ConstV).method(method).threads(1).follow();
            let found = solver.unwrap().advance(&mut states.clone(), 1e-3, &[], &events).unwrap().found;
            assert_eq!(found, [0.0, 0.0], "{method}, {p} Pa");
        }
    }
}
