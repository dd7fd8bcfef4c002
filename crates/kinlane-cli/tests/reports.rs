//! JSON reports: what those of all commands that integrate have in common.

mod common;

use common::{Bench, cells, save, stderr, stdout};
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
