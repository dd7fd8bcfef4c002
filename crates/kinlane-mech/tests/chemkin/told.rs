//! What is said of slips in CHEMKIN input: which word, which column, what to write.

use crate::common::{mechanism, read, record};
use kinlane_mech::{Diagnostic, Severity};

/// The places, messages and remedies of everything found.
fn told(text: &str) -> Vec<(&'static str, String, String)> {
    let (notes, sources) = match read(text) {
        Ok(network) => (network.notes, network.sources),
        Err(refusal) => (refusal.diagnostics, refusal.sources),
    };
    let line = |d: &Diagnostic| format!("{}: {}", sources.line(d.labels[0].0), d.message);
    notes
        .iter()
        .map(|d| (d.code, line(d), format!("{}; {}", d.labels[0].1, d.help.clone().unwrap_or_default())))
        .collect()
}

#[test]
fn blank_coefficients_are_named() {
    let with = |from: &str, record: String| {
        assert!(record.contains(from), "{record}");
        let blank = record.replace(from, &" ".repeat(from.len()));
        let text = format!("ELEM C H END\nSPECIES A END\nTHERMO\n{blank}END\n");
        let refusal = read(&text).expect_err(&text);
        let d = &refusal.diagnostics[0];
        assert_eq!(d.code, "M0319");
        let at = d.labels[0].0;
        (d.message.clone(), at.start as usize - text[..at.start as usize].rfind('\n').unwrap_or(0) - 1)
    };
    let said = |which: &str| format!("the polynomial of `A` is incomplete: coefficient {which} is blank");
    let (upper, lower) = ("of its upper temperature range", "of its lower temperature range");
    assert_eq!(with("-5.73285809E-06", record("A")), (said(&format!("a3 {upper}")), 30));
    assert_eq!(with(" 1.84373180E+01", record("A")), (said(&format!("a7 {upper}")), 15));
    assert_eq!(with("-4.64130376E+00", record("A")), (said(&format!("a7 {lower}")), 45));
}

#[test]
fn records_without_their_mark_are_told() {
    let plain = record("A");
    let of = |first: &str| {
        let old = plain.lines().next().expect("a line");
        told(&format!("ELEM C H END\nSPECIES A END\nTHERMO\n300. 900. 5000.\n{}END\n", plain.replace(old, first)))
    };
    let first = plain.lines().next().expect("a line");
    for (line, why) in [
        (first.trim_end_matches('1').trim_end().to_owned(), "column 80 holds no `1`"),
        (first.replace("A ", "A"), "its last `1` is in column 79; put in what is missing before it"),
        (first.replace("G ", "G  "), "its last `1` is in column 81; take out what is too much before it"),
        (first.replace("A        ", "A\t"), "a tab counts as one column here"),
    ] {
        let found = of(&line);
        assert_eq!(found.iter().map(|d| d.0).collect::<Vec<_>>(), ["M0313", "M0311"], "{line}: {found:?}");
        assert!(found[0].2.contains(why), "{found:?}");
        assert!(found[1].2.contains("correct what is there"), "{found:?}");
    }
    // Another record may do; and prose is no record.
    let again = format!("ELEM C H END\nSPECIES A END\nTHERMO\n{}{plain}END\n", plain.replacen("    1\n", "     \n", 1));
    assert_eq!(told(&again).iter().map(|d| d.0).collect::<Vec<_>>(), ["M0313"]);
    let prose = format!("ELEM C H END\nSPECIES A END\nTHERMO\nA and others are from the table of 1999\n{plain}END\n");
    assert_eq!(told(&prose).iter().map(|d| d.0).collect::<Vec<_>>(), ["M0315"]);
}

/// A line whose number is not in its column has lost a character, or has one too many.
#[test]
fn lines_that_slid_are_warned_of() {
    let plain = record("A");
    let of = |record: &str| {
        let text = format!("ELEM C H END\nSPECIES A END\nTHERMO\n300. 900. 5000.\n{record}END\n");
        let notes = read(&text).unwrap_or_else(|e| panic!("{e}")).notes;
        notes.iter().map(|d| (d.code, d.severity, d.labels[0].1.clone())).collect::<Vec<_>>()
    };
    assert_eq!(of(&plain), []);
    let lines: Vec<&str> = plain.lines().collect();
    for (from, to, column) in [("    3", "   3", 79), ("    3", "     3", 81)] {
        let slid = plain.replace(lines[2], &lines[2].replace(from, to));
        let said = format!("its `3` is in column {column}: look for a character lost or too much");
        assert_eq!(of(&slid), [("M0313", Severity::Warning, said)]);
    }
    let bare = plain.replace(lines[2], lines[2].trim_end_matches('3'));
    assert_eq!(of(&bare), [("M0313", Severity::Note, "read as if `3` were there".to_owned())]);
    // A line that ends in a number may have lost a part of it.
    let cut = plain.replace(lines[2], &lines[2][..70]);
    let said = "its last number is read as `4.9180059`: look for digits that are lost".to_owned();
    assert_eq!(of(&cut)[0], ("M0313", Severity::Warning, said));
}

#[test]
fn numbers_in_two_words_are_told() {
    for (line, part) in [
        ("A+B=2C 3.87E 04 2.7 6260", "3.87E04"),
        ("A+B=2C 3.87E+ 04 2.7 6260", "3.87E+04"),
        ("A+B=2C 3.87E+04 2.7D 00 6260", "2.7D00"),
        ("A+B=2C 3.87E+04 2.7 6.2E 03", "6.2E03"),
    ] {
        let found = told(&mechanism("A B C", &format!("\n{line}")));
        assert_eq!((found.len(), found[0].0), (1, "M0324"), "{line}: {found:?}");
        assert!(found[0].2.contains(&format!("a blank seems to part a number: write `{part}`")), "{found:?}");
    }
    // Electrons and deuterium are none.
    for (line, products) in [
        ("A + A => 2E 1 0 0", vec![(1, 2.0)]),
        ("A+E=>A +1E 100 0 0", vec![(0, 1.0), (1, 1.0)]),
        ("A+D=>A +1D 5 0 0", vec![(0, 1.0), (2, 1.0)]),
    ] {
        let network = read(&mechanism("A E D", &format!("\n{line}"))).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(network.reactions[0].products, products, "{line}");
    }
}

/// Fortran reads exponents without a letter, and blanks in place of it; what is meant is said.
#[test]
fn exponents_without_a_letter_are_told() {
    let text = mechanism("A B C", "\nA+B=2C 2.00e+12 0.90 4.8749+04");
    let found = told(&text);
    assert!(found.len() == 1 && found[0].2.contains("write `4.8749E+04`"), "{found:?}");
    for (field, meant) in [("  1.22292535-09", "1.22292535E-09"), ("  1.22292535 -9", "1.22292535E-9")] {
        let found = told(&text.replace("4.8749+04", "0").replace(" 1.22292535E-09", field));
        assert!(found.iter().all(|f| f.0 == "M0319" && f.2.contains(&format!("write `{meant}`"))), "{found:?}");
    }
}

/// Commas behind the numbers of a reaction's line are read as blanks, as they are between data.
#[test]
fn commas_and_comments_behind_numbers_are_told() {
    let network = read(&mechanism("A(2,4) B", "\nA(2,4)+B=2B 1.5E13, 0.5, 600.")).unwrap();
    assert_eq!(network.notes.iter().map(|d| d.code).collect::<Vec<_>>(), ["M0342"]);
    let found = told(&mechanism("A(2,4) B", "\nA(2,4)+B=2B 1.5E13,0.5,600."));
    assert!(found.len() == 1 && found[0].2.contains("put blanks between numbers"), "{found:?}");
    let plain = read(&mechanism("A(2,4) B", "\nA(2,4)+B=2B 1.5E13 0.5 600.")).unwrap();
    assert_eq!((&plain.reactions[0].rate, plain.notes.len()), (&network.reactions[0].rate, 0));
    for line in ["A=B 1 0 0 # from a table", "A=B 1 0 0 ; old"] {
        let found = told(&mechanism("A B", &format!("\n{line}")));
        assert!(found.len() == 1 && found[0].2.contains("comments begin with `!`"), "{line}: {found:?}");
    }
}

/// A collider once is the same as that without a number.
#[test]
fn one_collider_is_a_collider() {
    let of = |line: &str| read(&mechanism("A B", &format!("\n{line}"))).map(|n| n.reactions);
    assert_eq!(of("2A+1M=2B+1 M 1 0 0").unwrap()[0].rate, of("2A+M=2B+M 1 0 0").unwrap()[0].rate);
    assert!(of("2A+2M=2B+2M 1 0 0").is_err());
}

/// CHEMKIN looks at the first letters of unit words; what it would not know is refused, with the word that is meant.
#[test]
fn unit_words_in_singular_and_plural() {
    let of = |unit: &str| mechanism("A B", "\nA=B 1 0 1000.").replace("REACTIONS", &format!("REACTIONS {unit}"));
    let energy = |unit: &str| read(&of(unit)).unwrap().reactions[0].rate.clone();
    for (one, other) in [
        ("KCAL/MOLES", "KCAL/MOLE"),
        ("CAL/GMOL", "CAL/MOLE"),
        ("JOULE/MOLE", "JOULES/MOLE"),
        ("KJOULE/MOLE", "KJOULES/MOLE"),
        ("KJOU/MOL", "KJOULES/MOLE"),
        ("MOLECULE", "MOLECULES"),
    ] {
        assert_eq!(energy(one), energy(other), "{one}");
    }
    for (unit, meant) in [("J/MOLE", "JOULES/MOLE"), ("kJ/mol", "KJOULES/MOLE"), ("eV", "EVOLTS"), ("K", "KELVINS")] {
        let found = told(&of(unit));
        assert!(found.len() == 1 && found[0].2.contains(&format!("did you mean `{meant}`?")), "{unit}: {found:?}");
    }
}

#[test]
fn keywords_that_do_nothing_are_told() {
    let with = |reactions: &str| {
        let all = ["H", "O"].map(record).concat();
        told(&format!(
            "ELEM C H END\nSPECIES H O END\nTHERMO\n300. 1000. 5000.\n{all}END\nREACTIONS MAXSP=8\n{reactions}\nEND\n"
        ))
    };
    let found = with("H=>O 1e12 0 0\nFORD/H 2/\nRORD/O 1/");
    assert!(found.iter().any(|d| d.0 == "M0352" && d.1.contains("no effect")), "{found:?}");
    let found = with("H=O 1e12 0 0\nDUP/\nH=O 1e13 0 0\nDUP/ /");
    assert_eq!(found.iter().map(|d| d.0).collect::<Vec<_>>(), ["M0331", "M0331"], "{found:?}");
    assert!(found[0].1.contains("which has no data"), "{found:?}");
}

/// A keyword without slashes is told once, with what it lacks.
#[test]
fn data_without_slashes_are_told() {
    for (line, word) in [("LOW 1e12 0 0", "LOW"), ("TROE 0.5 100 2000 3000", "TROE"), ("lt 1 2", "lt"), ("REV", "REV")]
    {
        let found = told(&mechanism("A B", &format!("\nA=B 1 0 0\n{line}")));
        assert_eq!((found.len(), found[0].0), (1, "M0333"), "{line}: {found:?}");
        assert!(found[0].1.contains(&format!("`{word}` has no data")), "{found:?}");
        assert!(found[0].2.contains(&format!("its data is expected behind it: `{word}/.../`")), "{found:?}");
    }
    // What else has three numbers at its end may be a reaction.
    let found = told(&mechanism("A B", "\nA=B 1 0 0\nA B 1 0 0"));
    assert_eq!(found.iter().map(|d| d.0).collect::<Vec<_>>(), ["M0322"], "{found:?}");
}

/// A `&` continues a line, but no data in it.
#[test]
fn data_do_not_go_on_behind_an_ampersand() {
    let of = |lines: &str| told(&mechanism("A B AR", &format!("\nA+M=B+M 1 0 0\n{lines}")));
    assert_eq!(of("AR/2/ &\nA/3/ &\nB/4/"), []);
    for lines in ["PLOG/ 1.0 &\n1e12 0 0/ AR/2/", "AR/2/ REV/ 1 &\n 2 &\n 3/"] {
        let found = of(lines);
        assert_eq!((found.len(), found[0].0), (1, "M0331"), "{lines}: {found:?}");
        assert!(found[0].1.contains("go on behind a `&`"), "{found:?}");
    }
}
