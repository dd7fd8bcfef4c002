//! The upper rungs of the failure ladder alone.

use kinlane_plan::Plan;
use kinlane_plan::plan::{Features, NO_ELECTRON_T};
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::method::{DEFAULT, RADAU5};
use kinlane_solve::rescue::{Climb, Entry, Reach, rescue, rungs};
use kinlane_solve::{Cost, Options, Reactor};
use kinlane_testdata::files;
use kinlane_testdata::golden::Npz;
use std::sync::atomic::{AtomicBool, Ordering};

/// A cell on which nothing acts.
fn closed<'a>(y: &'a [f64], parameter: f64, source: &'a [f64], dt: f64, stop: &'a AtomicBool) -> Entry<'a> {
    Entry { y, parameter, electron: NO_ELECTRON_T, source, heating: 0.0, excess: &[], constants: &[], dt, stop }
}

#[test]
fn they_arrive_where_cantera_says() {
    let (Some(network), Some(golden)) = (files::mechanism("h2co_burke"), files::golden()) else { return };
    let plan = Plan::new(&network);
    let mut npz = Npz::open(&golden.join("combustion/h2co_burke.npz"));
    let [t, p, y, t1] = ["T", "P", "Y", "T_1e-04"].map(|k| npz.array(k));
    let n = plan.species;
    for cell in (0..t.len()).step_by(97) {
        let mut state = vec![0.0; plan.lu.n];
        let gas = Gas::new(&plan, Options::default().reactor);
        let parameter = gas.enter(t[cell], p[cell], |k| y[cell * n + k], |i, x| state[i] = x);
        let source = vec![0.0; n];
        let mut cost = Cost::default();
        let stop = AtomicBool::new(true);
        let entry = closed(&state, parameter, &source, 1e-4, &stop);
        let stopped = rescue(&plan, &Options::default(), (DEFAULT, Reach::All), &entry, &mut cost);
        assert_eq!((stopped, cost.factor), (Climb::Stopped, 0), "who is stopped stops");
        stop.store(false, Ordering::Relaxed);
        let all = rungs(&Options::default(), DEFAULT).chain(rungs(&Options::default(), &RADAU5));
        for rung in all {
            let mut cost = Cost::default();
            let Climb::Arrived(end) = rung.climb(&plan, &Options::default(), &entry, &mut cost) else {
                panic!("cell {cell} is an ordinary one")
            };
            assert!((end[n] / t1[cell] - 1.0).abs() < 1e-5, "cell {cell}: {} for {}", end[n], t1[cell]);
            assert!(cost.steps > 0 && (!rung.pivoted || cost.factor == cost.steps + cost.rejected));
        }
        let (mut cost, mut of_first) = (Cost::default(), Cost::default());
        let first = rungs(&Options::default(), DEFAULT).next().expect("a rung");
        let end = rescue(&plan, &Options::default(), (DEFAULT, Reach::All), &entry, &mut cost);
        assert_eq!(end, first.climb(&plan, &Options::default(), &entry, &mut of_first), "the lowest comes first");
        assert_eq!(cost, of_first);
    }
}

/// Where a rung has spent its attempts the next may still arrive, at coarse tolerances.
#[test]
fn every_rung_has_its_turn_and_then_it_is_given_up() {
    let (Some(network), Some(golden)) = (files::mechanism("h2co_burke"), files::golden()) else { return };
    let plan = Plan::new(&network);
    let mut npz = Npz::open(&golden.join("combustion/h2co_burke.npz"));
    let [t, p, y] = ["T", "P", "Y"].map(|k| npz.array(k));
    let (n, stop) = (plan.species, AtomicBool::new(false));
    let mut rescued = [0; 3];
    for cell in (0..t.len()).step_by(37) {
        let mut state = vec![0.0; plan.lu.n];
        let gas = Gas::new(&plan, Options::default().reactor);
        let parameter = gas.enter(t[cell], p[cell], |k| y[cell * n + k], |i, x| state[i] = x);
        let source = vec![0.0; n];
        let entry = closed(&state, parameter, &source, 1e-2, &stop);
        let budget = |max_steps| Options { rtol: 0.1, atol: 1e-4, max_steps, ..Options::default() };
        let attempts = |cost: Cost| cost.steps + cost.rejected;
        let alone: Vec<_> = rungs(&budget(2000), DEFAULT)
            .map(|rung| {
                let mut cost = Cost::default();
                let end = rung.climb(&plan, &budget(2000), &entry, &mut cost);
                (end, attempts(cost))
            })
            .collect();
        let run = |max_steps| {
            let mut cost = Cost::default();
            let end = rescue(&plan, &budget(max_steps), (DEFAULT, Reach::All), &entry, &mut cost);
            (end, attempts(cost))
        };
        let Some(best) = (0..3).find(|&i| (0..3).all(|j| i == j || alone[i].1 < alone[j].1)) else { continue };
        rescued[best] += 1;
        let (end, least) = alone[best].clone();
        assert_eq!(run(least), (end, (best as u32 + 1) * least), "cell {cell}");
        assert_eq!(run(least - 1), (Climb::Lost, 3 * (least - 1)), "cell {cell}");
    }
    assert!(rescued[1] >= 3 && rescued[2] >= 3, "{rescued:?}");
}

/// What acts on a cell acts on it on every rung: heat warms it by Q t/cp, a source brings s t, and a reaction has its factor and
/// the temperature of the electrons, here that at which Te − T is T: k = exp(−1 + 2 (Te − T)/Te).
#[test]
fn what_acts_on_a_cell_acts_on_every_rung() {
    const TEXT: &str = "
units: {length: m, quantity: mol}
phases: [{name: gas, thermo: ideal-gas, kinetics: gas}]
species:
- {name: A, composition: {N: 1}, thermo: &t {model: constant-cp, h0: 0, s0: 150 J/mol/K, cp0: 30 J/mol/K}}
- {name: B, composition: {N: 1}, thermo: *t}
- {name: C, composition: {N: 1}, thermo: *t}
reactions:
- {equation: A => B, type: two-temperature-plasma, rate-constant: {A: 1, b: 0, Ea-gas: 500 K, Ea-electron: 1000 K}}
";
    let network = kinlane_mech::cantera::read_str(TEXT.to_owned(), "acts.yaml".as_ref(), None, &[]).unwrap();
    let plan = Plan::with(&network, Features { factors: true, ..Features::default() });
    let w = network.species[0].molar_mass;
    let stop = AtomicBool::new(false);
    // The temperature is held where the rate is looked at, and heat alone is looked at where nothing reacts.
    for (reactor, y, heating, source) in [
        (Reactor::FixedT, [1.0, 0.0, 0.0], 0.0, [0.0, 0.0, 0.0]),
        (Reactor::ConstP, [0.0, 0.5, 0.5], 3e4, [0.0, -0.1 / w, 0.1 / w]),
    ] {
        let options = Options { reactor, rtol: 1e-9, atol: 1e-15, ..Options::default() };
        let (mut state, gas) = (vec![0.0; plan.lu.n], Gas::new(&plan, reactor));
        let parameter = gas.enter(500.0, 1e5, |k| y[k], |i, x| state[i] = x);
        let mut excess = vec![0.0; plan.kinetics.excess.len as usize];
        gas.perturb(0, 3.0, |i, x| excess[i] = x);
        let entry =
            Entry { electron: 1000.0, heating, excess: &excess, ..closed(&state, parameter, &source, 0.5, &stop) };
        for rung in rungs(&options, DEFAULT) {
            let name = rung.method.name;
            let Climb::Arrived(end) = rung.climb(&plan, &options, &entry, &mut Cost::default()) else {
                panic!("{name}")
            };
            if reactor == Reactor::FixedT {
                // Three times exp(−500/500 + 1000 (1000 − 500)/(500 · 1000)) = 1.
                let left = end[0] * w;
                assert!((left / (-1.5_f64).exp() - 1.0).abs() < 1e-6, "{name}: {left}");
            } else {
                let (warmer, brought) = (end[3] - 500.0, end[2] * w - 0.5);
                assert!((warmer / (3e4 * 0.5 * w / 30.0) - 1.0).abs() < 1e-6, "{name}: {warmer} K");
                assert!((brought - 0.05).abs() < 1e-9, "{name}: {brought}");
            }
        }
    }
}
