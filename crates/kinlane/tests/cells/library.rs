//! What a user of the library relies on.

use crate::common;
use kinlane::mech::network::{Arrhenius, RateLaw, Reverse, ThermoForm};
use kinlane::{
    Advance, BatchError, Cells, Format, Layout, Mechanism, MechanismError, Outcome, PlanError, Points, Properties,
    Reactor, ReadOptions, States, Status,
};

fn h2() -> Mechanism {
    Mechanism::bundled("h2").expect("the bundled mechanism reads")
}

#[test]
fn types_cross_threads() {
    fn both<T: Send + Sync>() {}
    both::<Mechanism>();
    both::<States>();
    both::<Advance>();
    both::<kinlane::Report>();
    both::<MechanismError>();
    both::<BatchError>();
}

#[test]
fn every_bundled_mechanism_reads() {
    for b in kinlane::BUNDLED {
        let m = Mechanism::bundled(b.name).unwrap_or_else(|e| panic!("{}: {e}", b.name));
        assert!(m.species_count() > 1 && m.reaction_count() > 1, "{}", b.name);
    }
    for (name, meant) in [("nosuch", None), ("gri3O", Some("gri30"))] {
        let Err(MechanismError::NotFound { bundled, nearest, .. }) = Mechanism::bundled(name) else { panic!("found") };
        assert!(bundled.contains(&"gri30") && nearest == meant, "{name}: {nearest:?}");
    }
    let none = ReadOptions::default;
    for (options, said) in [
        (ReadOptions { partition: vec!["table".into()], ..none() }, "`--partition` does not apply"),
        (ReadOptions { rates: Some("rates".into()), ..none() }, "`--rates` does not apply"),
        (ReadOptions { format: Some(Format::Chemkin), ..none() }, "bundled, as Cantera YAML"),
    ] {
        let refused = Mechanism::open("h2", &options).expect_err("refused").to_string();
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn options_are_checked_before_anything_is_made() {
    for (option, builder) in [
        ("rtol", Advance::builder(&h2()).rtol(0.0)),
        ("atol", Advance::builder(&h2()).atol(1e-300)),
        ("rtol", Advance::builder(&h2()).rtol(f64::NAN)),
        ("rtol", Advance::builder(&h2()).rtol(5.0)),
        ("rtol", Advance::builder(&h2()).rtol(1e-20)),
        ("atol", Advance::builder(&h2()).atol(-1.0)),
        ("threads", Advance::builder(&h2()).threads(0)),
        ("threads", Advance::builder(&h2()).threads(usize::MAX)),
        ("max steps", Advance::builder(&h2()).max_steps(0)),
        ("first step", Advance::builder(&h2()).first_step(f64::INFINITY)),
    ] {
        match builder.plan() {
            Err(PlanError::Option(fault)) => assert_eq!(fault.option, option),
            other => panic!("{option}: {other:?}"),
        }
    }
    let Err(PlanError::UnknownMethod { name, known }) = Advance::builder(&h2()).method("nosuch").plan() else {
        panic!("planned")
    };
    assert!(name == "nosuch" && !known.is_empty());
    let text = Advance::builder(&h2()).threads(0).plan().map(|_| ()).unwrap_err().to_string();
    assert_eq!(text, "threads is 0, it must be between 1 and 4096");
}

#[test]
fn bad_values_name_cell_and_column() {
    let m = h2();
    let k = m.species_count();
    let row = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0)]).expect("known species");
    let make = |cell: usize, what: &str, value: f64| {
        let (mut t, mut p, mut y) = (vec![1000.0; 4], vec![1e5; 4], row.repeat(4));
        match what {
            "T" => t[cell] = value,
            "P" => p[cell] = value,
            _ => y[cell * k + m.species_index(what).expect("known")] = value,
        }
        States::new(&m, t, p, y).map(|_| ())
    };
    for (what, value) in
        [("T", f64::NAN), ("T", -300.0), ("P", f64::INFINITY), ("P", 0.0), ("OH", f64::NAN), ("OH", -0.5)]
    {
        match make(2, what, value) {
            Err(BatchError::Value { cell: 2, column, .. }) => assert!(column.ends_with(what), "{column}"),
            other => panic!("{what} = {value}: {other:?}"),
        }
    }
    assert!(matches!(make(1, "OH", 0.5), Err(BatchError::Sum { cell: 1, .. })));
    assert!(matches!(make(1, "OH", 5e-7), Ok(())), "within the slack");
    assert!(matches!(make(1, "OH", -9e-7), Ok(())), "what transport schemes leave");
    assert!(matches!(make(1, "OH", -1.1e-6), Err(BatchError::Value { cell: 1, .. })));
    assert!(matches!(States::new(&m, vec![1.0], vec![], vec![]), Err(BatchError::Length { got: 0, want: 1, .. })));
}

#[test]
fn sums_within_the_slack_are_renormalised_and_exact_ones_keep_their_bits() {
    let m = h2();
    let row = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.0)]).expect("known species");
    let again = m.mass_fractions(&m.specific_moles(&row));
    assert!(again.iter().zip(&row).all(|(a, b)| (a - b).abs() < 1e-15));
    let exact = States::new(&m, vec![1000.0], vec![1e5], row.clone()).expect("good");
    assert_eq!(exact.y(), row);
    let off: Vec<f64> = row.iter().map(|y| y * (1.0 + 4e-7)).collect();
    let states = States::new(&m, vec![1000.0], vec![1e5], off).expect("good");
    assert!((states.y().iter().sum::<f64>() - 1.0).abs() < 1e-15);
}

#[test]
fn layouts_agree_to_the_last_bit() {
    let m = h2();
    let (n, k) = (7, m.species_count());
    let row = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("known species");
    let t: Vec<f64> = (0..n).map(|i| 1100.0 + 50.0 * i as f64).collect();
    let mut solver = Advance::builder(&m).threads(2).plan().expect("plans");
    let mut run = |layout: Layout| {
        let (mut t, mut p, mut outcome) = (t.clone(), vec![101_325.0; n], vec![Outcome::default(); n]);
        let at = |c: usize, s: usize| match layout {
            Layout::CellMajor => c * k + s,
            Layout::SpeciesMajor => s * n + c,
        };
        let mut y = vec![0.0; n * k];
        (0..n * k).for_each(|i| y[at(i / k, i % k)] = row[i % k]);
        let cells = Cells::new(&mut t, &mut p, &mut y, layout, &mut outcome);
        let report = solver.advance(cells, 1e-5).expect("advances");
        assert_eq!((report.cells, report.failed), (n, 0));
        let y: Vec<f64> = (0..n * k).map(|i| y[at(i / k, i % k)]).collect();
        (t, y)
    };
    assert_eq!(run(Layout::CellMajor), run(Layout::SpeciesMajor));
}

#[test]
fn sources_that_make_mass_are_refused() {
    let m = h2();
    let mut y = vec![0.0; m.species_count()];
    y[0] = 1.0;
    let mut dydt = vec![0.0; m.species_count()];
    dydt[2] = 1.0;
    let states = |dydt: &[f64]| {
        let plain = States::new(&m, vec![1000.0], vec![1e5], y.clone()).unwrap();
        plain.with_source(dydt.to_vec(), vec![0.0]).unwrap()
    };
    let mut solver = Advance::builder(&m).plan().unwrap();
    let fault = solver.advance_states(&mut states(&dydt), 1e-3).unwrap_err();
    assert!(matches!(fault, BatchError::Unbalanced { cell: 0, .. }), "{fault:?}");
    // So are those that take mass away.
    let fault = solver.advance_states(&mut states(&dydt.iter().map(|x| -x).collect::<Vec<_>>()), 1e-3).unwrap_err();
    assert!(matches!(fault, BatchError::Unbalanced { cell: 0, .. }), "{fault:?}");
    // Over an interval in which it makes no difference it may be.
    assert_eq!(solver.advance_states(&mut states(&dydt), 1e-7).unwrap().failed, 0);
    dydt[0] = -1.0;
    assert_eq!(solver.advance_states(&mut states(&dydt), 1e-3).unwrap().failed, 0);
}

#[test]
fn points_may_lie_species_by_species() {
    let m = h2();
    let (n, k) = (37, m.species_count());
    let mut states = igniting(&m);
    let mut solver = Advance::builder(&m).threads(2).plan().unwrap();
    solver.advance_states(&mut states, 3e-5).unwrap();
    let (t, p): (Vec<f64>, Vec<f64>) = (0..n).map(|i| (1000.0 + 40.0 * i as f64, 1e5)).unzip();
    let rows: Vec<f64> = (0..n).flat_map(|i| states.y_of(i % states.len()).to_vec()).collect();
    let turned =
        |rows: &[f64]| (0..k).flat_map(|s| (0..n).map(move |i| (i, s))).map(|(i, s)| rows[i * k + s]).collect();
    let columns: Vec<f64> = turned(&rows);
    let mut all = |y: &[f64], layout: Layout| {
        let at = Points::new(&t, &p, y, layout);
        let (mut wdot, mut jac) = (vec![0.0; n * k], vec![0.0; n * (k + 1) * (k + 1)]);
        solver.rates(at, &mut wdot, Some(&mut jac)).unwrap();
        let mut gas = vec![Properties::default(); n];
        solver.properties(at, &mut gas).unwrap();
        let energy: Vec<f64> = gas.iter().map(|g| g.enthalpy).collect();
        let mut found = vec![0.0; n];
        solver.temperatures(at, &energy, &mut found).unwrap();
        let mut progress = vec![[0.0; 2]; n * m.reaction_count()];
        solver.rates_of_progress(at, &mut progress).unwrap();
        (wdot, jac, gas, found, progress)
    };
    let (by_cell, by_species) = (all(&rows, Layout::CellMajor), all(&columns, Layout::SpeciesMajor));
    assert_eq!(turned(&by_cell.0), by_species.0);
    assert!(by_cell.0.iter().any(|w| w.abs() > 1.0));
    assert_eq!((by_cell.1, by_cell.2), (by_species.1, by_species.2));
    assert_eq!((by_cell.3, by_cell.4), (by_species.3, by_species.4));
}

/// What a method lets below zero while it works is no matter of the states that rates are asked of.
#[test]
fn rates_do_not_depend_on_what_a_solver_did_before() {
    let m = h2();
    let n = m.species_count();
    let mut y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76), ("OH", 0.01)]).unwrap();
    y[0] = -1e-9;
    let (t, p) = (vec![1500.0], vec![1e5]);
    let rates = |solver: &mut Advance| {
        let (mut wdot, mut jac) = (vec![0.0; n], vec![0.0; (n + 1) * (n + 1)]);
        solver.rates(Points::new(&t, &p, &y, Layout::CellMajor), &mut wdot, Some(&mut jac)).unwrap();
        [wdot, jac].concat().into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    let want = rates(&mut Advance::builder(&m).plan().unwrap());
    for method in ["bdf", "rodas5p", "radau5", "auto"] {
        let mut solver = Advance::builder(&m).method(method).plan().unwrap();
        let mut igniting = igniting(&m);
        solver.advance_states(&mut igniting, 1e-5).unwrap();
        assert_eq!(rates(&mut solver), want, "{method}");
    }
}

#[test]
fn a_bad_interval_is_refused() {
    let m = h2();
    let mut cells = States::uniform(&m, 2, 1200.0, 1e5, &[("H2", 0.1), ("O2", 0.9)]).expect("good");
    let mut solver = Advance::builder(&m).threads(1).plan().expect("plans");
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(solver.advance_states(&mut cells, 1e-9).expect("advances").failed, 0);
        assert!(matches!(solver.advance_states(&mut cells, dt), Err(BatchError::Interval { .. })), "{dt}");
        // Nobody takes the last call's outcomes for those of this one.
        assert!(cells.outcomes().iter().all(|o| o.status == Status::Cancelled), "{dt}");
    }
    let unknown = States::uniform(&m, 1, 1200.0, 1e5, &[("h2o", 1.0)]);
    assert!(matches!(unknown, Err(BatchError::UnknownSpecies { nearest: Some(n), .. }) if n == "H2O"));
}

/// A hydrogen cell in the middle of its ignition.
fn igniting(m: &Mechanism) -> States {
    let y = m.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("known species");
    let mut cell = States::new(m, vec![1200.0], vec![101_325.0], y).expect("good");
    Advance::builder(m).threads(1).plan().expect("plans").advance_states(&mut cell, 4e-5).expect("advances");
    cell
}

#[test]
fn gross_rates_add_up_to_the_net_ones() {
    let m = h2();
    let cell = igniting(&m);
    let look = kinlane::inspect(&m, &cell).expect("one cell");
    let mut wdot = vec![0.0; m.species_count()];
    let mut solver = Advance::builder(&m).threads(1).plan().expect("plans");
    solver.rates(cell.points(), &mut wdot, None).expect("rates");
    for (s, w) in look.species.iter().zip(&wdot) {
        let gross = s.production + s.consumption;
        assert!((s.production - s.consumption - w).abs() <= 1e-11 * gross + 1e-30, "{s:?} against {w}");
        assert!(s.production >= 0.0 && s.consumption >= 0.0 && s.concentration >= 0.0);
    }
    assert_eq!(look.reactions.len(), m.reaction_count());
    let quickest = look.reactions.iter().map(|r| r.time_scale).fold(f64::INFINITY, f64::min);
    assert!(quickest > 0.0 && quickest < 1e-3, "{quickest}");
}

/// Times that what there is would last: 2 A => 2 B consumes 2 k C² of A, and B => C consumes k C of B.
#[test]
fn time_scales_are_those_of_what_is_consumed() {
    let m = common::gas(
        &["A", "B", "C"],
        "- {equation: 2 A => 2 B, rate-constant: {A: 3.0, b: 0, Ea: 0}}\n- {equation: B => C, rate-constant: {A: 5.0, b: 0, Ea: 0}}\n",
    );
    let cell = States::uniform(&m, 1, 1000.0, 1e5, &[("A", 0.5), ("B", 0.3), ("C", 0.2)]).expect("good");
    let look = kinlane::inspect(&m, &cell).expect("one cell");
    let a = 0.5 * 1e5 / (8.314_462_618_153_24 * 1000.0);
    let near = |got: f64, want: f64| assert!((got / want - 1.0).abs() < 1e-12, "{got} {want}");
    near(look.species[0].concentration, a);
    near(look.reactions[0].time_scale, 1.0 / (6.0 * a));
    near(look.reactions[1].time_scale, 0.2);
    near(look.species[0].time_scale, 1.0 / (6.0 * a));
    near(look.species[1].time_scale, 0.2);
    near(look.species[1].production, 6.0 * a * a);
    assert_eq!(look.species[2].time_scale, f64::INFINITY);
}

/// A rate constant beyond all numbers is no matter of steps that are too long.
#[test]
fn a_rate_that_overflows_is_told_as_such() {
    let m = common::gas(&["A", "B"], "- {equation: A => B, rate-constant: {A: 1.0e+300, b: 10, Ea: 0}}\n");
    for (method, reactor) in [("rodas5p", Reactor::ConstP), ("bdf", Reactor::ConstV), ("radau5", Reactor::FixedT)] {
        let mut cell = States::uniform(&m, 1, 1000.0, 1e5, &[("A", 0.5), ("B", 0.5)]).expect("good");
        let mut solver = Advance::builder(&m).method(method).reactor(reactor).threads(1).plan().expect("plans");
        assert_eq!(solver.advance_states(&mut cell, 1e-3).expect("advances").failed, 1, "{method}");
        assert_eq!(cell.outcomes()[0].status, Status::NotFinite, "{method}");
    }
}

/// Enough cells for every lane and both threads; one reaction has a reverse rate of its own, as with CHEMKIN's REV.
#[test]
fn properties_and_reactions_fit_the_rates() {
    let mut network = h2().network().clone();
    let first = network.reactions.first_mut().expect("a reaction");
    assert!(matches!(first.rate, RateLaw::Arrhenius(_)));
    let own = RateLaw::Arrhenius(Arrhenius { a: 1e7, b: 0.1, e: 500.0 });
    first.reverse = Reverse::Explicit { rate: Box::new(own), orders: None };
    let m = Mechanism::from_network(network);
    let (n, cells) = (m.species_count(), 53);
    let gas = [("H2", 0.03), ("O2", 0.22), ("N2", 0.7), ("H", 0.01), ("OH", 0.04)];
    let mut states = States::uniform(&m, cells, 1500.0, 1e5, &gas).expect("good");
    states.cells_mut().temperature.iter_mut().enumerate().for_each(|(i, t)| *t += 20.0 * i as f64);
    let (mut wdot, mut both) = (vec![0.0; cells * n], vec![[0.0; 2]; cells * m.reaction_count()]);
    let mut got = vec![Properties::default(); cells];
    for reactor in [Reactor::ConstP, Reactor::ConstV, Reactor::FixedT] {
        let mut solver = Advance::builder(&m).reactor(reactor).threads(2).plan().expect("plans");
        solver.rates(states.points(), &mut wdot, None).expect("rates");
        solver.rates_of_progress(states.points(), &mut both).expect("rates of progress");
        solver.properties(states.points(), &mut got).expect("properties");

        for (cell, q) in both.chunks(m.reaction_count()).enumerate() {
            let (mut net, mut gross) = (vec![0.0; n], vec![0.0; n]);
            for (r, [forward, reverse]) in m.network().reactions.iter().zip(q) {
                let sides = r.reactants.iter().map(|&(k, nu)| (k, -nu)).chain(r.products.iter().copied());
                for (k, nu) in sides {
                    net[k] += nu * (forward - reverse);
                    gross[k] += nu.abs() * (forward + reverse);
                }
            }
            for k in 0..n {
                let want = wdot[cell * n + k];
                assert!((net[k] - want).abs() <= 1e-12 * gross[k], "cell {cell}, species {k}: {} for {want}", net[k]);
            }
        }
        for (i, pair) in got.windows(2).enumerate() {
            let [a, b] = pair else { unreachable!() };
            // p = rho R T / W, and h is the integral of cp.
            let t = 1500.0 + 20.0 * i as f64;
            assert!((a.density * 8.314_462_618 * t / a.molar_mass - 1e5).abs() < 1e-3, "{a:?}");
            let mean = (b.enthalpy - a.enthalpy) / 20.0;
            assert!((mean / (0.5 * (a.cp + b.cp)) - 1.0).abs() < 1e-4, "{a:?}, {b:?}");
        }
        let [mut h, mut cp] = [(); 2].map(|()| vec![0.0; cells * n]);
        solver.species_properties(states.points(), &mut h, &mut cp).expect("properties of species");
        for (i, gas) in got.iter().enumerate() {
            let sum = |of: &[f64]| (i * n..(i + 1) * n).map(|k| states.y()[k] * of[k]).sum::<f64>();
            assert!((sum(&cp) / gas.cp - 1.0).abs() < 1e-13, "cell {i}");
            assert!((sum(&h) - gas.enthalpy).abs() < 1e-12 * gas.cp * 1500.0, "cell {i}");
        }
        // One cell alone has the bits that it has among others.
        let mut alone = [Properties::default()];
        let mut solver = Advance::builder(&m).reactor(reactor).threads(1).plan().expect("plans");
        solver.properties(states.points().part(17..18, n), &mut alone).expect("properties");
        assert_eq!(alone[0], got[17]);
        assert!(solver.properties(states.points(), &mut alone).is_err());
    }
    // rho cp dT/dt at constant pressure is the heat that is released.
    let dt = 1e-10;
    let mut solver = Advance::builder(&m).rtol(1e-10).atol(1e-18).threads(1).plan().expect("plans");
    solver.advance_states(&mut states, dt).expect("advances");
    for (i, (t, g)) in states.temperature().iter().zip(&got).enumerate() {
        let rise = (t - (1500.0 + 20.0 * i as f64)) / dt;
        assert!((rise * g.density * g.cp / g.heat_release - 1.0).abs() < 1e-2, "cell {i}: {rise} K/s, {g:?}");
    }
}

/// Across the middle of the polynomials and above their ends, from any guess.
#[test]
fn the_temperature_of_an_energy_is_found() {
    let m = Mechanism::bundled("gri30").expect("bundled");
    let (n, cells, r) = (m.species_count(), 67, 8.314_462_618_153_24);
    let gas = [("CH4", 0.1), ("O2", 0.2), ("N2", 0.4), ("H2O", 0.1), ("CO2", 0.1), ("AR", 0.05), ("H", 0.05)];
    let mut states = States::uniform(&m, cells, 1500.0, 1e5, &gas).expect("good");
    let truth: Vec<f64> = (0..cells).map(|i| 30.0 * 1.11_f64.powi(i as i32)).collect();
    states.cells_mut().temperature.copy_from_slice(&truth);
    let mut got = vec![Properties::default(); cells];
    for reactor in [Reactor::ConstP, Reactor::ConstV, Reactor::FixedT] {
        let mut solver = Advance::builder(&m).reactor(reactor).threads(2).plan().expect("plans");
        states.cells_mut().temperature.copy_from_slice(&truth);
        solver.properties(states.points(), &mut got).expect("properties");
        let work = |t: f64, g: &Properties| if reactor == Reactor::ConstV { r * t / g.molar_mass } else { 0.0 };
        let energy: Vec<f64> = truth.iter().zip(&got).map(|(&t, g)| g.enthalpy - work(t, g)).collect();
        let mut bits = Vec::new();
        for guess in [10.0, 300.0, 1000.0, 3000.0, 50_000.0] {
            states.cells_mut().temperature.fill(guess);
            let mut t = vec![0.0; cells];
            solver.temperatures(states.points(), &energy, &mut t).expect("temperatures");
            for (t, want) in t.iter().zip(&truth) {
                assert!((t / want - 1.0).abs() < 1e-9, "{reactor:?}, from {guess} K: {t} for {want}");
            }
            bits = t;
        }
        let mut alone = [0.0];
        solver.temperatures(states.points().part(17..18, n), &energy[17..18], &mut alone).expect("temperatures");
        assert_eq!(alone[0].to_bits(), bits[17].to_bits());
        let mut t = [0.0; 3];
        let none = [-1e12, 1e12, f64::NAN];
        solver.temperatures(states.points().part(0..3, n), &none, &mut t).expect("temperatures");
        assert!(t.iter().all(|t| t.is_nan()), "{t:?}");
        assert!(solver.temperatures(states.points(), &none, &mut t).is_err());
    }
}

/// A species whose polynomials meet at 1000 K, but for some heat.
#[test]
fn an_energy_that_polynomials_jump_over_has_the_temperature_of_the_jump() {
    let mut network = h2().network().clone();
    let n2 = network.species.iter_mut().find(|s| s.name == "N2").expect("N2");
    let kinlane::mech::network::ThermoForm::Nasa7(ranges) = &mut n2.thermo.form else { panic!("no polynomials") };
    ranges[1].a[5] += 100.0;
    let m = Mechanism::from_network(network);
    let mut solver = Advance::builder(&m).threads(1).plan().expect("plans");
    let cells = States::uniform(&m, 1, 1000.0, 1e5, &[("N2", 1.0)]).expect("good");
    let mut gas = [Properties::default()];
    solver.properties(cells.points(), &mut gas).expect("properties");
    let mut t = [0.0];
    let over = gas[0].enthalpy + 50.0 * 8.314 / gas[0].molar_mass;
    solver.temperatures(cells.points(), &[over], &mut t).expect("temperatures");
    assert!((t[0] - 1000.0).abs() < 1e-6, "{t:?}");
}

#[test]
fn a_tolerance_that_is_none_is_told_as_such() {
    for rtol in [-1.0, 0.0, f64::NAN, 1e-20] {
        let why = Advance::builder(&h2()).rtol(rtol).plan().expect_err("refused").to_string();
        assert!(why.contains("rtol") && why.contains("must be"), "{why}");
    }
}

#[test]
fn a_trace_takes_the_steps_that_the_solver_takes() {
    let m = h2();
    let options = kinlane::Options { rtol: 1e-8, ..Default::default() };
    let (points, outcome) = kinlane::trace(&m, &options, &mut igniting(&m), 1e-5).expect("one cell");
    let accepted = points.iter().filter(|p| p.accepted).count();
    assert_eq!(outcome.status, kinlane::Status::Done);
    assert_eq!((accepted, points.len() - accepted), (outcome.cost.steps as usize, outcome.cost.rejected as usize));
    assert!(points.iter().all(|p| p.accepted == (p.error <= 1.0)));
    let last = points.last().expect("some step");
    assert!((last.t + last.h - 1e-5).abs() < 1e-19);
    let mut two = States::uniform(&m, 2, 1200.0, 1e5, &[("H2", 0.1), ("O2", 0.9)]).expect("good");
    assert!(kinlane::trace(&m, &options, &mut two, 1e-5).is_err());

    // Over its own interval, where it has one.
    let mut own = igniting(&m).with_intervals(vec![1e-4]).expect("positive");
    let (points, _) = kinlane::trace(&m, &options, &mut own, 1.0).expect("one cell");
    let last = points.last().expect("some step");
    assert!((last.t + last.h - 1e-4).abs() < 1e-18, "{last:?}");

    // Where no method is named, BDF takes over as with `auto`.
    let m = Mechanism::bundled("gri30").expect("is bundled");
    let y = m.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)]).expect("known species");
    let gas = || States::new(&m, vec![1500.0], vec![1e6], y.clone()).expect("good");
    let options = kinlane::Options { rtol: 1e-9, atol: Some(1e-15), ..Default::default() };
    let (points, outcome) = kinlane::trace(&m, &options, &mut gas(), 1e-2).expect("one cell");
    assert!(points.iter().any(|p| p.method == "bdf"), "{} steps", points.len());
    // One cell computes its exponentials otherwise than lanes do, and takes a step more or less among thousands.
    let accepted = points.iter().filter(|p| p.accepted).count() as f64;
    assert!(
        (accepted / f64::from(outcome.cost.steps) - 1.0).abs() < 0.01,
        "{accepted} steps, not {}",
        outcome.cost.steps
    );
}

/// A rate with a negative order ends where its species does, as it does in Cantera; so does one of order zero.
#[test]
fn a_rate_of_low_order_ends_with_its_species() {
    for (order, a) in [(-0.3, 1e3), (0.0, 100.0)] {
        let text = format!(
            "phases: [{{name: g, thermo: ideal-gas, kinetics: gas}}]
species:
- {{name: F, composition: {{H: 2}}, thermo: &t {{model: constant-cp, T0: 1000 K, h0: 0, s0: 0, cp0: 30 kJ/kmol/K}}}}
- {{name: P, composition: {{H: 2}}, thermo: *t}}
reactions:
- {{equation: F => P, rate-constant: {{A: {a}, b: 0, Ea: 0}}, orders: {{F: {order}}}, negative-orders: true}}
"
        );
        let network = kinlane::mech::cantera::read_str(text, "g.yaml".as_ref(), None, &[]).expect("reads");
        let m = Mechanism::from_network(network);
        let mut wdot = [f64::NAN; 2];
        let mut solver = Advance::builder(&m).threads(1).plan().expect("plans");
        solver.rates(Points::new(&[1000.0], &[1e5], &[0.0, 1.0], Layout::CellMajor), &mut wdot, None).expect("rates");
        assert_eq!(wdot, [0.0, 0.0], "nothing is there to burn");
        for method in ["auto", "rodas5p", "rodas4", "radau5", "bdf"] {
            let mut cells = States::new(&m, vec![1000.0], vec![1e5], vec![1.0, 0.0]).expect("good");
            let mut solver = Advance::builder(&m).method(method).threads(1).plan().expect("plans");
            let report = solver.advance_states(&mut cells, 1.0).expect("advances");
            let left = cells.y()[0];
            assert!(report.failed == 0 && left.abs() < 1e-11, "{method}, order {order}: {left:e} is left, {report:?}");
        }
    }
}

/// Far below every fit, too, rates are numbers.
#[test]
fn liquid_oxygen_has_rates() {
    let m = Mechanism::bundled("gri30").expect("reads");
    for t in [60.0, 90.0, 110.0, 150.0] {
        let y = m.mass_fractions_of_moles(&[("O2", 1.0), ("CH4", 0.1)]).expect("known");
        let mut cells = States::new(&m, vec![t], vec![1e7], y).expect("good");
        let report =
            Advance::builder(&m).threads(1).plan().expect("plans").advance_states(&mut cells, 1e-3).expect("goes");
        assert!(report.failed == 0 && (cells.temperature()[0] - t).abs() < 1e-6, "{t} K: {report:?}");
    }
}

/// [M] is a difference, of everything and what does not collide: a trace below zero must not make it negative.
#[test]
fn colliders_below_zero_do_not_turn_reactions_round() {
    let thermo = "thermo: {model: constant-cp, T0: 300 K, h0: 0 J/mol, s0: 0 J/mol/K, cp0: 29 J/mol/K}";
    let species: String =
        ["A", "B", "N"].iter().map(|s| format!("- {{name: {s}, composition: {{Ar: 1}}, {thermo}}}\n")).collect();
    let text = format!(
        "units: {{length: m, quantity: mol, activation-energy: K}}\n\
         phases:\n- {{name: g, thermo: ideal-gas, elements: [Ar], species: [A, B, N], kinetics: gas}}\n\
         species:\n{species}reactions:\n\
         - {{equation: A + M => B + M, rate-constant: {{A: 1e6, b: 0, Ea: 0}}, efficiencies: {{A: 0, N: 0}}}}\n"
    );
    let m = common::mechanism(&text);
    let rate = |b: f64| {
        let (mut wdot, y) = (vec![0.0; 3], [0.3, b, 0.7 - b]);
        Advance::builder(&m)
            .plan()
            .unwrap()
            .rates(Points::new(&[1000.0], &[1e5], &y, Layout::CellMajor), &mut wdot, None)
            .unwrap();
        wdot[1]
    };
    assert_eq!([rate(-9e-7), rate(0.0)], [0.0; 2]);
    assert!(rate(9e-7) > 0.0);
}

#[test]
fn mixtures_of_nothing_are_refused() {
    let m = h2();
    let moles = |amounts: &[(&str, f64)]| m.mass_fractions_of_moles(amounts).unwrap_err().to_string();
    assert!(moles(&[("H2", -1.0), ("O2", 2.0)]).starts_with("-1 of `H2` in a mixture"));
    assert!(moles(&[("H2", f64::NAN)]).starts_with("NaN of `H2` in a mixture"));
    assert_eq!(moles(&[]), moles(&[("H2", 0.0)]));
    assert!(States::uniform(&m, 1, 1000.0, 1e5, &[("H2", f64::INFINITY)]).is_err());
}

/// 0.172 atm is 17427.899999999998 Pa, with the logarithm of 17427.9.
#[test]
fn levels_of_pressure_may_be_a_bit_apart() {
    let forward = |second: &str, doubled: &str, p: f64| {
        let m = common::mechanism(&format!(
            "units: {{length: cm, quantity: mol}}
phases: [{{name: g, thermo: ideal-gas, kinetics: gas}}]
species:
- {{name: A, composition: {{H: 2}}, thermo: &t {{model: constant-cp, T0: 1000 K, h0: 0, s0: 0, cp0: 30 J/mol/K}}}}
- {{name: B, composition: {{H: 2}}, thermo: *t}}
reactions:
- equation: A => B
  type: pressure-dependent-Arrhenius
  rate-constants:
  - {{P: 0.01 atm, A: 10, b: 0, Ea: 0}}
  - {{P: 0.172 atm, A: 100, b: 0, Ea: 0}}
  - {{P: {second}, A: 200, b: 0, Ea: 0}}{doubled}
  - {{P: 10 atm, A: 1000, b: 0, Ea: 0}}
"
        ));
        let mut wdot = [f64::NAN; 2];
        let mut solver = Advance::builder(&m).threads(1).plan().unwrap();
        solver.rates(Points::new(&[1000.0], &[p], &[1.0, 0.0], Layout::CellMajor), &mut wdot, None).unwrap();
        wdot[1]
    };
    for doubled in ["", "\n  - {P: 1 atm, A: 300, b: 0, Ea: 0}\n  - {P: 1 atm, A: 10, b: 0, Ea: 0}"] {
        for p in [1e3, 1e4, 17427.0, 17428.0, 1e5, 1e6, 1e7] {
            let (got, want) = (forward("17427.9000001 Pa", doubled, p), forward("17427.90001 Pa", doubled, p));
            assert!(got > 0.0 && (got / want - 1.0).abs() < 1e-9, "{p} Pa: {got}, not {want}");
            // One pressure in two units is one level.
            let (got, want) = (forward("17427.9 Pa", doubled, p), forward("0.172 atm", doubled, p));
            assert_eq!(got, want, "{p} Pa");
        }
    }
}

/// A temperature that is right already is found at once.
#[test]
fn temperatures_come_back_from_their_energies() {
    let mechanism = Mechanism::bundled("gri30").unwrap();
    let n = 1000;
    let t: Vec<f64> = (0..n).map(|i| 300.0 + 2.345_678 * f64::from(i)).collect();
    let y = mechanism.mass_fractions_of_moles(&[("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)]).unwrap();
    let cells = States::new(&mechanism, t.clone(), vec![1e5; t.len()], y.repeat(t.len())).unwrap();
    let mut solver = Advance::builder(&mechanism).threads(1).plan().unwrap();
    let mut gas = vec![Properties::default(); t.len()];
    solver.thermodynamics(cells.points(), &mut gas).unwrap();
    let energies: Vec<f64> = gas.iter().map(|gas| gas.enthalpy).collect();
    let mut found = vec![0.0; t.len()];
    solver.temperatures(cells.points(), &energies, &mut found).unwrap();
    let off = found.iter().zip(&t).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
    assert!(off < 1e-15, "{off:e}");
}

/// Heat capacities that rise below a jump of the enthalpy and fall above it: each side points to the other for ever.
#[test]
fn a_temperature_in_a_jump_of_enthalpy_is_that_of_the_jump() {
    let mut network = h2().network().clone();
    let nitrogen = network.species.iter_mut().find(|s| s.name == "N2").expect("N2");
    let ThermoForm::Nasa7(ranges) = &mut nitrogen.thermo.form else { panic!("other thermodynamics") };
    // Enthalpies over R at the join, without those constants \[K\].
    let at = |a: &[f64; 7], t: f64| (0..5).map(|i| a[i] * t.powi(i as i32 + 1) / (i + 1) as f64).sum::<f64>();
    let [low, high] = &mut ranges[..] else { panic!("two ranges") };
    let (join, jump) = (low.high, 30.0);
    high.a = [4.43, -5e-4, 0.0, 0.0, 0.0, 0.0, high.a[6]];
    high.a[5] = at(&low.a, join) + low.a[5] + jump - at(&high.a, join);
    let m = Mechanism::from_network(network);
    let mut solver = Advance::builder(&m).threads(1).plan().expect("a solver");
    let nitrogen = |t: f64| States::uniform(&m, 1, t, 101_325.0, &[("N2", 1.0)]).expect("a state");
    let mut gas = [Properties::default()];
    solver.properties(nitrogen(join).points(), &mut gas).expect("properties");
    let unit = 8.314_462_618 / gas[0].molar_mass;
    for part in [0.01, 0.2, 0.5, 0.99] {
        for guess in [300.0, 990.0, 1010.0, 2500.0] {
            let mut t = [0.0];
            let energy = [gas[0].enthalpy + part * jump * unit];
            solver.temperatures(nitrogen(guess).points(), &energy, &mut t).expect("temperatures");
            assert!((t[0] - join).abs() < 1e-6, "{part} of the jump, from {guess} K: {} K", t[0]);
        }
    }
}
