//! Every mechanism of the data folder that is YAML is read, or refused with a place.

use std::path::Path;

use kinlane_mech::{Network, Refusal, cantera};
use kinlane_testdata::files::{data, files_ending, phases};

fn read(path: &Path, phase: Option<&str>) -> Result<Network, Refusal> {
    let search = data().map(|d| vec![d.join("combustion/rate_types/cantera"), d.join("combustion/gri30")]);
    cantera::read(path, phase, &search.unwrap_or_default())
}

/// Phases that have to be refused, as Cantera 3.2 or the model asks for.
const REFUSED: &[(&str, &[&str])] = &[
    ("air-plasma.yaml", &["air-plasma-Phelps"]),
    ("ideal-gas.yaml", &["duplicate-species", "efficiency-error"]),
    ("kineticsfromscratch.yaml", &["Pt_surf"]),
    ("blowers-masel.yaml", &["Pt_surf", "Pt_motz_wise"]),
    ("h2o2.yaml", &["ohmech-RK"]),
    ("pdep-test.yaml", &["plog-invalid"]),
    ("nDodecane_Reitz.yaml", &["nDodecane_RK"]),
    ("oxygen-plasma-itikawa.yaml", &["isotropic-electron-energy-plasma"]),
    ("oxygen-plasma.yaml", &["isotropic-electron-energy-plasma", "discretized-electron-energy-plasma"]),
    ("addReactions_err_test.yaml", &["gas"]),
    ("duplicate-reactions.yaml", &["A", "B", "C", "D", "F", "J"]),
    ("invalid-inputs.yaml", &["A", "B", "C", "D", "E", "F"]),
    ("undeclared-tests.yaml", &["A", "B", "F", "G", "Pt_surf"]),
];

#[test]
fn every_phase_is_read_or_refused_with_a_place() {
    let Some(data) = data() else { return };
    let files = files_ending(&data.join("combustion"), &["yaml"]);
    assert!(files.len() > 60, "only {} files", files.len());
    let mut wrong = Vec::new();
    for path in &files {
        let name = path.file_name().unwrap().to_str().unwrap();
        for phase in phases(path) {
            let refused = REFUSED.iter().any(|(file, phases)| *file == name && phases.contains(&phase.as_str()));
            match read(path, Some(&phase)) {
                Ok(_) if refused => wrong.push(format!("{name} [{phase}] was read")),
                Err(e) if !refused => wrong.push(format!("{name} [{phase}]: {e}")),
                Err(e) => assert!(e.to_string().contains("--> "), "no place: {e}"),
                Ok(network) => assert!(!network.species.is_empty()),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sizes_are_those_that_cantera_loads() {
    let Some(data) = data() else { return };
    for (name, phase, species, reactions) in [
        ("gri30", None, 53, 325),
        ("h2co_burke", None, 13, 27),
        ("nuig_c3_41", None, 118, 1246),
        ("aramco20", None, 493, 2716),
        ("llnl_nc7_v31", None, 654, 4846),
        ("nh3_alzueta_lmrr", Some("linear-Burke"), 42, 281),
    ] {
        let network = read(&data.join(format!("combustion/{name}/{name}.yaml")), phase).unwrap();
        assert_eq!((network.species.len(), network.reactions.len()), (species, reactions), "{name}");
    }
}

#[test]
fn two_spellings_of_units_give_the_same_rates() {
    let Some(data) = data() else { return };
    let folder = data.join("combustion/rate_types/cantera");
    let (a, b) = (
        read(&folder.join("units-default.yaml"), None).unwrap(),
        read(&folder.join("units-custom.yaml"), None).unwrap(),
    );
    assert_eq!(a.reactions.len(), b.reactions.len());
    for (x, y) in a.reactions.iter().zip(&b.reactions) {
        let numbers = |r: &kinlane_mech::network::Reaction| -> Vec<f64> {
            use kinlane_mech::network::RateLaw::*;
            match &r.rate {
                Arrhenius(k) => vec![k.a, k.b, k.e],
                Falloff(f) => vec![f.low.a, f.low.b, f.low.e, f.high.a, f.high.b, f.high.e],
                other => panic!("{other:?}"),
            }
        };
        for (u, v) in numbers(x).into_iter().zip(numbers(y)) {
            // The files give eight digits or so.
            assert!((u - v).abs() <= 1e-6 * u.abs(), "{}: {u} and {v}", x.equation);
        }
    }
}

#[test]
fn formats_are_recognised_by_content() {
    use kinlane_mech::read::{Format, recognise, text_of};
    let Some(data) = data() else { return };
    let mut files = Vec::new();
    for folder in std::fs::read_dir(data.join("combustion")).unwrap().map(|f| f.unwrap().path()) {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        files.push((folder.join("chem.inp"), Format::Chemkin));
        files.push((folder.join(format!("{name}.yaml")), Format::Cantera));
    }
    let files: Vec<_> = files.into_iter().filter(|f| f.0.is_file()).collect();
    assert!(files.len() > 40, "only {}", files.len());
    for (path, format) in files {
        let text = text_of(&path).unwrap();
        // A name that says nothing.
        assert_eq!(recognise(&text, Path::new("mech")), Ok(format), "{}", path.display());
    }
}
