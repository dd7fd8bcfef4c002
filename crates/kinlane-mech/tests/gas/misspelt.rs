//! Entries of YAML files that nothing reads.

use std::path::Path;

use kinlane_mech::{Network, Refusal, cantera};

const SPECIES: &str = "
- {name: A, composition: {H: 2}, thermo: &t {model: constant-cp, h0: 1 kJ/mol, cp0: 20 J/mol/K}}
- {name: B, composition: {H: 2}, thermo: *t}
- {name: AR, composition: {Ar: 1}, thermo: *t}
";
const REACTION: &str = "{equation: A => B, rate-constant: {A: 1, b: 0, Ea: 0}}";

fn read(phase: &str, species: &str, reaction: &str, top: &str) -> Result<Network, Refusal> {
    let head = format!("phases: [{{name: gas, thermo: ideal-gas, {phase}}}]\n{top}");
    let text = format!("{head}\nspecies:{SPECIES}{species}\nreactions:\n- {reaction}\n");
    cantera::read_str(text, Path::new("test.yaml"), None, &[])
}

/// What is told of a file that is read all the same: the message, and its advice.
fn told(phase: &str, species: &str, reaction: &str, top: &str) -> Vec<(String, String)> {
    let network = read(phase, species, reaction, top).unwrap_or_else(|e| panic!("{e}"));
    network.notes.iter().map(|d| (d.message.clone(), d.help.clone().unwrap_or_default())).collect()
}

#[test]
fn misspelt_entries_are_told() {
    let gas = "kinetics: gas";
    assert_eq!(told(gas, "", REACTION, ""), []);
    let species = |entry: &str| told(gas, entry, REACTION, "");
    let of_b = |thermo: &str| species(&format!("- {{name: C, composition: {{H: 2}}, thermo: {thermo}}}"));
    for (found, entry, meant) in [
        (of_b("{model: constant-cp, H0: 5 kJ/mol}"), "`H0` of thermo of `C`", "`h0`"),
        (of_b("{model: constant-cp, T-0: 500}"), "`T-0` of thermo of `C`", "`T0`"),
        (of_b("{model: constant-cp, reference-presure: 1 bar}"), "`reference-presure`", "`reference-pressure`"),
        (of_b("{model: constant-cp, unit: {energy: J}}"), "`unit` of thermo", "`units`"),
        (
            species("- {name: C, compositon: {H: 1}, composition: {H: 2}, thermo: *t, transprt: {}}"),
            "`transprt` of species `C`",
            "`transport`",
        ),
        (told("kinetics: gas, reaction: all", "", REACTION, ""), "`reaction` of phase `gas`", "`reactions`"),
        (told(gas, "", REACTION, "unit: {length: cm}"), "`unit` of the file", "`units`"),
    ] {
        let [(message, help)] = &found[..] else { panic!("{found:?}") };
        assert!(message.contains(entry) && help.contains(meant), "{message}: {help}");
    }
    // Entries of one's own are nobody's business.
    let own = "- {name: C, composition: {H: 2}, thermo: {model: constant-cp, source: me, T-ref: 1}, fit: 3, H298: 1}";
    assert_eq!(told("kinetics: gas", own, REACTION, "my-notes: [1, 2]"), []);
    // But in phases and reactions they may be meant to change the chemistry. Each name is told once.
    let found = told("kinetics: gas, qssa_species: [B]", "", REACTION, "");
    assert!(matches!(&found[..], [(message, _)] if message.contains("`qssa_species` of phase `gas`")), "{found:?}");
    let reaction =
        |entries: &str| format!("{{equation: A + M => B + M, rate-constant: {{A: 1, b: 0, Ea: 0}}, {entries}}}");
    for entry in ["efficency: {AR: 6}", "third-body-efficiency: {AR: 6}", "rate-multiplier: 2", "foo: 1"] {
        let both = format!("{}\n- {}", reaction(entry), reaction(&format!("duplicate: true, {entry}")));
        let key = entry.split(':').next().unwrap_or_default();
        let found = told(gas, "", &both.replacen(entry, &format!("duplicate: true, {entry}"), 1), "");
        let [(message, help)] = &found[..] else { panic!("{found:?}") };
        assert!(
            message.contains(&format!("`{key}` of reaction")) && help.contains("efficiencies"),
            "{message}: {help}"
        );
    }
}

#[test]
fn data_of_another_law_are_told() {
    let gas = "kinetics: gas";
    let k = "{A: 1, b: 0, Ea: 0}";
    let falloff = format!("type: falloff, low-P-rate-constant: {k}, high-P-rate-constant: {k}");
    for (reaction, entry, law) in [
        (format!("{{equation: A => B, rate-constant: {k}, Troe: {{A: 0.5, T3: 1, T1: 2}}}}"), "`Troe`", "falloff"),
        (
            format!("{{equation: A => B, rate-constant: {k}, rate-constants: []}}"),
            "`rate-constants`",
            "pressure-dependent",
        ),
        (format!("{{equation: A (+M) => B (+M), {falloff}, colliders: []}}"), "`colliders`", "linear-Burke"),
        (format!("{{equation: A (+M) => B (+M), {falloff}, rate-constant: {k}}}"), "`rate-constant`", "Arrhenius"),
    ] {
        let found = told(gas, "", &reaction, "");
        let [(message, help)] = &found[..] else { panic!("{found:?}") };
        assert!(message.contains(entry) && help.contains(law), "{message}: {help}");
    }
    // What is said on purpose is not questioned, and what cannot be is refused.
    assert_eq!(told("kinetics: none", "", REACTION, ""), []);
    let cold = "- {name: C, composition: {H: 2}, thermo: {model: constant-cp, T0: 0, h0: 1 kJ/mol}}";
    let refused = read(gas, cold, REACTION, "").expect_err("no temperature").to_string();
    assert!(refused.contains("M0214") && refused.contains("`T0` is not above zero"), "{refused}");
}

#[test]
fn reactions_that_no_phase_reads_are_told() {
    let found = told("kinetic: gas", "", REACTION, "");
    assert!(
        found.iter().any(|(message, help)| message.contains("`kinetic`") && help.contains("`kinetics`")),
        "{found:?}"
    );
    assert!(found.iter().any(|(message, _)| message.contains("the file's reactions are not read")), "{found:?}");
    assert_eq!(told("reactions: none", "", REACTION, ""), []);
    // Cantera loads them, but has no rates of them.
    for none in ["none", "None"] {
        let phase = format!("kinetics: {none}, reactions: all");
        let network = read(&phase, "", REACTION, "").unwrap_or_else(|e| panic!("{e}"));
        assert!(network.reactions.is_empty());
        let [(message, help)] = &told(&phase, "", REACTION, "")[..] else { panic!("{:?}", network.notes) };
        assert!(message.contains("are not read") && help.contains("`kinetics: gas`"), "{message}: {help}");
    }
}

#[test]
fn colliders_take_no_other_entries() {
    let law = |more: &str, ar: &str| {
        let k = |a: f64| format!("{{A: {a}, b: 0, Ea: 0}}");
        let falloff = format!("type: falloff, low-P-rate-constant: {}, high-P-rate-constant: {}", k(1e12), k(1e6));
        let m = format!("{{name: M, {falloff}, {more}}}");
        let ar = format!("{{name: AR, efficiency: {}, {ar}}}", k(2.0));
        told("kinetics: gas", "", &format!("{{equation: A <=> B, type: linear-Burke, colliders: [{m}, {ar}]}}"), "")
    };
    assert_eq!(law("Troe: {A: 0.5, T3: 100, T1: 1000}", "note: my own"), []);
    for (found, entry) in [
        (law("TRoe: {A: 0.5, T3: 100, T1: 1000}", ""), "`TRoe` of collider `M`"),
        (law("efficiencies: {AR: 2}", ""), "`efficiencies` of collider `M`"),
        // Without a type it has no law of its own.
        (law("", "Troe: {A: 0.5, T3: 100, T1: 1000}"), "`Troe` of collider `AR`"),
    ] {
        let [(message, _)] = &found[..] else { panic!("{found:?}") };
        assert!(message.contains(entry), "{message}");
    }
}

#[test]
fn a_reactant_that_is_the_collider_is_named_so() {
    let e = read(
        "kinetics: gas",
        "- {name: C, composition: {H: 4}, thermo: *t}",
        "{equation: A + B + AR => C + AR, orders: {AR: 0.5}, rate-constant: {A: 1, b: 0, Ea: 0}}",
        "",
    )
    .expect_err("an order of the collider");
    let d = &e.diagnostics[0];
    assert!(d.labels[0].1.contains("`AR` stands on both sides"), "{e}");
    assert!(d.help.as_deref().is_some_and(|help| help.contains("`type: elementary`")), "{e}");
}

/// What a refusal says: its advice leads to a file that is right, not to one that is read with another meaning.
#[test]
fn advice_leads_somewhere() {
    let refused = |reaction: &str, top: &str| match read("kinetics: gas", "", reaction, top) {
        Ok(_) => panic!("{reaction} {top} is read"),
        Err(e) => e.to_string(),
    };
    for (units, meant) in [("quantity: moles", "`mole`"), ("time: minn", "`min`"), ("quantity: mols", "`mol`")] {
        let said = refused(REACTION, &format!("units: {{{units}}}"));
        assert!(said.contains(&format!("did you mean {meant}?")), "{units}: {said}");
    }
    let plog = "{equation: A (+M) => B (+M), type: pressure-dependent-Arrhenius, rate-constants: [{P: 1 atm, A: 1, b: 0, Ea: 0}]}";
    let said = refused(plog, "");
    assert!(said.contains("depends on pressure by itself: leave it out"), "{said}");
}

/// An element in two spellings is one element, with the atoms of both.
#[test]
fn elements_in_two_spellings_are_added() {
    let species = "- {name: C, composition: {H: 1, h: 1}, thermo: *t}";
    let network = read("kinetics: gas", species, REACTION, "").unwrap_or_else(|e| panic!("{e}"));
    let of = |name: &str| network.species.iter().find(|s| s.name == name).expect("a species");
    assert_eq!((&of("C").composition, of("C").molar_mass), (&of("A").composition, of("A").molar_mass));
    assert!(network.notes.iter().any(|d| d.message.contains("`C` has an element twice")), "{:?}", network.notes);
}

/// Each unknown name is compared with all known ones; of thousands of them the first are.
#[test]
fn the_first_unknown_names_have_a_suggestion() {
    let reactions: Vec<String> =
        (0..1000).map(|i| format!("{{equation: A => B{}, rate-constant: {{A: 1, b: 0, Ea: 0}}}}", i % 10)).collect();
    let refusal = read("kinetics: gas", "", &reactions.join("\n- "), "").expect_err("unknown species");
    let has: Vec<bool> = refusal.diagnostics.iter().map(|d| d.help.is_some()).collect();
    assert_eq!((has.len(), has[0], has[999]), (1000, true, false), "{:?}", refusal.diagnostics[0]);
}
