//! Debts: sources that take from what is not there, and fractions below zero, as transport and limiters leave both.

use crate::common::mechanism;
use kinlane::{Advance, Mechanism, Reactor, States};

/// A debt that grows by a source takes part in nothing, in J as in f: it costs no steps.
#[test]
fn a_source_that_takes_from_nothing_costs_no_steps() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let burnt = [("N2", 0.744), ("O2", 0.079), ("H2O", 0.117), ("CO2", 0.059), ("OH", 5e-4), ("O", 2e-5), ("NO", 1e-3)];
    let y = mechanism.mass_fractions_of_moles(&burnt).expect("its species");
    let index = |name: &str| mechanism.species_index(name).expect(name);
    let (ethane, nitrogen) = (index("C2H6"), index("N2"));
    let steps = |method: &str, rate: f64, rtol: f64, atol: f64| {
        let mut dydt = vec![0.0; mechanism.species_count()];
        (dydt[ethane], dydt[nitrogen]) = (-rate, rate);
        let mut cell = States::new(&mechanism, vec![1900.0], vec![1e5], y.clone())
            .and_then(|cell| cell.with_source(dydt, vec![0.0]))
            .expect("good");
        let mut solver =
            Advance::builder(&mechanism).method(method).rtol(rtol).atol(atol).threads(1).plan().expect("plans");
        let report = solver.advance_states(&mut cell, 1e-5).expect("advances");
        assert_eq!(report.failed, 0, "{method}");
        let debt = cell.y()[ethane];
        assert!((debt + rate * 1e-5).abs() <= 1e-8 * rate + 1e-30, "{method}: {debt:e}");
        report.steps + report.rejected
    };
    for method in ["auto", "rodas5p", "rodas4", "rodas3", "ros4"] {
        for (rtol, atol) in [(1e-4, 1e-12), (1e-6, 1e-12), (1e-6, 1e-15)] {
            let without = steps(method, 0.0, rtol, atol);
            for rate in [2e-6, 2e-5, 2e-3] {
                let with = steps(method, rate, rtol, atol);
                assert!(
                    with <= without + without / 4 + 3,
                    "{method}, {rtol:e}, {atol:e}, {rate:e}: {with} for {without}"
                );
            }
        }
    }
}

/// One cell of hydrogen and air of the bundled mechanism over `dt` \[s\], from which a source takes one species at `rate` \[1/s\] and puts
/// nitrogen in its place.
struct Drained {
    mechanism: Mechanism,
    temperature: f64,
    pressure: f64,
    moles: Vec<(&'static str, f64)>,
    taken: &'static str,
    rate: f64,
    dt: f64,
}

impl Drained {
    /// Mass fractions behind it, attempted steps.
    fn advanced(&self, method: &str, rtol: f64, atol: f64) -> (Vec<f64>, u64) {
        let of = |name: &str| self.mechanism.species_index(name).expect(name);
        let y = self.mechanism.mass_fractions_of_moles(&self.moles).expect("its species");
        let mut dydt = vec![0.0; y.len()];
        (dydt[of(self.taken)], dydt[of("N2")]) = (-self.rate, self.rate);
        let mut cell = States::new(&self.mechanism, vec![self.temperature], vec![self.pressure], y)
            .and_then(|cell| cell.with_source(dydt, vec![0.0]))
            .expect("good");
        let mut solver =
            Advance::builder(&self.mechanism).method(method).rtol(rtol).atol(atol).threads(1).plan().expect("plans");
        let report = solver.advance_states(&mut cell, self.dt).expect("advances");
        assert_eq!(report.failed, 0, "{method}");
        (cell.y().to_vec(), report.steps + report.rejected)
    }
}

/// The debt does not react backwards: that would take from others, as long as the source goes on. HO2 came to -2e-8 and 20 000
/// tolerances beside the answer.
#[test]
fn a_debt_takes_nothing_from_others() {
    let cells = [
        (600.0, vec![("H2", 0.3), ("O2", 0.15), ("N2", 0.55), ("H2O2", 1e-4)], "OH"),
        (900.0, vec![("H2", 0.3), ("O2", 0.15), ("N2", 0.55)], "H"),
        (1500.0, vec![("H2O", 0.2), ("O2", 0.05), ("N2", 0.75)], "H"),
    ];
    for (temperature, moles, taken) in cells {
        let mechanism = Mechanism::bundled("h2").expect("is bundled");
        let own = mechanism.species_index(taken).expect(taken);
        let cell = Drained { mechanism, temperature, pressure: 101_325.0, moles, taken, rate: 1e-2, dt: 1e-4 };
        let (right, _) = cell.advanced("rodas5p", 1e-10, 1e-18);
        for (method, rtol) in
            [("radau5", 1e-6), ("sdirk4", 1e-6), ("bdf", 1e-6), ("ndf", 1e-6), ("backward-euler", 1e-3), ("auto", 1e-9)]
        {
            let atol = 1e-6 * rtol;
            let (y, _) = cell.advanced(method, rtol, atol);
            for (k, (&y, &right)) in y.iter().zip(&right).enumerate() {
                let off = (y - right).abs() / rtol.mul_add(right.abs(), atol);
                assert!(off < 10.0, "{method}, {taken} taken at {temperature} K: species {k} is {y:e}, not {right:e}");
                assert!(k == own || y > -0.1 * atol, "{method}, {taken} taken: species {k} is {y:e}");
            }
        }
    }
}

/// Where more is made than taken a species is there, however little of it, and costs no more steps than without the source:
/// amounts below zero are the noise of steps then. (They were taken for a debt, and BDF needed 39 921 steps.)
#[test]
fn what_is_made_faster_than_taken_is_no_debt() {
    let mechanism = Mechanism::bundled("h2").expect("is bundled");
    let moles = vec![("H2", 0.3), ("O2", 0.15), ("N2", 0.55)];
    let mut cell =
        Drained { mechanism, temperature: 700.0, pressure: 1_013_250.0, moles, taken: "H", rate: 1e-12, dt: 1e-2 };
    for (method, rtol) in [("bdf", 1e-8), ("bdf", 1e-6), ("ndf", 1e-8), ("radau5", 1e-8), ("sdirk4", 1e-8)] {
        let (_, with) = cell.advanced(method, rtol, 1e-6 * rtol);
        let taken = std::mem::replace(&mut cell.rate, 0.0);
        let (_, without) = cell.advanced(method, rtol, 1e-6 * rtol);
        cell.rate = taken;
        assert!(with <= 2 * without + 20, "{method}, {rtol:e}: {with} for {without}");
    }
}

/// What comes in below zero waits until what is produced of it has paid, with every method. (Where methods iterate it reacted backwards:
/// HO2 and CO2 came to -1e-9 and 2000 tolerances beside the answer, at three times the steps.)
#[test]
fn debts_at_the_entry_react_with_no_method() {
    // The mechanism, T [K], moles, and what of mass fractions is missing.
    type Amounts = &'static [(&'static str, f64)];
    let cells: [(&str, f64, Amounts, Amounts); 4] = [
        ("h2", 1500.0, &[("H2", 0.3), ("O2", 0.15), ("N2", 0.55)], &[("OH", -2e-8)]),
        ("h2", 900.0, &[("H2", 0.3), ("O2", 0.15), ("N2", 0.55)], &[("O", -5e-9)]),
        ("gri30", 1434.0, &[("CH4", 0.1), ("O2", 0.2), ("N2", 0.7)], &[("CH3O", -1e-9), ("HCO", -1e-9)]),
        ("gri30", 900.0, &[("CH4", 0.1), ("O2", 0.2), ("N2", 0.7)], &[("CH2", -1e-9), ("H", -1e-9)]),
    ];
    for (name, temperature, moles, debts) in cells {
        let mechanism = Mechanism::bundled(name).expect("is bundled");
        let of = |name: &str| mechanism.species_index(name).expect(name);
        let mut entry = mechanism.mass_fractions_of_moles(moles).expect("its species");
        for (species, debt) in debts {
            entry[of(species)] += debt;
            entry[of("N2")] -= debt;
        }
        let advanced = |method: &str, rtol: f64, atol: f64| {
            let mut cell = States::new(&mechanism, vec![temperature], vec![101_325.0], entry.clone()).expect("good");
            let mut solver =
                Advance::builder(&mechanism).method(method).rtol(rtol).atol(atol).threads(1).plan().expect("plans");
            let report = solver.advance_states(&mut cell, 1e-6).expect("advances");
            assert_eq!(report.failed, 0, "{method}");
            cell.y().to_vec()
        };
        let right = advanced("rodas5p", 1e-10, 1e-18);
        for (method, rtol) in [("radau5", 1e-6), ("sdirk4", 1e-6), ("bdf", 1e-6), ("ndf", 1e-6), ("auto", 1e-8)] {
            let atol = 1e-6 * rtol;
            for (k, (y, right)) in advanced(method, rtol, atol).iter().zip(&right).enumerate() {
                let off = (y - right).abs() / rtol.mul_add(right.abs(), atol);
                assert!(off < 10.0, "{method}, {name} at {temperature} K: species {k} is {y:e}, not {right:e}");
            }
        }
    }
}

/// In a gas that cannot react a source takes from a species that is not there: nothing else may come of it. (Rosenbrock methods borrowed next to
/// nothing through its column of J, from which the gas ignited, at every tolerance.)
#[test]
fn nothing_begins_with_what_is_not_there() {
    let mechanism = Mechanism::bundled("gri30").expect("is bundled");
    let of = |name: &str| mechanism.species_index(name).expect(name);
    for (taken, rate) in [("O", 1e-8), ("N2O", 1e-4)] {
        for method in ["auto", "rodas5p", "rodas4", "ros4", "radau5", "bdf"] {
            let mut y = vec![0.0; mechanism.species_count()];
            (y[of("NH3")], y[of("C2H")]) = (0.54, 0.46);
            let mut dydt = vec![0.0; y.len()];
            (dydt[of(taken)], dydt[of("NH3")]) = (-rate, rate);
            let mut cell = States::new(&mechanism, vec![3329.0], vec![1.2e6], y)
                .and_then(|cell| cell.with_source(dydt, vec![0.0]))
                .expect("good");
            let mut solver = Advance::builder(&mechanism).method(method).threads(1).plan().expect("plans");
            let report = solver.advance_states(&mut cell, 1e-4).expect("advances");
            let t = cell.temperature()[0];
            assert!(report.failed == 0 && (t - 3329.0).abs() < 0.1, "{method}, {taken}: {t} K");
        }
    }
}

/// A species that two fast equilibria use up, at some time of a step. A source that takes next to nothing from it changes nothing. (What fell
/// far below zero was taken for what the source had taken, however little that was: -0.02 to -0.06, status ok, at every tolerance.)
#[test]
fn what_falls_below_zero_is_not_what_a_source_takes() {
    let species = [
        ("A", "H: 1", 97, 265, 30),
        ("B", "O: 1", -34, 210, 30),
        ("C", "H: 2", 94, 246, 60),
        ("D", "H: 1, O: 1", 151, 262, 60),
        ("E", "H: 1, O: 1", 96, 155, 60),
        ("F", "H: 2", 127, 251, 60),
        ("G", "H: 3", 109, 220, 90),
    ];
    let declare = |(name, atoms, h, s, cp): &(&str, &str, i32, i32, i32)| {
        format!(
            "- {{name: {name}, composition: {{{atoms}}}, thermo: {{model: constant-cp, T0: 400 K, h0: {h} kJ/mol, \
             s0: {s} J/mol/K, cp0: {cp} J/mol/K}}}}\n"
        )
    };
    let mechanism = mechanism(&format!(
        "units: {{length: cm, quantity: mol}}\nphases:\n- {{name: gas, thermo: ideal-gas, kinetics: gas, elements: [H, O], \
         species: [A, B, C, D, E, F, G]}}\nspecies:\n{}reactions:\n\
         - {{equation: A + C <=> G, rate-constant: {{A: 1e12, b: 0, Ea: 0}}}}\n\
         - {{equation: B + F <=> A + E, rate-constant: {{A: 1e2, b: 0, Ea: 0}}}}\n\
         - {{equation: B + G <=> F + D, rate-constant: {{A: 1e14, b: 0, Ea: 0}}}}\n",
        species.iter().map(declare).collect::<String>()
    ));
    let (n, dt) = (300, 7.67e-7);
    let t: Vec<f64> = (0..n).map(|i| 300.0 + 700.0 * f64::from(i) / f64::from(n - 1)).collect();
    let y = [0.553, 0.003, 0.097, 0.04, 0.304, 0.002, 0.001].repeat(t.len());
    for (method, rtol) in [("auto", 1e-3), ("auto", 1e-6), ("rodas4", 1e-3), ("radau5", 1e-6), ("bdf", 1e-6)] {
        let run = |taken: f64| {
            let mut cells = States::new(&mechanism, t.clone(), vec![1.2e5; t.len()], y.clone()).expect("good");
            if taken > 0.0 {
                let dydt = [taken, 0.0, 0.0, -taken, 0.0, 0.0, 0.0].repeat(t.len());
                cells = cells.with_source(dydt, vec![0.0; t.len()]).expect("fits");
            }
            let mut solver = Advance::builder(&mechanism).method(method).rtol(rtol).reactor(Reactor::FixedT);
            solver = solver.threads(1);
            assert_eq!(solver.plan().expect("plans").advance_states(&mut cells, dt).expect("advances").failed, 0);
            cells.y().to_vec()
        };
        let right = run(0.0);
        for taken in [1e-300, 1e-12 / dt] {
            for (i, (y, right)) in run(taken).iter().zip(&right).enumerate() {
                let off = (y - right).abs();
                assert!(
                    off < 1e3 * rtol.mul_add(*right, 1e-11),
                    "{method}, {rtol:e}, {taken:e}, number {i}: {y:e}, not {right:e}"
                );
            }
        }
    }
}
