//! Paths of elements: what flows into a species and out of it is what its reactions make of it.

use kinlane::{Advance, Mechanism, Options, Reactor, States, element_fluxes, inspect};

/// A state of methane and air shortly before ignition.
fn burning(mechanism: &Mechanism) -> States {
    let moles = [("CH4", 1.0), ("O2", 2.0), ("N2", 7.52)];
    let y = mechanism.mass_fractions_of_moles(&moles).unwrap();
    let mut states = States::new(mechanism, vec![1500.0], vec![101_325.0], y).unwrap();
    let options = Options { reactor: Reactor::ConstV, ..Options::default() };
    Advance::builder(mechanism)
        .options(options.clone())
        .threads(1)
        .follow()
        .unwrap()
        .advance(&mut states, 1e-3, &[], &[])
        .unwrap();
    states
}

#[test]
fn nothing_is_lost_on_the_way() {
    let mechanism = Mechanism::bundled("gri30").unwrap();
    let state = inspect(&mechanism, &burning(&mechanism)).unwrap();
    let network = mechanism.network();
    for (e, element) in network.elements.iter().enumerate() {
        let fluxes = element_fluxes(&mechanism, &state, &element.symbol).expect("an element of it");
        let mut net = vec![0.0; mechanism.species_count()];
        for f in &fluxes {
            assert!(f.rate > 0.0 && f.from != f.to);
            net[f.from] -= f.rate;
            net[f.to] += f.rate;
        }
        for (k, s) in network.species.iter().enumerate() {
            let atoms: f64 = s.composition.iter().filter(|c| c.0 == e).map(|c| c.1).sum();
            let rate = &state.species[k];
            let (want, gross) = (atoms * (rate.production - rate.consumption), atoms * rate.production);
            assert!(
                (net[k] - want).abs() <= 1e-9 * gross.max(1e-300),
                "{} in {}: {}, {want}",
                element.symbol,
                s.name,
                net[k]
            );
        }
    }
    assert_eq!(element_fluxes(&mechanism, &state, "Xe"), None);
}

/// CH3 + CH2O = CH4 + HCO moves no carbon from CH3 to HCO.
#[test]
fn atoms_stay_in_what_changes_least() {
    let mechanism = Mechanism::bundled("gri30").unwrap();
    let mut state = inspect(&mechanism, &burning(&mechanism)).unwrap();
    let only = mechanism.network().reactions.iter().position(|r| r.equation == "CH3 + CH2O <=> HCO + CH4").unwrap();
    for (i, r) in state.reactions.iter_mut().enumerate() {
        (r.forward, r.reverse) = (f64::from(i == only), 0.0);
    }
    let name = |k: usize| mechanism.species_names()[k].as_str();
    let fluxes = element_fluxes(&mechanism, &state, "C").unwrap();
    let mut pairs: Vec<_> = fluxes.iter().map(|f| (name(f.from), name(f.to), f.rate)).collect();
    pairs.sort_by_key(|p| p.0);
    assert_eq!(pairs, [("CH2O", "HCO", 1.0), ("CH3", "CH4", 1.0)]);
}
