//! Cells with intervals of their own, as hosts with local time steps have them.

use kinlane::{Advance, BatchError, Event, Happening, Mechanism, Quantity, States};

const DT: [f64; 4] = [3e-9, 1e-6, 2e-5, 4e-4];

/// Hydrogen and air from cold to burnt.
fn states(mechanism: &Mechanism) -> States {
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let t: Vec<f64> = (0..40).map(|i| 400.0 + 50.0 * f64::from(i)).collect();
    let n = t.len();
    States::new(mechanism, t, vec![101_325.0; n], y.repeat(n)).unwrap()
}

fn own(n: usize) -> Vec<f64> {
    (0..n).map(|i| DT[i % 4] * (1.0 + i as f64 / 100.0)).collect()
}

fn bits(s: &States, cell: usize) -> Vec<u64> {
    [s.temperature()[cell], s.pressure()[cell]].iter().chain(s.y_of(cell)).map(|x| x.to_bits()).collect()
}

#[test]
fn a_cell_has_the_bits_of_a_call_with_its_interval() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    for (method, first) in [("auto", None), ("auto", Some(1e-8)), ("bdf", None), ("rodas5p", None), ("dopri5", None)] {
        let plan = || {
            let plan = Advance::builder(&mechanism).method(method).threads(2);
            first.map_or(plan.clone(), |h| plan.first_step(h)).plan().unwrap()
        };
        let entry = states(&mechanism);
        let dt = own(entry.len());
        let mut all = entry.clone().with_intervals(dt.clone()).unwrap();
        assert_eq!(all.intervals(), Some(&*dt));
        plan().advance_states(&mut all, f64::NAN).unwrap();
        for (cell, &dt) in dt.iter().enumerate() {
            let mut one = entry.clone();
            plan().advance_states(&mut one, dt).unwrap();
            assert_eq!(bits(&all, cell), bits(&one, cell), "{method}, {first:?}, cell {cell}");
            let [a, b] = [&all, &one].map(|s| s.outcomes()[cell]);
            assert_eq!(a, b, "{method}, {first:?}, cell {cell}");
            assert_eq!(a.t, dt, "{method}: cell {cell} has not arrived");
        }
    }
}

#[test]
fn cells_that_go_on_do_so_by_their_intervals() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    for method in ["bdf", "rodas5p", "radau5"] {
        let mut solver = Advance::builder(&mechanism).method(method).threads(1).plan().unwrap();
        let entry = states(&mechanism);
        let dt = own(entry.len());
        let mut by = |parts: &[f64]| {
            let mut now = entry.clone();
            let mut kept = solver.continuation(now.len());
            for part in parts {
                now = now.with_intervals(dt.iter().map(|dt| dt * part).collect()).unwrap();
                let report = solver.advance_continuing(now.cells_mut(), &mut kept, f64::NAN).unwrap();
                assert_eq!(report.failed, 0, "{method}");
            }
            now
        };
        let (once, twice) = (by(&[1.0]), by(&[0.5, 0.5]));
        for cell in 0..dt.len() {
            assert_eq!(bits(&once, cell), bits(&twice, cell), "{method}, cell {cell}");
        }
    }
}

#[test]
fn what_happens_is_noted_within_each_interval() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let mut follow = Advance::builder(&mechanism).threads(1).follow().unwrap();
    let dt = vec![1e-5, 1e-3];
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).unwrap();
    let gas = |n: usize| States::new(&mechanism, vec![1100.0; n], vec![101_325.0; n], y.repeat(n)).unwrap();
    let mut cells = gas(2).with_intervals(dt).unwrap();
    let rise = Event { quantity: Quantity::Temperature, happening: Happening::SteepestRise };
    let times = [5e-6, 5e-4];
    let noted = follow.advance(&mut cells, f64::NAN, &times, &[rise]).unwrap();
    // The short cell does not ignite, and is not there at the later time.
    assert!(noted.found[0].is_nan() && noted.found[1] > 1e-5, "{:?}", noted.found);
    let width = noted.series.len() / 4;
    let t: Vec<f64> = noted.series.chunks_exact(width).map(|row| row[0]).collect();
    let alone = follow.advance(&mut gas(1), 1e-5, &times[..1], &[rise]).unwrap();
    assert_eq!(t[0].to_bits(), alone.series[0].to_bits());
    assert!(t[1].is_nan() && t[3] > 2000.0, "{t:?}");
    // A part of a mesh may have no cells.
    let mut none = gas(0).with_intervals(Vec::new()).unwrap();
    assert!(follow.advance(&mut none, f64::NAN, &times, &[rise]).unwrap().series.is_empty());
}

#[test]
fn intervals_are_checked() {
    let mechanism = Mechanism::bundled("h2").unwrap();
    let entry = states(&mechanism);
    let n = entry.len();
    assert!(matches!(entry.clone().with_intervals(vec![1.0]), Err(BatchError::Length { .. })));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut dt = own(n);
        dt[7] = bad;
        let fault = entry.clone().with_intervals(dt.clone()).unwrap_err();
        assert!(matches!(fault, BatchError::Value { cell: 7, .. }), "{fault}");
        // As a host lends them.
        let mut solver = Advance::builder(&mechanism).threads(1).plan().unwrap();
        let mut lent = entry.clone();
        let mut cells = lent.cells_mut();
        cells.intervals = Some(&dt);
        let fault = solver.advance(cells, 1e-6).unwrap_err();
        assert!(fault.to_string().contains("cell 7, dt"), "{fault}");
        assert_eq!(bits(&lent, 0), bits(&entry, 0));
    }
    // What sources may change is reckoned over a cell's own interval.
    let k = mechanism.species_count();
    let mut dydt = vec![0.0; n * k];
    dydt[3 * k] = 1.0;
    let with = |dt: f64| {
        let mut all = vec![1e-9; n];
        all[3] = dt;
        let cells = entry.clone().with_source(dydt.clone(), vec![0.0; n]).unwrap();
        let mut cells = cells.with_intervals(all).unwrap();
        Advance::builder(&mechanism).threads(1).plan().unwrap().advance_states(&mut cells, 1.0).map(|_| ())
    };
    assert!(with(1e-8).is_ok());
    assert!(matches!(with(1e-3), Err(BatchError::Unbalanced { cell: 3, .. })));
}
