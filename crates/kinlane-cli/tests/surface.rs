//! What a newcomer types first: help, version, methods, check, demo.

mod common;

use common::{Bench, stderr, stdout};

#[test]
fn help_names_units_defaults_and_examples() {
    let b = Bench::new();
    let o = b.kinlane(&["--help"]);
    assert!(o.status.success());
    for word in ["advance", "rates", "check", "explain", "methods", "demo", "Exit codes", "kinlane demo"] {
        assert!(stdout(&o).contains(word), "{word}");
    }
    let o = b.kinlane(&["advance", "--help"]);
    let text = stdout(&o);
    for word in ["[s]", "[default: 1e-6]", "Integration:", "Run:", "mass fractions", "Examples:", "--on-failure"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let o = b.kinlane(&[]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("Usage"));
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
    let o = b.kinlane(&["check", "nosuch"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("gri30"), "{}", stderr(&o));
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
    assert!(page.contains("cells/s") && page.contains("| failed | 0 |"), "{page}");
}
