//! Thermodynamics beyond the fits: constant heat capacities above the plan's `hold` temperature.

use kinlane_plan::Plan;
use kinlane_plan::plan::Thermo;
use kinlane_solve::Reactor;
use kinlane_testdata::random::Composition;
use kinlane_testdata::{Oracle, Random, State, files};

/// G, h/RT and cp/R of every species at a temperature.
fn at(plan: &Plan, s: &State, t: f64) -> [Vec<f64>; 3] {
    let mut o: Oracle<'_, f64> = Oracle::new(plan, Reactor::ConstP);
    o.load_state(&State { t, ..s.clone() });
    o.rhs();
    let Thermo { gibbs, enthalpy, cp, .. } = plan.thermo;
    [gibbs, enthalpy, cp].map(|a| o.read(a))
}

#[test]
fn heat_capacities_stay_above_hold_and_nothing_jumps_there() {
    for name in ["h2co_burke", "gri30", "usc_mech_ii", "nh3_alzueta_lmrr", "aramco13"] {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Plan::new(&network);
        let hold = plan.thermo.hold;
        assert!((3500.0..=10_000.0).contains(&hold), "{name}: {hold}");
        let s = State::random(&mut Random::new(3), &network, Composition::Positive);
        let (below, there, above, far) =
            (at(&plan, &s, hold * (1.0 - 1e-9)), at(&plan, &s, hold), at(&plan, &s, hold * (1.0 + 1e-9)), hold * 2.5);
        let [g, h, cp] = at(&plan, &s, far);
        for k in 0..plan.species {
            let who = || format!("{name}, {}", network.species[k].name);
            for i in 0..3 {
                let (a, b, c) = (below[i][k], there[i][k], above[i][k]);
                let near = |x: f64, y: f64| (x - y).abs() < 1e-6 * (1.0 + x.abs());
                assert!(near(a, b) && near(b, c), "{}: {a}, {b}, {c}", who());
            }
            let [g0, h0, c0] = [0, 1, 2].map(|i| there[i][k]);
            assert!(c0 > 1.0 && cp[k] == c0, "{}: cp/R {c0}, then {}", who(), cp[k]);
            // h = h₀ + cp (T − T₀); G = h/RT − s/R + ln T and constants, s = s₀ + cp ln(T/T₀)
            let h1 = (h0 * hold + c0 * (far - hold)) / far;
            let g1 = g0 + (h1 - h0) + (1.0 - c0) * (far / hold).ln();
            assert!((h[k] - h1).abs() < 1e-9 * (1.0 + h1.abs()), "{}: h/RT {}, not {h1}", who(), h[k]);
            assert!((g[k] - g1).abs() < 1e-9 * (1.0 + g1.abs()), "{}: G {}, not {g1}", who(), g[k]);
        }
    }
}

/// At the temperature between two ranges the lower one applies for Shomate's polynomials, as for NASA's with seven
/// coefficients; the upper one with nine.
#[test]
fn the_range_at_the_temperature_between_two() {
    let species =
        |name: &str, thermo: &str| format!("- {{name: {name}, composition: {{O: 1}}, thermo: {{{thermo}}}}}\n");
    for middle in [500.0, 700.0, 1000.0, 1234.5] {
        let text = format!(
            "phases: [{{name: g, thermo: ideal-gas}}]\nspecies:\n{}{}{}",
            species(
                "A",
                &format!(
                    "model: Shomate, temperature-ranges: [200, {middle}, 6000], data: [[25, 0, 0, 0, 0, 240, 190], [24, 0, 0, 0, 0, 241, 191]]"
                )
            ),
            species(
                "B",
                &format!(
                    "model: NASA7, temperature-ranges: [200, {middle}, 6000], data: [[3, 0, 0, 0, 0, 100, 3], [3.1, 0, 0, 0, 0, 120, 3.1]]"
                )
            ),
            species(
                "C",
                &format!(
                    "model: NASA9, temperature-ranges: [200, {middle}, 6000], data: [[0, 0, 3, 0, 0, 0, 0, 100, 3], [0, 0, 3.1, 0, 0, 0, 0, 120, 3.1]]"
                )
            ),
        );
        let network = kinlane_mech::cantera::read_str(text, std::path::Path::new("g.yaml"), None, &[]).unwrap();
        let plan = Plan::new(&network);
        let s = State::random(&mut Random::new(3), &network, Composition::Positive);
        let [.., cp] = at(&plan, &s, middle);
        let r = 8.314_462_618_153_24;
        for (got, want) in cp.iter().zip([25.0 / r, 3.0, 3.1]) {
            assert!((got - want).abs() < 1e-12, "{middle}: {cp:?}");
        }
        let [.., above] = at(&plan, &s, middle * (1.0 + 1e-12));
        assert!((above[0] - 24.0 / r).abs() < 1e-12, "{middle}: {above:?}");
    }
}
