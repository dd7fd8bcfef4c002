//! Imposed histories of pressure and volume.

use kinlane::device::DeviceError;
use kinlane::{
    Advance, Event, Followed, Happening, History, Mechanism, Options, PlanError, Quantity, Reactor, States, methods,
};
use std::sync::Arc;

const ATM: f64 = 101_325.0;

fn options(reactor: Reactor, method: &str, rtol: f64) -> Options {
    let method = Some(method.to_owned());
    Options { method, rtol, atol: Some(rtol * 1e-9), reactor, first_step: Some(1e-9), ..Options::default() }
}

/// Hydrogen and air, or argon and nitrogen, which do nothing.
fn gas(mechanism: &Mechanism, burns: bool, t: &[f64]) -> States {
    let moles = if burns { [("H2", 2.0), ("O2", 1.0), ("N2", 3.76)] } else { [("AR", 1.0), ("N2", 1.0), ("HE", 0.5)] };
    let y = mechanism.mass_fractions_of_moles(&moles).expect("mass fractions");
    States::new(mechanism, t.to_vec(), vec![ATM; t.len()], y.repeat(t.len())).expect("states")
}

/// A volume that falls to a tenth in 20 ms by a cosine, in `pieces` pieces, and then stays.
fn stroke(pieces: usize) -> History {
    let times: Vec<f64> = (0..=pieces).map(|i| 0.02 * i as f64 / pieces as f64).collect();
    let volume = |t: &f64| 0.55 + 0.45 * (std::f64::consts::PI * t / 0.02).cos();
    let values = times.iter().map(volume).collect();
    History::new(times, values).expect("a history")
}

/// Advances cells of these temperatures over `dt`.
#[allow(clippy::too_many_arguments, reason = "one run, spelled out")]
fn run(
    burns: bool,
    reactor: Reactor,
    method: &str,
    rtol: f64,
    t: &[f64],
    history: &History,
    dt: f64,
    times: &[f64],
    events: &[Event],
) -> (States, Followed) {
    let m = Mechanism::bundled("h2").expect("the mechanism");
    let mut states = gas(&m, burns, t);
    let mut solver =
        Advance::builder(&m).options(options(reactor, method, rtol)).threads(1).follow_driven().expect("a solver");
    let histories: Vec<_> = std::iter::repeat_n(Arc::new(history.clone()), t.len()).collect();
    let followed = solver.advance_along(&mut states, &histories, dt, times, events).expect("a batch");
    assert_eq!(followed.report.failed, 0, "{reactor:?} {method}");
    (states, followed)
}

/// Without a method there is one whose estimate sees what a piston does: argon keeps T V^(2/3) within the tolerance.
#[test]
fn what_is_chosen_by_itself_keeps_the_tolerance_along_a_history() {
    let m = Mechanism::bundled("h2").expect("the mechanism");
    let y = m.mass_fractions_of_moles(&[("AR", 1.0)]).expect("mass fractions");
    let history = Arc::new(History::new(vec![0.0, 0.03], vec![1.0, 0.05]).expect("a history"));
    let times: Vec<f64> = (1..=60).map(|i| 0.03 * f64::from(i) / 60.0).collect();
    for rtol in [1e-4, 1e-6, 1e-8] {
        let options = Options { rtol, reactor: Reactor::ConstV, ..Options::default() };
        let mut states = States::new(&m, vec![300.0], vec![ATM], y.clone()).expect("states");
        let mut solver = Advance::builder(&m).options(options).threads(1).follow_driven().expect("a solver");
        let followed = solver.advance_along(&mut states, &[Arc::clone(&history)], 0.03, &times, &[]).expect("a batch");
        assert_eq!(&*followed.report.method, "radau5");
        for (i, t) in times.iter().enumerate() {
            let want = 300.0 * (1.0 - 0.95 * t / 0.03).powf(-2.0 / 3.0);
            let got = followed.series[i * (m.species_count() + 2)];
            assert!((got / want - 1.0).abs() < rtol, "{rtol:e}: {got} K at {t} s, not {want}");
        }
    }
}

/// What does not react is compressed along its isentrope, p v^γ with the heat capacity of nitrogen, and comes back to
/// where it was; whatever the method.
#[test]
fn gas_that_does_not_react_keeps_its_entropy() {
    let there_and_back = History::new(vec![0.0, 1e-3, 2.5e-3, 4e-3], vec![3.0, 1.0, 1.0, 3.0]).expect("a history");
    for m in methods().filter(|m| m.name != "auto" && m.name != "rk4") {
        for reactor in [Reactor::ConstV, Reactor::ConstP] {
            let rtol =
                if ["chemeq2", "asymptotic", "rkc", "backward-euler", "ros2"].contains(&m.name) { 1e-4 } else { 1e-7 };
            let (states, followed) =
                run(false, reactor, m.name, rtol, &[400.0], &there_and_back, 5e-3, &[0.0, 2e-3, 5e-3], &[]);
            let width = followed.series.len() / 3;
            let [t0, p0, t1, p1] = [0, 1, width, width + 1].map(|i| followed.series[i]);
            let [pressure, volume] = [p1 / p0, (t1 / p1) / (t0 / p0)];
            let (imposed, want) = if reactor == Reactor::ConstV { (volume, 1.0 / 3.0) } else { (pressure, 1.0 / 3.0) };
            assert!((imposed / want - 1.0).abs() < 1e-12, "{} {reactor:?}: {imposed} for {want}", m.name);
            let hotter = (t1 > t0) == (volume < 1.0);
            assert!(hotter, "{} {reactor:?}: {t0} K becomes {t1} K at {volume} of the volume", m.name);
            let back = (states.temperature()[0] / t0 - 1.0).abs().max((states.pressure()[0] / p0 - 1.0).abs());
            assert!(back < 300.0 * rtol, "{} {reactor:?}: off by {back} after coming back", m.name);
        }
    }
}

/// A jump is a piece that is next to nothing beside the time before it: rounding of the time makes it neither longer nor shorter.
#[test]
fn a_jump_is_as_high_as_it_is_said_to_be() {
    for method in ["auto", "radau5", "bdf", "sdirk4", "dopri5"] {
        for ulps in [1.0, 2.0, 7.0, 50.0, 1e3, 1e6] {
            let end = 1e-3 * (1.0 + ulps * f64::EPSILON);
            let jump = History::new(vec![0.0, 1e-3, end, 2e-3], vec![1.0, 1.0, 2.0, 2.0]).expect("a history");
            let (_, followed) = run(false, Reactor::ConstP, method, 1e-7, &[400.0], &jump, 2e-3, &[0.0, 2e-3], &[]);
            let slow = History::new(vec![0.0, 1e-3, 2e-3], vec![1.0, 2.0, 2.0]).expect("a history");
            let (_, slowly) = run(false, Reactor::ConstP, method, 1e-7, &[400.0], &slow, 2e-3, &[0.0, 2e-3], &[]);
            let t = |f: &Followed| f.series[f.series.len() / 2];
            let off = t(&followed) / t(&slowly) - 1.0;
            assert!(off.abs() < 3e-5, "{method}: T is off by {off:e} after a jump of {ulps} roundings of the time");
        }
    }
}

/// Argon alone has γ = 5/3: T v^(2/3) and T p^(−2/5) are constant.
#[test]
fn argon_follows_its_isentrope() {
    let m = Mechanism::bundled("h2").expect("the mechanism");
    for (reactor, values, exponent) in
        [(Reactor::ConstV, [1.0, 0.2, 0.1], -2.0 / 3.0), (Reactor::ConstP, [1.0, 8.0, 40.0], 0.4)]
    {
        let mut states = States::uniform(&m, 1, 300.0, ATM, &[("AR", 1.0)]).expect("a state");
        let history = Arc::new(History::new(vec![0.0, 0.01, 0.015], values.to_vec()).expect("a history"));
        let mut solver = Advance::builder(&m)
            .options(options(reactor, "rodas5p", 1e-11))
            .threads(1)
            .follow_driven()
            .expect("a solver");
        let followed = solver.advance_along(&mut states, &[history], 0.02, &[0.01, 0.02], &[]).expect("a batch");
        let width = followed.series.len() / 2;
        for (i, x) in [values[1], values[2]].into_iter().enumerate() {
            let (t, want) = (followed.series[i * width], 300.0 * x.powf(exponent));
            assert!((t / want - 1.0).abs() < 1e-8, "{reactor:?}: {t} K for {want} K at {x}");
        }
    }
}

/// Where a line of several knots ends, the last step may end a rounding error before it: that is no step back to a knot on the line.
#[test]
fn a_line_of_several_knots_ends_with_its_last_value() {
    let m = Mechanism::bundled("h2").expect("the mechanism");
    let options = options(Reactor::ConstV, "rodas5p", 1e-8);
    let mut solver = Advance::builder(&m).options(options).threads(1).follow_driven().expect("a solver");
    for i in 0..100 {
        let unit = 1e-5 * (1.0 + 0.37 * f64::from(i));
        let times: Vec<f64> = (0..=6).map(|k| unit * f64::from(k)).chain([7.5 * unit]).collect();
        let values = (0..=6).map(|k| 1.0 + f64::from(k) / 6.0).chain([2.0]).collect();
        let history = Arc::new(History::new(times.clone(), values).expect("a history"));
        let mut states = States::uniform(&m, 1, 300.0, ATM, &[("AR", 1.0)]).expect("a state");
        let followed = solver.advance_along(&mut states, &[history], times[7], &times[1..], &[]).expect("a batch");
        for (row, t) in followed.series.chunks(followed.series.len() / 7).zip(&times[1..]) {
            let want = ATM * (1.0 + (t / unit).min(6.0) / 6.0).powf(-5.0 / 3.0);
            assert!((row[1] / want - 1.0).abs() < 1e-6, "{} Pa at {t} s, not {want}", row[1]);
        }
    }
}

/// Radicals grow until the gas expands, at a kink of the volume, at a rate that is continuous there.
#[test]
fn a_rise_is_steepest_where_a_kink_ends_it() {
    let m = Mechanism::bundled("h2").expect("the mechanism");
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 10.0)]).expect("mass fractions");
    let of = |name: &str| Quantity::MoleFraction(m.require(name).expect("a species"));
    let events = ["OH", "H"].map(|name| Event { quantity: of(name), happening: Happening::SteepestRise });
    for (reactor, values) in [(Reactor::ConstV, [1.0, 1.0, 4.0, 4.0]), (Reactor::ConstP, [1.0, 1.0, 0.2, 0.2])] {
        let history = Arc::new(History::new(vec![0.0, 1.5e-5, 2.1e-5, 2.4e-5], values.to_vec()).expect("a history"));
        for t in [1205.0, 1212.0, 1220.0] {
            let mut states = States::new(&m, vec![t], vec![1e5], y.clone()).expect("states");
            let mut solver = Advance::builder(&m).reactor(reactor).threads(1).follow_driven().expect("a solver");
            let followed = solver.advance_along(&mut states, &[Arc::clone(&history)], 2.4e-5, &[], &events);
            for found in followed.expect("a batch").found {
                assert!((found / 1.5e-5 - 1.0).abs() < 2e-3, "{reactor:?}, {t} K: {found} s");
            }
        }
    }
}

/// A history that does not move gives what the plain reactor gives.
#[test]
fn at_rest_it_is_the_plain_reactor() {
    let rest = History::new(vec![0.0, 1e-5, 3e-5], vec![2.0; 3]).expect("a history");
    let m = Mechanism::bundled("h2").expect("the mechanism");
    let events = [Event { quantity: Quantity::Temperature, happening: Happening::SteepestRise }];
    for reactor in [Reactor::ConstV, Reactor::ConstP] {
        let (driven, found) = run(true, reactor, "rodas5p", 1e-8, &[1200.0], &rest, 1e-3, &[], &events);
        let mut plain = gas(&m, true, &[1200.0]);
        let mut solver =
            Advance::builder(&m).options(options(reactor, "rodas5p", 1e-8)).threads(1).follow().expect("a solver");
        let want = solver.advance(&mut plain, 1e-3, &[], &events).expect("a batch");
        assert!((found.found[0] / want.found[0] - 1.0).abs() < 1e-6, "{found:?} and {want:?}");
        assert!((driven.temperature()[0] - plain.temperature()[0]).abs() < 1e-4, "{reactor:?}");
        assert!((driven.pressure()[0] / plain.pressure()[0] - 1.0).abs() < 1e-7, "{reactor:?}");
    }
}

/// The methods agree on when a compressed gas ignites, a history of many pieces among neighbours of other temperatures
/// has the bits of one alone, and a knot costs no more than a few steps.
#[test]
fn compressed_gas_ignites_at_the_same_time_by_every_method() {
    let events = [Event { quantity: Quantity::Pressure, happening: Happening::SteepestRise }];
    let delays = |method: &str, rtol: f64, t: &[f64], pieces: usize| {
        run(true, Reactor::ConstV, method, rtol, t, &stroke(pieces), 0.05, &[], &events).1
    };
    let all = [400.0, 410.0, 420.0, 440.0];
    let want = delays("rodas5p", 1e-8, &all, 40);
    for (i, &t) in all.iter().enumerate() {
        assert!((0.018..0.05).contains(&want.found[i]), "{want:?}");
        assert_eq!(delays("rodas5p", 1e-8, &[t], 40).found[0], want.found[i], "alone and in a batch");
    }
    // BDF begins with order 1 at each of 40 knots.
    for (method, allowed) in [("rodas4", 2e-6), ("radau5", 2e-6), ("sdirk4", 2e-6), ("bdf", 2e-4), ("ndf", 2e-4)] {
        let other = delays(method, 1e-8, &all, 40);
        for (a, b) in other.found.iter().zip(&want.found) {
            assert!((a / b - 1.0).abs() < allowed, "{method}: {a} and {b}");
        }
    }
    let (few, many) = (delays("rodas5p", 1e-6, &all, 40), delays("rodas5p", 1e-6, &all, 2000));
    assert!(many.report.steps < few.report.steps + 4 * 2100, "{} and {} steps", few.report.steps, many.report.steps);
}

/// Solvers without the variable refuse a history.
#[test]
fn a_plain_solver_refuses() {
    let m = Mechanism::bundled("h2").expect("the mechanism");
    let mut states = gas(&m, true, &[1200.0]);
    let mut solver = Advance::builder(&m).threads(1).follow().expect("a solver");
    let refused = solver.advance_along(&mut states, &[Arc::new(stroke(3))], 1e-3, &[], &[]);
    assert!(refused.is_err_and(|e| e.to_string().contains("follow_driven")));
    let mut solver = Advance::builder(&m).threads(1).follow_driven().expect("a solver");
    let refused = solver.advance_along(&mut states, &[], 1e-3, &[], &[]);
    assert!(refused.is_err_and(|e| e.to_string().contains("histories has 0 values, 1 are needed")));
}

/// They are followed on the CPU, but what no solver has is refused here, too.
#[test]
fn options_are_checked_as_for_other_cells() {
    let m = Mechanism::bundled("h2").expect("the mechanism");
    let said = |options: Options| {
        let builder = || Advance::builder(&m).options(options.clone()).threads(1);
        let [driven, other] =
            [builder().follow_driven(), builder().follow()].map(|s| s.expect_err("refused").to_string());
        assert_eq!(driven, other);
        driven
    };
    let coarse = said(Options { atol: Some(1e300), ..Options::default() });
    assert!(coarse.contains("below 1, since it is one of mass fractions"), "{coarse}");
    said(Options { rtol: -1.0, ..Options::default() });

    let on = |device: &str| Advance::builder(&m).device(device).threads(1).follow_driven();
    for unknown in ["abacus", "cpu+cpu", "opencl:x"] {
        let refused = PlanError::Device(DeviceError::Name { name: unknown.to_owned() });
        assert_eq!(on(unknown).err(), Some(refused));
    }
    assert!(matches!(on("opencl:4711"), Err(PlanError::Device(_))));
    assert_eq!(on("cpu").expect("a solver").fallback(), None);
    assert_eq!(on("auto").expect("a solver").fallback(), Some("auto follows no histories of pressure or volume"));
}
