//! States along ignitions of methane, where steps are refused: what a coarse tolerance and a small budget come to.

use kinlane::{Advance, Cells, Layout, Mechanism, Outcome, Reactor, States, Status};
use kinlane_testdata::files;
use kinlane_testdata::golden::Npz;

/// Cells of the golden file: T, p, Y.
struct Ignitions {
    mechanism: Mechanism,
    t: Vec<f64>,
    p: Vec<f64>,
    y: Vec<f64>,
}

impl Ignitions {
    fn new(stride: usize) -> Option<Self> {
        let (golden, data) = (files::golden()?, files::data()?);
        let mechanism = Mechanism::load(data.join("combustion/gri30/gri30.yaml")).unwrap();
        let mut npz = Npz::open(&golden.join("combustion/gri30.npz"));
        let [t, p, y] = ["T", "P", "Y"].map(|key| npz.array(key));
        let k = mechanism.species_count();
        let some: Vec<usize> = (0..t.len()).step_by(stride).collect();
        let pick = |x: &[f64]| some.iter().map(|&i| x[i]).collect::<Vec<f64>>();
        let rows = some.iter().flat_map(|&i| y[i * k..(i + 1) * k].to_vec()).collect();
        Some(Self { t: pick(&t), p: pick(&p), y: rows, mechanism })
    }

    /// Outcomes; a cell that fails must be as it was.
    fn advance(&self, method: &str, rtol: f64, max_steps: u32) -> Vec<Outcome> {
        let (mut t, mut p, mut y) = (self.t.clone(), self.p.clone(), self.y.clone());
        let mut outcome = vec![Outcome::default(); t.len()];
        let builder = Advance::builder(&self.mechanism).method(method).rtol(rtol).atol(1e-8);
        let builder = builder.max_steps(max_steps).threads(2);
        let mut solver = if method == "rk4" { builder.first_step(1e-9) } else { builder }.plan().unwrap();
        solver.advance(Cells::new(&mut t, &mut p, &mut y, Layout::CellMajor, &mut outcome), 1e-4).unwrap();
        let k = self.mechanism.species_count();
        for (i, _) in outcome.iter().enumerate().filter(|(_, o)| o.status != Status::Done) {
            let row = i * k..(i + 1) * k;
            assert_eq!((t[i], &y[row.clone()]), (self.t[i], &self.y[row]), "{method}, cell {i}");
        }
        outcome
    }
}

/// Where the first steps may be as long as the tolerance lets them, something could outgrow them.
#[test]
fn no_tolerance_makes_a_batch_blow_up() {
    let Some(cells) = Ignitions::new(16) else { return };
    for method in kinlane::methods().filter(|m| m.family.starts_with("Rosenbrock")) {
        let attempts = [1e-3, 1e-4, 1e-5].map(|rtol| {
            let outcome = cells.advance(method.name, rtol, 100_000);
            assert!(outcome.iter().all(|o| o.status == Status::Done), "{} at {rtol:e}", method.name);
            outcome.iter().map(|o| o.cost.steps + o.cost.rejected).sum::<u32>()
        });
        assert!(attempts[0] < attempts[2] && attempts[1] < attempts[2], "{}: {attempts:?}", method.name);
    }
}

/// What is not made for fast time scales neither hangs nor blows up on them: it ends by its budget.
#[test]
fn explicit_methods_end_by_their_budget_in_stiff_gas() {
    let Some(cells) = Ignitions::new(8) else { return };
    let explicit = ["explicit", "stabilised", "decay"];
    let methods: Vec<_> = kinlane::methods().filter(|m| explicit.contains(&m.stability)).collect();
    assert_eq!(methods.len(), 9);
    for method in methods {
        let outcome = cells.advance(method.name, 1e-6, 300);
        let count = |status| outcome.iter().filter(|o| o.status == status).count();
        let (done, spent) = (count(Status::Done), count(Status::TooManySteps));
        assert!(done + spent == outcome.len() && spent > 20, "{}: {done} done, {spent} spent", method.name);
        // Ten stages of RKC count as a step, but for the last one; and its estimates of the spectral radius cost something.
        let most = outcome.iter().map(|o| o.cost.rhs).max();
        assert!(method.stability != "stabilised" || most <= Some(4500), "{}: {most:?} evaluations", method.name);
    }
}

/// The rate falls by a factor of 1e5 as soon as there is any H, which is absent, and made: in some steps of Rodas5P it comes out just
/// below zero, again and again, and the time does not move. Another method arrives.
#[test]
fn who_creeps_climbs_the_ladder() {
    const TEXT: &str = "
phases:
- {name: gas, thermo: ideal-gas, kinetics: gas, elements: [H, O], species: [O, H, H*, H2*], reactions: all}
species:
- {name: O, composition: {O: 1}, thermo: {model: constant-cp, h0: 249 kJ/mol, s0: 161 J/mol/K, cp0: 20.8 J/mol/K}}
- {name: H, composition: {H: 1}, thermo: {model: constant-cp, h0: 218 kJ/mol, s0: 114 J/mol/K, cp0: 20.8 J/mol/K}}
- {name: H*, composition: {H: 1}, thermo: {model: constant-cp, h0: 218 kJ/mol, s0: 136 J/mol/K, cp0: 20.8 J/mol/K}}
- {name: H2*, composition: {H: 1}, thermo: {model: constant-cp, h0: 218 kJ/mol, s0: 114 J/mol/K, cp0: 20.8 J/mol/K}}
reactions:
- equation: H + H* (+ H) <=> 2 H2* (+ H)
  type: chemically-activated
  low-P-rate-constant: {A: 1.03437e7, b: 0, Ea: 1.028223e7 J/kmol}
  high-P-rate-constant: {A: 6.4485e11, b: 0, Ea: 1.419047e8 J/kmol}
  Troe: {A: 0.4021, T3: 50, T1: 100}
";
    let mechanism = Mechanism::from_text("odd", TEXT, None).unwrap();
    let gas = [("O", 0.559), ("H*", 0.037), ("H2*", 0.404)];
    // Beside it a cold cell, and one that nothing can advance.
    let y = States::uniform(&mechanism, 3, 2015.5, 8281.0, &gas).unwrap().y().to_vec();
    let mut states = States::new(&mechanism, vec![2015.5, 300.0, 1e9], vec![8281.0; 3], y).unwrap();
    let solver = Advance::builder(&mechanism).reactor(Reactor::ConstV).method("rodas5p").threads(1);
    let report = solver.plan().unwrap().advance_states(&mut states, 7.8e-4).unwrap();
    assert_eq!((report.cells, report.failed, report.rescued), (3, 1, 1));
    assert_eq!(states.outcomes()[0].status, Status::Done);
    let h = states.y()[1];
    assert!((h / 2.0458e-7 - 1.0).abs() < 1e-3, "{h:e}");
}
