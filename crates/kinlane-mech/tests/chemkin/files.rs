//! Every CHEMKIN file of the data folder: the published mechanisms, the small files for each rate form, and those
//! that have to be refused.

use std::path::{Path, PathBuf};

use kinlane_mech::chemkin::read;
use kinlane_mech::network::{RateLaw, Reverse};
use kinlane_mech::{Network, Severity};
use kinlane_testdata::files::{combustion, files_ending};

fn good(path: &Path, thermo: Option<&Path>) -> Network {
    read(path, thermo).unwrap_or_else(|refusal| panic!("{}:\n{refusal}", path.display()))
}

/// Reactions as Cantera counts them: one with its own reverse rate is two.
fn loaded(network: &Network) -> usize {
    let halves = network.reactions.iter().filter(|r| matches!(r.reverse, Reverse::Explicit { .. })).count();
    network.reactions.len() + halves
}

#[test]
fn published_mechanisms() {
    let Some(folder) = combustion() else { return };
    // Folder, species, reactions written, reactions that Cantera loads: the table of the data's README.
    for (name, species, written, split) in [
        ("h2co_burke", 13, 27, 27),
        ("gri30", 53, 325, 325),
        ("gri12", 32, 177, 177),
        ("usc_mech_ii", 111, 784, 784),
        ("nuig_c3_41", 118, 665, 1246),
        ("jetsurf2", 348, 2163, 2163),
        ("ic5h11oh_sarathy", 360, 2073, 2100),
        ("h2_li_dryer", 9, 21, 21),
        ("h2_yetter91", 8, 19, 19),
        ("h2_oconaire_v1b_rev", 10, 21, 40),
        ("ffcm1", 38, 291, 291),
        ("ffcm1_red21", 21, 124, 124),
        ("san_diego_58", 58, 270, 270),
        ("aramco13", 253, 1542, 1542),
        ("aramco20", 493, 2716, 2716),
        ("llnl_nc7_v31", 654, 2827, 4846),
        ("llnl_ic8_v3", 874, 3796, 6864),
        ("nc12h26_lu_53", 53, 268, 268),
        ("drm19", 21, 84, 84),
    ] {
        let network = good(&folder.join(name).join("chem.inp"), None);
        assert_eq!(
            (network.species.len(), network.reactions.len(), loaded(&network)),
            (species, written, split),
            "{name}"
        );
        assert!(network.notes.iter().all(|note| note.severity != Severity::Error), "{name}");
    }
}

#[test]
fn repairs_are_noted() {
    let Some(folder) = combustion() else { return };
    let notes = |name: &str| -> Vec<_> {
        good(&folder.join(name).join("chem.inp"), None).notes.iter().map(|n| n.code).collect()
    };
    let jetsurf = notes("jetsurf2");
    assert!(jetsurf.contains(&"M0342") && jetsurf.contains(&"M0302"), "{jetsurf:?}"); // commas; prose after END
    assert!(notes("llnl_nc7_v31").contains(&"M0313")); // no `4` in column 80
    assert!(notes("aramco20").contains(&"M0309")); // repeated names
}

/// The thermodynamics that a small file is meant to be read with.
fn thermo_for(path: &Path, cantera: &Path) -> PathBuf {
    let own = path.with_extension("therm");
    if path.extension().is_some_and(|e| e == "mech") {
        return if own.is_file() { own } else { path.with_file_name("const_specific_heat.therm") };
    }
    cantera.join(match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("nasa9-test") => "nasa9-test-therm.dat",
        Some("soot") => "soot-therm.dat",
        _ => "dummy-thermo.dat",
    })
}

#[test]
fn rate_types() {
    let Some(folder) = combustion() else { return };
    let folder = folder.join("rate_types");
    let cantera = folder.join("cantera");
    // Refused for what they are: 4-digit element counts, duplicates that are not marked, negative sums in PLOG.
    let refused = |name: &str| -> &[&str] {
        match name {
            "big_element_num_err.inp" => &["M0321"],
            "plog_test.mech" => &["M0102", "M0105"],
            "plog2_test.mech" | "sri_reaction.mech" | "troe_test.mech" => &["M0102"],
            _ => &[],
        }
    };
    let mut count = 0;
    for path in files_ending(&cantera, &["inp"]).into_iter().chain(files_ending(&folder.join("zerork"), &["mech"])) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        let codes = match read(&path, Some(&thermo_for(&path, &cantera))) {
            Ok(_) => Vec::new(),
            Err(refusal) => {
                let mut codes: Vec<_> =
                    refusal.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code).collect();
                codes.sort_unstable();
                codes.dedup();
                codes
            }
        };
        assert_eq!(codes, refused(name), "{}", path.display());
        count += 1;
    }
    assert!(count >= 37, "only {count} files");
    good(&cantera.join("sri_convert_test.txt"), None);
}

#[test]
fn thermodynamics_beside_the_mechanism_is_found() {
    let Some(folder) = combustion() else { return };
    let network = good(&folder.join("rate_types/zerork/big_molecule.mech"), None);
    assert_eq!(
        network.sources.get(network.species[0].thermo.at).map(|s| s.name.ends_with("big_molecule.therm")),
        Some(true)
    );
    let network = good(&folder.join("gri30/chem.inp"), None);
    assert_eq!(network.sources.get(network.species[0].thermo.at).map(|s| s.name.ends_with("therm.dat")), Some(true));
}

#[test]
fn the_same_rates_in_other_units() {
    let Some(folder) = combustion() else { return };
    let cantera = folder.join("rate_types/cantera");
    let thermo = cantera.join("dummy-thermo.dat");
    let [one, two] = ["units-default.inp", "units-custom.inp"].map(|name| good(&cantera.join(name), Some(&thermo)));
    for (a, b) in one.reactions.iter().zip(&two.reactions) {
        let pairs = match (&a.rate, &b.rate) {
            (RateLaw::Arrhenius(a), RateLaw::Arrhenius(b)) => vec![(a, b)],
            (RateLaw::Falloff(a), RateLaw::Falloff(b)) => vec![(&a.low, &b.low), (&a.high, &b.high)],
            other => panic!("{other:?}"),
        };
        for (a, b) in pairs {
            // The file itself gives 8 digits.
            for (x, y) in [(a.a, b.a), (a.b, b.b), (a.e, b.e)] {
                assert!((x - y).abs() <= 1e-6 * y.abs(), "{x} and {y}");
            }
        }
    }
}

#[test]
fn what_has_to_be_refused() {
    let Some(folder) = combustion() else { return };
    let rejects = folder.join("rate_types/cantera_rejects");
    let thermo = folder.join("rate_types/cantera/dummy-thermo.dat");
    for path in files_ending(&rejects, &["inp"]) {
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        match read(&path, Some(&thermo)) {
            // The meaning is clear: the first declaration counts. Cantera reads them too, if asked to be permissive.
            Ok(network) => {
                assert!(matches!(name, "duplicate-species" | "duplicate-thermo"), "{name}");
                assert!(network.notes.iter().any(|note| matches!(note.code, "M0309" | "M0312")), "{name}");
            }
            Err(refusal) => {
                let located = refusal.diagnostics.iter().filter(|d| d.severity == Severity::Error);
                for diagnostic in located {
                    let line = diagnostic.labels.first().map_or(0, |(span, _)| refusal.sources.line(*span));
                    assert!(line > 0, "{name}: {diagnostic:?}");
                }
                assert!(refusal.to_string().contains(".inp:"), "{name}: {refusal}");
            }
        }
    }
}

#[test]
fn thermodynamics_that_has_to_be_refused() {
    let Some(folder) = combustion() else { return };
    let rejects = folder.join("rate_types/cantera_rejects");
    let chem = std::env::temp_dir().join(format!("kinlane-chemkin-{}.inp", std::process::id()));
    for (name, species, codes, line) in [
        ("bad-nasa7-Trange", "H P2B AR", &["M0317"][..], 8),
        ("bad-nasa7-composition", "H R1A R1B", &["M0321"], 8),
        ("bad-nasa7-float", "H2 C10H20QJDQB H2O", &["M0319"], 9),
        ("bad-nasa7-formatting", "O O2 H H2 H2O OH", &["M0314"], 17),
        ("bad-nasa9-Trange", "e- ALCL3 AR", &["M0318"], 8),
        ("bad-nasa9-coeffs", "e- ALCL3 AR", &["M0319"], 20),
    ] {
        std::fs::write(&chem, format!("ELEMENTS H C O E AL CL AR END\nSPECIES {species} END\n"))
            .expect("writes a file");
        let refusal =
            read(&chem, Some(&rejects.join(name).with_extension("dat"))).map(|n| n.species.len()).expect_err(name);
        let errors: Vec<_> = refusal.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        assert_eq!(errors.iter().map(|d| d.code).collect::<Vec<_>>(), codes, "{name}: {refusal}");
        assert_eq!(refusal.sources.line(errors[0].labels[0].0), line, "{name}: {refusal}");
    }
    // Faults in records of other species are no reason to refuse a database.
    std::fs::write(&chem, "ELEMENTS H END\nSPECIES H END\n").expect("writes a file");
    assert!(read(&chem, Some(&rejects.join("bad-nasa7-Trange.dat"))).is_ok());
    std::fs::remove_file(&chem).expect("removes its file");
}
