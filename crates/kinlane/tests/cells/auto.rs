//! The choice of a method for each cell may cost nothing in accuracy, below the absolute tolerance either.

use kinlane::{Advance, Equilibrium, Mechanism, Pair, Reactor, ReadOptions, States};
use kinlane_testdata::files;
use kinlane_testdata::golden::Npz;

/// Mass fractions below this do not count.
const FLOOR: f64 = 1e-10;

#[test]
fn traces_are_as_right_as_with_the_stiff_method() {
    let Some(golden) = files::golden() else { return };
    let path = files::data().unwrap().join("combustion/h2co_burke/h2co_burke.yaml");
    let mechanism = Mechanism::open(&path, &ReadOptions::default()).unwrap();
    let mut file = Npz::open(&golden.join("combustion/h2co_burke.npz"));
    let [t, p, y, want] = ["T", "P", "Y", "Y_1e-06"].map(|key| file.array(key));
    let p: Vec<f64> = (0..t.len()).map(|i| p[i % p.len()]).collect();
    let k = mechanism.species_count();
    let errors = |method: &str| {
        let mut states = States::new(&mechanism, t.clone(), p.clone(), y.clone()).unwrap();
        let mut solver = Advance::builder(&mechanism).method(method).rtol(1e-3).atol(1e-8).plan().unwrap();
        let report = solver.advance_states(&mut states, 1e-6).unwrap();
        assert_eq!(report.failed, 0, "{method}");
        let cells = states.y().chunks(k).zip(want.chunks(k));
        let mut worst: Vec<f64> = cells
            .map(|(y, want)| {
                y.iter().zip(want).map(|(y, w)| (y - w).abs() / (w + FLOOR)).max_by(f64::total_cmp).unwrap_or_default()
            })
            .collect();
        worst.sort_unstable_by(f64::total_cmp);
        worst[worst.len() * 99 / 100]
    };
    let (stiff, auto) = (errors("rodas5p"), errors("auto"));
    assert!(auto <= 1.1 * stiff, "99th percentile of the errors: auto {auto:e}, rodas5p {stiff:e}");
}

#[test]
fn cold_gas_takes_two_evaluations() {
    let mechanism = Mechanism::bundled("gri30").unwrap();
    let y = mechanism.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)]).unwrap();
    let t: Vec<f64> = (0..28).map(|i| 300.0 + 20.0 * f64::from(i)).collect();
    let n = t.len();
    let run = |method: &str| {
        let mut states = States::new(&mechanism, t.clone(), vec![101_325.0; n], y.repeat(n)).unwrap();
        let report =
            Advance::builder(&mechanism).method(method).plan().unwrap().advance_states(&mut states, 1e-6).unwrap();
        (states.y().to_vec(), report)
    };
    let ((auto, report), (stiff, _)) = (run("auto"), run("rodas5p"));
    assert_eq!((report.rhs, report.jac, report.steps), (2 * n as u64, 0, n as u64), "{:?}", report.chosen);
    for (a, s) in auto.iter().zip(&stiff) {
        assert!((a - s).abs() <= 1e-12 + 1e-6 * s, "{a:e} is not {s:e}");
    }
}

#[test]
fn short_calls_add_up() {
    // One explicit step that is not stable passes while what it enlarges lies below the tolerance; the next call's step
    // enlarges that. A hundred calls are as right as one, far better than what a call may err.
    for (name, calls, bound) in [("h2co_burke", 30, 1e-4), ("gri30", 100, 3e-6)] {
        let Some(golden) = files::golden() else { return };
        let path = files::data().unwrap().join(format!("combustion/{name}/{name}.yaml"));
        let mechanism = Mechanism::open(&path, &ReadOptions::default()).unwrap();
        let mut file = Npz::open(&golden.join(format!("combustion/{name}.npz")));
        let [t, p, y, want] = ["T", "P", "Y", "Y_1e-06"].map(|key| file.array(key));
        let p: Vec<f64> = (0..t.len()).map(|i| p[i % p.len()]).collect();
        let mut states = States::new(&mechanism, t, p, y).unwrap();
        let mut solver = Advance::builder(&mechanism).rtol(1e-4).atol(1e-8).plan().unwrap();
        let mut once = 0;
        for _ in 0..calls {
            let report = solver.advance_states(&mut states, 1e-6 / f64::from(calls)).unwrap();
            assert_eq!(report.failed, 0, "{name}");
            once += report.chosen[1].cells;
        }
        assert!(name != "h2co_burke" || once > 0, "no cell took one explicit step");
        let mut errors: Vec<f64> = states.y().iter().zip(&want).map(|(y, w)| (y - w).abs() / (w + FLOOR)).collect();
        errors.sort_unstable_by(f64::total_cmp);
        let worst = errors[errors.len() * 99 / 100];
        assert!(worst <= bound, "{name}: 99th percentile of the errors {worst:e}");
    }
}

#[test]
fn cells_that_are_told_apart_do_not_see_each_other() {
    // A cold neighbour has Heun's step tried in all lanes; it may be taken only where it was meant.
    let mechanism = Mechanism::bundled("h2").unwrap();
    let y = mechanism.mass_fractions_of_moles(&[("H2", 0.3), ("O2", 2.2), ("N2", 7.5)]).unwrap();
    let cold = (300.0, 101_325.0);
    let cells: Vec<(f64, f64)> = (0..40).map(|i| (850.0 + 30.0 * f64::from(i), 3e4 + 3e3 * f64::from(i))).collect();
    for (dt, rtol) in [(2e-6, 1e-4), (1e-8, 1e-3), (1e-9, 1e-6)] {
        let run = |cells: &[(f64, f64)]| {
            let (t, p): (Vec<f64>, Vec<f64>) = cells.iter().copied().unzip();
            let mut states = States::new(&mechanism, t, p, y.repeat(cells.len())).unwrap();
            let mut solver = Advance::builder(&mechanism).rtol(rtol).atol(1e-10).threads(1).plan().unwrap();
            let report = solver.advance_states(&mut states, dt).unwrap();
            let bits = |i: usize| states.y_of(i).iter().map(|y| y.to_bits()).collect::<Vec<_>>();
            ((0..cells.len()).map(bits).collect::<Vec<_>>(), report.chosen[0].cells, states.outcomes().to_vec())
        };
        let (together, calm, outcomes) = run(&[&cells[..], &[cold]].concat());
        assert!(calm > 0, "dt {dt}: no cell is calm");
        for (i, &cell) in cells.iter().enumerate() {
            let (alone, _, outcome) = run(&[cell]);
            assert!(alone[0] == together[i], "dt {dt}, cell {i}: other bits than alone");
            assert_eq!(outcome[0].cost, outcomes[i].cost, "dt {dt}, cell {i}");
        }
    }
}

/// BDF may not be asked for more than rounding lets it keep: at 14 000 K and 1000 bar the rates are that large.
#[test]
fn rounding_spends_no_budget() {
    let mechanism = Mechanism::bundled("gri30").unwrap();
    let y = mechanism.mass_fractions_of_moles(&[("C", 1.0), ("H", 1.0), ("O", 1.0), ("N", 1.0)]).unwrap();
    let run = |method: &str, rtol: f64| {
        let mut states = States::new(&mechanism, vec![300.0], vec![1e8], y.clone()).unwrap();
        let mut solver =
            Advance::builder(&mechanism).reactor(Reactor::ConstV).method(method).rtol(rtol).atol(1e-18).plan().unwrap();
        let report = solver.advance_states(&mut states, 1.0).unwrap();
        assert_eq!(report.failed, 0, "{method} at {rtol:e}");
        (states.temperature()[0], report.steps)
    };
    for rtol in [1e-9, 1e-10] {
        let ((auto, steps), (stiff, alone)) = (run("auto", rtol), run("rodas5p", rtol));
        assert!((auto - stiff).abs() < 1e-8 * stiff, "{auto} K is not {stiff} K at {rtol:e}");
        assert!(steps < 20 * alone, "{steps} steps at {rtol:e}, {alone} alone");
    }
}

/// Methane that ignites after days, at tight tolerances: `auto` hands it to BDF, whose step then falls below what the time
/// can resolve. The default method goes on from there.
#[test]
fn what_bdf_cannot_finish_is_finished() {
    let mechanism = Mechanism::bundled("gri30").unwrap();
    let y = mechanism.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)]).unwrap();
    let p = [1.0, 20.0, 40.0].map(|atm| atm * 101_325.0);
    let run = |method: &str| {
        let mut states = States::new(&mechanism, vec![600.0; p.len()], p.to_vec(), y.repeat(p.len())).unwrap();
        let mut solver = Advance::builder(&mechanism).method(method).rtol(1e-8).atol(1e-14).plan().unwrap();
        let report = solver.advance_states(&mut states, 1e6).unwrap();
        assert_eq!(report.failed, 0, "{method}");
        states.temperature().to_vec()
    };
    for (auto, stiff) in run("auto").into_iter().zip(run("rodas5p")) {
        assert!(stiff > 2000.0 && (auto / stiff - 1.0).abs() < 1e-7, "{auto} K is not {stiff} K");
    }
}

/// Burnt gas that has been cooled or heated relaxes: its steps grow, few are left, and BDF would begin anew with small ones.
#[test]
fn cells_that_relax_stay_with_their_method() {
    let mechanism = Mechanism::bundled("gri30").unwrap();
    let fresh = mechanism.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)]).unwrap();
    let mut burnt = fresh.clone();
    let hot = Equilibrium::new(&mechanism).solve(Pair::HP, 300.0, 101_325.0, &mut burnt).unwrap().temperature;
    let chosen = |t: f64, y: &[f64]| {
        let mut states = States::new(&mechanism, vec![t], vec![101_325.0], y.to_vec()).unwrap();
        let mut solver = Advance::builder(&mechanism).rtol(1e-8).threads(1).plan().unwrap();
        let report = solver.advance_states(&mut states, 1e-4).unwrap();
        assert_eq!(report.failed, 0, "{t} K");
        report.chosen.iter().find(|c| c.cells == 1).map(|c| c.method.to_string()).unwrap()
    };
    for part in [0.7, 0.8, 0.9, 1.1] {
        assert_eq!(chosen(part * hot, &burnt), "rodas5p", "{part} of {hot} K");
    }
    assert_eq!(chosen(1700.0, &fresh), "bdf", "a gas that ignites");
}

/// Oxygen and air that dissociate: over one interval the estimate of the one explicit step vanishes, which was 92 tolerances off there.
#[test]
fn no_interval_hides_the_error_of_the_one_explicit_step() {
    let m = Mechanism::bundled("h2").unwrap();
    for (moles, t, around) in [(&[("O2", 1.0)][..], 3000.0, 3.2449e-5), (&[("O2", 1.0), ("N2", 3.76)], 3250.0, 4.25e-5)]
    {
        let y = m.mass_fractions_of_moles(moles).unwrap();
        let n = 400;
        let dts: Vec<f64> = (0..n).map(|i| around * (0.98 + 0.04 * f64::from(i) / f64::from(n))).collect();
        let run = |method: &str, rtol: f64, atol: f64| {
            let all = dts.len();
            let mut cells = States::new(&m, vec![t; all], vec![30.0 * 101_325.0; all], y.repeat(all))
                .and_then(|cells| cells.with_intervals(dts.clone()))
                .unwrap();
            let solver = Advance::builder(&m).method(method).rtol(rtol).atol(atol).threads(1);
            assert_eq!(solver.plan().unwrap().advance_states(&mut cells, around).unwrap().failed, 0, "{method}");
            cells
        };
        let exact = run("radau5", 1e-9, 1e-16);
        for rtol in [1e-3, 3e-4, 1e-4] {
            let got = run("auto", rtol, 1e-10);
            let off = |(x, want): (&f64, &f64)| (x - want).abs() / (rtol * want.abs() + 1e-10);
            let worst = got.y().iter().zip(exact.y()).map(off).fold(0.0, f64::max);
            assert!(worst < 5.0, "{moles:?}, {rtol:e}: {worst} tolerances");
        }
    }
}
