//! The contract of `check`, `rates` and `advance` for reaction schemes: what they read, what they write, how they end.

use crate::common::{Array, Bench, Npz, load, save, stderr, stdout};

const CHAPMAN: &str = "
#DEFVAR
O = O;  O3 = 3O;
#DEFFIX
O2 = 2O;  M = IGNORE;
#EQUATIONS
<light>  O2 + hv = 2O     : j(Pj_o2);
<ozone>  O + O2 + M = O3 + M : 6e-34*(TEMP/300)**(-2.4);
<photo>  O3 + hv = O + O2 : 1.5e-3*SUN;
<loss>   O + O3 = 2O2     : 8e-12*EXP(-2060/TEMP);
";

const SPECIES: [&str; 4] = ["M", "O3", "O", "O2"];

fn bench() -> Bench {
    let b = Bench::new();
    std::fs::write(b.path("chapman.def"), CHAPMAN).expect("written");
    b
}

/// Three cells, the columns not in the order of the file.
fn states() -> Npz {
    let row = [1.9e17, 2e12, 1e7, 4e16];
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&SPECIES));
    npz.insert("T", Array::f64(&[3], &[220.0, 240.0, 260.0]));
    npz.insert("SUN", Array::f64(&[3], &[1.0, 0.5, 0.0]));
    npz.insert("C", Array::f64(&[3, 4], &row.repeat(3)));
    npz.insert("photolysis", Array::text(&["unused", "Pj_O2"]));
    npz.insert("J", Array::f64(&[3, 2], &[9.0, 5e-11, 9.0, 2.5e-11, 9.0, 0.0]));
    npz
}

const ADVANCE: [&str; 8] = ["advance", "chapman.def", "--states", "s.npz", "--dt", "3600", "--out", "o.npz"];

#[test]
fn rates_and_amounts_are_those_of_the_equations() {
    let b = bench();
    save(&b.path("s.npz"), &states(), false);
    let o = b.kinlane(
        &[
            &["rates", "chapman.def", "--states", "s.npz"][..],
            &["--out", "r.npz", "--jacobian", "--reactions", "--json", "r.json"],
        ]
        .concat(),
    );
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let report = std::fs::read_to_string(b.path("r.json")).expect("written");
    assert!(report.contains("\"cells\": 3,") && report.contains("\"reactions\": 4,"), "{report}");
    let r = load(&b.path("r.npz"));
    assert_eq!(r["species"].strings(), ["O", "O3", "O2", "M"]);
    assert_eq!(r["reactions"].strings(), ["light", "ozone", "photo", "loss"]);
    let (t, k) = (240.0_f64, &r["k"].numbers()[4..8]);
    let want = [2.5e-11, 6e-34 * (t / 300.0).powf(-2.4), 1.5e-3 * 0.5, 8e-12 * (-2060.0 / t).exp()];
    k.iter().zip(want).for_each(|(k, want)| assert!((k - want).abs() <= 1e-14 * want, "{k} {want}"));
    let [o1, o3, o2, m] = [1e7, 2e12, 4e16, 1.9e17];
    let q = [want[0] * o2, want[1] * o1 * o2 * m, want[2] * o3, want[3] * o1 * o3];
    let change = [2.0 * q[0] - q[1] + q[2] - q[3], q[1] - q[2] - q[3], 0.0, 0.0];
    let near = |got: &[f64], want: &[f64]| {
        got.iter().zip(want).for_each(|(got, want)| assert!((got - want).abs() <= 1e-14 * want.abs(), "{got} {want}"));
    };
    near(&r["progress"].numbers()[4..8], &q);
    let (made, lost) = (want[1] * o2 * m, want[3]);
    let jac = [-made - lost * o3, want[2] - lost * o1, made - lost * o3, -want[2] - lost * o1];
    near(&r["jac"].numbers()[4..8], &jac);
    let gross = q.iter().sum::<f64>();
    for (got, want) in r["dCdt"].numbers()[4..8].iter().zip(change) {
        assert!((got - want).abs() <= 1e-13 * gross, "{got} {want}");
    }

    let o = b.kinlane(&[&ADVANCE[..], &["--json", "r.json"]].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stdout(&o).contains("3 cells") && stderr(&o).is_empty(), "{}", stderr(&o));
    for (method, name) in [("qss", "chemeq2"), ("exprb43", "exprb43")] {
        let by = ["advance", "chapman.def", "--states", "s.npz", "--dt", "1", "--out", "q.npz", "--method", method];
        let told = stderr(&b.kinlane(&by));
        assert!(told.starts_with(&format!("note: errors of {name} do not follow the tolerance")), "{told}");
    }
    let out = load(&b.path("o.npz"));
    for name in ["species", "T", "SUN", "J", "photolysis", "C", "status", "steps", "rejected"] {
        assert!(out.contains_key(name), "{name}");
    }
    assert_eq!(out["species"].strings(), ["O", "O3", "O2", "M"]);
    assert!(out["status"].numbers().iter().all(|s| *s == 0.0));
    let c = out["C"].numbers();
    assert_eq!(c[2..4], [4e16, 1.9e17], "fixed ones stay");
    // At night O turns into O3, all but a part in a thousand, which meets O3.
    assert!(c[8].abs() < 1e-3 && (c[9] - 2e12 - 1e7 + 1.8e4).abs() < 1e3, "{:?}", &c[8..]);
    // The output is the next input, and the answer does not depend on neighbours.
    std::fs::copy(b.path("o.npz"), b.path("s.npz")).expect("copied");
    assert_eq!(b.kinlane(&ADVANCE).status.code(), Some(0));
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(b.path("r.json")).expect("a report")).expect("JSON");
    for key in ["cells", "failed", "seconds", "cpu_seconds", "steps", "rejected", "rhs", "jac", "factor", "threads"] {
        assert!(report[key].is_number(), "{key}");
    }
    assert_eq!((&report["method"], &report["species"]), (&"auto".into(), &2.into()));
}

#[test]
fn check_says_what_a_scheme_holds() {
    let b = bench();
    let o = b.kinlane(&["check", "chapman.def", "--species", "--json", "c.json"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    for part in ["chapman: atmospheric scheme, 2 species and 2 fixed, 4 reactions", "fixed: O2, M", "SUN", "o2"] {
        assert!(stdout(&o).contains(part), "{part}: {}", stdout(&o));
    }
    std::fs::write(b.path("bad.def"), CHAPMAN.replace("EXP", "EXQ").replace("= O3 + M", "= O4 + M")).expect("written");
    let o = b.kinlane(&["check", "bad.def"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(
        stderr(&o).contains("EXQ") && stderr(&o).contains("O4") && stderr(&o).contains("bad.def:"),
        "{}",
        stderr(&o)
    );
}

#[test]
fn what_is_wrong_is_told_and_nothing_is_written() {
    let b = bench();
    let refuse = |states: &Npz, more: &[&str], part: &str| {
        save(&b.path("s.npz"), states, false);
        let o = b.kinlane(&[&ADVANCE[..], more].concat());
        assert_eq!(o.status.code(), Some(2), "{part}: {}", stderr(&o));
        assert!(stderr(&o).contains(part), "{part}: {}", stderr(&o));
        assert!(!b.files().iter().any(|f| f.starts_with("o.npz")), "{:?}", b.files());
    };
    let without = |name: &str| {
        let mut s = states();
        s.remove(name);
        s
    };
    refuse(&without("SUN"), &[], "array `SUN`");
    refuse(&without("J"), &[], "array `J`");
    refuse(&without("C"), &[], "array `C`");
    let with = |name: &'static str, array: Array| {
        let mut s = states();
        s.insert(name, array);
        s
    };
    refuse(&with("photolysis", Array::text(&["a", "b"])), &[], "it lacks o2");
    refuse(&with("T", Array::f64(&[3], &[220.0, f64::NAN, 260.0])), &[], "cell 1, T: NaN");
    refuse(&with("SUN", Array::f64(&[3], &[0.0, 1.0, f64::INFINITY])), &[], "cell 2, SUN");
    refuse(&with("species", Array::text(&["M", "O3", "O", "O5"])), &[], "O5");
    refuse(&with("SUN", Array::f64(&[3], &[0.0, 1.0, 1e308])), &["--rtol", "2"], "rtol");
    refuse(&with("photolysis", Array::text(&["o2", "Pj_O2"])), &[], "it has Pj_O2 twice");
    refuse(&with("C", Array::f64(&[3, 4], &[-1.9e17, 2e12, 1e7, 4e16].repeat(3))), &[], "cell 0, M");
    refuse(&states(), &["--reactor", "const-v"], "--reactor means nothing for this reaction scheme");
    refuse(&states(), &["--continue", "memory.npz"], "--continue means nothing for this reaction scheme");
    refuse(&states(), &["--thermo", "chapman.def"], "--thermo");
    // A command that needs a gas says so.
    let o = b.kinlane(&["ignite", "chapman.def", "--fuel", "O3", "--oxidizer", "O2:1", "--T", "1000", "--phi", "1"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("KPP") && stderr(&o).contains("no thermodynamics"), "{}", stderr(&o));
}

#[test]
fn emissions_are_sources_and_names_may_be_in_any_case() {
    let b = bench();
    let mut s = states();
    s.insert("species", Array::text(&["m", "o3", "o", "o2"]));
    // Ozone comes from outside, at night.
    s.insert("SUN", Array::f64(&[3], &[0.0; 3]));
    s.insert("J", Array::f64(&[3, 2], &[0.0; 6]));
    s.insert("dCdt", Array::f64(&[3, 4], &[0.0, 1e6, 0.0, 0.0].repeat(3)));
    save(&b.path("s.npz"), &s, false);
    let o = b.kinlane(&ADVANCE);
    assert_eq!((o.status.code(), stderr(&o)), (Some(0), String::new()));
    let c = load(&b.path("o.npz"))["C"].numbers();
    assert!((c[1] - 2e12 - 3.6e9 - 1e7).abs() < 1e6, "{:?}", &c[..4]);
    // A sink that does not mind how much is left.
    s.insert("dCdt", Array::f64(&[3, 4], &[0.0, -1e9, 0.0, 0.0].repeat(3)));
    save(&b.path("s.npz"), &s, false);
    let said = stderr(&b.kinlane(&ADVANCE));
    assert!(said.contains("sources took more than there was in 3 cells; the worst: C(O3) = -1."), "{said}");
}

/// Mixing ratios are far below the tolerance for molecules per cm³.
#[test]
fn a_tolerance_for_another_unit_is_refused() {
    let b = bench();
    let mut s = states();
    s.insert("C", Array::f64(&[3, 4], &[0.78, 1e-7, 1e-13, 0.21].repeat(3)));
    save(&b.path("s.npz"), &s, false);
    let o = b.kinlane(&ADVANCE);
    let told = stderr(&o);
    assert_eq!(o.status.code(), Some(2), "{told}");
    assert!(told.contains("at most 1.000e-7") && told.contains("give an atol that suits it, such as 1e-20"), "{told}");
    assert_eq!(b.kinlane(&[&ADVANCE[..], &["--atol", "1e-20"]].concat()).status.code(), Some(0));
    let o = b.kinlane(&[
        "box",
        "chapman.def",
        "--T",
        "240",
        "--end-time",
        "1h",
        "--set",
        "O=1e-13,O3=1e-7,O2=.21,m=.78,J=0,sun=0",
    ]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("atol that suits it, such as 1e-20"), "{}", stderr(&o));
}

/// Local time steps.
#[test]
fn cells_may_have_intervals_of_their_own() {
    let b = bench();
    let mut s = states();
    save(&b.path("s.npz"), &s, false);
    let alone = |dt: &str| {
        let o = b.kinlane(&["advance", "chapman.def", "--states", "s.npz", "--out", "o.npz", "--dt", dt]);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        load(&b.path("o.npz"))["C"].numbers().to_vec()
    };
    let (first, second) = (alone("10"), alone("3600"));
    s.insert("dt", Array::f64(&[3], &[10.0, 3600.0, 10.0]));
    save(&b.path("own.npz"), &s, false);
    let own = ["advance", "chapman.def", "--states", "own.npz", "--out", "o.npz"];
    assert_eq!(b.kinlane(&own).status.code(), Some(0));
    let all = load(&b.path("o.npz"));
    assert_eq!(all["dt"].numbers(), [10.0, 3600.0, 10.0]);
    assert_eq!(all["C"].numbers(), [&first[..4], &second[4..8], &first[8..]].concat());
    let o = b.kinlane(&["advance", "chapman.def", "--states", "s.npz", "--out", "o.npz"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("no interval"), "{}", stderr(&o));
    s.insert("dt", Array::f64(&[3], &[10.0, 0.0, 10.0]));
    save(&b.path("own.npz"), &s, false);
    let o = b.kinlane(&own);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("cell 1, dt: 0"), "{}", stderr(&o));
}

#[test]
fn a_box_follows_the_sun() {
    let b = bench();
    let text = CHAPMAN.replace("j(Pj_o2)", "5e-11*SUN")
        + "#INITVALUES\nCFACTOR = 1e6; O = 10.0; O3 = 2e6; O2 = 4e10; M = 1.9e11;\n#INLINE F90_INIT\n  TSTART = 12*3600\n  TEND = TSTART + 86400\n  DT = 3600.\n  TEMP = 240\n#ENDINLINE\n";
    std::fs::write(b.path("day.def"), text).expect("written");
    let o = b.kinlane(&["box", "day.def", "--csv", "b.csv", "--picture", "b.svg", "--rtol", "1e-8"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stdout(&o).contains("day: 240 K") && stdout(&o).contains("SUN"), "{}", stdout(&o));
    let csv = std::fs::read_to_string(b.path("b.csv")).expect("a table");
    let rows: Vec<Vec<f64>> =
        csv.lines().skip(1).map(|l| l.split(',').map(|x| x.parse().expect("a number")).collect()).collect();
    assert_eq!((csv.lines().next(), rows.len()), (Some("time_s,SUN,O,O3"), 25));
    // What was asked for is not what there is most of.
    let o = b.kinlane(&["box", "day.def", "--show", "O", "--picture", "o.svg", "--quiet"]);
    let picture = std::fs::read_to_string(b.path("o.svg")).expect("a picture");
    assert!(
        o.status.code() == Some(0) && picture.contains("species") && !picture.contains("largest"),
        "{}",
        stderr(&o)
    );
    // By day O is where light and loss balance, at night it is gone, and ozone grows by what O2 gives.
    let (k, c) = (6e-34 * (240.0_f64 / 300.0).powf(-2.4), |r: &[f64]| (r[1], r[2], r[3]));
    for r in rows.iter().skip(1) {
        let (sun, o, o3) = c(r);
        let want =
            sun * (1.5e-3 * o3 + 2.0 * 5e-11 * 4e16) / (k * 4e16 * 1.9e17 + 8e-12 * (-2060.0_f64 / 240.0).exp() * o3);
        assert!((o - want).abs() < 2e-3 * want + 1e-2, "{r:?} {want}");
    }
    // A held sun, other amounts, and what is not known.
    let o = b.kinlane(&["box", "day.def", "--end-time", "1h", "--every", "1h", "--set", "SUN=0,o3=5e12", "--csv", "-"]);
    assert!(o.status.code() == Some(0) && stdout(&o).lines().count() == 3, "{}", stdout(&o));
    let refuse = |more: &[&str], part: &str| {
        let o = b.kinlane(&[&["box", "day.def"][..], more].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains(part), "{part}: {}", stderr(&o));
    };
    refuse(&["--set", "O4=1"], "the scheme has no `O4`");
    refuse(&["--show", "O5"], "the scheme has no `O5`");
    refuse(&["--every", "1us"], "more than a million");
    // The sun moves within steps, of which a Rosenbrock method would have to know.
    refuse(&["--method", "rodas5p"], "rodas5p does not know how rate constants change");
    for method in ["bdf", "dopri5"] {
        let o = b.kinlane(&["box", "day.def", "--end-time", "1us", "--every", "1us", "--method", method, "--csv", "-"]);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    }
    let o = b.kinlane(&["box", "chapman.def", "--T", "240", "--end-time", "1h"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("need a value of J.o2"), "{}", stderr(&o));
    let o = b.kinlane(&["box", "chapman.def", "--end-time", "1h"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("give --T"), "{}", stderr(&o));
    let o = b.kinlane(&["box", "h2"]);
    assert!(
        o.status.code() == Some(2) && stderr(&o).contains("takes the chemistry of an atmosphere"),
        "{}",
        stderr(&o)
    );
}

/// The rows of a table of `kinlane box`.
fn rows(b: &Bench, args: &[&str]) -> Vec<Vec<f64>> {
    let o = b.kinlane(&[&["box"][..], args, &["--csv", "-", "--quiet"]].concat());
    assert_eq!(o.status.code(), Some(0), "{args:?}: {}", stderr(&o));
    stdout(&o).lines().skip(1).map(|l| l.split(',').map(|x| x.parse().expect("a number")).collect()).collect()
}

#[test]
fn no_temperature_is_asked_for_where_nothing_depends_on_it() {
    let b = bench();
    let decay = "#DEFVAR\nA = IGNORE;\nB = IGNORE;\n#EQUATIONS\n<r1> A = B : 1e-3;\n#INITVALUES\nA = 1e12;\n";
    std::fs::write(b.path("decay.kpp"), decay).expect("written");
    let rows = rows(&b, &["decay.kpp", "--end-time", "1000", "--rtol", "1e-6"]);
    let left = rows[rows.len() - 1][1] / 1e12;
    assert!((left - (-1.0_f64).exp()).abs() < 1e-6, "{left}");
}

/// KPP's clock goes on from the time of day at which the box begins, also in code for rate constants.
#[test]
fn the_clock_of_a_box_goes() {
    let b = Bench::new();
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE; D = IGNORE;\n#EQUATIONS\nA = D : 1e-8*Time;\nB = D : slow;\n\
                #INLINE F90_RCONST\n slow = 1e-8*TIME\n#ENDINLINE\n#INITVALUES\nA = 1e10; B = 1e10;\n\
                #INLINE F90_INIT\n TSTART = 3600\n TEND = 7200\n DT = 1800\n TEMP = 300\n#ENDINLINE\n";
    std::fs::write(b.path("clock.def"), text).expect("written");
    let left = |t: f64| 1e10 * (-0.5e-8 * ((3600.0 + t).powi(2) - 3600.0_f64.powi(2))).exp();
    for row in rows(&b, &["clock.def", "--rtol", "1e-9"]) {
        let want = left(row[0]);
        assert!(row[1..3].iter().all(|x| (x / want - 1.0).abs() < 1e-6), "{row:?} {want}");
    }
    let held = rows(&b, &["clock.def", "--set", "TIME=1e4", "--rtol", "1e-9"]);
    assert!((held[2][1] / (1e10 * (-1e-4 * 3600.0_f64).exp()) - 1.0).abs() < 1e-6, "{held:?}");
}

/// A file whose code sets the temperature takes no notice of the one that is given; that is told.
#[test]
fn a_temperature_without_effect_is_told() {
    let b = Bench::new();
    let text = |code: &str| {
        let head =
            "#DEFVAR\nA = IGNORE; B = IGNORE;\n#INITVALUES\nA = 1e10;\n#EQUATIONS\nA = B : 1e-4*EXP(-100/TEMP);\n";
        format!("{head}#INLINE F90_RCONST\n{code}#ENDINLINE\n")
    };
    for (code, told) in [(" TEMP = 280.\n", true), ("", false)] {
        std::fs::write(b.path("t.def"), text(code)).expect("written");
        let o = b.kinlane(&["box", "t.def", "--T", "300", "--end-time", "1h"]);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        assert_eq!(stderr(&o).contains("no rate constant depends on --T near 300 K"), told, "{}", stderr(&o));
    }
}

/// Photolysis frequencies may follow the sun, as rate constants with SUN do.
#[test]
fn frequencies_follow_the_sun_where_they_are_told_to() {
    let b = Bench::new();
    let text = |j: [&str; 2]| {
        let head = "#DEFVAR\nA = IGNORE; B = IGNORE; D = IGNORE;\n#INITVALUES\nA = 1e10; B = 1e10;\n#EQUATIONS\n";
        format!("{head}A = D : {};\nB = D : {};\n", j[0], j[1])
    };
    std::fs::write(b.path("j.def"), text(["J(1)", "J(2)"])).expect("written");
    std::fs::write(b.path("sun.def"), text(["1e-5*SUN", "2e-5*SUN"])).expect("written");
    let run = |file: &str, set: &[&str]| {
        let cell = [file, "--T", "280", "--start", "15h", "--end-time", "6h", "--every", "1h", "--rtol", "1e-9"];
        rows(&b, &[&cell[..], set].concat())
    };
    let want = run("sun.def", &[]);
    assert!(want[0].len() == 5 && want[4][1] > 0.0 && want[5][1] == 0.0, "{want:?}");
    for set in ["J.1=1e-5*SUN,J.2=2e-5*SUN", "J = 2e-5 * sun,J.1=1e-5*SUN"] {
        assert_eq!(run("j.def", &["--set", set]), want, "{set}");
    }
    // One stands, and the sun is shown all the same.
    let half = run("j.def", &["--set", "J=1e-5,J.2=2e-5*SUN"]);
    assert!(half.iter().zip(&want).all(|(h, w)| h[1] == w[1] && (h[3] / w[3] - 1.0).abs() < 1e-6), "{half:?}");
    assert!((half[6][2] / (1e10 * (-1e-5 * 21_600.0_f64).exp()) - 1.0).abs() < 1e-6, "{half:?}");
    for (set, part) in [
        ("J.1=1e-5*MOON", "`1e-5*MOON` is not a number"),
        ("J.1=SUN*1e-5", "a number times SUN: 8e-3*SUN"),
        ("J.1=-1e-5*SUN,J.2=0", "J.1=-0.00001: light is not negative"),
        ("J=1e-5*SUN,SUN=-1", "SUN=-1: light is not negative"),
        ("J=1,A=1*SUN", "`A` cannot follow SUN"),
        ("J.3=1*SUN", "the scheme has no `J.3`"),
        ("J=0,J=1", "`J` is given twice; give it one value"),
        ("temp=300", "`temp` is no setting: give the temperature with --T"),
    ] {
        let o = b.kinlane(&["box", "j.def", "--T", "280", "--end-time", "1h", "--set", set]);
        assert!(o.status.code() == Some(2) && stderr(&o).contains(part), "{set}: {}", stderr(&o));
    }
    // The sun may be held, though the file does not know it.
    let held = run("j.def", &["--set", "J=1e-5*SUN,SUN=0.5"]);
    assert!(held.iter().all(|r| r[1] == 0.5), "{held:?}");
    assert!((held[6][2] / (1e10 * (-0.5e-5 * 21_600.0_f64).exp()) - 1.0).abs() < 1e-6, "{held:?}");
    // The number of a frequency is no number of the message.
    let o = b.kinlane(&["box", "j.def", "--T", "280", "--end-time", "1h", "--set", "J.1=-1,J.2=0"]);
    assert!(stderr(&o).contains("cell 0, J.1: -1 is negative, and a photolysis frequency"), "{}", stderr(&o));
}

/// A radical that lives for a second lags behind the sun by a second.
#[test]
fn radicals_follow_the_sun() {
    let b = Bench::new();
    let text =
        "#DEFVAR\nS = IGNORE; O = IGNORE;\n#EQUATIONS\nS = S + O : 1.0*SUN;\nO = PROD : 1.0;\n#INITVALUES\nS = 1e10;\n";
    std::fs::write(b.path("lag.def"), text).expect("written");
    let sun = |t: f64| (1.0 + (std::f64::consts::PI * ((2.0 * t / 3600.0 - 24.0) / 15.0).powi(2)).cos()) / 2.0;
    let cell = ["lag.def", "--T", "280", "--start", "19h", "--end-time", "29min", "--every", "1min", "--rtol", "1e-8"];
    let h = 10.0;
    for row in rows(&b, &cell).iter().skip(1) {
        let t = 19.0 * 3600.0 + row[0];
        let (before, now, after) = (sun(t - h), sun(t), sun(t + h));
        let want = now - (after - before) / (2.0 * h) + (after - 2.0 * now + before) / (h * h);
        assert!((row[3] / 1e10 - want).abs() < 1e-7 * want + 1e-10, "{row:?} {want}");
    }
}

/// A step from night to night does not miss the day between.
#[test]
fn days_are_not_missed() {
    let b = Bench::new();
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 1e-6*SUN;\n#INITVALUES\nA = 1e10;\n";
    std::fs::write(b.path("days.def"), text).expect("written");
    let cell = ["days.def", "--T", "280", "--start", "0h", "--end-time", "10d", "--every", "5d", "--rtol", "1e-9"];
    // The mean of the sun over its 15 hours is that of (1 + cos(pi x^2))/2 over 0..1.
    let n = 100_000;
    let mean = (0..n).map(|i| ((f64::from(i) + 0.5) / f64::from(n)).powi(2) * std::f64::consts::PI);
    let mean: f64 = mean.map(|x| (1.0 + x.cos()) / 2.0).sum::<f64>() / f64::from(n);
    for (row, days) in rows(&b, &cell).iter().zip([0.0, 5.0, 10.0]) {
        let want = 1e10 * (-1e-6 * mean * 15.0 * 3600.0 * days).exp();
        assert!((row[2] / want - 1.0).abs() < 1e-8, "{row:?} {want}");
    }
}

/// Uptake on the aerosols and clouds of a host is left out of a box, which is told, unless it is set; states must have it.
#[test]
fn uptake_is_what_the_host_says() {
    let b = Bench::new();
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : Het1( SR_MW(ind_A), 0.1, State_Het );\n\
                B = A : het2( State_Het );\n#INITVALUES\nA = 1e10;\n";
    std::fs::write(b.path("wet.def"), text).expect("written");
    let o = b.kinlane(&["check", "wet.def"]);
    assert!(o.status.code() == Some(0) && stderr(&o).contains("note[M0529]"), "{}", stderr(&o));
    assert!(
        stdout(&o).contains("uptake, of the host: Het1(A), het2") && !stdout(&o).contains("further"),
        "{}",
        stdout(&o)
    );
    let cell = ["box", "wet.def", "--T", "280", "--end-time", "1h", "--every", "1h", "--csv", "w.csv"];
    let o = b.kinlane(&cell);
    assert!(
        stderr(&o).contains("no uptake on aerosols and clouds, as --set gives none of Het1(A), het2"),
        "{}",
        stderr(&o)
    );
    let o = b.kinlane(&[&cell[..], &["--set", "Het1(A)=1e-4"]].concat());
    assert!(stderr(&o).contains("none of het2"), "{}", stderr(&o));
    let text = std::fs::read_to_string(b.path("w.csv")).expect("written");
    let left = text.lines().last().and_then(|l| l.split(',').nth(1)?.parse::<f64>().ok()).expect("A");
    assert!((left / (1e10 * (-0.36_f64).exp()) - 1.0).abs() < 1e-4, "{left}");
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["A", "B"]));
    npz.insert("T", Array::f64(&[1], &[300.0]));
    npz.insert("C", Array::f64(&[1, 2], &[1e10, 0.0]));
    save(&b.path("s.npz"), &npz, false);
    let o = b.kinlane(&["rates", "wet.def", "--states", "s.npz", "--out", "r.npz"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("array `Het1(A)`"), "{}", stderr(&o));
}

#[test]
fn a_failed_cell_keeps_its_amounts() {
    let b = bench();
    save(&b.path("s.npz"), &states(), false);
    let o = b.kinlane(&[&ADVANCE[..], &["--max-steps", "1", "--method", "rodas4", "--rtol", "1e-12"]].concat());
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    assert!(stderr(&o).contains("3 of 3 cells failed and keep their entry state"), "{}", stderr(&o));
    let out = load(&b.path("o.npz"));
    assert_eq!(out["C"].numbers()[..2], [1e7, 2e12]);
    assert!(out["status"].numbers().iter().all(|s| *s == 2.0));
    std::fs::remove_file(b.path("o.npz")).expect("it was there");
    let o = b.kinlane(
        &[&ADVANCE[..], &["--max-steps", "1", "--method", "rodas4", "--rtol", "1e-12", "--on-failure", "stop"]]
            .concat(),
    );
    assert_eq!((o.status.code(), b.path("o.npz").exists()), (Some(1), false));
}

#[test]
fn stars_take_abundances_or_mass_fractions() {
    let b = Bench::new();
    let ones = "1 1 1 1 1 1 1 1\n".repeat(3);
    let nuclides =
        [("4He", 4, 2), ("12C", 12, 6)].map(|(name, a, z)| format!("{name} {a} {z} {} 0.0 0.0\n{ones}", a - z));
    std::fs::write(b.path("CUDAnet_two.inp"), nuclides.concat()).expect("written");
    let rate = "he4+he4+he4-->c12 3 0 8 3 1 0 0 0.16666667 7.275\n-24 0 0 0 0 0 0\n2 2 2\n2 2 2\n6\n6\n0 0 0\n1\n";
    std::fs::write(b.path("rateLibrary_two.data"), rate).expect("written");
    let run = |array: &'static str, amounts: [f64; 2]| {
        let mut npz = Npz::new();
        npz.insert("species", Array::text(&["4He", "12C"]));
        npz.insert("T9", Array::f64(&[1], &[1.0]));
        npz.insert("rho", Array::f64(&[1], &[1e5]));
        npz.insert(array, Array::f64(&[1, 2], &amounts));
        save(&b.path("s.npz"), &npz, false);
        let args =
            ["advance", "CUDAnet_two.inp", "--states", "s.npz", "--dt", "100", "--out", "o.npz", "--rtol", "1e-9"];
        let o = b.kinlane(&args);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        load(&b.path("o.npz"))[array].numbers()
    };
    let (y, x) = (run("Y", [0.25, 0.0]), run("X", [1.0, 0.0]));
    // dY/dt = −3 R Y³ with R = f ρ² e^{−24}
    let r = 0.16666667 * 1e10 * (-24.0_f64).exp();
    let want = 0.25 / (1.0 + 2.0 * 3.0 * r * 0.25 * 0.25 * 100.0_f64).sqrt();
    assert!((y[0] - want).abs() < 1e-7 * want, "{} {want}", y[0]);
    assert!((4.0 * y[0] + 12.0 * y[1] - 1.0).abs() < 1e-13);
    assert!((x[0] - 4.0 * y[0]).abs() < 1e-12 && (x[1] - 12.0 * y[1]).abs() < 1e-12);
    let o = b.kinlane(&[
        "burn",
        "CUDAnet_two.inp",
        "--T9",
        "1",
        "--rho",
        "1e5",
        "--end-time",
        "100",
        "--set",
        "4He=0.25",
        "--csv",
        "-",
        "--rtol",
        "1e-9",
    ]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let last: Vec<f64> =
        stdout(&o).lines().last().unwrap_or("").split(',').map(|x| x.parse().expect("a number")).collect();
    assert!((last[1] - 4.0 * want).abs() < 1e-6 && (last[1] + last[2] - 1.0).abs() < 1e-12, "{last:?}");
    // Rates of another name have to be named.
    std::fs::rename(b.path("rateLibrary_two.data"), b.path("other.data")).expect("renamed");
    let o = b.kinlane(&["check", "CUDAnet_two.inp"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("--rates"), "{}", stderr(&o));
    let o = b.kinlane(&["check", "CUDAnet_two.inp", "--rates", "other.data"]);
    assert!(o.status.code() == Some(0) && stdout(&o).contains("network of nuclides"), "{}", stdout(&o));
}

/// A species and the frequency of its photolysis have the same name, but for the case; and rates that are not finite are told.
#[test]
fn frequencies_are_not_taken_for_their_species() {
    let b = Bench::new();
    let text =
        "#DEFVAR\nNO2 = N + 2O; NO = N + O;\n#EQUATIONS\nNO2 = NO : j(Pj_no2);\nNO = NO2 : j(Pj_no) + 0*SQRT(NO2);\n";
    std::fs::write(b.path("pair.def"), text).expect("written");
    let run = |set: &str| {
        let cell =
            ["box", "pair.def", "--T", "280", "--end-time", "100", "--every", "100", "--csv", "-", "--quiet", "--set"];
        let o = b.kinlane(&[&cell[..], &[set]].concat());
        assert_eq!(o.status.code(), Some(0), "{set}: {}", stderr(&o));
        stdout(&o)
            .lines()
            .map(|l| l.split(',').filter_map(|x| x.parse::<f64>().ok()).collect())
            .collect::<Vec<Vec<f64>>>()
    };
    for set in ["NO2=1e10,J.no2=1e-2,J=0", "J=0,NO2=1e10,J.no2=1e-2", "J.no=0,J.NO2=1e-2,NO2=1e10"] {
        let rows = run(set);
        let want = 1e10 * (-1.0_f64).exp();
        assert!(rows[1][1] == 1e10 && (rows[2][1] - want).abs() < 1e-4 * want, "{set}: {rows:?}");
    }
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["NO2", "NO"]));
    npz.insert("T", Array::f64(&[1], &[300.0]));
    npz.insert("C", Array::f64(&[1, 2], &[1.0, 0.0]));
    npz.insert("photolysis", Array::text(&["no2", "no"]));
    npz.insert("J", Array::f64(&[1, 1], &[0.0]));
    save(&b.path("j.npz"), &npz, false);
    let o = b.kinlane(&["rates", "pair.def", "--states", "j.npz", "--out", "r.npz"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("names in photolysis"), "{}", stderr(&o));
    let o = b.kinlane(&["box", "pair.def", "--T", "280", "--end-time", "1", "--set", "J=0,no2=1"]);
    let part = "`no2` may be `NO2` or a photolysis frequency: say `NO2`, or `J.no2`";
    assert!(o.status.code() == Some(2) && stderr(&o).contains(part), "{}", stderr(&o));
    let o = b.kinlane(&["box", "pair.def", "--T", "280", "--end-time", "1", "--set", "NO2=1"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("need a value of J.no2, J.no"), "{}", stderr(&o));

    std::fs::write(b.path("big.def"), "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : EXP(X);\n")
        .expect("written");
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["A", "B"]));
    npz.insert("T", Array::f64(&[2], &[300.0, 300.0]));
    npz.insert("X", Array::f64(&[2], &[0.0, 1e3]));
    npz.insert("C", Array::f64(&[2, 2], &[1.0, 0.0, 1.0, 0.0]));
    save(&b.path("s.npz"), &npz, false);
    let o = b.kinlane(&["rates", "big.def", "--states", "s.npz", "--out", "r.npz"]);
    assert!(
        o.status.code() == Some(1) && stderr(&o).contains("rate constant of cell 1 is not finite: that of A = B"),
        "{}",
        stderr(&o)
    );
    let r = load(&b.path("r.npz"));
    let dydt = r["dCdt"].numbers();
    assert!(
        dydt[..2] == [-1.0, 1.0] && dydt[2..].iter().all(|x| x.is_nan()) && r["k"].numbers()[1] == f64::INFINITY,
        "{dydt:?}"
    );
}

/// Peroxy radicals that code adds up count as what they are: dA/dt = -k A A.
#[test]
fn rate_constants_follow_amounts() {
    let b = Bench::new();
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 1e-12*RO2;\n#INITVALUES\nA = 1e9;\n\
                #INLINE F90_RCONST\n RO2 = C(ind_A)\n#ENDINLINE\n";
    std::fs::write(b.path("ro2.def"), text).expect("written");
    let rows = rows(&b, &["ro2.def", "--T", "280", "--end-time", "1h", "--every", "1h", "--rtol", "1e-8"]);
    assert!((rows[1][1] / (1e9 / 4.6) - 1.0).abs() < 1e-7, "{rows:?}");
}

/// What a file has and nobody reads is told where its numbers are used, not by `check` alone.
#[test]
fn warnings_of_a_file_are_told_by_all_commands() {
    let b = bench();
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 1e-5*(7/2);\nB = A : 1e-4;\n#INITVALUES\nA = 1e10;\n\
                #INLINE F90_RCONST\n CALL update(x)\n#ENDINLINE\n#INLINE F90_INIT\n VAR(ind_B) = 2*y\n#ENDINLINE\n";
    std::fs::write(b.path("told.def"), text).expect("written");
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["A", "B"]));
    npz.insert("T", Array::f64(&[1], &[300.0]));
    npz.insert("C", Array::f64(&[1, 2], &[1e10, 1e9]));
    save(&b.path("s.npz"), &npz, false);
    let cell = ["box", "told.def", "--T", "300", "--end-time", "10"];
    let files = ["--states", "s.npz", "--out", "o.npz"];
    for args in [
        cell.to_vec(),
        [&["rates", "told.def"][..], &files].concat(),
        [&["advance", "told.def", "--dt", "1"][..], &files].concat(),
    ] {
        let o = b.kinlane(&args);
        let told = stderr(&o);
        assert!(o.status.code() == Some(0) && ["M0520", "M0522", "M0523"].iter().all(|c| told.contains(c)), "{told}");
        let o = b.kinlane(&[&args[..], &["--quiet"]].concat());
        assert_eq!((o.status.code(), stderr(&o).as_str()), (Some(0), ""));
    }
    npz.insert("C", Array::f64(&[1, 2], &[1e10, -1e9]));
    save(&b.path("s.npz"), &npz, false);
    let o = b.kinlane(&[&["advance", "told.def", "--dt", "1"][..], &files].concat());
    assert!(
        o.status.code() == Some(2) && stderr(&o).contains("B") && stderr(&o).contains("negative"),
        "{}",
        stderr(&o)
    );
}

/// M of MUSICA is the air, unless the states or `--set` say otherwise.
#[test]
fn third_bodies_are_air() {
    let b = Bench::new();
    let text = "
version: 1.1.0
name: air
species: [{name: A}, {name: B}, {name: M, is third body: true}]
phases: [{name: gas, species: [A, B, M]}]
reactions:
- {type: USER_DEFINED, name: r, gas phase: gas, reactants: [{species name: A}, {species name: M}], products: [{species name: B}]}
- {type: TROE, name: t, gas phase: gas, k0_A: 1.0, kinf_A: 1.0, reactants: [{species name: B}], products: [{species name: A}]}
";
    std::fs::write(b.path("air.yaml"), text).expect("written");
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["A", "B"]));
    npz.insert("T", Array::f64(&[2], &[300.0, 300.0]));
    npz.insert("C", Array::f64(&[2, 2], &[10.0, 0.0, 10.0, 0.0]));
    npz.insert("r", Array::f64(&[2], &[1e-3, 1e-3]));
    npz.insert("C_M", Array::f64(&[2], &[5.0, 7.0]));
    save(&b.path("s.npz"), &npz, false);
    let change = || {
        let o = b.kinlane(&["rates", "air.yaml", "--states", "s.npz", "--out", "r.npz"]);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        let r = load(&b.path("r.npz"));
        assert_eq!(r["species"].strings(), ["A", "B", "M"]);
        r["dCdt"].numbers().to_vec()
    };
    assert_eq!(
        change().iter().map(|x| (x / 1e-2 * 1e9).round() / 1e9).collect::<Vec<_>>(),
        [-5.0, 5.0, 0.0, -7.0, 7.0, 0.0]
    );
    npz.insert("species", Array::text(&["M", "A", "B"]));
    npz.insert("C", Array::f64(&[2, 3], &[2.0, 10.0, 0.0, 0.0, 10.0, 0.0]));
    save(&b.path("s.npz"), &npz, false);
    assert_eq!(
        change().iter().map(|x| (x / 1e-2 * 1e9).round() / 1e9).collect::<Vec<_>>(),
        [-2.0, 2.0, 0.0, 0.0, 0.0, 0.0]
    );

    let follow =
        |set: &str| b.kinlane(&["box", "air.yaml", "--T", "300", "--end-time", "1", "--set", set, "--csv", "o.csv"]);
    let o = follow("A=10,r=0");
    assert!(o.status.code() != Some(0) && stderr(&o).contains("a value of C_M:"), "{}", stderr(&o));
    let o = follow("A=10,r=0.1,C_M=5");
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let text = std::fs::read_to_string(b.path("o.csv")).expect("written");
    let last = text.lines().last().expect("rows").split(',').nth(1).and_then(|x| x.parse::<f64>().ok()).expect("A");
    assert!(last < 10.0 * (-0.4_f64).exp(), "{text}");
}

#[test]
fn a_factor_that_nothing_sets_is_told_where_it_counts() {
    let b = Bench::new();
    std::fs::write(b.path("f.def"), "#DEFVAR\nA = IGNORE;\n#EQUATIONS\nA = PROD : 1e-9*CFACTOR;\n").expect("written");
    let told = |set: &str| {
        let o = b.kinlane(&["box", "f.def", "--T", "280", "--end-time", "10", "--every", "10", "--set", set]);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        stderr(&o).contains("nothing sets it: it counts as 1; kinlane explain M0530")
    };
    assert_eq!(["A=1e10", "A=1e10,CFACTOR=2.5e19"].map(told), [true, false]);
}
