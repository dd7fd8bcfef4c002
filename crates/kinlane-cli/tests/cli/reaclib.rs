//! The contract of the program for REACLIB libraries: which nuclides, which options, what is said.

use crate::common::{Array, Bench, Npz, load, save, stderr, stdout};

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
        assert!(text.starts_with("time_s,n,p,he4,c12,energy_erg_g\n"), "{text}");
        let last: Vec<f64> =
            text.lines().last().unwrap_or("").split(',').map(|x| x.parse().expect("a number")).collect();
        assert!((last[2] - want).abs() < 1e-7 * want, "{points}: {} {want}", last[2]);
        assert!((last[1..5].iter().sum::<f64>() - 1.0).abs() < 1e-12, "{last:?}");
        // A proton and an electron become a neutron, which has 0.782 MeV more.
        let energy = -9.648_533_212e17 * (y - want) * (8.071_318_1 - 7.288_971_064);
        assert!((last[5] - energy).abs() < 1e-6 * energy.abs(), "{} {energy}", last[5]);
    }
}

/// Carbon that burns to magnesium, with parameters made up.
const CARBON: &str = "\
4
       c12  c12 mg24                       made      1.39337e+01
 6.000000e+01 0.000000e+00-8.400000e+01 0.000000e+00
 0.000000e+00 0.000000e+00-6.666670e-01
";

#[test]
fn screening_follows_the_electrons_of_the_moment() {
    let b = bench();
    let captures: String = CAPTURE.split_inclusive('\n').take(4).collect();
    std::fs::write(b.path("dense"), captures + CARBON).expect("written");
    // Protons take electrons away at y' = -K (y + b) y, b those of carbon, which hardly burns.
    let (rho, y, others, end) = (1e8, 0.5, 0.25, 1e-4);
    let protons = |t: f64| {
        let decay = (-rho * (-7.0_f64).exp() * others * t).exp();
        others * y * decay / (others + y * (1.0 - decay))
    };
    // Simpson's rule over rates at these amounts.
    let n = 1000;
    let times: Vec<f64> = (0..=n).map(|i| end * i as f64 / n as f64).collect();
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["p", "n", "c12", "mg24"]));
    npz.insert("T9", Array::f64(&[n + 1], &vec![1.0; n + 1]));
    npz.insert("rho", Array::f64(&[n + 1], &vec![rho; n + 1]));
    let abundances: Vec<f64> = times.iter().flat_map(|t| [protons(*t), y - protons(*t), 0.5 / 12.0, 0.0]).collect();
    npz.insert("Y", Array::f64(&[n + 1, 4], &abundances));
    save(&b.path("s.npz"), &npz, false);
    let dense = ["--screening", "chugunov2007", "--quiet"];
    let o = b.kinlane(&[&["rates", "dense", "--states", "s.npz", "--out", "r.npz"][..], &dense].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let rates = load(&b.path("r.npz"));
    let place = rates["species"].strings().iter().position(|name| name == "mg24").expect("there");
    let weight = |i: usize| if i == 0 || i == n { 1.0 } else { [2.0, 4.0][i % 2] };
    let sum: f64 = rates["dYdt"].numbers().chunks(4).enumerate().map(|(i, dydt)| weight(i) * dydt[place]).sum();
    let want = 24.0 * sum * end / (3.0 * n as f64);

    for points in ["2", "400"] {
        let zone = ["burn", "dense", "--T9", "1", "--rho", "1e8", "--X", "p=0.5,c12=0.5", "--end-time", "1e-4"];
        let o = b.kinlane(&[&zone[..], &["--points", points, "--rtol", "1e-9", "--csv", "z.csv"], &dense].concat());
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        let text = std::fs::read_to_string(b.path("z.csv")).expect("written");
        let place = text.lines().next().unwrap_or("").split(',').position(|name| name == "mg24").expect("there");
        let last = text.lines().last().unwrap_or("").split(',').nth(place).expect("as many columns");
        let got: f64 = last.parse().expect("a number");
        // What carbon loses is 1e-7 of it, and rates go with its square.
        assert!((got / want - 1.0).abs() < 1e-6, "{points}: {got} {want}");
    }
}

#[test]
fn dense_matter_is_screened_and_a_zone_may_heat_itself() {
    let b = bench();
    std::fs::write(b.path("carbon"), CARBON).expect("written");
    let o = b.kinlane(&["check", "lib", "--nuclides", "p,c12,n13,c13", "--screening", "chugunov2007"]);
    assert!(stdout(&o).contains("; 1 rate screened (chugunov2007)"), "{}", stdout(&o));
    for mechanism in ["gri30", "cells.def"] {
        std::fs::write(b.path("cells.def"), "#DEFVAR\nA = IGNORE; B = IGNORE;\n#EQUATIONS\nA = B : 2.0;\n")
            .expect("written");
        let o = b.kinlane(&["check", mechanism, "--screening", "chugunov2007"]);
        assert!(o.status.code() == Some(2) && stderr(&o).contains("--screening"), "{}", stderr(&o));
    }
    let mut npz = Npz::new();
    npz.insert("species", Array::text(&["c12", "mg24"]));
    npz.insert("T9", Array::f64(&[2], &[1.0, 2.0]));
    npz.insert("rho", Array::f64(&[2], &[1e9, 1e6]));
    npz.insert("X", Array::f64(&[2, 2], &[1.0, 0.0, 0.5, 0.5]));
    save(&b.path("s.npz"), &npz, false);
    let run = |args: &[&str]| {
        let o = b
            .kinlane(&[&args[..1], &["carbon", "--states", "s.npz", "--out", "o.npz", "--quiet"], &args[1..]].concat());
        assert!(o.status.success() && stderr(&o).is_empty(), "{}", stderr(&o));
        load(&b.path("o.npz"))
    };
    let (bare, dressed) = (run(&["rates"]), run(&["rates", "--screening", "chugunov2007"]));
    let factor = |cell: usize| dressed["rate"].numbers()[cell] / bare["rate"].numbers()[cell];
    assert!(factor(0) > 10.0 * factor(1) && factor(1) > 1.05, "{} {}", factor(0), factor(1));
    // Two atoms of carbon have 13.93 MeV more than one of magnesium.
    let per_gram = |released: f64| -> f64 { released * 9.648_533_212e17 * 13.933_4 };
    for cell in [0, 1] {
        let want = per_gram(dressed["dYdt"].numbers()[2 * cell + 1]);
        assert!((dressed["eps"].numbers()[cell] / want - 1.0).abs() < 1e-4, "{}", dressed["eps"].numbers()[cell]);
    }
    let after = run(&["advance", "--dt", "1e-3"]);
    for (cell, made) in [after["X"].numbers()[1] / 24.0, (after["X"].numbers()[3] - 0.5) / 24.0].into_iter().enumerate()
    {
        let got = after["energy"].numbers()[cell];
        assert!(made > 0.0 && (got / per_gram(made) - 1.0).abs() < 1e-4, "{got} {made}");
    }

    let zone = |reactor: &str, more: &[&str]| {
        let zone =
            ["burn", "carbon", "--T9", "2", "--rho", "1e8", "--end-time", "1e-3", "--X", "c12=1", "--csv", "z.csv"];
        let o = b.kinlane(&[&zone[..], &["--reactor", reactor, "--points", "8"], more].concat());
        assert!(o.status.success(), "{reactor}: {}", stderr(&o));
        let text = std::fs::read_to_string(b.path("z.csv")).expect("written");
        let numbers = |line: &str| line.split(',').map(|x| x.parse::<f64>().expect("a number")).collect::<Vec<_>>();
        let last = numbers(text.lines().last().unwrap_or(""));
        (text.lines().next().unwrap_or("").to_owned(), text.lines().count(), last, stdout(&o))
    };
    let (head, rows, last, said) = zone("const-v", &["--picture", "z.svg"]);
    assert_eq!(head, "time_s,T9,c12,mg24,energy_erg_g");
    assert!(
        rows > 40 && last[1] > 5.0 && last[2] < 1e-3 && said.contains("heated at this density"),
        "{rows} {last:?} {said}"
    );
    let files = b.files();
    assert!(["z.svg", "z-T9.svg"].iter().all(|name| files.iter().any(|file| file == name)), "{files:?}");
    let (head, _, cooler, _) = zone("const-p", &[]);
    assert_eq!(head, "time_s,T9,rho,c12,mg24,energy_erg_g");
    assert!(cooler[1] < last[1] && cooler[2] < 9e7 && (cooler[5] / last[4] - 1.0).abs() < 1e-3, "{cooler:?} {last:?}");
    let (head, rows, steady, _) = zone("fixed-t", &[]);
    assert!(head == "time_s,c12,mg24,energy_erg_g" && rows == 10 && steady[1] > 0.01, "{rows} {steady:?}");
    // The same in a batch, beside a cell that hardly burns.
    let cells: Npz = [
        ("species", Array::text(&["c12", "mg24"])),
        ("T9", Array::f64(&[2], &[2.0, 0.5])),
        ("rho", Array::f64(&[2], &[1e8; 2])),
        ("X", Array::f64(&[2, 2], &[1.0, 0.0, 1.0, 0.0])),
    ]
    .into();
    save(&b.path("zones.npz"), &cells, false);
    let advance = |more: &[&str]| {
        let args = ["advance", "carbon", "--states", "zones.npz", "--dt", "1e-3", "--out", "heated.npz"];
        b.kinlane(&[&args[..], more].concat())
    };
    for (reactor, t9, rho) in [("const-v", last[1], 1e8), ("const-p", cooler[1], cooler[2])] {
        let o = advance(&["--reactor", reactor]);
        assert!(o.status.success() && stdout(&o).contains("2 cells"), "{}", stderr(&o));
        let heated = load(&b.path("heated.npz"));
        let of = |name: &str, i: usize| heated[name].numbers()[i];
        assert!(
            (of("T9", 0) / t9 - 1.0).abs() < 1e-3 && (of("rho", 0) / rho - 1.0).abs() < 1e-3,
            "{reactor} {t9} {rho}"
        );
        assert!((of("T9", 1) / 0.5 - 1.0).abs() < 1e-6 && of("energy", 0) > 1e17, "{reactor}");
    }
    for (more, part) in [
        (&["--lanes", "avx2"][..], "`lanes` means nothing for zones that are heated"),
        (&["--mapping", "thread"], "--mapping"),
        (&["--method", "rodas5p"], "by bdf or ndf, not by rodas5p"),
        (&["--device", "opencl"], "`device` means nothing for zones that are heated"),
    ] {
        let o = advance(&[&["--reactor", "const-v"], more].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains(part), "{part}: {}", stderr(&o));
    }
    // Light alone does not say what the density is.
    let mut light: Npz = cells;
    light.insert("rho", Array::f64(&[2], &[1e-3, 1e7]));
    save(&b.path("zones.npz"), &light, false);
    let o = advance(&["--reactor", "const-p"]);
    let told = stderr(&o);
    assert!(
        o.status.code() == Some(1) && told.contains("cell 0: at constant pressure a zone must not consist of light"),
        "{told}"
    );
    let args =
        ["burn", "carbon", "--T9", "2", "--rho", "1e8", "--end-time", "1", "--X", "c12=1", "--reactor", "const-v"];
    let o = b.kinlane(&[&args[..], &["--method", "rodas5p"]].concat());
    assert!(o.status.code() == Some(2) && stderr(&o).contains("by bdf or ndf, not by rodas5p"), "{}", stderr(&o));
    // Where a zone is stopped there are the rows until then.
    let o = b.kinlane(&[&args[..], &["--max-steps", "40", "--csv", "part.csv"]].concat());
    assert!(o.status.code() == Some(1) && stderr(&o).contains("the budget of steps is spent"), "{}", stderr(&o));
    let rows = std::fs::read_to_string(b.path("part.csv")).expect("a table").lines().count();
    assert!((3..110).contains(&rows) && stdout(&o).contains("(stopped)"), "{rows} {}", stdout(&o));
    let bare = [&args[..4], &["--rho", "1e-3", "--end-time", "1", "--X", "c12=1", "--reactor", "const-p"]].concat();
    let o = b.kinlane(&bare);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("must not consist of light"), "{}", stderr(&o));
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
        ("0.001", &["--X", "p=1"], "note: T9 is 1e-3"),
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
    let rates = |c12: f64, npz: &mut Npz| {
        npz.insert("X", Array::f64(&[2, 6], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0 - c12, c12, 0.0, 0.0, 0.0, 0.0]));
        save(&b.path("s.npz"), npz, false);
        b.kinlane(&["rates", "lib", "--states", "s.npz", "--out", "r.npz"])
    };
    let o = rates(-3e-4, &mut npz);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    for part in ["the mass fraction of c12 in cell 1 is -0.0003, below zero", "T9 of cell 1 is 20"] {
        assert!(stderr(&o).contains(part), "{part}: {}", stderr(&o));
    }
    let o = rates(-0.3, &mut npz);
    let part = "is negative, by more than a thousandth of all";
    assert!(o.status.code() == Some(2) && stderr(&o).contains(part), "{}", stderr(&o));
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
