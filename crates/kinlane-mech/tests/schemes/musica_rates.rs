//! Rate constants of configurations of MICM and MUSICA, against their formulas written out.

use crate::common::{Cell, rate_constants};
use kinlane_mech::musica::read_str;
use kinlane_mech::scheme::Scheme;

/// Boltzmann's constant, Avogadro's, and molecules per cm³ in one mole per m³.
const K: f64 = 1.380649e-23;
const NA: f64 = 6.02214076e23;
const N: f64 = 6.02214076e17;

/// A cell of the lower stratosphere.
const T: f64 = 217.5;
const P: f64 = 5500.0;
const M: f64 = 1.83e18;

/// Version 0: reactions among A, B, C and the third body M.
fn zero(reactions: &str) -> Scheme {
    let species = r#"{"type": "CHEM_SPEC", "name": "A", "molecular weight [kg mol-1]": 0.108,
        "diffusion coefficient [m2 s-1]": "2.1e-5"}, {"type": "CHEM_SPEC", "name": "B"},
        {"type": "CHEM_SPEC", "name": "C"}, {"type": "CHEM_SPEC", "name": "M", "tracer type": "THIRD_BODY"},
        {"type": "CHEM_SPEC", "name": "O2", "tracer type": "CONSTANT"}"#;
    let text =
        format!(r#"{{"camp-data": [{species}, {{"type": "MECHANISM", "name": "m", "reactions": [{reactions}]}}]}}"#);
    read_str(("test.json", &text)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Version 1: the same, and two species that the file holds.
fn one(reactions: &str) -> Scheme {
    let text = format!(
        "version: 1.1.0\nspecies:\n- {{name: A, 'molecular weight [kg mol-1]': 0.108}}\n- {{name: B}}\n- {{name: C}}\n\
         - {{name: M, is third body: true}}\n- {{name: H2, 'constant concentration [mol m-3]': 3.0e-6}}\n\
         - {{name: O2, 'constant mixing ratio [mol mol-1]': 0.21}}\nphases:\n- name: gas\n  species: [\
         {{name: A, 'diffusion coefficient [m2 s-1]': 2.1e-5}}, B, C, M, H2, O2]\nreactions:\n{reactions}"
    );
    read_str(("test.yaml", &text)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Rate constants, with inputs by name.
fn rates(scheme: &Scheme, given: &[(&str, f64)]) -> Vec<f64> {
    let value = |name: &str| match name {
        "C_M" => M,
        "PRESSURE" => P,
        _ => given.iter().find(|g| g.0 == name).unwrap_or_else(|| panic!("{name} is not wanted")).1,
    };
    let cell = Cell {
        temperature: T,
        inputs: scheme.inputs.iter().map(|(name, _)| value(name)).collect(),
        photolysis: scheme.photolysis.iter().map(|name| value(name)).collect(),
        ..Cell::of(scheme)
    };
    rate_constants(scheme, &cell)
}

fn close(own: &[f64], expected: &[f64]) {
    assert_eq!(own.len(), expected.len(), "{own:?}");
    for (own, expected) in own.iter().zip(expected) {
        let off = if own == expected { 0.0 } else { (own / expected - 1.0).abs() };
        assert!(off < 1e-13, "{own} {expected}");
    }
}

/// 1/(1 + r) F^(N/(N + log² r)).
fn broadening(r: f64, fc: f64, n: f64) -> f64 {
    fc.powf(n / (n + r.log10().powi(2))) / (1.0 + r)
}

/// What was read, by names: reactants, fixed ones and products.
fn sides(scheme: &Scheme, i: usize) -> [Vec<(&str, f64)>; 3] {
    let step = &scheme.reactions[i];
    let names = |list: &[(usize, f64)], of: &'_ [kinlane_mech::scheme::Part]| -> Vec<(String, f64)> {
        list.iter().map(|&(i, n)| (of[i].name.clone(), n)).collect()
    };
    [names(&step.reactants, &scheme.species), names(&step.fixed, &scheme.fixed), names(&step.products, &scheme.species)]
        .map(|list| list.into_iter().map(|(name, n)| (&*name.leak(), n)).collect())
}

#[test]
fn sides_and_orders() {
    let scheme = zero(
        r#"{"type": "ARRHENIUS", "reactants": {"A": {"qty": 2}, "M": {}}, "products": {"B": {"yield": 0.3}, "M": {}, "C": {}}},
           {"type": "ARRHENIUS", "reactants": {"A": {}, "O2": {"qty": 2}}, "products": {}},
           {"type": "EMISSION", "species": "B", "MUSICA name": "b"}"#,
    );
    assert_eq!(sides(&scheme, 0), [vec![("A", 2.0)], vec![("M", 1.0)], vec![("B", 0.3), ("C", 1.0)]]);
    assert_eq!(sides(&scheme, 1), [vec![("A", 1.0)], vec![("O2", 2.0)], vec![]]);
    assert_eq!(sides(&scheme, 2), [vec![], vec![], vec![("B", 1.0)]]);
    assert_eq!(scheme.reactions[0].label, "2 A + M -> 0.3 B + M + C");
    assert_eq!((scheme.reactions[1].label.as_str(), scheme.reactions[2].label.as_str()), ("A + 2 O2 ->", "b"));
    // Entries of one species add up.
    let scheme = one("- type: ARRHENIUS\n  name: R\n  gas phase: gas\n  reactants: [{name: A}, {species name: A}]\n  \
         products: [{name: B, coefficient: 0.25}, {name: B, coefficient: 0.5}]\n");
    assert_eq!(sides(&scheme, 0), [vec![("A", 2.0)], vec![], vec![("B", 0.75)]]);
    close(&rates(&scheme, &[]), &[1.0 / N]);
}

#[test]
fn arrhenius() {
    let sides = r#""type": "ARRHENIUS", "reactants": {"A": {}, "B": {}}, "products": {"C": {}}"#;
    let scheme = zero(&format!(
        r#"{{{sides}, "A": 2.5e-12, "B": -1.3, "C": 110, "D": 298, "E": 6e-6}}, {{{sides}}},
           {{{sides}, "A": 3e-12, "Ea": 2.1e-20}}, {{{sides}, "A": "3e-12", "C": 0, "Ea": 2.1e-20, "B": 1}}"#
    ));
    let ea = (-2.1e-20 / (K * T)).exp();
    close(
        &rates(&scheme, &[]),
        &[
            2.5e-12 * (110.0 / T).exp() * (T / 298.0).powf(-1.3) * (1.0 + 6e-6 * P),
            1.0,
            3e-12 * ea,
            3e-12 * ea * (T / 300.0),
        ],
    );
    let side = |n: usize| {
        format!(
            "{{type: ARRHENIUS, gas phase: gas, A: 1.5e6, C: -200, reactants: [{}], products: []}}",
            vec!["A"; n].join(", ")
        )
    };
    let scheme = one(&format!("- {}\n- {}\n- {}\n- {}\n", side(0), side(1), side(2), side(3)));
    let k = 1.5e6 * (-200.0 / T).exp();
    close(&rates(&scheme, &[]), &[k * N, k, k / N, k / N / N]);
}

#[test]
fn taylor_series() {
    let scheme = one("- {type: TAYLOR_SERIES, gas phase: gas, A: 12.3, B: -1.5, C: 40, D: 340, E: 3.2e-5, \
         taylor coefficients: [1.0, 0.1, -2e-4], reactants: [A, B], products: [C]}\n\
         - {type: TAYLOR_SERIES, gas phase: gas, A: 2, reactants: [A], products: [C]}\n");
    let series = 1.0 + 0.1 * T - 2e-4 * T * T;
    let k = series * 12.3 * (40.0 / T).exp() * (T / 340.0).powf(-1.5) * (1.0 + 3.2e-5 * P);
    close(&rates(&scheme, &[]), &[k / N, 2.0]);
}

#[test]
fn troe() {
    let sides = r#""type": "TROE", "reactants": {"A": {}, "B": {}}, "products": {"C": {}}"#;
    let scheme = zero(&format!(
        r#"{{{sides}, "k0_A": 5.5e-30, "k0_B": -1.2, "k0_C": 30, "kinf_A": 8.3e-13, "kinf_B": 2, "kinf_C": -20, "Fc": 0.5, "N": 0.8}},
           {{{sides}, "k0_A": 1.8e-30, "k0_B": -3, "kinf_A": 2.8e-11}}, {{{sides}}}"#
    ));
    let law = |k0: f64, kinf: f64, fc, n| k0 * M * broadening(k0 * M / kinf, fc, n);
    let low = 5.5e-30 * (30.0 / T).exp() * (T / 300.0).powf(-1.2);
    let high = 8.3e-13 * (-20.0 / T).exp() * (T / 300.0).powi(2);
    let expected =
        [law(low, high, 0.5, 0.8), law(1.8e-30 * (T / 300.0).powi(-3), 2.8e-11, 0.6, 1.0), law(1.0, 1.0, 0.6, 1.0)];
    close(&rates(&scheme, &[]), &expected);
    // In SI: k [m³/mol/s] with M [mol/m³], made m³ -> cm³ and mol -> molecules at the end. M among the reactants counts.
    let troe = "type: TROE, gas phase: gas, k0_A: 1.9e6, k0_B: -3, kinf_A: 1.6e7, kinf_B: 0.2, products: [C]";
    let scheme = one(&format!("- {{{troe}, reactants: [A, B]}}\n- {{{troe}, reactants: [A, B, M]}}\n"));
    let (k0, kinf, air) = (1.9e6 * (T / 300.0).powi(-3), 1.6e7 * (T / 300.0).powf(0.2), M / N);
    let k = k0 * air * broadening(k0 * air / kinf, 0.6, 1.0);
    close(&rates(&scheme, &[]), &[k / N, k / N / N]);
    // MUSICA's TS1 has widths below zero; they are computed as they stand, and told.
    let scheme = zero(&format!(r#"{{{sides}, "k0_A": 5.5e-30, "kinf_A": 8.3e-13, "N": -0.1}}"#));
    close(&rates(&scheme, &[]), &[law(5.5e-30, 8.3e-13, 0.6, -0.1)]);
    assert_eq!(scheme.notes.iter().map(|n| n.code).collect::<Vec<_>>(), ["M0710"]);
}

#[test]
fn ternary_activation() {
    let scheme = zero(
        r#"{"type": "TERNARY_CHEMICAL_ACTIVATION", "reactants": {"A": {}, "B": {}}, "products": {"C": {}},
            "k0_A": 1.5e-13, "k0_B": 0.6, "kinf_A": 2.1e9, "kinf_B": 6.1, "Fc": 0.7, "N": 1.1}"#,
    );
    let (k0, kinf) = (1.5e-13 * (T / 300.0).powf(0.6), 2.1e9 * (T / 300.0).powf(6.1));
    close(&rates(&scheme, &[]), &[k0 * broadening(k0 * M / kinf, 0.7, 1.1)]);
    assert!(scheme.notes.iter().any(|note| note.code == "M0716"));
    let scheme = one(
        "- {type: TERNARY_CHEMICAL_ACTIVATION, gas phase: gas, k0_A: 32.1, k0_B: -2.3, k0_C: 102.3, kinf_A: 63.4, \
         kinf_B: -1.3, kinf_C: 908.5, Fc: 1.3, N: 32.1, reactants: [A, B, M], products: [C]}\n",
    );
    let (k0, kinf) =
        (32.1 * (102.3 / T).exp() * (T / 300.0).powf(-2.3), 63.4 * (908.5 / T).exp() * (T / 300.0).powf(-1.3));
    close(&rates(&scheme, &[]), &[k0 * broadening(k0 * (M / N) / kinf, 1.3, 32.1) / N / N]);
    assert!(scheme.notes.iter().all(|note| note.code != "M0716"));
    let scheme = one(
        "- {type: TERNARY_CHEMICAL_ACTIVATION_JPL19, gas phase: gas, k0_A: 2.5e3, k0_B: -2.1, k0_D: 298, kinf_A: 6.6e5, \
         kinf_B: 1.3, kinf_D: 298, kint_A: 1.1e5, kint_C: -65, reactants: [A, B], products: [C]}\n",
    );
    let (k0, kinf, kint) = (2.5e3 * (T / 298.0).powf(-2.1), 6.6e5 * (T / 298.0).powf(1.3), 1.1e5 * (-65.0 / T).exp());
    let kf = k0 * (M / N) * broadening(k0 * (M / N) / kinf, 0.6, 1.0);
    let expected = (kf + kint * (1.0 - kf / kinf)) / N;
    close(&rates(&scheme, &[]), &[expected]);
    // 298 K is what JPL's tables refer to.
    let scheme = one(
        "- {type: TERNARY_CHEMICAL_ACTIVATION_JPL19, gas phase: gas, k0_A: 2.5e3, k0_B: -2.1, kinf_A: 6.6e5, kinf_B: 1.3, \
         kint_A: 1.1e5, kint_C: -65, reactants: [A, B], products: [C]}\n",
    );
    close(&rates(&scheme, &[]), &[expected]);
}

#[test]
fn branched() {
    let a = |t: f64, m: f64, n: f64| {
        let (low, high) = (2e-22 * n.exp() * m, 0.43 * (t / 298.0).powi(-8));
        low * broadening(low / high, 0.41, 1.0)
    };
    let z = a(293.0, 2.45e19, 6.0) * (1.0 - 0.15) / 0.15;
    let (own, x) = (a(T, M, 6.0), 2.7e-12 * (360.0 / T).exp());
    let scheme = zero(
        r#"{"type": "WENNBERG_NO_RO2", "reactants": {"A": {}, "B": {}}, "alkoxy products": {"C": {}},
            "nitrate products": {"B": {"yield": 2}}, "X": 2.7e-12, "Y": -360, "a0": 0.15, "n": 6}"#,
    );
    close(&rates(&scheme, &[]), &[x * z / (z + own), x * own / (z + own)]);
    assert_eq!(sides(&scheme, 1)[2], [("B", 2.0)]);
    let scheme = one(
        "- {type: BRANCHED_NO_RO2, name: R, gas phase: gas, X: 1.6e6, Y: -360, a0: 0.15, n: 6, reactants: [A, B], \
         alkoxy products: [C], nitrate products: [B]}\n",
    );
    let x = 1.6e6 * (360.0 / T).exp() / N;
    close(&rates(&scheme, &[]), &[x * z / (z + own), x * own / (z + own)]);
    let labels: Vec<&str> = scheme.reactions.iter().map(|step| step.label.as_str()).collect();
    assert_eq!(labels, ["R (alkoxy)", "R (nitrate)"]);
}

#[test]
fn tunneling() {
    let sides = r#""reactants": {"A": {}, "B": {}}, "products": {"C": {}}"#;
    let scheme = zero(&format!(
        r#"{{"type": "WENNBERG_TUNNELING", {sides}, "A": 1.2e-13, "B": 2.3, "C": 3e6}}, {{"type": "TUNNELING", {sides}}}"#
    ));
    close(&rates(&scheme, &[]), &[1.2e-13 * (-2.3 / T + 3e6 / (T * T * T)).exp(), 1.0]);
    let scheme =
        one("- {type: TUNNELING, gas phase: gas, A: 123.45, B: 1200, C: 1e8, reactants: [A, B], products: [C]}\n");
    close(&rates(&scheme, &[]), &[123.45 / N * (-1200.0 / T + 1e8 / T.powi(3)).exp()]);
}

#[test]
fn surface() {
    let (r, n) = (1.2e-7, 2.5e9);
    let speed = (8.0 * K * NA * T / (std::f64::consts::PI * 0.108)).sqrt();
    let k = |gamma: f64| 4.0 * n * std::f64::consts::PI * r * r / (r / 2.1e-5 + 4.0 / (speed * gamma));
    let sides = r#""type": "SURFACE", "gas-phase reactant": "A", "gas-phase products": {"B": {"yield": 2}}"#;
    let scheme = zero(&format!(
        r#"{{{sides}, "MUSICA name": "het", "reaction probability": 0.02}}, {{{sides}, "MUSICA name": ""}},
           {{{sides}, "MUSICA name": "off", "reaction probability": 0}}"#
    ));
    let given = [("SURF.het.radius", r), ("SURF.het.number", n), ("SURF.radius", r), ("SURF.number", n)];
    close(&rates(&scheme, &given), &[k(0.02), k(1.0), 0.0]);
    // The coefficient of diffusion is that in the phase.
    let scheme = one("- {type: SURFACE, name: het, gas phase: gas, gas-phase species: A, gas-phase products: [B], \
         reaction probability: 0.3, condensed phase: ice}\n");
    close(&rates(&scheme, &given), &[k(0.3)]);
}

#[test]
fn rate_constants_that_are_given() {
    let sides = r#""reactants": {"A": {}}, "products": {"B": {}}"#;
    let scheme = zero(&format!(
        r#"{{"type": "PHOTOLYSIS", {sides}, "MUSICA name": "jA->B", "scaling factor": 0.5}},
           {{"type": "USER_DEFINED", {sides}, "MUSICA name": "het1"}},
           {{"type": "EMISSION", "species": "A", "MUSICA name": "A", "scaling factor": 3}},
           {{"type": "FIRST_ORDER_LOSS", "species": "A", "MUSICA name": "A"}},
           {{"type": "PHOTOLYSIS", {sides}, "MUSICA name": "jA->B"}}"#
    ));
    let given = [("jA->B", 2e-3), ("het1", 7e-5), ("EMIS.A", 1e6), ("LOSS.A", 4e-6)];
    close(&rates(&scheme, &given), &[1e-3, 7e-5, 3e6, 4e-6, 2e-3]);
    assert_eq!(scheme.photolysis.len(), 1);
    // As in MICM, that of several molecules is in mol/m³.
    let scheme = zero(
        r#"{"type": "PHOTOLYSIS", "reactants": {"A": {"qty": 2}}, "products": {"B": {}}, "MUSICA name": "r2"},
           {"type": "PHOTOLYSIS", "reactants": {"A": {}, "B": {}, "M": {}}, "products": {"C": {}}, "MUSICA name": "r3"}"#,
    );
    close(&rates(&scheme, &[("r2", 3e7), ("r3", 1e4)]), &[3e7 / N, 1e4 / N / N]);
    let common = "gas phase: gas, name: r, scaling factor: 2";
    let scheme = one(&format!(
        "- {{type: PHOTOLYSIS, {common}, reactants: [A], products: [B]}}\n\
         - {{type: USER_DEFINED, {common}, reactants: [A, B], products: [C]}}\n\
         - {{type: EMISSION, {common}, products: [{{species name: A}}]}}\n\
         - {{type: FIRST_ORDER_LOSS, {common}, reactants: [{{species name: A}}]}}\n"
    ));
    // All in molecule/cm³, without conversion.
    let given = [("r", 5.0), ("EMIS.r", 6.0), ("LOSS.r", 7.0)];
    close(&rates(&scheme, &given), &[10.0, 10.0, 12.0, 14.0]);
}

#[test]
fn amounts_that_the_file_gives() {
    let scheme = one("- {type: ARRHENIUS, gas phase: gas, A: 5e6, reactants: [A, H2], products: [B]}\n\
         - {type: ARRHENIUS, gas phase: gas, A: 5e6, reactants: [A, {name: O2, coefficient: 2}, M], products: [O2, B]}\n");
    close(&rates(&scheme, &[]), &[5e6 * 3e-6, 5e6 / N.powi(3) * (0.21 * M).powi(2)]);
    assert_eq!(sides(&scheme, 1), [vec![("A", 1.0)], vec![("M", 1.0)], vec![("B", 1.0)]]);
    let told: Vec<&str> = scheme.notes.iter().map(|note| note.message.as_str()).collect();
    assert!(told.iter().any(|told| told.ends_with("part of the rate constants: `H2`, `O2`")), "{told:?}");
    assert!(told.iter().any(|told| told.ends_with("left out: `C`")), "{told:?}");
}
