//! The partially stirred reactor: what flow and mixing do by themselves, its limit of fast mixing, and its bits.

use kinlane::{
    Advance, Mechanism, PartiallyStirredReactor, PasrError, PasrSetup, Properties, Reactor, StirredReactor,
    StirredState, Stream,
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn gas(mechanism: &Mechanism, moles: &[(&str, f64)], temperature: f64) -> Result<StirredState> {
    Ok(StirredState { temperature, y: mechanism.mass_fractions_of_moles(moles)? })
}

fn solver(mechanism: &Mechanism, threads: usize) -> Result<Advance> {
    Ok(Advance::builder(mechanism).rtol(1e-6).atol(1e-12).threads(threads).plan()?)
}

/// What of a variance is kept where all have been mixed with their partners over a time: (1 − g)² + g², g = (1 − e^{−2 t/τ_mix})/2.
fn kept(time: f64, mixing: f64) -> f64 {
    let g = 0.5 * (1.0 - (-2.0 * time / mixing).exp());
    (1.0 - g) * (1.0 - g) + g * g
}

/// Hot nitrogen and cold oxygen, which do not react, flow in. With new partners in every step, the variance of the mass
/// fraction behind the inflow follows, with f = Δt/τ_res,
///
/// ```text
/// var := (1 − f) kept(Δt) var + f var_in
/// ```
///
/// and half a step later kept(Δt/2) of it is left.
#[test]
fn flow_makes_what_mixing_evens_out() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let (hot, cold) = (gas(&mechanism, &[("N2", 1.0)], 600.0)?, gas(&mechanism, &[("O2", 1.0)], 300.0)?);
    let ends = [hot.clone(), cold];
    let streams = ends.clone().map(|state| Stream { state, share: 1.0 });
    let (dt, residence, mixing) = (1e-3, 2e-2, 1e-2);
    let setup = PasrSetup { step: dt, ..PasrSetup::new(2000, residence, mixing, dt) };
    let mut reactor = PartiallyStirredReactor::new(solver(&mechanism, 2)?, &streams, 1e5, &hot, setup)?;
    let (o2, k) = (mechanism.require("O2")?, mechanism.species_count());
    let (mut mean, mut square, mut count) = (0.0, 0.0, 0.0);
    for step in 0..600 {
        assert_eq!(reactor.step()?.failed, 0);
        if step >= 200 {
            for x in reactor.particles().y().iter().skip(o2).step_by(k) {
                (mean, square, count) = (mean + x, square + (x - 0.5) * (x - 0.5), count + 1.0);
            }
        }
    }
    let f = dt / residence;
    let expected = f * 0.25 / (1.0 - (1.0 - f) * kept(dt, mixing)) * kept(0.5 * dt, mixing);
    let (mean, variance) = (mean / count, square / count);
    assert!((mean - 0.5).abs() < 0.005, "mean {mean}");
    assert!((variance / expected - 1.0).abs() < 0.03, "variance {variance}, expected {expected}");

    // The enthalpy of every particle is that of its parts.
    let mut enthalpies = vec![Properties::default(); 2];
    let both = kinlane::States::new(
        &mechanism,
        ends.iter().map(|e| e.temperature).collect(),
        vec![1e5; 2],
        ends.iter().flat_map(|e| e.y.clone()).collect(),
    )?;
    let mut look = solver(&mechanism, 1)?;
    look.properties(both.points(), &mut enthalpies)?;
    let particles = reactor.particles();
    let mut now = vec![Properties::default(); particles.len()];
    look.properties(particles.points(), &mut now)?;
    for (cell, gas) in now.iter().enumerate() {
        let x = particles.y_of(cell)[o2];
        let expected = x * enthalpies[1].enthalpy + (1.0 - x) * enthalpies[0].enthalpy;
        assert!((gas.enthalpy - expected).abs() < 1e-3, "{cell}: {} {expected}", gas.enthalpy);
        assert!((particles.y_of(cell).iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    Ok(())
}

/// Where partners stay, the variance v and the covariance c of partners follow, in shares of the residence time,
///
/// ```text
/// dv/dt = −(v − v_in)/τ_res − 2 (v − c)/τ_mix
/// dc/dt = −c/τ_pair − c/τ_res + 2 (v − c)/τ_mix
/// ```
///
/// however few pairs part in a step: one that parts alone would get itself back, and what comes in would never mix.
#[test]
fn few_partings_mix_as_well_as_many() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let streams = [("N2", 600.0), ("O2", 300.0)]
        .map(|(name, t)| gas(&mechanism, &[(name, 1.0)], t).map(|state| Stream { state, share: 1.0 }));
    let [hot, cold] = streams;
    let streams = [hot?, cold?];
    let (residence, mixing, pairing) = (1.0, 0.1, 0.2);
    let (leaves, mixes, parts) = (1.0 / residence, 2.0 / mixing, 1.0 / pairing);
    // At rest.
    let expected = 0.25 * leaves / (leaves + mixes - mixes * mixes / (parts + leaves + mixes));
    let (o2, k) = (mechanism.require("O2")?, mechanism.species_count());
    for (particles, step, end) in [(20, 0.02, 80.0), (20, 0.004, 80.0), (100, 0.02, 30.0), (100, 0.004, 30.0)] {
        let setup = PasrSetup { step, ..PasrSetup::new(particles, residence, mixing, pairing) };
        let start = &streams[0].state;
        let mut reactor = PartiallyStirredReactor::new(solver(&mechanism, 1)?, &streams, 1e5, start, setup)?;
        let (mut square, mut count) = (0.0, 0.0);
        while reactor.time() < end {
            assert_eq!(reactor.step()?.failed, 0);
            if reactor.time() > 5.0 {
                let parts = reactor.particles().y().iter().skip(o2).step_by(k);
                square += parts.map(|x| (x - 0.5) * (x - 0.5)).sum::<f64>();
                count += particles as f64;
            }
        }
        let variance = square / count;
        let off = variance / expected - 1.0;
        assert!(off.abs() < 0.15, "{particles} particles, {step} s: {variance} for {expected}");
    }
    Ok(())
}

/// Where all particles are replaced in a step and nothing mixes, three of four are of the stream that brings three quarters.
#[test]
fn streams_bring_their_shares() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let (hot, cold) = (gas(&mechanism, &[("N2", 1.0)], 600.0)?, gas(&mechanism, &[("O2", 1.0)], 300.0)?);
    let streams = [Stream { state: hot.clone(), share: 6.0 }, Stream { state: cold, share: 2.0 }];
    let setup = PasrSetup { step: 1e-3, ..PasrSetup::new(200, 1e-3, 1e9, 1.0) };
    let mut reactor = PartiallyStirredReactor::new(solver(&mechanism, 1)?, &streams, 1e5, &hot, setup)?;
    for _ in 0..3 {
        assert_eq!(reactor.step()?.failed, 0);
    }
    let (mean, o2) = (reactor.mean(), mechanism.require("O2")?);
    assert!((mean.temperature - 525.0).abs() < 1e-6 && (mean.y[o2] - 0.25).abs() < 1e-9, "{mean:?}");
    let expected = 300.0 * (0.75_f64 * 0.25).sqrt();
    assert!((reactor.spread() - expected).abs() < 1e-6, "{} K for {expected} K", reactor.spread());
    Ok(())
}

#[test]
fn fast_mixing_makes_it_the_perfectly_stirred_reactor() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let inflow = gas(&mechanism, &[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)], 600.0)?;
    let residence = 1e-4;
    let mut perfect = StirredReactor::new(&mechanism, inflow.temperature, 101_325.0, &inflow.y, false)?;
    let burnt = perfect.burnt()?;
    let expected = perfect.steady(residence, &burnt)?.temperature;
    assert!(burnt.temperature - expected > 100.0, "the limit would be that of equilibrium");

    let setup = PasrSetup { step: 1e-6, ..PasrSetup::new(200, residence, 1e-6, 1e-6) };
    let streams = [Stream { state: inflow, share: 1.0 }];
    let mut reactor = PartiallyStirredReactor::new(solver(&mechanism, 2)?, &streams, 101_325.0, &burnt, setup)?;
    let (mut sum, mut count) = (0.0, 0.0);
    while reactor.time() < 8.0 * residence {
        assert_eq!(reactor.step()?.failed, 0);
        if reactor.time() > 3.0 * residence {
            (sum, count) = (sum + reactor.mean().temperature, count + 1.0);
        }
    }
    let mean = sum / count;
    assert!((mean - expected).abs() < 20.0, "{mean} K, perfectly stirred {expected} K");
    Ok(())
}

#[test]
fn a_seed_determines_every_bit() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let inflow = gas(&mechanism, &[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)], 800.0)?;
    let burnt = StirredReactor::new(&mechanism, 800.0, 1e5, &inflow.y, false)?.burnt()?;
    let run = |seed, threads| -> Result<Vec<u64>> {
        let setup = PasrSetup { seed, ..PasrSetup::new(50, 1e-3, 2e-4, 1e-4) };
        let streams = [Stream { state: inflow.clone(), share: 1.0 }];
        let mut reactor = PartiallyStirredReactor::new(solver(&mechanism, threads)?, &streams, 1e5, &burnt, setup)?;
        (0..100).try_for_each(|_| reactor.step().map(drop))?;
        let p = reactor.particles();
        Ok(p.temperature().iter().chain(p.y()).map(|x| x.to_bits()).collect())
    };
    let first = run(7, 1)?;
    assert_eq!(first, run(7, 3)?);
    assert_ne!(first, run(8, 1)?);
    Ok(())
}

#[test]
fn what_cannot_be_is_refused() -> Result<()> {
    let mechanism = Mechanism::bundled("h2")?;
    let air = gas(&mechanism, &[("O2", 1.0), ("N2", 3.76)], 300.0)?;
    let streams = [Stream { state: air.clone(), share: 1.0 }];
    let good = PasrSetup::new(10, 1e-3, 1e-4, 1e-4);
    let made = |streams: &[Stream], setup| -> Result<std::result::Result<(), PasrError>> {
        Ok(PartiallyStirredReactor::new(solver(&mechanism, 1)?, streams, 1e5, &air, setup).map(drop))
    };
    assert!(made(&streams, good)?.is_ok());
    for particles in [0, 1, 7] {
        let wrong = made(&streams, PasrSetup { particles, ..good })?;
        assert!(matches!(wrong, Err(PasrError::Particles { particles: p }) if p == particles));
    }
    for wrong in [
        PasrSetup { residence: 0.0, ..good },
        PasrSetup { mixing: f64::NAN, ..good },
        PasrSetup { pairing: -1.0, ..good },
        PasrSetup { step: 2e-4, ..good },
        PasrSetup { step: f64::INFINITY, ..good },
    ] {
        assert!(matches!(made(&streams, wrong)?, Err(PasrError::Time { .. })), "{wrong:?}");
    }
    assert!(matches!(made(&[], good)?, Err(PasrError::Streams)));
    let none = Stream { share: 0.0, ..streams[0].clone() };
    assert!(matches!(made(&[none], good)?, Err(PasrError::Streams)));
    for temperature in [-5.0, 5.0, 60_000.0] {
        let bad = Stream { state: StirredState { temperature, ..air.clone() }, share: 1.0 };
        assert!(matches!(made(&[bad], good)?, Err(PasrError::Batch(_))), "{temperature} K");
    }
    let volume = Advance::builder(&mechanism).reactor(Reactor::ConstV).threads(1).plan()?;
    let wrong = PartiallyStirredReactor::new(volume, &streams, 1e5, &air, good);
    assert!(matches!(wrong, Err(PasrError::Reactor)));
    Ok(())
}
