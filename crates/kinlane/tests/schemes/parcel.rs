//! One cell of a scheme whose surroundings change.

use kinlane::{BatchError, Conditions, Options, Parcel, ParcelError, PlanError, Scheme};

const TEXT: &str = "
#DEFVAR
A = IGNORE; B = IGNORE; C = IGNORE;
#EQUATIONS
A = B : 1e-3*SUN;
B = C : 2.0*EXP(-2000/TEMP);
";

fn at(amounts: &[f64]) -> Conditions {
    Conditions { temperature: vec![280.0], inputs: vec![0.0], amounts: amounts.to_vec(), ..Conditions::default() }
}

fn options(method: &str, rtol: f64) -> Options {
    Options { method: Some(method.to_owned()), rtol, ..Options::default() }
}

/// The sun rises and T with it; A and B by quadrature.
#[test]
fn surroundings_count_at_their_time() {
    let scheme = Scheme::from_text("day.kpp", TEXT).unwrap();
    let (sun, temperature) = (|t: f64| (t / 700.0).sin().powi(2), |t: f64| 280.0 + 20.0 * (t / 900.0).sin());
    let around = |t: f64, at: &mut Conditions| (at.inputs[0], at.temperature[0]) = (sun(t), temperature(t));
    let end = 3000.0;
    // dB/dt = j A − k B, by the classical method with small steps.
    let f = |t: f64, [a, b]: [f64; 2]| {
        let (j, k) = (1e-3 * sun(t), 2.0 * (-2000.0 / temperature(t)).exp());
        [-j * a, j * a - k * b]
    };
    let (mut y, n) = ([1e10, 0.0], 20_000);
    let h = end / f64::from(n);
    for i in 0..n {
        let t = h * f64::from(i);
        let moved = |k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
        let k1 = f(t, y);
        let k2 = f(t + 0.5 * h, moved(k1, 0.5 * h));
        let k3 = f(t + 0.5 * h, moved(k2, 0.5 * h));
        let k4 = f(t + h, moved(k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    for (method, rtol, within) in [
        ("auto", 1e-7, 1e-7),
        ("radau5", 1e-7, 1e-7),
        ("bdf", 1e-7, 1e-5),
        ("ndf", 1e-7, 1e-5),
        ("sdirk4", 1e-7, 1e-6),
        ("dopri5", 1e-7, 1e-6),
        ("rkc", 1e-6, 1e-4),
    ] {
        let mut parcel = Parcel::new(&scheme, at(&[1e10, 0.0, 0.0]), 0.0, &options(method, rtol)).unwrap();
        for _ in 0..5 {
            parcel.advance(end / 5.0, around).unwrap();
        }
        let got = parcel.amounts();
        println!("{method} {} {got:?} {y:?}", parcel.steps());
        let error = (0..2).map(|i| (got[i] / y[i] - 1.0).abs()).fold(0.0, f64::max);
        assert!(error < within, "{method}: {error:e}");
        assert!((got.iter().sum::<f64>() / 1e10 - 1.0).abs() < 1e-6 && (parcel.time() - end).abs() < 1e-9, "{method}");
    }
}

/// Radicals that code adds up count as they are in each stage.
#[test]
fn amounts_count_as_they_are() {
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 1e-12*RO2;\n#INLINE F90_RCONST\n RO2 = C(ind_A)\n#ENDINLINE\n";
    let scheme = Scheme::from_text("ro2.kpp", text).unwrap();
    let at = Conditions { temperature: vec![280.0], amounts: vec![1e9, 0.0], ..Conditions::default() };
    let mut parcel = Parcel::new(&scheme, at, 0.0, &Options::default()).unwrap();
    parcel.advance(3600.0, |_, _| ()).unwrap();
    assert!((parcel.amounts()[0] / (1e9 / 4.6) - 1.0).abs() < 1e-6, "{:?}", parcel.amounts());
    assert!(parcel.steps() > 0);
    let report = parcel.report();
    assert_eq!((report.cells, report.failed, report.steps), (1, 0, parcel.steps()));
    assert!(u64::from(report.steps_per_cell.min) == report.steps && report.rhs > report.steps && report.jac > 0);
    assert!(report.seconds > 0.0 && report.cpu_seconds > 0.0 && &*report.method == "radau5");
}

/// Species that reactions take without needing them may fall below zero; the clock may not.
#[test]
fn negative_products_count() {
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B - 0.5 B : 1e-3*SUN;\nA = A - 2 B : 1e-3;\n";
    let scheme = Scheme::from_text("taken.kpp", text).unwrap();
    for method in ["radau5", "bdf", "sdirk4", "dopri5"] {
        let at = Conditions {
            temperature: vec![280.0],
            inputs: vec![0.0],
            amounts: vec![1e10, 0.0],
            ..Conditions::default()
        };
        let mut parcel = Parcel::new(&scheme, at, 0.0, &options(method, 1e-8)).unwrap();
        parcel.advance(1000.0, |t, at| at.inputs[0] = t / 1000.0).unwrap();
        let a = 1e10 * (-0.5_f64).exp();
        assert!((parcel.amounts()[0] / a - 1.0).abs() < 1e-6, "{method}: {:?}", parcel.amounts());
        assert!(parcel.amounts()[1] < -1e8, "{method}: {:?}", parcel.amounts());
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let scheme = Scheme::from_text("day.kpp", TEXT).unwrap();
    let full = || at(&[1e10, 0.0, 0.0]);
    let new = |at: Conditions, options: &Options| Parcel::new(&scheme, at, 0.0, options).err();
    for method in ["rodas5p", "ros2", "exprb43"] {
        let fault = new(full(), &options(method, 1e-6));
        assert_eq!(
            fault,
            Some(ParcelError::Method { method: kinlane::methods().find(|m| m.name == method).unwrap().name })
        );
    }
    assert!(matches!(new(full(), &options("rk4", 1e-6)), Some(ParcelError::Plan(PlanError::NoStep { .. }))));
    assert!(matches!(new(full(), &options("euler", 1e-6)), Some(ParcelError::Plan(PlanError::UnknownMethod { .. }))));
    assert!(matches!(new(full(), &options("bdf", 2.0)), Some(ParcelError::Plan(PlanError::Option(_)))));
    // In another unit, unless somebody says that it is right.
    assert!(matches!(
        new(at(&[1e-9, 0.0, 0.0]), &Options::default()),
        Some(ParcelError::Batch(BatchError::Coarse { .. }))
    ));
    assert_eq!(new(at(&[1e-9, 0.0, 0.0]), &Options { atol: Some(1e-20), ..Options::default() }), None);
    let two = Conditions {
        temperature: vec![280.0; 2],
        inputs: vec![0.0; 2],
        amounts: vec![1e10; 6],
        ..Conditions::default()
    };
    assert!(matches!(
        new(two, &Options::default()),
        Some(ParcelError::Batch(BatchError::Length { got: 2, want: 1, .. }))
    ));
    let mut parcel = Parcel::new(&scheme, full(), 0.0, &Options::default()).unwrap();
    assert_eq!(parcel.advance(0.0, |_, _| ()), Err(ParcelError::Interval { dt: 0.0 }));
}

/// It stays where it was left, names the reaction, and may be asked to go on.
#[test]
fn a_rate_constant_that_is_not_finite_stops_it() {
    let scheme = Scheme::from_text("day.kpp", TEXT).unwrap();
    let mut parcel = Parcel::new(&scheme, at(&[1e10, 0.0, 0.0]), 0.0, &Options::default()).unwrap();
    let sun = |t: f64, at: &mut Conditions| at.inputs[0] = if t < 10.0 { 1.0 } else { f64::INFINITY };
    let Err(ParcelError::Stopped { time, not_finite: Some(label), .. }) = parcel.advance(100.0, sun) else { panic!() };
    assert!((9.0..10.0 + 1e-9).contains(&time) && label.contains("A = B"), "{time} {label}");
    assert_eq!(parcel.report().failed, 1);
    parcel.advance(90.0, |_, at| at.inputs[0] = 0.0).unwrap();
    assert_eq!(parcel.report().failed, 0);
    assert!((parcel.amounts()[0] / 1e10 - (-1e-3 * time).exp()).abs() < 1e-6, "{:?}", parcel.amounts());
}

/// The sun of each call is another: a step begins with what there is at its time.
#[test]
fn a_step_begins_with_the_surroundings_of_its_call() {
    let scheme =
        Scheme::from_text("day.kpp", "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 1e-3*SUN;\n").unwrap();
    for method in ["rkc", "heun", "radau5"] {
        let mut parcel = Parcel::new(&scheme, at(&[1e10, 0.0]), 0.0, &options(method, 1e-3)).unwrap();
        for call in 0..3000 {
            let sun = f64::from(u8::from(call % 3 == 2));
            parcel.advance(0.1, |_, at| at.inputs[0] = sun).unwrap();
        }
        let left = -(parcel.amounts()[0] / 1e10).ln();
        assert!((left / 0.1 - 1.0).abs() < 1e-3, "{method}: {left}");
    }
}
