//! Every mechanism of the data folder, written as CHEMKIN text and read again, is the same; what has no form is refused
//! by name.

use crate::roundtrip;
use kinlane_mech::network::{GAS_CONSTANT, Range, RateLaw, Reaction, ThermoForm};
use kinlane_mech::read::{ReadOptions, read};
use kinlane_mech::write::{self, Header};
use kinlane_mech::{Network, cantera, chemkin, codes};
use kinlane_testdata::files::{combustion, files_below};
use std::path::Path;

/// Relative difference that a second way to the same unit may leave.
const TOLERANCE: f64 = 1e-14;

/// A network as CHEMKIN text can hold it: ranges of the same polynomial are one, a constant heat capacity is a polynomial.
fn merged(network: &Network) -> Network {
    let mut network = network.clone();
    for s in &mut network.species {
        if let ThermoForm::Nasa7(ranges) = &mut s.thermo.form
            && let [low, high] = &ranges[..]
            && low.a == high.a
        {
            *ranges = vec![Range { high: high.high, ..low.clone() }];
        }
        if let ThermoForm::ConstantCp { t0, h0, s0, cp0, range: [low, high] } = s.thermo.form {
            let [h, s0, cp] = [h0, s0, cp0].map(|x| x / GAS_CONSTANT);
            let a = [cp, 0.0, 0.0, 0.0, 0.0, h - cp * t0, s0 - cp * t0.ln()];
            s.thermo.form = ThermoForm::Nasa7(vec![Range { low: low.max(200.0), high: high.min(6000.0), a }]);
        }
    }
    network
}

/// Writes and reads back; the text too.
fn again(network: &Network, what: &str) -> Result<(Network, String), kinlane_mech::Refusal> {
    let (text, notes) = write::chemkin(network, &Header::default())?;
    assert!(notes.iter().all(|d| d.code == codes::ROUNDED), "{what}: {notes:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("chem.inp");
    std::fs::write(&path, &text).expect("written");
    let back = chemkin::read(&path, None).unwrap_or_else(|refusal| panic!("{what}: {refusal}"));
    Ok((back, text))
}

#[test]
fn every_published_mechanism_comes_back() {
    let Some(folder) = combustion() else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        for file in [format!("{name}.yaml"), "chem.inp".into()] {
            let path = entry.path().join(file);
            // The therm.dat of some is too short; that is the readers' affair.
            let Ok(network) = read(&path, &ReadOptions::default()) else { continue };
            let what = path.display().to_string();
            let rounded = write::chemkin(&network, &Header::default()).is_ok_and(|(_, notes)| !notes.is_empty());
            match again(&network, &what) {
                Ok((back, text)) => {
                    let tolerance = if rounded { 1e-6 } else { TOLERANCE };
                    let (off, all) = roundtrip::compare(&merged(&network), &back, tolerance, &what);
                    println!(
                        "{what}: {off} of {all} numbers differ in the last places{}",
                        if rounded { ", and some are rounded" } else { "" }
                    );
                    // And what was read from CHEMKIN text is written as the same text again.
                    let (_, second) = again(&back, &what).expect("as before");
                    let body = |text: &str| text[text.find("ELEMENTS").expect("a section")..].to_owned();
                    assert_eq!(body(&text), body(&second), "{what}");
                    count += 1;
                }
                Err(refusal) => {
                    println!("{refusal}");
                    assert!(what.contains("lmrr"), "{refusal}");
                    assert!(refusal.diagnostics.iter().any(|d| d.code == codes::UNWRITABLE_LAW));
                }
            }
        }
    }
    assert!(count > 35, "only {count} files");
}

/// Nine coefficients beside seven, and a plus in brackets in a name: CHEMKIN's manual allows both.
#[test]
fn nine_coefficients_and_ions_come_back() {
    let text = "
phases: [{name: gas, thermo: ideal-gas, elements: [C, E, O], kinetics: gas}]
species:
- name: C(+)
  composition: {C: 1, E: -1}
  thermo: {model: NASA7, temperature-ranges: [200, 1000, 3500], data: [[2.5, 0, 0, 0, 0, 2.5e+05, 1], [2.6, 0, 0, 0, 0, 2.5e+05, 1]]}
- name: C
  composition: {C: 1}
  thermo: {model: NASA7, temperature-ranges: [200, 6000], data: [[2.5, 0, 0, 0, 0, 8.5e+04, 1]]}
- name: e
  composition: {E: 1}
  thermo: {model: NASA9, temperature-ranges: [298.15, 1000], data: [[0, 0, 2.5, 0, 0, 0, 0, -745.375, -11.7246902]]}
- name: O2
  composition: {O: 2}
  thermo:
    model: NASA9
    temperature-ranges: [200.0, 1000.0, 6000.0]
    data:
    - [-3.425563420e+04, 484.7000970, 1.119010961, 4.293889240e-03, -6.836300520e-07, -2.023372700e-09, 1.039040018e-12, -3391.454870, 18.49699470]
    - [-1.037939022e+06, 2344.830282, 1.819732036, 1.267847582e-03, -2.188067988e-07, 2.053719572e-11, -8.193467050e-16, -1.689010929e+04, 17.38716506]
reactions:
- {equation: C(+) + e => C, rate-constant: {A: 1.0e10, b: 0, Ea: 0}}
- equation: C(+) + e (+M) <=> C (+M)
  type: falloff
  low-P-rate-constant: {A: 1.0e10, b: 0, Ea: 0}
  high-P-rate-constant: {A: 1.0e10, b: 0, Ea: 0}
";
    let network = kinlane_mech::cantera::read_str(text.to_owned(), Path::new("ions.yaml"), None, &[])
        .unwrap_or_else(|e| panic!("{e}"));
    let (back, text) = again(&network, "ions").unwrap_or_else(|e| panic!("{e}"));
    roundtrip::compare(&merged(&network), &back, TOLERANCE, "ions");
    assert!(text.contains("C(+)+e(+M)=C(+M)") && text.contains("THERMO NASA9"), "{text}");
    let nine = |n: &Network| n.species.iter().filter(|s| matches!(s.thermo.form, ThermoForm::Nasa9(_))).count();
    assert_eq!((nine(&network), nine(&back)), (2, 2));
}

/// A species may be called like a keyword, but its efficiency would be the keyword's data.
#[test]
fn names_that_are_keywords() {
    let gas = |name: &str, efficiencies: &str| {
        let species = |name: &str| {
            format!(
                "- {{name: \"{name}\", composition: {{H: 1}}, thermo: {{model: NASA7, temperature-ranges: [200, 6000], data: [[2.5, 0, 0, 0, 0, 2.5e+05, 1]]}}}}\n"
            )
        };
        let text = format!(
            "phases: [{{name: gas, thermo: ideal-gas, kinetics: gas}}]\nspecies:\n{}{}reactions:\n- {{equation: {name} + M => A + M, {efficiencies}rate-constant: {{A: 1, b: 0, Ea: 0}}}}\n",
            species("A"),
            species(name)
        );
        cantera::read_str(text, Path::new("gas.yaml"), None, &[]).unwrap_or_else(|e| panic!("{e}"))
    };
    let refused = |network: &Network| match write::chemkin(network, &Header::default()) {
        Ok(_) => Vec::new(),
        Err(refusal) => refusal.diagnostics.iter().map(|d| d.code).collect(),
    };
    for name in [
        "LOW",
        "HIGH",
        "TROE",
        "SRI",
        "PLOG",
        "CHEB",
        "TCHEB",
        "PCHEB",
        "REV",
        "LT",
        "RLT",
        "FORD",
        "RORD",
        "UNITS",
        "DUP",
        "duplicate",
        "Low",
        "STICK",
        "TDEP",
    ] {
        let plain = gas(name, "");
        let (back, _) = again(&plain, name).unwrap_or_else(|e| panic!("{e}"));
        roundtrip::compare(&plain, &back, TOLERANCE, name);
        let weighed = gas(name, &format!("efficiencies: {{\"{name}\": 2}}, "));
        assert_eq!(refused(&weighed), ["M0905"], "{name}");
        assert!(again(&gas(name, "efficiencies: {A: 2}, "), name).is_ok(), "{name}");
    }
    for name in ["END", "End", "hv", "m", "REAC", "site", "Thermo"] {
        assert_eq!(refused(&gas(name, "")), ["M0905"], "{name}");
    }
}

/// Readers of CHEMKIN take no half atoms.
#[test]
fn numbers_of_atoms_are_whole() {
    let text = "phases: [{name: gas, thermo: ideal-gas}]\nspecies:\n- name: A\n  composition: {O: 1.5}\n  thermo: {model: NASA7, temperature-ranges: [200, 6000], data: [[2.5, 0, 0, 0, 0, 2.5e+05, 1]]}\n";
    let network =
        cantera::read_str(text.to_owned(), Path::new("half.yaml"), None, &[]).unwrap_or_else(|e| panic!("{e}"));
    let refusal = write::chemkin(&network, &Header::default()).expect_err("half an atom");
    assert!(refusal.to_string().contains("a number of atoms that is not whole"), "{refusal}");
}

/// Reactions with a species on both sides that is not the third body.
#[test]
fn what_resembles_a_collider_comes_back() {
    let zeros = " 0.00000000E+00".repeat(5);
    let record = |name: &str, atoms: usize| {
        let first = format!("{name:<24}H {atoms:>3}               G   300.000  5000.000 1000.00");
        format!("{first:<79}1\n{zeros:<79}2\n{zeros:<79}3\n{:<79}4\n", &zeros[..60])
    };
    let reactions = "
H+H+H2(+M)=2H2(+M) 1 0 0
TCHEB/300 2500/ PCHEB/0.01 100/
CHEB/2 2 8 .1 .2 .3/
DUP
H+H+H2(+M)=2H2(+M) 1 0 0
PLOG/1 1e12 0 0/
DUP
H+H+H2=>2H2 1e15 0 0
FORD/H2 0.5/
DUP
H+H+H2=>2H2 2e15 0 0
FORD/H2 1/ FORD/H 1.5/
DUP
H+H+H2=>2H2 2e16 0 0
FORD/H2 1/
DUP
H+H+H2=2H2 3e15 0 0
REV/1e10 0 0/
FORD/H2 1/
DUP
H+H+H2=2H2 1e15 0 0
REV/1e10 0 0/
RORD/H2 1.5/
DUP
H+H+H2=2H2 1e14 0 0
";
    let text = format!(
        "ELEMENTS H END\nSPECIES H H2 END\nTHERMO ALL\n300. 1000. 5000.\n{}{}END\nREACTIONS{reactions}END\n",
        record("H", 1),
        record("H2", 2)
    );
    let network = chemkin::read_str(("chem.inp", &text), None).unwrap_or_else(|e| panic!("{e}"));
    let explicit = |n: &Network| n.reactions.iter().map(|r| r.third_body.is_some()).collect::<Vec<_>>();
    assert_eq!(explicit(&network), [false, false, false, false, false, false, false, true]);
    let (back, written) = again(&network, "alike").unwrap_or_else(|e| panic!("{e}"));
    // An order that equals the coefficient gives the rate of a collider, which any reader takes it for without.
    let plain = text.replace("FORD/H2 1/\n", "").replace("1e14 0 0\n", "1e14 0 0\nDUP\n");
    let plain = chemkin::read_str(("chem.inp", &plain), None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(explicit(&plain), [false, false, false, false, true, true, false, true]);
    roundtrip::compare(&merged(&plain), &back, TOLERANCE, "alike");
    assert_eq!(written.matches("(+M)=").count(), 2, "{written}");
}

/// Readers may take a reactant for a collider, or a collider for a reactant: then others are duplicates.
#[test]
fn marks_of_duplicates_are_those_that_readers_need() {
    let gas = |reactions: &[&str]| {
        let species = |name: &str| {
            format!(
                "- {{name: {name}, composition: {{O: 1}}, thermo: {{model: NASA7, temperature-ranges: [200, 6000], data: [[2.5, 0, 0, 0, 0, 2.5e+05, 1]]}}}}\n"
            )
        };
        let text = format!(
            "phases: [{{name: gas, thermo: ideal-gas, kinetics: gas}}]\nspecies:\n{}reactions:\n{}",
            ["A", "B", "AR"].map(species).concat(),
            reactions
                .iter()
                .map(|entry| format!("- {{equation: {entry}, rate-constant: {{A: 1e8, b: 0, Ea: 0}}}}\n"))
                .collect::<String>()
        );
        cantera::read_str(text, Path::new("gas.yaml"), None, &[]).unwrap_or_else(|e| panic!("{e}"))
    };
    let (three, dup) = ("type: three-body", "duplicate: true");
    for (reactions, marks) in [
        (vec![format!("A + M <=> B + M, {dup}"), format!("A + AR <=> B + AR, {three}, {dup}")], [false; 2]),
        (vec![format!("A + AR <=> B + AR, {three}"), "A + AR <=> B + AR".to_owned()], [true; 2]),
        (vec![format!("A + AR => B + AR, {three}"), "A + AR <=> B + AR".to_owned()], [true; 2]),
        (vec![format!("A + AR <=> B + AR, {three}, {dup}"), format!("A + AR <=> B + AR, {three}, {dup}")], [true; 2]),
        (vec!["2 A + AR <=> A + B + AR, type: elementary".to_owned(), "A + M <=> B + M".to_owned()], [false; 2]),
        (vec!["A + B + AR <=> 2 B + AR".to_owned(), "A + AR <=> B + AR".to_owned()], [false; 2]),
        (vec!["A + 2 AR <=> B + 2 AR".to_owned(), format!("A + AR <=> B + AR, {three}")], [false; 2]),
        // A species on both sides that would be taken for the third body makes the same rate as that.
        (vec!["A + B + AR <=> 3 AR, type: elementary".to_owned(), "A + B + AR <=> 3 AR".to_owned()], [true; 2]),
        (vec!["A + B + AR => 3 AR, type: elementary".to_owned(), "A + B + AR => 3 AR".to_owned()], [true; 2]),
        (vec!["2 AR + A <=> 2 B + AR, type: elementary".to_owned(), "2 AR + A <=> 2 B + AR".to_owned()], [true; 2]),
    ] {
        let reactions: Vec<&str> = reactions.iter().map(String::as_str).collect();
        let network = gas(&reactions);
        let (back, text) = again(&network, reactions[0]).unwrap_or_else(|e| panic!("{reactions:?}: {e}"));
        let found: Vec<bool> = back.reactions.iter().map(|r| r.duplicate).collect();
        assert_eq!(found, marks, "{text}");
        for (r, s) in network.reactions.iter().zip(&back.reactions) {
            let net = |r: &Reaction| (r.net(), powers(r), r.reverse.clone());
            assert_eq!(net(r), net(s), "{text}");
        }
        // Read, it is written and read as the same.
        let (second, _) = again(&back, reactions[0]).unwrap_or_else(|e| panic!("{reactions:?}: {e}"));
        roundtrip::compare(&back, &second, TOLERANCE, reactions[0]);
        let yaml = roundtrip::again(&back);
        assert_eq!(yaml.reactions.iter().map(|r| r.duplicate).collect::<Vec<_>>(), marks, "{text}");
    }
}

#[test]
fn numbers_that_are_too_large_or_too_small_are_refused() {
    let text = "phases: [{name: gas, thermo: ideal-gas, kinetics: gas}]\nspecies: [{name: A, composition: {O: 1}, thermo: {model: constant-cp}}, \
                {name: B, composition: {O: 1}, thermo: {model: constant-cp}}]\nunits: {quantity: mol}\nreactions:\n";
    let slow = "A => B, orders: {A: -2}, negative-orders: true";
    for (equation, a, code) in [
        ("A + B => 2 B", "1.9e302", Some("M0905")),
        ("A + B => 2 B", "1.7e302", None),
        (slow, "3.3e-308", Some("M0905")),
        (slow, "3.3e-300", Some("M0905")),
        (slow, "3.3e-289", None),
        (slow, "0", None),
        ("A => B", "1e-310", None),
    ] {
        let text = format!("{text}- {{equation: {equation}, rate-constant: {{A: {a}, b: 0, Ea: 0}}}}\n");
        let network = cantera::read_str(text, Path::new("a.yaml"), None, &[]).unwrap_or_else(|e| panic!("{e}"));
        let found = write::chemkin(&network, &Header::default()).err().map(|refusal| refusal.diagnostics[0].code);
        assert_eq!(found, code, "{equation}, {a}");
    }
}

/// The powers of the concentrations in the forward rate, a sole collider among them.
fn powers(r: &Reaction) -> Vec<(usize, f64)> {
    let mut list = r.orders.clone().unwrap_or_else(|| r.reactants.clone());
    for &(k, n) in r.third_body.iter().flat_map(|b| &b.efficiencies) {
        match list.iter_mut().find(|t| t.0 == k) {
            Some(known) => known.1 += n,
            None => list.push((k, n)),
        }
    }
    list.retain(|t| t.1 != 0.0);
    list.sort_by_key(|t| t.0);
    list
}

/// The collider counts once more than its order says; readers take one with an order for a reactant.
#[test]
fn colliders_with_orders_come_back() {
    let species = |name: &str, atoms: usize| {
        format!(
            "- {{name: {name}, composition: {{O: {atoms}}}, thermo: {{model: NASA7, temperature-ranges: [200, 6000], data: [[2.5, 0, 0, 0, 0, 2.5e+05, 1]]}}}}\n"
        )
    };
    for (entry, wanted, ford) in [
        ("equation: 2 O + X => O2 + X, orders: {X: 0.5}, nonreactant-orders: true", vec![(0, 2.0), (2, 1.5)], "X 1.5"),
        (
            "equation: 2 O + X => O2 + X, orders: {X: -1}, nonreactant-orders: true, negative-orders: true",
            vec![(0, 2.0)],
            "X 0.0",
        ),
        ("equation: O2 + O2 => O + O + O2, orders: {O2: 0.5}", vec![(1, 1.5)], "O2 1.5"),
        ("equation: O2 + O2 => O + O + O2, orders: {O2: 0}", vec![(1, 1.0)], "O2 1.0"),
        ("equation: 2 O + X => O2 + X, orders: {O: 1.5}", vec![(0, 1.5), (2, 1.0)], "O 1.5"),
        (
            "equation: 2 O + X => O2 + X, orders: {O2: 1}, nonreactant-orders: true",
            vec![(0, 2.0), (1, 1.0), (2, 1.0)],
            "O2 1.0",
        ),
    ] {
        let text = format!(
            "phases: [{{name: gas, thermo: ideal-gas, kinetics: gas}}]\nspecies:\n{}{}{}reactions:\n- {{{entry}, rate-constant: {{A: 1e8, b: 0, Ea: 0}}}}\n",
            species("O", 1),
            species("O2", 2),
            species("X", 3)
        );
        let network = kinlane_mech::cantera::read_str(text, Path::new("gas.yaml"), None, &[]);
        let network = network.unwrap_or_else(|e| panic!("{e}"));
        assert!(network.reactions[0].third_body.is_some(), "{entry}");
        let (back, text) = again(&network, entry).unwrap_or_else(|e| panic!("{e}"));
        assert!(text.contains(&format!("FORD / {ford} /")), "{entry}: {text}");
        let [r, s] = [&network, &back].map(|n| &n.reactions[0]);
        assert_eq!((powers(r), powers(s)), (wanted.clone(), wanted), "{entry}");
        let (RateLaw::Arrhenius(j), RateLaw::Arrhenius(k)) = (&r.rate, &s.rate) else { panic!("{entry}") };
        assert!((j.a - k.a).abs() <= TOLERANCE * j.a, "{entry}: {} and {}", j.a, k.a);
    }
}

#[test]
fn the_rate_types_come_back_or_are_refused_by_name() {
    let Some(folder) = combustion() else { return };
    let folder = folder.join("rate_types");
    let (mut written, mut refused) = (0, 0);
    for path in ["cantera", "tchem", "zerork"].into_iter().flat_map(|part| files_below(&folder.join(part))) {
        let dummy = folder.join("cantera/dummy-thermo.dat");
        let with = |thermo| ReadOptions { thermo, search: vec![folder.join("cantera")], ..ReadOptions::default() };
        let Some(network) = [None, Some(dummy)].into_iter().find_map(|t| read(&path, &with(t)).ok()) else { continue };
        let what = path.display().to_string();
        match again(&network, &what) {
            Ok((back, _)) => {
                roundtrip::compare(&merged(&network), &back, 1e-6, &what);
                written += 1;
            }
            Err(refusal) => {
                let known = ["M0901", "M0902", "M0903", "M0904", "M0905"];
                assert!(refusal.diagnostics.iter().all(|d| d.code == "M0906" || known.contains(&d.code)), "{refusal}");
                refused += 1;
            }
        }
    }
    println!("{written} written, {refused} refused");
    assert!(written > 50 && refused > 3, "{written} written, {refused} refused");
}

/// Mechanisms of the atmosphere have them.
#[test]
fn constant_heat_capacities_are_polynomials() {
    let species = |name: &str, more: &str| {
        format!(
            "- {{name: {name}, composition: {{O: 1}}, thermo: {{model: constant-cp, h0: 249.2 kJ/mol, s0: 161 J/mol/K, cp0: 21.9 J/mol/K{more}}}}}\n"
        )
    };
    let text = format!(
        "phases: [{{name: gas, thermo: ideal-gas, kinetics: gas}}]\nspecies:\n{}{}reactions:\n- {{equation: O <=> P, rate-constant: {{A: 1, b: 0, Ea: 0}}}}\n",
        species("O", ""),
        species("P", ", T0: 500 K, T-min: 250 K, T-max: 1200 K")
    );
    let network = kinlane_mech::cantera::read_str(text, "o.yaml".as_ref(), None, &[]).expect("reads");
    let (back, _) = again(&network, "constant cp").expect("is written");
    roundtrip::compare(&merged(&network), &back, 1e-7, "constant cp");
    let ThermoForm::Nasa7(ranges) = &back.species[0].thermo.form else { panic!("{:?}", back.species[0].thermo) };
    // The enthalpy at T0 is that which was given.
    let (r, a) = (GAS_CONSTANT, &ranges[0].a);
    assert!((r * (a[0] * 298.15 + a[5]) / 249_200.0 - 1.0).abs() < 1e-7, "{a:?}");
}

/// What the reader takes is written.
#[test]
fn colliders_with_an_efficiency_and_names_with_parentheses_come_back() {
    let species = |name: &str, atoms: usize| {
        format!(
            "- {{name: \"{name}\", composition: {{H: {atoms}}}, thermo: {{model: NASA7, temperature-ranges: [200, 6000], data: [[2.5, 0, 0, 0, 0, 2.5e+05, 1]]}}}}\n"
        )
    };
    let text = format!(
        "phases: [{{name: gas, thermo: ideal-gas, kinetics: gas}}]\nspecies:\n{}{}{}reactions:\n- {{equation: A + A (+(B)C) <=> A2 (+(B)C), type: falloff, efficiencies: {{(B)C: 2}}, low-P-rate-constant: {{A: 1e9, b: 0, Ea: 0}}, high-P-rate-constant: {{A: 1e10, b: 0, Ea: 0}}}}\n- {{equation: A + (B)C => 3 A, rate-constant: {{A: 1e3, b: 0, Ea: 0}}}}\n",
        species("A", 1),
        species("A2", 2),
        species("(B)C", 2)
    );
    let network = kinlane_mech::cantera::read_str(text, Path::new("gas.yaml"), None, &[]);
    let network = network.unwrap_or_else(|e| panic!("{e}"));
    let (back, text) = again(&network, "collider").unwrap_or_else(|e| panic!("{e}"));
    assert!(text.contains("(+(B)C)") && text.contains("(B)C/2.0/"), "{text}");
    roundtrip::compare(&merged(&network), &back, TOLERANCE, "collider");
}

/// A factor M is written where it is read, in every law that may have it.
#[test]
fn landau_teller_with_a_collider_comes_back() {
    let zeros = " 0.00000000E+00".repeat(5);
    let record = |name: &str| {
        let first = format!("{name:<24}H   1               G   300.000  5000.0001234.567");
        format!("{first:<79}1\n{zeros:<79}2\n{zeros:<79}3\n{:<79}4\n", &zeros[..60].replacen('0', "1", 1))
    };
    let text = format!(
        "ELEMENTS H END\nSPECIES A B END\nTHERMO ALL\n 300. 1000. 5000.\n{}{}END\nREACTIONS\nA+M=B+M 1e12 0.5 1000\nLT/-50 20/\nB/3/\nEND\n",
        record("A"),
        record("B")
    );
    let network = chemkin::read_str(("lt.inp", &text), None).unwrap_or_else(|e| panic!("{e}"));
    let (back, text) = again(&network, "lt").unwrap_or_else(|e| panic!("{e}"));
    roundtrip::compare(&network, &back, TOLERANCE, "lt");
    // A middle temperature may fill its columns.
    assert!(text.contains("LT / -50.0 20.0 /") && text.contains("5000.0001234.567"), "{text}");
}

/// In the columns of a record a digit behind a letter would be one of a number of atoms.
#[test]
fn symbols_with_digits_come_back() {
    let text = "phases: [{name: gas, thermo: ideal-gas, elements: [H, Q9]}]\nelements: [{symbol: Q9, atomic-weight: 13.25}]\n\
                species: [{name: A, composition: {H: 2, Q9: 1}, thermo: {model: constant-cp, h0: 0, s0: 0, cp0: 30}}]\n";
    let network = cantera::read_str(text.to_owned(), Path::new("q9.yaml"), None, &[]).unwrap_or_else(|e| panic!("{e}"));
    let (back, _) = again(&network, "an isotope").expect("it can be written");
    let of = |network: &Network| (network.species[0].composition.clone(), network.elements[1].molar_mass);
    assert_eq!(of(&back), of(&network));
}

/// Capitals do not matter to readers of CHEMKIN.
#[test]
fn elements_differ_in_more_than_their_case() {
    let text = "phases: [{name: gas, thermo: ideal-gas, elements: [He, HE]}]\nelements: [{symbol: HE, atomic-weight: 12.5}]\n\
                species: [{name: A, composition: {HE: 1, He: 1}, thermo: {model: constant-cp, h0: 0, s0: 0, cp0: 20}}]\n";
    let network = cantera::read_str(text.to_owned(), Path::new("he.yaml"), None, &[]).unwrap_or_else(|e| panic!("{e}"));
    let refusal = write::chemkin(&network, &Header::default()).expect_err("two elements of one name");
    assert_eq!(refusal.diagnostics[0].code, "M0905", "{refusal}");
}
