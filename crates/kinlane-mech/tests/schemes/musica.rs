//! Configurations of MICM and MUSICA: every one of the data folder, and mutated files.

use crate::common::{Cell, errors_of, rate_constants, sound, survived};
use kinlane_mech::musica;
use kinlane_testdata::Random;
use kinlane_testdata::files::data;
use std::path::PathBuf;

/// Evolving, fixed and left-out species, and reactions, of which one with two branches gives two.
const COUNTS: &[(&str, [usize; 3], usize)] = &[
    ("micm/chapman", [3, 2, 0], 7),
    ("micm/rate_constants_no_user_defined", [7, 0, 0], 6 + 1),
    ("micm/rate_constants_user_defined", [7, 0, 0], 9 + 1),
    ("musica/v0/TS1", [209, 1, 0], 547),
    ("musica/v0/analytical", [6, 0, 0], 4),
    ("musica/v0/carbon_bond_5", [67, 0, 0], 200),
    ("musica/v0/chapman", [3, 2, 0], 7),
    ("musica/v0/robertson", [3, 0, 0], 3),
    ("musica/v1/analytical/config.json", [3, 0, 0], 2),
    ("musica/v1/analytical/config.yaml", [3, 0, 0], 2),
    ("musica/v1/chapman/config.json", [5, 1, 0], 7),
    ("musica/v1/chapman/config.yaml", [5, 1, 0], 7),
    ("musica/v1/full_configuration/full_configuration.json", [1, 1, 5], 12 + 1),
    ("musica/v1/full_configuration/full_configuration.yaml", [1, 1, 5], 12 + 1),
];

/// Those that are refused, with the codes of their errors.
const REFUSED: &[(&str, &[&str])] = &[
    // The molecular weight of its species is missing, which MICM needs, too.
    ("musica/v0/surface", &["M0711"]),
    // Only emissions, no chemistry.
    ("musica/v1/emissions/config.json", &["M0701"]),
    ("musica/v1/emissions/config.yaml", &["M0701"]),
    // Reactions in droplets.
    ("musica/v1/cam_cloud_chemistry/config.json", &["M0706"]),
    ("musica/v1/full_configuration", &["M0700"]),
];

#[test]
fn every_configuration_is_read_or_refused_for_a_reason() {
    let Some(data) = data() else { return };
    let folder = data.join("atmospheric");
    for &(name, [evolving, fixed, left_out], reactions) in COUNTS {
        let scheme = musica::read(&folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        println!("{name:56} {:4} + {} {:5}", scheme.species.len(), scheme.fixed.len(), scheme.reactions.len());
        assert_eq!(
            (scheme.species.len(), scheme.fixed.len(), scheme.reactions.len()),
            (evolving, fixed, reactions),
            "{name}"
        );
        let labels = |code: &str| scheme.notes.iter().filter(|n| n.code == code).map(|n| n.labels.len()).sum::<usize>();
        assert_eq!(labels("M0713") + labels("M0714"), left_out, "{name}");
        sound(&scheme);
    }
    for (name, codes) in REFUSED {
        let refusal = musica::read(&folder.join(name)).map(|_| ()).expect_err(name);
        let found = errors_of(&refusal);
        println!("{name:56} refused: {} errors {codes:?}", found.len());
        assert!(found.iter().all(|(code, _)| codes.contains(code)), "{name}: {refusal}");
    }
}

#[test]
fn names_of_inputs() {
    let Some(data) = data() else { return };
    let folder = data.join("atmospheric");
    let scheme = musica::read(&folder.join("micm/rate_constants_user_defined")).unwrap_or_else(|e| panic!("{e}"));
    let inputs: Vec<&str> = scheme.inputs.iter().map(|i| i.0.as_str()).collect();
    assert_eq!(
        inputs,
        ["C_M", "SURF.C surface.radius", "SURF.C surface.number", "LOSS.my loss rate", "EMIS.my emission rate"]
    );
    assert_eq!(scheme.photolysis, ["my photolysis rate"]);
    let labels: Vec<&str> = scheme.reactions.iter().map(|r| r.label.as_str()).collect();
    assert_eq!(labels[..3], ["A -> B", "B -> C", "B -> D"]);
    assert_eq!(labels[5], "2 E -> G");
    // Both formats of one configuration are the same.
    let of = |name: &str| {
        let scheme = musica::read(&folder.join("musica/v1").join(name)).unwrap_or_else(|e| panic!("{e}"));
        let rates: Vec<_> = scheme.reactions.iter().map(|r| (r.label.clone(), r.rate.clone())).collect();
        (rates, scheme.inputs, scheme.photolysis)
    };
    for name in ["chapman/config", "full_configuration/full_configuration"] {
        assert_eq!(of(&format!("{name}.json")), of(&format!("{name}.yaml")), "{name}");
    }
}

fn survives(text: &str) {
    if let Some(scheme) = survived(musica::read_str(("test.json", text))) {
        rate_constants(&scheme, &Cell::of(&scheme));
    }
}

/// Real files with bytes and words changed, removed and moved are read or refused with places.
#[test]
fn mutated_files() {
    let Some(data) = data() else { return };
    let folder = data.join("atmospheric");
    let mut random = Random::new(1);
    let merged = |folder: PathBuf, ending: &str| {
        let text = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.{ending}"))).unwrap();
        let (species, reactions) = (text("species"), text("reactions"));
        match ending {
            "yaml" => format!("{species}\n{}", reactions.replacen("camp-data:", "", 1)),
            _ => {
                let cut = species.rfind(']').unwrap();
                let open = reactions.find('[').unwrap();
                format!("{},{}", &species[..cut], &reactions[open + 1..])
            }
        }
    };
    let whole = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let texts = [
        merged(folder.join("micm/rate_constants_no_user_defined"), "yaml"),
        merged(folder.join("micm/rate_constants_user_defined"), "json"),
        whole("musica/v1/full_configuration/full_configuration.json"),
        whole("musica/v1/full_configuration/full_configuration.yaml"),
        whole("musica/v1/cam_cloud_chemistry/config.json"),
    ];
    for text in &texts {
        survives(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        for _ in 0..300 {
            let mut bytes: Vec<char> = text.chars().collect();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                match random.below(6) {
                    0 => bytes[at] = "{}[]:,\"'-#&*|>é01eE._ \n".chars().nth(random.below(23)).unwrap(),
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, "{}[]:,\"'-#019eE. \n".chars().nth(random.below(18)).unwrap()),
                    3 => bytes.truncate(at.max(1)),
                    // Another word of the text in place of this one.
                    _ => {
                        let end = (at..bytes.len()).find(|&i| bytes[i].is_whitespace()).unwrap_or(bytes.len());
                        let start = (0..at).rev().find(|&i| bytes[i].is_whitespace()).map_or(0, |i| i + 1);
                        bytes.splice(start..end, words[random.below(words.len())].chars());
                    }
                }
                if bytes.is_empty() {
                    bytes.push(' ');
                }
            }
            survives(&bytes.into_iter().collect::<String>());
        }
    }
}
