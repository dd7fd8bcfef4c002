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
