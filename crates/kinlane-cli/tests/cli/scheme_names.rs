//! Names in files of reaction schemes: what they stand for where several would do.

use crate::common::{Array, Bench, Npz, load, save, stderr};

/// Where two names differ in capitals only, each quantity takes its own; and what may be either is not guessed.
#[test]
fn arrays_with_names_that_are_alike_are_told_apart() {
    let b = Bench::new();
    let text = "
version: 1.1.0
name: alike
species: [{name: A}, {name: B}]
phases: [{name: gas, species: [A, B]}]
reactions:
- {type: USER_DEFINED, name: r, gas phase: gas, reactants: [{species name: A}], products: [{species name: B}]}
- {type: USER_DEFINED, name: R, gas phase: gas, reactants: [{species name: B}], products: [{species name: A}]}
- {type: PHOTOLYSIS, name: j1, gas phase: gas, reactants: [{species name: A}], products: [{species name: B}]}
- {type: PHOTOLYSIS, name: J1, gas phase: gas, reactants: [{species name: B}], products: [{species name: A}]}
";
    std::fs::write(b.path("alike.yaml"), text).expect("written");
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["A", "B"]));
    npz.insert("T", Array::f64(&[1], &[300.0]));
    npz.insert("C", Array::f64(&[1, 2], &[10.0, 20.0]));
    npz.insert("photolysis", Array::text(&["J1", "j1"]));
    npz.insert("J", Array::f64(&[1, 2], &[0.4, 0.3]));
    npz.insert("R", Array::f64(&[1], &[0.2]));
    npz.insert("r", Array::f64(&[1], &[0.1]));
    let rates = |npz: &Npz| {
        save(&b.path("s.npz"), npz, false);
        b.kinlane(&["rates", "alike.yaml", "--states", "s.npz", "--out", "r.npz", "--reactions"])
    };
    let o = rates(&npz);
    assert_eq!((o.status.code(), stderr(&o)), (Some(0), String::new()));
    assert_eq!(load(&b.path("r.npz"))["k"].numbers(), [0.1, 0.2, 0.3, 0.4]);
    npz.remove("R");
    let o = rates(&npz);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("array `R`"), "{}", stderr(&o));

    std::fs::write(b.path("sun.def"), "#DEFVAR\nA = IGNORE;\n#EQUATIONS\nA = PROD : 1e-3*SUN;\n").expect("written");
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["A"]));
    npz.insert("T", Array::f64(&[1], &[300.0]));
    npz.insert("C", Array::f64(&[1, 1], &[1.0]));
    npz.insert("Sun", Array::f64(&[1], &[0.7]));
    let sun = |npz: &Npz| {
        save(&b.path("s.npz"), npz, false);
        b.kinlane(&["rates", "sun.def", "--states", "s.npz", "--out", "r.npz", "--reactions"])
    };
    assert_eq!(sun(&npz).status.code(), Some(0));
    npz.insert("sun", Array::f64(&[1], &[0.1]));
    let o = sun(&npz);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("has Sun, sun, and each may be meant"), "{}", stderr(&o));
    npz.insert("SUN", Array::f64(&[1], &[0.2]));
    assert_eq!(sun(&npz).status.code(), Some(0));
    assert_eq!(load(&b.path("r.npz"))["k"].numbers(), [1e-3 * 0.2]);
}

/// What states files hold under a name of their own cannot be an input as well; light is no species.
#[test]
fn names_with_a_meaning_keep_it() {
    let b = Bench::new();
    let write = |equation: &str| {
        let text = format!("#DEFVAR\nA = IGNORE;\n#DEFFIX\nhv = IGNORE;\n#EQUATIONS\n{equation}\n");
        std::fs::write(b.path("f.def"), text).expect("written");
    };
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["A"]));
    npz.insert("T", Array::f64(&[1], &[300.0]));
    npz.insert("C", Array::f64(&[1, 1], &[1.0]));
    npz.insert("status", Array::f64(&[1], &[0.0]));
    save(&b.path("s.npz"), &npz, false);
    for (equation, told) in [
        ("A = PROD : 1e-3*T;", "array `T`: rate constants depend on something of this name"),
        ("A = PROD : 1e-3*status;", "array `status`: rate constants depend"),
        ("A = PROD : 1e-3*dt;", "array `dt`: rate constants depend"),
    ] {
        write(equation);
        let o = b.kinlane(&["advance", "f.def", "--states", "s.npz", "--dt", "1", "--out", "o.npz"]);
        assert!(o.status.code() == Some(2) && stderr(&o).contains(told), "{equation}: {}", stderr(&o));
    }
    // The pressure is written once.
    write("A = PROD : 1e-6*P;");
    npz.insert("P", Array::f64(&[1], &[1e5]));
    npz.insert("species", Array::text(&["A", "hv"]));
    npz.insert("C", Array::f64(&[1, 2], &[1.0, 1.0]));
    save(&b.path("p.npz"), &npz, false);
    let o = b.kinlane(&["advance", "f.def", "--states", "p.npz", "--dt", "1", "--out", "o.npz"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let written = load(&b.path("o.npz"));
    let left = written["C"].numbers()[0];
    assert!(written["P"].numbers() == [1e5] && (left - (-0.1_f64).exp()).abs() < 1e-4, "{left}");
    write("A + hv = PROD : 0.1;");
    let follow = |set: &[&str]| {
        let o = b.kinlane(
            &[&["box", "f.def", "--T", "280", "--end-time", "10", "--every", "10", "--csv", "o.csv"], set].concat(),
        );
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        (std::fs::read_to_string(b.path("o.csv")).expect("written"), stderr(&o))
    };
    let (rows, told) = follow(&["--set", "A=1"]);
    let last = rows.lines().last().and_then(|l| l.split(',').nth(1)).and_then(|x| x.parse::<f64>().ok()).expect("A");
    assert!((last - (-1.0_f64).exp()).abs() < 1e-3 && !told.contains("begins with nothing"), "{rows}{told}");
    assert!(follow(&[]).1.contains("begins with nothing that reacts"));
    let (_, told) = follow(&["--set", "A=0"]);
    assert!(!told.contains("--set"), "{told}");
}

/// A third body that no reaction uses is asked of nobody; a pressure has two names.
#[test]
fn boxes_ask_for_what_they_need() {
    let b = Bench::new();
    let text = "
version: 1.1.0
name: need
species: [{name: A}, {name: B}, {name: M, is third body: true}]
phases: [{name: gas, species: [A, B, M]}]
reactions:
- {type: ARRHENIUS, gas phase: gas, A: 0.1, E: 0.1, reactants: [{species name: A}], products: [{species name: B}]}
";
    std::fs::write(b.path("need.yaml"), text).expect("written");
    let follow = |set: &str| b.kinlane(&["box", "need.yaml", "--T", "300", "--end-time", "1", "--set", set]);
    let o = follow("A=1");
    assert!(stderr(&o).contains("a value of PRESSURE"), "{}", stderr(&o));
    let o = follow("A=1,P=-1e5");
    assert!(o.status.code() != Some(0) && stderr(&o).contains("PRESSURE: -100000 is negative"), "{}", stderr(&o));
    for set in ["A=1,P=1e5", "A=1,PRESSURE=1e5"] {
        let o = follow(set);
        assert_eq!(o.status.code(), Some(0), "{set}: {}", stderr(&o));
    }
}

/// Where nothing evolves, the rows have what is fixed; and there is no replay file, whose name is no other file's all the same:
/// a later run would remove it.
#[test]
fn a_scheme_of_fixed_species_is_written() {
    let b = Bench::new();
    std::fs::write(b.path("f.def"), "#DEFFIX A=IGNORE; B=IGNORE;\n#EQUATIONS A = B : 1.0;\n").expect("written");
    let amounts = [1.0, 2.0, 3.0, 4.0];
    let npz = Npz::from([
        ("species", Array::text(&["A", "B"])),
        ("T", Array::f64(&[2], &[300.0; 2])),
        ("C", Array::f64(&[2, 2], &amounts)),
    ]);
    save(&b.path("s.npz"), &npz, false);
    let o = b.kinlane(&["rates", "f.def", "--states", "s.npz", "--out", "r.npz"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert_eq!(load(&b.path("r.npz"))["dCdt"].numbers(), [0.0; 4]);
    let advance = ["advance", "f.def", "--states", "s.npz", "--dt", "1", "--out", "o.npz"];
    let o = b.kinlane(&[&advance[..], &["--json", "./o.npz.replay.json"]].concat());
    assert_eq!(o.status.code(), Some(2), "{}", stderr(&o));
    assert!(stderr(&o).contains("--json and the replay file are both"), "{}", stderr(&o));
    let o = b.kinlane(&[&advance[..], &["--json", "r.json"]].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert_eq!(load(&b.path("o.npz"))["C"].numbers(), amounts);
    assert_eq!(b.files(), ["f.def", "o.npz", "r.json", "r.npz", "s.npz"]);
}
