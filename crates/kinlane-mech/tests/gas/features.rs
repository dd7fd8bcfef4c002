//! Each feature of the YAML format, from a few lines of text.

use std::path::Path;

use kinlane_mech::network::*;
use kinlane_mech::{Refusal, Severity, cantera};

const SPECIES: &str = "
species:
- {name: H2, composition: {H: 2}, thermo: &t {model: constant-cp, h0: 1 kJ/mol, cp0: 20 J/mol/K}}
- {name: H, composition: {H: 1}, thermo: *t}
- {name: O2, composition: {O: 2}, thermo: *t}
- {name: OH, composition: {O: 1, H: 1}, thermo: *t}
- {name: HO2, composition: {O: 2, H: 1}, thermo: *t}
- {name: AR, composition: {Ar: 1}, thermo: *t}
- {name: NO, composition: {N: 1, O: 1}, thermo: *t}
";
const UNITS: &str = "units: {length: cm, quantity: mol, activation-energy: cal/mol}\n";
const PHASE: &str = "phases: [{name: gas, thermo: ideal-gas, kinetics: gas}]\n";

fn text(text: String) -> Result<Network, Refusal> {
    cantera::read_str(text, Path::new("test.yaml"), None, &[])
}
use kinlane_mech::Network;

fn reactions(entries: &str) -> Result<Network, Refusal> {
    text(format!("{UNITS}{PHASE}{SPECIES}reactions:\n{entries}\n"))
}

fn one(entry: &str) -> Reaction {
    let network = reactions(&format!("- {entry}")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(network.reactions.len(), 1);
    network.reactions[0].clone()
}

fn refused(entry: &str, code: &str) {
    let e = reactions(&format!("- {entry}")).expect_err(entry);
    assert!(e.diagnostics.iter().any(|d| d.code == code), "wanted {code} for {entry}:\n{e}");
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-13 * b.abs(), "{a:?} is not {b:?}");
}

const R: f64 = GAS_CONSTANT;
const A: &str = "rate-constant: {A: 1.0E+05, b: 0.5, Ea: 1e3}";

#[test]
fn arrhenius_in_default_units() {
    let r = one(&format!("{{equation: H + O2 <=> HO2, {A}}}"));
    let RateLaw::Arrhenius(k) = r.rate else { panic!() };
    near(k.a, 0.1);
    near(k.e, 4184.0 / R);
    assert_eq!((k.b, r.reverse), (0.5, Reverse::Equilibrium));
    assert_eq!(r.reactants, [(1, 1.0), (2, 1.0)]);
}

#[test]
fn values_and_sections_may_have_their_own_units() {
    let rate = |entry: &str| match one(entry).rate {
        RateLaw::Arrhenius(k) => k,
        other => panic!("{other:?}"),
    };
    near(rate("{equation: H + O2 => HO2, rate-constant: [3 m^3/mol/s, 0, 2 kcal/mol]}").a, 3.0);
    near(rate("{equation: H + O2 => HO2, rate-constant: [3 cm^3/molec/s, 0, 400 K]}").a, 3e-6 * 6.02214076e23);
    near(rate("{equation: H + O2 => HO2, rate-constant: [3, 0, 400 K]}").e, 400.0);
    near(rate("{equation: H + O2 => HO2, rate-constant: [3, 0, 1 eV]}").e, 1.602176634e-19 * 6.02214076e23 / R);
    near(rate("{equation: H + O2 => HO2, units: {length: m, activation-energy: K}, rate-constant: [3, 0, 7]}").a, 3.0);
    let n = text(format!(
        "{UNITS}phases: [{{name: g, thermo: ideal-gas, kinetics: gas, reactions: [extra]}}]\n{SPECIES}extra:\n- units: {{length: m, quantity: kmol}}\n- {{equation: H + O2 => HO2, rate-constant: [3, 0, 7]}}\n"
    ))
    .unwrap();
    let RateLaw::Arrhenius(k) = n.reactions[0].rate else { panic!() };
    near(k.a, 3e-3);
    near(k.e, 7.0 * 4.184 / R);
    // Also that of the phases, in which nothing has a unit.
    let phases = |units: &str| {
        text(format!(
            "phases:\n- units: {{{units}}}\n- {{name: g, thermo: ideal-gas, kinetics: gas}}\n{SPECIES}reactions:\n- {{equation: H + O2 => HO2, rate-constant: [3, 0, 7]}}\n"
        ))
    };
    let n = phases("length: cm").unwrap_or_else(|e| panic!("{e}"));
    let RateLaw::Arrhenius(k) = n.reactions[0].rate else { panic!() };
    near(k.a, 3e-3);
    assert!(phases("length: cmm").is_err_and(|e| e.diagnostics[0].code == "M0205"));
}

#[test]
fn equations_may_stand_on_several_lines() {
    let rate = "rate-constant: {A: 1, b: 0, Ea: 0}";
    let written = one(&format!("{{equation: H + AR => AR + H, {rate}}}")).equation;
    for equation in [">\n    H + AR\n    => AR + H\n", "|\n    H + AR =>\n    AR + H\n", "\" H + AR =>\\tAR + H \""] {
        let read = reactions(&format!("- equation: {equation}\n  {rate}\n")).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read.reactions[0].equation, written, "{equation}");
    }
}

#[test]
fn a_tab_may_follow_a_colon() {
    let of = |colon: &str| one(&format!("{{equation{colon}H2 + AR => H + H + AR, {A}}}"));
    assert_eq!(of(":\t\t").rate, of(": ").rate);
}

/// As Cantera's own writer breaks lines, and with tabs.
#[test]
fn indentation_means_nothing_inside_brackets() {
    let with = |species: &str, data: &str, more: &str| {
        text(format!(
            "phases:\n- name: gas\n  thermo: ideal-gas\n  elements: [H,\nO]\n  species: {species}\n{more}species:\n- name: H\n  composition: {{H: 1}}\n  thermo:\n    model: NASA7\n    temperature-ranges: [200.0, 1000.0]\n    data:\n    - {data}\n- name: O\n  composition: {{O: 1}}\n  thermo: {{model: constant-cp,\n\tnote: 'it''s [\n]'}}\n"
        ))
    };
    let flat = with("[H, O]", "[2.5, 0.0, 0.0, 0.0, 0.0, 2.5e+04, -0.4]", "").unwrap_or_else(|e| panic!("{e}"));
    for (species, data) in [
        ("[H,\n  O]", "[2.5, 0.0, 0.0, 0.0,\n    0.0, 2.5e+04, -0.4]"),
        ("[H,\nO\n]", "[2.5,\n0.0, # [\n\n0.0, 0.0,\n0.0\n, 2.5e+04, -0.4\n]"),
        ("\n   [\n\tH,\n \t O]", "[2.5, 0.0, \n\t\t0.0,\n \t 0.0, 0.0, 2.5e+04,\n        -0.4]"),
    ] {
        let n = with(species, data, "").unwrap_or_else(|e| panic!("{e}"));
        let forms = |n: &Network| n.species.iter().map(|s| (s.name.clone(), s.thermo.form.clone())).collect::<Vec<_>>();
        assert_eq!(forms(&n), forms(&flat));
    }
    // Text is no list.
    let note = "  note: |\n    [a,\n    b\n  more: see [1\n    and 2\n";
    assert!(with("[H,\n  O]", "[2.5, 0, 0, 0,\n    0, 2.5e4, -0.4]", note).is_ok());
}

/// Cantera's converter writes notes whose lines begin where their key does.
#[test]
fn indentation_means_nothing_inside_quotes() {
    let with = |note: &str, more: &str| {
        reactions(&format!("- equation: H + O2 <=> HO2\n  {A}\n  note: {note}\n- equation: H + H <=> {more}\n  {A}"))
    };
    let flat = with("\"a b\"", "H2").unwrap();
    for note in ["\"a\n  b\"", "'a\n  b'", "\"a\nb\"", "\"\u{e9}: [ # \\\"\n  {\n\n \t'b\\\n  c\""] {
        let n = with(note, "H2").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(n.reactions.len(), flat.reactions.len());
        // Places behind it are true.
        let e = with(note, "O4").unwrap_err().diagnostics;
        let n = with(note, "H2").unwrap();
        assert_eq!(n.sources.text(n.reactions[1].at), "H + H <=> H2");
        assert!(e.iter().any(|d| d.code == "M0203"), "{e:?}");
    }
    assert!(with("\"a\n  b", "H2").is_err());
}

/// A small file of aliases to aliases asks for no more memory than a large mechanism.
#[test]
fn aliases_do_not_grow_without_bound() {
    let mut all = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for i in 1..12 {
        let of = vec![format!("*a{}", i - 1); 10].join(", ");
        all.push_str(&format!("a{i}: &a{i} [{of}]\n"));
    }
    let e = text(all + "phases: *a11\n").unwrap_err().diagnostics;
    assert_eq!((e.len(), e[0].code), (1, "M0200"));
    assert!(e[0].message.contains("aliases"), "{e:?}");
    // Nor of long texts, or of anchors within each other.
    let (long, many) = ("x".repeat(100_000), "*a, ".repeat(3000));
    let nested: String = (0..80).map(|i| format!("&n{i} [")).collect();
    for (text, place) in [
        (format!("a: &a {long}\nb: [{many}]\n"), "*a"),
        (format!("a: {nested}{}{}\n", "1, ".repeat(30_000), "]".repeat(80)), "]"),
        (format!("a: {nested}{long}{}\n", "]".repeat(80)), ""),
    ] {
        match cantera::read_str(text.clone(), std::path::Path::new("a.yaml"), None, &[]) {
            Err(e) if !place.is_empty() => {
                assert!(e.diagnostics[0].message.contains("aliases"), "{:?}", e.diagnostics);
                let at = e.diagnostics[0].labels[0].0;
                assert!(text[at.start as usize..].starts_with(place), "{at:?}");
            }
            Err(e) => assert!(e.diagnostics.iter().all(|d| d.code != "M0200"), "{:?}", e.diagnostics),
            Ok(_) => panic!("a phase"),
        }
    }
}

#[test]
fn phases_as_cantera_once_wrote_them() {
    let phase = |thermo: &str, reactions: &str| {
        text(format!(
            "{UNITS}phases:\n- name: gas\n  thermo: {thermo}\n  kinetics: gas\n{reactions}{SPECIES}reactions:\n- {{equation: H + O2 <=> HO2, {A}}}\n"
        ))
    };
    let old = phase("IdealGas", "").unwrap();
    assert_eq!((old.reactions.len(), old.notes.len()), (1, 1));
    assert_eq!((old.notes[0].code, old.notes[0].severity), ("M0208", Severity::Note));
    // A key without a value is `none`.
    for empty in ["  reactions:\n", "  reactions: ~\n"] {
        let none = phase("ideal-gas", empty).unwrap();
        assert_eq!((none.reactions.len(), none.notes.len()), (0, 1));
        assert_eq!((none.notes[0].code, none.notes[0].severity), ("M0201", Severity::Warning));
    }
    let e = phase("ideal-gas", "  reactions: {reactions: }\n").unwrap_err().to_string();
    assert!(e.contains("nothing is not a rule for reactions"), "{e}");
    let e = reactions(&format!("- {{equation: H + O2 <=> HO2, type: , {A}}}")).unwrap_err().to_string();
    assert!(e.contains("`type` has to be the name of a rate type"), "{e}");
}

/// What a file that is not there would have brought is not missed a second time.
#[test]
fn missing_files_are_told_once() {
    let phase = |species: &str| {
        let head = "phases:\n- name: gas\n  thermo: ideal-gas\n  kinetics: gas\n";
        text(format!("{UNITS}{head}{species}{SPECIES}reactions:\n- {{equation: H + O2 <=> CH3 + Y, {A}}}\n"))
    };
    let e = phase("  species: [{gri30.yaml/species: all}, {species: [H, O2, X]}]\n").unwrap_err();
    assert_eq!(e.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["M0210", "M0203"], "{e}");
    assert!(e.to_string().contains("species `X`") && e.to_string().contains("CANTERA_DATA"), "{e}");
    let e = phase("  elements: [{other.yaml/elements: [H]}]\n  species: [H, O2]\n").unwrap_err();
    assert_eq!(e.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["M0210", "M0203", "M0203"], "{e}");
}

#[test]
fn third_bodies_follow_canteras_rules() {
    let body = |entry: &str| one(entry).third_body;
    let explicit = ThirdBody { default: 0.0, efficiencies: vec![(5, 1.0)], explicit: true };
    assert_eq!(body(&format!("{{equation: H + O2 + AR <=> HO2 + AR, {A}}}")), Some(explicit.clone()));
    assert_eq!(body(&format!("{{equation: H2 + AR => H + H + AR, {A}}}")), Some(explicit));
    assert_eq!(body(&format!("{{equation: H + O2 + AR <=> HO2 + AR, type: elementary, {A}}}")), None);
    // Two molecules on each side: a plain reaction.
    assert_eq!(body(&format!("{{equation: H + AR => H + AR, {A}}}")), None);
    // A fractional coefficient: a plain reaction.
    assert_eq!(body(&format!("{{equation: 0.5 H2 + AR + AR => H + AR + AR, {A}}}")), None);
    let m = body(&format!("{{equation: H + H + M <=> H2 + M, efficiencies: {{AR: 0.7}}, default-efficiency: 2, {A}}}"));
    assert_eq!(m, Some(ThirdBody { default: 2.0, efficiencies: vec![(5, 0.7)], explicit: false }));
    // Order three, third body included.
    let RateLaw::Arrhenius(k) = one(&format!("{{equation: H + H + M <=> H2 + M, {A}}}")).rate else { panic!() };
    near(k.a, 1e-7);
    refused(&format!("{{equation: H + H <=> H2, type: three-body, {A}}}"), "M0212");
    refused(&format!("{{equation: H + H (+M) <=> H2 (+M), {A}}}"), "M0212");
    refused(&format!("{{equation: H + H <=> H2, efficiencies: {{AR: 2}}, {A}}}"), "M0212");
    refused(&format!("{{equation: H + H + AR <=> H2 + AR, efficiencies: {{H: 2}}, {A}}}"), "M0212");
    refused(&format!("{{equation: H + H + M <=> H2, {A}}}"), "M0212");
    // Less than nothing would be left of it.
    refused(&format!("{{equation: H2 + 0.5 AR => H + H + 0.5 AR, type: three-body, {A}}}"), "M0212");
    refused(&format!("{{equation: H2 + 1.5 AR => H + H + 0.5 AR, type: three-body, {A}}}"), "M0212");
    refused(&format!("{{equation: H2 + 0.5 M => H + H + 0.5 M, {A}}}"), "M0212");
}

/// The type behind `three-body-` has the names that it has by itself.
#[test]
fn three_bodies_of_any_name() {
    let read = |kind: &str| {
        let n = reactions(&format!("- {{equation: H2 + AR => H + H + AR, type: {kind}, {A}}}")).unwrap();
        (n.reactions[0].rate.clone(), n.reactions[0].third_body.is_some(), n.notes.len())
    };
    let plain = read("three-body");
    assert!(plain.1 && plain.2 == 0);
    for kind in ["three-body-elementary", "three-body-Arrhenius"] {
        assert_eq!(read(kind), plain, "{kind}");
    }
}

/// Cantera reads them without a word, and computes without them.
#[test]
fn efficiencies_without_a_place_are_told() {
    let chebyshev = "Chebyshev, temperature-range: [290, 3000], pressure-range: [1e3, 1e6], data: [[8]]";
    let burke = "linear-Burke, colliders: [{name: M, type: pressure-dependent-Arrhenius, rate-constants: [{P: 1, A: 1, b: 0, Ea: 0}]}]";
    for (law, help) in [(chebyshev, "by itself"), (burke, "`colliders`")] {
        for entry in ["", "efficiencies: {AR: 6}", "default-efficiency: 0.5"] {
            let n = reactions(&format!("- {{equation: H + O2 (+M) <=> HO2 (+M), type: {law}, {entry}}}")).unwrap();
            let told: Vec<_> = n.notes.iter().map(|d| (d.code, d.help.as_ref().unwrap().contains(help))).collect();
            assert_eq!(told, if entry.is_empty() { vec![] } else { vec![("M0216", true)] }, "{law} {entry}");
        }
    }
}

#[test]
fn falloff_with_every_broadening_factor() {
    let limits = "low-P-rate-constant: [1e12, 0, 0], high-P-rate-constant: [1e6, 0, 0]";
    let f = |more: &str| match one(&format!("{{equation: H + O2 (+ M) <=> HO2 (+M), type: falloff, {limits}{more}}}"))
        .rate
    {
        RateLaw::Falloff(f) => f,
        other => panic!("{other:?}"),
    };
    let plain = f("");
    near(plain.low.a, 1.0);
    near(plain.high.a, 1.0);
    assert_eq!((plain.blend, plain.activated), (Blend::Lindemann, false));
    assert_eq!(f(", Troe: {A: 0.5, T3: 1, T1: 2}").blend, Blend::Troe { a: 0.5, t3: 1.0, t1: 2.0, t2: None });
    assert_eq!(f(", Troe: {A: 0.5, T3: 1, T1: 2, T2: 0}").blend, Blend::Troe { a: 0.5, t3: 1.0, t1: 2.0, t2: None });
    assert_eq!(
        f(", Troe: {A: 0.5, T3: 1, T1: 2, T2: 3}").blend,
        Blend::Troe { a: 0.5, t3: 1.0, t1: 2.0, t2: Some(3.0) }
    );
    assert_eq!(f(", SRI: {A: 1, B: 2, C: 3}").blend, Blend::Sri { a: 1.0, b: 2.0, c: 3.0, d: 1.0, e: 0.0 });
    assert_eq!(f(", Tsang: {A: 0.9, B: -1e-4}").blend, Blend::Tsang { a: 0.9, b: -1e-4 });
    assert_eq!(f(", Tsang: {A: 0.9}").blend, Blend::Tsang { a: 0.9, b: 0.0 });
    let half =
        reactions(&format!("- {{equation: H + O2 (+M) <=> HO2 (+M), type: falloff, {limits}, Tsang: {{A: 0.9}}}}"))
            .unwrap();
    assert!(half.notes.iter().any(|d| d.message.contains("has no `B`, which counts as 0")), "{:?}", half.notes);
    let e = one(&format!("{{equation: H + O2 (+AR) <=> HO2 (+AR), type: falloff, {limits}}}"));
    let RateLaw::Falloff(e) = e.rate else { panic!() };
    assert_eq!(e.body, ThirdBody { default: 0.0, efficiencies: vec![(5, 1.0)], explicit: true });
    let c = one(&format!("{{equation: H + O2 (+M) <=> HO2 (+M), type: chemically-activated, {limits}}}"));
    let RateLaw::Falloff(c) = c.rate else { panic!() };
    assert!(c.activated);
    near(c.low.a, 1e6);
    near(c.high.a, 1e6);
    refused(&format!("{{equation: H + O2 + M <=> HO2 + M, type: falloff, {limits}}}"), "M0212");
    refused(
        &format!("{{equation: H + O2 (+M) <=> HO2 (+M), type: falloff, {limits}, SRI: {{A: 1, B: 2, C: 3, D: 4}}}}"),
        "M0214",
    );
    for sri in ["A: 1, B: 2, C: -3", "A: 1, B: 2, C: 3, D: -4, E: 0"] {
        let entry = format!("{{equation: H + O2 (+M) <=> HO2 (+M), type: falloff, {limits}, SRI: {{{sri}}}}}");
        assert!(reactions(&format!("- {entry}")).is_err_and(|e| e.to_string().contains("negative parameter")), "{sri}");
    }
}

#[test]
fn pressure_dependent_laws() {
    let r = one(
        "{equation: H2 + O2 <=> 2 OH, type: pressure-dependent-Arrhenius, rate-constants: [{P: 10 atm, A: 1e6, b: 0, Ea: 0}, {P: 1 atm, A: 2e6, b: 0, Ea: 0}, {P: 10.1325 bar, A: 3e6, b: 0, Ea: 0}]}",
    );
    let RateLaw::Plog(levels) = r.rate else { panic!() };
    assert_eq!(levels.iter().map(|l| (l.0, l.1.len())).collect::<Vec<_>>(), [(101325.0, 1), (1013250.0, 2)]);
    // 0.07 bar are 7000.000000000001 Pa.
    let r = one(
        "{equation: H2 + O2 <=> 2 OH, type: pressure-dependent-Arrhenius, rate-constants: [{P: 0.07 bar, A: 1, b: 0, Ea: 0}, {P: 7 kPa, A: 9, b: 0, Ea: 0}]}",
    );
    assert!(matches!(r.rate, RateLaw::Plog(levels) if levels.len() == 1 && levels[0].1.len() == 2));
    let r = one(
        "{equation: HO2 (+M) <=> OH + O2 + H (+M), type: Chebyshev, temperature-range: [290, 3000], pressure-range: [0.01 atm, 100 atm], data: [[8.0, 1.0], [2.0, 3.0]]}".replace("OH + O2 + H", "H + O2").as_str(),
    );
    let RateLaw::Chebyshev(c) = r.rate else { panic!() };
    assert_eq!((c.t, c.alpha), ([290.0, 3000.0], vec![vec![8.0, 1.0], vec![2.0, 3.0]]));
    near(c.p[1], 10132500.0);
    let r = one(
        "{equation: H + OH <=> H2 + O2, type: linear-Burke, colliders: [{name: M, type: pressure-dependent-Arrhenius, rate-constants: [{P: 1, A: 1, b: 0, Ea: 0}]}, {name: AR, efficiency: {A: 3, b: 0, Ea: 0}}]}".replace("H2 + O2", "H + OH").as_str(),
    );
    let RateLaw::LinearBurke(list) = r.rate else { panic!() };
    assert_eq!(list.iter().map(|c| c.species).collect::<Vec<_>>(), [None, Some(5)]);
    assert!(list[1].law.is_none());
}

#[test]
fn other_laws() {
    let r = one("{equation: O2 + H2 => H + HO2, type: Blowers-Masel, rate-constant: {A: 1, b: 0, Ea0: 5 K, w: 7 K}}");
    assert!(matches!(r.rate, RateLaw::BlowersMasel { w: 7.0, arrhenius: Arrhenius { e: 5.0, .. } }));
    let r = one(
        "{equation: O2 + H2 => H + HO2, type: two-temperature-plasma, rate-constant: {A: 1, b: 0, Ea-gas: 5 K, Ea-electron: 7 K}}",
    );
    assert!(matches!(r.rate, RateLaw::TwoTemperature { e_electron: 7.0, arrhenius: Arrhenius { e: 5.0, .. } }));
    refused("{equation: O2 + H2 => H + HO2, type: electron-collision-plasma}", "M0207");
    refused("{equation: O2 + H2 => H + HO2, sticking-coefficient: [1, 0, 0]}", "M0207");
    refused("{equation: O2 + H2 => H + HO2, type: fallof}", "M0208");
}

#[test]
fn orders_need_permission() {
    let r = one("{equation: H2 + 0.5 O2 => H2 + 0.5 O2, rate-constant: [1, 0, 0], orders: {O2: 2}}");
    assert_eq!(r.orders, Some(vec![(0, 1.0), (2, 2.0)]));
    let RateLaw::Arrhenius(k) = r.rate else { panic!() };
    near(k.a, 1e-12);
    refused("{equation: H + O2 <=> HO2, rate-constant: [1, 0, 0], orders: {O2: 2}}", "M0213");
    refused("{equation: H + O2 => HO2, rate-constant: [1, 0, 0], orders: {O2: -1}}", "M0213");
    refused("{equation: H + O2 => HO2, rate-constant: [1, 0, 0], orders: {AR: 1}}", "M0213");
    one(
        "{equation: H + O2 => HO2, rate-constant: [1, 0, 0], orders: {AR: -1}, nonreactant-orders: true, negative-orders: true}",
    );
}

#[test]
fn negative_factors_need_permission() {
    refused("{equation: H + O2 => HO2, rate-constant: [-1, 0, 0]}", "M0104");
    one("{equation: H + O2 => HO2, rate-constant: [-1, 0, 0], negative-A: true}");
    refused("{equation: H + O2 => HO2, rate-constant: [.inf, 0, 0]}", "M0106");
}

/// Cantera lets each side of an equation have 1e-4 of all its atoms more than the other.
#[test]
fn equations_are_balanced_to_some_digits() {
    one(&format!("{{equation: O2 + H2 => 1.9997 OH, {A}}}"));
    refused(&format!("{{equation: O2 + H2 => 1.999 OH, {A}}}"), "M0101");
    refused(&format!("{{equation: O2 + H2 => 2.001 OH, {A}}}"), "M0101");
}

/// 1 − 5 exp(−10000 K/T) is above zero up to 6213 K.
#[test]
fn sums_at_one_pressure_are_positive_wherever_it_is_hot() {
    let law = |a: f64| {
        format!(
            "{{equation: H2 + O2 <=> 2 OH, type: pressure-dependent-Arrhenius, rate-constants: [{{P: 1 atm, A: 1, b: 0, Ea: 0}}, \
             {{P: 1 atm, A: {a}, b: 0, Ea: 10000 K}}]}}"
        )
    };
    one(&law(-2.0));
    refused(&law(-5.0), "M0105");
}

#[test]
fn duplicates_are_found_in_either_direction() {
    let two = |a: &str, b: &str| reactions(&format!("- {{equation: {a}, {A}}}\n- {{equation: {b}, {A}}}"));
    let code = |r: Result<Network, Refusal>| r.err().map(|e| e.diagnostics[0].code);
    assert_eq!(code(two("H + O2 <=> HO2", "HO2 <=> O2 + H")), Some("M0102"));
    assert_eq!(code(two("H + O2 => HO2", "HO2 <=> O2 + H")), Some("M0102"));
    assert_eq!(code(two("H + O2 => HO2", "HO2 => O2 + H")), None);
    assert_eq!(code(two("H + O2 => HO2", "2 H + 2 O2 => 2 HO2")), Some("M0102"));
    assert_eq!(code(two("H2 + 1.5 AR => 2 H + 1.5 AR", "H2 + 1.55 AR => 2 H + 1.55 AR")), None);
    assert_eq!(code(two("H + O2 + AR => HO2 + AR", "H + O2 + H2 => HO2 + H2")), None);
    assert_eq!(code(two("H + O2 + M => HO2 + M", "H + O2 => HO2")), None);
    let n = two("H + O2 + M => HO2 + M", "H + O2 + AR => HO2 + AR").unwrap();
    assert_eq!((n.notes.len(), n.notes[0].code, n.notes[0].severity), (1, "M0108", Severity::Warning));
    refused(&format!("{{equation: H + O2 => HO2, duplicate: true, {A}}}"), "M0103");
}

#[test]
fn the_broadening_tells_falloff_reactions_apart() {
    let limits = "low-P-rate-constant: [1e12, 0, 0], high-P-rate-constant: [1e6, 0, 0]";
    // Reactions of one line are of one type.
    let forms: [&[&str]; 4] = [
        &[""],
        &[", Troe: {A: 0.5, T3: 1, T1: 2}", ", Troe: {A: 0.5, T3: 1, T1: 2, T2: 3}"],
        &[", SRI: {A: 1, B: 2, C: 3}", ", SRI: {A: 1, B: 2, C: 3, D: 1.2, E: 0.1}"],
        &[", Tsang: {A: 0.9, B: -1e-4}"],
    ];
    let all = || forms.iter().enumerate().flat_map(|(i, list)| list.iter().map(move |form| (i, form)));
    for kind in ["falloff", "chemically-activated"] {
        let entry = |form: &str| format!("- {{equation: H + O2 (+M) <=> HO2 (+M), type: {kind}, {limits}{form}}}\n");
        for ((i, a), (j, b)) in all().flat_map(|a| all().map(move |b| (a, b))) {
            let found = reactions(&(entry(a) + &entry(b))).map_err(|e| e.diagnostics[0].code);
            assert_eq!(found.is_err(), i == j, "{a} {b}");
            assert!(found.err().is_none_or(|code| code == "M0102"));
        }
    }
}

/// M with a single efficiency is still M: Cantera goes by how the equation is written.
#[test]
fn m_of_one_species_is_no_explicit_collider() {
    let one = format!("H + O2 + M => HO2 + M, efficiencies: {{AR: 1}}, default-efficiency: 0, {A}");
    let (any, argon) = (format!("H + O2 + M => HO2 + M, {A}"), format!("H + O2 + AR => HO2 + AR, {A}"));
    let two = |a: &str, b: &str| reactions(&format!("- {{equation: {a}}}\n- {{equation: {b}}}"));
    for other in [&one, &any] {
        assert_eq!(two(&one, other).err().map(|e| e.diagnostics[0].code), Some("M0102"));
    }
    for n in [two(&one, &argon).unwrap(), two(&argon, &one).unwrap()] {
        assert_eq!((n.notes.len(), n.notes[0].code, n.notes[0].severity), (1, "M0108", Severity::Warning));
    }
    let n = text(format!(
        "{UNITS}phases: [{{name: g, thermo: ideal-gas, kinetics: gas, explicit-third-body-duplicates: modify-efficiency}}]\n{SPECIES}reactions:\n- {{equation: {one}}}\n- {{equation: {argon}}}\n"
    ))
    .unwrap();
    let efficiencies = |i: usize| n.reactions[i].third_body.as_ref().unwrap().efficiencies.clone();
    assert_eq!((efficiencies(0), efficiencies(1)), (vec![(5, 0.0)], vec![(5, 1.0)]));
}

#[test]
fn explicit_third_body_duplicates_as_asked() {
    let with = |option: &str| {
        text(format!(
            "{UNITS}phases: [{{name: g, thermo: ideal-gas, kinetics: gas, explicit-third-body-duplicates: {option}}}]\n{SPECIES}reactions:\n- {{equation: H + O2 + M => HO2 + M, {A}}}\n- {{equation: H + O2 + AR => HO2 + AR, {A}}}\n"
        ))
    };
    assert!(with("error").is_err());
    assert!(with("mark-duplicate").unwrap().reactions.iter().all(|r| r.duplicate));
    let n = with("modify-efficiency").unwrap();
    assert_eq!(n.reactions[0].third_body.as_ref().unwrap().efficiencies, [(5, 0.0)]);
    assert!(n.notes.is_empty());
}

/// That such pairs are meant says nothing of others, and a mark in the file has to have its own partner.
#[test]
fn marks_of_explicit_third_bodies_hide_no_others() {
    let (any, argon) = ("H + O2 + M => HO2 + M", "H + O2 + AR => HO2 + AR");
    let with = |equations: &[&str]| {
        let entries: String = equations.iter().map(|e| format!("- {{equation: {e}, {A}}}\n")).collect();
        let read = text(format!(
            "{UNITS}phases: [{{name: g, thermo: ideal-gas, kinetics: gas, explicit-third-body-duplicates: mark-duplicate}}]\n{SPECIES}reactions:\n{entries}"
        ));
        read.map_or_else(|e| e.diagnostics, |n| n.notes).iter().map(|d| d.code).collect::<Vec<_>>()
    };
    let marked = |equation: &str| format!("{equation}, duplicate: true");
    assert_eq!(with(&[any, any, argon]), ["M0102"]);
    assert_eq!(with(&[argon, any, any]), ["M0102"]);
    assert_eq!(with(&[any, argon, argon]), ["M0102"]);
    assert_eq!(with(&[&marked(any), argon]), ["M0103"]);
    assert_eq!(with(&[&marked(any), &marked(any), argon]), [""; 0]);
}

/// Each later duplicate is told once, against the first of its kind, however many there are.
#[test]
fn duplicates_are_told_once_each() {
    let codes = |entries: String| {
        let found = reactions(&entries).map_or_else(|e| e.diagnostics, |n| n.notes);
        found.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    let one = |equation: &str| format!("- {{equation: {equation}, {A}}}\n");
    assert_eq!(codes(one("H + O2 => HO2").repeat(3000)), ["M0102"; 2999]);
    // Another direction and multiples of the coefficients are the same, and marked ones are partners of each other.
    let marked = one("H + O2 => HO2, duplicate: true").repeat(2);
    assert_eq!(codes(marked.clone()), [""; 0]);
    assert_eq!(codes(marked + &one("HO2 <=> H + O2") + &one("2 H + 2 O2 <=> 2 HO2")), ["M0102"; 2]);
    let (any, argon) = (one("H + O2 + M => HO2 + M"), one("H + O2 + AR => HO2 + AR"));
    assert_eq!(codes(any.repeat(2) + &argon.repeat(2)), ["M0102", "M0108", "M0102"]);
}

#[test]
fn all_generic_colliders_are_changed_as_asked() {
    let any = format!("- {{equation: H + O2 + M => HO2 + M, duplicate: true, {A}}}\n").repeat(2);
    let n = text(format!(
        "{UNITS}phases: [{{name: g, thermo: ideal-gas, kinetics: gas, explicit-third-body-duplicates: modify-efficiency}}]\n{SPECIES}reactions:\n{any}- {{equation: H + O2 + AR => HO2 + AR, {A}}}\n"
    ))
    .unwrap();
    for r in &n.reactions[..2] {
        assert_eq!(r.third_body.as_ref().unwrap().efficiencies, [(5, 0.0)]);
    }
}

#[test]
fn species_named_like_other_things_stay_species() {
    let n = text(
        "phases: [{name: g, thermo: ideal-gas, species: [NO, N, Y, no]}]\nspecies:\n".to_owned()
            + &["NO", "N", "Y", "no"]
                .map(|s| format!("- {{name: {s}, composition: {{N: 1}}, thermo: {{model: constant-cp}}}}\n"))
                .concat(),
    )
    .unwrap();
    assert_eq!(n.species.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["NO", "N", "Y", "no"]);
}

#[test]
fn thermo_models() {
    let thermo = |t: &str| {
        let text = format!(
            "phases: [{{name: g, thermo: ideal-gas}}]\nspecies: [{{name: X, composition: {{H: 1}}, thermo: {t}}}]\n"
        );
        self::text(text).map(|n| n.species[0].thermo.clone())
    };
    let t =
        thermo("{model: NASA7, temperature-ranges: [200, 1000], data: [[1,2,3,4,5,6,7]], reference-pressure: 1 bar}")
            .unwrap();
    assert_eq!(t.reference_pressure, 1e5);
    assert!(matches!(&t.form, ThermoForm::Nasa7(r) if r.len() == 1 && r[0].high == 1000.0));
    let t = thermo("{model: NASA9, temperature-ranges: [200, 1000, 6000, 20000], data: [[1,2,3,4,5,6,7,8,9],[1,2,3,4,5,6,7,8,9],[1,2,3,4,5,6,7,8,9]]}").unwrap();
    assert!(matches!(&t.form, ThermoForm::Nasa9(r) if r.len() == 3));
    let t = thermo("{model: Shomate, temperature-ranges: [298, 1300, 6000], data: [[1,2,3,4,5,6,7],[1,2,3,4,5,6,7]]}")
        .unwrap();
    assert!(matches!(&t.form, ThermoForm::Shomate(r) if r.len() == 2));
    let t = thermo("{model: constant-cp, T0: 1000 K, h0: 9.22 kcal/mol, s0: -3.02 cal/mol/K, cp0: 5.95 cal/mol/K}")
        .unwrap();
    let ThermoForm::ConstantCp { t0, h0, range, .. } = t.form else { panic!() };
    assert_eq!((t0, range), (1000.0, [0.0, f64::INFINITY]));
    near(h0, 9.22 * 4184.0);
    for bad in [
        "{model: piecewise-Gibbs}",
        "{model: NASA7, temperature-ranges: [200, 1000], data: [[1,2,3,4,5,6]]}",
        "{model: NASA7, temperature-ranges: [1000, 200], data: [[1,2,3,4,5,6,7]]}",
        "{model: NASA7, temperature-ranges: [200, 200], data: [[1,2,3,4,5,6,7]]}",
        "{model: NASA7, temperature-ranges: [200, 1000, 900], data: [[1,2,3,4,5,6,7],[1,2,3,4,5,6,7]]}",
        "{model: NASA7, temperature-ranges: [200, 1000, 3000], data: [[1,2,3,4,5,6,7]]}",
        "{model: NASA7, temperature-ranges: [200, 1000], data: [[1,2,3,4,5,6,x]]}",
    ] {
        assert!(thermo(bad).is_err(), "{bad}");
    }
}

/// Cantera writes the only range of a species and an empty one after it.
#[test]
fn empty_temperature_ranges_are_left_out() {
    let read = |thermo: &str| {
        let n = text(format!(
            "phases: [{{name: g, thermo: ideal-gas}}]\nspecies:\n- {{name: H, composition: {{H: 1}}, thermo: {thermo}}}\n"
        ))
        .unwrap_or_else(|e| panic!("{e}"));
        let limits: Vec<_> = match &n.species[0].thermo.form {
            ThermoForm::Nasa7(r) | ThermoForm::Shomate(r) => r.iter().map(|r| (r.low, r.high, r.a[0])).collect(),
            ThermoForm::Nasa9(r) => r.iter().map(|r| (r.low, r.high, r.a[0])).collect(),
            other => panic!("{other:?}"),
        };
        (limits, n.notes.iter().map(|d| d.code).collect::<Vec<_>>())
    };
    let (one, two, three) = ("[1,2,3,4,5,6,7]", "[2,2,3,4,5,6,7]", "[1,2,3,4,5,6,7,8,9]");
    for model in ["NASA7", "Shomate"] {
        let of = |limits: &str, rows: &str| {
            read(&format!("{{model: {model}, temperature-ranges: {limits}, data: [{rows}]}}"))
        };
        assert_eq!(of("[300, 5000.0, 5000.0]", &format!("{one}, {one}")), (vec![(300.0, 5000.0, 1.0)], vec![]));
        assert_eq!(of("[300, 5000.0, 5000.0]", &format!("{one}, {two}")), (vec![(300.0, 5000.0, 1.0)], vec!["M0216"]));
        assert_eq!(of("[300, 300, 5000.0]", &format!("{one}, {two}")), (vec![(300.0, 5000.0, 2.0)], vec!["M0216"]));
    }
    let nine = format!(
        "{{model: NASA9, temperature-ranges: [200, 1000, 1000, 6000, 6000], data: [{three}, {three}, {three}, {three}]}}"
    );
    assert_eq!(read(&nine), (vec![(200.0, 1000.0, 1.0), (1000.0, 6000.0, 1.0)], vec![]));
}

#[test]
fn elements_can_be_defined_and_left_out() {
    let species = "species:\n- {name: X, composition: {Q: 2}, thermo: {model: constant-cp}}\n- {name: H, composition: {H: 1}, thermo: {model: constant-cp}}\n";
    let n = text(format!("phases: [{{name: g, thermo: ideal-gas, elements: [H, Q]}}]\nelements: [{{symbol: Q, atomic-weight: 10}}]\n{species}")).unwrap();
    assert_eq!(n.species[0].molar_mass, 0.02);
    let n = text(format!(
        "phases: [{{name: g, thermo: ideal-gas, elements: [H], skip-undeclared-elements: true}}]\n{species}"
    ))
    .unwrap();
    assert_eq!((n.species.len(), n.notes[0].severity), (1, Severity::Note));
    assert!(text(format!("phases: [{{name: g, thermo: ideal-gas, elements: [H]}}]\n{species}")).is_err());
    // Without a list every element is declared.
    let open = species.replace('Q', "N");
    let n = text(format!("phases: [{{name: g, thermo: ideal-gas, skip-undeclared-elements: true}}]\n{open}")).unwrap();
    assert_eq!((n.species.len(), n.notes.len()), (2, 0));
}

#[test]
fn exact_elements_are_preferred() {
    let with = |elements: &str| {
        text(format!(
            "phases: [{{name: g, thermo: ideal-gas, elements: [{elements}]}}]\nelements: [{{symbol: CO, atomic-weight: 10}}]\nspecies:\n- {{name: X, composition: {{Co: 1}}, thermo: {{model: constant-cp}}}}\n"
        ))
    };
    let n = with("CO, Co").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((n.species[0].composition.clone(), n.notes.len()), (vec![(1, 1.0)], 0));
    assert!(with("CO").unwrap_err().to_string().contains("does not list"));
}

#[test]
fn undeclared_species_follow_the_rules() {
    let with = |options: &str, entry: &str| {
        text(format!(
            "{UNITS}phases: [{{name: g, thermo: ideal-gas, kinetics: gas, species: [H, O2, HO2], {options}}}]\n{SPECIES}reactions:\n- {{equation: {entry}, {A}}}\n"
        ))
        .map(|n| n.reactions.len())
    };
    assert!(with("reactions: all", "H + OH => H + OH").is_err());
    assert_eq!(with("reactions: declared-species", "H + OH => H + OH").unwrap(), 0);
    assert!(with("reactions: all", "H + O2 + AR => HO2 + AR").is_err());
    assert!(with("reactions: declared-species", "H + O2 + AR => HO2 + AR").is_err());
    assert_eq!(
        with("reactions: declared-species, skip-undeclared-third-bodies: true", "H + O2 + AR => HO2 + AR").unwrap(),
        0
    );
    assert_eq!(
        with("reactions: all, skip-undeclared-third-bodies: true", "H + O2 + M => HO2 + M, efficiencies: {AR: 2}")
            .unwrap(),
        1
    );
    // A collider of its own takes its reaction along, as in Cantera.
    assert_eq!(with("reactions: all, skip-undeclared-third-bodies: true", "H + O2 + AR => HO2 + AR").unwrap(), 0);
    let falloff = format!(
        "{UNITS}phases: [{{name: g, thermo: ideal-gas, kinetics: gas, species: [H, O2, HO2], reactions: all, skip-undeclared-third-bodies: true}}]\n{SPECIES}reactions:\n- {{equation: H + O2 (+AR) <=> HO2 (+AR), type: falloff, low-P-rate-constant: {{A: 1, b: 0, Ea: 0}}, high-P-rate-constant: {{A: 1, b: 0, Ea: 0}}}}\n"
    );
    let network = text(falloff).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((network.reactions.len(), network.notes.len(), network.notes[0].code), (0, 1, "M0215"));
    assert!(with("reactions: all", "H + O2 + M => HO2 + M, efficiencies: {AR: 2}").is_err());
    // Colliders of linear-Burke rates are left out in any case, but not without a word where the phase does not ask for it.
    let burke = |options: &str| {
        let n = text(format!(
            "{UNITS}phases: [{{name: g, thermo: ideal-gas, kinetics: gas, species: [H, O2, HO2]{options}}}]\n{SPECIES}reactions:\n- {{equation: H + O2 <=> HO2, type: linear-Burke, colliders: [{{name: M, type: pressure-dependent-Arrhenius, rate-constants: [{{P: 1, A: 1, b: 0, Ea: 0}}]}}, {{name: AR, efficiency: {{A: 3, b: 0, Ea: 0}}}}]}}\n"
        ))
        .unwrap_or_else(|e| panic!("{e}"));
        assert!(matches!(&n.reactions[0].rate, RateLaw::LinearBurke(colliders) if colliders.len() == 1));
        n.notes.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!(burke(""), ["M0215"]);
    assert_eq!(burke(", skip-undeclared-third-bodies: true"), [""; 0]);
}

/// What reactions say of a species that its phase misspells is no finding of its own.
#[test]
fn a_species_that_is_not_defined_is_told_once() {
    let phase = "phases: [{name: gas, thermo: ideal-gas, species: [H2, H, O2, HO2, Argon], kinetics: gas}]\n";
    let entries = "- {equation: H + O2 + M => HO2 + M, A, efficiencies: {Argon: 2}}\n- {equation: 2 H + Argon => H2 + Argon, A}\n";
    let e =
        text(format!("{UNITS}{phase}{SPECIES}reactions:\n{}", entries.replace(", A", &format!(", {A}")))).unwrap_err();
    assert_eq!(e.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["M0203"], "{e}");
}

#[test]
fn every_problem_is_reported_in_one_run() {
    let e = reactions(&format!(
        "- {{equation: H + O3 => HO2, {A}}}\n- {{equation: H + O2 => OH, {A}}}\n- {{equation: H + O2 => HO2}}\n- {{equation: H => => H2, {A}}}"
    ))
    .unwrap_err();
    let codes: Vec<_> = e.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["M0203", "M0201", "M0206", "M0101"]);
}

#[test]
fn no_species_is_named_as_the_collider() {
    let species = "species:\n- {name: M, composition: {H: 1}, thermo: {model: constant-cp}}\n";
    let e = text(format!("phases: [{{name: g, thermo: ideal-gas, elements: [H]}}]\n{species}")).unwrap_err();
    assert_eq!(e.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["M0212"]);
}

/// Generated files may have very many keys: the time is linear in their number.
#[test]
fn many_keys_take_little_time() {
    let keys: String = (0..60_000).map(|i| format!("k{i}: 1\n")).collect();
    let start = std::time::Instant::now();
    let n = text(format!("phases: [{{name: g, thermo: ideal-gas, elements: [H], species: [H]}}]\n{keys}k7: 2\nspecies:\n- {{name: H, composition: {{H: 1}}, thermo: {{model: constant-cp}}}}\n")).unwrap();
    assert_eq!(n.notes.iter().map(|n| n.code).collect::<Vec<_>>(), ["M0211"]);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
