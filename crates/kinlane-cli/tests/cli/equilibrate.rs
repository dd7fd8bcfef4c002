//! `kinlane equilibrate`: sweeps from the command line, batches from files, and what is refused.

use crate::common::{Bench, cells, load, save, stderr, stdout};

#[test]
fn a_sweep_gives_table_picture_and_report() {
    let b = Bench::new();
    let o = b.kinlane(&[
        "equilibrate",
        "gri30",
        "--fuel",
        "CH4",
        "--oxidizer",
        "O2:1,N2:3.76",
        "--phi",
        "0.5,1,2",
        "--csv",
        "f.csv",
        "--picture",
        "f.svg",
        "--json",
        "f.json",
    ]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    // Cantera 3.2: 2225.5 K for stoichiometric methane and air from 300 K at one atmosphere.
    assert!(stdout(&o).contains("2225.5") && stdout(&o).contains("3 states"), "{}", stdout(&o));
    let csv = std::fs::read_to_string(b.path("f.csv")).expect("the table");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines.len() == 4 && lines[0].starts_with("phi,T0_K,P0_Pa,T_K,P_Pa,X_H2,"), "{csv}");
    assert!(lines.iter().all(|l| l.split(',').count() == 5 + 53), "{csv}");
    let svg = std::fs::read_to_string(b.path("f.svg")).expect("the picture");
    assert!(svg.contains("equivalence ratio") && svg.contains("temperature (K)"), "{svg}");
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(b.path("f.json")).expect("the report")).expect("JSON");
    assert!(json["cells"] == 3 && json["failed"] == 0 && json["temperature"][1].as_f64().expect("T") > 2225.0);
}

/// Where T is held, T over T says nothing: the picture shows the composition. A single state is a mark.
#[test]
fn a_held_temperature_gives_a_picture_of_the_composition() {
    let b = Bench::new();
    let gas = ["equilibrate", "gri30", "--fuel", "CH4", "--oxidizer", "O2:1,N2:3.76", "--T", "1500"];
    for (more, title, circles) in [
        // O2 of the rich gases, H2 and CO of the lean one are below the axis.
        (&["--pair", "TP", "--phi", "0.5:2:4"][..], "Composition", 20),
        (&["--pair", "TV"][..], "Composition", 6),
        (&[][..], "Adiabatic", 1),
    ] {
        let o = b.kinlane(&[&gas[..], more, &["--picture", "p.svg"]].concat());
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        let svg = std::fs::read_to_string(b.path("p.svg")).expect("the picture");
        // A title of two lines is one.
        let svg = svg.replace("</text>\n<text x=\"92\" y=\"52\" font-size=\"17\">", " ");
        assert!(!svg.contains("NaN") && !svg.contains("width=\"-") && svg.contains(title), "{svg}");
        assert!(svg.contains(">CO2<") == (title == "Composition"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), circles, "{svg}");
        let phi = if more.contains(&"--phi") { "" } else { "phi = 1, " };
        assert!(svg.contains(&format!("CH4 and 1 O2 + 3.76 N2, {phi}1500 K, 1 atm</text>")), "{svg}");
        let states = if more.contains(&"--phi") { "4 states" } else { "1 state " };
        assert!(stdout(&o).contains(states), "{}", stdout(&o));
    }
}

/// A species of which there is nothing in any state is not drawn, nor is it in the table.
#[test]
fn species_that_are_absent_are_not_drawn() {
    let b = Bench::new();
    let gas = ["equilibrate", "h2", "--mixture", "N2:3,AR:1", "--T", "1000,1500", "--pair", "TP", "--picture", "p.svg"];
    let o = b.kinlane(&gas);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let svg = std::fs::read_to_string(b.path("p.svg")).expect("the picture");
    assert_eq!(svg.matches("h32").count(), 2, "two entries of the legend: {svg}");
    assert!(svg.contains(">N2<") && svg.contains(">AR<") && svg.contains("the 2 largest"), "{svg}");
    assert_eq!(stdout(&o).lines().next().map(|head| head.matches("X ").count()), Some(2), "{}", stdout(&o));
}

/// The axis is the quantity with the most values, whichever is named first.
#[test]
fn the_longest_list_is_the_axis() {
    let b = Bench::new();
    let gas = ["equilibrate", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--quiet", "--picture", "p.svg"];
    for (lists, axis, names) in [
        (["--phi", "0.5:2:61", "--T", "300,600"], "equivalence ratio", [">300 K<", ">600 K<"]),
        (["--phi", "0.5:2:61", "--P", "1,30atm"], "equivalence ratio", [">1 atm<", ">30 atm<"]),
        (["--phi", "0.8,1", "--T", "300:1500:60"], "initial temperature (K)", [">phi = 0.8<", ">phi = 1<"]),
        (["--T", "300,600", "--P", "1:60:60atm"], "initial pressure (Pa)", [">300 K<", ">600 K<"]),
    ] {
        let o = b.kinlane(&[&gas[..], &lists].concat());
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        let svg = std::fs::read_to_string(b.path("p.svg")).expect("the picture");
        assert!(svg.contains(axis) && names.iter().all(|name| svg.contains(name)), "{lists:?}: {svg}");
        assert_eq!(svg.matches("h32").count(), 2, "two entries of the legend: {svg}");
    }
    let o = b.kinlane(&[&gas[..], &["--phi", "0.5:2:60", "--T", "300:1500:60"]].concat());
    assert!(o.status.code() == Some(2) && stderr(&o).contains("60 curves"), "{}", stderr(&o));
    // In whatever order they are listed.
    let drawn = |list: &str| {
        assert_eq!(b.kinlane(&[&gas[..], &["--phi", list]].concat()).status.code(), Some(0));
        std::fs::read_to_string(b.path("p.svg")).expect("the picture")
    };
    assert_eq!(drawn("1,0.5,2"), drawn("0.5,1,2"));
    let o = b.kinlane(&["equilibrate", "h2", "--states", "s.npz", "--basis", "Y"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("--basis"), "{}", stderr(&o));
}

#[test]
fn a_batch_is_written_as_states_that_can_be_read_again() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(20), false);
    let o = b.kinlane(&["equilibrate", "h2", "--states", "s.npz", "--pair", "uv", "--out", "o.npz"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let out = load(&b.path("o.npz"));
    assert!(out["status"].numbers().iter().all(|s| *s == 0.0) && out["T"].numbers().iter().all(|t| *t > 1500.0));
    // At equilibrium already: nothing changes.
    let o = b.kinlane(&["equilibrate", "h2", "--states", "o.npz", "--pair", "UV", "--out", "p.npz", "--quiet"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    for (a, b) in out["T"].numbers().iter().zip(load(&b.path("p.npz"))["T"].numbers()) {
        assert!((a / b - 1.0).abs() < 1e-10, "{a} {b}");
    }
}

#[test]
fn what_cannot_be_is_refused_and_nothing_written() {
    let b = Bench::new();
    let gas = ["--fuel", "CH4", "--oxidizer", "O2"];
    let with = |more: &[&'static str]| [&["equilibrate", "gri30"], &gas[..], more].concat();
    for (args, words) in [
        (vec!["equilibrate", "gri30"], ["no gas is given", "--mixture"]),
        (vec!["equilibrate", "gri30", "--fuel", "CH4"], ["--oxidizer", "required"]),
        (vec!["equilibrate", "gri30", "--fuel", "N2", "--oxidizer", "O2"], ["fuel", "oxygen"]),
        (vec!["equilibrate", "gri30", "--mixture", "CH4:1,O2O:1"], ["O2O", "no species"]),
        (with(&["--pair", "TT"]), ["TT", "HP"]),
        (with(&["--phi", "1:2"]), ["1:2:10", "how many values"]),
        (with(&["--picture", "f.pdf"]), ["f.pdf", ".svg"]),
        (with(&["--T", "0"]), ["T", "positive"]),
        (with(&["--csv", "no/f.csv"]), ["cannot write", "make the folder first"]),
    ] {
        let o = b.kinlane(&args);
        assert_eq!(o.status.code(), Some(2), "{args:?}: {}", stdout(&o));
        for word in words {
            assert!(stderr(&o).contains(word), "{word}: {}", stderr(&o));
        }
    }
    assert_eq!(b.files(), Vec::<String>::new());
}

#[test]
fn a_state_without_equilibrium_fails_alone() {
    let b = Bench::new();
    let o = b.kinlane(&["equilibrate", "h2", "--mixture", "AR", "--T", "300,30000", "--out", "o.npz"]);
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    assert!(stderr(&o).contains("state 1: no equilibrium"), "{}", stderr(&o));
    let out = load(&b.path("o.npz"));
    let t = out["T"].numbers();
    assert_eq!(out["status"].numbers(), [0.0, 1.0]);
    assert!((t[0] - 300.0).abs() < 1e-9 && t[1] == 30_000.0, "{t:?}");
}
