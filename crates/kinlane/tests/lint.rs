//! What is found in mechanisms that many trust: only what is true.

use kinlane::mech::Severity;
use kinlane::{Mechanism, lint};
use kinlane_testdata::files;

fn warnings(name: &str) -> Option<Vec<(&'static str, String)>> {
    let mechanism = Mechanism::from_network(files::mechanism(name)?);
    let found = lint(&mechanism).into_iter().filter(|d| d.severity == Severity::Warning);
    Some(found.map(|d| (d.code, d.message)).collect())
}

/// Each was checked by hand: rate constants against Cantera's, jumps with Cantera's `cp`, `h` and `s` on both sides.
#[test]
fn nothing_wrong_is_said_of_gri_usc_and_ffcm() {
    let Some(gri) = warnings("gri30") else { return };
    assert_eq!((gri, warnings("ffcm1")), (Vec::new(), Some(Vec::new())));
    let usc = warnings("usc_mech_ii").expect("as the others");
    let jumps: Vec<&str> = usc.iter().filter(|w| w.0 == "M0401").filter_map(|w| w.1.split('`').nth(1)).collect();
    assert_eq!(jumps, ["CH2OCH", "C4H5-2", "C4H6-2", "C2H3CHOCH2", "CH3CHCHCHO"]);
    assert!(usc.iter().all(|w| ["M0401", "M0403"].contains(&w.0)), "{usc:?}");
}

#[test]
fn every_network_of_the_collection_can_be_looked_at() {
    for (name, network) in files::rate_types() {
        let mechanism = Mechanism::from_network(network);
        assert!(lint(&mechanism).iter().all(|d| d.severity < Severity::Error), "{name}");
    }
}
