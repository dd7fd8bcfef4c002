//! The contract of `kinlane burn --history`: what files may look like, what they do to a zone, and what is refused.

use crate::common::{Bench, stderr, stdout};

/// A decay whose rate is e^-1 T9^3, and a capture of protons, of rate 2 rho (to seven digits).
const LIBRARY: &str = "\
1
       n13  c13                            wc12w     2.22050e+00
-1.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 3.000000e+00
4
         p  c14  n15                       ls09n     1.94300e+00
 6.931472e-01 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
";

fn bench() -> Bench {
    let b = Bench::new();
    std::fs::write(b.path("lib"), LIBRARY).expect("written");
    b
}

/// The columns and the rows of a table.
fn table(text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut lines = text.lines();
    let names = lines.next().unwrap_or_default().split(',').map(str::to_owned).collect();
    let numbers = |line: &str| line.split(',').map(|x| x.parse().expect("a number")).collect();
    (names, lines.map(numbers).collect())
}

#[test]
fn a_zone_follows_its_history() {
    let b = bench();
    // Both fall exponentially from t = 1: T9 from 3 by a third of e in a second, rho from 40 by e.
    let rows: String = (0..=8)
        .map(|i| f64::from(i) / 2.0)
        .map(|t| format!("{} {} {}\n", t + 1.0, 3.0 * (-t / 3.0).exp(), 40.0 * (-t).exp()))
        .collect();
    std::fs::write(b.path("tracer.dat"), format!("# of a model\n# time(s) T9(GK) density(g/cc)\n{rows}"))
        .expect("written");
    let zone = ["burn", "lib", "--history", "tracer.dat", "--set", "n13=0.02,p=0.02,c14=0.02", "--rtol", "1e-9"];
    let run = |more: &[&str]| {
        let o = b.kinlane(&[&zone[..], more].concat());
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        o
    };
    let (names, rows) = table(&stdout(&run(&["--csv", "-", "--points", "8"])));
    assert_eq!(names[..3], ["time_s", "T9", "rho"]);
    assert_eq!(rows.len(), 9);
    let of = |row: &[f64], name: &str| row[names.iter().position(|n| n == name).expect(name)];
    let masses = [("n13", 13.0), ("p", 1.0)].map(|(name, mass)| (name, of(&rows[0], name) / 0.02, mass));
    for row in &rows {
        let t = row[0] - 1.0;
        assert!((row[1] / (3.0 * (-t / 3.0).exp()) - 1.0).abs() < 1e-12, "{row:?}");
        assert!((row[2] / (40.0 * (-t).exp()) - 1.0).abs() < 1e-12, "{row:?}");
        // Integrals over time of the rates, which fall like e^-t.
        let passed = 1.0 - (-t).exp();
        let decayed = 0.02 * (-(-1.0_f64).exp() * 27.0 * passed).exp();
        let captured = 1.0 / (1.0 / 0.02 + 6.931_472e-1_f64.exp() * 40.0 * passed);
        for ((name, weight, mass), want) in masses.iter().zip([decayed, captured]) {
            assert!((weight / mass - 1.0).abs() < 0.01, "{weight}");
            let got = of(row, name) / weight;
            assert!((got / want - 1.0).abs() < 1e-7, "{name} at {t} s: {got} and not {want}");
        }
    }
    // It begins at the first line, and a part of it is burnt the same.
    let (_, part) = table(&stdout(&run(&["--csv", "-", "--end-time", "2", "--points", "4"])));
    let (last, same) = (part.last().expect("a row"), &rows[4]);
    assert!(last.iter().zip(same).all(|(x, y)| (x - y).abs() <= 1e-7 * y.abs()), "{last:?} {same:?}");
    // After its last line it stays.
    let o = run(&["--csv", "-", "--end-time", "8"]);
    assert!(stderr(&o).contains("the history ends at 5 s; its last line holds until 9 s"), "{}", stderr(&o));
    let (_, longer) = table(&stdout(&o));
    assert_eq!(longer.last().map(|row| row[1]), rows.last().map(|row| row[1]));
    // Its picture has that of the temperature beside it.
    run(&["--picture", "z.svg", "--quiet"]);
    assert!(b.path("z.svg").exists() && b.path("z-T9.svg").exists());
    // Also where the history begins before zero, which no logarithmic axis shows.
    std::fs::write(b.path("tracer.dat"), "t(s) T9 rho\n-2 3 40\n-1 2 20\n0 1 10\n").expect("written");
    run(&["--picture", "z.svg", "--quiet"]);
    for picture in ["z.svg", "z-T9.svg"] {
        let svg = std::fs::read_to_string(b.path(picture)).expect("the picture");
        assert!(!svg.contains("d=\"\"") && svg.contains(">-1.5<"), "{picture}: {svg}");
    }
}

#[test]
fn temperatures_may_be_kelvin_and_columns_in_any_order() {
    let b = bench();
    std::fs::write(b.path("a.csv"), "t (ms),T9,rho\n0,2,10\n5000,2,10\n").expect("written");
    let spaced = "# made by a code\n# time (s)  T (GK) [x]  rho (g/cc)\n#---\n#0 9 9\r\n0.0 2.0 10\r\n5.0 2.0 10\r\n";
    std::fs::write(b.path("c.dat"), spaced.replace(" [x]", "")).expect("written");
    std::fs::write(b.path("d.dat"), "# time(s), T9, rho\n0 2 10\n5   2  10\n").expect("written");
    std::fs::write(b.path("b.csv"), "rho (g/cm3);radius;T (K);t (s)\n10;1;2e9;0\n10;2;2e9;5\n").expect("written");
    let last = |zone: &[&str]| {
        let args = ["burn", "lib", "--X", "n13=0.5,p=0.02,c14=0.48", "--rtol", "1e-9", "--csv", "-"];
        let o = b.kinlane(&[&args[..], zone].concat());
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        let (names, rows) = table(&stdout(&o));
        let of = |name: &str| rows.last().expect("a row")[names.iter().position(|n| n == name).expect(name)];
        ["n13", "c13", "p", "c14", "n15"].map(of)
    };
    let still = last(&["--T9", "2", "--rho", "10", "--end-time", "5"]);
    for file in ["a.csv", "b.csv", "c.dat", "d.dat"] {
        let moved = last(&["--history", file]);
        assert!(still.iter().zip(&moved).all(|(x, y)| (x - y).abs() <= 1e-8), "{file}: {still:?} {moved:?}");
    }
}

#[test]
fn histories_that_are_none_are_refused() {
    let b = bench();
    for (text, part) in [
        ("0 1 1\n1 1 1\n", "h:1: the first line must name one column t (s)"),
        ("t (s),T9\n0,1\n1,1\n", "and one column rho, in g/cm3"),
        ("t (s),T,rho\n0,1,1\n1,1,1\n", "T (K) or T (GK)"),
        ("t (s),T9,rho\n0,1,1\n", "at least two times"),
        ("t (s),T9,rho\n0,1,1\n0,1,1\n", "the time 0 s is not after the one before"),
        ("t (s),T9,rho\n0,1,1\n1,-1,1\n", "`-1` is no positive temperature"),
        ("t (s),T9,rho\n0,1,1\n1,1,x\n", "`x` is no positive density"),
        ("t (s),T9,rho\n0,1,1\n1,1\n", "the line has 2 values and the first line names 3 columns"),
    ] {
        std::fs::write(b.path("h"), text).expect("written");
        let o = b.kinlane(&["burn", "lib", "--X", "p=1", "--history", "h", "--csv", "o.csv"]);
        let told = stderr(&o).replace("h, line ", "h:");
        assert!(o.status.code() == Some(2) && told.contains(part) && !b.path("o.csv").exists(), "{text}: {told}");
    }
    std::fs::write(b.path("h"), "t (s),T9,rho\n0,1,1\n1,1,1\n").expect("written");
    for (more, part) in [
        (&["--T9", "1"][..], "cannot be used with"),
        (&["--reactor", "const-v"], "cannot be used with"),
        (&["--method", "rodas4"], "rodas4 does not know how rate constants change within a step"),
        (&["--csv", "h"], "--csv"),
    ] {
        let o = b.kinlane(&[&["burn", "lib", "--X", "p=1", "--history", "h"], more].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains(part), "{more:?}: {}", stderr(&o));
    }
    std::fs::write(b.path("late"), "t (s),T9,rho\n1e9,1,1\n2e9,1,1\n").expect("written");
    let o = b.kinlane(&["burn", "lib", "--X", "p=1", "--history", "late", "--end-time", "1e-9"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("take a longer one"), "{}", stderr(&o));
    let o = b.kinlane(&["burn", "lib", "--X", "p=1", "--end-time", "1"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("--T9"), "{}", stderr(&o));
    std::fs::write(b.path("h"), "t (s),T9,rho\n0,1,1\n1,1e-3,1\n").expect("written");
    let o = b.kinlane(&["burn", "lib", "--X", "p=1", "--history", "h", "--csv", "-"]);
    assert!(o.status.code() == Some(0) && stderr(&o).contains("note: T9 is 1e-3"), "{}", stderr(&o));
}
