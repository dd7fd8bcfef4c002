//! Ignition where pressure or volume is imposed over time.

use crate::common::{Bench, stderr, stdout};

/// A stroke to a tenth of the volume in 20 ms.
fn stroke() -> String {
    let volume = |t: f64| 550.0 + 450.0 * (std::f64::consts::PI * t / 20.0).cos();
    let lines = (0..=40).map(|i| f64::from(i) * 0.5).map(|t| format!("{t},{}\n", volume(t)));
    format!("# a machine\nt (ms), V [cm3]\n{}", lines.collect::<String>())
}

/// The last column of a table of delays.
fn delays(text: &str) -> Vec<f64> {
    text.lines().skip(1).map(|l| l.rsplit(',').next().and_then(|x| x.parse().ok()).expect("a delay")).collect()
}

#[test]
fn a_volume_over_time_compresses_until_it_ignites() {
    let bench = Bench::new();
    std::fs::write(bench.path("rcm.csv"), stroke()).expect("the history");
    let gas = ["ignite", "h2", "--mixture", "H2:2,O2:1,N2:3.76", "--volume-history", "rcm.csv", "--end-time", "0.05"];
    let files = ["--series", "s.csv", "--picture", "p.svg", "--csv", "d.csv"];
    let wish = ["--delay", "dP/dt", "--show", "OH", "--sensitivity", "--rates", "r.csv", "--path", "H"];
    let done = bench.kinlane(&[&gas[..], &["--T", "420"], &files, &wish, &["--at", "0.99delay"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(stderr(&done).contains("the history ends at 0.02 s; its last value holds until --end-time"));
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).expect(name);
    let one = delays(&read("d.csv"))[0];
    // Before it ignites, what there is was compressed to about T v^0.4 = 420 K.
    let series = read("s.csv");
    let rows = series.lines().skip(1).map(|l| l.split(',').filter_map(|x| x.parse().ok()).collect::<Vec<f64>>());
    let top = rows.clone().take_while(|r| r[0] <= 0.02).last().expect("the end of the stroke");
    assert!((900.0..1000.0).contains(&top[1]) && (21e5..25e5).contains(&top[2]), "{top:?}");
    assert!(rows.last().is_some_and(|r| r[1] > 2500.0 && r[2] > 5e6), "burnt");
    for name in ["p.svg", "p-pressure.svg", "p-species.svg", "p-sensitivity.svg", "r.csv"] {
        assert!(read(name).len() > 1000, "{name}");
    }
    assert!(read("p-pressure.svg").contains("pressure (bar)"));
    // What attacks H2O2 leads, and ignition comes earlier where it is faster.
    let first = read("d-sensitivity.csv").lines().nth(1).map(str::to_owned).expect("a line");
    assert!(first.contains("H2O2") && first.contains(",-"), "{first}");
    assert!(stdout(&done).contains("Net fluxes of H at"), "{}", stdout(&done));
    // In a sweep the same cell ignites at the same time.
    let done = bench.kinlane(&[&gas[..], &["--T", "420,430,440", "--delay", "dP/dt", "--csv", "d.csv"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let all = delays(&read("d.csv"));
    assert!(all[0] == one && all[0] > all[1] && all[1] > all[2] && all[2] > 0.018, "{one} and {all:?}");
}

#[test]
fn a_rising_pressure_makes_ignition_earlier() {
    let bench = Bench::new();
    let gas = ["ignite", "h2", "--mixture", "H2:2,O2:1,AR:20", "--T", "1000", "--end-time", "2e-3", "--quiet"];
    let delay = |more: &[&str]| {
        let done =
            bench.kinlane(&[&gas[..], &["--csv", "d.csv", "--delay", "dOH/dt", "--series", "s.csv"], more].concat());
        assert!(done.status.success(), "{}", stderr(&done));
        let read = |name: &str| std::fs::read_to_string(bench.path(name)).expect(name);
        let pressure = read("s.csv").lines().last().and_then(|l| l.split(',').nth(2)?.parse::<f64>().ok());
        let time = read("s.csv").lines().last().and_then(|l| l.split(',').next()?.parse::<f64>().ok());
        (delays(&read("d.csv"))[0], time.expect("a time"), pressure.expect("a pressure"))
    };
    let still = delay(&[]);
    let rising = delay(&["--dpdt", "10%/ms"]);
    assert!(rising.0 < 0.98 * still.0, "{rising:?} and {still:?}");
    // At constant pressure but for the rise, the pressure is what is said.
    let (_, t, p) = delay(&["--dpdt", "0.1/ms", "--reactor", "const-p"]);
    assert!((p / (101_325.0 * (1.0 + 100.0 * t)) - 1.0).abs() < 1e-9, "{p} Pa at {t} s");
    // The same from a file, which also says with what pressure to begin.
    std::fs::write(bench.path("p.csv"), "P (atm),t (s)\n1,0\n1.2,2e-3\n").expect("the history");
    let (_, again, same) = delay(&["--pressure-history", "p.csv"]);
    assert!(again == t && (same / p - 1.0).abs() < 1e-9, "{same} and {p}");
}

#[test]
fn a_history_that_cannot_be_is_blamed_by_its_line() {
    let bench = Bench::new();
    let run = |option: &str, text: &str, more: &[&str]| {
        std::fs::write(bench.path("h.csv"), text).expect("the history");
        let done =
            bench.kinlane(&[&["ignite", "h2", "--mixture", "H2:2,O2:1", "--T", "300", option, "h.csv"], more].concat());
        assert_eq!(done.status.code(), Some(2), "{text}");
        stderr(&done)
    };
    for (text, said) in [
        ("t (s),V\n0,1\n1e-3,fast\n", "h.csv, line 3: `fast` is no positive volume; correct it"),
        ("t (s),V\n0,1\n1e-3,-1\n", "line 3: `-1` is no positive volume"),
        ("t (s),V\n0,1\nNaN,1\n", "line 3: `NaN` is no time"),
        ("t (s),V\n0,1\n2e-3,1\n1e-3,1\n", "line 4: the time 0.001 s is not after the one before; sort"),
        ("t (s),V\n0,1\n0,2\n", "line 3: the time 0 s is not after"),
        ("t (s),V\n1e-3,1\n2e-3,1\n", "line 2: the first time is 0.001 s; it must be 0"),
        ("t (s),V\n0,1\n", "line 2: a history needs at least two times"),
        ("t (s),P (Pa)\n0,1\n1,2\n", "line 1: the first line must name one column t (s)"),
        ("# of a rig\r\n\r\nt,V\r\n0,1\r\n1,2\r\n", "line 3: the first line must name one column t (s)"),
        ("t (s),V,V\n0,1,1\n1,2,2\n", "and one column V"),
        ("t (s),velocity (m/s)\n0,1\n1,2\n", "and one column V"),
        ("", "line 1: the first line must name"),
        ("t (s),V\n0,1\n1e-3\n", "line 3: the line has 1 values and the first line names 2 columns; correct it"),
    ] {
        let told = run("--volume-history", text, &[]);
        assert!(told.contains(said), "{text}: {told}");
    }
    for (more, said) in [
        (&["--P", "2atm"][..], "'--P <LIST>'"),
        (&["--reactor", "const-v"], "--reactor"),
        (&["--dpdt", "3%/ms"], "--dpdt"),
    ] {
        let told =
            run(if said.contains("--P") { "--pressure-history" } else { "--volume-history" }, "t (s),V\n0,1\n", more);
        assert!(told.contains("cannot be used with") && told.contains(said), "{told}");
    }
    let done = bench.kinlane(&["ignite", "h2", "--mixture", "H2:2,O2:1", "--T", "300", "--volume-history", "none.csv"]);
    assert!(stderr(&done).contains("none.csv: there is no such file or folder; check its name"), "{}", stderr(&done));
    let told = run("--pressure-history", "t (s),P (ell)\n0,1\n1,2\n", &[]);
    assert!(told.contains("P (bar)"), "{told}");
    for (rate, said) in [("3", "write 0.03/ms"), ("-3%/ms", "is a fall"), ("0/ms", "is no rise")] {
        let done = bench.kinlane(&["ignite", "h2", "--mixture", "H2:2,O2:1", "--dpdt", rate]);
        assert!(done.status.code() == Some(2) && stderr(&done).contains(said), "{}", stderr(&done));
    }
}

/// Of a gas that does not react the rates are those of the history: T goes with p^(R/cp) or v^(-R/cv), fastest just behind the
/// first knot of `p.csv`, and just before the last of `v.csv`.
#[test]
fn a_rate_may_jump_at_a_knot() {
    let bench = Bench::new();
    std::fs::write(bench.path("p.csv"), "t (ms),P (bar)\n0,1\n1,1D0\n1.5,2d+00\n3,2\n").expect("the history");
    std::fs::write(bench.path("v.csv"), "t (ms),V\n0,1\n1,1\n1.5,.3\n3,.3\n").expect("the history");
    for (history, file, want) in [("--pressure-history", "p.csv", 1e-3), ("--volume-history", "v.csv", 1.5e-3)] {
        let gas = ["ignite", "h2", "--mixture", "AR:1", "--T", "1000", "--delay", "dT/dt", "--end-time", "4ms"];
        let done = bench.kinlane(&[&gas[..], &[history, file, "--csv", "delay.csv"]].concat());
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        let table = std::fs::read_to_string(bench.path("delay.csv")).expect("a table");
        let found: f64 = table.lines().nth(1).and_then(|l| l.split(',').nth(3)?.parse().ok()).expect("a time");
        assert!((found / want - 1.0).abs() < 1e-9, "{history}: {found}");
    }
}

/// A temperature in the file is no second time.
#[test]
fn a_history_may_hold_a_temperature() {
    let bench = Bench::new();
    std::fs::write(bench.path("h.csv"), "t (s),V,T\n0,1,300\n1e-4,.9,310\n").expect("the history");
    let gas =
        ["ignite", "h2", "--mixture", "H2:2,O2:1", "--T", "1200", "--volume-history", "h.csv", "--end-time", "1e-4"];
    let done = bench.kinlane(&gas);
    assert!(done.status.success(), "{}", stderr(&done));
}

/// Between the points of an imposed curve the rate of temperature rises a little, and drops at each: that is no ignition.
#[test]
fn compressed_gas_that_does_not_react_does_not_ignite() {
    let bench = Bench::new();
    let delays = |mixture: &str, t: &str| {
        let gas = ["ignite", "h2", "--mixture", mixture, "--T", t, "--P", "3.5atm", "--dpdt", "3%/ms"];
        let o = bench.kinlane(&[&gas[..], &["--end-time", "5ms", "--csv", "d.csv"]].concat());
        let table = std::fs::read_to_string(bench.path("d.csv")).expect("written");
        let last = |line: &str| line.rsplit(',').next().and_then(|x| x.parse::<f64>().ok());
        (table.lines().skip(1).map(last).collect::<Vec<_>>(), stdout(&o) + &stderr(&o))
    };
    let (found, told) = delays("AR", "700,1000");
    assert!(found.iter().all(|t| t.is_none_or(f64::is_nan)), "{found:?}");
    assert!(told.contains("no ignition"), "{told}");
    let (found, told) = delays("H2:4,O2:2,AR:94", "800,1000");
    assert!(found[0].is_none_or(f64::is_nan) && told.contains("no ignition of 1 of 2"), "{found:?}: {told}");
    assert!(found[1].is_some_and(|t| (t / 1.487e-3 - 1.0).abs() < 1e-2), "{found:?}");
}
