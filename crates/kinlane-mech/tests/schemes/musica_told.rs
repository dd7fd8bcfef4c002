//! What is said about configurations of MICM and MUSICA that are wrong: the code, the place and the remedy.

use crate::common::errors_of;
use kinlane_mech::Severity;
use kinlane_mech::musica::{read, read_str};
use kinlane_mech::read::{Format, recognise};
use std::path::Path;

/// A configuration of version 0, with reactions among A and B.
fn zero(reactions: &str) -> String {
    format!(
        r#"{{"camp-data": [
{{"type": "CHEM_SPEC", "name": "A"}}, {{"type": "CHEM_SPEC", "name": "B"}},
{{"type": "MECHANISM", "name": "m", "reactions": [
{reactions}
]}}]}}"#
    )
}

/// A configuration of version 1, with further lines.
fn one(lines: &str) -> String {
    format!(
        "version: 1.0.0\nspecies:\n- name: A\n- name: B\nphases:\n- name: gas\n  species: [A, B]\n- name: other\n  \
         species: [A]\n{lines}\n"
    )
}

fn told(text: &str) -> String {
    read_str(("test.json", text)).map(|_| ()).expect_err(text).to_string()
}

fn errors(text: &str) -> Vec<(&'static str, String)> {
    errors_of(&read_str(("test.json", text)).map(|_| ()).expect_err(text))
}

/// A reaction of A with further entries.
fn arrhenius(entries: &str) -> Vec<(&'static str, String)> {
    errors(&zero(&format!(
        r#"{{"type": "ARRHENIUS", "reactants": {{"A": {{}}}}, "products": {{"B": {{}}}}, {entries}}}"#
    )))
}

fn is(found: &[(&'static str, String)], expected: &[(&str, &str)]) {
    let found: Vec<(&str, &str)> = found.iter().map(|(code, place)| (*code, place.as_str())).collect();
    assert_eq!(found, expected);
}

/// A configuration is one without a reaction, too: what is missing is told, not what a Cantera file would have.
#[test]
fn configurations_without_reactions_are_recognised() {
    let text = r#"{"version": "1.0.0", "species": [{"name": "A"}], "phases": [{"name": "gas", "species": ["A"]}], "reactions": []}"#;
    assert_eq!(recognise(text, Path::new("m.json")).expect("a format"), Format::Musica);
    assert!(told(text).contains("reactions"), "{}", told(text));
}

#[test]
fn species_that_are_not_declared_once() {
    let text = zero(
        r#"{"type": "ARRHENIUS", "reactants": {"A": {}, "Bb": {}}, "products": {"Bb": {}}},
{"type": "ARRHENIUS", "A": "x", "reactants": {"A": {}}, "products": {"Bb": {}}}"#,
    );
    is(&errors(&text), &[("M0707", "\"Bb\""), ("M0703", "\"x\"")]);
    let told = told(&text);
    for part in ["test.json:4:", "did you mean `B`?", "and here", "this is `x`"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn types() {
    let none = r#""reactants": {"A": {}}, "products": {}"#;
    is(&errors(&zero(&format!(r#"{{"type": "ARHENIUS", {none}}}"#))), &[("M0705", "\"ARHENIUS\"")]);
    assert!(told(&zero(&format!(r#"{{"type": "ARHENIUS", {none}}}"#))).contains("did you mean `ARRHENIUS`?"));
    for name in ["LAMBDA_RATE_CONSTANT", "HL_PHASE_TRANSFER", "SUB_MODEL_PDFITE", "CMAQ_H2O2"] {
        is(&errors(&zero(&format!(r#"{{"type": "{name}", {none}}}"#))), &[("M0706", &format!("\"{name}\""))]);
    }
    is(&errors(&zero(&format!("{{{none}}}"))), &[("M0702", &format!("{{{none}}}"))]);
    is(&errors(&zero("7")), &[("M0703", "7")]);
    let aerosol = r#"{"camp-data": [{"type": "AERO_REP_SINGLE_PARTICLE", "name": "x"}, {"type": "CHEM_SPEC", "name": "W",
        "phase": "AEROSOL"}]}"#;
    is(&errors(aerosol), &[("M0706", "\"AERO_REP_SINGLE_PARTICLE\""), ("M0706", "\"AEROSOL\"")]);
}

#[test]
fn entries() {
    is(&arrhenius(r#""Aa": 1, "__Ab": 1"#), &[("M0704", "\"Aa\"")]);
    is(
        &arrhenius(r#""A": [1], "B": "", "C": true, "D": "inf", "E": null"#),
        &[("M0703", "[1]"), ("M0703", "\"\""), ("M0703", "true"), ("M0703", "\"inf\""), ("M0703", "null")],
    );
    is(
        &errors(&zero(r#"{"type": "TROE", "reactants": {"A": {}}, "kinf": 2}"#)),
        &[("M0704", "\"kinf\""), ("M0702", "\"TROE\"")],
    );
    let text = zero(r#"{"type": "TROE", "reactants": {"A": {}}, "products": {}, "kinf_a": 2}"#);
    assert!(told(&text).contains("did you mean `kinf_A`?"), "{}", told(&text));
    is(
        &errors(&zero(r#"{"type": "PHOTOLYSIS", "reactants": {"A": {}}, "products": {}}"#)),
        &[("M0702", "\"PHOTOLYSIS\"")],
    );
    is(
        &errors(&zero(
            r#"{"type": "BRANCHED", "reactants": {"A": {}}, "alkoxy products": {}, "nitrate products": {}}"#,
        )),
        &[("M0702", "\"BRANCHED\""), ("M0702", "\"BRANCHED\""), ("M0702", "\"BRANCHED\""), ("M0702", "\"BRANCHED\"")],
    );
}

#[test]
fn sides() {
    let of = |sides: &str| errors(&zero(&format!(r#"{{"type": "ARRHENIUS", {sides}}}"#)));
    is(
        &of(r#""reactants": {"A": {"qty": 1.5}}, "products": {"B": {"yield": "a"}}"#),
        &[("M0703", "1.5"), ("M0703", "\"a\"")],
    );
    is(&of(r#""reactants": {"A": {"yield": 2}}, "products": {"B": 2}"#), &[("M0704", "\"yield\""), ("M0703", "2")]);
    is(&of(r#""reactants": {"A": {"qty": 0}}, "products": {"B": {}}"#), &[("M0703", "0")]);
    for reactants in ["[A, B]", "[{name: A, coefficient: 2}]"] {
        let light = format!(
            "reactions:\n- {{type: PHOTOLYSIS, name: j, gas phase: gas, reactants: {reactants}, products: [B]}}"
        );
        is(&errors(&one(&light)), &[("M0710", reactants)]);
    }
    let sides = "reactions:\n- {type: ARRHENIUS, gas phase: gas, reactants: [{coefficient: 1}], products: [[A], {name: B, x: 1}]}";
    is(&errors(&one(sides)), &[("M0702", "{coefficient: 1}"), ("M0703", "[A]"), ("M0704", "x")]);
}

#[test]
fn parameters() {
    is(&arrhenius(r#""C": 2, "Ea": 1e-20"#), &[("M0710", "1e-20")]);
    is(&arrhenius(r#""D": 0"#), &[("M0710", "0")]);
    let sides = r#""reactants": {"A": {}}, "products": {"B": {}}"#;
    is(
        &errors(&zero(&format!(r#"{{"type": "TROE", {sides}, "Fc": 0, "N": -1, "kinf_A": 0}}"#))),
        &[("M0710", "0"), ("M0710", "0")],
    );
    let sides = r#""reactants": {"A": {}}, "alkoxy products": {}, "nitrate products": {}, "X": 1, "Y": 1"#;
    is(
        &errors(&zero(&format!(r#"{{"type": "BRANCHED", {sides}, "a0": 0, "n": 2.5}}"#))),
        &[("M0710", "0"), ("M0710", "2.5")],
    );
    let series =
        "reactions:\n- {type: TAYLOR_SERIES, gas phase: gas, reactants: [A], products: [], taylor coefficients: []}";
    is(&errors(&one(series)), &[("M0710", "[]")]);
    let many = "reactions:\n- {type: ARRHENIUS, gas phase: gas, A: 1e-300, reactants: [{name: A, coefficient: 9}], products: []}";
    is(&errors(&one(many)), &[("M0710", "1e-300")]);
}

#[test]
fn names_and_properties() {
    let user = |name: &str| {
        format!(r#"{{"type": "USER_DEFINED", "MUSICA name": "{name}", "reactants": {{"A": {{}}}}, "products": {{}}}}"#)
    };
    is(&errors(&zero(&user("C_M"))), &[("M0712", "\"C_M\"")]);
    let loss = r#"{"type": "FIRST_ORDER_LOSS", "species": "A", "MUSICA name": "A"}"#;
    is(&errors(&zero(&format!("{loss}, {}", user("LOSS.A")))), &[("M0712", "\"LOSS.A\"")]);
    // Constants of two orders have two units; of one order they are one.
    let second = user("k").replace(r#"{"A": {}}"#, r#"{"A": {"qty": 2}}"#);
    is(&errors(&zero(&format!("{}, {second}", user("k")))), &[("M0712", "\"k\"")]);
    assert!(read_str(("test.json", &zero(&format!("{}, {0}", user("k"))))).is_ok());
    let surface = r#"{"type": "SURFACE", "gas-phase reactant": "A", "gas-phase products": {}, "MUSICA name": "s"}"#;
    is(&errors(&zero(surface)), &[("M0711", "\"A\""), ("M0711", "\"A\"")]);
    assert!(told(&zero(surface)).contains("give `molecular weight [kg mol-1]`"));
    let species = "version: 1.0.0\nspecies:\n- {name: A, is third body: true, tracer type: CONSTANT}\n\
        - {name: A}\n- name: B\n  is third body: true\n  constant mixing ratio [mol mol-1]: 0.2\n\
        - {name: C, tracer type: AEROSOL, is third body: perhaps, x: 1}\n- {x: 1}\nphases: []\nreactions: []\n";
    is(
        &errors(species),
        &[
            ("M0708", "A"),
            ("M0711", "0.2"),
            ("M0704", "x"),
            ("M0703", "AEROSOL"),
            ("M0703", "perhaps"),
            ("M0702", "{x: 1}"),
        ],
    );
}

#[test]
fn phases() {
    let of = |phase: &str, left: &str| {
        format!("- {{type: ARRHENIUS, gas phase: {phase}, reactants: [{left}], products: []}}")
    };
    is(&errors(&one(&format!("reactions:\n{}", of("gass", "A")))), &[("M0709", "gass")]);
    is(&errors(&one(&format!("reactions:\n{}", of("other", "B")))), &[("M0709", "B")]);
    is(&errors(&one(&format!("reactions:\n{}\n{}", of("gas", "B"), of("other", "A")))), &[("M0706", "other")]);
    // What is made outside of it is warned of, once.
    let made = of("other", "A").replace("products: []", "products: [B]");
    let scheme = read_str(("test.yaml", &one(&format!("reactions:\n{made}\n{made}")))).unwrap();
    let warnings: Vec<_> = scheme.notes.iter().filter(|note| note.severity == Severity::Warning).collect();
    assert!(warnings.len() == 1 && warnings[0].code == "M0709" && warnings[0].labels.len() == 3, "{warnings:?}");
    assert!(warnings[0].message.contains("`B` is made in phase `other`"), "{warnings:?}");
    let scheme = read_str(("test.yaml", &one(&format!("reactions:\n{}", of("gas", "A"))))).unwrap();
    let codes: Vec<&str> = scheme.notes.iter().map(|note| note.code).collect();
    assert_eq!(codes, ["M0715", "M0714"]);
    let more = "reactions: []\naerosol representations: []\naerosol processes:\n- type: HENRYS_LAW_EQUILIBRIUM\nmodels:\n\
        - {type: GAS_PHASE, name: gas}\n- {type: MODAL, name: modes}";
    is(&errors(&one(more)), &[("M0706", "HENRYS_LAW_EQUILIBRIUM"), ("M0706", "MODAL")]);
}

#[test]
fn whole_files() {
    is(&errors("{}"), &[("M0702", "{}")]);
    is(&errors("[1]"), &[("M0703", "[1]")]);
    is(&errors(&zero("")), &[("M0701", "")]);
    is(&errors(&one("reactions: []").replace("1.0.0", "2.1.0")), &[("M0717", "2.1.0")]);
    is(&errors(r#"{"camp-files": "x.json"}"#), &[("M0703", "\"x.json\"")]);
    is(&errors(r#"{"camp-files": ["no/such.json", 7]}"#), &[("M0700", "\"no/such.json\""), ("M0700", "7")]);
    assert!(told(r#"{"camp-files": ["no/such.json"]}"#).contains("there is no such file"));
    // Reactions alone: the missing species are not listed one by one.
    let alone =
        r#"{"camp-data": [{"type": "PHOTOLYSIS", "MUSICA name": "j", "reactants": {"A": {}}, "products": {}}]}"#;
    is(&errors(alone), &[("M0701", "")]);
}

/// Configurations with nothing that is read are refused as such, not as files of Cantera.
#[test]
fn configurations_are_known_by_their_types() {
    for kind in ["HL_PHASE_TRANSFER", "SIMPOL_PHASE_TRANSFER", "WET_DEPOSITION"] {
        let text = format!(
            r#"{{"version": "1.0.0", "species": [{{"name": "A"}}], "phases": [{{"name": "gas", "species": ["A"]}}],
                "reactions": [{{"type": "{kind}", "gas phase": "gas", "gas-phase species": "A"}}]}}"#
        );
        let format = kinlane_mech::read::recognise(&text, std::path::Path::new("a.json")).unwrap();
        assert_eq!(format, kinlane_mech::read::Format::Musica, "{kind}");
    }
}

#[test]
fn folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert!(read(path).unwrap_err().to_string().contains("holds no configuration"));
    assert!(read(&path.join("x.json")).unwrap_err().to_string().contains("there is no such file"));
    let species = r#"{"camp-data": [{"type": "CHEM_SPEC", "name": "A"}]}"#;
    let reactions = r#"{"camp-data": [{"type": "EMISSION", "species": "A", "MUSICA name": "A"}]}"#;
    std::fs::write(path.join("species.json"), species).unwrap();
    std::fs::write(path.join("reactions.json"), reactions).unwrap();
    // As MICM's first versions did, without a list of files.
    assert_eq!(read(path).unwrap().reactions.len(), 1);
    std::fs::create_dir(path.join("sub")).unwrap();
    std::fs::write(path.join("sub/config.yaml"), "camp-files: [../species.json, ../reactions.json]").unwrap();
    for path in [path.join("sub"), path.join("sub/config.yaml")] {
        let scheme = read(&path).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((scheme.species.len(), scheme.reactions.len()), (1, 1));
    }
}
