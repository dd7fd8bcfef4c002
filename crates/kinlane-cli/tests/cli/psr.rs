//! `kinlane psr`: the curve of one gas, sweeps of inflows, and what is said of them.

use crate::common::{Bench, load, stderr, stdout};

#[test]
fn a_stirred_reactor_gives_curve_table_and_turns() {
    let b = Bench::new();
    let gas = ["psr", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--T", "900"];
    let more = ["--tau", "1e-6:1e-1:6log", "--csv", "s.csv", "--picture", "s.png", "--json", "s.json"];
    let o = b.kinlane(&[&gas[..], &more].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(
        stdout(&o).contains("extinction: tau = 5.89") && stdout(&o).contains("ignition: tau = 1.49"),
        "{}",
        stdout(&o)
    );
    let csv = std::fs::read_to_string(b.path("s.csv")).expect("the table");
    for branch in ["burning", "unstable", "extinguished"] {
        assert!(csv.lines().any(|l| l.split(',').nth(1) == Some(branch)), "{branch}");
    }
    assert!(std::fs::read(b.path("s.png")).expect("the picture").starts_with(b"\x89PNG"));
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(b.path("s.json")).expect("the report")).expect("JSON");
    assert!(json["extinction"]["tau"].as_f64().expect("a time") > 5.8e-6);
    assert_eq!(json["turns"].as_array().map(Vec::len), Some(2), "{json}");

    let o = b
        .kinlane(&[&gas[..], &["--tau", "1e-3", "--transient", "1e-2", "--start", "burnt", "--csv", "t.csv"]].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let o = b.kinlane(&[&gas[..], &["--tau", "1e-3,1e-2", "--transient", "1e-2"]].concat());
    assert!(o.status.code() == Some(2) && stderr(&o).contains("one residence time"), "{}", stderr(&o));
    let tau = ["--tau", "1e-3", "--transient", "1e-2"];
    for wrong in
        [&["--tau", "0,1"][..], &[&tau[..], &["--rtol", "-1"]].concat(), &[&tau[..], &["--atol", "-1"]].concat()]
    {
        let o = b.kinlane(&[&gas[..], wrong].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains("positive"), "{}", stderr(&o));
    }
    let o = b.kinlane(&[&gas[..], &tau[..], &["--atol", "10"]].concat());
    assert!(o.status.code() == Some(2) && stderr(&o).contains("one of mass fractions"), "{}", stderr(&o));
}

#[test]
fn states_of_a_stirred_reactor_are_read_by_rates() {
    let b = Bench::new();
    let gas = ["psr", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--T", "900", "--tau", "1e-3", "--out"];
    let o = b.kinlane(&[&gas[..], &["s.npz"]].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let s = load(&b.path("s.npz"));
    assert_eq!(s["branch"].strings(), ["burning", "unstable", "extinguished"]);
    assert!(s["tau"].numbers().iter().all(|tau| *tau == 1e-3));
    assert!((s["T"].numbers()[0] - 2479.45).abs() < 0.1, "{:?}", s["T"].numbers());
    let o = b.kinlane(&["rates", "h2", "--states", "s.npz", "--out", "r.npz", "--quiet"]);
    assert!(o.status.success() && stderr(&o).is_empty(), "{}", stderr(&o));
    // What is made leaves: the flame is busier by far than the gas that goes through as it came.
    let (wdot, n) = (load(&b.path("r.npz"))["wdot"].numbers(), s["species"].strings().len());
    let most = |i: usize| wdot[i * n..(i + 1) * n].iter().fold(0.0f64, |m, w| m.max(w.abs()));
    assert!(most(0) > 1e3 && most(2) < 1.0, "{} {}", most(0), most(2));
    let o = b.kinlane(&[&gas[..], &["t.npz", "--transient", "1e-2", "--start", "burnt"]].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let t = load(&b.path("t.npz"));
    assert!(t["t"].numbers().windows(2).all(|w| w[0] < w[1]) && !t.contains_key("branch"));
}

#[test]
fn a_stirred_reactor_tells_every_time_and_what_burns() {
    let b = Bench::new();
    let o = b.kinlane(&["psr", "h2", "--mixture", "H2:2,O2:1,AR:5", "--T", "1000", "--tau", "1e-3"]);
    assert!(o.status.success() && stdout(&o).contains("burning        2594.97"), "{}{}", stdout(&o), stderr(&o));
    let o = b.kinlane(&["psr", "h2", "--mixture", "AR:1", "--tau", "1e-3", "--picture", "ar.svg"]);
    assert!(
        stdout(&o).contains("extinguished    300.00") && stdout(&o).contains("1 steady state in"),
        "{}",
        stdout(&o)
    );
    let text = std::fs::read_to_string(b.path("ar.svg")).expect("the picture");
    assert!(!text.contains("NaN") && text.contains("<circle"), "{text}");
    let gas = ["psr", "h2", "--mixture", "H2:2,O2:1,AR:40", "--T", "1000", "--P", "1e5", "--isothermal"];
    let o = b.kinlane(&[&gas[..], &["--tau", "1e-5:1e-2:4log", "--csv", "i.csv", "--picture", "i.svg"]].concat());
    assert!(o.status.success(), "{}", stderr(&o));
    for tau in ["1.00000e-5", "1.00000e-4", "1.00000e-3", "1.00000e-2"] {
        assert!(stdout(&o).contains(tau), "{tau}: {}", stdout(&o));
    }
    let text = std::fs::read_to_string(b.path("i.svg")).expect("the picture");
    assert!(!text.contains("NaN") && text.contains("mole fraction") && text.contains(">H2O<"), "{text}");
}

#[test]
fn a_stirred_reactor_tells_oscillations_and_every_turn() {
    let b = Bench::new();
    let gas = ["psr", "gri30", "--fuel", "CH4", "--oxidizer"];
    let dilute =
        ["O2:1,N2:30", "--T", "1000", "--tau", "14,20ms", "--csv", "o.csv", "--json", "o.json", "--out", "o.npz"];
    let o = b.kinlane(&[&gas[..], &dilute].concat());
    assert!(stdout(&o).contains("stability lost to oscillations: tau = 1.4476"), "{}{}", stdout(&o), stderr(&o));
    let text = |name| std::fs::read_to_string(b.path(name)).expect("a file");
    assert!(text("o.csv").lines().any(|l| l.starts_with("1.4e-2,oscillating,")), "{}", text("o.csv"));
    let json: serde_json::Value = serde_json::from_str(&text("o.json")).expect("JSON");
    assert!((json["hopf"][0]["tau"].as_f64().expect("a time") / 1.44768e-2 - 1.0).abs() < 1e-4, "{json}");
    assert_eq!(json["turns"].as_array().map(Vec::len), Some(0), "{json}");
    assert!(load(&b.path("o.npz"))["branch"].strings().iter().any(|b| b == "oscillating"));

    // The strong flame ends at a longer time than the range has; the weak one's end is not its extinction.
    let held = ["O2:1,N2:3.76", "--T", "1500", "--isothermal", "--tau", "1e-4:5e-4:5"];
    let o = b.kinlane(&[&gas[..], &held].concat());
    for says in ["cool flame", "extinction: not between", "ignition: tau = 3.615", "all turns", "  tau = 2.9967"] {
        assert!(stdout(&o).contains(says), "{says}: {}{}", stdout(&o), stderr(&o));
    }
}

/// Each branch is one entry of the legend, however often the curve comes to it.
#[test]
fn a_branch_has_one_entry_in_the_legend() {
    let b = Bench::new();
    let gas = ["psr", "gri30", "--fuel", "CH4", "--oxidizer", "O2:1,N2:30", "--T", "1000"];
    let o = b.kinlane(&[&gas[..], &["--tau", "1e-3:1:13log", "--picture", "p.svg"]].concat());
    assert!(o.status.success(), "{}", stderr(&o));
    let svg = std::fs::read_to_string(b.path("p.svg")).expect("the picture");
    for branch in ["burning", "oscillating", "unstable", "extinguished"] {
        assert!(svg.matches(&format!(">{branch}<")).count() <= 1, "{branch}: {svg}");
    }
    assert!(svg.contains(">burning<") && svg.contains(">oscillating<") && !svg.contains("NaN"), "{svg}");
}

/// The state of each inflow of a sweep is the one that it has alone.
#[test]
fn a_sweep_of_inflows_gives_table_picture_and_report() {
    let b = Bench::new();
    let gas = ["psr", "h2", "--fuel", "H2", "--oxidizer", "O2:1,AR:90", "--tau", "50,100ms", "--isothermal"];
    let files = ["--csv", "s.csv", "--json", "s.json", "--picture", "s.svg", "--out", "s.npz"];
    let o = b.kinlane(&[&gas[..], &["--T", "900:1200:7", "--phi", "0.5,1"], &files].concat());
    assert!(o.status.success(), "{}", stderr(&o));
    assert!(stdout(&o).contains("28 steady states of 14 gases in "), "{}", stdout(&o));
    let read = |name: &str| std::fs::read_to_string(b.path(name)).expect(name);
    let table = read("s.csv");
    assert!(
        table.starts_with("phi,T0_K,P0_Pa,tau_s,branch,T_K,X_H2,")
            || table.starts_with("phi,T0_K,P0_Pa,tau_s,branch,T_K,X_H,")
    );
    assert_eq!(table.lines().count(), 29, "{table}");
    let json: serde_json::Value = serde_json::from_str(&read("s.json")).expect("JSON");
    assert!(
        json["points"] == 28 && json["failed"] == 0 && json["gases"].as_array().map(Vec::len) == Some(14),
        "{json}"
    );
    let one = &json["gases"][5];
    assert!(one["T"] == 1000.0 && one["phi"] == 1.0 && one["missing"].as_array().is_some_and(Vec::is_empty), "{one}");
    let svg = read("s.svg");
    for word in [">temperature (K)<", ">mole fraction<", ">H2O, phi = 1, 0.05 s<", ">H2O, phi = 0.5, 0.1 s<"] {
        assert!(svg.contains(word), "{word}: {svg}");
    }
    let states = load(&b.path("s.npz"));
    assert!(states["T0"].numbers() == states["T"].numbers() && states["phi"].numbers()[2] == 1.0);

    let o = b.kinlane(&[&gas[..], &["--T", "1000", "--phi", "1", "--json", "one.json"]].concat());
    assert!(o.status.success(), "{}", stderr(&o));
    let alone: serde_json::Value = serde_json::from_str(&read("one.json")).expect("JSON");
    let alone = alone["states"].as_array().expect("states");
    for state in one["states"].as_array().expect("states") {
        assert!(alone.iter().any(|other| other["mole_fractions"] == state["mole_fractions"]), "{state}");
    }
    // Named species, over the quantity with the most values.
    let shown = ["--T", "900", "--P", "1:10:5atm", "--show", "OH,HO2", "--picture", "p.svg"];
    let o = b.kinlane(&[&gas[..], &shown].concat());
    assert!(o.status.success(), "{}", stderr(&o));
    let svg = read("p.svg");
    assert!(svg.contains(">pressure (Pa)<") && svg.contains(">OH, 0.05 s<") && !svg.contains(">H2O"), "{svg}");
}

/// A flame has a branch; where there are more residence times than inflows, these are along the axis.
#[test]
fn a_sweep_of_flames_shows_their_branches() {
    let b = Bench::new();
    let gas = ["psr", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--T", "800,900"];
    let svg = |more: &[&str]| {
        let o = b.kinlane(&[&gas[..], more, &["--picture", "p.svg"]].concat());
        assert!(o.status.success(), "{}", stderr(&o));
        std::fs::read_to_string(b.path("p.svg")).expect("the picture")
    };
    let over_t = svg(&["--tau", "1ms"]);
    assert!(over_t.contains(">temperature of the inflow (K)<") && over_t.contains(">burning<"), "{over_t}");
    assert!(over_t.contains(">unstable<") && over_t.contains("tau = 1e-3 s"), "{over_t}");
    let over_tau = svg(&["--tau", "1e-6:1:7log"]);
    assert!(over_tau.contains(">residence time (s)<") && over_tau.contains(">900 K, burning<"), "{over_tau}");
    // Branches are found with the work, and make more curves than can be told apart.
    let many = ["psr", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--T", "900", "--phi", "0.6:1:17"];
    let o = b.kinlane(&[&many[..], &["--tau", "1e-6:1:18log", "--picture", "p.svg"]].concat());
    assert!(o.status.success() && stderr(&o).contains("curves, and 49 can be told apart"), "{}", stderr(&o));
    let o = b.kinlane(&[&gas[..], &["--tau", "1ms", "--transient", "1ms"]].concat());
    assert!(o.status.code() == Some(2) && stderr(&o).contains("2 gases are given"), "{}", stderr(&o));
}
