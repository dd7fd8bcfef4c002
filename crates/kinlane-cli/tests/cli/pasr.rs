//! `kinlane pasr`: its files, equal bits from equal seeds, streams apart, and what it refuses.

use crate::common::{Bench, load, stderr, stdout};

const GAS: [&str; 11] =
    ["pasr", "h2", "--fuel", "H2", "--oxidizer", "O2:1,N2:3.76", "--T", "600", "--tau-res", "1ms", "--tau-mix=200us"];

#[test]
fn particles_are_a_batch_for_advance() {
    let b = Bench::new();
    let few = ["--particles", "20", "--residences", "2"];
    let files = ["--out", "p.npz", "--samples", "4", "--csv", "p.csv", "--picture", "p.svg", "--json", "p.json"];
    let o = b.kinlane(&[&GAS[..], &few, &files].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stdout(&o).contains("second half of the run") && stdout(&o).contains("20 particles over 100 steps"));

    let p = load(&b.path("p.npz"));
    let times = p["t"].numbers();
    assert_eq!((times.len(), p["T"].numbers().len()), (80, 80));
    let samples: Vec<f64> = times.iter().step_by(20).copied().collect();
    let right = [5e-4, 1e-3, 1.5e-3, 2e-3];
    assert!(samples.iter().zip(right).all(|(t, right)| (t - right).abs() < 1e-12), "{samples:?}");
    let t = p["T"].numbers();
    let (least, most) = t.iter().fold((f64::MAX, 0.0f64), |(a, b), &t| (a.min(t), b.max(t)));
    assert!(least < 2200.0 && most > 2450.0, "{least} {most}");

    // The last sample is the last row of the table, and the end of the report.
    let csv = std::fs::read_to_string(b.path("p.csv")).expect("the table");
    let last: Vec<f64> = csv.lines().last().expect("rows").split(',').map(|x| x.parse().expect("a number")).collect();
    let mean = t[60..].iter().sum::<f64>() / 20.0;
    assert!((last[1] - mean).abs() < 1e-9 && csv.lines().count() == 102, "{last:?} {mean}");
    let json = std::fs::read_to_string(b.path("p.json")).expect("the report");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!((json["temperature"][0].as_f64().expect("a mean") - mean).abs() < 1e-9);
    assert_eq!((json["failed"].as_u64(), json["fractional_steps"].as_u64()), (Some(0), Some(100)));
    let svg = std::fs::read_to_string(b.path("p.svg")).expect("the picture");
    assert!(svg.contains("Partially stirred reactor") && svg.contains("coldest tenth below"));

    let o = b.kinlane(&["advance", "h2", "--states", "p.npz", "--dt", "1e-6", "--out", "a.npz", "--quiet"]);
    assert!(o.status.success() && stderr(&o).is_empty(), "{}", stderr(&o));
}

#[test]
fn equal_seeds_give_equal_bits() {
    let b = Bench::new();
    let run = |name: &str, more: &[&str]| {
        let few = ["--particles", "30", "--residences", "1", "--quiet", "--out", name];
        let o = b.kinlane(&[&GAS[..], &few, more].concat());
        assert!(o.status.success() && stdout(&o).is_empty() && stderr(&o).is_empty(), "{}", stderr(&o));
        let p = load(&b.path(name));
        [p["T"].numbers(), p["Y"].numbers()].concat().iter().map(|x| x.to_bits()).collect::<Vec<u64>>()
    };
    let first = run("a.npz", &["--threads", "1"]);
    assert_eq!(first, run("b.npz", &["--threads", "3"]));
    assert_ne!(first, run("c.npz", &["--seed", "2"]));
}

#[test]
fn streams_that_come_apart_have_the_mixture_on_the_average() {
    let b = Bench::new();
    // Nothing burns from so cold a start.
    let cold = ["pasr", "h2", "--fuel", "H2:1,N2:3", "--oxidizer", "O2:1,N2:3.76", "--separate", "--start", "inflow"];
    let times = ["--tau-res", "10us", "--tau-mix", "1ms", "--residences", "33", "--particles", "200"];
    let o = b.kinlane(&[&cold[..], &times, &["--quiet", "--out", "p.npz", "--samples", "33"]].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let p = load(&b.path("p.npz"));
    let (species, y) = (p["species"].strings(), p["Y"].numbers());
    let of = |name: &str| species.iter().position(|s| s == name).expect("a species");
    // Of those that came in since: not of what filled the reactor at the start.
    let column = |k: usize| y.iter().skip(k).step_by(species.len()).skip(600).copied().collect::<Vec<f64>>();
    let (fuel, oxygen) = (column(of("H2")), column(of("O2")));
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let ratio = mean(&fuel) / 2.01588 / (mean(&oxygen) / 31.9988);
    assert!((ratio / 2.0 - 1.0).abs() < 0.05, "two moles of H2 for one of O2, not {ratio}");
    let most = |x: &[f64]| x.iter().fold(0.0f64, |a, &b| a.max(b));
    assert!(most(&fuel) > 0.0230 && most(&oxygen) > 0.22, "the streams are mixed already");
}

#[test]
fn a_run_ends_when_it_should() {
    let b = Bench::new();
    let time = |more: &[&str]| {
        let o = b.kinlane(&[&GAS[..], &["--particles", "10", "--json", "-"], more].concat());
        assert!(o.status.success(), "{}", stderr(&o));
        let json: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
        (json["t"].as_f64().expect("a time"), json["fractional_steps"].as_u64().expect("a number"), stderr(&o))
    };
    let (t, steps, _) = time(&["--residences", "0.35", "--step", "0.1ms"]);
    assert!((t - 3.5e-4).abs() < 1e-15 && steps == 4, "{t} s in {steps} steps");
    let (t, steps, said) = time(&["--residences", "0.001", "--out", "p.npz", "--samples", "3"]);
    assert!((t - 1e-6).abs() < 1e-18 && steps == 1 && said.contains("1 step only"), "{t} s in {steps} steps: {said}");
    let o = b.kinlane(&["pasr", "h2", "--mixture", "H2:2,O2:1", "--separate", "--tau-res", "1ms", "--tau-mix", "1ms"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("--separate"), "{}", stderr(&o));
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let b = Bench::new();
    for (wrong, said) in [
        (&["--particles", "7"][..], "an even number of them"),
        (&["--step", "1ms"], "the step is 0.001 s; it must be positive and at most 0.0002 s"),
        (&["--step", "0.3ms"], "the step is 0.0003 s; it must be positive and at most 0.0002 s"),
        (&["--step", "1s"], "the step is 1 s; it must be positive and at most 0.0002 s"),
        (&["--step", "20us", "--tau-pair", "10us"], "the step is 2e-5 s; it must be positive and at most 1e-5 s"),
        (&["--step", "1e-300"], "more than a billion steps"),
        (&["--tau-pair", "0"], "positive"),
        (&["--samples", "3"], "--out"),
        (&["--phi", "0.5,1"], "one"),
        (&["--mixture", "H2:2,O2:1"], "--mixture"),
        (&["--method", "nonsense"], "no method `nonsense`"),
        (&["--method", "rk4"], "take another --method"),
        (&["--out", "p.csv"], "NPZ"),
    ] {
        let o = b.kinlane(&[&GAS[..], wrong].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains(said), "{wrong:?}: {}", stderr(&o));
    }
    assert_eq!(std::fs::read_dir(b.path(".")).map(Iterator::count).expect("the folder"), 0);
}
