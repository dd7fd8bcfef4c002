//! Records of thermodynamic data in CHEMKIN text: which are taken, how they are read, what is said of them.

use crate::common::{errors, read, record, record_of};
use kinlane_mech::chemkin::read_str;
use kinlane_mech::network::ThermoForm;
use kinlane_mech::{Network, Severity, Span};

/// A record of exactly the name goes first, wherever it stands; one of another case is taken only where there is none.
#[test]
fn thermo_records_are_matched_exactly_first() {
    let text = |records: &[&str]| {
        format!("ELEMENTS\nC H\nEND\nSPECIES\naX\nEND\nTHERMO\n 300. 1000. 5000.\n{}END\n", records.concat())
    };
    let (exact, other) = (record_of("aX", "C   2"), record_of("AX", "C   1"));
    let carbons = |network: Network| network.species[0].composition[0].1;
    for records in [[&*exact, &other], [&other, &exact]] {
        let network = read(&text(&records)).unwrap();
        assert!(network.notes.is_empty(), "{:?}", network.notes);
        assert_eq!(carbons(network), 2.0);
    }
    let beside = |records: &[&str], thermo: &str| read_str(("chem.inp", &text(records)), Some(("therm.dat", thermo)));
    let database = format!("THERMO ALL\n 300. 1000. 5000.\n{other}{exact}END\n");
    for network in [beside(&[], &database), beside(&[&other], &database)] {
        let network = network.unwrap();
        assert!(network.notes.is_empty(), "{:?}", network.notes);
        assert_eq!(carbons(network), 2.0);
    }
    let network = read(&text(&[&other, &record_of("AX", "C   3")])).unwrap();
    let notes: Vec<_> = network.notes.iter().map(|n| (n.code, n.severity, n.message.as_str())).collect();
    assert_eq!(
        notes,
        [
            (
                "M0358",
                Severity::Warning,
                "thermodynamic records that fit a species only without regard to case: `AX` for `aX`"
            ),
            (
                "M0312",
                Severity::Note,
                "species with more than one thermodynamic record, the first of which is used: `AX`"
            ),
        ]
    );
    assert_eq!(carbons(network), 1.0);
}

/// One species X of this record, below this THERMO line and the one after it.
fn with_record(head: &str, record: &str) -> String {
    format!("ELEMENTS\nC H N\nEND\nSPECIES\nX\nEND\n{head}\n{record}END\n")
}

#[test]
fn an_element_that_stands_twice_in_a_record_is_told() {
    let network = read(&with_record("THERMO\n 300. 1000. 5000.", &record_of("X", "H   1C   1H   3"))).unwrap();
    let mut atoms: Vec<_> = network.species[0].composition.iter().map(|c| c.1).collect();
    atoms.sort_by(f64::total_cmp);
    let notes: Vec<_> = network.notes.iter().map(|n| (n.code, n.severity)).collect();
    assert_eq!((atoms, notes), (vec![1.0, 4.0], vec![("M0363", Severity::Warning)]));
}

#[test]
fn elements_beyond_column_80_are_in_complete_fields() {
    let with = |tail: &str| {
        let record = record_of("X", "C   1H   4").replacen("    1\n", &format!("    1{tail}\n"), 1);
        let network = read(&with_record("THERMO\n 300. 1000. 5000.", &record)).unwrap();
        let atoms: Vec<_> = network.species[0].composition.iter().map(|c| c.1).collect();
        (atoms, network.notes.iter().map(|n| (n.code, n.severity)).collect::<Vec<_>>())
    };
    assert_eq!(with("N        3"), (vec![1.0, 4.0, 3.0], vec![]));
    assert_eq!(with("C        2H        6"), (vec![2.0, 6.0], vec![]));
    assert_eq!(with("N  3      "), (vec![1.0, 4.0, 3.0], vec![]));
    for tail in ["N 96", "C 98", "H 5", "N 2001", "H 1990 by BURCAT", "     / CH4 ref 5", "12       3"] {
        assert_eq!(with(tail), (vec![1.0, 4.0], vec![("M0360", Severity::Note)]), "{tail}");
    }
}

#[test]
fn default_temperatures_may_have_text_behind_them() {
    let record = record("X").replace("  1000.000", "          ");
    let with = |head: &str| {
        let network = read(&with_record(head, &record)).unwrap();
        let ThermoForm::Nasa7(ranges) = &network.species[0].thermo.form else { panic!("{head}") };
        (ranges[0].high, network.notes.iter().map(|n| (n.code, n.severity)).collect::<Vec<_>>())
    };
    assert_eq!(with("THERMO ALL\n   300.000  1400.000  5000.000"), (1400.0, vec![]));
    assert_eq!(with("THERMO ALL\n300.0000001400.000005000.00000"), (1400.0, vec![]));
    for more in ["   DEFAULT TEMPERATURES", " 20000.000   9/09/04"] {
        let head = format!("THERMO ALL\n   300.000  1400.000  5000.000{more}");
        assert_eq!(with(&head), (1400.0, vec![("M0361", Severity::Note)]), "{more}");
    }
    let found = with("THERMO ALL   300.000  1400.000  5000.000");
    assert_eq!(found, (1000.0, vec![("M0361", Severity::Warning), ("M0365", Severity::Note)]));
}

/// As CHEMKIN's manual has it: without ALL the temperature between two polynomials is that of the database.
#[test]
fn the_middle_temperature_may_be_that_of_the_separate_file() {
    let record = record("X").replace("  1000.000", "          ");
    let read = |head: &str, thermo: Option<&str>| {
        let text = with_record(head, &record);
        let network = read_str(("chem.inp", &text), thermo.map(|t| ("therm.dat", t))).unwrap();
        let ThermoForm::Nasa7(ranges) = &network.species[0].thermo.form else { panic!("{head}") };
        (ranges[0].high, network.notes.iter().map(|n| n.code).collect::<Vec<_>>())
    };
    let database = "THERMO\n   300.000  1400.000  5000.000\nEND\n";
    assert_eq!(read("THERMO", Some(database)), (1400.0, vec![]));
    assert_eq!(read("THERMO ALL\n 300. 1200. 5000.", Some(database)), (1200.0, vec![]));
    assert_eq!(read("THERMO", None), (1000.0, vec!["M0365"]));
    // Beside the mechanism it is looked for where it is needed, and only there.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chem.inp");
    std::fs::write(folder.path().join("therm.dat"), database).unwrap();
    let second = Span { file: 2, start: 0, end: 0 };
    for (head, high, further) in [("THERMO", 1400.0, true), ("THERMO\n 300. 1200. 5000.", 1200.0, false)] {
        std::fs::write(&file, with_record(head, &record)).unwrap();
        let network = kinlane_mech::chemkin::read(&file, None).unwrap();
        let ThermoForm::Nasa7(ranges) = &network.species[0].thermo.form else { panic!("{head}") };
        assert_eq!((ranges[0].high, network.sources.get(second).is_some()), (high, further), "{head}");
    }
}

#[test]
fn middle_temperatures_are_numbers() {
    for middle in ["  14O0.000", "  1400,00 "] {
        let text = with_record("THERMO\n 300. 1000. 5000.", &record("X").replace("  1000.000", middle));
        assert_eq!(errors(&text), [("M0316", middle.trim().to_owned())]);
    }
}

/// Al, with the exponents that are read, in the column of NASA's files or in that of its report, and with others.
#[test]
fn nine_coefficients_have_the_usual_exponents() {
    let record = |limits: &str| {
        format!(
            "X                 made up\n 1 tpis96 C   1.00    0.00    0.00    0.00    0.00 0   26.9815386          0.000\n\
             \x20   200.000   1000.000{limits}         6197.428\n\
             \x207.750600970D+04-1.440779717D+03 1.401744141D+01-6.381631240D-03 5.871674720D-06\n\
             -2.908872278D-09 5.994050890D-13                -6.579343180D+04-4.494017799D+01\n"
        )
    };
    let text = |limits: &str| with_record("THERMO NASA9\n 200. 1000. 6000. 20000.", &record(limits));
    for good in ["7 -2.0 -1.0  0.0  1.0  2.0  3.0  4.0  0.0", "                                        "] {
        read(&text(good)).unwrap_or_else(|e| panic!("{e}"));
    }
    // The keyword need not say so, as in the file of NASA's CEA.
    let bare = text("7 -2.0 -1.0  0.0  1.0  2.0  3.0  4.0  0.0").replace("THERMO NASA9", "thermo");
    read(&bare).unwrap_or_else(|e| panic!("{e}"));
    let old = text("7 -2.0 -1.0  0.0  1.0  2.0  3.0  4.0  0.0").replace("1000.0007", "1000.007");
    read(&old).unwrap_or_else(|e| panic!("{e}"));
    for bad in ["5  0.0  1.0  2.0  3.0  4.0  0.0  0.0  0.0", "7 -3.0 -2.0 -1.0  0.0  1.0  2.0  3.0  0.0"] {
        assert_eq!(errors(&text(bad)), [("M0362", bad.to_owned())]);
    }
}

/// Ranges beyond the stated number are not lost in silence, whatever follows them.
#[test]
fn nine_coefficients_have_as_many_ranges_as_they_say() {
    let range = |low: &str, high: &str| {
        format!(
            " {low:>10}{high:>10}7 -2.0 -1.0  0.0  1.0  2.0  3.0  4.0  0.0         6197.428\n\
             \x207.750600970D+04-1.440779717D+03 1.401744141D+01-6.381631240D-03 5.871674720D-06\n\
             -2.908872278D-09 5.994050890D-13                -6.579343180D+04-4.494017799D+01\n"
        )
    };
    let ranges = [range("200.000", "1000.000"), range("1000.000", "6000.000"), range("6000.000", "20000.000")].concat();
    let second = " tpis96 C   1.00    0.00    0.00    0.00    0.00 0   26.9815386          0.000\n";
    let other = "OTHER\n 1 tpis96 C   1.00    0.00    0.00    0.00    0.00 0   26.9815386          0.000\n";
    let text = |count: &str, below: &str| {
        with_record("THERMO NASA9\n 200. 1000. 6000. 20000.", &format!("X   made up\n{count}{second}{ranges}{below}"))
    };
    for below in [String::new(), format!("{other}{}", range("200.000", "1000.000"))] {
        assert_eq!(read(&text(" 3", &below)).map_or(0, |n| n.species.len()), 1);
        for count in [" 1", " 2"] {
            assert_eq!(errors(&text(count, &below)), [("M0314", count.trim().to_owned())]);
        }
    }
    // Of a species that is not asked for nothing is said.
    let unasked = format!("OTHER\n 2{second}{ranges}X   made up\n 3{second}{ranges}");
    assert!(read(&with_record("THERMO NASA9\n 200. 1000. 6000. 20000.", &unasked)).is_ok());
}

/// A blank polynomial is none; where its range is one of two, it is missing.
#[test]
fn a_range_without_coefficients_is_one_too_few() {
    let whole = record("X");
    let lines: Vec<&str> = whole.lines().collect();
    let blank =
        |line: &str, from: usize, to: usize| format!("{}{}{}", &line[..from], " ".repeat(to - from), &line[to..]);
    let lower =
        [lines[0], lines[1], &blank(lines[2], 30, 75), &blank(lines[3], 0, 60)].map(|l| format!("{l}\n")).concat();
    let upper =
        [lines[0], &blank(lines[1], 0, 75), &blank(lines[2], 0, 30), lines[3]].map(|l| format!("{l}\n")).concat();
    let head = "THERMO\n 300. 1000. 5000.";
    for (record, range) in [(&lower, "lower"), (&upper, "upper")] {
        assert_eq!(errors(&with_record(head, record)), [("M0319", "X".to_owned())]);
        let said = read(&with_record(head, record)).unwrap_err().to_string();
        assert!(said.contains(&format!("its {range} temperature range is blank")), "{said}");
        // Its middle temperature says that there is one range only.
        let one = record.replace("  1000.000", "  3500.000");
        let network = read(&with_record(head, &one)).unwrap();
        assert!(matches!(&network.species[0].thermo.form, ThermoForm::Nasa7(ranges) if ranges.len() == 1), "{range}");
    }
}

#[test]
fn elements_that_lines_behind_the_first_replace_are_told() {
    let first = format!("{:<80}&\n", record_of("X", "C   1H   1").lines().next().unwrap());
    let rest: String = record("X").lines().skip(1).map(|l| format!("{l}\n")).collect();
    let told = |more: &str| {
        let network = read(&with_record("THERMO\n 300. 1000. 5000.", &format!("{first}{more}\n{rest}"))).unwrap();
        let notes: Vec<_> = network.notes.iter().map(|n| (n.code, n.severity)).collect();
        (network.species[0].composition.len(), notes)
    };
    assert_eq!(told("N 1"), (1, vec![("M0321", Severity::Warning)]));
    assert_eq!(told("C 1 H 1 N 1"), (3, vec![]));
}

/// Columns 66 to 78: the middle temperature, and a fifth element.
#[test]
fn middle_temperatures_beside_a_fifth_element() {
    let with = |columns: &str| {
        let record = record("X").replacen("  1000.000    1", &format!("{columns:<13} 1"), 1);
        let network =
            read(&with_record("THERMO\n 300. 1400. 5000.", &record)).unwrap_or_else(|e| panic!("{columns}: {e}"));
        let ThermoForm::Nasa7(ranges) = &network.species[0].thermo.form else { panic!("{columns}") };
        let atoms: Vec<_> = network.species[0].composition.iter().map(|c| c.1).collect();
        (ranges[0].high, atoms[2..].to_vec())
    };
    for (columns, middle, fifth) in [
        ("  1000.0N  -1", 1000.0, vec![-1.0]),
        ("  1000.0 N -1", 1000.0, vec![-1.0]),
        ("  1000.0 N  2", 1000.0, vec![2.0]),
        ("  1000.0G    ", 1000.0, vec![]),
        ("    10000   0", 1000.0, vec![]),
        ("    1000    0", 1000.0, vec![]),
        (" 1.391E300   ", 1391.0, vec![]),
        (" 1.391E3     ", 1391.0, vec![]),
        ("1.391000E3   ", 1391.0, vec![]),
        ("  1391.123   ", 1391.123, vec![]),
        ("        00   ", 1400.0, vec![]),
        ("        0   0", 1400.0, vec![]),
        ("        N   1", 1400.0, vec![1.0]),
        // Its symbol stands in two columns: what is behind them is no element.
        (" 1000.00  REF", 1000.0, vec![]),
        ("  1000.0  C 2", 1000.0, vec![]),
    ] {
        assert_eq!(with(columns), (middle, fifth), "{columns}");
    }
    // What is no element and number there is told.
    let record = record("X").replacen("  1000.000    1", "  1000.0 N 1x 1", 1);
    assert_eq!(errors(&with_record("THERMO\n 300. 1000. 5000.", &record)), [("M0321", "N 1x".to_owned())]);
}

/// A file of records alone may begin with prose, whatever its first word is.
#[test]
fn records_below_prose_are_found() {
    let chem = "ELEMENTS\nC H\nEND\nSPECIES\nX\nEND\n";
    for prose in ["Species data from a table", "Elements and species of 1999", "Reactions are elsewhere"] {
        let network = read_str(("chem.inp", chem), Some(("therm.dat", &format!("{prose}\n{}", record("X")))));
        let network = network.unwrap_or_else(|e| panic!("{prose}: {e}"));
        assert_eq!(network.notes.iter().map(|n| n.code).collect::<Vec<_>>(), ["M0315"], "{prose}");
    }
}

/// A mechanism that is named in place of a file of records has no lines that belong to none.
#[test]
fn a_mechanism_is_no_file_of_records() {
    let text = "ELEMENTS\nC H\nEND\nSPECIES\nX\nEND\nREACTIONS\nX=X 1 0 0\nEND\n";
    let told = |thermo: &str| {
        let refusal =
            read_str(("chem.inp", text), Some(("therm.dat", thermo))).map(|n| n.reactions).expect_err("refused");
        refusal.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!(told(text), ["M0311"]);
    assert_eq!(told("X is in another file\n"), ["M0315", "M0311"]);
}

/// What begins with the word of a section among records, with its mark in another column or as prose, leaves the others.
#[test]
fn long_lines_among_records_start_no_section() {
    let with = |line: &str| {
        let thermo = format!("THERMO\n 300. 1000. 5000.\n{}{line}{}END\n", record("AR"), record("X"));
        let separate = read_str(
            ("chem.inp", "ELEMENTS\nC H\nEND\nSPECIES\nX\nEND\nREACTIONS\nX=X 1 0 0\nEND\n"),
            Some(("therm.dat", &thermo)),
        );
        let text = format!("ELEMENTS\nC H\nEND\nSPECIES\nX\nEND\n{thermo}REACTIONS\nX=X 1 0 0\nEND\n");
        for network in [separate, read(&text)] {
            let network = network.unwrap_or_else(|e| panic!("{line}: {e}"));
            assert_eq!(network.notes.iter().map(|n| n.code).collect::<Vec<_>>(), ["M0315"], "{line}");
        }
    };
    for name in ["SITE", "BULK", "SURF", "REAC", "SPEC", "ELEM", "TRAN", "THER"] {
        with(&record(name).replacen("    1\n", "   1\n", 1));
    }
    for prose in [
        "REACTIONS OF THESE SPECIES ARE IN THE OTHER FILE, SEE ITS HEAD",
        "SPECIES THAT ARE NOT LISTED HERE ARE IN THE OTHER FILE",
        "Elements other than C and H are those of the other table.",
    ] {
        with(&format!("{prose}\n"));
    }
    // The record of a species keeps its own message.
    let record = record("REAC").replacen("    1\n", "     \n", 1);
    let text = format!("ELEMENTS\nC H\nEND\nSPECIES REAC\nEND\nTHERMO\n 300. 1000. 5000.\n{record}END\n");
    let refusal = read(&text).map(|n| n.reactions).expect_err("no mark");
    assert_eq!(refusal.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["M0313", "M0311"]);
}
