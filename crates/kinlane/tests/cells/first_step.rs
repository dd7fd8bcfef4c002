//! A cell's first step: as long as its fastest relaxation that matters allows, and no longer.

use kinlane::{Advance, Mechanism, States};

type Error = Box<dyn std::error::Error>;

/// Burnt hydrogen and air at 1 atm, from 1500 to 2280 K when it was fresh: half and half of the equilibria of this φ
/// and of one that is larger by `step`.
fn burnt(m: &Mechanism, step: f64) -> Result<States, Error> {
    let (cells, p) = (40, vec![101_325.0; 40]);
    let t: Vec<f64> = (0..cells).map(|i| 1500.0 + 20.0 * f64::from(i)).collect();
    let equilibrium = |phi: f64| -> Result<States, Error> {
        let fresh = m.mass_fractions_of_moles(&[("H2", 2.0 * phi), ("O2", 1.0), ("N2", 3.76)])?;
        let mut states = States::new(m, t.clone(), p.clone(), fresh.repeat(t.len()))?;
        Advance::builder(m).plan()?.advance_states(&mut states, 1.0)?;
        Ok(states)
    };
    let (a, b) = (equilibrium(0.9)?, equilibrium(0.9 + step)?);
    let mean = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect::<Vec<_>>();
    Ok(States::new(m, mean(a.temperature(), b.temperature()), p.clone(), mean(a.y(), b.y()))?)
}

#[test]
fn relaxing_cells_begin_with_steps_that_pass() -> Result<(), Error> {
    let mechanism = Mechanism::bundled("h2")?;
    for dt in [1e-7, 1e-6, 1e-5] {
        let mut states = burnt(&mechanism, 0.02)?;
        let report = Advance::builder(&mechanism).rtol(1e-4).plan()?.advance_states(&mut states, dt)?;
        let tried = report.steps + report.rejected;
        assert!(10 * report.rejected <= tried, "{dt:e} s: {} of {tried} attempts were rejected", report.rejected);
    }
    Ok(())
}

#[test]
fn cells_at_rest_take_one_step() -> Result<(), Error> {
    let mechanism = Mechanism::bundled("h2")?;
    let mut states = burnt(&mechanism, 0.0)?;
    let report = Advance::builder(&mechanism).rtol(1e-4).plan()?.advance_states(&mut states, 1e-6)?;
    assert_eq!((report.steps, report.rejected), (40, 0));
    Ok(())
}

/// Burnt hydrogen whose radicals transport has displaced by up to a tenth.
fn displaced(m: &Mechanism) -> Result<States, Error> {
    let states = burnt(m, 0.0)?;
    let factor = |i: usize| 0.1f64.mul_add((1.7 * i as f64).sin(), 1.0);
    let y: Vec<f64> = states.y().iter().enumerate().map(|(i, y)| y * factor(i)).collect();
    let sums: Vec<f64> = y.chunks(m.species_count()).map(|row| row.iter().sum()).collect();
    let y = y.iter().enumerate().map(|(i, y)| y / sums[i / m.species_count()]).collect();
    Ok(States::new(m, states.temperature().to_vec(), states.pressure().to_vec(), y)?)
}

/// The largest error of a mass fraction, relative to what there is and a floor.
fn error(got: &[f64], want: &[f64]) -> f64 {
    got.iter().zip(want).map(|(a, b)| (a - b).abs() / (b.abs() + 1e-8)).fold(0.0, f64::max)
}

/// What transport displaces returns within a small part of the interval. A step need not follow it there if only the end counts, as long as
/// enough of the interval is left for the rest to die out; the end is as right as ever.
#[test]
fn displacements_die_out() -> Result<(), Error> {
    let mechanism = Mechanism::bundled("h2")?;
    // If displacements were followed, there would be 660, 660, 776, 762, 923, 1033, 1024, 1631 and 10 432 attempts. `ros2` cannot do
    // without: its factors damp too much.
    let all = [
        ("auto", 540),
        ("rodas5p", 540),
        ("rodas4", 680),
        ("rodas4p", 640),
        ("rodas3", 890),
        ("ros3", 1030),
        ("ros4", 1000),
        ("rang3", 1620),
        ("ros2", 10_500),
    ];
    for (method, most) in all {
        let run = |method: &str, rtol: f64, atol: f64| -> Result<_, Error> {
            let mut states = displaced(&mechanism)?;
            let solver = Advance::builder(&mechanism).method(method).rtol(rtol).atol(atol);
            let report = solver.threads(1).plan()?.advance_states(&mut states, 1e-4)?;
            assert_eq!(report.failed, 0);
            Ok((states.y().to_vec(), report.steps + report.rejected))
        };
        let (want, _) = run("radau5", 1e-10, 1e-18)?;
        let (got, attempts) = run(method, 1e-4, 1e-10)?;
        assert!(error(&got, &want) < 3e-4, "{method}: {:e}", error(&got, &want));
        assert!(attempts < most, "{method}: {attempts} attempts for 40 cells");
    }
    Ok(())
}

/// But where states on the way are looked at, they have to be right.
#[test]
fn rows_follow_displacements() -> Result<(), Error> {
    let mechanism = Mechanism::bundled("h2")?;
    let times = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4];
    let run = |method: &str, rtol: f64, atol: f64| -> Result<_, Error> {
        let mut states = displaced(&mechanism)?;
        let solver = Advance::builder(&mechanism).method(method).rtol(rtol).atol(atol);
        Ok(solver.threads(1).follow()?.advance(&mut states, 1e-4, &times, &[])?.series)
    };
    let want = run("radau5", 1e-10, 1e-18)?;
    for method in ["auto", "rodas5p", "rodas4"] {
        let got = run(method, 1e-4, 1e-10)?;
        assert!(error(&got, &want) < 1e-3, "{method}: {:e}", error(&got, &want));
    }
    // A host that goes on from call to call may look at the ends of all of them.
    let mut states = displaced(&mechanism)?;
    let mut solver = Advance::builder(&mechanism).rtol(1e-4).atol(1e-10).threads(1).plan()?;
    let mut continuation = solver.continuation(states.len());
    let width = mechanism.species_count() + 2;
    for (i, &t) in times.iter().enumerate() {
        let before = if i == 0 { 0.0 } else { times[i - 1] };
        solver.advance_continuing(states.cells_mut(), &mut continuation, t - before)?;
        for (cell, y) in states.y().chunks(width - 2).enumerate() {
            let row = &want[(cell * times.len() + i) * width..][2..width];
            assert!(error(y, row) < 1e-3, "cell {cell} after {t:e} s: {:e}", error(y, row));
        }
    }
    Ok(())
}
