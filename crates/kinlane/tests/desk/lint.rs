//! What is found in mechanisms that many trust: only what is true.

use crate::common;
use kinlane::mech::Severity;
use kinlane::mech::network::Reverse;
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
    // GRI-Mech is bundled; the others are not.
    assert!(warnings("gri30").is_none_or(|gri| gri.is_empty()));
    let (Some(ffcm), Some(usc)) = (warnings("ffcm1"), warnings("usc_mech_ii")) else { return };
    assert_eq!(ffcm, []);
    let jumps: Vec<&str> = usc.iter().filter(|w| w.0 == "M0401").filter_map(|w| w.1.split('`').nth(1)).collect();
    assert_eq!(jumps, ["CH2OCH", "C4H5-2", "C4H6-2", "C2H3CHOCH2", "CH3CHCHCHO"]);
    assert!(usc.iter().all(|w| ["M0401", "M0403"].contains(&w.0)), "{usc:?}");
}

fn of(ranges: &str, data: &str) -> Vec<(&'static str, String)> {
    let text = format!(
        "phases: [{{name: gas, thermo: ideal-gas}}]\nspecies:\n- name: OH\n  composition: {{O: 1, H: 1}}\n  thermo: {{model: NASA9, temperature-ranges: {ranges}, data: [{data}]}}\n"
    );
    let network =
        kinlane::mech::cantera::read_str(text, "oh.yaml".as_ref(), None, &[]).unwrap_or_else(|e| panic!("{e}"));
    let found = lint(&Mechanism::from_network(network)).into_iter().filter(|d| d.code.starts_with("M040"));
    found.map(|d| (d.code, d.message)).collect()
}

/// Every range is looked at over its own temperatures, however hot, also where heat capacities are held constant.
#[test]
fn the_hottest_range_is_looked_at() {
    let good = "[0, 0, 3.5, 1e-5, 0, 0, 0, 3600, 4]";
    let ranges = "[200, 1000, 6000, 20000]";
    assert_eq!(of(ranges, &[good; 3].join(", ")), []);
    let found = of(ranges, &format!("{good}, {good}, [0, 0, 3.5, 1e-5, 0, 0, -381, 3600, 4]"));
    assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), ["M0401", "M0403"]);
    assert_eq!(
        found[0].1,
        "thermo of `OH` jumps at 6000 K: cp by more than a thousandfold of cp, h by more than a thousandfold of cp T, s by more than a thousandfold of cp"
    );
    assert_eq!(found[1].1, "cp of `OH` is -4.9e17 R at 6000 K, less than a gas can have");
}

#[test]
fn jumps_from_nothing_have_words() {
    let good = "[0, 0, 3.5, 0, 0, 0, 0, 3600, 4]";
    let zero = "[0, 0, 0, 0, 0, 0, 0, 3600, 4]";
    let found = of("[200, 1000, 6000]", &format!("{good}, {zero}"));
    assert!(found[0].1.contains("at 1000 K: cp is 0 above, h by -100.00 % of cp T"), "{found:?}");
    let found = of("[200, 1000, 6000]", &format!("{zero}, {good}"));
    assert!(found[0].1.contains("at 1000 K: cp is 0 below, h by +100.00 % of cp T"), "{found:?}");
}

#[test]
fn every_network_of_the_collection_can_be_looked_at() {
    for (name, network) in files::rate_types() {
        let mechanism = Mechanism::from_network(network);
        assert!(lint(&mechanism).iter().all(|d| d.severity < Severity::Error), "{name}");
    }
}

/// Limits are of constants that mean the same, and that there are.
#[test]
fn rates_of_other_orders_and_without_partners_have_no_limits() {
    let thermo = |name: &str, atoms: &str, h: &str| {
        let coefficients = " 0.25000000E+01 0.00000000E+00 0.00000000E+00 0.00000000E+00 0.00000000E+00    2\n";
        format!(
            "{name:<18}T00000{atoms:<20}G   200.000  6000.000 1000.00      1\n{coefficients}\
             {h} 0.10000000E+01 0.25000000E+01 0.00000000E+00 0.00000000E+00    3\n \
             0.00000000E+00 0.00000000E+00{h} 0.10000000E+01                   4\n"
        )
    };
    let species = [
        ("H", "H   1", " 2.50000000E+04"),
        ("O2", "O   2", "-1.00000000E+03"),
        ("OH", "H   1O   1", " 3.00000000E+03"),
        ("O", "O   1", " 2.90000000E+04"),
        ("HO2", "H   1O   2", " 5.00000000E+02"),
    ];
    let data: String = species.iter().map(|(name, atoms, h)| thermo(name, atoms, h)).collect();
    let found = |reactions: &str| {
        let text = format!(
            "ELEMENTS\nH O\nEND\nSPECIES\nH O2 OH O HO2\nEND\nTHERMO\n   200.000  1000.000  6000.000\n{data}END\n\
             REACTIONS\n{reactions}END\n"
        );
        let network = kinlane::mech::chemkin::read_str(("m.inp", &text), None).unwrap_or_else(|e| panic!("{e}"));
        let limits = |code: &str| ["M0404", "M0405", "M0406", "M0411"].contains(&code);
        let found = lint(&Mechanism::from_network(network)).into_iter().filter(|d| limits(d.code));
        found.map(|d| (d.code, d.message, d.help.unwrap_or_default())).collect::<Vec<_>>()
    };
    // A reverse rate of first order, in 1/s.
    assert_eq!(found("H+O2=OH+O 1e10 0 0\nREV/1e15 0 0/\nRORD/OH 0/\n"), []);
    // Of two duplicates one is of first order.
    assert_eq!(found("H+O2=>OH+O 1 0 0\nDUP\nH+O2=>OH+O 1e15 0 0\nFORD/H 0/\nDUP\n"), []);
    // A third body that does not act.
    assert_eq!(found("H+O2+M=HO2+M 6e16 0 0\nH/0/ O2/0/ OH/0/ O/0/ HO2/0/\n"), []);
    // A reverse rate that the file has is not one that follows from others.
    let said = found("H+O2=OH+O 1e10 0 0\nREV/1e19 0 0/\n");
    assert!(said.len() == 1 && said[0].0 == "M0404" && said[0].2.starts_with("check the rate;"), "{said:?}");
}

/// Opposite charges attract each other from afar; the limit is that of molecules without.
#[test]
fn ions_may_meet_more_often_than_molecules() {
    let species = |name: &str, charge: &str| {
        format!(
            "- {{name: {name}, composition: {{N: 1{charge}}}, thermo: {{model: constant-cp, T0: 300 K, h0: 0 J/mol, \
             s0: 150 J/mol/K, cp0: 21 J/mol/K}}}}\n"
        )
    };
    let text = format!(
        "units: {{length: cm, quantity: molec}}\nphases: [{{name: gas, thermo: ideal-gas, kinetics: gas}}]\nspecies:\n{}{}{}{}{}reactions:\n\
         - {{equation: P + Mi => A + A, rate-constant: {{A: 2e-7, b: 0, Ea: 0}}}}\n\
         - {{equation: A + B => B + B, rate-constant: {{A: 2e-7, b: 0, Ea: 0}}}}\n\
         - {{equation: P + Q => P + P, rate-constant: {{A: 2e-7, b: 0, Ea: 0}}}}\n",
        species("A", ""),
        species("B", ""),
        species("P", ", E: -1"),
        species("Q", ", E: -1"),
        species("Mi", ", E: 1")
    );
    let mechanism = Mechanism::from_text("ions.yaml", &text, None).unwrap_or_else(|e| panic!("{e}"));
    let found = lint(&mechanism).into_iter().filter(|d| d.code == "M0404").map(|d| d.message).collect::<Vec<_>>();
    assert!(found.len() == 2 && found[0].contains("A + B") && found[1].contains("P + Q"), "{found:?}");
    assert!(found.iter().all(|message| message.contains("the forward rate constant")), "{found:?}");
}

/// One molecule by itself reacts about kT/h times a second at most: 5.2e13 at 2500 K.
#[test]
fn no_bond_breaks_much_more_often_than_it_vibrates() {
    let thermo = "{model: constant-cp, T0: 300 K, h0: 0 J/mol, s0: 150 J/mol/K, cp0: 21 J/mol/K}";
    let severity = |a: &str, equation: &str| {
        let species = ["A", "B"].map(|name| format!("- {{name: {name}, composition: {{N: 1}}, thermo: {thermo}}}\n"));
        let text = format!(
            "phases: [{{name: gas, thermo: ideal-gas, kinetics: gas}}]\nspecies:\n{}reactions:\n\
             - {{equation: {equation}, rate-constant: {{A: {a}, b: 0, Ea: 0}}}}\n",
            species.concat()
        );
        let mechanism = Mechanism::from_text("one.yaml", &text, None).unwrap_or_else(|e| panic!("{e}"));
        let found = lint(&mechanism).into_iter().filter(|d| d.code == "M0412");
        found.map(|d| (d.severity, d.message.contains("forward"))).collect::<Vec<_>>()
    };
    // A rate constant that does not depend on T exceeds the limit most at 300 K, where that is 6.25e12 /s.
    assert!(severity("6e15 1/s", "A => B").is_empty());
    assert_eq!(severity("7e15 1/s", "A => B"), [(Severity::Note, true)]);
    assert_eq!(severity("7e17 1/s", "A => B"), [(Severity::Warning, true)]);
    assert_eq!(severity("7e17 1/s", "A <=> B"), [(Severity::Warning, true), (Severity::Warning, false)]);
    assert!(severity("7e17 m^3/mol/s", "A + M => B + M").is_empty());
}

/// A heat capacity that is given, in another unit than was meant, is not taken for one that is missing.
#[test]
fn a_heat_capacity_of_no_gas_may_have_the_wrong_unit() {
    let of = |cp0: &str| {
        let text = format!(
            "phases: [{{name: gas, thermo: ideal-gas}}]\nspecies:\n- name: A\n  composition: {{N: 1}}\n  \
             thermo: {{model: constant-cp, T0: 300 K, h0: 0 J/mol, s0: 150 J/mol/K{cp0}}}\n"
        );
        let mechanism = Mechanism::from_text("a.yaml", &text, None).unwrap_or_else(|e| panic!("{e}"));
        let found: Vec<_> = lint(&mechanism).into_iter().filter(|d| d.code == "M0403").collect();
        found.iter().filter_map(|d| d.help.clone()).collect::<Vec<_>>().concat()
    };
    assert!(of("").contains("give `cp0`") && of(", cp0: 21 J/mol/K").is_empty());
    assert!(of(", cp0: 5 J/mol/K").contains("check the unit"), "{}", of(", cp0: 5 J/mol/K"));
}

/// What is said of a gas of one atom a molecule with these reactions, but for its thermodynamics.
fn said_of(species: &[&str], reactions: &str) -> Vec<(&'static str, String)> {
    let found = lint(&common::gas(species, reactions)).into_iter();
    found.filter(|d| !["M0402", "M0403"].contains(&d.code)).map(|d| (d.code, d.message)).collect()
}

/// A reaction that runs both ways makes and uses what is on both of its sides; D, E and F have nothing to do with the others.
#[test]
fn species_that_are_never_made_or_used_are_told() {
    let rate = "rate-constant: {A: 1, b: 0, Ea: 0}";
    let of = |equations: &[&str]| {
        let reactions: String = equations.iter().map(|e| format!("- {{equation: {e}, {rate}}}\n")).collect();
        said_of(&["A", "B", "C", "D", "E", "F"], &reactions).into_iter().map(|(_, message)| message).collect::<Vec<_>>()
    };
    let found = of(&["A <=> B", "B => C", "D <=> E", "E <=> F"]);
    let [apart, uses] = &found[..] else { panic!("{found:?}") };
    assert!(uses.ends_with("no reaction consumes: `C`"), "{uses}");
    assert!(apart.contains("3 species react among themselves only"), "{apart}");
    let found = of(&["A => B", "B + D => C + D", "E + D => F + D", "F + D => E + D"]);
    assert_eq!(found.len(), 3, "{found:?}");
    for (found, part) in
        found.iter().zip(["no reaction makes: `A`", "no reaction consumes: `C`", "changed by no reaction: `D`"])
    {
        assert!(found.ends_with(part), "{found}");
    }
}

/// 2 exp(−500/100) − exp(−500/1000) = −0.593; and a sum of two rate constants that falls below zero from 1000 K on.
#[test]
fn broadening_and_sums_are_those_of_their_formulas() {
    let limits = "low-P-rate-constant: [1, 0, 0], high-P-rate-constant: [1, 0, 0]";
    let found = said_of(
        &["A", "B"],
        &format!("- {{equation: A (+M) => B (+M), type: falloff, {limits}, Troe: {{A: -1, T3: 100, T1: 1000}}}}\n"),
    );
    assert!(found.iter().any(|(_, message)| message.contains("is -0.593 at 500 K")), "{found:?}");
    let found = said_of(
        &["A", "B"],
        "- {equation: A => B, duplicate: true, rate-constant: [1, 0, 0]}\n\
         - {equation: A => B, duplicate: true, negative-A: true, rate-constant: [-2, 0, 600 K]}\n",
    );
    assert!(found.iter().any(|(code, message)| *code == "M0405" && message.contains("at 1000 K")), "{found:?}");
    // Of a reverse rate.
    let falloff = |a: &str| {
        format!("- {{equation: A (+M) => B (+M), type: falloff, {limits}, Troe: {{A: {a}, T3: 100, T1: 1000}}}}\n")
    };
    let mut network = common::gas(&["A", "B"], &falloff("0.5")).network().clone();
    let bad = common::gas(&["A", "B"], &falloff("-1")).network().reactions[0].rate.clone();
    network.reactions[0].reverse = Reverse::Explicit { rate: Box::new(bad), orders: None };
    let found = lint(&Mechanism::from_network(network));
    assert!(found.iter().any(|d| d.message.contains("the reverse rate of `A (+M) => B (+M)` is -0.593")), "{found:?}");
    // Of a collider in a linear-Burke rate.
    let low_high = limits.replace("[1, 0, 0]", "{A: 1, b: 0, Ea: 0}");
    let law = |a: f64| format!("type: falloff, {low_high}, Troe: {{A: {a}, T3: 100, T1: 1000}}");
    let found = said_of(
        &["A", "B", "C"],
        &format!(
            "- {{equation: A <=> B, type: linear-Burke, colliders: [{{name: M, {}}}, {{name: C, efficiency: {{A: 2, b: 0, Ea: 0}}, {}}}]}}\n",
            law(0.5),
            law(-1.0)
        ),
    );
    let factors: Vec<_> = found.iter().filter(|f| f.0 == "M0407").map(|f| f.1.as_str()).collect();
    assert!(factors.len() == 1 && factors[0].contains("with the collider `C` is -0.593 at 500 K"), "{found:?}");
}

/// Irreversible reactions in opposite directions: each has its own name, place and remedy.
#[test]
fn the_reaction_whose_rate_it_is_is_named() {
    let found = |reactions: &str| {
        let mechanism = common::gas(&["A", "B", "C"], reactions);
        let found = lint(&mechanism).into_iter().filter(|d| ["M0404", "M0405", "M0412"].contains(&d.code));
        let place = |d: &kinlane::mech::Diagnostic| mechanism.network().sources.text(d.labels[0].0).to_owned();
        found.map(|d| (d.code, place(&d), d.message, d.help.unwrap_or_default())).collect::<Vec<_>>()
    };
    let slow = "- {equation: A + B => C + C, rate-constant: [1, 0, 0]}\n";
    for (a, code, start, advice) in [
        ("1e15", "M0404", "the forward rate constant of `C + C", "check the rate;"),
        ("-1", "M0405", "the rate constant of `C + C => A + B` is less", "a term with a negative factor"),
    ] {
        let fast = &format!("- {{equation: C + C => A + B, rate-constant: [{a}, 0, 0], negative-A: true}}\n");
        for reactions in [[slow, fast].concat(), [fast, slow].concat()] {
            let [(found, place, message, help)] = &found(&reactions)[..] else { panic!("{reactions}") };
            assert_eq!((*found, &place[..]), (code, "C + C => A + B"), "{message}");
            assert!(message.starts_with(start) && help.starts_with(advice), "{message}: {help}");
        }
    }
    // Of terms that add up, the largest; and a reverse rate where it is the cause.
    let one =
        |equation: &str, a: &str| format!("- {{equation: {equation}, duplicate: true, rate-constant: [{a}, 0, 0]}}\n");
    let all = found(&(one("A => B", "1") + &one("1.0 A => B", "7e17") + &one("A => B", "2")));
    assert!(all.len() == 1 && all[0].2.contains("the forward rate constant of `1.0 A => B`"), "{all:?}");
    let all = found(&(one("A => B", "1") + &one("B <=> A", "7e17")));
    assert!(all.len() == 2 && all[0].2.contains("the forward rate constant of `B <=> A`"), "{all:?}");
    assert!(all[1].2.contains("the reverse rate constant of `B <=> A`"), "{all:?}");
    assert!(all[1].3.contains("the thermodynamics"), "{all:?}");
}

/// 2 H + M and 2 H + AR: what counts is the sum for each collider.
#[test]
fn rate_constants_add_up_for_each_collider() {
    let found = |of_m: &str, argon: &str| {
        let all = said_of(
            &["A", "B", "AR"],
            &format!(
                "- {{equation: A + M => B + M, duplicate: true, rate-constant: [1000, -1, 0], {of_m}}}\n\
                 - {{equation: A + AR => B + AR, type: three-body, duplicate: true, negative-A: true, rate-constant: [{argon}, -1, 0]}}\n"
            ),
        );
        all.into_iter().filter(|f| f.0 == "M0405").map(|f| f.1).collect::<Vec<_>>()
    };
    assert!(found("efficiencies: {AR: 2}", "-1500").is_empty());
    assert!(found("efficiencies: {AR: 1}", "-1000").is_empty());
    for (of_m, argon) in
        [("efficiencies: {AR: 0}", "-500"), ("efficiencies: {AR: 1}", "-1001"), ("default-efficiency: 0", "-1")]
    {
        let found = found(of_m, argon);
        assert!(found.len() == 1 && found[0].contains("with the collider `AR` at 300 K"), "{of_m} {argon}: {found:?}");
    }
}

/// Slightly short ranges are usual; one that ends at 1500 K is not.
#[test]
fn short_ranges_are_told() {
    let of = |ranges: &str| {
        let text = format!(
            "phases: [{{name: gas, thermo: ideal-gas}}]\nspecies:\n- name: A\n  composition: {{N: 1}}\n  \
             thermo: {{model: NASA7, temperature-ranges: {ranges}, data: [[2.5, 0, 0, 0, 0, 0, 4]]}}\n"
        );
        let mechanism = Mechanism::from_text("a.yaml", &text, None).unwrap_or_else(|e| panic!("{e}"));
        lint(&mechanism).into_iter().filter(|d| d.code == "M0402").map(|d| d.severity).collect::<Vec<_>>()
    };
    assert_eq!(of("[300, 2500]"), []);
    assert_eq!([of("[400, 2000]"), of("[300, 2100]")], [[Severity::Note], [Severity::Note]]);
    assert_eq!([of("[401, 2500]"), of("[300, 1999]")], [[Severity::Warning], [Severity::Warning]]);
}
