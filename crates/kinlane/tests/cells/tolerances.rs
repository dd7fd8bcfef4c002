//! Absolute tolerances of single species.

use kinlane::mech::reaclib::Selection;
use kinlane::{
    Advance, BatchError, Conditions, Mechanism, OptionError, Options, Parcel, PlanError, Precision, Reactor,
    ReadOptions, Report, Scheme, SchemeSolver, SchemeStates, States, Tolerances, TolerancesError, Zone, ZoneError,
    trace,
};
use kinlane_testdata::files;

/// Hydrogen and air on the way to ignition, without a radical.
fn cells(mechanism: &Mechanism, t: &[f64]) -> States {
    let y = mechanism.mass_fractions_of_moles(&[("H2", 2.0), ("O2", 1.0), ("N2", 3.76)]).expect("its species");
    States::new(mechanism, t.to_vec(), vec![101_325.0; t.len()], y.repeat(t.len())).expect("good")
}

const DT: f64 = 1e-5;
const LOOSE: f64 = 1e-3;

fn run(mechanism: &Mechanism, method: &str, atol: f64, own: &[(String, f64)]) -> (States, Report) {
    let mut states = cells(mechanism, &[1100.0, 1500.0]);
    let builder = Advance::builder(mechanism).method(method).rtol(1e-4).atol(atol).threads(1);
    let mut solver = builder.atol_of(own.iter().cloned()).plan().expect("plans");
    let report = solver.advance_states(&mut states, DT).expect("advances");
    assert_eq!(report.failed, 0, "{method}");
    (states, report)
}

/// The largest error of a species, relative to what there is of it.
fn error(mechanism: &Mechanism, species: &str, got: &States, want: &States) -> f64 {
    let k = mechanism.require(species).expect("a species");
    let of = |s: &States, cell: usize| s.y_of(cell)[k];
    (0..2).map(|cell| (of(got, cell) / of(want, cell) - 1.0).abs()).fold(0.0, f64::max)
}

/// A species with a small tolerance of its own is followed where the common one hides it. A large one hides it again.
#[test]
fn a_species_may_have_its_own() {
    let h2 = Mechanism::bundled("h2").expect("is bundled");
    let (want, _) = run(&h2, "radau5", 1e-20, &[]);
    let own = |value: f64| ["H2O2", "HO2"].map(|name| (name.to_owned(), value));
    for method in ["auto", "rodas5p", "radau5", "bdf", "sdirk4"] {
        let (loose, few) = run(&h2, method, LOOSE, &[]);
        let (fine, more) = run(&h2, method, LOOSE, &own(1e-16));
        let (hidden, _) = run(&h2, method, 1e-16, &own(LOOSE));
        let [loose, fine, hidden] = [loose, fine, hidden].map(|got| error(&h2, "H2O2", &got, &want));
        assert!(fine < 0.1 * loose && fine < 1e-2, "{method}: {fine:e}, {loose:e} without");
        assert!(more.steps > few.steps, "{method}");
        assert!(hidden < 2e-3, "{method}: the species that it is made from are followed: {hidden:e}");
    }
}

/// The same tolerance for each species is the common tolerance, whatever that one is.
#[test]
fn own_ones_of_all_are_a_common_one() {
    let h2 = Mechanism::bundled("h2").expect("is bundled");
    let own: Vec<(String, f64)> = h2.species_names().iter().map(|name| (name.clone(), 1e-13)).collect();
    for method in ["auto", "rodas4", "dopri5", "exprb43"] {
        let ((common, a), (each, b)) = (run(&h2, method, 1e-13, &[]), run(&h2, method, 1e-12, &own));
        assert_eq!(a.steps, b.steps, "{method}");
        let off = error(&h2, "H2O2", &each, &common);
        assert!(off < 1e-9, "{method}: {off:e}");
    }
}

/// What explains a cell takes its steps.
#[test]
fn they_count_wherever_a_cell_is_advanced() {
    let h2 = Mechanism::bundled("h2").expect("is bundled");
    let own = Tolerances::from_iter([("HO2", 1e-18), ("H", 1e-18)]);
    let options = Options { method: Some("rodas5p".into()), atol: Some(1e-8), atol_of: own, ..Options::default() };
    let mut one = cells(&h2, &[1100.0]);
    let (points, outcome) = trace(&h2, &options, &mut one, DT).expect("is traced");
    assert_eq!(points.iter().filter(|p| p.accepted).count(), outcome.cost.steps as usize);
    let mut fewer = cells(&h2, &[1100.0]);
    let options = Options { atol_of: Tolerances::default(), ..options };
    let (_, fewer) = trace(&h2, &options, &mut fewer, DT).expect("is traced");
    assert!(fewer.cost.steps < outcome.cost.steps);
}

const AIR: &str = "#DEFVAR\nA = IGNORE; B = IGNORE; C = IGNORE;\n#EQUATIONS\nA = B : 1e-5;\nB = C : 1e-2;\n";

/// A trace that the usual tolerance hides: 1e-3 of 1e6 molecules.
#[test]
fn schemes_and_parcels_have_them() {
    let scheme = Scheme::from_text("trace.kpp", AIR).expect("is read");
    let at = || Conditions { temperature: vec![280.0], amounts: vec![1e6, 0.0, 0.0], ..Conditions::default() };
    let want = {
        let (a, b) = (1e-5_f64, 1e-2);
        1e6 * a / (b - a) * ((-a * 100.0).exp() - (-b * 100.0).exp())
    };
    let options = |own: &[(&str, f64)]| Options {
        atol: Some(1e9),
        rtol: 1e-4,
        atol_of: own.iter().copied().collect(),
        ..Options::default()
    };
    let off = |got: f64| (got / want - 1.0).abs();
    let [hidden, seen] = [&[][..], &[("A", 1e-3), ("B", 1e-3)]].map(|own| {
        let mut states = SchemeStates::new(&scheme, at()).expect("good");
        let mut solver = SchemeSolver::builder(&scheme).options(options(own)).threads(1).plan().expect("plans");
        solver.advance(&mut states, 100.0).expect("advances");
        let mut parcel = Parcel::new(&scheme, at(), 0.0, &options(own)).expect("plans");
        parcel.advance(100.0, |_, _| ()).expect("advances");
        [states.conditions().amounts[1], parcel.amounts()[1]].map(off)
    });
    for (seen, hidden) in seen.iter().zip(&hidden) {
        assert!(*seen < 1e-6 && *seen < 0.1 * hidden, "{seen:e}, {hidden:e} without");
    }
}

#[test]
fn heated_zones_have_them() {
    let Some(data) = files::data() else { return };
    let options =
        ReadOptions { nuclides: Some(Selection::of("he4,c12,o16,ne20,mg24,si28,p")), ..ReadOptions::default() };
    let scheme = Scheme::load_with(data.join("nuclear/reaclib/reaclib_default2_20250330"), &options).expect("is read");
    let of = |name: &str| match name {
        "c12" => 0.5 / 12.0,
        "o16" => 0.5 / 16.0,
        _ => 0.0,
    };
    let abundances: Vec<f64> = scheme.species_names().iter().map(|name| of(name)).collect();
    let steps = |own: &[(&str, f64)]| {
        let options = Options {
            reactor: Reactor::ConstV,
            atol: Some(1e-3),
            atol_of: own.iter().copied().collect(),
            ..Options::default()
        };
        let mut zone = Zone::new(&scheme, [3.0, 1e7], &abundances, &options).expect("plans");
        zone.advance(1e-6).expect("advances");
        zone.steps()
    };
    assert!(steps(&[("si28", 1e-20), ("mg24", 1e-20)]) > steps(&[]));
    let options = Options { atol_of: [("si29", 1e-20)].into_iter().collect(), ..Options::default() };
    let refused = Zone::new(&scheme, [3.0, 1e7], &abundances, &options);
    assert!(matches!(refused, Err(ZoneError::Plan(PlanError::Species { .. }))));
}

#[test]
fn wrong_ones_are_refused() {
    let h2 = Mechanism::bundled("h2").expect("is bundled");
    let plan = |name: &str, own: f64| Advance::builder(&h2).atol_of([(name, own)]).plan().map(|_| ());
    let Err(PlanError::Species { option: "atol-of", cause }) = plan("ho2", 1e-15) else { panic!("planned") };
    assert!(matches!(*cause, BatchError::UnknownSpecies { nearest: Some(ref n), .. } if n == "HO2"));
    for own in [0.0, -1e-12, f64::NAN, f64::INFINITY, 1e-300] {
        assert!(matches!(plan("OH", own), Err(PlanError::Option(OptionError { option: "atol-of", .. }))), "{own:e}");
    }
    for (text, part) in [("OH", "OH"), ("OH:1e-9,H", "H"), ("OH:small", "OH:small"), ("OH:1e-9,H:", "H:")] {
        assert_eq!(text.parse::<Tolerances>(), Err(TolerancesError { part: part.to_owned() }), "{text}");
    }
    assert!("".parse::<Tolerances>().expect("none").is_empty());
    let own: Tolerances = "A(1,2):1e-9,B:2e-9".parse().expect("is read");
    assert_eq!(own.to_string(), "A(1,2):1e-9,B:2e-9");
    assert_eq!((own.of("A(1,2)"), own.of("C")), (Some(1e-9), None));
}

/// What is no tolerance at all is not refused as one that is too fine for a precision.
#[test]
fn none_is_not_too_fine() {
    let h2 = Mechanism::bundled("h2").expect("is bundled");
    for (rtol, too_fine) in
        [(1e-9, true), (5e-324, true), (0.0, false), (-0.0, false), (-1.0, false), (f64::NAN, false)]
    {
        let refused = Advance::builder(&h2).rtol(rtol).precision(Precision::Mixed).plan().expect_err("no tolerance");
        assert_eq!(matches!(refused, PlanError::TooFine { .. }), too_fine, "{rtol}: {refused}");
    }
}
