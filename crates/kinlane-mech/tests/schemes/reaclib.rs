//! REACLIB libraries: what is read, what is said about libraries that are wrong, and that nothing makes the reader panic.

use crate::common::{errors_of, survived};
use kinlane_mech::reaclib::{Selection, is_library, read, read_str};
use kinlane_mech::scheme::{Rate, Reaclib, Scheme};
use kinlane_mech::{Refusal, Severity};
use kinlane_testdata::{files, golden};
use proptest::prelude::*;
use std::path::PathBuf;
use std::time::Instant;

/// Some reactions with made-up parameters; the last ones as in the first edition, with the chapter once.
const SMALL: &str = include_str!("../reaclib/small.txt");

const TABLE: &str = "# a table\n1.0E+9 2.0E+9 4.0E+9\n\no16\n1.0 1.5 3.0\n\nne20\n1.0 2.0 4.0\n";

fn names(list: &str) -> Selection {
    Selection::Names(list.split(',').map(str::to_owned).collect())
}

fn small(list: &str) -> Scheme {
    read_str(("small.txt", SMALL), Some(&names(list)), &[]).unwrap_or_else(|e| panic!("{e}"))
}

fn rate(scheme: &Scheme, label: &str) -> Reaclib {
    let step = scheme.reactions.iter().find(|r| r.label == label);
    let step = step.unwrap_or_else(|| panic!("{label}: {:?}", labels(scheme)));
    match &step.rate {
        Rate::Reaclib(rate) => rate.clone(),
        Rate::Expression(_) => panic!("{label}"),
    }
}

fn labels(scheme: &Scheme) -> Vec<&str> {
    scheme.reactions.iter().map(|r| r.label.as_str()).collect()
}

fn refused(text: &str) -> Refusal {
    read_str(("bad.txt", text), None, &[]).map(|_| ()).expect_err(text)
}

#[test]
fn all_reactions_among_the_nuclides_are_taken() {
    let all = read_str(("small.txt", SMALL), None, &[]).unwrap();
    let species: Vec<&str> = all.species.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(species, ["p", "d", "he4", "li7", "be7", "c12", "o16", "ne20", "na21", "mg26", "al-6"]);
    assert_eq!(
        labels(&all),
        [
            "be7 -> li7 [ec]",
            "al-6 -> mg26 [wc12]",
            "o16 -> c12 + he4 [nac2]",
            "c12 + he4 -> o16 [nac2]",
            "p + p -> d [bet+]",
            "p + p -> d [ec]",
            "ne20 + p -> na21 [ly18]",
            "he4 + he4 + he4 -> c12 [fy05]",
        ]
    );
    let some = small("He4,C12,o16");
    assert_eq!(
        some.species.iter().map(|s| (s.weight, s.charge)).collect::<Vec<_>>(),
        [(4.0, 2.0), (12.0, 6.0), (16.0, 8.0)]
    );
    assert_eq!(labels(&some).len(), 3);
    let triple = rate(&some, "he4 + he4 + he4 -> c12 [fy05]");
    assert_eq!((triple.factor, triple.density, triple.sets.len(), triple.capture), (1.0 / 6.0, 2, 3, false));
    assert_eq!(triple.sets[1], [-11.8, -1.0, -23.6, 20.5, -13.0, -20.0, -2.2]);
    assert_eq!(some.reactions[2].reactants, [(0, 3.0)]);
    let captures = small("p,d,be7,li7");
    assert_eq!(captures.reactions.len(), 3);
    assert!(rate(&captures, "be7 -> li7 [ec]").capture && rate(&captures, "p + p -> d [ec]").capture);
    let pp = rate(&captures, "p + p -> d [bet+]");
    assert_eq!((pp.capture, pp.factor, pp.density), (false, 0.5, 1));
}

#[test]
fn partition_functions_are_those_of_products_over_reactants() {
    let of =
        |tables: &[(&str, &str)]| read_str(("small.txt", SMALL), Some(&names("he4,c12,o16,ne20")), tables).unwrap();
    let told = |scheme: &Scheme| scheme.notes.iter().map(|n| (n.code, n.severity)).collect::<Vec<_>>();
    let without = of(&[]);
    assert!(without.partitions.is_empty());
    assert_eq!(told(&without), [("M0410", Severity::Note), ("M0808", Severity::Note)]);
    let with = of(&[("table", TABLE)]);
    assert_eq!(told(&with), [("M0410", Severity::Note), ("M0809", Severity::Note)]);
    assert!(with.notes[1].message.contains("of he4, c12: they"), "{}", with.notes[1].message);
    // Only o16 takes part in a reverse rate, as a reactant.
    assert_eq!(rate(&with, "o16 -> c12 + he4 [nac2]").partitions, [(0, -1)]);
    assert!(rate(&with, "c12 + he4 -> o16 [nac2]").partitions.is_empty());
    assert_eq!(with.partitions[0].t9, [1.0, 2.0, 4.0]);
    assert_eq!(with.partitions[0].ln_g, [0.0, 1.5_f64.ln(), 3.0_f64.ln()]);
    // A second table adds what lies beyond the first.
    let more = "1.0E+8 2.0E+9 8.0E+9\no16\n0.5 7.0 5.0\n";
    let both = of(&[("table", TABLE), ("more", more)]);
    assert_eq!(both.partitions[0].t9, [0.1, 1.0, 2.0, 4.0, 8.0]);
    assert_eq!(both.partitions[0].ln_g[4], 5.0_f64.ln());
}

#[test]
fn what_is_wrong_is_told_with_its_place_in_one_run() {
    let set = |chapter: &str, head: &str, first: &str, second: &str| format!("{chapter}\n{head}\n{first}\n{second}\n");
    let head = "       he4  c12  o16                       nac2      7.16192e+00";
    let (first, second) =
        (" 6.965260e+01-1.392540e+00 5.891280e+01-1.482730e+02", " 9.083240e+00-5.410410e-01 7.035540e+01");
    let good = set("4", head, first, second);
    let place = |text: &str| errors_of(&refused(&format!("{good}{text}")));
    let is = |text: &str, code: &str, place_of: &str| {
        let found = place(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!((found[0].0, found[0].1.as_str()), (code, place_of), "{text}");
    };
    is(&set("12", head, first, second), "M0801", "12");
    is(&set("0", head, first, second), "M0801", "0");
    is(&set("5", head, first, second), "M0802", "he4  c12  o16");
    is(&set("4", &head.replace("o16", "o1x"), first, second), "M0802", "o1x");
    is(&set("4", &head.replace("o16", "o17"), first, second), "M0101", &head.replace("o16", "o17"));
    is(&set("4", &head.replace("o16", "n16"), first, second), "M0101", &head.replace("o16", "n16"));
    is(&set("4", &head.replace("nac2 ", "nac2x"), first, second), "M0802", "x");
    is(&set("4", &head.replace("nac2  ", "nac2 V"), first, second), "M0802", "V");
    is(&set("4", &head.replace("7.16192e+00", "7.16192e+0x"), first, second), "M0802", "7.16192e+0x");
    is(&set("4", &format!("{head}1"), first, second), "M0802", "1");
    is(&set("4", head.trim_start(), first, second), "M0800", head.trim_start());
    is(&set("4", head, &first.replace("5.891280e+01", "5.89128xe+01"), second), "M0803", "5.89128xe+01");
    is(&set("4", head, first, &second.replace("9.083240e+00", "         inf")), "M0803", "inf");
    is(&set("4", head, &first[..39], second), "M0803", &first[..39]);
    assert!(refused(&set("4", head, &first[..39], second)).to_string().contains("number 4 is missing"));
    is(&set("4", head, first, &format!("{second} 1.0")), "M0803", "1.0");
    is(&format!("4\n{head}\n{first}\n"), "M0803", head);
    is(&format!("{good}{second}"), "M0800", second);
    is(&set("4", &head.replace("nac2", "na\u{e9}2"), first, second), "M0802", &head.replace("nac2", "na\u{e9}2"));
    // What should be a chapter is one finding: sets behind it are not judged by the chapter before.
    for chapter in ["abc", "-1", "4.0"] {
        is(&set(chapter, head, first, second), "M0801", chapter);
    }
    // Files that are cut short, where the rest may be read as numbers.
    is("4\n", "M0800", "4");
    is(&format!("4\n{head}\n{first}\n{}\n", &second[..34]), "M0803", "7.03554");
    is(&format!("4\n{head}\n{first}\n{}\n", &second[..38]), "M0803", "7.035540e+0");
    // All of them at once, and what is sound between them is not told.
    let all = [
        set("4", &head.replace("o16", "o1x"), first, second),
        good.clone(),
        set("4", &head.replace("o16", "o17"), &first.replace('6', "x"), &second.replace('9', "y")),
        set("99", head, first, second),
        good.clone(),
    ];
    let found = place(&all.concat());
    assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), ["M0802", "M0101", "M0803", "M0803", "M0801"]);
    let told = refused(&all.concat()).to_string();
    assert!(told.contains("bad.txt:2:") && told.contains("names are n, p, d, t"), "{told}");
    assert_eq!(errors_of(&refused(&good[2..])).first().map(|f| f.0), Some("M0801"));
}

#[test]
fn selections_and_tables_that_do_not_fit_are_told() {
    let of = |list: &str, tables: &[(&str, &str)]| {
        let refusal = read_str(("small.txt", SMALL), Some(&names(list)), tables).map(|_| ()).expect_err(list);
        (errors_of(&refusal).first().map(|e| e.0), refusal.to_string())
    };
    let (code, told) = of("he4,c12,o61", &[]);
    assert!(code == Some("M0804") && told.contains("did you mean `o16`?"), "{told}");
    let (code, told) = of("he4,ne20", &[]);
    assert!(code == Some("M0806"), "{told}");
    for (other, own) in [("alpha", "he4"), ("4He", "he4"), ("prot", "p"), ("C-12", "c12")] {
        let (code, told) = of(&format!("{other},o16"), &[]);
        assert!(code == Some("M0804") && told.contains(&format!("did you mean `{own}`?")), "{told}");
    }
    for (table, part) in [
        ("# nothing\n", "without a line of temperatures"),
        ("1e9 1e9\n", "do not ascend"),
        ("0.1 1 5\no16\n1 1 2\n", "these may be in GK"),
        ("1e9 x\n", "`x` is no temperature"),
        ("1e9 2e9\no16\n1.0\n", "1 values for 2 temperatures"),
        ("1e9 2e9\no16\n1.0 -1.0\n", "`-1.0` is no value"),
        ("1e9 2e9\no16\n", "is missing"),
        ("1e9 2e9\no\n1.0 1.0\n", "`o` is no nuclide"),
        ("1e9 2e9\no16\n1.0 1.0\no16\n1.0 1.0\n", "two partition functions"),
    ] {
        let (code, told) = of("he4,c12,o16", &[("table", table)]);
        assert!(code.is_some() && told.contains(part), "{table}: {told}");
    }
    let twice = small("he4,c12,o16,HE4");
    assert!(twice.species.len() == 3 && twice.notes[0].message.contains("`he4` is wanted twice"));
    let capture: Vec<&str> = SMALL.lines().skip(12).take(4).collect();
    let doubled = format!("{SMALL}{}\n", capture.join("\n"));
    let scheme = read_str(("small.txt", &doubled), Some(&names("he4,c12,o16")), &[]).map_err(|e| e.to_string());
    let notes = scheme.unwrap().notes;
    assert!(notes.iter().any(|n| n.code == "M0810" && n.severity == Severity::Warning), "{notes:?}");
}

/// A set with parameters of one number.
fn set_of(chapter: u8, nuclides: &[&str], label: &str, p0: f64) -> String {
    let names: String = nuclides.iter().map(|name| format!("{name:>5}")).collect();
    let (zeros, q) = (" 0.000000e+00".repeat(3), "1.00000e+00");
    format!("{chapter}\n     {names:38}{label:9} {q}\n{p0:>13.6}{zeros}\n{zeros}\n")
}

/// A network of a text, whatever it holds.
fn whole(text: &str) -> Scheme {
    read_str(("some.txt", text), None, &[]).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_nuclide_has_one_name() {
    let text = set_of(4, &["h1", "c012", "n13"], "abcdn", 1.0)
        + &set_of(4, &["p", "c12", "n13"], "abcdr", 2.0)
        + &set_of(4, &["n", "h2", "h3"], "abcdn", 1.0)
        + &set_of(4, &["n", "p", "d"], "abcdn", 1.0);
    let all = whole(&text);
    let species: Vec<&str> = all.species.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(species, ["n", "p", "d", "t", "c12", "n13"]);
    assert_eq!(labels(&all), ["c12 + p -> n13 [abcd]", "d + n -> t [abcd]", "n + p -> d [abcd]"]);
    assert_eq!(rate(&all, "c12 + p -> n13 [abcd]").sets.len(), 2);
    let some = read_str(("some.txt", &text), Some(&names("h1,C012,n13")), &[]).unwrap();
    assert_eq!(labels(&some), ["c12 + p -> n13 [abcd]"]);
    // What is no name is refused, with the one that is meant.
    for (other, own) in [("prot", "p"), ("neut", "n"), ("C12", "c12"), ("c-12", "c12"), ("12c", "c12")] {
        let told = refused(&set_of(4, &[other, "c12", "n13"], "abcdn", 1.0)).to_string();
        assert!(told.contains("M0802") && told.contains(&format!("did you mean `{own}`?")), "{told}");
    }
}

/// Mass excesses \[MeV\]: the table has none of He-2, whose mass follows from Q = 1 MeV and that of the proton; the isomer of Al-26
/// lies 228.3 keV above its ground state.
#[test]
fn masses_that_no_table_has() {
    let excess = |text: &str, name: &str| {
        let scheme = whole(text);
        scheme.species.iter().find(|s| s.name == name).and_then(|s| s.excess)
    };
    const PROTON: f64 = 7.288_971;
    let near = |found: Option<f64>, want: f64, within: f64| {
        assert!(found.is_some_and(|found| (found - want).abs() < within), "{found:?} for {want}");
    };
    near(excess(&set_of(4, &["p", "p", "he2"], "abcdn", 1.0), "he2"), 2.0 * PROTON - 1.0, 1e-5);
    near(excess(&set_of(2, &["he2", "p", "p"], "abcdn", 1.0), "he2"), 2.0 * PROTON + 1.0, 1e-5);
    // Where nucleons turn into others, Q may lack what neutrinos take away.
    assert_eq!(excess(&set_of(1, &["he2", "d"], "abcdw", 1.0), "he2"), None);
    let both = set_of(4, &["p", "mg25", "al-6"], "abcdn", 1.0) + &set_of(4, &["p", "mg25", "al*6"], "abcdn", 1.0);
    let [ground, isomer] = ["al-6", "al*6"].map(|name| excess(&both, name).unwrap_or(f64::NAN));
    near(Some(isomer - ground), 0.2283, 1e-4);
}

#[test]
fn a_reaction_is_known_in_any_order() {
    let notes = |one: String, two: String| {
        let scheme = whole(&(one + &two));
        let told = scheme.notes.iter().filter(|n| ["M0810", "M0811"].contains(&n.code));
        (labels(&scheme).len(), told.map(|n| (n.code, n.message.clone())).collect::<Vec<_>>())
    };
    let set = |nuclides: &[&str], label: &str, p0| set_of(4, nuclides, label, p0);
    let (one, two) = (["p", "c12", "n13"], ["c12", "p", "n13"]);
    let (count, told) = notes(set(&one, "abcdn", 1.0), set(&two, "abcdn", 1.0));
    assert!(count == 1 && told.len() == 1 && told[0].0 == "M0810", "{told:?}");
    assert_eq!(notes(set(&one, "abcdn", 1.0), set(&two, "abcdr", 2.0)), (1, vec![]));
    let (count, told) = notes(set(&one, "abcdn", 1.0), set(&two, "efghn", 1.0));
    assert!(count == 2 && told.len() == 1 && told[0].0 == "M0811", "{told:?}");
    // Labels that differ in their marks alone.
    let photons = |label: &str| set_of(2, &["n13", "p", "c12"], label, 1.0);
    let (count, told) = notes(photons("abcdn"), photons("abcdrv"));
    let message =
        "n13 -> c12 + p [abcd] (no mark) and n13 -> c12 + p [abcd] (marked v) are the same reaction; both count";
    assert_eq!((count, told), (2, vec![("M0811", message.to_owned())]));
}

#[test]
fn a_library_is_known_by_its_first_lines() {
    assert!(is_library(SMALL));
    assert!(is_library(&format!("1\n\n\n2\n\n\n3\n\n\n{SMALL}")), "chapters may be empty");
    // Also where something of its first set is wrong: then the reader says what.
    let good = set_of(4, &["p", "c12", "n13"], "abcdn", 1.0);
    let head = good.lines().nth(1).unwrap();
    for bad in [good.replace("  p", "1x1"), good.replace("4\n", "abc\n"), format!("# {good}"), good.replace("4\n", "")]
    {
        assert!(bad.contains(&head[10..]) && is_library(&bad), "{bad}");
        assert!(!errors_of(&refused(&bad)).is_empty(), "{bad}");
    }
    for other in
        ["", "4\n", "4\n\n", "4He 4 2 2 0.0 2.4\n1.0 1.0\n", "4\n he4 c12\n", "123\n       he4  c12\n", "ELEMENTS\nH\n"]
    {
        assert!(!is_library(other), "{other}");
    }
}

/// The path of the library of the collection.
fn library() -> Option<PathBuf> {
    Some(files::data()?.join("nuclear/reaclib/reaclib_default2_20250330"))
}

#[test]
fn the_library_is_read_quickly_and_gives_the_networks_that_are_known() {
    let Some(path) = library() else { return };
    let golden = golden::json(&files::golden().unwrap().join("nuclear/alpha13_reaclib.json"));
    let species: Vec<String> =
        golden["species"].as_array().unwrap().iter().map(|s| s.as_str().unwrap().to_owned()).collect();
    let start = Instant::now();
    let alpha = read(&path, Some(&Selection::Names(species.clone())), &[]).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 1.0 || cfg!(debug_assertions), "{seconds} s");
    assert_eq!(alpha.species.iter().map(|s| s.name.clone()).collect::<Vec<_>>(), species);
    let rates = golden["rates"].as_array().unwrap();
    assert_eq!((alpha.reactions.len(), rates.len()), (32, 32));
    for rate in rates {
        let side = |key: &str| {
            let mut names: Vec<&str> = rate[key].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
            names.sort_unstable();
            names
        };
        let of = |list: &[(usize, f64)]| {
            let mut names: Vec<&str> =
                list.iter().flat_map(|&(k, n)| vec![alpha.species[k].name.as_str(); n as usize]).collect();
            names.sort_unstable();
            names
        };
        let same = alpha.reactions.iter().filter(|r| {
            of(&r.reactants) == side("reactants")
                && of(&r.products) == side("products")
                && r.label.ends_with(&format!("[{}]", rate["label"].as_str().unwrap()))
        });
        let same: Vec<_> = same.collect();
        assert_eq!(same.len(), 1, "{rate}");
        let Rate::Reaclib(reaclib) = &same[0].rate else { panic!("{rate}") };
        assert_eq!(reaclib.sets.len(), rate["set_labels"].as_array().unwrap().len(), "{rate}");
        assert_eq!(Some(reaclib.factor), rate["prefactor"].as_f64(), "{rate}");
        assert_eq!(Some(i64::from(reaclib.density)), rate["density_exponent"].as_i64(), "{rate}");
    }
    // The whole: every set, of every nuclide.
    let all = read(&path, None, &[]).unwrap();
    let sets = all.reactions.iter().map(|r| match &r.rate {
        Rate::Reaclib(rate) => rate.sets.len(),
        Rate::Expression(_) => 0,
    });
    assert_eq!((sets.sum::<usize>(), all.reactions.len(), all.species.len()), (82_225, 81_437, 8_089));
}

#[test]
fn tables_of_the_collection_are_read_and_continue_one_another() {
    let (Some(path), Some(data)) = (library(), files::data()) else { return };
    let tables = ["frdm_low", "frdm_high", "etfsiq_low", "etfsiq_high"]
        .map(|name| data.join(format!("nuclear/reaclib/{name}.txt")));
    let scheme = read(&path, Some(&names("he4,si28,s32,ni56,fe52")), &tables).unwrap();
    assert_eq!(scheme.partitions.len(), 4);
    for partition in &scheme.partitions {
        assert_eq!((partition.t9.len(), partition.t9[0], partition.t9[24]), (72, 0.01, 12.0));
        assert!(partition.t9.is_sorted() && partition.ln_g.len() == 72);
    }
}

#[test]
fn lists_of_microphysics_select_or_are_refused_with_a_place() {
    let (Some(path), Some(data)) = (library(), files::data()) else { return };
    // Library lines are read once for each list: only some of them.
    for (name, species, reactions) in [
        ("aprox13/aprox13.net", 13, 32),
        ("sn160/pynucastro.net", 160, 1538),
        ("aprox19/aprox19.net", 18, 38),
        ("rprox/rprox.net", 10, 8),
        ("primordial_chem/pynucastro.net", 0, 0),
        ("vode_example/vode_example.net", 0, 0),
    ] {
        let list = data.join("nuclear/microphysics/networks").join(name);
        match read(&path, Some(&Selection::File(list)), &[]) {
            Ok(scheme) => {
                assert_eq!(scheme.species.len(), species, "{name}");
                assert!(reactions == 0 || scheme.reactions.len() == reactions, "{name}: {}", scheme.reactions.len());
            }
            Err(refusal) => assert!(species == 0 && refusal.to_string().contains("M0805"), "{name}: {refusal}"),
        }
    }
}

/// The texts of single rates that Microphysics has, in the older way of writing.
#[test]
fn single_rates_are_libraries_too() {
    let Some(data) = files::data() else { return };
    let folder = data.join("nuclear/microphysics/networks/rprox/reaclib");
    let files = files::files_below(&folder);
    assert!(files.len() > 10, "{}", files.len());
    for path in files {
        let scheme = read(&path, None, &[]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(scheme.reactions.len(), 1, "{}", path.display());
    }
}

fn survives(text: &str, table: &str) {
    let _ = is_library(text);
    if let Some(scheme) = survived(read_str(("fuzz", text), None, &[("table", table)])) {
        assert!(!scheme.reactions.is_empty());
        for step in &scheme.reactions {
            let weight = |side: &[(usize, f64)]| side.iter().map(|(k, n)| scheme.species[*k].weight * n).sum::<f64>();
            assert!((weight(&step.reactants) - weight(&step.products)).abs() < 0.5, "{}", step.label);
        }
    }
}

/// A piece of a library.
fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "[ -~\n]{1,6}",
        "[-+0-9.eE ]{1,14}",
        "(  he4|    n|    p| al-6| ec w|v  |\n4\n|\n11\n|\n\n|\t|\u{e9}|inf|NaN|1e999)",
        any::<char>().prop_map(String::from),
    ]
}

fn damaged(text: &str, cuts: Vec<(usize, usize, String)>) -> String {
    let mut text = text.to_owned();
    for (at, length, new) in cuts {
        let at = text.floor_char_boundary(at % (text.len() + 1));
        let end = text.ceil_char_boundary((at + length).min(text.len()));
        text.replace_range(at..end, &new);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_pieces(tokens in prop::collection::vec(token(), 0..60)) {
        survives(&format!("4\n{}", tokens.concat()), &tokens.concat());
    }

    #[test]
    fn a_library_with_pieces_replaced(cuts in prop::collection::vec((any::<usize>(), 0usize..30, token()), 1..5)) {
        survives(&damaged(SMALL, cuts.clone()), TABLE);
        survives(SMALL, &damaged(TABLE, cuts));
    }
}
