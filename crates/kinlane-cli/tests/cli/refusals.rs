//! What is refused before anything is written, and what is told of numbers that are none.

use crate::common::{Array, Bench, Npz, load, save, stderr};

/// The files of a mechanism that the command line does not name, and the files that are written beside others.
#[test]
fn no_output_replaces_what_was_read_or_another_output() {
    let b = Bench::new();
    std::fs::write(
        b.path("b.yaml"),
        "species:\n- {name: N2, composition: {N: 2}, thermo: {model: constant-cp, h0: 0, s0: 0, cp0: 30}}\n",
    )
    .expect("written");
    let phase = "phases:\n- {name: g, thermo: ideal-gas, species: [{b.yaml/species: all}]}\n";
    std::fs::write(b.path("a.yaml"), phase).expect("written");
    let before = std::fs::read(b.path("b.yaml")).expect("there");
    std::fs::write(b.path("air.def"), "#INCLUDE air.spc\n#EQUATIONS\nA = B : 1;\n").expect("written");
    std::fs::write(b.path("air.spc"), "#DEFVAR\nA = IGNORE; B = IGNORE;\n").expect("written");
    let boxed = ["box", "air.def", "--T", "300", "--end-time", "1", "--set", "A=1", "--quiet", "--csv", "air.spc"];
    for args in [&["check", "a.yaml", "--json", "b.yaml"][..], &["convert", "a.yaml", "b.yaml"], &boxed] {
        let o = b.kinlane(args);
        assert_eq!(o.status.code(), Some(2), "{args:?}: {}", stderr(&o));
        let told = ["is the input as well", "is a part of the input"].map(|told| stderr(&o).contains(told));
        assert!(told.contains(&true), "{args:?}: {}", stderr(&o));
    }
    assert_eq!(std::fs::read(b.path("b.yaml")).expect("there"), before);
    let ignite = ["ignite", "h2", "--mixture", "H2:2,O2", "--T", "1200", "--picture", "a.svg", "--show", "OH"];
    let o = b.kinlane(&[&ignite[..], &["--csv", "a-species.svg"]].concat());
    assert_eq!(o.status.code(), Some(2), "{}", stderr(&o));
    assert!(stderr(&o).contains("--csv and --picture with --show are both a-species.svg"), "{}", stderr(&o));
    assert!(!b.path("a-species.svg").exists() && !b.path("a.svg").exists());
    // A bundled mechanism is no file.
    std::fs::write(b.path("h2.yaml"), "").expect("written");
    assert_eq!(b.kinlane(&["convert", "h2", "h2.yaml"]).status.code(), Some(0));
    // Nor do measurements replace what is measured, or one another.
    let before = std::fs::read(b.path("h2.yaml")).expect("there");
    std::fs::create_dir(b.path("other")).expect("a folder");
    std::fs::copy(b.path("h2.yaml"), b.path("other/h2.yaml")).expect("copied");
    save(&b.path("s.npz"), &crate::common::cells(1), false);
    for (args, said) in [
        (&["work-precision", "h2.yaml:H2", "--out", "h2.yaml"][..], "is the input as well"),
        (&["work-precision", "h2.yaml", "--states", "s.npz", "--csv", "h2.yaml"], "is the input as well"),
        (&["precision", "h2.yaml:H2", "--out", "h2.yaml"], "is the input as well"),
        (&["work-precision", "h2.yaml:H2", "other/h2.yaml:H2", "--picture", "w.svg"], "w-h2-1e-6.svg"),
        (&["gpu", "h2:H2", "--compile", "--out", "w.md"], "cannot be used with"),
    ] {
        let o = b.kinlane(&[&["bench"][..], args].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains(said), "{args:?}: {}", stderr(&o));
    }
    assert_eq!(std::fs::read(b.path("h2.yaml")).expect("there"), before);
}

#[test]
fn what_no_run_can_mean() {
    let b = Bench::new();
    std::fs::write(b.path("n.def"), "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 1;\n").expect("written");
    let h2 = ["h2", "--mixture", "H2:2,O2:1,N2:3.76"];
    let air = ["box", "n.def", "--T", "300", "--end-time", "1"];
    let cases: [(&[&str], &[&str], &str); 10] = [
        (&["ignite"], &["--T", "1200", "--sensitivity", "1.0001"], "take a factor above 1.0005"),
        (&["equilibrate"], &["--T", "900:1500:100000", "--P", "1:10:100000atm"], "make 1e10 states"),
        (&["psr"], &["--tau", "1ms", "--transient", "3ms", "--rtol", "1e308"], "rtol is 1e308, it must be between"),
        (&["psr"], &["--tau", "1ms", "--transient", "3ms", "--atol", "5e-324"], "atol is 5e-324, it must be at least"),
        (
            &["psr"],
            &["--tau", "1ms", "--T", "300,5"],
            "error: --T: a gas of 5 K cannot flow in; the laws hold from 10 to",
        ),
        (&["pasr"], &["--tau-res", "1ms", "--tau-mix", ".1ms", "--T", "6e4"], "error: --T: a gas of 60000 K cannot"),
        (&["psr"], &["--tau", "1e-310"], "residence time 1e-310 s: it must be from 2.3e-308 s on"),
        (&["psr"], &["--tau", "1ms", "--P", "1e-310"], "P = 1e-310 Pa; write 1e-310atm or 1e-310bar"),
        (&[], &["--set", "A=-1e10"], "is negative"),
        (&[], &["--start", "1e25"], "more than a century"),
    ];
    for (command, more, told) in cases {
        let args = if command.is_empty() { [&air[..], more].concat() } else { [command, &h2, more].concat() };
        let o = b.kinlane(&args);
        assert_eq!(o.status.code(), Some(2), "{args:?}: {}", stderr(&o));
        assert!(stderr(&o).contains(told), "{args:?}: {}", stderr(&o));
    }
}

/// A batch with rates that overflow ends with 1, as that of a gas does.
#[test]
fn rates_of_schemes_that_are_not_finite_are_told() {
    let b = Bench::new();
    std::fs::write(b.path("s.def"), "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA + A = B : J(1);\n")
        .expect("written");
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["A", "B"]));
    npz.insert("T", Array::f64(&[2], &[300.0, 300.0]));
    npz.insert("C", Array::f64(&[2, 2], &[1e10, 0.0, 1e10, 0.0]));
    npz.insert("photolysis", Array::text(&["1"]));
    npz.insert("J", Array::f64(&[2, 1], &[1e-10, 1e300]));
    save(&b.path("s.npz"), &npz, false);
    let o = b.kinlane(&["rates", "s.def", "--states", "s.npz", "--out", "r.npz"]);
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    assert!(
        stderr(&o).contains("what is written of 1 of 2 cells is not finite; the first is cell 1"),
        "{}",
        stderr(&o)
    );
    assert_eq!(load(&b.path("r.npz"))["dCdt"].numbers()[1], 1e10);
}

/// Mass fractions as a host has them: not scaled, and below zero too.
#[test]
fn fractions_as_given() {
    let b = Bench::new();
    let mut npz = crate::common::cells(1);
    let mut y = npz["Y"].numbers();
    (y[0], y[1]) = (y[0] + 1.3e-5, -1e-5);
    npz.insert("Y", Array::f64(&[1, y.len()], &y));
    save(&b.path("s.npz"), &npz, false);
    let advance = ["advance", "h2", "--states", "s.npz", "--dt", "1e-9", "--quiet", "--out", "o.npz"];
    let o = b.kinlane(&advance);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("is negative"), "{}", stderr(&o));
    let o = b.kinlane(&[&advance[..], &["--as-given"]].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let sums = [&y, &load(&b.path("o.npz"))["Y"].numbers()].map(|y| y.iter().sum::<f64>());
    assert!((sums[0] - sums[1]).abs() < 1e-12, "{sums:?}");
}

/// A reaction scheme has no thermodynamics; commands that need them say who takes it, be it a file or a folder.
#[test]
fn a_reaction_scheme_is_no_gas() {
    let b = Bench::new();
    std::fs::write(b.path("n.def"), "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 1;\n").expect("written");
    let folder = b.path("chapman");
    std::fs::create_dir(&folder).expect("made");
    let files = [
        ("config.json", "{\"camp-files\": [\"species.json\", \"reactions.json\"]}"),
        ("species.json", "{\"camp-data\": [{\"name\": \"A\", \"type\": \"CHEM_SPEC\"}]}"),
        ("reactions.json", "{\"camp-data\": []}"),
    ];
    files.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).expect("written"));
    std::fs::create_dir(b.path("empty")).expect("made");
    let gas = ["--mixture", "N2", "--T", "1000"];
    let sides = ["--fuel", "H2", "--oxidizer", "O2", "--chi", "1"];
    let commands: [(&str, &[&str]); 5] = [
        ("ignite", &gas),
        ("equilibrate", &gas),
        ("psr", &[&gas[..], &["--tau", "1ms"]].concat()),
        ("pasr", &[&gas[..], &["--tau-res", "1ms", "--tau-mix", "1ms"]].concat()),
        ("flamelet", &sides),
    ];
    for (command, more) in commands {
        for (scheme, what) in [("n.def", "a KPP file"), ("chapman", "a MUSICA configuration")] {
            let o = b.kinlane(&[&[command, scheme], more].concat());
            let told = stderr(&o);
            assert_eq!(o.status.code(), Some(2), "{command} {scheme}: {told}");
            assert!(told.contains(&format!("`{scheme}` is {what}, which has no thermodynamics of a gas")), "{told}");
            assert!(told.contains("`check`, `rates`, `advance` and `box` take it"), "{told}");
        }
        let o = b.kinlane(&[&[command, "empty"], more].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains("cannot read `empty`"), "{}", stderr(&o));
    }
    // A folder does not hide the mechanism that is bundled under its name.
    std::fs::create_dir(b.path("h2")).expect("made");
    for command in [&["check", "h2"][..], &[&["equilibrate", "h2"], &gas[..]].concat()] {
        let o = b.kinlane(command);
        assert_eq!(o.status.code(), Some(0), "{command:?}: {}", stderr(&o));
    }
}
