//! Whatever the text, the CHEMKIN reader gives a network or a refusal with places; it never panics.

use kinlane_mech::Severity;
use kinlane_mech::chemkin::read_str;
use kinlane_testdata::damage;
use proptest::prelude::*;

const VALID: &str = "\
ELEMENTS
H O CI/13.003/ AR
END
SPECIES
H2 O2 H O OH AR SP)X plus+
END
THERMO ALL
   300.000  1000.000  5000.000
H2                TPIS78H   2               G   200.000  3500.000  1000.000    1
 3.33727920E+00-4.94024731E-05 4.99456778E-07-1.79566394E-10 2.00255376E-14    2
-9.50158922E+02-3.20502331E+00 2.34433112E+00 7.98052075E-03-1.94781510E-05    3
 2.01572094E-08-7.37611761E-12-9.17935173E+02 6.83010238E-01                   4
O2                TPIS89O   2               G   200.000  3500.000  1000.000    1&
O 2
 3.28253784E+00 1.48308754E-03-7.57966669E-07 2.09470555E-10-2.16717794E-14    2
-1.08845772E+03 5.45323129E+00 3.78245636E+00-2.99673416E-03 9.84730201E-06    3
-9.68129509E-09 3.24372837E-12-1.06394356E+03 3.65767573E+00                   4
END
REACTIONS KCAL/MOLE MOLES
H2+O2=2OH 1.7E13 0.0 47.78
O+H+M=OH+M 5E17 -1 0
 H2/2.0/ AR/0.7/
H+O2(+SP)X)=O+OH(+SP)X) 1E12 0 0
 LOW/1E18 -1 0/ TROE/0.5 100 2000 0/
H2(+M)=2H(+M) 1 0 0
 TCHEB/300 2000/ PCHEB/0.1 10/ CHEB/2 2 1 2 3 4/
H2+plus+=>plus++2H 1 0 0
 PLOG/1 2 3 4/ PLOG/10 2 3 4/ UNITS/CAL/MOLE/ DUP
O+H2=H+OH 1 0 0
 REV/1 2 3/ FORD/O 0.5/ RORD/H 2/ LT/1 2/ RLT/3 4/
END
THERMO NASA9
200.000  1000.000  6000.000 20000.000   9/09/04
AR                Ref-Elm. Moore,1971. Gordon,1999.
 1 g 3/98 AR  1.00    0.00    0.00    0.00    0.00 0   39.9480000          0.000
    200.000  20000.0007 -2.0 -1.0  0.0  1.0  2.0  3.0  4.0  0.0         6197.428
 0.000000000D+00 0.000000000D+00 2.500000000D+00 0.000000000D+00 0.000000000D+00
 0.000000000D+00 0.000000000D+00                -7.453750000D+02 4.379674910D+00
END
";

/// Reads a text, renders what is said about it, and checks that every error has a place inside the text.
fn survives(text: &str) {
    for thermo in [None, Some(("therm.dat", text))] {
        let refusal = match read_str(("chem.inp", text), thermo) {
            Ok(_) => continue,
            Err(refusal) => refusal,
        };
        assert!(refusal.diagnostics.iter().any(|d| d.severity == Severity::Error));
        assert!(!refusal.to_string().is_empty());
        for (span, _) in refusal.diagnostics.iter().flat_map(|d| &d.labels) {
            let source = refusal.sources.get(*span).expect("a place lies in a source");
            assert!(source.text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
        }
    }
}

#[test]
fn the_seed_is_understood() {
    let refusal = read_str(("chem.inp", VALID), None).expect_err("some species have no data");
    let errors: Vec<_> = refusal.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code).collect();
    assert_eq!(errors, ["M0311"], "{refusal}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        survives(&text);
    }

    #[test]
    fn words_of_the_language(words in prop::collection::vec(prop::sample::select(vec![
        "ELEMENTS", "SPECIES", "THERMO", "ALL", "NASA9", "REACTIONS", "END", "TRANSPORT", "SITE", "\n", "\n", "\n", "H", "O2", "+", "=", "=>", "<=>", "(+M)", "+M", "M",
        "/", "1.0", "-2", "1E+99", "1E308", "&", "!", "LOW/", "TROE/", "PLOG/", "CHEB/", "TCHEB/", "PCHEB/", "REV/", "FORD/", "UNITS/", "CAL/MOLE", "DUP", "\t", "é", "H/2/", "0H",
    ]), 0..80)) {
        survives(&words.join(" "));
        survives(&words.concat());
    }

    #[test]
    fn bytes_changed(edits in prop::collection::vec((any::<usize>(), any::<char>(), 0..3u8), 1..8)) {
        survives(&damage::characters(VALID, &edits));
    }

    #[test]
    fn lines_moved(edits in prop::collection::vec((any::<usize>(), any::<usize>(), 0..3u8), 1..6)) {
        survives(&damage::lines(VALID, &edits));
    }
}
