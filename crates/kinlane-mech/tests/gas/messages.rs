//! What a user sees for common mistakes, word for word.
//!
//! The texts are in `messages/`; run with `KINLANE_BLESS=1` to write them anew, then look at the difference.

use std::path::Path;

use kinlane_mech::{cantera, chemkin, read::decode, render::render};

const HEAD: &str = "\
units: {length: cm, quantity: mol, activation-energy: cal/mol}
phases:
- name: gas
  thermo: ideal-gas
  kinetics: gas
species:
- {name: H2, composition: {H: 2}, thermo: &cp {model: constant-cp}}
- {name: H, composition: {H: 1}, thermo: *cp}
- {name: O2, composition: {O: 2}, thermo: *cp}
- {name: OH, composition: {O: 1, H: 1}, thermo: *cp}
- {name: HO2, composition: {O: 2, H: 1}, thermo: *cp}
reactions:
";

fn shown(text: &str, phase: Option<&str>) -> String {
    let text = decode(text.as_bytes(), "mech.yaml").unwrap_or_else(|d| panic!("{}", d.message));
    match cantera::read_str(text, Path::new("mech.yaml"), phase, &[]) {
        Ok(_) => panic!("not refused"),
        Err(e) => format!("{e}\n"),
    }
}

fn check(name: &str, shown: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages").join(format!("{name}.txt"));
    if std::env::var_os("KINLANE_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, shown).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(shown, wanted, "{name}: run with KINLANE_BLESS=1 if the new text is better");
}

/// What is said of a file that is read all the same.
fn noted(text: &str) -> String {
    match cantera::read_str(text.to_owned(), Path::new("mech.yaml"), None, &[]) {
        Ok(network) => render(&network.notes, &network.sources, false),
        Err(e) => panic!("{e}"),
    }
}

fn reaction_noted(name: &str, entries: &str) {
    check(name, &noted(&format!("{HEAD}{entries}\n")));
}

/// Only reactions, so that nothing but what they are blamed for is in the way.
fn chemkin_reaction(name: &str, reactions: &str) {
    let species = ["A", "B", "AR"];
    let zeros = " 0.00000000E+00".repeat(5);
    let record = |name: &str| {
        let first = format!("{name:<24}C   1               G   300.000  5000.000 1000.00");
        format!("{first:<79}1\n{zeros:<79}2\n{zeros:<79}3\n{:<79}4\n", &zeros[..60])
    };
    let thermo: String = species.into_iter().map(record).collect();
    let text = format!(
        "ELEMENTS C END\nSPECIES {} END\nTHERMO ALL\n300. 1000. 5000.\n{thermo}END\nREACTIONS\n{reactions}\nEND\n",
        species.join(" ")
    );
    let shown = match chemkin::read_str(("chem.inp", &text), None) {
        Ok(network) => render(&network.notes, &network.sources, false),
        Err(e) => format!("{e}\n"),
    };
    check(name, &shown);
}

fn reaction(name: &str, entries: &str) {
    check(name, &shown(&format!("{HEAD}{entries}\n"), None));
}

#[test]
fn unknown_species() {
    reaction("unknown-species", "- equation: H2 + O2 <=> OH0 + OH  # comment\n  rate-constant: [1.0e13, 0, 0]");
}

#[test]
fn unbalanced() {
    reaction("unbalanced", "- equation: H2 + O2 <=> OH\n  rate-constant: [1.0e13, 0, 0]");
}

/// The collider that is taken off is not among what is counted.
#[test]
fn unbalanced_with_a_collider() {
    reaction(
        "unbalanced-collider",
        "- equation: H2 + 2 O2 <=> H + H + O2\n  rate-constant: [1.0e13, 0, 0]\n- equation: H2 + O2 <=> H + O2\n  type: three-body\n  rate-constant: [1.0e13, 0, 0]",
    );
}

#[test]
fn undeclared_duplicate() {
    let one = "- equation: H2 + O2 <=> OH + OH\n  rate-constant: [1.0e13, 0, 0]\n";
    let filler = "- equation: H + O2 => HO2\n  rate-constant: [1.0e13, 0, 0]\n- equation: HO2 => H + O2\n  rate-constant: [1.0e13, 0, 0]\n- equation: H + H => H2\n  rate-constant: [1.0e13, 0, 0]\n";
    reaction(
        "undeclared-duplicate",
        &format!("{one}{filler}{}", one.replace("H2 + O2 <=> OH + OH", "2 OH => O2 + H2")),
    );
}

#[test]
fn negative_factor() {
    reaction("negative-factor", "- equation: H2 + O2 <=> OH + OH\n  rate-constant: {A: -1.0e13, b: 0, Ea: 0}");
}

#[test]
fn wrong_unit() {
    reaction(
        "wrong-unit",
        "- equation: H2 + O2 <=> OH + OH\n  rate-constant: {A: 1.0e13 cm^6/mol^2/s, b: 0, Ea: 3 kcall/mol}",
    );
}

#[test]
fn missing_and_misspelt() {
    reaction("missing-entry", "- equation: H2 + O2 <=> OH + OH\n  rate-constnt: {A: 1.0e13, b: 0, Ea: 0}");
}

#[test]
fn several_at_once() {
    reaction(
        "several-at-once",
        "- equation: H2+O2 <=> OH + OH\n  rate-constant: {A: 1.0e13, b: zero, Ea: 0}\n- equation: H + O2 + M <=> HO2\n  rate-constant: [1, 0, 0]\n- equation: H2 -> H + H\n  rate-constant: [1, 0, 0]",
    );
}

#[test]
fn plog_that_is_negative() {
    reaction(
        "negative-plog",
        "- equation: H2 + O2 <=> OH + OH\n  type: pressure-dependent-Arrhenius\n  rate-constants:\n  - {P: 1 atm, A: 1.0e13, b: 0, Ea: 0}\n  - {P: 1 atm, A: -2.0e13, b: 0, Ea: 0}",
    );
}

#[test]
fn unsupported_rate() {
    reaction(
        "unsupported-rate",
        "- equation: H2 + O2 => OH + OH\n  type: electron-collision-plasma\n  energy-levels: [0, 1]",
    );
}

#[test]
fn unsupported_phase() {
    let text = HEAD.replace(
        "- name: gas\n  thermo: ideal-gas",
        "- name: real\n  thermo: Redlich-Kwong\n- name: gas\n  thermo: ideal-gas",
    );
    check("unsupported-phase", &shown(&format!("{text}- equation: H2 => H + H\n  rate-constant: [1, 0, 0]\n"), None));
}

#[test]
fn no_such_phase() {
    check(
        "no-such-phase",
        &shown(&format!("{HEAD}- equation: H2 => H + H\n  rate-constant: [1, 0, 0]\n"), Some("gsa")),
    );
}

#[test]
fn broken_yaml() {
    check(
        "broken-yaml",
        &shown("phases:\n- name: gas\n  thermo: ideal-gas\n  species: [H2, O2\nspecies:\n- name: H2\n", None),
    );
}

/// Places are those of the file, not of the text that the parser was given.
#[test]
fn places_inside_brackets() {
    let head = "phases:\n- name: gas\n  thermo: ideal-gas\n  species: [H2,\nO2, é, \n\tOH\n]\nspecies:\n- {name: H2, composition: {H: 2},\nthermo: {model:\n\tconst-cp}}\n";
    check("wrapped-lists", &shown(head, None));
    check("wrapped-broken", &shown(&format!("{head}- {{name: O2,\ncomposition: O: 2}}\n"), None));
}

/// Cantera refuses the elements; the species it takes.
#[test]
fn names_in_the_wrong_case() {
    let text = "phases:
- name: gas
  thermo: ideal-gas
  kinetics: gas
species:
- {name: X, composition: {CO: 1, o: 2}, thermo: &cp {model: constant-cp}}
- {name: Y, composition: {Co: 1, o: 2}, thermo: *cp}
- {name: Z, composition: {O: 2}, thermo: *cp}
reactions:
- {equation: X + z => Y + Z, rate-constant: [1, 0, 0], orders: {x: 2}}
- {equation: X + M => Y + M, rate-constant: [1, 0, 0], efficiencies: {y: 2, z: 3}}
";
    check("wrong-case", &noted(text));
    let listed = text.replace("kinetics: gas", "elements: [co, O]").replace("reactions:", "others:");
    check("wrong-case-listed", &noted(&listed));
}

/// A weight that is wrong is told once, not again for each species.
#[test]
fn elements_and_pressures_that_cannot_be() {
    let text = "phases:
- name: gas
  thermo: ideal-gas
  elements: [H, Q, Z]
elements:
- {symbol: Q, atomic-weight: 0}
- {symbol: Z, atomic-weight: 12}
- {symbol: Z, atomic-weight: 13}
species:
- {name: X, composition: {Q: 1}, thermo: {model: constant-cp}}
- {name: XH, composition: {Q: 1, H: 1}, thermo: {model: constant-cp}}
- {name: Y, composition: {Z: 1}, thermo: {model: constant-cp, reference-pressure: 0}}
- {name: YH, composition: {Z: 1, H: 1}, thermo: {model: constant-cp, reference-pressure: -1 atm}}
";
    check("elements-and-pressures", &shown(text, None));
}

/// One phase, and one reaction of two species.
const SMALL: &str = "\
phases:
- name: gas
  thermo: ideal-gas
  kinetics: gas
species:
- {name: H2, composition: {H: 2}, thermo: &cp {model: constant-cp}}
- {name: H, composition: {H: 1}, thermo: *cp}
reactions:
- {equation: H2 => H + H, rate-constant: {A: 1, b: 0, Ea: 0}}
";

/// What is said with one text in place of another, for each pair of them.
fn shown_with(pairs: &[[&str; 2]]) -> String {
    let one = |[from, to]: &[&str; 2]| {
        assert!(SMALL.contains(from), "{from}");
        shown(&SMALL.replacen(from, to, 1), None)
    };
    pairs.iter().map(one).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_phase_without_a_name_is_called_after_its_file() {
    let text = SMALL.replace("name: gas\n  thermo", "thermo");
    check("nameless-phase", &noted(&text));
    let read = |text: &str, phase: &str| cantera::read_str(text.to_owned(), Path::new("mech.yaml"), Some(phase), &[]);
    assert!(read(&text, "mech").is_ok_and(|network| network.name == "mech"));
    assert!(read(&text, "gas").is_err_and(|e| e.to_string().contains("known are `mech`")));
}

#[test]
fn misspelt_sections() {
    let sections = [["phases:", "phase:"], ["\nspecies:", "\nspecie:"], ["\nreactions:", "\nreaction:"]];
    check("misspelt-sections", &shown_with(&sections));
    let idle = SMALL.replace("\nreactions:", "\nreaction:").replace("  kinetics: gas\n", "");
    check("misspelt-reactions", &noted(&idle));
}

/// Once, whether the phase takes all of a section or names its species.
#[test]
fn a_species_that_is_defined_twice() {
    let again = "- {name: H, composition: {H: 1}, thermo: *cp}\nreactions:";
    let all = shown_with(&[["reactions:", again]]);
    check("species-defined-twice", &all);
    let named = SMALL.replace("reactions:", again).replace("kinetics: gas", "kinetics: gas\n  species: [H, H2]");
    assert_eq!(shown(&named, None).matches("error").count(), 1);
}

/// YAML takes what has no blank behind its colon for a key, or for a part of the text before.
#[test]
fn blanks_that_are_missing_after_colons() {
    let pairs = [
        ["{A: 1", "{A:1e14"],
        ["{equation: H2", "{equation:H2"],
        ["{H: 2}", "{H:2}"],
        ["{name: H2", "{name:H2"],
        ["- name: gas", "- name:gas"],
        ["kinetics: gas", "kinetics:gas # no blank"],
        ["{equation: H2 => H + H", "{efficiencies: {H2:3}, equation: H2 + M => H + H + M"],
        ["{equation: H2", "{orders: {H2:2}, equation: H2"],
    ];
    check("missing-blanks", &shown_with(&pairs));
    check("missing-blank-unused", &noted(&SMALL.replace("Ea: 0}", "Ea:0}, duplicate:true")));
}

/// For YAML, two spellings are two keys.
#[test]
fn species_in_two_spellings() {
    reaction_noted(
        "species-twice",
        "- equation: H + O2 + M => HO2 + M\n  rate-constant: [1, 0, 0]\n  efficiencies: {H2: 2, h2: 4, O2: 3, O2: 5}\n- equation: H2 + OH => H + H + OH\n  rate-constant: [1, 0, 0]\n  orders: {H2: 1.5, h2: 0.5}",
    );
}

#[test]
fn missing_file() {
    let text = "phases:\n- name: gas\n  thermo: ideal-gas\n  species:\n  - h2o2.yaml/species: all\n";
    check("missing-file", &shown(text, None));
}

#[test]
fn thermo_that_does_not_fit() {
    let text = "phases:\n- {name: gas, thermo: ideal-gas}\nspecies:\n- name: é2\n  composition: {Xx: 2}\n  thermo:\n    model: NASA7\n    temperature-ranges: [200, 1000, 3500]\n    data:\n    - [2.3, 7.9e-03, -1.9e-05, 2.0e-08, -7.3e-12, -917.9, 0.68]\n";
    check("thermo-rows", &shown(text, None));
}

/// A misspelt energy would be 0; one that is left out of a list is.
#[test]
fn energies_that_are_not_there() {
    reaction_noted(
        "misspelt-energy",
        "- equation: H2 + O2 <=> OH + OH\n  type: Blowers-Masel\n  rate-constant: {A: 1.0e13, b: 0, Ea: 1}\n- equation: H2 + OH => H + H + OH\n  type: two-temperature-plasma\n  rate-constant: {A: 1.0e13, b: 0, Ea: 1}\n- equation: H + O2 => HO2\n  rate-constant: [1.0e13, 0]\n- equation: HO2 => H + O2\n  type: pressure-dependent-Arrhenius\n  rate-constants:\n  - {P: 1 atm, A: 1.0e13, b: 0}\n- equation: H2 => H + H\n  type: two-temperature-plasma\n  rate-constant: {A: 1.0e13, b: 0, Ea-gas: 1}",
    );
}

#[test]
fn two_temperatures_have_no_equilibrium() {
    reaction(
        "two-temperature-reversible",
        "- equation: H2 + O2 <=> OH + OH\n  type: two-temperature-plasma\n  rate-constant: {A: 1, b: 0, Ea-gas: 1, Ea-electron: 2}",
    );
}

/// A key that is right where it stands is not taken for another one.
#[test]
fn keys_that_are_right_are_no_slips() {
    reaction(
        "missing-not-misspelt",
        "- equation: H2 + O2 <=> OH + OH\n  rate-constant: {A: 1, Ea: 0}\n- equation: H + O2 (+M) <=> HO2 (+M)\n  type: falloff\n  high-P-rate-constant: [1, 0, 0]\n- equation: H + O2 => HO2\n  rate-constant: {A: 1, B: 0, Ea: 0}",
    );
}

#[test]
fn empty_things() {
    reaction(
        "empty-list",
        "- equation: H2 + O2 <=> OH + OH\n  type: pressure-dependent-Arrhenius\n  rate-constants: []",
    );
    check("empty-phases", &shown("phases: []\nspecies: []\n", None));
    check("empty-species", &shown("phases:\n- name: gas\n  thermo: ideal-gas\n  species: []\n", None));
}

#[test]
fn numbers_that_cannot_be() {
    reaction(
        "not-finite",
        "- equation: H2 + O2 <=> OH + OH\n  rate-constant: {A: .nan, b: 0, Ea: 0}\n- equation: H + O2 (+M) <=> HO2 (+M)\n  type: falloff\n  high-P-rate-constant: [1, 0, 0]\n  low-P-rate-constant: [1, 0, .inf]\n  efficiencies: {H2: .nan}",
    );
    reaction(
        "negative-pressure",
        "- equation: H2 + O2 <=> OH + OH\n  type: pressure-dependent-Arrhenius\n  rate-constants:\n  - {P: -1 atm, A: 1, b: 0, Ea: 0}",
    );
    reaction_noted(
        "negative-efficiency",
        "- equation: H + O2 + M => HO2 + M\n  rate-constant: [1, 0, 0]\n  efficiencies: {H2: -2}",
    );
}

#[test]
fn tables_that_cannot_be() {
    reaction(
        "chebyshev-ranges",
        "- equation: H2 + O2 <=> OH + OH\n  type: Chebyshev\n  temperature-range: [3000, 300]\n  pressure-range: [0, 1e7]\n  data: [[8, 1], [1, 0]]",
    );
    reaction(
        "burke-efficiency",
        "- equation: H2 (+M) <=> H + H (+M)\n  type: linear-Burke\n  colliders:\n  - {name: M, type: pressure-dependent-Arrhenius, rate-constants: [{P: 1 atm, A: 1, b: 0, Ea: 0}]}\n  - {name: O2, efficiency: 3}\n  - {name: OH, efficiency: [3, 0, 0]}",
    );
}

/// As in Cantera.
#[test]
fn quotes_make_texts() {
    reaction(
        "quoted-values",
        "- equation: H2 + O2 <=> OH + OH\n  duplicate: \"false\"\n  rate-constant: {A: \"1e13\", b: '0', Ea: \"3\"}\n- equation: H + O2 + M => HO2 + M\n  rate-constant: [\"1e13 cm^6/mol^2/s\", 0, '0 kcal/mol']\n  efficiencies: {H2: \"2\"}\n  duplicate: \"maybe\"",
    );
    reaction_noted(
        "reversible-entry",
        "- {equation: H2 + O2 <=> OH + OH, reversible: false, rate-constant: [1, 0, 0]}\n- {equation: H + O2 => HO2, reversible: \"false\", rate-constant: [1, 0, 0]}\n- {equation: H + H => H2, reversible: false, rate-constant: [1, 0, 0]}",
    );
}

#[test]
fn same_name_twice() {
    let text = HEAD.replace("species:", "- name: gas\n  thermo: ideal-gas\nspecies:");
    check("two-phases", &noted(&format!("{text}- equation: H2 => H + H\n  rate-constant: [1, 0, 0]\n")));
    reaction("unknown-once", "- equation: H2 + X <=> H2 + X\n  rate-constant: [1, 0, 0]");
}

/// One slip does not hide the others.
#[test]
fn slips_do_not_hide_each_other() {
    let text = "phases:
- name: gas
  thermo: ideal-gas
  kinetics: gass
species:
- name: A
  composition: {}
  thermo: {model: constant-cp}
- name: B
  composition: {H: 1}
  thermo: {model: NASA7, temperature-ranges: [300, 1000, 500], data: [[1,2,3,4,5,6,7],[1,2,3,4,5,6,7]]}
- name: C
  composition: {H: 1}
  thermo: {model: Shomate, temperature-ranges: [300, 500, 600, 700], data: [[1,2,3,4,5,6,7],[1,2,3,4,5,6,7],[1,2,3,4,5,6,7]]}
reactions:
- equation: B => B
  rate-constant: {A: -1, b: 0, Ea: 0}
";
    check("all-at-once", &shown(text, None));
}

#[test]
fn chemkin_lines() {
    chemkin_reaction("chemkin-arrow", "A<=B 1 0 0");
    chemkin_reaction("chemkin-foreign-arrow", "A+A->2B 1 0 0\nAR/2/\nA <--> B 1 0 0\nA=B 1 0 0\nA->B 1 0 0\nDUP");
    chemkin_reaction("chemkin-numbers", "A=B 1 0 0 0\nA+A=B+B 1 0");
    chemkin_reaction("chemkin-twice", "A(+M)=B(+M) 1 0 0\nLOW/1 0 0/\nLOW/2 0 0/\nAR/-1/");
    chemkin_reaction("chemkin-chebyshev", "A(+M)=B(+M) 1 0 0\nTCHEB/300 2000/\nA+A(+M)=B+B(+M) 1 0 0\nCHEB/1 1 1/");
}

/// Slips of equations, each with its own words.
#[test]
fn chemkin_equations() {
    chemkin_reaction("chemkin-two-arrows", "A+B=>2B=>2A 1 0 0\nA=B+ 1 0 0\nA+2M=B+2M 1 0 0");
    chemkin_reaction("chemkin-data-behind", "A(+M)=B(+M) 1 0 0 LOW/1 0 0/\nA=B 1 0 0 / note\nDUP\nA+B=2B 1 0 0");
    chemkin_reaction("chemkin-hash", "A=B 1 0 0\n# the second group follows\n#A=B 1 0 0\n2A=2B 1 0 0\nDUP");
    let typed = "A B=AR+AR 1 0 0\n2A+(M)=2B+(M) 1 0 0\nA=B 1 \u{2212}0.8 0\nA=B 1 0 0\n// comment";
    chemkin_reaction("chemkin-typed", typed);
}

#[test]
fn chemkin_lists() {
    let shown = |text: &str| chemkin::read_str(("chem.inp", text), None).unwrap_err().to_string() + "\n";
    let text = "ELEMENTS C, H, Xx END\nSPECIES\nA, B,C, D ,\nEND\nREACTIONS\nA=>D 1 0 0\nEND\n";
    check("chemkin-commas", &shown(text));
}

/// Fields of Fortran need no blanks between them.
#[test]
fn chemkin_numbers_without_blanks() {
    chemkin_reaction(
        "chemkin-glued-numbers",
        "A=B 1.0E+14-0.5 1000\nA=B 1.0E+140.0 1000.\nA=B 1.0E+14 0.51000.\nA=B 1.0D+14-0.5-1000.\nA(+M)=B(+M) 1 0 0\nLOW/1.0E+10-2.0 0/\nA=B 1.2.3 0 0",
    );
}

/// A name that is wrong in SPECIES has no record, but the right one has.
#[test]
fn chemkin_species_without_data() {
    let record = |name: &str| {
        let zeros = " 0.00000000E+00".repeat(5);
        let first = format!("{name:<24}H   1               G   300.000  5000.000 1000.00");
        format!("{first:<79}1\n{zeros:<79}2\n{zeros:<79}3\n{:<79}4\n", &zeros[..60])
    };
    let records: String = ["H", "HO2", "CH3OH", "AR"].into_iter().map(record).collect();
    let text =
        |species: &str| format!("ELEMENTS H END\nSPECIES {species} END\nTHERMO ALL\n300. 1000. 5000.\n{records}END\n");
    let shown = |species: &str| chemkin::read_str(("chem.inp", &text(species)), None).unwrap_err().to_string() + "\n";
    // The record of a species that is declared is not meant.
    check("chemkin-near-records", &(shown("H H02 ch3ohx QQQQQQ") + "\n" + &shown("H AR AR2")));
}

#[test]
fn spaces_in_equations() {
    reaction(
        "missing-spaces",
        "- equation: H + O2(+M) <=> HO2(+M)\n  type: falloff\n  high-P-rate-constant: [1, 0, 0]\n  low-P-rate-constant: [1, 0, 0]\n- equation: 2H + M <=> H2 + M\n  rate-constant: [1, 0, 0]\n- equation: H + O2(+M) => HO2\n  rate-constant: [1, 0, 0]\n- equation: H + H + m <=> H2 + m\n  rate-constant: [1, 0, 0]",
    );
}

/// What YAML has and mechanisms have not.
#[test]
fn yaml_that_is_not_read() {
    reaction("tab-indent", "- equation: H + O2 => HO2\n\trate-constant: [1, 0, 0]");
    reaction(
        "merge-key",
        "- &r\n  equation: H + O2 => HO2\n  rate-constant: [1, 0, 0]\n- <<: *r\n  equation: HO2 => H + O2\n- equation: H + O2 + M => HO2 + M\n  rate-constant: [1, 0, 0]\n  efficiencies: {<<: {H2: 2}, O2: 3}",
    );
    reaction_noted("no-reactions", "");
}

#[test]
fn not_text() {
    let message = |bytes: &[u8]| decode(bytes, "mech.yaml").unwrap_err().message;
    assert_eq!(message(b"PK\x03\x04\x00\x00"), "`mech.yaml` is not a text file");
    assert_eq!(message(b"\xff\xfea\x00"), "`mech.yaml` is not a text file");
    assert_eq!(message(b" \r\n"), "`mech.yaml` is empty");
    assert_eq!(decode(b"\xef\xbb\xbfa\rb\r\nc", "x").unwrap(), "a\nb\nc");
    assert_eq!(decode(b"caf\xe9", "x").unwrap(), "caf\u{e9}");
}
