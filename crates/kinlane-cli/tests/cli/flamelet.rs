//! `kinlane flamelet`: its files, its end, and what it refuses.

use crate::common::{Bench, load, stderr, stdout};

const FLAME: [&str; 9] =
    ["flamelet", "h2", "--fuel", "H2:1,N2:1", "--oxidizer", "O2:1,N2:3.76", "--points", "20", "--chi"];

#[test]
fn a_flame_comes_to_rest_and_its_points_are_a_batch() {
    let b = Bench::new();
    let files = ["--out", "f.npz", "--csv", "f.csv", "--picture", "f.svg", "--json", "f.json"];
    let o = b.kinlane(&[&FLAME[..], &["10"], &files].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(
        stdout(&o).contains("at rest after") && stdout(&o).contains("stoichiometric: z = 0.3043"),
        "{}",
        stdout(&o)
    );
    let json = std::fs::read_to_string(b.path("f.json")).expect("the report");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let hottest = json["hottest"][1].as_f64().expect("a temperature");
    assert!(json["at_rest"].as_bool() == Some(true) && (1840.0..1880.0).contains(&hottest), "{json}");

    let f = load(&b.path("f.npz"));
    let (t, z, y) = (f["T"].numbers(), f["z"].numbers(), f["Y"].numbers());
    assert_eq!((t.len(), z.len(), f["chi"].numbers().len()), (20, 20, 20));
    let [steps, rejected] = ["steps", "rejected"].map(|name| f[name].numbers());
    let total = |x: &[f64]| x.iter().sum::<f64>();
    let said = |key: &str| json[key].as_f64().expect("a number");
    assert_eq!((steps.len(), total(&steps), total(&rejected)), (20, said("steps"), said("rejected")));
    assert!(z.is_sorted() && t.contains(&hottest) && y.iter().all(|y| *y >= 0.0));
    let csv = std::fs::read_to_string(b.path("f.csv")).expect("the table");
    // Oxidizer and fuel are in it as well.
    assert!(csv.starts_with("z,chi_1_s,T_K,X_") && csv.lines().count() == 23);
    assert!(csv.lines().nth(1).is_some_and(|l| l.starts_with("0,0e0,300,")) && csv.contains("\n1,0e0,300,"), "{csv}");
    let svg = std::fs::read_to_string(b.path("f.svg")).expect("the picture");
    assert!(svg.contains("mixture fraction") && svg.contains("0.0e0 s"));
    let o = b.kinlane(&["advance", "h2", "--states", "f.npz", "--dt", "1e-7", "--out", "a.npz"]);
    assert!(o.status.success() && !stderr(&o).contains("not read"), "{}", stderr(&o));
}

#[test]
fn it_ends_where_it_should_and_says_how() {
    let b = Bench::new();
    let hot = |o: &std::process::Output| {
        let json: serde_json::Value = serde_json::from_str(&stdout(o)).expect("JSON");
        (json["hottest"][1].as_f64().expect("a temperature"), json["t"].as_f64().expect("a time"))
    };
    let o = b.kinlane(&[&FLAME[..], &["1e5", "--json", "-"]].concat());
    assert!(o.status.success() && hot(&o).0 < 301.0 && stderr(&o).contains("gone out"), "{}{}", stdout(&o), stderr(&o));
    let o = b.kinlane(&[&FLAME[..], &["10", "--json", "-", "--end-time", "1ms", "--step", "0.3ms"]].concat());
    assert!(o.status.success() && (hot(&o).1 - 1e-3).abs() < 1e-12, "{}", stdout(&o));
    let o = b.kinlane(&[&FLAME[..], &["10", "--json", "-", "--end-time", "1us"]].concat());
    assert!(o.status.success() && (hot(&o).1 - 1e-6).abs() < 1e-15, "{}", stdout(&o));
    // Cold streams do not ignite; a hot one does.
    let mixed = ["10", "--json", "-", "--start", "mixed"];
    let o = b.kinlane(&[&FLAME[..], &mixed].concat());
    assert!(o.status.success() && hot(&o).0 < 310.0, "{}", stdout(&o));
    let o = b.kinlane(&[&FLAME[..], &mixed, &["--T", "1300", "--T-fuel", "300"]].concat());
    assert!(o.status.success() && hot(&o).0 > 1800.0, "{}", stdout(&o));
    // The ends are points, too.
    let ends = ["1e5", "--json", "-", "--start", "mixed", "--T", "900", "--T-fuel", "300"];
    let o = b.kinlane(&[&FLAME[..], &ends].concat());
    assert!(o.status.success() && hot(&o).0 == 900.0, "{}", stdout(&o));
}

/// Each flame begins with the one before: it gets colder until it goes out, and stays out.
#[test]
fn several_dissipation_rates_follow_the_burning_branch() {
    let b = Bench::new();
    let files = ["--out", "f.npz", "--csv", "f.csv", "--picture", "f.svg", "--json", "f.json"];
    let o = b.kinlane(&[&FLAME[..], &["10,300,1e4,10"], &files].concat());
    assert!(o.status.success(), "{}", stderr(&o));
    assert!(stderr(&o).contains("at chi = 10000/s the flame has gone out"), "{}", stderr(&o));
    let csv = std::fs::read_to_string(b.path("f.csv")).expect("the table");
    let rows: Vec<Vec<f64>> =
        csv.lines().skip(1).map(|l| l.split(',').map(|x| x.parse().expect("a number")).collect()).collect();
    let [first, second, third, last] = &rows[..] else { panic!("{csv}") };
    assert!(
        csv.starts_with("chi_1_s,z_hottest,T_hottest_K,t_s,at_rest,X_") && rows.iter().all(|r| r[4] == 1.0),
        "{csv}"
    );
    assert!(
        first[2] > 1840.0 && (1400.0..first[2] - 100.0).contains(&second[2]) && third[2].max(last[2]) < 301.0,
        "{csv}"
    );
    let f = load(&b.path("f.npz"));
    assert_eq!((f["T"].numbers().len(), f["chi_stoichiometric"].numbers()[20]), (80, 300.0));
    let json = std::fs::read_to_string(b.path("f.json")).expect("the report");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(json["flames"][3]["chi"].as_f64() == Some(10.0) && json["stoichiometric"].is_number(), "{json}");
    assert!(std::fs::read_to_string(b.path("f.svg")).expect("the picture").contains("scalar dissipation rate"));
    // The first of them is the one that it is alone.
    let o = b.kinlane(&[&FLAME[..], &["10", "--json", "-"]].concat());
    let alone: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
    assert_eq!(alone["hottest"], json["flames"][0]["hottest"]);
}

#[test]
fn pictures_show_the_species_asked_for() {
    let b = Bench::new();
    for (chi, axis) in [("10", "mixture fraction"), ("10,300", "scalar dissipation rate")] {
        let o = b.kinlane(&[&FLAME[..], &[chi, "--picture", "f.svg", "--show", "OH,H2O"]].concat());
        assert!(o.status.success(), "{}", stderr(&o));
        let svg = std::fs::read_to_string(b.path("f.svg")).expect("the picture");
        assert!(["OH", "H2O", "mole fraction", axis].iter().all(|word| svg.contains(word)), "{svg}");
        assert!(!svg.contains("temperature (K)"), "{svg}");
    }
    let o = b.kinlane(&[&FLAME[..], &["10", "--picture", "f.svg", "--show", "CH4"]].concat());
    assert!(o.status.code() == Some(2) && stderr(&o).contains("CH4"), "{}", stderr(&o));
    let o = b.kinlane(&[&FLAME[..], &["10", "--show", "OH"]].concat());
    assert!(o.status.code() == Some(2) && stderr(&o).contains("--picture"), "{}", stderr(&o));
}

/// Long before it ignites, a mixture that is warm enough changes its temperature by next to nothing.
#[test]
fn a_mixture_that_waits_for_its_ignition_is_not_at_rest() {
    let b = Bench::new();
    for (chi, t) in [("1", "850"), ("0.01", "750")] {
        let flame = ["flamelet", "h2", "--fuel", "H2:1,N2:1", "--oxidizer", "O2:1,N2:3.76", "--points", "50"];
        let o = b.kinlane(&[&flame[..], &["--chi", chi, "--T", t, "--start", "mixed", "--json", "-"]].concat());
        let json: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
        let hottest = json["hottest"][1].as_f64().expect("a temperature");
        assert!(json["at_rest"].as_bool() == Some(true) && hottest > 2300.0, "{json}");
    }
}

#[test]
fn a_flame_whose_points_fail_is_not_at_rest() {
    let b = Bench::new();
    let o = b.kinlane(&[&FLAME[..], &["10", "--step", "0.1", "--max-steps", "20", "--json", "-"]].concat());
    let json: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
    assert!(o.status.code() == Some(1) && json["at_rest"].as_bool() == Some(false), "{json}");
    assert!(
        json["unrest"].is_null() && stderr(&o).contains("reactions of a point over a step failed"),
        "{}",
        stderr(&o)
    );
}

/// Points that cannot react keep their states: what they do not come to in many steps they will not come to in more.
#[test]
fn a_flame_whose_points_always_fail_is_left() {
    let b = Bench::new();
    let failing = [&FLAME[..], &["10", "--max-steps", "1", "--json", "-"]].concat();
    let o = b.kinlane(&failing);
    let json: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
    assert!(o.status.code() == Some(1) && json["fractional_steps"].as_u64() == Some(1000), "{json}");
    let told = stderr(&o);
    assert!(told.contains("have failed in 1000 steps in a row") && !told.contains("come to rest"), "{told}");
    // A time that is asked for is run.
    let o = b.kinlane(&[&failing[..], &["--end-time", "1.1ms", "--step", "1us"]].concat());
    let json: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
    assert!(json["fractional_steps"].as_u64() == Some(1100) && !stderr(&o).contains("in a row"), "{json}");
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let b = Bench::new();
    for (wrong, said) in [
        (&["0"][..], "positive"),
        (&["10", "--step", "0"], "positive"),
        (&["10", "--T", "300,400"], "one is needed"),
        (&["10", "--method", "nonsense"], "no method `nonsense`"),
        (&["10", "--method", "rk4"], "take another --method"),
        (&["10", "--phi", "2"], "every equivalence ratio, from oxidizer to fuel; leave --phi out"),
        (&["10", "--T", "5"], "--T: a gas of 5 K cannot flow in; the laws hold from 10 to 50000 K"),
        (&["10", "--T-fuel", "60000"], "--T-fuel: a gas of 60000 K"),
    ] {
        let o = b.kinlane(&[&FLAME[..], wrong].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains(said), "{wrong:?}: {}", stderr(&o));
    }
    let o = b.kinlane(&["flamelet", "h2", "--mixture", "H2:2,O2:1", "--chi", "10"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("--fuel and --oxidizer"), "{}", stderr(&o));
}

#[test]
fn a_course_in_time_that_steps_do_not_resolve_is_told() {
    let b = Bench::new();
    let ignites = ["10", "--start", "mixed", "--T", "1000", "--T-fuel", "300"];
    let note = |more: &[&str]| {
        let o = b.kinlane(&[&FLAME[..], &ignites, more].concat());
        assert!(o.status.success(), "{}", stderr(&o));
        stderr(&o).contains("K in a step of") && stderr(&o).contains("try --step")
    };
    assert!(note(&["--end-time", "2.8ms"]) && note(&["--picture", "f.svg"]));
    assert!(!note(&["--end-time", "2.8ms", "--step", "1e-6"]), "steps are short enough");
    // The flame at rest does not depend on the way there.
    assert!(!note(&["--csv", "f.csv"]));
}
