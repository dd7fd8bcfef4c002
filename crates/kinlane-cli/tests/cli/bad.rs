//! Mechanisms with one planted fault each: `check` must find it, and say it well.
//!
//! A file is named after the code that must be found. What the program says about it stands beside it; run with
//! `KINLANE_BLESS=1` to write these texts anew, then look at the difference.

use crate::common::{Bench, stderr};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad")
}

#[test]
fn every_planted_fault_is_found_and_told_as_before() {
    let mut kinds = BTreeSet::new();
    let mut wrong = Vec::new();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder()).expect("the folder").map(|e| e.expect("an entry").path()).collect();
    files.sort();
    for path in files {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.starts_with('M') || name.ends_with(".txt") {
            continue;
        }
        // From its own folder, so that no path is in the text.
        let o = Bench::new().command(&["check", &name, "--deny", "warnings", "--quiet"]).current_dir(folder()).output();
        let o = o.expect("the program starts");
        let code = name.split('-').next().expect("a code");
        let told = format!("{}exit code {}\n", stderr(&o), o.status.code().unwrap_or(-1));
        if !told.contains(&format!("[{code}]")) || !matches!(o.status.code(), Some(1 | 2)) {
            wrong.push(format!("{name}: not found:\n{told}"));
        }
        kinds.insert(name.split('.').next().expect("a stem").to_owned());
        let kept = path.with_extension("txt");
        if std::env::var_os("KINLANE_BLESS").is_some() {
            std::fs::write(&kept, &told).expect("written");
        }
        if told != std::fs::read_to_string(&kept).unwrap_or_default() {
            wrong.push(format!("{name}: run with KINLANE_BLESS=1 if the new text is better:\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(kinds.len() >= 40, "{} kinds of faults", kinds.len());
}

/// The same mechanism without a fault: nothing is found, so what is found above is the fault.
#[test]
fn the_mechanism_without_a_fault_passes() {
    let b = Bench::new();
    for name in ["sound.inp", "sound.yaml"] {
        let o = b.command(&["check", name, "--deny", "warnings", "--quiet"]).current_dir(folder()).output();
        let o = o.expect("the program starts");
        assert_eq!((o.status.code(), stderr(&o)), (Some(0), String::new()), "{name}");
    }
}

/// A file that is no mechanism has the same mistake in every line: some are shown, all are counted.
#[test]
fn many_errors_of_one_kind_are_counted() {
    let b = Bench::new();
    let sound = std::fs::read_to_string(folder().join("sound.inp")).expect("the mechanism");
    let lines: String = (0..222).map(|i| format!("A line {i} of a letter.\n")).collect();
    let at = sound.rfind("END").expect("the end of the reactions");
    std::fs::write(b.path("m.inp"), format!("{}{lines}{}", &sound[..at], &sound[at..])).expect("written");
    let errors = |o: &std::process::Output| stderr(o).lines().filter(|l| l.starts_with("error[")).count();
    let o = b.kinlane(&["check", "m.inp"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(errors(&o) <= 20 && stderr(&o).contains(" more M0"), "{}", stderr(&o));
    assert!(stderr(&o).trim_end().ends_with("; --all shows them"), "{}", stderr(&o));
    let total = errors(&b.kinlane(&["check", "m.inp", "--all"]));
    assert!(
        total > 222 && crate::common::stdout(&o).contains(&format!("{total} errors")),
        "{}",
        crate::common::stdout(&o)
    );
    let o = b.kinlane(&["convert", "m.inp", "m.yaml"]);
    assert!(errors(&o) <= 20 && stderr(&o).trim_end().ends_with(&format!("; {total} errors in all")), "{}", stderr(&o));
}
