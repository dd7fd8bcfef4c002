//! What the writer makes of each rate law, thermodynamic form, third body, order and unit.

use std::path::Path;

use crate::roundtrip::{again, compare};
use kinlane_mech::network::{Blend, RateLaw, ThermoForm};
use kinlane_mech::write::{Header, cantera};
use kinlane_mech::{Network, cantera as reader, chemkin};

const SPECIES: [(&str, &str); 7] = [
    ("H", "H: 1"),
    ("O", "O: 1"),
    ("H2", "H: 2"),
    ("O2", "O: 2"),
    ("OH", "O: 1, H: 1"),
    ("NO", "N: 1, O: 1"),
    ("AR", "Ar: 1"),
];
const THERMO: &str = "{model: NASA7, temperature-ranges: [300, 5000], data: [[2.5, 0, 0, 0, 0, -745.375, 4.366]]}";
const UNITS: &str = "{length: cm, quantity: mol, activation-energy: cal/mol}";

fn file(units: &str, thermo: &str, reactions: &str) -> Network {
    let mut text = format!(
        "units: {units}\nphases:\n- {{name: gas, thermo: ideal-gas, elements: [H, O, N, Ar], kinetics: gas, species: ["
    );
    text += &SPECIES.map(|(name, _)| format!("'{name}'")).join(", ");
    text += "]}\nspecies:\n";
    for (name, atoms) in SPECIES {
        text += &format!("- {{name: '{name}', composition: {{{atoms}}}, thermo: {thermo}}}\n");
    }
    text += &format!("reactions:\n{reactions}");
    reader::read_str(text, Path::new("given.yaml"), None, &[]).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn gas(reactions: &str) -> Network {
    file(UNITS, THERMO, reactions)
}

fn written(network: &Network) -> String {
    cantera(network, &Header::default()).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// Each entry comes out with these lines and reads back the same to the last bit.
fn holds(reactions: &str, lines: &[&str]) {
    let network = gas(reactions);
    let text = written(&network);
    for line in lines {
        assert!(text.lines().any(|l| l.trim_start_matches(['-', ' ']) == *line), "`{line}` is not in\n{text}");
    }
    assert_eq!(compare(&network, &again(&network), 1e-15, reactions).0, 0, "{text}");
}

#[test]
fn arrhenius() {
    holds(
        "- {equation: O + H2 <=> H + OH, rate-constant: {A: 3.87e4, b: 2.7, Ea: 6260}}",
        &["equation: O + H2 <=> H + OH", "rate-constant: {A: 38700.0, b: 2.7, Ea: 6260.0}"],
    );
    holds(
        "- {equation: O + H2 => H + OH, rate-constant: {A: -1.5e16, b: -0.5, Ea: 17.25}, negative-A: true}",
        &["equation: O + H2 => H + OH", "negative-A: true", "rate-constant: {A: -1.5e+16, b: -0.5, Ea: 17.25}"],
    );
}

#[test]
fn third_bodies() {
    holds(
        "- {equation: 2 O + M <=> O2 + M, type: three-body, rate-constant: {A: 1.2e17, b: -1, Ea: 0}, efficiencies: {H2: 2.4, 'NO': 0.83}, default-efficiency: 0.5}",
        &[
            "equation: 2 O + M <=> O2 + M",
            "type: three-body",
            "efficiencies: {H2: 2.4, 'NO': 0.83}",
            "default-efficiency: 0.5",
        ],
    );
    // An explicit collider, one that is a reactant as well, one among several candidates.
    holds(
        "- {equation: 2 O + AR <=> O2 + AR, rate-constant: {A: 1.9e13, b: 0, Ea: -1788}}",
        &["equation: 2 O + AR <=> O2 + AR", "type: three-body"],
    );
    holds(
        "- {equation: 2 H2 <=> 2 H + H2, rate-constant: {A: 1.9e13, b: 0, Ea: 10}}",
        &["equation: 2 H2 <=> 2 H + H2", "type: three-body"],
    );
    holds(
        "- {equation: O + O + AR + H <=> O2 + AR + H, rate-constant: {A: 1.0, b: 0, Ea: 0}, efficiencies: {AR: 0.7}}",
        &["equation: 2 O + H + AR <=> O2 + H + AR", "efficiencies: {AR: 0.7}"],
    );
    // M stays M, even where one species alone counts in it.
    holds(
        "- {equation: 2 O + M <=> O2 + M, rate-constant: {A: 1.2e17, b: -1, Ea: 0}, efficiencies: {AR: 0.7}, default-efficiency: 0}",
        &["equation: 2 O + M <=> O2 + M", "efficiencies: {AR: 0.7}", "default-efficiency: 0.0"],
    );
    // What looks like a collider but is none.
    holds(
        "- {equation: O + O + AR => O2 + AR, type: elementary, rate-constant: {A: 1.0e12, b: 0, Ea: 0}}",
        &["type: elementary"],
    );
}

#[test]
fn falloff() {
    let limits = "low-P-rate-constant: {A: 6.366e20, b: -1.72, Ea: 524.8}, high-P-rate-constant: {A: 4.65084e12, b: 0.44, Ea: 0}";
    for (blend, line) in [
        ("", "type: falloff"),
        (", Troe: {A: 0.5, T3: 1e-30, T1: 1e30}", "Troe: {A: 0.5, T3: 1.0e-30, T1: 1.0e+30}"),
        (", Troe: {A: 0.5, T3: 94, T1: 1756, T2: 5182}", "Troe: {A: 0.5, T3: 94.0, T1: 1756.0, T2: 5182.0}"),
        (", SRI: {A: 1.1, B: 700, C: 1234}", "SRI: {A: 1.1, B: 700.0, C: 1234.0}"),
        (", SRI: {A: 1.1, B: 700, C: 1234, D: 56, E: 0.7}", "SRI: {A: 1.1, B: 700.0, C: 1234.0, D: 56.0, E: 0.7}"),
        (", Tsang: {A: 0.95, B: -1e-4}", "Tsang: {A: 0.95, B: -1.0e-04}"),
    ] {
        let text = format!(
            "- {{equation: H + O (+M) <=> OH (+M), type: falloff, {limits}{blend}, efficiencies: {{AR: 0.67}}}}"
        );
        holds(&text, &["equation: H + O (+M) <=> OH (+M)", line, "efficiencies: {AR: 0.67}"]);
    }
    holds(
        &format!("- {{equation: H + O (+AR) <=> OH (+AR), type: chemically-activated, {limits}}}"),
        &["equation: H + O (+AR) <=> OH (+AR)", "type: chemically-activated"],
    );
}

#[test]
fn pressure_tables() {
    holds(
        "- {equation: H2 + O2 <=> 2 OH, type: pressure-dependent-Arrhenius, rate-constants: [{P: 0.01 atm, A: 1.2124e16, b: -0.5779, Ea: 10872.7}, {P: 10 atm, A: 4.9108e31, b: -4.8507, Ea: 24772.8}, {P: 10 atm, A: -1.0e-10, b: 0, Ea: 0}]}",
        &["{P: 0.01, A: 1.2124e+16, b: -0.5779, Ea: 10872.7}", "{P: 10.0, A: -1.0e-10, b: 0.0, Ea: 0.0}"],
    );
    holds(
        "- {equation: H2 + O2 <=> 2 OH, type: Chebyshev, temperature-range: [290, 3000], pressure-range: [0.01 atm, 100 atm], data: [[8.2883, -1.1397, -0.12059], [1.9764, 1.0037, 0.0072865]]}",
        &["temperature-range: [290.0, 3000.0]", "pressure-range: [0.01, 100.0]", "[8.2883, -1.1397, -0.12059]"],
    );
}

/// `(+M)` has no meaning for a Chebyshev rate, but keeps a species on both sides from being taken for the third body.
#[test]
fn chebyshev_rates_with_a_species_on_both_sides() {
    let data = "type: Chebyshev, temperature-range: [300, 2500], pressure-range: [1 atm, 2 atm], data: [[3.0, 0.1], [0.1, 0.0]]";
    holds(
        &format!("- {{equation: O + O + AR (+M) => O2 + AR (+M), {data}}}"),
        &["equation: 2 O + AR (+M) => O2 + AR (+M)", "type: Chebyshev"],
    );
    holds(&format!("- {{equation: O + O + AR => O2 + AR, {data}}}"), &["type: three-body-Chebyshev"]);
    // Cantera advises against it where it is not needed.
    holds(&format!("- {{equation: O + O (+M) => O2 (+M), {data}}}"), &["equation: 2 O => O2"]);
}

/// The first coefficient holds the unit, in which a digit may be lost; then the entry has units of its own.
#[test]
fn chebyshev_coefficients_keep_every_digit() {
    let mut network = gas(
        "- {equation: H2 + O2 <=> 2 OH, type: Chebyshev, temperature-range: [290, 3000], pressure-range: [1 atm, 2 atm], data: [[1.0, 0.5]]}",
    );
    let mut own = 0;
    for i in 0..200 {
        if let RateLaw::Chebyshev(c) = &mut network.reactions[0].rate {
            c.alpha[0][0] = 0.123_456_789_012_345_6 + f64::from(i) / 7.0;
        }
        own += usize::from(written(&network).contains("  units: {length: m, quantity: mol}"));
        assert_eq!(compare(&network, &again(&network), 1e-15, "Chebyshev").0, 0);
    }
    assert!(own > 0, "none of them needed it");
}

#[test]
fn laws_with_a_third_body_as_a_factor() {
    holds(
        "- {equation: 2 O + AR <=> O2 + AR, type: pressure-dependent-Arrhenius, rate-constants: [{P: 1 atm, A: 1e13, b: 0, Ea: 0}, {P: 2 atm, A: 2e13, b: 0, Ea: 0}]}",
        &["type: three-body-pressure-dependent-Arrhenius"],
    );
    holds(
        "- {equation: O2 + M <=> 2 O + M, type: Blowers-Masel, rate-constant: {A: 1e13, b: 0, Ea0: 1000, w: 1e5}, efficiencies: {AR: 0.5}}",
        &["type: three-body-Blowers-Masel", "efficiencies: {AR: 0.5}"],
    );
}

/// Without a third body the format has no form for these, but as one the species makes the same rate.
#[test]
fn tables_with_a_species_on_both_sides() {
    let table = |equation: &str| from_chemkin(&format!("{equation} 1 0 0\nPLOG/1 1e12 0 0/ PLOG/10 1e13 0 100/"));
    let bracketed = table("OH+OH(+M)=H+O+OH(+M)");
    assert_eq!(bracketed.reactions[0].third_body, None);
    let text = written(&bracketed);
    assert!(
        text.contains("equation: 2 OH <=> H + O + OH\n  type: three-body-pressure-dependent-Arrhenius\n"),
        "{text}"
    );
    compare(&table("OH+OH=H+O+OH"), &again(&bracketed), 1e-15, "a table");
    // What was its duplicate is none any more.
    let pair = "OH+OH(+M)=>H+O+OH(+M) 1 0 0\nPLOG/1 1e12 0 0/\nDUP\nOH+OH=>H+O+OH 1 0 0\nFORD/OH 2/\nDUP";
    let back = again(&from_chemkin(pair));
    assert_eq!(
        back.reactions.iter().map(|r| (r.third_body.is_some(), r.duplicate)).collect::<Vec<_>>(),
        [(true, false), (false, false)]
    );
    // And what was none is one.
    let pair = "OH+OH(+M)=H+O+OH(+M) 1 0 0\nPLOG/1 1e12 0 0/\nOH+OH=H+O+OH 1 0 0\nPLOG/1 1e12 0 0/";
    assert!(again(&from_chemkin(pair)).reactions.iter().all(|r| r.duplicate && r.third_body.is_some()));
}

#[test]
fn linear_burke() {
    holds(
        "- {equation: H + O (+M) <=> OH (+M), type: linear-Burke, colliders: [{name: M, type: falloff, low-P-rate-constant: {A: 1e20, b: -1, Ea: 0}, high-P-rate-constant: {A: 1e13, b: 0, Ea: 0}, Troe: {A: 0.5, T3: 10, T1: 20}}, {name: AR, efficiency: {A: 0.7, b: 0.25, Ea: -113.25}}, {name: 'NO', efficiency: {A: 2, b: 0, Ea: 0}, type: pressure-dependent-Arrhenius, rate-constants: [{P: 1 atm, A: 1e13, b: 0, Ea: 0}, {P: 2 atm, A: 2e13, b: 0, Ea: 0}]}]}",
        &[
            "type: linear-Burke",
            "name: M",
            "efficiency: {A: 0.7, b: 0.25, Ea: -113.25}",
            "name: 'NO'",
            "{P: 2.0, A: 2.0e+13, b: 0.0, Ea: 0.0}",
        ],
    );
}

/// The Ea of an efficiency is a bare number for Cantera: one in the file's unit, even if a digit is lost.
#[test]
fn linear_burke_efficiencies_have_no_units() {
    let entry = |e: f64| {
        format!(
            "- {{equation: O + O (+M) => O2 (+M), units: {{activation-energy: K}}, type: linear-Burke, colliders: [{{name: M, type: pressure-dependent-Arrhenius, rate-constants: [{{P: 1 atm, A: 1e10, b: 0, Ea: 0}}]}}, {{name: AR, efficiency: {{A: 2.0, b: 0.1, Ea: {e:?}}}}}]}}\n"
        )
    };
    let others = ["{A: 1e10, b: 0, Ea: 5.1}", "{A: 1e10, b: 0, Ea: 5.2}"]
        .map(|k| format!("- {{equation: O2 => O + O, duplicate: true, rate-constant: {k}}}\n"))
        .concat();
    let mut inexact = 0;
    for i in 0..50 {
        let e = -198.782_524_133_241_45 - f64::from(i) / 7.0;
        let network =
            file("{length: cm, quantity: molec, activation-energy: eV}", THERMO, &(others.clone() + &entry(e)));
        let text = written(&network);
        assert!(text.contains("activation-energy: eV"), "{text}");
        let line = text.lines().find(|line| line.contains("efficiency: ")).unwrap_or_default();
        let number = line.rsplit("Ea: ").next().and_then(|end| end.strip_suffix('}')).map(str::parse::<f64>);
        assert!(matches!(number, Some(Ok(_))), "{line}");
        inexact += compare(&network, &again(&network), f64::EPSILON, "efficiency").0;
    }
    assert!(inexact > 0, "none of them lost a digit");
}

#[test]
fn other_laws() {
    holds(
        "- {equation: O + H2 <=> H + OH, type: Blowers-Masel, rate-constant: {A: 3.87e4, b: 2.7, Ea0: 6260, w: 1e9}}",
        &["type: Blowers-Masel", "rate-constant: {A: 38700.0, b: 2.7, Ea0: 6260.0, w: 1.0e+09}"],
    );
    holds(
        "- {equation: O + H2 => H + OH, type: two-temperature-plasma, rate-constant: {A: 1.523e27, b: -1.26, Ea-gas: -40, Ea-electron: 300}}",
        &["type: two-temperature-plasma", "rate-constant: {A: 1.523e+27, b: -1.26, Ea-gas: -40.0, Ea-electron: 300.0}"],
    );
}

#[test]
fn orders_coefficients_and_duplicates() {
    holds(
        "- {equation: H2 + O2 => 2 OH, orders: {H2: 0.8, AR: -0.5}, nonreactant-orders: true, negative-orders: true, rate-constant: {A: 1e13, b: 0, Ea: 0}}",
        &["orders: {H2: 0.8, O2: 1.0, AR: -0.5}", "negative-orders: true", "nonreactant-orders: true"],
    );
    holds(
        "- {equation: H2 + 0.5 O2 + 0.25 O2 => 1.5 OH + 0.5 H, rate-constant: {A: 1e13, b: 0, Ea: 0}}",
        &["equation: H2 + 0.75 O2 => 1.5 OH + 0.5 H"],
    );
    holds(
        "- {equation: O + H2 <=> H + OH, duplicate: true, rate-constant: {A: 1, b: 0, Ea: 0}}\n- {equation: O + H2 <=> H + OH, duplicate: true, rate-constant: {A: 2, b: 0, Ea: 0}}",
        &["duplicate: true"],
    );
}

#[test]
fn units_are_those_in_which_numbers_are_short() {
    let reactions = "- {equation: O + H2 <=> H + OH, rate-constant: {A: 6.4e-18, b: 2.7, Ea: 3150.5}}";
    let network = file("{length: cm, quantity: molec, activation-energy: K}", THERMO, reactions);
    let text = written(&network);
    assert!(text.contains("units: {length: cm, time: s, quantity: molec, activation-energy: K}"), "{text}");
    assert!(text.contains("{A: 6.4e-18, b: 2.7, Ea: 3150.5}"), "{text}");
    compare(&network, &again(&network), 1e-15, "molecules");
    let reactions = "- {equation: O + H2 <=> H + OH, rate-constant: {A: 6.4e-2, b: 2.7, Ea: 15.25}}";
    let text = written(&file("{quantity: mol, activation-energy: kJ/mol}", THERMO, reactions));
    assert!(text.contains("activation-energy: J/mol") && text.contains("{A: 64000.0, b: 2.7, Ea: 15250.0}"), "{text}");
}

#[test]
fn thermodynamics_of_every_form() {
    for (thermo, line) in [
        (
            "{model: NASA7, temperature-ranges: [200, 1000, 3500], data: [[1, 2e-3, 3e-6, 4e-9, 5e-12, 6, 7], [7, 6, 5, 4, 3, 2, 1]], reference-pressure: 1 bar}",
            "reference-pressure: 100000.0 Pa",
        ),
        (
            "{model: NASA9, temperature-ranges: [200, 1000, 6000, 20000], data: [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9.5]]}",
            "- [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.5]",
        ),
        (
            "{model: Shomate, temperature-ranges: [298, 1300, 6000], data: [[25.56759, 6.09613, 4.054656, -2.671301, 0.131021, -118.0089, 227.3665], [35.1507, 1.300095, -0.205921, 0.01355, -3.28278, -127.8375, 231.712]]}",
            "- [35.1507, 1.300095, -0.205921, 0.01355, -3.28278, -127.8375, 231.712]",
        ),
        (
            "{model: constant-cp, T0: 1000, h0: 9.22 kcal/mol, s0: -3.02 cal/mol/K, cp0: 5.95 cal/mol/K, T-max: 5000}",
            "h0: 9220.0 cal/mol",
        ),
    ] {
        let network = file(UNITS, thermo, "- {equation: O + H2 <=> H + OH, rate-constant: {A: 1, b: 0, Ea: 0}}");
        let text = written(&network);
        assert!(text.lines().any(|l| l.trim() == line), "`{line}` is not in\n{text}");
        assert_eq!(compare(&network, &again(&network), 1e-15, thermo).0, 0);
    }
}

#[test]
fn the_head_says_what_the_caller_says() {
    let network = gas("- {equation: O + H2 <=> H + OH, rate-constant: {A: 1, b: 0, Ea: 0}}");
    let header = Header {
        description: "A gas.\n\nNumbers: J. Doe (2001) # p. 4".into(),
        date: Some("2026-01-31".into()),
        phase: Some("the gas".into()),
    };
    let text = cantera(&network, &header).expect("can be written");
    assert!(text.starts_with("description: |-\n  A gas.\n\n  Numbers: J. Doe (2001) # p. 4\n\ngenerator: kinlane\ninput-files: [given.yaml]\ndate: "), "{text}");
    assert!(text.contains("- name: 'the gas'\n") && text.contains("2026-01-31"), "{text}");
    assert_eq!(
        reader::read_str(text, Path::new("a.yaml"), Some("the gas"), &[]).map(|n| n.reactions.len()).ok(),
        Some(1)
    );
}

/// Readers refuse characters that have no form.
#[test]
fn a_description_has_only_characters_that_are_read() {
    let network = gas("- {equation: O + H2 <=> H + OH, rate-constant: {A: 1, b: 0, Ea: 0}}");
    let header = Header {
        description: "\u{feff} A\tgas\u{7}\n\twith\u{feff} notes".into(),
        date: Some("2026\u{feff}".into()),
        phase: Some("a\u{feff}b".into()),
    };
    let text = cantera(&network, &header).expect("can be written");
    assert!(text.starts_with("description: |-\n  A gas\n   with notes\n"), "{text}");
    reader::read_str(text, Path::new("a.yaml"), None, &[]).unwrap_or_else(|refusal| panic!("{refusal}"));
    let (text, _) = kinlane_mech::write::chemkin(&network, &header).expect("can be written");
    assert!(text.starts_with("!  A gas\n!  with notes\n") && !text.contains('\u{feff}'), "{text}");
}

const HEAD: &str = "ELEMENTS\nH O XX/2.5/\nEND\nSPECIES\nH O OH XX\nEND\nTHERMO\n 300. 1000. 5000.\n";

/// A CHEMKIN text with records of zero coefficients.
fn chemkin_text(reactions: &str) -> String {
    let mut text = HEAD.to_owned();
    for (name, atoms) in [("H", "H   1"), ("O", "O   1"), ("OH", "O   1H   1"), ("XX", "XX  1")] {
        text += &format!("{:<80}", format!("{name:<17} 120186{atoms:<20}G   300.000  5000.000 1000.00"));
        text.truncate(text.len() - 1);
        text += "1\n";
        let zeros = "0.00000000E+00 ".repeat(5);
        for digit in 2..=4 {
            text += &format!(" {:<78}{digit}\n", &zeros[..if digit == 4 { 59 } else { 74 }]);
        }
    }
    text + "END\nREACTIONS\n" + reactions + "\nEND\n"
}

fn from_chemkin(reactions: &str) -> Network {
    let text = chemkin_text(reactions);
    chemkin::read_str(("chem.inp", &text), None).unwrap_or_else(|refusal| panic!("{refusal}"))
}

#[test]
fn reverse_rates_become_reactions_and_masses_are_kept() {
    let network = from_chemkin("H+O+M=OH+M 1.5e16 -0.6 1250.\nREV/2.5e15 0.5 -300./ OH/2/ RORD/OH 1.5/\n");
    let text = written(&network);
    for part in [
        "- symbol: Xx\n  atomic-weight: 2.5\n",
        "note: '120186'",
        "- equation: H + O + M => OH + M\n  type: three-body\n  rate-constant: {A: 1.5e+16, b: -0.6, Ea: 1250.0}\n",
        "- equation: OH + M => H + O + M\n  type: three-body\n  rate-constant: {A: 2.5e+15, b: 0.5, Ea: -300.0}\n  efficiencies: {OH: 2.0}\n  orders: {OH: 1.5}",
    ] {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
    compare(&network, &again(&network), 1e-15, "REV");
}

#[test]
fn what_has_no_form_is_refused_with_its_place() {
    let refused = |network: &Network| {
        let refusal = cantera(network, &Header::default()).expect_err("has no form");
        (refusal.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), refusal.to_string())
    };
    let (codes, said) = refused(&from_chemkin("H+O=OH 1e10 0 0\nLT/10. 20./\nH+O+M=OH+M 1e10 0 0\nFORD/H 0.5/"));
    assert_eq!(codes, ["M0901", "M0902"]);
    assert!(said.contains("Landau-Teller") && said.contains("chem.inp:"), "{said}");

    let mut network = gas("- {equation: H2 + O2 <=> 2 OH, rate-constant: {A: 1, b: 0, Ea: 0}}");
    network.species[2].name = "H 2".into();
    network.species[0].thermo.form = match &network.species[0].thermo.form {
        ThermoForm::Nasa7(ranges) => ThermoForm::Nasa7([&ranges[..]; 3].concat()),
        other => other.clone(),
    };
    let (codes, said) = refused(&network);
    assert_eq!(codes, ["M0904", "M0905"], "{said}");

    let mut network = gas(
        "- {equation: H + O (+M) <=> OH (+M), type: falloff, low-P-rate-constant: {A: 1, b: 0, Ea: 0}, high-P-rate-constant: {A: 1, b: 0, Ea: 0}}",
    );
    if let RateLaw::Falloff(f) = &mut network.reactions[0].rate {
        f.blend = Blend::Tsang { a: 1.0, b: 0.5 };
        network.reactions[0].third_body = Some(f.body.clone());
    }
    assert_eq!(refused(&network).0, ["M0903"]);
}

/// A number that is too large in one unit is written in another, or refused.
#[test]
fn numbers_that_are_too_large_are_refused() {
    let with = |orders: &[f64]| {
        let entry = |order| {
            format!(
                "- {{equation: O2 => 2 O, duplicate: true, orders: {{O2: {order}}}, rate-constant: {{A: 1, b: 0, Ea: 0}}}}\n"
            )
        };
        let mut network = gas(&orders.iter().map(entry).collect::<String>());
        for r in &mut network.reactions {
            if let RateLaw::Arrhenius(k) = &mut r.rate {
                k.a = 1e304;
            }
        }
        network
    };
    for order in [0.3, 2.3] {
        let network = with(&[order, order]);
        compare(&network, &again(&network), 1e-15, "a large number");
    }
    let refusal = cantera(&with(&[0.3, 2.3]), &Header::default()).expect_err("too large");
    assert_eq!(refusal.diagnostics[0].code, "M0905");
    assert!(refusal.to_string().contains("a number is too large in the units of the file"), "{refusal}");
}

/// Electron volts, molecules and orders that are not whole: CHEMKIN's words mean the units of the same name.
#[test]
fn units_of_chemkin_are_those_of_the_same_name() {
    let text = chemkin_text("H+O=>OH 1.234e-10 0 0.7131\nFORD/H 0.25/ FORD/O 1.1/")
        .replace("REACTIONS", "REACTIONS EVOLTS MOLECULES");
    let network = chemkin::read_str(("chem.inp", &text), None).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(compare(&network, &again(&network), 1e-15, "electron volts").0, 0);
}

/// Without its collider a falloff reaction does nothing, and a chemically activated one what it does at low pressure.
#[test]
fn parts_keep_what_is_activated() {
    let law = |kind: &str| {
        format!(
            "- {{equation: H2 (+M) <=> 2 H (+M), type: {kind}, low-P-rate-constant: {{A: 1, b: 0, Ea: 0}}, high-P-rate-constant: \
             {{A: 1, b: 0, Ea: 0}}, default-efficiency: 0, efficiencies: {{AR: 1}}}}\n"
        )
    };
    for (kind, kept) in [("falloff", 0), ("chemically-activated", 1)] {
        let whole = gas(&law(kind));
        let (part, _) = kinlane_mech::subset::subset(&whole, &["H".to_owned(), "H2".to_owned()]).expect("known names");
        assert_eq!(part.reactions.len(), kept, "{kind}");
        compare(&part, &again(&part), 1e-15, kind);
    }
}
