//! Flamelets: a steady one fulfils its equations whatever the step, small dissipation leaves it near equilibrium, and large
//! dissipation blows it out.

use kinlane::mech::network::ThermoForm;
use kinlane::{
    Advance, Flamelet, FlameletError, FlameletSetup, Kindling, Layout, Mechanism, Points, Properties, Reactor,
    StirredState,
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Air, and hydrogen in nitrogen.
fn streams(mechanism: &Mechanism) -> Result<[StirredState; 2]> {
    let gas = |moles: &[(&str, f64)]| -> Result<StirredState> {
        Ok(StirredState { temperature: 300.0, y: mechanism.mass_fractions_of_moles(moles)? })
    };
    Ok([gas(&[("O2", 1.0), ("N2", 3.76)])?, gas(&[("H2", 1.0), ("N2", 1.0)])?])
}

/// Stoichiometric mixture fraction of these.
const STOICHIOMETRIC: f64 = 0.303;

fn flame(mechanism: &Mechanism, setup: FlameletSetup, start: Kindling) -> Result<Flamelet> {
    let [air, fuel] = streams(mechanism)?;
    let solver = Advance::builder(mechanism).rtol(1e-8).atol(1e-14).threads(2).plan()?;
    Ok(Flamelet::new(solver, [&air, &fuel], 101_325.0, setup, start)?)
}

/// Goes on until nothing changes.
fn rest(flame: &mut Flamelet, chi: f64) -> Result<()> {
    for _ in 0..20_000 {
        assert_eq!(flame.step()?.failed, 0);
        if flame.unrest().temperature < 1e-4 * chi {
            return Ok(());
        }
    }
    panic!("T still changes by {} K/s", flame.unrest().temperature)
}

fn hottest(flame: &Flamelet) -> f64 {
    flame.temperature().iter().fold(0.0, |a, &b| a.max(b))
}

#[test]
fn a_steady_flamelet_fulfils_its_equations_whatever_the_step() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let (n, k, chi) = (24, mechanism.species_count(), 20.0);
    let setup = FlameletSetup::new(n, STOICHIOMETRIC, chi);
    let mut found = Vec::new();
    for factor in [1.0, 0.4] {
        let mut flame = flame(&mechanism, FlameletSetup { step: setup.step * factor, ..setup }, Kindling::Burnt)?;
        rest(&mut flame, chi)?;
        found.push(flame);
    }
    let [one, two] = &found[..] else { unreachable!() };
    for (a, b) in one.temperature().iter().zip(two.temperature()) {
        assert!((a - b).abs() < 0.02, "{a} K with the longer step, {b} K");
    }

    // χ/2 Y″ + W wdot/ρ = 0, with differences and rates of their own.
    let [air, fuel] = streams(&mechanism)?;
    let mut solver = Advance::builder(&mechanism).threads(1).plan()?;
    let p = vec![101_325.0; n];
    let points = Points::new(one.temperature(), &p, one.y(), Layout::CellMajor);
    let (mut wdot, mut gas) = (vec![0.0; n * k], vec![Properties::default(); n]);
    solver.rates(points, &mut wdot, None)?;
    solver.properties(Points::new(one.temperature(), &p, one.y(), Layout::CellMajor), &mut gas)?;
    let z: Vec<f64> = std::iter::once(0.0).chain(one.z().iter().copied()).chain([1.0]).collect();
    let y = |i: usize, s: usize| match i {
        0 => air.y[s],
        i if i == n + 1 => fuel.y[s],
        i => one.y()[(i - 1) * k + s],
    };
    let masses: Vec<f64> = (0..k).map(|s| mechanism.network().species[s].molar_mass).collect();
    for s in 0..k {
        let sides = |i: usize| {
            let (before, behind) = (z[i] - z[i - 1], z[i + 1] - z[i]);
            let slopes = [(y(i, s) - y(i - 1, s)) / before, (y(i + 1, s) - y(i, s)) / behind];
            (2.0 * (slopes[1] - slopes[0]) / (before + behind), wdot[(i - 1) * k + s] * masses[s] / gas[i - 1].density)
        };
        let all: Vec<(f64, f64)> = (1..=n).map(sides).collect();
        let largest = all.iter().fold(0.0f64, |m, x| m.max(x.1.abs()));
        for (i, (curvature, made)) in all.iter().enumerate() {
            let rest = 0.5 * one.chi()[i] * curvature + made;
            // What is left of the way to rest is small beside diffusion, of which χ is the measure.
            assert!(rest.abs() < 1e-4 * largest + 1e-7 * chi, "species {s} at z = {}: {rest} of {largest}", one.z()[i]);
        }
    }
    // Enthalpy stays mixed.
    let ends =
        kinlane::States::new(&mechanism, vec![300.0; 2], vec![101_325.0; 2], [air.y.clone(), fuel.y.clone()].concat())?;
    let mut of_ends = [Properties::default(); 2];
    solver.properties(ends.points(), &mut of_ends)?;
    for (z, gas) in one.z().iter().zip(&gas) {
        let mixed = (1.0 - z) * of_ends[0].enthalpy + z * of_ends[1].enthalpy;
        assert!((gas.enthalpy - mixed).abs() < 5.0, "{} J/kg at z = {z}, mixed {mixed}", gas.enthalpy);
    }
    Ok(())
}

#[test]
fn dissipation_cools_a_flame_and_at_last_blows_it_out() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let mut temperatures = Vec::new();
    for chi in [0.1, 10.0, 100.0] {
        let mut flame = flame(&mechanism, FlameletSetup::new(16, STOICHIOMETRIC, chi), Kindling::Burnt)?;
        let burnt = hottest(&flame);
        rest(&mut flame, chi)?;
        temperatures.push((burnt, hottest(&flame)));
    }
    let [slow, middle, fast] = temperatures[..] else { unreachable!() };
    assert!(slow.0 - slow.1 < 30.0, "next to no dissipation: equilibrium, {slow:?}");
    assert!(slow.1 > middle.1 + 20.0 && middle.1 > fast.1 + 20.0 && fast.1 > 1000.0, "{temperatures:?}");

    let mut flame = flame(&mechanism, FlameletSetup::new(16, STOICHIOMETRIC, 1e5), Kindling::Burnt)?;
    rest(&mut flame, 1e5)?;
    assert!(hottest(&flame) < 400.0, "blown out, {} K", hottest(&flame));
    let o2 = mechanism.require("O2")?;
    let [air, _] = streams(&mechanism)?;
    for (z, y) in flame.z().iter().zip(flame.y().chunks_exact(mechanism.species_count())) {
        assert!((y[o2] - (1.0 - z) * air.y[o2]).abs() < 1e-6, "mixed at z = {z}");
    }
    Ok(())
}

/// Diffusion takes from radicals more than there is, where long steps begin at equilibrium; elements stay mixed all the same.
#[test]
fn elements_stay_mixed_on_the_way() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let network = mechanism.network();
    let mut flame = flame(&mechanism, FlameletSetup::new(40, STOICHIOMETRIC, 10.0), Kindling::Burnt)?;
    let sides = streams(&mechanism)?;
    let of = |e: usize, y: &[f64]| -> f64 {
        let atoms = |k: usize| network.species[k].composition.iter().filter(|part| part.0 == e).map(|part| part.1);
        let of_species = |(k, y): (usize, &f64)| atoms(k).sum::<f64>() * y / network.species[k].molar_mass;
        y.iter().enumerate().map(of_species).sum()
    };
    for _ in 0..20 {
        assert_eq!(flame.step()?.failed, 0);
        for (z, y) in flame.z().iter().zip(flame.y().chunks_exact(mechanism.species_count())) {
            for e in 0..network.elements.len() {
                let [air, fuel] = [&sides[0], &sides[1]].map(|side| of(e, &side.y));
                let mixed = (1.0 - z) * air + z * fuel;
                assert!((of(e, y) - mixed).abs() <= 1e-12 * mixed, "{e} at z = {z}: {} of {mixed}", of(e, y));
            }
        }
    }
    Ok(())
}

/// Hydrogen so dilute that the stoichiometric mixture is next to the fuel: χ is far larger elsewhere, and nothing burns.
#[test]
fn fuel_may_be_next_to_nothing() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let gas = |moles: &[(&str, f64)]| -> Result<StirredState> {
        Ok(StirredState { temperature: 300.0, y: mechanism.mass_fractions_of_moles(moles)? })
    };
    let (oxygen, fuel) = (gas(&[("O2", 1.0)])?, gas(&[("H2", 1e-6), ("N2", 1.0)])?);
    let solver = Advance::builder(&mechanism).threads(1).plan()?;
    let setup = FlameletSetup::new(20, 1.0 - 5e-7, 1.0);
    let mut flame = Flamelet::new(solver, [&oxygen, &fuel], 101_325.0, setup, Kindling::Burnt)?;
    for _ in 0..5 {
        assert_eq!(flame.step()?.failed, 0);
    }
    assert!(hottest(&flame) < 301.0);
    Ok(())
}

/// No species changes faster than is said, in parts of its largest mass fraction: else a flame would count as at rest too early.
#[test]
fn no_species_is_more_restless_than_is_said() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let k = mechanism.species_count();
    let mut flame = flame(&mechanism, FlameletSetup::new(16, STOICHIOMETRIC, 50.0), Kindling::Burnt)?;
    for _ in 0..3 {
        let before = flame.y().to_vec();
        assert_eq!(flame.step()?.failed, 0);
        let (dt, unrest) = (flame.setup().step, flame.unrest());
        for s in 0..k {
            let now = || flame.y().iter().skip(s).step_by(k);
            let largest = now().fold(1e-6, |a: f64, &b| a.max(b));
            for (now, before) in now().zip(before.iter().skip(s).step_by(k)) {
                let change = (now - before).abs() / (largest * dt);
                assert!(change <= unrest.species * (1.0 + 1e-9), "species {s}: {change} of {}", unrest.species);
            }
        }
        assert!(!flame.is_at_rest());
    }
    Ok(())
}

/// A flame that is set to another dissipation comes to rest where one does that was made with it.
#[test]
fn a_flame_forgets_the_dissipation_it_was_made_with() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let [slow, fast] = [20.0, 100.0].map(|chi| FlameletSetup::new(16, STOICHIOMETRIC, chi));
    let (mut one, mut other) = (flame(&mechanism, slow, Kindling::Burnt)?, flame(&mechanism, fast, Kindling::Burnt)?);
    one.step()?;
    one.set_chi(fast.chi, fast.step)?;
    assert!(one.setup() == fast && one.unrest().temperature.is_infinite());
    for flame in [&mut one, &mut other] {
        rest(flame, fast.chi)?;
    }
    for (a, b) in one.temperature().iter().zip(other.temperature()) {
        assert!((a - b).abs() < 0.02, "{a} K, made with it {b} K");
    }
    Ok(())
}

/// T follows from the enthalpy of the mixture, also after its points have passed a temperature at which a polynomial jumps.
#[test]
fn a_flame_that_has_gone_out_is_as_warm_as_the_streams() -> Result<()> {
    let mut network = Mechanism::bundled("h2")?.network().clone();
    let nitrogen = network.species.iter_mut().find(|s| s.name == "N2").ok_or("no N2")?;
    let ThermoForm::Nasa7(ranges) = &mut nitrogen.thermo.form else { panic!("other thermodynamics") };
    ranges.last_mut().ok_or("no range")?.a[5] += 30.0;
    let mechanism = Mechanism::from_network(network);
    let setup = FlameletSetup::new(24, STOICHIOMETRIC, 3000.0);
    let mut out = flame(&mechanism, setup, Kindling::Burnt)?;
    let before = hottest(&out);
    rest(&mut out, setup.chi)?;
    assert!(before > 1900.0 && hottest(&out) < 400.0, "{before} K, {} K", hottest(&out));
    let mixed = flame(&mechanism, setup, Kindling::Mixed)?;
    for (a, b) in out.temperature().iter().zip(mixed.temperature()) {
        assert!((a - b).abs() < 0.01, "{a} K, as mixed {b} K");
    }
    Ok(())
}

#[test]
fn cold_streams_stay_as_they_were_mixed() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let mut flame = flame(&mechanism, FlameletSetup::new(16, STOICHIOMETRIC, 50.0), Kindling::Mixed)?;
    let before = flame.y().to_vec();
    for _ in 0..50 {
        assert_eq!(flame.step()?.failed, 0);
    }
    assert!(flame.temperature().iter().all(|t| (t - 300.0).abs() < 5.0));
    assert!(flame.y().iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-9));
    Ok(())
}

/// Next to sides below 50 K the mixture has no equilibrium that is looked for; there it stays mixed, however many points there are.
#[test]
fn very_cold_sides_have_flames_too() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let [mut air, mut fuel] = streams(&mechanism)?;
    (air.temperature, fuel.temperature) = (20.0, 20.0);
    for points in [30, 3000] {
        let solver = Advance::builder(&mechanism).threads(2).plan()?;
        let setup = FlameletSetup::new(points, STOICHIOMETRIC, 10.0);
        let flame = Flamelet::new(solver, [&air, &fuel], 101_325.0, setup, Kindling::Burnt)?;
        let coldest = flame.temperature()[0];
        assert!(hottest(&flame) > 1500.0 && (coldest < 50.0) == (points == 3000), "{points}: {coldest} K");
    }
    Ok(())
}

#[test]
fn what_cannot_be_is_refused() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let good = FlameletSetup::new(10, 0.3, 10.0);
    for wrong in [
        FlameletSetup { points: 0, ..good },
        FlameletSetup { stoichiometric: 0.0, ..good },
        FlameletSetup { stoichiometric: 1.0, ..good },
        FlameletSetup { chi: -1.0, ..good },
        FlameletSetup { chi: f64::NAN, ..good },
        FlameletSetup { step: f64::INFINITY, ..good },
    ] {
        let [air, fuel] = streams(&mechanism)?;
        let solver = Advance::builder(&mechanism).threads(1).plan()?;
        let made = Flamelet::new(solver, [&air, &fuel], 1e5, wrong, Kindling::Mixed);
        assert!(matches!(made, Err(FlameletError::Setup { .. })), "{wrong:?}");
    }
    let [air, fuel] = streams(&mechanism)?;
    let volume = Advance::builder(&mechanism).reactor(Reactor::ConstV).threads(1).plan()?;
    assert!(matches!(Flamelet::new(volume, [&air, &fuel], 1e5, good, Kindling::Mixed), Err(FlameletError::Reactor)));
    for temperature in [f64::NAN, 5.0, 60_000.0] {
        let bad = StirredState { temperature, ..air.clone() };
        let solver = Advance::builder(&mechanism).threads(1).plan()?;
        let made = Flamelet::new(solver, [&bad, &fuel], 1e5, good, Kindling::Mixed);
        assert!(matches!(made, Err(FlameletError::Batch(_))), "{temperature} K");
    }
    Ok(())
}
