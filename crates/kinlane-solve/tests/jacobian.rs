//! The analytic Jacobian against dual numbers run through the generic right-hand side, entry by entry.
//!
//! Both ways carry a bound of their own rounding, so the comparison is as sharp as doubles allow for every entry,
//! whatever cancels in it.

use kinlane_mech::Network;
use kinlane_plan::machine::Machine;
use kinlane_plan::{Dual, Plan};
use kinlane_solve::Reactor;
use kinlane_testdata::oracle::{Oracle, places};
use kinlane_testdata::random::Composition;
use kinlane_testdata::{Bounded, Random, State, files};

const REACTORS: [Reactor; 3] = [Reactor::ConstP, Reactor::ConstV, Reactor::FixedT];

/// What was compared, and how sharply.
#[derive(Default)]
struct Tally {
    /// Entries of some size in their row.
    compared: usize,
    /// Of these: known to better than 1e-9, and to 1e-6, of their own size.
    sharp: [usize; 2],
    /// The first few that disagree.
    wrong: Vec<String>,
}

/// Compares `columns` (all if none are given) of J at one state.
fn compare(
    name: &str,
    network: &Network,
    plan: &Plan,
    reactor: Reactor,
    variables: &[f64],
    parameter: f64,
    electron: f64,
    columns: Option<&[usize]>,
    tally: &mut Tally,
) {
    let n = plan.species;
    let mut plain: Oracle<'_, Bounded> = Oracle::new(plan, reactor);
    plain.load(variables, parameter);
    plain.machine().set(plan.cell.electron, Bounded { v: electron, e: 0.0 });
    let values = plain.jacobian();
    let mut dense = vec![Bounded::default(); (n + 2) * (n + 2)];
    for (&(i, j), &v) in places(plan).iter().zip(&values) {
        dense[i * (n + 2) + j] = v;
    }
    // Entries count by what they contribute: a species by at least a part in 1e6 of the mixture.
    let weight = |j: usize| if j < n { variables[j].max(1e-6 * variables[n + 1]) } else { variables[j] };
    let size: Vec<f64> = (0..n + 2)
        .map(|i| (0..n + 2).map(|j| dense[i * (n + 2) + j].v.abs() * weight(j)).fold(0.0, f64::max))
        .collect();
    let mut dual: Oracle<'_, Dual<Bounded>> = Oracle::new(plan, reactor);
    let all: Vec<usize> = (0..n + 2).collect();
    for &j in columns.unwrap_or(&all) {
        dual.load(variables, parameter);
        let y = dual.y;
        let seeded = Dual { v: Bounded { v: variables[j], e: 0.0 }, d: Bounded { v: 1.0, e: 0.0 } };
        dual.machine().put(y, j, seeded);
        dual.machine().set(plan.cell.electron, Dual::constant(Bounded { v: electron, e: 0.0 }));
        let f = dual.rhs();
        for (i, f) in f.iter().enumerate() {
            let (a, d) = (dense[i * (n + 2) + j], f.d);
            let bound = a.e + d.e;
            if a.v.abs() * weight(j) > 1e-9 * size[i] {
                tally.compared += 1;
                tally.sharp[0] += usize::from(bound < 1e-9 * a.v.abs());
                tally.sharp[1] += usize::from(bound < 1e-6 * a.v.abs());
            }
            let right = (a.v - d.v).abs() <= bound && bound.is_finite();
            if !right && tally.wrong.len() < 20 {
                let of = |k: usize| match k {
                    k if k < n => network.species[k].name.clone(),
                    k if k == n => "T".to_owned(),
                    _ => "sigma".to_owned(),
                };
                tally.wrong.push(format!(
                    "{name}, {reactor:?}, T = {}, parameter = {parameter}: d f[{}]/d {} (= {:e}) is {:e} ± {:e}, by dual numbers {:e} ± {:e}",
                    variables[n], of(i), of(j), variables[j], a.v, a.e, d.v, d.e
                ));
            }
        }
    }
}

/// Random states of one network in every reactor; `sigma` is also taken off its sum.
fn examine(name: &str, network: &Network, states: u64, columns: Option<usize>, tally: &mut Tally) {
    let plan = Plan::new(network);
    let mut random = Random::new(states + network.species.len() as u64);
    for at in 0..states {
        let composition = if at % 2 == 0 { Composition::WithZeros } else { Composition::Positive };
        let s = State::random(&mut random, network, composition);
        let n = plan.species;
        let chosen: Option<Vec<usize>> = columns.map(|c| (0..c).map(|_| random.below(n)).chain([n, n + 1]).collect());
        for reactor in REACTORS {
            let (mut v, parameter) = Oracle::<f64>::variables(&plan, reactor, &s);
            if at % 3 == 1 {
                v[n + 1] *= 1.03;
            }
            let electron = if at % 2 == 0 { -1.0 } else { s.t * 1.5 };
            compare(name, network, &plan, reactor, &v, parameter, electron, chosen.as_deref(), tally);
        }
    }
}

fn conclude(tally: &Tally) {
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    let [sharp, fair] = tally.sharp.map(|x| x as f64 / tally.compared.max(1) as f64);
    eprintln!("{} entries, {sharp:.5} compared to 1e-9 of themselves, {fair:.5} to 1e-6", tally.compared);
    assert!(sharp > 0.85 && fair > 0.88, "the comparison is blunt: {sharp}, {fair}");
}

#[test]
fn small_and_medium_mechanisms() {
    let mut tally = Tally::default();
    for (name, states) in [
        ("h2_li_dryer", 12),
        ("h2_yetter91", 12),
        ("h2_oconaire_v1b_rev", 12),
        ("h2co_burke", 12),
        ("ffcmy12", 12),
        ("drm19", 8),
        ("ffcm1_red21", 8),
        ("gri12", 8),
        ("ffcm1", 8),
        ("nh3_alzueta_lmrr", 6),
        ("gri30", 6),
        ("nc12h26_lu_53", 4),
        ("san_diego_57", 4),
        ("san_diego_58", 4),
        ("usc_mech_ii", 2),
        ("nuig_c3_41", 2),
    ] {
        let Some(network) = files::mechanism(name) else { return };
        examine(name, &network, states, None, &mut tally);
    }
    conclude(&tally);
}

#[test]
fn large_mechanisms_in_some_columns() {
    let mut tally = Tally::default();
    for (name, columns) in [
        ("aramco13", 24),
        ("jetsurf2", 24),
        ("ic5h11oh_sarathy", 24),
        ("aramco20", 12),
        ("llnl_nc7_v31", 8),
        ("llnl_ic8_v3", 8),
    ] {
        let Some(network) = files::mechanism(name) else { return };
        examine(name, &network, 2, Some(columns), &mut tally);
    }
    conclude(&tally);
}

#[test]
fn every_rate_law_and_thermodynamic_form_of_the_collection() {
    let networks = files::rate_types();
    if networks.is_empty() {
        return;
    }
    assert!(networks.len() > 60, "only {} networks", networks.len());
    let mut tally = Tally::default();
    for (name, network) in &networks {
        let few = network.species.len() > 40;
        examine(name, network, if few { 3 } else { 8 }, few.then_some(20), &mut tally);
    }
    conclude(&tally);
}

/// Landau–Teller laws, forward and reverse, and explicit reverse rates: the collection has no Landau–Teller file.
#[test]
fn landau_teller_and_explicit_reverse() {
    let Some(data) = files::data() else { return };
    let path = data.join("combustion/rate_types/cantera/dummy-thermo.dat");
    let thermo = std::fs::read_to_string(&path).unwrap();
    let text = "ELEMENTS\nH C AR\nEND\nSPECIES\nH AR R1A R1B P1 R2 P2A\nEND\nREACTIONS\n\
        R1A+R1B<=>H+P1 1.0E12 0.0 1000.\nLT/ 100.0 -50. /\n\
        R1A+H<=>R1B+H 1.0E10 0.5 2000.\nLT/ -80. 30. /\nREV/ 1.0E9 0.1 500. /\nRLT/ 20. -10. /\n\
        R2+H<=>P1+H 1.0E11 0.0 300.\nREV/ 2.0E8 0.7 900. /\n\
        P1+M<=>R2+M 1.0E11 0.0 300.\nAR/0/ H/3/\nREV/ 2.0E8 0.7 900. /\nEND\n";
    let network = kinlane_mech::chemkin::read_str(("lt.inp", text), Some(("dummy-thermo.dat", &thermo)))
        .unwrap_or_else(|e| panic!("{e}"));
    let mut tally = Tally::default();
    examine("Landau-Teller", &network, 12, None, &mut tally);
    conclude(&tally);
}

/// Shomate and constant heat capacities, and one reaction of every law.
#[test]
fn other_thermodynamic_forms() {
    let text = include_str!("../../kinlane-mech/tests/small.yaml");
    let path = std::path::Path::new("small.yaml");
    let network = kinlane_mech::cantera::read_str(text.to_owned(), path, None, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut tally = Tally::default();
    examine("small.yaml", &network, 12, None, &mut tally);
    conclude(&tally);
}
