//! Features of CHEMKIN input, each by a few lines of text.

use crate::common::{errors, mechanism, read, record, record_of};
use kinlane_mech::chemkin::read_str;
use kinlane_mech::network::{Arrhenius, Blend, Falloff, RateLaw, Reaction, Reverse, ThermoForm, ThirdBody};
use kinlane_mech::{Network, Severity};

const R: f64 = 8.314_462_618_153_24;
const CAL: f64 = 4.184 / R;

/// Reads reactions among A, B, C, D and AR, which all have one carbon atom.
fn good(reactions: &str) -> Network {
    read(&mechanism("A B C D AR", reactions)).unwrap_or_else(|refusal| panic!("{reactions}:\n{refusal}"))
}

fn only(reactions: &str) -> Reaction {
    let network = good(&format!("\n{reactions}"));
    assert_eq!(network.reactions.len(), 1);
    network.reactions[0].clone()
}

/// The codes of the errors in reactions among the same species, and the texts that they point at.
fn bad(reactions: &str) -> Vec<(&'static str, String)> {
    errors(&mechanism("A B C D AR", reactions))
}

fn near(x: f64, y: f64) -> bool {
    (x - y).abs() <= 1e-13 * x.abs().max(y.abs())
}

#[track_caller]
fn assert_arrhenius(k: &Arrhenius, a: f64, b: f64, e: f64) {
    assert!(near(k.a, a) && near(k.b, b) && near(k.e, e), "{k:?} instead of {a:e}, {b}, {e}");
}

#[track_caller]
fn arrhenius(law: &RateLaw) -> &Arrhenius {
    match law {
        RateLaw::Arrhenius(k) => k,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn falloff(law: &RateLaw) -> &Falloff {
    match law {
        RateLaw::Falloff(falloff) => falloff,
        other => panic!("{other:?}"),
    }
}

#[test]
fn units_of_the_section() {
    for (words, e, molecules) in [
        ("", CAL, false),
        (" CAL/MOLE", CAL, false),
        (" KCAL/MOLE MOLES", 1e3 * CAL, false),
        (" JOULES/MOLE", 1.0 / R, false),
        (" KJOULES/MOLE", 1e3 / R, false),
        (" kelvins molecules", 1.0, true),
        (" EVOLTS", 1.602_176_634e-19 / 1.380_649e-23, false),
    ] {
        let network = good(&format!("{words}\nA+B=C+D 2E12 0.5 100."));
        let a = if molecules { 2e6 * 6.022_140_76e23 } else { 2e6 };
        assert_arrhenius(arrhenius(&network.reactions[0].rate), a, 0.5, 100.0 * e);
    }
    assert_eq!(bad(" KCAL/MILE\nA=B 1 0 0"), [("M0334", "KCAL/MILE".to_owned())]);
    assert_eq!(bad(" (CAL/MOLE)\nA=B 1 0 0"), [("M0334", "(CAL/MOLE)".to_owned())]);
    for (word, meant) in
        [("KJOULS/MOLE", "KJOULE/MOLE"), ("MOLESS", "MOLES"), ("MOLECULS", "MOLECULE"), ("EVOL/MOLE", "EVOLTS")]
    {
        let text = mechanism("A B", &format!(" {word}\nA=B 1 0 0"));
        let help = read(&text).map(|_| ()).expect_err(word).diagnostics[0].help.clone().unwrap_or_default();
        assert!(help.contains(&format!("`{meant}`")), "{word}: {help}");
    }
}

#[test]
fn units_of_one_reaction() {
    let network = good("\nA+B=C+D 2E-12 0 5\n UNITS / KCAL/MOLE / units/molec/ DUP\nA+B=C+D 1 0 0\nDUP");
    assert_arrhenius(arrhenius(&network.reactions[0].rate), 2e-18 * 6.022_140_76e23, 0.0, 5e3 * CAL);
    assert_arrhenius(arrhenius(&network.reactions[1].rate), 1e-6, 0.0, 0.0);
    for units in ["UNITS/CAL/", "UNITS / CAL /", "UNITS/CAL/ MOLE/"] {
        let network = good(&format!("\nA+B=C+D 2E12 0 5\n {units}"));
        assert_arrhenius(arrhenius(&network.reactions[0].rate), 2e6, 0.0, 5.0 * CAL);
    }
}

#[test]
fn equations() {
    let r = only("2A+.5 B + 1.5B => 4 D 1E18 -1 0");
    assert_eq!(r.reactants, [(0, 2.0), (1, 2.0)]);
    assert_eq!(r.products, [(3, 4.0)]);
    assert_eq!(r.reverse, Reverse::Irreversible);
    assert_arrhenius(arrhenius(&r.rate), 1.0, -1.0, 0.0);
    assert_eq!(only("A<=>B 1 0 0").reverse, Reverse::Equilibrium);
    // A line that ends in `&` goes on in the next one.
    let r = only("A + B &\n = C + D & ! comment\n 1E6 0 0");
    assert_eq!((r.equation.as_str(), arrhenius(&r.rate).a), ("A + B = C + D", 1.0));
}

#[test]
fn numbers_may_be_fortran() {
    let r = only("A=B 1.5D+03 +0.5 .1E1");
    assert_arrhenius(arrhenius(&r.rate), 1.5e3, 0.5, CAL);
    assert_eq!(bad("\nA=B 1.5Q3 0 0"), [("M0324", "1.5Q3".to_owned())]);
    assert_eq!(bad("\nA=B 1.5"), [("M0324", "1.5".to_owned())]);
    assert_eq!(bad("\nA = B 1.5 0"), [("M0324", "1.5 0".to_owned())]);
    assert_eq!(bad("\nA=B"), [("M0324", "A=B".to_owned())]);
    assert_eq!(bad("\nA=B 1,0,0"), [("M0324", "1,0,0".to_owned())]);
    assert_eq!(bad("\nA=B 1 2 3 4"), [("M0324", "1 2 3 4".to_owned())]);
}

#[test]
fn third_bodies() {
    let r = only("A+M=B+m 1E12 0 0\n AR/0.7/ C /0./D/2/");
    let body = ThirdBody { default: 1.0, efficiencies: vec![(4, 0.7), (2, 0.0), (3, 2.0)], explicit: false };
    assert_eq!((r.third_body, r.reactants), (Some(body), vec![(0, 1.0)]));
    assert_arrhenius(arrhenius(&r.rate), 1e6, 0.0, 0.0);
    // An explicit collider: no other species counts.
    let r = only("2A+AR=>B+C+AR 1E12 0 0");
    let body = ThirdBody { default: 0.0, efficiencies: vec![(4, 1.0)], explicit: true };
    assert_eq!((r.third_body, r.products), (Some(body), vec![(1, 1.0), (2, 1.0)]));
    assert_arrhenius(arrhenius(&r.rate), 1.0, 0.0, 0.0);
    // Two candidates, broken coefficients, or only two molecules on each side: none.
    for plain in ["A+B+C=A+B+D 1 0 0", "A+AR=B+AR 1 0 0", "1.5A+AR=>1.5B+AR 1 0 0", "2A+2AR=2B+2AR 1 0 0"] {
        assert_eq!(only(plain).third_body, None, "{plain}");
    }
    // Nor one with an order of its own, in either direction.
    for order in ["FORD", "RORD"] {
        assert_eq!(only(&format!("2A+AR=B+C+AR 1 0 0\nREV/1 0 0/ {order}/AR 0.5/")).third_body, None, "{order}");
    }
    assert_eq!(bad("\nA+M=B 1 0 0")[0].0, "M0328");
    assert_eq!(bad("\nA+M=B+M 1 0 0\n AR/x/")[0], ("M0340", "x".to_owned()));
}

#[test]
fn colliders_that_are_not_declared_are_ignored_once() {
    let network = good("\nA+M=B+M 1 0 0\n ARR/0.7/ H2O/6/ AR/2/\nC+M=D+M 1 0 0\n H2O/6/");
    assert_eq!(network.reactions[0].third_body.as_ref().map(|b| b.efficiencies.clone()), Some(vec![(4, 2.0)]));
    let notes: Vec<_> = network.notes.iter().map(|n| (n.code, n.severity, n.labels.len())).collect();
    assert_eq!(notes, [("M0339", Severity::Warning, 2)]);
    assert!(network.notes[0].labels[0].1.contains("did you mean `AR`?"), "{:?}", network.notes);
}

#[test]
fn commas_between_data_are_blanks() {
    for data in ["AR/0.7/,C/2/", "AR/0.7/, C/2/ ,", ",AR/0.7/,,C/2/,DUP", "AR,/0.7/ C /2,/"] {
        let network = good(&format!("\nA+M=B+M 1 0 0\n{data} DUP\nA+M=B+M 1 0 0\nDUP"));
        let list = network.reactions[0].third_body.as_ref().map(|b| b.efficiencies.clone());
        assert_eq!(list, Some(vec![(4, 0.7), (2, 2.0)]), "{data}");
        assert!(network.notes.iter().any(|d| (d.code, d.severity) == ("M0342", Severity::Note)), "{data}");
        assert!(network.notes.iter().all(|d| d.code != "M0339"), "{data}");
    }
    // A name may hold commas, also at its end.
    let text = |name: &str| mechanism(&format!("A B {name}"), &format!("\nA+M=B+M 1 0 0\n{name}/3/"));
    let network = read(&text(",C")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(network.reactions[0].third_body.as_ref().map(|b| b.efficiencies.clone()), Some(vec![(2, 3.0)]));
    assert_eq!(bad("\nA=B 1 0 0\n,A 1 0 0")[0].0, "M0322");
}

/// A comma without a blank may stand for a decimal point, unless all numbers have commas between them.
#[test]
fn commas_that_may_be_decimal_points_are_refused() {
    let with = |data: &str| format!("\nA(+M)=B(+M) 1e8 0.5 3000\n LOW/1e12 0 0/\n {data}");
    for (data, word) in [
        ("TROE/0,5 100 1000/", "0,5"),
        ("TROE/ 0.5 100,5 1000 /", "100,5"),
        ("SRI/0,5 100,0 1000/", "0,5"),
        ("REV/1,5 0 0/", "1,5"),
    ] {
        assert_eq!(bad(&with(data)), [("M0341", word.to_owned())], "{data}");
    }
    for data in ["TROE/0.5,100,1000/", "TROE/0.5, 100,1000/", "TROE/ 0.5 ,100, 1000 /"] {
        let network = good(&with(data));
        let want = Blend::Troe { a: 0.5, t3: 100.0, t1: 1000.0, t2: None };
        assert_eq!(falloff(&network.reactions[0].rate).blend, want, "{data}");
        assert!(network.notes.iter().any(|d| (d.code, d.severity) == ("M0342", Severity::Note)), "{data}");
    }
}

#[test]
fn colliders_without_effect_are_reported() {
    let table = "1 0 0\n PLOG/1 1 0 0/";
    let tables = ["A(+AR)=B(+AR)", "A+M=B+M"].map(|equation| format!("{equation} {table}"));
    for reactions in ["2A+AR=B+C+AR 1 0 0\n AR/2/".to_owned(), "A=B 1 0 0\n AR/2/".to_owned()].into_iter().chain(tables)
    {
        let network = good(&format!("\n{reactions}"));
        let codes: Vec<_> = network.notes.iter().map(|n| (n.code, n.severity)).collect();
        assert_eq!(codes, [("M0344", Severity::Warning)], "{reactions}");
    }
}

#[test]
fn falloff_limits_and_colliders() {
    let r = only("A+B(+M)=C+D(+M) 1E12 0.1 100\n LOW/1E18 -1 200/ AR/0.5/\n TROE/0.5 100 2000/");
    let f = falloff(&r.rate);
    assert_arrhenius(&f.high, 1e6, 0.1, 100.0 * CAL);
    assert_arrhenius(&f.low, 1e6, -1.0, 200.0 * CAL);
    assert_eq!(
        (f.blend, f.activated, r.third_body),
        (Blend::Troe { a: 0.5, t3: 100.0, t1: 2000.0, t2: None }, false, None)
    );
    assert_eq!(f.body, ThirdBody { default: 1.0, efficiencies: vec![(4, 0.5)], explicit: false });

    let r = only("A+B(+AR)=C+D( + AR ) 1E12 0 0\nSRI/1 2 3/\nLOW/1E18 -1 200/");
    let f = falloff(&r.rate);
    assert_eq!(f.body, ThirdBody { default: 0.0, efficiencies: vec![(4, 1.0)], explicit: true });
    assert_eq!(f.blend, Blend::Sri { a: 1.0, b: 2.0, c: 3.0, d: 1.0, e: 0.0 });

    let r = only("A+B(+M)=C+D(+M) 1E12 0 0 \n HIGH/1E6 1 2/ SRI/1 2 3 4 5/");
    let f = falloff(&r.rate);
    assert_arrhenius(&f.low, 1e6, 0.0, 0.0);
    assert_arrhenius(&f.high, 1e6, 1.0, 2.0 * CAL);
    assert_eq!((f.activated, f.blend), (true, Blend::Sri { a: 1.0, b: 2.0, c: 3.0, d: 4.0, e: 5.0 }));
}

#[test]
fn troe_as_published() {
    let troe = |data: &str| {
        let network = good(&format!("\nA(+M)=B(+M) 1E12 0 0\n LOW/1 0 0/ TROE/{data}/"));
        (falloff(&network.reactions[0].rate).blend, network.notes.iter().map(|n| n.code).collect::<Vec<_>>())
    };
    let blend = |t2| Blend::Troe { a: 0.9, t3: 696.0, t1: 358.0, t2 };
    assert_eq!(troe(" 0.9, 696., 358., 3856. "), (blend(Some(3856.0)), vec!["M0342"]));
    assert_eq!(troe("0.9 696. 358. 0."), (blend(None), vec!["M0335"]));
    let few = "\nA(+M)=B(+M) 1E12 0 0\n LOW/1 0 0/ TROE/0.9 696./";
    assert_eq!(bad(few)[0], ("M0343", "0.9 696.".to_owned()));
    let refusal = read(&mechanism("A B", few)).map(|_| ()).expect_err(few);
    assert!(refusal.diagnostics[0].help.as_ref().is_some_and(|help| help.contains("a, T***, T*")), "{refusal}");
}

#[test]
fn data_that_do_not_go_together() {
    for (reactions, code) in [
        ("A(+M)=B(+M) 1 0 0", "M0348"),
        ("A(+M)=B(+M) 1 0 0\nTROE/1 2 3/", "M0348"),
        ("A+M=B+M 1 0 0\nLOW/1 0 0/", "M0347"),
        ("A=B 1 0 0\nTROE/1 2 3/", "M0349"),
        ("A(+M)=B(+M) 1 0 0\nLOW/1 0 0/ HIGH/1 0 0/", "M0346"),
        ("A(+M)=B(+M) 1 0 0\nLOW/1 0 0/ TROE/1 2 3/ SRI/1 2 3/", "M0349"),
        ("A=B 1 0 0\nPLOG/1 1 0 0/ TCHEB/300 1000/", "M0346"),
        ("A=B 1 0 0\nRLT/1 2/", "M0350"),
        ("A=B 1 0 0\nRORD/B 2/", "M0352"),
        ("A=B 1 0 0\nPLOG/0 1 0 0/", "M0336"),
        ("A=B 1 0 0\nFORD/A/", "M0337"),
        ("A=B 1 0 0\n/1 2/", "M0332"),
        ("1 2 3\nA=B 1 0 0", "M0322"),
        ("0A=B 1 0 0", "M0327"),
    ] {
        assert_eq!(bad(&format!("\n{reactions}")).first().map(|e| e.0), Some(code), "{reactions}");
    }
}

#[test]
fn what_is_not_gas_kinetics_is_refused_by_name() {
    for keyword in [
        "TDEP/E/",
        "EXCI/11.5/",
        "JAN/1 2 3 4 5 6 7 8 9/",
        "FIT1/1 2 3 4/",
        "XSMI",
        "MOME",
        "USRPROG/x/",
        "STICK",
        "COV/A 1 2 3/",
        "HV/12/",
    ] {
        let found = bad(&format!("\nA=B 1 0 0\n {keyword}"));
        let name = keyword.split('/').next().unwrap_or("");
        assert_eq!(found, [("M0323", name.to_owned())], "{keyword}");
    }
    assert_eq!(bad("\nA+HV=B 1 0 0")[0].0, "M0323");
    assert_eq!(errors("SPECIES A END\nSITE/PT/ SDEN/1E-9/\nB\nEND\n")[0], ("M0300", "SITE".to_owned()));
    let light = only("A=B+HV 1 0 0");
    assert_eq!((light.reverse, light.products), (Reverse::Irreversible, vec![(1, 1.0)]));
}

#[test]
fn plog() {
    let r = only("A+B+M=C+D+M 1 0 0\nPLOG/10 3E6 0 0/\nPLOG/1 1E6 0.5 100/ plog /1 2E6 0 0/");
    let RateLaw::Plog(table) = &r.rate else { panic!("{:?}", r.rate) };
    assert_eq!(r.third_body, None);
    assert_eq!(
        table.iter().map(|(p, terms)| (*p, terms.len())).collect::<Vec<_>>(),
        [(101_325.0, 2), (1_013_250.0, 1)]
    );
    assert_arrhenius(&table[0].1[0], 1.0, 0.5, 100.0 * CAL);
    assert_arrhenius(&table[0].1[1], 2.0, 0.0, 0.0);
}

#[test]
fn chebyshev() {
    let r = only("A+B(+M)=C+D(+M) 1 0 0\nTCHEB/300 2000/ PCHEB/0.01 100/\nCHEB/2 3 1 2 3/\nCHEB/4 5 6/");
    let RateLaw::Chebyshev(c) = &r.rate else { panic!("{:?}", r.rate) };
    assert_eq!((c.t, c.p), ([300.0, 2000.0], [1013.25, 10_132_500.0]));
    assert_eq!(c.alpha, [vec![1.0 - 6.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]]);
    for (data, what, at) in [
        ("TCHEB/300 2000/ PCHEB/1 2/", "without CHEB", "TCHEB"),
        ("TCHEB/1 2/ PCHEB/1 2/ CHEB/1.5 1 1/", "orders", "CHEB"),
        ("TCHEB/1 2/ PCHEB/1 2/ CHEB/2 1 1/", "2 times 1", "CHEB"),
    ] {
        let refusal = read(&mechanism("A B", &format!("\nA=B 1 0 0\n{data}"))).expect_err(data);
        let found = &refusal.diagnostics[0];
        assert_eq!((found.code, refusal.sources.text(found.labels[0].0)), ("M0351", at));
        assert!(found.message.contains(what) && found.help.is_some(), "{refusal}");
    }
    for data in ["PCHEB/1 2/ TCHEB/2 1/ CHEB/1 1 1/", "TCHEB/1 2/ PCHEB/0 2/ CHEB/1 1 1/"] {
        assert_eq!(bad(&format!("\nA=B 1 0 0\n{data}")), [("M0109", "A=B 1 0 0".to_owned())], "{data}");
    }
    // The ranges of CHEMKIN's manual, where there are none.
    for (data, t, p) in [
        ("CHEB/1 1 1/", [300.0, 2500.0], [0.001, 100.0]),
        ("TCHEB/400 2000/ CHEB/1 1 1/", [400.0, 2000.0], [0.001, 100.0]),
        ("PCHEB/1 2/ CHEB/1 1 1/", [300.0, 2500.0], [1.0, 2.0]),
    ] {
        let network = good(&format!("\nA=B 1 0 0\n{data}"));
        let RateLaw::Chebyshev(c) = &network.reactions[0].rate else { panic!("{data}") };
        assert_eq!((c.t, c.p), (t, p.map(|p| p * 101_325.0)));
        assert_eq!(warnings(&network), ["M0351"], "{data}");
    }
}

fn warnings(network: &Network) -> Vec<&'static str> {
    network.notes.iter().filter(|d| d.severity == Severity::Warning).map(|d| d.code).collect()
}

#[test]
fn what_is_said_twice_or_makes_no_sense_is_told() {
    let falloff = "\nA+B(+M)=C+D(+M) 1 0 0\nLOW/1 0 0/\n";
    for (more, codes) in [
        ("", &[][..]),
        ("LOW/2 0 0/", &["M0355"]),
        ("TROE/1 2 3/ TROE/1 2 4/", &["M0355"]),
        ("A/-2/", &["M0111"]),
        ("A/0/", &[]),
    ] {
        assert_eq!(warnings(&good(&format!("{falloff}{more}"))), codes, "{more}");
    }
    assert_eq!(bad(" KCAL/MOLE cal/mole\nA=B 1 0 0"), [("M0356", "cal/mole".to_owned())]);
    assert_eq!(bad("\nA=B 1 0 0\nUNITS/MOLES MOLECULES/"), [("M0356", "MOLECULES".to_owned())]);
    assert!(good(" CAL CAL/MOLE MOLES\nA=B 1 0 0").notes.is_empty());
}

#[test]
fn arrows_that_are_none() {
    for arrow in ["<=", "==", "<==>", "=>>", ">="] {
        assert_eq!(bad(&format!("\nA+B{arrow}C+D 1 0 0")), [("M0322", arrow.to_owned())]);
    }
    // A name that is not declared is not blamed on the arrow.
    assert_eq!(bad("\nA+X=>C+D 1 0 0"), [("M0329", "X".to_owned())]);
}

#[test]
fn colliders_that_are_not_declared_are_blamed() {
    for (equation, at) in
        [("A+B(+X)=C+D(+X)", "X"), ("A+B (+ X)=C+D(+M)", "X"), ("A+B(+M)=C+D(+XY)", "XY"), ("A+B+(+2A)=C+D(+2A)", "2A")]
    {
        assert_eq!(bad(&format!("\n{equation} 1 0 0\nLOW/1 0 0/")), [("M0329", at.to_owned())], "{equation}");
    }
}

#[test]
fn elements_are_read_or_blamed() {
    let text = |elements: &str| {
        format!("ELEMENTS\nC H O\nEND\nSPECIES\nX\nEND\nTHERMO\n 300. 1000. 5000.\n{}END\n", record_of("X", elements))
    };
    for good in ["H   2C   1O   1", "H   2C   1    0    0", "H   2C   1O   0   0 ", "H  2.C  1.", " C  1 H  2"] {
        assert!(read(&text(good)).is_ok(), "{good}");
    }
    for (elements, blamed) in
        [("H   2.C   1.O   1.", ".C"), ("H   2C    O   1", "C"), ("H   2   1", "1"), ("H   2C 1x", "C 1x")]
    {
        assert_eq!(errors(&text(elements)), [("M0321", blamed.to_owned())], "{elements}");
    }
}

#[test]
fn text_behind_an_end_is_told() {
    let text = mechanism("A B", "\nA=B 1 0 0");
    assert!(read(&text).unwrap().notes.is_empty());
    for (at, with) in [("C H\nEND", "C H\nEND of elements"), ("C H\nEND", "C H END OF"), ("0 0\nEND", "0 0\nEND x")] {
        assert!(text.contains(at));
        assert_eq!(warnings(&read(&text.replace(at, with)).unwrap()), ["M0357"], "{with}");
    }
    assert!(read(&text.replace("C H\nEND", "C H\nEND ! of elements")).unwrap().notes.is_empty());
}

/// Species without data do not hide what else is wrong.
#[test]
fn everything_is_told_in_one_run() {
    let text = mechanism("A B", "\nA=B 1 0 0\nPLOG/1 -1 0 0/\nA=B+C 1 0 0").replace("SPECIES\nA", "SPECIES\nX A");
    let found: Vec<_> = errors(&text).into_iter().map(|e| e.0).collect();
    assert_eq!(found, ["M0329", "M0311", "M0105"]);
}

#[test]
fn reverse_rates() {
    let r = only("2A+M=B+C+M 1 0 0\nREV/1E12 0.5 100/");
    let Reverse::Explicit { rate, orders } = &r.reverse else { panic!("{:?}", r.reverse) };
    assert_arrhenius(arrhenius(rate), 1.0, 0.5, 100.0 * CAL); // third order with M
    assert_eq!(*orders, None);
    assert_eq!(only("A=B 1 0 0\nREV/0 0 0/").reverse, Reverse::Irreversible);

    let r = only("A=B 1 0 0\nLT/1 2/ REV/3 0 0/ RLT/4 5/");
    assert!(matches!(r.rate, RateLaw::LandauTeller { b: 1.0, c: 2.0, .. }), "{r:?}");
    assert!(
        matches!(&r.reverse, Reverse::Explicit { rate, .. } if matches!(**rate, RateLaw::LandauTeller { b: 4.0, c: 5.0, .. }))
    );

    let r = only("2A=2B 1 0 0\nREV/1E6 0 0/ RORD/B 1.5/ RORD/C 0.5/");
    let Reverse::Explicit { rate, orders } = &r.reverse else { panic!("{:?}", r.reverse) };
    assert_eq!(orders.as_deref(), Some(&[(1, 1.5), (2, 0.5)][..]));
    assert_arrhenius(arrhenius(rate), 1.0, 0.0, 0.0);
    let text = mechanism("A A,p", "\nA=A,p 1 0 0\nREV/1 0 0/ RORD/A,p 0.5/");
    let network = read(&text).unwrap_or_else(|refusal| panic!("{refusal}"));
    let Reverse::Explicit { orders, .. } = &network.reactions[0].reverse else { panic!() };
    assert_eq!(orders.as_deref(), Some(&[(1, 0.5)][..]));
}

#[test]
fn forward_orders() {
    let r = only("A+B=>C+D 1E6 0 0\nFORD/A 1.5/ FORD /C 0.5/\nFORD/B 0/");
    assert_eq!(r.orders.as_deref(), Some(&[(0, 1.5), (1, 0.0), (2, 0.5)][..]));
    assert_arrhenius(arrhenius(&r.rate), 1.0, 0.0, 0.0); // order 2
    assert_eq!(only("A+B=>C+D 1 0 0\nFORD/A 1/").orders, None);
    // What the equation says already changes nothing, in either direction.
    assert_eq!(only("A=B 1 0 0\nFORD/A 1/ RORD/B 1/").orders, None);
    assert_eq!(good("\nA=B 1 0 0\nFORD/A 2/").notes[0].code, "M0345");
    // A comma belongs to a name where one is declared like that, and separates otherwise.
    let named = |data: &str| {
        let text = mechanism("A A,p", &format!("\nA,p=>A 1 0 0\n{data}"));
        read(&text).unwrap_or_else(|refusal| panic!("{refusal}")).reactions[0].orders.clone()
    };
    for data in ["FORD /A,p 0.5/", "FORD/ A,P,0.5 /", "FORD/A,p,0.5,A 0/"] {
        assert_eq!(named(data).as_deref().map(|list| list[0]), Some((1, 0.5)), "{data}");
    }
    let of = |data: &str| errors(&mechanism("A A,p", &format!("\nA,p=>A 1 0 0\n{data}")));
    assert_eq!(of("FORD/A,q 0.5/"), [("M0337", "A,q".to_owned())]);
    assert_eq!(of("FORD/A,p x/"), [("M0337", "x".to_owned())]);
}

#[test]
fn duplicates_have_to_say_so() {
    let network = good("\nA=B 1 0 0\nDUPLICATE\nA=B -1 0 0\ndup");
    assert!(network.reactions.iter().all(|r| r.duplicate));
    assert_eq!(bad("\nA=B 1 0 0\nA=B 2 0 0")[0].0, "M0102");
}

#[test]
fn faults_are_all_reported_and_located() {
    let found = bad("\nA+X1=B 1 0 0\nA=C 1 0 zero\n=D 1 0 0\nB=C 1 0 0\n LOWW/1 2 3/\n SPAM");
    let found: Vec<_> = found.iter().map(|(code, text)| (*code, text.as_str())).collect();
    assert_eq!(
        found,
        [("M0329", "X1"), ("M0324", "zero"), ("M0327", "=D 1 0 0"), ("M0333", "LOWW"), ("M0333", "SPAM")]
    );
    // What follows data is read, or refused, whatever it looks like.
    for (line, refused) in [
        ("LOW/1 2 3/ 4 5 6", &["4", "5", "6"][..]),
        ("LOW/1 2 3/ X 4 5 6", &["X", "4", "5", "6"]),
        ("DUP 1 2 3", &["1", "2", "3"]),
    ] {
        let found = bad(&format!("\nA(+M)=B(+M) 1 0 0\n{line}"));
        let found: Vec<_> = found.iter().filter(|f| f.0 == "M0333").map(|f| f.1.as_str()).collect();
        assert_eq!(found, refused, "{line}");
    }
    let refusal = read(&mechanism("CH4 CH2(S)", "\nCH4=CH2(s0) 1 0 0")).expect_err("unknown");
    assert!(refusal.to_string().contains("did you mean `CH2(S)`?"), "{refusal}");
}

#[test]
fn case_is_ignored_where_it_has_to_be() {
    let network = read(&mechanism("ch4 Ar", "\nCH4+M=AR+M 1 0 0\n AR/2/")).expect("reads");
    assert_eq!(network.reactions[0].reactants, [(0, 1.0)]);
    assert!(network.notes.iter().any(|n| n.code == "M0325"));
}

#[test]
fn elements_have_weights() {
    let thermo = format!("{}{}", record_of("A", "CI  1D   4"), record_of("B", "CI  1H   4"));
    let network =
        read(&format!("ELEM\nH D CI / 13.003 /H\nEND\nSPECIES A B END\nTHERMO ALL\n300 1000 5000\n{thermo}END\n"))
            .expect("reads");
    let elements: Vec<_> = network.elements.iter().map(|e| (e.symbol.as_str(), e.molar_mass)).collect();
    assert_eq!(elements, [("H", 0.001008), ("D", 0.0020141017781), ("Ci", 0.013003)]);
    assert!(near(network.species[1].molar_mass, 0.013003 + 4.0 * 0.001008));
    assert_eq!(
        errors("ELEM XX/1/ YY ZZ/-1/ END\nSPECIES A END"),
        [("M0306", "YY".into()), ("M0307", "-1".into()), ("M0311", "A".into())]
    );
    let undeclared = format!("ELEM H END\nSPECIES A END\nTHERMO\n{}END\n", record("A"));
    assert_eq!(errors(&undeclared)[0].0, "M0306");
}

#[test]
fn thermo_records_as_published() {
    let read_thermo =
        |record: &str| read(&format!("ELEM C H O N E END\nSPECIES A END\nTHERMO\n300. 900. 5000.\n{record}END\n"));
    let ranges = |record: &str| {
        let network = read_thermo(record).unwrap_or_else(|refusal| panic!("{refusal}"));
        match &network.species[0].thermo.form {
            ThermoForm::Nasa7(ranges) => ranges.clone(),
            other => panic!("{other:?}"),
        }
    };
    let plain = record("A");
    let two = ranges(&plain);
    assert_eq!(two.iter().map(|r| (r.low, r.high)).collect::<Vec<_>>(), [(200.0, 1000.0), (1000.0, 3500.0)]);
    assert_eq!((two[0].a[0], two[1].a[0], two[0].a[6]), (5.14987613, 7.48514950e-2, -4.64130376));
    // No middle temperature: that of the section. A comment. An exponent with a blank. No `4` at the end.
    assert_eq!(ranges(&plain.replace("  1000.000    1", "              1"))[0].high, 900.0);
    assert_eq!(ranges(&plain.replace("    2\n", "    2 ! comment\n")), two);
    assert_eq!(ranges(&plain.replace("1.84373180E+01", "1.84373180E 01")), two);
    assert_eq!(ranges(&plain.replace("                   4\n", "\n")), two);
    // The same polynomial twice, or nothing for one of them, is one range.
    let lines: Vec<&str> = plain.lines().collect();
    let high = " 1.00000000E+00 0.00000000E+00 0.00000000E+00 0.00000000E+00 0.00000000E+00    2\n 5.00000000E+00 6.00000000E+00";
    let blank =
        format!("{}\n{high}{:49}3\n{:79}4\n", lines[0].replace("3500.000  1000.000", "3500.000          "), "", "")
            .replace("G   200.000", "G   950.000");
    assert_eq!(ranges(&blank).iter().map(|r| (r.low, r.high, r.a[5])).collect::<Vec<_>>(), [(950.0, 3500.0, 5.0)]);
    // More elements: beyond column 80, or on lines of their own.
    let composition = |record: &str| {
        let network = read_thermo(record).unwrap_or_else(|refusal| panic!("{refusal}"));
        let species = &network.species[0];
        species
            .composition
            .iter()
            .map(|&(e, n)| format!("{}{n}", network.elements[e].symbol))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(composition(&plain), "C1 H4");
    assert_eq!(composition(&plain.replace("    1\n", "    1O       12H        8\n")), "C1 O12 H8");
    assert_eq!(composition(&plain.replace("    1\n", "    1&\nC 2500 &\nH 1200\n")), "C2500 H1200");
    assert_eq!(composition(&plain.replace("1000.000    1\n", "1000.0O   2 1\n")), "C1 H4 O2");
    assert_eq!(composition(&record_of("A", "C  1.H  2.E  -1     ")), "C1 H2 E-1");

    for (from, to, code) in [
        ("1.84373180E+01", "1.84373180E+ 1", "M0319"),
        ("  3500.000", "  1000.000", "M0317"),
        ("   200.000", "  2000.000", "M0318"),
        ("   200.000", "      cold", "M0316"),
        ("C   1H   4", "C    H    ", "M0321"),
        ("C   1H   4", "C 1250H 812", "M0321"),
        ("    3\n", "    4\n", "M0314"),
    ] {
        let faulty = plain.replace(from, to);
        let faulty = if to.len() > from.len() { faulty.replace("812          G", "812         G") } else { faulty };
        let codes: Vec<_> = errors(&format!("ELEM C H END\nSPECIES A END\nTHERMO\n300. 900. 5000.\n{faulty}END\n"))
            .iter()
            .map(|e| e.0)
            .collect();
        assert_eq!(codes, [code], "{faulty}");
    }
}

#[test]
fn the_first_record_counts() {
    let thermo = format!("THERMO\n300 1000 5000\n{}{}END\n", record("A"), record_of("A", "C   1H   2"));
    let chem = "ELEM C H END\nSPECIES A A END\n";
    let network = read(&format!("{chem}{thermo}")).expect("reads");
    assert_eq!(network.species[0].composition, [(0, 1.0), (1, 4.0)]);
    assert_eq!(network.notes.iter().map(|n| n.code).collect::<Vec<_>>(), ["M0309", "M0312"]);
    // A mechanism's own data goes before that of a database, without a word.
    let own = format!("ELEM C H END\nSPECIES A END\nTHERMO\n{}END\n", record("A"));
    let database = format!("THERMO ALL\n300 1000 5000\n{}END\n", record_of("A", "C   1H   2"));
    let network = read_str(("chem.inp", &own), Some(("therm.dat", &database))).expect("reads");
    assert_eq!((network.species[0].composition.len(), network.notes.len()), (2, 0));
}

#[test]
fn names_of_any_kind() {
    let names = "CH2(S) C3H5-A plus+ eq=uals [xy]* 'q' #1 E amp&ersand O2(1D) 2-X";
    let network = read(&mechanism(
        names,
        "\nplus+ + eq=uals=2 [xy]* 1 0 0\nCH2(S)+'q'<=>C3H5-A+E 1 0 0\namp&ersand+2-X=>O2(1D)+#1 1 0 0\neq=uals+M=E+M 1 0 0\neq=uals/2/",
    ));
    let network = network.unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(network.reactions[0].reactants, [(2, 1.0), (3, 1.0)]);
    assert_eq!(network.reactions[2].reactants, [(8, 1.0), (10, 1.0)]);
    assert_eq!(network.reactions[3].third_body.as_ref().map(|b| b.efficiencies.clone()), Some(vec![(3, 2.0)]));
}

#[test]
fn sections_and_line_ends() {
    let text = mechanism("A B", "\nA=B 1 0 0").replace("END\nSPECIES", "SPECIES").replace('\n', "\r\n");
    let network = read(&format!(
        "! title\r\nsome text\r\n{text}\r\nReferences of the authors\r\nTRANSPORT\r\nA 1 2\r\nEND\r\n\u{1a}"
    ))
    .expect("reads");
    assert_eq!(network.sources.line(network.reactions[0].at), 20);
    let codes: Vec<_> = network.notes.iter().map(|n| n.code).collect();
    assert_eq!(codes, ["M0302", "M0303", "M0305"]);
    assert_eq!(errors("just words")[0].0, "M0304");
    assert_eq!(errors("ELEMENTS H END")[0].0, "M0310");
}

#[test]
fn messages_point_at_the_cause() {
    let refusal = read(&mechanism("A B", "\nA=B 1 0 0\n TROE/.5 91. 5836. 1.0+100/")).expect_err("bad number");
    let expected = "\
error[M0341]: `1.0+100` is not a number
  --> chem.inp:20:20
   |
20 |  TROE/.5 91. 5836. 1.0+100/
   |                    ^^^^^^^ in the data of TROE
   |
   = help: if an exponent is meant, write `1.0E+100`";
    assert_eq!(refusal.to_string(), expected);
}

/// A section starts where its keyword is, however many blanks follow, and whether or not the one before is closed.
#[test]
fn a_long_line_starts_a_section_below_records() {
    for head in [
        format!("REACTIONS{:25}KCAL/MOLE{:20}MOLES", "", ""),
        format!("reac{:60}MWOFF", ""),
        format!("REACTIONS CAL/MOLE{:50}MAXSP=8", ""),
    ] {
        let text = mechanism("A B", "\nA=B 1 0 0").replace("END\nREACTIONS", &head);
        assert!(text.contains(&head));
        let network = read(&text).unwrap_or_else(|refusal| panic!("{head}:\n{refusal}"));
        assert_eq!((network.reactions.len(), network.notes.len()), (1, 0), "{head}");
    }
    let text = mechanism("A B", "\nA=B 1 0 0").replace("END\nREACTIONS", &format!("REACTIONS {:>60}", "KCAL/MILE"));
    assert_eq!(errors(&text), [("M0334", "KCAL/MILE".to_owned())]);
    // A species may be called like a section.
    let text = mechanism("B SITE", "\nB=SITE 1 0 0");
    assert_eq!(read(&text).map_or(0, |network| network.reactions.len()), 1);
}

#[test]
fn no_species_is_named_as_the_collider() {
    for name in ["M", "m"] {
        let text = mechanism(&format!("A B {name}"), "\n2A+M=B+M 1 0 0");
        assert_eq!(errors(&text)[0], ("M0308", name.to_owned()));
    }
}
