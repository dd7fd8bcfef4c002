//! The analytic Jacobian against dual numbers run through the generic right-hand side, entry by entry.
//!
//! Both ways carry a bound of their own rounding, so the comparison is as sharp as doubles allow for every entry,
//! whatever cancels in it.

use kinlane_mech::Network;
use kinlane_plan::machine::Machine;
use kinlane_plan::plan::{Broadening, BurkeInner, Features, Kind, Kinetics, Special};
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
#[allow(clippy::too_many_arguments, reason = "one comparison, spelled out")]
fn compare(
    name: &str,
    network: &Network,
    plan: &Plan,
    reactor: Reactor,
    variables: &[f64],
    parameter: f64,
    electron: f64,
    excess: &[f64],
    columns: Option<&[usize]>,
    tally: &mut Tally,
) {
    let n = plan.species;
    let mut plain: Oracle<'_, Bounded> = Oracle::new(plan, reactor);
    plain.load(variables, parameter);
    plain.machine().set(plan.cell.electron, Bounded { v: electron, e: 0.0 });
    // A history presses hard: some thousand times a second.
    let slope = plan.imposed().map(|q| Bounded { v: 3e3 * variables[q], e: 0.0 });
    slope.into_iter().for_each(|x| plain.machine().set(plan.cell.slope, x));
    excess.iter().enumerate().for_each(|(i, &v)| plain.machine().put(plan.kinetics.excess, i, Bounded { v, e: 0.0 }));
    // Species deeper below zero than noise are in no reaction.
    let noise = Bounded { v: -1e-8, e: 0.0 };
    plain.machine().set(plan.cell.noise, noise);
    let values = plain.jacobian();
    let len = plan.lu.n;
    let mut dense = vec![Bounded::default(); len * len];
    for (&(i, j), &v) in places(plan).iter().zip(&values) {
        dense[i * len + j] = v;
    }
    // Entries count by what they contribute: a species by at least a part in 1e6 of the mixture.
    let weight = |j: usize| if j < n { variables[j].max(1e-6 * variables[n + 1]) } else { variables[j] };
    let size: Vec<f64> =
        (0..len).map(|i| (0..len).map(|j| dense[i * len + j].v.abs() * weight(j)).fold(0.0, f64::max)).collect();
    let mut dual: Oracle<'_, Dual<Bounded>> = Oracle::new(plan, reactor);
    let all: Vec<usize> = (0..len).collect();
    for &j in columns.unwrap_or(&all) {
        dual.load(variables, parameter);
        let y = dual.y;
        let seeded = Dual { v: Bounded { v: variables[j], e: 0.0 }, d: Bounded { v: 1.0, e: 0.0 } };
        dual.machine().put(y, j, seeded);
        dual.machine().set(plan.cell.noise, Dual::constant(noise));
        slope.into_iter().for_each(|x| dual.machine().set(plan.cell.slope, Dual::constant(x)));
        dual.machine().set(plan.cell.electron, Dual::constant(Bounded { v: electron, e: 0.0 }));
        for (i, &v) in excess.iter().enumerate() {
            dual.machine().put(plan.kinetics.excess, i, Dual::constant(Bounded { v, e: 0.0 }));
        }
        let f = dual.rhs();
        for (i, f) in f.iter().enumerate() {
            let (a, d) = (dense[i * len + j], f.d);
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
                    k if k == n + 2 => "the history".to_owned(),
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
    examine_plan(name, network, &Plan::new(network), states, columns, tally);
}

/// The same for a plan of one's own, with random factors on rate constants where it takes them.
fn examine_plan(name: &str, network: &Network, plan: &Plan, states: u64, columns: Option<usize>, tally: &mut Tally) {
    let mut random = Random::new(states + network.species.len() as u64);
    for at in 0..states {
        let composition = if at % 2 == 0 { Composition::WithZeros } else { Composition::Positive };
        let s = State::random(&mut random, network, composition);
        let n = plan.species;
        let chosen: Option<Vec<usize>> = columns.map(|c| (0..c).map(|_| random.below(n)).chain(n..plan.lu.n).collect());
        for reactor in REACTORS {
            let (mut v, parameter) = Oracle::<f64>::variables(plan, reactor, &s);
            if at % 3 == 1 {
                v[n + 1] *= 1.03;
            }
            if at % 4 == 3 {
                (0..3).for_each(|i| v[(at as usize * 7 + i * 5) % n] = -1e-6);
            }
            let electron = if at % 2 == 0 { -1.0 } else { s.t * 1.5 };
            let excess: Vec<f64> = (0..plan.kinetics.excess.len).map(|_| random.uniform(-0.9, 2.0)).collect();
            compare(name, network, plan, reactor, &v, parameter, electron, &excess, chosen.as_deref(), tally);
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

/// The collection is worth what it holds.
fn every_law_occurs(plans: &[Plan]) {
    let any = |what: &str, holds: &dyn Fn(&Kinetics) -> bool| {
        assert!(plans.iter().any(|p| holds(&p.kinetics)), "no network has {what}");
    };
    for shape in [Broadening::Lindemann, Broadening::Troe3, Broadening::Troe4, Broadening::Sri, Broadening::Tsang] {
        any(&format!("{shape:?}"), &|k| k.falloff.iter().any(|f| f.broadening == shape));
    }
    any("chemical activation", &|k| k.falloff.iter().any(|f| f.activated));
    any("PLOG", &|k| !k.plog.is_empty());
    any("PLOG sums", &|k| !k.plog_sum.is_empty());
    any("Chebyshev", &|k| !k.chebyshev.is_empty());
    let inner =
        |k: &Kinetics, is: fn(&BurkeInner) -> bool| k.burke.iter().any(|b| b.colliders.iter().any(|c| is(&c.law)));
    any("linear-Burke falloff", &|k| inner(k, |l| matches!(l, BurkeInner::Falloff(..))));
    any("linear-Burke PLOG", &|k| inner(k, |l| matches!(l, BurkeInner::Plog(_))));
    any("linear-Burke Chebyshev", &|k| inner(k, |l| matches!(l, BurkeInner::Chebyshev(_))));
    let special = |k: &Kinetics, is: fn(&Special) -> bool| k.special.iter().any(|s| is(&s.kind));
    any("Blowers-Masel", &|k| special(k, |s| matches!(s, Special::BlowersMasel { .. })));
    any("two temperatures", &|k| special(k, |s| matches!(s, Special::TwoTemperature { .. })));
    any("explicit reverse rates", &|k| k.reverse_of.iter().any(Option::is_some));
    any("third bodies", &|k| k.mass_action.iter().any(|c| c.kind == Kind::Third));
    any("orders below one", &|k| k.general.iter().any(|g| g.forward.iter().any(|f| f.1 < 1.0)));
    any("negative orders", &|k| k.general.iter().any(|g| g.forward.iter().any(|f| f.1 < 0.0)));
    assert!(plans.iter().any(|p| !p.thermo.nasa9.is_empty()), "no network has nine coefficients");
}

#[test]
fn every_rate_law_and_thermodynamic_form_of_the_collection() {
    let networks = files::rate_types();
    if networks.is_empty() {
        return;
    }
    assert!(networks.len() > 60, "only {} networks", networks.len());
    every_law_occurs(&networks.iter().map(|x| Plan::new(&x.1)).collect::<Vec<_>>());
    let mut tally = Tally::default();
    for (name, network) in &networks {
        let few = network.species.len() > 40;
        examine(name, network, if few { 3 } else { 8 }, few.then_some(20), &mut tally);
    }
    conclude(&tally);
}

/// Rate constants times factors, for every rate law.
#[test]
fn factors_on_rate_constants() {
    let networks = files::rate_types();
    let mut tally = Tally::default();
    for (name, network) in &networks {
        let few = network.species.len() > 40;
        let plan = Plan::with(network, Features { factors: true, ..Features::default() });
        examine_plan(name, network, &plan, 2, few.then_some(10), &mut tally);
    }
    if !networks.is_empty() {
        conclude(&tally);
    }
}

/// What is imposed is one more column, for every rate law.
#[test]
fn imposed_histories() {
    let networks = files::rate_types();
    let mut tally = Tally::default();
    for (name, network) in &networks {
        let few = network.species.len() > 40;
        let plan = Plan::with(network, Features { history: true, ..Features::default() });
        assert_eq!(plan.jacobian.nonzeros, Plan::new(network).jacobian.nonzeros + plan.lu.n, "{name}");
        assert_eq!(plan.lu.operations, Plan::new(network).lu.operations, "{name}: the column fills");
        examine_plan(name, network, &plan, 3, few.then_some(10), &mut tally);
    }
    if !networks.is_empty() {
        conclude(&tally);
    }
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
    examine("Landau-Teller", &network, 60, None, &mut tally);
    conclude(&tally);
}

/// Shomate and constant heat capacities, and one reaction of every law.
#[test]
fn other_thermodynamic_forms() {
    let text = include_str!("../../../kinlane-mech/tests/small.yaml");
    let path = std::path::Path::new("small.yaml");
    let network = kinlane_mech::cantera::read_str(text.to_owned(), path, None, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut tally = Tally::default();
    examine("small.yaml", &network, 12, None, &mut tally);
    conclude(&tally);
}

/// Third bodies, falloff and pressure dependence of equations that are no plain mass action.
#[test]
fn broken_coefficients_and_orders_with_colliders() {
    let small = include_str!("../../../kinlane-mech/tests/small.yaml");
    let start = small.split("reactions:\n- equation").next().unwrap();
    let start = start.replace("[reactions, {more: declared-species}]", "[reactions]");
    let text = format!(
        "{start}reactions:
- equation: 0.5 H2 + O2 + M <=> HO2 + M
  type: three-body
  rate-constant: {{A: 1.0e+14, b: -0.3, Ea: 2000.0}}
  efficiencies: {{H2: 0.0, AR: 0.63}}
  duplicate: true
- equation: 0.5 H2 + O2 (+M) <=> HO2 (+M)
  type: falloff
  low-P-rate-constant: {{A: 6.366e+15, b: -1.72, Ea: 524.8}}
  high-P-rate-constant: {{A: 1.475e+12, b: 0.6, Ea: 0.0}}
  Troe: {{A: 0.7, T3: 100.0, T1: 1000.0, T2: 2000.0}}
  efficiencies: {{H2: 3.0, AR: 0.0}}
- equation: 0.5 H2 + O2 <=> HO2
  type: pressure-dependent-Arrhenius
  rate-constants:
  - {{P: 0.1 atm, A: 1.2124e+10, b: -0.5779, Ea: 1.08727e+04}}
  - {{P: 1.0 atm, A: 4.9108e+12, b: -0.8507, Ea: 1.47728e+04}}
  - {{P: 9.0 atm, A: 4.9108e+11, b: -0.3507, Ea: 1.17728e+04}}
  duplicate: true
- equation: H + HO2 + M => H2 + O2 + M
  type: three-body
  rate-constant: {{A: 1.0e+15, b: -0.3, Ea: 2000.0}}
  orders: {{H: 0.4, HO2: 1.6}}
- equation: H + HO2 (+AR) <=> H2 + O2 (+AR)
  type: falloff
  low-P-rate-constant: {{A: 6.366e+18, b: -1.72, Ea: 524.8}}
  high-P-rate-constant: {{A: 1.475e+12, b: 0.6, Ea: 0.0}}
  Troe: {{A: 0.8, T3: 1.0e-30, T1: 1.0e+30}}
"
    );
    let network = kinlane_mech::cantera::read_str(text, std::path::Path::new("test.yaml"), None, &[])
        .unwrap_or_else(|e| panic!("{e}"));
    let general = Plan::new(&network).kinetics.general;
    assert!(general.iter().any(|g| g.third.is_some()) && general.iter().any(|g| g.aux.is_some()), "{general:?}");
    let mut tally = Tally::default();
    examine("test.yaml", &network, 16, None, &mut tally);
    conclude(&tally);
}

/// Above the plan's `hold` temperature heat capacities are constant, and the derivatives are those of that law.
#[test]
fn hotter_than_any_polynomial() {
    for (name, states) in [("h2co_burke", 8), ("gri30", 4), ("nh3_alzueta_lmrr", 4)] {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Plan::new(&network);
        let mut tally = Tally::default();
        let mut random = Random::new(7);
        for at in 0..states {
            let mut s = State::random(&mut random, &network, Composition::WithZeros);
            s.t = plan.thermo.hold * (1.001 + 0.2 * at as f64);
            for reactor in REACTORS {
                let (v, parameter) = Oracle::<f64>::variables(&plan, reactor, &s);
                compare(name, &network, &plan, reactor, &v, parameter, -1.0, &[], None, &mut tally);
            }
        }
        conclude(&tally);
    }
}

/// Where species count below zero, J has the columns of these as f does, also where two of them meet.
#[test]
fn columns_of_species_below_zero_are_exact() {
    let Some(network) = files::mechanism("gri30") else { return };
    let plan = Plan::new(&network);
    let at = |name: &str| network.species.iter().position(|s| s.name == name).unwrap();
    // The only collider of CH3 + CH3CHO => CH3 + CH4 + CO: below zero f has none of it, and J keeps its column (decision 0027).
    let collider = at("CH3");
    let (mut random, len, noise) = (Random::new(27), plan.lu.n, -1e-8);
    for [a, b] in [["H", "OH"], ["H", "CH3"], ["O", "HO2"], ["CH3", "CH2"], ["NH", "NO"]].map(|pair| pair.map(at)) {
        let s = State::random(&mut random, &network, Composition::Positive);
        for reactor in REACTORS {
            for both in [false, true] {
                let (mut v, parameter) = Oracle::<f64>::variables(&plan, reactor, &s);
                v[a] = 0.5 * noise;
                if both {
                    v[b] = 0.3 * noise;
                }
                let mut plain: Oracle<'_, f64> = Oracle::new(&plan, reactor);
                plain.load(&v, parameter);
                plain.admit_below(noise);
                plain.machine().set(plan.cell.noise, noise);
                let values = plain.jacobian();
                let mut dense = vec![0.0; len * len];
                places(&plan).iter().zip(&values).for_each(|(&(i, j), &x)| dense[i * len + j] = x);
                for j in [a, b].into_iter().take(1 + usize::from(both)).filter(|&j| j != collider) {
                    let mut dual: Oracle<'_, Dual<f64>> = Oracle::new(&plan, reactor);
                    dual.load(&v, parameter);
                    dual.admit_below(noise);
                    let y = dual.y;
                    dual.machine().put(y, j, Dual { v: v[j], d: 1.0 });
                    let slopes: Vec<f64> = dual.rhs().iter().map(|f| f.d).collect();
                    // T has other units.
                    for rows in [0..plan.species, plan.species..plan.species + 1] {
                        let size = slopes[rows.clone()].iter().fold(0.0, |x: f64, d| x.max(d.abs()));
                        for i in rows {
                            let off = (dense[i * len + j] - slopes[i]).abs();
                            let [of, by] = [i, j].map(|k| network.species.get(k).map_or("T", |s| &s.name));
                            assert!(
                                off <= 1e-9 * size,
                                "{reactor:?}, {both}: d {of}/d {by} is {}, not {}",
                                dense[i * len + j],
                                slopes[i]
                            );
                        }
                    }
                }
            }
        }
    }
}
