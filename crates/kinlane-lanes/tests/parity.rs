//! The lanes against the scalar machine, bit by bit, and a cell's independence of everything around it.

use kinlane_lanes::{Cells, Engine, Layout, Points, Signals, Source, available};
use kinlane_plan::Plan;
use kinlane_solve::methods::method::ALL;
use kinlane_solve::{Options, Outcome, Reactor, Status};
use kinlane_testdata::batch::{Outside, advance};
use kinlane_testdata::random::{mixtures, random_states};
use kinlane_testdata::{Bounded, Oracle, Random, State, files};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// Widths whose bits must be those of the scalar machine; `portable` may round products and sums apart.
fn exact_widths() -> Vec<String> {
    let widths: Vec<String> =
        available().iter().map(ToString::to_string).filter(|w| !w.starts_with("portable")).collect();
    if widths.is_empty() {
        assert!(std::env::var_os("CI").is_none(), "no registers that fuse multiply-adds: nothing would be compared");
        println!("skipped: no registers that fuse multiply-adds");
    }
    widths
}

/// What comes from outside, for every cell, cell-major.
#[derive(Clone, Default)]
struct Sources {
    dydt: Vec<f64>,
    heating: Vec<f64>,
}

fn flat(states: &[State], layout: Layout) -> Vec<f64> {
    transposed(&states.iter().flat_map(|s| s.y.clone()).collect::<Vec<_>>(), states.len(), layout)
}

/// Cell-major numbers in a layout.
fn transposed(y: &[f64], cells: usize, layout: Layout) -> Vec<f64> {
    let n = y.len() / cells;
    match layout {
        Layout::CellMajor => y.to_vec(),
        Layout::SpeciesMajor => (0..n).flat_map(|k| (0..cells).map(move |c| y[c * n + k])).collect(),
    }
}

#[allow(clippy::too_many_arguments, reason = "each is one thing that must not matter")]
fn run(
    plan: &Arc<Plan>,
    options: &Options,
    threads: usize,
    states: &[State],
    dt: f64,
    layout: Layout,
    sources: Option<&Sources>,
    electron: Option<&[f64]>,
) -> Vec<(State, Outcome)> {
    let mut engine = Engine::new(plan.clone(), options.clone(), threads).unwrap();
    let cells = states.len();
    let mut t: Vec<f64> = states.iter().map(|s| s.t).collect();
    let mut p: Vec<f64> = states.iter().map(|s| s.p).collect();
    let mut y = flat(states, layout);
    let mut outcome = vec![Outcome::default(); cells];
    let dydt = sources.map(|s| transposed(&s.dydt, cells, layout));
    let mut batch = Cells::new(&mut t, &mut p, &mut y, layout, &mut outcome);
    batch.electron_temperature = electron;
    batch.source = sources.zip(dydt.as_ref()).map(|(s, dydt)| Source { dydt, heating: &s.heating });
    let (progress, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let totals = engine.advance(batch, dt, Signals { progress: &progress, stop: &stop }).unwrap();
    assert_eq!(progress.into_inner(), cells);
    assert_eq!(totals.failed, outcome.iter().filter(|o| o.status != Status::Done).count());
    let n = plan.species;
    let at = |c: usize, k: usize| if layout == Layout::CellMajor { y[c * n + k] } else { y[k * cells + c] };
    (0..cells).map(|c| (State { t: t[c], p: p[c], y: (0..n).map(|k| at(c, k)).collect() }, outcome[c])).collect()
}

fn bits(s: &State) -> Vec<u64> {
    s.y.iter().chain([&s.t, &s.p]).map(|x| x.to_bits()).collect()
}

fn same(what: &str, a: &[(State, Outcome)], b: &[(State, Outcome)]) {
    assert_eq!(a.len(), b.len());
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        assert_eq!(a.1, b.1, "{what}: outcome of cell {i}");
        assert_eq!(bits(&a.0), bits(&b.0), "{what}: cell {i}: {:?} and {:?}", a.0, b.0);
    }
}

#[test]
fn production_rates_of_every_law_have_the_same_bits() {
    let mut networks = files::rate_types();
    for name in ["h2co_burke", "gri30", "nh3_alzueta_lmrr", "h2_oconaire_v1b_rev", "aramco13", "jetsurf2"] {
        let Some(network) = files::mechanism(name) else { return };
        networks.push((name.to_owned(), network));
    }
    let widths = exact_widths();
    for (name, network) in &networks {
        let plan = Arc::new(Plan::new(network));
        let n = plan.species;
        let states = random_states(network, 19, 5);
        let t: Vec<f64> = states.iter().map(|s| s.t).collect();
        let p: Vec<f64> = states.iter().map(|s| s.p).collect();
        let y = flat(&states, Layout::CellMajor);
        let rates = |lanes: &str, threads: usize| {
            let options = Options { lanes: Some(lanes.to_owned()), ..Options::default() };
            let mut wdot = vec![0.0; y.len()];
            let mut jac = vec![0.0; if n <= 60 { states.len() * (n + 1) * (n + 1) } else { 0 }];
            let mut engine = Engine::new(plan.clone(), options, threads).unwrap();
            engine.rates(Points::new(&t, &p, &y, Layout::CellMajor), &mut wdot, None).unwrap();
            if n <= 60 {
                let before = wdot.clone();
                engine.rates(Points::new(&t, &p, &y, Layout::CellMajor), &mut wdot, Some(&mut jac)).unwrap();
                for (a, b) in before.iter().zip(&wdot) {
                    assert!(
                        a.to_bits() == b.to_bits() || a.is_nan() || b.is_nan(),
                        "{name}: rates with derivatives are {b:e}, without {a:e}"
                    );
                }
            }
            (wdot, jac)
        };
        let mut first: Option<Vec<u64>> = None;
        for lanes in &widths {
            let (wdot, jac) = rates(lanes, 2);
            for (c, s) in states.iter().enumerate() {
                let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
                o.load_state(s);
                for (k, want) in o.production().into_iter().enumerate() {
                    let got = wdot[c * n + k];
                    let equal = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
                    assert!(equal, "{name}, {lanes}, cell {c}, {}: {got:e} is not {want:e}", network.species[k].name);
                }
            }
            let jac: Vec<u64> = jac.iter().map(|x| if x.is_nan() { 0 } else { x.to_bits() }).collect();
            assert!(*first.get_or_insert_with(|| jac.clone()) == jac, "{name}, {lanes}: other bits of J");
        }
        let (wdot, _) = rates("portable", 1);
        for (c, s) in states.iter().enumerate() {
            let mut o: Oracle<'_, Bounded> = Oracle::new(&plan, Reactor::ConstP);
            o.load_state(s);
            for (k, want) in o.production().into_iter().enumerate() {
                let got = wdot[c * n + k];
                let near = (got - want.v).abs() <= 4.0 * want.e || !want.v.is_finite();
                assert!(near, "{name}, portable, cell {c}, {}: {got:e} is not {want:?}", network.species[k].name);
            }
        }
    }
}

#[test]
fn advanced_cells_have_the_bits_of_the_scalar_machine() {
    for (name, fuel, cells, dt) in [("h2co_burke", "H2", 37, 1e-6), ("gri30", "CH4", 9, 1e-6)] {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Arc::new(Plan::new(&network));
        let states = mixtures(&network, fuel, cells);
        for (method, reactor) in
            ALL.iter().enumerate().map(|(i, m)| (m.name, [Reactor::ConstP, Reactor::ConstV, Reactor::FixedT][i % 3]))
        {
            if name != "h2co_burke" && !["rodas5p", "rodas4", "ros4"].contains(&method) {
                continue;
            }
            let rtol = if ["ros2", "rang3", "backward-euler"].contains(&method) { 1e-3 } else { 1e-5 };
            let first_step = (method == "rk4").then_some(1e-2 * dt);
            let options = Options { method: Some(method.to_owned()), rtol, reactor, first_step, ..Options::default() };
            let want: Vec<_> = states
                .iter()
                .map(|s| advance(&plan, &options, s, dt, Outside::default()).expect("the cell arrives"))
                .collect();
            for lanes in exact_widths() {
                let options = Options { lanes: Some(lanes.clone()), ..options.clone() };
                let got = run(&plan, &options, 1, &states, dt, Layout::CellMajor, None, None);
                for (c, ((got, outcome), (want, steps))) in got.iter().zip(&want).enumerate() {
                    assert_eq!(outcome.status, Status::Done);
                    assert_eq!(
                        [outcome.cost.steps, outcome.cost.rejected],
                        *steps,
                        "{name}, {method}, {lanes}, cell {c}"
                    );
                    assert_eq!(bits(got), bits(want), "{name}, {method}, {lanes}, cell {c}: {got:?} is not {want:?}");
                }
            }
            let options = Options { lanes: Some("portable".to_owned()), ..options };
            for ((got, _), (want, _)) in
                run(&plan, &options, 1, &states, dt, Layout::CellMajor, None, None).iter().zip(&want)
            {
                // Other rounding may decide otherwise about a step, so the answers agree as the tolerance has it.
                assert!((got.t / want.t - 1.0).abs() < rtol, "{name}, {method}, portable: {} is not {}", got.t, want.t);
            }
        }
    }
}

#[test]
fn a_cell_knows_nothing_of_order_threads_layout_or_neighbours() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let mut states = mixtures(&network, "H2", 150);
    states.extend(random_states(&network, 150, 9));
    let (options, dt) = (Options::default(), 3e-6);
    let plain = run(&plan, &options, 1, &states, dt, Layout::CellMajor, None, None);
    for threads in [2, 3, 5] {
        same("threads", &plain, &run(&plan, &options, threads, &states, dt, Layout::CellMajor, None, None));
    }
    same("layout", &plain, &run(&plan, &options, 2, &states, dt, Layout::SpeciesMajor, None, None));
    let mut r = Random::new(1);
    let mut order: Vec<usize> = (0..states.len()).collect();
    (1..order.len()).for_each(|i| order.swap(i, r.below(i + 1)));
    let shuffled: Vec<State> = order.iter().map(|&i| states[i].clone()).collect();
    let want: Vec<_> = order.iter().map(|&i| plain[i].clone()).collect();
    same("order", &want, &run(&plan, &options, 2, &shuffled, dt, Layout::CellMajor, None, None));
    for i in [0, 77, 151] {
        let alone = run(&plan, &options, 1, &states[i..=i], dt, Layout::CellMajor, None, None);
        same("a cell alone", &plain[i..=i], &alone);
    }
    for lanes in exact_widths() {
        let options = Options { lanes: Some(lanes.clone()), ..options.clone() };
        same(&lanes, &plain, &run(&plan, &options, 2, &states, dt, Layout::CellMajor, None, None));
    }
}

#[test]
fn a_poisoned_cell_harms_no_other() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let mut states = mixtures(&network, "H2", 60);
    let (options, dt) = (Options::default(), 1e-5);
    let plain = run(&plan, &options, 1, &states, dt, Layout::CellMajor, None, None);
    let poisoned = [0usize, 13, 59];
    let poison = |s: &mut State, i: usize| match i {
        0 => s.t = 1e9,
        13 => s.t = 1e-3,
        _ => s.y.iter_mut().for_each(|y| *y *= -1e300),
    };
    poisoned.iter().for_each(|&i| poison(&mut states[i], i));
    for threads in [1, 2] {
        let got = run(&plan, &options, threads, &states, dt, Layout::CellMajor, None, None);
        for i in 0..states.len() {
            if poisoned.contains(&i) {
                assert_ne!(got[i].1.status, Status::Done, "cell {i}");
                assert_eq!(bits(&got[i].0), bits(&states[i]), "a failed cell keeps its entry state");
            } else {
                same("beside poison", &plain[i..=i], &got[i..=i]);
            }
        }
    }
}

#[test]
fn sources_and_electron_temperatures_reach_their_cells() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let n = plan.species;
    let states = mixtures(&network, "H2", 40);
    let dt = 1e-5;
    let mut r = Random::new(2);
    let mut sources = Sources::default();
    for _ in &states {
        let mut dydt: Vec<f64> = (0..n).map(|_| r.uniform(0.0, 10.0)).collect();
        dydt[n - 1] -= dydt.iter().sum::<f64>(); // mass comes and goes in equal parts
        sources.dydt.extend(dydt);
        sources.heating.push(r.uniform(-1e8, 1e8));
    }
    for reactor in [Reactor::ConstP, Reactor::ConstV, Reactor::FixedT] {
        let options = Options { reactor, ..Options::default() };
        let got = run(&plan, &options, 2, &states, dt, Layout::CellMajor, Some(&sources), None);
        same("layout", &got, &run(&plan, &options, 1, &states, dt, Layout::SpeciesMajor, Some(&sources), None));
        for (c, (got, _)) in got.iter().enumerate() {
            let outside =
                Outside { dydt: Some(&sources.dydt[c * n..][..n]), heating: sources.heating[c], electron: None };
            let want = advance(&plan, &options, &states[c], dt, outside).expect("the cell arrives").0;
            if exact_widths().is_empty() {
                return;
            }
            assert_eq!(bits(got), bits(&want), "cell {c}");
        }
        let nothing = Sources { dydt: vec![0.0; n * states.len()], heating: vec![0.0; states.len()] };
        let without = run(&plan, &options, 1, &states, dt, Layout::CellMajor, None, None);
        same(
            "a source of nothing",
            &without,
            &run(&plan, &options, 1, &states, dt, Layout::CellMajor, Some(&nothing), None),
        );
    }
    // A source alone: inert nitrogen and argon exchanged at a fixed rate.
    let at = |name: &str| network.species.iter().position(|s| s.name == name).unwrap();
    let mut y = vec![0.0; n];
    y[at("N2")] = 1.0;
    let inert = State { t: 300.0, p: 1e5, y };
    let mut dydt = vec![0.0; n];
    (dydt[at("N2")], dydt[at("AR")]) = (-5.0, 5.0);
    let one = Sources { dydt, heating: vec![0.0] };
    let options = Options { reactor: Reactor::FixedT, ..Options::default() };
    let got = &run(&plan, &options, 1, &[inert], 0.1, Layout::CellMajor, Some(&one), None)[0].0;
    assert!((got.y[at("AR")] - 0.5).abs() < 1e-12 && (got.y[at("N2")] - 0.5).abs() < 1e-12, "{:?}", got.y);

    let plasma = files::rate_types().into_iter().find(|x| x.0.starts_with("kineticsfromscratch.yaml"));
    let Some((_, network)) = plasma else {
        assert!(files::data().is_none(), "it is among the files");
        return;
    };
    let plan = Arc::new(Plan::new(&network));
    let states = random_states(&network, 11, 4);
    let options = Options { reactor: Reactor::FixedT, ..Options::default() };
    let electron: Vec<f64> = states.iter().map(|s| s.t * 3.0).collect();
    let got = run(&plan, &options, 1, &states, 1e-9, Layout::CellMajor, None, Some(&electron));
    for (c, (got, outcome)) in got.iter().enumerate() {
        let outside = Outside { electron: Some(electron[c]), ..Outside::default() };
        match advance(&plan, &options, &states[c], 1e-9, outside) {
            Some((want, _)) if outcome.status == Status::Done => assert_eq!(bits(got), bits(&want), "cell {c}"),
            // The file has laws of 1e31 per second at room temperature: some cells cannot be advanced at all.
            _ => assert_ne!(outcome.status, Status::Done, "cell {c}"),
        }
    }
}

#[test]
fn advancing_conserves_elements_and_stays_positive() {
    for (name, cells, dt) in [("h2co_burke", 300, 1e-5), ("gri30", 60, 1e-6), ("nh3_alzueta_lmrr", 40, 1e-6)] {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Arc::new(Plan::new(&network));
        let states = random_states(&network, cells, 21);
        for reactor in [Reactor::ConstP, Reactor::ConstV] {
            let options = Options { reactor, ..Options::default() };
            let got = run(&plan, &options, 2, &states, dt, Layout::CellMajor, None, None);
            let (mut least, mut drift) = (0.0f64, 0.0f64);
            for (c, (after, outcome)) in got.iter().enumerate() {
                assert_eq!(outcome.status, Status::Done, "{name}, cell {c}: {:?}", states[c]);
                for (e, _) in network.elements.iter().enumerate() {
                    let of = |s: &State| -> f64 {
                        let count = |k: usize| -> f64 {
                            network.species[k].composition.iter().filter(|x| x.0 == e).map(|x| x.1).sum()
                        };
                        (0..plan.species).map(|k| s.y[k] / plan.molar_mass[k] * count(k)).sum()
                    };
                    let (a, b) = (of(&states[c]), of(after));
                    drift = [drift, (a - b).abs() / (a + 1e-12)].into_iter().max_by(f64::total_cmp).unwrap();
                }
                least = after.y.iter().fold(least, |a, &y| a.min(y));
            }
            eprintln!("{name}, {reactor:?}: least mass fraction {least:e}, elements drift by {drift:e}");
            assert!(drift < 1e-10, "{name}, {reactor:?}: elements drift by {drift:e}");
            assert!(least > -1e-12, "{name}, {reactor:?}: a mass fraction of {least:e}");
        }
    }
}
