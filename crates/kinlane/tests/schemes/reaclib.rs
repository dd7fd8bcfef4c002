//! Networks from REACLIB against golden answers: rates, partition functions, abundances over time.

use kinlane::mech::reaclib::{Selection, read_str};
use kinlane::mech::screening::screened;
use kinlane::{Conditions, Options, ReadOptions, Scheme, SchemeSolver, SchemeStates, Screening};
use kinlane_testdata::{files, golden};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The network of some nuclides of the collection's library, with partition functions.
fn network(data: &Path, nuclides: Vec<String>, tables: &[&str]) -> Scheme {
    let folder = data.join("nuclear/reaclib");
    let partition: Vec<PathBuf> = tables.iter().map(|table| folder.join(format!("{table}.txt"))).collect();
    let options = ReadOptions { nuclides: Some(Selection::Names(nuclides)), partition, ..ReadOptions::default() };
    Scheme::load_with(folder.join("reaclib_default2_20250330"), &options).unwrap_or_else(|e| panic!("{e}"))
}

fn cells(scheme: &Scheme, t9: &[f64], rho: f64, y: &[f64]) -> SchemeStates {
    let n = t9.len();
    let (temperature, density, amounts) = (t9.to_vec(), vec![rho; n], y.repeat(n));
    SchemeStates::new(scheme, Conditions { temperature, density, amounts, ..Conditions::default() }).unwrap()
}

fn solver(scheme: &Scheme, options: Options) -> SchemeSolver {
    SchemeSolver::builder(scheme).options(options).threads(1).plan().unwrap()
}

fn strings(v: &Value) -> Vec<String> {
    v.as_array().unwrap_or_else(|| panic!("no list: {v}")).iter().map(|s| s.as_str().unwrap().to_owned()).collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names
}

/// The index of a reaction by its nuclides and label.
fn find(scheme: &Scheme, reactants: &[String], products: &[String], label: &str) -> usize {
    let side = |list: &[(usize, f64)]| {
        sorted(list.iter().flat_map(|&(k, n)| vec![scheme.species_names()[k].clone(); n as usize]).collect())
    };
    let (reactants, products) = (sorted(reactants.to_vec()), sorted(products.to_vec()));
    let same = |r: &kinlane::mech::scheme::Step| {
        side(&r.reactants) == reactants && side(&r.products) == products && r.label.ends_with(&format!("[{label}]"))
    };
    let all: Vec<usize> = (0..scheme.reaction_count()).filter(|&i| same(&scheme.model().reactions[i])).collect();
    assert_eq!(all.len(), 1, "{reactants:?} -> {products:?} [{label}]");
    all[0]
}

#[test]
fn rates_of_all_chapters_are_those_of_forty_digits() {
    let (Some(folder), Some(data)) = (files::golden(), files::data()) else { return };
    let golden = golden::json(&folder.join("reaclib/rates.json"));
    let rates = golden["rates"].as_array().unwrap();
    let mut nuclides = BTreeSet::from(["p".to_owned()]);
    rates.iter().for_each(|r| nuclides.extend([strings(&r["reactants"]), strings(&r["products"])].concat()));
    let scheme = network(&data, nuclides.into_iter().collect(), &[]);
    // A gram of protons in a cubic centimetre has a mole of electrons: no rate is multiplied by anything.
    let protons: Vec<f64> = scheme.species_names().iter().map(|n| f64::from(u8::from(n == "p"))).collect();
    let t9: Vec<f64> = rates[0]["values"].as_array().unwrap().iter().map(|v| v["T9"].as_f64().unwrap()).collect();
    let k = solver(&scheme, Options::default()).constants(&cells(&scheme, &t9, 1.0, &protons)).unwrap();
    let (mut compared, mut chapters) = (0, BTreeSet::new());
    for rate in rates {
        let [reactants, products] = ["reactants", "products"].map(|side| strings(&rate[side]));
        let r = find(&scheme, &reactants, &products, rate["source_label"].as_str().unwrap().trim());
        chapters.insert(rate["chapter"].as_u64().unwrap());
        let prefactor = rate["statistical_prefactor"].as_f64().unwrap();
        for (cell, value) in rate["values"].as_array().unwrap().iter().enumerate() {
            let got = k[cell * scheme.reaction_count() + r] / prefactor;
            let ln = value["ln_rate"].as_f64().unwrap();
            if ln < -708.0 {
                assert!(got < 1e-307, "{rate}: {got}");
            } else if ln > 709.7 {
                assert!(got > 1e308, "{rate}: {got}");
            } else {
                let want = value["rate"].as_f64().unwrap();
                assert!((got - want).abs() < 1e-12 * want, "{}: {got} {want}", rate["reactants"]);
                compared += 1;
            }
        }
    }
    assert_eq!((rates.len(), chapters.len()), (49, 11));
    assert!(compared > 220, "{compared}");
}

/// Without weak reactions the charge stays what it was, though reactions that balance are 1e12 times as fast as what changes; and
/// when all has come to rest, a longer interval costs nothing.
#[test]
fn charge_is_kept_in_nuclear_equilibrium() {
    let Some(data) = files::data() else { return };
    let names = "p n he4 c12 o16 ne20 mg24 al27 si28 p31 s32 cl35 ar36 k39 ca40 sc43 ti44 v47 cr48 mn51 fe52 co55 ni56";
    let mut model = network(&data, names.split(' ').map(str::to_owned).collect(), &[]).model().clone();
    let charge = |model: &kinlane::mech::scheme::Scheme, side: &[(usize, f64)]| {
        side.iter().map(|&(i, n)| n * model.species[i].charge).sum::<f64>()
    };
    let all = std::mem::take(&mut model.reactions);
    let (strong, weak): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|r| charge(&model, &r.reactants) == charge(&model, &r.products));
    assert!(strong.len() > 80 && !weak.is_empty(), "{} {}", strong.len(), weak.len());
    model.reactions = strong;
    let scheme = Scheme::from_model(model);
    let silicon = |name: &String| if name == "si28" { 1.0 / 28.0 } else { 0.0 };
    let first: Vec<f64> = scheme.species_names().iter().map(silicon).collect();
    for method in ["auto", "bdf", "radau5"] {
        let options = Options { method: Some(method.to_owned()), rtol: 1e-6, atol: Some(1e-12), ..Options::default() };
        let mut solver = solver(&scheme, options);
        let steps = [1e4, 1e7].map(|dt| {
            let mut states = cells(&scheme, &[6.0], 1e7, &first);
            let report = solver.advance(&mut states, dt).unwrap();
            assert_eq!(report.failed, 0, "{method}, {dt:e} s");
            let parts = &scheme.model().species;
            let electrons: f64 = states.amounts().iter().zip(parts).map(|(y, part)| y * part.charge).sum();
            assert!((electrons - 0.5).abs() < 1e-12, "{method}, {dt:e} s: {electrons}");
            report.steps
        });
        assert!(steps[1] < steps[0] + 30, "{method}: {steps:?}");
    }
}

#[test]
fn the_alpha_chain_has_its_rates_and_reaches_its_abundances() {
    let (Some(folder), Some(data)) = (files::golden(), files::data()) else { return };
    let golden = golden::json(&folder.join("nuclear/alpha13_reaclib.json"));
    let scheme = network(&data, strings(&golden["species"]), &[]);
    assert_eq!(scheme.reaction_count(), 32);
    let (t9, rho) = (golden["T9"].as_f64().unwrap(), golden["rho"].as_f64().unwrap());
    let mut plain = solver(&scheme, Options::default());
    for state in golden["dYdt"].as_array().unwrap() {
        let cell = cells(&scheme, &[t9], rho, &golden::numbers(&state["Y"]));
        let k = plain.constants(&cell).unwrap();
        for rate in golden["rates"].as_array().unwrap() {
            let [reactants, products] = ["reactants", "products"].map(|side| strings(&rate[side]));
            let got = k[find(&scheme, &reactants, &products, rate["label"].as_str().unwrap())];
            let want = rate["k"].as_f64().unwrap();
            assert!((got - want).abs() < 1e-12 * want, "{}: {got} {want}", rate["rate"]);
        }
        let [want, gross] = ["dYdt", "gross"].map(|key| golden::numbers(&state[key]));
        for ((got, want), gross) in plain.rates(&cell).unwrap().iter().zip(want).zip(gross) {
            assert!((got - want).abs() <= 1e-12 * gross, "{got} {want}");
        }
    }
    for run in [&golden, &golden["pure_helium_start"]] {
        let start: Vec<f64> = scheme
            .species_names()
            .iter()
            .zip(&scheme.model().species)
            .map(|(name, s)| run["X0"][name].as_f64().unwrap_or(0.0) / s.weight)
            .collect();
        let mut worst = 0.0_f64;
        for row in run["trajectory"].as_array().unwrap() {
            let mut states = cells(&scheme, &[t9, t9], rho, &start);
            let mut solver = solver(&scheme, Options { rtol: 1e-8, atol: Some(1e-16), ..Options::default() });
            let report = solver.advance(&mut states, row["t_s"].as_f64().unwrap()).unwrap();
            assert_eq!(report.failed, 0, "{}", row["t_s"]);
            for (got, want) in states.amounts_of(1).iter().zip(golden::numbers(&row["Y"])).filter(|x| x.1 > 1e-12) {
                worst = worst.max((got / want - 1.0).abs());
            }
        }
        assert!(worst < 1e-6, "{worst:e}");
    }
}

#[test]
fn reverse_rates_have_the_partition_functions_of_pynucastro() {
    let (Some(folder), Some(data)) = (files::golden(), files::data()) else { return };
    let golden = golden::json(&folder.join("reaclib/derived_reverse.json"));
    let rates = golden["rates"].as_array().unwrap();
    let mut nuclides = BTreeSet::new();
    rates.iter().for_each(|r| nuclides.extend(r["nuclei"].as_object().unwrap().keys().cloned()));
    let nuclides: Vec<String> = nuclides.into_iter().collect();
    let [plain, with] = [&[][..], &["frdm_low", "frdm_high"]].map(|tables| network(&data, nuclides.clone(), tables));
    let t9: Vec<f64> = rates[0]["values"].as_array().unwrap().iter().map(|v| v["T9"].as_f64().unwrap()).collect();
    let nothing = vec![0.0; nuclides.len()];
    let [k, kg] = [&plain, &with]
        .map(|scheme| solver(scheme, Options::default()).constants(&cells(scheme, &t9, 1.0, &nothing)).unwrap());
    let (mut compared, mut largest) = (0, 0.0_f64);
    for rate in rates {
        let words = strings(&rate["reverse"]);
        let arrow = words.iter().position(|w| w == "->").unwrap();
        let label = rate["reaclib_own_reverse_rate"]["label"].as_str().unwrap();
        let r = find(&with, &words[..arrow], &words[arrow + 1..], label);
        for (cell, value) in rate["values"].as_array().unwrap().iter().enumerate() {
            let [k, kg] = [&k, &kg].map(|k| k[cell * with.reaction_count() + r]);
            if k < f64::MIN_POSITIVE {
                continue;
            }
            let number = |key: &str| value[key].as_f64().unwrap();
            let want = number("ln_rate_with_pf_linear_interpolation") - number("ln_rate_without_pf");
            // The difference of two logarithms of some thousand at most.
            assert!(((kg / k).ln() - want).abs() < 2e-12, "{}: {} {want}", rate["forward"], (kg / k).ln());
            (compared, largest) = (compared + 1, largest.max(want.abs()));
        }
    }
    assert!(compared > 50 && largest > 0.1, "{compared} {largest}");
}

/// One reaction of each kind, with parameters of one number.
const SMALL: &str = "\
1
       be7  li7                              ecw     8.63000e-01
 0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
2
       o16  he4  c12                       test v   -7.16200e+00
 0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
8
       he4  he4  he4  c12                  testr     7.27500e+00
 0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
8
       he4  he4  he4  c12                  testn     7.27500e+00
 0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
";

/// Captured electrons, identical reactants, the density, sets that add up, and ln G on straight lines and beyond them.
#[test]
fn factors_are_those_of_the_equations() {
    let table = "1e9 2e9 4e9\no16\n1 2 8\nc12\n1 1 2\n";
    let scheme = Scheme::from_model(read_str(("small", SMALL), None, &[("table", table)]).unwrap());
    assert_eq!(scheme.species_names(), ["he4", "li7", "be7", "c12", "o16"]);
    let y = [0.1, 0.01, 0.02, 0.03, 0.001];
    let t9 = [0.5, 1.5, 2.0, 3.5, 9.0];
    let (rho, electrons) = (1e3, 2.0 * 0.1 + 3.0 * 0.01 + 4.0 * 0.02 + 6.0 * 0.03 + 8.0 * 0.001);
    let k = solver(&scheme, Options::default()).constants(&cells(&scheme, &t9, rho, &y)).unwrap();
    let ln2 = 2.0_f64.ln();
    // ln G of o16 is 0, ln 2, 3 ln 2 at the points, that of c12 0, 0, ln 2.
    let ln_ratio = [0.0, -0.5 * ln2, -ln2, -1.75 * ln2, -2.0 * ln2];
    for (k, ln_ratio) in k.chunks(3).zip(ln_ratio) {
        for (got, want) in k.iter().zip([rho * electrons, ln_ratio.exp(), 2.0 * rho * rho / 6.0]) {
            assert!((got - want).abs() < 1e-14 * want, "{got} {want}");
        }
    }
}

/// A capture is a sum over the charged nuclides beside it: tendencies are the same, and other rates are untouched.
#[test]
fn electrons_are_followed_by_the_same_tendencies() {
    let scheme = Scheme::from_model(read_str(("small", SMALL), None, &[]).unwrap());
    let followed = scheme.following_electrons();
    assert_eq!(followed.species_names(), scheme.species_names());
    // One capture, and he4, li7, be7, c12, o16 beside it.
    assert_eq!((scheme.reaction_count(), followed.reaction_count()), (3, 7));
    let cell = |scheme: &Scheme| cells(scheme, &[1.0], 1e3, &[0.1, 0.01, 0.02, 0.03, 0.001]);
    let [one, two] = [&scheme, &followed].map(|s| solver(s, Options::default()).rates(&cell(s)).unwrap());
    for (one, two) in one.iter().zip(two) {
        assert!((one - two).abs() <= 1e-13 * one.abs(), "{one} {two}");
    }
    // Without a capture nothing changes.
    let text = &SMALL[SMALL.find("2\n").unwrap()..];
    let other = Scheme::from_model(read_str(("small", text), None, &[]).unwrap());
    assert_eq!(other.following_electrons().reaction_count(), other.reaction_count());
}

/// Three He-4 become C-12 at ρ² Y³/6: d(dY/dt)/dY, by hand, of abundances and not of mass fractions.
#[test]
fn jacobians_are_those_of_abundances() {
    let triple = &PAIRS[PAIRS.find("8\n").unwrap()..];
    let triple: String = triple.split_inclusive('\n').take(4).collect();
    let scheme = Scheme::from_model(read_str(("triple", &triple), None, &[]).unwrap());
    assert_eq!(scheme.species_names(), ["he4", "c12"]);
    let mut solver = solver(&scheme, Options::default());
    let states = cells(&scheme, &[1.0], 2.0, &[0.1, 0.05]);
    let per_second = 4.0 / 6.0 * 1e-3;
    let near = |got: &[f64], want: &[f64]| {
        assert_eq!(got.len(), want.len());
        got.iter().zip(want).for_each(|(got, want)| assert!((got - want).abs() < 1e-15, "{got} {want}"));
    };
    near(&solver.rates(&states).unwrap(), &[-3.0 * per_second, per_second]);
    near(&solver.jacobians(&states).unwrap(), &[-90.0 * per_second, 0.0, 30.0 * per_second, 0.0]);
}

/// One reaction of each pair below, with rates of one.
const PAIRS: &str = "\
4
         p    p    d                       testw     0.00000e+00
 0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
8
       he4  he4  he4  c12                  test      0.00000e+00
 0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
4
       c12  c12 mg24                       test      0.00000e+00
 0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
4
       he4 si28  s32                       test      0.00000e+00
 0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
4
         n  c12  c13                       test      0.00000e+00
 0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00
 0.000000e+00 0.000000e+00 0.000000e+00
";

/// Against `chugunov_2007` of pynucastro 3.1, in weak screening, strong, where T is low beside that of the plasma, and where Γ is
/// above 600.
#[test]
fn screening_is_that_of_chugunov_and_others() {
    let plain = read_str(("pairs", PAIRS), None, &[]).unwrap();
    let screened = Scheme::from_model(screened(plain.clone(), Screening::Chugunov2007));
    let plain = Scheme::from_model(plain);
    // T, ρ, Yₑ; index of the reaction; ln f
    let golden: [(f64, f64, f64, usize, f64); 8] = [
        (1e7, 150.0, 0.85, 0, 0.061_241_620_100_458_96),
        (1e8, 1e6, 0.5, 1, 0.518_828_284_534_766_7 + 1.011_710_940_681_334_3),
        (5e8, 2e9, 0.5, 2, 9.812_773_453_959_284),
        (3e7, 2e9, 0.5, 2, 126.206_394_751_661_72),
        (1e7, 1e9, 0.5, 2, 190.867_368_221_645_42),
        (1e6, 1e11, 0.5, 2, 88.474_877_034_728_79),
        (5e9, 1e8, 0.5, 3, 0.185_157_096_011_170_42),
        (1e8, 1e6, 0.5, 4, 0.0),
    ];
    let proton = screened.species_names().iter().position(|n| n == "p").unwrap();
    for (t, rho, electrons, reaction, want) in golden {
        let mut y = vec![0.0; screened.species_names().len()];
        y[proton] = electrons;
        let [with, without] = [&screened, &plain]
            .map(|s| solver(s, Options::default()).constants(&cells(s, &[t * 1e-9], rho, &y)).unwrap()[reaction]);
        let got = (with / without).ln();
        assert!((got - want).abs() <= 1e-12 * want.max(0.1), "{t:e} {rho:e} {reaction}: {got} {want}");
    }
    // Without electrons next to nothing is screened, and every rate constant is finite.
    let nothing = cells(&screened, &[1e-3, 10.0], 1e-20, &vec![0.0; screened.species_names().len()]);
    let k = solver(&screened, Options::default()).constants(&nothing).unwrap();
    let want = solver(&plain, Options::default()).constants(&nothing).unwrap();
    assert!(k.iter().zip(&want).all(|(k, want)| (k - want).abs() <= 1e-10 * want), "{k:?}");
}
