//! Reaction schemes: mass action with rate constants that come with each cell.

use kinlane::mech::kpp;
use kinlane::{BatchError, Conditions, Options, Outcome, Scheme, SchemeSolver, SchemeStates, Status};
use kinlane_testdata::{files, golden};

/// Robertson's problem, as a scheme.
const ROBERTSON: &str = "
#DEFVAR
A = IGNORE; B = IGNORE; C = IGNORE;
#EQUATIONS
<slow>  A     = B     : 0.04;
<quick> B + B = B + C : 3e7;
<back>  B + C = A + C : 1e4;
";

/// An atmosphere in little: emission, light, a fixed species, fractions and a negative product.
const SMALL: &str = "
#DEFVAR
O = IGNORE; O3 = IGNORE; NO = IGNORE; NO2 = IGNORE; R = IGNORE;
#DEFFIX
O2 = IGNORE; M = IGNORE;
#EQUATIONS
NO2 + hv = NO + O              : 1e-2*SUN;
O + O2 + M = O3 + M            : 6e-34*(TEMP/300)**(-2.3);
NO + O3 = NO2                  : 2e-12*EXP(-1400/TEMP);
hv = NO                        : 1e6;
NO + R = 0.8 NO2 + 0.5 R - 0.1 O3 : 1e-11;
R = PROD                       : 1e-4;
";

fn scheme(text: &str) -> Scheme {
    Scheme::from_model(kpp::read_str(("test.def", text)).unwrap_or_else(|e| panic!("{e}")))
}

/// Equal cells at 298 K; `inputs`, `fixed` and `amounts` of one.
fn cells(scheme: &Scheme, n: usize, inputs: &[f64], fixed: &[f64], amounts: &[f64]) -> SchemeStates {
    let at = Conditions {
        temperature: vec![298.0; n],
        inputs: inputs.repeat(n),
        fixed: fixed.repeat(n),
        amounts: amounts.repeat(n),
        ..Conditions::default()
    };
    SchemeStates::new(scheme, at).unwrap()
}

fn options(method: &str, rtol: f64, atol: f64) -> Options {
    Options { method: Some(method.to_owned()), rtol, atol: Some(atol), ..Options::default() }
}

#[test]
fn robertson_by_every_method_for_stiff_cells() {
    let scheme = scheme(ROBERTSON);
    let Some(folder) = files::golden() else { return };
    let answers = golden::json(&folder.join("stiff_test_set.json"));
    let rows = answers["problems"]["ROBER"]["rows"].as_array().unwrap();
    let last = &rows[5];
    let (t, want) = (last["t"].as_f64().unwrap(), golden::numbers(&last["y"]));
    for method in ["auto", "rodas5p", "rodas4", "rodas3", "ros4", "radau5", "bdf", "ndf", "sdirk4"] {
        let mut cells = cells(&scheme, 3, &[], &[], &[1.0, 0.0, 0.0]);
        let mut solver =
            SchemeSolver::builder(&scheme).options(options(method, 1e-7, 1e-14)).threads(1).plan().unwrap();
        let report = solver.advance(&mut cells, t).unwrap();
        assert_eq!(report.failed, 0, "{method}: {:?}", cells.outcomes()[0]);
        for (got, want) in cells.amounts().iter().zip(want.iter().cycle()) {
            assert!((got - want).abs() < 1e-5 * want, "{method} at {t}: {:?} {want:?}", cells.amounts_of(0));
        }
    }
}

/// d(amount)/dt as the equations say.
fn small(y: &[f64], sun: f64, o2: f64, m: f64) -> [f64; 5] {
    let [o, o3, no, no2, r] = [y[0], y[1], y[2], y[3], y[4]];
    let light = 1e-2 * sun * no2;
    let ozone = 6e-34 * (298.0_f64 / 300.0).powf(-2.3) * o * o2 * m;
    let titration = 2e-12 * (-1400.0_f64 / 298.0).exp() * no * o3;
    let radical = 1e-11 * no * r;
    [
        light - ozone,
        ozone - titration - 0.1 * radical,
        light - titration + 1e6 - radical,
        -light + titration + 0.8 * radical,
        -0.5 * radical - 1e-4 * r,
    ]
}

const FIXED: [f64; 2] = [5e18, 2.5e19];
const AMOUNTS: [f64; 5] = [1e3, 1e12, 1e10, 2e10, 1e8];

/// The usual tolerance is for molecules per cm³. A batch in another unit is refused, an almost empty cell is not.
#[test]
fn amounts_below_the_usual_tolerance_are_refused_as_a_whole() {
    let scheme = scheme(SMALL);
    let of = |amounts: &[[f64; 5]]| {
        let mut all = cells(&scheme, amounts.len(), &[0.0], &FIXED, &AMOUNTS).into_conditions();
        all.amounts = amounts.as_flattened().to_vec();
        SchemeStates::new(&scheme, all).unwrap()
    };
    let plan = || SchemeSolver::builder(&scheme).threads(1).plan().unwrap();
    let (little, nothing) = ([0.0, 1e-12, 0.0, 0.0, 1e-8], [0.0; 5]);
    let fault = plan().advance(&mut of(&[nothing, little]), 1.0).unwrap_err();
    assert!(matches!(fault, BatchError::Coarse { cell: 1, atol: 1e-3, .. }), "{fault:?}");
    let given = SchemeSolver::builder(&scheme).atol(1e-20).threads(1).plan().unwrap().advance(&mut of(&[little]), 1.0);
    assert!(given.is_ok(), "{given:?}");
    let mut solver = plan();
    assert_eq!(solver.advance(&mut of(&[nothing]), 1.0).unwrap().failed, 0);
    assert_eq!(solver.advance(&mut of(&[little, AMOUNTS, nothing]), 1.0).unwrap().failed, 0);
    // What there was has been consumed.
    assert_eq!(solver.advance(&mut of(&[little]), 1.0).unwrap().failed, 0);
}

#[test]
fn light_emissions_fixed_species_and_fractions_count() {
    let scheme = scheme(SMALL);
    assert_eq!(scheme.species_names(), ["O", "O3", "NO", "NO2", "R"]);
    assert_eq!(scheme.input_names(), ["SUN"]);
    let states = cells(&scheme, 11, &[0.7], &FIXED, &AMOUNTS);
    let mut solver = SchemeSolver::builder(&scheme).threads(2).plan().unwrap();
    let want = small(&AMOUNTS, 0.7, FIXED[0], FIXED[1]);
    let got = solver.rates(&states).unwrap();
    for (k, want) in want.iter().enumerate() {
        assert!((got[k] - want).abs() < 1e-12 * 1e9, "{k}: {} {want}", got[k]);
    }
    // One of a thousand small explicit steps is as good as any other way to the same end.
    let (dt, steps) = (1e-2, 1000);
    let mut y = AMOUNTS;
    // O lives 1e-5 s: it is taken to follow the others.
    let quick = 6e-34 * (298.0_f64 / 300.0).powf(-2.3) * FIXED[0] * FIXED[1];
    for _ in 0..steps {
        y[0] = 1e-2 * 0.7 * y[3] / quick;
        let f = small(&y, 0.7, FIXED[0], FIXED[1]);
        (1..5).for_each(|k| y[k] += dt * f[k]);
    }
    let mut states = cells(&scheme, 11, &[0.7], &FIXED, &AMOUNTS);
    let report = solver.advance(&mut states, dt * f64::from(steps)).unwrap();
    assert_eq!(report.failed, 0);
    for (got, want) in states.amounts_of(10).iter().zip(y) {
        assert!((got - want).abs() < 2e-3 * want, "{got} {want}");
    }
}

#[test]
fn every_method_agrees_or_says_that_it_does_not_suit() {
    let scheme = scheme(SMALL);
    let answer = |method: &str, rtol: f64| {
        let mut states = cells(&scheme, 4, &[0.7], &FIXED, &AMOUNTS);
        let o = Options { max_steps: 20_000, ..options(method, rtol, 1e-3) };
        let report =
            SchemeSolver::builder(&scheme).options(o).threads(1).plan().unwrap().advance(&mut states, 60.0).unwrap();
        (report.failed == 0).then(|| states.amounts_of(0).to_vec())
    };
    let want = answer("rodas5p", 1e-10).unwrap();
    for method in kinlane::methods().filter(|m| m.name != "rk4") {
        let stiff = ["rkf45", "rkck45", "dopri5", "heun", "rks57", "chemeq2", "asymptotic"].contains(&method.name);
        match answer(method.name, 1e-6) {
            Some(got) => {
                for (got, want) in got.iter().zip(&want) {
                    // Of first order, thousands of steps of 1e-6 each.
                    let most =
                        if ["chemeq2", "asymptotic", "backward-euler"].contains(&method.name) { 1e-2 } else { 2e-4 };
                    assert!((got - want).abs() < most * want, "{}: {got} {want}", method.name);
                }
            }
            None => assert!(stiff, "{} is made for stiff cells", method.name),
        }
    }
}

/// Light takes nothing back.
#[test]
fn a_negative_photolysis_frequency_is_refused() {
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : J(1);\n";
    let scheme = Scheme::from_model(kinlane::mech::kpp::read_str(("j.def", text)).unwrap());
    let at = |j: f64| Conditions {
        temperature: vec![300.0; 2],
        amounts: vec![1.0, 0.0, 1.0, 0.0],
        photolysis: vec![1e-3, j],
        ..Conditions::default()
    };
    assert!(SchemeStates::new(&scheme, at(0.0)).is_ok());
    let fault = SchemeStates::new(&scheme, at(-1e-3)).unwrap_err().to_string();
    assert!(["cell 1", "1", "-0.001", "photolysis"].iter().all(|part| fault.contains(part)), "{fault}");
}

/// The air is fixed, and far more than what evolves in it.
#[test]
fn an_amount_far_below_zero_is_refused_in_any_air() {
    let scheme = scheme(
        "#DEFVAR\nNO = IGNORE; O3 = IGNORE;\n#DEFFIX\nM = IGNORE;\n#EQUATIONS\nO3 + M = O3 + M : 1e-30; NO + O3 = O3 : 1e-14;",
    );
    let at = |no: f64| Conditions {
        temperature: vec![300.0],
        amounts: vec![no, 1e12],
        fixed: vec![2.5e19],
        ..Conditions::default()
    };
    assert!(SchemeStates::new(&scheme, at(-1e9)).is_ok());
    let fault = SchemeStates::new(&scheme, at(-1e11)).unwrap_err().to_string();
    assert!(fault.contains("cell 0, NO") && fault.contains("negative"), "{fault}");
    // Of the air a part in 1e12 may be lacking, 2.5e7, where hardly anything evolves in it.
    let alone = |no: f64| SchemeStates::new(&scheme, Conditions { amounts: vec![no, 0.0], ..at(0.0) });
    assert!(alone(-2e7).is_ok() && alone(-3e7).is_err());
}

/// A reaction may take what its rate does not depend on, as negative products do: the equations then lead below zero, and
/// back, and so do all methods.
#[test]
fn negative_products_are_followed_below_zero() {
    let scheme = scheme("#DEFVAR\nA = IGNORE; B = IGNORE; P = IGNORE;\n#EQUATIONS\nA = B - P : 1e-3; P = B : 1e2;");
    let exact = |t: f64| -1e-3 * 1e8 / (1e2 - 1e-3) * ((-1e-3 * t).exp() - (-1e2 * t).exp());
    for b in [1e10, 1e19] {
        for t in [1e-3, 1.0, 1e4] {
            for method in ["auto", "rodas5p", "rodas4", "radau5", "bdf", "sdirk4"] {
                let mut states = cells(&scheme, 3, &[], &[], &[1e8, b, 0.0]);
                let mut solver =
                    SchemeSolver::builder(&scheme).options(options(method, 1e-7, 1e-3)).threads(1).plan().unwrap();
                assert_eq!(solver.advance(&mut states, t).unwrap().failed, 0, "{method}, {t} s");
                let (got, want) = (states.amounts_of(2)[2], exact(t));
                assert!((got - want).abs() < 1e-5 * want.abs() + 1e-2, "{method}, {t} s: {got} {want}");
            }
        }
    }
}

/// Where the equations lead two amounts below zero, their product is what the equations say, with every method: it is no noise,
/// whose products methods that iterate turn. So it is with squares, with higher powers, and with factors that are fractions.
#[test]
fn products_of_negative_products_are_those_of_the_equations() {
    let drained = |reactions: &str| {
        let names = "A = IGNORE; B = IGNORE; P = IGNORE; R = IGNORE; X = IGNORE; Q = IGNORE;";
        scheme(&format!("#DEFVAR\n{names}\n#EQUATIONS\n{reactions}"))
    };
    // P' = -0.1 - c P^2, from zero on.
    let square = |c: f64, t: f64| -(0.1 / c).sqrt() * ((0.1 * c).sqrt() * t).tan();
    let cases = [
        ("A = A + B - P - R : 0.1; P + R = Q : 1;", square(1.0, 2.0)),
        ("A = A + B - P : 0.1; P + P = Q : 1;", square(2.0, 2.0)),
        ("A = A + B - P : 0.1; 2P + 2X = Q + 2X : 1;", square(2.0, 2.0)),
        ("A = A + B - P : 0.1; 2P + 0.5X = Q + 0.5X : 1;", square(2.0, 2.0)),
    ];
    // Species that take part in nothing are none of the scheme.
    let of = |scheme: &Scheme, amounts: &[(&str, f64)]| -> Vec<f64> {
        let of_one = |name: &String| amounts.iter().find(|part| part.0 == name).map_or(0.0, |part| part.1);
        scheme.species_names().iter().map(of_one).collect()
    };
    let methods =
        ["auto", "rodas5p", "rodas4", "radau5", "bdf", "ndf", "sdirk4", "dopri5", "rkc", "exprb43", "chemeq2"];
    for (reactions, want) in &cases {
        let scheme = drained(reactions);
        for method in methods {
            let mut states = cells(&scheme, 2, &[], &[], &of(&scheme, &[("A", 1.0), ("X", 1.0)]));
            let o = options(method, 1e-6, 1e-12);
            let mut solver = SchemeSolver::builder(&scheme).options(o).threads(1).plan().unwrap();
            assert_eq!(solver.advance(&mut states, 2.0).unwrap().failed, 0, "{method}, {reactions}");
            let product = scheme.species_names().iter().position(|name| name == "P").unwrap();
            let got = states.amounts_of(1)[product];
            assert!((got / want - 1.0).abs() < 1e-3, "{method}, {reactions}: {got} {want}");
        }
    }
    // Rates of progress where P is -0.5 and X is 2.
    let scheme =
        drained("A = B - P : 0.1; 2P + X = Q : 1; 2P + 2X = Q : 1; 4P = Q : 1; 0.5P = Q : 1; 3P + 2X = Q : 1;");
    let states = cells(&scheme, 1, &[], &[], &of(&scheme, &[("A", 1.0), ("P", -0.5), ("X", 2.0)]));
    let mut solver = SchemeSolver::builder(&scheme).threads(1).plan().unwrap();
    let progress = solver.rates_of_progress(&states).unwrap();
    // A power below one is mirrored at zero.
    let want = [0.1, 0.5, 1.0, 0.0625, -0.5_f64.sqrt(), -0.5];
    assert!(progress.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-12), "{progress:?}");
}

/// The unit that amounts are counted in means nothing to a method: what a step may lose of the total is a part of it.
#[test]
fn kinetic_methods_take_as_many_steps_in_any_unit() {
    let scheme = scheme("#DEFVAR\nA = IGNORE; B = IGNORE; C = IGNORE;\n#EQUATIONS\nA = B : 10; B = A : 20; B = C : 1;");
    for method in ["chemeq2", "asymptotic"] {
        let steps = [1e-6, 1.0, 1e6, 1e12].map(|unit| {
            let mut states = cells(&scheme, 1, &[], &[], &[unit, 0.0, 0.0]);
            let o = options(method, 1e-3, 1e-9 * unit);
            let mut solver = SchemeSolver::builder(&scheme).options(o).threads(1).plan().unwrap();
            let report = solver.advance(&mut states, 1.0).unwrap();
            assert_eq!(report.failed, 0, "{method}, {unit:e}");
            report.steps as f64
        });
        assert!(steps.iter().all(|n| (n / steps[1] - 1.0).abs() < 0.02), "{method}: {steps:?}");
        // In an empty box there is nothing to lose.
        let mut states = cells(&scheme, 1, &[], &[], &[0.0; 3]);
        let mut solver = SchemeSolver::builder(&scheme).options(options(method, 1e-3, 1e-9)).threads(1).plan().unwrap();
        let report = solver.advance(&mut states, 1.0).unwrap();
        assert!(report.failed == 0 && report.steps < 20, "{method}: {}", report.steps);
    }
}

/// The power method begins with a vector that J takes to nothing, in an empty box: it must not stay at nothing when J is another.
#[test]
fn rkc_sees_what_becomes_stiff() {
    let scheme = scheme("#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nhv = A : 1; A + A = B : 1e7;");
    let steps = [0.0, 1e-6].map(|first| {
        let mut states = cells(&scheme, 1, &[], &[], &[first, 0.0]);
        let o = options("rkc", 1e-6, 1e-12);
        let mut solver = SchemeSolver::builder(&scheme).options(o).threads(1).plan().unwrap();
        let report = solver.advance(&mut states, 10.0).unwrap();
        assert_eq!(report.failed, 0);
        assert!((states.amounts_of(0)[0] / 5e-8_f64.sqrt() - 1.0).abs() < 1e-4);
        report.steps
    });
    assert!(steps[0] < 2 * steps[1], "{steps:?}");
}

/// What takes B decays at once, but J is that of the beginning: B would stay where it is, in increments too small to be seen.
#[test]
fn iterations_that_hardly_move_do_not_end_there() {
    let scheme = scheme("#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 7e10; A + B = A : 1.1e-4;");
    // dB/dA = -(1 - k B), with k = 1.1e-4/7e10.
    let k = 1.1e-4 / 7e10;
    let want = (1.0 - (1.0 - k * 1e6) * (-k * 1e11_f64).exp()) / k;
    for method in ["auto", "rodas5p", "radau5", "sdirk4", "backward-euler", "bdf", "ndf"] {
        for dt in [1e-3, 1.0, 1e6, 1e9] {
            for rtol in [1e-3, 1e-6] {
                let mut states = cells(&scheme, 2, &[], &[], &[1e11, 1e6]);
                let o = options(method, rtol, 1e-3);
                let mut solver = SchemeSolver::builder(&scheme).options(o).threads(1).plan().unwrap();
                assert_eq!(solver.advance(&mut states, dt).unwrap().failed, 0, "{method}, {dt} s, {rtol}");
                let got = states.amounts_of(1)[1];
                assert!((got / want - 1.0).abs() < 30.0 * rtol, "{method}, {dt} s, {rtol}: {got:e} {want:e}");
            }
        }
    }
}

#[test]
fn sources_bring_what_they_say() {
    let scheme = scheme("#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 2.0;");
    let mut states = cells(&scheme, 3, &[], &[], &[1e10, 0.0]).with_source([1e10, 3e9].repeat(3)).unwrap();
    let mut solver = SchemeSolver::builder(&scheme).options(options("auto", 1e-8, 1e-3)).threads(1).plan().unwrap();
    assert_eq!(solver.advance(&mut states, 1.5).unwrap().failed, 0);
    let a = 5e9 + 5e9 * (-3.0_f64).exp();
    let b = 1e10 + (1e10 + 3e9) * 1.5 - a;
    for (got, want) in states.amounts_of(1).iter().zip([a, b]) {
        assert!((got - want).abs() < 1e-6 * want, "{got} {want}");
    }
    assert!(cells(&scheme, 1, &[], &[], &[1.0, 1.0]).with_source(vec![0.0]).is_err());
}

/// Where the fastest reactions of hot matter balance, a step loses the rounding of their rates.
#[test]
fn nucleons_are_kept_in_balance() {
    let Some(data) = files::data() else { return };
    let fern = data.join("nuclear/fern");
    let reading = kinlane::ReadOptions { rates: Some(fern.join("rateLibrary_150.data")), ..Default::default() };
    let scheme = Scheme::load_with(fern.join("CUDAnet_150solar.inp"), &reading).unwrap();
    let amounts: Vec<f64> = scheme.model().species.iter().map(|s| s.initial).collect();
    let mass = |y: &[f64]| y.iter().zip(&scheme.model().species).map(|(y, s)| y * s.weight).sum::<f64>();
    for method in ["auto", "rodas4", "bdf"] {
        let at = Conditions {
            temperature: vec![10.0, 9.0],
            density: vec![7.4e5, 1e7],
            amounts: amounts.repeat(2),
            ..Conditions::default()
        };
        let mut states = SchemeStates::new(&scheme, at).unwrap();
        let mut solver =
            SchemeSolver::builder(&scheme).options(options(method, 1e-6, 1e-12)).threads(1).plan().unwrap();
        let report = solver.advance(&mut states, 1e3).unwrap();
        assert_eq!(report.failed, 0, "{method}");
        for cell in 0..2 {
            let lost = (mass(states.amounts_of(cell)) / mass(&amounts) - 1.0).abs();
            assert!(lost < 1e-10, "{method}: {lost:e}");
        }
    }
}

#[test]
fn a_cell_knows_nothing_of_its_neighbours() {
    let scheme = scheme(SMALL);
    let n = 50;
    let row = |i: usize| AMOUNTS.map(|x| x * (1.0 + 0.1 * i as f64));
    let batch = |order: &[usize]| {
        let at = Conditions {
            temperature: order.iter().map(|&i| 260.0 + i as f64).collect(),
            inputs: order.iter().map(|&i| 0.02 * i as f64).collect(),
            fixed: FIXED.repeat(order.len()),
            amounts: order.iter().flat_map(|&i| row(i)).collect(),
            ..Conditions::default()
        };
        SchemeStates::new(&scheme, at).unwrap()
    };
    let run = |order: &[usize], threads: usize, method: &str| {
        let mut states = batch(order);
        let mut solver =
            SchemeSolver::builder(&scheme).options(options(method, 1e-6, 1e-3)).threads(threads).plan().unwrap();
        assert_eq!(solver.advance(&mut states, 600.0).unwrap().failed, 0);
        states
    };
    let forth: Vec<usize> = (0..n).collect();
    let back: Vec<usize> = (0..n).rev().collect();
    for method in ["auto", "bdf"] {
        let (one, other) = (run(&forth, 1, method), run(&back, 3, method));
        for (i, &j) in back.iter().enumerate() {
            let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(other.amounts_of(i)), bits(one.amounts_of(j)), "{method}, cell {j}");
        }
    }
}

#[test]
fn what_is_wrong_is_named_and_touches_nothing() {
    let scheme = scheme(SMALL);
    let mut states = cells(&scheme, 3, &[f64::MAX], &FIXED, &AMOUNTS);
    let mut solver = SchemeSolver::builder(&scheme).threads(1).plan().unwrap();
    // 1e-2 SUN is finite; with the fixed species nothing overflows either.
    assert!(solver.rates(&states).is_ok());
    states = cells(&scheme, 3, &[1.0], &[f64::MAX, f64::MAX], &AMOUNTS);
    // One cell fails, and the others arrive.
    let mut mixed = states.conditions().clone();
    mixed.fixed[..2].copy_from_slice(&FIXED);
    mixed.fixed[4..].copy_from_slice(&FIXED);
    states = SchemeStates::new(&scheme, mixed).unwrap();
    assert_eq!(solver.advance(&mut states, 1.0).unwrap().failed, 1);
    assert_eq!(states.outcomes().iter().map(|o| o.status as u8).collect::<Vec<_>>(), [0, 3, 0]);
    assert!(matches!(solver.not_finite(), Some((1, label)) if label.contains("O + O2 + M")));
    assert_eq!(states.amounts_of(1), AMOUNTS);
    assert_ne!(states.amounts_of(2), AMOUNTS);
    // What is not finite is that of the last call.
    solver.constants(&states).unwrap();
    assert_eq!(solver.not_finite(), None);
    let at = Conditions { temperature: vec![298.0], ..Conditions::default() };
    assert!(SchemeStates::new(&scheme, at).unwrap_err().to_string().contains("inputs has 0 values, 1 are needed"));
    // Its budget is spent: it keeps its amounts.
    let few = Options { max_steps: 2, ..options("rodas4", 1e-10, 1e-3) };
    let mut states = cells(&scheme, 3, &[1.0], &FIXED, &AMOUNTS);
    let report =
        SchemeSolver::builder(&scheme).options(few).threads(1).plan().unwrap().advance(&mut states, 1e5).unwrap();
    assert_eq!((report.failed, states.amounts_of(2)), (3, &AMOUNTS[..]));
    assert!(states.outcomes().iter().all(|o: &Outcome| o.status == Status::TooManySteps));
    // Cells of another scheme.
    let other = self::scheme("#DEFVAR A = O; #EQUATIONS A = A + A : 1.0;");
    let at = Conditions { temperature: vec![298.0], amounts: vec![1.0], ..Conditions::default() };
    let mut foreign = SchemeStates::new(&other, at).unwrap();
    for fault in [
        solver.advance(&mut foreign, 1.0).unwrap_err(),
        solver.rates(&foreign).unwrap_err(),
        solver.constants(&foreign).unwrap_err(),
    ] {
        assert_eq!(fault.to_string(), "amounts has 1 values, 5 are needed");
    }
    assert_eq!(foreign.outcomes()[0].status, Status::Cancelled);
}

#[test]
fn nucleons_are_kept_and_abundances_reach_the_golden_ones() {
    let Some(folder) = files::golden() else { return };
    for network in ["alpha", "70"] {
        let golden = golden::json(&folder.join(format!("nuclear/fern_{network}.json")));
        let data = folder.join("..");
        let path = |key: &str| data.join(golden["data"][key].as_str().unwrap());
        let options_of_reading = kinlane::ReadOptions { rates: Some(path("reactions")), ..Default::default() };
        let scheme = Scheme::load_with(path("species"), &options_of_reading).unwrap();
        let start = golden::numbers(&golden["Y0"]);
        let rows = golden["trajectory"]["rows"].as_array().unwrap();
        let row = rows.last().unwrap();
        let (t, want) = (row["t_s"].as_f64().unwrap(), golden::numbers(&row["Y"]));
        let mass = |y: &[f64]| y.iter().zip(&scheme.model().species).map(|(y, s)| y * s.weight).sum::<f64>();
        for method in ["auto", "bdf", "radau5"] {
            let at = Conditions {
                temperature: vec![golden["trajectory"]["T9"].as_f64().unwrap(); 2],
                density: vec![golden["trajectory"]["rho"].as_f64().unwrap(); 2],
                amounts: start.repeat(2),
                ..Conditions::default()
            };
            let mut states = SchemeStates::new(&scheme, at).unwrap();
            let mut solver =
                SchemeSolver::builder(&scheme).options(options(method, 1e-8, 1e-14)).threads(1).plan().unwrap();
            assert_eq!(solver.advance(&mut states, t).unwrap().failed, 0, "{method}");
            let got = states.amounts_of(1);
            let lost = (mass(got) - mass(&start)).abs();
            assert!(lost < 1e-10, "{network}, {method}: {lost:e}");
            for (got, want) in got.iter().zip(&want).filter(|x| *x.1 > 1e-10) {
                assert!((got - want).abs() < 1e-5 * want, "{network}, {method}: {got} {want}");
            }
        }
    }
}

/// Where nuclides are in balance with others, nothing moves, however long the steps are beside the fastest time scale.
#[test]
fn asymptotic_steps_keep_the_balance_of_nuclides() {
    let Some(folder) = files::golden() else { return };
    let golden = golden::json(&folder.join("nuclear/fern_alpha.json"));
    let data = folder.join("..");
    let path = |key: &str| data.join(golden["data"][key].as_str().unwrap());
    let reading = kinlane::ReadOptions { rates: Some(path("reactions")), ..Default::default() };
    let scheme = Scheme::load_with(path("species"), &reading).unwrap();
    let row = golden["trajectory"]["rows"].as_array().unwrap().last().unwrap();
    let at = Conditions {
        temperature: vec![golden["trajectory"]["T9"].as_f64().unwrap()],
        density: vec![golden["trajectory"]["rho"].as_f64().unwrap()],
        amounts: golden::numbers(&golden["Y0"]),
        ..Conditions::default()
    };
    for (rtol, most) in [(1e-2, 5e-4), (1e-3, 5e-5)] {
        let mut states = SchemeStates::new(&scheme, at.clone()).unwrap();
        let o = Options { max_steps: 400_000, ..options("asymptotic", rtol, rtol * 1e-6) };
        let report = SchemeSolver::builder(&scheme)
            .options(o)
            .threads(1)
            .plan()
            .unwrap()
            .advance(&mut states, row["t_s"].as_f64().unwrap())
            .unwrap();
        assert_eq!(report.failed, 0, "{report:?}");
        let want = golden::numbers(&row["Y"]);
        let off =
            states.amounts_of(0).iter().zip(&want).filter(|x| *x.1 > 1e-10).map(|(y, want)| (y / want - 1.0).abs());
        let off = off.fold(0.0, f64::max);
        assert!(off < most, "{rtol:e}: {off:e}");
    }
}

/// An error that gases and schemes share speaks of neither.
#[test]
fn a_species_that_is_not_there() {
    let e = scheme(SMALL).require("N02").expect_err("no such species");
    assert_eq!(e.to_string(), "there is no species `N02`; did you mean `NO2`?");
}

/// The Brusselator, of a microsecond: modes that decay at one time grow at another. In short intervals an error may pass that dies out
/// before their end; what dies out was judged by J of a step's start, and errors were 8000 tolerances.
#[test]
fn oscillations_within_a_millisecond_are_followed() {
    let text = "
#DEFVAR
A = IGNORE; X = IGNORE; Y = IGNORE;
#EQUATIONS
A = A + X             : 1e6;
X + X + Y = X + X + X : 1e6;
X = Y                 : 5e6;
X = PROD              : 1e6;
";
    let scheme = scheme(text);
    let intervals: Vec<f64> = (0..240).map(|i| 1e-6 * (1.0 + 59.0 * f64::from(i) / 239.0)).collect();
    let ends = |method: &str, rtol: f64| {
        let cells = cells(&scheme, intervals.len(), &[], &[], &[1.0, 1.2, 3.1]);
        let mut cells = cells.with_intervals(intervals.clone()).expect("intervals");
        let wishes = options(method, rtol, 1e-8 * rtol);
        let mut solver = SchemeSolver::builder(&scheme).options(wishes).threads(1).plan().expect("a solver");
        assert_eq!(solver.advance(&mut cells, 0.0).expect("cells").failed, 0, "{method}, {rtol:e}");
        cells.amounts().to_vec()
    };
    let exact = ends("radau5", 1e-11);
    for method in ["auto", "rodas4", "rodas4p"] {
        for rtol in [1e-3, 1e-4] {
            let off =
                ends(method, rtol).iter().zip(&exact).map(|(y, exact)| (y / exact - 1.0).abs()).fold(0.0, f64::max);
            assert!(off < 1000.0 * rtol, "{method}, {rtol:e}: {off:e}");
        }
    }
}

/// What is no number stays so through every function, and powers of numbers below zero are those of Fortran.
#[test]
fn powers_and_limits_of_what_is_no_number() {
    let none = "(TEMP-300.0)**0.5";
    let constant = |rate: &str| {
        let scheme = scheme(&format!("#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : {rate};\n"));
        let states = cells(&scheme, 1, &[], &[], &[1.0, 0.0]);
        SchemeSolver::builder(&scheme).threads(1).plan().unwrap().constants(&states).unwrap()[0]
    };
    for rate in ["X", "X**1.5", "X**TEMP", "TANH(X)", "ATAN2(X, 1.0)", "TEMP**X", "ATAN2(1.0, X)", "ABS(X)**(TEMP/3)"] {
        let k = constant(&rate.replace('X', &format!("({none})")));
        assert!(k.is_nan(), "{rate}: {k}");
    }
    // TEMP is 298.
    for (rate, want) in [
        ("((TEMP-300.0)/2.0)**18", 1.0),
        ("((TEMP-300.0)/2.0)**19", -1.0),
        ("(TEMP-300.0)**(-20)", 0.5_f64.powi(20)),
        ("(TEMP-300.0)**NINT(TEMP/100.0)", -8.0),
        ("(TEMP-300.0)**NINT(TEMP/75.0)", 16.0),
        ("(TEMP-298.0)**(TEMP/100.0)", 0.0),
        ("(TEMP-298.0)**0.5", 0.0),
        ("(TEMP-296.0)**(TEMP/100.0)", 2.0_f64.powf(2.98)),
        ("TEMP**21", 298.0_f64.powi(21)),
        // What the Master Chemical Mechanism has for photolysis, at night: Z is 0.
        ("1.165D-02*Z**0.244*EXP(-0.267/Z)", 0.0),
        ("EXP(LOG(Z))", 0.0),
        ("10.0**LOG(Z)", 0.0),
        ("EXP(-1D300*TEMP)", 0.0),
        ("0.5**(1D100*TEMP)", 0.0),
        ("EXP(1/Z)", f64::INFINITY),
        ("(1/Z)**1.7", f64::INFINITY),
        ("SINH(1/Z)", f64::INFINITY),
        ("COSH(1D99*TEMP)", f64::INFINITY),
    ] {
        let k = constant(&rate.replace('Z', "(TEMP-298.0)"));
        assert!(k == want || (k - want).abs() <= 1e-14 * want.abs(), "{rate}: {k}, not {want}");
    }
}
