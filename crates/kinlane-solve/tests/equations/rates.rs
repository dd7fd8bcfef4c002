//! Net production rates against Cantera's, equilibria as fixed points, and what reactions must conserve.

use kinlane_mech::Network;
use kinlane_mech::network::{GAS_CONSTANT, Reaction};
use kinlane_mech::read::{ReadOptions, read};
use kinlane_plan::plan::Jacobian;
use kinlane_plan::{Machine, Plan};
use kinlane_solve::Reactor;
use kinlane_testdata::golden::{Npz, json, numbers};
use kinlane_testdata::random::Composition;
use kinlane_testdata::{Oracle, Random, State, files};

/// (species, ν), zeros left out.
fn net(r: &Reaction) -> Vec<(usize, f64)> {
    let mut all: Vec<(usize, f64)> = Vec::new();
    for (&(k, v), sign) in r.products.iter().map(|x| (x, 1.0)).chain(r.reactants.iter().map(|x| (x, -1.0))) {
        match all.iter_mut().find(|x| x.0 == k) {
            Some(x) => x.1 += sign * v,
            None => all.push((k, sign * v)),
        }
    }
    all.retain(|x| x.1 != 0.0);
    all
}

/// Forward plus reverse rate of progress of every internal reaction at the loaded state: rate times activities, or
/// where there is no rate, slot times concentration. (A slot is one direction's rate over the concentration of a
/// participant.)
fn one_way(plan: &Plan, o: &mut Oracle<'_, f64>) -> Vec<f64> {
    o.jacobian();
    let (slots, conc, q) = (o.read(plan.jacobian.slots), o.read(plan.cell.conc), o.read(plan.kinetics.q));
    let (rates, act) = (o.read(plan.jacobian.rates), o.read(plan.cell.act));
    let mut gross: Vec<f64> = q.iter().map(|q| q.abs()).collect();
    for class in &plan.kinetics.mass_action {
        let (nr, np) = (class.reactants, class.products);
        for i in 0..class.count {
            let species = &plan.tables.list(class.index)[i * (2 + nr + np) + 2..][..nr + np];
            if class.by_rate() {
                let side = |of: &[u32]| of.iter().map(|&k| act[k as usize]).product::<f64>();
                gross[class.first + i] = rates[class.slot + i].abs() * (side(&species[..nr]) + side(&species[nr..]));
                continue;
            }
            let way = |j: usize| (slots[class.slot + i * (nr + np) + j] * conc[species[j] as usize]).abs();
            gross[class.first + i] = way(0).max(q[class.first + i].abs()) + if np > 0 { way(nr) } else { 0.0 };
        }
    }
    for r in &plan.kinetics.general {
        let way = |at: usize, side: &[(usize, f64)]| {
            side.first().map_or(0.0, |&(k, order)| (slots[at] * conc[k] / order).abs())
        };
        gross[r.number] = q[r.number].abs() + way(r.slot, &r.forward) + way(r.slot + r.forward.len(), &r.reverse);
    }
    gross
}

/// Σ |ν| (forward + reverse) per species.
fn gross_rates(network: &Network, plan: &Plan, o: &mut Oracle<'_, f64>) -> Vec<f64> {
    let ways = one_way(plan, o);
    let mut gross = vec![0.0; plan.species];
    for (r, &(forward, reverse)) in network.reactions.iter().zip(&plan.kinetics.place) {
        let way = ways[forward] + reverse.map_or(0.0, |i| ways[i]);
        net(r).iter().for_each(|&(k, v)| gross[k] += v.abs() * way);
    }
    gross
}

#[test]
fn production_rates_are_canteras() {
    let Some(golden) = files::golden() else { return };
    for name in ["h2co_burke", "gri30", "gri30_20atm", "usc_mech_ii", "aramco13", "jetsurf2"] {
        let Some(network) = files::mechanism(name.trim_end_matches("_20atm")) else { return };
        let plan = Plan::new(&network);
        let mut npz = Npz::open(&golden.join(format!("combustion/{name}.npz")));
        let [t, p, y, wdot] = ["T", "P", "Y", "wdot"].map(|key| npz.array(key));
        let n = plan.species;
        assert_eq!(y.len(), t.len() * n);
        let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
        let mut worst = (0.0f64, String::new());
        for cell in 0..t.len() {
            o.load_state(&State { t: t[cell], p: p[cell], y: y[cell * n..][..n].to_vec() });
            let gross = gross_rates(&network, &plan, &mut o);
            let rates = o.production();
            let most = gross.iter().fold(1e-200, |a: f64, &b| a.max(b));
            for k in 0..n {
                let want = wdot[cell * n + k];
                // A species that only collides has no rate; Cantera leaves rounding there.
                let scale = if gross[k] == 0.0 { most } else { gross[k] };
                let off = (rates[k] - want).abs() / scale;
                if off.total_cmp(&worst.0).is_gt() {
                    worst = (off, format!("cell {cell}, {}: {} is not {want}", network.species[k].name, rates[k]));
                }
            }
        }
        eprintln!("{name}: {:e}, {}", worst.0, worst.1);
        assert!(worst.0 < 1e-12, "{name}: {:e} of gross: {}", worst.0, worst.1);
    }
}

/// Down to 60 K: e^{±G} of radicals fill the range of a double there.
#[test]
fn cold_gas_has_finite_rates() {
    for name in
        ["h2co_burke", "gri30", "usc_mech_ii", "aramco13", "jetsurf2", "ffcm1", "nh3_alzueta_lmrr", "llnl_nc7_v31"]
    {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Plan::new(&network);
        let n = plan.species;
        let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
        let states = (0..15).map(|i| (60.0 + 10.0 * f64::from(i), [1e3, 1e5, 1e7][i as usize % 3]));
        for (t, p) in states {
            // All species, and all but a few of them.
            for skipped in [usize::MAX, 3, 2] {
                let y = (0..n).map(|k| if k % skipped == 1 { 0.0 } else { 1.0 / n as f64 }).collect();
                o.load_state(&State { t, p, y });
                let (rates, jacobian) = (o.production(), o.jacobian());
                assert!(rates.iter().chain(&jacobian).all(|x| x.is_finite()), "{name} at {t} K and {p} Pa");
            }
        }
    }
}

/// A gas of A and B, of one atom each, with one reaction.
fn of_one_reaction(reaction: &str) -> Network {
    of_one_rise(0.0, reaction)
}

/// The same where B has more enthalpy than A, by `rise` R.
fn of_one_rise(rise: f64, reaction: &str) -> Network {
    let species = |name: &str, h0: f64| {
        format!(
            "- {{name: {name}, composition: {{N: 1}}, \
             thermo: {{model: constant-cp, h0: {h0} J/mol, s0: 150 J/mol/K, cp0: 20.8 J/mol/K}}}}\n"
        )
    };
    let text = format!(
        "units: {{length: m, quantity: mol}}\nphases: [{{name: gas, thermo: ideal-gas, kinetics: gas}}]\n\
         species:\n{}{}reactions: [{reaction}]\n",
        species("A", 0.0),
        species("B", rise * GAS_CONSTANT)
    );
    kinlane_mech::cantera::read_str(text, "one.yaml".as_ref(), None, &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// Where the forward rate constant is too small for a double, the reverse one is right, or the temperature is among those at which
/// it is said to be lost: never for an Arrhenius law in gas of 60 K.
#[test]
fn the_way_back_over_a_high_barrier_is_right_or_said_to_be_lost() {
    let plain = "rate-constant: {A: 3.0, b: 0, Ea: BARRIER K}";
    let plog = "type: pressure-dependent-Arrhenius, rate-constants: \
                [{P: 1 Pa, A: 3.0, b: 0, Ea: BARRIER K}, {P: 1e9 Pa, A: 3.0, b: 0, Ea: BARRIER K}]";
    for (law, barrier, lost_below) in
        [(plain, 50_000.0, 100.0), (plain, 113_200.0, 0.0), (plain, 250_000.0, 0.0), (plog, 113_200.0, 170.0)]
    {
        let network =
            of_one_rise(barrier, &format!("{{equation: A <=> B, {}}}", law.replace("BARRIER", &barrier.to_string())));
        let plan = Plan::new(&network);
        assert!(plan.thermo.cold.below <= lost_below, "{law}, {barrier} K: {} K", plan.thermo.cold.below);
        let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
        for t in (20..=400).step_by(5).map(f64::from).filter(|t| *t >= plan.thermo.cold.below) {
            o.load_state(&State { t, p: 1e5, y: vec![0.0, 1.0] });
            let want = 3.0 * 1e5 / (GAS_CONSTANT * t);
            let [a, b] = o.production()[..] else { panic!("two species") };
            assert!(a == -b && (a / want - 1.0).abs() < 1e-9, "{law}, {barrier} K at {t} K: {a}, not {want}");
            assert!(o.jacobian().iter().all(|x| x.is_finite()), "{law}, {barrier} K at {t} K");
        }
    }
}

/// Where no collider is there that has an effect, and where a barrier and a heat of reaction are both zero.
#[test]
fn laws_have_their_limits_where_nothing_drives_them() {
    let burke = "{equation: A (+M) => B (+M), type: linear-Burke, colliders: [{name: M, type: pressure-dependent-Arrhenius, \
                 rate-constants: [{P: 1 Pa, A: 3.0, b: 0, Ea: 0}, {P: 1e9 Pa, A: 3.0, b: 0, Ea: 0}]}, \
                 {name: B, efficiency: {A: 0, b: 0, Ea: 0}}]}";
    let masel = "{equation: A => B, type: Blowers-Masel, rate-constant: {A: 3.0, b: 0, Ea0: 0, w: 400 kJ/mol}}";
    for (reaction, y, want) in [(burke, 0.0, 0.0), (burke, 1.0, 3.0), (masel, 1.0, 3.0)] {
        let plan = Plan::new(&of_one_reaction(reaction));
        let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
        o.load_state(&State { t: 1000.0, p: 1e5, y: vec![y, 1.0 - y] });
        let made = o.production()[1] / (1e5 / (GAS_CONSTANT * 1000.0));
        assert!((made - want).abs() < 1e-12, "{reaction}, {y}: {made}, not {want}");
        assert!(o.jacobian().iter().all(|x| x.is_finite()), "{reaction}, {y}: {:?}", o.jacobian());
    }
}

/// In the coldest gas the limit of high pressure is zero in doubles, e^−1000, and the other is not: so is the rate, and no number
/// is infinite.
#[test]
fn a_limit_that_vanishes_makes_the_rate_vanish() {
    for blend in ["", ", Troe: {A: 0.6, T3: 100, T1: 1000}", ", SRI: {A: 0.5, B: 100, C: 1000}"] {
        let network = of_one_reaction(&format!(
            "{{equation: A (+M) => B (+M), type: falloff, low-P-rate-constant: [1e3, 0, 0], \
             high-P-rate-constant: [1e12, 0, 20000 K]{blend}}}"
        ));
        let plan = Plan::new(&network);
        let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
        o.load_state(&State { t: 20.0, p: 1e5, y: vec![0.5, 0.5] });
        assert_eq!(o.production(), [0.0, 0.0], "{blend}");
        assert!(o.jacobian().iter().all(|x| x.is_finite()), "{blend}");
    }
}

/// A square has the sign of what is squared, where that is below zero: A comes back, and does not run away.
#[test]
fn a_rate_of_order_two_runs_back_from_below_zero() {
    let network = of_one_reaction("{equation: A => B, rate-constant: {A: 3.0, b: 0, Ea: 0}, orders: {A: 2}}");
    let plan = Plan::new(&network);
    let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
    o.admit_below(-1.0);
    for y in [0.3, -0.01] {
        o.load_state(&State { t: 1000.0, p: 1e5, y: vec![y, 1.0 - y] });
        let (rate, c) = (o.rhs()[0], o.read(plan.cell.conc)[0]);
        let want = -3.0 * c * c.abs() / (1e5 / (8.314_462_618_153_24 * 1000.0) * network.species[0].molar_mass);
        assert!(c * y > 0.0 && (rate / want - 1.0).abs() < 1e-13, "{y}: {rate} is not {want}");
    }
}

/// A default efficiency below zero is told when a file is read, and taken at its word.
#[test]
fn a_default_efficiency_may_be_negative() {
    let network = of_one_reaction("{equation: A + M => B + M, rate-constant: [2, 0, 0], default-efficiency: -0.5}");
    let plan = Plan::new(&network);
    let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
    o.load_state(&State { t: 1000.0, p: 1e5, y: vec![0.5, 0.5] });
    let (got, all) = (o.production()[1], 1e5 / (8.314_462_618_153_24 * 1000.0));
    assert!((got / (-0.5 * all * all) - 0.5 * 2.0).abs() < 1e-13, "{got}");
}

#[test]
fn elements_mass_and_sigma_are_conserved_to_rounding() {
    for name in
        ["h2co_burke", "gri30", "h2_oconaire_v1b_rev", "nh3_alzueta_lmrr", "usc_mech_ii", "aramco13", "nuig_c3_41"]
    {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Plan::new(&network);
        let n = plan.species;
        let mut random = Random::new(7);
        for at in 0..20 {
            let composition = if at % 2 == 0 { Composition::WithZeros } else { Composition::Positive };
            let s = State::random(&mut random, &network, composition);
            for reactor in [Reactor::ConstP, Reactor::ConstV] {
                let mut o: Oracle<'_, f64> = Oracle::new(&plan, reactor);
                o.load_state(&s);
                let f = o.rhs();
                // Rounding is relative to the terms that go into every f.
                let gross = gross_rates(&network, &plan, &mut o);
                let rho = o.read(plan.cell.scalars.rho)[0];
                let sums = |weight: &dyn Fn(usize) -> f64| {
                    (0..n).fold((0.0, 0.0), |a, k| (a.0 + weight(k) * f[k], a.1 + weight(k).abs() * gross[k] / rho))
                };
                let check = |what: &str, (sum, scale): (f64, f64)| {
                    assert!(sum.abs() <= 1e-13 * scale, "{name}, {reactor:?}, {what}: {sum:e} of {scale:e}");
                };
                for (e, element) in network.elements.iter().enumerate() {
                    let of =
                        |k: usize| network.species[k].composition.iter().filter(|x| x.0 == e).map(|x| x.1).sum::<f64>();
                    check(&element.symbol, sums(&of));
                }
                check("mass", sums(&|k| plan.molar_mass[k]));
                let sigma = sums(&|_| 1.0);
                check("sigma", (sigma.0 - f[n + 1], sigma.1));
            }
        }
    }
}

#[test]
fn equilibrium_is_a_fixed_point() {
    let Some(golden) = files::golden() else { return };
    let Some(network) = files::mechanism("gri30") else { return };
    let plan = Plan::new(&network);
    let all = json(&golden.join("equilibrium/ch4_air_hp.json"));
    let mut checked = 0;
    for row in all["rows"].as_array().unwrap() {
        let state = State { t: row["T_K"].as_f64().unwrap(), p: 101_325.0, y: numbers(&row["Y"]) };
        if state.t < 1000.0 {
            continue; // traces below 1e-30 carry fewer digits
        }
        let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
        o.load_state(&state);
        let gross = gross_rates(&network, &plan, &mut o);
        let rates = o.production();
        // GRI-Mech has irreversible reactions: what they alone do is not at rest.
        let q = o.read(plan.kinetics.q);
        let ways = one_way(&plan, &mut o);
        for (r, &(forward, _)) in network.reactions.iter().zip(&plan.kinetics.place) {
            if r.reverse == kinlane_mech::network::Reverse::Equilibrium {
                let off = q[forward].abs() / (ways[forward] + 1e-200);
                assert!(off < 3e-9, "{} at {} K: {off:e}", r.equation, state.t);
                checked += 1;
            }
        }
        let major = |k: usize| state.y[k] > 1e-6;
        for k in (0..plan.species).filter(|&k| major(k)) {
            assert!(rates[k].abs() <= 1e-3 * gross[k], "{}: {:e} of {:e}", network.species[k].name, rates[k], gross[k]);
        }
    }
    assert!(checked > 1000, "{checked}");
}

/// The pattern of J, the factors and the work of a factorisation, as the design states them.
#[test]
fn fill_is_as_small_as_the_design_says() {
    for (name, j, lu, operations) in [
        ("h2co_burke", 71.0, 71.0, 462.0),
        ("gri30", 49.0, 54.0, 13.7e3),
        ("usc_mech_ii", 26.0, 32.0, 44e3),
        ("aramco13", 12.0, 16.0, 168e3),
        ("jetsurf2", 8.5, 12.0, 212e3),
        ("llnl_nc7_v31", 3.5, 5.2, 357e3),
    ] {
        let Some(network) = files::mechanism(name) else { return };
        let plan = Plan::new(&network);
        let size = (plan.lu.n * plan.lu.n) as f64;
        let Jacobian { nonzeros, .. } = plan.jacobian;
        let got = [100.0 * nonzeros as f64 / size, 100.0 * plan.lu.entries as f64 / size, plan.lu.operations as f64];
        eprintln!("{name}: {got:?}");
        for (got, want) in got.into_iter().zip([j, lu, operations]) {
            assert!(got <= want * 1.05 && got > want * 0.7, "{name}: {got}, the design says {want}");
        }
    }
}

/// Ions recombine in a cold gas though the rate constant of ionisation, from which the reverse is reckoned, is too small
/// for a number: e^{−802} at 300 K.
#[test]
fn the_reverse_of_what_never_happens() {
    const TEXT: &str = "
units: {length: m, quantity: mol, activation-energy: J/mol}
phases:
- {name: gas, thermo: ideal-gas, elements: [Ar, E], species: [AR, AR+, E-], kinetics: gas}
species:
- {name: AR, composition: {Ar: 1}, thermo: {model: constant-cp, h0: 0, s0: 150 J/mol/K, cp0: 20.8 J/mol/K}}
- {name: AR+, composition: {Ar: 1, E: -1}, thermo: {model: constant-cp, h0: 2.0e+06, s0: 160 J/mol/K, cp0: 20.8 J/mol/K}}
- {name: E-, composition: {E: 1}, thermo: {model: constant-cp, h0: 0, s0: 20 J/mol/K, cp0: 20.8 J/mol/K}}
reactions:
- {equation: AR <=> AR+ + E-, rate-constant: {A: 1.0e+13, b: 0.5, Ea: 2.0e+06}}
";
    let network = kinlane_mech::cantera::read_str(TEXT.to_owned(), "ions.yaml".as_ref(), None, &[]).unwrap();
    let plan = Plan::new(&network);
    let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstV);
    for t in [150.0, 300.0, 1000.0, 6000.0] {
        o.load_state(&State { t, p: 101_325.0, y: vec![0.5, 0.5 - 7e-6, 7e-6] });
        let got = o.production()[0];
        // kr = kf/Kc, Kc = e^{−ΔG/RT} p⁰/RT, the exponents added first
        let rt = 8.314_462_618_153_24 * t;
        let dg = 2e6 + 20.8 * (t - 298.15) - t * (30.0 + 20.8 * (t / 298.15).ln());
        let kr = 1e13 * t.sqrt() * ((dg - 2e6) / rt).exp() * rt / 101_325.0;
        let kf = 1e13 * t.sqrt() * (-2e6 / rt).exp();
        let c = o.read(plan.cell.conc);
        let want = kr * c[1] * c[2] - kf * c[0];
        assert!((got / want - 1.0).abs() < 1e-11, "{t} K: {got:e} is not {want:e}");
    }
}

/// Every rate law and thermodynamic form that Cantera knows; `rate_types.py` made the answers.
#[test]
fn every_rate_law_gives_canteras_rates() {
    let Some(data) = files::data() else { return };
    let all: serde_json::Value = serde_json::from_str(include_str!("../rate_types.json")).unwrap();
    let folder = data.join("combustion/rate_types");
    let mut wrong = Vec::new();
    for entry in all.as_array().unwrap() {
        let (file, phase) = (entry["file"].as_str().unwrap(), entry["phase"].as_str().unwrap());
        let options = ReadOptions {
            phase: Some(phase.to_owned()),
            search: vec![folder.join("cantera"), data.join("combustion/gri30")],
            ..ReadOptions::default()
        };
        let network = read(&folder.join(file), &options).unwrap_or_else(|e| panic!("{file}: {e}"));
        let plan = Plan::new(&network);
        let names: Vec<&str> = entry["species"].as_array().unwrap().iter().filter_map(|s| s.as_str()).collect();
        assert!(network.species.iter().map(|s| s.name.as_str()).eq(names.iter().copied()), "{file}: {names:?}");
        let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
        for state in entry["states"].as_array().unwrap() {
            let number = |key: &str| state[key].as_f64().unwrap();
            o.load_state(&State { t: number("T"), p: number("P"), y: numbers(&state["Y"]) });
            let (want, gross) = (numbers(&state["wdot"]), numbers(&state["gross"]));
            let floor = 1e-16 * gross.iter().fold(1e-200, |a: f64, &b| a.max(b));
            for (k, got) in o.production().into_iter().enumerate() {
                let off = (got - want[k]).abs() / (gross[k] + floor);
                // Cantera's formula for Blowers-Masel loses digits where the bond energy is large.
                let limit = if file.contains("blowers-masel") { 1e-10 } else { 2e-12 };
                if off.is_nan() || off > limit {
                    let (t, p) = (number("T"), number("P"));
                    wrong.push(format!(
                        "{file} [{phase}], {} at {t} K, {p} Pa: {got:e} is not {:e} ({off:e} of gross)",
                        names[k], want[k]
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Laws of Landau and Teller, forward and reverse, by hand: Cantera has none.
#[test]
fn landau_teller_by_hand() {
    let Some(data) = files::data() else { return };
    let thermo = std::fs::read_to_string(data.join("combustion/rate_types/cantera/dummy-thermo.dat")).unwrap();
    let text = "ELEMENTS\nH C AR\nEND\nSPECIES\nH AR R1A R1B P1\nEND\nREACTIONS\n\
        R1A+R1B=>H+P1 2.0E12 0.5 1500.\nLT/ 100.0 -50. /\n\
        R1A+H<=>R1B+H 1.0E10 0.25 2000.\nLT/ -80. 30. /\nREV/ 3.0E9 -0.1 500. /\nRLT/ 20. -10. /\nEND\n";
    let network = kinlane_mech::chemkin::read_str(("lt.inp", text), Some(("dummy-thermo.dat", &thermo)))
        .unwrap_or_else(|e| panic!("{e}"));
    let plan = Plan::new(&network);
    let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
    // Units of the file: cm3, mol, cal.
    let k = |t: f64, [a, b, e, lt1, lt2]: [f64; 5]| {
        let rt = 8.314_462_618_153_24 / 4.184 * t;
        1e-6 * a * t.powf(b) * (-e / rt + lt1 / t.cbrt() + lt2 / t.cbrt().powi(2)).exp()
    };
    for t in [300.0, 800.0, 1600.0, 3000.0] {
        o.load_state(&State { t, p: 2e5, y: vec![0.05, 0.35, 0.3, 0.2, 0.1] });
        let got = o.production();
        let c = o.read(plan.cell.conc);
        let first = k(t, [2e12, 0.5, 1500.0, 100.0, -50.0]) * c[2] * c[3];
        let forward = k(t, [1e10, 0.25, 2000.0, -80.0, 30.0]) * c[2] * c[0];
        let second = forward - k(t, [3e9, -0.1, 500.0, 20.0, -10.0]) * c[3] * c[0];
        for (i, want) in [first, 0.0, -first - second, second - first, first].into_iter().enumerate() {
            assert!((got[i] - want).abs() < 1e-12 * (first + forward), "{t} K, species {i}: {} is not {want}", got[i]);
        }
    }
}

/// Barriers of Blowers and Masel (2000) on both sides of ±4 E₀, by hand: none where a reaction gives more heat than that, all of the
/// heat where it takes more. No reaction of the collection takes so much.
#[test]
fn barriers_of_blowers_and_masel_have_two_ends() {
    let (w, e0, t): (f64, f64, f64) = (50_000.0, 1000.0, 800.0);
    let v = 2.0 * w * (w + e0) / (w - e0);
    let between = |dh: f64| (w + dh / 2.0) * (v - 2.0 * w + dh).powi(2) / (v * v - 4.0 * w * w + dh * dh);
    for (dh, barrier) in [
        (-6000.0, 0.0),
        (-4001.0, 0.0),
        (-2500.0, between(-2500.0)),
        (0.0, e0),
        (2500.0, between(2500.0)),
        (4001.0, 4001.0),
        (6000.0, 6000.0),
    ] {
        let text = format!(
            "phases: [{{name: gas, thermo: ideal-gas, kinetics: gas}}]\nspecies:\n\
             - {{name: A, composition: {{N: 1}}, thermo: {{model: constant-cp, h0: 0, s0: 0, cp0: 20.8 J/mol/K}}}}\n\
             - {{name: B, composition: {{N: 1}}, thermo: {{model: constant-cp, h0: {} J/mol, s0: 0, cp0: 20.8 J/mol/K}}}}\n\
             reactions: [{{equation: A => B, type: Blowers-Masel, rate-constant: {{A: 2, b: 0, Ea0: {e0} K, w: {w} K}}}}]\n",
            dh * 8.314_462_618_153_24
        );
        let network = kinlane_mech::cantera::read_str(text, "barrier.yaml".as_ref(), None, &[]).unwrap();
        let plan = Plan::new(&network);
        let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
        o.load_state(&State { t, p: 1e5, y: vec![1.0, 0.0] });
        let (got, want) = (o.production()[1] / o.read(plan.cell.conc)[0], 2.0 * (-barrier / t).exp());
        assert!((got / want - 1.0).abs() < 1e-9, "{dh} K: {got} is not {want}");
    }
}

/// Electrons hotter and colder than the gas, by the formula of Cantera's manual: k = A Teᵇ exp(−Ea/RT + Ee (Te − T)/(R T Te)).
/// No answer of Cantera has electrons of their own temperature.
#[test]
fn electrons_of_their_own_temperature_by_hand() {
    const TEXT: &str = "
units: {length: m, quantity: mol}
phases: [{name: gas, thermo: ideal-gas, kinetics: gas}]
species:
- {name: A, composition: {N: 1}, thermo: &t {model: constant-cp, h0: 0, s0: 150 J/mol/K, cp0: 20.8 J/mol/K}}
- {name: B, composition: {N: 1}, thermo: *t}
reactions:
- {equation: A => B, type: two-temperature-plasma, rate-constant: {A: 3.0e+07, b: -0.5, Ea-gas: 700 K, Ea-electron: 900 K}}
";
    let network = kinlane_mech::cantera::read_str(TEXT.to_owned(), "two.yaml".as_ref(), None, &[]).unwrap();
    let plan = Plan::new(&network);
    let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
    let t = 500.0;
    for te in [300.0, 500.0, 2000.0, 30_000.0] {
        o.load_state(&State { t, p: 1e5, y: vec![0.5, 0.5] });
        o.machine().set(plan.cell.electron, te);
        let got = o.production()[1];
        let k = 3e7 / f64::sqrt(te) * (-700.0 / t + 900.0 * (te - t) / (t * te)).exp();
        let want = k * o.read(plan.cell.conc)[0];
        assert!((got / want - 1.0).abs() < 1e-13, "{te} K: {got:e} is not {want:e}");
    }
}

/// Where kinlane means to differ from Cantera: a species of order zero that is absent is not consumed, however fast its
/// reaction would be; Cantera would make it negative. With 1e-4 of it, as in `rate_types.json`, both agree.
#[test]
fn what_is_absent_is_not_consumed_where_its_order_is_zero() {
    let Some(data) = files::data() else { return };
    for (file, orders) in [("explicit-forward-order.yaml", [1.5, 0.5]), ("negative-order.yaml", [2.5, -0.5])] {
        let path = data.join("combustion/rate_types/cantera").join(file);
        let network = read(&path, &ReadOptions::default()).unwrap_or_else(|e| panic!("{file}: {e}"));
        let plan = Plan::new(&network);
        let mut o: Oracle<'_, f64> = Oracle::new(&plan, Reactor::ConstP);
        let at = |name: &str| network.species.iter().position(|s| s.name == name).unwrap();
        let (a, b) = (at("R1A"), at("R1B"));
        let mut rate = |part: f64| {
            let mut y = vec![0.0; network.species.len()];
            (y[a], y[b], y[at("AR")]) = (0.5, part, 0.5 - part);
            o.load_state(&State { t: 1000.0, p: 1e5, y });
            let (production, c) = (o.production(), o.read(plan.cell.conc));
            (production[b], c[a], c[b])
        };
        assert_eq!(rate(0.0).0, 0.0, "{file}");
        // The first reaction, and the third with orders 3 and 0; both have 1e12 cm, mol, s and 20 kcal/mol.
        let (got, ca, cb) = rate(1e-4);
        let k = (-20_000.0_f64 * 4.184 / (8.314_462_618_153_24 * 1000.0)).exp();
        let want = -k * (1e6 * ca.powf(orders[0]) * cb.powf(orders[1]) + ca.powi(3));
        assert!((got / want - 1.0).abs() < 1e-12, "{file}: {got:e} is not {want:e}");
    }
}
