//! Signs and zeros of linear-Burke rates, which are those of the laws inside.

use crate::common;
use kinlane::{States, inspect};

#[test]
fn a_collider_of_no_efficiency_takes_no_part() {
    let limits = "type: falloff, low-P-rate-constant: [1e17, 0, 0], high-P-rate-constant: [1e13, 0, 0]";
    let with = |more: &str| {
        format!("- {{equation: A + B => C, type: linear-Burke, colliders: [{{name: M, {limits}}}{more}]}}")
    };
    let own = format!(", {{name: A, efficiency: {{A: 0, b: 0, Ea: 0}}, {limits}}}");
    let (want, got) = (rate(&with(", {name: A, efficiency: {A: 0, b: 0, Ea: 0}}")), rate(&with(&own)));
    assert!(want > 0.0 && (got - want).abs() <= 1e-12 * want, "{got:e}, not {want:e}");
}

/// Forward rate \[mol/(m³ s)\] of A + B => C with this rate, at 1200 K and 2 bar.
fn rate(law: &str) -> f64 {
    let thermo = "thermo: {model: constant-cp, T0: 300 K, h0: 0 J/mol, s0: 0 J/mol/K, cp0: 29 J/mol/K}";
    let species: String = [("A", 1), ("B", 1), ("C", 2)]
        .map(|(s, n)| format!("- {{name: {s}, composition: {{Ar: {n}}}, {thermo}}}\n"))
        .concat();
    let text = format!(
        "units: {{length: cm, quantity: mol, activation-energy: cal/mol}}\n\
         phases:\n- {{name: g, thermo: ideal-gas, elements: [Ar], species: [A, B, C], kinetics: gas}}\n\
         species:\n{species}reactions:\n{law}\n"
    );
    let mechanism = common::mechanism(&text);
    let states = States::new(&mechanism, vec![1200.0], vec![2e5], vec![0.3, 0.3, 0.4]).unwrap();
    inspect(&mechanism, &states).unwrap().reactions[0].forward
}

#[test]
fn limits_keep_their_signs_and_zeros() {
    let broad = "Troe: {A: 0.6, T3: 100, T1: 1000}";
    for (name, low, high) in [("both", 1e17, 1e13), ("negative", -1e17, -1e13), ("low", 0.0, 1e13), ("high", 1e17, 0.0)]
    {
        let limits = format!("low-P-rate-constant: [{low:e}, 0, 0], high-P-rate-constant: [{high:e}, 0, 0], {broad}");
        let plain = format!("- {{equation: A + B (+M) => C (+M), type: falloff, negative-A: true, {limits}}}");
        let burke = format!(
            "- {{equation: A + B => C, type: linear-Burke, negative-A: true, \
             colliders: [{{name: M, type: falloff, {limits}}}]}}"
        );
        let (want, got) = (rate(&plain), rate(&burke));
        assert!((got - want).abs() <= 1e-12 * want.abs(), "{name}: {got:e}, not {want:e}");
        assert_eq!(want == 0.0, low * high == 0.0, "{name}: {want:e}");
        assert!(want * low >= 0.0, "{name}: {want:e}");
    }
}
