//! The contract of the program for REACLIB libraries: which nuclides, which options, what is said.

mod common;

use common::{Array, Bench, Npz, load, save, stderr, stdout};

/// Decay, capture of protons and photodisintegration, with made-up parameters.
const LIBRARY: &str = "\
1
       n13  c13                            wc12w     2.22050e+00
-6.760000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
1
       be7  li7                              ecw     8.63000e-01
-2.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
2
       n13    p  c12                       ls09nv   -1.94300e+00
-1.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
4
         p  c12  n13                       ls09n     1.94300e+00
-7.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
4
         p  c12  n13                       ls09r     1.94300e+00
-8.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
";

const TABLE: &str = "# made up\n1.0E+9 2.0E+9\n\nn13\n1.0 2.0\n\nc12\n1.0 3.0\n";

fn bench() -> Bench {
    let b = Bench::new();
    std::fs::write(b.path("lib"), LIBRARY).expect("written");
    std::fs::write(b.path("table.txt"), TABLE).expect("written");
    std::fs::write(
        b.path("four.net"),
        "hydrogen-1 H1 1 1\ncarbon-12 C12 12 6\nnitrogen-13 N13 13 7\ncarbon-13 C13 13 6\n",
    )
    .expect("written");
    b
}

#[test]
fn check_counts_what_is_selected_and_says_what_is_missing() {
    let b = bench();
    let o = b.kinlane(&["check", "lib", "--nuclides", "p,c12,n13,c13", "--species"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    for part in [
        "lib: network of nuclides, 4 species and 0 fixed, 3 reactions",
        "species: p, c12, n13, c13",
        "4 sets of parameters; 0 electron captures; 0 rates with partition functions",
        "0 errors, 0 warnings, 1 note",
    ] {
        assert!(stdout(&o).contains(part), "{part}: {}", stdout(&o));
    }
    assert!(stderr(&o).contains("reverse rates without partition functions: 1 of 3 rates"), "{}", stderr(&o));
    // A file, and all of the library.
    let o = b.kinlane(&["check", "lib", "--nuclides", "four.net", "--partition", "table.txt"]);
    assert!(stdout(&o).contains("1 rate with partition functions"), "{}", stdout(&o));
    assert!(stderr(&o).contains("of p, c13: they are taken to be 1"), "{}", stderr(&o));
    let o = b.kinlane(&["check", "lib"]);
    assert!(stdout(&o).contains("6 species") && stdout(&o).contains("1 electron capture;"), "{}", stdout(&o));
}

#[test]
fn what_is_wrong_is_told() {
    let b = bench();
    let refuse = |args: &[&str], part: &str| {
        let o = b.kinlane(args);
        assert!(o.status.code() == Some(2) && stderr(&o).contains(part), "{args:?}: {}", stderr(&o));
    };
    refuse(&["check", "lib", "--nuclides", "p,c12,n31"], "did you mean `n13`?");
    refuse(&["check", "lib", "--nuclides", "no/such.net"], "no/such.net");
    refuse(&["check", "lib", "--partition", "nosuch.txt"], "nosuch.txt");
    refuse(&["check", "lib", "--rates", "table.txt"], "`--rates` does not apply");
    refuse(&["check", "gri30", "--nuclides", "p"], "--nuclides is for networks of nuclides");
    refuse(&["check", "lib", "--json", "table.txt", "--partition", "table.txt"], "table.txt");
    std::fs::write(b.path("bad"), LIBRARY.replace("c13 ", "c14 ").replace("-8.0", "-8x0")).expect("written");
    let o = b.kinlane(&["check", "bad"]);
    assert_eq!(o.status.code(), Some(2));
    for part in ["bad:2:", "14 nucleons are made of 13", "bad:19:", "`-8x000000e+00` is no number"] {
        assert!(stderr(&o).contains(part), "{part}: {}", stderr(&o));
    }
    refuse(&["burn", "lib", "--T9", "1", "--rho", "1", "--end-time", "1"], "give --X");
    refuse(&["burn", "lib", "--T9", "1", "--rho", "1", "--end-time", "1", "--X", "c21=1"], "did you mean `c12`?");
}

#[test]
fn rates_have_densities_partition_functions_and_captured_electrons() {
    let b = bench();
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["p", "c12", "n13", "c13", "be7", "li7"]));
    npz.insert("T9", Array::f64(&[2], &[1.0, 2.0]));
    npz.insert("rho", Array::f64(&[2], &[100.0, 10.0]));
    npz.insert("Y", Array::f64(&[2, 6], &[0.5, 0.02, 0.01, 0.0, 0.001, 0.0].repeat(2)));
    save(&b.path("s.npz"), &npz, false);
    let args = ["rates", "lib", "--states", "s.npz", "--out", "r.npz", "--partition", "table.txt"];
    let o = b.kinlane(&args);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let r = load(&b.path("r.npz"));
    let labels = ["n13 -> c13 [wc12]", "be7 -> li7 [ec]", "n13 -> c12 + p [ls09]", "c12 + p -> n13 [ls09]"];
    assert_eq!(r["reactions"].strings(), labels);
    let electrons = 0.5 + 6.0 * 0.02 + 7.0 * 0.01 + 4.0 * 0.001;
    let both = (-7.0_f64).exp() + (-8.0_f64).exp();
    let want =
        |rho: f64, g: f64| [(-6.76_f64).exp(), rho * electrons * (-2.0_f64).exp(), g * (-1.0_f64).exp(), rho * both];
    for (got, want) in r["rate"].numbers().iter().zip([want(100.0, 1.0), want(10.0, 1.5)].concat()) {
        assert!((got - want).abs() < 1e-14 * want, "{got} {want}");
    }
}

#[test]
fn a_zone_burns_from_mass_fractions() {
    let b = bench();
    let args = ["burn", "lib", "--nuclides", "n13,c13", "--T9", "1", "--rho", "1", "--end-time", "1000", "--csv", "-"];
    let o = b.kinlane(&[&args[..], &["--X", "N13=0.75,c13=0.25", "--rtol", "1e-9"]].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let last: Vec<f64> =
        stdout(&o).lines().last().unwrap_or("").split(',').map(|x| x.parse().expect("a number")).collect();
    let want = 0.75 * (-1000.0 * (-6.76_f64).exp()).exp();
    assert!((last[1] - want).abs() < 1e-7 && (last[1] + last[2] - 1.0).abs() < 1e-12, "{last:?} {want}");
}

/// A proton that captures electrons, beside helium whose electrons are captured too.
const CAPTURE: &str = "\
1
         p    n                              ecw     8.63000e-01
-7.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
8
       he4  he4  he4  c12                  testr     7.27500e+00
-7.000000e+02 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
";

#[test]
fn a_zone_does_not_depend_on_its_rows() {
    let b = bench();
    std::fs::write(b.path("capture"), CAPTURE).expect("written");
    // y' = -K (y + b) y, with b = 2 Y(he4)
    let (rate, y, others, t) = (1e3 * (-7.0_f64).exp(), 0.5, 0.25, 10.0);
    let decay = (-rate * others * t).exp();
    let want = others * y * decay / (others + y * (1.0 - decay));
    for points in ["2", "7", "200"] {
        let zone = ["burn", "capture", "--T9", "1", "--rho", "1e3", "--X", "p=0.5,he4=0.5", "--end-time", "10"];
        let o = b.kinlane(&[&zone[..], &["--points", points, "--rtol", "1e-9", "--csv", "-"]].concat());
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        let text = stdout(&o);
        assert!(text.starts_with("time_s,n,p,he4,c12\n"), "{text}");
        let last: Vec<f64> =
            text.lines().last().unwrap_or("").split(',').map(|x| x.parse().expect("a number")).collect();
        assert!((last[2] - want).abs() < 1e-7 * want, "{points}: {} {want}", last[2]);
        assert!((last[1..].iter().sum::<f64>() - 1.0).abs() < 1e-12, "{last:?}");
    }
}

#[test]
fn impossible_zones_are_refused_and_strange_ones_are_told() {
    let b = bench();
    std::fs::write(b.path("hot"), LIBRARY.replace("-7.000000e+00", " 8.000000e+02")).expect("written");
    let burn = |library: &str, t9: &str, more: &[&str]| {
        let zone = ["burn", library, "--T9", t9, "--rho", "1", "--end-time", "1", "--csv", "-"];
        let o = b.kinlane(&[&zone[..], more].concat());
        (o.status.code(), stderr(&o))
    };
    for (more, part) in [
        (&["--X", "p=1.3,c12=-0.3"][..], "c12=-0.3: there cannot be less"),
        (&["--X", "p=0.7"], "--X: the mass fractions sum to 0.7"),
        (&["--X", "c12=0"], "--X: the mass fractions sum to 0,"),
        (&["--X", "p=0.5,c12=0.3,h1=0.2"], "`h1` is given twice"),
        (&["--set", "p=1,p=1"], "`p` is given twice"),
        (&["--set", "p=-1"], "p=-1: there cannot be less"),
        (&["--X", "12C=1"], "did you mean `c12`?"),
        (&["--X", "prot=1"], "did you mean `p`?"),
        (&["--X", "p=1", "--method", "rk4"], "rk4 takes steps of one length"),
    ] {
        let (code, told) = burn("lib", "1", more);
        assert!(code == Some(2) && told.contains(part) && !told.contains("--first-step"), "{more:?}: {told}");
    }
    for (t9, more, part) in [
        ("1", &["--X", "h1=0.9999999,c12=1e-7"][..], ""),
        ("1", &["--set", "p=0.9"], "note: the mass fractions sum to 0.9000"),
        ("12", &["--X", "p=1"], "note: T9 is 12: rates of REACLIB are fitted from T9 = 0.01 to 10"),
        ("0.001", &["--X", "p=1"], "note: T9 is 0.001"),
    ] {
        let (code, told) = burn("lib", t9, more);
        assert!(code == Some(0) && told.contains(part) && (told.is_empty() == part.is_empty()), "{more:?}: {told}");
    }
    let (code, told) = burn("hot", "1", &["--X", "p=0.5,c12=0.5"]);
    assert!(code == Some(1) && told.contains("the rate constant of c12 + p -> n13 [ls09] is not finite"), "{told}");
    // States files.
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["h1", "c12", "n13", "c13", "be7", "li7"]));
    npz.insert("T9", Array::f64(&[2], &[1.0, 20.0]));
    npz.insert("rho", Array::f64(&[2], &[1.0, 1.0]));
    npz.insert("X", Array::f64(&[2, 6], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.3, -0.3, 0.0, 0.0, 0.0, 0.0]));
    save(&b.path("s.npz"), &npz, false);
    let o = b.kinlane(&["rates", "lib", "--states", "s.npz", "--out", "r.npz"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    for part in ["the mass fraction of c12 in cell 1 is -0.3000, below zero", "T9 of cell 1 is 20"] {
        assert!(stderr(&o).contains(part), "{part}: {}", stderr(&o));
    }
}

#[test]
fn libraries_come_from_standard_input_too() {
    let b = bench();
    let piped = |args: &[&str], file: &str| {
        let input = std::fs::File::open(b.path(file)).expect("opened");
        b.command(args).stdin(input).output().expect("the program starts")
    };
    let o = piped(&["check", "-", "--nuclides", "four.net", "--partition", "table.txt"], "lib");
    assert!(o.status.code() == Some(0) && stdout(&o).contains("4 species"), "{}{}", stdout(&o), stderr(&o));
    let zone = ["burn", "-", "--T9", "1", "--rho", "1", "--end-time", "1", "--X", "p=1", "--csv", "z.csv"];
    let o = piped(&zone, "lib");
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    // What is wrong has its place; what is not there, and what is no network, is said so.
    std::fs::write(b.path("bad"), LIBRARY.replace("c13 ", "c1x ")).expect("written");
    let o = piped(&["check", "-"], "bad");
    assert!(o.status.code() == Some(2) && stderr(&o).contains("standard input:2:"), "{}", stderr(&o));
    let net = format!("4He 4 2 2 0.0 2.4\n{}", "1 1 1 1 1 1 1 1\n".repeat(3));
    std::fs::write(b.path("fern"), net).expect("written");
    let o = piped(&["check", "-"], "fern");
    assert!(
        o.status.code() == Some(2) && stderr(&o).contains("a FERN network, which is in two files"),
        "{}",
        stderr(&o)
    );
    std::fs::write(b.path("prose"), "some words\n").expect("written");
    let o = piped(&zone, "prose");
    assert!(
        o.status.code() == Some(2) && stderr(&o).contains("M0004") && stderr(&o).contains("--format"),
        "{}",
        stderr(&o)
    );
}

#[test]
fn tables_are_named_one_by_one() {
    let b = bench();
    std::fs::write(b.path("more.txt"), "1e9 2e9\n\nc13\n1 2\n").expect("written");
    let o = b.kinlane(&["check", "--partition", "table.txt", "--partition", "more.txt", "lib"]);
    assert!(o.status.code() == Some(0) && !stderr(&o).contains("c13"), "{}", stderr(&o));
    let o = b.kinlane(&["check", "lib", "--partition", "table.txt", "more.txt"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("--partition more.txt"), "{}", stderr(&o));
}
