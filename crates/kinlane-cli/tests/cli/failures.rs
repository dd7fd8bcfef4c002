//! Cells that fail: they are listed, kept or not as asked, and can be explained.

use crate::common::{Array, Bench, N, Npz, cells, load, save, spoil, stderr, stdout};

/// Eight cells of which number 3 is absurdly hot.
fn poisoned_cells() -> Npz {
    let mut states = cells(8);
    spoil(&mut states, "T", 3, 1e9);
    states
}

fn poisoned() -> Bench {
    let b = Bench::new();
    save(&b.path("s.npz"), &poisoned_cells(), false);
    b
}

const RUN: [&str; 8] = ["advance", "h2", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz"];

#[test]
fn one_bad_cell_is_kept_listed_and_explained() {
    let b = poisoned();
    let o = b.kinlane(&RUN);
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    assert!(stderr(&o).contains("1 of 8 cells failed and keeps its entry state"), "{}", stderr(&o));
    assert!(stderr(&o).contains("cell 3:") && stderr(&o).contains("reached t = 0.000e0 s"), "{}", stderr(&o));
    assert_eq!(b.files(), ["o.npz", "o.npz.replay.json", "s.npz"]);
    let (before, after) = (load(&b.path("s.npz")), load(&b.path("o.npz")));
    for (i, s) in after["status"].numbers().iter().enumerate() {
        assert_eq!(*s != 0.0, i == 3, "cell {i}");
    }
    assert_eq!(after["T"].numbers()[3], 1e9);
    assert_eq!(after["Y"].numbers()[3 * N..4 * N], before["Y"].numbers()[3 * N..4 * N]);

    let e = b.kinlane(&["explain", "o.npz.replay.json"]);
    assert_eq!(e.status.code(), Some(0), "{}", stderr(&e));
    for word in ["cell 3 of s.npz", "in the batch", "alone, now", "fastest reactions", "What to do"] {
        assert!(stdout(&e).contains(word), "{word}: {}", stdout(&e));
    }
    assert!(stderr(&e).is_empty(), "{}", stderr(&e));
    let limits = "The cell comes in with 1e9 K, and the laws hold from 10 to 50000 K.";
    assert!(stdout(&e).contains(limits), "{}", stdout(&e));
    let none = b.kinlane(&["explain", "o.npz.replay.json", "--cell", "4"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("no cell 4; it has 3"), "{}", stderr(&none));
}

/// Tolerances of single species are part of a run: they are reported, and a cell is run again with them.
#[test]
fn own_tolerances_are_reported_and_kept() {
    let b = poisoned();
    let own = ["--atol-of", "HO2:1e-18,OH:1e-9", "--json", "r.json", "--quiet"];
    assert_eq!(b.kinlane(&[&RUN[..], &own].concat()).status.code(), Some(1));
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(b.path("r.json")).expect("written")).expect("JSON");
    assert_eq!(report["atol_of"], serde_json::json!({"HO2": 1e-18, "OH": 1e-9}));
    let e = b.kinlane(&["explain", "o.npz.replay.json"]);
    assert!(stdout(&e).contains("atol 1e-12 (HO2:1e-18,OH:1e-9); 13 species"), "{}{}", stdout(&e), stderr(&e));
}

/// A source in which N2 replaces O2, four times as much as there is in one cell.
#[test]
fn sources_that_take_too_much_are_told_and_explained() {
    let b = Bench::new();
    let mut states = cells(4);
    let (o2, n2) = (5, 8);
    let mut dydt = vec![0.0; 4 * N];
    (dydt[2 * N + o2], dydt[2 * N + n2]) = (-1e5, 1e5);
    states.insert("dYdt", Array::f64(&[4, N], &dydt));
    save(&b.path("s.npz"), &states, false);
    let o = b.kinlane(&RUN);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let said = stderr(&o);
    assert!(said.contains("took more than there was in 1 cell; the worst: Y(O2) = -"), "{said}");
    assert!(said.contains("in cell 2"), "{said}");

    spoil(&mut states, "T", 2, 1e9);
    save(&b.path("s.npz"), &states, false);
    assert_eq!(b.kinlane(&RUN).status.code(), Some(1));
    let e = b.kinlane(&["explain", "o.npz.replay.json"]);
    assert!(stdout(&e).contains("Its source, the largest, 1/s: O2 -1.0000e5, N2 +1.0000e5"), "{}", stdout(&e));
}

#[test]
fn stop_writes_the_replay_file_only() {
    let b = poisoned();
    let o = b.kinlane(&[&RUN[..], &["--on-failure", "stop"]].concat());
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    assert_eq!(b.files(), ["o.npz.replay.json", "s.npz"]);
}

#[test]
fn many_failures_are_counted_not_listed() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(1200), false);
    let o = b.kinlane(&[&RUN[..], &["--max-steps", "1", "--first-step", "1e-9"]].concat());
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    let said = stderr(&o);
    assert!(said.contains("1200 of 1200") && said.contains("and 1190 more"), "{said}");
    assert!(said.lines().count() < 16, "{said}");
    let text = std::fs::read(b.path("o.npz.replay.json")).expect("a replay file");
    let replay: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
    assert_eq!((replay["failed"].as_u64(), replay["cells"].as_array().map(Vec::len)), (Some(1200), Some(1000)));
    // A method that stiff cells stop by their budget is told to be one.
    let explicit = ["--max-steps", "1", "--first-step", "1e-9", "--method", "rk4", "--on-failure", "stop"];
    let o = b.kinlane(&[&RUN[..], &explicit].concat());
    assert!(o.status.code() == Some(1) && stderr(&o).contains("rk4 is not made for stiff cells"), "{}", stderr(&o));
    assert!(!said.contains("stiff"), "{said}");
    let e = b.kinlane(&["explain", "o.npz.replay.json"]);
    assert!(stdout(&e).contains("take a method for stiff cells (--method auto)"), "{}{}", stdout(&e), stderr(&e));
}

/// Cells that keep their steps from call to call begin otherwise than others, and go on with what no replay file holds.
#[test]
fn cells_that_continue_are_run_again_as_such() {
    let b = Bench::new();
    let mut states = cells(2);
    (0..2).for_each(|i| spoil(&mut states, "T", i, 300.0));
    save(&b.path("s.npz"), &states, false);
    let advance = |states: &str, more: &[&str]| {
        let usual = ["advance", "h2", "--states", states, "--out", "o.npz", "--continue", "m.npz", "--quiet"];
        b.kinlane(&[&usual[..], more].concat())
    };
    let explained = || {
        let o = b.kinlane(&["explain", "o.npz.replay.json"]);
        assert!(o.status.success(), "{}", stderr(&o));
        stdout(&o)
    };
    let o = advance("s.npz", &["--dt", "1", "--max-steps", "8", "--on-failure", "stop"]);
    assert_eq!((o.status.code(), b.files()), (Some(1), vec!["o.npz.replay.json".to_owned(), "s.npz".to_owned()]));
    let said = explained();
    let end = |what: &str| said.lines().find_map(|line| Some(line.strip_prefix(what)?.trim().to_owned()));
    assert!(end("in the batch:").is_some() && end("in the batch:") == end("alone, now:"), "{said}");
    assert!(said.contains("0.000000e0    1.000e-9") && said.contains("of 8 attempted steps"), "{said}");

    let o = advance("s.npz", &["--dt", "1e-12", "--first-step", "1e-12"]);
    assert!(o.status.success(), "{}", stderr(&o));
    std::fs::rename(b.path("o.npz"), b.path("then.npz")).expect("is there");
    let o = advance("then.npz", &["--dt", "1", "--first-step", "1", "--max-steps", "3"]);
    assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
    let said = explained();
    for word in ["steps of earlier calls (--continue)", "alone, now:   done", "begins anew: run the batch again with a"]
    {
        assert!(said.contains(word), "{word}: {said}");
    }
}

/// From any folder, wherever the replay file went; what is not there any more is named, with what helps.
#[test]
fn a_replay_file_finds_its_mechanism() {
    let b = poisoned();
    for folder in ["out", "moved"] {
        std::fs::create_dir(b.path(folder)).expect("a folder");
    }
    assert!(b.kinlane(&["convert", "h2", "mech.yaml"]).status.success());
    let run = ["advance", "./mech.yaml", "--states", "s.npz", "--dt", "1e-5", "--out", "out/o.npz", "--quiet"];
    assert_eq!(b.kinlane(&run).status.code(), Some(1));
    let explain = |folder: &str, more: &[&str]| {
        let file = if folder == "out" { "o.npz.replay.json" } else { "../out/o.npz.replay.json" };
        let mut command = b.command(&[&["explain", file], more].concat());
        command.current_dir(b.path(folder)).output().expect("the program starts")
    };
    for folder in ["out", "moved"] {
        let o = explain(folder, &[]);
        assert!(o.status.success() && stderr(&o).is_empty(), "{folder}: {}", stderr(&o));
    }
    std::fs::rename(b.path("mech.yaml"), b.path("moved/other.yaml")).expect("moved");
    let o = explain("moved", &[]);
    assert_eq!(o.status.code(), Some(2));
    for word in ["o.npz.replay.json: it names the mechanism", "mech.yaml", "--mechanism"] {
        assert!(stderr(&o).contains(word), "{word}: {}", stderr(&o));
    }
    // One that is given is not told to be another; one that has changed unasked is.
    let text = std::fs::read_to_string(b.path("moved/other.yaml")).expect("the mechanism") + "\n# changed\n";
    std::fs::write(b.path("moved/other.yaml"), &text).expect("written");
    let o = explain("moved", &["--mechanism", "other.yaml"]);
    assert!(o.status.success() && stderr(&o).is_empty(), "{}", stderr(&o));
    std::fs::write(b.path("mech.yaml"), &text).expect("written");
    assert!(stderr(&explain("moved", &[])).contains("has changed since"));
}

/// The texts of a run are known by their content, in whatever order their names are now.
#[test]
fn a_mechanism_of_two_files_may_move() {
    let b = poisoned();
    for folder in ["zz", "aa"] {
        std::fs::create_dir(b.path(folder)).expect("a folder");
    }
    assert!(b.kinlane(&["convert", "h2", "whole.inp"]).status.success());
    let whole = std::fs::read_to_string(b.path("whole.inp")).expect("the mechanism");
    let (begin, end) = (whole.find("THERMO").expect("a section"), whole.find("REACTIONS").expect("a section"));
    std::fs::write(b.path("zz/chem.inp"), format!("{}{}", &whole[..begin], &whole[end..])).expect("written");
    std::fs::write(b.path("aa/therm.txt"), &whole[begin..end]).expect("written");
    let run = ["advance", "zz/chem.inp", "--thermo", "aa/therm.txt", "--states", "s.npz", "--dt", "1e-5"];
    assert_eq!(b.kinlane(&[&run[..], &["--out", "o.npz", "--quiet"]].concat()).status.code(), Some(1));
    for (from, to) in [("zz/chem.inp", "chem.inp"), ("aa/therm.txt", "therm.txt")] {
        std::fs::rename(b.path(from), b.path(to)).expect("moved");
    }
    let o = b.kinlane(&["explain", "o.npz.replay.json"]);
    assert!(o.status.success() && stderr(&o).is_empty(), "{}", stderr(&o));
}

/// A mechanism from standard input is read from there again, and that is said.
#[test]
fn a_mechanism_from_standard_input_is_read_again() {
    let b = poisoned();
    assert!(b.kinlane(&["convert", "h2", "mech.yaml"]).status.success());
    let piped = |args: &[&str]| {
        let file = std::fs::File::open(b.path("mech.yaml")).expect("the mechanism");
        b.command(args).stdin(file).output().expect("the program starts")
    };
    let run = ["advance", "-", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz", "--quiet"];
    assert_eq!(piped(&run).status.code(), Some(1));
    let explained = piped(&["explain", "o.npz.replay.json"]);
    assert!(explained.status.success(), "{}", stderr(&explained));
    let said = stderr(&explained);
    assert!(
        said.starts_with("the mechanism of the run came from standard input") && said.lines().count() == 1,
        "{said}"
    );
}

/// A changed mechanism of CHEMKIN text takes the thermodynamics of the run, or those that are given.
#[test]
fn another_mechanism_takes_the_thermodynamics_of_the_run() {
    let b = poisoned();
    for folder in ["run", "other"] {
        std::fs::create_dir(b.path(folder)).expect("a folder");
    }
    assert!(b.kinlane(&["convert", "h2", "all.inp"]).status.success());
    let text = std::fs::read_to_string(b.path("all.inp")).expect("CHEMKIN");
    let (from, to) = (text.find("THERMO").expect("a section"), text.find("REACTIONS").expect("a section"));
    let (thermo, without) = (&text[from..to], [&text[..from], &text[to..]].concat());
    let write = |name: &str, text: &str| std::fs::write(b.path(name), text).expect("written");
    write("run/chem.inp", &without);
    write("other/up.inp", &without);
    for (file, option) in [("run/therm.dat", &[][..]), ("run/data.txt", &["--thermo", "run/data.txt"])] {
        write(file, thermo);
        let run = ["advance", "run/chem.inp", "--states", "s.npz", "--dt", "1e-5", "--out", "o.npz", "--quiet"];
        let o = b.kinlane(&[&run[..], option].concat());
        assert_eq!(o.status.code(), Some(1), "{}", stderr(&o));
        let up = ["explain", "o.npz.replay.json", "--mechanism", "other/up.inp"];
        let o = b.kinlane(&up);
        assert!(o.status.success() && stderr(&o).is_empty(), "{file}: {}", stderr(&o));
        std::fs::rename(b.path(file), b.path("moved.txt")).expect("moved");
        let o = b.kinlane(&up);
        assert!(o.status.code() == Some(2) && stderr(&o).contains("--thermo"), "{file}: {}", stderr(&o));
        for more in [&up[..], &up[..2]] {
            let o = b.kinlane(&[more, &["--thermo", "moved.txt", "--format", "chemkin"]].concat());
            assert!(o.status.success() && stderr(&o).is_empty(), "{file}: {}", stderr(&o));
        }
    }
    let o = b.kinlane(&["explain", "o.npz.replay.json"]);
    assert!(stderr(&o).contains("data.txt, and there is no such file; say with --thermo"), "{}", stderr(&o));
}

#[test]
fn what_is_no_replay_file_is_told() {
    let b = Bench::new();
    std::fs::write(b.path("x.json"), "{}").expect("written");
    for file in ["x.json", "none.json"] {
        let o = b.kinlane(&["explain", file]);
        assert_eq!(o.status.code(), Some(2));
        assert!(stderr(&o).contains(file), "{}", stderr(&o));
    }
}

/// Text with a few bytes changed, left out, doubled, or cut off.
fn damaged(text: &[u8], random: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random(3) {
        let at = random(text.len());
        let end = (at + 1 + random(12)).min(text.len());
        match random(5) {
            0 => text.truncate(at.max(1)),
            1 => drop(text.drain(at..end)),
            2 => drop(text.splice(at..at, text[at..end].to_vec())),
            _ => text[at] = b"{}[]\",:;-+.e019 \n\0\xc3"[random(19)],
        }
        if text.is_empty() {
            text.push(b' ');
        }
    }
    text
}

/// Whatever stands in a replay file or a history: an answer or an error, never a panic.
#[test]
fn damaged_replay_files_and_histories_are_answered_or_refused() {
    let b = poisoned();
    let budget = ["--max-steps", "5", "--first-step", "1e-9", "--quiet"];
    assert_eq!(b.kinlane(&[&RUN[..], &budget].concat()).status.code(), Some(1));
    let replay = std::fs::read(b.path("o.npz.replay.json")).expect("a replay file");
    let history = b"t (s),P (atm),V\n0,1,1.0\n1e-4,1.5,0.9\n2e-4,2,0.8\n5e-4,3.25,0.7\n".to_vec();
    let mut state = 7u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let explain = &["explain", "damaged"][..];
    let ignite = ["ignite", "h2", "--mixture", "H2:2,O2:1,N2:3.76", "--T", "900", "--end-time", "1e-3"];
    let pressure = [&ignite[..], &["--pressure-history", "damaged"]].concat();
    let volume = [&ignite[..], &["--P", "1e5", "--volume-history", "damaged"]].concat();
    for (text, args) in [(&replay, explain), (&history, &pressure), (&history, &volume)] {
        let mut refused = 0;
        for i in 0..80 {
            let text = damaged(text, &mut random);
            std::fs::write(b.path("damaged"), &text).expect("written");
            let o = b.kinlane(args);
            let said = stderr(&o);
            let text = String::from_utf8_lossy(&text);
            assert!(matches!(o.status.code(), Some(0..=2)) && !said.contains("panicked"), "{i}: {said}\n{text}");
            let two = o.status.code() == Some(2);
            assert!(!two || said.contains("error: "), "{i}: {said}\n{text}");
            refused += usize::from(two);
        }
        assert!(refused > 20, "{args:?}: only {refused} were refused");
    }
}

/// A program whose standard output is a full disk.
#[cfg(target_os = "linux")]
fn into_full(b: &Bench, args: &[&str]) -> std::process::Output {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is full");
    b.command(args).stdout(full).stderr(std::process::Stdio::piped()).output().expect("the program starts")
}

/// A table that did not get through must not end with 0.
#[test]
#[cfg(target_os = "linux")]
fn text_that_a_full_disk_does_not_take_is_missed() {
    let b = Bench::new();
    for args in [&["methods"][..], &["--help"], &["advance", "--help"], &["help", "box"], &["--version"]] {
        let o = into_full(&b, args);
        assert_eq!(o.status.code(), Some(2), "{args:?}");
        assert!(stderr(&o).contains("cannot write standard output: the disk is full"), "{args:?}: {}", stderr(&o));
    }
}

/// All manual pages or none.
#[test]
#[cfg(unix)]
fn manual_pages_that_do_not_fit_are_an_error() {
    let b = Bench::new();
    let program = env!("CARGO_BIN_EXE_kinlane");
    // Some pages are shorter than the limit on the size of files.
    let script = format!("ulimit -f 8; exec '{program}' man pages");
    let run = std::process::Command::new("sh").args(["-c", &script]).current_dir(b.dir.path()).output();
    let o = run.expect("the shell starts");
    assert_eq!(o.status.code(), Some(2), "{}", stderr(&o));
    assert!(stderr(&o).contains("cannot write pages/"), "{}", stderr(&o));
    assert_eq!(std::fs::read_dir(b.path("pages")).expect("the folder").count(), 0);
}

/// Exit code 2 means that nothing was written: a report that does not get through keeps the files back.
#[test]
#[cfg(target_os = "linux")]
fn a_report_that_a_full_disk_does_not_take_leaves_no_files() {
    let b = Bench::new();
    save(&b.path("s.npz"), &cells(2), false);
    save(&b.path("bad.npz"), &poisoned_cells(), false);
    let before = b.files();
    let advance = ["advance", "h2", "--dt", "1e-6", "--out", "o.npz", "--json", "-", "--states"];
    let rates = ["rates", "h2", "--out", "o.npz", "--json", "-", "--states"];
    let equilibrate = ["equilibrate", "h2", "--csv", "-", "--out", "o.npz", "--json", "r.json", "--states"];
    for (args, states) in [(&advance[..], "s.npz"), (&advance, "bad.npz"), (&rates, "s.npz"), (&equilibrate, "s.npz")] {
        let o = into_full(&b, &[args, &[states]].concat());
        assert_eq!(o.status.code(), Some(2), "{args:?}: {}", stderr(&o));
        assert!(stderr(&o).contains("cannot write standard output: the disk is full"), "{}", stderr(&o));
        assert_eq!(b.files(), before, "{args:?}");
    }
}
