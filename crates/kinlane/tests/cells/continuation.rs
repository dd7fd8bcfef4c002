//! Cells that go on where the last call left them.

use kinlane::{Advance, BatchError, Cells, Layout, Mechanism, Outcome, States, Status};
use std::sync::atomic::{AtomicBool, Ordering};

/// Hydrogen and air from cold to igniting.
fn states(mechanism: &Mechanism) -> States {
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let t: Vec<f64> = (0..24).map(|i| 700.0 + 50.0 * f64::from(i)).collect();
    let n = t.len();
    States::new(mechanism, t, vec![101_325.0; n], y.repeat(n)).unwrap()
}

fn bits(s: &States) -> Vec<u64> {
    s.temperature().iter().chain(s.y()).map(|x| x.to_bits()).collect()
}

#[test]
fn calls_that_go_on_give_the_bits_of_one() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    for (method, stability) in kinlane::methods().map(|m| (m.name, m.stability)) {
        let dt = if stability == "explicit" { 1e-7 } else { 4e-5 };
        let loose = ["rkc", "exp4", "exprb43", "chemeq2", "asymptotic", "heun", "backward-euler", "ros2", "rang3"]
            .contains(&method);
        let rtol = if loose { 1e-4 } else { 1e-6 };
        let plan = || {
            let plan = Advance::builder(&mechanism).method(method).rtol(rtol).atol(rtol * 1e-6).threads(2);
            if method == "rk4" { plan.first_step(1e-9) } else { plan }.plan().unwrap()
        };
        let (mut whole, mut solver) = (states(&mechanism), plan());
        let mut continuation = solver.continuation(whole.len());
        let once = solver.advance_continuing(whole.cells_mut(), &mut continuation, dt).unwrap();
        assert_eq!(once.failed, 0, "{method}");

        let (mut cut, mut solver) = (states(&mechanism), plan());
        let mut continuation = solver.continuation(cut.len());
        let mut steps = 0;
        for _ in 0..4 {
            // As through files, into another solver. A reader scales mass fractions to sum to one.
            let [t, p, y] = [cut.temperature(), cut.pressure(), cut.y()].map(<[f64]>::to_vec);
            cut = States::new(&mechanism, t, p, y).unwrap();
            let kept = continuation.save();
            solver = plan();
            continuation = solver.continuation(cut.len());
            continuation.load(&kept).unwrap();
            steps += solver.advance_continuing(cut.cells_mut(), &mut continuation, dt / 4.0).unwrap().steps;
        }
        assert_eq!(bits(&cut), bits(&whole), "{method}");
        // Every call ends with a shorter step of its own.
        assert!(steps <= once.steps + 4 * 24 * 6, "{method}: {steps} steps, not {}", once.steps);

        // What the caller did not change goes on; what it did change begins anew, and is not what it was.
        cut.cells_mut().temperature[5] += 1e-3;
        solver.advance_continuing(cut.cells_mut(), &mut continuation, dt).unwrap();
        let mut more = solver.continuation(whole.len());
        more.load(&{
            let mut fresh = plan();
            let mut states = states(&mechanism);
            let mut m = fresh.continuation(states.len());
            fresh.advance_continuing(states.cells_mut(), &mut m, dt).unwrap();
            m.save()
        })
        .unwrap();
        solver.advance_continuing(whole.cells_mut(), &mut more, dt).unwrap();
        for (i, (a, b)) in cut.temperature().iter().zip(whole.temperature()).enumerate() {
            assert_eq!(a.to_bits() == b.to_bits(), i != 5, "{method}, cell {i}: {a} and {b}");
        }
    }
}

/// What is kept of a cell is its own, to the last number: restart files of equal runs are equal, whatever their threads and the
/// order of their cells.
#[test]
fn what_is_kept_of_a_cell_depends_on_nothing_but_the_cell() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    for (method, stability) in kinlane::methods().map(|m| (m.name, m.stability)) {
        let dt = if stability == "explicit" { 1e-8 } else { 1e-5 };
        let kept = |order: &[usize], threads| {
            let plan = Advance::builder(&mechanism).method(method).rtol(1e-4).threads(threads);
            let mut solver = if method == "rk4" { plan.first_step(1e-9) } else { plan }.plan().unwrap();
            let all = states(&mechanism);
            let (t, p) = order.iter().map(|&i| (all.temperature()[i], all.pressure()[i])).unzip();
            let y = order.iter().flat_map(|&i| all.y_of(i).to_vec()).collect();
            let mut cells = States::new(&mechanism, t, p, y).unwrap();
            let mut continuation = solver.continuation(cells.len());
            // The first call ends before the first step, the last within many.
            for part in [1e-5, 0.2, 0.8] {
                solver.advance_continuing(cells.cells_mut(), &mut continuation, part * dt).unwrap();
            }
            let numbers: Vec<u64> = continuation.save().into_iter().map(f64::to_bits).collect();
            let width = numbers.len() / order.len();
            let mut records: Vec<_> = order.iter().copied().zip(numbers.chunks(width).map(<[u64]>::to_vec)).collect();
            records.sort();
            records
        };
        let forward: Vec<usize> = (0..24).collect();
        let backward: Vec<usize> = (0..24).rev().collect();
        let (one, other) = (kept(&forward, 1), kept(&backward, 2));
        for ((cell, a), (_, b)) in one.iter().zip(&other) {
            let differ: Vec<usize> = (0..a.len()).filter(|&i| a[i] != b[i]).collect();
            assert!(differ.is_empty(), "{method}, cell {cell}: {} of {} numbers, {differ:?}", differ.len(), a.len());
        }
    }
}

#[test]
fn a_continuation_is_for_its_cells_and_method() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let mut solver = Advance::builder(&mechanism).threads(1).plan().unwrap();
    let mut states = states(&mechanism);
    let mut few = solver.continuation(3);
    let fault = solver.advance_continuing(states.cells_mut(), &mut few, 1e-6).unwrap_err();
    assert!(fault.to_string().contains("continuation"), "{fault}");
    let mut other = Advance::builder(&mechanism).method("bdf").threads(1).plan().unwrap().continuation(states.len());
    let fault = solver.advance_continuing(states.cells_mut(), &mut other, 1e-6).unwrap_err();
    assert!(fault.to_string().contains("continuation"), "{fault}");
}

/// Clock and factors of another solver mean something else.
#[test]
fn a_continuation_of_another_solver_is_refused() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let plan = |method: &str, rtol: f64| Advance::builder(&mechanism).method(method).rtol(rtol).plan().unwrap();
    let mut continuation = plan("bdf", 1e-6).continuation(24);
    let before = states(&mechanism);
    for (method, rtol, goes_on) in [("bdf", 1e-6, true), ("ndf", 1e-6, false), ("bdf", 1e-5, false)] {
        let mut cells = states(&mechanism);
        let got = plan(method, rtol).advance_continuing(cells.cells_mut(), &mut continuation, 1e-6);
        assert_eq!(got.is_ok(), goes_on, "{method}, {rtol:e}");
        if !goes_on {
            assert_eq!(got.unwrap_err(), BatchError::ForeignContinuation);
            assert_eq!(bits(&cells), bits(&before), "touched");
        }
    }
}

/// Mechanisms that differ in one number are two, whatever law it belongs to.
#[test]
fn a_continuation_of_another_mechanism_is_refused() {
    let with = |a: &str, more: &str| {
        let thermo = "thermo: {model: constant-cp, h0: 0, s0: 0, cp0: 30}";
        let text = format!(
            "units: {{length: m, quantity: mol, activation-energy: J/mol}}\n\
             phases: [{{name: g, thermo: ideal-gas, kinetics: gas, species: [A, B]}}]\n\
             species:\n- {{name: A, composition: {{N: 1}}, {thermo}}}\n- {{name: B, composition: {{N: 1}}, {thermo}}}\n\
             reactions:\n- equation: A => B\n  {more}{a}\n"
        );
        let mechanism = Mechanism::from_text("m.yaml", &text, None).unwrap();
        let mut solver = Advance::builder(&mechanism).method("bdf").threads(1).plan().unwrap();
        let (mut t, mut p, mut y, mut outcome) = ([1000.0], [1e5], [0.5, 0.5], [Outcome::default()]);
        let mut made = solver.continuation(1);
        let cells = Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome);
        solver.advance_continuing(cells, &mut made, 1e-6).unwrap();
        (made, solver)
    };
    let rate = |a: &str| format!("{{A: {a}, b: 0, Ea: 0}}");
    let laws = [
        ("plain", "rate-constant: ".to_owned(), rate("1e3"), rate("2e3")),
        ("order", "orders: {A: 1.3}\n  rate-constant: ".to_owned(), rate("1e3"), rate("2e3")),
        (
            "plog",
            format!(
                "type: pressure-dependent-Arrhenius\n  rate-constants:\n  - {{P: 1 atm, A: {}, b: 0, Ea: 0}}\n",
                "1e3"
            ),
            "  - {P: 9 atm, A: 1e3, b: 0, Ea: 0}".to_owned(),
            "  - {P: 9 atm, A: 1e3, b: 0.1, Ea: 0}".to_owned(),
        ),
        (
            "chebyshev",
            "type: Chebyshev\n  pressure-range: [0.1 atm, 10 atm]\n  data: [[3, 0.1], [0.2, 0.1]]\n  ".to_owned(),
            "temperature-range: [300, 2000]".to_owned(),
            "temperature-range: [300, 2001]".to_owned(),
        ),
    ];
    for (law, more, first, second) in laws {
        let [(made, _), (_, mut same), (_, mut other)] = [&first, &first, &second].map(|number| with(number, &more));
        let go_on = |solver: &mut Advance| {
            let (mut t, mut p, mut y, mut outcome) = ([1000.0], [1e5], [0.5, 0.5], [Outcome::default()]);
            let cells = Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome);
            solver.advance_continuing(cells, &mut made.clone(), 1e-6).map(drop)
        };
        assert_eq!(go_on(&mut same), Ok(()), "{law}");
        assert_eq!(go_on(&mut other), Err(BatchError::ForeignContinuation), "{law}");
    }
}

/// What acted on a cell is not in its record, so the last step of such a call cannot be taken again.
#[test]
fn a_call_after_one_with_a_source_begins_anew() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let n = states(&mechanism).len();
    let (dydt, heating) = (vec![0.0; n * mechanism.species_count()], vec![5e10; n]);
    let dt = 2e-6;
    for method in ["auto", "bdf", "radau5", "rodas4"] {
        let mut solver = Advance::builder(&mechanism).method(method).rtol(1e-8).atol(1e-14).plan().unwrap();
        let mut goes_on = states(&mechanism);
        let mut continuation = solver.continuation(n);
        let mut lit = goes_on.cells_mut();
        lit.source = Some(kinlane::Source { dydt: &dydt, heating: &heating });
        solver.advance_continuing(lit, &mut continuation, dt).unwrap();
        let mut fresh = goes_on.clone();
        solver.advance_continuing(goes_on.cells_mut(), &mut continuation, dt).unwrap();
        let mut nothing = solver.continuation(n);
        solver.advance_continuing(fresh.cells_mut(), &mut nothing, dt).unwrap();
        for (cell, (a, b)) in goes_on.temperature().iter().zip(fresh.temperature()).enumerate() {
            assert!((a - b).abs() < 1e-4 * b, "{method}, cell {cell}: {a} and {b} K");
        }
    }
}

#[test]
fn a_continuation_that_was_damaged_is_refused() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let mut solver = Advance::builder(&mechanism).plan().unwrap();
    let mut states = states(&mechanism);
    let mut continuation = solver.continuation(states.len());
    let fresh = continuation.save();
    solver.advance_continuing(states.cells_mut(), &mut continuation, 1e-6).unwrap();
    let numbers = continuation.save();
    for at in [0, 1, 2, 3, 7, 5 * continuation.width() + 20, numbers.len() - 1] {
        for change in [|x: f64| -x - 1.0, |x: f64| x * 1.001 + 1e-9, |_| f64::NAN] {
            let mut damaged = numbers.clone();
            damaged[at] = change(damaged[at]);
            let cell = at / continuation.width();
            assert_eq!(continuation.load(&damaged), Err(kinlane::EngineError::DamagedContinuation { cell }), "{at}");
        }
    }
    assert_eq!(continuation.save(), numbers, "changed");
    assert!(continuation.load(&numbers[1..]).is_err());
    continuation.load(&numbers).unwrap();
    continuation.load(&fresh).unwrap();
}

/// A cell that was on its way when the call was cancelled is as it was, and so is what it keeps.
#[test]
fn a_cancelled_call_leaves_what_cells_keep() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let plan = || Advance::builder(&mechanism).method("bdf").rtol(1e-6).threads(1).plan().unwrap();
    let mut solver = plan();
    let (mut states, dt) = (states(&mechanism), 2e-5);
    let mut continuation = solver.continuation(states.len());
    solver.advance_continuing(states.cells_mut(), &mut continuation, dt).unwrap();
    let mut undisturbed = states.clone();
    let mut same = solver.continuation(states.len());
    same.load(&continuation.save()).unwrap();
    solver.advance_continuing(undisturbed.cells_mut(), &mut same, dt).unwrap();
    let (stop, progress) = (solver.stop_flag(), solver.progress());
    let mut cancelled = Vec::new();
    while cancelled.is_empty() {
        let mut cells = states.clone();
        let mut kept = solver.continuation(states.len());
        kept.load(&continuation.save()).unwrap();
        let ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while progress.load(Ordering::Relaxed) < 2 && !ended.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
                stop.store(true, Ordering::Relaxed);
            });
            solver.advance_continuing(cells.cells_mut(), &mut kept, dt).unwrap();
            ended.store(true, Ordering::Relaxed);
        });
        stop.store(false, Ordering::Relaxed);
        cancelled = cells.failures().filter(|f| f.1.status == Status::Cancelled).map(|f| f.0).collect();
        if !cancelled.is_empty() {
            assert!(cancelled.iter().all(|&i| cells.temperature()[i] == states.temperature()[i]));
            solver.advance_continuing(cells.cells_mut(), &mut kept, dt).unwrap();
            for &i in &cancelled {
                let (a, b) = (cells.temperature()[i], undisturbed.temperature()[i]);
                assert_eq!(a.to_bits(), b.to_bits(), "cell {i}: {a} and {b} K");
            }
        }
        progress.store(0, Ordering::Relaxed);
    }
}
