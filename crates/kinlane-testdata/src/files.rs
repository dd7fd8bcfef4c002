//! Where mechanisms and golden answers lie.

use kinlane_mech::Network;
use kinlane_mech::read::{ReadOptions, read};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where the folder of mechanisms should be: `KINLANE_DATA`, else `../shared/data` beside the workspace.
fn place() -> PathBuf {
    std::env::var_os("KINLANE_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from)
}

/// The workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Says that a test is skipped, and why; with `CI` set that is a failure. It does not use `eprintln!`, which the test harness swallows in
/// tests that pass.
///
/// # Panics
/// If `CI` is set.
pub fn skipped(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // A closed pipe is no reason to fail.
    let _ = writeln!(std::io::stderr(), "skipped {test}: {why}");
}

/// The folder of mechanisms. Where it is absent a line says so and the test is to return; with `CI` set that is a failure instead.
///
/// # Panics
/// If the folder is absent and `CI` is set.
pub fn data() -> Option<PathBuf> {
    let folder = place();
    if folder.is_dir() {
        return Some(folder);
    }
    skipped(&format!("no data folder at {}: set KINLANE_DATA", folder.display()));
    None
}

/// The part of it with combustion mechanisms.
///
/// # Panics
/// As [`data`].
pub fn combustion() -> Option<PathBuf> {
    data().map(|folder| folder.join("combustion"))
}

/// The folder of golden answers, beside that of mechanisms.
///
/// # Panics
/// As [`data`].
pub fn golden() -> Option<PathBuf> {
    let folder = data()?.join("../golden");
    if folder.is_dir() {
        return Some(folder);
    }
    skipped(&format!("no golden answers at {}", folder.display()));
    None
}

/// Mechanisms of the data folder that are bundled as well.
const BUNDLED: [(&str, &str); 2] = [("gri30", "gri30.yaml"), ("h2co_burke", "h2.yaml")];

/// A mechanism of the data folder by the name of its folder; where there is no such folder, one of those that are bundled.
///
/// # Panics
/// As [`data`]; if it cannot be read.
pub fn mechanism(name: &str) -> Option<Network> {
    let absent = !place().is_dir() && std::env::var_os("CI").is_none();
    let path = match BUNDLED.iter().find(|(of, _)| absent && *of == name) {
        Some((_, file)) => root().join("mechanisms").join(file),
        None => combustion()?.join(format!("{name}/{name}.yaml")),
    };
    match read(&path, &ReadOptions::default()) {
        Ok(network) => Some(network),
        Err(e) => panic!("{name}: {e}"),
    }
}

/// Names of the phases of a YAML file, found without the reader.
pub fn phases(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().skip_while(|l| *l != "phases:").skip(1);
    lines
        .take_while(|l| l.is_empty() || l.starts_with([' ', '-', '#']))
        .filter_map(|l| l.strip_prefix("- name: "))
        .map(|n| n.trim().to_owned())
        .collect()
}

/// Everything below `folder`, in a fixed order.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { todo.push(path) } else { all.push(path) }
        }
    }
    all.sort();
    all
}

/// Those of them that end so.
pub fn files_ending(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut files = files_below(folder);
    files.retain(|path| path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)));
    files
}

/// What of the rate-type collection is refused beside the folder of what Cantera rejects: no ideal gases, and mistakes that
/// Zero-RK and older readers take no offence at.
const REFUSED: [&str; 17] = [
    "air-plasma.yaml [air-plasma-Phelps]",
    "big_element_num_err.inp",
    "blowers-masel.yaml [Pt_surf]",
    "blowers-masel.yaml [Pt_motz_wise]",
    "h2o2.yaml [ohmech-RK]",
    "ideal-gas.yaml [duplicate-species]",
    "ideal-gas.yaml [efficiency-error]",
    "kineticsfromscratch.yaml [Pt_surf]",
    "nDodecane_Reitz.yaml [nDodecane_RK]",
    "oxygen-plasma-itikawa.yaml [isotropic-electron-energy-plasma]",
    "oxygen-plasma.yaml [isotropic-electron-energy-plasma]",
    "oxygen-plasma.yaml [discretized-electron-energy-plasma]",
    "pdep-test.yaml [plog-invalid]",
    "plog2_test.mech",
    "plog_test.mech",
    "sri_reaction.mech",
    "troe_test.mech",
];

/// Every network of the rate-type collection that its reader accepts and that has reactions, with a name. Files meant
/// to be refused are left to the readers' own tests.
///
/// # Panics
/// If another one is refused, or one of these is not.
pub fn rate_types() -> Vec<(String, Network)> {
    let Some(data) = data() else { return Vec::new() };
    let folder = data.join("combustion/rate_types");
    let search = vec![folder.join("cantera"), data.join("combustion/gri30")];
    let rejects = folder.join("cantera_rejects");
    let mut all = Vec::new();
    let mut take = |name: String, path: &Path, options: ReadOptions| {
        let refused = REFUSED.contains(&&*name);
        match read(path, &options) {
            Ok(_) if refused => panic!("{name} is not refused"),
            Ok(network) if network.reactions.is_empty() || network.species.is_empty() => {}
            Ok(network) => all.push((name, network)),
            Err(e) => assert!(refused || path.starts_with(&rejects), "{name}: {e}"),
        }
    };
    for path in files_below(&folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let options = ReadOptions { search: search.clone(), ..ReadOptions::default() };
        match path.extension().and_then(|e| e.to_str()) {
            Some("yaml") => {
                for phase in phases(&path) {
                    take(format!("{name} [{phase}]"), &path, ReadOptions { phase: Some(phase), ..options.clone() });
                }
            }
            Some("inp" | "mech" | "txt") => {
                // As the README of the data says; a file with its own thermodynamics needs none.
                let beside = if name == "soot.inp" {
                    "cantera/soot-therm.dat"
                } else if name.starts_with("nasa9") {
                    "cantera/nasa9-test-therm.dat"
                } else if name == "big_molecule.mech" {
                    "zerork/big_molecule.therm"
                } else if name == "plog2_test.mech" {
                    "zerork/plog2_test.therm"
                } else if path.starts_with(folder.join("zerork")) {
                    "zerork/const_specific_heat.therm"
                } else {
                    "cantera/dummy-thermo.dat"
                };
                take(name, &path, ReadOptions { thermo: Some(folder.join(beside)), ..options });
            }
            _ => {}
        }
    }
    all
}
