//! What a newcomer types first: help, version, methods, check, demo.

use crate::common::{Bench, stderr, stdout};

#[test]
fn help_names_units_defaults_and_examples() {
    let b = Bench::new();
    let o = b.kinlane(&["--help"]);
    assert!(o.status.success());
    for word in ["advance", "rates", "check", "convert", "explain", "methods", "demo", "Exit codes", "kinlane demo"] {
        assert!(stdout(&o).contains(word), "{word}");
    }
    let o = b.kinlane(&["advance", "--help"]);
    let text = stdout(&o);
    for word in ["[s]", "[default: 1e-6]", "Integration:", "Run:", "mass fractions", "Examples:", "--on-failure"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    // Along a history, and where captures change what is screened, only some methods can be taken.
    let text = stdout(&b.kinlane(&["burn", "--help"]));
    assert!(text.contains("radau5") && !text.contains("default: auto"), "{text}");
    let o = b.kinlane(&[]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("Usage"));
}

/// What is nearly right is answered with what is right.
#[test]
fn slips_are_answered_with_what_is_meant() {
    let b = Bench::new();
    for (args, says) in [
        (&["check", "GRI30"][..], "did you mean `gri30`?"),
        (&["check", "gri3"], "did you mean `gri30`?"),
        (&["check", "gri30.yaml"], "did you mean `gri30`?"),
        (&["check", "propane"], "give the path of a mechanism file"),
        (&["ignite", "h2", "--mixture", "H2:2,O2:1", "--t", "900"], "'--T'"),
        (&["psr", "h2", "--mixture", "H2:2,O2:1", "--temperature", "900"], "'--T'"),
        (&["explain", "Y0001"], "no code `Y0001`; `kinlane explain codes` lists all"),
        (&["equilibrate", "h2", "--mixture", "H2:2,O2:1", "--temperature=900"], "'--T'"),
        (&["equilibrate", "h2", "--mixture", "H2:2,O2:1", "--pressure", "1atm"], "'--P'"),
        (&["equilibrate", "h2", "--mixture", "H2:2,H02:1"], "did you mean `HO2`?"),
        (&["equilibrate", "h2", "--fuel", "H2", "--oxidizer", "air"], "write what it is made of: O2:1,N2:3.76 (moles)"),
        (&["equilibrate", "h2", "--mixture", "H2,Air:9", "--basis", "Y"], "O2:0.233,N2:0.767 (masses)"),
        (
            &["equilibrate", "h2", "--fuel", "H2", "--oxidizer", "O2:1.0 N2:3.76"],
            "entries are separated by commas, as in O2:1,N2:3.76",
        ),
    ] {
        let o = b.kinlane(args);
        assert!(o.status.code() == Some(2) && stderr(&o).contains(says), "{args:?}: {}", stderr(&o));
    }
    let run = |pair| b.kinlane(&["equilibrate", "h2", "--mixture", "H2:2,O2:1", "--pair", pair, "--csv", "e.csv"]);
    let table = |pair| {
        assert!(run(pair).status.success());
        std::fs::read_to_string(b.path("e.csv")).expect("the table")
    };
    assert_eq!(table("PH"), table("HP"));
}

#[test]
fn the_methods_are_listed_and_the_default_marked() {
    let o = Bench::new().kinlane(&["methods"]);
    assert!(o.status.success() && stdout(&o).contains("default"), "{}", stdout(&o));
}

#[test]
fn check_tells_sizes() {
    let b = Bench::new();
    let o = b.kinlane(&["check", "gri30"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stdout(&o).contains("53 species") && stdout(&o).contains("325 reactions"), "{}", stdout(&o));
    for line in [
        "falloff, Troe                    26",
        "all                             325",
        "LU factors",
        "multiply-adds",
        "heat capacities constant above 5500 K",
    ] {
        assert!(stdout(&o).contains(line), "{line}: {}", stdout(&o));
    }
    for (option, value) in [("--phase", "nosuch"), ("--thermo", "t.dat"), ("--format", "chemkin")] {
        let o = b.kinlane(&["check", "gri30", option, value]);
        assert_eq!(o.status.code(), Some(2), "a bundled mechanism has no use for {option}");
    }
    let o = b.kinlane(&["check", "nosuch"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("gri30"), "{}", stderr(&o));
}

#[test]
fn a_mechanism_is_converted_whole_or_not_at_all() {
    let b = Bench::new();
    let o = b.kinlane(&["convert", "h2", "out.yaml", "--description", "From the bundle."]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stdout(&o).contains("13 species, 27 reactions"), "{}", stdout(&o));
    let text = std::fs::read_to_string(b.path("out.yaml")).expect("the output");
    assert!(text.starts_with("description: |-\n  From the bundle.\n\ngenerator: kinlane\n"), "{text}");
    let o = b.kinlane(&["check", "out.yaml"]);
    assert!(stdout(&o).starts_with("h2: 13 species of 6 (H O N Ar He C), 27 reactions"), "{}", stdout(&o));

    // The same input gives the same bytes.
    assert_eq!(
        b.kinlane(&["convert", "out.yaml", "again.yml", "--quiet", "--description", "x"]).status.code(),
        Some(0)
    );
    assert_eq!(
        b.kinlane(&["convert", "out.yaml", "third.yml", "--quiet", "--description", "x"]).status.code(),
        Some(0)
    );
    let bytes = |name| std::fs::read(b.path(name)).expect("the output");
    assert_eq!(bytes("again.yml"), bytes("third.yml"));

    let before = b.files();
    let o = b.kinlane(&["check", "out.yaml", "--json", "out.yaml"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("is the input as well"), "{}", stderr(&o));
    for (args, words) in [
        (["convert", "h2", "out.cti"], ["cannot write", "ends in .yaml or .inp"]),
        (["convert", "out.yaml", "out.yaml"], ["is the input as well", "another name"]),
        (["convert", "h2", "nofolder/out.yaml"], ["cannot write", "make the folder first"]),
        (["convert", "none.yaml", "new.yaml"], ["none.yaml", "gri30"]),
    ] {
        let o = b.kinlane(&args);
        assert_eq!(o.status.code(), Some(2), "{args:?}");
        for word in words {
            assert!(stderr(&o).contains(word), "{word}: {}", stderr(&o));
        }
    }
    assert_eq!(b.files(), before);
}

/// CHEMKIN text takes the output's name for its phase; what the output cannot hold is refused with its place.
#[test]
fn chemkin_is_converted_or_refused_with_its_place() {
    let b = Bench::new();
    let record = |name: &str, atoms: &str| {
        let zeros = " 0.00000000E+00".repeat(5);
        let first = format!("{name:<17} L 1/90{atoms:<20}G   300.000  5000.000 1000.00");
        format!("{first:<79}1\n{zeros:<79}2\n{zeros:<79}3\n{:<79}4\n", &zeros[..60])
    };
    let file = |reactions: &str| {
        let (h, h2) = (record("H", "H   1"), record("H2", "H   2"));
        format!(
            "ELEMENTS\nH\nEND\nSPECIES\nH H2\nEND\nTHERMO ALL\n 300. 1000. 5000.\n{h}{h2}END\nREACTIONS\n{reactions}\nEND\n"
        )
    };
    std::fs::write(b.path("chem.inp"), file("2H=H2 1e10 0 0\nREV/2e10 0 1000/")).expect("written");
    let o = b.kinlane(&["convert", "chem.inp", "hydrogen.yaml"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stdout(&o).contains("2 species, 2 reactions") && stdout(&o).contains("reverse rate"), "{}", stdout(&o));
    let text = std::fs::read_to_string(b.path("hydrogen.yaml")).expect("the output");
    assert!(text.contains("- name: hydrogen\n") && text.contains("equation: H2 => 2 H\n"), "{text}");

    std::fs::write(b.path("chem.inp"), file("2H=H2 1e10 0 0\nLT/10. 20./")).expect("written");
    let o = b.kinlane(&["convert", "chem.inp", "lt.yaml"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("Landau-Teller") && stderr(&o).contains("chem.inp:"), "{}", stderr(&o));
    assert_eq!(b.files(), ["chem.inp", "hydrogen.yaml"]);
}

#[test]
fn the_demonstration_leaves_its_pictures() {
    let b = Bench::new();
    let o = b.kinlane(&["demo", "--cells", "16"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let mut names: Vec<String> = std::fs::read_dir(b.path("kinlane-demo"))
        .expect("the folder")
        .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["index.md", "radicals.png", "radicals.svg", "temperature.png", "temperature.svg", "trajectories.csv"]
    );
    let page = std::fs::read_to_string(b.path("kinlane-demo/index.md")).expect("the page");
    assert!(page.contains(" sub-steps of cells/s |") && page.contains("| failed | 0 |"), "{page}");
    assert!(page.contains("\nRelative deviation from ") && page.contains("below 1e-7 count as that"), "{page}");
}
