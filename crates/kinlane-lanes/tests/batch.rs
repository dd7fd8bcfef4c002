//! Batches as a host sees them: golden answers, refusals, cancellation.

use kinlane_lanes::{Cells, Engine, EngineError, Event, Happening, Layout, Quantity, Signals, Source, Watch};
use kinlane_plan::Plan;
use kinlane_plan::plan::MOST_OPERATIONS;
use kinlane_solve::{Options, Outcome, Reactor, Status};
use kinlane_testdata::files;
use kinlane_testdata::golden::Npz;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A batch in memory of its own.
#[derive(Clone)]
struct Owned {
    t: Vec<f64>,
    p: Vec<f64>,
    y: Vec<f64>,
    outcome: Vec<Outcome>,
}

impl Owned {
    fn new(t: Vec<f64>, p: Vec<f64>, y: Vec<f64>) -> Self {
        let outcome = vec![Outcome::default(); t.len()];
        Self { t, p, y, outcome }
    }
    fn cells(&mut self) -> Cells<'_> {
        Cells::new(&mut self.t, &mut self.p, &mut self.y, Layout::CellMajor, &mut self.outcome)
    }
    /// Number of cells that failed, and of those that were told to be stiff at a glance.
    fn advance(&mut self, engine: &mut Engine, dt: f64) -> Result<[usize; 2], EngineError> {
        engine
            .advance(self.cells(), dt, Signals { progress: &AtomicUsize::new(0), stop: &AtomicBool::new(false) })
            .map(|t| [t.failed, t.at_a_glance])
    }
}

#[test]
fn a_jacobian_that_nothing_can_factor_is_refused() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let mut plan = Plan::new(&network);
    plan.lu.operations = MOST_OPERATIONS + 1;
    let fault = Engine::new(Arc::new(plan), Options::default(), 1).unwrap_err();
    assert!(matches!(fault, EngineError::TooDense { .. }), "{fault}");
    assert!(fault.to_string().contains("5.0e8 multiply-adds, of which 5e8 are the most"), "{fault}");
}

/// Golden states of a mechanism, at most `cells` of them, spread over the file.
fn golden(name: &str, cells: usize, keys: [&str; 2]) -> Option<(Arc<Plan>, Owned, Owned)> {
    let path = files::golden()?.join(format!("combustion/{name}.npz"));
    let plan = Arc::new(Plan::new(&files::mechanism(name.trim_end_matches("_20atm"))?));
    let mut npz = Npz::open(&path);
    let [t, p, y, t1, y1] = ["T", "P", "Y", keys[0], keys[1]].map(|k| npz.array(k));
    let n = plan.species;
    let chosen: Vec<usize> = (0..t.len()).step_by((t.len() / cells).max(1)).collect();
    let pick = |a: &[f64]| chosen.iter().map(|&i| a[i]).collect::<Vec<_>>();
    let rows = |a: &[f64]| chosen.iter().flat_map(|&i| a[i * n..][..n].to_vec()).collect::<Vec<_>>();
    Some((plan, Owned::new(pick(&t), pick(&p), rows(&y)), Owned::new(pick(&t1), pick(&p), rows(&y1))))
}

#[test]
fn cells_arrive_where_cantera_says() {
    for (name, cells, keys, dt) in [
        ("h2co_burke", 504, ["T_1e-06", "Y_1e-06"], 1e-6),
        ("h2co_burke", 120, ["T_1e-04", "Y_1e-04"], 1e-4),
        ("gri30", 130, ["T_1e-06", "Y_1e-06"], 1e-6),
        ("gri30", 40, ["T_1e-04", "Y_1e-04"], 1e-4),
        ("gri30_20atm", 60, ["T_1e-06", "Y_1e-06"], 1e-6),
        ("usc_mech_ii", 40, ["T_1e-06", "Y_1e-06"], 1e-6),
        ("aramco13", 8, ["T_1e-06", "Y_1e-06"], 1e-6),
    ] {
        let Some((plan, start, end)) = golden(name, cells, keys) else { return };
        for (rtol, atol) in [(1e-8, 1e-17), (1e-5, 1e-14)] {
            let options = Options { rtol, atol, ..Options::default() };
            let mut engine = Engine::new(plan.clone(), options, 2).unwrap();
            let mut batch = start.clone();
            assert_eq!(batch.advance(&mut engine, dt).map(|[failed, _]| failed), Ok(0), "{name}");
            let t =
                batch.t.iter().zip(&end.t).map(|(a, b)| (a / b - 1.0).abs()).max_by(f64::total_cmp).unwrap_or_default();
            let y = batch
                .y
                .iter()
                .zip(&end.y)
                .map(|(a, b)| (a - b).abs() / (b.abs() + 1e-10))
                .max_by(f64::total_cmp)
                .unwrap_or_default();
            eprintln!("{name}, {dt} s at rtol {rtol:e}: T {t:e}, Y {y:e}");
            assert!(t < rtol && y < 10.0 * rtol, "{name}, {dt} s at rtol {rtol:e}: T off by {t:e}, Y by {y:e}");
        }
    }
}

#[test]
fn what_cannot_be_used_is_refused_before_any_cell_is_touched() {
    let Some((plan, start, _)) = golden("h2co_burke", 5, ["T_1e-06", "Y_1e-06"]) else { return };
    let n = plan.species;
    let mut engine = Engine::new(plan.clone(), Options::default(), 1).unwrap();
    let mut refuse = |cell: usize, change: &dyn Fn(&mut Owned, f64), bad: &[f64]| {
        for &x in bad {
            let mut batch = start.clone();
            change(&mut batch, x);
            let before = format!("{:?} {:?} {:?}", batch.t, batch.p, batch.y);
            match batch.advance(&mut engine, 1e-6) {
                Err(EngineError::Value { cell: c, value, .. }) => {
                    assert_eq!((c, value.to_bits()), (cell, x.to_bits()));
                }
                other => panic!("{x} was not refused: {other:?}"),
            }
            assert_eq!(before, format!("{:?} {:?} {:?}", batch.t, batch.p, batch.y));
        }
    };
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0];
    refuse(2, &|b, x| b.t[2] = x, &bad);
    refuse(3, &|b, x| b.p[3] = x, &bad);
    (0..n).for_each(|k| refuse(4, &|b, x| b.y[4 * n + k] = x, &bad[..3]));
    for dt in bad {
        assert!(matches!(start.clone().advance(&mut engine, dt), Err(EngineError::Interval { .. })), "dt = {dt}");
    }
    for shorten in [
        (|b: &mut Owned| b.t.truncate(1)) as fn(&mut Owned),
        |b| b.p.truncate(1),
        |b| b.y.truncate(1),
        |b| b.outcome.truncate(1),
    ] {
        let mut batch = start.clone();
        shorten(&mut batch);
        assert!(matches!(batch.advance(&mut engine, 1e-6), Err(EngineError::Length { .. })));
    }
    for options in [
        Options { method: Some("rodas9".to_owned()), ..Options::default() },
        Options { lanes: Some("abacus".to_owned()), ..Options::default() },
    ] {
        assert!(Engine::new(plan.clone(), options, 1).is_err());
    }
}

#[test]
fn what_comes_from_outside_is_refused_too() {
    let Some((plan, start, _)) = golden("h2co_burke", 5, ["T_1e-06", "Y_1e-06"]) else { return };
    let (n, cells) = (plan.species, start.t.len());
    let mut engine = Engine::new(plan.clone(), Options::default(), 1).unwrap();
    let column = |column: &str, te: &[f64], dydt: &[f64], heating: &[f64], layout: Layout, engine: &mut Engine| {
        let mut batch = start.clone();
        let mut cells = batch.cells();
        (cells.electron_temperature, cells.source) = (Some(te), Some(Source { dydt, heating }));
        cells.layout = layout;
        match engine.advance(cells, 1e-6, Signals { progress: &AtomicUsize::new(0), stop: &AtomicBool::new(false) }) {
            Err(EngineError::Value { cell: 3, column: c, .. }) => assert_eq!(c, column),
            other => panic!("{column}: {other:?}"),
        }
    };
    let (te, dydt, heating) = (vec![1e4; cells], vec![0.0; cells * n], vec![0.0; cells]);
    let with = |x: &[f64], at: usize, value: f64| {
        let mut x = x.to_vec();
        x[at] = value;
        x
    };
    for bad in [f64::NAN, 0.0, -1.0] {
        column("Te", &with(&te, 3, bad), &dydt, &heating, Layout::CellMajor, &mut engine);
    }
    let k = n - 1;
    let name = format!("source of Y[{k}]");
    column(&name, &te, &with(&dydt, 3 * n + k, f64::NAN), &heating, Layout::CellMajor, &mut engine);
    column(&name, &te, &with(&dydt, k * cells + 3, f64::INFINITY), &heating, Layout::SpeciesMajor, &mut engine);
    column("heating", &te, &dydt, &with(&heating, 3, f64::NAN), Layout::CellMajor, &mut engine);

    let options = Options { watched: true, ..Options::default() };
    let mut engine = Engine::new(plan.clone(), options, 1).unwrap();
    let mut looked = |times: &[f64], quantity: Quantity, happening: Happening, dt: f64| {
        let mut batch = start.clone();
        let events = [Event { quantity, happening }];
        let (mut series, mut found) = (vec![0.0; cells * times.len() * (n + 2)], vec![0.0; cells]);
        let mut watch = Watch { times, series: &mut series, events: &events, found: &mut found };
        let (progress, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        engine
            .advance_watched(batch.cells(), &mut watch, None, dt, Signals { progress: &progress, stop: &stop })
            .map(|t| t.failed)
    };
    let levels = [f64::NAN, f64::INFINITY].map(Happening::Crossing);
    let rises = [f64::NAN, 0.0, -5.0].map(Happening::Rise);
    let parts = [f64::NAN, 0.0, 1.0].map(Happening::RiseSlowed);
    for happening in levels.into_iter().chain(rises).chain(parts) {
        let fault = looked(&[], Quantity::Temperature, happening, 1e-6);
        assert!(matches!(fault, Err(EngineError::Level { event: 0, .. })), "{happening:?}: {fault:?}");
    }
    for dt in [f64::NAN, 0.0, -1.0] {
        let fault = looked(&[0.0], Quantity::Temperature, Happening::Maximum, dt);
        assert!(matches!(fault, Err(EngineError::Interval { .. })), "{dt}: {fault:?}");
    }
    let mut watched = |times: &[f64], quantity: Quantity| looked(times, quantity, Happening::Maximum, 1e-6);
    assert_eq!(watched(&[0.0, 5e-7, 1e-6], Quantity::MassFraction(0)), Ok(0));
    for times in [[1e-7, 0.0, 1e-6], [0.0, 5e-7, 2e-6], [-1e-9, 0.0, 1e-6], [0.0, f64::NAN, 1e-6]] {
        let fault = watched(&times, Quantity::Temperature);
        assert!(matches!(fault, Err(EngineError::Time { .. })), "{times:?}: {fault:?}");
    }
    let fault = watched(&[], Quantity::Concentration(n));
    assert_eq!(fault, Err(EngineError::Species { event: 0, wanted: n, species: n }));
}

#[test]
fn no_cells_are_no_work() {
    let Some((plan, ..)) = golden("h2co_burke", 5, ["T_1e-06", "Y_1e-06"]) else { return };
    let mut engine = Engine::new(plan, Options::default(), 3).unwrap();
    assert_eq!(Owned::new(vec![], vec![], vec![]).advance(&mut engine, 1.0), Ok([0, 0]));
}

#[test]
fn a_stopped_batch_keeps_the_entry_states_of_what_it_did_not_finish() {
    let Some((plan, start, _)) = golden("h2co_burke", 504, ["T_1e-06", "Y_1e-06"]) else { return };
    let n = plan.species;
    for method in [None, Some("auto".to_owned())] {
        let auto = method.is_some();
        let mut engine = Engine::new(plan.clone(), Options { method, ..Options::default() }, 2).unwrap();
        let mut batch = start.clone();
        let (progress, stop) = (AtomicUsize::new(0), AtomicBool::new(true));
        let totals = engine.advance(batch.cells(), 1e-4, Signals { progress: &progress, stop: &stop }).unwrap();
        let cancelled = batch.outcome.iter().filter(|o| o.status == Status::Cancelled).count();
        assert!(cancelled > 0 && totals.failed == cancelled, "{cancelled} cancelled, {} failed", totals.failed);
        assert!(!auto || cancelled == 504, "cells are not looked at once nobody wants them: {cancelled}");
        for (i, o) in batch.outcome.iter().enumerate() {
            if o.status == Status::Cancelled {
                assert_eq!(batch.t[i], start.t[i]);
                assert_eq!(batch.y[i * n..][..n], start.y[i * n..][..n]);
            }
        }
    }
}

#[test]
fn a_spent_budget_is_said_so_and_other_cells_go_on() {
    let Some((plan, start, _)) = golden("h2co_burke", 100, ["T_1e-06", "Y_1e-06"]) else { return };
    let n = plan.species;
    let options = Options { max_steps: 12, ..Options::default() };
    let mut engine = Engine::new(plan, options, 1).unwrap();
    let mut batch = start.clone();
    let [failed, _] = batch.advance(&mut engine, 1e-4).unwrap();
    assert!(failed > 0 && failed < start.t.len(), "{failed}");
    for (i, o) in batch.outcome.iter().enumerate() {
        match o.status {
            Status::Done => assert!(o.cost.steps + o.cost.rejected <= 12 && o.t == 1e-4),
            Status::TooManySteps => {
                assert_eq!(o.cost.steps + o.cost.rejected, 12);
                assert_eq!((batch.t[i], &batch.y[i * n..][..n]), (start.t[i], &start.y[i * n..][..n]));
            }
            other => panic!("cell {i}: {other:?}"),
        }
    }
}

/// Explodes, and comes to an equilibrium with time scales of 1e-15 s: an explicit step is no part of the time any more.
const EXPLOSIVE: &str = "\
phases: [{name: g, thermo: ideal-gas, kinetics: gas}]
species:
- {name: A, composition: {N: 2}, thermo: {model: constant-cp, T0: 298.15 K, h0: 60 kJ/mol, s0: 200 J/mol/K, cp0: 30 J/mol/K}}
- {name: B, composition: {N: 2}, thermo: {model: constant-cp, T0: 298.15 K, h0: 0, s0: 200 J/mol/K, cp0: 30 J/mol/K}}
reactions:
- {equation: A <=> B, rate-constant: {A: 1e24 1/s, b: 0, Ea: 60000 K}}
";

/// The second rung of the failure ladder, for cells of a batch.
#[test]
fn cells_that_the_lanes_lose_are_rescued_and_harm_no_other() {
    let network = kinlane_mech::cantera::read_str(EXPLOSIVE.to_owned(), Path::new("made_up.yaml"), None, &[]).unwrap();
    let plan = Arc::new(Plan::new(&network));
    let t: Vec<f64> = (0..20).map(|i| if i % 5 == 3 { 1000.0 + f64::from(i) } else { 500.0 }).collect();
    let start = Owned::new(t, vec![1e5; 20], [1.0, 0.0].repeat(20));
    let run = |method: &str, watched: bool| {
        // Else those that are watched would begin with a small step.
        let first_step = Some(100.0);
        let options =
            Options { method: Some(method.to_owned()), rtol: 1e-4, watched, first_step, ..Options::default() };
        let mut engine = Engine::new(plan.clone(), options, 1).unwrap();
        let mut batch = start.clone();
        let (progress, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        if watched {
            let mut watch = Watch { times: &[], series: &mut [], events: &[], found: &mut [] };
            engine
                .advance_watched(batch.cells(), &mut watch, None, 100.0, Signals { progress: &progress, stop: &stop })
                .unwrap();
        } else {
            engine.advance(batch.cells(), 100.0, Signals { progress: &progress, stop: &stop }).unwrap();
        }
        batch
    };
    let (stiff, lost, got) = (run("rodas5p", false), run("heun", true), run("heun", false));
    for i in 0..20 {
        let (lost, outcome) = (lost.outcome[i], got.outcome[i]);
        assert_eq!((outcome.status, outcome.t), (Status::Done, 100.0), "cell {i}");
        if i % 5 == 3 {
            // Who is watched does without the upper rungs, and shows what the lanes come to: Heun's method factors nothing.
            assert_eq!((lost.status, lost.cost.factor), (Status::StepTooSmall, 0), "cell {i}: {lost:?}");
            let alone = (outcome.cost.steps + outcome.cost.rejected) - (lost.cost.steps + lost.cost.rejected);
            assert!(alone > 0 && outcome.cost.factor > 0, "cell {i}: {outcome:?} after {lost:?}");
            // What was A and is B has given 60 kJ/mol to 30 J/mol/K, and both are in equilibrium, at 1e15/s: then energy is
            // kept to 1e-6 of cp T, here to 1e-7.
            let (t, a, b) = (got.t[i], got.y[2 * i], got.y[2 * i + 1]);
            let off = t - start.t[i] - 2000.0 * b;
            assert!(off.abs() < 1e-7 * t, "cell {i}: {t} K, off by {off} K");
            let constant = (60e3 / (8.314_462_618 * t)).exp();
            assert!((b / a - constant).abs() < 1e-5 * constant, "cell {i}: {b} over {a} at {t} K is not {constant}");
        } else {
            assert_eq!(outcome, lost, "cell {i}");
        }
        let (t, y) = (got.t[i] - stiff.t[i], got.y[2 * i] - stiff.y[2 * i]);
        // At rest both are far within the tolerance.
        assert!(t.abs() < 1e-6 * stiff.t[i] && y.abs() < 1e-6, "cell {i}: {t} K, {y}");
    }
}

/// A host that repeats cancelled cells must not give those up.
#[test]
fn cells_that_are_stopped_on_the_ladder_are_cancelled() {
    let network = kinlane_mech::cantera::read_str(EXPLOSIVE.to_owned(), Path::new("made_up.yaml"), None, &[]).unwrap();
    let plan = Arc::new(Plan::new(&network));
    // On the lanes they are lost at once; nearly all of the time is spent on the ladder.
    let options =
        Options { method: Some("heun".to_owned()), rtol: 1e-4, first_step: Some(100.0), ..Options::default() };
    let mut engine = Engine::new(plan, options, 1).unwrap();
    let mut batch = Owned::new(vec![1000.0; 2000], vec![1e5; 2000], [1.0, 0.0].repeat(2000));
    let (progress, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while progress.load(Ordering::Relaxed) == 0 {
                std::thread::yield_now();
            }
            stop.store(true, Ordering::Relaxed);
        });
        engine.advance(batch.cells(), 100.0, Signals { progress: &progress, stop: &stop }).unwrap();
    });
    let of = |status| batch.outcome.iter().filter(|o| o.status == status).count();
    let (done, cancelled) = (of(Status::Done), of(Status::Cancelled));
    assert!(done > 0 && cancelled > 0 && done + cancelled == 2000, "{done} done, {cancelled} cancelled");
    assert_eq!(progress.load(Ordering::Relaxed), done);
}

/// Cells of a large batch are told apart at a glance where one reaction shows that they are stiff; in a small one, at
/// length. Fresh and cold gas between the states of ignitions makes some of them calm and some mild.
#[test]
fn stiff_at_a_glance_is_stiff_at_length() {
    for (name, times) in [("gri30", [1e-8, 1e-6, 2e-3]), ("h2co_burke", [1e-8, 1e-7, 1e-6])] {
        let Some((plan, start, _)) = golden(name, 252, ["T_1e-06", "Y_1e-06"]) else { return };
        let (n, few) = (plan.species, 252);
        let mut cells = Owned::new(start.t[..few].to_vec(), start.p[..few].to_vec(), start.y[..few * n].to_vec());
        cells.t.iter_mut().step_by(7).for_each(|t| *t = 300.0);
        for dt in times {
            for reactor in [Reactor::ConstP, Reactor::ConstV] {
                let method = Some("auto".to_owned());
                let options =
                    Options { rtol: 1e-4, atol: 1e-10, method, reactor, max_steps: 400, ..Options::default() };
                let mut engine = Engine::new(Arc::clone(&plan), options, 1).expect("an engine");
                let mut small = cells.clone();
                let [_, of_small] = small.advance(&mut engine, dt).expect("a good batch");
                let again = |a: &[f64]| a.repeat(6);
                let mut large = Owned::new(again(&cells.t), again(&cells.p), again(&cells.y));
                let [_, of_large] = large.advance(&mut engine, dt).expect("a good batch");
                // Of 1512 cells the last 512 are told apart at length.
                assert!(
                    of_small == 0 && of_large <= 1000 && (dt < 1e-6 || of_large > 100),
                    "{name}, {dt} s: {of_large}"
                );
                for i in 0..large.t.len() {
                    let bits = |o: &Owned, i: usize| -> Vec<u64> {
                        let y = &o.y[i * n..(i + 1) * n];
                        y.iter().chain([&o.t[i], &o.p[i]]).map(|x| x.to_bits()).collect()
                    };
                    assert_eq!(bits(&large, i), bits(&small, i % few), "{name}, {dt} s, cell {i}");
                    assert_eq!(large.outcome[i], small.outcome[i % few], "{name}, {dt} s, cell {i}");
                }
            }
        }
    }
}
