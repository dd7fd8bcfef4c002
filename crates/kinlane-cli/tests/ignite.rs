//! `kinlane ignite` as a user runs it.

mod common;

use common::{Bench, stderr};

/// Stoichiometric hydrogen and air at 1200 K and one atmosphere: the delay of Cantera at tight tolerances.
const DELAY: f64 = 4.930_059_086_079_276e-5;

#[test]
fn one_mixture_its_series_and_its_pictures() {
    let bench = Bench::new();
    let gas = ["ignite", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--T", "1200"];
    let wish = ["--delay", "dT/dt", "--delay", "max OH", "--show", "OH,H2O", "--end-time", "0.01"];
    let files = ["--csv", "d.csv", "--series", "s.csv", "--picture", "p.svg", "--json", "r.json"];
    let done = bench.kinlane(&[&gas[..], &wish, &files].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).expect(name);
    let numbers = |line: &str| line.split(',').map(|x| x.parse().expect("a number")).collect::<Vec<f64>>();
    let table = read("d.csv");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("T0_K,P0_Pa,phi,dT/dt (s),max OH (s)"));
    let row = numbers(lines.next().expect("a line for the cell"));
    assert!((row[3] / DELAY - 1.0).abs() < 1e-3, "the delay is {}", row[3]);
    assert!(row[4] > row[3], "OH peaks after the steepest rise: {row:?}");
    let series = read("s.csv");
    assert!(series.starts_with("t_s,T_K,P_Pa,X_OH,X_H2O\n"), "{}", series.lines().next().unwrap_or_default());
    let last = numbers(series.lines().last().expect("a last line"));
    assert!(last[1] > 2500.0 && last[2] > 2e5 && last[4] > 0.2, "burnt: {last:?}");
    for name in ["p.svg", "p-species.svg"] {
        assert!(read(name).contains("time (µs)"), "{name}");
    }
    let report: serde_json::Value = serde_json::from_str(&read("r.json")).expect("JSON");
    assert_eq!((report["cells"].as_u64(), report["failed"].as_u64()), (Some(1), Some(0)));
}

#[test]
fn a_sweep_and_what_does_not_ignite() {
    let bench = Bench::new();
    let gas = ["ignite", "h2", "--mixture", "H2:2,O2:1,N2:3.76", "--T", "500,1100,1300", "--P", "1,10atm"];
    let wish = ["--delay", "T+400", "--end-time", "0.1", "--picture", "p.png", "--json", "r.json"];
    let done = bench.kinlane(&[&gas[..], &wish].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let text = std::fs::read_to_string(bench.path("r.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let points = report["points"].as_array().expect("points");
    assert_eq!(points.len(), 6);
    for p in points {
        assert_eq!(p["delay"][0].is_null(), p["T"].as_f64() == Some(500.0), "{p}");
    }
    assert!(std::fs::read(bench.path("p.png")).expect("a picture").starts_with(b"\x89PNG"));
}

#[test]
fn what_cannot_be_is_said() {
    for (args, said) in [
        (&["--mixture", "H2:2,O2:1", "--delay", "OH"][..], "is no delay"),
        (&["--mixture", "H2:2,O2:1", "--delay", "max XY"], "no species `XY`"),
        (&["--mixture", "H2:2,O2:1", "--T", "1000,1100", "--series", "s.csv"], "--series is for one cell"),
        (&[], "no gas is given"),
    ] {
        let done = Bench::new().kinlane(&[&["ignite", "h2"], args].concat());
        let text = stderr(&done);
        assert_eq!(done.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(said), "{args:?}: {text}");
    }
}
