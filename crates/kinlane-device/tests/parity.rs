//! Devices against the lanes: the same bits, whatever the batch.

mod common;

use common::{Noted, Runner, Sources, bits, same, tested};
use kinlane_device::{Api, DeviceEngine, DeviceError, MappingWish, Settings};
use kinlane_lanes::{Cells, Engine, EngineError, Event, Happening, Layout, Points, Quantity, Signals, Watch, turned};
use kinlane_mech::{Network, network::RateLaw};
use kinlane_plan::plan::Features;
use kinlane_plan::{Plan, Precision};
use kinlane_solve::methods::method::ALL;
use kinlane_solve::{Options, Outcome, Reactor, Status};
use kinlane_testdata::random::{mixtures, random_states};
use kinlane_testdata::{Random, State, files};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::{Duration, Instant};

/// The mappings of a device whose loops are rolled.
fn mappings((api, _): (Api, usize)) -> impl Iterator<Item = MappingWish> {
    let part = (api == Api::Cuda).then_some(MappingWish::Part);
    [MappingWish::Thread, MappingWish::Group].into_iter().chain(part)
}

/// Every device in its mappings.
fn mapped() -> Vec<((Api, usize), MappingWish)> {
    tested().into_iter().flat_map(|device| mappings(device).map(move |mapping| (device, mapping))).collect()
}

/// Every kernel is compiled, which takes seconds: a few files that have every rate law between them.
#[test]
fn rates_by_every_law_have_the_bits_of_the_lanes() {
    let laws = ["pdep-test", "kineticsfromscratch", "reaction-orders", "tsang", "sri-falloff"];
    let mut networks = files::rate_types();
    networks.retain(|(name, _)| laws.iter().any(|l| name.starts_with(l) && name.contains("yaml")));
    rates_and_jacobians_are_alike(&networks);
}

#[test]
fn rates_of_published_gases_have_the_bits_of_the_lanes() {
    let names = ["h2co_burke", "gri30", "usc_mech_ii", "nh3_alzueta_lmrr", "h2_oconaire_v1b_rev"];
    let networks = names.iter().filter_map(|name| Some(((*name).to_owned(), files::mechanism(name)?)));
    rates_and_jacobians_are_alike(&networks.collect::<Vec<_>>());
}

/// Rates and Jacobians on every device have the bits of the lanes.
fn rates_and_jacobians_are_alike(networks: &[(String, Network)]) {
    for device in tested() {
        for (name, network) in networks {
            let plan = Arc::new(Plan::new(network));
            let states = random_states(network, 101, 5);
            let t: Vec<f64> = states.iter().map(|s| s.t).collect();
            let p: Vec<f64> = states.iter().map(|s| s.p).collect();
            let y: Vec<f64> = states.iter().flat_map(|s| s.y.clone()).collect();
            let te: Vec<f64> = t.iter().map(|t| t * 3.0).collect();
            let size = (plan.species + 1) * (plan.species + 1);
            let [mut rates, mut got, mut want] = [(); 3].map(|()| vec![0.0; y.len()]);
            let [mut jac, mut want_jac] = [(); 2].map(|()| vec![0.0; t.len() * size]);
            let mut at = Points::new(&t, &p, &y, Layout::CellMajor);
            at.electron_temperature = Some(&te);
            let options = Options::default();
            Engine::new(Arc::clone(&plan), options.clone(), 1)
                .unwrap()
                .rates(at, &mut want, Some(&mut want_jac))
                .unwrap();
            for mapping in mappings(device) {
                let start = Instant::now();
                let settings = Settings { mapping, ..Settings::default() };
                let mut engine = DeviceEngine::new(&plan, &options, 1, &[device], settings).unwrap();
                engine.rates(at, &mut got, Some(&mut jac)).unwrap();
                // Rates alone are a kernel of their own: seen for each mapping once.
                rates.copy_from_slice(&got);
                if ["h2co_burke", "gri30"].contains(&name.as_str()) {
                    engine.rates(at, &mut rates, None).unwrap();
                }
                if name == "h2co_burke" {
                    let k = plan.species;
                    let columns = turned(&y, k, t.len());
                    let mut by_species = Points::new(&t, &p, &columns, Layout::SpeciesMajor);
                    by_species.electron_temperature = Some(&te);
                    engine.rates(by_species, &mut rates, None).unwrap();
                    rates = turned(&rates, t.len(), k);
                }
                eprintln!("{name}, {mapping:?}: {:.2} s", start.elapsed().as_secs_f64());
                let pairs = rates.iter().zip(&want).chain(got.iter().zip(&want)).chain(jac.iter().zip(&want_jac));
                for (i, (got, want)) in pairs.enumerate() {
                    let equal = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
                    assert!(equal, "{name}, {device:?}, {mapping:?}, number {i}: {got:e} is not {want:e}");
                }
            }
        }
    }
}

/// A method of every family.
const FAMILIES: [(&str, Reactor); 9] = [
    ("rodas5p", Reactor::ConstV),
    ("radau5", Reactor::ConstP),
    ("bdf", Reactor::FixedT),
    ("sdirk4", Reactor::ConstP),
    ("dopri5", Reactor::ConstP),
    ("rkc", Reactor::ConstV),
    ("exprb43", Reactor::ConstP),
    ("chemeq2", Reactor::ConstP),
    ("asymptotic", Reactor::ConstV),
];

/// Every family by all three mappings. A kernel takes the compiler of PoCL up to 10 s, so the larger mechanism has one of each.
#[test]
fn advanced_cells_have_the_bits_of_the_lanes() {
    use MappingWish::{Group, Thread, Unrolled};
    for (method, reactor) in FAMILIES {
        let unrolled = ["rodas5p", "bdf"].contains(&method).then_some(Unrolled);
        for mapping in [Thread, Group].into_iter().chain(unrolled) {
            advances_done("h2co_burke", method, reactor, mapping);
        }
    }
    for (method, mapping) in [("rodas5p", Group), ("radau5", Thread), ("bdf", Thread)] {
        advances_done("gri30", method, Reactor::ConstP, mapping);
    }
}

/// That every method suits GRI-Mech on devices as it does on the lanes.
#[test]
#[ignore = "minutes of PoCL's compiler: run it after changes to what kernels are made of"]
fn every_method_advances_gri30() {
    for method in ALL.iter().filter(|m| !m.is_fixed()) {
        advances_done("gri30", method.name, Reactor::ConstP, MappingWish::Thread);
    }
}

/// Advances cells from cold to burnt on every device: they arrive with the bits of the lanes.
fn advances_done(name: &str, method: &str, reactor: Reactor, mapping: MappingWish) {
    let (fuel, cells, dt) = if name == "gri30" { ("CH4", 20, 1e-6) } else { ("H2", 200, 1e-5) };
    let Some(network) = files::mechanism(name) else { return };
    let states = mixtures(&network, fuel, cells);
    let options = Options { reactor, rtol: 1e-4, method: Some(method.to_owned()), ..Options::default() };
    assert_eq!(
        advances_alike(&format!("{name}, {method}"), &network, &options, &states, dt, mapping),
        cells,
        "{name}, {method}"
    );
}

/// Advances with `options` on every device; the bits must be those of the lanes. How many cells arrived.
fn advances_alike(
    what: &str,
    network: &Network,
    options: &Options,
    states: &[State],
    dt: f64,
    m: MappingWish,
) -> usize {
    let plan = Arc::new(Plan::new(network));
    let want = Runner::lanes(&plan, options).run(states, dt, Layout::CellMajor, None);
    for device in tested() {
        let start = Instant::now();
        let settings = Settings { mapping: m, ..Settings::default() };
        let got = Runner::devices(&plan, options, &[device], settings).run(states, dt, Layout::CellMajor, None);
        eprintln!("{what}, {m:?}: {:.2} s", start.elapsed().as_secs_f64());
        same(&format!("{what}, {m:?}"), &got, &want);
    }
    want.iter().filter(|w| w.1.status == Status::Done).count()
}

/// Cells without factors have factors of one also where a plan has room for others, whatever the kernel before has left there.
#[test]
fn a_plan_that_takes_factors_needs_none() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::with(&network, Features { factors: true, ..Features::default() }));
    let options = Options { method: Some("auto".to_owned()), rtol: 1e-4, ..Options::default() };
    let states = mixtures(&network, "H2", 100);
    let want = Runner::lanes(&plan, &options).run(&states, 1e-7, Layout::CellMajor, None);
    for device in tested() {
        let settings = Settings { mapping: MappingWish::Thread, ..Settings::default() };
        let mut runner = Runner::devices(&plan, &options, &[device], settings);
        for turn in ["first", "second"] {
            same(turn, &runner.run(&states, 1e-7, Layout::CellMajor, None), &want);
        }
    }
}

/// Those that stand for no family above; by turns, so that both mappings are seen.
#[test]
fn every_method_has_the_bits_of_the_lanes() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let states = mixtures(&network, "H2", 40);
    let others = ALL.iter().filter(|m| FAMILIES.iter().all(|f| f.0 != m.name));
    for (i, method) in others.enumerate() {
        let reactor = [Reactor::ConstP, Reactor::ConstV][i / 2 % 2];
        let mapping = [MappingWish::Thread, MappingWish::Group][i % 2];
        let first_step = method.is_fixed().then_some(1e-8);
        let method_name = Some(method.name.to_owned());
        let options = Options { reactor, rtol: 1e-4, method: method_name, first_step, ..Options::default() };
        assert_eq!(advances_alike(method.name, &network, &options, &states, 1e-6, mapping), states.len());
    }
}

/// A hundred species; rates given by pressure in tables and in polynomials.
#[test]
fn large_gases_and_rates_by_pressure_have_the_bits_of_the_lanes() {
    let Some(usc) = files::mechanism("usc_mech_ii") else { return };
    let pdep = files::rate_types().into_iter().find(|(name, _)| name == "pdep-test.yaml [gas]").unwrap().1;
    let laws = |f: fn(&RateLaw) -> bool| pdep.reactions.iter().any(|r| f(&r.rate));
    assert!(laws(|l| matches!(l, RateLaw::Plog(_))) && laws(|l| matches!(l, RateLaw::Chebyshev(_))));
    let options = Options { rtol: 1e-4, method: Some("rodas5p".to_owned()), ..Options::default() };
    for mapping in [MappingWish::Thread, MappingWish::Group] {
        let states = mixtures(&usc, "C2H4", 10);
        assert_eq!(advances_alike("usc_mech_ii", &usc, &options, &states, 1e-6, mapping), states.len());
        let states = random_states(&pdep, 40, 7);
        assert_eq!(advances_alike("pdep-test", &pdep, &options, &states, 1e-6, mapping), states.len());
    }
}

#[test]
fn cells_choose_their_methods_as_on_the_lanes() {
    use MappingWish::{Group, Thread};
    // Over the short interval there is a step of Cash and Karp's method for some, at the tighter tolerance some go on
    // with BDF; PoCL takes minutes for groups of the larger mechanism.
    for (name, fuel, cells, rtol, dt, some, mappings) in [
        ("h2co_burke", "H2", 100, 1e-6, 1e-8, [true, true, true, false], &[Thread, Group][..]),
        ("gri12", "CH4", 24, 1e-8, 1e-4, [true, false, true, true], &[Thread]),
    ] {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Arc::new(Plan::new(&network));
        let mut states = mixtures(&network, fuel, cells);
        states.iter_mut().step_by(3).for_each(|s| s.t = 300.0);
        let options = Options { rtol, method: Some("auto".to_owned()), ..Options::default() };
        let mut lanes = Runner::lanes(&plan, &options);
        let want = lanes.run(&states, dt, Layout::CellMajor, None);
        let chosen = lanes.chosen;
        // Each by its own interval, of some that suit one explicit step and some that do not.
        let intervals = (0..states.len()).map(|i| dt * [1e-2, 1.0, 30.0][i % 3]).collect();
        let own = Sources { intervals, ..Sources::default() };
        let want_own = lanes.run(&states, f64::NAN, Layout::CellMajor, Some(&own));
        assert!(want_own.iter().zip(&own.intervals).all(|(w, dt)| w.1.t == *dt), "cells end with their intervals");
        assert_eq!(chosen.map(|n| n > 0), some, "{chosen:?}");
        for device in tested() {
            for &mapping in mappings {
                let settings = Settings { mapping, ..Settings::default() };
                let mut runner = Runner::devices(&plan, &options, &[device], settings);
                let got = runner.run(&states, dt, Layout::CellMajor, None);
                same(&format!("auto at {rtol}, {mapping:?}"), &got, &want);
                assert_eq!(runner.chosen, chosen, "{rtol}, {mapping:?}");
                // Though their kernels pause: the CPU's help would hide what they lose.
                assert_eq!(runner.device().rescued(), 0, "{rtol}, {mapping:?}");
                let got = runner.run(&states, f64::NAN, Layout::CellMajor, Some(&own));
                same(&format!("own intervals, auto at {rtol}, {mapping:?}"), &got, &want_own);
            }
        }
    }
}

#[test]
fn kernels_stay_below_what_the_device_can_do() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let options = Options { method: Some("rodas5p".to_owned()), ..Options::default() };
    let states = mixtures(&network, "H2", 200);
    let (mut t, mut p): (Vec<f64>, Vec<f64>) = states.iter().map(|s| (s.t, s.p)).unzip();
    let mut y: Vec<f64> = states.iter().flat_map(|s| s.y.clone()).collect();
    let mut outcome = vec![Outcome::default(); states.len()];
    for device in tested() {
        let mut engine = DeviceEngine::new(&plan, &options, 1, &[device], Settings::default()).unwrap();
        // Others may be at work while the ceilings are measured, and be gone when the kernels are: what is counted wrong is
        // wrong every time.
        let below = (0..5).any(|_| {
            let cells = Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome);
            let found = engine.roofline(cells, 1e-6).unwrap().unwrap();
            eprintln!("{found:?}");
            let [rates, advance] = &found.kernels[..] else { panic!("two kernels") };
            assert_eq!((rates.kernel, advance.kernel), ("rates", "advance"));
            // Eight evaluations, a Jacobian and a factorisation make an attempt, and there is one at least.
            assert!(advance.flops > 9.0 * rates.flops && rates.flops > 27.0 * 20.0 && rates.bytes > 8.0 * 13.0);
            found.kernels.iter().all(|k| k.seconds > 0.0 && k.rate() < found.ceilings.flops)
        });
        assert!(below);
        // Afterwards it works as before.
        let mut runner =
            Runner { backend: common::Backend::Devices(Box::new(engine)), chosen: [0; 4], stop_after: None };
        let want = Runner::lanes(&plan, &options).run(&states, 1e-6, Layout::CellMajor, None);
        same("afterwards", &runner.run(&states, 1e-6, Layout::CellMajor, None), &want);
        let plain = runner.device_mut();
        let mut watch = Watch { times: &[], series: &mut [], events: &[], found: &mut [] };
        let cells = Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome);
        let fault = plain.advance_watched(
            cells,
            &mut watch,
            1e-6,
            Signals { progress: &AtomicUsize::new(0), stop: &AtomicBool::new(false) },
        );
        assert!(matches!(fault, Err(DeviceError::Engine(EngineError::NotWatched))), "{fault:?}");
    }
}

/// `auto` has a list of devices: one that cannot be opened does not keep the next from work.
#[test]
fn the_first_device_that_can_be_opened_works() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let (plan, options) = (Arc::new(Plan::new(&network)), Options::default());
    for (api, index) in tested() {
        let devices = [(api, 1000), (api, index), (api, 1001)];
        let settings = |fallback| Settings { fallback, ..Settings::default() };
        let engine = DeviceEngine::new(&plan, &options, 1, &devices, settings(true)).unwrap();
        assert_eq!(engine.infos().iter().map(|info| (info.api, info.index)).collect::<Vec<_>>(), [(api, index)]);
        for (devices, fallback) in [(&devices[..], false), (&devices[..1], true)] {
            let fault = DeviceEngine::new(&plan, &options, 1, devices, settings(fallback)).unwrap_err();
            assert!(matches!(fault, DeviceError::Index { index: 1000, .. }), "{fault}");
        }
    }
}

#[test]
fn watched_cells_are_noted_as_on_the_lanes() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let (mut states, dt) = (mixtures(&network, "H2", 60), 2e-4);
    states[7].t = 1e-3; // ends at once
    let times: Vec<f64> = (0..=40).map(|i| dt * f64::from(i) / 40.0).collect();
    let oh = network.species.iter().position(|s| s.name == "OH").unwrap();
    let events = [
        Event { quantity: Quantity::Temperature, happening: Happening::SteepestRise },
        Event { quantity: Quantity::MoleFraction(oh), happening: Happening::Maximum },
        Event { quantity: Quantity::Pressure, happening: Happening::Rise(1e4) },
    ];
    for (method, reactor) in [("rodas5p", Reactor::ConstV), ("bdf", Reactor::ConstP)] {
        let options =
            Options { reactor, method: Some(method.to_owned()), watched: true, max_steps: 2000, ..Options::default() };
        let (cells, want) = Runner::lanes(&plan, &options).watch(&states, dt, &times, &events);
        assert!(want.found.iter().filter(|t| t.is_finite()).count() > 60, "{:?}", want.found);
        for device in tested() {
            for mapping in mappings(device) {
                let needs = DeviceEngine::new(&plan, &options, 1, &[device], Settings::default()).unwrap().needs()[0];
                // Whole, in chunks, and together with the lanes.
                let memory = Some((needs.tables + 16 * (needs.worker + needs.log) + 40 * needs.cell) as u64);
                for settings in [
                    Settings { mapping, ..Settings::default() },
                    Settings { mapping, memory, ..Settings::default() },
                    Settings { mapping, lanes: true, ..Settings::default() },
                ] {
                    let what = format!("{method}, {settings:?}");
                    let mut runner = Runner::devices(&plan, &options, &[device], settings);
                    let (got, noted) = runner.watch(&states, dt, &times, &events);
                    same(&what, &got, &cells);
                    let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(&noted.found), bits(&want.found), "{what}: {:?}, {:?}", noted.found, want.found);
                    assert!(bits(&noted.series) == bits(&want.series), "{what}: other states on the way");
                }
            }
        }
    }
}

/// Wherever it is stopped: a cell is done, or as it was, also where another stood in its place before.
#[test]
fn a_watched_batch_that_is_stopped_takes_no_answers_of_the_one_before() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let options = Options { watched: true, ..Options::default() };
    let (before, mut states) = (mixtures(&network, "H2", 40), mixtures(&network, "H2", 40));
    states.iter_mut().for_each(|s| s.t += 100.0);
    let times = [0.0, 1e-3];
    for device in tested() {
        let mut runner = Runner::devices(&plan, &options, &[device], Settings::default());
        let (want, _) = runner.watch(&states, 1e-3, &times, &[]);
        runner.watch(&before, 1e-3, &times, &[]);
        for wait in [0, 300, 1000, 3000, 10_000] {
            runner.stop_after = Some(Duration::from_micros(wait));
            let (got, _) = runner.watch(&states, 1e-3, &times, &[]);
            let arrived = got.iter().filter(|g| g.1.status == Status::Done).count();
            eprintln!("after {wait} us: {arrived} cells have arrived");
            for (i, (got, want)) in got.iter().zip(&want).enumerate() {
                let right = if got.1.status == Status::Done { bits(&want.0) } else { bits(&states[i]) };
                assert_eq!(bits(&got.0), right, "cell {i}, {:?}", got.1.status);
            }
        }
    }
}

/// Kernels pause, so that nobody waits for cells that take hours.
#[test]
fn a_batch_that_would_take_hours_stops_at_once() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let states = mixtures(&network, "H2", 40);
    for (device, watched) in tested().into_iter().flat_map(|d| [(d, false), (d, true)]) {
        let (method, first_step) = (Some("rk4".to_owned()), Some(1e-12));
        let options = Options { method, first_step, max_steps: u32::MAX, watched, ..Options::default() };
        let mut runner = Runner::devices(&plan, &options, &[device], Settings::default());
        runner.stop_after = Some(Duration::from_millis(300));
        // The first batch compiles.
        for _ in 0..2 {
            let start = Instant::now();
            let (got, noted) = match watched {
                true => runner.watch(&states, 1.0, &[0.0], &[]),
                false => (runner.run(&states, 1.0, Layout::CellMajor, None), Noted::default()),
            };
            let took = start.elapsed();
            eprintln!("stopped after {took:?}, {} numbers noted", noted.series.len());
            assert!(took < Duration::from_secs(60), "{took:?}");
            for ((got, outcome), entered) in got.iter().zip(&states) {
                assert_eq!((bits(got), outcome.status), (bits(entered), Status::Cancelled));
            }
        }
    }
}

#[test]
fn chunks_layouts_sources_and_company_change_no_bit() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let states: Vec<_> = mixtures(&network, "H2", 100).into_iter().chain(random_states(&network, 100, 3)).collect();
    let n = plan.species;
    let mut r = Random::new(2);
    let mut sources = Sources::default();
    for _ in &states {
        let mut dydt: Vec<f64> = (0..n).map(|_| r.uniform(0.0, 10.0)).collect();
        dydt[n - 1] -= dydt.iter().sum::<f64>();
        sources.dydt.extend(dydt);
        sources.heating.push(r.uniform(-1e8, 1e8));
        sources.intervals.push(10f64.powf(r.uniform(-7.0, -5.0)));
    }
    let (options, dt) = (Options::default(), 3e-6);
    for (device, mapping) in mapped() {
        let default = || Settings { mapping, ..Settings::default() };
        let what = |case: &str| format!("{case}, {mapping:?}");
        let devices = |settings: Settings| Runner::devices(&plan, &options, &[device], settings);
        let want = Runner::lanes(&plan, &options).run(&states, dt, Layout::CellMajor, Some(&sources));
        let plain = Runner::lanes(&plan, &options).run(&states, dt, Layout::CellMajor, None);
        let mut whole = devices(default());
        same(&what("sources"), &whole.run(&states, dt, Layout::CellMajor, Some(&sources)), &want);
        same(&what("no sources after some"), &whole.run(&states, dt, Layout::CellMajor, None), &plain);
        same(&what("layout"), &whole.run(&states, dt, Layout::SpeciesMajor, Some(&sources)), &want);
        // As little as serves one group: many chunks.
        let needs = DeviceEngine::new(&plan, &options, 1, &[device], default()).unwrap().needs()[0];
        let memory = (needs.tables + 32 * 8 * needs.worker + 40 * needs.cell) as u64;
        let mut cut = devices(Settings { memory: Some(memory), ..default() });
        same(&what("chunks"), &cut.run(&states, dt, Layout::CellMajor, Some(&sources)), &want);
        let mut shared = devices(Settings { lanes: true, ..default() });
        same(&what("with the lanes"), &shared.run(&states, dt, Layout::CellMajor, Some(&sources)), &want);
        let mut order: Vec<usize> = (0..states.len()).collect();
        (1..order.len()).for_each(|i| order.swap(i, r.below(i + 1)));
        let shuffled: Vec<_> = order.iter().map(|&i| states[i].clone()).collect();
        let got = whole.run(&shuffled, dt, Layout::CellMajor, None);
        same(&what("order"), &got, &order.iter().map(|&i| plain[i].clone()).collect::<Vec<_>>());
    }
}

/// Four calls: from nothing; unchanged, but for one cell; with the layout turned; with sources, which end what is known.
/// After each of them the cells are the same everywhere, and what is known of them goes on elsewhere.
#[test]
fn cells_go_on_from_call_to_call_as_on_the_lanes() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let mut states: Vec<_> = mixtures(&network, "H2", 60).into_iter().chain(random_states(&network, 20, 3)).collect();
    states[7].t = 1e9; // that of no gas: the CPU has to say so
    let n = plan.species;
    let intervals = (0..states.len()).map(|i| 1e-7 * (i + 1) as f64).collect();
    let sources = Sources { dydt: vec![0.0; states.len() * n], heating: vec![1e9; states.len()], intervals };
    let calls =
        [(3e-6, Layout::CellMajor, false), (4e-6, Layout::CellMajor, false), (2e-6, Layout::SpeciesMajor, false)];
    let calls = calls.into_iter().chain([(1e-6, Layout::CellMajor, true)]);
    let cases = [
        ("rodas5p", vec![MappingWish::Thread, MappingWish::Group, MappingWish::Unrolled]),
        ("bdf", vec![MappingWish::Thread, MappingWish::Group]),
        ("radau5", vec![MappingWish::Thread]),
        ("rkc", vec![MappingWish::Thread]),
    ];
    let each = |(method, mappings): (&'static str, Vec<MappingWish>)| mappings.into_iter().map(move |m| (method, m));
    for (device, (method, mapping)) in
        tested().into_iter().flat_map(|d| cases.clone().into_iter().flat_map(each).map(move |c| (d, c)))
    {
        let options = Options { method: Some(method.to_owned()), rtol: 1e-5, ..Options::default() };
        let default = || Settings { mapping, ..Settings::default() };
        let whole = Runner::devices(&plan, &options, &[device], default());
        let needs = whole.device().needs()[0];
        let memory =
            (needs.tables + 32 * 8 * needs.worker + 20 * (needs.cell + 8 * whole.continuation(1).width())) as u64;
        let cut = Runner::devices(&plan, &options, &[device], Settings { memory: Some(memory), ..default() });
        let shared = Runner::devices(&plan, &options, &[device], Settings { lanes: true, ..default() });
        let mut runners = [Runner::lanes(&plan, &options), whole, cut, shared];
        let mut now = states.clone();
        let mut known = runners.each_ref().map(|r| r.continuation(states.len()));
        let mut once = None;
        for (call, (dt, layout, with)) in calls.clone().enumerate() {
            if call == 1 {
                now[11].t += 1.0;
            }
            let results: Vec<_> = std::iter::zip(&mut runners, &mut known)
                .map(|(r, c)| r.go_on(&now, c, dt, layout, with.then_some(&sources)))
                .collect();
            for (case, got) in ["whole", "in chunks", "with the lanes"].iter().zip(&results[1..]) {
                same(&format!("{method}, {mapping:?}, call {call}, {case}"), got, &results[0]);
            }
            let [want, others @ ..] =
                known.each_ref().map(|c| c.save().into_iter().map(f64::to_bits).collect::<Vec<_>>());
            assert!(others.into_iter().all(|c| c == want), "{method}, {mapping:?}, call {call}");
            known.rotate_left(1);
            let rescued = runners[1].device().rescued();
            assert!(rescued <= 3, "{method}, {mapping:?}, call {call}: the CPU does {rescued} cells");
            now = results[0].iter().map(|w| w.0.clone()).collect();
            once = if call == 1 { Some(now.clone()) } else { once };
        }
        let mut anew = runners[1].continuation(states.len());
        let got = runners[1].go_on(&states, &mut anew, 3e-6 + 4e-6, Layout::CellMajor, None);
        for (i, (got, twice)) in got.iter().zip(once.iter().flatten()).enumerate().filter(|(i, _)| ![7, 11].contains(i))
        {
            assert_eq!(bits(&got.0), bits(twice), "{method}, {mapping:?}: cell {i} depends on where calls end");
        }
    }
}

/// Memory is kept from batch to batch: whatever it was large enough for before, and whatever it holds.
#[test]
fn batches_of_any_size_follow_each_other() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let states = mixtures(&network, "H2", 300);
    // At this tolerance cells go on from kernel to kernel.
    let (options, dt) = (Options { rtol: 1e-8, method: Some("auto".to_owned()), ..Options::default() }, 1e-6);
    let want = Runner::lanes(&plan, &options).run(&states, dt, Layout::CellMajor, None);
    let (t, p): (Vec<f64>, Vec<f64>) = states.iter().map(|s| (s.t, s.p)).unzip();
    let y: Vec<f64> = states.iter().flat_map(|s| s.y.clone()).collect();
    let mut rates = vec![0.0; y.len()];
    let mut jacs = vec![0.0; t.len() * (plan.species + 1) * (plan.species + 1)];
    Engine::new(Arc::clone(&plan), options.clone(), 1)
        .unwrap()
        .rates(Points::new(&t, &p, &y, Layout::CellMajor), &mut rates, Some(&mut jacs))
        .unwrap();
    for device in tested() {
        for mapping in mappings(device) {
            let needs = DeviceEngine::new(&plan, &options, 1, &[device], Settings::default()).unwrap().needs()[0];
            let little = (needs.tables + 32 * needs.per_worker() + 100 * needs.per_cell()) as u64;
            for memory in [None, Some(little)] {
                let settings = Settings { mapping, memory, ..Settings::default() };
                let mut runner = Runner::devices(&plan, &options, &[device], settings);
                for (lo, n) in [(0, 3), (100, 200), (7, 1), (50, 60), (0, 300), (299, 1), (20, 150)] {
                    let what = format!("{mapping:?}, {memory:?}, {n} cells");
                    let got = runner.run(&states[lo..lo + n], dt, Layout::CellMajor, None);
                    same(&what, &got, &want[lo..lo + n]);
                    let k = plan.species;
                    let at = Points::new(&t, &p, &y, Layout::CellMajor).part(lo..lo + n, k);
                    let mut wdot = vec![0.0; n * k];
                    runner.device_mut().rates(at, &mut wdot, None).unwrap();
                    assert!(wdot == rates[lo * k..(lo + n) * k], "{what}: other rates");
                    let (mut jac, size) = (vec![0.0; n * (k + 1) * (k + 1)], (k + 1) * (k + 1));
                    runner.device_mut().rates(at, &mut wdot, Some(&mut jac)).unwrap();
                    assert!(jac == jacs[lo * size..(lo + n) * size], "{what}: other Jacobians");
                }
            }
        }
    }
}

#[test]
fn a_poisoned_cell_harms_no_other_and_ends_as_on_the_cpu() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let mut states = mixtures(&network, "H2", 60);
    let (options, dt) = (Options { max_steps: 500, ..Options::default() }, 1e-5);
    states[0].t = 1e9;
    states[13].t = 1e-3;
    states[59].y.iter_mut().for_each(|y| *y *= -1e300);
    // Brought to where laws hold, it still began where none does.
    states[20].t = 5.0;
    let mut sources = Sources { dydt: vec![0.0; 60 * plan.species], heating: vec![0.0; 60], ..Sources::default() };
    sources.heating[20] = 1e10;
    let want = Runner::lanes(&plan, &options).run(&states, dt, Layout::CellMajor, Some(&sources));
    for (device, mapping) in mapped() {
        let settings = Settings { mapping, ..Settings::default() };
        let got =
            Runner::devices(&plan, &options, &[device], settings).run(&states, dt, Layout::CellMajor, Some(&sources));
        same(&format!("beside poison, {mapping:?}"), &got, &want);
        for i in [0, 13, 20, 59] {
            assert_ne!(got[i].1.status, Status::Done, "cell {i}");
            assert_eq!(bits(&got[i].0), bits(&states[i]), "a failed cell keeps its entry state");
        }
    }
}

#[test]
fn where_memory_does_not_do_the_batch_is_refused_or_the_cpu_takes_over() {
    let Some(network) = files::mechanism("h2co_burke") else { return };
    let plan = Arc::new(Plan::new(&network));
    let states = mixtures(&network, "H2", 30);
    let (options, dt) = (Options::default(), 1e-6);
    let want = Runner::lanes(&plan, &options).run(&states, dt, Layout::CellMajor, None);
    for device in tested() {
        let settings = Settings { memory: Some(1000), ..Settings::default() };
        let mut engine = DeviceEngine::new(&plan, &options, 1, &[device], settings.clone()).unwrap();
        let refused = engine.prepare(30);
        assert!(matches!(refused, Err(DeviceError::Memory { need, .. }) if need > 1000), "{refused:?}");
        let mut runner = Runner::devices(&plan, &options, &[device], Settings { fallback: true, ..settings });
        same("the CPU takes over", &runner.run(&states, dt, Layout::CellMajor, None), &want);
        assert!(matches!(runner.device().failure(), Some(DeviceError::Memory { .. })));
    }
}

/// The largest relative difference of any variable; of trace species less than a part in 1e8 counts.
fn off(a: &[(State, Outcome)], b: &[(State, Outcome)]) -> f64 {
    let numbers = |s: &State| s.y.iter().copied().chain([s.t]).collect::<Vec<_>>();
    let pairs = a.iter().zip(b).flat_map(|(a, b)| numbers(&a.0).into_iter().zip(numbers(&b.0)));
    pairs.map(|(a, b)| (a - b).abs() / (b.abs() + 1e-8)).max_by(f64::total_cmp).unwrap_or_default()
}

#[test]
fn reduced_precision_stays_near_and_leaves_lost_cells_to_the_cpu() {
    let (thread, group) = (MappingWish::Thread, MappingWish::Group);
    for (name, fuel, method, precision, mapping, near) in [
        ("h2co_burke", "H2", "rodas5p", Precision::Mixed, thread, 1e-3),
        ("h2co_burke", "H2", "radau5", Precision::Mixed, group, 1e-3),
        ("h2co_burke", "H2", "bdf", Precision::F32, group, 1e-2),
        ("gri30", "CH4", "rodas4", Precision::Mixed, thread, 1e-3),
        ("gri30", "CH4", "rodas5p", Precision::F32, thread, 1e-2),
    ] {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Arc::new(Plan::new(&network));
        let mut states = mixtures(&network, fuel, 40);
        states[13].t = 1e-3; // none that any precision advances
        let options = Options { rtol: 1e-4, method: Some(method.to_owned()), max_steps: 500, ..Options::default() };
        let want = Runner::lanes(&plan, &options).run(&states, 1e-6, Layout::CellMajor, None);
        for device in tested() {
            let settings = Settings { precision, mapping, ..Settings::default() };
            let mut runner = Runner::devices(&plan, &options, &[device], settings.clone());
            let got = runner.run(&states, 1e-6, Layout::CellMajor, None);
            let far = off(&got, &want);
            eprintln!("{name}, {method}, {precision:?}, {mapping:?}: off by {far:.1e}");
            assert!(0.0 < far && far < near, "{name}, {method}, {precision:?}: off by {far:e}");
            same("the lost cell", &got[13..14], &want[13..14]);
            assert_eq!(runner.device().rescued(), 1);
            // A cell's answer depends on the cell alone, in every precision.
            let backwards: Vec<_> = states.iter().rev().cloned().collect();
            let mut again = runner.run(&backwards, 1e-6, Layout::CellMajor, None);
            again.reverse();
            same("order", &again, &got);
            let double = DeviceEngine::new(&plan, &options, 1, &[device], Settings::default()).unwrap().needs()[0];
            let reduced = DeviceEngine::new(&plan, &options, 1, &[device], settings).unwrap().needs()[0];
            assert!(reduced.worker < double.worker, "{reduced:?}, {double:?}");
        }
    }
}

/// An absent species of high enthalpy moves the zeros of its elements' Gibbs energies, and e^G of the others with them.
const ABSENT: &str = "\
phases: [{name: g, thermo: ideal-gas, kinetics: gas}]
species:
- {name: N, composition: {N: 1}, thermo: {model: constant-cp, T0: 298.15 K, h0: 470 kJ/mol, s0: 153 J/mol/K, cp0: 21 J/mol/K}}
- {name: N2, composition: {N: 2}, thermo: {model: constant-cp, T0: 298.15 K, h0: 0, s0: 191 J/mol/K, cp0: 29 J/mol/K}}
- {name: N3, composition: {N: 3}, thermo: {model: constant-cp, T0: 298.15 K, h0: 414 kJ/mol, s0: 220 J/mol/K, cp0: 40 J/mol/K}}
- {name: X, composition: {N: 1}, thermo: {model: constant-cp, T0: 298.15 K, h0: 900 kJ/mol, s0: 165 J/mol/K, cp0: 21 J/mol/K}}
reactions:
- {equation: N + N2 <=> N3, rate-constant: {A: 1 m^3/mol/s, b: 0, Ea: 0}}
";

/// A dissociation has a rate constant of 1e-60 in the cold, where its reverse, which is made of it, takes microseconds.
#[test]
fn what_single_precision_has_no_range_for_is_not_lost() {
    let text = include_str!("../../../mechanisms/h2.yaml");
    let three_body = "- equation: H2O + M <=> H + OH + M\n  type: three-body\n  rate-constant:";
    let falloff = "- equation: H2O (+M) <=> H + OH (+M)\n  type: falloff\n  \
                   high-P-rate-constant: {A: 1.0e+17, b: 0.0, Ea: 120000.0}\n  \
                   Troe: {A: 0.5, T3: 1.0e-30, T1: 1.0e+30}\n  low-P-rate-constant:";
    assert!(text.contains(three_body));
    let radicals = [("H", 5e-4), ("OH", 2e-3), ("H2O", 0.05), ("N2", 0.9475)];
    let atoms = [("N", 0.01), ("N2", 0.99)];
    for (text, mixture, p, dt) in [
        (text.to_owned(), &radicals[..], 101_325.0, 1e-5),
        (text.replace(three_body, falloff), &radicals, 101_325.0, 1e-5),
        (ABSENT.to_owned(), &atoms, 1e3, 1e-3),
    ] {
        let network = kinlane_mech::cantera::read_str(text, Path::new("made_up.yaml"), None, &[]).unwrap();
        let plan = Arc::new(Plan::new(&network));
        let part = |name: &str| mixture.iter().find(|(s, _)| *s == name).map_or(0.0, |x| x.1);
        let y: Vec<f64> = network.species.iter().map(|s| part(&s.name)).collect();
        let states: Vec<State> = (0..9).map(|i| State { t: 370.0 + 47.5 * f64::from(i), p, y: y.clone() }).collect();
        let method = Some("rodas5p".to_owned());
        let options = Options { rtol: 1e-4, method, reactor: Reactor::FixedT, ..Options::default() };
        let want = Runner::lanes(&plan, &options).run(&states, dt, Layout::CellMajor, None);
        for device in tested() {
            let settings = Settings { precision: Precision::F32, ..Settings::default() };
            let mut runner = Runner::devices(&plan, &options, &[device], settings);
            let got = runner.run(&states, dt, Layout::CellMajor, None);
            let far = off(&got, &want);
            eprintln!("off by {far:.1e}, {} cells left to the CPU", runner.device().rescued());
            assert!(far < 1e-2 && runner.device().rescued() == 0, "off by {far:e}");
        }
    }
}
