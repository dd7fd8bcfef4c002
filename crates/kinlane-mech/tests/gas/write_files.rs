//! Every mechanism of the data folder, read, written and read again, is the same.

use std::path::Path;

use crate::roundtrip::{again, compare};
use kinlane_mech::read::{ReadOptions, read};
use kinlane_mech::write::{self, Header};
use kinlane_mech::{Network, cantera, chemkin};
use kinlane_testdata::files::{combustion, files_ending, phases};

/// Relative difference that a second way to the same unit may leave.
const TOLERANCE: f64 = 1e-14;

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
    let Some(folder) = combustion() else { return };
    let paths = files_ending(&folder, &["yaml"]);
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
    let Some(folder) = combustion() else { return };
    let paths = files_ending(&folder, &["inp", "mech"]);
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
    let Some(folder) = combustion() else { return };
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
    let Some(folder) = combustion() else { return };
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
