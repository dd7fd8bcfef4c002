//! `kinlane ignite` as a user runs it.

use crate::common::{Bench, stderr, stdout};

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

/// The table ends where the cell did; and it is not said that nothing happens.
#[test]
fn a_series_ends_with_a_cell_that_fails() {
    let bench = Bench::new();
    let gas = ["ignite", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--T", "1000", "--max-steps"];
    let o = bench.kinlane(&[&gas[..], &["230", "--series", "s.csv"]].concat());
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    let text = std::fs::read_to_string(bench.path("s.csv")).expect("a series");
    assert!(text.lines().count() > 100 && !text.contains("NaN"), "{:?}", text.lines().last());
    let o = bench.kinlane(&[&gas[..], &["20", "--sensitivity"]].concat());
    assert!(stderr(&o).contains("dT/dt was not found before the cell failed"), "{}", stderr(&o));
    // So does a picture: it shows what there is, not the whole second.
    let o = bench.kinlane(&[&gas[..], &["20", "--show", "OH", "--picture", "p.svg"]].concat());
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    let svg = std::fs::read_to_string(bench.path("p-species.svg")).expect("a picture");
    assert!(svg.contains(">time (\u{b5}s)<"), "{svg}");
}

/// What only falls has no peak, though rounding may lift it at first.
#[test]
fn what_only_falls_has_no_peak() {
    let bench = Bench::new();
    let gas =
        ["ignite", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--T", "900:1000:5", "--end-time", "0.5ms"];
    let o = bench.kinlane(&[&gas[..], &["--delay", "max O2", "--delay", "max H2", "--csv", "-"]].concat());
    let text = String::from_utf8_lossy(&o.stdout).into_owned();
    assert!(text.lines().count() == 6 && text.lines().skip(1).all(|l| l.ends_with(",,")), "{text}");
}

/// However long it goes on, and whether the delay that was asked for is found or not: a plateau of OH has no peak.
#[test]
fn a_series_shows_the_ignition() {
    let bench = Bench::new();
    for (delay, end) in [("dT/dt", "10ms"), ("dT/dt", "1s"), ("max OH", "10ms")] {
        let gas = [
            "ignite",
            "h2",
            "--fuel",
            "H2",
            "--oxidizer",
            "O2:1,N2:3.76",
            "--T",
            "2000",
            "--series",
            "s.csv",
            "--quiet",
        ];
        let o = bench.kinlane(&[&gas[..], &["--delay", delay, "--end-time", end]].concat());
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        let text = std::fs::read_to_string(bench.path("s.csv")).expect("a series");
        let rows = text.lines().skip(1).map(|l| l.split(',').filter_map(|x| x.parse().ok()).collect::<Vec<f64>>());
        let rows: Vec<(f64, f64)> = rows.map(|row| (row[0], row[1])).collect();
        assert!(rows.windows(2).all(|w| w[0].0 < w[1].0), "times rise");
        let most = rows.iter().map(|row| row.1).fold(0.0, f64::max);
        let rise = rows.iter().filter(|row| row.1 > 2010.0 && row.1 < 0.98 * most).count();
        assert!(rise > 20, "{delay}, {end}: {rise} rows between 2010 and {} K", 0.98 * most);
    }
}

/// The table goes on to the end that is said, else to twice the delay; the picture to twice the delay.
#[test]
fn a_series_reaches_the_end_that_is_said() {
    let bench = Bench::new();
    let gas = ["ignite", "h2", "--mixture", "H2:2,O2:1,AR:7", "--T", "1000", "--series", "s.csv", "--picture", "p.svg"];
    let end = |more: &[&str]| {
        let done = bench.kinlane(&[&gas[..], more].concat());
        assert!(done.status.success(), "{}", stderr(&done));
        let text = std::fs::read_to_string(bench.path("s.csv")).expect("a series");
        let picture = std::fs::read_to_string(bench.path("p.svg")).expect("a picture");
        assert!(picture.contains("time (µs)"), "{picture}");
        text.lines().last().and_then(|l| l.split(',').next()?.parse::<f64>().ok()).expect("a time")
    };
    assert_eq!(end(&["--end-time", "0.01"]), 0.01);
    let twice = end(&[]);
    assert!((5e-4..8e-4).contains(&twice), "{twice}");
}

/// Of a plateau of OH, which has no peak, the picture ends where T has risen. Radicals beside major species need a
/// logarithmic axis.
#[test]
fn a_picture_ends_with_what_happens() {
    let bench = Bench::new();
    let gas =
        ["ignite", "h2", "--mixture", "H2:2,O2:1,N2:3.76", "--T", "2000", "--delay", "max OH", "--picture", "p.svg"];
    let show = |species: &str| {
        let done = bench.kinlane(&[&gas[..], &["--show", species]].concat());
        assert!(done.status.success(), "{}", stderr(&done));
        assert!(stdout(&done).contains("max OH was not found"), "{}", stdout(&done));
        std::fs::read_to_string(bench.path("p-species.svg")).expect("a picture")
    };
    let svg = show("OH,H2O");
    assert!(svg.contains("time (\u{b5}s)") && !svg.contains("10\u{207b}"), "{svg}");
    assert!(show("H2O2,H2O").contains("10\u{207b}"));
    let svg = std::fs::read_to_string(bench.path("p.svg")).expect("a picture");
    assert!(svg.contains(">h2, constant volume<") && !svg.contains(">T<"), "{svg}");
}

/// The state is never cut off from a title, however long the mixture is.
#[test]
fn a_long_mixture_is_shortened() {
    let bench = Bench::new();
    let mix =
        "H2:2.123456,O2:1.123456,N2:3.123456,AR:1.123456,HE:1.654321,H2O:0.123456,CO:0.123456,CO2:0.12,H:1e-9,O:1e-9";
    let done = bench.kinlane(&["ignite", "h2", "--mixture", mix, "--T", "1200", "--picture", "p.svg"]);
    assert!(done.status.success(), "{}", stderr(&done));
    let svg = std::fs::read_to_string(bench.path("p.svg")).expect("a picture");
    let title: String = svg.lines().filter(|l| l.contains("font-size=\"17\"")).collect();
    assert!(title.ends_with("+ 1.6543 HE + ..., 1200 K, 1 atm</text>"), "{title}");
}

#[test]
fn a_constant_makes_a_picture() {
    let bench = Bench::new();
    for gas in [["H2:2,O2:1,AR:7", "fixed-t"], ["N2:1", "const-v"]] {
        let [mixture, reactor] = gas;
        let run = ["ignite", "h2", "--mixture", mixture, "--reactor", reactor, "--T", "1000", "--end-time", "1e-3"];
        let done = bench.kinlane(&[&run[..], &["--picture", "p.svg"]].concat());
        assert!(done.status.success(), "{}", stderr(&done));
        let text = std::fs::read_to_string(bench.path("p.svg")).expect("a picture");
        assert!(!text.contains("NaN") && text.len() < 20_000_000 && text.contains(">1000<"), "{mixture}: {text:.2000}");
        assert!(stdout(&done).contains("1 cell in"), "{}", stdout(&done));
    }
}

/// Radicals fill up within microseconds, and that may be their steepest rise before the end of a gas that ignites after it.
#[test]
fn radicals_that_fill_up_are_no_ignition() {
    let bench = Bench::new();
    let thin = ["ignite", "h2", "--mixture", "H2:4,O2:2,N2:94", "--T", "800,1000", "--P", "3.5atm"];
    let done = bench.kinlane(&[&thin[..], &["--delay", "dOH/dt", "--csv", "-"]].concat());
    let text = stdout(&done);
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert!(rows.len() == 2 && rows[0].ends_with(','), "after 19 s, not after 2e-6 s: {text}");
    assert!(!rows[1].ends_with(','), "{text}");
    // One that stands out of all tolerances is told, with what speaks against it.
    let slow = ["ignite", "gri30", "--fuel", "CH4", "--oxidizer", "O2:1,N2:3.76", "--T", "800,1400", "--P", "10atm"];
    let done = bench.kinlane(&[&slow[..], &["--delay", "dOH/dt", "--json", "r.json"]].concat());
    let told = "\nin 1 of 2 cells, more than half of everything is left at 1 s (--end-time): what was found there may be an early";
    assert!(stdout(&done).contains(told), "{}", stdout(&done));
    let text = std::fs::read_to_string(bench.path("r.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let reacted = |i: usize| report["points"][i]["reacted"].as_bool();
    assert_eq!([reacted(0), reacted(1)], [Some(false), Some(true)]);
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
    assert!(stdout(&done).contains("\nno ignition of 2 of 6 cells within 0.1 s (--end-time)\n"), "{}", stdout(&done));
    for p in points {
        assert_eq!(p["delay"][0].is_null(), p["T"].as_f64() == Some(500.0), "{p}");
    }
    assert!(std::fs::read(bench.path("p.png")).expect("a picture").starts_with(b"\x89PNG"));
    // Every computed point is marked, and the event is told where there is only one.
    let done = bench.kinlane(&[&gas[..], &["--delay", "max OH", "--end-time", "0.1", "--picture", "p.svg"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let svg = std::fs::read_to_string(bench.path("p.svg")).expect("a picture");
    assert_eq!(svg.matches("<circle").count(), 4, "{svg}");
    assert!(svg.contains(">ignition delay (s)<") && svg.contains(">10 atm<") && !svg.contains(">1 atm, "), "{svg}");
    let below = ">h2, constant volume; delay: maximum of OH; 2 of 6: none within 0.1 s<";
    assert!(svg.contains(below), "{svg}");
    // What would have curves that nobody can tell apart is refused before the work.
    let many = ["--T", "1000:1100:51", "--P", "1:50:50atm", "--picture", "q.svg"];
    let done = bench.kinlane(&[&["ignite", "h2", "--mixture", "H2:2,O2:1"], &many[..]].concat());
    assert!(done.status.code() == Some(2) && stderr(&done).contains("there would be 50 curves"), "{}", stderr(&done));

    // What still creeps up at the end has not ignited.
    let slow =
        ["ignite", "h2", "--mixture", "H2:2,O2:1,N2:3.76", "--T", "700", "--end-time", "1e-3", "--csv", "slow.csv"];
    let done = bench.kinlane(&[&slow[..], &["--delay", "dT/dt", "--delay", "max OH"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(stdout(&done).contains("\nno ignition within 1e-3 s (--end-time)\n"), "{}", stdout(&done));
    assert!(!stdout(&done).contains("no reaction proceeds"));
    // Helium and argon do nothing; oxygen breaks up.
    let of = |gas| stdout(&bench.kinlane(&["ignite", "h2", "--mixture", gas, "--T", "900", "--end-time", "1e-3"]));
    assert!(of("AR,HE").contains("\nat 900 K no reaction proceeds: each needs a species that the gas lacks\n"));
    // Rates that are too small for a number.
    let thin = ["ignite", "h2", "--mixture", "H2:2,O2", "--T", "1000", "--P", "1e-300"];
    let thin = bench.kinlane(&thin);
    assert!(stdout(&thin).contains("no ignition") && !stdout(&thin).contains("lacks"), "{}", stdout(&thin));
    assert!(stderr(&thin).contains("note: P = 1e-300 Pa; write 1e-300atm or 1e-300bar"), "{}", stderr(&thin));
    assert!(!of("O2,AR").contains("no reaction proceeds"));
    let text = std::fs::read_to_string(bench.path("slow.csv")).expect("a table");
    assert!(text.lines().nth(1).is_some_and(|row| row.ends_with(",,")), "{text}");
    // What burns without the mark that is asked for has ignited.
    let burns = ["ignite", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76"];
    for (asked, said) in [
        (
            &["--T", "2000", "--delay", "max OH"][..],
            "\nmax OH was not found within 1 s (--end-time): no peak after t = 0, or still rising; try --delay dT/dt\n",
        ),
        (
            &["--T", "1200,2000", "--delay", "max OH", "--delay", "T=9000"],
            "\nin 1 of 2 cells, max OH, T=9000 were not found within 1 s (--end-time): no peak after t = 0, still rising, not \
             reached, or where the gas begins; try --delay dT/dt\n",
        ),
        (
            &["--T", "1200", "--reactor", "fixed-t"],
            "\ndT/dt was not found within 1 s (--end-time): no peak after t = 0, or still rising; T is held: try a species, as \
             --delay 'max OH' or dOH/dt\n",
        ),
    ] {
        let done = bench.kinlane(&[&burns[..], asked].concat());
        assert!(done.status.success() && stdout(&done).contains(said), "{}{}", stdout(&done), stderr(&done));
    }
    // What is largest at the beginning is no delay, and takes nothing from the others.
    let first = [
        "--T",
        "1000",
        "--delay",
        "max H2",
        "--delay",
        "dT/dt",
        "--delay",
        "T=5000",
        "--picture",
        "z.svg",
        "--series",
        "z.csv",
    ];
    let done = bench.kinlane(&[&burns[..], &first].concat());
    let said = "\nmax H2, T=5000 were not found within 1 s (--end-time): no peak after t = 0, still rising, not reached, or where the gas begins;";
    assert!(done.status.success() && stdout(&done).contains(said), "{}{}", stdout(&done), stderr(&done));
    assert!(bench.path("z.csv").exists() && bench.path("z.svg").exists());
    // Tables of measured delays as spreadsheets write them.
    for between in [",", ";", "\t"] {
        let table = ["# T, tau", "T [K]X1000/T (1/K)Xtau (us)", "1200X0.8333X40", "1100X0.9091X120"].join("\n");
        std::fs::write(bench.path("measured.csv"), table.replace('X', between)).expect("writes");
        let done = bench
            .kinlane(&[&burns[..], &["--T", "1100,1200", "--measured", "measured.csv", "--picture", "m.svg"]].concat());
        assert!(done.status.success(), "{between}: {}", stderr(&done));
    }
    // The title says what all states have in common.
    for (asked, common) in
        [(["--T", "1200,1300", "--phi", "2"], "phi = 2, 1 atm"), (["--T", "1200", "--phi", "1,2"], "1200 K, 1 atm")]
    {
        let done = bench.kinlane(&[&burns[..], &asked, &["--picture", "t.svg"]].concat());
        let svg = std::fs::read_to_string(bench.path("t.svg")).expect("a picture");
        let title = format!(">Ignition delay: H2 and 1 O2 + 3.76 N2, {common}<");
        assert!(done.status.success() && svg.contains(&title), "{svg:.3000}");
    }
    // What failed has not stayed cold, and where it is too cold its unit may be another.
    let done = bench.kinlane(&[&burns[..], &["--T", "5"]].concat());
    assert!(done.status.code() == Some(1) && !stdout(&done).contains("no ignition"), "{}", stdout(&done));
    assert!(stderr(&done).contains("T = 5 K; temperatures are in kelvin"), "{}", stderr(&done));
    // Nor has a gas in which nothing happens.
    let still = ["ignite", "h2", "--mixture", "AR", "--T", "1500", "--csv", "still.csv", "--delay", "dT/dt", "--delay"];
    let done = bench.kinlane(&[&still[..], &["max OH"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let text = std::fs::read_to_string(bench.path("still.csv")).expect("a table");
    assert!(text.lines().nth(1).is_some_and(|row| row.ends_with(",,")), "{text}");
}

/// H + O2 = O + OH leads, and ignition comes earlier where it is faster.
#[test]
fn sensitivities_to_every_reaction() {
    let bench = Bench::new();
    let gas = ["ignite", "h2", "--mixture", "H2:2,O2:1,N2:3.76", "--T", "1200", "--end-time", "0.01"];
    let files = ["--csv", "d.csv", "--picture", "p.png", "--json", "r.json"];
    // Errors of the delays count a hundredfold in a quotient of differences by one percent.
    let gas = [&gas[..], &["--rtol", "1e-8"]].concat();
    let wish = ["--delay", "dT/dt", "--delay", "max OH", "--sensitivity"];
    let done = bench.kinlane(&[&gas[..], &files, &wish].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let table = std::fs::read_to_string(bench.path("d-sensitivity.csv")).expect("a table");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "reaction,equation,dln(dT/dt)/dlnA,dln(max OH)/dlnA");
    let first: Vec<&str> = lines[1].split(',').collect();
    assert_eq!(first[1].replace(' ', ""), "H+O2<=>O+OH", "{}", lines[1]);
    let [by_t, by_oh] = [2, 3].map(|i| first[i].parse::<f64>().expect("a number"));
    assert!((-1.0..-0.5).contains(&by_t) && by_t < by_oh && by_oh < 0.0, "{by_t} and {by_oh}");
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(bench.path("r.json")).expect("a report")).expect("JSON");
    let answers = report["sensitivity"]["reactions"].as_array().expect("a list");
    assert_eq!((answers.len(), answers[0]["values"][0].as_f64()), (lines.len() - 1, Some(by_t)));
    assert!(std::fs::read(bench.path("p-sensitivity.png")).expect("a picture").starts_with(b"\x89PNG"));

    // The same with a factor of one's own; a factor of one says nothing.
    let done = bench.kinlane(&[&gas[..], &["--csv", "e.csv", "--sensitivity", "1.01"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let table = std::fs::read_to_string(bench.path("e-sensitivity.csv")).expect("a table");
    let again: f64 = table.lines().nth(1).and_then(|l| l.split(',').nth(2)?.parse().ok()).expect("a number");
    assert!((again / by_t - 1.0).abs() < 1e-3, "{again} and {by_t}");
    let done = bench.kinlane(&[&gas[..], &["--sensitivity", "1"]].concat());
    assert!(done.status.code() == Some(2) && stderr(&done).contains("a number above 1"), "{}", stderr(&done));
}

/// Tolerances are made wider for a sensitivity, but not beyond those at which a delay is found.
#[test]
fn loose_tolerances_have_sensitivities() {
    let bench = Bench::new();
    for rtol in ["3e-3", "5e-3", "1e-2", "2e-2"] {
        let gas = ["ignite", "h2", "--mixture", "H2:2,O2:1,N2:3.76", "--T", "1200", "--sensitivity", "--rtol", rtol];
        let done = bench.kinlane(&gas);
        assert!(done.status.success(), "{rtol}: {}", stderr(&done));
        let text = stdout(&done);
        assert!(text.contains("-0.7") && !text.contains("none") && !text.contains("most cells"), "{rtol}: {text}");
    }
    // Cells that fail are told as such; what helps where there is no delay would not help them.
    let gas = ["ignite", "h2", "--mixture", "H2:2,O2:1,N2:3.76", "--T", "1200", "--sensitivity", "--max-steps", "120"];
    let text = stdout(&bench.kinlane(&gas));
    assert!(text.contains(", 54 failed") && !text.contains("most cells"), "{text}");
}

/// At the default tolerances, where the peak is flat. Times and sensitivities of Cantera 3.2 at rtol 1e-11, each from a root of the
/// rate between steps.
#[test]
fn a_flat_peak_is_found_and_so_is_what_moves_it() {
    let bench = Bench::new();
    let gas = ["ignite", "h2", "--mixture", "H2:2,O2:1,N2:3.76", "--T", "2200", "--P", "0.1atm", "--delay", "max O"];
    let done = bench.kinlane(&[&gas[..], &["--sensitivity", "--csv", "d.csv"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let rows = |name: &str| std::fs::read_to_string(bench.path(name)).expect("a table");
    let delay: f64 =
        rows("d.csv").lines().nth(1).and_then(|l| l.split(',').next_back()?.parse().ok()).expect("a number");
    assert!((delay / 4.746_694_2e-5 - 1.0).abs() < 1e-5, "{delay:e}");
    let table = rows("d-sensitivity.csv");
    for (reaction, want) in [("1,", -0.65108), ("16,", -0.05757), ("15,", -0.00896)] {
        let row = table.lines().find(|l| l.starts_with(reaction)).expect("a row");
        let got: f64 = row.split(',').next_back().and_then(|x| x.parse().ok()).expect("a number");
        assert!((got - want).abs() < 5e-4, "{row}: Cantera has {want}");
    }
}

/// In thin hot hydrogen T rises nearly evenly for long after it has risen fastest: rates at ends of steps, right within the
/// tolerances, put that 7 % off. Times and sensitivities of Cantera 3.2 at rtol 1e-12, from a spline of degree 7.
#[test]
fn a_flat_rise_is_found_and_so_is_what_moves_it() {
    let bench = Bench::new();
    let gas = ["ignite", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--phi", "0.2", "--P", "0.1atm"];
    let done = bench.kinlane(&[&gas[..], &["--T", "2400", "--sensitivity", "--csv", "d.csv"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let rows = |name: &str| std::fs::read_to_string(bench.path(name)).expect("a table");
    let last = |row: &str| row.split(',').next_back().and_then(|x| x.parse::<f64>().ok()).expect("a number");
    let delay = last(rows("d.csv").lines().nth(1).expect("a row"));
    assert!((delay / 7.411_019e-5 - 1.0).abs() < 2e-3, "{delay:e}");
    let table = rows("d-sensitivity.csv");
    for (reaction, want) in [("1,", -0.52385), ("4,", -0.18421), ("3,", -0.12597), ("16,", -0.04257)] {
        let row = table.lines().find(|l| l.starts_with(reaction)).expect("a row");
        assert!((last(row) - want).abs() < 0.01, "{row}: Cantera has {want}");
    }
    // A cell's time does not hang on what other cells of the sweep are like.
    let done = bench.kinlane(&[&gas[..], &["--T", "1100,2400,1200", "--csv", "s.csv"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    assert_eq!(last(rows("s.csv").lines().nth(2).expect("a row")), delay);
}

/// Two rises are equally steep, nearly: with slower reactions the other one is the steepest.
#[test]
fn a_jump_between_peaks_is_no_sensitivity() {
    let bench = Bench::new();
    let gas = ["ignite", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--phi", "0.5", "--P", "1atm"];
    let wish = ["--T", "2200", "--rtol", "1e-9", "--atol", "1e-19", "--sensitivity", "--csv", "d.csv"];
    let done = bench.kinlane(&[&gas[..], &wish].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(stdout(&done).contains("another peak is the highest"), "{}", stdout(&done));
    let table = std::fs::read_to_string(bench.path("d-sensitivity.csv")).expect("a table");
    let largest = table.lines().skip(1).map(|l| l.split(',').next_back().and_then(|x| x.parse().ok()).unwrap_or(0.0));
    assert!(largest.map(f64::abs).fold(0.0, f64::max) < 1.0, "{table}");
}

/// Rates of progress and paths at an instant before ignition.
#[test]
fn rates_and_paths_at_an_instant() {
    let bench = Bench::new();
    let gas = ["ignite", "gri30", "--mixture", "CH4:1,O2:2,N2:7.52", "--T", "1500", "--end-time", "0.01"];
    let files = ["--rates", "r.csv", "--path-picture", "c.dot", "--at", "0.5delay", "--path", "C"];
    let done = bench.kinlane(&[&gas[..], &files].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let said = stdout(&done);
    assert!(said.contains("Net fluxes of C at 5.53") && said.contains("CH4 -> CH3\n"), "{said}");
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).expect(name);
    let dot = read("c.dot");
    assert!(dot.starts_with("digraph") && dot.contains("\"CH4\" -> \"CH3\" [label=\"100 %\""), "{dot}");
    assert_eq!(read("r.csv").lines().count(), 326);
    let shares = read("r-species.csv");
    let used: f64 = shares
        .lines()
        .filter(|l| l.starts_with("CH4,"))
        .filter_map(|l| l.rsplit(',').next()?.parse::<f64>().ok())
        .sum();
    assert!((used - 1.0).abs() < 0.01, "what uses CH4 adds up to {used}");
    // No reaction is too slow to be told: what is told of a species adds up to its net rate.
    for line in read("r.csv").lines().skip(1).filter(|l| !l.ends_with(",0e0")) {
        let number = line.split(',').next().expect("a number");
        assert!(
            shares.lines().any(|l| l.split(',').nth(1) == Some(number) || l.contains(&format!("\",{number},"))),
            "{line}"
        );
    }
    for (at, picture) in [("1e-4", "p.png"), ("0", "q.svg")] {
        let wish = ["--at", at, "--path", "o", "--path-share", "0.01", "--path-picture", picture];
        let done = bench.kinlane(&[&gas[..], &wish].concat());
        assert!(done.status.success(), "{}", stderr(&done));
    }
    assert!(std::fs::read(bench.path("p.png")).expect("a picture").starts_with(b"\x89PNG"));
}

/// Times and pressures say their units as people write them.
#[test]
fn units_of_the_command_line() {
    let bench = Bench::new();
    let gas = ["ignite", "h2", "--mixture", "H2:2,O2:1,AR:20", "--T", "1200", "--csv", "d.csv"];
    let table = |more: &[&str]| {
        let done = bench.kinlane(&[&gas[..], more].concat());
        assert!(done.status.success(), "{}", stderr(&done));
        std::fs::read_to_string(bench.path("d.csv")).expect("a table")
    };
    let plain = table(&["--P", "2e5", "--end-time", "0.002", "--path", "H", "--at", "1e-5"]);
    assert_eq!(plain, table(&["--P", "2BAR", "--end-time", "2ms", "--path", "H", "--at", "10us"]));
    assert_eq!(table(&["--P", "1atm"]), table(&["--P", "760 torr"]));
    for end in ["2y", "us", "-1us"] {
        let done = bench.kinlane(&[&gas[..], &["--end-time", end]].concat());
        assert_eq!(done.status.code(), Some(2), "{}", stderr(&done));
    }
    let psr = ["psr", "h2", "--mixture", "H2:2,O2:1", "--T", "1000", "--quiet", "--csv", "d.csv", "--tau"];
    let table = |tau| {
        assert!(bench.kinlane(&[&psr[..], &[tau]].concat()).status.success());
        std::fs::read_to_string(bench.path("d.csv")).expect("a table")
    };
    assert_eq!(table("1e-3"), table("1ms"));
}

/// Of a gas whose heat release is largest at the start and falls from there, rounding in the first steps is no steepest rise.
#[test]
fn what_only_falls_has_no_steepest_rise() {
    let bench = Bench::new();
    let species = |name: &str, h0: i32| {
        let thermo = format!("{{model: constant-cp, h0: {h0} kJ/mol, cp0: 30 J/mol/K}}");
        format!("- {{name: {name}, composition: {{H: 2}}, thermo: {thermo}}}\n")
    };
    let chain = [("A", 100), ("B", 0), ("C", -100), ("D", -200)].map(|(name, h0)| species(name, h0)).concat();
    let reaction = |[a, b]: [&str; 2]| format!("- {{equation: {a} => {b}, rate-constant: {{A: 1e3, b: 0, Ea: 0}}}}\n");
    let reactions = [["A", "B"], ["B", "C"], ["C", "D"]].map(reaction).concat();
    let phase = "phases:\n- {name: gas, thermo: ideal-gas, elements: [H], species: all, kinetics: gas}\n";
    let text = format!("{phase}species:\n{chain}reactions:\n{reactions}");
    std::fs::write(bench.path("chain.yaml"), text).expect("the mechanism");
    let done = bench.kinlane(&["ignite", "chain.yaml", "--mixture", "A:1", "--T", "500"]);
    assert!(done.status.success() && stdout(&done).contains(" none\n"), "{}{}", stdout(&done), stderr(&done));
    assert!(stdout(&done).contains("no peak after t = 0"), "{}", stdout(&done));
}

/// Where a peak is too small for --atol, the command says so; with a smaller one it is found.
#[test]
fn a_peak_below_the_tolerance_is_blamed_on_it() {
    let bench = Bench::new();
    let gas =
        ["ignite", "gri30", "--mixture", "CH4:1e-6,O2:.2,AR:.8", "--T", "1800", "--P", "2e5", "--end-time", "0.1"];
    for more in [&["--delay", "max CH"][..], &["--delay", "max CO", "--delay", "max CH"]] {
        let said = stdout(&bench.kinlane(&[&gas[..], more].concat()));
        assert!(
            said.contains("\nmax CH was not found within 0.1 s (--end-time): the mass fraction of CH is"),
            "{said}"
        );
        assert!(
            said.contains("at most, which --atol, 1e-15, leaves open; try --atol 1e-") && !said.contains("no ignition"),
            "{said}"
        );
    }
    let done = bench.kinlane(&[&gas[..], &["--delay", "max CH", "--sensitivity"]].concat());
    assert!(stderr(&done).contains("leaves open; try --atol 1e-"), "{}", stderr(&done));
    let done = bench.kinlane(&[&gas[..], &["--delay", "max CH", "--atol", "1e-20"]].concat());
    assert!(stdout(&done).contains("2.734"), "{}", stdout(&done));
}

/// What did not ignite is still somewhere on the axis; and numbers are written as they were meant.
#[test]
fn tables_and_pictures_of_what_does_not_ignite() {
    let bench = Bench::new();
    let gas =
        ["ignite", "h2", "--mixture", "H2:2,O2:1", "--end-time", "1us", "--delay", "OH=1e-11", "--delay", "T+400"];
    let done = bench.kinlane(&[&gas[..], &["--T", "500:625:6", "--picture", "d.svg", "--csv", "d.csv"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let svg = std::fs::read_to_string(bench.path("d.svg")).expect("the picture");
    assert!(svg.contains("6 of 6: none within 1e-6 s<"), "{svg}");
    assert!(svg.contains(">1.60<") && svg.contains(">2.00<") && !svg.contains(">0<"), "{svg}");
    assert!(std::fs::read_to_string(bench.path("d.csv")).expect("the table").contains(",OH=1e-11 (s),"));
    let done = bench.kinlane(&[&gas[..], &["--T", "1000", "--series", "s.csv"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let series = std::fs::read_to_string(bench.path("s.csv")).expect("the series");
    assert!(series.lines().nth(1).is_some_and(|l| l.starts_with("0e0,1000,101325,")), "{series}");
}

#[test]
fn what_cannot_be_is_said() {
    for (args, said) in [
        (&["--mixture", "H2:2,O2:1", "--phi", "1,2"][..], "'--phi <LIST>'"),
        (&["--mixture", "H2:2,H2:1", "--T", "1000"], "H2 is given twice; add its amounts up"),
        (&["--mixture", "H2:2,O2:1", "--delay", "OH"], "is no delay"),
        (&["--mixture", "H2:2,O2:1", "--delay", "dT/dt"], "no temperature is given, and delays depend on it; say --T"),
        (&["--mixture", "H2:2,O2:1", "--T", "900", "--delay", "max XY"], "no species `XY`"),
        (&["--mixture", "H2:2,O2:1", "--T", "1000,1100", "--series", "s.csv"], "--series is for one cell"),
        (&["--mixture", "H2:2,O2:1", "--T", "1000,1100", "--sensitivity"], "--sensitivity is for one cell"),
        (
            &["--mixture", "H2:2,O2:1", "--T", "300", "--sensitivity", "--end-time", "1ms"],
            "--sensitivity: dT/dt does not happen within 1e-3 s; wait longer (--end-time)",
        ),
        (&["--mixture", "H2:2,O2:1", "--T", "1200", "--path", "Xe"], "no element `Xe`; it has"),
        (&["--mixture", "H2:2,O2:1", "--T", "1200", "--path", "H", "--at", "soon"], "is no instant"),
        (
            &["--mixture", "H2:2,O2:1", "--T", "300", "--delay", "T+400", "--path", "H"],
            "--at: there is no delay: T+400 does not happen within 1 s; wait longer (--end-time); or give a time",
        ),
        // OH has only a plateau: it burns all the same.
        (
            &["--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--T", "2000", "--delay", "max OH", "--sensitivity"],
            "--sensitivity: max OH was not found within 1 s (--end-time): no peak after t = 0, or still rising; try --delay dT/dt",
        ),
        (
            &["--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--T", "2000", "--delay", "max OH", "--path", "H"],
            "--at: there is no delay: max OH was not found within 1 s (--end-time): no peak after t = 0",
        ),
        (&["--mixture", "H2:2,O2:1", "--T", "1000,1100", "--show", "OH"], "--show is for one cell"),
        (
            &["--mixture", "H2:2,O2:1", "--T", "1000", "--show", "OH"],
            "--show says what a file shows: give --picture or --series",
        ),
        (&["--mixture", "H2:2,O2:1", "--T", "1200", "--at", "1e-5"], "--rates <FILE>|--path <ELEMENT>"),
        (&["--mixture", "H2:2,O2:1", "--path-picture", "h.dot"], "--path <ELEMENT>"),
        (&["--mixture", "H2:2,O2:1", "--T", "1200", "--rtol", "-1"], "it must be a positive finite number"),
        (&["--mixture", "H2:2,O2:1", "--T", "1200", "--method", "rk4"], "take another --method"),
        (&[], "no gas is given"),
    ] {
        let done = Bench::new().kinlane(&[&["ignite", "h2"], args].concat());
        let text = stderr(&done);
        assert_eq!(done.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(said), "{args:?}: {text}");
    }
}

#[test]
fn measured_points_are_drawn_or_their_line_is_blamed() {
    let bench = Bench::new();
    let sweep = ["ignite", "h2", "--mixture", "H2:2,O2:1,AR:20", "--T", "1000:1400:3", "--quiet"];
    let run = |text: &str, more: &[&str]| {
        std::fs::write(bench.path("tube.csv"), text).expect("the points");
        bench.kinlane(&[&sweep[..], &["--measured", "tube.csv"], more].concat())
    };
    let picture = ["--picture", "d.svg"];
    let done = run("# a comment\nset,1000/T,tau (us)\nA & B,0.8,90\nA & B,0.9,400\nC\u{1},0.75,60\n", &picture);
    assert!(done.status.success(), "{}", stderr(&done));
    let svg = std::fs::read_to_string(bench.path("d.svg")).expect("the picture");
    // Each point, and each set once more in the legend.
    assert_eq!(svg.matches("fill-opacity").count(), 5, "{svg}");
    assert!(svg.contains(">measured<") && svg.contains("delay: steepest rise of T<"), "{svg}");
    assert!(svg.contains("A &amp; B") && !svg.contains('\u{1}'));
    for (text, more, said) in [
        ("T,tau (s)\n1100,1e-4\n1200,fast\n", &picture[..], "tube.csv, line 3: `fast`"),
        ("T,P\n1100,1\n", &picture, "line 1: the first line must name"),
        ("T0_K,P0_Pa,phi,tau (ms)\n1100,101325,1,0.1\n", &picture, "line 1: the first line must name"),
        ("T0_K,P0_Pa,phi,dT/dt (s),note\n1100,101325,1,1e-4,5\n", &picture, "line 1: the first line must name"),
        ("T,tau (s)\n1100,1e-4\n", &[], "--measured draws over a sweep"),
    ] {
        let done = run(text, more);
        assert_eq!(done.status.code(), Some(2));
        assert!(stderr(&done).contains(said), "{}", stderr(&done));
    }
    // Tables of --csv: what is several in them is in the names of the sets.
    let head = "T0_K,P0_Pa,phi,dT/dt (s)";
    for (text, sets) in [
        (format!("{head}\n1100,101325,,1e-4\n1200,101325,,\n1300,1.01325e5,,1e-5\n,,,\n"), &["measured"][..]),
        (format!("{head},max OH (s)\n1100,101325,1,1e-4,2e-4\n"), &["steepest rise of T", "maximum of OH"]),
        (
            format!("{head}\n1100,101325,0.5,1e-4\n1100,202650,0.5,1e-4\n1100,101325,1,1e-4\n"),
            &["phi = 0.5, 1 atm", "phi = 0.5, 2 atm", "phi = 1, 1 atm"],
        ),
    ] {
        let done = run(&text, &picture);
        assert!(done.status.success(), "{text}: {}", stderr(&done));
        let svg = std::fs::read_to_string(bench.path("d.svg")).expect("the picture");
        sets.iter().for_each(|set| assert!(svg.contains(&format!(">{set}<")), "{set}: {svg}"));
        let points = text.matches("e-").count();
        assert_eq!(svg.matches("fill-opacity").count(), points + sets.len(), "{text}: {svg}");
    }
}
