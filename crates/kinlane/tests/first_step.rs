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
