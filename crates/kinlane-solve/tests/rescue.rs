//! The upper rungs of the failure ladder alone.

use kinlane_plan::Plan;
use kinlane_plan::plan::NO_ELECTRON_T;
use kinlane_solve::gas::problem::Gas;
use kinlane_solve::methods::Method;
use kinlane_solve::methods::method::{DEFAULT, RODAS3};
use kinlane_solve::rescue::{Entry, rescue};
use kinlane_solve::{Cost, Options};
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
        let stopped = rescue(&plan, &Options::default(), DEFAULT, &entry, &mut cost);
        assert_eq!((stopped, cost.factor), (None, 0), "who is stopped stops");
        stop.store(false, Ordering::Relaxed);
        let end = rescue(&plan, &Options::default(), DEFAULT, &entry, &mut cost).expect("an ordinary cell");
        assert!((end[n] / t1[cell] - 1.0).abs() < 1e-5, "cell {cell}: {} for {}", end[n], t1[cell]);
        assert!(cost.steps > 0 && cost.factor == cost.steps + cost.rejected);
    }
}

/// Where the first of the two has spent its attempts the plainer one may still arrive, at coarse tolerances.
#[test]
fn the_plainer_method_has_its_turn_and_then_it_is_given_up() {
    let (Some(network), Some(golden)) = (files::mechanism("h2co_burke"), files::golden()) else { return };
    let plan = Plan::new(&network);
    let [own, plain] = [DEFAULT, &RODAS3];
    let mut npz = Npz::open(&golden.join("combustion/h2co_burke.npz"));
    let [t, p, y] = ["T", "P", "Y"].map(|k| npz.array(k));
    let (n, stop) = (plan.species, AtomicBool::new(false));
    let mut rescued = 0;
    for cell in (0..t.len()).step_by(37) {
        let mut state = vec![0.0; plan.lu.n];
        let gas = Gas::new(&plan, Options::default().reactor);
        let parameter = gas.enter(t[cell], p[cell], |k| y[cell * n + k], |i, x| state[i] = x);
        let source = vec![0.0; n];
        let entry = closed(&state, parameter, &source, 1e-2, &stop);
        let run = |method: &'static Method, max_steps: u32| {
            let options = Options { rtol: 0.1, atol: 1e-4, max_steps, ..Options::default() };
            let mut cost = Cost::default();
            let end = rescue(&plan, &options, method, &entry, &mut cost);
            (end, cost.steps + cost.rejected)
        };
        let [(_, first), (end, least)] = [run(own, 2000), run(plain, 2000)];
        if least < first {
            rescued += 1;
            assert_eq!(run(own, least), (end, 2 * least), "cell {cell}");
            assert_eq!(run(own, least - 1), (None, 2 * least - 2), "cell {cell}");
        }
    }
    assert!(rescued >= 3, "{rescued}");
}
