//! What grows from nothing: steps in which a method would damp it are not taken.

use crate::common::mechanism;
use kinlane::{Advance, Mechanism, Reactor, States};

/// Acetylene and air without a radical.
fn acetylene(mechanism: &Mechanism, t: &[f64], p: &[f64]) -> States {
    let y =
        mechanism.mass_fractions_of_moles(&[("C2H2", 1.0), ("O2", 2.5), ("N2", 9.4)]).expect("its species are there");
    States::new(mechanism, t.to_vec(), p.to_vec(), y.repeat(t.len())).expect("good")
}

/// Below the absolute tolerance nothing is to be seen of radicals that grow: an L-stable step over the whole interval
/// damps them, and its error estimate agrees.
#[test]
fn ignitions_are_not_stepped_over() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let (t, p) = ([900.0, 1000.0, 1000.0, 1100.0], [1e5, 1e4, 1e5, 1e6]);
    let run = |method: &str, rtol: f64, atol: f64| {
        let mut cells = acetylene(&mechanism, &t, &p);
        let mut solver =
            Advance::builder(&mechanism).method(method).rtol(rtol).atol(atol).threads(1).plan().expect("plans");
        assert_eq!(solver.advance_states(&mut cells, 1.0).expect("advances").failed, 0, "{method}");
        cells.temperature().to_vec()
    };
    let want = run("rodas5p", 1e-8, 1e-18);
    assert!(want.iter().all(|&t| t > 2500.0), "{want:?}");
    for method in ["auto", "rodas5p", "rodas4", "rodas3", "radau5", "sdirk4", "bdf", "ndf"] {
        for (rtol, atol) in [(1e-6, 1e-12), (1e-4, 1e-10)] {
            let got = run(method, rtol, atol);
            let off = got.iter().zip(&want).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
            assert!(off < 1e-3, "{method}, rtol {rtol:e}: {got:?}, not {want:?}");
        }
    }
}

/// How a host cuts its time must not decide whether a gas ignites.
#[test]
fn one_call_and_many_agree() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let run = |calls: u32| {
        let mut cell = acetylene(&mechanism, &[1000.0], &[101_325.0]);
        let mut solver = Advance::builder(&mechanism).threads(1).plan().expect("plans");
        for _ in 0..calls {
            assert_eq!(solver.advance_states(&mut cell, 1e-2 / f64::from(calls)).expect("advances").failed, 0);
        }
        cell.temperature()[0]
    };
    let (one, many) = (run(1), run(100));
    assert!(one > 1010.0 && (one - many).abs() < 0.1, "{one} K and {many} K");
}

/// At rest the elements' eigenvalues are zero but for rounding, whose sign means nothing.
#[test]
fn rounding_is_no_growth() {
    let mechanism = Mechanism::bundled("h2").expect("is bundled");
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("its species");
    let mut cells = States::new(&mechanism, vec![1200.0, 2500.0], vec![1e5, 1e7], y.repeat(2)).expect("good");
    let report = Advance::builder(&mechanism)
        .threads(1)
        .plan()
        .expect("plans")
        .advance_states(&mut cells, 1e8)
        .expect("advances");
    assert_eq!(report.failed, 0);
    assert!(report.steps < 1000 && report.rejected < 200, "{report:?}");
}

/// A + X => 2 X at 1 atm and 1000 K: X grows with exp(1.2e3 t), t in seconds, until A is used up.
const AUTOCATALYSIS: &str = "
phases:
- {name: gas, thermo: ideal-gas, elements: [O], species: [A, X], kinetics: gas, reactions: all}
species:
- name: A
  composition: {O: 1}
  thermo: &cold {model: constant-cp, T0: 300 K, h0: 0 J/mol, s0: 100 J/mol/K, cp0: 30 J/mol/K}
- {name: X, composition: {O: 1}, thermo: *cold}
reactions:
- equation: A + X => 2 X
  rate-constant: {A: 1.0e+5, b: 0, Ea: 0}
";

/// A seed far below the absolute tolerance grows all the same. Just below the pole of its stability function `rodas5p`
/// turns its sign, and what is below zero grows no more; an explicit step over all of a cold cell lets it grow like a power.
#[test]
fn seeds_keep_their_sign() {
    let mechanism = mechanism(AUTOCATALYSIS);
    for method in ["auto", "rodas5p", "rodas4", "rodas3", "ros3", "rang3", "radau5", "sdirk4", "bdf", "ndf"] {
        for seed in [1e-12_f64, 1e-20, 1e-30] {
            let all = 0.1_f64; // ln(1e30) = 69 < 1.2e3·0.1
            for dt in [all, 3.0 * all, 10.0 * all] {
                let mut cell =
                    States::new(&mechanism, vec![1000.0], vec![101_325.0], vec![1.0 - seed, seed]).expect("good");
                let mut solver = Advance::builder(&mechanism)
                    .method(method)
                    .rtol(1e-4)
                    .atol(1e-10)
                    .threads(1)
                    .plan()
                    .expect("plans");
                assert_eq!(solver.advance_states(&mut cell, dt).expect("advances").failed, 0, "{method}, {seed:e}");
                let x = cell.y()[1];
                assert!((x - 1.0).abs() < 1e-3, "{method}, seed {seed:e}, {dt} s: X = {x:e}");
            }
        }
    }
}

/// A blend whose radicals met the pole at this length of the interval: it stayed as cold as it was.
#[test]
fn radicals_keep_their_sign() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let blend = [
        ("C2H2", 0.174_349_002_698_702_96),
        ("C2H4", 0.953_758_841_470_620_7),
        ("O2", 1.523_513_671_009_354_2),
        ("N2", 0.166_701_307_761_741_5),
    ];
    let y = mechanism.mass_fractions_of_moles(&blend).expect("its species are there");
    for atol in [1e-8, 1e-9, 1e-10] {
        let mut cell =
            States::new(&mechanism, vec![789.572_277_722_791], vec![977_566.971_948_939_1], y.clone()).expect("good");
        let advance = Advance::builder(&mechanism).reactor(Reactor::ConstV).rtol(1e-3).atol(atol).threads(1);
        assert_eq!(advance.plan().expect("plans").advance_states(&mut cell, 0.1).expect("advances").failed, 0);
        let t = cell.temperature()[0];
        assert!((t / 3894.7 - 1.0).abs() < 1e-3, "atol {atol:e}: {t} K");
    }
}

/// A <=> B at 1/s and A + X => 2 X, and another way to X.
fn autocatalysis_beside(other: &str) -> Mechanism {
    let species: String = ["A", "B", "C", "X"]
        .map(|s| {
            format!(
                "- {{name: {s}, composition: {{Ar: 1}}, thermo: {{model: constant-cp, h0: 0 J/mol, s0: 0 J/mol/K, cp0: 30 \
                 J/mol/K}}}}\n"
            )
        })
        .concat();
    mechanism(&format!(
        "units: {{length: m, quantity: mol, activation-energy: J/mol}}\n\
         phases: [{{name: g, thermo: ideal-gas, elements: [Ar], species: [A, B, C, X], kinetics: gas}}]\n\
         species:\n{species}reactions:\n\
         - {{equation: A <=> B, rate-constant: {{A: 1, b: 0, Ea: 0}}}}\n\
         - {{equation: A + X => 2 X, rate-constant: {{A: 1e6, b: 0, Ea: 0}}}}\n\
         - {{equation: {other}, rate-constant: {{A: 1e-3, b: 0, Ea: 0}}}}\n"
    ))
}

/// Two modes that grow side by side, whose pivots multiply to what nothing would make of them: X is made, and beside it U is made as
/// well, begins as a seed, or is not there at all.
#[test]
fn growing_modes_hide_each_other_no_more() {
    let gas = |made: &str| {
        let species: String = ["A", "P", "X", "U"]
            .map(|s| {
                let h0 = if s == "A" { 100 } else { 0 };
                format!(
                    "- {{name: {s}, composition: {{H: 2}}, thermo: {{model: constant-cp, h0: {h0} kJ/mol, s0: 0 J/mol/K, cp0: 31 \
                     J/mol/K}}}}\n"
                )
            })
            .concat();
        mechanism(&format!(
            "units: {{length: m, quantity: mol, activation-energy: K}}\n\
             phases: [{{name: g, thermo: ideal-gas, elements: [H], species: [A, P, X, U], kinetics: gas}}]\n\
             species:\n{species}reactions:\n\
             - {{equation: A => X, rate-constant: {{A: 1600, b: 0, Ea: 12000}}}}\n\
             - {{equation: A + X => 2 X, rate-constant: {{A: 5e8, b: 0, Ea: 4000}}}}\n\
             - {{equation: X => P, rate-constant: {{A: 1e4, b: 0, Ea: 0}}}}\n\
             - {{equation: A + U => 2 U, rate-constant: {{A: 5e8, b: 0, Ea: 4000}}}}\n{made}"
        ))
    };
    let all = [
        (gas(""), 0.0),
        (gas(""), 1e-18),
        (gas("- {equation: A => U, rate-constant: {A: 1600, b: 0, Ea: 12000}}\n"), 0.0),
    ];
    for (mechanism, u) in &all {
        let run = |method: &str, rtol: f64, atol: f64, dt: f64| {
            let mut cell = States::new(mechanism, vec![700.0], vec![1e6], vec![1.0 - u, 0.0, 0.0, *u]).expect("good");
            let solver = Advance::builder(mechanism).method(method).reactor(Reactor::ConstV).rtol(rtol).atol(atol);
            let report = solver.threads(1).plan().expect("plans").advance_states(&mut cell, dt).expect("advances");
            assert_eq!(report.failed, 0, "{method}");
            cell.temperature()[0]
        };
        for dt in [1e-3, 1.0] {
            let want = run("rodas5p", 1e-9, 1e-25, dt);
            assert!(want > 2000.0, "{want} K");
            for method in ["auto", "rodas4", "radau5", "bdf", "sdirk4"] {
                for (rtol, atol) in [(1e-3, 1e-10), (1e-6, 1e-12), (1e-6, 1e-15)] {
                    let got = run(method, rtol, atol, dt);
                    assert!(
                        (got / want - 1.0).abs() < 0.03,
                        "{method}, {rtol:e}, {atol:e}, {dt} s: {got} K, not {want}"
                    );
                }
            }
        }
    }
}

/// What would grow by itself holds no step up as long as nothing is there of it and nothing makes it.
#[test]
fn nothing_grows_from_nothing() {
    let run = |mechanism: &Mechanism, method: &str, y: [f64; 4]| {
        let mut cell = States::new(mechanism, vec![1000.0], vec![1e5], y.to_vec()).expect("good");
        let solver = Advance::builder(mechanism).method(method).reactor(Reactor::FixedT).threads(1);
        let report = solver.plan().expect("plans").advance_states(&mut cell, 10.0).expect("advances");
        assert_eq!(report.failed, 0, "{method}, {y:?}");
        (cell.y().to_vec(), report.steps + report.rejected)
    };
    for method in ["auto", "rodas4", "rodas5p", "ros3", "radau5", "sdirk4", "bdf", "ndf"] {
        // From A alone B has to be made first.
        let mechanism = autocatalysis_beside("C => B");
        for b in [0.0, 0.1, 0.4] {
            let (y, attempts) = run(&mechanism, method, [1.0 - b, b, 0.0, 0.0]);
            let want = (b - 0.5).mul_add((-20.0_f64).exp(), 0.5);
            assert!((y[1] - want).abs() < 1e-5 && y[3] == 0.0, "{method}, {b}: {y:?}, not {want}");
            assert!(attempts < 400, "{method}, {b}: {attempts} attempts");
        }
        // A trace of it, and what makes it: at once, or by what is made first.
        for (other, y) in [
            ("C => B", [1.0, 0.0, 0.0, 1e-25]),
            ("B => X", [1.0, 0.0, 0.0, 0.0]),
            ("2 B => X + C", [1.0, 0.0, 0.0, 0.0]),
        ] {
            let (y, _) = run(&autocatalysis_beside(other), method, y);
            assert!(y[3] > 0.9, "{method}, {other}: {y:?}");
        }
    }
}

/// What makes X need not be seen in J: a rate of order zero, at constant volume; a rate that is no number yet in a cold gas, which
/// is heated. And what auto's explicit step makes of a species that is not there must be nothing, however often.
#[test]
fn what_makes_a_seed_is_seen_and_rounding_makes_none() {
    let gas = |other: &str| {
        let species = [("A", 0.0), ("C", 1e5), ("X", 0.0)].map(|(s, h)| {
            format!(
                "- {{name: {s}, composition: {{Ar: 1}}, thermo: {{model: constant-cp, h0: {h} J/mol, s0: 0 J/mol/K, cp0: 30 J/mol/K}}}}\n"
            )
        });
        mechanism(&format!(
            "units: {{length: m, quantity: mol, activation-energy: J/mol}}\n\
             phases: [{{name: g, thermo: ideal-gas, elements: [Ar], species: [A, C, X], kinetics: gas}}]\n\
             species:\n{}reactions:\n- {{equation: C + X => 2 X, rate-constant: {{A: 1e6, b: 0, Ea: 0}}}}\n{other}",
            species.concat()
        ))
    };
    let methods = ["auto", "rodas4", "rodas5p", "ros3", "radau5", "sdirk4", "bdf", "ndf"];
    let zero = gas("- {equation: A => X, orders: {A: 0}, rate-constant: {A: 1e-3, b: 0, Ea: 0}}\n");
    let cold = gas("- {equation: A => X, rate-constant: {A: 1e12, b: 0, Ea: 1.2e6}}\n");
    for method in methods {
        for reactor in [Reactor::ConstV, Reactor::ConstP] {
            let mut cell = States::new(&zero, vec![1000.0], vec![1e5], vec![0.5, 0.5, 0.0]).expect("good");
            let solver = Advance::builder(&zero).method(method).reactor(reactor).threads(1);
            assert_eq!(solver.plan().expect("plans").advance_states(&mut cell, 0.1).expect("advances").failed, 0);
            assert!(cell.y()[1] < 1e-6, "{method}, {reactor:?}: {:?}", cell.y());
        }
        if method == "auto" {
            continue; // its explicit step does not see what nothing makes yet (decision 0023)
        }
        // In a second of heating the gas is hot enough for A => X.
        let cell = States::new(&cold, vec![180.0], vec![1e5], vec![0.5, 0.5, 0.0]).expect("good");
        let mut cell = cell.with_source(vec![0.0; 3], vec![1.5e6]).expect("good");
        let solver = Advance::builder(&cold).method(method).threads(1);
        assert_eq!(
            solver.plan().expect("plans").advance_states(&mut cell, 1.0).expect("advances").failed,
            0,
            "{method}"
        );
        assert!(cell.y()[1] < 1e-6, "{method}: {} K, {:?}", cell.temperature()[0], cell.y());
    }
    let calm = autocatalysis_beside("C => B");
    let mut cell = States::new(&calm, vec![1000.0], vec![1e5], vec![0.7, 0.2, 0.1, 0.0]).expect("good");
    let mut solver = Advance::builder(&calm).threads(1).plan().expect("plans");
    for _ in 0..200 {
        assert_eq!(solver.advance_states(&mut cell, 1e-4).expect("advances").failed, 0);
    }
    assert_eq!(cell.y()[3], 0.0);
}

/// What grows is looked at once more where it does in any of the cells side by side, and the answer is that of each cell alone.
/// In the first cell here two grow, of which one is absent, and must not hide the other; in the second there is an absent one.
#[test]
fn what_grows_is_asked_of_each_cell_alone() {
    let species: String = ["A", "C", "D", "E", "X", "Z"]
        .map(|s| {
            format!(
                "- {{name: {s}, composition: {{Ar: 1}}, thermo: {{model: constant-cp, h0: 0 J/mol, s0: 0 J/mol/K, cp0: 30 \
                 J/mol/K}}}}\n"
            )
        })
        .concat();
    let reactions: String = [("A + X => 2 X", 1e6), ("C + Z => 2 Z", 2e6), ("D => E", 10.0)]
        .map(|(equation, rate)| format!("- {{equation: {equation}, rate-constant: {{A: {rate}, b: 0, Ea: 0}}}}\n"))
        .concat();
    let mechanism = mechanism(&format!(
        "units: {{length: m, quantity: mol, activation-energy: J/mol}}\n\
         phases: [{{name: g, thermo: ideal-gas, elements: [Ar], species: [A, C, D, E, X, Z], kinetics: gas}}]\n\
         species:\n{species}reactions:\n{reactions}"
    ));
    let cells = [[0.3, 0.3, 0.3, 0.1, 0.0, 1e-20], [0.3, 0.0, 0.6, 0.1, 0.0, 0.0]];
    for method in ["rodas4", "rodas5p", "radau5", "sdirk4", "bdf"] {
        let run = |which: &[[f64; 6]]| {
            let n = which.len();
            let mut states = States::new(&mechanism, vec![1000.0; n], vec![1e5; n], which.concat()).expect("good");
            let solver = Advance::builder(&mechanism).method(method).reactor(Reactor::FixedT).threads(1);
            assert_eq!(solver.plan().expect("plans").advance_states(&mut states, 1e-3).expect("advances").failed, 0);
            states.outcomes().iter().zip(states.y().chunks(6)).map(|(o, y)| (o.cost.steps, y.to_vec())).collect()
        };
        let [alone, other]: [Vec<(u32, Vec<f64>)>; 2] = cells.map(|cell| run(&[cell]));
        assert!(alone[0].1[5] > 0.299 && other[0].0 < 40, "{method}: {alone:?}, {other:?}");
        assert_eq!(run(&[cells[1], cells[0], cells[1]]), [&other[..], &alone[..], &other[..]].concat(), "{method}");
    }
}

/// Electrons that make more of themselves, as the third body of their own reaction: from none at all.
#[test]
fn an_avalanche_through_a_collider_is_seen() {
    let m = mechanism(
        "units: {length: m, quantity: mol, activation-energy: J/mol}
phases: [{name: g, thermo: ideal-gas, elements: [N, E], species: [X, X+, E, C], kinetics: gas}]
species:
- {name: X, composition: {N: 1}, thermo: {model: constant-cp, h0: 1e5, cp0: 30}}
- {name: X+, composition: {N: 1, E: -1}, thermo: {model: constant-cp, cp0: 30}}
- {name: E, composition: {E: 1}, thermo: {model: constant-cp, cp0: 20}}
- {name: C, composition: {N: 1}, thermo: {model: constant-cp, h0: 1e5, cp0: 30}}
reactions:
- {equation: X + E => X+ + 2 E, rate-constant: {A: 1e6, b: 0, Ea: 0}}
- {equation: C => X+ + E, rate-constant: {A: 1e-9, b: 0, Ea: 0}}
- {equation: X => C, rate-constant: {A: 1e-6, b: 0, Ea: 0}}
",
    );
    for method in ["rodas5p", "rodas4", "radau5", "bdf", "ndf", "sdirk4"] {
        let mut cell = States::new(&m, vec![1000.0], vec![1e5], vec![1.0, 0.0, 0.0, 0.0]).expect("good");
        let mut solver = Advance::builder(&m).method(method).threads(1).plan().expect("plans");
        assert_eq!(solver.advance_states(&mut cell, 1e-3).expect("advances").failed, 0, "{method}");
        let t = cell.temperature()[0];
        assert!((t - 2719.26).abs() < 0.02, "{method}: {t} K");
    }
}

/// An explicit step over the whole interval must see what only its last stage makes: the second of the radicals that make each other.
#[test]
fn radicals_that_radicals_make_are_seen_by_one_explicit_step() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let (t, p) = ([600.0, 630.0, 730.0, 800.0, 730.0, 800.0], [1e6, 4e6, 1e5, 1e5, 4e6, 1e6]);
    for phi in [1.0, 3.0, 8.0] {
        let y = mechanism
            .mass_fractions_of_moles(&[("C2H2", phi), ("O2", 2.5), ("N2", 9.4)])
            .expect("its species are there");
        let run = |method: &str, rtol: f64, atol: f64| {
            let mut cells = States::new(&mechanism, t.to_vec(), p.to_vec(), y.repeat(t.len())).expect("good");
            let mut solver =
                Advance::builder(&mechanism).method(method).rtol(rtol).atol(atol).threads(1).plan().expect("plans");
            assert_eq!(solver.advance_states(&mut cells, 0.5).expect("advances").failed, 0, "{method}");
            cells.temperature().to_vec()
        };
        let want = run("rodas5p", 1e-8, 1e-18);
        assert!(phi < 8.0 || want[2] > 1800.0, "{want:?}");
        for (rtol, atol) in [(1e-6, 1e-12), (1e-4, 1e-10)] {
            let got = run("auto", rtol, atol);
            let off = got.iter().zip(&want).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
            assert!(off < 1e-3, "phi {phi}, rtol {rtol:e}: {got:?}, not {want:?}");
        }
    }
}

/// Over a host's step a cold gas stays with two right-hand sides, also where its radicals fall apart in less time.
#[test]
fn a_cold_gas_stays_calm() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let y = mechanism.mass_fractions_of_moles(&[("C2H4", 1.0), ("O2", 3.0), ("N2", 11.3)]).expect("its species");
    let mut cells = States::new(&mechanism, vec![280.0, 300.0, 400.0], vec![1e5; 3], y.repeat(3)).expect("good");
    let mut solver = Advance::builder(&mechanism).threads(1).plan().expect("plans");
    let report = solver.advance_states(&mut cells, 1e-6).expect("advances");
    assert_eq!((report.failed, report.jac, report.rhs), (0, 0, 6), "{report:?}");
}

/// NH, HNCO and a trace of C2H: what grows is made by what is made by what is made, and one explicit step does not see it.
#[test]
fn growth_in_the_third_generation_is_seen() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let mut y = vec![0.0; mechanism.species_count()];
    for (name, part) in [("NH", 0.0475), ("HNCO", 0.0393), ("C2H", 1.456e-4), ("N2", 0.913_054_4)] {
        y[mechanism.species_index(name).expect("is there")] = part;
    }
    let mut cells = States::new(&mechanism, vec![463.0], vec![1270.0], y).expect("good");
    let mut solver = Advance::builder(&mechanism).threads(1).plan().expect("plans");
    assert_eq!(solver.advance_states(&mut cells, 1.0).expect("advances").failed, 0);
    let t = cells.temperature()[0];
    assert!((t - 1432.58).abs() < 0.1, "{t} K"); // radau5 at rtol 1e-9
}

/// A + X => 2 A at 1 atm and 1000 K grows by 1e4/s, from a seed of B. C, of which there is none, would decay at `$C`/s.
const SPECTATOR: &str = "
units: {length: m, quantity: mol}
phases:
- {name: gas, thermo: ideal-gas, elements: [N], species: [X, A, C, B], kinetics: gas, reactions: all}
species:
- name: X
  composition: {N: 1}
  thermo: &cold {model: constant-cp, T0: 300 K, h0: 0 J/mol, s0: 150 J/mol/K, cp0: 30 J/mol/K}
- {name: A, composition: {N: 1}, thermo: *cold}
- {name: C, composition: {N: 2}, thermo: *cold}
- {name: B, composition: {N: 1}, thermo: *cold}
reactions:
- {equation: A + X <=> 2 A, rate-constant: {A: 2.956e+4, b: 0, Ea: 0}}
- {equation: B => A, rate-constant: {A: 1.0e-11, b: 0, Ea: 0}}
- {equation: C => X + A, rate-constant: {A: $C, b: 0, Ea: 0}}
";

/// What decays fast and has nothing to do with what grows does not hide it: rounding of a pivot is that of its own row.
#[test]
fn a_spectator_hides_no_growth() {
    let grown = |method: &str, decay: &str| {
        let mechanism = mechanism(&SPECTATOR.replace("$C", decay));
        let mut cell = States::new(&mechanism, vec![1000.0], vec![101_325.0], vec![0.5, 0.0, 0.0, 0.5]).expect("good");
        let builder = Advance::builder(&mechanism).method(method).reactor(Reactor::FixedT).threads(1);
        let report = builder.plan().expect("plans").advance_states(&mut cell, 1e-2).expect("advances");
        assert_eq!(report.failed, 0, "{method}, {decay}");
        cell.y()[1]
    };
    let want = grown("rodas5p", "1.0e+8");
    assert!(want > 0.1, "{want}");
    for method in ["auto", "rodas5p", "rodas4", "radau5", "sdirk4", "bdf"] {
        for decay in ["1.0e+14", "1.0e+16", "1.0e+18"] {
            let got = grown(method, decay);
            assert!((got - want).abs() < 1e-3, "{method}, {decay}: {got} {want}");
        }
    }
}
