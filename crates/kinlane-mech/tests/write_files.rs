//! Every mechanism of the data folder, read, written and read again, is the same.

mod roundtrip;

use std::path::{Path, PathBuf};

use kinlane_mech::read::{ReadOptions, read};
use kinlane_mech::write::{self, Header};
use kinlane_mech::{Network, cantera, chemkin};
use roundtrip::{again, compare};

/// Relative difference that a second way to the same unit may leave.
const TOLERANCE: f64 = 1e-14;

/// The folder with combustion data, if this machine has it.
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("KINLANE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from)
        .join("combustion");
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "no data at {}; set KINLANE_DATA", folder.display());
    eprintln!("skipped: no data at {}; set KINLANE_DATA", folder.display());
    None
}

fn files(folder: &Path, endings: &[&str], all: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, endings, all);
        } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            all.push(path);
        }
    }
}

/// Names of the phases, found without the reader.
fn phases(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().skip_while(|l| *l != "phases:").skip(1);
    lines
        .take_while(|l| l.is_empty() || l.starts_with([' ', '-', '#']))
        .filter_map(|l| l.strip_prefix("- name: "))
        .map(|n| n.trim().to_owned())
        .collect()
}

/// Compares, and says what is not the same to the last bit.
fn holds(network: &Network, what: &str) -> (usize, usize) {
    let counts = compare(network, &again(network), TOLERANCE, what);
    if counts.0 > 0 {
        println!("{what}: {} of {} numbers differ in the last places", counts.0, counts.1);
    }
    counts
}

#[test]
fn every_yaml_phase() {
    let Some(folder) = data() else { return };
    let mut paths = Vec::new();
    files(&folder, &["yaml"], &mut paths);
    let search = [folder.join("rate_types/cantera"), folder.join("gri30")];
    let (mut count, mut off) = (0, 0);
    for path in &paths {
        for phase in phases(path) {
            let Ok(network) = cantera::read(path, Some(&phase), &search) else { continue };
            off += holds(&network, &format!("{} [{phase}]", path.display())).0;
            count += 1;
        }
    }
    assert!(count > 70, "only {count} phases");
    println!("{count} phases, {off} numbers off");
}

#[test]
fn every_chemkin_file() {
    let Some(folder) = data() else { return };
    let mut paths = Vec::new();
    files(&folder, &["inp", "mech"], &mut paths);
    let dummy = folder.join("rate_types/cantera/dummy-thermo.dat");
    let (mut count, mut off) = (0, 0);
    for path in &paths {
        // Small files are meant to be read with data that lie apart; which ones does not matter here.
        let Some(network) = [None, Some(dummy.as_path())].iter().find_map(|t| chemkin::read(path, *t).ok()) else {
            continue;
        };
        if let Err(refusal) = write::cantera(&network, &Header::default()) {
            println!("{}: {refusal}", path.display());
            assert!(refusal.diagnostics.iter().all(|d| ["M0901", "M0902"].contains(&d.code)), "{refusal}");
            continue;
        }
        off += holds(&network, &path.display().to_string()).0;
        count += 1;
    }
    assert!(count > 40, "only {count} files");
    println!("{count} files, {off} numbers off");
}

#[test]
fn a_second_writing_changes_nothing() {
    let Some(folder) = data() else { return };
    for name in ["gri30", "h2co_burke", "ffcm1"] {
        let network = chemkin::read(&folder.join(name).join("chem.inp"), None).expect("a published mechanism");
        let header = Header { description: "two\nlines: #1".into(), phase: Some("x".into()), ..Header::default() };
        let first = write::cantera(&network, &header).expect("can be written");
        let network = cantera::read_str(first.clone(), Path::new("a.yaml"), None, &[]).expect("reads");
        let second = write::cantera(&network, &header).expect("can be written");
        let body = |text: &str| text.split_once("\nunits: ").map(|(_, body)| body.to_owned());
        assert_eq!(body(&first), body(&second), "{name}");
    }
}

/// What the project bundles is what was published: the same as the CHEMKIN text and as Cantera's own conversion.
#[test]
fn bundled_mechanisms_are_the_published_ones() {
    let Some(folder) = data() else { return };
    let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms");
    for (name, published) in [("gri30", "gri30"), ("h2", "h2co_burke")] {
        let ours = read(&bundled.join(format!("{name}.yaml")), &ReadOptions::default()).expect("a bundled file reads");
        let folder = folder.join(published);
        for other in ["chem.inp", &format!("{published}.yaml")] {
            let theirs = read(&folder.join(other), &ReadOptions::default()).expect("a published file reads");
            compare(&theirs, &ours, 1e-12, &format!("{name} and {other}"));
        }
    }
}
