//! Equilibria against golden answers, and over everything the collection holds.

use kinlane::{Equilibrium, EquilibriumError, Mechanism, Pair, States, equilibrate};
use kinlane_testdata::{Random, files, golden};
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// Every mechanism of the combustion collection.
fn mechanisms() -> Vec<(String, Mechanism)> {
    let Some(data) = files::data() else { return Vec::new() };
    let mut names: Vec<String> = std::fs::read_dir(data.join("combustion"))
        .expect("the folder of mechanisms")
        .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name != "rate_types")
        .collect();
    names.sort();
    let load = |name: String| files::mechanism(&name).map(|n| (name, Mechanism::from_network(n)));
    names.into_iter().filter_map(load).collect()
}

#[test]
fn methane_and_air_burn_to_the_golden_states() {
    let Some(folder) = files::golden() else { return };
    let Some(network) = files::mechanism("gri30") else { return };
    let mechanism = Mechanism::from_network(network);
    let file = golden::json(&folder.join("equilibrium/ch4_air_hp.json"));
    let names: Vec<&str> = file["species"].as_array().expect("names").iter().filter_map(|n| n.as_str()).collect();
    let p = file["P_Pa"].as_f64().expect("a pressure");
    let fuel = mechanism.mass_fractions_of_moles(&[("CH4", 1.0)]).expect("methane");
    let air = mechanism.mass_fractions_of_moles(&[("O2", 0.21), ("N2", 0.79)]).expect("air");
    let mut solver = Equilibrium::new(&mechanism);
    let mut worst = [0.0f64; 3];
    for row in file["rows"].as_array().expect("rows") {
        let z = row["Z"].as_f64().expect("a number");
        let mut y: Vec<f64> = fuel.iter().zip(&air).map(|(f, a)| z * f + (1.0 - z) * a).collect();
        let found = solver.solve(Pair::HP, 300.0, p, &mut y).expect("an equilibrium");
        let t = row["T_K"].as_f64().expect("a number");
        let worse = |w: f64, x: f64| if w.total_cmp(&x).is_lt() { x } else { w };
        worst[0] = worse(worst[0], (found.temperature / t - 1.0).abs());
        for (name, want) in names.iter().zip(golden::numbers(&row["Y"])) {
            let got = y[mechanism.species_index(name).expect("a species")];
            worst[1] = worse(worst[1], (got - want).abs());
            if want > 1e-6 {
                worst[2] = worse(worst[2], (got / want - 1.0).abs());
            }
        }
    }
    eprintln!("largest error: T {:.1e}, Y {:.1e} absolute, {:.1e} relative above 1e-6", worst[0], worst[1], worst[2]);
    assert!(worst[0] < 1e-10 && worst[1] < 1e-10 && worst[2] < 1e-9, "{worst:?}");
}

/// In a closed vessel the pressure rises with the temperature and with the number of molecules: p V = n R T.
#[test]
fn the_pressure_of_a_vessel_is_that_of_its_molecules() {
    let mechanism = Mechanism::bundled("h2").expect("bundled");
    let first = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0)]).expect("a gas");
    let moles = |y: &[f64]| mechanism.specific_moles(y).iter().sum::<f64>();
    let (t, p) = (600.0, 2e5);
    for pair in [Pair::TV, Pair::UV, Pair::SV] {
        let mut y = first.clone();
        let found = Equilibrium::new(&mechanism).solve(pair, t, p, &mut y).expect("an equilibrium");
        let want = p * found.temperature / t * moles(&y) / moles(&first);
        assert!((found.pressure / want - 1.0).abs() < 1e-12, "{pair:?}: {} for {want}", found.pressure);
        assert!((moles(&y) / moles(&first) - 1.0).abs() > 0.05, "{pair:?}");
    }
}

/// Mass fractions of one of the shapes that occur: everything, a few species, two, one.
fn composition(r: &mut Random, mechanism: &Mechanism, shape: usize) -> Vec<f64> {
    let n = mechanism.species_count();
    let mut y = vec![0.0; n];
    match shape {
        0 => y.iter_mut().for_each(|y| *y = r.log_uniform(1e-12, 1.0)),
        1 => (0..5).for_each(|_| y[r.below(n)] += r.uniform(0.0, 1.0)),
        2 => (0..2).for_each(|_| y[r.below(n)] += r.log_uniform(1e-10, 1.0)),
        _ => y[r.below(n)] = 1.0,
    }
    let sum: f64 = y.iter().sum();
    y.iter().map(|y| y / sum).collect()
}

#[test]
fn no_state_of_any_mechanism_fails() {
    let per_mechanism: usize = std::env::var("KINLANE_STATES").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    for (name, mechanism) in mechanisms() {
        let mut r = Random::new(7);
        let mut solver = Equilibrium::new(&mechanism);
        let (mut steps, mut most, mut solved, mut nowhere) = (0u32, 0, 0, 0);
        let start = std::time::Instant::now();
        // Large mechanisms take longer for each.
        for i in 0..(per_mechanism * 100 / mechanism.species_count().max(100)).max(24) {
            let y0 = composition(&mut r, &mechanism, i % 4);
            let (t, p) = (r.uniform(250.0, 5000.0), r.log_uniform(1e3, 1e7));
            let held: Vec<_> = mechanism.species_names().iter().zip(&y0).filter(|(_, y)| **y > 0.0).take(6).collect();
            let mut solve = |pair, t, p, y: &mut [f64]| match solver.solve(pair, t, p, y) {
                // The energy of a gas of radicals, or the entropy of one of large molecules, may be beyond all
                // temperatures: a true answer.
                Err(EquilibriumError::Temperature) if !matches!(pair, Pair::TP | Pair::TV) => None,
                Err(e) => panic!("{name}, {pair:?} at {t} K, {p} Pa, {held:?}: {e}"),
                Ok(found) => {
                    (steps, most, solved) = (steps + found.steps, most.max(found.steps), solved + 1);
                    Some(found)
                }
            };
            let mut y = y0.clone();
            let found = solve(Pair::TP, t, p, &mut y).expect("any temperature has an equilibrium");
            let off = imbalance(&mechanism, &y0, &y);
            assert!(
                off < 1e-12 && found.temperature == t,
                "{name} at {t} K, {p} Pa, {held:?}: elements off by {off:e}"
            );
            for pair in [Pair::TV, Pair::HP, Pair::UV, Pair::SP, Pair::SV] {
                // An equilibrium is its own, whatever is held.
                let mut again = y.clone();
                let next = solve(pair, t, p, &mut again).map_or(f64::NAN, |next| next.temperature);
                assert!((next / t - 1.0).abs() < 1e-8, "{name}, {pair:?} at {t} K, {p} Pa, {held:?}: then {next} K");
                nowhere += usize::from(solve(pair, t, p, &mut y0.clone()).is_none());
            }
        }
        eprintln!(
            "{name}: {solved} states, {nowhere} without a temperature, {:.1} steps each, at most {most}, {:.2} ms each",
            f64::from(steps) / f64::from(solved),
            start.elapsed().as_secs_f64() * 1e3 / f64::from(solved)
        );
        assert!(nowhere * 50 < solved as usize, "{name}: {nowhere} of {solved} states without a temperature");
    }
}

/// Largest relative difference of an element's amount between two mixtures.
fn imbalance(mechanism: &Mechanism, a: &[f64], b: &[f64]) -> f64 {
    let network = mechanism.network();
    let mut worst = 0.0f64;
    for e in 0..network.elements.len() {
        let held = |y: &[f64]| -> [f64; 2] {
            let atoms = |s: &kinlane::mech::network::Species| {
                s.composition.iter().find(|(i, _)| *i == e).map_or(0.0, |c| c.1 / s.molar_mass)
            };
            let parts = network.species.iter().zip(y).map(|(s, y)| atoms(s) * y);
            parts.fold([0.0, 0.0], |[sum, gross], x| [sum + x, gross + x.abs()])
        };
        let ([from, before], [to, after]) = (held(a), held(b));
        if before > 0.0 || after > 0.0 {
            worst = worst.max((from - to).abs() / before.max(after));
        }
    }
    worst
}

/// Charges add up to nothing, in a gas that can have ions and in one that has only some of them.
#[test]
fn ionised_gases_stay_neutral() {
    let ionised = files::rate_types().into_iter().filter(|(name, _)| name.contains("_ion.yaml"));
    let mut seen = 0;
    for (name, network) in ionised {
        let mechanism = Mechanism::from_network(network);
        let Some(electron) = mechanism.species_index("E") else { continue };
        let mut solver = Equilibrium::new(&mechanism);
        for (t, p) in [(300.0, 1e5), (1500.0, 1e5), (3000.0, 1e4), (5000.0, 1e5)] {
            let y0 = mechanism.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)]).expect("species");
            for pair in [Pair::TP, Pair::HP, Pair::UV] {
                let mut y = y0.clone();
                let found = solver.solve(pair, t, p, &mut y).unwrap_or_else(|e| panic!("{name}, {pair:?}, {t} K: {e}"));
                // Relative to all charges of one sign: the electron is an element that counts both ways.
                assert!(imbalance(&mechanism, &y0, &y) < 1e-12, "{name}, {pair:?}, {t} K");
                assert!(y[electron] > 0.0 || found.temperature < 1000.0, "{name}, {pair:?}, {t} K: no electrons");
            }
        }
        seen += 1;
    }
    assert!(seen > 0 || files::data().is_none());
}

/// Of what a species has less than one atom of, or an atom gives off several of, there are more moles than of atoms. The
/// amounts are those of Cantera.
#[test]
fn species_may_have_more_moles_than_there_are_atoms() {
    let barium = "phases: [{name: g, thermo: ideal-gas}]
species:
- {name: Ba, composition: {Ba: 1}, thermo: {model: constant-cp, h0: 0, s0: 170 J/mol/K, cp0: 20.786 J/mol/K}}
- {name: Ba+, composition: {Ba: 1, E: -1}, thermo: {model: constant-cp, h0: 509 kJ/mol, s0: 176 J/mol/K, cp0: 20.786 J/mol/K}}
- {name: Ba++, composition: {Ba: 1, E: -2}, thermo: {model: constant-cp, h0: 1480 kJ/mol, s0: 170 J/mol/K, cp0: 20.786 J/mol/K}}
- {name: e-, composition: {E: 1}, thermo: {model: constant-cp, h0: 0, s0: 20.98 J/mol/K, cp0: 20.786 J/mol/K}}
";
    let parts = "phases: [{name: g, thermo: ideal-gas}]
species:
- {name: H2, composition: {H: 2}, thermo: {model: constant-cp, h0: 0, s0: 130 J/mol/K, cp0: 29 J/mol/K}}
- {name: h, composition: {H: 0.25}, thermo: {model: constant-cp, h0: 5 kJ/mol, s0: 114 J/mol/K, cp0: 20.8 J/mol/K}}
";
    let ionised = [2.25e-5, 0.152, 0.232, 0.616];
    for (text, t, mixtures, want) in [
        (
            barium,
            8000.0,
            &[&[("Ba", 1.0)][..], &[("Ba++", 1.0), ("e-", 2.0)], &[("Ba", 1.0), ("Ba+", 1.0), ("e-", 1.0)]][..],
            &ionised[..],
        ),
        (parts, 3000.0, &[&[("H2", 1.0)], &[("h", 1.0)]], &[0.0, 1.0]),
    ] {
        let mechanism = Mechanism::from_text("g.yaml", text, None).expect("a mechanism");
        let mut solver = Equilibrium::new(&mechanism);
        for moles in mixtures {
            let mut rest = mechanism.mass_fractions_of_moles(moles).expect("its species");
            let found = solver.solve(Pair::TP, t, 100.0, &mut rest).unwrap_or_else(|e| panic!("{moles:?}: {e}"));
            let n = mechanism.specific_moles(&rest);
            let total: f64 = n.iter().sum();
            for (n, want) in n.iter().zip(want) {
                assert!((n / total - want).abs() < 5e-3 * want + 1e-9, "{moles:?}: {n:?} of {total}, {want}");
            }
            for pair in Pair::ALL {
                let mut y = rest.clone();
                let again = solver
                    .solve(pair, t, found.pressure, &mut y)
                    .unwrap_or_else(|e| panic!("{moles:?}, {pair:?}: {e}"));
                assert!((again.temperature / t - 1.0).abs() < 1e-8, "{moles:?}, {pair:?}: {}", again.temperature);
                // From elsewhere too. So little entropy as that of H2 may not be left at 50 K.
                let mut y = mechanism.mass_fractions_of_moles(moles).expect("its species");
                let other = solver.solve(pair, 10_000.0, 100.0, &mut y);
                assert!(matches!(other, Ok(_) | Err(EquilibriumError::Temperature)), "{moles:?}, {pair:?}: {other:?}");
            }
        }
    }
}

#[test]
fn a_batch_gives_what_single_states_give_on_any_number_of_threads() {
    let mechanism = Mechanism::bundled("gri30").expect("bundled");
    let mut r = Random::new(3);
    let n = 37;
    let t: Vec<f64> = (0..n).map(|_| r.uniform(300.0, 3000.0)).collect();
    let y: Vec<f64> = (0..n).flat_map(|i| composition(&mut r, &mechanism, i % 4)).collect();
    let batch = || States::new(&mechanism, t.clone(), vec![2e5; n], y.clone()).expect("states");
    let run = |threads| {
        let (mut states, progress) = (batch(), AtomicUsize::new(0));
        let results = equilibrate(&mechanism, Pair::UV, &mut states, threads, &progress, &AtomicBool::new(false));
        assert!(results.iter().all(Result::is_ok) && progress.into_inner() == n);
        (states.temperature().to_vec(), states.y().to_vec())
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn what_is_stopped_keeps_its_state() {
    let mechanism = Mechanism::bundled("h2").expect("bundled");
    let mut states = States::uniform(&mechanism, 5, 1000.0, 1e5, &[("H2", 0.1), ("O2", 0.9)]).expect("states");
    let before = states.y().to_vec();
    let stop = AtomicBool::new(true);
    let results = equilibrate(&mechanism, Pair::HP, &mut states, 2, &AtomicUsize::new(0), &stop);
    assert!(results.iter().all(Result::is_err) && states.y() == before);
}

#[test]
fn an_energy_that_no_temperature_has_is_refused() {
    let mechanism = Mechanism::bundled("h2").expect("bundled");
    let mut y = mechanism.mass_fractions_of_moles(&[("AR", 1.0)]).expect("argon");
    let refused = Equilibrium::new(&mechanism).solve(Pair::HP, 30_000.0, 1e5, &mut y);
    assert_eq!(refused, Err(EquilibriumError::Temperature));
    assert_eq!(y[mechanism.species_index("AR").expect("argon")], 1.0, "the state is as it was");
}

/// A gas at equilibrium has its temperature whatever is held, down to where most species are not there at all.
#[test]
fn a_gas_at_equilibrium_keeps_its_temperature() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let moles = [("CO2", 1.0), ("H2O", 1.0), ("N2", 1.0), ("O2", 1.0)];
    let mixture = mechanism.mass_fractions_of_moles(&moles).expect("its species");
    let mut solver = Equilibrium::new(&mechanism);
    for t in (0..24).map(|i| 205.0 + 33.3 * f64::from(i)) {
        for p in [1e2, 1e5, 1e7] {
            let mut rest = mixture.clone();
            let first = solver.solve(Pair::TP, t, p, &mut rest).expect("an equilibrium");
            for pair in [Pair::SP, Pair::SV, Pair::HP, Pair::UV] {
                let mut y = rest.clone();
                let again = solver.solve(pair, t, first.pressure, &mut y).expect("the same");
                assert!((again.temperature / t - 1.0).abs() < 1e-8, "{pair:?} at {t} K, {p} Pa: {}", again.temperature);
            }
        }
    }
}

/// Between two plateaus, where all is A and all is B, the enthalpy rises a hundredfold more steeply.
#[test]
fn an_enthalpy_between_two_plateaus_is_found() {
    for steep in [3e4, 1e5, 1e6, 1e7] {
        let text = format!(
            "phases: [{{name: g, thermo: ideal-gas}}]
species:
- {{name: A, composition: {{H: 1}}, thermo: {{model: constant-cp, T0: 1000 K, h0: 0, s0: 0, cp0: 30 kJ/kmol/K}}}}
- {{name: B, composition: {{H: 1}}, thermo: {{model: constant-cp, T0: 1000 K, h0: {steep} kJ/kmol, s0: {} kJ/kmol/K, cp0: 30 kJ/kmol/K}}}}
",
            steep / 1400.0
        );
        let network = kinlane::mech::cantera::read_str(text, "g.yaml".as_ref(), None, &[]).expect("reads");
        let mechanism = Mechanism::from_network(network);
        let mut solver = Equilibrium::new(&mechanism);
        for share in [0.2, 0.5, 0.9] {
            let mut y = vec![1.0 - share, share];
            // ΔG = h (1 − T/1400) = −RT ln(B/A)
            let odds: f64 = share / (1.0 - share);
            let want = 1.0 / (1.0 / 1400.0 - 8.314_462_618e-3 / steep * 1e3 * odds.ln());
            let found = solver.solve(Pair::HP, want, 1e5, &mut y).expect("an equilibrium");
            assert!((found.temperature - want).abs() < 1e-5 * want, "{steep}, {share}: {} K", found.temperature);
            assert!((y[1] - share).abs() < 1e-6, "{steep}, {share}: {y:?}");
        }
    }
}

#[test]
fn what_is_no_gas_of_the_mechanism_is_refused() {
    let (h2, gri) = (Mechanism::bundled("h2").unwrap(), Mechanism::bundled("gri30").unwrap());
    let air = |m: &Mechanism| m.mass_fractions_of_moles(&[("H2", 1.0), ("O2", 1.0), ("N2", 3.0)]).unwrap();
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let mut solver = Equilibrium::new(&h2);
    for (what, t, p, first) in [
        ("T", nan, 1e5, 0.0),
        ("T", -5.0, 1e5, 0.0),
        ("T", inf, 1e5, 0.0),
        ("P", 1000.0, 0.0, 0.0),
        ("P", 1000.0, nan, 0.0),
        ("P", 1000.0, inf, 0.0),
        ("Y", 1000.0, 1e5, nan),
        ("Y", 1000.0, 1e5, -1.0),
        ("Y", 1000.0, 1e5, inf),
    ] {
        for pair in [Pair::TP, Pair::TV, Pair::HP, Pair::UV, Pair::SP, Pair::SV] {
            let mut y = air(&h2);
            y[0] += first;
            match solver.solve(pair, t, p, &mut y) {
                Err(EquilibriumError::Value { what: named, .. }) => assert_eq!(named, what),
                other => panic!("{pair:?}, T = {t}, p = {p}, Y + {first}: {other:?}"),
            }
        }
    }
    let nothing = solver.solve(Pair::UV, 1000.0, 1e5, &mut vec![0.0; h2.species_count()]);
    assert_eq!(nothing, Err(EquilibriumError::Value { what: "the sum of Y", value: 0.0 }));
    let mut other = States::new(&gri, vec![1500.0; 3], vec![1e5; 3], air(&gri).repeat(3)).unwrap();
    let before = other.y().to_vec();
    let refused = equilibrate(&h2, Pair::TP, &mut other, 1, &AtomicUsize::new(0), &AtomicBool::new(false));
    let want = Err(EquilibriumError::Length { got: gri.species_count(), want: h2.species_count() });
    assert!(refused.len() == 3 && refused.iter().all(|r| *r == want), "{refused:?}");
    assert_eq!(other.y(), before);
    let one = States::new(&gri, vec![1500.0], vec![1e5], air(&gri)).unwrap();
    assert!(matches!(kinlane::inspect(&h2, &one), Err(kinlane::BatchError::Length { .. })));
}
