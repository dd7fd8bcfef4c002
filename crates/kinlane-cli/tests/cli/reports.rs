//! JSON reports: what those of all commands that integrate have in common, and those of `box` and `burn`.

use crate::common::{Bench, cells, save, stderr, stdout};
use serde_json::Value;

/// What all of them say.
const KEYS: [&str; 21] = [
    "cells",
    "failed",
    "seconds",
    "cpu_seconds",
    "steps",
    "rejected",
    "rhs",
    "jac",
    "factor",
    "device",
    "fallback",
    "threads",
    "lanes",
    "method",
    "steps_per_cell",
    "rtol",
    "atol",
    "mechanism",
    "species",
    "reactions",
    "kinlane",
];

/// The report that a command writes to standard output.
fn report(b: &Bench, args: &[&str]) -> Value {
    let o = b.kinlane(&[args, &["--json", "-"]].concat());
    assert_eq!(o.status.code(), Some(0), "{args:?}: {}", stderr(&o));
    serde_json::from_str(&stdout(&o)).expect("JSON alone")
}

fn check(args: &[&str], r: &Value) {
    let lacking: Vec<&str> = KEYS.into_iter().filter(|key| r.get(key).is_none()).collect();
    assert!(lacking.is_empty(), "{args:?} lacks {lacking:?}: {r}");
    let number = |key: &str| r[key].as_u64().unwrap_or_else(|| panic!("{key} is a number: {r}"));
    let of_a_cell = |key: &str| r["steps_per_cell"][key].as_u64().unwrap_or_else(|| panic!("{key}: {r}"));
    assert!(number("cells") > 0 && number("failed") == 0 && number("rhs") >= number("steps"), "{args:?}: {r}");
    let order = ["min", "p10", "median", "p90", "p99", "max"].map(of_a_cell);
    assert!(order.is_sorted(), "{args:?}: {r}");
    let (cells, steps) = (number("cells"), number("steps"));
    assert!(steps > 0 && order[0] * cells <= steps && steps <= order[5] * cells, "{args:?}: {r}");
    assert_eq!(r["kinlane"], env!("CARGO_PKG_VERSION"));
}

const GAS: [&str; 7] = ["h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--quiet", "--T"];

#[test]
fn all_that_integrate_say_what_it_cost() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(5), false);
    let advance = ["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz"];
    let of = |command: &[&'static str], more: &[&'static str]| [&command[..1], &GAS, &command[1..], more].concat();
    let ignite = of(&["ignite", "1100,1200"], &["--end-time", "1ms"]);
    let pasr =
        of(&["pasr", "600"], &["--tau-res", "1ms", "--tau-mix", "0.2ms", "--particles", "4", "--residences", "1"]);
    let flamelet = of(&["flamelet", "300"], &["--chi", "10", "--points", "8", "--end-time", "1ms"]);
    let psr = of(&["psr", "600"], &["--tau", "1ms", "--transient", "1ms"]);
    for (args, cells) in [(&advance[..], 5), (&ignite, 2), (&psr, 1)] {
        let r = report(&b, args);
        check(args, &r);
        assert_eq!(r["cells"], cells, "{args:?}: {r}");
    }
    // A reaction of a cell over a step is one cell.
    for (args, cells) in [(&pasr, "particles"), (&flamelet, "points")] {
        let r = report(&b, args);
        check(args, &r);
        let [all, of_a_step, steps] =
            ["cells", cells, "fractional_steps"].map(|key| r[key].as_u64().expect("a number"));
        assert!(all == of_a_step * steps && steps > 1, "{r}");
        let chosen = r["chosen"].as_array().expect("auto chooses");
        let chosen: u64 = chosen.iter().map(|c| c["cells"].as_u64().expect("a number")).sum();
        assert!(r["method"] == "auto" && chosen == all, "{r}");
        let own = report(&b, &[&args[..], &["--method", "rodas4"]].concat());
        assert!(own["method"] == "rodas4" && own.get("chosen").is_none(), "{own}");
    }
    // Steady states are found, not integrated.
    let r = report(&b, &of(&["psr", "600"], &["--tau", "1ms"]));
    let keys = ["mechanism", "species", "reactions", "failed", "seconds", "threads", "device", "points", "kinlane"];
    assert!(keys.into_iter().all(|key| r.get(key).is_some()), "{r}");
}

/// With constant rates and with some that move, with the sun or at times of the file.
#[test]
fn a_box_has_a_report() {
    let b = Bench::new();
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 1e-3;\nB = A : 2e-3*SUN;\n";
    std::fs::write(b.path("day.kpp"), text).expect("written");
    let air = ["box", "day.kpp", "--T", "298", "--end-time", "1h", "--every", "10min", "--quiet", "--set"];
    for (set, method) in [("A=1e10,SUN=0.5", "auto"), ("A=1e10", "radau5")] {
        let args = [&air[..], &[set]].concat();
        let r = report(&b, &args);
        check(&args, &r);
        assert!(r["method"] == method && r["cells"] == 1 && r["mechanism"] == "day", "{r}");
        assert!(r["end_time"] == 3600.0 && r["t"] == 3600.0 && r["atol"] == 1e-3 && r["species"] == 2, "{r}");
        assert_eq!(r["steps"], r["steps_per_cell"]["median"]);
        // Beside a table, and in a file.
        let o = b.kinlane(&[&args[..], &["--csv", "-", "--json", "r.json"]].concat());
        assert!(o.status.success() && stdout(&o).starts_with("time_s,"), "{}", stderr(&o));
        let again: Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).expect("written")).expect("JSON");
        assert_eq!(again["steps"], r["steps"]);
    }
    let o = b.kinlane(&[&air[..], &["A=1", "--csv", "-", "--json", "-"]].concat());
    assert!(o.status.code() == Some(2) && stderr(&o).contains("--csv and --json"), "{}", stderr(&o));
}

/// A cell that stops on the way has failed, at the time of its last row.
#[test]
fn a_box_that_stops_says_where() {
    let b = Bench::new();
    let text = "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 1e-3*SUN;\n";
    std::fs::write(b.path("day.kpp"), text).expect("written");
    let air = ["box", "day.kpp", "--T", "298", "--start", "0h", "--end-time", "12h", "--every", "10min", "--quiet"];
    let more = ["--set", "A=1e10", "--max-steps", "3", "--json", "r.json", "--csv", "r.csv"];
    let o = b.kinlane(&[&air[..], &more].concat());
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    let r: Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).expect("written")).expect("JSON");
    let csv = std::fs::read_to_string(b.path("r.csv")).expect("written");
    let last: f64 = csv.lines().last().and_then(|l| l.split(',').next()?.parse().ok()).expect("a time");
    assert!(r["failed"] == 1 && r["end_time"] == 43_200.0 && r["t"].as_f64() == Some(last) && last < 43_200.0, "{r}");
}

/// At one temperature, along a history, and heated.
#[test]
fn a_zone_has_a_report() {
    let b = Bench::new();
    let library = "\
4
         p  c14  n15                       ls09n     1.94300e+00
 6.931472e-01 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
";
    std::fs::write(b.path("lib"), library).expect("written");
    std::fs::write(b.path("tracer.dat"), "# time(s) T9(GK) density(g/cc)\n1 1 100\n2 0.5 50\n4 0.4 10\n")
        .expect("written");
    let matter = ["burn", "lib", "--X", "p=0.5,c14=0.5", "--quiet"];
    let state = ["--T9", "1", "--rho", "1e3", "--end-time", "1e-3"];
    for (more, method, end) in [
        (&state[..], "auto", 1e-3),
        (&[&state[..], &["--reactor", "const-v"]].concat(), "bdf", 1e-3),
        (&["--history", "tracer.dat"], "radau5", 4.0),
    ] {
        let args = [&matter[..], more].concat();
        let r = report(&b, &args);
        check(&args, &r);
        assert!(r["method"] == method && r["cells"] == 1 && r["atol"] == 1e-12, "{r}");
        let [t, of_end] = ["t", "end_time"].map(|key| r[key].as_f64().expect("a time"));
        assert!((t / end - 1.0).abs() < 1e-12 && of_end == end, "{r}");
    }
}
