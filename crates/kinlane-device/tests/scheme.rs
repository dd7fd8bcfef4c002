//! Networks whose rate constants come with each cell: the bits of the lanes on every device.

#[allow(dead_code, reason = "it is shared with tests of gases")]
mod common;

use common::tested;
use kinlane_device::{DeviceEngine, MappingWish, Settings};
use kinlane_lanes::{Cells, Engine, EngineError, Layout, Points, Signals, Source};
use kinlane_plan::{Conversion, Plan};
use kinlane_solve::{Options, Outcome, Reactor, Status};
use kinlane_testdata::Random;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// Emission, loss, two and three molecules, fractions, a negative product, four molecules at once; with the sizes of
/// their rate constants.
type Side = &'static [(usize, f64)];
const REACTIONS: [(Side, Side, f64); 8] = [
    (&[], &[(0, 1.0)], 1e-3),
    (&[(0, 1.0)], &[(1, 1.0), (2, 0.5)], 1e2),
    (&[(1, 1.0), (2, 1.0)], &[(3, 1.0)], 1e5),
    (&[(1, 2.0)], &[(0, 0.7), (4, -0.1)], 1e3),
    (&[(3, 1.0), (2, 2.0)], &[(4, 3.0)], 1e4),
    (&[(4, 1.0)], &[], 1e-1),
    (&[(0, 2.0), (4, 2.0)], &[(5, 1.0)], 1e2),
    (&[(3, 1.0)], &[(1, 1.0), (2, 1.0)], 1e4),
];
const SPECIES: usize = 6;

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

struct Batch {
    t: Vec<f64>,
    p: Vec<f64>,
    y: Vec<f64>,
    k: Vec<f64>,
    outcome: Vec<Outcome>,
}

impl Batch {
    fn new(n: usize) -> Self {
        let mut r = Random::new(7);
        Self {
            t: vec![300.0; n],
            p: vec![1.0; n],
            y: (0..n * SPECIES).map(|_| r.uniform(0.0, 1.0)).collect(),
            k: (0..n).flat_map(|_| REACTIONS.map(|x| x.2)).map(|k| k * r.uniform(0.1, 10.0)).collect(),
            outcome: vec![Outcome::default(); n],
        }
    }

    fn cells(&mut self) -> Cells<'_> {
        let mut cells = Cells::new(&mut self.t, &mut self.p, &mut self.y, Layout::CellMajor, &mut self.outcome);
        cells.constants = Some(&self.k);
        cells
    }
}

fn plan() -> Arc<Plan> {
    let all = REACTIONS.map(|(reactants, products, _)| Conversion { reactants, products });
    Arc::new(Plan::given(&[1.0; SPECIES], &all))
}

#[test]
fn given_rate_constants_give_the_bits_of_the_lanes() {
    let (plan, n, dt) = (plan(), 137, 3.0);
    let (progress, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let sources = vec![1e-4; n * SPECIES];
    for method in ["auto", "rodas5p", "bdf", "radau5", "rkc"] {
        let method = Some(method.to_owned());
        let options = Options { method, rtol: 1e-5, atol: 1e-9, reactor: Reactor::FixedT, ..Options::default() };
        for with_sources in [false, true] {
            let heating = vec![0.0; n];
            let source = with_sources.then_some(Source { dydt: &sources, heating: &heating });
            let mut want = Batch::new(n);
            let mut lanes = Engine::new(Arc::clone(&plan), options.clone(), 1).unwrap();
            let mut cells = want.cells();
            cells.source = source;
            lanes.advance(cells, dt, Signals { progress: &progress, stop: &stop }).unwrap();
            assert!(want.outcome.iter().all(|o| o.status == Status::Done));
            for device in tested() {
                for (mapping, memory) in [
                    (MappingWish::Thread, None),
                    (MappingWish::Group, None),
                    (MappingWish::Unrolled, None),
                    (MappingWish::Thread, Some(300_000)),
                ] {
                    let settings = Settings { mapping, memory, ..Settings::default() };
                    let mut engine = DeviceEngine::new(&plan, &options, 1, &[device], settings).unwrap();
                    let mut got = Batch::new(n);
                    let mut cells = got.cells();
                    cells.source = source;
                    engine.advance(cells, dt, Signals { progress: &progress, stop: &stop }).unwrap();
                    assert_eq!(engine.failure(), None);
                    assert_eq!(engine.rescued(), 0);
                    assert_eq!(bits(&got.y), bits(&want.y), "{:?}, {mapping:?}, {memory:?}", options.method);
                    assert!(got.outcome.iter().zip(&want.outcome).all(|(a, b)| a.cost == b.cost));
                }
            }
        }
    }
}

#[test]
fn rates_follow_from_given_constants() {
    let (plan, n) = (plan(), 21);
    let batch = Batch::new(n);
    let mut at = Points::new(&batch.t, &batch.p, &batch.y, Layout::CellMajor);
    at.constants = Some(&batch.k);
    let options = Options { reactor: Reactor::FixedT, ..Options::default() };
    let size = (SPECIES + 1) * (SPECIES + 1);
    let mut lanes = Engine::new(Arc::clone(&plan), options.clone(), 2).unwrap();
    let [mut want, mut got] = [(); 2].map(|()| vec![0.0; n * SPECIES]);
    let [mut jac, mut got_jac] = [(); 2].map(|()| vec![0.0; n * size]);
    lanes.rates(at, &mut want, Some(&mut jac)).unwrap();
    // As the reactions say, and differences of it.
    let rates = |y: &[f64], k: &[f64]| {
        let mut f = [0.0; SPECIES];
        for ((from, to, _), k) in REACTIONS.iter().zip(k) {
            let q = from.iter().fold(*k, |q, &(i, nu)| q * y[i].powf(nu));
            from.iter().for_each(|&(i, nu)| f[i] -= nu * q);
            to.iter().for_each(|&(i, nu)| f[i] += nu * q);
        }
        f
    };
    for cell in 0..n {
        let y = &batch.y[cell * SPECIES..][..SPECIES];
        let k = &batch.k[cell * REACTIONS.len()..][..REACTIONS.len()];
        let f = rates(y, k);
        let gross = k.iter().sum::<f64>();
        for i in 0..SPECIES {
            assert!((want[cell * SPECIES + i] - f[i]).abs() < 1e-13 * gross);
            let mut up = y.to_vec();
            up[i] += 1e-6;
            let above = rates(&up, k);
            for j in 0..SPECIES {
                let entry = jac[cell * size + j * (SPECIES + 1) + i];
                assert!((entry - (above[j] - f[j]) / 1e-6).abs() < 1e-4 * gross, "{cell} {i} {j}: {entry}");
            }
        }
        assert!(jac[cell * size..][..size].iter().skip(SPECIES).step_by(SPECIES + 1).all(|x| *x == 0.0));
    }
    for device in tested() {
        for mapping in [MappingWish::Thread, MappingWish::Group] {
            let settings = Settings { mapping, ..Settings::default() };
            let mut engine = DeviceEngine::new(&plan, &options, 1, &[device], settings).unwrap();
            engine.rates(at, &mut got, Some(&mut got_jac)).unwrap();
            assert_eq!((bits(&got), bits(&got_jac)), (bits(&want), bits(&jac)), "{mapping:?}");
        }
    }
}

/// Where all species are held fixed there is nothing to be done, but the reactions go on.
#[test]
fn cells_without_species_are_left_to_the_cpu() {
    let plan = Arc::new(Plan::given(&[], &[Conversion { reactants: &[], products: &[] }]));
    let (progress, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let options = Options { reactor: Reactor::FixedT, ..Options::default() };
    let mut jac = [0.0; 3];
    for (device, lanes) in tested().into_iter().flat_map(|device| [(device, false), (device, true)]) {
        let settings = Settings { lanes, ..Settings::default() };
        let mut engine = DeviceEngine::new(&plan, &options, 1, &[device], settings).unwrap();
        engine.prepare(3).unwrap();
        assert!(engine.cuts(3).unwrap().is_empty());
        let (mut t, mut p, mut outcome) = ([300.0; 3], [1.0; 3], [Outcome::default(); 3]);
        let mut cells = Cells::new(&mut t, &mut p, &mut [], Layout::CellMajor, &mut outcome);
        cells.constants = Some(&[1e-3; 3]);
        let totals = engine.advance(cells, 1.0, Signals { progress: &progress, stop: &stop }).unwrap();
        assert_eq!((totals.failed, totals.rescued), (0, 0));
        assert!(outcome.iter().all(|o| o.status == Status::Done && o.t == 1.0));
        let mut at = Points::new(&[300.0; 3], &[1.0; 3], &[], Layout::CellMajor);
        at.constants = Some(&[1e-3; 3]);
        engine.rates(at, &mut [], Some(&mut jac)).unwrap();
        assert_eq!((jac, engine.failure()), ([0.0; 3], None));
    }
}

#[test]
fn constants_are_needed_and_checked() {
    let (plan, mut batch) = (plan(), Batch::new(3));
    let (progress, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut engine = Engine::new(Arc::clone(&plan), Options::default(), 1).unwrap();
    let mut cells = batch.cells();
    cells.constants = None;
    let fault = engine.advance(cells, 1.0, Signals { progress: &progress, stop: &stop }).unwrap_err();
    assert!(matches!(fault, EngineError::Length { what: "constants", got: 0, want: 24 }), "{fault}");
    batch.k[13] = f64::NAN;
    let fault = engine.advance(batch.cells(), 1.0, Signals { progress: &progress, stop: &stop }).unwrap_err();
    assert!(matches!(&fault, EngineError::Value { cell: 1, column, .. } if column == "k[5]"), "{fault}");
    let mut energies = vec![0.0; 3];
    let batch = Batch::new(3);
    let fault = engine
        .temperatures(Points::new(&batch.t, &batch.p, &batch.y, Layout::CellMajor), &[0.0; 3], &mut energies)
        .unwrap_err();
    assert!(matches!(fault, EngineError::NoThermodynamics));
}
