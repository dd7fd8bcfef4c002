//! The tools around a mechanism: convert, check, explain, completions, manual pages, and the examples of the help.

use crate::common::{Bench, stderr, stdout};

/// What a command cannot use, it does not offer.
#[test]
fn only_what_runs_on_devices_takes_one() {
    let b = Bench::new();
    for command in ["equilibrate", "psr"] {
        let help = stdout(&b.kinlane(&[command, "--help"]));
        assert!(help.contains("--quiet"), "{help}");
        assert!(["--device", "--mapping", "--lanes"].iter().all(|o| !help.contains(o)), "{help}");
    }
    for command in ["advance", "rates", "demo", "ignite"] {
        let help = stdout(&b.kinlane(&[command, "--help"]));
        for option in ["--device", "--device-memory", "--mapping", "--threads", "--lanes", "--quiet"] {
            assert!(help.contains(option), "{command} {option}");
        }
    }
}

#[test]
fn numbers_of_the_command_line_are_refused_with_what_would_be_right() {
    let b = Bench::new();
    let gas = ["equilibrate", "h2", "--fuel", "H2", "--oxidizer", "O2:1"];
    for (more, says) in [
        (["--phi", "-1"], "-1.0 is not zero or a positive number"),
        (["--P", "1ell"], "atm, bar, mbar, kPa, MPa, Pa, torr, psi"),
        (["--P", "1,2,atm"], "a value is missing"),
        (["--phi", "-1e-3"], "-0.001 is not zero or a positive number"),
        (["--T", "1127C"], "temperatures are in K: 1127 C is 1400.15 K"),
        (["--T", "1100:2000"], "how many values: 1100:2000:10, say"),
        (["--out", "-"], "give a name, or ./-"),
        (["--states", "-"], "cannot be used with"),
    ] {
        let o = b.kinlane(&[&gas[..], &more].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains(says), "{more:?}: {}", stderr(&o));
        assert!(stderr(&o).len() < 400, "{}", stderr(&o));
    }
    for (args, says, never) in [
        (
            &["equilibrate", "h2", "--mixture", "H2", "--P", "10", "atm"][..],
            "no blank before the unit, as in 10atm",
            "-- ",
        ),
        (&["advance", "h2", "--T", "1000"], "come from the file of '--states'", "-- --T"),
        (&["rates", "h2", "--dt", "1e-6"], "unexpected argument '--dt'", "-- --dt"),
        (
            &["advance", "h2", "--states", "s.npz", "--out", "o.npz", "--dt", "-1e-6"],
            "it must be a positive finite number",
            "unexpected",
        ),
        (
            &["psr", "h2", "--mixture", "H2", "--tau", "1", "--transient", "-1us"],
            "positive finite number",
            "unexpected",
        ),
        (
            &["advance", "h2", "--states", "s.npz", "--out", "o.npz", "--dt", "1", "--method", "cvode"],
            "cvode is bdf",
            "ndf;",
        ),
        (&["bench", "work-precision", "h2:H2", "h2"], "h2: the fuel is missing; write MECH:FUEL", "rtol"),
        (&["bench", "work-precision", "h2", "--states", "none.npz"], "there are no cells in it", "rtol"),
        (
            &["bench", "work-precision", "h2", "--states", "s.npz", "--csv", "s.npz"],
            "s.npz is the input as well",
            "rtol",
        ),
        (&["bench", "work-precision", "--states", "s.npz"], "--states is for one mechanism: name it", "rtol"),
        (
            &["bench", "work-precision", "h2:H2", "--csv", "w.md", "--out", "w.md"],
            "--out and --csv are both w.md",
            "rtol",
        ),
        (&["bench", "work-precision", "h2:H2", "--out", "nowhere/w.md"], "cannot write nowhere/w.md", "rtol"),
    ] {
        crate::common::save(&b.path("s.npz"), &crate::common::cells(1), false);
        crate::common::save(&b.path("none.npz"), &crate::common::cells(0), false);
        let o = b.kinlane(args);
        assert_eq!((o.status.code(), stdout(&o).as_str()), (Some(2), ""), "{args:?}");
        let said = stderr(&o);
        assert!(said.contains(says) && !said.contains(never), "{args:?}: {said}");
    }
    // A pressure that lacks its unit.
    for (pressure, told) in [("10", true), ("10Pa", false), ("1000", false)] {
        let o = b.kinlane(&[&gas[..], &["--P", pressure]].concat());
        let note = "note: P = 10 Pa; write 10atm or 10bar if that was meant";
        assert!(o.status.success() && stderr(&o).contains(note) == told, "{pressure}: {}", stderr(&o));
    }
    for command in ["equilibrate", "ignite"] {
        let o = b.kinlane(&[command, "h2", "--mixture", "H2:2,O2:1", "--T", "1e300"]);
        assert!(o.status.code() == Some(1) && stdout(&o).contains("1.000e300"), "{}", stdout(&o));
        assert!(stdout(&o).lines().all(|l| l.len() < 200), "{}", stdout(&o));
    }
}

#[test]
fn methods_are_measured_on_cells_of_a_file() {
    const ROWS: [&str; 8] = ["1", "2", "4", "8", "16", "32", "64", "128"];
    let b = Bench::new();
    crate::common::save(&b.path("s.npz"), &crate::common::cells(30), false);
    let cells = ["--states", "s.npz", "--cells", "20", "--methods", "rodas5p,rk4", "--dt", "1e-7", "--csv", "w.csv"];
    let o = b.kinlane(&[&["bench", "work-precision", "h2"][..], &cells].concat());
    assert!(o.status.success() && stdout(&o).starts_with("h2, dt = 1e-7 s, 20 cells, one thread"), "{}", stdout(&o));
    let table = std::fs::read_to_string(b.path("w.csv")).expect("the table");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let error = |row: &Vec<&str>| row[5].parse::<f64>().expect("an error");
    assert!(rows.len() == 16 && rows.iter().all(|row| row[0] == "h2" && row[12] == "0"), "{table}");
    assert!(error(&rows[0]) > 10.0 * error(&rows[7]), "{table}");
    // Steps of a fixed length are told by their number.
    assert_eq!(rows[8..].iter().map(|row| (row[3], row[7])).collect::<Vec<_>>(), ROWS.map(|n| ("", n)), "{table}");
    assert!(error(&rows[8]) > 1e3 * error(&rows[15]), "{table}");
    let fuels = ["gri30:CH4", "gri30:H2", "--cells", "2", "--methods", "rodas5p", "--dt", "1e-7", "--picture", "w.svg"];
    assert!(b.kinlane(&[&["bench", "work-precision", "--quiet"][..], &fuels].concat()).status.success());
    assert_eq!(b.files(), ["s.npz", "w-gri30-CH4-1e-7.svg", "w-gri30-H2-1e-7.svg", "w.csv"]);
}

/// What a command takes is said in its own help.
#[test]
fn every_command_has_its_own_help() {
    let b = Bench::new();
    // Without the ends of lines.
    let help = |command: &str| {
        let text = stdout(&b.kinlane(&[command, "--help"]));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(help("equilibrate").contains("(default: 300)") && !help("equilibrate").contains("ignite has"));
    let (ignite, psr) = (help("ignite"), help("psr"));
    assert!(ignite.contains("there is no default") && ignite.contains("auto, which is rodas5p"), "{ignite}");
    assert!(ignite.contains("constant pressure and temperature"), "{ignite}");
    assert!(psr.contains("Temperatures of the inflow") && psr.contains("Threads for the gases"), "{psr}");
    let pasr = help("pasr");
    assert!(pasr.matches("one value").count() == 3 && !pasr.contains("--T <LIST>"), "{pasr}");
    assert!(help("advance").contains("Checkpoint of the integration") && help("methods").contains("--method takes"));
    let all = stdout(&b.kinlane(&["--help"]));
    assert!(all.contains("kinlane ignite h2") && all.contains("kinlane psr h2"), "{all}");
}

#[test]
fn species_are_listed() {
    let b = Bench::new();
    let o = b.kinlane(&["check", "h2", "--species", "--json", "c.json"]);
    assert!(o.status.success(), "{}", stderr(&o));
    let line = |name: &str| stdout(&o).lines().find(|l| l.starts_with(name)).map(str::to_owned).expect("a line");
    let words: Vec<String> = line("H2O2 ").split_whitespace().map(str::to_owned).collect();
    assert_eq!(words[..3], ["H2O2", "34.0140", "NASA7"]);
    assert_eq!(words[6..], ["H:2", "O:2"]);
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(b.path("c.json")).expect("the report")).expect("JSON");
    assert_eq!(json["species"].as_array().map(Vec::len), Some(13));
    assert!(json["species"][0]["range"][1].as_f64() >= Some(3000.0), "{json}");
}

/// Other files than those asked for are known by their content.
#[test]
fn the_wrong_file_is_recognised() {
    let b = Bench::new();
    let mut cells = crate::common::cells(2);
    crate::common::save(&b.path("s.npz"), &cells, false);
    let y = cells.remove("Y").expect("mass fractions");
    cells.insert("X", y);
    crate::common::save(&b.path("x.npz"), &cells, false);
    std::fs::write(b.path("one.npy"), b"\x93NUMPY\x01\x00").expect("written");
    std::fs::write(b.path("text.npz"), "no zip").expect("written");
    std::fs::write(b.path("tran.dat"), "AR 0 136.500 3.330 0.000 0.000 0.000\n").expect("written");
    let therm = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad/therm.dat");
    std::fs::copy(therm, b.path("thermo-only.dat")).expect("copied");
    let rates = |mech: &'static str, states: &'static str| ["rates", mech, "--states", states, "--out", "r.npz"];
    for (args, says) in [
        (rates("s.npz", "s.npz"), "an NPZ file of states, which belongs to --states"),
        (rates("tran.dat", "s.npz"), "looks like transport data"),
        (rates("thermo-only.dat", "s.npz"), "thermodynamics"),
        (rates("h2", "x.npz"), "mole fractions X and no mass fractions Y; convert them"),
        (rates("h2", "one.npy"), "a single array (NPY)"),
        (rates("h2", "text.npz"), "text.npz: not an NPZ file, or not all of one; write it with numpy.savez\n"),
    ] {
        let o = b.kinlane(&args);
        assert!(o.status.code() == Some(2) && stderr(&o).contains(says), "{args:?}: {}", stderr(&o));
    }
}

#[test]
fn a_mechanism_goes_to_chemkin_and_back() {
    let b = Bench::new();
    for args in [["convert", "gri30", "a.inp"], ["convert", "a.inp", "b.yaml"], ["convert", "b.yaml", "c.inp"]] {
        let o = b.kinlane(&args);
        assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
        assert!(stdout(&o).contains("53 species, 325 reactions"), "{}", stdout(&o));
    }
    let body = |name| {
        let text = std::fs::read_to_string(b.path(name)).expect("the output");
        text[text.find("ELEMENTS").expect("a section")..].to_owned()
    };
    assert_eq!(body("a.inp"), body("c.inp"));
    let text = std::fs::read_to_string(b.path("a.inp")).expect("the output");
    assert!(
        text.starts_with("! Converted from gri30.\n! generator: kinlane\n") && text.contains("! date: 20"),
        "{text}"
    );
}

#[test]
fn a_subset_lists_what_it_leaves_out() {
    let b = Bench::new();
    let species = "H2,H,O,O2,OH,H2O,HO2,H2O2,AR,N2";
    let o = b.kinlane(&["convert", "gri30", "small.yaml", "--subset", species, "--date", "none"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(
        stdout(&o).contains("10 species, 29 reactions") && stdout(&o).contains("296 reactions need"),
        "{}",
        stdout(&o)
    );
    let o = b.kinlane(&["check", "small.yaml", "--deny", "warnings", "--quiet"]);
    assert_eq!((o.status.code(), stderr(&o).as_str()), (Some(0), ""));
    let o = b.kinlane(&["convert", "gri30", "y.yaml", "--subset", "H2, O2 ,AR"]);
    assert!(o.status.success() && stdout(&o).contains("3 species"), "{}", stderr(&o));
    let o = b.kinlane(&["convert", "gri30", "x.yaml", "--subset", "H2,O22"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("did you mean `O2`"), "{}", stderr(&o));
}

/// Commas inside brackets are part of a name wherever species are listed.
#[test]
fn species_may_have_commas_in_their_names() {
    let b = Bench::new();
    let args = ["convert", "h2", "h2.yaml", "--date", "none", "--quiet"];
    assert!(b.kinlane(&args).status.success());
    let text = std::fs::read_to_string(b.path("h2.yaml")).expect("the mechanism");
    let word = |c: char| !c.is_ascii_alphanumeric();
    let mut renamed = String::new();
    for piece in text.split_inclusive(word) {
        let (name, end) = piece.split_at(piece.trim_end_matches(word).len());
        renamed += if name == "H2O2" { "\"H2O2(2,4)\"" } else { name };
        renamed += end;
    }
    // In equations the name stands without quotes of its own.
    let renamed: String = renamed
        .lines()
        .map(|l| if l.contains("equation:") { l.replace('"', "") } else { l.to_owned() } + "\n")
        .collect();
    std::fs::write(b.path("m.yaml"), renamed).expect("written");
    let o = b.kinlane(&["check", "m.yaml", "--quiet"]);
    assert!(o.status.success(), "{}", stderr(&o));
    for args in [
        &["equilibrate", "m.yaml", "--fuel", "H2O2(2,4):1, H2:4", "--oxidizer", "O2:1, N2:3.76"][..],
        &["equilibrate", "m.yaml", "--mixture", "H2O2(2,4), AR:2"],
        &["ignite", "m.yaml", "--mixture", "H2:2,O2:1", "--T", "1200", "--show", "OH, H2O2(2,4)", "--picture", "p.svg"],
        &["convert", "m.yaml", "s.yaml", "--subset", "H2O2(2,4), OH"],
    ] {
        let o = b.kinlane(args);
        assert!(o.status.success(), "{args:?}: {}", stderr(&o));
    }
    let svg = std::fs::read_to_string(b.path("p-species.svg")).expect("the picture");
    assert!(svg.contains(">H2O2(2,4)<"), "{svg}");
}

#[test]
fn findings_are_told_as_json_and_can_be_denied() {
    let b = Bench::new();
    let args = ["check", "gri30", "--json", "f.json", "--quiet"];
    let o = b.kinlane(&args);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(b.path("f.json")).expect("the report")).expect("JSON");
    assert!(json["errors"] == 0 && json["sizes"]["reactions"] == 325, "{json}");
    let finding = &json["findings"][0];
    assert!(finding["code"] == "M0404" && finding["places"][0]["line"].as_u64().is_some(), "{finding}");
    // Nothing is wrong with it; the reverse of O + C2H2 = OH + C2H, somewhat above the estimated limit, is a note.
    let o = b.kinlane(&[&args[..], &["--deny", "warnings"]].concat());
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    let bad = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad/M0404-beyond-collisions.inp");
    let bad = bad.to_str().expect("a path in UTF-8");
    for (more, code) in [(&[][..], 0), (&["--deny", "warnings"][..], 1)] {
        let o = b.kinlane(&[&["check", bad], more].concat());
        assert_eq!(o.status.code(), Some(code), "{}", stderr(&o));
    }
}

/// Reports and tables go to standard output, alone; a mechanism comes from standard input.
#[test]
fn pipes_are_read_and_written() {
    let b = Bench::new();
    crate::common::save(&b.path("s.npz"), &crate::common::cells(3), false);
    let gas = ["--mixture", "H2:2,O2:1", "--T", "1200"];
    for args in [
        &["advance", "h2", "--states", "s.npz", "--dt", "1us", "--out", "o.npz", "--json", "-"][..],
        &["check", "h2", "--json", "-"],
        &[&["equilibrate", "h2", "--json", "-"], &gas[..]].concat(),
        &[&["ignite", "h2", "--json", "-"], &gas[..]].concat(),
        &[&["psr", "h2", "--json", "-", "--tau", "1ms"], &gas[..]].concat(),
    ] {
        let o = b.kinlane(args);
        assert!(o.status.success(), "{args:?}: {}", stderr(&o));
        let json: serde_json::Value = serde_json::from_slice(&o.stdout).expect("JSON and nothing else");
        assert!(json.is_object(), "{args:?}");
    }
    for args in [
        &[&["equilibrate", "h2", "--csv", "-"], &gas[..]].concat(),
        &[&["ignite", "h2", "--csv", "-"], &gas[..]].concat(),
        &[&["psr", "h2", "--csv", "-", "--tau", "1ms"], &gas[..]].concat(),
    ] {
        let o = b.kinlane(args);
        let text = stdout(&o);
        let columns: Vec<usize> = text.lines().map(|l| l.split(',').count()).collect();
        assert!(columns.len() > 1 && columns.iter().all(|c| *c == columns[0]), "{args:?}: {text}");
    }
    assert_eq!(b.files(), ["o.npz", "s.npz"]);
    for (args, says) in [
        (&["ignite", "h2", "--csv", "-", "--json", "-"][..], "--csv and --json are both -"),
        (&["ignite", "h2", "--csv", "-", "--sensitivity"], "two tables"),
        (&["equilibrate", "h2", "--states", "-"], "states must be a regular file"),
    ] {
        let gas = if args.contains(&"--states") { &[][..] } else { &gas[..] };
        let o = b.kinlane(&[args, gas].concat());
        assert!(o.status.code() == Some(2) && stderr(&o).contains(says), "{args:?}: {}", stderr(&o));
    }

    let bad = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    for (name, code) in [("sound.yaml", 0), ("sound.inp", 2), ("M0101-unbalanced.yaml", 2)] {
        let file = std::fs::File::open(bad.join(name)).expect("the mechanism");
        let o = b.command(&["check", "-"]).current_dir(&bad).stdin(file).output().expect("the program starts");
        assert_eq!(o.status.code(), Some(code), "{name}: {}", stderr(&o));
        assert!(code == 0 || stderr(&o).contains("--> standard input:"), "{}", stderr(&o));
    }
    let file = std::fs::File::open(bad.join("sound.inp")).expect("the mechanism");
    let mut command = b.command(&["convert", "-", "m.yaml", "--thermo", "therm.dat"]);
    std::fs::copy(bad.join("therm.dat"), b.path("therm.dat")).expect("copied");
    let o = command.stdin(file).output().expect("the program starts");
    assert!(o.status.success(), "{}", stderr(&o));
    let text = std::fs::read_to_string(b.path("m.yaml")).expect("the output");
    assert!(text.contains("Converted from standard input."), "{text}");
    assert!(text.contains("- name: m\n"), "a phase of CHEMKIN has the name of the file: {text}");
}

/// Beyond the limits of the laws heat capacities are constants, and an equilibrium says little.
#[test]
fn equilibria_beyond_the_limits_are_told() {
    let b = Bench::new();
    let o = b.kinlane(&["equilibrate", "h2", "--mixture", "H2:2,O2:1", "--T", "3000,60000", "--pair", "TP"]);
    assert_eq!(o.status.code(), Some(0), "{}", stderr(&o));
    assert!(stderr(&o).contains("1 of 2 cells outside 10 to 50000 K"), "{}", stderr(&o));
}

/// What Cantera's converter stops at is a warning, and a note where it is told to be permissive.
#[test]
fn repairs_are_listed() {
    let b = Bench::new();
    let bad = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    for name in ["M0309-species-twice", "M0312-thermo-twice", "M0315-stray-line", "M0330-photon"] {
        let run = |args: &[&str]| {
            let file = format!("{name}.inp");
            b.command(&[&["check", file.as_str(), "--deny", "warnings"], args].concat())
                .current_dir(&bad)
                .output()
                .expect("the program starts")
        };
        assert_eq!(run(&[]).status.code(), Some(1), "{name}");
        let o = run(&["--permissive"]);
        assert_eq!(o.status.code(), Some(0), "{name}: {}", stderr(&o));
        let code = name.split('-').next().expect("a code");
        assert!(stderr(&o).contains(&format!("note[{code}]")) && stdout(&o).contains("1 repair made"), "{name}");
    }
}

#[test]
fn codes_are_explained() {
    let b = Bench::new();
    let o = b.kinlane(&["explain", "M0401"]);
    assert!(o.status.success() && stdout(&o).starts_with("M0401: cp, h or s jumps"), "{}", stdout(&o));
    assert!(!stdout(&o).contains("Kinlane"), "{}", stdout(&o));
    let o = b.kinlane(&["explain", "codes"]);
    assert!(o.status.success() && stdout(&o).lines().count() > 90 && stdout(&o).lines().is_sorted(), "{}", stdout(&o));
    // An example is what the program says.
    let text = stdout(&b.kinlane(&["explain", "M0404"]));
    let example = text.lines().find_map(|l| l.strip_prefix("    ")).expect("an example");
    let o = b.kinlane(&["check", "gri30"]);
    assert!(example.starts_with("note") && stderr(&o).contains(example), "{example}: {}", stderr(&o));
    assert!(text.contains("twenty times the limit is a warning"), "{text}");
    let o = b.kinlane(&["explain", "M9999"]);
    assert!(o.status.code() == Some(2) && stderr(&o).contains("explain codes"), "{}", stderr(&o));
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let b = Bench::new();
    let commands = [
        "advance",
        "rates",
        "check",
        "convert",
        "equilibrate",
        "psr",
        "pasr",
        "flamelet",
        "explain",
        "methods",
        "demo",
        "man",
    ];
    for shell in ["bash", "zsh", "fish"] {
        let o = b.kinlane(&["completions", shell]);
        assert!(o.status.success() && commands.iter().all(|c| stdout(&o).contains(c)), "{shell}");
    }
    let o = b.kinlane(&["man", "pages"]);
    assert!(o.status.success(), "{}", stderr(&o));
    for command in commands {
        let page = std::fs::read_to_string(b.path(&format!("pages/kinlane-{command}.1"))).expect("a page");
        assert!(page.contains(".TH"), "{command}");
    }
    // No page refers to one that is not there.
    let mut known = 0;
    for entry in std::fs::read_dir(b.path("pages")).expect("the pages") {
        let page = std::fs::read_to_string(entry.expect("a page").path()).expect("a page");
        for line in page.lines().filter_map(|line| line.strip_suffix("(1)")) {
            let name = line.replace('\\', "");
            assert!(b.path(&format!("pages/{name}.1")).exists(), "{name}");
            known += 1;
        }
    }
    assert!(known > 15 && b.path("pages/kinlane-bench-work-precision.1").exists(), "{known}");
}

/// Every command shows an example, and the examples that need no file of the user's run as they stand.
#[test]
fn the_examples_of_the_help_work() {
    let b = Bench::new();
    let o = b.kinlane(&["--help"]);
    let text = stdout(&o);
    let list = text.split("Commands:").nth(1).and_then(|t| t.split("Options:").next()).expect("the commands");
    let commands: Vec<&str> = list.lines().filter_map(|l| l.strip_prefix("  ")?.split(' ').next()).collect();
    let commands: Vec<&str> = commands.into_iter().filter(|c| !c.is_empty() && *c != "help").collect();
    assert!(commands.len() >= 10, "{commands:?}");
    let mut ran = 0;
    for command in commands {
        let text = stdout(&b.kinlane(&[command, "--help"]));
        let examples: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("  kinlane ")).collect();
        // `kinlane methods` alone is its own example.
        assert!(!examples.is_empty() || !text.contains("[OPTIONS]"), "{command} shows no example: {text}");
        for example in examples {
            // Up to the remark behind it, and without what belongs to the shell.
            let line = example.split("   ").next().unwrap_or(example);
            let needs = [
                ".def ",
                "reaclib ",
                ".kpp ",
                "CUDAnet",
                "s.npz",
                "chem.inp",
                "mech.yaml",
                "replay.json",
                ".csv ",
                "--device",
                ">",
                "demo",
                "&&",
            ];
            if needs.iter().any(|n| line.contains(n)) {
                continue;
            }
            let args = words(line);
            let o = b.kinlane(&args.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(matches!(o.status.code(), Some(0 | 1)), "kinlane {line}: {}", stderr(&o));
            ran += 1;
        }
    }
    assert!(ran >= 8, "only {ran} examples ran");
}

/// Paragraphs of the help are broken where the line is full, and nowhere else.
#[test]
fn the_help_is_wrapped_once() {
    let b = Bench::new();
    let list = stdout(&b.kinlane(&["--help"]));
    let list = list.split("Commands:").nth(1).and_then(|t| t.split("Options:").next()).expect("the commands");
    let commands = list.lines().filter_map(|l| l.strip_prefix("  ")?.split(' ').next()).filter(|c| !c.is_empty());
    for command in commands.filter(|c| *c != "help") {
        // Into a pipe, lines have 100 columns.
        let text = stdout(&b.kinlane(&[command, "--help"]));
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let [line, next] = pair else { continue };
            let starts_own =
                ["Example", "Output:", "precision:", "work-precision:"].iter().any(|w| next.starts_with(w));
            if line.is_empty() || next.is_empty() || line.starts_with(' ') || next.starts_with(' ') || starts_own {
                continue;
            }
            let first = next.split(' ').next().unwrap_or_default();
            assert!(line.chars().count() + 1 + first.chars().count() > 100, "{command}:\n{line}\n{next}");
        }
        // Examples and tables are whole on narrow terminals too.
        let tail = text.split("Options:").last().unwrap_or_default();
        for line in tail.lines().filter(|l| l.starts_with("  kinlane ")) {
            assert!(line.chars().count() <= 90, "{command}: {line}");
        }
    }
}

/// The words of a command as a shell takes them: quotes hold blanks together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quote) = (vec![String::new()], None);
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (_, Some(q)) if c == q => quote = None,
            (' ', None) => words.push(String::new()),
            _ => words.last_mut().expect("at least one").push(c),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}
