//! Mechanisms of GEOS-Chem: the functions that its files call and do not define, and the rate constants that only a host knows.

use crate::common::{Cell, amounts, errors, rate_constants, sound};
use kinlane_mech::Severity;
use kinlane_mech::kpp::{read, read_str};
use kinlane_mech::scheme::Scheme;
use kinlane_testdata::files::data;
use std::collections::HashMap;

const HEAD: &str = "#DEFVAR\nHO2 = IGNORE; HI = IGNORE; ISALA = IGNORE; H2O = IGNORE;\n#EQUATIONS\n";

fn of(equations: &str) -> Scheme {
    read_str(("geos.def", &format!("{HEAD}{equations}"))).unwrap_or_else(|e| panic!("{e}"))
}

/// The temperature, and the densities of air and water, of the cell in which functions are compared.
const CELL: [f64; 3] = [271.0, 1.7e19, 3e17];

/// The value of a call, and those of formulas as GEOS-Chem writes them.
fn value(call: &str) -> f64 {
    let scheme = of(&format!("HO2 = H2O : {call};\n"));
    let [temperature, air, water] = CELL;
    let species = scheme.species.iter().map(|s| if s.name == "H2O" { water } else { 0.0 }).collect();
    assert!(scheme.inputs.iter().all(|(name, _)| name == "NUMDEN"), "{:?}", scheme.inputs);
    let inputs = vec![air; scheme.inputs.len()];
    rate_constants(&scheme, &Cell { temperature, inputs, species, ..Cell::of(&scheme) })[0]
}

/// The reaction of a third body: limits of low and high pressure, and the broadening.
fn third(low: f64, high: f64, fv: f64) -> f64 {
    let ratio = low / high;
    let fexp = 1.0 / (1.0 + ratio.log10() * ratio.log10());
    low * fv.powf(fexp) / (1.0 + ratio)
}

fn pan(k0: f64, k1: f64, cf: f64) -> f64 {
    let (kr, nc) = (k0 / k1, 0.75 - 1.27 * cf.log10());
    let f = 10_f64.powf(cf.log10() / (1.0 + (kr.log10() / nc).powi(2)));
    k0 * k1 * f / (k0 + k1)
}

#[test]
fn functions_are_those_of_geos_chem() {
    let [t, m, h2o] = CELL;
    let (e, r) = (|c: f64| (c / t).exp(), |b: f64| (300.0 / t).powf(b));
    let abab = third(1.9e-31 * r(3.4) * m, 4e-12 * r(0.3), 0.6);
    let nitrate = {
        let (k0, k1) = (2e-22 * 6_f64.exp() * m, 0.43 * (t / 298.0).powi(-8));
        k0 / (1.0 + k0 / k1) * 0.41_f64.powf(1.0 / (1.0 + (k0 / k1).log10().powi(2)))
    };
    let yields = {
        let (x, y) = (1.94e-22 * (0.97 * 3.0_f64).exp() * m, 0.826 * r(8.1));
        let rarb = x / (1.0 + x / y) * 0.411_f64.powf(1.0 / (1.0 + (x / y).log10().powi(2)));
        rarb / (1.0 + rarb)
    };
    let tunnel = {
        let k0 = 5.05e15 * e(-1.22e4) * (1e8 / t.powi(3)).exp();
        9.33e-2 * k0 / (k0 + 1.79e14 * e(-8.83e3))
    };
    let lifted = |call: &str| 2.7e-12 * e(350.0) * (1.1644 - t * 7.05e-4) * if call == "NIT" { nitrate } else { 1.19 };
    let oh_hno3 = m * 6.5e-34 * e(1335.0);
    for (call, want) in [
        ("ARRPLUS_ade(6.92d-14, 1.1644d0, -7.0485d-4)", 6.92e-14 * (1.1644 - t * 7.0485e-4)),
        ("ARRPLUS_ade(6.92d-14, -1.1644d0, 7.0485d-4)", 0.0),
        ("ARRPLUS_abde(1.04d11, 9.746d3, 1.1644d0, -7.0485d-4)", 1.04e11 * (1.1644 - t * 7.0485e-4) * e(-9746.0)),
        (
            "TUNPLUS_abcde(5.05d15, -1.22d4, 1.0d8, -0.0128d0, 5.1242d-5)",
            (5.05e15 * (-0.0128 + t * 5.1242e-5) * e(-1.22e4) * (1e8 / t.powi(3)).exp()).max(0.0),
        ),
        ("GCJPLPR_aa(4.0d-28, 2.8d-10, 0.6d0)", third(4e-28 * m, 2.8e-10, 0.6)),
        ("GCJPLPR_aba(6.9d-31, 1.0d0, 2.6d-11, 0.6d0)", third(6.9e-31 * r(1.0) * m, 2.6e-11, 0.6)),
        ("GCJPLPR_abab(1.9d-31, 3.4d0, 4.0d-12, 0.3d0, 0.6d0)", abab),
        (
            "GCJPLPR_abcabc(9.05d-5, 3.4d0, -10900d0, 1.9d15, 0.3d0, -10900d0, 0.6d0)",
            third(9.05e-5 * r(3.4) * e(-10900.0) * m, 1.9e15 * r(0.3) * e(-10900.0), 0.6),
        ),
        ("GCJPLEQ_acabab(9.0d-29, 1.4d4, 1.9d-31, 3.4d0, 4.0d-12, 0.3d0, 0.6d0)", abab / (9e-29 * e(1.4e4))),
        (
            "GCJPLAC_ababac(1.9d-31, 3.4d0, 4.0d-12, 0.3d0, 3.7d-14, 2.4d2, 0.6d0)",
            3.7e-14 * e(240.0) * (1.0 - abab / (4e-12 * r(0.3))),
        ),
        (
            "GC_PAN_abab(1.1d-5, -1.01d4, 1.9d17, -1.41d4, 0.3d0)",
            pan(1.1e-5 * e(-1.01e4) * m, 1.9e17 * e(-1.41e4), 0.3),
        ),
        (
            "GC_PAN_acac(2.591d-28, -6.87d0, 1.125d-11, -1.105d0, 0.3d0)",
            pan(2.591e-28 * (t / 300.0).powf(-6.87) * m, 1.125e-11 * (t / 300.0).powf(-1.105), 0.3),
        ),
        ("GC_ISO1(1.7d-11, 3.9d2, 9.33d-2, 5.05d15, -1.22d4, 1.79d14, -8.83d3)", 1.7e-11 * e(390.0) * (1.0 - tunnel)),
        ("GC_ISO2(1.7d-11, 3.9d2, 9.33d-2, 5.05d15, -1.22d4, 1.79d14, -8.83d3)", 1.7e-11 * e(390.0) * tunnel),
        ("GC_EPO_a(5.82d-11, -4d2, 1.14d-20)", 5.82e-11 * e(-400.0) / (1.14e-20 * m + 1.0)),
        ("GC_NIT(2.7d-12, 3.5d2, 1.19d0, 6d0, 1.1644d0, 7.05d-4)", lifted("NIT") / (nitrate + 1.19)),
        ("GC_ALK(2.7d-12, 3.5d2, 1.19d0, 6d0, 1.1644d0, 7.05d-4)", lifted("ALK") / (nitrate + 1.19)),
        ("GC_RO2NO_A1_ac(2.8d-12, 3d2)", 2.8e-12 * e(300.0) * 3e-4),
        ("GC_RO2NO_B1_ac(2.8d-12, 3d2)", 2.8e-12 * e(300.0) * (1.0 - 3e-4)),
        ("GC_RO2NO_A2_aca(2.9d-12, 350d0, 3d0)", 2.9e-12 * e(350.0) * yields),
        ("GC_RO2NO_B2_aca(2.9d-12, 350d0, 3d0)", 2.9e-12 * e(350.0) * (1.0 - yields)),
        ("GC_RO2HO2_aca(2.91d-13, 1300d0, 3d0)", 2.91e-13 * e(1300.0) * (1.0 - (-0.245 * 3.0_f64).exp())),
        ("GC_TBRANCH_1_acac(9.5d-14, 390d0, 26.2d0, -1130d0)", 9.5e-14 * e(390.0) / (1.0 + 26.2 * e(-1130.0))),
        (
            "GC_TBRANCH_2_acabc(7.6d-12, -585d0, 5.87d0, 0.64d0, -816d0)",
            7.6e-12 * e(-585.0) / (1.0 + 5.87 * e(-816.0) * r(0.64)),
        ),
        (
            "GC_HO2HO2_acac(3d-13, 460d0, 2.1d-33, 920d0)",
            (3e-13 * e(460.0) + 2.1e-33 * e(920.0) * m) * (1.0 + 1.4e-21 * h2o * e(2200.0)),
        ),
        (
            "GC_OHHNO3_acacac(2.4d-14, 460d0, 2.7d-17, 2199d0, 6.5d-34, 1335d0)",
            2.4e-14 * e(460.0) + oh_hno3 / (1.0 + oh_hno3 / (2.7e-17 * e(2199.0))),
        ),
        (
            "GC_OHCO_a(1.5d-13)",
            third(5.9e-33 * r(1.0) * m, 1.1e-12 * r(-1.3), 0.6) + third(1.5e-13, 2.1e9 * r(-6.1) / m, 0.6),
        ),
        (
            "GC_DMSOH_acac(8.2d-39, 5376d0, 1.05d-5, 3644d0)",
            8.2e-39 * e(5376.0) * m * 0.2095 / (1.0 + 1.05e-5 * e(3644.0) * 0.2095),
        ),
        ("GC_GLYXNO3_ac(1.4d-12, -1860d0)", 1.4e-12 * e(-1860.0) * (0.2095 * m + 3.5e18) / (2.0 * 0.2095 * m + 3.5e18)),
        ("GC_GLYCOH_A_a(8d-12)", 8e-12 * (1.0 - 11.0729 * (-t / 73.0).exp())),
        ("GC_GLYCOH_B_a(8d-12)", 8e-12 * 11.0729 * (-t / 73.0).exp()),
        ("GC_HACOH_A_ac(2d-12, 320d0)", 2e-12 * e(320.0) * (1.0 - 23.7 * (-t / 60.0).exp())),
        ("GC_HACOH_B_ac(2d-12, 320d0)", 2e-12 * e(320.0) * 23.7 * (-t / 60.0).exp()),
    ] {
        let got = value(call);
        assert!((got - want).abs() <= 1e-13 * want, "{call}: {got:e} {want:e}");
    }
    for hidden in ["nitrate", "yield", "tunnelled"] {
        assert_eq!(errors(&format!("{HEAD}HO2 = H2O : {hidden}(2.0*x);\n")), [("M0514", hidden.to_owned())]);
    }
}

#[test]
fn uptake_is_an_input_of_its_own() {
    let scheme = of("HO2 = H2O : HO2uptk1stOrd( State_Het );\n\
        HI = ISALA : 2*IuptkBySALA1stOrd( SR_MW(ind_HI), 0.1_dp, State_Het );\n\
        HI = H2O : iuptkbysala1stord(SR_MW(ind_hi),0.1_dp,state_het) + HO2uptk1stOrd(State_Het);\n\
        HI = HO2 : IuptkBySALA1stOrd( SR_MW(ind_HI), 0.2_dp, State_Het );\n\
        ISALA = HI : Ibrk( SR_MW(ind_HI), C(ind_HI), .TRUE., State_Het ) + Het( State_Het, 0.1d0, SR_MW(ind_HI ), C(ind_HO2));\n");
    let names: Vec<&str> = scheme.inputs.iter().map(|x| x.0.as_str()).collect();
    let want = ["HO2uptk1stOrd", "IuptkBySALA1stOrd(HI)", "IuptkBySALA1stOrd(HI:0.2_dp)", "Ibrk(HI)", "Het(HI:HO2)"];
    assert_eq!(names, want);
    assert_eq!(scheme.uptakes, [0, 1, 2, 3, 4]);
    assert!(scheme.inputs.iter().all(|x| x.1.is_none()));
    let cell = Cell { inputs: vec![1.0, 10.0, 100.0, 1000.0, 1e4], ..Cell::of(&scheme) };
    assert_eq!(rate_constants(&scheme, &cell), [1.0, 20.0, 11.0, 100.0, 11000.0]);
    let [note] = scheme.notes.as_slice() else { panic!("{:?}", scheme.notes) };
    assert_eq!((note.code, note.severity), ("M0529", Severity::Note));
    let help = note.help.clone().unwrap_or_default();
    assert!(note.message.ends_with("inputs: 5") && help.contains("`Ibrk(HI)`"), "{}: {help}", note.message);
    // Species of the call are those of the file; and a function of the file counts.
    let found = errors(&format!("{HEAD}HO2 = H2O : Het( SR_MW(ind_HX), State_Het );\n"));
    assert_eq!(found, [("M0511", "SR_MW(ind_HX)".to_owned())]);
    let own = "#INLINE F90_RATES\nREAL FUNCTION Het(x)\n Het = 3\nEND FUNCTION\n#ENDINLINE\n";
    let scheme = read_str(("own.def", &format!("{HEAD}HO2 = H2O : Het(State_Het);\n{own}"))).unwrap();
    assert!(scheme.uptakes.is_empty() && rate_constants(&scheme, &Cell::of(&scheme)) == [3.0]);
    // Of code for all rate constants it is the same.
    let code = "#INLINE F90_RCONST\n k = 2*Het( SR_MW(ind_HI), State_Het )\n#ENDINLINE\n";
    let scheme = of(&format!("HO2 = H2O : k;\n{code}"));
    assert_eq!((scheme.inputs[0].0.as_str(), scheme.inputs.len(), scheme.uptakes.as_slice()), ("Het(HI)", 1, &[0][..]));
}

/// The rate constants that GEOS-Chem has computed itself in a cell above Beijing.
#[test]
fn rate_constants_are_those_of_a_cell_of_geos_chem() {
    let Some(data) = data() else { return };
    let folder = data.join("atmospheric/geos-chem/kpp_standalone");
    let text = std::fs::read_to_string(folder.join("Beijing_L1_20200106_1345.txt")).expect("the cell");
    let body = text.lines().filter_map(|line| line.split_once(','));
    let cell: HashMap<String, f64> =
        body.filter_map(|(name, x)| Some((name.to_owned(), x.trim().parse().ok()?))).collect();
    let scheme = read(&folder.join("fullchem.kpp")).unwrap_or_else(|e| panic!("{e}"));
    sound(&scheme);
    let of = |i: usize| cell[&format!("R{}", i + 1)];
    let place = |label: &str| scheme.reactions.iter().position(|r| r.label == label).expect(label);
    // The file has T and the density of the air in four digits; two rate constants tell the others.
    let temperature = -1500.0 / (of(place("O3 + NO = NO2 + O2")) / 3e-12).ln();
    let air = of(place("O + O2 = O3")) / (6e-34 * (300.0 / temperature).powf(2.4));
    assert!((temperature - 275.9).abs() < 0.005 && (air / 2.646e19 - 1.0).abs() < 2e-4, "{temperature} {air}");
    let at = |host: f64| {
        let input = |(name, _): &(String, _)| if name == "NUMDEN" { air } else { host };
        let inputs = scheme.inputs.iter().map(input).collect();
        let photolysis = vec![host; scheme.photolysis.len()];
        let species = amounts(&scheme.species, &cell);
        rate_constants(&scheme, &Cell { temperature, inputs, photolysis, species, ..Cell::of(&scheme) })
    };
    // Where the host has a part, this cannot be compared.
    let (mut compared, mut worst) = (0, 0.0_f64);
    for (i, (k, other)) in at(1.0).into_iter().zip(at(2.0)).enumerate().filter(|(_, (k, other))| k == other) {
        let (label, off) = (&scheme.reactions[i].label, (k - of(i)).abs() / other.abs().max(1e-300));
        // Its water is that of the weather, not that of the species.
        let enough = if label.starts_with("HO2 + HO2") { 1e-4 } else { 1e-10 };
        assert!(off < enough, "R{}: {label}: {k:e} {:e}", i + 1, of(i));
        (compared, worst) = (compared + 1, worst.max(off));
    }
    println!("{compared} rate constants of {}, which differ by {worst:.1e} at most", scheme.reactions.len());
    assert!(compared > 600, "{compared}");
}
