//! The contract of `kinlane advance` and `kinlane rates`: what they read, what they write, how they end.

use crate::common::{Array, Bench, H2, N, Npz, cells, load, save, spoil, stderr, stdout};

const ADVANCE: [&str; 8] = ["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ADVANCE.iter().copied().chain(more.iter().copied()).collect()
}

#[test]
fn output_and_report_hold_what_is_promised() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(25), false);
    let o = b.kinlane(&with(&["--json", "r.json", "--threads", "2"]));
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stdout(&o).contains("25 cells"), "{}", stdout(&o));
    assert_eq!(b.files(), ["o.npz", "r.json", "s.npz"], "and nothing left behind");

    let npz = load(&b.path("o.npz"));
    assert_eq!(npz["species"].strings(), H2);
    for (name, shape) in [
        ("T", vec![25]),
        ("P", vec![25]),
        ("Y", vec![25, N]),
        ("status", vec![25]),
        ("steps", vec![25]),
        ("rejected", vec![25]),
    ] {
        assert_eq!(npz[name].shape, shape, "{name}");
    }
    assert!(npz["status"].numbers().iter().all(|s| *s == 0.0));
    assert!(npz["steps"].numbers().iter().all(|s| *s >= 1.0));
    for row in npz["Y"].numbers().chunks(N) {
        assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    let r: serde_json::Value =
        serde_json::from_slice(&std::fs::read(b.path("r.json")).expect("a report")).expect("JSON");
    for key in ["cells", "failed", "seconds", "cpu_seconds", "steps", "rejected", "rhs", "jac", "factor", "threads"] {
        assert!(r[key].is_number(), "{key}");
    }
    for key in ["device", "lanes", "method"] {
        assert!(r[key].as_str().is_some_and(|s| !s.is_empty()), "{key}");
    }
    assert_eq!(
        (&r["cells"], &r["failed"], &r["threads"], &r["device"]),
        (&25.into(), &0.into(), &2.into(), &"cpu".into())
    );
    let q = &r["steps_per_cell"];
    assert!(q["min"].as_u64() <= q["median"].as_u64() && q["median"].as_u64() <= q["max"].as_u64());
    assert_eq!(r["bytes_per_cell"].as_u64().map(|x| x >= 12 * 8), Some(true));
}

/// The same cells in every form that NumPy writes give the same bits.
#[test]
fn every_form_of_input_gives_the_same_answer() {
    let b = Bench::new();
    let n = 9;
    let plain = cells(n);
    let y = plain["Y"].numbers();
    let run = |states: &Npz, deflate: bool| {
        save(&b.path("s.npz"), states, deflate);
        let o = b.kinlane(&with(&["--threads", "1"]));
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        let npz = load(&b.path("o.npz"));
        (npz["T"].numbers(), npz["Y"].numbers())
    };
    let want = run(&plain, false);
    assert_eq!(run(&cells(n), true), want, "deflated");

    let order = [9usize, 0, 12, 8, 1, 10, 7, 2, 6, 3, 5, 4, 11];
    let mut permuted = cells(n);
    let rows: Vec<f64> = y.chunks(N).flat_map(|row| order.map(|k| row[k])).collect();
    permuted.insert("Y", Array::f64(&[n, N], &rows));
    permuted.insert("species", Array::text(&order.map(|k| H2[k])));
    assert_eq!(run(&permuted, false), want, "species in another order");

    let mut fortran = cells(n);
    let columns: Vec<f64> = (0..N).flat_map(|k| y.iter().skip(k).step_by(N).copied().collect::<Vec<_>>()).collect();
    fortran.insert("Y", Array { fortran: true, ..Array::f64(&[n, N], &columns) });
    assert_eq!(run(&fortran, false), want, "first index fastest");

    let mut big = cells(n);
    let bytes = y.iter().flat_map(|v| v.to_be_bytes()).collect();
    big.insert("Y", Array { descr: ">f8".into(), fortran: false, shape: vec![n, N], data: bytes });
    let t: Vec<u8> = big["T"].numbers().iter().flat_map(|v| (*v as i32).to_le_bytes()).collect();
    big.insert("T", Array { descr: "<i4".into(), fortran: false, shape: vec![n], data: t });
    assert_eq!(run(&big, false), want, "most significant byte first, and integers");

    let mut bytes = cells(n);
    let names = H2.iter().flat_map(|s| format!("{s:\0<4}").into_bytes()).collect();
    bytes.insert("species", Array { descr: "|S4".into(), fortran: false, shape: vec![N], data: names });
    assert_eq!(run(&bytes, false), want, "names as bytes");
}

#[test]
fn an_empty_batch_is_no_error() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(0), false);
    let o = b.kinlane(&with(&["--json", "r.json"]));
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert_eq!(load(&b.path("o.npz"))["Y"].shape, [0, N]);
}

#[test]
fn bad_states_are_refused_with_their_place() {
    let b = Bench::new();
    let mut cases: Vec<(&str, Npz, Vec<&str>)> = Vec::new();
    let mut add = |name, change: &dyn Fn(&mut Npz), words: &[&'static str]| {
        let mut states = cells(8);
        change(&mut states);
        cases.push((name, states, words.to_vec()));
    };
    add("NaN T", &|s| spoil(s, "T", 3, f64::NAN), &["cell 3", "T", "NaN"]);
    add("infinite P", &|s| spoil(s, "P", 5, f64::INFINITY), &["cell 5", "P", "inf"]);
    add("negative T", &|s| spoil(s, "T", 0, -300.0), &["cell 0", "T", "-300"]);
    add("zero P", &|s| spoil(s, "P", 7, 0.0), &["cell 7", "P"]);
    add("NaN Y", &|s| spoil(s, "Y", 3 * N + 3, f64::NAN), &["cell 3", "Y of OH", "NaN"]);
    add("negative Y", &|s| spoil(s, "Y", 3 * N + 3, -0.1), &["cell 3", "Y of OH", "negative"]);
    add("sum", &|s| spoil(s, "Y", 3 * N + 3, 0.1), &["cell 3", "sum to 1.1"]);
    add("lengths", &|s| drop(s.insert("P", Array::f64(&[7], &[1e5; 7]))), &["`P`", "[7]", "8"]);
    add("no Y", &|s| drop(s.remove("Y")), &["`Y`", "P, T, species"]);
    add("columns", &|s| drop(s.insert("Y", Array::f64(&[8, 12], &[0.1; 96]))), &["`Y`", "[8, 12]", "[8, 13]"]);
    add("short", &|s| s.get_mut("Y").expect("Y").data.truncate(100), &["`Y`", "end early"]);
    add("text as T", &|s| drop(s.insert("T", Array::text(&["a"; 8]))), &["`T`", "numbers"]);
    add("numbers as names", &|s| drop(s.insert("species", Array::f64(&[N], &[0.0; N]))), &["`species`", "strings"]);
    let mut names = H2;
    names[3] = "oh";
    let unknown = ["1 of 13 names is no species", "`oh`", "did you mean `OH`"];
    add("unknown", &|s| drop(s.insert("species", Array::text(&names))), &unknown);
    let others = ["H", "H2", "O", "OH", "H2O", "O2", "HO2", "H2O2", "N2", "Ar", "HE+", "NO", "NO2"];
    let of_another = [
        "4 of 13 names are no species of the mechanism: `Ar`, `HE+`, `NO`, `NO2`; do the states belong to another",
        "or did you mean `AR` for `Ar`?",
    ];
    add("another mechanism", &|s| drop(s.insert("species", Array::text(&others))), &of_another);
    names[3] = "H2";
    add("twice", &|s| drop(s.insert("species", Array::text(&names))), &["`H2` occurs twice"]);
    add("missing", &|s| drop(s.insert("species", Array::text(&H2[1..]))), &["1 more: H;", "column"]);
    add("objects", &|s| s.get_mut("T").expect("T").descr = "|O".into(), &["`T`", "Python objects"]);
    add("heating", &|s| drop(s.insert("heating", Array::f64(&[8], &[f64::NAN; 8]))), &["cell 0", "heating"]);
    add("Te", &|s| drop(s.insert("Te", Array::f64(&[8], &[-1.0; 8]))), &["cell 0", "Te"]);
    for (name, states, words) in cases {
        save(&b.path("s.npz"), &states, false);
        let o = b.kinlane(&with(&["--json", "r.json"]));
        let said = stderr(&o);
        assert_eq!(o.status.code(), Some(2), "{name}: {said}");
        assert!(words.iter().all(|w| said.contains(w)), "{name}: {said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{name}: {said}");
        assert_eq!(b.files(), ["s.npz"], "{name}");
    }
}

#[test]
fn garbled_files_are_refused() {
    let b = Bench::new();
    save(&b.path("good.npz"), &cells(4), false);
    let good = std::fs::read(b.path("good.npz")).expect("bytes");
    let cut = good[..good.len() / 2].to_vec();
    for bytes in [vec![], b"PK\x03\x04".to_vec(), b"not a zip at all".to_vec(), cut] {
        std::fs::write(b.path("s.npz"), bytes).expect("written");
        let o = b.kinlane(&ADVANCE);
        assert_eq!(o.status.code(), Some(2), "{}", stderr(&o));
        assert!(stderr(&o).contains("s.npz") && !stderr(&o).contains("panicked"), "{}", stderr(&o));
    }
    // Any one damaged byte: a message, or the right answer where the byte means nothing; never a panic.
    std::fs::write(b.path("s.npz"), &good).expect("written");
    assert!(b.kinlane(&ADVANCE).status.success());
    let want = load(&b.path("o.npz"))["Y"].numbers();
    for at in (0..good.len()).step_by(97) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x55;
        std::fs::write(b.path("s.npz"), bytes).expect("written");
        let o = b.kinlane(&ADVANCE);
        match o.status.code() {
            Some(0) => assert_eq!(load(&b.path("o.npz"))["Y"].numbers(), want, "byte {at}"),
            code => assert!(code == Some(2) && !stderr(&o).contains("panicked"), "byte {at}: {}", stderr(&o)),
        }
    }
}

#[test]
fn bad_options_are_refused_in_one_go() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(2), false);
    for (more, word) in [
        (["--rtol", "0"], "rtol"),
        (["--rtol", "nan"], "rtol"),
        (["--atol", "-1"], "atol"),
        (["--atol", "10"], "atol is 10, it must be below 1, since it is one of mass fractions"),
        (["--atol-of", "HO2"], "write it as OH:1e-16,H:1e-15"),
        (["--atol-of", "HO2:1e-15,ho2:1e-15"], "atol-of: there is no species `ho2`; did you mean `HO2`?"),
        (["--atol-of", "HO2:1e-15,HO2:1e-14"], "`HO2:1e-14` is no tolerance of a species, or the second of one"),
        (["--atol-of", "HO2:-1"], "atol-of is -1, it must be between 1e-100 and 1e100"),
        (["--threads", "0"], "threads"),
        (["--max-steps", "0"], "max-steps"),
        (["--first-step", "0"], "first-step"),
        (["--method", "nosuch"], "nosuch"),
        (["--device", "cuda:99"], "cuda"),
        (["--reactor", "nosuch"], "const-v"),
        (["--on-failure", "nosuch"], "keep"),
    ] {
        let o = b.kinlane(&with(&more));
        assert_eq!(o.status.code(), Some(2), "{more:?}");
        assert!(stderr(&o).contains(word), "{more:?}: {}", stderr(&o));
        assert_eq!(b.files(), ["s.npz"], "{more:?}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_work() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(2), false);
    for out in ["nosuch/o.npz", "."] {
        let o = b.kinlane(&["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", out]);
        assert_eq!(o.status.code(), Some(2), "{}", stderr(&o));
        assert!(stderr(&o).contains("cannot write"), "{}", stderr(&o));
    }
    let o = b.kinlane(&["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "o.CSV"]);
    assert_eq!(o.status.code(), Some(2), "{}", stderr(&o));
    assert!(stderr(&o).contains("--out o.CSV: what is written is NPZ"), "{}", stderr(&o));
    // Two outputs of one name, however it is written.
    let folder = b.path(".").canonicalize().expect("the folder").join("o.npz");
    let json = folder.to_str().expect("a name");
    let o = b.kinlane(&["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz", "--json", json]);
    assert_eq!(o.status.code(), Some(2), "{}", stderr(&o));
    assert!(stderr(&o).contains("--out and --json are both"), "{}", stderr(&o));
    assert_eq!(b.files(), ["s.npz"]);
    // A name that is too long, of the output or of the replay file beside it.
    for length in [300, 245] {
        let long = format!("{}.npz", "o".repeat(length - 4));
        let o = b.kinlane(&["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", &long]);
        assert_eq!(o.status.code(), Some(2), "{length}: {}", stderr(&o));
        assert!(stderr(&o).contains("cannot write ooo"), "{length}: {}", stderr(&o));
        assert_eq!(b.files(), ["s.npz"]);
    }
}

/// Where a file is replaced, it is as private as before; and one that its user must not write is not replaced.
#[cfg(unix)]
#[test]
fn outputs_have_the_permissions_of_what_they_replace() {
    use std::os::unix::fs::PermissionsExt;
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(2), false);
    let mode = |name: &str| std::fs::metadata(b.path(name)).expect("there").permissions().mode() & 0o7777;
    let place = |mode: u32| {
        std::fs::write(b.path("o.npz"), "precious").expect("written");
        std::fs::set_permissions(b.path("o.npz"), PermissionsExt::from_mode(mode)).expect("permitted");
    };
    for permitted in [0o600, 0o666, 0o4640] {
        place(permitted);
        let o = b.kinlane(&ADVANCE);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        assert_eq!(mode("o.npz"), permitted & 0o777);
        assert_eq!(load(&b.path("o.npz"))["T"].shape, [2]);
    }
    place(0o444);
    // Some users may write everything.
    if std::fs::File::options().write(true).open(b.path("o.npz")).is_err() {
        let o = b.kinlane(&ADVANCE);
        assert_eq!(o.status.code(), Some(2), "{}", stderr(&o));
        assert!(stderr(&o).contains("cannot write o.npz"), "{}", stderr(&o));
        assert_eq!(std::fs::read(b.path("o.npz")).expect("read"), b"precious");
    }
    assert_eq!((mode("o.npz"), b.files()), (0o444, vec!["o.npz".to_owned(), "s.npz".to_owned()]));
}

/// No command writes over what it reads.
#[test]
fn inputs_are_not_overwritten() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(2), false);
    let o = b.kinlane(&["convert", "h2", "m.yaml", "--quiet"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let before = [std::fs::read(b.path("s.npz")).ok(), std::fs::read(b.path("m.yaml")).ok()];
    for args in [
        &["rates", "m.yaml", "--states", "s.npz", "--out", "s.npz"][..],
        &["rates", "m.yaml", "--states", "s.npz", "--out", "./m.yaml"],
        &["advance", "m.yaml", "--states", "s.npz", "--dt", "1e-5", "--out", "s.npz"],
        &["advance", "m.yaml", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz", "--json", "m.yaml"],
        &["equilibrate", "m.yaml", "--states", "s.npz", "--out", "s.npz"],
        &["psr", "m.yaml", "--mixture", "H2:2,O2:1", "--tau", "1e-3", "--csv", "m.yaml"],
        &["ignite", "m.yaml", "--mixture", "H2:2,O2:1", "--T", "1200", "--csv", "m.yaml"],
    ] {
        let o = b.kinlane(args);
        assert_eq!(o.status.code(), Some(2), "{args:?}: {}", stderr(&o));
        assert!(stderr(&o).contains("is the input as well; give --"), "{args:?}: {}", stderr(&o));
    }
    assert_eq!(b.files(), ["m.yaml", "s.npz"]);
    assert!(before == [std::fs::read(b.path("s.npz")).ok(), std::fs::read(b.path("m.yaml")).ok()]);
}

#[test]
fn arrays_that_are_not_read_are_told() {
    let b = Bench::new();
    let mut states = cells(2);
    states.insert("te", Array::f64(&[2], &[1e4; 2]));
    save(&b.path("s.npz"), &states, false);
    let o = b.kinlane(&ADVANCE);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stderr(&o).contains("s.npz: not read: te; what is read is species, T, P, Y, Te,"), "{}", stderr(&o));
    let o = b.kinlane(&with(&["--quiet"]));
    assert!(o.status.success() && stderr(&o).is_empty(), "{}", stderr(&o));
    // What this program wrote holds more than is read.
    let o = b.kinlane(&["advance", "h2", "--states", "o.npz", "--dt", "1e-5", "--out", "p.npz"]);
    assert!(o.status.success() && stderr(&o).is_empty(), "{}", stderr(&o));
}

/// So is what is read and has no part in the answer.
#[test]
fn arrays_without_effect_are_told() {
    let b = Bench::new();
    let mut states = cells(3);
    states.insert("Te", Array::f64(&[3], &[1e4; 3]));
    states.insert("heating", Array::f64(&[3], &[1e3; 3]));
    save(&b.path("s.npz"), &states, false);
    let te = "warning: s.npz: Te has no effect";
    let told = |args: &[&str]| {
        let o = b.kinlane(args);
        assert!(o.status.success(), "{}", stderr(&o));
        stderr(&o)
    };
    let text = told(&ADVANCE);
    assert!(text.contains(te) && !text.contains("heating"), "{text}");
    assert!(told(&with(&["--reactor", "fixed-t"])).contains("heating has no effect: --reactor fixed-t"));
    assert!(told(&with(&["--reactor", "fixed-t", "--quiet"])).is_empty());
    let text = told(&["rates", "h2", "--states", "s.npz", "--out", "r.npz"]);
    assert!(text.contains(te) && text.contains("heating has no effect"), "{text}");
    let text = told(&["equilibrate", "h2", "--states", "s.npz", "--out", "e.npz"]);
    assert!(text.contains(te) && text.contains("heating has no effect"), "{text}");
}

/// Cells may have intervals of their own; --dt is for all of them.
#[test]
fn cells_are_advanced_by_their_own_intervals() {
    let b = Bench::new();
    let n = 4;
    let mut states = cells(n);
    save(&b.path("s.npz"), &states, false);
    let own = [1e-7, 2e-5, 1e-6, 3e-9];
    states.insert("dt", Array::f64(&[n], &own));
    save(&b.path("own.npz"), &states, false);
    let run = |args: &[&str]| {
        let o = b.kinlane(args);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        stderr(&o)
    };
    let told = run(&["advance", "h2", "--states", "own.npz", "--out", "o.npz", "--json", "r.json"]);
    assert!(!told.contains("dt"), "{told}");
    let got = load(&b.path("o.npz"));
    assert_eq!(got["dt"].numbers(), own);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(b.path("r.json")).unwrap()).unwrap();
    assert!(report["dt"].is_null(), "{report}");
    let rows = |file: &str| load(&b.path(file))["Y"].numbers().chunks(N).map(<[f64]>::to_vec).collect::<Vec<_>>();
    for (cell, dt) in own.iter().enumerate() {
        run(&["advance", "h2", "--states", "s.npz", "--dt", &dt.to_string(), "--out", "one.npz"]);
        assert_eq!(rows("one.npz")[cell], rows("o.npz")[cell], "cell {cell}");
    }
    let told = run(&["advance", "h2", "--states", "own.npz", "--dt", "1us", "--out", "all.npz"]);
    assert!(told.contains("dt is not read: all cells are advanced by --dt"), "{told}");
    run(&["advance", "h2", "--states", "s.npz", "--dt", "1us", "--out", "same.npz"]);
    assert_eq!(rows("all.npz"), rows("same.npz"));

    let o = b.kinlane(&["advance", "h2", "--states", "s.npz", "--out", "no.npz"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("no interval: give --dt"), "{}", stderr(&o));
    for (dt, why) in [([1e-6, 1e-6, 0.0, 1e-6], "cell 2, dt"), ([f64::NAN; 4], "cell 0, dt")] {
        states.insert("dt", Array::f64(&[n], &dt));
        save(&b.path("bad.npz"), &states, false);
        let o = b.kinlane(&["advance", "h2", "--states", "bad.npz", "--out", "no.npz"]);
        assert!(o.status.code() == Some(2) && stderr(&o).contains(why), "{}", stderr(&o));
    }
    // A failed cell is run again over its own interval.
    states.insert("dt", Array::f64(&[n], &own));
    save(&b.path("own.npz"), &states, false);
    let o = b.kinlane(&["advance", "h2", "--states", "own.npz", "--out", "f.npz", "--max-steps", "1", "--quiet"]);
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    let o = b.kinlane(&["explain", "f.npz.replay.json", "--cell", "1"]);
    assert!(o.status.success() && stdout(&o).contains("dt = 2e-5 s"), "{} {}", stdout(&o), stderr(&o));
}

#[test]
fn files_that_are_not_what_they_should_be_are_told_in_words() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(2), false);
    assert!(b.kinlane(&with(&["--continue", "m.npz"])).status.success());
    let mut older = Npz::new();
    let memory = load(&b.path("m.npz"));
    let mut made_for = memory["for"].strings();
    assert!(made_for[0].starts_with("kinlane "), "{made_for:?}");
    made_for[0] = "kinlane 0.0.1".to_owned();
    older.insert("for", Array::text(&made_for.iter().map(String::as_str).collect::<Vec<_>>()));
    let numbers = memory["memory"].numbers();
    older.insert("memory", Array::f64(&[numbers.len()], &numbers));
    save(&b.path("older.npz"), &older, false);
    let mut bytes = std::fs::read(b.path("s.npz")).expect("bytes");
    let first = load(&b.path("s.npz"))["T"].numbers()[0].to_le_bytes();
    let at = bytes.windows(8).position(|w| w == first).expect("the first temperature");
    bytes[at] ^= 1;
    std::fs::write(b.path("damaged.npz"), bytes).expect("written");
    for (args, words) in [
        (with(&["--continue", "s.npz"]), "s.npz is the input as well; give --continue another name"),
        (with(&["--continue", "o2.npz"]), "o2.npz: this is no memory that --continue has written; give another name"),
        (with(&["--continue", "m.npz", "--reactor", "const-v"]), "a run with reactor const-p, not reactor const-v"),
        (with(&["--continue", "m.npz", "--atol-of", "OH:1e-9"]), "not atol 1e-12 (OH:1e-9)"),
        (with(&["--continue", "older.npz"]), "a run with kinlane 0.0.1, not kinlane 0."),
        (
            with(&["--mapping", "group"]),
            "--mapping is about devices, and cells are advanced on the CPU; give a --device",
        ),
        (with(&["--device-memory", "9"]), "--device-memory is about devices"),
        (
            vec!["rates", "h2", "--states", "none.npz", "--out", "r.npz"],
            "none.npz: there is no such file or folder; check its name",
        ),
        (
            vec!["rates", "h2", "--states", "damaged.npz", "--out", "r.npz"],
            "the file is damaged (invalid checksum); write or copy it again",
        ),
        (vec!["equilibrate", "h2", "--states", "s.npz", "--phi", "1,2"], "cannot be used with '--phi <LIST>'"),
        (
            vec!["rates", "h2", "--states", "s.npz", "--out", "nosuch/r.npz"],
            "cannot write nosuch/r.npz: there is no such file or folder; make the folder first",
        ),
    ] {
        std::fs::copy(b.path("s.npz"), b.path("o2.npz")).expect("copied");
        let o = b.kinlane(&args);
        assert_eq!(o.status.code(), Some(2), "{args:?}: {}", stderr(&o));
        assert!(stderr(&o).contains(words), "{args:?}: {}", stderr(&o));
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_devices_left_alone() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(2), false);
    std::fs::write(b.path("real.npz"), "old").expect("written");
    std::os::unix::fs::symlink("real.npz", b.path("o.npz")).expect("linked");
    assert!(b.kinlane(&ADVANCE).status.success());
    assert!(b.path("o.npz").is_symlink());
    assert_eq!(load(&b.path("real.npz"))["T"].shape, [2]);
    // So is one to a file that is not there yet, and one to that.
    std::fs::create_dir(b.path("far")).expect("made");
    std::os::unix::fs::symlink("new.npz", b.path("far/next.npz")).expect("linked");
    std::os::unix::fs::symlink("far/next.npz", b.path("n.npz")).expect("linked");
    assert!(b.kinlane(&["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "n.npz"]).status.success());
    assert!(b.path("n.npz").is_symlink() && b.path("far/next.npz").is_symlink());
    assert_eq!(load(&b.path("far/new.npz"))["T"].shape, [2]);
    // A pipe stands for a device, which a test should not put at risk.
    let made = std::process::Command::new("mkfifo").arg(b.path("pipe")).status();
    assert!(made.is_ok_and(|s| s.success()));
    let o = b.kinlane(&["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "pipe"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("no regular file"), "{}", stderr(&o));
    // Nor can states be read from one, which nobody may write to.
    let o = b.kinlane(&["advance", "h2", "--states", "pipe", "--dt", "1e-5", "--out", "o.npz"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("write them to one first"), "{}", stderr(&o));
    let script = format!(
        "cat s.npz | exec {} advance h2 --states /dev/stdin --dt 1e-5 --out o.npz",
        env!("CARGO_BIN_EXE_kinlane")
    );
    let o = std::process::Command::new("sh").args(["-c", &script]).current_dir(b.path("")).output().expect("a shell");
    assert!(o.status.code() == Some(2) && stderr(&o).contains("write them to one first"), "{}", stderr(&o));
}

/// As where a run is only timed. The device is left as it is.
#[cfg(unix)]
#[test]
fn outputs_may_be_dropped() {
    use std::os::unix::fs::FileTypeExt;
    let b = Bench::new();
    let mut npz = cells(3);
    spoil(&mut npz, "T", 1, 1e9);
    save(&b.path("s.npz"), &npz, false);
    let run = ["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "/dev/null", "--json", "/dev/null"];
    let o = b.kinlane(&run);
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    assert!(std::fs::metadata("/dev/null").is_ok_and(|m| m.file_type().is_char_device()));
    assert!(stderr(&o).contains("to see why, give --out a name"), "{}", stderr(&o));
    assert_eq!(b.files(), ["s.npz"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(5000), false);
    std::fs::write(b.path("o.npz"), "the old one").expect("written");
    // A limit on the size of files stands for the full disk, with its signal and without.
    for signal in ["trap '' XFSZ;", ""] {
        let script = format!("{signal} ulimit -f 100; exec {} {}", env!("CARGO_BIN_EXE_kinlane"), ADVANCE.join(" "));
        let o =
            std::process::Command::new("sh").args(["-c", &script]).current_dir(b.dir.path()).output().expect("a shell");
        assert_eq!(o.status.code(), Some(2), "{}", stderr(&o));
        assert!(
            stderr(&o).starts_with("error: cannot write o.npz") && stderr(&o).lines().count() == 1,
            "{}",
            stderr(&o)
        );
        assert_eq!(b.files(), ["o.npz", "s.npz"]);
        assert_eq!(std::fs::read(b.path("o.npz")).expect("read"), b"the old one");
    }
}

#[cfg(unix)]
#[test]
fn an_interruption_writes_nothing_and_says_so() {
    let b = Bench::new();
    // Enough work that the signal comes in the middle.
    save(&b.path("s.npz"), &cells(400_000), false);
    let mut args = with(&["--rtol", "1e-10", "--atol", "1e-18", "--threads", "1"]);
    args[5] = "1e-3";
    interrupt(&b, &args, "-INT");
    // In the middle of a run and between runs; the states that it begins with are from runs as well.
    interrupt(&b, &["bench", "work-precision", "h2:H2", "--csv", "w.csv", "--quiet"], "-TERM");
    interrupt(&b, &["bench", "work-precision", "gri30:CH4", "--dt", "1", "--ignitions", "--csv", "w.csv"], "-INT");
    // Waiting for a mechanism to be typed.
    interrupt(&b, &["check", "-"], "-INT");
    assert_eq!(b.files(), ["s.npz"]);
}

/// Ends a run that takes long by a signal.
#[cfg(unix)]
fn interrupt(b: &Bench, args: &[&str], signal: &str) {
    use std::process::Stdio;
    let piped = b.command(args).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = piped.expect("the program starts");
    let _open = child.stdin.take();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let killed = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|s| s.success()));
    let started = std::time::Instant::now();
    let code = child.wait().expect("it ends").code();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("piped"), &mut said).expect("read");
    assert_eq!(code, Some(130), "{args:?}: {said}");
    assert!(said.contains("interrupted"), "{args:?}: {said}");
    assert!(started.elapsed().as_secs_f64() < 5.0, "{args:?}");
}

#[test]
fn rates_and_jacobians_have_their_shapes() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(1500), false);
    let o = b.kinlane(&["rates", "h2", "--states", "s.npz", "--out", "r.npz", "--jacobian", "--json", "-"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let report: serde_json::Value = serde_json::from_slice(&o.stdout).expect("a report and nothing else");
    let [sizes, found] = [["cells", "species", "reactions"], ["not_finite", "device", "mechanism"]];
    assert_eq!(sizes.map(|key| report[key].as_u64()), [1500, N as u64, 27].map(Some));
    assert_eq!(found.map(|key| report[key].to_string()), ["0", "\"cpu\"", "\"h2\""]);
    assert!(report["seconds"].as_f64().is_some_and(|s| s > 0.0), "{report}");
    let npz = load(&b.path("r.npz"));
    assert_eq!(npz["species"].strings(), H2);
    assert_eq!((&npz["wdot"].shape[..], &npz["jac"].shape[..]), (&[1500, N][..], &[1500, N + 1, N + 1][..]));
    let w = npz["wdot"].numbers();
    assert!(w.iter().all(|v| v.is_finite()) && w.iter().any(|v| *v != 0.0));
    assert!(
        ["rho", "W", "cp", "h", "hrr"].iter().all(|name| npz[*name].shape == [1500]) && !npz.contains_key("forward")
    );
    let o = b.kinlane(&["rates", "h2", "--states", "s.npz", "--out", "r.npz", "--quiet", "--quiet", "--reactions"]);
    assert!(o.status.success() && o.stdout.is_empty() && o.stderr.is_empty());
    let again = load(&b.path("r.npz"));
    assert!(!again.contains_key("jac"));
    assert_eq!(again["equations"].strings()[0], "H + O2 <=> O + OH");
    let [forward, reverse] = ["forward", "reverse"].map(|name| &again[name]);
    assert_eq!((&forward.shape[..], &reverse.shape[..]), (&[1500, 27][..], &[1500, 27][..]));
    assert!(forward.numbers().iter().chain(&reverse.numbers()).all(|q| *q >= 0.0));
    assert_eq!(again["wdot"].numbers(), w);
}

#[test]
fn rates_that_are_not_finite_are_told() {
    let b = Bench::new();
    let mut states = cells(3);
    spoil(&mut states, "T", 1, 1.0);
    save(&b.path("s.npz"), &states, false);
    let o = b.kinlane(&["rates", "h2", "--states", "s.npz", "--out", "r.npz", "--json", "r.json"]);
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    let report = std::fs::read_to_string(b.path("r.json")).expect("written");
    assert!(report.contains("\"not_finite\": 1,"), "{report}");
    assert!(
        stderr(&o).contains("what is written of 1 of 3 cells is not finite; the first is cell 1, at 1 K"),
        "{}",
        stderr(&o)
    );
    assert!(
        stderr(&o).contains(
            "1 of 3 cells outside 10 to 50000 K, where no law holds and `advance` fails; the first is cell 1, at 1 K"
        ),
        "{}",
        stderr(&o)
    );
    assert!(load(&b.path("r.npz"))["wdot"].numbers().iter().take(N).all(|w| w.is_finite()));
    // A gas so cold that reverse rates are lost.
    let mut states = cells(3);
    spoil(&mut states, "T", 2, 40.0);
    save(&b.path("s.npz"), &states, false);
    let o = b.kinlane(&["rates", "h2", "--states", "s.npz", "--out", "r.npz"]);
    assert!(stderr(&o).contains("1 of 3 cells below 50 K, where reverse rates of radicals"), "{}", stderr(&o));
    assert!(stderr(&o).contains("the first is cell 2, at 40 K") && !stderr(&o).contains("outside"), "{}", stderr(&o));
    // A gas so thin that its rates are zero and their derivatives no numbers.
    let mut states = cells(2);
    spoil(&mut states, "P", 1, 1e-320);
    save(&b.path("s.npz"), &states, false);
    for (asked, code) in [(&[][..], 0), (&["--reactions"][..], 0), (&["--jacobian"][..], 1)] {
        let o = b.kinlane(&[&["rates", "h2", "--states", "s.npz", "--out", "r.npz"][..], asked].concat());
        assert_eq!(o.status.code(), Some(code), "{asked:?}: {}", stderr(&o));
    }
}
