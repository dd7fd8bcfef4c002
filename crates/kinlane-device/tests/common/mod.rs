//! What the tests of devices share: a device, cells, both ways to advance them.

use kinlane_device::{Api, DeviceEngine, Settings, devices};
use kinlane_lanes::{Cells, Continuation, Engine, Event, Layout, PerMethod, Signals, Source, Watch};
use kinlane_plan::Plan;
use kinlane_solve::{Options, Outcome};
use kinlane_testdata::State;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Every device that can be tested; with `CI` set there must be one.
pub fn tested() -> Vec<(Api, usize)> {
    let (found, absent) = devices();
    let able: Vec<_> = found.iter().filter(|d| d.doubles).map(|d| (d.api, d.index)).collect();
    if able.is_empty() {
        let why: Vec<String> = absent.iter().map(|a| a.reason.to_string()).collect();
        kinlane_testdata::skipped(&format!("no device to test: {}", why.join("; ")));
    }
    able
}

/// What comes from outside, cell-major; none of what is empty.
#[derive(Clone, Default)]
pub struct Sources {
    pub dydt: Vec<f64>,
    pub heating: Vec<f64>,
    /// Intervals of the cells' own.
    pub intervals: Vec<f64>,
}

/// Who advances, and how many cells of the last batch arrived by each method, where they choose.
pub struct Runner {
    pub backend: Backend,
    pub chosen: PerMethod<usize>,
    /// When a batch is stopped, if it is.
    pub stop_after: Option<Duration>,
}

/// See [`Runner`].
pub enum Backend {
    Lanes(Box<Engine>),
    Devices(Box<DeviceEngine>),
}

/// What is wanted of a batch.
enum Wish<'a, 'b> {
    Advance,
    Watch(&'a mut Watch<'b>),
    GoOn(&'a mut Continuation),
}

/// What was noted of watched cells.
#[derive(Default)]
pub struct Noted {
    pub series: Vec<f64>,
    pub found: Vec<f64>,
}

impl Runner {
    pub fn lanes(plan: &Arc<Plan>, options: &Options) -> Self {
        let backend = Backend::Lanes(Box::new(Engine::new(plan.clone(), options.clone(), 1).unwrap()));
        Self { backend, chosen: [0; 4], stop_after: None }
    }

    pub fn devices(plan: &Arc<Plan>, options: &Options, devices: &[(Api, usize)], settings: Settings) -> Self {
        let backend = Backend::Devices(Box::new(DeviceEngine::new(plan, options, 1, devices, settings).unwrap()));
        Self { backend, chosen: [0; 4], stop_after: None }
    }

    /// The device's engine.
    pub fn device(&self) -> &DeviceEngine {
        match &self.backend {
            Backend::Devices(e) => e,
            Backend::Lanes(_) => panic!("it was made without a device"),
        }
    }

    /// As [`Runner::device`].
    pub fn device_mut(&mut self) -> &mut DeviceEngine {
        match &mut self.backend {
            Backend::Devices(e) => e,
            Backend::Lanes(_) => panic!("it was made without a device"),
        }
    }

    /// States, outcomes and notes after `dt`.
    pub fn watch(
        &mut self,
        states: &[State],
        dt: f64,
        times: &[f64],
        events: &[Event],
    ) -> (Vec<(State, Outcome)>, Noted) {
        let (cells, n) = (states.len(), states[0].y.len());
        // What was there before is no answer.
        let (mut series, mut found) = (vec![-7.0; cells * times.len() * (n + 2)], vec![-7.0; cells * events.len()]);
        let mut watch = Watch { times, series: &mut series, events, found: &mut found };
        let out = self.go(states, dt, Layout::CellMajor, None, Wish::Watch(&mut watch));
        (out, Noted { series, found })
    }

    /// States and outcomes after `dt`, of cells that go on from an earlier call.
    pub fn go_on(
        &mut self,
        states: &[State],
        c: &mut Continuation,
        dt: f64,
        layout: Layout,
        s: Option<&Sources>,
    ) -> Vec<(State, Outcome)> {
        self.go(states, dt, layout, s, Wish::GoOn(c))
    }

    /// A continuation for so many cells.
    pub fn continuation(&self, cells: usize) -> Continuation {
        match &self.backend {
            Backend::Lanes(e) => e.continuation(cells),
            Backend::Devices(e) => e.cpu().continuation(cells),
        }
    }

    /// States and outcomes after `dt`.
    pub fn run(&mut self, states: &[State], dt: f64, layout: Layout, s: Option<&Sources>) -> Vec<(State, Outcome)> {
        self.go(states, dt, layout, s, Wish::Advance)
    }

    fn go(
        &mut self,
        states: &[State],
        dt: f64,
        layout: Layout,
        s: Option<&Sources>,
        wish: Wish<'_, '_>,
    ) -> Vec<(State, Outcome)> {
        let (cells, n) = (states.len(), states[0].y.len());
        let mut t: Vec<f64> = states.iter().map(|s| s.t).collect();
        let mut p: Vec<f64> = states.iter().map(|s| s.p).collect();
        let at = |c: usize, k: usize| if layout == Layout::CellMajor { c * n + k } else { k * cells + c };
        let laid = |x: &dyn Fn(usize, usize) -> f64| {
            let mut out = vec![0.0; cells * n];
            (0..cells).for_each(|c| (0..n).for_each(|k| out[at(c, k)] = x(c, k)));
            out
        };
        let mut y = laid(&|c, k| states[c].y[k]);
        let dydt = s.filter(|s| !s.dydt.is_empty()).map(|s| laid(&|c, k| s.dydt[c * n + k]));
        let mut outcome = vec![Outcome::default(); cells];
        let mut batch = Cells::new(&mut t, &mut p, &mut y, layout, &mut outcome);
        batch.intervals = s.map(|s| &*s.intervals).filter(|dt| !dt.is_empty());
        batch.source = s.zip(dydt.as_ref()).map(|(s, dydt)| Source { dydt, heating: &s.heating });
        let (progress, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (backend, wait, stopped) = (&mut self.backend, self.stop_after, &stop);
        let totals = std::thread::scope(|scope| {
            if let Some(wait) = wait {
                scope.spawn(move || {
                    std::thread::sleep(wait);
                    stopped.store(true, Ordering::Relaxed);
                });
            }
            match (backend, wish) {
                (Backend::Lanes(e), Wish::Advance) => {
                    e.advance(batch, dt, Signals { progress: &progress, stop: stopped }).unwrap()
                }
                (Backend::Lanes(e), Wish::Watch(w)) => {
                    e.advance_watched(batch, w, None, dt, Signals { progress: &progress, stop: stopped }).unwrap()
                }
                (Backend::Lanes(e), Wish::GoOn(c)) => {
                    e.advance_continuing(batch, c, dt, Signals { progress: &progress, stop: stopped }).unwrap()
                }
                (Backend::Devices(e), Wish::Advance) => {
                    e.advance(batch, dt, Signals { progress: &progress, stop: stopped }).unwrap()
                }
                (Backend::Devices(e), Wish::Watch(w)) => {
                    e.advance_watched(batch, w, dt, Signals { progress: &progress, stop: stopped }).unwrap()
                }
                (Backend::Devices(e), Wish::GoOn(c)) => {
                    e.advance_continuing(batch, c, dt, Signals { progress: &progress, stop: stopped }).unwrap()
                }
            }
        });
        self.chosen = totals.chosen;
        assert!(wait.is_some() || progress.into_inner() == cells);
        assert_eq!(totals.cost.steps, outcome.iter().map(|o| u64::from(o.cost.steps)).sum::<u64>());
        (0..cells).map(|c| (State { t: t[c], p: p[c], y: (0..n).map(|k| y[at(c, k)]).collect() }, outcome[c])).collect()
    }
}

pub fn bits(s: &State) -> Vec<u64> {
    s.y.iter().chain([&s.t, &s.p]).map(|x| x.to_bits()).collect()
}

/// Bit by bit, outcomes included.
pub fn same(what: &str, a: &[(State, Outcome)], b: &[(State, Outcome)]) {
    assert_eq!(a.len(), b.len());
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        assert_eq!(a.1, b.1, "{what}: outcome of cell {i}");
        assert_eq!(bits(&a.0), bits(&b.0), "{what}: cell {i}: {:?} and {:?}", a.0, b.0);
    }
}
