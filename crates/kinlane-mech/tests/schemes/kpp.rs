//! KPP mechanisms: every one of the data folder, golden species and rate constants, and random texts.

use crate::common::{Cell, amounts, errors_of, rate_constants, sound, survives};
use kinlane_mech::kpp;
use kinlane_mech::scheme::Scheme;
use kinlane_testdata::Random;
use kinlane_testdata::files::{data, files_ending, golden};
use kinlane_testdata::golden::{json, numbers};
use std::collections::HashMap;
use std::path::Path;

/// Variable and fixed species and reactions, as the data folder's list has them; of kpp and .def files below `atmospheric`.
const COUNTS: &[(&str, usize, usize, usize)] = &[
    ("kpp/small_strato.def", 5, 2, 10),
    ("kpp/saprc99.def", 74, 5, 211),
    ("kpp/saprcnov.def", 88, 6, 235),
    ("kpp/carbon.def", 7, 4, 5),
    ("kpp-2.1/cbm4.def", 32, 6, 81),
    ("kpp-2.1/smog.def", 12, 7, 12),
    ("kpp-2.1/strato.def", 34, 6, 109),
    ("kpp-2.1/stochastic_dimer.def", 3, 0, 4),
    ("wrf-chem/radm2/radm2.kpp", 59, 2, 156),
    ("wrf-chem/racm/racm.kpp", 73, 2, 237),
    ("wrf-chem/racm_mim/racm_mim.kpp", 80, 2, 245),
    ("wrf-chem/racm_esrlsorg/racm_esrlsorg.kpp", 80, 2, 244),
    ("wrf-chem/racm_soa_vbs/racm_soa_vbs.kpp", 90, 2, 256),
    ("wrf-chem/racm_soa_vbs_het/racm_soa_vbs_het.kpp", 97, 2, 280),
    ("wrf-chem/cbm4/cbm4.kpp", 32, 1, 81),
    ("wrf-chem/cb05_sorg_aq/cb05_sorg_aq.kpp", 97, 2, 191),
    ("wrf-chem/cb05_sorg_vbs_aq/cb05_sorg_vbs_aq.kpp", 105, 2, 198),
    ("wrf-chem/mozart/mozart.kpp", 81, 2, 196),
    ("wrf-chem/mozart_mosaic_4bin/mozart_mosaic_4bin.kpp", 136, 2, 292),
    ("wrf-chem/saprc99/saprc99.kpp", 86, 2, 230),
    ("wrf-chem/saprc99_mosaic_4bin_vbs2/saprc99_mosaic_4bin_vbs2.kpp", 100, 2, 250),
    ("wrf-chem/nmhc9/nmhc9.kpp", 57, 2, 145),
    ("geos-chem/Hg/Hg.kpp", 27, 11, 94),
    ("geos-chem/fullchem/fullchem.kpp", 346, 3, 1058),
    ("geos-chem/kpp_standalone/fullchem.kpp", 284, 4, 894),
];

/// Those that are refused: their rate functions use arrays, or are not in the files.
const REFUSED: &[(&str, &str)] =
    &[("wrf-chem/cbmz_bb/cbmz_bb.kpp", "M0516"), ("wrf-chem/t1_mozcart/t1_mozcart.kpp", "M0516")];

#[test]
fn every_mechanism_is_read_or_refused_for_a_reason() {
    let Some(data) = data() else { return };
    let folder = data.join("atmospheric");
    for &(file, species, fixed, reactions) in COUNTS {
        let scheme = kpp::read(&folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        println!("{file:66} {:4} + {} {:5}", scheme.species.len(), scheme.fixed.len(), scheme.reactions.len());
        assert_eq!(
            (scheme.species.len(), scheme.fixed.len(), scheme.reactions.len()),
            (species, fixed, reactions),
            "{file}"
        );
        sound(&scheme);
    }
    for (file, code) in REFUSED {
        let refusal = kpp::read(&folder.join(file)).map(|_| ()).expect_err(file);
        let codes = errors_of(&refusal);
        println!("{file:66} refused: {} errors {code}", codes.len());
        assert!(codes.iter().all(|(found, _)| found == code), "{file}: {refusal}");
    }
    for path in files_ending(&folder, &["kpp", "def"]) {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
        let listed = COUNTS.iter().any(|c| c.0 == name) || REFUSED.iter().any(|r| r.0 == name);
        match kpp::read(&path) {
            Ok(scheme) => sound(&scheme),
            // A .def file is what its .kpp file reads.
            Err(e) => assert!(
                REFUSED.iter().any(|r| Path::new(r.0).file_stem() == path.file_stem()) || name == "kpp/atoms.kpp",
                "{name}: {e}"
            ),
        }
        assert!(
            listed || path.extension().is_some_and(|e| e == "def") || name == "kpp/atoms.kpp",
            "{name} is not listed"
        );
    }
}

#[test]
fn equation_files_alone_find_their_species_and_name_the_file_with_functions() {
    let Some(data) = data() else { return };
    for file in ["kpp/saprc99.eqn", "kpp/saprc99.spc"] {
        let scheme = kpp::read(&data.join("atmospheric").join(file)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((scheme.species.len(), scheme.reactions.len()), (74, 211));
    }
    let refusal = kpp::read(&data.join("atmospheric/wrf-chem/radm2/radm2.eqn")).unwrap_err();
    assert!(refusal.to_string().contains("radm2.def` instead"), "{refusal}");
}

fn names(list: &serde_json::Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

fn number(value: &serde_json::Value, what: &str) -> f64 {
    value[what].as_f64().unwrap_or_else(|| panic!("{what} of {value}"))
}

#[test]
fn golden_species_and_rate_constants() {
    let (Some(data), Some(golden)) = (data(), golden()) else { return };
    for name in ["small_strato", "saprc99", "saprcnov", "cbm4", "strato", "smog", "radm2"] {
        let answer = json(&golden.join(format!("atmospheric/{name}.json")));
        let file = answer["data"]["def"].as_str().unwrap().split(' ').next().unwrap();
        let scheme = kpp::read(&data.join("..").join(file)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let own = |list: &[kinlane_mech::scheme::Part]| list.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
        assert_eq!(own(&scheme.species), names(&answer["variable_species"]), "{name}");
        assert_eq!(own(&scheme.fixed), names(&answer["fixed_species"]), "{name}");
        assert_eq!(scheme.reactions.len(), answer["equations"].as_array().unwrap().len(), "{name}");
        let cells: Vec<(Cell, Vec<f64>)> = match answer.get("environments") {
            Some(all) => all.as_array().unwrap().iter().map(|e| (environment(&scheme, e), numbers(&e["k"]))).collect(),
            None => {
                assert_eq!(scheme.photolysis, names(&answer["photolysis_names"]));
                let all = answer["states"].as_array().unwrap();
                all.iter().map(|s| (state(&scheme, s), numbers(&s["k"]))).collect()
            }
        };
        assert!(!cells.is_empty(), "{name}");
        let mut worst: f64 = 0.0;
        for (cell, k) in &cells {
            for ((step, own), k) in scheme.reactions.iter().zip(rate_constants(&scheme, cell)).zip(k) {
                let off = if own == *k { 0.0 } else { ((own - k) / k).abs() };
                assert!(off < 1e-13, "{name}: {}: {own} {k}", step.label);
                worst = worst.max(off);
            }
        }
        println!("{name:14} {} cells, rate constants differ by {worst:.1e} at most", cells.len());
    }
}

fn environment(scheme: &Scheme, e: &serde_json::Value) -> Cell {
    let inputs = scheme.inputs.iter().map(|(name, _)| number(e, name)).collect();
    Cell { temperature: number(e, "TEMP"), inputs, ..Cell::of(scheme) }
}

fn state(scheme: &Scheme, s: &serde_json::Value) -> Cell {
    let inputs = scheme.inputs.iter().map(|(name, _)| number(s, name)).collect();
    let photolysis = scheme.photolysis.iter().map(|name| number(&s["J"], name)).collect();
    Cell { temperature: number(s, "T"), inputs, photolysis, ..Cell::of(scheme) }
}

/// The tendencies of the golden answers: what stoichiometry, orders and fixed species give with its rate constants.
#[test]
fn golden_tendencies() {
    let (Some(data), Some(golden)) = (data(), golden()) else { return };
    for name in ["small_strato", "saprc99", "saprcnov", "cbm4", "strato", "smog", "radm2"] {
        let answer = json(&golden.join(format!("atmospheric/{name}.json")));
        let file = answer["data"]["def"].as_str().unwrap().split(' ').next().unwrap();
        let scheme = kpp::read(&data.join("..").join(file)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let cases = answer.get("dCdt").or(answer.get("states")).and_then(|c| c.as_array()).unwrap();
        for case in cases {
            let map = |value: &serde_json::Value| -> HashMap<String, f64> {
                value.as_object().unwrap().iter().map(|(k, v)| (k.clone(), v.as_f64().unwrap())).collect()
            };
            let (cell, variable, fixed) = match case.get("environment") {
                Some(e) => (environment(&scheme, e), map(&case["C"]), map(&case["C_fixed"])),
                None => {
                    let fixed = HashMap::from([("H2O".into(), number(case, "H2O")), ("M".into(), number(case, "C_M"))]);
                    (state(&scheme, case), map(&case["C0"]), fixed)
                }
            };
            let (c, f) = (amounts(&scheme.species, &variable), amounts(&scheme.fixed, &fixed));
            let k = rate_constants(&scheme, &cell);
            let mut change = vec![0.0; c.len()];
            for (step, k) in scheme.reactions.iter().zip(k) {
                let mut rate = k;
                step.reactants.iter().for_each(|&(i, n)| rate *= c[i].powf(n));
                step.fixed.iter().for_each(|&(i, n)| rate *= f[i].powf(n));
                step.reactants.iter().for_each(|&(i, n)| change[i] -= n * rate);
                step.products.iter().for_each(|&(i, n)| change[i] += n * rate);
            }
            let (expected, gross) = (map(&case["dCdt"]), map(&case["gross"]));
            for (species, change) in scheme.species.iter().zip(&change) {
                let off = (change - expected[&species.name]).abs();
                assert!(off <= 1e-12 * gross[&species.name] + 1e-300, "{name}: {}: {change}", species.name);
            }
        }
    }
}

/// Real files with bytes changed, removed and moved are read or refused with places.
#[test]
fn mutated_files() {
    let Some(data) = data() else { return };
    let folder = data.join("atmospheric");
    let mut random = Random::new(1);
    for (spc, eqn, def) in [
        ("kpp/small_strato.spc", "kpp/small_strato.eqn", "kpp/small_strato.def"),
        ("wrf-chem/radm2/radm2.spc", "wrf-chem/radm2/radm2.eqn", "wrf-chem/radm2/radm2.def"),
        ("wrf-chem/nmhc9/nmhc9.spc", "wrf-chem/nmhc9/nmhc9.eqn", "wrf-chem/nmhc9/nmhc9.def"),
        ("wrf-chem/cbmz_bb/cbmz_bb.spc", "wrf-chem/cbmz_bb/cbmz_bb.eqn", "wrf-chem/cbmz_bb/cbmz_bb.def"),
    ] {
        let text: String = [spc, eqn, def].iter().map(|f| std::fs::read_to_string(folder.join(f)).unwrap()).collect();
        let text = text.replace("#include", "{}").replace("#INCLUDE", "{}").replace("./", "");
        let text: String =
            text.lines().filter(|l| !l.trim_start().starts_with("{}")).map(|l| format!("{l}\n")).collect();
        for _ in 0..150 {
            let mut bytes: Vec<char> = text.chars().collect();
            for _ in 0..1 + random.below(6) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] = "{}#<>=:;()+-*/.,&!'\"é1eE_ \n".chars().nth(random.below(27)).unwrap(),
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, "{}#<>=:;()+-*/.,&!1 \n".chars().nth(random.below(21)).unwrap()),
                    _ => bytes.truncate(at.max(1)),
                }
                if bytes.is_empty() {
                    bytes.push(' ');
                }
            }
            survives(&bytes.into_iter().collect::<String>());
        }
    }
}
