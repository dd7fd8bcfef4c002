//! Zones that are heated by what burns in them: energy, pressure, and an independent integration.

use kinlane::mech::reaclib::{Selection, read_str};
use kinlane::{
    Conditions, Matter, Options, Place, Plasma, Reactor, ReadOptions, Scheme, SchemeSolver, SchemeStates, Screening,
    Status, Zone, ZoneError, Zones,
};
use kinlane_testdata::files;

/// Carbon burns to magnesium, which takes up alphas that carbon gives when it is broken up; parameters are made up.
const LIBRARY: &str = "\
4
       c12  c12 mg24                       made      1.39337e+01
 6.000000e+01 0.000000e+00-8.400000e+01 0.000000e+00
 0.000000e+00 0.000000e+00-6.666670e-01
4
       he4 mg24 si28                       made      9.98400e+00
 4.000000e+01 0.000000e+00-5.600000e+01 0.000000e+00
 0.000000e+00 0.000000e+00-6.666670e-01
3
       c12  he4  he4  he4                  made v   -7.27500e+00
 3.000000e+01-8.440000e+01 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
";

fn made_up() -> Scheme {
    Scheme::from_model(read_str(("made-up", LIBRARY), None, &[]).unwrap())
}

fn carbon(scheme: &Scheme) -> Vec<f64> {
    scheme.species_names().iter().map(|n| if n == "c12" { 1.0 / 12.0 } else { 0.0 }).collect()
}

fn matter(scheme: &Scheme, y: &[f64]) -> Matter {
    let charge = scheme.model().species.iter().map(|s| s.charge);
    Matter { ions: y.iter().sum(), electrons: y.iter().zip(charge).map(|(y, z)| y * z).sum() }
}

/// A part of REACLIB, if the data are there.
fn reaclib(names: &str, screening: Option<Screening>) -> Option<Scheme> {
    let nuclides = Some(Selection::Names(names.split(' ').map(str::to_owned).collect()));
    let options = ReadOptions { nuclides, screening, ..ReadOptions::default() };
    Some(Scheme::load_with(files::data()?.join("nuclear/reaclib/reaclib_default2_20250330"), &options).unwrap())
}

/// These abundances \[mol/g\] in a scheme, and nothing else.
fn abundances(scheme: &Scheme, parts: &[(&str, f64)]) -> Vec<f64> {
    let of = |name: &String| parts.iter().find(|(known, _)| known == name).map_or(0.0, |(_, part)| *part);
    scheme.species_names().iter().map(of).collect()
}

/// As a host with operators of its own does it: each of its steps hands the zone what the others have left.
#[test]
fn a_zone_takes_states_from_outside_and_keeps_its_step() {
    let (scheme, options) = (made_up(), Options { reactor: Reactor::ConstP, ..Options::default() });
    let (first, end, pieces) = (carbon(&scheme), 1e-5, 50);
    let zone = || Zone::new(&scheme, [2.5, 1e8], &first, &options).unwrap();
    let (mut whole, mut handed) = (zone(), zone());
    whole.advance(end).unwrap();
    let (mut begun_anew, mut first_piece) = (0, 0);
    for i in 0..pieces {
        handed.advance(end / f64::from(pieces)).unwrap();
        first_piece = if i == 0 { handed.steps() } else { first_piece };
        let (state, y) = ([handed.t9(), handed.density()], handed.abundances());
        handed.set(state, &y).unwrap();
        if i < pieces - 1 {
            let mut anew = Zone::new(&scheme, state, &y, &options).unwrap();
            anew.advance(end / f64::from(pieces)).unwrap();
            begun_anew += anew.steps();
        }
    }
    assert!((handed.t9() / whole.t9() - 1.0).abs() < 1e-7, "{} {}", handed.t9(), whole.t9());
    let apart = handed.abundances().iter().zip(whole.abundances()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-8, "{apart:e}");
    let later = handed.steps() - first_piece;
    eprintln!("{later} steps, {begun_anew} where each piece begins anew; {first_piece} in the first");
    assert!(later <= begun_anew, "{later} steps, {begun_anew} where each piece begins anew");
    // What is refused leaves the zone as it was.
    let (t9, y) = (handed.t9(), handed.abundances());
    assert!(matches!(handed.set([2.0, 1e8], &y[1..]), Err(ZoneError::Length { .. })));
    assert!(matches!(handed.set([f64::NAN, 1e8], &y), Err(ZoneError::Matter { .. })));
    assert_eq!((handed.t9(), handed.abundances()), (t9, y.clone()));
    // A colder one burns no more.
    handed.set([0.5, 1e8], &y).unwrap();
    handed.advance(1e-6).unwrap();
    assert!((handed.t9() - 0.5).abs() < 1e-3);
}

/// What is released is in the internal energy at constant density, and in the enthalpy at constant pressure.
#[test]
fn energy_stays_in_the_zone() {
    let (scheme, plasma) = (made_up(), Plasma::default());
    let (first, rho, t9) = (carbon(&scheme), 1e8, 2.5);
    for reactor in [Reactor::ConstV, Reactor::ConstP] {
        let at_pressure = reactor == Reactor::ConstP;
        let options = Options { reactor, ..Options::default() };
        let mut zone = Zone::new(&scheme, [t9, rho], &first, &options).unwrap();
        let heat = |t9: f64, rho: f64, y: &[f64]| {
            let [p, e] = plasma.state(t9 * 1e9, rho, matter(&scheme, y)).unwrap();
            (p.value, if at_pressure { e.value + p.value / rho } else { e.value })
        };
        let (p0, h0) = heat(t9, rho, &first);
        let mut t = 0.0;
        for to in [1e-8, 1e-6, 1e-4, 1e-2] {
            zone.advance(to - t).unwrap();
            t = to;
            let y = zone.abundances();
            let released = scheme.energy(&y.iter().zip(&first).map(|(y, y0)| y - y0).collect::<Vec<f64>>()).unwrap();
            let (p, h) = heat(zone.t9(), zone.density(), &y);
            assert!((h - h0 - released).abs() < 1e-6 * h0, "{to:e} s: {h:e} − {h0:e} for {released:e}");
            assert!(!at_pressure || (p / p0 - 1.0).abs() < 1e-10, "{p:e} {p0:e}");
            let sum: f64 = y.iter().zip(&scheme.model().species).map(|(y, s)| y * s.weight).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
        assert!(zone.t9() > 4.0, "it ran away: {}", zone.t9());
        assert!(if at_pressure { zone.density() < 0.9 * rho } else { zone.density() == rho });
    }
}

/// In pieces or at once, and cold as at constant temperature.
#[test]
fn calls_may_be_cut_and_a_zone_that_hardly_burns_is_one_at_constant_temperature() {
    let scheme = made_up();
    let (first, rho, t9, dt) = (carbon(&scheme), 1e7, 0.9, 1.0);
    let options = Options { rtol: 1e-8, reactor: Reactor::ConstV, ..Options::default() };
    let mut zone = Zone::new(&scheme, [t9, rho], &first, &options).unwrap();
    zone.advance(dt).unwrap();
    assert!((zone.t9() / t9 - 1.0).abs() < 1e-3, "{}", zone.t9());
    let conditions = Conditions {
        temperature: vec![t9, zone.t9()],
        density: vec![rho; 2],
        amounts: first.repeat(2),
        ..Conditions::default()
    };
    let mut cells = SchemeStates::new(&scheme, conditions).unwrap();
    SchemeSolver::builder(&scheme).options(options.clone()).plan().unwrap().advance(&mut cells, dt).unwrap();
    // What is far below the absolute tolerance may be anything.
    for (k, y) in zone.abundances().into_iter().enumerate().filter(|x| x.1 > 1e-14) {
        let [low, high] = [0, 1].map(|cell| cells.amounts_of(cell)[k]);
        let [low, high] = [low.min(high), low.max(high)];
        assert!(low - 1e-6 * low <= y && y <= high + 1e-6 * high, "{low:e} {y:e} {high:e}");
    }

    let hot = |pieces: u32| {
        let mut zone = Zone::new(&scheme, [2.5, 1e8], &first, &options).unwrap();
        (0..pieces).for_each(|_| zone.advance(1e-3 / f64::from(pieces)).unwrap());
        zone.t9()
    };
    assert!((hot(1) / hot(7) - 1.0).abs() < 1e-7, "{} {}", hot(1), hot(7));
    // To the end of the first step by which T has changed.
    let mut zone = Zone::new(&scheme, [2.5, 1e8], &first, &options).unwrap();
    let done = zone.advance_while(1e-3, |t9| t9 < 1.05 * 2.5).unwrap();
    assert!(done < 1e-3 && (2.625..2.9).contains(&zone.t9()), "{done:e} {}", zone.t9());
}

/// A zone that stops says how far it came, and goes on from there.
#[test]
fn a_stopped_zone_goes_on() {
    let scheme = made_up();
    let (first, dt) = (carbon(&scheme), 1e-3);
    let options = Options { rtol: 1e-8, reactor: Reactor::ConstV, ..Options::default() };
    let whole = {
        let mut zone = Zone::new(&scheme, [2.5, 1e8], &first, &options).unwrap();
        zone.advance(dt).unwrap();
        zone.t9()
    };
    let mut zone = Zone::new(&scheme, [2.5, 1e8], &first, &Options { max_steps: 100, ..options }).unwrap();
    let (mut t, mut stops) = (0.0, 0);
    while t < dt {
        match zone.advance(dt - t) {
            Ok(()) => break,
            Err(ZoneError::Stopped { status: Status::TooManySteps, done, t9 }) => {
                assert!(done > 0.0 && (t9 / zone.t9() - 1.0).abs() < 1e-10, "{done:e} {t9}");
                (t, stops) = (t + done, stops + 1);
            }
            Err(other) => panic!("{other}"),
        }
    }
    let report = zone.report();
    assert!(report.steps == zone.steps() && report.failed == 0 && report.factor > 0, "{report:?}");
    assert!(stops > 1 && (zone.t9() / whole - 1.0).abs() < 1e-6, "{stops} {} {whole}", zone.t9());
}

/// A zone of a batch is a zone alone, to the last bit; one that cannot be advanced keeps its state, and harms no other.
#[test]
fn zones_of_a_batch_are_zones_alone() {
    let scheme = made_up();
    let (first, dt) = (carbon(&scheme), 1e-4);
    let t9 = vec![2.5, 1.0, 2e3, 2.7, 0.6, 2.6];
    for reactor in [Reactor::ConstV, Reactor::ConstP] {
        let options = Options { reactor, max_steps: 2000, ..Options::default() };
        let cells = |t9: &[f64]| {
            let (density, amounts) = (vec![1e8; t9.len()], first.repeat(t9.len()));
            let at = Conditions { temperature: t9.to_vec(), density, amounts, ..Conditions::default() };
            SchemeStates::new(&scheme, at).unwrap()
        };
        let mut batch = cells(&t9);
        let mut place = Place::default();
        place.threads = Some(3);
        let report = Zones::new(&scheme, &options, &place).unwrap().advance(&mut batch, dt).unwrap();
        assert_eq!((report.cells, report.failed, report.threads), (6, 1, 3));
        let failed: Vec<usize> = batch.failures().map(|f| f.0).collect();
        assert_eq!((failed, batch.conditions().temperature[2], batch.amounts_of(2)), (vec![2], 2e3, &first[..]));
        for i in [0, 1, 3, 4, 5] {
            let mut alone = Zone::new(&scheme, [t9[i], 1e8], &first, &options).unwrap();
            alone.advance(dt).unwrap();
            let at = batch.conditions();
            assert_eq!((at.temperature[i], at.density[i]), (alone.t9(), alone.density()));
            assert_eq!(batch.amounts_of(i), alone.abundances());
            assert_eq!(u64::from(batch.outcomes()[i].cost.steps), alone.steps());
        }
        assert_eq!(report.steps, batch.outcomes().iter().map(|o| u64::from(o.cost.steps)).sum::<u64>());
        assert!(batch.conditions().temperature[0] > 4.0, "it ran away");

        let mut zones = Zones::new(&scheme, &options, &Place::default()).unwrap();
        assert!(matches!(zones.advance(&mut batch, 0.0), Err(ZoneError::Interval { .. })));
        let mut fed = cells(&[2.5]).with_source(vec![0.0; first.len()]).unwrap();
        assert!(matches!(zones.advance(&mut fed, dt), Err(ZoneError::Source)));
        // What is stopped keeps its state.
        zones.stop_flag().store(true, std::sync::atomic::Ordering::Relaxed);
        let mut left = cells(&[2.5, 2.6]);
        assert_eq!(zones.advance(&mut left, dt).unwrap().failed, 2);
        assert!(
            left.failures().all(|f| f.1.status == Status::Cancelled) && left.conditions().temperature == [2.5, 2.6]
        );
    }
    let fixed = Options { reactor: Reactor::FixedT, ..Options::default() };
    assert!(matches!(Zones::new(&scheme, &fixed, &Place::default()), Err(ZoneError::Reactor)));
}

/// What is below zero by noise does not become more negative.
#[test]
fn nuclides_below_zero_are_brought_back() {
    let scheme = made_up();
    let mut first = carbon(&scheme);
    let absent = scheme.species_names().iter().position(|n| n == "he4").unwrap();
    first[absent] = -1e-13;
    let mut zone = Zone::new(&scheme, [0.5, 1e7], &first, &Options::default()).unwrap();
    zone.advance(1.0).unwrap();
    assert!((-1e-13..=1e-13).contains(&zone.abundances()[absent]), "{:e}", zone.abundances()[absent]);
}

#[test]
fn what_is_no_zone_is_refused() {
    let scheme = made_up();
    let first = carbon(&scheme);
    let zone = |at, y: &[f64], method: &str| {
        let options = Options { method: Some(method.into()), ..Options::default() };
        Zone::new(&scheme, at, y, &options).err()
    };
    assert_eq!(zone([1.0, 1e7], &first, "NDF"), None);
    assert!(matches!(zone([1.0, 1e7], &first, "rodas4"), Some(ZoneError::Method { .. })));
    assert!(matches!(zone([0.0, 1e7], &first, "auto"), Some(ZoneError::Matter { .. })));
    assert!(matches!(zone([1.0, 1e7], &vec![0.0; first.len()], "auto"), Some(ZoneError::Matter { .. })));
    assert!(matches!(zone([2e3, 1e7], &first, "auto"), Some(ZoneError::Matter { .. })));
    assert_eq!(
        zone([1.0, 1e7], &first[1..], "auto"),
        Some(ZoneError::Length { got: first.len() - 1, nuclides: first.len() })
    );
    let with = |options| Zone::new(&scheme, [1.0, 1e7], &first, &options);
    assert_eq!(with(Options { reactor: Reactor::FixedT, ..Options::default() }).err(), Some(ZoneError::Reactor));
    assert!(matches!(with(Options { rtol: f64::NAN, ..Options::default() }).err(), Some(ZoneError::Option(_))));
    let mut zone = with(Options::default()).unwrap();
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(zone.advance(dt), Err(ZoneError::Interval { .. })), "{dt}");
    }
    assert_eq!((zone.steps(), zone.t9()), (0, 1.0));
    let zero = " 0.000000e+00";
    let decay = format!(
        "1\n       o40  f40                            madew     1.00000e+00\n{}\n{}\n",
        zero.repeat(4),
        zero.repeat(3)
    );
    let unknown = Scheme::from_model(read_str(("unknown", &decay), None, &[]).unwrap());
    let fault = Zone::new(&unknown, [1.0, 1e7], &[0.025, 0.0], &Options::default()).err();
    assert!(matches!(fault, Some(ZoneError::Mass { name }) if name == "o40"));
    assert_eq!(unknown.energy(&[0.025, 0.0]), None);
}

/// Half carbon, half oxygen, beside an integration of scipy (BDF, rtol 1e-8) of pynucastro's rates and screening with its
/// equation of state; shortly before it runs away.
#[test]
fn a_zone_heats_up_as_in_another_program() {
    let names = "p n he4 c12 o16 ne20 na23 mg23 mg24 si28";
    let Some(scheme) = reaclib(names, Some(Screening::Chugunov2007)) else { return };
    let first = abundances(&scheme, &[("c12", 0.5 / 12.0), ("o16", 0.5 / 16.0)]);
    let of = |name: &str| scheme.species_names().iter().position(|n| n == name).unwrap();
    let options = Options { rtol: 1e-7, atol: Some(1e-14), reactor: Reactor::ConstV, ..Options::default() };
    let mut zone = Zone::new(&scheme, [1.0, 2e9], &first, &options).unwrap();
    let golden = [
        (9.85e-4, 1.005_275_484, 4.997_814_95e-1, 7.005_511_18e-6),
        (5.91e-3, 1.046_919_897, 4.980_413_84e-1, 6.252_967_18e-5),
        (8.865e-3, 1.121_426_395, 4.948_574_75e-1, 1.672_744_08e-4),
        (9.85e-3, 1.299_848_047, 4.869_008_56e-1, 5.190_172_67e-4),
    ];
    let mut t = 0.0;
    for (to, t9, carbon, magnesium) in golden {
        zone.advance(to - t).unwrap();
        t = to;
        let y = zone.abundances();
        for (got, want) in [(zone.t9(), t9), (12.0 * y[of("c12")], carbon), (24.0 * y[of("mg24")], magnesium)] {
            assert!((got / want - 1.0).abs() < 2e-5, "{to:e} s: {got} {want}");
        }
    }
}

/// Short calls are followed after the longest of rests.
#[test]
fn a_zone_that_has_rested_is_no_older() {
    let (scheme, options) = (made_up(), Options { reactor: Reactor::ConstP, ..Options::default() });
    let mut rested = Zone::new(&scheme, [0.1, 1e8], &carbon(&scheme), &options).unwrap();
    rested.advance(1e12).unwrap();
    rested.set([2.5, 1e8], &carbon(&scheme)).unwrap();
    let mut anew = Zone::new(&scheme, [2.5, 1e8], &carbon(&scheme), &options).unwrap();
    for zone in [&mut rested, &mut anew] {
        zone.advance(1e-5).unwrap();
    }
    assert!(anew.t9() > 5.0 && (rested.t9() / anew.t9() - 1.0).abs() < 1e-5, "{} {}", rested.t9(), anew.t9());
}

/// Where fast reactions balance, T is that at which the energy of the balance is what it was at the beginning. Here it was found from
/// balances at constant T9 of 6.0 to 6.45, to 1e-6.
#[test]
fn a_zone_at_rest_keeps_its_energy() {
    let names = "p n he4 c12 o16 ne20 mg24 al27 si28 p31 s32 cl35 ar36 k39 ca40 sc43 ti44 v47 cr48 mn51 fe52 co55 ni56";
    let Some(scheme) = reaclib(names, None) else { return };
    let first = abundances(&scheme, &[("si28", 1.0 / 28.0)]);
    let atol = scheme.usual_atol();
    let options =
        Options { rtol: 1e-4, atol: Some(atol), reactor: Reactor::ConstV, max_steps: 3000, ..Options::default() };
    let mut zone = Zone::new(&scheme, [7.0, 1e8], &first, &options).unwrap();
    zone.advance(1e4).unwrap();
    assert!((zone.t9() / 6.373_821 - 1.0).abs() < 3e-6, "{}", zone.t9());
    let sum: f64 = zone.abundances().iter().zip(&scheme.model().species).map(|(y, s)| y * s.weight).sum();
    assert!((sum - 1.0).abs() < 1e-14 && zone.steps() < 2000, "{sum} {}", zone.steps());
}

/// At constant pressure the density is that of the temperature, to the last digits: where fast reactions balance, one that is off by
/// 1e-7 made a zone take ten times as many steps.
#[test]
fn a_zone_at_constant_pressure_comes_to_rest_as_one_at_constant_density() {
    let names =
        "p n he4 c12 o16 ne20 na23 mg24 al27 si28 p31 s32 cl35 ar36 k39 ca40 sc43 ti44 v47 cr48 mn51 fe52 co55 ni56";
    let Some(scheme) = reaclib(names, None) else { return };
    let first = abundances(&scheme, &[("he4", 0.5 / 4.0), ("c12", 0.5 / 12.0)]);
    let [v, p] = [Reactor::ConstV, Reactor::ConstP].map(|reactor| {
        let options = Options { rtol: 1e-6, atol: Some(1e-12), reactor, max_steps: 8000, ..Options::default() };
        let mut zone = Zone::new(&scheme, [5.187, 9.2557e6], &first, &options).unwrap();
        zone.advance(1e-2).unwrap();
        zone.steps()
    });
    assert!(p < 2 * v, "{p} and {v} steps");
}

/// Hydrogen burns for ten billion years; deuterium and Be-8 live for an instant of that.
#[test]
fn what_lives_for_an_instant_does_not_hold_up_what_takes_billions_of_years() {
    let Some(scheme) = reaclib("p d he3 he4 be7 b8 li7 be8", None) else { return };
    let first = abundances(&scheme, &[("p", 0.7), ("he4", 0.29 / 4.0), ("he3", 0.01 / 3.0)]);
    let hot = |rtol: f64| {
        let options = Options { rtol, atol: Some(scheme.usual_atol()), reactor: Reactor::ConstV, ..Options::default() };
        let mut zone = Zone::new(&scheme, [0.0157, 150.0], &first, &options).unwrap();
        zone.advance(3.15e17).unwrap();
        zone.t9()
    };
    assert!((hot(1e-4) / hot(1e-6) - 1.0).abs() < 1e-5);
}

/// At rest in nuclear statistical equilibrium the differences of rates are rounding, and steps became too short for the
/// tolerances that they get.
#[test]
fn a_zone_stays_at_rest_for_as_long_as_it_takes() {
    let names =
        "p he4 c12 o16 ne20 na23 mg24 al27 si28 p31 s32 cl35 ar36 k39 ca40 sc43 ti44 v47 cr48 mn51 fe52 co55 ni56";
    let Some(scheme) = reaclib(names, Some(Screening::Chugunov2007)) else { return };
    let first = abundances(&scheme, &[("si28", 0.5 / 28.0), ("ni56", 0.5 / 56.0)]);
    for rtol in [1e-6, 1e-8] {
        let options = Options { rtol, atol: Some(scheme.usual_atol()), reactor: Reactor::ConstP, ..Options::default() };
        let mut zone = Zone::new(&scheme, [8.0, 1e11], &first, &options).unwrap();
        zone.advance(1.0).unwrap();
        let (t9, y) = (zone.t9(), zone.abundances());
        zone.advance(1e5).unwrap();
        assert!((zone.t9() / t9 - 1.0).abs() < 10.0 * rtol, "{rtol:e}: from {t9} to {}", zone.t9());
        let moved = y.iter().zip(zone.abundances()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(moved < 10.0 * rtol, "{rtol:e}: {moved}");
        // Other matter is followed with tolerances as before, whether it begins anew or with the step of this.
        zone.set([3.0, 1e9], &first).unwrap();
        zone.advance(1e-6).unwrap();
        let mut anew = Zone::new(&scheme, [3.0, 1e9], &first, &options).unwrap();
        anew.advance(1e-6).unwrap();
        let off = zone.abundances().iter().zip(anew.abundances()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 0.03 * rtol && (zone.t9() / anew.t9() - 1.0).abs() < 0.03 * rtol, "{rtol:e}: {off:e}");
    }
}
