//! Every method on states along ignitions, against golden answers.

use kinlane::{Advance, Mechanism, PlanError, ReadOptions, States};
use kinlane_testdata::files;
use kinlane_testdata::golden::Npz;

/// Tolerances, and the interval that the golden answers have [s].
const RTOL: f64 = 1e-4;
const ATOL: f64 = 1e-10;
const DT: f64 = 1e-6;

#[test]
fn answers_are_within_ten_tolerances() {
    let Some(golden) = files::golden() else { return };
    let mut wrong = Vec::new();
    for (name, stride) in [("h2co_burke", 4), ("gri30", 8)] {
        let path = files::data().unwrap().join(format!("combustion/{name}/{name}.yaml"));
        let mechanism = Mechanism::open(&path, &ReadOptions::default()).unwrap();
        let mut file = Npz::open(&golden.join(format!("combustion/{name}.npz")));
        let [t, p, y, t1, y1] = ["T", "P", "Y", "T_1e-06", "Y_1e-06"].map(|key| file.array(key));
        let k = mechanism.species_count();
        let some: Vec<usize> = (0..t.len()).step_by(stride).collect();
        let pick = |x: &[f64]| some.iter().map(|&i| x[i % x.len()]).collect::<Vec<f64>>();
        let rows = |x: &[f64]| some.iter().flat_map(|&i| x[i * k..(i + 1) * k].to_vec()).collect::<Vec<f64>>();
        let (want_t, want_y) = (pick(&t1), rows(&y1));
        for method in kinlane::methods() {
            if method.fixed {
                continue; // has no tolerance
            }
            let mut states = States::new(&mechanism, pick(&t), pick(&p), rows(&y)).unwrap();
            let mut solver = Advance::builder(&mechanism).method(method.name).rtol(RTOL).atol(ATOL).plan().unwrap();
            let report = solver.advance_states(&mut states, DT).unwrap();
            assert_eq!(report.failed, 0, "{name}, {}", method.name);
            let scaled = |got: f64, want: f64, atol: f64| (got - want).abs() / (atol + RTOL * want.abs());
            let worst_t = states.temperature().iter().zip(&want_t).map(|(a, b)| scaled(*a, *b, 0.0));
            let worst_y = states.y().iter().zip(&want_y).map(|(a, b)| scaled(*a, *b, ATOL));
            let worst = worst_t.chain(worst_y).max_by(f64::total_cmp).unwrap_or_default();
            eprintln!("{name} {}: {worst:.1} tolerances", method.name);
            let most = match method.family {
                _ if method.order == 1 => 1000.0, // errors of the first order add up over very many steps
                "multistep" => 40.0,              // and of these over many, as CVODE's own do
                _ => 10.0,
            };
            if worst.is_nan() || worst > most {
                wrong.push(format!("{name}, {}: off by {worst:.1} tolerances", method.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A method without an estimate of its errors takes no length for granted.
#[test]
fn a_fixed_step_must_be_said() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let plan = || Advance::builder(&mechanism).method("rk4").threads(1);
    let refused = plan().plan().unwrap_err();
    assert!(matches!(refused, PlanError::NoStep { method: "rk4" }), "{refused}");
    assert!(refused.to_string().contains("first-step"), "{refused}");
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("AR", 5.0)]).unwrap();
    let mut cell = States::new(&mechanism, vec![1000.0], vec![1e5], y).unwrap();
    let report = plan().first_step(1e-8).plan().unwrap().advance_states(&mut cell, 1e-6).unwrap();
    assert_eq!((report.failed, report.steps), (0, 100));
}
